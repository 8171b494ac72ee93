//! An engine's life: what it is told and when, and whose every line is.
//!
//! [`core`] is the whole of it as a pure function of events; [`Session`] runs it with a real
//! program, real threads and a real clock.

pub mod core;
pub mod ledger;
mod mailbox;
mod options;
mod shell;
pub mod shown;
mod snapshot;

pub use ledger::{Ledger, Search, SearchId};
pub use mailbox::Mailbox;
pub use shell::Session;
pub use shown::{Candidate, Figures, Offer, Screen, Shown};
pub use snapshot::{Answer, Failure, FailureKind, Snapshot, State};

use crate::config::Presets;
use std::time::Duration;

/// How an engine is to be run.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Candidates to ask for, from 1.
    pub multipv: u32,
    /// Threads the engine may use, from 1.
    pub threads: u32,
    /// Memory for its table, in MB.
    pub hash_mb: u32,
    /// The scale from centipawns to win rates, where the user has set it.
    pub k: Option<f64>,
    /// How long one position is searched.
    pub time_limit: Duration,
    /// How long an engine may take to say `usiok`, counted from its last line.
    pub usi_ok_within: Duration,
    /// What is known of engines.
    pub presets: Presets,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            multipv: 3,
            threads: 1,
            hash_mb: 256,
            k: None,
            time_limit: Duration::from_mins(1),
            usi_ok_within: Duration::from_secs(10),
            presets: Presets::default(),
        }
    }
}
