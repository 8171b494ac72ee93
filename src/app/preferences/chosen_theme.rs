//! The theme that is chosen, and its file while that is edited.

use crate::config::Theme;
use crate::files::{self, Stamp};
use crate::store::{Store, ThemeReading};
use crate::text::Remark;

/// The theme that is chosen.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Look {
    pub(super) name: String,
    /// As it is on its own ground.
    pub(super) theme: Theme,
    /// What is wrong with it.
    pub(super) trouble: Vec<Remark>,
    /// The version of its file that was read; `None` where it has none.
    stamp: Option<Stamp>,
}

impl Look {
    /// The theme of this name: the user's, or else one that comes with the program.
    pub(super) fn of(store: Option<&Store>, name: &str) -> Self {
        let stamp = stamp(store, name);
        let usual = || Theme::shipped(Theme::USUAL).unwrap_or_default();
        let read = store.and_then(|store| store.theme(name).transpose());
        let (theme, trouble) = match read {
            Some(Ok(reading)) => (reading.theme, trouble(name, &reading)),
            Some(Err(error)) => (usual(), vec![Remark::ThemeUnreadable(name.to_owned(), error.to_string())]),
            None => match Theme::shipped(name) {
                Some(theme) => (theme, Vec::new()),
                None => (usual(), vec![Remark::NoTheme(name.to_owned())]),
            },
        };
        Self { name: name.to_owned(), theme, trouble, stamp }
    }

    /// The same theme where its file has changed since. One that has become no theme, as when it is half
    /// typed, leaves its colours as they were, and so does one that is gone.
    pub(super) fn changed(&self, store: Option<&Store>) -> Option<Self> {
        let stamp = stamp(store, &self.name);
        if stamp.is_none() || stamp == self.stamp {
            return None;
        }
        let found = Self::of(store, &self.name);
        let is_none = found.trouble.iter().any(|remark| matches!(remark, Remark::ThemeUnreadable(..)));
        Some(Self { theme: if is_none { self.theme } else { found.theme }, ..found })
    }
}

fn stamp(store: Option<&Store>, name: &str) -> Option<Stamp> {
    files::stamp(&store?.theme_file(name)?)
}

/// What is wrong with a theme of the user's.
fn trouble(name: &str, reading: &ThemeReading) -> Vec<Remark> {
    let none = reading.not_toml.iter().map(|why| Remark::ThemeUnreadable(name.to_owned(), why.clone()));
    let lost = reading.findings.iter().map(|finding| Remark::ThemeLost(name.to_owned(), finding.clone()));
    none.chain(lost).collect()
}
