//! The colours and corner radii of the windows, from `config/themes/*.toml` and from files of the user.

mod contrast;

pub use contrast::contrast;

use super::choice::choice;
use super::profiles::NotTomlError;
use super::table_reader::TableReader;
use super::warning::{SettingProblem, SettingValueType, SettingWarning};
use std::collections::BTreeSet;
use std::fmt;
use toml::{Table, Value};

choice! {
    /// The background of the overlay.
    Background {
        /// The theme's background, which may be translucent.
        Transparent = "transparent",
        /// The theme's background, made opaque.
        Opaque = "opaque",
        /// A single colour that streaming programs remove (chroma key).
        Chroma = "chroma",
    }
}

choice! {
    /// The colours of the board and its pieces.
    BoardColors {
        /// The colours of the page's theme.
        Wood = "wood",
        /// Dark wood.
        Dark = "dark",
        /// Light wood.
        Light = "light",
        /// Black on white, as in print.
        Plain = "plain",
    }
}

/// A colour with its opacity: red, green, blue, alpha.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rgba(pub [u8; 4]);

/// The maximum corner radius, in points.
const MAX_CORNER_RADIUS: u8 = 40;

/// The keys that only themes without a tray had, in earlier versions. They are ignored.
const TRAYLESS_THEME_KEYS: [&str; 6] = [
    "black_edge",
    "white_edge",
    "stale",
    "stale_black",
    "stale_white",
    "empty",
];

/// The other keys that earlier versions had. They are ignored.
const RETIRED_KEYS: [&str; 1] = ["arrow_next"];

/// The names and texts of the built-in themes. The first is the base of all others.
const SHIPPED_THEMES: [(&str, &str); 5] = [
    (
        "ink",
        include_str!(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../config/themes/ink.toml"
        )),
    ),
    (
        "paper",
        include_str!(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../config/themes/paper.toml"
        )),
    ),
    (
        "broadcast",
        include_str!(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../config/themes/broadcast.toml"
        )),
    ),
    (
        "contrast",
        include_str!(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../config/themes/contrast.toml"
        )),
    ),
    (
        "chroma",
        include_str!(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../config/themes/chroma.toml"
        )),
    ),
];

/// The text of the theme of the main window's pages by day.
const DAY_THEME: &str = include_str!(concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../config/themes/pages/day.toml"
));
/// The text with the colours of the boards, by the name of the board.
const BOARD_THEMES: &str = include_str!(concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../config/themes/pages/boards.toml"
));
/// The text of the theme of the main window's pages by night.
const NIGHT_THEME: &str = include_str!(concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../config/themes/pages/night.toml"
));

/// Defines the colours of a theme. An entry defines the field and the key in the file.
macro_rules! theme {
    ($($(#[$doc:meta])+ $color:ident,)+) => {
        /// The colours of the windows. `C` is the type of a colour, for files or for a painter. A file has a key for
        /// each field.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub struct Theme<C = Rgba> {
            /// The corner radius of the panel, in points from 0 to 40.
            pub panel_corner: u8,
            /// The corner radius of the shares, in points from 0 to 40.
            pub bar_corner: u8,
            $($(#[$doc])+ pub $color: C,)+
        }

        impl<C> Theme<C> {
            /// Converts each colour, or changes its type. `change` gets the key and the colour.
            pub fn map<D>(self, mut change: impl FnMut(&'static str, C) -> D) -> Theme<D> {
                Theme {
                    panel_corner: self.panel_corner,
                    bar_corner: self.bar_corner,
                    $($color: change(stringify!($color), self.$color),)+
                }
            }
        }
    };
}

theme! {
    /// The background of the overlay.
    panel,
    /// The background of a side list.
    rail,
    /// The thin line between the bar and the candidates.
    separator,
    /// The main text.
    text,
    /// The secondary text.
    quiet,
    /// An outline around text and pieces, for backgrounds with little contrast.
    text_edge,
    /// An outline around the panel.
    panel_edge,
    /// The tray around the shares; also a bar without shares.
    tray,
    /// Text on the tray.
    on_tray,
    /// Black's share of the bar, at its upper or left edge.
    black,
    /// Black's share of the bar, at its lower or right edge.
    black_low,
    /// Stripes over Black's share.
    black_stripes,
    /// Text on Black's share.
    on_black,
    /// White's share of the bar, at its upper or left edge.
    white,
    /// White's share of the bar, at its lower or right edge.
    white_low,
    /// Text on White's share.
    on_white,
    /// The seam between the shares.
    seam,
    /// The best move, and the mark of the side to move.
    best,
    /// The mark with the loss of the last move.
    swing,
    /// Text on the mark with the loss of the last move.
    on_swing,
    /// An outline around the mark with the loss of the last move.
    swing_edge,
    /// The dot of a live game.
    live,
    /// Lines around windows and in graphs.
    tick,
    /// Errors, and the selection on a page.
    accent,
    /// A candidate that loses a few points against the best.
    loss,
    /// A candidate that is a blunder.
    blunder,
    /// The background of a page.
    window,
    /// The cards on a page.
    card,
    /// The wood of a board.
    board,
    /// The lines of the board.
    board_line,
    /// The wood of a piece.
    piece,
    /// The edge of a piece.
    piece_edge,
    /// The characters on a piece and beside the board.
    piece_ink,
    /// The characters on a promoted piece.
    promoted,
    /// The squares of the last move, drawn over the board.
    last_move,
    /// The arrows of the best moves, drawn over the pieces; also the selected piece.
    arrow,
    /// A doubtful move.
    doubtful,
    /// A letter on the mark of a move.
    on_mark,
    /// Text on the colour of the selection.
    on_accent,
    /// Black's name in a graph.
    black_word,
    /// Black's area in a graph.
    black_area,
    /// White's name in a graph.
    white_word,
    /// White's area in a graph.
    white_area,
    /// The curve of an engine that does not judge the game.
    other_curve,
    /// The game's curve while a variation is shown.
    main_line,
}

impl Theme {
    /// The name of the default theme.
    pub const DEFAULT: &str = "ink";

    /// Returns the names of the built-in themes.
    pub fn names() -> impl Iterator<Item = &'static str> {
        SHIPPED_THEMES.into_iter().map(|(name, _)| name)
    }

    /// Returns the built-in theme of this name; `None` if there is none.
    pub fn shipped(name: &str) -> Option<Self> {
        let (_, text) = SHIPPED_THEMES.into_iter().find(|(known, _)| *known == name)?;
        // A test reads the files. If one were broken, its base would be used.
        let table = toml::from_str(text).unwrap_or_default();
        let base = if name == Self::DEFAULT {
            Some(Self::default())
        } else {
            Self::shipped(Self::DEFAULT)
        };
        Some(base?.with_entries(table, |_| None).0)
    }

    /// Returns the theme of the pages of the main window, for the day or the night.
    pub fn of_pages(is_night: bool) -> Self {
        // A test reads the files. Each file names its base.
        let table = toml::from_str(if is_night { NIGHT_THEME } else { DAY_THEME }).unwrap_or_default();
        Self::default().with_entries(table, Self::shipped).0
    }

    /// Returns this theme with other colours for the board and its pieces.
    #[must_use]
    pub fn with_board(self, board: BoardColors) -> Self {
        // A test reads the file. The file has no `wood`, whose colours are those of the theme.
        let mut boards: Table = toml::from_str(BOARD_THEMES).unwrap_or_default();
        match boards.remove(board.name()) {
            Some(Value::Table(board)) => self.with_entries(board, |_| None).0,
            _ => self,
        }
    }

    /// Reads a theme file. Absent and invalid entries get the value of the base; invalid ones are reported.
    ///
    /// # Errors
    /// Fails if the text is not TOML.
    pub fn read(text: &str) -> Result<(Self, Vec<SettingWarning>), NotTomlError> {
        let table: Table = toml::from_str(text).map_err(|error| NotTomlError::new(&error))?;
        Ok(Self::shipped(Self::DEFAULT)
            .unwrap_or_default()
            .with_entries(table, Self::shipped))
    }

    /// Returns the text of a complete theme file. [`read`](Self::read) returns the same theme from it, even after the
    /// base has changed.
    pub fn write(&self) -> String {
        let mut text = format!(
            "panel_corner = {}\nbar_corner = {}\n",
            self.panel_corner, self.bar_corner
        );
        self.map(|key, color| text.extend([key, " = \"", &color.to_string(), "\"\n"]));
        text
    }

    /// Returns this theme with other colours of the two sides; `None` keeps a colour. The tray and the texts on the
    /// shares are adapted, so that they can be seen.
    #[must_use]
    pub fn with_sides(mut self, black: Option<Rgba>, white: Option<Rgba>) -> Self {
        if let Some(color) = black {
            (self.black, self.black_low, self.on_black) = (color, color, color.black_or_white());
        }
        if let Some(color) = white {
            (self.white, self.white_low, self.on_white) = (color, color, color.black_or_white());
        }
        if black.is_some() || white.is_some() {
            let tray = self.tray_for_shares();
            if tray != self.tray {
                (self.tray, self.on_tray) = (tray, tray.black_or_white());
            }
        }
        self
    }

    /// Returns this theme for a background of the overlay. `Opaque` makes the panel opaque. `Chroma` replaces the panel
    /// by the colour `key`, makes all visible colours opaque, and gives text an outline.
    #[must_use]
    pub fn with_background(self, background: Background, key: Rgba) -> Self {
        let panel = self.panel.opaque();
        match background {
            Background::Transparent => self,
            Background::Opaque => Self {
                panel,
                panel_corner: 0,
                ..self
            },
            Background::Chroma => {
                let flat = self.map(|_, color| {
                    if color.is_invisible() {
                        color
                    } else {
                        color.upon(panel)
                    }
                });
                let keyed = Self {
                    panel: key.opaque(),
                    panel_corner: 0,
                    panel_edge: Rgba([0; 4]),
                    ..flat
                };
                if !flat.text_edge.is_invisible() {
                    return keyed;
                }
                // The theme was made for another background: on a pure colour grey and red are hard to read.
                let (quiet, best) = (
                    flat.quiet.towards(flat.text, 0xBF),
                    flat.best.towards(flat.text, 0x50),
                );
                let (loss, blunder) = (
                    flat.loss.towards(flat.text, 0x50),
                    flat.blunder.towards(flat.text, 0x50),
                );
                let text_edge = if contrast(flat.text, panel) >= 7.0 {
                    panel
                } else {
                    flat.text.black_or_white()
                };
                Self {
                    quiet,
                    text_edge,
                    best,
                    loss,
                    blunder,
                    ..keyed
                }
            }
        }
    }

    /// Returns this theme, or the base that the file names, with the values of the file. `find` returns a base by its
    /// name. Invalid entries are returned as warnings.
    fn with_entries(
        self,
        table: Table,
        find: impl FnOnce(&str) -> Option<Self>,
    ) -> (Self, Vec<SettingWarning>) {
        let (mut base, mut warnings) = (self, Vec::new());
        let mut reader = TableReader::new(String::new(), table, &mut warnings);
        if let Some(name) = reader.take_text("base") {
            match find(&name) {
                Some(found) => base = found,
                None => reader.warn("base", SettingProblem::NoSuchTheme(name)),
            }
        }
        let mut corner = |key, default| {
            reader
                .take(
                    key,
                    SettingValueType::Whole(0, MAX_CORNER_RADIUS.into()),
                    read_corner,
                )
                .unwrap_or(default)
        };
        base.panel_corner = corner("panel_corner", base.panel_corner);
        base.bar_corner = corner("bar_corner", base.bar_corner);
        let mut named = BTreeSet::new();
        let mut theme =
            base.map(
                |key, default| match reader.take(key, SettingValueType::Color, Rgba::from_toml) {
                    Some(color) => {
                        named.insert(key);
                        color
                    }
                    None => default,
                },
            );
        let is_old = TRAYLESS_THEME_KEYS.iter().filter(|key| reader.drop(key)).count() > 0;
        for key in RETIRED_KEYS {
            reader.drop(key);
        }
        reader.warn_of_rest();
        theme.derive_absent_colors(&named, is_old);
        if !named.is_empty() {
            warnings.extend(theme.contrast_warnings());
        }
        (theme, warnings)
    }

    /// Derives absent colours from others in the file. `named` has the keys of the file. `is_old` is whether the file
    /// has keys that only earlier themes had: themes without a tray, and with one colour for all marks.
    fn derive_absent_colors(&mut self, named: &BTreeSet<&str>, is_old: bool) {
        let follows = |key: &str, other: &str| named.contains(other) && !named.contains(key);
        let is_trayless = follows("tray", "black") || follows("tray", "white");
        for (key, other, color, from) in [
            ("black_low", "black", &mut self.black_low, self.black),
            ("white_low", "white", &mut self.white_low, self.white),
        ] {
            if follows(key, other) {
                *color = from;
            }
        }
        if is_old || is_trayless {
            for (key, color) in [
                ("seam", &mut self.seam),
                ("best", &mut self.best),
                ("live", &mut self.live),
            ] {
                if follows(key, "accent") {
                    *color = self.accent;
                }
            }
        }
        if is_trayless {
            self.tray = self.tray_for_shares();
        }
        if !named.contains("on_tray") && (is_trayless || named.contains("tray")) {
            self.on_tray = self.tray.black_or_white();
        }
    }
}

/// Reads a corner radius, in points. Returns `None` unless it is a whole number from 0 to 40.
fn read_corner(value: &Value) -> Option<u8> {
    u8::try_from(value.as_integer()?)
        .ok()
        .filter(|points| *points <= MAX_CORNER_RADIUS)
}

impl Rgba {
    /// Reads a colour of a file; `None` if the value is not a text that [`parse`](Self::parse) accepts.
    pub(super) fn from_toml(value: &Value) -> Option<Self> {
        Self::parse(value.as_str()?)
    }

    /// Parses `#RRGGBB`, which is opaque, or `#RRGGBBAA`. Returns `None` for any other text.
    pub fn parse(text: &str) -> Option<Self> {
        let digits = text.trim().strip_prefix('#')?;
        if digits.starts_with('+') {
            return None;
        }
        let number = u32::from_str_radix(digits, 16).ok()?;
        match digits.len() {
            6 => Some(Self((number << 8 | 0xFF).to_be_bytes())),
            8 => Some(Self(number.to_be_bytes())),
            _ => None,
        }
    }

    /// Returns whether the colour is opaque.
    pub const fn is_opaque(self) -> bool {
        let Self([.., alpha]) = self;
        alpha == 0xFF
    }

    /// Returns whether the colour is fully transparent.
    const fn is_invisible(self) -> bool {
        let Self([.., alpha]) = self;
        alpha == 0
    }

    const fn opaque(self) -> Self {
        let Self([red, green, blue, _]) = self;
        Self([red, green, blue, 0xFF])
    }

    /// Returns black or white, whichever is read more easily on this colour.
    fn black_or_white(self) -> Self {
        let [black, white] = [0x00, 0xFF].map(|grey| Self([grey, grey, grey, 0xFF]));
        if contrast(white, self) >= contrast(black, self) {
            white
        } else {
            black
        }
    }

    /// Returns this colour mixed with a fraction of another one, in 255ths. The result is opaque.
    fn towards(self, other: Self, fraction: u8) -> Self {
        let Self([red, green, blue, _]) = other;
        Self([red, green, blue, fraction]).upon(self)
    }

    /// Returns the opaque colour that this colour gives on an opaque background.
    fn upon(self, background: Self) -> Self {
        let (Self([red, green, blue, alpha]), Self([background_red, background_green, background_blue, _])) =
            (self, background);
        let mix = |over: u8, under: u8| {
            let sum = u32::from(over) * u32::from(alpha) + u32::from(under) * u32::from(0xFF - alpha);
            u8::try_from((sum + 127) / 255).unwrap_or(u8::MAX)
        };
        Self([
            mix(red, background_red),
            mix(green, background_green),
            mix(blue, background_blue),
            0xFF,
        ])
    }
}

impl fmt::Display for Rgba {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self([red, green, blue, alpha]) = self;
        write!(f, "#{red:02X}{green:02X}{blue:02X}")?;
        if self.is_opaque() {
            Ok(())
        } else {
            write!(f, "{alpha:02X}")
        }
    }
}

#[cfg(test)]
mod tests;
