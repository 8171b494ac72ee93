//! Statements about positions that are shown once they have stood for a second: by the time of the search, or by the
//! clock, because a search may print nothing for a long time. Positions are named by their hashes.

use std::collections::HashMap;
use std::time::Duration;

/// The minimum time for which a statement has to stand.
const MIN_STANDING: Duration = Duration::from_secs(1);

/// A statement that does not stand for long enough yet.
#[derive(Clone, Copy, Debug)]
struct Pending<T> {
    position: u64,
    statement: T,
    /// The time of the search at which the statement was first made, in milliseconds.
    since: u64,
    /// The time of the first tick with the statement; `None` before that.
    ticked_at: Option<Duration>,
}

/// Statements by engine.
#[derive(Debug)]
pub(super) struct Standing<T> {
    /// The statements that are shown, by engine and position.
    shown: HashMap<(usize, u64), T>,
    /// The statement of each engine that does not stand for long enough yet.
    pending: HashMap<usize, Pending<T>>,
}

impl<T> Default for Standing<T> {
    fn default() -> Self {
        Self {
            shown: HashMap::new(),
            pending: HashMap::new(),
        }
    }
}

impl<T: Copy> Standing<T> {
    /// Applies a statement of an engine about a position. `since` is the time of the search, in milliseconds. A statement
    /// of a search that has ended stands at once.
    pub(super) fn state(&mut self, engine: usize, position: u64, statement: T, since: u64, has_ended: bool) {
        let new = Pending {
            position,
            statement,
            since,
            ticked_at: None,
        };
        let pending = self.pending.entry(engine).or_insert(new);
        if pending.position != position || pending.since > since {
            *pending = new;
        }
        pending.statement = statement;
        let stands = Duration::from_millis(since - pending.since) >= MIN_STANDING || has_ended;
        if stands || self.shown.contains_key(&(engine, position)) {
            self.pending.remove(&engine);
            self.shown.insert((engine, position), statement);
        }
    }

    /// Drops the statement of an engine that does not stand for long enough yet.
    pub(super) fn drop_pending(&mut self, engine: usize) {
        self.pending.remove(&engine);
    }

    pub(super) fn take_back(&mut self, engine: usize, position: u64) {
        self.drop_pending(engine);
        self.shown.remove(&(engine, position));
    }

    /// Shows the statements that stand for long enough. `now` is the time since the program was started.
    pub(super) fn tick(&mut self, now: Duration) {
        let shown = &mut self.shown;
        self.pending.retain(|engine, pending| {
            let stands = now.saturating_sub(*pending.ticked_at.get_or_insert(now)) >= MIN_STANDING;
            if stands {
                shown.insert((*engine, pending.position), pending.statement);
            }
            !stands
        });
    }

    pub(super) fn show(&mut self, engine: usize, position: u64, statement: T) {
        self.shown.insert((engine, position), statement);
    }

    /// Returns the shown statements, each with its engine and position, in no order.
    pub(super) fn shown(&self) -> impl Iterator<Item = (usize, u64, T)> {
        self.shown
            .iter()
            .map(|((engine, position), statement)| (*engine, *position, *statement))
    }

    /// Returns whether a statement is shown once it stands for long enough.
    pub(super) fn is_waiting(&self) -> bool {
        !self.pending.is_empty()
    }

    pub(super) fn get(&self, engine: usize, position: u64) -> Option<T> {
        self.shown.get(&(engine, position)).copied()
    }

    pub(super) fn newest(&self, engine: usize, position: u64) -> Option<T> {
        let pending = self
            .pending
            .get(&engine)
            .filter(|pending| pending.position == position);
        self.get(engine, position)
            .or_else(|| pending.map(|pending| pending.statement))
    }
}
