//! Readings that no moves explain.

use super::board::{Board, FAR, SQUARES, Start, State};
use super::evidence::{Evidence, MAX_HIDDEN, Misreadings, WRONG};
use super::game::{Fit, SeenGame};
use super::search::{BUDGET, Explained, Explanation, MAX_MOVES, MAX_WRONG, Search};
use super::suggestion::Suggestion;
use shogibar_core::shogi::Position;

/// The number of still looks in a row that must agree on another board.
const BOARD_LOOKS: u32 = 3;
/// The same where fewer than [`FAR`] squares differ.
const NEAR_BOARD_LOOKS: u32 = 8;
/// The same for a dropped piece that looks like none that the side has in hand.
const MISREAD_DROP_LOOKS: u32 = 10;
/// The most squares that may be taken as misread.
const MAX_MISREAD: usize = 4;
/// The number of still looks after which a new game that has just begun takes the place of the one that is followed.
const NEW_GAME_LOOKS: u32 = 20;
/// The same for a board that may continue the game, and for a game that was left for another board.
const LATER_BOARD_LOOKS: u32 = 16;
/// The number of still looks after which a board is taken though a few squares are in doubt or look as in no game.
const DOUBTFUL_BOARD_LOOKS: u32 = 40;
/// The same for a first board: nothing is lost by a guess.
const DOUBTFUL_FIRST_LOOKS: u32 = 12;
/// The most of these squares.
const MOST_DOUBTFUL: usize = 8;
/// The number of still looks after which a board is taken though a few squares seem hidden: the same squares for so long
/// may be marked squares that look like nothing known.
const HIDDEN_BOARD_LOOKS: u32 = 20;
/// The most such squares.
const MAX_REVEALED: usize = 4;

/// For how long readings have not been explained.
#[derive(Clone, Debug, Default)]
pub(super) struct Unexplained {
    /// The numbers of still looks that showed a game just begun, a board that may continue the game, and one that is in doubt.
    new_game: u32,
    later: u32,
    doubtful: u32,
    /// The board that is taken for one in doubt.
    forced: Option<Board>,
    /// The squares that seem hidden, and the number of still looks at which they were these.
    hidden: (Vec<usize>, u32),
}

impl Unexplained {
    /// Begins anew.
    pub(super) const fn forget(&mut self) {
        (self.new_game, self.later, self.doubtful, self.hidden.1) = (0, 0, 0, 0);
        self.forced = None;
    }

    /// Whether a board was taken for one in doubt.
    pub(super) fn is_forced(&self, board: &Board) -> bool {
        self.forced.as_ref() == Some(board)
    }

    /// Suggests the first board.
    pub(super) fn suggest_first(&mut self, evidence: &Evidence) -> Suggestion {
        let revealed = self.reveal(evidence);
        self.suggest_board(revealed.as_ref().unwrap_or(evidence), BOARD_LOOKS, DOUBTFUL_FIRST_LOOKS)
    }

    /// Returns the reading with its hidden squares taken for what they most look like, where they can only be empty, or where the same few have
    /// been hidden for long.
    fn reveal(&mut self, evidence: &Evidence) -> Option<Evidence> {
        let (before, looks) = &mut self.hidden;
        *looks = if before == evidence.hidden_places() { *looks + 1 } else { 1 };
        before.clone_from(evidence.hidden_places());
        let is_marked = evidence.hidden <= MAX_REVEALED && *looks >= HIDDEN_BOARD_LOOKS && !evidence.has_unseen();
        (evidence.hidden > 0 && (evidence.is_complete() || is_marked)).then(|| evidence.clone().reveal())
    }

    /// Decides on a reading that no moves of a game explain, with `wrong` contradicting squares.
    pub(super) fn suggest(
        &mut self,
        evidence: &Evidence,
        (game, misreadings): (&SeenGame, &Misreadings),
        (wrong, fits): (usize, &[Fit]),
        follows_everything: bool,
    ) -> Suggestion {
        if wrong <= MAX_WRONG {
            return suggest_misread(evidence, game, misreadings);
        }
        let looks = if wrong < FAR {
            // The game is nearer than a guess.
            self.doubtful = 0;
            NEAR_BOARD_LOOKS
        } else {
            BOARD_LOOKS
        };
        let revealed = self.reveal(evidence);
        let new_board = self.suggest_board(revealed.as_ref().unwrap_or(evidence), looks, DOUBTFUL_BOARD_LOOKS);
        let new_board = if matches!(new_board, Suggestion::Impossible) && wrong < MAX_HIDDEN {
            Suggestion::Wait
        } else {
            new_board
        };
        let Suggestion::Board { board, .. } = &new_board else { return new_board };
        if follows_everything || is_other_side(evidence, game, misreadings) {
            return new_board;
        }
        if let Some(node) = game.left_for_another(fits) {
            self.later += 1;
            return if self.later < LATER_BOARD_LOOKS { Suggestion::Away } else { Suggestion::node(game, node) };
        }
        if *board == Board::from_position(&Position::startpos()) {
            self.new_game += 1;
            return if self.new_game < NEW_GAME_LOOKS { Suggestion::Away } else { new_board };
        }
        // A variation is nearer to an earlier position of the game than to the last one.
        let is_later = game.own(fits).all(|(_, fit)| fit.wrong >= wrong);
        self.later += u32::from(is_later);
        if self.later < LATER_BOARD_LOOKS { Suggestion::Away } else { new_board }
    }

    /// Returns the likeliest board that a game can have, once the reading has been in doubt for so many looks. It stays the same while no
    /// other one is nearer to what is read.
    fn doubtful_board(&mut self, evidence: &Evidence, looks: u32) -> Option<Board> {
        if self.doubtful < looks {
            return None;
        }
        let (board, read) = (evidence.forced_board(), evidence.best_board());
        if board.distance(&read) > MOST_DOUBTFUL || Start::from_board(&board, None).is_none() {
            return None;
        }
        let kept = self.forced.filter(|kept| kept.distance(&read) <= board.distance(&read));
        self.forced = kept.or(Some(board));
        self.forced
    }

    /// Suggests the board that was read; the start of a game where it is that but for a few kinds of pieces, or the even
    /// start where it is at most four moves away. A board in doubt is suggested after `doubtful_looks`.
    fn suggest_board(&mut self, evidence: &Evidence, looks: u32, doubtful_looks: u32) -> Suggestion {
        if let Some(board) = evidence.known_start() {
            return Suggestion::Board { board, looks };
        }
        let can_be = |board: &Board| Start::from_board(board, None).is_some();
        let read = evidence.board();
        let possible = read.filter(can_be).or_else(|| evidence.legal_board().filter(can_be));
        self.doubtful = if possible.is_some() || evidence.hidden > 0 { 0 } else { self.doubtful + 1 };
        let possible = possible.or_else(|| self.doubtful_board(evidence, doubtful_looks));
        let Some(board) = possible.or(read) else { return Suggestion::Wait };
        let start = Start::from_position(&Position::startpos());
        if board != start.board && board.distance(&start.board) <= 2 * MAX_MOVES {
            let mut budget = BUDGET / 4;
            let none = Misreadings::none();
            if let Explained::Found(Explanation { wrong: 0, .. }) =
                Search::run(&start.states, &start.board, evidence, &none, 1..=MAX_MOVES, &mut budget)
            {
                return Suggestion::Board { board: start.board, looks };
            }
        }
        match possible {
            Some(board) if !board.has_both_kings() => Suggestion::NoKing,
            Some(board) => Suggestion::Board { board, looks },
            None => Suggestion::Impossible,
        }
    }
}

/// Suggests what a few contradicting squares are: a drop of a piece that looks like none in hand, or misread.
fn suggest_misread(evidence: &Evidence, game: &SeenGame, misreadings: &Misreadings) -> Suggestion {
    let contradicts = |place: &usize| evidence.deficit(*place, game.board.class(*place)) >= WRONG;
    let is_new = |place: &usize| misreadings.is_wrong(evidence, *place, game.board.class(*place));
    let known = (0..SQUARES).filter(contradicts).count();
    match (0..SQUARES).find(is_new) {
        Some(place) if let Some((mv, side, board)) = game.misread_drop(evidence, place) => Suggestion::Moves {
            from: game.current(),
            moves: vec![mv],
            side: Some(side),
            board,
            is_guess: true,
            looks: MISREAD_DROP_LOOKS,
        },
        Some(place) if evidence.hidden == 0 && known <= MAX_MISREAD => {
            Suggestion::Misread { place, class: game.board.class(place), read: evidence.best(place) }
        }
        _ => Suggestion::Wait,
    }
}

/// Returns whether a move of the other side explains the reading, after a guess: so it had a move too few.
fn is_other_side(evidence: &Evidence, game: &SeenGame, misreadings: &Misreadings) -> bool {
    if game.unsettled().is_empty() {
        return false;
    }
    let states: Vec<State> = game.states.iter().map(State::other_side).collect();
    let mut budget = BUDGET / 4;
    let found = Search::run(&states, &game.board, evidence, misreadings, 1..=2, &mut budget);
    matches!(found, Explained::Found(_))
}
