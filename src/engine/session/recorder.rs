//! The recorder of the traffic with an engine.

use crate::usi::log::Direction;
use std::fmt;

/// Records the traffic through the pipes of an engine. The methods are called on the threads of the session. Only
/// [`close`](Self::close) may block.
pub trait TrafficRecorder: fmt::Debug + Send + Sync {
    /// Records a line, without its line end.
    fn record(&self, direction: Direction, line: &[u8]);

    /// Records a line that is sent to the engine.
    fn record_sent(&self, line: &str) {
        self.record(Direction::Sent, line.as_bytes());
    }

    /// Records a line of the engine's output.
    fn record_output(&self, line: &[u8]) {
        self.record(Direction::Output, line);
    }

    /// Records a line of the engine's standard error.
    fn record_stderr(&self, line: &[u8]) {
        self.record(Direction::Stderr, line);
    }

    /// Records a note on an event of the engine.
    fn record_note(&self, text: &str) {
        self.record(Direction::Note, text.as_bytes());
    }

    /// Ends the recording, when the session ends. Later lines are dropped. The call may wait until all lines are
    /// written.
    fn close(&self) {}
}

/// Records nothing.
impl TrafficRecorder for () {
    fn record(&self, _: Direction, _: &[u8]) {}
}
