//! The context menu: in the bar's window if it has room, else in a window of its own.

use super::placement::WindowPlacement;
use crate::app::ids::GameId;
use crate::bar::FollowMode;
use crate::config::{Command, CommandContext, Layout, Shortcut};
use crate::text::{Label, Lang, Submenu, menu_text, settings};
use crate::ui::shortcut;
use eframe::egui;
use egui::{
    Button, Context, CornerRadius, Frame, Key, Popup, PopupCloseBehavior, Pos2, Response, Separator, SetOpenCommand,
    Shadow, Ui, Vec2, ViewportBuilder, ViewportId, WindowLevel, X11WindowType, containers::menu, vec2,
};
use std::time::Duration;

/// The groups of the menu, with a line between two.
const GROUPS: [&[MenuRow]; 5] = [
    &[
        MenuRow::Command(Command::Study),
        MenuRow::Command(Command::Desk),
        MenuRow::Command(Command::Engines),
        MenuRow::Command(Command::Settings),
    ],
    &[
        MenuRow::Command(Command::Open),
        MenuRow::Command(Command::OpenAddress),
        MenuRow::Command(Command::ReadScreen),
        MenuRow::Command(Command::Paste),
        MenuRow::Command(Command::Players),
        MenuRow::Submenu(Submenu::Games),
        MenuRow::Submenu(Submenu::Moves),
    ],
    &[
        MenuRow::Submenu(Submenu::Layout),
        MenuRow::Submenu(Submenu::Theme),
        MenuRow::Submenu(Submenu::Engine),
        MenuRow::Command(Command::Exact),
        MenuRow::Command(Command::Hide),
        MenuRow::Command(Command::Pause),
        MenuRow::Command(Command::ClickThrough),
    ],
    &[MenuRow::Submenu(Submenu::Picture), MenuRow::Command(Command::AddBar), MenuRow::Command(Command::CloseBar)],
    &[MenuRow::Command(Command::Palette), MenuRow::Command(Command::Manual), MenuRow::Command(Command::Quit)],
];

/// A row of the menu.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum MenuRow {
    Command(Command),
    Submenu(Submenu),
}

impl Submenu {
    const ALL: [Self; 6] = [Self::Games, Self::Moves, Self::Layout, Self::Theme, Self::Engine, Self::Picture];

    /// The commands of the submenu, after its choices.
    const fn commands(self) -> &'static [Command] {
        match self {
            Self::Games | Self::Theme => &[],
            Self::Moves => {
                &[Command::Back, Command::Forward, Command::TenBack, Command::TenForward, Command::First, Command::Last]
            }
            Self::Layout => &[Command::Layout],
            Self::Engine => &[Command::Follow],
            Self::Picture => &[Command::CopyPicture, Command::SavePicture],
        }
    }
}

/// The size of an entry, and the gap between the columns, in points.
const ENTRY: Vec2 = vec2(224.0, 22.0);
const GAP: f32 = 6.0;
/// The height of a line between two groups, with its margins.
const LINE: f32 = 7.0;

/// How long, in seconds, neither window may have the focus while it moves from one to the other.
const FOCUS_TIMEOUT: f64 = 0.15;

/// The title of the menu's window, where a desktop shows it.
const TITLE: &str = "Shogibar menu";

/// The most games and themes that are listed: those around the current one.
const MAX_LISTED: usize = 12;

/// What the menu's entries depend on.
#[derive(Clone, Debug)]
pub(super) struct MenuContent {
    pub(super) lang: Lang,
    /// The number of bars: the last one stays.
    pub(super) bars: usize,
    /// The games that the bar can show.
    pub(super) games: Vec<(GameId, String)>,
    /// The game that it shows.
    pub(super) game: GameId,
    /// The layout of the bar.
    pub(super) layout: Layout,
    /// The names of the themes, with their texts.
    pub(super) themes: Vec<(String, String)>,
    /// The name of the theme in use.
    pub(super) theme: String,
    /// The names of the bar's engines.
    pub(super) engines: Vec<String>,
    /// Which of them the bar follows.
    pub(super) followed: FollowMode,
}

/// A chosen entry.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum MenuChoice {
    Command(Command),
    Game(GameId),
    Layout(Layout),
    Theme(String),
    Follow(FollowMode),
}

impl MenuContent {
    /// The choices of a submenu: what each chooses, its text, and whether it is in use.
    fn choices(&self, submenu: Submenu) -> Vec<(MenuChoice, String, bool)> {
        match submenu {
            Submenu::Games => {
                let choice = |(id, title): &(GameId, String)| (MenuChoice::Game(*id), title.clone(), *id == self.game);
                around(&self.games, |(id, _)| *id == self.game).iter().map(choice).collect()
            }
            Submenu::Layout => {
                let choice = |layout: &Layout| {
                    let text = settings::layout(*layout, self.lang).to_owned();
                    (MenuChoice::Layout(*layout), text, *layout == self.layout)
                };
                Layout::ALL.iter().map(choice).collect()
            }
            Submenu::Theme => {
                let choice = |(name, text): &(String, String)| {
                    (MenuChoice::Theme(name.clone()), text.clone(), *name == self.theme)
                };
                around(&self.themes, |(name, _)| *name == self.theme).iter().map(choice).collect()
            }
            Submenu::Engine => {
                let one = |(index, name): (usize, &String)| (FollowMode::One(index), name.clone());
                let mean = (FollowMode::Mean, Label::Mean.text(self.lang).to_owned());
                let mean = Some(mean).filter(|_| self.engines.len() > 1);
                let all = self.engines.iter().enumerate().map(one).chain(mean);
                all.map(|(follow, text)| (MenuChoice::Follow(follow), text, follow == self.followed)).collect()
            }
            Submenu::Moves | Submenu::Picture => Vec::new(),
        }
    }

    fn is_enabled(&self, row: MenuRow) -> bool {
        match row {
            MenuRow::Command(Command::Follow) => self.engines.len() > 1,
            MenuRow::Command(Command::CloseBar) => self.bars > 1,
            MenuRow::Submenu(Submenu::Games) => self.games.len() > 1,
            _ => true,
        }
    }
}

/// Returns as many items as are listed: those around the current one.
fn around<T>(all: &[T], is_current: impl Fn(&T) -> bool) -> &[T] {
    let current = all.iter().position(is_current).unwrap_or_default();
    let first = current.saturating_sub(MAX_LISTED / 2).min(all.len().saturating_sub(MAX_LISTED));
    all.get(first..).and_then(|listed| listed.chunks(MAX_LISTED).next()).unwrap_or_default()
}

/// The context menu.
#[derive(Debug, Default)]
pub(super) struct Menu {
    /// Its own window, while it has one.
    window: Option<MenuWindow>,
    /// The open submenu.
    submenu: Option<Submenu>,
    /// Whether the menu is to open at the next frame, by a key.
    is_requested: bool,
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

    /// Has the menu open at the next frame, in the middle of the bar.
    pub(super) const fn request(&mut self) {
        self.is_requested = true;
    }

    /// Whether [`request`](Self::request) was called since the last frame of the menu.
    pub(super) const fn is_requested(&self) -> bool {
        self.is_requested
    }

    /// Shows the menu where the ground was clicked. Returns the chosen entry.
    pub(super) fn show(
        &mut self,
        ground: &Response,
        content: &MenuContent,
        placement: &WindowPlacement,
    ) -> Option<MenuChoice> {
        let ctx = &ground.ctx;
        let is_requested = std::mem::take(&mut self.is_requested);
        let opens = is_requested || ground.secondary_clicked();
        if opens {
            self.submenu = None;
        }
        let size = size(&frame(ctx), content, self.submenu);
        // The room is that of the largest submenu: the menu stays where it has opened.
        let largest = Submenu::ALL.into_iter().map(|submenu| self::size(&frame(ctx), content, Some(submenu)));
        let largest = largest.fold(size, Vec2::max);
        if self.window.is_none() && ctx.content_rect().size().min(largest) == largest {
            let popup = Popup::context_menu(ground);
            let popup = if is_requested { popup.open_memory(Some(SetOpenCommand::Bool(true))) } else { popup };
            let popup = popup.close_behavior(PopupCloseBehavior::CloseOnClickOutside);
            let submenu = &mut self.submenu;
            let chosen = popup.show(|ui| entries(ui, content, submenu)).and_then(|shown| shown.inner);
            if chosen.is_some() {
                Popup::close_all(ctx);
            }
            return chosen;
        }
        let (clicked, escaped) = ctx.input(|input| (input.pointer.any_pressed(), input.key_pressed(Key::Escape)));
        if opens {
            let pointer = if is_requested { None } else { ground.interact_pointer_pos() };
            let at = placement.position_for(ctx, pointer.unwrap_or_else(|| ground.rect.center()), largest);
            self.window = Some(MenuWindow { at, had_focus: false, unfocused_since: None });
        } else if clicked || escaped {
            self.window = None;
        }
        let mut window = self.window?;
        let (chosen, stays) = window.show(ctx, size, content, &mut self.submenu);
        self.window = stays.then_some(window);
        chosen
    }
}

impl MenuWindow {
    /// Draws one frame. Returns the chosen entry, and whether the menu stays open.
    fn show(
        &mut self,
        ctx: &Context,
        size: Vec2,
        content: &MenuContent,
        submenu: &mut Option<Submenu>,
    ) -> (Option<MenuChoice>, bool) {
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
                    entries(ui, content, submenu)
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
        let stays = chosen.is_none() && !is_closed && !has_lost_focus;
        (chosen, stays)
    }
}

/// The opaque frame of the menu in its own window.
fn frame(ctx: &Context) -> Frame {
    Frame::menu(&ctx.global_style()).corner_radius(CornerRadius::ZERO).shadow(Shadow::NONE)
}

/// The size of the whole menu with a submenu, in points.
fn size(frame: &Frame, content: &MenuContent, submenu: Option<Submenu>) -> Vec2 {
    let rows: usize = GROUPS.iter().map(|group| group.len()).sum();
    let lines = GROUPS.len().saturating_sub(1);
    let height = rows as f32 * ENTRY.y + lines as f32 * LINE;
    let beside = submenu.map_or(0.0, |submenu| (content.choices(submenu).len() + submenu.commands().len()) as f32);
    let columns = if submenu.is_some() { 2.0 } else { 1.0 };
    vec2(columns * (ENTRY.x + GAP) - GAP, height.max(beside * ENTRY.y + LINE)) + frame.total_margin().sum()
}

/// Draws the menu with its open submenu beside it. Returns the chosen entry.
fn entries(ui: &mut Ui, content: &MenuContent, submenu: &mut Option<Submenu>) -> Option<MenuChoice> {
    ui.spacing_mut().item_spacing = vec2(GAP, 0.0);
    ui.horizontal_top(|ui| {
        let first = ui.vertical(|ui| groups(ui, content, submenu)).inner;
        let second = submenu.and_then(|open| ui.vertical(|ui| submenu_entries(ui, content, open)).inner);
        first.or(second)
    })
    .inner
}

/// Draws the groups and returns the chosen command. A submenu opens under the pointer, or by a click.
fn groups(ui: &mut Ui, content: &MenuContent, open: &mut Option<Submenu>) -> Option<MenuChoice> {
    let mut chosen = None;
    for (nth, group) in GROUPS.into_iter().enumerate() {
        if nth > 0 {
            ui.add_sized(vec2(ENTRY.x, LINE), Separator::default());
        }
        for row in group {
            let is_enabled = content.is_enabled(*row);
            match row {
                MenuRow::Command(command) => {
                    let response = entry(ui, *command, content);
                    if response.hovered() {
                        *open = None;
                    }
                    chosen = response.clicked().then_some(MenuChoice::Command(*command)).or(chosen);
                }
                MenuRow::Submenu(submenu) => {
                    let is_open = *open == Some(*submenu);
                    let button = Button::selectable(is_open, submenu.text(content.lang)).right_text("▶");
                    let response = ui.add_enabled_ui(is_enabled, |ui| ui.add_sized(ENTRY, button)).inner;
                    if is_enabled && (response.hovered() || response.clicked()) {
                        *open = Some(*submenu);
                    }
                }
            }
        }
    }
    chosen
}

/// Draws a submenu and returns what was chosen.
fn submenu_entries(ui: &mut Ui, content: &MenuContent, submenu: Submenu) -> Option<MenuChoice> {
    let mut chosen = None;
    let choices = content.choices(submenu);
    let has_choices = !choices.is_empty();
    for (choice, text, is_in_use) in choices {
        let button = Button::selectable(is_in_use, text).right_text("").truncate();
        chosen = ui.add_sized(ENTRY, button).clicked().then_some(choice).or(chosen);
    }
    if has_choices && !submenu.commands().is_empty() {
        ui.add_sized(vec2(ENTRY.x, LINE), Separator::default());
    }
    for command in submenu.commands() {
        chosen = entry(ui, *command, content).clicked().then_some(MenuChoice::Command(*command)).or(chosen);
    }
    chosen
}

/// Draws the entry of a command.
fn entry(ui: &mut Ui, command: Command, content: &MenuContent) -> Response {
    let button = Button::new(menu_text(command, content.lang)).shortcut_text(key(ui.ctx(), command));
    let is_enabled = content.is_enabled(MenuRow::Command(command));
    ui.add_enabled_ui(is_enabled, |ui| ui.add_sized(ENTRY, button)).inner
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
    use crate::ui::fonts;
    use egui::{Color32, TextStyle};
    use egui_kittest::Harness;

    #[test]
    fn menu_has_every_command_of_the_bar_with_its_key() {
        for command in Command::all_in(CommandContext::Bar) {
            let rows = GROUPS.iter().flat_map(|group| group.iter());
            let direct = rows.filter(|row| **row == MenuRow::Command(command)).count();
            let inner = Submenu::ALL.into_iter().flat_map(Submenu::commands).filter(|one| **one == command);
            assert_eq!(direct + inner.count(), 1, "{command:?}");
            assert!(!key(&Context::default(), command).is_empty(), "{command:?}");
        }
        let keys = [Command::Back, Command::TenForward, Command::Open, Command::Palette];
        assert_eq!(keys.map(|command| key(&Context::default(), command)), ["←", "PgDn", "O", "Ctrl+K"]);
    }

    #[test]
    fn every_entry_fits_in_one_line() {
        let check = |ui: &mut Ui| {
            let font = TextStyle::Button.resolve(ui.style());
            let width =
                |text: &str| ui.painter().layout_no_wrap(text.to_owned(), font.clone(), Color32::WHITE).size().x;
            for command in Command::all_in(CommandContext::Bar) {
                for lang in [Lang::Ja, Lang::En] {
                    let text = menu_text(command, lang);
                    let needs =
                        width(text) + width(&key(ui.ctx(), command)) + 4.0 * ui.spacing().button_padding.x + GAP;
                    assert!(needs <= ENTRY.x, "{text}: {needs}");
                }
            }
        };
        Harness::builder().with_context_setup(|ctx| ctx.set_fonts(fonts::definitions())).build_ui(check).step();
    }

    #[test]
    fn long_lists_are_shown_around_the_current_one() {
        let themes: Vec<usize> = (0..40).collect();
        for (current, first) in [(0, 0), (30, 24), (39, 28)] {
            let listed = around(&themes, |theme| *theme == current);
            assert_eq!(listed, &themes[first..first + MAX_LISTED]);
        }
        assert_eq!(around(&themes[..3], |theme| *theme == 2), [0, 1, 2]);
    }
}
