//! The choice between several starts with one handicap name.

use super::builder::Builder;
use super::warning::{RecordProblem, Warnings, quote};
use shogibar_shogi::{Position, Square};
use std::cmp::Reverse;

/// The start that was chosen among the starts with one handicap name.
pub(super) struct ChosenStart {
    pub(super) position: Position,
    /// The warning about the choice; `None` if there was no choice.
    pub(super) problem: Option<RecordProblem>,
}

/// The moves of a game that can be read from a start.
#[derive(Clone, Copy, Debug, Default)]
struct FittingMoves {
    /// The number of moves in the main line, and the number of moves in all lines.
    counts: (usize, usize),
    /// Whether all moves of the game can be read.
    has_all_moves: bool,
}

/// Counts the moves of a game that are read from `start`. `read` reads the game from a start.
fn count_moves_from(
    start: &Position,
    read: &mut impl FnMut(&Position, &mut Warnings) -> Option<Builder>,
) -> FittingMoves {
    let mut warnings = Warnings::default();
    let Some(builder) = read(start, &mut warnings) else {
        return FittingMoves::default();
    };
    let record = builder.finish(Vec::new(), false, &mut warnings);
    FittingMoves {
        counts: record.move_counts(),
        has_all_moves: warnings.has_all_moves(),
    }
}

/// Tries the first two of `starts`. Returns the one that more of the moves fit, or the first, which is the usual one,
/// if both fit the same number. Returns `None` without starts. `read` reads the game from a start.
pub(super) fn choose(
    name: &str,
    starts: Vec<Position>,
    mut read: impl FnMut(&Position, &mut Warnings) -> Option<Builder>,
) -> Option<ChosenStart> {
    let mut starts = starts.into_iter();
    let (usual, other) = (starts.next()?, starts.next());
    let Some(other) = other else {
        return Some(ChosenStart {
            position: usual,
            problem: None,
        });
    };
    let mut tried = [usual, other].map(|start| (count_moves_from(&start, &mut read), start));
    tried.sort_by_key(|(moves, _)| Reverse(moves.counts));
    let [(best, taken), (other, dropped)] = tried;
    let problem = if best.counts == other.counts {
        RecordProblem::UndecidedStart
    } else if best.has_all_moves && !other.has_all_moves {
        RecordProblem::DecidedStart
    } else {
        RecordProblem::LikelierStart
    };
    let empty =
        Square::all().find(|square| taken.piece_on(*square).is_none() && dropped.piece_on(*square).is_some());
    let problem = empty.map(|empty| problem(quote(name), empty));
    Some(ChosenStart {
        position: taken,
        problem,
    })
}
