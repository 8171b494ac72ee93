//! The USI protocol: commands, replies, logs, and the module that starts processes.

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
