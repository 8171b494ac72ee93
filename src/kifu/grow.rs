//! Moves added to a record.

use super::record::{NodeId, Record, Step};
use crate::shogi::Move;

impl Record {
    /// Adds a line of moves from a node on, up to the first that is illegal or has no room: along the moves that
    /// are there already, and then as the last of the variations. Returns whether there was anything to add.
    /// Nothing comes after an end.
    pub fn add_line(&mut self, from: NodeId, moves: &[Move]) -> bool {
        let mut position = self.walk().go(from).clone();
        let before = self.size();
        let mut here = from;
        for &mv in moves {
            if self.node(here).end().is_some() || position.play(mv).is_err() {
                break;
            }
            let there = self.child_by(here, mv);
            let Some(next) = there.or_else(|| self.add(here, Step::Move(mv))) else { break };
            here = next;
        }
        self.size() > before
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kifu;

    #[test]
    fn a_line_joins_what_is_there() {
        let text = "手合割：平手\n1 ７六歩(77)\n2 ３四歩(33)\n3 投了\n";
        let mut record = kifu::read(text.as_bytes()).unwrap().games.remove(0);
        let mut add = |line: &str, expect: bool, nodes: usize| {
            let moves: Vec<_> = line.split(' ').filter_map(Move::from_usi).collect();
            assert_eq!((record.add_line(NodeId::START, &moves), record.size()), (expect, nodes), "{line}");
            record.main_line().count()
        };
        assert_eq!(add("7g7f 3c3d", false, 4), 3);
        assert_eq!(add("7g7f 8c8d 2g2f 9i1a 3c3d", true, 6), 3, "up to the illegal move");
        assert_eq!(add("7g7f 8c8d 2g2f", false, 6), 3);
        assert_eq!(add("2g2f", true, 7), 3);
        assert_eq!(add("7g7f 3c3d 2g2f", true, 8), 3, "beside the end");
        let end = record.main_line().last().unwrap();
        assert!(!record.add_line(end, &[Move::from_usi("2g2f").unwrap()]), "nothing comes after an end");
    }
}
