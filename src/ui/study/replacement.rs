//! The choice after the user plays a move where the record has another one. The move becomes a variation, or replaces
//! the other move (指し直し).

use super::StudyFrame;
use super::notice::show_strip;
use crate::study_text::EntryPhrase;
use eframe::egui;
use egui::{Rect, Ui};
use shogibar_config::{Command, command_text};
use shogibar_games::study::{Document, DocumentEdit};
use shogibar_kifu::NodeId;
use shogibar_shogi::Move;

/// The height of a notice, in points.
const NOTICE_HEIGHT: f32 = 46.0;

/// The choice whether a played move replaces another move; `None` if there is no choice. It is shown while the new move
/// is the current node.
#[derive(Debug, Default)]
pub(super) struct ReplaceDialog(Option<PlayedMove>);

/// A move that the user has played beside an existing next move.
#[derive(Clone, Copy, Debug)]
struct PlayedMove {
    record_revision: u64,
    node: NodeId,
    mv: Move,
    old_next: NodeId,
}

impl ReplaceDialog {
    /// Prepares the choice after the move `mv`, if the record has another move there. Must be called before `mv` is
    /// played.
    pub(super) fn offer_replacement(&mut self, document: &Document, mv: Move) {
        let (record, at) = (document.record(), document.last_move());
        let old = if record.child_by(at, mv).is_some() {
            None
        } else {
            document
                .line()
                .iter()
                .copied()
                .find(|node| record.parent(*node) == Some(at))
        };
        self.0 = old.map(|old| PlayedMove {
            record_revision: document.first_revision(),
            node: at,
            mv,
            old_next: old,
        });
    }

    /// Returns the old and the new move; `None` as soon as another node is current.
    fn replaceable_pair(&mut self, document: &Document) -> Option<(NodeId, NodeId)> {
        let (record, here) = (document.record(), document.current());
        self.0 = self.0.filter(|played| {
            // Node ids of another record are not comparable.
            played.record_revision == document.first_revision()
                && record.child_by(played.node, played.mv) == Some(here)
                && record.is_attached(played.old_next)
        });
        self.0.map(|played| (played.old_next, here))
    }

    /// Shows the choice over the page at the top of a rectangle, below any notice.
    pub(super) fn show(&mut self, ui: &Ui, frame: &mut StudyFrame<'_>, over: Rect) {
        let Some((old, new)) = self.replaceable_pair(frame.view.document) else {
            return;
        };
        let below = if frame.view.notice.is_some() {
            NOTICE_HEIGHT
        } else {
            0.0
        };
        let (theme, over) = (frame.theme, over.with_min_y(over.top() + below));
        show_strip(ui, theme, "replacement", theme.separator, over, |ui| {
            self.show_choice(ui, frame, (old, new));
        });
    }

    /// Draws the buttons that keep the new move as a variation, or let it replace the old move.
    fn show_choice(&mut self, ui: &mut Ui, frame: &mut StudyFrame<'_>, (old, new): (NodeId, NodeId)) {
        let lang = frame.lang;
        if ui.button(EntryPhrase::KeepVariation.text(lang)).clicked() {
            self.0 = None;
        }
        let replace = ui.button(EntryPhrase::ReplaceMove.text(lang));
        if replace
            .on_hover_text(command_text(Command::Replace, lang))
            .clicked()
        {
            frame.act(DocumentEdit::ReplaceNode { old, new });
            self.0 = None;
        }
    }
}
