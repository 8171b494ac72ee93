//! The candidates of the engines, move by move. A pv can be shown on the board, inserted and copied.

use super::keys::{self, KeysInUse};
use super::{StudyAction, StudyFrame, engine_menu, show_more_button};
use crate::board::rank_opacity;
use crate::fonts::TextWeight;
use crate::study_text::{self, StudyPhrase};
use crate::theme::faded;
use eframe::egui;
use egui::{
    Align, Align2, CornerRadius, FontId, Key, Label as Text, Layout, Modifiers, PointerButton, Pos2, Rect,
    RichText, Role, ScrollArea, Sense, Stroke, StrokeKind, Ui, UiBuilder, WidgetInfo, pos2, vec2,
};
use shogibar_base::Lang;
use shogibar_config::{Command, StudyKeys};
use shogibar_games::bar::{BarView, CandidateView, EngineView};
use shogibar_games::graph_text::signed;
use shogibar_games::study::{Document, DocumentEdit};
use shogibar_games::{Label, phrase};
use shogibar_kifu::NodeId;
use shogibar_shogi::{Marks, Move, Notation, Style};

/// The height of a row, in points.
const ROW_HEIGHT: f32 = 28.0;
/// The height of the row with the evaluation of an engine, in points.
const SUMMARY_HEIGHT: f32 = 24.0;
/// The height of an engine's name, in points.
const NAME_HEIGHT: f32 = 20.0;
/// The width of a row's menu button, in points.
const MENU_BUTTON_WIDTH: f32 = 26.0;
/// The left edge of the move, in points from the left of the row.
const MOVE_LEFT: f32 = 30.0;
/// The width of the column of moves, in points. A longer move is written smaller.
const MOVE_WIDTH: f32 = 78.0;
/// The right edge of the value, in points from the left of the row.
const VALUE_RIGHT: f32 = 144.0;
/// The right edge of the loss, in points from the left of the row.
const LOSS_RIGHT: f32 = 186.0;
/// The left edge of the pv, in points from the left of the row.
const PV_LEFT: f32 = 197.0;
/// The gap between two moves of a pv, in points.
const MOVE_GAP: f32 = 8.0;
/// The radius of a rank's dot, in points.
const DOT_RADIUS: f32 = 10.0;

/// A pv shown on the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PvPreview {
    /// The node after which the pv begins; `None` for the current position.
    pub(super) start_node: Option<NodeId>,
    pub(super) moves: Vec<Move>,
    /// The number of moves already played on the board; the other moves are still to come.
    pub(super) shown_count: usize,
}

/// A row: the index of the engine, from 0, and the rank.
type CandidateRow = (usize, u32);

/// The state of the list between frames.
#[derive(Debug, Default)]
pub(super) struct CandidateList {
    /// The pv that was clicked and stays on the board.
    pub(super) pinned_preview: Option<PvPreview>,
    /// The pv under the pointer, and the row of that pv.
    hovered_preview: Option<(CandidateRow, PvPreview)>,
    /// The pv under the pointer when the mouse button was pressed. The engine may show another pv before the button is
    /// released.
    pressed_preview: Option<PvPreview>,
    /// The row under the pointer when a pv was pinned or stepped by keys. Hovering in this row does not hide the pinned
    /// pv.
    pinned_row: Option<CandidateRow>,
    /// The first revision of the record, and the current node, at the last frame.
    shown_position: Option<(u64, NodeId)>,
    /// The pointer position when the preview ended. Until the pointer moves, the pv below it is not shown.
    end_position: Option<Pos2>,
}

impl CandidateList {
    /// Ends the preview if the current position has changed.
    pub(super) fn update(&mut self, ui: &Ui, document: &Document) {
        let pointer = ui.input(|input| input.pointer.latest_pos());
        if pointer != self.end_position {
            self.end_position = None;
        }
        let at = (document.first_revision(), document.current());
        if self.shown_position.replace(at) != Some(at) {
            self.end_preview(ui);
        }
    }

    /// Shows the current position again, even while the pointer is over a pv.
    pub(super) fn end_preview(&mut self, ui: &Ui) {
        (self.pinned_preview, self.hovered_preview, self.pinned_row) = (None, None, None);
        self.end_position = ui.input(|input| input.pointer.latest_pos());
    }

    /// Returns the pv to show on the board, if any.
    pub(super) fn preview(&self) -> Option<&PvPreview> {
        let pinned = self.pinned_preview.as_ref();
        // The pointer is still where the pinned pv was clicked, but the engine may show another pv there by now. So
        // this row gives no preview.
        match &self.hovered_preview {
            Some((row, hovered))
                if self.end_position.is_none()
                    && pinned.is_none_or(|pinned| {
                        self.pinned_row != Some(*row) && pinned.moves != hovered.moves
                    }) =>
            {
                Some(hovered)
            }
            _ => pinned,
        }
    }

    /// Handles the keys while a pv is on the board: the keys for a step back or forward step through the pv instead of
    /// the game, and Escape ends the preview.
    pub(super) fn handle_keys(&mut self, ui: &Ui, keys: &StudyKeys, keys_in_use: KeysInUse) {
        if let Some(preview) = &mut self.pinned_preview {
            let keys_in_use = if keys_in_use == KeysInUse::OtherWidget {
                KeysInUse::None
            } else {
                keys_in_use
            };
            for command in keys::take_commands(ui, keys, keys_in_use, |command| {
                matches!(command, Command::Back | Command::Forward)
            }) {
                self.pinned_row = self
                    .hovered_preview
                    .as_ref()
                    .map(|(row, _)| *row)
                    .or(self.pinned_row);
                preview.shown_count = match command {
                    Command::Back => preview.shown_count.saturating_sub(1),
                    _ => (preview.shown_count + 1).min(preview.moves.len()),
                };
            }
        }
        let ends = self.preview().is_some() && keys_in_use != KeysInUse::TextInput;
        if ends && ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Escape)) {
            self.end_preview(ui);
        }
    }

    /// Puts a pv on the board, or removes it if it is there already.
    pub(super) fn toggle_preview(&mut self, preview: PvPreview) {
        (self.end_position, self.pinned_row) = (None, None);
        self.pinned_preview = Some(preview).filter(|preview| self.pinned_preview.as_ref() != Some(preview));
    }

    pub(super) fn show(&mut self, ui: &mut Ui, frame: &mut StudyFrame<'_>) {
        self.hovered_preview = None;
        if ui.input(|input| !input.pointer.any_down() && !input.pointer.any_released()) {
            self.pressed_preview = None;
        }
        // Empty rows are as high as filled ones.
        ui.spacing_mut().item_spacing.y = 0.0;
        let engines = &frame.view.bar.engines;
        ScrollArea::vertical()
            .id_salt("candidates")
            .auto_shrink([false, false])
            .show(ui, |ui| {
                for (nth, engine) in engines.iter().enumerate() {
                    // The rows of each engine need their own ids.
                    ui.push_id(("engine", nth), |ui| self.show_engine(ui, frame, nth, engine));
                }
            });
    }

    fn show_engine(&mut self, ui: &mut Ui, frame: &mut StudyFrame<'_>, nth: usize, engine: &EngineView) {
        if frame.view.bar.engines.len() > 1 {
            let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), NAME_HEIGHT), Sense::hover());
            let name = RichText::new(&engine.name).size(12.5).color(frame.theme.quiet);
            ui.put(rect, Text::new(name).truncate().halign(Align::LEFT));
        }
        let top = ui.cursor().top();
        if let Some(notice) = &engine.notice {
            let color = if notice.is_failure {
                frame.theme.blunder
            } else {
                frame.theme.quiet
            };
            ui.add(Text::new(RichText::new(&notice.text).color(color)).wrap());
        } else {
            for candidate in &engine.candidates {
                self.show_row(ui, frame, nth, candidate);
            }
        }
        // Reserves space for all rows, so that nothing below moves while they arrive.
        let missing = row_count(engine) as f32 * ROW_HEIGHT - (ui.cursor().top() - top);
        ui.add_space(missing.max(0.0));
        show_summary(ui, frame, engine);
    }

    fn show_row(
        &mut self,
        ui: &mut Ui,
        frame: &mut StudyFrame<'_>,
        engine: usize,
        candidate: &CandidateView,
    ) {
        let (all, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW_HEIGHT), Sense::click());
        // Candidates of another position have no moves, and cannot be played here.
        let can_be_played = !candidate.moves.is_empty();
        let loss = loss_text(candidate, frame.lang);
        let CandidateView { rank, word, .. } = candidate;
        let value = candidate.value();
        response.widget_info(|| {
            WidgetInfo::labeled(
                Role::Button,
                can_be_played,
                format!("{rank} {word} {value} {loss}"),
            )
        });
        if response.has_focus() {
            let stroke = Stroke::new(2.0, frame.theme.accent);
            ui.painter()
                .rect_stroke(all, CornerRadius::same(4), stroke, StrokeKind::Inside);
        }
        ui.painter().hline(
            all.x_range(),
            all.bottom() - 0.5,
            Stroke::new(1.0, frame.theme.separator),
        );
        // Enter and a screen reader click without a button.
        if response.double_clicked() || response.clicked() && !response.clicked_by(PointerButton::Primary) {
            self.play(frame, &candidate.moves);
        }
        let row = all.with_max_x(all.right() - MENU_BUTTON_WIDTH);
        let pv_left = draw_figures(ui, frame, candidate, row, &loss);
        self.show_moves(ui, frame, engine, candidate, row, pv_left);
        response.context_menu(|ui| show_menu(ui, frame, candidate));
        if !can_be_played {
            return;
        }
        // A button with the entries of the context menu, as an alternative to the secondary mouse button.
        let rect = all.with_min_x(row.right());
        let beside = UiBuilder::new().max_rect(rect).id_salt(("more", candidate.rank));
        let mut beside = ui.new_child(beside.layout(Layout::right_to_left(Align::Center)));
        show_more_button(&mut beside, frame.lang, word, |ui| {
            show_menu(ui, frame, candidate);
        });
    }

    /// Plays the first move of a pv.
    fn play(&mut self, frame: &mut StudyFrame<'_>, moves: &[Move]) {
        if let Some(mv) = moves.first() {
            self.pinned_preview = None;
            frame.act(DocumentEdit::Play(*mv));
        }
    }

    /// Draws the moves of a pv: the first one, and from `pv_left` on as many of the others as fit. A click on a move
    /// shows the pv up to this move on the board. A double click plays the first move.
    fn show_moves(
        &mut self,
        ui: &Ui,
        frame: &mut StudyFrame<'_>,
        engine: usize,
        candidate: &CandidateView,
        row: Rect,
        pv_left: f32,
    ) {
        let theme = frame.theme;
        let can_be_played = !candidate.moves.is_empty();
        let following = candidate.line.split(' ').filter(|word| !word.is_empty());
        let mut words = std::iter::once(candidate.word.as_str())
            .chain(following)
            .enumerate()
            .peekable();
        let more = ui
            .painter()
            .layout_no_wrap("…".to_owned(), TextWeight::Regular.at(13.5), theme.quiet);
        let mut x = MOVE_LEFT;
        while let Some((nth, word)) = words.next() {
            let (font, color) = match nth {
                0 if can_be_played => (TextWeight::Bold.at(16.0), theme.text),
                0 => (TextWeight::Bold.at(16.0), theme.quiet),
                _ => (TextWeight::Regular.at(13.5), theme.quiet),
            };
            if nth == 1 {
                x = pv_left;
            }
            let mut galley = ui.painter().layout_no_wrap(word.to_owned(), font.clone(), color);
            if nth == 0 && galley.size().x > MOVE_WIDTH {
                let smaller = FontId {
                    size: font.size * MOVE_WIDTH / galley.size().x,
                    ..font
                };
                galley = ui.painter().layout_no_wrap(word.to_owned(), smaller, color);
            }
            let size = galley.size();
            let after = if words.peek().is_some() {
                MOVE_GAP + more.size().x
            } else {
                0.0
            };
            if nth > 0 && x + size.x + after > row.width() {
                let at = pos2(row.left() + x, row.center().y - more.size().y / 2.0);
                ui.painter().galley(at, more, theme.quiet);
                break;
            }
            let rect = Rect::from_min_size(pos2(row.left() + x, row.center().y - size.y / 2.0), size);
            x += size.x + MOVE_GAP;
            if !can_be_played {
                ui.painter().galley(rect.min, galley, color);
                continue;
            }
            // Each word also takes half of the gap to its neighbours, so that no click falls between two words.
            let around = rect.expand2(vec2(MOVE_GAP / 2.0, 3.0));
            let response = ui.interact(around, ui.scope_id().with((candidate.rank, nth)), Sense::click());
            response.widget_info(|| WidgetInfo::labeled(Role::Link, true, word));
            let preview = PvPreview {
                start_node: None,
                moves: candidate.moves.clone(),
                shown_count: nth + 1,
            };
            let is_shown = self.pinned_preview.as_ref() == Some(&preview);
            if response.hovered() || is_shown || response.has_focus() {
                ui.painter()
                    .rect_filled(rect.expand2(vec2(2.0, 1.0)), CornerRadius::same(3), theme.rail);
            }
            ui.painter().galley(rect.min, galley, color);
            if response.is_pointer_button_down_on() && ui.input(|input| input.pointer.primary_pressed()) {
                self.pressed_preview = Some(preview.clone());
            }
            if response.clicked() {
                let clicked = self.pressed_preview.take().unwrap_or_else(|| preview.clone());
                if response.double_clicked() {
                    self.play(frame, &clicked.moves);
                } else {
                    self.toggle_preview(clicked);
                    self.pinned_row = Some((engine, candidate.rank));
                }
            }
            if response.hovered() {
                self.hovered_preview = Some(((engine, candidate.rank), preview));
            }
            response.context_menu(|ui| show_menu(ui, frame, candidate));
        }
    }
}

/// Returns the height that the candidates need, in points.
pub(super) fn needed_height(bar: &BarView) -> f32 {
    let name = if bar.engines.len() > 1 { NAME_HEIGHT } else { 0.0 };
    bar.engines
        .iter()
        .map(|engine| row_count(engine) as f32 * ROW_HEIGHT + SUMMARY_HEIGHT + name)
        .sum::<f32>()
        .max(ROW_HEIGHT + SUMMARY_HEIGHT)
}

fn row_count(engine: &EngineView) -> usize {
    engine.multipv.max(engine.candidates.len()).max(1)
}

/// Returns the loss of a candidate against the best one, with its sign; for the best one, a word. The text is empty for
/// a mate, which is shown as the value.
fn loss_text(candidate: &CandidateView, lang: Lang) -> String {
    match candidate.loss {
        _ if !candidate.mate.is_empty() => String::new(),
        None if candidate.rank == 1 => Label::Best.text(lang).to_owned(),
        None => String::new(),
        Some(loss) => signed(-i32::from(loss)),
    }
}

/// Draws the rank, the value and the loss of a candidate. Returns the left edge of the pv, in points from the left of
/// the row. A mate needs more space than a percentage.
fn draw_figures(ui: &Ui, frame: &StudyFrame<'_>, candidate: &CandidateView, row: Rect, loss: &str) -> f32 {
    let (theme, painter) = (frame.theme, ui.painter());
    let at = |x: f32| pos2(row.left() + x, row.center().y);
    let opacity = rank_opacity(candidate.rank as usize);
    let dot = faded(theme.accent, theme.card, opacity);
    let ink = if opacity > 0.6 {
        theme.on_accent
    } else {
        theme.text
    };
    painter.circle_filled(at(DOT_RADIUS), DOT_RADIUS, dot);
    let rank = candidate.rank.to_string();
    painter.text(
        at(DOT_RADIUS),
        Align2::CENTER_CENTER,
        rank,
        TextWeight::Bold.at(12.5),
        ink,
    );
    let value = painter.layout_no_wrap(
        candidate.value().to_owned(),
        TextWeight::Bold.at(14.5),
        theme.text,
    );
    let size = value.size();
    let end = if loss.is_empty() {
        LOSS_RIGHT.max(MOVE_LEFT + MOVE_WIDTH + MOVE_GAP + size.x)
    } else {
        VALUE_RIGHT
    };
    painter.galley(at(end - size.x) - vec2(0.0, size.y / 2.0), value, theme.text);
    let (color, weight) = match candidate.loss {
        None => (theme.best, TextWeight::Bold),
        Some(_) => (theme.loss, TextWeight::Regular),
    };
    painter.text(at(LOSS_RIGHT), Align2::RIGHT_CENTER, loss, weight.at(13.0), color);
    end.max(LOSS_RIGHT) + PV_LEFT - LOSS_RIGHT
}

fn show_menu(ui: &mut Ui, frame: &mut StudyFrame<'_>, candidate: &CandidateView) {
    let lang = frame.lang;
    if ui.button(StudyPhrase::Insert.text(lang)).clicked() {
        frame.act(DocumentEdit::Insert(None, candidate.moves.clone()));
        ui.close();
    }
    ui.menu_button(StudyPhrase::CopyLine.text(lang), |ui| {
        let history = frame.view.history;
        for style in Style::ALL {
            let notation = Notation {
                style,
                marks: Marks::Triangle,
                ..Notation::default()
            };
            let first = candidate.moves.get(..1).unwrap_or_default();
            if ui
                .button(study_text::style(
                    style,
                    &notation.notate_line(history, first).concat(),
                    lang,
                ))
                .clicked()
            {
                let words = notation.notate_line(history, &candidate.moves);
                frame.act(StudyAction::CopyText(words.join(style.separator())));
                ui.close();
            }
        }
    });
}

/// Draws the evaluation of an engine on the left, and its depth, nodes and speed on the right. The row of the engine
/// that the bar follows ends with the menu of the engine.
fn show_summary(ui: &mut Ui, frame: &mut StudyFrame<'_>, engine: &EngineView) {
    let (theme, lang, bar) = (frame.theme, frame.lang, frame.view.bar);
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), SUMMARY_HEIGHT), Sense::hover());
    let row = rect.with_min_y(rect.top() + 3.0);
    let is_lead = std::ptr::eq(bar.lead(), engine);
    let row = if is_lead {
        row.with_max_x(engine_menu::show(ui, frame, row) - 10.0)
    } else {
        row
    };
    let evaluation = if engine.evaluation.is_empty() && is_lead {
        &bar.evaluation
    } else {
        &engine.evaluation
    };
    let advantage = if is_lead { bar.advantage.as_str() } else { "" };
    let mut left = row.left();
    if !evaluation.is_empty() {
        // A mate is shown as a sentence that names the winner.
        let is_mate = engine
            .candidates
            .first()
            .is_some_and(|best| !best.mate.is_empty());
        let words = if is_mate {
            evaluation.clone()
        } else {
            study_text::evaluated(evaluation, advantage, lang)
        };
        let galley = ui
            .painter()
            .layout_no_wrap(words.clone(), TextWeight::Bold.at(12.5), theme.text);
        left += galley.size().x + 16.0;
        let rect = Rect::from_min_size(
            pos2(row.left(), row.center().y - galley.size().y / 2.0),
            galley.size(),
        );
        ui.put(
            rect,
            Text::new(RichText::new(words).font(TextWeight::Bold.at(12.5))).extend(),
        );
    }
    let [depth, speed] = &engine.stats;
    let whole = phrase::together(&[depth, speed], lang);
    for stats in [&whole, depth] {
        let galley = ui
            .painter()
            .layout_no_wrap(stats.clone(), TextWeight::Regular.at(12.5), theme.quiet);
        let size = galley.size();
        let rect = Rect::from_min_size(pos2(row.right() - size.x, row.center().y - size.y / 2.0), size);
        if size.x > 0.0 && rect.left() >= left {
            ui.put(
                rect,
                Text::new(RichText::new(stats).size(12.5).color(theme.quiet)).extend(),
            );
            return;
        }
    }
}
