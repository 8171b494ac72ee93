//! Which positions of a record are to be searched, and in which order.

use super::Finding;
use crate::kifu::evaluation::Evaluation;
use crate::kifu::{NodeId, Record, Walk};
use crate::score::Value;
use crate::shogi::{History, Move, Position, Repetition, Unsearchable};
use std::collections::{HashMap, HashSet};

/// What of a record is to be analysed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AnalysisScope {
    /// The variations as well, not only the main line.
    pub variations: bool,
    /// From the position after so many moves; 0 is the start.
    pub from: u16,
    /// Up to the one after so many.
    pub to: u16,
    /// The last position first.
    pub from_end: bool,
}

impl Default for AnalysisScope {
    /// The main line, all of it.
    fn default() -> Self {
        Self { variations: false, from: 0, to: u16::MAX, from_end: false }
    }
}

/// A position to be searched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchTask {
    /// Where it stands in the record.
    pub node: NodeId,
    /// How many moves lead to it.
    pub ply: u16,
    /// Which position it is, whatever record it stands in.
    pub key: PositionKey,
    /// What engines have said of it in its comment: how that is signed, and the value, in Black's view.
    pub said: Vec<(String, Option<Value>)>,
}

/// Tells a position with the moves that led to it from all others: the start and the moves, hashed (FNV-1a).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PositionKey(pub u64);

/// The positions to be searched.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AnalysisPlan {
    /// Those that can be, in their order.
    pub tasks: Vec<SearchTask>,
    /// Those that no engine may be shown, and why.
    pub unsearchable: Vec<(NodeId, Unsearchable)>,
    /// Those that end a line by the rules, and what these say of them.
    pub ruled: Vec<(NodeId, Value)>,
    /// The moves that lead from one of all these positions to another.
    pub moves: Vec<(NodeId, NodeId)>,
}

/// Which positions of a record are to be searched. One in which the game is over by the rules is not among them:
/// they say what it is worth. The main line comes before the variations, which an impatient user can do without.
pub fn plan(record: &Record, scope: AnalysisScope) -> AnalysisPlan {
    let mut found = AnalysisPlan::default();
    let (mut walk, keys) = (record.walk(), keys(record));
    for node in nodes(record, scope) {
        let ply = record.node(node).ply();
        let Some(key) = keys.get(&node).copied().filter(|_| (scope.from..=scope.to).contains(&ply)) else { continue };
        let position = walk.go(node);
        if let Err(why) = position.searchable() {
            found.unsearchable.push((node, why));
            continue;
        }
        if let Some(value) = value_by_rules(record, &mut walk, node) {
            found.ruled.push((node, value));
            continue;
        }
        let is_first = |said: &Evaluation| said.rank.unwrap_or(1) <= 1 && !said.is_alternative;
        let said = walk.evaluations(node).into_iter().filter(is_first);
        let said = said.filter_map(|said| Some((said.engine?, said.value))).collect();
        found.tasks.push(SearchTask { node, ply, key, said });
    }
    let nodes: HashSet<_> =
        found.tasks.iter().map(|task| task.node).chain(found.ruled.iter().map(|(it, _)| *it)).collect();
    let led = |node: &NodeId| Some((record.parent(*node).filter(|parent| nodes.contains(parent))?, *node));
    let tasks = found.tasks.iter().map(|task| &task.node);
    found.moves = tasks.chain(found.ruled.iter().map(|(node, _)| node)).filter_map(led).collect();
    if scope.from_end {
        found.tasks.reverse();
    }
    found
}

/// The positions of a record as far as the scope's lines reach. An end is the position before it.
fn nodes(record: &Record, scope: AnalysisScope) -> impl Iterator<Item = NodeId> {
    let is_position = |node: &NodeId| record.node(*node).end().is_none();
    let main: Vec<_> = std::iter::once(NodeId::START).chain(record.main_line()).filter(is_position).collect();
    let seen: HashSet<_> = main.iter().copied().collect();
    let has_variations = scope.variations;
    let others = record.all().filter(move |node| has_variations && is_position(node) && !seen.contains(node));
    main.into_iter().chain(others)
}

/// What the rules say of a position with which a line ends: without a legal move its side has lost, mated or not, and
/// the fourth repetition is a draw, or lost for who gave check all along. `None` where the game could go on.
pub(super) fn value_by_rules(record: &Record, walk: &mut Walk<'_>, node: NodeId) -> Option<Value> {
    if record.children(node).any(|child| record.node(child).mv().is_some()) {
        return None;
    }
    let position = walk.go(node);
    let mover = position.side_to_move();
    if position.is_mate() {
        return Some(Value::Mate { winner: mover.flip(), plies: None });
    }
    if position.searchable().is_ok() && position.legal_moves().is_empty() {
        return Some(Value::Won(mover.flip()));
    }
    Some(match position.repetition()? {
        Repetition::Draw => Value::Cp(0),
        Repetition::Win => Value::Won(mover),
        Repetition::Loss => Value::Won(mover.flip()),
    })
}

/// The key of every position of a record.
fn keys(record: &Record) -> HashMap<NodeId, PositionKey> {
    let mut keys = HashMap::new();
    for node in record.all() {
        let key = match (record.parent(node), record.node(node).mv()) {
            (None, _) => Some(PositionKey::from_start(record.start())),
            (Some(parent), Some(mv)) => keys.get(&parent).map(|key: &PositionKey| key.after(mv)),
            (Some(_), None) => None,
        };
        keys.extend(key.map(|key| (node, key)));
    }
    keys
}

impl PositionKey {
    const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x0000_0100_0000_01b3;

    fn from_start(start: &Position) -> Self {
        Self(Self::OFFSET).with(&start.sfen())
    }

    fn after(self, mv: Move) -> Self {
        self.with(" ").with(&mv.to_string())
    }

    fn with(self, text: &str) -> Self {
        Self(text.bytes().fold(self.0, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(Self::PRIME)))
    }
}

/// What was found of the positions of one record, where another has them; what it has not is left out.
pub fn relocate(record: &Record, findings: Vec<Finding>) -> Vec<Finding> {
    let nodes: HashMap<_, _> = keys(record).into_iter().map(|(node, key)| (key, node)).collect();
    let here = |finding: Finding| Some(Finding { node: *nodes.get(&finding.key)?, ..finding });
    findings.into_iter().filter_map(here).collect()
}

/// The game up to a node.
pub(super) fn history(record: &Record, node: NodeId) -> History {
    let up = std::iter::successors(Some(node), |node| record.parent(*node));
    let mut moves: Vec<_> = up.filter_map(|node| record.node(node).mv()).collect();
    moves.reverse();
    let mut history = History::new(record.start().clone());
    for mv in moves {
        if history.play(mv).is_err() {
            break; // Cannot be: every move of a record is legal where it stands.
        }
    }
    history
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kifu;
    use crate::shogi::Color;

    const RECORD: &str = "手合割：平手\n1 ７六歩(77)\n*#評価値=12\n*#エンジン=A [depth 3]\n2 ３四歩(33)\n3 ２六歩(27)\n\
        4 投了\n変化：2手\n2 ８四歩(83)\n3 ２六歩(27)\n";

    fn record(text: &str) -> Record {
        kifu::read(text.as_bytes()).unwrap().games.remove(0)
    }

    #[test]
    fn what_is_searched_and_when() {
        let record = record(RECORD);
        let check = |scope: AnalysisScope, expect: &[&str]| {
            let tasks = plan(&record, scope).tasks;
            let found: Vec<_> = tasks.iter().map(|task| history(&record, task.node).usi()).collect();
            let expect: Vec<_> = expect.iter().map(|moves| format!("startpos{moves}")).collect();
            assert_eq!(found, expect, "{scope:?}");
        };
        let all = AnalysisScope::default();
        let main = ["", " moves 7g7f", " moves 7g7f 3c3d", " moves 7g7f 3c3d 2g2f"];
        check(all, &main);
        check(AnalysisScope { from: 1, to: 2, ..all }, &main[1..3]);
        check(AnalysisScope { from: 9, ..all }, &[]);
        check(AnalysisScope { from: 2, to: 1, ..all }, &[]);
        let more = [" moves 7g7f 8c8d", " moves 7g7f 8c8d 2g2f"];
        check(AnalysisScope { variations: true, ..all }, &[&main[..], &more].concat());
        let backwards = [main[3], main[2], main[1], main[0]];
        check(AnalysisScope { from_end: true, ..all }, &backwards);
    }

    #[test]
    fn a_position_is_known_by_its_way() {
        let all = AnalysisScope { variations: true, ..AnalysisScope::default() };
        let tasks = plan(&record(RECORD), all).tasks;
        let keys: HashSet<_> = tasks.iter().map(|task| task.key).collect();
        assert_eq!((tasks.len(), keys.len()), (6, 6));
        // In another record, with other comments, it is the same.
        let again = plan(&record("1 ７六歩(77)\n*よい\n2 ８四歩(83)\n"), all).tasks;
        let same: Vec<_> = again.iter().map(|task| keys.contains(&task.key)).collect();
        assert_eq!(same, [true, true, true]);
        assert_eq!(tasks[1].said, [("A [depth 3]".to_owned(), Some(Value::Cp(12)))]);
        assert!(tasks[0].said.is_empty());
    }

    #[test]
    fn what_the_rules_say_is_not_searched() {
        let check = |sfen: &str, moves: &str, expect: Option<Value>| {
            let moves = if moves.is_empty() { String::new() } else { format!(" moves {moves}") };
            let record = kifu::read(format!("sfen {sfen}{moves}").as_bytes()).unwrap().games.remove(0);
            let last = record.main_line().last().unwrap_or(NodeId::START);
            assert_eq!(value_by_rules(&record, &mut record.walk(), last), expect, "{sfen}{moves}");
            let searched = record.len() + usize::from(expect.is_none());
            assert_eq!(plan(&record, AnalysisScope::default()).tasks.len(), searched, "{sfen}{moves}");
        };
        let start = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
        let there_and_back = ["5i5h 5a5b 5h5i 5b5a"; 3].join(" ");
        check(start, &there_and_back, Some(Value::Cp(0)));
        check(start, there_and_back.trim_end_matches(" 5b5a"), None);
        check(start, &(there_and_back + " 7g7f"), None);
        let checks = ["5a4a 5i4i 4a5a 4i5i"; 3].join(" ");
        check("4k4/9/9/9/9/9/9/9/K3R4 w - 1", &checks, Some(Value::Won(Color::White)));
        check("8k/R8/9/9/9/9/9/9/K6R1 w - 1", "", Some(Value::Won(Color::Black)));
    }

    #[test]
    fn what_no_engine_is_shown() {
        let mated = record(
            "後手の持駒：\n  ９ ８ ７ ６ ５ ４ ３ ２ １\n+---------------------------+\n\
            | ・ ・ ・ ・v玉 ・ ・ ・ ・|一\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|二\n| ・ ・ ・ ・ 歩 ・ ・ ・ ・|三\n\
            | ・ ・ ・ ・ ・ ・ ・ ・ ・|四\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|五\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|六\n\
            | ・ ・ ・ ・ ・ ・ ・ ・ ・|七\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|八\n| ・ ・ ・ ・ 玉 ・ ・ ・ ・|九\n\
            +---------------------------+\n先手の持駒：金\n1 ５二金打\n",
        );
        assert_eq!(plan(&mated, AnalysisScope::default()).tasks.len(), 1, "the mate is not searched");
        let kingless = kifu::read(b"sfen 4k4/9/9/9/9/9/9/9/9 b G 1 moves G*5b").unwrap().games.remove(0);
        let found = plan(&kingless, AnalysisScope::default());
        assert_eq!((found.tasks.len(), found.unsearchable.len()), (0, 2));
    }
}
