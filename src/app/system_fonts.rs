//! The list of installed fonts.

use super::engine_manager::WakeEngines;
use crate::session::Latest;
use crate::threads;
use crate::ui::fonts;
use std::sync::Arc;

/// The font families of this machine, listed when the user is about to choose one.
#[derive(Debug, Default)]
pub struct SystemFonts {
    is_started: bool,
    found: Latest<Vec<String>>,
    families: Option<Vec<String>>,
}

impl SystemFonts {
    /// Starts to list them, once; takes some tens of milliseconds. `wake` is called when that is done.
    pub fn start_scan(&mut self, wake: &WakeEngines) {
        if std::mem::replace(&mut self.is_started, true) {
            return;
        }
        let (found, wake) = (Latest::clone(&self.found), Arc::clone(wake));
        let scan = move || {
            found.put(fonts::families());
            wake();
        };
        match threads::spawn("fonts", scan) {
            Ok(thread) => thread.detach(),
            // Without a thread the list stays empty; a font's name can still be typed.
            Err(_) => self.families = Some(Vec::new()),
        }
    }

    /// Takes in the list once it is there.
    pub fn poll(&mut self) {
        if let Some(families) = self.found.take() {
            self.families = Some(families);
        }
    }

    /// The names of the families; `None` until they are listed.
    pub fn families(&self) -> Option<&[String]> {
        self.families.as_deref()
    }
}
