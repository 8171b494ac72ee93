//! Checks facts about positions and moves by the rules of shogi only, independent of the code that finds them.
//!
//! A [`Game`] holds the moves and the values of an engine, a [`Case`] the facts of one ply. [`Case::verify`] decides
//! for each fact whether it holds. The crate has its own rules of movement and searches, and is not part of the
//! program.

mod alternatives;
mod attack;
mod board;
mod claim;
mod engine_mates;
mod entering_king;
mod formation;
mod gains;
mod game;
mod geometry;
mod idle;
mod initiative;
mod king;
mod line;
mod mate;
mod material;
mod mates;
mod moves;
mod only_move;
mod promotion;
mod reply;
mod tactics;
mod threats;
mod verdict;
mod verify;

pub use claim::VerifierConfig;
pub use game::{Candidate, Game};
pub use material::{PieceValue, printed_value};
pub use verdict::Verdict;
pub use verify::Case;
