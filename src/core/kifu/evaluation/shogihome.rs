//! `ShogiHome`: a line for each statement, behind `*` for a player's and `#` for an analysis.
//!
//! It writes 詰み or how things stand and 評価値, then 読み筋 深さ ノード数 エンジン; a reader must take
//! them in any order. 候補 is this program's own addition, which `ShogiHome` passes over.

use super::blocks::EvaluationBlock;
use super::{Dialect, EvaluatedPoint, Evaluation, Source, number, pv};
use crate::score::Value;
use crate::shogi::{Color, Marks, Notation};
use std::fmt::Write as _;

/// What a line of a comment is to this dialect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CommentLine<'a> {
    /// `#評価値=210`
    Statement(Source, Statement<'a>),
    /// A line like 互角, which stands before a value.
    Situation,
    /// A statement of another kind, such as a later version may add.
    Other,
}

/// A statement: what of, and the text behind `=`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Statement<'a> {
    key: StatementKey,
    text: &'a str,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum StatementKey {
    Mate,
    Score,
    Line,
    Depth,
    Nodes,
    Rank,
    Engine,
}

const KEYS: [(&str, StatementKey); 7] = [
    ("詰み", StatementKey::Mate),
    ("評価値", StatementKey::Score),
    ("読み筋", StatementKey::Line),
    ("深さ", StatementKey::Depth),
    ("ノード数", StatementKey::Nodes),
    ("候補", StatementKey::Rank),
    ("エンジン", StatementKey::Engine),
];

/// The words for a situation, each with the least value it is said of.
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

const WINS: [(&str, Color); 2] = [("先手勝ち", Color::Black), ("後手勝ち", Color::White)];

/// Reads a line; `None` where it is none of this dialect.
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
    let known = KEYS.iter().find(|(name, _)| *name == key);
    Some(known.map_or(CommentLine::Other, |(_, key)| {
        CommentLine::Statement(source, Statement { key: *key, text: text.trim() })
    }))
}

impl<'a> CommentLine<'a> {
    /// The engine that a line names which is of an analysis; behind an evaluation in one line it signs that.
    pub(super) fn signer(self) -> Option<&'a str> {
        match self {
            Self::Statement(Source::Analysis, Statement { key: StatementKey::Engine, text }) => name(text),
            _ => None,
        }
    }
}

/// The line by which an engine signs an evaluation of another dialect, right behind it; `None` for a name
/// that no line can hold.
pub(super) fn signature(engine: &str) -> Option<String> {
    name(engine).map(|name| format!("#エンジン={name}"))
}

/// Statements that make one evaluation.
pub(super) struct StatementGroup<'a> {
    block: EvaluationBlock<'a>,
    mate: Option<Value>,
    stated: Vec<StatementKey>,
}

impl StatementKey {
    const fn is_value(self) -> bool {
        matches!(self, Self::Mate | Self::Score)
    }
}

impl<'a> StatementGroup<'a> {
    /// An empty one, with the line before it that names the situation.
    pub(super) fn new(source: Source, situation: Option<usize>) -> Self {
        let evaluation = Evaluation::new(Dialect::ShogiHome, source);
        let block = EvaluationBlock { evaluation, line: None, lines: situation.into_iter().collect() };
        Self { block, mate: None, stated: Vec::with_capacity(KEYS.len()) }
    }

    /// Whether a statement belongs to this evaluation and does not begin the next one: nothing is
    /// stated twice, and the engine's name is the last thing said of a value.
    pub(super) fn takes(&self, source: Source, statement: Statement<'_>) -> bool {
        let value_and_on = self.stated.iter().skip_while(|key| !key.is_value());
        let ended = statement.key.is_value() && value_and_on.copied().any(|key| key == StatementKey::Engine);
        source == self.block.evaluation.source && !self.stated.contains(&statement.key) && !ended
    }

    pub(super) fn add(&mut self, number: usize, statement: Statement<'a>) {
        let Statement { key, text } = statement;
        self.stated.push(key);
        self.add_line(number);
        let evaluation = &mut self.block.evaluation;
        match key {
            StatementKey::Mate => self.mate = mate(text),
            StatementKey::Score => {
                let score = number::value(text);
                evaluation.value = score.map(|(value, ..)| value);
                evaluation.bound = score.and_then(|(_, bound, _)| bound);
            }
            StatementKey::Line => self.block.line = Some(text).filter(|text| !text.is_empty()),
            StatementKey::Depth => evaluation.depth = number::small_count(text).map(|(depth, _)| depth),
            StatementKey::Nodes => evaluation.nodes = number::magnitude(text).map(|(nodes, _)| nodes),
            StatementKey::Rank => evaluation.rank = rank(text),
            StatementKey::Engine => evaluation.engine = name(text).map(str::to_owned),
        }
    }

    pub(super) fn add_line(&mut self, number: usize) {
        self.block.lines.push(number);
    }

    /// Whether a line like 互角 would stand inside this evaluation: 詰み comes before it, 評価値 after.
    pub(super) fn awaits_situation(&self) -> bool {
        self.stated.as_slice() == [StatementKey::Mate]
    }

    /// The evaluation, if there is a value or a line in it.
    pub(super) fn finish(mut self) -> Option<EvaluationBlock<'a>> {
        if self.mate.is_some() {
            self.block.evaluation.value = self.mate;
            self.block.evaluation.bound = None;
        }
        let says_something = self.block.evaluation.value.is_some() || self.block.line.is_some();
        says_something.then_some(self.block)
    }
}

/// `先手勝ち:15手`, `後手勝ち`
fn mate(text: &str) -> Option<Value> {
    let (winner, length) = WINS.iter().find_map(|(wins, winner)| Some((*winner, text.strip_prefix(wins)?)))?;
    let plies = length.strip_prefix(':').and_then(number::small_count).map(|(plies, _)| plies);
    Some(number::mate(winner, plies))
}

/// A rank from 1 at the beginning of a text.
pub(super) fn rank(text: &str) -> Option<u16> {
    number::small_count(text).map(|(rank, _)| u16::try_from(rank).unwrap_or(u16::MAX)).filter(|rank| *rank > 0)
}

/// An engine's name as one line can hold it.
pub(super) fn name(name: &str) -> Option<&str> {
    let line = name.trim().split(char::is_control).next().unwrap_or_default().trim_end();
    (!line.is_empty()).then_some(line)
}

/// The lines for an evaluation of which this dialect keeps everything.
pub(super) fn write(evaluation: &Evaluation, point: EvaluatedPoint<'_>) -> String {
    let mark = if evaluation.source == Source::Game { '*' } else { '#' };
    let mut out = String::new();
    match evaluation.value {
        None => {}
        Some(Value::Mate { winner, plies }) => {
            let wins = WINS.iter().find(|(_, side)| *side == winner).map_or("", |(wins, _)| wins);
            let _infallible = write!(out, "{mark}詰み={wins}");
            if let Some(plies) = plies {
                let _infallible = write!(out, ":{plies}手");
            }
            out.push('\n');
        }
        Some(value) => {
            let cp = number::cp(value);
            let situation = SITUATIONS.iter().find(|(least, _)| cp >= *least).map_or("", |(_, word)| word);
            let _infallible = writeln!(out, "{situation}\n{mark}評価値={cp}");
        }
    }
    let notation = Notation { marks: Marks::Triangle, ..Notation::default() };
    let line = pv::spell(&evaluation.pv, point, notation).concat();
    let Evaluation { depth, nodes, rank, .. } = evaluation;
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
