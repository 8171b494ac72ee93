//! Move ordering.
#![expect(clippy::indexing_slicing, reason = "tables indexed by the rules crate's own pieces and squares")]

use super::weights::{ON_BOARD, SWING};
use rsshogi::board::{Move32List, Position};
use rsshogi::types::{Bitboard, Color, Move32, Piece, PieceType, Square};

/// A move and its rank in the move ordering.
pub(super) type Ranked = (i32, Move32);

/// The moves of a node, taken best first.
pub(super) type MovePicker = Vec<Ranked>;

/// The history of quiet moves in a search.
pub(super) struct MoveHistory {
    /// The history value, by piece and target: how often such a move was good, minus how often it was not.
    history: Vec<i32>,
    /// The killer moves, by ply: the last two quiet moves that refuted their siblings.
    killers: Vec<[Move32; 2]>,
}

/// The limit of history values.
const HISTORY_LIMIT: i32 = 8_000;

/// The ranks in the move ordering: the table's move first, then gaining captures, quiet moves and losing captures.
const TABLE_MOVE: i32 = 1_000_000;
const GAINING: i32 = 100_000;
const KILLER: i32 = 50_000;
pub(super) const LOSING: i32 = -100_000;

impl MoveHistory {
    pub(super) fn new(plies: usize) -> Self {
        Self { history: vec![0; Piece::COUNT * 81], killers: vec![[Move32::MOVE_NONE; 2]; plies] }
    }

    /// Records that `best` refuted the position after the quiet moves in `tried` had not.
    pub(super) fn learn(&mut self, best: Move32, tried: &[Move32], depth: i32, ply: usize) {
        if let Some(killers) = self.killers.get_mut(ply)
            && killers[0] != best
        {
            *killers = [best, killers[0]];
        }
        let weight = (depth * depth).min(400);
        self.adjust(best, weight);
        for &mv in tried {
            self.adjust(mv, -weight);
        }
    }

    /// Moves a value towards the limit, and more slowly near it.
    fn adjust(&mut self, mv: Move32, by: i32) {
        if let Some(value) = self.history.get_mut(index(mv)) {
            *value += by * 16 - *value * by.abs() / (HISTORY_LIMIT / 16);
        }
    }

    pub(super) fn history(&self, mv: Move32) -> i32 {
        self.history.get(index(mv)).copied().unwrap_or(0)
    }

    /// Ranks the moves in `list` into `moves`; `first` is the table's move.
    pub(super) fn rank(
        &self,
        position: &Position,
        list: &Move32List,
        first: Move32,
        ply: usize,
        moves: &mut MovePicker,
    ) {
        let killers = self.killers.get(ply).copied().unwrap_or([Move32::MOVE_NONE; 2]);
        moves.clear();
        moves.extend(list.iter().map(|&mv| {
            let rank = if mv == first {
                TABLE_MOVE
            } else if is_quiet(position, mv) {
                if killers.contains(&mv) { KILLER } else { self.history(mv) }
            } else {
                let gain = gain(position, mv);
                let exchange = if is_safe_capture(position, mv) { gain } else { exchange(position, mv) };
                if exchange >= 0 { GAINING + gain } else { LOSING + exchange }
            };
            (rank, mv)
        }));
    }
}

/// Removes and returns the move with the highest rank.
pub(super) fn take_best(moves: &mut MovePicker) -> Option<Ranked> {
    let (place, _) = moves.iter().enumerate().max_by_key(|(_, (rank, _))| *rank)?;
    Some(moves.swap_remove(place))
}

/// Returns whether a move neither captures nor promotes.
pub(super) fn is_quiet(position: &Position, mv: Move32) -> bool {
    mv.is_drop() || (!mv.is_promotion() && position.is_square_empty(mv.to_sq()))
}

/// Returns the immediate material gain of a move, in centipawns.
pub(super) fn gain(position: &Position, mv: Move32) -> i32 {
    if mv.is_drop() {
        return 0;
    }
    let taken = SWING[position.piece_on(mv.to_sq()).piece_type().to_index()];
    let after = mv.piece_after_move().piece_type();
    taken + if mv.is_promotion() { ON_BOARD[after.to_index()] - ON_BOARD[after.demote().to_index()] } else { 0 }
}

/// Returns whether the captured piece is worth at least as much as the capturing one.
fn is_safe_capture(position: &Position, mv: Move32) -> bool {
    let mover = mv.piece_after_move().piece_type();
    SWING[position.piece_on(mv.to_sq()).piece_type().to_index()] >= SWING[mover.to_index()]
}

/// The piece kinds in the order in which an exchange risks them.
const CHEAPEST_FIRST: [PieceType; 14] = [
    PieceType::PAWN,
    PieceType::LANCE,
    PieceType::KNIGHT,
    PieceType::PRO_PAWN,
    PieceType::PRO_LANCE,
    PieceType::PRO_KNIGHT,
    PieceType::SILVER,
    PieceType::PRO_SILVER,
    PieceType::GOLD,
    PieceType::BISHOP,
    PieceType::ROOK,
    PieceType::HORSE,
    PieceType::DRAGON,
    PieceType::KING,
];

/// Returns the material gain of a move if both sides continue to capture on its square while that pays, in centipawns.
/// Pins and promotions on recapture are ignored.
pub(super) fn exchange(position: &Position, mv: Move32) -> i32 {
    let target = mv.to_sq();
    let mut occupied = position.bitboards().occupied();
    if !mv.is_drop() {
        occupied.clear(mv.from_sq());
    }
    occupied.set(target);
    // The gain of the n-th capture, as seen by the side that makes it.
    let mut taken = [0; 40];
    let mut count = 1;
    taken[0] = gain(position, mv);
    let mut occupant = mv.piece_after_move().piece_type();
    let mut side = position.turn().flip();
    while count < taken.len() {
        let attackers = position.attackers_to_color(side, target, occupied) & occupied;
        let Some((kind, from)) = CHEAPEST_FIRST
            .iter()
            .find_map(|&kind| (attackers & position.bitboards().pieces_for(kind, side)).lsb().map(|from| (kind, from)))
        else {
            break;
        };
        taken[count] = SWING[occupant.to_index()];
        count += 1;
        // A king can only capture last, because it must not be recaptured.
        if kind == PieceType::KING && has_attacker(position, side.flip(), target, occupied) {
            count -= 1;
            break;
        }
        occupied.clear(from);
        occupant = kind;
        side = side.flip();
    }
    taken[1..count].iter().rev().fold(0, |rest: i32, &gain| (gain - rest).max(0)).wrapping_neg() + taken[0]
}

fn has_attacker(position: &Position, side: Color, target: Square, occupied: Bitboard) -> bool {
    !(position.attackers_to_color(side, target, occupied) & occupied).is_empty()
}

fn index(mv: Move32) -> usize {
    mv.piece_after_move().to_index() * 81 + mv.to_sq().to_index()
}
