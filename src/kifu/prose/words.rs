//! The words of moves in prose, in any notation.

use super::super::csa::moves::parse_move;
use super::super::psn;
use super::super::scan::{Scanner, half_width};
use shogibar_shogi::{Color, Move, Position, SIDE_MARKS, Square, notation};

/// The length of a USI move without a promotion, in characters.
const USI_MOVE_CHARS: usize = 4;

/// The length in bytes from which a word is too long to be a PSN move.
const PSN_MOVE_LIMIT_BYTES: usize = 9;

/// The length of a PSN move that has only a piece and its target, in bytes.
const SHORT_PSN_MOVE_BYTES: usize = 3;

/// The names of pieces in moves that state the piece before its square, with the letters of PSN.
const PIECES_FIRST: [(char, &str); 16] = [
    ('歩', "P"),
    ('香', "L"),
    ('桂', "N"),
    ('銀', "S"),
    ('金', "G"),
    ('角', "B"),
    ('飛', "R"),
    ('玉', "K"),
    ('王', "K"),
    ('と', "+P"),
    ('杏', "+L"),
    ('圭', "+N"),
    ('全', "+S"),
    ('馬', "+B"),
    ('龍', "+R"),
    ('竜', "+R"),
];

/// The length of a CSA move without its sign, in bytes.
const CSA_MOVE_BYTES: usize = 6;

/// Returns whether a character separates moves, as blanks do: a digit or a sign.
pub(super) fn is_separator(c: char) -> bool {
    let is_sign = matches!(
        c,
        '、' | '・'
            | '，'
            | '／'
            | '→'
            | '⇒'
            | '＞'
            | '＜'
            | '．'
            | '。'
            | '：'
            | '；'
            | '（'
            | '）'
            | '［'
            | '］'
            | '【'
            | '】'
            | '〔'
            | '〕'
            | '「'
            | '」'
            | '『'
            | '』'
            | '－'
            | '―'
            | '—'
            | '–'
            | '＊'
            | '｜'
            | '～'
            | '〜'
    );
    let is_ascii_sign = c.is_ascii_punctuation()
        && !matches!(
            c,
            '!' | '?' | '#' | '$' | '%' | '&' | '@' | '\\' | '=' | '^' | '_'
        );
    is_sign || is_ascii_sign || c.is_numeric()
}

/// Returns whether words only number moves, or name their side.
pub(super) fn is_number(words: &str) -> bool {
    let is_part = |c| {
        matches!(
            c,
            '手' | '目' | '第' | '初' | 'か' | 'ら' | 'ま' | 'で' | '以' | '下' | '先' | '後' | '上' | '番'
        ) || is_separator(c)
    };
    words.chars().all(|c| is_part(c) || c.is_whitespace())
}

/// A word of the text that may be a move.
pub(super) struct MoveWord<'t> {
    /// The word, including its side mark.
    pub(super) words: &'t str,
    /// The text after the word.
    pub(super) rest: &'t str,
    /// The move; `None` if it cannot be played.
    pub(super) mv: Option<Move>,
}

impl<'t> MoveWord<'t> {
    /// Returns the move at the beginning of a text, even if it cannot be played; `None` if no move begins there. `prev`
    /// is the target of the last move.
    pub(super) fn first(text: &'t str, position: &Position, prev: Option<Square>) -> Option<Self> {
        let in_japanese = if names_square(text) {
            notation::read_first(text, position, prev)
        } else {
            None
        };
        let (words, rest, mv) = match in_japanese {
            Some((read, rest)) => {
                let words = text.get(..text.len() - rest.len())?;
                let mv = read
                    .ok()
                    .filter(|mv| fits_sign(words, position) || has_wrong_sign(*mv, rest, position));
                (words, rest, mv)
            }
            None if text.starts_with(|c| half_width(c).is_ascii()) => ascii_move(text, position)?,
            None => piece_first_move(text, position, prev)?,
        };
        Some(Self {
            words,
            rest,
            mv: mv.filter(|mv| position.is_legal(*mv)),
        })
    }
}

/// Returns whether a text begins with a square in numerals, or 同. Other characters that records may have for ranks are
/// words in prose.
fn names_square(text: &str) -> bool {
    let mut chars = text
        .trim_start_matches(|c: char| SIDE_MARKS.contains(&c) || c.is_whitespace())
        .chars();
    let is_numeral = |c: char| matches!(c, '1'..='9' | '１'..='９' | '一' | '二' | '三' | '四' | '五' | '六' | '七' | '八' | '九');
    match chars.next() {
        Some('同') => true,
        Some(first) => is_numeral(first) && chars.next().is_some_and(is_numeral),
        None => false,
    }
}

/// Returns whether the side of the mark before a move is to move. The marks ▼ and ▽ stand for either side.
fn fits_sign(words: &str, position: &Position) -> bool {
    match words.chars().next() {
        Some('▲' | '☗') => position.side_to_move() == Color::Black,
        Some('△' | '☖') => position.side_to_move() == Color::White,
        _ => true,
    }
}

/// Returns whether a move bears the sign of the wrong side: it can be played, and the move behind it then fits its own
/// sign.
fn has_wrong_sign(mv: Move, rest: &str, position: &Position) -> bool {
    let rest = rest.trim_start();
    if !rest.starts_with(SIDE_MARKS) || !names_square(rest) {
        return false;
    }
    let mut after = position.without_history();
    after.play(mv).is_ok()
        && fits_sign(rest, &after)
        && notation::read_first(rest, &after, Some(mv.to()))
            .is_some_and(|(next, _)| next.is_ok_and(|next| after.is_legal(next)))
}

/// Returns the words of the USI, CSA or PSN move at the beginning of a text, the rest, and the move. The move is `None`
/// if the other side is to move. Returns `None` for another text.
fn ascii_move<'t>(text: &'t str, position: &Position) -> Option<(&'t str, &'t str, Option<Move>)> {
    let (mv, rest) = usi_move(text)
        .map(|(mv, rest)| (Some(mv), rest))
        .or_else(|| csa_move(text, position))
        .or_else(|| psn_move(text, position))?;
    Some((text.get(..text.len() - rest.len())?, rest, mv))
}

/// Returns a move like `7g7f`, `7G-7F` or `P*5e`, in half or full width, and the rest. Another move may follow without
/// a blank. Returns `None` for another text, as the functions for other notations do.
fn usi_move(text: &str) -> Option<(Move, &str)> {
    let (mv, rest) = parse_usi(text)?;
    (ends_word(rest) || parse_usi(rest).is_some()).then_some((mv, rest))
}

fn parse_usi(text: &str) -> Option<(Move, &str)> {
    let second = text.chars().nth(1).map(half_width)?;
    if !second.is_ascii_alphabetic() && second != '*' {
        return None;
    }
    let mut scanner = Scanner::new(text);
    let mut word = String::with_capacity(USI_MOVE_CHARS + 1);
    while word.len() < USI_MOVE_CHARS {
        let c = scanner.take(|c| Some(half_width(c)).filter(char::is_ascii))?;
        match c {
            '-' if word.len() == 2 => {}
            'A'..='Z' if word.is_empty() => word.push(c),
            _ => word.push(c.to_ascii_lowercase()),
        }
    }
    if scanner.eat('+') {
        word.push('+');
    }
    Some((Move::from_usi(&word)?, scanner.rest))
}

/// Returns a move like `+7776FU`, or without its sign, and the rest. The move is `None` if the other side is to move.
fn csa_move<'t>(text: &'t str, position: &Position) -> Option<(Option<Move>, &'t str)> {
    let sign = text.chars().next().filter(|c| matches!(c, '+' | '-'));
    let begin = usize::from(sign.is_some());
    let digits = text.get(begin..)?.get(..CSA_MOVE_BYTES)?;
    if !digits.ends_with(|c: char| c.is_ascii_uppercase()) {
        return None;
    }
    let side_mark = if position.side_to_move() == Color::Black {
        '+'
    } else {
        '-'
    };
    let read = parse_move(&format!("{side_mark}{digits}"))?;
    let rest = text.get(begin + CSA_MOVE_BYTES..)?;
    let fits = sign.is_none_or(|sign| sign == side_mark);
    ends_word(rest).then_some((fits.then(|| read.on(position)), rest))
}

/// Returns a move like `P-7f`, `P7g-7f` or `P76` that can be played, and the rest. A word that cannot be played may be
/// any word.
fn psn_move<'t>(text: &'t str, position: &Position) -> Option<(Option<Move>, &'t str)> {
    let piece = text.strip_prefix('+').unwrap_or(text);
    if !piece.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return None;
    }
    let end = text
        .char_indices()
        .take(PSN_MOVE_LIMIT_BYTES)
        .find(|(_, c)| !c.is_ascii_alphanumeric() && !"+-*='".contains(*c))
        .map(|(at, _)| at);
    let end = end.or_else(|| Some(text.len()).filter(|length| *length < PSN_MOVE_LIMIT_BYTES))?;
    // Signs of emphasis may follow, so asterisks at the end are left out.
    let word = text.get(..end)?.trim_end_matches('*');
    let has_sign = word.contains(['-', '*', 'x', '\'']);
    let is_short = piece.len() - (text.len() - word.len()) == SHORT_PSN_MOVE_BYTES
        && piece.starts_with(|c: char| c.is_ascii_uppercase());
    if word.len() >= PSN_MOVE_LIMIT_BYTES || !has_sign && !is_short {
        return None;
    }
    let mv = psn::read_move(
        &word.replacen(piece.get(..1)?, &piece.get(..1)?.to_ascii_uppercase(), 1),
        position,
    )
    .ok()?;
    position
        .is_legal(mv)
        .then(|| Some((Some(mv), text.get(word.len()..)?)))
        .flatten()
}

/// Returns the words of a move like `歩-76`, `銀(88)-77` or `角*55`, a piece before its square, the rest, and the move.
/// The move is `None` if it cannot be played.
fn piece_first_move<'t>(
    text: &'t str,
    position: &Position,
    prev: Option<Square>,
) -> Option<(&'t str, &'t str, Option<Move>)> {
    let mut scanner = Scanner::new(text);
    let mut word = scanner
        .take(|c| {
            PIECES_FIRST
                .iter()
                .find(|(name, _)| *name == c)
                .map(|(_, letter)| *letter)
        })?
        .to_owned();
    if scanner.eat('(') {
        word.extend([scanner.take(square_digit)?, scanner.take(square_digit)?]);
        scanner.eat(')').then_some(())?;
    }
    let sign = scanner.take(|c| Some(half_width(c)).filter(|c| matches!(c, '-' | 'x' | '*')))?;
    word.push(sign);
    match (scanner.take(square_digit), prev) {
        (Some(file), _) => word.extend([file, scanner.take(square_digit)?]),
        // A capture on the square of the last move.
        (None, Some(square)) if sign == 'x' => word.push_str(&square.to_string()),
        _ => return None,
    }
    if let Some(sign) = scanner.take(|c| Some(half_width(c)).filter(|c| matches!(c, '+' | '='))) {
        word.push(sign);
    }
    let words = text.get(..text.len() - scanner.rest.len())?;
    ends_word(scanner.rest).then(|| (words, scanner.rest, psn::read_move(&word, position).ok()))
}

/// Returns a digit of a square in half width; `None` for another character.
fn square_digit(c: char) -> Option<char> {
    Some(half_width(c)).filter(|c| matches!(c, '1'..='9'))
}

/// Returns whether a word ends before `rest`: neither a letter nor a digit follows.
fn ends_word(rest: &str) -> bool {
    !rest
        .chars()
        .next()
        .is_some_and(|c| half_width(c).is_ascii_alphanumeric())
}
