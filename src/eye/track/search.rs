//! The moves that explain a reading.

use super::board::{Board, Change, SQUARES, State, piece};
use super::evidence::{Evidence, Misreadings, WRONG};
use crate::network::EMPTY;
use shogibar_core::shogi::{Color, Move};

/// The maximum number of moves of an explanation.
pub(super) const MAX_MOVES: usize = 4;
/// The maximum number of positions whose moves are generated in one reading.
pub(super) const BUDGET: usize = 3000;
/// The least lead of an explanation over the next best board, in nats: a factor of 150.
pub(super) const MARGIN: f32 = 5.0;
/// The least lead of an explanation that becomes a guess after many readings, in nats: a factor of 7.
const LIKELY: f32 = 2.0;
/// The least gain of each move over no change, in nats: a factor of 400.
pub(super) const MIN_GAIN: f32 = 6.0;
/// The maximum number of squares that contradict a single move. No square may contradict several moves.
pub(super) const MAX_WRONG: usize = 1;
/// The least log-likelihood ratio of a changed square's new class to its old one, in nats.
const MIN_SEEN: f32 = 2.0;

/// Moves and how well they explain a reading.
#[derive(Clone, Debug)]
pub(super) struct Explanation {
    pub(super) moves: Vec<Move>,
    /// The side that plays the first move.
    pub(super) side: Color,
    /// The board after the moves.
    pub(super) board: Board,
    /// How much likelier the board is than without the moves, in nats.
    pub(super) gain: f32,
    /// The number of squares that contradict the board.
    pub(super) wrong_squares: usize,
    /// The number of pieces by which the hands differ from those that were read.
    hands_off: u8,
    /// The number of pairs of moves whose squares changed in the reverse order.
    disorder: usize,
    /// Whether other moves may give the same board: there are several moves, a hidden changed square, or a
    /// contradicting square.
    pub(super) is_guess: bool,
}

/// The explanation of a reading by moves, if there is one.
#[derive(Clone, Debug)]
pub(super) enum Explained {
    Nothing,
    /// Two boards are about as likely. The better one is given where all squares are visible and its lead is
    /// [`LIKELY`].
    Undecided(Option<Explanation>),
    Found(Explanation),
}

/// A search for moves from one board.
#[derive(Debug)]
pub(super) struct Search<'a> {
    evidence: &'a Evidence,
    misreadings: &'a Misreadings,
    start: &'a Board,
    path: Vec<Move>,
    side: Color,
    best_explanation: Option<Explanation>,
    /// The gain of the best explanation with a different board than `best_explanation`.
    rival: f32,
    max_wrong: usize,
    budget: &'a mut usize,
}

impl<'a> Search<'a> {
    /// Finds the fewest moves, `lengths` of them, that lead from a board to the reading. `states` are the states with
    /// each side that may be to move. `budget` is the number of positions whose moves may be generated.
    pub(super) fn run(
        states: &[State],
        start: &'a Board,
        evidence: &'a Evidence,
        misreadings: &'a Misreadings,
        lengths: std::ops::RangeInclusive<usize>,
        budget: &'a mut usize,
    ) -> Explained {
        let deficit = evidence.total_deficit(start);
        let wrong = misreadings.count_wrong(evidence, start);
        let mut search = Search {
            evidence,
            misreadings,
            start,
            path: Vec::new(),
            side: Color::Black,
            best_explanation: None,
            rival: f32::NEG_INFINITY,
            max_wrong: 0,
            budget,
        };
        for length in lengths {
            // Each move needs its gain and changes at most two squares.
            let enough = search.best_explanation.as_ref().is_some_and(|best| best.wrong_squares == 0);
            if enough || deficit < MIN_GAIN * length as f32 {
                break;
            }
            search.max_wrong = if length == 1 { MAX_WRONG } else { 0 };
            if wrong > 2 * length + search.max_wrong {
                continue;
            }
            for state in states {
                search.side = state.position.side_to_move();
                search.visit(state, start, 0.0, wrong, length);
            }
        }
        search.outcome()
    }

    fn visit(&mut self, state: &State, board: &Board, gain: f32, wrong: usize, remaining: usize) {
        if *self.budget == 0 {
            return;
        }
        *self.budget -= 1;
        let mover = state.position.side_to_move();
        for mv in state.position.legal_moves() {
            let changes = board.changes(mv, mover);
            let touches = |change: &Change| self.evidence.deficit(change.square, change.class_before) >= WRONG;
            let is_near = changes.iter().flatten().any(touches) || (remaining > 2 && self.may_move_on(mv, mover));
            if !is_near {
                continue;
            }
            let is_wrong = |square, class| usize::from(self.misreadings.is_wrong(self.evidence, square, class));
            let before: usize =
                changes.iter().flatten().map(|change| is_wrong(change.square, change.class_before)).sum();
            let after: usize = changes.iter().flatten().map(|change| is_wrong(change.square, change.class_after)).sum();
            let wrong = wrong + after - before;
            if wrong > self.max_wrong + 2 * (remaining - 1) {
                continue;
            }
            let gain = gain + self.evidence.gain(&changes);
            let mut next = *board;
            next.apply(&changes);
            self.path.push(mv);
            if remaining == 1 {
                let hands_off = self.hands_off(state, mv);
                self.compare_path(&next, gain, wrong, hands_off);
            } else if let Some((state, _)) = state.play(mv) {
                self.visit(&state, &next, gain, wrong, remaining - 1);
            }
            self.path.pop();
        }
    }

    /// Returns whether a dropped piece may have moved on to the square where such a piece is read.
    fn may_move_on(&self, mv: Move, mover: Color) -> bool {
        let Move::Drop { kind, .. } = mv else { return false };
        let read = |square: &usize| self.evidence.deficit(*square, self.start.class(*square)) >= WRONG;
        let mut pieces = (0..SQUARES).filter(read).filter_map(|square| piece(self.evidence.best(square)));
        pieces.any(|piece| piece.color == mover && piece.kind.unpromoted() == kind)
    }

    /// Returns the number of pieces by which the hands after a move differ from those that were read; 0 where none
    /// were.
    fn hands_off(&self, state: &State, mv: Move) -> u8 {
        let read = self.evidence.hands.filter(|_| state.pool == [0; 7]);
        let Some((read, (after, _))) = read.zip(state.play(mv)) else { return 0 };
        let hands = after.known_hands();
        hands.iter().flatten().zip(read.iter().flatten()).map(|(left, right)| left.abs_diff(*right)).sum()
    }

    /// Compares the moves of the path with the best explanation so far, and replaces it by a better one.
    fn compare_path(&mut self, board: &Board, gain: f32, wrong: usize, hands_off: u8) {
        match &mut self.best_explanation {
            Some(best) if best.board == *board => {
                if best.moves.len() == self.path.len() && hands_off <= best.hands_off {
                    let disorder = self.evidence.disorder(&self.path);
                    if (hands_off, disorder) < (best.hands_off, best.disorder) {
                        best.moves.clone_from(&self.path);
                        (best.side, best.hands_off, best.disorder) = (self.side, hands_off, disorder);
                    }
                }
            }
            // A longer explanation needs a larger gain.
            Some(best) if gain < best.gain + if best.moves.len() < self.path.len() { MARGIN } else { 0.0 } => {
                if best.moves.len() == self.path.len() {
                    self.rival = self.rival.max(gain);
                }
            }
            best => {
                if let Some(before) = best.take().filter(|before| before.moves.len() == self.path.len()) {
                    self.rival = self.rival.max(before.gain);
                } else {
                    self.rival = f32::NEG_INFINITY;
                }
                let moves = self.path.clone();
                *best = Some(Explanation {
                    moves,
                    side: self.side,
                    board: *board,
                    gain,
                    wrong_squares: wrong,
                    hands_off,
                    disorder: self.evidence.disorder(&self.path),
                    is_guess: false,
                });
            }
        }
    }

    fn outcome(self) -> Explained {
        let Some(mut best) = self.best_explanation else { return Explained::Nothing };
        if best.gain < MIN_GAIN * best.moves.len() as f32 {
            return Explained::Nothing;
        }
        let mut has_hidden = false;
        for square in (0..SQUARES).filter(|square| best.board.class(*square) != self.start.class(*square)) {
            let (before, after) = (self.start.class(square), best.board.class(square));
            let contradiction = self.evidence.deficit(square, before);
            let is_seen = contradiction - self.evidence.deficit(square, after) >= MIN_SEEN;
            // The piece of a single move may be misread on its new square, but not missed. So it is enough that the
            // square contradicts the board before.
            let is_misread = best.moves.len() == 1 && contradiction >= WRONG;
            if !is_seen && !is_misread && (after != EMPTY || self.misreadings.is_wrong(self.evidence, square, after)) {
                return Explained::Undecided(None);
            }
            has_hidden |= !is_seen;
        }
        let lead = best.gain - self.rival;
        if lead < MARGIN {
            let is_likely = lead >= LIKELY && best.wrong_squares == 0 && !has_hidden && self.evidence.hidden_count == 0;
            return Explained::Undecided(is_likely.then_some(best));
        }
        best.is_guess = best.moves.len() > 1 || best.wrong_squares > 0 || has_hidden;
        Explained::Found(best)
    }
}
