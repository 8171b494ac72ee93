//! The built-in engine's search, small and with a hand-written evaluation: calm and quick to stop rather than strong.
//!
//! It is a function of a history, limits and a [`Control`]; it names no clock and no thread. [`Go`] and [`Options`] read
//! what a host asks for, and what is answered is written as USI has it.

mod alpha_beta;
mod evaluate;
mod limits;
mod mate;
mod order;
mod protocol;
mod table;
mod think;
mod weights;

pub use limits::{Clocks, Control, Limits};
pub use mate::{MateVerdict, solve};
pub use protocol::{Go, Options};
pub use think::{SearchOutcome, SearchReport, Searcher};
