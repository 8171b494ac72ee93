//! The theme that is chosen, and its file while that is edited.

use super::watched_file::{WatchAction, WatchedFile};
use crate::config::Theme;
use crate::store::{Store, ThemeEntry};
use crate::text::Remark;

/// The theme that is chosen.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ChosenTheme {
    pub(super) name: String,
    /// As it is on its own ground.
    pub(super) theme: Theme,
    /// What is wrong with it.
    pub(super) trouble: Vec<Remark>,
    file: WatchedFile,
}

impl ChosenTheme {
    /// The theme of this name: the user's, or else one that comes with the program.
    pub(super) fn load(store: Option<&Store>, name: &str) -> Self {
        let file = WatchedFile::new(store.and_then(|store| store.theme_file(name)).as_deref());
        let usual = || Theme::shipped(Theme::USUAL).unwrap_or_default();
        match ThemeEntry::find(store, name) {
            Ok(Some(entry)) => Self { file, ..Self::known(&entry) },
            Ok(None) => {
                Self { name: name.to_owned(), theme: usual(), trouble: vec![Remark::NoTheme(name.to_owned())], file }
            }
            Err(error) => {
                let trouble = vec![Remark::ThemeUnreadable(name.to_owned(), error.to_string())];
                Self { name: name.to_owned(), theme: usual(), trouble, file }
            }
        }
    }

    /// One that was read before, without its file being touched. That is looked at the next time.
    pub(super) fn known(entry: &ThemeEntry) -> Self {
        Self {
            name: entry.name.clone(),
            theme: entry.reading.theme,
            trouble: entry.reading.warnings(&entry.name).collect(),
            file: WatchedFile::default(),
        }
    }

    /// Looks at its file; whether that is to be done again soon. One that has become no theme, as when it is half
    /// typed, leaves its colours as they were, and so does one that is gone.
    pub(super) fn check(&mut self, store: &Store, can_wait: bool) -> bool {
        let Some(path) = store.theme_file(&self.name) else { return false };
        let was_there = self.file.is_there();
        let look = self.file.check(&path, can_wait);
        // Gone at two looks: no editor takes as long to put another in its place.
        if look == WatchAction::Known && self.file.is_gone() && !was_there {
            self.trouble = vec![Remark::ThemeGone(self.name.clone())];
        } else if self.file.is_there() {
            self.trouble.retain(|remark| !matches!(remark, Remark::ThemeGone(_)));
        }
        if look == WatchAction::New {
            let found = Self::load(Some(store), &self.name);
            if !found.trouble.iter().any(|remark| matches!(remark, Remark::ThemeUnreadable(..))) {
                self.theme = found.theme;
            }
            (self.trouble, self.file) = (found.trouble, found.file);
        }
        look == WatchAction::Moving
    }

    /// Whether another looks the same, and nothing else is wrong with it.
    pub(super) fn is_as(&self, other: &Self) -> bool {
        (self.theme, &self.trouble) == (other.theme, &other.trouble)
    }
}
