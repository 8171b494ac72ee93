//! Why a file is no game record.

use super::system::kind_in_japanese;
use crate::files::{FileError, Problem};
use crate::kifu::{Found, MAX_BYTES, ReadError};
use std::io::ErrorKind;

/// Why a file cannot be opened as a game record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unreadable {
    /// There is no such file.
    NotThere,
    /// It is a folder.
    Folder,
    /// The system does not let us read it.
    NotAllowed,
    /// It is larger than so many bytes.
    TooLarge(usize),
    /// Nothing is in it.
    Empty,
    /// It is this, and no record.
    Is(Found),
    /// Something else that the system said.
    Other(ErrorKind, String),
}

impl From<&ReadError> for Unreadable {
    /// Why the text of a file is no record.
    fn from(error: &ReadError) -> Self {
        match error {
            ReadError::Empty => Self::Empty,
            ReadError::TooLarge(_) => Self::TooLarge(MAX_BYTES),
            ReadError::Other(found) => Self::Is(*found),
        }
    }
}

impl From<&FileError> for Unreadable {
    /// Why a file cannot be read at all.
    fn from(error: &FileError) -> Self {
        match error.problem() {
            Problem::Folder => Self::Folder,
            Problem::TooLarge(limit) => Self::TooLarge(*limit),
            Problem::Io(error) => match error.kind() {
                ErrorKind::NotFound => Self::NotThere,
                ErrorKind::PermissionDenied => Self::NotAllowed,
                kind => Self::Other(kind, error.to_string()),
            },
        }
    }
}

impl Unreadable {
    pub(super) fn japanese(&self) -> String {
        let fixed = match self {
            Self::NotThere => "ファイルが見つかりません。",
            Self::Folder => "フォルダーです。",
            Self::NotAllowed => "読み取りが許可されていません。",
            Self::TooLarge(limit) => return format!("大きすぎます（上限は{}）。", size(*limit)),
            Self::Empty => "中身がありません。",
            Self::Is(Found::Picture) => "画像です。",
            Self::Is(Found::Program) => "プログラムです（エンジンかもしれません）。",
            Self::Is(Found::Archive) => "圧縮ファイルです。展開してから開いてください。",
            Self::Is(Found::Pdf) => "PDF です。",
            Self::Is(Found::Binary) => "テキストではありません。",
            Self::Is(Found::WebPage) => "ウェブページです。",
            Self::Is(Found::Script) => "スクリプトです。",
            Self::Is(Found::Text) => "指し手も局面図も対局情報も見つかりません。",
            Self::Other(kind, why) => return format!("{}。", kind_in_japanese(*kind).unwrap_or(why)),
        };
        fixed.to_owned()
    }

    pub(super) fn english(&self) -> String {
        let fixed = match self {
            Self::NotThere => "there is no such file.",
            Self::Folder => "it is a folder.",
            Self::NotAllowed => "reading it is not allowed.",
            Self::TooLarge(limit) => return format!("it is larger than {}.", size(*limit)),
            Self::Empty => "it is empty.",
            Self::Is(Found::Picture) => "it is a picture.",
            Self::Is(Found::Program) => "it is a program (an engine?).",
            Self::Is(Found::Archive) => "it is an archive. Unpack it first.",
            Self::Is(Found::Pdf) => "it is a PDF document.",
            Self::Is(Found::Binary) => "it is no text.",
            Self::Is(Found::WebPage) => "it is a web page.",
            Self::Is(Found::Script) => "it is a script.",
            Self::Is(Found::Text) => "no move, diagram or header was found in it.",
            Self::Other(_, why) => why,
        };
        fixed.to_owned()
    }
}

/// A number of bytes in the largest unit that leaves no fraction.
pub(super) fn size(bytes: usize) -> String {
    let units = [(1 << 20, "MB"), (1 << 10, "kB")];
    let fitting = units.iter().find(|(unit, _)| bytes > 0 && bytes.is_multiple_of(*unit));
    fitting.map_or_else(|| format!("{bytes} B"), |(unit, name)| format!("{} {name}", bytes / unit))
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
            assert_eq!(Unreadable::from(&error), expect, "{error}");
        };
        check("no such file", Unreadable::NotThere);
        check(".", Unreadable::Folder);
        check("Cargo.lock", Unreadable::TooLarge(100));
    }

    #[test]
    fn texts_that_are_no_record() {
        let check = |bytes: &[u8], expect| assert_eq!(Unreadable::from(&kifu::read(bytes).unwrap_err()), expect);
        check(b"", Unreadable::Empty);
        check(b"\x89PNG", Unreadable::Is(Found::Picture));
        check(b"hello", Unreadable::Is(Found::Text));
    }
}
