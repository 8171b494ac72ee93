//! The evaluations of a record that count for the fit of a win-rate curve.

use crate::analysis::{Evaluator, Evaluators};
use crate::engine_game::is_engine_game;
use shogibar_base::stable_hash::StableHasher;
use shogibar_kifu::evaluation::Evaluation;
use shogibar_kifu::{NodeId, Outcome, Reason, Record};
use shogibar_shogi::Color;
use shogibar_shogi::score::Value;
use std::collections::HashMap;
use std::ops::RangeInclusive;

/// The plies of the positions that count.
pub type PlyRange = RangeInclusive<u16>;

/// The default for the first ply that counts. Values of opening positions have little meaning.
pub const DEFAULT_FIRST_PLY: u16 = 20;

/// A game that counts for a fit: its evaluations by engine, and its result.
#[derive(Clone, Debug, PartialEq)]
pub struct RatedRecord {
    /// A hash of the moves, the start and the players. Equal games have equal keys.
    pub key: u64,
    /// Black's result: 1, 0.5 or 0.
    pub result: f64,
    /// The evaluations from Black's view in centipawns, by the name of the engine. The name is empty for an engine
    /// without one.
    pub engines: Vec<(String, Vec<i16>)>,
    /// The unusual features of the evaluations.
    pub remarks: Vec<CountedRemark>,
}

/// An unusual feature of a game that counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CountedRemark {
    /// Only the positions after the moves of one side have evaluations.
    OneSided,
    /// Several engines have evaluated the game, and at least one of them is not a player.
    SeveralEngines,
    /// Some evaluations do not count, because they are not from Black's view.
    PartlyUnknownView,
}

/// The reason why a game does not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum UnratedReason {
    /// The game has no evaluations.
    NoEvaluations,
    /// The game has no result.
    NoResult,
    /// The game ended on time, or was forfeited.
    OnTime,
    /// The game was played against an engine, whose strength may have been lowered.
    EngineGame,
    /// The game ended by a foul.
    Foul,
    /// The game was drawn by another rule than repetition.
    OtherDraw,
    /// A king is missing.
    NoKing,
    /// Every evaluation that would count is a mate or a sentinel.
    OnlyMates,
    /// No evaluation is within the range of plies.
    OutsidePlies,
    /// The signs of the evaluations alternate, so they are from the view of the side to move.
    UnknownView,
}

/// An evaluation of the position of a ply.
struct PlyValue {
    ply: u16,
    evaluator: Evaluator,
    value: Value,
}

/// Finds the evaluations of a record that count.
///
/// # Errors
/// Fails with the reason why the game does not count.
pub fn rate_record(record: &Record, plies: &PlyRange) -> Result<RatedRecord, UnratedReason> {
    let (key, result) = identify(record)?;
    let mut values = main_line_values(record);
    if values.is_empty() {
        return Err(UnratedReason::NoEvaluations);
    }
    let mut remarks = Vec::new();
    let count = values.len();
    remove_alternating(&mut values);
    if values.is_empty() {
        return Err(UnratedReason::UnknownView);
    }
    if values.len() < count {
        remarks.push(CountedRemark::PartlyUnknownView);
    }
    let sides = [0, 1].map(|side| values.iter().any(|value| value.ply > 0 && value.ply % 2 == side));
    if sides.contains(&false) {
        remarks.push(CountedRemark::OneSided);
    }
    values.retain(|value| plies.contains(&value.ply));
    if values.is_empty() {
        return Err(UnratedReason::OutsidePlies);
    }
    let mut engines: Vec<(String, Vec<i16>)> = Vec::new();
    let is_single = values
        .windows(2)
        .all(|two| matches!(two, [one, other] if one.evaluator == other.evaluator));
    if !is_single
        && values
            .iter()
            .any(|value| matches!(value.evaluator, Evaluator::Engine(_)))
    {
        remarks.push(CountedRemark::SeveralEngines);
    }
    for PlyValue {
        evaluator: by, value, ..
    } in values
    {
        let Value::Cp(cp) = value else { continue };
        let name = engine_name(by, record);
        let cp = i16::try_from(cp).unwrap_or(if cp > 0 { i16::MAX } else { i16::MIN });
        match engines.iter_mut().find(|(engine, _)| *engine == name) {
            Some((_, values)) => values.push(cp),
            None => engines.push((name, vec![cp])),
        }
    }
    if engines.is_empty() {
        return Err(UnratedReason::OnlyMates);
    }
    Ok(RatedRecord {
        key,
        result,
        engines,
        remarks,
    })
}

/// Returns the key of a game, as in [`RatedRecord::key`], and Black's result.
///
/// # Errors
/// Fails with the reason why the game does not count.
pub fn identify(record: &Record) -> Result<(u64, f64), UnratedReason> {
    if [Color::Black, Color::White]
        .iter()
        .any(|color| record.start().king(*color).is_none())
    {
        return Err(UnratedReason::NoKing);
    }
    if is_engine_game(record) {
        return Err(UnratedReason::EngineGame);
    }
    Ok((game_key(record), black_result(record)?))
}

/// Returns Black's result: 1, 0.5 or 0.
///
/// # Errors
/// Fails with the reason why the game does not count.
fn black_result(record: &Record) -> Result<f64, UnratedReason> {
    let Some(end) = record.end().filter(|end| end.is_decided()) else {
        return stated_result(record);
    };
    match (end.reason, end.outcome) {
        (Reason::TimeUp | Reason::Forfeit, _) => Err(UnratedReason::OnTime),
        // A repetition with a winner is a perpetual check.
        (Reason::Foul | Reason::IllegalMove, _) | (Reason::Repetition, Outcome::Win(_)) => {
            Err(UnratedReason::Foul)
        }
        (_, Outcome::Open) | (Reason::Unreadable, _) => Err(UnratedReason::NoResult),
        (Reason::Repetition, Outcome::Draw) => Ok(0.5),
        (_, Outcome::Draw) => Err(UnratedReason::OtherDraw),
        (_, Outcome::Win(winner)) => Ok(if winner == Color::Black { 1.0 } else { 0.0 }),
    }
}

/// Returns Black's result as a header states it, for a game without an end.
///
/// # Errors
/// Fails with the reason why the game does not count.
fn stated_result(record: &Record) -> Result<f64, UnratedReason> {
    const RESULT_HEADERS: [&str; 4] = ["結果", "勝敗", "RESULT", "Result"];
    const ON_TIME_WORDS: [&str; 3] = ["時間", "切れ負け", "time"];
    const FOUL_WORDS: [&str; 2] = ["反則", "illegal"];
    const BLACK_WIN_WORDS: [&str; 6] = ["先手勝", "先手の勝", "下手勝", "下手の勝", "black win", "1-0"];
    const WHITE_WIN_WORDS: [&str; 6] = ["後手勝", "後手の勝", "上手勝", "上手の勝", "white win", "0-1"];
    let stated = RESULT_HEADERS
        .iter()
        .find_map(|key| record.header(key))
        .ok_or(UnratedReason::NoResult)?
        .to_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| stated.contains(word));
    match () {
        () if has(&ON_TIME_WORDS) => Err(UnratedReason::OnTime),
        () if has(&FOUL_WORDS) => Err(UnratedReason::Foul),
        () if has(&BLACK_WIN_WORDS) => Ok(1.0),
        () if has(&WHITE_WIN_WORDS) => Ok(0.0),
        () if has(&["千日手"]) => Ok(0.5),
        () => Err(UnratedReason::NoResult),
    }
}

/// Returns the evaluations of the main line, one for each evaluator and position. The last evaluation of a position
/// counts, because it is from the deepest search.
fn main_line_values(record: &Record) -> Vec<PlyValue> {
    let mut walk = record.walk();
    let nodes: Vec<NodeId> = std::iter::once(NodeId::START).chain(record.main_line()).collect();
    let by_node: HashMap<NodeId, Vec<Evaluation>> = nodes
        .iter()
        .map(|node| (*node, walk.evaluations_without_pvs(*node)))
        .collect();
    let evaluations_of = |node: NodeId| by_node.get(&node).map_or(&[][..], Vec::as_slice);
    let evaluators = Evaluators::from_values(record, &[], evaluations_of);
    let mut values: Vec<PlyValue> = Vec::new();
    for node in nodes
        .into_iter()
        .filter(|node| record.node(*node).end().is_none())
    {
        let (ply, from) = (record.node(node).ply(), values.len());
        for evaluation in evaluations_of(node)
            .iter()
            .filter(|value| !value.is_alternative && value.rank.unwrap_or(1) <= 1)
        {
            let Some(value) = evaluation.value else { continue };
            let by = evaluators.evaluator_of(evaluation, record, node);
            match values.iter_mut().skip(from).find(|value| value.evaluator == by) {
                Some(known) => known.value = value,
                None => values.push(PlyValue {
                    ply,
                    evaluator: by,
                    value,
                }),
            }
        }
    }
    values
}

/// Removes the evaluations of each evaluator whose signs alternate from ply to ply. Both players count as one
/// evaluator.
fn remove_alternating(values: &mut Vec<PlyValue>) {
    let mut groups: Vec<Option<Evaluator>> = Vec::new();
    for value in values.iter() {
        let group = group(&value.evaluator);
        if !groups.contains(&group) {
            groups.push(group);
        }
    }
    for group_of in groups {
        let cps = values
            .iter()
            .filter(|value| group(&value.evaluator) == group_of)
            .filter_map(|value| match value.value {
                Value::Cp(cp) => Some((value.ply, cp)),
                Value::Won(_) | Value::Mate { .. } => None,
            });
        if has_alternating_signs(&cps.collect::<Vec<_>>()) {
            values.retain(|value| group(&value.evaluator) != group_of);
        }
    }
}

/// Returns the evaluator of a value; `None` for either player, so that both are one group.
fn group(by: &Evaluator) -> Option<Evaluator> {
    Some(by).filter(|by| !matches!(by, Evaluator::Player(_))).cloned()
}

/// Returns whether the signs of clear evaluations alternate from ply to ply: in 70 % of the pairs or more.
fn has_alternating_signs(values: &[(u16, i32)]) -> bool {
    /// The minimum size of a clear evaluation, in centipawns.
    const MIN_CLEAR_CP: i32 = 150;
    /// The minimum number of pairs of clear evaluations of successive plies.
    const MIN_PAIRS: usize = 8;
    let (mut pairs, mut opposite) = (0_usize, 0_usize);
    for two in values.windows(2) {
        let [(ply, one), (next, other)] = *two else {
            continue;
        };
        if next == ply + 1 && one.abs() >= MIN_CLEAR_CP && other.abs() >= MIN_CLEAR_CP {
            pairs += 1;
            opposite += usize::from(one.signum() != other.signum());
        }
    }
    pairs >= MIN_PAIRS && opposite * 10 >= pairs * 7
}

/// Returns the name of an evaluator; empty for one without a name.
fn engine_name(by: Evaluator, record: &Record) -> String {
    match by {
        Evaluator::Engine(name) => name,
        Evaluator::Player(color) => record.player(color).unwrap_or_default().trim().to_owned(),
        Evaluator::Unnamed(_) => String::new(),
    }
}

/// Returns the key of a game, as in [`RatedRecord::key`].
fn game_key(record: &Record) -> u64 {
    let mut hasher = StableHasher::new();
    hasher.add_text(&record.start().sfen());
    for color in [Color::Black, Color::White] {
        hasher.add_text(record.player(color).unwrap_or_default());
    }
    for mv in record.moves() {
        hasher.add_text(&mv.to_string());
    }
    hasher.finish()
}
