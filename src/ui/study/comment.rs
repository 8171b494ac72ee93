//! The comment at the current node, and the alternative moves in the record.

use super::{StudyFrame, show_more_button};
use crate::access::set_accessible_label;
use crate::study_text::{self, StudyPhrase};
use eframe::egui;
use egui::text_edit::TextEditState;
use egui::{Align, Button, CollapsingHeader, Id, Label, Layout, RichText, ScrollArea, TextEdit, Ui};
use shogibar_base::visible::short;
use shogibar_config::{Command, command_text};
use shogibar_games::study::{Document, DocumentEdit, NodeTexts};
use shogibar_kifu::NodeId;
use shogibar_kifu::evaluation::{SplitComment, split};
use std::borrow::Cow;

/// The height of a row of the alternatives, in points.
const ROW_HEIGHT: f32 = 24.0;
/// The maximum number of alternatives visible at once.
const MAX_VISIBLE_CHOICES: usize = 4;
/// The number of characters of a comment that are laid out at first.
const INITIAL_LAID_OUT_CHARS: usize = 8_000;
/// The maximum number of characters of a comment that are laid out. The laid out text takes about 400 times as many
/// bytes as the comment.
const MAX_LAID_OUT_CHARS: usize = 512_000;
/// The maximum number of evaluations of a comment that are listed.
const MAX_EVALUATIONS: usize = 100;

/// The state of the comment field between frames.
#[derive(Debug, Default)]
pub(super) struct CommentField {
    /// The node whose comment is in the field, and the revision of the record at the last frame.
    node: Option<(u64, NodeId)>,
    /// The current node at the revision of `node`.
    current_node: Option<NodeId>,
    has_focus: bool,
    /// The text being typed: the beginning of a long one.
    text: String,
    /// The rest of a long text, which is not laid out.
    hidden_text: String,
    /// The maximum number of characters of a text that are laid out.
    max_laid_out_chars: usize,
    /// The comment as it was split into text and evaluations when it was loaded. While the user types, an unfinished
    /// word therefore does not become an evaluation.
    loaded_comment: SplitComment,
    /// The last known comment of `node` in the record.
    comment: String,
    /// Whether the field's undo history is to be cleared: an undo would bring back another node's text.
    clears_undo: bool,
    /// Whether the field gets the keyboard focus as soon as it is drawn.
    wants_focus: bool,
    choices: MoveChoices,
}

/// The moves after one node at one revision, if there are several.
#[derive(Debug, Default)]
struct MoveChoices {
    /// The node that the moves follow; `None` as long as there were none.
    node: Option<NodeId>,
    /// The nodes of the moves; empty if there are not several.
    nodes: Vec<NodeId>,
    /// The revision and the current node for which the moves were collected; `None` before the first frame.
    key: Option<(u64, NodeId)>,
    words: NodeTexts,
}

impl CommentField {
    /// Gives the field the keyboard focus as soon as it is drawn.
    pub(super) const fn request_focus(&mut self) {
        self.wants_focus = true;
    }

    /// Returns whether the field gets the keyboard focus as soon as it is drawn.
    pub(super) const fn wants_focus(&self) -> bool {
        self.wants_focus
    }

    /// Returns whether the comment field has text. The focus alone must not change the card: Tab could then not leave
    /// the field.
    pub(super) fn has_text(&mut self, frame: &StudyFrame<'_>) -> bool {
        self.sync_text(frame);
        !self.text.trim().is_empty()
    }

    pub(super) fn first_line(&self) -> Cow<'_, str> {
        short(self.text.trim().lines().next().unwrap_or_default())
    }

    pub(super) fn show_line(&mut self, ui: &mut Ui, frame: &mut StudyFrame<'_>) {
        self.sync_text(frame);
        self.show_field(ui, frame, 1);
    }

    /// Returns the height of at most `max_rows` variations, in points; 0 if there are none.
    pub(super) fn variations_height(&mut self, frame: &StudyFrame<'_>, max_rows: usize) -> f32 {
        self.choices.update_choices(frame);
        let others = self.choices.nodes.len().min(max_rows);
        if others == 0 {
            0.0
        } else {
            30.0 + ROW_HEIGHT * others as f32
        }
    }

    pub(super) fn show_variations(&mut self, ui: &mut Ui, frame: &mut StudyFrame<'_>) {
        if !self.choices.nodes.is_empty() {
            self.choices.show(ui, frame);
        }
    }

    pub(super) fn show(&mut self, ui: &mut Ui, frame: &mut StudyFrame<'_>) {
        self.sync_text(frame);
        let rows = self.variations_height(frame, MAX_VISIBLE_CHOICES);
        let height = (ui.available_height() - rows).max(48.0);
        ScrollArea::vertical()
            .id_salt("comment")
            .max_height(height)
            .min_scrolled_height(height)
            .show(ui, |ui| {
                self.show_field(ui, frame, 3);
                self.show_more_of_text(ui, frame);
                if !frame.view.bar.is_hidden {
                    self.show_evaluations(ui, frame);
                }
            });
        self.show_variations(ui, frame);
    }

    /// Loads the comment of the current node, unless the field already has it because the user typed it.
    fn sync_text(&mut self, frame: &StudyFrame<'_>) {
        let document = frame.view.document;
        let (revision, node) = (document.revision(), self.edited_node(document));
        self.current_node = Some(document.current());
        let before = self.node.replace((revision, node));
        if before == self.node {
            return;
        }
        let is_here = before.is_some_and(|(before, at)| at == node && before >= document.first_revision());
        let comment = document.record().node(node).comment().unwrap_or_default();
        if is_here && self.comment == comment {
            return;
        }
        comment.clone_into(&mut self.comment);
        self.loaded_comment = split(comment);
        if !is_here {
            self.max_laid_out_chars = INITIAL_LAID_OUT_CHARS;
        }
        self.loaded_comment.text().clone_into(&mut self.text);
        self.hidden_text.clear();
        self.lay_out();
    }

    /// Returns the node whose comment is in the field. This is the current node. While the user types and moves are
    /// added, it stays the node at which the typing began.
    fn edited_node(&self, document: &Document) -> NodeId {
        let current = document.current();
        let Some((revision, node)) = self
            .node
            .filter(|(revision, _)| *revision >= document.first_revision())
        else {
            return current;
        };
        let has_node = node == NodeId::START || document.line().contains(&node);
        // A revision that stays the same means that the user has stepped to another node, which ends the writing.
        let stays = Some(current) == self.current_node || revision != document.revision() && has_node;
        if self.has_focus && stays { node } else { current }
    }

    /// Moves remaining text into the field as far as it may be laid out, or takes the excess out. The text in the field
    /// ends at the end of a line. Text added there therefore does not join the rest.
    fn lay_out(&mut self) {
        self.text.push_str(&self.hidden_text);
        let end = self
            .text
            .char_indices()
            .nth(self.max_laid_out_chars)
            .map(|(end, _)| end);
        let line = end.and_then(|end| self.text.get(..end)?.rfind('\n').filter(|line| *line > 0));
        self.hidden_text = self.text.split_off(line.or(end).unwrap_or(self.text.len()));
        self.clears_undo = true;
    }

    /// Draws the length of the text that is not shown. Where more can be shown, the length is a button for that.
    fn show_more_of_text(&mut self, ui: &mut Ui, frame: &StudyFrame<'_>) {
        if self.hidden_text.is_empty() {
            return;
        }
        let left = self.hidden_text.chars().count();
        if self.max_laid_out_chars >= MAX_LAID_OUT_CHARS {
            ui.label(
                RichText::new(study_text::remaining_text(left, frame.lang))
                    .size(12.0)
                    .color(frame.theme.quiet),
            );
        } else if ui.button(study_text::more_of_text(left, frame.lang)).clicked() {
            self.max_laid_out_chars *= 8;
            self.lay_out();
        }
    }

    /// Draws the text field with at least `rows` rows.
    fn show_field(&mut self, ui: &mut Ui, frame: &mut StudyFrame<'_>, rows: usize) {
        if std::mem::take(&mut self.clears_undo)
            && let Some(mut state) = TextEditState::load(ui.ctx(), field_id())
        {
            state.clear_undoer();
            state.store(ui.ctx(), field_id());
        }
        let field = TextEdit::multiline(&mut self.text)
            .id(field_id())
            .hint_text(StudyPhrase::CommentHint.text(frame.lang))
            .frame(egui::Frame::NONE)
            .desired_width(f32::INFINITY)
            .desired_rows(rows);
        let field = ui.add(field);
        set_accessible_label(&field, StudyPhrase::Comment.text(frame.lang));
        if std::mem::take(&mut self.wants_focus) {
            field.request_focus();
        }
        self.has_focus = field.has_focus();
        if field.changed() {
            self.comment = self
                .loaded_comment
                .join(&[self.text.as_str(), &self.hidden_text].concat());
            let node = self
                .node
                .map_or_else(|| frame.view.document.current(), |(_, node)| node);
            frame.act(DocumentEdit::SetComment(node, self.comment.clone()));
        }
    }

    /// Draws the evaluations of the comment, collapsed because they are also in the graph and beside the moves.
    fn show_evaluations(&self, ui: &mut Ui, frame: &StudyFrame<'_>) {
        let count = self.loaded_comment.evaluations().count();
        if count == 0 {
            return;
        }
        let quiet = |text: &str| RichText::new(text).size(12.0).color(frame.theme.quiet);
        ui.add_space(4.0);
        let header =
            CollapsingHeader::new(quiet(&study_text::evaluation_count(count, frame.lang))).id_salt("stated");
        let shown = header.show(ui, |ui| {
            for block in self.loaded_comment.evaluations().take(MAX_EVALUATIONS) {
                ui.add(Label::new(quiet(&short(block))).wrap());
            }
        });
        // The evaluations may open below the visible part, so they scroll into view.
        if let (false, Some(body)) = (shown.fully_open(), &shown.body_response) {
            body.scroll_to_me(None);
        }
    }
}

/// Returns the id of the field. The id is independent of the field's position, so that the field keeps the focus.
fn field_id() -> Id {
    Id::unique("comment of a move")
}

impl MoveChoices {
    /// Collects the moves after the current position if there are several; otherwise the alternatives to the current
    /// move.
    fn update_choices(&mut self, frame: &StudyFrame<'_>) {
        let document = frame.view.document;
        let key = Some((document.revision(), document.current()));
        if std::mem::replace(&mut self.key, key) == key {
            return;
        }
        let record = document.record();
        let several = |at: NodeId| record.children(at).nth(1).map(|_| at);
        let parent = record.parent(document.current()).and_then(several);
        self.nodes.clear();
        if let Some(at) = several(document.current()).or(parent) {
            self.node = Some(at);
            self.nodes.extend(record.children(at));
        }
    }

    fn show(&mut self, ui: &mut Ui, frame: &mut StudyFrame<'_>) {
        ui.label(
            RichText::new(study_text::variations(self.nodes.len(), frame.lang)).color(frame.theme.quiet),
        );
        let document = frame.view.document;
        // All alternatives have the same index in the current line: that of the current node, or the next index.
        let ply = if self.node == Some(document.current()) {
            Some(document.ply())
        } else {
            document.ply().checked_sub(1)
        };
        let on_line = ply.and_then(|ply| document.line().get(ply)).copied();
        ui.spacing_mut().item_spacing.y = 0.0;
        let area = ScrollArea::vertical().id_salt("variations").auto_shrink(false);
        area.show_rows(ui, ROW_HEIGHT, self.nodes.len(), |ui, seen| {
            let nodes = self.nodes.get(seen.clone()).unwrap_or_default();
            self.words.update(document, frame.lang, nodes.iter().copied());
            for (nth, node) in seen.zip(nodes) {
                let word = self.words.get(*node);
                let line = if nth == 0 {
                    StudyPhrase::MainLine.text(frame.lang)
                } else {
                    ""
                };
                show_choice(ui, frame, *node, [word, line], Some(*node) == on_line);
            }
        });
    }
}

/// Draws one of the alternatives. `line` is the name of the line to which it belongs; may be empty.
fn show_choice(
    ui: &mut Ui,
    frame: &mut StudyFrame<'_>,
    node: NodeId,
    [word, line]: [&str; 2],
    is_on_line: bool,
) {
    ui.horizontal(|ui| {
        ui.set_height(ROW_HEIGHT);
        let text = if line.is_empty() {
            word.to_owned()
        } else {
            format!("{word}　({line})")
        };
        let entry = ui.add(Button::selectable(is_on_line, text).frame_when_inactive(is_on_line));
        if entry.clicked() {
            frame.act(DocumentEdit::Go(node));
        }
        entry.context_menu(|ui| show_branch_menu(ui, frame, node));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            show_more_button(ui, frame.lang, word, |ui| show_branch_menu(ui, frame, node));
        });
    });
}

pub(super) fn show_branch_menu(ui: &mut Ui, frame: &mut StudyFrame<'_>, node: NodeId) {
    let items = [
        (Command::Promote, DocumentEdit::PromoteNode(node)),
        (Command::MainLine, DocumentEdit::MakeMainLine(node)),
        (Command::Delete, DocumentEdit::DeleteNode(node)),
    ];
    for (command, action) in items {
        if ui.button(command_text(command, frame.lang)).clicked() {
            frame.act(action);
            ui.close();
        }
    }
}
