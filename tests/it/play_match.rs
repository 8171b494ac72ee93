//! `shogibar match` with real processes as engines: its games and records, its continuation, and engines that fail.

use crate::support::{self, WorkFolder};
use shogibar_kifu::{NodeId, Reason, Record};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

fn folder(name: &str) -> WorkFolder {
    WorkFolder::new(&format!("match-{name}"))
}

fn arguments<'a>(engines: [&'a str; 2], rest: &[&'a str]) -> Vec<&'a str> {
    [
        &["match", engines[0], engines[1], "-o", "games", "--hash", "1"],
        rest,
    ]
    .concat()
}

/// Runs a match, and returns its standard output and standard error.
fn play(folder: &WorkFolder, engines: [&str; 2], rest: &[&str], code: i32) -> (String, String) {
    let (found, out, err) = folder.run(&arguments(engines, rest));
    assert_eq!(found, code, "{rest:?}: {out}{err}");
    (out, err)
}

fn records(folder: &WorkFolder) -> Vec<PathBuf> {
    let mut files: Vec<_> = fs::read_dir(folder.0.join("games"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.retain(|path| path.extension().is_some_and(|end| end == "csa"));
    files.sort();
    files
}

fn record(path: &Path) -> Record {
    shogibar_kifu::read(&fs::read(path).unwrap())
        .unwrap()
        .games
        .remove(0)
}

/// Writes a shell script as an engine. The engine answers each `go` with `answer`.
#[cfg(unix)]
fn engine(name: &str, answer: &str) -> support::Script {
    support::Script::new(&format!("match-{name}"), &script(name, answer))
}

#[cfg(unix)]
fn script(name: &str, answer: &str) -> String {
    format!(
        "while read -r word rest; do case $word in\nusi) echo 'id name {name}'; echo usiok;;\nisready) echo readyok;;\n\
         go) {answer};;\nquit) exit 0;;\nesac; done\n"
    )
}

#[test]
fn a_match_is_recorded_and_continues() {
    let folder = folder("go-on");
    let arguments = ["--nodes", "50", "--resign", "800"];
    let (out, _) = play(
        &folder,
        ["builtin", "builtin"],
        &[&arguments[..], &["--games", "2"]].concat(),
        0,
    );
    assert_eq!(
        out.lines().filter(|line| line.starts_with("game ")).count(),
        2,
        "{out}"
    );
    assert!(out.contains(" of the points)\nElo "), "{out}");
    let records = records(&folder);
    assert_eq!(records.len(), 2);
    for path in &records {
        let record = record(path);
        assert!(record.decisive_end().is_some(), "{}", path.display());
        let mut walk = record.walk();
        let nodes: Vec<NodeId> = record.main_line().collect();
        let evaluated = nodes
            .iter()
            .filter(|node| !walk.evaluations(**node).is_empty())
            .count();
        // All positions except those of the opening and the end have a value.
        assert!(evaluated + 9 >= nodes.len(), "{evaluated} of {}", nodes.len());
    }
    let openings: Vec<Vec<_>> = records
        .iter()
        .map(|path| record(path).moves().take(8).collect())
        .collect();
    assert_ne!(
        openings[0], openings[1],
        "an engine against itself plays each opening once"
    );
    let before = fs::read(&records[0]).unwrap();
    let (out, err) = play(
        &folder,
        ["builtin", "builtin"],
        &[&arguments[..], &["--games", "3", "--json", "--jobs", "2"]].concat(),
        0,
    );
    assert!(err.contains("continuing after the 2 games"), "{err}");
    let objects: Vec<serde_json::Value> = out
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(
        (objects.len(), &objects[0]["game"], &objects[1]["games"]),
        (2, &3.into(), &3.into()),
        "{out}"
    );
    assert_eq!(fs::read(&records[0]).unwrap(), before);
    let (_, err) = play(
        &folder,
        ["builtin", "builtin"],
        &["--nodes", "51", "--games", "3"],
        2,
    );
    assert!(err.contains("contains another match"), "{err}");
    // Without this file, the program cannot know to which match the games belong.
    let info = folder.0.join("games/match.info");
    fs::rename(&info, folder.0.join("kept")).unwrap();
    let (_, err) = play(
        &folder,
        ["builtin", "builtin"],
        &[&arguments[..], &["--games", "3"]].concat(),
        2,
    );
    assert!(
        err.contains("is not a game of this match") && !info.exists(),
        "{err}"
    );
    let (_, fitted, _) = folder.run(&["calibrate", "--json", "games"]);
    assert!(
        fitted.contains("\"engine\":\"Shogibar "),
        "its records can be fitted"
    );
}

#[cfg(unix)]
#[test]
fn engines_that_fail_lose() {
    let resigner = engine("resigner", "echo bestmove resign");
    let check = |name: &str, answer: &str, reason: Reason, expect: &str| {
        let code = if reason == Reason::Other { 2 } else { 0 };
        let (folder, failing) = (folder(name), engine(name, answer));
        let engines = [failing.path.to_str().unwrap(), "builtin"];
        let (out, err) = play(
            &folder,
            engines,
            &["--nodes", "10", "--games", "1", "--json"],
            code,
        );
        assert!(
            out.contains("\"result\":\"0-1\"") && out.contains("\"losses\":1"),
            "{out}"
        );
        assert!(err.contains(expect), "{name}: {err}");
        let record = record(&records(&folder)[0]);
        assert_eq!(record.end().map(|end| end.reason), Some(reason), "{name}");
        let end = record.main_line().last().unwrap();
        let comment = record.node(end).notes().comment.clone().unwrap_or_default();
        assert!(comment.contains(expect), "{name}: {comment}");
        let words = "there is no result: an engine failed in every game (1)";
        assert_eq!(err.contains(words), reason == Reason::Other, "{name}: {err}");
    };
    check("illegal", "echo bestmove 1a1b", Reason::Foul, "bestmove 1a1b");
    check("claims", "echo bestmove win", Reason::Foul, "bestmove win");
    check("nothing", "echo bestmove none", Reason::Foul, "bestmove none");
    check("crashes", "exit 3", Reason::Other, "exit code 3");
    check("resigns", "echo bestmove resign", Reason::Resignation, "");
    let folder = folder("no-engine");
    let (_, err) = play(
        &folder,
        [resigner.path.to_str().unwrap(), "/bin/cat"],
        &["--nodes", "10"],
        2,
    );
    assert!(err.contains("/bin/cat: "), "{err}");
    assert!(
        !folder.0.join("games").exists(),
        "nothing is made before both engines are there"
    );
}

/// The time of a move is a search that we stop.
#[cfg(unix)]
#[test]
fn openings_come_from_a_file_and_a_test_ends_the_match() {
    let folder = folder("sprt");
    fs::write(
        folder.0.join("openings.usi"),
        "startpos moves 2g2f\nstartpos moves 7g7f 3c3d\n",
    )
    .unwrap();
    let [one, other] = ["a", "b"].map(|name| engine(&format!("{name}-resigns"), "echo bestmove resign"));
    let engines = [one.path.to_str().unwrap(), other.path.to_str().unwrap()];
    let arguments = [
        "--movetime",
        "1",
        "--games",
        "4",
        "--openings",
        "openings.usi",
        "--json",
    ];
    let (out, _) = play(&folder, engines, &arguments, 0);
    let plies: Vec<_> = out
        .lines()
        .filter_map(|line| line.split("\"plies\":").nth(1)?.chars().next())
        .collect();
    assert_eq!(plies, ['1', '1', '2', '2'], "{out}");
    let stronger = WorkFolder::new("match-sprt-decided");
    let engines = ["builtin", other.path.to_str().unwrap()];
    let (out, _) = play(
        &stronger,
        engines,
        &["--nodes", "1", "--games", "50", "--sprt", "0,400"],
        0,
    );
    assert!(
        out.contains("decided: the difference is closer to 400 than to 0"),
        "{out}"
    );
    assert!(records(&stronger).len() < 50);
}

#[cfg(unix)]
#[test]
fn a_match_continues_with_the_same_engines_only() {
    let folder = folder("same-engines");
    let [one, other] = ["one", "other"].map(|name| twin(name, "echo bestmove resign"));
    let [one_path, other_path] = [&one, &other].map(|engine| engine.path.to_str().unwrap());
    let limit = ["--nodes", "1", "--games"];
    let (out, _) = play(&folder, [one_path, other_path], &[&limit[..], &["2"]].concat(), 0);
    let file = |name: &str| format!("twin (match-{name}-{}/engine)", std::process::id());
    assert!(
        out.contains(&format!("☗{} 0-1 ☖{}", file("one"), file("other"))),
        "the same name twice: {out}"
    );
    let go_on = |engines, code| play(&folder, engines, &[&limit[..], &["4"]].concat(), code).1;
    let refused = |err: String, engine: &str| {
        let words = format!("games contains another match: {engine} is not the engine that played there");
        assert!(err.contains(&words), "{err}");
    };
    refused(go_on([other_path, one_path], 2), &file("other"));
    assert!(go_on([one_path, other_path], 0).contains("continuing after the 2 games"));
    // Another process appends the line, as in `Script`.
    let append = ["-c", "echo '# another version' >>\"$1\"", "sh", other_path];
    assert!(Command::new("/bin/sh").args(append).status().unwrap().success());
    refused(go_on([one_path, other_path], 2), &file("other"));
    assert_eq!(records(&folder).len(), 4);
}

/// Writes an engine that reports the same name as others.
#[cfg(unix)]
fn twin(name: &str, answer: &str) -> support::Script {
    support::Script::new(&format!("match-{name}"), &script("twin", answer))
}

#[cfg(unix)]
#[test]
fn a_folder_has_one_match_at_a_time() {
    let folder = folder("busy");
    let slow = engine("slow", "read -r stop; echo bestmove resign");
    let engines = [slow.path.to_str().unwrap(), "builtin"];
    let rest = ["--movetime", "600000", "--games", "2"];
    let mut first = folder.command(&arguments(engines, &rest)).spawn().unwrap();
    assert!(support::eventually(|| folder.0.join("games/match.info").exists()));
    let (_, err) = play(&folder, engines, &rest, 2);
    assert!(
        err.contains("another shogibar match is running in games"),
        "{err}"
    );
    assert!(support::signal("INT", first.id()));
    assert_eq!(first.wait().unwrap().code(), Some(1));
}

#[cfg(unix)]
#[test]
fn a_decided_test_waits_for_no_game_in_progress() {
    let folder = folder("sprt-jobs");
    // The first process of this engine thinks until it is stopped.
    let engine = engine(
        "thinks",
        "if mkdir thinking 2>/dev/null; then read -r stop; fi; echo bestmove resign",
    );
    let (begin, path) = (Instant::now(), engine.path.to_str().unwrap());
    let rest = [
        "--movetime",
        "100000",
        "--games",
        "200",
        "--sprt",
        "0,400",
        "--jobs",
        "2",
    ];
    let other = self::engine("resigns", "echo bestmove resign");
    let openings = folder.write("openings.usi", "startpos\n");
    let openings = ["--openings", openings.to_str().unwrap()];
    let (out, _) = play(
        &folder,
        [path, other.path.to_str().unwrap()],
        &[&rest[..], &openings].concat(),
        0,
    );
    assert!(out.contains("decided: the difference is"), "{out}");
    assert!(
        begin.elapsed() < Duration::from_mins(1),
        "it waited for the other game"
    );
}
