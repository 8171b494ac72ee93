//! What Shogibar knows of shogi, and nothing of the world: no file, process, thread or clock.
//!
//! A crate of its own because it is built for speed, and the rest of the program for size.

pub mod shogi;

pub mod score;

pub mod kifu;

pub mod search;
