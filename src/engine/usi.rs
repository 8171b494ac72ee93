//! The USI protocol: commands, replies, logs, and the lines of a stream.

pub mod command;
pub mod info;
pub mod lines;
pub mod log;
pub mod option;
pub mod reply;
pub mod script;
mod search_queue;
pub mod tokens;

pub use command::UsiCommand;
pub use info::{Info, Score};
pub use option::{OptionKind, OptionSpec};
pub use reply::{BestMove, MateAnswer, Reply};
pub use search_queue::{SearchId, SearchQueue};
