//! What a record itself says of one of its positions, as if an engine were saying it.

use super::GameJudge;
use crate::analysis::{best_informed, lines_by};
use crate::config::Presets;
use crate::kifu::evaluation::Evaluation;
use crate::kifu::{NodeId, Record};
use crate::session::{Candidate, EngineState, SearchInfo, SearchResult, SearchStats, Snapshot};
use crate::shogi::History;
use std::sync::Arc;

/// What the record says of the position at a node, reached by `history`: by its judge, or else by who is best informed;
/// `None` where that says nothing.
pub(super) fn snapshot(
    record: &Record,
    node: NodeId,
    history: &Arc<History>,
    judging: Option<&GameJudge>,
) -> Option<Snapshot> {
    let said = record.walk().evaluations(node);
    let said = match judging {
        Some((all, judge)) => lines_by(&said, |said| all.evaluator_of(said, record, node) == *judge),
        None => best_informed(&said),
    };
    let first = said.values().next()?;
    let best = first.pv.first().copied();
    let candidates: Vec<_> = said.iter().filter_map(|(rank, said)| candidate(*rank, said)).collect();
    let engine = said.values().find_map(|said| said.engine.clone()).unwrap_or_default();
    let model = Presets::built_in().model_of(&engine);
    let figures = figures(first);
    let has_values = candidates.first().is_some_and(|candidate| candidate.rank == 1);
    (has_values || best.is_some()).then(|| Snapshot {
        engine,
        state: EngineState::Idle,
        model,
        asked: candidates.len(),
        answer: Some(SearchResult { history: Arc::clone(history), best }),
        shown: has_values.then(|| SearchInfo { history: Arc::clone(history), candidates, figures }),
        ..Snapshot::default()
    })
}

fn candidate(rank: u16, said: &Evaluation) -> Option<Candidate> {
    let Evaluation { value, bound, depth, .. } = *said;
    Some(Candidate { rank: rank.into(), value: value?, bound, depth, pv: said.pv.clone() })
}

fn figures(said: &Evaluation) -> SearchStats {
    let time = said.time.map(|time| time.0);
    let per_second = |(nodes, millis): (u64, u64)| nodes.saturating_mul(1000).checked_div(millis);
    let nps = said.nodes.zip(time).and_then(per_second);
    SearchStats { depth: said.depth, seldepth: said.seldepth, nodes: said.nodes, nps, time, hashfull: None }
}

#[cfg(test)]
mod tests {
    use super::super::AppState;
    use crate::kifu;
    use crate::text::Lang;

    /// What the bar says of the position after the first move, whose comment is given.
    fn check(comment: &str, expect: Option<&str>) {
        let kif = format!("手数----指手---------消費時間--\n1 ７六歩(77)\n{comment}\n2 ３四歩(33)\n");
        let mut state = AppState::new(Lang::Ja);
        state.open(kifu::read(kif.as_bytes()).unwrap().games.remove(0));
        state.go_to(1);
        let said = state.recorded().map(|snapshot| {
            state.add_engine(snapshot.into());
            let view = state.view();
            let engine = view.lead();
            let moves = engine.candidates.iter().map(|candidate| format!(" {} {}", candidate.word, candidate.value));
            let notice = view.notice().map(|notice| notice.text.as_str()).unwrap_or_default();
            format!("{}{} {}{notice}", view.evaluation, moves.collect::<String>(), engine.figures.concat())
        });
        assert_eq!(said.as_deref().map(str::trim), expect, "{comment}");
    }

    #[test]
    fn a_record_speaks_as_an_engine_does() {
        check("*よい手", None);
        check("**評価値=120", Some("+120"));
        check("**評価値=-300\n**読み筋=△３四歩▲２六歩", Some("−300 △３四歩 62%"));
        check("**読み筋=△３四歩▲２六歩", Some("△３四歩"));
    }

    #[test]
    fn an_analysis_speaks_before_a_player_and_its_last_word_counts() {
        let line = |rank, depth, value, mv| {
            format!("**解析 0 候補{rank} 時間 00:02.0 深さ {depth} ノード数 3000 評価値 {value} 読み筋 {mv}")
        };
        let lines = [line(1, 8, 10, "△８四歩(83)"), line(2, 9, 90, "△４四歩(43)"), line(1, 9, 50, "△３四歩(33)")];
        let expect = "+50 △３四歩 48% △４四歩 46% 深さ9　3.0k局面1.5k nps";
        check(&lines.join("\n"), Some(expect));
    }
}
