//! Tracks the moves of a game from readings of its board.
//!
//! A [`Tracker`] takes one [`Reading`] after the other. The tracker computes the likelihood of every legal continuation
//! by the probabilities of the squares that change. The module has no clock and no screen: the caller sets the rate of
//! readings.

mod board;
mod correction;
mod evidence;
mod game;
mod search;
mod suggestion;
#[cfg(test)]
mod tests;
mod unexplained;

pub use board::{Hands, class, piece, square_index};
pub use correction::BoardCorrection;
pub use game::TrackedMove;

use crate::network::{Probabilities, hide, opposite_class};
use board::{BoardClasses, MIN_FAR_DISTANCE, SQUARE_COUNT, Start};
use evidence::{Evidence, MAX_HIDDEN_SQUARES, Misreadings};
use game::{Fit, SeenGame};
use search::{
    ExplanationResult, MAX_MOVES, MAX_WRONG_SQUARES, MIN_EXPLANATION_LEAD, MIN_MOVE_GAIN, POSITION_BUDGET,
    Search,
};
use shogibar_shogi::{Color, History, Move, Position};
use suggestion::Suggestion;
use unexplained::UnexplainedReadings;

/// The number of still readings in a row that must agree on several moves while squares are hidden. Below a hidden
/// square, another move is possible.
const HIDDEN_MOVES_READINGS: u32 = 8;
/// A failed search is repeated for the same board at each reading whose number is a multiple of this.
const SEARCH_INTERVAL: u64 = 8;
/// The maximum number of nodes whose variations are searched in one reading.
const MAX_VARIATION_NODES: usize = 4;

/// What the tracker does when the picture leaves the game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TrackingMode {
    /// Keeps the game and ignores earlier positions and variations. The start of a new game is accepted after
    /// `NEW_GAME_READINGS` still readings (`track/unexplained.rs`). A board that may continue the game, and an
    /// abandoned game, are accepted after `LATER_BOARD_READINGS`.
    #[default]
    Game,
    /// Follows every step back, every variation and every other board.
    Everything,
}

/// One reading of the picture.
#[derive(Clone, Copy, Debug)]
pub struct Reading<'a> {
    /// The probabilities of 81 squares, from the top left of the picture, row by row.
    pub squares: &'a [Probabilities],
    /// The pieces in hand; `None` if they were not read. The hand of the side at the bottom of the picture comes first.
    pub hands: Option<Hands>,
    /// Whether the picture was the same shortly before. The tracker accepts changes in still pictures only.
    pub is_still: bool,
}

/// The unknown parts of a position that was taken from the picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UnknownParts {
    /// Whether the side to move is unknown. The next move reveals the side.
    pub is_side_unknown: bool,
    /// The numbers of pieces in an unknown hand, in the order of [`PieceKind::IN_HAND`]. The position has none of these
    /// pieces. Later drops reveal some owners.
    ///
    /// [`PieceKind::IN_HAND`]: shogibar_shogi::PieceKind::IN_HAND
    pub hands: [u8; 7],
}

/// What one reading means for the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BoardEvent {
    /// The picture shows the current position, apart from known misreadings.
    Unchanged,
    /// No decision: the picture moves or is not clear, or more readings are needed.
    Waiting,
    /// No decision while this number of squares is hidden, at most `MAX_HIDDEN_SQUARES` (`track/evidence.rs`). Visible
    /// squares may contradict the position.
    Hidden(usize),
    /// More than `MAX_HIDDEN_SQUARES` squares are hidden, or the reading has not 81 squares.
    Lost,
    /// The reading is not a legal board, and far from the current position if there is one.
    Impossible,
    /// A new board without one of the kings. Engines reject such a board.
    NoKing,
    /// The picture shows an earlier position, a variation or another board, which [`TrackingMode::Game`] ignores.
    Away,
    /// The picture rotated by 180° fits the game. The event repeats until [`Tracker::set_rotated`] is called.
    Rotated,
    /// The last moves were taken back, and other moves were played.
    Played {
        /// The number of moves that were taken back.
        undone: usize,
        /// The moves that were played after that, in their order.
        moves: Vec<Move>,
        /// Whether other moves, or another order of them, would explain the picture as well.
        is_guess: bool,
        /// Whether the moves revealed the side to move or a hand of the start position. The start of
        /// [`Tracker::history`] has then changed.
        start_changed: bool,
    },
    /// A new board was accepted, or an abandoned game was found again. [`Tracker::history`] has the moves of that game.
    NewBoard {
        /// The current position, with the known pieces in hand.
        position: Box<Position>,
        /// The unknown parts of the position.
        unknown: UnknownParts,
    },
}

/// Follows a game by readings of its board.
#[derive(Clone, Debug)]
pub struct Tracker {
    mode: TrackingMode,
    is_rotated: bool,
    /// Whether the caller has set the orientation of the picture since the last new board.
    is_rotation_known: bool,
    game: Option<SeenGame>,
    misreadings: Misreadings,
    /// The suggestion of the last still readings, and the number of these readings.
    pending_suggestion: Option<PendingSuggestion>,
    /// The number of readings so far.
    reading_count: u64,
    /// The board and the node of the last failed search.
    failed_search: Option<SearchKey>,
    unexplained_readings: UnexplainedReadings,
    /// For each square, since when it contradicts the game in the same way. `None` for a square that fits the game.
    contradictions: [Option<Contradiction>; SQUARE_COUNT],
}

/// A suggestion that needs further readings.
#[derive(Clone, Debug)]
struct PendingSuggestion {
    suggestion: Suggestion,
    /// The number of readings in a row that agree on the suggestion.
    agreeing_readings: u32,
}

/// The board of a reading and the current node at a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct SearchKey {
    board: BoardClasses,
    node: usize,
}

/// A reading of a square that contradicts the game.
#[derive(Clone, Copy, Debug)]
struct Contradiction {
    /// The number of the first reading with this class.
    reading: u64,
    /// The class that was read.
    class: usize,
}

impl Tracker {
    /// Creates a tracker without a game. The first readable board starts a game.
    pub fn new(mode: TrackingMode) -> Self {
        Self {
            mode,
            is_rotated: false,
            is_rotation_known: false,
            game: None,
            misreadings: Misreadings::none(),
            pending_suggestion: None,
            reading_count: 0,
            failed_search: None,
            unexplained_readings: UnexplainedReadings::default(),
            contradictions: [None; SQUARE_COUNT],
        }
    }

    /// Creates a tracker for a game that has begun.
    pub fn from_history(history: &History, mode: TrackingMode) -> Self {
        let mut game = SeenGame::new(Start::from_position(history.start()));
        for mv in history.moves() {
            game.play(*mv, 0, false);
        }
        Self {
            game: Some(game),
            ..Self::new(mode)
        }
    }

    /// Returns what the tracker does when the picture leaves the game.
    pub const fn mode(&self) -> TrackingMode {
        self.mode
    }

    /// Sets what the tracker does when the picture leaves the game.
    pub const fn set_mode(&mut self, mode: TrackingMode) {
        self.mode = mode;
        self.unexplained_readings.reset();
        self.failed_search = None;
    }

    /// Returns whether the pictures are rotated by 180°.
    pub const fn is_rotated(&self) -> bool {
        self.is_rotated
    }

    /// Sets whether the pictures are rotated by 180°. This is the reply to [`BoardEvent::Rotated`].
    pub fn set_rotated(&mut self, is_rotated: bool) {
        if is_rotated != self.is_rotated {
            self.misreadings = Misreadings::none();
        }
        (self.is_rotated, self.is_rotation_known) = (is_rotated, true);
        self.forget_readings();
    }

    /// Drops the pending suggestion, the failed search and the contradictions of the readings so far.
    fn forget_readings(&mut self) {
        (self.pending_suggestion, self.failed_search) = (None, None);
        self.contradictions = [None; SQUARE_COUNT];
        self.unexplained_readings.reset();
    }

    /// Returns the game: the start and the moves to the current position. `None` before the first board.
    pub fn history(&self) -> Option<History> {
        self.game.as_ref()?.history()
    }

    /// Returns the 81 classes of a picture of the current position, from the top left. Empty before the first board.
    pub fn expected_classes(&self) -> Vec<usize> {
        self.game
            .as_ref()
            .map_or_else(Vec::new, |game| self.classes_in_picture(&game.board))
    }

    /// Returns the 81 classes of a picture of a position, from the top left.
    pub fn classes_of(&self, position: &Position) -> Vec<usize> {
        self.classes_in_picture(&BoardClasses::from_position(position))
    }

    /// Returns the 81 classes of a picture of a board, from the top left of the picture.
    fn classes_in_picture(&self, board: &BoardClasses) -> Vec<usize> {
        let class = |square: usize| board.class(square);
        if self.is_rotated {
            (0..SQUARE_COUNT)
                .rev()
                .map(|square| opposite_class(class(square)))
                .collect()
        } else {
            (0..SQUARE_COUNT).map(class).collect()
        }
    }

    /// Returns the moves to the current position, each with the number of the reading in which it was accepted.
    pub fn moves(&self) -> Vec<TrackedMove> {
        self.game.as_ref().map(SeenGame::moves).unwrap_or_default()
    }

    /// Returns the unknown parts of the current position.
    pub fn unknown_parts(&self) -> UnknownParts {
        let Some(game) = &self.game else {
            return UnknownParts::default();
        };
        UnknownParts {
            is_side_unknown: game.states.len() > 1,
            hands: game.pool(),
        }
    }

    /// Processes a reading. Returns what the reading means for the game.
    pub fn update(&mut self, reading: &Reading<'_>) -> BoardEvent {
        self.reading_count += 1;
        let evidence = Evidence::new(reading.squares, reading.hands, self.is_rotated);
        let Some(evidence) = evidence.filter(|evidence| evidence.hidden_count <= MAX_HIDDEN_SQUARES) else {
            self.pending_suggestion = None;
            return BoardEvent::Lost;
        };
        let evidence = self.record_contradictions(evidence);
        let undecided = if evidence.hidden_count > 0 {
            BoardEvent::Hidden(evidence.hidden_count)
        } else {
            BoardEvent::Waiting
        };
        if !reading.is_still {
            self.pending_suggestion = None;
            return undecided;
        }
        let suggestion = self.suggest(&evidence, reading);
        let event = match suggestion {
            Suggestion::Keep if evidence.hidden_count == 0 => BoardEvent::Unchanged,
            Suggestion::Keep | Suggestion::Wait => undecided.clone(),
            Suggestion::Impossible => BoardEvent::Impossible,
            Suggestion::NoKing => BoardEvent::NoKing,
            Suggestion::Away => BoardEvent::Away,
            Suggestion::Moves {
                from,
                moves,
                side,
                board,
                ..
            } if moves.len() > 1 && evidence.hidden_count > 0 => {
                let moves = Suggestion::Moves {
                    from,
                    moves,
                    side,
                    board,
                    is_guess: true,
                    required_readings: HIDDEN_MOVES_READINGS,
                };
                return self.apply_if_agreed(moves, &evidence).unwrap_or(undecided);
            }
            change => return self.apply_if_agreed(change, &evidence).unwrap_or(undecided),
        };
        self.pending_suggestion = None;
        event
    }

    /// Processes a reading in which a few squares move: under a pointer, or under a piece that is dragged. `moving` are
    /// the indices of these squares in the picture. Accepts only a move that changes none of these squares. Otherwise
    /// returns [`BoardEvent::Waiting`], or [`BoardEvent::Lost`] if too many squares are hidden.
    pub fn update_around(&mut self, squares: &[Probabilities], moving: &[usize]) -> BoardEvent {
        self.reading_count += 1;
        let mut seen = squares.to_vec();
        hide(&mut seen, moving);
        let evidence = Evidence::new(&seen, None, self.is_rotated)
            .filter(|evidence| evidence.hidden_count <= MAX_HIDDEN_SQUARES);
        let Some(evidence) = evidence else {
            self.pending_suggestion = None;
            return BoardEvent::Lost;
        };
        let evidence = self.record_contradictions(evidence);
        let played = || {
            // No move is accepted while the side to move is unknown: a reply may hide the move before the reply.
            let game = self.game.as_ref().filter(|game| game.states.len() == 1)?;
            let mut budget = POSITION_BUDGET;
            let found = Search::run(
                &game.states,
                &game.board,
                &evidence,
                &self.misreadings,
                1..=1,
                &mut budget,
            );
            let ExplanationResult::Found(found) = found else {
                return None;
            };
            let on_board = |square: usize| {
                if self.is_rotated {
                    SQUARE_COUNT - 1 - square
                } else {
                    square
                }
            };
            let is_untouched = moving.iter().all(|square| {
                let square = on_board(*square);
                found.board.class(square) == game.board.class(square)
            });
            (found.wrong_squares == 0 && is_untouched).then(|| found.suggest(game.current_node()))
        };
        let Some(change) = played() else {
            self.pending_suggestion = None;
            return BoardEvent::Waiting;
        };
        self.apply_if_agreed(change, &evidence)
            .unwrap_or(BoardEvent::Waiting)
    }

    /// Records the reading at which each visible square began to contradict the game in the same way. Returns the
    /// evidence with these contradictions.
    fn record_contradictions(&mut self, evidence: Evidence) -> Evidence {
        let Some(game) = &self.game else { return evidence };
        let hidden = evidence.hidden_squares();
        for (square, since) in self
            .contradictions
            .iter_mut()
            .enumerate()
            .filter(|(square, _)| !hidden.contains(square))
        {
            if evidence.is_sure(square) && evidence.best_class(square) == game.board.class(square) {
                // What lay over the square is gone. The same piece there later is a move.
                self.misreadings.remove(square);
            }
            let is_wrong = self
                .misreadings
                .is_wrong(&evidence, square, game.board.class(square));
            let now = Contradiction {
                reading: self.reading_count,
                class: evidence.best_class(square),
            };
            *since = is_wrong.then(|| since.filter(|since| since.class == now.class).unwrap_or(now));
        }
        let since = self.contradictions.map(|since| since.map(|since| since.reading));
        evidence.with_contradictions(&since)
    }

    /// Counts the readings that agree on a change. When enough readings agree, applies the change and returns its
    /// event. Returns `None` before, and for a change that cannot be applied.
    fn apply_if_agreed(&mut self, change: Suggestion, evidence: &Evidence) -> Option<BoardEvent> {
        let before = self
            .pending_suggestion
            .take()
            .filter(|pending| pending.suggestion.agrees_with(&change));
        let readings = before.map_or(1, |pending| pending.agreeing_readings + 1);
        if readings < change.required_readings() {
            self.pending_suggestion = Some(PendingSuggestion {
                suggestion: change,
                agreeing_readings: readings,
            });
            return None;
        }
        match change {
            Suggestion::Rotated => {
                self.pending_suggestion = Some(PendingSuggestion {
                    suggestion: change,
                    agreeing_readings: readings,
                });
                Some(BoardEvent::Rotated)
            }
            Suggestion::Moves {
                from,
                moves,
                side,
                is_guess,
                ..
            } => self.play(from, &moves, side, is_guess),
            Suggestion::Board { board, .. } => self.accept_board(&board, evidence),
            Suggestion::Misread { square, class, read } => {
                self.misreadings.insert(square, class, read);
                Some(BoardEvent::Unchanged)
            }
            Suggestion::Keep
            | Suggestion::Wait
            | Suggestion::Away
            | Suggestion::Impossible
            | Suggestion::NoKing => None,
        }
    }

    /// Plays moves from a node. Returns `None` and goes back where a move is illegal.
    fn play(
        &mut self,
        from: usize,
        moves: &[Move],
        side: Option<Color>,
        is_guess: bool,
    ) -> Option<BoardEvent> {
        let reading = self.reading_count;
        let game = self.game.as_mut()?;
        let (before, start) = (game.current_node(), game.is_start_open().then(|| game.start()));
        game.go_to(from);
        if let Some(side) = side {
            game.set_side(side);
        }
        for mv in moves {
            if !game.play(*mv, reading, is_guess) {
                game.go_to(before);
                return None;
            }
        }
        let start_changed = start.is_some_and(|start| start != game.start());
        self.unexplained_readings.reset();
        let Some((undone, count)) = game.steps(before, game.current_node()) else {
            return self.new_board_event();
        };
        let played = game.moves();
        let moves = played
            .iter()
            .skip(played.len().saturating_sub(count))
            .map(|played| played.mv)
            .collect();
        Some(BoardEvent::Played {
            undone,
            moves,
            is_guess,
            start_changed,
        })
    }

    /// Begins a game at a new board. Returns `None` and changes nothing for an illegal board.
    fn accept_board(&mut self, board: &BoardClasses, evidence: &Evidence) -> Option<BoardEvent> {
        // A board with hidden squares arrives here only after they were revealed.
        let revealed = (evidence.hidden_count > 0).then(|| evidence.clone().reveal());
        let evidence = revealed.as_ref().unwrap_or(evidence);
        // A board that is near the game inherits the game's hands.
        let near = self
            .game
            .as_ref()
            .filter(|game| game.board.distance(board) < MIN_FAR_DISTANCE);
        let inherited = near.and_then(|game| Some(game.states.first()?.hands_for(board)));
        let start = Start::from_board(board, evidence.hands.or(inherited))?;
        match &mut self.game {
            Some(game) => game.push_start(start, self.reading_count),
            None => self.game = Some(SeenGame::new(start)),
        }
        self.misreadings = Misreadings::none();
        if evidence.known_start().as_ref() == Some(board) || self.unexplained_readings.is_forced(board) {
            self.misreadings.insert_all(evidence, board);
        }
        self.is_rotation_known = false;
        self.unexplained_readings.reset();
        self.new_board_event()
    }

    fn new_board_event(&self) -> Option<BoardEvent> {
        Some(BoardEvent::NewBoard {
            position: Box::new(self.history()?.now().clone()),
            unknown: self.unknown_parts(),
        })
    }

    fn suggest(&mut self, evidence: &Evidence, reading: &Reading<'_>) -> Suggestion {
        let Some(game) = &mut self.game else {
            return self.unexplained_readings.suggest_first(evidence);
        };
        let wrong = self.misreadings.count_wrong(evidence, &game.board);
        if wrong == 0 {
            game.confirm(evidence);
            self.unexplained_readings.reset();
            return Suggestion::Keep;
        }
        let mut budget = POSITION_BUDGET;
        let fits = game.fits(evidence, &self.misreadings);
        let key = SearchKey {
            board: evidence.best_board(),
            node: game.current_node(),
        };
        if self.failed_search != Some(key) || self.reading_count.is_multiple_of(SEARCH_INTERVAL) {
            self.failed_search = None;
            if let Some(suggestion) = self.explain(evidence, &fits, &mut budget) {
                return suggestion;
            }
            if !self.is_rotation_known && wrong > MAX_WRONG_SQUARES && self.fits_rotated(reading) {
                return Suggestion::Rotated;
            }
            self.failed_search = Some(key);
        }
        let Some(game) = &self.game else {
            return Suggestion::Wait;
        };
        let follows_everything = self.mode == TrackingMode::Everything;
        self.unexplained_readings.suggest(
            evidence,
            game,
            &self.misreadings,
            wrong,
            &fits,
            follows_everything,
        )
    }

    /// Returns the suggestion that explains a reading by moves from the current position or from another node. It is to
    /// wait where several explanations fit, and `Away` where only an earlier position fits. `None` without an
    /// explanation.
    fn explain(&self, evidence: &Evidence, fits: &[Fit], budget: &mut usize) -> Option<Suggestion> {
        let game = self.game.as_ref()?;
        let here = game.current_node();
        let run = |lengths, budget: &mut usize| {
            Search::run(
                &game.states,
                &game.board,
                evidence,
                &self.misreadings,
                lengths,
                budget,
            )
        };
        match run(1..=1, budget) {
            ExplanationResult::Undecided(likely) => {
                return Some(likely.map_or(Suggestion::Wait, |likely| likely.suggest_guess(here)));
            }
            ExplanationResult::Found(found) if found.wrong_squares == 0 => return Some(found.suggest(here)),
            ExplanationResult::Found(_) | ExplanationResult::Nothing => {}
        }
        let origins: Vec<usize> = match self.mode {
            TrackingMode::Game => game.unsettled_origins(),
            TrackingMode::Everything => (0..fits.len()).filter(|node| *node != here).collect(),
        };
        // While squares are hidden, only `TrackingMode::Everything` takes moves back.
        let goes_back = evidence.hidden_count == 0 || self.mode == TrackingMode::Everything;
        if goes_back && let Some(seen_before) = self.find_shown_node(evidence, fits, &origins, 0) {
            return Some(seen_before);
        }
        // Where the picture shows an earlier position, the only other explanation is a repetition.
        let is_earlier = game.current_tree(fits).any(|(_, fit)| fit.wrong_squares == 0);
        match run(1..=if is_earlier { 2 } else { MAX_MOVES }, budget) {
            ExplanationResult::Undecided(likely) => {
                return Some(likely.map_or(Suggestion::Wait, |likely| likely.suggest_guess(here)));
            }
            ExplanationResult::Found(found) => return Some(found.suggest(here)),
            ExplanationResult::Nothing if is_earlier => return Some(Suggestion::Away),
            ExplanationResult::Nothing => {}
        }
        if !goes_back {
            return None;
        }
        let variation = self.find_variation(evidence, fits, origins.clone(), budget);
        variation.or_else(|| self.find_shown_node(evidence, fits, &origins, MAX_WRONG_SQUARES))
    }

    /// Finds which of the `nodes` the picture shows, with at most `max_wrong` contradicting squares. Suggests to wait
    /// where hidden squares may distinguish several nodes.
    fn find_shown_node(
        &self,
        evidence: &Evidence,
        fits: &[Fit],
        nodes: &[usize],
        max_wrong: usize,
    ) -> Option<Suggestion> {
        let game = self.game.as_ref()?;
        let current = fits.get(game.current_node())?;
        let good = nodes.iter().filter_map(|node| Some((*node, fits.get(*node)?)));
        let good: Vec<(usize, &Fit)> = good
            .filter(|(_, fit)| {
                fit.wrong_squares <= max_wrong && current.deficit - fit.deficit >= MIN_MOVE_GAIN
            })
            .collect();
        let best = good
            .iter()
            .map(|(_, fit)| fit.deficit)
            .fold(f32::INFINITY, f32::min);
        let near = good
            .iter()
            .filter(|(_, fit)| fit.deficit - best < MIN_EXPLANATION_LEAD);
        let nearest = near
            .clone()
            .map(|(node, _)| *node)
            .min_by_key(|node| game.distance(*node))?;
        let board = game.board_of(nearest);
        if near.into_iter().any(|(node, _)| game.board_of(*node) != board) {
            // Several nodes fit, and only hidden squares may distinguish them.
            return (evidence.hidden_count > 0).then_some(Suggestion::Wait);
        }
        Some(Suggestion::node(game, nearest))
    }

    /// Finds moves that lead from one of the `nodes` to the reading.
    fn find_variation(
        &self,
        evidence: &Evidence,
        fits: &[Fit],
        mut nodes: Vec<usize>,
        budget: &mut usize,
    ) -> Option<Suggestion> {
        let game = self.game.as_ref()?;
        let moves = |node: usize| {
            fits.get(node)
                .map_or(usize::MAX, |fit| fit.wrong_squares.div_ceil(2))
        };
        nodes.retain(|node| moves(*node) <= MAX_MOVES);
        nodes.sort_by_cached_key(|node| (moves(*node), game.distance(*node)));
        let unsettled = game.unsettled_origins();
        for node in nodes.into_iter().take(MAX_VARIATION_NODES) {
            let (board, states) = (game.board_of(node), game.states_of(node));
            match Search::run(
                &states,
                &board,
                evidence,
                &self.misreadings,
                1..=MAX_MOVES,
                budget,
            ) {
                ExplanationResult::Found(mut found) if found.wrong_squares == 0 => {
                    // The variation replaces moves that were found shortly before.
                    found.is_guess |= unsettled.contains(&node);
                    return Some(found.suggest(node));
                }
                ExplanationResult::Undecided(_) => return Some(Suggestion::Wait),
                ExplanationResult::Found(_) | ExplanationResult::Nothing => {}
            }
        }
        None
    }

    fn fits_rotated(&self, reading: &Reading<'_>) -> bool {
        let Some(game) = &self.game else { return false };
        let Some(rotated) = Evidence::new(reading.squares, reading.hands, !self.is_rotated) else {
            return false;
        };
        let unknown = Misreadings::none();
        let mut budget = POSITION_BUDGET / 4;
        unknown.count_wrong(&rotated, &game.board) <= MAX_WRONG_SQUARES
            || matches!(
                Search::run(
                    &game.states,
                    &game.board,
                    &rotated,
                    &unknown,
                    1..=MAX_MOVES,
                    &mut budget
                ),
                ExplanationResult::Found(_)
            )
    }
}
