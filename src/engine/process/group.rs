//! A program with its children: its start, its exit and its end.

#[cfg(unix)]
use super::watcher::Watcher;
use super::{ExitReason, Program, StartError, exit_reason, lifetime};
use process_wrap::std::{ChildWrapper, CommandWrap};
use std::io;
use std::process::{ChildStderr, ChildStdin, ChildStdout, ExitStatus, Stdio};
use std::time::Duration;

/// The treatment of a program when this program is killed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OrphanEnd {
    /// The program is killed at once.
    Kill,
    /// The program is asked to end, and killed after a second. On Windows it is killed at once.
    Terminate,
}

/// The pipes to and from a running program.
#[derive(Debug)]
pub struct Streams {
    /// The program's standard input.
    pub stdin: ChildStdin,
    /// The program's standard output.
    pub stdout: ChildStdout,
    /// The program's standard error, if it is piped.
    pub stderr: Option<ChildStderr>,
}

/// A running program and its children. Dropping the value kills them.
#[derive(Debug)]
pub struct ProcessGroup {
    child: Box<dyn ChildWrapper>,
    /// The process that ends the program when this program is killed; `None` without one, and once the program has
    /// ended.
    #[cfg(unix)]
    watcher: Option<Watcher>,
    /// Whether [`end`](Self::end) was called.
    is_ended: bool,
    /// The exit status; `None` if the program was running at the call of [`end`](Self::end).
    status: Option<ExitStatus>,
}

impl ProcessGroup {
    /// Starts a program with pipes for its input and its output.
    ///
    /// Call this on a thread that lives as long as the program should. On Linux the program ends with the thread that
    /// started it.
    ///
    /// # Errors
    /// Fails if the program does not exist or cannot run.
    pub fn start(program: &Program, stderr: Stdio, orphan: OrphanEnd) -> Result<(Self, Streams), StartError> {
        // Without a watcher, as on a system without a shell, the engine still sees the end of its input.
        #[cfg(unix)]
        let watcher = Watcher::spawn(orphan).ok();
        let mut command = CommandWrap::with_new(&program.path, |command| {
            command
                .args(&program.arguments)
                .envs(program.environment.iter().map(|(name, value)| (name, value)));
            if let Some(folder) = program.folder() {
                command.current_dir(folder);
            }
            command
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .stderr(stderr);
            lifetime::end_child_with_parent(command, orphan);
            if program.is_low_priority {
                lifetime::lower_priority(command);
            }
            #[cfg(unix)]
            if let Some(input) = watcher.as_ref().and_then(Watcher::input) {
                lifetime::write_group_id(command, input);
            }
        });
        set_process_group(&mut command, program.is_low_priority);
        let mut child = command.spawn().map_err(|error| program.explain(&error))?;
        let streams = (child.stdin().take(), child.stdout().take(), child.stderr().take());
        // An error after this point drops the group, which kills the program.
        let group = Self {
            child,
            #[cfg(unix)]
            watcher,
            is_ended: false,
            status: None,
        };
        let (Some(stdin), Some(stdout), stderr) = streams else {
            return Err(program.explain(&io::Error::other("its streams are missing")));
        };
        Ok((
            group,
            Streams {
                stdin,
                stdout,
                stderr,
            },
        ))
    }

    /// Returns the process id of the program.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Returns whether the program itself has exited, or its state is unknown.
    pub fn has_exited(&mut self) -> bool {
        !matches!(self.child.inner_mut().try_wait(), Ok(None))
    }

    /// Waits until the program itself has exited, at most `timeout`. Returns whether it has.
    pub fn wait_exit(&mut self, timeout: Duration) -> bool {
        self.wait_until(timeout, || true)
    }

    /// Waits until the program itself has exited and `is_rest_done` is true, at most `timeout`. Returns whether both
    /// hold.
    pub(super) fn wait_until(&mut self, timeout: Duration, is_rest_done: impl Fn() -> bool) -> bool {
        const WAIT_STEP: Duration = Duration::from_millis(5);
        let mut waited = Duration::ZERO;
        while !(self.has_exited() && is_rest_done()) {
            if waited >= timeout {
                return false;
            }
            std::thread::park_timeout(WAIT_STEP);
            waited += WAIT_STEP;
        }
        true
    }

    /// Asks the program and its children to end, on systems that can do so.
    pub fn terminate(&self) {
        #[cfg(unix)]
        if !self.is_ended
            && let Some(group) = i32::try_from(self.child.id())
                .ok()
                .and_then(rustix::process::Pid::from_raw)
        {
            // An error means that no process of the group is left.
            let _nobody_left = rustix::process::kill_process_group(group, rustix::process::Signal::TERM);
        }
    }

    /// Kills the program and its children. Returns the reason of the program's exit; `None` if it was still running.
    pub fn end(&mut self) -> Option<ExitReason> {
        if !self.is_ended {
            self.status = self.child.inner_mut().try_wait().ok().flatten();
            // An error means that the group is empty.
            let _nobody_left = self.child.start_kill();
            let _no_longer_ours = self.child.wait();
            // Later the group id may belong to other processes, so the group is never killed again.
            self.is_ended = true;
            #[cfg(unix)]
            drop(self.watcher.take());
        }
        self.status.and_then(exit_reason)
    }
}

impl Drop for ProcessGroup {
    fn drop(&mut self) {
        self.end();
    }
}

/// Waits until a child process has exited, without collecting the exit status.
#[cfg(unix)]
pub fn block_until_exit(id: u32) {
    use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
    let Some(id) = i32::try_from(id).ok().and_then(Pid::from_raw) else {
        return;
    };
    while let Err(rustix::io::Errno::INTR) =
        waitid(WaitId::Pid(id), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT)
    {}
}

/// Starts the program in a separate process group.
#[cfg(unix)]
fn set_process_group(command: &mut CommandWrap, _is_low_priority: bool) {
    command.wrap(process_wrap::std::ProcessGroup::leader());
}

/// Starts the program in a separate job, without a console window.
#[cfg(windows)]
fn set_process_group(command: &mut CommandWrap, is_low_priority: bool) {
    use process_wrap::std::{CreationFlags, JobObject};
    use windows::Win32::System::Threading::{BELOW_NORMAL_PRIORITY_CLASS, CREATE_NO_WINDOW};
    // Without the flag a console window flashes up for every engine.
    let flags = if is_low_priority {
        CREATE_NO_WINDOW | BELOW_NORMAL_PRIORITY_CLASS
    } else {
        CREATE_NO_WINDOW
    };
    command
        .wrap(CreationFlags(flags))
        .wrap(KillOnExitJob)
        .wrap(JobObject);
}

/// Adds an engine, before its first instruction, to the job that the system ends with this program.
#[cfg(windows)]
#[derive(Debug)]
struct KillOnExitJob;

#[cfg(windows)]
impl process_wrap::std::CommandWrapper for KillOnExitJob {
    fn post_spawn(
        &mut self,
        _command: &mut std::process::Command,
        child: &mut std::process::Child,
        _core: &CommandWrap,
    ) -> io::Result<()> {
        lifetime::end_child_with_this_program(child)
    }
}
