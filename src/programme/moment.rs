//! A moment of a game on air: a turning point, a mate, the end.

use serde::{Deserialize, Serialize};
use shogibar_shogi::Color;

/// A kind of moment. Its name in files is that of the variant, with hyphens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MomentKind {
    /// The last move is decisive: it lost 10 points or more by confirmed searches, and has changed who is ahead.
    TurningPoint,
    /// The side to move is proved to mate.
    MateFound,
    /// The last move missed a mate.
    MateMissed,
    /// One move is better than all others (この一手).
    OnlyMove,
    /// A side has 93 % or more after two moves in a row.
    Decided,
    /// The game is over.
    GameOver,
}

impl MomentKind {
    /// All kinds, in the order of declaration.
    pub const ALL: [Self; 6] = [
        Self::TurningPoint,
        Self::MateFound,
        Self::MateMissed,
        Self::OnlyMove,
        Self::Decided,
        Self::GameOver,
    ];
}

/// A moment of a game.
#[derive(Clone, Debug, PartialEq)]
pub struct Moment {
    /// The kind.
    pub kind: MomentKind,
    /// The number of moves up to the position; `None` where only numbers are shown.
    pub ply: Option<usize>,
    /// The last move in words, in Japanese and in English. Empty at the start, and where only numbers are shown.
    pub last_move: [String; 2],
    /// Whether the sides are called 下手 and 上手.
    pub is_handicap: bool,
    /// The side that gained or that won; `None` for a draw, and for an only move.
    pub winner: Option<Color>,
    /// The loss by the last move, in percentage points of win rate; only of a turning point.
    pub loss: Option<u8>,
    /// Black's shares before the last move and after it, from 0 to 1; only of a turning point.
    pub shares: Option<[f32; 2]>,
    /// The engine's choice in place of the last move, in Japanese and in English; empty where it is not known.
    pub better_move: [String; 2],
    /// The reason in a few words, in Japanese and in English; empty where none is proved.
    pub reason: [String; 2],
}

impl Moment {
    /// Creates a moment of which nothing but the kind is known.
    pub fn new(kind: MomentKind) -> Self {
        Self {
            kind,
            ply: None,
            last_move: Default::default(),
            is_handicap: false,
            winner: None,
            loss: None,
            shares: None,
            better_move: Default::default(),
            reason: Default::default(),
        }
    }

    /// Returns the moment without anything that tells a move or the position.
    #[must_use]
    pub fn without_moves(&self) -> Self {
        Self {
            kind: self.kind,
            is_handicap: self.is_handicap,
            winner: self.winner,
            loss: self.loss,
            shares: self.shares,
            ..Self::new(self.kind)
        }
    }
}
