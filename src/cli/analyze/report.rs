//! The report file of an analysed game.

use super::super::Streams;
use anyhow::{bail, ensure};
use shogibar_base::Lang;
use shogibar_games::report::{self, Report};
use shogibar_games::report_text as text;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// The maximum size of an existing file that may be a report, in bytes. Reports are smaller.
const MAX_REPORT_BYTES: usize = 512 << 20;

/// The format of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ReportKind {
    Html,
    Png,
}

/// The file that the report of a game is written to.
#[derive(Debug)]
pub(super) struct ReportFile {
    path: PathBuf,
    kind: ReportKind,
    lang: Lang,
}

impl ReportFile {
    /// Checks the path of a report, without creating the file. The extension selects the format: `.html` or `.png`; `-`
    /// is HTML on standard output.
    ///
    /// # Errors
    /// Fails with a sentence if the report could not be written in the end.
    pub(super) fn new(path: &Path, record: Option<&Path>, lang: Lang) -> anyhow::Result<Self> {
        let name = path.display().to_string();
        let end = path
            .extension()
            .and_then(|end| end.to_str())
            .map(str::to_ascii_lowercase);
        let kind = match end.as_deref() {
            Some("html" | "htm") => ReportKind::Html,
            Some("png") => ReportKind::Png,
            _ if path == Path::new("-") => ReportKind::Html,
            _ => bail!(text::unknown_end(&name, lang)),
        };
        ensure!(
            cfg!(feature = "gui") || kind == ReportKind::Html,
            text::no_pictures(lang)
        );
        let is_same_file =
            record.is_some_and(|record| record == path || shogibar_files::is_same_file(record, path));
        ensure!(!is_same_file, text::same_path(&name, lang));
        let file = Self {
            path: path.to_owned(),
            kind,
            lang,
        };
        file.check_replaceable()?;
        Ok(file)
    }

    pub(super) fn write(&self, report: &Report, streams: &mut Streams<'_>) -> anyhow::Result<()> {
        let bytes = match self.kind {
            ReportKind::Html => report_html(report).into_bytes(),
            ReportKind::Png => report_png(report)?,
        };
        if self.path == Path::new("-") {
            return Ok(streams.out.exact().write_all(&bytes)?);
        }
        // The file may have been replaced during the analysis, so it is checked again.
        self.check_replaceable()?;
        Ok(shogibar_files::write_whole(&self.path, &bytes)?)
    }

    /// Refuses to replace a file that is neither empty nor a report of the same format.
    fn check_replaceable(&self) -> anyhow::Result<()> {
        if self.path == Path::new("-") || !self.path.is_file() {
            return Ok(());
        }
        let existing = shogibar_files::read(&self.path, MAX_REPORT_BYTES)?;
        let is_report = match self.kind {
            ReportKind::Html => report::is_html(&existing),
            ReportKind::Png => is_png(&existing),
        };
        ensure!(
            existing.is_empty() || is_report,
            text::not_a_report(&self.path.display().to_string(), self.lang)
        );
        Ok(())
    }
}

#[cfg(feature = "gui")]
fn report_html(report: &Report) -> String {
    shogibar_ui::report::html(report)
}

#[cfg(feature = "gui")]
fn report_png(report: &Report) -> anyhow::Result<Vec<u8>> {
    Ok(shogibar_ui::report::encode_png(report, None)?)
}

#[cfg(feature = "gui")]
fn is_png(bytes: &[u8]) -> bool {
    shogibar_ui::png::is_png(bytes)
}

#[cfg(not(feature = "gui"))]
fn report_html(report: &Report) -> String {
    report::html(report, None)
}

#[cfg(not(feature = "gui"))]
fn report_png(report: &Report) -> anyhow::Result<Vec<u8>> {
    bail!(text::no_pictures(report.lang))
}

#[cfg(not(feature = "gui"))]
const fn is_png(_: &[u8]) -> bool {
    false
}
