//! The end of a game, as the bar shows it.

use crate::Label;
use shogibar_base::Lang;
use shogibar_base::visible::short;
use shogibar_kifu::{End, Reason};
use shogibar_shogi::{Color, History};

/// The end of a game, as the bar states it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ending {
    /// The winner; `None` for a draw.
    pub winner: Option<Color>,
    /// The reason, in one word.
    pub reason: Label,
}

impl Ending {
    /// Returns the end that the position itself causes: a mate, or a fourth repetition. Returns `None` if the game goes
    /// on.
    pub fn from_position(history: &History) -> Option<Self> {
        let now = history.now();
        let mover = now.side_to_move();
        if now.is_mate() {
            return Some(Self {
                winner: Some(mover.flip()),
                reason: Label::Checkmate,
            });
        }
        let winner = now.repetition()?.winner(mover);
        Some(Self {
            winner,
            reason: if winner.is_some() {
                Label::PerpetualCheck
            } else {
                Label::Repetition
            },
        })
    }

    /// Returns the name of an end in a list of moves: 投了. Words of the record about the end are added.
    pub fn word(end: &End, lang: Lang) -> String {
        let word = label(end.reason).text(lang);
        if end.words().is_empty() {
            word.to_owned()
        } else {
            format!("{word} {}", short(end.words()))
        }
    }

    /// Returns the end that a record states; `None` where the game is unfinished or its end is unknown.
    pub fn from_record(end: &End) -> Option<Self> {
        end.is_decided().then(|| Self {
            winner: end.winner(),
            reason: label(end.reason),
        })
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
