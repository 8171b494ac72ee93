//! The file that a record is in.

use super::{OriginalFile, SaveConflict};
use crate::files::{self, FileStamp};
use crate::kifu::{self, Loss, ReadGames, Record, Target};
use crate::text::RecordRemark;
use std::io::ErrorKind;
use std::mem::discriminant;
use std::path::{Path, PathBuf};

/// A file and its format.
#[derive(Debug)]
pub(super) struct OpenFile {
    path: PathBuf,
    target: Target,
    /// Whether the record holds all that is in the file: else saving would lose the rest.
    is_whole: bool,
    /// The file's stamp when it was last read or written.
    pub(super) stamp: Option<FileStamp>,
    /// The losses of the format that the user has confirmed.
    confirmed: Vec<Loss>,
    /// Whether it was never read or written here, and its stamp is not known from an earlier run.
    is_unknown: bool,
}

/// Why a record was not written.
#[derive(Debug)]
pub(super) enum SaveRefusal {
    /// The user has to confirm it first.
    Conflict(SaveConflict),
    /// Writing failed.
    Failed(RecordRemark),
}

impl OpenFile {
    /// Creates it for a file that was read, with the stamp it had then.
    pub(super) fn from_reading(path: &Path, reading: &ReadGames, stamp: Option<FileStamp>) -> Self {
        // A line of USI has no place for comments.
        let target = match reading.target {
            Target::Usi => target_of(path).unwrap_or(Target::Kifu),
            own => own,
        };
        let is_whole = reading.games.len() == 1 && reading.warnings.is_empty() && !holds_no_moves(target);
        Self { path: path.to_owned(), target, is_whole, stamp, confirmed: Vec::new(), is_unknown: false }
    }

    /// Creates it for a file that the user has chosen to write.
    pub(super) fn new(path: &Path) -> Self {
        let target = target_of(path).unwrap_or(Target::Kifu);
        let stamp = files::stamp(path);
        Self { path: path.to_owned(), target, is_whole: true, stamp, confirmed: Vec::new(), is_unknown: false }
    }

    /// Creates it for the file of a recovered record, with the stamp of its last autosave.
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

    /// Writes a record and returns the losses. `is_confirmed` skips the questions.
    pub(super) fn save(&mut self, record: &Record, is_confirmed: bool) -> Result<Vec<Loss>, SaveRefusal> {
        let written = kifu::write(record, self.target);
        if !is_confirmed {
            let stamp = files::stamp(&self.path);
            if stamp.is_some() && stamp != self.stamp {
                let name = self.path.display().to_string();
                // It is not known whether another program wrote the file.
                let conflict =
                    if self.is_unknown { SaveConflict::FileExists(name) } else { SaveConflict::ChangedElsewhere(name) };
                return Err(SaveRefusal::Conflict(conflict));
            }
            let mut new =
                written.losses.iter().filter(|loss| !self.confirmed.iter().any(|known| is_covered(known, loss)));
            if let Some(first) = new.next() {
                return Err(SaveRefusal::Conflict(SaveConflict::Lossy(self.target, first.clone(), 1 + new.count())));
            }
        }
        let failed = |error: files::WriteError| SaveRefusal::Failed(RecordRemark::NotSaved((&error).into()));
        if written.bytes.len() > kifu::MAX_BYTES {
            // It would be too large to be read again.
            return Err(failed(files::WriteError::new(&self.path, ErrorKind::FileTooLarge.into())));
        }
        files::write_whole(&self.path, &written.bytes).map_err(failed)?;
        (self.stamp, self.is_unknown) = (files::stamp(&self.path), false);
        self.confirmed.clone_from(&written.losses);
        Ok(written.losses)
    }
}

/// Whether a confirmed loss covers another loss.
fn is_covered(confirmed: &Loss, loss: &Loss) -> bool {
    match (confirmed, loss) {
        (Loss::Character { character: confirmed, .. }, Loss::Character { character, .. }) => confirmed == character,
        _ => discriminant(confirmed) == discriminant(loss),
    }
}

/// Whether a format holds only a position. A record is never attached to such a file.
pub(super) const fn holds_no_moves(target: Target) -> bool {
    matches!(target, Target::Sfen | Target::Bod)
}

/// The format of a file name's extension; `None` for an unknown one.
pub fn target_of(path: &Path) -> Option<Target> {
    Target::from_name(&path.extension()?.to_str()?.to_ascii_lowercase())
}
