//! What was changed, to be taken back and made again.

use crate::kifu::{Edit, NodeId, Record};

/// How many changes can be taken back.
const MOST: usize = 1000;

/// What was changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ChangeKind {
    /// The comment at a node. What is typed there on and on is one change, as the letters of a word are.
    Comment(NodeId),
    /// All else, each for itself.
    Other,
}

#[derive(Debug)]
struct DocumentChange {
    kind: ChangeKind,
    /// What undoes it, or makes it again, in the order in which that is done.
    edits: Vec<Edit>,
    /// The nodes on view before it and after it.
    places: [NodeId; 2],
    /// The revision that it leads to when it is carried out.
    leads_to: u64,
}

/// The changes of a record.
///
/// While an analysis is under way, what it has found lies above all other changes, as one of its own: the user's are
/// made, taken back and made again below it, whatever comes in between. A text that both have changed is the user's.
#[derive(Debug, Default)]
pub(super) struct UndoHistory {
    past: Vec<DocumentChange>,
    /// What an analysis under way has found so far.
    found: Option<DocumentChange>,
    /// Whether anything was taken back or made again below that.
    is_shaken: bool,
    future: Vec<DocumentChange>,
    /// Which state of the record this is.
    revision: u64,
    /// The first state of this record.
    first: u64,
    /// How many states there were.
    newest: u64,
    /// Which of them is in the file.
    saved: u64,
    /// Whether the last change is over, so that none is joined to it.
    closed: bool,
}

impl UndoHistory {
    /// Of a record that came in place of another.
    pub(super) fn after(before: &Self) -> Self {
        let revision = before.newest + 1;
        Self { revision, first: revision, newest: revision, saved: revision, ..Self::default() }
    }

    pub(super) const fn revision(&self) -> u64 {
        self.revision
    }

    pub(super) const fn first_revision(&self) -> u64 {
        self.first
    }

    pub(super) const fn is_unsaved(&self) -> bool {
        self.revision != self.saved
    }

    pub(super) const fn saved(&mut self, revision: u64) {
        self.saved = revision;
        self.closed = true;
    }

    pub(super) const fn can_undo(&self) -> bool {
        !self.past.is_empty()
    }

    pub(super) const fn can_redo(&self) -> bool {
        !self.future.is_empty()
    }

    /// Has the next change be one of its own.
    pub(super) const fn close(&mut self) {
        self.closed = true;
    }

    /// Makes a change, while the first of these nodes is on view and after which the second is.
    pub(super) fn make(&mut self, record: &mut Record, kind: ChangeKind, edits: Vec<Edit>, places: [NodeId; 2]) {
        let undo = self.below_found(carry_out(record, edits));
        self.newest += 1;
        let leads_to = self.come_to(self.newest);
        self.future.clear();
        let joins = !std::mem::take(&mut self.closed) && kind != ChangeKind::Other;
        // What undoes the first change of a text undoes all.
        if !(joins && self.past.last().is_some_and(|last| last.kind == kind)) {
            self.push(DocumentChange { kind, edits: undo, places, leads_to });
        }
    }

    /// Makes a change that an analysis has found, while a node is on view.
    pub(super) fn find(&mut self, record: &mut Record, edits: Vec<Edit>, here: NodeId) {
        let undo = carry_out(record, edits);
        self.newest += 1;
        let leads_to = std::mem::replace(&mut self.revision, self.newest);
        let found = self.found.get_or_insert(DocumentChange {
            kind: ChangeKind::Other,
            edits: Vec::new(),
            places: [here; 2],
            leads_to,
        });
        for edit in undo {
            let is_known = matches!(&edit, Edit::Notes(node, _) if found.edits.iter().any(|edit| is_of(edit, *node)));
            if !is_known {
                found.edits.insert(0, edit);
            }
        }
    }

    /// The analysis is over: what it has found is a change like others.
    pub(super) fn collapse(&mut self) {
        if let Some(found) = self.found.take().filter(|found| !found.edits.is_empty()) {
            self.future.clear();
            self.closed = true;
            self.push(found);
        }
    }

    /// Whether anything was taken back or made again below what an analysis has found, since this was asked last.
    pub(super) const fn is_shaken(&mut self) -> bool {
        std::mem::replace(&mut self.is_shaken, false)
    }

    fn push(&mut self, change: DocumentChange) {
        self.past.push(change);
        if self.past.len() > MOST {
            self.past.remove(0);
        }
    }

    /// Takes the last change back and says where it was made.
    pub(super) fn undo(&mut self, record: &mut Record) -> Option<NodeId> {
        let change = self.past.pop()?;
        let [before, _] = change.places;
        let again = self.swap(record, change);
        self.future.push(again);
        Some(before)
    }

    /// Makes the change again that was taken back last, and says where it leads.
    pub(super) fn redo(&mut self, record: &mut Record) -> Option<NodeId> {
        let change = self.future.pop()?;
        let [_, after] = change.places;
        let back = self.swap(record, change);
        self.past.push(back);
        Some(after)
    }

    fn swap(&mut self, record: &mut Record, change: DocumentChange) -> DocumentChange {
        self.closed = true;
        self.is_shaken = self.found.is_some();
        let edits = self.below_found(carry_out(record, change.edits));
        let leads_to = self.come_to(change.leads_to);
        DocumentChange { edits, leads_to, ..change }
    }

    /// What undoes a change, as if it had been made before anything was found.
    fn below_found(&mut self, mut undo: Vec<Edit>) -> Vec<Edit> {
        let Some(found) = &mut self.found else { return undo };
        for edit in &mut undo {
            let Edit::Notes(node, _) = edit else { continue };
            if let Some(at) = found.edits.iter().position(|edit| is_of(edit, *node)) {
                *edit = found.edits.remove(at);
            }
        }
        undo
    }

    /// Takes it that the record is now in this state, what an analysis has found aside, and says in which it was.
    const fn come_to(&mut self, state: u64) -> u64 {
        let Some(found) = &mut self.found else { return std::mem::replace(&mut self.revision, state) };
        self.newest += 1;
        self.revision = self.newest;
        std::mem::replace(&mut found.leads_to, state)
    }
}

/// Whether this changes the texts at a node.
fn is_of(edit: &Edit, node: NodeId) -> bool {
    matches!(edit, Edit::Notes(of, _) if *of == node)
}

/// Carries edits out and gives back what undoes them, in the order in which that has to be done.
fn carry_out(record: &mut Record, edits: Vec<Edit>) -> Vec<Edit> {
    let mut undo: Vec<_> = edits.into_iter().map(|edit| record.edit(edit)).collect();
    undo.reverse();
    undo
}
