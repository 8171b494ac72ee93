//! The evaluations of a finished game by the engines that the user has run.

use super::Game;
use crate::analysis::Evaluator;
use crate::calibration::{FIRST_PLY, OwnGame, identify, rate};
use crate::score::Value;

impl Game {
    /// Returns the evaluations of the main line that engines have shown, and those that `analysed` have written into the
    /// record. Empty without a result that counts.
    pub(in crate::app) fn own_games(&self, analysed: &[String]) -> Vec<OwnGame> {
        let record = self.document.record();
        let Ok((game, result)) = identify(record) else { return Vec::new() };
        let rated = rate(record, &(FIRST_PLY..=u16::MAX)).ok().filter(|_| !analysed.is_empty());
        let mut own = rated.map(|rated| OwnGame::of_record(rated, analysed)).unwrap_or_default();
        for series in self.kept.series(record.start(), record.moves()) {
            let Evaluator::Engine(engine) = series.by else { continue };
            let shown = series.values.into_iter().skip(FIRST_PLY.into()).flatten();
            let values: Vec<i16> = shown.filter_map(centipawns).collect();
            // The values of an analysis are of longer searches.
            if !values.is_empty() && !own.iter().any(|known| known.is_by(&engine)) {
                own.push(OwnGame { engine, net: None, game, result, values });
            }
        }
        own
    }
}

fn centipawns(value: Value) -> Option<i16> {
    match value {
        Value::Cp(cp) => i16::try_from(cp).ok(),
        Value::Won(_) | Value::Mate { .. } => None,
    }
}
