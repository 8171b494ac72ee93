//! Reading and writing the settings and the theme without holding the lock.

use super::chosen_theme::ChosenTheme;
use super::watched_file::{WatchAction, WatchedFile};
use super::{Preferences, remark};
use shogibar_config::{Remark, Settings};
use shogibar_machine::store::{Backup, ConfigReading, SavedConfig, Store, StoreError, ThemeEntry};

/// A task to check, read and write the files.
#[derive(Debug)]
pub(super) struct SettingsSync {
    store: Option<Store>,
    phase: SyncPhase,
    file: WatchedFile,
    /// The settings in the file, as last read or written.
    stored_settings: Settings,
    /// The settings in force.
    current_settings: Settings,
    /// Whether the changes have to be written.
    is_write_due: bool,
    /// Whether the file was invalid TOML when it was last read.
    is_broken: bool,
    theme: ChosenTheme,
}

/// The phase of the program in which the files are checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SyncPhase {
    /// At the start: an invalid file is moved to a backup.
    Start,
    /// While the program runs: a file may be half written.
    Running,
    /// At the end: there is no later check.
    End,
}

/// The result of reading and writing in a task.
#[derive(Debug)]
pub(super) struct SyncResult {
    file: WatchedFile,
    /// The result of reading the settings; `None` if they were not read.
    reading: Option<Result<ConfigReading<Settings>, StoreError>>,
    /// The backup of an invalid file.
    backup: Option<Backup>,
    /// The settings to write, and the result of writing them; `None` if they were not written.
    written_settings: Option<(Settings, Result<SavedConfig<Settings>, StoreError>)>,
    theme: ChosenTheme,
    /// All themes, if the chosen theme has changed.
    themes: Option<Vec<ThemeEntry>>,
    /// Whether a file may be half written, so that it is checked again soon.
    pub(super) is_changing: bool,
}

impl Preferences {
    /// Creates a task for a phase. Settings that could not be written are only tried again at the end.
    pub(super) fn start_sync(&self, phase: SyncPhase) -> SettingsSync {
        let is_new = self.unwritable_settings.as_ref() != Some(&self.settings);
        SettingsSync {
            store: self.store.clone(),
            phase,
            file: self.file,
            stored_settings: self.stored_settings.clone(),
            current_settings: self.settings.clone(),
            is_write_due: self.settings != self.stored_settings && (is_new || phase == SyncPhase::End),
            is_broken: self.is_broken,
            theme: self.theme.clone(),
        }
    }

    /// Applies the result of a task. Returns whether anything has changed. Changes made since the start of the task are
    /// kept.
    pub(super) fn apply_sync(&mut self, result: SyncResult) -> bool {
        let (settings, theme) = (self.settings.clone(), self.theme.clone());
        let warnings: Vec<_> = self.warnings().cloned().collect();
        self.file = result.file;
        match result.reading {
            Some(Ok(ConfigReading {
                toml_error: Some(why),
                ..
            })) => {
                // The file is invalid, so the present settings stay in force.
                self.is_broken = true;
                self.reading_problems = vec![Remark::SettingsUnreadable(why.into())];
            }
            Some(Ok(read)) => {
                self.is_broken = false;
                self.reading_problems = read.findings.into_iter().map(Remark::SettingLost).collect();
                // The remark stays if this program has written the file, as the user may not have seen the remark.
                self.backup.take_if(|_| read.value != self.stored_settings);
                let before = std::mem::replace(&mut self.stored_settings, read.value);
                self.rebase_changes(&before);
            }
            Some(Err(error)) => self.reading_problems = vec![remark(&error)],
            None => {}
        }
        self.record_backup(result.backup);
        match result.written_settings {
            Some((after, Ok(written))) => {
                self.record_backup(written.backup);
                self.stored_settings = written.value;
                self.rebase_changes(&after);
                (self.unwritable_settings, self.write_problem) = (None, None);
            }
            // The file is locked, so writing is tried again.
            Some((_, Err(StoreError::Busy(_)))) | None => {}
            Some((after, Err(error))) => {
                (self.unwritable_settings, self.write_problem) = (Some(after), Some(remark(&error)));
            }
        }
        self.update_language_of_run(settings.general.language);
        self.apply_log_setting();
        if settings != self.settings {
            self.publish();
        }
        // Another theme may have been chosen since the start of the task; its result is then dropped.
        if self.settings.overlay.theme == result.theme.name {
            self.theme = result.theme;
        }
        if let Some(themes) = result.themes {
            self.themes = themes;
        }
        settings != self.settings || !theme.has_same_content(&self.theme) || !self.warnings().eq(&warnings)
    }

    /// Stores the remark about a backup, if there is one. The file is then valid again.
    fn record_backup(&mut self, backup: Option<Backup>) {
        if let Some(Backup {
            toml_error: why,
            path,
        }) = backup
        {
            self.is_broken = false;
            self.reading_problems.clear();
            self.backup = Some(Remark::SettingsBackedUp(why, path));
        }
    }

    /// Sets the settings to the stored settings, with the changes made since `before`.
    fn rebase_changes(&mut self, before: &Settings) {
        let mut settings = self.stored_settings.clone();
        settings.apply_changes(before, &self.settings);
        self.settings = settings;
    }
}

impl SettingsSync {
    /// Checks, reads and writes the files. Returns what [`apply_sync`](Preferences::apply_sync) needs.
    pub(super) fn run(self) -> SyncResult {
        let mut result = SyncResult {
            file: self.file,
            reading: None,
            backup: None,
            written_settings: None,
            theme: self.theme.clone(),
            themes: None,
            is_changing: false,
        };
        if let Some(store) = &self.store {
            self.sync_settings(store, &mut result);
        }
        self.sync_theme(&mut result);
        result
    }

    /// Reads the settings if the file has changed, and writes the changes that are due.
    fn sync_settings(&self, store: &Store, result: &mut SyncResult) {
        let path = store.settings_file();
        let action = result.file.check(&path, self.phase == SyncPhase::Running);
        if action == WatchAction::Changing {
            result.is_changing = true;
            return;
        }
        let mut is_broken = self.is_broken && result.file.is_there();
        if action == WatchAction::New {
            let read = store.settings().map_err(StoreError::from);
            is_broken = read.as_ref().is_ok_and(|read| read.toml_error.is_some());
            result.reading = Some(read);
        }
        if is_broken && self.phase == SyncPhase::Start {
            // A failure is reported when the settings are written.
            result.backup = store.back_up_broken_settings().unwrap_or_default();
        }
        if !self.is_write_due || is_broken && self.is_placement_only() {
            return;
        }
        // A new file gets all settings in force, not only the changed ones.
        let is_new = is_broken || !result.file.is_there();
        let before = if is_new {
            &Settings::default()
        } else {
            &self.stored_settings
        };
        let written =
            store.change_settings(|settings| settings.apply_changes(before, &self.current_settings));
        result.is_changing = matches!(written, Err(StoreError::Busy(_)));
        if written.is_ok() {
            result.file.accept_current(&path);
        }
        result.written_settings = Some((self.current_settings.clone(), written));
    }

    /// Returns whether only the window's position or size would be written, without a request of the user.
    ///
    /// In this case a file that the user may be about to repair is not moved away.
    fn is_placement_only(&self) -> bool {
        let mut before = self.stored_settings.clone();
        before.positions.clone_from(&self.current_settings.positions);
        before.sizes.clone_from(&self.current_settings.sizes);
        before == self.current_settings
    }

    /// Reads the chosen theme, if the user has chosen another theme or the theme's file has changed.
    fn sync_theme(&self, result: &mut SyncResult) {
        let chosen = match &result.reading {
            Some(Ok(read)) if read.toml_error.is_none() => {
                let mut settings = read.value.clone();
                settings.apply_changes(&self.stored_settings, &self.current_settings);
                settings.overlay.theme
            }
            _ => self.current_settings.overlay.theme.clone(),
        };
        if result.theme.name != chosen {
            result.theme = ChosenTheme::load(self.store.as_ref(), &chosen);
        } else if let Some(store) = &self.store {
            result.is_changing |= result.theme.check(store, self.phase == SyncPhase::Running);
        }
        if self.phase == SyncPhase::Running && !result.theme.has_same_content(&self.theme) {
            result.themes = self.store.as_ref().map(Store::all_themes);
        }
    }
}
