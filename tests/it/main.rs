//! The integration tests: one program, one file for each topic.
#![expect(
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stderr,
    clippy::string_slice,
    clippy::unwrap_used,
    reason = "a test fails by panicking, and its helpers do I/O"
)]

mod analyze;
mod analyze_folder;
mod architecture;
mod builtin_engine;
mod calibrate;
mod cli;
#[cfg(feature = "gui")]
mod context;
mod convert;
#[cfg(feature = "gui")]
mod desktop;
mod docs;
mod doors;
mod engine_games;
mod engines;
#[cfg(feature = "gui")]
mod face;
mod files;
#[cfg(feature = "gui")]
mod film;
mod foreign;
mod game_analysis;
mod golden;
#[cfg(feature = "gui")]
mod layouts;
mod live;
mod logs;
#[cfg(unix)]
mod machines;
mod mutants;
mod notation;
#[cfg(feature = "gui")]
mod numbers_only;
#[cfg(feature = "gui")]
mod overlay;
mod peers;
#[cfg(feature = "gui")]
mod pictures;
mod play_match;
#[cfg(feature = "gui")]
mod plural;
mod profiles;
mod quirks;
mod records;
#[cfg(target_os = "linux")]
mod relay;
#[cfg(unix)]
mod remote;
mod report;
mod see;
mod sentences;
mod serve;
mod session;
#[cfg(feature = "gui")]
mod sheet;
mod shelf;
#[cfg(feature = "gui")]
mod snapshot;
mod speech;
mod support;
mod texts;
mod tools;
mod traffic;
mod transcripts;
mod two_engines;
#[cfg(feature = "gui")]
mod updates;
#[cfg(feature = "gui")]
mod video;
#[cfg(unix)]
mod zoo;
