//! The file of the piece sets that were learnt from the screen.

use crate::files::{self, FileAccess, FileError, FileLock, PartFile, WriteError};
use crate::live::SharedPieces;
use crate::store::Store;
use crate::text::Message;
use shogibar_eye::piece_sets::{MAX_BYTES, PieceSets};
use std::path::PathBuf;
use std::sync::Arc;

/// Returns the piece sets that all sources share. Their file is read when a source first needs them, and changed when a
/// source has learnt a set. Without a user's folder, no set is stored. A file that cannot be used is moved to a backup:
/// there are then no sets. `notify` receives a message with the path of the backup.
pub fn shared_pieces(store: Option<&Store>, notify: impl Fn(Message) + Send + Sync + 'static) -> SharedPieces {
    let Some(path) = store.map(Store::pieces_file) else { return SharedPieces::default() };
    let file = Arc::new(PiecesFile { path, notify });
    let stored = Arc::clone(&file);
    // Sets that cannot be stored are learnt again in the next run, so an error is ignored.
    SharedPieces::new(move || file.load(), move |change| drop(stored.update(change)))
}

/// The file of the piece sets.
struct PiecesFile<F> {
    path: PathBuf,
    notify: F,
}

impl<F: Fn(Message)> PiecesFile<F> {
    /// Makes the folder, and locks the file against other programs.
    fn lock(&self) -> Result<Option<FileLock>, WriteError> {
        self.path.parent().map_or(Ok(()), files::make_folder)?;
        files::lock(&self.path)
    }

    /// Removes the remains of interrupted writings, and reads the sets.
    fn load(&self) -> PieceSets {
        let lock = self.lock();
        if lock.is_ok() {
            files::remove_leftovers(&self.path);
        }
        self.read()
    }

    /// Reads the sets. There are none if the file cannot be used.
    fn read(&self) -> PieceSets {
        let read = files::read(&self.path, MAX_BYTES);
        let is_absent = read.as_ref().is_err_and(FileError::is_absent);
        let sets = read.ok().and_then(|bytes| PieceSets::from_bytes(&bytes));
        let backup = if sets.is_none() && !is_absent { PartFile::move_to_backup(&self.path).ok() } else { None };
        if let Some(backup) = backup {
            (self.notify)(Message::PiecesBackedUp(backup.display().to_string()));
        }
        sets.unwrap_or_default()
    }

    /// Changes the sets in the file. Another program may have stored some meanwhile.
    fn update(&self, change: &dyn Fn(&mut PieceSets)) -> Result<(), WriteError> {
        let _lock = self.lock()?;
        let mut sets = self.read();
        change(&mut sets);
        files::write_unsynced(FileAccess::Private, &self.path, &sets.to_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::test_folder::TestFolder;
    use crate::threads::lock;
    use shogibar_eye::grid::PICTURE_SIDE;
    use shogibar_eye::templates::{SquarePicture, Templates};
    use std::sync::Mutex;

    #[test]
    #[expect(clippy::disallowed_methods, reason = "a test writes the file of another program")]
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

    /// Returns the picture of a piece. Its pattern depends on the number of the set and on the kind.
    fn piece(number: usize, kind: usize) -> SquarePicture {
        std::array::from_fn(|index| {
            let (x, y) = (index % PICTURE_SIDE, index / PICTURE_SIDE);
            let sign = (x * (kind + 2) + y * (3 * kind + 1 + number) + number * x * y) / (5 + number % 3);
            if sign.is_multiple_of(2) { 1.0 } else { -1.0 }
        })
    }

    #[test]
    fn two_programs_keep_the_sets_of_each_other() {
        let folder = TestFolder::new();
        let store = Store::new(folder.0.clone());
        let file = || PiecesFile { path: store.pieces_file(), notify: |_| panic!("a backup") };
        // A set of eight kinds.
        let set = |number: usize| {
            let mut set = Templates::default();
            (1..=8).for_each(|kind| set.learn(kind, &piece(number, kind)));
            set
        };
        let (one, other) = (file(), file());
        assert_eq!([one.load().len(), other.load().len()], [0, 0]);
        for (program, number) in [(&one, 1), (&other, 2), (&one, 1)] {
            program.update(&|sets| assert!(sets.insert(set(number)))).unwrap();
        }
        assert_eq!(file().load().len(), 2);
        other.update(&|sets| *sets = PieceSets::default()).unwrap();
        assert_eq!(file().load().len(), 0);
    }
}
