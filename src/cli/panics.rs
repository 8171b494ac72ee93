//! The report of a panic, and calls that may panic.

use super::output::OutputStream;
use std::backtrace::{Backtrace, BacktraceStatus};
use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe, PanicHookInfo};
use std::{io, thread};

thread_local! {
    /// Whether [`catch`] runs on this thread: a panic is then no failure of the program.
    static IS_CAUGHT: Cell<bool> = const { Cell::new(false) };
}

/// Calls `work`, which gives foreign data to a library. Returns `None` if the library panics.
pub(super) fn catch<R>(work: impl FnOnce() -> R) -> Option<R> {
    IS_CAUGHT.set(true);
    let result = panic::catch_unwind(AssertUnwindSafe(work));
    IS_CAUGHT.set(false);
    result.ok()
}

/// Installs a hook that escapes control characters in panic reports: a message may hold foreign text.
pub(super) fn install_hook() {
    panic::set_hook(Box::new(|panic| {
        if IS_CAUGHT.get() {
            return;
        }
        let mut stderr = io::stderr();
        let mut err = OutputStream::err(&mut stderr, false);
        let _best_effort = report(panic, &mut err);
    }));
}

/// Writes the thread, the location and the message of a panic, and the backtrace if it was captured.
fn report(panic: &PanicHookInfo<'_>, err: &mut OutputStream<'_>) -> io::Result<()> {
    let thread = thread::current();
    let name = thread.name().unwrap_or("<unnamed>");
    let location = panic.location().map(ToString::to_string).unwrap_or_default();
    let message = panic.payload_as_str().unwrap_or("no message");
    writeln!(err, "thread '{name}' panicked at {location}: {message}")?;
    let backtrace = Backtrace::capture();
    if backtrace.status() == BacktraceStatus::Captured {
        err.write_lines(&format!("{backtrace}\n"))
    } else {
        Ok(())
    }
}
