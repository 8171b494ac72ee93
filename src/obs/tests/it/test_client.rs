//! A client of OBS that a test waits for.

use shogibar_obs::{ObsAddress, ObsClient, ObsNews, ObsSnapshot, ObsTask, TaskOutcome};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// The longest time for a state. A busy machine is slow; only a state fails a test.
pub(crate) const LONGEST: Duration = Duration::from_mins(3);

/// A client, and what it has reported.
pub(crate) struct TestClient {
    pub(crate) client: ObsClient,
    news: Receiver<ObsNews>,
    pub(crate) shown: ObsSnapshot,
    /// The number of the last task.
    last_task: u64,
}

impl TestClient {
    pub(crate) fn start(port: u16, password: &str) -> Self {
        let (sender, news) = channel();
        let listener = Box::new(move |news| drop(sender.send(news)));
        let client = ObsClient::start(now(), listener).unwrap();
        client.connect(Some(ObsAddress {
            host: "127.0.0.1".to_owned(),
            port,
            password: password.to_owned(),
        }));
        Self {
            client,
            news,
            shown: ObsSnapshot::default(),
            last_task: 0,
        }
    }

    /// Waits until OBS is in a state.
    pub(crate) fn wait_for(&mut self, what: &str, is_there: impl Fn(&ObsSnapshot) -> bool) {
        let end = now() + LONGEST;
        while !is_there(&self.shown) {
            let left = end.saturating_duration_since(now());
            match self.news.recv_timeout(left) {
                Ok(ObsNews::Changed(snapshot)) => self.shown = snapshot,
                Ok(ObsNews::Ended(..)) => {}
                Err(error) => panic!("{what}: {error}: {:?}", self.shown),
            }
        }
    }

    /// Gives a task, and returns what came of it.
    pub(crate) fn run(&mut self, task: ObsTask) -> TaskOutcome {
        self.last_task += 1;
        assert!(
            self.client.begin(self.last_task, task),
            "there is no room for a task"
        );
        let end = now() + LONGEST;
        loop {
            match self.news.recv_timeout(end.saturating_duration_since(now())) {
                Ok(ObsNews::Ended(number, outcome)) if number == self.last_task => return outcome,
                Ok(ObsNews::Changed(snapshot)) => self.shown = snapshot,
                other => panic!("{other:?}"),
            }
        }
    }
}

pub(crate) fn now() -> Instant {
    Instant::now()
}
