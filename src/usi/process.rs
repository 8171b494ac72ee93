//! The one place that starts programs.
//!
//! An engine runs in its own folder and its own process group (a job object on Windows), all three
//! streams are ours, and it goes with us: killed with its children when its [`Process`] is dropped, and
//! when we are killed ourselves.

mod browser;
#[cfg(unix)]
mod watcher;

pub use browser::browse;

use crate::files::read_line;
use crate::{platform, threads};
use process_wrap::std::{ChildWrapper, CommandWrap};
use std::collections::VecDeque;
use std::ffi::{OsStr, OsString};
use std::io::{self, BufReader, Read, Write as _};
use std::path::{Path, PathBuf};
use std::process::{ChildStdin, ExitStatus, Stdio};
use std::sync::mpsc::{SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use thiserror::Error;

/// Commands that may wait for an engine that does not read; a session has a handful under way.
const LONGEST_QUEUE: usize = 256;

/// How many of its last lines are kept of an engine's standard error.
const COMPLAINTS: usize = 20;

/// What to start.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Program {
    /// The executable.
    pub path: PathBuf,
    /// Its arguments.
    pub arguments: Vec<OsString>,
    /// The folder it runs in; its own where nothing is said.
    pub folder: Option<PathBuf>,
    /// What is added to its environment.
    pub environment: Vec<(OsString, OsString)>,
}

/// What an engine said, byte for byte, without the end of the line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OutputLine {
    /// A line of its standard output.
    Line(Vec<u8>),
    /// Its standard output has ended.
    Closed,
}

/// Why a program could not be started.
#[derive(Debug, Error)]
pub enum StartError {
    /// There is no such file.
    #[error("{0} does not exist")]
    NotFound(PathBuf),
    /// The folder that it is to run in is not there, or is no folder.
    #[error("the folder {0} does not exist")]
    NoFolder(PathBuf),
    /// The file is there and is no program for this machine, or may not be run.
    #[error("{0} is not a program that can be run here")]
    NotAProgram(PathBuf),
    /// The system refused for another reason.
    #[error("{0} could not be started: {1}")]
    Refused(PathBuf, io::Error),
}

/// A running program. Dropping it kills it and whatever it started.
#[derive(Debug)]
pub struct Process {
    child: Box<dyn ChildWrapper>,
    /// Ends it when we cannot; gone as soon as there is nothing left to end.
    #[cfg(unix)]
    watcher: Option<watcher::Watcher>,
    input: SyncSender<String>,
    complaints: StderrTail,
    /// Whether it had ended when it was last looked at.
    seen_ended: bool,
    /// Whether it has been ended, and how it had ended by itself, if it had.
    ended: bool,
    status: Option<ExitStatus>,
}

/// The last lines of an engine's standard error.
#[derive(Clone, Debug, Default)]
struct StderrTail(Arc<Mutex<OutputThreads>>);

#[derive(Debug, Default)]
struct OutputThreads {
    lines: VecDeque<String>,
    /// Whether there will be no more.
    all: bool,
}

/// The engine does not read what it is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the engine does not read its input")]
pub struct InputClosed;

impl Program {
    /// Starts it. `listener` gets every line of its output on a thread of its own, and may block:
    /// that holds the program back.
    ///
    /// Call this on a thread that lives as long as the engine should: on Linux the engine is killed
    /// when the thread that started it ends.
    ///
    /// # Errors
    /// When there is no such program, or none that can run.
    pub fn start(&self, listener: impl FnMut(OutputLine) + Send + 'static) -> Result<Process, StartError> {
        self.start_with_stderr(listener, |_| {})
    }

    /// Starts it, as [`start`](Self::start) does. `stderr` gets every line of its standard error, on another thread.
    ///
    /// # Errors
    /// When there is no such program, or none that can run.
    pub fn start_with_stderr(
        &self,
        listener: impl FnMut(OutputLine) + Send + 'static,
        mut stderr: impl FnMut(&[u8]) + Send + 'static,
    ) -> Result<Process, StartError> {
        let mut command = CommandWrap::with_new(&self.path, |command| {
            command.args(&self.arguments).envs(self.environment.iter().map(|(name, value)| (name, value)));
            if let Some(folder) = self.folder() {
                command.current_dir(folder);
            }
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
            platform::die_with_us(command);
        });
        own_group(&mut command);
        let refused = |error| self.explain(error);
        let mut child = command.spawn().map_err(refused)?;
        // Without one, as on a system without a shell, the engine still sees its input end.
        #[cfg(unix)]
        let watcher = watcher::Watcher::over(child.id()).ok();
        let streams = (child.stdin().take(), child.stdout().take(), child.stderr().take());
        let (Some(stdin), Some(stdout), Some(complaining)) = streams else {
            return Err(refused(io::Error::other("its streams are missing")));
        };
        let complaints = StderrTail::default();
        let (input, commands) = sync_channel::<String>(LONGEST_QUEUE);
        // The threads end when their pipe does. They are not waited for: a grandchild that left the
        // group may hold a pipe open, and must not hold us.
        threads::named("engine-in", move || write_commands(stdin, commands.iter())).map_err(refused)?.detach();
        threads::named("engine-out", move || forward_lines(stdout, listener)).map_err(refused)?.detach();
        let heard = complaints.clone();
        let listen = move || {
            for_each_line(complaining, |line| {
                stderr(&line);
                heard.add(&line);
            });
            heard.with(|heard| heard.all = true);
        };
        threads::named("engine-err", listen).map_err(refused)?.detach();
        Ok(Process {
            child,
            #[cfg(unix)]
            watcher,
            input,
            complaints,
            seen_ended: false,
            ended: false,
            status: None,
        })
    }

    /// Whether it is a way to a program on another machine, so that its silence may be the network's.
    pub fn is_remote(&self) -> bool {
        const WAYS: &[&str] = &["ssh", "plink", "mosh", "telnet", "nc", "ncat", "socat"];
        let stem = self.path.file_stem().and_then(OsStr::to_str).unwrap_or_default();
        WAYS.iter().any(|way| stem.eq_ignore_ascii_case(way))
    }

    /// The folder the program runs in: its own, since engines look for their files there.
    fn folder(&self) -> Option<&Path> {
        let own = || self.path.parent().filter(|folder| !folder.as_os_str().is_empty());
        self.folder.as_deref().or_else(own)
    }

    fn explain(&self, error: io::Error) -> StartError {
        /// `ENOEXEC`, and `ERROR_BAD_EXE_FORMAT` on Windows: std has no name for them.
        const NO_EXECUTABLE: [i32; 2] = if cfg!(windows) { [193, 216] } else { [8, 8] };
        let no_executable = error.raw_os_error().is_some_and(|code| NO_EXECUTABLE.contains(&code));
        // The system says no more than that something is not there.
        if let Some(folder) = self.folder.as_ref().filter(|folder| !folder.is_dir()) {
            return StartError::NoFolder(folder.clone());
        }
        match error.kind() {
            _ if no_executable => StartError::NotAProgram(self.path.clone()),
            io::ErrorKind::NotFound if !self.path.exists() => StartError::NotFound(self.path.clone()),
            io::ErrorKind::PermissionDenied | io::ErrorKind::NotFound => StartError::NotAProgram(self.path.clone()),
            _ => StartError::Refused(self.path.clone(), error),
        }
    }
}

impl Process {
    /// Queues a line for the program; never blocks. A program that has closed its input, as one that
    /// ended has, gets nothing: the end of its output says more than an error here could.
    ///
    /// # Errors
    /// When it does not read and its queue is full.
    pub fn send(&self, line: String) -> Result<(), InputClosed> {
        match self.input.try_send(line) {
            Ok(()) | Err(TrySendError::Disconnected(_)) => Ok(()),
            Err(TrySendError::Full(_)) => Err(InputClosed),
        }
    }

    /// The last lines of its standard error.
    pub fn stderr_tail(&self) -> Vec<String> {
        self.complaints.with(|heard| heard.lines.iter().cloned().collect())
    }

    /// Waits for a program whose output has ended to be gone and to have complained, at most `patience`,
    /// so that [`end`](Self::end) and [`complaints`](Self::complaints) can tell what happened.
    pub fn wait_exit(&mut self, patience: Duration) {
        const STEP: Duration = Duration::from_millis(5);
        let mut waited = Duration::ZERO;
        while waited < patience && !self.has_settled() {
            std::thread::park_timeout(STEP);
            waited += STEP;
        }
    }

    /// Whether it had ended by itself when this was asked before: between two looks its output has time
    /// to arrive.
    pub fn has_ended_before(&mut self) -> bool {
        let ended = !matches!(self.child.inner_mut().try_wait(), Ok(None));
        std::mem::replace(&mut self.seen_ended, ended)
    }

    fn has_settled(&mut self) -> bool {
        !matches!(self.child.inner_mut().try_wait(), Ok(None)) && self.complaints.with(|heard| heard.all)
    }

    /// Kills it and its children, and says how it had ended by itself, if it had.
    pub fn end(&mut self) -> Option<ExitStatus> {
        if self.ended {
            // Its group may be another's by now.
            return self.status;
        }
        self.status = self.child.inner_mut().try_wait().ok().flatten();
        // An error means that nobody is left in the group.
        let _nobody_left = self.child.start_kill();
        let _no_longer_ours = self.child.wait();
        self.ended = true;
        #[cfg(unix)]
        drop(self.watcher.take());
        self.status
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end();
    }
}

impl StderrTail {
    fn add(&self, line: &[u8]) {
        self.with(|heard| {
            if heard.lines.len() == COMPLAINTS {
                heard.lines.pop_front();
            }
            heard.lines.push_back(String::from_utf8_lossy(line).into_owned());
        });
    }

    fn with<T>(&self, look: impl FnOnce(&mut OutputThreads) -> T) -> T {
        look(&mut threads::lock(&self.0))
    }
}

#[cfg(unix)]
fn own_group(command: &mut CommandWrap) {
    command.wrap(process_wrap::std::ProcessGroup::leader());
}

#[cfg(windows)]
fn own_group(command: &mut CommandWrap) {
    use process_wrap::std::{CreationFlags, JobObject};
    use windows::Win32::System::Threading::CREATE_NO_WINDOW;
    // Without the flag a console window flashes up for every engine.
    command.wrap(CreationFlags(CREATE_NO_WINDOW)).wrap(KillOnExitJob).wrap(JobObject);
}

/// Puts an engine, before its first instruction, into the job that the system ends with us.
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
        platform::end_with_us(child)
    }
}

fn write_commands(mut stdin: ChildStdin, commands: impl Iterator<Item = String>) {
    for mut line in commands {
        line.push('\n');
        if stdin.write_all(line.as_bytes()).and_then(|()| stdin.flush()).is_err() {
            // It no longer reads; its output will end, and that says why.
            return;
        }
    }
}

fn forward_lines(stdout: impl Read, mut listener: impl FnMut(OutputLine)) {
    for_each_line(stdout, |line| listener(OutputLine::Line(line)));
    listener(OutputLine::Closed);
}

/// Calls `each` for every line, without its end, until the stream ends or fails.
fn for_each_line(stream: impl Read, mut each: impl FnMut(Vec<u8>)) {
    let mut reader = BufReader::with_capacity(1 << 16, stream);
    let mut line = Vec::new();
    while read_line(&mut reader, &mut line).unwrap_or(false) {
        each(std::mem::take(&mut line));
    }
}
