//! Behaviour of real engines that breaks hosts, tested with the engines that Debian packages. Other engines
//! are in `docs/engines.md`.

use crate::engines::{ALONE, Running, check_nothing_left, settings};
use crate::support::{self, PATIENCE};
use shogibar_engine::options::Limit;
use shogibar_engine::session::{EngineState, SearchTarget, SessionConfig, Snapshot};
use shogibar_shogi::score::Value;
use shogibar_shogi::{Color, History};
use std::path::Path;
use std::sync::{Arc, PoisonError};
use std::time::Duration;

/// A position in which White is mated.
const MATED: &str = "sfen 4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1";
/// A position with a mate in one.
const MATE_IN_ONE: &str = "sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1";
/// A position of a game.
const OPENING: &str = "startpos moves 7g7f 3c3d";

fn position(text: &str) -> Arc<History> {
    Arc::new(History::from_usi(text).unwrap())
}

/// Sets a position as the target, and waits until a snapshot of it meets the condition.
fn visit(engine: &mut Running, text: &str, what: &str, holds: impl Fn(&Snapshot) -> bool) {
    let target = position(text);
    engine.session.set_target(Some(Arc::clone(&target)));
    let seen = engine.watch(PATIENCE, |snapshot| {
        let here = snapshot
            .search_info
            .as_ref()
            .is_some_and(|shown| shown.history == target)
            || snapshot
                .result
                .as_ref()
                .is_some_and(|answer| answer.history == target);
        here && holds(snapshot)
    });
    assert!(seen, "{what}: {:?}", engine.newest_snapshot);
}

fn best(snapshot: &Snapshot) -> Option<Value> {
    Some(snapshot.search_info.as_ref()?.best()?.value)
}

fn is_done(snapshot: &Snapshot) -> bool {
    snapshot.state == EngineState::Idle && snapshot.result.is_some()
}

fn with_engine(program: &Path, settings: SessionConfig, see: impl FnOnce(&mut Running)) {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let mut engine = Running::start(program, &[], settings);
    see(&mut engine);
    assert!(
        !matches!(
            engine.newest_snapshot.state,
            EngineState::Failed(_) | EngineState::Restarting(_)
        ),
        "{:?}",
        engine.newest_snapshot
    );
    drop(engine);
    check_nothing_left(program);
}

#[test]
fn fairy_stockfish_prints_a_mate_in_a_burst_and_no_pv_for_a_mated_side() {
    let Some(program) = support::engine("fairy-stockfish") else {
        return;
    };
    with_engine(&program, settings(), |engine| {
        // 400 lines in a tenth of a second; the search continues.
        visit(engine, MATE_IN_ONE, "a mate", |s| {
            best(s)
                == Some(Value::Mate {
                    winner: Color::Black,
                    plies: Some(1),
                })
        });
        // `mate 0` without a pv.
        visit(engine, MATED, "mated", |s| {
            matches!(
                best(s),
                Some(Value::Mate {
                    winner: Color::Black,
                    ..
                })
            )
        });
        visit(engine, OPENING, "a game", |s| {
            matches!(best(s), Some(Value::Cp(_)))
        });
    });
}

#[test]
fn fairy_stockfish_gets_the_shogi_variant_and_accepted_option_values() {
    let Some(program) = support::engine("fairy-stockfish") else {
        return;
    };
    let out_of_range = SessionConfig {
        hash_mb: 16,
        multipv: 100_000,
        threads: 1,
        ..settings()
    };
    with_engine(&program, out_of_range, |engine| {
        // Without `UCI_Variant`, the first depth gives 239 here, from the tables of another game.
        visit(engine, "startpos", "the start", |s| best(s).is_some());
        let Some(Value::Cp(cp)) = best(&engine.newest_snapshot) else {
            panic!("{:?}", engine.newest_snapshot)
        };
        assert!(cp.abs() < 200, "{cp}");
    });
}

#[test]
fn gpsusi_completes_searches_with_limits() {
    let Some(program) = support::engine("gpsusi") else {
        return;
    };
    for limit in [
        Limit::Nodes(20_000),
        Limit::Depth(5),
        Limit::Time(Duration::from_millis(700)),
    ] {
        with_engine(&program, SessionConfig { limit, ..settings() }, |engine| {
            visit(engine, OPENING, "limited", is_done);
        });
    }
}

#[test]
fn gpsusi_is_not_restarted_on_a_position_where_it_resigned() {
    let Some(program) = support::engine("gpsusi") else {
        return;
    };
    with_engine(&program, settings(), |engine| {
        visit(engine, MATED, "mated", is_done);
        // Setting the same position again starts no new search.
        engine.session.set_target(Some(position(MATED)));
        let thinks = engine.watch(Duration::from_millis(500), |s| s.state == EngineState::Thinking);
        assert!(!thinks, "it is asked again and again");
        visit(engine, OPENING, "the next game", |s| {
            matches!(best(s), Some(Value::Cp(_)))
        });
    });
}

#[test]
fn gpsusi_can_be_ended_during_a_search() {
    let Some(program) = support::engine("gpsusi") else {
        return;
    };
    // The engine hangs on `quit` during a search. After the end of its input, it takes ten seconds to exit.
    with_engine(&program, settings(), |engine| {
        visit(engine, OPENING, "a game", |s| best(s).is_some());
    });
}

#[test]
fn gpsusi_does_not_get_positions_that_crash_it() {
    let Some(program) = support::engine("gpsusi") else {
        return;
    };
    with_engine(&program, settings(), |engine| {
        for broken in [
            "sfen 4k4/9/9/9/9/9/9/9/9 b - 1",
            "sfen 4k4/9/9/9/4R4/9/9/9/4K4 b - 1",
        ] {
            engine.session.set_target(Some(position(broken)));
            assert!(
                engine.watch(PATIENCE, |s| matches!(s.state, EngineState::Unsearchable(_))),
                "{broken}"
            );
        }
        let paused = SearchTarget {
            position: Some(position(OPENING)),
            is_paused: true,
            ..SearchTarget::default()
        };
        engine.session.set_target(paused);
        assert!(
            engine.watch(PATIENCE, |s| s.state == EngineState::Paused),
            "{:?}",
            engine.newest_snapshot
        );
        visit(engine, OPENING, "a game", |s| best(s).is_some());
    });
}
