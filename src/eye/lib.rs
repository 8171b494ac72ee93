//! The eye: a shogi board read off a picture, and the moves from one picture to the next.
//!
//! Nothing here knows a screen, a file or a clock.

pub mod find;
pub mod grid;
pub mod lines;
pub mod network;
pub mod picture;
pub mod reader;
pub mod track;
