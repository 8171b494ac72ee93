//! Which moves to try first.
#![expect(clippy::indexing_slicing, reason = "tables indexed by the rules crate's own pieces and squares")]

use super::weights::{ON_BOARD, SWING};
use rsshogi::board::{Move32List, Position};
use rsshogi::types::{Bitboard, Color, Move32, Piece, PieceType, Square};

/// A move and how promising it looks.
pub(super) type Ranked = (i32, Move32);

/// Moves as a node tries them, best first.
pub(super) type MovePicker = Vec<Ranked>;

/// What the search has learnt about quiet moves.
pub(super) struct MoveHistory {
    /// By piece and target: how often such a move was good, less how often it was not.
    history: Vec<i32>,
    /// By ply: the last two quiet moves that refuted their siblings.
    killers: Vec<[Move32; 2]>,
}

/// History values stay below this.
const HISTORY_LIMIT: i32 = 8_000;

/// The table's move comes before all, gaining captures before quiet moves, losing ones after them.
const TABLE_MOVE: i32 = 1_000_000;
const GAINING: i32 = 100_000;
const KILLER: i32 = 50_000;
pub(super) const LOSING: i32 = -100_000;

impl MoveHistory {
    pub(super) fn new(plies: usize) -> Self {
        Self { history: vec![0; Piece::COUNT * 81], killers: vec![[Move32::MOVE_NONE; 2]; plies] }
    }

    /// Notes that `best` refuted the position after the quiet moves in `tried` had not.
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

    /// Moves a value towards the limit, the slower the nearer it is.
    fn adjust(&mut self, mv: Move32, by: i32) {
        if let Some(value) = self.history.get_mut(index(mv)) {
            *value += by * 16 - *value * by.abs() / (HISTORY_LIMIT / 16);
        }
    }

    pub(super) fn history(&self, mv: Move32) -> i32 {
        self.history.get(index(mv)).copied().unwrap_or(0)
    }

    /// Ranks the moves in `list` into `moves`.
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

/// Takes the most promising of the moves that are left.
pub(super) fn take_best(moves: &mut MovePicker) -> Option<Ranked> {
    let (place, _) = moves.iter().enumerate().max_by_key(|(_, (rank, _))| *rank)?;
    Some(moves.swap_remove(place))
}

/// Whether a move neither takes nor promotes.
pub(super) fn is_quiet(position: &Position, mv: Move32) -> bool {
    mv.is_drop() || (!mv.is_promotion() && position.is_square_empty(mv.to_sq()))
}

/// What a move gains at once, in centipawns.
pub(super) fn gain(position: &Position, mv: Move32) -> i32 {
    if mv.is_drop() {
        return 0;
    }
    let taken = SWING[position.piece_on(mv.to_sq()).piece_type().to_index()];
    let after = mv.piece_after_move().piece_type();
    taken + if mv.is_promotion() { ON_BOARD[after.to_index()] - ON_BOARD[after.demote().to_index()] } else { 0 }
}

/// Whether what is taken is worth more than what takes.
fn is_safe_capture(position: &Position, mv: Move32) -> bool {
    let mover = mv.piece_after_move().piece_type();
    SWING[position.piece_on(mv.to_sq()).piece_type().to_index()] >= SWING[mover.to_index()]
}

/// The kinds from the one to risk first to the one to risk last.
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

/// What a move gains when both sides go on taking on its square as long as it pays, in centipawns.
/// Pins and promotions on recapture are left aside.
pub(super) fn exchange(position: &Position, mv: Move32) -> i32 {
    let target = mv.to_sq();
    let mut occupied = position.bitboards().occupied();
    if !mv.is_drop() {
        occupied.clear(mv.from_sq());
    }
    occupied.set(target);
    // Alternating: what the n-th capture takes, seen by the side that makes it.
    let mut taken = [0; 40];
    let mut count = 1;
    taken[0] = gain(position, mv);
    let mut standing = mv.piece_after_move().piece_type();
    let mut side = position.turn().flip();
    while count < taken.len() {
        let attackers = position.attackers_to_color(side, target, occupied) & occupied;
        let Some((kind, from)) = CHEAPEST_FIRST
            .iter()
            .find_map(|&kind| (attackers & position.bitboards().pieces_for(kind, side)).lsb().map(|from| (kind, from)))
        else {
            break;
        };
        taken[count] = SWING[standing.to_index()];
        count += 1;
        // A king may only take last: whoever could take it back forbids it.
        if kind == PieceType::KING && has_attacker(position, side.flip(), target, occupied) {
            count -= 1;
            break;
        }
        occupied.clear(from);
        standing = kind;
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
