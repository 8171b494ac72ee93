//! The only module of the program that starts processes. The module moves bytes, and does not interpret lines.
//!
//! An engine runs in the folder of its file, with three pipes, in a separate process group (a job object on Windows).
//! The engine is killed with its children when its [`Process`] is dropped, and when this program is killed.

mod browser;
mod group;
mod lifetime;
mod locate;
#[cfg(unix)]
mod watcher;

pub use browser::{browse, open_program};
#[cfg(unix)]
pub use group::block_until_exit;
pub use group::{OrphanEnd, ProcessGroup, Streams};
pub use locate::{abbreviate_home, expand_tilde, find_program, program_folders};

use shogibar_base::file_error::SystemError;
use shogibar_base::threads;
use std::ffi::{OsStr, OsString};
use std::io::{self, ErrorKind, Read, Write as _};
use std::path::{Path, PathBuf};
use std::process::{ChildStdin, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{SyncSender, TrySendError, sync_channel};
use std::time::Duration;
use thiserror::Error;

/// The capacity of the input queue, in messages, for a program that does not read. A session has only a few pending.
const MAX_QUEUED_MESSAGES: usize = 256;

/// The maximum number of bytes of output that are passed on at once.
const MAX_CHUNK_BYTES: usize = 1 << 16;

/// A program with its arguments and environment, to be started.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Program {
    /// The path of the executable.
    pub path: PathBuf,
    /// The arguments of the command line.
    pub arguments: Vec<OsString>,
    /// The working directory; `None` for the folder of the executable.
    pub folder: Option<PathBuf>,
    /// The additional environment variables.
    pub environment: Vec<(OsString, OsString)>,
    /// Whether the program runs at a low priority, so that other programs get the processors first.
    pub is_low_priority: bool,
}

/// A part of an output stream of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Output<'a> {
    /// The next bytes, as read from the pipe.
    Bytes(&'a [u8]),
    /// The stream has ended.
    Closed,
}

/// The way in which a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExitReason {
    /// The process ended with this exit code.
    Code(i32),
    /// The process was ended by this signal.
    Signal(i32),
}

/// The reason why a program could not be started.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
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
    Refused(PathBuf, SystemError),
}

/// A running program whose streams are read and written on threads. Dropping the value kills the program and its
/// children.
#[derive(Debug)]
pub struct Process {
    group: ProcessGroup,
    input: SyncSender<Vec<u8>>,
    /// Whether standard error has ended.
    is_stderr_closed: Arc<AtomicBool>,
    /// Whether the program had exited at the last call of [`Process::had_exited_before`].
    had_exited: bool,
}

/// The error of a full input queue: the program does not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the program does not read its input")]
pub struct InputFullError;

impl Program {
    /// Starts the program. `stdout` and `stderr` receive its output as it arrives, each on a separate thread, and at
    /// last [`Output::Closed`]. These functions may block, which holds the program back.
    ///
    /// Call this on a thread that lives as long as the program should. On Linux, the program is killed when the thread
    /// that started it ends.
    ///
    /// # Errors
    /// Fails if the program does not exist or cannot run.
    pub fn start(
        &self,
        stdout: impl FnMut(Output<'_>) + Send + 'static,
        stderr: impl FnMut(Output<'_>) + Send + 'static,
    ) -> Result<Process, StartError> {
        let (group, streams) = ProcessGroup::start(self, Stdio::piped(), OrphanEnd::Kill)?;
        let refused = |error: io::Error| self.explain(&error);
        let Some(stderr_pipe) = streams.stderr else {
            return Err(refused(io::Error::other("a stream is missing")));
        };
        let (input, messages) = sync_channel::<Vec<u8>>(MAX_QUEUED_MESSAGES);
        let is_stderr_closed = Arc::new(AtomicBool::new(false));
        // An error after this point drops the process, which kills the program.
        let process = Process {
            group,
            input,
            is_stderr_closed: Arc::clone(&is_stderr_closed),
            had_exited: false,
        };
        // The threads end with their pipe and are never joined. A grandchild outside the group may hold a pipe open,
        // and must not block this program.
        threads::spawn("engine-in", move || {
            write_messages(streams.stdin, messages.iter());
        })
        .map_err(refused)?
        .detach();
        threads::spawn("engine-out", move || forward(streams.stdout, stdout))
            .map_err(refused)?
            .detach();
        threads::spawn("engine-err", move || {
            forward(stderr_pipe, stderr);
            is_stderr_closed.store(true, Ordering::Release);
        })
        .map_err(refused)?
        .detach();
        Ok(process)
    }

    /// Returns whether the program connects to another machine, so that the network may cause its silence.
    pub fn is_remote(&self) -> bool {
        const REMOTE_PROGRAMS: &[&str] = &["ssh", "plink", "mosh", "telnet", "nc", "ncat", "socat"];
        let stem = self.path.file_stem().and_then(OsStr::to_str).unwrap_or_default();
        REMOTE_PROGRAMS.iter().any(|name| stem.eq_ignore_ascii_case(name))
    }

    /// Returns the working directory: by default the folder of the program's file, where engines expect their files.
    /// Returns `None`, for the folder of this program, if the path has no folder.
    fn folder(&self) -> Option<&Path> {
        self.folder
            .as_deref()
            .or_else(|| self.path.parent().filter(|folder| !folder.as_os_str().is_empty()))
    }

    /// Returns the error of a start that the system has refused with `error`.
    fn explain(&self, error: &io::Error) -> StartError {
        /// `ENOEXEC`, and `ERROR_BAD_EXE_FORMAT` on Windows: std has no name for them.
        const NOT_EXECUTABLE: [i32; 2] = if cfg!(windows) { [193, 216] } else { [8, 8] };
        let not_executable = error
            .raw_os_error()
            .is_some_and(|code| NOT_EXECUTABLE.contains(&code));
        // The error of the system does not say which path is missing.
        if let Some(folder) = self.folder.as_ref().filter(|folder| !folder.is_dir()) {
            return StartError::NoFolder(folder.clone());
        }
        match error.kind() {
            _ if not_executable => StartError::NotAProgram(self.path.clone()),
            ErrorKind::NotFound if !self.path.exists() => StartError::NotFound(self.path.clone()),
            ErrorKind::PermissionDenied | ErrorKind::NotFound => StartError::NotAProgram(self.path.clone()),
            _ => StartError::Refused(self.path.clone(), error.into()),
        }
    }
}

impl Process {
    /// Queues bytes for the program's input; never blocks. Bytes for a program that has closed its input, for example
    /// by exiting, are dropped. The end of its output reports why.
    ///
    /// # Errors
    /// Fails if the program does not read and its queue is full.
    pub fn send(&self, bytes: Vec<u8>) -> Result<(), InputFullError> {
        match self.input.try_send(bytes) {
            Ok(()) | Err(TrySendError::Disconnected(_)) => Ok(()),
            Err(TrySendError::Full(_)) => Err(InputFullError),
        }
    }

    /// Waits until the program has exited and its standard error has ended, at most `timeout`. Call it when
    /// the output has ended, so that the result of [`end`](Self::end) and the standard error are complete.
    pub fn wait_exit(&mut self, timeout: Duration) {
        let is_stderr_closed = &self.is_stderr_closed;
        self.group
            .wait_until(timeout, || is_stderr_closed.load(Ordering::Acquire));
    }

    /// Returns whether the program had exited at the previous call. Between two calls its last output has time to
    /// arrive.
    pub fn had_exited_before(&mut self) -> bool {
        let has_exited = self.has_exited();
        std::mem::replace(&mut self.had_exited, has_exited)
    }

    fn has_exited(&mut self) -> bool {
        self.group.has_exited()
    }

    /// Kills the program and its children. Returns the reason of the program's exit; `None` if it was still running.
    pub fn end(&mut self) -> Option<ExitReason> {
        self.group.end()
    }
}

fn exit_reason(status: ExitStatus) -> Option<ExitReason> {
    #[cfg(unix)]
    let signal = std::os::unix::process::ExitStatusExt::signal(&status);
    #[cfg(not(unix))]
    let signal = None;
    status
        .code()
        .map(ExitReason::Code)
        .or_else(|| signal.map(ExitReason::Signal))
}

/// Writes messages to the input of a program, until the program no longer reads.
fn write_messages(mut stdin: ChildStdin, messages: impl Iterator<Item = Vec<u8>>) {
    for message in messages {
        if stdin.write_all(&message).and_then(|()| stdin.flush()).is_err() {
            // The program no longer reads. The end of its output will report why.
            return;
        }
    }
}

/// Passes on the bytes of a pipe, until it ends or fails.
fn forward(mut pipe: impl Read, mut listener: impl FnMut(Output<'_>)) {
    let mut buffer = vec![0; MAX_CHUNK_BYTES];
    loop {
        match pipe.read(&mut buffer) {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(_) | Ok(0) => break,
            Ok(length) => listener(Output::Bytes(buffer.get(..length).unwrap_or_default())),
        }
    }
    listener(Output::Closed);
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::Receiver;

    /// The bytes of a stream, and `None` at its end.
    type Stream = Receiver<Option<Vec<u8>>>;

    /// Starts a shell script. Returns its output and its standard error.
    fn start(script: &str) -> (Process, Stream, Stream) {
        let program = Program {
            path: "/bin/sh".into(),
            arguments: vec!["-c".into(), script.into()],
            ..Program::default()
        };
        let listener = || {
            let (sender, receiver) = sync_channel(1000);
            let listen = move |output: Output<'_>| {
                let bytes = if let Output::Bytes(bytes) = output {
                    Some(bytes.to_vec())
                } else {
                    None
                };
                _ = sender.send(bytes);
            };
            (listen, receiver)
        };
        let ((stdout, out), (stderr, err)) = (listener(), listener());
        (program.start(stdout, stderr).unwrap(), out, err)
    }

    /// Receives all bytes of a stream. Nothing may come after its end.
    fn rest(stream: &Stream) -> Vec<u8> {
        let bytes = std::iter::from_fn(|| stream.recv().unwrap()).flatten().collect();
        assert!(stream.recv().is_err(), "the end comes last, and once");
        bytes
    }

    /// Waits up to three minutes for the exit of a program that exits by itself. Returns how it ended.
    fn exit(process: &mut Process) -> Option<ExitReason> {
        process.wait_exit(Duration::from_mins(3));
        process.end()
    }

    #[test]
    fn the_home_folder_is_written_as_a_tilde() {
        let picture = std::env::home_dir().unwrap().join("Pictures/bar.png");
        assert_eq!(
            (
                abbreviate_home(&picture).as_str(),
                expand_tilde("~/Pictures/bar.png")
            ),
            ("~/Pictures/bar.png", picture)
        );
        assert_eq!(
            abbreviate_home(std::path::Path::new("/nowhere/bar.png")),
            "/nowhere/bar.png"
        );
    }

    #[test]
    fn bytes_pass_unchanged_and_in_order() {
        let (mut process, out, err) = start("exec head -c 300000");
        let mut input = Vec::new();
        let mut send = |bytes: Vec<u8>| {
            input.extend_from_slice(&bytes);
            process.send(bytes).unwrap();
        };
        send(b"nul \0, crlf \r\n, a lone \r, blank\n\n, \x83\x5c\xff".to_vec());
        for number in 0..200_u8 {
            send(vec![number; 1000]);
        }
        send((0..=u8::MAX).cycle().take(100_000).collect());
        let found = rest(&out);
        assert!(found == input[..300_000], "{} bytes came back", found.len());
        assert_eq!(
            (rest(&err).len(), exit(&mut process)),
            (0, Some(ExitReason::Code(0)))
        );
    }

    #[test]
    fn an_exit_is_reported_with_all_output() {
        let (mut process, out, err) = start("echo out; printf 'no line end' >&2; exit 3");
        assert_eq!(
            (rest(&out), rest(&err)),
            (b"out\n".to_vec(), b"no line end".to_vec())
        );
        assert_eq!(exit(&mut process), Some(ExitReason::Code(3)));
        assert_eq!(process.end(), Some(ExitReason::Code(3)), "also when asked again");
        assert_eq!(
            exit(&mut start("kill -s SEGV $$").0),
            Some(ExitReason::Signal(11))
        );
    }

    #[test]
    #[expect(
        clippy::disallowed_methods,
        reason = "a file of the kernel has no size that could be checked"
    )]
    fn a_running_program_is_killed_with_its_children() {
        let (mut process, out, _) = start("sleep 1000 & echo $!; exec cat");
        let child = out.recv().unwrap().unwrap();
        assert_eq!(process.end(), None, "it was still running");
        let child = String::from_utf8(child).unwrap();
        // The command line of a process that has exited is empty, even before its parent has asked for its status.
        let command_line =
            || std::fs::read_to_string(format!("/proc/{}/cmdline", child.trim())).unwrap_or_default();
        while !command_line().is_empty() {
            std::thread::park_timeout(Duration::from_millis(5));
        }
    }

    #[test]
    fn a_program_that_does_not_read_blocks_nobody() {
        let (process, _out, _err) = start("exec sleep 1000");
        let sent = (0..10_000)
            .take_while(|_| process.send(vec![b'x'; 1 << 12]).is_ok())
            .count();
        assert!(
            (MAX_QUEUED_MESSAGES..10_000).contains(&sent),
            "{sent} messages were taken"
        );
    }
}
