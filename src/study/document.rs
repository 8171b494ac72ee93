//! A game record that is walked through and worked on: the line and the place in it on view, what was changed
//! and can be taken back, and whether it is saved. Pure.

mod line;
mod undo;

use crate::bar::Ending;
use crate::kifu::{Edit, End, NodeId, Notes, Record, Step};
use crate::shogi::{History, IllegalMove, Move, Position};
use line::CurrentLine;
use std::sync::Arc;
use undo::{ChangeKind, UndoHistory};

/// A record on view.
#[derive(Debug)]
pub struct Document {
    /// Whoever reads it on another thread shares it as it was; a change meanwhile is made in a copy.
    record: Arc<Record>,
    line: CurrentLine,
    changes: UndoHistory,
}

/// Why a move was not made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveRefused {
    /// It is illegal.
    Illegal(IllegalMove),
    /// The record, or the line, is full.
    Full,
}

impl Default for Document {
    fn default() -> Self {
        Self::new(Record::new(&Position::startpos()))
    }
}

impl Document {
    /// A record as it was read, on view at its start.
    pub fn new(record: impl Into<Arc<Record>>) -> Self {
        let record = record.into();
        let line = CurrentLine::main(&record);
        Self { record, line, changes: UndoHistory::default() }
    }

    /// Puts another record on view, at its start.
    pub fn open(&mut self, record: impl Into<Arc<Record>>) {
        *self = Self { changes: UndoHistory::after(&self.changes), ..Self::new(record) };
    }

    /// The record.
    pub fn record(&self) -> &Record {
        &self.record
    }

    /// The record as it is now, for another thread.
    pub fn shared(&self) -> Arc<Record> {
        Arc::clone(&self.record)
    }

    /// A number that is another one whenever the record is another: what is worked out of it can be kept as
    /// long as this stays.
    pub const fn revision(&self) -> u64 {
        self.changes.revision()
    }

    /// The revision with which this record came in place of another: what is known of a node by its id is of another
    /// node where this is another.
    pub const fn first_revision(&self) -> u64 {
        self.changes.first_revision()
    }

    /// The nodes of the line on view, the start aside: the moves, and its end where the record states one.
    pub fn line(&self) -> &[NodeId] {
        self.line.nodes()
    }

    /// How many of them lie behind us: 0 at the start.
    pub const fn place(&self) -> usize {
        self.line.place()
    }

    /// The node on view.
    pub fn here(&self) -> NodeId {
        self.line.here()
    }

    /// The node on view, or the move before it where that is an end.
    pub fn last_move(&self) -> NodeId {
        let here = self.here();
        let is_end = self.record.node(here).end().is_some();
        if is_end { self.record.parent(here).unwrap_or(NodeId::START) } else { here }
    }

    /// The game up to what is on view.
    pub fn history(&self) -> History {
        self.history_at(self.here())
    }

    /// The game up to a node.
    pub fn history_at(&self, node: NodeId) -> History {
        let mut history = History::new(self.record.start().clone());
        for node in self.path(node) {
            if let Some(mv) = self.record.node(node).mv()
                && history.play(mv).is_err()
            {
                break; // Cannot be: every move was legal when it was put there.
            }
        }
        history
    }

    /// The nodes from the start to one, itself included, the start aside.
    fn path(&self, node: NodeId) -> Vec<NodeId> {
        line::path(&self.record, node)
    }

    /// How the line on view ends, where the record says so.
    pub fn ending(&self) -> Option<Ending> {
        self.line().last().and_then(|last| self.record.node(*last).end()).and_then(Ending::from_record)
    }

    /// Whether the end itself is on view.
    pub fn is_at_end(&self) -> bool {
        self.record.node(self.here()).end().is_some()
    }

    /// Whether no move follows what is on view, and no end that decides the game.
    pub fn is_at_tip(&self) -> bool {
        self.place() >= self.tip()
    }

    /// The place of the last move of a game that may go on, or of the end of one that is over.
    pub fn tip(&self) -> usize {
        let pause = self.line().last().and_then(|last| self.pause_at(*last));
        self.line().len() - usize::from(pause.is_some())
    }

    /// What the game stops with on view, where it may go on: 中断.
    pub fn pause(&self) -> Option<&End> {
        self.pause_at(self.here())
    }

    fn pause_at(&self, node: NodeId) -> Option<&End> {
        self.record.node(node).end().filter(|end| end.is_a_pause())
    }

    /// Goes to a place of the line on view: larger ones lead to its end.
    pub fn go_to(&mut self, place: usize) {
        self.changes.close();
        self.line.go_to(place);
    }

    /// Goes to a node, and has the line on view lead through it.
    pub fn go(&mut self, node: NodeId) {
        self.changes.close();
        if self.record.holds(node) {
            self.line.go(&self.record, node);
        }
    }

    /// Goes to the next variation to the move on view, or to the one before it: `None` leads nowhere.
    pub fn go_beside(&mut self, forward: bool) {
        let here = self.here();
        let Some(parent) = self.record.parent(here) else { return };
        let beside = if forward {
            self.record.next_sibling(here)
        } else {
            self.record.children(parent).take_while(|child| *child != here).last()
        };
        if let Some(beside) = beside {
            self.go(beside);
        }
    }

    /// Goes to the next place in the line, or back to the one before, at which the game could have gone on
    /// otherwise, according to the record; to the end of the line where there is none.
    pub fn go_to_branch(&mut self, forward: bool) {
        let branches = |node: &NodeId| {
            let parent = self.record.parent(*node);
            parent.is_some_and(|parent| self.record.children(parent).nth(1).is_some())
        };
        let place = self.place();
        let found = if forward {
            self.line().iter().skip(place).position(branches).map_or_else(|| self.line().len(), |more| place + more + 1)
        } else {
            self.line().iter().take(place.saturating_sub(1)).rposition(branches).map_or(0, |at| at + 1)
        };
        self.go_to(found);
    }

    /// Plays a move where we are: one that the record has already is gone to, another becomes a variation.
    ///
    /// # Errors
    /// Where it is illegal, and where there is no room for it.
    pub fn play(&mut self, mv: Move) -> Result<(), MoveRefused> {
        let at = self.last_move();
        if let Some(child) = self.record.child_by(at, mv) {
            self.go(child);
            return Ok(());
        }
        self.history_at(at).now().check(mv).map_err(MoveRefused::Illegal)?;
        let node = Arc::make_mut(&mut self.record).draft(at, Step::Move(mv)).ok_or(MoveRefused::Full)?;
        self.change(ChangeKind::Other, vec![Edit::Attach(node, None)], node);
        Ok(())
    }

    /// Adds as many moves of a line as are legal after a node, where the record does not have them yet; what is on view
    /// stays. One change.
    pub fn insert(&mut self, at: NodeId, moves: &[Move]) {
        if let (Some(new), _) = Arc::make_mut(&mut self.record).draft_line(at, moves) {
            self.change(ChangeKind::Other, vec![Edit::Attach(new, None)], self.here());
        }
    }

    /// Adds a line after a node that an analysis has found, where the record does not have it yet; what is on view
    /// stays. All that an analysis finds is one change, until [it is over](Self::analysed).
    pub fn add_found(&mut self, at: NodeId, moves: &[Move]) {
        if let (Some(new), _) = Arc::make_mut(&mut self.record).draft_line(at, moves) {
            self.find(Edit::Attach(new, None));
        }
    }

    /// Changes the comment at a node to what an analysis has found, as [`add_found`](Self::add_found) does.
    pub fn annotate(&mut self, node: NodeId, comment: String) {
        let notes = Notes { comment: Some(comment), ..self.record.node(node).notes().clone() };
        self.find(Edit::Notes(node, notes));
    }

    fn find(&mut self, edit: Edit) {
        let here = self.here();
        self.changes.find(Arc::make_mut(&mut self.record), vec![edit], here);
        self.return_to(here);
    }

    /// Takes it that the analysis is over whose findings were put here. Only now can these be taken back; before that
    /// it is the user's own changes, which pass below them.
    pub fn analysed(&mut self) {
        self.changes.collapse();
    }

    /// Whether anything was taken back or made again while an analysis is under way, since this was asked last: what
    /// it has found may be gone where that was.
    pub const fn is_shaken(&mut self) -> bool {
        self.changes.is_shaken()
    }

    /// Says how the line ends where we are. An end that stands there already is replaced.
    pub fn end(&mut self, end: End) {
        let at = self.last_move();
        let old = self.record.children(at).find(|child| self.record.node(*child).end().is_some());
        let Some(node) = Arc::make_mut(&mut self.record).draft(at, Step::End(Box::new(end))) else { return };
        // An end of a line that goes on is a variation to that.
        let before = old.and_then(|old| self.record.next_sibling(old));
        let edits = old.map(Edit::Detach).into_iter().chain([Edit::Attach(node, before)]).collect();
        self.change(ChangeKind::Other, edits, node);
    }

    /// Deletes a node and all that follows it.
    pub fn delete(&mut self, node: NodeId) {
        let Some(parent) = self.record.parent(node) else { return };
        let goes = line::path(&self.record, self.here()).contains(&node);
        let here = if goes { parent } else { self.here() };
        self.change(ChangeKind::Other, vec![Edit::Detach(node)], here);
    }

    /// Deletes what follows a node, the variations to that included.
    pub fn delete_after(&mut self, node: NodeId) {
        let children: Vec<_> = self.record.children(node).map(Edit::Detach).collect();
        let here = if line::path(&self.record, self.here()).contains(&node) { node } else { self.here() };
        if !children.is_empty() {
            self.change(ChangeKind::Other, children, here);
        }
    }

    /// Puts a node one place up among its variations.
    pub fn promote(&mut self, node: NodeId) {
        if let Some(edits) = self.record.promotion(node) {
            self.change(ChangeKind::Other, edits.into(), self.here());
        }
    }

    /// Makes the line through a node the main line.
    pub fn promote_to_main(&mut self, node: NodeId) {
        let edits = self.record.to_main_line(node);
        if !edits.is_empty() {
            self.change(ChangeKind::Other, edits, self.here());
        }
    }

    /// Puts a move in the place of another one that follows the same position (指し直し). That one is deleted, with all
    /// that follows it.
    pub fn replace(&mut self, old: NodeId, new: NodeId) {
        let edits = self.record.replacement(old, new);
        if edits.is_empty() {
            return;
        }
        let here = if line::path(&self.record, self.here()).contains(&old) { new } else { self.here() };
        self.change(ChangeKind::Other, edits, here);
    }

    /// What the move on view can take the place of: the first of the other moves that the record has there.
    pub fn replaceable(&self) -> Option<NodeId> {
        let here = self.here();
        let parent = self.record.parent(here).filter(|_| self.record.node(here).mv().is_some())?;
        self.record.children(parent).find(|child| *child != here)
    }

    /// Whether the game can start from another position: no move of it is there.
    pub fn can_start_elsewhere(&self) -> bool {
        self.record.first_child(NodeId::START).is_none()
    }

    /// Names the players, Black first, and starts from another position where one is given and no move is there. A blank
    /// name is none. One change.
    pub fn set_players(&mut self, names: [&str; 2], start: Option<&Position>) {
        let start = start.filter(|start| self.can_start_elsewhere() && *start != self.record.start());
        let mut edits = Vec::new();
        let is_handicap = start.map_or_else(|| self.record.is_handicap(), |start| Record::new(start).is_handicap());
        if let Some(start) = start {
            edits.push(Edit::Start(Box::new(start.clone()), false));
        }
        let headers = self.record.headers_with(names, start.unwrap_or_else(|| self.record.start()), is_handicap);
        if headers != self.record.headers() {
            edits.push(Edit::Headers(headers));
        }
        if !edits.is_empty() {
            self.change(ChangeKind::Other, edits, self.here());
        }
    }

    /// Changes the comment at a node. What is typed on and on is one change.
    pub fn comment(&mut self, node: NodeId, comment: &str) {
        let text =
            |notes: &Notes| Notes { comment: (!comment.is_empty()).then(|| comment.to_owned()), ..notes.clone() };
        let notes = text(self.record.node(node).notes());
        if notes != *self.record.node(node).notes() {
            self.change(ChangeKind::Comment(node), vec![Edit::Notes(node, notes)], self.here());
        }
    }

    /// Takes in what became of the record elsewhere, as a file that another program writes on: who stood at
    /// the tip of the main line stands there again, who went back or aside stays where he is, as far as the game still goes there.
    pub fn follow(&mut self, record: Record) {
        let place = self.place();
        // The end of a variation is not the tip: the game goes on elsewhere.
        let is_main = || self.line().last() == CurrentLine::main(&self.record).nodes().last();
        let was_at_tip = self.is_at_tip() && is_main();
        let moves: Vec<_> = self.line().iter().take(place).filter_map(|node| self.record.node(*node).mv()).collect();
        self.record = Arc::new(record);
        self.changes = UndoHistory::after(&self.changes);
        self.line = CurrentLine::main(&self.record);
        if was_at_tip {
            return self.line.go_to(self.tip());
        }
        let mut here = NodeId::START;
        for mv in moves {
            let Some(child) = self.record.child_by(here, mv) else { break };
            here = child;
        }
        self.line.go(&self.record, here);
    }

    /// Whether there is a change to take back.
    pub const fn can_undo(&self) -> bool {
        self.changes.can_undo()
    }

    /// Whether there is a change that was taken back.
    pub const fn can_redo(&self) -> bool {
        self.changes.can_redo()
    }

    /// Takes the last change back.
    pub fn undo(&mut self) {
        if let Some(here) = self.changes.undo(Arc::make_mut(&mut self.record)) {
            self.return_to(here);
        }
    }

    /// Makes the change again that was taken back last.
    pub fn redo(&mut self) {
        if let Some(here) = self.changes.redo(Arc::make_mut(&mut self.record)) {
            self.return_to(here);
        }
    }

    /// Whether there is a change that is not saved.
    pub const fn is_changed(&self) -> bool {
        self.changes.is_unsaved()
    }

    /// Takes it that the record as it was at a [revision](Self::revision) is in the file.
    pub const fn saved(&mut self, revision: u64) {
        self.changes.saved(revision);
    }

    /// Takes it that the record is in no file.
    pub const fn unsaved(&mut self) {
        self.changes.saved(u64::MAX);
    }

    fn change(&mut self, kind: ChangeKind, edits: Vec<Edit>, go: NodeId) {
        let from = self.here();
        self.changes.make(Arc::make_mut(&mut self.record), kind, edits, [from, go]);
        self.return_to(go);
    }

    /// Goes to a node, or to the nearest before it that is still there.
    fn return_to(&mut self, node: NodeId) {
        self.line.refresh(&self.record, node);
    }
}

#[cfg(test)]
mod tests;
