//! The file of the piece sets that were learnt from the screen.

use crate::files::{self, FileAccess, FileError, PartFile};
use crate::live::PieceMemory;
use crate::store::Store;
use crate::text::Message;
use shogibar_eye::piece_sets::{MOST_BYTES, PieceSets};

/// Reads the piece sets of earlier runs. A file that cannot be used is set aside, and the message names its new path; the memory begins
/// without sets then.
pub fn piece_memory(store: Option<&Store>) -> (PieceMemory, Option<Message>) {
    let Some(file) = store.map(Store::pieces_file) else { return (PieceMemory::default(), None) };
    let read = files::read(&file, MOST_BYTES);
    let is_absent = read.as_ref().is_err_and(FileError::is_absent);
    let sets = read.ok().and_then(|bytes| PieceSets::from_bytes(&bytes));
    let aside = if sets.is_none() && !is_absent { PartFile::set_aside(&file).ok() } else { None };
    let message = aside.map(|aside| Message::PiecesSetAside(aside.display().to_string()));
    let store = move |bytes: &[u8]| {
        let made = file.parent().is_none_or(|folder| files::make_folder(folder).is_ok());
        // Sets that cannot be stored are learnt again.
        let _best_effort = made && files::write_unsynced(FileAccess::Private, &file, bytes).is_ok();
    };
    (PieceMemory::new(sets.unwrap_or_default(), store), message)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::test_folder::TestFolder;

    #[test]
    #[expect(clippy::disallowed_methods, reason = "a test writes the file of another program")]
    fn a_file_that_is_none_is_set_aside_and_begun_again() {
        let folder = TestFolder::new();
        let store = Store::new(folder.0.clone());
        assert!(piece_memory(Some(&store)).1.is_none(), "no file yet");
        for foreign in [b"something else".to_vec(), vec![b'p'; MOST_BYTES + 1]] {
            std::fs::write(store.pieces_file(), &foreign).unwrap();
            let (memory, message) = piece_memory(Some(&store));
            assert!(matches!(message, Some(Message::PiecesSetAside(_))));
            assert!(!store.pieces_file().exists());
            memory.forget();
            assert!(piece_memory(Some(&store)).1.is_none(), "its own file");
        }
    }
}
