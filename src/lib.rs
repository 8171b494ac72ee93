//! Shogibar, an evaluation bar for shogi. It runs a USI engine, converts centipawns to win rates, and writes moves
//! in a player's notation.
//!
//! The modules are listed from the lowest layer up: each uses only those listed before it (`docs/architecture.md`).

mod platform;

pub mod usi_server;

pub mod engine_match;

pub mod app;

pub mod cli;
