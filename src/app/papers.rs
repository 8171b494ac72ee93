//! The file of the record on view: it is opened, saved, looked at for what others write, and what is not saved
//! is kept aside, so that nothing is lost when the program ends as it should not.

mod custodian;
mod paper;
mod recent;
#[cfg(test)]
mod tests;

use crate::files;
use crate::kifu::{self, Loss, Reading, Record, Target};
use crate::store::Store;
use crate::text::{Message, PaperRemark};
use custodian::{Custodian, News};
use paper::Paper;
use recent::Recent;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use paper::target_of;

/// What is called from another thread whenever there is something new to be [heard](Papers::hear).
pub type Wake = Arc<dyn Fn() + Send + Sync>;

/// What is to be done once nothing can be lost by it any more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Intent {
    /// To open a file.
    Open(PathBuf),
    /// To put another record on view.
    Show(Box<Record>),
    /// To end the program.
    Quit,
}

/// What becomes of the record on view.
#[derive(Debug)]
pub enum Event {
    /// Another record is to be on view.
    Opened(Record, Option<Message>),
    /// So is one that a program left behind, which is in no file of the user's.
    BroughtBack(Record, PathBuf),
    /// It has been changed elsewhere.
    Followed(Record),
    /// Something is to be said.
    Said(Message),
}

/// The file of the record on view, and what is to be done with it.
#[derive(Debug)]
pub struct Papers {
    paper: Option<Paper>,
    custodian: Option<Custodian>,
    /// What waits for an answer about changes that are not saved.
    intent: Option<Intent>,
    /// The file that is being read.
    reading: Option<PathBuf>,
    /// What was left behind by a program that ended as it should not.
    found: Vec<PathBuf>,
    /// Where copies are kept aside.
    aside: Option<PathBuf>,
    recent: Recent,
}

impl Papers {
    /// With a folder of the user's for what is not saved and what was opened before, where there is one.
    pub fn new(store: Option<&Store>, wake: Wake) -> Self {
        let aside = store.map(Store::unsaved_folder);
        let recent = Recent::new(store.map(Store::recent_file));
        let found = aside.as_deref().map(custodian::left_behind).unwrap_or_default();
        let custodian = Custodian::start(aside.clone(), wake).ok();
        Self { paper: None, custodian, intent: None, reading: None, found, aside, recent }
    }

    /// The record on view was read from a file.
    pub fn adopt(&mut self, path: &Path, reading: &Reading) {
        self.paper = Some(Paper::of(path, reading, files::stamp(path)));
        self.watch();
    }

    /// The file; `None` where the record is in none.
    pub fn path(&self) -> Option<&Path> {
        self.paper.as_ref().map(Paper::path)
    }

    /// The files that were on view, the last one first.
    pub fn recent(&self) -> &[PathBuf] {
        self.recent.files()
    }

    /// The file that is being read.
    pub fn reading(&self) -> Option<&Path> {
        self.reading.as_deref()
    }

    /// What the record is called.
    pub fn name(&self) -> Option<String> {
        let name = self.path()?.file_name()?;
        Some(name.to_string_lossy().into_owned())
    }

    /// The name to offer for a new file.
    pub fn suggested(&self) -> String {
        self.name().unwrap_or_else(|| "shogibar.kifu".to_owned())
    }

    /// Whether it is asked what is to become of changes.
    pub const fn asks(&self) -> bool {
        self.intent.is_some()
    }

    /// Does something that takes the record off the view, where nothing is lost by that; else it is asked first.
    /// Gives back what is to be done at once.
    pub fn intend(&mut self, intent: Intent, is_changed: bool) -> Option<Intent> {
        if is_changed {
            self.intent = Some(intent);
            return None;
        }
        Some(intent)
    }

    /// What waited for an answer, now that there is one.
    pub const fn answered(&mut self) -> Option<Intent> {
        self.intent.take()
    }

    /// Has a file be read, on a thread of its own.
    pub fn open(&mut self, path: &Path) {
        self.reading = Some(path.to_owned());
        if let Some(custodian) = &self.custodian {
            custodian.read(path);
        }
    }

    /// The record on view is in no file any more.
    pub fn leave(&mut self) {
        self.paper = None;
        self.watch();
    }

    /// Whether saving puts nothing in the place of what was not understood: else another file has to be chosen.
    pub fn can_save(&self) -> bool {
        self.paper.as_ref().is_some_and(Paper::is_whole)
    }

    /// Writes the record into its file.
    ///
    /// # Errors
    /// With what to say, where it cannot be written. What was there is then as it was.
    pub fn save(&mut self, record: &Record) -> Result<PaperRemark, PaperRemark> {
        let Some(paper) = &mut self.paper else { return Err(PaperRemark::NotSaved(String::new())) };
        let losses = paper.save(record)?;
        let name = paper.path().display().to_string();
        let target = paper.target();
        self.watch();
        Ok(said(name, target, &losses))
    }

    /// Writes the record into another file, whose name says in which format.
    ///
    /// # Errors
    /// With what to say, where it cannot be written.
    pub fn save_as(&mut self, path: &Path, record: &Record) -> Result<PaperRemark, PaperRemark> {
        let mut paper = Paper::new(path);
        let losses = paper.save(record)?;
        let target = paper.target();
        self.paper = Some(paper);
        self.watch();
        Ok(said(path.display().to_string(), target, &losses))
    }

    /// Has the file be looked at for what others write, from what is in it now.
    fn watch(&mut self) {
        if let Some(paper) = &self.paper {
            self.recent.remember(paper.path());
        }
        if let Some(custodian) = &self.custodian {
            custodian.watch(self.paper.as_ref().map(|paper| (paper.path().to_owned(), paper.stamp())));
        }
    }

    /// Keeps a copy of what is not saved; `None` where all is.
    pub fn keep_aside(&self, record: Option<Arc<Record>>) {
        if let Some(custodian) = &self.custodian {
            custodian.keep(record);
        }
    }

    /// What was left behind by a program that ended as it should not: records that can be brought back.
    pub fn left_behind(&self) -> &[PathBuf] {
        &self.found
    }

    /// What was left behind is on view again, and kept aside as what is not saved: it is removed when that is done.
    pub fn brought_back(&self, copy: PathBuf) {
        if let Some(custodian) = &self.custodian {
            custodian.forget(copy);
        }
    }

    /// Takes what was left behind as brought back, or as not wanted.
    pub fn forget_left_behind(&mut self) -> Vec<PathBuf> {
        std::mem::take(&mut self.found)
    }

    /// What has become of the record since. `is_changed` is whether there are changes that are not saved.
    pub fn hear(&mut self, is_changed: bool) -> Vec<Event> {
        let news = self.custodian.as_ref().map(Custodian::news).unwrap_or_default();
        news.into_iter().filter_map(|news| self.take_in(news, is_changed)).collect()
    }

    fn take_in(&mut self, news: News, is_changed: bool) -> Option<Event> {
        let News { path, reading, stamp, is_followed } = news;
        if is_followed {
            return self.follow(&path, reading, stamp, is_changed);
        }
        // Else another was asked for since.
        self.reading.take_if(|wanted| *wanted == path)?;
        match reading {
            Ok(reading) => {
                let is_aside = self.aside.as_deref().is_some_and(|aside| path.starts_with(aside));
                self.paper = (!is_aside).then(|| Paper::of(&path, &reading, stamp));
                self.watch();
                let (record, warnings) = reading.into_first()?;
                if is_aside {
                    return Some(Event::BroughtBack(record, path));
                }
                let first = warnings.first().cloned();
                Some(Event::Opened(record, first.map(|first| Message::RecordWarnings(warnings.len(), first))))
            }
            Err(why) => Some(Event::Said(*why)),
        }
    }

    fn follow(
        &mut self,
        path: &Path,
        reading: Result<Reading, Box<Message>>,
        stamp: Option<files::Stamp>,
        is_changed: bool,
    ) -> Option<Event> {
        let paper = self.paper.as_mut().filter(|paper| paper.path() == path)?;
        // A file that is half written is nothing to be told of: the rest will come.
        let reading = reading.ok()?;
        paper.stamp = stamp;
        if is_changed {
            return Some(Event::Said(PaperRemark::ChangedElsewhere(path.display().to_string()).into()));
        }
        *paper = Paper::of(path, &reading, stamp);
        reading.into_first().map(|(record, _)| Event::Followed(record))
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
pub fn read(path: &Path) -> Result<Reading, Box<Message>> {
    let unreadable = |why| Box::new(Message::RecordUnreadable(path.display().to_string(), why));
    let bytes = files::read(path, kifu::MAX_BYTES).map_err(|error| unreadable((&error).into()))?;
    kifu::read(&bytes).map_err(|error| unreadable((&error).into()))
}
