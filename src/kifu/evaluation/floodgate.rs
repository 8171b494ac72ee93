//! Floodgate and CSA V3: a score, and the pv from the reply on in CSA. V3 has the nodes after `#`.
//!
//! A human comment may begin in this way: `* 5 reasons`. So a move, the nodes or nothing must follow the score. Some
//! programs write their moves in USI notation, others without spaces. `%PASS` is a null move.

use super::block::SingleLine;
use super::number::{self, split_word};
use super::{Dialect, EvaluatedPoint, Evaluation, Source, pv};
use shogibar_shogi::{Move, Notation, Style};

/// Parses a line; `None` if it is in another dialect.
pub(super) fn read(line: &str) -> Option<SingleLine<'_>> {
    let text = line
        .strip_prefix('*')
        .filter(|text| text.starts_with(char::is_whitespace))?;
    let (score, behind) = split_word(text);
    if !is_score(score) {
        return None;
    }
    let (value, ..) = number::parse_value(score).filter(|(.., rest)| rest.is_empty())?;
    let (line, nodes) = split_nodes(behind.trim());
    let (first, _) = split_word(line);
    if !first.is_empty()
        && !first.starts_with('%')
        && !pv::begins_with_csa(first)
        && Move::from_usi(first).is_none()
    {
        return None;
    }
    let dialect = if nodes.is_some() {
        Dialect::Csa3
    } else {
        Dialect::Floodgate
    };
    if value.is_none() && line.is_empty() {
        return None;
    }
    let evaluation = Evaluation {
        value,
        nodes,
        ..Evaluation::new(dialect, Source::Game)
    };
    Some((evaluation, (!line.is_empty()).then_some(line)))
}

/// Returns whether a word can be a score. Words of other dialects for values cannot, nor can the `1.` of a list.
fn is_score(word: &str) -> bool {
    word.ends_with(|c: char| c.is_ascii_digit())
        && word.chars().all(|c| c.is_ascii_digit() || "+-.".contains(c))
}

/// Returns the moves of a text and the number of nodes in its last word, `#123`. Without that word, returns the whole
/// text and `None`.
fn split_nodes(text: &str) -> (&str, Option<u64>) {
    let last = text.rsplit(char::is_whitespace).next().unwrap_or_default();
    let nodes = last
        .strip_prefix('#')
        .and_then(number::parse_count)
        .filter(|(_, rest)| rest.is_empty());
    match (nodes, text.strip_suffix(last)) {
        (Some((nodes, _)), Some(line)) => (line.trim_end(), Some(nodes)),
        _ => (text, None),
    }
}

/// Returns the line for an evaluation that fits one of these dialects; `None` for one without a value.
pub(super) fn write(evaluation: &Evaluation, point: EvaluatedPoint<'_>) -> Option<String> {
    let mut out = format!("* {}", number::cp(evaluation.value?));
    for word in pv::move_words(&evaluation.pv, point, Notation::new(Style::Csa)) {
        out.push(' ');
        out.push_str(&word);
    }
    if let Some(nodes) = evaluation.nodes {
        out.push_str(" #");
        out.push_str(&nodes.to_string());
    }
    Some(out)
}
