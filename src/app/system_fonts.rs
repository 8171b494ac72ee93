//! The fonts of this machine.

use super::engine_manager::WakeEngines;
use crate::session::Latest;
use crate::threads;
use crate::ui::fonts;
use std::sync::Arc;

/// The fonts of this machine, looked for when somebody is about to choose one.
#[derive(Debug, Default)]
pub struct SystemFonts {
    begun: bool,
    found: Latest<Vec<String>>,
    families: Option<Vec<String>>,
}

impl SystemFonts {
    /// Looks for them, once; `wake` is called when that is done. It takes some tens of milliseconds.
    pub fn start_scan(&mut self, wake: &WakeEngines) {
        if std::mem::replace(&mut self.begun, true) {
            return;
        }
        let (found, wake) = (Latest::clone(&self.found), Arc::clone(wake));
        let look = move || {
            found.put(fonts::families());
            wake();
        };
        match threads::named("fonts", look) {
            Ok(thread) => thread.detach(),
            // Without a thread there are none to choose from; the name of one can be typed all the same.
            Err(_) => self.families = Some(Vec::new()),
        }
    }

    /// Takes in what was found since.
    pub fn poll(&mut self) {
        if let Some(families) = self.found.take() {
            self.families = Some(families);
        }
    }

    /// The names of their families; `None` while they are looked for.
    pub fn families(&self) -> Option<&[String]> {
        self.families.as_deref()
    }
}
