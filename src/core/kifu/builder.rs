//! A record while it is read: where the reader stands in the tree, and what the words of a file come to.

use super::end::{End, EndMark, Outcome, Reason};
use super::record::{NodeId, Notes, Record, Step};
use super::scan::TextSpot;
use super::time::{Clock, Time};
use super::walk::MoveTrail;
use super::warning::{RecordProblem, Tally, Warnings, quote};
use crate::shogi::notation::MoveReadError;
use crate::shogi::{Color, IllegalMove, Move, Position, Square};

/// How many moves may be played over again to reach the places of variations that stand in no useful
/// order: so many for each move that was read, and a thousand. Files that programs write need none.
const REPLAYED_FOR_EACH: usize = 64;

/// How many moves there is room for from the first: as many as most games have.
const USUAL_LENGTH: usize = 128;

/// What a file says at some place, in its own words.
#[derive(Clone, Copy, Debug)]
pub(super) struct SourceText<'a> {
    pub(super) words: &'a str,
    pub(super) spot: TextSpot<'a>,
    pub(super) time: Time,
}

#[derive(Debug)]
pub(super) struct Builder {
    record: Record,
    trail: MoveTrail,
    here: NodeId,
    /// The newest node after so many moves. Up to where we are that is our own line; behind it, what is
    /// left of lines before.
    newest: Vec<NodeId>,
    clock: Clock,
    replayed: usize,
    /// The interruption that the next move comes instead of.
    paused: Option<NodeId>,
    /// Whether the line we are in was cut, and moves were passed over since.
    passed_over: bool,
    after_end: Tally,
}

/// Adds what comes after a node, in the place of an interruption if there was one.
fn put(record: &mut Record, after: NodeId, paused: Option<NodeId>, step: Step) -> Option<NodeId> {
    match paused {
        Some(pause) => record.replace(pause, step),
        None => record.add(after, step),
    }
}

/// A game that begins with its first move or end: what is said before, the start may follow.
#[derive(Debug, Default)]
pub(super) struct GameDraft {
    head: Notes,
    builder: Option<Builder>,
}

impl GameDraft {
    pub(super) const fn is_begun(&self) -> bool {
        self.builder.is_some()
    }

    /// The game, begun from a position where it has not been.
    pub(super) fn begin(&mut self, start: impl FnOnce() -> Position) -> &mut Builder {
        let Self { head, builder } = self;
        builder.get_or_insert_with(|| {
            let mut builder = Builder::new(start());
            if *head != Notes::default() {
                *builder.notes() = std::mem::take(head);
            }
            builder
        })
    }

    /// The game, if it has begun.
    pub(super) const fn begun(&mut self) -> Option<&mut Builder> {
        self.builder.as_mut()
    }

    pub(super) fn into_builder(self) -> Option<Builder> {
        self.builder
    }

    /// What is said of the place where we are.
    pub(super) fn notes(&mut self) -> &mut Notes {
        match &mut self.builder {
            Some(builder) => builder.notes(),
            None => &mut self.head,
        }
    }
}

/// Why a move was not played.
#[derive(Clone, Copy, Debug)]
pub(super) enum CutReason {
    Illegal(IllegalMove),
    /// Its words fit no piece.
    NoSuchMove,
    /// Its words fit several.
    Ambiguous,
    Unreadable,
    /// A word in the place of a move that is not known.
    UnknownWord,
}

impl CutReason {
    /// Why the line ends there.
    pub(super) const fn reason(self) -> Reason {
        match self {
            Self::Illegal(_) | Self::NoSuchMove => Reason::IllegalMove,
            Self::Ambiguous | Self::Unreadable => Reason::Unreadable,
            Self::UnknownWord => Reason::Other,
        }
    }
}

impl From<&MoveReadError> for CutReason {
    fn from(error: &MoveReadError) -> Self {
        match error {
            MoveReadError::Illegal { reason, .. } => Self::Illegal(*reason),
            MoveReadError::NoSuchMove { .. } => Self::NoSuchMove,
            MoveReadError::Ambiguous(_) => Self::Ambiguous,
            MoveReadError::Unreadable(_) | MoveReadError::NoMoveBefore => Self::Unreadable,
        }
    }
}

impl Builder {
    pub(super) fn new(start: Position) -> Self {
        let mut newest = Vec::with_capacity(USUAL_LENGTH);
        newest.push(NodeId::START);
        Self {
            record: Record::with_capacity(&start, USUAL_LENGTH),
            trail: MoveTrail::new(start),
            here: NodeId::START,
            newest,
            clock: Clock::default(),
            replayed: 0,
            paused: None,
            passed_over: false,
            after_end: Tally::default(),
        }
    }

    /// The position where we are.
    pub(super) const fn now(&self) -> &Position {
        self.trail.position()
    }

    /// Where the move before went.
    pub(super) fn last_to(&self) -> Option<Square> {
        self.trail.last_to()
    }

    /// How many moves led here.
    pub(super) fn ply(&self) -> u16 {
        self.record.node(self.here).ply()
    }

    /// How many moves led here in the file, one that could not be played included.
    pub(super) fn moves_said(&self) -> u32 {
        u32::from(self.ply()) + u32::from(self.end().is_some_and(End::is_a_cut))
    }

    /// The record as far as it has been read.
    pub(super) const fn record(&self) -> &Record {
        &self.record
    }

    /// The node where we are, for what is said of it.
    pub(super) const fn here(&self) -> NodeId {
        self.here
    }

    pub(super) fn notes(&mut self) -> &mut Notes {
        self.record.node_mut(self.here).notes_mut()
    }

    pub(super) fn comment(&mut self, lines: &str) {
        Notes::add(&mut self.notes().comment, lines);
    }

    pub(super) fn remark(&mut self, lines: &str) {
        Notes::add(&mut self.notes().remark, lines);
    }

    pub(super) fn bookmark(&mut self, name: &str) {
        Notes::add(&mut self.notes().bookmark, name);
    }

    /// Whether the line we are in has no end yet.
    pub(super) fn is_unfinished(&self) -> bool {
        self.end().is_none()
    }

    fn end(&self) -> Option<&End> {
        self.record.node(self.here).end()
    }

    /// States the time of the last move, or of the end if that came last. What has been said stands.
    pub(super) fn time(&mut self, time: Time) {
        if self.here == NodeId::START || self.passed_over || time == Time::default() {
            return;
        }
        let turn = self.record.node(self.here).turn_number();
        let node = self.record.node_mut(self.here);
        let said = Time { spent: node.time.spent.or(time.spent), total: node.time.total.or(time.total) };
        node.time = self.clock.plain(turn, said);
    }

    /// Goes back to the newest line with so many moves, to the place after them. `false` where there
    /// is none, or where it would take too long.
    pub(super) fn branch(&mut self, ply: usize) -> bool {
        let Some(node) = self.newest.get(ply).copied() else { return false };
        if self.replayed > 1000 + REPLAYED_FOR_EACH * self.record.size() {
            return false;
        }
        self.go(node);
        true
    }

    /// Goes to a node that was added before.
    pub(super) fn go(&mut self, node: NodeId) {
        let ours = self.ply();
        let replayed = self.trail.go(&self.record, node);
        self.replayed += replayed;
        let mut at = Some(node);
        // The line of the node is ours from here on; its upper part may be ours already.
        while let Some(id) = at {
            let ply = self.record.node(id).ply();
            let Some(newest) = self.newest.get_mut(usize::from(ply)) else { break };
            if ply <= ours && *newest == id {
                break;
            }
            *newest = id;
            at = self.record.parent(id);
        }
        self.here = node;
        self.paused = None;
        self.passed_over = false;
        self.replay_clock(replayed);
    }

    /// Takes in anew the times of the last moves of our line, which belonged to another one before.
    fn replay_clock(&mut self, moves: usize) {
        let line = std::iter::successors(Some(self.here), |id| self.record.parent(*id));
        let nodes = line.map(|id| self.record.node(id)).filter(|node| node.mv().is_some());
        let turns: Vec<_> = nodes.take(moves).map(|node| (usize::from(node.ply()), node.time)).collect();
        for (turn, time) in turns.into_iter().rev() {
            self.clock.total(turn, time);
        }
    }

    /// Whether the next move can be played. A game goes on after an interruption; after any other
    /// end its moves are only counted.
    pub(super) fn goes_on(&mut self, spot: TextSpot<'_>, warnings: &mut Warnings) -> bool {
        let Some(end) = self.end() else { return true };
        if end.is_a_pause() {
            warnings.add(spot, RecordProblem::Resumed(end.reason));
            self.paused = Some(self.here);
            self.here = self.record.parent(self.here).unwrap_or(NodeId::START);
            return true;
        }
        self.passed_over = true;
        self.after_end.add(spot);
        false
    }

    /// Plays a move. An illegal one ends the line.
    pub(super) fn play(&mut self, mv: Move, said: SourceText<'_>, warnings: &mut Warnings) {
        if let Err(reason) = self.try_play(mv, said.time) {
            self.cut(CutReason::Illegal(reason), said, warnings);
        }
    }

    /// Plays a move.
    ///
    /// # Errors
    /// Why it is illegal; nothing is changed then.
    pub(super) fn try_play(&mut self, mv: Move, time: Time) -> Result<(), IllegalMove> {
        let Self { record, trail, here, paused, .. } = self;
        let mut added = None;
        trail.play(mv, || {
            added = put(record, *here, paused.take(), Step::Move(mv));
            added
        })?;
        if let Some(node) = added {
            self.arrive(node, time);
        }
        Ok(())
    }

    /// Puts the newest child of a node before those that were added after `left`, up to `tail`: what a file
    /// says of the line comes after its variations there.
    pub(super) fn put_before(&mut self, parent: NodeId, left: Option<NodeId>, tail: Option<NodeId>) {
        self.record.put_before(parent, left, tail);
    }

    fn arrive(&mut self, node: NodeId, time: Time) {
        self.here = node;
        let ply = usize::from(self.ply());
        match self.newest.get_mut(ply) {
            Some(newest) => *newest = node,
            None => self.newest.push(node),
        }
        self.record.node_mut(node).time = self.clock.plain(ply, time);
    }

    fn finish_line(&mut self, end: End, time: Time) {
        let paused = self.paused.take();
        if let Some(node) = put(&mut self.record, self.here, paused, Step::End(Box::new(end))) {
            self.here = node;
            let turn = usize::from(self.ply()) + 1;
            self.record.node_mut(node).time = self.clock.plain(turn, time);
        }
    }

    /// Ends the line before a move that cannot be played.
    pub(super) fn cut(&mut self, cut: CutReason, said: SourceText<'_>, warnings: &mut Warnings) {
        let words = quote(said.words);
        let reason = cut.reason();
        let problem = match cut {
            CutReason::Illegal(why) => RecordProblem::Illegal(words, why),
            CutReason::NoSuchMove => RecordProblem::NoSuchMove(words),
            CutReason::Ambiguous => RecordProblem::Ambiguous(words),
            CutReason::Unreadable | CutReason::UnknownWord => RecordProblem::Unreadable(words),
        };
        warnings.add(said.spot, problem);
        self.finish_line(End::new(reason, Outcome::Open, said.words), said.time);
    }

    /// Ends the game as a mark says.
    pub(super) fn mark(&mut self, mark: EndMark, said: SourceText<'_>, warnings: &mut Warnings) {
        let mover = self.mover();
        let passed_over = self.passed_over;
        match self.record.node_mut(self.here).end_mut() {
            None => self.finish_line(End::from_mark(mark, mover, said.words), said.time),
            Some(end) if end.is_a_cut() && !passed_over => end.came_to(mark, mover),
            Some(end) if end.reason == mark.reason => {}
            // After moves that were passed over, it is the end of another line than ours.
            Some(_) => warnings.add(said.spot, RecordProblem::Contradiction(quote(said.words))),
        }
    }

    /// Ends the line with words in the place of a mark that are not known: the end keeps them.
    pub(super) fn unknown_mark(&mut self, said: SourceText<'_>, warnings: &mut Warnings) {
        if self.is_unfinished() {
            self.cut(CutReason::UnknownWord, said, warnings);
        } else {
            warnings.add(said.spot, RecordProblem::UnknownLine(quote(said.words)));
        }
    }

    /// Takes in a line that sums the game up.
    pub(super) fn sum_up(&mut self, summary: EndMark, said: SourceText<'_>, warnings: &mut Warnings) {
        let mover = self.mover();
        let passed_over = self.passed_over;
        match self.record.node_mut(self.here).end_mut() {
            None => self.finish_line(End::from_summary(summary, mover, said.words), said.time),
            Some(end) => {
                let is_ours = !end.is_a_cut() || !passed_over;
                if !is_ours || !end.is_summed_up_by(summary, mover) {
                    warnings.add(said.spot, RecordProblem::Contradiction(quote(said.words)));
                }
            }
        }
    }

    /// The side whose turn it is in the file, where a move that could not be played counts as one.
    fn mover(&self) -> Color {
        let side = self.now().side_to_move();
        if self.end().is_some_and(End::is_a_cut) { side.flip() } else { side }
    }

    pub(super) fn finish(
        mut self,
        headers: Vec<(String, String)>,
        speaks_of_handicap: bool,
        warnings: &mut Warnings,
    ) -> Record {
        self.after_end.report(warnings, RecordProblem::MovesAfterEnd);
        self.record.headers = headers;
        if speaks_of_handicap {
            self.record.set_speaks_of_handicap();
        }
        self.record.shrink();
        self.record
    }
}
