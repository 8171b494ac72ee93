//! The unknown part of a position that is read from a screen.

use shogibar_base::Lang;

/// The unknown part of a position on the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoardDoubt {
    /// The pieces in hand are unknown.
    Hands,
    /// The side to move is unknown.
    Side,
    /// The pieces in hand and the side to move are unknown.
    HandsAndSide,
    /// The side at the bottom is unknown.
    Rotated,
}

impl BoardDoubt {
    /// Returns the unknown part as a mark: `持ち駒が未確認`.
    pub const fn text(self, lang: Lang) -> &'static str {
        match self {
            Self::Hands => lang.pick("持ち駒が未確認", "hands unknown"),
            Self::Side => lang.pick("手番が未確認", "side to move unknown"),
            Self::HandsAndSide => lang.pick("持ち駒と手番が未確認", "hands, side unknown"),
            Self::Rotated => lang.pick("上下が未確認", "sides unknown"),
        }
    }
}
