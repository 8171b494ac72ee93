//! Values and counts in comments.

use shogibar_shogi::Color;
use shogibar_shogi::score::{Bound, Value};

/// The score that floodgate and others use for a decided game, in centipawns.
pub(super) const DECIDED_CP: i32 = 30_000;

/// Parses a value from Black's view at the start of a text: `210`, `-60`, `+1.5`, `120↑`, `+詰 7`, `-詰`. Returns
/// value, bound and the rest of the text; `None` if the text does not begin with a value. The value is `None` for a
/// number that stands for no value. The bound is `None` for an exact value.
pub(super) fn parse_value(text: &str) -> Option<(Option<Value>, Option<Bound>, &str)> {
    let (winner, digits) = split_sign(text);
    if let Some(length) = ["詰", "Mate"].iter().find_map(|word| digits.strip_prefix(word)) {
        let (plies, rest) =
            parse_small_count(length.trim_start()).map_or((None, length), |(n, rest)| (Some(n), rest));
        return Some((Some(mate(winner, plies)), None, rest));
    }
    let (cp, rest) = parse_count(digits)?;
    // Precision below a centipawn is dropped.
    let rest = rest
        .strip_prefix('.')
        .map_or(rest, |fraction| fraction.trim_start_matches(is_digit));
    let (bound, rest) = match (rest.strip_prefix('↑'), rest.strip_prefix('↓')) {
        (Some(rest), _) => (Some(Bound::Lower), rest),
        (None, Some(rest)) => (Some(Bound::Upper), rest),
        (None, None) => (None, rest),
    };
    let value = Value::from_cp(signed_cp(winner, cp));
    Some((value, value.and(bound), rest))
}

/// Parses all of `text` as a value in pawns, or a mate like `mate3` or `#-3`.
pub(super) fn parse_pawns(text: &str) -> Option<Value> {
    if let Some(length) = ["mate", "#"].iter().find_map(|word| text.strip_prefix(word)) {
        let (winner, digits) = split_sign(length);
        let (plies, rest) = parse_small_count(digits)?;
        return (plies > 0 && rest.is_empty()).then(|| mate(winner, Some(plies)));
    }
    let (winner, digits) = split_sign(text);
    let (whole, rest) = parse_count(digits)?;
    let fraction = rest.strip_prefix('.').unwrap_or(rest);
    if !fraction.chars().all(is_digit) {
        return None;
    }
    let hundredths = fraction
        .bytes()
        .chain(*b"00")
        .take(2)
        .fold(0, |value, byte| value * 10 + u64::from(byte - b'0'));
    Value::from_cp(signed_cp(
        winner,
        whole.saturating_mul(100).saturating_add(hundredths),
    ))
}

/// Parses a count at the start of a text, capped at `u64::MAX`. Returns it with the rest of the text.
pub(super) fn parse_count(text: &str) -> Option<(u64, &str)> {
    let end = text.find(|c| !is_digit(c)).unwrap_or(text.len());
    let (digits, rest) = text
        .split_at_checked(end)
        .filter(|(digits, _)| !digits.is_empty())?;
    let count = digits.bytes().fold(0_u64, |value, byte| {
        value.saturating_mul(10).saturating_add(u64::from(byte - b'0'))
    });
    Some((count, rest))
}

/// Parses a count at the start of a text, capped at `u32::MAX`. Returns it with the rest of the text.
pub(super) fn parse_small_count(text: &str) -> Option<(u32, &str)> {
    parse_count(text).map(|(n, rest)| (u32::try_from(n).unwrap_or(u32::MAX), rest))
}

/// Returns a mate value. A length of 0 plies becomes an unknown length.
pub(super) fn mate(winner: Color, plies: Option<u32>) -> Value {
    Value::Mate {
        winner,
        plies: plies.filter(|plies| *plies > 0),
    }
}

/// Returns the score of a value in centipawns; ±30000 for a decided one.
pub(super) const fn cp(value: Value) -> i32 {
    match value {
        Value::Cp(cp) => cp,
        Value::Won(Color::Black)
        | Value::Mate {
            winner: Color::Black, ..
        } => DECIDED_CP,
        Value::Won(Color::White)
        | Value::Mate {
            winner: Color::White, ..
        } => -DECIDED_CP,
    }
}

pub(super) fn split_word(text: &str) -> (&str, &str) {
    let text = text.trim_start();
    let end = text.find(char::is_whitespace).unwrap_or(text.len());
    text.split_at_checked(end).unwrap_or((text, ""))
}

fn split_sign(text: &str) -> (Color, &str) {
    match text.strip_prefix('-') {
        Some(rest) => (Color::White, rest),
        None => (Color::Black, text.strip_prefix('+').unwrap_or(text)),
    }
}

/// Returns a score in favor of `winner` from Black's view, in centipawns.
fn signed_cp(winner: Color, cp: u64) -> i32 {
    let cp = i32::try_from(cp).unwrap_or(i32::MAX);
    if winner == Color::Black { cp } else { -cp }
}

const fn is_digit(c: char) -> bool {
    c.is_ascii_digit()
}

#[cfg(test)]
mod tests {
    use super::*;
    use Color::{Black, White};

    #[test]
    fn parses_values() {
        let check = |text: &str, expected: Option<(Value, Option<Bound>, &str)>| {
            let expected = expected.map(|(value, bound, rest)| (Some(value), bound, rest));
            assert_eq!(parse_value(text), expected, "{text}");
        };
        assert_eq!(
            parse_value("31111 x"),
            Some((None, None, " x")),
            "a sentinel that is no value"
        );
        assert_eq!(
            parse_value("-31111↑"),
            Some((None, None, "")),
            "a sentinel that is no value"
        );
        let mate = |winner, plies| Value::Mate { winner, plies };
        check("210", Some((Value::Cp(210), None, "")));
        check("-60 読み筋", Some((Value::Cp(-60), None, " 読み筋")));
        check("+1.5↑", Some((Value::Cp(1), Some(Bound::Lower), "")));
        check("-120↓", Some((Value::Cp(-120), Some(Bound::Upper), "")));
        check("+詰 7 x", Some((mate(Black, Some(7)), None, " x")));
        check("-詰12", Some((mate(White, Some(12)), None, "")));
        check("-詰 読み筋", Some((mate(White, None), None, " 読み筋")));
        check("+詰 0", Some((mate(Black, None), None, "")));
        check("-Mate 3", Some((mate(White, Some(3)), None, "")));
        check("30000", Some((Value::Won(Black), None, "")));
        check("-1000001", Some((Value::Won(White), None, "")));
        check("-99999999999999999999999", Some((Value::Won(White), None, "")));
        for none in ["", "-", "+", "互角", "--5", "↑", ".5", "１２"] {
            check(none, None);
        }
    }

    #[test]
    fn parses_values_in_pawns() {
        let check = |text: &str, expected: Option<Value>| assert_eq!(parse_pawns(text), expected, "{text}");
        check("1.23", Some(Value::Cp(123)));
        check("-0.4", Some(Value::Cp(-40)));
        check("12", Some(Value::Cp(1200)));
        check("0.999", Some(Value::Cp(99)));
        check("-300.0", Some(Value::Won(White)));
        check(
            "mate3",
            Some(Value::Mate {
                winner: Black,
                plies: Some(3),
            }),
        );
        check(
            "mate-12",
            Some(Value::Mate {
                winner: White,
                plies: Some(12),
            }),
        );
        check(
            "#-1",
            Some(Value::Mate {
                winner: White,
                plies: Some(1),
            }),
        );
        for none in ["", "mate", "mate0", "1.2x", "x", "#", "1 2"] {
            check(none, None);
        }
    }
}
