//! What a reading says of each square.

use super::board::{Board, Changes, Hands, SQUARES, VISIBLE, piece, place};
use crate::joint::legal_classes;
use crate::network::{EMPTY, HIDDEN, Probabilities, turned};
use shogibar_core::kifu;
use shogibar_core::shogi::{Color, Move};

/// The share of squares whose reading means nothing, however sure it is. It bounds what one square can say:
/// ln(29 / share) ≈ 9.2.
const NOISE: f32 = 0.003;
/// The probability from which a square is hidden.
const HIDDEN_FROM: f32 = 0.5;
/// How much less likely a class must be than the likeliest one, as a logarithm, to be wrong: 55 times.
pub(super) const WRONG: f32 = 4.0;
/// The most hidden squares of a board that is still looked at.
pub(super) const MAX_HIDDEN: usize = 27;

/// The most pieces of the start of a game that may be read as others: its squares alone tell it.
const MOST_UNLIKE: usize = 16;
/// So many pieces of a start may look like the other side's.
const MOST_OF_OTHER_SIDE: usize = 2;
/// The pieces of a game.
const PIECES: usize = 40;
/// The most squares of another board that may be read otherwise than each looks alone.
const MOST_FORCED: usize = 4;

/// How much less likely the second class of a square must be for the first to be taken, as a logarithm: 1.5 times.
/// Several looks have to agree on it.
const DOUBT: f32 = 0.4;

/// The log-probabilities of a reading.
#[derive(Clone, Debug)]
pub(super) struct Evidence {
    logs: Vec<[f32; VISIBLE]>,
    best: Vec<(usize, f32)>,
    hidden_places: Vec<usize>,
    /// The number of hidden squares.
    pub(super) hidden: usize,
    /// The number of pieces in hand, as read.
    pub(super) hands: Option<Hands>,
    /// The look from which on each square has contradicted the game.
    contradicted_since: [Option<u64>; SQUARES],
}

impl Evidence {
    /// Weighs a reading; `None` where it has not 81 squares. `is_turned` turns the board by 180°.
    pub(super) fn new(squares: &[Probabilities], hands: Option<Hands>, is_turned: bool) -> Option<Self> {
        if squares.len() != SQUARES {
            return None;
        }
        let share = 1.0 / VISIBLE as f32;
        let mix = |square: &Probabilities, class: usize| {
            let probability = |class: usize| square.get(class).copied().unwrap_or_default().max(0.0);
            ((1.0 - NOISE) * (probability(class) + probability(HIDDEN) * share) + NOISE * share).ln()
        };
        let logs = |square: &Probabilities| -> [f32; VISIBLE] {
            std::array::from_fn(|class| mix(square, if is_turned { turned(class) } else { class }))
        };
        let logs: Vec<_> =
            if is_turned { squares.iter().rev().map(logs).collect() } else { squares.iter().map(logs).collect() };
        let best = |square: &[f32; VISIBLE]| {
            let best = square.iter().copied().enumerate().max_by(|left, right| left.1.total_cmp(&right.1));
            best.unwrap_or((EMPTY, 0.0))
        };
        let is_hidden = |square: &Probabilities| square.get(HIDDEN).is_some_and(|hidden| *hidden > HIDDEN_FROM);
        let places = squares.iter().enumerate().filter(|(_, square)| is_hidden(square));
        let hidden_places: Vec<_> =
            places.map(|(place, _)| if is_turned { SQUARES - 1 - place } else { place }).collect();
        Some(Self {
            best: logs.iter().map(best).collect(),
            logs,
            hidden: hidden_places.len(),
            hidden_places,
            hands: hands.map(|[black, white]| if is_turned { [white, black] } else { [black, white] }),
            contradicted_since: [None; SQUARES],
        })
    }

    /// Adds the look from which on each square has contradicted the game.
    pub(super) fn with_contradictions(self, contradicted_since: &[Option<u64>; SQUARES]) -> Self {
        Self { contradicted_since: *contradicted_since, ..self }
    }

    /// Returns the number of pairs of moves whose squares have changed in the other order.
    pub(super) fn disorder(&self, moves: &[Move]) -> usize {
        let squares = |mv: &Move| mv.from().into_iter().chain([mv.to()]);
        let changed = |(index, mv): (usize, &Move)| {
            // What an earlier move has changed says nothing of this one.
            let before = moves.get(..index).unwrap_or_default();
            let own = squares(mv).filter(|square| before.iter().flat_map(squares).all(|other| other != *square));
            // A square may be misread for a while: the earlier of the two counts.
            own.filter_map(|square| self.contradicted_since.get(place(square)).copied().flatten()).min()
        };
        let looks: Vec<u64> = moves.iter().enumerate().filter_map(changed).collect();
        looks
            .iter()
            .enumerate()
            .map(|(index, look)| looks.iter().skip(index).filter(|later| *later < look).count())
            .sum()
    }

    fn log(&self, place: usize, class: usize) -> f32 {
        self.logs.get(place).and_then(|square| square.get(class)).copied().unwrap_or_default()
    }

    /// Returns the likeliest class of a square.
    pub(super) fn best(&self, place: usize) -> usize {
        self.best.get(place).map_or(EMPTY, |best| best.0)
    }

    /// Returns how much more likely the likeliest class is than this one, as a logarithm, at least 0.
    pub(super) fn deficit(&self, place: usize, class: usize) -> f32 {
        self.best.get(place).map_or(0.0, |best| best.1) - self.log(place, class)
    }

    /// Returns how much likelier changes make the board, as a logarithm.
    pub(super) fn gain(&self, changes: &Changes) -> f32 {
        let gain = |place, before, after| self.log(place, after) - self.log(place, before);
        changes.iter().flatten().map(|change| gain(change.place, change.before, change.after)).sum()
    }

    /// Returns how much likelier some piece of a side is than nothing on a square, as a logarithm.
    pub(super) fn piece_gain(&self, place: usize, color: Color) -> f32 {
        let is_of_side = |class: &usize| piece(*class).is_some_and(|piece| piece.color == color);
        let sum: f32 = (0..VISIBLE).filter(is_of_side).map(|class| self.log(place, class).exp()).sum();
        sum.ln() - self.log(place, EMPTY)
    }

    /// Returns the sum of the deficits of a board.
    pub(super) fn total_deficit(&self, board: &Board) -> f32 {
        (0..SQUARES).map(|place| self.deficit(place, board.class(place))).sum()
    }

    /// Takes the hidden squares for what they look like. Those that look like nothing sure are empty, and so are all where all pieces of the
    /// game are visible.
    pub(super) fn reveal(mut self) -> Self {
        let empty = std::array::from_fn(|class| if class == EMPTY { 0.0 } else { NOISE.ln() });
        let is_complete = self.is_complete();
        for place in std::mem::take(&mut self.hidden_places) {
            if !is_complete && self.is_sure(place) {
                continue;
            }
            if let (Some(logs), Some(best)) = (self.logs.get_mut(place), self.best.get_mut(place)) {
                (*logs, *best) = (empty, (EMPTY, 0.0));
            }
        }
        self.hidden = 0;
        self
    }

    /// The hidden squares.
    pub(super) const fn hidden_places(&self) -> &Vec<usize> {
        &self.hidden_places
    }

    /// Whether nothing at all is known of a hidden square.
    pub(super) fn has_unseen(&self) -> bool {
        let is_known = |place: &usize| (0..VISIBLE).any(|class| self.deficit(*place, class) > 0.0);
        !self.hidden_places.iter().all(is_known)
    }

    /// Whether the hidden squares can only be empty, as all pieces of the game are visible.
    pub(super) fn is_complete(&self) -> bool {
        let is_visible_piece = |place: &usize| self.best(*place) != EMPTY && !self.hidden_places.contains(place);
        (0..SQUARES).filter(is_visible_piece).count() == PIECES
    }

    /// Returns the likeliest board, whatever is hidden.
    pub(super) fn best_board(&self) -> Board {
        Board::from_classes(|place| self.best(place))
    }

    /// Returns the start of an even or handicap game that has pieces on the same squares, where at most [`MOST_UNLIKE`] of them
    /// are read as others, and at most [`MOST_OF_OTHER_SIDE`] as the other side's.
    pub(super) fn known_start(&self) -> Option<Board> {
        let side = |class: usize| (class != EMPTY).then_some(class < turned(class));
        let is_like = |board: &Board| {
            let read = || (0..SQUARES).map(|place| (board.class(place), self.best(place)));
            let of_other_side = read().filter(|(class, read)| side(*class) != side(*read)).count();
            let has_same_places = read().all(|(class, read)| (class == EMPTY) == (read == EMPTY));
            let unlike = read().filter(|(class, read)| class != read).count();
            has_same_places && of_other_side <= MOST_OF_OTHER_SIDE && unlike <= MOST_UNLIKE
        };
        let mut starts = kifu::handicaps().filter_map(kifu::handicap).map(|start| Board::from_position(&start));
        starts.find(is_like).filter(|_| self.hidden == 0)
    }

    /// Returns the likeliest board that a game can have, where few squares are read otherwise than they look.
    pub(super) fn legal_board(&self) -> Option<Board> {
        let board = self.forced_board();
        let forced = || (0..SQUARES).filter(|place| self.best(*place) != board.class(*place));
        let is_likely = forced().all(|place| self.deficit(place, board.class(place)) < WRONG);
        let is_near = self.hidden == 0 && (1..=MOST_FORCED).contains(&forced().count()) && is_likely;
        is_near.then_some(board)
    }

    /// Returns the likeliest board that a game can have; what the squares look like where none is near.
    pub(super) fn forced_board(&self) -> Board {
        let squares: Vec<Probabilities> = self
            .logs
            .iter()
            .map(|square| std::array::from_fn(|class| square.get(class).map_or(0.0, |log| log.exp())))
            .collect();
        let classes = legal_classes(&squares);
        Board::from_classes(|place| classes.get(place).copied().unwrap_or(EMPTY))
    }

    /// Returns the likeliest board; `None` while any square is hidden or in doubt.
    pub(super) fn board(&self) -> Option<Board> {
        let is_sure = |place: usize| self.is_sure(place);
        (self.hidden == 0 && (0..SQUARES).all(is_sure)).then(|| self.best_board())
    }

    /// Whether a square looks clearly most like one class.
    fn is_sure(&self, place: usize) -> bool {
        let others = (0..VISIBLE).filter(|class| *class != self.best(place));
        others.map(|class| self.deficit(place, class)).fold(f32::INFINITY, f32::min) >= DOUBT
    }
}

/// Readings that are known to be wrong: for each square the class of the game and the class that is read instead.
#[derive(Clone, Debug)]
pub(super) struct Misreadings(Vec<Option<(usize, usize)>>);

impl Misreadings {
    pub(super) fn none() -> Self {
        Self(vec![None; SQUARES])
    }

    pub(super) fn insert(&mut self, place: usize, class: usize, read: usize) {
        if let Some(known) = self.0.get_mut(place) {
            *known = Some((class, read));
        }
    }

    /// Notes every square that contradicts a board.
    pub(super) fn insert_all(&mut self, evidence: &Evidence, board: &Board) {
        for place in 0..SQUARES {
            if self.is_wrong(evidence, place, board.class(place)) {
                self.insert(place, board.class(place), evidence.best(place));
            }
        }
    }

    /// Returns whether a square contradicts a class, and not in the way that is known.
    pub(super) fn is_wrong(&self, evidence: &Evidence, place: usize, class: usize) -> bool {
        evidence.deficit(place, class) >= WRONG
            && self.0.get(place).copied().flatten() != Some((class, evidence.best(place)))
    }

    /// Returns the number of squares that contradict a board.
    pub(super) fn count_wrong(&self, evidence: &Evidence, board: &Board) -> usize {
        (0..SQUARES).filter(|place| self.is_wrong(evidence, *place, board.class(*place))).count()
    }
}
