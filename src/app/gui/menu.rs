//! The context menu: in the bar's window if it has room, else in a window of its own.

use super::placement::WindowPlacement;
use crate::app::ids::GameId;
use crate::config::{Command, CommandContext, Shortcut};
use crate::text::{Lang, menu_text};
use crate::ui::shortcut;
use eframe::egui;
use egui::{
    Button, Context, CornerRadius, Frame, Grid, Key, Popup, Pos2, Response, Shadow, Ui, Vec2, ViewportBuilder,
    ViewportId, WindowLevel, X11WindowType, containers::menu, vec2,
};
use std::time::Duration;

/// The entries in order: back on the left, forward beside it. Few and low rows, because the window is low.
const ROWS: [&[Command]; 8] = [
    &[Command::Back, Command::Forward, Command::Pause],
    &[Command::TenBack, Command::TenForward, Command::Follow],
    &[Command::First, Command::Last, Command::Layout],
    &[Command::Study, Command::Engines, Command::Settings],
    &[Command::Hide, Command::ClickThrough, Command::Open],
    &[Command::CopyPicture, Command::SavePicture, Command::Manual],
    &[Command::Players, Command::AddBar, Command::CloseBar],
    &[Command::Palette, Command::Quit],
];
/// The number of columns.
const COLUMNS: u8 = 3;

/// The size of an entry, and the gap between columns, in points.
const ENTRY: Vec2 = vec2(138.0, 20.0);
const GAP: f32 = 12.0;

/// How long, in seconds, neither window may have the focus while it moves from one to the other.
const FOCUS_TIMEOUT: f64 = 0.15;

/// The title of the menu's window, where a desktop shows it.
const TITLE: &str = "Shogibar menu";

/// The most games that are listed: those around the current one.
const MAX_GAMES: usize = 12;

/// What the menu's entries depend on.
#[derive(Clone, Debug)]
pub(super) struct MenuContent {
    pub(super) lang: Lang,
    /// The number of engines: with one there is no other to follow.
    pub(super) engines: usize,
    /// The number of bars: the last one stays.
    pub(super) bars: usize,
    /// The games that the bar can show. One alone is not listed.
    pub(super) games: Vec<MenuGame>,
}

/// A game that the bar can show.
#[derive(Clone, Debug)]
pub(super) struct MenuGame {
    pub(super) id: GameId,
    pub(super) title: String,
    pub(super) is_current: bool,
}

/// A chosen entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MenuChoice {
    Command(Command),
    Game(GameId),
}

impl MenuContent {
    fn games(&self) -> &[MenuGame] {
        if self.games.len() < 2 {
            return &[];
        }
        // The current one is always among them.
        let current = self.games.iter().position(|game| game.is_current).unwrap_or_default();
        let first = current.saturating_sub(MAX_GAMES / 2).min(self.games.len().saturating_sub(MAX_GAMES));
        self.games.get(first..).and_then(|games| games.chunks(MAX_GAMES).next()).unwrap_or_default()
    }
}

/// The context menu.
#[derive(Debug, Default)]
pub(super) struct Menu {
    /// Its own window, while it has one.
    window: Option<MenuWindow>,
}

/// The menu's own window.
#[derive(Clone, Copy, Debug)]
struct MenuWindow {
    /// Its position in points; `None` where windows cannot be placed.
    at: Option<Pos2>,
    /// Whether it or the bar had the focus: once neither has, the user has gone elsewhere.
    had_focus: bool,
    /// Since when neither has it, in seconds of the clock. The focus may be moving from one to the other.
    unfocused_since: Option<f64>,
}

impl Menu {
    /// Whether the menu is open, in the bar's window or its own.
    pub(super) fn is_open(&self, ctx: &Context) -> bool {
        self.window.is_some() || Popup::is_any_open(ctx)
    }

    /// Shows the menu where the ground was clicked. Returns the chosen entry.
    pub(super) fn show(
        &mut self,
        ground: &Response,
        content: &MenuContent,
        placement: &WindowPlacement,
    ) -> Option<MenuChoice> {
        let ctx = &ground.ctx;
        let size = size(&frame(ctx), content);
        if self.window.is_none() && ctx.content_rect().size().min(size) == size {
            return Popup::context_menu(ground).show(|ui| entries(ui, content)).and_then(|shown| shown.inner);
        }
        let (clicked, escaped) = ctx.input(|input| (input.pointer.any_pressed(), input.key_pressed(Key::Escape)));
        if ground.secondary_clicked() {
            let at = ground.interact_pointer_pos().and_then(|pos| placement.position_for(ctx, pos, size));
            self.window = Some(MenuWindow { at, had_focus: false, unfocused_since: None });
        } else if clicked || escaped {
            self.window = None;
        }
        let mut window = self.window?;
        let (chosen, stays) = window.show(ctx, size, content);
        self.window = stays.then_some(window);
        chosen
    }
}

impl MenuWindow {
    /// Draws one frame. Returns the chosen entry, and whether the menu stays open.
    fn show(&mut self, ctx: &Context, size: Vec2, content: &MenuContent) -> (Option<MenuChoice>, bool) {
        let builder = ViewportBuilder::default()
            .with_title(TITLE)
            .with_app_id("shogibar")
            .with_inner_size(size)
            .with_resizable(false)
            .with_decorations(false)
            .with_taskbar(false)
            .with_window_type(X11WindowType::PopupMenu)
            // On X11 this bypasses the window manager: the menu is above the bar, which keeps the focus.
            .with_override_redirect(true)
            .with_window_level(WindowLevel::AlwaysOnTop);
        let builder = self.at.iter().fold(builder, |builder, at| builder.with_position(*at));
        let shown =
            ctx.show_viewport_immediate(ViewportId::from_hash_of((ctx.viewport_id(), "menu")), builder, |ui, _| {
                let chosen = frame(ui.ctx()).show(ui, |ui| {
                    menu::menu_style(ui.style_mut());
                    entries(ui, content)
                });
                let (escaped, closed) =
                    ui.input(|input| (input.key_pressed(Key::Escape), input.viewport().close_requested()));
                (chosen.inner, escaped || closed, ui.input(|input| input.viewport().focused))
            });
        let (chosen, is_closed, focused) = shown;
        let (now, bar_focused) = ctx.input(|input| (input.time, input.viewport().focused));
        let has_focus = focused == Some(true) || bar_focused == Some(true);
        self.had_focus |= has_focus;
        self.unfocused_since = if has_focus { None } else { self.unfocused_since.or(Some(now)) };
        let has_lost_focus = self.had_focus && self.unfocused_since.is_some_and(|since| now - since > FOCUS_TIMEOUT);
        if self.unfocused_since.is_some() {
            ctx.request_repaint_after(Duration::from_secs_f64(2.0 * FOCUS_TIMEOUT));
        }
        (chosen, chosen.is_none() && !is_closed && !has_lost_focus)
    }
}

/// The opaque frame of the menu in its own window.
fn frame(ctx: &Context) -> Frame {
    Frame::menu(&ctx.global_style()).corner_radius(CornerRadius::ZERO).shadow(Shadow::NONE)
}

/// The size of the whole menu, in points.
fn size(frame: &Frame, content: &MenuContent) -> Vec2 {
    let rows = ROWS.iter().fold(0.0, |height, _| height + ENTRY.y);
    let rows = content.games().iter().fold(rows, |height, _| height + ENTRY.y);
    vec2(f32::from(COLUMNS) * (ENTRY.x + GAP) - GAP, rows) + frame.total_margin().sum()
}

/// Draws all entries and returns the chosen one.
fn entries(ui: &mut Ui, content: &MenuContent) -> Option<MenuChoice> {
    ui.spacing_mut().item_spacing = vec2(GAP, 0.0);
    let command = commands(ui, content).map(MenuChoice::Command);
    let width = f32::from(COLUMNS) * (ENTRY.x + GAP) - GAP;
    let game = |ui: &mut Ui, game: &MenuGame| {
        let button = Button::selectable(game.is_current, game.title.as_str()).shortcut_text("").truncate();
        ui.add_sized(vec2(width, ENTRY.y), button).clicked().then_some(MenuChoice::Game(game.id))
    };
    content.games().iter().fold(command, |chosen, listed| game(ui, listed).or(chosen))
}

/// Draws the commands and returns the chosen one.
fn commands(ui: &mut Ui, content: &MenuContent) -> Option<Command> {
    let rows = |ui: &mut Ui| {
        let mut chosen = None;
        for row in ROWS {
            for command in row {
                chosen = entry(ui, *command, content).or(chosen);
            }
            ui.end_row();
        }
        chosen
    };
    Grid::new("commands").num_columns(COLUMNS.into()).show(ui, rows).inner
}

/// Draws one entry and returns its command if it was chosen.
fn entry(ui: &mut Ui, command: Command, content: &MenuContent) -> Option<Command> {
    let button = Button::new(menu_text(command, content.lang)).shortcut_text(key(ui.ctx(), command));
    let is_enabled = match command {
        Command::Follow => content.engines > 1,
        Command::CloseBar => content.bars > 1,
        _ => true,
    };
    ui.add_enabled_ui(is_enabled, |ui| ui.add_sized(ENTRY, button).clicked()).inner.then_some(command)
}

/// Returns the key of a command, as short as the menu needs it.
fn key(ctx: &Context, command: Command) -> String {
    let keys = command.default_keys(CommandContext::Bar).first().and_then(|key| Shortcut::parse(key));
    let text = keys.map(|keys| shortcut::shown(ctx, &keys)).unwrap_or_default();
    text.replace("PageUp", "PgUp").replace("PageDown", "PgDn")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn menu_has_every_command_of_the_bar_with_its_key() {
        for command in Command::all_in(CommandContext::Bar) {
            assert_eq!(ROWS.iter().flat_map(|row| row.iter()).filter(|entry| **entry == command).count(), 1);
            assert!(!key(&Context::default(), command).is_empty(), "{command:?}");
        }
        let keys = [Command::Back, Command::TenForward, Command::Open, Command::Palette];
        assert_eq!(keys.map(|command| key(&Context::default(), command)), ["←", "PgDn", "O", "Ctrl+K"]);
    }
}
