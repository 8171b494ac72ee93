//! The contents of the bar, which the window and the terminal draw. Pure: the inputs are a place in a game, snapshots
//! of the engines and a language; the output is text.

mod compose;
mod ending;
mod engine;
mod follow;
mod notation;
#[cfg(test)]
mod tests;
mod view;

pub use compose::{BarInput, last_word, position_hash, view};
pub use ending::Ending;
pub use engine::{EngineReport, problem};
pub use follow::FollowMode;
pub use notation::{evaluation, notation};
pub use view::{BarNotice, BarView, CandidateView, DecidedWin, EngineSignal, EngineView, LiveMark, SideView};
