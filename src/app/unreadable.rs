//! What the reader of a file says is wrong with it, as the user is told.

use crate::files::{FileError, Problem};
use crate::kifu::{Found, MAX_BYTES, ReadError};
use crate::text::Unreadable;
use std::io::ErrorKind;

/// Why the text of a file is no record.
pub(super) fn of_read(error: &ReadError) -> Unreadable {
    match error {
        ReadError::Empty => Unreadable::Empty,
        ReadError::TooLarge(_) => Unreadable::TooLarge(MAX_BYTES),
        ReadError::NotReadYet(format) => Unreadable::NotReadYet(format.to_string()),
        ReadError::Other(found) => match found {
            Found::Picture => Unreadable::Picture,
            Found::Program => Unreadable::Program,
            Found::Archive => Unreadable::Archive,
            Found::Pdf => Unreadable::Pdf,
            Found::Binary => Unreadable::Binary,
            Found::WebPage => Unreadable::WebPage,
            Found::Script => Unreadable::Script,
            Found::Text => Unreadable::PlainText,
        },
    }
}

/// Why a file cannot be read at all.
pub(super) fn of_file(error: &FileError) -> Unreadable {
    match error.problem() {
        Problem::Folder => Unreadable::Folder,
        Problem::TooLarge(limit) => Unreadable::TooLarge(*limit),
        Problem::Io(error) => match error.kind() {
            ErrorKind::NotFound => Unreadable::NotThere,
            ErrorKind::PermissionDenied => Unreadable::NotAllowed,
            _ => Unreadable::Other(error.to_string()),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{files, kifu};
    use std::path::Path;

    #[test]
    fn files_that_cannot_be_read() {
        let check = |path: &str, expect| {
            let error = files::read(Path::new(path), 100).unwrap_err();
            assert_eq!(of_file(&error), expect, "{error}");
        };
        check("no such file", Unreadable::NotThere);
        check(".", Unreadable::Folder);
        check("Cargo.lock", Unreadable::TooLarge(100));
    }

    #[test]
    fn texts_that_are_no_record() {
        let check = |bytes: &[u8], expect| assert_eq!(of_read(&kifu::read(bytes).unwrap_err()), expect);
        check(b"", Unreadable::Empty);
        check(b"\x89PNG", Unreadable::Picture);
        check(b"hello", Unreadable::PlainText);
        check(b"startpos moves 7g7f", Unreadable::NotReadYet("USI or SFEN".to_owned()));
    }
}
