//! The line of a record on view, and the place in it.

use crate::kifu::{NodeId, Record};

/// A line from the start to its end.
#[derive(Debug)]
pub(super) struct CurrentLine {
    nodes: Vec<NodeId>,
    place: usize,
}

impl CurrentLine {
    /// The main line, at its start.
    pub(super) fn main(record: &Record) -> Self {
        let mut line = Self { nodes: Vec::new(), place: 0 };
        line.extend(record, &[]);
        line
    }

    pub(super) fn nodes(&self) -> &[NodeId] {
        &self.nodes
    }

    pub(super) const fn place(&self) -> usize {
        self.place
    }

    pub(super) fn here(&self) -> NodeId {
        let index = self.place.checked_sub(1);
        index.and_then(|index| self.nodes.get(index)).copied().unwrap_or(NodeId::START)
    }

    pub(super) fn go_to(&mut self, place: usize) {
        self.place = place.min(self.nodes.len());
    }

    /// Goes to a node. A line that leads there is kept, so that what was looked at last stays ahead.
    pub(super) fn go(&mut self, record: &Record, node: NodeId) {
        let at = if node == NodeId::START {
            Some(0)
        } else {
            self.nodes.iter().position(|one| *one == node).map(|at| at + 1)
        };
        match at {
            Some(place) => self.place = place,
            None => self.refresh(record, node),
        }
    }

    /// Puts the line together anew after the record has changed, at a node or the nearest before it that is
    /// still there.
    pub(super) fn refresh(&mut self, record: &Record, node: NodeId) {
        let up = std::iter::successors(Some(node), |node| record.parent(*node));
        let node = up.into_iter().find(|node| record.holds(*node)).unwrap_or(NodeId::START);
        let before = std::mem::replace(&mut self.nodes, path(record, node));
        self.place = self.nodes.len();
        self.extend(record, &before);
    }

    /// Leads the line on to its end: the way it went before where it did, else along the first moves.
    fn extend(&mut self, record: &Record, before: &[NodeId]) {
        let mut last = self.nodes.last().copied().unwrap_or(NodeId::START);
        while let Some(first) = record.first_child(last) {
            let then = before.get(self.nodes.len()).copied();
            last = then.filter(|then| record.children(last).any(|child| child == *then)).unwrap_or(first);
            self.nodes.push(last);
        }
        // An end of which nobody knows what it is is no step of its own.
        let is_told = record.node(last).end().is_none_or(|end| end.is_decided() || end.is_a_pause());
        if !is_told {
            self.nodes.pop();
            self.place = self.place.min(self.nodes.len());
        }
    }
}

/// The nodes from the start to one, itself included, the start aside.
pub(super) fn path(record: &Record, node: NodeId) -> Vec<NodeId> {
    let up = std::iter::successors(Some(node), |node| record.parent(*node));
    let mut path: Vec<_> = up.take_while(|node| *node != NodeId::START).collect();
    path.reverse();
    path
}
