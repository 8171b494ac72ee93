//! The contents of the bar, which the window and the terminal draw. Pure: the inputs are a position in a game,
//! snapshots of the engines and a language; the output is texts and numbers.

mod compose;
mod ending;
mod engine;
mod follow;
mod freshness;
mod input;
mod only_move;
mod position_sentence;
mod screen_notation;
#[cfg(test)]
mod tests;
mod turning_card;
mod view;

pub use compose::{MIN_SHOWN_LOSS_POINTS, last_word, line_words, position_hash, start_word};
pub use ending::Ending;
pub use engine::{MAX_CANDIDATES, problem_notice};
pub use follow::is_settled;
pub use input::{BarInput, EngineReport, FollowMode, LastLoss};
pub use only_move::OnlyMove;
pub use position_sentence::position_sentence;
pub use screen_notation::{evaluation, in_sentence, notation};
pub use turning_card::TurningCard;
pub use view::{
    BarNotice, BarView, CandidateView, DecidedWin, EngineSignal, EngineView, FormationView, LiveMark,
    OtherRate, ReasonView, SideView,
};
