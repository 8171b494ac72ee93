//! A game record that is studied: the current line and node, undo and redo, and the saved state. Pure: no I/O.

mod edit;
mod line;
mod merge;
mod undo;

use super::EvaluationCache;
use crate::bar::Ending;
pub use edit::DocumentEdit;
use line::CurrentLine;
use shogibar_config::CommandCondition;
use shogibar_kifu::board_mark::{self, BoardMark};
use shogibar_kifu::{Edit, End, Millis, NodeId, Notes, Record, Step};
use shogibar_shogi::{History, IllegalMove, Move, Position};
use std::cell::{Ref, RefCell};
use std::sync::Arc;
use undo::{ChangeKind, UndoHistory};

/// A record with its current node.
#[derive(Debug)]
pub struct Document {
    /// The record. Other threads may share it and keep the old version, so a change is made in a copy.
    record: Arc<Record>,
    line: CurrentLine,
    changes: UndoHistory,
    /// The evaluations in the comments, as far as they were read.
    evaluations: RefCell<EvaluationCache>,
}

/// The reason why a move was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveRefusal {
    /// The move is illegal.
    Illegal(IllegalMove),
    /// The record or the line has the maximum number of moves.
    Full,
}

impl Default for Document {
    fn default() -> Self {
        Self::new(Record::new(&Position::startpos()))
    }
}

impl Document {
    /// Creates a document of a record. The start is current.
    pub fn new(record: impl Into<Arc<Record>>) -> Self {
        let record = record.into();
        let line = CurrentLine::main(&record);
        Self {
            record,
            line,
            changes: UndoHistory::default(),
            evaluations: RefCell::default(),
        }
    }

    /// Creates a document of an empty record with a first revision. Documents that are shown in turn need different
    /// revisions.
    pub fn with_first_revision(revision: u64) -> Self {
        Self {
            changes: UndoHistory::with_first_revision(revision),
            ..Self::default()
        }
    }

    /// Replaces the record by another one. The start is current.
    pub fn open(&mut self, record: impl Into<Arc<Record>>) {
        *self = Self {
            changes: UndoHistory::after(&self.changes),
            ..Self::new(record)
        };
    }

    /// Returns the record with all edits so far.
    pub fn record(&self) -> &Record {
        &self.record
    }

    /// Returns the record for use on another thread.
    pub fn shared_record(&self) -> Arc<Record> {
        Arc::clone(&self.record)
    }

    /// Reads the evaluations in the comments of nodes, at most as many as one frame allows. Returns whether all are
    /// read.
    pub fn read_evaluations(&self, nodes: &[NodeId]) -> bool {
        self.evaluations.borrow_mut().read(&self.record, nodes)
    }

    /// Returns the evaluations that were read.
    pub fn evaluations(&self) -> Ref<'_, EvaluationCache> {
        self.evaluations.borrow()
    }

    /// Returns the revision, which differs after every change of the record. Data derived from the record is valid
    /// while the revision is unchanged.
    pub const fn revision(&self) -> u64 {
        self.changes.revision()
    }

    /// Returns the first revision of the record, which identifies it: node ids are only valid for one record.
    pub const fn first_revision(&self) -> u64 {
        self.changes.first_revision()
    }

    /// Returns the nodes of the current line without the start: the moves, and the end if the line has one.
    pub fn line(&self) -> &[NodeId] {
        self.line.nodes()
    }

    /// Returns the number of nodes of the current line that belong to the main line, too.
    pub fn shared_node_count(&self) -> usize {
        self.record
            .main_line()
            .zip(self.line())
            .take_while(|(main, here)| main == *here)
            .count()
    }

    /// Returns the number of nodes of the line from the start to the current node: 0 at the start.
    pub const fn ply(&self) -> usize {
        self.line.ply()
    }

    /// Returns the current node.
    pub fn current(&self) -> NodeId {
        self.line.current_node()
    }

    /// Returns the current node, or the move before the end if the current node is an end.
    pub fn last_move(&self) -> NodeId {
        let here = self.current();
        let is_end = self.record.node(here).end().is_some();
        if is_end {
            self.record.parent(here).unwrap_or(NodeId::START)
        } else {
            here
        }
    }

    /// Returns the game up to the current node.
    pub fn history(&self) -> History {
        self.history_at(self.current())
    }

    /// Returns the game up to the current node, like [`Self::history`]. This is faster if the game continues `known`.
    pub fn history_after(&self, known: &History) -> History {
        self.record.history_after(known, self.current())
    }

    /// Returns the game up to a node.
    pub fn history_at(&self, node: NodeId) -> History {
        self.record.history_at(node)
    }

    /// Returns the ending of the current line; `None` where the record states none.
    pub fn ending(&self) -> Option<Ending> {
        self.line()
            .last()
            .and_then(|last| self.record.node(*last).end())
            .and_then(Ending::from_record)
    }

    /// Returns whether the current node is an end.
    pub fn is_at_end(&self) -> bool {
        self.record.node(self.current()).end().is_some()
    }

    /// Returns whether no move and no decided end follows the current node.
    pub fn is_at_tip(&self) -> bool {
        self.ply() >= self.tip_ply()
    }

    /// Returns the last ply of the current line. A pause at the end of the line does not count.
    pub fn tip_ply(&self) -> usize {
        let pause = self.line().last().and_then(|last| self.pause_at(*last));
        self.line().len() - usize::from(pause.is_some())
    }

    /// Returns the interruption at the current node, such as 中断, after which the game may continue.
    pub fn pause(&self) -> Option<&End> {
        self.pause_at(self.current())
    }

    fn pause_at(&self, node: NodeId) -> Option<&End> {
        self.record.node(node).end().filter(|end| end.is_pause())
    }

    /// Goes to a ply of the current line, at most to the end of the line.
    pub fn go_to(&mut self, ply: usize) {
        self.changes.close();
        self.line.go_to(ply);
    }

    /// Goes to a node. The current line leads through the node.
    pub fn go(&mut self, node: NodeId) {
        self.changes.close();
        if self.record.is_attached(node) {
            self.line.go(&self.record, node);
        }
    }

    /// Goes to the next (`forward`) or previous sibling of the current move. Does nothing without such a sibling.
    pub fn go_to_sibling(&mut self, forward: bool) {
        let here = self.current();
        let Some(parent) = self.record.parent(here) else {
            return;
        };
        let sibling = if forward {
            self.record.next_sibling(here)
        } else {
            self.record
                .children(parent)
                .take_while(|child| *child != here)
                .last()
        };
        if let Some(sibling) = sibling {
            self.go(sibling);
        }
    }

    /// Goes to the next (`forward`) or previous move of the line that has variations. Without such a move, goes to the
    /// end or the start of the line.
    pub fn go_to_branch(&mut self, forward: bool) {
        let branches = |node: &NodeId| {
            let parent = self.record.parent(*node);
            parent.is_some_and(|parent| self.record.children(parent).nth(1).is_some())
        };
        let ply = self.ply();
        let found = if forward {
            self.line()
                .iter()
                .skip(ply)
                .position(branches)
                .map_or_else(|| self.line().len(), |more| ply + more + 1)
        } else {
            self.line()
                .iter()
                .take(ply.saturating_sub(1))
                .rposition(branches)
                .map_or(0, |at| at + 1)
        };
        self.go_to(found);
    }

    /// Plays a move at the current node. Goes to the move if the record has it, and adds it as a variation otherwise.
    ///
    /// # Errors
    /// Fails if the move is illegal, or the record is full.
    pub fn play(&mut self, mv: Move) -> Result<(), MoveRefusal> {
        let at = self.last_move();
        if let Some(child) = self.record.child_by(at, mv) {
            self.go(child);
            return Ok(());
        }
        self.history_at(at)
            .now()
            .check(mv)
            .map_err(MoveRefusal::Illegal)?;
        let node = Arc::make_mut(&mut self.record)
            .create_detached(at, Step::Move(mv))
            .ok_or(MoveRefusal::Full)?;
        self.change(ChangeKind::Other, vec![Edit::Attach(node, None)], node);
        Ok(())
    }

    /// Adds the legal beginning of a line after a node, without the moves that the record has already. The current node
    /// does not change. The line is one change for undo.
    pub fn insert(&mut self, at: NodeId, moves: &[Move]) {
        if let (Some(new), _) = Arc::make_mut(&mut self.record).create_line(at, moves) {
            self.change(ChangeKind::Other, vec![Edit::Attach(new, None)], self.current());
        }
    }

    /// Adds a line of an analysis after a node, without the moves that the record has already. The current node does
    /// not change. All results until [`finish_analysis`](Self::finish_analysis) are one change.
    pub fn add_analysis_line(&mut self, at: NodeId, moves: &[Move]) {
        if let (Some(new), _) = Arc::make_mut(&mut self.record).create_line(at, moves) {
            self.apply_finding(Edit::Attach(new, None));
        }
    }

    /// Adds moves of a watched game after the last node of the main line. The new moves are not a change by the user.
    /// Returns `false` without a change if there is a change to undo or redo.
    pub fn extend_main_line(&mut self, moves: &[Move]) -> bool {
        if !self.changes.is_empty() {
            return false;
        }
        let (here, last) = (
            self.current(),
            self.record.main_line().last().unwrap_or(NodeId::START),
        );
        Arc::make_mut(&mut self.record).add_line(last, moves);
        self.changes.record_extension();
        self.return_to(here);
        true
    }

    /// Sets the comment at a node to the result of an analysis. The change is part of the one that
    /// [`add_analysis_line`](Self::add_analysis_line) makes.
    pub fn annotate(&mut self, node: NodeId, comment: String) {
        let notes = Notes {
            comment: Some(comment),
            ..self.record.node(node).notes().clone()
        };
        self.apply_finding(Edit::Notes(node, notes));
    }

    /// Applies an edit as a part of the pending results of an analysis.
    fn apply_finding(&mut self, edit: Edit) {
        let here = self.current();
        self.changes
            .make_pending(Arc::make_mut(&mut self.record), vec![edit], here);
        self.return_to(here);
    }

    /// Ends the analysis. Its results become one change that can be undone. Before this, undo affects only the changes
    /// of the user, which are beneath the results.
    pub fn finish_analysis(&mut self) {
        self.changes.finish_pending();
    }

    /// Returns whether an undo or redo has happened during an analysis since the last call. Such a step may have
    /// removed results of the analysis.
    pub const fn take_changed_beneath(&mut self) -> bool {
        self.changes.take_changed_beneath()
    }

    /// Adds an end after the last move before the current node, or replaces the existing end.
    pub fn end(&mut self, end: End) {
        let at = self.last_move();
        let old = self
            .record
            .children(at)
            .find(|child| self.record.node(*child).end().is_some());
        let Some(node) = Arc::make_mut(&mut self.record).create_detached(at, Step::End(Box::new(end))) else {
            return;
        };
        // If the line continues, the end is a variation of the next move.
        let before = old.and_then(|old| self.record.next_sibling(old));
        let edits = old
            .map(Edit::Detach)
            .into_iter()
            .chain([Edit::Attach(node, before)])
            .collect();
        self.change(ChangeKind::Other, edits, node);
    }

    /// Adds an end after a move of a game that is played. If the move was current, the end becomes current.
    pub fn end_after(&mut self, last: NodeId, end: End) {
        let Some(node) = Arc::make_mut(&mut self.record).create_detached(last, Step::End(Box::new(end)))
        else {
            return;
        };
        self.attach_next(last, node);
    }

    /// Adds a move of a game that is played, with its time, as the first child of a node. If the node was current, the
    /// move becomes current. Returns the new node.
    ///
    /// # Errors
    /// Fails if the move is illegal, or the record is full.
    pub fn add_played(&mut self, after: NodeId, mv: Move, spent: Millis) -> Result<NodeId, MoveRefusal> {
        self.history_at(after)
            .now()
            .check(mv)
            .map_err(MoveRefusal::Illegal)?;
        let record = Arc::make_mut(&mut self.record);
        let node = record
            .create_detached(after, Step::Move(mv))
            .ok_or(MoveRefusal::Full)?;
        record.node_mut(node).time.spent = Some(spent);
        self.attach_next(after, node);
        Ok(node)
    }

    /// Attaches a node as the first child of another, and makes it current if the other was.
    fn attach_next(&mut self, last: NodeId, node: NodeId) {
        let here = if self.current() == last {
            node
        } else {
            self.current()
        };
        self.change(
            ChangeKind::Other,
            vec![Edit::Attach(node, self.record.first_child(last))],
            here,
        );
    }

    /// Deletes a node and everything after the node.
    pub fn delete(&mut self, node: NodeId) {
        let Some(parent) = self.record.parent(node) else {
            return;
        };
        let is_removed = self.record.path(self.current()).contains(&node);
        let here = if is_removed { parent } else { self.current() };
        self.change(ChangeKind::Other, vec![Edit::Detach(node)], here);
    }

    /// Deletes everything after a node, including variations.
    pub fn delete_after(&mut self, node: NodeId) {
        let children: Vec<_> = self.record.children(node).map(Edit::Detach).collect();
        let here = if self.record.path(self.current()).contains(&node) {
            node
        } else {
            self.current()
        };
        if !children.is_empty() {
            self.change(ChangeKind::Other, children, here);
        }
    }

    /// Moves a node up by one among its siblings.
    pub fn promote(&mut self, node: NodeId) {
        if let Some(edits) = self.record.promote_edits(node) {
            self.change(ChangeKind::Other, edits.into(), self.current());
        }
    }

    /// Makes the line through a node the main line.
    pub fn promote_to_main(&mut self, node: NodeId) {
        let edits = self.record.main_line_edits(node);
        if !edits.is_empty() {
            self.change(ChangeKind::Other, edits, self.current());
        }
    }

    /// Replaces a move by another one from the same position (指し直し). Deletes the old move and everything after it.
    pub fn replace(&mut self, old: NodeId, new: NodeId) {
        let edits = self.record.replace_edits(old, new);
        if edits.is_empty() {
            return;
        }
        let here = if self.record.path(self.current()).contains(&old) {
            new
        } else {
            self.current()
        };
        self.change(ChangeKind::Other, edits, here);
    }

    /// Returns the first sibling of the current move, which the move can replace; `None` without a sibling.
    pub fn replaceable_sibling(&self) -> Option<NodeId> {
        let here = self.current();
        self.record.node(here).mv()?;
        let parent = self.record.parent(here)?;
        self.record.children(parent).find(|child| *child != here)
    }

    /// Returns whether the start position can be changed, because the record has no moves.
    pub fn can_change_start(&self) -> bool {
        self.record.first_child(NodeId::START).is_none()
    }

    /// Sets the players' names, Black's first, and other headers by their keys. A blank value removes a name or a
    /// header. Sets the start position if one is given and the record has no moves. Everything set by one call is one
    /// change.
    pub fn set_headers(&mut self, names: [&str; 2], others: &[(&str, &str)], start: Option<&Position>) {
        let start = start.filter(|start| self.can_change_start() && *start != self.record.start());
        let mut edits = Vec::new();
        let is_handicap = start.map_or_else(
            || self.record.is_handicap(),
            |start| Record::new(start).is_handicap(),
        );
        if let Some(start) = start {
            edits.push(Edit::Start(Box::new(start.clone()), false));
        }
        let headers =
            self.record
                .headers_with(names, start.unwrap_or_else(|| self.record.start()), is_handicap);
        let headers = others.iter().fold(headers, |headers, (key, value)| {
            Record::with_header(headers, key, value)
        });
        if headers != self.record.headers() {
            edits.push(Edit::Headers(headers));
        }
        if !edits.is_empty() {
            self.change(ChangeKind::Other, edits, self.current());
        }
    }

    /// Sets the comment at a node. Successive changes while typing are one change.
    pub fn set_comment(&mut self, node: NodeId, comment: &str) {
        let notes = Notes {
            comment: (!comment.is_empty()).then(|| comment.to_owned()),
            ..self.record.node(node).notes().clone()
        };
        if notes != *self.record.node(node).notes() {
            self.change(
                ChangeKind::Comment(node),
                vec![Edit::Notes(node, notes)],
                self.current(),
            );
        }
    }

    /// Draws a mark on the board of a node, as [`board_mark::toggle`] does. Each mark is a change of its own.
    pub fn toggle_mark(&mut self, node: NodeId, mark: BoardMark) {
        let comment = self.record.node(node).comment().unwrap_or_default();
        self.set_marked_comment(node, &board_mark::toggle(comment, mark));
    }

    /// Removes all marks on the board of a node.
    pub fn clear_marks(&mut self, node: NodeId) {
        let comment = self.record.node(node).comment().unwrap_or_default();
        self.set_marked_comment(node, &board_mark::clear(comment));
    }

    /// Sets the comment at a node as a change that is separate from typing before and after it.
    fn set_marked_comment(&mut self, node: NodeId, comment: &str) {
        self.changes.close();
        self.set_comment(node, comment);
        self.changes.close();
    }

    /// Replaces the record by a newer version, for example when another program has written the file. If the current
    /// node was the tip of the main line, the new tip becomes current. Otherwise the current node stays as far as the
    /// new record has the moves that lead to it.
    pub fn replace_with_newer(&mut self, record: impl Into<Arc<Record>>) {
        let ply = self.ply();
        // A document at the end of a variation is not at the tip, because the game continues in the main line.
        let was_at_tip =
            self.is_at_tip() && self.line().last() == CurrentLine::main(&self.record).nodes().last();
        let moves: Vec<_> = self
            .line()
            .iter()
            .take(ply)
            .filter_map(|node| self.record.node(*node).mv())
            .collect();
        self.open(record);
        if was_at_tip {
            return self.line.go_to(self.tip_ply());
        }
        let mut here = NodeId::START;
        for mv in moves {
            let Some(child) = self.record.child_by(here, mv) else {
                break;
            };
            here = child;
        }
        self.line.go(&self.record, here);
    }

    /// Returns whether a condition of a command holds; `None` for a condition that does not depend on the record.
    pub fn allows(&self, condition: CommandCondition) -> Option<bool> {
        match condition {
            CommandCondition::CanUndo => Some(self.can_undo()),
            CommandCondition::CanRedo => Some(self.can_redo()),
            CommandCondition::AfterStart => Some(self.current() != NodeId::START),
            CommandCondition::CanReplace => Some(self.replaceable_sibling().is_some()),
            CommandCondition::CanPromote => Some(self.record().promote_edits(self.current()).is_some()),
            CommandCondition::HasMarks => {
                let comment = self.record.node(self.current()).comment();
                Some(comment.is_some_and(board_mark::has_marks))
            }
            CommandCondition::Always
            | CommandCondition::NotAnalysing
            | CommandCondition::MistakeBefore
            | CommandCondition::MistakeAfter
            | CommandCondition::HasBetterLine
            | CommandCondition::SeveralEngines
            | CommandCondition::SeveralBars
            | CommandCondition::ReadsScreen => None,
        }
    }

    /// Returns whether the change that undo would take back is of a comment.
    pub fn undoes_comment(&self) -> bool {
        self.changes.undoes_comment()
    }

    /// Returns whether there is a change to undo.
    pub const fn can_undo(&self) -> bool {
        self.changes.can_undo()
    }

    /// Returns whether there is a change to redo.
    pub const fn can_redo(&self) -> bool {
        self.changes.can_redo()
    }

    /// Undoes the last change.
    pub fn undo(&mut self) {
        if let Some(here) = self.changes.undo(Arc::make_mut(&mut self.record)) {
            self.return_to(here);
        }
    }

    /// Redoes the change that was undone last.
    pub fn redo(&mut self) {
        if let Some(here) = self.changes.redo(Arc::make_mut(&mut self.record)) {
            self.return_to(here);
        }
    }

    /// Returns whether there are unsaved changes.
    pub const fn is_changed(&self) -> bool {
        self.changes.is_unsaved()
    }

    /// Marks the record as saved at a [revision](Self::revision).
    pub const fn set_saved(&mut self, revision: u64) {
        self.changes.set_saved(revision);
    }

    /// Makes a change for undo, and goes to a node.
    fn change(&mut self, kind: ChangeKind, edits: Vec<Edit>, go: NodeId) {
        let from = self.current();
        self.changes
            .make(Arc::make_mut(&mut self.record), kind, edits, [from, go]);
        self.return_to(go);
    }

    /// Updates the line after a change of the record. Goes to a node, or to its nearest remaining ancestor.
    fn return_to(&mut self, node: NodeId) {
        self.line.refresh(&self.record, node);
    }
}

#[cfg(test)]
mod tests;
