//! The analysis of a folder.

use super::super::failure::ErrorLines;
use super::super::{CliOutcome, Streams};
use super::Arguments;
use super::progress::ProgressReporter;
use crate::cli::command_error::CommandError;
use anyhow::anyhow;
use shogibar_games::analysis::{AnalysisEngine, EngineScales, create_engines};
use shogibar_games::folder::{
    self, FolderControl, FolderEvent, FolderScan, FolderStage, FolderSummary, FolderTask,
};
use shogibar_games::folder_text as text;
use shogibar_games::report::Report;
use std::path::Path;

/// Analyses every game below the folder `arguments.input`. The outcome is `Problems` if a game or an engine failed.
pub(super) fn run(arguments: &Arguments, streams: &mut Streams<'_>) -> anyhow::Result<CliOutcome> {
    let (lang, input) = (streams.lang, arguments.input.as_path());
    let output = arguments.output.as_deref().filter(|path| *path != Path::new("-"));
    let output = output.ok_or_else(|| anyhow!(text::needs_folder(&input.display().to_string(), lang)))?;
    if arguments.report.is_some() {
        return Err(anyhow!(text::report_of_a_folder("--report", lang)));
    }
    let options = arguments.analysis_options()?;
    let profiles = super::super::profiles(super::super::store().as_ref(), lang, streams)?.value;
    let scan = folder::scan(input, output, options.scope, lang)?;
    for sentence in scan.warnings.iter().chain(&scan.problems) {
        writeln!(streams.err, "{sentence}")?;
    }
    let log = arguments.log.open();
    let positions = scan.games.iter().map(|game| game.positions).sum();
    let engines = if arguments.no_search || scan.games.is_empty() {
        Vec::new()
    } else {
        create_engines(&arguments.engines, &options, &profiles, &log, positions)
            .map_err(CommandError::NoExecutablePath)?
    };
    let task = FolderTask {
        output: output.to_owned(),
        options,
        judge: arguments.judge.clone(),
        scales: EngineScales::from_profiles(&profiles),
        lang,
        render: report_html,
        reports_json: arguments.json,
    };
    let summary = search(&task, scan, engines, streams);
    for problem in log.take_problems() {
        writeln!(streams.err, "{}", problem.text(lang))?;
    }
    finish(&task, &summary?, streams)
}

/// Runs the analysis, and reports its events. Returns the summary, also after a cancellation by the user.
fn search(
    task: &FolderTask,
    scan: FolderScan,
    engines: Vec<AnalysisEngine>,
    streams: &mut Streams<'_>,
) -> anyhow::Result<FolderSummary> {
    let (control, wakes) = FolderControl::new();
    let interrupted = control.clone();
    ctrlc::set_handler(move || interrupted.cancel())
        .map_err(|error| CommandError::NoHandler(error.to_string()))?;
    let mut reporter = ProgressReporter::for_folder(task.lang, streams.err.is_terminal());
    let mut written = Ok(());
    let mut observe = |event: FolderEvent<'_>| {
        let result = write_event(&event, task, &mut reporter, streams);
        if written.is_ok() && result.is_err() {
            written = result;
            control.cancel();
        }
    };
    let summary = folder::run(task, scan, engines, &control, &wakes, &mut observe)?;
    written?;
    streams.err.clear_live()?;
    Ok(summary)
}

fn write_event(
    event: &FolderEvent<'_>,
    task: &FolderTask,
    reporter: &mut ProgressReporter,
    streams: &mut Streams<'_>,
) -> anyhow::Result<()> {
    match event {
        FolderEvent::Progress(folder, engines) => {
            let line = text::progress(folder.games, folder.positions, folder.remaining_time, task.lang);
            reporter.update_with(engines, &line, streams)
        }
        FolderEvent::Game(row, json) => {
            if let Some(json) = json {
                streams.err.clear_live()?;
                streams.out.write_json_line(json)?;
            }
            let file = row
                .game
                .map_or_else(|| row.file.clone(), |game| format!("{} #{game}", row.file));
            let sides = row.sides.each_ref().map(|side| side.stats.mean_loss);
            Ok(writeln!(
                streams.err,
                "{}",
                text::game_over(&file, sides, task.lang)
            )?)
        }
        FolderEvent::Problem(why) => Ok(writeln!(streams.err, "{why}")?),
    }
}

/// Reports the outcome, which is `Problems` if a game or an engine failed. Fails if the analysis was not finished.
fn finish(
    task: &FolderTask,
    summary: &FolderSummary,
    streams: &mut Streams<'_>,
) -> anyhow::Result<CliOutcome> {
    let lang = task.lang;
    if summary.stage != FolderStage::Finished {
        let mut lines = ProgressReporter::failures(&summary.progress, lang);
        lines.push(text::ended(summary.games, summary.searched_positions, lang));
        return Err(ErrorLines(lines).into());
    }
    let [page, csv] = [folder::HTML_TABLE_NAME, folder::CSV_TABLE_NAME]
        .map(|name| task.output.join(name).display().to_string());
    let rows = summary.table.rows().count();
    writeln!(
        streams.err,
        "{}",
        text::summary(rows, summary.searched_positions, summary.problems.len(), lang)
    )?;
    writeln!(streams.err, "{}", text::tables(&page, &csv, lang))?;
    let is_lost = ProgressReporter::has_failed_engine(&summary.progress);
    Ok(if is_lost || !summary.problems.is_empty() {
        CliOutcome::Problems
    } else {
        CliOutcome::Done
    })
}

#[cfg(feature = "gui")]
fn report_html(report: &Report) -> String {
    shogibar_ui::report::html(report)
}

#[cfg(not(feature = "gui"))]
fn report_html(report: &Report) -> String {
    shogibar_games::report::html(report, None)
}
