//! The autosave copies of unsaved records.
//!
//! Each copy is a file in the user's configuration folder. Three files are beside each copy: its lock, the name of the
//! original file, and the newest version of the record. The newest version may not be on the disk yet.

use shogibar_base::file_error::{WriteError, WriteRefusal};
use shogibar_files::{FileAccess, FileLock};
use shogibar_kifu::Target;
use shogibar_model::record_file::{RecoverableRecord, UnsavedRecord};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The maximum number of recoverable records that are offered.
const MAX_RECOVERABLE_RECORDS: usize = 20;
/// The maximum number of bytes of a stored path.
const MAX_PATH_BYTES: usize = 1 << 16;
/// The maximum number of copies of one program.
const MAX_COPIES: usize = 999;
const NEWEST_EXTENSION: &str = "newest";
/// The maximum number of entries of the autosave folder that are listed.
const MAX_LISTED_ENTRIES: usize = 1000;

/// The locked file with the last unsaved record of an open game.
pub(super) struct AutosaveCopy {
    path: PathBuf,
    /// The lock that marks the copy as that of a running program.
    _lock: FileLock,
    /// The path of the original file that is stored beside the copy; empty where there is none.
    original_path: String,
    /// The bytes of the last autosave; `None` if there was none yet, or it failed.
    pub(super) written_bytes: Option<Arc<[u8]>>,
}

impl AutosaveCopy {
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Creates a copy: chooses a free name and locks it. The copy is not written yet. Another game of this program may
    /// have taken a name. So may an earlier program with this process id, or a program in another container.
    ///
    /// # Errors
    /// Fails if the folder cannot be made, or no name is free.
    pub(super) fn create(folder: &Path) -> Result<Self, WriteError> {
        shogibar_files::make_folder(folder)?;
        let process_id = std::process::id();
        let further = (2..=MAX_COPIES).map(|number| format!("{process_id}-{number}.kifu"));
        let names = std::iter::once(format!("{process_id}.kifu")).chain(further);
        let mut free = names
            .map(|name| folder.join(name))
            .filter(|path| path.symlink_metadata().is_err());
        let locked = free.find_map(|path| shogibar_files::try_lock(&path).map(|lock| (path, lock)));
        let (path, lock) = locked.ok_or_else(|| WriteError::new(folder, WriteRefusal::NoFreeName.into()))?;
        Ok(Self {
            path,
            _lock: lock,
            original_path: String::new(),
            written_bytes: None,
        })
    }

    /// Writes the newest version of the copy, and the name of the original file. Does not wait for the disk. Returns
    /// the bytes of the newest version.
    pub(super) fn write(&mut self, unsaved: &UnsavedRecord) -> Result<Arc<[u8]>, WriteError> {
        let original = unsaved.to_text();
        if self.original_path != original {
            // An error is ignored: the record is then recovered without the name of its original file.
            let _best_effort = if original.is_empty() {
                shogibar_files::remove(&original_file(&self.path))
            } else {
                shogibar_files::write_unsynced(
                    FileAccess::Program,
                    &original_file(&self.path),
                    original.as_bytes(),
                )
            };
            self.original_path = original;
        }
        let bytes: Arc<[u8]> =
            shogibar_kifu::write_games(&unsaved.games, unsaved.current_index, Target::Kifu)
                .bytes
                .into();
        // A copy that could not be read back would be useless, so it is not written.
        let written = if bytes.len() > shogibar_kifu::MAX_BYTES {
            Err(WriteError::new(&self.path, io::ErrorKind::FileTooLarge.into()))
        } else {
            shogibar_files::write_unsynced(FileAccess::Program, &newest_file(&self.path), &bytes)
        };
        self.written_bytes = written.is_ok().then(|| Arc::clone(&bytes));
        written.map(|()| bytes)
    }
}

fn original_file(copy: &Path) -> PathBuf {
    copy.with_added_extension("of")
}

/// Returns the file of the newest version of an autosave copy. The file may not be on the disk yet.
fn newest_file(copy: &Path) -> PathBuf {
    copy.with_added_extension(NEWEST_EXTENSION)
}

pub(super) fn delete_copy(copy: &Path) {
    let _was_not_there = shogibar_files::remove(&original_file(copy));
    let _was_not_there = shogibar_files::remove(&newest_file(copy));
    shogibar_files::remove_with_lock(copy);
}

/// Replaces each autosave copy of a program that has ended by its newest version. After a power failure the newest
/// version may be empty or damaged: the copy then stays.
fn install_newest_versions(folder: &Path) {
    let listed = shogibar_files::list(folder, MAX_LISTED_ENTRIES);
    for newest in listed
        .iter()
        .filter(|path| path.extension().is_some_and(|end| end == NEWEST_EXTENSION))
    {
        let copy = newest.with_extension("");
        if shogibar_files::is_locked(&copy) {
            continue;
        }
        // A version that cannot be read now may be readable later, so it is skipped and not deleted.
        let Ok(bytes) = shogibar_files::read_program_file(newest, shogibar_kifu::MAX_BYTES) else {
            continue;
        };
        let is_whole = !bytes.is_empty() && shogibar_kifu::read(&bytes).is_ok();
        let is_done = if is_whole {
            shogibar_files::write_as(FileAccess::Program, &copy, &bytes).is_ok()
        } else {
            copy.is_file()
        };
        if is_done {
            let _best_effort = shogibar_files::remove(newest);
        }
    }
}

/// Returns the records of the autosave copies that are not locked, up to a maximum number. The programs that wrote
/// these copies have ended without deleting them.
pub fn recoverable_records(folder: &Path) -> Vec<RecoverableRecord> {
    install_newest_versions(folder);
    let copies = shogibar_files::list(folder, MAX_LISTED_ENTRIES)
        .into_iter()
        .filter(|path| path.extension().is_some_and(|end| end == "kifu") && !shogibar_files::is_locked(path));
    copies
        .take(MAX_RECOVERABLE_RECORDS)
        .map(|copy| {
            let text = shogibar_files::read(&original_file(&copy), MAX_PATH_BYTES)
                .ok()
                .and_then(|bytes| String::from_utf8(bytes).ok());
            RecoverableRecord::from_text(copy, &text.unwrap_or_default())
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::test_folder::TestFolder;
    use shogibar_kifu::Record;

    #[test]
    fn the_newest_version_is_recovered_unless_it_is_broken() {
        let record = |moves: &str| {
            let history = shogibar_shogi::History::from_usi(moves).unwrap();
            Record::from_history(&history)
        };
        let check = |newest: &[u8], expect: usize| {
            let home = TestFolder::new();
            let copy = home.0.join("4711.kifu");
            let on_disk = shogibar_kifu::write(&record("startpos moves 7g7f"), Target::Kifu).bytes;
            shogibar_files::write_whole(&copy, &on_disk).unwrap();
            shogibar_files::write_whole(&newest_file(&copy), newest).unwrap();
            let [found] = recoverable_records(&home.0).try_into().unwrap();
            assert_eq!(found.copy, copy);
            let read = shogibar_kifu::read(&shogibar_files::read(&copy, shogibar_kifu::MAX_BYTES).unwrap())
                .unwrap()
                .games
                .remove(0);
            assert_eq!(read.main_line().count(), expect);
            assert!(!newest_file(&copy).exists());
        };
        check(
            &shogibar_kifu::write(&record("startpos moves 7g7f 3c3d"), Target::Kifu).bytes,
            2,
        );
        // An empty file, and one of zero bytes, as a power failure leaves them.
        check(b"", 1);
        check(&[0; 400], 1);
    }
}
