//! Floodgate and CSA V3: a figure, the moves from the reply on in CSA, and in V3 the nodes behind `#`.
//!
//! A person's comment may begin like it, `* 5 reasons`: what follows the figure must be a move or the
//! nodes, or nothing. Some programs write their moves as USI does, others with no space between; `%PASS`
//! is a null move.

use super::blocks::SingleLine;
use super::number::{self, word};
use super::{Dialect, EvaluatedPoint, Evaluation, Source, pv};
use crate::shogi::{Move, Notation, Style};

/// Reads a line; `None` where it is none of these dialects.
pub(super) fn read(line: &str) -> Option<SingleLine<'_>> {
    let text = line.strip_prefix('*').filter(|text| text.starts_with(char::is_whitespace))?;
    let (figure, behind) = word(text);
    if !is_figure(figure) {
        return None;
    }
    let (value, ..) = number::value(figure).filter(|(.., rest)| rest.is_empty())?;
    let (line, nodes) = split_nodes(behind.trim());
    let (first, _) = word(line);
    if !first.is_empty() && !first.starts_with('%') && !pv::begins_with_csa(first) && Move::from_usi(first).is_none() {
        return None;
    }
    let dialect = if nodes.is_some() { Dialect::Csa3 } else { Dialect::Floodgate };
    let evaluation = Evaluation { value: Some(value), nodes, ..Evaluation::new(dialect, Source::Game) };
    Some((evaluation, (!line.is_empty()).then_some(line)))
}

/// Whether it can be a number, and neither a value in the words of other dialects nor the `1.` of a list.
fn is_figure(word: &str) -> bool {
    word.ends_with(|c: char| c.is_ascii_digit()) && word.chars().all(|c| c.is_ascii_digit() || "+-.".contains(c))
}

/// The moves, and the nodes from the last word.
fn split_nodes(text: &str) -> (&str, Option<u64>) {
    let last = text.rsplit(char::is_whitespace).next().unwrap_or_default();
    let nodes = last.strip_prefix('#').and_then(number::magnitude).filter(|(_, rest)| rest.is_empty());
    match (nodes, text.strip_suffix(last)) {
        (Some((nodes, _)), Some(line)) => (line.trim_end(), Some(nodes)),
        _ => (text, None),
    }
}

/// The line for an evaluation of which one of these dialects keeps everything.
pub(super) fn write(evaluation: &Evaluation, point: EvaluatedPoint<'_>) -> Option<String> {
    let mut out = format!("* {}", number::cp(evaluation.value?));
    for word in pv::spell(&evaluation.pv, point, Notation::new(Style::Csa)) {
        out.push(' ');
        out.push_str(&word);
    }
    if let Some(nodes) = evaluation.nodes {
        out.push_str(" #");
        out.push_str(&nodes.to_string());
    }
    Some(out)
}
