//! Runs the analysis of a folder: games are read when engines become free, and written when they are over.

use super::base::BaseRecord;
use super::estimate::TimeEstimate;
use super::finish::finish;
use super::{CSV, FolderControl, FolderError, FolderGame, FolderScan, FolderWakes, PAGE, ResultRow, ResultTable};
use crate::analysis::{
    self, Analysis, AnalysisEngine, AnalysisGame, AnalysisOptions, AnalysisStage, EngineScales, Finding, FindingKind,
    Progress, SecondPass, StateError, StateFile,
};
use crate::files;
use crate::kifu::{self, Record};
use crate::report::{JsonReport, Report};
use crate::text::analysis::mating_problem;
use crate::text::{Lang, Message, failure, folder as text, system};
use std::collections::{BTreeMap, HashSet, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The shortest time between two writes of the tables. A folder of thousands of games has large ones.
const TABLE_INTERVAL: Duration = Duration::from_secs(2);

/// The largest part of the time that goes into writing the tables, as its inverse.
const TABLE_SHARE: u32 = 20;

/// The parameters of the analysis of a folder.
#[derive(Clone, Debug)]
pub struct FolderTask {
    /// The folder that the records are written to.
    pub output: PathBuf,
    /// The options of the analysis.
    pub options: AnalysisOptions,
    /// The judge of the games, by a part of its name; `None` for the default.
    pub judge: Option<String>,
    /// The scales of the user's profiles.
    pub scales: EngineScales,
    /// The language of the reports and of the messages.
    pub lang: Lang,
    /// Makes the page of a report.
    pub render: fn(&Report) -> String,
    /// Whether each game is also reported as JSON.
    pub has_json: bool,
}

/// An event of the analysis of a folder.
#[derive(Debug)]
pub enum FolderEvent<'a> {
    /// The progress has changed. The second value is the progress of the engines.
    Progress(FolderProgress, &'a Progress),
    /// A game is over, and its row is in the table. The second value is its report as JSON, if it is wanted.
    Game(&'a ResultRow, Option<&'a JsonReport>),
    /// The problem of a game or file, as a sentence: lost content, or why it was not analysed.
    Problem(&'a str),
}

/// The progress of an analysis of a folder.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FolderProgress {
    /// The games that are over, and all.
    pub games: [usize; 2],
    /// The number of positions searched or known, and of all positions, for each engine that searches them.
    pub positions: [usize; 2],
    /// The estimated remaining time.
    pub remaining_time: Option<Duration>,
    /// Whether the analysis is paused.
    pub is_paused: bool,
}

/// The outcome of the analysis of a folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FolderStage {
    /// All games are over.
    Finished,
    /// The user has ended the analysis.
    Cancelled,
    /// No engine is left.
    Failed,
}

/// The outcome of an analysis of a folder.
#[derive(Debug)]
pub struct FolderSummary {
    /// The outcome of the analysis.
    pub stage: FolderStage,
    /// The numbers of games that are over, and of all.
    pub games: [usize; 2],
    /// The number of positions searched in this run.
    pub searched_positions: usize,
    /// Losses and unreadable files, including those of the scan.
    pub problems: Vec<String>,
    /// The table of the analysed games.
    pub table: ResultTable,
    /// The last progress of the engines.
    pub progress: Progress,
}

/// Analyses the games of a folder, and returns the summary. Blocks until all are over, or until the control cancels it.
/// Without engines there is no search, and the evaluations of the records are used.
///
/// # Errors
/// If the tables or the state files cannot be written, or the system has no thread.
pub fn run(
    task: &FolderTask,
    scan: FolderScan,
    engines: Vec<AnalysisEngine>,
    control: &FolderControl,
    wakes: &FolderWakes,
    observe: &mut dyn FnMut(FolderEvent<'_>),
) -> Result<FolderSummary, FolderError> {
    let (control_of_wake, slots) = (control.clone(), engines.len());
    let start = || Analysis::start_queue(engines, task.options.deepen, move || control_of_wake.wake());
    let analysis = if slots == 0 { None } else { Some(start()) };
    let analysis = analysis.transpose().map_err(|error| FolderError(system::io_error(&error, task.lang)))?;
    let mut run = FolderRun::new(task, scan, observe);
    let stage = match &analysis {
        Some(analysis) => run.search(analysis, slots, control, wakes)?,
        None => run.take_known(control)?,
    };
    run.write_table()?;
    let games = [run.finished_games, run.total];
    let FolderRun { problems, table, progress, .. } = run;
    Ok(FolderSummary { stage, games, searched_positions: progress.searched_positions, problems, table, progress })
}

/// A game that is being analysed.
struct OpenGame {
    game: FolderGame,
    base: BaseRecord,
    state: Option<StateFile>,
    findings: Vec<Finding>,
    /// The number of positions that must not be sent to an engine, in words; empty if there are none.
    unsearchable_text: String,
}

/// The games of a file that was read, by their numbers.
#[derive(Default)]
struct ReadFile {
    path: PathBuf,
    games: VecDeque<(usize, Record)>,
}

struct FolderRun<'a> {
    task: &'a FolderTask,
    observe: &'a mut dyn FnMut(FolderEvent<'_>),
    /// The games that were not begun, with their numbers in the table.
    games: VecDeque<(usize, FolderGame)>,
    /// Whether the analysis was informed that all games were begun.
    is_closed: bool,
    open_games: BTreeMap<usize, OpenGame>,
    read_file: ReadFile,
    table: ResultTable,
    problems: Vec<String>,
    /// The number of games in the folder.
    total: usize,
    /// The number of games that are over, with or without a row.
    finished_games: usize,
    /// The positions of the games that were not begun.
    positions_ahead: usize,
    progress: Progress,
    estimate: TimeEstimate,
    /// The time of the last writing of the table, and its duration.
    last_write: Option<(Instant, Duration)>,
}

impl<'a> FolderRun<'a> {
    fn new(task: &'a FolderTask, scan: FolderScan, observe: &'a mut dyn FnMut(FolderEvent<'_>)) -> Self {
        let mut games: Vec<_> = scan.games.into_iter().enumerate().collect();
        // The games of earlier runs are added to the table first.
        games.sort_by_key(|(number, game)| (!game.is_written, *number));
        let estimate = TimeEstimate { factor: task.options.deepen, ..TimeEstimate::default() };
        Self {
            observe,
            total: games.len(),
            positions_ahead: games.iter().map(|(_, game)| game.positions).sum(),
            games: games.into(),
            is_closed: false,
            open_games: BTreeMap::new(),
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

    /// Searches the games, until all are over or the analysis has ended otherwise. Returns how it has ended.
    fn search(
        &mut self,
        analysis: &Analysis,
        slots: usize,
        control: &FolderControl,
        wakes: &FolderWakes,
    ) -> Result<FolderStage, FolderError> {
        let (mut last, mut is_paused) = (now(), false);
        loop {
            self.feed(analysis, slots)?;
            let _woken = wakes.0.recv();
            if control.is_cancelled() {
                analysis.cancel();
            }
            // Each of these calls wakes the analysis, so the state is only set when it changes.
            if std::mem::replace(&mut is_paused, control.is_paused()) != is_paused {
                if is_paused { analysis.pause() } else { analysis.resume() }
            }
            let time = now();
            if self.progress.stage == AnalysisStage::Running {
                self.estimate.elapsed += time.saturating_duration_since(last);
            }
            last = time;
            // The order matters: data that belongs to a later value is available before it.
            let (progress, ended, findings) =
                (analysis.take_progress(), analysis.take_ended_games(), analysis.take_findings());
            self.keep(findings)?;
            self.progress = progress.unwrap_or_else(|| std::mem::take(&mut self.progress));
            // The engines continue while the results are written.
            self.feed(analysis, slots)?;
            for number in ended {
                self.finish(number)?;
            }
            self.report(control);
            match self.progress.stage {
                AnalysisStage::Finished => return Ok(FolderStage::Finished),
                AnalysisStage::Cancelled => return Ok(FolderStage::Cancelled),
                AnalysisStage::Failed => return Ok(FolderStage::Failed),
                AnalysisStage::Starting | AnalysisStage::Running | AnalysisStage::Paused => {}
            }
        }
    }

    /// Uses the evaluations of the records, without a search. Returns whether all games are finished or the user has
    /// cancelled.
    fn take_known(&mut self, control: &FolderControl) -> Result<FolderStage, FolderError> {
        while let Some((number, game)) = self.games.pop_front() {
            if control.is_cancelled() {
                return Ok(FolderStage::Cancelled);
            }
            self.positions_ahead -= game.positions.min(self.positions_ahead);
            if let Some(record) = self.read(&game)
                && let Some(base) = self.base(record, &game)
            {
                let open_game =
                    OpenGame { game, base, state: None, findings: Vec::new(), unsearchable_text: String::new() };
                self.open_games.insert(number, open_game);
                self.finish(number)?;
            }
            self.report(control);
        }
        Ok(FolderStage::Finished)
    }

    /// Adds games until every engine has a next position. Closes the analysis once all games are added.
    fn feed(&mut self, analysis: &Analysis, slots: usize) -> Result<(), FolderError> {
        while !self.games.is_empty() && analysis.waiting_position_count() < slots.saturating_mul(2) {
            let Some((number, game)) = self.games.pop_front() else { break };
            self.positions_ahead -= game.positions.min(self.positions_ahead);
            if let Some(added) = self.begin(number, game)? {
                analysis.add(added);
            }
        }
        if self.games.is_empty() && !std::mem::replace(&mut self.is_closed, true) {
            analysis.close();
        }
        Ok(())
    }

    /// Begins a game. Returns `None` if it cannot be analysed, and reports this as a problem.
    fn begin(&mut self, number: usize, game: FolderGame) -> Result<Option<AnalysisGame>, FolderError> {
        let lang = self.task.lang;
        let Some(record) = self.read(&game) else { return Ok(None) };
        if let Err(error) = game.output.parent().map_or(Ok(()), files::make_folder) {
            self.give_up(format!("{}: {}", game.name(), system::write_error(&error, lang)));
            return Ok(None);
        }
        let (state, known) = match StateFile::open(&game.output) {
            Ok(opened) => opened,
            Err(StateError::Busy(path)) => {
                self.give_up(format!("{}: {}", game.name(), failure::analysed_elsewhere(&path, lang)));
                return Ok(None);
            }
            Err(StateError::Unwritable(why)) => return Err(FolderError(system::write_error(why.file(), lang))),
        };
        // The record is read after the state file is locked: no other program writes the output from now on.
        let Some(base) = self.base(record, &game) else { return Ok(None) };
        let plan = analysis::plan(&base.record, self.task.options.scope);
        let AnalysisOptions { repeats_searches: again, deepen, .. } = self.task.options;
        let second_pass = SecondPass { known_results: known, repeats_searches: again, deepen };
        let unsearchable = match plan.unsearchable_positions.len() {
            0 => String::new(),
            _ if plan.is_mating_problem(&base.record) => mating_problem(lang).to_owned(),
            count => text::unsearchable(count, lang),
        };
        let record = Arc::new(base.record.clone());
        self.open_games.insert(
            number,
            OpenGame { game, base, state: Some(state), findings: Vec::new(), unsearchable_text: unsearchable },
        );
        Ok(Some(AnalysisGame { number, record, plan, second_pass }))
    }

    fn base(&mut self, record: Record, game: &FolderGame) -> Option<BaseRecord> {
        match BaseRecord::new(record, game, self.task.options.dialect, self.task.lang) {
            Ok(base) => Some(base),
            Err(why) => {
                self.give_up(format!("{}: {why}", game.name()));
                None
            }
        }
    }

    /// Reads a game. The games of a file are read together. If the file cannot be read or lacks the game, reports that
    /// and returns `None`.
    fn read(&mut self, game: &FolderGame) -> Option<Record> {
        let [number, _] = game.number_and_count;
        if self.read_file.path != game.input || self.read_file.games.front().is_none_or(|(first, _)| *first > number) {
            self.read_file = ReadFile { path: game.input.clone(), games: VecDeque::new() };
            match read_games(&game.input, self.task.lang) {
                Ok(games) => self.read_file.games = (1..).zip(games).collect(),
                Err(why) => {
                    self.give_up(why);
                    return None;
                }
            }
        }
        while self.read_file.games.front().is_some_and(|(first, _)| *first < number) {
            self.read_file.games.pop_front();
        }
        let record = self.read_file.games.pop_front().map(|(_, record)| record);
        if record.is_none() {
            self.give_up(text::changed_meanwhile(&game.input.display().to_string(), self.task.lang));
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

    /// Stores findings on the disk.
    fn keep(&mut self, findings: Vec<Finding>) -> Result<(), FolderError> {
        let mut by_game: BTreeMap<usize, Vec<Finding>> = BTreeMap::new();
        for finding in findings {
            let [first, second] = &mut self.estimate.search_counts;
            if matches!(finding.outcome, FindingKind::Searched(_)) {
                *if finding.is_deep { second } else { first } += 1;
            }
            by_game.entry(finding.game).or_default().push(finding);
        }
        for (number, findings) in by_game {
            let Some(open_game) = self.open_games.get_mut(&number) else { continue };
            if let Some(state) = &mut open_game.state {
                state.keep(&findings).map_err(|why| FolderError(system::write_error(why.file(), self.task.lang)))?;
            }
            open_game.findings.extend(findings);
        }
        Ok(())
    }

    /// Writes a game that is over.
    fn finish(&mut self, number: usize) -> Result<(), FolderError> {
        let Some(OpenGame { game, base, state, findings, unsearchable_text: unsearchable }) =
            self.open_games.remove(&number)
        else {
            return Ok(());
        };
        let finished = finish(self.task, &game, &base, &self.progress, &findings);
        if let Some(state) = state.filter(|_| finished.is_written) {
            let signatures = self.progress.signatures();
            state.finish(&signatures).map_err(|why| FolderError(system::write_error(why.file(), self.task.lang)))?;
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
        let (wait, now) = (|took: Duration| TABLE_INTERVAL.max(took * TABLE_SHARE), now());
        let is_due = |(at, took): (Instant, Duration)| now.saturating_duration_since(at) >= wait(took);
        if self.last_write.is_none_or(is_due) {
            self.write_table()?;
        }
        Ok(())
    }

    fn write_table(&mut self) -> Result<(), FolderError> {
        let begin = now();
        self.table.set_problems(&self.problems, [self.finished_games, self.total]);
        let write = |name: &str, bytes: &[u8]| files::write_whole(&self.task.output.join(name), bytes);
        write(PAGE, self.table.page().as_bytes())
            .and_then(|()| write(CSV, self.table.csv().as_bytes()))
            .map_err(|error| FolderError(system::write_error(&error, self.task.lang)))?;
        let end = now();
        self.last_write = Some((end, end.saturating_duration_since(begin)));
        Ok(())
    }

    fn report(&mut self, control: &FolderControl) {
        let signatures = self.progress.engines.iter().map(|engine| &engine.signature);
        let groups = signatures.filter(|signature| !signature.is_empty()).collect::<HashSet<_>>().len().max(1);
        let Progress { total, done_searches: done, second_pass: [deeper, deep], .. } = self.progress;
        let ahead = self.positions_ahead * groups;
        let remaining = self.estimate.remaining(ahead + total.saturating_sub(done), deeper.saturating_sub(deep));
        let progress = FolderProgress {
            games: [self.finished_games, self.total],
            positions: [done, total + ahead],
            remaining_time: remaining,
            is_paused: control.is_paused(),
        };
        (self.observe)(FolderEvent::Progress(progress, &self.progress));
    }
}

fn read_games(path: &Path, lang: Lang) -> Result<Vec<Record>, String> {
    let unreadable = |why| Message::RecordUnreadable(path.display().to_string(), why).text(lang);
    let bytes = files::read(path, kifu::MAX_BYTES).map_err(|error| unreadable((&error).into()))?;
    kifu::read_named(&bytes, path).map(|read| read.games).map_err(|error| unreadable((&error).into()))
}

fn now() -> Instant {
    #[expect(
        clippy::disallowed_methods,
        reason = "the clock of a shell: an estimate for the user, and the pace of writes"
    )]
    Instant::now()
}
