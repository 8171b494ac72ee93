//! The part of a text that is a record, where other words stand before or after it.

use super::detect_format::{LineKind, line_kind};
use super::format::Format;
use super::scan::lines;
use super::{kif, prose};

/// Returns a text in which the lines around the record are blank, and these lines. `None` if there are none.
///
/// The record begins with its first line that only a record of this format has, and with the headers and comments right
/// above. It ends with its last such line, and with the comments right below. Without other words above or below, all
/// lines of that side belong to the record. Below the end of the game, other lines are remarks, also those with moves.
pub(super) fn record_part(text: &str, format: Format) -> Option<(String, Vec<&str>)> {
    let all: Vec<_> = lines(text)
        .map(|line| (line.trimmed(), line_kind(line.trimmed(), format)))
        .collect();
    let first = all.iter().position(|(_, kind)| *kind == LineKind::OfRecord)?;
    let last = all.iter().rposition(|(_, kind)| *kind == LineKind::OfRecord)?;
    let is_over = format.is_kakinoki() && all.get(last).is_some_and(|(text, _)| kif::ends_a_game(text));
    let mut begin = 0;
    if all.iter().take(first).any(|(_, kind)| *kind == LineKind::Other) {
        let attached = all.iter().take(first).rev().take_while(|(text, kind)| {
            !text.is_empty()
                && (*kind == LineKind::Comment || *kind == LineKind::Header && is_attached_header(text))
        });
        begin = first - attached.count();
    }
    let mut end = all.len();
    if all
        .iter()
        .skip(last + 1)
        .any(|(_, kind)| matches!(kind, LineKind::Other | LineKind::Header))
    {
        let below = all.iter().skip(last + 1).take_while(|(text, kind)| {
            if is_over {
                *kind == LineKind::Comment && !text.is_empty()
            } else {
                goes_on(text, *kind, format)
            }
        });
        end = last + 1 + below.count();
    }
    let is_left_out =
        |index: usize, text: &str| !text.is_empty() && (is_over && index >= end || is_left_out(text));
    let is_within = |index: usize| (begin..end).contains(&index);
    let left_out: Vec<_> = all
        .iter()
        .enumerate()
        .filter(|(index, (text, _))| !is_within(*index) && is_left_out(*index, text))
        .map(|(_, (text, _))| *text)
        .collect();
    if left_out.is_empty() {
        return None;
    }
    let mut part = String::with_capacity(text.len());
    for (index, line) in lines(text).enumerate() {
        let stays = is_within(index) || !is_left_out(index, line.trimmed());
        part.push_str(if stays { line.text } else { "" });
        part.push('\n');
    }
    Some((part, left_out))
}

/// Returns whether a line below a record belongs to it: a comment, or a damaged line. Words of a chat may stand right below
/// moves in common notation.
fn goes_on(text: &str, kind: LineKind, format: Format) -> bool {
    !text.is_empty() && (kind == LineKind::Comment || format.rules().may_be_damaged(text))
}

/// Returns whether a line around the record is left out. A line with a move stays: it may be a damaged part of the record.
fn is_left_out(text: &str) -> bool {
    !text.is_empty() && !prose::has_move(text)
}

/// Returns whether an unknown header right above a record belongs to it. The line above a quote, with a date and a name,
/// looks like a header, too.
fn is_attached_header(text: &str) -> bool {
    let key = kif::header_key(text).unwrap_or_default();
    !key.is_empty() && !key.contains(char::is_whitespace) && !key.starts_with(|c: char| c.is_numeric())
}
