//! The quiescence search: captures, promotions, the first checks, and answers to checks.

use super::evaluate::attacks;
use super::exchange::{gain, gains_at_least};
use super::order::{RankedMove, is_quiet, rank_captures, rank_evasions, take_best};
use super::search_state::{
    INFINITE, MIN_MATE_SCORE, ScoreWindow, SearchState, bound_of, mated, refine, to_table, usable_score,
};
use super::table::{NO_VALUE, TableBound, TableEntry};
use super::trial::Trials;
use rsshogi::board::{Move32List, Position};
use rsshogi::mate::solve_mate_in_one_in_place;
use rsshogi::movegen::generate_quiet_checks_move32;
use rsshogi::types::{Bitboard, Move, Move32, Piece, PieceType};

/// The assumed maximum gain of a capture beyond its material, in centipawns.
const FUTILITY_MARGIN: i32 = 350;

/// The rank of the table's move, above all others.
const TABLE_MOVE_RANK: i32 = 10_000_000;

/// The rank of quiet checks, below all other moves.
const QUIET_CHECK_RANK: i32 = -1_000_000;

/// The number of plies of the quiescence search in which all answers to a check are tried.
const FULL_EVASION_PLIES: u8 = 3;

/// The maximum number of quiet answers to a check that are tried after [`FULL_EVASION_PLIES`], once an answer is not
/// mated. Captures and king moves are not limited.
const MAX_QUIET_EVASIONS: u32 = 2;

impl SearchState<'_> {
    /// Returns the score after captures, promotions and answers to checks. `quiet_depth` counts the plies of the
    /// quiescence search; the first one tries quiet checks.
    pub(super) fn quiesce(&mut self, window: ScoreWindow, ply: usize, quiet_depth: u8) -> i32 {
        if let Some(score) = self.enter(ply) {
            return score;
        }
        let key = self.position.key().low_u64();
        let known = self.table.get(key);
        if let Some(entry) = known
            && !window.is_open()
            && let Some(score) = usable_score(entry, window, 0, ply)
        {
            return score;
        }
        let stored_value = self.static_value(known, ply);
        let mut best_score = -INFINITE;
        if stored_value != NO_VALUE {
            best_score = refine(stored_value.into(), known, ply);
            if best_score >= window.beta {
                if known.is_none() {
                    let score = to_table(best_score, ply);
                    let entry = TableEntry {
                        best_move: Move::MOVE_NONE,
                        score,
                        value: stored_value,
                        depth: 0,
                        bound: TableBound::Lower,
                        was_open: false,
                    };
                    self.table.put(key, entry);
                }
                return best_score;
            }
            if quiet_depth == 0
                && known.is_none()
                && let Some(mv) = solve_mate_in_one_in_place(&mut self.position)
            {
                self.set_line(ply, mv, false);
                return -mated(ply + 1);
            }
        }
        let first = known.map_or(Move::MOVE_NONE, |entry| entry.best_move);
        let moves = self.ranked_tactical_moves(ply, quiet_depth == 0, first);
        let (score, best) = self.quiesce_moves(window, ply, quiet_depth, best_score, moves);
        if self.is_over {
            return 0;
        }
        let bound = bound_of(score, window);
        let was_open = window.is_open() || known.is_some_and(|entry| entry.was_open);
        let entry = TableEntry {
            best_move: best,
            score: to_table(score, ply),
            value: stored_value,
            depth: 0,
            bound,
            was_open,
        };
        self.table.put(key, entry);
        score
    }

    /// Searches the moves and returns the best score with its move. `static_score` is the score without any of them; in
    /// check it is below all scores.
    fn quiesce_moves(
        &mut self,
        window: ScoreWindow,
        ply: usize,
        quiet_depth: u8,
        static_score: i32,
        mut moves: Vec<RankedMove>,
    ) -> (i32, Move) {
        let in_check = static_score == -INFINITE;
        let mut alpha = window.alpha.max(static_score);
        let mut best_score = if in_check { mated(ply) } else { static_score };
        let mut best = Move::MOVE_NONE;
        let mut quiet_evasions = 0;
        let margin = if self.trials.has(Trials::SMALLER_FUTILITY_MARGIN) {
            220
        } else {
            FUTILITY_MARGIN
        };
        while let Some((rank, mv)) = take_best(&mut moves) {
            let is_late = quiet_depth >= FULL_EVASION_PLIES && best_score > -MIN_MATE_SCORE;
            if in_check && is_late && !is_king_move(mv) && is_quiet(&self.position, mv) {
                quiet_evasions += 1;
                if quiet_evasions > MAX_QUIET_EVASIONS {
                    continue;
                }
            }
            if !in_check && rank > QUIET_CHECK_RANK {
                let max_score = static_score + gain(&self.position, mv) + margin;
                if max_score <= alpha {
                    best_score = best_score.max(max_score);
                    continue;
                }
                if !gains_at_least(&self.position, mv, 0) {
                    continue;
                }
            }
            if !self.position.is_legal_after_pseudo_move32(mv) {
                continue;
            }
            let check = self.position.gives_check_move32(mv);
            self.play(mv, check, ply);
            let child = ScoreWindow {
                alpha,
                beta: window.beta,
            }
            .flip();
            let score = -self.quiesce(child, ply + 1, quiet_depth.saturating_add(1));
            self.undo(mv);
            if self.is_over {
                break;
            }
            best_score = best_score.max(score);
            if score > alpha {
                alpha = score;
                best = mv.to_move();
                self.set_line(ply, mv, true);
            }
            if alpha >= window.beta {
                break;
            }
        }
        self.spare_lists.push(moves);
        (best_score, best)
    }

    /// Returns the ranked moves of the quiescence search: in check all answers, else captures and promotions.
    /// `with_checks` adds the checks that lose no material. `first` is the table's move, or `MOVE_NONE`.
    fn ranked_tactical_moves(&mut self, ply: usize, with_checks: bool, first: Move) -> Vec<RankedMove> {
        let mut moves = self.spare_lists.pop().unwrap_or_default();
        moves.clear();
        if self.position.is_in_check() {
            rank_evasions(&self.position, self.history, self.previous_moves(ply), &mut moves);
        } else {
            rank_captures(&self.position, self.history, &mut moves);
            add_promotions(&self.position, &mut moves);
            if with_checks {
                let mut list = Move32List::new();
                generate_quiet_checks_move32(&self.position, &mut list);
                let position = &self.position;
                let is_safe =
                    |mv| is_quiet(position, mv) && !mv.is_promotion() && gains_at_least(position, mv, 0);
                moves.extend(
                    list.iter()
                        .filter(|mv| is_safe(**mv))
                        .map(|&mv| (QUIET_CHECK_RANK, mv)),
                );
            }
        }
        if first != Move::MOVE_NONE
            && let Some((rank, _)) = moves
                .iter_mut()
                .find(|(rank, mv)| *rank > QUIET_CHECK_RANK && mv.to_move() == first)
        {
            *rank = TABLE_MOVE_RANK;
        }
        moves
    }
}

fn is_king_move(mv: Move32) -> bool {
    mv.piece_after_move().piece_type() == PieceType::KING
}

/// Adds the promotions of rooks and bishops without a capture, which the rules crate counts as quiet moves.
fn add_promotions(position: &Position, moves: &mut Vec<RankedMove>) {
    let us = position.turn();
    let zone = Bitboard::promotion_zone(us);
    let empty = position.empties();
    for kind in [PieceType::BISHOP, PieceType::ROOK] {
        for from in &position.pieces_for(kind, us) {
            let reach = attacks(kind, from, us, position.pieces()) & empty;
            let targets = if zone.test(from) { reach } else { reach & zone };
            for to in &targets {
                moves.push((
                    0,
                    Move32::promotion(from, to, Piece::from_parts(us, kind.promote())),
                ));
            }
        }
    }
}
