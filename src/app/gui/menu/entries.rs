//! The entries of the context menu: their contents, their selection by pointer and keys, and their drawing.

use eframe::egui;
use egui::{Button, Color32, Context, Frame, Key, Modifiers, Rect, Response, Separator, Ui, Vec2, vec2};
use shogibar_base::Lang;
use shogibar_config::{
    Command, CommandCondition, CommandContext, Layout, Shortcut, Submenu, menu_text, settings_text,
};
use shogibar_games::Label;
use shogibar_games::bar::FollowMode;
use shogibar_model::ids::GameId;
use shogibar_ui::shortcut;
use std::time::Duration;

/// The size of an entry, in points.
const ENTRY_SIZE: Vec2 = vec2(224.0, 22.0);
/// The gap between the columns, in points.
const COLUMN_GAP: f32 = 6.0;
/// The height of a line between two groups with its margins, in points.
const SEPARATOR_HEIGHT: f32 = 7.0;
/// The interval between two checks whether the pointer has stopped on its way to a submenu.
const AIM_CHECK_INTERVAL: Duration = Duration::from_millis(33);

/// The groups of the menu, with a line between two.
const GROUPS: [&[MenuRow]; 5] = [
    &[
        MenuRow::Command(Command::Study),
        MenuRow::Submenu(Submenu::Boards),
        MenuRow::Command(Command::Obs),
        MenuRow::Command(Command::OnAir),
        MenuRow::Command(Command::Engines),
        MenuRow::Command(Command::Settings),
    ],
    &[
        MenuRow::Command(Command::Open),
        MenuRow::Command(Command::OpenAddress),
        MenuRow::Command(Command::ReadScreen),
        MenuRow::Command(Command::CorrectBoard),
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
        MenuRow::Command(Command::Lock),
        MenuRow::Command(Command::Switch),
        MenuRow::Command(Command::Pause),
        MenuRow::Command(Command::ClickThrough),
    ],
    &[
        MenuRow::Submenu(Submenu::Picture),
        MenuRow::Command(Command::AddBar),
        MenuRow::Command(Command::CloseBar),
    ],
    &[
        MenuRow::Command(Command::Palette),
        MenuRow::Command(Command::Manual),
        MenuRow::Command(Command::Quit),
    ],
];

/// A row of the context menu: a command, or the name of a submenu.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum MenuRow {
    Command(Command),
    Submenu(Submenu),
}

const SUBMENUS: [Submenu; 7] = [
    Submenu::Boards,
    Submenu::Games,
    Submenu::Moves,
    Submenu::Layout,
    Submenu::Theme,
    Submenu::Engine,
    Submenu::Picture,
];

const fn commands_of(submenu: Submenu) -> &'static [Command] {
    match submenu {
        Submenu::Games | Submenu::Theme => &[],
        Submenu::Moves => &[
            Command::Back,
            Command::Forward,
            Command::TenBack,
            Command::TenForward,
            Command::First,
            Command::Last,
            Command::BackToGame,
            Command::TurningPoint,
        ],
        Submenu::Layout => &[Command::Layout],
        Submenu::Engine => &[Command::NextEngine],
        Submenu::Boards => &[Command::Desk, Command::BoardPage],
        Submenu::Picture => &[Command::CopyPicture, Command::SavePicture],
    }
}

fn rows() -> impl Iterator<Item = MenuRow> {
    GROUPS.into_iter().flatten().copied()
}

/// The maximum number of games, and of themes, that are listed: those around the current one.
const MAX_LISTED_ITEMS: usize = 24;

/// The state that the menu's entries depend on.
#[derive(Clone, Debug)]
pub(in crate::app::gui) struct MenuContent {
    pub(in crate::app::gui) lang: Lang,
    /// The number of bars. The last bar cannot be closed.
    pub(in crate::app::gui) bar_count: usize,
    /// Whether a board is read off the screen for its game.
    pub(in crate::app::gui) reads_screen: bool,
    /// The games that the bar can show.
    pub(in crate::app::gui) games: Vec<(GameId, String)>,
    /// The game that the bar shows.
    pub(in crate::app::gui) game: GameId,
    /// The layout of the bar.
    pub(in crate::app::gui) layout: Layout,
    /// The names of the themes, with their texts.
    pub(in crate::app::gui) themes: Vec<(String, String)>,
    /// The name of the theme in use.
    pub(in crate::app::gui) theme: String,
    /// The names of the bar's engines.
    pub(in crate::app::gui) engines: Vec<String>,
    /// The engine that the bar follows, or their mean.
    pub(in crate::app::gui) follow_mode: FollowMode,
}

/// The entry that the user has chosen, with its value.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::app::gui) enum MenuChoice {
    Command(Command),
    Game(GameId),
    Layout(Layout),
    Theme(String),
    Follow(FollowMode),
}

/// An entry of a submenu of the context menu.
#[derive(Debug)]
struct MenuEntry {
    choice: MenuChoice,
    text: String,
    /// The key of the entry's command; empty for a choice.
    key: String,
    /// Whether the entry is the present choice.
    is_in_use: bool,
    is_enabled: bool,
}

impl MenuEntry {
    const fn from_choice(choice: MenuChoice, is_in_use: bool, text: String) -> Self {
        Self {
            choice,
            text,
            key: String::new(),
            is_in_use,
            is_enabled: true,
        }
    }
}

impl MenuContent {
    /// Returns the entries of a submenu: its choices, then its commands.
    fn entries(&self, ctx: &Context, submenu: Submenu) -> Vec<MenuEntry> {
        let mut entries = self.choices(submenu);
        let commands = commands_of(submenu).iter().map(|command| MenuEntry {
            choice: MenuChoice::Command(*command),
            text: menu_text(*command, self.lang).to_owned(),
            key: key_text(ctx, *command),
            is_in_use: false,
            is_enabled: self.is_enabled(MenuRow::Command(*command)),
        });
        entries.extend(commands);
        entries
    }

    /// Returns the entries of the choices of a submenu, without its commands.
    fn choices(&self, submenu: Submenu) -> Vec<MenuEntry> {
        match submenu {
            Submenu::Games => items_around(&self.games, |(id, _)| *id == self.game)
                .iter()
                .map(|(id, title)| {
                    MenuEntry::from_choice(MenuChoice::Game(*id), *id == self.game, title.clone())
                })
                .collect(),
            Submenu::Layout => Layout::ALL
                .iter()
                .map(|layout| {
                    let text = settings_text::layout(*layout, self.lang).to_owned();
                    MenuEntry::from_choice(MenuChoice::Layout(*layout), *layout == self.layout, text)
                })
                .collect(),
            Submenu::Theme => items_around(&self.themes, |(name, _)| *name == self.theme)
                .iter()
                .map(|(name, text)| {
                    MenuEntry::from_choice(MenuChoice::Theme(name.clone()), *name == self.theme, text.clone())
                })
                .collect(),
            Submenu::Engine => {
                let mean = (self.engines.len() > 1)
                    .then(|| (FollowMode::Mean, Label::Mean.text(self.lang).to_owned()));
                self.engines
                    .iter()
                    .enumerate()
                    .map(|(index, name)| (FollowMode::One(index), name.clone()))
                    .chain(mean)
                    .map(|(follow, text)| {
                        MenuEntry::from_choice(MenuChoice::Follow(follow), follow == self.follow_mode, text)
                    })
                    .collect()
            }
            Submenu::Boards | Submenu::Moves | Submenu::Picture => Vec::new(),
        }
    }

    /// Returns whether a row can be chosen, as far as the bar knows the conditions.
    fn is_enabled(&self, row: MenuRow) -> bool {
        match row {
            MenuRow::Command(command) => match command.condition() {
                CommandCondition::SeveralEngines => self.engines.len() > 1,
                CommandCondition::SeveralBars => self.bar_count > 1,
                CommandCondition::ReadsScreen => self.reads_screen,
                // The study page decides this when such a command is run.
                CommandCondition::Always
                | CommandCondition::CanUndo
                | CommandCondition::CanRedo
                | CommandCondition::AfterStart
                | CommandCondition::CanReplace
                | CommandCondition::CanPromote
                | CommandCondition::HasMarks
                | CommandCondition::NotAnalysing
                | CommandCondition::MistakeBefore
                | CommandCondition::MistakeAfter
                | CommandCondition::HasBetterLine => true,
            },
            MenuRow::Submenu(Submenu::Games) => self.games.len() > 1,
            MenuRow::Submenu(_) => true,
        }
    }

    /// Returns the height of a submenu, in points.
    fn height(&self, submenu: Submenu) -> f32 {
        let (choices, commands) = (self.choices(submenu).len(), commands_of(submenu).len());
        let line = if choices > 0 && commands > 0 {
            SEPARATOR_HEIGHT
        } else {
            0.0
        };
        (choices + commands) as f32 * ENTRY_SIZE.y + line
    }
}

/// Returns at most [`MAX_LISTED_ITEMS`] items: those around the current one.
fn items_around<T>(all: &[T], is_current: impl Fn(&T) -> bool) -> &[T] {
    let current = all.iter().position(is_current).unwrap_or_default();
    let first = current
        .saturating_sub(MAX_LISTED_ITEMS / 2)
        .min(all.len().saturating_sub(MAX_LISTED_ITEMS));
    all.get(first..)
        .and_then(|listed| listed.chunks(MAX_LISTED_ITEMS).next())
        .unwrap_or_default()
}

/// A key that moves among the entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum MenuKey {
    Up,
    Down,
    First,
    Last,
    /// Opens the submenu.
    In,
    /// Closes the submenu.
    Out,
    Choose,
}

impl MenuKey {
    const ALL: [(Key, Self); 8] = [
        (Key::ArrowUp, Self::Up),
        (Key::ArrowDown, Self::Down),
        (Key::Home, Self::First),
        (Key::End, Self::Last),
        (Key::ArrowRight, Self::In),
        (Key::ArrowLeft, Self::Out),
        (Key::Enter, Self::Choose),
        (Key::Space, Self::Choose),
    ];
}

/// The state of the entries of an open menu.
#[derive(Clone, Debug, Default)]
pub(super) struct MenuEntries {
    /// The row that the pointer or the keys have selected. If it is a submenu, it is open.
    row: Option<usize>,
    /// The selected row of the open submenu.
    submenu_row: Option<usize>,
    /// The pressed keys that were not handled yet.
    keys: Vec<MenuKey>,
    /// The rectangle of the open submenu.
    submenu_rect: Option<Rect>,
    /// Whether the pointer is on its way into the open submenu, over other rows.
    is_aiming: bool,
}

impl MenuEntries {
    /// Creates the entries of a menu that a key has opened: the first row is selected.
    pub(super) fn with_first_row() -> Self {
        Self {
            row: Some(0),
            ..Self::default()
        }
    }

    pub(super) fn take_keys(&mut self, ctx: &Context) {
        ctx.input_mut(|input| {
            for (key, meaning) in MenuKey::ALL {
                let times = input.count_and_consume_key(Modifiers::NONE, key);
                self.keys.extend(std::iter::repeat_n(meaning, times));
            }
        });
    }

    /// Returns the size of the menu with its open submenu, in points.
    pub(super) fn size(&self, frame: &Frame, content: &MenuContent) -> Vec2 {
        menu_size(frame, content, self.open_submenu(content))
    }

    /// Draws the menu with its open submenu beside it. Each column has its own `frame`. Returns the chosen entry.
    pub(super) fn show(&mut self, ui: &mut Ui, content: &MenuContent, frame: Frame) -> Option<MenuChoice> {
        self.take_keys(ui.ctx());
        let keys = std::mem::take(&mut self.keys);
        let by_key = keys
            .into_iter()
            .filter_map(|key| self.on_key(ui.ctx(), key, content))
            .last();
        ui.spacing_mut().item_spacing = vec2(COLUMN_GAP, 0.0);
        // Only the current entry is highlighted, whether the pointer or a key has selected it.
        ui.visuals_mut().widgets.hovered.weak_bg_fill = Color32::TRANSPARENT;
        let was_aiming = std::mem::take(&mut self.is_aiming);
        let has_moved = ui.input(|input| input.pointer.delta() != Vec2::ZERO);
        if let (Some(beside), Some(_)) = (self.submenu_rect, self.open_submenu(content)) {
            self.is_aiming = ui.input(|input| input.pointer.is_moving_towards_rect(&beside));
        }
        if self.is_aiming {
            // No event reports that the pointer has stopped on its way, so another frame checks this.
            ui.ctx().request_repaint_after(AIM_CHECK_INTERVAL);
        }
        let follows_pointer = !self.is_aiming && (has_moved || was_aiming);
        let by_pointer = ui.horizontal_top(|ui| {
            let first = frame
                .show(ui, |ui| {
                    ui.vertical(|ui| self.show_rows(ui, content, follows_pointer))
                        .inner
                })
                .inner;
            let second = self.open_submenu(content).and_then(|open| {
                let shown = ui.vertical(|ui| {
                    ui.add_space(self.submenu_top(content, open));
                    frame.show(ui, |ui| {
                        ui.vertical(|ui| self.show_submenu(ui, content, open, has_moved))
                            .inner
                    })
                });
                self.submenu_rect = Some(shown.inner.response.rect);
                shown.inner.inner
            });
            first.or(second)
        });
        by_key.or(by_pointer.inner)
    }

    /// Returns the submenu of the current row; `None` if the row is a command or disabled.
    fn open_submenu(&self, content: &MenuContent) -> Option<Submenu> {
        match rows().nth(self.row?)? {
            row @ MenuRow::Submenu(submenu) => content.is_enabled(row).then_some(submenu),
            MenuRow::Command(_) => None,
        }
    }

    /// Moves the selection with a key. Returns the chosen entry.
    fn on_key(&mut self, ctx: &Context, key: MenuKey, content: &MenuContent) -> Option<MenuChoice> {
        let inside = self
            .open_submenu(content)
            .map(|open| content.entries(ctx, open))
            .unwrap_or_default();
        let inside_enabled: Vec<bool> = inside.iter().map(|entry| entry.is_enabled).collect();
        let (selected, enabled) = match &mut self.submenu_row {
            Some(_) => (&mut self.submenu_row, inside_enabled),
            None => (&mut self.row, rows().map(|row| content.is_enabled(row)).collect()),
        };
        match key {
            MenuKey::Up => *selected = next_enabled(&enabled, *selected, false),
            MenuKey::Down => *selected = next_enabled(&enabled, *selected, true),
            MenuKey::First => *selected = next_enabled(&enabled, None, true),
            MenuKey::Last => *selected = next_enabled(&enabled, None, false),
            MenuKey::Out => self.submenu_row = None,
            MenuKey::In | MenuKey::Choose => {
                if let Some(at) = self.submenu_row {
                    let chosen = inside.into_iter().nth(at).map(|entry| entry.choice);
                    return if key == MenuKey::Choose { chosen } else { None };
                }
                let in_use = inside.iter().position(|entry| entry.is_in_use);
                self.submenu_row = in_use.or_else(|| inside.iter().position(|entry| entry.is_enabled));
                if let (MenuKey::Choose, Some(MenuRow::Command(command))) = (key, rows().nth(self.row?)) {
                    return Some(MenuChoice::Command(command));
                }
            }
        }
        None
    }

    /// Returns the distance of the submenu's top from the menu's top, in points. The submenu is beside its row, unless
    /// it would end below the menu.
    fn submenu_top(&self, content: &MenuContent, open: Submenu) -> f32 {
        let row = self.row.unwrap_or_default();
        let ends = GROUPS.iter().scan(0, |end, group| {
            *end += group.len();
            Some(*end)
        });
        let lines = ends.filter(|end| *end <= row).count();
        let beside_row = row as f32 * ENTRY_SIZE.y + lines as f32 * SEPARATOR_HEIGHT;
        beside_row.min(menu_height() - content.height(open)).max(0.0)
    }

    /// Draws the groups, and returns the chosen command.
    fn show_rows(&mut self, ui: &mut Ui, content: &MenuContent, follows_pointer: bool) -> Option<MenuChoice> {
        let mut chosen = None;
        let mut nth = 0;
        for group in GROUPS {
            if nth > 0 {
                ui.add_sized(vec2(ENTRY_SIZE.x, SEPARATOR_HEIGHT), Separator::default());
            }
            for row in group {
                let (text, right) = match row {
                    MenuRow::Command(command) => {
                        (menu_text(*command, content.lang), key_text(ui.ctx(), *command))
                    }
                    MenuRow::Submenu(submenu) => (submenu.text(content.lang), "▶".to_owned()),
                };
                let is_current = self.row == Some(nth);
                let row_ui = ui.add_enabled_ui(content.is_enabled(*row), |ui| {
                    show_entry(ui, is_current, text.to_owned(), right)
                });
                let response = row_ui.inner;
                if response.hovered() && follows_pointer || response.gained_focus() || response.clicked() {
                    (self.row, self.submenu_row) = (Some(nth), None);
                }
                if let (MenuRow::Command(command), true) = (row, response.clicked()) {
                    chosen = Some(MenuChoice::Command(*command));
                }
                nth += 1;
            }
        }
        chosen
    }

    fn show_submenu(
        &mut self,
        ui: &mut Ui,
        content: &MenuContent,
        open: Submenu,
        follows_pointer: bool,
    ) -> Option<MenuChoice> {
        let mut chosen = None;
        let choices = content.choices(open).len();
        for (nth, one) in content.entries(ui.ctx(), open).into_iter().enumerate() {
            if nth > 0 && nth == choices {
                ui.add_sized(vec2(ENTRY_SIZE.x, SEPARATOR_HEIGHT), Separator::default());
            }
            let text = match (choices, one.is_in_use) {
                (0, _) => one.text,
                (_, true) => format!("●　{}", one.text),
                (_, false) => format!("　　{}", one.text),
            };
            let is_current = self.submenu_row == Some(nth);
            let response = ui
                .add_enabled_ui(one.is_enabled, |ui| show_entry(ui, is_current, text, one.key))
                .inner;
            if response.hovered() && follows_pointer || response.gained_focus() {
                self.submenu_row = Some(nth);
            }
            if response.clicked() {
                chosen = Some(one.choice);
            }
        }
        chosen
    }
}

/// Returns the next enabled entry after `from`, or the one before it, around the ends. Without `from`, returns the
/// first or the last enabled entry.
fn next_enabled(enabled: &[bool], from: Option<usize>, is_down: bool) -> Option<usize> {
    let count = enabled.len();
    let mut indices: Vec<usize> = (0..count).collect();
    if !is_down {
        indices.reverse();
    }
    let passed = from
        .and_then(|from| indices.iter().position(|at| *at == from))
        .map_or(0, |at| at + 1);
    indices.rotate_left(passed);
    indices.into_iter().find(|at| enabled.get(*at) == Some(&true))
}

/// Returns the height of the rows with the lines between the groups, in points.
fn menu_height() -> f32 {
    let lines = GROUPS.len().saturating_sub(1);
    rows().count() as f32 * ENTRY_SIZE.y + lines as f32 * SEPARATOR_HEIGHT
}

/// Returns the size of the whole menu with a submenu, in points.
fn menu_size(frame: &Frame, content: &MenuContent, submenu: Option<Submenu>) -> Vec2 {
    let beside = submenu.map_or(0.0, |submenu| content.height(submenu));
    let columns = if submenu.is_some() { 2.0 } else { 1.0 };
    let margin = frame.total_margin().sum();
    vec2(
        columns * (ENTRY_SIZE.x + margin.x + COLUMN_GAP) - COLUMN_GAP,
        menu_height().max(beside) + margin.y,
    )
}

/// Returns the size of the menu with the largest submenu, in points.
pub(super) fn largest_size(frame: &Frame, content: &MenuContent) -> Vec2 {
    SUBMENUS
        .into_iter()
        .map(|submenu| menu_size(frame, content, Some(submenu)))
        .fold(Vec2::ZERO, Vec2::max)
}

fn show_entry(ui: &mut Ui, is_current: bool, text: String, right: String) -> Response {
    ui.add_sized(
        ENTRY_SIZE,
        Button::selectable(is_current, text)
            .shortcut_text(right)
            .truncate(),
    )
}

fn key_text(ctx: &Context, command: Command) -> String {
    let keys = command
        .default_keys(CommandContext::Bar)
        .first()
        .and_then(|key| Shortcut::parse(key));
    let text = keys
        .map(|keys| shortcut::button_text(ctx, &keys))
        .unwrap_or_default();
    text.replace("PageUp", "PgUp").replace("PageDown", "PgDn")
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::TextStyle;
    use egui_kittest::Harness;
    use shogibar_ui::fonts;

    #[test]
    fn menu_has_every_command_of_the_bar_with_its_key() {
        for command in Command::all_in(CommandContext::Bar) {
            let rows = GROUPS.iter().flat_map(|group| group.iter());
            let direct = rows.filter(|row| **row == MenuRow::Command(command)).count();
            let inner = SUBMENUS
                .into_iter()
                .flat_map(commands_of)
                .filter(|one| **one == command);
            assert_eq!(direct + inner.count(), 1, "{command:?}");
            assert!(!key_text(&Context::default(), command).is_empty(), "{command:?}");
        }
        let keys = [
            Command::Back,
            Command::TenForward,
            Command::Open,
            Command::Palette,
        ];
        assert_eq!(
            keys.map(|command| key_text(&Context::default(), command)),
            ["←", "PgDn", "O", "Ctrl+K"]
        );
    }

    fn content() -> MenuContent {
        let game = GameId(1);
        MenuContent {
            lang: Lang::En,
            bar_count: 1,
            reads_screen: false,
            games: vec![(game, "A game".to_owned())],
            game,
            layout: Layout::ALL[1],
            themes: ["ink", "paper"]
                .map(|name| (name.to_owned(), name.to_owned()))
                .to_vec(),
            theme: "paper".to_owned(),
            engines: vec!["Engine".to_owned()],
            follow_mode: FollowMode::One(0),
        }
    }

    #[test]
    fn keys_lead_to_every_entry() {
        let (content, ctx) = (content(), Context::default());
        let mut entries = MenuEntries::with_first_row();
        let mut walk = |keys: &[MenuKey]| {
            let chosen = keys
                .iter()
                .filter_map(|key| entries.on_key(&ctx, *key, &content))
                .last();
            (
                entries.row.and_then(|row| rows().nth(row)).unwrap(),
                entries.submenu_row,
                chosen,
            )
        };
        let command = MenuRow::Command;
        assert_eq!(
            walk(&[MenuKey::Up]),
            (command(Command::Quit), None, None),
            "around the end"
        );
        assert_eq!(
            walk(&[MenuKey::Down, MenuKey::In]),
            (command(Command::Study), None, None)
        );
        assert_eq!(
            walk(&[MenuKey::Last, MenuKey::Choose]).2,
            Some(MenuChoice::Command(Command::Quit))
        );
        let to_moves = [MenuKey::First].into_iter().chain([MenuKey::Down; 11]);
        // The only game is not a choice, so its row is skipped.
        let moves = (MenuRow::Submenu(Submenu::Moves), None, None);
        assert_eq!(walk(&to_moves.collect::<Vec<_>>()), moves);
        assert_eq!(walk(&[MenuKey::In, MenuKey::Down]).1, Some(1));
        assert_eq!(walk(&[MenuKey::Out]), moves);
        let theme = walk(&[MenuKey::Down, MenuKey::Down, MenuKey::Choose]);
        assert_eq!(
            theme,
            (MenuRow::Submenu(Submenu::Theme), Some(1), None),
            "begins at what is in use"
        );
        assert_eq!(
            walk(&[MenuKey::Up, MenuKey::Choose]).2,
            Some(MenuChoice::Theme("ink".to_owned()))
        );
    }

    #[test]
    fn submenu_is_beside_its_row_and_ends_with_the_menu() {
        let content = content();
        for (row, kind) in rows().enumerate() {
            let MenuRow::Submenu(submenu) = kind else { continue };
            let entries = MenuEntries {
                row: Some(row),
                ..MenuEntries::default()
            };
            let top = entries.submenu_top(&content, submenu);
            assert!(
                top >= 0.0 && top + content.height(submenu) <= menu_height() + 0.01,
                "{submenu:?}"
            );
            let is_beside = top <= row as f32 * ENTRY_SIZE.y + SEPARATOR_HEIGHT * 4.0;
            assert!(
                is_beside && top + content.height(submenu) >= row as f32 * ENTRY_SIZE.y,
                "{submenu:?}"
            );
        }
    }

    #[test]
    fn every_entry_fits_in_one_line() {
        let check = |ui: &mut Ui| {
            let font = TextStyle::Button.resolve(ui.style());
            let width = |text: &str| {
                ui.painter()
                    .layout_no_wrap(text.to_owned(), font.clone(), Color32::WHITE)
                    .size()
                    .x
            };
            for command in Command::all_in(CommandContext::Bar) {
                for lang in [Lang::Ja, Lang::En] {
                    let text = menu_text(command, lang);
                    let needs = width(text)
                        + width(&key_text(ui.ctx(), command))
                        + 4.0 * ui.spacing().button_padding.x
                        + COLUMN_GAP;
                    assert!(needs <= ENTRY_SIZE.x, "{text}: {needs}");
                }
            }
        };
        Harness::builder()
            .with_context_setup(|ctx| ctx.set_fonts(fonts::definitions()))
            .build_ui(check)
            .step();
    }

    #[test]
    fn long_lists_are_shown_around_the_current_one() {
        let themes: Vec<usize> = (0..40).collect();
        for (current, first) in [(0, 0), (30, 16), (25, 13)] {
            let listed = items_around(&themes, |theme| *theme == current);
            assert_eq!(listed, &themes[first..first + MAX_LISTED_ITEMS]);
        }
        assert_eq!(items_around(&themes[..3], |theme| *theme == 2), [0, 1, 2]);
    }
}
