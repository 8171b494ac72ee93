//! The search of the built-in engine. It is small and has a hand-written evaluation. It aims at stable values
//! and quick stops rather than strength.
//!
//! It is a function of a history, limits and a [`Control`], and uses no clock and no thread itself. [`Go`] and
//! [`Options`] parse the host's commands, and the results are written in USI.

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
pub use mate::{MateResult, solve};
pub use protocol::{Go, Options, after_own_name};
pub use think::{SearchOutcome, SearchReport, Searcher};
