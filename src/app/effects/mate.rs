//! The built-in search for a mate, for engines that cannot search for one.

use shogibar_base::threads;
use shogibar_builtin::{Control, MateResult, solve};
use shogibar_engine::session::MateOutcome;
use shogibar_shogi::History;
use std::io;
use std::sync::Arc;
use std::time::Instant;

/// The maximum duration of a search, in milliseconds.
const MAX_SEARCH_MS: u64 = 60_000;

/// A search for a mate on its own thread. Dropping it ends the search.
#[derive(Debug)]
pub struct MateSolver {
    control: Arc<Control>,
}

impl MateSolver {
    /// Starts the search. `done` receives the outcome on another thread.
    ///
    /// # Errors
    /// Fails if the system has no thread.
    pub fn start(history: Arc<History>, done: impl FnOnce(MateOutcome) + Send + 'static) -> io::Result<Self> {
        let control = Arc::new(Control::new(Some(MAX_SEARCH_MS)));
        let ends = Arc::clone(&control);
        let search = move || {
            let begun = now();
            let clock =
                || u64::try_from(now().saturating_duration_since(begun).as_millis()).unwrap_or(u64::MAX);
            done(match solve(&history, &ends, &clock) {
                Ok(MateResult::Mate { moves, .. }) => MateOutcome::Mate(moves),
                Ok(MateResult::None) => MateOutcome::NoMate,
                Ok(MateResult::Unknown) | Err(_) => MateOutcome::Timeout,
            });
        };
        threads::spawn("mate", search)?.detach();
        Ok(Self { control })
    }
}

impl Drop for MateSolver {
    fn drop(&mut self) {
        self.control.stop();
    }
}

#[expect(clippy::disallowed_methods, reason = "the duration of a search")]
fn now() -> Instant {
    Instant::now()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::sync_channel;

    fn outcome(usi: &str) -> MateOutcome {
        let (sender, outcomes) = sync_channel(1);
        let history = Arc::new(History::from_usi(usi).unwrap());
        let _solver = MateSolver::start(history, move |outcome| sender.send(outcome).unwrap()).unwrap();
        outcomes.recv().unwrap()
    }

    #[test]
    fn finds_a_mate_or_says_that_there_is_none() {
        let mate = outcome("sfen 4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1");
        assert!(
            matches!(&mate, MateOutcome::Mate(moves) if moves.len() == 1),
            "{mate:?}"
        );
        assert_eq!(outcome("startpos"), MateOutcome::NoMate);
    }

    #[test]
    fn a_search_ends_with_its_solver() {
        let (sender, outcomes) = sync_channel(1);
        let history = Arc::new(History::from_usi("startpos moves 7g7f 3c3d 8h2b+ 3a2b B*5e").unwrap());
        let solver = MateSolver::start(history, move |outcome| sender.send(outcome).unwrap()).unwrap();
        drop(solver);
        outcomes.recv().unwrap();
    }
}
