//! A record under construction: the current node, and the changes that the words of a file make.

use super::end::{End, EndMark, Outcome, Reason};
use super::record::{NodeId, Notes, Record, Step};
use super::scan::TextSpot;
use super::time::{Millis, Time, UsedTimes};
use super::walk::MoveTrail;
use super::warning::{RecordProblem, Tally, Warnings, quote};
use shogibar_shogi::notation::MoveReadError;
use shogibar_shogi::{Color, IllegalMove, Move, Position, Square};
use std::collections::BTreeSet;

/// The maximum number of moves replayed per node of the record; 1000 more are always allowed. Going to a branch point
/// replays moves. The variations of a damaged file may be in an order that needs very many.
const MAX_REPLAYED_PLIES_PER_NODE: usize = 64;

/// The initial capacity of a record, in nodes. Most games have no more moves.
const INITIAL_NODE_CAPACITY: usize = 128;

/// A word or sentence of a file, with its spot in the file and the time stated after it.
#[derive(Clone, Copy, Debug)]
pub(super) struct SourceText<'a> {
    pub(super) words: &'a str,
    pub(super) spot: TextSpot<'a>,
    pub(super) time: Time,
}

impl<'a> SourceText<'a> {
    /// Creates a source text without a time.
    pub(super) fn new(words: &'a str, spot: TextSpot<'a>) -> Self {
        Self {
            words,
            spot,
            time: Time::default(),
        }
    }
}

/// A record under construction, with its current node.
#[derive(Clone, Debug)]
pub(super) struct Builder {
    record: Record,
    /// The moves from the start to the current node.
    trail: MoveTrail,
    current_node: NodeId,
    /// The newest node at each ply. Up to the current ply this is the current line; beyond it, earlier lines.
    newest_by_ply: Vec<NodeId>,
    /// The times that the sides have used along the current line.
    used_times: UsedTimes,
    /// The number of moves replayed so far, which [`branch`](Self::branch) limits.
    replayed_plies: usize,
    /// The interruption that the next move replaces; `None` if the game was not resumed.
    pause_node: Option<NodeId>,
    /// Whether moves after the end of the current line were skipped.
    has_skipped_moves: bool,
    /// The skipped moves after the end of a line.
    moves_after_end: Tally,
    /// The end nodes of illegal moves after which the file has further moves.
    continued_illegal_moves: BTreeSet<NodeId>,
    stated_fouls: BTreeSet<NodeId>,
}

/// Adds a node after another one, or in place of the interruption `pause_node`. Returns the node; `None` if the record
/// is full.
fn add_or_replace(
    record: &mut Record,
    after: NodeId,
    pause_node: Option<NodeId>,
    step: Step,
) -> Option<NodeId> {
    match pause_node {
        Some(pause) => record.replace(pause, step),
        None => record.add(after, step),
    }
}

/// A game whose builder is created at its first move or end. Comments may precede the start position.
#[derive(Clone, Debug, Default)]
pub(super) struct GameDraft {
    /// The notes above the start position.
    header_notes: Notes,
    builder: Option<Builder>,
}

impl GameDraft {
    /// Returns whether the game has begun, so that the builder exists.
    pub(super) const fn is_begun(&self) -> bool {
        self.builder.is_some()
    }

    /// Returns the builder. Creates it from the start position if the game has not begun.
    pub(super) fn begin(&mut self, start: impl FnOnce() -> Position) -> &mut Builder {
        let Self {
            header_notes: head,
            builder,
        } = self;
        builder.get_or_insert_with(|| {
            let mut builder = Builder::new(start());
            if *head != Notes::default() {
                *builder.notes() = std::mem::take(head);
            }
            builder
        })
    }

    /// Returns the builder; `None` if the game has not begun.
    pub(super) const fn builder_mut(&mut self) -> Option<&mut Builder> {
        self.builder.as_mut()
    }

    /// Returns the builder; `None` if the game has not begun.
    pub(super) const fn builder(&self) -> Option<&Builder> {
        self.builder.as_ref()
    }

    /// Returns whether the moves of the main line fit the start ([`Builder::fits_start`]), or the game has not begun.
    pub(super) fn fits_start(&self) -> bool {
        self.builder.as_ref().is_none_or(Builder::fits_start)
    }

    /// Returns the builder; `None` if the game has not begun.
    pub(super) fn into_builder(self) -> Option<Builder> {
        self.builder
    }

    /// Returns the notes of the current node, or those above the start position.
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
    pub(super) const fn end_reason(self) -> Reason {
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
        let mut newest_by_ply = Vec::with_capacity(INITIAL_NODE_CAPACITY);
        newest_by_ply.push(NodeId::START);
        Self {
            record: Record::with_capacity(&start, INITIAL_NODE_CAPACITY),
            trail: MoveTrail::new(start),
            current_node: NodeId::START,
            newest_by_ply,
            used_times: UsedTimes::default(),
            replayed_plies: 0,
            pause_node: None,
            has_skipped_moves: false,
            moves_after_end: Tally::default(),
            continued_illegal_moves: BTreeSet::new(),
            stated_fouls: BTreeSet::new(),
        }
    }

    pub(super) const fn now(&self) -> &Position {
        self.trail.position()
    }

    /// Returns the target square of the last move; `None` at the start.
    pub(super) fn last_to(&self) -> Option<Square> {
        self.trail.last_to()
    }

    /// Returns the number of moves to the current node.
    pub(super) fn ply(&self) -> u16 {
        self.record.node(self.current_node).ply()
    }

    /// Returns the number of moves in the file up to the current node, including one that could not be played.
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

    /// Returns the end of the current line; `None` if the line has no end yet.
    fn end(&self) -> Option<&End> {
        self.record.node(self.current_node).end()
    }

    /// Returns whether the current line has a move or an end, even a move that could not be played. Only then can a
    /// time follow.
    pub(super) fn has_moved(&self) -> bool {
        self.current_node != NodeId::START || self.has_skipped_moves
    }

    /// Sets the time of the last move or end to the time of `source`. Known times are not replaced: a different time
    /// becomes a warning.
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
        let total = has_total.then(|| self.used_times.total_after(turn));
        let differs = |known: Option<Millis>, other: Option<Millis>| {
            known.zip(other).is_some_and(|(one, two)| one != two)
        };
        if differs(known.spent, time.spent) || differs(total, time.total) {
            return warnings.add(source.spot, RecordProblem::SecondTime(quote(source.words)));
        }
        let merged = Time {
            spent: known.spent.or(time.spent),
            total: known.total.or(time.total),
        };
        node.time = self.used_times.add_simplified(turn, merged);
    }

    /// Goes back to the newest node at this ply. Returns `false` if there is none, or if too many moves were replayed
    /// before.
    pub(super) fn branch(&mut self, ply: usize) -> bool {
        let Some(node) = self.newest_by_ply.get(ply).copied() else {
            return false;
        };
        if self.replayed_plies > 1000 + MAX_REPLAYED_PLIES_PER_NODE * self.record.size() {
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
            let Some(newest) = self.newest_by_ply.get_mut(usize::from(ply)) else {
                break;
            };
            if ply <= old_ply && *newest == id {
                break;
            }
            *newest = id;
            at = self.record.parent(id);
        }
        self.current_node = node;
        self.pause_node = None;
        self.has_skipped_moves = false;
        self.replay_used_times(replayed);
    }

    /// Adds the times of the last `moves` moves of the current line. Until then, the used times are those of another
    /// line.
    fn replay_used_times(&mut self, moves: usize) {
        let nodes = self
            .record
            .ancestors(self.current_node)
            .map(|id| self.record.node(id))
            .filter(|node| node.mv().is_some());
        let turns: Vec<_> = nodes
            .take(moves)
            .map(|node| (usize::from(node.ply()), node.time))
            .collect();
        for (turn, time) in turns.into_iter().rev() {
            self.used_times.add(turn, time);
        }
    }

    /// Returns whether the next move can be played. A game continues after an interruption. After any other end its
    /// moves are only counted.
    pub(super) fn can_continue(&mut self, spot: TextSpot<'_>, warnings: &mut Warnings) -> bool {
        let Some(end) = self.end() else { return true };
        if end.is_pause() {
            warnings.add(spot, RecordProblem::ResumedGame(end.reason));
            self.pause_node = Some(self.current_node);
            self.current_node = self.record.parent(self.current_node).unwrap_or(NodeId::START);
            return true;
        }
        if end.reason == Reason::IllegalMove {
            self.continued_illegal_moves.insert(self.current_node);
        }
        self.has_skipped_moves = true;
        self.moves_after_end.add(spot);
        false
    }

    /// Plays a move. An illegal one ends the line.
    pub(super) fn play(&mut self, mv: Move, source: SourceText<'_>, warnings: &mut Warnings) {
        self.play_read(Ok(mv), source, warnings);
    }

    /// Plays a move that was read. A move that could not be read, or is illegal, ends the line.
    pub(super) fn play_read(
        &mut self,
        read: Result<Move, CutReason>,
        source: SourceText<'_>,
        warnings: &mut Warnings,
    ) {
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
        let Self {
            record,
            trail,
            current_node,
            pause_node,
            ..
        } = self;
        let mut added = None;
        trail.play(mv, || {
            added = add_or_replace(record, *current_node, pause_node.take(), Step::Move(mv));
            added
        })?;
        if let Some(node) = added {
            self.enter_node(node, time);
        }
        Ok(())
    }

    /// Moves the last child of `parent` right after its child `previous`, or to the front if that is `None`. `tail` is
    /// the last child but one. The function is needed for files that have the variations of a move before the move.
    pub(super) fn move_last_child_after(
        &mut self,
        parent: NodeId,
        previous: Option<NodeId>,
        tail: Option<NodeId>,
    ) {
        self.record.move_last_child_after(parent, previous, tail);
    }

    /// Moves a node before the other moves after the same node.
    pub(super) fn put_first(&mut self, node: NodeId) {
        let first = self
            .record
            .parent(node)
            .and_then(|parent| self.record.first_child(parent));
        if first != Some(node) {
            self.record.detach(node);
            self.record.attach(node, first);
        }
    }

    pub(super) fn remove_after(&mut self, node: NodeId) {
        while let Some(child) = self.record.first_child(node) {
            self.record.detach(child);
        }
    }

    /// Removes an end, which belongs to another game.
    pub(super) fn remove_end(&mut self, end: NodeId) {
        self.go(self.record.parent(end).unwrap_or(NodeId::START));
        self.record.detach(end);
    }

    /// Makes an added node the current one, and sets its time.
    fn enter_node(&mut self, node: NodeId, time: Time) {
        self.current_node = node;
        let ply = usize::from(self.ply());
        match self.newest_by_ply.get_mut(ply) {
            Some(newest) => *newest = node,
            None => self.newest_by_ply.push(node),
        }
        self.record.node_mut(node).time = self.used_times.add_simplified(ply, time);
    }

    fn finish_line(&mut self, end: End, time: Time) {
        let pause_node = self.pause_node.take();
        if let Some(node) = add_or_replace(
            &mut self.record,
            self.current_node,
            pause_node,
            Step::End(Box::new(end)),
        ) {
            self.current_node = node;
            let turn = usize::from(self.ply()) + 1;
            self.record.node_mut(node).time = self.used_times.add_simplified(turn, time);
        }
    }

    /// Ends the line before a move that cannot be played.
    pub(super) fn cut(&mut self, cut: CutReason, source: SourceText<'_>, warnings: &mut Warnings) {
        let words = quote(source.words);
        let reason = cut.end_reason();
        let problem = match cut {
            CutReason::Illegal(why) => RecordProblem::IllegalMove(words, why),
            CutReason::NoSuchMove => RecordProblem::NoSuchMove(words),
            CutReason::Ambiguous => RecordProblem::AmbiguousMove(words),
            CutReason::Unreadable | CutReason::UnknownWord => RecordProblem::UnreadableMove(words),
        };
        warnings.add(source.spot, problem);
        self.finish_line(End::new(reason, Outcome::Open, source.words), source.time);
    }

    pub(super) fn apply_mark(&mut self, mark: EndMark, source: SourceText<'_>, warnings: &mut Warnings) {
        self.mark_foul(mark);
        let mover = self.mover();
        let has_skipped_moves = self.has_skipped_moves;
        match self.record.node_mut(self.current_node).end_mut() {
            None => self.finish_line(End::from_mark(mark, mover, source.words), source.time),
            Some(end) => {
                // After skipped moves, the mark belongs to these moves, not to the end before them.
                let is_current = !end.is_cut() || !has_skipped_moves;
                if !is_current || !end.apply_mark(mark, mover) {
                    warnings.add(source.spot, RecordProblem::Contradiction(quote(source.words)));
                }
            }
        }
    }

    /// Ends the line with an unknown word in place of a mark. The end keeps the word. If the line has an end, the word
    /// becomes a warning.
    pub(super) fn apply_unknown_mark(&mut self, source: SourceText<'_>, warnings: &mut Warnings) {
        if self.is_unfinished() {
            self.cut(CutReason::UnknownWord, source, warnings);
        } else {
            warnings.add(source.spot, RecordProblem::UnknownLine(quote(source.words)));
        }
    }

    /// Applies the summary of the game: a line like `まで…`, or a result.
    pub(super) fn apply_summary(
        &mut self,
        summary: EndMark,
        source: SourceText<'_>,
        warnings: &mut Warnings,
    ) {
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

    /// Records that the file states a foul at the current node, if the mark is a foul.
    fn mark_foul(&mut self, mark: EndMark) {
        if mark.reason == Reason::Foul {
            self.stated_fouls.insert(self.current_node);
        }
    }

    /// Returns whether the moves of the main line fit the start. They do not if the first is illegal, or if moves
    /// follow an illegal one without a stated foul.
    pub(super) fn fits_start(&self) -> bool {
        let end = self.record.main_line().last().unwrap_or(NodeId::START);
        let is_illegal = self
            .record
            .node(end)
            .end()
            .is_some_and(|end| end.reason == Reason::IllegalMove);
        let goes_on = self.continued_illegal_moves.contains(&end) && !self.stated_fouls.contains(&end);
        !is_illegal || !self.record.is_empty() && !goes_on
    }

    /// Returns the side to move in the file. A move that could not be played counts.
    pub(super) fn mover(&self) -> Color {
        let side = self.now().side_to_move();
        if self.end().is_some_and(End::is_cut) {
            side.flip()
        } else {
            side
        }
    }

    /// Returns the record with these headers. `uses_handicap_names` is whether the text calls the sides 下手 and 上手.
    pub(super) fn finish(
        mut self,
        headers: Vec<(String, String)>,
        uses_handicap_names: bool,
        warnings: &mut Warnings,
    ) -> Record {
        self.moves_after_end
            .report(warnings, RecordProblem::MovesAfterEnd);
        self.record.headers = headers;
        if uses_handicap_names {
            self.record.set_uses_handicap_names();
        }
        self.record.shrink();
        self.record
    }
}
