//! Assigns positions to engines and takes their results, as a pure function of engine snapshots.
//!
//! Engines with the same signature share the positions. Engines with different signatures each search all positions. A
//! game has a [`TaskQueue`] for each signature, with two passes. In the second pass, the positions of swings are
//! searched longer. Engines without a task in a game begin the next game.

mod engine_group;
mod game;
mod task_queue;
mod worker;

use super::journal::KnownResults;
use super::{AnalysisPlan, EngineResult, PositionKey};
use engine_group::EngineGroup;
use game::{GameTotals, ScheduledGame};
use shogibar_engine::options::{Limit, RejectedOption};
use shogibar_engine::session::{EngineFailure, EngineState, SearchTarget, Snapshot};
use shogibar_kifu::{NodeId, Record};
use shogibar_shogi::score::WinRateModel;
use std::sync::Arc;
use std::time::Duration;
use task_queue::TaskQueue;
use worker::Worker;

/// An engine of an analysis, with its search settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkerSlot {
    /// The user's name for the engine.
    pub name: String,
    /// Whether `name` is the name of a profile. A profile has more information than the reported name, such as the net.
    pub is_profile: bool,
    /// The search limit per position.
    pub limit: Limit,
    /// The number of lines requested (`multipv`).
    pub multipv: u32,
}

/// The settings of both search passes of a game, with the results that are known already.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PassSettings {
    /// The results of an earlier run, from the journal.
    pub known_results: KnownResults,
    /// Whether positions are searched again although the record has evaluations of them.
    pub repeats_searches: bool,
    /// The factor of the limit for the positions of a swing. Below 2 there is no second pass.
    pub deepen: u32,
}

/// A game to be analysed.
#[derive(Clone, Debug)]
pub struct AnalysisGame {
    /// The number of the game, which the caller chooses. Each game of an analysis has a different number.
    pub number: usize,
    /// The record of the game.
    pub record: Arc<Record>,
    /// The positions to search.
    pub plan: AnalysisPlan,
    /// The settings of the passes. All games of an analysis have the same factor `deepen`.
    pub pass_settings: PassSettings,
}

/// A command to an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkerCommand {
    /// The index of the engine, from 0.
    pub engine: usize,
    /// The target to search.
    pub target: SearchTarget,
}

/// A position of a game that a pass has completed, with the outcome.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// The number of the game.
    pub game: usize,
    /// The node of the position in the record.
    pub node: NodeId,
    /// The key of the position.
    pub key: PositionKey,
    /// The index of the engine, from 0. Engines that share the positions have the index of the first of them.
    pub engine: usize,
    /// Whether the task belongs to the second pass.
    pub is_deep: bool,
    /// The evaluation, or the reason why there is none.
    pub outcome: FindingKind,
}

/// The outcome of a pass for a position.
#[derive(Clone, Debug, PartialEq)]
pub enum FindingKind {
    /// An engine has searched the position.
    Searched(EngineResult),
    /// The result of an earlier run, from the journal.
    Known(EngineResult),
    /// The record already has an evaluation.
    Skipped,
    /// The engine has answered without a value or a move.
    Nothing,
    /// The position was given up. Has the index of the engine that ended there repeatedly, and its last failure.
    GivenUp(usize, EngineFailure),
}

/// The progress of an analysis, of all its games together.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Progress {
    /// The stage of the analysis: whether it runs, or how it has ended.
    pub stage: AnalysisStage,
    /// The number of searches in the first pass: the sum of the positions over all groups of engines.
    pub total: usize,
    /// The number of completed searches in the first pass, with any outcome.
    pub done_searches: usize,
    /// The numbers of searches in the second pass: all that are known so far, and the completed ones.
    pub second_pass: [usize; 2],
    /// The number of searches that engines have completed in this run, in both passes.
    pub searched_positions: usize,
    /// The estimated remaining time; `None` if it is unknown.
    pub remaining_time: Option<Duration>,
    /// The state of each engine.
    pub engines: Vec<WorkerStatus>,
}

/// The stage of an analysis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AnalysisStage {
    /// The engines are starting: not all have completed the USI handshake.
    #[default]
    Starting,
    /// Positions are being searched.
    Running,
    /// The user has paused the analysis.
    Paused,
    /// All searches are completed, or given up.
    Finished,
    /// The user has cancelled the analysis.
    Cancelled,
    /// All engines have failed before the analysis was finished.
    Failed,
}

impl Progress {
    /// Creates the progress of a finished analysis without searches.
    pub fn idle() -> Self {
        Self {
            stage: AnalysisStage::Finished,
            ..Self::default()
        }
    }

    /// Returns the signatures of the engines, including those of the second pass.
    pub fn signatures(&self) -> Vec<&str> {
        let signatures = self
            .engines
            .iter()
            .flat_map(|engine| [&engine.signature, &engine.deep_signature]);
        signatures
            .map(String::as_str)
            .filter(|signature| !signature.is_empty())
            .collect()
    }

    /// Returns the state of the current pass: completed and total searches, and whether it is the second pass.
    pub const fn pass(&self) -> ([usize; 2], bool) {
        let [deeper, done] = self.second_pass;
        if self.done_searches == self.total && deeper > 0 {
            ([done, deeper], true)
        } else {
            ([self.done_searches, self.total], false)
        }
    }
}

impl AnalysisStage {
    /// Returns whether the analysis has ended.
    pub const fn is_over(self) -> bool {
        matches!(self, Self::Finished | Self::Cancelled | Self::Failed)
    }
}

/// The status of one engine of an analysis.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WorkerStatus {
    /// The user's name for the engine.
    pub name: String,
    /// The name that the engine reports; empty before the USI handshake.
    pub engine: String,
    /// The [signature](super::signature) of the engine's evaluations; empty before the USI handshake.
    pub signature: String,
    /// The signature of the engine's second pass; empty if there is none.
    pub deep_signature: String,
    /// The scale from the engine's centipawns to win rates.
    pub model: WinRateModel,
    /// The state of the engine.
    pub state: EngineState,
    /// The number of seconds since an answer of the engine is due.
    pub overdue_seconds: u64,
    /// The number of times that the engine ended unexpectedly.
    pub crashes: u32,
    /// Whether the engine does not support limits, so that its results differ from run to run.
    pub refuses_limits: bool,
    /// The user's options that were not sent because they are invalid for the engine.
    pub rejected_options: Vec<RejectedOption>,
    /// The ply of the position that the engine is searching; `None` if it is idle.
    pub ply: Option<u16>,
}

/// The run mode requested by the user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RunMode {
    Run,
    Pause,
    Cancel,
}

/// Assigns the positions of games to engines, and takes the results.
#[derive(Debug)]
pub struct Scheduler {
    /// The games that are not over, in the order in which they were added.
    games: Vec<ScheduledGame>,
    workers: Vec<Worker>,
    /// The engines by signature; `None` until every engine has completed the USI handshake or is lost.
    groups: Option<Vec<EngineGroup>>,
    mode: RunMode,
    /// The number of searches that engines have completed in this run, in both passes.
    searched_count: usize,
    /// Whether no more games will be added.
    is_closed: bool,
    /// The counts of the games that are over.
    finished_totals: GameTotals,
    findings: Vec<Finding>,
    /// The numbers of the games that are over since the last call of [`take_ended_games`](Self::take_ended_games).
    ended_games: Vec<usize>,
}

impl Scheduler {
    /// Creates a scheduler for these engines, without games. `deepen` is the factor of the second pass, as in
    /// [`PassSettings`].
    pub fn new(slots: Vec<WorkerSlot>, deepen: u32) -> Self {
        Self {
            games: Vec::new(),
            workers: slots.into_iter().map(|slot| Worker::new(slot, deepen)).collect(),
            groups: None,
            mode: RunMode::Run,
            searched_count: 0,
            is_closed: false,
            finished_totals: GameTotals::default(),
            findings: Vec::new(),
            ended_games: Vec::new(),
        }
    }

    /// Adds a game at the end of the queue. Returns commands for the engines.
    pub fn add(&mut self, now: Duration, game: AnalysisGame) -> Vec<WorkerCommand> {
        let mut game = ScheduledGame::new(game);
        if let Some(groups) = &self.groups {
            self.findings.extend(game.enqueue_unknown(groups));
        }
        self.games.push(game);
        self.assign(now)
    }

    /// Declares that no more games will be added. The analysis is finished when all its games are over.
    pub const fn close(&mut self) {
        self.is_closed = true;
    }

    /// Updates the state of an engine at the time `now`, which never decreases. Returns commands for the engines.
    pub fn on_snapshot(&mut self, now: Duration, engine: usize, snapshot: &Snapshot) -> Vec<WorkerCommand> {
        let Some(worker) = self.workers.get_mut(engine) else {
            return Vec::new();
        };
        worker.update(snapshot);
        let done = match &snapshot.state {
            EngineState::Restarting(restart) => worker
                .on_restart(restart)
                .map(|job| (job, FindingKind::GivenUp(engine, restart.failure.clone()))),
            EngineState::Failed(_) => {
                // Another engine with the same signature may succeed with this position, so it returns to the queue.
                let (job, group) = (worker.mark_lost(), worker.group);
                if let Some((job, queue)) =
                    job.and_then(|job| Some((job.task, self.queue(job.game, group?)?)))
                {
                    queue.put_back(job);
                }
                None
            }
            // Unreachable: the plan has no unsearchable positions among its tasks.
            EngineState::Unsearchable(_) => worker.job.take().map(|job| (job, FindingKind::Nothing)),
            _ => {
                worker.restart = None;
                worker
                    .take_result(snapshot)
                    .map(|(job, result)| (job, result.map_or(FindingKind::Nothing, FindingKind::Searched)))
            }
        };
        if let Some((job, outcome)) = done {
            self.searched_count += usize::from(!matches!(outcome, FindingKind::GivenUp(..)));
            let group = self.workers.get(engine).and_then(|worker| worker.group);
            let game = self.games.iter_mut().find(|game| game.number == job.game);
            self.findings.extend(
                game.zip(group)
                    .and_then(|(game, group)| game.record_outcome(group, &job, outcome)),
            );
        }
        self.assign(now)
    }

    /// Pauses or resumes the engines. Returns the commands for the engines; none if nothing changes.
    pub fn set_paused(&mut self, now: Duration, is_paused: bool) -> Vec<WorkerCommand> {
        let mode = if is_paused { RunMode::Pause } else { RunMode::Run };
        if self.mode == mode || self.mode == RunMode::Cancel {
            return Vec::new();
        }
        self.mode = mode;
        let changed = self.workers.iter().enumerate().filter_map(|(engine, worker)| {
            let job = worker.job.as_ref()?;
            Some(WorkerCommand {
                engine,
                target: SearchTarget {
                    is_paused,
                    ..job.search_target()
                },
            })
        });
        let mut commands: Vec<_> = changed.collect();
        commands.extend(self.assign(now));
        commands
    }

    /// Cancels the analysis. The findings so far can still be taken.
    pub const fn cancel(&mut self) {
        self.mode = RunMode::Cancel;
    }

    /// Removes and returns the findings since the last call.
    pub fn take_findings(&mut self) -> Vec<Finding> {
        std::mem::take(&mut self.findings)
    }

    /// Removes and returns the numbers of the games that are over since the last call. All findings of these games are
    /// available.
    pub fn take_ended_games(&mut self) -> Vec<usize> {
        std::mem::take(&mut self.ended_games)
    }

    /// Returns the number of positions that are not assigned to an engine.
    pub fn waiting_position_count(&self) -> usize {
        self.games.iter().map(ScheduledGame::waiting_position_count).sum()
    }

    /// Returns the progress at the time `now`.
    pub fn progress(&self, now: Duration) -> Progress {
        let mut totals = self.finished_totals;
        for game in &self.games {
            totals.add(game.totals());
        }
        let running = |game: usize, group: usize| {
            self.workers
                .iter()
                .filter(|worker| {
                    worker.group == Some(group) && worker.job.as_ref().is_some_and(|job| job.game == game)
                })
                .count()
        };
        let remaining = self
            .games
            .iter()
            .filter_map(|game| game.remaining_time(now, |group| running(game.number, group)));
        Progress {
            stage: self.stage(),
            total: totals.first_pass.total,
            done_searches: totals.first_pass.done_searches,
            second_pass: [totals.second_pass.total, totals.second_pass.done_searches],
            searched_positions: self.searched_count,
            remaining_time: remaining.max(),
            engines: self.workers.iter().map(Worker::status).collect(),
        }
    }

    /// Returns the current stage.
    pub fn stage(&self) -> AnalysisStage {
        let are_all_over = self.is_closed && self.games.is_empty() && self.finished_totals.has_result();
        if self.mode == RunMode::Cancel {
            AnalysisStage::Cancelled
        } else if are_all_over {
            AnalysisStage::Finished
        } else if self.workers.iter().all(|worker| worker.is_lost) {
            AnalysisStage::Failed
        } else if self.mode == RunMode::Pause {
            AnalysisStage::Paused
        } else if self.groups.is_some() {
            AnalysisStage::Running
        } else {
            AnalysisStage::Starting
        }
    }

    /// Assigns a position to every idle engine once the groups are known. Earlier games come first. Returns the
    /// commands for the engines.
    fn assign(&mut self, now: Duration) -> Vec<WorkerCommand> {
        if self.groups.is_none()
            && self
                .workers
                .iter()
                .all(|worker| worker.is_known() || worker.is_lost)
        {
            self.make_groups();
        }
        let mut commands = Vec::new();
        let is_running = self.mode == RunMode::Run;
        let Some(groups) = &self.groups else {
            return commands;
        };
        for game in &mut self.games {
            for group in 0..groups.len() {
                self.findings.extend(game.advance(group, &self.workers));
                let free = self
                    .workers
                    .iter_mut()
                    .enumerate()
                    .filter(|(_, worker)| is_running && worker.group == Some(group) && worker.is_free());
                let assigned = free.map_while(|(engine, worker)| {
                    let (job, ply) = game.next_job(group, worker.deep_limit)?;
                    let target = job.search_target();
                    (worker.engine.ply, worker.job) = (Some(ply), Some(job));
                    Some(WorkerCommand { engine, target })
                });
                commands.extend(assigned);
                game.count_time(now, group, &self.workers, is_running);
            }
        }
        let past = &mut self.finished_totals;
        let ended = self.games.extract_if(.., |game| game.is_over()).map(|game| {
            past.add(game.totals());
            game.number
        });
        self.ended_games.extend(ended);
        commands
    }

    /// Groups the engines that share positions, and fills the queues of the games.
    fn make_groups(&mut self) {
        let mut groups: Vec<EngineGroup> = Vec::new();
        for (engine, worker) in self.workers.iter_mut().enumerate() {
            if !worker.is_known() {
                continue;
            }
            let group = EngineGroup::new(engine, &worker.engine);
            let existing = groups.iter().position(|other| other.signature == group.signature);
            worker.group = Some(existing.unwrap_or(groups.len()));
            if existing.is_none() {
                groups.push(group);
            }
        }
        for game in &mut self.games {
            self.findings.extend(game.enqueue_unknown(&groups));
        }
        self.groups = Some(groups);
    }

    /// Returns the task queue of a game for a group of engines; `None` for an unknown game or group.
    fn queue(&mut self, game: usize, group: usize) -> Option<&mut TaskQueue> {
        self.games
            .iter_mut()
            .find(|other| other.number == game)?
            .queue(group)
    }
}

#[cfg(test)]
mod tests;
