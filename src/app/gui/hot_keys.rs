//! Keys that work wherever the user is.

use crate::config::Keys;
use crate::text::Command;
use crate::threads;
use global_hotkey::hotkey::HotKey;
use global_hotkey::{GlobalHotKeyEvent, GlobalHotKeyManager, HotKeyState};
use std::sync::{Arc, Mutex, MutexGuard};

/// Has keys work everywhere. It stays on the main thread, as Windows wants it; what it hears is a [`Pressed`].
pub(super) struct HotKeys {
    /// `None` where the system has no such keys.
    manager: Option<GlobalHotKeyManager>,
    /// As they were asked for.
    keys: Option<Keys>,
    pressed: Pressed,
}

/// The keys that were pressed, for whoever does what they stand for.
#[derive(Clone, Default)]
pub(super) struct Pressed(Arc<Mutex<Heard>>);

#[derive(Default)]
struct Heard {
    registered: Vec<(HotKey, Command)>,
    pressed: Vec<Command>,
}

/// A key that does not work, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Refused {
    /// As it is set.
    pub(super) key: String,
    /// What the system says of it.
    pub(super) why: String,
}

impl HotKeys {
    /// No keys yet; `wake` is called on another thread when one is pressed.
    pub(super) fn new(wake: impl Fn() + Send + Sync + 'static) -> Self {
        let pressed = Pressed::default();
        let heard = pressed.clone();
        GlobalHotKeyEvent::set_event_handler(Some(move |event: GlobalHotKeyEvent| {
            if event.state() == HotKeyState::Pressed {
                heard.hear(event.id());
                wake();
            }
        }));
        Self { manager: GlobalHotKeyManager::new().ok(), keys: None, pressed }
    }

    /// What they hear.
    pub(super) fn pressed(&self) -> Pressed {
        self.pressed.clone()
    }

    /// Has these keys work and no others; says which do not.
    pub(super) fn set(&mut self, keys: &Keys) -> Vec<Refused> {
        if self.keys.as_ref() == Some(keys) {
            return Vec::new();
        }
        self.keys = Some(keys.clone());
        let Some(manager) = &self.manager else { return Vec::new() };
        for (key, _) in std::mem::take(&mut self.pressed.lock().registered) {
            // One that is not registered any more is what is wanted.
            let _gone_already = manager.unregister(key);
        }
        let mut refused = Vec::new();
        for (text, command) in [(&keys.hide, Command::Hide), (&keys.click_through, Command::ClickThrough)] {
            if text.is_empty() {
                continue;
            }
            let key = text.parse::<HotKey>().map_err(|error| error.to_string());
            match key.and_then(|key| manager.register(key).map(|()| key).map_err(|error| error.to_string())) {
                Ok(key) => self.pressed.lock().registered.push((key, command)),
                Err(why) => refused.push(Refused { key: text.clone(), why }),
            }
        }
        refused
    }
}

impl Pressed {
    /// Whether a key works that asks for this.
    pub(super) fn has(&self, command: Command) -> bool {
        self.lock().registered.iter().any(|(_, registered)| *registered == command)
    }

    /// What was asked for by a key since.
    pub(super) fn take(&self) -> Vec<Command> {
        std::mem::take(&mut self.lock().pressed)
    }

    fn hear(&self, id: u32) {
        let mut heard = self.lock();
        let command = heard.registered.iter().find(|(key, _)| key.id() == id).map(|(_, command)| *command);
        heard.pressed.extend(command);
    }

    fn lock(&self) -> MutexGuard<'_, Heard> {
        threads::lock(&self.0)
    }
}
