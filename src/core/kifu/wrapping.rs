//! Texts around a record that say the same in other characters: quotes of mails, line ends written out, percent codes, JSON.

use super::address;
use std::borrow::Cow;
use std::collections::HashMap;

/// What begins a quoted line of a mail.
pub(super) const QUOTES: [char; 2] = ['>', '＞'];

/// The shortest string of JSON that may be a record, in bytes.
const MIN_RECORD: usize = 8;

/// Returns a text without what is around all of it; `None` if there is nothing.
pub(super) fn unwrapped(text: &str) -> Option<String> {
    let line_ends = with_line_ends(text).or_else(|| without_mail_headers(text));
    line_ends.or_else(|| quoted_lines(text)).or_else(|| without_codes(text))
}

/// Returns a text whose line ends are written out, as in source code, with line ends.
fn with_line_ends(text: &str) -> Option<String> {
    let escaped = text.matches("\\n").count();
    let is_json = text.trim_start().starts_with(['{', '[', '"', '<']);
    if is_json || escaped < 2 || escaped <= text.matches('\n').count() {
        return None;
    }
    Some(text.replace("\\r", "").replace("\\n", "\n").replace("\\t", "\t"))
}

/// Returns the text of a mail without the headers above it.
fn without_mail_headers(text: &str) -> Option<String> {
    const KNOWN: [&str; 4] = ["from", "to", "subject", "date"];
    let (mut rest, mut is_known) = (text.trim_start(), false);
    while let Some((line, after)) = rest.split_once('\n') {
        rest = after;
        if line.trim().is_empty() {
            return is_known.then(|| rest.to_owned());
        }
        let is_continued = line.starts_with([' ', '\t']);
        let name = line.split_once(": ").map_or("", |(name, _)| name);
        let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphabetic() || byte == b'-');
        if !is_name && !is_continued {
            return None;
        }
        is_known |= KNOWN.contains(&name.to_ascii_lowercase().as_str());
    }
    None
}

/// Returns the quoted lines of a text without their marks, if at least half of its lines are quoted.
fn quoted_lines(text: &str) -> Option<String> {
    if let Some(quoted) = lines_behind_bars(text) {
        return Some(quoted);
    }
    if !text.contains(QUOTES) {
        return None;
    }
    let is_quoted = |line: &&str| line.trim_start().starts_with(QUOTES);
    let lines = || text.lines().filter(|line| !line.trim().is_empty());
    let quoted = lines().filter(is_quoted).count();
    // Such a mark stands for a direction in a log.
    if quoted < 2 || quoted * 2 < lines().count() || text.contains("position ") {
        return None;
    }
    let is_mark = |c: char| QUOTES.contains(&c) || c.is_whitespace();
    let quoted = text.lines().filter(is_quoted).map(|line| line.trim_start_matches(is_mark));
    Some(quoted.collect::<Vec<_>>().join("\n"))
}

/// Returns the lines of a text that all begin with a bar, without it. The ranks of a board have another one.
fn lines_behind_bars(text: &str) -> Option<String> {
    let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty());
    let behind = |line: &'_ str| line.strip_prefix(['|', '｜']).map(str::trim_start).map(str::to_owned);
    let quoted: Option<Vec<String>> = lines().map(behind).collect();
    let quoted = quoted.filter(|quoted| quoted.len() >= 2)?;
    let is_rank = |line: &String| line.contains('|') && !line.starts_with('|');
    (!quoted.iter().all(|line| line.is_empty() || is_rank(line))).then(|| quoted.join("\n"))
}

/// Returns a text of percent codes, decoded.
fn without_codes(text: &str) -> Option<String> {
    let text = text.trim();
    let is_one_word = text.contains('%') && !text.contains(char::is_whitespace) && !text.contains("://");
    let decoded = is_one_word.then(|| address::decoded(text))?;
    (decoded.len() * 3 < text.len() * 2).then_some(decoded)
}

/// The keys of games and their moves. Where one of them is there, others hold something else.
const GAME_KEYS: [&str; 11] =
    ["moves", "move", "usi", "kif", "kifu", "ki2", "csa", "record", "game", "sfen", "position"];

/// The strings of JSON or JavaScript that are values of one key.
#[derive(Debug)]
pub(super) struct KeyValues<'t> {
    key: Cow<'t, str>,
    /// Each list of values; single values are one list.
    lists: Vec<Vec<Cow<'t, str>>>,
}

impl<'t> KeyValues<'t> {
    /// Returns whether the key is one of a game.
    pub(super) fn has_game_key(&self) -> bool {
        GAME_KEYS.iter().any(|key| self.key.eq_ignore_ascii_case(key))
    }

    /// Returns the only value.
    pub(super) fn single(&self) -> Option<&str> {
        let mut values = self.all();
        values.next().filter(|_| values.next().is_none())
    }

    pub(super) fn all(&self) -> impl Iterator<Item = &str> {
        self.lists.iter().flatten().map(|value| &**value)
    }

    pub(super) fn lists(&self) -> impl Iterator<Item = &[Cow<'t, str>]> {
        self.lists.iter().map(Vec::as_slice)
    }
}

/// Returns the strings of a text in JSON or JavaScript that are values, by their keys, in the order of the first of each.
pub(super) fn values_by_key(text: &str) -> Vec<KeyValues<'_>> {
    let mut found: Vec<KeyValues<'_>> = Vec::new();
    let mut numbers: HashMap<Cow<'_, str>, usize> = HashMap::new();
    let mut key = Cow::Borrowed("");
    for (string, before, after) in strings(text) {
        if after.trim_start().starts_with(':') {
            key = string;
            continue;
        }
        // A key without quotes stands before the value.
        let word = before.rsplit_once(':').map_or("", |(before, _)| before.trim_end());
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        let word = word.get(word.trim_end_matches(is_part).len()..).unwrap_or_default();
        if !word.is_empty() {
            key = word.into();
        }
        let number = *numbers.entry(key.clone()).or_insert(found.len());
        if number == found.len() {
            found.push(KeyValues { key: key.clone(), lists: Vec::new() });
        }
        let Some(KeyValues { lists, .. }) = found.get_mut(number) else { continue };
        match lists.last_mut().filter(|_| !before.contains('[')) {
            Some(list) => list.push(string),
            None => lists.push(vec![string]),
        }
    }
    found
}

/// Returns the strings of a text in JSON or JavaScript, in its order, each with the text between the one before and it, and the text
/// after it.
pub(super) fn strings(text: &str) -> impl Iterator<Item = (Cow<'_, str>, &str, &str)> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let begin = rest.find(['"', '\'', '`'])?;
        let (before, from) = rest.split_at_checked(begin)?;
        let (quote, inside) = from.split_at_checked(1)?;
        let mut is_escaped = false;
        let end = inside.char_indices().find(|(_, c)| {
            let ends = !is_escaped && quote.starts_with(*c);
            is_escaped = !is_escaped && *c == '\\';
            ends
        });
        let end = end.map_or(inside.len(), |(at, _)| at);
        let (string, after) = inside.split_at_checked(end)?;
        rest = after.get(1..).unwrap_or_default();
        Some((unescaped(string), before, rest))
    })
}

/// Returns whether a string of JSON may be a record by itself.
pub(super) fn may_be_record(string: &str) -> bool {
    string.len() >= MIN_RECORD && string.contains(|c: char| c.is_whitespace() || !c.is_ascii())
}

/// Returns a string of JSON or JavaScript with the characters that its escapes stand for.
fn unescaped(string: &str) -> Cow<'_, str> {
    if !string.contains('\\') {
        return string.into();
    }
    let mut text = String::with_capacity(string.len());
    let mut rest = string;
    while let Some((before, escape)) = rest.split_once('\\') {
        text.push_str(before);
        let Some(kind) = escape.chars().next() else { break };
        rest = escape.get(kind.len_utf8()..).unwrap_or_default();
        match kind {
            'n' => text.push('\n'),
            't' => text.push('\t'),
            'r' => {}
            'u' => {
                let code = rest.get(..4).and_then(|digits| u32::from_str_radix(digits, 16).ok());
                if let Some(c) = code.and_then(char::from_u32) {
                    text.push(c);
                    rest = rest.get(4..).unwrap_or_default();
                }
            }
            kind => text.push(kind),
        }
    }
    text.push_str(rest);
    text.into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn strings_of_json_are_unescaped() {
        let found: Vec<_> = strings(r#"{"a": "b\nc", 'd': '\u76f4\"', "e"#).map(|(string, ..)| string).collect();
        assert_eq!(found, ["a", "b\nc", "d", "直\"", "e"]);
        let found = values_by_key(r#"[{"m": "1", b: ["2", "3"]}, {"m": "4", "n": 5, c : "6", "b": ["7"]}]"#);
        let found: Vec<_> = found.into_iter().map(|values| values.lists).collect();
        assert_eq!(found, [vec![vec!["1", "4"]], vec![vec!["2", "3"], vec!["7"]], vec![vec!["6"]]]);
    }

    #[test]
    fn only_what_surrounds_all_of_a_text_is_removed() {
        assert_eq!(unwrapped("> a\n>> b\n").as_deref(), Some("a\nb"));
        assert_eq!(unwrapped("a\\nb\\r\\nc").as_deref(), Some("a\nb\nc"));
        assert_eq!(unwrapped("%E7%9B%B4%E7%9B%B4").as_deref(), Some("直直"));
        for text in ["", "a\n> b\nc\n", "a\\n\nb\n", "100% 50%", "> usi\n> position startpos\n"] {
            assert_eq!(unwrapped(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_unwrapped(text in "([>\\\\nrtu%\"'`0-9a-f\n]|\\PC){0,60}") {
            let _text = unwrapped(&text);
            let _values = values_by_key(&text);
        }
    }
}
