//! The moves of a JKF game: a list of entries, each with the variations that replace it.

mod jkf_move;

use super::super::builder::{Builder, CutReason, SourceText};
use super::super::end::{EndMark, MarkOutcome, Outcome};
use super::super::record::NodeId;
use super::super::scan::TextSpot;
use super::super::time::{Millis, Time};
use super::super::warning::{RecordProblem, Tally, quote};
use super::ends;
use super::json::{JsonError, JsonKind};
use super::source::JsonSource;
use jkf_move::JkfMove;
use std::borrow::Cow;

#[derive(Debug)]
pub(super) struct MovesReader<'r, 'a, 'w> {
    source: &'r mut JsonSource<'a, 'w>,
    builder: Builder,
    skipped_variations: Tally,
}

/// The content of an entry that is not in the record yet. The keys of an entry come in any order. A part is `None` if
/// the entry does not have it, or once the record has it.
#[derive(Debug, Default)]
struct JkfEntry<'a> {
    mv: Option<(JkfMove<'a>, TextSpot<'a>)>,
    /// The code of an end.
    special_code: Option<(Cow<'a, str>, TextSpot<'a>)>,
    time: Option<(Time, TextSpot<'a>)>,
    comment: Option<Cow<'a, str>>,
    bookmark: Option<String>,
    /// Whether the move or end of the entry is in the record.
    is_step_added: bool,
    /// The node where the variations of the entry branch off; `None` before the first variation.
    parent: Option<NodeId>,
    /// The position of the entry's step among its siblings, if the variations came first in the file.
    sibling_position: Option<SiblingPosition>,
}

/// The position of a node among its siblings: first, or after another node.
#[derive(Clone, Copy, Debug)]
enum SiblingPosition {
    First,
    After(NodeId),
}

/// An entry whose variations are being read.
struct OpenEntry<'a> {
    /// The node where the variations of the entry branch off.
    parent: NodeId,
    /// The node where the line of the entry continues.
    last_node: NodeId,
    /// The position of the entry's step among its siblings, if the variations came first in the file.
    sibling_position: Option<SiblingPosition>,
    /// Whether the move or end of the entry is in the record.
    is_step_added: bool,
    /// The content of the entry that is not in the record yet; `None` if there is none.
    rest: Option<Box<JkfEntry<'a>>>,
}

impl<'r, 'a, 'w> MovesReader<'r, 'a, 'w> {
    pub(super) fn new(source: &'r mut JsonSource<'a, 'w>, builder: Builder) -> Self {
        Self {
            source,
            builder,
            skipped_variations: Tally::default(),
        }
    }

    /// Reports the skipped variations. Returns the builder with the moves.
    pub(super) fn finish(self) -> Builder {
        self.skipped_variations
            .report(self.source.warnings, RecordProblem::LinesWithoutBranchPoint);
        self.builder
    }

    /// Reads the list of moves as far as possible.
    pub(super) fn read(&mut self) -> Result<(), JsonError> {
        if !self.source.enter_array("moves")? {
            return Ok(());
        }
        let (mut open, mut entry) = (Vec::new(), JkfEntry::default());
        let read = self.read_lines(&mut open, &mut entry);
        if read.is_err() {
            self.commit(&mut entry);
            while let Some(owner) = open.pop() {
                let mut entry = self.go_back(owner);
                self.commit(&mut entry);
            }
        }
        read
    }

    /// Reads entries until the list of moves ends, also those in variations. `open` are the entries whose variations
    /// are being read, `entry` is the current one.
    fn read_lines(
        &mut self,
        open: &mut Vec<OpenEntry<'a>>,
        entry: &mut JkfEntry<'a>,
    ) -> Result<(), JsonError> {
        let mut in_line = true;
        loop {
            if in_line && self.enter("moves", JsonKind::Object)? {
                *entry = JkfEntry::default();
            } else {
                let Some(owner) = open.last() else { return Ok(()) };
                in_line = true;
                if self.enter("forks", JsonKind::Array)? {
                    self.builder.go(owner.parent);
                    continue;
                }
                let Some(owner) = open.pop() else { return Ok(()) };
                *entry = self.go_back(owner);
            }
            match self.read_entry(entry)? {
                Some(owner) => {
                    open.push(owner);
                    in_line = false;
                }
                None => self.commit(entry),
            }
        }
    }

    /// Enters the next item of this kind in an array. Returns whether there is one.
    fn enter(&mut self, key: &'static str, kind: JsonKind) -> Result<bool, JsonError> {
        while self.source.json.next_item()? {
            let entered = if kind == JsonKind::Object {
                self.source.enter_object(key)?
            } else {
                self.source.enter_array(key)?
            };
            if entered {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Goes back to the line of an entry, after its variations.
    fn go_back(
        &mut self,
        OpenEntry {
            parent,
            last_node,
            sibling_position,
            is_step_added,
            rest,
        }: OpenEntry<'a>,
    ) -> JkfEntry<'a> {
        self.builder.go(last_node);
        JkfEntry {
            parent: Some(parent),
            sibling_position,
            is_step_added,
            ..rest.map_or_else(JkfEntry::default, |rest| *rest)
        }
    }

    /// Reads an entry up to its variations or its end. Returns the entry whose variations follow; `None` at the end.
    fn read_entry(&mut self, entry: &mut JkfEntry<'a>) -> Result<Option<OpenEntry<'a>>, JsonError> {
        while let Some(key) = self.source.json.next_key()? {
            self.source.json.kind()?;
            let spot = self.source.json.spot();
            match &*key {
                "move" if entry.mv.is_some() => self.source.reject_duplicate("move")?,
                "time" if entry.time.is_some() => self.source.reject_duplicate("time")?,
                "special" if entry.special_code.is_some() => self.source.reject_duplicate("special")?,
                "move" => {
                    if let Some(spelled) = JkfMove::read(self.source)? {
                        entry.mv = Some((spelled, spot));
                    }
                }
                "time" => entry.time = self.read_time()?.map(|time| (time, spot)),
                "special" => {
                    let code = self
                        .source
                        .read_text("special")?
                        .filter(|code| !code.trim().is_empty());
                    entry.special_code = code.map(|code| (code, spot));
                }
                "comments" | "comment" => self.read_comments(entry)?,
                "forks" if self.source.enter_array("forks")? => match self.open_variations(entry) {
                    Some(owner) => return Ok(Some(owner)),
                    None => {
                        while self.source.json.next_item()? {
                            self.skipped_variations.add(self.source.json.spot());
                            self.source.json.skip()?;
                        }
                    }
                },
                "forks" => {}
                _ => self.source.skip_unknown(&key)?,
            }
        }
        Ok(None)
    }

    /// Adds the move of an entry, and returns the open entry to continue after its variations. Returns `None` if there
    /// is no move to replace.
    fn open_variations(&mut self, entry: &mut JkfEntry<'a>) -> Option<OpenEntry<'a>> {
        if entry.mv.is_some() {
            self.commit(entry);
        } else if entry.parent.is_none() && !entry.is_step_added && self.builder.is_unfinished() {
            let here = self.builder.current_node();
            entry.parent = Some(here);
            entry.sibling_position = Some(
                self.builder
                    .record()
                    .last_child(here)
                    .map_or(SiblingPosition::First, SiblingPosition::After),
            );
        }
        let parent = entry.parent?;
        let JkfEntry {
            sibling_position,
            is_step_added,
            ..
        } = *entry;
        let entry = std::mem::take(entry);
        let JkfEntry {
            mv: None,
            special_code: None,
            time: None,
            comment: None,
            bookmark: None,
            ..
        } = entry
        else {
            return Some(OpenEntry {
                parent,
                last_node: self.builder.current_node(),
                sibling_position,
                is_step_added,
                rest: Some(Box::new(entry)),
            });
        };
        Some(OpenEntry {
            parent,
            last_node: self.builder.current_node(),
            sibling_position,
            is_step_added,
            rest: None,
        })
    }

    /// Reads the value of `comments`: an array of texts, or one text.
    fn read_comments(&mut self, entry: &mut JkfEntry<'a>) -> Result<(), JsonError> {
        if self.source.json.kind()? != JsonKind::Array {
            if let Some(text) = self.source.read_text("comments")? {
                entry.add_comment(text);
            }
            return Ok(());
        }
        self.source.json.begin_array()?;
        while self.source.json.next_item()? {
            if let Some(line) = self.source.read_text("comments")? {
                entry.add_comment(line);
            }
        }
        Ok(())
    }

    /// Reads the value of `time`; `None` if it is no object.
    fn read_time(&mut self) -> Result<Option<Time>, JsonError> {
        if !self.source.enter_object("time")? {
            return Ok(None);
        }
        let mut time = Time::default();
        while let Some(key) = self.source.json.next_key()? {
            match &*key {
                "now" => time.spent = self.read_clock_time()?,
                "total" => time.total = self.read_clock_time()?,
                _ => self.source.skip_unknown(&key)?,
            }
        }
        Ok(Some(time))
    }

    /// Reads hours, minutes and seconds. Returns their sum; `None` if none is stated.
    fn read_clock_time(&mut self) -> Result<Option<Millis>, JsonError> {
        if !self.source.enter_object("time")? {
            return Ok(None);
        }
        let mut sum = None;
        while let Some(key) = self.source.json.next_key()? {
            let seconds: u64 = match &*key {
                "h" => 3600,
                "m" => 60,
                "s" => 1,
                _ => {
                    self.source.skip_unknown(&key)?;
                    continue;
                }
            };
            if let Some(amount) = self.source.take("time", |value| value.thousandths())? {
                sum = Some(amount.saturating_mul(seconds).saturating_add(sum.unwrap_or(0)));
            }
        }
        Ok(sum.map(Millis))
    }

    /// Adds the content of an entry to the record.
    fn commit(&mut self, entry: &mut JkfEntry<'a>) {
        let tail = entry
            .parent
            .and_then(|parent| self.builder.record().last_child(parent));
        if let Some((spelled, spot)) = entry.mv.take() {
            entry.is_step_added = true;
            let time = entry.time.take().map(|(time, _)| time).unwrap_or_default();
            entry.parent = self.play(&spelled, spot, time);
        }
        if let Some((code, spot)) = entry.special_code.take() {
            entry.is_step_added = true;
            self.finish_line(entry, &code, spot);
        }
        if let Some((parent, position)) = entry.parent.zip(entry.sibling_position) {
            let previous = if let SiblingPosition::After(previous) = position {
                Some(previous)
            } else {
                None
            };
            self.builder.move_last_child_after(parent, previous, tail);
        }
        if let Some((time, spot)) = entry.time.take() {
            let is_zero = |time: Option<Millis>| time.is_none_or(|time| time == Millis(0));
            match entry.is_step_added {
                true => self.builder.set_time(
                    SourceText {
                        words: "{…}",
                        spot,
                        time,
                    },
                    self.source.warnings,
                ),
                // tsshogi gives the start a time of 0.
                false if is_zero(time.spent) && is_zero(time.total) => {}
                false => self
                    .source
                    .warnings
                    .add(spot, RecordProblem::InvalidValue("time", "{…}".to_owned())),
            }
        }
        if let Some(name) = entry.bookmark.take() {
            self.builder.add_bookmark(&name);
        }
        if let Some(comment) = entry.comment.take() {
            self.builder.add_comment(&comment);
        }
    }

    /// Plays a move. Returns the node where variations to the move branch off; `None` for a move after an end.
    fn play(&mut self, spelled: &JkfMove<'a>, spot: TextSpot<'a>, time: Time) -> Option<NodeId> {
        let Self { source, builder, .. } = self;
        if !builder.can_continue(spot, source.warnings) {
            return None;
        }
        let parent = builder.current_node();
        if spelled
            .color
            .is_some_and(|color| color != builder.now().side_to_move())
        {
            source
                .warnings
                .add(spot, RecordProblem::WrongSign(quote(&spelled.words(builder))));
        }
        let mv = spelled.resolve(builder);
        if spelled.names_another_piece(builder, mv) {
            source
                .warnings
                .add(spot, RecordProblem::OtherPiece(quote(&spelled.words(builder))));
        }
        let played = match mv {
            Ok(mv) => builder.try_play(mv, time).map_err(CutReason::Illegal),
            Err(cut) => Err(cut),
        };
        if let Err(cut) = played {
            builder.cut(
                cut,
                SourceText {
                    words: &spelled.words(builder),
                    spot,
                    time,
                },
                source.warnings,
            );
        }
        Some(parent)
    }

    /// Ends the line with a code and the details that the comment may have.
    fn finish_line(&mut self, entry: &mut JkfEntry<'a>, code: &str, spot: TextSpot<'a>) {
        let mover = self.builder.now().side_to_move();
        let known = ends::normalize_code(code);
        let detailed = entry
            .comment
            .as_deref()
            .and_then(|comment| ends::split_details(comment, &known, mover));
        let time = entry.time.take().map(|(time, _)| time).unwrap_or_default();
        let (mark, words) = if let Some((end, rest)) = detailed {
            let outcome = match end.outcome {
                Outcome::Win(color) => MarkOutcome::Winner(color),
                Outcome::Draw => MarkOutcome::Draw,
                Outcome::Open => MarkOutcome::Open,
            };
            let rest = rest.map(str::to_owned).map(Cow::Owned);
            entry.comment = rest;
            (EndMark::new(end.reason, outcome), end.words().to_owned())
        } else if let Some(meant) = ends::from_code(&known) {
            meant
        } else {
            let unknown = SourceText {
                words: &ends::one_line(code.trim()),
                spot,
                time,
            };
            return self.builder.apply_unknown_mark(unknown, self.source.warnings);
        };
        self.builder.apply_mark(
            mark,
            SourceText {
                words: &words,
                spot,
                time,
            },
            self.source.warnings,
        );
    }
}

impl<'a> JkfEntry<'a> {
    /// Adds a text to the comment. Lines that begin with `&` become bookmarks.
    fn add_comment(&mut self, text: Cow<'a, str>) {
        if text.contains('\r') {
            return self.add_comment(Cow::Owned(text.replace("\r\n", "\n").replace('\r', "\n")));
        }
        if text.contains('\n') && (text.starts_with('&') || text.contains("\n&")) {
            return text
                .split('\n')
                .for_each(|line| self.add_comment(Cow::Owned(line.to_owned())));
        }
        if let Some(name) = text.strip_prefix('&') {
            match &mut self.bookmark {
                Some(names) => names.extend(["\n", name]),
                None => self.bookmark = Some(name.to_owned()),
            }
            return;
        }
        match &mut self.comment {
            Some(comment) => comment.to_mut().extend(["\n", &*text]),
            None => self.comment = Some(text),
        }
    }
}
