//! Foreign text made fit for display: control characters are escaped, passwords left out, long names cut.
//!
//! Foreign text comes from records, file names, engines, arguments and the environment. On a terminal its control
//! characters could move the cursor or set the title. Bidi controls could reorder the characters of a sentence.

use crate::Lang;
use std::borrow::Cow;
use std::fmt::Write as _;
use std::path::Path;

/// Returns the text in one line without control characters. Each control character, line end, tab and bidi control
/// becomes its number, such as `<U+001B>` for ESC.
///
/// Unicode's pictures of controls (U+2400 to U+2421) are not used, because few fonts have them.
pub fn visible(text: &str) -> Cow<'_, str> {
    with_numbers(text, "")
}

/// The maximum number of characters of a foreign name that a view shows.
pub const MAX_NAME_CHARS: usize = 200;

/// Returns the text as [`visible`] does. A text of more than [`MAX_NAME_CHARS`] characters is cut, and ends with `…`.
pub fn short(text: &str) -> Cow<'_, str> {
    let end = text.char_indices().nth(MAX_NAME_CHARS).map(|(end, _)| end);
    end.and_then(|end| text.get(..end))
        .map_or_else(|| visible(text), |start| format!("{}…", visible(start)).into())
}

/// The maximum number of characters that a message repeats of a text that was given in place of a file.
const MAX_GIVEN_CHARS: usize = 60;

/// Returns what a user gave as a file or an address, for a message: a path as it is, and the beginning of a longer text
/// or name, with `…` behind it. Passwords are left out.
pub fn given(text: &str) -> Cow<'_, str> {
    let text = without_passwords(text);
    let is_longer = |part: &str, count: usize| part.chars().nth(count).is_some();
    if !is_longer(&text, MAX_NAME_CHARS)
        && !text
            .split(['/', '\\'])
            .any(|part| is_longer(part, MAX_GIVEN_CHARS))
    {
        return text;
    }
    text.chars().take(MAX_GIVEN_CHARS).chain(['…']).collect()
}

/// Returns a name before a particle. In Japanese, a blank follows if the name ends with an ASCII character.
pub fn with_particle_space(name: &str, lang: Lang) -> Cow<'_, str> {
    let needs_blank = lang == Lang::Ja && name.ends_with(|c: char| c.is_ascii());
    if needs_blank {
        format!("{name} ").into()
    } else {
        name.into()
    }
}

/// Returns the file name of a path, with control characters made visible; `None` for a path without a file name.
pub fn visible_file_name(path: &Path) -> Option<String> {
    Some(visible(&path.file_name()?.to_string_lossy()).into_owned())
}

/// Escapes a text of several lines; line ends are kept.
pub fn visible_lines(text: &str) -> Cow<'_, str> {
    with_numbers(text, "\n")
}

/// Escapes lines of fields separated by tabs; line ends and tabs are kept.
pub fn visible_table(text: &str) -> Cow<'_, str> {
    with_numbers(text, "\n\t")
}

/// Replaces control characters by their numbers. Characters in `allowed` are kept.
fn with_numbers<'a>(text: &'a str, allowed: &str) -> Cow<'a, str> {
    let is_escaped = |c: char| is_control(c) && !allowed.contains(c);
    if !text.contains(is_escaped) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if is_escaped(c) {
            let _infallible = write!(shown, "<U+{:04X}>", u32::from(c));
        } else {
            shown.push(c);
        }
    }
    Cow::Owned(shown)
}

/// Returns a sentence without the passwords of the addresses in it: `csa://me:secret@host` becomes `csa://me@host`.
/// Texts that resemble an address, such as `csa:/me:secret@host`, are treated in the same way.
pub fn without_passwords(sentence: &str) -> Cow<'_, str> {
    const SCHEMES: [&str; 4] = ["csa:", "http:", "https:", "://"];
    let lower = sentence.to_ascii_lowercase();
    let (mut shown, mut done) = (String::new(), 0);
    let begins = |from: usize| {
        let found = SCHEMES
            .iter()
            .filter_map(|scheme| Some((lower.get(from..)?.find(scheme)?, scheme.len())));
        found.min().map(|(at, length)| from + at + length)
    };
    while let Some(begin) = begins(done) {
        shown.push_str(sentence.get(done..begin).unwrap_or_default());
        let rest = sentence.get(begin..).unwrap_or_default();
        let word = rest
            .find(char::is_whitespace)
            .and_then(|end| rest.get(..end))
            .unwrap_or(rest);
        // A password of a CSA server may have any character but a blank, so the whole word is searched. The password of
        // a web address ends before a slash.
        let path = word
            .find(|c: char| c != '/')
            .and_then(|begin| Some(begin + word.get(begin..)?.find('/')?));
        let is_web = lower
            .get(..begin)
            .is_some_and(|before| before.ends_with("http:") || before.ends_with("https:"));
        let word = match path {
            Some(path) if is_web => word.get(..path).unwrap_or(word),
            _ => word,
        };
        let login = word.find(|c: char| c != '/').unwrap_or_default();
        let colon = word
            .get(login..)
            .and_then(|login| login.find(':'))
            .map(|colon| login + colon);
        done = begin;
        if let (Some(colon), Some(at)) = (colon, word.rfind('@'))
            && colon < at
        {
            shown.push_str(word.get(..colon).unwrap_or_default());
            done = begin + at;
        }
    }
    shown.push_str(sentence.get(done..).unwrap_or_default());
    if shown == sentence {
        Cow::Borrowed(sentence)
    } else {
        Cow::Owned(shown)
    }
}

/// Escapes control characters in the strings of a JSON text by `\u`. The value of the JSON stays the same.
pub fn escaped_json(json: &str) -> Cow<'_, str> {
    // Line ends and tabs occur only between values; within strings they are escaped already.
    let is_escaped = |c: char| is_control(c) && !matches!(c, '\n' | '\r' | '\t');
    if !json.contains(is_escaped) {
        return Cow::Borrowed(json);
    }
    let mut escaped = String::with_capacity(json.len() + 16);
    for c in json.chars() {
        if is_escaped(c) {
            let _infallible = write!(escaped, "\\u{:04x}", u32::from(c));
        } else {
            escaped.push(c);
        }
    }
    Cow::Owned(escaped)
}

/// Returns the part of a path after the last slash or backslash.
pub fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// Returns whether a character is a control character: C0, DEL, C1, a control of bidirectional text, or a line or
/// paragraph separator.
pub const fn is_control(c: char) -> bool {
    matches!(c,
        '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}'
        | '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{206f}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn passwords_of_addresses_are_left_out() {
        let check = |sentence: &str, expect: &str| assert_eq!(without_passwords(sentence), expect);
        check(
            "csa://me:SECRET@host/game: No such file",
            "csa://me@host/game: No such file",
        );
        check(
            "「https://me:SE@CRET@host/a」を読めません。",
            "「https://me@host/a」を読めません。",
        );
        check(
            "「csa://me:SE@CR/ET@host/a」を読めません。",
            "「csa://me@host/a」を読めません。",
        );
        check(
            "http://127.0.0.1:8080/@me/a.kif: no",
            "http://127.0.0.1:8080/@me/a.kif: no",
        );
        check(
            "no csa://me@host:4081/game, http://host:80/a",
            "no csa://me@host:4081/game, http://host:80/a",
        );
        check(
            "csa://me:@host and csa://you:x@host",
            "csa://me@host and csa://you@host",
        );
        check("a:b@c", "a:b@c");
        check(
            "no engine '/home/me/csa:/me:SECRET@h/G'.",
            "no engine '/home/me/csa:/me@h/G'.",
        );
        check("csa:me:SECRET@host HTTP://me:SECRET@h", "csa:me@host HTTP://me@h");
        check(
            "csa://me@h?file=https://you:SECRET@h/a",
            "csa://me@h?file=https@h/a",
        );
    }

    #[test]
    fn a_long_name_is_cut() {
        assert_eq!(short("名"), "名");
        let long = "名".repeat(MAX_NAME_CHARS);
        assert_eq!(short(&long), long);
        assert_eq!(short(&format!("{long}前")), format!("{long}…"));
    }

    #[test]
    fn a_text_in_place_of_a_path_is_cut() {
        let folder = "/home/me/".to_owned() + &"folder/".repeat(20);
        for path in ["a.kif", &folder, &"名".repeat(MAX_GIVEN_CHARS)] {
            assert_eq!(given(path), path);
        }
        let cut = "名".repeat(MAX_GIVEN_CHARS) + "…";
        assert_eq!(
            [given(&"名".repeat(61)), given(&format!("{}/a", "名".repeat(61)))],
            [cut.clone(), cut]
        );
        assert_eq!(given(&folder.repeat(2)).chars().count(), MAX_GIVEN_CHARS + 1);
        assert!(!given(&format!("csa:/me:{}@h", "SECRET".repeat(20))).contains("SECRET"));
    }

    #[test]
    fn control_characters_are_escaped() {
        let check = |text: &str, expect: &str| assert_eq!(visible(text), expect);
        check("先手：A\u{1b}]0;HDR\u{7}", "先手：A<U+001B>]0;HDR<U+0007>");
        check("\0\t\n\r\u{7f}", "<U+0000><U+0009><U+000A><U+000D><U+007F>");
        check("\u{9b}2J\u{85}", "<U+009B>2J<U+0085>");
        check(
            "a\u{202e}b\u{2066}c\u{200f}\u{61c}\u{2028}",
            "a<U+202E>b<U+2066>c<U+200F><U+061C><U+2028>",
        );
        assert_eq!(visible_lines("a\tb\n\r"), "a<U+0009>b\n<U+000D>");
        assert_eq!(visible_table("a\tb\n\r"), "a\tb\n<U+000D>");
    }

    #[test]
    fn other_characters_are_unchanged() {
        for text in [
            "",
            "▲2六歩　同　玉",
            "\u{5e2}\u{5d1}\u{5e8}\u{5d9}\u{5ea}",
            "\u{845b}\u{e0100}城",
            "\u{1f468}\u{200d}\u{1f469}",
            "\u{fffd}",
            "\u{e9}\u{301}",
        ] {
            assert!(
                matches!(visible(text), Cow::Borrowed(shown) if shown == text),
                "{text}"
            );
        }
    }

    proptest! {
        #[test]
        fn output_has_no_control_characters(text in any::<String>()) {
            prop_assert!(!visible(&text).contains(is_control));
            prop_assert!(!visible_table(&text).contains(|c| is_control(c) && c != '\n' && c != '\t'));
            prop_assert_eq!(visible_lines(&text).lines().count(), text.lines().count());
        }

        #[test]
        fn escaped_json_has_the_same_value(text in any::<String>()) {
            let json = serde_json::to_string(&text).unwrap();
            let escaped = escaped_json(&json);
            prop_assert!(!escaped.contains(is_control));
            prop_assert_eq!(serde_json::from_str::<String>(&escaped).unwrap(), text);
        }
    }
}
