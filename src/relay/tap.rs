//! The queue of copied bytes: bounded, and it never blocks the one who copies.

use super::threads::lock;
use super::usi::log::Direction;
use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The most bytes that wait for the window. An engine that prints 100 kB a second fills it in 40 s.
const ROOM: usize = 4 << 20;
/// How long bytes gather before they are taken. Forwarding a line and its answer has the processor meanwhile.
const GATHER: Duration = Duration::from_millis(5);
/// What an item takes besides its bytes.
const OVERHEAD: usize = 64;

/// A part of a stream.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Copied {
    /// Bytes that were passed on, and when, since the relay was started.
    Bytes(Direction, Duration, Vec<u8>),
    /// Bytes of this direction are missing here.
    Gap(Direction),
}

/// The queue.
#[derive(Debug)]
pub(super) struct Tap {
    started: Instant,
    queue: Mutex<Queue>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct Queue {
    items: VecDeque<Copied>,
    bytes: usize,
    /// Whether nothing more will come.
    is_closed: bool,
    /// Whether everything was taken and passed on.
    is_done: bool,
}

impl Tap {
    pub(super) fn new() -> Self {
        Self { started: now(), queue: Mutex::default(), changed: Condvar::new() }
    }

    /// The time since the relay was started.
    pub(super) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Copies bytes into the queue, or notes that they are missing.
    pub(super) fn push(&self, direction: Direction, bytes: &[u8]) {
        let time = self.elapsed();
        let mut queue = lock(&self.queue);
        // Nobody waits for more than the first.
        let is_first = queue.items.is_empty();
        if queue.bytes + bytes.len() + OVERHEAD <= ROOM {
            queue.bytes += bytes.len() + OVERHEAD;
            queue.items.push_back(Copied::Bytes(direction, time, bytes.to_vec()));
        } else if queue.items.back() != Some(&Copied::Gap(direction)) {
            queue.items.push_back(Copied::Gap(direction));
        }
        drop(queue);
        if is_first {
            self.changed.notify_one();
        }
    }

    /// Says that nothing more will come, and waits until everything is passed on, at most `timeout`.
    pub(super) fn close(&self, timeout: Duration) {
        let mut queue = lock(&self.queue);
        queue.is_closed = true;
        self.changed.notify_all();
        // After the timeout the rest is lost.
        let _rest = self.changed.wait_timeout_while(queue, timeout, |queue| !queue.is_done);
    }

    /// Takes all items, and waits for the first; `None` once nothing more will come.
    pub(super) fn take(&self) -> Option<VecDeque<Copied>> {
        let is_waiting = |queue: &mut Queue| queue.items.is_empty() && !queue.is_closed;
        let queue = self.changed.wait_while(lock(&self.queue), is_waiting);
        let queue = queue.unwrap_or_else(PoisonError::into_inner);
        let gathered = self.changed.wait_timeout_while(queue, GATHER, |queue| !queue.is_closed);
        let mut queue = gathered.unwrap_or_else(PoisonError::into_inner).0;
        queue.bytes = 0;
        (!queue.items.is_empty()).then(|| std::mem::take(&mut queue.items))
    }

    /// Says that everything was passed on.
    pub(super) fn finish(&self) {
        lock(&self.queue).is_done = true;
        self.changed.notify_all();
    }
}

#[expect(clippy::disallowed_methods, reason = "the window is told when a line passed")]
fn now() -> Instant {
    Instant::now()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_queue_drops_and_says_so() {
        let tap = Tap::new();
        let chunk = vec![b'x'; 1 << 16];
        for _ in 0..100 {
            tap.push(Direction::Output, &chunk);
        }
        tap.push(Direction::Sent, b"stop\n");
        tap.close(Duration::ZERO);
        let items = tap.take().unwrap();
        let bytes: usize =
            items.iter().map(|item| if let Copied::Bytes(_, _, bytes) = item { bytes.len() } else { 0 }).sum();
        assert!(bytes <= ROOM && bytes > ROOM / 2, "{bytes}");
        assert_eq!(items.iter().filter(|item| **item == Copied::Gap(Direction::Output)).count(), 1);
        // A short line may still find room, behind the gap of the other direction.
        assert!(matches!(items.back(), Some(Copied::Bytes(Direction::Sent, ..) | Copied::Gap(Direction::Sent))));
        assert_eq!(tap.take(), None);
    }
}
