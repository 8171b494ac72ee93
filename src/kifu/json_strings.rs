//! The strings of JSON and JavaScript, which may hold records.

use super::usi;
use std::borrow::Cow;
use std::collections::HashMap;

/// The minimum length of a string that may be a record, in bytes.
const MIN_RECORD_BYTES: usize = 8;

/// The longest string that may be a start position, in bytes.
const MAX_START_BYTES: usize = 300;

/// The longest key that is kept, in bytes.
const MAX_KEY_BYTES: usize = 100;

/// The JSON keys of games and their moves. If one of them is present, other keys hold other content.
const GAME_KEYS: [&str; 15] = [
    "moves",
    "move",
    "usi",
    "kif",
    "kifu",
    "ki2",
    "csa",
    "record",
    "game",
    "sfen",
    "position",
    "initialSfen",
    "startSfen",
    "initial_sfen",
    "start_sfen",
];

/// Returns the JSON object or array in a text, with the words around it left out; `None` if there is none.
pub(super) fn json_within(text: &str) -> Option<&str> {
    if super::detect_format::is_json(text) {
        return Some(text);
    }
    let (begin, end) = (text.find('{')?, text.rfind('}')? + 1);
    text.get(begin..end).filter(|json| json.contains("\":"))
}

/// The strings of JSON or JavaScript that are values of one key.
struct KeyValues<'t> {
    key: Cow<'t, str>,
    /// The lists of values. Values outside an array continue the last list.
    lists: Vec<Vec<Cow<'t, str>>>,
}

impl KeyValues<'_> {
    fn lines(&self, start: &str) -> String {
        let (mut lines, mut last) = (String::new(), String::new());
        for list in &self.lists {
            let line = format!("{start} {}", list.join(" "));
            // The states of a game in progress repeat its moves: only the last one counts.
            if !line.starts_with(&last) {
                lines.push_str(&last);
                lines.push('\n');
            }
            last = line;
        }
        lines + &last
    }

    fn is_of_game(&self) -> bool {
        GAME_KEYS.iter().any(|key| self.key.eq_ignore_ascii_case(key))
    }
}

/// The strings of a JSON or JavaScript text by their keys, in the order of first use.
pub(super) struct JsonStrings<'t> {
    keys: Vec<KeyValues<'t>>,
}

impl<'t> JsonStrings<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        let mut keys = values_by_key(text);
        if keys.iter().any(KeyValues::is_of_game) {
            keys.retain(KeyValues::is_of_game);
        }
        Self { keys }
    }

    pub(super) fn records(&self) -> impl Iterator<Item = &str> {
        // The states of a game in progress repeat its moves: only the last one counts.
        let values = self
            .keys
            .iter()
            .flat_map(|values| values.lists.iter().flatten())
            .map(|value| &**value);
        let mut values = values.peekable();
        std::iter::from_fn(move || {
            let value = values.next()?;
            let is_continued = values.peek().is_some_and(|next| next.starts_with(value));
            Some(if is_continued { "" } else { value })
        })
        .filter(|value| may_be_record(value))
    }

    /// Returns the moves of each key: a line for each list of strings. A position under a key of its own may be the
    /// start of the moves under other keys, so each key has its lines without and with this start.
    pub(super) fn move_lists(&self) -> Vec<String> {
        let mut found = Vec::new();
        for start in [Some(""), self.start()].into_iter().flatten() {
            found.extend(self.keys.iter().map(|values| values.lines(start)));
        }
        found
    }

    /// Returns the position that is the only value of its key.
    fn start(&self) -> Option<&str> {
        self.keys.iter().find_map(|values| {
            let [list] = values.lists.as_slice() else {
                return None;
            };
            let [value] = list.as_slice() else { return None };
            let value = value.trim();
            (value.len() <= MAX_START_BYTES && usi::is_position(value)).then_some(value)
        })
    }
}

fn values_by_key(text: &str) -> Vec<KeyValues<'_>> {
    let mut found: Vec<KeyValues<'_>> = Vec::new();
    // The index of each key in `found`.
    let mut indices: HashMap<Cow<'_, str>, usize> = HashMap::new();
    let mut key = Cow::Borrowed("");
    for (string, before, after) in strings(text) {
        if after.trim_start().starts_with(':') {
            key = if string.len() <= MAX_KEY_BYTES {
                string
            } else {
                "".into()
            };
            continue;
        }
        // A key without quotes precedes the value.
        let word = before
            .rsplit_once(':')
            .map_or("", |(before, _)| before.trim_end());
        let word = word
            .rsplit(|c: char| !c.is_alphanumeric() && c != '_')
            .next()
            .unwrap_or_default();
        if !word.is_empty() {
            key = word.into();
        }
        let index = *indices.entry(key.clone()).or_insert(found.len());
        if index == found.len() {
            found.push(KeyValues {
                key: key.clone(),
                lists: Vec::new(),
            });
        }
        let Some(KeyValues { lists, .. }) = found.get_mut(index) else {
            continue;
        };
        match lists.last_mut() {
            Some(list) if !before.contains('[') => list.push(string),
            _ => lists.push(vec![string]),
        }
    }
    found
}

/// Returns the strings of a JSON or JavaScript text in order. Each comes with the text after the previous string, and
/// the rest of the text.
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
        Some((unescape(string), before, rest))
    })
}

/// Returns the string literals of a program that may be records. Literals next to each other are one string. A sign that
/// is not closed, as an apostrophe in a header, begins no literal.
pub(super) fn literals(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for (string, before, rest) in strings(text) {
        if rest.is_empty() && !text.ends_with(['"', '\'', '`']) {
            break;
        }
        let is_joined = before
            .trim_matches(|c: char| c.is_whitespace() || "+\\.".contains(c))
            .is_empty();
        match found.last_mut() {
            Some(last) if is_joined => last.push_str(&string),
            _ => found.push(string.into_owned()),
        }
    }
    found.retain(|string| may_be_record(string));
    found
}

/// The maximum nesting of the objects in which a game is searched.
const MAX_NESTING: usize = 100;

/// Returns the objects of a list, or of a text with one on each line; empty for other texts.
pub(super) fn listed_objects(text: &str) -> Vec<&str> {
    let lines: Vec<&str> = text
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .collect();
    if lines
        .iter()
        .all(|line| line.starts_with('{') && line.ends_with('}'))
    {
        return if lines.len() > 1 { lines } else { Vec::new() };
    }
    if !text.trim_start().starts_with('[') {
        return Vec::new();
    }
    let (mut found, mut depth, mut begin) = (Vec::new(), 0_usize, 0);
    let (mut is_string, mut is_escaped) = (false, false);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = is_string,
            b'"' => is_string = !is_string,
            _ if is_string => {}
            b'{' => {
                begin = if depth == 0 { at } else { begin };
                depth += 1;
            }
            b'}' if depth == 0 => return Vec::new(),
            b'}' => {
                depth -= 1;
                if depth == 0 {
                    found.extend(text.get(begin..=at));
                }
            }
            _ => {}
        }
    }
    if found.len() > 1 { found } else { Vec::new() }
}

/// Returns the objects within JSON that have a list of moves, as JKF has: those that have the key `moves` before an
/// array of objects.
pub(super) fn objects_with_moves(json: &str) -> Vec<&str> {
    let (mut found, mut open): (Vec<&str>, Vec<(usize, bool)>) = (Vec::new(), Vec::new());
    let (mut is_string, mut is_escaped) = (false, false);
    for (at, byte) in json.bytes().enumerate() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = is_string,
            b'"' => {
                is_string = !is_string;
                let has_moves = is_string && json.get(at..).is_some_and(begins_moves);
                if has_moves && let Some((_, of_game)) = open.last_mut() {
                    *of_game = true;
                }
            }
            _ if is_string => {}
            b'{' if open.len() < MAX_NESTING => open.push((at, false)),
            b'{' => return found,
            b'}' => {
                if let Some((begin, true)) = open.pop() {
                    // An object around others holds them.
                    while found
                        .pop_if(|object| object.as_ptr() as usize - json.as_ptr() as usize > begin)
                        .is_some()
                    {}
                    found.extend(json.get(begin..=at));
                }
            }
            _ => {}
        }
    }
    found
}

/// Returns whether a text begins with the key `moves` before an array of objects.
fn begins_moves(text: &str) -> bool {
    let value = text
        .strip_prefix("\"moves\"")
        .and_then(|rest| rest.trim_start().strip_prefix(':'));
    value
        .and_then(|value| value.trim_start().strip_prefix('['))
        .is_some_and(|list| list.trim_start().starts_with(['{', ']']))
}

fn may_be_record(string: &str) -> bool {
    string.len() >= MIN_RECORD_BYTES && string.contains(|c: char| c.is_whitespace() || !c.is_ascii())
}

/// Returns a string of JSON or JavaScript with the escapes replaced by the characters that they stand for.
pub(super) fn unescape(string: &str) -> Cow<'_, str> {
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
                let code = rest
                    .get(..4)
                    .and_then(|digits| u32::from_str_radix(digits, 16).ok());
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

    #[test]
    fn strings_are_unescaped() {
        let found: Vec<_> = strings(r#"{"a": "b\nc", 'd': '\u76f4\"', "e"#)
            .map(|(string, ..)| string)
            .collect();
        assert_eq!(found, ["a", "b\nc", "d", "直\"", "e"]);
        let found = values_by_key(r#"[{"m": "1", b: ["2", "3"]}, {"m": "4", "n": 5, c : "6", "b": ["7"]}]"#);
        let found: Vec<_> = found.into_iter().map(|values| values.lists).collect();
        assert_eq!(
            found,
            [
                vec![vec!["1", "4"]],
                vec![vec!["2", "3"], vec!["7"]],
                vec![vec!["6"]]
            ]
        );
    }
}
