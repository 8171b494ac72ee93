//! Finds what is proved about the positions on view and the moves that led to them, on a thread of its own.

use crate::model::AppEvent;
use crate::model::ids::{BarId, GameId};
use crate::position_facts::PositionFacts;
use crate::reasons::ShownMove;
use crate::search::Control;
use crate::shogi::History;
use crate::threads::{self, lock};
use std::collections::BTreeMap;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};

/// What is to be found about a game.
#[derive(Debug)]
pub enum FactRequest {
    /// The facts of a position. Whatever else was to be found about the game is no longer wanted.
    Position(Arc<History>),
    /// The facts about the last move of a position, for a bar.
    LastMove(BarId, Box<ShownMove>),
}

/// The thread. It ends its search when this is dropped.
#[derive(Debug)]
pub struct FactThread {
    shared: Arc<Mutex<SharedRequests>>,
    /// Wakes the thread.
    signal: SyncSender<()>,
}

/// What is to be found: the position of a game first, then its last move for each bar.
type RequestKey = (GameId, Option<BarId>);

/// The requests, and what stops the search that runs.
#[derive(Debug, Default)]
struct SharedRequests {
    wanted: BTreeMap<RequestKey, FactRequest>,
    searched: Option<(RequestKey, Arc<Control>)>,
}

impl FactThread {
    /// Starts the thread; `done` gets what it has found. `None` where the system has no thread.
    pub fn start(done: impl Fn(AppEvent) + Send + 'static) -> Option<Self> {
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

    /// Looks for facts of a game.
    pub fn find(&self, game: GameId, request: FactRequest) {
        let key = match &request {
            FactRequest::Position(_) => (game, None),
            FactRequest::LastMove(bar, _) => (game, Some(*bar)),
        };
        // A new position ends what is of the one before.
        let replaces = move |other: RequestKey| other == key || key.1.is_none() && other.0 == game;
        let mut shared = lock(&self.shared);
        shared.wanted.retain(|other, _| !replaces(*other));
        shared.wanted.insert(key, request);
        shared.stop(replaces);
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
    fn stop(&self, is_it: impl Fn(RequestKey) -> bool) {
        if let Some((_, control)) = self.searched.as_ref().filter(|(key, _)| is_it(*key)) {
            control.stop();
        }
    }
}

fn run(shared: &Mutex<SharedRequests>, signals: &Receiver<()>, done: &impl Fn(AppEvent)) {
    while signals.recv().is_ok() {
        while let Some((game, request, control)) = next(shared) {
            let report = |event| {
                if !control.is_stopped() {
                    done(event);
                }
            };
            match request {
                FactRequest::Position(history) => {
                    let mut facts = PositionFacts::find(history, &control);
                    report(AppEvent::Facts(game, Box::new(facts.clone())));
                    if facts.find_brinkmate(&control) {
                        report(AppEvent::Facts(game, Box::new(facts)));
                    }
                }
                FactRequest::LastMove(bar, shown) => {
                    let reason = shown.reason(&control);
                    report(AppEvent::LastReason(bar, shown.history, Box::new(reason)));
                }
            }
        }
    }
}

/// Takes what is wanted next.
fn next(shared: &Mutex<SharedRequests>) -> Option<(GameId, FactRequest, Arc<Control>)> {
    let mut shared = lock(shared);
    let (key, request) = shared.wanted.pop_first()?;
    let control = Arc::new(Control::default());
    shared.searched = Some((key, Arc::clone(&control)));
    Some((key.0, request, control))
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
        let thread = FactThread::start(move |event| sender.send(event).unwrap()).unwrap();
        let position = |usi: &str| Arc::new(History::from_usi(usi).unwrap());
        let threatened = position("sfen 4k4/9/4P4/9/9/9/9/9/4K4 w G 1");
        thread.find(GameId(1), FactRequest::Position(position("startpos")));
        thread.find(GameId(2), FactRequest::Position(Arc::clone(&threatened)));
        let mut last = BTreeMap::new();
        while last.len() < 2 {
            if let AppEvent::Facts(game, facts) = found.recv().unwrap() {
                last.insert(game, facts);
            }
        }
        assert_eq!(last[&GameId(2)].history, threatened);
        assert!(last[&GameId(2)].list.iter().any(is_threat));
        assert!(last[&GameId(1)].list.is_empty());
    }
}
