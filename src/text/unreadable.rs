//! Why a file is not a game record.

use super::system::kind_in_japanese;
use crate::files::{FileError, ReadProblem};
use crate::kifu::{FoundContent, MAX_BYTES, ReadError};
use std::io::ErrorKind;

/// Why a file cannot be opened as a game record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UnreadableRecord {
    /// The file does not exist.
    NotThere,
    /// The path is a folder.
    Folder,
    /// The system denies reading.
    NotAllowed,
    /// The file is larger than this many bytes.
    TooLarge(usize),
    /// The file is empty.
    Empty,
    /// The file has this content instead of a record.
    Is(FoundContent),
    /// Another error of the system.
    Other(ErrorKind, String),
}

impl From<&ReadError> for UnreadableRecord {
    /// Converts the error of a text that is not a record.
    fn from(error: &ReadError) -> Self {
        match error {
            ReadError::Empty => Self::Empty,
            ReadError::TooLarge(_) => Self::TooLarge(MAX_BYTES),
            ReadError::Other(found) => Self::Is(*found),
        }
    }
}

impl From<&FileError> for UnreadableRecord {
    /// Converts the error of a file that cannot be read.
    fn from(error: &FileError) -> Self {
        match error.problem() {
            ReadProblem::Folder => Self::Folder,
            ReadProblem::TooLarge(limit) => Self::TooLarge(*limit),
            ReadProblem::Io(error) => match error.kind() {
                ErrorKind::NotFound => Self::NotThere,
                ErrorKind::PermissionDenied => Self::NotAllowed,
                kind => Self::Other(kind, error.to_string()),
            },
        }
    }
}

impl UnreadableRecord {
    pub(super) fn japanese(&self) -> String {
        let fixed = match self {
            Self::NotThere => "ファイルが見つかりません。",
            Self::Folder => "フォルダーです。",
            Self::NotAllowed => "読み取りが許可されていません。",
            Self::TooLarge(limit) => return format!("大きすぎます（上限は{}）。", size(*limit)),
            Self::Empty => "中身がありません。",
            Self::Is(FoundContent::Picture) => "画像です。",
            Self::Is(FoundContent::Program) => "プログラムです（エンジンかもしれません）。",
            Self::Is(FoundContent::Archive) => "圧縮ファイルです。展開してから開いてください。",
            Self::Is(FoundContent::Pdf) => "PDF です。",
            Self::Is(FoundContent::Binary) => "テキストではありません。",
            Self::Is(FoundContent::WebPage) => "ウェブページです。",
            Self::Is(FoundContent::Script) => "スクリプトです。",
            Self::Is(FoundContent::Text) => "指し手も局面図も対局情報も見つかりません。",
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
            Self::Is(FoundContent::Picture) => "it is a picture.",
            Self::Is(FoundContent::Program) => "it is a program (an engine?).",
            Self::Is(FoundContent::Archive) => "it is an archive. Unpack it first.",
            Self::Is(FoundContent::Pdf) => "it is a PDF document.",
            Self::Is(FoundContent::Binary) => "it is no text.",
            Self::Is(FoundContent::WebPage) => "it is a web page.",
            Self::Is(FoundContent::Script) => "it is a script.",
            Self::Is(FoundContent::Text) => "no move, diagram or header was found in it.",
            Self::Other(_, why) => why,
        };
        fixed.to_owned()
    }
}

/// Formats a number of bytes in the largest unit without a fraction.
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
    fn file_errors_are_converted() {
        let check = |path: &str, expect| {
            let error = files::read(Path::new(path), 100).unwrap_err();
            assert_eq!(UnreadableRecord::from(&error), expect, "{error}");
        };
        check("no such file", UnreadableRecord::NotThere);
        check(".", UnreadableRecord::Folder);
        check("Cargo.lock", UnreadableRecord::TooLarge(100));
    }

    #[test]
    fn read_errors_are_converted() {
        let check = |bytes: &[u8], expect| assert_eq!(UnreadableRecord::from(&kifu::read(bytes).unwrap_err()), expect);
        check(b"", UnreadableRecord::Empty);
        check(b"\x89PNG", UnreadableRecord::Is(FoundContent::Picture));
        check(b"hello", UnreadableRecord::Is(FoundContent::Text));
    }
}
