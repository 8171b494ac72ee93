//! The openings of a match: from a file, or random ones that are balanced.

use crate::kifu::{self, Format, ReadError};
use crate::random::SplitMix;
use crate::score::UsiScore;
use crate::search::{Control, Limits, Searcher};
use crate::shogi::{History, Position};
use std::path::Path;
use thiserror::Error;

/// An opening: the position in which the engines begin, with its moves.
pub type Opening = History;

/// The number of plies taken from a whole game.
const PLIES: usize = 24;
/// The number of plies of a random opening.
const RANDOM_PLIES: usize = 8;
/// The largest value of a balanced position, in centipawns of the built-in engine.
const BALANCED: i32 = 120;
/// The nodes of its search after each move, and at the end.
const NODES: [u64; 2] = [400, 10_000];
/// The number of random moves that are tried, and that of random lines for an opening.
const TRIES: [usize; 2] = [40, 100];

/// Why a file has no openings.
#[derive(Debug, Error)]
pub enum OpeningsError {
    /// The file is no record.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// No engine can play from any of its positions.
    #[error("no engine can play from its positions")]
    NoneSearchable,
}

/// Returns the openings of a file: the positions at the end of USI, SFEN and EPD lines, and those of other records after
/// 24 plies. Positions from which no engine can play, and those where the game is over, are left out.
///
/// # Errors
/// If the file has no opening.
pub fn read_openings(bytes: &[u8], name: &Path) -> Result<Vec<Opening>, OpeningsError> {
    let mut histories = Vec::new();
    let summary = kifu::read_each(bytes, name, &mut |record| {
        histories.push([PLIES, usize::MAX].map(|plies| record.history(plies)));
    })?;
    let is_position = matches!(summary.format, Format::Usi | Format::Usen | Format::Epd);
    let openings = histories.into_iter().map(|[cut, whole]| if is_position { whole } else { cut });
    let can_begin = |opening: &Opening| {
        let now = opening.now();
        now.searchable().is_ok() && !now.legal_moves().is_empty() && now.repetition().is_none()
    };
    let openings: Vec<_> = openings.filter(can_begin).collect();
    if openings.is_empty() { Err(OpeningsError::NoneSearchable) } else { Ok(openings) }
}

/// Returns different random openings from the start of an even game. The built-in engine finds both sides about equal.
/// The same seed gives the same openings.
pub fn random_openings(count: usize, seed: u64) -> Vec<Opening> {
    let (mut random, mut searcher) = (RandomMoves(SplitMix(seed)), Searcher::new(1));
    let mut openings: Vec<Opening> = Vec::with_capacity(count);
    for _ in 0..count.saturating_mul(TRIES[1]) {
        if openings.len() == count {
            break;
        }
        let opening = random.line(&mut searcher);
        if opening.moves().len() == RANDOM_PLIES
            && is_balanced(&opening, NODES[1], &mut searcher)
            && openings.iter().all(|known| known.moves() != opening.moves())
        {
            openings.push(opening);
        }
    }
    openings
}

fn is_balanced(opening: &Opening, nodes: u64, searcher: &mut Searcher) -> bool {
    if opening.now().in_check() {
        return false;
    }
    searcher.clear();
    let (mut value, limits) = (None, Limits { nodes, ..Limits::default() });
    let result = searcher.think(opening, &limits, &Control::new(None), &|| 0, &mut |report| value = Some(report.score));
    result.is_ok() && matches!(value, Some(UsiScore::Cp(cp)) if cp.abs() <= BALANCED)
}

/// A generator of random lines.
struct RandomMoves(SplitMix);

impl RandomMoves {
    /// Returns a line in which no move loses much.
    fn line(&mut self, searcher: &mut Searcher) -> Opening {
        let mut line = History::new(Position::startpos());
        for _ in 0..TRIES[0] {
            if line.moves().len() == RANDOM_PLIES {
                break;
            }
            let moves = line.now().legal_moves();
            let mut next = line.clone();
            let is_played = moves.get(self.0.below(moves.len())).is_some_and(|mv| next.play(*mv).is_ok());
            if is_played && is_balanced(&next, NODES[0], searcher) {
                line = next;
            }
        }
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_openings_are_different_and_repeatable() {
        let openings = random_openings(6, 1);
        assert_eq!(openings.len(), 6);
        assert!(openings.iter().all(|opening| opening.moves().len() == RANDOM_PLIES));
        assert_eq!(random_openings(3, 1), openings[..3]);
        assert_ne!(random_openings(3, 2), openings[..3]);
    }

    #[test]
    fn openings_are_lines_positions_and_beginnings_of_games() {
        let check = |text: &str, expect: &[usize]| {
            let found = read_openings(text.as_bytes(), Path::new("")).unwrap();
            assert_eq!(found.iter().map(|opening| opening.moves().len()).collect::<Vec<_>>(), expect, "{text}");
        };
        check("startpos moves 7g7f 3c3d\nposition startpos moves 2g2f\n", &[2, 1]);
        check("sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n", &[0]);
        check(&format!("startpos moves {}", "7i6h 3a4b 6h7i 4b3a ".repeat(2)), &[8]);
        let refused = read_openings(b"sfen 8k/9/9/9/9/9/9/9/9 b - 1\n", Path::new(""));
        assert!(refused.is_err());
        assert!(read_openings(b"hello", Path::new("")).is_err());
    }
}
