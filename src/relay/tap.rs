//! The bounded queue of copied bytes. It never blocks the thread that forwards.

use shogibar_base::threads::lock;
use shogibar_engine::process::ExitReason;
use shogibar_engine::usi::log::Direction;
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The maximum number of bytes that wait for the window. An engine that prints 100 kB per second fills it in 40 s.
const MAX_QUEUE_BYTES: usize = 4 << 20;
/// The maximum memory that is kept while there is little traffic, in bytes.
const MAX_RETAINED_BYTES: usize = 1 << 16;
/// The minimum time for which bytes are collected before they are taken, so that the forwarding has the processor.
const MIN_GATHER_TIME: Duration = Duration::from_millis(5);
/// The longest time for which bytes are collected.
const MAX_GATHER_TIME: Duration = Duration::from_millis(200);

/// A part of the traffic for the window: copied bytes, or a mark for missing ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CopiedTraffic<'a> {
    /// Bytes of a direction that were passed on, with the time since the relay was started.
    Bytes(Direction, Duration, &'a [u8]),
    /// Bytes of this direction are missing at this point.
    Gap(Direction),
}

/// Parts of both streams, in their order. The memory of a batch is reused, because allocating would delay the
/// forwarding.
#[derive(Debug, Default)]
pub(super) struct Batch {
    parts: Vec<Part>,
    /// The bytes of all parts, in order.
    bytes: Vec<u8>,
}

/// Bytes of one direction in a [`Batch`], or a gap.
#[derive(Debug)]
struct Part {
    direction: Direction,
    /// The time at which the bytes were passed on, since the relay was started.
    time: Duration,
    /// The number of bytes; 0 where bytes are missing.
    length: usize,
}

impl Batch {
    /// Returns the copied parts and the marks for missing ones, in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = CopiedTraffic<'_>> {
        let mut rest = self.bytes.as_slice();
        self.parts.iter().map(move |part| {
            let (bytes, after) = rest.split_at_checked(part.length).unwrap_or((rest, &[]));
            rest = after;
            if bytes.is_empty() {
                CopiedTraffic::Gap(part.direction)
            } else {
                CopiedTraffic::Bytes(part.direction, part.time, bytes)
            }
        })
    }

    /// Appends bytes of a direction. Appends a gap instead if the batch would become too large.
    fn push(&mut self, direction: Direction, time: Duration, bytes: &[u8]) {
        let size = self.bytes.len() + bytes.len() + (self.parts.len() + 1) * size_of::<Part>();
        // After a gap, all further bytes of its direction are missing.
        if self
            .parts
            .iter()
            .rev()
            .take(2)
            .any(|part| part.length == 0 && part.direction == direction)
        {
            return;
        }
        let length = if size <= MAX_QUEUE_BYTES { bytes.len() } else { 0 };
        self.bytes
            .extend_from_slice(bytes.get(..length).unwrap_or_default());
        self.parts.push(Part {
            direction,
            time,
            length,
        });
    }

    /// Removes the content. Returns memory to the system, if much more is reserved than was used.
    fn clear(&mut self) {
        if self.bytes.len() < self.bytes.capacity() / 8 {
            self.bytes.shrink_to(MAX_RETAINED_BYTES);
            self.parts.shrink_to(MAX_RETAINED_BYTES / size_of::<Part>());
        }
        self.bytes.clear();
        self.parts.clear();
    }
}

/// The queue of copied traffic between the relay's pipes and the connection to the window.
#[derive(Debug)]
pub(super) struct Tap {
    start_time: Instant,
    queue: Mutex<Queue>,
    change_signal: Condvar,
}

/// The content and the state of a [`Tap`].
#[derive(Debug, Default)]
struct Queue {
    batch: Batch,
    /// Whether no more bytes will be added.
    is_closed: bool,
    /// How the engine has exited; `None` while it runs, or if it was killed.
    exit_reason: Option<ExitReason>,
    /// Whether everything was taken and passed on.
    is_done: bool,
}

impl Tap {
    pub(super) fn new() -> Self {
        Self {
            start_time: now(),
            queue: Mutex::default(),
            change_signal: Condvar::new(),
        }
    }

    /// Returns the time since the relay was started.
    pub(super) fn elapsed(&self) -> Duration {
        self.start_time.elapsed()
    }

    /// Copies bytes into the queue. If the queue is full, records a gap instead.
    pub(super) fn push(&self, direction: Direction, bytes: &[u8]) {
        let time = self.elapsed();
        let mut queue = lock(&self.queue);
        // The reader waits only while the queue is empty.
        let is_first = queue.batch.parts.is_empty();
        queue.batch.push(direction, time, bytes);
        drop(queue);
        if is_first {
            self.change_signal.notify_one();
        }
    }

    /// Closes the queue, and waits until everything is passed on, at most `timeout`.
    pub(super) fn close(&self, exit_reason: Option<ExitReason>, timeout: Duration) {
        let mut queue = lock(&self.queue);
        (queue.is_closed, queue.exit_reason) = (true, exit_reason);
        self.change_signal.notify_all();
        // After the timeout the remaining bytes are lost.
        let _rest = self
            .change_signal
            .wait_timeout_while(queue, timeout, |queue| !queue.is_done);
    }

    /// Waits for the first bytes and then for more, for about the time `rest` within [`MIN_GATHER_TIME`] and
    /// [`MAX_GATHER_TIME`]. Replaces the content of `batch` by all of them. Returns `false` once the queue is closed
    /// and empty.
    pub(super) fn take(&self, batch: &mut Batch, rest: Duration) -> bool {
        batch.clear();
        let queue = self.change_signal.wait_while(lock(&self.queue), |queue| {
            queue.batch.parts.is_empty() && !queue.is_closed
        });
        let queue = queue.unwrap_or_else(PoisonError::into_inner);
        let queue = self.change_signal.wait_timeout_while(
            queue,
            rest.clamp(MIN_GATHER_TIME, MAX_GATHER_TIME),
            |queue| !queue.is_closed,
        );
        let mut queue = queue.unwrap_or_else(PoisonError::into_inner).0;
        std::mem::swap(&mut queue.batch, batch);
        drop(queue);
        !batch.parts.is_empty()
    }

    /// Returns how the engine has exited; `None` before the queue is closed, or if it was killed.
    pub(super) fn exit_reason(&self) -> Option<ExitReason> {
        lock(&self.queue).exit_reason
    }

    /// Records that everything was passed on, and wakes [`close`](Self::close).
    pub(super) fn finish(&self) {
        lock(&self.queue).is_done = true;
        self.change_signal.notify_all();
    }
}

#[expect(clippy::disallowed_methods, reason = "each line for the window has its time")]
fn now() -> Instant {
    Instant::now()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_queue_drops_with_a_note() {
        let tap = Tap::new();
        let chunk = vec![b'x'; 1 << 16];
        for _ in 0..100 {
            tap.push(Direction::Output, &chunk);
        }
        tap.push(Direction::Sent, b"stop\n");
        tap.close(None, Duration::ZERO);
        let mut batch = Batch::default();
        assert!(tap.take(&mut batch, Duration::ZERO));
        let items: Vec<_> = batch.iter().collect();
        let bytes: usize = items
            .iter()
            .map(|item| {
                if let CopiedTraffic::Bytes(_, _, bytes) = item {
                    bytes.len()
                } else {
                    0
                }
            })
            .sum();
        assert!(bytes <= MAX_QUEUE_BYTES && bytes > MAX_QUEUE_BYTES / 2, "{bytes}");
        assert_eq!(
            items
                .iter()
                .filter(|item| **item == CopiedTraffic::Gap(Direction::Output))
                .count(),
            1
        );
        // A short line may still fit, after the gap of the other direction.
        assert!(matches!(
            items.last(),
            Some(CopiedTraffic::Bytes(Direction::Sent, ..) | CopiedTraffic::Gap(Direction::Sent))
        ));
        assert!(!tap.take(&mut batch, Duration::ZERO));
    }

    #[test]
    fn the_parts_keep_their_order_and_the_memory_is_returned() {
        let (tap, mut batch) = (Tap::new(), Batch::default());
        let mut check = |expect: &[(Direction, &[u8])]| {
            for (direction, bytes) in expect {
                tap.push(*direction, bytes);
            }
            assert!(tap.take(&mut batch, Duration::ZERO));
            let found = batch.iter().map(|item| match item {
                CopiedTraffic::Bytes(direction, _, bytes) => (direction, bytes.to_vec()),
                CopiedTraffic::Gap(direction) => (direction, Vec::new()),
            });
            let expect: Vec<_> = expect
                .iter()
                .map(|(direction, bytes)| (*direction, bytes.to_vec()))
                .collect();
            assert_eq!(found.collect::<Vec<_>>(), expect);
            batch.bytes.capacity()
        };
        let (sent, output) = (Direction::Sent, Direction::Output);
        assert!(
            check(&[
                (sent, b"usi\n"),
                (output, &vec![b'x'; 1 << 20]),
                (sent, b"st"),
                (sent, b"op\n")
            ]) >= 1 << 20
        );
        for _ in 0..3 {
            check(&[(output, b"a"), (sent, b"b"), (output, b"c\n")]);
        }
        assert!(check(&[(output, b"a")]) <= 2 * MAX_RETAINED_BYTES);
    }
}
