//! A position that moves through the nodes of a record.

use super::record::{NodeId, Record, Step};
use shogibar_shogi::{IllegalMove, Move, Position, Square, Undo};

/// The position at a node of a record. Going to another node costs the moves between them.
#[derive(Clone, Debug)]
pub struct Walk<'r> {
    record: &'r Record,
    trail: MoveTrail,
}

/// The number of moves after which the position drops its history. Each move searches the history for repetitions, so a
/// long history makes moves slow.
const MAX_HISTORY_PLIES: usize = 512;

/// The line of moves from the start to the current node, and the position there.
#[derive(Clone, Debug)]
pub(super) struct MoveTrail {
    position: Position,
    /// The moves with their nodes, and the data to take each back.
    moves: Vec<(NodeId, Move, Undo)>,
}

impl Record {
    /// Returns a position that can go to every node.
    pub fn walk(&self) -> Walk<'_> {
        Walk {
            record: self,
            trail: MoveTrail::new(self.start().clone()),
        }
    }
}

impl<'r> Walk<'r> {
    /// Goes to a node, and returns the position there. At an end, this is the position before the end.
    pub fn go(&mut self, to: NodeId) -> &Position {
        self.trail.go(self.record, to);
        &self.trail.position
    }

    pub(super) const fn record(&self) -> &'r Record {
        self.record
    }

    /// Returns the current position.
    pub const fn position(&self) -> &Position {
        &self.trail.position
    }

    /// Returns the target square of the last move, for 同; `None` at the start.
    pub fn last_to(&self) -> Option<Square> {
        self.trail.last_to()
    }
}

impl MoveTrail {
    pub(super) const fn new(position: Position) -> Self {
        Self {
            position,
            moves: Vec::new(),
        }
    }

    pub(super) const fn position(&self) -> &Position {
        &self.position
    }

    pub(super) fn last_to(&self) -> Option<Square> {
        self.moves.last().map(|(_, mv, _)| mv.to())
    }

    /// Plays a move and calls `node` to create its node. Without a node, the move is undone.
    ///
    /// # Errors
    /// Fails if the move is illegal or there is no node.
    pub(super) fn play(
        &mut self,
        mv: Move,
        node: impl FnOnce() -> Option<NodeId>,
    ) -> Result<(), IllegalMove> {
        let is_long = self.moves.len() % MAX_HISTORY_PLIES == MAX_HISTORY_PLIES - 1;
        let undo = if is_long {
            self.position.play_without_history(mv)?
        } else {
            self.position.play_with_undo(mv)?
        };
        if let Some(node) = node() {
            self.moves.push((node, mv, undo));
            Ok(())
        } else {
            self.position.undo(undo);
            Err(IllegalMove::TooLong)
        }
    }

    /// Goes to a node of the record to which this line belongs. Returns the number of moves that were played.
    pub(super) fn go(&mut self, record: &Record, to: NodeId) -> usize {
        let mut ahead = Vec::new();
        let mut at = to;
        while let Some(parent) = record.parent(at) {
            let node = record.node(at);
            if let Step::Move(mv) = node.step() {
                let index = usize::from(node.ply()).saturating_sub(1);
                if self.moves.get(index).is_some_and(|(id, ..)| *id == at) {
                    break;
                }
                ahead.push((at, *mv));
            }
            at = parent;
        }
        self.shorten(usize::from(record.node(at).ply()));
        for (id, mv) in ahead.iter().rev() {
            // Every move of a record is legal in its position.
            let _legal = self.play(*mv, || Some(*id));
        }
        ahead.len()
    }

    /// Takes back the moves beyond this number.
    fn shorten(&mut self, length: usize) {
        while self.moves.len() > length {
            if let Some((.., undo)) = self.moves.pop() {
                self.position.undo(undo);
            }
        }
    }
}
