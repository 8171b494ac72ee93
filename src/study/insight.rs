//! What a record's comments state, and what that makes of its moves.

use super::{Document, Said};
use crate::analysis::{Assessed, Mark, Review, Scales, Summary};
use crate::kifu::NodeId;
use crate::kifu::evaluation::Evaluation;
use crate::score::{Model, Value};
use crate::shogi::Color;

/// More lines than this are a tangle.
const MOST_ENGINES: usize = 4;

/// What an engine says of a line.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// Its name; empty where there is one only.
    pub name: String,
    /// Its values in Black's view, the start's first.
    pub values: Vec<Option<Value>>,
    /// What they are worth as win rates.
    pub model: Model,
}

/// What is known of a record's positions and moves, from its comments.
#[derive(Debug, Default)]
pub struct Insight {
    said: Said,
    /// The record that was read.
    said_of: u64,
    review: Review,
    summary: Summary,
    /// How often it was worked out.
    version: u64,
    /// What it was worked out of: the revision, and the line's end.
    of: Option<(u64, Option<NodeId>)>,
    scales: Scales,
}

impl Insight {
    /// Weighs what engines say by these scales from now on.
    pub fn weigh(&mut self, scales: Scales) {
        if self.scales != scales {
            (self.scales, self.of) = (scales, None);
        }
    }

    /// Takes a record in; whether all of it was: else it has to be asked for more, soon.
    pub fn look(&mut self, document: &Document) -> bool {
        let first = document.first_revision();
        let of = Some((document.revision(), document.line().last().copied()));
        if self.of == of {
            return true;
        }
        if self.said_of != first {
            (self.said, self.said_of) = (Said::default(), first);
        }
        let record = document.record();
        let line: Vec<_> = std::iter::once(NodeId::START).chain(document.line().iter().copied()).collect();
        if !self.said.read(record, &line) {
            return false;
        }
        self.of = of;
        self.version += 1;
        // The rules alone say nothing of a move: a record of which nothing is said is not gone through for that.
        self.review = if self.said.is_silent() {
            Review::default()
        } else {
            Review::of(record, |node| self.said.of(node), &[], |said| self.scales.model(said))
        };
        self.summary = self.review.summary_of(document.line().iter().copied());
        true
    }

    /// A number that is another one whenever something else is known.
    pub const fn version(&self) -> u64 {
        self.version
    }

    /// The value of a position, in Black's view, and what turns it into a win rate.
    pub fn value(&self, node: NodeId) -> Option<(Value, Model)> {
        let said = self.said.first(node)?;
        Some((said.value?, self.scales.model(said)))
    }

    /// What each engine says of the line on view, where several do: its name, its values by place, 0 being the
    /// start, and what turns them into win rates. One engine, or a record that names none, is one line.
    pub fn series(&self, document: &Document) -> Vec<Series> {
        let nodes = || std::iter::once(NodeId::START).chain(document.line().iter().copied());
        let mut names: Vec<&str> = Vec::new();
        for name in nodes().flat_map(|node| self.said.of(node)).filter_map(|said| said.engine.as_deref()) {
            if !names.contains(&name) && names.len() < MOST_ENGINES {
                names.push(name);
            }
        }
        if names.len() < 2 {
            let said = |node| self.value(node);
            let model = nodes().find_map(said).map_or_else(Model::default, |(_, model)| model);
            let values = nodes().map(|node| said(node).map(|(value, _)| value)).collect();
            return vec![Series { name: String::new(), values, model }];
        }
        let of = |name: &str| {
            let is_its = |said: &&Evaluation| said.engine.as_deref() == Some(name) && said.rank.unwrap_or(1) <= 1;
            let last = |node| self.said.of(node).iter().filter(|said| !said.is_alternative).rfind(is_its);
            let values = nodes().map(|node| last(node).and_then(|said| said.value)).collect();
            let model = nodes().find_map(last).map_or_else(Model::default, |said| self.scales.model(said));
            Series { name: name.to_owned(), values, model }
        };
        names.into_iter().map(of).collect()
    }

    /// What the move that leads to a node was worth.
    pub fn assessed(&self, node: NodeId) -> Option<&Assessed> {
        self.review.assessed(node)
    }

    /// How bad the move that leads to a node was; `None` where it was not, and where that is not known.
    pub fn mark(&self, node: NodeId) -> Option<Mark> {
        self.assessed(node)?.mark
    }

    /// What the line on view comes to.
    pub const fn summary(&self) -> &Summary {
        &self.summary
    }

    /// What the whole record comes to.
    pub const fn review(&self) -> &Review {
        &self.review
    }

    /// How many moves of a side have this mark.
    pub fn count(&self, side: Color, mark: Mark) -> usize {
        let [black, white] = self.summary.sides;
        let side = if side == Color::Black { black } else { white };
        Mark::ALL.iter().zip(side.marks).find(|(one, _)| **one == mark).map_or(0, |(_, count)| count)
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
        let mut insight = Insight::default();
        assert!(insight.look(&document));
        let first = document.line()[0];
        assert_eq!(insight.value(first), Some((Value::Cp(-300), Model::default())));
        assert_eq!(insight.mark(first), Some(Mark::Dubious), "12 points");
        assert_eq!([Color::Black, Color::White].map(|side| insight.count(side, Mark::Dubious)), [1, 0]);
        assert_eq!(insight.series(&document)[0].values, [0, -300, -250].map(|cp| Some(Value::Cp(cp))));
        document.comment(first, "#評価値=10\n#エンジン=A\n#評価値=20\n#エンジン=B");
        assert!(insight.look(&document));
        let series = insight.series(&document);
        let named: Vec<_> = series.iter().map(|series| (series.name.as_str(), series.values[1])).collect();
        assert_eq!(named.len(), 2, "{named:?}");
        let (profiles, _) = Profiles::read("[[engine]]\nname = \"Hao\"\nprogram = \"/x\"\nk = 1200\n").unwrap();
        insight.weigh(Scales::of(&profiles));
        document.comment(first, "#評価値=-300\n#エンジン=Y (Hao) [nodes 5]");
        assert!(insight.look(&document));
        assert_eq!(insight.value(first), Some((Value::Cp(-300), Model::new(1200.0))), "as the user has set it");
        document.comment(first, "*評価値=0");
        assert!(insight.look(&document));
        assert_eq!(insight.mark(first), None);
    }
}
