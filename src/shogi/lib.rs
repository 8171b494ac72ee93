//! Positions, moves and move notation: a façade over the rules crate.
//!
//! The rest of the program uses the board only through these types. Only this crate and the built-in engine name the
//! rules crate. The crate uses no file, process, thread or clock.

#[cfg(any(test, feature = "any"))]
pub mod any;
mod board_doubt;
pub mod board_text;
mod history;
mod moves;
pub mod notation;
mod other_game;
mod piece;
mod position;
pub mod position_text;
pub mod score;
mod setup;
mod sfen;
mod square;

pub use board_doubt::BoardDoubt;
pub use history::{History, HistoryError};
pub use moves::Move;
pub use notation::square_in_kanji;
pub use notation::{Digits, Marks, Notation, Style};
pub use notation::{SIDE_MARKS, disambiguation, numeral};
pub use other_game::OtherGame;
pub use piece::{Hand, Piece, PieceKind};
pub use position::Undo;
pub use position::from_move32;
pub use position::{IllegalMove, Position, Repetition, Unsearchable};
pub use rsshogi::types::Color;
pub use setup::{HandLimitError, Setup};
pub use sfen::SfenError;
pub use sfen::excerpt;
pub use square::Square;

/// The maximum number of legal moves in a position with the pieces of one set.
pub const MAX_LEGAL_MOVES: u32 = 593;

/// Returns the name of a side in files and web pages: `black` or `white`.
pub const fn side_name(side: Color) -> &'static str {
    match side {
        Color::Black => "black",
        Color::White => "white",
    }
}
