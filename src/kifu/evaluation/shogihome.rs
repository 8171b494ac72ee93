//! `ShogiHome`: one statement per line, after `*` for a player and `#` for an analysis.
//!
//! A statement has 詰み or the situation and 評価値, then 読み筋 深さ ノード数 エンジン. A reader must accept any order. 候補
//! is an extension of this program, which `ShogiHome` ignores.

use super::block::EvaluationBlock;
use super::{Dialect, EvaluatedPoint, Evaluation, Source, number, pv};
use shogibar_shogi::score::Value;
use shogibar_shogi::{Color, Marks, Notation};
use std::fmt::Write as _;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CommentLine<'a> {
    /// A statement like `#評価値=210`.
    Statement(Source, Statement<'a>),
    /// A line like 互角, which precedes a value.
    Situation,
    /// A statement of an unknown kind, possibly of a later version.
    Other,
}

/// A statement: its name and the text after `=`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Statement<'a> {
    key: StatementKey,
    text: &'a str,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum StatementKey {
    Mate,
    Score,
    Pv,
    Depth,
    Nodes,
    Rank,
    Engine,
}

const STATEMENT_KEYS: [(&str, StatementKey); 7] = [
    ("詰み", StatementKey::Mate),
    ("評価値", StatementKey::Score),
    ("読み筋", StatementKey::Pv),
    ("深さ", StatementKey::Depth),
    ("ノード数", StatementKey::Nodes),
    ("候補", StatementKey::Rank),
    ("エンジン", StatementKey::Engine),
];

/// The words for a situation, each with its minimum score from Black's view, in centipawns.
const SITUATIONS: [(i32, &str); 9] = [
    (1500, "先手勝勢"),
    (600, "先手優勢"),
    (400, "先手有利"),
    (200, "先手有望"),
    (-200, "互角"),
    (-400, "後手有望"),
    (-600, "後手有利"),
    (-1500, "後手優勢"),
    (i32::MIN, "後手勝勢"),
];

const WINNER_WORDS: [(&str, Color); 2] = [("先手勝ち", Color::Black), ("後手勝ち", Color::White)];

/// Parses a line; `None` if it is in another dialect.
pub(super) fn read(line: &str) -> Option<CommentLine<'_>> {
    if SITUATIONS.iter().any(|(_, word)| *word == line) {
        return Some(CommentLine::Situation);
    }
    let (source, statement) = match line.strip_prefix('*') {
        Some(statement) => (Source::Game, statement),
        None => (Source::Analysis, line.strip_prefix('#')?),
    };
    let (key, text) = statement.split_once('=')?;
    if key.is_empty() || !key.chars().all(char::is_alphanumeric) {
        return None;
    }
    let known = STATEMENT_KEYS.iter().find(|(name, _)| *name == key);
    Some(known.map_or(CommentLine::Other, |(_, key)| {
        CommentLine::Statement(
            source,
            Statement {
                key: *key,
                text: text.trim(),
            },
        )
    }))
}

impl<'a> CommentLine<'a> {
    /// Returns the engine name in an analysis line; `None` for another line. A line with a name after a single-line
    /// evaluation signs that evaluation.
    pub(super) fn signer(self) -> Option<&'a str> {
        match self {
            Self::Statement(
                Source::Analysis,
                Statement {
                    key: StatementKey::Engine,
                    text,
                },
            ) => engine_name(text),
            _ => None,
        }
    }
}

/// Returns the line that names the engine of an evaluation, in `ShogiHome`'s dialect. The line belongs right after an
/// evaluation in a dialect without engine names. Only the first line of `engine` is used; `None` if that is blank.
///
/// ```
/// use shogibar_kifu::evaluation::{self, CommentContext};
/// use shogibar_shogi::Position;
///
/// let signed = format!("* 85 +2726FU\n{}", evaluation::signature("Zebra 1.0").unwrap());
/// let found = evaluation::read(&signed, CommentContext::start(&Position::startpos()));
/// assert_eq!((found.len(), found[0].engine.as_deref()), (1, Some("Zebra 1.0")));
/// ```
pub fn signature(engine: &str) -> Option<String> {
    engine_name(engine).map(|name| format!("#エンジン={name}"))
}

/// The statements of successive comment lines that make one evaluation.
pub(super) struct StatementGroup<'a> {
    block: EvaluationBlock<'a>,
    /// The value of 詰み, which takes precedence over 評価値; `None` without a mate.
    mate: Option<Value>,
    keys: Vec<StatementKey>,
}

impl StatementKey {
    const fn is_value(self) -> bool {
        matches!(self, Self::Mate | Self::Score)
    }
}

impl<'a> StatementGroup<'a> {
    /// Creates an empty group. `situation` is the index of the situation line before the group, if there is one.
    pub(super) fn new(source: Source, situation: Option<usize>) -> Self {
        let evaluation = Evaluation::new(Dialect::ShogiHome, source);
        let block = EvaluationBlock {
            evaluation,
            pv_text: None,
            line_indices: situation.into_iter().collect(),
        };
        Self {
            block,
            mate: None,
            keys: Vec::with_capacity(STATEMENT_KEYS.len()),
        }
    }

    /// Returns whether a statement belongs to this evaluation and does not begin the next one. No statement occurs
    /// twice, and the engine name is the last of an evaluation.
    pub(super) fn accepts(&self, source: Source, statement: Statement<'_>) -> bool {
        let from_value = self.keys.iter().skip_while(|key| !key.is_value());
        let has_ended =
            statement.key.is_value() && from_value.copied().any(|key| key == StatementKey::Engine);
        source == self.block.evaluation.source && !self.keys.contains(&statement.key) && !has_ended
    }

    pub(super) fn add(&mut self, index: usize, statement: Statement<'a>) {
        let Statement { key, text } = statement;
        self.keys.push(key);
        self.add_line(index);
        let evaluation = &mut self.block.evaluation;
        match key {
            StatementKey::Mate => self.mate = parse_mate(text),
            StatementKey::Score => {
                let score = number::parse_value(text);
                evaluation.value = score.and_then(|(value, ..)| value);
                evaluation.bound = score.and_then(|(_, bound, _)| bound);
            }
            StatementKey::Pv => self.block.pv_text = Some(text).filter(|text| !text.is_empty()),
            StatementKey::Depth => evaluation.depth = number::parse_small_count(text).map(|(depth, _)| depth),
            StatementKey::Nodes => evaluation.nodes = number::parse_count(text).map(|(nodes, _)| nodes),
            StatementKey::Rank => evaluation.rank = parse_rank(text),
            StatementKey::Engine => evaluation.engine = engine_name(text).map(str::to_owned),
        }
    }

    pub(super) fn add_line(&mut self, index: usize) {
        self.block.line_indices.push(index);
    }

    /// Returns whether a line like 互角 would be inside this evaluation, between 詰み and 評価値.
    pub(super) fn awaits_situation(&self) -> bool {
        self.keys.as_slice() == [StatementKey::Mate]
    }

    /// Returns the evaluation; `None` if the statements have neither a value nor a pv.
    pub(super) fn finish(mut self) -> Option<EvaluationBlock<'a>> {
        if self.mate.is_some() {
            self.block.evaluation.value = self.mate;
            self.block.evaluation.bound = None;
        }
        let has_content = self.block.evaluation.value.is_some() || self.block.pv_text.is_some();
        has_content.then_some(self.block)
    }
}

/// Parses `先手勝ち:15手` or `後手勝ち`.
fn parse_mate(text: &str) -> Option<Value> {
    let (winner, length) = WINNER_WORDS
        .iter()
        .find_map(|(wins, winner)| Some((*winner, text.strip_prefix(wins)?)))?;
    let plies = length
        .strip_prefix(':')
        .and_then(number::parse_small_count)
        .map(|(plies, _)| plies);
    Some(number::mate(winner, plies))
}

/// Parses a rank from 1 at the start of a text.
pub(super) fn parse_rank(text: &str) -> Option<u16> {
    number::parse_small_count(text)
        .map(|(rank, _)| u16::try_from(rank).unwrap_or(u16::MAX))
        .filter(|rank| *rank > 0)
}

/// Returns the name of an engine as a record can hold it: the first line, without blanks at its ends. `None` if that is
/// empty.
pub fn engine_name(name: &str) -> Option<&str> {
    let line = name
        .trim()
        .split(char::is_control)
        .next()
        .unwrap_or_default()
        .trim_end();
    (!line.is_empty()).then_some(line)
}

/// Writes the lines for an evaluation that fits this dialect.
pub(super) fn write(evaluation: &Evaluation, point: EvaluatedPoint<'_>) -> String {
    let mark = if evaluation.source == Source::Game {
        '*'
    } else {
        '#'
    };
    let mut out = String::new();
    match evaluation.value {
        None => {}
        Some(Value::Mate { winner, plies }) => {
            let wins = WINNER_WORDS
                .iter()
                .find(|(_, side)| *side == winner)
                .map_or("", |(wins, _)| wins);
            let _infallible = write!(out, "{mark}詰み={wins}");
            if let Some(plies) = plies {
                let _infallible = write!(out, ":{plies}手");
            }
            out.push('\n');
        }
        Some(value) => {
            let cp = number::cp(value);
            let situation = SITUATIONS
                .iter()
                .find(|(min_cp, _)| cp >= *min_cp)
                .map_or("", |(_, word)| word);
            let _infallible = writeln!(out, "{situation}\n{mark}評価値={cp}");
        }
    }
    let notation = Notation {
        marks: Marks::Triangle,
        ..Notation::default()
    };
    let line = pv::move_words(&evaluation.pv, point, notation).concat();
    let Evaluation {
        depth, nodes, rank, ..
    } = evaluation;
    let statements = [
        ("読み筋", Some(line).filter(|line| !line.is_empty())),
        ("深さ", depth.map(|n| n.to_string())),
        ("ノード数", nodes.map(|n| n.to_string())),
        ("候補", rank.map(|n| n.to_string())),
        ("エンジン", evaluation.engine.clone()),
    ];
    for (key, text) in statements {
        if let Some(text) = text {
            let _infallible = writeln!(out, "{mark}{key}={text}");
        }
    }
    out.truncate(out.trim_end_matches('\n').len());
    out
}
