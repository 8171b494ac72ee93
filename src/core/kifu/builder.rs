//! A record under construction: the current node, and the changes that the words of a file make.

use super::end::{End, EndMark, Outcome, Reason};
use super::record::{NodeId, Notes, Record, Step};
use super::scan::TextSpot;
use super::time::{Clock, Millis, Time};
use super::walk::MoveTrail;
use super::warning::{RecordProblem, Tally, Warnings, quote};
use crate::shogi::notation::MoveReadError;
use crate::shogi::{Color, IllegalMove, Move, Position, Square};
use std::collections::BTreeSet;

/// The limit of replayed moves per move read; 1000 more are always allowed. Moves are replayed to reach variations in
/// an inconvenient order. Files written by programs need none.
const MAX_REPLAYED_PER_MOVE: usize = 64;

/// The initial capacity in nodes. Most games have no more moves.
const DEFAULT_CAPACITY: usize = 128;

/// A word or sentence of a file, with its position in the file and its time.
#[derive(Clone, Copy, Debug)]
pub(super) struct SourceText<'a> {
    pub(super) words: &'a str,
    pub(super) spot: TextSpot<'a>,
    pub(super) time: Time,
}

impl<'a> SourceText<'a> {
    /// Creates a source of words without a time.
    pub(super) fn new(words: &'a str, spot: TextSpot<'a>) -> Self {
        Self { words, spot, time: Time::default() }
    }
}

#[derive(Clone, Debug)]
pub(super) struct Builder {
    record: Record,
    trail: MoveTrail,
    current_node: NodeId,
    /// The newest node at each ply. Up to the current ply this is the current line; beyond it, earlier lines.
    newest_by_ply: Vec<NodeId>,
    clock: Clock,
    replayed_plies: usize,
    /// The interruption that the next move replaces.
    pause_node: Option<NodeId>,
    /// Whether moves were skipped since the current line was cut.
    has_skipped_moves: bool,
    after_end: Tally,
    /// The illegal moves after which the file has further moves.
    played_on: BTreeSet<NodeId>,
    /// The ends that the file states as a foul.
    fouls: BTreeSet<NodeId>,
}

/// Adds a node after another one, or in place of the interruption `pause_node`. Returns the node; `None` if the record
/// is full.
fn put(record: &mut Record, after: NodeId, pause_node: Option<NodeId>, step: Step) -> Option<NodeId> {
    match pause_node {
        Some(pause) => record.replace(pause, step),
        None => record.add(after, step),
    }
}

/// A game before its first move or end. Comments may precede the start position.
#[derive(Clone, Debug, Default)]
pub(super) struct GameDraft {
    header_notes: Notes,
    builder: Option<Builder>,
}

impl GameDraft {
    pub(super) const fn is_begun(&self) -> bool {
        self.builder.is_some()
    }

    /// Returns the builder. Creates it from the start position if the game has not begun.
    pub(super) fn begin(&mut self, start: impl FnOnce() -> Position) -> &mut Builder {
        let Self { header_notes: head, builder } = self;
        builder.get_or_insert_with(|| {
            let mut builder = Builder::new(start());
            if *head != Notes::default() {
                *builder.notes() = std::mem::take(head);
            }
            builder
        })
    }

    /// Returns the builder if the game has begun.
    pub(super) const fn begun(&mut self) -> Option<&mut Builder> {
        self.builder.as_mut()
    }

    pub(super) const fn builder(&self) -> Option<&Builder> {
        self.builder.as_ref()
    }

    /// Returns whether the moves of the main line fit the start.
    pub(super) fn fits_start(&self) -> bool {
        self.builder.as_ref().is_none_or(Builder::fits_start)
    }

    pub(super) fn into_builder(self) -> Option<Builder> {
        self.builder
    }

    /// Returns the notes of the current node.
    pub(super) fn notes(&mut self) -> &mut Notes {
        match &mut self.builder {
            Some(builder) => builder.notes(),
            None => &mut self.header_notes,
        }
    }
}

/// The reason why a move was not played.
#[derive(Clone, Copy, Debug)]
pub(super) enum CutReason {
    Illegal(IllegalMove),
    /// The words match no piece.
    NoSuchMove,
    /// The words match several pieces.
    Ambiguous,
    Unreadable,
    /// The word in place of a move is unknown.
    UnknownWord,
}

impl CutReason {
    /// Returns the reason for the end of the line.
    pub(super) const fn reason(self) -> Reason {
        match self {
            Self::Illegal(_) | Self::NoSuchMove => Reason::IllegalMove,
            Self::Ambiguous | Self::Unreadable => Reason::Unreadable,
            Self::UnknownWord => Reason::Other,
        }
    }
}

impl From<MoveReadError> for CutReason {
    fn from(error: MoveReadError) -> Self {
        match error {
            MoveReadError::Illegal { reason, .. } => Self::Illegal(reason),
            MoveReadError::NoSuchMove { .. } => Self::NoSuchMove,
            MoveReadError::Ambiguous(_) => Self::Ambiguous,
            MoveReadError::Unreadable(_) | MoveReadError::NoMoveBefore => Self::Unreadable,
        }
    }
}

impl Builder {
    pub(super) fn new(start: Position) -> Self {
        let mut newest_by_ply = Vec::with_capacity(DEFAULT_CAPACITY);
        newest_by_ply.push(NodeId::START);
        Self {
            record: Record::with_capacity(&start, DEFAULT_CAPACITY),
            trail: MoveTrail::new(start),
            current_node: NodeId::START,
            newest_by_ply,
            clock: Clock::default(),
            replayed_plies: 0,
            pause_node: None,
            has_skipped_moves: false,
            after_end: Tally::default(),
            played_on: BTreeSet::new(),
            fouls: BTreeSet::new(),
        }
    }

    /// Returns the current position.
    pub(super) const fn now(&self) -> &Position {
        self.trail.position()
    }

    /// Returns the target square of the last move.
    pub(super) fn last_to(&self) -> Option<Square> {
        self.trail.last_to()
    }

    /// Returns the number of moves to the current node.
    pub(super) fn ply(&self) -> u16 {
        self.record.node(self.current_node).ply()
    }

    /// Returns the number of moves in the file up to here, including one that could not be played.
    pub(super) fn stated_ply(&self) -> u32 {
        u32::from(self.ply()) + u32::from(self.end().is_some_and(End::is_cut))
    }

    /// Returns the record as far as it has been read.
    pub(super) const fn record(&self) -> &Record {
        &self.record
    }

    /// Returns the current node, to which comments belong.
    pub(super) const fn current_node(&self) -> NodeId {
        self.current_node
    }

    pub(super) fn notes(&mut self) -> &mut Notes {
        self.record.node_mut(self.current_node).notes_mut()
    }

    pub(super) fn add_comment(&mut self, lines: &str) {
        Notes::add(&mut self.notes().comment, lines);
    }

    pub(super) fn add_remark(&mut self, lines: &str) {
        Notes::add(&mut self.notes().remark, lines);
    }

    pub(super) fn add_bookmark(&mut self, name: &str) {
        Notes::add(&mut self.notes().bookmark, name);
    }

    /// Returns whether the current line has no end yet.
    pub(super) fn is_unfinished(&self) -> bool {
        self.end().is_none()
    }

    fn end(&self) -> Option<&End> {
        self.record.node(self.current_node).end()
    }

    /// Returns whether a time can follow: a move was read, even if it could not be played.
    pub(super) fn has_moved(&self) -> bool {
        self.current_node != NodeId::START || self.has_skipped_moves
    }

    /// Sets the time of the last move or end to that of a source. Known times are not replaced.
    pub(super) fn set_time(&mut self, source: SourceText<'_>, warnings: &mut Warnings) {
        let time = source.time;
        if self.current_node == NodeId::START || self.has_skipped_moves || time == Time::default() {
            return;
        }
        let turn = self.record.node(self.current_node).turn_number();
        let node = self.record.node_mut(self.current_node);
        let known = node.time;
        // A total that follows from the times of the moves is not stored.
        let has_total = known.total.is_some() || known.spent.is_some() && time.spent.is_some();
        let total = has_total.then(|| self.clock.now(turn));
        let differs =
            |known: Option<Millis>, other: Option<Millis>| known.zip(other).is_some_and(|(one, two)| one != two);
        if differs(known.spent, time.spent) || differs(total, time.total) {
            return warnings.add(source.spot, RecordProblem::SecondTime(quote(source.words)));
        }
        let merged = Time { spent: known.spent.or(time.spent), total: known.total.or(time.total) };
        node.time = self.clock.plain(turn, merged);
    }

    /// Goes back to the newest node at this ply. Returns `false` if there is none, or if replaying takes too long.
    pub(super) fn branch(&mut self, ply: usize) -> bool {
        let Some(node) = self.newest_by_ply.get(ply).copied() else { return false };
        if self.replayed_plies > 1000 + MAX_REPLAYED_PER_MOVE * self.record.size() {
            return false;
        }
        self.go(node);
        true
    }

    /// Goes to a node that was added before.
    pub(super) fn go(&mut self, node: NodeId) {
        let old_ply = self.ply();
        let replayed = self.trail.go(&self.record, node);
        self.replayed_plies += replayed;
        let mut at = Some(node);
        // Update the current line up to the first ancestor that already belongs to it.
        while let Some(id) = at {
            let ply = self.record.node(id).ply();
            let Some(newest) = self.newest_by_ply.get_mut(usize::from(ply)) else { break };
            if ply <= old_ply && *newest == id {
                break;
            }
            *newest = id;
            at = self.record.parent(id);
        }
        self.current_node = node;
        self.pause_node = None;
        self.has_skipped_moves = false;
        self.replay_clock(replayed);
    }

    /// Replays the times of the last moves of the current line on the clock, which ran for another line.
    fn replay_clock(&mut self, moves: usize) {
        let nodes =
            self.record.ancestors(self.current_node).map(|id| self.record.node(id)).filter(|node| node.mv().is_some());
        let turns: Vec<_> = nodes.take(moves).map(|node| (usize::from(node.ply()), node.time)).collect();
        for (turn, time) in turns.into_iter().rev() {
            self.clock.total(turn, time);
        }
    }

    /// Returns whether the next move can be played. A game continues after an interruption. After any other end its
    /// moves are only counted.
    pub(super) fn can_continue(&mut self, spot: TextSpot<'_>, warnings: &mut Warnings) -> bool {
        let Some(end) = self.end() else { return true };
        if end.is_pause() {
            warnings.add(spot, RecordProblem::Resumed(end.reason));
            self.pause_node = Some(self.current_node);
            self.current_node = self.record.parent(self.current_node).unwrap_or(NodeId::START);
            return true;
        }
        if end.reason == Reason::IllegalMove {
            self.played_on.insert(self.current_node);
        }
        self.has_skipped_moves = true;
        self.after_end.add(spot);
        false
    }

    /// Plays a move. An illegal one ends the line.
    pub(super) fn play(&mut self, mv: Move, source: SourceText<'_>, warnings: &mut Warnings) {
        self.play_read(Ok(mv), source, warnings);
    }

    /// Plays a move that was read. One that could not be read, or is illegal, ends the line.
    pub(super) fn play_read(&mut self, read: Result<Move, CutReason>, source: SourceText<'_>, warnings: &mut Warnings) {
        let played = read.and_then(|mv| self.try_play(mv, source.time).map_err(CutReason::Illegal));
        if let Err(cut) = played {
            self.cut(cut, source, warnings);
        }
    }

    /// Plays a move.
    ///
    /// # Errors
    /// Fails if the move is illegal, which changes nothing, or if the record is full.
    pub(super) fn try_play(&mut self, mv: Move, time: Time) -> Result<(), IllegalMove> {
        let Self { record, trail, current_node, pause_node, .. } = self;
        let mut added = None;
        trail.play(mv, || {
            added = put(record, *current_node, pause_node.take(), Step::Move(mv));
            added
        })?;
        if let Some(node) = added {
            self.arrive(node, time);
        }
        Ok(())
    }

    /// Moves the newest child of a node before the children added after `previous`, up to `tail`. It is needed where
    /// the variations of a line precede it in the file.
    pub(super) fn put_before(&mut self, parent: NodeId, previous: Option<NodeId>, tail: Option<NodeId>) {
        self.record.put_before(parent, previous, tail);
    }

    /// Moves a node before the other moves after the same node.
    pub(super) fn put_first(&mut self, node: NodeId) {
        let first = self.record.parent(node).and_then(|parent| self.record.first_child(parent));
        if first != Some(node) {
            self.record.detach(node);
            self.record.attach(node, first);
        }
    }

    /// Removes all nodes after a node.
    pub(super) fn remove_after(&mut self, node: NodeId) {
        while let Some(child) = self.record.first_child(node) {
            self.record.detach(child);
        }
    }

    fn arrive(&mut self, node: NodeId, time: Time) {
        self.current_node = node;
        let ply = usize::from(self.ply());
        match self.newest_by_ply.get_mut(ply) {
            Some(newest) => *newest = node,
            None => self.newest_by_ply.push(node),
        }
        self.record.node_mut(node).time = self.clock.plain(ply, time);
    }

    fn finish_line(&mut self, end: End, time: Time) {
        let pause_node = self.pause_node.take();
        if let Some(node) = put(&mut self.record, self.current_node, pause_node, Step::End(Box::new(end))) {
            self.current_node = node;
            let turn = usize::from(self.ply()) + 1;
            self.record.node_mut(node).time = self.clock.plain(turn, time);
        }
    }

    /// Ends the line before a move that cannot be played.
    pub(super) fn cut(&mut self, cut: CutReason, source: SourceText<'_>, warnings: &mut Warnings) {
        let words = quote(source.words);
        let reason = cut.reason();
        let problem = match cut {
            CutReason::Illegal(why) => RecordProblem::Illegal(words, why),
            CutReason::NoSuchMove => RecordProblem::NoSuchMove(words),
            CutReason::Ambiguous => RecordProblem::Ambiguous(words),
            CutReason::Unreadable | CutReason::UnknownWord => RecordProblem::Unreadable(words),
        };
        warnings.add(source.spot, problem);
        self.finish_line(End::new(reason, Outcome::Open, source.words), source.time);
    }

    /// Ends the game with an end mark.
    pub(super) fn apply_mark(&mut self, mark: EndMark, source: SourceText<'_>, warnings: &mut Warnings) {
        self.mark_foul(mark);
        let mover = self.mover();
        let has_skipped_moves = self.has_skipped_moves;
        match self.record.node_mut(self.current_node).end_mut() {
            None => self.finish_line(End::from_mark(mark, mover, source.words), source.time),
            Some(end) => {
                // After skipped moves, the mark ends a line that was not read.
                let is_current = !end.is_cut() || !has_skipped_moves;
                if !is_current || !end.apply_mark(mark, mover) {
                    warnings.add(source.spot, RecordProblem::Contradiction(quote(source.words)));
                }
            }
        }
    }

    /// Ends the line with an unknown word in place of a mark. The end keeps the word.
    pub(super) fn apply_unknown_mark(&mut self, source: SourceText<'_>, warnings: &mut Warnings) {
        if self.is_unfinished() {
            self.cut(CutReason::UnknownWord, source, warnings);
        } else {
            warnings.add(source.spot, RecordProblem::UnknownLine(quote(source.words)));
        }
    }

    /// Applies a summary line of the game.
    pub(super) fn apply_summary(&mut self, summary: EndMark, source: SourceText<'_>, warnings: &mut Warnings) {
        self.mark_foul(summary);
        let mover = self.mover();
        let has_skipped_moves = self.has_skipped_moves;
        match self.record.node_mut(self.current_node).end_mut() {
            None => self.finish_line(End::from_summary(summary, mover, source.words), source.time),
            Some(end) => {
                let is_current = !end.is_cut() || !has_skipped_moves;
                if !is_current || !end.apply_summary(summary, mover) {
                    warnings.add(source.spot, RecordProblem::Contradiction(quote(source.words)));
                }
            }
        }
    }

    /// Marks the current end as one that the file states as a foul.
    fn mark_foul(&mut self, mark: EndMark) {
        if mark.reason == Reason::Foul {
            self.fouls.insert(self.current_node);
        }
    }

    /// Returns whether the moves of the main line fit the start. They do not if the first is illegal, or if moves
    /// follow an illegal one without a stated foul.
    pub(super) fn fits_start(&self) -> bool {
        let end = self.record.main_line().last().unwrap_or(NodeId::START);
        let is_illegal = self.record.node(end).end().is_some_and(|end| end.reason == Reason::IllegalMove);
        let goes_on = self.played_on.contains(&end) && !self.fouls.contains(&end);
        !is_illegal || !self.record.is_empty() && !goes_on
    }

    /// Returns the side to move in the file. A move that could not be played counts.
    fn mover(&self) -> Color {
        let side = self.now().side_to_move();
        if self.end().is_some_and(End::is_cut) { side.flip() } else { side }
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
