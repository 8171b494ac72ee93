//! Measures how games are followed on drawn films: pieces that move, cursors, hands, cuts; encoded by ffmpeg.
//!
//! usage: eye-film --vision FOLDER --games FOLDER [--weights FILE] [--films N] [--first N] [--moves N] [--seed N] [--only NAME,…]
//!   [--save FOLDER]
//!
//! With EYE_FILM_STATES in the environment it prints what the program says meanwhile.
//!
//! GAMES: records in any format. Each film has one of nine kinds: H.264 with CRF 20, 28 or 35 at 1080p, 720p or 480p.

use shogibar_core::kifu::NodeId;
use shogibar_core::shogi::{Move, Position};
use shogibar_eye::network::Network;
use shogibar_eye::picture::Picture;
use shogibar_eye_training::canvas::Canvas;
use shogibar_eye_training::games::records;
use shogibar_eye_training::materials::{Choice, Materials};
use shogibar_eye_training::random::Random;
use shogibar_eye_training::scene::{self, Plan, Scene};
use shogibar_live::{ScreenCore, ScreenPicture, SourceEvent};
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Pictures a second.
const RATE: usize = 25;

/// What happened when in a film.
#[derive(Default)]
struct Truth {
    moves: Vec<Move>,
    /// The number of the first picture that shows each move at rest, with nothing in the way.
    seen: Vec<usize>,
    pictures: usize,
}

/// What was read.
#[derive(Default)]
struct Totals {
    moves: usize,
    found: usize,
    wrong: usize,
    delays: Vec<usize>,
    looks: Vec<Duration>,
}

fn main() -> Result<(), String> {
    let mut words = std::env::args().skip(1);
    let (mut vision, mut games, mut weights, mut save) = (PathBuf::new(), PathBuf::new(), None, None);
    let (mut films, mut first, mut count, mut seed, mut only) = (9, 0, 40, 5_u64, Vec::new());
    while let Some(word) = words.next() {
        let value = words.next().ok_or(format!("{word}: its value is missing"))?;
        let number = |value: &str| value.parse::<usize>().map_err(|error| format!("{word}: {error}"));
        match word.as_str() {
            "--vision" => vision = value.into(),
            "--games" => games = value.into(),
            "--weights" => weights = Some(PathBuf::from(value)),
            "--films" => films = number(&value)?,
            "--first" => first = number(&value)?,
            "--moves" => count = number(&value)?,
            "--seed" => seed = number(&value)? as u64,
            "--only" => only = value.split(',').map(str::to_owned).collect(),
            "--save" => save = Some(PathBuf::from(value)),
            _ => return Err(format!("unknown option {word}")),
        }
    }
    let network: &'static Network = match &weights {
        Some(file) => {
            let read = std::fs::read(file).ok().and_then(|bytes| Network::from_bytes(&bytes)).ok_or("no weights")?;
            Box::leak(Box::new(read))
        }
        None => shogibar_eye::network(),
    };
    let choice = if only.is_empty() { Choice::Without(&[]) } else { Choice::Only(&only) };
    let materials = Materials::new(&vision, choice, seed);
    if materials.sets.is_empty() {
        return Err("no set of pieces has such a name".to_owned());
    }
    let records = records(&games, count, films)?;
    println!("film\tencoding\tmoves\tfound\twrong\tmedian delay\tlongest");
    let mut by_quality: [Totals; 3] = Default::default();
    for (index, record) in records.iter().enumerate().skip(first) {
        let (crf, height) = ([20, 28, 35][index % 3], [1080, 720, 480][index / 3 % 3]);
        let file =
            save.clone().unwrap_or_else(std::env::temp_dir).join(format!("film{}-{index}.mp4", std::process::id()));
        let width = height * 16 / 9 / 2 * 2;
        let moves: Vec<Move> = record.moves().take(count).collect();
        let mut random = Random::new(seed * 1000 + index as u64);
        let truth = draw(&mut random, &materials, record.start(), &moves, (width, height), (crf, &file))?;
        let totals = watch(&file, (width as usize, height as usize), &truth, network)?;
        let longest = totals.delays.iter().max().copied().unwrap_or_default();
        println!(
            "{index}\tCRF {crf}, {height}p\t{}\t{}\t{}\t{} ms\t{longest} ms",
            totals.moves,
            totals.found,
            totals.wrong,
            median(totals.delays.clone())
        );
        let all = &mut by_quality[index % 3];
        all.moves += totals.moves;
        all.found += totals.found;
        all.wrong += totals.wrong;
        all.delays.extend(totals.delays);
        all.looks.extend(totals.looks);
        if save.is_none() {
            let _gone_already = std::fs::remove_file(&file);
        }
    }
    for (totals, crf) in by_quality.into_iter().zip([20, 28, 35]) {
        let looks: Vec<usize> = totals.looks.iter().map(|look| look.as_micros() as usize).collect();
        let late = totals.delays.iter().filter(|delay| **delay > 600).count();
        println!(
            "CRF {crf}: {} of {} moves found, {} wrong; delay {} ms median, {late} above 600 ms; a look takes {} µs median, {} µs at p99",
            totals.found,
            totals.moves,
            totals.wrong,
            median(totals.delays),
            median(looks.clone()),
            at_p99(looks)
        );
    }
    Ok(())
}

fn median(mut values: Vec<usize>) -> usize {
    values.sort_unstable();
    values.get(values.len() / 2).copied().unwrap_or_default()
}

fn at_p99(mut values: Vec<usize>) -> usize {
    values.sort_unstable();
    values.get(values.len() * 99 / 100).copied().unwrap_or_default()
}

/// Draws and encodes a film.
fn draw(
    random: &mut Random,
    materials: &Materials,
    start: &Position,
    moves: &[Move],
    (width, height): (u32, u32),
    (crf, file): (u32, &Path),
) -> Result<Truth, String> {
    let mut encoder = Command::new("ffmpeg")
        .args(["-loglevel", "error", "-y", "-f", "rawvideo", "-pix_fmt", "rgb24"])
        .args(["-s", &format!("{width}x{height}"), "-r", &RATE.to_string(), "-i", "-"])
        .args(["-c:v", "libx264", "-preset", "veryfast", "-pix_fmt", "yuv420p", "-crf", &crf.to_string()])
        .arg(file)
        .stdin(Stdio::piped())
        .spawn()
        .map_err(|error| format!("ffmpeg: {error}"))?;
    let mut pipe = encoder.stdin.take().ok_or("no pipe")?;
    let look = Random::new(random.below(1 << 30) as u64);
    let cell = height as f32 / random.real(10.5, 13.0);
    let scene = |squares: &[u8; 81], moving| -> Scene {
        let plan =
            Plan { cell, size: Some((width, height)), squares: Some(squares), hands: None, moving, is_bare: true };
        scene::draw(&mut look.clone(), materials, plan)
    };
    let mut truth = Truth::default();
    let mut position = start.clone();
    let mut board = scene::squares_of(&position);
    let mut now = scene(&board, None);
    let mut write = |picture: &Canvas, times: usize, pictures: &mut usize| -> Result<(), String> {
        *pictures += times;
        (0..times).try_for_each(|_| pipe.write_all(picture.0.as_raw())).map_err(|error| error.to_string())
    };
    let canvas = |scene: &Scene| Canvas(scene.picture.clone());
    write(&canvas(&now), 3 * RATE, &mut truth.pictures)?;
    for mv in moves {
        let before = board;
        position.play(*mv).map_err(|_illegal| "an illegal move")?;
        board = scene::squares_of(&position);
        let changed = |now: u8, before: u8| now != before;
        let to = (0..81).find(|at| changed(board[*at], before[*at]) && board[*at] != scene::EMPTY).unwrap_or(0);
        let from = (0..81).find(|at| changed(board[*at], before[*at]) && board[*at] == scene::EMPTY);
        let middle = |place: usize| ((place % 9) as f32 + 0.5, (place / 9) as f32 + 0.5);
        let after = scene(&board, None);
        let [corner, right, ..] = now.corners;
        let size = (right.0 - corner.0) / 9.0;
        let pixel = |(column, row): (f32, f32)| (corner.0 + column * size, corner.1 + row * size * 1.05);
        if random.chance(0.2) {
            // A hand comes, moves the piece below it, and goes.
            let (tip, wrist) = (pixel(middle(to)), (pixel(middle(to)).0 + 3.0 * size, height as f32));
            for step in 0..16_u8 {
                let out = (f32::from(step) - 7.5).abs() / 7.5;
                let mut picture = canvas(if step < 8 { &now } else { &after });
                let tip = (tip.0 + (wrist.0 - tip.0) * out, tip.1 + (wrist.1 - tip.1) * out);
                picture.line(tip, wrist, size * 0.9, [224, 180, 150], 1.0);
                write(&picture, 1, &mut truth.pictures)?;
            }
        } else if random.chance(0.8) {
            let mut without = before;
            without[from.unwrap_or(to)] = before[to];
            if from.is_some() {
                without[from.unwrap_or(to)] = scene::EMPTY;
            }
            let (piece, target) = (before[from.unwrap_or(to)], middle(to));
            let source = from.map_or((9.6, if board[to] > 14 { 0.5 } else { 8.5 }), middle);
            let piece = if from.is_some() { piece } else { board[to] };
            let steps = (random.real(0.2, 0.5) * RATE as f32) as usize;
            for step in 1..steps {
                let part = step as f32 / steps as f32;
                let at = (source.0 + (target.0 - source.0) * part, source.1 + (target.1 - source.1) * part);
                write(&canvas(&scene(&without, Some((piece, at.0, at.1)))), 1, &mut truth.pictures)?;
            }
        }
        now = after;
        let mut picture = canvas(&now);
        // The last move is marked.
        let (left, top) = pixel((middle(to).0 - 0.5, middle(to).1 - 0.5));
        picture.fill((left, top, left + size, top + size), [255, 160, 40], 0.2);
        truth.moves.push(*mv);
        truth.seen.push(truth.pictures);
        let rest = (random.real(1.0, 2.5) * RATE as f32) as usize;
        if random.chance(0.3) {
            // A cursor wanders.
            let (a, b) = (middle(random.below(81)), middle(random.below(81)));
            for step in 0..rest {
                let part = step as f32 / rest as f32;
                let (x, y) = pixel((a.0 + (b.0 - a.0) * part, a.1 + (b.1 - a.1) * part));
                let mut with = Canvas(picture.0.clone());
                with.line((x, y), (x + 8.0, y + 14.0), 6.0, [0; 3], 1.0);
                with.line((x, y), (x + 8.0, y + 14.0), 3.0, [255; 3], 1.0);
                write(&with, 1, &mut truth.pictures)?;
            }
        } else {
            write(&picture, rest, &mut truth.pictures)?;
        }
        if random.chance(0.06) {
            let mut other = Canvas::new(width, height, random.colour());
            scene::surround(random, &mut other, materials, 40.0);
            let time = (random.real(1.0, 5.0) * RATE as f32) as usize;
            write(&other, time, &mut truth.pictures)?;
            write(&picture, RATE, &mut truth.pictures)?;
        }
    }
    write(&canvas(&now), 3 * RATE, &mut truth.pictures)?;
    drop(pipe);
    let ended = encoder.wait().map_err(|error| error.to_string())?;
    if ended.success() { Ok(truth) } else { Err("ffmpeg failed".to_owned()) }
}

/// Follows a film as if it were on the screen.
fn watch(
    file: &Path,
    (width, height): (usize, usize),
    truth: &Truth,
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
    let mut totals = Totals { moves: truth.moves.len(), ..Totals::default() };
    let mut found = vec![None; truth.moves.len()];
    let mut last: Vec<Move> = Vec::new();
    let mut pixels = vec![0; width * height];
    for number in 0..truth.pictures {
        if pipe.read_exact(&mut pixels).is_err() {
            break;
        }
        let time = number as f32 / RATE as f32;
        if time < due {
            continue;
        }
        let screen = Picture::new(width, height, pixels.clone()).ok_or("size")?;
        let seen = ScreenPicture::of(&screen, core.next_area()).ok_or("area")?;
        let start = Instant::now();
        let (events, after) = core.update(&seen);
        totals.looks.push(start.elapsed());
        due = time + after.as_secs_f32();
        for event in events {
            if std::env::var_os("EYE_FILM_STATES").is_some() {
                println!("{time:.2}: {}", said(&event));
            }
            let SourceEvent::Game(game) = event else { continue };
            let start = game.record.history_at(NodeId::START).now().clone();
            let moves: Vec<Move> = game.record.moves().collect();
            let right = moves.iter().zip(&truth.moves).take_while(|(read, real)| read == real).count();
            // Moves that are not of the game, where the game is known from its start.
            if start == Position::startpos() {
                totals.wrong += moves.len() - right;
                for (at, found) in found.iter_mut().enumerate().take(right) {
                    found.get_or_insert(number.saturating_sub(truth.seen[at]));
                }
            } else {
                totals.wrong += 1;
            }
            last = moves;
        }
    }
    let _read_whole = decoder.wait();
    totals.found = last.iter().zip(&truth.moves).take_while(|(read, real)| read == real).count();
    totals.delays = found.into_iter().flatten().map(|pictures| pictures * 1000 / RATE).collect();
    Ok(totals)
}

/// Returns an event in a few words.
fn said(event: &SourceEvent) -> String {
    match event {
        SourceEvent::Game(game) => {
            let moves: Vec<String> = game.record.moves().map(|mv| mv.to_string()).collect();
            format!("game {}: {} {}", game.id, game.record.start().sfen(), moves.join(" "))
        }
        other => format!("{other:?}"),
    }
}
