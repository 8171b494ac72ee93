//! A game in prose that is being read, with its branches.

use super::branch::{Branch, BranchSign};
use super::words::MoveWord;
use crate::builder::{Builder, SourceText};
use crate::end::EndMark;
use crate::headers::Headers;
use crate::record::NodeId;
use crate::warning::{TextPosition, Warnings};
use shogibar_shogi::{Move, Position};

/// The maximum number of plies before the last move in which a named move is searched.
const MAX_PLIES_BACK: u16 = 60;

/// The maximum number of times that a text may name an earlier move of a game. The limit bounds the time of reading.
const MAX_NAMED_MOVES: u16 = 500;

/// A game that is being read.
pub(super) struct ProseGame {
    pub(super) start: Position,
    pub(super) builder: Builder,
    pub(super) headers: Headers,
    /// Whether a header calls a side 下手 or 上手.
    pub(super) uses_handicap_names: bool,
    /// The start that words name, for this game if it has no moves yet, and otherwise for the next game.
    pub(super) named_start: Option<Position>,
    /// Whether a word has announced another game.
    pub(super) is_announced: bool,
    /// Whether there are other words among the moves.
    pub(super) has_words: bool,
    pub(super) stated_part: StatedPart,
    /// The end that the words before the first move state.
    pub(super) head_end: Option<EndMark>,
    /// The node at which the present sequence of adjacent moves begins; `None` between sequences.
    pub(super) run_start: Option<NodeId>,
    /// The meaning of the words before the next move; `None` without words that have one.
    pub(super) sign: Option<BranchSign>,
    /// The number before the next move, as in 4手目; `None` without one.
    pub(super) number: Option<u16>,
    /// The number of times that the text has named an earlier move.
    pub(super) named_move_count: u16,
    /// The branch that is being read; `None` among the moves of the game.
    pub(super) branch: Option<Branch>,
}

/// The part of a game that the text states as a whole: by a `position` line, an address, or a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StatedPart {
    /// No part: the moves stand among words.
    Nothing,
    /// The start position. Such a game counts even without moves.
    Position,
    /// The start position and all moves of the game. Later moves do not belong to the game.
    Moves,
    /// No part, but a word states that moves are left out after the last one.
    Gap,
}

impl ProseGame {
    pub(super) fn new(start: Position) -> Self {
        Self {
            builder: Builder::new(start.clone()),
            start,
            headers: Headers::default(),
            uses_handicap_names: false,
            named_start: None,
            is_announced: false,
            has_words: false,
            stated_part: StatedPart::Nothing,
            head_end: None,
            run_start: None,
            sign: None,
            number: None,
            named_move_count: 0,
            branch: None,
        }
    }

    /// Returns whether anything of the game has been read.
    pub(super) fn is_begun(&self) -> bool {
        self.builder.ply() > 0 || self.stated_part != StatedPart::Nothing
    }

    /// Returns whether further moves may belong to the game.
    pub(super) fn is_open(&self) -> bool {
        !self.is_complete() && self.builder.is_unfinished()
    }

    /// Returns whether the moves are complete, or a gap follows them. Later moves are then comments on the game.
    pub(super) fn is_complete(&self) -> bool {
        matches!(self.stated_part, StatedPart::Moves | StatedPart::Gap)
    }

    /// Reads the meaning of the words at the beginning of a text for the moves after them.
    pub(super) fn read_words(&mut self, text: &str) {
        self.run_start = None;
        match BranchSign::before(text) {
            Some(BranchSign::Gap) if self.stated_part != StatedPart::Nothing => {
                self.stated_part = StatedPart::Moves;
            }
            Some(BranchSign::Gap) if self.builder.ply() > 0 => self.stated_part = StatedPart::Gap,
            Some(sign) => self.sign = Some(sign),
            None => {}
        }
        if let (Some(BranchSign::Return), Some(branch)) = (self.sign, &mut self.branch) {
            branch.is_over = true;
        }
    }

    /// Ends the effect of words on the moves after them.
    pub(super) fn end_sentence(&mut self) {
        (self.run_start, self.sign) = (None, None);
        // A branch before the first move ends where words announce the game, not at the end of the sentence.
        if let Some(branch) = self
            .branch
            .as_mut()
            .filter(|branch| branch.resume != NodeId::START)
        {
            branch.is_over = true;
        }
    }

    /// Begins a branch at the node `from`, beside a game that continues at the node `resume`.
    pub(super) fn begin_branch(
        &mut self,
        [from, resume]: [NodeId; 2],
        text_position: TextPosition,
        is_over: bool,
    ) {
        if let Some(branch) = &mut self.branch {
            branch.is_over = is_over;
            return;
        }
        let here = self.builder.current_node();
        self.builder.go(resume);
        let (position, last_to) = (self.builder.now().without_history(), self.builder.last_to());
        self.builder.go(here);
        self.branch = Some(Branch {
            from,
            resume,
            position,
            last_to,
            text_position,
            is_over,
        });
    }

    pub(super) fn play(&mut self, mv: Move, rest: &str, source: SourceText<'_>, warnings: &mut Warnings) {
        let before = self.builder.current_node();
        let text_position = source.spot.position();
        if self.sign.take_if(|sign| *sign == BranchSign::Condition).is_some() {
            self.begin_branch([before; 2], text_position, false);
        }
        let record = self.builder.record();
        let known = record
            .children(before)
            .find(|node| record.node(*node).mv() == Some(mv));
        let last = record.children(before).last();
        if let Some(node) = known {
            self.builder.go(node);
        } else {
            self.builder.play(mv, source, warnings);
        }
        // Branches come after the move of the game.
        if self.branch.is_none() && last.is_some() {
            self.builder.put_first(self.builder.current_node());
        }
        let run_start = *self.run_start.get_or_insert(before);
        if let Some(sign) = BranchSign::behind(rest) {
            // If the moves begin the game or return to it, only the last of them is the branch.
            let begins_main_line = run_start == NodeId::START || self.sign == Some(BranchSign::Return);
            let from = if begins_main_line { before } else { run_start };
            if from != NodeId::START {
                self.begin_branch([from; 2], text_position, sign == BranchSign::Remark);
            }
        }
    }

    pub(super) fn leaves_branch(&self, text: &str, mv: Option<Move>) -> bool {
        self.branch
            .as_ref()
            .filter(|branch| branch.is_over || mv.is_none() && branch.resume != NodeId::START)
            .is_some_and(|branch| {
                MoveWord::first(text, &branch.position, branch.last_to).is_some_and(|word| word.mv.is_some())
            })
    }

    pub(super) fn leave_branch(&mut self) {
        if let Some(branch) = self.branch.take() {
            self.builder.go(branch.resume);
            self.run_start = None;
        }
    }

    /// Goes to the node before an earlier move that the text begins with. This is the move with `number`, or one of the
    /// last moves. Returns the move and the text after it. Without such a move, changes nothing and returns `None`.
    pub(super) fn go_before<'t>(&mut self, text: &'t str, number: Option<u16>) -> Option<(Move, &'t str)> {
        self.named_move_count = self.named_move_count.saturating_add(1);
        if self.named_move_count > MAX_NAMED_MOVES {
            return None;
        }
        let tip = self.builder.current_node();
        let plies = number.map_or(1..=MAX_PLIES_BACK, |number| {
            let back = self.builder.ply().saturating_sub(number) + 1;
            back..=back
        });
        for back in 1..=*plies.end() {
            let at = self.builder.current_node();
            let Some(before) = self.builder.record().parent(at) else {
                break;
            };
            let played = self.builder.record().node(at).mv();
            self.builder.go(before);
            if !plies.contains(&back) {
                continue;
            }
            let word = MoveWord::first(text, self.builder.now(), self.builder.last_to());
            let read = word.and_then(|word| word.mv.map(|mv| (mv, word.rest)));
            if let Some((mv, rest)) = read.filter(|(mv, _)| number.is_some() || played == Some(*mv)) {
                return Some((mv, rest));
            }
        }
        self.builder.go(tip);
        None
    }

    /// Ends the open branch at the end of the game. Removes a branch that is at most half of the game, if the game does
    /// not continue beside it. Returns the line and column of the removed branch, and its number of moves; `None` if
    /// nothing was removed.
    pub(super) fn drop_branch(&mut self) -> Option<(TextPosition, u16)> {
        let Branch {
            from,
            resume,
            text_position,
            ..
        } = self.branch.take()?;
        if from != resume {
            self.builder.go(resume);
            return None;
        }
        let before = self.builder.record().node(from).ply();
        let length = self
            .builder
            .ply()
            .checked_sub(before)
            .filter(|length| *length <= before)?;
        self.builder.go(from);
        self.builder.remove_after(from);
        Some((text_position, length))
    }
}
