//! Reads analysed records.

use shogibar_facts_verifier::{Candidate, Game};
use shogibar_kifu::evaluation::Evaluation;
use shogibar_kifu::{NodeId, Record};
use shogibar_shogi::score::WinRateModel;
use shogibar_shogi::{Move, Position};
use std::path::Path;

/// A game with its positions and values.
pub(crate) struct AnalysedGame {
    /// The game as the verifier reads it.
    pub(crate) game: Game,
    pub(crate) positions: Vec<Position>,
    /// The candidates of each position.
    pub(crate) candidates: Vec<Vec<Candidate>>,
    pub(crate) model: WinRateModel,
}

/// Returns the first game of each record in a folder, by name. Files that are no records are left out.
///
/// # Errors
/// Fails if the folder or a file cannot be read.
pub(crate) fn games(folder: &Path) -> Result<Vec<(String, AnalysedGame)>, String> {
    let entries = std::fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut paths: Vec<_> = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.is_file())
        .collect();
    paths.sort();
    let mut games = Vec::new();
    for path in paths {
        if path.extension().is_some_and(|extension| extension == "html") {
            continue;
        }
        let bytes = std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let name = path
            .file_name()
            .map(|name| name.to_string_lossy().into_owned())
            .unwrap_or_default();
        if let Ok((record, _)) = shogibar_kifu::read_first(&bytes, &path) {
            games.push((name, analysed(&record)));
        }
    }
    Ok(games)
}

fn analysed(record: &Record) -> AnalysedGame {
    let model = WinRateModel::default();
    let moves: Vec<Move> = record.moves().collect();
    let mut walk = record.walk();
    let mut candidates = Vec::new();
    for node in std::iter::once(NodeId::START)
        .chain(record.main_line())
        .take(moves.len() + 1)
    {
        candidates.push(best_first(walk.evaluations(node)));
    }
    let mut position = record.start().clone();
    let mut positions = vec![position.clone()];
    for mv in &moves {
        if position.play(*mv).is_err() {
            break;
        }
        positions.push(position.clone());
    }
    let game = Game::new(record.start(), &moves, candidates.clone(), model);
    AnalysedGame {
        game,
        positions,
        candidates,
        model,
    }
}

/// Returns the candidates by rank, one for each first move. Bounds, alternatives to the played move, and evaluations
/// without a value or a pv are left out.
fn best_first(evaluations: Vec<Evaluation>) -> Vec<Candidate> {
    let mut evaluations: Vec<_> = evaluations
        .into_iter()
        .filter(|each| !each.is_alternative && each.bound.is_none() && !each.pv.is_empty())
        .collect();
    evaluations.sort_by_key(|each| each.rank.unwrap_or(1));
    let mut candidates: Vec<Candidate> = Vec::new();
    for each in evaluations {
        let is_known = candidates
            .iter()
            .any(|known| known.line.first() == each.pv.first());
        if let Some(value) = each.value.filter(|_| !is_known) {
            candidates.push(Candidate { line: each.pv, value });
        }
    }
    candidates
}

/// Returns the SFEN of the position after `ply` moves.
pub(crate) fn sfen(analysed: &AnalysedGame, ply: usize) -> String {
    analysed
        .positions
        .get(ply)
        .map(Position::sfen)
        .unwrap_or_default()
}
