//! The fit of the weights: logistic regression on the features of quiet positions.
#![expect(
    clippy::indexing_slicing,
    reason = "every feature is below the number of weights"
)]

use super::data::{RecordedGame, illegal_move_text, part_paths, read_part};
use super::games::{GameResult, game_lines};
use shogibar_base::random::SplitMix;
use shogibar_builtin::{FittedWeights, KingTables, visit_features};
use shogibar_shogi::{Move, Position};
use std::error::Error;
use std::path::Path;

const LINES_PER_VALIDATION_LINE: usize = 20;

/// The number of positions of a training step.
const BATCH_POSITIONS: usize = 16_384;

/// The learning rate, as a share of a Newton step for each single weight. A position has some 250 features.
const LEARNING_RATE: f32 = 0.01;

/// K of the logistic function for the later values of recorded games, in centipawns, if `WeightFit::k` is `None`.
const DEFAULT_K: f32 = 700.0;

/// The share of the last step that is added to the next one.
const MOMENTUM: f32 = 0.9;

/// The mean of p(1 − p) assumed for the curvature.
const CURVATURE: f32 = 0.15;

pub(crate) struct WeightFit {
    /// The share of the search's value in the target; the rest is the result of the game.
    pub(crate) mix: f32,
    /// The weights that the fit starts from, and is drawn towards.
    pub(crate) start: FittedWeights,
    /// The number of positions that outweigh the start.
    pub(crate) prior: f32,
    /// The number of positions that outweigh the start, for the weights of threats.
    pub(crate) threat_prior: f32,
    /// K of the logistic function, in centipawns. With `None`, K is fitted to the results, and `DEFAULT_K` is used for
    /// the later values of recorded games.
    pub(crate) k: Option<f32>,
    /// The centipawns of the evaluation for one centipawn of the games' values: 1.25 for values of this engine.
    pub(crate) unit: f32,
    /// In recorded games, the weight that each later value leaves to those after it; with 1 only the result counts.
    pub(crate) td_lambda: f32,
    /// The number of times that each position is used.
    pub(crate) epochs: usize,
    /// Only features below this number are fitted.
    pub(crate) feature_limit: usize,
}

impl Default for WeightFit {
    fn default() -> Self {
        Self {
            start: FittedWeights::none(),
            mix: 0.9,
            prior: 10_000.0,
            threat_prior: 500.0,
            k: None,
            unit: 1.25,
            td_lambda: 1.0,
            epochs: 6,
            feature_limit: FittedWeights::COUNT,
        }
    }
}

/// A position, as seen by the side to move.
struct Sample {
    /// The end of the sample's features in [`Samples::features`].
    end: usize,
    /// The static value with the weights set by hand, in centipawns.
    value: f32,
    /// The search's value, in centipawns of the evaluation.
    search_value: f32,
    /// The result of the game: 0, ½ or 1. In recorded games, the expected score by the later values, 0–1.
    result: f32,
}

/// Training positions with the features of the evaluation.
#[derive(Default)]
struct Samples {
    list: Vec<Sample>,
    /// The features of all samples: twice the number of a feature, and 1 more where it counts for the opponent.
    features: Vec<u32>,
}

impl WeightFit {
    /// Checks the parameters. Returns an error that names the first invalid one.
    fn check(&self) -> Result<(), String> {
        let shares = [self.mix, self.td_lambda]
            .iter()
            .all(|share| (0.0..=1.0).contains(share));
        let scales = [Some(self.prior), Some(self.threat_prior), Some(self.unit), self.k];
        let are_positive = scales
            .into_iter()
            .flatten()
            .all(|scale| scale > 0.0 && scale.is_finite());
        let parts = [
            (shares, "mix and keep are shares, 0–1"),
            (are_positive, "prior, threat_prior, unit and scale are above 0"),
            (self.epochs > 0, "epochs is above 0"),
        ];
        parts
            .iter()
            .find(|(holds, _)| !holds)
            .map_or(Ok(()), |(_, reason)| Err((*reason).to_owned()))
    }

    /// Fits weights to games and prints the loss after each epoch.
    pub(crate) fn fit(&self, files: &[String], folders: &[&str]) -> Result<FittedWeights, Box<dyn Error>> {
        self.check()?;
        let (mut training, mut validation) = (Samples::default(), Samples::default());
        let tables = KingTables::new(&FittedWeights::none());
        for path in part_paths(folders)? {
            self.add_part(&tables, &path, [&mut training, &mut validation])?;
        }
        for (number, line) in files.iter().flat_map(|text| game_lines(text)).enumerate() {
            let samples = if number % LINES_PER_VALIDATION_LINE == 0 {
                &mut validation
            } else {
                &mut training
            };
            samples
                .add_game(&tables, line, self.unit, self.feature_limit)
                .ok_or_else(|| format!("no game: {line}"))?;
        }
        if training.list.is_empty() {
            return Err("there is no position to learn from".into());
        }
        let k = self.k.unwrap_or_else(|| training.fitted_k());
        println!(
            "{} positions, {} left out; K = {k}",
            training.list.len(),
            validation.list.len()
        );
        let start: Vec<f32> = (0..FittedWeights::COUNT)
            .map(|feature| self.start.weight(feature) as f32 / 4.0)
            .collect();
        let mut weights = start.clone();
        let losses = |weights: &[f32]| {
            let [validation, training] =
                [&validation, &training].map(|samples| samples.loss(weights, k, self.mix));
            format!("loss {validation:.5}, of the positions learned {training:.5}")
        };
        println!("before: {}", losses(&weights));
        let mut speed = vec![0.0; weights.len()];
        let counts = training.counts();
        let mut order: Vec<usize> = (0..training.list.len()).collect();
        let mut random = SplitMix(1);
        for epoch in 0..self.epochs {
            for at in (1..order.len()).rev() {
                order.swap(at, random.below(at + 1));
            }
            // The rate falls in the second half.
            let remaining = 1.0 - epoch as f32 / self.epochs as f32;
            let rate = LEARNING_RATE * (2.0 * remaining).min(1.0);
            for batch in order.chunks(BATCH_POSITIONS) {
                let gradients = training.gradients(batch, &weights, k, self.mix);
                let share = training.list.len() as f32 / batch.len() as f32;
                for (feature, weight) in weights.iter_mut().enumerate() {
                    let prior = self.prior_of(feature);
                    let curvature = CURVATURE * (counts[feature] + prior);
                    let gradient =
                        share * gradients[feature] + CURVATURE * prior * (*weight - start[feature]) / k;
                    speed[feature] = MOMENTUM * speed[feature] - rate * k * gradient / curvature;
                    *weight += speed[feature];
                }
            }
            println!("epoch {}: {}", epoch + 1, losses(&weights));
        }
        Ok(FittedWeights::from_values(|feature| 4.0 * weights[feature]))
    }

    /// Adds the games of a part, including those that are left out of the fit.
    fn add_part(
        &self,
        tables: &KingTables,
        path: &Path,
        [training, validation]: [&mut Samples; 2],
    ) -> Result<(), Box<dyn Error>> {
        let (plan, games) = read_part(path)?;
        for game in &games {
            let samples = if plan.is_validation(game) {
                &mut *validation
            } else {
                &mut *training
            };
            let added = samples.add_recorded(tables, game, self);
            added.ok_or_else(|| illegal_move_text(path, game))?;
        }
        Ok(())
    }

    /// Returns the number of positions that outweigh the start of a weight.
    fn prior_of(&self, feature: usize) -> f32 {
        if FittedWeights::is_threat(feature) {
            self.threat_prior
        } else {
            self.prior
        }
    }
}

impl Samples {
    /// Adds the recorded positions of a game. Returns `None` for a line that is not a game.
    fn add_game(&mut self, tables: &KingTables, line: &str, unit: f32, feature_limit: usize) -> Option<()> {
        let mut words = line.split(' ').skip(1);
        let result = GameResult::from_letter(words.next()?)?;
        let mut position = Position::startpos();
        for word in words {
            let (mv, score) = word
                .split_once(':')
                .map_or((word, None), |(mv, score)| (mv, Some(score)));
            if let Some(score) = score {
                let searched = unit * score.parse::<f32>().ok()?;
                self.add(
                    tables,
                    &position,
                    searched,
                    result.points(position.side_to_move()),
                    feature_limit,
                )?;
            }
            position.play(Move::from_usi(mv)?).ok()?;
        }
        Some(())
    }

    /// Adds the recorded positions of a game, with the later values in place of the result. Returns `None` if the game
    /// has an illegal move.
    fn add_recorded(&mut self, tables: &KingTables, game: &RecordedGame, config: &WeightFit) -> Option<()> {
        let k = config.k.unwrap_or(DEFAULT_K);
        let later = game.later_shares(
            |value| logistic(config.unit * f32::from(value) / k),
            config.td_lambda,
        );
        game.visit(|position, value, number| {
            // A position of a game is searchable.
            let _added = self.add(
                tables,
                position,
                config.unit * f32::from(value),
                later[number],
                config.feature_limit,
            );
        })
    }

    /// Adds a position with its features below `feature_limit`. `searched` is the search's value in centipawns of the
    /// evaluation. Returns `None` for a position that is not searchable.
    fn add(
        &mut self,
        tables: &KingTables,
        position: &Position,
        searched: f32,
        result: f32,
        feature_limit: usize,
    ) -> Option<()> {
        let features = &mut self.features;
        let mut visit = |feature: usize, is_ours: bool| {
            if let Some(feature) = u32::try_from(feature).ok().filter(|_| feature < feature_limit) {
                features.push(2 * feature + u32::from(!is_ours));
            }
        };
        let value = visit_features(tables, position, &mut visit).ok()? as f32;
        self.list.push(Sample {
            end: self.features.len(),
            value,
            search_value: searched,
            result,
        });
        Some(())
    }

    fn features(&self, number: usize) -> &[u32] {
        let start = number.checked_sub(1).map_or(0, |before| self.list[before].end);
        &self.features[start..self.list[number].end]
    }

    /// Returns the number of occurrences of each feature.
    fn counts(&self) -> Vec<f32> {
        let mut counts = vec![0.0; FittedWeights::COUNT];
        for feature in &self.features {
            counts[(feature >> 1) as usize] += 1.0;
        }
        counts
    }

    /// Returns the K, in centipawns, with which the search's values of every fifth position fit the results best.
    fn fitted_k(&self) -> f32 {
        let loss = |k: f32| -> f64 {
            let loss = |sample: &Sample| f64::from(cross_entropy(sample.search_value / k, sample.result));
            self.list.iter().step_by(5).map(loss).sum()
        };
        let candidates = (10..80).map(|step| 25.0 * step as f32);
        candidates
            .min_by(|a, b| loss(*a).total_cmp(&loss(*b)))
            .unwrap_or(750.0)
    }

    /// Returns the value of the position with a number, with corrections, in centipawns.
    fn value(&self, number: usize, weights: &[f32]) -> f32 {
        let corrections = self
            .features(number)
            .iter()
            .map(|feature| sign(*feature) * weights[(feature >> 1) as usize]);
        self.list[number].value + corrections.sum::<f32>()
    }

    /// Returns the mean loss of all positions, beyond that of the best possible values.
    fn loss(&self, weights: &[f32], k: f32, mix: f32) -> f64 {
        let loss = |(number, sample): (usize, &Sample)| {
            let target = sample.target(k, mix);
            let best = (target / (1.0 - target)).ln().clamp(-50.0, 50.0);
            f64::from(cross_entropy(self.value(number, weights) / k, target) - cross_entropy(best, target))
        };
        self.list.iter().enumerate().map(loss).sum::<f64>() / self.list.len().max(1) as f64
    }

    /// Returns the gradient of the sum of the losses of some positions for each weight, times `k`.
    fn gradients(&self, batch: &[usize], weights: &[f32], k: f32, mix: f32) -> Vec<f32> {
        let mut gradients = vec![0.0; weights.len()];
        for &number in batch {
            let error = logistic(self.value(number, weights) / k) - self.list[number].target(k, mix);
            for feature in self.features(number) {
                gradients[(feature >> 1) as usize] += sign(*feature) * error;
            }
        }
        gradients
    }
}

impl Sample {
    /// Returns the target of the fit: the expected score, 0–1.
    fn target(&self, k: f32, mix: f32) -> f32 {
        mix * logistic(self.search_value / k) + (1.0 - mix) * self.result
    }
}

/// Returns 1 for a feature of the side to move, and -1 for one of the opponent.
const fn sign(feature: u32) -> f32 {
    if feature & 1 == 0 { 1.0 } else { -1.0 }
}

fn logistic(value: f32) -> f32 {
    1.0 / (1.0 + (-value).exp())
}

/// Returns the loss of the logit `value` for the expected score `target`.
fn cross_entropy(value: f32, target: f32) -> f32 {
    value.max(0.0) - value * target + (-value.abs()).exp().ln_1p()
}
