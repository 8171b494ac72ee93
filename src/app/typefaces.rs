//! The fonts of this machine.

use super::workshop::Wake;
use crate::session::Mailbox;
use crate::threads;
use crate::ui::fonts;
use std::sync::Arc;

/// The fonts of this machine, looked for when somebody is about to choose one.
#[derive(Debug, Default)]
pub struct Typefaces {
    begun: bool,
    found: Mailbox<Vec<String>>,
    families: Option<Vec<String>>,
}

impl Typefaces {
    /// Looks for them, once; `wake` is called when that is done. It takes some tens of milliseconds.
    pub fn look_around(&mut self, wake: &Wake) {
        if std::mem::replace(&mut self.begun, true) {
            return;
        }
        let (found, wake) = (Mailbox::clone(&self.found), Arc::clone(wake));
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
    pub fn listen(&mut self) {
        if let Some(families) = self.found.take() {
            self.families = Some(families);
        }
    }

    /// The names of their families; `None` while they are looked for.
    pub fn families(&self) -> Option<&[String]> {
        self.families.as_deref()
    }
}
