//! The program ffmpeg, which makes MP4 files.

use shogibar_base::threads::{self, Thread};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, sync_channel};

/// The number of pictures a second in an MP4 file.
pub(crate) const FRAMES_PER_SECOND: u32 = 25;
/// The maximum length of a message of ffmpeg that is shown, in bytes.
const MAX_MESSAGE_BYTES: u64 = 2000;

/// Returns the path of ffmpeg; `None` if the machine has none.
pub fn find_ffmpeg() -> Option<PathBuf> {
    which::which("ffmpeg").ok()
}

/// A running ffmpeg, which reads pictures and writes an MP4 file. Dropping it ends ffmpeg.
#[derive(Debug)]
pub(crate) struct Ffmpeg {
    child: Child,
    input: Option<ChildStdin>,
    /// The beginning of what ffmpeg says, once it has ended.
    message: Receiver<Vec<u8>>,
    // Ends when ffmpeg has ended.
    _reader: Thread,
}

impl Ffmpeg {
    /// Starts ffmpeg for pictures of this size in pixels.
    pub(crate) fn start(program: &Path, file: &Path, [width, height]: [usize; 2]) -> io::Result<Self> {
        #[expect(
            clippy::disallowed_methods,
            reason = "ffmpeg reads pictures, and no lines as engines do"
        )]
        let mut command = Command::new(program);
        let (size, rate) = (format!("{width}x{height}"), FRAMES_PER_SECOND.to_string());
        command.args(["-y", "-nostdin", "-hide_banner", "-loglevel", "error"]);
        command.args([
            "-f", "rawvideo", "-pix_fmt", "rgba", "-s", &size, "-r", &rate, "-i", "pipe:0",
        ]);
        // Players and sites read this form of colours; the index at the start lets a video begin before it is loaded.
        command.args([
            "-an",
            "-pix_fmt",
            "yuv420p",
            "-movflags",
            "+faststart",
            "-f",
            "mp4",
        ]);
        command.arg(file);
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        #[cfg(windows)]
        {
            use std::os::windows::process::CommandExt as _;
            // No console window.
            command.creation_flags(0x0800_0000);
        }
        let mut child = command.spawn()?;
        let (sender, message) = sync_channel(1);
        let output = child.stderr.take();
        // All is read, so that ffmpeg never waits for this program while this program waits for ffmpeg.
        let reader = threads::spawn("ffmpeg", move || {
            let mut text = Vec::new();
            if let Some(mut output) = output {
                // What cannot be read is left out.
                _ = io::Read::by_ref(&mut output)
                    .take(MAX_MESSAGE_BYTES)
                    .read_to_end(&mut text);
                _ = io::copy(&mut output, &mut io::sink());
            }
            _ = sender.send(text);
        });
        let input = child.stdin.take();
        match reader {
            Ok(reader) => Ok(Self {
                child,
                input,
                message,
                _reader: reader,
            }),
            Err(error) => {
                drop(input);
                _ = child.kill();
                _ = child.wait();
                Err(error)
            }
        }
    }

    /// Sends a picture, as rows of RGBA pixels.
    pub(crate) fn add(&mut self, pixels: &[u8]) -> io::Result<()> {
        match &mut self.input {
            Some(input) => input.write_all(pixels),
            None => Err(io::ErrorKind::BrokenPipe.into()),
        }
    }

    /// Ends the video, and waits until the file is written. Returns what ffmpeg says if it fails.
    pub(crate) fn finish(mut self) -> Result<(), String> {
        drop(self.input.take());
        self.result()
    }

    fn result(&mut self) -> Result<(), String> {
        let status = self.child.wait();
        let message = self.message.recv().unwrap_or_default();
        match status {
            Ok(status) if status.success() => Ok(()),
            Ok(status) if message.is_empty() => Err(status.to_string()),
            Ok(_) => {
                let text = String::from_utf8_lossy(&message);
                // The first line says what went wrong; the end may be cut.
                let reason = text.trim().lines().next().unwrap_or_default();
                Err(shogibar_base::visible::short(reason).into_owned())
            }
            Err(error) => Err(error.to_string()),
        }
    }
}

impl Drop for Ffmpeg {
    fn drop(&mut self) {
        drop(self.input.take());
        // After a video that was finished, there is nothing to end.
        _ = self.child.kill();
        _ = self.child.wait();
    }
}
