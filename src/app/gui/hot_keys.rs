//! Global keys, which work in every program.

use global_hotkey::hotkey::HotKey;
use global_hotkey::{Error, GlobalHotKeyEvent, GlobalHotKeyManager, HotKeyState};
use shogibar_base::threads;
use shogibar_config::{Command, HotKeyScope, HotKeySettings, Shortcut};
use shogibar_model::{KeyRefusal, Message};
use std::sync::{Arc, Mutex, MutexGuard};

/// Registers global keys. Stays on the main thread, as Windows requires; presses arrive in [`HotKeyEvents`].
pub(super) struct HotKeys<S = GlobalHotKeyManager> {
    /// The system's registration of keys; `None` if the system has no global keys.
    system: Option<S>,
    /// The keys that were last set; `None` before the first call of [`set`](Self::set).
    keys: Option<HotKeySettings>,
    /// Whether another instance runs. A key that is already registered then belongs to it.
    has_others: bool,
    events: HotKeyEvents,
}

/// The system's registration of global keys.
pub(super) trait HotKeySystem {
    fn register(&self, key: HotKey) -> Result<(), Error>;

    fn unregister(&self, key: HotKey) -> Result<(), Error>;
}

impl HotKeySystem for GlobalHotKeyManager {
    fn register(&self, key: HotKey) -> Result<(), Error> {
        Self::register(self, key)
    }

    fn unregister(&self, key: HotKey) -> Result<(), Error> {
        Self::unregister(self, key)
    }
}

/// The keys that were pressed, shared with the window that handles them.
#[derive(Clone, Debug, Default)]
pub(super) struct HotKeyEvents(Arc<Mutex<SharedKeys>>);

/// The registered keys, and the commands whose keys were pressed.
#[derive(Debug, Default)]
struct SharedKeys {
    scope: HotKeyScope,
    registered_keys: Vec<(HotKey, Command)>,
    pressed_commands: Vec<Command>,
}

impl HotKeys {
    /// Creates the registration without keys. `wake` is called on another thread when a key is pressed.
    pub(super) fn new(scope: HotKeyScope, wake: impl Fn() + Send + Sync + 'static) -> Self {
        let pressed = HotKeyEvents::default();
        let events = pressed.clone();
        GlobalHotKeyEvent::set_event_handler(Some(move |event: GlobalHotKeyEvent| {
            if event.state() == HotKeyState::Pressed {
                events.on_press(event.id());
                wake();
            }
        }));
        // Without X11, the crate accepts every key but receives none.
        let system = if scope == HotKeyScope::Nowhere {
            None
        } else {
            GlobalHotKeyManager::new().ok()
        };
        Self::with_system(system, scope, pressed)
    }
}

impl<S: HotKeySystem> HotKeys<S> {
    /// Creates the registration without keys. `system` registers the keys; `None` if the system has no global keys.
    fn with_system(system: Option<S>, scope: HotKeyScope, pressed: HotKeyEvents) -> Self {
        pressed.lock().scope = if system.is_some() {
            scope
        } else {
            HotKeyScope::Nowhere
        };
        Self {
            system,
            keys: None,
            has_others: false,
            events: pressed,
        }
    }

    /// Sets whether another instance runs.
    pub(super) const fn set_has_others(&mut self, has_others: bool) {
        self.has_others = has_others;
    }

    pub(super) fn events(&self) -> HotKeyEvents {
        self.events.clone()
    }

    /// Returns whether keys were set, so that the working keys are known.
    pub(super) const fn are_set(&self) -> bool {
        self.keys.is_some()
    }

    /// Registers these keys and no others. Returns messages about the keys that could not be registered.
    pub(super) fn set(&mut self, keys: &HotKeySettings) -> Vec<Message> {
        if self.keys.as_ref() == Some(keys) {
            return Vec::new();
        }
        self.keys = Some(keys.clone());
        let wanted = [
            (&keys.hide, Command::Hide),
            (&keys.click_through, Command::ClickThrough),
            (&keys.lock, Command::Lock),
            (&keys.switch, Command::Switch),
        ];
        let Some(system) = &self.system else {
            return if wanted.iter().any(|(text, _)| !text.is_empty()) {
                vec![Message::NoKeys]
            } else {
                Vec::new()
            };
        };
        // The lock is released before the call: the system may be waiting to report a pressed key.
        let before = std::mem::take(&mut self.events.lock().registered_keys);
        for (key, _) in before {
            // A key that is already unregistered is fine.
            let _gone_already = system.unregister(key);
        }
        let (mut refused, mut ours) = (Vec::new(), Vec::new());
        for (text, command) in wanted {
            match register(system, text) {
                Ok(Some(key)) => self.events.lock().registered_keys.push((key, command)),
                Ok(None) => {}
                Err(KeyRefusal::Taken) if self.has_others => ours.push(text.as_str()),
                Err(why) => refused.push(Message::KeyRefused(text.clone(), why)),
            }
        }
        if !ours.is_empty() {
            refused.push(Message::KeyRefused(ours.join(", "), KeyRefusal::HeldByShogibar));
        }
        refused
    }
}

/// Registers the key of a text, and returns it; `None` for an empty text. The text is parsed as on the settings page
/// and in the file.
fn register(system: &impl HotKeySystem, text: &str) -> Result<Option<HotKey>, KeyRefusal> {
    let Some(read) = Shortcut::parse_hot_key(text).map_err(KeyRefusal::InvalidKey)? else {
        return Ok(None);
    };
    let key = read
        .to_string()
        .parse::<HotKey>()
        .map_err(|error| KeyRefusal::Failed(error.to_string()))?;
    match system.register(key) {
        Ok(()) => Ok(Some(key)),
        Err(Error::AlreadyRegistered(_)) => Err(KeyRefusal::Taken),
        Err(error) => Err(KeyRefusal::Failed(error.to_string())),
    }
}

impl HotKeyEvents {
    /// Returns whether a key for this command works in every program.
    pub(super) fn has_global_key(&self, command: Command) -> bool {
        let events = self.lock();
        events.scope == HotKeyScope::Everywhere
            && events
                .registered_keys
                .iter()
                .any(|(_, registered)| *registered == command)
    }

    /// Returns the programs in which the keys work.
    pub(super) fn scope(&self) -> HotKeyScope {
        self.lock().scope
    }

    /// Removes and returns the commands whose keys were pressed since the last call.
    pub(super) fn take(&self) -> Vec<Command> {
        std::mem::take(&mut self.lock().pressed_commands)
    }

    /// Adds the command of a pressed key, if the key is registered.
    fn on_press(&self, id: u32) {
        let mut events = self.lock();
        let command = events
            .registered_keys
            .iter()
            .find(|(key, _)| key.id() == id)
            .map(|(_, command)| *command);
        events.pressed_commands.extend(command);
    }

    fn lock(&self) -> MutexGuard<'_, SharedKeys> {
        threads::lock(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shogibar_config::{HotKeyError, ModifierKey};
    use std::cell::RefCell;

    /// A system where another program holds one key. Like X11, it reports a pressed key before it does anything else.
    #[derive(Default)]
    struct FakeKeyboard {
        taken_key: Option<HotKey>,
        registered_keys: RefCell<Vec<HotKey>>,
        events: Option<HotKeyEvents>,
    }

    impl HotKeySystem for FakeKeyboard {
        fn register(&self, key: HotKey) -> Result<(), Error> {
            if self.taken_key == Some(key) || self.registered_keys.borrow().contains(&key) {
                return Err(Error::AlreadyRegistered(key));
            }
            self.registered_keys.borrow_mut().push(key);
            Ok(())
        }

        fn unregister(&self, key: HotKey) -> Result<(), Error> {
            if let Some(pressed) = &self.events {
                pressed.on_press(key.id());
            }
            self.registered_keys.borrow_mut().retain(|ours| *ours != key);
            Ok(())
        }
    }

    fn keys(hide: &str, click_through: &str) -> HotKeySettings {
        let (hide, click_through) = (hide.to_owned(), click_through.to_owned());
        HotKeySettings {
            hide,
            click_through,
            lock: String::new(),
            switch: String::new(),
        }
    }

    fn key(text: &str) -> HotKey {
        text.parse().unwrap()
    }

    #[test]
    fn can_register_every_selectable_key() {
        let keys =
            Shortcut::key_names().filter_map(|name| Shortcut::new_hot_key([ModifierKey::Super], name).ok());
        for text in keys.map(|key| key.to_string()) {
            assert!(text.parse::<HotKey>().is_ok(), "{text}");
        }
    }

    #[test]
    fn parses_keys_like_the_settings_page() {
        let check = |text: &str, expect: Result<Option<HotKey>, KeyRefusal>| {
            assert_eq!(register(&FakeKeyboard::default(), text), expect, "{text}");
        };
        check("", Ok(None));
        check("Win+H", Ok(Some(key("Super+H"))));
        check("h + Ctrl", Ok(Some(key("Ctrl+H"))));
        check("H", Err(KeyRefusal::InvalidKey(HotKeyError::Typed)));
        check(
            "Ctrl+?",
            Err(KeyRefusal::InvalidKey(HotKeyError::NoSuchKey("?".to_owned()))),
        );
    }

    #[test]
    fn has_only_registered_keys() {
        let has = |keys: &HotKeys<FakeKeyboard>| {
            [Command::Hide, Command::ClickThrough].map(|one| keys.events.has_global_key(one))
        };
        let board = || FakeKeyboard {
            taken_key: Some(key("Ctrl+Alt+T")),
            ..FakeKeyboard::default()
        };
        let mut hot_keys =
            HotKeys::with_system(Some(board()), HotKeyScope::Everywhere, HotKeyEvents::default());
        let taken = Message::KeyRefused("Ctrl+Alt+T".to_owned(), KeyRefusal::Taken);
        assert_eq!(hot_keys.set(&HotKeySettings::default()), [taken]);
        assert_eq!(has(&hot_keys), [true, false]);
        assert_eq!(
            hot_keys.set(&HotKeySettings::default()),
            [],
            "it is reported once"
        );
        assert_eq!(hot_keys.set(&keys("F9", "Ctrl+F9")), []);
        assert_eq!(has(&hot_keys), [true, true]);
        assert_eq!(
            *hot_keys.system.as_ref().unwrap().registered_keys.borrow(),
            [key("F9"), key("Ctrl+F9")]
        );

        let others = FakeKeyboard {
            taken_key: Some(key("Ctrl+Alt+T")),
            registered_keys: RefCell::new(vec![key("Ctrl+Alt+H")]),
            events: None,
        };
        let mut second = HotKeys::with_system(Some(others), HotKeyScope::Everywhere, HotKeyEvents::default());
        second.set_has_others(true);
        let both = Message::KeyRefused("Ctrl+Alt+H, Ctrl+Alt+T".to_owned(), KeyRefusal::HeldByShogibar);
        assert_eq!(second.set(&HotKeySettings::default()), [both]);

        let mut on_wayland = HotKeys::with_system(
            Some(FakeKeyboard::default()),
            HotKeyScope::X11,
            HotKeyEvents::default(),
        );
        assert_eq!(
            (on_wayland.set(&HotKeySettings::default()), has(&on_wayland)),
            (Vec::new(), [false, false])
        );
        let mut nowhere =
            HotKeys::<FakeKeyboard>::with_system(None, HotKeyScope::Everywhere, HotKeyEvents::default());
        assert_eq!(
            (nowhere.set(&HotKeySettings::default()), has(&nowhere)),
            (vec![Message::NoKeys], [false, false])
        );
        assert_eq!(
            (nowhere.set(&keys("", "")), nowhere.events.scope()),
            (Vec::new(), HotKeyScope::Nowhere)
        );
    }

    #[test]
    fn setting_keys_does_not_deadlock_on_a_press() {
        let pressed = HotKeyEvents::default();
        let board = FakeKeyboard {
            events: Some(pressed.clone()),
            ..FakeKeyboard::default()
        };
        let mut hot_keys = HotKeys::with_system(Some(board), HotKeyScope::Everywhere, pressed.clone());
        hot_keys.set(&HotKeySettings::default());
        hot_keys.set(&keys("", ""));
        assert_eq!(pressed.take(), [], "it is no longer one");
        hot_keys.set(&HotKeySettings::default());
        pressed.on_press(key("Ctrl+Alt+H").id());
        assert_eq!(pressed.take(), [Command::Hide]);
    }
}
