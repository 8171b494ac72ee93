//! The built-in engine over USI: `shogibar engine` with pipes, and the searcher in process.

use super::support::{self, PATIENCE};
use shogibar_builtin::{Control, Limits, SearchOutcome, SearchReport, Searcher};
use shogibar_shogi::score::UsiScore;
use shogibar_shogi::{History, Move, Position};
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};

/// A running built-in engine with its pipes.
struct Engine {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Engine {
    fn start() -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_shogibar"))
            .arg("engine")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let stdout = BufReader::new(child.stdout.take().expect("piped"));
        let (sender, lines) = sync_channel(10_000);
        std::thread::spawn(move || {
            stdout
                .lines()
                .map_while(Result::ok)
                .try_for_each(|line| sender.send(line))
        });
        let stdin = child.stdin.take();
        Self { child, stdin, lines }
    }

    fn send(&mut self, line: &str) {
        writeln!(self.stdin.as_mut().expect("open"), "{line}").expect("the engine listens");
    }

    /// Reads lines up to the first that starts with `word`.
    fn until(&self, word: &str) -> Vec<String> {
        let mut output = Vec::new();
        loop {
            let line = self
                .lines
                .recv_timeout(PATIENCE)
                .unwrap_or_else(|_| panic!("no {word} after {output:?}"));
            let done = line.split(' ').next() == Some(word);
            output.push(line);
            if done {
                return output;
            }
        }
    }

    fn ask(&mut self, lines: &[&str], until: &str) -> Vec<String> {
        for line in lines {
            self.send(line);
        }
        self.until(until)
    }

    fn exits(mut self) {
        drop(self.stdin.take());
        while self.lines.recv_timeout(PATIENCE) != Err(RecvTimeoutError::Disconnected) {}
        assert!(
            self.child.wait().expect("it can be waited for").success(),
            "a clean end"
        );
    }
}

fn field<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    line.split(' ').skip_while(|word| *word != name).nth(1)
}

fn last(output: &[String]) -> &str {
    output.last().map_or("", String::as_str)
}

#[test]
fn usi_lists_name_and_options() {
    let mut engine = Engine::start();
    let output = engine.ask(&["usi"], "usiok").join("\n");
    for expected in [
        concat!("id name Shogibar ", env!("CARGO_PKG_VERSION")),
        "(built-in, R",
        "option name Threads type spin",
        "option name USI_Hash type spin",
        "option name MultiPV type spin",
    ] {
        assert!(output.contains(expected), "{expected} in {output}");
    }
    assert_eq!(engine.ask(&["isready"], "readyok"), ["readyok"]);
    engine.send("quit");
    engine.exits();
}

#[test]
fn reports_every_depth_and_every_pv() {
    let mut engine = Engine::start();
    let output = engine.ask(
        &[
            "setoption name MultiPV value 3",
            "position startpos moves 7g7f",
            "go depth 5",
        ],
        "bestmove",
    );
    let reported: Vec<_> = output
        .iter()
        .filter_map(|line| Some((field(line, "depth")?, field(line, "multipv")?)))
        .collect();
    let expected = ["1", "2", "3", "4", "5"]
        .iter()
        .flat_map(|depth| ["1", "2", "3"].map(|rank| (*depth, rank)));
    assert_eq!(reported, expected.collect::<Vec<_>>());
    let best = output
        .iter()
        .rfind(|line| field(line, "multipv") == Some("1"))
        .expect("a best line");
    assert_eq!(field(best, "pv"), field(last(&output), "bestmove"));
    for name in ["seldepth", "score", "cp", "nodes", "nps", "time", "hashfull"] {
        assert!(
            field(best, name).is_some_and(|value| value.parse::<i64>().is_ok() || name == "score"),
            "{name}: {best}"
        );
    }
    engine.exits();
}

#[test]
fn waits_for_stop_in_infinite_and_ponder_searches() {
    let mut engine = Engine::start();
    // Mate in one: the search is complete long before the stop.
    let mated = "position sfen 4k4/9/4G4/9/9/9/9/9/4K4 b G 1";
    for go in ["go infinite", "go ponder btime 1000 wtime 1000"] {
        let output = engine.ask(&[mated, go, "isready"], "readyok");
        assert!(
            output.iter().all(|line| !line.starts_with("bestmove")),
            "{output:?}"
        );
        engine.send("stop");
        assert!(last(&engine.until("bestmove")).starts_with("bestmove G*"));
    }
    let output = engine.ask(
        &[
            "position startpos",
            "go ponder btime 0 wtime 0 byoyomi 200",
            "ponderhit",
        ],
        "bestmove",
    );
    assert!(output.iter().any(|line| line.contains(" depth 1 ")), "{output:?}");
    engine.exits();
}

#[test]
fn ponderhit_starts_the_time_of_a_pondering_search_alone() {
    let mut engine = Engine::start();
    let mated = "position sfen 4k4/9/4G4/9/9/9/9/9/4K4 b G 1";
    let output = engine.ask(&[mated, "go infinite", "ponderhit", "isready"], "readyok");
    assert!(
        output.iter().all(|line| !line.starts_with("bestmove")),
        "nothing ponders: {output:?}"
    );
    engine.ask(&["stop"], "bestmove");
    engine.send("position startpos");
    engine.send("go ponder movetime 200");
    std::thread::sleep(Duration::from_millis(300));
    let hit = Instant::now();
    engine.ask(&["ponderhit"], "bestmove");
    assert!(
        hit.elapsed() >= Duration::from_millis(150),
        "the time begins with the hit: {:?}",
        hit.elapsed()
    );
    engine.exits();
}

#[test]
fn moves_that_are_not_searched_are_not_reported() {
    let mut searcher = Searcher::new(8, 1);
    let limits = |nodes| Limits {
        nodes,
        lines: 3,
        depth: 1,
        ..Limits::default()
    };
    for position in [MIDDLE_GAME, "startpos"] {
        let (whole, _) = run_search(&mut searcher, position, &limits(u64::MAX));
        let max_nodes = whole.last().map_or(0, |report| report.nodes);
        let scores: Vec<UsiScore> = whole.iter().map(|report| report.score).collect();
        for nodes in 1..max_nodes {
            searcher.clear();
            let (reports, _) = run_search(&mut searcher, position, &limits(nodes));
            assert!(!reports.is_empty() && reports.len() < 3, "{nodes} of {max_nodes}");
            if reports.len() == 2 {
                assert!(
                    reports.iter().all(|report| scores.contains(&report.score)),
                    "{nodes}: {reports:?}"
                );
            }
        }
    }
    let illegal = Limits {
        moves: vec![Move::from_usi("5e5d").expect("a move")],
        depth: 1,
        ..Limits::default()
    };
    assert!(
        matches!(
            run_search(&mut searcher, "startpos", &illegal).1,
            SearchOutcome::Play(..)
        ),
        "none is legal"
    );
}

#[test]
fn has_a_value_and_a_move_when_stopped_at_once() {
    let mut engine = Engine::start();
    let many_moves = "position sfen R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1";
    for position in ["position startpos", many_moves] {
        for _ in 0..10 {
            let output = engine.ask(&[position, "go infinite", "stop"], "bestmove");
            assert!(
                output.iter().any(|line| field(line, "score").is_some()),
                "{output:?}"
            );
            assert!(
                output.iter().all(|line| field(line, "depth") != Some("0")),
                "{output:?}"
            );
            assert!(
                Move::from_usi(field(last(&output), "bestmove").unwrap_or("")).is_some(),
                "{output:?}"
            );
        }
    }
    engine.exits();
}

#[test]
fn answers_each_go_once_with_other_commands_in_between() {
    let mut engine = Engine::start();
    let lines = [
        "go infinite",
        "position startpos moves 7g7f",
        "setoption name USI_Hash value 1",
        "go infinite",
        "stop",
    ];
    let mut output = engine.ask(&lines, "bestmove");
    output.extend(engine.until("bestmove"));
    let after = engine.ask(
        &[
            "stop",
            "ponderhit",
            "gameover win",
            "nonsense",
            "",
            "usinewgame",
            "isready",
        ],
        "readyok",
    );
    assert_eq!(after, ["readyok"]);
    engine.send("go infinite");
    engine.send("quit");
    engine.exits();
}

#[test]
fn several_threads_answer_as_one() {
    let mut engine = Engine::start();
    engine.ask(
        &[
            "usi",
            "setoption name Threads value 3",
            "setoption name MultiPV value 2",
            "isready",
        ],
        "readyok",
    );
    let mut answer = |position: &str, go: &str, stop: bool| {
        engine.send(&format!("position {position}"));
        engine.send(go);
        if stop {
            engine.until("info");
            engine.send("stop");
        }
        let output = engine.until("bestmove");
        assert!(
            field(last(&output), "bestmove").is_some_and(|mv| Move::from_usi(mv).is_some()),
            "{output:?}"
        );
        output
    };
    answer("startpos", "go depth 6", false);
    answer(MIDDLE_GAME, "go nodes 60000", false);
    answer("startpos moves 7g7f", "go infinite", true);
    assert!(
        last(&engine.ask(&["position sfen 8k/9/8P/9/9/9/9/9/9 b G 1", "go"], "bestmove")).contains("resign")
    );
    engine.send("position startpos");
    engine.send("go infinite");
    engine.exits();
}

#[test]
fn exits_at_the_end_of_input_during_a_search() {
    let mut engine = Engine::start();
    engine.ask(&["position startpos", "go infinite"], "info");
    engine.exits();
}

#[test]
fn reports_why_a_position_cannot_be_searched() {
    let mut engine = Engine::start();
    let cases = [
        ("sfen 9/9/9/9/9/9/9/9/9 b - 1", "king"),
        ("sfen 9/9/9/9/4k4/9/9/9/9 b 2R 1", "king"),
        ("sfen 4k4/9/9/9/9/9/9/9/K3K4 b - 1", "king"),
        ("sfen 4k4/4R4/9/9/9/9/9/9/4K4 b - 1", "in check"),
        ("sfen 4k4/9/9/9/9/9/9/9/4K1RR1 b R 1", "too many"),
        ("sfen 4k4/9/9/9/9/9/9/9/4K4 b 3R 1", "hands"),
        ("sfen 4k4/9/9/9/9/9/9/9/4K4 b 99R 1", "hands"),
        ("sfen 4k4/9/9/9/4P4/4P4/9/9/4K4 b - 1", "two pawns"),
        ("sfen 4k3P/9/9/9/9/9/9/9/4K4 b - 1", "never move"),
        (
            "sfen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "chess",
        ),
        ("sfen lnsgkgsnl b - 1", "rank"),
        ("startpos moves 7g7f 7g7f", "illegal"),
        ("startpos moves 7g7f what", "no move"),
        ("somewhere", "startpos"),
        ("", "startpos"),
    ];
    for (position, reason) in cases {
        let output = engine.ask(&[&format!("position {position}"), "go movetime 1000"], "bestmove");
        assert_eq!(last(&output), "bestmove resign", "{position}");
        let is_reported = output
            .iter()
            .any(|line| line.starts_with("info string cannot search") && line.contains(reason));
        assert!(is_reported, "{position}: {output:?}");
        // A mating problem has no king of the attacker.
        let is_problem = position.contains("9/9/9/9/4k4");
        let output = engine.ask(&["go mate 100"], "checkmate");
        assert_eq!(
            last(&output) != "checkmate notimplemented",
            is_problem,
            "{position}: {output:?}"
        );
    }
    let output = engine.ask(&["position startpos", "go depth 1"], "bestmove");
    assert_ne!(
        last(&output),
        "bestmove resign",
        "the next position is searched as if nothing had been"
    );
    engine.exits();
}

#[test]
fn knows_mates_declarations_and_repetitions() {
    let mut engine = Engine::start();
    let cases = [
        (
            "sfen 4k4/4G4/4G4/9/9/9/9/9/4K4 w - 1",
            "go depth 3",
            "mate -0",
            "bestmove resign",
        ),
        (
            "sfen 4k4/9/4G4/9/9/9/9/9/4K4 b G 1",
            "go depth 3",
            "mate 1",
            "bestmove G*",
        ),
        // 28 points: ten pieces beside the king in the zone, four of them major, and two in hand.
        (
            "sfen K8/+P+P+P+P+P+PR+RB/+B8/9/9/9/9/9/4k4 b 2P4g4s4n4l10p 1",
            "go depth 3",
            "mate +",
            "bestmove win",
        ),
        ("startpos", "go nodes 5000", "cp", "bestmove"),
        ("startpos", "go byoyomi 300", "cp", "bestmove"),
        (
            "startpos",
            "go btime 1000 wtime -5 binc 100 winc 100",
            "cp",
            "bestmove",
        ),
        ("startpos", "go depth 3 searchmoves 1g1f 9g9f", "cp", "bestmove"),
        // Ten pieces less.
        (
            "sfen 4k4/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
            "go depth 4",
            "cp",
            "bestmove",
        ),
        (
            "sfen 4k4/9/9/9/9/9/9/9/4K4 b - 9999",
            "go depth 4",
            "cp",
            "bestmove",
        ),
    ];
    for (position, go, score, answer) in cases {
        let output = engine.ask(&[&format!("position {position}"), go], "bestmove");
        assert!(
            output.iter().any(|line| line.contains(&format!("score {score}"))),
            "{position}, {go}: {output:?}"
        );
        assert!(last(&output).starts_with(answer), "{position}, {go}: {output:?}");
    }
    engine.exits();
}

#[test]
fn go_mate_is_answered_with_checkmate() {
    let mut engine = Engine::start();
    let cases = [
        ("sfen 4k4/9/4G4/9/9/9/9/9/4K4 b G 1", "checkmate G*5b"),
        ("sfen 4k4/9/9/9/9/9/9/9/4K4 b P 1", "checkmate nomate"),
        ("startpos", "checkmate nomate"),
        // The mate has three plies: the gold is sacrificed first.
        ("sfen 7nl/5+P1k1/6ppp/9/9/9/9/9/4K4 b 2G 1", "checkmate"),
    ];
    for (position, answer) in cases {
        let output = engine.ask(&[&format!("position {position}"), "go mate 20000"], "checkmate");
        assert!(last(&output).starts_with(answer), "{position}: {output:?}");
    }
    engine.exits();
}

/// Searches in process and returns all reports and the outcome.
fn run_search(
    searcher: &mut Searcher,
    position: &str,
    limits: &Limits,
) -> (Vec<SearchReport>, SearchOutcome) {
    let history = History::from_usi(position).expect("a good position");
    let mut reports = Vec::new();
    let control = Control::new(None);
    let answer = searcher.think(&history, limits, &control, &|| 0, &mut |report| {
        reports.push(report.clone());
    });
    (reports, answer.expect("a position to search"))
}

const MIDDLE_GAME: &str = "sfen l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1";

#[test]
fn the_same_search_gives_the_same_result() {
    let limits = Limits {
        nodes: 30_000,
        lines: 2,
        ..Limits::default()
    };
    let fresh = run_search(&mut Searcher::new(8, 1), MIDDLE_GAME, &limits);
    let mut used = Searcher::new(8, 1);
    run_search(&mut used, "startpos", &limits);
    run_search(&mut used, MIDDLE_GAME, &limits);
    used.clear();
    assert_eq!(run_search(&mut used, MIDDLE_GAME, &limits), fresh);
    assert_eq!(fresh.0.last().map(|report| report.nodes <= 30_001), Some(true));
}

#[test]
fn the_nodes_of_helpers_count() {
    let history = History::from_usi(MIDDLE_GAME).expect("a good position");
    let mut searcher = Searcher::new(8, 2);
    let mut workers = searcher.workers();
    let (first, helper) = (
        workers.next().expect("the first"),
        workers.next().expect("the second"),
    );
    let limits = Limits {
        nodes: 20_000,
        ..Limits::default()
    };
    helper.help(&history, &limits, &Control::new(None));
    let mut nodes = 0;
    let answer = first.think(&history, &limits, &Control::new(None), &|| 0, &mut |report| {
        nodes = report.nodes;
    });
    assert!(matches!(answer, Ok(SearchOutcome::Play(..))), "{answer:?}");
    assert!(
        (20_000..21_500).contains(&nodes),
        "the helper's are used up, so the first has none left: {nodes}"
    );
}

#[test]
fn a_repetition_scores_zero() {
    // The position has occurred four times, which only the history shows.
    let moves = "5i5h 5a5b 5h5i 5b5a ".repeat(3);
    let position = format!("sfen 4k4/9/9/9/9/9/9/9/4K4 b - 1 moves {moves}");
    let history = History::from_usi(position.trim()).expect("a good position");
    assert!(
        history.now().repetition().is_some(),
        "the start came up for the fourth time"
    );
    let (reports, _) = run_search(
        &mut Searcher::new(1, 1),
        position.trim(),
        &Limits {
            depth: 3,
            ..Limits::default()
        },
    );
    assert!(!reports.is_empty(), "and it is searched all the same");
    // One ply earlier, White is a rook down and takes the draw by repetition.
    let moves = "5i5h 5a5b 5h5i 5b5a ".repeat(3);
    let position = format!(
        "sfen 4k4/9/9/9/9/9/9/9/R3K4 b - 1 moves {}",
        moves.trim().trim_end_matches(" 5b5a")
    );
    let (reports, answer) = run_search(
        &mut Searcher::new(1, 1),
        &position,
        &Limits {
            depth: 3,
            ..Limits::default()
        },
    );
    assert_eq!(reports.last().map(|report| report.score), Some(UsiScore::Cp(0)));
    assert_eq!(
        answer,
        SearchOutcome::Play(Move::from_usi("5b5a").expect("a move"), None)
    );
}

/// Returns the next number of a sequence that is identical on every machine.
fn random(state: &mut u64) -> usize {
    *state = state
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1_442_695_040_888_963_407);
    usize::try_from(*state >> 40).unwrap_or(0)
}

#[test]
fn answers_positions_of_random_games_with_legal_moves_and_pvs() {
    let mut searcher = Searcher::new(1, 1);
    let mut state = 1;
    for _ in 0..12 {
        let mut history = History::new(Position::startpos());
        for ply in 0..160 {
            let legal = history.now().legal_moves();
            if legal.is_empty() {
                break;
            }
            if ply % 8 == 0 {
                check_answer(&mut searcher, &history, random(&mut state) % 400);
            }
            let mv = legal[random(&mut state) % legal.len()];
            history.play(mv).expect("a legal move");
        }
    }
}

fn check_answer(searcher: &mut Searcher, history: &History, nodes: usize) {
    let limits = Limits {
        nodes: nodes as u64,
        lines: 3,
        ..Limits::default()
    };
    let (reports, answer) = run_search(searcher, &history.usi(), &limits);
    for report in &reports {
        let mut position = history.now().clone();
        for mv in &report.line {
            position
                .play(*mv)
                .unwrap_or_else(|reason| panic!("{mv} of {report} after {}: {reason}", history.usi()));
        }
    }
    match answer {
        SearchOutcome::Play(mv, _) => assert!(history.now().is_legal(mv), "{mv} after {}", history.usi()),
        SearchOutcome::Resign => assert!(
            history.now().legal_moves().is_empty(),
            "resigned after {}",
            history.usi()
        ),
        SearchOutcome::Declare => assert!(
            history.now().can_declare_win(),
            "declared after {}",
            history.usi()
        ),
    }
}

/// Searches every fifth of the judged positions, to a depth that a slow build reaches too. The sign has to be right in
/// most. `benches/engine.rs` measures the strength.
#[test]
fn finds_the_side_that_is_clearly_ahead() {
    let Some(path) = support::shared("positions/judged.tsv") else {
        return;
    };
    let table = std::fs::read_to_string(path).expect("readable");
    let mut searcher = Searcher::new(8, 1);
    let (mut right, mut all) = (0, 0);
    for row in table.lines().skip(1).step_by(5) {
        let mut cells = row.split('\t');
        let (position, judged) = (cells.next().expect("a position"), cells.next().expect("a value"));
        let judged: i32 = judged.parse().expect("a number");
        if judged.abs() <= 800 {
            continue;
        }
        let (reports, _) = run_search(
            &mut searcher,
            position,
            &Limits {
                depth: 5,
                ..Limits::default()
            },
        );
        let side = History::from_usi(position)
            .expect("a good position")
            .now()
            .side_to_move();
        let value = reports.last().expect("a thought").score.for_black(side);
        let is_black = value > Some(shogibar_shogi::score::Value::Cp(0));
        right += usize::from(is_black == (judged > 0));
        all += 1;
    }
    assert!(right * 10 >= all * 7, "{right} of {all}");
}
