//! Makes games of the built-in engine with itself, and fits the weights of its evaluation to them.
//!
//! `fit games FILE COUNT NODES SEED` adds games to FILE until it has COUNT, at NODES nodes a move; game n has the seed
//! SEED + n, so that a killed run goes on where it was. `fit weights FILE… OUT` fits and writes the weights.
//! `docs/engine.md` says how it is used.
#![expect(clippy::print_stdout, reason = "a command line tool")]
#![expect(clippy::disallowed_methods, reason = "it reads and writes its own files")]
#![expect(clippy::indexing_slicing, reason = "features are below their number")]

use shogibar_core::random::SplitMix;
use shogibar_core::score::UsiScore;
use shogibar_core::search::{Control, FEATURE_COUNT, Limits, SearchOutcome, Searcher, features, static_value};
use shogibar_core::shogi::{Color, History, Position};
use std::fs::{File, OpenOptions};
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["games", file, count, nodes, seed] => {
            make_games(Path::new(file), count.parse()?, nodes.parse()?, seed.parse()?)
        }
        ["weights", files @ .., out] if !files.is_empty() => fit_weights(files, Path::new(out)),
        _ => Err("fit games FILE COUNT NODES SEED, or fit weights FILE… OUT".into()),
    }
}

/// A game ends here as a draw, in plies.
const LONGEST_GAME: usize = 320;

/// The number of random moves that begin a game is one of these.
const RANDOM_MOVES: [usize; 4] = [6, 8, 10, 14];

/// Appends games to `file` until it has `count`. Each game is a block of lines that ends with `end`.
fn make_games(file: &Path, count: usize, nodes: u64, seed: u64) -> Result<(), Failure> {
    let done = match File::open(file) {
        Ok(file) => BufReader::new(file).lines().map_while(Result::ok).filter(|line| line == "end").count(),
        Err(_) => 0,
    };
    let mut out = OpenOptions::new().create(true).append(true).open(file)?;
    let mut searcher = Searcher::new(16);
    for game in done..count {
        let mut random = SplitMix(seed.wrapping_add(game as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15));
        // A run that was killed leaves half a block, which has no end and is skipped when read.
        out.write_all(one_game(&mut searcher, nodes, &mut random).as_bytes())?;
        if game % 50 == 49 {
            println!("{} games", game + 1);
        }
    }
    Ok(())
}

/// Plays a game and returns its block: `start`, a line `SFEN TAB centipawns TAB result` for each quiet position, `end`.
/// The evaluation and the result (0 to 2) are Black's.
fn one_game(searcher: &mut Searcher, nodes: u64, random: &mut SplitMix) -> String {
    searcher.clear();
    let mut history = History::new(Position::startpos());
    for _ in 0..RANDOM_MOVES[random.below(RANDOM_MOVES.len())] {
        let moves = history.now().legal_moves();
        if moves.is_empty() || history.play(moves[random.below(moves.len())]).is_err() {
            break;
        }
    }
    let mut quiet = Vec::new();
    let mut result = 1;
    for _ in 0..LONGEST_GAME {
        if history.now().repetition().is_some() {
            break;
        }
        let us = history.now().side_to_move();
        let (win, loss) = if us == Color::Black { (2, 0) } else { (0, 2) };
        let mut score = 0;
        let limits = Limits { nodes, ..Limits::default() };
        let outcome = searcher.think(&history, &limits, &Control::new(None), &|| 0, &mut |report| {
            score = centipawns(report.score);
        });
        let mv = match outcome {
            Ok(SearchOutcome::Play(mv, _)) => mv,
            Ok(SearchOutcome::Declare) => {
                result = win;
                break;
            }
            _ => {
                result = loss;
                break;
            }
        };
        let takes = history.now().piece_on(mv.to()).is_some();
        if !takes && !history.now().in_check() && score.abs() < LARGEST_SCORE {
            quiet.push((history.now().sfen(), if us == Color::Black { score } else { -score }));
        }
        if score.abs() >= SURE_SCORE {
            result = if score > 0 { win } else { loss };
            break;
        }
        if history.play(mv).is_err() {
            break;
        }
    }
    let lines = quiet.iter().map(|(sfen, score)| format!("{sfen}\t{score}\t{result}"));
    let lines: Vec<String> = ["start".to_owned()].into_iter().chain(lines).chain(["end\n".to_owned()]).collect();
    lines.join("\n")
}

/// Positions beyond this score teach nothing about the evaluation.
const LARGEST_SCORE: i32 = 2_500;

/// The score from which a game counts as won.
const SURE_SCORE: i32 = 6_000;

fn centipawns(score: UsiScore) -> i32 {
    match score {
        UsiScore::Cp(cp) => cp,
        UsiScore::Mate { wins, .. } => {
            if wins {
                30_000
            } else {
                -30_000
            }
        }
    }
}

/// A position to learn from.
struct Sample {
    /// The features that do not cancel out, with the sum of their signs.
    features: Vec<(u16, f32)>,
    /// The evaluation without the weights that are fitted now, in centipawns, Black's view.
    base: f32,
    /// The win rate that it should mean, Black's view.
    target: f32,
    /// Whether it only measures the fit.
    is_test: bool,
}

/// The centipawns of the evaluation at which the win rate is 73 %.
const SCALE: f32 = 740.0;

/// The ratio of the search's centipawns to the reported ones.
const REPORTED: f32 = 1.25;

/// The weight of the game's result in the target; the rest is the win rate that the search reported.
const RESULT_SHARE: f32 = 0.4;

/// The number of passes over all samples, the step of the first one in quarters of a centipawn, and what pulls each
/// weight towards 0.
const PASSES: usize = 12;
const STEP: f32 = 1.0;
const DECAY: f32 = 2e-6;

fn fit_weights(files: &[&str], out: &Path) -> Result<(), Failure> {
    let mut samples = Vec::new();
    for file in files {
        read_samples(Path::new(file), &mut samples)?;
    }
    let mut weights = vec![0.0_f32; FEATURE_COUNT];
    let (mut mean, mut square) = (vec![0.0_f32; FEATURE_COUNT], vec![0.0_f32; FEATURE_COUNT]);
    println!("{} samples, loss {}", samples.len(), losses(&samples, &weights));
    let mut order: Vec<usize> = (0..samples.len()).filter(|at| !samples[*at].is_test).collect();
    let mut random = SplitMix(1);
    let mut count = 0_i32;
    for pass in 0..PASSES {
        for at in (1..order.len()).rev() {
            order.swap(at, random.below(at + 1));
        }
        let step = STEP * (1.0 - pass as f32 / PASSES as f32);
        for batch in order.chunks(1024) {
            let mut gradient = vec![0.0_f32; FEATURE_COUNT];
            for sample in batch.iter().map(|at| &samples[*at]) {
                let error = win_rate(value(sample, &weights)) - sample.target;
                for &(feature, sign) in &sample.features {
                    gradient[usize::from(feature)] += error * sign / batch.len() as f32;
                }
            }
            count += 1;
            // Adam: steps of about one size for frequent and rare features.
            let (first, second) = (1.0 - 0.9_f32.powi(count), 1.0 - 0.999_f32.powi(count));
            let moments = mean.iter_mut().zip(&mut square);
            for ((weight, gradient), (mean, square)) in weights.iter_mut().zip(gradient).zip(moments) {
                let gradient = gradient + DECAY * *weight;
                *mean += 0.1 * (gradient - *mean);
                *square += 0.001 * (gradient * gradient - *square);
                *weight -= step * *mean / first / ((*square / second).sqrt() + 1e-5);
            }
        }
        println!("pass {}: loss {}", pass + 1, losses(&samples, &weights));
    }
    // The present weights are part of the base: what is written is their sum with the fitted ones.
    let present = shogibar_core::search::fitted_weights();
    let bytes: Vec<u8> = weights
        .iter()
        .zip(present)
        .flat_map(|(weight, present)| to_i16(*weight + f32::from(present)).to_le_bytes())
        .collect();
    std::fs::write(out, bytes)?;
    Ok(())
}

/// Reads the complete games of a file. Every tenth game is a test.
fn read_samples(file: &Path, samples: &mut Vec<Sample>) -> Result<(), Failure> {
    let mut game = Vec::new();
    let mut count = 0;
    for line in BufReader::new(File::open(file)?).lines() {
        let line = line?;
        match line.as_str() {
            "start" => game.clear(),
            "end" => {
                count += 1;
                samples.extend(game.drain(..).filter_map(|line: String| sample(&line, count % 10 == 0)));
            }
            _ => game.push(line),
        }
    }
    Ok(())
}

fn sample(line: &str, is_test: bool) -> Option<Sample> {
    let mut cells = line.split('\t');
    let position = Position::from_sfen(cells.next()?).ok()?;
    let (score, result): (f32, f32) = (cells.next()?.parse().ok()?, cells.next()?.parse().ok()?);
    let base = static_value(&position)?;
    let base = if position.side_to_move() == Color::Black { base } else { -base };
    let mut sums = std::collections::BTreeMap::new();
    for (feature, sign) in features(&position)? {
        *sums.entry(feature).or_insert(0_i8) += sign;
    }
    let features = sums.into_iter().filter(|(_, sum)| *sum != 0);
    let features = features.map(|(at, sum)| (u16::try_from(at).unwrap_or(0), f32::from(sum))).collect();
    let target = RESULT_SHARE * result / 2.0 + (1.0 - RESULT_SHARE) * win_rate(score * REPORTED);
    Some(Sample { features, base: base as f32, target, is_test })
}

/// Returns the evaluation with the weights, in centipawns.
fn value(sample: &Sample, weights: &[f32]) -> f32 {
    let sum: f32 = sample.features.iter().map(|(feature, sign)| sign * weights[usize::from(*feature)]).sum();
    sample.base + sum / 4.0
}

fn win_rate(centipawns: f32) -> f32 {
    1.0 / (1.0 + (-centipawns / SCALE).exp())
}

/// Returns the mean cross entropy of the samples that are fitted and of those that test.
fn losses(samples: &[Sample], weights: &[f32]) -> String {
    let mut sums = [(0.0_f64, 0_u32); 2];
    for sample in samples {
        let p = win_rate(value(sample, weights)).clamp(1e-6, 1.0 - 1e-6);
        let loss = -(sample.target * p.ln() + (1.0 - sample.target) * (1.0 - p).ln());
        let (sum, count) = &mut sums[usize::from(sample.is_test)];
        *sum += f64::from(loss);
        *count += 1;
    }
    let [fitted, test] = sums.map(|(sum, count)| sum / f64::from(count.max(1)));
    format!("{fitted:.5}, test {test:.5}")
}

#[expect(clippy::cast_possible_truncation, reason = "clamped")]
fn to_i16(weight: f32) -> i16 {
    weight.round().clamp(-30_000.0, 30_000.0) as i16
}
