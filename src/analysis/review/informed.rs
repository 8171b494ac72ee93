//! Who is heard of several that speak of one position.

use crate::kifu::evaluation::{Dialect, Evaluation, Source};
use std::collections::BTreeMap;

/// One that evaluates positions: two values can be compared where they are by the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Voice<'s> {
    /// An engine, by its name without its limit, or else what all have that are not named.
    engine: Result<&'s str, Source>,
    weight: Weight,
}

/// How well informed somebody is: whether it is one that is wanted, and then whether it has looked afterwards, or
/// before, or while it played.
type Weight = (bool, u8);

impl<'s> Voice<'s> {
    /// Who says this. One of `engines` is wanted, each by its name or [signature](crate::analysis::signature).
    fn of(said: &'s Evaluation, engines: &[&str]) -> Self {
        let name = said.engine.as_deref();
        let informed = match said.source {
            Source::Analysis => 2,
            Source::Study => 1,
            Source::Game => 0,
        };
        // An engine that signs has spoken afterwards, in whichever dialect.
        let informed = if name.is_some() && said.dialect != Dialect::ShogiHome { 2 } else { informed };
        let engine = name.map(|name| crate::analysis::judgement::engine(name).unwrap_or(name)).ok_or(said.source);
        Self { engine, weight: (name.is_some_and(|name| engines.contains(&name)), informed) }
    }

    /// Whether what the two say can be compared.
    fn is(self, other: Self) -> bool {
        self.engine == other.engine
    }
}

/// What is said of a position itself: what is said of another move than the one played is said of another one.
fn of_position(said: &[Evaluation]) -> impl DoubleEndedIterator<Item = &Evaluation> {
    said.iter().filter(|said| !said.is_alternative)
}

/// Whether it says what the position is worth: the value of the best line.
fn is_value(said: &Evaluation) -> bool {
    said.value.is_some() && said.rank.unwrap_or(1) <= 1
}

/// Who says what a position is worth, and what it is, by the best informed: one of `engines` before all others, an
/// analysis before somebody's study, and that before a player; of these, the last.
pub(super) fn stated<'s>(said: &'s [Evaluation], engines: &[&str]) -> Option<&'s Evaluation> {
    of_position(said).filter(|said| is_value(said)).max_by_key(|said| Voice::of(said, engines).weight)
}

/// What one and the same says of two positions: of those that speak of both the one that is best informed of the one
/// it knows less of.
pub(super) fn pair<'s>(
    before: &'s [Evaluation],
    after: &'s [Evaluation],
    engines: &[&str],
) -> Option<[&'s Evaluation; 2]> {
    let values = |said: &'s [Evaluation]| of_position(said).filter(|said| is_value(said));
    let both = values(after).filter_map(|after| {
        let voice = Voice::of(after, engines);
        let before = values(before).filter(|before| voice.is(Voice::of(before, engines)));
        let before = before.max_by_key(|before| Voice::of(before, engines).weight)?;
        Some((voice.weight.min(Voice::of(before, engines).weight), [before, after]))
    });
    both.max_by_key(|(weight, _)| *weight).map(|(_, both)| both)
}

/// What the best informed says of a position, by rank. What it says later of a rank is of a deeper search. One that
/// says what the position is worth is better informed than one that does not, as a book is.
pub fn best_informed<'s>(said: &'s [Evaluation], engines: &[&str]) -> BTreeMap<u16, &'s Evaluation> {
    let weight = |said: &&Evaluation| (is_value(said), Voice::of(said, engines).weight);
    let Some(best) = of_position(said).max_by_key(weight) else { return BTreeMap::new() };
    let voice = Voice::of(best, engines);
    let its = of_position(said).filter(|said| voice == Voice::of(said, engines));
    its.map(|said| (said.rank.unwrap_or(1).max(1), said)).collect()
}
