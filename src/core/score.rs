//! What an engine's number is worth: values in Black's view, win rates, and the words for them.

mod model;
mod value;
mod verdict;

pub use model::{Model, percent};
pub use value::{Bound, Raw, Value};
pub use verdict::{Situation, Standing};
