//! The board widget: a position with its hands, seen from either side. The user plays moves or edits the position on
//! the board.
//!
//! [`draw()`] turns a [`BoardView`] into shapes in any rectangle. A window and a picture file show the same board.
//! [`BoardInput`] is the state of an interactive board: the held piece and an open promotion choice. User actions are
//! returned as [`BoardAction`]s.

mod arrow;

mod diagram;
mod draw;
mod edit;
mod input;
mod interactive;
mod keys;
mod layout;
mod mark;
mod piece;
mod promotion;

use shogibar_base::Lang;
use shogibar_config::PieceCharacters;
use shogibar_games::Label;
use shogibar_kifu::ClockTime;
use shogibar_kifu::board_mark::BoardMark;
use shogibar_shogi::{Color, Move, Position};

pub(crate) use arrow::rank_opacity;
pub use diagram::draw_diagram;
pub use draw::{draw, draw_with_plates};
pub use input::BoardInput;
pub use interactive::BoardResponse;
pub use layout::{BoardPlates, BoardSlot, size_for_width, size_within};

/// The contents of a board: the position, the players, the last move, arrows and marks.
#[derive(Clone, Copy, Debug)]
pub struct BoardView<'a> {
    /// The position with the pieces in hand.
    pub position: &'a Position,
    /// Black's name and clock.
    pub black: BoardSide<'a>,
    /// White's name and clock.
    pub white: BoardSide<'a>,
    /// Whether White is at the bottom.
    pub is_flipped: bool,
    /// The move that led to the position; `None` if it is unknown or there is none.
    pub last_move: Option<Move>,
    /// Move arrows; the first is painted over the others.
    pub arrows: &'a [Arrow],
    /// The arrows and circles that the user has drawn.
    pub marks: &'a [BoardMark],
    /// Whether the user can draw marks with the right button. A board whose position is edited has other uses for it.
    pub accepts_marks: bool,
    /// Which input the board accepts.
    pub mode: BoardMode,
    /// The drawing style.
    pub style: BoardStyle,
    /// The language of the texts on the board.
    pub lang: Lang,
}

/// The player and the clock of one side of a game.
#[derive(Clone, Copy, Debug, Default)]
pub struct BoardSide<'a> {
    /// The name of the side: 先手, or 下手 in a handicap game.
    pub title: &'a str,
    /// The player's name; may be empty.
    pub name: &'a str,
    /// The clock; `None` if it is unknown.
    pub clock: Option<ClockTime>,
}

/// An arrow that shows a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrow {
    /// The move from whose origin to its target the arrow points.
    pub mv: Move,
    /// The rank among the candidates, from 1, written at the tail of the arrow.
    pub rank: usize,
}

/// Which input a board accepts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BoardMode {
    /// The board takes no input.
    ReadOnly,
    /// The user plays moves for the side to move.
    #[default]
    Play,
    /// The user edits the position freely.
    Edit,
    /// The user corrects a position that was read off the screen. A click on a kind of pieces in a hand adds one from
    /// the box, and a right click puts one back.
    Correct,
}

impl BoardMode {
    const fn is_edited(self) -> bool {
        matches!(self, Self::Edit | Self::Correct)
    }
}

/// The drawing style of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoardStyle {
    /// The characters on the pieces.
    pub pieces: PieceCharacters,
    /// Whether file and rank numbers are drawn.
    pub shows_coordinates: bool,
    /// Whether the legal target squares of a held piece are marked.
    pub shows_targets: bool,
}

impl Default for BoardStyle {
    fn default() -> Self {
        Self {
            pieces: PieceCharacters::One,
            shows_coordinates: true,
            shows_targets: true,
        }
    }
}

/// A user action on the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BoardAction {
    /// Play this legal move.
    Play(Move),
    /// Replace the position with this edited one.
    Edit(Box<Position>),
    /// Go this many moves forward, or back if negative. Returned when the wheel turns over the board.
    Step(i32),
    /// Draw this mark, or remove it.
    Mark(BoardMark),
}

impl<'a> BoardView<'a> {
    /// Creates a board that accepts moves, seen from Black's side, without player names and clocks.
    pub fn new(position: &'a Position, lang: Lang) -> Self {
        let side = |label: Label| BoardSide {
            title: label.text(lang),
            ..BoardSide::default()
        };
        Self {
            position,
            black: side(Label::Black),
            white: side(Label::White),
            is_flipped: false,
            last_move: None,
            arrows: &[],
            marks: &[],
            accepts_marks: false,
            mode: BoardMode::default(),
            style: BoardStyle::default(),
            lang,
        }
    }

    /// Returns the player and the clock of a side.
    const fn side(&self, color: Color) -> &BoardSide<'a> {
        if matches!(color, Color::Black) {
            &self.black
        } else {
            &self.white
        }
    }

    const fn near_side(&self) -> Color {
        if self.is_flipped {
            Color::White
        } else {
            Color::Black
        }
    }
}

#[cfg(test)]
mod tests;
