//! The evaluators of the positions of a game, and the choice of the evaluator that judges the moves.

use crate::{Label, analysis_text as text, phrase};
use shogibar_base::Lang;
use shogibar_base::visible::short;
use shogibar_builtin::after_builtin_name;
use shogibar_kifu::evaluation::{Evaluation, Source};
use shogibar_kifu::{NodeId, Record};
use shogibar_shogi::Color;
use std::collections::{HashMap, HashSet};

/// The share of the moves from which an evaluator has evaluated enough of a game to judge it, in percent.
const MIN_COVERAGE_PERCENT: usize = 80;

/// A source of evaluations. Two values are comparable only if they have the same evaluator.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Evaluator {
    /// An engine, by its name without the search limit.
    Engine(String),
    /// A player of the game, for their own moves.
    Player(Color),
    /// An evaluator without a name, by the kind of source of its evaluations.
    Unnamed(Source),
}

/// The evaluators of a game, with the number of its moves that each has evaluated.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Evaluators {
    /// The evaluators in order of appearance, with the number of moves that each has evaluated.
    counts: Vec<(Evaluator, usize)>,
    /// The number of moves in the game.
    moves: usize,
    /// Whether the unnamed evaluations of the game are by one evaluator. Otherwise each player has evaluated their own
    /// moves.
    has_single_source: bool,
}

impl Evaluator {
    /// Returns the evaluator of an evaluation. `mover` is the side whose move led to the position; `None` if the
    /// evaluation cannot be by a player.
    fn from_evaluation(evaluation: &Evaluation, mover: Option<Color>) -> Self {
        if let Some(name) = &evaluation.engine {
            return Self::Engine(
                crate::analysis::signatures::signed_engine(name)
                    .unwrap_or(name)
                    .to_owned(),
            );
        }
        match (evaluation.source, mover) {
            (Source::Game, Some(mover)) => Self::Player(mover),
            (source, _) => Self::Unnamed(source),
        }
    }

    /// Returns the display name: the name of an engine or player, or the side of a player without a name.
    pub fn label(&self, record: &Record, lang: Lang) -> String {
        let [black, white] = Label::sides(record.is_handicap());
        match self {
            Self::Engine(name) => phrase::engine_name(name, lang),
            Self::Player(color) => {
                let side = if *color == Color::Black { black } else { white };
                let name = record.player(*color).filter(|name| !name.is_empty());
                short(name.unwrap_or_else(|| side.text(lang))).into_owned()
            }
            Self::Unnamed(source) => text::unnamed(*source, lang).to_owned(),
        }
    }

    /// Returns the display name among other evaluators. The name has the version if another version of the engine is
    /// among them.
    pub fn label_among<'e>(
        &self,
        others: impl IntoIterator<Item = &'e Self>,
        record: &Record,
        lang: Lang,
    ) -> String {
        let label = self.label(record, lang);
        let is_shared = others
            .into_iter()
            .any(|other| other != self && other.label(record, lang) == label);
        match self {
            Self::Engine(name) if is_shared => phrase::engine_version_name(name, lang),
            _ => label,
        }
    }

    /// Returns whether the evaluator is the engine of a [signature](crate::analysis::signature).
    pub fn is_engine_of(&self, signature: &str) -> bool {
        let name = crate::analysis::signatures::signed_engine(signature).unwrap_or(signature);
        matches!(self, Self::Engine(engine) if engine == name)
    }

    /// Returns whether the evaluator is the built-in engine of this program, which is weaker than most engines.
    fn is_built_in(&self) -> bool {
        matches!(self, Self::Engine(name) if after_builtin_name(name).is_some())
    }

    /// Returns the priority of this kind of evaluator as a judge; higher is better.
    fn judge_priority(&self) -> u8 {
        match self {
            Self::Player(_) => 0,
            _ if self.is_built_in() => 1,
            Self::Engine(_) | Self::Unnamed(_) => 2,
        }
    }
}

impl Evaluators {
    /// Collects the evaluators of a record: those of the main line, and those of another line. `evaluations_of` returns
    /// the evaluations in the comment of a node.
    pub fn from_values<'s>(
        record: &Record,
        line: &[NodeId],
        evaluations_of: impl Fn(NodeId) -> &'s [Evaluation],
    ) -> Self {
        // Neither player has moved at the start, so an evaluation there is by another evaluator of the game.
        let has_single_source = evaluations_of(NodeId::START)
            .iter()
            .any(|value| value.engine.is_none() && value.source == Source::Game);
        let mut all = Self {
            has_single_source,
            ..Self::default()
        };
        let main: Vec<_> = record
            .main_line()
            .filter(|node| record.node(*node).mv().is_some())
            .collect();
        let in_main: HashSet<_> = main.iter().copied().collect();
        all.moves = main.len();
        let others = line
            .iter()
            .copied()
            .filter(|node| !in_main.contains(node) && *node != NodeId::START);
        for node in std::iter::once(NodeId::START).chain(main).chain(others) {
            let mut here: Vec<Evaluator> = Vec::new();
            for value in evaluations_of(node).iter().filter(|value| is_value(value)) {
                let by = all.evaluator_of(value, record, node);
                if !here.contains(&by) {
                    here.push(by);
                }
            }
            for by in here {
                let counts = usize::from(in_main.contains(&node));
                match all.counts.iter_mut().find(|(other, _)| *other == by) {
                    Some((_, count)) => *count += counts,
                    None => all.counts.push((by, counts)),
                }
            }
        }
        all
    }

    /// Reads the comments of the main line of a record, and collects the evaluators.
    pub fn read(record: &Record) -> Self {
        let mut walk = record.walk();
        let line = std::iter::once(NodeId::START).chain(record.main_line());
        let evaluations: HashMap<_, _> = line.map(|node| (node, walk.evaluations(node))).collect();
        Self::from_values(record, &[], |node| {
            evaluations.get(&node).map_or(&[], Vec::as_slice)
        })
    }

    /// Returns the evaluator of an evaluation at a node.
    pub fn evaluator_of(&self, evaluation: &Evaluation, record: &Record, node: NodeId) -> Evaluator {
        let player = if self.has_single_source {
            None
        } else {
            mover(record, node)
        };
        Evaluator::from_evaluation(evaluation, player)
    }

    /// Returns the evaluators in order of appearance.
    pub fn iter(&self) -> impl Iterator<Item = &Evaluator> {
        self.counts.iter().map(|(by, _)| by)
    }

    /// Returns the number of moves that an evaluator has evaluated, and the number of moves in the game.
    pub fn coverage(&self, by: &Evaluator) -> [usize; 2] {
        [
            self.counts
                .iter()
                .find(|(other, _)| other == by)
                .map_or(0, |(_, count)| *count),
            self.moves,
        ]
    }

    /// Returns whether an evaluator has evaluated enough of the game to judge it.
    pub fn has_enough_moves(&self, by: &Evaluator) -> bool {
        let [count, moves] = self.coverage(by);
        count * 100 >= moves * MIN_COVERAGE_PERCENT
    }

    /// Returns the default judge: the evaluator with the most moves. An engine that has evaluated 80 % of the moves or
    /// more is preferred to the built-in engine. Players cannot judge, because neither of them has values both before
    /// and after a move. Returns `None` without another evaluator.
    pub fn judge(&self) -> Option<&Evaluator> {
        let candidates = || {
            self.counts
                .iter()
                .filter(|(by, _)| !matches!(by, Evaluator::Player(_)))
        };
        let full = candidates()
            .filter(|(by, _)| self.has_enough_moves(by))
            .max_by_key(|(by, count)| (by.judge_priority(), *count));
        full.or_else(|| candidates().max_by_key(|(by, count)| (*count, by.judge_priority())))
            .map(|(by, _)| by)
    }

    /// Finds an evaluator by its full name, the name of its profile, its name without the profile, or a part of its
    /// name. The name must match only one evaluator. [`BUILT_IN_NAME`](shogibar_config::BUILT_IN_NAME) finds the built-in
    /// engine.
    ///
    /// # Errors
    /// Fails with the evaluators that match, if their number is not one.
    pub fn find(&self, name: &str, record: &Record, lang: Lang) -> Result<&Evaluator, Vec<&Evaluator>> {
        let name = crate::analysis::signatures::signed_engine(name)
            .unwrap_or(name)
            .to_lowercase();
        if name == shogibar_config::BUILT_IN_NAME {
            return self.iter().find(|by| by.is_built_in()).ok_or_else(Vec::new);
        }
        let (profile, own) = (format!(" ({name})"), format!("{name} ("));
        let fits: [&dyn Fn(&str) -> bool; 4] = [
            &|label| label == name,
            &|label| label.ends_with(&profile),
            &|label| label.starts_with(&own),
            &|label| !name.is_empty() && label.contains(&name),
        ];
        let mut found = Vec::new();
        for fits in fits {
            let names = |by: &Evaluator| match by {
                Evaluator::Engine(own) => [by.label(record, lang), own.clone()],
                _ => [by.label(record, lang), String::new()],
            };
            found = self
                .iter()
                .filter(|by| names(by).iter().any(|own| fits(&own.to_lowercase())))
                .collect();
            if let [only] = found.as_slice() {
                return Ok(only);
            }
        }
        Err(found)
    }
}

/// Returns the side whose move leads to a node; `None` at the start.
fn mover(record: &Record, node: NodeId) -> Option<Color> {
    record.parent(node)?;
    let first = record.start().side_to_move();
    Some(if record.node(node).ply() % 2 == 1 {
        first
    } else {
        first.flip()
    })
}

/// Returns whether an evaluation is a value of the position itself. Such an evaluation has a value, is of the best
/// line, and is not of an alternative to the move played.
pub(super) fn is_value(evaluation: &Evaluation) -> bool {
    evaluation.value.is_some() && evaluation.rank.unwrap_or(1) <= 1 && !evaluation.is_alternative
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Creates a game of ten moves. Each of the engines has evaluated a range of plies.
    fn game(engines: &[(&str, std::ops::RangeInclusive<usize>)]) -> Record {
        let moves = [
            "5i5h", "5a5b", "5h5i", "5b5a", "5i4h", "5a6b", "4h3h", "6b7b", "3h4h", "7b6b",
        ]
        .join(" ");
        let mut record = shogibar_kifu::read(format!("position startpos moves {moves}").as_bytes())
            .unwrap()
            .games
            .remove(0);
        let nodes: Vec<_> = std::iter::once(NodeId::START).chain(record.main_line()).collect();
        for (ply, node) in nodes.into_iter().enumerate() {
            let writers = engines.iter().filter(|(_, plies)| plies.contains(&ply));
            let comments: Vec<_> = writers
                .map(|(name, _)| format!("#評価値=1\n#エンジン={name} [nodes 5]"))
                .collect();
            record.node_mut(node).notes_mut().comment = Some(comments.join("\n"));
        }
        record
    }

    /// Returns the display name of the default judge.
    fn judge(record: &Record) -> Option<String> {
        Evaluators::read(record)
            .judge()
            .map(|by| by.label(record, Lang::En))
    }

    /// The name of the built-in engine in a signature.
    const OURS: &str = "Shogibar 0.1.0 (built-in, weak)";

    #[test]
    fn default_judge_has_most_moves() {
        let check = |engines: &[(&str, std::ops::RangeInclusive<usize>)], expect: Option<&str>| {
            assert_eq!(judge(&game(engines)).as_deref(), expect, "{engines:?}");
        };
        check(&[], None);
        check(&[("A", 0..=10), ("B", 8..=10)], Some("A"));
        check(&[("B", 8..=10), ("A", 0..=10)], Some("A"));
        // The judge is the engine with the most moves, of those with enough.
        check(&[("A", 1..=8), ("B", 1..=9)], Some("B"));
        check(&[("B", 1..=9), ("A", 1..=8)], Some("B"));
        // Another engine with enough moves is preferred to the built-in engine.
        check(&[(OURS, 0..=10), ("A", 1..=8)], Some("A"));
        check(&[(OURS, 0..=10), ("A", 1..=7)], Some("Built-in engine"));
        check(&[(OURS, 0..=10)], Some("Built-in engine"));
        // If no engine has enough moves, the judge is the engine with the most moves.
        check(&[("A", 1..=3), ("B", 4..=9)], Some("B"));
        check(&[(OURS, 1..=7), ("A", 8..=10)], Some("Built-in engine"));
        check(&[(OURS, 1..=5), ("A", 6..=10)], Some("A"));
    }

    #[test]
    fn find_matches_full_and_partial_names() {
        let record = game(&[
            ("Fairy-Stockfish 11.1", 0..=10),
            ("YaneuraOu 9 (Hao)", 0..=10),
            (OURS, 0..=10),
        ]);
        let all = Evaluators::read(&record);
        let check = |name: &str, expect: Option<&str>| {
            let found = all
                .find(name, &record, Lang::Ja)
                .map(|by| by.label(&record, Lang::Ja));
            assert_eq!(found.ok().as_deref(), expect, "{name}");
        };
        assert_eq!(all.find("a", &record, Lang::Ja).unwrap_err().len(), 3);
        check("Fairy-Stockfish 11.1", Some("Fairy-Stockfish 11.1"));
        check("fairy-stockfish", Some("Fairy-Stockfish 11.1"));
        check("Fairy-Stockfish 11.1 [nodes 5]", Some("Fairy-Stockfish 11.1"));
        check("hao", Some("YaneuraOu 9 (Hao)"));
        check("built-in", Some("内蔵エンジン"));
        check("内蔵", Some("内蔵エンジン"));
        check("a", None);
        check("", None);
        check("gpsfish", None);
    }

    #[test]
    fn labels_distinguish_versions_of_an_engine() {
        let record = game(&[
            (OURS, 0..=10),
            ("Shogibar 0.0.9 (built-in, weak)", 0..=3),
            ("A", 0..=3),
        ]);
        let all = Evaluators::read(&record);
        let labels = |lang| {
            all.iter()
                .map(|by| by.label_among(all.iter(), &record, lang))
                .collect::<Vec<_>>()
        };
        assert_eq!(
            labels(Lang::Ja),
            ["内蔵エンジン 0.1.0", "内蔵エンジン 0.0.9", "A"]
        );
        assert_eq!(
            labels(Lang::En),
            ["Built-in engine 0.1.0", "Built-in engine 0.0.9", "A"]
        );
        let one = all.judge().unwrap();
        assert_eq!(one.label_among([one], &record, Lang::En), "Built-in engine");
    }

    #[test]
    fn players_are_separate_and_cannot_judge() {
        let text = "先手：gps\n後手：elmo\n1 ７六歩(77)\n** 30 -3334FU\n2 ３四歩(33)\n** 55 +2726FU\n3 ２六歩(27)\n** 20\n";
        let mut record = shogibar_kifu::read(text.as_bytes()).unwrap().games.remove(0);
        let labels = |record: &Record| {
            let all = Evaluators::read(record);
            let labels: Vec<_> = all
                .iter()
                .map(|by| (by.label(record, Lang::Ja), all.coverage(by)))
                .collect();
            (labels, all.judge().is_some())
        };
        let expect = vec![("gps".to_owned(), [2, 3]), ("elmo".to_owned(), [1, 3])];
        assert_eq!(labels(&record), (expect, false));
        // A value at the start is by neither player: then all values have one evaluator.
        record.node_mut(NodeId::START).notes_mut().comment = Some("* 12".to_owned());
        let (found, is_judged) = labels(&record);
        assert_eq!((found.len(), found[0].1, is_judged), (1, [3, 3], true));
    }
}
