//! Reading and writing the settings and the theme without holding them meanwhile.

use super::chosen_theme::ChosenTheme;
use super::watched_file::{WatchAction, WatchedFile};
use super::{Preferences, remark};
use crate::config::Settings;
use crate::store::{Backup, ConfigReading, SavedConfig, Store, StoreError, ThemeEntry};
use crate::text::Remark;

/// What is to be looked at and written.
#[derive(Debug)]
pub(super) struct SettingsSync {
    store: Option<Store>,
    when: SyncPhase,
    file: WatchedFile,
    before: Settings,
    after: Settings,
    /// Whether what was changed is to be written.
    write: bool,
    /// Whether the file was no TOML when it was read last.
    is_broken: bool,
    theme: ChosenTheme,
}

/// In which part of the program's life files are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SyncPhase {
    /// At its start: a file that is no TOML is put aside.
    Start,
    /// While it runs: somebody may be about to write a file.
    Running,
    /// At its end: there is no later.
    End,
}

/// What was found and written.
#[derive(Debug)]
pub(super) struct SyncResult {
    file: WatchedFile,
    read: Option<Result<ConfigReading<Settings>, StoreError>>,
    /// Where the file was put aside.
    aside: Option<Backup>,
    /// What was to be written, and what is in the file then.
    written: Option<(Settings, Result<SavedConfig<Settings>, StoreError>)>,
    theme: ChosenTheme,
    /// All themes, where the one that is chosen has changed.
    themes: Option<Vec<ThemeEntry>>,
    /// Whether somebody may be in the middle of writing, so that it is to be looked again soon.
    pub(super) is_moving: bool,
}

impl Preferences {
    /// What is to be looked at and written now; what could not be written before is only tried again at the
    /// end.
    pub(super) fn start_sync(&self, when: SyncPhase) -> SettingsSync {
        let is_new = self.given_up.as_ref() != Some(&self.settings);
        SettingsSync {
            store: self.store.clone(),
            when,
            file: self.file,
            before: self.stored.clone(),
            after: self.settings.clone(),
            write: self.settings != self.stored && (is_new || when == SyncPhase::End),
            is_broken: self.is_broken,
            theme: self.theme.clone(),
        }
    }

    /// Takes in what was found; whether that changes anything. What was changed since then stays so.
    pub(super) fn apply_sync(&mut self, found: SyncResult) -> bool {
        let (settings, theme) = (self.settings.clone(), self.theme.clone());
        let trouble: Vec<_> = self.warnings().cloned().collect();
        self.file = found.file;
        match found.read {
            Some(Ok(ConfigReading { not_toml: Some(why), .. })) => {
                // It is as it was, and so is what is in force.
                self.is_broken = true;
                self.reading = vec![Remark::SettingsUnreadable(why.into())];
            }
            Some(Ok(read)) => {
                self.is_broken = false;
                self.reading = read.findings.into_iter().map(Remark::SettingLost).collect();
                // What we wrote ourselves does not say that somebody has taken notice.
                self.aside.take_if(|_| read.value != self.stored);
                let before = std::mem::replace(&mut self.stored, read.value);
                self.rebase_changes(&before);
            }
            Some(Err(error)) => self.reading = vec![remark(&error)],
            None => {}
        }
        self.set_aside(found.aside);
        match found.written {
            Some((after, Ok(written))) => {
                self.set_aside(written.aside);
                self.stored = written.value;
                self.rebase_changes(&after);
                (self.given_up, self.writing) = (None, None);
            }
            // It is tried again.
            Some((_, Err(StoreError::Busy(_)))) | None => {}
            Some((after, Err(error))) => (self.given_up, self.writing) = (Some(after), Some(remark(&error))),
        }
        self.apply_language(settings.general.language);
        self.apply_log_setting();
        // Another may have been chosen meanwhile.
        if self.settings.overlay.theme == found.theme.name {
            self.theme = found.theme;
        }
        if let Some(themes) = found.themes {
            self.themes = themes;
        }
        settings != self.settings || !theme.is_as(&self.theme) || !self.warnings().eq(&trouble)
    }

    fn set_aside(&mut self, aside: Option<Backup>) {
        if let Some(Backup { why, path }) = aside {
            self.is_broken = false;
            self.reading.clear();
            self.aside = Some(Remark::SettingsAside(why, path));
        }
    }

    /// What is in force: what is stored, and what was changed since it was `before`.
    fn rebase_changes(&mut self, before: &Settings) {
        let mut settings = self.stored.clone();
        settings.carry_over(before, &self.settings);
        self.settings = settings;
    }
}

impl SettingsSync {
    /// Looks and writes.
    pub(super) fn run(self) -> SyncResult {
        let mut found = SyncResult {
            file: self.file,
            read: None,
            aside: None,
            written: None,
            theme: self.theme.clone(),
            themes: None,
            is_moving: false,
        };
        if let Some(store) = &self.store {
            self.settings(store, &mut found);
        }
        self.theme(&mut found);
        found
    }

    fn settings(&self, store: &Store, found: &mut SyncResult) {
        let path = store.settings_file();
        let look = found.file.check(&path, self.when == SyncPhase::Running);
        if look == WatchAction::Moving {
            found.is_moving = true;
            return;
        }
        let mut is_broken = self.is_broken && found.file.is_there();
        if look == WatchAction::New {
            let read = store.settings().map_err(StoreError::from);
            is_broken = read.as_ref().is_ok_and(|read| read.not_toml.is_some());
            found.read = Some(read);
        }
        if is_broken && self.when == SyncPhase::Start {
            // What cannot be put aside is said when something is to be written.
            found.aside = store.clear_settings().unwrap_or_default();
        }
        if !self.write || is_broken && self.is_unasked() {
            return;
        }
        // All that is in force goes into a new file, not only what was changed.
        let is_new = is_broken || !found.file.is_there();
        let before = if is_new { &Settings::default() } else { &self.before };
        let written = store.change_settings(|settings| settings.carry_over(before, &self.after));
        found.is_moving = matches!(written, Err(StoreError::Busy(_)));
        if written.is_ok() {
            found.file.accept_current(&path);
        }
        found.written = Some((self.after.clone(), written));
    }

    /// Whether it is only how the window stands that is to be written, which nobody asked for: it is no reason to
    /// put a file aside that somebody may be about to mend.
    fn is_unasked(&self) -> bool {
        let mut before = self.before.clone();
        before.places.clone_from(&self.after.places);
        before.sizes.clone_from(&self.after.sizes);
        before == self.after
    }

    /// Reads the theme that is chosen, where that is another or its file has changed.
    fn theme(&self, found: &mut SyncResult) {
        let chosen = match &found.read {
            Some(Ok(read)) if read.not_toml.is_none() => {
                let mut settings = read.value.clone();
                settings.carry_over(&self.before, &self.after);
                settings.overlay.theme
            }
            _ => self.after.overlay.theme.clone(),
        };
        if found.theme.name != chosen {
            found.theme = ChosenTheme::load(self.store.as_ref(), &chosen);
        } else if let Some(store) = &self.store {
            found.is_moving |= found.theme.check(store, self.when == SyncPhase::Running);
        }
        if self.when == SyncPhase::Running && !found.theme.is_as(&self.theme) {
            found.themes = self.store.as_ref().map(Store::all_themes);
        }
    }
}
