//! What is noted on the move on view, and the other moves that the record has.

use super::{StudyAction, StudyFrame, more};
use crate::kifu::NodeId;
use crate::kifu::evaluation::{SplitComment, split};
use crate::study::NodeWords;
use crate::text::study::{self, StudyCommand, StudyPhrase};
use crate::ui::access::name;
use eframe::egui;
use egui::{Align, Button, CollapsingHeader, Label, Layout, RichText, ScrollArea, TextEdit, Ui};

/// The height of a row of the other moves.
const ROW: f32 = 24.0;
/// The most of them that are seen at once.
const SEEN: usize = 4;

/// What the field keeps from frame to frame.
#[derive(Debug, Default)]
pub(super) struct CommentField {
    /// At which node of which record.
    at: Option<(u64, NodeId)>,
    /// The text as it is being typed.
    text: String,
    /// The comment as it was when it was parted: while it is typed on, no half of a word becomes an evaluation.
    parted: SplitComment,
    /// The comment as it is in the record, as far as we know.
    comment: String,
    choices: MoveChoices,
}

/// The other moves of one node of one revision.
#[derive(Debug, Default)]
struct MoveChoices {
    at: Option<NodeId>,
    nodes: Vec<NodeId>,
    of: Option<(u64, NodeId)>,
    words: NodeWords,
}

impl CommentField {
    pub(super) fn show(&mut self, ui: &mut Ui, sheet: &mut StudyFrame<'_>) {
        self.sync_text(sheet);
        self.choices.update_choices(sheet);
        let others = self.choices.nodes.len().min(SEEN);
        let rows = if others == 0 { 0.0 } else { 30.0 + ROW * others as f32 };
        let height = (ui.available_height() - rows).max(48.0);
        ScrollArea::vertical().id_salt("comment").max_height(height).min_scrolled_height(height).show(ui, |ui| {
            self.field(ui, sheet);
            if !sheet.view.bar.hidden {
                self.stated(ui, sheet);
            }
        });
        if !self.choices.nodes.is_empty() {
            self.choices.show(ui, sheet);
        }
    }

    /// Takes in what the record has at the node on view, unless it is what was typed here.
    fn sync_text(&mut self, sheet: &StudyFrame<'_>) {
        let document = sheet.view.document;
        let at = Some((document.first_revision(), document.here()));
        let comment = document.record().node(document.here()).comment().unwrap_or_default();
        if std::mem::replace(&mut self.at, at) == at && self.comment == comment {
            return;
        }
        comment.clone_into(&mut self.comment);
        self.parted = split(comment);
        self.parted.text().clone_into(&mut self.text);
    }

    fn field(&mut self, ui: &mut Ui, sheet: &mut StudyFrame<'_>) {
        let field = TextEdit::multiline(&mut self.text)
            .id_salt("comment")
            .hint_text(StudyPhrase::CommentHint.text(sheet.lang))
            .frame(egui::Frame::NONE)
            .desired_width(f32::INFINITY)
            .desired_rows(3);
        let field = ui.add(field);
        name(&field, StudyPhrase::Comment.text(sheet.lang));
        if field.changed() {
            self.comment = self.parted.join(&self.text);
            sheet.act(StudyAction::Comment(sheet.view.document.here(), self.comment.clone()));
        }
    }

    /// What engines state in the comment, folded: it is in the graph and beside the moves.
    fn stated(&self, ui: &mut Ui, sheet: &StudyFrame<'_>) {
        let count = self.parted.blocks().len();
        if count == 0 {
            return;
        }
        let quiet = |text: &str| RichText::new(text).size(12.0).color(sheet.theme.quiet);
        ui.add_space(4.0);
        let header = CollapsingHeader::new(quiet(&study::stated(count, sheet.lang))).id_salt("stated");
        header.show(ui, |ui| {
            for block in self.parted.blocks() {
                ui.add(Label::new(quiet(block)).wrap());
            }
        });
    }
}

impl MoveChoices {
    /// Looks for what follows the position on view, where the record has several moves there; else for what it has
    /// beside the move that led there.
    fn update_choices(&mut self, sheet: &StudyFrame<'_>) {
        let document = sheet.view.document;
        let of = Some((document.revision(), document.here()));
        if std::mem::replace(&mut self.of, of) == of {
            return;
        }
        let record = document.record();
        let several = |at: NodeId| record.children(at).nth(1).map(|_| at);
        let parent = record.parent(document.here()).and_then(several);
        self.nodes.clear();
        if let Some(at) = several(document.here()).or(parent) {
            self.at = Some(at);
            self.nodes.extend(record.children(at));
        }
    }

    fn show(&mut self, ui: &mut Ui, sheet: &mut StudyFrame<'_>) {
        ui.label(RichText::new(study::variations(self.nodes.len(), sheet.lang)).color(sheet.theme.quiet));
        let document = sheet.view.document;
        // They all stand at one place of the line on view: behind us, or ahead.
        let place =
            if self.at == Some(document.here()) { Some(document.place()) } else { document.place().checked_sub(1) };
        let on_line = place.and_then(|place| document.line().get(place)).copied();
        ui.spacing_mut().item_spacing.y = 0.0;
        let area = ScrollArea::vertical().id_salt("variations").auto_shrink(false);
        area.show_rows(ui, ROW, self.nodes.len(), |ui, seen| {
            let nodes = self.nodes.get(seen.clone()).unwrap_or_default();
            self.words.update(document, sheet.lang, nodes.iter().copied());
            for (nth, node) in seen.zip(nodes) {
                let word = self.words.get(*node);
                let line = if nth == 0 { StudyPhrase::MainLine.text(sheet.lang) } else { "" };
                choice(ui, sheet, *node, [word, line], Some(*node) == on_line);
            }
        });
    }
}

/// A move that the record has here, and what line it is of.
fn choice(ui: &mut Ui, sheet: &mut StudyFrame<'_>, node: NodeId, [word, line]: [&str; 2], is_on_line: bool) {
    ui.horizontal(|ui| {
        ui.set_height(ROW);
        let text = if line.is_empty() { word.to_owned() } else { format!("{word}　({line})") };
        let entry = ui.add(Button::selectable(is_on_line, text).frame_when_inactive(is_on_line));
        if entry.clicked() {
            sheet.act(StudyAction::Go(node));
        }
        entry.context_menu(|ui| branch_menu(ui, sheet, node));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            more(ui, sheet.lang, word, |ui| branch_menu(ui, sheet, node));
        });
    });
}

/// What can be done with a variation.
pub(super) fn branch_menu(ui: &mut Ui, sheet: &mut StudyFrame<'_>, node: NodeId) {
    let deeds = [
        (StudyCommand::Promote, StudyAction::Promote(node)),
        (StudyCommand::MainLine, StudyAction::MainLine(node)),
        (StudyCommand::Delete, StudyAction::Delete(node)),
    ];
    for (deed, action) in deeds {
        if ui.button(deed.text(sheet.lang)).clicked() {
            sheet.act(action);
            ui.close();
        }
    }
}
