//! Scores of engines: values in Black's view, win rates, advantage levels, and the fit of win-rate curves to games.

mod advantage;
mod fit;
mod value;
mod win_rate;

pub use advantage::{Advantage, AdvantageLevel};
pub use fit::{CurveFit, RatedGame, Reliability, ReliabilityBin, WinRateCurve, excess_loss, fit, loss};
pub use value::{Bound, UsiScore, Value};
pub use win_rate::{WinRateModel, percent};
