//! What the bar says: one description of its contents, from which the window, the terminal and
//! every later face draw. Pure: a place in a game, a snapshot of the engine and a language in, text
//! out.

mod compose;
mod ending;
#[cfg(test)]
mod tests;
mod view;

pub use compose::{Scene, last_word, view};
pub use ending::Ending;
pub use view::{CandidateView, Decided, Notice, SideView, View};
