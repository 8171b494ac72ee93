//! The result of a search of one position.

use shogibar_engine::observer::{Candidate, SearchStats};
use shogibar_engine::options::Limit;
use shogibar_engine::session::Snapshot;
use shogibar_kifu::Millis;
use shogibar_kifu::evaluation::{Dialect, Evaluation, Source};
use shogibar_shogi::Move;
use shogibar_shogi::score::{Value, WinRateModel};

/// The result of the search of one position by an engine.
#[derive(Clone, Debug, PartialEq)]
pub struct EngineResult {
    /// The [`signature`](super::signature) of the engine and its limit.
    pub engine: String,
    /// The model that converts the engine's centipawns to win rates.
    pub model: WinRateModel,
    /// The engine's lines, best first; never empty. The lines have ranks if several were requested.
    pub evaluations: Vec<Evaluation>,
}

impl EngineResult {
    /// Returns the value of the best line; `None` if the search gave no value, as for a book move.
    pub fn value(&self) -> Option<Value> {
        self.evaluations.first().and_then(|first| first.value)
    }

    /// Creates the result from a snapshot after the search. `best` is the `bestmove`, the only information in a book
    /// move, and `engine` the signature. Returns `None` if there is neither a value nor a move.
    pub(super) fn from_snapshot(
        snapshot: &Snapshot,
        best: Option<Move>,
        limit: Limit,
        engine: &str,
    ) -> Option<Self> {
        let info = snapshot
            .search_info
            .as_ref()
            .filter(|info| !snapshot.is_from_old_process && info.best().is_some());
        let multipv = snapshot.multipv.max(1);
        let mut evaluations: Vec<_> = info.map_or_else(Vec::new, |info| {
            let lines = info.candidates.iter().take(multipv);
            lines
                .map(|candidate| evaluation_of_line(candidate, info.stats, limit, engine))
                .collect()
        });
        if let Some(best) = best {
            if evaluations.is_empty() {
                evaluations.push(empty_evaluation(engine));
            }
            if let Some(first) = evaluations.first_mut().filter(|first| first.pv.is_empty()) {
                first.pv.push(best);
            }
        }
        if multipv == 1 {
            for evaluation in &mut evaluations {
                evaluation.rank = None;
            }
        }
        (!evaluations.is_empty()).then(|| Self {
            engine: engine.to_owned(),
            model: snapshot.model,
            evaluations,
        })
    }
}

/// Returns an evaluation of rank 1 without a value and without moves.
fn empty_evaluation(engine: &str) -> Evaluation {
    let engine = Some(engine.to_owned());
    Evaluation {
        engine,
        rank: Some(1),
        ..Evaluation::new(Dialect::ShogiHome, Source::Analysis)
    }
}

fn evaluation_of_line(candidate: &Candidate, stats: SearchStats, limit: Limit, engine: &str) -> Evaluation {
    // The time is stored only for a time limit: otherwise it differs from run to run.
    let time = if matches!(limit, Limit::Time(_)) {
        stats.time.map(Millis)
    } else {
        None
    };
    Evaluation {
        value: Some(candidate.value),
        bound: candidate.bound,
        depth: candidate.depth,
        seldepth: if candidate.rank == 1 { stats.seldepth } else { None },
        nodes: stats.nodes,
        time,
        rank: u16::try_from(candidate.rank).ok(),
        pv: candidate.pv.clone(),
        ..empty_evaluation(engine)
    }
}
