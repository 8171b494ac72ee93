//! The evaluations in a record, converted to the snapshot of an engine.

use shogibar_engine::observer::{Candidate, SearchInfo, SearchStats};
use shogibar_engine::session::{EngineState, SearchResult, Snapshot};
use shogibar_games::analysis::{Evaluator, Evaluators, best_informed, lines_by};
use shogibar_games::study::Document;
use shogibar_kifu::evaluation::{Evaluation, Source};
use shogibar_kifu::{NodeId, Record};
use shogibar_shogi::History;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Returns the evaluation of the position after `node`, as the snapshot of an engine. `history` is the game up to this
/// position. `None` if the record has no evaluation of it.
///
/// The evaluation is that of the judge, or without a judge that of the best informed evaluator.
pub(super) fn snapshot(
    document: &Document,
    node: NodeId,
    history: &Arc<History>,
    judging: Option<(&Evaluators, &Evaluator)>,
) -> Option<Snapshot> {
    let record = document.record();
    document.read_evaluations(&[node]);
    let cache = document.evaluations();
    let evaluations = by_judge(cache.get(node), record, node, judging);
    let first = evaluations.values().next()?;
    let best = first.pv.first().copied();
    let candidates: Vec<_> = evaluations
        .iter()
        .filter_map(|(rank, evaluation)| candidate(*rank, evaluation))
        .collect();
    let engine = evaluations
        .values()
        .find_map(|evaluation| evaluation.engine.clone())
        .unwrap_or_default();
    let model = shogibar_config::built_in_presets().model_of(&engine);
    // Two analyses may have found the same move at different ranks.
    let info = SearchInfo::new(Arc::clone(history), candidates, stats(first));
    let has_values = info.best().is_some();
    (has_values || best.is_some()).then(|| Snapshot {
        engine,
        state: EngineState::Idle,
        model,
        multipv: info.candidates.len(),
        result: Some(SearchResult {
            history: Arc::clone(history),
            best_move: best.into(),
        }),
        search_info: has_values.then_some(info),
        ..Snapshot::default()
    })
}

/// Returns the judge's evaluations of a position by rank, or without a judge those of the best informed evaluator.
fn by_judge<'e>(
    evaluations: &'e [Evaluation],
    record: &Record,
    node: NodeId,
    judging: Option<(&Evaluators, &Evaluator)>,
) -> BTreeMap<u16, &'e Evaluation> {
    match judging {
        Some((all, judge)) => lines_by(evaluations, |evaluation| {
            all.evaluator_of(evaluation, record, node) == *judge
        }),
        None => best_informed(evaluations),
    }
}

/// Returns the loss by the last move of a document in percentage points, by the evaluations in the record; 0 for the
/// best move of the evaluator. `None` where no evaluator has judged the move.
pub(super) fn judged_loss(document: &Document, judging: Option<(&Evaluators, &Evaluator)>) -> Option<u8> {
    let node = document.last_move();
    let (record, mv) = (document.record(), document.record().node(node).mv()?);
    let nodes = [record.parent(node)?, node];
    document.read_evaluations(&nodes);
    let cache = document.evaluations();
    let [before, after] = nodes.map(|node| {
        by_judge(cache.get(node), record, node, judging)
            .into_values()
            .next()
    });
    let (before, after) = (before?, after?);
    // Each player's engine has evaluated only the moves of its own.
    let is_one_judge = judging.is_some()
        || before.engine == after.engine && [before, after].iter().all(|value| value.source != Source::Game);
    let model = shogibar_config::built_in_presets().model_of(before.engine.as_deref().unwrap_or_default());
    let mover = document.history().now().side_to_move().flip();
    let [before_percent, after_percent] =
        [before.value?, after.value?].map(|value| model.percent_of(value, mover));
    let loss = before_percent.saturating_sub(after_percent);
    is_one_judge.then_some(if before.pv.first() == Some(&mv) { 0 } else { loss })
}

/// Black's shares by the best informed evaluations of a record, along the current line.
#[derive(Debug, Default)]
pub(super) struct RecordedShares {
    revision: Option<u64>,
    line: Vec<NodeId>,
    /// Whether all comments of the line have been read.
    is_complete: bool,
    /// The shares by ply, from 0.
    shares: Vec<Option<f32>>,
}

impl RecordedShares {
    /// Reads the evaluations of the document's line, as many as one frame allows, and updates the shares. Returns
    /// whether all are read.
    pub(super) fn update(&mut self, document: &Document) -> bool {
        let (revision, line) = (document.revision(), document.line());
        if self.is_complete && self.revision == Some(revision) && self.line == line {
            return true;
        }
        (self.revision, self.line) = (Some(revision), line.to_vec());
        let presets = shogibar_config::built_in_presets();
        let nodes: Vec<NodeId> = std::iter::once(NodeId::START)
            .chain(line.iter().copied())
            .collect();
        self.is_complete = document.read_evaluations(&nodes);
        let cache = document.evaluations();
        let share = |node: &NodeId| {
            let best = best_informed(cache.get(*node)).into_values().next()?;
            let model = presets.model_of(best.engine.as_deref().unwrap_or_default());
            #[expect(
                clippy::cast_possible_truncation,
                reason = "f32 is exact enough for a share of the bar"
            )]
            let share = model.win_rate(best.value?) as f32;
            Some(share)
        };
        self.shares = nodes.iter().map(share).collect();
        self.is_complete
    }

    /// Returns the shares by ply, from 0.
    pub(super) fn along_line(&self) -> &[Option<f32>] {
        &self.shares
    }
}

/// Returns the evaluation as a candidate; `None` if it has no value.
fn candidate(rank: u16, evaluation: &Evaluation) -> Option<Candidate> {
    let Evaluation {
        value, bound, depth, ..
    } = *evaluation;
    Some(Candidate {
        rank: rank.into(),
        value: value?,
        bound,
        depth,
        pv: evaluation.pv.clone(),
    })
}

fn stats(evaluation: &Evaluation) -> SearchStats {
    let time = evaluation.time.map(|time| time.0);
    let nps = evaluation
        .nodes
        .zip(time)
        .and_then(|(nodes, millis)| nodes.saturating_mul(1000).checked_div(millis));
    let Evaluation {
        depth,
        seldepth,
        nodes,
        ..
    } = *evaluation;
    SearchStats {
        depth,
        seldepth,
        nodes,
        nps,
        time,
        ..SearchStats::default()
    }
}

#[cfg(test)]
mod tests {
    use crate::bars::Bar;
    use crate::game::Game;
    use shogibar_games::bar::EngineReport;

    use shogibar_base::Lang;

    /// Checks the bar's text after the first move, which has this comment.
    fn check(comment: &str, expect: Option<&str>) {
        let kif = format!("手数----指手---------消費時間--\n1 ７六歩(77)\n{comment}\n2 ３四歩(33)\n");
        let mut game = Game::new(Lang::Ja);
        game.open(shogibar_kifu::read(kif.as_bytes()).unwrap().games.remove(0));
        game.go_to(1);
        let shown = game.record_snapshot().map(|snapshot| {
            let mut bar = Bar::default();
            bar.add_engine(EngineReport::from(snapshot));
            let view = bar.input(&game).view(None, Lang::Ja);
            let engine = view.lead();
            let moves = engine
                .candidates
                .iter()
                .map(|candidate| format!(" {} {}", candidate.word, candidate.value()));
            let notice = view
                .notice()
                .map(|notice| notice.text.as_str())
                .unwrap_or_default();
            format!(
                "{}{} {}{notice}",
                view.evaluation,
                moves.collect::<String>(),
                engine.stats.concat()
            )
        });
        assert_eq!(shown.as_deref().map(str::trim), expect, "{comment}");
    }

    #[test]
    fn shows_the_evaluations_of_a_record() {
        check("*よい手", None);
        check("**評価値=120", Some("+120"));
        check("**評価値=-300\n**読み筋=△3四歩▲2六歩", Some("−300 △3四歩 62%"));
        check("**読み筋=△3四歩▲2六歩", Some("△3四歩"));
    }

    #[test]
    fn prefers_an_analysis_to_a_player_and_its_deepest_result() {
        let line = |rank, depth, value, mv| {
            format!("**解析 0 候補{rank} 時間 00:02.0 深さ {depth} ノード数 3000 評価値 {value} 読み筋 {mv}")
        };
        let lines = [
            line(1, 8, 10, "△8四歩(83)"),
            line(2, 9, 90, "△4四歩(43)"),
            line(1, 9, 50, "△3四歩(33)"),
        ];
        let expect = "+50 △3四歩 48% △4四歩 46% 深さ9　3000ノード1500nps";
        check(&lines.join("\n"), Some(expect));
        // The deeper pass has the second line of the first one as its best move.
        let lines = [
            line(1, 8, 10, "△8四歩(83)"),
            line(2, 8, 20, "△3四歩(33)"),
            line(3, 8, 90, "△4四歩(43)"),
            line(1, 9, 50, "△3四歩(33)"),
        ];
        check(&lines.join("\n"), Some(expect));
    }
}
