//! The lines of a comment that belong to one evaluation.

use super::shogihome::{Group, Line};
use super::{Evaluation, fields, floodgate, others, shogihome};
use std::iter::Enumerate;
use std::str::Split;

/// An evaluation before a position gives its moves meaning.
#[derive(Debug)]
pub(super) struct Block<'a> {
    /// Without its moves.
    pub(super) evaluation: Evaluation,
    /// The words of its moves.
    pub(super) line: Option<&'a str>,
    /// The lines of the comment that state it, from 0, in their order.
    pub(super) lines: Vec<usize>,
}

/// What one line states that is an evaluation on its own.
pub(super) type Single<'a> = (Evaluation, Option<&'a str>);

/// The evaluations of a comment, one after the other.
pub(super) struct Blocks<'a> {
    lines: Enumerate<Split<'a, char>>,
    /// Lines of `ShogiHome` that more may follow.
    group: Option<Group<'a>>,
    /// A line like 互角 that may belong to the group after it.
    situation: Option<usize>,
    /// What followed a group that has been handed out first.
    next: Option<Block<'a>>,
}

impl<'a> Blocks<'a> {
    pub(super) fn new(comment: &'a str) -> Self {
        Self { lines: comment.split('\n').enumerate(), group: None, situation: None, next: None }
    }

    /// Takes a line, and returns the evaluation that is complete by it.
    fn line(&mut self, number: usize, line: &'a str) -> Option<Block<'a>> {
        let line = line.trim_end();
        match shogihome::read(line) {
            Some(Line::Statement(source, statement)) => {
                let done = self.group.take_if(|group| !group.takes(source, statement)).and_then(Group::finish);
                let situation = self.situation.take();
                self.group.get_or_insert_with(|| Group::new(source, situation)).add(number, statement);
                done
            }
            Some(Line::Situation) => {
                if let Some(group) = self.group.as_mut().filter(|group| group.awaits_situation()) {
                    group.add_line(number);
                    return None;
                }
                self.situation = Some(number);
                self.close()
            }
            Some(Line::Other) => None,
            None => {
                self.situation = None;
                let single = single(line);
                let block = single.map(|(evaluation, line)| Block { evaluation, line, lines: vec![number] });
                match self.close() {
                    None => block,
                    done => {
                        self.next = block;
                        done
                    }
                }
            }
        }
    }

    fn close(&mut self) -> Option<Block<'a>> {
        self.group.take().and_then(Group::finish)
    }
}

impl<'a> Iterator for Blocks<'a> {
    type Item = Block<'a>;

    fn next(&mut self) -> Option<Block<'a>> {
        if let Some(block) = self.next.take() {
            return Some(block);
        }
        while let Some((number, line)) = self.lines.next() {
            if let Some(block) = self.line(number, line) {
                return Some(block);
            }
        }
        self.close()
    }
}

/// The evaluation that a line states on its own.
fn single(line: &str) -> Option<Single<'_>> {
    fields::read(line).or_else(|| floodgate::read(line)).or_else(|| others::read(line))
}
