//! Recovery of lost line ends: where the next line begins inside a line.

use super::super::scan::{Line, Scanner, digit};
use super::super::warning::{RecordProblem, quote};
use super::{KifReader, ends, header, is_comment, move_line, moves, side, split_number, start};
use shogibar_shogi::SIDE_MARKS;

/// The maximum number of positions in a line that are checked for the beginning of another line.
const MAX_CANDIDATES: usize = 200;

/// The keys of headers whose value contains no move, besides the names of the players.
const KEYS_WITHOUT_MOVES: [&str; 8] = [
    "手合割",
    "開始日時",
    "終了日時",
    "対局日",
    "棋戦",
    "持ち時間",
    "作品番号",
    "詰手数",
];

/// The keys that precede moves on the same line, as other keys precede a value.
const KEYS_BEFORE_MOVES: [&str; 8] = [
    "本譜",
    "棋譜",
    "指し手",
    "手順",
    "正解",
    "解答",
    "作意",
    "正解手順",
];

pub(in super::super) fn stands_before_moves(key: &str) -> bool {
    KEYS_BEFORE_MOVES.contains(&key)
}

/// The words in the heading above the moves.
const HEADING_WORDS: [&str; 6] = ["手数", "指手", "指し手", "消費時間", "思考時間", "時間"];

impl<'t> KifReader<'_, '_, 't> {
    /// Returns a header's value, and another line that begins in it. Moves in the value are deferred until the next
    /// line.
    pub(super) fn value_and_rest(
        &mut self,
        line: Line<'t>,
        key: &str,
        value: &'t str,
    ) -> (&'t str, Option<&'t str>) {
        if let (value, Some(player)) = split_players(key, value) {
            return (value, Some(player));
        }
        if !is_without_moves(key) {
            return (self.report_moves(line, moves_of(key, value), value), None);
        }
        let (value, rest) = split_value(value);
        if rest.is_none() {
            let single = candidates(value, 0)
                .find(|(_, rest)| is_marked_move(rest))
                .map(|(_, rest)| rest);
            return (self.report_moves(line, single, value), None);
        }
        (value, self.defer_moves(line, rest))
    }

    /// Returns a header's value unchanged. Reports the moves in it, if there are any.
    fn report_moves(&mut self, line: Line<'t>, moves: Option<&'t str>, value: &'t str) -> &'t str {
        if let Some(moves) = moves {
            self.warnings
                .add(line.spot(moves), RecordProblem::UnknownLine(quote(moves)));
        }
        value
    }

    /// Returns the rest of a line above the moves if it is the heading of the moves. Otherwise stores it as deferred.
    pub(super) fn defer_moves(&mut self, line: Line<'t>, rest: Option<&'t str>) -> Option<&'t str> {
        match rest {
            Some(rest) if !is_heading(rest) => {
                self.game.deferred_moves = Some((line, rest));
                None
            }
            _ => rest,
        }
    }

    /// Reads the moves after a header on its line, unless another header follows. `next` is the next line.
    pub(super) fn read_deferred(&mut self, next: Option<&str>) {
        let Some((line, rest)) = self.game.deferred_moves.take() else {
            return;
        };
        if let Some(text) = next
            && !is_comment(text)
            && (is_heading(text) || start::is_described_by(text) || header::read(text).is_some())
        {
            self.warnings
                .add(line.spot(rest), RecordProblem::UnknownLine(quote(rest)));
        } else {
            self.read_parts(line, rest);
        }
    }
}

/// Splits a line into the words before the two players that it names, and the players: `第1局 先手：甲 対 後手：乙`.
pub(super) fn split_heading(text: &str) -> (Option<&str>, &str) {
    let players = header::read(text).and_then(|(key, value)| {
        let (heading, side) = key.rsplit_once(char::is_whitespace)?;
        split_players(side, value)
            .1
            .and_then(|_| text.trim_start().split_at_checked(heading.len()))
    });
    players.map_or((None, text), |(heading, players)| {
        (Some(heading), players.trim_start())
    })
}

/// Splits a player's name from the header of the other player on the same line: `甲 / 後手：乙`.
fn split_players<'v>(key: &str, value: &'v str) -> (&'v str, Option<&'v str>) {
    let is_between = |c: char| c.is_whitespace() || "/／,，、|".contains(c);
    let begins = |(name, rest): &(&str, &str)| {
        let is_apart = name.is_empty() || name.ends_with(is_between);
        is_apart
            && !rest.starts_with(key)
            && side(rest).is_some_and(|(_, behind)| behind.trim_start().starts_with(move_line::COLONS))
    };
    if !side(key).is_some_and(|(_, rest)| rest.is_empty()) {
        return (value, None);
    }
    let mut candidates = value
        .char_indices()
        .take(MAX_CANDIDATES)
        .filter_map(|(at, _)| value.split_at_checked(at));
    match candidates.find(begins) {
        Some((name, rest)) => {
            let name = name.trim_end_matches(is_between);
            let word = ["対", "vs", "VS", "vs."]
                .into_iter()
                .find(|word| {
                    name.strip_suffix(*word)
                        .is_some_and(|name| name.ends_with([' ', '　', ')', '）']))
                })
                .unwrap_or_default();
            (name.strip_suffix(word).unwrap_or(name).trim_end(), Some(rest))
        }
        None => (value, None),
    }
}

pub(super) fn is_heading(text: &str) -> bool {
    text.starts_with("手数--")
}

/// Returns the text after the heading above the moves, on the same line; `None` if nothing or a remark follows.
pub(super) fn after_heading(text: &str) -> Option<&str> {
    let mut rest = text;
    loop {
        rest = rest.trim_start_matches(|c: char| c == '-' || c.is_whitespace());
        match HEADING_WORDS.iter().find_map(|word| rest.strip_prefix(word)) {
            Some(after) => rest = after,
            None => return not_a_remark(rest),
        }
    }
}

/// Returns further text on the same line, unless it is a remark.
pub(super) fn not_a_remark(rest: &str) -> Option<&str> {
    let rest = rest.trim_start();
    (!rest.is_empty() && !rest.starts_with('#')).then_some(rest)
}

pub(super) fn split(text: &str) -> (&str, Option<&str>) {
    split_at(
        text,
        candidates(text, 0).find(|(before, rest)| is_variation(rest) || begins_a_game(*before, rest)),
    )
}

/// Splits a header's value without moves from another line in it. That line follows a blank, or has several moves.
fn split_value(text: &str) -> (&str, Option<&str>) {
    let other_line = candidates(text, 0).find(|(before, rest)| {
        let is_apart = before.is_none_or(char::is_whitespace);
        is_heading(rest) || are_moves(rest) || is_apart && begins_a_game(*before, rest)
    });
    split_at(text, other_line)
}

pub(super) fn split_start(text: &str) -> (&str, Option<&str>) {
    let from = if text.starts_with('|') {
        text.rfind('|').unwrap_or_default()
    } else if let Some(number) = start::last_move_text(text) {
        let mut scanner = Scanner::new(number.trim_start());
        scanner.number();
        let mut ahead = scanner;
        if moves::parse_move(&mut ahead).is_some() {
            scanner = ahead;
        }
        text.len() - scanner.rest.len()
    } else {
        0
    };
    split_at(
        text,
        candidates(text, from).find(|(before, rest)| begins_a_game(*before, rest)),
    )
}

fn split_at<'t>(text: &'t str, found: Option<(Option<char>, &str)>) -> (&'t str, Option<&'t str>) {
    match found.and_then(|(_, rest)| text.split_at_checked(text.len() - rest.len())) {
        Some((line, rest)) => (line.trim_end(), Some(rest)),
        None => (text, None),
    }
}

/// Returns the texts of a line, up to a remark, that another line may begin. Each text comes with the character before
/// it.
fn candidates(text: &str, from: usize) -> impl Iterator<Item = (Option<char>, &str)> {
    let without_remark = text.split('#').next().unwrap_or_default();
    let mut before = None;
    let chars = without_remark
        .char_indices()
        .map(move |(at, c)| (at, c, before.replace(c)));
    let candidates = chars
        .filter(move |(at, ..)| *at >= from)
        .filter(|(_, c, _)| matches!(c, '変' | '手') || SIDE_MARKS.contains(c) || digit(*c).is_some())
        .take(MAX_CANDIDATES);
    candidates.filter_map(move |(at, _, before)| Some((before, text.get(at..)?)))
}

/// Returns whether a text begins with the heading of a variation: `変化：12手`.
fn is_variation(rest: &str) -> bool {
    let number = rest.strip_prefix("変化：").or_else(|| rest.strip_prefix("変化:"));
    number.is_some_and(|number| number.trim_start().starts_with(|c| digit(c).is_some()))
}

/// Returns whether a text begins with the heading above the moves, or with an unambiguous move.
fn begins_a_game(before: Option<char>, rest: &str) -> bool {
    is_heading(rest) || is_marked_move(rest) || is_numbered_move(before, rest)
}

/// Returns whether a text begins with a move after a side mark.
pub(super) fn is_marked_move(rest: &str) -> bool {
    rest.starts_with(SIDE_MARKS)
        && moves::parse_move(&mut Scanner::new(rest)).is_some()
        && move_line::begins_with_a_move(rest)
}

/// Returns whether a text begins with a KIF move: `3 ２六歩(27)`. `before` is the character before the text.
fn is_numbered_move(before: Option<char>, rest: &str) -> bool {
    let goes_on = before.is_some_and(|c| digit(c).is_some() || matches!(c, ':' | '：'));
    if goes_on || !rest.starts_with(|c| digit(c).is_some()) {
        return false;
    }
    let (number, rest) = split_number(rest);
    let mut scanner = Scanner::new(rest);
    let spelled = number.and_then(|_| moves::parse_move(&mut scanner));
    spelled.is_some_and(|spelled| {
        scanner.skip_blanks();
        spelled.origin.is_some() || scanner.rest.is_empty() || scanner.rest.starts_with(['(', '（'])
    })
}

/// Returns whether a header's value contains no move. Text that looks like a move there is a separate line.
fn is_without_moves(key: &str) -> bool {
    let name = key.trim_start_matches(SIDE_MARKS);
    KEYS_WITHOUT_MOVES.contains(&key) || side(name).is_some_and(|(_, rest)| matches!(rest, "" | "番"))
}

/// Returns whether a header's key is behind a move that lost its line end: `▲５六銀手合割`.
pub(super) fn is_behind_a_move(key: &str) -> bool {
    let mut scanner = Scanner::new(key);
    key.starts_with(SIDE_MARKS)
        && moves::parse_move(&mut scanner).is_some()
        && header::is_known(scanner.rest.trim_start())
}

/// The maximum number of characters of the sentence of a result.
const MAX_RESULT_CHARS: usize = 60;

const MIN_MOVES_IN_LINE: usize = 3;

/// Returns a text with the line ends between the headers and the numbered moves that stand in one line; `None` if no
/// line has several such moves.
pub(in super::super) fn with_lost_line_ends(text: &str) -> Option<String> {
    let begins_end = |rest: &str| match split_number(rest) {
        (Some(_), word) => ends::first_mark(word).is_some(),
        (None, _) => false,
    };
    let begins_move = |rest: &str| is_numbered_move(None, rest) || begins_end(rest);
    let begins_header = |rest: &str| {
        header::KNOWN_KEYS.iter().any(|key| {
            rest.strip_prefix(key)
                .is_some_and(|behind| behind.starts_with(move_line::COLONS))
        })
    };
    // The rest of the line may be long.
    let is_result = |rest: &str| {
        let end = rest
            .char_indices()
            .nth(MAX_RESULT_CHARS)
            .map_or(rest.len(), |(at, _)| at);
        rest.get(..end).is_some_and(ends::is_result)
    };
    let begins_other = |rest: &str| {
        rest.starts_with('*')
            || is_heading(rest)
            || is_variation(rest)
            || is_result(rest)
            || begins_header(rest)
    };
    let (mut whole, mut is_changed) = (String::with_capacity(text.len()), false);
    for line in text.lines() {
        let blanks = line
            .match_indices(char::is_whitespace)
            .filter_map(|(at, blank)| line.get(at + blank.len()..));
        let (moves, others): (Vec<&str>, Vec<&str>) = blanks
            .filter(|rest| !rest.starts_with(char::is_whitespace))
            .filter(|rest| begins_move(rest) || begins_other(rest))
            .partition(|rest| begins_move(rest));
        let mut begins: Vec<usize> = moves
            .iter()
            .chain(&others)
            .map(|rest| line.len() - rest.len())
            .collect();
        // Line ends that are written as in source code are not lost.
        if moves.len() < MIN_MOVES_IN_LINE || line.contains("\\n") {
            begins.clear();
        }
        begins.sort_unstable();
        is_changed |= !begins.is_empty();
        let mut from = 0;
        for at in begins.into_iter().chain([line.len()]) {
            whole.push_str(line.get(from..at).unwrap_or_default().trim_end());
            whole.push('\n');
            from = at;
        }
    }
    is_changed.then_some(whole)
}

/// Returns whether a text begins with several moves, the first with its side mark.
fn are_moves(rest: &str) -> bool {
    let mut scanner = Scanner::new(rest);
    is_marked_move(rest)
        && moves::parse_move(&mut scanner).is_some()
        && moves::parse_move(&mut Scanner::new(move_line::after_times(scanner.rest))).is_some()
}

/// Returns the moves at the end of a header's value: a line of KI2 moves, or a numbered KIF move. A single move among
/// other words is only mentioned there.
fn moves_of<'v>(key: &str, value: &'v str) -> Option<&'v str> {
    // The KIF writer of this program marks the key of a header whose value would be misread.
    if key.starts_with('_') {
        return None;
    }
    candidates(value, 0)
        .find(|(before, rest)| {
            are_moves(rest) && move_line::is_all_ki2(rest)
                || before.is_none() && is_marked_move(rest) && move_line::is_all_ki2(rest)
                || before.is_none_or(char::is_whitespace) && is_numbered_move(*before, rest)
        })
        .map(|(_, rest)| rest)
}

/// Returns whether a header's value is read as just that value.
pub(super) fn is_whole(key: &str, value: &str) -> bool {
    if split_players(key, value).1.is_some() {
        return false;
    }
    if is_without_moves(key) {
        split_value(value).1.is_none()
    } else {
        moves_of(key, value).is_none()
    }
}

/// Returns whether a key and a value on a line above the moves are read as exactly this header. `determines_format`
/// returns whether a line alone determines the format of its text.
pub(in super::super) fn is_plain_header(key: &str, value: &str, determines_format: fn(&str) -> bool) -> bool {
    let line = format!("{key}：{value}");
    let is_of_the_start = start::is_described_by(split_start(&line).0) || key == "手番";
    let is_other = key.starts_with(['*', '#', '&', '{', '[']) || key.starts_with("手数-");
    let are_moves = stands_before_moves(key) && is_marked_move(value);
    let is_end = ends::parse_summary(&line).is_some() || ends::first_mark(&line).is_some();
    header::read(&line) == Some((key, value))
        && !are_moves
        && is_whole(key, value)
        && !is_of_the_start
        && !is_other
        && !is_end
        && !key.starts_with("変化")
        && split_number(&line).0.is_none()
        && !move_line::is_ki2(&line)
        && !determines_format(&line)
}

/// Returns the words of an end changed so that no other line begins in them.
pub(super) fn escape_words(words: &str) -> String {
    let mut masked = words.to_owned();
    for _ in 0..MAX_CANDIDATES {
        let Some(rest) = split(&masked).1 else { break };
        let sign = rest.chars().next().map_or(0, char::len_utf8);
        masked.insert(masked.len() - rest.len() + sign, '＿');
    }
    masked
}
