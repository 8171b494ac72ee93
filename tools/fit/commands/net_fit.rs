//! The training of a net (`search::net`) on recorded games: `AdamW` on batches of shuffled positions, on two threads.
//!
//! The state of a training is written after each epoch, and the next start continues from it. One game of twenty is
//! left out; the loss of its positions is printed.
#![expect(
    clippy::indexing_slicing,
    reason = "inputs are below their number, and all rows have the net's units"
)]

use super::data::{illegal_move_text, join_thread, part_paths, read_part};
use super::files::{self, write_whole};
use shogibar_base::random::{SplitMix, mix};
use shogibar_base::stable_hash::{StableHasher, append_checksum, strip_checksum};
use shogibar_builtin::{INPUT_COUNT, KingTables, Net, NetBase, NetWeights, base_value, net_inputs};
use shogibar_shogi::Position;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::thread::ScopedJoinHandle;
use std::time::Instant;

/// The centipawns of the evaluation for one displayed centipawn.
const CP_PER_DISPLAYED_CP: f32 = 1.25;

/// The number of threads that read data and compute gradients.
const THREAD_COUNT: usize = 2;

/// The share of the last mean of the gradients that `AdamW` keeps.
const BETA_1: f32 = 0.9;
/// The share of the last mean of the gradients' squares that `AdamW` keeps.
const BETA_2: f32 = 0.999;

/// Values of `decay` that worked, each after its number of positions.
const DECAYS: [(f64, f64); 4] = [(800e3, 5.0), (2.3e6, 2.0), (4.5e6, 1.2), (7.9e6, 0.9)];

/// The maximum absolute weight of inputs and of the last layer; a larger one cannot be stored.
const MAX_WEIGHT: f32 = 1.98;

/// The first bytes of a file with the state of a training.
const STATE_MAGIC: &[u8; 4] = b"SBNS";

#[derive(Clone, Debug)]
pub(crate) struct TrainingConfig {
    pub(crate) base: NetBase,
    /// The number of units of a side, a multiple of 16.
    pub(crate) units: usize,
    /// The number of sets of last weights.
    pub(crate) buckets: usize,
    /// The share of the search's value in the target; the rest is the later course of the game.
    pub(crate) mix: f32,
    /// The weight that each later value leaves to those after it; with 1 only the result counts.
    pub(crate) td_lambda: f32,
    /// The strength with which `AdamW` draws weights to 0; `None` for [`decay_of`] the number of positions. With 0.01,
    /// the net overfits.
    pub(crate) decay: Option<f32>,
    /// K of the logistic function, in centipawns.
    pub(crate) k: i16,
    pub(crate) epochs: u32,
    /// The number of positions of a step.
    pub(crate) batch: usize,
    /// The first learning rate, which falls with the cosine to a hundredth.
    pub(crate) rate: f32,
    pub(crate) seed: u64,
}

impl Default for TrainingConfig {
    fn default() -> Self {
        Self {
            base: NetBase::Evaluation,
            units: 64,
            buckets: 1,
            mix: 0.2,
            td_lambda: 0.95,
            decay: None,
            k: 700,
            epochs: 8,
            batch: 2_048,
            rate: 0.001,
            seed: 1,
        }
    }
}

impl TrainingConfig {
    /// Checks the parameters. Returns an error that names the first invalid one.
    fn check(&self) -> Result<(), String> {
        let shares = [self.mix, self.td_lambda]
            .iter()
            .all(|share| (0.0..=1.0).contains(share));
        let decay = self.decay.is_none_or(|decay| (0.0..1e3).contains(&decay));
        let rates = self.rate > 0.0 && self.rate.is_finite() && decay;
        let parts = [
            (
                Net::is_valid_size(self.units, self.buckets),
                "units and buckets: no net has so many",
            ),
            (shares, "mix and keep are shares, 0–1"),
            (rates, "rate is above 0, and decay 0 to 1000"),
            (
                self.k > 0 && self.epochs > 0 && self.batch > 0,
                "scale, epochs and batch are above 0",
            ),
        ];
        parts
            .iter()
            .find(|(holds, _)| !holds)
            .map_or(Ok(()), |(_, reason)| Err((*reason).to_owned()))
    }
}

/// A position, as seen by the side to move.
#[derive(Clone, Copy)]
struct Sample {
    /// The index of the sample's first input in [`Samples::inputs`].
    start: usize,
    /// The number of inputs of each side.
    count: u8,
    bucket: u8,
    /// The value that the net's output is added to, in units of K.
    base: f32,
    /// The target of the fit: the expected score, 0–1.
    target: f32,
    /// The expected score by the search's value only, 0–1.
    search_share: f32,
}

/// Training positions with the active inputs of the net.
#[derive(Default)]
struct Samples {
    list: Vec<Sample>,
    inputs: Vec<u16>,
}

impl Samples {
    /// Adds a position. `searched` is the expected score by the search's value, `later` that by the later game.
    fn add(
        &mut self,
        config: &TrainingConfig,
        tables: &KingTables,
        position: &Position,
        [searched, later]: [f32; 2],
    ) {
        let (Ok(inputs), Ok(base)) = (
            net_inputs(position, config.buckets),
            base_value(tables, position, config.base),
        ) else {
            return;
        };
        let k = f32::from(config.k);
        let target = config.mix * searched + (1.0 - config.mix) * later;
        let start = self.inputs.len();
        let count = u8::try_from(inputs.sides[0].len()).unwrap_or_default();
        let bucket = u8::try_from(inputs.bucket).unwrap_or_default();
        inputs.sides.iter().for_each(|side| self.inputs.extend(side));
        self.list.push(Sample {
            start,
            count,
            bucket,
            base: base as f32 / k,
            target,
            search_share: searched,
        });
    }

    fn append(&mut self, other: &Self) {
        let offset = self.inputs.len();
        self.inputs.extend(&other.inputs);
        self.list.extend(other.list.iter().map(|sample| Sample {
            start: sample.start + offset,
            ..*sample
        }));
    }

    /// Returns the inputs of both sides, the side to move first.
    fn sides(&self, sample: Sample) -> [&[u16]; 2] {
        let count = usize::from(sample.count);
        let (first, second) = self.inputs[sample.start..sample.start + 2 * count].split_at(count);
        [first, second]
    }
}

/// The positions for training, and those for validation.
#[derive(Default)]
struct TrainingData {
    training: Samples,
    validation: Samples,
}

impl TrainingData {
    /// Reads the parts of some folders, on two threads.
    fn read(config: &TrainingConfig, tables: &KingTables, folders: &[&str]) -> Result<Self, Box<dyn Error>> {
        let mut data = Self::default();
        // The parts are read in order, so that the same data gives the same net.
        for pair in part_paths(folders)?.chunks(THREAD_COUNT) {
            let mut read = Vec::new();
            std::thread::scope(|scope| {
                let parts = pair
                    .iter()
                    .map(|path| scope.spawn(|| Self::from_part(config, tables, path)));
                let parts: Vec<_> = parts.collect();
                read.extend(parts.into_iter().map(ScopedJoinHandle::join));
            });
            for part in read {
                let part = part.map_err(|_panic| "a thread has failed")??;
                data.training.append(&part.training);
                data.validation.append(&part.validation);
            }
        }
        Ok(data)
    }

    /// Reads the positions of a part file.
    fn from_part(config: &TrainingConfig, tables: &KingTables, path: &Path) -> Result<Self, String> {
        let (plan, games) = read_part(path).map_err(|error| error.to_string())?;
        let mut data = Self::default();
        for game in &games {
            let samples = if plan.is_validation(game) {
                &mut data.validation
            } else {
                &mut data.training
            };
            let share = |value| logistic(CP_PER_DISPLAYED_CP * f32::from(value) / f32::from(config.k));
            let later = game.later_shares(share, config.td_lambda);
            let added = game.visit(|position, value, number| {
                samples.add(config, tables, position, [share(value), later[number]]);
            });
            added.ok_or_else(|| illegal_move_text(path, game))?;
        }
        Ok(data)
    }
}

/// Returns the decay for a number of positions: interpolated between the logarithms of [`DECAYS`], and constant before
/// the first and after the last of them.
#[expect(
    clippy::cast_possible_truncation,
    reason = "a number between those of the list"
)]
fn decay_of(positions: usize) -> f32 {
    let positions = (positions as f64).clamp(DECAYS[0].0, DECAYS[DECAYS.len() - 1].0);
    let decays = DECAYS
        .windows(2)
        .find(|pair| positions <= pair[1].0)
        .map_or(DECAYS[0].1, |pair| {
            let [(low, first), (high, last)] = [pair[0], pair[1]];
            first * (last / first).powf((positions / low).ln() / (high / low).ln())
        });
    decays as f32
}

/// Trains a net on the games of some folders. Writes it to `out`, and the state to a file beside it. The net is written
/// first, so that it exists where the state says that the training is finished.
pub(crate) fn train(
    config: &TrainingConfig,
    tables: &KingTables,
    out: &str,
    folders: &[&str],
) -> Result<(), Box<dyn Error>> {
    config.check()?;
    let data = TrainingData::read(config, tables, folders)?;
    let TrainingData { training, validation } = &data;
    println!(
        "{} positions, {} left out",
        training.list.len(),
        validation.list.len()
    );
    if training.list.is_empty() {
        return Err("there is no position to learn from".into());
    }
    let state_path = PathBuf::from(format!("{out}.state"));
    let mut trainer = Trainer::new(config, training);
    let decay = config
        .decay
        .unwrap_or_else(|| decay_of(training.list.len() + validation.list.len()));
    println!("decay {decay:.2}");
    if state_path.exists() {
        trainer
            .restore(&files::read(&state_path)?)
            .map_err(|reason| format!("{}: {reason}", state_path.display()))?;
        println!("goes on after epoch {}", trainer.epoch);
    }
    println!(
        "without the net: {}",
        Loss::from_samples(validation, |sample| logistic(sample.base)).text()
    );
    let batches = training.list.len().div_ceil(config.batch);
    while trainer.epoch < config.epochs {
        let started = Instant::now();
        let order = shuffled(training.list.len(), config.seed ^ u64::from(trainer.epoch) << 32);
        let mut loss = 0.0;
        for (number, batch) in order.chunks(config.batch).enumerate() {
            let done = (f64::from(trainer.epoch) + number as f64 / batches as f64) / f64::from(config.epochs);
            loss += trainer.train_batch(training, batch, (learning_rate(config.rate, done), decay));
        }
        trainer.epoch += 1;
        println!(
            "epoch {}: {}, of the positions learned {:.5}; {} s",
            trainer.epoch,
            trainer.weights.loss(validation).text(),
            loss / training.list.len() as f64,
            started.elapsed().as_secs()
        );
        write_whole(Path::new(out), &trainer.net(config).to_bytes())?;
        write_whole(&state_path, &trainer.state())?;
    }
    Ok(write_whole(Path::new(out), &trainer.net(config).to_bytes())?)
}

/// Returns the learning rate after the share `done` of the training, 0–1.
#[expect(clippy::cast_possible_truncation, reason = "a share between 0 and 1")]
fn learning_rate(first: f32, done: f64) -> f32 {
    let share = f64::midpoint((done * std::f64::consts::PI).cos(), 1.0);
    first * (0.01 + 0.99 * share) as f32
}

/// Returns the numbers below `count` in random order.
fn shuffled(count: usize, seed: u64) -> Vec<u32> {
    let mut random = SplitMix(seed);
    let mut order: Vec<u32> = (0..u32::try_from(count).unwrap_or(u32::MAX)).collect();
    for at in (1..order.len()).rev() {
        order.swap(at, random.below(at + 1));
    }
    order
}

/// The mean squared errors of the net's expected scores.
#[derive(Clone, Copy, Default)]
struct Loss {
    target_loss: f64,
    /// The loss against the search's value only.
    search_loss: f64,
}

impl Loss {
    /// Returns the loss of the expected scores that `share` returns for samples.
    fn from_samples(samples: &Samples, mut share: impl FnMut(Sample) -> f32) -> Self {
        let mut loss = Self::default();
        for sample in &samples.list {
            let share = share(*sample);
            loss.target_loss += f64::from(share - sample.target).powi(2);
            loss.search_loss += f64::from(share - sample.search_share).powi(2);
        }
        let count = samples.list.len().max(1) as f64;
        Self {
            target_loss: loss.target_loss / count,
            search_loss: loss.search_loss / count,
        }
    }

    fn text(self) -> String {
        format!(
            "loss {:.5}, against the search {:.5}",
            self.target_loss, self.search_loss
        )
    }
}

fn logistic(value: f32) -> f32 {
    1.0 / (1.0 + (-value).exp())
}

/// All weights in one list: of the inputs, the biases, the last weights, the last biases.
#[derive(Clone, Debug, PartialEq)]
struct Weights {
    units: usize,
    buckets: usize,
    list: Vec<f32>,
}

impl Weights {
    const fn first_bias_index(&self) -> usize {
        INPUT_COUNT * self.units
    }

    const fn first_output_index(&self) -> usize {
        self.first_bias_index() + self.units
    }

    /// Returns the index of the first of the last biases in the list.
    const fn first_output_bias_index(&self) -> usize {
        self.first_output_index() + 2 * self.buckets * self.units
    }

    /// Creates weights that are all 0.
    fn zero(units: usize, buckets: usize) -> Self {
        let mut weights = Self {
            units,
            buckets,
            list: Vec::new(),
        };
        weights.list = vec![0.0; weights.first_output_bias_index() + buckets];
        weights
    }

    /// Creates random weights. No layer but the last biases begins at 0: units that begin alike would stay alike.
    fn random(config: &TrainingConfig) -> Self {
        let mut weights = Self::zero(config.units, config.buckets);
        let mut random = SplitMix(mix(config.seed));
        let mut uniform = |limit: f32| limit * (random.below(20_001) as f32 / 10_000.0 - 1.0);
        let (first_bias_index, first_output_index) =
            (weights.first_bias_index(), weights.first_output_index());
        let last = weights.first_output_bias_index();
        weights.list[..first_bias_index].fill_with(|| uniform(0.1));
        weights.list[first_bias_index..first_output_index].fill_with(|| 0.3 + uniform(0.1));
        weights.list[first_output_index..last].fill_with(|| uniform(0.1));
        weights
    }

    fn accumulate(&self, inputs: &[u16], out: &mut [f32]) {
        out.copy_from_slice(&self.list[self.first_bias_index()..self.first_output_index()]);
        for input in inputs {
            let row = &self.list[usize::from(*input) * self.units..][..self.units];
            for (out, weight) in out.iter_mut().zip(row) {
                *out += weight;
            }
        }
    }

    /// Returns the last weights of a sample's bucket for both sides.
    fn outputs(&self, sample: Sample) -> &[f32] {
        let start = self.first_output_index() + usize::from(sample.bucket) * 2 * self.units;
        &self.list[start..start + 2 * self.units]
    }

    /// Returns the expected score, 0–1. `sums` receives the accumulators of both sides.
    fn forward(&self, samples: &Samples, sample: Sample, sums: &mut [f32]) -> f32 {
        for (side, sums) in samples
            .sides(sample)
            .into_iter()
            .zip(sums.chunks_exact_mut(self.units))
        {
            self.accumulate(side, sums);
        }
        let outputs = self.outputs(sample).iter().zip(sums.iter());
        let output: f32 = outputs
            .map(|(weight, sum)| weight * sum.clamp(0.0, 1.0).powi(2))
            .sum();
        logistic(
            sample.base + output + self.list[self.first_output_bias_index() + usize::from(sample.bucket)],
        )
    }

    /// Adds the gradients of a sample's loss for all weights, and returns the loss.
    fn backward(
        &self,
        samples: &Samples,
        sample: Sample,
        (sums, gradients): (&mut [f32], &mut [f32]),
    ) -> f64 {
        let units = self.units;
        let share = self.forward(samples, sample, sums);
        let error = share - sample.target;
        let gradient = 2.0 * error * share * (1.0 - share);
        gradients[self.first_output_bias_index() + usize::from(sample.bucket)] += gradient;
        let first = self.first_output_index() + usize::from(sample.bucket) * 2 * units;
        let outputs = &self.list[first..first + 2 * units];
        for ((sum, weight), output) in sums
            .iter_mut()
            .zip(outputs)
            .zip(&mut gradients[first..first + 2 * units])
        {
            let unit = sum.clamp(0.0, 1.0);
            *output += gradient * unit * unit;
            let is_inside = *sum > 0.0 && *sum < 1.0;
            *sum = if is_inside {
                2.0 * unit * gradient * weight
            } else {
                0.0
            };
        }
        for (side, sums) in samples.sides(sample).into_iter().zip(sums.chunks_exact(units)) {
            let mut add = |start: usize| {
                for (gradient, sum) in gradients[start..start + units].iter_mut().zip(sums) {
                    *gradient += sum;
                }
            };
            add(self.first_bias_index());
            for input in side {
                add(usize::from(*input) * units);
            }
        }
        f64::from(error * error)
    }

    /// Returns the mean loss of all positions.
    fn loss(&self, samples: &Samples) -> Loss {
        let mut sums = vec![0.0; 2 * self.units];
        Loss::from_samples(samples, |sample| self.forward(samples, sample, &mut sums))
    }

    fn to_net_weights(&self) -> NetWeights {
        let (first_bias_index, first_output_index, last) = (
            self.first_bias_index(),
            self.first_output_index(),
            self.first_output_bias_index(),
        );
        NetWeights {
            inputs: self.list[..first_bias_index].to_vec(),
            biases: self.list[first_bias_index..first_output_index].to_vec(),
            outputs: self.list[first_output_index..last].to_vec(),
            output_biases: self.list[last..].to_vec(),
        }
    }
}

/// A net in training, with the state of the optimiser.
struct Trainer {
    /// The number of completed epochs.
    epoch: u32,
    /// The number of completed steps.
    steps: u32,
    /// A hash of the parameters and the positions: a stored state has to have the same hash.
    training_hash: u64,
    weights: Weights,
    /// The running means of the gradients.
    means: Vec<f32>,
    /// The running means of the gradients' squares.
    squares: Vec<f32>,
    /// The gradients of a step, for each thread.
    gradients: Vec<Vec<f32>>,
}

impl Trainer {
    /// Creates a trainer with these parameters for these positions. The hash includes the base and the target of each
    /// position. These differ for other games and for other weights of the evaluation.
    fn new(config: &TrainingConfig, samples: &Samples) -> Self {
        let weights = Weights::random(config);
        let zeros = vec![0.0; weights.list.len()];
        let mut hasher = StableHasher::new();
        hasher.add_text(&format!("{config:?} {}", samples.list.len()));
        for sample in &samples.list {
            hasher.add(&sample.base.to_le_bytes());
            hasher.add(&sample.target.to_le_bytes());
        }
        Self {
            epoch: 0,
            steps: 0,
            training_hash: hasher.finish(),
            weights,
            means: zeros.clone(),
            squares: zeros.clone(),
            gradients: vec![zeros; THREAD_COUNT],
        }
    }

    fn train_batch(&mut self, samples: &Samples, batch: &[u32], (rate, decay): (f32, f32)) -> f64 {
        let weights = &self.weights;
        let share = batch.len().div_ceil(THREAD_COUNT);
        let add_gradients = |batch: &[u32], gradients: &mut [f32]| -> f64 {
            let mut sums = vec![0.0; 2 * weights.units];
            let samples = batch
                .iter()
                .map(|number| (samples, samples.list[*number as usize]));
            samples
                .map(|(samples, sample)| weights.backward(samples, sample, (&mut sums, gradients)))
                .sum()
        };
        let add_gradients = &add_gradients;
        let mut loss = 0.0;
        std::thread::scope(|scope| {
            let halves = batch.chunks(share).zip(&mut self.gradients);
            let halves: Vec<_> = halves
                .map(|(batch, gradients)| scope.spawn(|| add_gradients(batch, gradients)))
                .collect();
            loss = halves.into_iter().map(join_thread).sum();
        });
        self.step((rate, decay), batch.len() as f32);
        loss
    }

    /// Changes the weights by the gradients of `count` samples, and clears the gradients.
    fn step(&mut self, (rate, decay): (f32, f32), count: f32) {
        self.steps += 1;
        let steps = self.steps.cast_signed();
        let (mean_share, square_share) = (1.0 - BETA_1.powi(steps), 1.0 - BETA_2.powi(steps));
        let [first, second] = self.gradients.as_mut_slice() else {
            return;
        };
        let moments = self.means.iter_mut().zip(&mut self.squares);
        let gradients = first.iter_mut().zip(second);
        for ((weight, (mean, square)), (first, second)) in
            self.weights.list.iter_mut().zip(moments).zip(gradients)
        {
            let gradient = (*first + *second) / count;
            (*first, *second) = (0.0, 0.0);
            *mean = BETA_1 * *mean + (1.0 - BETA_1) * gradient;
            *square = BETA_2 * *square + (1.0 - BETA_2) * gradient * gradient;
            let step = (*mean / mean_share) / ((*square / square_share).sqrt() + 1e-8);
            *weight = (*weight - rate * (step + decay * *weight)).clamp(-MAX_WEIGHT, MAX_WEIGHT);
        }
    }

    /// Returns the net in its present state.
    fn net(&self, config: &TrainingConfig) -> Net {
        Net::from_weights(&self.weights.to_net_weights(), config.base, config.k)
    }

    /// Returns the state: the hash of the training, the epoch, the steps, weights and moments, and a checksum.
    fn state(&self) -> Vec<u8> {
        let mut bytes = STATE_MAGIC.to_vec();
        bytes.extend(self.training_hash.to_le_bytes());
        bytes.extend(self.epoch.to_le_bytes());
        bytes.extend(self.steps.to_le_bytes());
        for list in [&self.weights.list, &self.means, &self.squares] {
            bytes.extend(list.iter().flat_map(|number| number.to_le_bytes()));
        }
        append_checksum(&mut bytes);
        bytes
    }

    /// Continues from a stored state, or returns the reason why the state cannot be used.
    fn restore(&mut self, bytes: &[u8]) -> Result<(), &'static str> {
        let content = strip_checksum(bytes).ok_or("the state is cut off or damaged: its sum is wrong")?;
        let rest = content
            .strip_prefix(STATE_MAGIC)
            .ok_or("this is no state of a training")?;
        let (training_hash, rest) = rest.split_first_chunk().ok_or("the state is cut off")?;
        if u64::from_le_bytes(*training_hash) != self.training_hash {
            return Err(
                "the state is of a training with other parameters, weights or games; move it away to begin anew",
            );
        }
        let (epoch, rest) = rest.split_first_chunk().ok_or("the state is cut off")?;
        let (steps, rest) = rest.split_first_chunk().ok_or("the state is cut off")?;
        let count = self.weights.list.len();
        if rest.len() != 12 * count {
            return Err("the state is of another size");
        }
        (self.epoch, self.steps) = (u32::from_le_bytes(*epoch), u32::from_le_bytes(*steps));
        let mut numbers = rest
            .as_chunks::<4>()
            .0
            .iter()
            .map(|number| f32::from_le_bytes(*number));
        for list in [&mut self.weights.list, &mut self.means, &mut self.squares] {
            list.iter_mut()
                .zip(&mut numbers)
                .for_each(|(number, stored)| *number = stored);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::data::{DataPlan, play_parts};
    use super::super::player::Player;
    use super::*;
    use shogibar_builtin::FittedWeights;
    use std::fs;

    fn config() -> TrainingConfig {
        TrainingConfig {
            units: 16,
            buckets: 2,
            epochs: 3,
            batch: 16,
            ..TrainingConfig::default()
        }
    }

    /// Returns positions whose target is determined by some inputs.
    fn samples() -> Samples {
        let mut samples = Samples::default();
        let mut random = SplitMix(9);
        for _ in 0..300 {
            let start = samples.inputs.len();
            let mut inputs: Vec<u16> = (0..8).map(|_| u16::try_from(random.below(40)).unwrap()).collect();
            let target = if inputs[0] < 20 { 0.8 } else { 0.3 };
            inputs[4] = inputs[0] + 40;
            samples.inputs.extend(inputs);
            samples.list.push(Sample {
                start,
                count: 4,
                bucket: 1,
                base: 0.1,
                target,
                search_share: target,
            });
        }
        samples
    }

    #[test]
    fn gradients_are_those_of_the_loss() {
        let (samples, mut weights) = (samples(), Weights::random(&config()));
        let mut sums = vec![0.0; 32];
        let mut gradients = vec![0.0; weights.list.len()];
        let sample = samples.list[7];
        weights.backward(&samples, sample, (&mut sums, &mut gradients));
        let input = usize::from(samples.sides(sample)[1][2]) * 16 + 3;
        let last = weights.first_output_bias_index() + 1;
        for at in [
            input,
            weights.first_bias_index() + 5,
            weights.first_output_index() + 32 + 20,
            last,
        ] {
            let before = weights.list[at];
            let [low, high] = [-1e-3, 1e-3].map(|by| {
                weights.list[at] = before + by;
                (weights.forward(&samples, sample, &mut sums) - sample.target).powi(2)
            });
            weights.list[at] = before;
            let gradient = (high - low) / 2e-3;
            assert!(
                (gradient - gradients[at]).abs() < 1e-3 + 0.05 * gradient.abs(),
                "{at}: {gradient} {}",
                gradients[at]
            );
        }
    }

    #[test]
    fn a_training_lowers_the_loss_and_continues() {
        let samples = samples();
        let order = shuffled(samples.list.len(), 5);
        let epoch = |trainer: &mut Trainer| {
            for batch in order.chunks(16) {
                trainer.train_batch(&samples, batch, (0.01, 0.01));
            }
            trainer.epoch += 1;
        };
        let mut trainer = Trainer::new(&config(), &samples);
        let before = trainer.weights.loss(&samples).target_loss;
        epoch(&mut trainer);
        let mut restored = Trainer::new(&config(), &samples);
        restored.restore(&trainer.state()).unwrap();
        assert_eq!((restored.epoch, restored.steps), (trainer.epoch, trainer.steps));
        epoch(&mut trainer);
        epoch(&mut restored);
        assert_eq!(trainer.weights, restored.weights);
        assert!(
            trainer.weights.loss(&samples).target_loss < before / 3.0,
            "{before}"
        );
    }

    #[test]
    fn other_states_are_refused() {
        let state = Trainer::new(&config(), &samples()).state();
        let [mut other_base, mut other_target] = [samples(), samples()];
        other_base.list[5].base += 0.01;
        other_target.list[5].target += 0.01;
        let other_config = TrainingConfig { mix: 0.4, ..config() };
        for (config, samples) in [
            (other_config, samples()),
            (config(), other_base),
            (config(), other_target),
        ] {
            let mut other = Trainer::new(&config, &samples);
            assert!(
                other
                    .restore(&state)
                    .unwrap_err()
                    .contains("other parameters, weights or games")
            );
            assert!(
                other
                    .restore(&state[..state.len() - 3])
                    .unwrap_err()
                    .contains("cut off")
            );
        }
    }

    #[test]
    fn fewer_positions_have_a_larger_decay() {
        for (positions, decay) in [
            (100_000, 5.0),
            (800_000, 5.0),
            (2_300_000, 2.0),
            (7_900_000, 0.9),
            (20_000_000, 0.9),
        ] {
            assert!(
                (decay_of(positions) - decay).abs() < 0.01,
                "{positions}: {}",
                decay_of(positions)
            );
        }
        assert!(
            (1.25..1.9).contains(&decay_of(3_200_000)),
            "{}",
            decay_of(3_200_000)
        );
    }

    #[test]
    fn a_lost_net_is_written_again() {
        let folder = std::env::temp_dir().join(format!("shogibar-net-{}", std::process::id()));
        let (data, out) = (folder.join("data"), folder.join("net"));
        let plan = DataPlan {
            player: None,
            nodes: 60,
            seed: 1,
            games: 8,
        };
        play_parts(&Player::shipped(), &data, plan, 1, 2).unwrap();
        let (config, tables) = (
            TrainingConfig {
                epochs: 1,
                ..config()
            },
            KingTables::new(&FittedWeights::none()),
        );
        let run = || train(&config, &tables, out.to_str().unwrap(), &[data.to_str().unwrap()]);
        run().unwrap();
        let net = fs::read(&out).unwrap();
        Net::from_bytes(&net).unwrap();
        fs::remove_file(&out).unwrap();
        run().unwrap();
        assert_eq!(fs::read(&out).unwrap(), net);
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn no_layer_begins_at_zero() {
        let weights = Weights::random(&config()).to_net_weights();
        for layer in [&weights.inputs, &weights.outputs] {
            assert!(
                layer.iter().filter(|weight| **weight == 0.0).count() * 100 < layer.len(),
                "{}",
                layer.len()
            );
        }
        assert_ne!(weights.biases[0].to_bits(), weights.biases[1].to_bits());
    }
}
