//! Writes the results of a game that is over: the record, the report and the row of the table.

use super::base::{BaseRecord, changed_meanwhile};
use super::scan::with_slashes;
use super::{FolderGame, FolderTask, ResultRow};
use crate::analysis::{self, Finding, FindingKind, Progress, judged_review};
use crate::convert_text::ConvertRefusal;
use crate::folder_text as text;
use crate::reasons::ReasonFinder;
use crate::report::{JsonReport, Report};
use crate::study::Document;
use shogibar_base::file_error_text;
use shogibar_builtin::Control;
use shogibar_kifu::record_text;
use shogibar_shogi::Color;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// The results of a game whose analysis is over.
pub(super) struct FinishedGame {
    /// The row of the game; `None` if its results could not be written.
    pub(super) row: Option<ResultRow>,
    /// The report of the game as JSON; `None` if it is not wanted.
    pub(super) json: Option<Box<JsonReport>>,
    /// Lost content, positions without a value and failed writes, as sentences with the file.
    pub(super) problems: Vec<String>,
    /// Whether the record has the results, so that the state file is no longer needed.
    pub(super) is_written: bool,
}

/// Writes the results of a game. Returns the row of the table, the report as JSON, and the problems. Slow: waits for
/// the disk.
pub(super) fn finish_game(
    task: &FolderTask,
    game: &FolderGame,
    base: &BaseRecord,
    progress: &Progress,
    findings: &[Finding],
) -> FinishedGame {
    let lang = task.lang;
    let mut record = base.record.clone();
    for finding in findings {
        if let FindingKind::Searched(result) | FindingKind::Known(result) = &finding.outcome {
            analysis::annotate(&mut record, finding.node, result, task.options.dialect);
        }
    }
    let mut problems = Vec::new();
    let problem = |why: String| format!("{}: {why}", game.name());
    let (mut review, judge) = judged_review(
        &record,
        task.scales.clone(),
        task.judge.as_deref(),
        progress,
        findings,
        lang,
    );
    problems.extend(judge.err().map(problem));
    problems.extend(missing_values_text(findings, lang).map(problem));
    if task.options.adds_variations {
        analysis::add_variations(&mut record, &review);
    }
    let written = shogibar_kifu::write(&record, game.target);
    let losses = written
        .losses
        .iter()
        .map(|loss| problem(record_text::loss(loss, game.target, lang)));
    problems.extend(losses);
    let document = Document::new(record);
    ReasonFinder::default().add_all(
        document.record(),
        &mut review,
        document.line(),
        &Control::new(None),
    );
    let report = Report::new(&document, &review, lang);
    let is_changed = base.existing_content.as_ref() != Some(&written.bytes);
    let written = if is_changed {
        write_record(game, base, &written.bytes, task)
    } else {
        Ok(())
    };
    let is_written = written.is_ok();
    problems.extend(written.err());
    let page = report_path(&game.output);
    if is_written
        && (is_changed || !page.exists())
        && let Err(error) = shogibar_files::write_whole(&page, (task.render)(&report).as_bytes())
    {
        problems.push(file_error_text::write_error(&error, lang));
    }
    let overlooked = |color| {
        let moves = document
            .line()
            .iter()
            .filter_map(|node| review.assessed(*node))
            .filter(|it| it.side == color);
        moves
            .filter_map(|assessed| Some((review.reason(assessed.node)?.proved_facts.motif?, assessed.ply)))
            .collect()
    };
    let link = relative_address(&page, &task.output);
    let row = is_written.then(|| {
        let motifs = [Color::Black, Color::White].map(overlooked);
        ResultRow::new(game, &report, document.record(), &link, motifs)
    });
    let json = task.reports_json.then(|| {
        let [number, _] = game.number_and_count;
        Box::new(JsonReport::new(
            &document,
            &review,
            Some(game.file.clone()),
            number,
        ))
    });
    FinishedGame {
        row,
        json,
        problems,
        is_written,
    }
}

/// Writes the record of a game.
///
/// # Errors
/// Fails with a sentence for the user, if the output file has changed or cannot be written.
fn write_record(game: &FolderGame, base: &BaseRecord, bytes: &[u8], task: &FolderTask) -> Result<(), String> {
    let (path, lang) = (&game.output, task.lang);
    if !base.is_current(path) {
        return Err(changed_meanwhile(path, lang));
    }
    if bytes.len() > shogibar_kifu::MAX_BYTES {
        return Err(
            ConvertRefusal::TooLarge(path.display().to_string(), shogibar_kifu::MAX_BYTES).text(lang),
        );
    }
    shogibar_files::write_whole(path, bytes).map_err(|error| file_error_text::write_error(&error, lang))
}

/// Returns the sentence about the number of positions without a value; `None` if all have one.
fn missing_values_text(findings: &[Finding], lang: shogibar_base::Lang) -> Option<String> {
    let count = findings
        .iter()
        .filter(|finding| match &finding.outcome {
            FindingKind::Searched(result) | FindingKind::Known(result) => {
                result.value().is_none() && !finding.is_deep
            }
            FindingKind::Nothing | FindingKind::GivenUp(..) => true,
            FindingKind::Skipped => false,
        })
        .count();
    (count > 0).then(|| text::without_value(count, lang))
}

/// Returns the path of the report for an output file: `game.kif.html`.
fn report_path(output: &Path) -> PathBuf {
    let mut name = output.file_name().unwrap_or_default().to_owned();
    name.push(".html");
    output.with_file_name(name)
}

/// Returns the relative address of a file for a page in a folder. Special characters are percent-encoded.
fn relative_address(path: &Path, folder: &Path) -> String {
    let relative = path.strip_prefix(folder).map(with_slashes).unwrap_or_default();
    let mut link = "./".to_owned();
    for byte in relative.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            link.push(char::from(byte));
        } else {
            // Writing to a text cannot fail, so the result is ignored.
            _ = write!(link, "%{byte:02X}");
        }
    }
    link
}
