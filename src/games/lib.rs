//! Everything about one game or several: the contents of a bar, the edited record, games against an engine, proved
//! facts, the analysis of a record or a folder, reports, and win-rate curves.

use shogibar_config as config;
use shogibar_core::{kifu, score, search, shogi, stable_hash};
use shogibar_engine::{observer, options, process, session, threads, usi};
pub use shogibar_facts as facts;
use shogibar_files as files;
use shogibar_machine::{discovery, traffic};
use shogibar_text as text;

pub mod adjudicate;

pub mod bar;

pub mod engine_game;

pub mod study;

pub mod analysis;

pub mod position_facts;

pub mod move_facts;

pub mod reasons;

pub mod report;

pub mod folder;

pub mod calibration;
