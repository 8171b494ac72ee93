//! The evaluations of a position, grouped by source and rank.

use super::evaluators::is_value;
use shogibar_kifu::evaluation::{Dialect, Evaluation, Source};
use std::collections::BTreeMap;

/// The source of an evaluation. `Ok` has the name of the engine without the limit. `Err` has the kind of source of an
/// unnamed evaluation.
type ValueSource<'s> = Result<&'s str, Source>;

fn source_of(evaluation: &Evaluation) -> ValueSource<'_> {
    let name = evaluation.engine.as_deref();
    name.map(|name| crate::analysis::signatures::signed_engine(name).unwrap_or(name))
        .ok_or(evaluation.source)
}

/// Returns the priority of the source of an evaluation: analysis after the game, then study, then the game itself.
fn source_priority(evaluation: &Evaluation) -> u8 {
    match evaluation.source {
        // A signed evaluation in another dialect was made after the game.
        _ if evaluation.engine.is_some() && evaluation.dialect != Dialect::ShogiHome => 2,
        Source::Analysis => 2,
        Source::Study => 1,
        Source::Game => 0,
    }
}

/// Returns the evaluations of the position itself, without evaluations of alternatives to the move played: they are
/// about another position.
fn position_evaluations(evaluations: &[Evaluation]) -> impl DoubleEndedIterator<Item = &Evaluation> {
    evaluations.iter().filter(|evaluation| !evaluation.is_alternative)
}

/// Returns the evaluations of the best informed source, by rank. The last evaluation of a rank counts, because it is
/// from a deeper search. A source with a value takes precedence over a source without one, such as a book.
pub fn best_informed(evaluations: &[Evaluation]) -> BTreeMap<u16, &Evaluation> {
    let Some(best) = position_evaluations(evaluations)
        .max_by_key(|evaluation| (is_value(evaluation), source_priority(evaluation)))
    else {
        return BTreeMap::new();
    };
    let (source, priority) = (source_of(best), source_priority(best));
    lines_by(evaluations, |evaluation| {
        source_of(evaluation) == source && source_priority(evaluation) == priority
    })
}

/// Returns the evaluations of a position that `is_wanted` selects, by rank. The last evaluation of a rank counts.
pub fn lines_by(
    evaluations: &[Evaluation],
    is_wanted: impl Fn(&Evaluation) -> bool,
) -> BTreeMap<u16, &Evaluation> {
    position_evaluations(evaluations)
        .filter(|evaluation| is_wanted(evaluation))
        .map(|evaluation| (evaluation.rank.unwrap_or(1).max(1), evaluation))
        .collect()
}
