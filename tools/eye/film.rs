//! Measures how games are followed on drawn films. Films have moving pieces, cursors, hands and cuts; ffmpeg encodes
//! them.
//!
//! usage: eye-film --vision FOLDER --games FOLDER [--weights FILE] [--films N] [--first N] [--moves N] [--seed N] [--only NAME,…]
//!   [--save FOLDER] [--drawn-sets N]
//!
//! With `EYE_FILM_STATES` in the environment, the events of the program are printed.
//!
//! GAMES: records in any format. Each film has one of nine kinds: H.264 with CRF 20, 28 or 35 at 1080p, 720p or 480p.
//! `--drawn-sets` is the number of sets that are drawn with the system's fonts.
#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::disallowed_methods,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a tool of developers"
)]

use shogibar_eye::grid::{Point, column_and_row};
use shogibar_eye::network::Network;
use shogibar_eye::picture::Picture;
use shogibar_eye_training::canvas::{Canvas, Rect};
use shogibar_eye_training::games::read_records;
use shogibar_eye_training::materials::{DEFAULT_DRAWN_SETS, Materials};
use shogibar_eye_training::piece_sets::{EMPTY, FamilyFilter};
use shogibar_eye_training::random::Random;
use shogibar_eye_training::scene::{self, MovingPiece, Plan, Scene};
use shogibar_kifu::{NodeId, Record};
use shogibar_live::{ScreenCore, ScreenPicture, SourceEvent};
use shogibar_shogi::{Move, Position};
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::time::{Duration, Instant};

const PICTURES_PER_SECOND: usize = 25;

/// The quality factors of the encoder. Films use them in turn.
const CRFS: [u32; 3] = [20, 28, 35];

/// The moves that a film shows, and the pictures after which they are visible.
#[derive(Default)]
struct GroundTruth {
    moves: Vec<Move>,
    /// For each move, the number of the first picture that shows the board at rest after it.
    rest_pictures: Vec<usize>,
    picture_count: usize,
}

/// The results of one or more films.
#[derive(Default)]
struct Totals {
    moves: usize,
    found_moves: usize,
    /// The number of moves outside of the game, over all events, and of games with another start.
    wrong_moves: usize,
    /// The times in milliseconds from the rest after a move to its reading.
    delays: Vec<usize>,
    /// The times that the program took for each picture.
    read_times: Vec<Duration>,
}

impl Totals {
    fn add(&mut self, film: Self) {
        self.moves += film.moves;
        self.found_moves += film.found_moves;
        self.wrong_moves += film.wrong_moves;
        self.delays.extend(film.delays);
        self.read_times.extend(film.read_times);
    }

    fn print(self, crf: u32) {
        let read_times: Vec<usize> = self
            .read_times
            .iter()
            .map(|time| time.as_micros() as usize)
            .collect();
        let late = self.delays.iter().filter(|delay| **delay > 600).count();
        println!(
            "CRF {crf}: {} of {} moves found, {} wrong; delay {} ms median, {late} above 600 ms; a reading takes {} µs median, {} µs at p99",
            self.found_moves,
            self.moves,
            self.wrong_moves,
            median(self.delays),
            median(read_times.clone()),
            percentile_99(read_times)
        );
    }
}

/// The options of the command line.
struct Options {
    /// The folder of the public piece sets.
    vision: PathBuf,
    /// The folder of the records.
    games: PathBuf,
    /// The file of the weights; `None` for the weights that the program ships.
    weights: Option<PathBuf>,
    /// The maximum number of records that are read.
    films: usize,
    /// The index of the first record that becomes a film.
    first_record: usize,
    moves: usize,
    seed: u64,
    /// The families of piece sets that are used; empty for all.
    only_families: Vec<String>,
    /// The folder in which films are stored; `None` to remove them.
    save: Option<PathBuf>,
    drawn_sets: usize,
}

fn options() -> Result<Options, String> {
    let mut options = Options {
        vision: PathBuf::new(),
        games: PathBuf::new(),
        weights: None,
        films: 9,
        first_record: 0,
        moves: 40,
        seed: 5,
        only_families: Vec::new(),
        save: None,
        drawn_sets: DEFAULT_DRAWN_SETS,
    };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let value = words
            .next()
            .ok_or_else(|| format!("{word}: its value is missing"))?;
        let number = |value: &str| value.parse::<usize>().map_err(|error| format!("{word}: {error}"));
        match word.as_str() {
            "--vision" => options.vision = value.into(),
            "--games" => options.games = value.into(),
            "--weights" => options.weights = Some(value.into()),
            "--films" => options.films = number(&value)?,
            "--first" => options.first_record = number(&value)?,
            "--moves" => options.moves = number(&value)?,
            "--seed" => options.seed = number(&value)? as u64,
            "--only" => options.only_families = value.split(',').map(str::to_owned).collect(),
            "--save" => options.save = Some(value.into()),
            "--drawn-sets" => options.drawn_sets = number(&value)?,
            _ => return Err(format!("unknown option {word}")),
        }
    }
    Ok(options)
}

fn main() -> Result<(), String> {
    let options = options()?;
    let network: &'static Network = match &options.weights {
        Some(file) => {
            let read = std::fs::read(file)
                .ok()
                .and_then(|bytes| Network::from_bytes(&bytes))
                .ok_or("no weights")?;
            Box::leak(Box::new(read))
        }
        None => shogibar_eye::network(),
    };
    let filter = if options.only_families.is_empty() {
        FamilyFilter::Without(&[])
    } else {
        FamilyFilter::Only(&options.only_families)
    };
    let materials = Materials::new(&options.vision, filter, options.drawn_sets, options.seed);
    if materials.sets.is_empty() {
        return Err("no set of pieces has such a name".to_owned());
    }
    let records = read_records(&options.games, options.moves, options.films)?;
    println!("film\tencoding\tmoves\tfound\twrong\tmedian delay\tlongest");
    let mut by_quality: [Totals; 3] = Default::default();
    for (index, record) in records.iter().enumerate().skip(options.first_record) {
        let totals = measure(index, record, &options, &materials, network)?;
        by_quality[index % 3].add(totals);
    }
    for (totals, crf) in by_quality.into_iter().zip(CRFS) {
        totals.print(crf);
    }
    Ok(())
}

/// Draws a film of a game, follows the film, and prints the results.
fn measure(
    index: usize,
    record: &Record,
    options: &Options,
    materials: &Materials,
    network: &'static Network,
) -> Result<Totals, String> {
    let (crf, height) = (CRFS[index % 3], [1080, 720, 480][index / 3 % 3]);
    let folder = options.save.clone().unwrap_or_else(std::env::temp_dir);
    let path = folder.join(format!("film{}-{index}.mp4", std::process::id()));
    let width = height * 16 / 9 / 2 * 2;
    let moves: Vec<Move> = record.moves().take(options.moves).collect();
    let mut random = Random::new(options.seed * 1000 + index as u64);
    let mut encoder = Encoder::start((width, height), crf, &path)?;
    let mut film = Film::new(&mut random, materials, (width, height), record.start());
    film.draw(&mut encoder, &moves)?;
    encoder.end()?;
    let totals = watch(&path, (width as usize, height as usize), &film.truth, network)?;
    let longest = totals.delays.iter().max().copied().unwrap_or_default();
    println!(
        "{index}\tCRF {crf}, {height}p\t{}\t{}\t{}\t{} ms\t{longest} ms",
        totals.moves,
        totals.found_moves,
        totals.wrong_moves,
        median(totals.delays.clone())
    );
    if options.save.is_none() {
        let _gone_already = std::fs::remove_file(&path);
    }
    Ok(totals)
}

/// Returns the median; 0 without values.
fn median(mut values: Vec<usize>) -> usize {
    values.sort_unstable();
    values.get(values.len() / 2).copied().unwrap_or_default()
}

/// Returns the 99th percentile; 0 without values.
fn percentile_99(mut values: Vec<usize>) -> usize {
    values.sort_unstable();
    values.get(values.len() * 99 / 100).copied().unwrap_or_default()
}

/// A process of ffmpeg that encodes pictures.
struct Encoder {
    process: Child,
    pipe: ChildStdin,
}

impl Encoder {
    fn start((width, height): (u32, u32), crf: u32, file: &Path) -> Result<Self, String> {
        let mut process = Command::new("ffmpeg")
            .args(["-loglevel", "error", "-y", "-f", "rawvideo", "-pix_fmt", "rgb24"])
            .args([
                "-s",
                &format!("{width}x{height}"),
                "-r",
                &PICTURES_PER_SECOND.to_string(),
                "-i",
                "-",
            ])
            .args([
                "-c:v",
                "libx264",
                "-preset",
                "veryfast",
                "-pix_fmt",
                "yuv420p",
                "-crf",
                &crf.to_string(),
            ])
            .arg(file)
            .stdin(Stdio::piped())
            .spawn()
            .map_err(|error| format!("ffmpeg: {error}"))?;
        let pipe = process.stdin.take().ok_or("no pipe")?;
        Ok(Self { process, pipe })
    }

    /// Encodes a picture `times` times.
    fn write(&mut self, picture: &Canvas, times: usize) -> Result<(), String> {
        (0..times)
            .try_for_each(|_| self.pipe.write_all(picture.0.as_raw()))
            .map_err(|error| error.to_string())
    }

    /// Ends the film, and waits until ffmpeg has written the file.
    fn end(mut self) -> Result<(), String> {
        drop(self.pipe);
        let ended = self.process.wait().map_err(|error| error.to_string())?;
        if ended.success() {
            Ok(())
        } else {
            Err("ffmpeg failed".to_owned())
        }
    }
}

/// A film while it is drawn.
struct Film<'a> {
    random: &'a mut Random,
    materials: &'a Materials,
    /// The width and height of a picture in pixels.
    size: (u32, u32),
    /// The planned width of a square in pixels.
    cell: f32,
    /// The random numbers for the appearance of every scene. Each scene uses a clone.
    style: Random,
    position: Position,
    /// The class of each square of the position.
    squares: [u8; 81],
    /// The board at rest.
    rest_scene: Scene,
    truth: GroundTruth,
}

/// A move of a piece on the drawn board.
struct Step {
    squares_before: [u8; 81],
    squares_after: [u8; 81],
    /// The square of origin; `None` for a drop.
    from: Option<usize>,
    /// The target square.
    to: usize,
}

impl Step {
    fn from_squares(before: [u8; 81], after: [u8; 81]) -> Self {
        let changed = |at: &usize| after[*at] != before[*at];
        let to = (0..81).find(|at| changed(at) && after[*at] != EMPTY).unwrap_or(0);
        let from = (0..81).find(|at| changed(at) && after[*at] == EMPTY);
        Self {
            squares_before: before,
            squares_after: after,
            from,
            to,
        }
    }
}

fn middle(square: usize) -> Point {
    let (column, row) = column_and_row(square);
    (column + 0.5, row + 0.5)
}

/// Returns the point between two points, after the share `part` of the way.
fn between(a: Point, b: Point, part: f32) -> Point {
    (a.0 + (b.0 - a.0) * part, a.1 + (b.1 - a.1) * part)
}

impl<'a> Film<'a> {
    fn new(random: &'a mut Random, materials: &'a Materials, size: (u32, u32), start: &Position) -> Self {
        let style = Random::new(random.below(1 << 30) as u64);
        let cell = size.1 as f32 / random.real(10.5, 13.0);
        let squares = scene::squares_of(start);
        let now = draw_scene(&style, materials, cell, size, &squares, None);
        let position = start.clone();
        Self {
            random,
            materials,
            size,
            cell,
            style,
            position,
            squares,
            rest_scene: now,
            truth: GroundTruth::default(),
        }
    }

    fn draw_board(&self, squares: &[u8; 81], moving: Option<MovingPiece>) -> Scene {
        draw_scene(&self.style, self.materials, self.cell, self.size, squares, moving)
    }

    /// Encodes a picture `times` times, and counts these pictures.
    fn write(&mut self, encoder: &mut Encoder, picture: &Canvas, times: usize) -> Result<(), String> {
        self.truth.picture_count += times;
        encoder.write(picture, times)
    }

    /// Returns the width of a square in pixels.
    fn square_width(&self) -> f32 {
        let [corner, right, ..] = self.rest_scene.corners;
        (right.0 - corner.0) / 9.0
    }

    /// Returns the approximate point in pixels of a column and row.
    fn pixel(&self, (column, row): Point) -> Point {
        let (corner, size) = (self.rest_scene.corners[0], self.square_width());
        (corner.0 + column * size, corner.1 + row * size * 1.05)
    }

    fn draw(&mut self, encoder: &mut Encoder, moves: &[Move]) -> Result<(), String> {
        self.write(encoder, &canvas(&self.rest_scene), 3 * PICTURES_PER_SECOND)?;
        for mv in moves {
            self.position.play(*mv).map_err(|_illegal| "an illegal move")?;
            let step = Step::from_squares(self.squares, scene::squares_of(&self.position));
            self.squares = step.squares_after;
            let after = self.draw_board(&self.squares, None);
            if self.random.chance(0.2) {
                self.draw_hand(encoder, &step, &after)?;
            } else if self.random.chance(0.8) {
                self.draw_gliding_piece(encoder, &step)?;
            }
            let (left, top) = self.pixel((middle(step.to).0 - 0.5, middle(step.to).1 - 0.5));
            let size = self.square_width();
            self.rest_scene = after;
            let mut picture = canvas(&self.rest_scene);
            // The last move is highlighted.
            let square = Rect {
                left,
                top,
                right: left + size,
                bottom: top + size,
            };
            picture.fill(square, [255, 160, 40], 0.2);
            self.truth.moves.push(*mv);
            self.truth.rest_pictures.push(self.truth.picture_count);
            self.draw_rest(encoder, &picture)?;
            if self.random.chance(0.06) {
                self.draw_cut(encoder)?;
                self.write(encoder, &picture, PICTURES_PER_SECOND)?;
            }
        }
        self.write(encoder, &canvas(&self.rest_scene), 3 * PICTURES_PER_SECOND)
    }

    /// Draws a hand that arrives, moves a piece and leaves.
    fn draw_hand(&mut self, encoder: &mut Encoder, step: &Step, after: &Scene) -> Result<(), String> {
        let size = self.square_width();
        let tip = self.pixel(middle(step.to));
        let wrist = (tip.0 + 3.0 * size, self.size.1 as f32);
        for number in 0..16_u8 {
            let out = (f32::from(number) - 7.5).abs() / 7.5;
            let mut picture = canvas(if number < 8 { &self.rest_scene } else { after });
            picture.draw_line(between(tip, wrist, out), wrist, size * 0.9, [224, 180, 150], 1.0);
            self.write(encoder, &picture, 1)?;
        }
        Ok(())
    }

    fn draw_gliding_piece(&mut self, encoder: &mut Encoder, step: &Step) -> Result<(), String> {
        let Step {
            squares_before: before,
            squares_after: after,
            from,
            to,
        } = *step;
        let mut without = before;
        let (piece, source) = if let Some(from) = from {
            without[from] = EMPTY;
            (before[from], middle(from))
        } else {
            (after[to], (9.6, if after[to] > 14 { 0.5 } else { 8.5 }))
        };
        let steps = (self.random.real(0.2, 0.5) * PICTURES_PER_SECOND as f32) as usize;
        for number in 1..steps {
            let at = between(source, middle(to), number as f32 / steps as f32);
            let moving = MovingPiece {
                class: piece,
                column: at.0,
                row: at.1,
            };
            let scene = self.draw_board(&without, Some(moving));
            self.write(encoder, &canvas(&scene), 1)?;
        }
        Ok(())
    }

    /// Draws a board at rest for a while, sometimes with a moving cursor.
    fn draw_rest(&mut self, encoder: &mut Encoder, picture: &Canvas) -> Result<(), String> {
        let rest = (self.random.real(1.0, 2.5) * PICTURES_PER_SECOND as f32) as usize;
        if !self.random.chance(0.3) {
            return self.write(encoder, picture, rest);
        }
        let [a, b] = [0, 1].map(|_| middle(self.random.below(81)));
        for number in 0..rest {
            let (x, y) = self.pixel(between(a, b, number as f32 / rest as f32));
            let mut with = picture.clone();
            with.draw_line((x, y), (x + 8.0, y + 14.0), 6.0, [0; 3], 1.0);
            with.draw_line((x, y), (x + 8.0, y + 14.0), 3.0, [255; 3], 1.0);
            self.write(encoder, &with, 1)?;
        }
        Ok(())
    }

    /// Draws a picture without the board for a while.
    fn draw_cut(&mut self, encoder: &mut Encoder) -> Result<(), String> {
        let mut other = Canvas::new(self.size.0, self.size.1, self.random.color());
        scene::draw_surroundings(self.random, &mut other, self.materials, 40.0);
        let time = (self.random.real(1.0, 5.0) * PICTURES_PER_SECOND as f32) as usize;
        self.write(encoder, &other, time)
    }
}

/// Draws a scene. Scenes with the same `style` have the same appearance.
fn draw_scene(
    style: &Random,
    materials: &Materials,
    cell: f32,
    size: (u32, u32),
    squares: &[u8; 81],
    moving: Option<MovingPiece>,
) -> Scene {
    let plan = Plan {
        cell,
        size: Some(size),
        squares: Some(squares),
        hands: None,
        moving_piece: moving,
        is_bare: true,
        has_faint_pieces: false,
    };
    scene::draw(&mut style.clone(), materials, plan)
}

fn canvas(scene: &Scene) -> Canvas {
    Canvas(scene.picture.clone())
}

/// Follows a film as the program follows a screen. Returns the results.
fn watch(
    file: &Path,
    (width, height): (usize, usize),
    truth: &GroundTruth,
    network: &'static Network,
) -> Result<Totals, String> {
    let mut decoder = Command::new("ffmpeg")
        .args(["-loglevel", "error", "-i"])
        .arg(file)
        .args(["-f", "rawvideo", "-pix_fmt", "gray", "-"])
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| format!("ffmpeg: {error}"))?;
    let mut pipe = decoder.stdout.take().ok_or("no pipe")?;
    let mut core = ScreenCore::new(None, network);
    let mut due = 0.0;
    let mut totals = Totals {
        moves: truth.moves.len(),
        ..Totals::default()
    };
    let mut found = vec![None; truth.moves.len()];
    let mut last: Vec<Move> = Vec::new();
    let mut pixels = vec![0; width * height];
    for number in 0..truth.picture_count {
        if pipe.read_exact(&mut pixels).is_err() {
            break;
        }
        let time = number as f32 / PICTURES_PER_SECOND as f32;
        if time < due {
            continue;
        }
        let screen = Picture::new(width, height, pixels.clone()).ok_or("size")?;
        let seen = ScreenPicture::from_screen(&screen, core.next_area()).ok_or("area")?;
        let start = Instant::now();
        let (events, after) = core.update(&seen);
        totals.read_times.push(start.elapsed());
        due = time + after.as_secs_f32();
        for event in events {
            if std::env::var_os("EYE_FILM_STATES").is_some() {
                println!("{time:.2}: {}", event_text(&event));
            }
            let SourceEvent::Game(game) = event else { continue };
            let start = game.record.history_at(NodeId::START).now().clone();
            let moves: Vec<Move> = game.record.moves().collect();
            let right = moves
                .iter()
                .zip(&truth.moves)
                .take_while(|(read, real)| read == real)
                .count();
            // Moves outside of the game count as wrong where the start of the game is known.
            if start == Position::startpos() {
                totals.wrong_moves += moves.len() - right;
                for (at, found) in found.iter_mut().enumerate().take(right) {
                    found.get_or_insert(number.saturating_sub(truth.rest_pictures[at]));
                }
            } else {
                totals.wrong_moves += 1;
            }
            last = moves;
        }
    }
    let _read_whole = decoder.wait();
    totals.found_moves = last
        .iter()
        .zip(&truth.moves)
        .take_while(|(read, real)| read == real)
        .count();
    totals.delays = found
        .into_iter()
        .flatten()
        .map(|pictures| pictures * 1000 / PICTURES_PER_SECOND)
        .collect();
    Ok(totals)
}

fn event_text(event: &SourceEvent) -> String {
    match event {
        SourceEvent::Game(game) => {
            let moves: Vec<String> = game.record.moves().map(|mv| mv.to_string()).collect();
            format!(
                "game {}: {} {}",
                game.id,
                game.record.start().sfen(),
                moves.join(" ")
            )
        }
        other => format!("{other:?}"),
    }
}
