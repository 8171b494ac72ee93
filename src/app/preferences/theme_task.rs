//! Work on theme files that the user requests. It is done without holding the lock.

use super::{Preferences, SharedPreferences};
use shogibar_base::threads::{self, lock};
use shogibar_config::{Remark, Theme};
use shogibar_machine::store::{ImportError, Store, ThemeEntry, export_theme};
use shogibar_model::record_file::WakeFn;
use std::path::PathBuf;
use std::sync::Arc;

/// A request of the user for theme files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ThemeTask {
    /// List all themes: the user is about to choose one.
    List,
    /// Copy the theme of this name to a user's theme, and choose it.
    Copy(String),
    /// Import a theme file, and choose the theme.
    Import(PathBuf),
    /// Export the theme of this name to a file.
    Export(String, PathBuf),
}

/// A request with all its data.
#[derive(Debug)]
pub(super) struct ThemeJob {
    task: ThemeTask,
    /// The number of the request.
    number: u64,
    store: Option<Store>,
    /// The theme that is copied or exported; `None` if no theme has the requested name.
    theme: Option<Theme>,
}

/// The result of a [`ThemeTask`].
#[derive(Debug)]
pub(super) struct ThemeResult {
    /// The number of the request.
    number: u64,
    themes: Vec<ThemeEntry>,
    /// The name of the theme to choose, if any.
    theme: Option<String>,
    /// The remark for the user.
    remark: Option<Remark>,
}

impl ThemeJob {
    /// Reads and writes the files. Returns the result with the number of the request.
    pub(super) fn run(self) -> ThemeResult {
        let Self {
            task,
            number,
            store,
            theme,
        } = self;
        let store = store.as_ref();
        let done = match &task {
            ThemeTask::List => Ok((None, None)),
            ThemeTask::Copy(name) => copy_theme(store, name, theme),
            ThemeTask::Import(path) => import_theme(store, path),
            ThemeTask::Export(name, path) => match theme.map(|theme| export_theme(&theme, path)) {
                Some(Ok(())) => Ok((None, Some(Remark::ThemeExported(path.clone())))),
                Some(Err(error)) => Err(Remark::ThemeNotDone((&error).into())),
                None => Err(Remark::NoTheme(name.clone())),
            },
        };
        let (chosen, remark) = done.unwrap_or_else(|why| (None, Some(why)));
        let themes = store.map_or_else(ThemeEntry::shipped, Store::all_themes);
        ThemeResult {
            number,
            themes,
            theme: chosen,
            remark,
        }
    }
}

/// The theme to choose and the remark for the user, or a remark about the failure.
type ThemeOutcome = Result<(Option<String>, Option<Remark>), Remark>;

fn copy_theme(store: Option<&Store>, name: &str, theme: Option<Theme>) -> ThemeOutcome {
    let store = store.ok_or(Remark::NoFolder)?;
    let theme = theme.ok_or_else(|| Remark::NoTheme(name.to_owned()))?;
    let (name, path) = store
        .add_theme(name, &theme)
        .map_err(|error| Remark::ThemeNotDone((&error).into()))?;
    Ok((Some(name.clone()), Some(Remark::ThemeCopied(name, path))))
}

fn import_theme(store: Option<&Store>, path: &std::path::Path) -> ThemeOutcome {
    let remark = |error| match error {
        ImportError::NotToml(why) => Remark::ThemeUnreadable(path.display().to_string(), why),
        ImportError::Unreadable(why) => Remark::ThemeNotDone((&why).into()),
        ImportError::Unwritable(why) => Remark::ThemeNotDone((&why).into()),
    };
    let (name, path) = store
        .ok_or(Remark::NoFolder)?
        .import_theme(path)
        .map_err(remark)?;
    Ok((Some(name.clone()), Some(Remark::ThemeImported(name, path))))
}

impl Preferences {
    /// Numbers a request and collects its data. Drops the result of the request before.
    pub(super) fn start_theme_task(&mut self, task: ThemeTask) -> ThemeJob {
        self.last_result = None;
        self.theme_task_count += 1;
        let theme = match &task {
            ThemeTask::Copy(name) | ThemeTask::Export(name, _) => self
                .themes
                .iter()
                .find(|entry| entry.name == *name)
                .map(|entry| entry.reading.theme),
            ThemeTask::List | ThemeTask::Import(_) => None,
        };
        ThemeJob {
            task,
            number: self.theme_task_count,
            store: self.store.clone(),
            theme,
        }
    }

    /// Applies the result of a request.
    pub(super) fn finish_theme_task(&mut self, result: ThemeResult) {
        // An older list may lack the theme that a newer request has added, so only the newest list is used.
        if result.number == self.theme_task_count {
            self.themes = result.themes;
        }
        self.last_result = result.remark.or_else(|| self.last_result.take());
        if let Some(name) = result.theme {
            self.change(|settings| settings.overlay.theme = name);
        }
    }
}

/// Carries out a request on another thread, and wakes the windows when it is done.
pub fn run_theme_task(shared: &SharedPreferences, task: ThemeTask, wake: &WakeFn) {
    let job = lock(shared).start_theme_task(task);
    let (preferences, waker) = (Arc::clone(shared), Arc::clone(wake));
    let work = move || {
        let result = job.run();
        lock(&preferences).finish_theme_task(result);
        waker();
    };
    match threads::spawn("themes", work) {
        Ok(thread) => thread.detach(),
        Err(why) => {
            lock(shared).last_result = Some(Remark::ThemeNotDone((&why).into()));
            wake();
        }
    }
}
