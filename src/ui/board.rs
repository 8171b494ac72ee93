//! The board: a position with its hands, seen from either side, on which moves are made and positions edited.
//!
//! [`draw()`] makes shapes of a [`BoardView`] in any rectangle, so that a window and a picture file show the same.
//! [`BoardInput`] is what a living board keeps: what is held, and what is asked. What is done on it comes back as
//! [`BoardAction`]s.

mod arrow;

mod draw;
mod edit;
mod input;
mod keys;
mod live;
mod piece;
mod place;
mod promotion;

use crate::config::Pieces;
use crate::shogi::{Color, Move, Position};
use crate::text::{Label, Lang};

pub use draw::draw;
pub use input::BoardInput;
pub use live::LiveBoard;
pub use place::{BoardPlace, size_for_width};

/// What the board shows.
#[derive(Clone, Copy, Debug)]
pub struct BoardView<'a> {
    /// The position.
    pub position: &'a Position,
    /// Black's name and clock.
    pub black: BoardSide<'a>,
    /// White's name and clock.
    pub white: BoardSide<'a>,
    /// Whether White sits below.
    pub flipped: bool,
    /// The move that led here.
    pub last_move: Option<Move>,
    /// Moves to point at; the first is painted over the others.
    pub arrows: &'a [Arrow],
    /// What may be done on it.
    pub mode: BoardMode,
    /// How it is drawn.
    pub style: BoardStyle,
}

/// One side of a game, in words.
#[derive(Clone, Copy, Debug, Default)]
pub struct BoardSide<'a> {
    /// What it is called: 先手, or 下手 in a handicap game.
    pub title: &'a str,
    /// The player; may be empty.
    pub name: &'a str,
    /// The time used or left; may be empty.
    pub clock: &'a str,
}

/// A move to point at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrow {
    /// The move.
    pub mv: Move,
    /// Its place among the candidates, from 1: the first is broad and blue.
    pub rank: usize,
}

/// What may be done on a board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BoardMode {
    /// Nothing.
    Still,
    /// Moves of the side to move.
    #[default]
    Play,
    /// Anything: the position is being put together.
    Edit,
}

/// How a board is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoardStyle {
    /// What is written on the pieces.
    pub pieces: Pieces,
    /// Whether files and ranks are numbered.
    pub coordinates: bool,
    /// Whether the squares that a held piece can go to are marked.
    pub targets: bool,
}

impl Default for BoardStyle {
    fn default() -> Self {
        Self { pieces: Pieces::One, coordinates: true, targets: true }
    }
}

/// What is done on the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BoardAction {
    /// Play this legal move.
    Play(Move),
    /// Let this be the position; of one that is edited.
    Edit(Box<Position>),
    /// Go so many moves forwards, or back: the wheel was turned over the board.
    Step(i32),
}

impl<'a> BoardView<'a> {
    /// A board on which moves can be made, seen from Black's side, with nothing said about the players.
    pub fn new(position: &'a Position, lang: Lang) -> Self {
        let side = |label: Label| BoardSide { title: label.text(lang), ..BoardSide::default() };
        Self {
            position,
            black: side(Label::Black),
            white: side(Label::White),
            flipped: false,
            last_move: None,
            arrows: &[],
            mode: BoardMode::default(),
            style: BoardStyle::default(),
        }
    }

    const fn side(&self, color: Color) -> &BoardSide<'a> {
        if matches!(color, Color::Black) { &self.black } else { &self.white }
    }

    /// The side that sits below.
    const fn near(&self) -> Color {
        if self.flipped { Color::White } else { Color::Black }
    }
}

#[cfg(test)]
mod tests;
