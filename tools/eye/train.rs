//! Trains the eye's network on drawn boards.
//!
//! FILE receives the weights in the program's format. A file beside it has the extension `state`. The state is the
//! number of boards (8 bytes) and the exact weights (4 bytes each), little-endian. The next start with the same FILE
//! continues from that state.
//!
//! usage: eye-train --vision FOLDER --out FILE [--boards N] [--minutes N] [--seed N] [--from FILE] [--without NAME,…] [--sheet FOLDER]
//!   [--rate NUMBER] [--drawers N] [--threads N] [--drawn-sets N] [--mixed N] [--report N]
//!
//! `--boards` is the number of boards of the whole training, and `--minutes` the time after which this run ends.
//! `--from` starts with the weights of another training, in the format of FILE.
//! `--drawn-sets` is the number of sets that are drawn with the system's fonts before the first board.
//! `--mixed` is the number of stored squares before the first step.
//! `--report` is the number of boards between two reports. Each report writes the weights.
#![expect(
    clippy::disallowed_methods,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a tool of developers"
)]

use shogibar_eye::grid::{Grid, Homography, PICTURE_SIDE, Point};
use shogibar_eye::network::Network;
use shogibar_eye::picture::Picture;
use shogibar_eye::reader::square_picture;
use shogibar_eye_training::damage::damage;
use shogibar_eye_training::learning::{Adam, gradient, initial_weights};
use shogibar_eye_training::materials::{DEFAULT_DRAWN_SETS, Materials};
use shogibar_eye_training::piece_sets::{EMPTY, FamilyFilter, HIDDEN};
use shogibar_eye_training::random::Random;
use shogibar_eye_training::scene::{self, Plan, Scene};
use shogibar_eye_training::stands::{StandPiece, random_hands};
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// The pictures of the squares of a board, and the class of each.
#[derive(Default)]
struct LabelledSquares {
    /// The pictures, one after the other.
    values: Vec<f32>,
    classes: Vec<u8>,
}

impl LabelledSquares {
    fn push(&mut self, square: &[f32], class: u8) {
        self.values.extend_from_slice(square);
        self.classes.push(class);
    }
}

/// The picture of a square and its class.
struct LabelledSquare {
    values: Vec<f32>,
    class: u8,
}

/// The number of squares of a training step.
const BATCH_SIZE: usize = 96;
/// The default number of stored squares before the first step.
const DEFAULT_MIN_STORED_SQUARES: usize = BATCH_SIZE * 30;
/// The default number of boards between two reports.
const DEFAULT_REPORT_INTERVAL: usize = 320;
/// The maximum number of stored squares, from which batches are drawn.
const MAX_STORED_SQUARES: usize = 40_000;
/// The mean number of uses of a square in training. With more uses, the network overfits.
const USES_PER_SQUARE: usize = 1;

/// The share of the boards that have pieces in hand beside them.
const HANDS_SHARE: f32 = 0.3;

/// The probability that a piece set is redrawn after a board.
const RENEWAL_PROBABILITY: f32 = 0.12;

/// The options of the command line.
struct Options {
    /// The folder of the public piece sets.
    vision: PathBuf,
    /// The file of the weights.
    out: PathBuf,
    boards: usize,
    /// The time after which this run ends.
    time_limit: Duration,
    seed: u64,
    /// The weights of another training; `None` for random ones.
    start_weights: Option<PathBuf>,
    /// The families of pieces, fonts and grounds that are not used.
    excluded_families: Vec<String>,
    /// The folder for drawn boards, in place of training.
    sheet_folder: Option<PathBuf>,
    learning_rate: f32,
    drawing_threads: usize,
    training_threads: usize,
    /// The number of sets that are drawn before the first board.
    drawn_sets: usize,
    /// The number of stored squares before the first step.
    min_stored_squares: usize,
    /// The number of boards between two reports.
    report_interval: usize,
}

fn options() -> Result<Options, String> {
    let mut options = Options {
        vision: PathBuf::new(),
        out: PathBuf::new(),
        boards: 20_000,
        time_limit: Duration::MAX,
        seed: 1,
        start_weights: None,
        excluded_families: Vec::new(),
        sheet_folder: None,
        learning_rate: 1e-3,
        drawing_threads: 1,
        training_threads: 1,
        drawn_sets: DEFAULT_DRAWN_SETS,
        min_stored_squares: DEFAULT_MIN_STORED_SQUARES,
        report_interval: DEFAULT_REPORT_INTERVAL,
    };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let value = words
            .next()
            .ok_or_else(|| format!("{word}: its value is missing"))?;
        let number = |value: &str| value.parse::<usize>().map_err(|error| format!("{word}: {error}"));
        match word.as_str() {
            "--vision" => options.vision = value.into(),
            "--out" => options.out = value.into(),
            "--boards" => options.boards = number(&value)?,
            "--minutes" => options.time_limit = Duration::from_secs(60 * number(&value)? as u64),
            "--seed" => options.seed = number(&value)? as u64,
            "--from" => options.start_weights = Some(value.into()),
            "--without" => options.excluded_families = value.split(',').map(str::to_owned).collect(),
            "--sheet" => options.sheet_folder = Some(value.into()),
            "--rate" => options.learning_rate = value.parse().map_err(|error| format!("{word}: {error}"))?,
            "--threads" => options.training_threads = number(&value)?,
            "--drawers" => options.drawing_threads = number(&value)?,
            "--drawn-sets" => options.drawn_sets = number(&value)?,
            "--mixed" => options.min_stored_squares = number(&value)?,
            "--report" => options.report_interval = number(&value)?.max(1),
            _ => return Err(format!("unknown option {word}")),
        }
    }
    Ok(options)
}

/// Draws a random board. Returns the scene, and the pictures and classes of squares on the board and beside it.
fn draw_labelled_board(random: &mut Random, materials: &Materials) -> (Scene, LabelledSquares) {
    // The network takes 32 × 32 values: larger squares cost time and look the same.
    let cell = if random.chance(0.85) {
        random.real(14.0, 36.0)
    } else {
        random.real(36.0, 70.0)
    };
    let hands = random.chance(HANDS_SHARE).then(|| random_hands(random));
    let scene = scene::draw(
        random,
        materials,
        Plan {
            hands: hands.as_ref(),
            ..Plan::random(cell, None)
        },
    );
    let scene = damage(random, scene, 1.0);
    let (width, height) = (scene.picture.width() as usize, scene.picture.height() as usize);
    let grey = Picture::from_rgb(width, height, scene.picture.as_raw(), 3);
    let mut squares_of_board = LabelledSquares::default();
    // A found grid is slightly inaccurate.
    let off = 0.03 * (scene.corners[1].0 - scene.corners[0].0) / 9.0;
    let corners = scene
        .corners
        .map(|(x, y)| (x + random.normal() * off, y + random.normal() * off));
    if let (Some(grey), Some(grid)) = (grey, Grid::new(corners)) {
        for (index, class) in scene.squares.iter().enumerate() {
            // Only some of the empty squares are used.
            if *class == EMPTY && !random.chance(0.3) {
                continue;
            }
            squares_of_board.push(&square_picture(&grey, &grid, index), *class);
        }
        let mut add = |corner: Point, side: f32, class: u8| {
            let mut square = [0.0; PICTURE_SIDE * PICTURE_SIDE];
            grid.read_area(&grey, corner, side, &mut square);
            squares_of_board.push(&square, class);
        };
        let pieces = pieces_in_hand(&scene);
        for StandPiece {
            class,
            middle: (x, y),
            side,
        } in &pieces
        {
            let size = side * random.real(0.9, 1.1);
            let off = [0, 1].map(|_| random.normal() * 0.05 * size);
            add((x - size / 2.0 + off[0], y - size / 2.0 + off[1]), size, *class);
        }
        // Beside a board, everything but a whole piece counts as hidden.
        for _ in 0..pieces.len() / 2 {
            let StandPiece {
                middle: (x, y), side, ..
            } = random.pick(&pieces);
            let (x, y) = (
                x + random.real(-1.5, 1.5) * side,
                y + random.real(-1.5, 1.5) * side,
            );
            let far =
                |piece: &StandPiece| (x - piece.middle.0).abs().max((y - piece.middle.1).abs()) / piece.side;
            let extent = side * random.real(0.7, 1.3);
            let is_beside = (x - 4.5).abs().max((y - 4.5).abs()) > 4.5 + extent / 2.0;
            if is_beside && pieces.iter().all(|piece| far(piece) > 0.35) {
                add((x - extent / 2.0, y - extent / 2.0), extent, HIDDEN);
            }
        }
    }
    (scene, squares_of_board)
}

/// Returns the pieces in hand of a scene, with middles in squares from the top left corner of the board.
fn pieces_in_hand(scene: &Scene) -> Vec<StandPiece> {
    let squares = [(0.0, 0.0), (9.0, 0.0), (9.0, 9.0), (0.0, 9.0)];
    let Some(map) = Homography::between(&scene.corners, &squares) else {
        return Vec::new();
    };
    let pieces = scene.in_hand.iter().flatten();
    pieces
        .map(|piece| StandPiece {
            middle: map.apply(piece.middle.0, piece.middle.1),
            ..*piece
        })
        .collect()
}

/// Draws boards and scenes for visual inspection into a folder.
fn draw_sheet(options: &Options, materials: &Materials, folder: &Path) -> Result<(), String> {
    let save = |scene: &Scene, name: String| {
        scene
            .picture
            .save(folder.join(name))
            .map_err(|error| error.to_string())
    };
    let mut random = Random::new(options.seed);
    for index in 0..24 {
        let (scene, _) = draw_labelled_board(&mut random, materials);
        save(&scene, format!("{index}.png"))?;
    }
    for index in 0..8 {
        let cell = random.real(20.0, 70.0);
        let scene = scene::draw(&mut random, materials, Plan::random(cell, Some((1280, 720))));
        let scene = damage(&mut random, scene, 0.3);
        save(&scene, format!("scene{index}.png"))?;
    }
    Ok(())
}

/// The network in training and its progress.
struct State {
    /// The number of boards learnt so far.
    done_boards: usize,
    network: Network,
}

impl State {
    /// Reads the state beside the file of weights. Without a state, starts with the weights of another training or with
    /// random ones.
    fn read(options: &Options) -> Result<Self, String> {
        let file = options.out.with_extension("state");
        if let Ok(bytes) = std::fs::read(&file) {
            return Self::from_bytes(&bytes)
                .ok_or_else(|| format!("{}: not a state of this network", file.display()));
        }
        let Some(from) = &options.start_weights else {
            let weights = initial_weights(&mut Random::new(options.seed));
            return Ok(Self {
                done_boards: 0,
                network: Network::new(weights).unwrap_or_default(),
            });
        };
        let bytes = std::fs::read(from).map_err(|error| format!("{}: {error}", from.display()))?;
        let network =
            Network::from_bytes(&bytes).ok_or_else(|| format!("{}: other weights", from.display()))?;
        Ok(Self {
            done_boards: 0,
            network,
        })
    }

    /// Reads the state from the content of its file; `None` for a file of another size.
    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (done, weights) = bytes.split_first_chunk()?;
        let (weights, rest) = weights.as_chunks::<4>();
        let network = Network::new(weights.iter().map(|weight| f32::from_le_bytes(*weight)).collect());
        let done = usize::try_from(u64::from_le_bytes(*done)).ok()?;
        network.filter(|_| rest.is_empty()).map(|network| Self {
            done_boards: done,
            network,
        })
    }

    /// Writes the state, and the weights in the program's format. A killed process leaves the previous state or the new
    /// one.
    fn write(&self, out: &Path) -> Result<(), String> {
        let weights = self
            .network
            .weights()
            .iter()
            .flat_map(|weight| weight.to_le_bytes());
        let bytes: Vec<u8> = (self.done_boards as u64)
            .to_le_bytes()
            .into_iter()
            .chain(weights)
            .collect();
        let new = out.with_extension("new");
        let written = std::fs::write(out, self.network.to_bytes()).and_then(|()| std::fs::write(&new, bytes));
        let renamed = written.and_then(|()| std::fs::rename(new, out.with_extension("state")));
        renamed.map_err(|error| format!("{}: {error}", out.display()))
    }
}

/// Starts the drawing threads. Returns for each thread a receiver of the squares of the drawn boards. The boards depend
/// on the seed and on the number of boards so far (`done`).
fn start_drawing_threads(
    options: &Options,
    materials: &Materials,
    done: usize,
) -> Vec<mpsc::Receiver<LabelledSquares>> {
    let start = |drawer: usize| {
        let (sender, receiver) = mpsc::sync_channel(16);
        let mut materials = materials.clone();
        let mut random = Random::new(options.seed.wrapping_mul(1000) + drawer as u64 + ((done as u64) << 20));
        std::thread::spawn(move || {
            while sender
                .send(draw_labelled_board(&mut random, &materials).1)
                .is_ok()
            {
                if random.chance(RENEWAL_PROBABILITY) {
                    materials.renew_set(&mut random);
                }
            }
        });
        receiver
    };
    (0..options.drawing_threads).map(start).collect()
}

/// The network while it is trained.
struct Trainer<'a> {
    options: &'a Options,
    adam: Adam,
    random: Random,
    /// The squares from which batches are drawn.
    store: Vec<LabelledSquare>,
    due_squares: usize,
    /// The sum of the losses since the last report.
    loss: f32,
    /// The number of correct answers since the last report.
    correct_answers: usize,
    /// The number of squares since the last report.
    seen_squares: usize,
}

impl<'a> Trainer<'a> {
    fn new(options: &'a Options, weights: Vec<f32>) -> Self {
        let (adam, random) = (Adam::new(weights), Random::new(options.seed + 7));
        Self {
            options,
            adam,
            random,
            store: Vec::new(),
            due_squares: 0,
            loss: 0.0,
            correct_answers: 0,
            seen_squares: 0,
        }
    }

    /// Adds the squares of a board to the store. A full store loses random squares.
    fn add(&mut self, squares_of_board: LabelledSquares) {
        for (values, class) in squares_of_board
            .values
            .chunks_exact(PICTURE_SIDE * PICTURE_SIDE)
            .zip(squares_of_board.classes)
        {
            self.due_squares += USES_PER_SQUARE;
            let square = LabelledSquare {
                values: values.to_vec(),
                class,
            };
            if self.store.len() < MAX_STORED_SQUARES {
                self.store.push(square);
            } else {
                self.store[self.random.below(MAX_STORED_SQUARES)] = square;
            }
        }
    }

    /// Takes the steps that are due after `done` boards.
    fn take_steps(&mut self, done: usize) {
        let options = self.options;
        while self.store.len() >= options.min_stored_squares && self.due_squares >= BATCH_SIZE {
            self.due_squares -= BATCH_SIZE;
            let batch: Vec<&LabelledSquare> =
                (0..BATCH_SIZE).map(|_| self.random.pick(&self.store)).collect();
            let squares: Vec<f32> = batch
                .iter()
                .flat_map(|square| square.values.iter().copied())
                .collect();
            let classes: Vec<u8> = batch.iter().map(|square| square.class).collect();
            let batch = gradient(&self.adam.weights, &squares, &classes, options.training_threads);
            let progress = (done as f32 / options.boards as f32).min(1.0);
            let rate =
                options.learning_rate * (0.5 + 0.5 * (std::f32::consts::PI * progress).cos()).max(0.01);
            self.adam.step(&batch.gradient, BATCH_SIZE, rate);
            self.loss += batch.loss;
            self.correct_answers += batch.correct_squares;
            self.seen_squares += BATCH_SIZE;
        }
    }

    /// Prints the progress and writes the state. `rate` is the number of boards a second.
    fn report(&mut self, done: usize, rate: f32) -> Result<(), String> {
        println!(
            "{done} boards, loss {:.4}, wrong {:.3} %, {rate:.1} boards a second",
            self.loss / self.seen_squares as f32,
            100.0 - 100.0 * self.correct_answers as f32 / self.seen_squares as f32
        );
        (self.loss, self.correct_answers, self.seen_squares) = (0.0, 0, 0);
        let network = self.adam.network().ok_or("the number of weights is another")?;
        State {
            done_boards: done,
            network,
        }
        .write(&self.options.out)
    }
}

fn main() -> Result<(), String> {
    let options = options()?;
    let filter = FamilyFilter::Without(&options.excluded_families);
    let materials = Materials::new(&options.vision, filter, options.drawn_sets, options.seed);
    if let Some(folder) = &options.sheet_folder {
        return draw_sheet(&options, &materials, folder);
    }
    let State {
        done_boards: before,
        network,
    } = State::read(&options)?;
    let mut trainer = Trainer::new(&options, network.weights().to_vec());
    let receivers = start_drawing_threads(&options, &materials, before);
    let start = Instant::now();
    for done in before + 1..=options.boards {
        let squares_of_board = receivers[done % receivers.len()].recv();
        trainer.add(squares_of_board.map_err(|_ended| "a thread that draws boards has ended")?);
        trainer.take_steps(done);
        let is_last = done == options.boards || start.elapsed() >= options.time_limit;
        if is_last || done % options.report_interval == 0 {
            trainer.report(done, (done - before) as f32 / start.elapsed().as_secs_f32())?;
        }
        if is_last {
            break;
        }
    }
    Ok(())
}
