//! The results of opening files, for a user at a terminal.

use super::Streams;
use super::output::OutputStream;
use crate::app::viewer::WarningReporter;
use shogibar_base::Lang;
use shogibar_base::threads::{self, lock};
use shogibar_kifu::{Warning, record_text};
use shogibar_model::Message;
use std::io::{self, IsTerminal as _};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

/// The results of opening files, until they are reported on a terminal.
#[derive(Clone, Default)]
pub(super) struct OpenReports(Arc<Mutex<Vec<OpenReport>>>);

/// The file, and the warnings of reading it, or the reason why it cannot be read.
type OpenReport = (PathBuf, Result<Vec<Warning>, Message>);

impl OpenReports {
    /// Returns the function that receives a report. With `at_once`, the function writes the report at once, as there is
    /// no live line to interrupt.
    pub(super) fn reporter(&self, at_once: bool, lang: Lang) -> WarningReporter {
        let reports = self.clone();
        Box::new(move |path, result| {
            lock(&reports.0).push((path.to_owned(), result.clone()));
            if at_once {
                // The report is written on another thread, as the pipe may be full and have no reader.
                let reports = reports.clone();
                let write = move || {
                    let (mut err, is_terminal) = (io::stderr(), io::stderr().is_terminal());
                    // Without a standard error, the report is dropped.
                    let _closed = reports.write_to(&mut OutputStream::err(&mut err, is_terminal), true, lang);
                };
                if let Ok(thread) = threads::spawn("report", write) {
                    thread.detach();
                }
            }
        })
    }

    /// Writes the pending warnings. The bar in the terminal shows why a file cannot be read.
    pub(super) fn write(&self, streams: &mut Streams<'_>) -> io::Result<()> {
        if !lock(&self.0).is_empty() {
            streams.out.keep_live()?;
        }
        self.write_to(&mut streams.err, false, streams.lang)
    }

    /// Writes the pending warnings, and if `with_failures`, why files cannot be read.
    fn write_to(&self, err: &mut OutputStream<'_>, with_failures: bool, lang: Lang) -> io::Result<()> {
        for (path, result) in std::mem::take(&mut *lock(&self.0)) {
            match result {
                Ok(warnings) => {
                    for warning in warnings {
                        writeln!(err, "{}:{}", path.display(), record_text::warning(&warning, lang))?;
                    }
                }
                // The window shows the failure, too. The user may be looking at the terminal, so it is also printed
                // there.
                Err(why) if with_failures => writeln!(err, "shogibar: {}", why.text(lang))?,
                Err(_) => {}
            }
        }
        Ok(())
    }
}
