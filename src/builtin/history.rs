//! The history of moves: how often each was good. Move ordering and reductions use it.
#![expect(
    clippy::indexing_slicing,
    reason = "tables indexed by the rules crate's own pieces and squares"
)]

use super::kinds::seen_by;
use rsshogi::board::Position;
use rsshogi::types::{Color, Move32, Piece, PieceType};

/// The number of pairs of piece and target square.
const PAIR_COUNT: usize = Piece::COUNT * 81;

/// The maximum absolute value of a move in the history.
pub(super) const HISTORY_LIMIT: i32 = 16_000;

/// The number of piece kinds in the history after earlier moves. All pieces that move like a gold are one kind.
const HISTORY_KIND_COUNT: usize = 10;

/// The kind of each piece type in the history after earlier moves.
const HISTORY_KIND: [usize; PieceType::COUNT] = [0, 0, 1, 2, 3, 4, 5, 6, 7, 6, 6, 6, 6, 8, 9, 0];

/// The number of pairs of kind and target square, as seen by the side to move.
const SEEN_PAIR_COUNT: usize = HISTORY_KIND_COUNT * 81;

/// The row of the history for no earlier move, whose values stay 0.
const NO_MOVE_ROW: usize = 2 * SEEN_PAIR_COUNT;

/// The moves before a node, as the history contains them.
#[derive(Clone, Copy, Debug)]
pub(super) struct PreviousMoves {
    /// The opponent's last move, or `MOVE_NONE`.
    last_move: Move32,
    /// The rows of the moves one, two and four plies back, in the history after earlier moves.
    rows: [usize; 3],
}

impl PreviousMoves {
    /// Creates the value from the moves one, two and four plies back, `MOVE_NONE` for none, as seen by `us`.
    pub(super) fn new(us: Color, moves: [Move32; 3]) -> Self {
        Self {
            last_move: moves[0],
            rows: moves.map(|mv| {
                if mv == Move32::MOVE_NONE {
                    return NO_MOVE_ROW;
                }
                let is_own = mv.piece_after_move().color() == us;
                seen_pair_index(us, mv) + if is_own { 0 } else { SEEN_PAIR_COUNT }
            }),
        }
    }
}

/// The statistics of the searches in a game by which moves are ordered (history heuristic). Quiet moves and captures
/// have values from `-HISTORY_LIMIT` to `HISTORY_LIMIT`.
#[derive(Debug)]
pub(super) struct MoveHistory {
    /// The history of quiet moves: by drop or not, piece and target.
    quiets: Vec<i16>,
    /// The history after earlier moves: by an earlier move and the move. Both are by kind and target, as seen by the
    /// side to move.
    continuation: Vec<i16>,
    /// The history of captures: by piece, target and captured kind.
    captures: Vec<i16>,
    /// The last quiet move that refuted a move, by the piece and target of the refuted move.
    counters: Vec<Move32>,
    /// The last two quiet moves that raised the score to beta, by ply.
    killers: Vec<[Move32; 2]>,
    /// The mean error of the static value, by side to move, part of the position, and key of the part.
    corrections: Vec<i16>,
}

/// The number of keys of each part of a position.
const CORRECTION_KEY_COUNT: usize = 1 << 14;

/// The number of parts of a position with separate corrections: pawns, small pieces, and the pieces of each side but
/// its pawns.
const CORRECTION_PART_COUNT: usize = 4;

/// The maximum absolute correction of a part, in units.
const CORRECTION_LIMIT: i32 = 1_024;
const CORRECTION_UNITS_PER_CP: i32 = 16;

impl MoveHistory {
    /// Creates an empty history for searches of at most `plies` plies.
    pub(super) fn new(plies: usize) -> Self {
        Self {
            quiets: vec![0; 2 * PAIR_COUNT],
            continuation: vec![0; (NO_MOVE_ROW + 1) * SEEN_PAIR_COUNT],
            captures: vec![0; PAIR_COUNT * PieceType::COUNT],
            counters: vec![Move32::MOVE_NONE; PAIR_COUNT],
            killers: vec![[Move32::MOVE_NONE; 2]; plies],
            corrections: vec![0; CORRECTION_PART_COUNT * 2 * CORRECTION_KEY_COUNT],
        }
    }

    pub(super) fn clear(&mut self) {
        *self = Self::new(self.killers.len());
    }

    /// Clears the killers, which belong to plies of the last search, and halves the values of quiet moves and captures.
    pub(super) fn begin_search(&mut self) {
        self.killers.fill([Move32::MOVE_NONE; 2]);
        for value in self.quiets.iter_mut().chain(&mut self.captures) {
            *value /= 2;
        }
    }

    pub(super) fn refutations(&self, ply: usize, previous: PreviousMoves) -> [Move32; 3] {
        let [first, second] = self.killers[ply];
        [first, second, self.counters[pair_index(previous.last_move)]]
    }

    pub(super) fn quiet_value(&self, mv: Move32, previous: PreviousMoves) -> i32 {
        let column = own_pair_index(mv);
        let [last, own, third] = previous
            .rows
            .map(|row| i32::from(self.continuation[row * SEEN_PAIR_COUNT + column]));
        2 * i32::from(self.quiets[quiet_index(mv)]) + 2 * last + own + third / 2
    }

    pub(super) fn capture_value(&self, position: &Position, mv: Move32) -> i32 {
        i32::from(self.captures[capture_index(position, mv)])
    }

    /// Records that the quiet move `best` refuted the position after the moves in `tried` had not.
    pub(super) fn learn_quiet(
        &mut self,
        best: Move32,
        tried: &[Move32],
        bonus: i32,
        ply: usize,
        previous: PreviousMoves,
    ) {
        let killers = &mut self.killers[ply];
        if killers[0] != best {
            *killers = [best, killers[0]];
        }
        if previous.last_move != Move32::MOVE_NONE {
            self.counters[pair_index(previous.last_move)] = best;
        }
        self.adjust_quiet(best, bonus, previous);
        for &mv in tried {
            self.adjust_quiet(mv, -bonus, previous);
        }
    }

    /// Raises the values of a quiet move, or lowers them where `by` is negative.
    pub(super) fn adjust_quiet(&mut self, mv: Move32, by: i32, previous: PreviousMoves) {
        adjust(&mut self.quiets[quiet_index(mv)], by);
        let column = own_pair_index(mv);
        for row in previous.rows.into_iter().filter(|row| *row != NO_MOVE_ROW) {
            adjust(&mut self.continuation[row * SEEN_PAIR_COUNT + column], by);
        }
    }

    /// Returns the correction of the static value, in centipawns: the sum of the mean errors for the parts of the
    /// position.
    pub(super) fn correction(&self, position: &Position) -> i32 {
        let parts = correction_indices(position);
        parts
            .map(|at| i32::from(self.corrections[at]))
            .iter()
            .sum::<i32>()
            / CORRECTION_UNITS_PER_CP
    }

    /// Records that a search of `depth` plies differs from the static value by `difference` centipawns.
    pub(super) fn learn_correction(&mut self, position: &Position, difference: i32, depth: i32) {
        let by = (difference * depth / 8).clamp(-CORRECTION_LIMIT / 4, CORRECTION_LIMIT / 4);
        for at in correction_indices(position) {
            let now = i32::from(self.corrections[at]);
            self.corrections[at] = i16::try_from(now + by - now * by.abs() / CORRECTION_LIMIT).unwrap_or(0);
        }
    }

    /// Raises the value of a capture, or lowers it where `by` is negative.
    pub(super) fn adjust_capture(&mut self, position: &Position, mv: Move32, by: i32) {
        adjust(&mut self.captures[capture_index(position, mv)], by);
    }
}

/// Changes a value by `by`, and by less near the limit.
fn adjust(value: &mut i16, by: i32) {
    let now = i32::from(*value);
    *value = i16::try_from(now + by - now * by.abs() / HISTORY_LIMIT).unwrap_or(*value);
}

fn correction_indices(position: &Position) -> [usize; CORRECTION_PART_COUNT] {
    let keys = position.partial_keys();
    let [black, white] = keys.non_pawn;
    let mut part = position.turn().to_index() * CORRECTION_PART_COUNT;
    [keys.pawn, keys.minor, black, white].map(|key| {
        part += 1;
        #[expect(clippy::cast_possible_truncation, reason = "only the low bits are used")]
        let key = key.low_u64() as usize % CORRECTION_KEY_COUNT;
        (part - 1) * CORRECTION_KEY_COUNT + key
    })
}

/// Returns the index of the kind and the target of a move, as seen by the side that makes it.
fn own_pair_index(mv: Move32) -> usize {
    seen_pair_index(mv.piece_after_move().color(), mv)
}

/// Returns the index of the kind and the target of a move, as seen by `us`.
fn seen_pair_index(us: Color, mv: Move32) -> usize {
    HISTORY_KIND[mv.piece_after_move().piece_type().to_index()] * 81 + seen_by(us, mv.to_sq()).to_index()
}

/// Returns the index of the piece and the target of a move, below [`PAIR_COUNT`].
const fn pair_index(mv: Move32) -> usize {
    mv.piece_after_move().to_index() * 81 + mv.to_sq().to_index()
}

fn quiet_index(mv: Move32) -> usize {
    usize::from(mv.is_drop()) * PAIR_COUNT + pair_index(mv)
}

fn capture_index(position: &Position, mv: Move32) -> usize {
    pair_index(mv) * PieceType::COUNT + position.piece_on(mv.to_sq()).piece_type().to_index()
}
