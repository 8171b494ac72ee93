//! The user's engines while they are set up: what is stored, what is found, and what engines say of
//! themselves.

use crate::config::{EngineNumber, NameError, Presets, Profile, Profiles};
use crate::discovery::{self, Platform, ProbeAnswer, SearchPaths};
use crate::session::{Latest, SessionConfig};
use crate::store::{SavedConfig, Store, StoreError};
use crate::text::{Lang, Message, Remark, engines};
use crate::threads;
use crate::ui::engines::{EngineOnMachine, Probe};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use thiserror::Error;

/// The user's engines while they are set up.
#[derive(Debug)]
pub struct EngineManager {
    store: Option<Store>,
    settings: SessionConfig,
    profiles: Profiles,
    trouble: Vec<Remark>,
    inquiry: Probe,
    /// For what the engine says that was asked last; those before it have boxes of their own, into which
    /// nobody looks any more.
    answer: Latest<Probe>,
    survey: EngineScan,
}

/// The search for engines on this machine.
#[derive(Debug, Default)]
struct EngineScan {
    is_running: bool,
    found: Vec<(PathBuf, ProbeAnswer)>,
    /// All that were found so far, and whether that is the end.
    news: Latest<(Vec<(PathBuf, ProbeAnswer)>, bool)>,
}

/// Why the engines are as they were.
#[derive(Debug, Error)]
enum ChangeError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Name(#[from] NameError),
}

/// What wakes whoever shows the engines.
pub type WakeEngines = Arc<dyn Fn() + Send + Sync>;

impl EngineManager {
    /// The engines of a store, run by these settings where the user says nothing.
    pub fn new(store: Option<Store>, settings: SessionConfig) -> Self {
        Self {
            store,
            settings,
            profiles: Profiles::default(),
            trouble: Vec::new(),
            inquiry: Probe::default(),
            answer: Latest::default(),
            survey: EngineScan::default(),
        }
    }

    /// Reads what is stored, which another program may have changed.
    pub fn reload(&mut self) {
        let Some(store) = &self.store else { return };
        match store.profiles() {
            Ok(reading) => {
                let none = reading.not_toml.map(|why| Remark::EnginesUnreadable(why.into()));
                self.trouble = none.into_iter().chain(reading.findings.into_iter().map(Remark::SettingLost)).collect();
                self.profiles = reading.value;
            }
            Err(error) => self.trouble = vec![Remark::EnginesUnreadable((&error).into())],
        }
    }

    /// The user's engines.
    pub const fn profiles(&self) -> &Profiles {
        &self.profiles
    }

    /// What was found so far that the user has not set up, and whether there may be more.
    pub fn found(&self, lang: Lang) -> (Vec<EngineOnMachine>, bool) {
        let found = self.survey.found.iter().map(|(path, answer)| {
            let said = engines::answer(answer, lang);
            let name = match answer {
                ProbeAnswer::Engine(_) => said.into_owned(),
                _ => format!("{} {said}", path.file_name().unwrap_or_default().display()),
            };
            EngineOnMachine { name, path: path.display().to_string() }
        });
        let is_new = |found: &EngineOnMachine| !self.profiles.iter().any(|profile| profile.program == found.path);
        (found.filter(is_new).collect(), self.survey.is_running)
    }

    /// What the engine asked last says of itself.
    pub const fn inquiry(&self) -> &Probe {
        &self.inquiry
    }

    /// What went wrong last.
    pub fn problem(&self, lang: Lang) -> Option<String> {
        let sentences: Vec<_> = self.trouble.iter().map(|remark| remark.text(lang)).collect();
        (!sentences.is_empty()).then(|| sentences.join("\n"))
    }

    /// What is set where the user sets nothing.
    pub const fn default_numbers(&self) -> [(EngineNumber, u32); 3] {
        self.settings.numbers()
    }

    /// What is known of engines.
    pub const fn presets(&self) -> &Presets {
        &self.settings.presets
    }

    /// How to get a better engine, where there is none.
    pub fn hint(&self, lang: Lang) -> Option<&'static str> {
        let nothing = self.profiles.iter().next().is_none() && !self.survey.is_running && self.survey.found.is_empty();
        nothing.then(|| engines::hint(Platform::here(), lang))
    }

    /// Takes in what has been found out since.
    pub fn poll(&mut self) {
        if let Some((found, over)) = self.survey.news.take() {
            self.survey.is_running = !over;
            // What was found before stays until it is known to be gone.
            if over || found.len() > self.survey.found.len() {
                self.survey.found = found;
            }
        }
        if let Some(inquiry) = self.answer.take() {
            self.inquiry = inquiry;
        }
    }

    /// Looks for engines on this machine. Programs that were asked before and are still the same are not asked
    /// again.
    pub fn start_scan(&mut self, wake: &WakeEngines) {
        if std::mem::replace(&mut self.survey.is_running, true) {
            return;
        }
        let store = self.store.clone();
        let (news, wake) = (Latest::clone(&self.survey.news), Arc::clone(wake));
        let presets = self.settings.presets.clone();
        let look = move || {
            let mut found = Vec::new();
            // The first is the built-in engine.
            let all: Vec<_> = discovery::all(&presets, &SearchPaths::here()).into_iter().skip(1).collect();
            let surveyed = discovery::survey(&all, store.as_ref(), discovery::SHORT_PATIENCE, |place, answer| {
                let Some(engine) = all.get(place) else { return };
                // A slow machine may need longer: once added, a silent one is waited for.
                if matches!(answer, ProbeAnswer::NotUsi | ProbeAnswer::NoFolder(_) | ProbeAnswer::NotStarted(_)) {
                    return;
                }
                found.push((engine.program.path.clone(), answer.clone()));
                news.put((found.clone(), false));
                wake();
            });
            // Without a thread to ask with there is nothing that is found.
            drop(surveyed);
            news.put((found, true));
            wake();
        };
        match threads::named("look around", look) {
            Ok(thread) => thread.detach(),
            Err(error) => {
                self.survey.is_running = false;
                self.trouble = vec![Remark::EnginesNotSought((&error).into())];
            }
        }
    }

    /// Asks an engine who it is, and forgets what another said.
    pub fn ask(&mut self, profile: &Profile, wake: &WakeEngines) {
        self.inquiry = Probe::Asking;
        self.answer = Latest::default();
        let (box_, wake) = (Latest::clone(&self.answer), Arc::clone(wake));
        let profile = profile.clone();
        let not_started = |program: String, error: &std::io::Error| {
            ProbeAnswer::NotStarted(Message::EngineNotStarted(program, error.into()))
        };
        let program = profile.program.clone();
        let ask = move || {
            let answer = match discovery::from_profile(&profile) {
                Ok(engine) => discovery::ask(&engine.program, discovery::PATIENCE),
                Err(error) => not_started(profile.program.clone(), &error),
            };
            let inquiry = match answer {
                ProbeAnswer::Engine(introduction) => Probe::Known(introduction),
                other => Probe::Trouble(other),
            };
            box_.put(inquiry);
            wake();
        };
        // Not waited for: a window must not stay open until a silent engine is given up.
        match threads::named("ask", ask) {
            Ok(thread) => thread.detach(),
            Err(error) => self.inquiry = Probe::Trouble(not_started(program, &error)),
        }
    }

    /// Adds an engine that is started by these words, and says what it is called.
    pub fn add(&mut self, words: Vec<String>) -> Option<String> {
        let name = words.iter().rev().find_map(|word| name_of(word)).unwrap_or_default();
        self.change(|profiles| {
            let name = profiles.free_name(&name);
            profiles.add(Profile::new(&name, words))?;
            Ok(name)
        })
    }

    /// Copies an engine's profile, and says what the copy is called.
    pub fn duplicate(&mut self, name: &str) -> Option<String> {
        self.change(|profiles| profiles.duplicate(name))
    }

    /// Calls an engine something else; whether that was done.
    pub fn rename(&mut self, name: &str, new: &str) -> bool {
        self.change(|profiles| profiles.rename(name, new)).is_some()
    }

    /// Takes an engine out.
    pub fn remove(&mut self, name: &str) {
        self.change(|profiles| profiles.remove(name).map(drop));
    }

    /// Uses one when nothing is said.
    pub fn make_default(&mut self, name: &str) {
        self.change(|profiles| profiles.set_default(name));
    }

    /// Keeps what was changed in a profile since it was read. What another program changed in it stays.
    pub fn keep(&mut self, profile: &Profile) {
        let before = self.profiles.get(profile.name()).cloned();
        self.change(|profiles| {
            let stored = profiles.get_mut(profile.name())?;
            let before = before.unwrap_or_else(|| stored.clone());
            stored.take_over(&before, profile);
            Ok(())
        });
    }

    /// Says that something went wrong elsewhere.
    pub fn report(&mut self, trouble: Remark) {
        self.trouble = vec![trouble];
    }

    fn change<T>(&mut self, change: impl FnOnce(&mut Profiles) -> Result<T, NameError>) -> Option<T> {
        let changed = match &self.store {
            Some(store) => store.change(|profiles| -> Result<_, ChangeError> {
                let result = change(profiles)?;
                Ok((result, profiles.clone()))
            }),
            // A user without a home has engines as long as the program runs.
            None => change(&mut self.profiles)
                .map(|result| SavedConfig { value: (result, self.profiles.clone()), findings: Vec::new(), aside: None })
                .map_err(Into::into),
        };
        match changed {
            Ok(SavedConfig { value: (result, profiles), findings, aside }) => {
                self.profiles = profiles;
                // That stands until the page is opened again.
                self.trouble.retain(|remark| matches!(remark, Remark::SettingsAside(..)));
                self.trouble.extend(aside.map(|aside| Remark::SettingsAside(aside.why, aside.path)));
                self.trouble.extend(findings.into_iter().map(Remark::SettingLost));
                Some(result)
            }
            Err(ChangeError::Name(error)) => {
                // Another program may have taken the engine out, or the name.
                self.reload();
                self.trouble = vec![Remark::EngineName(error)];
                None
            }
            Err(ChangeError::Store(error)) => {
                self.trouble = vec![Remark::EnginesNotChanged((&error).into())];
                None
            }
        }
    }
}

/// What an engine can be called after a word of its command.
fn name_of(word: &str) -> Option<String> {
    // Neither an option nor the value of one.
    let is_name = !word.starts_with('-') && word.parse::<f64>().is_err();
    Path::new(word).file_stem()?.to_str().filter(|_| is_name).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn workshop() -> EngineManager {
        EngineManager::new(None, SessionConfig::default())
    }

    #[test]
    fn an_engine_is_named_after_its_program() {
        let mut workshop = workshop();
        let mut check = |words: &[&str], expect: &str| {
            let name = workshop.add(words.iter().map(|word| (*word).to_owned()).collect());
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
    fn what_another_program_changes_meanwhile_stays() {
        let folder = std::env::temp_dir().join(format!("shogibar-workshop-{}", std::process::id()));
        let store = Store::new(folder.clone());
        let mut here = EngineManager::new(Some(store.clone()), SessionConfig::default());
        let mut there = EngineManager::new(Some(store), SessionConfig::default());
        here.add(vec!["a".to_owned()]);
        there.reload();
        let edit = |workshop: &mut EngineManager, change: &dyn Fn(&mut Profile)| {
            let mut profile = workshop.profiles().get("a").unwrap().clone();
            change(&mut profile);
            workshop.keep(&profile);
        };
        edit(&mut there, &|profile| profile.threads = Some(4));
        edit(&mut here, &|profile| profile.k = Some(600.0));
        let profile = here.profiles().get("a").unwrap();
        assert_eq!((profile.threads, profile.k), (Some(4), Some(600.0)));

        there.remove("a");
        edit(&mut here, &|profile| profile.k = None);
        let left = (here.profiles().iter().count(), here.problem(Lang::En));
        assert_eq!(left, (0, Some("There is no engine called 'a'.".to_owned())), "the page shows what there is");
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn the_engine_asked_last_is_heard() {
        let shell = |script: &str| Profile::new("a", ["/bin/sh", "-c", script].map(str::to_owned));
        let (ring, rings) = std::sync::mpsc::sync_channel(8);
        let wake: WakeEngines = Arc::new(move || ring.send(()).unwrap());
        let mut workshop = workshop();
        workshop.ask(&shell("sleep 0.3; exit 1"), &wake);
        workshop.ask(&shell("echo id name B; echo usiok; cat >/dev/null"), &wake);
        // Nobody looks before both have answered.
        rings.recv().unwrap();
        rings.recv().unwrap();
        workshop.poll();
        assert!(matches!(workshop.inquiry(), Probe::Known(said) if said.name == "B"), "{:?}", workshop.inquiry());
    }

    #[test]
    fn a_name_that_cannot_be_had_is_said() {
        let mut workshop = workshop();
        workshop.add(vec!["a".to_owned()]);
        workshop.add(vec!["b".to_owned()]);
        assert!(!workshop.rename("a", "b"));
        assert_eq!(workshop.problem(Lang::En).as_deref(), Some("There is an engine called 'b' already."));
        assert_eq!(workshop.problem(Lang::Ja).as_deref(), Some("「b」という名前のエンジンがすでにあります。"));
        assert!(workshop.rename("a", "c"));
        assert_eq!(
            (workshop.problem(Lang::En), workshop.profiles().iter().map(Profile::name).collect::<Vec<_>>()),
            (None, vec!["c", "b"])
        );
    }
}
