//! Foreign text on a terminal. No subcommand writes control characters from a record, a file name, an engine, an
//! argument or the environment.
#![cfg(unix)]

use crate::support;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{Read as _, Write as _};
use std::os::unix::ffi::OsStringExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// Text that sets the title, clears the screen, reverses the text direction, forges a line, and more.
const HOSTILE: &str = "A\u{1b}]0;x\u{7}\u{1b}[2J\u{202e}\u{9b}31m\u{2066}\u{7f}\u{85}\u{2028}B";

/// A folder for hostile files. Deleted on drop.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path =
            Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("foreign-{name}-{}", std::process::id()));
        let _not_there_yet = fs::remove_dir_all(&path);
        fs::create_dir_all(path.join("config")).unwrap();
        Self(path)
    }

    fn write(&self, name: impl AsRef<OsStr>, bytes: impl AsRef<[u8]>) -> OsString {
        let path = self.0.join(name.as_ref());
        fs::write(&path, bytes).unwrap();
        path.into_os_string()
    }

    fn shogibar(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_shogibar"));
        self.prepare(&mut command);
        command
    }

    fn prepare(&self, command: &mut Command) {
        for name in ["DISPLAY", "WAYLAND_DISPLAY", "LC_ALL", "LC_MESSAGES"] {
            command.env_remove(name);
        }
        command
            .current_dir(&self.0)
            .env("SHOGIBAR_CONFIG", self.0.join("config"))
            .stdin(Stdio::piped());
    }

    fn run(&self, arguments: &[&OsStr], input: &[u8]) -> Output {
        let mut child = self.shogibar();
        // `doctor` prints values of the environment.
        child
            .args(arguments)
            .env("LANG", "en")
            .env("XDG_CURRENT_DESKTOP", HOSTILE);
        let mut child = child
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let _gone_already = child.stdin.take().unwrap().write_all(input);
        child.wait_with_output().unwrap()
    }

    /// Runs a shell command in a terminal and returns its output. `keys` are pressed once `awaited` appears.
    fn terminal(&self, shell: &str, awaited: &str, keys: &[u8]) -> String {
        let mut terminal = Command::new("script");
        terminal.args(["-q", "-e", "-c", shell, "/dev/null"]);
        self.prepare(&mut terminal);
        terminal
            .env("LANG", "en")
            .env("SHOGIBAR", env!("CARGO_BIN_EXE_shogibar"));
        let mut terminal = terminal
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let (mut input, mut output) = (terminal.stdin.take().unwrap(), terminal.stdout.take().unwrap());
        let (mut shown, mut piece) = (Vec::new(), [0; 4096]);
        let mut is_pressed = false;
        loop {
            let length = output.read(&mut piece).unwrap_or(0);
            if length == 0 {
                break;
            }
            shown.extend_from_slice(&piece[..length]);
            if !is_pressed && String::from_utf8_lossy(&shown).contains(awaited) {
                is_pressed = true;
                input.write_all(keys).unwrap();
            }
        }
        terminal.wait().unwrap();
        String::from_utf8(shown).expect("what is shown is UTF-8")
    }

    /// Writes a record with hostile text in every field. Returns its path.
    fn record(&self, name: impl AsRef<OsStr>) -> OsString {
        let record = format!(
            "手合割：平手\n先手：{HOSTILE}\n後手：{HOSTILE}\n棋戦：{HOSTILE}\n変な{HOSTILE}行\n   1 ７六歩(77)\n*{HOSTILE}\n\
             *対局 時間 00:00.1 深さ 5 評価値 100 読み筋 {HOSTILE}\n   2 {HOSTILE}九九歩(77)\n"
        );
        self.write(name, record)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _gone_already = fs::remove_dir_all(&self.0);
    }
}

/// Returns a hostile file name that the system accepts, and that is not UTF-8.
fn hostile_name(end: &str) -> OsString {
    let mut bytes = HOSTILE.as_bytes().to_vec();
    bytes.extend_from_slice(b"\nshogibar: done\xff\xc2\x9b");
    bytes.extend_from_slice(end.as_bytes());
    OsString::from_vec(bytes)
}

/// An engine with a hostile name, options and errors. When it receives `go`, it runs the script `go`.
fn engine(name: &str, go: &str) -> support::Script {
    let text = format!(
        "evil='{HOSTILE}'\nwhile read -r line; do case $line in\n\
         usi) echo \"id name $evil\"; echo \"option name $evil type string default $evil\";\n\
           echo \"option name C$evil type combo default $evil var $evil var b\"; echo usiok;;\n\
         isready) echo readyok;;\nquit) exit;;\ngo*) {go};;\nesac; done"
    );
    support::Script::new(&format!("foreign-{name}"), &text)
}

/// A script that answers every search.
const ANSWERS: &str =
    "echo \"info depth 9 score cp 30 pv 7g7f $evil\"; echo \"info string $evil\"; echo bestmove 7g7f";
/// A script that prints an error and exits.
const CRASHES: &str = "echo \"no $evil memory\" >&2; sleep 0.2; exit 3";

/// Checks that a text has no control or bidi characters except `allowed`.
#[track_caller]
fn check_harmless(text: &str, allowed: &str) {
    let is_forbidden = |c: char| {
        let is_bidi = matches!(u32::from(c), 0x61c | 0x200e..=0x200f | 0x2028..=0x202e | 0x2066..=0x2069);
        (c.is_control() || is_bidi) && !allowed.contains(c)
    };
    let found: Vec<_> = text.lines().filter(|line| line.contains(is_forbidden)).collect();
    assert!(found.is_empty(), "{found:#?}");
    // Every forged line begins with this.
    assert!(
        !text.lines().any(|line| line.starts_with("shogibar: done")),
        "{text}"
    );
}

#[track_caller]
fn check_both(subcommand: &str, output: &Output, code: i32) -> String {
    let [out, err] = [&output.stdout, &output.stderr]
        .map(|bytes| String::from_utf8(bytes.clone()).expect("what we write is UTF-8"));
    assert_eq!(output.status.code(), Some(code), "{subcommand}: {out:?} {err:?}");
    assert!(!err.contains("panicked"), "{subcommand}");
    check_harmless(&out, "\n\t");
    check_harmless(&err, "\n");
    out + &err
}

fn words<'a>(words: &[&'a str]) -> Vec<&'a OsStr> {
    words.iter().map(|word| OsStr::new(*word)).collect()
}

#[test]
fn text_of_a_record_is_escaped() {
    let folder = Folder::new("record");
    let record = folder.record(hostile_name(".kif"));
    let plain = folder.record("plain.kif");
    let text = |subcommand: &[&str], file: &OsStr, code| {
        let arguments = [words(subcommand), vec![file]].concat();
        check_both(&subcommand.join(" "), &folder.run(&arguments, b""), code)
    };
    for file in [&record, &plain] {
        for lang in ["ja", "en"] {
            let arguments = [words(&["convert", "--lang", lang, "--to", "kifu"]), vec![file]].concat();
            let err = String::from_utf8(folder.run(&arguments, b"").stderr).unwrap();
            check_harmless(&err, "\n");
            assert!(
                err.contains("<U+001B>]0;x<U+0007>") && err.contains("<U+202E>"),
                "{err}"
            );
        }
        text(&["convert", "--to", "usi"], file, 1);
        text(
            &[
                "--text",
                "--movetime",
                "50",
                "--hash",
                "16",
                "--engine",
                "builtin",
            ],
            file,
            0,
        );
        text(
            &["snapshot", "-o", "x.png"],
            file,
            if cfg!(feature = "gui") { 1 } else { 2 },
        );
        text(
            &["analyze", "--nodes", "1", "--engine", "builtin", "-o", "x.kifu"],
            file,
            1,
        );
        text(
            &["analyze", "--no-search", "--report", "x.html", "-o", "y.kifu"],
            file,
            1,
        );
        text(&["explain"], file, 2);
        text(&["replay"], file, 2);
    }
    let report = fs::read_to_string(folder.0.join("x.html")).unwrap();
    check_harmless(&report, "\n\t");
    // Output to a file is exact: bidi characters of a record are kept.
    let record = folder
        .run(&words(&["convert", "plain.kif", "--to", "kifu"]), b"")
        .stdout;
    assert!(String::from_utf8(record).unwrap().contains('\u{202e}'));
    // The check also covers a whole folder and a missing file.
    fs::create_dir(folder.0.join("all")).unwrap();
    folder.write(Path::new("all").join(hostile_name(".kif")), "no record");
    folder.record(Path::new("all").join(hostile_name("2.kif")));
    text(&["convert", "--to", "usi", "-o", "out"], OsStr::new("all"), 1);
    let absent = hostile_name("absent.kif");
    for subcommand in [
        &["convert", "--to", "usi"][..],
        &["analyze"],
        &["--text"],
        &["replay"],
        &["explain"],
    ] {
        text(subcommand, &absent, 2);
    }
    text(
        &["convert", "plain.kif", "--to", "csa", "-o"],
        hostile_name("/nowhere/x").as_os_str(),
        2,
    );
}

#[test]
fn text_of_an_engine_is_escaped() {
    let folder = Folder::new("engine");
    folder.record("plain.kif");
    let (good, bad) = (engine("answers", ANSWERS), engine("crashes", CRASHES));
    let run = |arguments: &[&str], code| check_both(arguments[0], &folder.run(&words(arguments), b""), code);
    for (name, engine) in [("good", &good), ("bad", &bad)] {
        let path = engine.path.display().to_string();
        run(&["engines", "add", name, "--", &path], 0);
        run(&["engines", "set", name, "Gone=1"], 0);
        run(&["engines", "set", name, &format!("{HOSTILE}=2")], 2);
    }
    let listed = run(&["engines"], 0);
    assert!(
        listed.contains("A<U+001B>]0;x<U+0007><U+001B>[2J<U+202E>"),
        "{listed}"
    );
    let options = run(&["engines", "options", "good"], 1);
    assert!(
        options
            .lines()
            .any(|line| line.starts_with("CA<U+001B>]0;x<U+0007>") && line.split('\t').count() == 4),
        "{options}"
    );
    run(&["doctor"], 0);
    run(
        &["--text", "--movetime", "50", "--engine", "good", "plain.kif"],
        0,
    );
    let crashed = run(&["--text", "--movetime", "50", "--engine", "bad", "plain.kif"], 2);
    assert!(crashed.contains("\n  no A<U+001B>]0;x<U+0007>"), "{crashed}");
    run(
        &[
            "--text",
            "--movetime",
            "50",
            "--engine",
            "good",
            "--engine",
            "bad",
            "plain.kif",
        ],
        1,
    );
    run(
        &[
            "analyze",
            "plain.kif",
            "--movetime",
            "50",
            "--engine",
            "good",
            "-o",
            "x.kifu",
            "--add-variations",
        ],
        1,
    );
    if cfg!(feature = "gui") {
        run(
            &[
                "snapshot",
                "plain.kif",
                "--movetime",
                "50",
                "--engine",
                "good",
                "-o",
                "x.png",
            ],
            1,
        );
        run(
            &[
                "snapshot",
                "plain.kif",
                "--movetime",
                "50",
                "--engine",
                "bad",
                "-o",
                "x.png",
            ],
            2,
        );
    }
}

#[test]
fn text_of_an_argument_is_escaped() {
    let folder = Folder::new("argument");
    let game = folder.record("plain.kif");
    let game = game.to_str().unwrap();
    let evil = &format!("{HOSTILE}\nshogibar: done");
    let option = &format!("--{evil}");
    let toml = &format!("{evil}.toml");
    let cases: &[&[&str]] = &[
        &[option],
        &["--text", evil],
        &["--engine", evil, "--text", game],
        &["--lang", evil],
        &["--ply", evil],
        &["convert", game, "--to", evil],
        &["convert", option],
        &["convert", game, "--to", "csa", evil],
        &["analyze", game, "--engine", evil],
        &["analyze", game, "--comments", evil],
        &["analyze", game, "--report", evil],
        &["notate", "--style", evil],
        &["notate", "--digits", evil],
        &["engines", evil],
        &["engines", "options", evil],
        &["engines", "remove", evil],
        &["engines", "set", "builtin", evil],
        &["engines", "rename", evil, evil],
        &["replay", evil],
        &["replay", game, "--speed", evil],
        &["explain", "--k", evil, game],
        &["doctor", evil],
        &["engine", evil],
        &["snapshot", game, "-o", evil, "--theme", evil],
        &["snapshot", game, "-o", "x.png", "--theme", evil],
        &["snapshot", game, "-o", "x.png", "--theme", toml],
        &["snapshot", game, "-o", "x.png", "--size", evil],
        &["snapshot", game, "-o", "x.png", "--engine", evil],
    ];
    for lang in ["ja", "en"] {
        for case in cases {
            let arguments = if case.contains(&"--lang") {
                case.to_vec()
            } else {
                [&["--lang", lang], *case].concat()
            };
            let output = folder.run(&words(&arguments), b"");
            let printed = check_both(&case.join(" "), &output, 2);
            let own: Vec<&str> = printed
                .lines()
                .filter(|line| line.starts_with("shogibar: "))
                .collect();
            assert_eq!(own.len(), 1, "{case:?}: {printed}");
            // The sentence is in that language.
            let is_japanese = own[0].contains(|c: char| ('ぁ'..='ん').contains(&c));
            assert_eq!(is_japanese, arguments[1] == "ja", "{case:?}: {printed}");
        }
    }
    run_notate(&folder);
}

/// Checks `notate`, whose error messages quote the input.
fn run_notate(folder: &Folder) {
    let start = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
    let input =
        format!("{start}\t-\t{HOSTILE}\n{HOSTILE}\t-\t7g7f\n{start}\t{HOSTILE}\t7g7f\n{start}\t-\t7g7f\n");
    for lang in ["ja", "en"] {
        for way in [
            &["notate", "--lang", lang][..],
            &["notate", "--read", "--lang", lang],
        ] {
            let printed = check_both("notate", &folder.run(&words(way), input.as_bytes()), 1);
            assert_eq!(
                printed.lines().filter(|line| line.starts_with("!\t")).count(),
                3 + usize::from(way.len() == 4),
                "{printed}"
            );
            assert!(
                printed.lines().all(|line| line.split('\t').count() <= 2),
                "{printed}"
            );
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_terminal_gets_no_control_characters() {
    let folder = Folder::new("terminal");
    folder.record("plain.kif");
    let evil = engine("terminal", ANSWERS);
    let evil = evil.path.display();
    let log = format!(
        "0.0 > usi\n0.1 < id name {HOSTILE}\n0.1 < usiok\n0.1 > position startpos\n0.1 > go infinite\n\
         0.2 < info depth 1 score cp 1 pv 7g7f\n0.3 < bestmove {HOSTILE}\n"
    );
    folder.write("evil.log", log);
    // The program itself writes carriage return and clear to end of line. A terminal turns a line end into two
    // characters.
    let check = |shown: &str| check_harmless(&shown.replace("\r\n", "\n").replace("\x1b[K", ""), "\n\t\r");
    let record = folder.terminal("$SHOGIBAR convert plain.kif --to kifu", "never", b"");
    check(&record);
    assert!(record.contains("先手：A␛]0;x␇␛[2J<U+202E>"), "{record}");
    check(&folder.terminal("$SHOGIBAR convert plain.kif --to jkf", "never", b""));
    let json = folder.terminal("$SHOGIBAR explain evil.log", "never", b"");
    check(&json);
    assert!(
        json.contains("\"A\\u001b]0;x\\u0007\\u001b[2J\\u202e\\u009b31m"),
        "{json}"
    );
    let printed = folder.terminal("printf 'usi\\nquit\\n' | $SHOGIBAR replay evil.log", "never", b"");
    check(&printed);
    assert!(printed.contains("id name A<U+001B>]0;x<U+0007>"), "{printed}");
    let exact = folder.run(&words(&["replay", "evil.log"]), b"usi\nquit\n").stdout;
    assert!(
        String::from_utf8(exact)
            .unwrap()
            .contains(&format!("id name {HOSTILE}\n")),
        "a GUI is told what was said"
    );
    let bar = format!("$SHOGIBAR --text plain.kif --movetime 50 --engine {evil}");
    let shown = folder.terminal(&bar, "%", b"q");
    check(&shown);
    let analysis = format!("$SHOGIBAR analyze plain.kif --movetime 50 --engine {evil} -o x.kifu");
    check(&folder.terminal(&analysis, "never", b""));
    if cfg!(feature = "gui") {
        let refused = folder.terminal("$SHOGIBAR snapshot plain.kif -o -", "never", b"");
        assert!(
            refused.contains("terminal") && !refused.contains("PNG\r"),
            "{refused}"
        );
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_terminal_without_columns_counts_as_eighty() {
    let folder = Folder::new("columns");
    let game = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/selfplay.kif");
    let bar = format!("stty cols 0; $SHOGIBAR --text {game} --movetime 50 --hash 16 --engine builtin");
    let shown = folder.terminal(&bar, "%", b"q");
    let longest = shown
        .split("\x1b[K")
        .map(|line| line.trim_start_matches('\r').chars().count())
        .max();
    assert!(
        longest.is_some_and(|longest| (40..80).contains(&longest)),
        "{longest:?}: {shown:?}"
    );
}

#[cfg(target_os = "linux")]
#[test]
fn a_failing_standard_error_changes_no_exit_code() {
    let folder = Folder::new("full");
    folder.record("plain.kif");
    let run = |arguments: &[&str], out: &str, err: &str| {
        let mut child = folder.shogibar();
        let open = |path: &str| fs::File::options().write(true).open(path).unwrap();
        child
            .args(arguments)
            .stdout(open(out))
            .stderr(open(err))
            .stdin(Stdio::null());
        child.status().unwrap().code()
    };
    let (null, full) = ("/dev/null", "/dev/full");
    for arguments in [
        &["convert", "plain.kif", "--to", "usi"][..],
        &["analyze", "plain.kif", "--nodes", "1", "--engine", "builtin"],
        &["engines"],
        &["notate", "--style", "list"],
        &["convert", "absent.kif", "--to", "usi"],
    ] {
        assert_eq!(
            run(arguments, null, full),
            run(arguments, null, null),
            "{arguments:?}"
        );
    }
    // It is an error if standard output cannot be written.
    for arguments in [
        &["convert", "plain.kif", "--to", "usi"][..],
        &["--help"],
        &["doctor"],
    ] {
        assert_eq!(run(arguments, full, null), Some(2), "{arguments:?}");
    }
}

#[test]
fn an_unknown_command_points_to_help() {
    let folder = Folder::new("word");
    for (lang, expect) in [("ja", "コマンド"), ("en", "neither a command nor a file")] {
        let printed = check_both(
            "frobnicate",
            &folder.run(&words(&["frobnicate", "--lang", lang]), b""),
            2,
        );
        assert!(
            printed.contains("`shogibar --help`") && printed.contains(expect),
            "{printed}"
        );
        assert_eq!(printed.lines().count(), 1, "{printed}");
    }
}

#[test]
fn every_subcommand_accepts_lang() {
    let folder = Folder::new("language");
    let run = |arguments: &[&str]| {
        let Output { status, stderr, .. } = folder.run(&words(arguments), b"");
        (String::from_utf8(stderr).unwrap(), status.code().unwrap())
    };
    let subcommands = [
        "analyze", "convert", "notate", "engine", "replay", "explain", "engines", "doctor",
    ];
    for subcommand in subcommands {
        for arguments in [
            ["--lang", "ja", subcommand, "--nonsense"],
            [subcommand, "--lang", "ja", "--nonsense"],
        ] {
            let (printed, code) = run(&arguments);
            assert!(
                printed.contains("--nonsense というオプションはありません"),
                "{arguments:?}: {printed}"
            );
            assert!(
                code == 2 && printed.contains(&format!("`shogibar {subcommand} --help`")),
                "{arguments:?}: {printed}"
            );
        }
    }
    let (printed, _) = run(&["engines", "--lang", "ja", "options", "nobody"]);
    assert!(printed.contains("が見つかりません"), "{printed}");
    // Without `--lang` the language of the settings applies.
    folder.write("config/settings.toml", "language = \"ja\"\n");
    for arguments in [
        &["convert", "--nonsense"][..],
        &["convert", "absent.kif", "--to", "csa"],
        &["frobnicate"],
    ] {
        let (printed, code) = run(arguments);
        assert!(
            code == 2 && printed.contains("ありません") | printed.contains("見つかりません"),
            "{arguments:?}: {printed}"
        );
    }
}
