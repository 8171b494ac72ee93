//! The file of the piece sets that were learnt from the screen.

use crate::files::{self, FileAccess, FileError, PartFile};
use crate::live::SharedPieces;
use crate::store::Store;
use crate::text::Message;
use shogibar_eye::piece_sets::{MAX_BYTES, PieceSets};

/// Returns the piece sets that all sources share. Their file is read when a source first needs them, and written when a
/// source has learnt a set. Without a user's folder, no set is stored. A file that cannot be used is moved to a backup:
/// there are then no sets. `notify` receives a message with the path of the backup.
pub fn shared_pieces(store: Option<&Store>, notify: impl Fn(Message) + Send + Sync + 'static) -> SharedPieces {
    let Some(file) = store.map(Store::pieces_file) else { return SharedPieces::default() };
    let target = file.clone();
    let load = move || {
        files::remove_leftovers(&file);
        let read = files::read(&file, MAX_BYTES);
        let is_absent = read.as_ref().is_err_and(FileError::is_absent);
        let sets = read.ok().and_then(|bytes| PieceSets::from_bytes(&bytes));
        let backup = if sets.is_none() && !is_absent { PartFile::move_to_backup(&file).ok() } else { None };
        if let Some(backup) = backup {
            notify(Message::PiecesBackedUp(backup.display().to_string()));
        }
        sets.unwrap_or_default()
    };
    let store = move |bytes: &[u8]| {
        let made = target.parent().is_none_or(|folder| files::make_folder(folder).is_ok());
        // Sets that cannot be stored are learnt again in the next run, so an error is ignored.
        let _best_effort = made && files::write_unsynced(FileAccess::Private, &target, bytes).is_ok();
    };
    SharedPieces::new(load, store)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::test_folder::TestFolder;
    use crate::threads::lock;
    use std::sync::{Arc, Mutex};

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
}
