//! Forwarding: the engine is started, and bytes pass both ways. The engine's output is passed on before it is copied.
//!
//! If the engine ends, even during a search, its last bytes are passed on and the output is closed. Nothing is written
//! in its place.

use super::engine::{RelayConfig, RelayEngine};
use super::tap::Tap;
use super::text::RelayError;
use super::{pipes, window};
use shogibar_base::threads;
use shogibar_engine::process::{ExitReason, OrphanEnd, ProcessGroup};
use shogibar_engine::usi::log::Direction;
use std::fs::File;
use std::io::{self, ErrorKind, Read, Write};
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::Duration;

/// The maximum number of bytes that are read at once: the size of a pipe's buffer.
const CHUNK_BYTES: usize = 1 << 16;
/// The time that an engine has to end by itself after the GUI has gone.
const GUI_GONE_GRACE: Duration = Duration::from_millis(2500);
/// The time that an engine has to end after it was asked to end.
const TERMINATE_GRACE: Duration = Duration::from_millis(500);
/// The time for the last output of an engine that has exited, while its children still hold its output open.
const DRAIN_TIME: Duration = Duration::from_millis(300);
/// The step in which the waiting times are counted.
const WAIT_STEP: Duration = Duration::from_millis(50);
/// The longest time for the last lines to reach the window.
const LAST_LINES_TIME: Duration = Duration::from_millis(100);

/// An event that one of the relay's threads reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RelayEvent {
    /// The GUI no longer sends, or no longer reads.
    GuiGone,
    /// The engine no longer prints.
    OutputEnded,
    /// The engine has exited.
    #[cfg_attr(
        not(unix),
        expect(dead_code, reason = "on other systems, the receiver detects the exit")
    )]
    Exited,
}

/// Starts the engine, and passes on all bytes until it has ended. Returns the reason of its end; `None` if it had to be
/// killed.
///
/// # Errors
/// Fails if the engine cannot be started.
pub(super) fn run(engine: &RelayEngine, config: &RelayConfig) -> Result<Option<ExitReason>, RelayError> {
    let (gui_input, gui_output) = pipes::open()?;
    // On Linux the engine ends with the thread that has started it. This thread starts it, and ends last.
    let (mut group, streams) = ProcessGroup::start(&engine.program, Stdio::inherit(), OrphanEnd::Terminate)?;
    let (sender, events) = sync_channel(8);
    let tap = Arc::new(Tap::new());
    let progress = Arc::new(OutputProgress::default());

    let (copies, ended) = (Arc::clone(&tap), sender.clone());
    let mut input = GuiPipe {
        pipe: gui_input,
        progress: Arc::default(),
    };
    let pass_input = move || {
        let mut stdin = streams.stdin;
        // The bytes are copied first: the answer may arrive before this thread continues.
        let end = pass(&mut input, &mut stdin, |bytes, is_passed| {
            if !is_passed {
                copies.push(Direction::Sent, bytes);
            }
        });
        drop(stdin);
        if end == PassEnd::TargetClosed {
            // The engine has closed its input; it may still print.
            pipes::close_input(input.pipe);
        } else {
            _ = ended.send(RelayEvent::GuiGone);
        }
    };
    threads::spawn("gui-to-engine", pass_input)?.detach();

    let (copies, ended) = (Arc::clone(&tap), sender.clone());
    #[cfg(unix)]
    let is_open = watch_gui(&gui_output, sender.clone())?;
    let mut output = GuiPipe {
        pipe: gui_output,
        progress: Arc::clone(&progress),
    };
    let waited_for = Arc::clone(&progress);
    let pass_output = move || {
        let mut stdout = streams.stdout;
        let end = pass(&mut stdout, &mut output, |bytes, is_passed| {
            if is_passed {
                progress.chunks.fetch_add(1, Ordering::Relaxed);
                copies.push(Direction::Output, bytes);
            }
        });
        drop(stdout);
        #[cfg(unix)]
        drop(is_open);
        pipes::close_output(output.pipe);
        _ = ended.send(if end == PassEnd::TargetClosed {
            RelayEvent::GuiGone
        } else {
            RelayEvent::OutputEnded
        });
    };
    threads::spawn("engine-to-gui", pass_output)?.detach();
    watch_exit(group.id(), sender)?;
    if engine.is_shown {
        // Ignored: without the copy for the window, the engine continues to play.
        let _without_window = window::start(&tap, &engine.name, config);
    }

    let ends_itself = wait_for_end(&mut group, &events, &waited_for);
    let end_reason = group.end();
    let reason = if ends_itself { end_reason } else { None };
    tap.close(reason, LAST_LINES_TIME);
    Ok(reason)
}

/// Watches on a thread for the end of the GUI, after which the output has no reader. With an engine that neither reads
/// nor prints, no other thread would notice this. The thread holds the output open until the returned value is dropped,
/// so drop the value before the output is closed.
#[cfg(unix)]
fn watch_gui(output: &File, sender: SyncSender<RelayEvent>) -> io::Result<io::PipeWriter> {
    let output = output.try_clone()?;
    let (stop, is_open) = io::pipe()?;
    threads::spawn("gui-exit", move || {
        if pipes::wait_until_unread(&output, &stop) {
            _ = sender.send(RelayEvent::GuiGone);
        }
    })?
    .detach();
    Ok(is_open)
}

/// Watches on a thread for the engine's exit. The engine's children may hold the output open for longer.
fn watch_exit(id: u32, sender: SyncSender<RelayEvent>) -> io::Result<()> {
    #[cfg(unix)]
    threads::spawn("engine-exit", move || {
        shogibar_engine::process::block_until_exit(id);
        _ = sender.send(RelayEvent::Exited);
    })?
    .detach();
    #[cfg(not(unix))]
    let _polled = (id, sender);
    Ok(())
}

/// Waits until the engine has exited and its output is passed on, for [`DRAIN_TIME`] at most after the exit. If the GUI
/// is gone and the engine has not ended after [`GUI_GONE_GRACE`], the engine is terminated. Returns whether it has
/// ended by itself.
fn wait_for_end(group: &mut ProcessGroup, events: &Receiver<RelayEvent>, progress: &OutputProgress) -> bool {
    let (mut has_exited, mut is_output_open, mut is_gui_gone) = (false, true, false);
    // The time waited for the engine, without the time that the GUI took to read.
    let (mut waited, mut chunks) = (Duration::ZERO, 0);
    loop {
        if has_exited && !is_output_open {
            return true;
        }
        let is_counting = has_exited || is_gui_gone;
        // On other systems, this loop checks for the exit.
        let timeout = if is_counting || cfg!(not(unix)) {
            WAIT_STEP
        } else {
            Duration::MAX
        };
        let event = if timeout == Duration::MAX {
            events.recv().map_err(RecvTimeoutError::from)
        } else {
            events.recv_timeout(timeout)
        };
        match event {
            Ok(RelayEvent::GuiGone) => is_gui_gone = true,
            Ok(RelayEvent::OutputEnded) => is_output_open = false,
            Ok(RelayEvent::Exited) => (has_exited, waited) = (true, Duration::ZERO),
            Err(RecvTimeoutError::Disconnected) if cfg!(unix) => return true,
            Err(_) => {
                let before = std::mem::replace(&mut chunks, progress.chunks.load(Ordering::Relaxed));
                let is_draining = has_exited && before != chunks;
                if is_counting && !is_draining && !progress.is_writing.load(Ordering::Relaxed) {
                    waited += WAIT_STEP;
                }
                if cfg!(not(unix)) && !has_exited && group.has_exited() {
                    (has_exited, waited) = (true, Duration::ZERO);
                }
            }
        }
        if has_exited && waited >= DRAIN_TIME {
            return true;
        }
        if is_gui_gone && !has_exited && waited >= GUI_GONE_GRACE {
            group.terminate();
            group.wait_exit(TERMINATE_GRACE);
            return false;
        }
    }
}

/// The state of the output to the GUI.
#[derive(Debug, Default)]
struct OutputProgress {
    /// Whether bytes wait for the GUI to read them.
    is_writing: AtomicBool,
    /// The number of chunks passed on.
    chunks: AtomicU64,
}

/// A pipe of the GUI. Some GUIs hand over pipes that do not block.
struct GuiPipe {
    pipe: File,
    /// The state of the output; unused for the input.
    progress: Arc<OutputProgress>,
}

impl Read for GuiPipe {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.pipe.read(buffer) {
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    pipes::wait_until_ready(&self.pipe, false);
                }
                read => return read,
            }
        }
    }
}

impl Write for GuiPipe {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.progress.is_writing.store(true, Ordering::Relaxed);
        let written = loop {
            match self.pipe.write(bytes) {
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    pipes::wait_until_ready(&self.pipe, true);
                }
                written => break written,
            }
        };
        self.progress.is_writing.store(false, Ordering::Relaxed);
        written
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The reason why no more bytes pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PassEnd {
    /// The source of the bytes was closed, or reading it failed.
    SourceClosed,
    /// The bytes have no reader any more.
    TargetClosed,
}

/// Passes on bytes from `source` to `target`, as they arrive. Returns why no more bytes pass. `copy` gets each chunk
/// before and after it is passed on, with `false` and `true`.
fn pass(source: &mut impl Read, target: &mut impl Write, mut copy: impl FnMut(&[u8], bool)) -> PassEnd {
    let mut buffer = vec![0; CHUNK_BYTES];
    loop {
        match source.read(&mut buffer) {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(_) | Ok(0) => return PassEnd::SourceClosed,
            Ok(length) => {
                let bytes = buffer.get(..length).unwrap_or_default();
                copy(bytes, false);
                if target.write_all(bytes).and_then(|()| target.flush()).is_err() {
                    return PassEnd::TargetClosed;
                }
                copy(bytes, true);
            }
        }
    }
}
