//! The board of the page with the navigation row below it.

use super::candidates::PvPreview;
use super::{StudyAction, StudyFrame, StudyPage, tools};
use crate::bar;
use crate::config::Command;
use crate::shogi::{Color, Move, Position};
use crate::text::command_text;
use crate::text::study::{self, StudyPhrase};
use crate::ui::access::name;
use crate::ui::board::{Arrow, BoardAction, BoardMode, BoardSide, BoardView};
use crate::ui::fonts::{FontChoice, TextWeight};
use crate::ui::snapshot::{PictureSize, SnapshotRenderer};
use eframe::egui;
use egui::containers::menu::MenuButton;
use egui::{Align, Button, ColorImage, Layout, Rect, RichText, Ui, UiBuilder, vec2};

/// The height of the row below the board, and of the extra row of a small board, in points.
const WAY: f32 = 40.0;
const MORE: f32 = 32.0;
/// The width of the move entry field, in points.
const FIELD: f32 = 72.0;
/// The width of a navigation button, in points.
const STEP: f32 = 28.0;

/// The menu of a small board.
const SMALL: [Command; 7] =
    [Command::Players, Command::New, Command::Save, Command::Paste, Command::Undo, Command::Replace, Command::Flip];

/// Draws the board and the rows below it.
pub(super) fn show(page: &mut StudyPage, ui: &mut Ui, frame: &mut StudyFrame<'_>, rect: Rect) {
    let (board, below) = rect.split_top_bottom_at_y(rect.bottom() - WAY - if page.is_small { MORE } else { 0.0 });
    let history = frame.view.history;
    let preview = page.candidates.preview().filter(|_| !page.guess.is_running()).cloned();
    let guess = page.guess.board();
    let (position, last) = match &preview {
        _ if page.setup.is_some() => (page.setup.clone().unwrap_or_else(Position::startpos), None),
        _ if guess.is_some() => guess.clone().unwrap_or_else(|| (Position::startpos(), None)),
        Some(preview) => match preview.after {
            Some(node) => played(frame.view.document.history_at(node).now(), preview),
            None => played(history.now(), preview),
        },
        None => (history.now().clone(), history.last_move()),
    };
    let is_plain = preview.is_none() && page.setup.is_none();
    let arrows = if guess.is_some() {
        page.guess.arrows()
    } else if is_plain && !frame.view.bar.hidden {
        arrows(frame.view.bar)
    } else {
        Vec::new()
    };
    let view = BoardView {
        black: side(frame, Color::Black),
        white: side(frame, Color::White),
        flipped: frame.view.flipped,
        last_move: last,
        arrows: &arrows,
        mode: match &preview {
            _ if page.setup.is_some() => BoardMode::Edit,
            Some(_) => BoardMode::ReadOnly,
            None if guess.is_some() && !page.guess.accepts_move() => BoardMode::ReadOnly,
            None => BoardMode::Play,
        },
        style: frame.view.style,
        ..BoardView::new(&position, frame.lang)
    };
    let shown = page.board.show(ui, board, &view, frame.theme, frame.lang);
    for action in shown.actions {
        match action {
            BoardAction::Play(mv) if guess.is_some() => page.guess.play(frame, mv),
            BoardAction::Step(_) if guess.is_some() => {}
            BoardAction::Play(mv) => frame.act(StudyAction::Play(mv)),
            BoardAction::Step(moves) => frame.act(StudyAction::Step(moves)),
            BoardAction::Edit(position) => page.setup = page.setup.take().map(|_| *position),
        }
    }
    ui.scope_builder(UiBuilder::new().max_rect(below).id_salt("way"), |ui| {
        ui.with_layout(Layout::top_down(Align::Center), |ui| match page.candidates.pinned.clone() {
            _ if page.setup.is_some() || page.guess.is_running() => {}
            Some(preview) => along(page, ui, frame, &preview),
            None => through(page, ui, frame, board),
        });
    });
    if page.setup.is_none() {
        page.replacement.show(ui, frame, board);
    }
}

/// Draws the board of the current position as a picture.
pub(super) fn picture(frame: &StudyFrame<'_>, size: PictureSize) -> ColorImage {
    let history = frame.view.history;
    let view = BoardView {
        black: side(frame, Color::Black),
        white: side(frame, Color::White),
        flipped: frame.view.flipped,
        last_move: history.last_move(),
        style: frame.view.style,
        ..BoardView::new(history.now(), frame.lang)
    };
    SnapshotRenderer::with_fonts(&FontChoice::default()).board(&view, frame.theme, size)
}

/// Returns the position after the moves shown of a pv, and the last of them.
fn played(from: &Position, preview: &PvPreview) -> (Position, Option<Move>) {
    let mut position = from.without_history();
    let mut last = None;
    for mv in preview.moves.iter().take(preview.count) {
        if position.play(*mv).is_err() {
            break;
        }
        last = Some(*mv);
    }
    (position, last)
}

/// Returns arrows for the first moves of the followed engine's candidates, best first.
fn arrows(bar: &bar::BarView) -> Vec<Arrow> {
    let engine = bar.lead();
    if engine.stale {
        return Vec::new();
    }
    let first = engine.candidates.iter().filter_map(|candidate| candidate.moves.first());
    (1..).zip(first).map(|(rank, mv)| Arrow { mv: *mv, rank }).collect()
}

fn side<'a>(frame: &StudyFrame<'a>, color: Color) -> BoardSide<'a> {
    let record = frame.view.document.record();
    let [black, white] = frame.titles();
    let title = if color == Color::Black { black } else { white };
    BoardSide { title, name: record.player(color).unwrap_or_default(), clock: &frame.view.bar.side(color).clock }
}

/// Draws the navigation row. With a small board, the current move has its own row.
fn through(page: &mut StudyPage, ui: &mut Ui, frame: &mut StudyFrame<'_>, board: Rect) {
    if page.is_small {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 4.0;
            let buttons = 2.0 * (STEP + 4.0);
            last_move(ui, frame, (ui.available_width() - buttons).max(0.0));
            small_menu(ui, frame);
            let back = ui.add(Button::new("↗").min_size(vec2(STEP, 0.0)));
            name(&back, command_text(Command::Small, frame.lang));
            if back.on_hover_text(command_text(Command::Small, frame.lang)).clicked() {
                frame.act(StudyAction::Run(Command::Small));
            }
        });
    }
    let room = ui.available_width();
    centered(ui, |ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        ui.spacing_mut().button_padding.x = 3.0;
        let buttons = 4.0 * (STEP + 4.0);
        steps(ui, frame, [("|◀", Command::First), ("◀", Command::Back)]);
        if !page.is_small {
            last_move(ui, frame, (room - buttons - FIELD - 20.0).clamp(60.0, 190.0));
        }
        steps(ui, frame, [("▶", Command::Forward), ("▶|", Command::Last)]);
        let field = if page.is_small { (room - buttons - 12.0).clamp(36.0, FIELD) } else { FIELD };
        page.entry.show(ui, frame, &mut page.board, field);
    });
    page.entry.refusal(ui, frame, page.is_small.then_some(board));
}

/// Draws the number and text of the current move, in the largest size that fits.
fn last_move(ui: &mut Ui, frame: &StudyFrame<'_>, width: f32) {
    let place = frame.view.document.place();
    let title =
        frame.view.rows.get(place).map_or_else(String::new, |row| study::place(row.number, &row.text, frame.lang));
    let size = largest(ui, &title, width);
    let text = RichText::new(title).font(TextWeight::Bold.at(size));
    ui.add_sized(vec2(width, 30.0), egui::Label::new(text).truncate());
}

/// Returns the largest font size at which a text fits into a width.
pub(super) fn largest(ui: &Ui, text: &str, width: f32) -> f32 {
    let wide = |size: f32| {
        ui.painter().layout_no_wrap(text.to_owned(), TextWeight::Bold.at(size), egui::Color32::BLACK).size().x
    };
    let sizes = [15.0, 14.0, 13.0, 12.0, 11.0, 10.0, 9.0];
    sizes.into_iter().find(|size| wide(*size) <= width).unwrap_or(8.0)
}

/// Draws two buttons that navigate in the line.
fn steps(ui: &mut Ui, frame: &mut StudyFrame<'_>, steps: [(&str, Command); 2]) {
    let place = frame.view.document.place();
    let is_last = place == frame.view.document.line().len();
    for (sign, command) in steps {
        let is_possible = if matches!(command, Command::First | Command::Back) { place > 0 } else { !is_last };
        let button = Button::new(RichText::new(sign).size(18.0)).frame_when_inactive(false).min_size(vec2(STEP, 30.0));
        let button = ui.add_enabled(is_possible, button);
        name(&button, command_text(command, frame.lang));
        if button.on_hover_text(command_text(command, frame.lang)).clicked() {
            frame.act(StudyAction::Run(command));
        }
    }
}

/// Draws the menu of a small board.
fn small_menu(ui: &mut Ui, frame: &mut StudyFrame<'_>) {
    let button = MenuButton::from_button(Button::new("…").min_size(vec2(STEP, 0.0)));
    let (button, _) = button.ui(ui, |ui| {
        for command in SMALL {
            tools::entry(ui, frame, command, true);
        }
    });
    name(&button, StudyPhrase::More.text(frame.lang));
}

/// Draws the row for stepping through a pv.
fn along(page: &mut StudyPage, ui: &mut Ui, frame: &mut StudyFrame<'_>, preview: &PvPreview) {
    let lang = frame.lang;
    let phrases = [StudyPhrase::OnBoard, StudyPhrase::Insert, StudyPhrase::BackToGame].map(|phrase| phrase.text(lang));
    let (size, has_label) = fitting(ui, phrases);
    let text = |phrase: StudyPhrase| RichText::new(phrase.text(lang)).size(size);
    centered(ui, |ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        let mut step = |ui: &mut Ui, sign: &str, command: Command, count: Option<usize>| {
            let button =
                Button::new(RichText::new(sign).size(18.0)).frame_when_inactive(false).min_size(vec2(STEP, 30.0));
            let button = ui.add_enabled(count.is_some(), button);
            name(&button, command_text(command, frame.lang));
            if let Some(count) = count.filter(|_| button.clicked()) {
                page.candidates.pinned = Some(PvPreview { count, ..preview.clone() });
            }
        };
        step(ui, "◀", Command::Back, preview.count.checked_sub(1));
        step(ui, "▶", Command::Forward, Some(preview.count + 1).filter(|count| *count <= preview.moves.len()));
        if has_label {
            ui.label(text(StudyPhrase::OnBoard).color(frame.theme.accent));
        }
        if ui.button(text(StudyPhrase::Insert)).clicked() {
            let moves = preview.moves.clone();
            frame.act(match preview.after {
                Some(node) => StudyAction::InsertAt(node, moves),
                None => StudyAction::Insert(moves),
            });
            page.candidates.pinned = None;
        }
        if ui.button(text(StudyPhrase::BackToGame)).clicked() {
            page.candidates.pinned = None;
        }
    });
}

/// Returns the font size at which the row of a pv fits, and whether its label (the first text) fits too.
fn fitting(ui: &Ui, [what, insert, back]: [&str; 3]) -> (f32, bool) {
    let default = egui::TextStyle::Button.resolve(ui.style()).size;
    let padding = 2.0 * ui.spacing().button_padding.x;
    let wide = |text: &str, size: f32| {
        ui.painter().layout_no_wrap(text.to_owned(), TextWeight::Regular.at(size), egui::Color32::BLACK).size().x
    };
    // The width without the two buttons for stepping and the spacing.
    let room = ui.available_width() - 2.0 * (STEP + 2.0 * padding) - 4.0 * 4.0;
    let buttons = |size: f32| wide(insert, size) + wide(back, size) + 2.0 * padding;
    let fits =
        |(size, has_label): &(f32, bool)| buttons(*size) + if *has_label { wide(what, *size) } else { 0.0 } <= room;
    let sizes = [(default, true), (default, false), (12.0, false), (11.0, false), (10.0, false)];
    sizes.into_iter().find(fits).unwrap_or((9.0, false))
}

/// Draws a centred row, using its width from the previous frame.
fn centered(ui: &mut Ui, show: impl FnOnce(&mut Ui)) {
    let id = ui.scope_id().with("width");
    let width: f32 = ui.data(|data| data.get_temp(id)).unwrap_or_default();
    ui.horizontal(|ui| {
        ui.add_space(((ui.available_width() - width) / 2.0).max(0.0));
        let shown = ui.horizontal(show).response.rect.width();
        if (shown - width).abs() > 0.5 {
            ui.data_mut(|data| data.insert_temp(id, shown));
            ui.ctx().request_discard("a row in the middle");
        }
    });
}
