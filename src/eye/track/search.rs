//! The search for moves that explain a reading.

use super::board::{BoardClasses, SQUARE_COUNT, State, piece};
use super::evidence::{Evidence, MIN_WRONG_DEFICIT, Misreadings};
use crate::network::EMPTY;
use shogibar_shogi::{Color, Move};

/// The maximum number of moves of an explanation.
pub(super) const MAX_MOVES: usize = 4;
/// The maximum number of positions whose moves are generated in one reading.
pub(super) const POSITION_BUDGET: usize = 3000;
/// The least lead of an accepted explanation over the next best board, in nats: a factor of 150.
pub(super) const MIN_EXPLANATION_LEAD: f32 = 5.0;
/// The least lead of an explanation that becomes a guess after many readings, in nats: a factor of 7.
const MIN_GUESS_LEAD: f32 = 2.0;
/// The least gain of each move over no change, in nats: a factor of 400.
pub(super) const MIN_MOVE_GAIN: f32 = 6.0;
/// The maximum number of squares that contradict the board after a single move. After several moves, no square may.
pub(super) const MAX_WRONG_SQUARES: usize = 1;
/// The least log-likelihood ratio of a changed square's new class to its old one, in nats.
const MIN_CHANGE_LOG_RATIO: f32 = 2.0;

/// Moves, and how well these explain a reading.
#[derive(Clone, Debug)]
pub(super) struct Explanation {
    pub(super) moves: Vec<Move>,
    /// The side that plays the first move.
    pub(super) side: Color,
    /// The board after the moves.
    pub(super) board: BoardClasses,
    /// The log-likelihood ratio of the board to the board before the moves, in nats.
    pub(super) gain: f32,
    /// The number of squares that contradict the board.
    pub(super) wrong_squares: usize,
    /// The number of pieces by which the hands after the moves differ from the hands that were read.
    hand_difference: u8,
    /// The number of pairs of moves whose squares changed in the reverse order.
    reversed_pairs: usize,
    /// Whether other moves may explain the reading: there are several moves, a hidden changed square, or a
    /// contradicting square.
    pub(super) is_guess: bool,
}

#[derive(Clone, Debug)]
pub(super) enum ExplanationResult {
    /// No moves explain the reading.
    Nothing,
    /// The best explanation is not clear enough. `Some` with that explanation where all squares are visible and the
    /// lead is at least [`MIN_GUESS_LEAD`].
    Undecided(Option<Explanation>),
    /// One explanation is clearly the best.
    Found(Explanation),
}

/// A search for moves from one board.
#[derive(Debug)]
pub(super) struct Search<'a> {
    evidence: &'a Evidence,
    misreadings: &'a Misreadings,
    /// The board before the moves.
    start: &'a BoardClasses,
    /// The moves from the start to the visited board.
    path: Vec<Move>,
    /// The side that plays the first move.
    side: Color,
    best_explanation: Option<Explanation>,
    /// The gain of the best explanation with a different board than `best_explanation`.
    second_best_gain: f32,
    /// The maximum number of squares that contradict the board after all moves.
    max_wrong_squares: usize,
    /// The number of positions whose moves may still be generated.
    budget: &'a mut usize,
}

impl<'a> Search<'a> {
    /// Finds the fewest moves that lead from a board to the reading. `lengths` are the permitted numbers of moves.
    /// `states` has a state for each side that may be to move. `budget` is the number of positions whose moves may be
    /// generated.
    pub(super) fn run(
        states: &[State],
        start: &'a BoardClasses,
        evidence: &'a Evidence,
        misreadings: &'a Misreadings,
        lengths: std::ops::RangeInclusive<usize>,
        budget: &'a mut usize,
    ) -> ExplanationResult {
        let deficit = evidence.total_deficit(start);
        let wrong = misreadings.count_wrong(evidence, start);
        let mut search = Search {
            evidence,
            misreadings,
            start,
            path: Vec::new(),
            side: Color::Black,
            best_explanation: None,
            second_best_gain: f32::NEG_INFINITY,
            max_wrong_squares: 0,
            budget,
        };
        for length in lengths {
            // Each move needs a gain of `MIN_MOVE_GAIN`, and changes at most two squares.
            let enough = search
                .best_explanation
                .as_ref()
                .is_some_and(|best| best.wrong_squares == 0);
            if enough || deficit < MIN_MOVE_GAIN * length as f32 {
                break;
            }
            search.max_wrong_squares = if length == 1 { MAX_WRONG_SQUARES } else { 0 };
            if wrong > 2 * length + search.max_wrong_squares {
                continue;
            }
            for state in states {
                search.side = state.position.side_to_move();
                search.visit(state, start, 0.0, wrong, length);
            }
        }
        search.outcome()
    }

    /// Compares all paths of `remaining` more moves from a state that change contradicting squares. `gain` and `wrong`
    /// are those of `board`.
    fn visit(&mut self, state: &State, board: &BoardClasses, gain: f32, wrong: usize, remaining: usize) {
        if *self.budget == 0 {
            return;
        }
        *self.budget -= 1;
        let mover = state.position.side_to_move();
        for mv in state.position.legal_moves() {
            let changes = board.changes(mv, mover);
            let touches = changes
                .iter()
                .flatten()
                .any(|change| self.evidence.deficit(change.square, change.class_before) >= MIN_WRONG_DEFICIT);
            if !touches && (remaining <= 2 || !self.may_move_on(mv, mover)) {
                continue;
            }
            let is_wrong =
                |square, class| usize::from(self.misreadings.is_wrong(self.evidence, square, class));
            let before: usize = changes
                .iter()
                .flatten()
                .map(|change| is_wrong(change.square, change.class_before))
                .sum();
            let after: usize = changes
                .iter()
                .flatten()
                .map(|change| is_wrong(change.square, change.class_after))
                .sum();
            let wrong = wrong + after - before;
            if wrong > self.max_wrong_squares + 2 * (remaining - 1) {
                continue;
            }
            let gain = gain + self.evidence.gain(&changes);
            let mut next = *board;
            next.apply(&changes);
            self.path.push(mv);
            if remaining == 1 {
                let hand_difference = self.hand_difference(state, mv);
                self.compare_path(&next, gain, wrong, hand_difference);
            } else if let Some((state, _)) = state.play(mv) {
                self.visit(&state, &next, gain, wrong, remaining - 1);
            }
            self.path.pop();
        }
    }

    /// Returns whether a dropped piece may have moved on: a changed square shows such a piece.
    fn may_move_on(&self, mv: Move, mover: Color) -> bool {
        let Move::Drop { kind, .. } = mv else { return false };
        let read =
            |square: &usize| self.evidence.deficit(*square, self.start.class(*square)) >= MIN_WRONG_DEFICIT;
        let mut pieces = (0..SQUARE_COUNT)
            .filter(read)
            .filter_map(|square| piece(self.evidence.best_class(square)));
        pieces.any(|piece| piece.color == mover && piece.kind.unpromoted() == kind)
    }

    /// Returns the number of pieces by which the hands after a move differ from the hands that were read. 0 where no
    /// hands were read.
    fn hand_difference(&self, state: &State, mv: Move) -> u8 {
        if state.pool != [0; 7] {
            return 0;
        }
        let Some((read, (after, _))) = self.evidence.hands.zip(state.play(mv)) else {
            return 0;
        };
        let hands = after.known_hands();
        hands
            .iter()
            .flatten()
            .zip(read.iter().flatten())
            .map(|(left, right)| left.abs_diff(*right))
            .sum()
    }

    /// Compares the moves of the path with the best explanation so far, and replaces it by a better one.
    fn compare_path(&mut self, board: &BoardClasses, gain: f32, wrong: usize, hand_difference: u8) {
        match &mut self.best_explanation {
            Some(best) if best.board == *board => {
                if best.moves.len() == self.path.len() && hand_difference <= best.hand_difference {
                    let reversed_pairs = self.evidence.count_reversed_pairs(&self.path);
                    if (hand_difference, reversed_pairs) < (best.hand_difference, best.reversed_pairs) {
                        best.moves.clone_from(&self.path);
                        (best.side, best.hand_difference, best.reversed_pairs) =
                            (self.side, hand_difference, reversed_pairs);
                    }
                }
            }
            // A longer explanation needs a larger gain.
            Some(best)
                if gain
                    < best.gain
                        + if best.moves.len() < self.path.len() {
                            MIN_EXPLANATION_LEAD
                        } else {
                            0.0
                        } =>
            {
                if best.moves.len() == self.path.len() {
                    self.second_best_gain = self.second_best_gain.max(gain);
                }
            }
            best => {
                if let Some(before) = best.take().filter(|before| before.moves.len() == self.path.len()) {
                    self.second_best_gain = self.second_best_gain.max(before.gain);
                } else {
                    self.second_best_gain = f32::NEG_INFINITY;
                }
                let moves = self.path.clone();
                *best = Some(Explanation {
                    moves,
                    side: self.side,
                    board: *board,
                    gain,
                    wrong_squares: wrong,
                    hand_difference,
                    reversed_pairs: self.evidence.count_reversed_pairs(&self.path),
                    is_guess: false,
                });
            }
        }
    }

    /// Returns the result after all paths were visited.
    fn outcome(self) -> ExplanationResult {
        let Some(mut best) = self.best_explanation else {
            return ExplanationResult::Nothing;
        };
        if best.gain < MIN_MOVE_GAIN * best.moves.len() as f32 {
            return ExplanationResult::Nothing;
        }
        let mut has_hidden = false;
        for square in
            (0..SQUARE_COUNT).filter(|square| best.board.class(*square) != self.start.class(*square))
        {
            let (before, after) = (self.start.class(square), best.board.class(square));
            let contradiction = self.evidence.deficit(square, before);
            let is_seen = contradiction - self.evidence.deficit(square, after) >= MIN_CHANGE_LOG_RATIO;
            // The piece of a single move may be misread on the new square, but not be missing there. So it is enough
            // that the square contradicts the board before the move.
            let is_misread = best.moves.len() == 1 && contradiction >= MIN_WRONG_DEFICIT;
            if !is_seen
                && !is_misread
                && (after != EMPTY || self.misreadings.is_wrong(self.evidence, square, after))
            {
                return ExplanationResult::Undecided(None);
            }
            has_hidden |= !is_seen;
        }
        let lead = best.gain - self.second_best_gain;
        if lead < MIN_EXPLANATION_LEAD {
            let is_likely = lead >= MIN_GUESS_LEAD
                && best.wrong_squares == 0
                && !has_hidden
                && self.evidence.hidden_count == 0;
            return ExplanationResult::Undecided(is_likely.then_some(best));
        }
        best.is_guess = best.moves.len() > 1 || best.wrong_squares > 0 || has_hidden;
        ExplanationResult::Found(best)
    }
}
