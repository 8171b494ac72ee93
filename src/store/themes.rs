//! The themes there are, and files of themes that are made, taken in and given away.

use super::{ConfigUnreadable, ConfigUnwritable, MOST, Store, THEMES, ThemeReading};
use crate::config::Theme;
use crate::files;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// A theme there is, and what was wrong with it.
#[derive(Clone, Debug, PartialEq)]
pub struct ThemeEntry {
    /// What it is called.
    pub name: String,
    /// What it looks like.
    pub reading: ThemeReading,
    /// The user's file; `None` for one that comes with the program.
    pub file: Option<PathBuf>,
}

/// Why a file was not taken in as a theme.
#[derive(Debug, Error)]
pub enum ImportError {
    /// It is no TOML: why.
    #[error("{0}")]
    NoTheme(String),
    /// It cannot be read.
    #[error(transparent)]
    Unreadable(#[from] ConfigUnreadable),
    /// It cannot be written.
    #[error(transparent)]
    Unwritable(#[from] ConfigUnwritable),
}

impl ThemeEntry {
    /// The theme of this name: the user's, or else one that comes with the program; `None` where there is none.
    ///
    /// # Errors
    /// When there is a file of the user's that cannot be read.
    pub fn find(store: Option<&Store>, name: &str) -> Result<Option<Self>, ConfigUnreadable> {
        let own = store.map(|store| store.theme(name)).transpose()?.flatten();
        let own = own.map(|reading| Self {
            name: name.to_owned(),
            reading,
            file: store.and_then(|store| store.theme_file(name)),
        });
        Ok(own.or_else(|| Self::shipped().into_iter().find(|entry| entry.name == name)))
    }

    /// Those that come with the program.
    pub fn shipped() -> Vec<Self> {
        let themes = Theme::names().filter_map(|name| Some((name, Theme::shipped(name)?)));
        let entry = |(name, theme): (&str, Theme)| Self {
            name: name.to_owned(),
            reading: ThemeReading { theme, findings: Vec::new(), not_toml: None },
            file: None,
        };
        themes.map(entry).collect()
    }
}

impl Store {
    /// All themes: those that come with the program, then the user's. One of the user's may stand for one of
    /// the others; a file that cannot be read is as one that is no theme.
    pub fn all_themes(&self) -> Vec<ThemeEntry> {
        let mut entries = ThemeEntry::shipped();
        for name in self.themes() {
            let reading = match self.theme(&name) {
                Ok(Some(reading)) => reading,
                Ok(None) => continue,
                Err(error) => ThemeReading::none(error.to_string()),
            };
            let entry = ThemeEntry { file: self.theme_file(&name), name, reading };
            match entries.iter_mut().find(|known| known.name == entry.name) {
                Some(known) => *known = entry,
                None => entries.push(entry),
            }
        }
        entries
    }

    /// Writes a theme into the user's folder, under this name or this name with a number, and says which, and
    /// where it is.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn add_theme(&self, name: &str, theme: &Theme) -> Result<(String, PathBuf), ConfigUnwritable> {
        self.put_theme(name, theme.write().as_bytes())
    }

    /// Takes a file of a theme into the user's folder, as it stands, likewise. What is wrong with it can be read
    /// there.
    ///
    /// # Errors
    /// When it is no TOML, or cannot be read or written.
    pub fn import_theme(&self, path: &Path) -> Result<(String, PathBuf), ImportError> {
        let bytes = files::read(path, MOST).map_err(ConfigUnreadable)?;
        if let Some(why) = ThemeReading::new(&bytes).not_toml {
            return Err(ImportError::NoTheme(why));
        }
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        Ok(self.put_theme(&name, &bytes)?)
    }

    /// The folder of the user's themes.
    pub fn themes_folder(&self) -> PathBuf {
        self.folder.join(THEMES)
    }

    fn put_theme(&self, name: &str, bytes: &[u8]) -> Result<(String, PathBuf), ConfigUnwritable> {
        let name = name.trim();
        let name = if self.theme_file(name).is_some() { name } else { "theme" };
        let taken = |name: &String| {
            Theme::shipped(name).is_some() || self.theme_file(name).is_none_or(|file| file.symlink_metadata().is_ok())
        };
        // The copy of a copy counts on.
        let counted = name.rsplit_once(' ').and_then(|(stem, number)| Some((stem, number.parse::<u32>().ok()?)));
        let (stem, from) = counted.map_or((name, 2), |(stem, number)| (stem, number.saturating_add(1)));
        let mut names = std::iter::once(name.to_owned()).chain((from..=u32::MAX).map(|n| format!("{stem} {n}")));
        let name = names.find(|name| !taken(name)).unwrap_or_else(|| name.to_owned());
        let path = self.theme_file(&name).unwrap_or_default();
        files::make_folder(path.parent().unwrap_or(&self.folder))?;
        files::write_whole(&path, bytes)?;
        Ok((name, path))
    }
}

/// Writes a theme to a file, whole: it needs no other.
///
/// # Errors
/// When it cannot be written.
pub fn export_theme(theme: &Theme, path: &Path) -> Result<(), ConfigUnwritable> {
    Ok(files::write_whole(path, theme.write().as_bytes())?)
}
