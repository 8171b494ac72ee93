//! The openings of a match: from a file, or random ones that are balanced.

use shogibar_base::random::SplitMix;
use shogibar_base::stable_hash::StableHasher;
use shogibar_builtin::{Control, Limits, Searcher};
use shogibar_kifu::{Format, ReadError};
use shogibar_shogi::score::UsiScore;
use shogibar_shogi::{History, Position};
use std::path::Path;
use thiserror::Error;

/// An opening: the position in which the engines begin, with its moves.
pub type Opening = History;

/// The number of plies of a game that are taken as an opening.
const MAX_OPENING_PLIES: usize = 24;
/// The number of plies of a random opening.
const RANDOM_OPENING_PLIES: usize = 8;
/// The maximum absolute score of a balanced position, in centipawns of the built-in engine.
const MAX_OPENING_SCORE: i32 = 120;
/// The number of nodes of the search after each random move.
const MOVE_CHECK_NODES: u64 = 400;
/// The number of nodes of the search after a whole random opening.
const OPENING_CHECK_NODES: u64 = 10_000;
/// The maximum number of random moves that are tried for a line.
const MAX_TRIED_MOVES: usize = 40;
/// The maximum number of random lines that are tried for an opening.
const MAX_TRIED_LINES: usize = 100;

/// The source of the openings of a match.
#[derive(Debug)]
pub enum OpeningBook {
    /// The openings of a file, which are repeated after the last one.
    Listed(Vec<Opening>),
    /// Random openings, in unlimited number.
    Random(RandomOpenings),
}

/// The reason why a file has no openings.
#[derive(Debug, Error)]
pub enum OpeningsError {
    /// The file is no record.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// No engine can play from any position of the file.
    #[error("no engine can play from its positions")]
    NoneSearchable,
}

impl OpeningBook {
    /// Creates random openings from the start of an even game. After each opening, the built-in engine values both
    /// sides about equally. The same seed gives the same openings.
    pub fn random(seed: u64) -> Self {
        Self::Random(RandomOpenings {
            seed,
            random_lines: RandomLines(SplitMix(seed)),
            searcher: Searcher::new(1, 1),
            openings: Vec::new(),
        })
    }

    /// Returns the text that identifies these openings in a file.
    pub fn identity(&self) -> String {
        match self {
            // The seed is independent of the number of openings: a longer match begins with the same ones.
            Self::Random(random) => format!("seed {}", random.seed),
            Self::Listed(openings) => {
                let mut hasher = StableHasher::new();
                for opening in openings {
                    hasher.add_text(&opening.usi());
                }
                hasher.text()
            }
        }
    }

    /// Returns the index of the `nth` opening that is played, both from 0.
    pub const fn opening_index(&self, nth: usize) -> usize {
        match self {
            Self::Listed(openings) if openings.is_empty() => 0,
            Self::Listed(openings) => nth % openings.len(),
            Self::Random(_) => nth,
        }
    }

    /// Returns the `nth` opening that is played, from 0; the even start position where there is none. Random openings
    /// are generated when they are needed.
    pub fn opening(&mut self, nth: usize) -> Opening {
        let index = self.opening_index(nth);
        let opening = match self {
            Self::Listed(openings) => openings.get(index),
            Self::Random(random) => random.get(index),
        };
        opening
            .cloned()
            .unwrap_or_else(|| Opening::new(Position::startpos()))
    }
}

/// Returns the openings of a file: the last position of each USI, SFEN, USEN or EPD line. Of any other record, the
/// opening is the position after 24 plies. Positions from which no engine can play, and those where the game is over,
/// are left out.
///
/// # Errors
/// Fails if the file has no opening.
pub fn read_openings(bytes: &[u8], name: &Path) -> Result<Vec<Opening>, OpeningsError> {
    let mut histories = Vec::new();
    let summary = shogibar_kifu::read_each(bytes, name, &mut |record| {
        histories.push([MAX_OPENING_PLIES, usize::MAX].map(|plies| record.history(plies)));
    })?;
    let is_position = matches!(summary.format, Format::Usi | Format::Usen | Format::Epd);
    let openings = histories
        .into_iter()
        .map(|[cut, whole]| if is_position { whole } else { cut });
    let openings: Vec<_> = openings
        .filter(|opening| {
            let now = opening.now();
            now.searchable().is_ok() && !now.legal_moves().is_empty() && now.repetition().is_none()
        })
        .collect();
    if openings.is_empty() {
        Err(OpeningsError::NoneSearchable)
    } else {
        Ok(openings)
    }
}

/// Random openings, all of them different.
#[derive(Debug)]
pub struct RandomOpenings {
    seed: u64,
    random_lines: RandomLines,
    searcher: Searcher,
    /// The openings generated so far.
    openings: Vec<Opening>,
}

impl RandomOpenings {
    /// Returns an opening by its index; `None` if [`MAX_TRIED_LINES`] do not give one.
    fn get(&mut self, index: usize) -> Option<&Opening> {
        let missing = (index + 1).saturating_sub(self.openings.len());
        for _ in 0..missing.saturating_mul(MAX_TRIED_LINES) {
            if self.openings.len() > index {
                break;
            }
            let opening = self.random_lines.next_line(&mut self.searcher);
            if opening.moves().len() == RANDOM_OPENING_PLIES
                && is_balanced(&opening, OPENING_CHECK_NODES, &mut self.searcher)
                && self.openings.iter().all(|known| known.moves() != opening.moves())
            {
                self.openings.push(opening);
            }
        }
        self.openings.get(index)
    }
}

/// Returns whether the built-in engine values both sides about equally after a search of `nodes` nodes. A position in
/// check is not balanced.
fn is_balanced(opening: &Opening, nodes: u64, searcher: &mut Searcher) -> bool {
    if opening.now().in_check() {
        return false;
    }
    searcher.clear();
    let (mut value, limits) = (
        None,
        Limits {
            nodes,
            ..Limits::default()
        },
    );
    let result = searcher.think(opening, &limits, &Control::new(None), &|| 0, &mut |report| {
        value = Some(report.score);
    });
    result.is_ok() && matches!(value, Some(UsiScore::Cp(cp)) if cp.abs() <= MAX_OPENING_SCORE)
}

/// A generator of random balanced lines.
#[derive(Debug)]
struct RandomLines(SplitMix);

impl RandomLines {
    /// Returns a line that is balanced after each move. The line may be shorter than [`RANDOM_OPENING_PLIES`].
    fn next_line(&mut self, searcher: &mut Searcher) -> Opening {
        let mut line = History::new(Position::startpos());
        for _ in 0..MAX_TRIED_MOVES {
            if line.moves().len() == RANDOM_OPENING_PLIES {
                break;
            }
            let moves = line.now().legal_moves();
            let mut next = line.clone();
            let is_played = moves
                .get(self.0.below(moves.len()))
                .is_some_and(|mv| next.play(*mv).is_ok());
            if is_played && is_balanced(&next, MOVE_CHECK_NODES, searcher) {
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
        let openings = |seed, numbers: &[usize]| {
            let mut book = OpeningBook::random(seed);
            numbers
                .iter()
                .map(|number| book.opening(*number))
                .collect::<Vec<_>>()
        };
        let six = openings(1, &[0, 1, 2, 3, 4, 5]);
        assert!(
            six.iter()
                .all(|opening| opening.moves().len() == RANDOM_OPENING_PLIES)
        );
        assert!((1..6).all(|number| !six[..number].contains(&six[number])));
        assert_eq!(
            openings(1, &[2, 0, 1, 0]),
            [&six[2], &six[0], &six[1], &six[0]].map(Clone::clone)
        );
        assert_ne!(openings(2, &[0, 1, 2]), six[..3]);
    }

    #[test]
    fn random_openings_are_generated_when_needed() {
        let mut book = OpeningBook::random(1);
        book.opening(1);
        let made = if let OpeningBook::Random(random) = &book {
            random.openings.len()
        } else {
            0
        };
        assert_eq!((made, book.opening_index(500_000)), (2, 500_000));
    }

    #[test]
    fn listed_openings_begin_again() {
        let listed = read_openings(b"startpos moves 7g7f\nstartpos moves 2g2f\n", Path::new("")).unwrap();
        let mut book = OpeningBook::Listed(listed.clone());
        assert_eq!((book.opening_index(3), book.opening(3)), (1, listed[1].clone()));
        assert_ne!(
            book.identity(),
            OpeningBook::Listed(listed[1..].to_vec()).identity()
        );
        assert_eq!(OpeningBook::random(5).identity(), "seed 5");
    }

    #[test]
    fn openings_are_lines_positions_and_beginnings_of_games() {
        let check = |text: &str, expect: &[usize]| {
            let found = read_openings(text.as_bytes(), Path::new("")).unwrap();
            assert_eq!(
                found
                    .iter()
                    .map(|opening| opening.moves().len())
                    .collect::<Vec<_>>(),
                expect,
                "{text}"
            );
        };
        check(
            "startpos moves 7g7f 3c3d\nposition startpos moves 2g2f\n",
            &[2, 1],
        );
        check(
            "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n",
            &[0],
        );
        check(
            &format!("startpos moves {}", "7i6h 3a4b 6h7i 4b3a ".repeat(2)),
            &[8],
        );
        let refused = read_openings(b"sfen 8k/9/9/9/9/9/9/9/9 b - 1\n", Path::new(""));
        assert!(refused.is_err());
        assert!(read_openings(b"hello", Path::new("")).is_err());
    }
}
