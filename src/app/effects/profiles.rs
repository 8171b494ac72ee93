//! The file of the user's engine profiles: read and written on a background thread, one task after the other.

use shogibar_base::threads::{self, lock};
use shogibar_config::{NameError, Profiles, Remark};
use shogibar_machine::store::{SavedConfig, Store, StoreError};
use shogibar_model::record_file::WakeFn;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use thiserror::Error;

/// A function that changes the profile with a name, and returns the name after the change. The change is applied to the
/// profiles shown and to those in the file.
pub type ProfileEdit = Box<dyn Fn(&mut Profiles, &str) -> Result<String, NameError> + Send>;

/// A task on the file of engine profiles.
#[expect(
    missing_debug_implementations,
    reason = "it holds a callback, which has no Debug"
)]
pub enum ProfileTask {
    /// Read the file: another program may have changed it.
    Read,
    /// Change one profile in the file.
    Change {
        /// The name of the profile.
        name: String,
        /// The name that is shown after the change.
        shown: String,
        /// The change of the profile.
        change: ProfileEdit,
    },
}

/// The result of a [`ProfileTask`].
#[derive(Debug)]
pub struct ProfileResult {
    /// The number of the task.
    pub number: u64,
    /// The profiles in the file, as far as is known.
    pub profiles: Profiles,
    /// The remarks about the file, or why the task failed.
    pub remarks: Result<Vec<Remark>, Remark>,
    /// The name shown for a profile and the name in the file, if these differ.
    pub new_name: Option<(String, String)>,
}

/// The file of the profiles. Tasks are queued and carried out in the background.
#[expect(
    missing_debug_implementations,
    reason = "its tasks hold callbacks, which have no Debug"
)]
pub struct ProfileFile {
    /// The user's folder. Without one, nothing is read or written.
    store: Option<Store>,
    queue: Mutex<ProfileQueue>,
    /// The profiles in the file, as far as is known. Locked while a task is carried out.
    stored_profiles: Mutex<Profiles>,
}

/// The waiting tasks, and the results that were not taken yet.
#[derive(Default)]
struct ProfileQueue {
    tasks: VecDeque<(u64, ProfileTask)>,
    /// The number of the newest task.
    newest_number: u64,
    results: Vec<ProfileResult>,
    /// Whether a thread carries out the tasks.
    is_running: bool,
}

/// The reason why the file could not be changed.
#[derive(Debug, Error)]
enum ChangeError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Name(#[from] NameError),
}

impl ProfileFile {
    /// Creates the file in a user's folder, with the profiles that were read last.
    pub fn new(store: Option<Store>, profiles: Profiles) -> Self {
        Self {
            store,
            queue: Mutex::default(),
            stored_profiles: Mutex::new(profiles),
        }
    }

    /// Returns the profiles in the file, as far as is known. Waits while a task is carried out.
    pub fn last_known_profiles(&self) -> Profiles {
        lock(&self.stored_profiles).clone()
    }

    /// Returns the user's folder, if there is one.
    pub const fn store(&self) -> Option<&Store> {
        self.store.as_ref()
    }

    /// Queues a task, and returns its number. `wake` is called when the task is done, usually from another thread.
    /// Blocks only if the system has no thread: the tasks are then carried out at once.
    pub fn start(self: &Arc<Self>, task: ProfileTask, wake: &WakeFn) -> u64 {
        let (number, is_running) = {
            let mut queue = lock(&self.queue);
            queue.newest_number += 1;
            let number = queue.newest_number;
            queue.tasks.push_back((number, task));
            (number, std::mem::replace(&mut queue.is_running, true))
        };
        if !is_running {
            let (file, waker) = (Arc::clone(self), Arc::clone(wake));
            let work = threads::spawn("profiles", move || {
                file.finish();
                waker();
            });
            if let Ok(thread) = work {
                thread.detach();
            } else {
                // If no thread can be started, the tasks are carried out on this one.
                self.finish();
                wake();
            }
        }
        number
    }

    /// Removes and returns the results of all tasks done since the last call, in their order. Never blocks.
    pub fn take_results(&self) -> Vec<ProfileResult> {
        std::mem::take(&mut lock(&self.queue).results)
    }

    /// Carries out all queued tasks. Slow. Waits while another thread does so.
    pub fn finish(&self) {
        let mut stored = lock(&self.stored_profiles);
        loop {
            let next = {
                let mut queue = lock(&self.queue);
                let next = queue.tasks.pop_front();
                queue.is_running = next.is_some();
                next
            };
            let Some((number, task)) = next else { return };
            let result = task.run(number, self.store.as_ref(), &mut stored);
            let mut queue = lock(&self.queue);
            if let Some((shown, stored)) = &result.new_name {
                queue
                    .tasks
                    .iter_mut()
                    .for_each(|(_, task)| task.rename(shown, stored));
            }
            queue.results.push(result);
        }
    }

    /// Carries out all queued tasks on another thread. Waits for that thread half a second at most.
    pub fn finish_soon(self: &Arc<Self>) {
        let file = Arc::clone(self);
        threads::finish_soon("last profiles", move || file.finish());
    }

    /// Reads the profiles after all queued tasks; empty if they cannot be read. Slow.
    pub fn profiles(&self) -> Profiles {
        self.finish();
        match &self.store {
            Some(store) => store.profiles().unwrap_or_default().value,
            None => self.last_known_profiles(),
        }
    }
}

impl ProfileTask {
    fn rename(&mut self, shown: &str, stored: &str) {
        if let Self::Change { name, .. } = self
            && name == shown
        {
            stored.clone_into(name);
        }
    }

    /// Carries out the task. Returns the profiles after the task, the remarks, and the shown and stored names, if these
    /// differ.
    fn run(self, number: u64, store: Option<&Store>, stored: &mut Profiles) -> ProfileResult {
        let Self::Change { name, shown, change } = self else {
            let remarks = read(store, stored);
            return ProfileResult {
                number,
                profiles: stored.clone(),
                remarks,
                new_name: None,
            };
        };
        let (remarks, name) = match apply(&name, &change, store, stored) {
            Ok(SavedConfig {
                value,
                findings,
                backup,
            }) => {
                let backup = backup.map(|backup| Remark::EnginesBackedUp(backup.toml_error, backup.path));
                (
                    Ok(backup
                        .into_iter()
                        .chain(findings.into_iter().map(Remark::SettingLost))
                        .collect()),
                    value,
                )
            }
            Err(ChangeError::Name(error)) => {
                // Another program may have removed the engine or taken the name, so the file is read again.
                let _last_known_otherwise = read(store, stored);
                (Err(Remark::EngineName(error)), name)
            }
            Err(ChangeError::Store(error)) => (Err(Remark::EnginesNotChanged((&error).into())), name),
        };
        let renamed = (shown != name).then_some((shown, name));
        ProfileResult {
            number,
            profiles: stored.clone(),
            remarks,
            new_name: renamed,
        }
    }
}

/// Reads the file into `stored`. Returns the remarks about the file, or a remark about the failure.
fn read(store: Option<&Store>, stored: &mut Profiles) -> Result<Vec<Remark>, Remark> {
    let Some(store) = store else { return Ok(Vec::new()) };
    let reading = store
        .profiles()
        .map_err(|error| Remark::EnginesUnreadable((&error).into()))?;
    *stored = reading.value;
    let not_toml = reading
        .toml_error
        .map(|why| Remark::EnginesUnreadable(why.into()));
    Ok(not_toml
        .into_iter()
        .chain(reading.findings.into_iter().map(Remark::SettingLost))
        .collect())
}

/// Changes the profile with a name in the file, and `stored` likewise. Without a user's folder, changes only `stored`.
/// Returns the profile's name after the change.
fn apply(
    name: &str,
    change: &ProfileEdit,
    store: Option<&Store>,
    stored: &mut Profiles,
) -> Result<SavedConfig<String>, ChangeError> {
    let Some(store) = store else {
        return Ok(SavedConfig {
            value: change(stored, name)?,
            findings: Vec::new(),
            backup: None,
        });
    };
    let saved = store.change_profiles(|profiles| -> Result<_, ChangeError> {
        Ok((change(profiles, name)?, profiles.clone()))
    })?;
    let SavedConfig {
        value: (name, profiles),
        findings,
        backup,
    } = saved;
    *stored = profiles;
    Ok(SavedConfig {
        value: name,
        findings,
        backup,
    })
}
