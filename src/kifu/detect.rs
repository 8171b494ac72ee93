//! Which format a text is in.

use super::error::{Format, Found, ReadError};
use super::scan::lines;
use super::{csa, kif};
use crate::shogi::{SIDE_MARKS, numeral};
use std::collections::BTreeSet;

/// Tells by the first line that only one format has. Failing that, headers or a diagram make it KIF,
/// and what CSA writes in its headers makes it CSA where nothing else stands in the text.
pub(super) fn format(text: &str) -> Result<Format, ReadError> {
    let (mut headers, mut foreign) = (false, false);
    let mut csa_headers = BTreeSet::new();
    if text.trim_start().starts_with('{') {
        return Ok(Format::Jkf);
    }
    for line in lines(text) {
        match clue(line.trimmed()) {
            Clue::Sure(format) => return Ok(format),
            Clue::Header => headers = true,
            Clue::CsaHeader(kind) => drop(csa_headers.insert(kind)),
            Clue::WebPage => return Err(ReadError::Other(Found::WebPage)),
            Clue::Nothing => {}
            Clue::Foreign => foreign = true,
        }
    }
    match (headers, csa_headers.len()) {
        (true, _) => Ok(Format::Kif),
        // One alone is found in any text: `N-gram`, or a line with nothing but a dash.
        (false, 2..) if !foreign => Ok(Format::Csa),
        _ => Err(ReadError::Other(Found::Text)),
    }
}

enum Clue<'a> {
    Sure(Format),
    /// A line that KIF and KI2 share.
    Header,
    /// A line that CSA has, and other texts as well: which kind of line.
    CsaHeader(&'a str),
    WebPage,
    /// A blank line or a comment.
    Nothing,
    /// A line that no record has.
    Foreign,
}

fn clue(text: &str) -> Clue<'_> {
    let starts = |prefixes: &[&str]| prefixes.iter().any(|prefix| text.starts_with(prefix));
    if text.is_empty() || starts(&["#", "*", "&", "'"]) {
        Clue::Nothing
    } else if csa::is_statement(text) {
        Clue::Sure(Format::Csa)
    } else if let Some(kind) = csa::header_kind(text) {
        Clue::CsaHeader(kind)
    } else if is_usi(text) {
        Clue::Sure(Format::Usi)
    } else if starts(&["[Sente ", "[Gote ", "[Event ", "[Black ", "[White "]) {
        Clue::Sure(Format::Psn)
    } else if starts(&["<!doctype", "<!DOCTYPE", "<html", "<HTML", "<?xml"]) {
        Clue::WebPage
    } else if starts(&["手数--"]) || kif::is_move_or_end(text) {
        Clue::Sure(Format::Kif)
    } else if is_ki2(text) {
        Clue::Sure(Format::Ki2)
    } else if kif::is_header_or_diagram(text) {
        Clue::Header
    } else {
        Clue::Foreign
    }
}

/// `position startpos …`, `startpos`, `sfen …`, or an SFEN alone.
fn is_usi(text: &str) -> bool {
    let text = text.strip_prefix("position ").unwrap_or(text).trim_start();
    let mut fields = text.strip_prefix("sfen ").unwrap_or(text).split_ascii_whitespace();
    let board = fields.next().unwrap_or_default();
    let side = fields.next();
    let is_sfen = board.len() < 200 && board.split('/').count() == 9 && matches!(side, Some("b" | "w"));
    is_sfen || board == "startpos" && matches!(side, None | Some("moves"))
}

/// A side's mark, then a square.
fn is_ki2(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(|c| SIDE_MARKS.contains(&c))
        && chars.next().is_some_and(|c| c == '同' || numeral(c).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_told_apart_by_content() {
        let check = |text: &str, expected| assert_eq!(format(text), expected, "{text}");
        check("手合割：平手\n先手：a\n   1 ７六歩(77)\n", Ok(Format::Kif));
        check("1 ▲７六歩(77)\n", Ok(Format::Kif));
        check("手合割：平手\n\n▲７六歩　△３四歩\n", Ok(Format::Ki2));
        check("先手：a\n後手：b\n", Ok(Format::Kif));
        check("'CSA encoding=UTF-8\nV3.0\nPI\n+\n", Ok(Format::Csa));
        check("+7776FU\n-3334FU\n", Ok(Format::Csa));
        check("{\"header\":{}}", Ok(Format::Jkf));
        check("position startpos moves 7g7f", Ok(Format::Usi));
        check("4k4/9/9/9/9/9/9/9/4K4 b - 1", Ok(Format::Usi));
        check("[Sente \"a\"]\n", Ok(Format::Psn));
        check("Dear Sir,\n\n1 apple, 2 pears: thank you\n", Err(ReadError::Other(Found::Text)));
        check("  <!doctype html>", Err(ReadError::Other(Found::WebPage)));
        check("usi\nid name engine\n", Err(ReadError::Other(Found::Text)));
        check("N+a\nN-b\n", Ok(Format::Csa));
        check("$EVENT:a\n'comment\nN+b\n-\n", Ok(Format::Csa));
        check("P-00AL\n", Ok(Format::Csa));
        check("P1-KY-KE * * -OU * * * *\n", Ok(Format::Csa));
        check("%TORYO\n", Ok(Format::Csa));
        check("PI,+\n", Ok(Format::Csa));
        check("PI82HI22KA\n", Ok(Format::Csa));
    }

    #[test]
    fn prose_is_no_record() {
        for text in [
            "PIPELINE notes\n",
            "PIN code\n",
            "PI is 3.14\n",
            "N-gram models\n-\n-\nmore of them\n",
            "N+1 queries\n",
            "%ABC\n%D\n",
            "P1 - the first thing\nP+ and P-\nP+12 points\n",
            "-\n",
            "+1234567890\n-1234 USD\n",
            "V for victory\n",
            "position of the sun\nstartpos is a word\nsfen too\n",
            "int main() {\n  return 0;\n}\n",
            "まで待ってください\n",
        ] {
            assert_eq!(format(text), Err(ReadError::Other(Found::Text)), "{text}");
        }
    }
}
