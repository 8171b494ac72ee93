//! Recorded games whose positions are drawn.

use crate::scene::squares_of;
use shogibar_eye::track::Hands;
use shogibar_kifu::Record;
use shogibar_shogi::{Color, PieceKind, Position};
use std::path::Path;

/// Reads at most `count` games below a folder that begin at the even start and have at least `moves` moves. Of games
/// with the same first `moves` moves, only one is read.
///
/// # Errors
///
/// Fails if a folder cannot be read.
pub fn read_records(folder: &Path, moves: usize, count: usize) -> Result<Vec<Record>, String> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder)
            .map_err(|error| format!("{}: {error}", folder.display()))?
            .flatten()
        {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else {
                files.push(path);
            }
        }
    }
    files.sort();
    let long = files.iter().filter_map(|file| {
        let (record, _) = shogibar_kifu::read_first(&std::fs::read(file).ok()?, file).ok()?;
        (*record.start() == Position::startpos() && record.len() >= moves).then_some(record)
    });
    let mut records: Vec<Record> = Vec::new();
    for record in long {
        let is_known = records
            .iter()
            .any(|known| known.moves().take(moves).eq(record.moves().take(moves)));
        if !is_known {
            records.push(record);
        }
        if records.len() == count {
            break;
        }
    }
    Ok(records)
}

/// A position of a recorded game, as classes of squares.
#[derive(Clone, Debug)]
pub struct GamePosition {
    /// The class of each square, from the top left, row by row.
    pub squares: [u8; 81],
    /// The numbers of pieces in hand, Black's first.
    pub hands: Hands,
}

/// Returns every position after a move of the games below a folder that begin at the even start and have at least 20
/// moves.
///
/// # Errors
///
/// Fails if a folder cannot be read.
pub fn read_positions(folder: &Path) -> Result<Vec<GamePosition>, String> {
    let of_game = |record: Record| {
        let mut position = record.start().clone();
        let moves: Vec<_> = record.moves().collect();
        moves.into_iter().map_while(move |mv| {
            position.play(mv).ok()?;
            Some(GamePosition {
                squares: squares_of(&position),
                hands: hands_of(&position),
            })
        })
    };
    Ok(read_records(folder, 20, usize::MAX)?
        .into_iter()
        .flat_map(of_game)
        .collect())
}

/// Returns the numbers of pieces in hand, Black's first.
fn hands_of(position: &Position) -> Hands {
    [Color::Black, Color::White].map(|color| PieceKind::IN_HAND.map(|kind| position.hand(color).count(kind)))
}
