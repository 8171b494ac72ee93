//! The management of the user's engines: profiles, the scan of this machine, and probes of single engines.

use super::effects::profiles::{ProfileFile, ProfileTask};
use shogibar_base::{Lang, Latest, threads};
use shogibar_config::{BUILT_IN_NAME, NameError, Platform, Profile, Profiles, Remark, engines_text};
use shogibar_engine::options::{EngineNumber, Presets};
use shogibar_engine::probe::{ProbeAnswer, probe};
use shogibar_engine::process::StartError;
use shogibar_engine::session::SessionConfig;
use shogibar_machine::discovery::{self, SearchPaths};
use shogibar_machine::store::Store;
use shogibar_model::record_file::WakeFn;
use shogibar_ui::engines::{EngineOnMachine, Probe};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The user's engine profiles, with a scan of this machine and a probe of one engine. No method waits for a file or an
/// engine.
#[expect(
    missing_debug_implementations,
    reason = "it holds a callback, which has no Debug"
)]
pub struct EngineManager {
    file: Arc<ProfileFile>,
    session_defaults: SessionConfig,
    /// Called when [`EngineManager::poll`] has news, usually from another thread.
    wake: WakeFn,
    /// The profiles with all changes, including those that are not written yet.
    profiles: Profiles,
    /// The number of the newest task for the file.
    newest_number: u64,
    /// The remarks about the file.
    remarks: Vec<Remark>,
    /// The last failure since the user's last change.
    failure: Option<Remark>,
    probe: Probe,
    /// The result of the latest probe. Earlier probes write to other slots, which are not read any more.
    probe_result: Latest<Probe>,
    scan: EngineScan,
}

/// The search for engines on this machine.
#[derive(Debug, Default)]
struct EngineScan {
    is_running: bool,
    answers: Vec<(PathBuf, ProbeAnswer)>,
    /// All engines found so far, and whether the scan is over.
    results: Latest<(Vec<(PathBuf, ProbeAnswer)>, bool)>,
}

impl EngineManager {
    /// Returns the folder of the configuration, if there is one.
    pub fn folder(&self) -> Option<PathBuf> {
        self.file.store().map(|store| store.folder().to_owned())
    }

    /// Creates a manager for a file.
    pub fn new(file: Arc<ProfileFile>, session_defaults: SessionConfig) -> Self {
        Self {
            profiles: file.last_known_profiles(),
            file,
            session_defaults,
            wake: Arc::new(|| {}),
            newest_number: 0,
            remarks: Vec::new(),
            failure: None,
            probe: Probe::default(),
            probe_result: Latest::default(),
            scan: EngineScan::default(),
        }
    }

    /// Sets the function that is called when [`poll`](Self::poll) has news, usually from another thread.
    #[must_use]
    pub fn with_wake(mut self, wake: WakeFn) -> Self {
        self.wake = wake;
        self
    }

    /// Starts to read the stored profiles again, which another program may have changed.
    pub fn reload(&mut self) {
        self.remarks.clear();
        self.failure = None;
        self.start(ProfileTask::Read);
    }

    fn start(&mut self, task: ProfileTask) {
        self.newest_number = self.file.start(task, &self.wake);
    }

    /// Returns the user's profiles.
    pub const fn profiles(&self) -> &Profiles {
        &self.profiles
    }

    /// Returns the engines without a profile that were found so far, and whether the scan still runs.
    pub fn found_engines(&self, lang: Lang) -> (Vec<EngineOnMachine>, bool) {
        let found = self.scan.answers.iter().map(|(path, answer)| {
            let is_asked_again = self.scan.is_running && *answer == ProbeAnswer::Silent;
            let answer_text = if is_asked_again {
                engines_text::still_waiting(lang).into()
            } else {
                engines_text::answer(answer, lang)
            };
            let name = match answer {
                ProbeAnswer::Engine(_) => answer_text.into_owned(),
                _ => format!("{} {answer_text}", path.file_name().unwrap_or_default().display()),
            };
            EngineOnMachine {
                name,
                path: path.display().to_string(),
            }
        });
        let is_new =
            |found: &EngineOnMachine| !self.profiles.iter().any(|profile| profile.program == found.path);
        (found.filter(is_new).collect(), self.scan.is_running)
    }

    /// Returns the state of the latest probe.
    pub const fn probe(&self) -> &Probe {
        &self.probe
    }

    /// Returns the latest failure, otherwise the remarks about the file, one a line; `None` if there are none.
    pub fn problem(&self, lang: Lang) -> Option<String> {
        let problems = self
            .failure
            .as_ref()
            .map_or(self.remarks.as_slice(), std::slice::from_ref);
        let sentences: Vec<_> = problems.iter().map(|remark| remark.text(lang)).collect();
        (!sentences.is_empty()).then(|| sentences.join("\n"))
    }

    /// Returns the default values of the numeric options, which are used if a profile sets none.
    pub const fn default_numbers(&self) -> [(EngineNumber, u32); 3] {
        self.session_defaults.option_request().numbers
    }

    /// Returns the presets of known engines.
    pub const fn presets(&self) -> &Presets {
        &self.session_defaults.presets
    }

    /// Returns advice for getting an engine; `None` if there is an engine, or the scan still runs.
    pub fn hint(&self, lang: Lang) -> Option<&'static str> {
        let nothing =
            self.profiles.iter().next().is_none() && !self.scan.is_running && self.scan.answers.is_empty();
        nothing.then(|| engines_text::hint(Platform::here(), lang))
    }

    /// Applies the results of the scan, of the probe and of the file. Returns `None` if the file has no news. Otherwise
    /// returns the shown and the stored name of each profile where these differ.
    pub fn poll(&mut self) -> Option<Vec<(String, String)>> {
        if let Some((found, over)) = self.scan.results.take() {
            self.scan.is_running = !over;
            // The engines of an earlier scan stay listed until this scan has found as many, or is over.
            if over || found.len() >= self.scan.answers.len() {
                self.scan.answers = found;
            }
        }
        if let Some(probe) = self.probe_result.take() {
            self.probe = probe;
        }
        let results = self.file.take_results();
        let has_news = !results.is_empty();
        let mut renamed = Vec::new();
        for result in results {
            match result.remarks {
                Ok(remarks) => {
                    // The remark about a backup stays until the page is opened again.
                    self.remarks
                        .retain(|remark| matches!(remark, Remark::EnginesBackedUp(..)));
                    self.remarks.extend(remarks);
                }
                Err(failure) => self.failure = Some(failure),
            }
            // The profiles of an older result lack later changes of the user.
            if result.number == self.newest_number {
                self.profiles = result.profiles;
            }
            renamed.extend(result.new_name);
        }
        has_news.then_some(renamed)
    }

    /// Starts to scan this machine for engines, unless a scan runs. Unchanged programs are not probed again. Silent
    /// programs are probed again with a longer timeout, as a slow machine needs longer.
    pub fn start_scan(&mut self) {
        if std::mem::replace(&mut self.scan.is_running, true) {
            return;
        }
        let store = self.file.store().cloned();
        let (results, wake) = (Latest::clone(&self.scan.results), Arc::clone(&self.wake));
        let presets = self.session_defaults.presets.clone();
        let scan = move || {
            scan_machine(
                &presets,
                store.as_ref(),
                |found: &[(PathBuf, ProbeAnswer)], is_over: bool| {
                    results.put((found.to_vec(), is_over));
                    wake();
                },
            );
        };
        match threads::spawn("look around", scan) {
            Ok(thread) => thread.detach(),
            Err(error) => {
                self.scan.is_running = false;
                self.failure = Some(Remark::EngineSearchFailed((&error).into()));
                (self.wake)();
            }
        }
    }

    /// Starts to probe an engine. The result of an earlier probe is dropped.
    pub fn probe_engine(&mut self, profile: &Profile) {
        self.probe = Probe::Pending;
        self.probe_result = Latest::default();
        let (latest, wake) = (Latest::clone(&self.probe_result), Arc::clone(&self.wake));
        let profile = profile.clone();
        let not_started = |program: String, error: &std::io::Error| {
            ProbeAnswer::NotStarted(StartError::Refused(program.into(), error.into()))
        };
        let program = profile.program.clone();
        let ask = move || {
            let answer = match discovery::from_profile(&profile) {
                Ok(engine) => probe(&engine.program, discovery::PROBE_TIMEOUT),
                Err(error) => not_started(profile.program.clone(), &error),
            };
            let probe = match answer {
                ProbeAnswer::Engine(introduction) => Probe::Identified(introduction),
                other => Probe::Failed(other),
            };
            latest.put(probe);
            wake();
        };
        // The thread is not joined: closing a window must not wait for the timeout of a silent engine.
        match threads::spawn("ask", ask) {
            Ok(thread) => thread.detach(),
            Err(error) => {
                self.probe = Probe::Failed(not_started(program, &error));
                (self.wake)();
            }
        }
    }

    /// Adds an engine with this command line, and returns its name; `None` on failure.
    pub fn add(&mut self, words: Vec<String>) -> Option<String> {
        let wanted = words
            .iter()
            .rev()
            .find_map(|word| name_from_word(word))
            .unwrap_or_default();
        // If the engine cannot be stored, its name is replaced by that of the built-in engine.
        self.change(BUILT_IN_NAME, move |profiles, _| {
            let name = profiles.free_name(&wanted);
            profiles.add(Profile::new(&name, words.clone()))?;
            Ok(name)
        })
    }

    /// Duplicates a profile, and returns the copy's name; `None` on failure.
    pub fn duplicate(&mut self, name: &str) -> Option<String> {
        self.change(name, Profiles::duplicate)
    }

    /// Renames an engine, and returns its new name; `None` on failure.
    pub fn rename(&mut self, name: &str, new: &str) -> Option<String> {
        let new = new.trim().to_owned();
        self.change(name, move |profiles, name| {
            profiles.rename(name, &new).map(|()| new.clone())
        })
    }

    /// Removes an engine.
    pub fn remove(&mut self, name: &str) {
        self.change(name, |profiles, name| {
            profiles.remove(name).map(|_| name.to_owned())
        });
    }

    /// Makes an engine the default.
    pub fn make_default(&mut self, name: &str) {
        self.change(name, |profiles, name| {
            profiles.set_default(name).map(|()| name.to_owned())
        });
    }

    /// Stores the changes between two versions of a profile. Changes of other programs to the profile are kept.
    pub fn store(&mut self, before: Profile, after: Profile) {
        let name = after.name().to_owned();
        self.change(&name, move |profiles, name| {
            profiles.get_mut(name)?.apply_changes(&before, &after);
            Ok(name.to_owned())
        });
    }

    /// Shows a problem that another part of the program has found.
    pub fn report(&mut self, problem: Remark) {
        self.failure = Some(problem);
    }

    /// Applies a change of a profile at once, and starts to store it. Returns the profile's name after the change, or
    /// `None` on failure.
    fn change(
        &mut self,
        name: &str,
        change: impl Fn(&mut Profiles, &str) -> Result<String, NameError> + Send + 'static,
    ) -> Option<String> {
        self.failure = None;
        match change(&mut self.profiles, name) {
            Ok(shown) => {
                let (name, change) = (name.to_owned(), Box::new(change));
                self.start(ProfileTask::Change {
                    name,
                    shown: shown.clone(),
                    change,
                });
                Some(shown)
            }
            Err(error) => {
                // Another program may have changed the names, so the profiles are read again.
                self.reload();
                self.failure = Some(Remark::EngineName(error));
                None
            }
        }
    }
}

impl Drop for EngineManager {
    /// Waits until all changes are stored, but at most half a second: another program may hold the file's lock.
    fn drop(&mut self) {
        self.file.finish_soon();
    }
}

/// Probes the engines of this machine, and the silent ones again with a longer timeout. Calls `report` after each
/// answer with all engines found so far and `false`, and at the end with `true`.
fn scan_machine(presets: &Presets, store: Option<&Store>, report: impl Fn(&[(PathBuf, ProbeAnswer)], bool)) {
    let mut found = Vec::new();
    // The first engine is the built-in engine, which is not probed.
    let mut asked: Vec<_> = discovery::all(presets, &SearchPaths::here())
        .into_iter()
        .skip(1)
        .collect();
    for timeout in [discovery::SCAN_PROBE_TIMEOUT, discovery::PROBE_TIMEOUT] {
        // Without a thread for the probes, no engine is found.
        let _no_thread =
            discovery::probe_all(&asked, store, timeout, |index: usize, answer: &ProbeAnswer| {
                if let Some(engine) = asked.get(index) {
                    insert_answer(&mut found, &engine.program.path, answer);
                }
                report(&found, false);
            });
        asked.retain(|engine| found.contains(&(engine.program.path.clone(), ProbeAnswer::Silent)));
    }
    report(&found, true);
}

/// Enters the answer of a program into the list of engines. A program that is no engine is not listed.
fn insert_answer(found: &mut Vec<(PathBuf, ProbeAnswer)>, path: &Path, answer: &ProbeAnswer) {
    if matches!(
        answer,
        ProbeAnswer::NotUsi | ProbeAnswer::Ended | ProbeAnswer::NotStarted(_)
    ) {
        found.retain(|(known, _)| known != path);
    } else if let Some((_, known)) = found.iter_mut().find(|(known, _)| known == path) {
        known.clone_from(answer);
    } else {
        found.push((path.to_owned(), answer.clone()));
    }
}

/// Returns the name for an engine from a word of its command line; `None` for an option or a number.
fn name_from_word(word: &str) -> Option<String> {
    if word.starts_with('-') || word.parse::<f64>().is_ok() {
        return None;
    }
    Path::new(word).file_stem()?.to_str().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::test_folder::TestFolder;

    use shogibar_engine::observer::EngineIdentity;
    use shogibar_shogi::score::WinRateModel;
    use std::sync::mpsc::sync_channel;
    use std::time::Duration;

    /// Returns a manager without a file and without profiles.
    fn manager() -> EngineManager {
        manager_of(None)
    }

    fn manager_of(store: Option<Store>) -> EngineManager {
        EngineManager::new(
            Arc::new(ProfileFile::new(store, Profiles::default())),
            SessionConfig::default(),
        )
    }

    /// Waits until all is stored. Returns the old and new name of each renamed engine.
    fn finish(manager: &mut EngineManager) -> Vec<(String, String)> {
        manager.file.finish();
        manager.poll().unwrap()
    }

    fn add(manager: &mut EngineManager, program: &str) -> Option<String> {
        manager.add(vec![program.to_owned()])
    }

    fn edit(manager: &mut EngineManager, change: impl FnOnce(&mut Profile)) {
        let before = manager.profiles().get("a").unwrap().clone();
        let mut after = before.clone();
        change(&mut after);
        manager.store(before, after);
    }

    fn names(profiles: &Profiles) -> Vec<&str> {
        profiles.iter().map(Profile::name).collect()
    }

    #[test]
    fn names_an_engine_after_its_program() {
        let mut manager = manager();
        let mut check = |words: &[&str], expect: &str| {
            let name = manager.add(words.iter().map(|word| (*word).to_owned()).collect());
            assert_eq!(name.as_deref(), Some(expect), "{words:?}");
        };
        check(&["/usr/games/fairy-stockfish"], "fairy-stockfish");
        check(&["/usr/games/fairy-stockfish"], "fairy-stockfish 2");
        check(&["ssh", "host", "./engine"], "engine");
        check(&["node", "uci.js", "-x"], "uci");
        check(&["./gpsusi", "--threads", "4"], "gpsusi");
        check(&[], "engine 2");
    }

    #[test]
    fn does_not_wait_for_the_file() {
        let folder = TestFolder::new();
        let store = folder.store();
        shogibar_files::make_folder(store.folder()).unwrap();
        let held = shogibar_files::lock(&store.engines_file()).unwrap();
        let (sender, changed) = sync_channel(1);
        let user_store = store.clone();
        let _caller = threads::spawn("caller", move || {
            let mut manager = manager_of(Some(user_store));
            manager.reload();
            add(&mut manager, "a");
            edit(&mut manager, |profile| profile.threads = Some(4));
            manager.rename("a", "b");
            sender.send(manager).unwrap();
        });
        let mut manager = changed
            .recv_timeout(Duration::from_secs(10))
            .expect("it waits for another program");
        manager.poll();
        assert_eq!(
            names(manager.profiles()),
            ["b"],
            "the page shows what the user did"
        );
        assert!(!store.engines_file().exists());

        let (sender, started) = sync_channel(1);
        let file = Arc::clone(&manager.file);
        let _start = threads::spawn("start", move || sender.send(file.profiles()).unwrap());
        assert!(
            started.recv_timeout(Duration::from_millis(100)).is_err(),
            "an engine starts with the new profile"
        );
        drop(held);
        let profiles = started.recv_timeout(Duration::from_secs(10)).unwrap();
        assert_eq!(profiles.get("b").unwrap().threads, Some(4));
        assert_eq!((finish(&mut manager), manager.problem(Lang::En)), (vec![], None));
        assert_eq!(*manager.profiles(), profiles);
    }

    #[test]
    fn stores_all_changes_before_the_end() {
        let folder = TestFolder::new();
        let mut manager = manager_of(Some(folder.store()));
        for program in ["a", "b", "c"] {
            add(&mut manager, program);
        }
        manager.remove("b");
        manager.make_default("c");
        drop(manager);
        let profiles = folder.store().profiles().unwrap().value;
        assert_eq!((names(&profiles), profiles.default_name()), (vec!["a", "c"], "c"));
    }

    #[test]
    fn a_slow_engine_is_waited_for_and_listed() {
        let mut manager = manager();
        let engine = ProbeAnswer::Engine(EngineIdentity {
            name: "GPS".to_owned(),
            options: Vec::new(),
        });
        let mut listed = |is_running: bool, answers: &[(&str, &ProbeAnswer)]| {
            for (path, answer) in answers {
                insert_answer(&mut manager.scan.answers, Path::new(path), answer);
            }
            manager.scan.is_running = is_running;
            let (found, is_searching) = manager.found_engines(Lang::Ja);
            assert_eq!(is_searching, is_running);
            found.into_iter().map(|found| found.name).collect::<Vec<_>>()
        };
        let silent = [
            ("/a/gpsusi", &ProbeAnswer::Silent),
            ("/a/notes", &ProbeAnswer::Silent),
            ("/a/fairy", &engine),
        ];
        let waiting = [
            "gpsusi (まだ応答を待っています)",
            "notes (まだ応答を待っています)",
            "GPS",
        ];
        assert_eq!(listed(true, &silent), waiting);
        assert_eq!(
            listed(
                true,
                &[("/a/gpsusi", &engine), ("/a/notes", &ProbeAnswer::NotUsi)]
            ),
            ["GPS", "GPS"]
        );
        assert_eq!(
            listed(false, &[("/a/gpsusi", &ProbeAnswer::Silent)])[0],
            "gpsusi (応答がありません)"
        );
    }

    #[test]
    fn wakes_when_the_file_is_read() {
        let folder = TestFolder::new();
        folder.write("config/engines.toml", "[[engine]]\nname = 'a'\nprogram = 'a'\n");
        let (ring, rings) = sync_channel(8);
        let mut manager =
            manager_of(Some(folder.store())).with_wake(Arc::new(move || ring.send(()).unwrap()));
        manager.reload();
        rings.recv_timeout(Duration::from_secs(10)).unwrap();
        assert_eq!(
            (manager.poll(), names(manager.profiles())),
            (Some(vec![]), vec!["a"])
        );
        assert_eq!(manager.poll(), None);
    }

    #[test]
    fn names_the_engines_file_in_the_remark_about_its_backup() {
        let folder = TestFolder::new();
        folder.write("config/engines.toml", "not = [toml");
        let mut manager = manager_of(Some(folder.store()));
        add(&mut manager, "a");
        finish(&mut manager);
        let starts = [
            (Lang::En, "The engine settings cannot be read ("),
            (Lang::Ja, "エンジンの設定ファイルを読めないため（"),
        ];
        for (lang, start) in starts {
            let problem = manager.problem(lang).unwrap();
            assert!(
                problem.starts_with(start) && problem.contains("engines.toml.broken-1"),
                "{problem}"
            );
        }
    }

    #[cfg(unix)]
    #[test]
    fn undoes_a_change_that_cannot_be_stored() {
        let folder = TestFolder::new();
        let store = folder.store();
        let mut manager = manager_of(Some(store.clone()));
        add(&mut manager, "a");
        finish(&mut manager);
        let lock = store.folder().join("engines.toml.lock");
        std::fs::remove_file(&lock).unwrap();
        std::os::unix::fs::symlink("none", &lock).unwrap();
        manager.rename("a", "b");
        add(&mut manager, "c");
        let renamed =
            [("b", "a"), ("c", BUILT_IN_NAME)].map(|(shown, stored)| (shown.to_owned(), stored.to_owned()));
        assert_eq!(finish(&mut manager), renamed);
        assert_eq!(names(manager.profiles()), ["a"]);
        let problem = manager.problem(Lang::En).unwrap();
        assert!(problem.contains("engines.toml.lock: it is a link"), "{problem}");

        // A later success does not hide an earlier failure, which the user has not seen.
        edit(&mut manager, |profile| profile.threads = Some(4));
        manager.file.finish();
        std::fs::remove_file(&lock).unwrap();
        edit(&mut manager, |profile| profile.hash_mb = Some(64));
        finish(&mut manager);
        assert!(manager.problem(Lang::En).is_some());
        edit(&mut manager, |profile| profile.hash_mb = Some(32));
        assert_eq!(manager.problem(Lang::En), None);
    }

    #[test]
    fn follows_names_that_another_program_has_taken() {
        let folder = TestFolder::new();
        let store = folder.store();
        let mut first = manager_of(Some(store.clone()));
        add(&mut first, "a");
        finish(&mut first);
        let mut second = manager_of(Some(store.clone()));
        second.add(vec!["a".to_owned(), "-x".to_owned()]);
        second.reload();
        let renamed = finish(&mut second);
        assert_eq!(
            (renamed, names(second.profiles())),
            (vec![("a".to_owned(), "a 2".to_owned())], vec!["a", "a 2"])
        );

        let held = shogibar_files::lock(&store.engines_file()).unwrap();
        add(&mut first, "a");
        edit(&mut first, |profile| profile.threads = Some(4));
        first.rename("a 2", "b");
        drop(held);
        assert_eq!(finish(&mut first), [("a 2".to_owned(), "a 3".to_owned())]);
        let profiles = store.profiles().unwrap().value;
        assert_eq!(names(&profiles), ["a", "a 2", "b"]);
        assert_eq!(profiles, *first.profiles());
    }

    #[test]
    fn keeps_changes_of_another_program() {
        let folder = TestFolder::new();
        let mut first = manager_of(Some(folder.store()));
        let mut second = manager_of(Some(folder.store()));
        add(&mut first, "a");
        finish(&mut first);
        second.reload();
        finish(&mut second);
        edit(&mut second, |profile| profile.threads = Some(4));
        finish(&mut second);
        edit(&mut first, |profile| profile.model = WinRateModel::from_k(600.0));
        finish(&mut first);
        let profile = first.profiles().get("a").unwrap();
        assert_eq!(
            (profile.threads, profile.model),
            (Some(4), WinRateModel::from_k(600.0))
        );

        second.remove("a");
        finish(&mut second);
        edit(&mut first, |profile| profile.model = None);
        finish(&mut first);
        let remaining = (first.profiles().iter().count(), first.problem(Lang::En));
        assert_eq!(
            remaining,
            (0, Some("There is no engine called 'a'.".to_owned())),
            "the page shows what there is"
        );
    }

    #[cfg(unix)]
    #[test]
    fn reports_only_the_latest_probe() {
        let shell = |script: &str| Profile::new("a", ["/bin/sh", "-c", script].map(str::to_owned));
        let (ring, rings) = sync_channel(8);
        let mut manager = manager().with_wake(Arc::new(move || ring.send(()).unwrap()));
        manager.probe_engine(&shell("sleep 0.3; exit 1"));
        manager.probe_engine(&shell("echo id name B; echo usiok; cat >/dev/null"));
        // Polled only after both have answered.
        rings.recv().unwrap();
        rings.recv().unwrap();
        manager.poll();
        assert!(
            matches!(manager.probe(), Probe::Identified(engine) if engine.name == "B"),
            "{:?}",
            manager.probe()
        );
    }

    #[test]
    fn reports_a_name_that_is_taken() {
        let mut manager = manager();
        add(&mut manager, "a");
        add(&mut manager, "b");
        assert_eq!(manager.rename("a", "b"), None);
        finish(&mut manager);
        assert_eq!(
            manager.problem(Lang::En).as_deref(),
            Some("There is already an engine called 'b'.")
        );
        assert_eq!(
            manager.problem(Lang::Ja).as_deref(),
            Some("「b」という名前のエンジンがすでにあります。")
        );
        assert_eq!(manager.rename("a", "c").as_deref(), Some("c"));
        finish(&mut manager);
        assert_eq!(
            (manager.problem(Lang::En), names(manager.profiles())),
            (None, vec!["c", "b"])
        );
    }
}
