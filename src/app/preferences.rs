//! The settings of the running program. A change applies at once, and is written soon after. Changes of the files by
//! other programs are read.
//!
//! No file is touched while the [`Preferences`] are locked. [`SettingsWatcher`] has a thread that reads and writes, and
//! [`run_theme_task`] starts one for each request of the user. Both wake the windows only if a setting or a theme has
//! changed.

mod chosen_theme;
mod settings_sync;
mod settings_watcher;
mod theme_task;
mod watched_file;

use chosen_theme::ChosenTheme;
use settings_sync::SyncPhase;
use shogibar_base::{Lang, Latest};
use shogibar_config::{Language, Remark, Settings, Theme};
#[cfg(feature = "gui")]
use shogibar_machine::store::InstanceSlot;
use shogibar_machine::store::{Store, StoreError, ThemeEntry};
use shogibar_machine::traffic::TrafficLog;
use shogibar_model::settings::ModelSettings;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use watched_file::WatchedFile;

pub use settings_watcher::SettingsWatcher;
pub use theme_task::{ThemeTask, run_theme_task};

/// The settings of the running program.
#[derive(Debug)]
pub struct Preferences {
    /// The user's configuration folder. Without one, settings last until the program ends.
    store: Option<Store>,
    /// The language of the system.
    system_lang: Lang,
    /// The language given for this run. It applies until the user sets another language.
    lang_of_run: Option<Lang>,
    settings: Settings,
    /// The settings in the file, as last read or written.
    stored_settings: Settings,
    /// The settings that could not be written, if any. They are only written again after a change, or at the end.
    unwritable_settings: Option<Settings>,
    file: WatchedFile,
    /// Whether the file was invalid TOML when it was last read.
    is_broken: bool,
    theme: ChosenTheme,
    themes: Vec<ThemeEntry>,
    /// The number of requests about themes so far.
    theme_task_count: u64,
    reading_problems: Vec<Remark>,
    /// The remark about the backup of a file that was invalid TOML.
    backup: Option<Remark>,
    write_problem: Option<Remark>,
    /// The reason why the files are not watched.
    watch_problem: Option<Remark>,
    /// The result of the user's last request.
    last_result: Option<Remark>,
    /// The warnings at the last call of [`take_new_warnings`](Self::take_new_warnings).
    reported_problems: Vec<Remark>,
    /// The newest settings for the model, until it takes them.
    model: Latest<ModelSettings>,
    log: TrafficLog,
    /// The log file given for this run, regardless of the settings.
    log_of_run: Option<PathBuf>,
}

/// The settings, shared by several windows. The UI thread may hold the lock for a whole frame.
pub type SharedPreferences = Arc<Mutex<Preferences>>;

impl Preferences {
    /// Returns the user's configuration folder, if there is one.
    pub const fn store(&self) -> Option<&Store> {
        self.store.as_ref()
    }

    /// Reads the stored settings. A value that cannot be read gets its default and a warning.
    pub fn open(store: Option<Store>, system_lang: Lang) -> Self {
        let mut preferences = Self {
            store,
            system_lang,
            lang_of_run: None,
            settings: Settings::default(),
            stored_settings: Settings::default(),
            unwritable_settings: None,
            file: WatchedFile::default(),
            is_broken: false,
            theme: ChosenTheme::load(None, Theme::DEFAULT),
            themes: ThemeEntry::shipped(),
            theme_task_count: 0,
            reading_problems: Vec::new(),
            backup: None,
            write_problem: None,
            watch_problem: None,
            last_result: None,
            reported_problems: Vec::new(),
            model: Latest::default(),
            log: TrafficLog::default(),
            log_of_run: None,
        };
        let found = preferences.start_sync(SyncPhase::Start).run();
        preferences.apply_sync(found);
        preferences.publish();
        preferences
    }

    /// Sets the language of this run, if one is named. It applies until the user sets another language.
    #[must_use]
    pub fn with_language(self, named: Option<Lang>) -> Self {
        let preferences = Self {
            lang_of_run: named,
            ..self
        };
        preferences.publish();
        preferences
    }

    /// Sets the log of this run. The settings turn it on and off, unless a file is named for this run.
    #[must_use]
    pub fn with_log(self, log: TrafficLog, file: Option<PathBuf>) -> Self {
        let preferences = Self {
            log,
            log_of_run: file,
            ..self
        };
        preferences.apply_log_setting();
        preferences
    }

    /// Returns the file that engine traffic is logged to if the log is enabled. Returns `None` without a folder, unless
    /// a file is named for this run.
    pub fn log_file(&self) -> Option<PathBuf> {
        self.log_of_run
            .clone()
            .or_else(|| Some(self.store.as_ref()?.log_file()))
    }

    /// Returns the path of the file with the user's mistakes; `None` without a folder.
    pub fn mistakes_file(&self) -> Option<PathBuf> {
        self.store.as_ref().map(Store::mistakes_file)
    }

    /// Returns the path of the index of the shelf; `None` without a folder.
    pub fn shelf_file(&self) -> Option<PathBuf> {
        self.store.as_ref().map(Store::window_shelf_file)
    }

    /// Enables the log if a file is named for this run, or the settings turn the log on. Otherwise disables it.
    fn apply_log_setting(&self) {
        let is_on = self.log_of_run.is_some() || self.settings.general.logs_usi;
        if is_on
            && self.log_of_run.is_none()
            && let Some(store) = &self.store
        {
            store.make_log_folder();
        }
        let file = if is_on { self.log_file() } else { None };
        self.log.set_file(file.as_deref());
    }

    /// Claims and returns an instance slot among the programs that run with these settings. Dropping it frees the slot.
    #[cfg(feature = "gui")]
    pub(super) fn claim_instance_slot(&self) -> InstanceSlot {
        self.store.as_ref().map(Store::claim_slot).unwrap_or_default()
    }

    /// Returns the settings in force, with changes that are not stored yet.
    pub const fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Returns the language of the screen.
    pub const fn lang(&self) -> Lang {
        match self.lang_of_run {
            Some(named) => named,
            None => self.settings.general.language.on_system(self.system_lang),
        }
    }

    /// Returns the bar's theme, on the chosen background.
    pub fn theme(&self) -> Theme {
        let overlay = &self.settings.overlay;
        self.theme
            .theme
            .with_sides(overlay.black, overlay.white)
            .with_background(self.settings.window.background, self.settings.window.key_color)
    }

    /// Changes settings at once. The [`SettingsWatcher`] writes them within a second, so that a dragged slider does not
    /// write each value.
    pub fn change(&mut self, change: impl FnOnce(&mut Settings)) {
        let language = self.settings.general.language;
        change(&mut self.settings);
        self.update_language_of_run(language);
        self.apply_log_setting();
        self.publish();
        // A theme that is not in the list is applied after it was read.
        let is_new =
            |entry: &&ThemeEntry| entry.name == self.settings.overlay.theme && entry.name != self.theme.name;
        if let Some(entry) = self.themes.iter().find(is_new) {
            self.theme = ChosenTheme::from_entry(entry);
        }
    }

    /// Returns the themes, as last listed by a [`ThemeTask`].
    pub fn themes(&self) -> &[ThemeEntry] {
        &self.themes
    }

    /// Reports that no file dialog can be shown, and the other way to choose a file.
    pub fn report_no_dialog(&mut self) {
        self.last_result = Some(
            self.store
                .as_ref()
                .map_or(Remark::NoFolder, |store| Remark::NoDialog(store.themes_folder())),
        );
    }

    /// Returns the result of the user's last request.
    pub const fn last_result(&self) -> Option<&Remark> {
        self.last_result.as_ref()
    }

    /// Sets the result of a request, or clears it.
    pub fn report(&mut self, remark: Option<Remark>) {
        self.last_result = remark;
    }

    /// Returns all problems of the settings and of the chosen theme.
    pub fn warnings(&self) -> impl Iterator<Item = &Remark> {
        let settings = self.backup.iter().chain(&self.reading_problems);
        settings
            .chain(&self.theme.problems)
            .chain(&self.write_problem)
            .chain(&self.watch_problem)
    }

    /// Returns the warnings that were not there at the last call.
    pub fn take_new_warnings(&mut self) -> Vec<Remark> {
        let warnings: Vec<_> = self.warnings().cloned().collect();
        let reported = std::mem::replace(&mut self.reported_problems, warnings.clone());
        warnings
            .into_iter()
            .filter(|remark| !reported.contains(remark))
            .collect()
    }

    /// Returns the slot with the newest settings for the model.
    pub fn model_settings(&self) -> Latest<ModelSettings> {
        Latest::clone(&self.model)
    }

    /// Puts the present settings into the slot for the model.
    fn publish(&self) {
        self.model.put(ModelSettings::new(&self.settings, self.lang()));
    }

    /// Drops the language of this run if the user has set another language than `before`.
    fn update_language_of_run(&mut self, before: Language) {
        self.lang_of_run
            .take_if(|_| self.settings.general.language != before);
    }
}

/// Returns the remark for an error of reading or writing settings.
fn remark(error: &StoreError) -> Remark {
    match error {
        StoreError::Unreadable(why) => Remark::SettingsUnreadable(why.into()),
        StoreError::Unwritable(_) | StoreError::Busy(_) => Remark::SettingsUnwritten(error.into()),
    }
}

#[cfg(test)]
mod tests;
