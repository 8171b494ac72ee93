//! What a text says of its games beside the moves: the names of the players and the ends, in the keys of JSON, in the
//! columns of a table, or in lines such as `Black: name` and `White resigns`.

use super::end::{End, EndMark, MarkOutcome, Reason};
use super::format::Format;
use super::record::{Record, Step};
use super::{detect_format, json_strings, kif, prose, psn};
use shogibar_shogi::Color;
use std::borrow::Cow;

/// The words for the sides, in lower case.
const SIDE_WORDS: [(&str, Color); 12] = [
    ("先手", Color::Black),
    ("下手", Color::Black),
    ("black", Color::Black),
    ("sente", Color::Black),
    ("shitate", Color::Black),
    ("☗", Color::Black),
    ("後手", Color::White),
    ("上手", Color::White),
    ("white", Color::White),
    ("gote", Color::White),
    ("uwate", Color::White),
    ("☖", Color::White),
];

/// What may follow the word for a side in the key of a player's name.
const NAME_KEYS: [&str; 8] = [
    "",
    "name",
    "player",
    "playername",
    "user",
    "username",
    "の名前",
    "名",
];

/// The keys and columns of the end of a game.
const END_KEYS: [&str; 13] = [
    "result",
    "status",
    "reason",
    "end",
    "endreason",
    "termination",
    "endedby",
    "ending",
    "outcome",
    "finish",
    "結果",
    "終局",
    "決まり手",
];

const WINNER_KEYS: [&str; 3] = ["winner", "勝者", "勝ち"];

/// The words for ends, in lower case. The first one in a text counts.
const END_WORDS: [(&str, EndMark); 35] = [
    (
        "resign",
        EndMark::new(Reason::Resignation, MarkOutcome::MoverLoses),
    ),
    ("投了", EndMark::new(Reason::Resignation, MarkOutcome::MoverLoses)),
    (
        "toryo",
        EndMark::new(Reason::Resignation, MarkOutcome::MoverLoses),
    ),
    (
        "checkmate",
        EndMark::new(Reason::Checkmate, MarkOutcome::MoverLoses),
    ),
    ("tsumi", EndMark::new(Reason::Checkmate, MarkOutcome::MoverLoses)),
    ("mate", EndMark::new(Reason::Checkmate, MarkOutcome::MoverLoses)),
    ("不詰", EndMark::new(Reason::NoMate, MarkOutcome::Open)),
    ("詰み", EndMark::new(Reason::Checkmate, MarkOutcome::MoverLoses)),
    ("time_up", EndMark::new(Reason::TimeUp, MarkOutcome::MoverLoses)),
    ("timeup", EndMark::new(Reason::TimeUp, MarkOutcome::MoverLoses)),
    ("timeout", EndMark::new(Reason::TimeUp, MarkOutcome::MoverLoses)),
    ("time up", EndMark::new(Reason::TimeUp, MarkOutcome::MoverLoses)),
    ("outoftime", EndMark::new(Reason::TimeUp, MarkOutcome::MoverLoses)),
    ("on time", EndMark::new(Reason::TimeUp, MarkOutcome::MoverLoses)),
    (
        "out of time",
        EndMark::new(Reason::TimeUp, MarkOutcome::MoverLoses),
    ),
    ("時間切れ", EndMark::new(Reason::TimeUp, MarkOutcome::MoverLoses)),
    ("切れ負け", EndMark::new(Reason::TimeUp, MarkOutcome::MoverLoses)),
    ("sennichite", EndMark::new(Reason::Repetition, MarkOutcome::Draw)),
    ("repetition", EndMark::new(Reason::Repetition, MarkOutcome::Draw)),
    ("千日手", EndMark::new(Reason::Repetition, MarkOutcome::Draw)),
    ("max_moves", EndMark::new(Reason::MaxMoves, MarkOutcome::Draw)),
    ("maxmoves", EndMark::new(Reason::MaxMoves, MarkOutcome::Draw)),
    ("最大手数", EndMark::new(Reason::MaxMoves, MarkOutcome::Draw)),
    ("jishogi", EndMark::new(Reason::Impasse, MarkOutcome::Draw)),
    ("impasse", EndMark::new(Reason::Impasse, MarkOutcome::Draw)),
    ("持将棋", EndMark::new(Reason::Impasse, MarkOutcome::Draw)),
    ("interrupt", EndMark::new(Reason::Interruption, MarkOutcome::Open)),
    ("chudan", EndMark::new(Reason::Interruption, MarkOutcome::Open)),
    ("adjourn", EndMark::new(Reason::Interruption, MarkOutcome::Open)),
    ("中断", EndMark::new(Reason::Interruption, MarkOutcome::Open)),
    ("指し掛け", EndMark::new(Reason::Interruption, MarkOutcome::Open)),
    ("反則", EndMark::new(Reason::Foul, MarkOutcome::MoverLoses)),
    (
        "宣言勝ち",
        EndMark::new(Reason::Declaration, MarkOutcome::MoverWins),
    ),
    ("引き分け", EndMark::new(Reason::Other, MarkOutcome::Draw)),
    ("引分", EndMark::new(Reason::Other, MarkOutcome::Draw)),
];

/// The phrases with which a line of English states an end.
const END_PHRASES: [&str; 14] = [
    " resigns",
    " resigned",
    "!resign ",
    " resign ",
    " adjourned",
    " lost on time",
    " loses on time",
    " won on time",
    " checkmate",
    " is mate",
    " by repetition",
    " sennichite",
    "_toryo",
    "_timeout",
];

/// Words with which a sentence does not state how the game ended.
const DOUBTS: [&str; 26] = [
    "neither",
    "nobody",
    "never",
    "when",
    "last game",
    "other game",
    " mate in ",
    "n't",
    " not ",
    " no ",
    " if ",
    "could",
    "should",
    "would",
    "might",
    "without",
    "threat",
    "avoid",
    "?",
    "なら",
    "たら",
    "れば",
    "ない",
    "かも",
    "注意",
    "？",
];

/// What may follow a word of Japanese that states an end.
const BEHIND_END_WORDS: [&str; 10] = [
    "で",
    "し",
    "負",
    "勝",
    "により",
    "にて",
    "にな",
    "にし",
    "に終",
    "となり",
];

/// The endings of a word of English that states an end.
const ENDINGS: [&str; 7] = ["ation", "ion", "ed", "es", "s", "d", ""];

/// The words with which a text names the winner.
const WIN_WORDS: [&str; 6] = ["勝", "wins", "_win", "won", "beats", "victor"];

/// The longest key of an object that is read, in bytes.
const MAX_KEY_BYTES: usize = 40;

/// The maximum number of characters of a name.
const MAX_NAME_CHARS: usize = 40;

/// The maximum number of characters of a tag.
const MAX_TAG_CHARS: usize = 200;

/// The number of characters at the end of a line that may state the end of a game.
const MAX_END_CHARS: usize = 120;

/// The maximum number of lines below the last move in which the end is searched.
const MAX_LINES_BELOW: usize = 12;

/// The names of the players and the end of a game.
#[derive(Default)]
struct Stated {
    black: Option<String>,
    white: Option<String>,
    end: Option<EndMark>,
    winner: Option<Color>,
}

pub(super) fn complete(games: &mut [Record], text: &str) {
    if games.iter().all(|game| has_names(game) && game.end().is_some()) {
        return;
    }
    if let Some(rows) = rows(text).filter(|rows| rows.len() == games.len()) {
        games
            .iter_mut()
            .zip(rows)
            .for_each(|(game, row)| row.add_to(game));
    } else if let [game] = games {
        if !detect_format::is_json(text) {
            in_lines(text).add_to(game);
        }
        let unquoted = if text.contains("&quot;") {
            text.replace("&quot;", "\"").into()
        } else {
            Cow::Borrowed(text)
        };
        let has_moves = ["moves", "position", "record", "sfen", "usi", "csa", "kif"]
            .iter()
            .any(|key| unquoted.contains(key));
        if (has_moves || detect_format::is_json(text))
            && let Some(object) = unquoted.find('{').and_then(|at| unquoted.get(at..))
        {
            in_json(object).add_to(game);
        }
    }
}

/// Returns whether a table names the players of its games.
pub(super) fn has_players(text: &str) -> bool {
    rows(text).is_some_and(|rows| !rows.is_empty())
}

fn has_names(game: &Record) -> bool {
    [Color::Black, Color::White]
        .iter()
        .any(|side| game.player(*side).is_some())
}

impl Stated {
    fn name_mut(&mut self, side: Color) -> &mut Option<String> {
        match side {
            Color::Black => &mut self.black,
            Color::White => &mut self.white,
        }
    }

    /// Adds the value of a key in its simple form.
    fn read(&mut self, key: &str, value: &str) {
        if let Some(side) = side_of_key(key) {
            self.name_mut(side).get_or_insert_with(|| value.to_owned());
        } else if END_KEYS.contains(&key) {
            let end = self.end_in(value);
            self.add_winner(end);
            self.end = self
                .end
                .filter(|end| end.reason != Reason::Other)
                .or(end)
                .or(self.end);
        } else if WINNER_KEYS.contains(&key) {
            self.add_winner(self.end_in(&format!("{value}の勝ち")));
        }
    }

    /// Returns the end that a value states with the word for a side or with a player's name.
    fn end_in(&self, value: &str) -> Option<EndMark> {
        let sides = [(&self.black, "先手"), (&self.white, "後手")];
        let named = sides
            .iter()
            .filter_map(|(name, word)| Some((value.strip_prefix(name.as_deref()?)?, word)));
        let named = if self.black == self.white {
            None
        } else {
            named.min_by_key(|(rest, _)| rest.len())
        };
        end_in(&named.map_or_else(|| value.to_owned(), |(rest, word)| format!("{word}{rest}")))
    }

    const fn add_winner(&mut self, end: Option<EndMark>) {
        if let (
            None,
            Some(EndMark {
                outcome: MarkOutcome::Winner(winner),
                ..
            }),
        ) = (self.winner, end)
        {
            self.winner = Some(winner);
        }
    }

    fn end(&self) -> Option<EndMark> {
        let mut end = self.end?;
        if end.outcome != MarkOutcome::Draw
            && let Some(winner) = self.winner
        {
            end.outcome = MarkOutcome::Winner(winner);
        }
        Some(end)
    }

    /// Adds the names and the end to a game that has none. A name of one side alone may be another word.
    fn add_to(self, game: &mut Record) {
        let end = self.end();
        if let (Some(black), Some(white), false) = (self.black, self.white, has_names(game)) {
            let keys = if game.is_handicap() {
                ["下手", "上手"]
            } else {
                ["先手", "後手"]
            };
            game.headers_mut()
                .extend(keys.map(str::to_owned).into_iter().zip([black, white]));
        }
        if let Some(mark) = end
            && game.end().is_none()
            && !game.is_empty()
        {
            let Some(last) = game.main_line().last() else {
                return;
            };
            let mover = game.walk().go(last).side_to_move();
            let _full_record = game.add(last, Step::End(Box::new(End::from_summary(mark, mover, ""))));
        }
    }
}

/// Returns the simple form of a key: in lower case, without signs between its words; empty for a long text.
fn simple_key(key: &str) -> String {
    let key = if key.len() <= MAX_KEY_BYTES { key } else { "" };
    key.chars()
        .filter(|c| c.is_alphanumeric() || matches!(c, '☗' | '☖'))
        .flat_map(char::to_lowercase)
        .collect()
}

/// Returns the side whose name is the value of a key; `None` for another key.
fn side_of_key(key: &str) -> Option<Color> {
    let (side, rest) = SIDE_WORDS.iter().find_map(|(word, side)| {
        let rest = key.strip_prefix(word).or_else(|| key.strip_suffix(word));
        Some((*side, rest?))
    })?;
    NAME_KEYS.contains(&rest).then_some(side)
}

/// Returns what the keys of an object state, in JSON or in JavaScript, whose keys may lack quotes.
fn in_json(text: &str) -> Stated {
    let mut stated = Stated::default();
    // The last key, and the side that it or a key around it names.
    let (mut key, mut side): (String, Option<Color>) = (String::new(), None);
    for (string, before, after) in json_strings::strings(text) {
        let quoted = after.trim_start().starts_with(':').then_some(&*string);
        for name in bare_keys(before).chain(quoted) {
            key = simple_key(name);
            side = side_of_key(&key).or(side);
        }
        if quoted.is_some() {
            continue;
        }
        let outer_side = if is_key_of_name(&key) { side } else { None };
        match side_of_key(&key).or(outer_side) {
            Some(side) if is_name(&string) => {
                stated.name_mut(side).get_or_insert_with(|| string.into_owned());
            }
            Some(_) => {}
            None => stated.read(&key, &string),
        }
    }
    stated
}

fn is_key_of_name(key: &str) -> bool {
    matches!(key, "name" | "username" | "名前")
}

/// Returns the keys without quotes in the text between two strings, the last ones of a long text.
fn bare_keys(between: &str) -> impl Iterator<Item = &str> {
    let begin = between
        .char_indices()
        .rev()
        .nth(MAX_TAG_CHARS)
        .map_or(0, |(at, _)| at);
    let recent = between.get(begin..).unwrap_or_default();
    let keys = recent.match_indices(':').filter_map(|(at, _)| {
        recent
            .get(..at)?
            .trim_end()
            .rsplit(|c: char| !c.is_alphanumeric() && c != '_')
            .next()
    });
    keys.filter(|key| !key.is_empty())
}

/// Returns what each row of a table states under its head; `None` without a head that names the columns of the players.
fn rows(text: &str) -> Option<Vec<Stated>> {
    let mut lines = text.lines();
    let head = lines.by_ref().map(columns).find(|head| {
        let sides: Vec<Color> = head
            .iter()
            .filter_map(|cell| side_of_key(&simple_key(cell)))
            .collect();
        sides.contains(&Color::Black) && sides.contains(&Color::White)
    })?;
    // Another comma may end a row.
    let rows = lines
        .map(columns)
        .filter(|row| row.len().abs_diff(head.len()) < 2)
        .map(|row| {
            let mut stated = Stated::default();
            let (names, others): (Vec<_>, Vec<_>) = head
                .iter()
                .map(|key| simple_key(key))
                .zip(&row)
                .partition(|(key, _)| side_of_key(key).is_some());
            names
                .into_iter()
                .chain(others)
                .for_each(|(key, cell)| stated.read(&key, cell));
            stated
        });
    let named = rows.filter(|row| {
        [&row.black, &row.white]
            .iter()
            .all(|name| name.as_deref().is_some_and(is_name))
    });
    Some(named.collect())
}

/// Splits a line of a table into its cells: at tabulators, at bars, or at commas outside of quotes.
fn columns(line: &str) -> Vec<String> {
    let separator = ['\t', '|']
        .into_iter()
        .find(|sign| line.contains(*sign))
        .unwrap_or(',');
    let (mut cells, mut quote, mut is_escaped, mut is_begun) = (vec![String::new()], None, false, false);
    for c in line.chars() {
        let Some(cell) = cells.last_mut() else { break };
        match quote {
            Some(_) if c == '\\' && !is_escaped => {
                is_escaped = true;
                continue;
            }
            Some(open) if c == open && !is_escaped => quote = None,
            None if matches!(c, '"' | '\'') && !is_begun => quote = Some(c),
            None if c == separator => {
                cells.push(String::new());
                is_begun = false;
                continue;
            }
            _ => cell.push(c),
        }
        is_escaped = false;
        is_begun |= !c.is_whitespace() && c != '(';
    }
    let cells: Vec<_> = cells
        .iter()
        .map(|cell| {
            cell.trim_matches(|c: char| c.is_whitespace() || "()`*;".contains(c))
                .to_owned()
        })
        .collect();
    // A row of a table in Markdown has a bar at each end.
    if separator == '|' {
        cells.into_iter().filter(|cell| !cell.is_empty()).collect()
    } else {
        cells
    }
}

fn in_lines<'t>(text: &'t str) -> Stated {
    let mut stated = Stated::default();
    // In PSN, comments stand in braces or behind a semicolon.
    let is_psn = matches!(detect_format::format(text, None), Ok(Format::Psn));
    let mut is_in_braces = false;
    let without_comments = |line: &'t str| {
        if !is_psn {
            return line;
        }
        let was_in_braces = is_in_braces;
        is_in_braces = match (line.rfind('{'), line.rfind('}')) {
            (Some(open), Some(close)) => open > close,
            (None, None) => is_in_braces,
            (open, _) => open.is_some(),
        };
        if was_in_braces {
            ""
        } else {
            line.split(['{', ';']).next().unwrap_or_default().trim()
        }
    };
    let lines = text
        .lines()
        .map(str::trim)
        .filter(|line| !detect_format::is_comment(line) || line.starts_with("**"))
        .map(without_comments);
    let lines: Vec<&str> = lines.filter(|line| !line.is_empty()).collect();
    // The word for a side may stand before the name in a cell or a line of its own.
    let mut side_before = None;
    for line in lines.iter().map(|line| without_tags(line)) {
        for phrase in phrases(&line) {
            let behind_side = if is_name(phrase) { side_before } else { None };
            if let Some((side, name)) = named_player(phrase).or_else(|| Some((behind_side?, phrase))) {
                stated.name_mut(side).get_or_insert_with(|| name.to_owned());
            }
            side_before = side_at(phrase)
                .filter(|(word, _)| word.len() == phrase.len())
                .map(|(_, side)| side);
        }
    }
    let mut is_below = true;
    let below = lines.iter().rev().take(MAX_LINES_BELOW).take_while(|line| {
        let was_below = is_below;
        is_below = !prose::has_move(line) && !detect_format::determines_format(line);
        was_below
    });
    stated.end = below.map(|line| without_tags(line)).find_map(|line| {
        let begin = line
            .char_indices()
            .rev()
            .nth(MAX_END_CHARS)
            .map_or(0, |(at, _)| at);
        end_in_sentence(line.get(begin..).unwrap_or_default())
    });
    stated
}

/// Returns a line without the tags of HTML and `BBCode`, and without the signs of emphasis.
fn without_tags(line: &str) -> Cow<'_, str> {
    if !line.contains(['<', '[', '*']) {
        return line.into();
    }
    let mut cleaned = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(at) = rest.find(['<', '[']) {
        let (before, from) = rest.split_at(at);
        cleaned.push_str(before);
        let name = from.get(1..).unwrap_or_default().trim_start_matches('/');
        let is_tag = name.starts_with(|c: char| c.is_ascii_alphabetic());
        let window = if is_tag { MAX_TAG_CHARS } else { 0 };
        let end = from
            .char_indices()
            .take(window)
            .find(|(_, c)| matches!(c, '>' | ']'))
            .map(|(at, _)| at);
        if end.is_none() {
            cleaned.extend(from.chars().next());
        }
        rest = from.get(end.unwrap_or_default() + 1..).unwrap_or_default();
    }
    cleaned.push_str(rest);
    cleaned.replace("**", "").into()
}

/// Splits a line at tabulators, bars and wide blanks, and before the word for a side.
fn phrases(line: &str) -> impl Iterator<Item = &str> {
    let cells = line
        .split(['\t', '|', '│', '•'])
        .flat_map(|cell| cell.split("  "))
        .flat_map(|cell| cell.split("　　"));
    let parts = cells
        .flat_map(|cell| cell.split(" vs "))
        .flat_map(|cell| cell.split("　vs　"))
        .flat_map(before_sides);
    parts.map(str::trim).filter(|cell| !cell.is_empty())
}

/// Splits a phrase at the commas and slashes behind which the word for a side stands.
fn before_sides(phrase: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut from = 0;
    for (at, sign) in phrase.match_indices([',', '、', '/', '／']) {
        let behind = phrase.get(at + sign.len()..).unwrap_or_default().trim_start();
        if side_at(behind).is_some() {
            parts.extend(phrase.get(from..at));
            from = at + sign.len();
        }
    }
    parts.extend(phrase.get(from..));
    parts
}

/// Returns the word for a side at the beginning of a text, with the side; `None` for other words.
fn side_at(text: &str) -> Option<(&'static str, Color)> {
    SIDE_WORDS.into_iter().find(|(word, _)| {
        text.get(..word.len())
            .is_some_and(|found| found.eq_ignore_ascii_case(word))
    })
}

/// Returns the player that a phrase names, such as `Black: name`, `先手　名` and `☗ name`.
fn named_player(phrase: &str) -> Option<(Color, &str)> {
    let phrase = phrase.strip_prefix(['▲', '△']).unwrap_or(phrase);
    let (word, side) = side_at(phrase)?;
    let behind = phrase.get(word.len()..)?.trim_start_matches('番');
    let after_colon = behind
        .trim_start()
        .strip_prefix([':', '：'])
        .or_else(|| behind.strip_prefix('=').filter(|name| !name.starts_with(' ')));
    let may_have_blank = !word.is_ascii() && behind.starts_with(char::is_whitespace);
    let name = after_colon
        .or_else(|| behind.strip_prefix(['(', '（'])?.strip_suffix([')', '）']))
        .or_else(|| may_have_blank.then_some(behind))?
        .trim();
    let is_other = after_colon.is_none() && name.split_whitespace().count() > 3;
    (is_name(name) && !is_other).then_some((side, name))
}

fn is_name(text: &str) -> bool {
    /// Words for openings and judgements, which follow the word for a side as a name does.
    const OTHER_ENDS: [&str; 9] = [
        "飛車",
        "囲い",
        "美濃",
        "穴熊",
        "矢倉",
        "有利",
        "優勢",
        "良し",
        "ペース",
    ];
    /// The heads of other columns.
    const HEADS: [&str; 10] = [
        "時間",
        "消費時間",
        "秒",
        "指し手",
        "手数",
        "備考",
        "メモ",
        "time",
        "moves",
        "comment",
    ];
    let lower = text.to_lowercase();
    text.chars().count() <= MAX_NAME_CHARS
        && !HEADS.contains(&&*lower)
        && text.contains(char::is_alphabetic)
        && !text.contains(|c: char| "。！？!?;:：{}<>[]「」#/".contains(c))
        && !text.ends_with(['分', '秒', '%', '％', '点'])
        && !text.ends_with(" min")
        && text != "なし"
        // Pieces in hand.
        && !text.chars().all(|c| "歩香桂銀金角飛玉王と一二三四五六七八九十 　".contains(c))
        && !["勝", "負", "投了", "手番", "resign", "wins", " to move", "victor"].iter().any(|word| lower.contains(word))
        && !OTHER_ENDS.iter().any(|end| text.ends_with(end))
        && !SIDE_WORDS.iter().any(|(word, _)| lower == *word)
        && !prose::has_move(text)
}

fn end_in(value: &str) -> Option<EndMark> {
    let lower = value.to_lowercase();
    if let Some(result) = kif::winner_mark(value).or_else(|| psn::result_mark(value)) {
        return Some(result);
    }
    let (mark, before, after) = END_WORDS.iter().find_map(|(word, mark)| {
        let mut found = lower
            .match_indices(word)
            .filter_map(|(at, _)| Some((lower.get(..at)?, lower.get(at + word.len()..)?)));
        let (before, after) = found.find(|(before, after)| is_whole_word(word, before, after))?;
        Some((*mark, before, after))
    })?;
    let is_active = mark.reason == Reason::Checkmate && after.starts_with("s ");
    let winner = WIN_WORDS
        .iter()
        .find_map(|word| lower.find(word))
        .and_then(|at| last_side(lower.get(..at)?));
    let outcome = match (mark.outcome, winner, last_side(before)) {
        (MarkOutcome::MoverLoses | MarkOutcome::Open, Some(winner), _) => MarkOutcome::Winner(winner),
        (MarkOutcome::MoverLoses, None, Some(side)) => {
            MarkOutcome::Winner(if is_active { side } else { side.flip() })
        }
        (outcome, ..) => outcome,
    };
    Some(EndMark::new(mark.reason, outcome))
}

fn last_side(text: &str) -> Option<Color> {
    let found = SIDE_WORDS
        .iter()
        .filter_map(|(word, side)| Some((text.rfind(word)?, *side)));
    found.max_by_key(|(at, _)| *at).map(|(_, side)| side)
}

fn is_whole_word(word: &str, before: &str, after: &str) -> bool {
    if !word.is_ascii() {
        return !after.starts_with(char::is_alphanumeric)
            || BEHIND_END_WORDS.iter().any(|behind| after.starts_with(behind));
    }
    let is_letter = |c: char| c.is_ascii_alphabetic();
    !before.ends_with(is_letter)
        && ENDINGS.iter().any(|ending| {
            after
                .strip_prefix(ending)
                .is_some_and(|rest| !rest.starts_with(is_letter))
        })
}

/// Returns the end that a line states; `None` for a line that supposes or denies it.
fn end_in_sentence(line: &str) -> Option<EndMark> {
    let summary = line.find("まで").and_then(|at| line.get(at..));
    if let Some(summary) = summary.filter(|summary| kif::is_result(summary)) {
        return kif::parse_summary(summary);
    }
    let lower = format!(" {} ", line.to_lowercase());
    if DOUBTS.iter().any(|doubt| lower.contains(doubt)) {
        return None;
    }
    // In notes, the word follows the move: N-2b+ mate.
    let mates = || {
        lower.split_once(" mate").is_some_and(|(before, _)| {
            before
                .split(' ')
                .next_back()
                .is_some_and(|word| word.contains(|c: char| c.is_ascii_digit()))
        })
    };
    let has_word = || {
        let words = END_WORDS.iter().filter(|(word, _)| !word.is_ascii());
        words
            .filter_map(|(word, _)| Some((word, lower.split_once(word)?)))
            .any(|(word, (before, after))| is_whole_word(word, before, after))
    };
    let is_stated = END_PHRASES.iter().any(|phrase| lower.contains(phrase)) || mates() || has_word();
    is_stated.then(|| end_in(line)).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_are_named_in_phrases() {
        let check = |line: &str, expected: &[(Color, &str)]| {
            let cleaned = without_tags(line);
            let found: Vec<_> = phrases(&cleaned).filter_map(named_player).collect();
            assert_eq!(found, expected, "{line}");
        };
        let (black, white) = (Color::Black, Color::White);
        check("　　先手　柳　　　後手　本田", &[(black, "柳"), (white, "本田")]);
        check(
            "Black: K. Ohara      White: M. Lindqvist",
            &[(black, "K. Ohara"), (white, "M. Lindqvist")],
        );
        check("[b]Sente:[/b] rosewood", &[(black, "rosewood")]);
        check("[b]Gote:[/b] tigrou", &[(white, "tigrou")]);
        check(
            "▲先手（北川）\t△後手（相田）",
            &[(black, "北川"), (white, "相田")],
        );
        check("☖ Lars_P", &[(white, "Lars_P")]);
        check("先手：甲、後手：乙", &[(black, "甲"), (white, "乙")]);
        for line in [
            "Black to move",
            "Black resigns",
            "先手　四間飛車",
            "先手 ７六歩",
            "先手は甲",
            "blackish: a",
            "先手の勝ち",
            "☗ なし",
            "先手：角歩二",
            "Black: 45%",
            "Black = the first player",
        ] {
            check(line, &[]);
        }
    }

    #[test]
    fn ends_are_stated_in_lines() {
        let check =
            |line: &str, reason| assert_eq!(end_in_sentence(line).map(|mark| mark.reason), reason, "{line}");
        check("White resigns. GG!", Some(Reason::Resignation));
        check("!resign", Some(Reason::Resignation));
        check("Gote resigned • Sente is victorious", Some(Reason::Resignation));
        check("ここで後手投了。", Some(Reason::Resignation));
        check("正解：▲２一銀打 まで3手詰でした。", Some(Reason::Checkmate));
        check(
            "adjourned here because the library closed",
            Some(Reason::Interruption),
        );
        for line in [
            "（投了図は省略）",
            "I should resign",
            "the repetition table",
            "投了したら負け",
            "a teammate",
            "Thanks for the game, mate.",
            "Black threatens mate.",
            "打ち歩詰めの反則に注意。",
            "もう投了でいいですか？",
            "There is no mate.",
            "not resigned yet",
        ] {
            check(line, None);
        }
        let check = |text: &str, winner| assert_eq!(end_in(text).map(|mark| mark.outcome), winner, "{text}");
        let (black, white) = (
            Some(MarkOutcome::Winner(Color::Black)),
            Some(MarkOutcome::Winner(Color::White)),
        );
        check("Black resigned", white);
        check("先手の好手に後手投了。", black);
        check("White won by checkmate.", white);
        check("Black checkmates White.", black);
        check("White is checkmated", black);
        check("GOTE_WIN_TORYO", white);
        check("White won by resignation", white);
        check("estimated", None);
    }

    #[test]
    fn tables_name_the_players_of_each_row() {
        let check = |text: &str, expected: &[&str]| {
            let names: Vec<_> = rows(text)
                .unwrap()
                .into_iter()
                .map(|row| row.black.unwrap())
                .collect();
            assert_eq!(names, expected, "{text}");
        };
        check("No,先手,後手\n1,甲,乙\n2,\"丙, 丁\",戊\n", &["甲", "丙, 丁"]);
        check(
            "INSERT INTO `a` (`id`, `sente`, `gote`, `n`) VALUES\n(1, 'O\\'Brien', 'b', 3),\n(2, 'c', 'd', 4);\n",
            &["O'Brien", "c"],
        );
    }

    #[test]
    fn cells_of_tables_are_split() {
        assert_eq!(columns("1,a,\"b, c\",'d\\'e'"), ["1", "a", "b, c", "d'e"]);
        assert_eq!(columns("| a | b |"), ["a", "b"]);
    }
}
