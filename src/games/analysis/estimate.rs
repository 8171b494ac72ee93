//! The estimated effort of an analysis.

use super::{AnalysisOptions, AnalysisPlan, SearchTask, deepen, deepened_limit, signature, signatures};
use shogibar_engine::options::Limit;
use shogibar_kifu::NodeId;
use shogibar_shogi::score::WinRateModel;
use std::collections::HashMap;
use std::time::Duration;

/// The effort of an analysis, estimated before its engines start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AnalysisEstimate {
    /// The number of positions to search. A position that several engines search counts once.
    pub positions: usize,
    /// The approximate time without the second pass; `None` unless the limit is a time.
    pub time: Option<Duration>,
    /// Whether the known results have a swing, by the default scale, that was not searched longer. Such a swing needs a
    /// second pass.
    pub has_second_pass: bool,
}

/// Estimates the effort for a plan that covers all moves. `reported_name` takes the user's name for an engine, and
/// returns the name that the engine reports; `None` where it is not known.
pub fn estimate(
    plan: &AnalysisPlan,
    options: &AnalysisOptions,
    reported_name: impl Fn(&str) -> Option<String>,
) -> AnalysisEstimate {
    let range = options.scope.from..=options.scope.to;
    let tasks: Vec<_> = plan
        .tasks
        .iter()
        .filter(|task| range.contains(&task.ply))
        .collect();
    let engines: Vec<_> = options
        .engines
        .iter()
        .map(|name| (name.as_str(), reported_name(name)))
        .collect();
    let count = engines.len().max(1);
    let (mut is_searched, mut rounds) = (vec![false; tasks.len()], 0);
    for (number, (name, reported_name)) in engines.iter().enumerate() {
        let mut searched = 0_usize;
        for (task, is_searched) in tasks.iter().zip(&mut is_searched) {
            if options.repeats_searches || !is_searched_by(task, name, reported_name.as_deref(), options) {
                *is_searched = true;
                searched += 1;
            }
        }
        // The processes are distributed over the engines in turn.
        let copies = options.jobs.saturating_sub(number).div_ceil(count).max(1);
        rounds = searched.div_ceil(copies).max(rounds);
    }
    let time = match options.limit {
        Limit::Time(time) => Some(time.saturating_mul(u32::try_from(rounds).unwrap_or(u32::MAX))),
        Limit::Nodes(_) | Limit::Depth(_) | Limit::Infinite => None,
    };
    let has_second_pass = deepened_limit(options.limit, options.deepen).is_some_and(|limit| {
        let longer = AnalysisOptions {
            limit,
            ..options.clone()
        };
        engines.iter().any(|(name, reported_name)| {
            let known = tasks.iter().filter_map(|task| {
                let value = task
                    .evaluations
                    .iter()
                    .rfind(|(by, _)| is_signature_of(by, name, reported_name.as_deref()))?
                    .1?;
                let is_deep = is_searched_by(task, name, reported_name.as_deref(), &longer);
                Some((task.node, (WinRateModel::default().win_rate(value), is_deep)))
            });
            has_shallow_swing(&plan.moves, &known.collect())
        })
    });
    let positions = is_searched.into_iter().filter(|is_searched| *is_searched).count();
    AnalysisEstimate {
        positions,
        time,
        has_second_pass,
    }
}

/// Returns whether a move is a swing of which a position was not searched longer. `known` has the win rate of each
/// position, and whether the position was searched longer.
fn has_shallow_swing(moves: &[(NodeId, NodeId)], known: &HashMap<NodeId, (f64, bool)>) -> bool {
    let mut pairs = moves
        .iter()
        .filter_map(|(before, after)| known.get(before).zip(known.get(after)));
    pairs.any(|((before, is_deep), (after, is_deep_after))| {
        deepen::is_swing(*before, *after) && !(*is_deep && *is_deep_after)
    })
}

/// Returns whether a signature is of an engine, with any limit. A signature has the reported name of the engine, the
/// user's name for it, or both: `YaneuraOu NNUE 9.00 (Hao) [movetime 1000]`.
fn is_signature_of(signature: &str, name: &str, reported_name: Option<&str>) -> bool {
    let Some(engine) = signatures::signed_engine(signature) else {
        return false;
    };
    let user_name = engine
        .strip_suffix(')')
        .and_then(|engine| engine.rsplit_once(" ("))
        .map(|(_, user)| user);
    engine == name || reported_name == Some(engine) || user_name == Some(name)
}

/// Returns whether an engine has searched a position already, with the limit of the options or a longer one.
fn is_searched_by(
    task: &SearchTask,
    name: &str,
    reported_name: Option<&str>,
    options: &AnalysisOptions,
) -> bool {
    task.evaluations
        .iter()
        .filter(|(_, value)| value.is_some())
        .any(|(existing, _)| {
            let Some(engine) = signatures::signed_engine(existing) else {
                return false;
            };
            is_signature_of(existing, name, reported_name)
                && signatures::satisfies(existing, &signature(engine, options.limit, options.multipv))
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::{AnalysisScope, plan};

    #[test]
    fn estimate_counts_positions_without_results() {
        let text = "手合割：平手\n1 ７六歩(77)\n*#評価値=12\n*#エンジン=Own 1.0 (A) [nodes 1000]\n2 ３四歩(33)\n\
            *#評価値=12\n*#エンジン=B [movetime 1000]\n3 ２六歩(27)\n*#評価値=12\n*#エンジン=Own 2 [movetime 1000]\n4 投了\n";
        let record = shogibar_kifu::read(text.as_bytes()).unwrap().games.remove(0);
        let plan = plan(&record, AnalysisScope::default());
        let signed: Vec<_> = plan
            .tasks
            .iter()
            .flat_map(|task| &task.evaluations)
            .map(|(signed, _)| signed)
            .collect();
        assert_eq!(
            signed,
            [
                "Own 1.0 (A) [nodes 1000]",
                "B [movetime 1000]",
                "Own 2 [movetime 1000]"
            ]
        );
        let check = |change: &dyn Fn(&mut AnalysisOptions), positions, seconds: Option<u64>| {
            let mut options = AnalysisOptions {
                engines: vec!["A".to_owned()],
                ..AnalysisOptions::default()
            };
            change(&mut options);
            let reported_name = |name: &str| (name == "C").then(|| "Own 2".to_owned());
            let time = seconds.map(Duration::from_secs);
            let expect = AnalysisEstimate {
                positions,
                time,
                has_second_pass: false,
            };
            assert_eq!(estimate(&plan, &options, reported_name), expect, "{options:?}");
        };
        check(&|_| {}, 4, Some(4));
        check(&|options| options.limit = Limit::Nodes(1000), 3, None);
        check(
            &|options| options.limit = Limit::Time(Duration::from_secs(10)),
            4,
            Some(40),
        );
        check(&|options| options.engines.push("B".to_owned()), 4, Some(4));
        check(&|options| options.jobs = 4, 4, Some(1));
        check(&|options| options.engines = vec!["C".to_owned()], 3, Some(3));
        check(
            &|options| (options.engines, options.repeats_searches) = (vec!["C".to_owned()], true),
            4,
            Some(4),
        );
        check(&|options| options.scope.from = 3, 1, Some(1));
        check(&|options| options.multipv = 3, 4, Some(4));
    }

    #[test]
    fn known_swings_are_still_to_be_searched_longer() {
        let check = |limit: &str, deepen: u32, expect: bool| {
            let text = format!(
                "手合割：平手\n*#評価値=0\n*#エンジン=A [nodes {limit}]\n1 ７六歩(77)\n*#評価値=900\n*#エンジン=A [nodes {limit}]\n"
            );
            let record = shogibar_kifu::read(text.as_bytes()).unwrap().games.remove(0);
            let plan = plan(&record, AnalysisScope::default());
            let engines = vec!["A".to_owned()];
            let options = AnalysisOptions {
                engines,
                limit: Limit::Nodes(1000),
                deepen,
                ..AnalysisOptions::default()
            };
            let found = estimate(&plan, &options, |_| None);
            assert_eq!(
                (found.positions, found.has_second_pass),
                (0, expect),
                "{limit} {deepen}"
            );
        };
        check("1000", 5, true);
        check("5000", 5, false);
        check("1000", 0, false);
    }
}
