//! The evaluations of a record, which are read from its comments on demand.

use shogibar_kifu::evaluation::Evaluation;
use shogibar_kifu::{NodeId, Record};
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

/// The maximum number of comments that a call reads, because more would delay the UI visibly.
const MAX_COMMENTS_PER_CALL: usize = 200;

/// The evaluations of a record that were read. Reading takes some microseconds per move of a pv, so the comments are
/// not read again in every frame.
#[derive(Debug, Default)]
pub struct EvaluationCache {
    /// The evaluations by node, with the hash of the comment that was read.
    evaluations: HashMap<NodeId, (u64, Vec<Evaluation>)>,
}

impl EvaluationCache {
    /// Reads the comments of `nodes` that are new or changed. Returns whether all of them are read. Reading is fastest
    /// in line order.
    pub(super) fn read(&mut self, record: &Record, nodes: &[NodeId]) -> bool {
        let mut walk = record.walk();
        let mut budget = MAX_COMMENTS_PER_CALL;
        for node in nodes {
            let Some(comment) = record.node(*node).comment() else {
                self.evaluations.remove(node);
                continue;
            };
            let hash = hash_of(comment);
            if self
                .evaluations
                .get(node)
                .is_some_and(|(known, _)| *known == hash)
            {
                continue;
            }
            let Some(remaining) = budget.checked_sub(1) else {
                return false;
            };
            budget = remaining;
            self.evaluations.insert(*node, (hash, walk.evaluations(*node)));
        }
        true
    }

    /// Returns whether the comments that were read have no evaluations.
    pub fn is_empty(&self) -> bool {
        self.evaluations
            .values()
            .all(|(_, evaluations)| evaluations.is_empty())
    }

    /// Returns the evaluations at a node, in the order of the comment; none if the comment was not read.
    pub fn get(&self, node: NodeId) -> &[Evaluation] {
        self.evaluations
            .get(&node)
            .map_or(&[], |(_, evaluations)| evaluations)
    }
}

fn hash_of(comment: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    comment.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    use shogibar_shogi::score::Value;

    #[test]
    fn changed_comment_is_read_again() {
        let game = "手数----指手---------消費時間--\n1 ７六歩(77)\n**評価値=120\n2 ３四歩(33)\n";
        let mut record = shogibar_kifu::read(game.as_bytes()).unwrap().games.remove(0);
        let line: Vec<_> = record.main_line().collect();
        let mut cache = EvaluationCache::default();
        let value =
            |cache: &EvaluationCache| cache.get(line[0]).first().and_then(|evaluation| evaluation.value);
        assert_eq!(value(&cache), None);
        assert!(cache.read(&record, &line));
        assert_eq!(value(&cache), Some(Value::Cp(120)));
        record.node_mut(line[0]).notes_mut().comment = Some("*評価値=-30".to_owned());
        assert!(cache.read(&record, &line));
        assert_eq!(value(&cache), Some(Value::Cp(-30)));
        record.node_mut(line[0]).notes_mut().comment = None;
        assert!(cache.read(&record, &line));
        assert_eq!(value(&cache), None);
    }

    #[test]
    fn long_game_is_read_in_parts() {
        let moves = ["5i5h", "5a5b", "5h5i", "5b5a"];
        let game = format!("position startpos moves {}", moves.repeat(120).join(" "));
        let mut record = shogibar_kifu::read(game.as_bytes()).unwrap().games.remove(0);
        let line: Vec<_> = record.main_line().collect();
        for node in &line {
            record.node_mut(*node).notes_mut().comment = Some("*評価値=1".to_owned());
        }
        let mut cache = EvaluationCache::default();
        let reads = std::iter::repeat_with(|| cache.read(&record, &line))
            .position(|done| done)
            .unwrap();
        assert_eq!(reads, line.len().div_ceil(MAX_COMMENTS_PER_CALL) - 1);
        assert!(line.iter().all(|node| !cache.get(*node).is_empty()));
    }
}
