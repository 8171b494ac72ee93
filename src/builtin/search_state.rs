//! The state of a search, and the functions that all nodes use: the line, repetitions, limits, scores in the table.
#![expect(
    clippy::indexing_slicing,
    reason = "there are more frames than plies of a search"
)]

use super::accumulators::Accumulators;
use super::evaluate::{MAX_EVALUATION, evaluate, evaluate_base};
use super::history::{MoveHistory, PreviousMoves};
use super::king_tables::{KingTables, PieceSums};
use super::limits::Control;
use super::order::{MovePicker, RankedMove};
use super::table::{NO_VALUE, TableBound, TableEntry, TranspositionTable};
use super::trial::Trials;
use rsshogi::board::Position;
use rsshogi::types::{Color, Move32, PieceType, RepetitionState};
use std::sync::atomic::{AtomicU64, Ordering};

/// A bound beyond every score.
pub(super) const INFINITE: i32 = 32_000;

/// The score of a mate at the root; a mate in n plies is worth n less.
pub(super) const MATE_SCORE: i32 = 30_000;

pub(super) const MIN_MATE_SCORE: i32 = MATE_SCORE - 1_000;

/// The score of a repetition that is won by perpetual check: less than a mate, as the other side will deviate.
const PERPETUAL_CHECK_SCORE: i32 = 3_000;

/// The maximum length of a line, in plies.
pub(super) const MAX_PLY: usize = 100;

/// The number of nodes between two checks of the clock: about a millisecond.
const CLOCK_STRIDE: u64 = 512;

/// The number of nodes after which a stop ends the search even before depth 1 is complete: some 10 ms.
const NODES_BEFORE_STOP: u64 = 5_000;

/// The number of frames before that of the root, so that each ply has four before it.
const FRAMES_BEFORE_ROOT: usize = 4;

/// The data of a ply of the current line.
#[derive(Clone, Copy)]
struct Frame {
    sums: PieceSums,
    /// The corrected static value of the position; `None` in check.
    value: Option<i32>,
    /// The move played from this ply; `MOVE_NONE` for a null move.
    last_move: Move32,
    /// The move that a singular search leaves out, or `MOVE_NONE`.
    excluded_move: Move32,
    /// The number of cutoffs up to now among the children of the node one ply before.
    cutoffs: u32,
}

pub(super) struct SearchState<'a> {
    pub(super) position: Position,
    pub(super) table: &'a TranspositionTable,
    pub(super) history: &'a mut MoveHistory,
    pub(super) control: &'a Control,
    /// The clock: milliseconds since the search began.
    pub(super) clock: &'a dyn Fn() -> u64,
    /// The number of nodes of this thread.
    pub(super) nodes: u64,
    /// The number of nodes of all helpers, counted in steps of [`CLOCK_STRIDE`].
    pub(super) helper_nodes: &'a AtomicU64,
    /// Whether this is a helper thread, which counts its nodes in `helper_nodes`.
    pub(super) is_helper: bool,
    /// The maximum number of nodes of all threads.
    pub(super) max_nodes: u64,
    /// The changes that are on trial.
    pub(super) trials: Trials,
    /// The maximum ply reached in the current iteration.
    pub(super) seldepth: usize,
    /// The depth of the current iteration.
    pub(super) root_depth: i32,
    /// Whether the search has to end. Every value after that is meaningless.
    pub(super) is_over: bool,
    /// Whether depth 1 is complete.
    pub(super) has_result: bool,
    king_tables: &'a KingTables,
    /// The net's accumulators, where there is a net.
    accumulators: Option<Accumulators<'a>>,
    frames: Vec<Frame>,
    /// The best line from each ply.
    lines: Vec<Vec<Move32>>,
    pub(super) spare_pickers: Vec<MovePicker>,
    pub(super) spare_lists: Vec<Vec<RankedMove>>,
}

/// The window of an alpha-beta search: scores above `alpha` and below `beta` matter.
#[derive(Clone, Copy)]
pub(super) struct ScoreWindow {
    pub(super) alpha: i32,
    pub(super) beta: i32,
}

impl ScoreWindow {
    /// The window that holds every score.
    pub(super) const ALL: Self = Self {
        alpha: -INFINITE,
        beta: INFINITE,
    };

    /// Returns the null window that tests whether a score is above `alpha`.
    pub(super) const fn above(alpha: i32) -> Self {
        Self {
            alpha,
            beta: alpha + 1,
        }
    }

    /// Returns the window as seen by the other side.
    pub(super) const fn flip(self) -> Self {
        Self {
            alpha: -self.beta,
            beta: -self.alpha,
        }
    }

    pub(super) const fn is_open(self) -> bool {
        self.beta - self.alpha > 1
    }
}

impl<'a> SearchState<'a> {
    /// Creates the state of a search of `position`, without limits.
    pub(super) fn new(
        mut position: Position,
        king_tables: &'a KingTables,
        table: &'a TranspositionTable,
        history: &'a mut MoveHistory,
        helper_nodes: &'a AtomicU64,
        control: &'a Control,
        clock: &'a dyn Fn() -> u64,
    ) -> Self {
        // This reservation only saves time: without it the rules crate allocates while moves are played.
        let _room = position.prepare_search_state_capacity(MAX_PLY + 8);
        let net = king_tables.net();
        let accumulators = net.map(|net| Accumulators::new(net, &position, MAX_PLY + 4));
        let frame = Frame {
            sums: PieceSums::new(king_tables, &position),
            value: None,
            last_move: Move32::MOVE_NONE,
            excluded_move: Move32::MOVE_NONE,
            cutoffs: 0,
        };
        Self {
            position,
            table,
            history,
            control,
            clock,
            nodes: 0,
            helper_nodes,
            is_helper: false,
            max_nodes: u64::MAX,
            trials: Trials::default(),
            seldepth: 0,
            root_depth: 1,
            is_over: false,
            has_result: false,
            king_tables,
            accumulators,
            frames: vec![frame; FRAMES_BEFORE_ROOT + MAX_PLY + 4],
            lines: vec![Vec::new(); MAX_PLY + 2],
            spare_pickers: Vec::new(),
            spare_lists: Vec::new(),
        }
    }

    fn frame(&self, ply: usize) -> &Frame {
        &self.frames[ply + FRAMES_BEFORE_ROOT]
    }

    fn frame_mut(&mut self, ply: usize) -> &mut Frame {
        &mut self.frames[ply + FRAMES_BEFORE_ROOT]
    }

    /// Plays a legal move from `ply`. `check` is whether the move gives check.
    pub(super) fn play(&mut self, mv: Move32, check: bool, ply: usize) {
        let is_king_move = mv.piece_after_move().piece_type() == PieceType::KING;
        let mut sums = self.frame(ply).sums;
        if let Some(accumulators) = &mut self.accumulators {
            accumulators.play(&self.position, mv, ply);
        }
        if !is_king_move {
            sums = sums.after(self.king_tables, &self.position, mv);
        }
        self.frame_mut(ply).last_move = mv;
        self.position.apply_move32_with_gives_check(mv, check);
        if is_king_move {
            sums = PieceSums::new(self.king_tables, &self.position);
        }
        self.frame_mut(ply + 1).sums = sums;
    }

    /// Undoes `mv`, the last move.
    pub(super) fn undo(&mut self, mv: Move32) {
        let undone = self.position.undo_move32(mv);
        debug_assert!(undone.is_ok(), "every move that is undone was played");
    }

    /// Plays a null move from `ply`; returns whether that is possible.
    pub(super) fn play_null(&mut self, ply: usize) -> bool {
        if self.position.apply_null_move().is_err() {
            return false;
        }
        let sums = self.frame(ply).sums;
        if let Some(accumulators) = &mut self.accumulators {
            accumulators.play_null(ply);
        }
        self.frame_mut(ply).last_move = Move32::MOVE_NONE;
        self.frame_mut(ply + 1).sums = sums;
        true
    }

    pub(super) fn undo_null(&mut self) {
        let undone = self.position.undo_null_move();
        debug_assert!(undone.is_ok(), "a null move was played");
    }

    /// Returns the static value without correction, from the table if it is stored there; `NO_VALUE` in check.
    pub(super) fn static_value(&mut self, known: Option<TableEntry>, ply: usize) -> i16 {
        match known {
            _ if self.position.is_in_check() => NO_VALUE,
            Some(entry) if entry.value != NO_VALUE => entry.value,
            _ => i16::try_from(self.evaluate(ply)).unwrap_or(0),
        }
    }

    /// Returns the static value of the position at `ply`.
    pub(super) fn evaluate(&mut self, ply: usize) -> i32 {
        let sums = self.frame(ply).sums;
        let Some(accumulators) = &mut self.accumulators else {
            return evaluate(self.king_tables, &self.position, &sums);
        };
        let base = evaluate_base(self.king_tables, &self.position, &sums, accumulators.base());
        (base + accumulators.value(&self.position, ply)).clamp(-MAX_EVALUATION, MAX_EVALUATION)
    }

    pub(super) fn set_static_value(&mut self, ply: usize, value: Option<i32>) {
        self.frame_mut(ply).value = value;
    }

    /// Returns whether the static value has risen in two plies, or in four after a check.
    pub(super) fn is_improving(&self, ply: usize) -> bool {
        let Some(value) = self.frame(ply).value else {
            return false;
        };
        let frames = &self.frames[ply..ply + FRAMES_BEFORE_ROOT];
        frames[2]
            .value
            .or(frames[0].value)
            .is_none_or(|before| value > before)
    }

    /// Returns the move that the singular search at `ply` leaves out, or `MOVE_NONE`.
    pub(super) fn excluded_move(&self, ply: usize) -> Move32 {
        self.frame(ply).excluded_move
    }

    pub(super) fn set_excluded_move(&mut self, ply: usize, mv: Move32) {
        self.frame_mut(ply).excluded_move = mv;
    }

    /// Returns the number of cutoffs among the children of the node before `ply`.
    pub(super) fn cutoffs(&self, ply: usize) -> u32 {
        self.frame(ply).cutoffs
    }

    /// Counts a cutoff at the node at `ply`.
    pub(super) fn count_cutoff(&mut self, ply: usize) {
        self.frame_mut(ply).cutoffs += 1;
    }

    pub(super) fn clear_cutoffs(&mut self, ply: usize) {
        self.frame_mut(ply).cutoffs = 0;
    }

    /// Returns the moves before the node at `ply`.
    pub(super) fn previous_moves(&self, ply: usize) -> PreviousMoves {
        let frames = &self.frames[ply..ply + FRAMES_BEFORE_ROOT];
        PreviousMoves::new(
            self.position.turn(),
            [frames[3].last_move, frames[2].last_move, frames[0].last_move],
        )
    }

    /// Counts a node, and returns the node's score if the search, the game or the longest possible line ends there.
    /// Returns `None` if the moves of the node have to be searched.
    pub(super) fn enter(&mut self, ply: usize) -> Option<i32> {
        self.nodes += 1;
        self.seldepth = self.seldepth.max(ply);
        if let Some(line) = self.lines.get_mut(ply) {
            line.clear();
        }
        if self.is_over || self.must_end() {
            self.is_over = true;
            return Some(0);
        }
        match self.position.cached_repetition_state_with_ply(ply) {
            RepetitionState::Draw => return Some(0),
            RepetitionState::Win => return Some(PERPETUAL_CHECK_SCORE),
            RepetitionState::Lose => return Some(-PERPETUAL_CHECK_SCORE),
            RepetitionState::None | RepetitionState::Superior | RepetitionState::Inferior => {}
        }
        if can_declare(&self.position) {
            return Some(-mated(ply + 1));
        }
        if ply >= MAX_PLY {
            Some(self.evaluate(ply))
        } else {
            None
        }
    }

    /// Returns whether the search has to end now: by its nodes, by `stop`, or by its deadline.
    fn must_end(&self) -> bool {
        let is_stride = self.nodes.is_multiple_of(CLOCK_STRIDE);
        if is_stride && self.is_helper {
            self.helper_nodes.fetch_add(CLOCK_STRIDE, Ordering::Relaxed);
        }
        if self.nodes > self.max_nodes || is_stride && self.all_nodes() > self.max_nodes {
            return true;
        }
        (self.has_result || self.nodes > NODES_BEFORE_STOP)
            && (self.control.is_stopped() || is_stride && self.control.is_past_deadline((self.clock)()))
    }

    /// Returns the nodes of all threads; on a helper thread those of all helpers.
    pub(super) fn all_nodes(&self) -> u64 {
        let helpers = self.helper_nodes.load(Ordering::Relaxed);
        if self.is_helper {
            helpers
        } else {
            self.nodes.saturating_add(helpers)
        }
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

/// Returns whether the side to move may declare a win; the search's position applies the 27-point rule. Only kings
/// in the far three ranks are tested, since the complete test is slow.
pub(super) fn can_declare(position: &Position) -> bool {
    let us = position.turn();
    let king = position.king_square(us);
    let king = if us == Color::Black { king } else { king.flip() };
    king.to_index() % 9 <= 2 && position.declaration_win_move() == Move32::MOVE_WIN
}

/// Returns the score of being mated `ply` plies below the root.
pub(super) fn mated(ply: usize) -> i32 {
    plies(ply) - MATE_SCORE
}

/// Returns the stored score if it is sufficient for `window` and `depth`.
pub(super) fn usable_score(entry: TableEntry, window: ScoreWindow, depth: i32, ply: usize) -> Option<i32> {
    let score = from_table(entry.score, ply);
    let answers = match entry.bound {
        TableBound::Exact => true,
        TableBound::Lower => score >= window.beta,
        TableBound::Upper => score <= window.alpha,
    };
    (answers && i32::from(entry.depth) >= depth).then_some(score)
}

/// Returns the stored score where it shows that the static value is wrong and is no mate, else the static value.
pub(super) fn refine(value: i32, known: Option<TableEntry>, ply: usize) -> i32 {
    let Some(entry) = known else { return value };
    let score = from_table(entry.score, ply);
    let is_better = match entry.bound {
        TableBound::Exact => true,
        TableBound::Lower => score > value,
        TableBound::Upper => score < value,
    };
    if is_better && score.abs() < MIN_MATE_SCORE {
        score
    } else {
        value
    }
}

/// Returns the relation of a score, searched with `window`, to the true one.
pub(super) const fn bound_of(score: i32, window: ScoreWindow) -> TableBound {
    if score >= window.beta {
        TableBound::Lower
    } else if score > window.alpha {
        TableBound::Exact
    } else {
        TableBound::Upper
    }
}

/// Converts a score for the table. In the table, a mate counts from the stored position instead of the root.
pub(super) fn to_table(score: i32, ply: usize) -> i16 {
    i16::try_from(lengthen(score, -plies(ply))).unwrap_or(0)
}

/// Converts a score of the table. The result counts a mate from the root instead of the stored position.
pub(super) fn from_table(score: i16, ply: usize) -> i32 {
    lengthen(score.into(), plies(ply))
}

/// Returns the score, with a mate `by` plies further away.
const fn lengthen(score: i32, by: i32) -> i32 {
    if score.abs() < MIN_MATE_SCORE {
        score
    } else {
        score - score.signum() * by
    }
}

/// Converts a ply to the type of scores.
pub(super) fn plies(ply: usize) -> i32 {
    i32::try_from(ply).unwrap_or(0)
}

/// Converts a depth to the type of the table; a negative one becomes 0.
pub(super) fn narrow(depth: i32) -> u8 {
    u8::try_from(depth.max(0)).unwrap_or(u8::MAX)
}
