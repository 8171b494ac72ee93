//! A thread that carries out the newest request of each key.

use shogibar_base::threads::{self, lock};
use shogibar_builtin::Control;
use std::collections::BTreeMap;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};

/// A thread that carries out requests at low priority. The request with the least key is first, and only the newest
/// request of each key counts. Dropping it ends the request that runs.
#[derive(Debug)]
pub(super) struct RequestThread<K, R> {
    shared_requests: Arc<Mutex<SharedRequests<K, R>>>,
    /// Wakes the thread to read `shared_requests`.
    signal: SyncSender<()>,
}

/// The waiting requests, and the control that stops the running one.
#[derive(Debug)]
struct SharedRequests<K, R> {
    queue: BTreeMap<K, R>,
    /// The request that runs or has run last, with its control; `None` before the first.
    running_request: Option<(K, Arc<Control>)>,
}

impl<K: Ord + Copy + Send + 'static, R: Send + 'static> RequestThread<K, R> {
    /// Starts the thread; `work` carries out a request. `None` where the system has no thread.
    pub(super) fn start(name: &str, work: impl FnMut(R, &Control) + Send + 'static) -> Option<Self> {
        let shared = Arc::new(Mutex::new(SharedRequests {
            queue: BTreeMap::new(),
            running_request: None,
        }));
        // One signal stands for all waiting requests.
        let (signal, signals) = sync_channel(1);
        let requests = Arc::clone(&shared);
        let body = move || {
            threads::lower_priority();
            run(&requests, &signals, work);
        };
        threads::spawn(name, body).ok()?.detach();
        Some(Self {
            shared_requests: shared,
            signal,
        })
    }

    /// Queues a request. The request replaces those with this key and those with a key that `replaces` accepts, even if
    /// they run.
    pub(super) fn request(&self, key: K, request: R, replaces: impl Fn(K) -> bool) {
        let is_replaced = |other: K| other == key || replaces(other);
        let mut shared = lock(&self.shared_requests);
        shared.queue.retain(|other, _| !is_replaced(*other));
        shared.queue.insert(key, request);
        shared.stop(is_replaced);
        drop(shared);
        // A full channel has a signal already.
        let _signalled = self.signal.try_send(());
    }
}

impl<K, R> Drop for RequestThread<K, R> {
    fn drop(&mut self) {
        let mut shared = lock(&self.shared_requests);
        shared.queue.clear();
        if let Some((_, control)) = &shared.running_request {
            control.stop();
        }
    }
}

impl<K: Ord + Copy, R> SharedRequests<K, R> {
    fn stop(&self, is_match: impl Fn(K) -> bool) {
        if let Some((_, control)) = self.running_request.as_ref().filter(|(key, _)| is_match(*key)) {
            control.stop();
        }
    }

    /// Removes the next request from the queue. Returns it with the control that stops it; `None` if the queue is
    /// empty.
    fn next(&mut self) -> Option<(R, Arc<Control>)> {
        let (key, request) = self.queue.pop_first()?;
        let control = Arc::new(Control::default());
        self.running_request = Some((key, Arc::clone(&control)));
        Some((request, control))
    }
}

/// Carries out the waiting requests after each signal, until the channel closes.
fn run<K: Ord + Copy, R>(
    shared: &Mutex<SharedRequests<K, R>>,
    signals: &Receiver<()>,
    mut work: impl FnMut(R, &Control),
) {
    while signals.recv().is_ok() {
        loop {
            let next = lock(shared).next();
            let Some((request, control)) = next else { break };
            work(request, &control);
        }
    }
}
