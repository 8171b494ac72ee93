//! What may surround a record in any format: a mail's head, quote marks, the gutter of a code block, escaped characters.
//! It is removed once, before the text is read.

use super::format::Container;
use super::json_strings::unescape;
use super::scan::digit;
use super::{address, detect_format};

/// The characters that begin a quoted line of a mail.
const QUOTE_MARKS: [char; 2] = ['>', '＞'];

/// Bars that may begin each line of a quoted text, as `>` may.
const BARS: [char; 4] = ['|', '｜', '│', '┃'];

/// The invisible characters that a copied text may contain.
const INVISIBLE_CHARACTERS: [char; 6] = ['\u{200b}', '\u{200c}', '\u{200d}', '\u{2060}', '\u{feff}', '\u{ad}'];

/// The minimum number of character escapes in a text that is not JSON.
const MIN_CHARACTER_ESCAPES: usize = 4;

/// The maximum number of wrappings around each other.
const MAX_LAYERS: usize = 6;

/// A text without its wrapping.
pub(super) struct Unwrapped {
    pub(super) text: String,
    pub(super) container: Container,
}

/// Returns a text without the wrappings around its lines; `None` if there are none.
pub(super) fn unwrap(text: &str) -> Option<Unwrapped> {
    const LAYERS: [(fn(&str) -> Option<String>, Container); 8] = [
        (without_mail_head, Container::Mail),
        (without_quote_marks, Container::Mail),
        (without_bars, Container::Quote),
        (without_line_numbers, Container::Quote),
        (without_post_heads, Container::Quote),
        (with_line_ends, Container::Quote),
        (with_escapes_replaced, Container::Quote),
        (without_percent_codes, Container::Quote),
    ];
    let mut found: Option<Unwrapped> = None;
    for _ in 0..MAX_LAYERS {
        let here = found.as_ref().map_or(text, |found| &found.text);
        let inside = LAYERS.iter().find_map(|(layer, container)| Some((layer(here)?, *container)));
        let Some((text, container)) = inside else { break };
        // The outermost wrapping names the container.
        let container = found.map_or(container, |found| found.container);
        found = Some(Unwrapped { text, container });
    }
    found
}

/// Returns a mail without the headers above it; `None` if a known header or the blank line after the headers is missing.
fn without_mail_head(text: &str) -> Option<String> {
    const KNOWN_HEADERS: [&str; 7] = ["from", "to", "subject", "date", "差出人", "宛先", "件名"];
    let (mut rest, mut is_known) = (text.trim_start(), false);
    while let Some((line, after)) = rest.split_once('\n') {
        rest = after;
        if line.trim().is_empty() {
            return is_known.then(|| rest.to_owned());
        }
        if line.starts_with([' ', '\t']) {
            continue;
        }
        let name = line.split_once([':', '：']).map_or("", |(name, _)| name);
        let is_known_name = KNOWN_HEADERS.contains(&name.to_ascii_lowercase().as_str());
        let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphabetic() || byte == b'-');
        if !is_name && !is_known_name {
            return None;
        }
        is_known |= is_known_name;
    }
    None
}

/// Returns the insides of the code blocks between lines of ``` or ~~~ that have a line of a record, and the passages
/// around them. `None` without such a block.
pub(super) fn code_blocks(text: &str) -> Option<(Vec<&str>, Vec<&str>)> {
    if !text.contains("```") && !text.contains("~~~") {
        return None;
    }
    let (mut blocks, mut around) = (Vec::new(), Vec::new());
    // The fence and the beginning of an open block.
    let mut open: Option<(&str, usize)> = None;
    for line in text.split_inclusive('\n') {
        let at = line.as_ptr() as usize - text.as_ptr() as usize;
        let fence = ["```", "~~~"].into_iter().find(|fence| line.trim_start().starts_with(fence));
        match (open, fence) {
            (Some((opening, begin)), Some(fence)) if opening == fence => {
                blocks.extend(text.get(begin..at));
                open = None;
            }
            (None, Some(fence)) => open = Some((fence, at + line.len())),
            (None, None) if !line.trim().is_empty() => around.push(line.trim()),
            _ => {}
        }
    }
    blocks.extend(open.and_then(|(_, begin)| text.get(begin..)));
    let is_record = |block: &&str| block.lines().any(|line| detect_format::determines_format(line.trim()));
    blocks.retain(is_record);
    (!blocks.is_empty()).then_some((blocks, around))
}

/// Returns a text without the quote marks before its lines; `None` if fewer than two lines have one. In a log of an
/// engine, `>` shows the direction of a line.
fn without_quote_marks(text: &str) -> Option<String> {
    let is_quoted = |line: &&str| line.trim_start().starts_with(QUOTE_MARKS);
    if text.lines().filter(is_quoted).count() < 2 || text.lines().any(|line| line.trim_start().starts_with('<')) {
        return None;
    }
    let is_mark = |c: char| QUOTE_MARKS.contains(&c) || c.is_whitespace();
    Some(map_lines(text, |line| if is_quoted(&line) { line.trim_start_matches(is_mark) } else { line }))
}

/// Returns a text without the bar with which nearly every line begins; `None` for other texts. The ranks of a board and
/// the rows of a table have a second bar.
fn without_bars(text: &str) -> Option<String> {
    let behind = |line: &str| -> Option<usize> {
        let rest = line.trim_start().strip_prefix(BARS)?;
        (!rest.contains(BARS) || detect_format::determines_format(rest.trim())).then_some(line.len() - rest.len())
    };
    let filled = text.lines().filter(|line| !line.trim().is_empty());
    let (mut lines, mut barred, mut ranks) = (0, 0, 0);
    for line in filled {
        lines += 1;
        match behind(line) {
            Some(_) => barred += 1,
            // Behind the bar of a quote, a rank of a board has two more.
            None => ranks += usize::from(line.matches(BARS).count() == 3),
        }
    }
    if barred < 2 || (barred + ranks) * 2 < lines {
        return None;
    }
    Some(map_lines(text, |line| {
        let is_rank = line.matches(BARS).count() == 3;
        match behind(line).or_else(|| is_rank.then(|| line.len() - line.trim_start().trim_start_matches(BARS).len())) {
            Some(at) => line.get(at..).unwrap_or_default().trim_start(),
            None => line,
        }
    }))
}

/// Returns a text without the numbers of its lines, as a code block is copied with its gutter; `None` for other texts.
/// A number alone on its line counts, too. The numbers of moves are no such numbers: no bar stands behind them, and all
/// lines behind them are moves.
fn without_line_numbers(text: &str) -> Option<String> {
    let mut expected: Option<u32> = None;
    let (mut numbered, mut has_bar, mut others) = (0, false, 0);
    for line in text.lines() {
        if line.trim().is_empty() {
            continue;
        }
        match split_line_number(line) {
            Some((number, behind, bar)) if expected.is_none_or(|expected| number == expected) => {
                expected = number.checked_add(1);
                numbered += 1;
                has_bar |= bar;
                others += usize::from(!behind.is_empty() && !super::prose::is_move(behind));
            }
            _ if numbered == 0 => return None,
            _ => others += usize::from(expected.is_none()),
        }
    }
    let is_gutter = has_bar && numbered > 0 || numbered >= 3 && others > 0 && numbered * 10 >= 9 * text.lines().count();
    if !is_gutter {
        return None;
    }
    let mut next = None;
    Some(map_lines(text, |line| match split_line_number(line) {
        Some((number, behind, _)) if next.is_none_or(|next| number == next) => {
            next = number.checked_add(1);
            behind
        }
        _ => line.trim_end().trim_end_matches(BARS),
    }))
}

/// Splits off the number of a line, and whether a bar follows it.
fn split_line_number(line: &str) -> Option<(u32, &str, bool)> {
    let text = line.trim_start();
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, rest) = text.split_at_checked(digits)?;
    let number = number.parse().ok()?;
    let behind = rest.trim_start_matches([' ', '\t']);
    match behind.strip_prefix(BARS) {
        Some(behind) => Some((number, behind.trim_end().trim_end_matches(BARS).trim(), true)),
        None if behind.len() < rest.len() || rest.is_empty() => Some((number, behind.trim(), false)),
        None => behind.strip_prefix(':').map(|behind| (number, behind.trim(), false)),
    }
}

/// Returns a text without the heads of posts, which have a number and a name; `None` without one.
fn without_post_heads(text: &str) -> Option<String> {
    let is_head = |line: &str| {
        let behind = line.trim_start_matches(|c| digit(c).is_some());
        let name = behind.trim_start_matches(|c: char| c.is_whitespace() || ":：".contains(c));
        behind.len() < line.len() && (name.starts_with("名前：") || name.starts_with("名前:") || name.contains(" ID:"))
    };
    text.lines().any(is_head).then(|| map_lines(text, |line| if is_head(line) { "" } else { line }))
}

/// Returns a text whose line ends are escaped, as in source code, with real line ends. `None` for JSON and HTML, and
/// unless at least two line ends, and most of all, are escaped.
fn with_line_ends(text: &str) -> Option<String> {
    let escaped = text.matches("\\n").count();
    let is_code = text.trim_start().starts_with(['{', '[', '"', '<']);
    if is_code || escaped < 2 || escaped <= text.matches('\n').count() {
        return None;
    }
    Some(text.replace("\\r", "").replace("\\n", "\n").replace("\\t", "\t"))
}

/// Returns a text with its escapes, such as `\u76f4`, replaced by their characters; `None` with few of them.
fn with_escapes_replaced(text: &str) -> Option<String> {
    let is_code = text.trim_start().starts_with(['{', '[', '<']);
    let is_escape = |(at, _): &(usize, &str)| {
        text.get(at + 2..at + 6).is_some_and(|code| code.bytes().all(|byte| byte.is_ascii_hexdigit()))
    };
    let has_many = || text.match_indices("\\u").filter(is_escape).nth(MIN_CHARACTER_ESCAPES - 1).is_some();
    (!is_code && has_many()).then(|| unescape(text).into_owned())
}

/// Decodes a single word that consists mostly of percent codes; `None` for other text.
fn without_percent_codes(text: &str) -> Option<String> {
    let text = text.trim();
    if !text.contains('%') || text.contains(char::is_whitespace) || text.contains("://") {
        return None;
    }
    let decoded = address::decoded(text);
    (decoded.len() * 3 < text.len() * 2).then_some(decoded)
}

/// Returns a text without invisible characters, which may be within moves; `None` without one.
pub(super) fn without_invisible(text: &str) -> Option<String> {
    text.contains(INVISIBLE_CHARACTERS).then(|| text.replace(INVISIBLE_CHARACTERS, ""))
}

/// Returns a text with each line changed.
fn map_lines<'t>(text: &'t str, mut change: impl FnMut(&'t str) -> &'t str) -> String {
    let mut changed = String::with_capacity(text.len());
    for line in text.lines() {
        changed.push_str(change(line));
        changed.push('\n');
    }
    changed
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(text: &str, inside: Option<&str>) {
        assert_eq!(unwrap(text).map(|unwrapped| unwrapped.text).as_deref(), inside, "{text}");
    }

    #[test]
    fn wrappings_are_removed() {
        check("> a\n>> b\n", Some("a\nb\n"));
        check("> a\n>> b\n△８四歩は？\n", Some("a\nb\n△８四歩は？\n"));
        check("a\\nb\\r\\nc", Some("a\nb\nc"));
        check("%E7%9B%B4%E7%9B%B4", Some("直直"));
        check("> 1 | a\n> 2 | b\n", Some("a\nb\n"));
        check("1 |\nstartpos moves 2g2f 3c3d |\n", Some("\nstartpos moves 2g2f 3c3d \n"));
        check("1 手合割：平手\n2 先手：甲\n3    1 ７六歩(77)\n", Some("手合割：平手\n先手：甲\n1 ７六歩(77)\n"));
        for text in ["", "a\n> b\nc\n", "a\\n\nb\n", "100% 50%", "> usi\n< usiok\n", "1 ７六歩\n2 ３四歩\n3 ２六歩\n"] {
            check(text, None);
        }
    }

    #[test]
    fn a_code_block_is_found_with_the_words_around_it() {
        let (blocks, around) = code_blocks("a\n```kif\n1 ７六歩(77)\n```\nb\n```\nx = 1\n```\n").unwrap();
        assert_eq!((blocks, around), (vec!["1 ７六歩(77)\n"], vec!["a", "b"]));
        assert!(code_blocks("```\nx = 1\n```\n").is_none());
    }

    proptest! {
        #[test]
        fn any_text_is_unwrapped(text in "([>|\\\\nrtu%\"'`0-9a-f\n]|\\PC){0,60}") {
            let _unwrapped = unwrap(&text);
            let _blocks = code_blocks(&text);
        }
    }
}
