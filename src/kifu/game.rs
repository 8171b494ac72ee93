//! A game while it is read: the moves played so far, and what its end marks come to.

use super::end::{End, Mark, Outcome, Reason, Verdict};
use super::record::{Node, Record};
use super::scan::Spot;
use super::time::Time;
use super::warning::{Problem, Tally, Warnings, quote};
use crate::shogi::{Color, IllegalMove, Move, Position};

/// What a file says at some place, in its own words.
#[derive(Clone, Copy, Debug)]
pub(super) struct Said<'a> {
    pub(super) words: &'a str,
    pub(super) spot: Spot<'a>,
    pub(super) time: Time,
}

#[derive(Debug)]
pub(super) struct Game {
    start: Position,
    now: Position,
    nodes: Vec<Node>,
    end: Option<End>,
    after_end: Tally,
}

impl Game {
    pub(super) fn new(start: Position) -> Self {
        Self { now: start.clone(), start, nodes: Vec::new(), end: None, after_end: Tally::default() }
    }

    pub(super) const fn now(&self) -> &Position {
        &self.now
    }

    /// The square of the last move.
    pub(super) fn last_move(&self) -> Option<Move> {
        self.nodes.last().map(|node| node.mv)
    }

    /// Whether no end has been read.
    pub(super) const fn is_unfinished(&self) -> bool {
        self.end.is_none()
    }

    /// The last move or the end, whichever came last: what a time on a line of its own belongs to.
    pub(super) fn last_time(&mut self) -> Option<&mut Time> {
        match &mut self.end {
            _ if self.after_end.count() > 0 => None,
            Some(end) => Some(&mut end.time),
            None => self.nodes.last_mut().map(|node| &mut node.time),
        }
    }

    /// Whether the next move can be played. A game goes on after an interruption; after any other
    /// end its moves are only counted.
    pub(super) fn goes_on(&mut self, spot: Spot<'_>, warnings: &mut Warnings) -> bool {
        if let Some(pause) = self.end.take_if(|end| end.is_a_pause()) {
            warnings.add(spot, Problem::Resumed(pause.words));
        }
        if self.end.is_some() {
            self.after_end.add(spot);
        }
        self.end.is_none()
    }

    /// Plays a move. An illegal one ends the line.
    pub(super) fn play(&mut self, mv: Move, said: Said<'_>, warnings: &mut Warnings) {
        match self.now.play(mv) {
            Ok(()) => self.nodes.push(Node { mv, time: said.time }),
            Err(reason) => self.cut(Cut::Illegal(reason), said, warnings),
        }
    }

    /// Ends the line before a move that cannot be played.
    pub(super) fn cut(&mut self, cut: Cut, said: Said<'_>, warnings: &mut Warnings) {
        let words = quote(said.words);
        let (reason, problem) = match cut {
            Cut::Illegal(why) => (Reason::IllegalMove, Problem::Illegal(words, why)),
            Cut::Unreadable => (Reason::Unreadable, Problem::Unreadable(words)),
        };
        warnings.add(said.spot, problem);
        self.end = Some(End { reason, outcome: Outcome::Open, words: said.words.to_owned(), time: said.time });
    }

    /// Ends the game as a mark says.
    pub(super) fn mark(&mut self, mark: Mark, said: Said<'_>, warnings: &mut Warnings) {
        let mover = self.mover();
        let outcome = mark.outcome(mover);
        let after_end = self.after_end.count() > 0;
        match &mut self.end {
            None => {
                let words = said.words.to_owned();
                self.end = Some(End { reason: mark.reason, outcome, words, time: said.time });
            }
            // The mark right after a move against the rules says what came of it. A foul is that move.
            Some(end) if end.is_a_cut() && !after_end => {
                let by_foul = mark.reason == Reason::Foul && end.reason == Reason::IllegalMove;
                end.outcome = if by_foul { Outcome::Win(mover) } else { outcome };
                end.words = format!("{} {}", end.words, said.words);
            }
            Some(end) if end.reason == mark.reason || end.is_a_cut() => {}
            Some(_) => warnings.add(said.spot, Problem::Contradiction(quote(said.words))),
        }
    }

    /// Takes in a line that sums the game up: it knows the winner better than a mark, which only
    /// says what happened to the side whose turn it was.
    pub(super) fn sum_up(&mut self, summary: Mark, said: Said<'_>, warnings: &mut Warnings) {
        let mover = self.mover();
        let outcome = summary.outcome(mover);
        let named = matches!(summary.verdict, Verdict::Winner(_));
        let Some(end) = &mut self.end else {
            // Without a word why, the side whose turn it is has lost by resigning.
            let resigned = summary.reason == Reason::Other && outcome == Outcome::Win(mover.flip());
            let reason = if resigned { Reason::Resignation } else { summary.reason };
            self.end = Some(End { reason, outcome, words: said.words.to_owned(), time: said.time });
            return;
        };
        if end.is_a_cut() && self.after_end.count() > 0 {
            return;
        }
        if end.reason == Reason::Other {
            end.reason = summary.reason;
        }
        if named && end.outcome != outcome {
            if end.is_decided() {
                warnings.add(said.spot, Problem::Contradiction(quote(said.words)));
            }
            end.outcome = outcome;
        }
    }

    /// The side whose turn it is in the file, where a move that could not be played counts as one.
    fn mover(&self) -> Color {
        let side = self.now.side_to_move();
        if self.end.as_ref().is_some_and(End::is_a_cut) { side.flip() } else { side }
    }

    pub(super) fn finish(
        self,
        headers: Vec<(String, String)>,
        speaks_of_handicap: bool,
        warnings: &mut Warnings,
    ) -> Record {
        self.after_end.report(warnings, Problem::MovesAfterEnd);
        Record { headers, start: self.start, nodes: self.nodes, end: self.end, speaks_of_handicap }
    }
}

/// Why a move was not played.
#[derive(Clone, Copy, Debug)]
pub(super) enum Cut {
    Illegal(IllegalMove),
    Unreadable,
}

impl End {
    /// Whether the line stops before a move that could not be played.
    const fn is_a_cut(&self) -> bool {
        matches!(self.reason, Reason::IllegalMove | Reason::Unreadable)
    }
}
