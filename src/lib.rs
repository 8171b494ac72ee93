//! Shogibar, an evaluation bar for shogi. It runs a USI engine, converts centipawns to win rates, and writes moves
//! in a player's notation.
//!
//! The modules are listed from the lowest layer up: each uses only those listed before it (`docs/architecture.md`).

mod files;
mod platform;

pub use shogibar_config as config;
pub use shogibar_core::{kifu, random, score, search, shogi, stable_hash};
use shogibar_engine::threads;
pub use shogibar_engine::{observer, options, probe, process, session, usi};
pub use shogibar_live as live;

pub mod text;

pub mod store;

pub mod discovery;

pub mod traffic;

pub mod usi_server;

pub mod bar;

pub mod study;

pub mod analysis;

pub mod report;

pub mod folder;

pub mod calibration;

pub mod engine_match;

#[cfg(feature = "gui")]
pub mod ui;

pub mod app;

pub mod cli;
