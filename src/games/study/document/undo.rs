//! The undo and redo history of a document.

use shogibar_kifu::{Edit, NodeId, Record};

/// The maximum number of changes that can be undone.
const MAX_CHANGES: usize = 1000;

/// The kind of a change, which decides whether changes are undone together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ChangeKind {
    /// A change of the comment at a node. Successive changes while typing are one change.
    Comment(NodeId),
    /// Another change, which is always separate.
    Other,
}

/// A change that can be undone or redone.
#[derive(Debug)]
struct DocumentChange {
    kind: ChangeKind,
    /// The edits that undo or redo the change, in order of execution.
    edits: Vec<Edit>,
    /// The current nodes before and after the change.
    nodes: [NodeId; 2],
    /// The revision of the record after the edits are executed.
    target_revision: u64,
}

/// The changes of a record.
///
/// The results of a running analysis form one pending change on top of all others. The changes of the user are made,
/// undone and redone beneath the pending change. If both have changed a comment, the change of the user includes the
/// result.
#[derive(Debug, Default)]
pub(super) struct UndoHistory {
    /// The changes that can be undone, the oldest first.
    past_changes: Vec<DocumentChange>,
    /// The pending results of a running analysis.
    pending_change: Option<DocumentChange>,
    /// Whether a change beneath the pending change was undone or redone since the last query.
    is_changed_beneath: bool,
    /// The changes that can be redone, the next one last.
    future_changes: Vec<DocumentChange>,
    /// The revision of the record.
    revision: u64,
    /// The revision at which the record was opened.
    first_revision: u64,
    /// The highest revision so far.
    newest_revision: u64,
    /// The revision of the record when it was saved last.
    saved_revision: u64,
    /// Whether the last change is closed, so that no further change is merged into it.
    is_last_change_closed: bool,
}

impl UndoHistory {
    /// Creates the history of a record that replaces the record of `before`.
    pub(super) fn after(before: &Self) -> Self {
        Self::with_first_revision(before.newest_revision + 1)
    }

    pub(super) fn with_first_revision(revision: u64) -> Self {
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

    pub(super) const fn set_saved(&mut self, revision: u64) {
        self.saved_revision = revision;
        self.is_last_change_closed = true;
    }

    /// Returns whether nothing can be undone or redone.
    pub(super) const fn is_empty(&self) -> bool {
        self.past_changes.is_empty() && self.future_changes.is_empty() && self.pending_change.is_none()
    }

    /// Gives an extended record a new revision. Called only when nothing can be undone or redone.
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
        self.past_changes
            .last()
            .is_some_and(|change| matches!(change.kind, ChangeKind::Comment(_)))
    }

    pub(super) const fn can_redo(&self) -> bool {
        !self.future_changes.is_empty()
    }

    /// Closes the last change, so that the next one is separate.
    pub(super) const fn close(&mut self) {
        self.is_last_change_closed = true;
    }

    /// Makes a change. `nodes` are the current nodes before and after the change.
    pub(super) fn make(
        &mut self,
        record: &mut Record,
        kind: ChangeKind,
        edits: Vec<Edit>,
        nodes: [NodeId; 2],
    ) {
        let undo = self.rebase_below_pending(execute(record, edits));
        self.newest_revision += 1;
        let target_revision = self.set_revision(self.newest_revision);
        self.future_changes.clear();
        let may_join = !std::mem::take(&mut self.is_last_change_closed) && kind != ChangeKind::Other;
        // A change that joins the last one needs no entry: the edits that undo the first change undo all.
        if !(may_join && self.past_changes.last().is_some_and(|last| last.kind == kind)) {
            self.push(DocumentChange {
                kind,
                edits: undo,
                nodes,
                target_revision,
            });
        }
    }

    /// Adds a result of an analysis to the pending change. `here` is the current node.
    pub(super) fn make_pending(&mut self, record: &mut Record, edits: Vec<Edit>, here: NodeId) {
        let undo = execute(record, edits);
        self.newest_revision += 1;
        let target_revision = std::mem::replace(&mut self.revision, self.newest_revision);
        let pending = self.pending_change.get_or_insert(DocumentChange {
            kind: ChangeKind::Other,
            edits: Vec::new(),
            nodes: [here; 2],
            target_revision,
        });
        for edit in undo {
            let is_known = matches!(&edit, Edit::Notes(node, _) if pending.edits.iter().any(|edit| is_edit_of(edit, *node)));
            if !is_known {
                pending.edits.insert(0, edit);
            }
        }
    }

    /// Turns the pending results of an ended analysis into a change that can be undone.
    pub(super) fn finish_pending(&mut self) {
        if let Some(pending) = self
            .pending_change
            .take()
            .filter(|pending| !pending.edits.is_empty())
        {
            self.future_changes.clear();
            self.is_last_change_closed = true;
            self.push(pending);
        }
    }

    /// Returns whether a change beneath the pending results was undone or redone since the last call.
    pub(super) const fn take_changed_beneath(&mut self) -> bool {
        std::mem::replace(&mut self.is_changed_beneath, false)
    }

    /// Adds a change that can be undone. Drops the oldest one above [`MAX_CHANGES`].
    fn push(&mut self, change: DocumentChange) {
        self.past_changes.push(change);
        if self.past_changes.len() > MAX_CHANGES {
            self.past_changes.remove(0);
        }
    }

    /// Undoes the last change. Returns the node that was current before the change; `None` if there is no change.
    pub(super) fn undo(&mut self, record: &mut Record) -> Option<NodeId> {
        let change = self.past_changes.pop()?;
        let [before, _] = change.nodes;
        let again = self.execute_change(record, change);
        self.future_changes.push(again);
        Some(before)
    }

    /// Redoes the change that was undone last. Returns the node that was current after the change; `None` if there is
    /// no change.
    pub(super) fn redo(&mut self, record: &mut Record) -> Option<NodeId> {
        let change = self.future_changes.pop()?;
        let [_, after] = change.nodes;
        let back = self.execute_change(record, change);
        self.past_changes.push(back);
        Some(after)
    }

    fn execute_change(&mut self, record: &mut Record, change: DocumentChange) -> DocumentChange {
        self.is_last_change_closed = true;
        self.is_changed_beneath = self.pending_change.is_some();
        let edits = self.rebase_below_pending(execute(record, change.edits));
        let target_revision = self.set_revision(change.target_revision);
        DocumentChange {
            edits,
            target_revision,
            ..change
        }
    }

    /// Returns the undo edits of a change as if the change had been made before the pending results. Removes the edits
    /// of the same nodes from the pending results.
    fn rebase_below_pending(&mut self, mut undo: Vec<Edit>) -> Vec<Edit> {
        let Some(pending) = &mut self.pending_change else {
            return undo;
        };
        for edit in &mut undo {
            let Edit::Notes(node, _) = edit else { continue };
            if let Some(at) = pending.edits.iter().position(|edit| is_edit_of(edit, *node)) {
                *edit = pending.edits.remove(at);
            }
        }
        undo
    }

    /// Sets the revision that the record has without the pending results, and returns the previous such revision. With
    /// pending results, the record itself gets a new revision.
    const fn set_revision(&mut self, revision: u64) -> u64 {
        let Some(pending) = &mut self.pending_change else {
            return std::mem::replace(&mut self.revision, revision);
        };
        self.newest_revision += 1;
        self.revision = self.newest_revision;
        std::mem::replace(&mut pending.target_revision, revision)
    }
}

fn is_edit_of(edit: &Edit, node: NodeId) -> bool {
    matches!(edit, Edit::Notes(of, _) if *of == node)
}

fn execute(record: &mut Record, edits: Vec<Edit>) -> Vec<Edit> {
    let mut undo: Vec<_> = edits.into_iter().map(|edit| record.edit(edit)).collect();
    undo.reverse();
    undo
}
