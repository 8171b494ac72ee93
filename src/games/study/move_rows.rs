//! The rows of the list of moves, for the current line.

use super::Document;
use super::node_texts::node_text;
use shogibar_base::Lang;
use shogibar_kifu::{Millis, NodeId, evaluation};

/// A row of the list of moves: the start, a move or the end of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveRow {
    /// The node of the record.
    pub node: NodeId,
    /// The number of the move in the game; 0 for the start. The end has the number after the last move.
    pub number: usize,
    /// The text of the move or of the end.
    pub text: String,
    /// The time used for the move; `None` where the record has none.
    pub time_spent: Option<Millis>,
    /// The number of alternatives to the move in the record.
    pub alternative_count: usize,
    /// Whether the comment has text apart from evaluations.
    pub has_comment: bool,
    /// The name of the bookmark; `None` without a bookmark.
    pub bookmark: Option<String>,
}

/// The maximum number of rows that a call builds, because more would delay the UI visibly.
const MAX_ROWS_PER_CALL: usize = 4_000;

/// The rows of the current line, which are built in parts.
#[derive(Debug, Default)]
pub struct MoveRows {
    /// All rows of a state of the document.
    all_rows: Vec<MoveRow>,
    /// The state of `all_rows`; `None` if they were never complete.
    key: Option<RowsKey>,
    /// The rows of a newer state that are built so far.
    next_rows: Vec<MoveRow>,
    next_key: Option<RowsKey>,
}

/// The state of a document and the language for which rows are built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct RowsKey {
    first_revision: u64,
    revision: u64,
    lang: Lang,
    last_node: Option<NodeId>,
}

impl MoveRows {
    /// Updates from a document. Returns whether all rows are built. If not, the caller repeats the call soon.
    pub fn update(&mut self, document: &Document, lang: Lang) -> bool {
        let key = RowsKey {
            first_revision: document.first_revision(),
            revision: document.revision(),
            lang,
            last_node: document.line().last().copied(),
        };
        if self.key == Some(key) {
            return true;
        }
        if self.next_key.replace(key) != Some(key) {
            self.next_rows.clear();
        }
        append_rows(&mut self.next_rows, document, lang, MAX_ROWS_PER_CALL);
        let is_all = self.next_rows.len() > document.line().len();
        if is_all {
            self.all_rows = std::mem::take(&mut self.next_rows);
            self.key = self.next_key.take();
        } else if self.key.map(|shown| shown.first_revision) != Some(key.first_revision) {
            // Rows of another record must not be shown.
            self.all_rows.clear();
        }
        is_all
    }

    /// Returns the rows to show: the rows of the previous state of the record until all new rows are built. Without
    /// previous rows, returns the new rows that are built so far.
    pub fn shown_rows(&self) -> &[MoveRow] {
        if self.all_rows.is_empty() {
            &self.next_rows
        } else {
            &self.all_rows
        }
    }
}

/// Returns the rows of the current line, from the start.
pub fn rows(document: &Document, lang: Lang) -> Vec<MoveRow> {
    let mut rows = Vec::with_capacity(document.line().len() + 1);
    append_rows(&mut rows, document, lang, usize::MAX);
    rows
}

/// Appends up to `max_rows` missing rows.
fn append_rows(rows: &mut Vec<MoveRow>, document: &Document, lang: Lang, max_rows: usize) {
    let record = document.record();
    let mut walk = record.walk();
    let existing = rows.len();
    for node in std::iter::once(&NodeId::START)
        .chain(document.line())
        .skip(existing)
        .take(max_rows)
    {
        let here = record.node(*node);
        let siblings = record
            .parent(*node)
            .map_or(0, |parent| record.children(parent).count());
        let notes = here.notes();
        rows.push(MoveRow {
            node: *node,
            number: usize::from(here.ply()) + usize::from(here.end().is_some()),
            text: node_text(record, &mut walk, *node, lang),
            time_spent: here.time.spent,
            alternative_count: siblings.saturating_sub(1),
            has_comment: notes.comment.as_deref().is_some_and(has_text),
            bookmark: notes.bookmark.clone(),
        });
    }
}

fn has_text(comment: &str) -> bool {
    !evaluation::split(comment).text().trim().is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_words_of_the_user_are_a_comment() {
        assert!(has_text("#矢印=5e:1\n好手"));
        assert!(!has_text("#評価値=85\n#矢印=5e:1"));
    }

    #[test]
    fn long_line_is_built_in_parts() {
        let moves = |count| ["5i5h", "5a5b", "5h5i", "5b5a"].repeat(count).join(" ");
        let read = |count| {
            shogibar_kifu::read(format!("position startpos moves {}", moves(count)).as_bytes())
                .unwrap()
                .games
                .remove(0)
        };
        let mut document = Document::new(read(2_500));
        let mut all = MoveRows::default();
        let parts = std::iter::repeat_with(|| all.update(&document, Lang::Ja)).position(|is_all| is_all);
        assert_eq!(parts, Some(2));
        assert_eq!(all.shown_rows(), rows(&document, Lang::Ja));
        document.set_comment(NodeId::START, "長い将棋");
        assert!(!all.update(&document, Lang::Ja));
        assert_eq!(all.shown_rows().len(), 10_001, "as they were, meanwhile");
        document.open(read(3_000));
        assert!(!all.update(&document, Lang::Ja));
        assert_eq!(
            all.shown_rows().len(),
            MAX_ROWS_PER_CALL,
            "rows of another record are not shown"
        );
    }

    #[test]
    fn rows_have_texts_times_and_notes() {
        let game = "手数----指手---------消費時間--\n*始\n1 ７六歩(77) (0:05/)\n**評価値=30\n2 ３四歩(33)\n3 ２二角成(88)\n4 同　銀(31)\n&交換\n5 投了\n\n変化：2手\n2 ８四歩(83)\n";
        let document = Document::new(shogibar_kifu::read(game.as_bytes()).unwrap().games.remove(0));
        let text = |lang| {
            let rows = rows(&document, lang);
            let row = |row: &MoveRow| {
                let spent = row
                    .time_spent
                    .map_or_else(String::new, |spent| format!(" {}", spent.0));
                let note = if row.has_comment { " *" } else { "" };
                let others = if row.alternative_count > 0 {
                    format!(" +{}", row.alternative_count)
                } else {
                    String::new()
                };
                format!(
                    "{} {}{spent}{others}{note}{}",
                    row.number,
                    row.text,
                    row.bookmark.as_deref().unwrap_or_default()
                )
            };
            rows.iter().map(row).collect::<Vec<_>>().join("\n")
        };
        let expect = "0 開始局面 *\n1 ▲7六歩 5000\n2 △3四歩 +1\n3 ▲2二角成\n4 △同　銀交換\n5 投了";
        assert_eq!(text(Lang::Ja), expect);
        assert!(
            text(Lang::En).ends_with("4 Sx2b交換\n5 resigned"),
            "{}",
            text(Lang::En)
        );
    }
}
