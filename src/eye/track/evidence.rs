//! The likelihood of each class of each square in a reading.

use super::board::{BoardClasses, Changes, Hands, SQUARE_COUNT, VISIBLE_CLASS_COUNT, piece, square_index};
use crate::joint::legal_classes;
use crate::network::{EMPTY, HIDDEN, Probabilities, opposite_class};

use shogibar_shogi::{Color, Move};

/// The assumed share of squares whose reading is noise, however probable the reading is. The share limits the weight of
/// one square to
/// ln(29 / share) ≈ 9.2.
const NOISE_SHARE: f32 = 0.003;
/// A square is hidden above this probability of the class [`HIDDEN`].
const MIN_HIDDEN_PROBABILITY: f32 = 0.5;
/// The least [deficit](Evidence::deficit) of a class that the reading contradicts, in nats: a factor of 55.
pub(super) const MIN_WRONG_DEFICIT: f32 = 4.0;
/// The maximum number of hidden squares of a readable board.
pub(super) const MAX_HIDDEN_SQUARES: usize = 27;
/// The maximum number of misread pieces of a known start, which the occupied squares identify.
const MAX_MISREAD_START_PIECES: usize = 16;
/// The maximum number of pieces of a known start that are read as the other side's.
const MAX_OTHER_SIDE_PIECES: usize = 2;
const GAME_PIECE_COUNT: usize = 40;
/// The maximum number of squares of a legal board that differ from their likeliest class.
const MAX_FORCED_SQUARES: usize = 4;
/// The least lead of the likeliest class of a square over the second, in nats: a factor of 1.5. A square with a smaller
/// lead is in doubt. [`MIN_WRONG_DEFICIT`] is the deficit from which a class is excluded.
const MIN_CLASS_LEAD: f32 = 0.4;

/// The likeliest class of a square.
#[derive(Clone, Copy, Debug)]
struct BestClass {
    class: usize,
    log: f32,
}

impl BestClass {
    const EMPTY: Self = Self {
        class: EMPTY,
        log: 0.0,
    };
}

/// A reading as log-probabilities of the classes of its squares.
#[derive(Clone, Debug)]
pub(super) struct Evidence {
    /// The log-probabilities of the classes of each square.
    logs: Vec<[f32; VISIBLE_CLASS_COUNT]>,
    /// The likeliest class of each square.
    best_classes: Vec<BestClass>,
    hidden_squares: Vec<usize>,
    /// The number of hidden squares.
    pub(super) hidden_count: usize,
    /// The numbers of pieces in hand, Black's first; `None` if they were not read.
    pub(super) hands: Option<Hands>,
    /// For each square, the number of the reading since which it contradicts the game; `None` for a square that fits.
    contradicted_since: [Option<u64>; SQUARE_COUNT],
}

impl Evidence {
    /// Creates the evidence of a reading. `is_rotated` rotates the board by 180°. `None` if there are not 81 squares.
    pub(super) fn new(squares: &[Probabilities], hands: Option<Hands>, is_rotated: bool) -> Option<Self> {
        if squares.len() != SQUARE_COUNT {
            return None;
        }
        let share = 1.0 / VISIBLE_CLASS_COUNT as f32;
        let mix = |square: &Probabilities, class: usize| {
            let probability = |class: usize| square.get(class).copied().unwrap_or_default().max(0.0);
            ((1.0 - NOISE_SHARE) * (probability(class) + probability(HIDDEN) * share) + NOISE_SHARE * share)
                .ln()
        };
        let logs = |square: &Probabilities| -> [f32; VISIBLE_CLASS_COUNT] {
            std::array::from_fn(|class| mix(square, if is_rotated { opposite_class(class) } else { class }))
        };
        let logs: Vec<_> = if is_rotated {
            squares.iter().rev().map(logs).collect()
        } else {
            squares.iter().map(logs).collect()
        };
        let best = |square: &[f32; VISIBLE_CLASS_COUNT]| {
            let best = square
                .iter()
                .copied()
                .enumerate()
                .max_by(|left, right| left.1.total_cmp(&right.1));
            best.map_or(BestClass::EMPTY, |(class, log)| BestClass { class, log })
        };
        let is_hidden = |square: &Probabilities| {
            square
                .get(HIDDEN)
                .is_some_and(|hidden| *hidden > MIN_HIDDEN_PROBABILITY)
        };
        let hidden = squares.iter().enumerate().filter(|(_, square)| is_hidden(square));
        let hidden_squares: Vec<_> = hidden
            .map(|(square, _)| {
                if is_rotated {
                    SQUARE_COUNT - 1 - square
                } else {
                    square
                }
            })
            .collect();
        Some(Self {
            best_classes: logs.iter().map(best).collect(),
            logs,
            hidden_count: hidden_squares.len(),
            hidden_squares,
            hands: hands.map(|[black, white]| {
                if is_rotated {
                    [white, black]
                } else {
                    [black, white]
                }
            }),
            contradicted_since: [None; SQUARE_COUNT],
        })
    }

    /// Sets for each square the number of the reading since which it contradicts the game.
    pub(super) fn with_contradictions(self, contradicted_since: &[Option<u64>; SQUARE_COUNT]) -> Self {
        Self {
            contradicted_since: *contradicted_since,
            ..self
        }
    }

    pub(super) fn count_reversed_pairs(&self, moves: &[Move]) -> usize {
        let squares = |mv: &Move| mv.from().into_iter().chain([mv.to()]);
        let changed = |(index, mv): (usize, &Move)| {
            // A square that an earlier move has changed is not evidence for this move.
            let before = moves.get(..index).unwrap_or_default();
            let unchanged =
                squares(mv).filter(|square| before.iter().flat_map(squares).all(|other| other != *square));
            // A square may be misread for a while, so the earlier reading of the two squares counts.
            unchanged
                .filter_map(|square| {
                    self.contradicted_since
                        .get(square_index(square))
                        .copied()
                        .flatten()
                })
                .min()
        };
        let readings: Vec<u64> = moves.iter().enumerate().filter_map(changed).collect();
        readings
            .iter()
            .enumerate()
            .map(|(index, reading)| {
                readings
                    .iter()
                    .skip(index)
                    .filter(|later| *later < reading)
                    .count()
            })
            .sum()
    }

    fn log(&self, square: usize, class: usize) -> f32 {
        self.logs
            .get(square)
            .and_then(|square| square.get(class))
            .copied()
            .unwrap_or_default()
    }

    pub(super) fn best_class(&self, square: usize) -> usize {
        self.best_classes.get(square).map_or(EMPTY, |best| best.class)
    }

    /// Returns the log-likelihood ratio of a square's likeliest class to a class, in nats, at least 0.
    pub(super) fn deficit(&self, square: usize, class: usize) -> f32 {
        self.best_classes.get(square).map_or(0.0, |best| best.log) - self.log(square, class)
    }

    /// Returns the log-likelihood ratio of the board after changes to the board before, in nats.
    pub(super) fn gain(&self, changes: &Changes) -> f32 {
        changes
            .iter()
            .flatten()
            .map(|change| {
                self.log(change.square, change.class_after) - self.log(change.square, change.class_before)
            })
            .sum()
    }

    /// Returns the log-likelihood ratio of any piece of a side to an empty square, in nats.
    pub(super) fn piece_gain(&self, square: usize, color: Color) -> f32 {
        let sum: f32 = (0..VISIBLE_CLASS_COUNT)
            .filter(|class| piece(*class).is_some_and(|piece| piece.color == color))
            .map(|class| self.log(square, class).exp())
            .sum();
        sum.ln() - self.log(square, EMPTY)
    }

    pub(super) fn total_deficit(&self, board: &BoardClasses) -> f32 {
        (0..SQUARE_COUNT)
            .map(|square| self.deficit(square, board.class(square)))
            .sum()
    }

    /// Replaces hidden squares by the class that they resemble most. A square without a clear class becomes empty. All
    /// hidden squares become empty where all pieces of the game are visible.
    pub(super) fn reveal(mut self) -> Self {
        let empty = std::array::from_fn(|class| if class == EMPTY { 0.0 } else { NOISE_SHARE.ln() });
        let is_complete = self.is_complete();
        for square in std::mem::take(&mut self.hidden_squares) {
            if !is_complete && self.is_sure(square) {
                continue;
            }
            if let (Some(logs), Some(best)) = (self.logs.get_mut(square), self.best_classes.get_mut(square)) {
                (*logs, *best) = (empty, BestClass::EMPTY);
            }
        }
        self.hidden_count = 0;
        self
    }

    pub(super) const fn hidden_squares(&self) -> &Vec<usize> {
        &self.hidden_squares
    }

    /// Returns whether the reading has no information at all about some hidden square.
    pub(super) fn has_blank_square(&self) -> bool {
        let is_known =
            |square: &usize| (0..VISIBLE_CLASS_COUNT).any(|class| self.deficit(*square, class) > 0.0);
        !self.hidden_squares.iter().all(is_known)
    }

    /// Returns whether all pieces of the game are visible. Hidden squares are empty then.
    pub(super) fn is_complete(&self) -> bool {
        let is_visible_piece =
            |square: &usize| self.best_class(*square) != EMPTY && !self.hidden_squares.contains(square);
        (0..SQUARE_COUNT).filter(is_visible_piece).count() == GAME_PIECE_COUNT
    }

    /// Returns the board of the likeliest classes. For a hidden square, this is the likeliest class of a visible one.
    pub(super) fn best_board(&self) -> BoardClasses {
        BoardClasses::from_classes(|square| self.best_class(square))
    }

    /// Returns the start of an even or handicap game with the same occupied squares. At most
    /// [`MAX_MISREAD_START_PIECES`] pieces may be misread, and at most [`MAX_OTHER_SIDE_PIECES`] as the other side's.
    /// `None` also while squares are hidden.
    pub(super) fn known_start(&self) -> Option<BoardClasses> {
        if self.hidden_count != 0 {
            return None;
        }
        let side = |class: usize| (class != EMPTY).then_some(class < opposite_class(class));
        let is_like = |board: &BoardClasses| {
            let read = || (0..SQUARE_COUNT).map(|square| (board.class(square), self.best_class(square)));
            let of_other_side = read().filter(|(class, read)| side(*class) != side(*read)).count();
            let has_same_squares = read().all(|(class, read)| (class == EMPTY) == (read == EMPTY));
            let unlike = read().filter(|(class, read)| class != read).count();
            has_same_squares && of_other_side <= MAX_OTHER_SIDE_PIECES && unlike <= MAX_MISREAD_START_PIECES
        };
        let mut starts = shogibar_kifu::handicaps()
            .filter_map(shogibar_kifu::handicap)
            .map(|start| BoardClasses::from_position(&start));
        starts.find(is_like)
    }

    /// Returns the likeliest legal board where one to [`MAX_FORCED_SQUARES`] squares differ from their likeliest class.
    /// `None` for another number, while squares are hidden, and where a class on that board is unlikely.
    pub(super) fn legal_board(&self) -> Option<BoardClasses> {
        let board = self.forced_board();
        let forced = || (0..SQUARE_COUNT).filter(|square| self.best_class(*square) != board.class(*square));
        let is_likely = forced().all(|square| self.deficit(square, board.class(square)) < MIN_WRONG_DEFICIT);
        let is_near =
            self.hidden_count == 0 && (1..=MAX_FORCED_SQUARES).contains(&forced().count()) && is_likely;
        is_near.then_some(board)
    }

    /// Returns the likeliest legal board. Where none is near, returns the likeliest class of each square.
    pub(super) fn forced_board(&self) -> BoardClasses {
        let squares: Vec<Probabilities> = self
            .logs
            .iter()
            .map(|square| std::array::from_fn(|class| square.get(class).map_or(0.0, |log| log.exp())))
            .collect();
        let classes = legal_classes(&squares);
        BoardClasses::from_classes(|square| classes.get(square).copied().unwrap_or(EMPTY))
    }

    /// Returns the likeliest board; `None` while any square is hidden or in doubt.
    pub(super) fn certain_board(&self) -> Option<BoardClasses> {
        (self.hidden_count == 0 && (0..SQUARE_COUNT).all(|square| self.is_sure(square)))
            .then(|| self.best_board())
    }

    /// Returns whether a square has a clear class.
    pub(super) fn is_sure(&self, square: usize) -> bool {
        let others = (0..VISIBLE_CLASS_COUNT).filter(|class| *class != self.best_class(square));
        others
            .map(|class| self.deficit(square, class))
            .fold(f32::INFINITY, f32::min)
            >= MIN_CLASS_LEAD
    }
}

/// Known misreadings: for each square, the class of the game and the class that is read instead.
#[derive(Clone, Debug)]
pub(super) struct Misreadings(Vec<Option<Misreading>>);

/// The class of the game on a square, and the class that is read instead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Misreading {
    class: usize,
    read_class: usize,
}

impl Misreadings {
    pub(super) fn none() -> Self {
        Self(vec![None; SQUARE_COUNT])
    }

    pub(super) fn insert(&mut self, square: usize, class: usize, read: usize) {
        if let Some(known) = self.0.get_mut(square) {
            *known = Some(Misreading {
                class,
                read_class: read,
            });
        }
    }

    pub(super) fn remove(&mut self, square: usize) {
        if let Some(known) = self.0.get_mut(square) {
            *known = None;
        }
    }

    /// Records every square that contradicts a board.
    pub(super) fn insert_all(&mut self, evidence: &Evidence, board: &BoardClasses) {
        for square in 0..SQUARE_COUNT {
            if self.is_wrong(evidence, square, board.class(square)) {
                self.insert(square, board.class(square), evidence.best_class(square));
            }
        }
    }

    pub(super) fn is_wrong(&self, evidence: &Evidence, square: usize, class: usize) -> bool {
        evidence.deficit(square, class) >= MIN_WRONG_DEFICIT
            && self.0.get(square).copied().flatten()
                != Some(Misreading {
                    class,
                    read_class: evidence.best_class(square),
                })
    }

    /// Returns the number of squares that contradict a board.
    pub(super) fn count_wrong(&self, evidence: &Evidence, board: &BoardClasses) -> usize {
        (0..SQUARE_COUNT)
            .filter(|square| self.is_wrong(evidence, *square, board.class(*square)))
            .count()
    }
}
