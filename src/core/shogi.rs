//! Positions, moves and the words for them: a façade over the rules crate, and everything this
//! program says about a move.
//!
//! The rest of the program knows the board only through these types. The rules crate is named here
//! and in [`search`](crate::search), nowhere else.

#[cfg(any(test, feature = "any"))]
pub mod any;
mod history;
mod moves;
pub mod notation;
mod piece;
mod position;
mod setup;
mod sfen;
mod square;

pub use history::{History, HistoryError};
pub use moves::Move;
pub use notation::in_kanji;
pub use notation::{Digits, Marks, Notation, Style};
pub(crate) use notation::{SIDE_MARKS, distinction, numeral};
pub use piece::{Hand, Piece, PieceKind};
pub(crate) use position::Undo;
pub(crate) use position::from_move32;
pub use position::{IllegalMove, Position, Repetition, Unsearchable};
pub use rsshogi::types::Color;
pub use setup::{NotHeld, Setup};
pub use sfen::SfenError;
pub(crate) use sfen::excerpt;
pub use square::Square;
