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

pub use compose::{Scene, evaluation, last_word, notation, view};
pub use ending::Ending;
pub use engine::{Heard, failure_message, trouble};
pub use follow::Follow;
pub use view::{CandidateView, Decided, EngineView, Notice, SideView, Signal, View};
