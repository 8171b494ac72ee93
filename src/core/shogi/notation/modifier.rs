//! 右 左 直 上 寄 引: telling apart the pieces that could go to the same square.

use super::MoveContext;
use super::geometry::{OriginPlace, PieceMotion};
use crate::shogi::{PieceKind, Square};

/// What the official notation says after the piece to tell it from its rivals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Modifier {
    pub(super) place: Option<OriginPlace>,
    pub(super) motion: Option<PieceMotion>,
    /// No words of the rule tell it apart, which happens only with more pieces than a set has (the
    /// middle one of three 龍, say); then the origin is written as KIF does.
    pub(super) origin: Option<Square>,
}

impl Modifier {
    pub(super) fn for_move(act: &MoveContext<'_>, from: Square) -> Self {
        match act.kind {
            PieceKind::Pawn | PieceKind::Lance | PieceKind::King => Self::by_origin(act, from),
            kind if ranges(kind) => Self::for_ranging(act, from),
            _ => Self::for_stepping(act, from),
        }
    }

    /// 金 and what moves like it, 銀, 桂: the motion if it decides, else the place as seen from the
    /// target if that decides, else both.
    fn for_stepping(act: &MoveContext<'_>, from: Square) -> Self {
        let motion = PieceMotion::between(act.color, from, act.to);
        let place = OriginPlace::relative_to(act.color, from, act.to);
        let (mut rivals, mut same_motion, mut same_place) = (false, false, false);
        for rival in act.rivals() {
            rivals = true;
            same_motion |= PieceMotion::between(act.color, rival, act.to) == motion;
            // 直 is said of the one straight behind, never of the one in front, whose 引 decides.
            same_place |= place != OriginPlace::Straight && OriginPlace::relative_to(act.color, rival, act.to) == place;
        }
        match (rivals, same_motion, same_place) {
            (false, ..) => Self::default(),
            (true, false, _) => Self { motion: Some(motion), ..Self::default() },
            (true, true, false) => Self { place: Some(place), ..Self::default() },
            (true, true, true) => Self { place: Some(place), motion: Some(motion), origin: None },
        }
    }

    /// 角 飛 馬 龍: the motion if it decides, else the place as seen from the other piece; they have no
    /// 直. With more than one rival the motion is said as well.
    fn for_ranging(act: &MoveContext<'_>, from: Square) -> Self {
        let motion = PieceMotion::between(act.color, from, act.to);
        let (mut rivals, mut left_of, mut right_of) = (0_u8, false, false);
        for rival in act.rivals() {
            rivals += 1;
            if PieceMotion::between(act.color, rival, act.to) == motion {
                let place = OriginPlace::relative_to(act.color, from, rival);
                left_of |= place != OriginPlace::Right;
                right_of |= place != OriginPlace::Left;
            }
        }
        let place = match (left_of, right_of) {
            (false, false) => return Self { motion: (rivals > 0).then_some(motion), ..Self::default() },
            (true, true) => return Self { origin: Some(from), ..Self::default() },
            (true, false) => OriginPlace::Left,
            (false, true) => OriginPlace::Right,
        };
        Self { place: Some(place), motion: (rivals > 1).then_some(motion), origin: None }
    }

    fn by_origin(act: &MoveContext<'_>, from: Square) -> Self {
        Self { origin: act.rivals().next().map(|_| from), ..Self::default() }
    }
}

/// Whether left and right are said as seen from the other piece, not from the target.
pub(super) const fn ranges(kind: PieceKind) -> bool {
    matches!(kind, PieceKind::Bishop | PieceKind::Rook | PieceKind::Horse | PieceKind::Dragon)
}
