//! The file of the current record: its format, and the conditions for writing it.

use super::OriginalFile;
use shogibar_base::visible::visible;
use shogibar_base::{Lang, say};
use shogibar_files::FileStamp;
use shogibar_games::RecordRemark;
use shogibar_kifu::record_text::lost_parts;
use shogibar_kifu::{Loss, ReadGames, Target};
use std::mem::discriminant;
use std::path::{Path, PathBuf};

/// A reason to ask the user before a record is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SaveConflict {
    /// The format cannot hold the whole record.
    LossyFormat {
        /// The format of the file.
        target: Target,
        /// The first content that would be lost.
        first: Loss,
        /// The number of contents that would be lost.
        count: usize,
    },
    /// Another program has written to the file since it was read. Holds the file's name.
    ChangedElsewhere(String),
    /// A file with this name exists, and the user has not confirmed its replacement. Holds the file's name.
    FileExists(String),
}

impl SaveConflict {
    /// Returns the question for the user, in a language.
    pub fn text(&self, lang: Lang) -> String {
        match self {
            Self::LossyFormat { target, first, count } => say!(lang:
                "{target}形式で保存すると、{parts}が失われます。",
                "{target} cannot hold {parts}: that would be lost.", parts = lost_parts(first, *count, lang)),
            Self::ChangedElsewhere(name) => say!(lang:
                "{name} は、開いた後に外で書き換えられています。上書きすると、その内容は失われます。",
                "{name} was changed by another program since it was read. Saving would overwrite those changes.",
                name = visible(name)),
            Self::FileExists(name) => say!(lang:
                "{name} は既にあります。保存すると、その内容は失われます。",
                "{name} already exists. Saving would replace it.", name = visible(name)),
        }
    }
}

/// The reason why a record was not written.
#[derive(Debug)]
pub enum SaveRefusal {
    /// The user has to confirm a conflict first.
    Conflict(SaveConflict),
    /// Writing failed.
    Failed(RecordRemark),
}

/// The file of the record, with its format and stamp.
#[derive(Clone, Debug)]
pub struct OpenFile {
    path: PathBuf,
    target: Target,
    /// Whether the record contains everything that is in the file, so that saving loses nothing.
    was_read_whole: bool,
    /// The stamp of the file when it was last read or written; `None` if it did not exist then.
    stamp: Option<FileStamp>,
    /// Whether the stamp is unknown, because it was not stored with the autosave copy of a recovered record.
    is_stamp_lost: bool,
    /// The losses of the format that the user has confirmed.
    confirmed_losses: Vec<Loss>,
}

impl OpenFile {
    /// Creates the open file from the games that were read from it. `stamp` is from the time of reading.
    pub(super) fn from_read_games(path: &Path, read: &ReadGames, stamp: Option<FileStamp>) -> Self {
        // USI is kept as the format only if the extension names it, because a USI line cannot hold comments.
        let target = match read.target {
            Target::Usi => target_of(path).unwrap_or(Target::Kifu),
            own => own,
        };
        let is_whole = read.warnings.iter().all(|warning| warning.problem.is_choice());
        let was_read_whole =
            read.games.len() == 1 && is_whole && !read.container.is_excerpt() && !is_position_format(target);
        Self {
            path: path.to_owned(),
            target,
            was_read_whole,
            stamp,
            is_stamp_lost: false,
            confirmed_losses: Vec::new(),
        }
    }

    /// Creates the open file for a path that the user has chosen to write, with the present stamp. Existing content may
    /// be replaced.
    pub fn new(path: &Path, stamp: Option<FileStamp>) -> Self {
        Self {
            path: path.to_owned(),
            target: target_of(path).unwrap_or(Target::Kifu),
            was_read_whole: true,
            stamp,
            is_stamp_lost: false,
            confirmed_losses: Vec::new(),
        }
    }

    /// Creates the open file of a recovered record, with the stamp that was stored at the last autosave.
    pub(super) fn from_original(original: &OriginalFile) -> Self {
        let chosen = Self::new(&original.path, original.stamp);
        Self {
            is_stamp_lost: original.stamp.is_none(),
            target: original.target.unwrap_or(chosen.target),
            ..chosen
        }
    }

    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the format in which the file is saved.
    pub const fn target(&self) -> Target {
        self.target
    }

    /// Returns the stamp of the file when it was last read or written.
    pub const fn stamp(&self) -> Option<FileStamp> {
        self.stamp
    }

    /// Returns whether the record contains everything that is in the file, so that saving loses nothing.
    pub const fn was_read_whole(&self) -> bool {
        self.was_read_whole
    }

    /// Stores that a record was written to the file, with these losses. `stamp` is the new stamp of the file.
    pub fn set_written(&mut self, stamp: Option<FileStamp>, losses: &[Loss]) {
        (self.stamp, self.is_stamp_lost) = (stamp, false);
        self.confirmed_losses = losses.to_vec();
    }

    /// Returns the reason why the user has to confirm a save with these losses; `None` if there is none. `stamp` is the
    /// present stamp of the file.
    pub fn conflict(&self, stamp: Option<FileStamp>, losses: &[Loss]) -> Option<SaveConflict> {
        if stamp.is_some() && stamp != self.stamp {
            let name = self.path.display().to_string();
            // If the former stamp is unknown, another program may or may not have changed the file.
            let is_change_known = !self.is_stamp_lost;
            let conflict = if is_change_known {
                SaveConflict::ChangedElsewhere
            } else {
                SaveConflict::FileExists
            };
            return Some(conflict(name));
        }
        let is_confirmed = |loss: &Loss| {
            self.confirmed_losses
                .iter()
                .any(|confirmed| is_covered(confirmed, loss))
        };
        let mut unconfirmed = losses.iter().filter(|loss| !is_confirmed(loss));
        let first = unconfirmed.next()?.clone();
        Some(SaveConflict::LossyFormat {
            target: self.target,
            first,
            count: 1 + unconfirmed.count(),
        })
    }
}

/// Returns whether a confirmed loss covers another loss. The number of lost items may differ.
fn is_covered(confirmed: &Loss, loss: &Loss) -> bool {
    match (confirmed, loss) {
        (
            Loss::Character {
                character: confirmed, ..
            },
            Loss::Character { character, .. },
        ) => confirmed == character,
        _ => discriminant(confirmed) == discriminant(loss),
    }
}

/// Returns whether a format holds a position and no moves. Writing it does not save a record with moves.
pub(super) const fn is_position_format(target: Target) -> bool {
    matches!(target, Target::Sfen | Target::Bod)
}

/// Returns the format that the extension of a path names; `None` for an unknown extension.
pub fn target_of(path: &Path) -> Option<Target> {
    Target::from_name(&path.extension()?.to_str()?.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_conflict_names_the_losses() {
        let loses = |count| {
            [Lang::Ja, Lang::En].map(|lang| {
                let conflict = SaveConflict::LossyFormat {
                    target: Target::Csa,
                    first: Loss::Variations(1),
                    count,
                };
                conflict.text(lang)
            })
        };
        assert_eq!(
            loses(1),
            [
                "CSA V2.2形式で保存すると、変化1件が失われます。",
                "CSA V2.2 cannot hold 1 variation: that would be lost."
            ]
        );
        assert_eq!(
            loses(3)[0],
            "CSA V2.2形式で保存すると、変化1件など3種類が失われます。"
        );
        assert_eq!(
            loses(3)[1],
            "CSA V2.2 cannot hold 1 variation and 2 other kinds of data: that would be lost."
        );
    }
}
