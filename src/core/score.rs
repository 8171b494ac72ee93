//! Scores of engines: values in Black's view, win rates, and advantage levels.

mod advantage;
mod fit;
mod model;
mod value;

pub use advantage::{Advantage, AdvantageLevel};
pub use fit::{CurveFit, RatedGame, Reliability, ReliabilityBin, WinRateCurve, excess_loss, fit, loss};
pub use model::{Model, percent};
pub use value::{Bound, UsiScore, Value};
