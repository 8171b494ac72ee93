//! Detection of the format of a text. `decode` detects its encoding.

use super::error::{FoundContent, ReadError};
use super::format::Format;
use super::record_format::FormatClue;
use super::scan::lines;
use super::{csa, kif, psn};
use std::collections::BTreeSet;
use std::path::Path;

/// Returns the file extensions of records and positions, in lower case.
pub fn record_extensions() -> impl Iterator<Item = &'static str> {
    Format::OF_FILES
        .iter()
        .flat_map(|format| format.rules().extensions().iter().copied())
}

/// Returns whether a file has the extension of a record.
pub fn has_record_extension(path: &Path) -> bool {
    path.extension()
        .is_some_and(|end| record_extensions().any(|known| end.eq_ignore_ascii_case(known)))
}

/// Returns the format of the extensions of KIF and KI2. `None` for all other names: the contents alone decide their
/// format.
pub(super) fn format_of_name(name: &Path) -> Option<Format> {
    let extension = name.extension()?;
    Format::OF_FILES.into_iter().find(|format| {
        let mut known = format.rules().extensions().iter();
        format.is_kakinoki() && known.any(|end| extension.eq_ignore_ascii_case(end))
    })
}

/// Detects the format. A text that starts like JSON is JKF. Otherwise the first line that only one format has decides.
/// Without such a line, an address means USI, and headers or a diagram mean KIF. CSA headers mean CSA if there is no
/// foreign line. If all lines are headers, even unknown ones, the format is `promised`.
///
/// # Errors
/// Fails for a web page, a game of chess, and if no format is detected.
pub(super) fn format(text: &str, promised: Option<Format>) -> Result<Format, ReadError> {
    let (mut has_headers, mut has_foreign_lines, mut is_chess, mut has_address) =
        (false, false, false, false);
    let mut csa_headers = BTreeSet::new();
    if is_json(text) {
        return Ok(Format::Jkf);
    }
    for line in lines(text) {
        let text = line.trimmed();
        // A remark below a KIF header may contain any text, so it gives no clue.
        if has_headers && text.starts_with('#') {
            continue;
        }
        match clue(text) {
            // A record may follow the address of its source, so an address alone does not decide.
            FormatClue::Sure(Format::Usi) if text.contains("://") => has_address = true,
            FormatClue::Sure(format) => return Ok(format),
            FormatClue::Header => has_headers = true,
            FormatClue::CsaHeader(kind) => drop(csa_headers.insert(kind)),
            FormatClue::WebPage => return Err(ReadError::Other(FoundContent::WebPage)),
            FormatClue::Nothing => {}
            FormatClue::Foreign => {
                has_foreign_lines = true;
                is_chess |= psn::is_chess(text);
            }
        }
    }
    match (has_headers, csa_headers.len()) {
        _ if has_address => Ok(Format::Usi),
        (true, _) => Ok(Format::Kif),
        // A single CSA header may occur in any text, as `N-gram` or a line with only a dash.
        (false, 2..) if !has_foreign_lines => Ok(Format::Csa),
        _ if is_chess => Err(ReadError::Other(FoundContent::Chess)),
        _ => match promised {
            Some(format) if is_all_headers(text) => Ok(format),
            _ => Err(ReadError::Other(FoundContent::Text)),
        },
    }
}

/// Splits a text of several records in different formats: KIF or KI2, CSA, `position` lines. The text is split before
/// the headers of a record in another format than the record before.
pub(super) fn sections(text: &str) -> Vec<&str> {
    /// The formats that begin a section.
    #[derive(Clone, Copy, PartialEq, Eq)]
    enum Kind {
        Kif,
        Csa,
        Usi,
    }
    let mut sections = Vec::new();
    let (mut begin, mut current) = (0, None);
    // The byte offset of the headers that may belong to the next record.
    let mut headers = None;
    for line in text.split_inclusive('\n') {
        let at = line.as_ptr() as usize - text.as_ptr() as usize;
        let (kind, is_sure) = match clue(line.trim()) {
            FormatClue::Sure(Format::Csa) => (Kind::Csa, true),
            FormatClue::Sure(Format::Kif | Format::Ki2) => (Kind::Kif, true),
            // An address may name the record beside it, so it begins no section.
            FormatClue::Sure(Format::Usi) if !line.contains("://") => (Kind::Usi, true),
            FormatClue::CsaHeader(_) => (Kind::Csa, false),
            FormatClue::Header => (Kind::Kif, false),
            _ => continue,
        };
        let is_other = current.is_some_and(|current| current != kind);
        if !is_sure {
            headers = headers.or_else(|| is_other.then_some(at));
            continue;
        }
        if is_other {
            let end = headers.unwrap_or(at);
            sections.extend(text.get(begin..end));
            begin = end;
        }
        (current, headers) = (Some(kind), None);
    }
    sections.extend(text.get(begin..));
    sections
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineKind {
    OfRecord,
    Comment,
    /// A header that is not known.
    Header,
    /// A line of no record.
    Other,
}

/// Returns the kind of a line for a record in `format`.
pub(super) fn line_kind(line: &str, format: Format) -> LineKind {
    let is_of_csa = format == Format::Csa;
    match clue(line) {
        FormatClue::Sure(Format::Kif | Format::Ki2) | FormatClue::Header if format.is_kakinoki() => {
            LineKind::OfRecord
        }
        FormatClue::Sure(sure) if sure == format => LineKind::OfRecord,
        FormatClue::CsaHeader(_) if is_of_csa => LineKind::OfRecord,
        FormatClue::Nothing => LineKind::Comment,
        _ if is_of_csa && csa::is_time(line) => LineKind::Comment,
        _ if format.is_kakinoki() && kif::is_part_of_record(line) => LineKind::OfRecord,
        _ if format.is_kakinoki() && kif::is_header(line) => LineKind::Header,
        _ => LineKind::Other,
    }
}

/// Returns whether a line is a comment of a record in KIF or CSA.
pub(super) fn is_comment(line: &str) -> bool {
    kif::is_comment(line) || line.starts_with('\'')
}

/// Returns whether every line is a header, blank or a comment, with at least one header.
fn is_all_headers(text: &str) -> bool {
    let mut content = lines(text)
        .map(|line| line.trimmed())
        .filter(|text| !text.is_empty() && !kif::is_comment(text))
        .peekable();
    content.peek().is_some() && content.all(kif::is_header)
}

/// Returns whether a line alone determines the format of its text: only one format has such a line, or the line is the
/// beginning of a web page or of JSON.
pub(super) fn determines_format(line: &str) -> bool {
    matches!(clue(line), FormatClue::Sure(_) | FormatClue::WebPage) || is_json(line)
}

/// Returns whether a text starts like a JSON object or an array of objects.
pub(super) fn is_json(text: &str) -> bool {
    let text = text.trim_start_matches('\u{feff}').trim_start();
    text.starts_with('{')
        || text
            .strip_prefix('[')
            .is_some_and(|inside| inside.trim_start().starts_with('{'))
}

/// Returns the evidence of a line.
fn clue(text: &str) -> FormatClue<'_> {
    let starts = |prefixes: &[&str]| prefixes.iter().any(|prefix| text.starts_with(prefix));
    let formats = Format::IN_ORDER_OF_CLUES.iter().map(|format| format.rules());
    let is_like_comment = text.is_empty() || starts(&["#", "*", "&", "'"]);
    if is_like_comment && !formats.clone().any(|format| format.claims_comment(text)) {
        return FormatClue::Nothing;
    }
    if starts(&["<!doctype", "<!DOCTYPE", "<html", "<HTML", "<?xml"]) {
        return FormatClue::WebPage;
    }
    let mut clues = formats.filter_map(|format| format.clue(text));
    clues.next().unwrap_or(FormatClue::Foreign)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn detects_formats_by_content() {
        let check = |text: &str, expected| assert_eq!(format(text, None), expected, "{text}");
        check("手合割：平手\n先手：a\n   1 ７六歩(77)\n", Ok(Format::Kif));
        check("1 ▲７六歩(77)\n", Ok(Format::Kif));
        check("手合割：平手\n\n▲７六歩　△３四歩\n", Ok(Format::Ki2));
        check("先手：a\n後手：b\n", Ok(Format::Kif));
        check("'CSA encoding=UTF-8\nV3.0\nPI\n+\n", Ok(Format::Csa));
        check("+7776FU\n-3334FU\n", Ok(Format::Csa));
        check("{\"header\":{}}", Ok(Format::Jkf));
        check("\u{feff}\r\n [ {\"header\":{}}]", Ok(Format::Jkf));
        check("position startpos moves 7g7f", Ok(Format::Usi));
        check("4k4/9/9/9/9/9/9/9/4K4 b - 1", Ok(Format::Usi));
        check("7g7f 3c3d resign\n", Ok(Format::Usi));
        check("7g7f\n", Ok(Format::Usi));
        check("moves 7g7f\n", Ok(Format::Usi));
        check("# a\n\nstartpos\n", Ok(Format::Usi));
        check("N+P7/9/9/9/9/9/9/9/9 w L 1\n", Ok(Format::Usi));
        check("~0.7ku.r\n", Ok(Format::Usen));
        check("https://example.org/a?usen=%7E0.7ku.r", Ok(Format::Usen));
        check("4k4/9/9/9/9/9/9/9/4K4[-] w 0 1\n", Ok(Format::Epd));
        check("4k4/9/9/9/9/9/9/9/4K4 w - - 0 1\n", Ok(Format::Epd));
        check("4k4/9/9/9/9/9/9/9/4K4 w - - bm K5h;\n", Ok(Format::Epd));
        check("[Sente \"a\"]\n", Ok(Format::Psn));
        check("[Event \"a\"]\n[Black \"b\"]\n\nP7g-7f P3c-3d\n", Ok(Format::Psn));
        check("1.P7g-7f (00:01 / 00:00:01)\n", Ok(Format::Psn));
        check("1. P-7f P-3d\n", Ok(Format::Psn));
        check("BEGIN Game_Summary\n", Ok(Format::Csa));
        check("##[MONITOR2][a] +7776FU\n", Ok(Format::Csa));
        check("[12:00:00] < +7776FU,T1\n", Ok(Format::Csa));
        check(
            "Dear Sir,\n\n1 apple, 2 pears: thank you\n",
            Err(ReadError::Other(FoundContent::Text)),
        );
        check("  <!doctype html>", Err(ReadError::Other(FoundContent::WebPage)));
        check("usi\nid name engine\n", Err(ReadError::Other(FoundContent::Text)));
        check("N+a\nN-b\n", Ok(Format::Csa));
        check("$EVENT:a\n'comment\nN+b\n-\n", Ok(Format::Csa));
        check("P-00AL\n", Ok(Format::Csa));
        check("P1-KY-KE * * -OU * * * *\n", Ok(Format::Csa));
        check("%TORYO\n", Ok(Format::Csa));
        check("PI,+\n", Ok(Format::Csa));
        check("PI82HI22KA\n", Ok(Format::Csa));
    }

    #[test]
    fn detects_header_only_files_by_their_name() {
        let check = |name: &str, text: &str, expected: Option<Format>| {
            assert_eq!(
                format(text, format_of_name(Path::new(name))).ok(),
                expected,
                "{name}: {text}"
            );
        };
        let text = "# x\n対局者：A\nメモ: b\n\n*c\n";
        check("a.kif", text, Some(Format::Kif));
        check("dir.csa/a.KIFU", text, Some(Format::Kif));
        check("a.ki2", text, Some(Format::Ki2));
        check("a.txt", text, None);
        check("kif", text, None);
        check("a.kif", "対局者：A\nprose\n", None);
        check("a.kif", "# x\n*c\n", None);
        check("a.kif", "対局者：A\n+7776FU\n", Some(Format::Csa));
    }

    #[test]
    fn names_a_game_of_chess() {
        for text in [
            "[Event \"chess\"]\n[White \"a\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6\n",
            "[White \"a\"]\n\n1.d4 { good } Nf6\n",
            "1. e4\n1... c5\n",
            "12. O-O Qxd5+ 13. e8=Q# 1-0\n",
        ] {
            assert_eq!(
                format(text, None),
                Err(ReadError::Other(FoundContent::Chess)),
                "{text}"
            );
        }
    }

    #[test]
    fn rejects_prose() {
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
            "7g7f is how most games begin\n",
            "1. a4 paper\n2. Be4 you go\n",
            "/usr/bin/~user and ~0.5 m\n",
            "1. First of all\n2. Then G20, B-52 and P2P\n",
            "P7f or P-7f\n(see there)\n",
            "> quoted mail\n> +1 from me\n",
            "##[CHAT][a] hello\n",
            "1/2/3/4/5/6/7/8/9 is a path\n",
            "[section]\nkey = \"value\"\n[other \"x\"]\n",
        ] {
            assert_eq!(
                format(text, None),
                Err(ReadError::Other(FoundContent::Text)),
                "{text}"
            );
        }
    }
}
