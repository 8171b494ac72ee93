//! The decisions of a watched path, without disk and clock.

use super::{FILE_CHECK_INTERVAL, FileContent, FolderEntry, FollowedFile, LiveStamp};
use crate::game::{GameChoice, LiveGame, SourceEvent, SourceProblem, SourceState};
use crate::reader::ReaderUpdate;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The interval before a folder is listed again in which no tried file is a record.
const LISTING_RETRY_INTERVAL: Duration = Duration::from_millis(500);

/// The pause before a folder is listed again, as a multiple of the time that listing took.
const LISTING_PAUSE_FACTOR: u32 = 20;

/// The time that is stated until a followed game, which is gone, is searched again. A shorter one would not be reported.
const GONE_RETRY_INTERVAL: Duration = Duration::from_secs(1);

/// The maximum number of files that are tried when the newest one in a folder is not a record.
const MAX_TRIED_FILES: usize = 8;

/// An input of the core that watches a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WatchEvent {
    /// The deadline has passed.
    Deadline,
    /// The path is a folder with these records, in any order. Listing took this long.
    Listed(Vec<FolderEntry>, Duration),
    /// The metadata of the file, or why it could not be read.
    Stamped(PathBuf, Result<LiveStamp, SourceProblem>),
    /// The content of the file.
    Content(PathBuf, Result<FileContent, SourceProblem>),
}

/// An output of the core that watches a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WatchEffect {
    /// List the path if it is a folder, else read the metadata of the file.
    Examine(PathBuf),
    /// Read the metadata of a file.
    ReadStamp(PathBuf),
    /// Read a file.
    Read(PathBuf),
    /// Report an event.
    Report(SourceEvent),
}

/// The state machine of a watched path.
#[derive(Debug)]
pub struct WatchCore {
    path: PathBuf,
    now: Duration,
    deadline: Duration,
    /// The time at which a folder is listed again; `None` for a file.
    next_listing: Option<Duration>,
    /// The file that is followed; `None` before one was found.
    followed_file: Option<FollowedFile>,
    /// A newer file in the folder that may not be a record.
    candidate: Option<FollowedFile>,
    /// The files of a folder, the newest first.
    entries: Vec<FolderEntry>,
    /// The games that were offered last.
    choices: Vec<GameChoice>,
    state: Option<SourceState>,
    effects: Vec<WatchEffect>,
}

impl WatchCore {
    /// Starts to watch a path at the time `now`. Returns the core and its first effects.
    pub fn start(path: &Path, now: Duration) -> (Self, Vec<WatchEffect>) {
        let mut core = Self {
            path: path.to_owned(),
            now,
            deadline: now,
            next_listing: None,
            followed_file: None,
            candidate: None,
            entries: Vec::new(),
            choices: Vec::new(),
            state: None,
            effects: Vec::new(),
        };
        core.set_state(SourceState::Waiting);
        core.effects.push(WatchEffect::Examine(path.to_owned()));
        core.deadline = now + FILE_CHECK_INTERVAL;
        let effects = std::mem::take(&mut core.effects);
        (core, effects)
    }

    /// Returns when [`WatchEvent::Deadline`] is due.
    pub const fn deadline(&self) -> Duration {
        self.deadline
    }

    /// Applies one event at the time `now`, and returns the effects.
    pub fn step(&mut self, now: Duration, event: WatchEvent) -> Vec<WatchEffect> {
        self.now = now;
        match event {
            WatchEvent::Deadline => self.poll(),
            WatchEvent::Listed(entries, took) => self.on_listed(entries, took),
            WatchEvent::Stamped(path, stamp) => self.on_stamped(&path, stamp),
            WatchEvent::Content(path, content) => self.on_content(&path, content),
        }
        std::mem::take(&mut self.effects)
    }

    /// Requests what is due at the deadline.
    fn poll(&mut self) {
        if self.now < self.deadline {
            return;
        }
        self.deadline = self.now + FILE_CHECK_INTERVAL;
        if self.next_listing.is_some_and(|at| at <= self.now)
            || (self.next_listing.is_none() && self.followed_file.is_none())
        {
            self.effects.push(WatchEffect::Examine(self.path.clone()));
        }
        for file in [&self.followed_file, &self.candidate].into_iter().flatten() {
            self.effects.push(WatchEffect::ReadStamp(file.path().to_owned()));
        }
    }

    fn on_listed(&mut self, mut entries: Vec<FolderEntry>, took: Duration) {
        self.next_listing =
            Some(self.now + took.saturating_mul(LISTING_PAUSE_FACTOR).max(FILE_CHECK_INTERVAL));
        entries.sort_by(|one, two| two.cmp(one));
        entries.truncate(crate::game::MAX_CHOICES);
        self.entries = entries;
        let choices: Vec<GameChoice> = self.entries.iter().map(|entry| choice(&entry.path)).collect();
        let names = |choices: &[GameChoice]| {
            let mut names: Vec<String> = choices.iter().map(|choice| choice.address.clone()).collect();
            names.sort_unstable();
            names
        };
        // A file moves to the front when it is written. A new order alone is not reported.
        if names(&choices) != names(&self.choices) {
            self.choices = choices;
            self.effects
                .push(WatchEffect::Report(SourceEvent::Games(self.choices.clone())));
        }
        let Some(newest) = self.entries.first() else {
            self.candidate = None;
            if self.followed_file.is_none() {
                self.lose(SourceProblem::EmptyFolder);
            }
            return;
        };
        let is_watched =
            |file: &Option<FollowedFile>| file.as_ref().is_some_and(|file| file.path() == newest.path);
        if is_watched(&self.followed_file) {
            self.candidate = None;
        } else if !is_watched(&self.candidate) && !self.awaits_candidate() {
            self.try_file(&newest.path.clone());
        }
    }

    /// Returns whether a newer file is still being read. A further newer file waits, so that files written in turn are
    /// shown.
    fn awaits_candidate(&self) -> bool {
        self.candidate.as_ref().is_some_and(|file| {
            file.reader().is_doubtful() && self.entries.iter().any(|entry| entry.path == file.path())
        })
    }

    /// Makes a file the candidate.
    fn try_file(&mut self, path: &Path) {
        self.candidate = Some(FollowedFile::of_game(path));
        self.effects.push(WatchEffect::ReadStamp(path.to_owned()));
    }

    fn file(&mut self, path: &Path) -> Option<&mut FollowedFile> {
        let files = [&mut self.followed_file, &mut self.candidate];
        files.into_iter().flatten().find(|file| file.path() == path)
    }

    fn on_stamped(&mut self, path: &Path, stamp: Result<LiveStamp, SourceProblem>) {
        if self.next_listing.is_none() && self.followed_file.is_none() && path == self.path {
            self.followed_file = Some(FollowedFile::of_game(path));
        }
        if let (Err(problem), true, true) = (&stamp, self.next_listing.is_some(), path == self.path) {
            // The folder is gone.
            return self.lose(problem.clone());
        }
        let now = self.now;
        let Some(file) = self.file(path) else { return };
        let is_readable = file.reader().known().is_some() && !file.reader().is_missing();
        match stamp.map(|stamp| file.on_stamp(now, stamp)) {
            Ok(true) => self.effects.push(WatchEffect::Read(path.to_owned())),
            // The file exists again, unchanged.
            Ok(false) if is_readable && self.is_current(path) => self.set_state(SourceState::Live),
            Ok(false) => {}
            Err(problem) => self.on_read_failed(path, problem),
        }
    }

    fn is_current(&self, path: &Path) -> bool {
        self.followed_file
            .as_ref()
            .is_some_and(|file| file.path() == path)
    }

    fn on_read_failed(&mut self, path: &Path, problem: SourceProblem) {
        let is_current = self.is_current(path);
        let Some(file) = self.file(path) else { return };
        file.on_read_failed(&problem);
        if is_current {
            if file.reader().known().is_none() && problem != SourceProblem::TooLarge {
                // A later entry at this path may be a folder, so the path is examined again.
                self.followed_file = None;
            }
            self.lose(problem);
        } else {
            self.try_next(path, problem);
        }
    }

    /// Tries the next file of a folder at the start, when nothing is shown yet.
    fn try_next(&mut self, path: &Path, problem: SourceProblem) {
        if self.followed_file.is_some() {
            return;
        }
        let at = self.entries.iter().position(|entry| entry.path == path);
        let next = at
            .filter(|at| at + 1 < MAX_TRIED_FILES)
            .and_then(|at| self.entries.get(at + 1));
        if let Some(next) = next.map(|entry| entry.path.clone()) {
            return self.try_file(&next);
        }
        self.candidate = None;
        self.next_listing = Some(self.now + LISTING_RETRY_INTERVAL);
        self.lose(problem);
    }

    fn on_content(&mut self, path: &Path, content: Result<FileContent, SourceProblem>) {
        let content = match content {
            Ok(content) => content,
            Err(problem) => return self.on_read_failed(path, problem),
        };
        let now = self.now;
        let Some(file) = self.file(path) else { return };
        match file.update(now, &content, false) {
            ReaderUpdate::Changed(record) => {
                if !self.is_current(path) {
                    self.followed_file = self.candidate.take();
                }
                let game = LiveGame::from_record(path.to_string_lossy().into_owned(), record);
                self.effects.push(WatchEffect::Report(SourceEvent::Game(game)));
                self.set_state(SourceState::Live);
            }
            ReaderUpdate::Same => {
                if self.is_current(path) {
                    self.set_state(SourceState::Live);
                }
            }
            ReaderUpdate::Doubtful => {}
            ReaderUpdate::Missing => {
                if self.is_current(path) {
                    self.set_state(SourceState::Lost {
                        problem: SourceProblem::GameGone,
                        retry_in: GONE_RETRY_INTERVAL,
                    });
                }
            }
            ReaderUpdate::Unreadable(error) => {
                let is_current = self.is_current(path);
                // An empty or foreign file does not replace a game that is shown.
                if is_current {
                    self.lose(SourceProblem::NotARecord(error));
                } else {
                    self.try_next(path, SourceProblem::NotARecord(error));
                }
            }
        }
    }

    /// Reports that the file or folder is out of reach.
    fn lose(&mut self, problem: SourceProblem) {
        self.set_state(SourceState::Lost {
            problem,
            retry_in: FILE_CHECK_INTERVAL,
        });
    }

    fn set_state(&mut self, state: SourceState) {
        if self.state.as_ref() != Some(&state) {
            self.state = Some(state.clone());
            self.effects.push(WatchEffect::Report(SourceEvent::State(state)));
        }
    }
}

fn choice(path: &Path) -> GameChoice {
    let title = path
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    GameChoice {
        title,
        address: path.to_string_lossy().into_owned(),
    }
}

#[cfg(test)]
mod tests;
