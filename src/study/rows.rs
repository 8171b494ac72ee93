//! The line on view, row by row.

use super::Document;
use crate::bar::{self, Ending};
use crate::kifu::evaluation;
use crate::kifu::{Millis, NodeId, Step};
use crate::text::{Label, Lang};

/// The start, a move or the end of a line, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The node.
    pub node: NodeId,
    /// Which move of the game it is; 0 for the start. An end has the number of the move in whose place it stands.
    pub number: usize,
    /// The move, or what ends the line.
    pub word: String,
    /// How long it took.
    pub spent: Option<Millis>,
    /// How many other moves the record has in its place.
    pub others: usize,
    /// Whether something is noted, besides what engines state.
    pub has_comment: bool,
    /// The name of a bookmark.
    pub bookmark: Option<String>,
}

/// The rows of the line on view, the start first.
pub fn rows(document: &Document, lang: Lang) -> Vec<Row> {
    let record = document.record();
    let notation = bar::notation(lang);
    let mut walk = record.walk();
    let mut rows = Vec::with_capacity(document.line().len() + 1);
    for node in std::iter::once(&NodeId::START).chain(document.line()) {
        let here = record.node(*node);
        let mut word = String::new();
        match here.step() {
            Step::Start => word.push_str(Label::StartPosition.text(lang)),
            Step::Move(mv) => {
                let _legal = notation.write(&mut word, walk.position(), *mv, walk.last_to());
                walk.go(*node);
            }
            Step::End(end) => word = Ending::word(end, lang),
        }
        let siblings = record.parent(*node).map_or(0, |parent| record.children(parent).count());
        let notes = here.notes();
        rows.push(Row {
            node: *node,
            number: usize::from(here.ply()) + usize::from(here.end().is_some()),
            word,
            spent: here.time.spent,
            others: siblings.saturating_sub(1),
            has_comment: notes.comment.as_deref().is_some_and(is_noted),
            bookmark: notes.bookmark.clone(),
        });
    }
    rows
}

fn is_noted(comment: &str) -> bool {
    !evaluation::split(comment).text().trim().is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kifu;

    #[test]
    fn a_line_is_said_row_by_row() {
        let game = "手数----指手---------消費時間--\n*始\n1 ７六歩(77) (0:05/)\n**評価値=30\n2 ３四歩(33)\n3 ２二角成(88)\n4 同　銀(31)\n&交換\n5 投了\n\n変化：2手\n2 ８四歩(83)\n";
        let document = Document::new(kifu::read(game.as_bytes()).unwrap().games.remove(0));
        let said = |lang| {
            let rows = rows(&document, lang);
            let row = |row: &Row| {
                let spent = row.spent.map_or_else(String::new, |spent| format!(" {}", spent.0));
                let note = if row.has_comment { " *" } else { "" };
                let others = if row.others > 0 { format!(" +{}", row.others) } else { String::new() };
                format!(
                    "{} {}{spent}{others}{note}{}",
                    row.number,
                    row.word,
                    row.bookmark.as_deref().unwrap_or_default()
                )
            };
            rows.iter().map(row).collect::<Vec<_>>().join("\n")
        };
        let expect = "0 開始局面 *\n1 ▲７六歩 5000\n2 △３四歩 +1\n3 ▲２二角成\n4 △同　銀交換\n5 投了";
        assert_eq!(said(Lang::Ja), expect);
        assert!(said(Lang::En).ends_with("4 Sx2b交換\n5 resigned"), "{}", said(Lang::En));
    }
}
