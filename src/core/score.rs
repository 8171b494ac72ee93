//! What an engine's number is worth: values in Black's view, win rates, and the words for them.

mod advantage;
mod model;
mod value;

pub use advantage::{Advantage, AdvantageLevel};
pub use model::{Model, percent};
pub use value::{Bound, UsiScore, Value};
