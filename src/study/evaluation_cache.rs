//! What a record says of its positions, read out of its comments as it is needed.

use crate::kifu::evaluation::Evaluation;
use crate::kifu::{NodeId, Record};
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

/// How many comments are read at a time: more would be seen as a halt of the window.
const AT_A_TIME: usize = 200;

/// The evaluations of a record, as far as they have been read. Reading one takes some microseconds for each
/// move of the line it states, too much for all of them in every frame.
#[derive(Debug, Default)]
pub struct EvaluationCache {
    /// By the node and what its comment was when it was read.
    known: HashMap<NodeId, (u64, Vec<Evaluation>)>,
}

impl EvaluationCache {
    /// Reads what is said at nodes and was not read yet, or is said otherwise now; whether that was all. Nodes of
    /// a line are read fastest in its order.
    pub fn read(&mut self, record: &Record, nodes: &[NodeId]) -> bool {
        let mut walk = record.walk();
        let mut left = AT_A_TIME;
        for node in nodes {
            let Some(comment) = record.node(*node).comment() else {
                self.known.remove(node);
                continue;
            };
            let mark = mark(comment);
            if self.known.get(node).is_some_and(|(known, _)| *known == mark) {
                continue;
            }
            let Some(less) = left.checked_sub(1) else { return false };
            left = less;
            self.known.insert(*node, (mark, walk.evaluations(*node)));
        }
        true
    }

    /// Whether nothing was said of any position, as far as it was read.
    pub fn is_silent(&self) -> bool {
        self.known.values().all(|(_, said)| said.is_empty())
    }

    /// What is said at a node, in the order of its comment.
    pub fn get(&self, node: NodeId) -> &[Evaluation] {
        self.known.get(&node).map_or(&[], |(_, said)| said)
    }
}

fn mark(comment: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    comment.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kifu;
    use crate::score::Value;

    #[test]
    fn a_comment_is_read_again_when_it_says_something_else() {
        let game = "手数----指手---------消費時間--\n1 ７六歩(77)\n**評価値=120\n2 ３四歩(33)\n";
        let mut record = kifu::read(game.as_bytes()).unwrap().games.remove(0);
        let line: Vec<_> = record.main_line().collect();
        let mut said = EvaluationCache::default();
        let value = |said: &EvaluationCache| said.get(line[0]).first().and_then(|said| said.value);
        assert_eq!(value(&said), None);
        assert!(said.read(&record, &line));
        assert_eq!(value(&said), Some(Value::Cp(120)));
        record.node_mut(line[0]).notes_mut().comment = Some("*評価値=-30".to_owned());
        assert!(said.read(&record, &line));
        assert_eq!(value(&said), Some(Value::Cp(-30)));
        record.node_mut(line[0]).notes_mut().comment = None;
        assert!(said.read(&record, &line));
        assert_eq!(value(&said), None);
    }

    #[test]
    fn a_long_game_is_read_in_parts() {
        let moves = ["5i5h", "5a5b", "5h5i", "5b5a"];
        let game = format!("position startpos moves {}", moves.repeat(120).join(" "));
        let mut record = kifu::read(game.as_bytes()).unwrap().games.remove(0);
        let line: Vec<_> = record.main_line().collect();
        for node in &line {
            record.node_mut(*node).notes_mut().comment = Some("*評価値=1".to_owned());
        }
        let mut said = EvaluationCache::default();
        let reads = std::iter::repeat_with(|| said.read(&record, &line)).position(|done| done).unwrap();
        assert_eq!(reads, line.len().div_ceil(AT_A_TIME) - 1);
        assert!(line.iter().all(|node| !said.get(*node).is_empty()));
    }
}
