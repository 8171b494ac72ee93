//! The engines of the model: which run, and which are being started.

use super::{AppEffect, AppModel};
use crate::app::viewer::MOST_ENGINES;
use crate::bar::EngineReport;
use crate::text::{CauseText, Message};
use std::path::Path;

/// The identity of a started engine, never reused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EngineId(u64);

/// What an engine was started with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineInfo {
    /// The name that the user gave it.
    pub name: String,
    /// Whether that is the name of a profile.
    pub is_profile: bool,
    /// The number of candidates (`multipv`) that it is asked for.
    pub candidates: u32,
    /// The number of threads it searches with.
    pub threads: u32,
}

/// The place of an engine that is being started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// It replaces this engine.
    Replace(EngineId),
    /// It is added to the others.
    Add,
}

/// The engines, in the order of the bar's [`EngineReport`]s.
#[derive(Debug, Default)]
pub(super) struct Engines {
    running: Vec<(EngineId, EngineInfo)>,
    /// The engine that is being started. A newer request replaces it.
    starting: Option<(EngineId, String, Place)>,
    next_id: u64,
}

impl Engines {
    pub(super) fn ids(&self) -> impl Iterator<Item = EngineId> {
        self.running.iter().map(|(id, _)| *id)
    }

    /// Returns the index of a running engine.
    pub(super) fn index(&self, id: EngineId) -> Option<usize> {
        self.running.iter().position(|(known, _)| *known == id)
    }

    fn index_of(&self, name: &str) -> Option<usize> {
        self.running.iter().position(|(_, info)| info.name == name)
    }

    const fn new_id(&mut self) -> EngineId {
        self.next_id += 1;
        EngineId(self.next_id)
    }
}

impl EngineInfo {
    /// The report of the engine before its first output.
    fn report(&self) -> EngineReport {
        // Of a path, only the file name says which engine it is.
        let file = Path::new(&self.name).file_name().filter(|_| !self.is_profile);
        let name = file.map_or_else(|| self.name.clone(), |file| file.to_string_lossy().into_owned());
        EngineReport { name, is_profile: self.is_profile, ..EngineReport::default() }
    }
}

impl AppModel {
    /// Adds an engine that runs already. Returns its identity, and what it searches.
    pub fn add_engine(&mut self, info: EngineInfo) -> (EngineId, crate::session::SearchTarget) {
        self.state.add_engine(info.report());
        let id = self.engines.new_id();
        self.engines.running.push((id, info));
        (id, self.target.clone())
    }

    /// The names of the running engines, the one that the bar follows first.
    pub fn engine_names(&self) -> Vec<&str> {
        let mut names: Vec<_> = self.engines.running.iter().map(|(_, info)| info.name.as_str()).collect();
        let lead = self.state.lead().min(names.len());
        if let Some(names) = names.get_mut(..=lead) {
            names.rotate_right(1);
        }
        names
    }

    /// What the running engines were started with.
    pub fn engine_infos(&self) -> impl Iterator<Item = &EngineInfo> {
        self.engines.running.iter().map(|(_, info)| info)
    }

    /// Whether an engine is being started.
    pub const fn is_starting_engine(&self) -> bool {
        self.engines.starting.is_some()
    }

    /// Replaces the engine that the bar follows. An engine that already runs is restarted instead.
    pub(super) fn change_engine(&mut self, name: String) {
        let index = self.engines.index_of(&name).unwrap_or_else(|| self.state.lead());
        if let Some((replaced, _)) = self.engines.running.get(index) {
            let (place, count) = (Place::Replace(*replaced), self.engines.running.len());
            self.start(name, place, count);
        }
    }

    /// Adds a second engine, or removes the named one if two run.
    ///
    /// With [`MOST_ENGINES`] running, it replaces the one that the bar does not follow.
    pub(super) fn toggle_second_engine(&mut self, name: String) {
        let count = self.engines.running.len();
        if let Some(index) = self.engines.index_of(&name) {
            if count > 1 {
                self.state.dismiss_engine(index);
                let (id, _) = self.engines.running.remove(index);
                self.effects.push(AppEffect::EndEngine(id));
            }
            return;
        }
        let lead = self.state.lead();
        let other = self.engines.running.iter().enumerate().rfind(|(index, _)| *index != lead);
        let place = match other {
            Some((_, (id, _))) if count >= MOST_ENGINES => Place::Replace(*id),
            _ => Place::Add,
        };
        self.start(name, place, count + 1);
    }

    fn start(&mut self, name: String, place: Place, count: usize) {
        let id = self.engines.new_id();
        self.engines.starting = Some((id, name.clone(), place));
        self.effects.push(AppEffect::StartEngine { id, name, count: count.min(MOST_ENGINES) });
    }

    pub(super) fn on_engine_started(&mut self, id: EngineId, result: Result<EngineInfo, CauseText>) {
        let Some((_, name, place)) = self.engines.starting.take_if(|(starting, ..)| *starting == id) else {
            // Another engine was requested since.
            if result.is_ok() {
                self.effects.push(AppEffect::EndEngine(id));
            }
            return;
        };
        let info = match result {
            Ok(info) => info,
            Err(why) => return self.state.show_problem(&Message::EngineNotStarted(name, why)),
        };
        let replaced = match place {
            Place::Replace(replaced) => self.engines.index(replaced),
            Place::Add => None,
        };
        if let Some(index) = replaced {
            self.state.replace_engine(index, info.report());
            if let Some(engine) = self.engines.running.get_mut(index) {
                let (old, _) = std::mem::replace(engine, (id, info));
                self.effects.push(AppEffect::EndEngine(old));
            }
        } else if self.engines.running.len() < MOST_ENGINES {
            self.state.add_engine(info.report());
            self.engines.running.push((id, info));
        } else {
            return self.effects.push(AppEffect::EndEngine(id));
        }
        self.effects.push(AppEffect::SetTarget(id, self.target.clone()));
    }

    pub(super) fn rename(&mut self, old: &str, new: &str) {
        for (index, (_, info)) in self.engines.running.iter_mut().enumerate().filter(|(_, (_, info))| info.name == old)
        {
            new.clone_into(&mut info.name);
            self.state.rename(index, new);
        }
    }

    pub(super) fn press(&mut self, engine: &str, button: &str) {
        let pressed = self.engines.running.iter().filter(|(_, info)| info.name == engine);
        self.effects.extend(pressed.map(|(id, _)| AppEffect::Press(*id, button.to_owned())));
    }
}
