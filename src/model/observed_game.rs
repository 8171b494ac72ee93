//! The present state of a game that a shogi GUI plays or analyses with an engine behind a relay. No side effects.

use shogibar_builtin::Clocks;
use shogibar_engine::observer::{GuiObserver, ObservedState};
use shogibar_engine::options::{EngineNumber, Presets, resolve_model};
use shogibar_engine::session::{EngineState, SearchResult, Snapshot};
use shogibar_kifu::{Millis, TimeControl};
use shogibar_shogi::History;
use shogibar_shogi::score::WinRateModel;
use std::sync::Arc;

/// The game of a relay, and the values of its engine.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ObservedGame {
    /// The position of the game; `None` before the first search, and if it cannot be read.
    pub position: Option<Arc<History>>,
    /// The number of games that the GUI has begun, including this one.
    pub number: u64,
    /// Whether the GUI has sent that the game is over.
    pub is_over: bool,
    /// The position at which the GUI last sent clocks, and the remaining time of Black and White. `None` before that.
    pub clocks: Option<(Arc<History>, [Option<Millis>; 2])>,
    /// The state of the engine.
    pub snapshot: Snapshot,
}

impl ObservedGame {
    /// Creates the game from an observer. `model` is the win-rate model of the user's profile; without it, the engine's
    /// model is resolved.
    pub fn from_observer(observer: &mut GuiObserver, model: Option<WinRateModel>, presets: &Presets) -> Self {
        let identity = observer.identity().cloned().unwrap_or_default();
        let candidates = observer.options().iter().filter_map(|(name, value)| {
            if EngineNumber::from_option(name) != Some(EngineNumber::MultiPv) {
                return None;
            }
            value.parse().ok().filter(|count| *count > 0)
        });
        let state = match observer.state() {
            ObservedState::Starting => EngineState::Starting,
            ObservedState::Preparing => EngineState::Preparing,
            ObservedState::Idle if observer.result().is_none() => EngineState::Waiting,
            ObservedState::Idle => EngineState::Idle,
            ObservedState::Thinking => EngineState::Thinking,
            ObservedState::Pondering(expected) => EngineState::Pondering(expected),
        };
        let result = observer.result().map(|(history, best)| SearchResult {
            history: Arc::clone(history),
            best_move: (*best).into(),
        });
        let snapshot = Snapshot {
            model: resolve_model(
                model,
                &identity.name,
                &identity.options,
                observer.options(),
                presets,
            ),
            engine: identity.name,
            state,
            multipv: candidates.max().unwrap_or(1),
            result,
            search_info: observer.shown(),
            ..Snapshot::default()
        };
        let clocks = observer.clocks().zip(observer.timed_position());
        Self {
            position: observer.position().cloned(),
            number: observer.game_count(),
            is_over: observer.is_over(),
            clocks: clocks.map(|(clocks, position)| (Arc::clone(position), remaining_time(clocks))),
            snapshot,
        }
    }
}

/// Returns the remaining time of Black and White: the main time, or the byoyomi once that is used up.
fn remaining_time(clocks: Clocks) -> [Option<Millis>; 2] {
    let byoyomi = Millis(clocks.byoyomi);
    clocks.remaining_times.map(|remaining| {
        let control = TimeControl {
            main: Millis(remaining.unwrap_or(0)),
            byoyomi,
            ..TimeControl::default()
        };
        (remaining.is_some() || byoyomi > Millis(0)).then(|| control.remaining([]))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clocks_of_a_go_are_those_of_its_position() {
        let check = |lines: &[&str], expect: Option<(usize, [Option<u64>; 2])>| {
            let mut observer = GuiObserver::default();
            for line in lines {
                observer.on_sent(line);
            }
            let game = ObservedGame::from_observer(&mut observer, None, &Presets::default());
            let clocks = game.clocks.map(|(at, remaining)| {
                (
                    at.moves().len(),
                    remaining.map(|remaining| remaining.map(|remaining| remaining.0)),
                )
            });
            assert_eq!(clocks, expect, "{lines:?}");
        };
        let [first, second] = [
            "position startpos moves 7g7f",
            "position startpos moves 7g7f 3c3d 2g2f",
        ];
        check(&[first, "go infinite"], None);
        check(
            &[first, "go btime 5000 wtime 60000 byoyomi 10000"],
            Some((1, [Some(5000), Some(60_000)])),
        );
        let ponder = ["go btime 0 wtime 6000 byoyomi 10000", second, "go ponder"];
        check(
            &[&[first], &ponder[..]].concat(),
            Some((1, [Some(10_000), Some(6000)])),
        );
        check(
            &[first, "go btime 0 wtime 6000 binc 3000 winc 3000"],
            Some((1, [Some(0), Some(6000)])),
        );
        check(&[second, "go byoyomi 1000"], Some((3, [Some(1000), Some(1000)])));
    }
}
