//! The evaluations in the comments of a record, and the assessment of its moves.

use super::Document;
use crate::analysis::{
    AssessedMove, DecisiveMove, EngineScales, Evaluator, Evaluators, GameReview, MoveMark, MoveReason,
    ReviewSummary,
};
use crate::reasons;
use shogibar_kifu::{NodeId, Record};
use shogibar_shogi::Color;
use shogibar_shogi::score::{Value, WinRateModel};

/// The values of an evaluator along a line.
#[derive(Clone, Debug, PartialEq)]
pub struct EvaluationSeries {
    /// The evaluator.
    pub evaluator: Evaluator,
    /// Whether the evaluator judges the game.
    pub is_judge: bool,
    /// The values from Black's view by ply, from the start; `None` for a position without a value.
    pub values: Vec<Option<Value>>,
    /// The scale that turns the values into win rates.
    pub model: WinRateModel,
}

/// The evaluations and assessments of a record, from its comments.
#[derive(Debug, Default)]
pub struct RecordInsight {
    /// The first revision of the document, which identifies its record.
    first_revision: u64,
    review: GameReview,
    summary: ReviewSummary,
    /// The number of updates and added reasons so far.
    version: u64,
    /// The revision, and the last node of the line, of the last update; `None` if an update is needed.
    key: Option<(u64, Option<NodeId>)>,
    scales: EngineScales,
    /// The judge selected by the user for this record.
    chosen_judge: Option<Evaluator>,
    /// Whether the review was updated after the last request for the moves to explain.
    is_updated_since_request: bool,
    /// The moves whose reasons are being searched.
    awaited_moves: Vec<NodeId>,
    /// The move that was current, and therefore the first to explain, at the last request.
    first_awaited_move: Option<NodeId>,
    /// The signatures of the engines of a running analysis. While one of these engines is the judge, no marks are
    /// shown.
    running_signatures: Vec<String>,
}

impl RecordInsight {
    /// Sets the scales for evaluations.
    pub fn set_scales(&mut self, scales: &EngineScales) {
        if self.scales != *scales {
            (self.scales, self.key) = (scales.clone(), None);
        }
    }

    /// Sets the judge of the current record.
    pub fn choose_judge(&mut self, judge: Evaluator) {
        (self.chosen_judge, self.key) = (Some(judge), None);
    }

    /// Sets the signatures of the engines that are analysing the record. While one of these engines is the judge, no
    /// move is marked.
    pub fn set_running_engines(&mut self, signatures: &[&str]) {
        if self.running_signatures != signatures {
            self.running_signatures = signatures
                .iter()
                .map(|signature| (*signature).to_owned())
                .collect();
            self.key = None;
        }
    }

    /// Updates from a document. Returns whether the update is complete. If not, the caller repeats the call soon.
    pub fn update(&mut self, document: &Document) -> bool {
        let first = document.first_revision();
        let key = Some((document.revision(), document.line().last().copied()));
        if self.key == key {
            return true;
        }
        if self.first_revision != first {
            (self.first_revision, self.chosen_judge) = (first, None);
        }
        let record = document.record();
        let main = std::iter::once(NodeId::START).chain(record.main_line());
        let line: Vec<_> = main.chain(document.line().iter().copied()).collect();
        if !document.read_evaluations(&line) {
            return false;
        }
        let cache = document.evaluations();
        self.key = key;
        self.version += 1;
        // A record without evaluations gets no review: the rules alone assess no move.
        let reasons = self.review.reasons().clone();
        self.review = if cache.is_empty() {
            GameReview::default()
        } else {
            let evaluations_of = |node| cache.get(node);
            let all = Evaluators::from_values(record, document.line(), evaluations_of);
            let judge = self
                .chosen_judge
                .as_ref()
                .filter(|chosen| all.iter().any(|by| by == *chosen))
                .or_else(|| all.judge())
                .cloned();
            GameReview::with_evaluations(record, evaluations_of, all, judge, |evaluation| {
                self.scales.model(evaluation)
            })
        };
        if self.withholds_marks() {
            self.review.clear_moves();
        }
        self.review.set_reasons(record, reasons);
        self.is_updated_since_request = true;
        self.summary = self.review.summary(record);
        true
    }

    /// Returns whether marks are withheld, because the judge is an engine that is still analysing.
    pub fn withholds_marks(&self) -> bool {
        self.review.judge().is_some_and(|judge| {
            self.running_signatures
                .iter()
                .any(|signature| judge.is_engine_of(signature))
        })
    }

    /// Returns the moves of the line that need reasons: the current move first, then the others by their loss. Returns
    /// `None` if the list has not changed since the last call.
    pub fn take_moves_to_explain(&mut self, document: &Document) -> Option<Vec<NodeId>> {
        let (is_new, current) = (
            std::mem::take(&mut self.is_updated_since_request),
            document.current(),
        );
        if is_new {
            self.awaited_moves = reasons::moves_to_explain(&self.review, document.line());
        }
        let review = &self.review;
        self.awaited_moves.retain(|node| review.reason(*node).is_none());
        let is_first = self.awaited_moves.contains(&current)
            && self.first_awaited_move.replace(current) != Some(current);
        if !is_new && !is_first {
            return None;
        }
        let mut wanted = self.awaited_moves.clone();
        wanted.sort_by_key(|node| *node != current);
        Some(wanted)
    }

    /// Returns the decisive move that leads to a node; `None` if the move is not decisive.
    pub fn decisive(&self, node: NodeId) -> Option<&DecisiveMove> {
        self.summary.decisive(self.assessed(node)?)
    }

    /// Returns the number of moves whose reasons are being searched.
    pub fn awaited_reason_count(&self) -> usize {
        self.awaited_moves
            .iter()
            .filter(|node| self.review.reason(**node).is_none())
            .count()
    }

    /// Returns whether the reason of a move is being searched.
    pub fn awaits_reason(&self, node: NodeId) -> bool {
        self.awaited_moves.contains(&node) && self.review.reason(node).is_none()
    }

    /// Sets the reason of the move that leads to a node; `None` if none was found.
    pub fn set_reason(&mut self, record: &Record, node: NodeId, reason: Option<MoveReason>) {
        self.awaited_moves.retain(|awaited| *awaited != node);
        if let Some(reason) = reason {
            self.review.add_reason(record, node, reason);
        }
        self.version += 1;
    }

    /// Lets the next [`take_moves_to_explain`](Self::take_moves_to_explain) return all moves without a reason.
    pub const fn restart_reasons(&mut self) {
        self.is_updated_since_request = true;
    }

    /// Returns the judge of the record; `None` without a judge.
    pub const fn judge(&self) -> Option<&Evaluator> {
        self.review.judge()
    }

    /// Returns the evaluators of a document's record, and the one that judges it; `None` without a judge, or before an
    /// update from this record.
    pub fn evaluators_and_judge(&self, document: &Document) -> Option<(&Evaluators, &Evaluator)> {
        if self.first_revision != document.first_revision() {
            return None;
        }
        Some((self.review.evaluators(), self.judge()?))
    }

    /// Returns the version, which differs after every update and every added reason.
    pub const fn version(&self) -> u64 {
        self.version
    }

    /// Returns the judge's value of a position, from Black's view, and the scale of the judge. Without a judge, returns
    /// the value by the player whose move led to the position. Returns `None` without a value.
    pub fn value(&self, node: NodeId) -> Option<(Value, WinRateModel)> {
        self.review.judge_value(node)
    }

    /// Returns the values of each evaluator along the current line.
    pub fn series(&self, document: &Document) -> Vec<EvaluationSeries> {
        let to_series = |by: &Evaluator| {
            let stated: Vec<_> = std::iter::once(NodeId::START)
                .chain(document.line().iter().copied())
                .map(|node| self.review.value_by(by, node))
                .collect();
            let model = stated
                .iter()
                .flatten()
                .next()
                .map_or_else(WinRateModel::default, |(_, model)| *model);
            let values = stated
                .into_iter()
                .map(|stated| stated.map(|(value, _)| value))
                .collect();
            EvaluationSeries {
                evaluator: by.clone(),
                is_judge: self.judge() == Some(by),
                values,
                model,
            }
        };
        self.review.evaluators().iter().map(to_series).collect()
    }

    /// Returns the values along the main line by ply, from the start, as [`value`](Self::value) returns each of them.
    pub fn main_line_values(&self, document: &Document) -> Vec<Option<(Value, WinRateModel)>> {
        let record = document.record();
        let moves = record
            .main_line()
            .filter(|node| record.node(*node).mv().is_some());
        std::iter::once(NodeId::START)
            .chain(moves)
            .map(|node| self.value(node))
            .collect()
    }

    /// Returns the assessment of the move that leads to a node; `None` if the move is not assessed.
    pub fn assessed(&self, node: NodeId) -> Option<&AssessedMove> {
        self.review.assessed(node)
    }

    /// Returns the mark of the move that leads to a node; `None` without a mark or an assessment.
    pub fn mark(&self, node: NodeId) -> Option<MoveMark> {
        self.assessed(node)?.mark
    }

    /// Returns the summary of the game, without its variations.
    pub const fn summary(&self) -> &ReviewSummary {
        &self.summary
    }

    /// Returns the review of the whole record.
    pub const fn review(&self) -> &GameReview {
        &self.review
    }

    /// Returns the number of moves of a side with a mark.
    pub fn count_marks(&self, side: Color, mark: MoveMark) -> usize {
        let [black, white] = self.summary.sides;
        let side = if side == Color::Black { black } else { white };
        MoveMark::ALL
            .iter()
            .zip(side.marks)
            .find(|(one, _)| **one == mark)
            .map_or(0, |(_, count)| count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shogibar_config::Profiles;

    #[test]
    fn a_record_is_judged_by_its_comments() {
        let game = "手数----指手---------消費時間--\n**評価値=0\n1 ７六歩(77)\n**評価値=-300\n2 ３四歩(33)\n**評価値=-250\n";
        let mut document = Document::new(shogibar_kifu::read(game.as_bytes()).unwrap().games.remove(0));
        let mut insight = RecordInsight::default();
        assert!(insight.update(&document));
        let first = document.line()[0];
        assert_eq!(
            insight.value(first),
            Some((Value::Cp(-300), WinRateModel::default()))
        );
        assert_eq!(insight.mark(first), Some(MoveMark::Dubious), "12 points");
        assert_eq!(
            [Color::Black, Color::White].map(|side| insight.count_marks(side, MoveMark::Dubious)),
            [1, 0]
        );
        assert_eq!(
            insight.series(&document)[0].values,
            [0, -300, -250].map(|cp| Some(Value::Cp(cp)))
        );
        document.set_comment(first, "#評価値=10\n#エンジン=A\n#評価値=20\n#エンジン=B");
        assert!(insight.update(&document));
        let series = insight.series(&document);
        let named: Vec<_> = series
            .iter()
            .map(|series| (series.evaluator.clone(), series.is_judge))
            .collect();
        let engine = |name: &str| Evaluator::Engine(name.to_owned());
        let own = Evaluator::Unnamed(shogibar_kifu::evaluation::Source::Game);
        assert_eq!(
            named,
            [(own.clone(), false), (engine("A"), false), (engine("B"), true)]
        );
        insight.choose_judge(own);
        assert!(insight.update(&document));
        assert_eq!(insight.value(first), None, "the judge has no value here");
        insight.choose_judge(engine("A"));
        assert!(insight.update(&document));
        assert_eq!(insight.value(first).map(|(value, _)| value), Some(Value::Cp(10)));
        let (profiles, _) =
            Profiles::read("[[engine]]\nname = \"Hao\"\nprogram = \"/x\"\nk = 1200\n").unwrap();
        insight.set_scales(&EngineScales::from_profiles(&profiles));
        document.set_comment(first, "#評価値=-300\n#エンジン=Y (Hao) [nodes 5]");
        assert!(insight.update(&document));
        assert_eq!(
            insight.value(first),
            Some((Value::Cp(-300), WinRateModel::new(1200.0))),
            "as the user has set it"
        );
        document.set_comment(first, "*評価値=0");
        assert!(insight.update(&document));
        assert_eq!(insight.mark(first), None);
    }
}
