//! `shogibar analyze` as it is called: the same result on every run and in whatever order, nothing lost to a kill
//! or to an engine that ends, and what it writes read by others.

use crate::peers::SAMPLES;
use crate::support::{self, node_with_peers};
use shogibar::analysis::{StateError, StateFile};
use shogibar::kifu::evaluation::Source;
use shogibar::kifu::{self, NodeId, Record, Target};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

const SHOGIBAR: &str = env!("CARGO_BIN_EXE_shogibar");
const EXAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/selfplay.kif");

/// A folder of a test's own, empty.
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
        // What takes long is tried where it is asked for.
        .args(if arguments.contains(&"--deepen") { &[][..] } else { &["--deepen", "0"] })
        .args(arguments)
        .env("SHOGIBAR_CONFIG", support::no_settings())
        .stdin(Stdio::null());
    command
}

fn analyze(arguments: &[&str]) -> Output {
    command(arguments).output().unwrap()
}

/// What it said, where it ended with this code.
fn check(arguments: &[&str], code: i32) -> String {
    let output = analyze(arguments);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {said}");
    assert!(!said.contains("thread '"), "it panicked: {arguments:?}: {said}");
    said
}

fn read(path: &Path) -> Record {
    kifu::read(&fs::read(path).unwrap()).unwrap().games.remove(0)
}

/// What is kept beside a record of an analysis that was not done.
fn kept(record: &Path) -> PathBuf {
    record.with_file_name(format!(".{}.analysis", record.file_name().unwrap().to_str().unwrap()))
}

/// How many positions a journal has, and nothing but whole lines and perhaps a part of one.
fn positions_in(journal: &Path) -> usize {
    fs::read_to_string(journal).unwrap_or_default().matches("}\n").count()
}

/// Games with what real ones have: 20 of the shared records, or made up.
fn games() -> impl Iterator<Item = (&'static str, &'static Record)> {
    let plays = |record: &&Record| record.len() >= 24 && record.start().searchable().is_ok();
    let all = SAMPLES.iter().map(|sample| (sample.name.as_str(), &sample.record)).filter(move |(_, game)| plays(game));
    let all: Vec<_> = all.collect();
    let step = all.len() / 20;
    all.into_iter().step_by(step.max(1)).take(20)
}

/// Every comment of the main line, the start's first.
fn comments(record: &Record) -> Vec<String> {
    let nodes = std::iter::once(NodeId::START).chain(record.main_line());
    let moves = nodes.filter(|node| record.node(*node).end().is_none());
    moves.map(|node| record.node(node).comment().unwrap_or_default().to_owned()).collect()
}

/// Whether a comment has every line of another, in order, and what it has more in the end.
fn rest<'c>(comment: &'c str, before: &str) -> Option<&'c str> {
    if before.is_empty() { Some(comment) } else { comment.strip_prefix(before.trim_end_matches('\n')) }
}

#[test]
fn twenty_games_come_to_the_same_in_every_order() {
    let folder = folder("twenty");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let mut evaluated = 0;
    for (number, (name, game)) in games().enumerate() {
        let input = path(&format!("{number}.kifu"));
        fs::write(&input, kifu::write(game, Target::Kifu).bytes).unwrap();
        let game = read(Path::new(&input));
        let dialect = ["shogihome", "shogigui", "floodgate", "csa3"][number % 4];
        let outputs = ["one", "two"].map(|run| path(&format!("{number}-{run}.kifu")));
        let usual = ["--nodes", "500", "--from", "8", "--to", "20", "--comments", dialect, &input, "-o"];
        let more: [&[&str]; 2] = [&[], &["--jobs", "2", "--from-end"]];
        for (output, more) in outputs.iter().zip(more) {
            check(&[&usual[..], &[output], more].concat(), 0);
            assert!(!kept(Path::new(output)).exists(), "{name}: what was kept is still there");
        }
        let [one, two] = outputs.each_ref().map(|output| fs::read(output).unwrap());
        assert!(one == two, "{name}: the result depends on the order");
        // Every evaluation stands where it belongs, and every comment as it was.
        let analysed = read(Path::new(&outputs[0]));
        let mut walk = analysed.walk();
        let nodes: Vec<_> = std::iter::once(NodeId::START).chain(analysed.main_line()).collect();
        for ((ply, now), before) in comments(&analysed).iter().enumerate().zip(comments(&game)) {
            let rest = rest(now, &before).unwrap_or_else(|| panic!("{name} {ply}: {before}\nbecame\n{now}"));
            let said = walk.evaluations(nodes[ply]);
            let ours = said.iter().filter(|said| said.engine.as_deref().is_some_and(|by| by.ends_with("[nodes 500]")));
            let ours: Vec<_> = ours.collect();
            let is_analysed = (8..=20).contains(&ply);
            assert_eq!(ours.len(), usize::from(is_analysed), "{name} {ply}: {now}");
            assert!(is_analysed || rest.trim().is_empty(), "{name} {ply}: {now}");
            assert!(ours.iter().all(|said| said.value.is_some() && !said.pv.is_empty()), "{name} {ply}: {now}");
            evaluated += ours.len();
        }
        // Once more in the same place: there is nothing left to do, and nothing changes.
        let again = check(&["--nodes", "500", "--from", "8", "--to", "20", &outputs[0], "-o", &outputs[0]], 0);
        assert!(again.contains("(0 now, 13 before)"), "{name}: {again}");
        assert!(fs::read(&outputs[0]).unwrap() == one, "{name}: it was written otherwise");
    }
    assert_eq!(evaluated, 20 * 13);
}

#[test]
fn what_is_written_is_read_by_others() {
    let folder = folder("peers");
    let mut lines = String::new();
    for (number, (name, game)) in games().enumerate() {
        // rsshogi refuses remarks and bookmarks in KIF, whoever writes them, and takes comments that look like one or the other for them.
        let mut game = game.clone();
        for node in game.all().collect::<Vec<_>>() {
            let notes = game.node_mut(node).notes_mut();
            (notes.remark, notes.bookmark) = (None, None);
            notes.comment.take_if(|comment| comment.split('\n').any(|line| line.starts_with(['&', '*'])));
        }
        let input = folder.join(format!("{number}-in.kifu"));
        fs::write(&input, kifu::write(&game, Target::Kifu).bytes).unwrap();
        for (target, dialect) in [(Target::Kifu, "shogihome"), (Target::Csa, "floodgate"), (Target::Jkf, "shogigui")] {
            let file = format!("{number}.{}", target.extension());
            let output = folder.join(&file);
            let paths = [&input, &output].map(|path| path.to_str().unwrap());
            let usual = ["--nodes", "100", "--to", "24", "--comments", dialect];
            let done = analyze(&[&usual[..], &[paths[0], "-o", paths[1]]].concat());
            assert!(done.status.code().is_some_and(|code| code < 2), "{name}: {done:?}");
            let written = read(&output);
            let comments = self::comments(&written);
            let lines_of: Vec<Vec<&str>> = comments.iter().map(|comment| comment.split('\n').collect()).collect();
            check_rsshogi(&output, target, &comments);
            let format = if target == Target::Kifu { "kif" } else { target.name() };
            let expected = serde_json::json!({ "file": file, "format": format, "comments": lines_of });
            lines.extend([expected.to_string(), "\n".to_owned()]);
        }
    }
    fs::write(folder.join("expected.jsonl"), lines).unwrap();
    let Some(node) = node_with_peers() else { return };
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/peers/comments.mjs");
    let output = Command::new(node).arg(script).arg(&folder).output().unwrap();
    let said = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "read otherwise than written, in {}: {said}", folder.display());
}

/// Whether rsshogi finds every comment of the main line in its place.
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
    // What stands behind `'**` in CSA is an evaluation to it, and no comment; in KIF it takes away a second `*`
    // and blanks.
    let is_text = |line: &&str| target != Target::Csa || !line.starts_with('*');
    let texts = |comment: &str| {
        let lines = comment.trim_end().split('\n').filter(is_text);
        lines.map(|line| line.trim_start_matches('*').trim()).collect::<Vec<_>>().join("\n")
    };
    let line: Vec<_> = line.collect();
    assert!(line.len() >= comments.len(), "{}", path.display());
    for (ply, (node, expected)) in line.into_iter().zip(comments).enumerate() {
        let found = record.node(node).comment().unwrap_or_default();
        assert_eq!(texts(found), texts(expected), "{} after move {ply}", path.display());
        let last = expected.lines().rfind(|line| line.starts_with("* ")).filter(|_| target == Target::Csa && ply > 0);
        let value = last.and_then(|line| line.split(' ').nth(1)?.parse::<i16>().ok());
        let eval = record.node(node).eval().map(rsshogi::types::Eval::raw);
        assert!(value.is_none() || eval == value, "{} after move {ply}: {eval:?} of {expected}", path.display());
    }
}

#[cfg(unix)]
#[test]
fn nothing_is_lost_to_a_kill() {
    let kills = if std::env::var_os("SHOGIBAR_SOAK").is_some() { 50 } else { 10 };
    let folder = folder("kill");
    let (record, whole) = (folder.join("game.kif"), folder.join("whole.kif"));
    let original = fs::read(EXAMPLE).unwrap();
    fs::write(&record, &original).unwrap();
    // An engine whose answers are written down, so that it is known what was lost.
    let engine =
        support::Script::new("analyze-log", &format!("{SHOGIBAR} engine | tee -a \"$(dirname \"$0\")/log\"\n"));
    let answers = || fs::read_to_string(engine.beside("log")).unwrap_or_default().matches("bestmove").count();
    let name = engine.path.to_str().unwrap();
    let usual = ["--nodes", "5000", "--engine", name];
    let paths = [&record, &whole].map(|path| path.to_str().unwrap());
    let in_place = [&usual[..], &[paths[0], "-o", paths[0]]].concat();
    check(&[&usual[..], &[EXAMPLE, "-o", paths[1]]].concat(), 0);
    let whole = fs::read(&whole).unwrap();
    let (journal, mut random) = (kept(&record), 88_172_645_463_325_252_u64);
    let (mut killed, mut searched, mut rounds) = (0, answers(), 0);
    assert_eq!(searched, 117);
    while killed < kills {
        rounds += 1;
        fs::write(&record, &original).unwrap();
        // A round is left to itself before its end; on a quick machine it may reach that all the same.
        while killed < kills && positions_in(&journal) < 80 {
            for shift in [13_i32, -7, 17] {
                random ^= if shift > 0 { random << shift } else { random >> -shift };
            }
            let (before, answered) = (positions_in(&journal), answers());
            let mut child = command(&in_place).stderr(Stdio::null()).spawn().unwrap();
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
            let (found, answered) = (positions_in(&journal) - before, answers() - answered);
            assert!(found + 1 >= answered, "{answered} were answered, {found} are kept");
        }
        let (in_journal, is_done) = (positions_in(&journal), fs::read(&record).unwrap() == whole);
        let last = check(&in_place, 0);
        let before = if is_done { 117 } else { in_journal };
        assert!(last.contains(&format!(", {before} before)")), "{in_journal} were kept: {last}");
        assert!(fs::read(&record).unwrap() == whole, "in parts it comes to something else");
    }
    searched = answers() - searched;
    assert!(searched <= 117 * rounds + killed, "{searched} searches in {rounds} rounds with {killed} kills");
    eprintln!("{killed} kills in {rounds} rounds: {searched} searches for {} positions", 117 * rounds);
    let left: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left.len(), 2, "{left:?}");
}

#[cfg(unix)]
#[test]
fn the_second_pass_goes_on_after_a_kill() {
    let folder = folder("kill-deeper");
    let [record, whole] = ["game.kif", "whole.kif"].map(|name| folder.join(name));
    fs::copy(EXAMPLE, &record).unwrap();
    let usual = ["--nodes", "60", "--deepen", "9", "--engine", "builtin"];
    let paths = [&record, &whole].map(|path| path.to_str().unwrap());
    let said = check(&[&usual[..], &[EXAMPLE, "-o", paths[1]]].concat(), 0);
    let (_, deeper) = said.split_once("searched again and longer: ").unwrap_or_else(|| panic!("no swing: {said}"));
    let deeper: usize = deeper.lines().next().unwrap().parse().unwrap();
    let (mut kills, mut seen) = (0_u64, 0);
    loop {
        let mut child =
            command(&[&usual[..], &[EXAMPLE, "-o", paths[0]]].concat()).stderr(Stdio::null()).spawn().unwrap();
        // As soon as there is more than there was, and once in the second pass.
        support::eventually(|| positions_in(&kept(&record)) > seen + 20 || child.try_wait().unwrap().is_some());
        child.kill().unwrap();
        if child.wait().unwrap().success() {
            break;
        }
        (kills, seen) = (kills + 1, positions_in(&kept(&record)));
        assert!(kills < 100, "it does not get on");
    }
    assert!(kills > 2, "{kills} kills, {deeper} positions");
    assert!(fs::read(&record).unwrap() == fs::read(&whole).unwrap(), "in parts it comes to something else");
    // All is as long as it is to be: there is nothing left to do.
    let again = check(&[&usual[..], &[paths[0], "-o", paths[0]]].concat(), 0);
    assert!(again.contains("(0 now, 117 before)") && !again.contains("again and longer"), "{again}");
    assert!(fs::read(&record).unwrap() == fs::read(&whole).unwrap());
}

/// A game of eight moves, and two that begin otherwise.
const THREE: &str = "position startpos moves 7g7f 3c3d 2g2f 8c8d 2f2e 8d8e 6i7h 4a3b\n\
    position startpos moves 2g2f 8c8d\nposition startpos moves 7g7f 8c8d 7i6h\n";

#[test]
fn every_game_of_a_file_is_written() {
    let folder = folder("three");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let (games, input) = (path("three.usi"), path("three.csa"));
    fs::write(&games, THREE).unwrap();
    let csa: Vec<_> =
        kifu::read(THREE.as_bytes()).unwrap().games.iter().map(|game| kifu::write(game, Target::Csa).bytes).collect();
    fs::write(&input, csa.join(&b"/\n"[..])).unwrap();
    let usual = ["--nodes", "50", "--engine", "builtin"];
    let said = check(&[&usual[..], &[&input, "-o", &path("x.csa"), "--report", &path("x.html")]].concat(), 0);
    assert!(said.contains("Game 2 of 3") && said.contains("x-3.csa"), "{said}");
    for (name, moves) in [("x", 8), ("x-2", 2), ("x-3", 3)] {
        let record = read(&folder.join(format!("{name}.csa")));
        assert_eq!(record.len(), moves, "{name}");
        assert!(comments(&record).iter().all(|comment| comment.contains("[nodes 50]")), "{name}");
        let report = fs::read_to_string(folder.join(format!("{name}.html"))).unwrap();
        assert!(report.contains(&format!("{moves} moves")), "{name}");
        assert!(!kept(&folder.join(format!("{name}.csa"))).exists(), "{name}");
    }
    // A further game is not written over another one that nobody has named.
    fs::copy(folder.join("x.csa"), folder.join("y-3.csa")).unwrap();
    let refused = check(&[&usual[..], &[&input, "-o", &path("y.csa")]].concat(), 2);
    assert!(refused.contains("y-3.csa is there already") && !folder.join("y.csa").exists(), "{refused}");
    // Nor over one that holds more than that game, or what somebody wrote beside it.
    let third = fs::read(folder.join("x-3.csa")).unwrap();
    let mut commented = read(&folder.join("x-3.csa"));
    commented.node_mut(NodeId::START).notes_mut().comment = Some("somebody's own".to_owned());
    for there in [[&third[..], b"/\n", &third].concat(), kifu::write(&commented, Target::Csa).bytes] {
        fs::write(folder.join("y-3.csa"), &there).unwrap();
        let refused = check(&[&usual[..], &[&input, "-o", &path("y.csa")]].concat(), 2);
        assert!(refused.contains("y-3.csa is there already"), "{refused}");
        assert_eq!(fs::read(folder.join("y-3.csa")).unwrap(), there);
    }
    // Its own result is written again.
    fs::write(folder.join("y-3.csa"), &third).unwrap();
    check(&[&usual[..], &[&input, "-o", &path("y.csa")]].concat(), 0);
    // A name that a further game would take may be that of the file itself.
    fs::copy(&input, folder.join("z-2.csa")).unwrap();
    let refused = check(&[&usual[..], &[&path("z-2.csa"), "-o", &path("z.csa")]].concat(), 2);
    assert!(refused.contains("z-2.csa would lose something by this"), "{refused}");
    // In the file itself there is no room for three.
    let refused = check(&[&usual[..], &[&input, "-o", &input]].concat(), 2);
    assert!(refused.contains("three.csa would lose something by this"), "{refused}");
    // To standard output the first, and it is said that the others are missing.
    let printed = analyze(&[&usual[..], &[&input]].concat());
    let said = String::from_utf8(printed.stderr).unwrap();
    assert_eq!((printed.status.code(), kifu::read(&printed.stdout).unwrap().games.len()), (Some(1), 1), "{said}");
    assert!(said.contains("further games, not written: 2"), "{said}");
}

#[cfg(unix)]
#[test]
fn no_game_of_a_file_is_searched_twice() {
    let folder = folder("three-kill");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let input = path("three.usi");
    fs::write(&input, THREE).unwrap();
    // An engine that is not there for the second start: the first game is done by then.
    let once = support::Script::new(
        "analyze-once",
        &format!(
            "d=\"$(dirname \"$0\")\"\necho + >>\"$d/runs\"\n[ $(wc -l <\"$d/runs\") -gt 1 ] && exit 3\nexec {SHOGIBAR} engine\n"
        ),
    );
    let engine = once.path.to_str().unwrap();
    let usual = ["--nodes", "50", "--engine", engine, &input, "-o", &path("x.kifu")];
    let said = check(&usual, 2);
    assert!(said.contains("Game 2 of 3"), "{said}");
    assert_eq!(positions_in(&kept(&folder.join("x.kifu"))), 9, "kept until all are written");
    fs::write(&once.path, format!("#!/bin/sh\nexec {SHOGIBAR} engine\n")).unwrap();
    let said = check(&usual, 0);
    for counts in ["9 (0 now, 9 before)", "3 (3 now, 0 before)", "4 (4 now, 0 before)"] {
        assert!(said.contains(counts), "{said}");
    }
    let left: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left.len(), 4, "{left:?}");
}

#[test]
fn two_engines_in_one_game_have_one_judge() {
    let folder = folder("judge");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let (whole, mixed, report) = (path("whole.kifu"), path("mixed.kifu"), path("report.html"));
    check(&["--nodes", "40", "--engine", "builtin", EXAMPLE, "-o", &whole], 0);
    // By another name it is another engine.
    let renamed = fs::read_to_string(&whole).unwrap().replace("(built-in, weak)", "(strong)");
    fs::write(&whole, renamed).unwrap();
    let said =
        check(&["--nodes", "40", "--engine", "builtin", "--from", "84", &whole, "-o", &mixed, "--report", &report], 0);
    assert!(said.contains("Judged by Shogibar 0.1.0 (strong) (116 of 116 moves)"), "{said}");
    let judged = |arguments: &[&str], code| {
        let said = check(&[&["--no-search", &mixed, "--report", &report], arguments].concat(), code);
        said.lines().map(str::to_owned).collect::<Vec<_>>()
    };
    let usual = judged(&[], 0);
    let before = check(&["--no-search", &whole, "--report", &path("before.html")], 0);
    assert_eq!(usual.join("\n") + "\n", before, "all that is said is by the judge, as if there were no other");
    let page = fs::read_to_string(&report).unwrap();
    for curve in ["class=\"line\"", "class=\"line other one\"", "Shogibar 0.1.0 (built-in, weak)"] {
        assert!(page.contains(curve), "{curve}");
    }
    let ours = judged(&["--judge", "built-in"], 0);
    assert!(
        ours[0].contains("(built-in, weak) (33 of 116 moves; no engine") || ours[0].contains("33 of 116"),
        "{ours:?}"
    );
    assert_ne!(ours[1..], usual[1..]);
    let several = judged(&["--judge", "i"], 2);
    assert!(several.len() == 1 && several[0].contains("'i' may be any of these"), "{several:?}");
    let nobody = judged(&["--judge", "Suisho"], 2);
    assert!(nobody.len() == 1 && nobody[0].contains("'Suisho' has evaluated nothing here"), "{nobody:?}");
}

#[cfg(unix)]
#[test]
fn an_interruption_keeps_what_was_found() {
    let folder = folder("interrupt");
    let output = folder.join("out.kif");
    let to = output.to_str().unwrap();
    let mut child = command(&["--movetime", "100", EXAMPLE, "-o", to]).stderr(Stdio::piped()).spawn().unwrap();
    assert!(support::eventually(|| positions_in(&kept(&output)) >= 3));
    let busy = check(&["--movetime", "100", EXAMPLE, "-o", to], 2);
    assert!(busy.contains("another analysis is at work"), "{busy}");
    assert!(support::signal("INT", child.id()));
    let said = {
        let mut said = String::new();
        std::io::Read::read_to_string(child.stderr.as_mut().unwrap(), &mut said).unwrap();
        said
    };
    assert_eq!(child.wait().unwrap().code(), Some(2), "{said}");
    assert!(said.contains(".out.kif.analysis") && said.lines().count() == 1, "{said}");
    let found = positions_in(&kept(&output));
    assert!(found >= 3 && !output.exists());
    // Another analysis in between leaves it alone.
    check(&["--nodes", "50", "--to", "2", EXAMPLE, "-o", to], 0);
    assert_eq!(positions_in(&kept(&output)), found);
    let said = check(&["--movetime", "100", "--to", "2", EXAMPLE, "-o", to], 0);
    assert!(said.contains("3 (0 now, 3 before)") && !kept(&output).exists(), "{said}");
}

#[cfg(unix)]
#[test]
fn a_link_leads_to_the_same_analysis() {
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

/// What an animal of the zoo does to an analysis: what is said, and how many positions have a value.
#[cfg(unix)]
fn check_animal(name: &str, arguments: &[&str], code: i32, says: &[&str], values: usize) {
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
    let said = check(&[arguments, &["--engine", engine, from, "-o", to]].concat(), code);
    for expected in says {
        assert!(said.contains(expected), "{name}: {said}");
    }
    let record = read(&output);
    let mut walk = record.walk();
    let nodes = std::iter::once(NodeId::START).chain(record.main_line());
    let said: Vec<_> = nodes.map(|node| walk.evaluations(node)).collect();
    assert_eq!(said.iter().filter(|said| !said.is_empty()).count(), values, "{name}");
    for (ply, said) in said.iter().enumerate().filter(|(_, said)| !said.is_empty()) {
        // The zoo's values say of which position they are, as the side to move sees it.
        let cp = i32::try_from(ply + 1).unwrap() * 100 * if ply % 2 == 0 { 1 } else { -1 };
        assert_eq!(said[0].value, Some(shogibar::score::Value::Cp(cp)), "{name} {ply}");
        assert_eq!((said.len(), said[0].source), (1, Source::Analysis), "{name} {ply}");
    }
}

#[cfg(unix)]
#[test]
fn an_engine_that_ends_in_the_middle_is_started_again() {
    let time = ["--movetime", "50"];
    check_animal("dies-on-go", &time, 0, &["(exit code 101)", "7 (7 now"], 7);
    check_animal("dies-on-stop", &time, 0, &["(exit code 9)", "7 (7 now"], 7);
    check_animal("ignores-stop", &time, 0, &["did not answer stop", "7 (7 now"], 7);
    check_animal("bestmove-before-stop-and-on-stop", &time, 0, &["7 (7 now"], 7);
    check_animal("deadlocks-in-a-search", &time, 0, &["7 (7 now"], 7);
}

#[cfg(unix)]
#[test]
fn a_position_that_no_engine_survives_is_given_up() {
    let says = ["The position after move 0 was given up", "(exit code 5)", "6 (6 now"];
    check_animal("dies-at-the-start-position", &["--movetime", "50"], 1, &says, 6);
}

#[cfg(unix)]
#[test]
fn an_engine_that_ends_at_limits_is_stopped_by_us() {
    check_animal("aborts-on-limits", &["--depth", "3"], 0, &["ends when it is told of nodes or depth", "7 (7 now"], 7);
}

#[test]
fn one_engine_goes_on_without_the_other() {
    let output = folder("without").join("out.kifu");
    let engines = ["--engine", "/nowhere/engine", "--engine", "builtin", "--nodes", "50", "--to", "3"];
    let said = check(&[&engines[..], &[EXAMPLE, "-o", output.to_str().unwrap()]].concat(), 1);
    assert!(said.contains("There is no engine '/nowhere/engine'") && said.contains("4 (4 now"), "{said}");
}

#[test]
fn what_cannot_be_done_is_said() {
    let folder = folder("refused");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let refused = |arguments: &[&str], expect: &str| {
        let said = check(arguments, 2);
        assert!(said.contains(expect), "{arguments:?}: {said}");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1, "{arguments:?}: something was left");
    };
    let prose = path("prose.txt");
    fs::write(&prose, "This is no game.\n").unwrap();
    refused(&[EXAMPLE, "-o", &prose], "is no game record");
    refused(&[&prose, "-o", &path("out.kif")], "cannot be read as a game record");
    refused(&["--engine", "/nowhere/engine", EXAMPLE, "-o", &path("out.kif")], "/nowhere/engine");
    refused(&[EXAMPLE, "-o", &path("out.usi")], "no place for evaluations");
    refused(&[EXAMPLE, "-o", &path("out.sfen")], "no place for evaluations");
    refused(&["--from", "5", "--to", "4", EXAMPLE], "nothing in between");
    refused(&["--nodes", "5", "--depth", "4", EXAMPLE], "cannot be used with");
    refused(&["--comments", "kishin", EXAMPLE], "shogihome shogigui floodgate csa3");
}

#[test]
fn the_format_stays_unless_the_name_says_another() {
    let folder = folder("formats");
    let usual = ["--nodes", "50", "--to", "3"];
    let out = folder.join("a.csa");
    check(&[&usual[..], &[EXAMPLE, "-o", out.to_str().unwrap()]].concat(), 0);
    assert!(fs::read(&out).unwrap().starts_with(b"V2.2") || fs::read(&out).unwrap().starts_with(b"'"));
    let bytes = fs::read(EXAMPLE).unwrap();
    let printed = analyze(&[&usual[..], &[EXAMPLE]].concat());
    let (ours, theirs) = (kifu::read(&printed.stdout).unwrap(), kifu::read(&bytes).unwrap());
    assert_eq!((ours.format, ours.games[0].len()), (theirs.format, theirs.games[0].len()));
    let added = folder.join("b.kifu");
    let arguments = ["--add-variations", "--nodes", "500", EXAMPLE, "-o", added.to_str().unwrap()];
    let said = check(&arguments, 0);
    let variations = read(&added).all().count() - theirs.games[0].all().count();
    assert!(variations > 0 && said.contains("added as variations"), "{said}");
}

/// An engine that is the built-in one, but for what it does first.
#[cfg(unix)]
fn after(name: &str, first: &str) -> support::Script {
    support::Script::new(name, &format!("{first}\nexec {SHOGIBAR} engine\n"))
}

#[cfg(unix)]
#[test]
fn what_is_saved_meanwhile_is_not_written_over() {
    let folder = folder("meanwhile");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let [game, later, other] = ["game.kif", "later.kif", "other.kif"].map(path);
    fs::copy(EXAMPLE, &game).unwrap();
    let mut record = read(Path::new(EXAMPLE));
    let nodes: Vec<_> = record.main_line().collect();
    record.node_mut(nodes[0]).notes_mut().comment = Some("私の感想".to_owned());
    // What is at another place in the file is at its own in the game.
    record.add_line(NodeId::START, &[shogibar::shogi::Move::from_usi("9g9f").unwrap()]);
    fs::write(&later, kifu::write(&record, kifu::read(&fs::read(EXAMPLE).unwrap()).unwrap().target).bytes).unwrap();
    let engine = after("analyze-meanwhile", &format!("cp '{later}' '{game}'"));
    let usual = ["--nodes", "50", "--to", "3", "--engine", engine.path.to_str().unwrap()];
    check(&[&usual[..], &[&game, "-o", &game]].concat(), 0);
    let written = read(Path::new(&game));
    assert_eq!((written.all().count(), written.len()), (record.all().count(), record.len()));
    let comments = comments(&written);
    assert!(comments[1].starts_with("私の感想\n"), "{}", comments[1]);
    assert!(comments[..4].iter().all(|comment| comment.contains("[nodes 50]")), "{comments:?}");
    // One that is not what was read is left alone, and nothing is lost.
    fs::copy(EXAMPLE, &other).unwrap();
    let engine = after("analyze-meanwhile-other", &format!("cp '{later}' '{other}'"));
    let usual = ["--nodes", "60", "--to", "3", "--engine", engine.path.to_str().unwrap()];
    let said = check(&[&usual[..], &[EXAMPLE, "-o", &other]].concat(), 2);
    assert!(said.contains("was changed during the analysis"), "{said}");
    assert!(fs::read(&other).unwrap() == fs::read(&later).unwrap());
    assert_eq!(positions_in(&kept(Path::new(&other))), 4);
    let said = check(&["--nodes", "60", "--to", "3", EXAMPLE, "-o", &other], 0);
    assert!(said.contains("(0 now, 4 before)"), "{said}");
}

/// What lies between an answer and the next search, the engine's own part and the handshake left out, in
/// microseconds: from `bestmove` to `isready` and from `readyok` to `go`, in the median. Held to a bound on a machine
/// that does nothing else (`SHOGIBAR_SOAK`).
#[cfg(unix)]
#[test]
fn an_engine_does_not_wait_for_its_next_position() {
    let folder = folder("stopwatch");
    let zoo = std::env::current_exe().unwrap();
    let zoo = zoo.parent().and_then(Path::parent).unwrap().join("examples/zoo");
    let text = format!("exec {} stopwatch 2>>\"$(dirname \"$0\")/log\"\n", zoo.display());
    let script = support::Script::new("analyze-stopwatch", &text);
    let output = folder.join("out.kifu");
    let [engine, to] = [&script.path, &output].map(|path| path.to_str().unwrap());
    check(&["--engine", engine, "--nodes", "1", EXAMPLE, "-o", to], 0);
    let log = fs::read_to_string(script.beside("log")).unwrap();
    let notes: Vec<(u64, &str)> =
        log.lines().filter_map(|line| line.split_once(' ')).map(|(at, what)| (at.parse().unwrap(), what)).collect();
    let at = |what: &str| notes.iter().filter(|(_, noted)| *noted == what).map(|(at, _)| *at).collect::<Vec<u64>>();
    // The first `isready` and `readyok` are of the start.
    let (asked, ready) = (at("> isready").split_off(1), at("< readyok").split_off(1));
    let (told, went) = (at("< bestmove"), at("> go").split_off(1));
    assert_eq!((asked.len(), went.len()), (116, 116));
    let gaps = (0..went.len()).map(|n| (asked[n] - told[n]) + (went[n] - ready[n]));
    let mut gaps: Vec<u64> = gaps.collect();
    gaps.sort_unstable();
    let (median, last) = (gaps[gaps.len() / 2], gaps[gaps.len() - 1]);
    eprintln!("bestmove to the next go, handshake aside: {median} µs in the median, {last} at most");
    if std::env::var_os("SHOGIBAR_SOAK").is_some() {
        assert!(median <= 2000, "{median} µs in the median");
    }
}

#[cfg(unix)]
#[test]
fn a_search_without_a_value_is_no_analysis() {
    let folder = folder("no-value");
    let answers = "usi) echo id name Dumb; echo usiok;; isready) echo readyok;; quit) exit;;";
    let text = format!("while read -r line; do case $line in {answers} go*) echo bestmove 7g7f;; esac; done");
    let engine = support::Script::new("no-value", &text);
    let (engine, file) = (engine.path.to_str().unwrap(), folder.join("game.kifu"));
    fs::write(&file, "手合割：平手\n   1 ７六歩(77)\n").unwrap();
    let file = file.to_str().unwrap();
    for _ in 0..2 {
        let said = check(&[file, "-o", file, "--engine", engine, "--nodes", "10"], 1);
        assert!(said.contains("without a value: 2"), "{said}");
    }
    let said = check(&[file, "-o", file, "--engine", engine, "--from", "5"], 2);
    assert!(said.contains("there is nothing in between"), "{said}");
}
