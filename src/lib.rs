//! Shogibar, an evaluation bar for shogi. It runs a USI engine, converts centipawns to win rates, and writes moves
//! in a player's notation.
//!
//! The modules stand in reading order. Each may use those above it and none below (`docs/architecture.md`).

mod files;
mod platform;
mod threads;

pub use shogibar_core::{kifu, score, search, shogi};

pub mod usi;

pub mod config;

pub mod store;

pub mod discovery;

pub mod engine;

pub mod text;

pub mod session;

pub mod bar;

pub mod study;

pub mod analysis;

pub mod report;

#[cfg(feature = "gui")]
pub mod ui;

pub mod app;

pub mod cli;
