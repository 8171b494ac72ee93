//! What came of opening files, for a user at a terminal.

use super::Streams;
use super::output::OutputStream;
use crate::app::viewer::ReportOpened;
use crate::kifu::Warning;
use crate::text::{Lang, Message, record};
use crate::threads::{self, lock};
use std::io::{self, IsTerminal as _};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

/// What came of opening files, until it is reported on a terminal.
#[derive(Clone, Default)]
pub(super) struct OpenReports(Arc<Mutex<Vec<OpenReport>>>);

/// The file, and the warnings of reading it, or why it cannot be read.
type OpenReport = (PathBuf, Result<Vec<Warning>, Message>);

impl OpenReports {
    /// Returns the function that takes a report. With `at_once`, it is written at once: there is no line to disturb.
    pub(super) fn reporter(&self, at_once: bool, lang: Lang) -> ReportOpened {
        let reports = self.clone();
        Box::new(move |path, result| {
            lock(&reports.0).push((path.to_owned(), result.clone()));
            if at_once {
                // On another thread: a pipe that nobody reads may be full.
                let reports = reports.clone();
                let write = move || {
                    let (mut err, is_terminal) = (io::stderr(), io::stderr().is_terminal());
                    // Without a standard error, there is nobody to report to.
                    let _closed = reports.write_to(&mut OutputStream::err(&mut err, is_terminal), true, lang);
                };
                if let Ok(thread) = threads::spawn("report", write) {
                    thread.detach();
                }
            }
        })
    }

    /// Writes the warnings so far. Why a file cannot be read is shown by the bar in the terminal.
    pub(super) fn write(&self, streams: &mut Streams<'_>) -> io::Result<()> {
        if !lock(&self.0).is_empty() {
            streams.out.keep_live()?;
        }
        self.write_to(&mut streams.err, false, streams.lang)
    }

    fn write_to(&self, err: &mut OutputStream<'_>, with_failures: bool, lang: Lang) -> io::Result<()> {
        for (path, result) in std::mem::take(&mut *lock(&self.0)) {
            match result {
                Ok(warnings) => {
                    for warning in warnings {
                        writeln!(err, "{}:{}", path.display(), record::warning(&warning, lang))?;
                    }
                }
                // The window shows it too, but the user may be looking at the terminal.
                Err(why) if with_failures => writeln!(err, "shogibar: {}", why.text(lang))?,
                Err(_) => {}
            }
        }
        Ok(())
    }
}
