//! The jobs of the simulation: their results come in any order, late or twice, and some jobs cannot be started.

use super::*;
use crate::jobs::{Job, JobKey, JobResult};
use shogibar_engine::session::MateOutcome;
use shogibar_facts::{Fact, FactKind, FactPosition};
use shogibar_games::analysis::MoveReason;
use shogibar_games::move_facts::MoveFacts;
use shogibar_games::position_facts::PositionFacts;
use shogibar_games::study::{Inquiry, InquiryKind};

/// The number of ended jobs whose results may still come.
const MAX_ENDED_JOBS: usize = 4;

/// The jobs that were started.
#[derive(Default)]
pub(super) struct TestJobs {
    running: Vec<Job>,
    /// The jobs that were replaced or cancelled. Their last results may already be on the way.
    ended: Vec<Job>,
}

impl TestJobs {
    pub(super) fn start(&mut self, job: Job) {
        let key = job.key();
        self.end(|other| other.is_replaced_by(key));
        self.running.push(job);
    }

    pub(super) fn cancel(&mut self, key: JobKey) {
        self.end(|other| other == key);
    }

    fn end(&mut self, is_ended: impl Fn(JobKey) -> bool) {
        self.ended
            .extend(self.running.extract_if(.., |job| is_ended(job.key())));
        let surplus = self.ended.len().saturating_sub(MAX_ENDED_JOBS);
        self.ended.drain(..surplus);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.running.is_empty()
    }

    fn runs(&self, is_it: impl Fn(&Job) -> bool) -> bool {
        self.running.iter().any(is_it)
    }
}

/// Returns the results of a job. Half of the positions have a threat of mate.
fn results(job: &Job) -> Vec<JobResult> {
    match job {
        Job::Facts(game, history) => {
            let threat = Fact {
                kind: FactKind::ThreatOfMate { length: Some(1) },
                side: history.now().side_to_move(),
                at: FactPosition::After,
                lead: 0,
                line: Vec::new(),
            };
            let facts = PositionFacts {
                history: Arc::clone(history),
                list: (value_of(history) % 2 == 0)
                    .then_some(threat)
                    .into_iter()
                    .collect(),
            };
            vec![JobResult::Facts(*game, Box::new(facts))]
        }
        Job::LastMove(_, bar, shown) => {
            vec![JobResult::LastMove(
                *bar,
                shown.clone(),
                Box::new(MoveFacts::default()),
            )]
        }
        Job::Brinkmate(game, facts) => vec![JobResult::Brinkmate(*game, facts.clone())],
        Job::Reasons(game, request) => {
            let reason = |node: NodeId| {
                let basis = request.review.reason_basis(&request.record, node)?;
                Some(Box::new(MoveReason {
                    basis,
                    proved_facts: MoveFacts::default(),
                    ease: None,
                    hidden_by: Vec::new(),
                }))
            };
            let result = |node: &NodeId| JobResult::Reason {
                game: *game,
                first_revision: request.first_revision,
                node: *node,
                reason: reason(*node),
            };
            request.nodes.iter().map(result).collect()
        }
        Job::Mate(game, history) => vec![JobResult::Mate(*game, Arc::clone(history), MateOutcome::NoMate)],
    }
}

/// Returns whether a result is about a game.
pub(super) fn is_about(result: &JobResult, id: GameId, model: &AppModel) -> bool {
    match result {
        JobResult::Facts(game, _)
        | JobResult::Brinkmate(game, _)
        | JobResult::Reason { game, .. }
        | JobResult::Mate(game, ..) => *game == id,
        JobResult::LastMove(bar, ..) => model.bar(*bar).game() == id,
    }
}

/// Returns a game with the only right values of its positions as comments.
fn evaluated_game() -> String {
    let mut history = History::from_usi("startpos").unwrap();
    let mut text = format!(
        "手数----指手---------消費時間--\n**評価値={}\n",
        value_of(&history)
    );
    for (number, (usi, kif)) in [
        ("7g7f", "７六歩(77)"),
        ("3c3d", "３四歩(33)"),
        ("2g2f", "２六歩(27)"),
        ("8c8d", "８四歩(83)"),
    ]
    .iter()
    .enumerate()
    {
        history
            .play(shogibar_shogi::Move::from_usi(usi).unwrap())
            .unwrap();
        text += &format!("{} {kif}\n**評価値={}\n", number + 1, value_of(&history));
    }
    text
}

impl ModelSimulation {
    /// Lets a job that runs or has ended report. `what` decides whether it reports twice, or could not be started.
    pub(super) fn finish_job(&mut self, nth: usize, what: u8) {
        let count = self.jobs.running.len() + self.jobs.ended.len();
        let Some(nth) = nth.checked_rem(count) else { return };
        let has_ended = nth >= self.jobs.running.len();
        let job = if has_ended {
            self.jobs.ended.remove(nth - self.jobs.running.len())
        } else {
            self.jobs.running.remove(nth)
        };
        if what.is_multiple_of(8) && !has_ended {
            return self.handle(AppEvent::JobFailed(job));
        }
        if self.fault == Fault::LosesResults {
            return;
        }
        let times = if what.is_multiple_of(3) { 2 } else { 1 };
        for result in results(&job).into_iter().flat_map(|result| vec![result; times]) {
            self.handle(AppEvent::JobResult(result));
        }
    }

    pub(super) fn paste_evaluated_game(&mut self) {
        self.add_unsaved(AppAction::PasteText(evaluated_game()));
    }

    pub(super) fn ask_for_mate(&mut self) {
        let history = Arc::clone(self.page().history());
        self.act(AppAction::Ask(Some(Inquiry::new(InquiryKind::Mate, history))));
    }

    /// Returns the guarantee about jobs that is broken, if any.
    pub(super) fn job_problem(&self) -> Option<&'static str> {
        let page = self.model.study_game();
        for (id, game) in self.model.games() {
            let waits = game
                .inquiry()
                .is_some_and(|asked| asked.is_built_in && asked.answer.is_none());
            if waits && !self.jobs.runs(|job| matches!(job, Job::Mate(of, _) if *of == id)) {
                return Some("a question waits for no search");
            }
            if id != page || !self.model.is_study_open {
                continue;
            }
            let is_searched = |node: NodeId| {
                self.jobs.runs(|job| {
                    matches!(job, Job::Reasons(of, request) if *of == id && request.nodes.contains(&node))
                })
            };
            let mut line = game.document().line().iter();
            if line.any(|node| game.insight().awaits_reason(*node) && !is_searched(*node)) {
                return Some("a move waits for a reason that nobody searches");
            }
        }
        None
    }
}
