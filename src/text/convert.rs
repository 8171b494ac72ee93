//! Messages of the conversion of records, except those about their content.

use super::Lang;
use super::record::lost;
use super::unreadable::size;
use crate::kifu::{Loss, Target};

/// Why a file is not written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConvertRefusal {
    /// The output is the input, and content would be lost.
    WouldLose(String),
    /// The existing file is not a record.
    NotARecord(String),
    /// The file exists and was not named by the user.
    ThereAlready(String),
    /// The file would be larger than this many bytes, the limit for reading.
    TooLarge(String, usize),
    /// The input is a folder, but the output is a file.
    NeedsFolder(String),
    /// `--strict` is set, and the encoding does not have this character.
    Character(String, Loss, Target),
}

impl ConvertRefusal {
    /// Returns the sentence in a language.
    pub fn text(&self, lang: Lang) -> String {
        match lang {
            Lang::Ja => self.japanese(),
            Lang::En => self.english(),
        }
    }

    fn japanese(&self) -> String {
        match self {
            Self::WouldLose(path) => {
                format!("{path} に書くと元の棋譜の一部が失われます。別のファイルを指定してください。")
            }
            Self::NotARecord(path) => format!("{path} は既にあり、棋譜ではないので上書きしません。"),
            Self::ThereAlready(path) => {
                format!("{path} は既にあり、内容が異なるので上書きしません。-o で別の場所を指定してください。")
            }
            Self::TooLarge(path, limit) => {
                format!("{path} は{}を超え、読み戻せなくなるので書きません。", size(*limit))
            }
            Self::NeedsFolder(path) => format!("{path} はフォルダーなので、-o にもフォルダーを指定してください。"),
            Self::Character(path, loss, target) => format!(
                "{path}: {} は Shift_JIS で書けません（--strict）。--to {} なら書けます。",
                lost(loss, Lang::Ja),
                target.in_utf8().name()
            ),
        }
    }

    fn english(&self) -> String {
        match self {
            Self::WouldLose(path) => format!("{path} would lose something by this: write to another file"),
            Self::NotARecord(path) => format!("{path} is there already and is no game record: it is not replaced"),
            Self::ThereAlready(path) => {
                format!("{path} is there already and says something else: -o writes to another place")
            }
            Self::TooLarge(path, limit) => {
                format!("{path} would be larger than {}, too large to be read again: it is not written", size(*limit))
            }
            Self::NeedsFolder(path) => format!("{path} is a folder, so -o has to name a folder, too"),
            Self::Character(path, loss, target) => {
                let character = match loss {
                    Loss::Character { character, .. } => format!("'{character}'"),
                    other => other.to_string(),
                };
                let utf8 = target.in_utf8().name();
                format!("{path}: Shift_JIS has no {character}, and --strict replaces nothing: --to {utf8} can hold it")
            }
        }
    }
}

/// Returns the name of standard input.
pub const fn standard_input(lang: Lang) -> &'static str {
    lang.pick("標準入力", "standard input")
}

/// Returns how to evaluate a position for which the record has no evaluation.
pub const fn name_an_engine(lang: Lang) -> &'static str {
    lang.pick(
        "--engine builtin のようにエンジンを指定すると評価できます。",
        "Name an engine to have it evaluated: --engine builtin for the one that comes with the program.",
    )
}

/// Returns the summary of the conversion of a folder.
pub fn summary(done: usize, failed: usize, lang: Lang) -> String {
    match lang {
        Lang::Ja => format!("変換した棋譜 {done}、変換できなかったファイル {failed}"),
        Lang::En => format!("records converted: {done}, files not converted: {failed}"),
    }
}
