//! What only the operating system can do for us; the one file that may be unsafe.

use std::process::Command;

/// Asks the system to kill the child when we die, however we die. On Linux that is when the *thread*
/// that started it ends, so it has to be one that lives as long as the child should.
#[cfg(target_os = "linux")]
#[expect(unsafe_code, reason = "the child has to ask for it itself, between fork and exec")]
pub(crate) fn die_with_us(command: &mut Command) {
    use rustix::process::{Signal, getpid, getppid, set_parent_process_death_signal};
    use std::os::unix::process::CommandExt as _;

    let parent = getpid();
    // SAFETY: the closure makes two system calls and allocates nothing, so it is safe between fork
    // and exec, also when other threads hold locks.
    unsafe {
        command.pre_exec(move || {
            set_parent_process_death_signal(Some(Signal::KILL))?;
            // We may have died before the request was made; then nobody would ever send the signal.
            if getppid() == Some(parent) { Ok(()) } else { Err(rustix::io::Errno::SRCH.into()) }
        });
    }
}

/// Elsewhere the process group (macOS) or the job object (Windows) has to do.
#[cfg(not(target_os = "linux"))]
pub(crate) fn die_with_us(_command: &mut Command) {}
