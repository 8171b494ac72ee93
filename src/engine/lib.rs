//! USI engines: the protocol, the processes, the sessions that drive an engine, and the observer that reads along a
//! conversation led by somebody else.
//!
//! There is no sentence for the screen here, no settings file and no window: what happened is data. The modules stand
//! in reading order. Each may use those above it and none below (`docs/architecture.md`).

use shogibar_core::{score, search, shogi};

pub mod threads;

pub mod usi;

pub mod options;

pub mod process;

pub mod observer;

pub mod probe;

pub mod session;
