//! Collects the variations of a report.

use super::ReportVariation;
use crate::bar::{self, Ending};
use shogibar_base::Lang;
use shogibar_kifu::{NodeId, Record, Step, Walk, board_mark, evaluation};

/// Returns the variations that replace a node. Each variation is followed by the variations of its moves.
pub(super) fn collect_variations(
    record: &Record,
    walk: &mut Walk<'_>,
    node: NodeId,
    lang: Lang,
) -> Vec<ReportVariation> {
    let Some(parent) = record.parent(node) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    // The variations still to be described, as a stack: the last one is the next.
    let mut pending: Vec<_> = record
        .children(parent)
        .filter(|child| *child != node)
        .map(|child| (child, 1))
        .collect();
    pending.reverse();
    while let Some((first, depth)) = pending.pop() {
        found.push(describe_variation(record, walk, first, depth, lang));
        let from = pending.len();
        for node in record.line_after(first) {
            let siblings =
                std::iter::successors(record.next_sibling(node), |node| record.next_sibling(*node));
            // The line has the first child of each node, so all siblings of a node of the line begin variations.
            pending.extend(siblings.map(|node| (node, depth + 1)));
        }
        pending.get_mut(from..).unwrap_or_default().reverse();
    }
    found
}

/// Returns the variation that begins with a node.
fn describe_variation(
    record: &Record,
    walk: &mut Walk<'_>,
    first: NodeId,
    depth: usize,
    lang: Lang,
) -> ReportVariation {
    let notation = bar::notation(lang);
    if let Some(parent) = record.parent(first) {
        walk.go(parent);
    }
    let mut moves = Vec::new();
    for node in std::iter::once(first).chain(record.line_after(first)) {
        let here = record.node(node);
        let mut word = String::new();
        match here.step() {
            Step::Start => {}
            Step::Move(mv) => {
                let _legal = notation.write(&mut word, walk.position(), *mv, walk.last_to());
                walk.go(node);
            }
            Step::End(end) => word = Ending::word(end, lang),
        }
        moves.push((word, user_comment(here.comment())));
    }
    let here = record.node(first);
    ReportVariation {
        number: usize::from(here.ply()) + usize::from(here.end().is_some()),
        depth,
        moves,
    }
}

/// Returns a comment without the evaluations that programs wrote into it, and without drawn marks.
pub(super) fn user_comment(comment: Option<&str>) -> String {
    let Some(comment) = comment else {
        return String::new();
    };
    let text = evaluation::replace(&board_mark::clear(comment), |_| true, "");
    text.trim_matches(|c: char| c.is_whitespace()).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_shows_only_words_of_the_user() {
        let comment = "#矢印=5e:1\n好手\n#評価値=85\n#矢印=7g7f:2 8h2b:3\n次は角";
        assert_eq!(user_comment(Some(comment)), "好手\n次は角");
    }
}
