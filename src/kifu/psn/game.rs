//! A PSN game under construction.

use super::super::builder::{Builder, CutReason, GameDraft, SourceText};
use super::super::end::{End, EndMark, Outcome, Reason};
use super::super::headers::Headers;
use super::super::record::{NodeId, Notes, Record};
use super::super::scan::TextSpot;
use super::super::warning::{RecordProblem, Warnings, quote};
use super::start::PsnStart;
use super::{DECLARATION_COMMENT, moves};
use shogibar_shogi::Move;

/// A game as far as it has been read.
#[derive(Debug, Default)]
pub(super) struct PsnGame<'t> {
    /// The text from the first line of the game on.
    pub(super) text: &'t str,
    pub(super) headers: Headers,
    pub(super) start: PsnStart,
    draft: GameDraft,
    /// The node before the last move or end, where a variation in brackets branches off. `None` after a skipped move.
    branch_node: Option<NodeId>,
    /// The node where the outer line of each open bracket continues, and the node before it.
    brackets: Vec<(NodeId, NodeId)>,
    lost_variation: LostVariation,
    /// The last node of the main line so far; `None` before the first move.
    main_line_end: Option<NodeId>,
    /// Whether the reader is in a `Variation:` block.
    is_in_block: bool,
    /// The ends with 将棋所's comment for a declaration.
    declarations: Vec<NodeId>,
    /// The result in the tags; `None` without one.
    pub(super) result: Option<(EndMark, SourceText<'t>)>,
}

/// The state of a variation that has no branch point.
#[derive(Clone, Copy, Debug, Default)]
struct LostVariation {
    /// Whether the variation is a `Variation:` block.
    is_block: bool,
    bracket_count: usize,
}

impl<'t> PsnGame<'t> {
    /// Creates a game that begins with the first line of a text.
    pub(super) fn new(text: &'t str) -> Self {
        Self {
            text,
            ..Self::default()
        }
    }

    /// Returns the builder. Begins the game if necessary.
    fn builder(&mut self) -> &mut Builder {
        let Self { draft, start, .. } = self;
        draft.begin(|| start.position())
    }

    pub(super) const fn is_begun(&self) -> bool {
        self.draft.is_begun()
    }

    /// Returns the builder; `None` if the moves have not begun.
    pub(super) fn into_builder(self) -> Option<Builder> {
        self.draft.into_builder()
    }

    /// Returns whether the moves of the main line fit the start.
    pub(super) fn fits_start(&self) -> bool {
        self.draft.fits_start()
    }

    /// Returns whether the reader is in a variation without a branch point.
    pub(super) const fn is_in_lost_variation(&self) -> bool {
        self.lost_variation.is_block || self.lost_variation.bracket_count > 0
    }

    pub(super) fn add_remark(&mut self, text: &str) {
        Notes::add(&mut self.draft.notes().remark, text);
    }

    /// Adds a comment to the current node. 将棋所's comment for a declaration turns 持将棋 into one.
    pub(super) fn add_comment(&mut self, text: &str) {
        let declared = text
            .strip_prefix(DECLARATION_COMMENT)
            .filter(|rest| rest.is_empty() || rest.starts_with('\n'));
        let Some((node, rest)) = self.jishogi_end().zip(declared) else {
            return Notes::add(&mut self.draft.notes().comment, text);
        };
        self.declarations.push(node);
        if let Some(rest) = rest.strip_prefix('\n') {
            Notes::add(&mut self.draft.notes().comment, rest);
        }
    }

    /// Returns the current end if it is 持将棋 and has no comment yet; `None` otherwise.
    fn jishogi_end(&mut self) -> Option<NodeId> {
        let builder = self.draft.builder_mut()?;
        let node = builder.record().node(builder.current_node());
        let is_jishogi = node.end().is_some_and(|end| end.reason == Reason::Impasse);
        let is_new = node.comment().is_none() && self.declarations.last() != Some(&builder.current_node());
        (is_jishogi && is_new).then(|| builder.current_node())
    }

    /// Sets the time of the last move or end, except in a variation without a branch point.
    pub(super) fn set_time(&mut self, source: SourceText<'_>, warnings: &mut Warnings) {
        if self.is_in_lost_variation() {
            return;
        }
        if let Some(builder) = self.draft.builder_mut() {
            builder.set_time(source, warnings);
        }
    }

    /// Applies an end mark. Returns `false` if the word is not a mark.
    pub(super) fn apply_mark(&mut self, source: SourceText<'_>, warnings: &mut Warnings) -> bool {
        let Some(mark) = super::end_mark(source.words) else {
            return false;
        };
        let builder = self.builder();
        let mark = super::mark_at(builder.now(), source.words, mark);
        let before = builder.current_node();
        builder.apply_mark(mark, source, warnings);
        self.update_branch_node(before);
        true
    }

    /// Applies a result like `1-0` between the moves.
    pub(super) fn apply_summary(
        &mut self,
        summary: EndMark,
        source: SourceText<'_>,
        warnings: &mut Warnings,
    ) {
        let builder = self.builder();
        let before = builder.current_node();
        builder.apply_summary(summary, source, warnings);
        self.update_branch_node(before);
    }

    /// Plays a move. Returns `false` if the word is not a move.
    pub(super) fn play(&mut self, source: SourceText<'_>, warnings: &mut Warnings) -> bool {
        let words = source.words.trim_end_matches(',');
        let usi = Move::from_usi(words);
        let spelled = moves::parse_move(words);
        let marks = spelled.map_or("", |(_, rest)| rest);
        if usi.is_none() && (spelled.is_none() || !marks.chars().all(|c| matches!(c, '!' | '?'))) {
            return false;
        }
        let builder = self.builder();
        if !builder.can_continue(source.spot, warnings) {
            self.branch_node = None;
            return true;
        }
        let before = builder.current_node();
        let now = builder.now();
        let resolved = usi
            .map(Ok)
            .or_else(|| spelled.map(|(spelled, _)| moves::resolve(spelled, now)));
        match resolved {
            Some(Ok(mv)) => {
                let moved = mv
                    .from()
                    .and_then(|from| now.piece_on(from))
                    .filter(|piece| piece.color == now.side_to_move());
                if spelled
                    .zip(moved)
                    .is_some_and(|((spelled, _), piece)| spelled.kind != piece.kind)
                {
                    warnings.add(source.spot, RecordProblem::OtherPiece(quote(words)));
                }
                builder.play(mv, source, warnings);
            }
            Some(Err(cut)) => builder.cut(cut, source, warnings),
            None => {}
        }
        if !marks.is_empty() {
            builder.add_comment(marks);
        }
        self.update_branch_node(before);
        true
    }

    /// Ends the line before a word that should be a move but cannot be read as one.
    pub(super) fn cut(&mut self, source: SourceText<'_>, warnings: &mut Warnings) {
        let builder = self.builder();
        let goes_on = builder.can_continue(source.spot, warnings);
        let before = builder.current_node();
        if goes_on {
            builder.cut(CutReason::Unreadable, source, warnings);
            self.update_branch_node(before);
        } else {
            self.branch_node = None;
        }
    }

    /// Makes `before` the node where a bracket branches off, if a node was added after it.
    fn update_branch_node(&mut self, before: NodeId) {
        let here = self.builder().current_node();
        if here != before {
            self.branch_node = Some(before);
            if self.brackets.is_empty() && !self.is_in_block {
                self.main_line_end = Some(here);
            }
        }
    }

    /// Goes to the branch point of `Variation:4`. Without a branch point, the variation is skipped.
    pub(super) fn go_to_variation(
        &mut self,
        number: usize,
        spot: TextSpot<'_>,
        text: &str,
        warnings: &mut Warnings,
    ) {
        self.brackets.clear();
        self.branch_node = None;
        self.is_in_block = true;
        let builder = self.builder();
        let found = number.checked_sub(1).is_some_and(|ply| builder.branch(ply));
        if !found {
            warnings.add(spot, RecordProblem::NoBranchPoint(quote(text)));
        }
        self.lost_variation = LostVariation {
            is_block: !found,
            bracket_count: 0,
        };
    }

    /// Goes to the branch point of a variation in round brackets, before the last move.
    pub(super) fn open_bracket(&mut self, spot: TextSpot<'_>, warnings: &mut Warnings) {
        if self.is_in_lost_variation() {
            self.lost_variation.bracket_count += 1;
            return;
        }
        let here = self.builder().current_node();
        if let Some(before) = self.branch_node.take() {
            self.brackets.push((here, before));
            self.builder().go(before);
        } else {
            warnings.add(spot, RecordProblem::NoBranchPoint("(".to_owned()));
            self.lost_variation.bracket_count = 1;
        }
    }

    /// Goes back to the line outside a variation in round brackets.
    pub(super) fn close_bracket(&mut self, spot: TextSpot<'_>, warnings: &mut Warnings) {
        if self.lost_variation.bracket_count > 0 {
            self.lost_variation.bracket_count -= 1;
        } else if let Some((here, before)) = self.brackets.pop() {
            self.builder().go(here);
            self.branch_node = Some(before);
        } else if !self.lost_variation.is_block {
            warnings.add(spot, RecordProblem::UnknownLine(")".to_owned()));
        }
    }

    /// Returns the record; `None` if it has no content.
    pub(super) fn finish(mut self, warnings: &mut Warnings) -> Option<Record> {
        if !self.is_begun() && !self.start.is_described() && self.headers.is_empty() {
            return None;
        }
        let result = self.main_line_end.zip(self.result.take());
        let builder = self.builder();
        if let Some((main, (mark, source))) = result {
            builder.go(main);
            builder.apply_summary(mark, source, warnings);
        }
        let mut record = self
            .draft
            .into_builder()?
            .finish(self.headers.into_list(), false, warnings);
        for id in self.declarations {
            let first = record.start().side_to_move();
            let node = record.node_mut(id);
            let mover = if node.ply() % 2 == 0 { first } else { first.flip() };
            if let Some(end) = node.end_mut() {
                *end = End::new(Reason::Declaration, Outcome::Win(mover), "");
            }
        }
        Some(record)
    }
}
