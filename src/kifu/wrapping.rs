//! What may surround a record in any format: a mail's head, quote marks, the gutter of a code block, escaped characters.
//! It is removed once, before the text is read.

mod tables;

use super::format::Container;
use super::json_strings::unescape;
use super::scan::{PIECE_CHARACTERS, digit, is_invisible};
use super::{address, csa, detect_format, html, kif};
use base64::Engine as _;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

/// The characters that begin a quoted line of a mail.
const QUOTE_MARKS: [char; 2] = ['>', '＞'];

/// Bars that may begin each line of a quoted text, as `>` may.
const BARS: [char; 4] = ['|', '｜', '│', '┃'];

/// The minimum number of character escapes in a text that is not JSON.
const MIN_CHARACTER_ESCAPES: usize = 4;

/// The minimum length of a line that quoted-printable has broken, in bytes.
const MIN_BROKEN_LINE_BYTES: usize = 60;

/// The maximum number of characters of the reading of kanji.
const MAX_READING_CHARS: usize = 20;

/// The minimum width of a terminal, in columns.
const MIN_TERMINAL_COLUMNS: usize = 60;

/// The minimum number of percent codes of an encoded word.
const MIN_PERCENT_CODES: usize = 2;

/// The maximum number of wrappings around each other.
const MAX_WRAPPINGS: usize = 6;

/// A text without its wrapping.
pub(super) struct Unwrapped {
    pub(super) text: String,
    pub(super) container: Container,
}

/// A function that removes one wrapping, and the container that it shows.
type Unwrapping = (fn(&str) -> Option<String>, Container);

/// The wrappings whose lines would be read as a record. The signs of each are such that no record has them.
const CERTAIN_WRAPPINGS: [Unwrapping; 12] = [
    (without_difference_signs, Container::Quote),
    (without_markdown_escapes, Container::Quote),
    (tables::without_cell_quotes, Container::Prose),
    (tables::with_board_drawn, Container::Prose),
    (tables::with_seconds_named, Container::Prose),
    (without_breaks, Container::Page),
    (without_transfer_encoding, Container::Mail),
    (without_mail_head, Container::Mail),
    (without_quote_marks, Container::Mail),
    (without_bars, Container::Quote),
    (without_post_heads, Container::Quote),
    (without_emphasized_keys, Container::Prose),
];

/// The wrappings that are removed where the text is not certainly a record.
const LIKELY_WRAPPINGS: [Unwrapping; 13] = [
    (without_terminal_codes, Container::Log),
    (kif::with_lost_line_ends, Container::Prose),
    (with_usual_signs, Container::Quote),
    (without_readings, Container::Quote),
    (with_hard_wraps_joined, Container::Quote),
    (without_line_prefixes, Container::Quote),
    (with_csa_on_lines, Container::Quote),
    (with_escaped_line_ends, Container::Quote),
    (with_escapes_replaced, Container::Quote),
    (without_percent_codes, Container::Quote),
    (with_words_decoded, Container::Prose),
    (without_emphasis, Container::Prose),
    (without_invisible, Container::Prose),
];

/// Returns a text without its certain wrappings; `None` if there are none.
pub(super) fn unwrap(text: &str) -> Option<Unwrapped> {
    remove(&CERTAIN_WRAPPINGS, text)
}

/// Returns a text without its likely wrappings; `None` if there are none.
pub(super) fn unwrap_further(text: &str) -> Option<Unwrapped> {
    remove(&LIKELY_WRAPPINGS, text)
}

fn remove(wrappings: &[Unwrapping], text: &str) -> Option<Unwrapped> {
    let mut found: Option<Unwrapped> = None;
    for _ in 0..MAX_WRAPPINGS {
        let here = found.as_ref().map_or(text, |found| &found.text);
        let inside = wrappings
            .iter()
            .find_map(|(unwrapped, container)| Some((unwrapped(here)?, *container)));
        let Some((text, container)) = inside else { break };
        // The outermost wrapping names the container.
        let container = found.map_or(container, |found| found.container);
        found = Some(Unwrapped { text, container });
    }
    found
}

/// Returns the new lines of a unified difference, without its signs and heads; `None` for another text.
fn without_difference_signs(text: &str) -> Option<String> {
    // `@@ -1,14 +1,20 @@` has the number of new lines.
    let new_lines = |line: &str| -> Option<usize> {
        let ranges = line.strip_prefix("@@ -")?.split_once(" @@")?.0;
        let (old, new) = ranges.split_once(" +")?;
        let is_range = |range: &str| range.bytes().all(|byte| byte.is_ascii_digit() || byte == b',');
        let count = new.split_once(',').map_or("1", |(_, count)| count);
        if is_range(old) && is_range(new) {
            count.parse().ok()
        } else {
            None
        }
    };
    text.lines()
        .find(|line| line.starts_with("+++ "))
        .and_then(|_| text.lines().find_map(new_lines))?;
    let (mut rest, mut whole) = (0, String::with_capacity(text.len()));
    for line in text.lines() {
        if let Some(count) = new_lines(line) {
            rest = count;
        } else if rest > 0
            && let Some(new) = line
                .strip_prefix([' ', '+'])
                .or_else(|| line.is_empty().then_some(""))
        {
            rest -= 1;
            whole.push_str(new);
            whole.push('\n');
        }
    }
    Some(whole)
}

/// Returns a text with `*` in place of `\*` in its moves, as Markdown writes a drop; `None` without one.
fn without_markdown_escapes(text: &str) -> Option<String> {
    text.match_indices("\\*")
        .any(|(at, _)| {
            let before = text.get(..at).and_then(|before| before.chars().next_back());
            before.is_some_and(|c| "PLNSGBR".contains(c))
                && text
                    .get(at + 2..)
                    .is_some_and(|rest| rest.starts_with(|c| digit(c).is_some()))
        })
        .then(|| text.replace("\\*", "*"))
}

/// Returns a text without the codes with which a terminal sets colours and titles; `None` without one.
fn without_terminal_codes(text: &str) -> Option<String> {
    let mut parts = text.split('\u{1b}');
    let mut cleaned = parts.next()?.to_owned();
    if cleaned.len() == text.len() {
        return None;
    }
    for part in parts {
        let length = match part.bytes().next() {
            // A colour or a movement ends with a letter or a sign, a title with a bell or the next code.
            Some(b'[') => part
                .bytes()
                .skip(1)
                .position(|byte| (0x40..=0x7e).contains(&byte))
                .map(|at| at + 2),
            Some(b']') => part.find('\u{7}').map(|at| at + 1).or(Some(part.len())),
            Some(b'\\') => Some(1),
            _ => None,
        };
        let line_end = part.find('\n').unwrap_or(part.len());
        cleaned.push_str(
            part.get(length.unwrap_or_default().min(line_end)..)
                .unwrap_or(part),
        );
    }
    Some(cleaned)
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
        let is_name = !name.is_empty()
            && name
                .bytes()
                .all(|byte| byte.is_ascii_alphabetic() || byte == b'-');
        if !is_name && !is_known_name {
            return None;
        }
        is_known |= is_known_name;
    }
    None
}

/// Returns the insides of the code blocks between fences that have a line of a record, and the passages
/// around them. `None` without such a block.
pub(super) fn code_blocks(text: &str) -> Option<(Vec<&str>, Vec<&str>)> {
    let is_record = |block: &&str| {
        block
            .lines()
            .any(|line| detect_format::determines_format(line.trim()))
    };
    if !text.contains("```") && !text.contains("~~~") {
        // A record may stand in code within a line.
        let [before, block, behind] = *text.split('`').collect::<Vec<_>>() else {
            return None;
        };
        let around: Vec<_> = [before, behind]
            .iter()
            .flat_map(|text| text.lines())
            .filter(|line| !line.trim().is_empty())
            .collect();
        let is_alone = is_record(&block) && !around.iter().any(is_record);
        return is_alone.then_some((vec![block], around));
    }
    let (mut blocks, mut around) = (Vec::new(), Vec::new());
    // The fence and the beginning of an open block.
    let mut open: Option<(&str, usize)> = None;
    for line in text.split_inclusive('\n') {
        let at = line.as_ptr() as usize - text.as_ptr() as usize;
        let fence = ["```", "~~~"]
            .into_iter()
            .find(|fence| line.trim_start().starts_with(fence));
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
    blocks.retain(is_record);
    (!blocks.is_empty()).then_some((blocks, around))
}

/// Returns the text of a mail that was encoded for its transfer: in base64, or with the codes of quoted-printable. `None`
/// for another text.
fn without_transfer_encoding(text: &str) -> Option<String> {
    let (head, body) = split_at_encoding(text, "base64").unwrap_or((text, ""));
    if !body.is_empty() {
        let end = body
            .find(|c: char| !c.is_ascii_alphanumeric() && !"+/=\r\n".contains(c))
            .unwrap_or(body.len());
        let (code, rest) = body.split_at_checked(end)?;
        return Some(format!(
            "{}\n\n{}\n{rest}",
            head.trim_end(),
            decoded_text(&base64_bytes(code)?)
        ));
    }
    if split_at_encoding(text, "quoted-printable").is_none()
        && text
            .lines()
            .filter(|line| {
                line.len() >= MIN_BROKEN_LINE_BYTES
                    && line.ends_with('=')
                    && line.is_ascii()
                    && !line.ends_with("==")
            })
            .count()
            < 2
    {
        return None;
    }
    let joined = text.replace("=\r\n", "").replace("=\n", "");
    let (mut bytes, mut rest) = (Vec::with_capacity(joined.len()), &*joined);
    while let Some((before, after)) = rest.split_once('=') {
        bytes.extend(before.bytes());
        let code = after.get(..2).filter(|code| {
            code.bytes()
                .all(|byte| byte.is_ascii_digit() || (b'A'..=b'F').contains(&byte))
        });
        match code.and_then(|code| u8::from_str_radix(code, 16).ok()) {
            Some(byte) => bytes.push(byte),
            None => bytes.push(b'='),
        }
        rest = after.get(code.map_or(0, str::len)..).unwrap_or_default();
    }
    bytes.extend(rest.bytes());
    let decoded = decoded_text(&bytes).replace("quoted-printable", "8bit");
    (decoded != text).then_some(decoded)
}

/// Splits a mail behind the head that names a transfer encoding; `None` without this encoding.
fn split_at_encoding<'t>(text: &'t str, encoding: &str) -> Option<(&'t str, &'t str)> {
    let line = text.lines().map(str::trim_end).find(|line| {
        let value = line.get(.."Content-Transfer-Encoding:".len());
        value.is_some_and(|key| key.eq_ignore_ascii_case("Content-Transfer-Encoding:"))
            && line.ends_with(encoding)
    })?;
    let at = line.as_ptr() as usize - text.as_ptr() as usize;
    let blank = ["\n\n", "\r\n\r\n"]
        .iter()
        .filter_map(|blank| Some(text.get(at..)?.find(blank)? + blank.len()))
        .min()?;
    let (head, body) = text.split_at_checked(at + blank)?;
    Some((head.get(..at).unwrap_or_default(), body))
}

/// Returns the bytes that a text in base64 stands for. Line ends and its padding are optional.
fn base64_bytes(text: &str) -> Option<Vec<u8>> {
    let config = GeneralPurposeConfig::new()
        .with_decode_allow_trailing_bits(true)
        .with_decode_padding_mode(DecodePaddingMode::RequireNone);
    let code: Vec<u8> = text
        .bytes()
        .filter(|byte| !byte.is_ascii_whitespace() && *byte != b'=')
        .collect();
    GeneralPurpose::new(&alphabet::STANDARD, config).decode(code).ok()
}

/// Decodes bytes in the encoding that they seem to have.
fn decoded_text(bytes: &[u8]) -> String {
    let decoded = super::decode::decode(bytes).map(|decoded| decoded.text.into_owned());
    decoded.unwrap_or_else(|_no_text| String::from_utf8_lossy(bytes).into_owned())
}

/// Returns a text without the quote marks before its lines; `None` if fewer than two lines have one. In a log of an
/// engine, `>` shows the direction of a line.
fn without_quote_marks(text: &str) -> Option<String> {
    let is_quoted = |line: &&str| line.trim_start().starts_with(QUOTE_MARKS);
    let is_mark = |c: char| QUOTE_MARKS.contains(&c) || c.is_whitespace();
    if !text.lines().any(|line| is_quoted(&line)) {
        return None;
    }
    // Below the beginning of a record, such a line belongs to a comment.
    let mut before = text.lines().take_while(|line| !is_quoted(line));
    if before.any(|line| detect_format::determines_format(line.trim())) {
        return None;
    }
    let mut quoted = text.lines().filter(is_quoted);
    // A single line may be prose with an arrow.
    let is_record = quoted
        .next()
        .is_some_and(|line| detect_format::determines_format(line.trim_start_matches(is_mark)));
    if !is_record && quoted.next().is_none() || text.lines().any(|line| line.trim_start().starts_with('<')) {
        return None;
    }
    let (mut unquoted, mut was_quoted) = (String::with_capacity(text.len()), false);
    for line in text.lines() {
        let is_quoted = is_quoted(&line);
        if was_quoted && !is_quoted {
            // The answer is a paragraph of its own.
            unquoted.push('\n');
        }
        unquoted.push_str(if is_quoted {
            line.trim_start_matches(is_mark)
        } else {
            line
        });
        unquoted.push('\n');
        was_quoted = is_quoted;
    }
    Some(unquoted)
}

/// Returns a text without the bar with which nearly every line begins; `None` for other texts. The ranks of a board and
/// the rows of a table have a second bar.
fn without_bars(text: &str) -> Option<String> {
    let behind = |line: &str| -> Option<usize> {
        let rest = line.trim_start().strip_prefix(BARS)?;
        (!rest.contains(BARS) || detect_format::determines_format(rest.trim()))
            .then_some(line.len() - rest.len())
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
        match behind(line)
            .or_else(|| is_rank.then(|| line.len() - line.trim_start().trim_start_matches(BARS).len()))
        {
            Some(at) => line.get(at..).unwrap_or_default().trim_start(),
            None => line,
        }
    }))
}

/// The beginnings of lines that only a record has. What stands before one of them may be the prefix of all lines.
const RECORD_LINES: [&str; 14] = [
    "手合割：",
    "手合割:",
    "先手：",
    "先手:",
    "下手：",
    "開始日時：",
    "#KIF version",
    "手数----",
    "N+",
    "V2",
    "PI",
    "position startpos",
    "position sfen ",
    "startpos moves",
];

/// The longest prefix of the lines of a record, in bytes.
const MAX_PREFIX_BYTES: usize = 100;

const MIN_PREFIXED_LINES: usize = 3;

/// Returns a text without the prefix of its lines: a line number, the name of a file, the `+` of a difference, a bar.
/// The numbers in it may change from line to line. `None` unless most lines of a part of the text have the prefix.
fn without_line_prefixes(text: &str) -> Option<String> {
    let mut lines = text.lines();
    let (prefix, at) = lines
        .by_ref()
        .enumerate()
        .find_map(|(at, line)| Some((record_prefix(line)?, at)))?;
    let (mut found, mut others, mut prefixed_others) = (0, 0, 0);
    for line in text.lines().skip(at) {
        if behind_prefix(line, prefix).is_some() {
            (found, prefixed_others) = (found + 1, others);
        } else if !line.trim().is_empty() {
            others += 1;
        }
    }
    let has_prefixes = found >= MIN_PREFIXED_LINES && found * 2 > prefixed_others * 3;
    has_prefixes.then(|| map_lines(text, |line| behind_prefix(line, prefix).unwrap_or(line)))
}

/// Returns a text with a line of its own for the beginning of a record of CSA, which stands behind words; `None` for
/// another text.
fn with_csa_on_lines(text: &str) -> Option<String> {
    let starts = ["V2.", "V3.", "N+"]
        .iter()
        .flat_map(|word| text.match_indices(word));
    let behind_words = starts
        .filter_map(|(at, _)| text.split_at_checked(at))
        .find(|(before, _)| {
            before.ends_with(['「', ':', '：', ' ', '　'])
                && !before.trim_end_matches([' ', '　']).ends_with('\n')
        });
    let (before, record) = behind_words?;
    record
        .split([',', '\n'])
        .map(str::trim)
        .any(|statement| statement.starts_with(['+', '-']) && csa::is_statement(statement))
        .then(|| format!("{before}\n{record}"))
}

/// Returns the text before the beginning of a record in a line; `None` without such a text.
fn record_prefix(line: &str) -> Option<&str> {
    let begin = RECORD_LINES.iter().filter_map(|known| line.find(known)).min()?;
    let prefix = line
        .get(..begin)
        .filter(|prefix| prefix.len() <= MAX_PREFIX_BYTES)?;
    let may_be_prefix =
        prefix.ends_with(|c: char| !c.is_alphanumeric()) && !prefix.contains(['"', '\'', '<', '{']);
    // The reader of CSA removes the prefix of a monitor. In another record, such a line is a remark.
    let is_monitor = prefix.trim_start().starts_with("##[");
    (may_be_prefix && !is_monitor && !prefix.trim().is_empty()).then_some(prefix)
}

/// Returns the text of a line behind a prefix with other numbers and blanks; `None` for a line without the prefix.
fn behind_prefix<'l>(line: &'l str, prefix: &str) -> Option<&'l str> {
    let (mut rest, mut expected) = (line.trim_start(), prefix.trim_start());
    while let Some(c) = expected.chars().next() {
        if c.is_ascii_digit() {
            let behind = rest.trim_start_matches(|c: char| c.is_ascii_digit());
            if behind.len() == rest.len() {
                return None;
            }
            (rest, expected) = (behind, expected.trim_start_matches(|c: char| c.is_ascii_digit()));
        } else if c.is_whitespace() {
            (rest, expected) = (rest.trim_start(), expected.trim_start());
        } else {
            rest = rest.strip_prefix(c)?;
            expected = expected.get(c.len_utf8()..).unwrap_or_default();
        }
    }
    Some(rest)
}

/// Returns a text whose lines end with an element for a line break, as the text of its markup; `None` for another text.
fn without_breaks(text: &str) -> Option<String> {
    let is_broken = |line: &&str| {
        ["<br>", "<br/>", "<br />", "<BR>"]
            .iter()
            .any(|end| line.trim_end().ends_with(end))
    };
    let filled = text.lines().filter(|line| !line.trim().is_empty()).count();
    let broken = text.lines().filter(is_broken).count();
    (broken * 2 > filled && !text.trim_start().starts_with('<')).then(|| html::plain_text(text))
}

/// Signs that look like the usual ones: radicals of kanji, as documents are copied, and dashes of typography.
const USUAL_SIGNS: [(char, char); 25] = [
    ('银', '銀'),
    ('飞', '飛'),
    ('马', '馬'),
    ('龙', '龍'),
    ('步', '歩'),
    ('⾦', '金'),
    ('⾓', '角'),
    ('⾶', '飛'),
    ('⽟', '玉'),
    ('⾹', '香'),
    ('⾺', '馬'),
    ('⿓', '龍'),
    ('⼀', '一'),
    ('⼆', '二'),
    ('⼋', '八'),
    ('⼿', '手'),
    ('⽣', '生'),
    ('⼊', '入'),
    ('⾏', '行'),
    ('⼤', '大'),
    ('‐', '-'),
    ('‑', '-'),
    ('‒', '-'),
    ('–', '-'),
    ('−', '-'),
];

/// Returns a text with the usual signs in place of those that look like them; `None` without any.
fn with_usual_signs(text: &str) -> Option<String> {
    let mut signs: Vec<char> = text
        .chars()
        .map(|c| {
            USUAL_SIGNS
                .iter()
                .find(|(other, _)| *other == c)
                .map_or(c, |(_, usual)| *usual)
        })
        .collect();
    // A reader of pictures takes the numeral of a rank for a syllable.
    for at in 1..signs.len().saturating_sub(1) {
        if let [file, sign, piece] = signs.get(at - 1..=at + 1).unwrap_or_default()
            && digit(*file).is_some()
            && PIECE_CHARACTERS.contains(*piece)
            && let Some(numeral) = [('ニ', '二'), ('ハ', '八'), ('ー', '一')]
                .iter()
                .find(|(other, _)| other == sign)
            && let Some(sign) = signs.get_mut(at)
        {
            *sign = numeral.1;
        }
    }
    let changed: String = signs.into_iter().collect();
    (changed != text).then_some(changed)
}

/// Returns a text without the readings of kanji in double angle brackets, as e-texts have them; `None` without any.
fn without_readings(text: &str) -> Option<String> {
    let mut parts = text.split('《');
    let mut cleaned = parts.next()?.to_owned();
    let mut is_changed = false;
    for part in parts {
        let end = part
            .char_indices()
            .take(MAX_READING_CHARS)
            .find(|(_, c)| *c == '》')
            .map(|(at, c)| at + c.len_utf8());
        is_changed |= end.is_some();
        if end.is_none() {
            cleaned.push('《');
        }
        cleaned.push_str(part.get(end.unwrap_or_default()..).unwrap_or_default());
    }
    is_changed.then_some(cleaned)
}

/// Returns a text whose `position` lines a terminal has broken at its width, even within moves, in whole lines. `None`
/// without two lines of the full width.
fn with_hard_wraps_joined(text: &str) -> Option<String> {
    let width = text
        .lines()
        .map(str::len)
        .max()
        .filter(|width| *width >= MIN_TERMINAL_COLUMNS)?;
    let is_full = |line: &str| line.len() == width && line.is_ascii() && !line.ends_with(' ');
    if !text.contains("position ") || text.lines().filter(|line| is_full(line)).nth(1).is_none() {
        return None;
    }
    let mut joined = String::with_capacity(text.len());
    for line in text.lines() {
        joined.push_str(line);
        if !is_full(line) {
            joined.push('\n');
        }
    }
    Some(joined)
}

/// Returns a text without the heads of posts, which have a number and a name; `None` without one.
fn without_post_heads(text: &str) -> Option<String> {
    let is_head = |line: &str| {
        let behind = line.trim_start_matches(|c| digit(c).is_some());
        let name = behind.trim_start_matches(|c: char| c.is_whitespace() || ":：".contains(c));
        behind.len() < line.len()
            && (name.starts_with("名前：") || name.starts_with("名前:") || name.contains(" ID:"))
    };
    text.lines()
        .any(is_head)
        .then(|| map_lines(text, |line| if is_head(line) { "" } else { line }))
}

/// Returns a text whose line ends are escaped, as in source code, with real line ends. `None` for JSON and HTML, and
/// unless at least two line ends, and most of all, are escaped.
fn with_escaped_line_ends(text: &str) -> Option<String> {
    let escaped = text.matches("\\n").count();
    // In quotes, they belong to the strings of a program.
    let is_code = text.trim_start().starts_with(['{', '[', '<']) || text.contains(['"', '\'', '`']);
    if is_code || escaped < 2 || escaped <= text.matches('\n').count() {
        return None;
    }
    Some(text.replace("\\r", "").replace("\\n", "\n").replace("\\t", "\t"))
}

/// Returns a text with its escapes, such as `\u76f4`, replaced by their characters; `None` with few of them.
fn with_escapes_replaced(text: &str) -> Option<String> {
    // In quotes, they belong to the strings of a program.
    let is_code = text.trim_start().starts_with(['{', '[', '<']) || text.contains(['"', '`']);
    let has_many = || {
        text.match_indices("\\u")
            .filter(|(at, _)| {
                text.get(at + 2..at + 6)
                    .is_some_and(|code| code.bytes().all(|byte| byte.is_ascii_hexdigit()))
            })
            .nth(MIN_CHARACTER_ESCAPES - 1)
            .is_some()
    };
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

/// Returns a text in which the words with percent codes are decoded; `None` without such a word. An address may hold
/// another address, or a whole record.
fn with_words_decoded(text: &str) -> Option<String> {
    let is_encoded = |word: &&str| word.matches('%').count() >= MIN_PERCENT_CODES;
    if !text.split_whitespace().any(|word| is_encoded(&word)) {
        return None;
    }
    let mut decoded = String::with_capacity(text.len());
    for word in text.split_inclusive(char::is_whitespace) {
        if is_encoded(&word) {
            // In the data of a form, `+` is a blank.
            let is_form = word.contains("%0A") || word.contains("%0a");
            let inside = address::decoded(&if is_form {
                word.replace('+', " ")
            } else {
                word.to_owned()
            });
            // What precedes the record or the inner address is no part of it.
            let record = ["手合割", "先手："]
                .iter()
                .filter_map(|key| inside.find(key))
                .min();
            let from = inside.rfind("http").max(record);
            decoded.push_str(from.and_then(|from| inside.get(from..)).unwrap_or(&inside));
        } else {
            decoded.push_str(word);
        }
    }
    (decoded != text).then_some(decoded)
}

/// Returns a text without the asterisks of emphasis, if headers have some: `**先手**：甲` looks like a comment.
fn without_emphasized_keys(text: &str) -> Option<String> {
    let has_key = |line: &str| {
        let key = line.trim_start().strip_prefix("**").unwrap_or_default();
        ["先手**", "先手：**", "後手**", "下手**", "手合割**", "手合割：**"]
            .iter()
            .any(|known| key.starts_with(known))
    };
    // A single such line may be a comment of KIF.
    text.lines()
        .filter(|line| has_key(line))
        .nth(1)
        .map(|_| text.replace("**", ""))
}

/// Returns a text without the asterisks of emphasis; `None` without any.
fn without_emphasis(text: &str) -> Option<String> {
    text.lines()
        .any(|line| line.matches("**").count() > 1)
        .then(|| text.replace("**", ""))
}

/// Returns whether a line has invisible characters, which may be within moves. In comments and names they join the parts
/// of a picture character.
pub(super) fn has_invisible(line: &str) -> bool {
    let text = line.trim();
    let is_words =
        text.starts_with(['*', '&', '#', '\'']) || text.starts_with("まで") || kif::is_header(text);
    line.contains(is_invisible) && !is_words
}

/// Returns a text without the invisible characters of its moves; `None` without one.
fn without_invisible(text: &str) -> Option<String> {
    text.lines().any(has_invisible).then(|| {
        let mut cleaned = String::with_capacity(text.len());
        for line in text.lines() {
            let is_damaged = has_invisible(line);
            cleaned.extend(line.chars().filter(|c| !is_damaged || !is_invisible(*c)));
            cleaned.push('\n');
        }
        cleaned
    })
}

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
        let found = unwrap(text)
            .or_else(|| unwrap_further(text))
            .map(|unwrapped| unwrapped.text);
        assert_eq!(found.as_deref(), inside, "{text}");
    }

    #[test]
    fn wrappings_are_removed() {
        check("> a\n>> b\n", Some("a\nb\n"));
        check("> a\n>> b\n△８四歩は？\n", Some("a\nb\n\n△８四歩は？\n"));
        check("a\\nb\\r\\nc", Some("a\nb\nc"));
        check(
            "--- a\n+++ b\n@@ -1,2 +1,2 @@\n 手合割：平手\n-a\n+b\nc\n",
            Some("手合割：平手\nb\n"),
        );
        check("1. P\\*2c", Some("1. P*2c"));
        check(
            "\u{1b}[36m先手>\u{1b}[0m ７六歩\u{1b}[K\n",
            Some("先手> ７六歩\n"),
        );
        check("５ニ飛", Some("５二飛"));
        check(
            "先手：甲 手数---- 1 ７六歩(77) 2 ３四歩(33) 3 投了",
            Some("先手：甲\n手数----\n1 ７六歩(77)\n2 ３四歩(33)\n3 投了\n"),
        );
        check("%E7%9B%B4%E7%9B%B4", Some("直直"));
        check(
            "1 手合割：平手\n2 先手：甲\n3    1 ７六歩(77)\n",
            Some("手合割：平手\n先手：甲\n1 ７六歩(77)\n"),
        );
        check(
            "x\n+手合割：平手\n+先手：甲\n+\n+*a\n",
            Some("x\n手合割：平手\n先手：甲\n\n*a\n"),
        );
        check(
            "a.kif:9:先手：甲\na.kif:10:後手：乙\na.kif:11:▲７六歩\n",
            Some("先手：甲\n後手：乙\n▲７六歩\n"),
        );
        let head = "Subject: a\nContent-Transfer-Encoding: ";
        check(
            &format!("{head}quoted-printable\n\nx=3D1 =\ny=\nz\n"),
            Some("x=1 yz\n"),
        );
        check(&format!("{head}base64\n\n5peE\n"), Some("旄\n"));
        for text in [
            "",
            "a\n> b\nc\n",
            "a\\n\nb\n",
            "100% 50%",
            "> usi\n< usiok\n",
            "1 ７六歩\n2 ３四歩\n3 ２六歩\n",
        ] {
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
            let _unwrapped = (unwrap(&text), unwrap_further(&text));
            let _blocks = code_blocks(&text);
        }
    }
}
