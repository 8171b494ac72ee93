//! Key combinations: the keyboard shortcuts of a page, and the global hot keys.

use super::choice::choice;
use std::collections::BTreeSet;
use std::fmt;
use thiserror::Error;

choice! {
    /// A key that is held while another is pressed.
    ModifierKey {
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
    /// Global hot keys work in every program.
    #[default]
    Everywhere,
    /// Wayland with `XWayland`: global hot keys work only while an X11 program, such as the bar, has the keyboard.
    X11,
    /// Wayland: no program can have global hot keys.
    Nowhere,
}

/// The names that other programs use for the modifiers.
const MODIFIER_ALIASES: [(&str, ModifierKey); 7] = [
    ("Control", ModifierKey::Ctrl),
    ("Option", ModifierKey::Alt),
    ("Command", ModifierKey::Super),
    ("Cmd", ModifierKey::Super),
    ("Meta", ModifierKey::Super),
    ("Win", ModifierKey::Super),
    ("Windows", ModifierKey::Super),
];

/// The names of the keys that can be combined with modifiers. Tab, Enter, Escape and Backspace are excluded: with any
/// modifier they have a meaning for the system.
const KEY_NAMES: &str = "A B C D E F G H I J K L M N O P Q R S T U V W X Y Z \
                    0 1 2 3 4 5 6 7 8 9 \
                    F1 F2 F3 F4 F5 F6 F7 F8 F9 F10 F11 F12 \
                    F13 F14 F15 F16 F17 F18 F19 F20 F21 F22 F23 F24 \
                    Up Down Left Right Home End PageUp PageDown Insert Delete Space \
                    Comma Period Minus Slash Semicolon Quote";

/// The names of the signs, which are keys of shortcuts but not of hot keys. Shift is ignored for them.
const SIGN_NAMES: &str =
    "Questionmark Plus Equals Colon Backslash OpenBracket CloseBracket Backtick Exclamationmark";

/// A key combination: the keyboard shortcut of a page, or a global hot key. Its text is `Ctrl+Alt+H`, `Up` or `F1`: the
/// modifiers in the order of [`ModifierKey`], then the key. In the shortcut of a page `Ctrl` is Command on a Mac. The
/// crate `global-hotkey` reads the same names.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Shortcut {
    modifiers: BTreeSet<ModifierKey>,
    key: &'static str,
}

/// The reason why a combination is not a valid global hot key.
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

impl Shortcut {
    /// Creates the shortcut of a page from modifiers and the name of a key. Returns `None` for an unknown key, with
    /// `Super`, and for a digit without `Ctrl`, because digits begin a typed move.
    pub fn new(modifiers: impl IntoIterator<Item = ModifierKey>, key: &str) -> Option<Self> {
        let key = find_key(KEY_NAMES, key).or_else(|| find_key(SIGN_NAMES, key))?;
        let mut modifiers: BTreeSet<_> = modifiers.into_iter().collect();
        if find_key(SIGN_NAMES, key).is_some() {
            modifiers.remove(&ModifierKey::Shift);
        }
        let is_typed =
            key.starts_with(|c: char| c.is_ascii_digit()) && !modifiers.contains(&ModifierKey::Ctrl);
        let is_valid = !is_typed && !modifiers.contains(&ModifierKey::Super);
        is_valid.then_some(Self { modifiers, key })
    }

    /// Creates a global hot key from modifiers and the name of a key.
    ///
    /// # Errors
    /// Fails if there is no such key, or the combination is used for typing.
    pub fn new_hot_key(
        modifiers: impl IntoIterator<Item = ModifierKey>,
        key: &str,
    ) -> Result<Self, HotKeyError> {
        let key = find_key(KEY_NAMES, key).ok_or_else(|| HotKeyError::NoSuchKey(key.to_owned()))?;
        let modifiers: BTreeSet<_> = modifiers.into_iter().collect();
        let is_typed = modifiers.iter().all(|modifier| *modifier == ModifierKey::Shift);
        let types_nothing = key.starts_with('F') && key.len() > 1;
        if is_typed && !types_nothing {
            Err(HotKeyError::Typed)
        } else {
            Ok(Self { modifiers, key })
        }
    }

    /// Parses the shortcut of a page. Returns `None` if the text is not a shortcut that [`new`](Self::new) creates.
    pub fn parse(text: &str) -> Option<Self> {
        let (modifiers, key) = split_combination(text)?;
        Self::new(modifiers, key)
    }

    /// Parses a global hot key. Returns `None` for an empty text.
    ///
    /// # Errors
    /// Fails if the text is not a combination, or has an unknown key. Also fails if the combination is used for typing.
    pub fn parse_hot_key(text: &str) -> Result<Option<Self>, HotKeyError> {
        if text.trim().is_empty() {
            return Ok(None);
        }
        let (modifiers, key) = split_combination(text).ok_or(HotKeyError::NotOneKey)?;
        Self::new_hot_key(modifiers, key).map(Some)
    }

    /// Returns the names of all keys that are allowed in the shortcut of a page.
    pub fn key_names() -> impl Iterator<Item = &'static str> {
        KEY_NAMES.split(' ').chain(SIGN_NAMES.split(' '))
    }

    /// Returns the modifiers.
    pub fn modifiers(&self) -> impl Iterator<Item = ModifierKey> + '_ {
        self.modifiers.iter().copied()
    }

    /// Returns whether the shortcut has this modifier.
    pub fn has(&self, modifier: ModifierKey) -> bool {
        self.modifiers.contains(&modifier)
    }

    /// Returns the name of the key.
    pub const fn key(&self) -> &'static str {
        self.key
    }
}

/// Returns the key of this name among `keys`, ignoring case; `None` if there is none.
fn find_key(keys: &'static str, name: &str) -> Option<&'static str> {
    keys.split(' ').find(|key| key.eq_ignore_ascii_case(name))
}

/// Splits a combination into its modifiers and its key. Returns `None` unless there is exactly one key.
fn split_combination(text: &str) -> Option<(Vec<ModifierKey>, &str)> {
    let (mut modifiers, mut keys) = (Vec::new(), Vec::new());
    for word in text.split('+').map(str::trim) {
        match find_modifier(word) {
            Some(modifier) => modifiers.push(modifier),
            None => keys.push(word),
        }
    }
    let [key] = keys[..] else { return None };
    Some((modifiers, key))
}

/// Returns the modifier of this name, ignoring case; `None` if there is none.
fn find_modifier(word: &str) -> Option<ModifierKey> {
    let named = ModifierKey::ALL
        .iter()
        .map(|modifier| (modifier.name(), *modifier));
    let (_, modifier) = named
        .chain(MODIFIER_ALIASES)
        .find(|(name, _)| name.eq_ignore_ascii_case(word))?;
    Some(modifier)
}

impl fmt::Display for Shortcut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for modifier in &self.modifiers {
            write!(f, "{}+", modifier.name())?;
        }
        f.write_str(self.key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::HotKeySettings;
    use proptest::prelude::*;

    #[test]
    fn hot_keys_parse_in_any_form_and_print_in_one() {
        let check = |text: &str, expect: &str| {
            let read =
                Shortcut::parse_hot_key(text).map(|key| key.map(|key| key.to_string()).unwrap_or_default());
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
        let default = HotKeySettings::default();
        for text in [default.hide, default.click_through] {
            assert_eq!(Shortcut::parse_hot_key(&text).unwrap().unwrap().to_string(), text);
        }
    }

    #[test]
    fn shortcuts_parse_in_any_form_and_print_in_one() {
        let check = |text: &str, expect: Option<&str>| {
            assert_eq!(
                Shortcut::parse(text).map(|keys| keys.to_string()).as_deref(),
                expect,
                "{text}"
            );
        };
        check("shift + control+s", Some("Ctrl+Shift+S"));
        check("h", Some("H"));
        check("up", Some("Up"));
        check("Shift+Questionmark", Some("Questionmark"));
        check("Ctrl+1", Some("Ctrl+1"));
        check("1", None);
        check("Shift+1", None);
        check("Super+A", None);
        check("Ctrl", None);
        check("A+B", None);
        check("Enter", None);
        check("", None);
        check("飛", None);
    }

    proptest! {
        #[test]
        fn a_hot_key_round_trips(
            modifiers in prop::sample::subsequence(ModifierKey::ALL, 0..=4),
            key in prop::sample::select(KEY_NAMES.split(' ').collect::<Vec<_>>()),
        ) {
            if let Ok(key) = Shortcut::new_hot_key(modifiers, key) {
                prop_assert_eq!(Shortcut::parse_hot_key(&key.to_string()), Ok(Some(key)));
            }
        }

        #[test]
        fn a_shortcut_round_trips(
            held in prop::sample::subsequence(ModifierKey::ALL, 0..=4),
            key in prop::sample::select(Shortcut::key_names().collect::<Vec<_>>()),
        ) {
            if let Some(keys) = Shortcut::new(held, key) {
                prop_assert_eq!(Shortcut::parse(&keys.to_string()), Some(keys));
            }
        }

        #[test]
        fn parsing_never_panics(text in "\\PC{0,40}") {
            let _read_or_not = (Shortcut::parse(&text), Shortcut::parse_hot_key(&text));
        }
    }
}
