//! What an output shows. An output is a bar or a page that viewers may be watching.
//!
//! [`OutputFrame`] is the state of a game at one moment. [`OutputFrame::view`] makes the content of an output from it.
//! The content has no message of the program: its texts are names, the credit, engine names, what is made of moves, facts
//! and values, and the [`OutputState`]s. [`OutputChoices`] decide how much viewers see. [`DelayLine`] decides which
//! position they see. [`MomentTracker`] finds the moments of a game that a program behind the show may answer.

pub mod choices;
pub mod delay;
mod delay_line;
mod frame;
mod moment;
mod moment_text;
mod numbers_only;
mod state;
pub mod words;

pub use choices::{Credit, OutputChoices};
pub use delay::Delay;
pub use delay_line::DelayLine;
pub use frame::OutputFrame;
pub use moment::{Moment, MomentKind, MomentTracker};
pub use numbers_only::numbers_only;
pub use state::OutputState;
pub use words::ProgrammeWord;
