//! The search below the root: alpha-beta with a transposition table and a quiescence search.

use super::evaluate::{attacks, evaluate};
use super::limits::Control;
use super::order::{LOSING, MoveHistory, MovePicker, exchange, gain, is_quiet, take_best};
use super::table::{TableBound, TableEntry, TranspositionTable};
use rsshogi::board::{CapturePlusPro, Evasions, Move32List, NonEvasions, Position};
use rsshogi::mate::solve_mate_in_one_in_place;
use rsshogi::movegen::{generate_moves_move32, generate_quiet_checks_move32};
use rsshogi::types::{Bitboard, Color, Move32, Piece, PieceType, RepetitionState};

/// A bound beyond every score.
pub(super) const INFINITE: i32 = 32_000;

/// The score of a mate at the root; a mate in n plies is worth n less.
pub(super) const MATE: i32 = 30_000;

/// The score from which a score is a mate.
pub(super) const MATE_BOUND: i32 = MATE - 1_000;

/// The score of a won repetition. The other side will deviate, so it is no mate.
const PERPETUAL: i32 = 3_000;

/// The maximum length of a line, in plies.
pub(super) const MAX_PLY: usize = 96;

/// The number of nodes between two checks of the clock: about a millisecond.
const CLOCK_STRIDE: u64 = 512;

/// The number of nodes after which a stop ends the search even before depth 1 is complete: some 10 ms.
const NODES_BEFORE_STOP: u64 = 5_000;

/// A search in progress.
pub(super) struct AlphaBeta<'a> {
    pub(super) position: Position,
    pub(super) table: &'a mut TranspositionTable,
    pub(super) control: &'a Control,
    /// The clock: milliseconds since the search began.
    pub(super) clock: &'a dyn Fn() -> u64,
    pub(super) move_history: MoveHistory,
    pub(super) nodes: u64,
    pub(super) last_node: u64,
    pub(super) deepest: usize,
    /// Whether the search has to end. Every value after that is meaningless.
    pub(super) is_over: bool,
    /// Whether depth 1 is complete.
    pub(super) has_result: bool,
    /// The best line from each ply.
    lines: Vec<Vec<Move32>>,
    /// Lists of moves for reuse.
    spare: Vec<MovePicker>,
}

/// The window of an alpha-beta search: scores above `alpha` and below `beta` matter.
#[derive(Clone, Copy)]
pub(super) struct ScoreWindow {
    pub(super) alpha: i32,
    pub(super) beta: i32,
}

impl ScoreWindow {
    pub(super) const ALL: Self = Self { alpha: -INFINITE, beta: INFINITE };

    /// Returns the null window that tests whether a score is above `alpha`.
    pub(super) const fn above(alpha: i32) -> Self {
        Self { alpha, beta: alpha + 1 }
    }

    /// Returns the window as seen by the other side.
    pub(super) const fn flip(self) -> Self {
        Self { alpha: -self.beta, beta: -self.alpha }
    }

    const fn is_open(self) -> bool {
        self.beta - self.alpha > 1
    }
}

impl<'a> AlphaBeta<'a> {
    pub(super) fn new(
        position: Position,
        table: &'a mut TranspositionTable,
        control: &'a Control,
        clock: &'a dyn Fn() -> u64,
    ) -> Self {
        Self {
            position,
            table,
            control,
            clock,
            move_history: MoveHistory::new(MAX_PLY),
            nodes: 0,
            last_node: u64::MAX,
            deepest: 0,
            is_over: false,
            has_result: false,
            lines: vec![Vec::new(); MAX_PLY + 1],
            spare: Vec::new(),
        }
    }

    /// Returns the score of the position `ply` moves below the root, searched `depth` plies deep.
    fn node(&mut self, window: ScoreWindow, depth: i32, ply: usize) -> i32 {
        if depth <= 0 {
            return self.quiesce(window, ply, 0);
        }
        if let Some(score) = self.enter(ply) {
            return score;
        }
        // Mate distance pruning: a mate nearer to the root cannot be improved here.
        let window = ScoreWindow { alpha: window.alpha.max(mated(ply)), beta: window.beta.min(-mated(ply + 1)) };
        if window.alpha >= window.beta {
            return window.alpha;
        }
        let key = self.position.key().low_u64();
        let known = self.table.get(key);
        if let Some(entry) = known
            && !window.is_open()
            && let Some(score) = usable_score(entry, window, depth, ply)
        {
            return score;
        }
        let static_score = if self.position.is_in_check() { None } else { Some(evaluate(&self.position)) };
        if let Some(static_score) = static_score {
            if let Some(mv) = solve_mate_in_one_in_place(&mut self.position) {
                self.set_line(ply, mv, false);
                return -mated(ply + 1);
            }
            if let Some(score) = self.prune(window, depth, ply, static_score) {
                return score;
            }
        }
        let first = known.map_or(Move32::MOVE_NONE, |entry| entry.best);
        let (score, best) = self.try_moves(window, depth, ply, (first, static_score));
        if self.is_over {
            return 0;
        }
        let bound = if score >= window.beta {
            TableBound::Lower
        } else if score > window.alpha {
            TableBound::Exact
        } else {
            TableBound::Upper
        };
        self.table.put(key, TableEntry { best, score: to_table(score, ply), depth: narrow(depth), bound });
        score
    }

    /// Searches all moves and returns the best score with its move.
    fn try_moves(
        &mut self,
        window: ScoreWindow,
        depth: i32,
        ply: usize,
        (first, static_score): (Move32, Option<i32>),
    ) -> (i32, Move32) {
        let in_check = static_score.is_none();
        let mut moves = self.ranked(ply, first, in_check);
        let (mut best, mut best_score, mut alpha) = (Move32::MOVE_NONE, -INFINITE, window.alpha);
        let mut quiets = Vec::new();
        let mut count = 0;
        while let Some((rank, mv)) = take_best(&mut moves) {
            if !self.position.is_legal_after_pseudo_move32(mv) {
                continue;
            }
            let quiet = is_quiet(&self.position, mv);
            let check = self.position.gives_check_move32(mv);
            count += 1;
            if let Some(static_score) = static_score
                && best_score > -MATE_BOUND
                && !window.is_open()
                && !check
                && self.is_futile(mv, rank, depth, alpha - static_score)
            {
                continue;
            }
            let extension = i32::from(check && (quiet || rank >= 0) && depth < 12);
            let reduction = if quiet && !check && !in_check { reduction(depth, count) } else { 0 };
            self.position.apply_move32_with_gives_check(mv, check);
            let window_now = ScoreWindow { alpha, beta: window.beta };
            let score = self.child(window_now, depth - 1 + extension, reduction, (ply + 1, count == 1));
            self.undo(mv);
            if self.is_over {
                break;
            }
            if score > best_score {
                (best_score, best) = (score, mv);
            }
            if score > alpha {
                alpha = score;
                self.set_line(ply, mv, true);
            }
            if alpha >= window.beta {
                if quiet {
                    self.move_history.learn(mv, &quiets, depth, ply);
                }
                break;
            }
            if quiet {
                quiets.push(mv);
            }
        }
        self.spare.push(moves);
        if count == 0 { (mated(ply), Move32::MOVE_NONE) } else { (best_score, best) }
    }

    /// Returns the score of the move just played (principal variation search). The first move gets the whole
    /// window, the others a null window and, if they are late, a reduced depth first.
    pub(super) fn child(
        &mut self,
        window: ScoreWindow,
        depth: i32,
        reduction: i32,
        (ply, is_first): (usize, bool),
    ) -> i32 {
        if is_first {
            return -self.node(window.flip(), depth, ply);
        }
        let probe = ScoreWindow::above(window.alpha).flip();
        let mut score = -self.node(probe, depth - reduction, ply);
        if score > window.alpha && reduction > 0 {
            score = -self.node(probe, depth, ply);
        }
        if score > window.alpha && score < window.beta {
            score = -self.node(window.flip(), depth, ply);
        }
        score
    }

    /// Returns whether a move near the leaves can be skipped: it cannot make up for the deficit `missing`, or
    /// loses too much.
    fn is_futile(&self, mv: Move32, rank: i32, depth: i32, missing: i32) -> bool {
        if is_quiet(&self.position, mv) {
            depth <= 4 && missing >= 100 + 120 * depth
        } else {
            depth <= 6 && rank < 0 && rank - LOSING < -150 * depth
        }
    }

    /// Returns a score where the static value, or a null move, already exceeds beta.
    fn prune(&mut self, window: ScoreWindow, depth: i32, ply: usize, score: i32) -> Option<i32> {
        if window.is_open() || window.beta.abs() >= MATE_BOUND {
            return None;
        }
        if depth <= 6 && score - 120 * depth >= window.beta {
            return Some(score);
        }
        // A null move after a null move would only return to the same position.
        let after_null = self.position.plies_from_null() == 0;
        if depth < 3 || score < window.beta || after_null || self.position.apply_null_move().is_err() {
            return None;
        }
        let score = -self.node(ScoreWindow::above(window.beta - 1).flip(), depth - 3 - depth / 3, ply + 1);
        let _undone = self.position.undo_null_move();
        (score >= window.beta && !self.is_over).then_some(score.min(MATE_BOUND))
    }

    /// Quiescence search: returns the score after captures, promotions and answers to checks.
    fn quiesce(&mut self, window: ScoreWindow, ply: usize, quiet_depth: u8) -> i32 {
        if let Some(score) = self.enter(ply) {
            return score;
        }
        let in_check = self.position.is_in_check();
        let mut best_score = mated(ply);
        if !in_check {
            best_score = evaluate(&self.position);
            if best_score >= window.beta {
                return best_score;
            }
            if quiet_depth == 0
                && let Some(mv) = solve_mate_in_one_in_place(&mut self.position)
            {
                self.set_line(ply, mv, false);
                return -mated(ply + 1);
            }
        }
        let static_score = best_score;
        let mut alpha = window.alpha.max(best_score);
        let mut moves = if in_check {
            self.ranked(ply, Move32::MOVE_NONE, true)
        } else {
            self.ranked_tactical(ply, quiet_depth == 0)
        };
        while let Some((rank, mv)) = take_best(&mut moves) {
            // Losing captures come last. Moves that cannot raise the score above alpha are skipped, too.
            let is_hopeless =
                !in_check && (rank < 0 || (rank != 1 && static_score + gain(&self.position, mv) + 700 <= alpha));
            if is_hopeless || !self.position.is_legal_after_pseudo_move32(mv) {
                continue;
            }
            let check = self.position.gives_check_move32(mv);
            self.position.apply_move32_with_gives_check(mv, check);
            let score =
                -self.quiesce(ScoreWindow { alpha, beta: window.beta }.flip(), ply + 1, quiet_depth.saturating_add(1));
            self.undo(mv);
            if self.is_over {
                break;
            }
            best_score = best_score.max(score);
            if score > alpha {
                alpha = score;
                self.set_line(ply, mv, true);
            }
            if alpha >= window.beta {
                break;
            }
        }
        self.spare.push(moves);
        best_score
    }

    /// Counts a node, and returns its score if the search or the game ends there.
    fn enter(&mut self, ply: usize) -> Option<i32> {
        self.nodes += 1;
        self.deepest = self.deepest.max(ply);
        if let Some(line) = self.lines.get_mut(ply) {
            line.clear();
        }
        if self.must_end() {
            self.is_over = true;
            return Some(0);
        }
        match self.position.repetition_state_with_ply(ply) {
            RepetitionState::Draw => return Some(0),
            RepetitionState::Win => return Some(PERPETUAL),
            RepetitionState::Lose => return Some(-PERPETUAL),
            RepetitionState::None | RepetitionState::Superior | RepetitionState::Inferior => {}
        }
        if can_declare(&self.position) {
            return Some(-mated(ply + 1));
        }
        (ply >= MAX_PLY).then(|| evaluate(&self.position))
    }

    fn must_end(&self) -> bool {
        if self.nodes > self.last_node {
            return true;
        }
        (self.has_result || self.nodes > NODES_BEFORE_STOP)
            && (self.control.is_stopped()
                || (self.nodes.is_multiple_of(CLOCK_STRIDE) && self.control.is_over((self.clock)())))
    }

    fn ranked(&mut self, ply: usize, first: Move32, in_check: bool) -> MovePicker {
        let mut list = Move32List::new();
        if in_check {
            generate_moves_move32::<Evasions>(&self.position, &mut list);
        } else {
            generate_moves_move32::<NonEvasions>(&self.position, &mut list);
        }
        let mut moves = self.spare.pop().unwrap_or_default();
        self.move_history.rank(&self.position, &list, first, ply, &mut moves);
        moves
    }

    /// Returns the moves of the quiescence search outside check: captures and
    /// promotions, and in its first ply, `with_checks`, the checks.
    fn ranked_tactical(&mut self, ply: usize, with_checks: bool) -> MovePicker {
        let mut list = Move32List::new();
        generate_moves_move32::<CapturePlusPro>(&self.position, &mut list);
        add_promotions(&self.position, &mut list);
        let mut moves = self.spare.pop().unwrap_or_default();
        self.move_history.rank(&self.position, &list, Move32::MOVE_NONE, ply, &mut moves);
        if with_checks {
            list.clear();
            generate_quiet_checks_move32(&self.position, &mut list);
            for &mv in &list {
                if is_quiet(&self.position, mv) && exchange(&self.position, mv) >= 0 {
                    moves.push((1, mv));
                }
            }
        }
        moves
    }

    pub(super) fn undo(&mut self, mv: Move32) {
        let undone = self.position.undo_move32(mv);
        debug_assert!(undone.is_ok(), "every move that is undone was played");
    }

    /// Returns the best line from the root.
    pub(super) fn line(&self) -> &[Move32] {
        self.lines.first().map_or(&[], Vec::as_slice)
    }

    /// Sets the best line from `ply` to `mv`, followed by the line of the next ply if `append_next`.
    pub(super) fn set_line(&mut self, ply: usize, mv: Move32, append_next: bool) {
        let (before, after) = self.lines.split_at_mut((ply + 1).min(MAX_PLY));
        if let Some(line) = before.get_mut(ply) {
            line.clear();
            line.push(mv);
            if append_next && let Some(rest) = after.first() {
                line.extend_from_slice(rest);
            }
        }
    }
}

/// Adds the quiet promotions of rooks and bishops, which the rules crate counts as quiet moves.
fn add_promotions(position: &Position, list: &mut Move32List) {
    let us = position.turn();
    let zone = Bitboard::promotion_zone(us);
    let empty = position.empties();
    for kind in [PieceType::BISHOP, PieceType::ROOK] {
        for from in &position.pieces_for(kind, us) {
            let reach = attacks(kind, from, us, position.pieces()) & empty;
            let targets = if zone.test(from) { reach } else { reach & zone };
            for to in &targets {
                list.push(Move32::promotion(from, to, Piece::from_parts(us, kind.promote())));
            }
        }
    }
}

/// Returns whether the side to move may declare a win; the search's position applies the 27-point rule. It is tested
/// only for kings in the far three ranks, since the complete test is slow.
pub(super) fn can_declare(position: &Position) -> bool {
    let us = position.turn();
    let king = position.king_square(us);
    let king = if us == Color::Black { king } else { king.flip() };
    king.to_index() % 9 <= 2 && position.declaration_win_move() == Move32::MOVE_WIN
}

/// Returns the score of being mated `ply` plies below the root.
pub(super) fn mated(ply: usize) -> i32 {
    plies(ply) - MATE
}

/// Returns the late move reduction of a quiet move. It is small: what a thin search overlooks
/// at one depth makes the value jump at the next.
const fn reduction(depth: i32, count: i32) -> i32 {
    if depth < 3 || count < 4 {
        return 0;
    }
    let late = (count >= 8) as i32 + (count >= 20) as i32;
    let deep = (depth >= 6) as i32 + (depth >= 10) as i32;
    late + deep
}

/// Returns the stored score if it is sufficient for `window` and `depth`.
fn usable_score(entry: TableEntry, window: ScoreWindow, depth: i32, ply: usize) -> Option<i32> {
    let score = from_table(entry.score, ply);
    let answers = match entry.bound {
        TableBound::Exact => true,
        TableBound::Lower => score >= window.beta,
        TableBound::Upper => score <= window.alpha,
    };
    (answers && i32::from(entry.depth) >= depth).then_some(score)
}

/// Converts a score for the table, where mates count from their own position.
fn to_table(score: i32, ply: usize) -> i16 {
    i16::try_from(lengthen(score, -plies(ply))).unwrap_or(0)
}

fn from_table(score: i16, ply: usize) -> i32 {
    lengthen(score.into(), plies(ply))
}

/// Returns the same score, with a mate `by` plies further away.
const fn lengthen(score: i32, by: i32) -> i32 {
    if score.abs() < MATE_BOUND { score } else { score - score.signum() * by }
}

fn plies(ply: usize) -> i32 {
    i32::try_from(ply).unwrap_or(0)
}

fn narrow(depth: i32) -> u8 {
    u8::try_from(depth.max(0)).unwrap_or(u8::MAX)
}
