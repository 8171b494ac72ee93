//! Nodes of a record in words.

use super::Document;
use crate::bar::{self, Ending};
use crate::kifu::{NodeId, Record, Step, Walk};
use crate::text::{Label, Lang};
use std::collections::HashMap;

/// The nodes that were seen, in words: of one record in one language. No node is ever another move.
#[derive(Debug, Default)]
pub struct NodeWords {
    known: HashMap<NodeId, String>,
    of: Option<(u64, Lang)>,
}

impl NodeWords {
    /// Puts nodes into words that are seen for the first time. It is fastest line by line, so that each position leads
    /// on from the one before.
    pub fn update(&mut self, document: &Document, lang: Lang, nodes: impl IntoIterator<Item = NodeId>) {
        let of = Some((document.first_revision(), lang));
        if std::mem::replace(&mut self.of, of) != of {
            self.known.clear();
        }
        let record = document.record();
        let mut walk = record.walk();
        for node in nodes {
            self.known.entry(node).or_insert_with(|| word(record, &mut walk, node, lang));
        }
    }

    /// A node in words; nothing where it was not seen yet.
    pub fn get(&self, node: NodeId) -> &str {
        self.known.get(&node).map_or("", String::as_str)
    }
}

/// A node in words.
pub(super) fn word(record: &Record, walk: &mut Walk<'_>, node: NodeId, lang: Lang) -> String {
    match record.node(node).step() {
        Step::Start => Label::StartPosition.text(lang).to_owned(),
        Step::End(end) => Ending::word(end, lang),
        Step::Move(mv) => {
            walk.go(record.parent(node).unwrap_or(NodeId::START));
            let mut word = String::new();
            let _legal = bar::notation(lang).write(&mut word, walk.position(), *mv, walk.last_to());
            word
        }
    }
}
