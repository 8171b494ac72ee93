//! Chooses the positions of a record to search, and their order.

use super::Finding;
use shogibar_kifu::evaluation::Evaluation;
use shogibar_kifu::{NodeId, Record, Walk};
use shogibar_shogi::score::Value;
use shogibar_shogi::{Move, Position, Unsearchable};
use std::collections::{HashMap, HashSet};

/// The part of a record to analyse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AnalysisScope {
    /// Whether variations are included, too.
    pub variations: bool,
    /// The ply of the first position: its number of moves from the start.
    pub from: u16,
    /// The ply of the last position, inclusive.
    pub to: u16,
    /// Whether the positions are searched from the last to the first.
    pub from_end: bool,
}

impl Default for AnalysisScope {
    /// Returns the scope of the whole main line.
    fn default() -> Self {
        Self {
            variations: false,
            from: 0,
            to: u16::MAX,
            from_end: false,
        }
    }
}

/// A position of a record that is to be searched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchTask {
    /// The position's node in the record.
    pub node: NodeId,
    /// The number of moves that lead to the position.
    pub ply: u16,
    /// The key of the position, which is the same in other records.
    pub key: PositionKey,
    /// The evaluations of engines in the comment of the position: the signature, and the value from Black's view;
    /// `None` for an evaluation without a value.
    pub evaluations: Vec<(String, Option<Value>)>,
}

/// Identifies a position together with the moves that led to it: an FNV-1a hash of the start and the moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PositionKey(pub u64);

/// The positions of a record to search, and those that need no search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AnalysisPlan {
    /// The positions that can be searched, in search order.
    pub tasks: Vec<SearchTask>,
    /// The positions that are never sent to an engine, with the reason.
    pub unsearchable_positions: Vec<(NodeId, Unsearchable)>,
    /// The positions that end a line by the rules, with the value by the rules.
    pub decided_positions: Vec<(NodeId, Value)>,
    /// The moves whose positions before and after are in `tasks` or `decided_positions`, as the nodes of both.
    pub moves: Vec<(NodeId, NodeId)>,
}

impl AnalysisPlan {
    /// Returns whether no position can be searched because the record is a mating problem, whose attacker has no king.
    pub fn is_mating_problem(&self, record: &Record) -> bool {
        self.tasks.is_empty()
            && !self.unsearchable_positions.is_empty()
            && record.start().searchable_for_mate().is_ok()
    }
}

/// Chooses the positions of a record to search. The plan lists apart the positions that engines cannot search, and
/// those that end a line by the rules, which give the value. The main line comes before the variations, which matter
/// less if the user stops early.
pub fn plan(record: &Record, scope: AnalysisScope) -> AnalysisPlan {
    let mut plan = AnalysisPlan::default();
    let (mut walk, keys) = (record.walk(), position_keys(record));
    for node in scope_nodes(record, scope) {
        let ply = record.node(node).ply();
        let key = match keys.get(&node) {
            Some(key) if (scope.from..=scope.to).contains(&ply) => *key,
            _ => continue,
        };
        let position = walk.go(node);
        if let Err(why) = position.searchable() {
            plan.unsearchable_positions.push((node, why));
            continue;
        }
        if let Some(value) = value_by_rules(record, &mut walk, node) {
            plan.decided_positions.push((node, value));
            continue;
        }
        let is_first =
            |evaluation: &Evaluation| evaluation.rank.unwrap_or(1) <= 1 && !evaluation.is_alternative;
        let found = walk.evaluations(node).into_iter().filter(is_first);
        let evaluations = found
            .filter_map(|found| Some((found.engine?, found.value)))
            .collect();
        plan.tasks.push(SearchTask {
            node,
            ply,
            key,
            evaluations,
        });
    }
    let nodes: HashSet<_> = plan
        .tasks
        .iter()
        .map(|task| task.node)
        .chain(plan.decided_positions.iter().map(|(it, _)| *it))
        .collect();
    let edge = |node: &NodeId| {
        Some((
            record.parent(*node).filter(|parent| nodes.contains(parent))?,
            *node,
        ))
    };
    let tasks = plan.tasks.iter().map(|task| &task.node);
    plan.moves = tasks
        .chain(plan.decided_positions.iter().map(|(node, _)| node))
        .filter_map(edge)
        .collect();
    if scope.from_end {
        plan.tasks.reverse();
    }
    plan
}

/// Returns the nodes of the positions in the lines of a scope, of any ply. The node of an end is left out: its position
/// is that of the last move.
fn scope_nodes(record: &Record, scope: AnalysisScope) -> impl Iterator<Item = NodeId> {
    let is_position = |node: &NodeId| record.node(*node).end().is_none();
    let main: Vec<_> = std::iter::once(NodeId::START)
        .chain(record.main_line())
        .filter(is_position)
        .collect();
    let seen: HashSet<_> = main.iter().copied().collect();
    let has_variations = scope.variations;
    let others = record
        .all()
        .filter(move |node| has_variations && is_position(node) && !seen.contains(node));
    main.into_iter().chain(others)
}

/// Returns the value by the rules of a position at the end of a line. A side without a legal move has lost. A position
/// that occurs for the fourth time is a draw, or a loss for the side that gave check throughout. Returns `None` if the
/// game could continue, or the record has a next move.
pub(super) fn value_by_rules(record: &Record, walk: &mut Walk<'_>, node: NodeId) -> Option<Value> {
    if record
        .children(node)
        .any(|child| record.node(child).mv().is_some())
    {
        return None;
    }
    let position = walk.go(node);
    let mover = position.side_to_move();
    if position.is_mate() {
        return Some(Value::Mate {
            winner: mover.flip(),
            plies: None,
        });
    }
    if position.searchable().is_ok() && position.legal_moves().is_empty() {
        return Some(Value::Won(mover.flip()));
    }
    Some(
        position
            .repetition()?
            .winner(mover)
            .map_or(Value::Cp(0), Value::Won),
    )
}

fn position_keys(record: &Record) -> HashMap<NodeId, PositionKey> {
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
    const FNV_OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
    const FNV_PRIME: u64 = 0x0000_0100_0000_01b3;

    fn from_start(start: &Position) -> Self {
        Self(Self::FNV_OFFSET).with_text(&start.sfen())
    }

    fn after(self, mv: Move) -> Self {
        self.with_text(" ").with_text(&mv.to_string())
    }

    /// Returns the hash continued by the bytes of a text.
    fn with_text(self, text: &str) -> Self {
        Self(text.bytes().fold(self.0, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(Self::FNV_PRIME)
        }))
    }
}

/// Returns the findings with the nodes of another record that have the same positions. Drops the findings whose
/// position the record lacks.
pub fn relocate(record: &Record, findings: Vec<Finding>) -> Vec<Finding> {
    let nodes: HashMap<_, _> = position_keys(record)
        .into_iter()
        .map(|(node, key)| (key, node))
        .collect();
    findings
        .into_iter()
        .filter_map(|finding| {
            Some(Finding {
                node: *nodes.get(&finding.key)?,
                ..finding
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    use shogibar_shogi::Color;

    const RECORD: &str = "手合割：平手\n1 ７六歩(77)\n*#評価値=12\n*#エンジン=A [depth 3]\n2 ３四歩(33)\n3 ２六歩(27)\n\
        4 投了\n変化：2手\n2 ８四歩(83)\n3 ２六歩(27)\n";

    fn record(text: &str) -> Record {
        shogibar_kifu::read(text.as_bytes()).unwrap().games.remove(0)
    }

    #[test]
    fn plan_selects_positions_in_search_order() {
        let record = record(RECORD);
        let check = |scope: AnalysisScope, expect: &[&str]| {
            let tasks = plan(&record, scope).tasks;
            let found: Vec<_> = tasks
                .iter()
                .map(|task| record.history_at(task.node).usi())
                .collect();
            let expect: Vec<_> = expect.iter().map(|moves| format!("startpos{moves}")).collect();
            assert_eq!(found, expect, "{scope:?}");
        };
        let all = AnalysisScope::default();
        let main = ["", " moves 7g7f", " moves 7g7f 3c3d", " moves 7g7f 3c3d 2g2f"];
        check(all, &main);
        check(
            AnalysisScope {
                from: 1,
                to: 2,
                ..all
            },
            &main[1..3],
        );
        check(AnalysisScope { from: 9, ..all }, &[]);
        check(
            AnalysisScope {
                from: 2,
                to: 1,
                ..all
            },
            &[],
        );
        let more = [" moves 7g7f 8c8d", " moves 7g7f 8c8d 2g2f"];
        check(
            AnalysisScope {
                variations: true,
                ..all
            },
            &[&main[..], &more].concat(),
        );
        let backwards = [main[3], main[2], main[1], main[0]];
        check(
            AnalysisScope {
                from_end: true,
                ..all
            },
            &backwards,
        );
    }

    #[test]
    fn position_key_depends_on_the_moves() {
        let all = AnalysisScope {
            variations: true,
            ..AnalysisScope::default()
        };
        let tasks = plan(&record(RECORD), all).tasks;
        let keys: HashSet<_> = tasks.iter().map(|task| task.key).collect();
        assert_eq!((tasks.len(), keys.len()), (6, 6));
        // The key is the same in another record with other comments.
        let again = plan(&record("1 ７六歩(77)\n*よい\n2 ８四歩(83)\n"), all).tasks;
        let same: Vec<_> = again.iter().map(|task| keys.contains(&task.key)).collect();
        assert_eq!(same, [true, true, true]);
        assert_eq!(
            tasks[1].evaluations,
            [("A [depth 3]".to_owned(), Some(Value::Cp(12)))]
        );
        assert!(tasks[0].evaluations.is_empty());
    }

    #[test]
    fn positions_decided_by_the_rules_are_not_searched() {
        let check = |sfen: &str, moves: &str, expect: Option<Value>| {
            let moves = if moves.is_empty() {
                String::new()
            } else {
                format!(" moves {moves}")
            };
            let record = shogibar_kifu::read(format!("sfen {sfen}{moves}").as_bytes())
                .unwrap()
                .games
                .remove(0);
            let last = record.main_line().last().unwrap_or(NodeId::START);
            assert_eq!(
                value_by_rules(&record, &mut record.walk(), last),
                expect,
                "{sfen}{moves}"
            );
            let searched = record.len() + usize::from(expect.is_none());
            assert_eq!(
                plan(&record, AnalysisScope::default()).tasks.len(),
                searched,
                "{sfen}{moves}"
            );
        };
        let start = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
        let there_and_back = ["5i5h 5a5b 5h5i 5b5a"; 3].join(" ");
        check(start, &there_and_back, Some(Value::Cp(0)));
        check(start, there_and_back.trim_end_matches(" 5b5a"), None);
        check(start, &(there_and_back + " 7g7f"), None);
        let checks = ["5a4a 5i4i 4a5a 4i5i"; 3].join(" ");
        check(
            "4k4/9/9/9/9/9/9/9/K3R4 w - 1",
            &checks,
            Some(Value::Won(Color::White)),
        );
        check("8k/R8/9/9/9/9/9/9/K6R1 w - 1", "", Some(Value::Won(Color::Black)));
    }

    #[test]
    fn mates_and_invalid_positions_are_not_searched() {
        let mated = record(
            "後手の持駒：\n  ９ ８ ７ ６ ５ ４ ３ ２ １\n+---------------------------+\n\
            | ・ ・ ・ ・v玉 ・ ・ ・ ・|一\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|二\n| ・ ・ ・ ・ 歩 ・ ・ ・ ・|三\n\
            | ・ ・ ・ ・ ・ ・ ・ ・ ・|四\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|五\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|六\n\
            | ・ ・ ・ ・ ・ ・ ・ ・ ・|七\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|八\n| ・ ・ ・ ・ 玉 ・ ・ ・ ・|九\n\
            +---------------------------+\n先手の持駒：金\n1 ５二金打\n",
        );
        assert_eq!(
            plan(&mated, AnalysisScope::default()).tasks.len(),
            1,
            "the mate is not searched"
        );
        let kingless = shogibar_kifu::read(b"sfen 4k4/9/9/9/9/9/9/9/9 b G 1 moves G*5b")
            .unwrap()
            .games
            .remove(0);
        let found = plan(&kingless, AnalysisScope::default());
        assert_eq!((found.tasks.len(), found.unsearchable_positions.len()), (0, 2));
    }
}
