//! The last lines of an engine's standard error, which are shown with a failure.

use crate::usi::tokens::decode;
use shogibar_base::threads::lock;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

/// The maximum number of lines that are kept.
const MAX_LINES: usize = 20;
/// The length at which a line is cut, in bytes.
const MAX_LINE_BYTES: usize = 1 << 10;

/// The last lines of a standard error. Clones share the lines.
#[derive(Clone, Debug, Default)]
pub(super) struct StderrTail(Arc<Mutex<VecDeque<String>>>);

impl StderrTail {
    /// Adds a line. With more than [`MAX_LINES`], the oldest line is removed.
    pub(super) fn add(&self, line: &[u8]) {
        let mut lines = lock(&self.0);
        if lines.len() == MAX_LINES {
            lines.pop_front();
        }
        let line = line.get(..MAX_LINE_BYTES).unwrap_or(line);
        lines.push_back(decode(line).into_owned());
    }

    /// Returns the lines, oldest first.
    pub(super) fn lines(&self) -> Vec<String> {
        lock(&self.0).iter().cloned().collect()
    }
}
