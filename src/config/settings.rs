//! What the user has set, but for the engines: one file, each setting of which is lost alone.

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
use super::theme::{Rgba, Theme};
use super::warning::{SettingWarning, TableReader};
use toml::{Table, Value};

choice! {
    /// The language of the screen.
    Language {
        /// What the system is set to.
        System = "system",
        /// Japanese.
        Ja = "ja",
        /// English.
        En = "en",
    }
}

choice! {
    /// What is written on the pieces of a board.
    Pieces {
        /// 飛, 全
        One = "one",
        /// 飛車, 成銀
        Two = "two",
    }
}

choice! {
    /// An arrangement of the overlay.
    Layout {
        /// Names and bar above, candidates with their lines below.
        Full = "full",
        /// All in one line.
        Bar = "bar",
        /// Candidates with their lines, below a thin bar.
        Candidates = "candidates",
        /// The bar upright, Black below.
        Vertical = "vertical",
        /// The bar and two small lines, for a corner.
        Compact = "compact",
    }
}

choice! {
    /// What the overlay stands on.
    Ground {
        /// What the theme has, through which the video may shine.
        Transparent = "transparent",
        /// The theme's, with nothing shining through.
        Opaque = "opaque",
        /// One colour that a streaming program takes out.
        Chroma = "chroma",
    }
}

/// Names each setting once: in the struct, with its usual value, and as the key of a file.
macro_rules! group {
    ($(#[$doc:meta])+ $name:ident { $($(#[$field_doc:meta])+ $field:ident: $kind:ty = $usual:expr,)+ }) => {
        $(#[$doc])+
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct $name {
            $($(#[$field_doc])+ pub $field: $kind,)+
        }

        impl Default for $name {
            fn default() -> Self {
                Self { $($field: $usual,)+ }
            }
        }

        impl $name {
            fn read(reader: &mut TableReader<'_>) -> Self {
                let usual = Self::default();
                Self { $($field: field::read(reader, stringify!($field)).unwrap_or(usual.$field),)+ }
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
    /// Settings of the program as a whole.
    General {
        /// The language of the screen.
        language: Language = Language::System,
        /// A font of the system to be used in place of the one that comes with the program.
        font: Option<String> = None,
        /// What is written on the pieces of the board.
        pieces: Pieces = Pieces::One,
        /// Whether it is asked once a week, over the network, if there is a newer version.
        updates: bool = false,
        /// Whether it is recorded what engines are told and say.
        log: bool = false,
    }
}

group! {
    /// What the overlay looks like.
    Overlay {
        /// How it is arranged.
        layout: Layout = Layout::Full,
        /// The name of its colours: those of the user, or those that come with the program.
        theme: String = Theme::<Rgba>::USUAL.to_owned(),
        /// Whether Black is on the right, or at the top of an upright bar.
        swapped: bool = false,
        /// Whether numbers glide to their new value.
        motion: bool = true,
    }
}

group! {
    /// The overlay's window.
    Window {
        /// What it stands on.
        ground: Ground = Ground::Transparent,
        /// The colour that a streaming program takes out.
        key_color: Rgba = Rgba([0, 0xFF, 0, 0xFF]),
        /// Whether it stays above all others.
        always_on_top: bool = true,
        /// Whether clicks go through it to what lies below.
        click_through: bool = false,
    }
}

group! {
    /// Keys that work wherever the user is, as `Ctrl+Alt+H`; an empty one is none.
    Keys {
        /// Hides the evaluation, and shows it again.
        hide: String = "Ctrl+Alt+H".to_owned(),
        /// Lets clicks go through the overlay, and no longer.
        click_through: String = "Ctrl+Alt+T".to_owned(),
    }
}

/// What the user has set.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Settings {
    /// Of the program as a whole.
    pub general: General,
    /// What the overlay looks like.
    pub overlay: Overlay,
    /// What it shows.
    pub parts: OverlayParts,
    /// Its window.
    pub window: Window,
    /// Keys that work everywhere.
    pub keys: Keys,
    /// Where it stood, screen by screen.
    pub places: ScreenPositions,
    /// How large it was made, arrangement by arrangement.
    pub sizes: OverlaySizes,
    /// Keys of the page on which a game is studied.
    pub study_keys: StudyKeys,
    /// What this version does not know, kept for the one that does.
    unknown: Table,
}

impl Settings {
    /// Reads the file. What is broken in it falls to its default alone, and is said.
    ///
    /// # Errors
    /// When it is no TOML.
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
        Ok((Self { general, overlay, parts, window, keys, places, sizes, study_keys, unknown }, findings))
    }

    /// Changes here what was changed from `before` to `after`, setting by setting, and nothing else: another
    /// program may have changed others meanwhile.
    pub fn carry_over(&mut self, before: &Self, after: &Self) {
        self.general.carry_over(&before.general, &after.general);
        self.overlay.carry_over(&before.overlay, &after.overlay);
        self.parts.carry_over(&before.parts, &after.parts);
        self.window.carry_over(&before.window, &after.window);
        self.keys.carry_over(&before.keys, &after.keys);
        self.places.carry_over(&before.places, &after.places);
        self.sizes.carry_over(&before.sizes, &after.sizes);
        self.study_keys.carry_over(&before.study_keys, &after.study_keys);
    }

    /// The file: [`read`](Self::read) gives the same settings again.
    ///
    /// # Errors
    /// None is known: these are tables of texts and numbers, which TOML can hold.
    pub fn write(&self) -> Result<String, toml::ser::Error> {
        toml::to_string(&self.table())
    }

    /// The user's file with these settings in it: what is as it was there stays as it is written. The whole file
    /// where that is none.
    ///
    /// # Errors
    /// None is known, as of [`write`](Self::write).
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
        self.places.write(&mut file);
        file
    }
}

/// The groups of a file, and what in them is not known.
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

/// Writes a group into a file, beside what is not known of it.
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
