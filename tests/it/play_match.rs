//! `shogibar match`: games of real processes, their records, going on, and engines that fail.

use crate::support;
use shogibar::kifu::{self, NodeId, Reason};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A folder for a match. Deleted on drop.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("match-{name}-{}", std::process::id()));
        let _not_there_yet = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    fn run(&self, engines: [&str; 2], arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_shogibar"));
        command.args(["match", "--lang", "en"]).args(engines).args(["-o", "games", "--hash", "1"]).args(arguments);
        command.current_dir(&self.0).env("SHOGIBAR_CONFIG", support::no_settings());
        command.stdin(Stdio::null()).output().unwrap()
    }

    /// Runs a match, and returns its output and messages.
    fn check(&self, engines: [&str; 2], arguments: &[&str], code: i32) -> (String, String) {
        let Output { status, stdout, stderr } = self.run(engines, arguments);
        let [out, err] = [stdout, stderr].map(|bytes| String::from_utf8(bytes).unwrap());
        assert_eq!(status.code(), Some(code), "{arguments:?}: {out}{err}");
        assert!(!err.contains("thread '"), "it panicked: {err}");
        (out, err)
    }

    fn records(&self) -> Vec<PathBuf> {
        let mut files: Vec<_> =
            fs::read_dir(self.0.join("games")).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.retain(|path| path.extension().is_some_and(|end| end == "csa"));
        files.sort();
        files
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _gone_already = fs::remove_dir_all(&self.0);
    }
}

/// Writes an engine as a shell script, which says `answer` to each `go`.
#[cfg(unix)]
fn engine(name: &str, answer: &str) -> support::Script {
    let text = format!(
        "while read -r word rest; do case $word in\nusi) echo 'id name {name}'; echo usiok;;\nisready) echo readyok;;\n\
         go) {answer};;\nquit) exit 0;;\nesac; done\n"
    );
    support::Script::new(&format!("match-{name}"), &text)
}

#[test]
fn a_match_is_recorded_and_goes_on() {
    let folder = Folder::new("go-on");
    let arguments = ["--nodes", "50", "--resign", "800"];
    let (out, _) = folder.check(["builtin", "builtin"], &[&arguments[..], &["--games", "2"]].concat(), 0);
    assert_eq!(out.lines().filter(|line| line.starts_with("game ")).count(), 2, "{out}");
    assert!(out.contains(" of the points)\nElo "), "{out}");
    let records = folder.records();
    assert_eq!(records.len(), 2);
    for path in &records {
        let record = kifu::read(&fs::read(path).unwrap()).unwrap().games.remove(0);
        assert!(record.decisive_end().is_some(), "{}", path.display());
        let mut walk = record.walk();
        let nodes: Vec<NodeId> = record.main_line().collect();
        let evaluated = nodes.iter().filter(|node| !walk.evaluations(**node).is_empty()).count();
        // All but those of the opening and the end.
        assert!(evaluated + 9 >= nodes.len(), "{evaluated} of {}", nodes.len());
    }
    let openings: Vec<Vec<_>> = records
        .iter()
        .map(|path| kifu::read(&fs::read(path).unwrap()).unwrap().games[0].moves().take(8).collect())
        .collect();
    assert_ne!(openings[0], openings[1], "an engine against itself plays each opening once");
    let before = fs::read(&records[0]).unwrap();
    let (out, err) =
        folder.check(["builtin", "builtin"], &[&arguments[..], &["--games", "3", "--json", "--jobs", "2"]].concat(), 0);
    assert!(err.contains("going on after the 2 games"), "{err}");
    let objects: Vec<serde_json::Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((objects.len(), &objects[0]["game"], &objects[1]["games"]), (2, &3.into(), &3.into()), "{out}");
    assert_eq!(fs::read(&records[0]).unwrap(), before);
    let (_, err) = folder.check(["builtin", "builtin"], &["--nodes", "51", "--games", "3"], 2);
    assert!(err.contains("holds another match"), "{err}");
    let mut command = Command::new(env!("CARGO_BIN_EXE_shogibar"));
    let fitted = command.args(["calibrate", "--json", "games"]).current_dir(&folder.0).output().unwrap();
    assert!(String::from_utf8(fitted.stdout).unwrap().contains("\"engine\":\"Shogibar "), "its records can be fitted");
}

#[cfg(unix)]
#[test]
fn engines_that_fail_lose() {
    let resigner = engine("resigner", "echo bestmove resign");
    let check = |name: &str, answer: &str, reason: Reason, expect: &str| {
        let (folder, failing) = (Folder::new(name), engine(name, answer));
        let engines = [failing.path.to_str().unwrap(), "builtin"];
        let (out, err) = folder.check(engines, &["--nodes", "10", "--games", "1", "--json"], 0);
        assert!(out.contains("\"result\":\"0-1\"") && out.contains("\"losses\":1"), "{out}");
        assert!(err.contains(expect), "{name}: {err}");
        let record = kifu::read(&fs::read(&folder.records()[0]).unwrap()).unwrap().games.remove(0);
        assert_eq!(record.end().map(|end| end.reason), Some(reason), "{name}");
    };
    check("illegal", "echo bestmove 1a1b", Reason::Foul, "bestmove 1a1b");
    check("claims", "echo bestmove win", Reason::Foul, "bestmove win");
    check("nothing", "echo bestmove none", Reason::Foul, "bestmove none");
    check("crashes", "exit 3", Reason::Foul, "exit code 3");
    check("resigns", "echo bestmove resign", Reason::Resignation, "");
    let folder = Folder::new("no-engine");
    let (_, err) = folder.check([resigner.path.to_str().unwrap(), "/bin/cat"], &["--nodes", "10"], 2);
    assert!(err.contains("/bin/cat: "), "{err}");
    assert!(!folder.0.join("games").exists(), "nothing is made before both engines are there");
}

/// The time of a move is a search that we stop.
#[cfg(unix)]
#[test]
fn openings_come_from_a_file_and_a_test_ends_the_match() {
    let folder = Folder::new("sprt");
    fs::write(folder.0.join("openings.usi"), "startpos moves 2g2f\nstartpos moves 7g7f 3c3d\n").unwrap();
    let [one, other] = ["a", "b"].map(|name| engine(&format!("{name}-resigns"), "echo bestmove resign"));
    let engines = [one.path.to_str().unwrap(), other.path.to_str().unwrap()];
    let arguments = ["--movetime", "1", "--games", "4", "--openings", "openings.usi", "--json"];
    let (out, _) = folder.check(engines, &arguments, 0);
    let plies: Vec<_> = out.lines().filter_map(|line| line.split("\"plies\":").nth(1)?.chars().next()).collect();
    assert_eq!(plies, ['1', '1', '2', '2'], "{out}");
    let stronger = Folder::new("sprt-decided");
    let engines = ["builtin", other.path.to_str().unwrap()];
    let (out, _) = stronger.check(engines, &["--nodes", "1", "--games", "50", "--sprt", "0,400"], 0);
    assert!(out.contains("decided: the difference is 400 rather than 0"), "{out}");
    assert!(stronger.records().len() < 50);
}
