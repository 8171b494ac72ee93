//! The control of OBS: the user's settings, what OBS does, the answers to moments, and what was done. Pure: events and
//! the time go in, effects come out.

use crate::chapter::{Chapter, ChapterList, ChapterStart};
use crate::client::{ObsNews, ObsSnapshot};
use crate::connection::ObsAddress;
use crate::obs_text::{ObsPhrase, unreadable_settings};
use crate::rule::{MAX_RULES, ObsRule, RuleEffect, RuleRunner};
use crate::settings::ControlSettings;
use crate::task::{BrowserPage, ObsTask, PageKind, TaskOutcome, TaskProblem};
use shogibar_base::Lang;
use shogibar_programme::{Moment, MomentKind, MomentTracker, OutputChoices, OutputFrame};
use std::collections::VecDeque;
use std::path::Path;
use std::time::Duration;

/// The maximum number of entries in the list of what was done.
const MAX_ENTRIES: usize = 50;
/// The maximum number of moments that are stored for chapters. The oldest one is dropped for a new one.
const MAX_MARKS: usize = 1000;

/// What the user does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ControlAction {
    /// Connect to the OBS at this address, and store it.
    Connect(ObsAddress),
    /// End the connection.
    Disconnect,
    /// Find the password in OBS's own file. The user was asked.
    FindPassword,
    /// Add a page to a scene.
    AddPage {
        /// The scene.
        scene: String,
        /// The page.
        page: PageKind,
    },
    /// Replace the rules.
    SetRules(Vec<ObsRule>),
    /// Set the least time between two answers of a rule, in seconds.
    SetPause(u32),
    /// Ask for the sources of a scene.
    ListSources(String),
    /// Count chapters from now on.
    MarkStart,
    /// Copy the chapters.
    CopyChapters,
}

/// What is to be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ControlEffect {
    /// Connect to this OBS, or to none.
    Connect(Option<ObsAddress>),
    /// Give OBS a task with a number.
    Task(u64, ObsTask),
    /// Ask OBS for the sources of a scene.
    ListSources(String),
    /// Write a line to the file of moments.
    Line(String),
    /// Store the settings.
    Store(Box<ControlSettings>),
    /// Copy a text.
    Copy(String),
    /// Read the password from OBS's own file.
    FindPassword,
    /// Start the pages.
    StartPages,
}

/// Something that was done, or was tried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ControlEntry {
    /// The number of the task; `None` for something that OBS has no part in.
    number: Option<u64>,
    /// When it began.
    pub at: Duration,
    /// What it is, in Japanese and in English.
    pub words: [String; 2],
    /// What came of it; `None` while it runs.
    pub outcome: Option<TaskOutcome>,
}

/// The control of OBS.
#[derive(Debug, Default)]
pub struct ObsControl {
    settings: ControlSettings,
    snapshot: ObsSnapshot,
    tracker: MomentTracker,
    runner: RuleRunner,
    entries: VecDeque<ControlEntry>,
    marks: VecDeque<(Duration, Moment)>,
    marked_start: Option<Duration>,
    last_number: u64,
    /// The pages that are added once they are served, with the numbers of their tasks. Of their addresses, they have the
    /// last part.
    awaited_pages: Vec<(u64, BrowserPage)>,
    /// The password that was found in OBS's own file; empty if none was found, `None` before a search.
    found_password: Option<String>,
}

impl ObsControl {
    /// Creates the control with stored settings, and connects if they say so.
    pub fn new(settings: ControlSettings) -> (Self, Vec<ControlEffect>) {
        let connect = settings
            .address()
            .map(|address| ControlEffect::Connect(Some(address)));
        let control = Self {
            settings,
            ..Self::default()
        };
        (control, connect.into_iter().collect())
    }

    /// Returns the settings.
    pub const fn settings(&self) -> &ControlSettings {
        &self.settings
    }

    /// Returns the state of the connection, and what OBS does.
    pub const fn snapshot(&self) -> &ObsSnapshot {
        &self.snapshot
    }

    /// Returns what was done, the newest first.
    pub fn entries(&self) -> impl Iterator<Item = &ControlEntry> {
        self.entries.iter().rev()
    }

    /// Returns the number of moments that become chapters.
    pub fn chapter_count(&self) -> usize {
        self.marks.len()
    }

    /// Removes and returns the password that was found in OBS's own file; empty if none was found.
    pub const fn take_found_password(&mut self) -> Option<String> {
        self.found_password.take()
    }

    /// Returns whether frames have to be watched: there is a use for moments.
    pub const fn watches(&self) -> bool {
        self.settings.is_on
    }

    /// Applies a frame of the game on air.
    pub fn on_frame(
        &mut self,
        now: Duration,
        frame: &OutputFrame,
        choices: &OutputChoices,
        lang: Lang,
    ) -> Vec<ControlEffect> {
        let mut effects = Vec::new();
        for moment in self.tracker.update(frame, choices) {
            let answers = self
                .runner
                .answer(&self.settings.rules, &moment, self.settings.pause, now, lang);
            for answer in answers {
                match answer {
                    RuleEffect::Task(task) => {
                        let number = self.begin(now, &task);
                        effects.push(ControlEffect::Task(number, task));
                    }
                    RuleEffect::Line(line) => {
                        self.add_entry(now, None, ObsPhrase::LineWritten.texts(), Some(TaskOutcome::Done));
                        effects.push(ControlEffect::Line(line));
                    }
                }
            }
            if moment.kind != MomentKind::OnlyMove {
                if self.marks.len() >= MAX_MARKS {
                    self.marks.pop_front();
                }
                self.marks.push_back((now, moment));
            }
        }
        effects
    }

    /// Applies news of OBS.
    pub fn on_news(&mut self, news: ObsNews) {
        match news {
            ObsNews::Changed(snapshot) => self.snapshot = snapshot,
            ObsNews::Ended(number, outcome) => {
                if let Some(entry) = self.entries.iter_mut().find(|entry| entry.number == Some(number)) {
                    entry.outcome = Some(outcome);
                }
            }
        }
    }

    /// Lists that the stored settings cannot be read, for a reason. `backup` is a copy of their file.
    pub fn on_unreadable_settings(&mut self, now: Duration, reason: &str, backup: Option<&Path>) {
        let words = Lang::ALL.map(|lang| unreadable_settings(reason, backup, lang));
        self.add_entry(
            now,
            None,
            words,
            Some(TaskOutcome::Failed(TaskProblem::SettingsUnread)),
        );
    }

    /// Applies the result of [`ControlEffect::FindPassword`].
    pub fn on_password(&mut self, password: Option<String>) {
        self.found_password = Some(password.unwrap_or_default());
    }

    /// Applies an action of the user. `page_url` is the address of the pages; `None` while they are off.
    pub fn act(
        &mut self,
        now: Duration,
        action: ControlAction,
        page_url: Option<&str>,
        lang: Lang,
    ) -> Vec<ControlEffect> {
        match action {
            ControlAction::Connect(address) => {
                let settings = &mut self.settings;
                settings.is_on = true;
                (settings.host, settings.port, settings.password) =
                    (address.host, address.port, address.password);
                vec![ControlEffect::Connect(settings.address()), self.store()]
            }
            ControlAction::Disconnect => {
                self.settings.is_on = false;
                vec![ControlEffect::Connect(None), self.store()]
            }
            ControlAction::FindPassword => vec![ControlEffect::FindPassword],
            ControlAction::AddPage { scene, page } => self.add_page(now, scene, page, page_url),
            ControlAction::SetRules(mut rules) => {
                rules.truncate(MAX_RULES);
                self.settings.rules = rules;
                vec![self.store()]
            }
            ControlAction::SetPause(pause) => {
                self.settings.pause = pause;
                vec![self.store()]
            }
            ControlAction::ListSources(scene) => vec![ControlEffect::ListSources(scene)],
            ControlAction::MarkStart => {
                self.marked_start = Some(now);
                self.add_entry(now, None, ObsPhrase::StartMarked.texts(), Some(TaskOutcome::Done));
                Vec::new()
            }
            ControlAction::CopyChapters => {
                let list = self.chapters(lang);
                list.map(|(list, _)| ControlEffect::Copy(list.text))
                    .into_iter()
                    .collect()
            }
        }
    }

    /// Returns the chapters with the point from which they are counted: the recording's begin, else the stream's, else
    /// the one that the user has marked. `None` without one.
    pub fn chapters(&self, lang: Lang) -> Option<(ChapterList, ChapterStart)> {
        let status = &self.snapshot.status;
        let (start, kind) = [
            (status.recording_start, ChapterStart::Recording),
            (status.stream_start, ChapterStart::Stream),
            (self.marked_start, ChapterStart::Marked),
        ]
        .into_iter()
        .find_map(|(start, kind)| Some((start?, kind)))?;
        let chapters: Vec<_> = self
            .marks
            .iter()
            .filter_map(|(at, moment)| {
                Some(Chapter {
                    at: at.checked_sub(start)?,
                    name: moment.line(lang),
                })
            })
            .collect();
        let list = ChapterList::new(&chapters, ObsPhrase::FirstChapter.text(lang));
        Some((list, kind))
    }

    fn store(&self) -> ControlEffect {
        ControlEffect::Store(Box::new(self.settings.clone()))
    }

    /// Adds a page to a scene. While the pages are off, this starts them first.
    fn add_page(
        &mut self,
        now: Duration,
        scene: String,
        page: PageKind,
        page_url: Option<&str>,
    ) -> Vec<ControlEffect> {
        let (name, path) = page.names();
        let page = BrowserPage {
            scene,
            name: name.to_owned(),
            url: path.to_owned(),
        };
        let number = self.begin(now, &ObsTask::AddPage(page.clone()));
        self.awaited_pages.push((number, page));
        match page_url {
            Some(url) => self.on_pages(Some(url)),
            None => vec![ControlEffect::StartPages],
        }
    }

    /// Applies the result of [`ControlEffect::StartPages`]: the address of the pages; `None` if they cannot be served.
    pub fn on_pages(&mut self, page_url: Option<&str>) -> Vec<ControlEffect> {
        let mut effects = Vec::new();
        for (number, mut page) in std::mem::take(&mut self.awaited_pages) {
            let Some(url) = page_url else {
                let problem = TaskProblem::PagesOff;
                self.on_news(ObsNews::Ended(number, TaskOutcome::Failed(problem)));
                continue;
            };
            page.url.insert_str(0, url);
            // Where OBS has no browser source, the user pastes the address elsewhere.
            effects.push(ControlEffect::Copy(page.url.clone()));
            effects.push(ControlEffect::Task(number, ObsTask::AddPage(page)));
        }
        effects
    }

    /// Returns whether a page is to be added once the pages are served.
    pub const fn awaits_pages(&self) -> bool {
        !self.awaited_pages.is_empty()
    }

    /// Lists a task as running, and returns its number.
    fn begin(&mut self, now: Duration, task: &ObsTask) -> u64 {
        self.last_number += 1;
        let number = self.last_number;
        let words = Lang::ALL.map(|lang| task.text(lang));
        self.add_entry(now, Some(number), words, None);
        number
    }

    fn add_entry(
        &mut self,
        now: Duration,
        number: Option<u64>,
        words: [String; 2],
        outcome: Option<TaskOutcome>,
    ) {
        if self.entries.len() >= MAX_ENTRIES {
            self.entries.pop_front();
        }
        self.entries.push_back(ControlEntry {
            number,
            at: now,
            words,
            outcome,
        });
    }
}

#[cfg(test)]
mod tests;
