//! The settings: one file, in which an invalid entry affects only itself.

mod field;
mod parts;
mod screen_position;
mod sizes;
mod study_keys;

pub use parts::{OverlayPart, OverlayParts};
pub use screen_position::{ScreenPosition, ScreenPositions};
pub use sizes::OverlaySizes;
pub use study_keys::StudyKeys;

use super::choice::choice;
use super::profiles::NotToml;
use super::rewrite::rewrite;
use super::theme::{Ground, Rgba, Theme};
use super::warning::{SettingWarning, TableReader};
use toml::{Table, Value};

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

choice! {
    /// The characters on the pieces of a board.
    Pieces {
        /// One character: 飛, 全.
        One = "one",
        /// Two characters: 飛車, 成銀.
        Two = "two",
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

/// Defines a group of settings. Each is named once: as a field, with its default, and as a key of the file.
macro_rules! group {
    ($(#[$doc:meta])+ $name:ident { $($(#[$field_doc:meta])+ $field:ident: $kind:ty = $default:expr,)+ }) => {
        $(#[$doc])+
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct $name {
            $($(#[$field_doc])+ pub $field: $kind,)+
        }

        impl Default for $name {
            fn default() -> Self {
                Self { $($field: $default,)+ }
            }
        }

        impl $name {
            fn read(reader: &mut TableReader<'_>) -> Self {
                let default = Self::default();
                Self { $($field: field::read(reader, stringify!($field)).unwrap_or(default.$field),)+ }
            }

            fn write(&self, table: &mut Table) {
                $(field::write(table, stringify!($field), &self.$field);)+
            }

            fn carry_over(&mut self, before: &Self, after: &Self) {
                $(if before.$field != after.$field {
                    self.$field.clone_from(&after.$field);
                })+
            }
        }
    };
}

group! {
    /// The general settings.
    General {
        /// The language of the screen.
        language: Language = Language::System,
        /// A system font that replaces the built-in one.
        font: Option<String> = None,
        /// The characters on the pieces of the board.
        pieces: Pieces = Pieces::One,
        /// Whether to check for a newer version once a week, over the network.
        updates: bool = false,
        /// Whether to record the USI traffic of the engines.
        log: bool = false,
    }
}

group! {
    /// The look of the overlay.
    Overlay {
        /// The layout.
        layout: Layout = Layout::Full,
        /// The name of the theme: a theme of the user's or a built-in one.
        theme: String = Theme::<Rgba>::DEFAULT.to_owned(),
        /// Whether Black is on the right, or at the top of a vertical bar.
        swapped: bool = false,
        /// Whether numbers are animated to their new value.
        motion: bool = true,
    }
}

group! {
    /// The overlay's window.
    Window {
        /// The background.
        ground: Ground = Ground::Transparent,
        /// The chroma key colour.
        key_color: Rgba = Rgba([0, 0xFF, 0, 0xFF]),
        /// Whether the window stays above all others.
        always_on_top: bool = true,
        /// Whether clicks go through the window to what is below.
        click_through: bool = false,
    }
}

group! {
    /// The global hot keys, written as `Ctrl+Alt+H`. An empty text means no key.
    Keys {
        /// The key that hides and shows the evaluation.
        hide: String = "Ctrl+Alt+H".to_owned(),
        /// The key that switches click-through.
        click_through: String = "Ctrl+Alt+T".to_owned(),
    }
}

/// The settings of the user.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Settings {
    /// The general settings.
    pub general: General,
    /// The look of the overlay.
    pub overlay: Overlay,
    /// The parts of the overlay that are shown.
    pub parts: OverlayParts,
    /// The overlay's window.
    pub window: Window,
    /// The global hot keys.
    pub keys: Keys,
    /// The positions of the overlay, by screen.
    pub positions: ScreenPositions,
    /// The sizes of the overlay, by layout.
    pub sizes: OverlaySizes,
    /// The keys of the study page.
    pub study_keys: StudyKeys,
    /// Entries that this version does not know. They are kept for a version that does.
    unknown: Table,
}

impl Settings {
    /// Reads the settings file. Invalid entries are reported and get their defaults.
    ///
    /// # Errors
    /// If the text is not TOML.
    pub fn read(text: &str) -> Result<(Self, Vec<SettingWarning>), NotToml> {
        let table: Table = toml::from_str(text).map_err(|error| NotToml::new(&error))?;
        let (mut findings, mut unknown) = (Vec::new(), Table::new());
        let mut root = TableReader::new(String::new(), table, &mut findings);
        let general = General::read(&mut root);
        let mut groups = TableGroups { root: &mut root, unknown: &mut unknown };
        let overlay = groups.read("overlay", Overlay::read);
        let parts = groups.read("parts", OverlayParts::read);
        let window = groups.read("window", Window::read);
        let keys = groups.read("keys", Keys::read);
        let sizes = groups.read("sizes", OverlaySizes::read);
        let study_keys = groups.read("study", StudyKeys::read);
        let places = ScreenPositions::read(&mut root);
        unknown.extend(root.into_rest());
        Ok((Self { general, overlay, parts, window, keys, positions: places, sizes, study_keys, unknown }, findings))
    }

    /// Applies the changes from `before` to `after`, setting by setting. All else stays as it is: another program may
    /// have changed it.
    pub fn carry_over(&mut self, before: &Self, after: &Self) {
        self.general.carry_over(&before.general, &after.general);
        self.overlay.carry_over(&before.overlay, &after.overlay);
        self.parts.carry_over(&before.parts, &after.parts);
        self.window.carry_over(&before.window, &after.window);
        self.keys.carry_over(&before.keys, &after.keys);
        self.positions.carry_over(&before.positions, &after.positions);
        self.sizes.carry_over(&before.sizes, &after.sizes);
        self.study_keys.carry_over(&before.study_keys, &after.study_keys);
    }

    /// Returns the text of the file. [`read`](Self::read) returns the same settings from it.
    ///
    /// # Errors
    /// None is expected: TOML can hold these tables of texts and numbers.
    pub fn write(&self) -> Result<String, toml::ser::Error> {
        toml::to_string(&self.table())
    }

    /// Puts these settings into the text of the user's file. Unchanged entries keep their form. Returns a new file if
    /// the text is not TOML.
    ///
    /// # Errors
    /// None is expected, as in [`write`](Self::write).
    pub fn write_into(&self, text: &str) -> Result<String, toml::ser::Error> {
        let before = Self::read(text).ok();
        let rewritten =
            before.and_then(|(before, _)| rewrite(text, &before.table(), &self.table(), screen_position::ID));
        let whole = self.write()?;
        let is_same = |text: &String| Self::read(text).is_ok_and(|(again, _)| again.write().as_ref() == Ok(&whole));
        Ok(rewritten.filter(is_same).unwrap_or(whole))
    }

    fn table(&self) -> Table {
        let mut file = self.unknown.clone();
        self.general.write(&mut file);
        fill(&mut file, "overlay", |group| self.overlay.write(group));
        fill(&mut file, "parts", |group| self.parts.write(group));
        fill(&mut file, "window", |group| self.window.write(group));
        fill(&mut file, "keys", |group| self.keys.write(group));
        fill(&mut file, "sizes", |group| self.sizes.write(group));
        fill(&mut file, "study", |group| self.study_keys.write(group));
        self.positions.write(&mut file);
        file
    }
}

/// A reader of groups that collects their unknown entries.
struct TableGroups<'r, 'f> {
    root: &'r mut TableReader<'f>,
    unknown: &'r mut Table,
}

impl TableGroups<'_, '_> {
    fn read<T>(&mut self, key: &str, read: impl FnOnce(&mut TableReader<'_>) -> T) -> T {
        let mut group = self.root.group(key);
        let value = read(&mut group);
        let rest = group.into_rest();
        if !rest.is_empty() {
            self.unknown.insert(key.to_owned(), Value::Table(rest));
        }
        value
    }
}

/// Writes a group into a file, and keeps its unknown entries.
fn fill(file: &mut Table, key: &str, write: impl FnOnce(&mut Table)) {
    let mut group = match file.remove(key) {
        Some(Value::Table(group)) => group,
        _ => Table::new(),
    };
    write(&mut group);
    file.insert(key.to_owned(), Value::Table(group));
}

#[cfg(test)]
mod tests;
