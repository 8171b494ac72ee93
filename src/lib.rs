//! Shogibar, an evaluation bar for shogi. It runs a USI engine, converts centipawns to win rates, and writes moves
//! in a player's notation.
//!
//! The modules are listed from the lowest layer up: each uses only those listed before it (`docs/architecture.md`).

mod platform;

pub use shogibar_config as config;
pub use shogibar_core::{kifu, random, score, search, shogi, stable_hash};
use shogibar_engine::threads;
pub use shogibar_engine::{observer, options, probe, process, session, usi};
use shogibar_files as files;
pub use shogibar_games::facts;
pub use shogibar_games::{
    adjudicate, analysis, bar, calibration, engine_game, folder, position_facts, reasons, report, study,
};
pub use shogibar_live as live;
pub use shogibar_machine::{discovery, store, traffic};
pub use shogibar_model as model;
pub use shogibar_text as text;
#[cfg(feature = "gui")]
pub use shogibar_ui as ui;

pub mod usi_server;

pub mod engine_match;

pub mod app;

pub mod cli;
