//! The words of a PSN line, and how they identify the format.

use super::moves::{MoveSign, parse_move};
use crate::end::{EndMark, MarkOutcome, Reason};
use crate::time;
use crate::time::{Millis, Time};
use shogibar_shogi::{Color, Move};

/// The format evidence in a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum PsnClue {
    /// The line occurs only in PSN.
    Sure,
    /// The line is a tag, which chess PGN has, too.
    Tag,
    /// The line is no evidence of PSN.
    None,
}

/// Returns the format evidence in a line.
pub(in super::super) fn clue(text: &str) -> PsnClue {
    if let Some((tag, ..)) = parse_tag(text) {
        let is_shogi = ["Sente", "Gote", "SFEN"]
            .iter()
            .any(|known| known.eq_ignore_ascii_case(tag));
        return if is_shogi { PsnClue::Sure } else { PsnClue::Tag };
    }
    let unnumbered = skip_number(text);
    let moves = unnumbered.unwrap_or(text);
    let mut words = moves
        .split(['(', '{'])
        .next()
        .unwrap_or(moves)
        .split_ascii_whitespace();
    let first = words
        .next()
        .is_some_and(|word| is_clearly_move(word, unnumbered.is_some()));
    let second = words.next();
    let is_line = match (unnumbered, second) {
        (Some(_), _) | (None, None) => true,
        (None, Some(second)) => skip_number(second).is_some() || is_clearly_move(second, false),
    };
    if first && is_line {
        PsnClue::Sure
    } else {
        PsnClue::None
    }
}

/// Returns whether a line is a numbered move of chess, followed by another, a comment or nothing.
pub(in super::super) fn is_chess(text: &str) -> bool {
    let Some(moves) = skip_number(text) else {
        return false;
    };
    let mut words = moves.split_ascii_whitespace();
    words.next().is_some_and(is_chess_move)
        && words.next().is_none_or(|word| {
            is_chess_move(word) || word.starts_with(['{', '(', ';', '$']) || skip_number(word).is_some()
        })
}

/// Returns whether a word is a move in chess's algebraic notation: `e4`, `Nbd7`, `exd8=Q+`, `O-O`.
fn is_chess_move(word: &str) -> bool {
    let word = word.trim_end_matches(['+', '#', '!', '?']);
    if matches!(word, "O-O" | "O-O-O") {
        return true;
    }
    let word = word
        .split_once('=')
        .filter(|(_, kind)| matches!(*kind, "Q" | "R" | "B" | "N"))
        .map_or(word, |(mv, _)| mv);
    let Some((before, square)) = word.len().checked_sub(2).and_then(|at| word.split_at_checked(at)) else {
        return false;
    };
    let before = before.strip_prefix(['K', 'Q', 'R', 'B', 'N']).unwrap_or(before);
    let before = before.strip_suffix('x').unwrap_or(before);
    let is_square = matches!(square.as_bytes(), [b'a'..=b'h', b'1'..=b'8']);
    // A file, a rank or both distinguish the piece from another one.
    is_square && matches!(before.as_bytes(), [] | [b'a'..=b'h' | b'1'..=b'8'] | [b'a'..=b'h', b'1'..=b'8'])
}

/// Returns whether a word is almost certainly a move: `P7g-7f`, and after a number `P-7f` or `7g7f`.
fn is_clearly_move(word: &str, is_numbered: bool) -> bool {
    let Some((spelled, rest)) = parse_move(word) else {
        return is_numbered && Move::from_usi(word).is_some();
    };
    let letters = word.bytes().filter(|byte| matches!(byte, b'a'..=b'i')).count();
    let is_full =
        spelled.from.is_some() && letters == 2 || spelled.sign == Some(MoveSign::Drop) && letters == 1;
    let is_short = is_numbered && spelled.sign.is_some() && letters == 1;
    rest.trim_start_matches(['!', '?']).is_empty() && spelled.sign.is_some() && (is_full || is_short)
}

/// Returns whether a word begins like a move: a piece, perhaps a sign, and a digit.
pub(super) fn looks_like_a_move(word: &str) -> bool {
    let word = word.trim_start_matches('+').as_bytes();
    let is_piece = word.first().is_some_and(|byte| b"PLNSGBRKTHD".contains(byte));
    let at = if word.get(1).is_some_and(|byte| b"-xX*'@".contains(byte)) {
        2
    } else {
        1
    };
    is_piece && word.get(at).is_some_and(u8::is_ascii_digit)
}

/// Parses a tag at the start of a text. Returns its name, its value and the rest; `None` for another text.
pub(super) fn parse_tag(text: &str) -> Option<(&str, &str, &str)> {
    let (name, rest) = text.strip_prefix('[')?.split_once('"')?;
    let name = name.trim();
    let is_name = !name.is_empty() && !name.contains(|c: char| c.is_whitespace() || c == ']');
    if !is_name {
        return None;
    }
    let ends = rest.match_indices("\"]");
    let (end, after) = ends
        .map(|(end, _)| (end, rest.get(end + 2..).unwrap_or_default().trim_start()))
        .find(
            // A value may contain quotes, so the first `"]` before another tag, a move or the end of the line ends the
            // value. Moves may follow on the line of the last tag.
            |(_, after)| {
                after.is_empty()
                    || after.starts_with('[')
                    || skip_number(after).is_some_and(|after| !after.is_empty())
            },
        )?;
    Some((name, rest.get(..end).unwrap_or_default(), after))
}

/// Returns the text after a number with its dots: `12.`, `1...`. `None` for another text.
pub(super) fn skip_number(text: &str) -> Option<&str> {
    let digits = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let dots = digits.trim_start_matches('.');
    (digits.len() < text.len() && dots.len() < digits.len()).then(|| dots.trim_start())
}

/// Splits off the first word of a text, at least one character.
pub(super) fn first_word(text: &str) -> (&str, &str) {
    // Some result words contain a blank: `--Black Won--`.
    let dashed = text
        .strip_prefix("--")
        .and_then(|rest| rest.get(..rest.len().min(40)).unwrap_or_default().find("--"));
    let first = text.chars().next().map_or(0, char::len_utf8);
    let end = dashed
        .map(|length| length + 4)
        .or_else(|| {
            text.find(|c: char| c.is_whitespace() || matches!(c, '(' | ')' | '{' | '}' | ';' | '$' | '['))
        })
        .unwrap_or(text.len())
        .max(first);
    text.split_at_checked(end).unwrap_or((text, ""))
}

/// Returns the mark of a result word; `None` for another word.
pub(in super::super) fn result_mark(word: &str) -> Option<EndMark> {
    let outcome = match word {
        "1-0" | "--Black Won--" => MarkOutcome::Winner(Color::Black),
        "0-1" | "--White Won--" => MarkOutcome::Winner(Color::White),
        "1/2-1/2" => MarkOutcome::Draw,
        _ => return None,
    };
    Some(EndMark::new(Reason::Other, outcome))
}

/// Parses a time in round brackets at the start of a text. Returns the time and the rest of the text; `None` for
/// another text. Two zero times are an unknown time.
pub(super) fn parse_time(text: &str) -> Option<(Time, &str)> {
    let inside = text.strip_prefix('(')?;
    // A bracket may contain a long variation, so only its beginning is searched.
    let end = inside.bytes().take(40).position(|byte| byte == b')')?;
    let (inside, after) = inside.split_at_checked(end)?;
    if !inside.trim_start().starts_with(|c: char| c.is_ascii_digit()) || !inside.contains([':', '/']) {
        return None;
    }
    let time = time::parse(inside)?;
    let has_time = time.spent.unwrap_or_default() != Millis(0) || time.total.unwrap_or_default() != Millis(0);
    Some((
        if has_time { time } else { Time::default() },
        after.get(1..).unwrap_or_default(),
    ))
}

/// The maximum length of a remark in round brackets, in bytes.
const MAX_REMARK_BYTES: usize = 200;

/// Splits off the remark at the start of a text behind an opening bracket; `None` for a variation, which has moves.
pub(super) fn split_remark(text: &str) -> Option<(&str, &str)> {
    let end = text
        .bytes()
        .take(MAX_REMARK_BYTES)
        .position(|byte| matches!(byte, b'(' | b')'))?;
    let (inside, after) = text.split_at_checked(end)?;
    let behind = after.strip_prefix(')')?;
    let is_remark = inside.contains(char::is_alphabetic)
        && !inside.split_whitespace().any(|word| {
            let word = skip_number(word).unwrap_or(word);
            parse_move(word).is_some() || Move::from_usi(word).is_some() || result_mark(word).is_some()
        });
    is_remark.then(|| (inside.trim(), behind))
}

/// Returns the sign for the number of a move annotation after `$`: `!` for 1. `None` for an unknown number.
pub(super) fn glyph(number: &str) -> Option<&'static str> {
    Some(match number {
        "1" => "!",
        "2" => "?",
        "3" => "!!",
        "4" => "??",
        "5" => "!?",
        "6" => "?!",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_tags() {
        let check = |text: &str, expected| assert_eq!(parse_tag(text), expected, "{text}");
        check("[Sente \"a b\"]", Some(("Sente", "a b", "")));
        check("[Sente\"a\"]  [Gote \"\"]", Some(("Sente", "a", "[Gote \"\"]")));
        check("[k \"say \"]\" and \"b\"]", Some(("k", "say \"]\" and \"b", "")));
        check("[a comment \"x\"]", None);
        check("[Sente a]", None);
        check("[Sente \"a\"", None);
        check("[ \"a\"]", None);
    }

    #[test]
    fn parses_numbers_words_and_times() {
        assert_eq!(skip_number("12.P7g-7f"), Some("P7g-7f"));
        assert_eq!(skip_number("1... P3c-3d"), Some("P3c-3d"));
        assert_eq!(skip_number("1-0"), None);
        assert_eq!(skip_number("7g7f"), None);
        assert_eq!(first_word("P7g-7f(0:01/0:01)"), ("P7g-7f", "(0:01/0:01)"));
        assert_eq!(first_word("--Black Won-- x"), ("--Black Won--", " x"));
        assert_eq!(first_word("-- "), ("--", " "));
        let check = |text: &str, spent: Option<u64>, after: &str| {
            assert_eq!(
                parse_time(text),
                Some((
                    Time {
                        spent: spent.map(Millis),
                        total: parse_time(text).unwrap().0.total
                    },
                    after
                ))
            );
        };
        check("(00:03 / 00:00:03) x", Some(3000), " x");
        check("(0:05/0:12:30)", Some(5000), "");
        check("(00:00 / 00:00:00)", None, "");
        assert_eq!(parse_time("(12 moves)"), None);
        assert_eq!(parse_time("(P7f)"), None);
        assert_eq!(parse_time("(1.P7f)"), None);
    }

    #[test]
    fn recognizes_lines_of_this_format() {
        for text in [
            "[Sente \"a\"]",
            "[sfen \"x\"]",
            "1.P7g-7f          (00:03 / 00:00:03)",
            "1. P7g-7f 2. P3c-3d",
            "1.P-7f P-3d 2.P2f",
            "1....P3c-3d",
            "1.7g7f",
            "P2g-2f P3c-3d",
            "P2g-2f",
            "P'8c +B7bx6b",
            "+B7bx6b {good}",
        ] {
            assert_eq!(clue(text), PsnClue::Sure, "{text}");
        }
        for text in ["[Event \"a\"]", "[Black \"a\"]"] {
            assert_eq!(clue(text), PsnClue::Tag, "{text}");
        }
        for text in [
            "1. e4 e5",
            "1. Nf3 Nf6",
            "1. B-52 bombers",
            "1. G20 summit",
            "2. P2P networks",
            "R-6a is a bus",
            "P7f",
            "B2b or not",
            "7g7f",
            "1. 76 trombones",
            "--",
            "(1) one",
            "{x}",
            "",
        ] {
            assert_eq!(clue(text), PsnClue::None, "{text}");
        }
    }
}
