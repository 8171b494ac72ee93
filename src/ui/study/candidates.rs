//! The candidates of the engines, move by move. A pv can be shown on the board, inserted and copied.

use super::keys::{self, KeysInUse};
use super::{StudyAction, StudyFrame, more};
use crate::bar::{CandidateView, EngineView};
use crate::config::{Command, StudyKeys};
use crate::kifu::NodeId;
use crate::shogi::{Marks, Move, Notation, Style};
use crate::study::Document;
use crate::text::study::{self, StudyPhrase};
use crate::text::{Label, phrase};
use crate::ui::fonts::TextWeight;
use eframe::egui;
use egui::{
    Align, Align2, CornerRadius, Key, Label as Text, Layout, Modifiers, Pos2, RichText, Role, Sense, Ui, UiBuilder,
    WidgetInfo, pos2, vec2,
};

/// The height of a row, in points.
const ROW: f32 = 30.0;
/// The width of its menu button, in points.
const MORE: f32 = 26.0;

/// A pv shown on the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PvPreview {
    /// The node after which it begins; `None` for the current position.
    pub(super) after: Option<NodeId>,
    /// The moves of the pv.
    pub(super) moves: Vec<Move>,
    /// The number of moves played on the board; the rest are still to come.
    pub(super) count: usize,
}

/// A row: the index of the engine, from 0, and the rank.
type CandidateRow = (usize, u32);

/// The state of the list between frames.
#[derive(Debug, Default)]
pub(super) struct CandidateList {
    /// The pv that was clicked and stays on the board.
    pub(super) pinned: Option<PvPreview>,
    /// The pv under the pointer, and its row.
    hovered: Option<(CandidateRow, PvPreview)>,
    /// The row under the pointer when a pv was pinned or stepped by keys. Hovering in this row does not hide the pinned
    /// pv.
    pinned_row: Option<CandidateRow>,
    /// The record, by first revision, and the current node.
    at: Option<(u64, NodeId)>,
    /// The pointer position when the preview ended. Until the pointer moves, no pv below it is shown.
    ended_at: Option<Pos2>,
}

impl CandidateList {
    /// Ends the preview if the current position has changed.
    pub(super) fn update(&mut self, ui: &Ui, document: &Document) {
        let pointer = ui.input(|input| input.pointer.latest_pos());
        self.ended_at = self.ended_at.filter(|_| pointer == self.ended_at);
        let at = (document.first_revision(), document.current());
        if self.at.replace(at) != Some(at) {
            self.end(ui);
        }
    }

    /// Shows the current position again, even while the pointer is over a pv.
    fn end(&mut self, ui: &Ui) {
        (self.pinned, self.hovered, self.pinned_row) = (None, None, None);
        self.ended_at = ui.input(|input| input.pointer.latest_pos());
    }

    /// Returns the pv to show on the board, if any.
    pub(super) fn preview(&self) -> Option<&PvPreview> {
        let pinned = self.pinned.as_ref();
        // The pointer is still where the pv was clicked, but the engine may show another pv there by now.
        let hovered = self.hovered.as_ref().filter(|_| self.ended_at.is_none()).filter(|(row, hovered)| {
            pinned.is_none_or(|pinned| self.pinned_row != Some(*row) && pinned.moves != hovered.moves)
        });
        hovered.map(|(_, hovered)| hovered).or(pinned)
    }

    /// Handles keys while a pv is on the board: they step through it, not through the game.
    pub(super) fn keys(&mut self, ui: &Ui, keys: &StudyKeys, busy: KeysInUse) {
        if let Some(preview) = &mut self.pinned {
            for command in
                keys::take_commands(ui, keys, busy, |command| matches!(command, Command::Back | Command::Forward))
            {
                self.pinned_row = self.hovered.as_ref().map(|(row, _)| *row).or(self.pinned_row);
                preview.count = match command {
                    Command::Back => preview.count.saturating_sub(1),
                    _ => (preview.count + 1).min(preview.moves.len()),
                };
            }
        }
        let ends = self.preview().is_some() && busy != KeysInUse::TextInput;
        if ends && ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Escape)) {
            self.end(ui);
        }
    }

    /// Puts a pv on the board, or takes it off if it is there.
    pub(super) fn toggle(&mut self, preview: PvPreview) {
        (self.ended_at, self.pinned_row) = (None, None);
        self.pinned = Some(preview).filter(|preview| self.pinned.as_ref() != Some(preview));
    }

    pub(super) fn show(&mut self, ui: &mut Ui, frame: &mut StudyFrame<'_>) {
        self.hovered = None;
        // Empty rows are as high as filled ones.
        ui.spacing_mut().item_spacing.y = 0.0;
        let bar = frame.view.bar;
        for (nth, engine) in bar.engines.iter().enumerate() {
            // Each engine needs its own ids for its rows.
            ui.push_id(("engine", nth), |ui| self.block(ui, frame, nth, engine));
        }
    }

    /// Draws the rows of one engine.
    fn block(&mut self, ui: &mut Ui, frame: &mut StudyFrame<'_>, nth: usize, engine: &EngineView) {
        if frame.view.bar.engines.len() > 1 {
            ui.label(RichText::new(&engine.name).color(frame.theme.quiet));
        }
        let rows = engine.multipv.max(engine.candidates.len()).max(1);
        let top = ui.cursor().top();
        if let Some(notice) = &engine.notice {
            let color = if notice.failure { frame.theme.accent } else { frame.theme.quiet };
            ui.add(Text::new(RichText::new(&notice.text).color(color)).wrap());
        } else {
            for candidate in &engine.candidates {
                self.row(ui, frame, nth, candidate);
            }
        }
        // Reserves space for all rows, so that nothing below moves while they arrive.
        let missing = rows as f32 * ROW - (ui.cursor().top() - top);
        ui.add_space(missing.max(0.0));
        figures(ui, frame, engine);
    }

    fn row(&mut self, ui: &mut Ui, frame: &mut StudyFrame<'_>, engine: usize, candidate: &CandidateView) {
        let theme = frame.theme;
        let (all, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::hover());
        let row = all.with_max_x(all.right() - MORE);
        let y = row.center().y;
        let painter = ui.painter();
        let at = |x: f32| pos2(row.left() + x, y);
        painter.text(
            at(0.0),
            Align2::LEFT_CENTER,
            candidate.rank.to_string(),
            TextWeight::Regular.at(12.5),
            theme.quiet,
        );
        painter.text(at(132.0), Align2::LEFT_CENTER, candidate.value(), TextWeight::Regular.at(14.0), theme.text);
        let (loss, color, weight) = match candidate.loss {
            None => (Label::Best.text(frame.lang).to_owned(), theme.accent, TextWeight::Bold),
            Some(0) => ("±0".to_owned(), theme.quiet, TextWeight::Regular),
            Some(loss) => (format!("−{loss}"), if loss >= 10 { theme.loss } else { theme.quiet }, TextWeight::Regular),
        };
        painter.text(at(206.0), Align2::LEFT_CENTER, &loss, weight.at(12.5), color);
        let CandidateView { rank, word, .. } = candidate;
        let value = candidate.value();
        response.widget_info(|| WidgetInfo::labeled(Role::Label, true, format!("{rank} {word} {value} {loss}")));
        let words =
            std::iter::once(candidate.word.as_str()).chain(candidate.line.split(' ').filter(|word| !word.is_empty()));
        let mut x = 20.0;
        // Those of another position cannot be played here.
        let can_be_played = !candidate.moves.is_empty();
        for (nth, word) in words.enumerate() {
            let (font, color) = if nth == 0 && can_be_played {
                (TextWeight::Bold.at(16.0), theme.text)
            } else if nth == 0 {
                (TextWeight::Bold.at(16.0), theme.quiet)
            } else {
                (TextWeight::Regular.at(13.5), theme.quiet)
            };
            if nth == 1 {
                x = 258.0;
            }
            let galley = ui.painter().layout_no_wrap(word.to_owned(), font, color);
            let size = galley.size();
            if x + size.x > row.width() {
                break;
            }
            let rect = egui::Rect::from_min_size(pos2(row.left() + x, y - size.y / 2.0), size);
            x += size.x + 8.0;
            if !can_be_played {
                ui.painter().galley(rect.min, galley, color);
                continue;
            }
            let response =
                ui.interact(rect.expand2(vec2(2.0, 3.0)), ui.scope_id().with((candidate.rank, nth)), Sense::click());
            response.widget_info(|| WidgetInfo::labeled(Role::Link, true, word));
            let preview = PvPreview { after: None, moves: candidate.moves.clone(), count: nth + 1 };
            let is_shown = self.pinned.as_ref() == Some(&preview);
            if response.hovered() || is_shown {
                ui.painter().rect_filled(rect.expand2(vec2(2.0, 1.0)), CornerRadius::same(3), theme.rail);
            }
            ui.painter().galley(rect.min, galley, color);
            if response.clicked() {
                self.ended_at = None;
                self.pinned = if is_shown { None } else { Some(preview.clone()) };
                self.pinned_row = Some((engine, candidate.rank));
            }
            if response.hovered() {
                self.hovered = Some(((engine, candidate.rank), preview));
            }
            response.context_menu(|ui| menu(ui, frame, candidate));
        }
        if !can_be_played {
            return;
        }
        // An alternative to the context menu of the secondary mouse button.
        let rect = all.with_min_x(row.right());
        let beside = UiBuilder::new().max_rect(rect).id_salt(("more", candidate.rank));
        let mut beside = ui.new_child(beside.layout(Layout::right_to_left(Align::Center)));
        more(&mut beside, frame.lang, word, |ui| menu(ui, frame, candidate));
    }
}

/// Draws the menu of a pv.
fn menu(ui: &mut Ui, frame: &mut StudyFrame<'_>, candidate: &CandidateView) {
    let lang = frame.lang;
    if ui.button(StudyPhrase::Insert.text(lang)).clicked() {
        frame.act(StudyAction::Insert(candidate.moves.clone()));
        ui.close();
    }
    ui.menu_button(StudyPhrase::CopyLine.text(lang), |ui| {
        let history = frame.view.history;
        for style in Style::ALL {
            let notation = Notation { style, marks: Marks::Triangle, ..Notation::default() };
            let first = candidate.moves.get(..1).unwrap_or_default();
            if ui.button(study::style(style, &notation.words(history, first).concat(), lang)).clicked() {
                frame.act(StudyAction::Copy(notation.words(history, &candidate.moves).join(" ")));
                ui.close();
            }
        }
    });
}

/// Draws the depth and speed of an engine.
fn figures(ui: &mut Ui, frame: &StudyFrame<'_>, engine: &EngineView) {
    let [depth, speed] = &engine.stats;
    let stats = phrase::together(&[depth, speed], frame.lang);
    ui.label(RichText::new(if stats.is_empty() { "　" } else { &stats }).size(12.5).color(frame.theme.quiet));
}
