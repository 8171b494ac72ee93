//! The guarantees of the model, on random histories of events. The simulation has files, slow threads and engines.
//!
//! `.ci/histories 10000 guarantees_hold` runs 10,000 others.

mod borrowed;
mod engine_games;
mod jobs;
mod offered;
mod opening;
mod outputs;
mod relays;
mod shown;
mod sources;
mod starts;
mod step;

use super::*;
use crate::outputs::OutputId;
use crate::pages::{ObsPagesContent, ObsPagesRecorder};
use crate::record_file::{
    Disk, FileEffect, FileEvent, FileTask, RequestNumber, SaveConflict, SaveJob, SaveOutcome, SaveRefusal,
    UnsavedRecord,
};
use proptest::prelude::*;
use shogibar_config::ModelCommand;
use shogibar_engine::observer::{Candidate, SearchInfo, SearchStats};
use shogibar_engine::session::SearchResult;
use shogibar_files::FileStamp;
use shogibar_games::RecordRemark;
use shogibar_games::bar::{BarInput, BarView};
use shogibar_games::study::{DocumentEdit, UnsavedAnswer};
use shogibar_kifu::NodeId;
use shogibar_live::LiveAddress;
use shogibar_shogi::History;
use shogibar_shogi::score::{Value, WinRateModel};
use shown::may_be_shown;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash as _, Hasher as _};
use std::path::Path;
use std::sync::Arc;
use step::{HistoryStep, file_step, step};

const FILES: [&str; 4] = ["/a.kifu", "/b.kif", "/c.csa", "/d.sfen"];
const ENGINES: [&str; 3] = ["x", "y", "z"];

/// A fault that is planted into the simulation, to show that the test detects it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    None,
    /// An engine keeps its old target after a change of position.
    KeepsTarget,
    /// A change is not autosaved.
    ForgetsAutosave,
    /// The autosave copy of several pasted games has only one.
    ForgetsGames,
    /// A save is not answered.
    LosesAnswer,
    /// A failed save is reported as a success.
    HidesFailure,
    /// The answer to an old request is taken for the answer to the newest.
    ConfusesRequests,
    /// The questions about unsaved changes are answered without the user.
    AnswersItself,
    /// An event of a game's file is taken for one of another game.
    ConfusesGames,
    /// An engine continues after its bar is closed.
    KeepsEngine,
    /// An engine's value of the position before is reported under the present one.
    MovesValues,
    /// A bar continues to show the values of another position.
    KeepsValues,
    /// The OBS pages are only notified of values.
    KeepsObsPages,
    /// A relay's game is taken for that of another one.
    ConfusesRelays,
    /// A source's game is taken for that of another one.
    ConfusesSources,
    /// A game that is opened is shown on the bar on air.
    ShowsOpened,
    /// A question is asked on the bar on air.
    ShowsQuestion,
    /// A message is shown on the bar on air.
    ShowsMessage,
    /// A bar on air shows the next game once its own is closed.
    ShowsNext,
    /// A new or pasted record replaces that of a game on air.
    ReplacesRecord,
    /// The pages follow the study page while they are open.
    PagesFollow,
    /// A locked bar shows another game by a command that does not unlock it.
    IgnoresLock,
    /// A lock is lost at a restart.
    ForgetsLock,
    /// A command for one output is carried out for another.
    ConfusesOutputs,
    /// Outputs show the newest position in spite of a delay.
    IgnoresDelay,
    /// A job has no results.
    LosesResults,
}

#[derive(Clone, Debug, Default)]
struct DiskFile {
    bytes: Vec<u8>,
    version: u64,
    is_broken: bool,
}

struct ModelSimulation {
    model: AppModel,
    disk: BTreeMap<PathBuf, DiskFile>,
    versions: u64,
    waiting_effects: Vec<AppEffect>,
    jobs: jobs::TestJobs,
    watched_files: BTreeMap<GameId, (RequestNumber, PathBuf, Option<FileStamp>)>,
    autosave_copies: BTreeMap<GameId, UnsavedRecord>,
    targets: BTreeMap<EngineId, Option<SearchTarget>>,
    searched_positions: BTreeMap<EngineId, Arc<History>>,
    are_engines_broken: bool,
    relays: Vec<relays::TestRelay>,
    /// The running sources, in order of their start.
    sources: Vec<sources::TestSource>,
    fault: Fault,
    /// The revisions whose changes the user has discarded.
    discarded_revisions: BTreeSet<u64>,
    pages: ObsPagesRecorder,
    on_pages: ObsPagesContent,
    /// The first guarantee that was broken, in words.
    problem: Option<String>,
    /// The time since the start.
    now: Duration,
}

const GAME: &str = "1 ７六歩(77)\n2 ３四歩(33)\n";

/// Positions that no engine searches: without a king, and with two pawns on a file.
const UNSEARCHABLE_POSITIONS: [&str; 2] = [
    "sfen 4k4/9/4P4/9/9/9/9/9/9 b G 1",
    "sfen 4k4/9/9/4P4/9/4P4/9/9/4K4 b - 1",
];

/// Returns the only right value of a position, in centipawns.
fn value_of(history: &History) -> i32 {
    let mut hasher = DefaultHasher::new();
    history.usi().hash(&mut hasher);
    i32::try_from(hasher.finish() % 1900).unwrap() + 1
}

/// Returns the content of a file at the start: a game in progress, a finished game, several games, or a variation.
fn start_bytes(nth: u8) -> Vec<u8> {
    match nth {
        1 => [bytes(nth), "3 投了\n".as_bytes().to_vec()].concat(),
        3 => format!("{}\n", UNSEARCHABLE_POSITIONS[0]).into_bytes(),
        2 => b"V2.2\nPI\n+\n+7776FU\n-3334FU\n%TORYO\n/\nPI\n+\n+2726FU\n".to_vec(),
        _ => bytes(nth),
    }
}

/// The moves of another game, which another program may write into a file.
const OTHER_GAME: &str = "1 ５六歩(57)\n2 ５四歩(53)\n3 ５八飛(28)\n4 ５二飛(82)\n";

/// Returns the content of a file: a game with a comment of this number.
fn bytes(content: u8) -> Vec<u8> {
    let game = if content < 170 { GAME } else { OTHER_GAME };
    format!("手数----指手---------消費時間--\n*{content}\n{game}").into_bytes()
}

impl Disk for BTreeMap<PathBuf, DiskFile> {
    fn exists(&self, path: &Path) -> bool {
        self.contains_key(path)
    }

    fn stamp(&self, path: &Path) -> Option<FileStamp> {
        self.get(path).map(|file| FileStamp {
            size: 1,
            modified: file.version,
        })
    }

    fn is_same(&self, one: &Path, other: &Path) -> bool {
        one == other
    }
}

impl ModelSimulation {
    fn new(fault: Fault) -> Self {
        Self::with_stored(fault, StoredFiles::default())
    }

    fn with_stored(fault: Fault, stored: StoredFiles) -> Self {
        let mut disk = BTreeMap::new();
        for (version, name) in (0..).zip(FILES) {
            disk.insert(
                PathBuf::from(name),
                DiskFile {
                    bytes: start_bytes(version),
                    version: version.into(),
                    is_broken: false,
                },
            );
        }
        let stored = StoredFiles {
            autosave_folder: Some(starts::AUTOSAVE_FOLDER.into()),
            ..stored
        };
        let mut model = AppModel::new(Lang::En, stored, ModelOptions::default());
        model.update(model.changed_settings(|settings| settings.fills_graph = true));
        let info = EngineInfo {
            name: ENGINES[0].to_owned(),
            is_profile: true,
            candidates: 1,
            threads: 1,
            relay: None,
        };
        let (id, target) = model.add_engine(model.study_bar(), info);
        Self {
            model,
            disk,
            versions: 100,
            waiting_effects: Vec::new(),
            jobs: jobs::TestJobs::default(),
            watched_files: BTreeMap::new(),
            autosave_copies: BTreeMap::new(),
            targets: BTreeMap::from([(id, Some(target))]),
            searched_positions: BTreeMap::new(),
            are_engines_broken: false,
            relays: Vec::new(),
            sources: Vec::new(),
            fault,
            discarded_revisions: BTreeSet::new(),
            pages: ObsPagesRecorder::default(),
            on_pages: ObsPagesContent::default(),
            problem: None,
            now: Duration::ZERO,
        }
    }

    /// Stores a broken guarantee, unless one is stored already.
    fn fail(&mut self, why: &str) {
        self.problem.get_or_insert_with(|| why.to_owned());
    }

    fn page(&self) -> &Game {
        self.model.game(self.model.study_game())
    }

    /// Applies an event, begins its effects, and checks the guarantees.
    fn handle(&mut self, event: AppEvent) {
        let unsaved = |(id, game): (GameId, &Game)| {
            let document = game.document();
            let revisions = (document.first_revision(), document.revision());
            game.is_unsaved()
                .then(|| (id, revisions, document.shared_record(), starts::live_game(game)))
        };
        let before: Vec<_> = self.model.games().filter_map(unsaved).collect();
        let saved = match &event {
            AppEvent::File(id, FileEvent::Saved { result: Ok(_), .. }) => Some(*id),
            _ => None,
        };
        match &event {
            AppEvent::Action(_, AppAction::Answer(game, UnsavedAnswer::Discard))
                if self.model.game(*game).file().has_question() =>
            {
                self.discarded_revisions
                    .insert(self.model.game(*game).document().revision());
            }
            AppEvent::Action(_, AppAction::Answer(_, UnsavedAnswer::DiscardAll))
                if self.model.quit_revisions.is_some() =>
            {
                self.discarded_revisions
                    .extend(self.model.games().map(|(_, game)| game.document().revision()));
            }
            _ => {}
        }
        let is_value = matches!(event, AppEvent::Snapshot(..));
        self.now += Duration::from_secs(1);
        self.model.set_time(self.now);
        let shown = self.outputs_on_air(&event);
        let planted = outputs::PlantedOutputFault::new(self, &event);
        let mut effects = self.model.update(event);
        effects.extend(planted.plant(&mut self.model));
        self.check_outputs(&shown);
        self.update_pages(is_value);
        self.begin_all(effects);
        for (id, (first, revision), record, live) in before {
            let game = self.model.game(id);
            // A source may take moves back, which opens the record anew. The live game is then the same, and nothing is
            // lost.
            let is_the_same = live.is_some() && live == starts::live_game(game);
            let is_gone =
                game.document().first_revision() != first && !is_the_same || self.model.is_quitting();
            let is_kept = self
                .autosave_copies
                .values()
                .any(|unsaved| unsaved.games.contains(&record));
            if is_gone && !is_kept && !self.discarded_revisions.contains(&revision) && saved != Some(id) {
                self.fail(&format!("revision {revision} was lost without an answer"));
            }
        }
        self.check();
    }

    fn begin_all(&mut self, effects: Vec<AppEffect>) {
        for effect in effects {
            self.begin(effect);
        }
    }

    /// Carries out an effect, or adds it to the effects that wait for their thread.
    fn begin(&mut self, effect: AppEffect) {
        match effect {
            AppEffect::File(game, FileEffect::Watch { request, file }) => {
                self.watched_files.remove(&game);
                self.watched_files
                    .extend(file.map(|(path, stamp)| (game, (request, path, stamp))));
            }
            AppEffect::File(game, FileEffect::Autosave(unsaved)) if self.fault != Fault::ForgetsAutosave => {
                self.autosave_copies.remove(&game);
                let forgets = self.fault == Fault::ForgetsGames;
                let unsaved = unsaved.map(|unsaved| {
                    if forgets {
                        starts::with_one_game(unsaved)
                    } else {
                        unsaved
                    }
                });
                self.autosave_copies
                    .extend(unsaved.map(|unsaved| (game, unsaved)));
            }
            AppEffect::CloseFile(game) => {
                self.watched_files.remove(&game);
                self.autosave_copies.remove(&game);
            }
            AppEffect::File(_, FileEffect::Read { .. } | FileEffect::Save { .. })
            | AppEffect::StartEngine { .. } => {
                self.waiting_effects.push(effect);
            }
            AppEffect::Run(job) => self.jobs.start(job),
            AppEffect::Cancel(key) => self.jobs.cancel(key),
            AppEffect::StoreDrillLines(lines) => self.jobs.store(lines),
            AppEffect::SetTarget(..) if self.fault == Fault::KeepsTarget => {}
            AppEffect::SetTarget(id, target) => {
                let before = self
                    .targets
                    .insert(id, Some(target))
                    .flatten()
                    .and_then(|before| before.position);
                self.searched_positions.extend(before.map(|before| (id, before)));
            }
            AppEffect::StartSource(id, ..) => self.sources.push(sources::TestSource::new(id)),
            AppEffect::EndSource(id) => self.sources.retain(|source| source.id != id),
            AppEffect::EndEngine(_) if self.fault == Fault::KeepsEngine => {}
            AppEffect::EndEngine(id) => _ = self.targets.remove(&id),
            _ => {}
        }
    }

    /// Checks the conditions that hold after every event.
    fn check(&mut self) {
        let quits = self.model.is_quitting();
        let is_autosaved = |(id, game): (GameId, &Game)| match self.autosave_copies.get(&id) {
            Some(unsaved) => game.is_unsaved() && unsaved.games.contains(&game.document().shared_record()),
            None => !game.is_unsaved() || quits,
        };
        if !self.model.games().all(is_autosaved) {
            return self.fail("an autosave copy is not the record");
        }
        let edited = self.model.edited_position.as_ref();
        if edited.is_some_and(|(id, position)| {
            !self
                .autosave_copies
                .get(id)
                .is_some_and(|unsaved| unsaved.games[0].start() == &**position)
        }) {
            return self.fail("the position that is being set up has no autosave copy");
        }
        let has_owner =
            |id: &GameId| self.model.has_game(*id) || edited.is_some_and(|(edited, _)| edited == id);
        if !self.autosave_copies.keys().all(has_owner) {
            return self.fail("the autosave copy of a closed game is left");
        }
        if self
            .model
            .games()
            .any(|(_, game)| !game.is_unsaved() && starts::is_read_off_the_screen(game))
        {
            return self.fail("a game off the screen does not count as unsaved");
        }
        let has_game = |entry: &BarEntry| {
            self.model.has_game(entry.bar.game()) || self.model.is_on_air(OutputId::Bar(entry.id))
        };
        if self.model.bars.is_empty() || !self.model.bars.iter().all(has_game) {
            return self.fail("a bar shows no game");
        }
        if !self
            .model
            .bars
            .iter()
            .any(|entry| entry.id == self.model.study_bar())
        {
            return self.fail("the page shows the game of no bar");
        }
        if let Some(why) = self.model.bars.iter().find_map(|entry| self.problem_of(entry)) {
            return self.fail(why);
        }
        if let Some(problem) = self.study_problem() {
            return self.fail(&problem);
        }
        let running: BTreeSet<_> = self
            .model
            .bars
            .iter()
            .flat_map(|entry| entry.bar.managed_engines())
            .map(|engine| engine.id)
            .collect();
        let has_other_use = |id: &EngineId| self.model.is_fill_engine(*id) || self.model.is_player(*id);
        if self
            .targets
            .keys()
            .any(|id| !running.contains(id) && !has_other_use(id))
        {
            return self.fail("an engine runs for no bar");
        }
        if let Some(why) = self.job_problem() {
            return self.fail(why);
        }
        if let Some(why) = self.engine_game_problem() {
            return self.fail(why);
        }
        let is_known = |source: &sources::TestSource| {
            let mut sources = self.model.games.iter().filter_map(|(_, game)| game.source());
            sources.any(|known| known.id == source.id) || self.model.clipboard == Some(source.id)
        };
        if !self.sources.iter().all(is_known) {
            self.fail("a source runs for no game");
        }
    }

    /// Returns the guarantee that a bar breaks, if any.
    fn problem_of(&self, entry: &BarEntry) -> Option<&'static str> {
        if !self.model.has_game(entry.bar.game()) {
            return None;
        }
        let game = self.model.game(entry.bar.game());
        let target = entry.bar.search_target(game);
        let has_target = |id: &EngineId| {
            self.targets
                .get(id)
                .is_some_and(|known| known.as_ref() == Some(&target))
        };
        if !entry.bar.managed_engines().all(|engine| has_target(&engine.id)) {
            return Some("an engine has another target than its bar");
        }
        let view = self.view(entry, game);
        let is_right = view.evaluation == format!("+{}", value_of(game.history()));
        if !view.is_stale && !view.evaluation.is_empty() && !is_right
            || !may_be_shown(&view, &entry.bar, game)
        {
            return Some("a value is shown under another position");
        }
        None
    }

    fn view(&self, entry: &BarEntry, game: &Game) -> BarView {
        if self.fault == Fault::KeepsValues {
            let input = BarInput {
                engines: entry
                    .bar
                    .engines()
                    .iter()
                    .map(|engine| engine.report.clone())
                    .collect(),
                ..entry.bar.input(game)
            };
            return input.view(None, Lang::En);
        }
        self.model.private_view(entry.id)
    }

    /// Lets an engine report a value of the position that it searches.
    fn report_value(&mut self, nth: usize) {
        let searching = self
            .targets
            .iter()
            .filter_map(|(id, target)| Some((*id, target.as_ref()?.position.clone()?)));
        let Some((id, history)) = searching.collect::<Vec<_>>().into_iter().nth(nth) else {
            return;
        };
        let before = if self.fault == Fault::MovesValues {
            self.searched_positions.get(&id)
        } else {
            None
        };
        let value = value_of(before.unwrap_or(&history));
        let pv = history.now().legal_moves().into_iter().take(1).collect();
        let best = Candidate {
            rank: 1,
            value: Value::Cp(value),
            bound: None,
            depth: Some(9),
            pv,
        };
        let (searched, is_fill) = (Arc::clone(&history), self.model.is_fill_engine(id));
        let search_info = SearchInfo {
            history,
            candidates: vec![best],
            stats: SearchStats::default(),
        };
        let snapshot = Snapshot {
            search_info: Some(search_info),
            multipv: 1,
            ..Snapshot::default()
        };
        let result = is_fill.then_some(SearchResult {
            history: searched,
            best_move: None.into(),
        });
        self.handle(AppEvent::Snapshot(id, Box::new(Snapshot { result, ..snapshot })));
    }

    /// Lets a thread finish its work.
    fn finish(&mut self, index: usize) {
        if self.waiting_effects.is_empty() {
            return;
        }
        let index = index % self.waiting_effects.len();
        match self.waiting_effects.remove(index) {
            AppEffect::File(game, FileEffect::Read { request, path }) => {
                let request = if self.fault == Fault::ConfusesRequests {
                    self.newest_request(request)
                } else {
                    request
                };
                let game = if self.fault == Fault::ConfusesGames {
                    self.model.study_game()
                } else {
                    game
                };
                let stamp = self.disk.stamp(&path);
                let file = self.disk.get(&path).filter(|file| !file.is_broken);
                let result = file.and_then(|file| shogibar_kifu::read(&file.bytes).ok());
                let result = result.ok_or_else(|| Box::new(RecordRemark::NothingToPaste.into()));
                let first = self.model.game(game).document().first_revision();
                self.handle(AppEvent::File(
                    game,
                    FileEvent::Read {
                        request,
                        result,
                        stamp,
                    },
                ));
                let is_shown =
                    self.model.has_game(game) && self.model.game(game).document().first_revision() != first;
                let is_own = self.model.game(game).file().path() == Some(&path)
                    || path.starts_with(starts::AUTOSAVE_FOLDER);
                if is_shown && !is_own {
                    self.fail("the record of another file is shown");
                }
            }
            AppEffect::File(game, FileEffect::Save { request, job }) => {
                let result = self.save(*job);
                if self.fault != Fault::LosesAnswer {
                    self.handle(AppEvent::File(game, FileEvent::Saved { request, result }));
                }
            }
            AppEffect::StartEngine { id, name, .. } => {
                let info = EngineInfo {
                    name,
                    is_profile: true,
                    candidates: 1,
                    threads: 1,
                    relay: None,
                };
                let result = if self.are_engines_broken {
                    Err("broken".to_owned().into())
                } else {
                    Ok(info)
                };
                if result.is_ok() {
                    self.targets.insert(id, None);
                }
                self.handle(AppEvent::EngineStarted(id, result));
            }
            other => panic!("{other:?}"),
        }
    }

    fn newest_request(&self, request: RequestNumber) -> RequestNumber {
        let waiting = self.waiting_effects.iter().filter_map(|effect| match effect {
            AppEffect::File(_, FileEffect::Read { request, .. }) => Some(*request),
            _ => None,
        });
        waiting.chain([request]).max().unwrap_or(request)
    }

    /// Writes a prepared save, as `effects::files` does.
    fn save(&mut self, job: SaveJob) -> Result<SaveOutcome, SaveRefusal> {
        let Some(prepared) = job.prepare(&self.disk)? else {
            return Ok(SaveOutcome::Nothing);
        };
        let path = prepared.path().to_owned();
        let is_broken = self.disk.get(&path).is_some_and(|file| file.is_broken);
        if is_broken && self.fault != Fault::HidesFailure {
            return Err(SaveRefusal::Failed(RecordRemark::NothingToSave));
        }
        if !is_broken {
            self.versions += 1;
            let file = DiskFile {
                bytes: prepared.bytes().to_vec(),
                version: self.versions,
                is_broken: false,
            };
            self.disk.insert(path.clone(), file);
        }
        let is_written = self
            .disk
            .get(&path)
            .is_some_and(|file| file.bytes == prepared.bytes());
        let saved = prepared.into_outcome(self.disk.stamp(&path));
        if matches!(saved, SaveOutcome::Record { .. }) && !is_written {
            self.fail("a save was reported, and the file is another");
        }
        Ok(saved)
    }

    /// Reports the changes of the watched files.
    fn watch(&mut self) {
        for (game, (request, path, known)) in self.watched_files.clone() {
            let stamp = self.disk.stamp(&path);
            let Some(file) = self
                .disk
                .get(&path)
                .filter(|file| !file.is_broken && stamp != known)
            else {
                continue;
            };
            let Ok(games) = shogibar_kifu::read(&file.bytes) else {
                continue;
            };
            self.watched_files.insert(game, (request, path, stamp));
            self.handle(AppEvent::File(
                game,
                FileEvent::Changed {
                    request,
                    games,
                    stamp,
                },
            ));
        }
    }

    /// Returns the identity of the bar with this index, or of the study bar if there is none.
    fn bar(&self, nth: usize) -> BarId {
        self.model
            .bars
            .get(nth)
            .map_or_else(|| self.model.study_bar(), |entry| entry.id)
    }

    /// Returns the id of the game with this index, or of that on the study page if there is none.
    fn game(&self, nth: usize) -> GameId {
        self.model
            .games()
            .nth(nth)
            .map_or_else(|| self.model.study_game(), |(id, _)| id)
    }

    fn set(&mut self, change: impl FnOnce(&mut ModelSettings)) {
        self.handle(self.model.changed_settings(change));
    }

    /// Applies an action on the bar of the study page.
    fn act(&mut self, action: AppAction) {
        self.act_on(self.model.study_bar(), action);
    }

    /// Applies an action on a bar.
    fn act_on(&mut self, bar: BarId, action: AppAction) {
        self.handle(AppEvent::Action(bar, action));
        let is_asking = self.page().file().is_asking();
        if self.fault == Fault::AnswersItself && is_asking && self.page().is_unsaved() {
            // The user is not asked, so this is not recorded.
            let answer = AppAction::Answer(self.model.study_game(), UnsavedAnswer::Discard);
            let (first, game) = (self.page().document().first_revision(), self.model.study_game());
            let effects = self
                .model
                .update(AppEvent::Action(self.model.study_bar(), answer));
            self.begin_all(effects);
            if self.model.is_quitting() || self.model.game(game).document().first_revision() != first {
                self.fail("a question was answered by nobody");
            }
        }
    }

    fn step(&mut self, step: HistoryStep) {
        let file = |index: usize| PathBuf::from(FILES[index]);
        match step {
            HistoryStep::Edit(content) => {
                self.act(AppAction::Edit(DocumentEdit::SetComment(
                    NodeId::START,
                    content.to_string(),
                )));
            }
            HistoryStep::Undo => self.act(AppAction::run(ModelCommand::Undo)),
            HistoryStep::Walk(moves) => self.act(AppAction::Step(moves)),
            HistoryStep::Open(index) => self.act(AppAction::OpenFile(file(index))),
            HistoryStep::OpenAll => {
                self.act(AppAction::OpenAddresses(
                    FILES.map(|file| LiveAddress::Path(file.into())).to_vec(),
                ));
            }
            HistoryStep::SelectGame(at) => self.act(AppAction::SelectGame(at)),
            HistoryStep::SetUp(nth) => self.set_up(nth),
            HistoryStep::EditPosition(edits) => self.edit_position(edits),
            HistoryStep::Kill => self.kill(),
            HistoryStep::New => self.act(AppAction::run(ModelCommand::New)),
            HistoryStep::Paste(index) => {
                self.add_unsaved(AppAction::PasteText(starts::PASTED_TEXTS[index].to_owned()));
            }
            HistoryStep::Save => self.act(AppAction::SaveFile),
            HistoryStep::SaveAs(index) => self.act(AppAction::SaveTo(file(index))),
            HistoryStep::SaveChecked(index) => self.act(AppAction::SaveChecked(file(index))),
            HistoryStep::Answer(answer) => self.act(AppAction::Answer(self.model.study_game(), answer)),
            HistoryStep::Recover(recovers) => self.act(AppAction::Recover(recovers)),
            HistoryStep::Quit => self.act(AppAction::RequestQuit),
            HistoryStep::AddGame => self.act(AppAction::run(ModelCommand::AddGame)),
            HistoryStep::CloseGame(nth) => self.act(AppAction::Close(self.game(nth))),
            HistoryStep::ShowInStudy(nth) => self.act(AppAction::ShowInStudy(self.game(nth))),
            HistoryStep::Show(bar, game) => self.act_on(self.bar(bar), AppAction::Show(self.game(game))),
            HistoryStep::NextGame(offset) => {
                let command = if offset < 0 {
                    ModelCommand::PreviousGame
                } else {
                    ModelCommand::NextGame
                };
                self.act(AppAction::Run(command, offset.abs()));
            }
            HistoryStep::AddBar => self.act(AppAction::run(ModelCommand::AddBar)),
            HistoryStep::CloseBar(nth) => self.act_on(self.bar(nth), AppAction::run(ModelCommand::CloseBar)),
            HistoryStep::Pause(bar) => self.act_on(self.bar(bar), AppAction::run(ModelCommand::Pause)),
            HistoryStep::Hide(bar) => self.act_on(self.bar(bar), AppAction::run(ModelCommand::Hide)),
            HistoryStep::HideAll => self.act(AppAction::HideAll),
            HistoryStep::Engine(bar, index) => {
                self.act_on(self.bar(bar), AppAction::ReplaceEngine(ENGINES[index].to_owned()));
            }
            HistoryStep::ToggleEngine(bar, index) => {
                self.act_on(
                    self.bar(bar),
                    AppAction::ToggleSecondEngine(ENGINES[index].to_owned()),
                );
            }
            HistoryStep::Value(nth) => self.report_value(nth),
            HistoryStep::Restart => self.restart(),
            HistoryStep::WriteElsewhere(index, content) => {
                self.versions += 1;
                let version = self.versions;
                self.disk.insert(
                    file(index),
                    DiskFile {
                        bytes: bytes(content),
                        version,
                        is_broken: false,
                    },
                );
            }
            HistoryStep::Break(index) => {
                if let Some(file) = self.disk.get_mut(&file(index)) {
                    file.is_broken = !file.is_broken;
                }
            }
            HistoryStep::PlayEngine(what) => self.play_engine(what),
            HistoryStep::Finish(index) => self.finish(index),
            HistoryStep::Job(step) => self.job_step(step),
            HistoryStep::Watch => self.watch(),
            HistoryStep::RelayConnect(shares_bar) => self.connect_relay(shares_bar),
            HistoryStep::RelayGo(nth, what) => self.change_relay(nth, what),
            HistoryStep::RelayEnd(nth) => self.end_relay(nth),
            HistoryStep::SourceOpen(nth) => self.act(AppAction::OpenAddresses(vec![sources::address(nth)])),
            HistoryStep::SourceGo(nth, what) => self.continue_source(nth, what),
            HistoryStep::SourceState(nth, what) => self.change_source_state(nth, what),
            HistoryStep::Clipboard(watches) => self.set(|settings| settings.watches_clipboard = watches),
            HistoryStep::HandOver(index) => {
                let request = OpenRequest {
                    addresses: vec![LiveAddress::Path(file(index))],
                    ..OpenRequest::default()
                };
                self.handle(AppEvent::HandedOver(request));
            }
            HistoryStep::Output(output, what) => self.command_output(output, what),
            HistoryStep::Pages(what) => self.open_pages(what),
            HistoryStep::Wait(seconds) => self.wait(seconds),
            HistoryStep::BreakEngines(are_broken) => self.are_engines_broken = are_broken,
        }
    }

    /// Runs a history. Returns the first guarantee that was broken, if any.
    fn run(mut self, steps: Vec<HistoryStep>) -> Option<String> {
        for step in steps {
            if self.model.is_quitting() || self.problem.is_some() {
                break;
            }
            self.step(step);
        }
        // At the end every thread answers, the oldest first.
        for _ in 0..1000 {
            if self.waiting_effects.is_empty() || self.model.is_quitting() || self.problem.is_some() {
                break;
            }
            self.finish(0);
        }
        for _ in 0..1000 {
            if self.jobs.are_done() || self.model.is_quitting() || self.problem.is_some() {
                break;
            }
            self.finish_job(0, 2);
        }
        if let Some(why) = self.unanswered_query().or_else(|| self.lost_card()) {
            self.fail(why);
        }
        if !self.model.is_quitting() && self.problem.is_none() {
            let is_open =
                |task: &FileTask| matches!(task, FileTask::Opening { .. } | FileTask::Saving { .. });
            let mut games = self.model.games();
            if games.any(|(_, game)| is_open(game.file().task())) || self.model.is_starting_engine() {
                drop(games);
                self.fail("something waits for an answer that never comes");
            }
        }
        self.problem
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(ProptestConfig::default().cases.max(100)))]
    #[test]
    fn guarantees_hold_on_random_histories(steps in proptest::collection::vec(step(), 1..60)) {
        prop_assert_eq!(ModelSimulation::new(Fault::None).run(steps), None);
    }

    #[test]
    fn guarantees_hold_on_random_histories_of_files(steps in proptest::collection::vec(file_step(), 1..30)) {
        prop_assert_eq!(ModelSimulation::new(Fault::None).run(steps), None);
    }
}

/// Returns the histories that were found to break a guarantee.
#[expect(clippy::too_many_lines, reason = "a list")]
fn known_histories() -> Vec<Vec<HistoryStep>> {
    use HistoryStep::{
        AddGame, Answer, Break, CloseGame, Edit, Finish, HandOver, NextGame, Open, OpenAll, Output, Pages,
        Paste, PlayEngine, RelayConnect, RelayEnd, RelayGo, Restart, Save, SaveAs, SaveChecked, SelectGame,
        SetUp, ShowInStudy, SourceGo, SourceOpen, SourceState, Undo, Watch, WriteElsewhere,
    };
    vec![
        // A scan that is cancelled while its progress is on the way.
        vec![
            HistoryStep::Job(jobs::JobStep::StudyOpen(true)),
            HistoryStep::Job(jobs::JobStep::Shelf(5)),
            HistoryStep::Job(jobs::JobStep::Shelf(0)),
            HistoryStep::Job(jobs::JobStep::Finish(0, 1)),
        ],
        vec![Edit(0), SaveAs(1), CloseGame(2), Open(3), SaveChecked(2)],
        vec![Open(2), ShowInStudy(0), Finish(1), SaveChecked(2)],
        vec![
            CloseGame(0),
            OpenAll,
            Break(0),
            WriteElsewhere(0, 0),
            ShowInStudy(2),
            SaveChecked(1),
        ],
        vec![SourceOpen(0), Edit(0), SourceState(0, 57)],
        // Another game in the file of a locked bar.
        vec![
            Open(0),
            Finish(0),
            Output(0, 0),
            WriteElsewhere(0, 200),
            Watch,
            Finish(0),
        ],
        vec![
            SaveAs(1),
            Output(0, 10),
            Finish(0),
            PlayEngine(146),
            WriteElsewhere(1, 0),
            Watch,
        ],
        // The user's word about a further game of a file.
        vec![
            Paste(4),
            SaveAs(0),
            SelectGame(1),
            Finish(0),
            Output(0, 159),
            Restart,
        ],
        vec![
            Save,
            SourceOpen(0),
            HistoryStep::AddBar,
            RelayConnect(false),
            RelayGo(0, 128),
            HistoryStep::EditPosition(false),
            HandOver(0),
            HistoryStep::Value(0),
            RelayConnect(true),
            HistoryStep::Pause(0),
            Finish(0),
            Finish(0),
            Finish(0),
            CloseGame(2),
            Output(1, 50),
            RelayGo(1, 27),
        ],
        vec![
            OpenAll,
            Finish(0),
            Finish(0),
            Undo,
            Finish(0),
            Finish(0),
            WriteElsewhere(0, 170),
            CloseGame(1),
            Output(0, 107),
            Restart,
        ],
        vec![
            PlayEngine(18),
            Pages(1),
            SaveAs(0),
            Paste(0),
            Restart,
            Output(0, 87),
            Finish(0),
            Output(0, 224),
        ],
        // A delayed position whose moves were taken back, and a game of the desk without a file.
        vec![
            PlayEngine(162),
            Output(2, 30),
            Paste(0),
            Output(0, 27),
            Edit(0),
            Edit(0),
            ShowInStudy(0),
            Undo,
            AddGame,
            Restart,
        ],
        vec![SetUp(0), Save, Pages(60), Restart],
        // A file that another program has written while its game is followed from an address.
        vec![
            SourceOpen(0),
            SaveChecked(2),
            Finish(0),
            SourceGo(0, 0),
            Answer(UnsavedAnswer::Save),
            SelectGame(0),
            Finish(0),
            WriteElsewhere(2, 0),
            Restart,
        ],
        // A delayed game, and a page that is open on a game without a source.
        vec![
            Output(0, 190),
            Edit(0),
            Save,
            PlayEngine(210),
            Output(0, 57),
            Restart,
        ],
        vec![Pages(5), AddGame, SourceOpen(0), Restart],
        vec![PlayEngine(112), Pages(146), CloseGame(1), Restart],
        vec![
            SelectGame(0),
            RelayConnect(false),
            RelayConnect(false),
            Edit(0),
            SourceOpen(0),
            Finish(0),
            AddGame,
            HandOver(0),
            RelayGo(1, 0),
            ShowInStudy(0),
            AddGame,
            AddGame,
            RelayEnd(1),
        ],
        vec![SourceOpen(0), PlayEngine(178), SourceState(0, 41)],
        vec![HandOver(1), NextGame(1), SelectGame(0), Restart],
        vec![HandOver(1), CloseGame(2), SaveChecked(0), Finish(1), Restart],
    ]
}

#[test]
fn guarantees_hold_on_known_histories() {
    for steps in known_histories() {
        let problem = ModelSimulation::new(Fault::None).run(steps.clone());
        assert_eq!(problem, None, "{steps:?}");
    }
}

#[test]
fn planted_faults_are_detected() {
    use proptest::strategy::ValueTree as _;
    use proptest::test_runner::TestRunner;
    let faults = [
        Fault::KeepsTarget,
        Fault::ForgetsAutosave,
        Fault::ForgetsGames,
        Fault::LosesAnswer,
        Fault::HidesFailure,
        Fault::ConfusesRequests,
        Fault::AnswersItself,
        Fault::ConfusesGames,
        Fault::KeepsEngine,
        Fault::MovesValues,
        Fault::KeepsValues,
        Fault::KeepsObsPages,
        Fault::ConfusesRelays,
        Fault::ConfusesSources,
        Fault::ShowsOpened,
        Fault::ShowsQuestion,
        Fault::ShowsMessage,
        Fault::ShowsNext,
        Fault::ReplacesRecord,
        Fault::PagesFollow,
        Fault::IgnoresLock,
        Fault::ForgetsLock,
        Fault::ConfusesOutputs,
        Fault::IgnoresDelay,
        Fault::LosesResults,
    ];
    for fault in faults {
        let mut runner = TestRunner::deterministic();
        let steps = proptest::collection::vec(step(), 1..60);
        let found = (0..2000).any(|_| {
            let steps = steps.new_tree(&mut runner).unwrap().current();
            ModelSimulation::new(fault).run(steps).is_some()
        });
        assert!(found, "{fault:?}");
    }
}
