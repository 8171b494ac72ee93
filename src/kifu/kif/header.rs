//! The headers of KIF and KI2, and how they differ from moves with a colon.

use super::super::scan::{Scanner, digit, trim};
use super::super::time;
use super::{is_numbered_move, move_line, moves, split_number};
use shogibar_shogi::{SIDE_MARKS, numeral};

/// The keys of headers that only a record has. After moves, one of them begins another game.
pub(super) const KNOWN_KEYS: [&str; 14] = [
    "手合割",
    "先手",
    "後手",
    "下手",
    "上手",
    "開始日時",
    "終了日時",
    "対局日",
    "棋戦",
    "表題",
    "戦型",
    "持ち時間",
    "作品番号",
    "詰手数",
];

pub(super) fn begins_a_game(key: &str) -> bool {
    KNOWN_KEYS.contains(&key)
}

/// Returns whether only a record has a header with this key.
pub(super) fn is_known(key: &str) -> bool {
    begins_a_game(key) || key.ends_with("の持駒")
}

/// Lines that Kakinoki's programs write without a colon. They are headers without a value, and say nothing of the game.
pub(super) const BARE_KEYS: [&str; 1] = ["盤面反転"];

/// Parses `key：value`, with either colon, or one of [`BARE_KEYS`] alone. Returns `None` without a key and a colon, and if the colon is among moves.
pub(super) fn read(text: &str) -> Option<(&str, &str)> {
    if BARE_KEYS.contains(&text) {
        return Some((text, ""));
    }
    // A search by bytes is fast; most lines have no colon.
    let colons = [text.find(':'), text.find('：')];
    let (key, value) = text.split_at_checked(colons.into_iter().flatten().min()?)?;
    let value = value.strip_prefix([':', '：'])?;
    let key = key.trim();
    let is_of_moves = || {
        is_time_of_day(key, value)
            || is_numbered_move(text)
            || move_line::begins_with_a_move(text)
            || is_cut_in_a_time(text, key)
            || holds_a_marked_move(key)
    };
    let is_header = !key.is_empty() && !is_of_moves();
    is_header.then(|| (key, trim(value)))
}

/// Returns whether the colon is that of a time of day, or of a video: `1:05 ▲７六歩`, `2026/02/03 10:00 開始`.
fn is_time_of_day(key: &str, value: &str) -> bool {
    let hours = key.rsplit(char::is_whitespace).next().unwrap_or_default();
    let minutes = value.bytes().take_while(u8::is_ascii_digit).count();
    (1..=2).contains(&hours.len()) && hours.bytes().all(|byte| byte.is_ascii_digit()) && minutes == 2
}

/// Returns whether a text contains a move with a side mark. The first move of a line may be damaged.
fn holds_a_marked_move(text: &str) -> bool {
    let mut marks = text
        .match_indices(SIDE_MARKS)
        .filter_map(|(at, _)| text.get(at..));
    marks.any(move_line::begins_with_a_move)
}

/// Returns whether the key ends inside the time of a move: `x ７六歩(77) ( 0`, where `:16/00:00:16)` follows.
fn is_cut_in_a_time(text: &str, key: &str) -> bool {
    let Some((before, inside)) = key.rsplit_once(['(', '（']) else {
        return false;
    };
    if inside.is_empty() || !inside.chars().all(|c| c.is_whitespace() || digit(c).is_some()) {
        return false;
    }
    let mut scanner = Scanner::new(text.get(key.len() - inside.len()..).unwrap_or_default());
    let is_time = time::read(&mut scanner).is_some() && scanner.eat(')');
    is_time && (split_number(text).0.is_some() || holds_a_move(before))
}

fn holds_a_move(text: &str) -> bool {
    let mut candidates = text
        .char_indices()
        .filter(|(_, c)| *c == '同' || numeral(*c).is_some() || SIDE_MARKS.contains(c));
    candidates.any(|(at, _)| {
        text.get(at..)
            .is_some_and(|rest| moves::parse_move(&mut Scanner::new(rest)).is_some())
    })
}

/// The text after `#` at the beginning of a file that states its version.
pub(super) const VERSION_PREFIX: &str = "KIF version=";

/// Returns whether a line is the signature of a program above a record, which names the program and the encoding.
pub(super) fn is_signature(text: &str) -> bool {
    let text = text.trim_start_matches('#').trim();
    text.starts_with("KIF version")
        || text.starts_with("KI2 version")
        || text.starts_with("----")
        || text.contains("棋譜ファイル")
}
