//! The tabs of the games above the page, and the tabs that choose a card.

use super::{StudyAction, StudyFrame};
use crate::PaintTheme;
use crate::access::set_accessible_label;
use crate::fonts::TextWeight;
use crate::study_text::StudyPhrase;
use crate::window_text::close_game;
use eframe::egui;
use egui::{
    Button, CornerRadius, Frame, Margin, Panel, Rect, Response, RichText, Role, ScrollArea, Sense, Stroke,
    StrokeKind, Ui, WidgetInfo, vec2,
};
use shogibar_config::{Command, command_text};

/// The maximum width of a tab, in points.
const MAX_TAB_WIDTH: f32 = 220.0;

/// The width reserved for the button that adds a game, in points.
const ADD_BUTTON_WIDTH: f32 = 40.0;

/// The tab of a game on the study page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameTab {
    /// The title of the tab: the file's name, or the players.
    pub title: String,
    /// Whether the game has unsaved changes.
    pub is_unsaved: bool,
}

/// Draws the tabs, if there are several games.
pub(super) fn show(ui: &mut Ui, frame: &mut StudyFrame<'_>) {
    if frame.view.tabs.len() < 2 {
        return;
    }
    let background = Frame::NONE.fill(frame.theme.card).inner_margin(Margin {
        left: 14,
        right: 14,
        top: 4,
        bottom: 2,
    });
    Panel::top("games").frame(background).show(ui, |ui| {
        ui.horizontal(|ui| {
            // The mouse wheel scrolls the tabs as well.
            ui.style_mut().always_scroll_the_only_direction = true;
            let width = (ui.available_width() - ADD_BUTTON_WIDTH).max(0.0);
            ScrollArea::horizontal()
                .max_width(width)
                .show(ui, |ui| ui.horizontal(|ui| show_tabs(ui, frame)));
            let add = command_text(Command::AddGame, frame.lang);
            let button = ui.button("＋").on_hover_text(add);
            set_accessible_label(&button, add);
            if button.clicked() {
                frame.act(StudyAction::Command(Command::AddGame));
            }
        });
    });
}

fn show_tabs(ui: &mut Ui, frame: &mut StudyFrame<'_>) {
    let (tabs, current) = (frame.view.tabs, frame.view.current_tab);
    for (index, tab) in tabs.iter().enumerate() {
        show_tab(ui, frame, index, tab, index == current);
    }
}

fn show_tab(ui: &mut Ui, frame: &mut StudyFrame<'_>, index: usize, tab: &GameTab, is_current: bool) {
    let mark = if tab.is_unsaved { "● " } else { "" };
    let text = RichText::new(format!("{mark}{}", tab.title)).size(14.0);
    let shown = ui
        .scope(|ui| {
            ui.set_max_width(MAX_TAB_WIDTH);
            ui.add(Button::selectable(is_current, text).truncate())
        })
        .inner;
    let label = if tab.is_unsaved {
        format!("{} ({})", tab.title, StudyPhrase::Unsaved.text(frame.lang))
    } else {
        tab.title.clone()
    };
    set_accessible_label(&shown, &label);
    let shown = shown.on_hover_text(label);
    if is_current {
        // A tab that was selected by a key may lie outside the visible part, so it is scrolled into view.
        shown.scroll_to_me(None);
    }
    if shown.clicked() && !is_current {
        frame.act(StudyAction::ShowTab(index));
    }
    let close = close_game(&tab.title, frame.lang);
    let button = ui.add(Button::new("×").frame(false));
    set_accessible_label(&button, &close);
    if button.on_hover_text(close).clicked() || shown.middle_clicked() {
        frame.act(StudyAction::CloseTab(index));
    }
    ui.add_space(4.0);
}

/// Draws a tab that fills a rectangle.
pub(super) fn show_segment(
    ui: &Ui,
    theme: &PaintTheme,
    rect: Rect,
    text: &str,
    is_current: bool,
) -> Response {
    let tab = ui.interact(rect, ui.scope_id().with(("segment", text)), Sense::click());
    tab.widget_info(|| WidgetInfo::selected(Role::Tab, true, is_current, text));
    let corner = CornerRadius::same(6);
    if is_current || tab.hovered() {
        ui.painter().rect_filled(rect, corner, theme.rail);
    }
    if tab.has_focus() {
        ui.painter()
            .rect_stroke(rect, corner, Stroke::new(2.0, theme.accent), StrokeKind::Inside);
    }
    let (weight, color) = if is_current {
        (TextWeight::Bold, theme.text)
    } else {
        (TextWeight::Regular, theme.quiet)
    };
    ui.painter().text(
        rect.center(),
        egui::Align2::CENTER_CENTER,
        text,
        weight.at(13.5),
        color,
    );
    tab
}

/// Draws a tab as a word. The word of the current tab is underlined.
pub(super) fn show_underlined(ui: &mut Ui, theme: &PaintTheme, text: &str, is_current: bool) -> Response {
    let (weight, color) = if is_current {
        (TextWeight::Bold, theme.text)
    } else {
        (TextWeight::Regular, theme.quiet)
    };
    let galley = ui
        .painter()
        .layout_no_wrap(text.to_owned(), weight.at(14.5), color);
    let (rect, tab) = ui.allocate_exact_size(galley.size() + vec2(0.0, 7.0), Sense::click());
    tab.widget_info(|| WidgetInfo::selected(Role::Tab, true, is_current, text));
    ui.painter().galley(rect.min, galley, color);
    if is_current || tab.hovered() || tab.has_focus() {
        let line = if is_current || tab.has_focus() {
            theme.accent
        } else {
            theme.separator
        };
        let width = if tab.has_focus() { 4.0 } else { 2.5 };
        ui.painter()
            .hline(rect.x_range(), rect.bottom() - 1.5, Stroke::new(width, line));
    }
    tab
}
