//! The one place that starts threads, and what they share values by.

use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, JoinHandle, Scope, ScopedJoinHandle};

/// The stack of a scoped thread, in bytes: the search, which runs on one, calls itself some hundred
/// times over. Memory is only taken for what is used of it.
const STACK: usize = 16 << 20;

/// A named thread that is waited for when its handle goes away, so that none outlives its owner.
#[derive(Debug)]
pub(crate) struct Thread(Option<JoinHandle<()>>);

/// Starts a thread.
///
/// # Errors
/// Where the system has no thread to give.
#[expect(clippy::disallowed_methods, reason = "this is the place")]
pub(crate) fn named(name: &str, body: impl FnOnce() + Send + 'static) -> io::Result<Thread> {
    Builder::new().name(name.to_owned()).spawn(body).map(|handle| Thread(Some(handle)))
}

/// Has something end that may take its time to do so, as an engine may, where nobody has to wait for that.
pub(crate) fn drop_in_background(leaving: impl Send + 'static) {
    // Without a thread to give the system has it end here.
    if let Ok(thread) = named("farewell", move || drop(leaving)) {
        thread.detach();
    }
}

/// Starts a thread that may borrow, and is waited for at the end of its scope.
///
/// # Errors
/// Where the system has no thread to give.
pub(crate) fn scoped<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    name: &str,
    body: impl FnOnce() -> T + Send + 'scope,
) -> io::Result<ScopedJoinHandle<'scope, T>> {
    Builder::new().name(name.to_owned()).stack_size(STACK).spawn_scoped(scope, body)
}

/// What threads share, for one of them. A thread that panicked while it had it is no reason to panic as well:
/// nothing that is shared here is left half done.
pub(crate) fn lock<T: ?Sized>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Thread {
    /// Lets the thread end on its own, for the one case where waiting could hang: a reader of a pipe
    /// that a grandchild of ours may still hold open.
    pub(crate) fn detach(mut self) {
        self.0 = None;
    }
}

impl Drop for Thread {
    fn drop(&mut self) {
        if let Some(handle) = self.0.take() {
            // A panic in the thread was printed by the panic hook; there is nothing to add here.
            let _printed_already = handle.join();
        }
    }
}
