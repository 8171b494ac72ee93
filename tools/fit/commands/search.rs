//! Searches with fixed nodes.

use shogibar_builtin::{Control, Limits, SearchOutcome, SearchReport, Searcher};
use shogibar_shogi::score::UsiScore;
use shogibar_shogi::{History, Move};

/// The absolute score from which a game counts as decided, in centipawns.
pub(crate) const DECIDED_SCORE: i32 = 3_000;

/// Searches a position. Returns the best move with its score; `None` if there is none.
pub(crate) fn search(searcher: &mut Searcher, history: &History, nodes: u64) -> Option<(Move, UsiScore)> {
    let limits = Limits {
        nodes,
        ..Limits::default()
    };
    let mut score = UsiScore::Cp(0);
    let mut report = |report: &SearchReport| score = report.score;
    let outcome = searcher
        .think(history, &limits, &Control::new(None), &|| 0, &mut report)
        .ok()?;
    let SearchOutcome::Play(mv, _) = outcome else {
        return None;
    };
    Some((mv, score))
}

/// Returns a score in centipawns, ±[`DECIDED_SCORE`] for a mate.
pub(crate) const fn centipawns(score: UsiScore) -> i32 {
    match score {
        UsiScore::Cp(cp) => cp,
        UsiScore::Mate { wins: true, .. } => DECIDED_SCORE,
        UsiScore::Mate { wins: false, .. } => -DECIDED_SCORE,
    }
}
