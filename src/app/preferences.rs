//! The settings as the running program holds them: a change counts at once, is written soon after, and what
//! others write into the files is taken in.
//!
//! No file is touched while the [`Preferences`] are held, but where the user asks for one to be copied, taken in or
//! given away: [`Keeper`] has a thread that writes and looks, and windows are woken by it only when something has
//! changed.

mod chosen_theme;
mod settings_sync;
mod settings_watcher;
mod watched_file;

use crate::config::{Language, Settings, Theme};
use crate::session::TrafficLog;
#[cfg(feature = "gui")]
use crate::store::InstanceSlot;
use crate::store::{ImportError, Store, StoreError, ThemeEntry, export_theme};
use crate::text::{Lang, Remark};
use chosen_theme::ChosenTheme;
use settings_sync::SyncPhase;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use watched_file::WatchedFile;

pub use settings_watcher::SettingsWatcher;

/// The settings of the running program.
#[derive(Debug)]
pub struct Preferences {
    /// Where they are kept; a user without a home has them as long as the program runs.
    store: Option<Store>,
    /// The language of the system.
    system: Lang,
    /// The language of this run, until another is set.
    named: Option<Lang>,
    settings: Settings,
    /// As they stand in the file, as far as is known.
    stored: Settings,
    /// Those that could not be written: they are not tried again before something is changed.
    given_up: Option<Settings>,
    file: WatchedFile,
    /// Whether the file was no TOML when it was read last.
    is_broken: bool,
    theme: ChosenTheme,
    themes: Vec<ThemeEntry>,
    /// What was wrong when the settings were read.
    reading: Vec<Remark>,
    /// A file that was no TOML was put aside.
    aside: Option<Remark>,
    /// What was wrong when they were written.
    writing: Option<Remark>,
    /// Why nobody looks whether files change.
    watching: Option<Remark>,
    /// What became of what the user asked for last.
    done: Option<Remark>,
    /// What went wrong and was said already.
    said: Vec<Remark>,
    log: TrafficLog,
    /// The file of the log that this run was given, whatever is set.
    log_of_run: Option<PathBuf>,
}

/// The settings that several windows share. Whoever draws a frame may hold them as long as that takes.
pub type SharedPreferences = Arc<Mutex<Preferences>>;

impl Preferences {
    /// The user's folder, where there is one.
    pub const fn store(&self) -> Option<&Store> {
        self.store.as_ref()
    }

    /// Reads what is stored. What cannot be read is as usual, and is said.
    pub fn open(store: Option<Store>, system: Lang) -> Self {
        let mut preferences = Self {
            store,
            system,
            named: None,
            settings: Settings::default(),
            stored: Settings::default(),
            given_up: None,
            file: WatchedFile::default(),
            is_broken: false,
            theme: ChosenTheme::load(None, Theme::USUAL),
            themes: ThemeEntry::shipped(),
            reading: Vec::new(),
            aside: None,
            writing: None,
            watching: None,
            done: None,
            said: Vec::new(),
            log: TrafficLog::default(),
            log_of_run: None,
        };
        let found = preferences.start_sync(SyncPhase::Start).run();
        preferences.apply_sync(found);
        preferences
    }

    /// The same in a language of this run, where one is named: it counts until another is set.
    #[must_use]
    pub fn speaking(self, named: Option<Lang>) -> Self {
        Self { named, ..self }
    }

    /// The same with the log of this run, which is switched with the settings unless a file is named for it.
    #[must_use]
    pub fn recording(self, log: TrafficLog, file: Option<PathBuf>) -> Self {
        let preferences = Self { log, log_of_run: file, ..self };
        preferences.apply_log_setting();
        preferences
    }

    /// The file in which it is recorded what engines are told and say, when that is done.
    pub fn log_file(&self) -> Option<PathBuf> {
        self.log_of_run.clone().or_else(|| Some(self.store.as_ref()?.log_file()))
    }

    /// Switches the log as it is set.
    fn apply_log_setting(&self) {
        let is_on = self.log_of_run.is_some() || self.settings.general.log;
        if let Some(store) = self.store.as_ref().filter(|_| is_on && self.log_of_run.is_none()) {
            store.make_log_folder();
        }
        self.log.set_file(self.log_file().as_deref().filter(|_| is_on));
    }

    /// Which of the programs that run with these settings this is, as long as it is held.
    #[cfg(feature = "gui")]
    pub(super) fn seat(&self) -> InstanceSlot {
        self.store.as_ref().map(Store::seat).unwrap_or_default()
    }

    /// The settings.
    pub const fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The language of the screen.
    pub const fn lang(&self) -> Lang {
        match self.named {
            Some(named) => named,
            None => Lang::resolve(self.settings.general.language, self.system),
        }
    }

    /// The look of the bar: the theme that is chosen, upon the ground that is.
    pub fn theme(&self) -> Theme {
        self.theme.theme.on(self.settings.window.ground, self.settings.window.key_color)
    }

    /// Changes settings. That counts at once; the [`Keeper`] writes it within a second, so that a slider can be
    /// dragged.
    pub fn change(&mut self, change: impl FnOnce(&mut Settings)) {
        let language = self.settings.general.language;
        change(&mut self.settings);
        self.apply_language(language);
        self.apply_log_setting();
        // One that was not known when it was looked around is put on when it was read.
        let is_new = |entry: &&ThemeEntry| entry.name == self.settings.overlay.theme && entry.name != self.theme.name;
        if let Some(entry) = self.themes.iter().find(is_new) {
            self.theme = ChosenTheme::known(entry);
        }
    }

    /// The themes there are, as [`look_around`](Self::look_around) found them.
    pub fn themes(&self) -> &[ThemeEntry] {
        &self.themes
    }

    /// Reads all themes, to be called when somebody is about to choose one. What was done before is no longer of
    /// interest then.
    pub fn check_files(&mut self) {
        self.done = None;
        self.themes = self.store.as_ref().map_or_else(ThemeEntry::shipped, Store::all_themes);
    }

    /// Makes a theme of the user's own out of the one of this name, and chooses it.
    pub fn copy_theme(&mut self, name: &str) {
        let theme = self.themes.iter().find(|entry| entry.name == name).map(|entry| entry.reading.theme);
        let added = self.with_store(|store| match theme {
            Some(theme) => store.add_theme(name, &theme).map_err(|error| Remark::ThemeNotDone((&error).into())),
            None => Err(Remark::NoTheme(name.to_owned())),
        });
        self.take_theme(added, Remark::ThemeCopied);
    }

    /// Takes a file of a theme in, and chooses it.
    pub fn import_theme(&mut self, path: &Path) {
        let remark = |error| match error {
            ImportError::NoTheme(why) => Remark::ThemeUnreadable(path.display().to_string(), why),
            ImportError::Unreadable(why) => Remark::ThemeNotDone((&why).into()),
            ImportError::Unwritable(why) => Remark::ThemeNotDone((&why).into()),
        };
        let added = self.with_store(|store| store.import_theme(path).map_err(remark));
        self.take_theme(added, Remark::ThemeImported);
    }

    /// Writes the theme of this name to a file.
    pub fn export_theme(&mut self, name: &str, path: &Path) {
        let theme = self.themes.iter().find(|entry| entry.name == name).map(|entry| entry.reading.theme);
        self.done = Some(match theme.map(|theme| export_theme(&theme, path)) {
            Some(Ok(())) => Remark::ThemeExported(path.to_owned()),
            Some(Err(error)) => Remark::ThemeNotDone((&error).into()),
            None => Remark::NoTheme(name.to_owned()),
        });
    }

    /// Says that there is no dialog to choose a file in, and what can be done without one.
    pub fn report_no_dialog(&mut self) {
        self.done = Some(self.store.as_ref().map_or(Remark::NoFolder, |store| Remark::NoDialog(store.themes_folder())));
    }

    /// What became of what the user asked for last.
    pub const fn done(&self) -> Option<&Remark> {
        self.done.as_ref()
    }

    /// Says what became of something that was asked for, or that this is no longer of interest.
    pub fn report(&mut self, remark: Option<Remark>) {
        self.done = remark;
    }

    /// All that is wrong with the settings and the theme that is chosen.
    pub fn warnings(&self) -> impl Iterator<Item = &Remark> {
        let settings = self.aside.iter().chain(&self.reading);
        settings.chain(&self.theme.trouble).chain(&self.writing).chain(&self.watching)
    }

    /// What is wrong and was not said before: for those who look at the bar, not at the settings.
    pub fn take_remarks(&mut self) -> Vec<Remark> {
        let trouble: Vec<_> = self.warnings().cloned().collect();
        let said = std::mem::replace(&mut self.said, trouble.clone());
        trouble.into_iter().filter(|remark| !said.contains(remark)).collect()
    }

    fn with_store<T>(&self, act: impl FnOnce(&Store) -> Result<T, Remark>) -> Result<T, Remark> {
        act(self.store.as_ref().ok_or(Remark::NoFolder)?)
    }

    fn take_theme(&mut self, added: Result<(String, PathBuf), Remark>, said: fn(String, PathBuf) -> Remark) {
        self.done = Some(match added {
            Ok((name, path)) => {
                self.check_files();
                self.change(|settings| settings.overlay.theme.clone_from(&name));
                said(name, path)
            }
            Err(remark) => remark,
        });
    }

    /// The language of this run counts no longer once one is set.
    fn apply_language(&mut self, before: Language) {
        self.named.take_if(|_| self.settings.general.language != before);
    }
}

/// Why settings cannot be read or written, as a remark.
fn remark(error: &StoreError) -> Remark {
    match error {
        StoreError::Unreadable(why) => Remark::SettingsUnreadable(why.into()),
        StoreError::Unwritable(_) | StoreError::Busy(_) => Remark::SettingsUnwritten(error.into()),
    }
}

#[cfg(test)]
mod tests;
