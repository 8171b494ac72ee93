//! The chosen theme, and its file while the user edits it.

use super::watched_file::{WatchAction, WatchedFile};
use shogibar_config::{Remark, Theme};
use shogibar_machine::store::{Store, ThemeEntry};

/// The theme of the overlay that the user has chosen, with its file.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ChosenTheme {
    pub(super) name: String,
    /// The theme over its background.
    pub(super) theme: Theme,
    pub(super) problems: Vec<Remark>,
    file: WatchedFile,
}

impl ChosenTheme {
    /// Loads the theme of this name: the user's theme, or else the shipped one.
    pub(super) fn load(store: Option<&Store>, name: &str) -> Self {
        let file = WatchedFile::new(store.and_then(|store| store.theme_file(name)).as_deref());
        let default = || Theme::shipped(Theme::DEFAULT).unwrap_or_default();
        match ThemeEntry::find(store, name) {
            Ok(Some(entry)) => Self {
                file,
                ..Self::from_entry(&entry)
            },
            Ok(None) => Self {
                name: name.to_owned(),
                theme: default(),
                problems: vec![Remark::NoTheme(name.to_owned())],
                file,
            },
            Err(error) => {
                let problems = vec![Remark::ThemeUnreadable(name.to_owned(), error.to_string())];
                Self {
                    name: name.to_owned(),
                    theme: default(),
                    problems,
                    file,
                }
            }
        }
    }

    /// Creates the chosen theme from an entry of the list of themes. The theme's file is read at the next check.
    pub(super) fn from_entry(entry: &ThemeEntry) -> Self {
        Self {
            name: entry.name.clone(),
            theme: entry.reading.theme,
            problems: entry.reading.warnings(&entry.name).collect(),
            file: WatchedFile::default(),
        }
    }

    /// Checks the theme's file. Returns whether to check again soon.
    ///
    /// If the file is gone, or invalid, as while the user types, the colours do not change.
    pub(super) fn check(&mut self, store: &Store, can_wait: bool) -> bool {
        let Some(path) = store.theme_file(&self.name) else {
            return false;
        };
        let was_present = self.file.is_there();
        let action = self.file.check(&path, can_wait);
        // The file was gone at two checks. No editor takes this long to replace a file.
        if action == WatchAction::Known && self.file.is_gone() && !was_present {
            self.problems = vec![Remark::ThemeGone(self.name.clone())];
        } else if self.file.is_there() {
            self.problems
                .retain(|remark| !matches!(remark, Remark::ThemeGone(_)));
        }
        if action == WatchAction::New {
            let loaded = Self::load(Some(store), &self.name);
            if !loaded
                .problems
                .iter()
                .any(|remark| matches!(remark, Remark::ThemeUnreadable(..)))
            {
                self.theme = loaded.theme;
            }
            (self.problems, self.file) = (loaded.problems, loaded.file);
        }
        action == WatchAction::Changing
    }

    /// Returns whether another theme has the same colours and problems.
    pub(super) fn has_same_content(&self, other: &Self) -> bool {
        (self.theme, &self.problems) == (other.theme, &other.problems)
    }
}
