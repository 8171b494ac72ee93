//! From readings of a board to the moves of a game.
//!
//! A [`Tracker`] gets one reading after the other and weighs every legal continuation by the probabilities of the
//! squares that it changes. It knows no clock and no screen: the caller decides how often it looks.

mod board;
mod correction;
mod evidence;
mod game;
mod search;
mod suggestion;
#[cfg(test)]
mod tests;
mod unexplained;

pub use board::{Hands, class, piece, place};
pub use correction::BoardCorrection;
pub use game::TrackedMove;

use crate::network::{Probabilities, hide, turned};
use board::{Board, FAR, SQUARES, Start};
use evidence::{Evidence, MAX_HIDDEN, Misreadings};
use game::{Fit, SeenGame};
use search::{BUDGET, Explained, MARGIN, MAX_MOVES, MAX_WRONG, MIN_GAIN, Search};
use shogibar_core::shogi::{Color, History, Move, Position};
use suggestion::Suggestion;
use unexplained::Unexplained;

/// The number of still looks in a row that must agree on several moves while squares are hidden, where another move may be.
const HIDDEN_MOVES_LOOKS: u32 = 8;
/// Every so many looks a search that explained nothing is repeated for the same reading.
const SEARCH_AGAIN: u64 = 8;
/// The most nodes from which variations are searched in one look.
const MAX_ORIGINS: usize = 4;

/// What the tracker does when the picture leaves the game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Following {
    /// Stays with the game. Earlier positions and variations from them are ignored. A game that has just begun is
    /// taken after 20 still looks. A board that may continue the game (after a cut) is taken after 16, and so is a
    /// game that was left for another board.
    #[default]
    Game,
    /// Follows every step back, every variation and every other board.
    Everything,
}

/// One reading of the picture.
#[derive(Clone, Copy, Debug)]
pub struct Look<'a> {
    /// The probabilities of 81 squares, from the top left of the picture, row by row.
    pub squares: &'a [Probabilities],
    /// The pieces in hand, where they were read: first those of the side that the classes 1–14 belong to.
    pub hands: Option<Hands>,
    /// Whether the picture was the same shortly before. Only still pictures are decided on.
    pub is_still: bool,
}

/// What is not known of a board that was taken from the picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Unknown {
    /// Whether it is not known which side is to move. The next move tells.
    pub side_to_move: bool,
    /// The numbers of pieces that are in either hand, in the order of [`PieceKind::IN_HAND`]. The position has none
    /// of them. Drops tell some of them later.
    ///
    /// [`PieceKind::IN_HAND`]: shogibar_core::shogi::PieceKind::IN_HAND
    pub hands: [u8; 7],
}

/// The result of a look.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BoardEvent {
    /// The picture shows the current position.
    Unchanged,
    /// Nothing is decided: the picture moves, or more looks are needed.
    Waiting,
    /// The same while this number of squares is hidden, 1–27. No visible square need contradict the position.
    Hidden(usize),
    /// More squares are hidden.
    Lost,
    /// The reading is no board of a game, and far from this one.
    Impossible,
    /// The board has not both kings: no engine takes it.
    NoKing,
    /// The game is followed, and the picture shows an earlier position, a variation or another board.
    Away,
    /// The picture fits the game when it is turned by 180°. It is given until [`Tracker::set_turned`] is called.
    Turned,
    /// The last moves are taken back, and moves are played after them.
    Played {
        /// The number of moves to take back.
        undone: usize,
        /// The moves to play, in their order.
        moves: Vec<Move>,
        /// Whether other moves, or another order of them, would explain the picture as well.
        is_guess: bool,
        /// Whether the moves told the side to move or a hand of the start: [`Tracker::history`] has another start.
        start_changed: bool,
    },
    /// The board itself was taken, or a game before it was found again: [`Tracker::history`] has its moves.
    NewBoard {
        /// The current position, with the hands as far as known.
        position: Box<Position>,
        /// What is not known of it.
        unknown: Unknown,
    },
}

/// Follows a game by readings of its board.
#[derive(Clone, Debug)]
pub struct Tracker {
    following: Following,
    is_turned: bool,
    /// Whether the caller has said how the picture is turned since the last new board.
    is_turn_known: bool,
    game: Option<SeenGame>,
    misreadings: Misreadings,
    /// What the last still looks suggest, and their number.
    pending: Option<(Suggestion, u32)>,
    looks: u64,
    /// The board that the search did not explain at the last look, and the node.
    searched: Option<(Board, usize)>,
    unexplained: Unexplained,
    /// The look from which on each square has contradicted the game, and the class that was read.
    contradicted: [Option<(u64, usize)>; SQUARES],
}

impl Tracker {
    /// Creates a tracker that knows no game. The first board that it can read starts one.
    pub fn new(following: Following) -> Self {
        Self {
            following,
            is_turned: false,
            is_turn_known: false,
            game: None,
            misreadings: Misreadings::none(),
            pending: None,
            looks: 0,
            searched: None,
            unexplained: Unexplained::default(),
            contradicted: [None; SQUARES],
        }
    }

    /// Creates a tracker for a game that has begun.
    pub fn from_history(history: &History, following: Following) -> Self {
        let mut game = SeenGame::new(Start::from_position(history.start()));
        for mv in history.moves() {
            game.play(*mv, 0, false);
        }
        Self { game: Some(game), ..Self::new(following) }
    }

    /// Returns what happens when the picture leaves the game.
    pub const fn following(&self) -> Following {
        self.following
    }

    /// Changes what happens when the picture leaves the game.
    pub const fn set_following(&mut self, following: Following) {
        self.following = following;
        self.unexplained.forget();
        self.searched = None;
    }

    /// Returns whether the pictures are turned by 180°.
    pub const fn is_turned(&self) -> bool {
        self.is_turned
    }

    /// Tells whether the pictures are turned by 180°: the answer to [`BoardEvent::Turned`].
    pub fn set_turned(&mut self, is_turned: bool) {
        if is_turned != self.is_turned {
            self.misreadings = Misreadings::none();
        }
        (self.is_turned, self.is_turn_known) = (is_turned, true);
        self.forget_looks();
    }

    /// Forgets what the looks so far suggest.
    fn forget_looks(&mut self) {
        (self.pending, self.searched) = (None, None);
        self.contradicted = [None; SQUARES];
        self.unexplained.forget();
    }

    /// Returns the game: the start and the moves to the current position. `None` before the first board.
    pub fn history(&self) -> Option<History> {
        self.game.as_ref()?.history()
    }

    /// Returns the classes that the picture shows if it shows the current position: 81, from its top left.
    pub fn expected_classes(&self) -> Vec<usize> {
        self.game.as_ref().map_or_else(Vec::new, |game| self.classes_in_picture(&game.board))
    }

    /// Returns the classes that the picture shows if it shows a position, likewise.
    pub fn classes_of(&self, position: &Position) -> Vec<usize> {
        self.classes_in_picture(&Board::from_position(position))
    }

    fn classes_in_picture(&self, board: &Board) -> Vec<usize> {
        let class = |place: usize| board.class(place);
        if self.is_turned {
            (0..SQUARES).rev().map(|place| turned(class(place))).collect()
        } else {
            (0..SQUARES).map(class).collect()
        }
    }

    /// Returns the moves to the current position, with the looks that decided for them.
    pub fn moves(&self) -> Vec<TrackedMove> {
        self.game.as_ref().map(SeenGame::moves).unwrap_or_default()
    }

    /// Returns what is not known of the current position.
    pub fn unknown(&self) -> Unknown {
        let Some(game) = &self.game else { return Unknown::default() };
        Unknown { side_to_move: game.states.len() > 1, hands: game.pool() }
    }

    /// Takes a look.
    pub fn update(&mut self, look: &Look<'_>) -> BoardEvent {
        self.looks += 1;
        let evidence = Evidence::new(look.squares, look.hands, self.is_turned);
        let Some(evidence) = evidence.filter(|evidence| evidence.hidden <= MAX_HIDDEN) else {
            self.pending = None;
            return BoardEvent::Lost;
        };
        let evidence = self.record_contradictions(evidence);
        let undecided = if evidence.hidden > 0 { BoardEvent::Hidden(evidence.hidden) } else { BoardEvent::Waiting };
        if !look.is_still {
            self.pending = None;
            return undecided;
        }
        let suggestion = self.suggest(&evidence, look);
        let event = match suggestion {
            Suggestion::Keep if evidence.hidden == 0 => BoardEvent::Unchanged,
            Suggestion::Keep | Suggestion::Wait => undecided.clone(),
            Suggestion::Impossible => BoardEvent::Impossible,
            Suggestion::NoKing => BoardEvent::NoKing,
            Suggestion::Away => BoardEvent::Away,
            Suggestion::Moves { from, moves, side, board, .. } if moves.len() > 1 && evidence.hidden > 0 => {
                let moves = Suggestion::Moves { from, moves, side, board, is_guess: true, looks: HIDDEN_MOVES_LOOKS };
                return self.agree(moves, &evidence).unwrap_or(undecided);
            }
            change => return self.agree(change, &evidence).unwrap_or(undecided),
        };
        self.pending = None;
        event
    }

    /// Takes a look at a picture of which a few squares move, by their numbers: a pointer goes over the board, or a piece is on its way.
    /// Only a move that changes none of them is decided on.
    pub fn update_around(&mut self, squares: &[Probabilities], moving: &[usize]) -> BoardEvent {
        self.looks += 1;
        let mut seen = squares.to_vec();
        hide(&mut seen, moving);
        let evidence = Evidence::new(&seen, None, self.is_turned).filter(|evidence| evidence.hidden <= MAX_HIDDEN);
        let Some(evidence) = evidence else {
            self.pending = None;
            return BoardEvent::Lost;
        };
        let evidence = self.record_contradictions(evidence);
        let played = || {
            // While the side to move is not known, a reply may hide the move before it.
            let game = self.game.as_ref().filter(|game| game.states.len() == 1)?;
            let mut budget = BUDGET;
            let found = Search::run(&game.states, &game.board, &evidence, &self.misreadings, 1..=1, &mut budget);
            let Explained::Found(found) = found else { return None };
            let place = |place: usize| if self.is_turned { SQUARES - 1 - place } else { place };
            let is_untouched = |of: &usize| found.board.class(place(*of)) == game.board.class(place(*of));
            (found.wrong == 0 && moving.iter().all(is_untouched)).then(|| found.suggest(game.current()))
        };
        let Some(change) = played() else {
            self.pending = None;
            return BoardEvent::Waiting;
        };
        self.agree(change, &evidence).unwrap_or(BoardEvent::Waiting)
    }

    /// Records the look at which each visible square began to contradict the game as it does now.
    fn record_contradictions(&mut self, evidence: Evidence) -> Evidence {
        let Some(game) = &self.game else { return evidence };
        let hidden = evidence.hidden_places();
        for (place, since) in self.contradicted.iter_mut().enumerate().filter(|(place, _)| !hidden.contains(place)) {
            let is_wrong = self.misreadings.is_wrong(&evidence, place, game.board.class(place));
            let now = (self.looks, evidence.best(place));
            *since = is_wrong.then(|| since.filter(|(_, class)| *class == now.1).unwrap_or(now));
        }
        let since = self.contradicted.map(|since| since.map(|(look, _)| look));
        evidence.with_contradictions(&since)
    }

    /// Counts the looks that agree on a change; with enough of them the change is made.
    fn agree(&mut self, change: Suggestion, evidence: &Evidence) -> Option<BoardEvent> {
        let before = self.pending.take().filter(|(pending, _)| pending.agrees(&change));
        let looks = before.map_or(1, |(_, looks)| looks + 1);
        if looks < change.looks() {
            self.pending = Some((change, looks));
            return None;
        }
        match change {
            Suggestion::Turned => {
                self.pending = Some((change, looks));
                Some(BoardEvent::Turned)
            }
            Suggestion::Moves { from, moves, side, is_guess, .. } => self.play(from, &moves, side, is_guess),
            Suggestion::Board { board, .. } => self.take_board(&board, evidence),
            Suggestion::Misread { place, class, read } => {
                self.misreadings.insert(place, class, read);
                Some(BoardEvent::Unchanged)
            }
            Suggestion::Keep | Suggestion::Wait | Suggestion::Away | Suggestion::Impossible | Suggestion::NoKing => {
                None
            }
        }
    }

    fn play(&mut self, from: usize, moves: &[Move], side: Option<Color>, is_guess: bool) -> Option<BoardEvent> {
        let look = self.looks;
        let game = self.game.as_mut()?;
        let (before, start) = (game.current(), game.is_start_open().then(|| game.start()));
        game.go_to(from);
        if let Some(side) = side {
            game.set_side(side);
        }
        for mv in moves {
            if !game.play(*mv, look, is_guess) {
                game.go_to(before);
                return None;
            }
        }
        let start_changed = start.is_some_and(|start| start != game.start());
        self.unexplained.forget();
        let Some((undone, count)) = game.steps(before, game.current()) else { return self.new_board() };
        let played = game.moves();
        let moves = played.iter().skip(played.len().saturating_sub(count)).map(|played| played.mv).collect();
        Some(BoardEvent::Played { undone, moves, is_guess, start_changed })
    }

    fn take_board(&mut self, board: &Board, evidence: &Evidence) -> Option<BoardEvent> {
        // A board that has hidden squares is only taken once they are revealed.
        let revealed = (evidence.hidden > 0).then(|| evidence.clone().reveal());
        let evidence = revealed.as_ref().unwrap_or(evidence);
        // Near the game, its hands are taken over.
        let near = self.game.as_ref().filter(|game| game.board.distance(board) < FAR);
        let kept = near.and_then(|game| Some(game.states.first()?.hands_kept(board)));
        let start = Start::from_board(board, evidence.hands.or(kept))?;
        match &mut self.game {
            Some(game) => game.push_start(start, self.looks),
            None => self.game = Some(SeenGame::new(start)),
        }
        self.misreadings = Misreadings::none();
        if evidence.known_start().as_ref() == Some(board) || self.unexplained.is_forced(board) {
            self.misreadings.insert_all(evidence, board);
        }
        self.is_turn_known = false;
        self.unexplained.forget();
        self.new_board()
    }

    fn new_board(&self) -> Option<BoardEvent> {
        Some(BoardEvent::NewBoard { position: Box::new(self.history()?.now().clone()), unknown: self.unknown() })
    }

    fn suggest(&mut self, evidence: &Evidence, look: &Look<'_>) -> Suggestion {
        let Some(game) = &mut self.game else { return self.unexplained.suggest_first(evidence) };
        let wrong = self.misreadings.count_wrong(evidence, &game.board);
        if wrong == 0 {
            game.confirm(evidence);
            self.unexplained.forget();
            return Suggestion::Keep;
        }
        let mut budget = BUDGET;
        let fits = game.fits(evidence, &self.misreadings);
        let key = (evidence.best_board(), game.current());
        if self.searched != Some(key) || self.looks.is_multiple_of(SEARCH_AGAIN) {
            self.searched = None;
            if let Some(suggestion) = self.explain(evidence, &fits, &mut budget) {
                return suggestion;
            }
            if !self.is_turn_known && wrong > MAX_WRONG && self.fits_turned(look) {
                return Suggestion::Turned;
            }
            self.searched = Some(key);
        }
        let Some(game) = &self.game else { return Suggestion::Wait };
        let follows_everything = self.following == Following::Everything;
        self.unexplained.suggest(evidence, (game, &self.misreadings), (wrong, &fits), follows_everything)
    }

    /// Explains a reading by moves, from the current position or from another one that was seen.
    fn explain(&self, evidence: &Evidence, fits: &[Fit], budget: &mut usize) -> Option<Suggestion> {
        let game = self.game.as_ref()?;
        let here = game.current();
        let run = |lengths, budget: &mut usize| {
            Search::run(&game.states, &game.board, evidence, &self.misreadings, lengths, budget)
        };
        match run(1..=1, budget) {
            Explained::Undecided(likely) => {
                return Some(likely.map_or(Suggestion::Wait, |likely| likely.suggest_guess(here)));
            }
            Explained::Found(found) if found.wrong == 0 => return Some(found.suggest(here)),
            Explained::Found(_) | Explained::Nothing => {}
        }
        let origins: Vec<usize> = match self.following {
            Following::Game => game.unsettled(),
            Following::Everything => (0..fits.len()).filter(|node| *node != here).collect(),
        };
        // A record is not rewritten because of squares that cannot be seen.
        let goes_back = evidence.hidden == 0 || self.following == Following::Everything;
        let seen_before = self.find_seen(evidence, fits, &origins, 0).filter(|_| goes_back);
        if seen_before.is_some() {
            return seen_before;
        }
        // Where the picture shows an earlier position, only a repetition explains it otherwise.
        let is_earlier = game.own(fits).any(|(_, fit)| fit.wrong == 0);
        match run(1..=if is_earlier { 2 } else { MAX_MOVES }, budget) {
            Explained::Undecided(likely) => {
                return Some(likely.map_or(Suggestion::Wait, |likely| likely.suggest_guess(here)));
            }
            Explained::Found(found) => return Some(found.suggest(here)),
            Explained::Nothing if is_earlier => return Some(Suggestion::Away),
            Explained::Nothing => {}
        }
        if !goes_back {
            return None;
        }
        let variation = self.find_variation(evidence, fits, origins.clone(), budget);
        variation.or_else(|| self.find_seen(evidence, fits, &origins, MAX_WRONG))
    }

    /// Finds the node that the picture shows, with `max_wrong` squares that contradict it.
    fn find_seen(&self, evidence: &Evidence, fits: &[Fit], nodes: &[usize], max_wrong: usize) -> Option<Suggestion> {
        let game = self.game.as_ref()?;
        let current = fits.get(game.current())?;
        let good = nodes.iter().filter_map(|node| Some((*node, fits.get(*node)?)));
        let good: Vec<(usize, &Fit)> =
            good.filter(|(_, fit)| fit.wrong <= max_wrong && current.deficit - fit.deficit >= MIN_GAIN).collect();
        let best = good.iter().map(|(_, fit)| fit.deficit).fold(f32::INFINITY, f32::min);
        let near = good.iter().filter(|(_, fit)| fit.deficit - best < MARGIN);
        let distance =
            |node: usize| game.steps(game.current(), node).map_or(usize::MAX, |(back, forward)| back + forward);
        let nearest = near.clone().map(|(node, _)| *node).min_by_key(|node| distance(*node))?;
        let board = game.board_of(nearest);
        if near.into_iter().any(|(node, _)| game.board_of(*node) != board) {
            // Only hidden squares tell them apart.
            return (evidence.hidden > 0).then_some(Suggestion::Wait);
        }
        Some(Suggestion::node(game, nearest))
    }

    /// Finds moves from another node than the current one.
    fn find_variation(
        &self,
        evidence: &Evidence,
        fits: &[Fit],
        mut nodes: Vec<usize>,
        budget: &mut usize,
    ) -> Option<Suggestion> {
        let game = self.game.as_ref()?;
        let moves = |node: usize| fits.get(node).map_or(usize::MAX, |fit| fit.wrong.div_ceil(2));
        nodes.retain(|node| moves(*node) <= MAX_MOVES);
        let distance =
            |node: usize| game.steps(game.current(), node).map_or(usize::MAX, |(back, forward)| back + forward);
        nodes.sort_by_cached_key(|node| (moves(*node), distance(*node)));
        let unsettled = game.unsettled();
        for node in nodes.into_iter().take(MAX_ORIGINS) {
            let (board, states) = (game.board_of(node), game.states_of(node));
            match Search::run(&states, &board, evidence, &self.misreadings, 1..=MAX_MOVES, budget) {
                Explained::Found(mut found) if found.wrong == 0 => {
                    // Moves that were just found are seen otherwise now.
                    found.is_guess |= unsettled.contains(&node);
                    return Some(found.suggest(node));
                }
                Explained::Undecided(_) => return Some(Suggestion::Wait),
                Explained::Found(_) | Explained::Nothing => {}
            }
        }
        None
    }

    /// Returns whether the reading fits the game when it is turned.
    fn fits_turned(&self, look: &Look<'_>) -> bool {
        let Some(game) = &self.game else { return false };
        let Some(turned) = Evidence::new(look.squares, look.hands, !self.is_turned) else { return false };
        let unknown = Misreadings::none();
        let mut budget = BUDGET / 4;
        unknown.count_wrong(&turned, &game.board) <= MAX_WRONG
            || matches!(
                Search::run(&game.states, &game.board, &turned, &unknown, 1..=MAX_MOVES, &mut budget),
                Explained::Found(_)
            )
    }
}
