//! The whole program, called from a shell.

use crate::support;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

fn shogibar(arguments: &[&str], input: impl AsRef<[u8]>) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_shogibar"))
        .args(arguments)
        .env("SHOGIBAR_CONFIG", support::no_settings())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A program that does not read its input may have exited already, so an error is ignored.
    let _gone_already = child.stdin.take().unwrap().write_all(input.as_ref());
    child.wait_with_output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap_or_else(|_| panic!("what we write is UTF-8"))
}

/// Checks for exit code 2 and one sentence on standard error that contains `expect`.
fn check_failure(arguments: &[&str], expect: &str) {
    let output = shogibar(arguments, "");
    let error = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {error}");
    assert!(error.contains(expect), "{arguments:?}: {error}");
    assert!(!error.contains("panicked"), "{arguments:?}: {error}");
    let own_lines = error.lines().filter(|line| !line.starts_with("  ")).count();
    assert_eq!(own_lines, 1, "{arguments:?}: {error}");
}

const EXAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/selfplay.kif");

#[test]
fn the_text_bar_evaluates_a_record() {
    let output = shogibar(
        &[
            "--text",
            EXAMPLE,
            "--movetime",
            "500",
            "--lang",
            "en",
            "--hash",
            "16",
        ],
        "",
    );
    let (out, error) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(0), "{error}");
    let last = out.lines().last().unwrap_or_default();
    assert!(has_win_rate(last) && last.contains("depth"), "{last}");
}

/// Returns whether the line has a number before a `%`. Before the engine's first value there are dashes.
fn has_win_rate(line: &str) -> bool {
    line.split('%')
        .any(|before| before.ends_with(|c: char| c.is_ascii_digit()))
        && line.contains('%')
}

#[test]
fn reads_a_record_from_standard_input() {
    let record = std::fs::read(EXAMPLE).unwrap();
    let quick = [
        "--movetime",
        "300",
        "--lang",
        "en",
        "--hash",
        "16",
        "--ply",
        "30",
        "--text",
    ];
    let of_file = shogibar(&[&quick[..], &[EXAMPLE]].concat(), "");
    let of_input = shogibar(&[&quick[..], &["-"]].concat(), record);
    for output in [&of_file, &of_input] {
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        let out = text(&output.stdout);
        let last = out.lines().last().unwrap_or_default();
        assert!(has_win_rate(last), "{out}");
        assert!(last.contains("30"), "--ply is not where it begins: {last}");
    }
    check_failure(&["--text", "--lang", "en", "-"], "game record");
}

#[test]
fn refuses_prose_as_a_record() {
    let readme = concat!(env!("CARGO_MANIFEST_DIR"), "/README.md");
    check_failure(
        &["--text", "--lang", "en", readme],
        "cannot be read as a game record",
    );
}

#[test]
fn lists_engines_by_name() {
    let output = shogibar(&["engines"], "");
    let out = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{out}");
    let first: Vec<&str> = out.lines().next().unwrap_or_default().split('\t').collect();
    assert!(
        first.len() == 4 && first[0] == "builtin" && first[2].starts_with("Shogibar"),
        "{out}"
    );
    assert_eq!(first[3], "default", "{out}");
    if support::engine("fairy-stockfish").is_some() {
        assert!(
            out.lines().any(|line| line.starts_with("fairy-stockfish\t")),
            "{out}"
        );
    }
}

#[cfg(unix)]
#[test]
fn ends_quietly_when_its_output_is_closed() {
    let piped = |arguments: &str| {
        let script = format!(
            "({} {arguments}; echo \"ended with $?\" >&2) | head -n 1",
            env!("CARGO_BIN_EXE_shogibar")
        );
        let output = Command::new("/bin/sh")
            .args(["-c", &script])
            .env("SHOGIBAR_CONFIG", support::no_settings())
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let error = text(&output.stderr);
        assert_eq!(text(&output.stdout).lines().count(), 1, "{arguments}: {error}");
        // Without a strong engine, the program prints a hint and nothing else.
        let lines: Vec<&str> = error
            .lines()
            .filter(|line| !line.starts_with("The built-in engine plays at"))
            .collect();
        assert_eq!(lines, ["ended with 0"], "{arguments}");
    };
    piped(&format!("--text {EXAMPLE} --movetime 2000 --hash 16"));
    piped("doctor");
    piped("notate --style list");
}

#[cfg(unix)]
#[test]
fn reports_a_crash_with_the_engine_s_last_lines() {
    let answers = "usi) echo id name Crasher; echo usiok;; isready) echo readyok;; quit) exit;;";
    let go = "echo info depth 1 score cp 10 pv 7g7f; sleep 0.3; echo no memory left >&2; exit 7";
    let text = format!("while read -r line; do case $line in {answers} go*) {go};; esac; done");
    let engine = support::Script::new("crashes", &text);
    let engine = engine.path.display().to_string();
    let arguments = [
        "--text", EXAMPLE, "--ply", "0", "--lang", "en", "--engine", &engine,
    ];
    check_failure(&arguments, "exit code 7");
    check_failure(&arguments, "\n  no memory left");
}

/// Starts an engine that writes process ids into files, kills the program, and checks that the processes end.
#[cfg(target_os = "linux")]
fn check_killed(name: &str, script: &str, files: &[&str]) {
    let engine = support::Script::new(name, &format!("cd \"$(dirname \"$0\")\"; {script}"));
    let mut shogibar = Command::new(env!("CARGO_BIN_EXE_shogibar"))
        .args(["--text", EXAMPLE, "--engine"])
        .env("SHOGIBAR_CONFIG", support::no_settings())
        .arg(&engine.path)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let pids: Vec<u32> = files
        .iter()
        .map(|file| support::pid_in(&engine.beside(file)))
        .collect();
    assert!(
        pids.iter().all(|pid| support::is_running(*pid)),
        "{name}: it was never there"
    );
    shogibar.kill().unwrap();
    let is_gone = || !pids.iter().any(|pid| support::is_running(*pid));
    let gone = support::eventually(is_gone);
    shogibar.wait().unwrap();
    assert!(gone, "{name}: one of {pids:?} is left behind");
}

#[cfg(target_os = "linux")]
#[test]
fn kills_the_engine_when_the_program_is_killed() {
    // None of these engines exits when its input ends.
    check_killed("stays", "echo $$ >pid; exec sleep 1000", &["pid"]);
    check_killed(
        "wraps",
        "sleep 1000 & echo $! >child; echo $$ >pid; wait",
        &["pid", "child"],
    );
    check_killed("forks and dies", "sleep 1000 & echo $! >child; exit", &["child"]);
    check_killed(
        "ignores what is polite",
        "trap '' HUP INT TERM; (trap '' HUP INT TERM; echo $$ >grandchild; sleep 1000) & echo $! >child; wait",
        &["grandchild", "child"],
    );
}

#[cfg(target_os = "linux")]
#[test]
fn ends_when_the_terminal_is_closed() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("terminal-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let pid = folder.join("pid");
    let command = format!(
        "echo $$ >{}; exec {} --text --lang en {EXAMPLE} --engine builtin",
        pid.display(),
        env!("CARGO_BIN_EXE_shogibar")
    );
    // `script` provides the terminal. When it ends, the pty from which the program reads keys is closed.
    let mut terminal = Command::new("script");
    terminal
        .args(["-q", "-c", &command, "/dev/null"])
        .env("SHOGIBAR_CONFIG", support::no_settings());
    let mut terminal = terminal
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut shown = [0; 1024];
    // The program reads keys as soon as the bar is shown.
    let length = std::io::Read::read(&mut terminal.stdout.take().unwrap(), &mut shown).unwrap();
    assert!(length > 0, "the bar is shown in it");
    terminal.kill().unwrap();
    terminal.wait().unwrap();
    let pid = std::fs::read_to_string(pid).unwrap();
    let runs = Path::new("/proc").join(pid.trim());
    assert!((0..100).any(|_| {
        std::thread::sleep(std::time::Duration::from_millis(100));
        !runs.exists()
    }));
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn reports_files_that_are_not_records() {
    check_failure(&["--text", "--lang", "en", "/nowhere/game.kif"], "game.kif");
    let this_file = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/fonts/NotoSansJP-Bold.otf.gz");
    check_failure(
        &["--text", "--lang", "en", &this_file.display().to_string()],
        "cannot be read as a game record",
    );
}

#[test]
fn reports_programs_that_are_not_engines() {
    let with_engine = |engine| ["--text", EXAMPLE, "--lang", "en", "--engine", engine];
    check_failure(&with_engine("/nowhere/engine"), "/nowhere/engine");
    check_failure(&with_engine("no-such-engine-anywhere"), "no-such-engine-anywhere");
    check_failure(&with_engine(EXAMPLE), "not a program");
    if cfg!(unix) {
        check_failure(&with_engine("/bin/true"), "exit code 0");
        check_failure(&with_engine("/usr/bin/yes"), "not USI");
    }
}

#[test]
fn doctor_prints_version_and_engines() {
    let output = shogibar(&["doctor"], "");
    let out = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{out}");
    assert!(
        out.contains(env!("CARGO_PKG_VERSION")) && out.contains("builtin\t"),
        "{out}"
    );
}

#[test]
fn doctor_prints_the_variables_that_say_where_files_are() {
    let mut doctor = Command::new(env!("CARGO_BIN_EXE_shogibar"));
    for name in ["XDG_RUNTIME_DIR", "APPIMAGE", "APPDIR"] {
        doctor.env(name, format!("/nowhere/{name}"));
    }
    let output = doctor
        .arg("doctor")
        .env("SHOGIBAR_CONFIG", support::no_settings())
        .output()
        .unwrap();
    let out = text(&output.stdout);
    for name in ["XDG_RUNTIME_DIR", "APPIMAGE", "APPDIR"] {
        assert!(out.contains(&format!("\n{name}=/nowhere/{name}\n")), "{out}");
    }
    assert!(out.contains("\nSHOGIBAR_CONFIG="), "{out}");
}

#[cfg(all(target_os = "linux", feature = "gui"))]
#[test]
fn doctor_reports_a_missing_display() {
    let mut doctor = Command::new(env!("CARGO_BIN_EXE_shogibar"));
    for name in ["DISPLAY", "WAYLAND_DISPLAY", "XDG_SESSION_TYPE"] {
        doctor.env_remove(name);
    }
    let output = doctor
        .arg("doctor")
        .env("SHOGIBAR_CONFIG", support::no_settings())
        .output()
        .unwrap();
    assert!(
        text(&output.stdout).contains("display: none"),
        "{}",
        text(&output.stdout)
    );
}

#[test]
fn suggests_a_command_for_a_missing_file() {
    let output = shogibar(&["analze", "x"], "");
    let err = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{err}");
    assert!(err.contains("shogibar analyze"), "{err}");
}
