//! The guarantees of the model, on random histories of events. The test's world has files, slow threads and engines.
//!
//! `PROPTEST_CASES=20000 cargo test --lib -- model::tests` runs as many histories.

use super::*;
use crate::app::record_file::{Disk, FileTask, SaveJob, SaveRefusal, Saved};
use crate::files::FileStamp;
use crate::kifu::NodeId;
use crate::text::Lang;
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A step of a history.
#[derive(Clone, Copy, Debug)]
enum Step {
    /// The user changes the record.
    Edit(u8),
    Undo,
    Walk(i32),
    Open(usize),
    OpenAll,
    SelectGame(usize),
    New,
    Save,
    SaveAs(usize),
    SaveChecked(usize),
    Answer(UnsavedAnswer),
    Recover(bool),
    Quit,
    Pause,
    Hide,
    Engine(usize),
    ToggleEngine(usize),
    /// Another program writes a file.
    WriteElsewhere(usize, u8),
    /// A file cannot be read or written from now on, or can be again.
    Break(usize),
    /// A thread answers: the effect at this place of those that wait, counted from the oldest.
    Finish(usize),
    /// The watcher finds the change of a file.
    Watch,
    /// An engine ends or cannot be started.
    BreakEngines(bool),
}

fn step() -> impl Strategy<Value = Step> {
    let file = || 0..FILES.len();
    prop_oneof![
        4 => any::<u8>().prop_map(Step::Edit),
        1 => Just(Step::Undo),
        2 => (-3..4).prop_map(Step::Walk),
        3 => file().prop_map(Step::Open),
        1 => Just(Step::OpenAll),
        1 => (0..4_usize).prop_map(Step::SelectGame),
        1 => Just(Step::New),
        3 => Just(Step::Save),
        2 => file().prop_map(Step::SaveAs),
        1 => file().prop_map(Step::SaveChecked),
        4 => prop_oneof![Just(UnsavedAnswer::Save), Just(UnsavedAnswer::Discard), Just(UnsavedAnswer::Cancel)]
            .prop_map(Step::Answer),
        1 => any::<bool>().prop_map(Step::Recover),
        1 => Just(Step::Quit),
        1 => Just(Step::Pause),
        1 => Just(Step::Hide),
        2 => (0..3_usize).prop_map(Step::Engine),
        2 => (0..3_usize).prop_map(Step::ToggleEngine),
        2 => (file(), any::<u8>()).prop_map(|(file, content)| Step::WriteElsewhere(file, content)),
        1 => file().prop_map(Step::Break),
        9 => (0..4_usize).prop_map(Step::Finish),
        3 => Just(Step::Watch),
        1 => any::<bool>().prop_map(Step::BreakEngines),
    ]
}

const FILES: [&str; 4] = ["/a.kifu", "/b.kif", "/c.csa", "/d.sfen"];
const ENGINES: [&str; 3] = ["x", "y", "z"];

/// A fault that is planted into the world, to show that the test detects it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    None,
    /// An engine is not told of another position.
    KeepsTarget,
    /// A change is not autosaved.
    ForgetsAutosave,
    /// A save is not answered.
    LosesAnswer,
    /// A failed save is reported as a success.
    HidesFailure,
    /// The answer to an old request is taken for that to the newest.
    ConfusesRequests,
    /// The questions about unsaved changes are answered by nobody.
    AnswersItself,
}

/// A file on the disk: its content, and the number of its version.
#[derive(Clone, Debug, Default)]
struct DiskFile {
    bytes: Vec<u8>,
    version: u64,
    is_broken: bool,
}

struct World {
    model: AppModel,
    disk: BTreeMap<PathBuf, DiskFile>,
    versions: u64,
    /// The effects that wait for their thread.
    waiting: Vec<AppEffect>,
    watched: Option<(u64, PathBuf, Option<FileStamp>)>,
    autosaved: Option<Arc<Record>>,
    targets: BTreeMap<EngineId, Option<SearchTarget>>,
    are_engines_broken: bool,
    fault: Fault,
    /// The revision whose changes the user has discarded.
    discarded: Option<u64>,
    /// The first broken promise.
    problem: Option<String>,
}

const GAME: &str = "1 ７六歩(77)\n2 ３四歩(33)\n";

fn bytes(content: u8) -> Vec<u8> {
    format!("手数----指手---------消費時間--\n*{content}\n{GAME}").into_bytes()
}

impl Disk for BTreeMap<PathBuf, DiskFile> {
    fn exists(&self, path: &Path) -> bool {
        self.contains_key(path)
    }

    fn stamp(&self, path: &Path) -> Option<FileStamp> {
        self.get(path).map(|file| FileStamp { size: 1, modified: file.version })
    }

    fn is_same(&self, one: &Path, other: &Path) -> bool {
        one == other
    }
}

impl World {
    fn new(fault: Fault) -> Self {
        let mut disk = BTreeMap::new();
        for (version, name) in (0..).zip(FILES) {
            disk.insert(
                PathBuf::from(name),
                DiskFile { bytes: bytes(version), version: version.into(), is_broken: false },
            );
        }
        let mut model = AppModel::new(AppState::new(Lang::En), RecordFile::default());
        let info = EngineInfo { name: ENGINES[0].to_owned(), is_profile: true, candidates: 1, threads: 1 };
        let (id, target) = model.add_engine(info);
        Self {
            model,
            disk,
            versions: 100,
            waiting: Vec::new(),
            watched: None,
            autosaved: None,
            targets: BTreeMap::from([(id, Some(target))]),
            are_engines_broken: false,
            fault,
            discarded: None,
            problem: None,
        }
    }

    fn fail(&mut self, why: &str) {
        self.problem.get_or_insert_with(|| why.to_owned());
    }

    fn handle(&mut self, event: AppEvent) {
        let document = self.model.state().document();
        let (was_changed, first, revision) = (document.is_changed(), document.first_revision(), document.revision());
        let saves_it = matches!(&event, AppEvent::File(FileEvent::Saved { result: Ok(_), .. }));
        if matches!(event, AppEvent::Action(AppAction::Answer(UnsavedAnswer::Discard))) {
            self.discarded = Some(revision);
        }
        let had_quit = self.model.quits();
        let effects = self.model.update(event);
        let document = self.model.state().document();
        let is_gone = document.first_revision() != first || (self.model.quits() && !had_quit);
        if was_changed && is_gone && self.discarded != Some(revision) && !saves_it {
            self.fail(&format!("revision {revision} was lost without an answer"));
        }
        self.begin_all(effects);
        self.check();
    }

    fn begin_all(&mut self, effects: Vec<AppEffect>) {
        for effect in effects {
            self.begin(effect);
        }
    }

    /// Carries out an effect, or lets it wait for its thread.
    fn begin(&mut self, effect: AppEffect) {
        match effect {
            AppEffect::File(FileEffect::Watch { request, file }) => {
                self.watched = file.map(|(path, stamp)| (request, path, stamp));
            }
            AppEffect::File(FileEffect::Autosave(unsaved)) if self.fault != Fault::ForgetsAutosave => {
                self.autosaved = unsaved.map(|unsaved| unsaved.record);
            }
            AppEffect::File(FileEffect::Read { .. } | FileEffect::Save { .. }) | AppEffect::StartEngine { .. } => {
                self.waiting.push(effect);
            }
            AppEffect::SetTarget(..) if self.fault == Fault::KeepsTarget => {}
            AppEffect::SetTarget(id, target) => _ = self.targets.insert(id, Some(target)),
            AppEffect::EndEngine(id) => _ = self.targets.remove(&id),
            _ => {}
        }
    }

    /// What must hold after every event.
    fn check(&mut self) {
        let state = self.model.state();
        let document = state.document();
        let is_autosaved = match &self.autosaved {
            Some(record) => document.is_changed() && **record == *document.record(),
            None => !document.is_changed() || self.model.quits(),
        };
        if !is_autosaved {
            return self.fail("the autosave copy is not the record");
        }
        let running: Vec<_> = self.model.engines.ids().collect();
        let target = self.model.state().search_target();
        if running.iter().any(|id| self.targets.get(id).is_none_or(|known| known.as_ref() != Some(&target))) {
            return self.fail("an engine has another target than the bar");
        }
        if self.targets.keys().any(|id| !running.contains(id)) {
            self.fail("an engine runs that the model does not know");
        }
    }

    /// Lets a thread finish its work.
    fn finish(&mut self, place: usize) {
        if self.waiting.is_empty() {
            return;
        }
        let place = place % self.waiting.len();
        match self.waiting.remove(place) {
            AppEffect::File(FileEffect::Read { request, path }) => {
                let request =
                    if self.fault == Fault::ConfusesRequests { self.newest_request(request) } else { request };
                let stamp = self.disk.stamp(&path);
                let file = self.disk.get(&path).filter(|file| !file.is_broken);
                let result = file.and_then(|file| kifu::read(&file.bytes).ok());
                let result = result.ok_or_else(|| Box::new(RecordRemark::NothingToPaste.into()));
                let first = self.model.state().document().first_revision();
                self.handle(AppEvent::File(FileEvent::Read { request, result, stamp }));
                let is_shown = self.model.state().document().first_revision() != first;
                if is_shown && self.model.record_file().path() != Some(&path) {
                    self.fail("the record of another file is shown");
                }
            }
            AppEffect::File(FileEffect::Save { request, job }) => {
                let result = self.save(*job);
                if self.fault != Fault::LosesAnswer {
                    self.handle(AppEvent::File(FileEvent::Saved { request, result }));
                }
            }
            AppEffect::StartEngine { id, name, .. } => {
                let info = EngineInfo { name, is_profile: true, candidates: 1, threads: 1 };
                let result = if self.are_engines_broken { Err("broken".to_owned().into()) } else { Ok(info) };
                if result.is_ok() {
                    self.targets.insert(id, None);
                }
                self.handle(AppEvent::EngineStarted(id, result));
            }
            other => panic!("{other:?}"),
        }
    }

    fn newest_request(&self, request: u64) -> u64 {
        let waiting = self.waiting.iter().filter_map(|effect| match effect {
            AppEffect::File(FileEffect::Read { request, .. }) => Some(*request),
            _ => None,
        });
        waiting.chain([request]).max().unwrap_or(request)
    }

    /// Writes a prepared save, as `effects::files` does.
    fn save(&mut self, job: SaveJob) -> Result<Saved, SaveRefusal> {
        let Some(prepared) = job.prepare(&self.disk)? else { return Ok(Saved::Nothing) };
        let path = prepared.path().to_owned();
        let is_broken = self.disk.get(&path).is_some_and(|file| file.is_broken);
        if is_broken && self.fault != Fault::HidesFailure {
            return Err(SaveRefusal::Failed(RecordRemark::NothingToSave));
        }
        if !is_broken {
            self.versions += 1;
            let file = DiskFile { bytes: prepared.bytes().to_vec(), version: self.versions, is_broken: false };
            self.disk.insert(path.clone(), file);
        }
        let is_written = self.disk.get(&path).is_some_and(|file| file.bytes == prepared.bytes());
        let saved = prepared.into_saved(self.disk.stamp(&path));
        if matches!(saved, Saved::Record { .. }) && !is_written {
            self.fail("a save was reported, and the file is another");
        }
        Ok(saved)
    }

    fn watch(&mut self) {
        let Some((request, path, known)) = self.watched.clone() else { return };
        let stamp = self.disk.stamp(&path);
        let Some(file) = self.disk.get(&path).filter(|file| !file.is_broken && stamp != known) else { return };
        let Ok(games) = kifu::read(&file.bytes) else { return };
        self.watched = Some((request, path, stamp));
        self.handle(AppEvent::File(FileEvent::Changed { request, games, stamp }));
    }

    fn act(&mut self, action: AppAction) {
        self.handle(AppEvent::Action(action));
        let is_asking = self.model.record_file().is_asking();
        if self.fault == Fault::AnswersItself && is_asking && self.model.state().document().is_changed() {
            let effects = self.model.update(AppEvent::Action(AppAction::Answer(UnsavedAnswer::Discard)));
            self.begin_all(effects);
            self.fail("a question was answered by nobody");
        }
    }

    fn step(&mut self, step: Step) {
        let file = |index: usize| PathBuf::from(FILES[index]);
        match step {
            Step::Edit(content) => {
                let edit = |document: &mut Document| document.comment(NodeId::START, &content.to_string());
                let ((), effects) = self.model.edit(edit);
                self.begin_all(effects);
                self.check();
            }
            Step::Undo => {
                let ((), effects) = self.model.edit(Document::undo);
                self.begin_all(effects);
                self.check();
            }
            Step::Walk(moves) => self.act(AppAction::Step(moves)),
            Step::Open(index) => self.act(AppAction::Open(file(index))),
            Step::OpenAll => self.act(AppAction::OpenAll(FILES.map(PathBuf::from).to_vec())),
            Step::SelectGame(at) => self.act(AppAction::SelectGame(at)),
            Step::New => self.act(AppAction::New),
            Step::Save => self.act(AppAction::Save),
            Step::SaveAs(index) => self.act(AppAction::SaveAs(file(index))),
            Step::SaveChecked(index) => self.act(AppAction::SaveChecked(file(index))),
            Step::Answer(answer) => self.act(AppAction::Answer(answer)),
            Step::Recover(recovers) => self.act(AppAction::Recover(recovers)),
            Step::Quit => self.act(AppAction::Quit),
            Step::Pause => self.act(AppAction::Pause),
            Step::Hide => self.act(AppAction::Hide),
            Step::Engine(index) => self.act(AppAction::Engine(ENGINES[index].to_owned())),
            Step::ToggleEngine(index) => self.act(AppAction::ToggleSecondEngine(ENGINES[index].to_owned())),
            Step::WriteElsewhere(index, content) => {
                self.versions += 1;
                let version = self.versions;
                self.disk.insert(file(index), DiskFile { bytes: bytes(content), version, is_broken: false });
            }
            Step::Break(index) => {
                if let Some(file) = self.disk.get_mut(&file(index)) {
                    file.is_broken = !file.is_broken;
                }
            }
            Step::Finish(place) => self.finish(place),
            Step::Watch => self.watch(),
            Step::BreakEngines(are_broken) => self.are_engines_broken = are_broken,
        }
    }

    /// Runs a history. Returns the first broken promise.
    fn run(mut self, steps: Vec<Step>) -> Option<String> {
        for step in steps {
            if self.model.quits() || self.problem.is_some() {
                break;
            }
            self.step(step);
        }
        // At the end every thread answers, the oldest first.
        for _ in 0..1000 {
            if self.waiting.is_empty() || self.model.quits() || self.problem.is_some() {
                break;
            }
            self.finish(0);
        }
        if !self.model.quits() && self.problem.is_none() {
            let task = self.model.record_file().task();
            if matches!(task, FileTask::Opening { .. } | FileTask::Saving { .. }) || self.model.is_starting_engine() {
                self.fail("something waits for an answer that never comes");
            }
        }
        self.problem
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: ProptestConfig::default().cases.max(1000), ..ProptestConfig::default() })]
    #[test]
    fn guarantees_hold_on_random_histories(steps in proptest::collection::vec(step(), 1..60)) {
        prop_assert_eq!(World::new(Fault::None).run(steps), None);
    }
}

#[test]
fn planted_faults_are_detected() {
    use proptest::strategy::ValueTree as _;
    use proptest::test_runner::TestRunner;
    let faults = [
        Fault::KeepsTarget,
        Fault::ForgetsAutosave,
        Fault::LosesAnswer,
        Fault::HidesFailure,
        Fault::ConfusesRequests,
        Fault::AnswersItself,
    ];
    for fault in faults {
        let mut runner = TestRunner::deterministic();
        let steps = proptest::collection::vec(step(), 1..60);
        let found = (0..2000).any(|_| {
            let steps = steps.new_tree(&mut runner).unwrap().current();
            World::new(fault).run(steps).is_some()
        });
        assert!(found, "{fault:?}");
    }
}
