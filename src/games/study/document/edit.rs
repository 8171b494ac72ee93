//! The steps and changes of the user in a record, as values.

use super::Document;
use shogibar_kifu::board_mark::BoardMark;
use shogibar_kifu::{End, NodeId, Reason};
use shogibar_shogi::{Move, Position};

/// An edit of a record by the user: a step in it, or a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DocumentEdit {
    /// Go to a ply of the current line.
    GoTo(usize),
    /// Go to a node of the record.
    Go(NodeId),
    /// Go to the next or previous branch.
    GoToBranch {
        /// Whether to go to the next, not the previous one.
        forward: bool,
    },
    /// Go to the next or previous variation of the current move.
    GoToSibling {
        /// Whether to go to the next, not the previous one.
        forward: bool,
    },
    /// Play a move. An illegal move is ignored.
    Play(Move),
    /// Set the comment at a node.
    SetComment(NodeId, String),
    /// Draw a mark on the board of a node. The same mark is removed, another with the same squares replaced.
    ToggleMark(NodeId, BoardMark),
    /// Remove all marks on the board of a node.
    ClearMarks(NodeId),
    /// Delete a node and everything after the node.
    DeleteNode(NodeId),
    /// Replace a move by another one from the same position.
    ReplaceNode {
        /// The move to delete, with everything after it.
        old: NodeId,
        /// The move to keep.
        new: NodeId,
    },
    /// Set the players' names, other headers, and the start position.
    SetHeaders {
        /// The players' names, Black's first. A blank name removes the name.
        names: [String; 2],
        /// Other headers of the record, as keys and values. A blank value removes a header.
        others: Vec<(&'static str, String)>,
        /// The start position; `None` to keep the present one.
        start: Option<Box<Position>>,
    },
    /// Move a node up by one among its siblings.
    PromoteNode(NodeId),
    /// Make the line through a node the main line.
    MakeMainLine(NodeId),
    /// Insert moves as a variation after a node. `None` stands for the last move at or before the current node.
    Insert(Option<NodeId>, Vec<Move>),
    /// Add an end with a reason after the current move.
    End(Reason),
    /// Undo the last change.
    UndoChange,
    /// Redo the last change that was undone.
    RedoChange,
}

impl Document {
    /// Applies an edit.
    pub fn apply(&mut self, edit: DocumentEdit) {
        match edit {
            DocumentEdit::GoTo(ply) => self.go_to(ply),
            DocumentEdit::Go(node) => self.go(node),
            DocumentEdit::GoToBranch { forward } => self.go_to_branch(forward),
            DocumentEdit::GoToSibling { forward } => self.go_to_sibling(forward),
            DocumentEdit::Play(mv) => {
                let _illegal = self.play(mv);
            }
            DocumentEdit::SetComment(node, comment) => self.set_comment(node, &comment),
            DocumentEdit::ToggleMark(node, mark) => self.toggle_mark(node, mark),
            DocumentEdit::ClearMarks(node) => self.clear_marks(node),
            DocumentEdit::DeleteNode(node) => self.delete(node),
            DocumentEdit::ReplaceNode { old, new } => self.replace(old, new),
            DocumentEdit::SetHeaders { names, others, start } => {
                let others: Vec<_> = others.iter().map(|(key, value)| (*key, value.as_str())).collect();
                self.set_headers(names.each_ref().map(String::as_str), &others, start.as_deref());
            }
            DocumentEdit::PromoteNode(node) => self.promote(node),
            DocumentEdit::MakeMainLine(node) => self.promote_to_main(node),
            DocumentEdit::Insert(node, moves) => {
                self.insert(node.unwrap_or_else(|| self.last_move()), &moves);
            }
            DocumentEdit::End(reason) => {
                let end = End::at_position(reason, self.history_at(self.last_move()).now());
                self.end(end);
            }
            DocumentEdit::UndoChange => self.undo(),
            DocumentEdit::RedoChange => self.redo(),
        }
    }
}
