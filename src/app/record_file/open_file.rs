//! The file that a record is in.

use super::{OriginalFile, SaveConflict};
use crate::files::{self, FileStamp};
use crate::kifu::{self, Loss, ReadGames, Record, Target};
use crate::text::PaperRemark;
use std::io::ErrorKind;
use std::mem::discriminant;
use std::path::{Path, PathBuf};

/// A file, and how it is written.
#[derive(Debug)]
pub(super) struct OpenFile {
    path: PathBuf,
    target: Target,
    /// Whether all that is in it is on view: else saving would lose the rest.
    is_whole: bool,
    /// What it was when it was read or written last.
    pub(super) stamp: Option<FileStamp>,
    /// What the user knows to be lost in it.
    known: Vec<Loss>,
    /// Whether it was never read or written here, and its stamp is not known from an earlier run.
    is_unknown: bool,
}

/// Why a record was not written.
#[derive(Debug)]
pub(super) enum SaveRefusal {
    /// It has to be asked first.
    Doubt(SaveConflict),
    /// It cannot be.
    Failed(PaperRemark),
}

impl OpenFile {
    /// A file that was read, when it was this.
    pub(super) fn from_reading(path: &Path, reading: &ReadGames, stamp: Option<FileStamp>) -> Self {
        // A line of USI has no place for comments.
        let target = match reading.target {
            Target::Usi => target_of(path).unwrap_or(Target::Kifu),
            own => own,
        };
        let is_whole = reading.games.len() == 1 && reading.warnings.is_empty() && !holds_no_moves(target);
        Self { path: path.to_owned(), target, is_whole, stamp, known: Vec::new(), is_unknown: false }
    }

    /// A file that is to be written, by the user's own word.
    pub(super) fn new(path: &Path) -> Self {
        let target = target_of(path).unwrap_or(Target::Kifu);
        let stamp = files::stamp(path);
        Self { path: path.to_owned(), target, is_whole: true, stamp, known: Vec::new(), is_unknown: false }
    }

    /// The file of a record that was left behind, as it was when its last copy was kept.
    pub(super) fn from_original(original: &OriginalFile) -> Self {
        Self { stamp: original.stamp, is_unknown: original.stamp.is_none(), ..Self::new(&original.path) }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) const fn target(&self) -> Target {
        self.target
    }

    pub(super) const fn stamp(&self) -> Option<FileStamp> {
        self.stamp
    }

    pub(super) const fn is_whole(&self) -> bool {
        self.is_whole
    }

    /// Writes a record. What has to be asked first is not, once it is confirmed.
    pub(super) fn save(&mut self, record: &Record, is_confirmed: bool) -> Result<Vec<Loss>, SaveRefusal> {
        let written = kifu::write(record, self.target);
        if !is_confirmed {
            let now = files::stamp(&self.path);
            if now.is_some() && now != self.stamp {
                let name = self.path.display().to_string();
                // Nobody knows whether another program wrote it.
                let doubt = if self.is_unknown {
                    SaveConflict::ThereAlready(name)
                } else {
                    SaveConflict::ChangedElsewhere(name)
                };
                return Err(SaveRefusal::Doubt(doubt));
            }
            let mut new = written.losses.iter().filter(|loss| !self.known.iter().any(|known| is_alike(known, loss)));
            if let Some(first) = new.next() {
                return Err(SaveRefusal::Doubt(SaveConflict::Loses(self.target, first.clone(), 1 + new.count())));
            }
        }
        let failed = |error: files::WriteError| SaveRefusal::Failed(PaperRemark::NotSaved((&error).into()));
        if written.bytes.len() > kifu::MAX_BYTES {
            // It would not be read again.
            return Err(failed(files::WriteError::new(&self.path, ErrorKind::FileTooLarge.into())));
        }
        files::write_whole(&self.path, &written.bytes).map_err(failed)?;
        (self.stamp, self.is_unknown) = (files::stamp(&self.path), false);
        self.known.clone_from(&written.losses);
        Ok(written.losses)
    }
}

/// Whether who knows of the one loss knows of the other.
fn is_alike(known: &Loss, loss: &Loss) -> bool {
    match (known, loss) {
        (Loss::Character { character: known, .. }, Loss::Character { character, .. }) => known == character,
        _ => discriminant(known) == discriminant(loss),
    }
}

/// Whether a format holds a position alone: a record that is in such a file is in none.
pub(super) const fn holds_no_moves(target: Target) -> bool {
    matches!(target, Target::Sfen | Target::Bod)
}

/// The format that the end of a file's name stands for; `None` for one that stands for none.
pub fn target_of(path: &Path) -> Option<Target> {
    Target::from_name(&path.extension()?.to_str()?.to_ascii_lowercase())
}
