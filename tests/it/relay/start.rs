//! The choice of the engine that is started, and the arguments and environment that reach it.

use super::{Folder, Gui, command, relay};
use crate::support::{Script, eventually};
use shogibar_relay::socket::Address;
use std::fs;
use std::io::Read as _;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

/// An engine that prints its arguments and environment.
const TELLS: &str = r#"
pwd -P
for word; do printf '<%s>\n' "$word"; done
printf '%s\n' "$RELAY_TEST"
printf 'trouble' >&2
"#;

/// Copies the relay, by another process: a file that is open for writing cannot be run.
fn copy_relay(to: &Path) {
    let copied = std::process::Command::new("cp")
        .arg(env!("CARGO_BIN_EXE_shogibar-usi"))
        .arg(to)
        .status()
        .unwrap();
    assert!(copied.success(), "{} cannot be copied to", to.display());
}

/// Returns the text that the engine prints, and the text on its standard error.
fn output_of(mut command: std::process::Command) -> (String, String) {
    let output = command
        .env("RELAY_TEST", "a b")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    (
        String::from_utf8(output.stdout).unwrap(),
        String::from_utf8(output.stderr).unwrap(),
    )
}

#[test]
fn arguments_environment_and_folder_reach_the_engine() {
    let (config, script) = (Folder::new("arguments"), Script::new("relay-tells", TELLS));
    let arguments = [
        "--engine",
        script.path.to_str().unwrap(),
        "--",
        "--engine",
        "x y",
        "",
        "-h",
        "--",
    ];
    let mut command = relay(&config, &arguments);
    command.current_dir("/");
    let folder = script.path.parent().unwrap().canonicalize().unwrap();
    let expect = format!("{}\n<--engine>\n<x y>\n<>\n<-h>\n<-->\na b\n", folder.display());
    assert_eq!(output_of(command), (expect, "trouble".to_owned()));
}

#[test]
fn the_engine_is_that_of_the_relay_s_name_or_of_the_settings() {
    let (config, script) = (Folder::new("names"), Script::new("relay-named", TELLS));
    let path = script.path.to_str().unwrap();
    config.write(
        "engines.toml",
        &format!("[[engine]]\nname = \"水匠 5\"\nprogram = \"{path}\"\narguments = [\"of\", \"profile\"]\n"),
    );
    let says = |program: &Path, arguments: &[&str]| output_of(command(program, &config, arguments)).0;
    let has_words = |text: &str, words: &[&str]| {
        let found: Vec<_> = text.lines().filter(|line| line.starts_with('<')).collect();
        assert_eq!(found, words);
    };
    let (link, copy) = (config.file("shogibar-usi-水匠 5"), config.file("b"));
    symlink(env!("CARGO_BIN_EXE_shogibar-usi"), &link).unwrap();
    has_words(&says(&link, &["--", "more"]), &["<of>", "<profile>", "<more>"]);
    fs::create_dir(&copy).unwrap();
    copy_relay(&copy.join("shogibar-usi-水匠 5"));
    has_words(
        &says(&copy.join("shogibar-usi-水匠 5"), &[]),
        &["<of>", "<profile>"],
    );
    let own = Path::new(env!("CARGO_BIN_EXE_shogibar-usi"));
    has_words(&says(own, &["--engine", "水匠 5"]), &["<of>", "<profile>"]);
    config.write("settings.toml", "[relay]\nengine = \"水匠 5\"\n");
    has_words(&says(own, &[]), &["<of>", "<profile>"]);
    // The argument has priority over the name, and the name over the settings.
    has_words(&says(&link, &["--engine", path, "--", "x"]), &["<x>"]);
    config.write("settings.toml", "[relay]\nengine = \"another\"\n");
    has_words(&says(&link, &[]), &["<of>", "<profile>"]);
}

#[test]
fn without_an_engine_there_is_one_line_and_no_usiok() {
    let config = Folder::new("none");
    let check = |arguments: &[&str], expect: &str| {
        let mut gui = Gui::start(relay(&config, arguments));
        // The engine may have ended already, so an error is ignored.
        let _unread = std::io::Write::write_all(gui.input.as_mut().unwrap(), b"usi\nisready\n");
        let (output, mut stderr) = (String::from_utf8(gui.rest()).unwrap(), String::new());
        gui.child
            .stderr
            .take()
            .unwrap()
            .read_to_string(&mut stderr)
            .unwrap();
        assert_eq!(gui.status().code(), Some(2), "{output}");
        assert_eq!(
            (output.lines().count(), stderr.lines().count()),
            (1, 1),
            "{output}{stderr}"
        );
        assert!(
            output.starts_with("info string ") && output.ends_with('\n') && output.contains(expect),
            "{output}"
        );
        assert!(stderr.contains(expect) && stderr.contains('エ'), "{stderr}");
    };
    check(&[], "no engine is named");
    check(&["--engine", "/nowhere/engine"], "/nowhere/engine does not exist");
    check(
        &["--engine", "no-such-engine"],
        "no engine or program called 'no-such-engine'",
    );
    config.write("text", "no program");
    check(
        &["--engine", config.file("text").to_str().unwrap()],
        "is not a program that can be run here",
    );
    check(
        &["--engine", config.0.to_str().unwrap()],
        "is not a program that can be run here",
    );
    config.write(
        "engines.toml",
        "[[engine]]\nname = \"a\"\nprogram = \"/bin/cat\"\nfolder = \"/nowhere\"\n",
    );
    check(&["--engine", "a"], "the folder /nowhere does not exist");
    // Settings that cannot be read have their defaults.
    config.write("settings.toml", "[relay\nengine = ");
    check(&[], "no engine is named");
}

#[test]
fn the_built_in_engine_answers_through_the_relay() {
    let config = Folder::new("builtin");
    let link = config.file("shogibar-usi-builtin");
    symlink(env!("CARGO_BIN_EXE_shogibar-usi"), &link).unwrap();
    let talk = |program: &Path, arguments: &[&str]| {
        let mut gui = Gui::start(command(program, &config, arguments));
        // The GUI sends everything at once: it only lists the options, and leaves.
        gui.send(b"usi\nisready\nstop\nquit\n");
        let output = String::from_utf8(gui.rest()).unwrap();
        assert_eq!(gui.status().code(), Some(0));
        output
    };
    let through = talk(&link, &[]);
    assert!(
        through.lines().any(|line| line == "usiok") && through.ends_with("readyok\n"),
        "{through}"
    );
    let main_program = Path::new(env!("CARGO_BIN_EXE_shogibar-usi")).with_file_name("shogibar");
    assert_eq!(through, talk(&main_program, &["engine"]));
}

#[test]
fn an_engine_that_fails_in_the_handshake_is_reported_unchanged() {
    let config = Folder::new("handshake");
    let dies = Script::new("relay-dies", "read -r line; printf 'id name X\\nopt'; exit 3\n");
    let mut gui = Gui::with_script(&config, &dies);
    gui.send(b"usi\n");
    assert_eq!(
        (gui.rest().as_slice(), gui.status().code()),
        (b"id name X\nopt".as_slice(), Some(3))
    );
    // This engine never sends `usiok`. The GUI gives up and kills it.
    let silent = Script::new("relay-silent", "cat >/dev/null\n");
    let mut gui = Gui::with_script(&config, &silent);
    gui.send(b"usi\nquit\n");
    std::thread::park_timeout(std::time::Duration::from_millis(300));
    assert!(gui.child.try_wait().unwrap().is_none(), "the engine still runs");
    gui.child.kill().unwrap();
    assert!(gui.rest().is_empty());
    // Floods: everything arrives.
    let floods = Script::new(
        "relay-floods",
        "exec yes 'option name A type check default true'\n",
    );
    let mut gui = Gui::with_script(&config, &floods);
    let line = b"option name A type check default true\n";
    assert!(gui.read(line.len() * 200_000) == line.repeat(200_000));
    // This engine never reads. The GUI's pipe becomes full in the end, as it would without the relay.
    let mut gui = Gui::start(relay(&config, &["--engine", "/bin/sleep", "--", "1000"]));
    let mut input = gui.input.take().unwrap();
    let sent = std::sync::Arc::new(std::sync::atomic::AtomicUsize::new(0));
    let count = std::sync::Arc::clone(&sent);
    let writer = std::thread::spawn(move || {
        while std::io::Write::write_all(&mut input, &[b'x'; 4096]).is_ok() {
            count.fetch_add(4096, std::sync::atomic::Ordering::Relaxed);
        }
    });
    let sent = || sent.load(std::sync::atomic::Ordering::Relaxed);
    assert!(eventually(|| sent() > 100_000), "{}", sent());
    assert!(sent() < 4_000_000 && gui.child.try_wait().unwrap().is_none());
    gui.child.kill().unwrap();
    writer.join().unwrap();
}

#[test]
fn the_relay_starts_no_window_that_the_user_has_closed() {
    let check = |name: &str, runs_first: bool| {
        let config = Folder::new(name);
        config.write("settings.toml", "[relay]\nstart_window = true\n");
        // A script in place of the program with the window.
        let window = Script::new(
            &format!("relay-{name}"),
            "echo started >\"$SHOGIBAR_CONFIG/started\"\n",
        );
        symlink(&window.path, config.file("shogibar")).unwrap();
        let program = config.file("shogibar-usi");
        copy_relay(&program);
        let listener = runs_first.then(|| Address::for_folder(&config.0).unwrap().listen().unwrap());
        let mut gui = Gui::start(command(&program, &config, &["--engine", "/bin/cat"]));
        if let Some(listener) = listener {
            drop(listener.incoming().next());
        }
        // While bytes pass, the relay tries to connect once a second.
        for _ in 0..30 {
            gui.send(b"\n");
            gui.read(1);
            std::thread::park_timeout(Duration::from_millis(100));
        }
        let is_started = || config.file("started").exists();
        assert!(
            if runs_first {
                !is_started()
            } else {
                eventually(is_started)
            },
            "{name}"
        );
        drop(gui.input.take());
        gui.status();
    };
    check("no-window", false);
    check("closed-window", true);
}
