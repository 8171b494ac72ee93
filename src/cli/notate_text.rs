//! Errors of `shogibar notate`, and of SFEN texts.

use shogibar_base::visible::visible;
use shogibar_base::{Lang, say};
use shogibar_engine::usi::lines::MAX_LINE_BYTES;
use shogibar_shogi::notation::MoveReadError;
use shogibar_shogi::position_text::{illegal, no_move, sfen};
use shogibar_shogi::{IllegalMove, Move, Position, SfenError};

/// The reason why `shogibar notate` cannot convert a line.
#[derive(Debug)]
pub(crate) enum LineError {
    /// The line is not UTF-8.
    NotUtf8,
    /// The line has more than `MAX_LINE_BYTES` bytes.
    TooLong,
    /// The line does not have the fields: a position, the move before it, moves, separated by tabs.
    Fields,
    /// The position cannot be read.
    Sfen(SfenError),
    /// A word is not a USI move.
    NotAMove(String),
    /// A move cannot be played.
    Illegal {
        /// The number of the move, from 1.
        number: usize,
        /// The illegal move.
        mv: Move,
        /// The rule that the move breaks.
        reason: IllegalMove,
    },
    /// A move cannot be read. Holds the number of the move, the cause, and the position before the move.
    Unreadable(usize, MoveReadError, Box<Position>),
}

impl From<SfenError> for LineError {
    fn from(error: SfenError) -> Self {
        Self::Sfen(error)
    }
}

impl LineError {
    /// Returns the error in one line without tabs.
    pub(crate) fn text(&self, lang: Lang) -> String {
        visible(&self.sentence(lang)).into_owned()
    }

    fn sentence(&self, lang: Lang) -> String {
        match self {
            Self::NotUtf8 => say!(lang: "この行は UTF-8 ではありません。", "the line is not UTF-8"),
            Self::TooLong => say!(lang:
                "この行は{MAX_LINE_BYTES}バイトより長いです。", "the line is longer than {MAX_LINE_BYTES} bytes"),
            Self::Fields => say!(lang:
                "「SFEN タブ 直前の手 タブ 指し手」の形ではありません。", "expected SFEN TAB PREV TAB MOVES"),
            Self::Sfen(why) => say!(lang: "{why}。", "{why}", why = sfen(why, lang)),
            Self::NotAMove(text) => say!(lang:
                "「{text}」は USI の指し手ではありません。", "'{text}' is not a USI move"),
            Self::Illegal { number, mv, reason } => say!(lang:
                "{number}手目の {mv} は指せません（{reason}）。",
                "move {number}, {mv}, is illegal: {reason}", reason = illegal(*reason, lang)),
            Self::Unreadable(number, why, position) => match (why, lang) {
                (why, Lang::En) => format!("move {number}: {why}"),
                (MoveReadError::Unreadable(words), Lang::Ja) => {
                    format!("{number}手目: 「{words}」: {}", no_move(why, position, lang))
                }
                (why, Lang::Ja) => format!("{number}手目: {}", no_move(why, position, lang)),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_is_one_field_of_one_line() {
        let error = LineError::NotAMove("7g\u{1b}[2J\t7f\u{202e}".to_owned());
        assert_eq!(
            error.text(Lang::En),
            "'7g<U+001B>[2J<U+0009>7f<U+202E>' is not a USI move"
        );
        assert_eq!(
            error.text(Lang::Ja),
            "「7g<U+001B>[2J<U+0009>7f<U+202E>」は USI の指し手ではありません。"
        );
    }

    #[test]
    fn sfen_errors_are_translated() {
        let error = Position::from_sfen("9/9 b - 1").unwrap_err();
        assert_eq!(
            LineError::from(error).text(Lang::Ja),
            "盤面が9段ではなく2段です。"
        );
    }
}
