//! The castles and openings of the games below a folder, as a table for a person to read.

use super::super::{FormationName, Formations};
use shogibar_kifu::Record;
use shogibar_shogi::{Color, Position, Square};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The plies at which names are printed.
const PRINTED_PLIES: [usize; 3] = [30, 50, 70];

/// `RECORDS=FOLDER cargo test -p shogibar-facts --lib formation::tests::table -- --ignored --nocapture`. With
/// `BOARDS=1` the moves and boards are printed, too.
#[test]
#[ignore = "prints a table"]
#[expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a tool of developers"
)]
fn prints_the_formations_of_a_folder() {
    let folder = std::env::var("RECORDS").unwrap_or_default();
    let has_boards = std::env::var("BOARDS").is_ok();
    let mut files = Vec::new();
    collect(Path::new(&folder), &mut files);
    files.sort();
    let mut known = BTreeSet::new();
    for file in &files {
        let games = std::fs::read(file)
            .ok()
            .and_then(|bytes| shogibar_kifu::read_named(&bytes, file).ok());
        for record in games.into_iter().flat_map(|read| read.games) {
            let history = record.history(usize::MAX);
            if history.moves().len() >= 30 && known.insert(history.usi()) {
                println!("{:03} {} {}", known.len(), file.display(), headers(&record));
                if has_boards {
                    println!("      {}", history.usi());
                }
                print_game(&record, has_boards);
            }
        }
    }
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, files);
        } else {
            files.push(path);
        }
    }
}

/// Returns the headers with the opening or handicap.
fn headers(record: &Record) -> String {
    let headers = ["戦型", "手合割"].map(|key| record.header(key).unwrap_or_default());
    format!("[{}]", headers.join(" "))
}

#[expect(clippy::print_stdout, reason = "a tool of developers")]
fn print_game(record: &Record, has_boards: bool) {
    let history = record.history(usize::MAX);
    let mut formations = Formations::new(history.start());
    let mut position = history.start().clone();
    for (ply, mv) in (1..).zip(history.moves()) {
        if formations.play(*mv).is_err() || position.play(*mv).is_err() {
            return;
        }
        if PRINTED_PLIES.contains(&ply) {
            println!("  {ply:3} {}", names(&formations));
            if has_boards {
                print_board(&position);
            }
        }
    }
    println!("  end {}", names(&formations));
}

fn names(formations: &Formations) -> String {
    let name = |formation: Option<FormationName>| formation.map_or("-", |formation| formation.name);
    let side = |color| {
        let opening = formations.opening(color).map(|opening| opening.opening);
        let broken = formations.broken_castle(color);
        let broken = broken.map(|broken| format!(" ({} broken at {})", broken.castle.name, broken.ply));
        format!(
            "{} / {}{}",
            name(opening),
            name(formations.castle(color)),
            broken.unwrap_or_default()
        )
    };
    format!("▲ {}   △ {}", side(Color::Black), side(Color::White))
}

#[expect(clippy::print_stdout, reason = "a tool of developers")]
fn print_board(position: &Position) {
    for rank in 1..=9 {
        let squares = (1..=9).rev().filter_map(|file| Square::new(file, rank));
        let row: String = squares
            .map(|square| {
                position.piece_on(square).map_or_else(
                    || " ・".to_owned(),
                    |piece| {
                        let mark = if piece.color == Color::White { 'v' } else { ' ' };
                        format!("{mark}{}", piece.kind.kanji())
                    },
                )
            })
            .collect();
        println!("      {row}");
    }
    println!("      {}", position.sfen());
}
