//! The meaning of the words between the moves of prose: headers, addresses, positions, numbers, and the beginning of
//! another game.

use super::words::is_separator;
use crate::scan::digit;
use crate::{board_word, handicap, usi};
use shogibar_shogi::{Position, SIDE_MARKS, notation};

/// The maximum length of the scheme of an address, in bytes.
const MAX_SCHEME_BYTES: usize = 20;

/// The number of bytes within which the first rank of a board ends.
const MAX_RANK_BYTES: usize = 20;

/// The maximum length of a board, in bytes.
const MAX_BOARD_BYTES: usize = 200;

/// The maximum number of characters of the name of a handicap.
const MAX_HANDICAP_CHARS: usize = 6;

const MAX_MOVE_NUMBER_DIGITS: usize = 4;

/// The maximum number of characters before 局 in words like 第1局, including the 第.
const MAX_GAME_NUMBER_CHARS: usize = 5;

const GAME_WORDS: [&str; 3] = ["game ", "round ", "対局"];

/// Returns whether `rest`, which continues `text`, begins with the number 1 of a move.
pub(super) fn begins_numbering(text: &str, rest: &str) -> bool {
    let before = text
        .get(..text.len() - rest.len())
        .and_then(|before| before.chars().next_back());
    let mut chars = rest.chars();
    before.is_none_or(|c| c.is_whitespace() || "(（:：".contains(c))
        && matches!(chars.next(), Some('1' | '１' | '①'))
        && chars.next().is_some_and(|c| ".．)）、:：".contains(c))
        && chars
            .next()
            .is_none_or(|c| digit(c).is_none() || rest.starts_with('①'))
}

/// Returns whether a text begins with a digit and a character that is no blank, as a square does.
pub(super) fn begins_with_square(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(|c| digit(c).is_some()) && chars.next().is_some_and(|c| !c.is_whitespace())
}

/// Splits off the move number at the beginning of a text, as in 4手目. Returns the number and the text after 手目;
/// `None` for other text.
pub(super) fn split_move_number(text: &str) -> Option<(u16, &str)> {
    let digits: Vec<u32> = text
        .chars()
        .map_while(digit)
        .take(MAX_MOVE_NUMBER_DIGITS + 1)
        .collect();
    if !(1..=MAX_MOVE_NUMBER_DIGITS).contains(&digits.len()) {
        return None;
    }
    let length: usize = text.chars().take(digits.len()).map(char::len_utf8).sum();
    let rest = text.get(length..)?.strip_prefix("手目")?;
    let number = digits.iter().fold(0, |number, digit| number * 10 + digit);
    Some((u16::try_from(number).ok()?, rest))
}

/// Returns whether the full stop at the beginning of `rest`, which continues `text`, ends an English sentence.
pub(super) fn ends_sentence(text: &str, rest: &str) -> bool {
    let before = text
        .get(..text.len() - rest.len())
        .and_then(|before| before.chars().next_back());
    before.is_some_and(|c| c.is_ascii_alphabetic())
        && rest
            .get(1..)
            .is_some_and(|rest| !rest.starts_with(|c: char| !c.is_whitespace()))
}

/// Returns whether `rest`, which continues the words `from`, is between the names of two players.
pub(super) fn is_pairing(from: &str, rest: &str) -> bool {
    let before = from.get(..from.len() - rest.len()).unwrap_or_default();
    let behind = ["対", "vs", "VS", "vs."]
        .iter()
        .find_map(|word| rest.strip_prefix(word));
    let is_apart = |c: char| c.is_whitespace();
    !before.trim().is_empty()
        && before.ends_with(is_apart)
        && behind.is_some_and(|behind| behind.starts_with(is_apart))
}

/// Returns the SFEN of a board with White to move, if words after the board state that (後手番). `text` begins with
/// `position`, the board. Returns `None` for other words.
pub(super) fn sfen_with_white_to_move(position: &str, text: &str) -> Option<String> {
    let behind = text
        .strip_prefix(position)?
        .trim_start_matches([' ', '　', '(', '（', '、', ',', '[']);
    let is_white = ["後手番", "後手の手番", "△番", "△後手番", "☖後手番"]
        .iter()
        .any(|words| behind.starts_with(words));
    (is_white && board_word::is_board(position.trim())).then(|| format!("{} w - 1", position.trim()))
}

/// Returns whether the words at `rest`, which continue `from`, announce a game: 初手, 第1局, 1局目, or `game 1`.
pub(super) fn announces_game(from: &str, rest: &str) -> bool {
    let begins = |word: &&str| {
        let found = rest
            .get(..word.len())
            .is_some_and(|found| found.eq_ignore_ascii_case(word));
        found
            && rest
                .get(word.len()..)
                .is_some_and(|behind| behind.starts_with(|c| digit(c).is_some()))
    };
    if GAME_WORDS.iter().any(begins) {
        return true;
    }
    let before = from.get(..from.len() - rest.len()).unwrap_or_default();
    let mut number = before.chars().rev().take(MAX_GAME_NUMBER_CHARS);
    rest.starts_with("初手")
        || rest.starts_with("局目")
        || rest.starts_with('局') && number.any(|c| c == '第')
}

/// The handicaps in English, the longer names first.
const ENGLISH_HANDICAPS: [(&str, &str); 14] = [
    ("10-piece", "十枚落ち"),
    ("ten-piece", "十枚落ち"),
    ("8-piece", "八枚落ち"),
    ("eight-piece", "八枚落ち"),
    ("6-piece", "六枚落ち"),
    ("six-piece", "六枚落ち"),
    ("4-piece", "四枚落ち"),
    ("four-piece", "四枚落ち"),
    ("2-piece", "二枚落ち"),
    ("two-piece", "二枚落ち"),
    ("rook-lance", "飛香落ち"),
    ("rook", "飛車落ち"),
    ("bishop", "角落ち"),
    ("lance", "香落ち"),
];

/// Returns the start of the handicap named at the beginning of `rest`, which continues `text`. In Japanese, `rest`
/// begins with the last character before 落ち; in English, with *handicap*. Returns `None` for other words.
pub(super) fn named_handicap(text: &str, rest: &str) -> Option<Position> {
    if rest
        .get(.."handicap".len())
        .is_some_and(|word| word.eq_ignore_ascii_case("handicap"))
    {
        let before = text.get(..text.len() - rest.len())?.trim_end();
        let ends = |name: &str| {
            let end = before
                .len()
                .checked_sub(name.len())
                .and_then(|at| before.get(at..));
            end.is_some_and(|end| end.eq_ignore_ascii_case(name))
        };
        let (_, name) = ENGLISH_HANDICAPS.iter().find(|(name, _)| ends(name))?;
        return handicap::position(name);
    }
    let begin = rest
        .chars()
        .next()
        .map(char::len_utf8)
        .filter(|begin| rest.get(*begin..).is_some_and(|rest| rest.starts_with("落ち")))?;
    let named = text.get(..text.len() - rest.len() + begin + "落ち".len())?;
    // The longest name counts: 飛香落ち is not 香落ち.
    let starts = named
        .char_indices()
        .rev()
        .take(MAX_HANDICAP_CHARS)
        .filter_map(|(at, _)| named.get(at..));
    starts.filter_map(handicap::position).last()
}

/// Returns the text after a line end, a tabulator or a quote that is written as in source code; `None` for other text.
pub(super) fn after_escaped_sign(text: &str) -> Option<&str> {
    text.strip_prefix('\\')?.strip_prefix(['n', 'r', 't', '"'])
}

/// Returns the text after a whole word in Latin letters; `None` if the text begins with no such word.
pub(super) fn after_latin_word(text: &str) -> Option<&str> {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        .then(|| text.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_'))
}

/// Returns the addresses in a text that have a scheme. An address within another one is not listed.
pub fn addresses(text: &str) -> Vec<&str> {
    let (mut found, mut done) = (Vec::new(), 0);
    for (at, _) in text.match_indices("://") {
        let before = text.get(done..at).unwrap_or_default();
        let scheme = before.len() - before.trim_end_matches(|c: char| c.is_ascii_alphanumeric()).len();
        if let Some((address, rest)) = text.get(at - scheme..).and_then(split_address) {
            found.push(address);
            done = text.len() - rest.len();
        }
    }
    found
}

/// Splits off the address at the beginning of a text; `None` for other text. Blanks belong to an address that has a
/// position with blanks.
pub(super) fn split_address(text: &str) -> Option<(&str, &str)> {
    let scheme = text
        .bytes()
        .take(MAX_SCHEME_BYTES)
        .take_while(u8::is_ascii_alphanumeric)
        .count();
    let is_site = ["www.", "lishogi.org/", "kento-shogi.com/", "shogidb2.com/"]
        .iter()
        .any(|site| text.starts_with(site));
    let has_scheme = text.get(scheme..).is_some_and(|rest| rest.starts_with("://"));
    if !text.starts_with(|c: char| c.is_ascii_alphabetic()) || !has_scheme && !is_site {
        return None;
    }
    let is_part = |c: char| c.is_ascii_graphic() && !"\"<>`|\\^".contains(c);
    let end = |is_part: &dyn Fn(char) -> bool| text.find(|c| !is_part(c)).unwrap_or(text.len());
    let word = end(&is_part);
    let holds_blanks = text.get(word..).is_some_and(|rest| {
        ["sfen ", "b ", "w "]
            .iter()
            .any(|field| rest.trim_start().starts_with(field))
    });
    let (address, rest) = text.split_at_checked(if holds_blanks {
        end(&|c| is_part(c) || c == ' ')
    } else {
        word
    })?;
    // In a link, a bracket ends the address, unless the address has opened it.
    let mut depth = 0_u32;
    let address = address
        .split(|c: char| {
            depth += u32::from(c == '(');
            let is_end = c == ')' && depth == 0;
            depth = depth.saturating_sub(u32::from(c == ')'));
            is_end
        })
        .next()
        .unwrap_or_default();
    let trimmed = address.trim_end_matches(['.', ',', ';', ']', '\'', ' ']);
    Some((trimmed, rest))
}

pub(super) fn begins_with_position(text: &str) -> bool {
    let is_command = || {
        ["position", "sfen", "startpos"]
            .iter()
            .any(|word| text.starts_with(word))
    };
    if !text.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '+')
        || !is_command() && !text.bytes().take(MAX_RANK_BYTES).any(|byte| byte == b'/')
    {
        return false;
    }
    // The beginning is enough: the rest of a line may be long.
    let end = text
        .bytes()
        .take(MAX_BOARD_BYTES * 2)
        .take_while(u8::is_ascii)
        .count();
    let beginning = text.get(..end).unwrap_or_default();
    let board = beginning.split([' ', '_', '\t']).next().unwrap_or_default();
    let is_position = matches!(board, "position" | "sfen" | "startpos")
        || board.len() <= MAX_BOARD_BYTES
            && (board_word::is_board(board) || board_word::has_even_ranks(board));
    is_position && usi::is_command(usi::command_part(beginning))
}

/// The maximum number of characters of a word that states the end of a game.
const MAX_END_WORD_CHARS: usize = 8;

/// Returns the beginning of a text as far as it may be a word for the end of a game.
pub(super) fn end_word(text: &str) -> &str {
    let end = text
        .char_indices()
        .enumerate()
        .find(|(nth, (_, c))| *nth == MAX_END_WORD_CHARS || c.is_whitespace() || is_separator(*c))
        .map_or(text.len(), |(_, (at, _))| at);
    text.get(..end).unwrap_or_default()
}

/// The keys of headers that are read in prose.
pub(in super::super) const HEADER_KEYS: [&str; 5] = ["先手", "後手", "下手", "上手", "手合割"];

/// The maximum number of characters of a header's value in which the next header or move is searched.
const MAX_HEADER_VALUE_CHARS: usize = 200;

/// Splits off a header, which ends before the next header or move on its line. Returns key, value and the rest; `None`
/// for other text.
pub(super) fn split_header(text: &str) -> Option<(&'static str, &str, &str)> {
    let text = text.trim_start_matches(|c: char| c.is_whitespace() || "/／、,・▲△☗☖".contains(c));
    let key = HEADER_KEYS.into_iter().find(|key| text.starts_with(key))?;
    let value = text.strip_prefix(key)?.trim_start().strip_prefix([':', '：'])?;
    let window = value
        .char_indices()
        .nth(MAX_HEADER_VALUE_CHARS)
        .and_then(|(end, _)| value.get(..end))
        .unwrap_or(value);
    let end = HEADER_KEYS
        .iter()
        .filter_map(|key| {
            [':', '：']
                .into_iter()
                .filter_map(|colon| window.find(&format!("{key}{colon}")))
                .min()
        })
        .chain(window.find("手数--"))
        .min();
    let end = first_move_offset(window.get(..end.unwrap_or(window.len())).unwrap_or_default()).or(end);
    let (value, rest) = value.split_at_checked(end.unwrap_or(value.len()))?;
    let value = value.trim_matches(|c: char| c.is_whitespace() || "/／、,・▲△☗☖".contains(c));
    (!value.is_empty() || rest.is_empty()).then_some((key, value, rest))
}

pub(in super::super) fn is_move(value: &str) -> bool {
    first_move_offset(value) == Some(0)
}

/// Returns whether a line has a move that can be read in the standard start position.
pub(in super::super) fn has_move(line: &str) -> bool {
    first_move_offset(line).is_some()
}

/// Returns the byte offset of the first move in a value, or of the number before it. The move is at the front, or after
/// a blank or a mark. Returns `None` without a move.
pub(super) fn first_move_offset(value: &str) -> Option<usize> {
    let position = Position::startpos();
    let is_gap = |c: char| SIDE_MARKS.contains(&c) || c.is_whitespace();
    let is_move = |(at, c): &(usize, char)| {
        // In a run of marks and blanks, only the last one may precede a move.
        if is_gap(*c)
            && value
                .get(at + c.len_utf8()..)
                .is_some_and(|rest| rest.starts_with(is_gap))
        {
            return false;
        }
        let (before, rest) = value.split_at_checked(*at).unwrap_or_default();
        let is_apart = before.chars().next_back().is_none_or(|c| !c.is_alphanumeric());
        is_apart && notation::read_first(rest, &position, None).is_some()
    };
    let (at, _) = value.char_indices().find(is_move)?;
    Some(
        value
            .get(..at)?
            .trim_end_matches(|c: char| c.is_numeric() || c.is_whitespace())
            .len(),
    )
}
