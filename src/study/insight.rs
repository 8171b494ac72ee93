//! What a record's comments state, and what that makes of its moves.

use super::{Document, EvaluationCache};
use crate::analysis::{AssessedMove, EngineScales, Evaluator, Evaluators, GameReview, MoveMark, ReviewSummary};
use crate::kifu::NodeId;
use crate::score::{Model, Value};
use crate::shogi::Color;

/// What an engine says of a line.
#[derive(Clone, Debug, PartialEq)]
pub struct EvaluationSeries {
    /// Who says so.
    pub by: Evaluator,
    /// Whether it judges the game.
    pub is_judge: bool,
    /// Its values in Black's view, the start's first.
    pub values: Vec<Option<Value>>,
    /// What they are worth as win rates.
    pub model: Model,
}

/// What is known of a record's positions and moves, from its comments.
#[derive(Debug, Default)]
pub struct RecordInsight {
    said: EvaluationCache,
    /// The record that was read.
    said_of: u64,
    review: GameReview,
    summary: ReviewSummary,
    /// How often it was worked out.
    version: u64,
    /// What it was worked out of: the revision, and the line's end.
    of: Option<(u64, Option<NodeId>)>,
    scales: EngineScales,
    /// Who is to judge this record, where the user has said so.
    chosen: Option<Evaluator>,
    /// Engines of an analysis under way, by how they sign: what they find is marked when all of it is there.
    at_work: Vec<String>,
}

impl RecordInsight {
    /// Weighs what engines say by these scales from now on.
    pub fn set_scales(&mut self, scales: EngineScales) {
        if self.scales != scales {
            (self.scales, self.of) = (scales, None);
        }
    }

    /// Has one of the evaluators judge the record on view from now on.
    pub fn choose(&mut self, judge: Evaluator) {
        (self.chosen, self.of) = (Some(judge), None);
    }

    /// These engines are at work on the record, by how they sign: as long as one of them judges, no move is marked.
    pub fn hide_engines(&mut self, at_work: &[&str]) {
        if self.at_work != at_work {
            self.at_work = at_work.iter().map(|signature| (*signature).to_owned()).collect();
            self.of = None;
        }
    }

    /// Takes a record in; whether all of it was: else it has to be asked for more, soon.
    pub fn update(&mut self, document: &Document) -> bool {
        let first = document.first_revision();
        let of = Some((document.revision(), document.line().last().copied()));
        if self.of == of {
            return true;
        }
        if self.said_of != first {
            (self.said, self.said_of, self.chosen) = (EvaluationCache::default(), first, None);
        }
        let record = document.record();
        let main = std::iter::once(NodeId::START).chain(record.main_line());
        let line: Vec<_> = main.chain(document.line().iter().copied()).collect();
        if !self.said.read(record, &line) {
            return false;
        }
        self.of = of;
        self.version += 1;
        // The rules alone say nothing of a move: a record of which nothing is said is not gone through for that.
        self.review = if self.said.is_silent() {
            GameReview::default()
        } else {
            let said = |node| self.said.get(node);
            let all = Evaluators::from_values(record, document.line(), said);
            let is_there = |chosen: &&Evaluator| all.iter().any(|by| by == *chosen);
            let judge = self.chosen.as_ref().filter(is_there).or_else(|| all.judge()).cloned();
            GameReview::from_evaluation(record, said, (all, judge), |said| self.scales.model(said))
        };
        if self.is_withheld() {
            self.review.clear_moves();
        }
        self.summary = self.review.summary_of(document.line().iter().copied());
        true
    }

    /// Whether the judge is an engine that is still at work.
    pub fn is_withheld(&self) -> bool {
        let is_it = |judge: &Evaluator| self.at_work.iter().any(|signature| judge.signs(signature));
        self.review.judge().is_some_and(is_it)
    }

    /// Who judges the record; `None` where nobody does.
    pub const fn judge(&self) -> Option<&Evaluator> {
        self.review.judge()
    }

    /// A number that is another one whenever something else is known.
    pub const fn version(&self) -> u64 {
        self.version
    }

    /// The value of a position by who judges, in Black's view, and what turns it into a win rate.
    pub fn value(&self, node: NodeId) -> Option<(Value, Model)> {
        self.review.stated(node)
    }

    /// What each of those who evaluate the record says of the line on view: its values by place, 0 being the
    /// start, and what turns them into win rates.
    pub fn series(&self, document: &Document) -> Vec<EvaluationSeries> {
        let nodes = || std::iter::once(NodeId::START).chain(document.line().iter().copied());
        let of = |by: &Evaluator| {
            let said: Vec<_> = nodes().map(|node| self.review.said_by(by, node)).collect();
            let model = said.iter().flatten().next().map_or_else(Model::default, |(_, model)| *model);
            let values = said.into_iter().map(|said| said.map(|(value, _)| value)).collect();
            EvaluationSeries { by: by.clone(), is_judge: self.judge() == Some(by), values, model }
        };
        self.review.evaluators().iter().map(of).collect()
    }

    /// What the move that leads to a node was worth.
    pub fn assessed(&self, node: NodeId) -> Option<&AssessedMove> {
        self.review.assessed(node)
    }

    /// How bad the move that leads to a node was; `None` where it was not, and where that is not known.
    pub fn mark(&self, node: NodeId) -> Option<MoveMark> {
        self.assessed(node)?.mark
    }

    /// What the line on view comes to.
    pub const fn summary(&self) -> &ReviewSummary {
        &self.summary
    }

    /// What the whole record comes to.
    pub const fn review(&self) -> &GameReview {
        &self.review
    }

    /// How many moves of a side have this mark.
    pub fn count(&self, side: Color, mark: MoveMark) -> usize {
        let [black, white] = self.summary.sides;
        let side = if side == Color::Black { black } else { white };
        MoveMark::ALL.iter().zip(side.marks).find(|(one, _)| **one == mark).map_or(0, |(_, count)| count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Profiles;
    use crate::kifu;

    #[test]
    fn a_record_is_judged_by_its_comments() {
        let game =
            "手数----指手---------消費時間--\n**評価値=0\n1 ７六歩(77)\n**評価値=-300\n2 ３四歩(33)\n**評価値=-250\n";
        let mut document = Document::new(kifu::read(game.as_bytes()).unwrap().games.remove(0));
        let mut insight = RecordInsight::default();
        assert!(insight.update(&document));
        let first = document.line()[0];
        assert_eq!(insight.value(first), Some((Value::Cp(-300), Model::default())));
        assert_eq!(insight.mark(first), Some(MoveMark::Dubious), "12 points");
        assert_eq!([Color::Black, Color::White].map(|side| insight.count(side, MoveMark::Dubious)), [1, 0]);
        assert_eq!(insight.series(&document)[0].values, [0, -300, -250].map(|cp| Some(Value::Cp(cp))));
        document.comment(first, "#評価値=10\n#エンジン=A\n#評価値=20\n#エンジン=B");
        assert!(insight.update(&document));
        let series = insight.series(&document);
        let named: Vec<_> = series.iter().map(|series| (series.by.clone(), series.is_judge)).collect();
        let engine = |name: &str| Evaluator::Engine(name.to_owned());
        let own = Evaluator::Unnamed(crate::kifu::evaluation::Source::Game);
        assert_eq!(named, [(own.clone(), false), (engine("A"), false), (engine("B"), true)]);
        insight.choose(own);
        assert!(insight.update(&document));
        assert_eq!(insight.value(first), None, "it is asked, and says nothing here");
        insight.choose(engine("A"));
        assert!(insight.update(&document));
        assert_eq!(insight.value(first).map(|(value, _)| value), Some(Value::Cp(10)));
        let (profiles, _) = Profiles::read("[[engine]]\nname = \"Hao\"\nprogram = \"/x\"\nk = 1200\n").unwrap();
        insight.set_scales(EngineScales::from_profiles(&profiles));
        document.comment(first, "#評価値=-300\n#エンジン=Y (Hao) [nodes 5]");
        assert!(insight.update(&document));
        assert_eq!(insight.value(first), Some((Value::Cp(-300), Model::new(1200.0))), "as the user has set it");
        document.comment(first, "*評価値=0");
        assert!(insight.update(&document));
        assert_eq!(insight.mark(first), None);
    }
}
