//! The USI log: `explain` gives the values that the program showed, and `replay` plays it back.

use crate::support;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const EXAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/selfplay.kif");

/// A folder for logs and settings.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder =
            Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("traffic-{name}-{}", std::process::id()));
        let _none_there = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(folder.join("config")).unwrap();
        Self(folder)
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }

    fn run(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_shogibar"));
        command
            .args(arguments)
            .env("SHOGIBAR_CONFIG", self.0.join("config"))
            .env("LC_ALL", "en_US.UTF-8");
        command.output().unwrap()
    }

    /// Runs the program and checks for exit code 0. Returns standard output and standard error.
    fn run_ok(&self, arguments: &[&str]) -> (String, String) {
        let output = self.run(arguments);
        let [out, error] = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {error}");
        (out, error)
    }

    /// Returns the shown lines of rank 1 that `explain` gives for a log.
    fn explained(&self, log: &str) -> Vec<Value> {
        let (out, _) = self.run_ok(&["explain", &self.path(log)]);
        let lines = out
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).unwrap());
        lines
            .filter(|line| line["shown"] == true && line["multipv"] == 1 && line["bestmove"].is_null())
            .collect()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _best_effort = std::fs::remove_dir_all(&self.0);
    }
}

/// Records the text bar with an engine. Compares its last line with the explained and the replayed log.
fn check_log(engine: &str) {
    let folder = Folder::new(&engine.replace('/', "_"));
    let log = folder.path("talk.log");
    let bar = |engine: &[&str], movetime, log: &[&str]| {
        let settings = [
            "--ply",
            "30",
            "--threads",
            "1",
            "--hash",
            "16",
            "--k",
            "600",
            "--lang",
            "ja",
        ];
        let limit = ["--movetime", movetime];
        let (out, error) = folder.run_ok(&[&["--text", EXAMPLE], engine, &limit, &settings, log].concat());
        assert!(error.is_empty(), "{error}");
        out.lines().last().unwrap().to_owned()
    };
    let shown = bar(&["--engine", engine], "700", &["--log", &log]);
    let explained = folder.explained("talk.log");
    let last = explained.last().unwrap();
    let percent = format!(" {:.0}% ", last["win"].as_f64().unwrap() * 100.0);
    // The bar has files in narrow digits.
    let narrow = |c: char| char::from_digit(u32::from(c).wrapping_sub(u32::from('０')), 10).unwrap_or(c);
    let word: String = last["words"][0].as_str().unwrap().chars().map(narrow).collect();
    let depth = last["depth"].to_string();
    for expect in [percent.as_str(), &word, &depth] {
        assert!(shown.contains(expect), "{expect} of {last} in {shown}");
    }
    // The replayed log gives the same output. Without the `stop`, the time limit has no effect. All lines then come
    // before `bestmove`, even on a slow machine.
    let unstopped = folder.path("unstopped.log");
    let lines = std::fs::read_to_string(&log).unwrap();
    let lines: Vec<_> = lines.lines().filter(|line| !line.ends_with(" > stop")).collect();
    std::fs::write(&unstopped, lines.join("\n")).unwrap();
    let program = env!("CARGO_BIN_EXE_shogibar");
    let replay = [
        "engines", "add", "played", "--", program, "replay", &unstopped, "--speed", "0",
    ];
    folder.run_ok(&replay);
    let again = bar(&["--engine", "played"], "600000", &[]);
    for expect in [percent.as_str(), &word, &depth] {
        assert!(again.contains(expect), "{expect} of {last} in {again}");
    }
}

#[test]
fn a_log_of_the_built_in_engine_has_the_shown_values() {
    check_log("builtin");
}

#[test]
fn a_log_of_a_real_engine_has_the_shown_values() {
    if let Some(engine) = support::engine("fairy-stockfish") {
        check_log(engine.to_str().unwrap());
    }
}

#[test]
fn every_subcommand_with_engines_writes_a_log() {
    let folder = Folder::new("faces");
    let analyse = [
        "analyze",
        EXAMPLE,
        "-o",
        &folder.path("out.kifu"),
        "--to",
        "8",
        "--nodes",
        "200",
        "--jobs",
        "2",
    ];
    folder.run_ok(
        &[
            &analyse[..],
            &["--engine", "builtin", "--log", &folder.path("analysis.log")],
        ]
        .concat(),
    );
    let of_both = [
        folder.explained("analysis.log"),
        folder.explained("analysis.log-2"),
    ]
    .concat();
    let mut plies: Vec<_> = of_both.iter().map(|line| line["ply"].as_u64().unwrap()).collect();
    plies.sort_unstable();
    plies.dedup();
    assert_eq!(
        plies,
        (1..=9).collect::<Vec<_>>(),
        "each position by one of the two"
    );
    let record = std::fs::read_to_string(folder.path("out.kifu")).unwrap();
    let cp = of_both.iter().rfind(|line| line["ply"] == 9).unwrap()["cp"]
        .as_i64()
        .unwrap();
    assert!(record.contains(&format!("評価値={cp}\n")), "{cp} in {record}");

    let picture = [
        "snapshot",
        EXAMPLE,
        "--ply",
        "116",
        "-o",
        &folder.path("a.png"),
        "--engine",
        "builtin",
    ];
    if cfg!(feature = "gui") {
        folder.run_ok(
            &[
                &picture[..],
                &["--movetime", "100", "--log", &folder.path("picture.log")],
            ]
            .concat(),
        );
        assert!(!folder.explained("picture.log").is_empty());
    }
    let two = [
        "--text",
        EXAMPLE,
        "--movetime",
        "100",
        "--engine",
        "builtin",
        "--engine",
        "builtin",
    ];
    folder.run_ok(&[&two[..], &["--log", &folder.path("two.log")]].concat());
    assert!(!folder.explained("two.log").is_empty() && !folder.explained("two.log-2").is_empty());

    let output = folder.run(&["--text", EXAMPLE, "--log", "-"]);
    assert_eq!(output.status.code(), Some(2), "standard output is no log");
}

#[test]
fn doctor_names_the_configured_log() {
    let folder = Folder::new("doctor");
    let doctor = |expect: &str| {
        let (out, _) = folder.run_ok(&["doctor"]);
        assert!(
            out.lines().any(|line| line.starts_with(expect)),
            "{expect} in {out}"
        );
    };
    doctor(&format!("log: {} (off)", folder.path("config/engines.log")));
    std::fs::write(folder.path("config/settings.toml"), "log = true\n").unwrap();
    folder.run_ok(&["--text", EXAMPLE, "--engine", "builtin", "--movetime", "100"]);
    assert!(!folder.explained("config/engines.log").is_empty());
    doctor(&format!("log: {} (on)", folder.path("config/engines.log")));
    let size = std::fs::metadata(folder.path("config/engines.log"))
        .unwrap()
        .len();
    doctor(&format!(
        "log file: {} ({size} bytes)",
        folder.path("config/engines.log")
    ));
}

/// An error in the log is reported, even if only the last lines contain it.
#[test]
fn reports_a_log_that_cannot_be_written() {
    let folder = Folder::new("unwritable");
    let log = folder.path("none/x.log");
    let arguments = [
        "--text",
        EXAMPLE,
        "--engine",
        "builtin",
        "--movetime",
        "50",
        "--log",
        &log,
    ];
    for _ in 0..3 {
        let (_, error) = folder.run_ok(&arguments);
        assert!(
            error.starts_with("The traffic log cannot be written (cannot write "),
            "{error}"
        );
        assert_eq!(
            (error.lines().count(), error.contains(&log)),
            (1, true),
            "{error}"
        );
        let (_, error) = folder.run_ok(&[&arguments[..], &["--lang", "ja"]].concat());
        assert!(
            error.starts_with("通信ログを書けません（") && error.contains("none がありません）"),
            "{error}"
        );
    }
}

/// A log of an earlier run that has reached its size limit is rotated before the first line.
#[test]
fn rotates_a_full_log() {
    let folder = Folder::new("full");
    let log = std::fs::File::create(folder.path("log")).unwrap();
    std::io::Write::write_all(
        &mut &log,
        b"    0.000 # shogibar 0.1.0, what A is told and says\n",
    )
    .unwrap();
    log.set_len(64 << 20).unwrap();
    let arguments = [
        "--text",
        EXAMPLE,
        "--engine",
        "builtin",
        "--movetime",
        "100",
        "--log",
        &folder.path("log"),
    ];
    let (_, error) = folder.run_ok(&arguments);
    assert!(error.is_empty(), "{error}");
    assert_eq!(std::fs::metadata(folder.path("log.1")).unwrap().len(), 64 << 20);
    assert!(!folder.explained("log").is_empty());
}
