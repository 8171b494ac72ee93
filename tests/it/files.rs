//! Files. Links in place of the program's files are not followed. The user's files are private, and a full disk loses
//! nothing.
#![cfg(unix)]

use crate::support::{self, Script};
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const GAME: &str = "手合割：平手\n   1 ７六歩(77)\n   2 ３四歩(33)\n   3 ２六歩(27)\n";

/// The folder of a test, with a settings folder and a record.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder =
            Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("files-{name}-{}", std::process::id()));
        let _none_there = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(folder.join("config")).unwrap();
        std::fs::write(folder.join("game.kif"), GAME).unwrap();
        Self(folder)
    }

    fn at(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    fn text(&self, name: &str) -> String {
        std::fs::read_to_string(self.at(name)).unwrap()
    }

    fn mode(&self, name: &str) -> u32 {
        std::fs::metadata(self.at(name)).unwrap().permissions().mode() & 0o777
    }

    fn run(&self, arguments: &[impl AsRef<OsStr>]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_shogibar"));
        command.args(arguments).current_dir(&self.0);
        command
            .env("SHOGIBAR_CONFIG", self.at("config"))
            .env("LC_ALL", "en_US.UTF-8")
            .output()
            .unwrap()
    }

    /// Runs the program. Returns the exit code and standard error.
    fn stderr(&self, arguments: &[&str]) -> (Option<i32>, String) {
        let output = self.run(arguments);
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _best_effort = std::fs::remove_dir_all(&self.0);
    }
}

const ANALYSE: &[&str] = &[
    "analyze", "game.kif", "-o", "out.kif", "--engine", "builtin", "--nodes", "50",
];

#[test]
fn follows_no_link_at_the_name_of_a_journal() {
    let folder = Folder::new("journal");
    std::fs::write(folder.at("theirs"), "theirs").unwrap();
    for target in ["theirs", "none"] {
        symlink(target, folder.at(".out.kif.analysis")).unwrap();
        let (code, error) = folder.stderr(ANALYSE);
        assert_eq!((code, error.lines().count()), (Some(2), 1), "{error}");
        assert!(
            error.contains(".out.kif.analysis: it is a link, through which nothing is written"),
            "{error}"
        );
        let (_, error) = folder.stderr(&[ANALYSE, &["--lang", "ja"]].concat());
        assert!(
            error.contains(".out.kif.analysis に書き込めません（リンクを通しては書き込みません。"),
            "{error}"
        );
        assert!(!error.contains("link"), "{error}");
        assert!(!folder.at("none").exists() && !folder.at("out.kif").exists());
        std::fs::remove_file(folder.at(".out.kif.analysis")).unwrap();
    }
    assert_eq!(folder.text("theirs"), "theirs");
    let (code, error) = folder.stderr(ANALYSE);
    assert_eq!(code, Some(0), "{error}");
    assert!(
        !folder.at(".out.kif.analysis").exists() && folder.text("out.kif").contains("評価値"),
        "{error}"
    );
}

#[test]
fn keeps_a_foreign_file_at_the_name_of_a_journal() {
    let folder = Folder::new("foreign-journal");
    let journal = folder.at(".out.kif.analysis");
    std::fs::write(folder.at("theirs"), "theirs").unwrap();
    std::fs::hard_link(folder.at("theirs"), &journal).unwrap();
    let refused = |why: &str| {
        let (code, error) = folder.stderr(ANALYSE);
        assert_eq!((code, error.lines().count()), (Some(2), 1), "{error}");
        assert!(error.contains(&format!(".out.kif.analysis: {why}")), "{error}");
        assert_eq!(
            (
                folder.text(".out.kif.analysis").as_str(),
                folder.at("out.kif").exists()
            ),
            ("theirs", false)
        );
    };
    refused("it is a link, through which nothing is written");
    std::fs::remove_file(folder.at("theirs")).unwrap();
    refused("this program has not written it; move it away");
    // A truncated line that the program wrote itself does not count as foreign.
    std::fs::write(&journal, "{\"posi").unwrap();
    let (code, error) = folder.stderr(ANALYSE);
    assert_eq!((code, journal.exists()), (Some(0), false), "{error}");
}

#[test]
fn follows_no_link_at_the_name_of_a_lock() {
    let folder = Folder::new("lock");
    std::fs::write(folder.at("config/engines.toml"), "# mine\n").unwrap();
    symlink("../none", folder.at("config/engines.toml.lock")).unwrap();
    let (code, error) = folder.stderr(&["engines", "add", "a", "--", "/bin/true"]);
    assert_eq!((code, error.lines().count()), (Some(2), 1), "{error}");
    assert!(
        error.contains("engines.toml.lock: it is a link, through which nothing is written"),
        "{error}"
    );
    assert_eq!(
        (
            folder.text("config/engines.toml").as_str(),
            folder.at("none").exists()
        ),
        ("# mine\n", false)
    );
}

#[test]
fn writes_through_a_dangling_link_of_the_user() {
    let folder = Folder::new("dangling");
    symlink("target.csa", folder.at("out.csa")).unwrap();
    symlink("nowhere/target.csa", folder.at("lost.csa")).unwrap();
    let (code, error) = folder.stderr(&["convert", "game.kif", "-o", "out.csa", "--to", "csa"]);
    assert_eq!(code, Some(0), "{error}");
    assert!(folder.at("out.csa").is_symlink() && folder.text("target.csa").contains("+7776FU"));
    let (code, error) = folder.stderr(&["convert", "game.kif", "-o", "lost.csa", "--to", "csa"]);
    assert_eq!(code, Some(2), "{error}");
    assert!(error.contains("nowhere/target.csa"), "{error}");
    assert!(folder.at("lost.csa").is_symlink());
}

#[test]
fn settings_with_secrets_are_private() {
    let folder = Folder::new("rights");
    let set = |what: &str| {
        let (code, error) = folder.stderr(&["engines", "set", "a", what]);
        assert_eq!(code, Some(0), "{error}");
    };
    assert_eq!(
        folder.stderr(&["engines", "add", "a", "--", "/bin/true"]).0,
        Some(0)
    );
    assert_eq!(
        folder.mode("config/engines.toml"),
        0o600,
        "a new one is the user's alone"
    );

    let open = || {
        std::fs::set_permissions(
            folder.at("config/engines.toml"),
            std::fs::Permissions::from_mode(0o644),
        )
        .unwrap();
    };
    open();
    set("threads=2");
    assert_eq!(
        folder.mode("config/engines.toml"),
        0o644,
        "an old one is as the user left it"
    );
    set("env.PASSWORD=x");
    assert_eq!(
        folder.mode("config/engines.toml"),
        0o600,
        "until there may be a secret in it"
    );
    open();
    let output = folder.run(&["engines", "options", "nobody"]);
    assert_eq!(
        (output.status.code(), folder.mode("config/engines.toml")),
        (Some(2), 0o600),
        "however it got there"
    );

    open();
    std::fs::write(folder.at("config/engines.toml"), "not = [toml").unwrap();
    let (code, error) = folder.stderr(&["engines", "add", "b", "--", "/bin/true"]);
    assert_eq!(
        (code, folder.mode("config/engines.toml.broken-1")),
        (Some(0), 0o600),
        "{error}"
    );
}

#[test]
fn refuses_options_with_line_breaks() {
    let folder = Folder::new("options");
    assert_eq!(
        folder.stderr(&["engines", "add", "a", "--", "/bin/true"]).0,
        Some(0)
    );
    let before = folder.text("config/engines.toml");
    for option in ["Book=x\nquit", "Book=x\r", "Bo\nok=x", "Book=\u{85}"] {
        let (code, error) = folder.stderr(&["engines", "set", "a", option]);
        assert_eq!((code, error.lines().count()), (Some(2), 1), "{error}");
        assert!(
            error.contains("Bo") && error.contains("cannot contain a line break or control character"),
            "{error}"
        );
        assert_eq!(folder.text("config/engines.toml"), before);
    }
    let broken =
        format!("{before}[engine.options]\n\"Book File\" = \"x\\nquit\"\nNul = \"\\u0000\"\nOwn = \"y\"\n");
    std::fs::write(folder.at("config/engines.toml"), &broken).unwrap();
    let (code, error) = folder.stderr(&["engines", "set", "a", "threads=2"]);
    assert_eq!(code, Some(0), "{error}");
    for option in ["engine[1].options.\"Book File\": ", "engine[1].options.Nul: "] {
        let line = error
            .lines()
            .find(|line| line.contains(option))
            .unwrap_or_else(|| panic!("{option} in {error}"));
        assert!(line.ends_with(
            "an option cannot contain a line break or control character; it is not sent to the engine."
        ));
    }
    assert!(
        folder.text("config/engines.toml").contains("\"x\\nquit\""),
        "it stays as the user wrote it"
    );
}

#[test]
fn reports_broken_settings() {
    let folder = Folder::new("settings");
    let text = [
        "--text",
        "game.kif",
        "--engine",
        "builtin",
        "--movetime",
        "50",
        "--lang",
        "en",
    ];
    for (settings, expect) in [
        (
            "overlay = [",
            "config/settings.toml: the settings cannot be read (",
        ),
        (
            "[overlay]\nswapped = 'yes'\n",
            "config/settings.toml: overlay.swapped: it should be true or false",
        ),
    ] {
        std::fs::write(folder.at("config/settings.toml"), settings).unwrap();
        let doctor = folder.run(&["doctor"]);
        assert!(
            String::from_utf8(doctor.stdout).unwrap().contains(expect),
            "{expect}"
        );
        let (code, error) = folder.stderr(&text);
        assert_eq!(
            (code, error.lines().filter(|line| line.contains(expect)).count()),
            (Some(0), 1),
            "{error}"
        );
        assert_eq!(
            folder.text("config/settings.toml"),
            settings,
            "reading changes nothing"
        );
    }
    std::fs::write(folder.at("config/settings.toml"), "[overlay]\nswapped = true\n").unwrap();
    assert_eq!(folder.stderr(&text), (Some(0), String::new()));
}

#[test]
fn paths_need_not_be_utf_8() {
    let script = Script::new("bytes", "exec \"$SHOGIBAR\" engine\n");
    let odd = script.beside("odd");
    std::fs::create_dir_all(&odd).unwrap();
    let name = OsStr::from_bytes(b"engine-\xff\xfe");
    std::fs::hard_link(&script.path, odd.join(name)).unwrap();
    let folder = Folder::new("bytes");
    let game = folder.at("x").with_file_name(OsStr::from_bytes(b"game-\xff.kif"));
    std::fs::copy(folder.at("game.kif"), &game).unwrap();
    let out = folder.at("x").with_file_name(OsStr::from_bytes(b"out-\xff.kif"));
    let run = |arguments: &[&OsStr]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_shogibar"));
        command
            .args(arguments)
            .env("SHOGIBAR", env!("CARGO_BIN_EXE_shogibar"));
        command
            .env("SHOGIBAR_CONFIG", folder.at("config"))
            .env("LC_ALL", "en_US.UTF-8")
            .output()
            .unwrap()
    };
    let engine = odd.join(name).into_os_string();
    let words = |words: &str| words.split(' ').map(OsString::from).collect::<Vec<_>>();
    for (command_name, rest) in [
        ("analyze", "--nodes 50 -o"),
        ("--text", "--movetime 100"),
        ("engines options", ""),
        ("snapshot", "--movetime 100 -o"),
    ] {
        let mut arguments = words(command_name);
        if command_name == "engines options" {
            arguments.push(engine.clone());
        } else {
            arguments.extend([game.clone().into(), "--engine".into(), engine.clone()]);
            arguments.extend(words(rest));
        }
        if rest.ends_with("-o") {
            let png = out.with_extension("png");
            arguments.push(if command_name == "snapshot" {
                png.into()
            } else {
                out.clone().into()
            });
        }
        if cfg!(not(feature = "gui")) && command_name == "snapshot" {
            continue;
        }
        let arguments: Vec<_> = arguments.iter().map(OsString::as_os_str).collect();
        let output = run(&arguments);
        assert_eq!(
            output.status.code(),
            Some(0),
            "{command_name}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
    assert!(std::fs::read_to_string(&out).unwrap().contains("評価値"));
}

#[test]
fn a_limit_of_file_size_is_an_error_and_leaves_nothing() {
    let folder = Folder::new("limit");
    let example = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/selfplay.kif");
    std::fs::write(folder.at("out.kif"), GAME).unwrap();
    let mut commands = vec![
        vec!["convert", example, "-o", "out.kif", "--force"],
        vec![
            "analyze", example, "-o", "new.kif", "--engine", "builtin", "--nodes", "50", "--to", "3",
        ],
        vec!["shelf", "--index", "an.index", example],
    ];
    if cfg!(feature = "gui") {
        commands.push(vec![
            "snapshot",
            example,
            "--engine",
            "builtin",
            "--movetime",
            "50",
            "-o",
            "new.png",
        ]);
    }
    for arguments in commands {
        let mut limited = Command::new("sh");
        limited
            .args([
                "-c",
                "ulimit -f 1; exec \"$0\" \"$@\"",
                env!("CARGO_BIN_EXE_shogibar"),
            ])
            .args(&arguments);
        limited
            .current_dir(&folder.0)
            .env("SHOGIBAR_CONFIG", folder.at("config"))
            .env("LC_ALL", "en_US.UTF-8");
        let output = limited.output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(
            output.status.code(),
            Some(2),
            "{arguments:?}: {:?} {error}",
            output.status
        );
        assert!(
            error.contains("cannot write") && error.contains("File too large"),
            "{arguments:?}: {error}"
        );
        let mut names = std::fs::read_dir(&folder.0)
            .unwrap()
            .map(|entry| entry.unwrap().file_name());
        assert_eq!(
            names.find(|name| name.as_bytes().ends_with(b".new")),
            None,
            "{arguments:?}"
        );
    }
    assert_eq!(folder.text("out.kif"), GAME);
    assert!(!folder.at("new.kif").exists() && !folder.at("new.png").exists());
}

/// A small disk. [`Disk::new`] returns `None` where the user may not mount one.
struct Disk(PathBuf);

impl Disk {
    fn new(folder: &Folder, bytes: u32) -> Option<Self> {
        let path = folder.at("disk");
        std::fs::create_dir_all(&path).unwrap();
        let size = format!("size={bytes}");
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", &size, "tmpfs"])
            .arg(&path)
            .output();
        let is_mounted = mounted.is_ok_and(|output| output.status.success());
        support::found_or_skipped(
            is_mounted.then_some(Self(path)),
            "root",
            "a disk that can be mounted",
        )
    }

    fn fill(&self) {
        let mut filler = std::fs::File::create(self.0.join("filler")).unwrap();
        while std::io::Write::write_all(&mut filler, &[0; 4096]).is_ok() {}
    }

    fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(&self.0)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<_> = entries.collect();
        names.sort();
        names
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _best_effort = Command::new("umount").arg(&self.0).output();
    }
}

#[test]
fn a_full_disk_loses_nothing() {
    let folder = Folder::new("full");
    let Some(disk) = Disk::new(&folder, 64 << 10) else {
        return;
    };
    // The settings are on the same disk.
    let config = disk.0.join("config");
    std::fs::create_dir_all(&config).unwrap();
    let engines = "# mine\n[[engine]]\nname = \"a\"\nprogram = \"/bin/true\"\n";
    std::fs::write(config.join("engines.toml"), engines).unwrap();
    std::fs::write(config.join("settings.toml"), "not = [toml").unwrap();
    std::fs::write(disk.0.join("out.kif"), GAME).unwrap();
    disk.fill();
    let run = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_shogibar"));
        command.args(arguments).current_dir(&folder.0);
        let output = command
            .env("SHOGIBAR_CONFIG", &config)
            .env("LC_ALL", "en_US.UTF-8")
            .output()
            .unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    let check = |arguments: &[&str]| {
        let (code, error) = run(arguments);
        assert_eq!(code, Some(2), "{arguments:?}: {error}");
        assert_eq!(
            error
                .lines()
                .filter(|line| line.contains("No space left on device"))
                .count(),
            1,
            "{error}"
        );
    };
    check(&[
        "analyze",
        "game.kif",
        "-o",
        "disk/out.kif",
        "--engine",
        "builtin",
        "--nodes",
        "50",
    ]);
    check(&["convert", "game.kif", "-o", "disk/new.csa", "--to", "csa"]);
    let long = format!("Book={}", "x".repeat(8000));
    check(&["engines", "set", "a", &long]);
    let text = |path: PathBuf| std::fs::read_to_string(path).unwrap();
    assert_eq!(text(disk.0.join("out.kif")), GAME);
    assert_eq!(text(config.join("engines.toml")), engines);
    assert_eq!(text(config.join("settings.toml")), "not = [toml");
    assert_eq!(
        disk.names(),
        ["config", "filler", "out.kif"],
        "no journal without a word in it, and nothing half done"
    );

    // A log that cannot be written does not end the program.
    let recorded = [
        "--text",
        "game.kif",
        "--engine",
        "builtin",
        "--movetime",
        "50",
        "--log",
        "disk/log",
        "--lang",
        "en",
    ];
    let (code, error) = run(&recorded);
    assert_eq!(code, Some(0), "{error}");
    let is_of_log =
        |line: &&str| line.starts_with("The traffic log cannot be written (cannot write disk/log: No space");
    assert_eq!(error.lines().filter(is_of_log).count(), 1, "{error}");
    assert_eq!(disk.names(), ["config", "filler", "out.kif"]);
}
