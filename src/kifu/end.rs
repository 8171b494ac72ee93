//! How a game ends: why, and for whom.

use super::time::Time;
use crate::shogi::Color;

/// The end of a line of moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct End {
    /// Why.
    pub reason: Reason,
    /// For whom.
    pub outcome: Outcome,
    /// The file's own words: `投了`, `%TORYO`, an illegal move as it was written.
    pub words: String,
    /// The time taken over it.
    pub time: Time,
}

/// For whom a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// A side won.
    Win(Color),
    /// Nobody won.
    Draw,
    /// Undecided, or not said.
    Open,
}

/// Why a line ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// 投了
    Resignation,
    /// 詰み
    Checkmate,
    /// 切れ負け
    TimeUp,
    /// 反則, told by its result only.
    Foul,
    /// A move that is against the rules.
    IllegalMove,
    /// 入玉勝ち, or a draw by declaration.
    Declaration,
    /// 不戦勝, 不戦敗
    Forfeit,
    /// 千日手
    Repetition,
    /// 持将棋
    Impasse,
    /// 最大手数
    MaxMoves,
    /// 中断
    Interruption,
    /// 封じ手
    Sealed,
    /// 不詰: a problem without a mate.
    NoMate,
    /// A move that cannot be read.
    Unreadable,
    /// Words that are not known.
    Other,
}

/// What an end mark says of the side whose turn it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    MoverWins,
    MoverLoses,
    Winner(Color),
    Draw,
    Open,
}

/// An end mark of some format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mark {
    pub(super) reason: Reason,
    pub(super) verdict: Verdict,
}

impl Mark {
    pub(super) const fn new(reason: Reason, verdict: Verdict) -> Self {
        Self { reason, verdict }
    }

    /// The outcome when `mover` is to move.
    pub(super) const fn outcome(self, mover: Color) -> Outcome {
        match self.verdict {
            Verdict::MoverWins => Outcome::Win(mover),
            Verdict::MoverLoses => Outcome::Win(mover.flip()),
            Verdict::Winner(color) => Outcome::Win(color),
            Verdict::Draw => Outcome::Draw,
            Verdict::Open => Outcome::Open,
        }
    }
}

impl End {
    /// Whether the game is over, as against interrupted or unknown.
    pub fn is_decided(&self) -> bool {
        self.outcome != Outcome::Open
    }

    /// Who won.
    pub const fn winner(&self) -> Option<Color> {
        match self.outcome {
            Outcome::Win(color) => Some(color),
            Outcome::Draw | Outcome::Open => None,
        }
    }

    /// Whether a game may go on after it.
    pub(super) const fn is_a_pause(&self) -> bool {
        matches!(self.reason, Reason::Interruption | Reason::Sealed) && matches!(self.outcome, Outcome::Open)
    }
}
