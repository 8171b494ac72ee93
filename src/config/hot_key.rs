//! Global hot keys.

use super::choice::choice;
use std::collections::BTreeSet;
use std::fmt;
use thiserror::Error;

choice! {
    /// A key that is held while another is pressed.
    Modifier {
        /// Control.
        Ctrl = "Ctrl",
        /// Alt, or Option on a Mac.
        Alt = "Alt",
        /// Shift.
        Shift = "Shift",
        /// The system key: Command on a Mac, the Windows key elsewhere.
        Super = "Super",
    }
}

/// The scope in which global hot keys work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HotKeyScope {
    /// They work in every program.
    #[default]
    Everywhere,
    /// Wayland with `XWayland`: they work only while an X11 program, such as the bar, has the keyboard.
    X11,
    /// Wayland: no program can have global hot keys.
    Nowhere,
}

/// Other names of the modifiers, as other programs write them.
const ALIASES: [(&str, Modifier); 7] = [
    ("Control", Modifier::Ctrl),
    ("Option", Modifier::Alt),
    ("Command", Modifier::Super),
    ("Cmd", Modifier::Super),
    ("Meta", Modifier::Super),
    ("Win", Modifier::Super),
    ("Windows", Modifier::Super),
];

/// The keys that can be combined with modifiers. Tab, Enter, Escape and Backspace are excluded: with any modifier they
/// mean something to the system.
const KEYS: [&str; 77] = [
    "A",
    "B",
    "C",
    "D",
    "E",
    "F",
    "G",
    "H",
    "I",
    "J",
    "K",
    "L",
    "M",
    "N",
    "O",
    "P",
    "Q",
    "R",
    "S",
    "T",
    "U",
    "V",
    "W",
    "X",
    "Y",
    "Z",
    "0",
    "1",
    "2",
    "3",
    "4",
    "5",
    "6",
    "7",
    "8",
    "9",
    "F1",
    "F2",
    "F3",
    "F4",
    "F5",
    "F6",
    "F7",
    "F8",
    "F9",
    "F10",
    "F11",
    "F12",
    "F13",
    "F14",
    "F15",
    "F16",
    "F17",
    "F18",
    "F19",
    "F20",
    "F21",
    "F22",
    "F23",
    "F24",
    "Up",
    "Down",
    "Left",
    "Right",
    "Home",
    "End",
    "PageUp",
    "PageDown",
    "Insert",
    "Delete",
    "Space",
    "Comma",
    "Period",
    "Minus",
    "Slash",
    "Semicolon",
    "Quote",
];

/// A global hot key. Written `Ctrl+Alt+H`: the modifiers in this order, then the key. The crate `global-hotkey` reads
/// the same names.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct HotKey {
    modifiers: BTreeSet<Modifier>,
    key: &'static str,
}

/// Why a combination is not a valid global hot key.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum HotKeyError {
    /// There is no key of this name.
    #[error("there is no key '{0}'")]
    NoSuchKey(String),
    /// There is no key besides modifiers, or more than one.
    #[error("it needs one key besides Ctrl, Alt, Shift and Super")]
    NotOneKey,
    /// The combination is used for typing.
    #[error("it needs Ctrl, Alt or Super, or is one of F1 to F24")]
    Typed,
}

impl HotKey {
    /// Creates a hot key from modifiers and the name of a key.
    ///
    /// # Errors
    /// If there is no such key, or the combination is used for typing.
    pub fn new(modifiers: impl IntoIterator<Item = Modifier>, key: &str) -> Result<Self, HotKeyError> {
        let known = KEYS.into_iter().find(|known| known.eq_ignore_ascii_case(key));
        let key = known.ok_or_else(|| HotKeyError::NoSuchKey(key.to_owned()))?;
        let modifiers: BTreeSet<_> = modifiers.into_iter().collect();
        let is_typed = modifiers.iter().all(|modifier| *modifier == Modifier::Shift);
        let types_nothing = key.starts_with('F') && key.len() > 1;
        if is_typed && !types_nothing { Err(HotKeyError::Typed) } else { Ok(Self { modifiers, key }) }
    }

    /// Parses a hot key. An empty text is `None`.
    ///
    /// # Errors
    /// If the text is not a combination, or the combination is used for typing.
    pub fn parse(text: &str) -> Result<Option<Self>, HotKeyError> {
        if text.trim().is_empty() {
            return Ok(None);
        }
        let (modifiers, key) = parts(text).ok_or(HotKeyError::NotOneKey)?;
        Self::new(modifiers, key).map(Some)
    }

    /// Returns the names of all keys that are allowed.
    pub fn keys() -> impl Iterator<Item = &'static str> {
        KEYS.into_iter()
    }

    /// Returns the modifiers.
    pub fn modifiers(&self) -> impl Iterator<Item = Modifier> + '_ {
        self.modifiers.iter().copied()
    }

    /// Returns the name of the key.
    pub const fn key(&self) -> &'static str {
        self.key
    }
}

/// Splits a combination into its modifiers and its key. Returns `None` unless there is exactly one key.
pub(super) fn parts(text: &str) -> Option<(Vec<Modifier>, &str)> {
    let (mut modifiers, mut keys) = (Vec::new(), Vec::new());
    for word in text.split('+').map(str::trim) {
        match modifier(word) {
            Some(modifier) => modifiers.push(modifier),
            None => keys.push(word),
        }
    }
    let [key] = keys[..] else { return None };
    Some((modifiers, key))
}

/// Writes a combination: the modifiers, then the key.
pub(super) fn write(f: &mut fmt::Formatter<'_>, modifiers: &BTreeSet<Modifier>, key: &str) -> fmt::Result {
    for modifier in modifiers {
        write!(f, "{}+", modifier.name())?;
    }
    f.write_str(key)
}

/// Returns the modifier of this name.
fn modifier(word: &str) -> Option<Modifier> {
    let named = Modifier::ALL.iter().map(|modifier| (modifier.name(), *modifier));
    let (_, modifier) = named.chain(ALIASES).find(|(name, _)| name.eq_ignore_ascii_case(word))?;
    Some(modifier)
}

impl fmt::Display for HotKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write(f, &self.modifiers, self.key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Keys;
    use proptest::prelude::*;

    #[test]
    fn hot_keys_parse_in_any_form_and_print_in_one() {
        let check = |text: &str, expect: &str| {
            let read = HotKey::parse(text).map(|key| key.map(|key| key.to_string()).unwrap_or_default());
            assert_eq!(read.unwrap_or_else(|error| error.to_string()), expect, "{text}");
        };
        check("Ctrl+Alt+H", "Ctrl+Alt+H");
        check(" alt + control + h", "Ctrl+Alt+H");
        check("Cmd+Shift+pageup", "Shift+Super+PageUp");
        check("F9", "F9");
        check("Shift+F24", "Shift+F24");
        check("", "");
        check(" ", "");
        check("H", "it needs Ctrl, Alt or Super, or is one of F1 to F24");
        check("Shift+F", "it needs Ctrl, Alt or Super, or is one of F1 to F24");
        check("Ctrl+Alt", "it needs one key besides Ctrl, Alt, Shift and Super");
        check("Ctrl+A+B", "it needs one key besides Ctrl, Alt, Shift and Super");
        check("Ctrl+Tab", "there is no key 'Tab'");
        check("Ctrl++", "it needs one key besides Ctrl, Alt, Shift and Super");
        check("評価値", "there is no key '評価値'");
    }

    #[test]
    fn the_default_hot_keys_are_valid() {
        let default = Keys::default();
        for text in [default.hide, default.click_through] {
            assert_eq!(HotKey::parse(&text).unwrap().unwrap().to_string(), text);
        }
    }

    proptest! {
        #[test]
        fn a_hot_key_round_trips(
            modifiers in prop::sample::subsequence(Modifier::ALL, 0..=4),
            key in prop::sample::select(KEYS.to_vec()),
        ) {
            if let Ok(key) = HotKey::new(modifiers, key) {
                prop_assert_eq!(HotKey::parse(&key.to_string()), Ok(Some(key)));
            }
        }

        #[test]
        fn parsing_never_panics(text in "\\PC{0,40}") {
            let _read_or_not = HotKey::parse(&text);
        }
    }
}
