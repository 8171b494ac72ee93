//! What is said of a position, line by line.

use super::judge::is_value;
use crate::kifu::evaluation::{Dialect, Evaluation, Source};
use std::collections::BTreeMap;

/// Who says something, where it is not known who judges: an engine, by its name without its limit, or else what all have that
/// are not named.
type ValueSource<'s> = Result<&'s str, Source>;

fn source_of(said: &Evaluation) -> ValueSource<'_> {
    let name = said.engine.as_deref();
    name.map(|name| crate::analysis::engine_result::engine(name).unwrap_or(name)).ok_or(said.source)
}

/// How well informed somebody is: whether it has looked afterwards, or before, or while it played.
fn weight(said: &Evaluation) -> u8 {
    match said.source {
        // An engine that signs has spoken afterwards, in whichever dialect.
        _ if said.engine.is_some() && said.dialect != Dialect::ShogiHome => 2,
        Source::Analysis => 2,
        Source::Study => 1,
        Source::Game => 0,
    }
}

/// What is said of a position itself: what is said of another move than the one played is said of another one.
fn position_evaluations(said: &[Evaluation]) -> impl DoubleEndedIterator<Item = &Evaluation> {
    said.iter().filter(|said| !said.is_alternative)
}

/// What the best informed says of a position, by rank. What it says later of a rank is of a deeper search. One that
/// says what the position is worth is better informed than one that does not, as a book is.
pub fn best_informed(said: &[Evaluation]) -> BTreeMap<u16, &Evaluation> {
    let Some(best) = position_evaluations(said).max_by_key(|said| (is_value(said), weight(said))) else {
        return BTreeMap::new();
    };
    let (voice, weight) = (self::source_of(best), self::weight(best));
    lines_by(said, |said| self::source_of(said) == voice && self::weight(said) == weight)
}

/// What one of those who speak of a position says of it, by rank.
pub fn lines_by(said: &[Evaluation], is_it: impl Fn(&Evaluation) -> bool) -> BTreeMap<u16, &Evaluation> {
    position_evaluations(said).filter(|said| is_it(said)).map(|said| (said.rank.unwrap_or(1).max(1), said)).collect()
}
