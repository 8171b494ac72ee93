//! Grouping of comment lines into evaluations.

use super::block::{EvaluationBlock, SingleLine};
use super::shogihome::{CommentLine, StatementGroup};
use super::{fields, floodgate, others, shogihome};
use std::collections::VecDeque;
use std::iter::Enumerate;
use std::str::Split;

/// An iterator over the evaluations of a comment.
pub(super) struct EvaluationBlocks<'a> {
    /// The lines that have not been read, with their indices.
    lines: Enumerate<Split<'a, char>>,
    /// The open group of `ShogiHome` statements.
    group: Option<StatementGroup<'a>>,
    /// The index of a line like 互角, just read, that may belong to the group after it.
    situation: Option<usize>,
    /// The single-line evaluation of the last line, which the next line may sign.
    single_line_block: Option<EvaluationBlock<'a>>,
    /// Complete evaluations that have not been returned yet.
    complete_blocks: VecDeque<EvaluationBlock<'a>>,
}

impl<'a> EvaluationBlocks<'a> {
    pub(super) fn new(comment: &'a str) -> Self {
        let (lines, done) = (comment.split('\n').enumerate(), VecDeque::new());
        Self {
            lines,
            group: None,
            situation: None,
            single_line_block: None,
            complete_blocks: done,
        }
    }

    fn read_line(&mut self, index: usize, line: &'a str) {
        let line = line.trim_end();
        let read = shogihome::read(line);
        if let Some(mut single) = self.single_line_block.take() {
            let signer = match read {
                Some(read) if single.evaluation.engine.is_none() => read.signer(),
                _ => None,
            };
            let is_signed = signer.is_some();
            if let Some(signer) = signer {
                single.evaluation.engine = Some(signer.to_owned());
                single.line_indices.push(index);
            }
            self.complete_blocks.push_back(single);
            if is_signed {
                return;
            }
        }
        match read {
            Some(CommentLine::Statement(source, statement)) => {
                if self
                    .group
                    .as_ref()
                    .is_some_and(|group| !group.accepts(source, statement))
                {
                    self.close_group();
                }
                let situation = self.situation.take();
                self.group
                    .get_or_insert_with(|| StatementGroup::new(source, situation))
                    .add(index, statement);
            }
            Some(CommentLine::Situation) => {
                if let Some(group) = self.group.as_mut().filter(|group| group.awaits_situation()) {
                    return group.add_line(index);
                }
                self.situation = Some(index);
                self.close_group();
            }
            Some(CommentLine::Other) => {}
            None => {
                self.situation = None;
                self.close_group();
                self.single_line_block =
                    parse_single_line(line).map(|(evaluation, pv_text)| EvaluationBlock {
                        evaluation,
                        pv_text,
                        line_indices: vec![index],
                    });
            }
        }
    }

    /// Completes the open group, if there is one.
    fn close_group(&mut self) {
        self.complete_blocks
            .extend(self.group.take().and_then(StatementGroup::finish));
    }
}

impl<'a> Iterator for EvaluationBlocks<'a> {
    type Item = EvaluationBlock<'a>;

    fn next(&mut self) -> Option<EvaluationBlock<'a>> {
        while self.complete_blocks.is_empty() {
            let Some((index, line)) = self.lines.next() else {
                self.close_group();
                self.complete_blocks.extend(self.single_line_block.take());
                break;
            };
            self.read_line(index, line);
        }
        self.complete_blocks.pop_front()
    }
}

/// Parses an evaluation in a single line; `None` for a line without one.
pub(super) fn parse_single_line(line: &str) -> Option<SingleLine<'_>> {
    fields::read(line)
        .or_else(|| floodgate::read(line))
        .or_else(|| others::read(line))
}
