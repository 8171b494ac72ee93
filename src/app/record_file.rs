//! The file of the record on view: it is opened, saved, looked at for what others write, and what is not saved
//! is kept aside, so that nothing is lost when the program ends as it should not.

mod file_worker;
mod game_list;
mod open_file;
mod recent;
#[cfg(test)]
mod tests;

use crate::files::{self, FileStamp};
use crate::kifu::{self, Loss, ReadGames, Record, Target, Warning};
use crate::store::Store;
use crate::text::visible::visible;
use crate::text::{self, Lang, Message, PaperRemark};
use file_worker::{FileEvent, FileWorker};
use game_list::{GameEntry, GameList};
use open_file::{OpenFile, SaveRefusal};
use recent::RecentFiles;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use file_worker::{OriginalFile, RecoveredFile};
pub use open_file::target_of;

/// What is called from another thread whenever there is something new to be [heard](Papers::hear).
pub type WakeFn = Arc<dyn Fn() + Send + Sync>;

/// What is to be done once nothing can be lost by it any more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PendingAction {
    /// To open a file.
    Open(PathBuf),
    /// To open the first of several files, and have the others at hand.
    OpenAll(Vec<PathBuf>),
    /// To turn to another of what is at hand.
    Turn(usize),
    /// To put another record on view.
    Show(Box<Record>),
    /// To end the program.
    Quit,
}

/// What has to be asked before a record is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SaveConflict {
    /// The format has no place for all of it: the first of so many things.
    Loses(Target, Loss, usize),
    /// Another program has written to the file since it was read.
    ChangedElsewhere(String),
    /// There is a file of that name, and nobody has been asked about it.
    ThereAlready(String),
}

/// A record was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SaveOutcome {
    /// All of it that there is a place for: it is saved.
    Record(PaperRemark),
    /// The position alone: the record is not.
    Position(PaperRemark),
}

/// What becomes of the record on view.
#[derive(Debug)]
pub enum RecordEvent {
    /// Another record is to be on view.
    Opened(Arc<Record>, Option<Message>),
    /// So is one that a program left behind, which is in no file of the user's.
    BroughtBack(Record, PathBuf),
    /// It has been changed elsewhere.
    Followed(Record),
    /// Something is to be said.
    Said(Message),
}

/// The file of the record on view, and what is to be done with it.
#[derive(Debug)]
pub struct RecordFile {
    paper: Option<OpenFile>,
    custodian: Option<FileWorker>,
    /// What waits for an answer about changes that are not saved.
    intent: Option<PendingAction>,
    /// Whether the answer was that they are to be saved, which may take another question.
    is_agreed: bool,
    /// What has to be confirmed before the record is written, to another file where one is named.
    doubt: Option<(SaveConflict, Option<PathBuf>)>,
    /// Whether others have written to the file what is not on view, because there are changes that are not saved.
    is_behind: bool,
    /// The file that is being read, and the revision of the record that it was asked for at.
    reading: Option<(PathBuf, u64)>,
    shelf: GameList,
    /// What was left behind by a program that ended as it should not.
    found: Vec<RecoveredFile>,
    /// Where copies are kept aside.
    aside: Option<PathBuf>,
    recent: RecentFiles,
}

impl SaveConflict {
    /// The sentence in a language.
    pub fn text(&self, lang: Lang) -> String {
        match self {
            Self::Loses(target, loss, count) => text::loses(*target, loss, *count, lang),
            Self::ChangedElsewhere(name) => text::changed_elsewhere(name, lang),
            Self::ThereAlready(name) => text::there_already(name, lang),
        }
    }
}

impl RecordFile {
    /// With a folder of the user's for what is not saved and what was opened before, where there is one.
    pub fn new(store: Option<&Store>, wake: WakeFn) -> Self {
        let aside = store.map(Store::unsaved_folder);
        let recent = RecentFiles::new(store.map(Store::recent_file));
        let found = aside.as_deref().map(file_worker::left_behind).unwrap_or_default();
        let custodian = FileWorker::start(aside.clone(), wake).ok();
        let shelf = GameList::default();
        Self {
            paper: None,
            custodian,
            intent: None,
            is_agreed: false,
            doubt: None,
            is_behind: false,
            reading: None,
            shelf,
            found,
            aside,
            recent,
        }
    }

    /// A file was read, when it was this: its first game is to be on view, with what was not understood.
    pub(super) fn set_opened(
        &mut self,
        path: &Path,
        reading: ReadGames,
        stamp: Option<FileStamp>,
    ) -> Option<(Arc<Record>, Vec<Warning>)> {
        self.paper = Some(OpenFile::from_reading(path, &reading, stamp));
        self.doubt = None;
        self.watch_file();
        let games: Vec<_> = reading.games.into_iter().map(Arc::new).collect();
        self.shelf.add_games(path, &games);
        Some((games.into_iter().next()?, reading.warnings))
    }

    /// What is at hand beside the record on view, by what it is called; nothing where there is nothing else. And which
    /// of it is on view.
    pub fn game_names(&self) -> (&[String], usize) {
        (self.shelf.titles(), self.shelf.at())
    }

    /// The file; `None` where the record is in none.
    pub fn path(&self) -> Option<&Path> {
        self.paper.as_ref().map(OpenFile::path)
    }

    /// The files that were on view, the last one first.
    pub fn recent(&self) -> &[PathBuf] {
        self.recent.files()
    }

    /// The file that is being read.
    pub fn reading(&self) -> Option<&Path> {
        self.reading.as_ref().map(|(path, _)| path.as_path())
    }

    /// What the record is called, harmless to show.
    pub fn name(&self) -> Option<String> {
        let name = self.path()?.file_name()?;
        Some(visible(&name.to_string_lossy()).into_owned())
    }

    /// The file to offer for what is to be written: its own, where it can be written there, or one beside it.
    pub fn suggested(&self) -> PathBuf {
        let Some(path) = self.path() else { return PathBuf::from("shogibar.kifu") };
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let holds_no_moves = open_file::target_of(&path).is_some_and(open_file::holds_no_moves);
        if holds_no_moves { path.with_extension("kifu") } else { path }
    }

    /// Whether it is asked what is to become of changes.
    pub const fn asks(&self) -> bool {
        self.intent.is_some()
    }

    /// Whether that is because the program is to end.
    pub fn ends(&self) -> bool {
        self.intent == Some(PendingAction::Quit)
    }

    /// Does something that takes the record off the view, where nothing is lost by that; else it is asked first.
    /// Gives back what is to be done at once.
    pub fn intend(&mut self, intent: PendingAction, is_changed: bool) -> Option<PendingAction> {
        self.is_agreed = false;
        if is_changed {
            self.intent = Some(intent);
            return None;
        }
        Some(intent)
    }

    /// The changes are to be saved before it is done.
    pub const fn confirm_pending(&mut self) {
        self.is_agreed = true;
    }

    /// What waited for the record to be saved, now that it is: who saved it without having been asked to goes on working.
    pub fn saved(&mut self) -> Option<PendingAction> {
        let is_agreed = self.is_agreed;
        self.answered().filter(|_| is_agreed)
    }

    /// What waited for an answer, now that there is one.
    pub const fn answered(&mut self) -> Option<PendingAction> {
        self.is_agreed = false;
        self.intent.take()
    }

    /// Has a file be read, on a thread of its own, while this revision of a record is on view.
    pub fn open(&mut self, path: &Path, revision: u64) {
        self.reading = Some((path.to_owned(), revision));
        if let Some(custodian) = &self.custodian {
            custodian.read(path);
        }
    }

    /// The record on view is in no file any more.
    pub fn leave(&mut self) {
        (self.paper, self.shelf, self.doubt) = (None, GameList::default(), None);
        self.watch_file();
    }

    /// Has the first of several files be read, with the others at hand.
    pub fn open_all(&mut self, files: Vec<PathBuf>, revision: u64) {
        let Some(first) = files.first().cloned() else { return };
        self.shelf = GameList::from_files(files);
        self.open(&first, revision);
    }

    /// Has further files at hand.
    pub fn set_files(&mut self, files: &[PathBuf]) {
        self.shelf.add(files);
    }

    /// Turns to another of what is at hand: a game is given back, to be on view, and a file is read.
    pub fn select(&mut self, at: usize, revision: u64) -> Option<Arc<Record>> {
        match self.shelf.select(at)? {
            GameEntry::Game(game) => {
                self.doubt = None;
                Some(game)
            }
            GameEntry::File(path) => {
                self.open(&path, revision);
                None
            }
        }
    }

    /// Whether saving puts nothing in the place of what was not understood: else another file has to be chosen.
    pub fn can_save(&self) -> bool {
        self.paper.as_ref().is_some_and(OpenFile::is_whole)
    }

    /// Writes the record into its file, or into another, whose name says in which format. `None` where that has to be
    /// [confirmed](Self::doubt) first.
    ///
    /// # Errors
    /// With what to say, where it cannot be written. What was there is then as it was.
    pub fn save(&mut self, path: Option<&Path>, record: &Record) -> Result<Option<SaveOutcome>, PaperRemark> {
        self.write(path, record, false)
    }

    /// The same where nobody was asked about a file of that name, as a dialog of the system does.
    ///
    /// # Errors
    /// As [`save`](Self::save) has them.
    pub fn save_without_questions(&mut self, path: &Path, record: &Record) -> Result<Option<SaveOutcome>, PaperRemark> {
        let is_own = self.paper.as_ref().is_some_and(|paper| paper.is_whole() && files::is_same(paper.path(), path));
        if is_own {
            return self.save(None, record);
        }
        if path.exists() {
            self.doubt = Some((SaveConflict::ThereAlready(path.display().to_string()), Some(path.to_owned())));
            return Ok(None);
        }
        self.save(Some(path), record)
    }

    /// Writes it as it was to be before that had to be confirmed.
    ///
    /// # Errors
    /// As [`save`](Self::save) has them.
    pub fn save_despite_conflict(&mut self, record: &Record) -> Result<Option<SaveOutcome>, PaperRemark> {
        let Some((_, path)) = self.doubt.take() else { return Ok(None) };
        self.write(path.as_deref(), record, true)
    }

    /// What has to be confirmed before the record is written.
    pub const fn doubt(&self) -> Option<&SaveConflict> {
        match &self.doubt {
            Some((doubt, _)) => Some(doubt),
            None => None,
        }
    }

    /// It is not confirmed.
    pub fn cancel_save(&mut self) {
        self.doubt = None;
    }

    fn write(
        &mut self,
        path: Option<&Path>,
        record: &Record,
        is_confirmed: bool,
    ) -> Result<Option<SaveOutcome>, PaperRemark> {
        // A new attempt to save answers the question about the one before.
        self.doubt = None;
        let mut other = path.map(OpenFile::new);
        let not_whole = || PaperRemark::NotWhole(String::new());
        let paper =
            other.as_mut().or_else(|| self.paper.as_mut().filter(|paper| paper.is_whole())).ok_or_else(not_whole)?;
        let (name, target) = (paper.path().display().to_string(), paper.target());
        let is_position = open_file::holds_no_moves(target) && !record.is_empty();
        match paper.save(record, is_confirmed || is_position) {
            Ok(_) if is_position => Ok(Some(SaveOutcome::Position(PaperRemark::PositionSaved(name)))),
            Ok(losses) => {
                if let Some(other) = other {
                    self.paper = Some(other);
                    self.shelf = GameList::default();
                }
                self.watch_file();
                Ok(Some(SaveOutcome::Record(said(name, target, &losses))))
            }
            Err(SaveRefusal::Doubt(doubt)) => {
                self.doubt = Some((doubt, path.map(Path::to_owned)));
                Ok(None)
            }
            Err(SaveRefusal::Failed(why)) => Err(why),
        }
    }

    /// Whether others have written to the file what is not on view, because there are changes that are not saved.
    pub const fn is_behind(&self) -> bool {
        self.is_behind
    }

    /// Has the file be looked at for what others write, from what is in it now.
    fn watch_file(&mut self) {
        self.is_behind = false;
        if let Some(paper) = &self.paper {
            self.recent.remember(paper.path());
        }
        if let Some(custodian) = &self.custodian {
            custodian.watch_file(self.paper.as_ref().map(|paper| (paper.path().to_owned(), paper.stamp())));
        }
    }

    /// Keeps a copy of what is not saved; `None` where all is.
    pub fn autosave(&self, record: Option<Arc<Record>>) {
        if let Some(custodian) = &self.custodian {
            let of = self.paper.as_ref().map(OriginalFile::from_open_file);
            custodian.keep(record.map(|record| (record, of)));
        }
    }

    /// How many records were left behind, and what the file is called that the first is of; `None` where none was.
    pub fn left_behind_of(&self) -> Option<(usize, Option<String>)> {
        let name = self.found.first()?.of.as_ref().and_then(|of| of.path.file_name());
        Some((self.found.len(), name.map(|name| visible(&name.to_string_lossy()).into_owned())))
    }

    /// What was left behind by a program that ended as it should not: records that can be brought back.
    pub fn left_behind(&self) -> &[RecoveredFile] {
        &self.found
    }

    /// What was left behind is on view again, and kept aside as what is not saved: it is removed when that is done.
    pub fn recovered(&mut self, copy: PathBuf) {
        self.found.retain(|found| found.copy != copy);
        if let Some(custodian) = &self.custodian {
            custodian.discard_copy(copy);
        }
    }

    /// Takes what was left behind as not wanted.
    pub fn throw_away(&mut self) {
        for found in std::mem::take(&mut self.found) {
            file_worker::remove(&found.copy);
        }
    }

    /// What has become of the record since. `changed` is its revision, where there are changes that are not saved.
    pub fn poll(&mut self, changed: Option<u64>) -> Vec<RecordEvent> {
        let news = self.custodian.as_ref().map(FileWorker::poll_events).unwrap_or_default();
        let not_kept = self.custodian.as_ref().and_then(FileWorker::not_kept);
        let said = not_kept.map(|why| RecordEvent::Said(PaperRemark::NotKeptAside(why).into()));
        news.into_iter().filter_map(|news| self.on_file_event(news, changed)).chain(said).collect()
    }

    fn on_file_event(&mut self, news: FileEvent, changed: Option<u64>) -> Option<RecordEvent> {
        let FileEvent { path, reading, stamp, is_followed } = news;
        if is_followed {
            return self.follow(&path, reading, stamp, changed.is_some());
        }
        // Else another was asked for since.
        let (_, revision) = self.reading.take_if(|(wanted, _)| *wanted == path)?;
        // What was changed meanwhile is not to be lost: it is asked, and read again.
        if changed.is_some_and(|changed| changed != revision) {
            self.intent = Some(PendingAction::Open(path));
            return None;
        }
        let reading = match reading {
            Ok(reading) => reading,
            Err(why) => return Some(RecordEvent::Said(*why)),
        };
        if self.aside.as_deref().is_some_and(|aside| path.starts_with(aside)) {
            self.leave();
            let found = self.found.iter().find(|found| found.copy == path);
            self.paper = found.and_then(|found| found.of.as_ref()).map(OpenFile::from_original);
            // Without a stamp it cannot be told whether the file has changed.
            if self.paper.as_ref().is_some_and(|paper| paper.stamp().is_some()) {
                self.watch_file();
            }
            let (record, _) = reading.into_first()?;
            return Some(RecordEvent::BroughtBack(record, path));
        }
        let (record, warnings) = self.set_opened(&path, reading, stamp)?;
        let first = warnings.first().cloned();
        Some(RecordEvent::Opened(record, first.map(|first| Message::RecordWarnings(warnings.len(), first))))
    }

    fn follow(
        &mut self,
        path: &Path,
        reading: Result<ReadGames, Box<Message>>,
        stamp: Option<FileStamp>,
        is_changed: bool,
    ) -> Option<RecordEvent> {
        let paper = self.paper.as_mut().filter(|paper| paper.path() == path)?;
        // A file that is half written is nothing to be told of: the rest will come. And what was read before we wrote
        // is not what is in it.
        let reading = reading.ok().filter(|_| files::stamp(path) == stamp)?;
        if is_changed {
            // Until it is saved, which has to be confirmed then, or read again. It is said once, not at every move.
            let is_new = !std::mem::replace(&mut self.is_behind, true);
            return is_new.then(|| RecordEvent::Said(PaperRemark::ChangedElsewhere(path.display().to_string()).into()));
        }
        *paper = OpenFile::from_reading(path, &reading, stamp);
        self.is_behind = false;
        reading.into_first().map(|(record, _)| RecordEvent::Followed(record))
    }
}

fn said(name: String, target: Target, losses: &[Loss]) -> PaperRemark {
    match losses.first() {
        None => PaperRemark::Saved(name),
        Some(loss) => PaperRemark::SavedWithLoss(name, target, loss.clone(), losses.len()),
    }
}

/// Reads a file as a record.
///
/// # Errors
/// With what to say.
pub fn read(path: &Path) -> Result<ReadGames, Box<Message>> {
    let unreadable = |why| Box::new(Message::RecordUnreadable(path.display().to_string(), why));
    let bytes = files::read(path, kifu::MAX_BYTES).map_err(|error| unreadable((&error).into()))?;
    kifu::read_named(&bytes, path).map_err(|error| unreadable((&error).into()))
}
