//! What Shogibar knows of shogi, and nothing of the world: no file, process, thread or clock.
//!
//! A crate of its own because the rest of the program is built for the least size, which would make this slow.

pub mod shogi;

pub mod score;

pub mod kifu;

pub mod search;
