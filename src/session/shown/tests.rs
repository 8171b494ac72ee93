//! What the ledger and the screen promise, on any history of lines sent and received.

use super::*;
use crate::session::Ledger;
use crate::usi::{Reply, reply};
use proptest::prelude::*;

/// One line of a log: sent to the engine or said by it.
#[derive(Clone, Debug)]
enum Event {
    Sent(String),
    Said(String),
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

const COMMANDS: [&str; 9] =
    ["stop", "usinewgame", "quit", "isready", "ponderhit", "gameover win", "usi", "", "setoption name X"];

fn one_of(words: &'static [&'static str]) -> impl Strategy<Value = String> {
    prop::sample::select(words).prop_map(str::to_owned)
}

fn sent() -> impl Strategy<Value = Event> {
    prop_oneof![
        4 => one_of(&POSITIONS).prop_map(|position| format!("position {position}")),
        5 => one_of(&["go infinite", "go", "go mate 100", "go ponder"]),
        2 => one_of(&COMMANDS),
    ]
    .prop_map(Event::Sent)
}

fn said() -> impl Strategy<Value = Event> {
    let fields = (
        one_of(&["", "depth 1", "depth 2", "depth 3"]),
        one_of(&["", "multipv 1", "multipv 2", "multipv 3", "multipv 999"]),
        one_of(&["", "score cp 120", "score cp -7", "score mate 3", "score mate -2", "score cp 31111", "score mate 0"]),
        one_of(&["", "", "lowerbound", "upperbound"]),
        one_of(&["", "nodes 5", "nodes 9"]),
        one_of(&["", "pv 7g7f 3c3d 7g7f", "pv 3c3d 2g2f", "pv resign", "pv 5e5d", "pv 2g2f 8c8d"]),
    );
    prop_oneof![
        8 => fields.prop_map(|(depth, rank, score, bound, nodes, pv)| {
            format!("info {depth} {rank} {score} {bound} {nodes} {pv}")
        }),
        3 => one_of(&["bestmove 7g7f", "bestmove resign", "checkmate ", "checkmate nomate"]),
        1 => one_of(&["readyok", "", "y", "usiok", "info string score cp 5"]),
    ]
    .prop_map(Event::Said)
}

fn is_go(event: &Event) -> bool {
    matches!(event, Event::Sent(line) if line.starts_with("go"))
}

fn is_answer(event: &Event) -> bool {
    matches!(event, Event::Said(line) if line.starts_with("bestmove") || line.starts_with("checkmate"))
}

/// Whose the last of `events` is, told from the whole of what went before: the index of its `go`.
fn owner(events: &[Event]) -> Option<usize> {
    let start = events.iter().rposition(|event| matches!(event, Event::Sent(line) if line == "usi")).unwrap_or(0);
    let mut open = Vec::new();
    let (_, before) = events.split_last()?;
    for (at, event) in before.iter().enumerate().skip(start) {
        if is_go(event) {
            open.push(at);
        } else if is_answer(event) && !open.is_empty() {
            open.remove(0);
        }
    }
    open.first().copied()
}

/// The position that the `go` at `at` was given.
fn given(events: &[Event], at: usize) -> Option<History> {
    let before = events[..at].iter().rev();
    let since_start = before.take_while(|event| !matches!(event, Event::Sent(line) if line == "usi"));
    let mut positions = since_start.filter_map(|event| match event {
        Event::Sent(line) => line.strip_prefix("position "),
        Event::Said(_) => None,
    });
    History::from_usi(positions.next()?).ok()
}

/// Whether nothing newer was asked since the `go` at `at`.
fn still_wanted(events: &[Event], at: usize) -> bool {
    let newer = ["position", "go", "usinewgame", "quit"];
    !events[at + 1..].iter().any(|event| match event {
        Event::Sent(line) => line.split(' ').next().is_some_and(|word| newer.contains(&word)),
        Event::Said(_) => false,
    })
}

fn same_search(last: Option<&(usize, Shown)>, go: usize) -> Option<&Shown> {
    last.filter(|(at, _)| *at == go).map(|(_, shown)| shown)
}

/// What an accepted line must have made of what was shown before.
fn check_accepted(before: Option<&Shown>, shown: &Shown, info: &Info, history: &History) {
    assert_eq!(shown.history.usi(), history.usi());
    let score = info.score.expect("only a line with a score is accepted");
    let side = history.now().side_to_move();
    let find = |shown: &Shown| shown.candidates.iter().find(|line| line.rank == info.rank()).cloned();
    let line = find(shown).expect("the line is there");
    assert_eq!(line.value, score.raw.for_black(side));
    assert_eq!(line.bound, score.bound.map(|bound| bound.for_black(side)));
    let held = before.and_then(find);
    if let Some(held) = &held {
        assert!(held.bound.is_some() || line.bound.is_none(), "a bound replaced an exact value");
        assert!(line.depth >= held.depth, "a shallower line replaced a deeper one");
    }
    let mut position = history.now().clone();
    for mv in &line.pv {
        position.play(*mv).expect("only legal moves are shown");
    }
    if line.pv.is_empty() {
        assert!(held.is_none_or(|held| held.pv.is_empty()), "a PV was lost");
    } else {
        assert!(info.pv.starts_with(&line.pv) || held.is_some_and(|held| held.pv == line.pv));
    }
    assert!(shown.candidates.is_sorted_by(|a, b| a.rank < b.rank));
}

/// What a refused line must be guilty of.
fn check_refused(before: Option<&Shown>, info: &Info) {
    let held = before.and_then(|shown| shown.candidates.iter().find(|line| line.rank == info.rank()));
    let held = held.expect("the first line of its rank is never refused");
    let score = info.score.expect("it has a score");
    let shallower = info.depth.is_some_and(|depth| held.depth.is_some_and(|held| depth < held));
    assert!(shallower || (score.bound.is_some() && held.bound.is_none()), "refused without a reason");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn every_line_is_credited_and_no_value_is_shown_under_a_wrong_position(
        events in prop::collection::vec(prop_oneof![sent(), said()], 0..60)
    ) {
        let (mut ledger, mut screen) = (Ledger::default(), Screen::default());
        let mut last: Option<(usize, Shown)> = None;
        for end in 1..=events.len() {
            let so_far = &events[..end];
            let reply = match &so_far[end - 1] {
                Event::Sent(line) => {
                    ledger.sent(line);
                    continue;
                }
                Event::Said(line) => reply::parse(line),
            };
            let search = ledger.received(&reply);
            if !matches!(reply, Reply::Info(_) | Reply::BestMove { .. } | Reply::Checkmate(_)) {
                prop_assert!(search.is_none());
                continue;
            }
            let go = owner(so_far);
            prop_assert_eq!(search.is_some(), go.is_some());
            let (Some(search), Some(go)) = (search, go) else { continue };
            let history = given(so_far, go);
            prop_assert_eq!(search.history.as_deref().map(History::usi), history.as_ref().map(History::usi));
            prop_assert_eq!(search.wanted, still_wanted(so_far, go));
            let Reply::Info(info) = reply else { continue };
            let offer = screen.offer(&search, &info);
            let shown = screen.shown();
            match (&history, offer) {
                (Some(history), Offer::Accepted) if search.wanted => {
                    let shown = shown.expect("something was accepted");
                    check_accepted(same_search(last.as_ref(), go), &shown, &info, history);
                    last = Some((go, shown));
                }
                (_, Offer::Accepted) => prop_assert!(false, "shown, but not wanted or of no known position"),
                (Some(_), _) if search.wanted && info.score.is_some() && info.rank() < 100 => {
                    check_refused(same_search(last.as_ref(), go), &info);
                }
                _ => {}
            }
            if offer != Offer::Accepted {
                let lines = |shown: Option<Shown>| shown.map(|shown| (shown.history.usi(), shown.candidates));
                prop_assert_eq!(lines(screen.shown()), lines(last.clone().map(|(_, shown)| shown)));
            }
        }
    }
}

fn run(events: &str) -> Option<Shown> {
    let (mut ledger, mut screen) = (Ledger::default(), Screen::default());
    for line in events.lines().map(str::trim) {
        match line.split_once(' ') {
            Some((">", line)) => ledger.sent(line),
            Some(("<", line)) => {
                let reply = reply::parse(line);
                if let (Some(search), Reply::Info(info)) = (ledger.received(&reply), &reply) {
                    screen.offer(&search, info);
                }
            }
            _ => panic!("{line}"),
        }
    }
    screen.shown()
}

fn best(events: &str) -> (Value, Option<u32>, usize) {
    let best = run(events).and_then(|shown| shown.best().cloned()).expect("a first line");
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
fn which_line_replaces_which() {
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
    check(&["depth 7 score cp 5 lowerbound", "depth 8 score cp 9 upperbound pv 2g2f"], (9, 8, 1));
    check(&[exact, "depth 7 score cp 90 pv 2g2f"], (10, 8, 2));
    check(&[exact, "depth 8 score cp 20"], (20, 8, 2));
    check(&[exact, "depth 8 score cp 20 pv resign"], (20, 8, 2));
    check(&[exact, "depth 8 score cp 20 pv 3c3d"], (20, 8, 2));
    check(&[exact, "score cp 20 pv 2g2f", "depth 7 score cp 30"], (20, 8, 1));
    check(&[exact, "depth 9 multipv 2 score cp 5 pv 2g2f"], (10, 8, 2));
    check(&[exact, "depth 9 score cp 20 pv 2g2f 8c8d 2g2f 8d8e"], (20, 9, 2));
}

#[test]
fn figures_follow_every_line_of_the_search() {
    let shown = run("> position startpos
        > go
        < info depth 5 seldepth 7 score cp 50 nodes 10 pv 7g7f
        < info time 1233 nodes 306546 nps 248514
        < info hashfull 6
        < info depth 6 currmove 7g7f
        < info depth 6 score cp 70 upperbound nodes 400000");
    let figures = Figures {
        depth: Some(5),
        seldepth: Some(7),
        nodes: Some(400_000),
        nps: Some(248_514),
        time: Some(1233),
        hashfull: Some(6),
    };
    assert_eq!(shown.unwrap().figures, figures);
    assert_eq!(run("> position startpos\n> go\n< info nodes 5"), None);
}
