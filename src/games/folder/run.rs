//! Runs the analysis of a folder. Games are read when engines become free, and written when they are over.

use super::base::BaseRecord;
use super::estimate::TimeEstimate;
use super::finish::finish_game;
use super::{
    CSV_TABLE_NAME, FolderControl, FolderError, FolderGame, FolderScan, FolderWakes, HTML_TABLE_NAME,
    ResultRow, ResultTable,
};
use crate::analysis::{
    self, Analysis, AnalysisEngine, AnalysisGame, AnalysisOptions, AnalysisStage, EngineScales, Finding,
    FindingKind, PassSettings, Progress, StateError, StateFile, StateFiles, StateWriteError,
};
use crate::analysis_text::mating_problem;
use crate::folder_text as text;
use crate::report::{JsonReport, Report};
use shogibar_base::{Lang, file_error_text};
use shogibar_kifu::{Record, UnreadableRecord};
use std::collections::{BTreeMap, HashSet, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The minimum time between two writes of the tables.
const MIN_TABLE_INTERVAL: Duration = Duration::from_secs(2);

/// The minimum time between two writes of the tables, as a multiple of the duration of the last write. So writing large
/// tables takes at most a twentieth of the time.
const TABLE_INTERVAL_FACTOR: u32 = 20;

/// The parameters of the analysis of a folder.
#[derive(Clone, Debug)]
pub struct FolderTask {
    /// The folder to which the records are written.
    pub output: PathBuf,
    /// The options of the analysis.
    pub options: AnalysisOptions,
    /// The name of the judge of the games, or a part of it; `None` for the default judge.
    pub judge: Option<String>,
    /// The scales of the engines.
    pub scales: EngineScales,
    /// The language of the reports and of the messages.
    pub lang: Lang,
    /// Creates the HTML page of a report.
    pub render: fn(&Report) -> String,
    /// Whether each game is also reported as JSON.
    pub reports_json: bool,
}

/// An event of the analysis of a folder.
#[derive(Debug)]
pub enum FolderEvent<'a> {
    /// The progress has changed. The second value is the progress of the engines.
    Progress(FolderProgress, &'a Progress),
    /// A game is over, and the table has this row. The second value is the report of the game as JSON, if it is wanted.
    Game(&'a ResultRow, Option<&'a JsonReport>),
    /// A problem of a game or file, as a sentence: lost content, or the reason why it was not analysed.
    Problem(&'a str),
}

/// The progress of an analysis of a folder.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FolderProgress {
    /// The number of games that are over, and the number of all games.
    pub games: [usize; 2],
    /// The number of positions searched or known, and the number of all positions. A position counts once for each
    /// engine that searches it.
    pub positions: [usize; 2],
    /// The estimated remaining time; `None` if it is unknown.
    pub remaining_time: Option<Duration>,
    /// Whether the analysis is paused.
    pub is_paused: bool,
}

/// The way in which the analysis of a folder has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FolderStage {
    /// All games are over.
    Finished,
    /// The user has cancelled the analysis.
    Cancelled,
    /// All engines have failed.
    Failed,
}

/// The summary of the analysis of a folder.
#[derive(Debug)]
pub struct FolderSummary {
    /// The way in which the analysis has ended.
    pub stage: FolderStage,
    /// The number of games that are over, and the number of all games.
    pub games: [usize; 2],
    /// The number of searches that engines have completed in this run, in both passes.
    pub searched_positions: usize,
    /// The problems of games and files as sentences, including those of the scan.
    pub problems: Vec<String>,
    /// The table of the analysed games.
    pub table: ResultTable,
    /// The last progress of the engines.
    pub progress: Progress,
}

/// Analyses the games of a folder, and returns the summary. Blocks until all games are over, or the control cancels the
/// analysis. Without engines, uses the evaluations of the records and searches nothing.
///
/// # Errors
/// Fails if the tables or the state files cannot be written, or the system cannot start a thread.
pub fn run(
    task: &FolderTask,
    scan: FolderScan,
    engines: Vec<AnalysisEngine>,
    control: &FolderControl,
    wakes: &FolderWakes,
    observe: &mut dyn FnMut(FolderEvent<'_>),
) -> Result<FolderSummary, FolderError> {
    let (control_of_wake, engine_count) = (control.clone(), engines.len());
    let state_files = StateFiles::default();
    let start = || {
        Analysis::start_queue(engines, task.options.deepen, state_files.clone(), move || {
            control_of_wake.wake();
        })
    };
    let analysis = if engine_count == 0 { None } else { Some(start()) };
    let analysis = analysis
        .transpose()
        .map_err(|error| FolderError(file_error_text::io_error(&error, task.lang)))?;
    let mut run = FolderRun::new(task, scan, state_files, observe);
    let stage = match &analysis {
        Some(analysis) => run.search(analysis, engine_count, control, wakes)?,
        None => run.finish_without_search(control)?,
    };
    run.write_table()?;
    let games = [run.finished_games, run.game_count];
    let FolderRun {
        problems,
        table,
        progress,
        ..
    } = run;
    Ok(FolderSummary {
        stage,
        games,
        searched_positions: progress.searched_positions,
        problems,
        table,
        progress,
    })
}

/// A game that is being analysed.
struct OpenGame {
    game: FolderGame,
    base: BaseRecord,
    findings: Vec<Finding>,
    /// The sentence about positions that are never sent to an engine; empty if there are none.
    unsearchable_text: String,
}

/// A file that was read, with its next games.
#[derive(Default)]
struct ReadFile {
    path: PathBuf,
    /// The games that are not begun yet, with their numbers in the file from 1.
    games: VecDeque<(usize, Record)>,
}

/// The state of an analysis of a folder.
struct FolderRun<'a> {
    task: &'a FolderTask,
    observe: &'a mut dyn FnMut(FolderEvent<'_>),
    /// The games that are not begun yet, with their numbers in the table.
    games: VecDeque<(usize, FolderGame)>,
    /// Whether the analysis was closed, because all games are begun.
    is_closed: bool,
    /// The games that are being analysed, by number.
    open_games: BTreeMap<usize, OpenGame>,
    /// The state files of the open games; none without a search.
    state_files: StateFiles,
    read_file: ReadFile,
    table: ResultTable,
    problems: Vec<String>,
    game_count: usize,
    /// The number of games that are over, with or without a row.
    finished_games: usize,
    /// The number of positions of the games that are not begun yet.
    positions_ahead: usize,
    progress: Progress,
    estimate: TimeEstimate,
    /// The end of the last write of the tables, and its duration; `None` before the first write.
    last_write: Option<(Instant, Duration)>,
}

impl<'a> FolderRun<'a> {
    fn new(
        task: &'a FolderTask,
        scan: FolderScan,
        state_files: StateFiles,
        observe: &'a mut dyn FnMut(FolderEvent<'_>),
    ) -> Self {
        let mut games: Vec<_> = scan.games.into_iter().enumerate().collect();
        // The games of earlier runs come first, so that the table has them soon.
        games.sort_by_key(|(number, game)| (!game.is_written, *number));
        let estimate = TimeEstimate {
            factor: task.options.deepen,
            ..TimeEstimate::default()
        };
        Self {
            observe,
            game_count: games.len(),
            positions_ahead: games.iter().map(|(_, game)| game.positions).sum(),
            games: games.into(),
            is_closed: false,
            open_games: BTreeMap::new(),
            state_files,
            read_file: ReadFile::default(),
            table: ResultTable::new(task.lang),
            problems: scan.problems,
            finished_games: 0,
            progress: Progress::idle(),
            estimate,
            last_write: None,
            task,
        }
    }

    /// Searches the games until all are over, or the analysis is cancelled or fails. Returns the way in which it has
    /// ended.
    fn search(
        &mut self,
        analysis: &Analysis,
        engine_count: usize,
        control: &FolderControl,
        wakes: &FolderWakes,
    ) -> Result<FolderStage, FolderError> {
        let (mut last, mut is_paused) = (now(), false);
        loop {
            self.add_games(analysis, engine_count)?;
            let _woken = wakes.0.recv();
            if control.is_cancelled() {
                analysis.cancel();
            }
            // Each of these calls wakes the analysis, so the state is only set when it changes.
            if std::mem::replace(&mut is_paused, control.is_paused()) != is_paused {
                if is_paused {
                    analysis.pause();
                } else {
                    analysis.resume();
                }
            }
            let time = now();
            if self.progress.stage == AnalysisStage::Running {
                self.estimate.elapsed += time.saturating_duration_since(last);
            }
            last = time;
            // The order matters: the findings that belong to an ended game or a progress are available before it.
            let (progress, ended, findings) = (
                analysis.take_progress(),
                analysis.take_ended_games(),
                analysis.take_findings(),
            );
            self.keep_findings(findings)?;
            self.progress = progress.unwrap_or_else(|| std::mem::take(&mut self.progress));
            // The engines continue while the results are written.
            self.add_games(analysis, engine_count)?;
            for number in ended {
                self.finish(number)?;
            }
            self.report_progress(control);
            match self.progress.stage {
                AnalysisStage::Finished => return Ok(FolderStage::Finished),
                AnalysisStage::Cancelled => return Ok(FolderStage::Cancelled),
                AnalysisStage::Failed => return Ok(FolderStage::Failed),
                AnalysisStage::Starting | AnalysisStage::Running | AnalysisStage::Paused => {}
            }
        }
    }

    /// Finishes the games with the evaluations of the records, without a search. Returns whether all games are over or
    /// the user has cancelled.
    fn finish_without_search(&mut self, control: &FolderControl) -> Result<FolderStage, FolderError> {
        while let Some((number, game)) = self.games.pop_front() {
            if control.is_cancelled() {
                return Ok(FolderStage::Cancelled);
            }
            self.positions_ahead -= game.positions.min(self.positions_ahead);
            if let Some(record) = self.read_game(&game)
                && let Some(base) = self.base_record(record, &game)
            {
                let open_game = OpenGame {
                    game,
                    base,
                    findings: Vec::new(),
                    unsearchable_text: String::new(),
                };
                self.open_games.insert(number, open_game);
                self.finish(number)?;
            }
            self.report_progress(control);
        }
        Ok(FolderStage::Finished)
    }

    /// Adds games until every engine has a next position. Closes the analysis once all games are added.
    fn add_games(&mut self, analysis: &Analysis, engine_count: usize) -> Result<(), FolderError> {
        while !self.games.is_empty() && analysis.waiting_position_count() < engine_count.saturating_mul(2) {
            let Some((number, game)) = self.games.pop_front() else {
                break;
            };
            self.positions_ahead -= game.positions.min(self.positions_ahead);
            if let Some(added) = self.begin_game(number, game)? {
                analysis.add(added);
            }
        }
        if self.games.is_empty() && !std::mem::replace(&mut self.is_closed, true) {
            analysis.close();
        }
        Ok(())
    }

    /// Begins a game. If the game cannot be analysed, reports a problem and returns `None`.
    fn begin_game(&mut self, number: usize, game: FolderGame) -> Result<Option<AnalysisGame>, FolderError> {
        let lang = self.task.lang;
        let Some(record) = self.read_game(&game) else {
            return Ok(None);
        };
        if let Err(error) = game.output.parent().map_or(Ok(()), shogibar_files::make_folder) {
            self.give_up(format!(
                "{}: {}",
                game.name(),
                file_error_text::write_error(&error, lang)
            ));
            return Ok(None);
        }
        let (state, known) = match StateFile::open(&game.output) {
            Ok(opened) => opened,
            Err(StateError::Busy(path)) => {
                self.give_up(format!(
                    "{}: {}",
                    game.name(),
                    crate::analysis_text::analysed_elsewhere(&path, lang)
                ));
                return Ok(None);
            }
            Err(StateError::Unwritable(why)) => return Err(self.state_error(&why)),
        };
        // The output is read after the state file is locked, because no other analysis writes the output then.
        let Some(base) = self.base_record(record, &game) else {
            return Ok(None);
        };
        let plan = analysis::plan(&base.record, self.task.options.scope);
        let AnalysisOptions {
            repeats_searches: again,
            deepen,
            ..
        } = self.task.options;
        let pass_settings = PassSettings {
            known_results: known,
            repeats_searches: again,
            deepen,
        };
        let unsearchable = match plan.unsearchable_positions.len() {
            0 => String::new(),
            _ if plan.is_mating_problem(&base.record) => mating_problem(lang).to_owned(),
            count => text::unsearchable(count, lang),
        };
        let record = Arc::new(base.record.clone());
        self.state_files.add(number, state);
        let open_game = OpenGame {
            game,
            base,
            findings: Vec::new(),
            unsearchable_text: unsearchable,
        };
        self.open_games.insert(number, open_game);
        Ok(Some(AnalysisGame {
            number,
            record,
            plan,
            pass_settings,
        }))
    }

    /// Returns the record into which the results are written. If it cannot be used, reports a problem and returns
    /// `None`.
    fn base_record(&mut self, record: Record, game: &FolderGame) -> Option<BaseRecord> {
        match BaseRecord::new(record, game, self.task.options.dialect, self.task.lang) {
            Ok(base) => Some(base),
            Err(why) => {
                self.give_up(format!("{}: {why}", game.name()));
                None
            }
        }
    }

    /// Reads a game. All games of a file are read at the same time. If the file cannot be read or lacks the game,
    /// reports a problem and returns `None`.
    fn read_game(&mut self, game: &FolderGame) -> Option<Record> {
        let [number, _] = game.number_and_count;
        if self.read_file.path != game.input
            || self
                .read_file
                .games
                .front()
                .is_none_or(|(first, _)| *first > number)
        {
            self.read_file = ReadFile {
                path: game.input.clone(),
                games: VecDeque::new(),
            };
            match read_games(&game.input, self.task.lang) {
                Ok(games) => self.read_file.games = (1..).zip(games).collect(),
                Err(why) => {
                    self.give_up(why);
                    return None;
                }
            }
        }
        while self
            .read_file
            .games
            .front()
            .is_some_and(|(first, _)| *first < number)
        {
            self.read_file.games.pop_front();
        }
        let record = self.read_file.games.pop_front().map(|(_, record)| record);
        if record.is_none() {
            self.give_up(text::changed_meanwhile(
                &game.input.display().to_string(),
                self.task.lang,
            ));
        }
        record
    }

    /// Reports a game that is not analysed.
    fn give_up(&mut self, why: String) {
        self.finished_games += 1;
        self.report_problem(why);
    }

    fn report_problem(&mut self, why: String) {
        (self.observe)(FolderEvent::Problem(&why));
        self.problems.push(why);
    }

    /// Adds findings to their games. Fails if they could not be stored in the state files.
    fn keep_findings(&mut self, findings: Vec<Finding>) -> Result<(), FolderError> {
        self.state_files.check().map_err(|why| self.state_error(&why))?;
        for finding in findings {
            let [first, second] = &mut self.estimate.search_counts;
            if matches!(finding.outcome, FindingKind::Searched(_)) {
                *if finding.is_deep { second } else { first } += 1;
            }
            if let Some(open_game) = self.open_games.get_mut(&finding.game) {
                open_game.findings.push(finding);
            }
        }
        Ok(())
    }

    fn state_error(&self, why: &StateWriteError) -> FolderError {
        FolderError(file_error_text::write_error(why.file(), self.task.lang))
    }

    fn finish(&mut self, number: usize) -> Result<(), FolderError> {
        let Some(OpenGame {
            game,
            base,
            findings,
            unsearchable_text: unsearchable,
        }) = self.open_games.remove(&number)
        else {
            return Ok(());
        };
        let state = self.state_files.take(number);
        let finished = finish_game(self.task, &game, &base, &self.progress, &findings);
        if finished.is_written
            && let Some(state) = state
        {
            let signatures = self.progress.signatures();
            state.finish(&signatures).map_err(|why| self.state_error(&why))?;
        }
        self.finished_games += 1;
        if !unsearchable.is_empty() {
            self.report_problem(format!("{}: {unsearchable}", game.name()));
        }
        for why in finished.problems {
            self.report_problem(why);
        }
        if let Some(row) = finished.row {
            (self.observe)(FolderEvent::Game(&row, finished.json.as_deref()));
            self.table.insert(number, row);
        }
        let (interval, now) = (
            |took: Duration| MIN_TABLE_INTERVAL.max(took * TABLE_INTERVAL_FACTOR),
            now(),
        );
        if self
            .last_write
            .is_none_or(|(at, took)| now.saturating_duration_since(at) >= interval(took))
        {
            self.write_table()?;
        }
        Ok(())
    }

    fn write_table(&mut self) -> Result<(), FolderError> {
        let begin = now();
        self.table
            .set_problems(&self.problems, [self.finished_games, self.game_count]);
        let write =
            |name: &str, bytes: &[u8]| shogibar_files::write_whole(&self.task.output.join(name), bytes);
        write(HTML_TABLE_NAME, self.table.page().as_bytes())
            .and_then(|()| write(CSV_TABLE_NAME, self.table.csv().as_bytes()))
            .map_err(|error| FolderError(file_error_text::write_error(&error, self.task.lang)))?;
        let end = now();
        self.last_write = Some((end, end.saturating_duration_since(begin)));
        Ok(())
    }

    fn report_progress(&mut self, control: &FolderControl) {
        let signatures = self.progress.engines.iter().map(|engine| &engine.signature);
        let groups = signatures
            .filter(|signature| !signature.is_empty())
            .collect::<HashSet<_>>()
            .len()
            .max(1);
        let Progress {
            total,
            done_searches: done,
            second_pass: [deeper, deep],
            ..
        } = self.progress;
        let ahead = self.positions_ahead * groups;
        let remaining = self
            .estimate
            .remaining_time(ahead + total.saturating_sub(done), deeper.saturating_sub(deep));
        let progress = FolderProgress {
            games: [self.finished_games, self.game_count],
            positions: [done, total + ahead],
            remaining_time: remaining,
            is_paused: control.is_paused(),
        };
        (self.observe)(FolderEvent::Progress(progress, &self.progress));
    }
}

/// Reads the games of a file. Fails with a sentence for the user.
fn read_games(path: &Path, lang: Lang) -> Result<Vec<Record>, String> {
    let unreadable = |why| UnreadableRecord::about(&why, &path.display().to_string(), lang);
    let bytes =
        shogibar_files::read(path, shogibar_kifu::MAX_BYTES).map_err(|error| unreadable((&error).into()))?;
    shogibar_kifu::read_named(&bytes, path)
        .map(|read| read.games)
        .map_err(|error| unreadable((&error).into()))
}

fn now() -> Instant {
    #[expect(
        clippy::disallowed_methods,
        reason = "the clock of a shell: an estimate for the user, and the pace of writes"
    )]
    Instant::now()
}
