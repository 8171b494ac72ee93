//! The traffic log: what the program records is explained as what it showed, and played back.

use crate::support;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const EXAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/selfplay.kif");

/// A folder for logs and settings.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("traffic-{name}-{}", std::process::id()));
        let _none_there = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(folder.join("config")).unwrap();
        Self(folder)
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }

    fn run(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_shogibar"));
        command.args(arguments).env("SHOGIBAR_CONFIG", self.0.join("config")).env("LC_ALL", "en_US.UTF-8");
        command.output().unwrap()
    }

    /// Runs it, and gives its standard output and error.
    fn done(&self, arguments: &[&str]) -> (String, String) {
        let output = self.run(arguments);
        let [out, error] = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {error}");
        (out, error)
    }

    /// What `explain` shows of a log, rank 1 alone.
    fn explained(&self, log: &str) -> Vec<Value> {
        let (out, _) = self.done(&["explain", &self.path(log)]);
        let lines = out.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        lines.filter(|line| line["shown"] == true && line["multipv"] == 1 && line["bestmove"].is_null()).collect()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _best_effort = std::fs::remove_dir_all(&self.0);
    }
}

/// The bar in the terminal with an engine, recorded: its last line, and what is made of the log.
fn is_explained(engine: &str) {
    let folder = Folder::new(&engine.replace('/', "_"));
    let log = folder.path("talk.log");
    let bar = |engine: &[&str], movetime, log: &[&str]| {
        let settings = ["--ply", "30", "--threads", "1", "--hash", "16", "--k", "600", "--lang", "ja"];
        let limit = ["--movetime", movetime];
        let (out, error) = folder.done(&[&["--text", EXAMPLE], engine, &limit, &settings, log].concat());
        assert!(error.is_empty(), "{error}");
        out.lines().last().unwrap().to_owned()
    };
    let shown = bar(&["--engine", engine], "700", &["--log", &log]);
    let explained = folder.explained("talk.log");
    let last = explained.last().unwrap();
    let percent = format!(" {:.0}% ", last["win"].as_f64().unwrap() * 100.0);
    let word = last["words"][0].as_str().unwrap();
    let depth = last["depth"].to_string();
    for expect in [percent.as_str(), word, &depth] {
        assert!(shown.contains(expect), "{expect} of {last} in {shown}");
    }
    // Played back it is the same engine, and says the same. Without the `stop` it says all of it before its `bestmove`,
    // however slow it is: the limit of time does not come into play.
    let unstopped = folder.path("unstopped.log");
    let lines = std::fs::read_to_string(&log).unwrap();
    let lines: Vec<_> = lines.lines().filter(|line| !line.ends_with(" > stop")).collect();
    std::fs::write(&unstopped, lines.join("\n")).unwrap();
    let program = env!("CARGO_BIN_EXE_shogibar");
    let replay = ["engines", "add", "played", "--", program, "replay", &unstopped, "--speed", "0"];
    folder.done(&replay);
    let again = bar(&["--engine", "played"], "600000", &[]);
    for expect in [percent.as_str(), word, &depth] {
        assert!(again.contains(expect), "{expect} of {last} in {again}");
    }
}

#[test]
fn a_log_of_the_built_in_engine_is_what_was_shown() {
    is_explained("builtin");
}

#[test]
fn a_log_of_a_real_engine_is_what_was_shown() {
    if let Some(engine) = support::engine("fairy-stockfish") {
        is_explained(engine.to_str().unwrap());
    }
}

#[test]
fn every_face_that_runs_engines_records_them() {
    let folder = Folder::new("faces");
    let analyse = ["analyze", EXAMPLE, "-o", &folder.path("out.kifu"), "--to", "8", "--nodes", "200", "--jobs", "2"];
    folder.done(&[&analyse[..], &["--engine", "builtin", "--log", &folder.path("analysis.log")]].concat());
    let of_both = [folder.explained("analysis.log"), folder.explained("analysis.log-2")].concat();
    let mut plies: Vec<_> = of_both.iter().map(|line| line["ply"].as_u64().unwrap()).collect();
    plies.sort_unstable();
    plies.dedup();
    assert_eq!(plies, (1..=9).collect::<Vec<_>>(), "each position by one of the two");
    let record = std::fs::read_to_string(folder.path("out.kifu")).unwrap();
    let cp = of_both.iter().rfind(|line| line["ply"] == 9).unwrap()["cp"].as_i64().unwrap();
    assert!(record.contains(&format!("評価値={cp}\n")), "{cp} in {record}");

    let picture = ["snapshot", EXAMPLE, "-o", &folder.path("a.png"), "--engine", "builtin", "--movetime", "100"];
    if cfg!(feature = "gui") {
        folder.done(&[&picture[..], &["--log", &folder.path("picture.log")]].concat());
        assert!(!folder.explained("picture.log").is_empty());
    }
    let two = ["--text", EXAMPLE, "--movetime", "100", "--engine", "builtin", "--engine", "builtin"];
    folder.done(&[&two[..], &["--log", &folder.path("two.log")]].concat());
    assert!(!folder.explained("two.log").is_empty() && !folder.explained("two.log-2").is_empty());

    let output = folder.run(&["--text", EXAMPLE, "--log", "-"]);
    assert_eq!(output.status.code(), Some(2), "standard output is no log");
}

#[test]
fn the_log_that_is_set_is_named_by_doctor() {
    let folder = Folder::new("doctor");
    let doctor = |expect: &str| {
        let (out, _) = folder.done(&["doctor"]);
        assert!(out.lines().any(|line| line.starts_with(expect)), "{expect} in {out}");
    };
    doctor(&format!("log: {} (off)", folder.path("config/engines.log")));
    std::fs::write(folder.path("config/settings.toml"), "log = true\n").unwrap();
    folder.done(&["--text", EXAMPLE, "--engine", "builtin", "--movetime", "100"]);
    assert!(!folder.explained("config/engines.log").is_empty());
    doctor(&format!("log: {} (on)", folder.path("config/engines.log")));
    let size = std::fs::metadata(folder.path("config/engines.log")).unwrap().len();
    doctor(&format!("log file: {} ({size} bytes)", folder.path("config/engines.log")));
}

/// What goes wrong with the log is said, also where it goes wrong with the last lines only.
#[test]
fn a_log_that_cannot_be_written_is_always_said() {
    let folder = Folder::new("unwritable");
    let log = folder.path("none/x.log");
    let arguments = ["--text", EXAMPLE, "--engine", "builtin", "--movetime", "50", "--log", &log];
    for _ in 0..3 {
        let (_, error) = folder.done(&arguments);
        assert!(error.starts_with("The traffic log cannot be written (cannot write "), "{error}");
        assert_eq!((error.lines().count(), error.contains(&log)), (1, true), "{error}");
        let (_, error) = folder.done(&[&arguments[..], &["--lang", "ja"]].concat());
        assert!(
            error.starts_with("通信ログを書けません（") && error.contains("に書き込めません（見つかりません）"),
            "{error}"
        );
    }
}

/// A log of an earlier program that has reached its size is put aside before anything is written.
#[test]
fn a_full_log_is_put_aside() {
    let folder = Folder::new("full");
    let log = std::fs::File::create(folder.path("log")).unwrap();
    std::io::Write::write_all(&mut &log, b"    0.000 # shogibar 0.1.0, what A is told and says\n").unwrap();
    log.set_len(64 << 20).unwrap();
    let arguments = ["--text", EXAMPLE, "--engine", "builtin", "--movetime", "100", "--log", &folder.path("log")];
    let (_, error) = folder.done(&arguments);
    assert!(error.is_empty(), "{error}");
    assert_eq!(std::fs::metadata(folder.path("log.1")).unwrap().len(), 64 << 20);
    assert!(!folder.explained("log").is_empty());
}
