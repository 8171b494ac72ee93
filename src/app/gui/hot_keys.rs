//! Keys that work wherever the user is.

use crate::config::Keys;
use crate::text::Command;
use global_hotkey::hotkey::HotKey;
use global_hotkey::{GlobalHotKeyEvent, GlobalHotKeyManager, HotKeyState};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

/// The keys that work everywhere, and which of them were pressed.
pub(super) struct HotKeys {
    /// `None` where the system has no such keys.
    manager: Option<GlobalHotKeyManager>,
    /// As they were asked for.
    keys: Option<Keys>,
    registered: Vec<(HotKey, Command)>,
    pressed: Arc<Mutex<VecDeque<u32>>>,
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
        let pressed = Arc::<Mutex<VecDeque<u32>>>::default();
        let heard = Arc::clone(&pressed);
        GlobalHotKeyEvent::set_event_handler(Some(move |event: GlobalHotKeyEvent| {
            if event.state() == HotKeyState::Pressed {
                heard.lock().unwrap_or_else(PoisonError::into_inner).push_back(event.id());
                wake();
            }
        }));
        Self { manager: GlobalHotKeyManager::new().ok(), keys: None, registered: Vec::new(), pressed }
    }

    /// Has these keys work and no others; says which do not.
    pub(super) fn set(&mut self, keys: &Keys) -> Vec<Refused> {
        if self.keys.as_ref() == Some(keys) {
            return Vec::new();
        }
        self.keys = Some(keys.clone());
        let Some(manager) = &self.manager else { return Vec::new() };
        for (key, _) in self.registered.drain(..) {
            // One that is not registered any more is what is wanted.
            let _gone_already = manager.unregister(key);
        }
        let mut refused = Vec::new();
        for (text, command) in [(&keys.hide, Command::Hide), (&keys.click_through, Command::ClickThrough)] {
            if text.is_empty() {
                continue;
            }
            let registered = text.parse::<HotKey>().map_err(|error| error.to_string());
            let registered =
                registered.and_then(|key| manager.register(key).map(|()| key).map_err(|error| error.to_string()));
            match registered {
                Ok(key) => self.registered.push((key, command)),
                Err(why) => refused.push(Refused { key: text.clone(), why }),
            }
        }
        refused
    }

    /// Whether a key works that asks for this.
    pub(super) fn has(&self, command: Command) -> bool {
        self.registered.iter().any(|(_, registered)| *registered == command)
    }

    /// What was asked for by a key since.
    pub(super) fn pressed(&self) -> Vec<Command> {
        let pressed: Vec<_> = self.pressed.lock().unwrap_or_else(PoisonError::into_inner).drain(..).collect();
        let command = |id: u32| self.registered.iter().find(|(key, _)| key.id() == id).map(|(_, command)| *command);
        pressed.into_iter().filter_map(command).collect()
    }
}
