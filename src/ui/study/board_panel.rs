//! The board on the page, and the way through the game below it.

use super::candidates::PvPreview;
use super::{StudyAction, StudyFrame, StudyPage, tools};
use crate::bar;
use crate::kifu::NodeId;
use crate::shogi::{Color, Move, Position};
use crate::text::study::{self, StudyCommand, StudyPhrase};
use crate::ui::access::name;
use crate::ui::board::{Arrow, BoardAction, BoardMode, BoardSide, BoardView};
use crate::ui::fonts::TextWeight;
use crate::ui::snapshot::{PictureSize, SnapshotRenderer};
use eframe::egui;
use egui::containers::menu::MenuButton;
use egui::{Align, Button, ColorImage, Layout, Rect, RichText, Ui, UiBuilder, vec2};

/// The height of the row below the board, and of the one more that a small board has.
const WAY: f32 = 40.0;
const MORE: f32 = 32.0;
/// The width of the field for a move.
const FIELD: f32 = 72.0;
/// The width of a button in it.
const STEP: f32 = 28.0;

/// What stands in the menu of a small board.
const SMALL: [StudyCommand; 7] = [
    StudyCommand::Players,
    StudyCommand::New,
    StudyCommand::Save,
    StudyCommand::Paste,
    StudyCommand::Undo,
    StudyCommand::Replace,
    StudyCommand::Flip,
];

/// Shows the board with what is below it.
pub(super) fn show(page: &mut StudyPage, ui: &mut Ui, sheet: &mut StudyFrame<'_>, rect: Rect) {
    let (board, way) = rect.split_top_bottom_at_y(rect.bottom() - WAY - if page.is_small { MORE } else { 0.0 });
    let history = sheet.view.history;
    let peek = page.candidates.preview().cloned();
    let (position, last) = match &peek {
        _ if page.setup.is_some() => (page.setup.clone().unwrap_or_else(Position::startpos), None),
        Some(peek) => played(history.now(), peek),
        None => (history.now().clone(), history.last_move()),
    };
    let is_plain = peek.is_none() && page.setup.is_none();
    let arrows = if is_plain && !sheet.view.bar.hidden { arrows(sheet.view.bar) } else { Vec::new() };
    let clocks = page.clocks.texts(sheet).clone();
    let view = BoardView {
        black: side(sheet, Color::Black, &clocks[0]),
        white: side(sheet, Color::White, &clocks[1]),
        flipped: sheet.view.flipped,
        last_move: last,
        arrows: &arrows,
        mode: match &peek {
            _ if page.setup.is_some() => BoardMode::Edit,
            Some(_) => BoardMode::Still,
            None => BoardMode::Play,
        },
        style: sheet.view.style,
        ..BoardView::new(&position, sheet.lang)
    };
    let shown = page.board.show(ui, board, &view, sheet.theme, sheet.lang);
    for action in shown.actions {
        match action {
            BoardAction::Play(mv) => sheet.act(StudyAction::Play(mv)),
            BoardAction::Step(moves) => sheet.act(StudyAction::Step(moves)),
            BoardAction::Edit(position) => page.setup = page.setup.take().map(|_| *position),
        }
    }
    ui.scope_builder(UiBuilder::new().max_rect(way).id_salt("way"), |ui| {
        ui.with_layout(Layout::top_down(Align::Center), |ui| match page.candidates.pinned.clone() {
            _ if page.setup.is_some() => {}
            Some(peek) => along(page, ui, sheet, &peek),
            None => through(page, ui, sheet, board),
        });
    });
    if page.setup.is_none() {
        page.replacement.show(ui, sheet, board);
    }
}

/// The board with what is on view, as a picture.
pub(super) fn picture(sheet: &StudyFrame<'_>, size: PictureSize) -> ColorImage {
    let history = sheet.view.history;
    let clocks = [Color::Black, Color::White].map(|color| clock(sheet, color));
    let view = BoardView {
        black: side(sheet, Color::Black, &clocks[0]),
        white: side(sheet, Color::White, &clocks[1]),
        flipped: sheet.view.flipped,
        last_move: history.last_move(),
        style: sheet.view.style,
        ..BoardView::new(history.now(), sheet.lang)
    };
    SnapshotRenderer::with_font(None).board(&view, sheet.theme, size)
}

/// A position after the moves of a line that are to be seen, and the last of them.
fn played(from: &Position, peek: &PvPreview) -> (Position, Option<Move>) {
    let mut position = from.without_past();
    let mut last = None;
    for mv in peek.moves.iter().take(peek.count) {
        if position.play(*mv).is_err() {
            break;
        }
        last = Some(*mv);
    }
    (position, last)
}

/// What the engine that is followed would play, best first.
fn arrows(bar: &bar::BarView) -> Vec<Arrow> {
    let engine = bar.lead();
    if engine.stale {
        return Vec::new();
    }
    let first = engine.candidates.iter().filter_map(|candidate| candidate.moves.first());
    (1..).zip(first).map(|(rank, mv)| Arrow { mv: *mv, rank }).collect()
}

/// The times that the sides have used, worked out when something else is on view: each is a sum over the game.
#[derive(Debug, Default)]
pub(super) struct SideClocks {
    of: Option<(u64, NodeId)>,
    texts: [String; 2],
}

impl SideClocks {
    fn texts(&mut self, sheet: &StudyFrame<'_>) -> &[String; 2] {
        let of = Some((sheet.view.document.revision(), sheet.view.document.here()));
        if std::mem::replace(&mut self.of, of) != of {
            self.texts = [Color::Black, Color::White].map(|color| clock(sheet, color));
        }
        &self.texts
    }
}

/// The time a side has used up to what is on view; empty where the record says nothing of times.
fn clock(sheet: &StudyFrame<'_>, color: Color) -> String {
    let document = sheet.view.document;
    let record = document.record();
    let up = std::iter::successors(Some(document.last_move()), |node| record.parent(*node));
    let own = up.into_iter().take(2).find(|node| {
        let moved = if *node == document.last_move() {
            sheet.view.history.now().side_to_move().flip()
        } else {
            sheet.view.history.now().side_to_move()
        };
        *node != NodeId::START && moved == color
    });
    let total = own.map_or(0, |node| record.total(node).0);
    if total > 0 { study::clock(total) } else { String::new() }
}

fn side<'a>(sheet: &StudyFrame<'a>, color: Color, clock: &'a str) -> BoardSide<'a> {
    let record = sheet.view.document.record();
    let [black, white] = sheet.titles();
    let title = if color == Color::Black { black } else { white };
    BoardSide { title, name: record.player(color).unwrap_or_default(), clock }
}

/// The way through the game: beside a small board the move on view has a row of its own.
fn through(page: &mut StudyPage, ui: &mut Ui, sheet: &mut StudyFrame<'_>, board: Rect) {
    if page.is_small {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 4.0;
            let buttons = 2.0 * (STEP + 4.0);
            last_move(ui, sheet, (ui.available_width() - buttons).max(0.0));
            small_menu(ui, sheet);
            let back = ui.add(Button::new("↗").min_size(vec2(STEP, 0.0)));
            name(&back, StudyCommand::Small.text(sheet.lang));
            if back.on_hover_text(StudyCommand::Small.text(sheet.lang)).clicked() {
                sheet.act(StudyAction::Do(StudyCommand::Small));
            }
        });
    }
    let room = ui.available_width();
    centered(ui, |ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        ui.spacing_mut().button_padding.x = 3.0;
        let buttons = 4.0 * (STEP + 4.0);
        steps(ui, sheet, [("|◀", StudyCommand::First), ("◀", StudyCommand::Back)]);
        if !page.is_small {
            last_move(ui, sheet, (room - buttons - FIELD - 20.0).clamp(60.0, 190.0));
        }
        steps(ui, sheet, [("▶", StudyCommand::Forward), ("▶|", StudyCommand::Last)]);
        let field = if page.is_small { (room - buttons - 12.0).clamp(36.0, FIELD) } else { FIELD };
        page.entry.show(ui, sheet, &mut page.board, field);
    });
    page.entry.refusal(ui, sheet, page.is_small.then_some(board));
}

/// The number and the word of the move on view, as large as there is room for all of it.
fn last_move(ui: &mut Ui, sheet: &StudyFrame<'_>, width: f32) {
    let place = sheet.view.document.place();
    let said =
        sheet.view.rows.get(place).map_or_else(String::new, |row| study::place(row.number, &row.word, sheet.lang));
    let size = largest(ui, &said, width);
    let text = RichText::new(said).font(TextWeight::Bold.at(size));
    ui.add_sized(vec2(width, 30.0), egui::Label::new(text).truncate());
}

/// The largest size of letters in which a text is no wider than this.
pub(super) fn largest(ui: &Ui, text: &str, width: f32) -> f32 {
    let wide = |size: f32| {
        ui.painter().layout_no_wrap(text.to_owned(), TextWeight::Bold.at(size), egui::Color32::BLACK).size().x
    };
    let sizes = [15.0, 14.0, 13.0, 12.0, 11.0, 10.0, 9.0];
    sizes.into_iter().find(|size| wide(*size) <= width).unwrap_or(8.0)
}

/// Buttons that go to other places of the line.
fn steps(ui: &mut Ui, sheet: &mut StudyFrame<'_>, steps: [(&str, StudyCommand); 2]) {
    let place = sheet.view.document.place();
    let is_last = place == sheet.view.document.line().len();
    for (sign, deed) in steps {
        let is_possible = if matches!(deed, StudyCommand::First | StudyCommand::Back) { place > 0 } else { !is_last };
        let button = Button::new(RichText::new(sign).size(18.0)).frame_when_inactive(false).min_size(vec2(STEP, 30.0));
        let button = ui.add_enabled(is_possible, button);
        name(&button, deed.text(sheet.lang));
        if button.on_hover_text(deed.text(sheet.lang)).clicked() {
            sheet.act(StudyAction::Do(deed));
        }
    }
}

/// What else can be done beside a small board.
fn small_menu(ui: &mut Ui, sheet: &mut StudyFrame<'_>) {
    let button = MenuButton::from_button(Button::new("…").min_size(vec2(STEP, 0.0)));
    let (button, _) = button.ui(ui, |ui| {
        for deed in SMALL {
            tools::entry(ui, sheet, deed, true);
        }
    });
    name(&button, StudyPhrase::More.text(sheet.lang));
}

/// The way along a line of an engine.
fn along(page: &mut StudyPage, ui: &mut Ui, sheet: &mut StudyFrame<'_>, peek: &PvPreview) {
    let lang = sheet.lang;
    let phrases = [StudyPhrase::OnBoard, StudyPhrase::Insert, StudyPhrase::BackToGame].map(|phrase| phrase.text(lang));
    let (size, is_told) = fitting(ui, phrases);
    let text = |phrase: StudyPhrase| RichText::new(phrase.text(lang)).size(size);
    centered(ui, |ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        let mut to = |ui: &mut Ui, sign: &str, deed: StudyCommand, count: Option<usize>| {
            let button =
                Button::new(RichText::new(sign).size(18.0)).frame_when_inactive(false).min_size(vec2(STEP, 30.0));
            let button = ui.add_enabled(count.is_some(), button);
            name(&button, deed.text(sheet.lang));
            if let Some(count) = count.filter(|_| button.clicked()) {
                page.candidates.pinned = Some(PvPreview { count, ..peek.clone() });
            }
        };
        to(ui, "◀", StudyCommand::Back, peek.count.checked_sub(1));
        to(ui, "▶", StudyCommand::Forward, Some(peek.count + 1).filter(|count| *count <= peek.moves.len()));
        if is_told {
            ui.label(text(StudyPhrase::OnBoard).color(sheet.theme.accent));
        }
        if ui.button(text(StudyPhrase::Insert)).clicked() {
            sheet.act(StudyAction::Insert(peek.moves.clone()));
            page.candidates.pinned = None;
        }
        if ui.button(text(StudyPhrase::BackToGame)).clicked() {
            page.candidates.pinned = None;
        }
    });
}

/// The size of letters with which all of a line's row fits, and whether there is room for what it is (the first text).
fn fitting(ui: &Ui, [what, insert, back]: [&str; 3]) -> (f32, bool) {
    let usual = egui::TextStyle::Button.resolve(ui.style()).size;
    let padding = 2.0 * ui.spacing().button_padding.x;
    let wide = |text: &str, size: f32| {
        ui.painter().layout_no_wrap(text.to_owned(), TextWeight::Regular.at(size), egui::Color32::BLACK).size().x
    };
    // The buttons that lead along it, and what is between all of them.
    let room = ui.available_width() - 2.0 * (STEP + 2.0 * padding) - 4.0 * 4.0;
    let buttons = |size: f32| wide(insert, size) + wide(back, size) + 2.0 * padding;
    let fits = |(size, is_told): &(f32, bool)| buttons(*size) + if *is_told { wide(what, *size) } else { 0.0 } <= room;
    let sizes = [(usual, true), (usual, false), (12.0, false), (11.0, false), (10.0, false)];
    sizes.into_iter().find(fits).unwrap_or((9.0, false))
}

/// A row in the middle: its width is that of the frame before.
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
