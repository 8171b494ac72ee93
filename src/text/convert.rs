//! What the conversion of records says, apart from what it says of their contents.

use super::Lang;
use super::record::lost;
use super::unreadable::size;
use crate::kifu::{Loss, Target};

/// Why a file is not written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConvertRefusal {
    /// It is the input itself, and something of it would be lost.
    WouldLose(String),
    /// It is there already, and is no record.
    NotARecord(String),
    /// It is there already, and was not named by the user.
    ThereAlready(String),
    /// It would be larger than so many bytes, and is not read back then.
    TooLarge(String, usize),
    /// A folder is to be converted, and one file named.
    NeedsFolder(String),
    /// A character that the encoding does not have, and the user wants nothing replaced.
    Character(String, Loss, Target),
}

impl ConvertRefusal {
    /// The sentence in a language.
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

/// What standard input is called.
pub const fn standard_input(lang: Lang) -> &'static str {
    lang.pick("標準入力", "standard input")
}

/// How a position is evaluated of which the record has no evaluation.
pub const fn name_an_engine(lang: Lang) -> &'static str {
    lang.pick(
        "--engine builtin のようにエンジンを指定すると評価できます。",
        "Name an engine to have it evaluated: --engine builtin for the one that comes with the program.",
    )
}

/// How a folder was converted.
pub fn summary(done: usize, failed: usize, lang: Lang) -> String {
    match lang {
        Lang::Ja => format!("変換した棋譜 {done}、変換できなかったファイル {failed}"),
        Lang::En => format!("records converted: {done}, files not converted: {failed}"),
    }
}
