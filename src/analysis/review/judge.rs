//! Who evaluates the positions of a game, and which of them judges its moves.

use crate::kifu::evaluation::{Evaluation, Source};
use crate::kifu::{NodeId, Record};
use crate::shogi::Color;
use crate::text::{Label, Lang, analysis as text};
use std::collections::{HashMap, HashSet};

/// Who judges has evaluated so many of a hundred moves, where anybody has.
const FULL: usize = 80;

/// How our own engine's name begins, and what it has besides.
const BUILT_IN: [&str; 2] = ["Shogibar ", "(built-in"];

/// One that evaluates positions. Two values can be compared where they are by the same.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Evaluator {
    /// An engine, by its name without the limit of its searches.
    Engine(String),
    /// A player of the game, for its own moves.
    Player(Color),
    /// Somebody who is not named.
    Unnamed(Source),
}

/// Those who evaluate the positions of a game, and how many of its moves each has.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Evaluators {
    /// In the order in which they appear.
    found: Vec<(Evaluator, usize)>,
    /// How many moves the game has.
    moves: usize,
    /// Whether what was stated in the game without a name is by one hand, not by each player for its own moves.
    is_one_hand: bool,
}

impl Evaluator {
    fn from_evaluation(said: &Evaluation, mover: Option<Color>) -> Self {
        if let Some(name) = &said.engine {
            return Self::Engine(crate::analysis::engine_result::engine(name).unwrap_or(name).to_owned());
        }
        match (said.source, mover) {
            (Source::Game, Some(mover)) => Self::Player(mover),
            (source, _) => Self::Unnamed(source),
        }
    }

    /// What it is called: an engine by its name, a player by its own, or by its side where that is not known.
    pub fn label(&self, record: &Record, lang: Lang) -> String {
        let [black, white] = Label::sides(record.is_handicap());
        match self {
            Self::Engine(name) => name.clone(),
            Self::Player(color) => {
                let side = if *color == Color::Black { black } else { white };
                record.player(*color).filter(|name| !name.is_empty()).unwrap_or_else(|| side.text(lang)).to_owned()
            }
            Self::Unnamed(source) => text::unnamed(*source, lang).to_owned(),
        }
    }

    /// Whether it is the engine of a [signature](crate::analysis::signature).
    pub fn signs(&self, signature: &str) -> bool {
        let name = crate::analysis::engine_result::engine(signature).unwrap_or(signature);
        matches!(self, Self::Engine(engine) if engine == name)
    }

    /// Whether it is the engine that comes with this program, which is weak.
    fn is_built_in(&self) -> bool {
        let [begin, part] = BUILT_IN;
        matches!(self, Self::Engine(name) if name.starts_with(begin) && name.contains(part))
    }

    /// Who comes before whom as a judge.
    fn class(&self) -> u8 {
        match self {
            Self::Player(_) => 0,
            _ if self.is_built_in() => 1,
            Self::Engine(_) | Self::Unnamed(_) => 2,
        }
    }
}

impl Evaluators {
    /// Those of a record, by what is `said` at the nodes of its main line and of another line.
    pub fn from_values<'s>(record: &Record, line: &[NodeId], said: impl Fn(NodeId) -> &'s [Evaluation]) -> Self {
        // Nobody has moved at the start: what stands there was stated for the game as a whole.
        let is_one_hand = said(NodeId::START).iter().any(|said| said.engine.is_none() && said.source == Source::Game);
        let mut all = Self { is_one_hand, ..Self::default() };
        let main: Vec<_> = record.main_line().filter(|node| record.node(*node).mv().is_some()).collect();
        let in_main: HashSet<_> = main.iter().copied().collect();
        all.moves = main.len();
        let others = line.iter().copied().filter(|node| !in_main.contains(node) && *node != NodeId::START);
        for node in std::iter::once(NodeId::START).chain(main).chain(others) {
            let mut here: Vec<Evaluator> = Vec::new();
            for value in said(node).iter().filter(|said| is_value(said)) {
                let by = all.evaluator_of(value, record, node);
                if !here.contains(&by) {
                    here.push(by);
                }
            }
            for by in here {
                let counts = usize::from(in_main.contains(&node));
                match all.found.iter_mut().find(|(other, _)| *other == by) {
                    Some((_, count)) => *count += counts,
                    None => all.found.push((by, counts)),
                }
            }
        }
        all
    }

    /// Those of a record, for which every comment of its main line is read.
    pub fn read(record: &Record) -> Self {
        let mut walk = record.walk();
        let line = std::iter::once(NodeId::START).chain(record.main_line());
        let said: HashMap<_, _> = line.map(|node| (node, walk.evaluations(node))).collect();
        Self::from_values(record, &[], |node| said.get(&node).map_or(&[], Vec::as_slice))
    }

    /// Who says something at a node.
    pub fn evaluator_of(&self, said: &Evaluation, record: &Record, node: NodeId) -> Evaluator {
        Evaluator::from_evaluation(said, mover(record, node).filter(|_| !self.is_one_hand))
    }

    /// Each of them, in the order in which they appear.
    pub fn iter(&self) -> impl Iterator<Item = &Evaluator> {
        self.found.iter().map(|(by, _)| by)
    }

    /// How many moves of the game one has evaluated, and how many there are.
    pub fn coverage(&self, by: &Evaluator) -> [usize; 2] {
        [self.found.iter().find(|(other, _)| other == by).map_or(0, |(_, count)| *count), self.moves]
    }

    /// Whether one has evaluated enough of the game to judge it.
    pub fn is_full(&self, by: &Evaluator) -> bool {
        let [count, moves] = self.coverage(by);
        count * 100 >= moves * FULL
    }

    /// Who judges where nobody is chosen: of those that have evaluated 80 % of the moves or more the one with the most, our
    /// own engine only where there is no other. Where nobody has as many, the one with the most of all. Players who evaluate their own moves do not judge,
    /// for none has a value before and after a move.
    pub fn judge(&self) -> Option<&Evaluator> {
        let may = || self.found.iter().filter(|(by, _)| !matches!(by, Evaluator::Player(_)));
        let full = may().filter(|(by, _)| self.is_full(by)).max_by_key(|(by, count)| (by.class(), *count));
        full.or_else(|| may().max_by_key(|(by, count)| (*count, by.class()))).map(|(by, _)| by)
    }

    /// The one that is meant by a name: by its whole name, that of a profile, or a part that only one has.
    ///
    /// # Errors
    /// Those that the name fits, where there is not one: none or several.
    pub fn find(&self, name: &str, record: &Record, lang: Lang) -> Result<&Evaluator, Vec<&Evaluator>> {
        let name = crate::analysis::engine_result::engine(name).unwrap_or(name).to_lowercase();
        if name == crate::config::BUILT_IN {
            return self.iter().find(|by| by.is_built_in()).ok_or_else(Vec::new);
        }
        let (profile, own) = (format!(" ({name})"), format!("{name} ("));
        let fits: [&dyn Fn(&str) -> bool; 4] =
            [&|label| label == name, &|label| label.ends_with(&profile), &|label| label.starts_with(&own), &|label| {
                !name.is_empty() && label.contains(&name)
            }];
        let mut found = Vec::new();
        for fits in fits {
            found = self.iter().filter(|by| fits(&by.label(record, lang).to_lowercase())).collect();
            if let [only] = found.as_slice() {
                return Ok(only);
            }
        }
        Err(found)
    }
}

/// Whose move leads to a node; `None` at the start.
fn mover(record: &Record, node: NodeId) -> Option<Color> {
    record.parent(node)?;
    let first = record.start().side_to_move();
    Some(if record.node(node).ply() % 2 == 1 { first } else { first.flip() })
}

/// Whether it says what the position is worth: the value of the best line, and not of another move than the one played.
pub(super) fn is_value(said: &Evaluation) -> bool {
    said.value.is_some() && said.rank.unwrap_or(1) <= 1 && !said.is_alternative
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kifu;

    /// A game of ten moves, at which each of these has evaluated from one move to another.
    fn game(engines: &[(&str, std::ops::RangeInclusive<usize>)]) -> Record {
        let moves = ["5i5h", "5a5b", "5h5i", "5b5a", "5i4h", "5a6b", "4h3h", "6b7b", "3h4h", "7b6b"].join(" ");
        let mut record = kifu::read(format!("position startpos moves {moves}").as_bytes()).unwrap().games.remove(0);
        let nodes: Vec<_> = std::iter::once(NodeId::START).chain(record.main_line()).collect();
        for (ply, node) in nodes.into_iter().enumerate() {
            let said = engines.iter().filter(|(_, plies)| plies.contains(&ply));
            let said: Vec<_> = said.map(|(name, _)| format!("#評価値=1\n#エンジン={name} [nodes 5]")).collect();
            record.node_mut(node).notes_mut().comment = Some(said.join("\n"));
        }
        record
    }

    fn judge(record: &Record) -> Option<String> {
        Evaluators::read(record).judge().map(|by| by.label(record, Lang::En))
    }

    const OURS: &str = "Shogibar 0.1.0 (built-in, weak)";

    #[test]
    fn one_engine_judges_a_game() {
        let check = |engines: &[(&str, std::ops::RangeInclusive<usize>)], expect: Option<&str>| {
            assert_eq!(judge(&game(engines)).as_deref(), expect, "{engines:?}");
        };
        check(&[], None);
        check(&[("A", 0..=10), ("B", 8..=10)], Some("A"));
        check(&[("B", 8..=10), ("A", 0..=10)], Some("A"));
        // Of those that have enough of it the one that has most.
        check(&[("A", 1..=8), ("B", 1..=9)], Some("B"));
        check(&[("B", 1..=9), ("A", 1..=8)], Some("B"));
        // Our own is the last.
        check(&[(OURS, 0..=10), ("A", 1..=8)], Some("A"));
        check(&[(OURS, 0..=10), ("A", 1..=7)], Some(OURS));
        check(&[(OURS, 0..=10)], Some(OURS));
        // Where nobody has enough, who has most.
        check(&[("A", 1..=3), ("B", 4..=9)], Some("B"));
        check(&[(OURS, 1..=7), ("A", 8..=10)], Some(OURS));
        check(&[(OURS, 1..=5), ("A", 6..=10)], Some("A"));
    }

    #[test]
    fn an_engine_is_found_by_what_it_is_called() {
        let record = game(&[("Fairy-Stockfish 11.1", 0..=10), ("YaneuraOu 9 (Hao)", 0..=10), (OURS, 0..=10)]);
        let all = Evaluators::read(&record);
        let check = |name: &str, expect: Option<&str>| {
            let found = all.find(name, &record, Lang::Ja).map(|by| by.label(&record, Lang::Ja));
            assert_eq!(found.ok().as_deref(), expect, "{name}");
        };
        assert_eq!(all.find("a", &record, Lang::Ja).unwrap_err().len(), 3);
        check("Fairy-Stockfish 11.1", Some("Fairy-Stockfish 11.1"));
        check("fairy-stockfish", Some("Fairy-Stockfish 11.1"));
        check("Fairy-Stockfish 11.1 [nodes 5]", Some("Fairy-Stockfish 11.1"));
        check("hao", Some("YaneuraOu 9 (Hao)"));
        check("built-in", Some(OURS));
        check("a", None);
        check("", None);
        check("gpsfish", None);
    }

    #[test]
    fn players_are_two_and_do_not_judge() {
        let text =
            "先手：gps\n後手：elmo\n1 ７六歩(77)\n** 30 -3334FU\n2 ３四歩(33)\n** 55 +2726FU\n3 ２六歩(27)\n** 20\n";
        let mut record = kifu::read(text.as_bytes()).unwrap().games.remove(0);
        let labels = |record: &Record| {
            let all = Evaluators::read(record);
            let labels: Vec<_> = all.iter().map(|by| (by.label(record, Lang::Ja), all.coverage(by))).collect();
            (labels, all.judge().is_some())
        };
        let expect = vec![("gps".to_owned(), [2, 3]), ("elmo".to_owned(), [1, 3])];
        assert_eq!(labels(&record), (expect, false));
        // A value at the start is no player's: then all of them are by one.
        record.node_mut(NodeId::START).notes_mut().comment = Some("* 12".to_owned());
        let (found, is_judged) = labels(&record);
        assert_eq!((found.len(), found[0].1, is_judged), (1, [3, 3], true));
    }
}
