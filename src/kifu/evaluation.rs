//! Evaluations inside the comments of a record, in the dialects of the programs that write them.
//!
//! A record holds the text of a comment unchanged. Values and pv moves are parsed from it on demand. The lines of a
//! comment are separated by `\n`. The lines do not contain the comment mark of the file format (KIF's `*`, CSA's `'*`).
//! `ShogiHome`'s `**評価値=210` in a KIF file is the line `*評価値=210` here. Floodgate's `'** 56 -3334FU` is `* 56
//! -3334FU`.
//!
//! All values are from Black's view. At most [`MAX_EVALUATIONS`] of a comment are read, each with at most
//! [`MAX_PV_MOVES`] moves. Time and memory are linear in the size of the comment.
//!
//! # Examples
//! ```
//! use shogibar_kifu::evaluation::{self, CommentContext, Dialect};
//! use shogibar_shogi::score::Value;
//! use shogibar_shogi::Position;
//!
//! let start = Position::startpos();
//! let found = evaluation::read("互角\n#評価値=85\n#読み筋=▲２六歩△８四歩", CommentContext::start(&start));
//! assert_eq!(found[0].value, Some(Value::Cp(85)));
//! assert_eq!(found[0].pv.len(), 2);
//! let line = evaluation::write(&found[0], Dialect::Floodgate, CommentContext::start(&start).now);
//! assert_eq!(line.as_deref(), Some("* 85 +2726FU -8384FU"));
//! ```

mod block;
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
pub use shogihome::{engine_name, signature};
pub use split::{SplitComment, split};

use super::Millis;
use super::record::NodeId;
use super::walk::Walk;
use blocks::EvaluationBlocks;
use shogibar_shogi::score::{Bound, Value};
use shogibar_shogi::{Color, Move, Position, Square};

/// The maximum number of evaluations read from one comment.
pub const MAX_EVALUATIONS: usize = 256;

/// The maximum number of pv moves read or written.
pub const MAX_PV_MOVES: usize = 256;

/// An evaluation in a comment, for the position of its node. A field is `None` if the comment does not state it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evaluation {
    /// The dialect of the evaluation.
    pub dialect: Dialect,
    /// The purpose of the computation.
    pub source: Source,
    /// The value, from Black's view; `None` if only other facts are stated.
    pub value: Option<Value>,
    /// The bound type of the value, from Black's view; `None` for an exact value.
    pub bound: Option<Bound>,
    /// The search depth in plies.
    pub depth: Option<u32>,
    /// The selective search depth in plies.
    pub seldepth: Option<u32>,
    /// The number of positions searched.
    pub nodes: Option<u64>,
    /// The time of the search.
    pub time: Option<Millis>,
    /// The rank among several candidates, from 1.
    pub rank: Option<u16>,
    /// The name of the engine, from the evaluation itself or from the [`signature`] after it; `None` if neither states
    /// it.
    pub engine: Option<String>,
    /// The pv, up to the first word that is not a legal move.
    pub pv: Vec<Move>,
    /// Whether the text continues after the last move of `pv`.
    pub pv_is_cut: bool,
    /// Whether value and pv belong to another move than the played one. In this case `pv` begins in the position
    /// *before* the move of the node.
    pub is_alternative: bool,
}

/// The way in which a program writes evaluations into comments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// `#評価値=-60`, one line per statement; `#` for analysis, `*` for a player of the game.
    ShogiHome,
    /// `*解析 0 候補1 時間 00:15.9 深さ 10/15 ノード数 1000 評価値 207 読み筋 ▲７六歩(77) …`. Also written by cshogi,
    /// `ShogiDroid` and others.
    ShogiGui,
    /// `* 56 -3334FU +2726FU`: the comments that programs send on the floodgate server.
    Floodgate,
    /// CSA V3: like floodgate's, with the number of nodes at the end, `* 56 -3334FU #1234`.
    Csa3,
    /// `* Engine … 候補1 深さ 13/19 …`: 棋神アナリティクス.
    Kishin,
    /// `#指し手[62]△７五歩  ▲…`: K-Shogi and ぴよ将棋.
    KShogi,
    /// `[%eval 1.23]`, in pawns: lishogi.
    Lishogi,
}

/// The purpose for which an evaluation was computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// The evaluation of a player during the game.
    Game,
    /// A later analysis of the game.
    Analysis,
    /// An engine that ran while a user studied the position.
    Study,
}

/// A position with the target square of the move before it, which 同 refers to.
#[derive(Clone, Copy, Debug)]
pub struct EvaluatedPoint<'a> {
    /// The position.
    pub position: &'a Position,
    /// The target square of the last move; `None` at the start.
    pub last_to: Option<Square>,
}

/// The context of a comment in its game.
#[derive(Clone, Copy, Debug)]
pub struct CommentContext<'a> {
    /// The position after the move of the node.
    pub now: EvaluatedPoint<'a>,
    /// The position before the move of the node, and that move; `None` at the start. Some programs begin their pv at
    /// this position.
    pub before: Option<(EvaluatedPoint<'a>, Move)>,
}

impl<'a> CommentContext<'a> {
    /// Returns the context before the first move.
    pub const fn start(position: &'a Position) -> Self {
        Self {
            now: EvaluatedPoint {
                position,
                last_to: None,
            },
            before: None,
        }
    }
}

impl Evaluation {
    /// Creates an evaluation without any values.
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
    /// The dialects that can be written.
    pub const WRITABLE: [Self; 4] = [Self::ShogiHome, Self::ShogiGui, Self::Floodgate, Self::Csa3];

    /// Returns the name on the command line and in settings.
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

    /// Returns the writable dialect with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::WRITABLE.into_iter().find(|dialect| dialect.name() == name)
    }

    /// Returns what remains of an evaluation after writing and reading it in this dialect; `None` if nothing can be
    /// written. The pv must be legal.
    pub fn round_trip(self, evaluation: &Evaluation) -> Option<Evaluation> {
        let Evaluation {
            source, depth, nodes, ..
        } = *evaluation;
        if evaluation.is_alternative {
            return None; // No writable dialect can state an alternative to the played move.
        }
        let pv: Vec<Move> = evaluation.pv.iter().copied().take(MAX_PV_MOVES).collect();
        let value = evaluation.value.and_then(normalize);
        let rank = evaluation.rank.filter(|rank| *rank > 0);
        let fitted = Evaluation {
            value,
            pv,
            ..Evaluation::new(self, source)
        };
        let fitted = match self {
            Self::ShogiHome => {
                let source = if source == Source::Game {
                    source
                } else {
                    Source::Analysis
                };
                let engine = evaluation
                    .engine
                    .as_deref()
                    .and_then(engine_name)
                    .map(str::to_owned);
                Evaluation {
                    source,
                    depth,
                    nodes,
                    rank,
                    engine,
                    ..fitted
                }
            }
            Self::ShogiGui => {
                let bound = match value {
                    None | Some(Value::Mate { .. }) => None,
                    Some(_) => evaluation.bound,
                };
                let seldepth = depth.and(evaluation.seldepth);
                let time = evaluation.time.map(fields::floor_to_tenths);
                Evaluation {
                    bound,
                    depth,
                    seldepth,
                    nodes,
                    time,
                    rank,
                    ..fitted
                }
            }
            Self::Floodgate | Self::Csa3 => {
                let nodes = if self == Self::Csa3 { nodes } else { None };
                let dialect = if nodes.is_some() { self } else { Self::Floodgate };
                let value = value?;
                let value = value.winner().map_or(value, Value::Won);
                Evaluation {
                    dialect,
                    source: Source::Game,
                    value: Some(value),
                    nodes,
                    ..fitted
                }
            }
            Self::Kishin | Self::KShogi | Self::Lishogi => return None,
        };
        (fitted.value.is_some() || !fitted.pv.is_empty()).then_some(fitted)
    }
}

impl Walk<'_> {
    /// Returns the evaluations in a node's comment, in order, with their pvs. Goes to the node, unless it has no
    /// comment.
    pub fn evaluations(&mut self, node: NodeId) -> Vec<Evaluation> {
        let record = self.record();
        let Some(comment) = record.node(node).comment() else {
            return Vec::new();
        };
        let before = record
            .parent(node)
            .zip(record.node(node).mv())
            .map(|(parent, mv)| {
                let position = self.go(parent).without_history();
                (position, self.last_to(), mv)
            });
        self.go(node);
        let now = EvaluatedPoint {
            position: self.position(),
            last_to: self.last_to(),
        };
        let before = before.as_ref().map(|(position, last_to, mv)| {
            (
                EvaluatedPoint {
                    position,
                    last_to: *last_to,
                },
                *mv,
            )
        });
        read(comment, CommentContext { now, before })
    }

    /// Returns the evaluations in a node's comment, without their pvs where these are not needed to find the values.
    /// The call usually takes a fraction of the time of [`evaluations`](Self::evaluations).
    pub fn evaluations_without_pvs(&mut self, node: NodeId) -> Vec<Evaluation> {
        let Some(comment) = self.record().node(node).comment() else {
            return Vec::new();
        };
        let first = self.record().start().side_to_move();
        let to_move = if self.record().node(node).ply().is_multiple_of(2) {
            first
        } else {
            first.flip()
        };
        read_without_pvs(comment, to_move).unwrap_or_else(|| self.evaluations(node))
    }
}

/// Returns all evaluations in a comment, in order.
pub fn read(comment: &str, context: CommentContext<'_>) -> Vec<Evaluation> {
    let blocks: Vec<_> = EvaluationBlocks::new(comment).take(MAX_EVALUATIONS).collect();
    if blocks.is_empty() {
        return Vec::new();
    }
    let starts = pv::PvStarts::new(context);
    blocks
        .into_iter()
        .map(|block| {
            let line = block
                .pv_text
                .map(|text| starts.read(text, block.evaluation.is_alternative))
                .unwrap_or_default();
            let is_alternative = block.evaluation.is_alternative || line.is_alternative;
            Evaluation {
                pv: line.moves,
                pv_is_cut: line.is_cut,
                is_alternative,
                ..block.evaluation
            }
        })
        .collect()
}

/// Returns the evaluations in a comment without their pvs, in a fraction of the time of [`read`]. `to_move` is the side
/// to move after the node's move. Returns `None` if a pv must be read to find out whether it replaces that move.
fn read_without_pvs(comment: &str, to_move: Color) -> Option<Vec<Evaluation>> {
    EvaluationBlocks::new(comment)
        .take(MAX_EVALUATIONS)
        .map(|block| {
            let is_known = block.evaluation.is_alternative
                || block
                    .pv_text
                    .is_none_or(|text| pv::first_side(text) == Some(to_move));
            is_known.then_some(block.evaluation)
        })
        .collect()
}

/// Writes an evaluation of `point` in a dialect, as lines separated by `\n`. [`Dialect::round_trip`] defines the
/// content. The pv is written up to the first illegal move. Returns `None` if the dialect cannot hold any of it.
pub fn write(evaluation: &Evaluation, dialect: Dialect, point: EvaluatedPoint<'_>) -> Option<String> {
    let fitted = dialect.round_trip(evaluation)?;
    match dialect {
        Dialect::ShogiHome => Some(shogihome::write(&fitted, point)),
        Dialect::ShogiGui => Some(fields::write(&fitted, point)),
        Dialect::Floodgate | Dialect::Csa3 => floodgate::write(&fitted, point),
        Dialect::Kishin | Dialect::KShogi | Dialect::Lishogi => None,
    }
}

/// Returns the value that a reader would make of a written one. Out-of-range scores become decided values or none. A
/// mate length of 0 becomes unknown.
fn normalize(value: Value) -> Option<Value> {
    match value {
        Value::Cp(cp) => Value::from_cp(cp),
        Value::Mate { winner, plies } => Some(Value::Mate {
            winner,
            plies: plies.filter(|plies| *plies > 0),
        }),
        Value::Won(_) => Some(value),
    }
}
