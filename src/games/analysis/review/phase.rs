//! The phases of a game.

use crate::Label;
use shogibar_kifu::{NodeId, Record};
use shogibar_shogi::{Color, Move, PieceKind, Position};

/// A phase of a game, by the pieces other than pawns that were captured before a move.
///
/// A promoted pawn counts as a piece. Pieces in hand at the start of a game count as captured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GamePhase {
    /// 序盤: fewer than 3 pieces. An exchange of only the bishops is still the opening.
    #[default]
    Opening,
    /// 中盤: 3 to 7 pieces.
    Middle,
    /// 終盤: 8 pieces or more.
    End,
}

impl GamePhase {
    /// All phases, in their order in a game.
    pub const ALL: [Self; 3] = [Self::Opening, Self::Middle, Self::End];

    /// Returns the label of the phase.
    pub const fn label(self) -> Label {
        match self {
            Self::Opening => Label::Opening,
            Self::Middle => Label::MiddleGame,
            Self::End => Label::Endgame,
        }
    }

    /// Returns the phase after this number of captured pieces.
    pub const fn from_captured(pieces: usize) -> Self {
        match pieces {
            0..=2 => Self::Opening,
            3..=7 => Self::Middle,
            _ => Self::End,
        }
    }

    /// Returns the phase of each move of a line. `line` has the nodes that the moves lead to.
    pub fn phases_of_line(record: &Record, line: &[NodeId]) -> Vec<Self> {
        let mut walk = record.walk();
        let mut captured = count_pieces_in_hand(walk.position());
        line.iter()
            .map(|node| {
                let phase = Self::from_captured(captured);
                if let (Some(parent), Some(mv)) = (record.parent(*node), record.node(*node).mv()) {
                    captured += usize::from(captures_piece(walk.go(parent), mv));
                }
                phase
            })
            .collect()
    }
}

/// Returns the number of pieces in hand of both sides, without pawns.
fn count_pieces_in_hand(position: &Position) -> usize {
    let hands = [Color::Black, Color::White].map(|color| position.hand(color));
    let kinds = PieceKind::IN_HAND
        .into_iter()
        .filter(|kind| *kind != PieceKind::Pawn);
    kinds
        .map(|kind| {
            hands
                .iter()
                .map(|hand| usize::from(hand.count(kind)))
                .sum::<usize>()
        })
        .sum()
}

fn captures_piece(position: &Position, mv: Move) -> bool {
    position
        .piece_on(mv.to())
        .is_some_and(|piece| piece.kind != PieceKind::Pawn)
}
