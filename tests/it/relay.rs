//! The relay between a GUI and its engine, with real processes. Bytes that enter on one side leave on the other.
//!
//! Times are only printed. They never make a test fail.

mod bytes;
mod ends;
mod shogihome;
mod start;
mod window;

use crate::support::{PATIENCE, Random, Script, eventually};
use std::fs;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::time::Duration;

/// An empty folder for the configuration of one test. Deleted on drop.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path =
            Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("relay-{name}-{}", std::process::id()));
        let _none_there = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.file(name), text).unwrap();
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _gone_already = fs::remove_dir_all(&self.0);
    }
}

fn relay(config: &Folder, arguments: &[&str]) -> Command {
    command(env!("CARGO_BIN_EXE_shogibar-usi"), config, arguments)
}

fn command(program: impl AsRef<Path>, config: &Folder, arguments: &[&str]) -> Command {
    let mut command = Command::new(program.as_ref());
    command.args(arguments).env("SHOGIBAR_CONFIG", &config.0);
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// A GUI from the view of an engine: the program that the GUI has started, and the pipes.
struct Gui {
    child: Child,
    input: Option<ChildStdin>,
    output: Option<ChildStdout>,
}

impl Gui {
    fn start(mut command: Command) -> Self {
        let mut child = command.spawn().unwrap();
        let (input, output) = (child.stdin.take(), child.stdout.take());
        Self { child, input, output }
    }

    /// Starts a relay with a shell script as its engine.
    fn with_script(config: &Folder, script: &Script) -> Self {
        Self::start(relay(config, &["--engine", script.path.to_str().unwrap()]))
    }

    fn send(&mut self, bytes: &[u8]) {
        self.input.as_mut().unwrap().write_all(bytes).unwrap();
    }

    /// Reads `length` bytes.
    fn read(&mut self, length: usize) -> Vec<u8> {
        let mut bytes = vec![0; length];
        self.output.as_mut().unwrap().read_exact(&mut bytes).unwrap();
        bytes
    }

    /// Reads until the end of the output.
    fn rest(&mut self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.output.as_mut().unwrap().read_to_end(&mut bytes).unwrap();
        bytes
    }

    /// Waits for the end of the program, and returns its status.
    fn status(&mut self) -> ExitStatus {
        assert!(
            eventually(|| self.child.try_wait().unwrap().is_some()),
            "it does not end within {PATIENCE:?}"
        );
        self.child.wait().unwrap()
    }

    /// Sends bytes in chunks with pauses, closes the input, and reads the output likewise. Returns the output with the
    /// status.
    fn exchange(&mut self, bytes: &[u8], random: &Random) -> (Vec<u8>, ExitStatus) {
        let (mut input, mut output) = (self.input.take().unwrap(), self.output.take().unwrap());
        let [mut sending, mut reading] = [random.clone(), Random(random.0 ^ 1)];
        let found = std::thread::scope(|scope| {
            scope.spawn(move || {
                let (mut rest, mut is_read) = (bytes, true);
                // The engine may have closed its input already; the rest is then not written.
                while is_read && !rest.is_empty() {
                    let (chunk, after) = rest.split_at(sending.length().min(rest.len()));
                    is_read = input.write_all(chunk).is_ok();
                    sending.stall();
                    rest = after;
                }
            });
            let mut found = Vec::new();
            let mut buffer = vec![0; 1 << 17];
            loop {
                let length = output.read(&mut buffer[..reading.length()]).unwrap();
                if length == 0 {
                    return found;
                }
                found.extend_from_slice(&buffer[..length]);
                reading.stall();
            }
        });
        (found, self.status())
    }
}

/// Dropping a GUI ends it together with its relay.
impl Drop for Gui {
    fn drop(&mut self) {
        let _ended_already = self.child.kill();
        let _reaped_already = self.child.wait();
    }
}

impl Random {
    /// The length of a chunk: a few bytes, or up to more than a pipe holds.
    fn length(&mut self) -> usize {
        let max = [8, 1000, 100_000][self.below(3)];
        1 + self.below(max)
    }

    fn stall(&mut self) {
        if self.below(100) == 0 {
            std::thread::park_timeout(Duration::from_micros(self.next() % 3000));
        }
    }

    /// Random lines and random bytes.
    fn bytes(&mut self, length: usize) -> Vec<u8> {
        const LINES: [&[u8]; 6] = [
            b"\n",
            b"\r\n",
            b"info depth 3 score cp 5 pv 7g7f\r\n",
            b"\x8f\xab\x8a\xfb \x83\x5c\n",
            b"\0\0\xff\xfe\n",
            b"position  startpos   moves\t7g7f \n",
        ];
        let mut bytes = Vec::with_capacity(length + 64);
        while bytes.len() < length {
            match self.below(3) {
                0 => bytes.extend_from_slice(LINES[self.below(LINES.len())]),
                _ => bytes.extend_from_slice(&self.next().to_le_bytes()),
            }
        }
        bytes
    }
}
