//! What the bar says: one description of its contents, from which the window, the terminal and
//! every later face draw. Pure: a place in a game, snapshots of the engines and a language in, text
//! out.

mod compose;
mod ending;
mod engine;
mod follow;
#[cfg(test)]
mod tests;
mod view;

pub use compose::{BarInput, evaluation, last_word, notation, view};
pub use ending::Ending;
pub use engine::{EngineReport, failure_message, problem};
pub use follow::FollowMode;
pub use view::{BarNotice, BarView, CandidateView, DecidedWin, EngineSignal, EngineView, SideView};
