//! The search of a node above the quiescence search: alpha-beta with pruning, reductions and extensions.
#![expect(
    clippy::indexing_slicing,
    reason = "indices clamped to the length of their table"
)]

use super::exchange::gains_at_least;
use super::history::HISTORY_LIMIT;
use super::king_tables::distance;
use super::order::{MovePicker, MoveStage, is_quiet};
use super::search_state::{
    INFINITE, MAX_PLY, MIN_MATE_SCORE, ScoreWindow, SearchState, bound_of, from_table, mated, narrow, plies,
    refine, to_table, usable_score,
};
use super::table::{NO_VALUE, TableBound, TableEntry};
use rsshogi::mate::solve_mate_in_one_in_place;
use rsshogi::types::{Move, Move32};
use std::sync::LazyLock;

/// A node, with the data that is computed before its moves are searched.
#[derive(Clone, Copy)]
struct Node {
    window: ScoreWindow,
    /// The remaining depth, in plies.
    depth: i32,
    /// The number of moves from the root.
    ply: usize,
    /// Whether a move is expected to raise the score above beta.
    is_cut: bool,
    /// The static value, refined by the table; `None` in check.
    value: Option<i32>,
    /// Whether the static value is higher than at the side's last move.
    is_improving: bool,
    entry: Option<TableEntry>,
    /// The table's move if it is legal, or `MOVE_NONE`.
    table_move: Move32,
}

/// A move about to be searched.
#[derive(Clone, Copy)]
struct Candidate {
    mv: Move32,
    stage: MoveStage,
    is_quiet: bool,
    gives_check: bool,
    /// The number of the move among the moves of the node, from 1.
    count: usize,
    /// The history value of the move; 0 for a capture.
    history: i32,
}

/// The moves that were searched before the best one; further moves than [`Self::MAX_MOVES`] are left out.
struct TriedMoves {
    moves: [Move32; Self::MAX_MOVES],
    count: usize,
}

impl TriedMoves {
    /// The maximum number of moves that are stored.
    const MAX_MOVES: usize = 32;

    const fn new() -> Self {
        Self {
            moves: [Move32::MOVE_NONE; Self::MAX_MOVES],
            count: 0,
        }
    }

    fn push(&mut self, mv: Move32) {
        if let Some(slot) = self.moves.get_mut(self.count) {
            *slot = mv;
            self.count += 1;
        }
    }

    fn as_slice(&self) -> &[Move32] {
        &self.moves[..self.count]
    }
}

/// The parameters for the search of a child.
#[derive(Clone, Copy)]
pub(super) struct Child {
    /// The depth without a reduction, in plies.
    pub(super) depth: i32,
    /// The reduction of the first search of the child, in plies.
    pub(super) reduction: i32,
    /// The number of moves from the root to the child.
    pub(super) ply: usize,
    pub(super) is_first: bool,
    /// Whether the parent is expected to raise its score above beta.
    pub(super) is_cut: bool,
}

impl SearchState<'_> {
    /// Returns the score of the position `ply` moves below the root, searched `depth` plies deep.
    pub(super) fn search_node(&mut self, window: ScoreWindow, depth: i32, ply: usize, is_cut: bool) -> i32 {
        if depth <= 0 {
            return self.quiesce(window, ply, 0);
        }
        if let Some(score) = self.enter(ply) {
            return score;
        }
        // Mate distance pruning: a mate nearer to the root cannot be improved here.
        let window = ScoreWindow {
            alpha: window.alpha.max(mated(ply)),
            beta: window.beta.min(-mated(ply + 1)),
        };
        if window.alpha >= window.beta {
            return window.alpha;
        }
        let key = self.position.key().low_u64();
        let known = self.table.get(key);
        let is_singular_search = self.excluded_move(ply) != Move32::MOVE_NONE;
        if let Some(entry) = known
            && !window.is_open()
            && !is_singular_search
            && let Some(score) = usable_score(entry, window, depth, ply)
        {
            return score;
        }
        let stored_value = self.static_value(known, ply);
        // The correction changes from search to search. So it is used for pruning only, and is not part of a score.
        let static_value = (stored_value != NO_VALUE)
            .then(|| i32::from(stored_value) + self.history.correction(&self.position));
        self.set_static_value(ply, static_value);
        if stored_value != NO_VALUE
            && known.is_none()
            && let Some(mv) = solve_mate_in_one_in_place(&mut self.position)
        {
            self.set_line(ply, mv, false);
            return -mated(ply + 1);
        }
        let mut node = Node {
            window,
            depth,
            ply,
            is_cut,
            value: static_value.map(|value| refine(value, known, ply)),
            is_improving: self.is_improving(ply),
            entry: known,
            table_move: self.table_move(known),
        };
        if !is_singular_search && let Some(score) = self.prune(&node) {
            return score;
        }
        // Without a move to try first, a full search is wasteful. The shallower one finds a move for the next time.
        if node.table_move == Move32::MOVE_NONE && depth >= 4 && (window.is_open() || is_cut) {
            node.depth -= 1;
        }
        let (score, best) = self.try_moves(&node);
        if self.is_over {
            return 0;
        }
        if !is_singular_search {
            self.learn_correction(&node, static_value, score, best);
            let (depth, bound) = (narrow(node.depth), bound_of(score, window));
            let was_open = window.is_open() || known.is_some_and(|entry| entry.was_open);
            let entry = TableEntry {
                best_move: best,
                score: to_table(score, ply),
                value: stored_value,
                depth,
                bound,
                was_open,
            };
            self.table.put(key, entry);
        }
        score
    }

    /// Records the difference between the static value and the score. Scores of captures and mates are left out, as are
    /// bounds that agree with the value.
    fn learn_correction(&mut self, node: &Node, static_value: Option<i32>, score: i32, best: Move) {
        let Some(value) = static_value else { return };
        let agrees = match bound_of(score, node.window) {
            TableBound::Lower => score <= value,
            TableBound::Upper => score >= value,
            TableBound::Exact => false,
        };
        let takes =
            best != Move::MOVE_NONE && !best.is_drop() && !self.position.is_square_empty(best.to_sq());
        if !agrees && !takes && score.abs() < MIN_MATE_SCORE {
            self.history
                .learn_correction(&self.position, score - value, node.depth);
        }
    }

    /// Returns the table's move if it is legal here, or `MOVE_NONE`.
    fn table_move(&self, known: Option<TableEntry>) -> Move32 {
        let best = known.map_or(Move::MOVE_NONE, |entry| entry.best_move);
        let mv = self.position.move32_from_move(best);
        if mv != Move32::MOVE_NONE && self.position.is_legal_move32(mv) {
            mv
        } else {
            Move32::MOVE_NONE
        }
    }

    /// Returns a score where a search of the moves would not change the outcome; `None` elsewhere. The static value, a
    /// quiescence search or a null move decides.
    fn prune(&mut self, node: &Node) -> Option<i32> {
        let Node {
            window, depth, ply, ..
        } = *node;
        let value = node.value?;
        if window.is_open() || window.beta.abs() >= MIN_MATE_SCORE || window.alpha.abs() >= MIN_MATE_SCORE {
            return None;
        }
        // Razoring: far below alpha only a capture can help, which the quiescence search finds.
        if depth <= 3 && value + 250 * depth + 150 < window.alpha {
            let score = self.quiesce(window, ply, 0);
            if self.is_over || score <= window.alpha {
                return Some(score);
            }
        }
        // Reverse futility: far above beta no quiet answer will change that.
        let margin = 110 * (depth - i32::from(node.is_improving));
        if depth <= 8 && value - margin >= window.beta && value < MIN_MATE_SCORE {
            return Some(i32::midpoint(value, window.beta));
        }
        self.try_null_move(node, value)
    }

    /// Returns a score of at least beta if the side to move reaches it even without a move; `None` otherwise.
    fn try_null_move(&mut self, node: &Node, value: i32) -> Option<i32> {
        let Node {
            window, depth, ply, ..
        } = *node;
        // A null move after a null move would only return to the position before.
        let after_null = self.position.plies_from_null() == 0 && ply > 0;
        if depth < 3 || value < window.beta || after_null || !self.play_null(ply) {
            return None;
        }
        let reduction = 3 + depth / 3 + ((value - window.beta) / 200).min(3);
        let score = -self.search_node(
            ScoreWindow::above(window.beta - 1).flip(),
            depth - reduction,
            ply + 1,
            !node.is_cut,
        );
        self.undo_null();
        (score >= window.beta && !self.is_over).then_some(if score >= MIN_MATE_SCORE {
            window.beta
        } else {
            score
        })
    }

    fn try_moves(&mut self, node: &Node) -> (i32, Move) {
        let Node { window, ply, .. } = *node;
        let previous = self.previous_moves(ply);
        let excluded = self.excluded_move(ply);
        self.clear_cutoffs(ply + 1);
        let mut picker = self.spare_pickers.pop().unwrap_or_default();
        picker.start(
            node.table_move,
            self.history.refutations(ply.min(MAX_PLY - 1), previous),
        );
        let (mut best, mut best_score, mut alpha) = (Move32::MOVE_NONE, -INFINITE, window.alpha);
        let (mut quiets, mut captures) = (TriedMoves::new(), TriedMoves::new());
        let mut count = 0;
        while let Some((mv, stage)) = picker.next(&self.position, self.history, previous) {
            if mv == excluded || !self.position.is_legal_after_pseudo_move32(mv) {
                continue;
            }
            count += 1;
            let is_quiet = is_quiet(&self.position, mv);
            let candidate = Candidate {
                mv,
                stage,
                is_quiet,
                gives_check: self.position.gives_check_move32(mv),
                count,
                history: if is_quiet {
                    self.history.quiet_value(mv, previous)
                } else {
                    0
                },
            };
            if best_score > -MIN_MATE_SCORE && self.is_pruned(node, alpha, candidate, &mut picker) {
                continue;
            }
            let extension = match self.extension(node, candidate) {
                Ok(extension) => extension,
                Err(score) => {
                    self.spare_pickers.push(picker);
                    return (score, node.table_move.to_move());
                }
            };
            let depth = node.depth - 1 + extension;
            let reduction = self.reduction(node, candidate).clamp(0, (depth - 1).max(0));
            self.play(mv, candidate.gives_check, ply);
            let child = Child {
                depth,
                reduction,
                ply: ply + 1,
                is_first: count == 1,
                is_cut: node.is_cut,
            };
            let score = self.search_child(
                ScoreWindow {
                    alpha,
                    beta: window.beta,
                },
                child,
            );
            self.undo(mv);
            if self.is_over {
                break;
            }
            best_score = best_score.max(score);
            if score > alpha {
                (alpha, best) = (score, mv);
                self.set_line(ply, mv, true);
            }
            if alpha >= window.beta {
                self.count_cutoff(ply);
                self.update_history(node, candidate, (&quiets, &captures));
                break;
            }
            if is_quiet {
                quiets.push(mv);
            } else {
                captures.push(mv);
            }
        }
        self.spare_pickers.push(picker);
        match (count, excluded) {
            (0, Move32::MOVE_NONE) => (mated(ply), Move::MOVE_NONE),
            (0, _) => (window.alpha, Move::MOVE_NONE),
            _ => (best_score, best.to_move()),
        }
    }

    /// Records that `best` refuted the position after the other moves, `quiets` and `captures`, had not.
    fn update_history(
        &mut self,
        node: &Node,
        best: Candidate,
        (quiets, captures): (&TriedMoves, &TriedMoves),
    ) {
        let bonus = (160 * node.depth - 60).min(1_800);
        let previous = self.previous_moves(node.ply);
        if best.is_quiet {
            let ply = node.ply.min(MAX_PLY - 1);
            self.history
                .learn_quiet(best.mv, quiets.as_slice(), bonus, ply, previous);
        } else {
            self.history.adjust_capture(&self.position, best.mv, bonus);
        }
        for &mv in captures.as_slice() {
            self.history.adjust_capture(&self.position, mv, -bonus);
        }
    }

    /// Returns whether a move near the leaves can be skipped. Such a move is late, cannot make up for the deficit, or
    /// loses too much. Drops the remaining quiet moves once there are enough.
    fn is_pruned(&self, node: &Node, alpha: i32, candidate: Candidate, picker: &mut MovePicker) -> bool {
        let Candidate { mv, stage, count, .. } = candidate;
        let Some(value) = node.value else { return false };
        let depth = node.depth;
        if !candidate.is_quiet || candidate.gives_check {
            return stage != MoveStage::GoodCaptures
                && depth <= 7
                && !gains_at_least(&self.position, mv, -130 * depth);
        }
        if !node.window.is_open() && count >= late_move_count(depth, node.is_improving) {
            picker.skip_quiets();
            return true;
        }
        let reduced_depth = (depth - late_move_reduction(depth, count) / REDUCTION_UNIT).max(0);
        if reduced_depth <= 4 && candidate.history < -7_000 * depth {
            return true;
        }
        if reduced_depth <= 7 && value + 90 + 85 * reduced_depth + candidate.history / 200 <= alpha {
            return true;
        }
        reduced_depth <= 8 && !gains_at_least(&self.position, mv, -50 * reduced_depth * reduced_depth)
    }

    /// Returns the extension of a move, in plies. Returns an error with a score of at least beta if the node needs no
    /// search.
    fn extension(&mut self, node: &Node, candidate: Candidate) -> Result<i32, i32> {
        let Node {
            window, depth, ply, ..
        } = *node;
        if plies(ply) >= 2 * self.root_depth {
            return Ok(0);
        }
        if candidate.mv == node.table_move
            && depth >= 6
            && self.excluded_move(ply) == Move32::MOVE_NONE
            && let Some(entry) = node.entry
            && matches!(entry.bound, TableBound::Lower | TableBound::Exact)
            && i32::from(entry.depth) >= depth - 3
            && i32::from(entry.score).abs() < MIN_MATE_SCORE
        {
            // A move is singular if no other one comes near its score.
            let known = from_table(entry.score, ply);
            let bar = known - depth;
            self.set_excluded_move(ply, candidate.mv);
            let score = self.search_node(ScoreWindow::above(bar - 1), (depth - 1) / 2, ply, node.is_cut);
            self.set_excluded_move(ply, Move32::MOVE_NONE);
            if self.is_over {
                return Ok(0);
            }
            if score < bar {
                return Ok(if !window.is_open() && score < bar - 40 {
                    2
                } else {
                    1
                });
            }
            if bar >= window.beta && !window.is_open() {
                return Err(bar);
            }
            if known >= window.beta {
                return Ok(-1);
            }
        }
        Ok(i32::from(
            candidate.gives_check && gains_at_least(&self.position, candidate.mv, 0),
        ))
    }

    /// Returns the late move reduction, in plies.
    fn reduction(&self, node: &Node, candidate: Candidate) -> i32 {
        let is_open = node.window.is_open();
        if node.depth < 2
            || candidate.count <= 1 + usize::from(is_open)
            || candidate.stage == MoveStage::GoodCaptures
        {
            return 0;
        }
        let mut units = late_move_reduction(node.depth, candidate.count);
        if node.is_cut {
            units += 3 * REDUCTION_UNIT / 2;
        }
        if is_open {
            units -= REDUCTION_UNIT;
        }
        if !node.is_improving {
            units += REDUCTION_UNIT / 2;
        }
        if candidate.gives_check || candidate.stage == MoveStage::Refutations {
            units -= REDUCTION_UNIT;
        }
        if node.value.is_none() {
            units -= REDUCTION_UNIT;
        }
        if candidate.mv.is_drop()
            && distance(
                self.position.king_square(self.position.turn()),
                candidate.mv.to_sq(),
            ) <= 2
        {
            units -= REDUCTION_UNIT;
        }
        if node.entry.is_some_and(|entry| entry.was_open) {
            units -= REDUCTION_UNIT;
        }
        if self.cutoffs(node.ply + 1) > 3 {
            units += REDUCTION_UNIT / 2;
        }
        if candidate.is_quiet {
            units -= candidate.history * REDUCTION_UNIT / (HISTORY_LIMIT + HISTORY_LIMIT / 4);
        } else {
            units -= REDUCTION_UNIT / 2;
        }
        units / REDUCTION_UNIT
    }

    /// Returns the score of the move just played (principal variation search). The first move gets the whole window,
    /// the others a null window. Late moves get a reduced depth first.
    pub(super) fn search_child(&mut self, window: ScoreWindow, child: Child) -> i32 {
        let Child {
            depth,
            reduction,
            ply,
            is_first,
            is_cut,
        } = child;
        if is_first {
            return -self.search_node(window.flip(), depth, ply, !window.is_open() && !is_cut);
        }
        let probe = ScoreWindow::above(window.alpha).flip();
        let mut score = -self.search_node(probe, depth - reduction, ply, reduction > 0 || !is_cut);
        if score > window.alpha && reduction > 0 {
            score = -self.search_node(probe, depth, ply, !is_cut);
        }
        if score > window.alpha && score < window.beta {
            score = -self.search_node(window.flip(), depth, ply, false);
        }
        score
    }
}

const REDUCTION_UNIT: i32 = 1024;

/// The number of depths, and of move numbers, with separate reductions.
const REDUCTION_TABLE_SIZE: usize = 128;

/// The natural logarithms of the numbers from 1, in 1024ths; 0 for the number 0.
static LOGARITHMS: LazyLock<[i32; REDUCTION_TABLE_SIZE]> = LazyLock::new(|| {
    let mut table = [0; REDUCTION_TABLE_SIZE];
    for (number, value) in (0_u16..).zip(&mut table).skip(1) {
        #[expect(clippy::cast_possible_truncation, reason = "the logarithms are below 5000")]
        let logarithm = (f64::from(number).ln() * 1024.0).round() as i32;
        *value = logarithm;
    }
    table
});

/// Returns the reduction of a late move by its number, in [`REDUCTION_UNIT`]s.
pub(super) fn late_move_reduction(depth: i32, count: usize) -> i32 {
    let logarithms = &*LOGARITHMS;
    let depth = usize::try_from(depth).unwrap_or(0).min(REDUCTION_TABLE_SIZE - 1);
    let product = logarithms[depth] * logarithms[count.min(REDUCTION_TABLE_SIZE - 1)] / 1024;
    product * 10 / 21 + REDUCTION_UNIT / 2
}

/// Returns the number of moves after which quiet moves are skipped.
fn late_move_count(depth: i32, is_improving: bool) -> usize {
    let count = 18 + 9 * depth * depth / 2;
    (usize::try_from(if is_improving { 2 * count } else { count }).unwrap_or(usize::MAX) / 2 + 2) * 3 / 4
}
