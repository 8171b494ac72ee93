//! The only module that starts processes.
//!
//! An engine runs in its own folder and in its own process group (a job object on Windows). All three of
//! its streams are piped. It is killed with its children when its [`Process`] is dropped, and
//! when this program is killed.

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

/// The capacity of the command queue, for an engine that does not read. A session has only a few pending commands.
const MAX_QUEUED_COMMANDS: usize = 256;

/// The number of last lines kept of an engine's standard error.
const STDERR_TAIL_LINES: usize = 20;

/// A program to start.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Program {
    /// The path of the executable.
    pub path: PathBuf,
    /// The arguments.
    pub arguments: Vec<OsString>,
    /// The working directory; `None` for the folder of the executable.
    pub folder: Option<PathBuf>,
    /// The additional environment variables.
    pub environment: Vec<(OsString, OsString)>,
}

/// A line of output, as bytes without the line end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OutputLine {
    /// A line of standard output.
    Line(Vec<u8>),
    /// Standard output has ended.
    Closed,
}

/// The reason why a program could not be started.
#[derive(Debug, Error)]
pub enum StartError {
    /// The file does not exist.
    #[error("{0} does not exist")]
    NotFound(PathBuf),
    /// The working directory does not exist, or is not a folder.
    #[error("the folder {0} does not exist")]
    NoFolder(PathBuf),
    /// The file exists but is not a program for this machine, or is not executable.
    #[error("{0} is not a program that can be run here")]
    NotAProgram(PathBuf),
    /// The system refused for another reason.
    #[error("{0} could not be started: {1}")]
    Refused(PathBuf, io::Error),
}

/// A running program. Dropping it kills it and its children.
#[derive(Debug)]
pub struct Process {
    child: Box<dyn ChildWrapper>,
    /// Kills the program when we are killed ourselves; `None` once the program has ended.
    #[cfg(unix)]
    watcher: Option<watcher::Watcher>,
    input: SyncSender<String>,
    stderr_tail: StderrTail,
    /// Whether it had ended at the last check.
    was_ended: bool,
    /// Whether it has been killed. `status` is its exit status, if it had ended by itself before.
    ended: bool,
    status: Option<ExitStatus>,
}

/// The last lines of an engine's standard error.
#[derive(Clone, Debug, Default)]
struct StderrTail(Arc<Mutex<StderrLines>>);

#[derive(Debug, Default)]
struct StderrLines {
    lines: VecDeque<String>,
    /// Whether standard error has ended.
    is_complete: bool,
}

/// The engine does not read its input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the engine does not read its input")]
pub struct InputClosed;

impl Program {
    /// Starts the program. `listener` gets every line of its output on another thread, and may block:
    /// that holds the program back.
    ///
    /// Call this on a thread that lives as long as the engine should: on Linux the engine is killed
    /// when the thread that started it ends.
    ///
    /// # Errors
    /// When the program does not exist or cannot run.
    pub fn start(&self, listener: impl FnMut(OutputLine) + Send + 'static) -> Result<Process, StartError> {
        self.start_with_stderr(listener, |_| {})
    }

    /// Starts the program, as [`start`](Self::start) does. `stderr` gets every line of its standard error, on another
    /// thread.
    ///
    /// # Errors
    /// When the program does not exist or cannot run.
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
            platform::kill_child_with_parent(command);
        });
        own_group(&mut command);
        let refused = |error| self.explain(error);
        let mut child = command.spawn().map_err(refused)?;
        // Without a watcher, as on a system without a shell, the engine still sees the end of its input.
        #[cfg(unix)]
        let watcher = watcher::Watcher::spawn_for_group(child.id()).ok();
        let streams = (child.stdin().take(), child.stdout().take(), child.stderr().take());
        let (Some(stdin), Some(stdout), Some(stderr_stream)) = streams else {
            return Err(refused(io::Error::other("its streams are missing")));
        };
        let stderr_tail = StderrTail::default();
        let (input, commands) = sync_channel::<String>(MAX_QUEUED_COMMANDS);
        // The threads end with their pipe and are never joined: a grandchild outside the
        // group may hold a pipe open, and must not block us.
        threads::spawn("engine-in", move || write_commands(stdin, commands.iter())).map_err(refused)?.detach();
        threads::spawn("engine-out", move || forward_lines(stdout, listener)).map_err(refused)?.detach();
        let tail = stderr_tail.clone();
        let listen = move || {
            for_each_line(stderr_stream, |line| {
                stderr(&line);
                tail.add(&line);
            });
            tail.with(|tail| tail.is_complete = true);
        };
        threads::spawn("engine-err", listen).map_err(refused)?.detach();
        Ok(Process {
            child,
            #[cfg(unix)]
            watcher,
            input,
            stderr_tail,
            was_ended: false,
            ended: false,
            status: None,
        })
    }

    /// Returns whether the program connects to another machine, so that the network may cause its silence.
    pub fn is_remote(&self) -> bool {
        const REMOTE_PROGRAMS: &[&str] = &["ssh", "plink", "mosh", "telnet", "nc", "ncat", "socat"];
        let stem = self.path.file_stem().and_then(OsStr::to_str).unwrap_or_default();
        REMOTE_PROGRAMS.iter().any(|name| stem.eq_ignore_ascii_case(name))
    }

    /// Returns the working directory. By default it is the program's own folder, where engines look for their files.
    fn folder(&self) -> Option<&Path> {
        let own = || self.path.parent().filter(|folder| !folder.as_os_str().is_empty());
        self.folder.as_deref().or_else(own)
    }

    fn explain(&self, error: io::Error) -> StartError {
        /// `ENOEXEC`, and `ERROR_BAD_EXE_FORMAT` on Windows: std has no name for them.
        const NOT_EXECUTABLE: [i32; 2] = if cfg!(windows) { [193, 216] } else { [8, 8] };
        let not_executable = error.raw_os_error().is_some_and(|code| NOT_EXECUTABLE.contains(&code));
        // The error of the system does not tell which path is missing.
        if let Some(folder) = self.folder.as_ref().filter(|folder| !folder.is_dir()) {
            return StartError::NoFolder(folder.clone());
        }
        match error.kind() {
            _ if not_executable => StartError::NotAProgram(self.path.clone()),
            io::ErrorKind::NotFound if !self.path.exists() => StartError::NotFound(self.path.clone()),
            io::ErrorKind::PermissionDenied | io::ErrorKind::NotFound => StartError::NotAProgram(self.path.clone()),
            _ => StartError::Refused(self.path.clone(), error),
        }
    }
}

impl Process {
    /// Queues a line for the program; never blocks. A program that has closed its input, for example by
    /// ending, gets nothing. The end of its output then tells more than an error here could.
    ///
    /// # Errors
    /// When the program does not read and its queue is full.
    pub fn send(&self, line: String) -> Result<(), InputClosed> {
        match self.input.try_send(line) {
            Ok(()) | Err(TrySendError::Disconnected(_)) => Ok(()),
            Err(TrySendError::Full(_)) => Err(InputClosed),
        }
    }

    /// Returns the last lines of standard error.
    pub fn stderr_tail(&self) -> Vec<String> {
        self.stderr_tail.with(|tail| tail.lines.iter().cloned().collect())
    }

    /// Waits until the program has exited and its standard error has ended, at most `timeout`. Call it when
    /// the output has ended, so that [`end`](Self::end) and [`stderr_tail`](Self::stderr_tail) are complete.
    pub fn wait_exit(&mut self, timeout: Duration) {
        const STEP: Duration = Duration::from_millis(5);
        let mut waited = Duration::ZERO;
        while waited < timeout && !self.has_exited() {
            std::thread::park_timeout(STEP);
            waited += STEP;
        }
    }

    /// Returns whether the program had ended by itself at the previous call. Between two calls its output has
    /// time to arrive.
    pub fn has_ended_before(&mut self) -> bool {
        let ended = !matches!(self.child.inner_mut().try_wait(), Ok(None));
        std::mem::replace(&mut self.was_ended, ended)
    }

    fn has_exited(&mut self) -> bool {
        !matches!(self.child.inner_mut().try_wait(), Ok(None)) && self.stderr_tail.with(|tail| tail.is_complete)
    }

    /// Kills the program and its children. Returns its exit status if it had ended by itself.
    pub fn end(&mut self) -> Option<ExitStatus> {
        if self.ended {
            // The group id may have been reused since.
            return self.status;
        }
        self.status = self.child.inner_mut().try_wait().ok().flatten();
        // An error means that the group is empty.
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
        self.with(|tail| {
            if tail.lines.len() == STDERR_TAIL_LINES {
                tail.lines.pop_front();
            }
            tail.lines.push_back(String::from_utf8_lossy(line).into_owned());
        });
    }

    fn with<T>(&self, access: impl FnOnce(&mut StderrLines) -> T) -> T {
        access(&mut threads::lock(&self.0))
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
        platform::end_with_us(child)
    }
}

fn write_commands(mut stdin: ChildStdin, commands: impl Iterator<Item = String>) {
    for mut line in commands {
        line.push('\n');
        if stdin.write_all(line.as_bytes()).and_then(|()| stdin.flush()).is_err() {
            // The engine no longer reads. The end of its output will report why.
            return;
        }
    }
}

fn forward_lines(stdout: impl Read, mut listener: impl FnMut(OutputLine)) {
    for_each_line(stdout, |line| listener(OutputLine::Line(line)));
    listener(OutputLine::Closed);
}

/// Calls `each` for every line, without its line end, until the stream ends or fails.
fn for_each_line(stream: impl Read, mut each: impl FnMut(Vec<u8>)) {
    let mut reader = BufReader::with_capacity(1 << 16, stream);
    let mut line = Vec::new();
    while read_line(&mut reader, &mut line).unwrap_or(false) {
        each(std::mem::take(&mut line));
    }
}
