//! The words of USI: what engines print, what they are told, and the one place that starts them.

pub mod command;
pub mod info;
pub mod log;
pub mod log_header;
pub mod option;
pub mod process;
pub mod reply;
pub mod script;
pub mod tokens;

pub use command::Command;
pub use info::{Info, Score};
pub use option::{OptionKind, OptionSpec};
pub use reply::{BestMove, MateAnswer, Reply};
