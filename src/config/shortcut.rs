//! Keyboard shortcuts of a page.

use super::hot_key::{self, HotKey, Modifier};
use std::collections::BTreeSet;
use std::fmt;

/// The modifiers that a shortcut may have.
const HELD: [Modifier; 3] = [Modifier::Ctrl, Modifier::Alt, Modifier::Shift];

/// The keys allowed in shortcuts but not in global hot keys: signs, for which Shift is ignored.
const SIGNS: [&str; 9] = [
    "Questionmark",
    "Plus",
    "Equals",
    "Colon",
    "Backslash",
    "OpenBracket",
    "CloseBracket",
    "Backtick",
    "Exclamationmark",
];

/// A keyboard shortcut. Written `Ctrl+Shift+S`, `Up` or `F1`: the modifiers in this order, then the key. On a Mac
/// `Ctrl` is Command.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Shortcut {
    held: BTreeSet<Modifier>,
    key: &'static str,
}

impl Shortcut {
    /// Creates a shortcut from modifiers and the name of a key. Returns `None` for an unknown or reserved key: digits
    /// begin a typed move.
    pub fn new(held: impl IntoIterator<Item = Modifier>, key: &str) -> Option<Self> {
        let key = Self::names().find(|name| name.eq_ignore_ascii_case(key))?;
        let is_sign = SIGNS.contains(&key);
        let held: BTreeSet<_> =
            held.into_iter().filter(|modifier| !(is_sign && *modifier == Modifier::Shift)).collect();
        let is_typed = key.starts_with(|c: char| c.is_ascii_digit()) && !held.contains(&Modifier::Ctrl);
        (held.iter().all(|modifier| HELD.contains(modifier)) && !is_typed).then_some(Self { held, key })
    }

    /// Parses a shortcut.
    pub fn parse(text: &str) -> Option<Self> {
        let (held, key) = hot_key::parts(text)?;
        Self::new(held, key)
    }

    /// Returns the names of all keys that are allowed.
    pub fn names() -> impl Iterator<Item = &'static str> {
        HotKey::keys().chain(SIGNS)
    }

    /// Returns the modifiers.
    pub fn held(&self) -> impl Iterator<Item = Modifier> + '_ {
        self.held.iter().copied()
    }

    /// Whether the shortcut has this modifier.
    pub fn holds(&self, modifier: Modifier) -> bool {
        self.held.contains(&modifier)
    }

    /// Returns the name of the key.
    pub const fn key(&self) -> &'static str {
        self.key
    }
}

impl fmt::Display for Shortcut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        hot_key::write(f, &self.held, self.key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn shortcuts_parse_in_any_form_and_print_in_one() {
        let check = |text: &str, expect: Option<&str>| {
            assert_eq!(Shortcut::parse(text).map(|keys| keys.to_string()).as_deref(), expect, "{text}");
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
        fn a_shortcut_round_trips(
            held in prop::sample::subsequence(Modifier::ALL, 0..=4),
            key in prop::sample::select(Shortcut::names().collect::<Vec<_>>()),
        ) {
            if let Some(keys) = Shortcut::new(held, key) {
                prop_assert_eq!(Shortcut::parse(&keys.to_string()), Some(keys));
            }
        }

        #[test]
        fn parsing_never_panics(text in "\\PC{0,40}") {
            let _read_or_not = Shortcut::parse(&text);
        }
    }
}
