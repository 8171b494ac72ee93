//! The curves of engines, which are fitted to some games and tested on others.

use super::pool::GamePool;
use shogibar_shogi::score::{CurveFit, RatedGame, Reliability, WinRateCurve, excess_loss, fit, loss};

/// The scales K in common use, with which a fit is compared.
pub const COMMON_SCALES: [f64; 5] = [285.0, 600.0, 750.0, 1200.0, 1428.57];

/// The minimum number of games for a fit. A fit to fewer games would depend on chance.
pub const MIN_FIT_GAMES: usize = 20;

/// The curves of the engines of some games.
#[derive(Clone, Debug, PartialEq)]
pub struct Calibration {
    /// The curve of each engine, by name. The last curve is of all engines together, with the name `*`.
    pub engines: Vec<EngineCurve>,
}

/// The win-rate curve of an engine, with losses of the curve.
#[derive(Clone, Debug, PartialEq)]
pub struct EngineCurve {
    /// The name of the engine; empty if no record names it, and `*` for all engines together.
    pub engine: String,
    /// The number of games for the fit.
    pub games: usize,
    /// The number of positions for the fit.
    pub positions: usize,
    /// The fit, or the reason why there is none.
    pub fit: Result<CurveFit, NoCurve>,
    /// The loss of the curve with K = 600 without a bonus, in nats.
    pub loss_600: f64,
    /// The loss on games that are not in the fit; `None` without such games.
    pub test: Option<HeldOutLoss>,
    /// The reliability of the predictions, on the held-out games if there are any; `None` without a fit.
    pub reliability: Option<Reliability>,
}

/// The reason why games give no curve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoCurve {
    /// There are fewer than [`MIN_FIT_GAMES`] games.
    FewGames,
    /// All games have the same result.
    OneResult,
    /// Every evaluation is 0.
    OnlyZeros,
}

/// The loss of a curve on games that are not in its fit.
#[derive(Clone, Debug, PartialEq)]
pub struct HeldOutLoss {
    /// The number of games that are not in the fit.
    pub games: usize,
    /// The number of positions that are not in the fit.
    pub positions: usize,
    /// The loss of the fitted curve, in nats; `None` without a fit.
    pub loss: Option<f64>,
    /// Three numbers in nats for each of the [common scales](COMMON_SCALES). They are the loss of the scale, the loss
    /// of the curve minus the loss of the scale, and the standard error of this difference.
    pub scale_losses: Vec<(f64, f64, f64)>,
}

impl Calibration {
    /// Fits the curve of each engine, and tests the curves on the games of another pool.
    pub fn new(pool: &GamePool, test: Option<&GamePool>) -> Self {
        let curve = |name: &str, games: &[RatedGame], test: Option<Vec<RatedGame>>| {
            EngineCurve::new(name, games, test)
        };
        let each = pool
            .names()
            .map(|name| curve(name, &pool.games(name), test.map(|test| test.games(name))));
        let all = curve("*", &pool.all_games(), test.map(GamePool::all_games));
        Self {
            engines: each.chain(Some(all)).collect(),
        }
    }

    /// Returns the curve of the only engine; `None` if there are several engines.
    pub fn only_engine(&self) -> Option<&EngineCurve> {
        match self.engines.as_slice() {
            [only, _all] => Some(only),
            _ => None,
        }
    }
}

impl EngineCurve {
    fn new(engine: &str, games: &[RatedGame], test: Option<Vec<RatedGame>>) -> Self {
        let fitted = Some(games)
            .filter(|games| games.len() >= MIN_FIT_GAMES)
            .and_then(fit)
            .ok_or_else(|| no_curve_reason(games));
        let curve = fitted.as_ref().ok().map(|fit| fit.curve);
        let test = test.filter(|test| !test.is_empty());
        let tested = test.as_deref().unwrap_or(games);
        Self {
            engine: engine.to_owned(),
            games: games.len(),
            positions: count_positions(games),
            loss_600: loss(games, WinRateCurve::from_k(600.0)),
            reliability: curve.map(|curve| Reliability::from_curve(tested, curve)),
            test: test.map(|test| HeldOutLoss::new(&test, curve)),
            fit: fitted,
        }
    }

    /// Returns the number of games that are missing for an interval of ±10 %, or for any fit; 0 if the games suffice.
    /// Returns `None` if more games of this kind give no fit.
    pub fn missing_games(&self) -> Option<u64> {
        let needed = match &self.fit {
            Ok(fit) => fit.games_for_ten_percent,
            Err(NoCurve::FewGames) => u64::try_from(MIN_FIT_GAMES).ok()?,
            Err(NoCurve::OneResult | NoCurve::OnlyZeros) => return None,
        };
        Some(needed.saturating_sub(u64::try_from(self.games).unwrap_or(u64::MAX)))
    }
}

impl HeldOutLoss {
    fn new(games: &[RatedGame], curve: Option<WinRateCurve>) -> Self {
        let scale_losses = COMMON_SCALES.map(|k| {
            let constant = WinRateCurve::from_k(k);
            let (above, error) = curve.map_or((0.0, 0.0), |curve| excess_loss(games, curve, constant));
            (loss(games, constant), above, error)
        });
        Self {
            games: games.len(),
            positions: count_positions(games),
            loss: curve.map(|curve| loss(games, curve)),
            scale_losses: scale_losses.to_vec(),
        }
    }
}

fn count_positions(games: &[RatedGame]) -> usize {
    games.iter().map(|game| game.values.len()).sum()
}

fn no_curve_reason(games: &[RatedGame]) -> NoCurve {
    if games.len() < MIN_FIT_GAMES {
        NoCurve::FewGames
    } else if games
        .iter()
        .all(|game| game.values.iter().all(|value| *value == 0))
    {
        NoCurve::OnlyZeros
    } else {
        NoCurve::OneResult
    }
}
