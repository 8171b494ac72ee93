//! The guarantees of the search tracker and the PV table, for any sequence of lines sent and received.

use super::*;
use crate::observer::SearchTracker;
use crate::usi::{Reply, reply};
use proptest::prelude::*;
use std::collections::BTreeMap;

/// One line of a log: a command, or output of the engine.
#[derive(Clone, Debug)]
enum Event {
    Sent(String),
    Line(String),
}

const POSITIONS: [&str; 8] = [
    "startpos",
    "startpos moves 7g7f",
    "startpos moves 7g7f 3c3d",
    "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2",
    "sfen 9/9/9/9/4k4/9/9/9/9 w P 5",
    "startpos moves 7g7f 7g7f",
    "sfen garbage",
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
];

const COMMANDS: [&str; 9] = [
    "stop",
    "usinewgame",
    "quit",
    "isready",
    "ponderhit",
    "gameover win",
    "usi",
    "",
    "setoption name X",
];

fn one_of(words: &'static [&'static str]) -> impl Strategy<Value = String> {
    prop::sample::select(words).prop_map(str::to_owned)
}

fn command() -> impl Strategy<Value = Event> {
    prop_oneof![
        4 => one_of(&POSITIONS).prop_map(|position| format!("position {position}")),
        5 => one_of(&["go infinite", "go", "go mate 100", "go ponder"]),
        2 => one_of(&COMMANDS),
    ]
    .prop_map(Event::Sent)
}

fn output_line() -> impl Strategy<Value = Event> {
    let fields = (
        one_of(&["", "depth 1", "depth 2", "depth 3"]),
        one_of(&["", "multipv 1", "multipv 2", "multipv 3", "multipv 999"]),
        one_of(&[
            "",
            "score cp 120",
            "score cp -7",
            "score mate 3",
            "score mate -2",
            "score cp 31111",
            "score mate 0",
        ]),
        one_of(&["", "", "lowerbound", "upperbound"]),
        one_of(&["", "nodes 5", "nodes 9"]),
        one_of(&[
            "",
            "pv 7g7f 3c3d 7g7f",
            "pv 3c3d 2g2f",
            "pv resign",
            "pv 5e5d",
            "pv 2g2f 8c8d",
        ]),
    );
    prop_oneof![
        8 => fields.prop_map(|(depth, rank, score, bound, nodes, pv)| {
            format!("info {depth} {rank} {score} {bound} {nodes} {pv}")
        }),
        3 => one_of(&["bestmove 7g7f", "bestmove resign", "checkmate ", "checkmate nomate"]),
        1 => one_of(&["readyok", "", "y", "usiok", "info string score cp 5"]),
    ]
    .prop_map(Event::Line)
}

fn is_go(event: &Event) -> bool {
    matches!(event, Event::Sent(line) if line.starts_with("go"))
}

fn is_answer(event: &Event) -> bool {
    matches!(event, Event::Line(line) if line.starts_with("bestmove") || line.starts_with("checkmate"))
}

fn is_usi(event: &Event) -> bool {
    matches!(event, Event::Sent(line) if line == "usi")
}

/// Returns the searches without an answer after `events`, as the indices of their `go`s.
fn open_searches(events: &[Event]) -> Vec<usize> {
    let start = events.iter().rposition(is_usi).unwrap_or(0);
    let mut open = Vec::new();
    for (at, event) in events.iter().enumerate().skip(start) {
        if is_go(event) {
            open.push(at);
        } else if is_answer(event) && !open.is_empty() {
            open.remove(0);
        }
    }
    open
}

/// Returns the search that the last of `events` belongs to, as the index of its `go`.
fn owner_index(events: &[Event]) -> Option<usize> {
    open_searches(events.split_last()?.1).first().copied()
}

/// Returns the position of the `go` at index `at`; `None` where the position cannot be read. After a `usi` in a search,
/// the position is unknown until the engine has answered.
fn position_of_go(events: &[Event], at: usize) -> Option<History> {
    let is_ready = |event: &Event| matches!(event, Event::Line(line) if reply::parse(line) == Reply::ReadyOk);
    let unanswered = (0..at)
        .rev()
        .take_while(|n| !is_answer(&events[*n]) && !is_ready(&events[*n]));
    if unanswered
        .into_iter()
        .any(|n| is_usi(&events[n]) && !open_searches(&events[..n]).is_empty())
    {
        return None;
    }
    let since_start = events[..at].iter().rev().take_while(|event| !is_usi(event));
    let mut positions = since_start.filter_map(|event| match event {
        Event::Sent(line) => line.strip_prefix("position "),
        Event::Line(_) => None,
    });
    History::from_usi(positions.next()?).ok()
}

/// Returns whether no newer command follows the `go` at index `at`.
fn is_still_wanted(events: &[Event], at: usize) -> bool {
    let newer = ["position", "go", "usinewgame", "quit"];
    !events[at + 1..].iter().any(|event| match event {
        Event::Sent(line) => line.split(' ').next().is_some_and(|word| newer.contains(&word)),
        Event::Line(_) => false,
    })
}

/// The accepted lines of a search, and the last visible output.
#[derive(Debug, Default)]
struct AcceptedLines {
    /// The index of the search's `go`.
    go: Option<usize>,
    /// The newest line of each rank.
    lines: BTreeMap<u32, Candidate>,
    printed_lines: Vec<Candidate>,
    shown_info: Option<SearchInfo>,
}

/// Returns whether a line has a value, and not the special score that is not a value.
fn is_value(info: &Info, history: &History) -> bool {
    info.score
        .is_some_and(|score| score.raw.for_black(history.now().side_to_move()).is_some())
}

impl AcceptedLines {
    /// Records an accepted line of the search at `go`, and checks that it had to be accepted.
    fn accept(&mut self, go: usize, info: &Info, history: &History) {
        if self.go != Some(go) {
            *self = Self {
                go: Some(go),
                ..Self::default()
            };
        }
        let score = info.score.expect("only a line with a score is accepted");
        let side = history.now().side_to_move();
        let bound = score.bound.map(|bound| bound.for_black(side));
        let held = self.lines.get(&info.rank());
        if let Some(held) = held {
            assert!(
                held.bound.is_some() || bound.is_none(),
                "a bound replaced an exact value"
            );
            assert!(
                info.depth.or(held.depth) >= held.depth,
                "a shallower line replaced a deeper one"
            );
        }
        let depth = info.depth.or_else(|| held.and_then(|held| held.depth));
        let value = score.raw.for_black(side).expect("no value is never accepted");
        let line = Candidate {
            rank: info.rank(),
            value,
            bound,
            depth,
            pv: info.pv.clone(),
        };
        self.printed_lines.push(line.clone());
        self.lines.insert(info.rank(), line);
    }

    fn refuse(&self, go: usize, info: &Info) {
        assert_eq!(self.go, Some(go), "the first line of a search is never refused");
        let held = self
            .lines
            .get(&info.rank())
            .expect("the first line of its rank is never refused");
        let score = info.score.expect("it has a score");
        let shallower = info
            .depth
            .is_some_and(|depth| held.depth.is_some_and(|held| depth < held));
        assert!(
            shallower || (score.bound.is_some() && held.bound.is_none()),
            "refused without a reason"
        );
    }

    /// Checks the visible output after an accepted line.
    fn check(&mut self, shown: &SearchInfo, history: &History) {
        assert_eq!(shown.history.usi(), history.usi());
        let moves: Vec<_> = shown
            .candidates
            .iter()
            .filter_map(|line| line.pv.first())
            .collect();
        assert!(
            (1..moves.len()).all(|at| !moves[..at].contains(&moves[at])),
            "each move once"
        );
        let Some(lead) = self.lines.get(&1) else {
            assert!(shown.best().is_none(), "nothing drives the bar yet");
            return;
        };
        let best = shown.best().expect("rank 1 drives the bar");
        assert_eq!(
            (best.value, best.bound, best.depth),
            (lead.value, lead.bound, lead.depth),
            "at once"
        );
        for (line, rank) in shown.candidates.iter().zip(1..) {
            assert_eq!(line.rank, rank, "ranked without a gap");
            let is_it = |printed: &Candidate| {
                let same =
                    (printed.value, printed.bound, printed.depth) == (line.value, line.bound, line.depth);
                same && (printed.pv.first() == line.pv.first()
                    || printed.pv.first().is_none_or(|mv| !history.now().is_legal(*mv)))
            };
            assert!(
                self.printed_lines.iter().any(is_it),
                "the engine has printed each part"
            );
            let others = shown.candidates.iter().filter(|other| other.rank < rank);
            assert!(
                others
                    .into_iter()
                    .all(|other| other.pv.first() != line.pv.first()),
                "each move once"
            );
            let mut position = history.now().clone();
            for mv in &line.pv {
                position.play(*mv).expect("only legal moves are shown");
            }
        }
        if let Some(before) = self.shown_info.replace(shown.clone()) {
            // A line of rank 1 without a move may later get the move of the second line.
            let moves =
                |shown: &SearchInfo| shown.candidates.iter().filter(|line| !line.pv.is_empty()).count();
            assert!(
                moves(shown) >= moves(&before),
                "a row was lost: {before:?} {shown:?}"
            );
            let [old, new] = [&before, shown].map(|shown| &shown.candidates[0].pv);
            assert!(old.is_empty() || !new.is_empty(), "a PV was lost");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(ProptestConfig::default().cases.max(200)))]

    #[test]
    fn assigns_every_line_and_shows_no_value_under_a_wrong_position_on_random_histories(
        events in prop::collection::vec(prop_oneof![command(), output_line()], 0..60)
    ) {
        let (mut tracker, mut table) = (SearchTracker::default(), PvTable::default());
        let (mut accepted, mut last) = (AcceptedLines::default(), None);
        for end in 1..=events.len() {
            let so_far = &events[..end];
            let reply = match &so_far[end - 1] {
                Event::Sent(line) => {
                    tracker.on_sent(line);
                    continue;
                }
                Event::Line(line) => reply::parse(line),
            };
            let search = tracker.on_received(&reply);
            if !matches!(reply, Reply::Info(_) | Reply::BestMove { .. } | Reply::Checkmate(_)) {
                prop_assert!(search.is_none());
                continue;
            }
            let go = owner_index(so_far);
            prop_assert_eq!(search.is_some(), go.is_some());
            let (Some(search), Some(go)) = (search, go) else { continue };
            let history = position_of_go(so_far, go);
            prop_assert_eq!(search.history.as_deref().map(History::usi), history.as_ref().map(History::usi));
            prop_assert_eq!(search.is_wanted, is_still_wanted(so_far, go));
            let Reply::Info(info) = reply else { continue };
            let offer = table.update(&search, &info);
            let shown = table.shown();
            match (&history, offer) {
                (Some(history), PvUpdate::Accepted) if search.is_wanted => {
                    let shown = shown.expect("something was accepted");
                    accepted.accept(go, &info, history);
                    accepted.check(&shown, history);
                    last = Some(shown);
                }
                (_, PvUpdate::Accepted) => prop_assert!(false, "shown, but not wanted or of no known position"),
                (Some(history), _) if search.is_wanted && is_value(&info, history) && info.rank() < 100 => {
                    accepted.refuse(go, &info);
                }
                _ => {}
            }
            if offer != PvUpdate::Accepted {
                let lines = |shown: Option<SearchInfo>| shown.map(|shown| (shown.history.usi(), shown.candidates));
                prop_assert_eq!(lines(table.shown()), lines(last.clone()));
            }
        }
    }
}

/// Returns the visible output after lines to the engine (`> `) and from the engine (`< `).
fn run(events: &str) -> Option<SearchInfo> {
    let (mut tracker, mut table) = (SearchTracker::default(), PvTable::default());
    for line in events.lines().map(str::trim) {
        match line.split_once(' ') {
            Some((">", line)) => tracker.on_sent(line),
            Some(("<", line)) => {
                let reply = reply::parse(line);
                if let (Some(search), Reply::Info(info)) = (tracker.on_received(&reply), &reply) {
                    table.update(&search, info);
                }
            }
            _ => panic!("{line}"),
        }
    }
    table.shown()
}

/// Returns the value, the depth and the length of the PV of the line of rank 1.
fn best(events: &str) -> (Value, Option<u32>, usize) {
    let best = run(events)
        .and_then(|shown| shown.best().cloned())
        .expect("a first line");
    (best.value, best.depth, best.pv.len())
}

#[test]
fn a_stale_line_keeps_its_own_position() {
    let stale = "> position startpos
        > go infinite
        < info depth 5 score cp 50 pv 7g7f 3c3d
        > stop
        > position startpos moves 7g7f
        > go infinite
        < info depth 6 score cp 60 pv 7g7f 3c3d
        < bestmove 7g7f";
    assert_eq!(best(stale), (Value::Cp(50), Some(5), 2));
    let fresh = format!("{stale}\n< info depth 1 score cp 30 pv 3c3d");
    assert_eq!(best(&fresh), (Value::Cp(-30), Some(1), 1));
    assert_eq!(run(&fresh).unwrap().history.usi(), "startpos moves 7g7f");
}

#[test]
fn replaces_lines_by_bound_and_depth() {
    let check = |lines: &[&str], expect: (i32, u32, usize)| {
        let lines = lines.join("\n< info ");
        let (cp, depth, moves) = expect;
        assert_eq!(
            best(&format!("> position startpos\n> go\n< info {lines}")),
            (Value::Cp(cp), Some(depth), moves),
            "{lines}"
        );
    };
    let exact = "depth 8 score cp 10 pv 7g7f 3c3d";
    check(&[exact, "depth 9 score cp 90 lowerbound pv 2g2f"], (10, 8, 2));
    check(&["depth 8 score cp 90 lowerbound pv 2g2f", exact], (10, 8, 2));
    check(
        &[
            "depth 7 score cp 5 lowerbound",
            "depth 8 score cp 9 upperbound pv 2g2f",
        ],
        (9, 8, 1),
    );
    check(&[exact, "depth 7 score cp 90 pv 2g2f"], (10, 8, 2));
    check(&[exact, "depth 8 score cp 20"], (20, 8, 2));
    check(&[exact, "depth 8 score cp 20 pv resign"], (20, 8, 2));
    check(&[exact, "depth 8 score cp 20 pv 3c3d"], (20, 8, 2));
    check(&[exact, "score cp 20 pv 2g2f", "depth 7 score cp 30"], (20, 8, 1));
    check(&["depth 99999999999999 score cp 90 pv 2g2f", exact], (10, 8, 2));
    check(&[exact, "depth 9 multipv 2 score cp 5 pv 2g2f"], (10, 8, 2));
    check(&[exact, "depth 9 score cp 20 pv 2g2f 8c8d 2g2f 8d8e"], (20, 9, 2));
}

/// Returns the lines shown after these lines, in the form `rank@depth=value:move`.
fn rows(lines: &str) -> String {
    let info = |line: &str| {
        let (rank, rest) = line.split_once('@').unwrap();
        let (depth, rest) = rest.split_once('=').unwrap();
        let (cp, mv) = rest.split_once(':').unwrap();
        format!("< info depth {depth} multipv {rank} score cp {cp} pv {mv}")
    };
    let lines: Vec<_> = lines.split_whitespace().map(info).collect();
    let shown = run(&format!("> position startpos\n> go\n{}", lines.join("\n"))).unwrap();
    let row = |line: &Candidate| {
        let Value::Cp(cp) = line.value else {
            panic!("{line:?}")
        };
        format!("{}@{}={cp}:{}", line.rank, line.depth.unwrap(), line.pv[0])
    };
    shown.candidates.iter().map(row).collect::<Vec<_>>().join(" ")
}

#[test]
fn keeps_a_list_until_the_next_is_complete() {
    let check = |lines: &[&str], expect: &str| assert_eq!(rows(&lines.join(" ")), expect, "{lines:?}");
    let first = "1@8=50:7g7f 2@8=40:2g2f 3@8=30:6g6f";
    // The first lines of a position are shown as they arrive.
    check(&["1@8=50:7g7f"], "1@8=50:7g7f");
    check(&["1@8=50:7g7f 2@8=40:2g2f"], "1@8=50:7g7f 2@8=40:2g2f");
    check(&[first], first);
    // A new best move replaces its old line, or else the last line.
    check(&[first, "1@9=45:2g2f"], "1@9=45:2g2f 2@8=50:7g7f 3@8=30:6g6f");
    check(&[first, "1@9=45:5g5f"], "1@9=45:5g5f 2@8=50:7g7f 3@8=40:2g2f");
    check(
        &[first, "1@9=45:2g2f 2@9=44:6g6f"],
        "1@9=45:2g2f 2@8=50:7g7f 3@8=30:6g6f",
    );
    let second = "1@9=45:2g2f 2@9=44:6g6f 3@9=10:7g7f";
    check(&[first, second], second);
    // Stockfish's order: lines not reached yet have the previous depth.
    check(
        &[first, "1@9=45:2g2f 2@8=50:7g7f 3@8=30:6g6f"],
        "1@9=45:2g2f 2@8=50:7g7f 3@8=30:6g6f",
    );
    check(
        &[first, "1@9=45:2g2f 2@9=20:6g6f 3@8=50:7g7f"],
        "1@9=45:2g2f 2@8=50:7g7f 3@8=30:6g6f",
    );
    // dlshogi's order, by visits: the depths of the lines are independent.
    check(
        &[first, "1@19=45:2g2f 2@12=46:6g6f 3@14=10:7g7f"],
        "1@19=45:2g2f 2@12=46:6g6f 3@14=10:7g7f",
    );
    // At equal depth the newest line counts.
    check(
        &["1@8=50:7g7f 2@8=40:2g2f 1@8=30:6g6f 2@8=20:7g7f"],
        "1@8=30:6g6f 2@8=20:7g7f",
    );
}

#[test]
fn drops_a_second_line_with_the_move_of_the_first() {
    let shown = |then: &str| {
        let lines = "< info score cp 120 lowerbound\n< info multipv 2 score cp 90 pv 7g7f";
        let shown = run(&format!("> position startpos\n> go\n{lines}{then}")).unwrap();
        shown
            .candidates
            .iter()
            .map(|line| line.pv.len())
            .collect::<Vec<_>>()
    };
    assert_eq!(shown(""), [0, 1]);
    assert_eq!(shown("\n< info score cp 120 pv 7g7f"), [1], "each move once");
}

#[test]
fn a_move_at_two_ranks_counts_once_and_hides_no_other() {
    let check = |lines: &[&str], expect: &str| assert_eq!(rows(&lines.join(" ")), expect, "{lines:?}");
    // From the first depth on, each line is shown as it arrives.
    let twice = "1@8=50:7g7f 2@8=40:2g2f 3@8=30:2g2f 4@8=20:6g6f 5@8=10:5g5f";
    let once = "1@8=50:7g7f 2@8=30:2g2f 3@8=20:6g6f 4@8=10:5g5f";
    check(
        &["1@8=50:7g7f 2@8=40:2g2f 3@8=30:2g2f"],
        "1@8=50:7g7f 2@8=40:2g2f",
    );
    check(
        &["1@8=50:7g7f 2@8=40:2g2f 3@8=30:2g2f 4@8=20:6g6f"],
        "1@8=50:7g7f 2@8=30:2g2f 3@8=20:6g6f",
    );
    check(&[twice], once);
    // The next depth replaces them when it is complete.
    let next = "1@9=55:7g7f 2@9=45:6g6f 3@9=35:6g6f 4@9=25:2g2f";
    check(&[twice, next], "1@9=55:7g7f 2@8=30:2g2f 3@8=20:6g6f 4@8=10:5g5f");
    check(
        &[twice, next, "5@9=15:5g5f"],
        "1@9=55:7g7f 2@9=35:6g6f 3@9=25:2g2f 4@9=15:5g5f",
    );
    // A list that loses a move by a repetition keeps that of the previous depth.
    let three = "1@8=50:7g7f 2@8=40:2g2f 3@8=30:6g6f";
    check(
        &[three, "1@9=50:7g7f 2@9=40:2g2f 3@9=35:2g2f"],
        "1@9=50:7g7f 2@9=35:2g2f 3@8=30:6g6f",
    );
    check(
        &[three, "1@9=50:7g7f 2@9=40:7g7f 3@9=35:2g2f"],
        "1@9=50:7g7f 2@9=35:2g2f 3@8=30:6g6f",
    );
    check(
        &[three, "1@9=50:7g7f 2@9=40:2g2f 3@9=35:5g5f"],
        "1@9=50:7g7f 2@9=40:2g2f 3@9=35:5g5f",
    );
    // The best move is that of rank 1, whatever else is said of it.
    check(
        &["1@8=50:7g7f 2@9=40:7g7f 3@8=30:6g6f"],
        "1@8=50:7g7f 2@8=30:6g6f",
    );
    // The deeper line counts; without a first rank, too.
    check(
        &["1@8=50:7g7f 2@9=40:2g2f 3@8=30:2g2f 4@8=5:6g6f"],
        "1@8=50:7g7f 2@9=40:2g2f 3@8=5:6g6f",
    );
    check(&["2@9=40:2g2f 3@8=30:2g2f 4@8=5:6g6f"], "2@9=40:2g2f 4@8=5:6g6f");
}

#[test]
fn lines_of_any_source_have_each_move_once() {
    let check = |lines: &[(u32, u32, &str)], expect: &[(u32, u32, &str)]| {
        let line = |(rank, depth, mv): &(u32, u32, &str)| {
            let pv = Move::from_usi(mv).into_iter().collect();
            Candidate {
                rank: *rank,
                value: Value::Cp(0),
                bound: None,
                depth: Some(*depth),
                pv,
            }
        };
        let candidates = lines.iter().map(line).collect();
        let info = SearchInfo::new(Arc::new(History::default()), candidates, SearchStats::default());
        assert_eq!(
            info.candidates,
            expect.iter().map(line).collect::<Vec<_>>(),
            "{lines:?}"
        );
    };
    check(
        &[(1, 9, "7g7f"), (2, 8, "7g7f"), (3, 8, "2g2f")],
        &[(1, 9, "7g7f"), (2, 8, "2g2f")],
    );
    check(
        &[(1, 8, "7g7f"), (2, 9, "7g7f"), (3, 8, "2g2f")],
        &[(1, 8, "7g7f"), (2, 8, "2g2f")],
    );
    check(
        &[(1, 8, "7g7f"), (2, 8, "2g2f"), (4, 9, "2g2f")],
        &[(1, 8, "7g7f"), (2, 9, "2g2f")],
    );
    check(&[(2, 8, "2g2f"), (3, 8, "2g2f")], &[(3, 8, "2g2f")]);
}

#[test]
fn keeps_a_longer_pv_that_a_line_cuts_short() {
    let check = |lines: &str, expect: usize| {
        let shown = run(&format!("> position startpos\n> go\n{lines}")).unwrap();
        assert_eq!(shown.candidates[0].pv.len(), expect, "{lines}");
    };
    let held = "< info depth 8 score cp 10 pv 7g7f 3c3d 2g2f";
    check(&format!("{held}\n< info depth 9 score cp 12 pv 7g7f"), 3);
    check(&format!("{held}\n< info depth 9 score cp 12 pv 7g7f 8c8d"), 2);
    check(&format!("{held}\n< info depth 9 score cp 12 pv 2g2f"), 1);
}

#[test]
fn updates_the_statistics_with_every_line() {
    let shown = run("> position startpos
        > go
        < info depth 5 seldepth 7 score cp 50 nodes 10 pv 7g7f
        < info time 1233 nodes 306546 nps 248514
        < info hashfull 6
        < info depth 6 currmove 7g7f
        < info depth 6 score cp 70 upperbound nodes 400000");
    let figures = SearchStats {
        depth: Some(5),
        best_since: Some(5),
        seldepth: Some(7),
        nodes: Some(400_000),
        nps: Some(248_514),
        time: Some(1233),
        hashfull: Some(6),
    };
    assert_eq!(shown.unwrap().stats, figures);
    assert_eq!(run("> position startpos\n> go\n< info nodes 5"), None);
}
