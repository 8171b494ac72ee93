//! What every crate of Shogibar builds on: threads, values shared between them, random numbers, stable hashes, the language
//! of the user interface and the macros for its sentences. The crate knows nothing of shogi.

#[macro_use]
mod macros;

pub mod count;

mod lang;

mod latest;

pub mod percent;

pub mod random;

pub mod stable_hash;

pub mod file_error;
pub mod file_error_text;
pub mod threads;
pub mod visible;

pub use file_error_text::CauseText;
pub use lang::Lang;
pub use latest::Latest;
