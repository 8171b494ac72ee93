//! What the engines would play, move by move: a line can be looked at on the board, played and kept.

use super::keys::{self, KeysInUse};
use super::{StudyAction, StudyFrame, more};
use crate::bar::{CandidateView, EngineView};
use crate::config::StudyKeys;
use crate::kifu::NodeId;
use crate::shogi::{Marks, Move, Notation, Style};
use crate::study::Document;
use crate::text::study::{self, StudyCommand, StudyPhrase};
use crate::text::{Label, phrase};
use crate::ui::fonts::TextWeight;
use eframe::egui;
use egui::{
    Align, Align2, CornerRadius, Key, Label as Text, Layout, Modifiers, Pos2, RichText, Role, Sense, Ui, UiBuilder,
    WidgetInfo, pos2, vec2,
};

/// The height of a row.
const ROW: f32 = 30.0;
/// The room for what more can be done with it.
const MORE: f32 = 26.0;

/// A line of an engine on the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PvPreview {
    /// The moves that are on the board.
    pub(super) moves: Vec<Move>,
    /// How many of them were played: the rest are still to come.
    pub(super) count: usize,
}

/// A row: of which engine, counted from 0, and its rank.
type CandidateRow = (usize, u32);

/// What the rows keep from frame to frame.
#[derive(Debug, Default)]
pub(super) struct CandidateList {
    /// The line that was clicked, and stays on the board.
    pub(super) pinned: Option<PvPreview>,
    /// The line under the pointer, and its row.
    hovered: Option<(CandidateRow, PvPreview)>,
    /// The row under the pointer when a line was clicked, or led on by keys: no other line of it hides that one.
    quiet: Option<CandidateRow>,
    /// What was on view: which record, and where in it.
    at: Option<(u64, NodeId)>,
    /// Where the pointer was when the preview ended: until it moves, no line below it is shown.
    ended_at: Option<Pos2>,
}

impl CandidateList {
    /// Lets go of a line where another position is on view than the one that it leads on from.
    pub(super) fn update(&mut self, ui: &Ui, document: &Document) {
        let pointer = ui.input(|input| input.pointer.latest_pos());
        self.ended_at = self.ended_at.filter(|_| pointer == self.ended_at);
        let at = (document.first_revision(), document.here());
        if self.at.replace(at) != Some(at) {
            self.end(ui);
        }
    }

    /// Shows the position itself again, even while the pointer rests on a line.
    fn end(&mut self, ui: &Ui) {
        (self.pinned, self.hovered, self.quiet) = (None, None, None);
        self.ended_at = ui.input(|input| input.pointer.latest_pos());
    }

    /// The line on the board, if one is.
    pub(super) fn preview(&self) -> Option<&PvPreview> {
        let pinned = self.pinned.as_ref();
        // Where a line was clicked the pointer still is, and the engine may read another line there by now.
        let hovered = self.hovered.as_ref().filter(|_| self.ended_at.is_none()).filter(|(row, hovered)| {
            pinned.is_none_or(|pinned| self.quiet != Some(*row) && pinned.moves != hovered.moves)
        });
        hovered.map(|(_, hovered)| hovered).or(pinned)
    }

    /// While a line is on the board, keys lead through it, not through the game.
    pub(super) fn keys(&mut self, ui: &Ui, keys: &StudyKeys, busy: KeysInUse) {
        if let Some(peek) = &mut self.pinned {
            for deed in keys::taken(ui, keys, busy, |deed| matches!(deed, StudyCommand::Back | StudyCommand::Forward)) {
                self.quiet = self.hovered.as_ref().map(|(row, _)| *row).or(self.quiet);
                peek.count = match deed {
                    StudyCommand::Back => peek.count.saturating_sub(1),
                    _ => (peek.count + 1).min(peek.moves.len()),
                };
            }
        }
        let ends = self.preview().is_some() && busy != KeysInUse::Types;
        if ends && ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Escape)) {
            self.end(ui);
        }
    }

    pub(super) fn show(&mut self, ui: &mut Ui, sheet: &mut StudyFrame<'_>) {
        self.hovered = None;
        // Rows that are missing are as high as those that are there.
        ui.spacing_mut().item_spacing.y = 0.0;
        let bar = sheet.view.bar;
        for (nth, engine) in bar.engines.iter().enumerate() {
            // The rows of each have ids of their own.
            ui.push_id(("engine", nth), |ui| self.block(ui, sheet, nth, engine));
        }
    }

    /// What one engine says.
    fn block(&mut self, ui: &mut Ui, sheet: &mut StudyFrame<'_>, nth: usize, engine: &EngineView) {
        if sheet.view.bar.engines.len() > 1 {
            ui.label(RichText::new(&engine.name).color(sheet.theme.quiet));
        }
        let rows = engine.asked.max(engine.candidates.len()).max(1);
        let top = ui.cursor().top();
        if let Some(notice) = &engine.notice {
            let color = if notice.failure { sheet.theme.accent } else { sheet.theme.quiet };
            ui.add(Text::new(RichText::new(&notice.text).color(color)).wrap());
        } else {
            for candidate in &engine.candidates {
                self.row(ui, sheet, nth, candidate);
            }
        }
        // Room for all, so that nothing below moves while they come in.
        let missing = rows as f32 * ROW - (ui.cursor().top() - top);
        ui.add_space(missing.max(0.0));
        figures(ui, sheet, engine);
    }

    fn row(&mut self, ui: &mut Ui, sheet: &mut StudyFrame<'_>, engine: usize, candidate: &CandidateView) {
        let theme = sheet.theme;
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
        painter.text(at(132.0), Align2::LEFT_CENTER, &candidate.value, TextWeight::Regular.at(14.0), theme.text);
        let (loss, color, weight) = match candidate.loss {
            None => (Label::Best.text(sheet.lang).to_owned(), theme.accent, TextWeight::Bold),
            Some(0) => ("±0".to_owned(), theme.quiet, TextWeight::Regular),
            Some(loss) => (format!("−{loss}"), if loss >= 10 { theme.loss } else { theme.quiet }, TextWeight::Regular),
        };
        painter.text(at(206.0), Align2::LEFT_CENTER, &loss, weight.at(12.5), color);
        let CandidateView { rank, word, value, .. } = candidate;
        response.widget_info(|| WidgetInfo::labeled(Role::Label, true, format!("{rank} {word} {value} {loss}")));
        let words =
            std::iter::once(candidate.word.as_str()).chain(candidate.line.split(' ').filter(|word| !word.is_empty()));
        let mut x = 20.0;
        for (nth, word) in words.enumerate().take(candidate.moves.len()) {
            let (font, color) = if nth == 0 {
                (TextWeight::Bold.at(16.0), theme.text)
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
            let response =
                ui.interact(rect.expand2(vec2(2.0, 3.0)), ui.scope_id().with((candidate.rank, nth)), Sense::click());
            response.widget_info(|| WidgetInfo::labeled(Role::Link, true, word));
            let peek = PvPreview { moves: candidate.moves.clone(), count: nth + 1 };
            let is_shown = self.pinned.as_ref() == Some(&peek);
            if response.hovered() || is_shown {
                ui.painter().rect_filled(rect.expand2(vec2(2.0, 1.0)), CornerRadius::same(3), theme.rail);
            }
            ui.painter().galley(rect.min, galley, color);
            if response.clicked() {
                self.ended_at = None;
                self.pinned = if is_shown { None } else { Some(peek.clone()) };
                self.quiet = Some((engine, candidate.rank));
            }
            if response.hovered() {
                self.hovered = Some(((engine, candidate.rank), peek));
            }
            response.context_menu(|ui| menu(ui, sheet, candidate));
            x += size.x + 8.0;
        }
        // For those who do not know of the other button of the mouse, or have none.
        let rect = all.with_min_x(row.right());
        let beside = UiBuilder::new().max_rect(rect).id_salt(("more", candidate.rank));
        let mut beside = ui.new_child(beside.layout(Layout::right_to_left(Align::Center)));
        more(&mut beside, sheet.lang, word, |ui| menu(ui, sheet, candidate));
    }
}

/// What can be done with a line.
fn menu(ui: &mut Ui, sheet: &mut StudyFrame<'_>, candidate: &CandidateView) {
    let lang = sheet.lang;
    if ui.button(StudyPhrase::Insert.text(lang)).clicked() {
        sheet.act(StudyAction::Insert(candidate.moves.clone()));
        ui.close();
    }
    ui.menu_button(StudyPhrase::CopyLine.text(lang), |ui| {
        let history = sheet.view.history;
        for style in Style::ALL {
            let notation = Notation { style, marks: Marks::Triangle, ..Notation::default() };
            let first = candidate.moves.get(..1).unwrap_or_default();
            if ui.button(study::style(style, &notation.words(history, first).concat(), lang)).clicked() {
                sheet.act(StudyAction::Copy(notation.words(history, &candidate.moves).join(" ")));
                ui.close();
            }
        }
    });
}

/// How far an engine has read.
fn figures(ui: &mut Ui, sheet: &StudyFrame<'_>, engine: &EngineView) {
    let [depth, speed] = &engine.figures;
    let said = phrase::together(&[depth, speed], sheet.lang);
    ui.label(RichText::new(if said.is_empty() { "　" } else { &said }).size(12.5).color(sheet.theme.quiet));
}
