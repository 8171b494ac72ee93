//! The safety of a king: its guards and its escapes.

use crate::board::AttackBoard;
use crate::fact::{Fact, FactKind, FactPosition, KingSafety};
use crate::line::ReplayedLine;
use shogibar_shogi::{Color, PieceKind, Position, Square};

/// The minimum number of guards fewer than after the other move with which a king is less safe.
const MIN_GUARD_LOSS: u8 = 2;

/// The maximum number of escapes with which a king can be less safe by lost escapes.
const MAX_FEW_ESCAPES: u8 = 1;

/// The minimum number of escapes fewer than after the other move with which a king is less safe.
const MIN_ESCAPE_LOSS: u8 = 3;

/// The engine's lines with two different moves.
pub(crate) struct TwoLines<'a> {
    pub(crate) shown_line: &'a ReplayedLine,
    /// The position at which the shown line begins.
    pub(crate) at: FactPosition,
    pub(crate) other_line: &'a ReplayedLine,
}

/// Returns the fact that a side's king is less safe at the end of the shown line than at the end of the other line;
/// `None` if this is not so, or the opponent does not attack the king along the shown line.
pub(crate) fn exposed_king(side: Color, lines: &TwoLines<'_>) -> Option<Fact> {
    let TwoLines {
        shown_line: line, at, ..
    } = *lines;
    let plies = answered_plies(line, side)?;
    let safety = king_safety(line.position(plies)?, side)?;
    let other_plies = answered_plies(lines.other_line, side)?;
    let other = king_safety(lines.other_line.position(other_plies)?, side)?;
    // A king that walks away from its guards has not lost them.
    let (start, other_start) = (line.start(), lines.other_line.start());
    let kings = [
        start,
        other_start,
        line.position(plies)?,
        lines.other_line.position(other_plies)?,
    ];
    let stays = kings
        .iter()
        .all(|position| position.king(side) == start.king(side));
    let has_fewer_guards = stays && safety.guards + MIN_GUARD_LOSS <= other.guards;
    // Fewer escapes do not make a king with more guards less safe.
    let has_fewer_escapes =
        safety.escapes <= MAX_FEW_ESCAPES && safety.escapes + MIN_ESCAPE_LOSS <= other.escapes;
    let is_worse = has_fewer_guards || has_fewer_escapes && safety.guards <= other.guards;
    let shown = line.moves().get(..plies)?.to_vec();
    let kind = FactKind::ExposedKing { safety, other };
    (is_worse && attacking_moves(line, plies, side) > 0).then_some(Fact {
        kind,
        side,
        at,
        lead: 0,
        line: shown,
    })
}

/// Returns the number of moves of the engine's line up to the last move of a side; `None` if the side has no move.
pub(crate) fn answered_plies(line: &ReplayedLine, side: Color) -> Option<usize> {
    let all = line.len_without_appended();
    let is_answered = |plies: &usize| {
        line.position(*plies)
            .is_some_and(|end| end.side_to_move() != side)
    };
    [Some(all), all.checked_sub(1)]
        .into_iter()
        .flatten()
        .find(is_answered)
        .filter(|plies| *plies > 0)
}

/// Returns the number of moves by which the opponent checks a side's king or captures a piece beside it, within this
/// number of moves.
pub(crate) fn attacking_moves(line: &ReplayedLine, plies: usize, side: Color) -> usize {
    let is_attack = |ply: &usize| {
        let (Some(before), Some(after), Some(mv)) = (
            line.position(*ply),
            line.position(ply + 1),
            line.moves().get(*ply),
        ) else {
            return false;
        };
        let takes_beside = before.piece_on(mv.to()).is_some()
            && before.king(side).is_some_and(|king| is_beside(king, mv.to()));
        after.side_to_move() == side && (after.in_check() || takes_beside)
    };
    (0..plies).filter(is_attack).count()
}

fn king_safety(position: &Position, side: Color) -> Option<KingSafety> {
    let board = AttackBoard::new(position);
    let king = position.king(side)?;
    let beside: Vec<Square> = Square::all().filter(|square| is_beside(king, *square)).collect();
    let side_piece = |square: &Square| board.piece(*square).filter(|piece| piece.color == side);
    let guards = beside
        .iter()
        .filter_map(side_piece)
        .filter(|piece| is_guard(piece.kind))
        .count();
    let can_go =
        |square: &&Square| side_piece(square).is_none() && !board.is_king_attacked_on(king, **square);
    let escapes = beside.iter().filter(can_go).count();
    Some(KingSafety {
        guards: u8::try_from(guards).ok()?,
        escapes: u8::try_from(escapes).ok()?,
    })
}

pub(crate) const fn is_beside(king: Square, square: Square) -> bool {
    let distance = [
        king.file().abs_diff(square.file()),
        king.rank().abs_diff(square.rank()),
    ];
    distance[0] <= 1 && distance[1] <= 1 && distance[0] + distance[1] > 0
}

/// Returns whether a piece is a gold or silver, or moves like a gold.
const fn is_guard(kind: PieceKind) -> bool {
    matches!(
        kind,
        PieceKind::Gold
            | PieceKind::Silver
            | PieceKind::ProPawn
            | PieceKind::ProLance
            | PieceKind::ProKnight
            | PieceKind::ProSilver
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn safety_of(sfen: &str, side: Color) -> [u8; 2] {
        let safety = king_safety(&Position::from_sfen(sfen).unwrap(), side).unwrap();
        [safety.guards, safety.escapes]
    }

    #[test]
    fn counts_guards_and_escapes() {
        assert_eq!(safety_of("4k4/9/9/9/9/9/9/9/4K4 b - 1", Color::Black), [0, 5]);
        assert_eq!(safety_of("4k4/9/9/9/9/9/9/3GS4/4K4 b - 1", Color::Black), [2, 3]);
        assert_eq!(
            safety_of("4k4/9/9/9/9/9/9/4+p4/4K4 b - 1", Color::Black),
            [0, 1],
            "the pawn may be taken"
        );
        assert_eq!(
            safety_of("4k4/9/9/4r4/9/9/9/9/4K4 b - 1", Color::Black),
            [0, 4],
            "the king does not hide itself"
        );
        assert_eq!(
            safety_of("3gkg3/3ppp3/9/9/9/9/9/9/4K4 b - 1", Color::White),
            [2, 0]
        );
    }

    #[test]
    fn a_king_that_loses_its_guards_is_exposed() {
        let line = |moves| ReplayedLine::from_usi("4k4/9/9/9/9/3r5/9/1R1GS4/4K4 b - 1", moves);
        let (bad, good) = (line("5h4g 6f6h+ 8h6h 5a5b"), line("6h6g 6f1f 6g6h 5a5b"));
        let fact = |side, shown, other| {
            exposed_king(
                side,
                &TwoLines {
                    shown_line: shown,
                    at: FactPosition::After,
                    other_line: other,
                },
            )
        };
        assert_eq!(fact(Color::Black, &good, &bad), None);
        let found = fact(Color::Black, &bad, &good).unwrap();
        let [safety, other] = [
            KingSafety {
                guards: 0,
                escapes: 4,
            },
            KingSafety {
                guards: 2,
                escapes: 3,
            },
        ];
        assert_eq!(found.kind, FactKind::ExposedKing { safety, other });
        assert_eq!(found.line, bad.moves()[..3], "up to the answer");
        let walks = line("5h4g 6f6h+ 5i6h 5a5b");
        assert_eq!(fact(Color::Black, &walks, &good), None, "the king walks away");
    }
}
