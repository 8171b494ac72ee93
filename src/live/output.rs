//! The output that the threads of a source report to.

use crate::game::SourceEvent;
use shogibar_base::threads::{self, lock};
use std::io;
use std::mem::discriminant;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The function that gets each event, on a thread of the source. It has to return soon.
pub(crate) type SourceListener = Box<dyn FnMut(SourceEvent) + Send>;

/// The minimum time between two reports of a source.
pub(crate) const REPORT_INTERVAL: Duration = Duration::from_millis(100);

/// The maximum number of games of one source that wait to be taken.
const MAX_WAITING_GAMES: usize = 8;

/// The events of a source that were not taken yet, the newest last. A newer event replaces the earlier one of the same
/// kind; a game replaces only an earlier version of this game.
#[derive(Debug, Default)]
pub struct EventQueue {
    events: Vec<SourceEvent>,
}

impl EventQueue {
    /// Adds an event, in place of an older one that it makes obsolete.
    pub fn add(&mut self, event: SourceEvent) {
        self.events.retain(|known| match (known, &event) {
            (SourceEvent::Game(known), SourceEvent::Game(newer)) => known.id != newer.id,
            (known, newer) => discriminant(known) != discriminant(newer),
        });
        self.events.push(event);
        let is_game = |event: &SourceEvent| matches!(event, SourceEvent::Game(_));
        if self.events.iter().filter(|event| is_game(event)).count() > MAX_WAITING_GAMES
            && let Some(oldest) = self.events.iter().position(is_game)
        {
            self.events.remove(oldest);
        }
    }

    /// Removes and returns the oldest event; `None` if no event waits.
    pub fn take_first(&mut self) -> Option<SourceEvent> {
        (!self.events.is_empty()).then(|| self.events.remove(0))
    }

    /// Removes and returns all events.
    pub fn take(&mut self) -> Vec<SourceEvent> {
        std::mem::take(&mut self.events)
    }

    /// Returns whether no event waits.
    pub const fn is_empty(&self) -> bool {
        self.events.is_empty()
    }
}

/// The events on their way to the listener.
#[derive(Debug, Default)]
struct Outbox {
    state: Mutex<OutboxState>,
    change_signal: Condvar,
}

#[derive(Debug, Default)]
struct OutboxState {
    queue: EventQueue,
    /// Whether no more events will come.
    is_closed: bool,
}

impl Outbox {
    /// Passes the events on to the listener, at most once in [`REPORT_INTERVAL`], until the output is dropped or the
    /// source is stopped.
    fn pass_on(&self, is_stopped: &AtomicBool, listener: &mut SourceListener) {
        loop {
            let guard = lock(&self.state);
            let waiting = self
                .change_signal
                .wait_while(guard, |state| state.queue.is_empty() && !state.is_closed);
            let events = waiting.unwrap_or_else(PoisonError::into_inner).queue.take();
            if events.is_empty() {
                return;
            }
            for event in events {
                if is_stopped.load(Ordering::Relaxed) {
                    return;
                }
                listener(event);
            }
            let pause = self
                .change_signal
                .wait_timeout_while(lock(&self.state), REPORT_INTERVAL, |state| !state.is_closed);
            drop(pause);
        }
    }
}

/// The output that a source's thread reports to. Queued events still arrive after the output is dropped.
pub(crate) struct SourceOutput {
    outbox: Arc<Outbox>,
    is_stopped: Arc<AtomicBool>,
    start: Instant,
}

impl SourceOutput {
    /// Creates the output, and starts the thread that calls `listener`.
    pub(crate) fn new(mut listener: SourceListener, is_stopped: &Arc<AtomicBool>) -> io::Result<Self> {
        #[expect(clippy::disallowed_methods, reason = "the shell's clock")]
        let start = Instant::now();
        let output = Self {
            outbox: Arc::default(),
            is_stopped: Arc::clone(is_stopped),
            start,
        };
        let (outbox, is_stopped) = (Arc::clone(&output.outbox), Arc::clone(is_stopped));
        threads::spawn("live-report", move || outbox.pass_on(&is_stopped, &mut listener))?.detach();
        Ok(output)
    }

    /// Queues an event for the listener, unless the source was dropped.
    pub(crate) fn report(&self, event: SourceEvent) {
        if !self.is_stopped() {
            lock(&self.outbox.state).queue.add(event);
            self.outbox.change_signal.notify_all();
        }
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.is_stopped.load(Ordering::Relaxed)
    }

    /// Returns the moment from which the times of the core count.
    pub(crate) const fn start_time(&self) -> Instant {
        self.start
    }
}

impl Drop for SourceOutput {
    fn drop(&mut self) {
        lock(&self.outbox.state).is_closed = true;
        self.outbox.change_signal.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{LiveGame, SourceState};
    use shogibar_kifu::Record;
    use shogibar_shogi::Position;
    use std::sync::mpsc::sync_channel;

    /// Returns the event of a game without moves. `moves` distinguishes the versions of a game.
    fn game(id: &str, moves: usize) -> SourceEvent {
        let mut record = Record::new(&Position::startpos());
        record.headers_mut().push(("moves".to_owned(), moves.to_string()));
        SourceEvent::Game(LiveGame::from_record(id.to_owned(), Arc::new(record)))
    }

    #[test]
    fn only_the_newest_of_each_game_waits() {
        let mut queue = EventQueue::default();
        queue.add(game("a", 1));
        queue.add(SourceEvent::State(SourceState::Waiting));
        queue.add(game("b", 1));
        queue.add(SourceEvent::State(SourceState::Live));
        queue.add(game("a", 2));
        assert_eq!(
            queue.take(),
            [game("b", 1), SourceEvent::State(SourceState::Live), game("a", 2)]
        );
        assert!(queue.is_empty());
        for number in 0..1000 {
            queue.add(game(&number.to_string(), number));
        }
        let newest: Vec<_> = (1000 - MAX_WAITING_GAMES..1000)
            .map(|number| game(&number.to_string(), number))
            .collect();
        assert_eq!(queue.take(), newest);
    }

    #[test]
    fn a_fast_source_reports_its_last_game() {
        let (sender, events) = sync_channel(4000);
        let stopped = Arc::default();
        let output = SourceOutput::new(Box::new(move |event| drop(sender.send(event))), &stopped).unwrap();
        for moves in 0..2000 {
            output.report(game("a", moves));
        }
        drop(output);
        let received: Vec<_> = events.iter().collect();
        assert_eq!(received.last(), Some(&game("a", 1999)));
        assert!(received.len() < 1000, "{}", received.len());
    }
}
