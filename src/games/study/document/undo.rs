//! The undo and redo history of a document.

use crate::kifu::{Edit, NodeId, Record};

/// The maximum number of changes that can be undone.
const MAX_CHANGES: usize = 1000;

/// Which changes of the document are undone together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ChangeKind {
    /// The comment at a node. Successive changes while typing are one change.
    Comment(NodeId),
    /// Any other change, each separate.
    Other,
}

#[derive(Debug)]
struct DocumentChange {
    kind: ChangeKind,
    /// The edits that undo or redo the change, in order of execution.
    edits: Vec<Edit>,
    /// The current nodes before and after the change.
    nodes: [NodeId; 2],
    /// The revision after the edits are executed.
    leads_to: u64,
}

/// The changes of a record.
///
/// The results of a running analysis form one pending change on top of all others. The user's changes are made, undone
/// and redone beneath it. If both have changed the same comment, the user's change includes the result.
#[derive(Debug, Default)]
pub(super) struct UndoHistory {
    past_changes: Vec<DocumentChange>,
    /// The pending results of a running analysis.
    pending_change: Option<DocumentChange>,
    /// Whether a change beneath the pending one was undone or redone.
    is_shaken: bool,
    future_changes: Vec<DocumentChange>,
    /// The revision of the record.
    revision: u64,
    /// The revision at which the record was opened.
    first_revision: u64,
    /// The highest revision up to now.
    newest_revision: u64,
    /// The revision of the record when it was saved last.
    saved_revision: u64,
    /// Whether the last change is closed, so that no further change is merged into it.
    is_last_change_closed: bool,
}

impl UndoHistory {
    /// Creates the history of a record that replaces another.
    pub(super) fn after(before: &Self) -> Self {
        Self::starting_at(before.newest_revision + 1)
    }

    /// Creates the history of a record. `revision` is its first revision.
    pub(super) fn starting_at(revision: u64) -> Self {
        Self {
            revision,
            first_revision: revision,
            newest_revision: revision,
            saved_revision: revision,
            ..Self::default()
        }
    }

    pub(super) const fn revision(&self) -> u64 {
        self.revision
    }

    pub(super) const fn first_revision(&self) -> u64 {
        self.first_revision
    }

    pub(super) const fn is_unsaved(&self) -> bool {
        self.revision != self.saved_revision
    }

    /// Records that the record was saved as it was at `revision`.
    pub(super) const fn set_saved(&mut self, revision: u64) {
        self.saved_revision = revision;
        self.is_last_change_closed = true;
    }

    /// Returns whether nothing can be undone or redone.
    pub(super) const fn is_empty(&self) -> bool {
        self.past_changes.is_empty() && self.future_changes.is_empty() && self.pending_change.is_none()
    }

    /// Records that the record was extended, when nothing can be undone.
    pub(super) const fn record_extension(&mut self) {
        self.newest_revision += 1;
        if self.revision == self.saved_revision {
            self.saved_revision = self.newest_revision;
        }
        self.revision = self.newest_revision;
    }

    pub(super) const fn can_undo(&self) -> bool {
        !self.past_changes.is_empty()
    }

    pub(super) fn undoes_comment(&self) -> bool {
        self.past_changes.last().is_some_and(|change| matches!(change.kind, ChangeKind::Comment(_)))
    }

    pub(super) const fn can_redo(&self) -> bool {
        !self.future_changes.is_empty()
    }

    /// Closes the last change, so that the next one is separate.
    pub(super) const fn close(&mut self) {
        self.is_last_change_closed = true;
    }

    /// Makes a change. `nodes` are the current nodes before and after it.
    pub(super) fn make(&mut self, record: &mut Record, kind: ChangeKind, edits: Vec<Edit>, nodes: [NodeId; 2]) {
        let undo = self.rebase_below_pending(execute(record, edits));
        self.newest_revision += 1;
        let leads_to = self.set_revision(self.newest_revision);
        self.future_changes.clear();
        let joins = !std::mem::take(&mut self.is_last_change_closed) && kind != ChangeKind::Other;
        // The edits that undo the first change of a comment undo all of them.
        if !(joins && self.past_changes.last().is_some_and(|last| last.kind == kind)) {
            self.push(DocumentChange { kind, edits: undo, nodes, leads_to });
        }
    }

    /// Makes a change with a result of an analysis. `here` is the current node.
    pub(super) fn make_pending(&mut self, record: &mut Record, edits: Vec<Edit>, here: NodeId) {
        let undo = execute(record, edits);
        self.newest_revision += 1;
        let leads_to = std::mem::replace(&mut self.revision, self.newest_revision);
        let pending = self.pending_change.get_or_insert(DocumentChange {
            kind: ChangeKind::Other,
            edits: Vec::new(),
            nodes: [here; 2],
            leads_to,
        });
        for edit in undo {
            let is_known =
                matches!(&edit, Edit::Notes(node, _) if pending.edits.iter().any(|edit| is_edit_of(edit, *node)));
            if !is_known {
                pending.edits.insert(0, edit);
            }
        }
    }

    /// Ends the analysis: its results become a normal change.
    pub(super) fn collapse(&mut self) {
        if let Some(pending) = self.pending_change.take().filter(|pending| !pending.edits.is_empty()) {
            self.future_changes.clear();
            self.is_last_change_closed = true;
            self.push(pending);
        }
    }

    /// Returns whether a change beneath the pending results was undone or redone since the last call.
    pub(super) const fn is_shaken(&mut self) -> bool {
        std::mem::replace(&mut self.is_shaken, false)
    }

    fn push(&mut self, change: DocumentChange) {
        self.past_changes.push(change);
        if self.past_changes.len() > MAX_CHANGES {
            self.past_changes.remove(0);
        }
    }

    /// Undoes the last change and returns the node where it was made.
    pub(super) fn undo(&mut self, record: &mut Record) -> Option<NodeId> {
        let change = self.past_changes.pop()?;
        let [before, _] = change.nodes;
        let again = self.swap(record, change);
        self.future_changes.push(again);
        Some(before)
    }

    /// Redoes the change that was undone last and returns the node that it leads to.
    pub(super) fn redo(&mut self, record: &mut Record) -> Option<NodeId> {
        let change = self.future_changes.pop()?;
        let [_, after] = change.nodes;
        let back = self.swap(record, change);
        self.past_changes.push(back);
        Some(after)
    }

    fn swap(&mut self, record: &mut Record, change: DocumentChange) -> DocumentChange {
        self.is_last_change_closed = true;
        self.is_shaken = self.pending_change.is_some();
        let edits = self.rebase_below_pending(execute(record, change.edits));
        let leads_to = self.set_revision(change.leads_to);
        DocumentChange { edits, leads_to, ..change }
    }

    /// Returns the undo edits of a change as if it had been made before the pending results. Takes the edits of the
    /// same nodes out of the pending results.
    fn rebase_below_pending(&mut self, mut undo: Vec<Edit>) -> Vec<Edit> {
        let Some(pending) = &mut self.pending_change else { return undo };
        for edit in &mut undo {
            let Edit::Notes(node, _) = edit else { continue };
            if let Some(at) = pending.edits.iter().position(|edit| is_edit_of(edit, *node)) {
                *edit = pending.edits.remove(at);
            }
        }
        undo
    }

    /// Sets the revision that the record has without the pending results, and returns the previous one. With pending
    /// results, the record gets a new revision.
    const fn set_revision(&mut self, revision: u64) -> u64 {
        let Some(pending) = &mut self.pending_change else { return std::mem::replace(&mut self.revision, revision) };
        self.newest_revision += 1;
        self.revision = self.newest_revision;
        std::mem::replace(&mut pending.leads_to, revision)
    }
}

/// Returns whether an edit changes the texts at a node.
fn is_edit_of(edit: &Edit, node: NodeId) -> bool {
    matches!(edit, Edit::Notes(of, _) if *of == node)
}

/// Executes edits and returns the edits that undo them, in order of execution.
fn execute(record: &mut Record, edits: Vec<Edit>) -> Vec<Edit> {
    let mut undo: Vec<_> = edits.into_iter().map(|edit| record.edit(edit)).collect();
    undo.reverse();
    undo
}
