//! Settings of a child process: its end with this program, its priority, and the report of its group to the watcher.
//! The only file of this crate with unsafe code.

use super::OrphanEnd;
use std::process::Command;

/// Asks the system to end the child when this program dies, for whatever reason.
///
/// On Linux, the child ends when the *thread* that started it ends. That thread has to live as long as the child.
#[cfg(target_os = "linux")]
#[expect(
    unsafe_code,
    reason = "only the child can request this, between fork and exec"
)]
pub(super) fn end_child_with_parent(command: &mut Command, orphan: OrphanEnd) {
    use rustix::process::{Signal, getpid, getppid, set_parent_process_death_signal};
    use std::os::unix::process::CommandExt as _;

    let parent = getpid();
    let signal = match orphan {
        OrphanEnd::Kill => Signal::KILL,
        OrphanEnd::Terminate => Signal::TERM,
    };
    // SAFETY: the closure makes two system calls and allocates nothing. So it is safe between fork and exec, even when
    // other threads hold locks.
    unsafe {
        command.pre_exec(move || {
            set_parent_process_death_signal(Some(signal))?;
            // The parent may have died before the request; then nothing would ever send the signal.
            if getppid() == Some(parent) {
                Ok(())
            } else {
                Err(rustix::io::Errno::SRCH.into())
            }
        });
    }
}

/// Lets the child write its process group as a line into `output`, before the child becomes the program. The group has
/// the id of the child.
#[cfg(unix)]
#[expect(unsafe_code, reason = "only the child can do this, before its program runs")]
pub(super) fn write_group_id(command: &mut Command, output: std::os::fd::OwnedFd) {
    use std::os::unix::process::CommandExt as _;
    // SAFETY: the closure makes two system calls and allocates nothing.
    unsafe {
        command.pre_exec(move || {
            let (mut line, mut rest) = ([b'\n'; 11], std::process::id());
            let mut first = line.len() - 1;
            while rest > 0 && first > 0 {
                first -= 1;
                if let Some(digit) = line.get_mut(first) {
                    *digit = b'0' + u8::try_from(rest % 10).unwrap_or_default();
                }
                rest /= 10;
            }
            // Without this line, the group is not watched.
            let _unwatched = rustix::io::write(&output, line.get(first..).unwrap_or_default());
            Ok(())
        });
    }
}

#[cfg(unix)]
#[expect(
    unsafe_code,
    reason = "only the child can request this, between fork and exec"
)]
pub(super) fn lower_priority(command: &mut Command) {
    use std::os::unix::process::CommandExt as _;
    // SAFETY: the closure makes one system call and allocates nothing.
    unsafe {
        command.pre_exec(|| {
            // If this fails, the child has the normal priority.
            let _as_others = rustix::process::nice(10);
            Ok(())
        });
    }
}

/// Does nothing: on other systems a flag sets the priority.
#[cfg(not(unix))]
pub(super) fn lower_priority(_command: &mut Command) {}

/// Does nothing: on other systems a watcher (macOS) or a job object (Windows) ends the child.
#[cfg(not(target_os = "linux"))]
pub(super) fn end_child_with_parent(_command: &mut Command, _orphan: OrphanEnd) {}

/// Puts a child into a job object, so that the system kills it when this program dies, for whatever reason.
///
/// This program holds the only handle of the job and never closes it. The system kills the job with its last handle.
///
/// # Errors
/// Fails if the system gives no job, or the child is gone.
#[cfg(windows)]
#[expect(unsafe_code, reason = "the system's interface to jobs has no safe form")]
pub(super) fn end_child_with_this_program(child: &std::process::Child) -> std::io::Result<()> {
    use std::os::windows::io::{AsRawHandle as _, FromRawHandle as _, OwnedHandle};
    use std::sync::OnceLock;
    use windows::Win32::Foundation::HANDLE;
    use windows::Win32::System::JobObjects::{
        AssignProcessToJobObject, CreateJobObjectW, JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE,
        JOBOBJECT_EXTENDED_LIMIT_INFORMATION, JobObjectExtendedLimitInformation, SetInformationJobObject,
    };

    static JOB: OnceLock<OwnedHandle> = OnceLock::new();

    let job = if let Some(job) = JOB.get() {
        job
    } else {
        let mut limits = JOBOBJECT_EXTENDED_LIMIT_INFORMATION::default();
        limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
        let size = u32::try_from(size_of_val(&limits)).map_err(std::io::Error::other)?;
        // SAFETY: the handle is new and owned here. The value behind the pointer outlives the call and has the given
        // size.
        let job = unsafe {
            let job = CreateJobObjectW(None, None)?;
            let job = OwnedHandle::from_raw_handle(job.0);
            let handle = HANDLE(job.as_raw_handle());
            SetInformationJobObject(
                handle,
                JobObjectExtendedLimitInformation,
                (&raw const limits).cast(),
                size,
            )?;
            job
        };
        // If two threads create a job, the second one is closed unused.
        JOB.get_or_init(|| job)
    };
    // SAFETY: both handles stay open while they are borrowed.
    unsafe { AssignProcessToJobObject(HANDLE(job.as_raw_handle()), HANDLE(child.as_raw_handle())) }?;
    Ok(())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::io::Read as _;

    #[test]
    #[expect(clippy::disallowed_methods, reason = "the test starts a program itself")]
    fn child_writes_its_group_id_before_its_program_runs() {
        let (mut reader, writer) = std::io::pipe().unwrap();
        let mut command = Command::new("/bin/sh");
        command.args(["-c", "exit"]);
        write_group_id(&mut command, writer.into());
        let mut child = command.spawn().unwrap();
        drop(command);
        let mut printed = String::new();
        reader.read_to_string(&mut printed).unwrap();
        child.wait().unwrap();
        assert_eq!(printed, format!("{}\n", child.id()));
    }
}
