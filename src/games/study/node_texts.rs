//! The texts of the nodes of a record.

use super::Document;
use crate::bar::{self, Ending};
use shogibar_base::Lang;
use shogibar_kifu::{NodeId, Record, Step, Walk};
use std::collections::HashMap;

/// The cached texts of the nodes of a record in a language. A cached text stays valid, because the move of a node never
/// changes.
#[derive(Debug, Default)]
pub struct NodeTexts {
    texts: HashMap<NodeId, String>,
    /// The first revision of the record, and the language.
    key: Option<(u64, Lang)>,
}

impl NodeTexts {
    /// Builds the texts of new nodes. This is fastest in line order, because each position follows from the previous
    /// one.
    pub fn update(&mut self, document: &Document, lang: Lang, nodes: impl IntoIterator<Item = NodeId>) {
        let key = Some((document.first_revision(), lang));
        if std::mem::replace(&mut self.key, key) != key {
            self.texts.clear();
        }
        let record = document.record();
        let mut walk = record.walk();
        for node in nodes {
            self.texts
                .entry(node)
                .or_insert_with(|| node_text(record, &mut walk, node, lang));
        }
    }

    /// Returns the text of a node; empty if it is not built yet.
    pub fn get(&self, node: NodeId) -> &str {
        self.texts.get(&node).map_or("", String::as_str)
    }
}

/// Returns the text of a node: the word for the start, the move in words, or the end.
pub(super) fn node_text(record: &Record, walk: &mut Walk<'_>, node: NodeId, lang: Lang) -> String {
    match record.node(node).step() {
        Step::Start => bar::start_word(record.start()).text(lang).to_owned(),
        Step::End(end) => Ending::word(end, lang),
        Step::Move(mv) => {
            walk.go(record.parent(node).unwrap_or(NodeId::START));
            let mut word = String::new();
            let _legal = bar::notation(lang).write(&mut word, walk.position(), *mv, walk.last_to());
            word
        }
    }
}
