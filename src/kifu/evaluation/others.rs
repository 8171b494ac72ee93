//! Two dialects that are read but not written: K-Shogi and ぴよ将棋, lishogi.

use super::block::SingleLine;
use super::{Dialect, Evaluation, Source, number};
use shogibar_shogi::SIDE_MARKS;

/// K-Shogi's labels, each with whether the evaluation is of an alternative to the played move.
const K_SHOGI_LABELS: [(&str, bool); 3] = [("指し手", false), ("形勢", false), ("推奨手", true)];

/// Parses a line; `None` if it is in another dialect.
pub(super) fn read(line: &str) -> Option<SingleLine<'_>> {
    parse_k_shogi(line).or_else(|| parse_lishogi(line))
}

/// Parses `#指し手[62]△７五歩  ▲３三桂成  △同金`. A move quality such as 悪手 may precede the moves.
fn parse_k_shogi(line: &str) -> Option<SingleLine<'_>> {
    let text = line.strip_prefix('#')?;
    let (is_alternative, text) = K_SHOGI_LABELS
        .iter()
        .find_map(|(key, other)| Some((*other, text.strip_prefix(key)?)))?;
    let (inside, behind) = text.strip_prefix('[')?.split_once(']')?;
    let value = number::parse_value(inside.trim()).and_then(|(value, ..)| value);
    let line = behind.find(SIDE_MARKS).and_then(|at| behind.get(at..));
    let evaluation = Evaluation {
        value,
        is_alternative,
        ..Evaluation::new(Dialect::KShogi, Source::Analysis)
    };
    (value.is_some() || line.is_some()).then_some((evaluation, line))
}

/// Parses `[%eval 1.23]` or `[%eval 1.23,12]`, with the depth, anywhere in the line.
fn parse_lishogi(line: &str) -> Option<SingleLine<'_>> {
    let (_, behind) = line.split_once("[%eval ")?;
    let inside = behind.split_once(']')?.0;
    let (value, depth) = inside.split_once(',').map_or((inside, None), |(value, depth)| {
        (value, depth.trim().parse().ok())
    });
    let value = number::parse_pawns(value.trim())?;
    Some((
        Evaluation {
            value: Some(value),
            depth,
            ..Evaluation::new(Dialect::Lishogi, Source::Analysis)
        },
        None,
    ))
}
