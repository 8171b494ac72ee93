//! What was changed, to be taken back and made again.

use crate::kifu::{Edit, NodeId, Record};

/// How many changes can be taken back.
const MOST: usize = 1000;

/// What was changed. Changes of the same kind that come one after another are one, as the letters of a word are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// The comment at a node.
    Comment(NodeId),
    /// What an analysis has found.
    Analysis,
    /// All else, each for itself.
    Other,
}

#[derive(Debug)]
struct Change {
    kind: Kind,
    /// What undoes it, or makes it again, in the order in which that is done.
    edits: Vec<Edit>,
    /// The nodes on view before it and after it.
    places: [NodeId; 2],
    /// The revision that it leads to when it is carried out.
    leads_to: u64,
}

/// The changes of a record.
#[derive(Debug, Default)]
pub(super) struct Changes {
    past: Vec<Change>,
    future: Vec<Change>,
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

impl Changes {
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
    pub(super) fn make(&mut self, record: &mut Record, kind: Kind, edits: Vec<Edit>, places: [NodeId; 2]) {
        let before = self.revision;
        let undo = carry_out(record, edits);
        self.newest += 1;
        self.revision = self.newest;
        self.future.clear();
        let joins = kind != Kind::Other && !std::mem::take(&mut self.closed);
        if let Some(last) = self.past.last_mut().filter(|last| joins && last.kind == kind) {
            // What undoes the first change of a text undoes all.
            if kind == Kind::Analysis {
                last.edits.splice(..0, undo);
            }
            return;
        }
        self.past.push(Change { kind, edits: undo, places, leads_to: before });
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

    fn swap(&mut self, record: &mut Record, change: Change) -> Change {
        self.closed = true;
        let leads_to = std::mem::replace(&mut self.revision, change.leads_to);
        Change { edits: carry_out(record, change.edits), leads_to, ..change }
    }
}

/// Carries edits out and gives back what undoes them, in the order in which that has to be done.
fn carry_out(record: &mut Record, edits: Vec<Edit>) -> Vec<Edit> {
    let mut undo: Vec<_> = edits.into_iter().map(|edit| record.edit(edit)).collect();
    undo.reverse();
    undo
}
