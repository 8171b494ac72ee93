//! The file of the piece sets that were learnt from the screen.

use shogibar_base::file_error::{ReadProblem, WriteError};
use shogibar_eye::piece_sets::{MAX_BYTES, PieceSets};
use shogibar_files::{FileAccess, FileLock, PartFile};
use shogibar_live::{PieceStorage, SharedPieces};
use shogibar_machine::store::Store;
use shogibar_model::Message;
use std::path::PathBuf;

/// Returns the piece sets that all sources share. Their file is read when a source first needs them, and changed when a
/// source has learnt a set. Without a user's folder, no set is stored. A file that cannot be used is moved to a backup:
/// there are then no sets. `notify` receives a message with the path of the backup, or of a file that cannot be
/// emptied.
pub fn shared_pieces(
    store: Option<&Store>,
    notify: impl Fn(Message) + Send + Sync + 'static,
) -> SharedPieces {
    let file = store.map(|store| PiecesFile {
        path: store.pieces_file(),
        notify,
    });
    file.map_or_else(SharedPieces::default, SharedPieces::new)
}

struct PiecesFile<F> {
    path: PathBuf,
    notify: F,
}

impl<F: Fn(Message)> PiecesFile<F> {
    /// Makes the folder, and locks the file against other programs. Returns `None` if the system has no locks.
    fn lock(&self) -> Result<Option<FileLock>, WriteError> {
        self.path.parent().map_or(Ok(()), shogibar_files::make_folder)?;
        shogibar_files::lock(&self.path)
    }

    /// Reads the sets. There are none if there is no file, and after a file of another format is moved to a backup.
    /// Returns `None` if the file cannot be read or moved. The caller holds the lock.
    fn read(&self) -> Option<PieceSets> {
        let sets = match shogibar_files::read(&self.path, MAX_BYTES) {
            Ok(bytes) => PieceSets::from_bytes(&bytes),
            Err(error) if error.is_absent() => return Some(PieceSets::default()),
            Err(error) if matches!(error.problem(), ReadProblem::TooLarge(_)) => None,
            Err(_unreadable) => return None,
        };
        sets.or_else(|| {
            let backup = PartFile::move_to_backup(&self.path).ok()?;
            (self.notify)(Message::PiecesBackedUp(backup.display().to_string()));
            Some(PieceSets::default())
        })
    }

    fn write(&self, sets: &PieceSets) -> Result<(), WriteError> {
        shogibar_files::write_unsynced(FileAccess::Private, &self.path, &sets.to_bytes())
    }
}

impl<F: Fn(Message) + Send + Sync> PieceStorage for PiecesFile<F> {
    fn load(&self) -> PieceSets {
        if !self.path.exists() {
            return PieceSets::default();
        }
        let Ok(lock) = self.lock() else {
            return PieceSets::default();
        };
        if lock.is_some() {
            shogibar_files::remove_leftovers(&self.path);
        }
        self.read().unwrap_or_default()
    }

    fn add(&self, sets: &PieceSets) -> bool {
        let Ok(_lock) = self.lock() else { return false };
        self.read().is_some_and(|mut stored| {
            stored.extend(sets);
            self.write(&stored).is_ok()
        })
    }

    fn clear(&self) {
        // The sets are removed although another program holds the lock: it adds only what it learns later.
        let _lock = self.lock();
        if self.write(&PieceSets::default()).is_err() {
            (self.notify)(Message::PiecesNotForgotten(self.path.display().to_string()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::test_folder::TestFolder;
    use shogibar_base::threads::lock;
    use std::sync::{Arc, Mutex};

    #[test]
    #[expect(
        clippy::disallowed_methods,
        reason = "a test writes the file of another program"
    )]
    fn a_foreign_file_is_backed_up_and_begun_again() {
        let folder = TestFolder::new();
        let store = Store::new(folder.0.clone());
        // Reads the file, and returns the message.
        let read = || {
            let message = Arc::new(Mutex::new(None));
            let received = Arc::clone(&message);
            let pieces = shared_pieces(Some(&store), move |message| *lock(&received) = Some(message));
            assert!(pieces.newer_than(None).is_some_and(|(sets, _)| sets.is_empty()));
            (pieces, lock(&message).take())
        };
        assert!(read().1.is_none(), "no file yet");
        for foreign in [b"something else".to_vec(), vec![b'p'; MAX_BYTES + 1]] {
            std::fs::write(store.pieces_file(), &foreign).unwrap();
            let (pieces, message) = read();
            assert!(matches!(message, Some(Message::PiecesBackedUp(_))));
            assert!(!store.pieces_file().exists());
            pieces.forget();
            assert!(read().1.is_none(), "its own file");
        }
    }
}
