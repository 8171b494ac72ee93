//! A game that is over: the bar says so and stands still.

use crate::kifu::{End, Reason};
use crate::shogi::{Color, History, Repetition};
use crate::text::visible::visible;
use crate::text::{Label, Lang};

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ending {
    /// Who won; `None` for a draw.
    pub winner: Option<Color>,
    /// Why, in a word.
    pub why: Label,
}

impl Ending {
    /// The end that the board itself shows: a mate, or a fourth repetition.
    pub fn on_board(history: &History) -> Option<Self> {
        let now = history.now();
        let mover = now.side_to_move();
        if now.is_mate() {
            return Some(Self { winner: Some(mover.flip()), why: Label::Checkmate });
        }
        Some(match now.repetition()? {
            Repetition::Draw => Self { winner: None, why: Label::Repetition },
            Repetition::Win => Self { winner: Some(mover), why: Label::PerpetualCheck },
            Repetition::Loss => Self { winner: Some(mover.flip()), why: Label::PerpetualCheck },
        })
    }

    /// What an end is called in a list of moves: 投了, and what was tried where that was no move.
    pub fn word(end: &End, lang: Lang) -> String {
        let word = label(end.reason).text(lang);
        if end.words().is_empty() { word.to_owned() } else { format!("{word} {}", visible(end.words())) }
    }

    /// The end that a record states; `None` where the game is unfinished or its end unknown.
    pub fn from_record(end: &End) -> Option<Self> {
        end.is_decided().then(|| Self { winner: end.winner(), why: label(end.reason) })
    }
}

const fn label(reason: Reason) -> Label {
    match reason {
        Reason::Resignation => Label::Resignation,
        Reason::Checkmate => Label::Checkmate,
        Reason::TimeUp => Label::TimeUp,
        Reason::Foul | Reason::IllegalMove => Label::Foul,
        Reason::Declaration => Label::Declaration,
        Reason::Forfeit => Label::Forfeit,
        Reason::Repetition => Label::Repetition,
        Reason::Impasse => Label::Impasse,
        Reason::MaxMoves => Label::MaxMoves,
        Reason::Interruption => Label::Interruption,
        Reason::Sealed => Label::Sealed,
        Reason::NoMate | Reason::Unreadable | Reason::Other => Label::GameOver,
    }
}
