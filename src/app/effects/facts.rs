//! Finds what is proved about the positions on view, on a thread of its own.

use crate::model::ids::GameId;
use crate::position_facts::PositionFacts;
use crate::search::Control;
use crate::shogi::History;
use crate::threads::{self, lock};
use std::collections::BTreeMap;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};

/// The thread. It ends its search when this is dropped.
#[derive(Debug)]
pub struct FactThread {
    shared: Arc<Mutex<SharedRequests>>,
    /// Wakes the thread.
    signal: SyncSender<()>,
}

/// The position of each game whose facts are to be found, and what stops the search that runs.
#[derive(Debug, Default)]
struct SharedRequests {
    wanted: BTreeMap<GameId, Arc<History>>,
    searched: Option<(GameId, Arc<Control>)>,
}

impl FactThread {
    /// Starts the thread; `done` gets what it has found. `None` where the system has no thread.
    pub fn start(done: impl Fn(GameId, PositionFacts) + Send + 'static) -> Option<Self> {
        let shared = Arc::new(Mutex::new(SharedRequests::default()));
        // One signal for all that is wanted.
        let (signal, signals) = sync_channel(1);
        let requests = Arc::clone(&shared);
        let work = move || {
            threads::lower_priority();
            run(&requests, &signals, &done);
        };
        threads::spawn("facts", work).ok()?.detach();
        Some(Self { shared, signal })
    }

    /// Looks for the facts of a position of a game, and for no others of it any more.
    pub fn find(&self, game: GameId, history: Arc<History>) {
        let mut shared = lock(&self.shared);
        shared.wanted.insert(game, history);
        shared.stop(|searched| searched == game);
        drop(shared);
        // A full channel has a signal already.
        let _signalled = self.signal.try_send(());
    }
}

impl Drop for FactThread {
    fn drop(&mut self) {
        let mut shared = lock(&self.shared);
        shared.wanted.clear();
        shared.stop(|_| true);
    }
}

impl SharedRequests {
    fn stop(&self, is_it: impl Fn(GameId) -> bool) {
        if let Some((_, control)) = self.searched.as_ref().filter(|(game, _)| is_it(*game)) {
            control.stop();
        }
    }
}

fn run(shared: &Mutex<SharedRequests>, signals: &Receiver<()>, done: &impl Fn(GameId, PositionFacts)) {
    while signals.recv().is_ok() {
        while let Some((game, history, control)) = next(shared) {
            let mut facts = PositionFacts::find(history, &control);
            if control.is_stopped() {
                continue;
            }
            done(game, facts.clone());
            if facts.find_brinkmate(&control) && !control.is_stopped() {
                done(game, facts);
            }
        }
    }
}

/// Takes what is wanted next.
fn next(shared: &Mutex<SharedRequests>) -> Option<(GameId, Arc<History>, Arc<Control>)> {
    let mut shared = lock(shared);
    let (game, history) = shared.wanted.pop_first()?;
    let control = Arc::new(Control::default());
    shared.searched = Some((game, Arc::clone(&control)));
    Some((game, history, control))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::{Fact, FactKind};

    fn is_threat(fact: &Fact) -> bool {
        matches!(fact.kind, FactKind::ThreatOfMate { .. })
    }

    #[test]
    fn the_facts_of_the_newest_position_are_found() {
        let (sender, found) = sync_channel(16);
        let thread = FactThread::start(move |game, facts| sender.send((game, facts)).unwrap()).unwrap();
        let position = |usi: &str| Arc::new(History::from_usi(usi).unwrap());
        let threatened = position("sfen 4k4/9/4P4/9/9/9/9/9/4K4 w G 1");
        thread.find(GameId(1), position("startpos"));
        thread.find(GameId(2), Arc::clone(&threatened));
        let mut last = BTreeMap::new();
        while last.len() < 2 {
            let (game, facts) = found.recv().unwrap();
            last.insert(game, facts);
        }
        assert_eq!(last[&GameId(2)].history, threatened);
        assert!(last[&GameId(2)].list.iter().any(is_threat));
        assert!(last[&GameId(1)].list.is_empty());
    }
}
