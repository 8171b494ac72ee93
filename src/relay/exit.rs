//! The end of the relay, by the exit code or the signal of the engine. No text is printed.

use shogibar_engine::process::ExitReason;
use std::process::ExitCode;

/// Ends this program in the way that the engine has ended: with its exit code, or by its signal. An engine that had to
/// be killed, `None`, counts as a success: the GUI was gone.
pub(super) fn end_like(reason: Option<ExitReason>) -> ExitCode {
    match reason {
        Some(ExitReason::Code(code)) => end_with_code(code),
        Some(ExitReason::Signal(signal)) => end_by_signal(signal),
        None => ExitCode::SUCCESS,
    }
}

/// Ends with the lowest eight bits of a code: Unix has no more.
#[cfg(unix)]
fn end_with_code(code: i32) -> ExitCode {
    ExitCode::from(u8::try_from(code.rem_euclid(256)).unwrap_or(u8::MAX))
}

/// Ends with all 32 bits of a code, such as that of an access violation.
#[cfg(not(unix))]
#[expect(
    clippy::exit,
    clippy::disallowed_methods,
    reason = "`ExitCode` holds only eight bits of a code"
)]
fn end_with_code(code: i32) -> ExitCode {
    std::process::exit(code)
}

/// Ends this program by the signal `number`, without a core file. If the signal does not end this program, returns the
/// exit code by which a shell reports the signal.
#[cfg(unix)]
fn end_by_signal(number: i32) -> ExitCode {
    use rustix::process::{Resource, Rlimit, Signal, getpid, kill_process, setrlimit};
    if let Some(signal) = Signal::from_named_raw(number) {
        // The crash is that of the engine, so the relay writes no core file.
        let _keeps_the_limit = setrlimit(
            Resource::Core,
            Rlimit {
                current: Some(0),
                maximum: Some(0),
            },
        );
        // The first signal may only remove the handler that the standard library has for stack overflows.
        for _ in 0..2 {
            let _sent = kill_process(getpid(), signal);
            std::thread::park_timeout(std::time::Duration::from_millis(20));
        }
    }
    // This program has ignored the signal. A shell reports a signal by this code.
    end_with_code(128 + number)
}

/// Returns the number as the exit code: other systems have no signals.
#[cfg(not(unix))]
fn end_by_signal(number: i32) -> ExitCode {
    end_with_code(number)
}
