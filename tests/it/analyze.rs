//! `shogibar analyze` from a shell. It has the same result in every order, and loses nothing by a kill or an engine
//! that exits. Other programs can read its output.

use crate::peers::SAMPLES;
use crate::support::{self, node_with_peers};
use shogibar_games::analysis::{StateError, StateFile};
use shogibar_kifu::evaluation::Source;
use shogibar_kifu::{NodeId, Record, Target};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

const SHOGIBAR: &str = env!("CARGO_BIN_EXE_shogibar");
const EXAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/selfplay.kif");
/// The number of moves of the example.
const MOVES: usize = 135;
const POSITIONS: usize = MOVES + 1;

/// Creates an empty folder for a test.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("analyze-{name}"));
    let _not_there_yet = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(SHOGIBAR);
    command
        .args(["analyze", "--lang", "en", "--hash", "1"])
        // The second pass takes long. It runs only in tests that request it.
        .args(if arguments.contains(&"--deepen") {
            &[][..]
        } else {
            &["--deepen", "0"]
        })
        .args(arguments)
        .env("SHOGIBAR_CONFIG", support::no_settings())
        .stdin(Stdio::null());
    command
}

fn analyze(arguments: &[&str]) -> Output {
    command(arguments).output().unwrap()
}

/// Runs `analyze`, checks the exit code, and returns standard error.
fn check(arguments: &[&str], code: i32) -> String {
    let output = analyze(arguments);
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {stderr}");
    assert!(
        !stderr.contains("thread '"),
        "it panicked: {arguments:?}: {stderr}"
    );
    stderr
}

fn read(path: &Path) -> Record {
    shogibar_kifu::read(&fs::read(path).unwrap())
        .unwrap()
        .games
        .remove(0)
}

fn journal_of(record: &Path) -> PathBuf {
    record.with_file_name(format!(
        ".{}.analysis",
        record.file_name().unwrap().to_str().unwrap()
    ))
}

/// Returns the number of positions in a journal. An incomplete last line does not count.
fn positions_in(journal: &Path) -> usize {
    fs::read_to_string(journal)
        .unwrap_or_default()
        .matches("}\n")
        .count()
}

/// Returns 20 games of the shared records, or generated ones.
fn games() -> impl Iterator<Item = (&'static str, &'static Record)> {
    let plays = |record: &&Record| record.len() >= 24 && record.start().searchable().is_ok();
    let all = SAMPLES
        .iter()
        .map(|sample| (sample.name.as_str(), &sample.record))
        .filter(move |(_, game)| plays(game));
    let all: Vec<_> = all.collect();
    let step = all.len() / 20;
    all.into_iter().step_by(step.max(1)).take(20)
}

/// Returns every comment of the main line, beginning with that of the start.
fn comments(record: &Record) -> Vec<String> {
    let nodes = std::iter::once(NodeId::START).chain(record.main_line());
    let moves = nodes.filter(|node| record.node(*node).end().is_none());
    moves
        .map(|node| record.node(node).comment().unwrap_or_default().to_owned())
        .collect()
}

/// Returns the part of a comment after an earlier text; `None` if the comment does not begin with that text.
fn rest<'c>(comment: &'c str, before: &str) -> Option<&'c str> {
    if before.is_empty() {
        Some(comment)
    } else {
        comment.strip_prefix(before.trim_end_matches('\n'))
    }
}

#[test]
fn twenty_games_give_the_same_result_in_every_order() {
    let folder = folder("twenty");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let mut evaluated = 0;
    for (number, (name, game)) in games().enumerate() {
        let input = path(&format!("{number}.kifu"));
        fs::write(&input, shogibar_kifu::write(game, Target::Kifu).bytes).unwrap();
        let game = read(Path::new(&input));
        let dialect = ["shogihome", "shogigui", "floodgate", "csa3"][number % 4];
        let outputs = ["one", "two"].map(|run| path(&format!("{number}-{run}.kifu")));
        let common = [
            "--nodes",
            "500",
            "--from",
            "8",
            "--to",
            "20",
            "--comments",
            dialect,
            &input,
            "-o",
        ];
        let more: [&[&str]; 2] = [&[], &["--jobs", "2", "--from-end"]];
        for (output, more) in outputs.iter().zip(more) {
            check(&[&common[..], &[output], more].concat(), 0);
            assert!(
                !journal_of(Path::new(output)).exists(),
                "{name}: what was kept is still there"
            );
        }
        let [one, two] = outputs.each_ref().map(|output| fs::read(output).unwrap());
        assert!(one == two, "{name}: the result depends on the order");
        // Every evaluation is at its own node, and every earlier comment is unchanged.
        let analysed = read(Path::new(&outputs[0]));
        let mut walk = analysed.walk();
        let nodes: Vec<_> = std::iter::once(NodeId::START)
            .chain(analysed.main_line())
            .collect();
        for ((ply, now), before) in comments(&analysed).iter().enumerate().zip(comments(&game)) {
            let rest = rest(now, &before).unwrap_or_else(|| panic!("{name} {ply}: {before}\nbecame\n{now}"));
            let evaluations = walk.evaluations(nodes[ply]);
            let ours = evaluations.iter().filter(|evaluation| {
                evaluation
                    .engine
                    .as_deref()
                    .is_some_and(|by| by.ends_with("[nodes 500]"))
            });
            let ours: Vec<_> = ours.collect();
            let is_analysed = (8..=20).contains(&ply);
            assert_eq!(ours.len(), usize::from(is_analysed), "{name} {ply}: {now}");
            assert!(is_analysed || rest.trim().is_empty(), "{name} {ply}: {now}");
            assert!(
                ours.iter()
                    .all(|evaluation| evaluation.value.is_some() && !evaluation.pv.is_empty()),
                "{name} {ply}: {now}"
            );
            evaluated += ours.len();
        }
        // A second run in place has nothing left to do and changes nothing.
        let again = check(
            &[
                "--nodes",
                "500",
                "--from",
                "8",
                "--to",
                "20",
                &outputs[0],
                "-o",
                &outputs[0],
            ],
            0,
        );
        assert!(again.contains("(0 now, 13 before)"), "{name}: {again}");
        assert!(
            fs::read(&outputs[0]).unwrap() == one,
            "{name}: it was written otherwise"
        );
    }
    assert_eq!(evaluated, 20 * 13);
}

#[test]
fn other_programs_read_the_comments() {
    let folder = folder("peers");
    let mut lines = String::new();
    for (number, (name, game)) in games().enumerate() {
        // rsshogi refuses remarks and bookmarks in any KIF, and misreads comments that begin with their signs. After a
        // line that begins with #, it leaves out an empty one.
        let mut game = game.clone();
        for node in game.all().collect::<Vec<_>>() {
            let notes = game.node_mut(node).notes_mut();
            (notes.remark, notes.bookmark) = (None, None);
            notes
                .comment
                .take_if(|comment| comment.split('\n').any(|line| line.starts_with(['&', '*', '#'])));
        }
        let input = folder.join(format!("{number}-in.kifu"));
        fs::write(&input, shogibar_kifu::write(&game, Target::Kifu).bytes).unwrap();
        for (target, dialect) in [
            (Target::Kifu, "shogihome"),
            (Target::Csa, "floodgate"),
            (Target::Jkf, "shogigui"),
        ] {
            let file = format!("{number}.{}", target.extension());
            let output = folder.join(&file);
            let paths = [&input, &output].map(|path| path.to_str().unwrap());
            let common = ["--nodes", "100", "--to", "24", "--comments", dialect];
            let done = analyze(&[&common[..], &[paths[0], "-o", paths[1]]].concat());
            assert!(
                done.status.code().is_some_and(|code| code < 2),
                "{name}: {done:?}"
            );
            let written = read(&output);
            let comments = self::comments(&written);
            let lines_of: Vec<Vec<&str>> = comments
                .iter()
                .map(|comment| comment.split('\n').collect())
                .collect();
            check_rsshogi(&output, target, &comments);
            let format = if target == Target::Kifu {
                "kif"
            } else {
                target.name()
            };
            let expected = serde_json::json!({ "file": file, "format": format, "comments": lines_of });
            lines.extend([expected.to_string(), "\n".to_owned()]);
        }
    }
    fs::write(folder.join("expected.jsonl"), lines).unwrap();
    let Some(node) = node_with_peers() else { return };
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/peers/comments.mjs");
    let output = Command::new(node).arg(script).arg(&folder).output().unwrap();
    let printed = format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    assert!(
        output.status.success(),
        "read otherwise than written, in {}: {printed}",
        folder.display()
    );
}

/// Checks that rsshogi reads every comment of the main line at its own node.
fn check_rsshogi(path: &Path, target: Target, comments: &[String]) {
    use rsshogi::records;
    let bytes = fs::read(path).unwrap();
    let record = match target {
        Target::Csa => records::parse_csa_bytes(&bytes).map_err(|error| error.to_string()),
        Target::Jkf => records::parse_jkf_bytes(&bytes).map_err(|error| error.to_string()),
        _ => records::parse_kif_bytes(&bytes).map_err(|error| error.to_string()),
    };
    let record = record.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let first = |node: &rsshogi::records::RecordNodeId| record.node(*node).children().first().copied();
    let line = std::iter::successors(Some(record.root_id()), first);
    // In CSA, rsshogi reads `'**` as an evaluation, not a comment. In KIF it removes a second `*`
    // and blanks.
    let is_text = |line: &&str| target != Target::Csa || !line.starts_with('*');
    let texts = |comment: &str| {
        let lines = comment.trim_end().split('\n').filter(is_text);
        lines
            .map(|line| line.trim_start_matches('*').trim())
            .collect::<Vec<_>>()
            .join("\n")
    };
    let line: Vec<_> = line.collect();
    assert!(line.len() >= comments.len(), "{}", path.display());
    for (ply, (node, expected)) in line.into_iter().zip(comments).enumerate() {
        let found = record.node(node).comment().unwrap_or_default();
        assert_eq!(
            texts(found),
            texts(expected),
            "{} after move {ply}",
            path.display()
        );
        let last = expected
            .lines()
            .rfind(|line| line.starts_with("* "))
            .filter(|_| target == Target::Csa && ply > 0);
        let value = last.and_then(|line| line.split(' ').nth(1)?.parse::<i16>().ok());
        let eval = record.node(node).eval().map(rsshogi::types::Eval::raw);
        assert!(
            value.is_none() || eval == value,
            "{} after move {ply}: {eval:?} of {expected}",
            path.display()
        );
    }
}

#[cfg(unix)]
#[test]
fn a_kill_loses_at_most_one_position() {
    let kills = if std::env::var_os("SHOGIBAR_SOAK").is_some() {
        50
    } else {
        10
    };
    let folder = folder("kill");
    let (record, whole) = (folder.join("game.kif"), folder.join("whole.kif"));
    let original = fs::read(EXAMPLE).unwrap();
    fs::write(&record, &original).unwrap();
    // The engine's output is logged, so that lost answers can be counted. Each run has a log of its own, because an
    // engine may answer once more after the program was killed.
    let script = format!("{SHOGIBAR} engine | tee -a \"$(dirname \"$0\")/log$RUN\"\n");
    let engine = support::Script::new("analyze-log", &script);
    let answers = |run: u64| {
        fs::read_to_string(engine.beside(&format!("log{run}")))
            .unwrap_or_default()
            .matches("bestmove")
            .count()
    };
    let run = |arguments: &[&str], run: u64| {
        let mut command = command(arguments);
        command.env("RUN", run.to_string());
        command
    };
    let name = engine.path.to_str().unwrap();
    let common = ["--nodes", "5000", "--engine", name];
    let paths = [&record, &whole].map(|path| path.to_str().unwrap());
    let in_place = [&common[..], &[paths[0], "-o", paths[0]]].concat();
    assert!(
        run(&[&common[..], &[EXAMPLE, "-o", paths[1]]].concat(), 0)
            .output()
            .unwrap()
            .status
            .success()
    );
    let whole = fs::read(&whole).unwrap();
    let (journal, mut random) = (journal_of(&record), 88_172_645_463_325_252_u64);
    let (mut killed, mut rounds, mut runs) = (0, 0, 0);
    assert_eq!(answers(0), POSITIONS);
    while killed < kills {
        rounds += 1;
        fs::write(&record, &original).unwrap();
        // The kills stop before the end of a round; on a fast machine it may end before.
        while killed < kills && positions_in(&journal) < 80 {
            for shift in [13_i32, -7, 17] {
                random ^= if shift > 0 {
                    random << shift
                } else {
                    random >> -shift
                };
            }
            let before = positions_in(&journal);
            runs += 1;
            let mut child = run(&in_place, runs).stderr(Stdio::null()).spawn().unwrap();
            std::thread::park_timeout(Duration::from_millis(random % 700));
            child.kill().unwrap();
            if child.wait().unwrap().success() {
                break;
            }
            killed += 1;
            let now = fs::read(&record).unwrap();
            if now == whole {
                break;
            }
            assert!(now == original, "the record is no longer what it was");
            let (found, answered) = (positions_in(&journal) - before, answers(runs));
            assert!(
                found + 1 >= answered,
                "{answered} were answered, {found} are kept"
            );
        }
        let (in_journal, is_done) = (positions_in(&journal), fs::read(&record).unwrap() == whole);
        runs += 1;
        let last = run(&in_place, runs).output().unwrap();
        assert!(last.status.success());
        let last = String::from_utf8(last.stderr).unwrap();
        let before = if is_done { POSITIONS } else { in_journal };
        assert!(
            last.contains(&format!(", {before} before)")),
            "{in_journal} were kept: {last}"
        );
        assert!(
            fs::read(&record).unwrap() == whole,
            "in parts it comes to something else"
        );
    }
    let searched: usize = (1..=runs).map(answers).sum();
    assert!(
        searched <= POSITIONS * rounds + killed,
        "{searched} searches in {rounds} rounds with {killed} kills"
    );
    eprintln!(
        "{killed} kills in {rounds} rounds: {searched} searches for {} positions",
        POSITIONS * rounds
    );
    let left: Vec<_> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    assert_eq!(left.len(), 2, "{left:?}");
}

#[cfg(unix)]
#[test]
fn resumes_the_second_pass_after_a_kill() {
    let folder = folder("kill-deeper");
    let [record, whole] = ["game.kif", "whole.kif"].map(|name| folder.join(name));
    fs::copy(EXAMPLE, &record).unwrap();
    let common = ["--nodes", "60", "--deepen", "9", "--engine", "builtin"];
    let paths = [&record, &whole].map(|path| path.to_str().unwrap());
    let stderr = check(&[&common[..], &[EXAMPLE, "-o", paths[1]]].concat(), 0);
    let (_, deeper) = stderr
        .split_once("searched again and longer: ")
        .unwrap_or_else(|| panic!("no swing: {stderr}"));
    let deeper: usize = deeper.lines().next().unwrap().parse().unwrap();
    let (mut kills, mut seen) = (0_u64, 0);
    loop {
        let mut child = command(&[&common[..], &[EXAMPLE, "-o", paths[0]]].concat())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        // The program is killed after 20 further positions, some of them in the second pass.
        support::eventually(|| {
            positions_in(&journal_of(&record)) > seen + 20 || child.try_wait().unwrap().is_some()
        });
        child.kill().unwrap();
        if child.wait().unwrap().success() {
            break;
        }
        (kills, seen) = (kills + 1, positions_in(&journal_of(&record)));
        assert!(kills < 100, "it does not get on");
    }
    // The number of kills depends on the speed of the machine.
    assert!(kills > 0, "{kills} kills, {deeper} positions");
    assert!(
        fs::read(&record).unwrap() == fs::read(&whole).unwrap(),
        "in parts it comes to something else"
    );
    // Every search is long enough: there is nothing left to do.
    let again = check(&[&common[..], &[paths[0], "-o", paths[0]]].concat(), 0);
    assert!(
        again.contains(&format!("(0 now, {POSITIONS} before)")) && !again.contains("again and longer"),
        "{again}"
    );
    assert!(fs::read(&record).unwrap() == fs::read(&whole).unwrap());
}

/// A game of eight moves, and two with other openings.
const THREE: &str = "position startpos moves 7g7f 3c3d 2g2f 8c8d 2f2e 8d8e 6i7h 4a3b\n\
    position startpos moves 2g2f 8c8d\nposition startpos moves 7g7f 8c8d 7i6h\n";

#[test]
fn writes_every_game_of_a_file() {
    let folder = folder("three");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let (games, input) = (path("three.usi"), path("three.csa"));
    fs::write(&games, THREE).unwrap();
    let csa: Vec<_> = shogibar_kifu::read(THREE.as_bytes())
        .unwrap()
        .games
        .iter()
        .map(|game| shogibar_kifu::write(game, Target::Csa).bytes)
        .collect();
    fs::write(&input, csa.join(&b"/\n"[..])).unwrap();
    let common = ["--nodes", "50", "--engine", "builtin"];
    let stderr = check(
        &[
            &common[..],
            &[&input, "-o", &path("x.csa"), "--report", &path("x.html")],
        ]
        .concat(),
        0,
    );
    assert!(
        stderr.contains("Game 2 of 3") && stderr.contains("x-3.csa"),
        "{stderr}"
    );
    for (name, moves) in [("x", 8), ("x-2", 2), ("x-3", 3)] {
        let record = read(&folder.join(format!("{name}.csa")));
        assert_eq!(record.len(), moves, "{name}");
        assert!(
            comments(&record)
                .iter()
                .all(|comment| comment.contains("[nodes 50]")),
            "{name}"
        );
        let report = fs::read_to_string(folder.join(format!("{name}.html"))).unwrap();
        assert!(report.contains(&format!("{moves} moves")), "{name}");
        assert!(
            !journal_of(&folder.join(format!("{name}.csa"))).exists(),
            "{name}"
        );
    }
    // The result of a further game does not replace a file that the user has not named.
    fs::copy(folder.join("x.csa"), folder.join("y-3.csa")).unwrap();
    let refused = check(&[&common[..], &[&input, "-o", &path("y.csa")]].concat(), 2);
    assert!(
        refused.contains("y-3.csa already exists") && !folder.join("y.csa").exists(),
        "{refused}"
    );
    // A file that also holds another game, or a comment of the user, is not replaced either.
    let third = fs::read(folder.join("x-3.csa")).unwrap();
    let mut commented = read(&folder.join("x-3.csa"));
    commented.node_mut(NodeId::START).notes_mut().comment = Some("somebody's own".to_owned());
    for existing in [
        [&third[..], b"/\n", &third].concat(),
        shogibar_kifu::write(&commented, Target::Csa).bytes,
    ] {
        fs::write(folder.join("y-3.csa"), &existing).unwrap();
        let refused = check(&[&common[..], &[&input, "-o", &path("y.csa")]].concat(), 2);
        assert!(refused.contains("y-3.csa already exists"), "{refused}");
        assert_eq!(fs::read(folder.join("y-3.csa")).unwrap(), existing);
    }
    // An earlier result of the program itself is replaced.
    fs::write(folder.join("y-3.csa"), &third).unwrap();
    check(&[&common[..], &[&input, "-o", &path("y.csa")]].concat(), 0);
    // The file name of a further game may be that of the input.
    fs::copy(&input, folder.join("z-2.csa")).unwrap();
    let refused = check(
        &[&common[..], &[&path("z-2.csa"), "-o", &path("z.csa")]].concat(),
        2,
    );
    assert!(
        refused.contains("z-2.csa would lose part of the record by this"),
        "{refused}"
    );
    // A CSA file that is its own output cannot take three games.
    let refused = check(&[&common[..], &[&input, "-o", &input]].concat(), 2);
    assert!(
        refused.contains("three.csa would lose part of the record by this"),
        "{refused}"
    );
    // Standard output gets the first game and a warning about the others.
    let printed = analyze(&[&common[..], &[&input]].concat());
    let stderr = String::from_utf8(printed.stderr).unwrap();
    assert_eq!(
        (
            printed.status.code(),
            shogibar_kifu::read(&printed.stdout).unwrap().games.len()
        ),
        (Some(1), 1),
        "{stderr}"
    );
    assert!(stderr.contains("further games, not written: 2"), "{stderr}");
}

#[cfg(unix)]
#[test]
fn searches_no_game_of_a_file_twice() {
    let folder = folder("three-kill");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let input = path("three.usi");
    fs::write(&input, THREE).unwrap();
    // The engine fails at its second start, after the first game is finished.
    let once = support::Script::new(
        "analyze-once",
        &format!(
            "d=\"$(dirname \"$0\")\"\necho + >>\"$d/runs\"\n[ $(wc -l <\"$d/runs\") -gt 1 ] && exit 3\nexec {SHOGIBAR} engine\n"
        ),
    );
    let engine = once.path.to_str().unwrap();
    let common = ["--nodes", "50", "--engine", engine, &input, "-o", &path("x.kifu")];
    let stderr = check(&common, 2);
    assert!(stderr.contains("Game 2 of 3"), "{stderr}");
    assert_eq!(
        positions_in(&journal_of(&folder.join("x.kifu"))),
        9,
        "kept until all are written"
    );
    fs::write(&once.path, format!("#!/bin/sh\nexec {SHOGIBAR} engine\n")).unwrap();
    let stderr = check(&common, 0);
    for counts in [
        "9 (0 now, 9 before)",
        "3 (3 now, 0 before)",
        "4 (4 now, 0 before)",
    ] {
        assert!(stderr.contains(counts), "{stderr}");
    }
    let left: Vec<_> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    assert_eq!(left.len(), 4, "{left:?}");
}

#[test]
fn one_engine_judges_a_game_with_two() {
    let folder = folder("judge");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let (whole, mixed, report) = (path("whole.kifu"), path("mixed.kifu"), path("report.html"));
    check(
        &["--nodes", "40", "--engine", "builtin", EXAMPLE, "-o", &whole],
        0,
    );
    // Under another name, it counts as another engine.
    let text = fs::read_to_string(&whole).unwrap();
    let label = text
        .split_once("(built-in")
        .and_then(|(_, rest)| rest.split_once(')'))
        .unwrap()
        .0;
    let renamed = text.replace(&format!("(built-in{label})"), "(strong)");
    fs::write(&whole, renamed).unwrap();
    let stderr = check(
        &[
            "--nodes", "40", "--engine", "builtin", "--from", "84", &whole, "-o", &mixed, "--report", &report,
        ],
        0,
    );
    assert!(
        stderr.contains(&format!(
            "Judged by Shogibar {} (strong) ({MOVES} of {MOVES} moves)",
            env!("CARGO_PKG_VERSION")
        )),
        "{stderr}"
    );
    let judged = |arguments: &[&str], code| {
        let stderr = check(
            &[&["--no-search", &mixed, "--report", &report], arguments].concat(),
            code,
        );
        stderr.lines().map(str::to_owned).collect::<Vec<_>>()
    };
    let by_default = judged(&[], 0);
    let before = check(&["--no-search", &whole, "--report", &path("before.html")], 0);
    assert_eq!(
        by_default.join("\n") + "\n",
        before,
        "all that is said is by the judge, as if there were no other"
    );
    let page = fs::read_to_string(&report).unwrap();
    for curve in ["class=\"line\"", "class=\"line other one\"", "Built-in engine"] {
        assert!(page.contains(curve), "{curve}");
    }
    let ours = judged(&["--judge", "built-in"], 0);
    let judged_moves = MOVES - 83;
    assert!(
        ours[0].contains(&format!(
            "Built-in engine ({judged_moves} of {MOVES} moves; no engine"
        )),
        "{ours:?}"
    );
    assert_ne!(ours[1..], by_default[1..]);
    let several = judged(&["--judge", "i"], 2);
    assert!(
        several.len() == 1 && several[0].contains("'i' matches several engines"),
        "{several:?}"
    );
    let unknown = judged(&["--judge", "Suisho"], 2);
    assert!(
        unknown.len() == 1 && unknown[0].contains("no evaluations by 'Suisho'"),
        "{unknown:?}"
    );
}

#[cfg(unix)]
#[test]
fn an_interruption_keeps_the_results() {
    let folder = folder("interrupt");
    let output = folder.join("out.kif");
    let to = output.to_str().unwrap();
    let mut child = command(&["--movetime", "100", EXAMPLE, "-o", to])
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    assert!(support::eventually(|| positions_in(&journal_of(&output)) >= 3));
    let busy = check(&["--movetime", "100", EXAMPLE, "-o", to], 2);
    assert!(busy.contains("another analysis is using it"), "{busy}");
    assert!(support::signal("INT", child.id()));
    let stderr = {
        let mut stderr = String::new();
        std::io::Read::read_to_string(child.stderr.as_mut().unwrap(), &mut stderr).unwrap();
        stderr
    };
    assert_eq!(child.wait().unwrap().code(), Some(2), "{stderr}");
    assert!(
        stderr.contains(".out.kif.analysis") && stderr.lines().count() == 1,
        "{stderr}"
    );
    let found = positions_in(&journal_of(&output));
    assert!(found >= 3 && !output.exists());
    // An analysis with other options in between does not change the journal.
    check(&["--nodes", "50", "--to", "2", EXAMPLE, "-o", to], 0);
    assert_eq!(positions_in(&journal_of(&output)), found);
    let stderr = check(&["--movetime", "100", "--to", "2", EXAMPLE, "-o", to], 0);
    assert!(
        stderr.contains("3 (0 now, 3 before)") && !journal_of(&output).exists(),
        "{stderr}"
    );
}

#[cfg(unix)]
#[test]
fn a_symbolic_link_has_the_same_journal() {
    let folder = folder("link");
    let (game, link) = (folder.join("game.kif"), folder.join("far/link.kif"));
    fs::create_dir(folder.join("far")).unwrap();
    fs::copy(EXAMPLE, &game).unwrap();
    std::os::unix::fs::symlink(&game, &link).unwrap();
    let first = StateFile::open(&game).unwrap();
    assert!(matches!(StateFile::open(&link), Err(StateError::Busy(_))));
    drop(first);
    assert!(StateFile::open(&link).is_ok());
}

/// Analyses with an engine of the zoo, and checks standard error and the number of positions with a value.
#[cfg(unix)]
fn check_zoo_engine(name: &str, arguments: &[&str], code: i32, messages: &[&str], values: usize) {
    let folder = folder(&format!("zoo-{name}"));
    let zoo = std::env::current_exe().unwrap();
    let zoo = zoo.parent().and_then(Path::parent).unwrap().join("examples/zoo");
    let script = support::Script::new(
        &format!("analyze-{name}"),
        &format!("exec {} {name} {}\n", zoo.display(), folder.display()),
    );
    let (input, output) = (folder.join("in.usi"), folder.join("out.kifu"));
    fs::write(&input, "position startpos moves 7g7f 3c3d 2g2f 8c8d 2f2e 8d8e\n").unwrap();
    let [engine, from, to] = [&script.path, &input, &output].map(|path| path.to_str().unwrap());
    let stderr = check(&[arguments, &["--engine", engine, from, "-o", to]].concat(), code);
    for expected in messages {
        assert!(stderr.contains(expected), "{name}: {stderr}");
    }
    let record = read(&output);
    let mut walk = record.walk();
    let nodes = std::iter::once(NodeId::START).chain(record.main_line());
    let evaluations: Vec<_> = nodes.map(|node| walk.evaluations(node)).collect();
    assert_eq!(
        evaluations.iter().filter(|found| !found.is_empty()).count(),
        values,
        "{name}"
    );
    for (ply, found) in evaluations
        .iter()
        .enumerate()
        .filter(|(_, found)| !found.is_empty())
    {
        // A value of a zoo engine identifies its position. It is in the view of the side to move.
        let cp = i32::try_from(ply + 1).unwrap() * 100 * if ply % 2 == 0 { 1 } else { -1 };
        assert_eq!(
            found[0].value,
            Some(shogibar_shogi::score::Value::Cp(cp)),
            "{name} {ply}"
        );
        assert_eq!(
            (found.len(), found[0].source),
            (1, Source::Analysis),
            "{name} {ply}"
        );
    }
}

#[cfg(unix)]
#[test]
fn restarts_an_engine_that_exits_during_the_analysis() {
    let time = ["--movetime", "50"];
    check_zoo_engine("dies-on-go", &time, 0, &["(exit code 101)", "7 (7 now"], 7);
    check_zoo_engine("dies-on-stop", &time, 0, &["(exit code 9)", "7 (7 now"], 7);
    check_zoo_engine(
        "ignores-stop",
        &time,
        0,
        &["did not respond to stop", "7 (7 now"],
        7,
    );
    check_zoo_engine("bestmove-before-stop-and-on-stop", &time, 0, &["7 (7 now"], 7);
    check_zoo_engine("deadlocks-in-a-search", &time, 0, &["7 (7 now"], 7);
}

#[cfg(unix)]
#[test]
fn skips_a_position_that_crashes_every_process() {
    let says = [
        "Gave up on the position after move 0",
        "(exit code 5)",
        "6 (6 now",
    ];
    check_zoo_engine("dies-at-the-start-position", &["--movetime", "50"], 1, &says, 6);
}

#[cfg(unix)]
#[test]
fn stops_an_engine_itself_where_limits_crash_it() {
    check_zoo_engine(
        "aborts-on-limits",
        &["--depth", "3"],
        0,
        &["exits when it is given a limit of nodes or depth", "7 (7 now"],
        7,
    );
}

#[test]
fn continues_with_one_engine_where_the_other_is_missing() {
    let output = folder("without").join("out.kifu");
    let engines = [
        "--engine",
        "/nowhere/engine",
        "--engine",
        "builtin",
        "--nodes",
        "50",
        "--to",
        "3",
    ];
    let stderr = check(
        &[&engines[..], &[EXAMPLE, "-o", output.to_str().unwrap()]].concat(),
        1,
    );
    assert!(
        stderr.contains("There is no engine '/nowhere/engine'") && stderr.contains("4 (4 now"),
        "{stderr}"
    );
}

#[test]
fn refused_arguments_are_reported() {
    let folder = folder("refused");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let refused = |arguments: &[&str], expect: &str| {
        let stderr = check(arguments, 2);
        assert!(stderr.contains(expect), "{arguments:?}: {stderr}");
        assert_eq!(
            fs::read_dir(&folder).unwrap().count(),
            1,
            "{arguments:?}: something was left"
        );
    };
    let prose = path("prose.txt");
    fs::write(&prose, "This is no game.\n").unwrap();
    refused(&[EXAMPLE, "-o", &prose], "is not a game record");
    refused(
        &[&prose, "-o", &path("out.kif")],
        "cannot be read as a game record",
    );
    refused(
        &["--engine", "/nowhere/engine", EXAMPLE, "-o", &path("out.kif")],
        "/nowhere/engine",
    );
    refused(&[EXAMPLE, "-o", &path("out.usi")], "cannot hold evaluations");
    refused(&[EXAMPLE, "-o", &path("out.sfen")], "cannot hold evaluations");
    refused(&["--from", "5", "--to", "4", EXAMPLE], "no positions between");
    refused(&["--nodes", "5", "--depth", "4", EXAMPLE], "cannot be used with");
    refused(
        &["--comments", "kishin", EXAMPLE],
        "shogihome shogigui floodgate csa3",
    );
}

#[test]
fn keeps_the_format_unless_the_output_has_another_extension() {
    let folder = folder("formats");
    let common = ["--nodes", "50", "--to", "3"];
    let out = folder.join("a.csa");
    check(
        &[&common[..], &[EXAMPLE, "-o", out.to_str().unwrap()]].concat(),
        0,
    );
    assert!(fs::read(&out).unwrap().starts_with(b"V2.2") || fs::read(&out).unwrap().starts_with(b"'"));
    let bytes = fs::read(EXAMPLE).unwrap();
    let printed = analyze(&[&common[..], &[EXAMPLE]].concat());
    let (ours, theirs) = (
        shogibar_kifu::read(&printed.stdout).unwrap(),
        shogibar_kifu::read(&bytes).unwrap(),
    );
    assert_eq!(
        (ours.format, ours.games[0].len()),
        (theirs.format, theirs.games[0].len())
    );
    let added = folder.join("b.kifu");
    let arguments = [
        "--add-variations",
        "--nodes",
        "500",
        EXAMPLE,
        "-o",
        added.to_str().unwrap(),
    ];
    let stderr = check(&arguments, 0);
    let variations = read(&added).all().count() - theirs.games[0].all().count();
    assert!(
        variations > 0 && stderr.contains("added as variations"),
        "{stderr}"
    );
}

#[test]
fn keeps_the_characters_of_a_file_of_windows() {
    let game = folder("cp932").join("x.kif");
    let text = "#KIF version=2.0 encoding=Shift_JIS\n手合割：平手\n先手：髙﨑①\n後手：㈱ⅲ\n手数----指手---------消費時間--\n\
                #纊\n   1 ７六歩(77)   ( 0:01/00:00:01)\n&①\n   2 ３四歩(33)   ( 0:02/00:00:02)\n";
    let bytes = encoding_rs::SHIFT_JIS.encode(text).0.into_owned();
    fs::write(&game, &bytes).unwrap();
    let path = game.to_str().unwrap();
    check(&["--nodes", "50", path, "-o", path], 0);
    let written = fs::read(&game).unwrap();
    let lines: Vec<_> = written
        .split(|byte| *byte == b'\n')
        .filter(|line| !line.starts_with(b"*"))
        .collect();
    assert!(
        lines.len() < written.split(|byte| *byte == b'\n').count(),
        "it has evaluations"
    );
    assert!(
        lines.join(&b'\n') == bytes,
        "{}",
        encoding_rs::SHIFT_JIS.decode(&written).0
    );
}

/// A script that runs a command and then the built-in engine.
#[cfg(unix)]
fn after(name: &str, first: &str) -> support::Script {
    support::Script::new(name, &format!("{first}\nexec {SHOGIBAR} engine\n"))
}

#[cfg(unix)]
#[test]
fn keeps_changes_saved_during_the_analysis() {
    let folder = folder("meanwhile");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let [game, later, other] = ["game.kif", "later.kif", "other.kif"].map(path);
    fs::copy(EXAMPLE, &game).unwrap();
    let mut record = read(Path::new(EXAMPLE));
    let nodes: Vec<_> = record.main_line().collect();
    record.node_mut(nodes[0]).notes_mut().comment = Some("私の感想".to_owned());
    // Node ids change in the file, but the node is found in the game.
    record.add_line(NodeId::START, &[shogibar_shogi::Move::from_usi("9g9f").unwrap()]);
    fs::write(
        &later,
        shogibar_kifu::write(
            &record,
            shogibar_kifu::read(&fs::read(EXAMPLE).unwrap()).unwrap().target,
        )
        .bytes,
    )
    .unwrap();
    let engine = after("analyze-meanwhile", &format!("cp '{later}' '{game}'"));
    let common = [
        "--nodes",
        "50",
        "--to",
        "3",
        "--engine",
        engine.path.to_str().unwrap(),
    ];
    check(&[&common[..], &[&game, "-o", &game]].concat(), 0);
    let written = read(Path::new(&game));
    assert_eq!(
        (written.all().count(), written.len()),
        (record.all().count(), record.len())
    );
    let comments = comments(&written);
    assert!(comments[1].starts_with("私の感想\n"), "{}", comments[1]);
    assert!(
        comments[..4].iter().all(|comment| comment.contains("[nodes 50]")),
        "{comments:?}"
    );
    // An output file that differs from the input is not replaced. The results are kept in the journal.
    fs::copy(EXAMPLE, &other).unwrap();
    let engine = after("analyze-meanwhile-other", &format!("cp '{later}' '{other}'"));
    let common = [
        "--nodes",
        "60",
        "--to",
        "3",
        "--engine",
        engine.path.to_str().unwrap(),
    ];
    let stderr = check(&[&common[..], &[EXAMPLE, "-o", &other]].concat(), 2);
    assert!(stderr.contains("was changed during the analysis"), "{stderr}");
    assert!(fs::read(&other).unwrap() == fs::read(&later).unwrap());
    assert_eq!(positions_in(&journal_of(Path::new(&other))), 4);
    let stderr = check(&["--nodes", "60", "--to", "3", EXAMPLE, "-o", &other], 0);
    assert!(stderr.contains("(0 now, 4 before)"), "{stderr}");
}

/// Measures the time between an answer and the next search, without the engine and the handshake. This is the median
/// from `bestmove` to `isready` and from `readyok` to `go`, in microseconds. The limit is checked only on a machine
/// that runs nothing else (`SHOGIBAR_SOAK`).
#[cfg(unix)]
#[test]
fn sends_the_next_position_without_delay() {
    let folder = folder("stopwatch");
    let zoo = std::env::current_exe().unwrap();
    let zoo = zoo.parent().and_then(Path::parent).unwrap().join("examples/zoo");
    let text = format!("exec {} stopwatch 2>>\"$(dirname \"$0\")/log\"\n", zoo.display());
    let script = support::Script::new("analyze-stopwatch", &text);
    let output = folder.join("out.kifu");
    let [engine, to] = [&script.path, &output].map(|path| path.to_str().unwrap());
    check(&["--engine", engine, "--nodes", "1", EXAMPLE, "-o", to], 0);
    let log = fs::read_to_string(script.beside("log")).unwrap();
    let notes: Vec<(u64, &str)> = log
        .lines()
        .filter_map(|line| line.split_once(' '))
        .map(|(at, what)| (at.parse().unwrap(), what))
        .collect();
    let at = |what: &str| {
        notes
            .iter()
            .filter(|(_, noted)| *noted == what)
            .map(|(at, _)| *at)
            .collect::<Vec<u64>>()
    };
    // The first `isready` and `readyok` belong to the start.
    let (asked_at, ready) = (at("> isready").split_off(1), at("< readyok").split_off(1));
    let (answered_at, went_at) = (at("< bestmove"), at("> go").split_off(1));
    assert_eq!((asked_at.len(), went_at.len()), (MOVES, MOVES));
    let gaps = (0..went_at.len()).map(|n| (asked_at[n] - answered_at[n]) + (went_at[n] - ready[n]));
    let mut gaps: Vec<u64> = gaps.collect();
    gaps.sort_unstable();
    let (median, last) = (gaps[gaps.len() / 2], gaps[gaps.len() - 1]);
    eprintln!("bestmove to the next go, without the handshake: {median} µs in the median, {last} at most");
    if std::env::var_os("SHOGIBAR_SOAK").is_some() {
        assert!(median <= 2000, "{median} µs in the median");
    }
}

#[cfg(unix)]
#[test]
fn a_search_without_a_value_does_not_count() {
    let folder = folder("no-value");
    let answers = "usi) echo id name Dumb; echo usiok;; isready) echo readyok;; quit) exit;;";
    let text = format!("while read -r line; do case $line in {answers} go*) echo bestmove 7g7f;; esac; done");
    let engine = support::Script::new("no-value", &text);
    let (engine, file) = (engine.path.to_str().unwrap(), folder.join("game.kifu"));
    fs::write(&file, "手合割：平手\n   1 ７六歩(77)\n").unwrap();
    let file = file.to_str().unwrap();
    for _ in 0..2 {
        let stderr = check(&[file, "-o", file, "--engine", engine, "--nodes", "10"], 1);
        assert!(stderr.contains("without a value: 2"), "{stderr}");
    }
    let stderr = check(&[file, "-o", file, "--engine", engine, "--from", "5"], 2);
    assert!(stderr.contains("there are no positions between"), "{stderr}");
}
