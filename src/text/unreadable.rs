//! Why a file is no game record.

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
    /// It is a picture.
    Picture,
    /// It is a program.
    Program,
    /// It is an archive.
    Archive,
    /// It is a PDF document.
    Pdf,
    /// It is no text.
    Binary,
    /// It is a web page.
    WebPage,
    /// It is a script.
    Script,
    /// It is text with nothing of a game in it.
    PlainText,
    /// What the system said.
    Other(String),
}

impl From<&ReadError> for Unreadable {
    /// Why the text of a file is no record.
    fn from(error: &ReadError) -> Self {
        match error {
            ReadError::Empty => Self::Empty,
            ReadError::TooLarge(_) => Self::TooLarge(MAX_BYTES),
            ReadError::Other(found) => match found {
                Found::Picture => Self::Picture,
                Found::Program => Self::Program,
                Found::Archive => Self::Archive,
                Found::Pdf => Self::Pdf,
                Found::Binary => Self::Binary,
                Found::WebPage => Self::WebPage,
                Found::Script => Self::Script,
                Found::Text => Self::PlainText,
            },
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
                _ => Self::Other(error.to_string()),
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
            Self::Picture => "画像です。",
            Self::Program => "プログラムです（エンジンかもしれません）。",
            Self::Archive => "圧縮ファイルです。展開してから開いてください。",
            Self::Pdf => "PDF です。",
            Self::Binary => "テキストではありません。",
            Self::WebPage => "ウェブページです。",
            Self::Script => "スクリプトです。",
            Self::PlainText => "指し手も局面図も対局情報も見つかりません。",
            Self::Other(why) => why,
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
            Self::Picture => "it is a picture.",
            Self::Program => "it is a program (an engine?).",
            Self::Archive => "it is an archive. Unpack it first.",
            Self::Pdf => "it is a PDF document.",
            Self::Binary => "it is no text.",
            Self::WebPage => "it is a web page.",
            Self::Script => "it is a script.",
            Self::PlainText => "no move, diagram or header was found in it.",
            Self::Other(why) => why,
        };
        fixed.to_owned()
    }
}

/// A number of bytes in the largest unit that leaves no fraction.
fn size(bytes: usize) -> String {
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
        check(b"\x89PNG", Unreadable::Picture);
        check(b"hello", Unreadable::PlainText);
    }
}
