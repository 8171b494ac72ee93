//! A slot for one value, of which only the newest matters.

use crate::threads::lock;
use std::sync::{Arc, Mutex};

/// A slot for the newest value. A value that was not taken in time is replaced, not queued.
#[derive(Debug)]
pub struct Latest<T>(Arc<Mutex<Option<T>>>);

impl<T> Latest<T> {
    /// Stores a value and replaces one that was not taken.
    pub fn put(&self, value: T) {
        *lock(&self.0) = Some(value);
    }

    /// Removes and returns the newest value; `None` when there is none since the last call.
    pub fn take(&self) -> Option<T> {
        lock(&self.0).take()
    }
}

impl<T> Clone for Latest<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T> Default for Latest<T> {
    fn default() -> Self {
        Self(Arc::default())
    }
}
