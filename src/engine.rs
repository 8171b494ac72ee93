//! The built-in engine: a small search with a hand-written evaluation, there so that a fresh
//! machine shows something sensible. Calm and quick to stop rather than strong.
//!
//! The search is a function of a history, limits and a [`Control`]; it names no clock and no
//! thread. [`serve`] supplies both and speaks USI.

mod evaluate;
mod host;
mod limits;
mod mate;
mod order;
mod protocol;
mod search;
mod table;
mod think;
mod weights;

pub use host::serve;
pub use limits::{Clocks, Control, Limits};
pub use mate::{Verdict, solve};
pub use protocol::{Go, Options};
pub use think::{Answer, Searcher, Thought};
