//! `shogibar analyze FOLDER`. It has one queue of all games, and the same result with any number of engines. A kill
//! loses nothing, and nothing of the user's is replaced.

use crate::support;
use shogibar_games::analysis::StateFile;
use shogibar_kifu::{NodeId, Target};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

const SHOGIBAR: &str = env!("CARGO_BIN_EXE_shogibar");
const EXAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/selfplay.kif");
const SHORT: &str = "先手：佐藤\n後手：鈴木\n開始日時：2026/11/22\n手合割：平手\n1 ７六歩(77)\n2 ３四歩(33)\n3 ２六歩(27)\n\
    4 ８四歩(83)\n5 ２五歩(26)\n6 投了\n";
const TWO: &str =
    "V2.2\nN+A\nN-B\nPI\n+\n+7776FU\n-8384FU\n%TORYO\n/\nV2.2\nN+C\nN-D\nPI\n+\n+2726FU\n-8384FU\n+2625FU\n";
const LINE: &str = "position startpos moves 7g7f 8c8d 7i6h\n";

/// An input and an output folder. Deleted on drop.
struct Folders {
    root: PathBuf,
}

impl Folders {
    fn new(name: &str, files: &[(&str, &str)]) -> Self {
        let root =
            Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("folder-{name}-{}", std::process::id()));
        let _not_there_yet = fs::remove_dir_all(&root);
        let folders = Self { root };
        for (file, text) in files {
            let path = folders.input().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        folders
    }

    fn input(&self) -> PathBuf {
        self.root.join("in")
    }

    fn output(&self, name: &str) -> PathBuf {
        self.root.join(name)
    }

    fn command(&self, output: &str, arguments: &[&str]) -> Command {
        let mut command = Command::new(SHOGIBAR);
        command
            .args(["analyze", "--lang", "en", "--hash", "1"])
            .args(arguments)
            .arg(self.input())
            .arg("-o")
            .arg(self.output(output))
            .env("SHOGIBAR_CONFIG", support::no_settings())
            .stdin(Stdio::null());
        command
    }

    /// Analyses the folder, checks the exit code, and returns standard error.
    fn check(&self, output: &str, arguments: &[&str], code: i32) -> String {
        let Output { status, stderr, .. } = self.command(output, arguments).output().unwrap();
        let stderr = String::from_utf8(stderr).unwrap();
        assert_eq!(status.code(), Some(code), "{arguments:?}: {stderr}");
        assert!(
            !stderr.contains("thread '"),
            "it panicked: {arguments:?}: {stderr}"
        );
        stderr
    }

    fn files(&self, output: &str) -> BTreeMap<String, Vec<u8>> {
        let (root, mut files) = (self.output(output), BTreeMap::new());
        let mut folders = vec![root.clone()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else {
                    let name = path
                        .strip_prefix(&root)
                        .unwrap()
                        .to_str()
                        .unwrap()
                        .replace('\\', "/");
                    files.insert(name, fs::read(path).unwrap());
                }
            }
        }
        files
    }
}

impl Drop for Folders {
    fn drop(&mut self) {
        let _gone_already = fs::remove_dir_all(&self.root);
    }
}

/// Returns the number of positions of the main line that have an evaluation with this signature's end.
fn evaluated(bytes: &[u8], end: &str) -> usize {
    let record = shogibar_kifu::read(bytes).unwrap().games.remove(0);
    let mut walk = record.walk();
    let nodes = std::iter::once(NodeId::START)
        .chain(record.main_line())
        .collect::<Vec<_>>();
    let is_signed = |engine: &Option<String>| engine.as_deref().is_some_and(|engine| engine.ends_with(end));
    nodes
        .into_iter()
        .filter(|node| {
            walk.evaluations(*node)
                .iter()
                .any(|evaluation| is_signed(&evaluation.engine))
        })
        .count()
}

#[test]
fn every_game_is_analysed_and_the_result_is_the_same_with_any_number_of_engines() {
    let files = [
        ("a.kifu", SHORT),
        ("sub/b.csa", TWO),
        ("sub/c.usi", LINE),
        ("notes.txt", "no record"),
        ("x.kif", "\0\u{1}"),
    ];
    let folders = Folders::new("jobs", &files);
    let mut problems = 1;
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(folders.input(), folders.input().join("sub/loop")).unwrap();
        std::os::unix::fs::symlink("itself.kif", folders.input().join("itself.kif")).unwrap();
        problems += 2;
    }
    let one = folders.check("one", &["--nodes", "200"], 1);
    assert!(
        one.contains("Games analysed: 4") && one.contains(&format!("problems: {problems}")),
        "{one}"
    );
    assert!(one.contains("x.kif") && !one.contains("notes.txt"), "{one}");
    assert!(
        !cfg!(unix) || one.contains("loop: this link") && one.contains("itself.kif: this link"),
        "{one}"
    );
    folders.check("two", &["--nodes", "200", "--jobs", "3"], 1);
    let (one, two) = (folders.files("one"), folders.files("two"));
    let names: Vec<_> = one.keys().map(String::as_str).collect();
    let expected = [
        "a.kifu",
        "a.kifu.html",
        "results.csv",
        "results.html",
        "sub/b-2.csa",
        "sub/b-2.csa.html",
        "sub/b.csa",
        "sub/b.csa.html",
        "sub/c.usi.kifu",
        "sub/c.usi.kifu.html",
    ];
    assert_eq!(names, expected);
    for (name, bytes) in &one {
        assert!(
            two.get(name) == Some(bytes),
            "{name} depends on the number of engines"
        );
    }
    for (name, positions) in [
        ("a.kifu", 6),
        ("sub/b.csa", 3),
        ("sub/b-2.csa", 4),
        ("sub/c.usi.kifu", 4),
    ] {
        assert_eq!(evaluated(&one[name], "00]"), positions, "{name}");
    }
    let csv = String::from_utf8(one["results.csv"].clone()).unwrap();
    let rows: Vec<_> = csv.split("\r\n").collect();
    assert!(
        rows[0].starts_with("\u{feff}File,Game,Date,Event,Black,White,Result,Moves,Black Mean loss,"),
        "{csv}"
    );
    assert!(rows[1].starts_with("a.kifu,,2026/11/22,,佐藤,鈴木,"), "{csv}");
    assert!(
        rows[2].starts_with("sub/b.csa,1,,,A,B,") && rows[3].starts_with("sub/b.csa,2,,,C,D,"),
        "{csv}"
    );
    assert_eq!(rows.len(), 6, "{csv}");
    let page = String::from_utf8(one["results.html"].clone()).unwrap();
    assert!(
        page.contains("<a href=\"./sub/b-2.csa.html\">sub/b.csa</a>") && page.contains("x.kif"),
        "{page}"
    );
}

#[test]
fn a_second_run_searches_nothing_and_changes_nothing() {
    let folders = Folders::new("again", &[("a.kifu", SHORT), ("b.csa", TWO)]);
    folders.check("out", &["--nodes", "200"], 0);
    let before = folders.files("out");
    let again = folders.check("out", &["--nodes", "200"], 0);
    assert!(
        again.contains("Games analysed: 3 (0 positions searched now)"),
        "{again}"
    );
    assert!(folders.files("out") == before, "it was written otherwise");
    let longer = folders.check("out", &["--nodes", "300", "--deepen", "0"], 0);
    assert!(longer.contains("(13 positions searched now)"), "{longer}");
    let again = folders.check("out", &["--nodes", "300", "--deepen", "0", "--again"], 0);
    assert!(again.contains("(13 positions searched now)"), "{again}");
}

#[test]
fn findings_survive_a_changed_input_and_a_changed_output_is_kept() {
    let folders = Folders::new("changed", &[("a.kifu", SHORT), ("b.kifu", SHORT)]);
    folders.check("out", &["--nodes", "200"], 0);
    // The user has added one comment to the input and another to the output.
    fs::write(
        folders.input().join("a.kifu"),
        SHORT
            .replace("佐藤", "佐々木")
            .replace("6 投了", "*良い手\n6 投了"),
    )
    .unwrap();
    let (output, bytes) = (
        folders.output("out").join("b.kifu"),
        folders.files("out")["b.kifu"].clone(),
    );
    let mine = String::from_utf8(bytes)
        .unwrap()
        .replace("   6 投了", "*私の感想\n   6 投了");
    fs::write(&output, &mine).unwrap();
    let again = folders.check("out", &["--nodes", "200"], 0);
    assert!(again.contains("(0 positions searched now)"), "{again}");
    let written = folders.files("out");
    let a = String::from_utf8(written["a.kifu"].clone()).unwrap();
    assert!(a.contains("佐々木") && a.contains("良い手"), "{a}");
    assert_eq!(
        (
            evaluated(&written["a.kifu"], "00]"),
            String::from_utf8(written["b.kifu"].clone()).unwrap()
        ),
        (6, mine)
    );
    // If both files have been changed, neither replaces the other.
    fs::write(
        folders.input().join("b.kifu"),
        SHORT.replace("6 投了", "*別の感想\n6 投了"),
    )
    .unwrap();
    let refused = folders.check("out", &["--nodes", "200"], 1);
    assert!(refused.contains("b.kifu already exists"), "{refused}");
    assert!(
        folders.files("out")["b.kifu"] == written["b.kifu"],
        "the user's file was replaced"
    );
}

#[test]
fn foreign_files_and_the_input_itself_are_not_replaced() {
    let folders = Folders::new("foreign", &[("a.kifu", SHORT)]);
    fs::create_dir_all(folders.output("out")).unwrap();
    fs::write(folders.output("out").join("results.csv"), "a,b\n").unwrap();
    let refused = folders.check("out", &["--nodes", "200"], 2);
    assert!(refused.contains("results.csv already exists"), "{refused}");
    let refused = folders.check("in", &["--nodes", "200"], 2);
    assert!(refused.contains("are not changed"), "{refused}");
    // The output of an earlier run is not used as input.
    folders.check("in/analysed", &["--nodes", "200"], 0);
    let again = folders.check("in/analysed", &["--nodes", "200"], 0);
    assert!(again.contains("Games analysed: 1 (0 positions"), "{again}");
}

#[test]
fn a_killed_run_continues_in_the_middle_of_a_game() {
    let game = shogibar_kifu::read(&fs::read(EXAMPLE).unwrap())
        .unwrap()
        .games
        .remove(0);
    let text = String::from_utf8(shogibar_kifu::write(&game, Target::Kifu).bytes).unwrap();
    let folders = Folders::new("kill", &[("a.kifu", SHORT), ("b.kifu", &text), ("c.kifu", SHORT)]);
    let arguments = ["--nodes", "20000", "--to", "60", "--deepen", "0", "--jobs", "2"];
    let journal = StateFile::path(&folders.output("out").join("b.kifu"));
    let journal_lines = || {
        fs::read_to_string(&journal)
            .unwrap_or_default()
            .matches("}\n")
            .count()
    };
    let mut child = folders
        .command("out", &arguments)
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let is_begun = support::eventually(|| journal_lines() >= 3);
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(is_begun, "nothing is kept");
    let (found, is_first_done) = (journal_lines(), folders.output("out").join("a.kifu").exists());
    let last = folders.check("out", &arguments, 0);
    assert!(
        !is_first_done || last.contains(&format!("({} positions searched now)", 6 + 61 - found)),
        "{found} kept: {last}"
    );
    folders.check("whole", &arguments, 0);
    assert!(
        folders.files("out") == folders.files("whole"),
        "in parts it comes to something else"
    );
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_keeps_the_findings() {
    let game = shogibar_kifu::read(&fs::read(EXAMPLE).unwrap())
        .unwrap()
        .games
        .remove(0);
    let text = String::from_utf8(shogibar_kifu::write(&game, Target::Kifu).bytes).unwrap();
    let folders = Folders::new("interrupt", &[("a.kifu", SHORT), ("b.kifu", &text)]);
    let mut command = folders.command("out", &["--nodes", "50000", "--deepen", "0"]);
    let child = command.stderr(Stdio::piped()).spawn().unwrap();
    let journal = StateFile::path(&folders.output("out").join("b.kifu"));
    let journal_lines = || {
        fs::read_to_string(&journal)
            .unwrap_or_default()
            .matches("}\n")
            .count()
    };
    let is_begun = support::eventually(|| journal_lines() >= 2);
    assert!(support::signal("INT", child.id()) && is_begun, "nothing is kept");
    let ended = child.wait_with_output().unwrap();
    let stderr = String::from_utf8(ended.stderr).unwrap();
    assert!(
        ended.status.code() == Some(2) && stderr.contains("stopped at game 1 of 2"),
        "{stderr}"
    );
    assert!(folders.output("out").join("results.csv").exists() && journal_lines() >= 2);
}

#[test]
fn without_a_search_the_evaluations_of_the_records_are_taken() {
    let folders = Folders::new("none", &[("a.kifu", SHORT)]);
    folders.check("out", &["--nodes", "200"], 0);
    let analysed = Folders::new("none-2", &[]);
    fs::create_dir_all(analysed.input()).unwrap();
    fs::copy(
        folders.output("out").join("a.kifu"),
        analysed.input().join("a.kifu"),
    )
    .unwrap();
    let done = analysed.check("out", &["--no-search"], 0);
    assert!(done.contains("Games analysed: 1 (0 positions"), "{done}");
    assert_eq!(
        analysed.files("out")["results.csv"],
        folders.files("out")["results.csv"]
    );
}
