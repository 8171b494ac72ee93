//! The thread that writes settings and looks whether files have changed.

use super::settings_sync::SyncPhase;
use super::{Preferences, SharedPreferences};
use crate::text::Remark;
use crate::threads::{self, Thread, lock};
use std::sync::mpsc::{RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// How often is looked. Two files are asked for their size and time, which costs some microseconds.
const PERIOD: Duration = Duration::from_secs(1);
/// How long a file has to be as it is before it is taken for whole.
const REST: Duration = Duration::from_millis(200);

/// Writes what is changed in [`Preferences`], and takes in what others write. Nothing is lost when it is
/// dropped: it writes a last time.
#[derive(Debug)]
pub struct SettingsWatcher {
    preferences: SharedPreferences,
    /// The thread ends when this goes away.
    end: Option<SyncSender<()>>,
    thread: Option<Thread>,
}

impl SettingsWatcher {
    /// Begins to write and to look. `wake` is called, from another thread, whenever something has changed that
    /// may be on view: a setting, the theme, or what is wrong with them.
    pub fn start(preferences: &SharedPreferences, wake: impl Fn() + Send + 'static) -> Self {
        let (end, ended) = sync_channel(0);
        let shared = Arc::clone(preferences);
        let keep = move || {
            let mut pause = PERIOD;
            while ended.recv_timeout(pause) == Err(RecvTimeoutError::Timeout) {
                let kept = keep(&shared, SyncPhase::Running);
                if kept.is_news {
                    wake();
                }
                pause = if kept.is_moving { REST } else { PERIOD };
            }
        };
        let thread = threads::named("settings", keep);
        if let Err(error) = &thread {
            lock(preferences).watching = Some(Remark::NotWatched(error.into()));
        }
        Self { preferences: Arc::clone(preferences), end: Some(end), thread: thread.ok() }
    }
}

impl Drop for SettingsWatcher {
    fn drop(&mut self) {
        self.end = None;
        self.thread = None;
        keep(&self.preferences, SyncPhase::End);
    }
}

/// What came of looking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct WatcherResult {
    /// Whether there is something new to be seen.
    pub(super) is_news: bool,
    /// Whether somebody may be in the middle of writing.
    pub(super) is_moving: bool,
}

/// Writes what was changed and takes in what others wrote.
pub(super) fn keep(shared: &Mutex<Preferences>, when: SyncPhase) -> WatcherResult {
    let errand = lock(shared).start_sync(when);
    let found = errand.run();
    let is_moving = found.is_moving;
    WatcherResult { is_news: lock(shared).apply_sync(found), is_moving }
}
