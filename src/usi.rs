//! The words of USI: what engines print, what they are told, and the one place that starts them.

pub mod command;
pub mod info;
pub mod log;
pub mod option;
pub mod preface;
pub mod process;
pub mod reply;
pub mod script;
pub mod words;

pub use command::Command;
pub use info::{Info, Score};
pub use option::{OptionKind, OptionSpec};
pub use reply::{Best, Checkmate, Reply};
