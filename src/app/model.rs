//! The application as a pure core: [`AppModel::update`] applies an event and returns the effects. No I/O, thread or clock.
//!
//! `viewer` carries out the effects; what comes of one is an event again.

mod engines;
#[cfg(test)]
mod tests;

use super::record_file::{FileEffect, FileEvent, PendingAction, RecordEvent, RecordFile, Save};
use super::state::{AppAction, AppState};
use crate::analysis::AnalysisOptions;
use crate::kifu::{self, ReadGames, Record};
use crate::session::{SearchTarget, Snapshot};
use crate::shogi::Position;
use crate::study::{Document, UnsavedAnswer};
use crate::text::{CauseText, Message, RecordRemark};
use std::sync::Arc;

pub use engines::{EngineId, EngineInfo};

/// An input of the model.
#[derive(Debug)]
pub enum AppEvent {
    /// The user, or the program in the user's name, acts.
    Action(AppAction),
    /// The record was changed by the user, in place.
    Edited,
    /// What came of a [`FileEffect`].
    File(FileEvent),
    /// An engine was started, or could not be.
    EngineStarted(EngineId, Result<EngineInfo, CauseText>),
    /// An engine's state has changed.
    Snapshot(EngineId, Box<Snapshot>),
    /// The analysis of the game has begun or ended.
    AnalysisRunning(bool),
    /// A message for the user.
    Notice(Message),
    /// A failure, as a message for the user.
    Problem(Message),
}

/// An output of the model.
#[derive(Debug)]
pub enum AppEffect {
    /// Work with files.
    File(FileEffect),
    /// Start an engine, as one of so many. Answered by [`AppEvent::EngineStarted`].
    StartEngine {
        /// The engine's identity from now on.
        id: EngineId,
        /// Its name.
        name: String,
        /// The number of engines that run at once.
        count: usize,
    },
    /// End an engine.
    EndEngine(EngineId),
    /// Change what an engine searches. A newer target replaces an older one.
    SetTarget(EngineId, SearchTarget),
    /// Press a button option of an engine.
    Press(EngineId, String),
    /// Begin an analysis of the game.
    Analyse(Box<AnalysisOptions>),
    /// Pause or resume the analysis.
    PauseAnalysis,
    /// End the analysis. Its findings so far stay in the record.
    EndAnalysis,
    /// Drop the analysis: its record is no longer shown.
    DropAnalysis,
}

/// The current record and the engines that analyse its position.
#[derive(Debug)]
pub struct AppModel {
    state: AppState,
    record_file: RecordFile,
    engines: engines::Engines,
    /// The revision of the last autosave.
    autosaved_revision: u64,
    /// The last search target of the engines.
    target: SearchTarget,
    /// Whether the user wants the program to end, and no unsaved changes are lost.
    quits: bool,
    effects: Vec<AppEffect>,
}

impl AppModel {
    /// Creates the model of a state without engines, and of the record's file.
    pub fn new(state: AppState, record_file: RecordFile) -> Self {
        let autosaved_revision = state.document().revision();
        let target = state.search_target();
        Self {
            state,
            record_file,
            engines: engines::Engines::default(),
            autosaved_revision,
            target,
            quits: false,
            effects: Vec::new(),
        }
    }

    /// The current record and what the bar shows.
    pub const fn state(&self) -> &AppState {
        &self.state
    }

    /// The state, for what is not an event: the judge of the record, and the set-up before the first event.
    pub const fn state_mut(&mut self) -> &mut AppState {
        &mut self.state
    }

    /// The file of the current record.
    pub const fn record_file(&self) -> &RecordFile {
        &self.record_file
    }

    /// Whether the program is to end.
    pub const fn quits(&self) -> bool {
        self.quits
    }

    /// Applies an event and returns the effects, in order.
    pub fn update(&mut self, event: AppEvent) -> Vec<AppEffect> {
        match event {
            AppEvent::Action(action) => self.act(action),
            AppEvent::Edited => {}
            AppEvent::File(event) => {
                let events = self.record_file.on_event(event, self.state.document());
                self.on_record_events(events);
            }
            AppEvent::EngineStarted(id, result) => self.on_engine_started(id, result),
            AppEvent::Snapshot(id, snapshot) => {
                if let Some(index) = self.engines.index(id) {
                    self.state.update_engine(index, *snapshot);
                }
            }
            AppEvent::AnalysisRunning(is_running) => self.state.set_analysis_running(is_running),
            AppEvent::Notice(message) => self.state.show_notice(&message),
            AppEvent::Problem(message) => self.state.show_problem(&message),
        }
        self.autosave();
        self.set_targets();
        self.effects.extend(self.record_file.take_effects().into_iter().map(AppEffect::File));
        std::mem::take(&mut self.effects)
    }

    fn act(&mut self, action: AppAction) {
        if action.is_user_action() {
            self.state.dismiss();
        }
        match action {
            AppAction::Step(moves) => self.state.step(moves),
            AppAction::First => self.state.go_to(0),
            AppAction::Last => self.state.go_to(usize::MAX),
            AppAction::Pause => self.state.pause(),
            AppAction::Hide => self.state.hide(),
            AppAction::Dismiss => self.state.clear_transient(),
            AppAction::Seen => self.state.mark_seen(),
            AppAction::DismissTransient => self.state.dismiss_transient(),
            AppAction::Study(is_open) => self.state.set_study_open(is_open),
            AppAction::SetLanguage(lang) => self.state.set_language(lang),
            AppAction::Remark(remark) => self.state.show_transient(&remark),
            AppAction::Follow => self.state.follow_next(),
            AppAction::Open(path) => self.request(PendingAction::Open(path)),
            AppAction::OpenAll(files) => self.request(PendingAction::OpenAll(files)),
            AppAction::SelectGame(at) => self.request(PendingAction::Select(at)),
            AppAction::New => self.request(PendingAction::Show(Box::new(Record::new(&Position::startpos())))),
            AppAction::Start(position) => self.request(PendingAction::Show(Box::new(Record::new(&position)))),
            AppAction::Paste(text) => self.paste(&text),
            AppAction::Quit => self.request(PendingAction::Quit),
            AppAction::Save => self.record_file.save(Save::Own, self.state.document()),
            AppAction::SaveAs(path) => self.record_file.save(Save::As(path), self.state.document()),
            AppAction::SaveChecked(path) => self.record_file.save(Save::Checked(path), self.state.document()),
            AppAction::Answer(answer) => self.answer(answer),
            AppAction::Recover(recovers) => self.answer_recovery(recovers),
            AppAction::Analyse(options) => self.effects.push(AppEffect::Analyse(options)),
            AppAction::PauseAnalysis => self.effects.push(AppEffect::PauseAnalysis),
            AppAction::EndAnalysis => self.effects.push(AppEffect::EndAnalysis),
            AppAction::Engine(name) => self.change_engine(name),
            AppAction::ToggleSecondEngine(name) => self.toggle_second_engine(name),
            AppAction::Rename(old, new) => self.rename(&old, &new),
            AppAction::Press(engine, button) => self.press(&engine, &button),
        }
    }

    fn request(&mut self, action: PendingAction) {
        if let Some(action) = self.record_file.request(action, self.state.document()) {
            self.carry_out(action);
        }
    }

    fn carry_out(&mut self, action: PendingAction) {
        let revision = self.state.document().revision();
        match action {
            PendingAction::Open(path) => self.record_file.open(&path, revision),
            PendingAction::OpenAll(files) => self.record_file.open_all(files, revision),
            PendingAction::Select(at) => {
                if let Some(game) = self.record_file.select(at, revision) {
                    self.show(game);
                }
            }
            PendingAction::Show(record) => {
                self.record_file.detach();
                self.show(*record);
            }
            PendingAction::Quit => {
                self.record_file.delete_autosave();
                self.quits = true;
            }
        }
    }

    fn answer(&mut self, answer: UnsavedAnswer) {
        match answer {
            UnsavedAnswer::Cancel => self.record_file.cancel(),
            UnsavedAnswer::Discard => {
                if let Some(action) = self.record_file.discard() {
                    self.carry_out(action);
                }
            }
            UnsavedAnswer::Save if self.record_file.save_conflict().is_some() => {
                self.record_file.save_despite_conflict(self.state.document());
            }
            UnsavedAnswer::Save => {
                if let Err(why) = self.record_file.save_first(self.state.document()) {
                    self.state.show_problem(&why.into());
                }
            }
        }
    }

    fn paste(&mut self, text: &str) {
        let record = kifu::read(text.as_bytes()).ok().and_then(ReadGames::into_first);
        match record {
            Some((record, _)) => self.request(PendingAction::Show(Box::new(record))),
            None => self.state.show_notice(&RecordRemark::NothingToPaste.into()),
        }
    }

    fn answer_recovery(&mut self, recovers: bool) {
        match self.record_file.recoverable().first() {
            Some(first) if recovers => self.request(PendingAction::Open(first.copy.clone())),
            _ => self.record_file.discard_recoverable(),
        }
    }

    fn on_record_events(&mut self, events: Vec<RecordEvent>) {
        let mut saved = None;
        for event in events {
            match event {
                RecordEvent::Opened(record, remark) => {
                    self.show(record);
                    if let Some(remark) = remark {
                        self.state.show_notice(&remark);
                    }
                }
                RecordEvent::Recovered(record, copy) => {
                    self.show(record);
                    self.state.edit(Document::unsaved);
                    // Only once it is autosaved again, the recovered copy is not needed.
                    self.autosave();
                    self.record_file.mark_recovered(copy);
                }
                RecordEvent::Reloaded(record) => {
                    self.state.mark_current();
                    self.drop_analysis();
                    self.state.edit(|document| document.replace_with_newer(record));
                }
                RecordEvent::Saved(revision, remark) => {
                    self.state.edit(|document| document.saved(revision));
                    self.record_file.autosave(self.state.document());
                    saved = Some(remark);
                }
                RecordEvent::Proceed(action) => self.carry_out(action),
                RecordEvent::Notice(message) => self.state.show_notice(&message),
                RecordEvent::Problem(message) => self.state.show_problem(&message),
            }
        }
        // What follows a save dismisses the notices before it.
        if let Some(remark) = saved {
            self.state.show_notice(&remark.into());
        }
    }

    fn show(&mut self, record: impl Into<Arc<Record>>) {
        self.drop_analysis();
        self.state.open(record);
    }

    fn drop_analysis(&mut self) {
        if self.state.is_analysis_running() {
            self.state.edit(Document::finish_analysis);
            self.effects.push(AppEffect::DropAnalysis);
        }
    }

    /// Autosaves the record after a change.
    fn autosave(&mut self) {
        let document = self.state.document();
        if std::mem::replace(&mut self.autosaved_revision, document.revision()) != document.revision() {
            self.record_file.autosave(document);
        }
    }

    /// Tells the engines what to search, once that has changed.
    fn set_targets(&mut self) {
        let target = self.state.search_target();
        if self.target != target {
            self.target = target;
            let targets = self.engines.ids().map(|id| AppEffect::SetTarget(id, self.target.clone()));
            self.effects.extend(targets);
        }
    }

    /// Runs a change of the record, and returns its result and the effects.
    pub fn edit<T>(&mut self, work: impl FnOnce(&mut Document) -> T) -> (T, Vec<AppEffect>) {
        let done = self.state.edit(work);
        (done, self.update(AppEvent::Edited))
    }
}
