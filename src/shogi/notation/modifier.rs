//! The modifiers 右 左 直 上 寄 引, which distinguish pieces that can reach the same square.

use super::MoveContext;
use super::geometry::{PieceMotion, RelativePosition};
use crate::{PieceKind, Square};

/// The modifiers of a move, which the official notation writes after the piece.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Modifier {
    /// 右, 左 or 直; `None` where it is not needed.
    pub(super) side: Option<RelativePosition>,
    /// 上, 寄 or 引; `None` where it is not needed.
    pub(super) motion: Option<PieceMotion>,
    /// The origin, as KIF writes it, where no modifiers of the rule are enough: only with more pieces
    /// than in a set, for example for the middle one of three 龍.
    pub(super) origin: Option<Square>,
}

impl Modifier {
    pub(super) fn for_move(context: &MoveContext<'_>, from: Square) -> Self {
        match context.kind {
            PieceKind::Pawn | PieceKind::Lance | PieceKind::King => Self::from_origin(context, from),
            kind if is_ranging(kind) => Self::for_ranging(context, from),
            _ => Self::for_stepping(context, from),
        }
    }

    /// Returns the modifiers of 金 and pieces that move like it, 銀 and 桂. The motion is used if it decides, else the
    /// position as seen from the target if that decides, else both.
    fn for_stepping(context: &MoveContext<'_>, from: Square) -> Self {
        let motion = PieceMotion::between(context.color, from, context.to);
        let side = RelativePosition::relative_to(context.color, from, context.to);
        let (mut rivals, mut same_motion, mut same_side) = (false, false, false);
        for rival in context.rivals() {
            rivals = true;
            same_motion |= PieceMotion::between(context.color, rival, context.to) == motion;
            // 直 is used only for a piece straight behind the target. For one in front 引 decides.
            same_side |= side != RelativePosition::Straight
                && RelativePosition::relative_to(context.color, rival, context.to) == side;
        }
        match (rivals, same_motion, same_side) {
            (false, ..) => Self::default(),
            (true, false, _) => Self {
                motion: Some(motion),
                ..Self::default()
            },
            (true, true, false) => Self {
                side: Some(side),
                ..Self::default()
            },
            (true, true, true) => Self {
                side: Some(side),
                motion: Some(motion),
                origin: None,
            },
        }
    }

    /// Returns the modifiers of 角 飛 馬 龍. The motion is used if it decides, else the position as seen from the other
    /// piece. These pieces have no 直. With more than one rival the motion is written as well. The middle one of three
    /// pieces has its origin instead.
    fn for_ranging(context: &MoveContext<'_>, from: Square) -> Self {
        let motion = PieceMotion::between(context.color, from, context.to);
        let (mut rivals, mut left_of, mut right_of) = (0_u8, false, false);
        for rival in context.rivals() {
            rivals += 1;
            if PieceMotion::between(context.color, rival, context.to) == motion {
                let side = RelativePosition::relative_to(context.color, from, rival);
                left_of |= side != RelativePosition::Right;
                right_of |= side != RelativePosition::Left;
            }
        }
        let side = match (left_of, right_of) {
            (false, false) => {
                return Self {
                    motion: (rivals > 0).then_some(motion),
                    ..Self::default()
                };
            }
            (true, true) => {
                return Self {
                    origin: Some(from),
                    ..Self::default()
                };
            }
            (true, false) => RelativePosition::Left,
            (false, true) => RelativePosition::Right,
        };
        Self {
            side: Some(side),
            motion: (rivals > 1).then_some(motion),
            origin: None,
        }
    }

    /// Returns the origin if another piece can reach the target. Pawns, lances and kings have no modifiers.
    fn from_origin(context: &MoveContext<'_>, from: Square) -> Self {
        Self {
            origin: context.rivals().next().map(|_| from),
            ..Self::default()
        }
    }
}

/// Returns whether the kind is a bishop or a rook, promoted or not. For these, 右 and 左 are relative to the other
/// piece. For all other kinds, they are relative to the target.
pub(super) const fn is_ranging(kind: PieceKind) -> bool {
    matches!(
        kind,
        PieceKind::Bishop | PieceKind::Rook | PieceKind::Horse | PieceKind::Dragon
    )
}
