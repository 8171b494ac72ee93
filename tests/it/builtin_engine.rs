//! The built-in engine as a host meets it: `shogibar engine` over pipes.

use super::support::{self, PATIENCE};
use shogibar::score::UsiScore;
use shogibar::search::{Control, Limits, SearchOutcome, SearchReport, Searcher};
use shogibar::shogi::{History, Move, Position};
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};

/// A running engine.
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
        std::thread::spawn(move || stdout.lines().map_while(Result::ok).try_for_each(|line| sender.send(line)));
        let stdin = child.stdin.take();
        Self { child, stdin, lines }
    }

    fn say(&mut self, line: &str) {
        writeln!(self.stdin.as_mut().expect("open"), "{line}").expect("the engine listens");
    }

    /// Everything up to the first line that starts with `word`.
    fn until(&self, word: &str) -> Vec<String> {
        let mut heard = Vec::new();
        loop {
            let line = self.lines.recv_timeout(PATIENCE).unwrap_or_else(|_| panic!("no {word} after {heard:?}"));
            let done = line.split(' ').next() == Some(word);
            heard.push(line);
            if done {
                return heard;
            }
        }
    }

    fn ask(&mut self, lines: &[&str], until: &str) -> Vec<String> {
        for line in lines {
            self.say(line);
        }
        self.until(until)
    }

    fn exits(mut self) {
        drop(self.stdin.take());
        while self.lines.recv_timeout(PATIENCE) != Err(RecvTimeoutError::Disconnected) {}
        assert!(self.child.wait().expect("it can be waited for").success(), "a clean end");
    }
}

fn field<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    line.split(' ').skip_while(|word| *word != name).nth(1)
}

fn last(heard: &[String]) -> &str {
    heard.last().map_or("", String::as_str)
}

#[test]
fn says_who_it_is_and_what_it_can() {
    let mut engine = Engine::start();
    let heard = engine.ask(&["usi"], "usiok").join("\n");
    for expected in [
        concat!("id name Shogibar ", env!("CARGO_PKG_VERSION")),
        "weak",
        "option name USI_Hash type spin",
        "option name MultiPV type spin",
    ] {
        assert!(heard.contains(expected), "{expected} in {heard}");
    }
    assert_eq!(engine.ask(&["isready"], "readyok"), ["readyok"]);
    engine.say("quit");
    engine.exits();
}

#[test]
fn reports_every_depth_and_every_line() {
    let mut engine = Engine::start();
    let heard =
        engine.ask(&["setoption name MultiPV value 3", "position startpos moves 7g7f", "go depth 5"], "bestmove");
    let told: Vec<_> = heard.iter().filter_map(|line| Some((field(line, "depth")?, field(line, "multipv")?))).collect();
    let expected = ["1", "2", "3", "4", "5"].iter().flat_map(|depth| ["1", "2", "3"].map(|rank| (*depth, rank)));
    assert_eq!(told, expected.collect::<Vec<_>>());
    let best = heard.iter().rfind(|line| field(line, "multipv") == Some("1")).expect("a best line");
    assert_eq!(field(best, "pv"), field(last(&heard), "bestmove"));
    for name in ["seldepth", "score", "cp", "nodes", "nps", "time", "hashfull"] {
        assert!(
            field(best, name).is_some_and(|value| value.parse::<i64>().is_ok() || name == "score"),
            "{name}: {best}"
        );
    }
    engine.exits();
}

#[test]
fn waits_for_stop_where_go_says_so() {
    let mut engine = Engine::start();
    // Mate in one: nothing is left to search long before the stop.
    let mated = "position sfen 4k4/9/4G4/9/9/9/9/9/4K4 b G 1";
    for go in ["go infinite", "go ponder btime 1000 wtime 1000"] {
        let heard = engine.ask(&[mated, go, "isready"], "readyok");
        assert!(heard.iter().all(|line| !line.starts_with("bestmove")), "{heard:?}");
        engine.say("stop");
        assert!(last(&engine.until("bestmove")).starts_with("bestmove G*"));
    }
    let heard = engine.ask(&["position startpos", "go ponder btime 0 wtime 0 byoyomi 200", "ponderhit"], "bestmove");
    assert!(heard.iter().any(|line| line.contains(" depth 1 ")), "{heard:?}");
    engine.exits();
}

#[test]
fn always_has_a_value_and_a_move_even_when_stopped_at_once() {
    let mut engine = Engine::start();
    let many_moves = "position sfen R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1";
    for position in ["position startpos", many_moves] {
        for _ in 0..10 {
            let heard = engine.ask(&[position, "go infinite", "stop"], "bestmove");
            assert!(heard.iter().any(|line| field(line, "score").is_some()), "{heard:?}");
            assert!(heard.iter().all(|line| field(line, "depth") != Some("0")), "{heard:?}");
            assert!(Move::from_usi(field(last(&heard), "bestmove").unwrap_or("")).is_some(), "{heard:?}");
        }
    }
    engine.exits();
}

#[test]
fn answers_each_go_once_whatever_comes_in_between() {
    let mut engine = Engine::start();
    let lines =
        ["go infinite", "position startpos moves 7g7f", "setoption name USI_Hash value 1", "go infinite", "stop"];
    let mut heard = engine.ask(&lines, "bestmove");
    heard.extend(engine.until("bestmove"));
    let after = engine.ask(&["stop", "ponderhit", "gameover win", "nonsense", "", "usinewgame", "isready"], "readyok");
    assert_eq!(after, ["readyok"]);
    engine.say("go infinite");
    engine.say("quit");
    engine.exits();
}

#[test]
fn ends_with_its_input_in_mid_search() {
    let mut engine = Engine::start();
    engine.ask(&["position startpos", "go infinite"], "info");
    engine.exits();
}

#[test]
fn says_what_it_cannot_search_and_why() {
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
        ("sfen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "chess"),
        ("sfen lnsgkgsnl b - 1", "rank"),
        ("startpos moves 7g7f 7g7f", "illegal"),
        ("startpos moves 7g7f what", "no move"),
        ("somewhere", "startpos"),
        ("", "startpos"),
    ];
    for (position, reason) in cases {
        let heard = engine.ask(&[&format!("position {position}"), "go movetime 1000"], "bestmove");
        assert_eq!(last(&heard), "bestmove resign", "{position}");
        let said = heard.iter().any(|line| line.starts_with("info string cannot search") && line.contains(reason));
        assert!(said, "{position}: {heard:?}");
        let heard = engine.ask(&["go mate 1000"], "checkmate");
        assert_eq!(last(&heard), "checkmate notimplemented", "{position}");
    }
    let heard = engine.ask(&["position startpos", "go depth 1"], "bestmove");
    assert_ne!(last(&heard), "bestmove resign", "the next position is searched as if nothing had been");
    engine.exits();
}

#[test]
fn knows_mates_declarations_and_repetitions() {
    let mut engine = Engine::start();
    let cases = [
        ("sfen 4k4/4G4/4G4/9/9/9/9/9/4K4 w - 1", "go depth 3", "mate -0", "bestmove resign"),
        ("sfen 4k4/9/4G4/9/9/9/9/9/4K4 b G 1", "go depth 3", "mate 1", "bestmove G*"),
        // 28 points: ten pieces beside the king in the far three ranks, four of them great ones, and
        // two more in hand.
        ("sfen K8/+P+P+P+P+P+PR+RB/+B8/9/9/9/9/9/4k4 b 2P4g4s4n4l10p 1", "go depth 3", "mate +", "bestmove win"),
        ("startpos", "go nodes 5000", "cp", "bestmove"),
        ("startpos", "go byoyomi 300", "cp", "bestmove"),
        ("startpos", "go btime 1000 wtime -5 binc 100 winc 100", "cp", "bestmove"),
        ("startpos", "go depth 3 searchmoves 1g1f 9g9f", "cp", "bestmove"),
        // Ten pieces fewer.
        ("sfen 4k4/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1", "go depth 4", "cp", "bestmove"),
        ("sfen 4k4/9/9/9/9/9/9/9/4K4 b - 9999", "go depth 4", "cp", "bestmove"),
    ];
    for (position, go, score, answer) in cases {
        let heard = engine.ask(&[&format!("position {position}"), go], "bestmove");
        assert!(heard.iter().any(|line| line.contains(&format!("score {score}"))), "{position}, {go}: {heard:?}");
        assert!(last(&heard).starts_with(answer), "{position}, {go}: {heard:?}");
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
        // Three plies: the gold is given up first.
        ("sfen 7nl/5+P1k1/6ppp/9/9/9/9/9/4K4 b 2G 1", "checkmate"),
    ];
    for (position, answer) in cases {
        let heard = engine.ask(&[&format!("position {position}"), "go mate 20000"], "checkmate");
        assert!(last(&heard).starts_with(answer), "{position}: {heard:?}");
    }
    engine.exits();
}

/// Searches in process and returns everything that was said.
fn think(searcher: &mut Searcher, position: &str, limits: &Limits) -> (Vec<SearchReport>, SearchOutcome) {
    let history = History::from_usi(position).expect("a good position");
    let mut thoughts = Vec::new();
    let control = Control::new(None);
    let answer = searcher.think(&history, limits, &control, &|| 0, &mut |thought| thoughts.push(thought.clone()));
    (thoughts, answer.expect("a position to search"))
}

const MIDDLE_GAME: &str = "sfen l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1";

#[test]
fn the_same_search_gives_the_same_result() {
    let limits = Limits { nodes: 30_000, lines: 2, ..Limits::default() };
    let fresh = think(&mut Searcher::new(8), MIDDLE_GAME, &limits);
    let mut used = Searcher::new(8);
    think(&mut used, "startpos", &limits);
    think(&mut used, MIDDLE_GAME, &limits);
    used.clear();
    assert_eq!(think(&mut used, MIDDLE_GAME, &limits), fresh);
    assert_eq!(fresh.0.last().map(|thought| thought.nodes <= 30_001), Some(true));
}

#[test]
fn a_repetition_is_worth_nothing_and_perpetual_check_loses() {
    // Black has the lone rook and may repeat for the third time or lose it; the history knows.
    let moves = "5i5h 5a5b 5h5i 5b5a ".repeat(3);
    let position = format!("sfen 4k4/9/9/9/9/9/9/9/4K4 b - 1 moves {moves}");
    let history = History::from_usi(position.trim()).expect("a good position");
    assert!(history.now().repetition().is_some(), "the start came up for the fourth time");
    let (thoughts, _) = think(&mut Searcher::new(1), position.trim(), &Limits { depth: 3, ..Limits::default() });
    assert!(!thoughts.is_empty(), "and it is searched all the same");
    // One ply before, going back is a draw, whatever else the position is worth: White, a rook down,
    // takes it.
    let moves = "5i5h 5a5b 5h5i 5b5a ".repeat(3);
    let position = format!("sfen 4k4/9/9/9/9/9/9/9/R3K4 b - 1 moves {}", moves.trim().trim_end_matches(" 5b5a"));
    let (thoughts, answer) = think(&mut Searcher::new(1), &position, &Limits { depth: 3, ..Limits::default() });
    assert_eq!(thoughts.last().map(|thought| thought.score), Some(UsiScore::Cp(0)));
    assert_eq!(answer, SearchOutcome::Play(Move::from_usi("5b5a").expect("a move"), None));
}

/// A cheap sequence of numbers that is the same everywhere.
fn random(state: &mut u64) -> usize {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    usize::try_from(*state >> 40).unwrap_or(0)
}

#[test]
fn every_position_of_random_games_gets_a_legal_move_and_a_legal_line() {
    let mut searcher = Searcher::new(1);
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
    let limits = Limits { nodes: nodes as u64, lines: 3, ..Limits::default() };
    let (thoughts, answer) = think(searcher, &history.usi(), &limits);
    for thought in &thoughts {
        let mut position = history.now().clone();
        for mv in &thought.line {
            position.play(*mv).unwrap_or_else(|reason| panic!("{mv} of {thought} after {}: {reason}", history.usi()));
        }
    }
    match answer {
        SearchOutcome::Play(mv, _) => assert!(history.now().is_legal(mv), "{mv} after {}", history.usi()),
        SearchOutcome::Resign => assert!(history.now().legal_moves().is_empty(), "resigned after {}", history.usi()),
        SearchOutcome::Declare => assert!(history.now().can_declare_win(), "declared after {}", history.usi()),
    }
}

/// Every fifth of the judged positions, at a depth that even a slow build reaches: who is ahead is
/// mostly seen. How well is measured by `benches/engine.rs`.
#[test]
fn sees_who_is_clearly_ahead() {
    let Some(path) = support::shared("positions/judged.tsv") else { return };
    let table = std::fs::read_to_string(path).expect("readable");
    let mut searcher = Searcher::new(8);
    let (mut right, mut all) = (0, 0);
    for row in table.lines().skip(1).step_by(5) {
        let mut cells = row.split('\t');
        let (position, judged) = (cells.next().expect("a position"), cells.next().expect("a value"));
        let judged: i32 = judged.parse().expect("a number");
        if judged.abs() <= 800 {
            continue;
        }
        let (thoughts, _) = think(&mut searcher, position, &Limits { depth: 5, ..Limits::default() });
        let side = History::from_usi(position).expect("a good position").now().side_to_move();
        let value = thoughts.last().expect("a thought").score.for_black(side);
        let is_black = value > shogibar::score::Value::Cp(0);
        right += usize::from(is_black == (judged > 0));
        all += 1;
    }
    assert!(right * 10 >= all * 7, "{right} of {all}");
}
