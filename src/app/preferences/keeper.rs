//! The thread that writes settings and looks whether files have changed.

use super::{Preferences, SharedPreferences};
use crate::text::Remark;
use crate::threads::{self, Thread, lock};
use std::sync::mpsc::{RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// How often is looked. Two files are asked for their size and time, which costs some microseconds.
const PERIOD: Duration = Duration::from_secs(1);

/// Writes what is changed in [`Preferences`], and takes in what others write. Nothing is lost when it is
/// dropped: it writes a last time.
#[derive(Debug)]
pub struct Keeper {
    preferences: SharedPreferences,
    /// The thread ends when this goes away.
    end: Option<SyncSender<()>>,
    thread: Option<Thread>,
}

impl Keeper {
    /// Begins to write and to look. `wake` is called, from another thread, whenever something has changed that
    /// may be on view: a setting, the theme, or what is wrong with them.
    pub fn start(preferences: &SharedPreferences, wake: impl Fn() + Send + 'static) -> Self {
        let (end, ended) = sync_channel(0);
        let shared = Arc::clone(preferences);
        let keep = move || {
            while ended.recv_timeout(PERIOD) == Err(RecvTimeoutError::Timeout) {
                if keep(&shared, false) {
                    wake();
                }
            }
        };
        let thread = threads::named("settings", keep);
        if let Err(error) = &thread {
            lock(preferences).watching = Some(Remark::NotWatched(error.to_string()));
        }
        Self { preferences: Arc::clone(preferences), end: Some(end), thread: thread.ok() }
    }
}

impl Drop for Keeper {
    fn drop(&mut self) {
        self.end = None;
        self.thread = None;
        keep(&self.preferences, true);
    }
}

/// Writes what was changed and takes in what others wrote; whether there is something new.
pub(super) fn keep(shared: &Mutex<Preferences>, end: bool) -> bool {
    let errand = lock(shared).errand(end);
    let found = errand.run();
    let (is_changed, look, store) = {
        let mut preferences = lock(shared);
        let is_changed = preferences.hear(found);
        (is_changed, preferences.look.clone(), preferences.store.clone())
    };
    let Some(new) = look.changed(store.as_ref()) else { return is_changed };
    let is_seen = (look.theme, &look.trouble) != (new.theme, &new.trouble);
    let themes = store.filter(|_| is_seen).map(|store| store.all_themes());
    let mut preferences = lock(shared);
    // Another may have been chosen meanwhile.
    if preferences.look == look {
        preferences.look = new;
    }
    if let Some(themes) = themes {
        preferences.themes = themes;
    }
    is_changed || is_seen
}
