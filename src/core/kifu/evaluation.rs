//! Evaluations inside the comments of a record, in the dialects of the programs that write them.
//!
//! A record holds the text of a comment as its file has it; what the text says of a value and of a
//! line of moves is read here on demand, and never changes it. A comment is a text whose lines are
//! parted by `\n`, each without the mark by which its format tells comments (KIF's `*`, CSA's `'*`):
//! `ShogiHome`'s `**評価値=210` in a KIF file is the line `*評価値=210` here, floodgate's
//! `'** 56 -3334FU` is `* 56 -3334FU`.
//!
//! Every dialect states its values in Black's view. Of a comment at most [`MAX_EVALUATIONS`] are
//! read, each with at most [`MAX_PV`] moves; time and memory are linear in the size of the comment.
//!
//! # Examples
//! ```
//! use shogibar_core::kifu::evaluation::{self, Context, Dialect};
//! use shogibar_core::score::Value;
//! use shogibar_core::shogi::Position;
//!
//! let start = Position::startpos();
//! let said = evaluation::read("互角\n#評価値=85\n#読み筋=▲２六歩△８四歩", Context::start(&start));
//! assert_eq!(said[0].value, Some(Value::Cp(85)));
//! assert_eq!(said[0].pv.len(), 2);
//! let line = evaluation::write(&said[0], Dialect::Floodgate, Context::start(&start).now);
//! assert_eq!(line.as_deref(), Some("* 85 +2726FU -8384FU"));
//! ```

mod blocks;
mod fields;
mod floodgate;
mod number;
mod others;
mod pv;
mod replace;
mod shogihome;
mod split;
#[cfg(test)]
mod tests;

pub use replace::replace;
pub use split::{SplitComment, split};

use super::Millis;
use crate::score::{Bound, Value};
use crate::shogi::{Move, Position, Square};
use blocks::EvaluationBlocks;

/// How many evaluations of one comment are read.
pub const MAX_EVALUATIONS: usize = 256;

/// How many moves of a line are read or written.
pub const MAX_PV: usize = 256;

/// What a comment states about the position it stands at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evaluation {
    /// The dialect that it is stated in.
    pub dialect: Dialect,
    /// What it was computed for.
    pub source: Source,
    /// The value, in Black's view.
    pub value: Option<Value>,
    /// Which way the value may still go, in Black's view; `None` for an exact one.
    pub bound: Option<Bound>,
    /// Plies searched.
    pub depth: Option<u32>,
    /// Plies searched along the longest line.
    pub seldepth: Option<u32>,
    /// Positions searched.
    pub nodes: Option<u64>,
    /// Time searched.
    pub time: Option<Millis>,
    /// The rank among several candidates, from 1.
    pub rank: Option<u16>,
    /// The engine that says so, by its name in the evaluation or in the [`signature`] behind it.
    pub engine: Option<String>,
    /// The moves expected, up to the first word that is no legal move.
    pub pv: Vec<Move>,
    /// Whether the text goes on behind the last move of `pv`.
    pub pv_is_cut: bool,
    /// Whether value and line are those of another move than the one played: `pv` then begins in the
    /// position *before* the move that the comment stands at.
    pub is_alternative: bool,
}

/// A way of stating evaluations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// `#評価値=-60`, a line for each statement; `#` for analysis, `*` for a player's own.
    ShogiHome,
    /// `*解析 0 候補1 時間 00:15.9 深さ 10/15 ノード数 1000 評価値 207 読み筋 ▲７六歩(77) …`;
    /// cshogi, `ShogiDroid` and others write it, too.
    ShogiGui,
    /// `* 56 -3334FU +2726FU`, by which programs talk on the floodgate server.
    Floodgate,
    /// CSA V3: floodgate's with the number of nodes behind, `* 56 -3334FU #1234`.
    Csa3,
    /// `* Engine … 候補1 深さ 13/19 …`: 棋神アナリティクス.
    Kishin,
    /// `#指し手[62]△７五歩  ▲…`: K-Shogi and ぴよ将棋.
    KShogi,
    /// `[%eval 1.23]`, in pawns: lishogi.
    Lishogi,
}

/// What an evaluation was computed for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// By a player of the game, for its move.
    Game,
    /// By an analysis of the game afterwards.
    Analysis,
    /// By an engine that ran while somebody studied the position.
    Study,
}

/// A position, and where the move before it went, which makes 同.
#[derive(Clone, Copy, Debug)]
pub struct EvaluatedPoint<'a> {
    /// The position.
    pub position: &'a Position,
    /// The square that the last move went to; `None` at the start.
    pub last_to: Option<Square>,
}

/// Where a comment stands in its game.
#[derive(Clone, Copy, Debug)]
pub struct CommentContext<'a> {
    /// After the move that it stands at.
    pub now: EvaluatedPoint<'a>,
    /// Before that move, and the move; `None` at the start. Some programs' lines begin there: their
    /// moves cannot be read without it.
    pub before: Option<(EvaluatedPoint<'a>, Move)>,
}

impl<'a> CommentContext<'a> {
    /// Before the first move.
    pub const fn start(position: &'a Position) -> Self {
        Self { now: EvaluatedPoint { position, last_to: None }, before: None }
    }
}

impl Evaluation {
    /// One that says nothing yet.
    pub const fn new(dialect: Dialect, source: Source) -> Self {
        Self {
            dialect,
            source,
            value: None,
            bound: None,
            depth: None,
            seldepth: None,
            nodes: None,
            time: None,
            rank: None,
            engine: None,
            pv: Vec::new(),
            pv_is_cut: false,
            is_alternative: false,
        }
    }
}

impl Dialect {
    /// Those that can be written.
    pub const WRITTEN: [Self; 4] = [Self::ShogiHome, Self::ShogiGui, Self::Floodgate, Self::Csa3];

    /// The name on the command line and in settings.
    pub const fn name(self) -> &'static str {
        match self {
            Self::ShogiHome => "shogihome",
            Self::ShogiGui => "shogigui",
            Self::Floodgate => "floodgate",
            Self::Csa3 => "csa3",
            Self::Kishin => "kishin",
            Self::KShogi => "k-shogi",
            Self::Lishogi => "lishogi",
        }
    }

    /// The dialect of a name, of those that can be written.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::WRITTEN.into_iter().find(|dialect| dialect.name() == name)
    }

    /// What is left of an evaluation, whose line is legal, once it is written in this dialect and
    /// read again; `None` where nothing can be written of it.
    pub fn keeps(self, evaluation: &Evaluation) -> Option<Evaluation> {
        let Evaluation { source, depth, nodes, .. } = *evaluation;
        if evaluation.is_alternative {
            return None; // The dialects that are written have no word for it.
        }
        let pv: Vec<Move> = evaluation.pv.iter().copied().take(MAX_PV).collect();
        let value = evaluation.value.map(plain);
        let rank = evaluation.rank.filter(|rank| *rank > 0);
        let kept = Evaluation { value, pv, ..Evaluation::new(self, source) };
        let kept = match self {
            Self::ShogiHome => {
                let source = if source == Source::Game { source } else { Source::Analysis };
                let engine = evaluation.engine.as_deref().and_then(shogihome::name).map(str::to_owned);
                Evaluation { source, depth, nodes, rank, engine, ..kept }
            }
            Self::ShogiGui => {
                let bound = evaluation.bound.filter(|_| !matches!(value, None | Some(Value::Mate { .. })));
                let seldepth = evaluation.seldepth.filter(|_| depth.is_some());
                let time = evaluation.time.map(fields::tenths);
                Evaluation { bound, depth, seldepth, nodes, time, rank, ..kept }
            }
            Self::Floodgate | Self::Csa3 => {
                let nodes = nodes.filter(|_| self == Self::Csa3);
                let dialect = if nodes.is_some() { self } else { Self::Floodgate };
                let value = value?;
                let value = value.winner().map_or(value, Value::Won);
                Evaluation { dialect, source: Source::Game, value: Some(value), nodes, ..kept }
            }
            Self::Kishin | Self::KShogi | Self::Lishogi => return None,
        };
        (kept.value.is_some() || !kept.pv.is_empty()).then_some(kept)
    }
}

/// All evaluations in a comment, in their order.
pub fn read(comment: &str, context: CommentContext<'_>) -> Vec<Evaluation> {
    let blocks: Vec<_> = EvaluationBlocks::new(comment).take(MAX_EVALUATIONS).collect();
    if blocks.is_empty() {
        return Vec::new();
    }
    let stages = pv::PvStarts::new(context);
    blocks
        .into_iter()
        .map(|block| {
            let line = block.line.map(|text| stages.read(text, block.evaluation.is_alternative)).unwrap_or_default();
            let is_alternative = block.evaluation.is_alternative || line.is_alternative;
            Evaluation { pv: line.moves, pv_is_cut: line.is_cut, is_alternative, ..block.evaluation }
        })
        .collect()
}

/// The lines of a comment that state an evaluation of `point` in a dialect, parted by `\n`: what
/// [`Dialect::keeps`] says. Its line of moves is written up to the first illegal one. `None` where
/// there is nothing that the dialect could state.
pub fn write(evaluation: &Evaluation, dialect: Dialect, point: EvaluatedPoint<'_>) -> Option<String> {
    let kept = dialect.keeps(evaluation)?;
    match dialect {
        Dialect::ShogiHome => Some(shogihome::write(&kept, point)),
        Dialect::ShogiGui => Some(fields::write(&kept, point)),
        Dialect::Floodgate | Dialect::Csa3 => floodgate::write(&kept, point),
        Dialect::Kishin | Dialect::KShogi | Dialect::Lishogi => None,
    }
}

/// The line by which an engine signs an evaluation: to be put right behind one in a dialect that has no word
/// for who says so, which is every one but `ShogiHome`'s, whose word it is. `None` where no line can hold the
/// name.
///
/// ```
/// use shogibar_core::kifu::evaluation::{self, Context};
/// use shogibar_core::shogi::Position;
///
/// let signed = format!("* 85 +2726FU\n{}", evaluation::signature("Zebra 1.0").unwrap());
/// let said = evaluation::read(&signed, Context::start(&Position::startpos()));
/// assert_eq!((said.len(), said[0].engine.as_deref()), (1, Some("Zebra 1.0")));
/// ```
pub fn signature(engine: &str) -> Option<String> {
    shogihome::signature(engine)
}

/// An engine's name as a record can hold it: one line, not blank at its ends; `None` where nothing is left.
pub fn engine_name(name: &str) -> Option<&str> {
    shogihome::name(name)
}

/// A value as a reader would make it: figures beyond those of play are no figures, no mate has length 0.
fn plain(value: Value) -> Value {
    match value {
        Value::Cp(cp) => Value::from_cp(cp),
        Value::Mate { winner, plies } => Value::Mate { winner, plies: plies.filter(|plies| *plies > 0) },
        Value::Won(_) => value,
    }
}
