//! Foreign text, made safe to show: control characters become visible.
//!
//! Foreign is what a record, a file name, an engine, an argument or the environment says. On a terminal its control
//! characters would move the cursor or set the title; in any sentence bidi controls would change the order of letters.

use crate::usi::tokens::is_control;
use std::borrow::Cow;
use std::fmt::Write as _;

/// The text in one line that steers nothing: every control character, line end, tab and bidi control is its number, as
/// `<U+001B>` for ESC.
///
/// Unicode's pictures of controls (U+2400 to U+2421) are in few fonts, not in ours, and `cat -v` shows that of ESC as
/// `M-^[`.
pub fn visible(text: &str) -> Cow<'_, str> {
    numbered(text, "")
}

/// The same of a text of several lines: its line ends stay.
pub fn visible_lines(text: &str) -> Cow<'_, str> {
    numbered(text, "\n")
}

/// The same of lines whose fields are divided by tabs: both stay.
pub fn visible_table(text: &str) -> Cow<'_, str> {
    numbered(text, "\n\t")
}

/// The text with numbers in the place of control characters, but for those that may stay.
fn numbered<'a>(text: &'a str, kept: &str) -> Cow<'a, str> {
    let steers = |c: char| is_control(c) && !kept.contains(c);
    if !text.contains(steers) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if steers(c) {
            let _infallible = write!(shown, "<U+{:04X}>", u32::from(c));
        } else {
            shown.push(c);
        }
    }
    Cow::Owned(shown)
}

/// JSON that steers nothing and means the same: what may stand in its strings as it is becomes `\u` escapes.
pub fn escaped_json(json: &str) -> Cow<'_, str> {
    // Line ends and tabs stand between the values; within a string they are escaped already.
    let steers = |c: char| is_control(c) && !matches!(c, '\n' | '\r' | '\t');
    if !json.contains(steers) {
        return Cow::Borrowed(json);
    }
    let mut escaped = String::with_capacity(json.len() + 16);
    for c in json.chars() {
        if steers(c) {
            let _infallible = write!(escaped, "\\u{:04x}", u32::from(c));
        } else {
            escaped.push(c);
        }
    }
    Cow::Owned(escaped)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn control_characters_have_numbers() {
        let check = |text: &str, expect: &str| assert_eq!(visible(text), expect);
        check("先手：A\u{1b}]0;HDR\u{7}", "先手：A<U+001B>]0;HDR<U+0007>");
        check("\0\t\n\r\u{7f}", "<U+0000><U+0009><U+000A><U+000D><U+007F>");
        check("\u{9b}2J\u{85}", "<U+009B>2J<U+0085>");
        check("a\u{202e}b\u{2066}c\u{200f}\u{61c}\u{2028}", "a<U+202E>b<U+2066>c<U+200F><U+061C><U+2028>");
        assert_eq!(visible_lines("a\tb\n\r"), "a<U+0009>b\n<U+000D>");
        assert_eq!(visible_table("a\tb\n\r"), "a\tb\n<U+000D>");
    }

    #[test]
    fn all_else_stays_as_it_is() {
        for text in [
            "",
            "▲２六歩　同　玉",
            "\u{5e2}\u{5d1}\u{5e8}\u{5d9}\u{5ea}",
            "\u{845b}\u{e0100}城",
            "\u{1f468}\u{200d}\u{1f469}",
            "\u{fffd}",
            "\u{e9}\u{301}",
        ] {
            assert!(matches!(visible(text), Cow::Borrowed(shown) if shown == text), "{text}");
        }
    }

    proptest! {
        #[test]
        fn nothing_that_is_shown_steers(text in any::<String>()) {
            prop_assert!(!visible(&text).contains(is_control));
            prop_assert!(!visible_table(&text).contains(|c| is_control(c) && c != '\n' && c != '\t'));
            prop_assert_eq!(visible_lines(&text).lines().count(), text.lines().count());
        }

        #[test]
        fn json_keeps_its_meaning(text in any::<String>()) {
            let json = serde_json::to_string(&text).unwrap();
            let escaped = escaped_json(&json);
            prop_assert!(!escaped.contains(is_control));
            prop_assert_eq!(serde_json::from_str::<String>(&escaped).unwrap(), text);
        }
    }
}
