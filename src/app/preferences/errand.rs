//! Reading and writing the settings without holding them meanwhile.

use super::{Preferences, remark};
use crate::config::Settings;
use crate::files::{self, Stamp};
use crate::store::{Reading, Store, StoreError};
use crate::text::Remark;

/// What is to be looked at and written.
#[derive(Debug)]
pub(super) struct Errand {
    store: Option<Store>,
    stamp: Option<Stamp>,
    before: Settings,
    after: Settings,
    /// Whether what was changed is to be written.
    write: bool,
}

/// What was found and written.
#[derive(Debug, Default)]
pub(super) struct Found {
    stamp: Option<Stamp>,
    read: Option<Result<Reading<Settings>, StoreError>>,
    /// What was to be written, and what is in the file then.
    written: Option<(Settings, Result<Settings, StoreError>)>,
}

impl Preferences {
    /// What is to be looked at and written now; what could not be written before is only tried again at the
    /// `end`.
    pub(super) fn errand(&self, end: bool) -> Errand {
        let is_new = self.given_up.as_ref() != Some(&self.settings);
        Errand {
            store: self.store.clone(),
            stamp: self.stamp,
            before: self.stored.clone(),
            after: self.settings.clone(),
            write: self.settings != self.stored && (is_new || end),
        }
    }

    /// Takes in what was found; whether that changes anything. What was changed since then stays so.
    pub(super) fn hear(&mut self, found: Found) -> bool {
        let (settings, reading, writing) = (self.settings.clone(), self.reading.clone(), self.writing.clone());
        self.stamp = found.stamp;
        let mut was_set_aside = false;
        match found.read {
            Some(Ok(read)) => {
                was_set_aside = read.set_aside.is_some();
                let aside = read.set_aside.map(|(why, aside)| Remark::SettingsAside(why, aside));
                self.reading = aside.into_iter().chain(read.findings.into_iter().map(Remark::SettingLost)).collect();
                if !was_set_aside {
                    let before = std::mem::replace(&mut self.stored, read.value);
                    self.rebase(&before);
                }
            }
            Some(Err(error)) => self.reading = vec![remark(&error)],
            None => {}
        }
        if was_set_aside {
            self.stored = Settings::default();
        }
        match found.written {
            Some((after, Ok(written))) => {
                self.stored = written;
                self.rebase(&after);
                (self.given_up, self.writing) = (None, None);
            }
            Some((after, Err(error))) => (self.given_up, self.writing) = (Some(after), Some(remark(&error))),
            None => {}
        }
        self.dress();
        settings != self.settings || reading != self.reading || writing != self.writing
    }

    /// What is in force: what is stored, and what was changed since it was `before`.
    fn rebase(&mut self, before: &Settings) {
        let mut settings = self.stored.clone();
        settings.carry_over(before, &self.settings);
        self.settings = settings;
    }
}

impl Errand {
    /// Looks and writes.
    pub(super) fn run(self) -> Found {
        let mut found = Found { stamp: self.stamp, ..Found::default() };
        let Some(store) = &self.store else { return found };
        let stamp = files::stamp(&store.settings_file());
        // An editor may have taken the file away to put another in its place: what was read stays in force.
        if stamp.is_some() && stamp != self.stamp {
            // The one that was there before it was read: a later one is seen the next time.
            found.stamp = stamp;
            found.read = Some(store.settings());
        }
        let was_set_aside = matches!(&found.read, Some(Ok(read)) if read.set_aside.is_some());
        let is_gone = stamp.is_none() || was_set_aside;
        if self.write || was_set_aside && self.after != Settings::default() {
            // All that is in force goes into a new file, not only what was changed.
            let before = if is_gone { Settings::default() } else { self.before };
            let written = store.change_settings(|settings| settings.carry_over(&before, &self.after));
            found.written = Some((self.after, written));
        }
        found
    }
}
