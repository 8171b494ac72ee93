//! Reversible edits of a record.
//!
//! A deleted node is only detached, with its subtree. Undo attaches it at its old position, and its id stays valid.

use super::handicap;
use super::record::{NodeId, Notes, Record, Step};
use shogibar_shogi::{Move, Position};

/// An elementary change of a record, which can be undone.
#[derive(Clone, Debug)]
pub enum Edit {
    /// Attaches a node to its parent, before the given child or as the last one.
    Attach(NodeId, Option<NodeId>),
    /// Detaches a node with its subtree.
    Detach(NodeId),
    /// Replaces the notes of a node.
    Notes(NodeId, Notes),
    /// Replaces the headers.
    Headers(Vec<(String, String)>),
    /// Replaces the start position of a record without moves. The flag is whether the text calls the sides 下手 and
    /// 上手.
    Start(Box<Position>, bool),
}

impl Record {
    /// Applies an edit, and returns the edit that undoes it.
    ///
    /// # Panics
    /// Panics if a node id belongs to another record.
    pub fn edit(&mut self, edit: Edit) -> Edit {
        match edit {
            Edit::Attach(node, before) => {
                self.attach(node, before);
                Edit::Detach(node)
            }
            Edit::Detach(node) => {
                let next = self.next_sibling(node);
                self.detach(node);
                Edit::Attach(node, next)
            }
            Edit::Notes(node, notes) => {
                Edit::Notes(node, std::mem::replace(self.node_mut(node).notes_mut(), notes))
            }
            Edit::Headers(headers) => Edit::Headers(std::mem::replace(self.headers_mut(), headers)),
            Edit::Start(position, uses_handicap_names) => {
                let (position, uses_handicap_names) = self.replace_start(&position, uses_handicap_names);
                Edit::Start(Box::new(position), uses_handicap_names)
            }
        }
    }

    /// Returns the child of a node that plays this move.
    pub fn child_by(&self, parent: NodeId, mv: Move) -> Option<NodeId> {
        self.children(parent)
            .find(|child| self.node(*child).mv() == Some(mv))
    }

    /// Creates a detached node after `parent`, to be [attached](Edit::Attach). A move must be legal there. Returns
    /// `None` after an end, and if the record or the line is full.
    pub fn create_detached(&mut self, parent: NodeId, step: Step) -> Option<NodeId> {
        if self.node(parent).end().is_some() {
            return None;
        }
        let node = self.add(parent, step)?;
        self.detach(node);
        Some(node)
    }

    /// Creates nodes for a line of moves after `from`. Existing nodes are reused. The line stops before an illegal
    /// move, after an end, or when the record is full. Returns the first new node (`None` if no node is new), and the
    /// last node of the line. The new node is detached; it is to be [attached](Edit::Attach) with its subtree.
    pub fn create_line(&mut self, from: NodeId, moves: &[Move]) -> (Option<NodeId>, NodeId) {
        let mut position = self.walk().go(from).clone();
        let (mut first, mut here) = (None, from);
        for &mv in moves {
            if self.node(here).end().is_some() || position.play(mv).is_err() {
                break;
            }
            let next = match (self.child_by(here, mv), first) {
                (Some(known), _) => Some(known),
                (None, Some(_)) => self.add(here, Step::Move(mv)),
                (None, None) => self
                    .create_detached(here, Step::Move(mv))
                    .inspect(|node| first = Some(*node)),
            };
            let Some(next) = next else { break };
            here = next;
        }
        (first, here)
    }

    /// Adds a line of moves after `from`, with its first new node as the last variation. Existing nodes are reused.
    /// Returns whether nodes were added.
    pub fn add_line(&mut self, from: NodeId, moves: &[Move]) -> bool {
        let (first, _) = self.create_line(from, moves);
        if let Some(first) = first {
            self.attach(first, None);
        }
        first.is_some()
    }

    /// Returns the edits that move a node up by one among its siblings; `None` for the first sibling.
    pub fn promote_edits(&self, node: NodeId) -> Option<[Edit; 2]> {
        let parent = self.parent(node)?;
        let before = self.children(parent).take_while(|child| *child != node).last()?;
        Some([Edit::Detach(node), Edit::Attach(node, Some(before))])
    }

    /// Returns the edits that make the line through a node the main line, from the deepest branch up.
    pub fn main_line_edits(&self, node: NodeId) -> Vec<Edit> {
        self.ancestors(node)
            .filter_map(|node| {
                let first = self.first_child(self.parent(node)?)?;
                (first != node).then_some([Edit::Detach(node), Edit::Attach(node, Some(first))])
            })
            .flatten()
            .collect()
    }

    /// Returns the edits that replace a node by a sibling. The old node is detached with its subtree. The list is empty
    /// if the nodes are not siblings.
    pub fn replace_edits(&self, old: NodeId, new: NodeId) -> Vec<Edit> {
        if old == new || self.parent(old).is_none() || self.parent(old) != self.parent(new) {
            return Vec::new();
        }
        let next = self.next_sibling(old);
        let next = if next == Some(new) {
            self.next_sibling(new)
        } else {
            next
        };
        vec![Edit::Detach(new), Edit::Detach(old), Edit::Attach(new, next)]
    }

    /// Returns the headers with these player names, Black's first, and this start position. A blank name gets no
    /// header. `is_handicap` is whether the sides are called 下手 and 上手.
    pub fn headers_with(
        &self,
        names: [&str; 2],
        start: &Position,
        is_handicap: bool,
    ) -> Vec<(String, String)> {
        let is_name = |key: &str| matches!(key, "先手" | "後手" | "下手" | "上手");
        let keys = if is_handicap {
            ["下手", "上手"]
        } else {
            ["先手", "後手"]
        };
        let players = keys
            .into_iter()
            .zip(names)
            .filter(|(_, player)| !player.trim().is_empty());
        let players = players.map(|(key, player)| (key.to_owned(), player.trim().to_owned()));
        let at = self.headers.iter().position(|(key, _)| is_name(key));
        let at = at.or_else(|| {
            self.headers
                .iter()
                .position(|(key, _)| key == "手合割")
                .map(|at| at + 1)
        });
        let mut headers: Vec<_> = self
            .headers
            .iter()
            .take(at.unwrap_or_default())
            .cloned()
            .collect();
        headers.extend(players);
        headers.extend(
            self.headers
                .iter()
                .skip(at.unwrap_or_default())
                .filter(|(key, _)| !is_name(key))
                .cloned(),
        );
        if let Some((_, value)) = headers.iter_mut().find(|(key, _)| key == "手合割")
            && let Some(name) = handicap::name(start)
        {
            name.clone_into(value);
        }
        headers
    }

    /// Returns headers with another value for a key. A blank value removes the header. A new header follows the headers
    /// that precede it by custom.
    pub fn with_header(mut headers: Vec<(String, String)>, key: &str, value: &str) -> Vec<(String, String)> {
        const FIRST_KEYS: [&str; 4] = ["開始日時", "対局日", "棋戦", "場所"];
        let value = value.trim();
        let at = headers.iter().position(|(other, _)| other == key);
        match at.and_then(|at| headers.get_mut(at)) {
            _ if value.is_empty() => headers.retain(|(other, _)| other != key),
            Some((_, old)) => value.clone_into(old),
            None => {
                let earlier: Vec<_> = FIRST_KEYS.into_iter().take_while(|other| *other != key).collect();
                let after = headers
                    .iter()
                    .rposition(|(other, _)| earlier.contains(&other.as_str()));
                headers.insert(
                    after.map_or(0, |after| after + 1),
                    (key.to_owned(), value.to_owned()),
                );
            }
        }
        headers
    }

    /// Returns whether a node is reachable from the start. Detached nodes are not.
    pub fn is_attached(&self, node: NodeId) -> bool {
        node.index() < self.size()
            && self.ancestors(node).all(|node| {
                let parent = self.parent(node);
                parent.is_none_or(|parent| self.children(parent).any(|child| child == node))
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Target;
    use proptest::prelude::*;

    const GAME: &str = "手数----指手---------消費時間--\n1 ７六歩(77)\n2 ３四歩(33)\n3 ２六歩(27)\n4 投了\n\
        \n変化：2手\n2 ８四歩(83)\n3 ２六歩(27)\n\n変化：2手\n2 ４四歩(43)\n";

    fn record() -> Record {
        crate::read(GAME.as_bytes()).unwrap().games.remove(0)
    }

    fn lines(record: &Record) -> String {
        let word = |id| {
            record
                .node(id)
                .mv()
                .map_or_else(|| "end".to_owned(), |mv| mv.to_string())
        };
        let line = |first| {
            let nodes = std::iter::once(first).chain(record.line_after(first));
            nodes.map(word).collect::<Vec<_>>().join(" ")
        };
        record.lines().map(line).collect::<Vec<_>>().join(" / ")
    }

    fn mv(usi: &str) -> Move {
        Move::from_usi(usi).unwrap()
    }

    #[test]
    fn adds_deletes_and_restores_a_move() {
        let mut record = record();
        let first = record.first_child(NodeId::START).unwrap();
        let before = lines(&record);
        assert_eq!(before, "7g7f 3c3d 2g2f end / 8c8d 2g2f / 4c4d");
        assert!(record.child_by(first, mv("1c1d")).is_none());
        let node = record.create_detached(first, Step::Move(mv("1c1d"))).unwrap();
        assert_eq!(lines(&record), before, "a draft is not there yet");
        assert!(!record.is_attached(node));
        let undo = record.edit(Edit::Attach(node, None));
        assert_eq!(lines(&record), format!("{before} / 1c1d"));
        let redo = record.edit(undo);
        assert_eq!(lines(&record), before);
        record.edit(redo);
        assert_eq!(record.child_by(first, mv("1c1d")), Some(node));
        let second = record.child_by(first, mv("8c8d")).unwrap();
        let undo = record.edit(Edit::Detach(second));
        assert_eq!(lines(&record), "7g7f 3c3d 2g2f end / 4c4d / 1c1d");
        assert!(
            !record.is_attached(record.first_child(second).unwrap()),
            "nor is what follows"
        );
        record.edit(undo);
        assert_eq!(
            lines(&record),
            format!("{before} / 1c1d"),
            "it stands where it stood"
        );
    }

    #[test]
    fn promotes_a_variation_to_the_main_line() {
        let mut record = record();
        let first = record.first_child(NodeId::START).unwrap();
        let third = record.child_by(first, mv("4c4d")).unwrap();
        for edit in record.promote_edits(third).unwrap() {
            record.edit(edit);
        }
        assert_eq!(lines(&record), "7g7f 3c3d 2g2f end / 4c4d / 8c8d 2g2f");
        let last = record
            .line_after(record.child_by(first, mv("8c8d")).unwrap())
            .last()
            .unwrap();
        let undo: Vec<_> = record
            .main_line_edits(last)
            .into_iter()
            .map(|edit| record.edit(edit))
            .collect();
        assert_eq!(lines(&record), "7g7f 8c8d 2g2f / 3c3d 2g2f end / 4c4d");
        assert!(record.promote_edits(first).is_none() && record.main_line_edits(last).is_empty());
        for edit in undo.into_iter().rev() {
            record.edit(edit);
        }
        assert_eq!(lines(&record), "7g7f 3c3d 2g2f end / 4c4d / 8c8d 2g2f");
    }

    #[test]
    fn replaces_a_move_by_a_sibling() {
        let mut record = record();
        let first = record.first_child(NodeId::START).unwrap();
        let [old, new] = ["3c3d", "4c4d"].map(|usi| record.child_by(first, mv(usi)).unwrap());
        let before = lines(&record);
        let undo: Vec<_> = record
            .replace_edits(old, new)
            .into_iter()
            .map(|edit| record.edit(edit))
            .collect();
        assert_eq!(lines(&record), "7g7f 4c4d / 8c8d 2g2f");
        undo.into_iter().rev().for_each(|edit| _ = record.edit(edit));
        assert_eq!(lines(&record), before);
        assert!(record.replace_edits(old, old).is_empty() && record.replace_edits(first, old).is_empty());
    }

    #[test]
    fn names_players_according_to_the_start() {
        let check = |text: &str, names, start: &str, expect: &str| {
            let record = crate::read(text.as_bytes()).unwrap().games.remove(0);
            let start = handicap::position(start).unwrap();
            let is_handicap = handicap::name(&start) != Some(handicap::EVEN_GAME);
            let headers = record.headers_with(names, &start, is_handicap);
            let headers: Vec<_> = headers
                .iter()
                .map(|(key, value)| format!("{key}={value}"))
                .collect();
            assert_eq!(headers.join(" "), expect, "{text}");
        };
        check("1 ７六歩(77)\n", ["山田", " "], "平手", "先手=山田");
        check(
            "棋戦：研究会\n手合割：平手\n先手：\n後手：鈴木\n備考：\n1 ７六歩(77)\n",
            ["山田", "鈴木"],
            "平手",
            "棋戦=研究会 手合割=平手 先手=山田 後手=鈴木 備考=",
        );
        check(
            "手合割：平手\n棋戦：研究会\n先手：山田\n",
            ["山田", "鈴木"],
            "二枚落ち",
            "手合割=二枚落ち 棋戦=研究会 下手=山田 上手=鈴木",
        );
        check(
            "手合割：香落ち\n備考：x\n",
            ["a", "b"],
            "香落ち",
            "手合割=香落ち 下手=a 上手=b 備考=x",
        );
    }

    #[test]
    fn headers_are_set_in_the_customary_order() {
        let check = |before: &[(&str, &str)], key: &str, value: &str, expect: &str| {
            let before = before
                .iter()
                .map(|(key, value)| ((*key).to_owned(), (*value).to_owned()))
                .collect();
            let after = Record::with_header(before, key, value);
            let after: Vec<_> = after
                .iter()
                .map(|(key, value)| format!("{key}={value}"))
                .collect();
            assert_eq!(after.join(" "), expect);
        };
        check(&[("先手", "a")], "棋戦", " 名人戦 ", "棋戦=名人戦 先手=a");
        check(
            &[("開始日時", "2026"), ("先手", "a")],
            "場所",
            "東京",
            "開始日時=2026 場所=東京 先手=a",
        );
        check(
            &[("棋戦", "x"), ("先手", "a")],
            "開始日時",
            "2026",
            "開始日時=2026 棋戦=x 先手=a",
        );
        check(&[("棋戦", "x"), ("先手", "a")], "棋戦", "y", "棋戦=y 先手=a");
        check(
            &[("棋戦", "x"), ("先手", "a"), ("棋戦", "y")],
            "棋戦",
            " ",
            "先手=a",
        );
        check(&[], "場所", "", "");
    }

    #[test]
    fn adds_nothing_after_an_end() {
        let mut record = record();
        let end = record.main_line().last().unwrap();
        assert!(record.create_detached(end, Step::Move(mv("1c1d"))).is_none());
        let before = record.parent(end).unwrap();
        assert!(
            record.create_detached(before, Step::Move(mv("1c1d"))).is_some(),
            "but beside one"
        );
        assert!(
            record
                .children(before)
                .any(|child| record.node(child).end().is_some())
        );
    }

    #[test]
    fn reuses_existing_nodes_for_a_line() {
        let text = "手合割：平手\n1 ７六歩(77)\n2 ３四歩(33)\n3 投了\n";
        let mut record = crate::read(text.as_bytes()).unwrap().games.remove(0);
        let mut add = |line: &str, expect: bool, nodes: usize| {
            let moves: Vec<_> = line.split(' ').filter_map(Move::from_usi).collect();
            assert_eq!(
                (record.add_line(NodeId::START, &moves), record.size()),
                (expect, nodes),
                "{line}"
            );
            record.main_line().count()
        };
        assert_eq!(add("7g7f 3c3d", false, 4), 3);
        assert_eq!(
            add("7g7f 8c8d 2g2f 9i1a 3c3d", true, 6),
            3,
            "up to the illegal move"
        );
        assert_eq!(add("7g7f 8c8d 2g2f", false, 6), 3);
        assert_eq!(add("2g2f", true, 7), 3);
        assert_eq!(add("7g7f 3c3d 2g2f", true, 8), 3, "beside the end");
        let end = record.main_line().last().unwrap();
        assert!(
            !record.add_line(end, &[Move::from_usi("2g2f").unwrap()]),
            "nothing comes after an end"
        );
    }

    proptest! {
        /// Undoing all edits in order restores the record, and every state can be written.
        #[test]
        fn undo_restores_the_record(changes in prop::collection::vec((0..5_u8, any::<prop::sample::Index>()), 0..40)) {
            let mut record = record();
            let written = |record: &Record| crate::write(record, Target::Jkf).bytes;
            let mut undo = Vec::new();
            let mut states = vec![written(&record)];
            for (kind, index) in changes {
                let all: Vec<_> = record.all().collect();
                let node = *index.get(&all);
                let legal = { let mut walk = record.walk(); walk.go(node).legal_moves() };
                let edits = match kind {
                    0 => {
                        let mv = *index.get(&legal);
                        let draft = if record.child_by(node, mv).is_some() { None } else { record.create_detached(node, Step::Move(mv)) };
                        draft.map(|draft| Edit::Attach(draft, record.first_child(node))).into_iter().collect()
                    }
                    1 if node != NodeId::START => vec![Edit::Detach(node)],
                    2 => record.main_line_edits(node),
                    3 => vec![Edit::Notes(node, Notes { comment: Some(format!("{index:?}")), ..Notes::default() })],
                    _ => record.promote_edits(node).into_iter().flatten().collect(),
                };
                let back: Vec<_> = edits.into_iter().map(|edit| record.edit(edit)).collect();
                undo.push(back);
                states.push(written(&record));
            }
            while let Some(back) = undo.pop() {
                prop_assert_eq!(&written(&record), &states.pop().unwrap());
                for edit in back.into_iter().rev() {
                    record.edit(edit);
                }
            }
            prop_assert_eq!(&written(&record), &states.pop().unwrap());
        }
    }
}
