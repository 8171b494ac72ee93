//! The look of the windows, from `config/themes/*.toml` and from files of the user.

use super::profiles::NotToml;
use super::settings::Ground;
use super::warning::{Expected, SettingProblem, SettingWarning, TableReader};
use std::fmt;
use toml::{Table, Value};

/// A colour with its opacity: red, green, blue, alpha.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rgba(pub [u8; 4]);

/// How round corners can be, in points.
const ROUNDEST: u8 = 40;

/// The themes that come with the program, by their names; the first is the base of all others.
const SHIPPED: [(&str, &str); 5] = [
    ("ink", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/config/themes/ink.toml"))),
    ("paper", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/config/themes/paper.toml"))),
    ("broadcast", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/config/themes/broadcast.toml"))),
    ("contrast", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/config/themes/contrast.toml"))),
    ("chroma", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/config/themes/chroma.toml"))),
];

/// Names each colour once: in the struct, for whoever changes all of them, and as the key of a file.
macro_rules! theme {
    ($($(#[$doc:meta])+ $color:ident,)+) => {
        /// The look of the windows, with its colours as files have them, or as a painter wants them. A file
        /// has a key for each field.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub struct Theme<C = Rgba> {
            /// How round the corners of the ground are, in points from 0 to 40.
            pub panel_corner: u8,
            /// How round the ends of the bar are, in points from 0 to 40.
            pub bar_corner: u8,
            $($(#[$doc])+ pub $color: C,)+
        }

        impl<C> Theme<C> {
            /// The same look with each colour changed, or made into another kind of colour. `change` is told
            /// the key of each.
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
    /// The ground everything stands on.
    panel,
    /// The ground of a list beside it.
    rail,
    /// The thin line between the bar and the candidates.
    separator,
    /// What is to be read first.
    text,
    /// What is there to be looked up.
    quiet,
    /// An edge around letters and pieces, for a ground that they do not stand out from by themselves.
    text_edge,
    /// Black's share of the bar.
    black,
    /// The outline of Black's share.
    black_edge,
    /// Text upon Black's share.
    on_black,
    /// White's share of the bar.
    white,
    /// The outline of White's share.
    white_edge,
    /// Text upon White's share.
    on_white,
    /// The centre line and the ticks.
    tick,
    /// Vermilion, for what lives: the seam, the best move, the side to move, a failure.
    accent,
    /// A candidate that loses a few points against the best.
    loss,
    /// A candidate that throws the game away.
    blunder,
    /// Values of the position before, while the new one has none yet.
    stale,
    /// Black's share of such a bar.
    stale_black,
    /// White's share of such a bar.
    stale_white,
    /// A bar that is nobody's: of a draw, or before anything was said.
    empty,
    /// The ground of a page.
    window,
    /// The cards that lie on it.
    card,
    /// The wood of a board.
    board,
    /// The lines on it.
    board_line,
    /// The wood of a piece.
    piece,
    /// The edge of a piece.
    piece_edge,
    /// What is written on a piece, and beside the board.
    piece_ink,
    /// What is written on a promoted one.
    promoted,
    /// The squares of the last move, over the board.
    last_move,
    /// The arrow of the best move, over the pieces; what is held.
    arrow,
    /// The arrows of the next best.
    arrow_next,
    /// A doubtful move.
    doubtful,
}

impl Theme {
    /// The name of the theme that is used when nothing is said.
    pub const USUAL: &str = "ink";

    /// The names of the themes that come with the program.
    pub fn names() -> impl Iterator<Item = &'static str> {
        SHIPPED.into_iter().map(|(name, _)| name)
    }

    /// The theme of this name that comes with the program.
    pub fn shipped(name: &str) -> Option<Self> {
        let (_, text) = SHIPPED.into_iter().find(|(known, _)| *known == name)?;
        // A test reads the files; should one ever be broken, its base is better than nothing.
        let table = toml::from_str(text).unwrap_or_default();
        let base = if name == Self::USUAL { Some(Self::default()) } else { Self::shipped(Self::USUAL) };
        Some(base?.with(table, |_| None).0)
    }

    /// Reads the file of a theme. What is broken in it is said, and is as in its base, as is what it does not
    /// name.
    ///
    /// # Errors
    /// When it is no TOML.
    pub fn read(text: &str) -> Result<(Self, Vec<SettingWarning>), NotToml> {
        let table: Table = toml::from_str(text).map_err(|error| NotToml::new(&error))?;
        Ok(Self::shipped(Self::USUAL).unwrap_or_default().with(table, Self::shipped))
    }

    /// The file of this theme: [`read`](Self::read) gives the same again, whatever becomes of any base.
    pub fn write(&self) -> String {
        let mut text = format!("panel_corner = {}\nbar_corner = {}\n", self.panel_corner, self.bar_corner);
        self.map(|key, color| text.extend([key, " = \"", &color.to_string(), "\"\n"]));
        text
    }

    /// This look upon a ground: its own; with nothing shining through; or with `key` in its place, and then
    /// nothing else is translucent either, and letters have an edge.
    #[must_use]
    pub fn on(self, ground: Ground, key: Rgba) -> Self {
        let panel = self.panel.opaque();
        match ground {
            Ground::Transparent => self,
            Ground::Opaque => Self { panel, panel_corner: 0, ..self },
            Ground::Chroma => {
                let flat = self.map(|_, color| if color.is_invisible() { color } else { color.upon(panel) });
                let keyed = Self { panel: key.opaque(), panel_corner: 0, bar_corner: 0, ..flat };
                if !flat.text_edge.is_invisible() {
                    return keyed;
                }
                // Made for another ground: upon a pure colour grey and red are hard to read.
                let (quiet, accent) = (flat.quiet.towards(flat.text, 0xBF), flat.accent.towards(flat.text, 0x50));
                let (loss, blunder) = (flat.loss.towards(flat.text, 0x50), flat.blunder.towards(flat.text, 0x50));
                Self { text_edge: panel, quiet, accent, loss, blunder, ..keyed }
            }
        }
    }

    /// This look with what a file changes, or the one that the file names with that.
    fn with(self, table: Table, find: impl FnOnce(&str) -> Option<Self>) -> (Self, Vec<SettingWarning>) {
        let (mut base, mut findings) = (self, Vec::new());
        let mut reader = TableReader::new(String::new(), table, &mut findings);
        if let Some(name) = reader.text("base") {
            match find(&name) {
                Some(found) => base = found,
                None => reader.find("base", SettingProblem::NoSuchTheme(name)),
            }
        }
        let mut corner = |key, usual| reader.take(key, Expected::Whole(0, ROUNDEST.into()), corner).unwrap_or(usual);
        base.panel_corner = corner("panel_corner", base.panel_corner);
        base.bar_corner = corner("bar_corner", base.bar_corner);
        let theme = base.map(|key, usual| reader.take(key, Expected::Color, Rgba::from_toml).unwrap_or(usual));
        reader.find_rest();
        (theme, findings)
    }
}

fn corner(value: &Value) -> Option<u8> {
    u8::try_from(value.as_integer()?).ok().filter(|points| *points <= ROUNDEST)
}

impl Rgba {
    /// The colour in a file.
    pub(super) fn from_toml(value: &Value) -> Option<Self> {
        Self::parse(value.as_str()?)
    }

    /// Reads `#RRGGBB`, which is opaque, or `#RRGGBBAA`.
    pub fn parse(text: &str) -> Option<Self> {
        let digits = text.trim().strip_prefix('#')?;
        let has_sign = digits.starts_with('+');
        let number = u32::from_str_radix(digits, 16).ok().filter(|_| !has_sign)?;
        match digits.len() {
            6 => Some(Self((number << 8 | 0xFF).to_be_bytes())),
            8 => Some(Self(number.to_be_bytes())),
            _ => None,
        }
    }

    /// Whether nothing shines through it.
    pub const fn is_opaque(self) -> bool {
        let Self([.., alpha]) = self;
        alpha == 0xFF
    }

    const fn is_invisible(self) -> bool {
        let Self([.., alpha]) = self;
        alpha == 0
    }

    /// The same colour with nothing shining through.
    const fn opaque(self) -> Self {
        let Self([red, green, blue, _]) = self;
        Self([red, green, blue, 0xFF])
    }

    /// The colour so much of the way to another, in 255ths.
    fn towards(self, other: Self, way: u8) -> Self {
        let Self([red, green, blue, _]) = other;
        Self([red, green, blue, way]).upon(self)
    }

    /// The colour as it looks upon an opaque ground.
    fn upon(self, ground: Self) -> Self {
        let (Self([red, green, blue, alpha]), Self([ground_red, ground_green, ground_blue, _])) = (self, ground);
        let mix = |over: u8, under: u8| {
            let sum = u32::from(over) * u32::from(alpha) + u32::from(under) * u32::from(0xFF - alpha);
            u8::try_from((sum + 127) / 255).unwrap_or(u8::MAX)
        };
        Self([mix(red, ground_red), mix(green, ground_green), mix(blue, ground_blue), 0xFF])
    }
}

impl fmt::Display for Rgba {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self([red, green, blue, alpha]) = self;
        write!(f, "#{red:02X}{green:02X}{blue:02X}")?;
        if self.is_opaque() { Ok(()) } else { write!(f, "{alpha:02X}") }
    }
}

#[cfg(test)]
mod tests;
