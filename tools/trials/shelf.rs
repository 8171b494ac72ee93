//! Measures the index: `shelf_trial FOLDER GAMES [RECORDS…]`. Writes random games below FOLDER, indexes them with other
//! folders of records, and queries their positions. Prints times, sizes and memory.
//!
//! The games begin with common moves, so that they share positions, and continue at random.
#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a tool of developers"
)]

use shogibar_base::random::SplitMix;
use shogibar_shelf::{Shelf, ShelfError, ShelfKey, ShelfQuery, UpdateControl, read_games};
use shogibar_shogi::{Move, Position};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Instant;

const GAMES_PER_FILE: usize = 100;

const MOVES_PER_GAME: usize = 110;

/// The moves with which the games begin.
const COMMON_MOVES: [&str; 10] = [
    "7g7f", "3c3d", "2g2f", "8c8d", "2f2e", "8d8e", "6i7h", "4a3b", "7i6h", "3a4b",
];

const QUERY_COUNT: usize = 2_000;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let (folder, games) = (
        arguments.next().ok_or("no folder")?,
        arguments.next().ok_or("no number")?.parse()?,
    );
    let records = Path::new(&folder).join("records");
    write_games(&records, games)?;
    let index = Path::new(&folder).join("shelf.index");
    let mut folders = vec![records.clone()];
    folders.extend(arguments.map(PathBuf::from));
    let begun = Instant::now();
    let mut shelf = update(&index, &folders)?;
    println!(
        "indexed in {:.1} s: {:?}",
        begun.elapsed().as_secs_f64(),
        shelf.counts()
    );
    println!(
        "{:.1} bytes a position",
        shelf.counts().bytes as f64 / shelf.counts().positions.max(1) as f64
    );
    println!("{}", peak_memory());
    drop(shelf);
    let begun = Instant::now();
    shelf = update(&index, &folders)?;
    println!(
        "brought up to date again in {:.2} s",
        begun.elapsed().as_secs_f64()
    );
    let begun = Instant::now();
    let answer = shelf.ask(&ShelfQuery::new(
        ShelfKey::from_position(&Position::startpos()),
        100,
    ))?;
    println!(
        "start position: {} games in {:.1} ms",
        answer.count,
        begun.elapsed().as_secs_f64() * 1e3
    );
    let first = records.join("0.usi");
    let mut positions = Vec::new();
    read_games(&fs::read(&first)?, &first, &mut |game| {
        positions.extend(game.positions);
    })?;
    let mut random = SplitMix(7);
    let mut times: Vec<f64> = Vec::new();
    for _ in 0..QUERY_COUNT {
        let Some(position) = positions.get(random.below(positions.len())) else {
            break;
        };
        let begun = Instant::now();
        let answer = shelf.ask(&ShelfQuery::new(position.key, 100))?;
        times.push(begun.elapsed().as_secs_f64() * 1e3);
        assert!(answer.count > 0, "a position of a game is found");
    }
    times.sort_by(f64::total_cmp);
    let at = |percent: usize| {
        times
            .get((times.len() * percent / 100).min(times.len().saturating_sub(1)))
            .copied()
    };
    println!(
        "{QUERY_COUNT} questions, ms: median {:.2?}, 99 % {:.2?}, most {:.2?}",
        at(50),
        at(99),
        times.last()
    );
    Ok(())
}

fn update(index: &Path, folders: &[PathBuf]) -> Result<Shelf, ShelfError> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let mut control = UpdateControl {
        is_cancelled: &AtomicBool::new(false),
        progress: &mut |_, _| {},
        threads,
    };
    Ok(Shelf::update(index, folders, &mut control)?.0)
}

fn write_games(folder: &Path, games: usize) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let common: Vec<Move> = COMMON_MOVES.iter().filter_map(|mv| Move::from_usi(mv)).collect();
    let mut random = SplitMix(1);
    for file in 0..games.div_ceil(GAMES_PER_FILE) {
        let path = folder.join(format!("{file}.usi"));
        if path.exists() {
            continue;
        }
        let lines = (0..GAMES_PER_FILE).map(|_| random_game(&common, &mut random));
        fs::write(path, lines.collect::<String>())?;
    }
    Ok(())
}

fn random_game(common: &[Move], random: &mut SplitMix) -> String {
    let (mut position, mut text) = (Position::startpos(), "startpos moves".to_owned());
    for ply in 0..MOVES_PER_GAME {
        let wished = common
            .get(random.below(common.len()))
            .filter(|mv| ply < 10 && position.is_legal(**mv));
        let legal = position.legal_moves();
        let Some(mv) = wished.or_else(|| legal.get(random.below(legal.len()))).copied() else {
            break;
        };
        if position.play(mv).is_err() {
            break;
        }
        text = format!("{text} {mv}");
    }
    text + "\n"
}

/// Returns the line with the peak memory of the process; empty where the system has no `/proc`.
fn peak_memory() -> String {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    status
        .lines()
        .find(|line| line.starts_with("VmHWM"))
        .unwrap_or_default()
        .to_owned()
}
