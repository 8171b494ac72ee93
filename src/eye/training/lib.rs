//! Draws boards, and trains and measures the network that reads them.

pub mod canvas;
pub mod damage;
pub mod games;
pub mod learning;
pub mod materials;
pub mod piece_sets;
pub mod random;
pub mod scene;
pub mod stands;
