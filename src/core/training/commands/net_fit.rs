//! The training of a net (`search::net`) on recorded games: `AdamW` on batches of shuffled positions, on two threads.
//!
//! The state of a training is written after each epoch, and the next start continues from it. One game of twenty is
//! left out; the loss of its positions is printed.
#![expect(clippy::indexing_slicing, reason = "inputs are below their number, and all rows have the net's units")]

use super::data::{illegal_move, joined, parts_of, read_part, write_whole};
use shogibar_core::random::{SplitMix, mix};
use shogibar_core::search::{INPUTS, KingTables, Net, NetBase, NetWeights, base_value, net_inputs};
use shogibar_core::shogi::Position;
use shogibar_core::stable_hash::{StableHasher, append_sum, without_sum};
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::thread::ScopedJoinHandle;
use std::time::Instant;

/// The centipawns of the evaluation for one displayed centipawn.
const UNIT: f32 = 1.25;

/// The number of threads.
const THREADS: usize = 2;

/// The share of the last mean that `AdamW` keeps, for slopes and for their squares.
const KEEP_MEAN: f32 = 0.9;
const KEEP_SQUARE: f32 = 0.999;

/// The greatest weight of inputs and of the last layer; more cannot be stored.
const MOST: f32 = 1.98;

const STATE_MAGIC: &[u8; 4] = b"SBNS";

/// The parameters of the training of a net.
#[derive(Clone, Debug)]
pub(crate) struct Course {
    pub(crate) base: NetBase,
    /// The units of a side, a multiple of 16.
    pub(crate) units: usize,
    /// The number of sets of last weights.
    pub(crate) buckets: usize,
    /// The share of the search's value in the target; the rest is the later course of the game.
    pub(crate) mix: f32,
    /// The weight that each later value leaves to those after it; with 1 only the result counts.
    pub(crate) keep: f32,
    /// The strength with which `AdamW` draws weights to 0: 5 for 800 thousand positions, 2 for two million, 1.2 for
    /// four. With 0.01 the net learned the positions by heart.
    pub(crate) decay: f32,
    /// The centipawns of the logistic function.
    pub(crate) scale: i16,
    pub(crate) epochs: u32,
    pub(crate) batch: usize,
    /// The first rate of learning. It falls with the cosine to a hundredth.
    pub(crate) rate: f32,
    pub(crate) seed: u64,
}

impl Default for Course {
    fn default() -> Self {
        Self {
            base: NetBase::Evaluation,
            units: 64,
            buckets: 1,
            mix: 0.2,
            keep: 0.95,
            decay: 0.9,
            scale: 700,
            epochs: 8,
            batch: 2_048,
            rate: 0.001,
            seed: 1,
        }
    }
}

impl Course {
    /// Returns an error that names the first invalid parameter.
    fn check(&self) -> Result<(), String> {
        let shares = [self.mix, self.keep].iter().all(|share| (0.0..=1.0).contains(share));
        let rates = self.rate > 0.0 && self.rate.is_finite() && (0.0..1e3).contains(&self.decay);
        let parts = [
            (Net::has_size(self.units, self.buckets), "units and buckets: no net has so many"),
            (shares, "mix and keep are shares, 0–1"),
            (rates, "rate is above 0, and decay 0 to 1000"),
            (self.scale > 0 && self.epochs > 0 && self.batch > 0, "scale, epochs and batch are above 0"),
        ];
        parts.iter().find(|(holds, _)| !holds).map_or(Ok(()), |(_, reason)| Err((*reason).to_owned()))
    }
}

/// A position, as seen by the side to move.
#[derive(Clone, Copy)]
struct Sample {
    /// The first input of the sample. There are `count` inputs for each side.
    start: usize,
    count: u8,
    bucket: u8,
    /// The value that the net's output is added to.
    base: f32,
    /// The target of the fit: the share of the win, 0–1.
    target: f32,
    /// The share of the win by the search's value only.
    searched: f32,
}

/// Positions with their inputs.
#[derive(Default)]
struct Samples {
    list: Vec<Sample>,
    inputs: Vec<u16>,
}

impl Samples {
    /// Adds a position. `searched` is the share of the win by the search's value, `later` the share by the later course
    /// of the game.
    fn add(&mut self, course: &Course, tables: &KingTables, position: &Position, [searched, later]: [f32; 2]) {
        let (Ok(inputs), Ok(base)) = (net_inputs(position, course.buckets), base_value(tables, position, course.base))
        else {
            return;
        };
        let scale = f32::from(course.scale);
        let target = course.mix * searched + (1.0 - course.mix) * later;
        let start = self.inputs.len();
        let count = u8::try_from(inputs.sides[0].len()).unwrap_or_default();
        let bucket = u8::try_from(inputs.bucket).unwrap_or_default();
        inputs.sides.iter().for_each(|side| self.inputs.extend(side));
        self.list.push(Sample { start, count, bucket, base: base as f32 / scale, target, searched });
    }

    fn append(&mut self, other: &Self) {
        let offset = self.inputs.len();
        self.inputs.extend(&other.inputs);
        self.list.extend(other.list.iter().map(|sample| Sample { start: sample.start + offset, ..*sample }));
    }

    /// Returns the inputs of both sides, the side to move first.
    fn sides(&self, sample: Sample) -> [&[u16]; 2] {
        let count = usize::from(sample.count);
        let (first, second) = self.inputs[sample.start..sample.start + 2 * count].split_at(count);
        [first, second]
    }
}

/// Positions for training, and those left out.
#[derive(Default)]
struct Lessons {
    learned: Samples,
    left_out: Samples,
}

impl Lessons {
    /// Reads the parts of some folders, on two threads.
    fn read(course: &Course, tables: &KingTables, folders: &[&str]) -> Result<Self, Box<dyn Error>> {
        let mut lessons = Self::default();
        // The parts are read in order, so that the same data gives the same net.
        for pair in parts_of(folders)?.chunks(THREADS) {
            let mut read = Vec::new();
            std::thread::scope(|scope| {
                let parts = pair.iter().map(|path| scope.spawn(|| Self::of_part(course, tables, path)));
                let parts: Vec<_> = parts.collect();
                read.extend(parts.into_iter().map(ScopedJoinHandle::join));
            });
            for part in read {
                let part = part.map_err(|_panic| "a thread has failed")??;
                lessons.learned.append(&part.learned);
                lessons.left_out.append(&part.left_out);
            }
        }
        Ok(lessons)
    }

    fn of_part(course: &Course, tables: &KingTables, path: &Path) -> Result<Self, String> {
        let (plan, games) = read_part(path).map_err(|error| error.to_string())?;
        let mut lessons = Self::default();
        for game in &games {
            let samples = if plan.leaves_out(game) { &mut lessons.left_out } else { &mut lessons.learned };
            let share = |value| logistic(UNIT * f32::from(value) / f32::from(course.scale));
            let later = game.later_shares(share, course.keep);
            let added = game.visit(|position, value, number| {
                samples.add(course, tables, position, [share(value), later[number]]);
            });
            added.ok_or_else(|| illegal_move(path, game))?;
        }
        Ok(lessons)
    }
}

/// Trains a net on the games of some folders and writes it to `out`, and the state to a file beside it.
pub(crate) fn train(course: &Course, tables: &KingTables, out: &str, folders: &[&str]) -> Result<(), Box<dyn Error>> {
    course.check()?;
    let lessons = Lessons::read(course, tables, folders)?;
    let Lessons { learned, left_out } = &lessons;
    println!("{} positions, {} left out", learned.list.len(), left_out.list.len());
    if learned.list.is_empty() {
        return Err("there is no position to learn from".into());
    }
    let state_path = PathBuf::from(format!("{out}.state"));
    let mut pupil = Pupil::new(course, learned.list.len());
    if state_path.exists() {
        pupil.restore(&fs::read(&state_path)?).map_err(|reason| format!("{}: {reason}", state_path.display()))?;
        println!("goes on after epoch {}", pupil.epoch);
    }
    println!("without the net: {}", Loss::of(left_out, |sample| logistic(sample.base)).text());
    let batches = learned.list.len().div_ceil(course.batch);
    while pupil.epoch < course.epochs {
        let started = Instant::now();
        let order = shuffled(learned.list.len(), course.seed ^ u64::from(pupil.epoch) << 32);
        let mut loss = 0.0;
        for (number, batch) in order.chunks(course.batch).enumerate() {
            let done = (f64::from(pupil.epoch) + number as f64 / batches as f64) / f64::from(course.epochs);
            loss += pupil.learn(learned, batch, (rate(course.rate, done), course.decay));
        }
        pupil.epoch += 1;
        println!(
            "epoch {}: {}, of the positions learned {:.5}; {} s",
            pupil.epoch,
            pupil.weights.loss(left_out).text(),
            loss / learned.list.len() as f64,
            started.elapsed().as_secs()
        );
        write_whole(&state_path, &pupil.state())?;
        write_whole(Path::new(out), &Net::from_weights(&pupil.weights.to_net(), course.base, course.scale).to_bytes())?;
    }
    Ok(())
}

/// Returns the rate of learning where `done` of the training, 0–1, is done.
#[expect(clippy::cast_possible_truncation, reason = "a share between 0 and 1")]
fn rate(first: f32, done: f64) -> f32 {
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

/// The mean squared errors of the expected shares of the win.
#[derive(Clone, Copy, Default)]
struct Loss {
    /// The loss against the target.
    target: f64,
    /// The loss against the search's value only.
    searched: f64,
}

impl Loss {
    fn of(samples: &Samples, mut share: impl FnMut(Sample) -> f32) -> Self {
        let mut loss = Self::default();
        for sample in &samples.list {
            let share = share(*sample);
            loss.target += f64::from(share - sample.target).powi(2);
            loss.searched += f64::from(share - sample.searched).powi(2);
        }
        let count = samples.list.len().max(1) as f64;
        Self { target: loss.target / count, searched: loss.searched / count }
    }

    fn text(self) -> String {
        format!("loss {:.5}, against the search {:.5}", self.target, self.searched)
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
    const fn first_bias(&self) -> usize {
        INPUTS * self.units
    }

    const fn first_output(&self) -> usize {
        self.first_bias() + self.units
    }

    const fn first_output_bias(&self) -> usize {
        self.first_output() + 2 * self.buckets * self.units
    }

    fn zero(units: usize, buckets: usize) -> Self {
        let mut weights = Self { units, buckets, list: Vec::new() };
        weights.list = vec![0.0; weights.first_output_bias() + buckets];
        weights
    }

    /// Returns random weights. None of a layer is 0: units that begin alike would stay alike.
    fn random(course: &Course) -> Self {
        let mut weights = Self::zero(course.units, course.buckets);
        let mut random = SplitMix(mix(course.seed));
        let mut uniform = |limit: f32| limit * (random.below(20_001) as f32 / 10_000.0 - 1.0);
        let (first_bias, first_output) = (weights.first_bias(), weights.first_output());
        let last = weights.first_output_bias();
        weights.list[..first_bias].fill_with(|| uniform(0.1));
        weights.list[first_bias..first_output].fill_with(|| 0.3 + uniform(0.1));
        weights.list[first_output..last].fill_with(|| uniform(0.1));
        weights
    }

    /// Returns the sums of a side.
    fn accumulate(&self, inputs: &[u16], out: &mut [f32]) {
        out.copy_from_slice(&self.list[self.first_bias()..self.first_output()]);
        for input in inputs {
            let row = &self.list[usize::from(*input) * self.units..][..self.units];
            for (out, weight) in out.iter_mut().zip(row) {
                *out += weight;
            }
        }
    }

    /// Returns the last weights of a sample's bucket for both sides.
    fn outputs(&self, sample: Sample) -> &[f32] {
        let start = self.first_output() + usize::from(sample.bucket) * 2 * self.units;
        &self.list[start..start + 2 * self.units]
    }

    /// Returns the expected share of the win. `sums` receives the accumulators of both sides.
    fn forward(&self, samples: &Samples, sample: Sample, sums: &mut [f32]) -> f32 {
        for (side, sums) in samples.sides(sample).into_iter().zip(sums.chunks_exact_mut(self.units)) {
            self.accumulate(side, sums);
        }
        let outputs = self.outputs(sample).iter().zip(sums.iter());
        let output: f32 = outputs.map(|(weight, sum)| weight * sum.clamp(0.0, 1.0).powi(2)).sum();
        logistic(sample.base + output + self.list[self.first_output_bias() + usize::from(sample.bucket)])
    }

    /// Adds the slopes of a sample's loss for all weights, and returns the loss.
    fn backward(&self, samples: &Samples, sample: Sample, (sums, slopes): (&mut [f32], &mut [f32])) -> f64 {
        let units = self.units;
        let share = self.forward(samples, sample, sums);
        let error = share - sample.target;
        let slope = 2.0 * error * share * (1.0 - share);
        slopes[self.first_output_bias() + usize::from(sample.bucket)] += slope;
        let first = self.first_output() + usize::from(sample.bucket) * 2 * units;
        let outputs = &self.list[first..first + 2 * units];
        for ((sum, weight), output) in sums.iter_mut().zip(outputs).zip(&mut slopes[first..first + 2 * units]) {
            let unit = sum.clamp(0.0, 1.0);
            *output += slope * unit * unit;
            let is_inside = *sum > 0.0 && *sum < 1.0;
            *sum = if is_inside { 2.0 * unit * slope * weight } else { 0.0 };
        }
        for (side, sums) in samples.sides(sample).into_iter().zip(sums.chunks_exact(units)) {
            let mut add = |start: usize| {
                for (slope, sum) in slopes[start..start + units].iter_mut().zip(sums) {
                    *slope += sum;
                }
            };
            add(self.first_bias());
            for input in side {
                add(usize::from(*input) * units);
            }
        }
        f64::from(error * error)
    }

    /// Returns the mean loss of all positions.
    fn loss(&self, samples: &Samples) -> Loss {
        let mut sums = vec![0.0; 2 * self.units];
        Loss::of(samples, |sample| self.forward(samples, sample, &mut sums))
    }

    fn to_net(&self) -> NetWeights {
        let (first_bias, first_output, last) = (self.first_bias(), self.first_output(), self.first_output_bias());
        NetWeights {
            inputs: self.list[..first_bias].to_vec(),
            biases: self.list[first_bias..first_output].to_vec(),
            outputs: self.list[first_output..last].to_vec(),
            output_biases: self.list[last..].to_vec(),
        }
    }
}

/// A net in training.
struct Pupil {
    /// The number of epochs that are done.
    epoch: u32,
    /// The number of steps that are done.
    steps: u32,
    /// A hash of the training's parameters: a stored state has to have the same one.
    course: u64,
    weights: Weights,
    /// The means of the slopes and of their squares.
    means: Vec<f32>,
    squares: Vec<f32>,
    /// The slopes of a step, for each thread.
    slopes: Vec<Vec<f32>>,
}

impl Pupil {
    /// Creates the training of a course on this number of positions.
    fn new(course: &Course, positions: usize) -> Self {
        let weights = Weights::random(course);
        let zeros = vec![0.0; weights.list.len()];
        let mut hasher = StableHasher::new();
        hasher.add_text(&format!("{course:?} {positions}"));
        Self {
            epoch: 0,
            steps: 0,
            course: hasher.finish(),
            weights,
            means: zeros.clone(),
            squares: zeros.clone(),
            slopes: vec![zeros; THREADS],
        }
    }

    /// Takes a step and returns the sum of the losses.
    fn learn(&mut self, samples: &Samples, batch: &[u32], (rate, decay): (f32, f32)) -> f64 {
        let weights = &self.weights;
        let share = batch.len().div_ceil(THREADS);
        let add_slopes = |batch: &[u32], slopes: &mut [f32]| -> f64 {
            let mut sums = vec![0.0; 2 * weights.units];
            let samples = batch.iter().map(|number| (samples, samples.list[*number as usize]));
            samples.map(|(samples, sample)| weights.backward(samples, sample, (&mut sums, slopes))).sum()
        };
        let add_slopes = &add_slopes;
        let mut loss = 0.0;
        std::thread::scope(|scope| {
            let halves = batch.chunks(share).zip(&mut self.slopes);
            let halves: Vec<_> = halves.map(|(batch, slopes)| scope.spawn(|| add_slopes(batch, slopes))).collect();
            loss = halves.into_iter().map(joined).sum();
        });
        self.step((rate, decay), batch.len() as f32);
        loss
    }

    /// Changes the weights by the slopes of `count` samples, and clears the slopes.
    fn step(&mut self, (rate, decay): (f32, f32), count: f32) {
        self.steps += 1;
        let steps = self.steps.cast_signed();
        let (mean_share, square_share) = (1.0 - KEEP_MEAN.powi(steps), 1.0 - KEEP_SQUARE.powi(steps));
        let [first, second] = self.slopes.as_mut_slice() else { return };
        let moments = self.means.iter_mut().zip(&mut self.squares);
        let slopes = first.iter_mut().zip(second);
        for ((weight, (mean, square)), (first, second)) in self.weights.list.iter_mut().zip(moments).zip(slopes) {
            let slope = (*first + *second) / count;
            (*first, *second) = (0.0, 0.0);
            *mean = KEEP_MEAN * *mean + (1.0 - KEEP_MEAN) * slope;
            *square = KEEP_SQUARE * *square + (1.0 - KEEP_SQUARE) * slope * slope;
            let step = (*mean / mean_share) / ((*square / square_share).sqrt() + 1e-8);
            *weight = (*weight - rate * (step + decay * *weight)).clamp(-MOST, MOST);
        }
    }

    /// Returns the state: the course, the epoch, the steps, weights and moments, and the sum of these.
    fn state(&self) -> Vec<u8> {
        let mut bytes = STATE_MAGIC.to_vec();
        bytes.extend(self.course.to_le_bytes());
        bytes.extend(self.epoch.to_le_bytes());
        bytes.extend(self.steps.to_le_bytes());
        for list in [&self.weights.list, &self.means, &self.squares] {
            bytes.extend(list.iter().flat_map(|number| number.to_le_bytes()));
        }
        append_sum(&mut bytes);
        bytes
    }

    /// Continues from a stored state.
    fn restore(&mut self, bytes: &[u8]) -> Result<(), &'static str> {
        let content = without_sum(bytes).ok_or("the state is cut off or damaged: its sum is wrong")?;
        let rest = content.strip_prefix(STATE_MAGIC).ok_or("this is no state of a training")?;
        let (course, rest) = rest.split_first_chunk().ok_or("the state is cut off")?;
        if u64::from_le_bytes(*course) != self.course {
            return Err("the state is of another training; move it away to begin anew");
        }
        let (epoch, rest) = rest.split_first_chunk().ok_or("the state is cut off")?;
        let (steps, rest) = rest.split_first_chunk().ok_or("the state is cut off")?;
        let count = self.weights.list.len();
        if rest.len() != 12 * count {
            return Err("the state is of another size");
        }
        (self.epoch, self.steps) = (u32::from_le_bytes(*epoch), u32::from_le_bytes(*steps));
        let mut numbers = rest.as_chunks::<4>().0.iter().map(|number| f32::from_le_bytes(*number));
        for list in [&mut self.weights.list, &mut self.means, &mut self.squares] {
            list.iter_mut().zip(&mut numbers).for_each(|(number, stored)| *number = stored);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn course() -> Course {
        Course { units: 16, buckets: 2, epochs: 3, batch: 16, ..Course::default() }
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
            samples.list.push(Sample { start, count: 4, bucket: 1, base: 0.1, target, searched: target });
        }
        samples
    }

    #[test]
    fn slopes_are_those_of_the_loss() {
        let (samples, mut weights) = (samples(), Weights::random(&course()));
        let mut sums = vec![0.0; 32];
        let mut slopes = vec![0.0; weights.list.len()];
        let sample = samples.list[7];
        weights.backward(&samples, sample, (&mut sums, &mut slopes));
        let input = usize::from(samples.sides(sample)[1][2]) * 16 + 3;
        let last = weights.first_output_bias() + 1;
        for at in [input, weights.first_bias() + 5, weights.first_output() + 32 + 20, last] {
            let before = weights.list[at];
            let [low, high] = [-1e-3, 1e-3].map(|by| {
                weights.list[at] = before + by;
                (weights.forward(&samples, sample, &mut sums) - sample.target).powi(2)
            });
            weights.list[at] = before;
            let slope = (high - low) / 2e-3;
            assert!((slope - slopes[at]).abs() < 1e-3 + 0.05 * slope.abs(), "{at}: {slope} {}", slopes[at]);
        }
    }

    #[test]
    fn a_training_lowers_the_loss_and_goes_on_where_it_was() {
        let samples = samples();
        let order = shuffled(samples.list.len(), 5);
        let epoch = |pupil: &mut Pupil| {
            for batch in order.chunks(16) {
                pupil.learn(&samples, batch, (0.01, 0.01));
            }
            pupil.epoch += 1;
        };
        let mut pupil = Pupil::new(&course(), 300);
        let before = pupil.weights.loss(&samples).target;
        epoch(&mut pupil);
        let mut restored = Pupil::new(&course(), 300);
        restored.restore(&pupil.state()).unwrap();
        assert_eq!((restored.epoch, restored.steps), (pupil.epoch, pupil.steps));
        epoch(&mut pupil);
        epoch(&mut restored);
        assert_eq!(pupil.weights, restored.weights);
        assert!(pupil.weights.loss(&samples).target < before / 3.0, "{before}");
    }

    #[test]
    fn other_states_are_refused() {
        let state = Pupil::new(&course(), 300).state();
        let mut other = Pupil::new(&Course { mix: 0.4, ..course() }, 300);
        assert!(other.restore(&state).unwrap_err().contains("another training"));
        assert!(other.restore(&state[..state.len() - 3]).unwrap_err().contains("cut off"));
    }

    #[test]
    fn no_layer_begins_at_zero() {
        let weights = Weights::random(&course()).to_net();
        for layer in [&weights.inputs, &weights.outputs] {
            assert!(layer.iter().filter(|weight| **weight == 0.0).count() * 100 < layer.len(), "{}", layer.len());
        }
        assert_ne!(weights.biases[0].to_bits(), weights.biases[1].to_bits());
    }
}
