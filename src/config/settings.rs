//! The settings: one file, in which an invalid entry affects only itself.

mod field;
mod further_bars;
mod overlay_parts;
mod own_games;
mod screen_position;
mod second_names;
mod sizes;
mod study_keys;

pub use further_bars::FurtherBars;
pub use overlay_parts::{OverlayPart, OverlayParts, OverlayPreset};
pub use own_games::{OwnGameRule, OwnGameRules};
pub use screen_position::{ScreenPosition, ScreenPositions};
pub use second_names::SecondNames;
pub use sizes::{OverlaySizes, WindowSize};
pub use study_keys::StudyKeys;

use self::field::Setting;
use super::choice::choice;
use super::command::{Command, CommandContext};
use super::profiles::NotTomlError;
use super::rewrite::rewrite;
use super::table_reader::TableReader;
use super::theme::{Background, BoardColors, Rgba, Theme};
use super::warning::SettingWarning;
use shogibar_base::Lang;
use std::time::Duration;
use toml::Table;

choice! {
    /// The language of the screen.
    Language {
        /// The language of the system.
        System = "system",
        /// Japanese.
        Ja = "ja",
        /// English.
        En = "en",
    }
}

impl Language {
    /// Returns the language of the screen on a system of the language `system`.
    pub const fn on_system(self, system: Lang) -> Lang {
        match self {
            Self::System => system,
            Self::Ja => Lang::Ja,
            Self::En => Lang::En,
        }
    }
}

choice! {
    /// The characters on the pieces of a board.
    PieceCharacters {
        /// One character: 飛, 全.
        One = "one",
        /// Two characters: 飛車, 成銀.
        Two = "two",
    }
}

choice! {
    /// For how long a video of a game shows each position.
    VideoPace {
        /// One second.
        One = "1s",
        /// Two seconds.
        Two = "2s",
        /// Three seconds.
        Three = "3s",
        /// In proportion to the times of the players.
        Times = "times",
    }
}

impl VideoPace {
    /// Returns the seconds for each move; `None` for the players' times.
    pub const fn seconds(self) -> Option<u64> {
        match self {
            Self::One => Some(1),
            Self::Two => Some(2),
            Self::Three => Some(3),
            Self::Times => None,
        }
    }
}

choice! {
    /// The colours of the main window's pages.
    WindowColors {
        /// The system's choice: day or night.
        System = "system",
        /// Light.
        Day = "day",
        /// Dark.
        Night = "night",
    }
}

choice! {
    /// The longest search of a position by an engine whose own limit is automatic.
    PositionLimit {
        /// No limit: a search continues until the position changes.
        Off = "off",
        /// Half a minute.
        HalfMinute = "30s",
        /// A minute.
        Minute = "1m",
        /// Three minutes.
        ThreeMinutes = "3m",
        /// Ten minutes.
        TenMinutes = "10m",
    }
}

impl PositionLimit {
    /// Returns the longest time of a search; `None` for no limit.
    pub const fn time(self) -> Option<Duration> {
        match self {
            Self::Off => None,
            Self::HalfMinute => Some(Duration::from_secs(30)),
            Self::Minute => Some(Duration::from_mins(1)),
            Self::ThreeMinutes => Some(Duration::from_mins(3)),
            Self::TenMinutes => Some(Duration::from_mins(10)),
        }
    }
}

choice! {
    /// The typeface of the digits of win rates.
    DigitFont {
        /// The font of all other text.
        Plain = "plain",
        /// A typeface with serifs.
        Serif = "serif",
    }
}

choice! {
    /// A layout of the overlay.
    Layout {
        /// Names and bar above, candidates with their pvs below.
        Full = "full",
        /// All in one line.
        Bar = "bar",
        /// Candidates with their pvs, below a thin bar.
        Candidates = "candidates",
        /// A vertical bar, Black at the bottom.
        Vertical = "vertical",
        /// The bar and two small lines, for a corner of the screen.
        Compact = "compact",
    }
}

/// A whole percentage from `MIN` to `MAX`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Percent<const MIN: u8, const MAX: u8>(pub u8);

impl<const MIN: u8, const MAX: u8> Percent<MIN, MAX> {
    /// The allowed percentages.
    pub const RANGE: std::ops::RangeInclusive<u8> = MIN..=MAX;

    /// Returns the percentage as a fraction.
    pub fn fraction(self) -> f32 {
        f32::from(self.0) / 100.0
    }
}

/// The text size of the overlay, in percent of the default.
pub type TextSize = Percent<70, 150>;
/// The opacity of the overlay's panel, in percent of the opacity in the theme.
pub type PanelOpacity = Percent<20, 100>;
/// The zoom of the pages of the main window, in percent.
pub type WindowZoom = Percent<80, 200>;

/// Defines a group of settings. An entry defines the field, its default, and the key in the file. The key is the name
/// of the field, unless one is given. A group with an empty key has no table in the file.
macro_rules! group {
    ($(#[$meta:meta])+ $name:ident {
        $($(#[$doc:meta])+ $vis:vis $field:ident: $kind:ty $(as $key:literal)? = $default:expr,)+
    }) => {
        $(#[$meta])+
        pub struct $name {
            $($(#[$doc])+ $vis $field: $kind,)+
        }

        impl Default for $name {
            fn default() -> Self {
                Self { $($field: $default,)+ }
            }
        }

        impl Setting for $name {
            fn read_at(reader: &mut TableReader<'_>, key: &str) -> Option<Self> {
                let default = Self::default();
                Some(reader.read_group(key, |group| Self {
                    $($field: Setting::read_at(group, key!($field $($key)?)).unwrap_or(default.$field),)+
                }))
            }

            fn write_at(&self, table: &mut Table, key: &str) {
                field::write_group(table, key, |group| {
                    $(self.$field.write_at(group, key!($field $($key)?));)+
                });
            }

            fn apply_changes(&mut self, before: &Self, after: &Self) {
                $(self.$field.apply_changes(&before.$field, &after.$field);)+
            }
        }
    };
}

/// The key of a field in the file.
macro_rules! key {
    ($field:ident) => {
        stringify!($field)
    };
    ($field:ident $key:literal) => {
        $key
    };
}

group! {
    /// The general settings.
    #[derive(Clone, Debug, PartialEq, Eq)]
    GeneralSettings {
        /// The language of the screen.
        pub language: Language = Language::System,
        /// A system font that replaces the built-in one; `None` for the built-in one.
        pub font: Option<String> = None,
        /// The characters on the pieces of the board.
        pub pieces: PieceCharacters = PieceCharacters::One,
        /// For how long a video of a game shows each position.
        pub video_pace: VideoPace = VideoPace::Two,
        /// The colours of the main window's pages.
        pub window_colors: WindowColors as "pages" = WindowColors::System,
        /// The colours of the board.
        pub board_colors: BoardColors as "board" = BoardColors::Wood,
        /// Whether the candidates are drawn on the board.
        pub shows_arrows: bool as "arrows" = true,
        /// Whether a record or position copied in any program becomes a game.
        pub watches_clipboard: bool as "watch_clipboard" = false,
        /// Whether live games that no bar shows are also searched, in turn with the others.
        pub shares_engines: bool as "share_engines" = false,
        /// The longest search of a position by an engine whose own limit is automatic.
        pub position_limit: PositionLimit = PositionLimit::Off,
        /// Whether the graph of a game that is followed from a later move on is filled in the background.
        pub fills_graph: bool as "fill_graph" = true,
        /// Whether the notice was shown that the program is not for the players of a running game.
        pub has_shown_fairness_notice: bool as "fairness" = false,
        /// Whether the program checks for a newer version once a week, over the network.
        pub checks_updates: bool as "updates" = false,
        /// Whether the USI traffic of the engines is logged in a file.
        pub logs_usi: bool as "log" = false,
        /// Whether evaluations of finished games are kept on this computer, for fits of the win-rate scale.
        pub keeps_results: bool as "keep_results" = true,
    }
}

group! {
    /// The appearance of the overlay.
    #[derive(Clone, Debug, PartialEq, Eq)]
    OverlaySettings {
        /// The layout.
        pub layout: Layout = Layout::Full,
        /// The name of the theme: a user theme or a built-in one.
        pub theme: String = Theme::<Rgba>::DEFAULT.to_owned(),
        /// Black's colour; `None` for the colour of the theme.
        pub black: Option<Rgba> = None,
        /// White's colour; `None` for the colour of the theme.
        pub white: Option<Rgba> = None,
        /// Whether Black is on the right, or at the top of a vertical bar.
        pub is_swapped: bool as "swapped" = false,
        /// Whether the bar and its numbers move to their new values, in place of a jump.
        pub has_motion: bool as "motion" = true,
        /// A system font for the overlay; `None` for the font of the program.
        pub font: Option<String> = None,
        /// The typeface of the digits of win rates.
        pub digits: DigitFont = DigitFont::Plain,
        /// The text size, in percent of the default.
        pub text_size: TextSize as "letters" = Percent(100),
        /// The opacity of the panel, in percent of the opacity in the theme.
        pub opacity: PanelOpacity as "panel" = Percent(100),
        /// Whether the engines pause while the evaluation is hidden.
        pub pauses_hidden: bool as "pause_hidden" = false,
    }
}

group! {
    /// The overlay's window.
    #[derive(Clone, Debug, PartialEq, Eq)]
    OverlayWindowSettings {
        /// The background.
        pub background: Background as "ground" = Background::Transparent,
        /// The chroma key colour.
        pub key_color: Rgba = Rgba([0, 0xFF, 0, 0xFF]),
        /// Whether the window stays above all others.
        pub always_on_top: bool = true,
        /// Whether clicks go through the window to the program below.
        pub click_through: bool = false,
    }
}

group! {
    /// The arrangement of the main window and its study page.
    #[derive(Clone, Debug, PartialEq, Eq)]
    MainWindowSettings {
        /// The zoom, in percent. The bars have none.
        pub zoom: WindowZoom = Percent(100),
        /// Whether the study page was open when the program ended.
        pub is_open: bool as "open" = false,
        /// Whether the bars are hidden while the study page is open.
        pub hides_bars: bool as "without_bar" = false,
        /// Whether White is at the bottom of the board.
        pub is_flipped: bool as "flip" = false,
        /// Whether the tree of variations is shown in place of the list of moves.
        pub shows_tree: bool as "tree" = false,
        /// Whether the window is maximised.
        pub is_maximized: bool as "maximized" = false,
        /// The size of the window, in points; `None` for the default.
        pub size: Option<WindowSize> = None,
        /// The positions of the window, by screen.
        pub positions: ScreenPositions as "place" = ScreenPositions::default(),
    }
}

group! {
    /// The global hot keys, written as `Ctrl+Alt+H`. An empty text means no key.
    #[derive(Clone, Debug, PartialEq, Eq)]
    HotKeySettings {
        /// The key that hides and shows the evaluation.
        pub hide: String = default_hot_key(Command::Hide),
        /// The key that switches click-through.
        pub click_through: String = default_hot_key(Command::ClickThrough),
        /// The key that locks the outputs to their game, and unlocks them.
        pub lock: String = default_hot_key(Command::Lock),
        /// The key that switches the outputs to the next game.
        pub switch: String = default_hot_key(Command::Switch),
    }
}

group! {
    /// The relay between a shogi GUI and its engine.
    #[derive(Clone, Debug, PartialEq, Eq)]
    RelaySettings {
        /// The engine of a relay that is started without an engine's name: the name of a profile, or a program. `None`
        /// if the user has chosen none.
        pub engine: Option<String> = None,
        /// Whether a relay starts the program if it is not running.
        pub starts_window: bool as "start_window" = false,
        /// Whether two engines that play each other share one bar.
        pub shares_bar: bool as "share_bar" = false,
    }
}

/// The TCP port of the OBS pages, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ObsPort(pub u16);

group! {
    /// The OBS pages: web pages for OBS and for a second screen.
    #[derive(Clone, Debug, PartialEq, Eq)]
    ObsSettings {
        /// Whether the program serves the OBS pages.
        pub is_on: bool as "on" = false,
        /// The port, from 1.
        pub port: ObsPort = ObsPort(5963),
        /// The token in the address of the OBS pages; empty until it is created. It does not change, so that an
        /// address saved in OBS stays valid.
        pub token: String = String::new(),
        /// Whether other machines in the network are served.
        pub serves_network: bool as "lan" = false,
        /// Whether other programs of this machine may run commands of this program, by an address.
        pub allows_control: bool as "control" = false,
        /// The token in the control address; empty until it is created.
        pub control_token: String = String::new(),
    }
}

group! {
    /// The shelf: the index of the positions in the user's records.
    #[derive(Clone, Debug, PartialEq, Eq)]
    ShelfSettings {
        /// The record folders. Without one there is no index.
        pub folders: Vec<String> = Vec::new(),
    }
}

/// Returns the default global hot key of a command; an empty text if there is none.
fn default_hot_key(command: Command) -> String {
    command
        .default_keys(CommandContext::Everywhere)
        .first()
        .copied()
        .unwrap_or_default()
        .to_owned()
}

group! {
    /// The settings of the user.
    #[derive(Clone, Debug, PartialEq)]
    Settings {
        /// Entries that this version does not know. They are kept for a version that does.
        unknown_entries: Table = Table::new(),
        /// The general settings.
        pub general: GeneralSettings as "" = GeneralSettings::default(),
        /// The appearance of the overlay.
        pub overlay: OverlaySettings = OverlaySettings::default(),
        /// The parts of the overlay that are shown.
        pub parts: OverlayParts = OverlayParts::default(),
        /// The overlay's window.
        pub window: OverlayWindowSettings = OverlayWindowSettings::default(),
        /// The relay.
        pub relay: RelaySettings = RelaySettings::default(),
        /// The OBS pages.
        pub obs: ObsSettings = ObsSettings::default(),
        /// The second names of players, which the OBS pages may show.
        pub second_names: SecondNames = SecondNames::default(),
        /// Whether the games of a source are the user's own.
        pub own_games: OwnGameRules = OwnGameRules::default(),
        /// The shelf.
        pub shelf: ShelfSettings = ShelfSettings::default(),
        /// The global hot keys.
        pub keys: HotKeySettings = HotKeySettings::default(),
        /// The sizes of the overlay, by layout and number of engines.
        pub sizes: OverlaySizes = OverlaySizes::default(),
        /// The keys of the study page.
        pub study_keys: StudyKeys as "study" = StudyKeys::default(),
        /// The positions of the overlay, by screen.
        pub positions: ScreenPositions as "place" = ScreenPositions::default(),
        /// The arrangement of the main window.
        pub main_window: MainWindowSettings = MainWindowSettings::default(),
        /// The layouts and positions of the bars beside the first.
        pub bars: FurtherBars = FurtherBars::default(),
    }
}

impl Settings {
    /// Returns the layout of a bar by its number, from 0.
    pub fn layout_of(&self, bar: usize) -> Layout {
        self.bars.layout(bar).unwrap_or(self.overlay.layout)
    }

    /// Sets the layout of a bar by its number, from 0.
    pub fn set_layout_of(&mut self, bar: usize, layout: Layout) {
        if bar == 0 {
            self.overlay.layout = layout;
        } else {
            self.bars.set_layout(bar, layout);
        }
    }

    /// Removes the settings of a closed bar, by its number, from 0. The numbers of later bars become smaller by one:
    /// the second bar becomes the first.
    pub fn close_bar(&mut self, bar: usize) {
        if bar == 0 {
            self.overlay.layout = self.layout_of(1);
            if let Some(position) = self.bars.positions(1).last() {
                self.positions.store(position.clone());
            }
        }
        self.bars.close(bar.max(1));
    }

    /// Reads the settings file. Invalid entries are reported and get their defaults.
    ///
    /// # Errors
    /// Fails if the text is not TOML.
    pub fn read(text: &str) -> Result<(Self, Vec<SettingWarning>), NotTomlError> {
        let table: Table = toml::from_str(text).map_err(|error| NotTomlError::new(&error))?;
        let mut warnings = Vec::new();
        let mut reader = TableReader::new(String::new(), table, &mut warnings);
        let mut settings = Self::read_at(&mut reader, "").unwrap_or_default();
        settings.unknown_entries = reader.into_rest();
        Ok((settings, warnings))
    }

    /// Applies the changes from `before` to `after`, setting by setting. All other settings stay, because another
    /// program may have changed them.
    pub fn apply_changes(&mut self, before: &Self, after: &Self) {
        Setting::apply_changes(self, before, after);
    }

    /// Returns the text of the file. [`read`](Self::read) returns the same settings from it.
    ///
    /// # Errors
    /// No error is expected: TOML can hold these tables of texts and numbers.
    pub fn write(&self) -> Result<String, toml::ser::Error> {
        toml::to_string(&self.to_table())
    }

    /// Returns the text of the user's file with these settings in it. Unchanged entries keep their form. If the text is
    /// not TOML, the result is a new file.
    ///
    /// # Errors
    /// No error is expected, as in [`write`](Self::write).
    pub fn write_into(&self, text: &str) -> Result<String, toml::ser::Error> {
        let before = Self::read(text).ok();
        let rewritten = before.and_then(|(before, _)| {
            rewrite(
                text,
                &before.to_table(),
                &self.to_table(),
                screen_position::SCREEN_KEY,
            )
        });
        let whole = self.write()?;
        let is_same =
            |text: &String| Self::read(text).is_ok_and(|(again, _)| again.write().as_ref() == Ok(&whole));
        Ok(rewritten.filter(is_same).unwrap_or(whole))
    }

    fn to_table(&self) -> Table {
        let mut file = Table::new();
        self.write_at(&mut file, "");
        file
    }
}

#[cfg(test)]
mod tests;
