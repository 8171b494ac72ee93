//! The fit of a win-rate curve to games with results.
//!
//! The model is `p = 1 / (1 + exp(-(cp + B) / K))`: the scale K of the engine, and the bonus B of Black, who moves
//! first. The exponent is linear in `1 / K` and `B / K`. So the most likely curve is unique and found in a few steps.
//! The positions of a game share one result: the intervals come from drawing whole games again (bootstrap).

use super::WinRateModel;
use shogibar_base::random::SplitMix;

/// The evaluations of a game by one engine, and its result.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RatedGame {
    /// The evaluations from Black's view, in centipawns.
    pub values: Vec<i16>,
    /// Black's result: 1, 0.5 or 0.
    pub result: f64,
}

/// A curve from centipawns to Black's win rate: its scale, and a bonus for Black.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WinRateCurve {
    /// The scale, in centipawns.
    pub k: f64,
    /// Black's bonus for the first move, in centipawns.
    pub bonus: f64,
}

/// The win-rate curve that fits the games of an engine, with its precision.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CurveFit {
    /// The most likely curve, drawn towards the prior: K = 600 without a bonus. Fewer games draw the curve closer to
    /// the prior.
    pub curve: WinRateCurve,
    /// The most likely curve, without the prior.
    pub likeliest_curve: WinRateCurve,
    /// The lower end of the interval that holds K with a probability of 95 %, without the prior.
    pub k_low: f64,
    /// The upper end of the interval that holds K with a probability of 95 %, without the prior.
    pub k_high: f64,
    /// The mean loss over positions, in nats. Each game is predicted by a curve with the prior, fitted to other games.
    pub loss: f64,
    /// The [`Reliability::calibration_error`], from 0 to 1. The predictions are those of `loss`.
    pub calibration_error: f64,
    /// The estimated number of games for an interval of K of ± 10 %.
    pub games_for_ten_percent: u64,
}

/// A comparison of predicted win rates with the results of the games.
#[derive(Clone, Debug, PartialEq)]
pub struct Reliability {
    /// The bins, from Black's predicted win rate 0 to 1, all of the same width.
    pub bins: Vec<ReliabilityBin>,
}

/// The positions with a predicted win rate within a range.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ReliabilityBin {
    /// The number of positions.
    pub positions: u64,
    /// The mean of the predicted win rates; 0 without positions.
    pub mean_predicted: f64,
    /// The mean of the results; 0 without positions.
    pub mean_result: f64,
}

/// The curve's parameters: `1 / K` in units of `1 / 600`, and `B / K`.
#[derive(Clone, Copy, Debug)]
struct Parameters {
    slope: f64,
    shift: f64,
}

/// The derivatives of the log-likelihood: the gradient (slope, shift), and the negative Hessian (slope², slope × shift,
/// shift²).
#[derive(Clone, Copy, Debug, Default)]
struct Derivatives([f64; 5]);

/// The unit of evaluations during the fit, in centipawns.
const EVALUATION_UNIT_CP: f64 = WinRateModel::DEFAULT_K;

/// The minimum slope in the fit, for K = 60,000.
const MIN_SLOPE: f64 = 0.01;
/// The maximum slope in the fit, for K = 20.
const MAX_SLOPE: f64 = 30.0;

/// The number of bootstrap draws for the intervals.
const DRAW_COUNT: usize = 1000;

/// The number of parts into which games are split to predict games that were not fitted.
const CROSS_VALIDATION_PARTS: usize = 10;

/// The prior standard deviation of ln K around ln 600.
const PRIOR_LOG_K_DEVIATION: f64 = 0.45;
/// The prior standard deviation of the bonus around 0, in centipawns. The first move is worth some 50 cp, and most of
/// that is already in the evaluations.
const PRIOR_BONUS_DEVIATION_CP: f64 = 20.0;

/// Fits a curve to games. Returns `None` where K cannot be found: without two games of different results, or with
/// evaluations of 0 only.
pub fn fit(games: &[RatedGame]) -> Option<CurveFit> {
    let games: Vec<&RatedGame> = games.iter().filter(|game| !game.values.is_empty()).collect();
    let first = games.first()?;
    let is_mixed = games.iter().any(|game| (game.result - first.result).abs() > 0.0);
    let has_values = games
        .iter()
        .any(|game| game.values.iter().any(|value| *value != 0));
    if !is_mixed || !has_values {
        return None;
    }
    let best = find_most_likely(&games, Parameters::START);
    let each: Vec<Derivatives> = games
        .iter()
        .map(|game| Derivatives::for_game(game, best))
        .collect();
    let draws = draw_parameters(&each, best);
    // The draws of few games vary too little, so the intervals are widened.
    let count = games.len() as f64;
    let widened = (count / (count - 1.0)).sqrt() * (1.0 + 2.0 / count);
    let logs = sorted(draws.iter().map(|drawn| (1.0 / drawn.slope).ln()));
    let middle = (1.0 / best.slope).ln();
    // If no scale fits, the draws do not vary either. The interval then reaches to the limit.
    let is_at_end = !(MIN_SLOPE * 1.01..MAX_SLOPE * 0.99).contains(&best.slope);
    let end = |share: f64, limit: f64| {
        let log = if is_at_end {
            (1.0 / limit).ln()
        } else {
            middle + (quantile(&logs, share) - middle) * widened
        };
        EVALUATION_UNIT_CP * log.exp().clamp(1.0 / MAX_SLOPE, 1.0 / MIN_SLOPE)
    };
    let likeliest_curve = best.curve();
    let spread = if is_at_end {
        (MAX_SLOPE / MIN_SLOPE).ln()
    } else {
        deviation(&logs) * widened
    };
    let bonus_spread = deviation(&sorted(draws.iter().map(|drawn| drawn.curve().bonus))) * widened;
    let shrunk_curve = |found: Parameters| {
        let log_k = shrink(((1.0 / found.slope).ln(), spread), (0.0, PRIOR_LOG_K_DEVIATION));
        let bonus = shrink(
            (found.curve().bonus, bonus_spread),
            (0.0, PRIOR_BONUS_DEVIATION_CP),
        );
        WinRateCurve {
            k: EVALUATION_UNIT_CP * log_k.exp(),
            bonus,
        }
    };
    let unknown: Vec<_> = cross_validate(&games, best)
        .into_iter()
        .map(|(part, game)| (shrunk_curve(part), game))
        .collect();
    let wanted = 1.1_f64.ln() / 1.96;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the cast saturates"
    )]
    let games_for_ten_percent = (count * (spread / wanted).powi(2)).ceil() as u64;
    Some(CurveFit {
        curve: shrunk_curve(best),
        likeliest_curve,
        k_low: end(0.025, MAX_SLOPE).min(likeliest_curve.k),
        k_high: end(0.975, MIN_SLOPE).max(likeliest_curve.k),
        loss: mean_loss(unknown.iter().copied()),
        calibration_error: Reliability::from_games(unknown.iter().copied()).calibration_error(),
        games_for_ten_percent,
    })
}

/// Returns the mean loss of a curve over the positions of games, in nats; 0 without positions. The loss of a curve that
/// is always at 50 % is 0.693.
pub fn loss(games: &[RatedGame], curve: WinRateCurve) -> f64 {
    mean_loss(games.iter().map(|game| (curve, game)))
}

/// Returns the excess of a curve's mean loss over that of another, in nats, and its standard error. The positions of a
/// game share one result, so the error is that of a mean over games.
pub fn excess_loss(games: &[RatedGame], curve: WinRateCurve, other: WinRateCurve) -> (f64, f64) {
    let positions: usize = games.iter().map(|game| game.values.len()).sum();
    let (mean, count) = (positions as f64 / games.len().max(1) as f64, games.len() as f64);
    if positions == 0 {
        return (0.0, 0.0);
    }
    // The sum of the differences of a game, and its number of positions.
    let of_game = |game: &RatedGame| {
        let one = std::slice::from_ref(game);
        (
            (loss(one, curve) - loss(one, other)) * game.values.len() as f64,
            game.values.len() as f64,
        )
    };
    let sums: Vec<(f64, f64)> = games.iter().map(of_game).collect();
    let above = sums.iter().map(|(sum, _)| sum).sum::<f64>() / positions as f64;
    let squares: f64 = sums
        .iter()
        .map(|(sum, count)| (sum - above * count).powi(2))
        .sum();
    (
        above,
        (squares / (count - 1.0).max(1.0)).sqrt() / (mean * count.sqrt()),
    )
}

fn mean_loss<'a>(games: impl Iterator<Item = (WinRateCurve, &'a RatedGame)>) -> f64 {
    let (mut sum, mut count) = (0.0, 0_usize);
    for (curve, game) in games {
        count += game.values.len();
        for value in &game.values {
            let black = curve.log_odds(*value);
            // ln(1 + exp(x)), exact for large x too.
            let soft = |x: f64| x.max(0.0) + (-x.abs()).exp().ln_1p();
            sum += game.result * soft(-black) + (1.0 - game.result) * soft(black);
        }
    }
    if count == 0 { 0.0 } else { sum / count as f64 }
}

impl WinRateCurve {
    /// Creates a curve without a bonus.
    pub const fn from_k(k: f64) -> Self {
        Self { k, bonus: 0.0 }
    }

    /// Returns Black's win rate at a value in centipawns, from 0 to 1.
    pub fn win_rate(self, cp: i16) -> f64 {
        1.0 / (1.0 + (-self.log_odds(cp)).exp())
    }

    /// Returns the logarithm of Black's odds at a value in centipawns.
    fn log_odds(self, cp: i16) -> f64 {
        (f64::from(cp) + self.bonus) / self.k
    }
}

impl Reliability {
    /// The number of bins.
    pub const BIN_COUNT: usize = 20;

    /// Compares the predictions of a curve with the results of games.
    pub fn from_curve(games: &[RatedGame], curve: WinRateCurve) -> Self {
        Self::from_games(games.iter().map(|game| (curve, game)))
    }

    /// Compares predictions with results; each game is predicted by the curve beside it.
    fn from_games<'a>(games: impl Iterator<Item = (WinRateCurve, &'a RatedGame)>) -> Self {
        let mut bins = vec![ReliabilityBin::default(); Self::BIN_COUNT];
        for (curve, game) in games {
            for value in &game.values {
                let predicted = curve.win_rate(*value);
                #[expect(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "at most `BIN_COUNT`"
                )]
                let index = (predicted * Self::BIN_COUNT as f64) as usize;
                let Some(bin) = bins.get_mut(index.min(Self::BIN_COUNT - 1)) else {
                    continue;
                };
                bin.positions += 1;
                bin.mean_predicted += predicted;
                bin.mean_result += game.result;
            }
        }
        for bin in bins.iter_mut().filter(|bin| bin.positions > 0) {
            bin.mean_predicted /= bin.positions as f64;
            bin.mean_result /= bin.positions as f64;
        }
        Self { bins }
    }

    /// Returns the expected calibration error (ECE), from 0 to 1; 0 without positions. This is the mean distance
    /// between a bin's mean prediction and mean result, weighted by positions.
    pub fn calibration_error(&self) -> f64 {
        let all: u64 = self.bins.iter().map(|bin| bin.positions).sum();
        let distance =
            |bin: &ReliabilityBin| bin.positions as f64 * (bin.mean_predicted - bin.mean_result).abs();
        self.bins.iter().map(distance).sum::<f64>() / all.max(1) as f64
    }
}

impl Parameters {
    /// K = 600 without a bonus.
    const START: Self = Self {
        slope: 1.0,
        shift: 0.0,
    };

    fn curve(self) -> WinRateCurve {
        WinRateCurve {
            k: EVALUATION_UNIT_CP / self.slope,
            bonus: EVALUATION_UNIT_CP * self.shift / self.slope,
        }
    }

    /// Returns the parameters after one step of Newton's method, of at most `bound` in each parameter.
    fn step(self, sum: &Derivatives, bound: f64) -> Self {
        let Derivatives([slope, shift, curved, mixed, flat]) = *sum;
        // The small amount keeps the determinant from 0 where the games do not determine both parameters.
        let (curved, flat) = (curved + 1e-9, flat + 1e-9);
        let determinant = curved * flat - mixed * mixed;
        let bounded = |change: f64| {
            if change.is_finite() {
                change.clamp(-bound, bound)
            } else {
                0.0
            }
        };
        Self {
            slope: (self.slope + bounded((flat * slope - mixed * shift) / determinant))
                .clamp(MIN_SLOPE, MAX_SLOPE),
            shift: (self.shift + bounded((curved * shift - mixed * slope) / determinant)).clamp(-3.0, 3.0),
        }
    }
}

impl Derivatives {
    fn for_game(game: &RatedGame, at: Parameters) -> Self {
        let mut sum = [0.0; 5];
        for value in &game.values {
            let x = f64::from(*value) / EVALUATION_UNIT_CP;
            let predicted = 1.0 / (1.0 + (-(at.slope * x + at.shift)).exp());
            let (missing, weight) = (game.result - predicted, predicted * (1.0 - predicted));
            let parts = [missing * x, missing, weight * x * x, weight * x, weight];
            sum.iter_mut().zip(parts).for_each(|(sum, part)| *sum += part);
        }
        Self(sum)
    }

    /// Adds other derivatives, multiplied by `times`.
    fn add(&mut self, other: &Self, times: f64) {
        self.0
            .iter_mut()
            .zip(other.0)
            .for_each(|(sum, part)| *sum += times * part);
    }
}

/// Returns the most likely parameters, found by Newton's method from `from`.
fn find_most_likely(games: &[&RatedGame], from: Parameters) -> Parameters {
    let mut best = from;
    for _ in 0..60 {
        let mut sum = Derivatives::default();
        for game in games {
            sum.add(&Derivatives::for_game(game, best), 1.0);
        }
        // Far from the best curve the likelihood is nearly flat, and a free step would go anywhere.
        let next = best.step(&sum, 0.7);
        let is_there = (next.slope - best.slope).abs() < 1e-7 && (next.shift - best.shift).abs() < 1e-7;
        best = next;
        if is_there {
            break;
        }
    }
    best
}

/// Draws as many games as there are, with repetition, [`DRAW_COUNT`] times. Returns the parameters of each draw,
/// approximated by one step from `best`. This needs no second pass over the positions. The intervals hold the true
/// value more often than those of exact fits.
fn draw_parameters(each: &[Derivatives], best: Parameters) -> Vec<Parameters> {
    // A fixed seed: the same games give the same intervals.
    let mut random = SplitMix(0x5348_4F47_4942_4152);
    std::iter::repeat_with(|| {
        let mut sum = Derivatives::default();
        for _ in each {
            if let Some(drawn) = each.get(random.below(each.len())) {
                sum.add(drawn, 1.0);
            }
        }
        best.step(&sum, f64::MAX)
    })
    .take(DRAW_COUNT)
    .collect()
}

/// Splits the games into parts. Returns each game with the parameters that were fitted to all other parts.
fn cross_validate<'a>(games: &[&'a RatedGame], best: Parameters) -> Vec<(Parameters, &'a RatedGame)> {
    let parts = CROSS_VALIDATION_PARTS.min(games.len());
    let of_part = |part: usize| {
        let others: Vec<&RatedGame> = games
            .iter()
            .enumerate()
            .filter(|(nth, _)| nth % parts != part)
            .map(|(_, game)| *game)
            .collect();
        let from = find_most_likely(&others, best);
        games
            .iter()
            .skip(part)
            .step_by(parts)
            .map(move |game| (from, *game))
            .collect::<Vec<_>>()
    };
    (0..parts).flat_map(of_part).collect()
}

/// Returns the mean of a measured and a prior value, weighted by their precision. A standard deviation follows each
/// value.
fn shrink((measured, spread): (f64, f64), (known, prior): (f64, f64)) -> f64 {
    let weight = prior * prior / (prior * prior + spread * spread);
    known + (measured - known) * weight
}

fn sorted(values: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values
}

/// Returns the quantile of sorted values at `share`, from 0 to 1.
fn quantile(sorted: &[f64], share: f64) -> f64 {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "an index of the slice"
    )]
    let index = (sorted.len().saturating_sub(1) as f64 * share).round() as usize;
    sorted.get(index).copied().unwrap_or_default()
}

/// Returns the standard deviation of a sample.
fn deviation(values: &[f64]) -> f64 {
    let count = values.len().max(2) as f64;
    let mean = values.iter().sum::<f64>() / count;
    (values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (count - 1.0)).sqrt()
}

#[cfg(test)]
mod tests;
