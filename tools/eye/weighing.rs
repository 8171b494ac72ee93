//! Fits the factors of the light in the joint reading, and measures the effect of other weights.

use crate::piece_sets::{EMPTY, HIDDEN};
use shogibar_eye::grid::Grid;
use shogibar_eye::joint::{WEIGHTS, Weights};
use shogibar_eye::light::{BoardLight, MEASURE_COUNT, Measures};
use shogibar_eye::network::{Network, Probabilities, likeliest};
use shogibar_eye::picture::Picture;
use shogibar_eye::reader::{SeparateReading, read_separately};

const FIT_STEPS: usize = 2000;
const FIRST_LEARNING_RATE: f32 = 0.5;
/// The weight decay of a step, by which the factors of measures that never occur become 0.
const WEIGHT_DECAY: f32 = 3e-5;
/// The least counted probability of the network.
const MIN_PROBABILITY: f32 = 1e-5;
/// A reading is sure above this confidence.
const MIN_SURE_CONFIDENCE: f32 = 0.9;

/// A drawn board whose squares were read separately.
#[derive(Clone, Debug)]
pub struct KnownReading {
    separate: SeparateReading,
    light: BoardLight,
    classes: [u8; 81],
}

impl KnownReading {
    /// Reads the squares of a grid with these classes.
    pub fn new(picture: &Picture, network: &Network, grid: &Grid, classes: [u8; 81]) -> Self {
        let separate = read_separately(picture, network, grid);
        let light = BoardLight::new(picture, grid, &separate.squares);
        Self {
            separate,
            light,
            classes,
        }
    }
}

/// Returns the group of a class: 0 empty, 1 a piece, 2 hidden.
fn group(class: u8) -> usize {
    match class {
        EMPTY => 0,
        HIDDEN => 2,
        _ => 1,
    }
}

/// A square of a drawn board.
struct Sample {
    /// The log-probabilities of the three groups without the light.
    logs: [f32; 3],
    measures: Measures,
    /// The group of the true class: 0 empty, 1 a piece, 2 hidden.
    group: usize,
}

/// Fits the factors of the light. Prints these factors, and the results with them and with other weights.
pub fn fit(readings: &[KnownReading]) {
    let samples: Vec<Sample> = readings.iter().flat_map(samples_of).collect();
    let mut weights = WEIGHTS;
    report("as they are", &weights, readings);
    fit_light(&mut weights, &samples);
    println!("light: {:.2?},", weights.light_factors);
    report("fitted", &weights, readings);
    for twins in [0.0, 0.6] {
        report(
            &format!("twins {twins}"),
            &Weights {
                twin_exponent: twins,
                ..weights
            },
            readings,
        );
    }
    for prior in [0.4, 1.0] {
        report(
            &format!("prior {prior}"),
            &Weights {
                prior_exponent: prior,
                ..weights
            },
            readings,
        );
    }
}

/// Returns the squares of a board, read without the light.
fn samples_of(reading: &KnownReading) -> Vec<Sample> {
    let dark = Weights {
        light_factors: [[0.0; MEASURE_COUNT]; 2],
        ..WEIGHTS
    };
    let read = dark.read(
        &reading.separate.pictures,
        &reading.separate.squares,
        &reading.light,
        None,
    );
    let sample = |index: usize, square: &Probabilities, class: u8| {
        let [empty, pieces @ .., hidden] = square;
        let logs = [*empty, pieces.iter().sum(), *hidden].map(|chance: f32| chance.max(MIN_PROBABILITY).ln());
        Sample {
            logs,
            measures: reading.light.measures(index, square),
            group: group(class),
        }
    };
    let squares = read.squares.iter().zip(reading.classes).enumerate();
    squares
        .map(|(index, (square, class))| sample(index, square, class))
        .collect()
}

/// Fits the factors of the light by logistic regression over the three groups, with gradient descent.
fn fit_light(weights: &mut Weights, samples: &[Sample]) {
    const FACTOR_COUNT: usize = 2 * MEASURE_COUNT;
    let mut factors = [0.0_f32; FACTOR_COUNT];
    let mut squares = [1e-8_f32; FACTOR_COUNT];
    for step in 0..FIT_STEPS {
        let (mut gradient, mut loss) = ([0.0_f32; FACTOR_COUNT], 0.0);
        for sample in samples {
            let of = |from: usize| -> f32 {
                factors[from..from + MEASURE_COUNT]
                    .iter()
                    .zip(sample.measures)
                    .map(|(factor, value)| factor * value)
                    .sum()
            };
            let scores = [
                sample.logs[0],
                sample.logs[1] + of(MEASURE_COUNT),
                sample.logs[2] + of(0),
            ];
            let most = scores.into_iter().fold(f32::NEG_INFINITY, f32::max);
            let powers = scores.map(|score| (score - most).exp());
            let sum: f32 = powers.iter().sum();
            loss -= (powers[sample.group] / sum).max(1e-30).ln();
            for group in 0..3 {
                let error = powers[group] / sum - f32::from(u8::from(group == sample.group));
                let from = [None, Some(MEASURE_COUNT), Some(0)][group];
                for (index, value) in from.into_iter().flat_map(|from| {
                    sample
                        .measures
                        .iter()
                        .enumerate()
                        .map(move |(index, value)| (from + index, value))
                }) {
                    gradient[index] += error * value;
                }
            }
        }
        let rate = FIRST_LEARNING_RATE * (1.0 - step as f32 / FIT_STEPS as f32);
        // The first two factors of a piece remain 0: for a clear piece, the network alone decides.
        for index in (0..FACTOR_COUNT).filter(|index| !(MEASURE_COUNT..MEASURE_COUNT + 2).contains(index)) {
            let slope = gradient[index] / samples.len() as f32 + WEIGHT_DECAY * factors[index];
            squares[index] += slope * slope;
            factors[index] -= rate * slope / squares[index].sqrt();
        }
        if step + 1 == FIT_STEPS {
            println!(
                "loss {:.5} of {} squares",
                loss / samples.len() as f32,
                samples.len()
            );
        }
    }
    let of = |from: usize| std::array::from_fn(|index| factors[from + index]);
    weights.light_factors = [of(0), of(MEASURE_COUNT)];
}

fn report(name: &str, weights: &Weights, readings: &[KnownReading]) {
    let (mut whole, mut wrong, mut sure, mut sure_wrong, mut loss) = (0, 0, 0, 0, 0.0);
    let mut groups = [[0_usize; 3]; 3];
    for reading in readings {
        let read = weights.read(
            &reading.separate.pictures,
            &reading.separate.squares,
            &reading.light,
            None,
        );
        let mistaken = read
            .classes
            .iter()
            .zip(&reading.classes)
            .filter(|(read, class)| **read != usize::from(**class))
            .count();
        let is_sure = read.confidence > MIN_SURE_CONFIDENCE;
        (whole, wrong) = (whole + usize::from(mistaken == 0), wrong + mistaken);
        (sure, sure_wrong) = (
            sure + usize::from(is_sure),
            sure_wrong + usize::from(is_sure && mistaken > 0),
        );
        for (square, class) in read.squares.iter().zip(&reading.classes) {
            loss -= square[usize::from(*class)].max(1e-6).ln();
            groups[group(*class)][group(u8::try_from(likeliest(square).0).unwrap_or(EMPTY))] += 1;
        }
    }
    let [
        [_, empty_piece, empty_hidden],
        [piece_empty, _, piece_hidden],
        [hidden_empty, hidden_piece, _],
    ] = groups;
    println!(
        "{name}: {whole} of {} boards whole, {wrong} squares wrong, {sure} sure, of these wrong {sure_wrong}, loss {:.3} a board; empty as piece {empty_piece}, as hidden {empty_hidden}, piece as empty {piece_empty}, as hidden {piece_hidden}, hidden as empty {hidden_empty}, as piece {hidden_piece}",
        readings.len(),
        loss / readings.len() as f32
    );
}
