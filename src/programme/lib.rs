//! What an output shows. An output is a bar or a page that viewers may be watching.
//!
//! [`OutputFrame`] is the state of a game at one moment. [`OutputFrame::view`] makes the content of an output from it.
//! The content has no message of the program: its texts are names, the credit, engine names, what is made of moves, facts
//! and values, and the [`OutputState`]s. [`OutputChoices`] decide how much viewers see. [`DelayLine`] decides which
//! position they see. [`MomentTracker`] finds the moments of a game that a program behind the show may answer.
//! [`TurningCards`] announces the turning points. [`BoardPageContent`] is the position on a large board, with what the
//! user studies and draws on it.

mod board_page;
mod board_page_text;
pub mod choices;
pub mod delay;
mod delay_line;
mod frame;
mod moment;
mod moment_text;
mod moment_tracker;
mod numbers_only;
mod shown_turning_point;
mod shown_turning_point_text;
mod state;
mod turning_card;
pub mod words;

pub use board_page::{BoardPageContent, ShownAside, StudiedPosition};
pub use board_page_text::BoardPageWord;
pub use choices::{Credit, OutputChoices};
pub use delay::Delay;
pub use delay_line::DelayLine;
pub use frame::OutputFrame;
pub use moment::{Moment, MomentKind};
pub use moment_tracker::MomentTracker;
pub use numbers_only::numbers_only;
pub use shown_turning_point::ShownTurningPoint;
pub use state::OutputState;
pub use turning_card::{CARD_TIME, TurningCards};
pub use words::ProgrammeWord;
