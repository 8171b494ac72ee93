//! USI engines: the protocol, the processes, the sessions that drive an engine, and the observer of other programs'
//! conversations.
//!
//! This crate has no texts for the screen, no settings file and no window: its results are data. The modules are listed
//! in reading order. Each may use those above it and none below (`docs/architecture.md`).

pub mod usi;

pub mod options;

pub mod process;

pub mod observer;

pub mod probe;

pub mod failure_text;
mod log_problem;
pub mod option_text;
pub mod session;

pub use log_problem::LogProblem;
