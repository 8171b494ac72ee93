//! The messages for clients: the newest message of each topic. It replaces an older message that a client has not
//! taken.

use shogibar_base::threads::lock;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError, Weak};
use std::time::{Duration, Instant};

/// A topic that a client can follow.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FeedTopic {
    /// The state of the games, as JSON.
    State,
    /// The contents of an OBS page; holds the query of its socket.
    Page(String),
}

/// The newest message of a topic.
#[derive(Debug, Default)]
pub struct Feed {
    latest: Mutex<LatestMessage>,
    change_signal: Condvar,
}

/// The newest message of a topic, with its number, counted from 1; 0 before the first message.
#[derive(Debug, Default)]
struct LatestMessage {
    number: u64,
    message: Option<Arc<str>>,
}

impl Feed {
    /// Waits for a message after the one with the number `seen`. Returns the new message with its number, or `None`
    /// after `timeout`.
    pub fn next(&self, seen: u64, timeout: Duration) -> Option<(u64, Arc<str>)> {
        let (latest, _timed_out) = self
            .change_signal
            .wait_timeout_while(lock(&self.latest), timeout, |latest| latest.number <= seen)
            .unwrap_or_else(PoisonError::into_inner);
        Some((latest.number, latest.message.clone()?)).filter(|(number, _)| *number > seen)
    }

    /// Replaces the newest message by another, and wakes the clients. Does nothing if the messages are equal.
    fn publish(&self, message: &str) {
        let mut latest = lock(&self.latest);
        if latest.message.as_deref() != Some(message) {
            *latest = LatestMessage {
                number: latest.number + 1,
                message: Some(Arc::from(message)),
            };
            self.change_signal.notify_all();
        }
    }
}

/// The feeds of all topics, and the game that a client has chosen.
pub struct FeedHub {
    /// The feed of [`FeedTopic::State`].
    state: Arc<Feed>,
    /// The feeds of the open OBS pages.
    pages: Mutex<BTreeMap<FeedTopic, Weak<Feed>>>,
    /// The number of the game that an OBS page has chosen, until it is taken.
    chosen_game_number: Mutex<Option<usize>>,
    state_clients: AtomicUsize,
    /// The time of the last request for the state; `None` before the first.
    last_state_request: Mutex<Option<Instant>>,
    /// Called when a client subscribes to a topic or leaves it, has asked for the state, or has chosen a game.
    wake: Box<dyn Fn() + Send + Sync>,
}

impl std::fmt::Debug for FeedHub {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("FeedHub")
            .field("pages", &self.pages)
            .finish_non_exhaustive()
    }
}

impl FeedHub {
    /// Creates a hub. A thread of a client calls `wake` when the client subscribes to a new topic, or has chosen a
    /// game.
    pub fn new(wake: impl Fn() + Send + Sync + 'static) -> Self {
        Self {
            state: Arc::default(),
            pages: Mutex::default(),
            chosen_game_number: Mutex::default(),
            state_clients: AtomicUsize::new(0),
            last_state_request: Mutex::default(),
            wake: Box::new(wake),
        }
    }

    /// Returns the feed of a topic. The topic exists while its feed is held.
    pub fn subscribe(&self, topic: &FeedTopic) -> Arc<Feed> {
        if *topic == FeedTopic::State {
            return Arc::clone(&self.state);
        }
        let mut pages = lock(&self.pages);
        if let Some(feed) = pages.get(topic).and_then(Weak::upgrade) {
            return feed;
        }
        let feed = Arc::default();
        pages.insert(topic.clone(), Arc::downgrade(&feed));
        drop(pages);
        (self.wake)();
        feed
    }

    pub(crate) fn count_client(&self, topic: &FeedTopic) -> FeedClient<'_> {
        let is_of_state = *topic == FeedTopic::State;
        self.state_clients
            .fetch_add(usize::from(is_of_state), Ordering::Relaxed);
        if is_of_state {
            (self.wake)();
        }
        FeedClient {
            hub: self,
            is_of_state,
            feed: self.subscribe(topic),
        }
    }

    /// Returns whether a client follows the state.
    pub fn has_state_clients(&self) -> bool {
        self.state_clients.load(Ordering::Relaxed) > 0
    }

    pub(crate) fn set_state_request(&self, now: Instant) {
        *lock(&self.last_state_request) = Some(now);
        (self.wake)();
    }

    /// Returns the time of the last request for the state; `None` before the first.
    pub fn last_state_request(&self) -> Option<Instant> {
        *lock(&self.last_state_request)
    }

    /// Returns the queries of all OBS pages that are open.
    pub fn page_queries(&self) -> Vec<String> {
        let mut pages = lock(&self.pages);
        pages.retain(|_, feed| feed.strong_count() > 0);
        pages
            .keys()
            .filter_map(|topic| match topic {
                FeedTopic::Page(query) => Some(query.clone()),
                FeedTopic::State => None,
            })
            .collect()
    }

    /// Stores the number of the game that an OBS page has chosen.
    pub(crate) fn set_chosen_game_number(&self, number: usize) {
        *lock(&self.chosen_game_number) = Some(number);
        (self.wake)();
    }

    /// Removes and returns the number of the game that an OBS page has chosen last.
    pub fn take_chosen_game_number(&self) -> Option<usize> {
        lock(&self.chosen_game_number).take()
    }

    /// Publishes a message. A message equal to the newest one of its topic is not sent again. The message for an OBS
    /// page that is not open is dropped.
    pub fn publish(&self, topic: &FeedTopic, message: &str) {
        let feed = match topic {
            FeedTopic::State => Some(Arc::clone(&self.state)),
            FeedTopic::Page(_) => lock(&self.pages).get(topic).and_then(Weak::upgrade),
        };
        if let Some(feed) = feed {
            feed.publish(message);
        }
    }
}

/// A client of a topic.
pub(crate) struct FeedClient<'h> {
    hub: &'h FeedHub,
    is_of_state: bool,
    /// The feed of the topic.
    pub(crate) feed: Arc<Feed>,
}

impl Drop for FeedClient<'_> {
    fn drop(&mut self) {
        self.hub
            .state_clients
            .fetch_sub(usize::from(self.is_of_state), Ordering::Relaxed);
        // The topic has to be gone before the hub looks for open pages.
        self.feed = Arc::default();
        (self.hub.wake)();
    }
}
