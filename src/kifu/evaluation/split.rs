//! Separation of a comment into user text, engine evaluations and drawn marks.

use super::blocks::EvaluationBlocks;
use super::replace::would_join;
use crate::board_mark::is_mark_line;

/// A comment split into the evaluations that [`read`](super::read) finds, the lines of drawn
/// [marks](crate::board_mark), and the remaining text.
///
/// ```
/// use shogibar_kifu::evaluation::split;
///
/// let parted = split("定跡\n#評価値=85\n#深さ=10\nここから難しい");
/// assert_eq!(parted.text(), "定跡\nここから難しい");
/// assert_eq!(parted.evaluations().collect::<Vec<_>>(), ["#評価値=85\n#深さ=10"]);
/// assert_eq!(parted.join("定跡形"), "定跡形\n#評価値=85\n#深さ=10");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SplitComment {
    text: String,
    /// Whether the comment is empty or has only evaluations and marks: no line of text, not even an empty one.
    has_no_text: bool,
    /// The evaluations and the lines of marks, in order.
    blocks: Vec<HiddenBlock>,
}

/// Lines of a comment that are not shown as text.
#[derive(Clone, Debug, PartialEq, Eq)]
struct HiddenBlock {
    /// The number of text lines before the block.
    text_index: usize,
    lines: String,
    /// Whether the block is an evaluation, not a line of marks.
    is_evaluation: bool,
}

/// Splits a comment. Time is linear in its size.
pub fn split(comment: &str) -> SplitComment {
    let mut spans = EvaluationBlocks::new(comment)
        .filter_map(|block| Some((*block.line_indices.first()?, *block.line_indices.last()?)))
        .peekable();
    let (mut text, mut blocks) = (Vec::new(), Vec::<HiddenBlock>::new());
    let mut open: Option<HiddenBlock> = None;
    for (number, line) in comment.split('\n').enumerate() {
        let is_first = spans.peek().is_some_and(|(first, _)| *first == number);
        let block = |is_evaluation| HiddenBlock {
            text_index: text.len(),
            lines: line.to_owned(),
            is_evaluation,
        };
        match &mut open {
            Some(block) => {
                block.lines.push('\n');
                block.lines.push_str(line);
            }
            None if is_first => open = Some(block(true)),
            None if is_mark_line(line) => blocks.push(block(false)),
            None => text.push(line),
        }
        if open.is_some() && spans.next_if(|(_, last)| *last == number).is_some() {
            blocks.extend(open.take());
        }
    }
    blocks.extend(open);
    let has_no_text = text.is_empty() || comment.is_empty();
    SplitComment {
        text: text.join("\n"),
        has_no_text,
        blocks,
    }
}

impl SplitComment {
    /// Returns the text without the evaluations and the marks.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the lines of each evaluation.
    pub fn evaluations(&self) -> impl Iterator<Item = &str> {
        let evaluations = self.blocks.iter().filter(|block| block.is_evaluation);
        evaluations.map(|block| block.lines.as_str())
    }

    /// Returns the comment with its text replaced. The evaluations and marks stay unchanged. As far as possible, each
    /// has as many lines of text before it as in the old comment.
    pub fn join(&self, text: &str) -> String {
        let has_no_text = text.is_empty() && (self.has_no_text || !self.text.is_empty());
        let lines: Vec<&str> = if has_no_text {
            Vec::new()
        } else {
            text.split('\n').collect()
        };
        let mut all = Vec::with_capacity(lines.len() + 2 * self.blocks.len());
        let (mut rest, mut taken, mut before) = (lines.iter(), 0, None);
        for HiddenBlock {
            text_index: index,
            lines: block,
            ..
        } in &self.blocks
        {
            let text_end = all.len();
            all.extend(rest.by_ref().take(index - taken).copied());
            // An empty line replaces the text that kept two evaluations from merging.
            let needs_gap = before.is_some_and(|(last, last_index): (&str, usize)| {
                last_index < *index && all.len() == text_end && would_join(last, first_line(block))
            });
            if needs_gap {
                all.push("");
            }
            all.push(block);
            (taken, before) = (*index, Some((last_line(block), *index)));
        }
        all.extend(rest);
        all.join("\n")
    }
}

fn first_line(block: &str) -> &str {
    block.split('\n').next().unwrap_or_default().trim_end()
}

fn last_line(block: &str) -> &str {
    block.rsplit('\n').next().unwrap_or_default().trim_end()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn separates_evaluations_from_user_text() {
        let check = |comment: &str, text: &str, blocks: &[&str]| {
            let parted = split(comment);
            assert_eq!(
                (parted.text(), parted.evaluations().collect::<Vec<_>>().as_slice()),
                (text, blocks),
                "{comment}"
            );
        };
        check("", "", &[]);
        check("好手\n次は飛車先", "好手\n次は飛車先", &[]);
        check("#評価値=85\n#深さ=10", "", &["#評価値=85\n#深さ=10"]);
        check("好手\n* 56 -3334FU\nよい", "好手\nよい", &["* 56 -3334FU"]);
        check("#評価値=1\n\n#評価値=2", "", &["#評価値=1", "#評価値=2"]);
        check("#矢印=5e:1\n好手\n#矢印=7g7f:2", "好手", &[]);
        check("#矢印=5e:9", "#矢印=5e:9", &[]);
        check(
            "#評価値=85\n#矢印=5e:1\n#深さ=10",
            "",
            &["#評価値=85\n#矢印=5e:1\n#深さ=10"],
        );
        check(
            "* 5 -3334FU\n#エンジン=A\nはい",
            "はい",
            &["* 5 -3334FU\n#エンジン=A"],
        );
    }

    #[test]
    fn keeps_evaluations_when_the_text_changes() {
        let check = |comment: &str, text: &str, expect: &str| {
            assert_eq!(split(comment).join(text), expect, "{comment}");
        };
        check("#評価値=85", "よい", "#評価値=85\nよい");
        check("よい\n#評価値=85", "", "#評価値=85");
        check(
            "よい\n#評価値=85\nはい",
            "よい手\nはい\nさて",
            "よい手\n#評価値=85\nはい\nさて",
        );
        check(
            "#評価値=1\nと\n#深さ=2\n#評価値=3",
            "",
            "#評価値=1\n\n#深さ=2\n#評価値=3",
        );
        check("", "よい", "よい");
        check("よい\n#矢印=5e:1", "よい手\nはい", "よい手\n#矢印=5e:1\nはい");
        check("#矢印=5e:1", "", "#矢印=5e:1");
    }

    fn lines() -> impl Strategy<Value = Vec<&'static str>> {
        let words = vec![
            "",
            "定跡",
            "#評価値=85",
            "#評価値=-3",
            "#深さ=10",
            "#エンジン=A",
            "互角",
            "* 56 -3334FU",
            "*評価値=1",
            "*解析 0 候補1 評価値 207",
            "#知らない=1",
            "#矢印=5e:1",
            "#矢印=5e",
            "# ",
            "*",
            "先手有望 ",
            "\r",
        ];
        prop::collection::vec(prop::sample::select(words), 0..10)
    }

    proptest! {
        #[test]
        fn split_and_join_round_trip(lines in lines(), end in prop::sample::select(vec!["", "\n"])) {
            let comment = lines.join("\n") + end;
            let parted = split(&comment);
            prop_assert_eq!(parted.join(parted.text()), comment);
        }

        #[test]
        fn keeps_every_evaluation(lines in lines(), text in lines()) {
            let parted = split(&lines.join("\n"));
            let joined = format!("\n{}\n", parted.join(&text.join("\n")));
            for block in &parted.blocks {
                let block = format!("\n{}\n", block.lines);
                prop_assert!(joined.contains(&block), "{:?} in {:?}", block, joined);
            }
        }

        #[test]
        fn splits_any_text(comment in "(\\PC|\n){0,60}") {
            let parted = split(&comment);
            prop_assert_eq!(parted.join(parted.text()), comment);
        }
    }
}
