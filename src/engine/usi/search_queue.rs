//! The searches that an engine has not answered yet, and the search that a line of output belongs to.

use super::Reply;
use std::collections::VecDeque;

/// The maximum number of searches whose value is kept. No host has more than two searches without an answer. Further
/// searches, as in a hostile log, get the default value.
const MAX_VALUES: usize = 64;

/// The identifier of a search, unique within a [`SearchQueue`] and never reused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SearchId(u64);

/// The searches without an answer, each with a value of the caller.
///
/// An engine answers its searches in the order of the commands, each with one `bestmove` or
/// `checkmate`. So every line of output belongs to the oldest search without an answer.
#[derive(Clone, Debug)]
pub struct SearchQueue<T> {
    unanswered_searches: VecDeque<(SearchId, T)>,
    next_id: u64,
}

impl<T> Default for SearchQueue<T> {
    fn default() -> Self {
        Self {
            unanswered_searches: VecDeque::new(),
            next_id: 0,
        }
    }
}

impl<T: Default> SearchQueue<T> {
    /// Adds a search, when `go` is sent, and returns its new id. With 64 or more searches without an answer, the
    /// default replaces the value.
    pub fn push(&mut self, value: T) -> SearchId {
        let id = SearchId(self.next_id);
        self.next_id += 1;
        let value = if self.unanswered_searches.len() < MAX_VALUES {
            value
        } else {
            T::default()
        };
        self.unanswered_searches.push_back((id, value));
        id
    }
}

impl<T> SearchQueue<T> {
    /// Returns the search that a line of output belongs to, and removes it with its answer. Returns `None` for a line
    /// outside any search.
    pub fn on_received(&mut self, reply: &Reply) -> Option<(SearchId, T)>
    where
        T: Clone,
    {
        match reply {
            Reply::Info(_) => self.unanswered_searches.front().cloned(),
            Reply::BestMove { .. } | Reply::Checkmate(_) => self.unanswered_searches.pop_front(),
            Reply::IdName(_)
            | Reply::IdAuthor(_)
            | Reply::Option(_)
            | Reply::UsiOk
            | Reply::ReadyOk
            | Reply::Other => None,
        }
    }

    /// Returns the search in progress: the oldest.
    pub fn oldest(&self) -> Option<&(SearchId, T)> {
        self.unanswered_searches.front()
    }

    /// Returns the value of the search in progress.
    pub fn oldest_mut(&mut self) -> Option<&mut T> {
        self.unanswered_searches.front_mut().map(|(_, value)| value)
    }

    /// Returns the value of the newest search.
    pub fn newest_mut(&mut self) -> Option<&mut T> {
        self.unanswered_searches.back_mut().map(|(_, value)| value)
    }

    /// Returns the values, oldest first.
    pub fn values(&self) -> impl Iterator<Item = &T> {
        self.unanswered_searches.iter().map(|(_, value)| value)
    }

    /// Removes all searches, because another process has replaced the engine.
    pub fn clear(&mut self) {
        self.unanswered_searches.clear();
    }
}
