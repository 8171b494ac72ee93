//! What real engines do that breaks hosts, kept alive against those that Debian has. The rest of the zoo
//! is in `docs/engines.md`.

use crate::engines::{ALONE, Running, check_nothing_left, settings};
use crate::support::{self, PATIENCE};
use shogibar::config::Limit;
use shogibar::score::Value;
use shogibar::session::{EngineState, SearchTarget, SessionConfig, Snapshot};
use shogibar::shogi::{Color, History};
use std::path::Path;
use std::sync::{Arc, PoisonError};
use std::time::Duration;

/// White is mated; White is mated in one; a position of a game.
const MATED: &str = "sfen 4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1";
const MATE_IN_ONE: &str = "sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1";
const OPENING: &str = "startpos moves 7g7f 3c3d";

fn position(text: &str) -> Arc<History> {
    Arc::new(History::from_usi(text).unwrap())
}

/// An engine on a position, until something holds of what is said.
fn visit(engine: &mut Running, text: &str, what: &str, holds: impl Fn(&Snapshot) -> bool) {
    let wish = position(text);
    engine.session.set_target(Some(Arc::clone(&wish)));
    let seen = engine.watch(PATIENCE, |snapshot| {
        let here = snapshot.shown.as_ref().is_some_and(|shown| shown.history == wish)
            || snapshot.answer.as_ref().is_some_and(|answer| answer.history == wish);
        here && holds(snapshot)
    });
    assert!(seen, "{what}: {:?}", engine.newest);
}

fn best(snapshot: &Snapshot) -> Option<Value> {
    Some(snapshot.shown.as_ref()?.best()?.value)
}

fn is_done(snapshot: &Snapshot) -> bool {
    snapshot.state == EngineState::Idle && snapshot.answer.is_some()
}

fn with(program: &Path, settings: SessionConfig, see: impl FnOnce(&mut Running)) {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let mut engine = Running::start(program, &[], settings);
    see(&mut engine);
    assert!(!matches!(engine.newest.state, EngineState::Failed(_) | EngineState::Restarting(_)), "{:?}", engine.newest);
    drop(engine);
    check_nothing_left(program);
}

#[test]
fn fairy_stockfish_says_a_mate_in_a_burst_and_nothing_of_a_mated_side() {
    let Some(program) = support::engine("fairy-stockfish") else { return };
    with(&program, settings(), |engine| {
        // 400 lines in a tenth of a second; the search goes on all the same.
        visit(engine, MATE_IN_ONE, "a mate", |s| best(s) == Some(Value::Mate { winner: Color::Black, plies: Some(1) }));
        // `mate 0` without a line.
        visit(engine, MATED, "mated", |s| matches!(best(s), Some(Value::Mate { winner: Color::Black, .. })));
        visit(engine, OPENING, "a game", |s| matches!(best(s), Some(Value::Cp(_))));
    });
}

#[test]
fn fairy_stockfish_is_told_that_it_plays_shogi_and_no_number_it_aborts_on() {
    let Some(program) = support::engine("fairy-stockfish") else { return };
    let wild = SessionConfig { hash_mb: 16, multipv: 100_000, threads: 1, ..settings() };
    with(&program, wild, |engine| {
        // Without `UCI_Variant` its first depth is worth 239 here, with the tables of another game.
        visit(engine, "startpos", "the start", |s| best(s).is_some());
        let Some(Value::Cp(cp)) = best(&engine.newest) else { panic!("{:?}", engine.newest) };
        assert!(cp.abs() < 200, "{cp}");
    });
}

#[test]
fn gpsusi_takes_limits_that_it_aborts_on() {
    let Some(program) = support::engine("gpsusi") else { return };
    for limit in [Limit::Nodes(20_000), Limit::Depth(5), Limit::Time(Duration::from_millis(700))] {
        with(&program, SessionConfig { limit, ..settings() }, |engine| {
            visit(engine, OPENING, "limited", is_done);
        });
    }
}

#[test]
fn gpsusi_resigns_before_it_is_told_to_stop_and_is_not_asked_again() {
    let Some(program) = support::engine("gpsusi") else { return };
    with(&program, settings(), |engine| {
        visit(engine, MATED, "mated", is_done);
        // The same position again is no new search.
        engine.session.set_target(Some(position(MATED)));
        let thinks = engine.watch(Duration::from_millis(500), |s| s.state == EngineState::Thinking);
        assert!(!thinks, "it is asked again and again");
        visit(engine, OPENING, "the next game", |s| matches!(best(s), Some(Value::Cp(_))));
    });
}

#[test]
fn gpsusi_ends_in_the_middle_of_a_search() {
    let Some(program) = support::engine("gpsusi") else { return };
    // It hangs on `quit` in a search, and takes ten seconds when its input ends.
    with(&program, settings(), |engine| visit(engine, OPENING, "a game", |s| best(s).is_some()));
}

#[test]
fn gpsusi_is_spared_what_it_crashes_on() {
    let Some(program) = support::engine("gpsusi") else { return };
    with(&program, settings(), |engine| {
        for broken in ["sfen 4k4/9/9/9/9/9/9/9/9 b - 1", "sfen 4k4/9/9/9/4R4/9/9/9/4K4 b - 1"] {
            engine.session.set_target(Some(position(broken)));
            assert!(engine.watch(PATIENCE, |s| matches!(s.state, EngineState::Unsearchable(_))), "{broken}");
        }
        let paused = SearchTarget { position: Some(position(OPENING)), paused: true, limit: None };
        engine.session.set_target(paused);
        assert!(engine.watch(PATIENCE, |s| s.state == EngineState::Paused), "{:?}", engine.newest);
        visit(engine, OPENING, "a game", |s| best(s).is_some());
    });
}
