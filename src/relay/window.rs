//! The copy for the window: lines with their times, over the local socket. The relay opens the window once.

use super::engine::{RelayConfig, main_program};
use super::socket::{self, Address, Connection, GAP_NOTE, RELAY_GREETING};
use super::tap::{Batch, CopiedTraffic, Tap};
use shogibar_base::threads;
use shogibar_config::CONFIG_FOLDER_VARIABLE;
use shogibar_engine::observer::LogHeader;
use shogibar_engine::process::{ExitReason, open_program};
use shogibar_engine::usi::lines::LineSplitter;
use shogibar_engine::usi::log::{Direction, LogEntry};
use std::io::{self, Write as _};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// The minimum time between two tries to reach the window.
const RETRY_INTERVAL: Duration = Duration::from_secs(1);

/// The maximum memory that is kept for the text, in bytes.
const MAX_RETAINED_BYTES: usize = 1 << 16;

/// The pause after copying, as a multiple of the time that the copying took. During a flood of lines, this leaves the
/// processor to the forwarding.
const REST_FACTOR: u32 = 3;

/// Starts the thread that passes on the bytes of the tap to the window.
///
/// # Errors
/// Fails if the system cannot start a thread.
pub(super) fn start(tap: &Arc<Tap>, engine: &str, config: &RelayConfig) -> io::Result<()> {
    let tap = Arc::clone(tap);
    let mut copy = WindowCopy {
        name: engine.to_owned(),
        folder: config.folder.clone(),
        address: None,
        starts_window: config.settings.starts_window,
        has_gap: false,
        connection: None,
        next_try: Duration::ZERO,
        header: LogHeader::default(),
        sent: StreamLines::default(),
        output: StreamLines::default(),
        text: Vec::new(),
    };
    let work = move || {
        // The folder may be on a disk that hangs, so it is read on this thread.
        copy.address = copy
            .folder
            .as_deref()
            .and_then(|folder| Address::for_folder(folder).ok());
        copy.connect(&tap);
        copy.write();
        let (mut batch, mut rest) = (Batch::default(), Duration::ZERO);
        while tap.take(&mut batch, rest) {
            let started = tap.elapsed();
            for copied in batch.iter() {
                copy.apply(copied);
            }
            rest = tap.elapsed().saturating_sub(started) * REST_FACTOR;
            copy.connect(&tap);
            copy.write();
        }
        copy.report_exit(tap.exit_reason());
        tap.finish();
    };
    threads::spawn("window-copy", work)?.detach();
    Ok(())
}

/// Splits the bytes of one direction into lines.
#[derive(Debug, Default)]
struct StreamLines {
    splitter: LineSplitter,
    /// Whether the rest of a line is skipped, because its beginning is missing.
    is_skipping: bool,
}

#[derive(Debug)]
struct WindowCopy {
    /// The user's name for the engine.
    name: String,
    /// The configuration folder; `None` for a user without a home folder.
    folder: Option<PathBuf>,
    /// The address of the window's socket; `None` where there is none.
    address: Option<Address>,
    /// Whether the window is started if it does not run at the first try to connect.
    starts_window: bool,
    connection: Option<Connection>,
    /// Whether lines are missing that were not reported to a window yet.
    has_gap: bool,
    /// The time of the next try to connect to the window, since the relay was started.
    next_try: Duration,
    /// The lines that describe the state to a window that is started later.
    header: LogHeader,
    sent: StreamLines,
    /// The lines that the engine has printed.
    output: StreamLines,
    /// The text to write.
    text: Vec<u8>,
}

impl WindowCopy {
    /// Updates the header by the copied lines. Adds them to the text, if the window is connected. A gap is noted, or
    /// remembered for the next connection.
    fn apply(&mut self, copied: CopiedTraffic<'_>) {
        match copied {
            CopiedTraffic::Bytes(direction, time, bytes) => {
                let is_connected = self.connection.is_some();
                let (header, text) = (&mut self.header, &mut self.text);
                let lines = if direction == Direction::Sent {
                    &mut self.sent
                } else {
                    &mut self.output
                };
                lines.split(bytes, |line| {
                    let millis = u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
                    let entry = LogEntry {
                        millis,
                        direction,
                        bytes: line.into(),
                    };
                    header.on_entry(&entry);
                    if is_connected {
                        push_line(text, &entry);
                    }
                });
            }
            CopiedTraffic::Gap(direction) => {
                let lines = if direction == Direction::Sent {
                    &mut self.sent
                } else {
                    &mut self.output
                };
                *lines = StreamLines {
                    is_skipping: true,
                    ..StreamLines::default()
                };
                self.header.forget_searches();
                self.has_gap = self.connection.is_none();
                if self.connection.is_some() {
                    push_line(&mut self.text, &note_entry(GAP_NOTE.to_owned()));
                }
            }
        }
    }

    /// Connects to the window, at most once in [`RETRY_INTERVAL`]. The header summarises the missed lines.
    fn connect(&mut self, tap: &Tap) {
        if self.connection.is_some() || tap.elapsed() < self.next_try {
            return;
        }
        self.next_try = tap.elapsed() + RETRY_INTERVAL;
        let Some(address) = &self.address else { return };
        // Only the first try starts the window: a window that has run was closed by the user, and stays closed.
        let starts_window = std::mem::take(&mut self.starts_window);
        let Ok(connection) = address.connect() else {
            if starts_window {
                let _without = main_program().and_then(|program| {
                    let folder = self
                        .folder
                        .as_deref()
                        .map(|folder| (CONFIG_FOLDER_VARIABLE, folder));
                    open_program(&program, folder)
                });
            }
            return;
        };
        self.connection = Some(connection);
        self.text = format!("{RELAY_GREETING}\n").into_bytes();
        push_line(&mut self.text, &note_entry(format!("engine {}", self.name)));
        for entry in self.header.lines() {
            push_line(&mut self.text, entry);
        }
        if std::mem::take(&mut self.has_gap) {
            push_line(&mut self.text, &note_entry(GAP_NOTE.to_owned()));
        }
    }

    fn report_exit(&mut self, reason: Option<ExitReason>) {
        if let Some(reason) = reason.filter(|reason| *reason != ExitReason::Code(0)) {
            push_line(&mut self.text, &note_entry(socket::exit_note(reason)));
            self.write();
        }
    }

    /// Writes the pending text. This blocks while the window hangs; the tap then drops new bytes.
    fn write(&mut self) {
        if let Some(connection) = &mut self.connection
            && connection
                .write_all(&self.text)
                .and_then(|()| connection.flush())
                .is_err()
        {
            self.connection = None;
        }
        self.text.clear();
        self.text.shrink_to(MAX_RETAINED_BYTES);
    }
}

impl StreamLines {
    /// Calls `each` with each complete line of the bytes.
    fn split(&mut self, mut bytes: &[u8], each: impl FnMut(&[u8])) {
        if self.is_skipping {
            let Some(end) = bytes.iter().position(|byte| *byte == b'\n') else {
                return;
            };
            self.is_skipping = false;
            bytes = bytes.get(end + 1..).unwrap_or_default();
        }
        self.splitter.split(bytes, each);
    }
}

/// Returns a note for the log, without a time.
fn note_entry(text: String) -> LogEntry<'static> {
    LogEntry {
        millis: 0,
        direction: Direction::Note,
        bytes: text.into_bytes().into(),
    }
}

fn push_line(text: &mut Vec<u8>, entry: &LogEntry<'_>) {
    // Writing to memory cannot fail, so the result is ignored.
    _ = writeln!(text, "{entry}");
}
