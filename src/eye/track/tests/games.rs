//! Random games and their noisy readings.

use crate::network::{CLASS_COUNT, Probabilities};
use crate::network::{EMPTY, HIDDEN};
use crate::track::board::BoardClasses;
use crate::track::{BoardEvent, Reading, Tracker, TrackingMode, square_index};
use shogibar_base::random::SplitMix;
use shogibar_shogi::{History, Move, Position};
use std::fmt;
use std::time::{Duration, Instant};

/// A generator of pseudo-random numbers. A seed gives the same numbers in every run.
pub(super) struct SeededRandom(SplitMix);

impl SeededRandom {
    pub(super) fn new(seed: u64) -> Self {
        Self(SplitMix(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15)))
    }

    /// Returns an integer below `end`.
    pub(super) fn below(&mut self, end: usize) -> usize {
        self.0.below(end)
    }

    /// Returns `true` with the probability 1 / `count`.
    fn is_one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    /// Returns a number from 0 to below 1.
    fn share(&mut self) -> f32 {
        self.below(1000) as f32 / 1000.0
    }
}

/// Plays random legal moves. Every third one captures where one can.
pub(super) fn random_game(plies: usize, random: &mut SeededRandom) -> History {
    let mut history = History::new(Position::startpos());
    for _ in 0..plies {
        let mut legal = history.now().legal_moves();
        if random.is_one_in(3) {
            let captures: Vec<Move> = legal
                .iter()
                .copied()
                .filter(|mv| history.now().piece_on(mv.to()).is_some())
                .collect();
            legal = if captures.is_empty() { legal } else { captures };
        }
        let Some(mv) = legal.get(random.below(legal.len())) else {
            break;
        };
        history.play(*mv).unwrap();
    }
    history
}

/// Creates readings of boards, with some misread squares.
pub(super) struct Camera {
    random: SeededRandom,
    /// One square in this number is misread; 0 for no square.
    misread_interval: usize,
}

impl Camera {
    /// Creates a camera that misreads no square.
    pub(super) fn clear(seed: u64) -> Self {
        Self {
            random: SeededRandom::new(seed),
            misread_interval: 0,
        }
    }

    /// Returns a reading of the classes of 81 squares, [`HIDDEN`] included.
    pub(super) fn take(&mut self, class: &dyn Fn(usize) -> usize) -> Vec<Probabilities> {
        (0..81).map(|square| self.square(class(square))).collect()
    }

    fn square(&mut self, class: usize) -> Probabilities {
        let is_misread = self.misread_interval > 0 && self.random.is_one_in(self.misread_interval);
        let class = if is_misread {
            self.random.below(HIDDEN)
        } else {
            class
        };
        // Some squares are in doubt.
        let doubt = if self.misread_interval > 0 && self.random.is_one_in(40) {
            0.45
        } else {
            0.04
        } * self.random.share();
        let mut square = [doubt / 4.0 / (CLASS_COUNT - 1) as f32; CLASS_COUNT];
        square[class] = 1.0 - doubt;
        square[self.random.below(HIDDEN)] += doubt * 3.0 / 4.0;
        square
    }
}

/// The results of followed games.
#[derive(Default)]
pub(super) struct Totals {
    /// The number of still pictures after one to four moves at once, by the number of moves. A picture after one whose
    /// position was not found does not count.
    pub(super) shown_pictures: [usize; 5],
    pub(super) found_pictures: [usize; 5],
    /// The number of single moves, without guesses, that led to a wrong position.
    pub(super) wrong_moves: usize,
    /// The number of guesses that led to a wrong position.
    pub(super) wrong_guesses: usize,
    /// The number of pictures whose position the tracker did not have.
    missed_pictures: usize,
    guesses: usize,
    /// The number of boards that were accepted in place of moves.
    accepted_boards: usize,
    /// The times of readings without a change.
    unchanged_times: Times,
    /// The times of readings that gave one move.
    move_times: Times,
    /// The times of readings that gave several moves.
    several_times: Times,
    undecided_times: Times,
}

/// The times that the tracker took for readings.
#[derive(Default)]
struct Times {
    /// The number of still readings.
    count: u32,
    sum: Duration,
    longest: Duration,
}

impl fmt::Display for Times {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mean = self.sum / self.count.max(1);
        write!(f, "{} µs, at most {}", mean.as_micros(), self.longest.as_micros())
    }
}

impl fmt::Display for Totals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            shown_pictures: shown,
            found_pictures: found,
            wrong_moves: wrong,
            wrong_guesses,
            missed_pictures: missed,
            guesses,
            accepted_boards: boards,
            ..
        } = self;
        writeln!(
            f,
            "pictures after 1 to 4 moves: {shown:?}, found: {found:?}, not found with later ones: {missed}"
        )?;
        writeln!(
            f,
            "wrong moves: {wrong}, guesses: {guesses}, wrong ones: {wrong_guesses}, boards taken: {boards}"
        )?;
        let Self {
            unchanged_times: quiet,
            move_times: moves,
            several_times: several,
            undecided_times: others,
            ..
        } = self;
        write!(
            f,
            "quiet reading: {quiet}; one move: {moves}; several: {several}; undecided: {others}"
        )
    }
}

pub(super) fn follow(game: &History, mode: TrackingMode, seed: u64, totals: &mut Totals) {
    let mut random = SeededRandom::new(seed ^ 0xABCD);
    let mut shown = History::new(Position::startpos());
    let camera = Camera::clear(seed);
    let mut film = Film {
        tracker: Tracker::new(mode),
        camera,
        totals,
        is_right: true,
    };
    let start = BoardClasses::from_position(shown.now());
    (0..3).for_each(|_| film.read(&|square| start.class(square), true, &shown));
    film.camera.misread_interval = 400;
    let mut left = game.moves();
    while !left.is_empty() {
        let count = if random.is_one_in(8) {
            1 + random.below(4)
        } else {
            1
        }
        .min(left.len());
        let before = BoardClasses::from_position(shown.now());
        let (played, rest) = left.split_at(count);
        left = rest;
        for mv in played {
            shown.play(*mv).unwrap();
        }
        let after = BoardClasses::from_position(shown.now());
        film.show_animation(&before, &after, &shown, &mut random);
        if random.is_one_in(5) {
            film.show_hand(
                &after,
                played.last().map_or(0, |mv| square_index(mv.to())),
                &shown,
                &mut random,
            );
        }
        let was_right = film.is_right;
        (0..4 + random.below(4)).for_each(|_| film.read(&|square| after.class(square), true, &shown));
        let history = film.tracker.history().unwrap();
        film.is_right = have_same_position(history.now(), shown.now());
        film.totals.missed_pictures += usize::from(!film.is_right);
        film.totals.shown_pictures[count] += usize::from(was_right);
        film.totals.found_pictures[count] += usize::from(was_right && film.is_right);
        if !film.is_right && BoardClasses::from_position(history.now()) == after {
            // Only hands or the side to move differ, which no picture of the board shows.
            film.tracker = Tracker::from_history(&shown, mode);
            film.is_right = true;
        }
    }
}

/// A game while it is shown to a tracker.
struct Film<'a> {
    tracker: Tracker,
    camera: Camera,
    totals: &'a mut Totals,
    /// Whether the tracker's position was that of the picture or a recent one.
    is_right: bool,
}

impl Film<'_> {
    /// Shows changed pieces on both squares or on none. One of these readings may seem still.
    fn show_animation(
        &mut self,
        before: &BoardClasses,
        after: &BoardClasses,
        shown: &History,
        random: &mut SeededRandom,
    ) {
        for step in 0..random.below(4) {
            let is_twice = random.is_one_in(2);
            let class = |square: usize| match (before.class(square), after.class(square)) {
                (old, new) if old == new => old,
                (old, EMPTY) if is_twice => old,
                (_, EMPTY) => EMPTY,
                (_, new) if is_twice => new,
                (old, _) => old,
            };
            self.read(&class, step == 1 && random.is_one_in(3), shown);
        }
    }

    /// Shows a hand over a square and those around it.
    fn show_hand(&mut self, board: &BoardClasses, at: usize, shown: &History, random: &mut SeededRandom) {
        let (files, ranks) = (random.below(3), random.below(3));
        let is_hidden =
            |square: usize| (square / 9).abs_diff(at / 9) <= ranks && (square % 9).abs_diff(at % 9) <= files;
        let class = |square: usize| {
            if is_hidden(square) {
                HIDDEN
            } else {
                board.class(square)
            }
        };
        (0..=random.below(4)).for_each(|_| self.read(&class, true, shown));
    }

    #[expect(
        clippy::disallowed_methods,
        clippy::print_stdout,
        reason = "the figures are for developers"
    )]
    fn read(&mut self, class: &dyn Fn(usize) -> usize, is_still: bool, shown: &History) {
        let squares = self.camera.take(class);
        let start = Instant::now();
        let event = self.tracker.update(&Reading {
            squares: &squares,
            hands: None,
            is_still,
        });
        let time = start.elapsed();
        let totals = &mut *self.totals;
        let times = match &event {
            BoardEvent::Unchanged => &mut totals.unchanged_times,
            BoardEvent::Played { moves, .. } if moves.len() < 2 => &mut totals.move_times,
            BoardEvent::Played { .. } => &mut totals.several_times,
            _ => &mut totals.undecided_times,
        };
        times.count += u32::from(is_still);
        times.sum += if is_still { time } else { Duration::ZERO };
        times.longest = times.longest.max(time);
        match event {
            BoardEvent::Played {
                undone,
                moves,
                is_guess,
                ..
            } => {
                let history = self.tracker.history().unwrap();
                let is_right = is_beginning(&history, shown);
                totals.guesses += usize::from(is_guess);
                let is_wrong = self.is_right && !is_right;
                totals.wrong_moves += usize::from(is_wrong && !is_guess);
                totals.wrong_guesses += usize::from(is_wrong && is_guess);
                if is_wrong && !is_guess {
                    println!(
                        "-{undone} {moves:?}\n found {}\n shown {}",
                        history.usi(),
                        shown.usi()
                    );
                }
                self.is_right = is_right;
            }
            BoardEvent::NewBoard { .. } => totals.accepted_boards += usize::from(!shown.moves().is_empty()),
            _ => {}
        }
    }
}

/// Returns whether the position of one game is among the last five of the other.
fn is_beginning(history: &History, shown: &History) -> bool {
    let earlier = std::iter::successors(Some(shown.clone()), History::without_last);
    earlier
        .take(5)
        .any(|earlier| have_same_position(earlier.now(), history.now()))
}

/// Returns whether two positions are equal apart from the move numbers.
fn have_same_position(left: &Position, right: &Position) -> bool {
    let text = |position: &Position| position.sfen().rsplit_once(' ').map(|(text, _)| text.to_owned());
    text(left) == text(right)
}
