//! Measures how many drawn boards are found and read.
//!
//! usage: eye-measure --vision FOLDER --weights FILE [--boards N] [--seed N] [--cell N] [--only NAME,…] [--without N]
//!   [--games FOLDER] [--save FOLDER] [--drawn-sets N] [--fit yes] [--memory yes]
//!
//! `--games` takes the positions from records. Without it, positions come from games of random moves.
//! `--without` also counts the boards that are claimed in N pictures without one.
//! `--cell` is the least width of a square in pixels.
//! `--fit yes` fits the factors of the light (`joint.rs`) instead, and measures the effect of other weights.
//! `--memory yes` measures instead how a set is recognized that was seen at the start of a game.
//! `--drawn-sets` is the number of sets that are drawn with the system's fonts.
#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a tool of developers"
)]

use shogibar_eye::find::find_grids;
use shogibar_eye::grid::Grid;
use shogibar_eye::network::{Network, Probabilities, likeliest};
use shogibar_eye::picture::Picture;
use shogibar_eye::piece_sets::PieceSets;
use shogibar_eye::reader::{BoardReading, read_boards, read_squares};
use shogibar_eye::track::Hands;
use shogibar_eye_training::canvas::Canvas;
use shogibar_eye_training::damage::damage;
use shogibar_eye_training::games::{self, GamePosition};
use shogibar_eye_training::materials::{DEFAULT_DRAWN_SETS, Materials};
use shogibar_eye_training::memory::{KnownBoard, MemoryTotals};
use shogibar_eye_training::piece_sets::FamilyFilter;
use shogibar_eye_training::random::Random;
use shogibar_eye_training::scene::{self, Plan, Scene};
use shogibar_eye_training::weighing::{self, KnownReading};
use shogibar_shogi::Position;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// The options of the command line.
struct Options {
    /// The folder of the public piece sets.
    vision: PathBuf,
    /// The file of the weights.
    weights: PathBuf,
    /// The number of drawn boards.
    boards: usize,
    seed: u64,
    /// The least width of a square in pixels.
    min_cell: f32,
    /// The families of piece sets that are used; empty for all.
    only_families: Vec<String>,
    /// The number of pictures without a board.
    boardless_pictures: usize,
    /// The positions that are drawn; empty for games of random moves.
    positions: Vec<GamePosition>,
    /// The folder for pictures of boards that are missed or read wrongly.
    save: Option<PathBuf>,
    drawn_sets: usize,
    /// Whether the factors of the light are fitted, in place of measuring.
    fits_weights: bool,
    /// Whether the memory of piece sets is measured, in place of single boards.
    measures_memory: bool,
}

fn options() -> Result<Options, String> {
    let mut options = Options {
        vision: PathBuf::new(),
        weights: PathBuf::new(),
        boards: 100,
        seed: 99,
        min_cell: 14.0,
        only_families: Vec::new(),
        boardless_pictures: 0,
        positions: Vec::new(),
        save: None,
        drawn_sets: DEFAULT_DRAWN_SETS,
        fits_weights: false,
        measures_memory: false,
    };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let value = words
            .next()
            .ok_or_else(|| format!("{word}: its value is missing"))?;
        let number = |value: &str| value.parse::<usize>().map_err(|error| format!("{word}: {error}"));
        match word.as_str() {
            "--vision" => options.vision = value.into(),
            "--weights" => options.weights = value.into(),
            "--boards" => options.boards = number(&value)?,
            "--seed" => options.seed = number(&value)? as u64,
            "--cell" => options.min_cell = value.parse().map_err(|error| format!("{word}: {error}"))?,
            "--only" => options.only_families = value.split(',').map(str::to_owned).collect(),
            "--without" => options.boardless_pictures = number(&value)?,
            "--games" => options.positions = games::read_positions(value.as_ref())?,
            "--save" => options.save = Some(value.into()),
            "--memory" => options.measures_memory = value == "yes",
            "--fit" => options.fits_weights = value == "yes",
            "--drawn-sets" => options.drawn_sets = number(&value)?,
            _ => return Err(format!("unknown option {word}")),
        }
    }
    Ok(options)
}

/// A drawn and damaged board, with its true content.
struct DrawnBoard<'a> {
    scene: Scene,
    picture: Picture,
    /// The lines of the board.
    grid: Grid,
    /// The pieces in hand; `None` if unknown or not drawn.
    hands: Option<&'a Hands>,
}

impl<'a> DrawnBoard<'a> {
    /// Draws a board at random: a recorded position, or a position after random moves.
    fn random(random: &mut Random, materials: &Materials, options: &'a Options) -> Result<Self, String> {
        let size = if random.chance(0.5) {
            (1280, 720)
        } else {
            (1920, 1080)
        };
        let cell = random.real(options.min_cell, (size.1 as f32 / 10.5).min(100.0));
        let (squares, hands) = if options.positions.is_empty() {
            (scene::random_game_squares(random), None)
        } else {
            let GamePosition { squares, hands } = random.pick(&options.positions);
            (*squares, Some(hands))
        };
        let plan = Plan {
            squares: Some(&squares),
            hands,
            has_faint_pieces: options.fits_weights,
            ..Plan::random(cell, Some(size))
        };
        let (scene, picture, grid) = draw_damaged(random, materials, plan)?;
        let hands = hands.filter(|_| scene.in_hand.is_some());
        Ok(Self {
            scene,
            picture,
            grid,
            hands,
        })
    }

    fn count_correct(&self, squares: &[Probabilities]) -> usize {
        let read = squares.iter().map(|square| likeliest(square).0);
        read.zip(&self.scene.squares)
            .filter(|(read, class)| *read == usize::from(**class))
            .count()
    }

    /// Returns the greatest distance of a corner of `grid` from the true one, in squares.
    fn distance(&self, grid: &Grid) -> f32 {
        let corners = grid.corners().iter().zip(self.grid.corners());
        let farthest = corners
            .map(|(a, b)| (a.0 - b.0).hypot(a.1 - b.1))
            .fold(0.0, f32::max);
        farthest / self.grid.square_size().0
    }

    fn save(&self, folder: &Path, name: &str) -> Result<(), String> {
        self.scene
            .picture
            .save(folder.join(name))
            .map_err(|error| error.to_string())
    }
}

/// Draws a board with half the damage of the training. Returns the scene, the grey picture and the grid.
fn draw_damaged(
    random: &mut Random,
    materials: &Materials,
    plan: Plan<'_>,
) -> Result<(Scene, Picture, Grid), String> {
    let scene = scene::draw(random, materials, plan);
    let scene = damage(random, scene, 0.5);
    let (width, height) = (scene.picture.width() as usize, scene.picture.height() as usize);
    let picture = Picture::from_rgb(width, height, scene.picture.as_raw(), 3).ok_or("size")?;
    let grid = Grid::new(scene.corners).ok_or("corners")?;
    Ok((scene, picture, grid))
}

/// A class and the class that was read instead.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Mistake {
    class: u8,
    read_class: usize,
}

/// The results of all boards.
#[derive(Default)]
struct Totals {
    boards: usize,
    true_grid_squares: usize,
    /// The number of boards without an error if the true grid is used.
    true_grid_boards: usize,
    /// The frequency of each mistake.
    mistakes: BTreeMap<Mistake, usize>,
    found_boards: usize,
    /// The sum of the distances of the found grids from the true ones, in squares.
    distances: f32,
    correct_squares: usize,
    /// The number of boards without an error.
    correct_boards: usize,
    /// The number of boards with a confidence above 0.9.
    sure_boards: usize,
    wrong_sure_boards: usize,
    /// The number of boards whose hands are complete and correct.
    whole_hands: usize,
    /// The number of boards with pieces in hand that are not there, or with hands that are wrongly claimed to be
    /// complete.
    wrong_hands: usize,
    /// The number of boards whose hands are claimed to be complete, but are wrong.
    wrong_whole_hands: usize,
    /// The times of the search for boards, in milliseconds.
    find_times: Vec<f32>,
    /// The times of finding and reading the boards of a picture, in milliseconds.
    read_times: Vec<f32>,
    /// The times of the reading of hands, in milliseconds.
    hand_times: Vec<f32>,
}

impl Totals {
    /// Finds and reads a drawn board, and adds the results to the totals. A board that is missed or read wrongly is
    /// saved in the folder `save`.
    fn add(
        &mut self,
        index: usize,
        board: &DrawnBoard<'_>,
        network: &Network,
        save: Option<&Path>,
    ) -> Result<(), String> {
        self.boards += 1;
        let true_grid = self.add_with_true_grid(board, network);
        let start = Instant::now();
        let grids = find_grids(&board.picture);
        let find_time = milliseconds(start);
        let read = read_boards(&board.picture, network, &PieceSets::default());
        self.read_times.push(milliseconds(start) - find_time);
        self.find_times.push(find_time);
        let nearest = grids
            .iter()
            .map(|one| board.distance(&one.grid))
            .fold(f32::INFINITY, f32::min);
        let is_found = nearest < 0.2;
        if is_found {
            self.found_boards += 1;
            self.distances += nearest;
        }
        let mut is_right = is_found;
        if let Some(best) = read.first() {
            is_right &= self.add_reading(board, best);
            if let Some(hands) = board.hands {
                self.add_hands(index, board, best, hands, network, save)?;
            }
        }
        if let Some(folder) = save.filter(|_| !is_right) {
            let first = grids
                .first()
                .map(|one| (board.distance(&one.grid), one.evidence, one.margin));
            println!(
                "{index}: cell {:.1}, nearest {nearest:.3}, first {first:?}, true grid {true_grid}, read {:?}",
                board.grid.square_size().0,
                read.first()
                    .map(|best| (board.count_correct(&best.squares), best.confidence))
            );
            board.save(folder, &format!("m{index}.png"))?;
        }
        Ok(())
    }

    /// Reads the squares of the true grid, and adds the results to the totals. Returns the number of correct squares.
    fn add_with_true_grid(&mut self, board: &DrawnBoard<'_>, network: &Network) -> usize {
        let squares = read_squares(&board.picture, network, &board.grid);
        for (read, class) in squares.iter().zip(&board.scene.squares) {
            let read = likeliest(read).0;
            if read != usize::from(*class) {
                *self
                    .mistakes
                    .entry(Mistake {
                        class: *class,
                        read_class: read,
                    })
                    .or_insert(0) += 1;
            }
        }
        let right = board.count_correct(&squares);
        self.true_grid_squares += right;
        self.true_grid_boards += usize::from(right == 81);
        right
    }

    /// Adds a reading. Returns whether every square is correct.
    fn add_reading(&mut self, board: &DrawnBoard<'_>, reading: &BoardReading) -> bool {
        let pairs = reading.classes.iter().zip(&board.scene.squares);
        let right = pairs
            .filter(|(read, class)| **read == usize::from(**class))
            .count();
        let (is_right, is_sure) = (right == 81, reading.confidence > 0.9);
        self.correct_squares += right;
        self.correct_boards += usize::from(is_right);
        self.sure_boards += usize::from(is_sure);
        self.wrong_sure_boards += usize::from(is_sure && !is_right);
        is_right
    }

    /// Reads the pieces in hand of a reading, and adds the results to the totals. A board with wrong hands is saved in
    /// the folder `save`.
    fn add_hands(
        &mut self,
        index: usize,
        board: &DrawnBoard<'_>,
        reading: &BoardReading,
        hands: &Hands,
        network: &Network,
        save: Option<&Path>,
    ) -> Result<(), String> {
        let start = Instant::now();
        let seen = reading.read_hands(&board.picture, network);
        self.hand_times.push(milliseconds(start));
        let mut known = seen
            .visible_pieces
            .as_flattened()
            .iter()
            .zip(hands.as_flattened());
        let is_wrong = if seen.is_whole {
            seen.visible_pieces != *hands
        } else {
            known.any(|(seen, hand)| seen > hand)
        };
        self.wrong_hands += usize::from(is_wrong);
        self.wrong_whole_hands += usize::from(seen.is_whole && is_wrong);
        self.whole_hands += usize::from(seen.is_whole && !is_wrong);
        if let Some(folder) = save.filter(|_| is_wrong) {
            println!("{index}: hands {hands:?}, seen {seen:?}");
            board.save(folder, &format!("h{index}.png"))?;
        }
        Ok(())
    }

    fn print(&self) {
        let mut mistaken: Vec<_> = self.mistakes.iter().collect();
        mistaken.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
        let text =
            |mistake: &Mistake, count: usize| format!("{} as {}: {count}", mistake.class, mistake.read_class);
        let mistaken: Vec<String> = mistaken
            .iter()
            .take(12)
            .map(|(mistake, count)| text(mistake, **count))
            .collect();
        println!("most mistaken classes: {}", mistaken.join(", "));
        let share = |part: usize, whole: usize| 100.0 * part as f32 / whole as f32;
        let squares = 81 * self.boards;
        println!(
            "true grid: squares {:.2} %, boards {:.1} %",
            share(self.true_grid_squares, squares),
            share(self.true_grid_boards, self.boards)
        );
        println!(
            "found {:.1} %, off by {:.3} squares",
            share(self.found_boards, self.boards),
            self.distances / self.found_boards.max(1) as f32
        );
        println!(
            "read: squares {:.2} %, boards {:.1} %; sure {}, of these wrong {}",
            share(self.correct_squares, squares),
            share(self.correct_boards, self.boards),
            self.sure_boards,
            self.wrong_sure_boards
        );
        let [find, read, hands] =
            [&self.find_times, &self.read_times, &self.hand_times].map(|times| median_and_longest(times));
        println!(
            "find {:.0} ms median, {:.0} longest; find and read {:.0} ms median, {:.0} longest",
            find.0, find.1, read.0, read.1
        );
        println!(
            "hands beside {} boards: whole {}, wrong {}, claimed to be whole and wrong {}; {:.0} ms median",
            self.hand_times.len(),
            self.whole_hands,
            self.wrong_hands,
            self.wrong_whole_hands,
            hands.0
        );
    }
}

/// Returns the time since `start` in milliseconds.
fn milliseconds(start: Instant) -> f32 {
    start.elapsed().as_secs_f32() * 1000.0
}

/// Returns the median and the maximum; 0 without times.
fn median_and_longest(times: &[f32]) -> (f32, f32) {
    let mut times = times.to_vec();
    times.sort_by(f32::total_cmp);
    (
        times.get(times.len() / 2).copied().unwrap_or_default(),
        times.last().copied().unwrap_or_default(),
    )
}

/// Draws a picture without a board. Returns whether a board is found.
fn is_board_claimed(random: &mut Random, materials: &Materials, network: &Network) -> bool {
    let size = if random.chance(0.5) {
        (1280, 720)
    } else {
        (1920, 1080)
    };
    let mut canvas = Canvas::new(size.0, size.1, random.color());
    let cell = random.real(14.0, 60.0);
    scene::draw_surroundings(random, &mut canvas, materials, cell);
    let picture = Picture::from_rgb(size.0 as usize, size.1 as usize, canvas.0.as_raw(), 3);
    picture.is_some_and(|picture| {
        read_boards(&picture, network, &PieceSets::default())
            .iter()
            .any(BoardReading::is_board)
    })
}

/// Draws the start of a game and a later position in the same style.
fn same_style_boards(
    random: &mut Random,
    materials: &Materials,
    options: &Options,
) -> Result<[KnownBoard; 2], String> {
    let cell = random.real(options.min_cell, 70.0);
    let later = match options.positions.as_slice() {
        [] => scene::random_game_squares(random),
        positions => random.pick(positions).squares,
    };
    let seed = random.below(1 << 40) as u64;
    let draw = |squares: &[u8; 81]| -> Result<KnownBoard, String> {
        let mut random = Random::new(seed);
        let plan = Plan {
            squares: Some(squares),
            is_bare: true,
            ..Plan::random(cell, Some((1280, 720)))
        };
        let (scene, picture, grid) = draw_damaged(&mut random, materials, plan)?;
        Ok(KnownBoard {
            picture,
            grid,
            classes: scene.squares,
        })
    };
    Ok([draw(&scene::squares_of(&Position::startpos()))?, draw(&later)?])
}

fn main() -> Result<(), String> {
    let options = options()?;
    let filter = if options.only_families.is_empty() {
        FamilyFilter::Without(&[])
    } else {
        FamilyFilter::Only(&options.only_families)
    };
    let materials = Materials::new(&options.vision, filter, options.drawn_sets, options.seed);
    if materials.sets.is_empty() {
        return Err("no set of pieces has such a name".to_owned());
    }
    let bytes = std::fs::read(&options.weights).ok();
    let network = bytes
        .and_then(|bytes| Network::from_bytes(&bytes))
        .ok_or("no weights")?;
    let mut random = Random::new(options.seed);
    if options.measures_memory {
        let mut totals = MemoryTotals::default();
        for _ in 0..options.boards {
            let [start, later] = same_style_boards(&mut random, &materials, &options)?;
            totals.add(&network, &start, &later);
        }
        totals.print();
        return Ok(());
    }
    if options.fits_weights {
        let mut readings = Vec::new();
        for _ in 0..options.boards {
            let board = DrawnBoard::random(&mut random, &materials, &options)?;
            readings.push(KnownReading::new(
                &board.picture,
                &network,
                &board.grid,
                board.scene.squares,
            ));
        }
        weighing::fit(&readings);
        return Ok(());
    }
    let mut totals = Totals::default();
    for index in 0..options.boards {
        let board = DrawnBoard::random(&mut random, &materials, &options)?;
        totals.add(index, &board, &network, options.save.as_deref())?;
    }
    totals.print();
    let claims = (0..options.boardless_pictures)
        .filter(|_| is_board_claimed(&mut random, &materials, &network))
        .count();
    println!(
        "of {} pictures without a board {claims} have one",
        options.boardless_pictures
    );
    Ok(())
}
