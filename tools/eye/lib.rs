//! Draws boards, and trains and measures the network that reads them.
#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::disallowed_methods,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a tool of developers"
)]

pub mod canvas;
pub mod damage;
pub mod games;
pub mod learning;
pub mod materials;
pub mod memory;
pub mod piece_sets;
pub mod random;
pub mod scene;
pub mod stands;
pub mod weighing;
