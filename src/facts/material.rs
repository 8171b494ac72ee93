//! Material: the values of pieces, and the gains by exchanges on a square.
//!
//! The values are in tenths of a pawn: pawn 10, lance 30, knight 40, silver 50. A gold has 60, a bishop 80, a rook 100,
//! a king 0. A promoted pawn has 70, promoted lance, knight and silver 60, horse 100, dragon 120. A piece in hand
//! counts as on the board. The balance of a side is half of the difference between the two sides. So a pawn that
//! changes hands is 10.

use crate::fact::Gain;
use shogibar_shogi::{Color, Move, PieceKind, Position, Square};

/// The minimum gain of a capture that is a threat, in tenths of a pawn: two pawns.
pub(crate) const MIN_THREAT_GAIN: i32 = 20;

/// Returns the value of a piece, in tenths of a pawn.
pub const fn piece_value(kind: PieceKind) -> i32 {
    match kind {
        PieceKind::King => 0,
        PieceKind::Pawn => 10,
        PieceKind::Lance => 30,
        PieceKind::Knight => 40,
        PieceKind::Silver => 50,
        PieceKind::Gold | PieceKind::ProLance | PieceKind::ProKnight | PieceKind::ProSilver => 60,
        PieceKind::ProPawn => 70,
        PieceKind::Bishop => 80,
        PieceKind::Rook | PieceKind::Horse => 100,
        PieceKind::Dragon => 120,
    }
}

/// Returns the balance of a side: half of the difference between the material of the side and of the opponent, hands
/// included.
pub fn balance(position: &Position, side: Color) -> Gain {
    let on_board = Square::all().filter_map(|square| position.piece_on(square));
    let signed = |color, value: i32| if color == side { value } else { -value };
    let mut sum: i32 = on_board
        .map(|piece| signed(piece.color, piece_value(piece.kind)))
        .sum();
    for color in [side, side.flip()] {
        let hand = position.hand(color);
        for kind in PieceKind::IN_HAND {
            sum += signed(color, i32::from(hand.count(kind)) * piece_value(kind));
        }
    }
    Gain(sum / 2)
}

/// Returns the gain of the side that captures a piece, in tenths of a pawn. In the hand, the piece is unpromoted.
pub(crate) const fn capture_value(kind: PieceKind) -> i32 {
    i32::midpoint(piece_value(kind), piece_value(kind.unpromoted()))
}

/// Returns the gain of the mover by the piece that a move captures and by its promotion, in tenths of a pawn. Replies
/// are not considered.
pub(crate) fn move_gain(position: &Position, mv: Move) -> i32 {
    let captured = position
        .piece_on(mv.to())
        .map_or(0, |piece| capture_value(piece.kind));
    let promotion = match mv {
        Move::Board {
            from, promote: true, ..
        } => {
            let kind = position.piece_on(from).map(|piece| piece.kind);
            let promoted = kind.and_then(PieceKind::promoted);
            kind.zip(promoted).map_or(0, |(kind, promoted)| {
                (piece_value(promoted) - piece_value(kind)) / 2
            })
        }
        Move::Board { .. } | Move::Drop { .. } => 0,
    };
    captured + promotion
}

/// Returns the maximum gain of the side to move by captures on a square, in tenths of a pawn; 0 if no capture gains.
/// Both sides may continue to capture there or stop.
pub(crate) fn exchange_gain(position: &Position, square: Square) -> i32 {
    ExchangeSearch {
        square,
        remaining_positions: MAX_POSITIONS,
    }
    .best_gain(
        position,
        Bounds {
            low: 0,
            high: i32::MAX,
        },
    )
}

/// The gains of the side to move between which captures are searched, in tenths of a pawn.
#[derive(Clone, Copy)]
struct Bounds {
    low: i32,
    high: i32,
}

/// A search that plays captures on one square only.
struct ExchangeSearch {
    square: Square,
    /// The number of positions that may still be searched.
    remaining_positions: u32,
}

impl ExchangeSearch {
    /// Returns the gain of the side to move, in tenths of a pawn, within the bounds.
    fn best_gain(&mut self, position: &Position, bounds: Bounds) -> i32 {
        let is_target = position
            .piece_on(self.square)
            .is_some_and(|piece| piece.color != position.side_to_move());
        if !is_target {
            return 0;
        }
        let mut low = bounds.low.max(0);
        if self.remaining_positions == 0 {
            return low;
        }
        self.remaining_positions -= 1;
        let mut captures: Vec<Move> = position.legal_moves();
        captures.retain(|mv| mv.to() == self.square);
        captures.sort_by_key(|mv| moved_value(position, *mv));
        for mv in captures {
            let gain = move_gain(position, mv);
            if gain <= low {
                continue;
            }
            if low >= bounds.high {
                break;
            }
            let mut next = position.clone();
            if next.play(mv).is_ok() {
                let answer = Bounds {
                    low: gain - bounds.high,
                    high: gain - low,
                };
                low = low.max(gain - self.best_gain(&next, answer));
            }
        }
        low
    }
}

/// Returns the value of the piece that a move on the board moves; `None` for a drop.
fn moved_value(position: &Position, mv: Move) -> Option<i32> {
    Some(piece_value(position.piece_on(mv.from()?)?.kind))
}

/// Returns the capture that gains most by exchanges on its square, and its gain in tenths of a pawn. `None` if no
/// capture gains.
pub(crate) fn best_capture(position: &Position) -> Option<(Move, i32)> {
    let moves = position.legal_moves();
    let mut best: Option<(Move, i32)> = None;
    for &mv in moves.iter().filter(|mv| position.piece_on(mv.to()).is_some()) {
        let gain = move_gain(position, mv);
        let best_gain = best.map_or(0, |(_, gain)| gain);
        let mut next = position.clone();
        if gain > best_gain && next.play(mv).is_ok() {
            let gain = gain - exchange_gain(&next, mv.to());
            if gain > best_gain {
                best = Some((mv, gain));
            }
        }
    }
    best
}

/// Returns the maximum gain of the side to move by captures anywhere, in tenths of a pawn. Either side may stop at any
/// time, so the gain is at least 0.
pub(crate) fn capture_gain(position: &Position) -> i32 {
    if position.searchable().is_err() {
        return 0;
    }
    CaptureSearch {
        remaining_positions: MAX_POSITIONS,
    }
    .best_gain(
        position,
        MAX_CAPTURES,
        Bounds {
            low: 0,
            high: i32::MAX,
        },
    )
}

/// The maximum number of captures in a row that are searched.
const MAX_CAPTURES: u32 = 8;

/// The maximum number of positions that are searched for captures.
const MAX_POSITIONS: u32 = 600;

/// A search that plays captures only.
struct CaptureSearch {
    /// The number of positions that may still be searched.
    remaining_positions: u32,
}

impl CaptureSearch {
    /// Returns the gain of the side to move by at most `depth` captures, in tenths of a pawn, within the bounds.
    fn best_gain(&mut self, position: &Position, depth: u32, bounds: Bounds) -> i32 {
        let mut low = bounds.low.max(0);
        if depth == 0 || self.remaining_positions == 0 || low >= bounds.high {
            return low;
        }
        self.remaining_positions -= 1;
        let mut captures: Vec<Move> = position.legal_moves();
        captures.retain(|mv| position.piece_on(mv.to()).is_some());
        captures.sort_by_key(|mv| std::cmp::Reverse(move_gain(position, *mv)));
        for mv in captures {
            let gain = move_gain(position, mv);
            // The other captures gain even less.
            if gain <= low || low >= bounds.high {
                break;
            }
            let mut next = position.clone();
            if next.play(mv).is_ok() {
                let answer = Bounds {
                    low: gain.saturating_sub(bounds.high),
                    high: gain - low,
                };
                low = low.max(gain - self.best_gain(&next, depth - 1, answer));
            }
        }
        low
    }
}

/// Returns whether a position is quiet. The side to move must not be in check. No exchanges on one square may gain two
/// pawns or more for either side. For the side not to move, the other side passes first.
pub fn is_quiet(position: &Position) -> bool {
    if position.in_check() || position.searchable().is_err() {
        return false;
    }
    let passed = position.with_side_to_move(position.side_to_move().flip());
    [position, &passed]
        .into_iter()
        .all(|position| best_capture(position).is_none_or(|(_, gain)| gain < MIN_THREAT_GAIN))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use shogibar_shogi::any;

    fn at(sfen: &str) -> Position {
        Position::from_sfen(sfen).unwrap()
    }

    fn check_exchange(sfen: &str, square: &str, expect: i32) {
        assert_eq!(
            exchange_gain(&at(sfen), Square::from_usi(square.as_bytes()).unwrap()),
            expect,
            "{sfen}"
        );
    }

    #[test]
    fn counts_a_piece_that_changes_hands_once() {
        let mut position = at("4k4/9/9/4s4/4P4/9/9/9/4K4 b - 1");
        let before = balance(&position, Color::Black);
        position.play(Move::from_usi("5e5d").unwrap()).unwrap();
        assert_eq!(balance(&position, Color::Black).0 - before.0, 50);
        assert_eq!(balance(&Position::startpos(), Color::White), Gain(0));
    }

    #[test]
    fn counts_exchanges_on_a_square() {
        check_exchange("4k4/9/9/4s4/4P4/9/9/9/4K4 b - 1", "5d", 50);
        check_exchange("4k4/9/4p4/4s4/4P4/9/9/9/4K4 b - 1", "5d", 40);
        check_exchange("4k4/9/4p4/4s4/9/9/9/4R4/4K4 b - 1", "5d", 0);
        check_exchange("4k4/9/4p4/4s4/4L4/9/9/4R4/4K4 b - 1", "5d", 30);
        // A king captures only unguarded pieces.
        check_exchange("9/9/4k4/4G4/9/9/9/9/4K4 w - 1", "5d", 60);
        check_exchange("9/9/4k4/4G4/4P4/9/9/9/4K4 w - 1", "5d", 0);
        // A promotion counts.
        check_exchange("4k4/9/8p/8P/9/9/9/9/4K4 b - 1", "1c", 40);
    }

    #[test]
    fn knows_quiet_positions() {
        let check = |sfen: &str, expect| assert_eq!(is_quiet(&at(sfen)), expect, "{sfen}");
        check(
            "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
            true,
        );
        check("4k4/9/9/4s4/4P4/9/9/9/4K4 b - 1", false);
        check("4k4/9/9/4s4/4P4/9/9/9/4K4 w - 1", false);
        check("4k4/9/9/9/4P4/9/9/4r4/4K4 b - 1", false);
        check("9/9/9/9/9/9/9/9/9 b - 1", false);
    }

    proptest! {
        #[test]
        fn both_sides_see_the_same_material(sfen in any::sfen(0.3)) {
            let Ok(position) = Position::from_sfen(&sfen) else { return Ok(()) };
            let [black, white] = [Color::Black, Color::White].map(|side| balance(&position, side).0);
            prop_assert_eq!(black, -white);
            let quiet = is_quiet(&position);
            prop_assert!(!quiet || position.searchable().is_ok());
            for mv in position.legal_moves() {
                let mut next = position.clone();
                prop_assert!(next.play(mv).is_ok());
                let gained = balance(&next, position.side_to_move()).0 - balance(&position, position.side_to_move()).0;
                prop_assert_eq!(gained, move_gain(&position, mv), "{}", mv);
            }
        }
    }
}
