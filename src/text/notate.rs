//! Errors of `shogibar notate`, and of SFEN texts.

use super::position::{illegal, no_move, sfen};
use super::{Lang, visible::visible};
use crate::shogi::notation::MoveReadError;
use crate::shogi::{IllegalMove, Move, Position, SfenError};
use crate::usi::lines::LONGEST_LINE;

/// The error of a line.
#[derive(Debug)]
pub(crate) enum LineError {
    NotUtf8,
    TooLong,
    Fields,
    Sfen(SfenError),
    NotAMove(String),
    Illegal {
        number: usize,
        mv: Move,
        reason: IllegalMove,
    },
    /// A move cannot be read; holds its number, the cause, and the position before it.
    Unread(usize, MoveReadError, Box<Position>),
}

impl From<SfenError> for LineError {
    fn from(error: SfenError) -> Self {
        Self::Sfen(error)
    }
}

impl LineError {
    /// Returns the error in one line without tabs.
    pub(crate) fn text(&self, lang: Lang) -> String {
        let text = match lang {
            Lang::Ja => self.japanese(),
            Lang::En => self.english(),
        };
        visible(&text).into_owned()
    }

    fn japanese(&self) -> String {
        match self {
            Self::NotUtf8 => "この行は UTF-8 ではありません。".to_owned(),
            Self::TooLong => format!("この行は{LONGEST_LINE}バイトより長いです。"),
            Self::Fields => "「SFEN タブ 直前の手 タブ 指し手」の形ではありません。".to_owned(),
            Self::Sfen(why) => format!("{}。", sfen(why, Lang::Ja)),
            Self::NotAMove(text) => format!("「{text}」は USI の指し手ではありません。"),
            Self::Illegal { number, mv, reason } => {
                format!("{number}手目の {mv} は指せません（{}）。", illegal(*reason))
            }
            Self::Unread(number, why, position) => {
                let quoted = match why {
                    MoveReadError::Unreadable(words) => format!("「{words}」: "),
                    _ => String::new(),
                };
                format!("{number}手目: {quoted}{}", no_move(why, position, Lang::Ja))
            }
        }
    }

    fn english(&self) -> String {
        match self {
            Self::NotUtf8 => "the line is not UTF-8".to_owned(),
            Self::TooLong => format!("the line is longer than {LONGEST_LINE} bytes"),
            Self::Fields => "expected SFEN TAB PREV TAB MOVES".to_owned(),
            Self::Sfen(why) => why.to_string(),
            Self::NotAMove(text) => format!("'{text}' is no USI move"),
            Self::Illegal { number, mv, reason } => format!("move {number}, {mv}, is illegal: {reason}"),
            Self::Unread(number, why, _) => format!("move {number}: {why}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_is_one_field_of_one_line() {
        let error = LineError::NotAMove("7g\u{1b}[2J\t7f\u{202e}".to_owned());
        assert_eq!(error.text(Lang::En), "'7g<U+001B>[2J<U+0009>7f<U+202E>' is no USI move");
        assert_eq!(error.text(Lang::Ja), "「7g<U+001B>[2J<U+0009>7f<U+202E>」は USI の指し手ではありません。");
    }

    #[test]
    fn sfen_errors_are_translated() {
        let error = Position::from_sfen("9/9 b - 1").unwrap_err();
        assert_eq!(LineError::from(error).text(Lang::Ja), "盤面が9段ではなく2段です。");
    }
}
