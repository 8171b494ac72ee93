//! The only module of the program that starts threads, and the lock for values that threads share.

use std::io;
use std::sync::mpsc::sync_channel;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, JoinHandle, Scope, ScopedJoinHandle};
use std::time::Duration;

/// The stack size of a scoped thread, in bytes. The recursive search runs on such a thread, some hundred calls deep.
/// The system takes memory only for the part in use.
const SCOPED_STACK_BYTES: usize = 16 << 20;

/// A named thread. Dropping the value waits for the end of the thread, so that no thread outlives its owner.
#[derive(Debug)]
pub struct Thread(Option<JoinHandle<()>>);

/// Starts a thread.
///
/// # Errors
/// Fails if the system cannot start a thread.
#[expect(clippy::disallowed_methods, reason = "the only place that starts threads")]
pub fn spawn(name: &str, body: impl FnOnce() + Send + 'static) -> io::Result<Thread> {
    Builder::new()
        .name(name.to_owned())
        .spawn(body)
        .map(|handle| Thread(Some(handle)))
}

/// Lowers the priority of the calling thread. Only Linux has priorities for a single thread.
pub fn lower_priority() {
    #[cfg(target_os = "linux")]
    let _as_others = rustix::process::nice(10);
}

/// Drops a value on a background thread, because the drop may take time, as that of an engine does.
pub fn drop_in_background(value: impl Send + 'static) {
    // If no thread can be started, the value is dropped here, on the caller's thread.
    if let Ok(thread) = spawn("drop", move || drop(value)) {
        thread.detach();
    }
}

/// Starts work on a thread when the program ends, and waits for half a second at most. A disk may hang, or another
/// program may hold a lock. The work continues until the program has ended.
pub fn finish_soon(name: &str, work: impl FnOnce() + Send + 'static) {
    const MAX_WAIT: Duration = Duration::from_millis(500);
    let (done, is_done) = sync_channel(1);
    let work = move || {
        work();
        let _nobody_waits = done.send(());
    };
    if let Ok(thread) = spawn(name, work) {
        thread.detach();
        let _given_up = is_done.recv_timeout(MAX_WAIT);
    }
}

/// Starts a thread that may borrow. The thread is joined at the end of its scope.
///
/// # Errors
/// Fails if the system cannot start a thread.
pub fn spawn_in_scope<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    name: &str,
    body: impl FnOnce() -> T + Send + 'scope,
) -> io::Result<ScopedJoinHandle<'scope, T>> {
    Builder::new()
        .name(name.to_owned())
        .stack_size(SCOPED_STACK_BYTES)
        .spawn_scoped(scope, body)
}

/// Locks a shared value, and returns the guard. A poisoned lock is used as well: no shared value is ever left half
/// changed.
pub fn lock<T: ?Sized>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Thread {
    /// Lets the thread end by itself. Call it for a thread whose join could hang, such as the reader of a pipe of a
    /// grandchild.
    pub fn detach(mut self) {
        self.0 = None;
    }
}

impl Drop for Thread {
    fn drop(&mut self) {
        if let Some(handle) = self.0.take() {
            // The panic hook has already printed a panic of the thread.
            let _printed_already = handle.join();
        }
    }
}
