//! The jobs of the simulation: their results come in any order, late or twice, and some jobs cannot be started.

use super::*;
use crate::action::{DrillAction, ShownShelf};
use crate::jobs::{Job, JobKey, JobResult};
use shogibar_config::VideoPace;
use shogibar_engine::session::MateOutcome;
use shogibar_facts::{Fact, FactKind, FactPosition};
use shogibar_games::analysis::MoveReason;
use shogibar_games::move_facts::MoveFacts;
use shogibar_games::position_facts::PositionFacts;
use shogibar_games::study::{CardId, DrillCard, DrillDeck, DrillLine, Inquiry, InquiryKind};
use shogibar_shelf::{ShelfAnswer, ShelfCounts, ShelfKey, ShelfQuery, ShelfUpdate};

/// The number of ended jobs whose results may still come.
const MAX_ENDED_JOBS: usize = 4;

/// A step that starts jobs, or ends one.
#[derive(Clone, Copy, Debug)]
pub(super) enum JobStep {
    /// A job that runs or has ended reports: the job with this index.
    Finish(usize, u8),
    /// The user opens or closes the study page.
    StudyOpen(bool),
    /// The user pastes a game with evaluations.
    PasteEvaluated,
    /// The user opens or closes the shelf, or chooses its folders.
    Shelf(u8),
    /// The user opens the deck of mistakes, adds or answers a card, or searches a folder.
    Drill(u8),
    /// The user asks whether there is a mate.
    AskForMate,
}

pub(super) fn job_step() -> impl Strategy<Value = JobStep> {
    prop_oneof![
        5 => (0..8_usize, any::<u8>()).prop_map(|(nth, what)| JobStep::Finish(nth, what)),
        2 => any::<bool>().prop_map(JobStep::StudyOpen),
        2 => Just(JobStep::PasteEvaluated),
        2 => any::<u8>().prop_map(JobStep::Shelf),
        3 => any::<u8>().prop_map(JobStep::Drill),
        3 => Just(JobStep::AskForMate),
    ]
}

/// The jobs that were started.
#[derive(Default)]
pub(super) struct TestJobs {
    /// The running jobs, with their numbers.
    running: Vec<(usize, Job)>,
    /// The number of jobs that were started.
    count: usize,
    /// The jobs that were replaced or cancelled. Their last results may already be on the way.
    ended: Vec<Job>,
    /// The deck of mistakes in its file.
    stored_deck: DrillDeck,
    /// The mistakes that the user has added.
    added_cards: BTreeSet<CardId>,
}

impl TestJobs {
    pub(super) fn start(&mut self, job: Job) {
        let key = job.key();
        self.end(|other| other.is_replaced_by(key));
        self.count += 1;
        self.running.push((self.count, job));
    }

    pub(super) fn cancel(&mut self, key: JobKey) {
        self.end(|other| other == key);
    }

    fn end(&mut self, is_ended: impl Fn(JobKey) -> bool) {
        let ended = self.running.extract_if(.., |(_, job)| is_ended(job.key()));
        self.ended.extend(ended.map(|(_, job)| job));
        let surplus = self.ended.len().saturating_sub(MAX_ENDED_JOBS);
        self.ended.drain(..surplus);
    }

    /// Returns whether only jobs are left that begin later.
    pub(super) fn are_done(&self) -> bool {
        self.running.iter().all(|(_, job)| !job.pause().is_zero())
    }

    pub(super) fn store(&mut self, lines: Vec<DrillLine>) {
        for line in lines {
            self.stored_deck.apply(line);
        }
    }

    fn runs(&self, is_it: impl Fn(&Job) -> bool) -> bool {
        self.running.iter().any(|(_, job)| is_it(job))
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
            vec![JobResult::LastMove(*bar, shown.clone(), Box::default())]
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
        Job::ScanShelf(scan) => {
            let counts = ShelfCounts {
                games: scan.folders.len(),
                ..ShelfCounts::default()
            };
            let contents = Ok((counts, ShelfUpdate::default()));
            vec![
                JobResult::ShelfProgress(scan.number, [1, 2]),
                JobResult::ShelfScanned(scan.number, contents, Duration::ZERO),
            ]
        }
        Job::AskShelf(query, version) => {
            vec![JobResult::ShelfAnswer(
                query.clone(),
                *version,
                Ok(ShelfAnswer::default()),
            )]
        }
        Job::ReadDrillDeck => vec![JobResult::DrillDeck(Box::default(), None)],
        Job::CollectMistakes(search) => vec![
            JobResult::MistakeProgress(search.number, [0, 1]),
            JobResult::Mistakes(search.number, vec![card(0)]),
            JobResult::MistakesCollected(search.number, true),
        ],
        Job::MakeVideo(video) => vec![
            JobResult::VideoProgress(video.number, [0, 2]),
            JobResult::VideoMade(video.number, Ok((video.path.clone(), video.number % 2 == 0))),
        ],
    }
}

/// Returns a card whose mistake is the move of a pawn.
fn card(nth: u8) -> DrillCard {
    let file = 1 + nth % 6;
    let line = format!(
        r#"{{"card":{{"position":"startpos","played":"{file}g{file}f","better":["7g7f"],"black":true,"mark":0,
        "rates":[60,40],"tenths":200,"ply":1,"names":["",""]}}}}"#
    );
    match serde_json::from_str(&line).unwrap() {
        DrillLine::Card(card) => card,
        DrillLine::Result { .. } => panic!("{line}"),
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
        _ => false,
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
        let line = format!("{} {kif}\n**評価値={}\n", number + 1, value_of(&history));
        text += &line;
    }
    text
}

impl ModelSimulation {
    /// Lets a job that runs or has ended report. `what` decides whether it reports twice, or could not be started.
    pub(super) fn finish_job(&mut self, nth: usize, what: u8) {
        let jobs = &mut self.jobs;
        let Some(nth) = nth.checked_rem(jobs.running.len() + jobs.ended.len()) else {
            return;
        };
        let times = if what.is_multiple_of(3) { 2 } else { 1 };
        let report = |job: &Job| (0..times).flat_map(|_| results(job)).collect::<Vec<_>>();
        let Some((id, job)) = jobs.running.get(nth) else {
            let job = jobs.ended.remove(nth - jobs.running.len());
            return self.report(report(&job));
        };
        let (id, mut reported) = (*id, report(job));
        if what.is_multiple_of(8) {
            let (_, job) = jobs.running.remove(nth);
            return self.handle(AppEvent::JobFailed(job));
        }
        if self.fault == Fault::LosesResults {
            reported.clear();
        }
        let last = reported.pop();
        self.report(reported);
        self.jobs.running.retain(|(other, _)| *other != id);
        self.report(last);
    }

    fn report(&mut self, results: impl IntoIterator<Item = JobResult>) {
        for result in results {
            self.handle(AppEvent::JobResult(result));
        }
    }

    pub(super) fn job_step(&mut self, step: JobStep) {
        match step {
            JobStep::Finish(nth, what) => self.finish_job(nth, what),
            JobStep::StudyOpen(is_open) => self.act(AppAction::SetStudyOpen(is_open)),
            JobStep::PasteEvaluated => self.add_unsaved(AppAction::PasteText(evaluated_game())),
            JobStep::Shelf(what) => self.act_on_shelf(what),
            JobStep::Drill(what) => self.act_on_drill(what),
            JobStep::AskForMate => {
                let history = Arc::clone(self.page().history());
                self.act(AppAction::Ask(Some(Inquiry::new(InquiryKind::Mate, history))));
            }
        }
    }

    fn act_on_shelf(&mut self, what: u8) {
        match what % 8 {
            // The largest values are for the video.
            _ if what >= 248 => self.act(AppAction::CancelVideo),
            _ if what >= 224 => {
                let game = self.game(usize::from(what));
                self.act(AppAction::MakeVideo(game, PathBuf::from("a.mp4"), VideoPace::Two));
            }
            0 => self.act(AppAction::ShowShelf(ShownShelf::Closed)),
            1 => self.act(AppAction::ShowShelf(ShownShelf::Invalid)),
            2 => self.set(|settings| settings.shelf_folders.clear()),
            3..=4 => self.set(|settings| settings.shelf_folders.push(what.to_string())),
            _ => {
                let key = ShelfKey::from_position(self.page().history().now());
                let query = Box::new(ShelfQuery::new(key, 9));
                self.act(AppAction::ShowShelf(ShownShelf::Query(query)));
            }
        }
    }

    fn act_on_drill(&mut self, what: u8) {
        let card = card(what / 8);
        let action = match what % 8 {
            0..=1 => DrillAction::Open,
            2..=3 => {
                self.jobs.added_cards.insert(card.id());
                DrillAction::Add(vec![card])
            }
            4 => DrillAction::RecordAnswer {
                card: card.id(),
                day: what.into(),
                right: true,
            },
            5 => return self.handle(AppEvent::DrillLinesStored(Some("broken".to_owned().into()))),
            6 => return self.handle(AppEvent::DrillLinesStored(None)),
            _ => DrillAction::Collect {
                folder: PathBuf::new(),
                player_name: String::new(),
            },
        };
        self.act(AppAction::Drill(action));
    }

    /// Returns the broken guarantee that the deck has the mistakes that were added, once all jobs are done.
    pub(super) fn lost_card(&self) -> Option<&'static str> {
        let drill = self.model.drill();
        let is_done = drill.is_open() && self.jobs.are_done() && !self.model.is_quitting();
        let has_all = drill.deck.len() >= self.jobs.added_cards.len();
        (is_done && !has_all).then_some("the deck has lost a mistake")
    }

    /// Returns the broken guarantee that the shelf has answered its query, once all jobs are done.
    pub(super) fn unanswered_query(&self) -> Option<&'static str> {
        let state = self.model.shelf();
        let ShownShelf::Query(query) = state.shown() else {
            return None;
        };
        let expects_answer = self.model.is_study_open && !self.model.settings.shelf_folders.is_empty();
        let is_answered = state
            .answer
            .as_ref()
            .is_some_and(|(answered, _)| *answered == **query);
        let is_excused = state.problem().is_some() || self.model.is_quitting() || !self.jobs.are_done();
        (expects_answer && !is_answered && !is_excused).then_some("a query of the shelf has no answer")
    }

    /// Returns the guarantee about jobs that is broken, if any.
    pub(super) fn job_problem(&self) -> Option<&'static str> {
        if self.model.shelf().reading.is_some() && !self.jobs.runs(|job| matches!(job, Job::ScanShelf(_))) {
            return Some("nothing is scanned for the shelf");
        }
        let runs_video = self.jobs.runs(|job| matches!(job, Job::MakeVideo(_)));
        if self.model.video().progress().is_some() && !runs_video {
            return Some("no video is written");
        }
        let drill = self.model.drill();
        let runs_collection = self.jobs.runs(|job| matches!(job, Job::CollectMistakes(_)));
        if drill.collected_files.is_some() && !runs_collection {
            return Some("no folder is searched for mistakes");
        }
        if drill.deck != self.jobs.stored_deck {
            return Some("a line of the deck is not stored");
        }
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
