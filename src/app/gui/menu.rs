//! The menu of the right mouse button: in the bar's window where that has room for all of it, else in a window of
//! its own.

use super::overlay_window::WindowPlacement;
use crate::text::{Lang, MenuEntry};
use eframe::egui;
use egui::{
    Button, Context, CornerRadius, Frame, Grid, Key, Popup, Pos2, Response, Shadow, Ui, Vec2, ViewportBuilder,
    ViewportId, WindowLevel, X11WindowType, containers::menu, vec2,
};
use std::time::Duration;

/// The entries as they stand: back on the left, on beside it. Few and low rows, because the window is low.
const ROWS: [&[MenuEntry]; 7] = [
    &[MenuEntry::Back, MenuEntry::Forward, MenuEntry::Pause],
    &[MenuEntry::TenBack, MenuEntry::TenForward, MenuEntry::Follow],
    &[MenuEntry::First, MenuEntry::Last, MenuEntry::Layout],
    &[MenuEntry::Study, MenuEntry::Engines, MenuEntry::Settings],
    &[MenuEntry::Hide, MenuEntry::ClickThrough, MenuEntry::Open],
    &[MenuEntry::CopyPicture, MenuEntry::SavePicture, MenuEntry::Manual],
    &[MenuEntry::Players, MenuEntry::Quit],
];
/// How many stand beside each other.
const COLUMNS: u8 = 3;

/// The size of an entry, and the room between columns, in points.
const ENTRY: Vec2 = vec2(124.0, 20.0);
const GAP: f32 = 12.0;

/// For so many seconds neither window may have the keyboard while it goes from one to the other.
const TURNING: f64 = 0.15;

/// What the window of the menu is called, where a desktop names it.
const TITLE: &str = "Shogibar menu";

/// What the menu is about.
#[derive(Clone, Copy, Debug)]
pub(super) struct MenuContent {
    pub(super) lang: Lang,
    /// How many engines look at the position: one has no other to switch to.
    pub(super) engines: usize,
}

/// The menu.
#[derive(Debug, Default)]
pub(super) struct Menu {
    /// Its own window, while it has one.
    window: Option<MenuWindow>,
}

/// A window of the menu's own.
#[derive(Clone, Copy, Debug)]
struct MenuWindow {
    /// Where it opens, in points; `None` where no window can be put anywhere.
    at: Option<Pos2>,
    /// Whether it or the bar had the keyboard: once neither has, the user has turned elsewhere.
    had_focus: bool,
    /// Since when neither has, in seconds of the clock: it may be on its way from one to the other.
    left: Option<f64>,
}

impl Menu {
    /// Whether it is open, within the bar's window or not.
    pub(super) fn is_open(&self, ctx: &Context) -> bool {
        self.window.is_some() || Popup::is_any_open(ctx)
    }

    /// Shows the menu where the ground was clicked and gives back what was chosen.
    pub(super) fn show(
        &mut self,
        ground: &Response,
        offer: MenuContent,
        standing: &WindowPlacement,
    ) -> Option<MenuEntry> {
        let ctx = &ground.ctx;
        let size = size(&frame(ctx));
        if self.window.is_none() && ctx.content_rect().size().min(size) == size {
            return Popup::context_menu(ground).show(|ui| entries(ui, offer)).and_then(|shown| shown.inner);
        }
        let (clicked, escaped) = ctx.input(|input| (input.pointer.any_pressed(), input.key_pressed(Key::Escape)));
        if ground.secondary_clicked() {
            let at = ground.interact_pointer_pos().and_then(|pos| standing.at(ctx, pos, size));
            self.window = Some(MenuWindow { at, had_focus: false, left: None });
        } else if clicked || escaped {
            self.window = None;
        }
        let mut window = self.window?;
        let (chosen, stays) = window.show(ctx, size, offer);
        self.window = stays.then_some(window);
        chosen
    }
}

impl MenuWindow {
    /// One frame: what was chosen, and whether it stays open.
    fn show(&mut self, ctx: &Context, size: Vec2, offer: MenuContent) -> (Option<MenuEntry>, bool) {
        let builder = ViewportBuilder::default()
            .with_title(TITLE)
            .with_app_id("shogibar")
            .with_inner_size(size)
            .with_resizable(false)
            .with_decorations(false)
            .with_taskbar(false)
            .with_window_type(X11WindowType::PopupMenu)
            // On X11 no window manager has a say then: it is above the bar, which keeps the keyboard.
            .with_override_redirect(true)
            .with_window_level(WindowLevel::AlwaysOnTop);
        let builder = self.at.iter().fold(builder, |builder, at| builder.with_position(*at));
        let shown = ctx.show_viewport_immediate(ViewportId::from_hash_of("menu"), builder, |ui, _| {
            let chosen = frame(ui.ctx()).show(ui, |ui| {
                menu::menu_style(ui.style_mut());
                entries(ui, offer)
            });
            let (escaped, closed) =
                ui.input(|input| (input.key_pressed(Key::Escape), input.viewport().close_requested()));
            (chosen.inner, escaped || closed, ui.input(|input| input.viewport().focused))
        });
        let (chosen, is_closed, focused) = shown;
        let (now, bar_focused) = ctx.input(|input| (input.time, input.viewport().focused));
        let has_focus = focused == Some(true) || bar_focused == Some(true);
        self.had_focus |= has_focus;
        self.left = if has_focus { None } else { self.left.or(Some(now)) };
        let has_left = self.had_focus && self.left.is_some_and(|since| now - since > TURNING);
        if self.left.is_some() {
            ctx.request_repaint_after(Duration::from_secs_f64(2.0 * TURNING));
        }
        (chosen, chosen.is_none() && !is_closed && !has_left)
    }
}

/// What the menu stands on in its own window, which nothing shines through.
fn frame(ctx: &Context) -> Frame {
    Frame::menu(&ctx.global_style()).corner_radius(CornerRadius::ZERO).shadow(Shadow::NONE)
}

/// All that the menu takes, in points.
fn size(frame: &Frame) -> Vec2 {
    let rows = ROWS.iter().fold(0.0, |height, _| height + ENTRY.y);
    vec2(f32::from(COLUMNS) * (ENTRY.x + GAP) - GAP, rows) + frame.total_margin().sum()
}

/// All entries; the one that was chosen.
fn entries(ui: &mut Ui, offer: MenuContent) -> Option<MenuEntry> {
    ui.spacing_mut().item_spacing = vec2(GAP, 0.0);
    let rows = |ui: &mut Ui| {
        let mut chosen = None;
        for row in ROWS {
            for command in row {
                chosen = entry(ui, *command, offer).or(chosen);
            }
            ui.end_row();
        }
        chosen
    };
    Grid::new("commands").num_columns(COLUMNS.into()).show(ui, rows).inner
}

/// One entry of the menu; gives back the command when it was chosen.
fn entry(ui: &mut Ui, command: MenuEntry, offer: MenuContent) -> Option<MenuEntry> {
    let button = Button::new(command.text(offer.lang)).shortcut_text(command.key());
    let has_use = command != MenuEntry::Follow || offer.engines > 1;
    ui.add_enabled_ui(has_use, |ui| ui.add_sized(ENTRY, button).clicked()).inner.then_some(command)
}
