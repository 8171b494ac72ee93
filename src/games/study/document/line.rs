//! The current line of a record and the current node in it.

use shogibar_kifu::{NodeId, Record};

/// A line of a record from the start to its end, with the current ply.
#[derive(Debug)]
pub(super) struct CurrentLine {
    /// The nodes of the line without the start.
    nodes: Vec<NodeId>,
    /// The ply of the current node: 0 at the start.
    ply: usize,
}

impl CurrentLine {
    /// Creates the main line of a record. The start is current.
    pub(super) fn main(record: &Record) -> Self {
        let mut line = Self {
            nodes: Vec::new(),
            ply: 0,
        };
        line.extend(record, &[]);
        line
    }

    pub(super) fn nodes(&self) -> &[NodeId] {
        &self.nodes
    }

    pub(super) const fn ply(&self) -> usize {
        self.ply
    }

    pub(super) fn current_node(&self) -> NodeId {
        let index = self.ply.checked_sub(1);
        index
            .and_then(|index| self.nodes.get(index))
            .copied()
            .unwrap_or(NodeId::START)
    }

    pub(super) fn go_to(&mut self, ply: usize) {
        self.ply = ply.min(self.nodes.len());
    }

    /// Goes to a node. Keeps the line if it contains the node, so that the moves after the node are kept.
    pub(super) fn go(&mut self, record: &Record, node: NodeId) {
        let at = if node == NodeId::START {
            Some(0)
        } else {
            self.nodes.iter().position(|one| *one == node).map(|at| at + 1)
        };
        match at {
            Some(ply) => self.ply = ply,
            None => self.refresh(record, node),
        }
    }

    /// Rebuilds the line after a change of the record. Goes to a node, or to its nearest remaining ancestor.
    pub(super) fn refresh(&mut self, record: &Record, node: NodeId) {
        let node = record
            .ancestors(node)
            .find(|node| record.is_attached(*node))
            .unwrap_or(NodeId::START);
        let before = std::mem::replace(&mut self.nodes, record.path(node));
        self.ply = self.nodes.len();
        self.extend(record, &before);
    }

    /// Extends the line to its end, along the nodes of the previous line where they still follow, else along the first
    /// children.
    fn extend(&mut self, record: &Record, before: &[NodeId]) {
        let mut last = self.nodes.last().copied().unwrap_or(NodeId::START);
        while let Some(first) = record.first_child(last) {
            let previous = before.get(self.nodes.len()).copied();
            last = previous
                .filter(|previous| record.children(last).any(|child| child == *previous))
                .unwrap_or(first);
            self.nodes.push(last);
        }
        // An end of unknown meaning is not a step of the line.
        let is_step = record
            .node(last)
            .end()
            .is_none_or(|end| end.is_decided() || end.is_pause());
        if !is_step {
            self.nodes.pop();
            self.ply = self.ply.min(self.nodes.len());
        }
    }
}
