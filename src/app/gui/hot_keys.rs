//! Keys that work wherever the user is.

use crate::config::{self, HotKeyScope, Keys};
use crate::text::{KeyRefusal, MenuEntry, Message};
use crate::threads;
use global_hotkey::hotkey::HotKey;
use global_hotkey::{Error, GlobalHotKeyEvent, GlobalHotKeyManager, HotKeyState};
use std::sync::{Arc, Mutex, MutexGuard};

/// Has keys work everywhere. It stays on the main thread, as Windows wants it; what it hears is a [`Pressed`].
pub(super) struct HotKeys<S = GlobalHotKeyManager> {
    /// `None` where the system has no such keys.
    system: Option<S>,
    /// As they were asked for.
    keys: Option<Keys>,
    /// Whether another Shogibar runs, which then is who has a key that is taken.
    has_others: bool,
    pressed: HotKeyEvents,
}

/// The system, as far as it gives keys.
pub(super) trait HotKeySystem {
    /// Has a key be ours.
    fn register(&self, key: HotKey) -> Result<(), Error>;

    /// Gives it back.
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

/// The keys that were pressed, for whoever does what they stand for.
#[derive(Clone, Debug, Default)]
pub(super) struct HotKeyEvents(Arc<Mutex<HotKeyEvent>>);

#[derive(Debug, Default)]
struct HotKeyEvent {
    reach: HotKeyScope,
    registered: Vec<(HotKey, MenuEntry)>,
    pressed: Vec<MenuEntry>,
}

impl HotKeys {
    /// No keys yet, which are to reach so far; `wake` is called on another thread when one is pressed.
    pub(super) fn new(reach: HotKeyScope, wake: impl Fn() + Send + Sync + 'static) -> Self {
        let pressed = HotKeyEvents::default();
        let heard = pressed.clone();
        GlobalHotKeyEvent::set_event_handler(Some(move |event: GlobalHotKeyEvent| {
            if event.state() == HotKeyState::Pressed {
                heard.on_press(event.id());
                wake();
            }
        }));
        // Without X11 the crate takes every key and hears none.
        let system = if reach == HotKeyScope::Nowhere { None } else { GlobalHotKeyManager::new().ok() };
        Self::with_system(system, reach, pressed)
    }
}

impl<S: HotKeySystem> HotKeys<S> {
    fn with_system(system: Option<S>, reach: HotKeyScope, pressed: HotKeyEvents) -> Self {
        pressed.lock().reach = if system.is_some() { reach } else { HotKeyScope::Nowhere };
        Self { system, keys: None, has_others: false, pressed }
    }

    /// Another Shogibar runs or not.
    pub(super) const fn share(&mut self, has_others: bool) {
        self.has_others = has_others;
    }

    /// What they hear.
    pub(super) fn pressed(&self) -> HotKeyEvents {
        self.pressed.clone()
    }

    /// Whether it is known which keys work.
    pub(super) const fn are_set(&self) -> bool {
        self.keys.is_some()
    }

    /// Has these keys work and no others; what is to be said of those that do not.
    pub(super) fn set(&mut self, keys: &Keys) -> Vec<Message> {
        if self.keys.as_ref() == Some(keys) {
            return Vec::new();
        }
        self.keys = Some(keys.clone());
        let wanted = [(&keys.hide, MenuEntry::Hide), (&keys.click_through, MenuEntry::ClickThrough)];
        let Some(system) = &self.system else {
            return if wanted.iter().any(|(text, _)| !text.is_empty()) { vec![Message::NoKeys] } else { Vec::new() };
        };
        // Not locked while the system is asked: it may be waiting to tell of a key that was pressed.
        let before = std::mem::take(&mut self.pressed.lock().registered);
        for (key, _) in before {
            // One that is not registered any more is what is wanted.
            let _gone_already = system.unregister(key);
        }
        let (mut refused, mut ours) = (Vec::new(), Vec::new());
        for (text, command) in wanted {
            match register(system, text) {
                Ok(Some(key)) => self.pressed.lock().registered.push((key, command)),
                Ok(None) => {}
                Err(KeyRefusal::Taken) if self.has_others => ours.push(text.as_str()),
                Err(why) => refused.push(Message::KeyRefused(text.clone(), why)),
            }
        }
        if !ours.is_empty() {
            refused.push(Message::KeyRefused(ours.join(", "), KeyRefusal::Ours));
        }
        refused
    }
}

/// Has a key be ours, if the text is one: one and the same reading of it holds here, on the page of settings and in
/// the file.
fn register(system: &impl HotKeySystem, text: &str) -> Result<Option<HotKey>, KeyRefusal> {
    let Some(read) = config::HotKey::parse(text).map_err(KeyRefusal::Wrong)? else { return Ok(None) };
    let key = read.to_string().parse::<HotKey>().map_err(|error| KeyRefusal::Failed(error.to_string()))?;
    match system.register(key) {
        Ok(()) => Ok(Some(key)),
        Err(Error::AlreadyRegistered(_)) => Err(KeyRefusal::Taken),
        Err(error) => Err(KeyRefusal::Failed(error.to_string())),
    }
}

impl HotKeyEvents {
    /// Whether a key asks for this wherever the user is.
    pub(super) fn has(&self, command: MenuEntry) -> bool {
        let heard = self.lock();
        heard.reach == HotKeyScope::Everywhere && heard.registered.iter().any(|(_, registered)| *registered == command)
    }

    /// How far the keys reach.
    pub(super) fn scope(&self) -> HotKeyScope {
        self.lock().reach
    }

    /// What was asked for by a key since.
    pub(super) fn take(&self) -> Vec<MenuEntry> {
        std::mem::take(&mut self.lock().pressed)
    }

    fn on_press(&self, id: u32) {
        let mut heard = self.lock();
        let command = heard.registered.iter().find(|(key, _)| key.id() == id).map(|(_, command)| *command);
        heard.pressed.extend(command);
    }

    fn lock(&self) -> MutexGuard<'_, HotKeyEvent> {
        threads::lock(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::HotKeyError;
    use std::cell::RefCell;

    /// A system of which another program has one key, and that tells of a key that was pressed before it does
    /// anything else, as that of X11 does.
    #[derive(Default)]
    struct FakeKeyboard {
        taken: Option<HotKey>,
        ours: RefCell<Vec<HotKey>>,
        pressed: Option<HotKeyEvents>,
    }

    impl HotKeySystem for FakeKeyboard {
        fn register(&self, key: HotKey) -> Result<(), Error> {
            if self.taken == Some(key) || self.ours.borrow().contains(&key) {
                return Err(Error::AlreadyRegistered(key));
            }
            self.ours.borrow_mut().push(key);
            Ok(())
        }

        fn unregister(&self, key: HotKey) -> Result<(), Error> {
            if let Some(pressed) = &self.pressed {
                pressed.on_press(key.id());
            }
            self.ours.borrow_mut().retain(|ours| *ours != key);
            Ok(())
        }
    }

    fn keys(hide: &str, click_through: &str) -> Keys {
        Keys { hide: hide.to_owned(), click_through: click_through.to_owned() }
    }

    fn key(text: &str) -> HotKey {
        text.parse().unwrap()
    }

    #[test]
    fn every_key_that_can_be_chosen_can_be_had() {
        for name in config::HotKey::keys() {
            let text = config::HotKey::parse(&format!("Super+{name}")).unwrap().unwrap().to_string();
            assert!(text.parse::<HotKey>().is_ok(), "{text}");
        }
    }

    #[test]
    fn keys_are_read_as_the_page_reads_them() {
        let check = |text: &str, expect: Result<Option<HotKey>, KeyRefusal>| {
            assert_eq!(register(&FakeKeyboard::default(), text), expect, "{text}");
        };
        check("", Ok(None));
        check("Win+H", Ok(Some(key("Super+H"))));
        check("h + Ctrl", Ok(Some(key("Ctrl+H"))));
        check("H", Err(KeyRefusal::Wrong(HotKeyError::Typed)));
        check("Ctrl+?", Err(KeyRefusal::Wrong(HotKeyError::NoSuchKey("?".to_owned()))));
    }

    #[test]
    fn only_keys_that_work_are_had() {
        let has =
            |keys: &HotKeys<FakeKeyboard>| [MenuEntry::Hide, MenuEntry::ClickThrough].map(|one| keys.pressed.has(one));
        let board = || FakeKeyboard { taken: Some(key("Ctrl+Alt+T")), ..FakeKeyboard::default() };
        let mut here = HotKeys::with_system(Some(board()), HotKeyScope::Everywhere, HotKeyEvents::default());
        let taken = Message::KeyRefused("Ctrl+Alt+T".to_owned(), KeyRefusal::Taken);
        assert_eq!(here.set(&Keys::default()), [taken]);
        assert_eq!(has(&here), [true, false]);
        assert_eq!(here.set(&Keys::default()), [], "that is said once");
        assert_eq!(here.set(&keys("F9", "Ctrl+F9")), []);
        assert_eq!(has(&here), [true, true]);
        assert_eq!(*here.system.as_ref().unwrap().ours.borrow(), [key("F9"), key("Ctrl+F9")]);

        let others =
            FakeKeyboard { taken: Some(key("Ctrl+Alt+T")), ours: RefCell::new(vec![key("Ctrl+Alt+H")]), pressed: None };
        let mut second = HotKeys::with_system(Some(others), HotKeyScope::Everywhere, HotKeyEvents::default());
        second.share(true);
        let both = Message::KeyRefused("Ctrl+Alt+H, Ctrl+Alt+T".to_owned(), KeyRefusal::Ours);
        assert_eq!(second.set(&Keys::default()), [both]);

        let mut on_wayland =
            HotKeys::with_system(Some(FakeKeyboard::default()), HotKeyScope::X11, HotKeyEvents::default());
        assert_eq!((on_wayland.set(&Keys::default()), has(&on_wayland)), (Vec::new(), [false, false]));
        let mut nowhere = HotKeys::<FakeKeyboard>::with_system(None, HotKeyScope::Everywhere, HotKeyEvents::default());
        assert_eq!((nowhere.set(&Keys::default()), has(&nowhere)), (vec![Message::NoKeys], [false, false]));
        assert_eq!((nowhere.set(&keys("", "")), nowhere.pressed.scope()), (Vec::new(), HotKeyScope::Nowhere));
    }

    #[test]
    fn a_key_that_is_pressed_while_others_are_set_stops_nothing() {
        let pressed = HotKeyEvents::default();
        let board = FakeKeyboard { pressed: Some(pressed.clone()), ..FakeKeyboard::default() };
        let mut keys_here = HotKeys::with_system(Some(board), HotKeyScope::Everywhere, pressed.clone());
        keys_here.set(&Keys::default());
        keys_here.set(&keys("", ""));
        assert_eq!(pressed.take(), [], "it is no longer one");
        keys_here.set(&Keys::default());
        pressed.on_press(key("Ctrl+Alt+H").id());
        assert_eq!(pressed.take(), [MenuEntry::Hide]);
    }
}
