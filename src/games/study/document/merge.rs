//! Merges a newer version of a record, which another program has written, into the record that the user has changed.

use super::Document;
use shogibar_kifu::{Edit, End, NodeId, Notes, Record};
use shogibar_shogi::Move;
use std::sync::Arc;

impl Document {
    /// Merges a newer version of the record. `base` is the version before the newer one; `None` without one. Returns
    /// the node of the last move of the newer version, or of its end unless that is a pause.
    ///
    /// The current node, and the additions and changes of the user stay. Moves that the newer version no longer has are
    /// removed if the user has added nothing after them. The newer line becomes the main line, unless the user has
    /// chosen another. The merge is not a change by the user, so undo does not affect it.
    pub fn merge_newer(&mut self, newer: &Record, base: Option<&Record>) -> NodeId {
        let line: Vec<NodeId> = newer.main_line().collect();
        let moves: Vec<Move> = line.iter().filter_map(|node| newer.node(*node).mv()).collect();
        let follows_base = base.is_none_or(|base| starts_with(&self.record, base));
        if self.record.lacks_characters_of(newer) {
            Arc::make_mut(&mut self.record).add_characters_of(newer);
        }
        self.remove_withdrawn_moves(newer, base);
        let (first, last) = Arc::make_mut(&mut self.record).create_line(NodeId::START, &moves);
        let mut edits: Vec<Edit> = first.map(|first| Edit::Attach(first, None)).into_iter().collect();
        let headers = self.merged_headers(newer, base);
        edits.extend(headers.map(Edit::Headers));
        self.merge_edits(edits);
        let mut tip = last;
        if let Some(end) = line.last()
            && self.record.path(last).len() == moves.len()
            && newer.node(*end).end().is_some()
        {
            tip = self
                .child_like(last, newer, *end)
                .unwrap_or_else(|| self.add_end(last, newer, *end));
        }
        let path: Vec<NodeId> = std::iter::once(NodeId::START)
            .chain(self.record.path(tip))
            .collect();
        let newer_path = std::iter::once(NodeId::START).chain(line.iter().copied());
        let base_path = base.map(|base| {
            std::iter::once(NodeId::START)
                .chain(base.main_line())
                .collect::<Vec<_>>()
        });
        let mut edits = Vec::new();
        for (ply, (user_node, newer_node)) in path.iter().zip(newer_path).enumerate() {
            let time = newer.node(newer_node).time;
            if self.record.node(*user_node).time != time {
                Arc::make_mut(&mut self.record).node_mut(*user_node).time = time;
                // A time is no edit, so an edit without a change gives the record a new revision.
                edits.push(Edit::Notes(
                    *user_node,
                    self.record.node(*user_node).notes().clone(),
                ));
            }
            let base_node = base.zip(base_path.as_ref().and_then(|path| path.get(ply)));
            let base_node =
                base_node.filter(|(base, node)| base.node(**node).step() == newer.node(newer_node).step());
            let base_notes = base_node.map(|(base, node)| base.node(*node).notes());
            let (user_notes, newer_notes) = (
                self.record.node(*user_node).notes(),
                newer.node(newer_node).notes(),
            );
            let merged = merged_notes(user_notes, newer_notes, base_notes);
            if merged != *user_notes {
                edits.push(Edit::Notes(*user_node, merged));
            }
        }
        if follows_base {
            edits.extend(self.record.main_line_edits(tip));
        }
        self.merge_edits(edits);
        // The game may continue after a pause, so further moves follow the last move and not the pause.
        if self.record.node(tip).end().is_some_and(End::is_pause) {
            last
        } else {
            tip
        }
    }

    /// Applies edits that undo does not affect.
    fn merge_edits(&mut self, edits: Vec<Edit>) {
        if !edits.is_empty() {
            let here = self.current();
            self.changes
                .make_pending(Arc::make_mut(&mut self.record), edits, here);
            self.return_to(here);
        }
    }

    /// Removes the moves of the main line of `base` that `newer` no longer has. They stay if the user has changed these
    /// moves or added others after them.
    fn remove_withdrawn_moves(&mut self, newer: &Record, base: Option<&Record>) {
        let Some(base) = base else { return };
        let (mut user_node, mut newer_node) = (NodeId::START, NodeId::START);
        for base_node in base.main_line() {
            let Some(user_child) = self.child_like(user_node, base, base_node) else {
                return;
            };
            let step = base.node(base_node).step();
            let Some(newer_child) = newer
                .children(newer_node)
                .find(|child| newer.node(*child).step() == step)
            else {
                if is_same_tree(&self.record, user_child, base, base_node) {
                    self.merge_edits(vec![Edit::Detach(user_child)]);
                }
                return;
            };
            (user_node, newer_node) = (user_child, newer_child);
        }
    }

    /// Returns the child of `parent` with the same move or end as `node` of `other`; `None` without such a child.
    fn child_like(&self, parent: NodeId, other: &Record, node: NodeId) -> Option<NodeId> {
        self.record
            .children(parent)
            .find(|child| self.record.node(*child).step() == other.node(node).step())
    }

    /// Adds the end of the newer version after a node. Returns the node of the end.
    fn add_end(&mut self, last: NodeId, newer: &Record, end: NodeId) -> NodeId {
        let step = newer.node(end).step().clone();
        let Some(node) = Arc::make_mut(&mut self.record).create_detached(last, step) else {
            return last;
        };
        self.merge_edits(vec![Edit::Attach(node, None)]);
        node
    }

    /// Returns the headers of the record with the headers that `newer` has changed and the user has not. Returns `None`
    /// if nothing changes.
    fn merged_headers(&self, newer: &Record, base: Option<&Record>) -> Option<Vec<(String, String)>> {
        let changed = newer.headers().iter().filter(|(key, value)| {
            let user_value = self.record.header(key);
            let base_value = base.and_then(|base| base.header(key));
            user_value != Some(value.as_str())
                && (user_value.is_none() && base_value.is_none() || user_value == base_value)
        });
        let headers = changed.fold(None::<Vec<_>>, |headers, (key, value)| {
            let headers = headers.unwrap_or_else(|| self.record.headers().to_vec());
            Some(Record::with_header(headers, key, value))
        });
        headers.filter(|headers| headers != self.record.headers())
    }
}

/// Returns whether the main line of a record begins with the main line of another.
fn starts_with(record: &Record, base: &Record) -> bool {
    let (moves, base_moves): (Vec<Move>, Vec<Move>) = (record.moves().collect(), base.moves().collect());
    moves.starts_with(&base_moves)
}

/// Returns whether two nodes have the same steps and texts, and the same nodes after them.
fn is_same_tree(record: &Record, node: NodeId, other: &Record, other_node: NodeId) -> bool {
    let mut pairs = vec![(node, other_node)];
    while let Some((node, other_node)) = pairs.pop() {
        let children: Vec<_> = record.children(node).collect();
        let other_children: Vec<_> = other.children(other_node).collect();
        let (a, b) = (record.node(node), other.node(other_node));
        if a.step() != b.step() || a.notes() != b.notes() || children.len() != other_children.len() {
            return false;
        }
        pairs.extend(children.into_iter().zip(other_children));
    }
    true
}

/// Merges notes in three ways: applies the changes from `base` to `newer` to the texts of `user`. If both have changed
/// a text, appends the new lines of `newer`.
fn merged_notes(user: &Notes, newer: &Notes, base: Option<&Notes>) -> Notes {
    let text = |of: fn(&Notes) -> Option<&String>| {
        let (user, newer, base) = (of(user), of(newer), base.and_then(of));
        match (user, newer) {
            _ if newer == base => user.cloned(),
            _ if user == base => newer.cloned(),
            (Some(user), Some(newer)) => {
                let added: Vec<&str> = newer
                    .lines()
                    .filter(|line| !user.lines().any(|known| known == *line))
                    .collect();
                Some(
                    std::iter::once(user.as_str())
                        .chain(added)
                        .collect::<Vec<_>>()
                        .join("\n"),
                )
            }
            (user, newer) => user.or(newer).cloned(),
        }
    };
    Notes {
        comment: text(|notes| notes.comment.as_ref()),
        remark: text(|notes| notes.remark.as_ref()),
        bookmark: text(|notes| notes.bookmark.as_ref()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(text: &str) -> Record {
        shogibar_kifu::read(text.as_bytes())
            .unwrap()
            .into_first()
            .unwrap()
            .0
    }

    fn written_text(document: &Document) -> String {
        let written = shogibar_kifu::write(document.record(), shogibar_kifu::Target::Kifu).bytes;
        String::from_utf8(written).unwrap()
    }

    const BASE: &str = "先手：A\n手数----指手---------消費時間--\n1 ７六歩(77)\n2 ３四歩(33)\n";

    #[test]
    fn additions_of_the_user_stay_while_moves_are_added_and_withdrawn() {
        let base = record(BASE);
        let mut document = Document::new(base.clone());
        document.go_to(1);
        document.set_comment(document.current(), "good");
        document.go_to(2);
        document.play(Move::from_usi("6g6f").unwrap()).unwrap();
        document.go_to(1);
        let here = document.current();
        let newer = record(&format!("{BASE}*seen\n3 ２六歩(27)\n*+100\n4 ８四歩(83)\n"));
        let tip = document.merge_newer(&newer, Some(&base));
        assert_eq!(document.current(), here, "the user stays");
        assert!(document.is_changed());
        let moves: Vec<String> = document.record().moves().map(|mv| mv.to_string()).collect();
        assert_eq!(
            moves,
            ["7g7f", "3c3d", "2g2f", "8c8d"],
            "the guess is a variation"
        );
        assert_eq!(document.record().node(tip).ply(), 4);
        let text = written_text(&document);
        for part in ["*good", "*seen", "*+100", "６六歩"] {
            assert!(text.contains(part), "{part}: {text}");
        }
        // Two moves are taken back, and another one is played.
        let back = record(&format!("{BASE}*seen\n3 ５六歩(57)\n"));
        document.merge_newer(&back, Some(&newer));
        let text = written_text(&document);
        assert!(
            !text.contains("８四歩") && text.contains("５六歩") && text.contains("６六歩"),
            "{text}"
        );
        document.undo();
        document.undo();
        let text = written_text(&document);
        assert!(
            text.contains("５六歩") && !text.contains("*good") && !text.contains("６六歩"),
            "{text}"
        );
    }

    #[test]
    fn withdrawn_moves_with_comments_of_the_user_stay() {
        let base = record(BASE);
        let mut document = Document::new(base.clone());
        document.go_to(2);
        document.set_comment(document.current(), "mine");
        let newer = record(&BASE.replace("2 ３四歩(33)", "2 ８四歩(83)\n3 投了"));
        let tip = document.merge_newer(&newer, Some(&base));
        assert!(document.record().node(tip).end().is_some());
        assert_eq!(document.record().len(), 2);
        assert!(written_text(&document).contains("*mine"));
        assert_eq!(
            document.history().usi(),
            "startpos moves 7g7f 3c3d",
            "the user stays"
        );
    }

    #[test]
    fn both_sides_changes_of_headers_and_comments_are_kept() {
        let base = record(BASE);
        let mut document = Document::new(base.clone());
        document.set_headers(["Mine", ""], &[], None);
        document.set_comment(NodeId::START, "mine");
        let newer = record(&BASE.replace("先手：A", "先手：B\n後手：C\n*theirs"));
        document.merge_newer(&newer, Some(&base));
        assert_eq!(document.record().header("先手"), Some("Mine"));
        assert_eq!(document.record().header("後手"), Some("C"));
        assert_eq!(
            document.record().node(NodeId::START).comment(),
            Some("mine\ntheirs")
        );
    }
    #[test]
    fn a_newer_version_brings_the_characters_of_its_file() {
        let base = record(BASE);
        let mut document = Document::new(base.clone());
        let newer = BASE.replace("先手：A", "先手：髙");
        let newer = shogibar_kifu::read(&encoding_rs::SHIFT_JIS.encode(&newer).0)
            .unwrap()
            .games
            .remove(0);
        document.merge_newer(&newer, Some(&base));
        let written = shogibar_kifu::write(document.record(), shogibar_kifu::Target::Kif);
        assert_eq!(
            (document.record().header("先手"), written.losses),
            (Some("髙"), vec![])
        );
    }
}
