//! The evaluations of a position, grouped by source and rank.

use super::evaluators::is_value;
use crate::kifu::evaluation::{Dialect, Evaluation, Source};
use std::collections::BTreeMap;

/// The source of an evaluation if the judge is unknown: an engine's name without its limit. Unnamed evaluations have
/// their kind of source.
type ValueSource<'s> = Result<&'s str, Source>;

fn source_of(evaluation: &Evaluation) -> ValueSource<'_> {
    let name = evaluation.engine.as_deref();
    name.map(|name| crate::analysis::signatures::engine(name).unwrap_or(name)).ok_or(evaluation.source)
}

/// Returns the priority of a source: analysis after the game, then study, then values stated during the game.
fn weight(evaluation: &Evaluation) -> u8 {
    match evaluation.source {
        // A signed evaluation in another dialect was made after the game.
        _ if evaluation.engine.is_some() && evaluation.dialect != Dialect::ShogiHome => 2,
        Source::Analysis => 2,
        Source::Study => 1,
        Source::Game => 0,
    }
}

/// Returns the evaluations of the position itself. Leaves out evaluations of alternatives to the move played: they are
/// about another position.
fn position_evaluations(evaluations: &[Evaluation]) -> impl DoubleEndedIterator<Item = &Evaluation> {
    evaluations.iter().filter(|evaluation| !evaluation.is_alternative)
}

/// Returns the evaluations of the best informed source, by rank. The last evaluation of a rank counts: it is from a
/// deeper search. A source with a value for the position takes precedence over one without, such as a book.
pub fn best_informed(evaluations: &[Evaluation]) -> BTreeMap<u16, &Evaluation> {
    let Some(best) =
        position_evaluations(evaluations).max_by_key(|evaluation| (is_value(evaluation), weight(evaluation)))
    else {
        return BTreeMap::new();
    };
    let (source, weight) = (self::source_of(best), self::weight(best));
    lines_by(evaluations, |evaluation| self::source_of(evaluation) == source && self::weight(evaluation) == weight)
}

/// Returns the evaluations of a position that `is_it` selects, by rank.
pub fn lines_by(evaluations: &[Evaluation], is_it: impl Fn(&Evaluation) -> bool) -> BTreeMap<u16, &Evaluation> {
    position_evaluations(evaluations)
        .filter(|evaluation| is_it(evaluation))
        .map(|evaluation| (evaluation.rank.unwrap_or(1).max(1), evaluation))
        .collect()
}
