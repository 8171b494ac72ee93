//! The thread that writes settings and checks the files for changes.

use super::settings_sync::SyncPhase;
use super::{Preferences, SharedPreferences};
use shogibar_base::threads::{self, Thread, lock};
use shogibar_config::Remark;
use std::sync::mpsc::{RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// The interval between two checks of the files. A check reads size and time of two files, in some microseconds.
const CHECK_INTERVAL: Duration = Duration::from_secs(1);
/// The time for which a file has to stay unchanged before it is read as complete.
const MIN_UNCHANGED_TIME: Duration = Duration::from_millis(200);

/// Writes changes of [`Preferences`], and reads changes of other programs. Dropping it writes a last time, and waits
/// for that half a second at most.
#[derive(Debug)]
pub struct SettingsWatcher {
    preferences: SharedPreferences,
    /// The end of a channel to the thread. Dropping it ends the thread.
    end: Option<SyncSender<()>>,
    thread: Option<Thread>,
}

impl SettingsWatcher {
    /// Starts the thread. The thread calls `wake` when a setting, the theme or their problems have changed.
    pub fn start(preferences: &SharedPreferences, wake: impl Fn() + Send + 'static) -> Self {
        let (end, ended) = sync_channel(0);
        let shared = Arc::clone(preferences);
        let watch = move || {
            let mut pause = CHECK_INTERVAL;
            while ended.recv_timeout(pause) == Err(RecvTimeoutError::Timeout) {
                let result = sync(&shared, SyncPhase::Running);
                if result.has_changes {
                    wake();
                }
                pause = if result.is_changing {
                    MIN_UNCHANGED_TIME
                } else {
                    CHECK_INTERVAL
                };
            }
        };
        let thread = threads::spawn("settings", watch);
        if let Err(error) = &thread {
            lock(preferences).watch_problem = Some(Remark::NotWatched(error.into()));
        }
        Self {
            preferences: Arc::clone(preferences),
            end: Some(end),
            thread: thread.ok(),
        }
    }
}

impl Drop for SettingsWatcher {
    fn drop(&mut self) {
        self.end = None;
        // The files may be on a disk that hangs or locked by another program, so the thread is not joined.
        if let Some(thread) = self.thread.take() {
            thread.detach();
        }
        let preferences = Arc::clone(&self.preferences);
        threads::finish_soon("last settings", move || _ = sync(&preferences, SyncPhase::End));
    }
}

/// The result of one [`sync`] of the settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct WatcherResult {
    /// Whether the windows have to show a change.
    pub(super) has_changes: bool,
    /// Whether a file may be half written.
    pub(super) is_changing: bool,
}

/// Writes the changes of this program and reads those of others. Returns whether anything changed and whether a file
/// may be half written.
pub(super) fn sync(shared: &Mutex<Preferences>, phase: SyncPhase) -> WatcherResult {
    let sync = lock(shared).start_sync(phase);
    let result = sync.run();
    let is_changing = result.is_changing;
    WatcherResult {
        has_changes: lock(shared).apply_sync(result),
        is_changing,
    }
}
