//! Move ordering: the moves of a node in stages, so that most are never generated. Non-promotions of pawns, bishops and
//! rooks that can promote are left out.
//!
//! The root (`think.rs`) and the quiescence search (`quiesce.rs`) rank their own lists with the functions of this file.

use super::exchange::{gain, gains_at_least, promotion_gain};
use super::history::{MoveHistory, PreviousMoves};
use rsshogi::board::{CapturePlusPro, Evasions, Move32List, Position, QuietsProMinus};
use rsshogi::movegen::generate_moves_move32;
use rsshogi::types::{Bitboard, Move32, PieceType};

pub(super) type RankedMove = (i32, Move32);

/// The stage of move generation that a move came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MoveStage {
    Table,
    /// Captures and promotions of pawns that lose no material.
    GoodCaptures,
    /// Killer moves and the counter move.
    Refutations,
    /// The other moves that neither capture nor promote a pawn.
    Quiets,
    /// Captures and promotions of pawns that lose material.
    BadCaptures,
    /// The answers to a check.
    Evasions,
}

/// The moves of a node, best first.
#[derive(Debug)]
pub(super) struct MovePicker {
    stage: MoveStage,
    /// Whether the moves of the stage are generated.
    is_ready: bool,
    table_move: Move32,
    refutations: [Move32; 3],
    returned_refutations: usize,
    moves: Vec<RankedMove>,
    bad_captures: Vec<RankedMove>,
}

impl Default for MovePicker {
    fn default() -> Self {
        Self {
            stage: MoveStage::Table,
            is_ready: false,
            table_move: Move32::MOVE_NONE,
            refutations: [Move32::MOVE_NONE; 3],
            returned_refutations: 0,
            moves: Vec::new(),
            bad_captures: Vec::new(),
        }
    }
}

impl MovePicker {
    /// Starts the moves of a node. `table_move` is legal, or `MOVE_NONE`.
    pub(super) fn start(&mut self, table_move: Move32, refutations: [Move32; 3]) {
        (self.stage, self.is_ready, self.returned_refutations) = (MoveStage::Table, false, 0);
        (self.table_move, self.refutations) = (table_move, refutations);
        self.moves.clear();
        self.bad_captures.clear();
    }

    /// Returns the next move, which may leave the king in check, and its stage; `None` after the last move.
    pub(super) fn next(
        &mut self,
        position: &Position,
        history: &MoveHistory,
        previous: PreviousMoves,
    ) -> Option<(Move32, MoveStage)> {
        loop {
            let next = match self.stage {
                MoveStage::Table => self.next_table_move(),
                MoveStage::Refutations => self.next_refutation(position),
                MoveStage::GoodCaptures => {
                    self.prepare(|moves| rank_captures(position, history, moves));
                    self.next_good_capture(position)
                }
                MoveStage::Quiets => {
                    self.prepare(|moves| rank_quiets(position, history, previous, moves));
                    let skip = self.refutations;
                    self.next_ranked(|mv| !skip.contains(&mv))
                }
                MoveStage::BadCaptures => {
                    if !self.is_ready {
                        std::mem::swap(&mut self.moves, &mut self.bad_captures);
                        self.is_ready = true;
                    }
                    take_best(&mut self.moves).map(|(_, mv)| mv)
                }
                MoveStage::Evasions => {
                    self.prepare(|moves| rank_evasions(position, history, previous, moves));
                    self.next_ranked(|_| true)
                }
            };
            if let Some(mv) = next {
                return Some((mv, self.stage));
            }
            self.stage = match self.stage {
                MoveStage::Table if position.is_in_check() => MoveStage::Evasions,
                MoveStage::Table => MoveStage::GoodCaptures,
                MoveStage::GoodCaptures => MoveStage::Refutations,
                MoveStage::Refutations => MoveStage::Quiets,
                MoveStage::Quiets => MoveStage::BadCaptures,
                MoveStage::BadCaptures | MoveStage::Evasions => return None,
            };
            self.is_ready = false;
        }
    }

    pub(super) fn skip_quiets(&mut self) {
        if matches!(self.stage, MoveStage::Quiets | MoveStage::Refutations) {
            self.moves.clear();
            (self.stage, self.is_ready, self.returned_refutations) =
                (MoveStage::Quiets, true, self.refutations.len());
        }
    }

    /// Fills the list of moves at the first call of a stage.
    fn prepare(&mut self, rank: impl FnOnce(&mut Vec<RankedMove>)) {
        if !self.is_ready {
            self.is_ready = true;
            self.moves.clear();
            rank(&mut self.moves);
        }
    }

    fn next_table_move(&mut self) -> Option<Move32> {
        let is_first = !std::mem::replace(&mut self.is_ready, true);
        (is_first && self.table_move != Move32::MOVE_NONE).then_some(self.table_move)
    }

    /// Returns the best remaining move of the stage that is accepted and not the table's move.
    fn next_ranked(&mut self, accepts: impl Fn(Move32) -> bool) -> Option<Move32> {
        loop {
            let (_, mv) = take_best(&mut self.moves)?;
            if mv != self.table_move && accepts(mv) {
                return Some(mv);
            }
        }
    }

    /// Returns the next capture that loses no material, and sets the others aside as bad captures.
    fn next_good_capture(&mut self, position: &Position) -> Option<Move32> {
        loop {
            let (rank, mv) = take_best(&mut self.moves)?;
            if mv == self.table_move {
                continue;
            }
            if gains_at_least(position, mv, 0) {
                return Some(mv);
            }
            self.bad_captures.push((rank, mv));
        }
    }

    fn next_refutation(&mut self, position: &Position) -> Option<Move32> {
        while let Some(&mv) = self.refutations.get(self.returned_refutations) {
            let is_new = mv != self.table_move
                && !self
                    .refutations
                    .iter()
                    .take(self.returned_refutations)
                    .any(|other| *other == mv);
            self.returned_refutations += 1;
            if is_new
                && mv != Move32::MOVE_NONE
                && is_quiet(position, mv)
                && position.is_pseudo_legal_move32(mv, false)
            {
                return Some(mv);
            }
        }
        None
    }
}

pub(super) fn take_best(moves: &mut Vec<RankedMove>) -> Option<RankedMove> {
    // Two passes: the compiler vectorizes the first one.
    let best = moves.iter().fold(i32::MIN, |best, (rank, _)| best.max(*rank));
    let index = moves.iter().rposition(|(rank, _)| *rank == best)?;
    Some(moves.swap_remove(index))
}

pub(super) fn rank_captures(position: &Position, history: &MoveHistory, moves: &mut Vec<RankedMove>) {
    let mut list = Move32List::new();
    generate_moves_move32::<CapturePlusPro>(position, &mut list);
    moves.extend(list.iter().map(|&mv| (rank_capture(position, history, mv), mv)));
}

/// Returns the rank of a capture: by its gain first, then by its history.
pub(super) fn rank_capture(position: &Position, history: &MoveHistory, mv: Move32) -> i32 {
    8 * gain(position, mv) + history.capture_value(position, mv) / 4
}

fn rank_quiets(
    position: &Position,
    history: &MoveHistory,
    previous: PreviousMoves,
    moves: &mut Vec<RankedMove>,
) {
    let mut list = Move32List::new();
    generate_moves_move32::<QuietsProMinus>(position, &mut list);
    let threatened = threatened_majors(position);
    moves.extend(list.iter().map(|&mv| {
        let flees = !mv.is_drop() && threatened.test(mv.from_sq());
        let mut rank = history.quiet_value(mv, previous) + 40 * promotion_gain(mv);
        if flees {
            rank += FLEE_BONUS;
        }
        if position.gives_check_move32(mv) {
            rank += CHECK_BONUS;
        }
        (rank, mv)
    }));
}

/// The bonus in a quiet move's rank for giving check.
const CHECK_BONUS: i32 = 12_000;

/// The bonus in a quiet move's rank when an attacked bishop or rook leaves its square.
const FLEE_BONUS: i32 = 12_000;

/// Returns the bishops and rooks, promoted or not, of the side to move that the opponent attacks.
fn threatened_majors(position: &Position) -> Bitboard {
    let us = position.turn();
    let boards = position.bitboards();
    let mut threatened = Bitboard::EMPTY;
    for square in &((boards.bishop_horse() | boards.rook_dragon()) & boards.color_pieces(us)) {
        if position.is_attacked_by(square, us.flip()) {
            threatened.set(square);
        }
    }
    threatened
}

/// The rank of captures among the answers to a check, above all quiet moves.
const CAPTURING_EVASION_RANK: i32 = 1_000_000;

/// Adds the answers to a check with their ranks: captures first.
pub(super) fn rank_evasions(
    position: &Position,
    history: &MoveHistory,
    previous: PreviousMoves,
    moves: &mut Vec<RankedMove>,
) {
    let mut list = Move32List::new();
    generate_moves_move32::<Evasions>(position, &mut list);
    moves.extend(list.iter().map(|&mv| {
        let rank = if is_quiet(position, mv) {
            history.quiet_value(mv, previous)
        } else {
            CAPTURING_EVASION_RANK + rank_capture(position, history, mv)
        };
        (rank, mv)
    }));
}

/// Returns whether a move neither captures nor promotes a pawn.
pub(super) fn is_quiet(position: &Position, mv: Move32) -> bool {
    mv.is_drop()
        || (position.is_square_empty(mv.to_sq())
            && !(mv.is_promotion() && mv.piece_after_move().piece_type() == PieceType::PRO_PAWN))
}
