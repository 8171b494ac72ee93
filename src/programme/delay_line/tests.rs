use super::*;
use proptest::prelude::*;
use shogibar_shogi::{History, Move, Position};
use std::sync::Arc;

const MOVES: [&str; 8] = ["7g7f", "3c3d", "2g2f", "8c8d", "2f2e", "8d8e", "6i7h", "4a3b"];

#[expect(clippy::fn_params_excessive_bools, reason = "the two facts of a frame")]
/// Returns the frame of the position after this many moves, or after another last move.
fn frame(moves: usize, is_other: bool, is_over: bool) -> OutputFrame {
    let mut history = History::new(Position::startpos());
    let mut words: Vec<&str> = MOVES.iter().copied().take(moves).collect();
    if is_other && let Some(last) = words.last_mut() {
        *last = if moves % 2 == 1 { "9g9f" } else { "1c1d" };
    }
    for word in words {
        history.play(Move::from_usi(word).unwrap()).unwrap();
    }
    let bar = shogibar_games::bar::BarInput {
        history: Arc::new(history),
        ..Default::default()
    };
    OutputFrame {
        bar,
        is_at_tip: true,
        is_over,
        ..OutputFrame::default()
    }
}

fn seconds(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

fn shown(line: &DelayLine) -> usize {
    line.shown().unwrap().ply()
}

#[test]
fn a_game_that_is_joined_late_shows_only_what_the_delay_allows() {
    for (delay, ply) in [
        (Delay::Moves(3), 3),
        (Delay::Moves(30), 0),
        (Delay::Seconds(60), 0),
        (Delay::End, 0),
    ] {
        let mut line = DelayLine::default();
        line.record(frame(6, false, false), delay, seconds(0));
        assert_eq!(shown(&line), ply, "{delay}");
    }
}

#[test]
fn moves_follow_behind() {
    let mut line = DelayLine::default();
    let delay = Delay::Moves(2);
    for ply in 0..=6 {
        let now = seconds(10 * u64::try_from(ply).unwrap());
        line.record(frame(ply, false, false), delay, now);
        line.advance(delay, now);
        assert_eq!(shown(&line), ply.saturating_sub(2));
    }
    assert_eq!(line.moves_behind(), 2);
    // After the end, the rest follows as it was played, at most 10 s a move.
    line.record(frame(6, false, true), delay, seconds(61));
    line.advance(delay, seconds(61));
    assert_eq!(shown(&line), 4);
    line.advance(delay, seconds(70));
    assert_eq!(shown(&line), 5);
    line.advance(delay, seconds(79));
    assert_eq!(shown(&line), 5);
    line.advance(delay, seconds(80));
    assert_eq!(shown(&line), 6);
    assert!(line.is_caught_up() && line.shown().unwrap().is_over);
}

#[test]
fn a_raised_delay_stands_still_and_a_lowered_one_catches_up() {
    let mut line = DelayLine::standing(frame(4, false, false), seconds(0));
    for (ply, now) in [(5, 10), (6, 20), (7, 30)] {
        line.record(frame(ply, false, false), Delay::Moves(3), seconds(now));
        line.advance(Delay::Moves(3), seconds(now));
        assert_eq!(shown(&line), 4);
    }
    for (now, ply) in [(31, 5), (31, 5), (32, 6), (33, 7), (34, 7)] {
        line.advance(Delay::None, seconds(now));
        assert_eq!(shown(&line), ply, "at {now} s");
    }
}

#[test]
fn a_take_back_within_the_delay_is_never_seen() {
    let mut line = DelayLine::default();
    let delay = Delay::Moves(1);
    for (ply, is_other) in [
        (3, false),
        (4, true),
        (3, false),
        (4, false),
        (5, false),
        (6, false),
    ] {
        let now = seconds(10);
        line.record(frame(ply, is_other, false), delay, now);
        for wait in 0..4 {
            line.advance(delay, now + seconds(wait));
        }
        let expect = frame(shown(&line), false, false);
        assert_eq!(
            line.shown().unwrap().bar.history,
            expect.bar.history,
            "after {ply}"
        );
    }
    assert_eq!(shown(&line), 5);
}

proptest! {
    #[test]
    fn no_position_is_shown_before_its_time(
        steps in prop::collection::vec((0..9_usize, any::<bool>(), 0..20_u64, any::<bool>()), 1..40),
        moves in 1..6_u16, wait in 1..40_u32, kind in 0..3_u8,
    ) {
        let delay = [Delay::Moves(moves), Delay::Seconds(wait), Delay::End][usize::from(kind)];
        let (mut line, mut now) = (DelayLine::default(), Duration::ZERO);
        // The time at which each position was last reached.
        let mut arrivals = std::collections::BTreeMap::new();
        let mut last = None;
        for (ply, is_other, pause, ticks) in steps {
            now += seconds(pause);
            let new = frame(ply, is_other, false);
            let usi = new.bar.history.usi();
            if last.as_ref() != Some(&usi) {
                arrivals.insert(usi.clone(), now);
                last = Some(usi);
            }
            line.record(new.clone(), delay, now);
            for _ in 0..=u8::from(ticks) {
                let before = line.shown().unwrap().bar.history.usi();
                line.advance(delay, now);
                let shown = line.shown().unwrap();
                let after = shown.bar.history.usi();
                if before != after {
                    match delay {
                        Delay::Moves(moves) => prop_assert!(shown.ply() + usize::from(moves) <= new.ply()),
                        Delay::Seconds(wait) => prop_assert!(now >= arrivals[&after] + seconds(wait.into())),
                        _ => prop_assert!(false, "shown before the end"),
                    }
                }
            }
            prop_assert!(line.frames.len() <= 42);
        }
    }
}
