//! The list of themes; adding, importing and exporting theme files.

use super::{ConfigReadError, ConfigWriteError, MAX_CONFIG_BYTES, Store, THEMES_FOLDER, ThemeReading};
use shogibar_config::Theme;

use std::path::{Path, PathBuf};
use thiserror::Error;

/// A theme that the user can choose.
#[derive(Clone, Debug, PartialEq)]
pub struct ThemeEntry {
    /// The name of the theme, as in the settings.
    pub name: String,
    /// The theme and its warnings.
    pub reading: ThemeReading,
    /// The user's file; `None` for a built-in theme.
    pub file: Option<PathBuf>,
}

/// The reason why a theme file was not imported.
#[derive(Debug, Error)]
pub enum ImportError {
    /// The file is not TOML; holds the error.
    #[error("{0}")]
    NotToml(String),
    /// The file cannot be read.
    #[error(transparent)]
    Unreadable(#[from] ConfigReadError),
    /// The theme cannot be written.
    #[error(transparent)]
    Unwritable(#[from] ConfigWriteError),
}

impl ThemeEntry {
    /// Finds a theme by its name: a user theme, or else a built-in one. Returns `None` if there is neither.
    ///
    /// # Errors
    /// Fails if the user's file exists and cannot be read.
    pub fn find(store: Option<&Store>, name: &str) -> Result<Option<Self>, ConfigReadError> {
        let user_theme = store.map(|store| store.theme(name)).transpose()?.flatten();
        let user_theme = user_theme.map(|reading| Self {
            name: name.to_owned(),
            reading,
            file: store.and_then(|store| store.theme_file(name)),
        });
        Ok(user_theme.or_else(|| Self::shipped().into_iter().find(|entry| entry.name == name)))
    }

    /// Returns the built-in themes.
    pub fn shipped() -> Vec<Self> {
        let themes = Theme::names().filter_map(|name| Some((name, Theme::shipped(name)?)));
        themes
            .map(|(name, theme)| Self {
                name: name.to_owned(),
                reading: ThemeReading {
                    theme,
                    findings: Vec::new(),
                    toml_error: None,
                },
                file: None,
            })
            .collect()
    }
}

impl Store {
    /// Returns all themes: the built-in ones, then the user themes. A user theme replaces a built-in one of the same
    /// name. A file that cannot be read counts as not TOML.
    pub fn all_themes(&self) -> Vec<ThemeEntry> {
        let mut entries = ThemeEntry::shipped();
        for name in self.themes() {
            let reading = match self.theme(&name) {
                Ok(Some(reading)) => reading,
                Ok(None) => continue,
                Err(error) => ThemeReading::invalid(error.to_string()),
            };
            let entry = ThemeEntry {
                file: self.theme_file(&name),
                name,
                reading,
            };
            match entries.iter_mut().find(|known| known.name == entry.name) {
                Some(known) => *known = entry,
                None => entries.push(entry),
            }
        }
        entries
    }

    /// Writes a theme into the folder of user themes. Appends a number to the name if it is taken. Returns the name and
    /// the path.
    ///
    /// # Errors
    /// Fails if the theme file cannot be written.
    pub fn add_theme(&self, name: &str, theme: &Theme) -> Result<(String, PathBuf), ConfigWriteError> {
        self.write_theme_file(name, theme.write().as_bytes())
    }

    /// Copies a theme file unchanged into the folder of user themes, under a free name. Entries that are not understood
    /// are kept. Returns the name and the path.
    ///
    /// # Errors
    /// Fails if the file is not TOML, or cannot be read or written.
    pub fn import_theme(&self, path: &Path) -> Result<(String, PathBuf), ImportError> {
        let bytes = shogibar_files::read(path, MAX_CONFIG_BYTES).map_err(ConfigReadError)?;
        if let Some(why) = ThemeReading::new(&bytes).toml_error {
            return Err(ImportError::NotToml(why));
        }
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        Ok(self.write_theme_file(&name, &bytes)?)
    }

    /// Returns the folder of the user's themes.
    pub fn themes_folder(&self) -> PathBuf {
        self.folder.join(THEMES_FOLDER)
    }

    fn write_theme_file(&self, name: &str, bytes: &[u8]) -> Result<(String, PathBuf), ConfigWriteError> {
        let name = name.trim();
        let name = if self.theme_file(name).is_some() {
            name
        } else {
            "theme"
        };
        let taken = |name: &String| {
            Theme::shipped(name).is_some()
                || self
                    .theme_file(name)
                    .is_none_or(|file| file.symlink_metadata().is_ok())
        };
        // A number at the end of a taken name is counted up: after `Dark 2` comes `Dark 3`.
        let counted = name
            .rsplit_once(' ')
            .and_then(|(stem, number)| Some((stem, number.parse::<u32>().ok()?)));
        let (stem, from) = counted.map_or((name, 2), |(stem, number)| (stem, number.saturating_add(1)));
        let mut names =
            std::iter::once(name.to_owned()).chain((from..=u32::MAX).map(|n| format!("{stem} {n}")));
        let name = names.find(|name| !taken(name)).unwrap_or_else(|| name.to_owned());
        let path = self.theme_file(&name).unwrap_or_default();
        shogibar_files::make_folder(path.parent().unwrap_or(&self.folder))?;
        shogibar_files::write_whole(&path, bytes)?;
        Ok((name, path))
    }
}

/// Writes a theme with all entries to a file, so that the file needs no base theme.
///
/// # Errors
/// Fails if the file cannot be written.
pub fn export_theme(theme: &Theme, path: &Path) -> Result<(), ConfigWriteError> {
    Ok(shogibar_files::write_whole(path, theme.write().as_bytes())?)
}
