//! The report as JSON, for scripts.

use super::json_facts::JsonReason;
use crate::analysis::{
    DecisiveMove, Evaluator, GamePhase, GameReview, LeadChange, MoveMark, MoveStats, SideSummary,
};
use crate::study::Document;
use serde::Serialize;
use shogibar_base::Lang;
use shogibar_kifu::NodeId;
use shogibar_shogi::{Color, Move, Notation, side_name};
use std::collections::BTreeMap;

/// The report of a game for JSON. The report does not depend on the language of the program.
///
/// Win rates and the agreement are from 0 to 1, rounded to 4 decimals. Losses and the accuracy are in points, rounded
/// to 2 decimals. All values are from Black's view.
#[derive(Debug, Serialize)]
pub struct JsonReport {
    /// The path of the record's file, as the user gave it but without a password; `null` for standard input.
    file: Option<String>,
    /// The number of the game in its file, from 1.
    game: usize,
    /// The players' names, Black's first; empty where unknown.
    names: [String; 2],
    headers: BTreeMap<String, String>,
    /// The side that won: `black` or `white`; `null` for a draw or an unfinished game.
    winner: Option<&'static str>,
    /// The name of the evaluator that judges the moves; `null` without one.
    judge: Option<String>,
    start: JsonPosition,
    moves: Vec<JsonMove>,
    quality: JsonQuality,
    turning_points: Vec<JsonTurningPoint>,
    /// The curves of the evaluators other than the judge.
    others: Vec<JsonCurve>,
}

/// The start position with the judge's value.
#[derive(Debug, Serialize)]
struct JsonPosition {
    sfen: String,
    #[serde(flatten)]
    value: JsonValue,
}

/// The judge's value of a position.
#[derive(Debug, Default, Serialize)]
struct JsonValue {
    /// Black's win rate.
    win: Option<f64>,
    /// The value in centipawns; `null` for a win or a mate.
    cp: Option<i32>,
    /// The plies to a mate, positive if Black mates; `null` without a mate.
    mate: Option<i64>,
}

/// A move of the current line, with the judge's value of the position after the move.
#[derive(Debug, Serialize)]
struct JsonMove {
    ply: usize,
    /// The move, in USI.
    #[serde(rename = "move")]
    mv: String,
    word: String,
    side: &'static str,
    phase: &'static str,
    #[serde(flatten)]
    value: JsonValue,
    loss: Option<f64>,
    mark: Option<&'static str>,
    best: Option<String>,
    /// The judge's line instead of the move, in USI.
    line: Vec<String>,
    /// The judge's line after the move, in USI.
    punish: Vec<String>,
    /// Whether the game was decided before and after the move.
    decided: bool,
    decisive: bool,
    #[serde(flatten)]
    reason: JsonReason,
    comment: Option<String>,
}

/// The statistics of the moves of both sides.
#[derive(Debug, Serialize)]
struct JsonQuality {
    black: JsonSide,
    white: JsonSide,
}

/// The statistics of the moves of a side.
#[derive(Debug, Serialize)]
struct JsonSide {
    /// The statistics of the moves of a game that is not decided.
    #[serde(flatten)]
    all: JsonStats,
    accuracy: Option<f64>,
    /// The number of all assessed moves, including moves of a decided game.
    assessed: usize,
    marks: BTreeMap<&'static str, usize>,
    opening: JsonStats,
    middle: JsonStats,
    end: JsonStats,
}

/// The statistics of some moves of a side.
#[derive(Debug, Serialize)]
struct JsonStats {
    mean_loss: Option<f64>,
    /// The share of moves that are the judge's best moves.
    agreement: Option<f64>,
    moves: usize,
    /// The ply of the costliest move.
    costliest: Option<u16>,
}

/// A turning point: the move, the side that gained by it, and the change of the lead.
#[derive(Debug, Serialize)]
struct JsonTurningPoint {
    ply: u16,
    winner: &'static str,
    change: &'static str,
}

/// Black's win rates by one evaluator.
#[derive(Debug, Serialize)]
struct JsonCurve {
    name: String,
    /// The win rate of each position, the start first.
    win: Vec<Option<f64>>,
}

impl JsonReport {
    /// Creates the report of the current line. `file` is the path of the record's file, and `game` is the number of the
    /// game in the file, from 1.
    pub fn new(document: &Document, review: &GameReview, file: Option<String>, game: usize) -> Self {
        let record = document.record();
        let summary = review.summary_of(record, document.line().iter().copied());
        let moves = document
            .line()
            .iter()
            .filter(|node| record.node(**node).mv().is_some());
        let positions: Vec<_> = std::iter::once(NodeId::START).chain(moves.copied()).collect();
        let mut walk = record.walk();
        let start = JsonPosition {
            sfen: walk.position().sfen(),
            value: position_value(review, NodeId::START),
        };
        let phases = GamePhase::phases_of_line(record, &positions);
        let mut words = Vec::new();
        for (node, parent) in positions.iter().skip(1).zip(&positions) {
            walk.go(*parent);
            let mut word = String::new();
            let mv = record.node(*node).mv();
            let _legal =
                mv.map(|mv| Notation::default().write(&mut word, walk.position(), mv, walk.last_to()));
            words.push((word, walk.position().side_to_move()));
        }
        let moves = positions.iter().zip(phases).skip(1).zip(words).enumerate();
        let moves = moves.map(|(nth, ((node, phase), (word, side)))| {
            let assessed = review.assessed(*node);
            let lines = review.compared_values(*node);
            let [line, punish] = match lines {
                Some([before, after]) => [usi_moves(&before.line), usi_moves(&after.line)],
                None => [Vec::new(), Vec::new()],
            };
            JsonMove {
                ply: nth + 1,
                mv: record
                    .node(*node)
                    .mv()
                    .map(|mv| mv.to_string())
                    .unwrap_or_default(),
                word,
                side: side_name(side),
                phase: phase_name(phase),
                value: position_value(review, *node),
                loss: assessed.map(|assessed| round_to_hundredths(assessed.loss)),
                mark: assessed.and_then(|assessed| assessed.mark).map(mark_name),
                best: assessed
                    .and_then(|assessed| assessed.best)
                    .map(|mv| mv.to_string()),
                line,
                punish,
                decided: assessed.is_some_and(|assessed| assessed.is_decided),
                decisive: assessed.is_some_and(|assessed| summary.decisive(assessed).is_some()),
                reason: JsonReason::new(review, *node),
                comment: Some(super::variations::user_comment(record.node(*node).comment()))
                    .filter(|comment| !comment.is_empty()),
            }
        });
        let [black, white] = summary.sides.each_ref().map(JsonSide::new);
        let turning_points = summary.decisive_moves.iter().map(JsonTurningPoint::new);
        let others = review.evaluators().iter().filter(|by| review.judge() != Some(by));
        Self {
            file,
            game,
            names: [Color::Black, Color::White]
                .map(|color| record.player(color).unwrap_or_default().to_owned()),
            headers: record.headers().iter().cloned().collect(),
            winner: document.ending().and_then(|ending| ending.winner).map(side_name),
            judge: review.judge().map(|judge| evaluator_name(judge, document)),
            start,
            moves: moves.collect(),
            quality: JsonQuality { black, white },
            turning_points: turning_points.collect(),
            others: others
                .map(|by| JsonCurve::new(by, review, document, &positions))
                .collect(),
        }
    }
}

impl JsonSide {
    fn new(side: &SideSummary) -> Self {
        let [opening, middle, end] = side.phases.each_ref().map(JsonStats::new);
        Self {
            all: JsonStats::new(&side.stats),
            accuracy: side.accuracy.map(round_to_hundredths),
            assessed: side.moves,
            marks: MoveMark::ALL.into_iter().map(mark_name).zip(side.marks).collect(),
            opening,
            middle,
            end,
        }
    }
}

impl JsonStats {
    #[expect(clippy::cast_precision_loss, reason = "a game has at most 65 535 moves")]
    fn new(stats: &MoveStats) -> Self {
        Self {
            mean_loss: stats.mean_loss.map(round_to_hundredths),
            agreement: (stats.judged_moves > 0)
                .then(|| round_to_ten_thousandths(stats.choices as f64 / stats.judged_moves as f64)),
            moves: stats.moves,
            costliest: stats.costliest_move.map(|assessed| assessed.ply),
        }
    }
}

impl JsonTurningPoint {
    fn new(decisive: &DecisiveMove) -> Self {
        let change = match decisive.change {
            LeadChange::Reversal => "reversal",
            LeadChange::Lead => "lead",
            LeadChange::Levelled => "levelled",
        };
        Self {
            ply: decisive.assessed_move.ply,
            winner: side_name(decisive.winner()),
            change,
        }
    }
}

impl JsonCurve {
    fn new(by: &Evaluator, review: &GameReview, document: &Document, positions: &[NodeId]) -> Self {
        let win = |node: &NodeId| {
            review
                .value_by(by, *node)
                .map(|(value, model)| round_to_ten_thousandths(model.win_rate(value)))
        };
        Self {
            name: evaluator_name(by, document),
            win: positions.iter().map(win).collect(),
        }
    }
}

fn evaluator_name(by: &Evaluator, document: &Document) -> String {
    match by {
        Evaluator::Engine(name) => name.clone(),
        by => by.label(document.record(), Lang::En),
    }
}

fn position_value(review: &GameReview, node: NodeId) -> JsonValue {
    let Some(worth) = review.position_value(node) else {
        return JsonValue::default();
    };
    JsonValue {
        win: Some(round_to_ten_thousandths(worth.rate)),
        cp: worth.value.cp(),
        mate: worth.value.mate(),
    }
}

fn usi_moves(moves: &[Move]) -> Vec<String> {
    moves.iter().map(ToString::to_string).collect()
}

const fn phase_name(phase: GamePhase) -> &'static str {
    match phase {
        GamePhase::Opening => "opening",
        GamePhase::Middle => "middle",
        GamePhase::End => "end",
    }
}

const fn mark_name(mark: MoveMark) -> &'static str {
    match mark {
        MoveMark::Inaccuracy => "inaccuracy",
        MoveMark::Dubious => "dubious",
        MoveMark::Mistake => "mistake",
        MoveMark::Blunder => "blunder",
    }
}

fn round_to_hundredths(points: f64) -> f64 {
    (points * 100.0).round() / 100.0
}

fn round_to_ten_thousandths(rate: f64) -> f64 {
    (rate * 10_000.0).round() / 10_000.0
}
