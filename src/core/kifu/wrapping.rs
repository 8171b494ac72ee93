//! Texts that contain a record in other characters: quotes of mails, escaped line ends, percent codes, JSON. Also the
//! repair of damaged moves.

use super::address;
use super::prose::{self, QUOTE_MARKS};
use super::scan::digit;
use crate::shogi::SIDE_MARKS;
use std::borrow::Cow;
use std::collections::HashMap;

/// Bars that may begin each line of a quoted text, as `>` may.
const QUOTE_BARS: [char; 2] = ['|', '｜'];

/// The minimum length of a JSON string that may be a record, in bytes.
const MIN_RECORD_BYTES: usize = 8;

/// Returns a text without the wrapping around all of it, and the number of omitted lines with moves. `None` if there is
/// no wrapping.
pub(super) fn remove_wrapping(text: &str) -> Option<(String, usize)> {
    let whole = || with_line_ends(text).or_else(|| without_mail_headers(text)).or_else(|| lines_behind_bars(text));
    let with_none = |text| (text, 0);
    whole().map(with_none).or_else(|| quoted_lines(text)).or_else(|| without_codes(text).map(with_none))
}

/// Returns a text with damage to its moves repaired: escaped or misread characters, line ends within moves, moves in
/// columns. Returns `None` if there is no such damage.
pub(super) fn repair_moves(text: &str) -> Option<String> {
    let letters = with_escapes_replaced(text).or_else(|| without_invisible(text)).or_else(|| with_letters_joined(text));
    let lines = || with_moves_joined(text).or_else(|| in_order_of_numbers(text)).or_else(|| without_post_heads(text));
    letters.or_else(lines).or_else(|| with_rank_numerals(text))
}

/// Returns a text in which syllables that look like numerals of ranks are replaced by these numerals. `None` without
/// such a syllable; likewise, the functions below return `None` if they would not change the text.
fn with_rank_numerals(text: &str) -> Option<String> {
    const LOOKALIKES: [(char, char); 4] = [('ハ', '八'), ('ニ', '二'), ('ミ', '三'), ('ー', '一')];
    let mut chars = text.chars().peekable();
    let (mut mended, mut before, mut is_mended) = (String::with_capacity(text.len()), ' ', false);
    while let Some(c) = chars.next() {
        let is_within = digit(before).is_some() && chars.peek().is_some_and(|next| PIECE_CHARACTERS.contains(*next));
        let rank = LOOKALIKES.iter().find(|(alike, _)| *alike == c && is_within).map(|(_, rank)| *rank);
        is_mended |= rank.is_some();
        mended.push(rank.unwrap_or(c));
        before = c;
    }
    is_mended.then_some(mended)
}

/// The characters that begin a piece's name.
const PIECE_CHARACTERS: &str = "歩香桂銀金角飛玉王成と馬龍竜";

/// Returns a text without the heads of posts, which have a number and a name.
fn without_post_heads(text: &str) -> Option<String> {
    let is_head = |line: &&str| {
        let number = line.trim_start_matches(|c| digit(c).is_some());
        let behind = number.trim_start_matches(|c: char| c.is_whitespace() || ":：".contains(c));
        number.len() < line.len()
            && (behind.starts_with("名前：") || behind.starts_with("名前:") || behind.contains(" ID:"))
    };
    let is_post = text.lines().any(|line| is_head(&line));
    is_post.then(|| text.lines().filter(|line| !is_head(line)).collect::<Vec<_>>().join("\n"))
}

/// The invisible characters that a copied text may contain.
const INVISIBLE_CHARACTERS: [char; 6] = ['\u{200b}', '\u{200c}', '\u{200d}', '\u{2060}', '\u{feff}', '\u{ad}'];

/// Returns a text without invisible characters, which may be within moves.
fn without_invisible(text: &str) -> Option<String> {
    text.contains(INVISIBLE_CHARACTERS).then(|| text.replace(INVISIBLE_CHARACTERS, ""))
}

/// The minimum number of character escapes in a text that is not JSON.
const MIN_CHARACTER_ESCAPES: usize = 4;

/// Returns a text with its escapes, such as `\u76f4`, replaced by their characters.
fn with_escapes_replaced(text: &str) -> Option<String> {
    let is_json = text.trim_start().starts_with(['{', '[', '<']);
    let escapes = || {
        text.match_indices("\\u").filter(|(at, _)| {
            text.get(at + 2..at + 6).is_some_and(|code| code.bytes().all(|byte| byte.is_ascii_hexdigit()))
        })
    };
    (!is_json && escapes().nth(MIN_CHARACTER_ESCAPES - 1).is_some()).then(|| unescape(text).into_owned())
}

/// The minimum number of single characters in a text that has a blank after each character.
const MIN_SEPARATE_CHARACTERS: usize = 8;

/// Returns a text without its blanks and line ends, if these separate nearly all characters of the text.
fn with_letters_joined(text: &str) -> Option<String> {
    if text.contains('|') || !text.contains(SIDE_MARKS) {
        return None;
    }
    let (mut words, mut letters) = (0, 0);
    for word in text.split_whitespace() {
        words += 1;
        letters += usize::from(word.chars().nth(1).is_none());
    }
    (letters >= MIN_SEPARATE_CHARACTERS && letters * 10 >= words * 9).then(|| text.split_whitespace().collect())
}

/// Returns a text without the line ends within moves: after a square or its file, or after a side mark.
fn with_moves_joined(text: &str) -> Option<String> {
    let is_rank = |c: char| digit(c).is_some() || "一二三四五六七八九".contains(c);
    let ends_within = |line: &str| {
        let mut before = line.trim_end().chars().rev();
        let [last, file, mark] = [before.next(), before.next(), before.next()];
        let is_marked = |c: Option<char>| c.is_some_and(|c| SIDE_MARKS.contains(&c));
        is_marked(last)
            || is_marked(file) && last.is_some_and(|c| digit(c).is_some())
            || is_marked(mark) && file.is_some_and(|c| digit(c).is_some()) && last.is_some_and(is_rank)
    };
    let begins_within = |line: &str| {
        line.trim_start()
            .starts_with(|c: char| digit(c).is_some() || is_rank(c) || c == '同' || PIECE_CHARACTERS.contains(c))
    };
    let lines: Vec<&str> = text.lines().collect();
    let is_within = |pair: &[&str]| matches!(pair, [line, next] if ends_within(line) && begins_within(next));
    if !lines.windows(2).any(is_within) {
        return None;
    }
    let mut joined = String::with_capacity(text.len());
    for (at, line) in lines.iter().enumerate() {
        let is_within = lines.get(at..at + 2).is_some_and(is_within);
        joined.push_str(if is_within { line.trim_end() } else { line });
        joined.push_str(if is_within { "" } else { "\n" });
    }
    Some(joined)
}

/// The minimum number of moves in columns.
const MIN_COLUMN_MOVES: usize = 4;

/// Returns the moves of a text with columns, in the order of their numbers. The numbers must start at 1, and must not
/// be in order in the text.
fn in_order_of_numbers(text: &str) -> Option<String> {
    let mut parts: Vec<(usize, &str)> = text.lines().flat_map(numbered_parts).collect();
    let is_in_order =
        |parts: &[(usize, &str)]| parts.iter().zip(1..).all(|((number, _), expected)| *number == expected);
    if parts.len() < MIN_COLUMN_MOVES || is_in_order(&parts) {
        return None;
    }
    parts.sort_by_key(|(number, _)| *number);
    let others = text.lines().filter(|line| numbered_parts(line).is_empty());
    let lines = || others.chain(parts.iter().map(|(_, part)| *part)).flat_map(|line| [line, "\n"]);
    is_in_order(&parts).then(|| lines().collect())
}

/// Returns the parts of a line that begin with a number before a move, without the number.
fn numbered_parts(line: &str) -> Vec<(usize, &str)> {
    let is_apart = |at: &usize| line.get(..*at).unwrap_or_default().chars().next_back().is_none_or(char::is_whitespace);
    let begins = line.char_indices().filter(|(_, c)| digit(*c).is_some()).map(|(at, _)| at).filter(is_apart);
    let parts: Vec<_> = begins.filter_map(|at| Some((at, split_move_number(line.get(at..)?)?))).collect();
    let ends = parts.iter().map(|(at, _)| *at).skip(1).chain([line.len()]);
    let part = |((_, (number, from)), end): (&(usize, (usize, &'_ str)), usize)| {
        let from = line.len() - from.len();
        (*number, line.get(from..end).unwrap_or_default())
    };
    parts.iter().zip(ends).map(part).collect()
}

/// Splits off the number of a move at the beginning of a text. Returns the number and the move; `None` for other text.
fn split_move_number(text: &str) -> Option<(usize, &str)> {
    let digits: Vec<u32> = text.chars().map_while(digit).take(4).collect();
    let length = digits.len();
    let number = digits.into_iter().fold(0, |number, digit| number * 10 + digit as usize);
    let rest = text.trim_start_matches(|c| digit(c).is_some()).trim_start_matches("手目");
    let after = rest.trim_start_matches(|c: char| c.is_whitespace() || ".．:：)）、".contains(c));
    let is_move = || {
        let mut chars = after.trim_start_matches(SIDE_MARKS).chars();
        let is_rank = |c: char| digit(c).is_some() || "一二三四五六七八九".contains(c);
        match chars.next() {
            Some('同') => true,
            Some(file) => digit(file).is_some() && chars.next().is_some_and(is_rank),
            None => false,
        }
    };
    (length < 4 && after.len() < rest.len() && is_move()).then_some((number, after))
}

/// Returns a text whose line ends are escaped, as in source code, with real line ends. `None` for JSON and HTML, and
/// unless at least two line ends, and most of all, are escaped.
fn with_line_ends(text: &str) -> Option<String> {
    let escaped = text.matches("\\n").count();
    let is_json = text.trim_start().starts_with(['{', '[', '"', '<']);
    if is_json || escaped < 2 || escaped <= text.matches('\n').count() {
        return None;
    }
    Some(text.replace("\\r", "").replace("\\n", "\n").replace("\\t", "\t"))
}

/// Returns the text of a mail without the headers above it; `None` if a known header or the blank line after the
/// headers is missing.
fn without_mail_headers(text: &str) -> Option<String> {
    const KNOWN_HEADERS: [&str; 4] = ["from", "to", "subject", "date"];
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
        is_known |= KNOWN_HEADERS.contains(&name.to_ascii_lowercase().as_str());
    }
    None
}

/// Returns the quoted lines of a text without their marks, if at least half of its lines are quoted. Also returns the
/// number of other lines with moves.
fn quoted_lines(text: &str) -> Option<(String, usize)> {
    // The rows of a table and of a board have further bars.
    let is_behind_bar = |line: &str| line.strip_prefix(QUOTE_BARS).is_some_and(|line| !line.contains(QUOTE_BARS));
    let is_quoted = |line: &&str| {
        let line = line.trim_start();
        line.starts_with(QUOTE_MARKS) || is_behind_bar(line)
    };
    let lines = || text.lines().filter(|line| !line.trim().is_empty());
    let quoted = lines().filter(is_quoted).count();
    // In a log of an engine, `>` shows the direction of a line.
    if quoted < 2 || quoted * 2 < lines().count() || text.contains("position ") {
        return None;
    }
    let is_mark = |c: char| QUOTE_MARKS.contains(&c) || c.is_whitespace();
    let unquoted = |line: &'_ str| {
        let line = line.trim_start_matches(is_mark);
        if is_behind_bar(line) { line.trim_start_matches(QUOTE_BARS).trim_start() } else { line }.to_owned()
    };
    let left_out = lines().filter(|line| !is_quoted(line) && prose::has_move(line)).count();
    let quoted: Vec<String> = text.lines().filter(is_quoted).map(unquoted).collect();
    Some((quoted.join("\n"), left_out))
}

/// Returns the lines of a text without the bar with which every line begins. Boards do not count: each rank has a
/// second bar.
fn lines_behind_bars(text: &str) -> Option<String> {
    let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty());
    let behind = |line: &'_ str| line.strip_prefix(QUOTE_BARS).map(str::trim_start).map(str::to_owned);
    let quoted: Option<Vec<String>> = lines().map(behind).collect();
    let quoted = quoted.filter(|quoted| quoted.len() >= 2)?;
    let is_rank = |line: &String| line.contains('|') && !line.starts_with('|');
    (!quoted.iter().all(|line| line.is_empty() || is_rank(line))).then(|| quoted.join("\n"))
}

/// Decodes a single word that consists mostly of percent codes; `None` for other text.
fn without_codes(text: &str) -> Option<String> {
    let text = text.trim();
    let is_one_word = text.contains('%') && !text.contains(char::is_whitespace) && !text.contains("://");
    let decoded = is_one_word.then(|| address::decoded(text))?;
    (decoded.len() * 3 < text.len() * 2).then_some(decoded)
}

/// The JSON keys of games and their moves. If one of them is present, other keys hold other content.
const GAME_KEYS: [&str; 11] =
    ["moves", "move", "usi", "kif", "kifu", "ki2", "csa", "record", "game", "sfen", "position"];

/// The strings of JSON or JavaScript that are values of one key.
#[derive(Debug)]
pub(super) struct KeyValues<'t> {
    key: Cow<'t, str>,
    /// The lists of values. Values outside an array continue the last list.
    lists: Vec<Vec<Cow<'t, str>>>,
}

impl<'t> KeyValues<'t> {
    /// Returns whether the key is one of [`GAME_KEYS`].
    pub(super) fn has_game_key(&self) -> bool {
        GAME_KEYS.iter().any(|key| self.key.eq_ignore_ascii_case(key))
    }

    /// Returns the value if the key has only one; `None` otherwise.
    pub(super) fn single(&self) -> Option<&str> {
        let mut values = self.all();
        values.next().filter(|_| values.next().is_none())
    }

    /// Returns the values of all lists.
    pub(super) fn all(&self) -> impl Iterator<Item = &str> {
        self.lists.iter().flatten().map(|value| &**value)
    }

    pub(super) fn lists(&self) -> impl Iterator<Item = &[Cow<'t, str>]> {
        self.lists.iter().map(Vec::as_slice)
    }
}

/// Returns the string values of a JSON or JavaScript text by their keys. The keys are in the order of first use.
pub(super) fn values_by_key(text: &str) -> Vec<KeyValues<'_>> {
    let mut found: Vec<KeyValues<'_>> = Vec::new();
    // The index of each key in `found`.
    let mut indices: HashMap<Cow<'_, str>, usize> = HashMap::new();
    let mut key = Cow::Borrowed("");
    for (string, before, after) in strings(text) {
        if after.trim_start().starts_with(':') {
            key = string;
            continue;
        }
        // A key without quotes precedes the value.
        let word = before.rsplit_once(':').map_or("", |(before, _)| before.trim_end());
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        let word = word.get(word.trim_end_matches(is_part).len()..).unwrap_or_default();
        if !word.is_empty() {
            key = word.into();
        }
        let index = *indices.entry(key.clone()).or_insert(found.len());
        if index == found.len() {
            found.push(KeyValues { key: key.clone(), lists: Vec::new() });
        }
        let Some(KeyValues { lists, .. }) = found.get_mut(index) else { continue };
        match lists.last_mut().filter(|_| !before.contains('[')) {
            Some(list) => list.push(string),
            None => lists.push(vec![string]),
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

/// Returns whether a string of JSON may be a record by itself.
pub(super) fn may_be_record(string: &str) -> bool {
    string.len() >= MIN_RECORD_BYTES && string.contains(|c: char| c.is_whitespace() || !c.is_ascii())
}

/// Returns a string of JSON or JavaScript with the escapes replaced by the characters that they stand for.
fn unescape(string: &str) -> Cow<'_, str> {
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
    fn only_wrappings_of_the_whole_text_are_removed() {
        let check = |text: &str, inside: &str, left_out| {
            assert_eq!(remove_wrapping(text), Some((inside.to_owned(), left_out)), "{text}");
        };
        check("> a\n>> b\n", "a\nb", 0);
        check("> a\n>> b\n△８四歩は？\n", "a\nb", 1);
        check("a\\nb\\r\\nc", "a\nb\nc", 0);
        check("%E7%9B%B4%E7%9B%B4", "直直", 0);
        for text in ["", "a\n> b\nc\n", "a\\n\nb\n", "100% 50%", "> usi\n> position startpos\n"] {
            assert_eq!(remove_wrapping(text), None, "{text}");
        }
    }

    #[test]
    fn moves_in_pieces_are_joined() {
        let check = |text: &str, joined: &str| assert_eq!(repair_moves(text).as_deref(), Some(joined), "{text}");
        check("1 ７六歩　４ ８四歩\n2 ３四歩　５ ２五歩\n3 ２六歩", "７六歩　\n３四歩　\n２六歩\n８四歩\n２五歩\n");
        check("▲ ７ 六 歩 △ ３ 四 歩", "▲７六歩△３四歩");
        check("▲７六\n歩△３四歩▲\n２六歩\n△８四歩", "▲７六歩△３四歩▲２六歩\n△８四歩\n");
        check("▲７\u{200b}六歩", "▲７六歩");
        check("▲7ハ金△3ニ金", "▲7八金△3二金");
        check(r#""\u25b2\uff17\u516d\u6b69""#, "\"▲７六歩\"");
        for text in [
            "1 ７六歩 2 ３四歩\n3 ２六歩 4 ８四歩",
            "1 ７六歩\n3 ２六歩\n2 ３四歩\n1 ７六歩",
            "▲７六歩\n△３四歩\n",
            "a\\u1234",
        ] {
            assert_eq!(repair_moves(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_unwrapped(text in "([>\\\\nrtu%\"'`0-9a-f\n]|\\PC){0,60}") {
            let _text = remove_wrapping(&text);
            let _repaired = repair_moves(&text);
            let _values = values_by_key(&text);
        }
    }
}
