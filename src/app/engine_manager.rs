//! The management of the user's engines: profiles, the scan of this machine, and probes of single engines.

use crate::config::{NameError, Profile, Profiles};
use crate::discovery::{self, SearchPaths};
use crate::options::{EngineNumber, Presets};
use crate::platform::Platform;
use crate::probe::{ProbeAnswer, probe};
use crate::process::StartError;
use crate::session::{Latest, SessionConfig};
use crate::store::{SavedConfig, Store, StoreError};
use crate::text::{Lang, Remark, engines};
use crate::threads;
use crate::ui::engines::{EngineOnMachine, Probe};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use thiserror::Error;

/// The user's engine profiles, with a scan of this machine and a probe of one engine.
#[derive(Debug)]
pub struct EngineManager {
    store: Option<Store>,
    settings: SessionConfig,
    profiles: Profiles,
    problems: Vec<Remark>,
    probe: Probe,
    /// The result of the latest probe. Earlier probes write to slots of their own, which are not read any more.
    answer: Latest<Probe>,
    scan: EngineScan,
}

/// The search for engines on this machine.
#[derive(Debug, Default)]
struct EngineScan {
    is_running: bool,
    found: Vec<(PathBuf, ProbeAnswer)>,
    /// All engines found so far, and whether the scan is over.
    results: Latest<(Vec<(PathBuf, ProbeAnswer)>, bool)>,
}

/// Why the profiles could not be changed.
#[derive(Debug, Error)]
enum ChangeError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Name(#[from] NameError),
}

/// A callback, called from another thread when [`EngineManager::poll`] has news.
pub type WakeEngines = Arc<dyn Fn() + Send + Sync>;

impl EngineManager {
    /// Creates a manager for a store. `settings` are the defaults where a profile sets nothing.
    pub fn new(store: Option<Store>, settings: SessionConfig) -> Self {
        Self {
            store,
            settings,
            profiles: Profiles::default(),
            problems: Vec::new(),
            probe: Probe::default(),
            answer: Latest::default(),
            scan: EngineScan::default(),
        }
    }

    /// Reads the stored profiles again, which another program may have changed.
    pub fn reload(&mut self) {
        let Some(store) = &self.store else { return };
        match store.profiles() {
            Ok(reading) => {
                let none = reading.not_toml.map(|why| Remark::EnginesUnreadable(why.into()));
                self.problems = none.into_iter().chain(reading.findings.into_iter().map(Remark::SettingLost)).collect();
                self.profiles = reading.value;
            }
            Err(error) => self.problems = vec![Remark::EnginesUnreadable((&error).into())],
        }
    }

    /// The user's profiles.
    pub const fn profiles(&self) -> &Profiles {
        &self.profiles
    }

    /// The engines found so far without a profile, and whether the scan still runs.
    pub fn found(&self, lang: Lang) -> (Vec<EngineOnMachine>, bool) {
        let found = self.scan.found.iter().map(|(path, answer)| {
            let said = engines::answer(answer, lang);
            let name = match answer {
                ProbeAnswer::Engine(_) => said.into_owned(),
                _ => format!("{} {said}", path.file_name().unwrap_or_default().display()),
            };
            EngineOnMachine { name, path: path.display().to_string() }
        });
        let is_new = |found: &EngineOnMachine| !self.profiles.iter().any(|profile| profile.program == found.path);
        (found.filter(is_new).collect(), self.scan.is_running)
    }

    /// The state of the latest probe.
    pub const fn probe(&self) -> &Probe {
        &self.probe
    }

    /// The latest problems, one a line; `None` where there are none.
    pub fn problem(&self, lang: Lang) -> Option<String> {
        let sentences: Vec<_> = self.problems.iter().map(|remark| remark.text(lang)).collect();
        (!sentences.is_empty()).then(|| sentences.join("\n"))
    }

    /// The default numbers, used where a profile sets none.
    pub const fn default_numbers(&self) -> [(EngineNumber, u32); 3] {
        self.settings.option_request().numbers
    }

    /// The presets of known engines.
    pub const fn presets(&self) -> &Presets {
        &self.settings.presets
    }

    /// Advice for getting an engine; `None` where there is one.
    pub fn hint(&self, lang: Lang) -> Option<&'static str> {
        let nothing = self.profiles.iter().next().is_none() && !self.scan.is_running && self.scan.found.is_empty();
        nothing.then(|| engines::hint(Platform::here(), lang))
    }

    /// Takes in the results of the scan and of the probe.
    pub fn poll(&mut self) {
        if let Some((found, over)) = self.scan.results.take() {
            self.scan.is_running = !over;
            // Earlier findings stay until they are known to be gone.
            if over || found.len() > self.scan.found.len() {
                self.scan.found = found;
            }
        }
        if let Some(probe) = self.answer.take() {
            self.probe = probe;
        }
    }

    /// Starts to scan this machine for engines, unless a scan runs. Unchanged programs are not probed again.
    pub fn start_scan(&mut self, wake: &WakeEngines) {
        if std::mem::replace(&mut self.scan.is_running, true) {
            return;
        }
        let store = self.store.clone();
        let (results, wake) = (Latest::clone(&self.scan.results), Arc::clone(wake));
        let presets = self.settings.presets.clone();
        let scan = move || {
            let mut found = Vec::new();
            // The first is the built-in engine.
            let all: Vec<_> = discovery::all(&presets, &SearchPaths::here()).into_iter().skip(1).collect();
            let scanned = discovery::probe_all(&all, store.as_ref(), discovery::SHORT_PATIENCE, |place, answer| {
                let Some(engine) = all.get(place) else { return };
                // A slow machine may need longer: once added, a silent one is waited for.
                if matches!(answer, ProbeAnswer::NotUsi | ProbeAnswer::Ended | ProbeAnswer::NotStarted(_)) {
                    return;
                }
                found.push((engine.program.path.clone(), answer.clone()));
                results.put((found.clone(), false));
                wake();
            });
            // Without a thread for the probes nothing is found.
            drop(scanned);
            results.put((found, true));
            wake();
        };
        match threads::spawn("look around", scan) {
            Ok(thread) => thread.detach(),
            Err(error) => {
                self.scan.is_running = false;
                self.problems = vec![Remark::EnginesNotSought((&error).into())];
            }
        }
    }

    /// Starts to probe an engine, and drops the result of the probe before.
    pub fn probe_engine(&mut self, profile: &Profile, wake: &WakeEngines) {
        self.probe = Probe::Pending;
        self.answer = Latest::default();
        let (latest, wake) = (Latest::clone(&self.answer), Arc::clone(wake));
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
        // Detached: a window must not stay open until a silent engine has timed out.
        match threads::spawn("ask", ask) {
            Ok(thread) => thread.detach(),
            Err(error) => self.probe = Probe::Failed(not_started(program, &error)),
        }
    }

    /// Adds an engine with this command line, and returns its name; `None` on failure.
    pub fn add(&mut self, words: Vec<String>) -> Option<String> {
        let name = words.iter().rev().find_map(|word| name_of(word)).unwrap_or_default();
        self.change(|profiles| {
            let name = profiles.free_name(&name);
            profiles.add(Profile::new(&name, words))?;
            Ok(name)
        })
    }

    /// Duplicates a profile, and returns the copy's name; `None` on failure.
    pub fn duplicate(&mut self, name: &str) -> Option<String> {
        self.change(|profiles| profiles.duplicate(name))
    }

    /// Renames an engine. Returns whether that was done.
    pub fn rename(&mut self, name: &str, new: &str) -> bool {
        self.change(|profiles| profiles.rename(name, new)).is_some()
    }

    /// Removes an engine.
    pub fn remove(&mut self, name: &str) {
        self.change(|profiles| profiles.remove(name).map(drop));
    }

    /// Makes an engine the default.
    pub fn make_default(&mut self, name: &str) {
        self.change(|profiles| profiles.set_default(name));
    }

    /// Stores the changes of a profile since it was read. Other programs' changes to it are kept.
    pub fn store(&mut self, profile: &Profile) {
        let before = self.profiles.get(profile.name()).cloned();
        self.change(|profiles| {
            let stored = profiles.get_mut(profile.name())?;
            let before = before.unwrap_or_else(|| stored.clone());
            stored.apply_changes(&before, profile);
            Ok(())
        });
    }

    /// Shows a problem from elsewhere.
    pub fn report(&mut self, problem: Remark) {
        self.problems = vec![problem];
    }

    fn change<T>(&mut self, change: impl FnOnce(&mut Profiles) -> Result<T, NameError>) -> Option<T> {
        let changed = match &self.store {
            Some(store) => store.change(|profiles| -> Result<_, ChangeError> {
                let result = change(profiles)?;
                Ok((result, profiles.clone()))
            }),
            // Without a home folder, engines last as long as the program runs.
            None => change(&mut self.profiles)
                .map(|result| SavedConfig {
                    value: (result, self.profiles.clone()),
                    findings: Vec::new(),
                    backup: None,
                })
                .map_err(Into::into),
        };
        match changed {
            Ok(SavedConfig { value: (result, profiles), findings, backup }) => {
                self.profiles = profiles;
                // This remark stays until the page is opened again.
                self.problems.retain(|remark| matches!(remark, Remark::SettingsBackedUp(..)));
                self.problems.extend(backup.map(|backup| Remark::SettingsBackedUp(backup.why, backup.path)));
                self.problems.extend(findings.into_iter().map(Remark::SettingLost));
                Some(result)
            }
            Err(ChangeError::Name(error)) => {
                // Another program may have removed the engine, or taken the name.
                self.reload();
                self.problems = vec![Remark::EngineName(error)];
                None
            }
            Err(ChangeError::Store(error)) => {
                self.problems = vec![Remark::EnginesNotChanged((&error).into())];
                None
            }
        }
    }
}

/// The name for an engine from a word of its command line; `None` for an option or its value.
fn name_of(word: &str) -> Option<String> {
    // Neither an option nor the value of one.
    let is_name = !word.starts_with('-') && word.parse::<f64>().is_err();
    Path::new(word).file_stem()?.to_str().filter(|_| is_name).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::Model;

    fn manager() -> EngineManager {
        EngineManager::new(None, SessionConfig::default())
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
    fn keeps_changes_of_another_program() {
        let folder = std::env::temp_dir().join(format!("shogibar-engine-manager-{}", std::process::id()));
        let store = Store::new(folder.clone());
        let mut first = EngineManager::new(Some(store.clone()), SessionConfig::default());
        let mut second = EngineManager::new(Some(store), SessionConfig::default());
        first.add(vec!["a".to_owned()]);
        second.reload();
        let edit = |manager: &mut EngineManager, change: &dyn Fn(&mut Profile)| {
            let mut profile = manager.profiles().get("a").unwrap().clone();
            change(&mut profile);
            manager.store(&profile);
        };
        edit(&mut second, &|profile| profile.threads = Some(4));
        edit(&mut first, &|profile| profile.model = Model::from_k(600.0));
        let profile = first.profiles().get("a").unwrap();
        assert_eq!((profile.threads, profile.model), (Some(4), Model::from_k(600.0)));

        second.remove("a");
        edit(&mut first, &|profile| profile.model = None);
        let left = (first.profiles().iter().count(), first.problem(Lang::En));
        assert_eq!(left, (0, Some("There is no engine called 'a'.".to_owned())), "the page shows what there is");
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn reports_only_the_latest_probe() {
        let shell = |script: &str| Profile::new("a", ["/bin/sh", "-c", script].map(str::to_owned));
        let (ring, rings) = std::sync::mpsc::sync_channel(8);
        let wake: WakeEngines = Arc::new(move || ring.send(()).unwrap());
        let mut manager = manager();
        manager.probe_engine(&shell("sleep 0.3; exit 1"), &wake);
        manager.probe_engine(&shell("echo id name B; echo usiok; cat >/dev/null"), &wake);
        // Polled only after both have answered.
        rings.recv().unwrap();
        rings.recv().unwrap();
        manager.poll();
        assert!(matches!(manager.probe(), Probe::Identified(said) if said.name == "B"), "{:?}", manager.probe());
    }

    #[test]
    fn reports_a_name_that_is_taken() {
        let mut manager = manager();
        manager.add(vec!["a".to_owned()]);
        manager.add(vec!["b".to_owned()]);
        assert!(!manager.rename("a", "b"));
        assert_eq!(manager.problem(Lang::En).as_deref(), Some("There is an engine called 'b' already."));
        assert_eq!(manager.problem(Lang::Ja).as_deref(), Some("「b」という名前のエンジンがすでにあります。"));
        assert!(manager.rename("a", "c"));
        assert_eq!(
            (manager.problem(Lang::En), manager.profiles().iter().map(Profile::name).collect::<Vec<_>>()),
            (None, vec!["c", "b"])
        );
    }
}
