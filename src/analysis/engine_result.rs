//! What an engine says of a position.

use crate::config::Limit;
use crate::kifu::Millis;
use crate::kifu::evaluation::{Dialect, Evaluation, Source, engine_name};
use crate::score::Value;
use crate::session::{Candidate, SearchStats, Snapshot};
use crate::shogi::Move;

/// What an engine says of a position, after a search of its own.
#[derive(Clone, Debug, PartialEq)]
pub struct EngineResult {
    /// Which engine says so and by which limit: its [`signature`].
    pub engine: String,
    /// The scale from its centipawns to win rates.
    pub k: f64,
    /// Its lines, the best first, with a rank where there may be several; never empty.
    pub evaluations: Vec<Evaluation>,
}

/// An engine's name with the limit of its searches, by which its evaluations are known again in a record:
/// `YaneuraOu NNUE 9.00 [nodes 1000000]`, and `[depth 12, multipv 3]` where it was asked for several lines.
pub fn signature(engine: &str, limit: Limit, multipv: u32) -> String {
    let name = engine_name(engine).unwrap_or("?");
    if multipv > 1 { format!("{name} [{limit}, multipv {multipv}]") } else { format!("{name} [{limit}]") }
}

/// What an engine is called in signatures: by the name it gives itself, and that of the user's profile. Two nets that
/// one program runs are two engines: `YaneuraOu NNUE 9.00 (Hao)`. An engine without a name of its own, or a profile,
/// goes by the other.
pub fn known_as(engine: &str, profile: Option<&str>) -> String {
    match profile.filter(|profile| *profile != engine) {
        Some(profile) if engine.is_empty() => profile.to_owned(),
        Some(profile) => format!("{engine} ({profile})"),
        None => engine.to_owned(),
    }
}

/// The limit in a signature of ours, and for how many lines.
pub(super) fn limit(signature: &str) -> Option<(Limit, u32)> {
    let (_, limit) = signature.strip_suffix(']')?.rsplit_once(" [")?;
    match limit.split_once(", multipv ") {
        Some((limit, lines)) => Some((limit.parse().ok()?, lines.parse().ok()?)),
        None => Some((limit.parse().ok()?, 1)),
    }
}

/// The engine in a signature of ours, without its limit; other programs name engines, too, and no limits.
pub(super) fn engine(signature: &str) -> Option<&str> {
    signature.strip_suffix(']')?.rsplit_once(" [").map(|(engine, _)| engine)
}

impl EngineResult {
    /// What the position is worth by its best line; `None` where the search brought none, as with a move of a book.
    pub fn value(&self) -> Option<Value> {
        self.evaluations.first().and_then(|first| first.value)
    }

    /// What an engine has answered of the position that it was given; `None` where it has said neither a
    /// value nor a move. `best` is the move it named, which is all that a book says.
    pub(super) fn from_snapshot(snapshot: &Snapshot, best: Option<Move>, limit: Limit, engine: &str) -> Option<Self> {
        let shown = snapshot.shown.as_ref().filter(|shown| !snapshot.outdated && shown.best().is_some());
        let asked = snapshot.asked.max(1);
        let mut evaluations: Vec<_> = shown.map_or_else(Vec::new, |shown| {
            let lines = shown.candidates.iter().take(asked);
            lines.map(|candidate| evaluation(candidate, shown.figures, limit, engine)).collect()
        });
        if let Some(best) = best {
            if evaluations.is_empty() {
                evaluations.push(plain(engine));
            }
            if let Some(first) = evaluations.first_mut().filter(|first| first.pv.is_empty()) {
                first.pv.push(best);
            }
        }
        if asked == 1 {
            for evaluation in &mut evaluations {
                evaluation.rank = None;
            }
        }
        (!evaluations.is_empty()).then(|| Self { engine: engine.to_owned(), k: snapshot.model.k(), evaluations })
    }
}

fn plain(engine: &str) -> Evaluation {
    let engine = Some(engine.to_owned());
    Evaluation { engine, rank: Some(1), ..Evaluation::new(Dialect::ShogiHome, Source::Analysis) }
}

fn evaluation(candidate: &Candidate, figures: SearchStats, limit: Limit, engine: &str) -> Evaluation {
    let is_first = candidate.rank == 1;
    // Where not the time is the limit it is the machine's affair, and another on every run.
    let time = figures.time.filter(|_| matches!(limit, Limit::Time(_))).map(Millis);
    Evaluation {
        value: Some(candidate.value),
        bound: candidate.bound,
        depth: candidate.depth,
        seldepth: figures.seldepth.filter(|_| is_first),
        nodes: figures.nodes,
        time,
        rank: u16::try_from(candidate.rank).ok(),
        pv: candidate.pv.clone(),
        ..plain(engine)
    }
}
