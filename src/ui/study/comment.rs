//! What is noted on the move on view, and the other moves that the record has.

use super::{Sheet, StudyAction};
use crate::bar;
use crate::kifu::NodeId;
use crate::text::study::{self, Deed, Phrase};
use crate::ui::access::name;
use crate::ui::fonts::Weight;
use eframe::egui;
use egui::{Button, RichText, ScrollArea, TextEdit, Ui};

/// What the field keeps from frame to frame.
#[derive(Debug, Default)]
pub(super) struct CommentField {
    /// The text as it is being typed, and at which node.
    text: String,
    node: Option<NodeId>,
    /// The other moves in words, of one node of one revision.
    choices: Vec<(NodeId, String)>,
    of: Option<(u64, NodeId, crate::text::Lang)>,
}

impl CommentField {
    pub(super) fn show(&mut self, ui: &mut Ui, sheet: &mut Sheet<'_>) {
        let document = sheet.view.document;
        let here = document.here();
        let comment = document.record().node(here).comment().unwrap_or_default();
        if self.node.replace(here) != Some(here) || self.text != comment {
            comment.clone_into(&mut self.text);
        }
        let title = Phrase::Comment.text(sheet.lang);
        ui.label(RichText::new(title).font(Weight::Bold.at(14.0)));
        self.choose(sheet);
        let rows = if self.choices.is_empty() { 0.0 } else { 30.0 + 24.0 * self.choices.len().min(4) as f32 };
        let height = (ui.available_height() - rows).max(48.0);
        ScrollArea::vertical().id_salt("comment").max_height(height).min_scrolled_height(height).show(ui, |ui| {
            let hint = Phrase::CommentHint.text(sheet.lang);
            let field = TextEdit::multiline(&mut self.text)
                .id_salt("comment")
                .hint_text(hint)
                .frame(egui::Frame::NONE)
                .desired_width(f32::INFINITY)
                .desired_rows(3);
            let field = ui.add(field);
            name(&field, title);
            if field.changed() {
                sheet.act(StudyAction::Comment(here, self.text.clone()));
            }
        });
        if !self.choices.is_empty() {
            ui.label(RichText::new(study::variations(self.choices.len(), sheet.lang)).color(sheet.theme.quiet));
            ScrollArea::vertical().id_salt("variations").auto_shrink(false).show(ui, |ui| {
                self.choices.iter().for_each(|(node, word)| choice(ui, sheet, *node, word));
            });
        }
    }

    /// Puts into words what follows the position on view, where the record has several moves there; else what
    /// it has beside the move that led there.
    fn choose(&mut self, sheet: &Sheet<'_>) {
        let document = sheet.view.document;
        let of = Some((document.revision(), document.here(), sheet.lang));
        if std::mem::replace(&mut self.of, of) == of {
            return;
        }
        let record = document.record();
        let several = |at: NodeId| record.children(at).nth(1).map(|_| at);
        let parent = record.parent(document.here()).and_then(several);
        self.choices.clear();
        let Some(at) = several(document.here()).or(parent) else { return };
        let history = document.history_at(at);
        let word = |node: NodeId| match record.node(node).end() {
            Some(end) => bar::Ending::word(end, sheet.lang),
            None => bar::notation(sheet.lang).words(&history, record.node(node).mv().as_slice()).concat(),
        };
        let first = record.first_child(at);
        let line = |node| {
            if Some(node) == first { format!("　({})", Phrase::MainLine.text(sheet.lang)) } else { String::new() }
        };
        self.choices.extend(record.children(at).map(|node| (node, word(node) + &line(node))));
    }
}

/// A move that the record has here.
fn choice(ui: &mut Ui, sheet: &mut Sheet<'_>, node: NodeId, word: &str) {
    let is_on_line = sheet.view.document.line().contains(&node);
    let entry = ui.add(Button::selectable(is_on_line, word).frame_when_inactive(false));
    if entry.clicked() {
        sheet.act(StudyAction::Go(node));
    }
    entry.context_menu(|ui| branch_menu(ui, sheet, node));
}

/// What can be done with a variation.
pub(super) fn branch_menu(ui: &mut Ui, sheet: &mut Sheet<'_>, node: NodeId) {
    let deeds = [
        (Deed::Promote, StudyAction::Promote(node)),
        (Deed::MainLine, StudyAction::MainLine(node)),
        (Deed::Delete, StudyAction::Delete(node)),
    ];
    for (deed, action) in deeds {
        if ui.button(deed.text(sheet.lang)).clicked() {
            sheet.act(action);
            ui.close();
        }
    }
}
