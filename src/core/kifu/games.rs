//! The games of a file, handed on one by one as they are read.

use super::builder::Builder;
use super::record::{NodeId, Notes, Record};
use super::scan::{Line, TextSpot, lines};
use super::warning::{RecordProblem, Tally, Warnings};
use crate::shogi::{Position, Unsearchable};
use std::fmt;

/// The most games that are read of one file: a game of no moves takes a few bytes there, and some hundred in
/// memory.
pub const MAX_GAMES: usize = 200_000;

/// Why no game starts from a position.
type StartCheck = fn(&Position) -> Option<Unsearchable>;

/// Takes the games of a file. One is held back: what stands behind all of them may belong to the last.
pub(super) struct GameSink<'s> {
    sink: &'s mut dyn FnMut(Record),
    check: StartCheck,
    last: Option<Record>,
    count: usize,
    /// What is odd about the starts of some.
    odd: Vec<Unsearchable>,
    more: Tally,
}

/// Reads a text that has a game a line, with blank lines and remarks between them. `read` builds the game of
/// a line; a remark belongs to the start of the game below it.
pub(super) fn one_a_line(
    text: &str,
    mut games: GameSink<'_>,
    warnings: &mut Warnings,
    mut read: impl FnMut(Line<'_>, &str, &mut Warnings) -> Option<Builder>,
) -> usize {
    let mut head: Option<String> = None;
    for line in lines(text) {
        let text = line.trimmed();
        if let Some(remark) = text.strip_prefix('#') {
            Notes::add(&mut head, remark);
        } else if !text.is_empty() && games.has_room(line.spot(text)) {
            let Some(mut builder) = read(line, text, warnings) else { continue };
            builder.go(NodeId::START);
            if let Some(remark) = head.take() {
                builder.remark(&remark);
            }
            games.add(builder.finish(Vec::new(), false, warnings));
        }
    }
    games.remark_at_the_end(head);
    games.finish(warnings)
}

impl<'s> GameSink<'s> {
    /// Hands games on to `sink`; `check` says what is odd about a start.
    pub(super) fn new(sink: &'s mut dyn FnMut(Record), check: StartCheck) -> Self {
        Self { sink, check, last: None, count: 0, odd: Vec::new(), more: Tally::default() }
    }

    /// Whether there is room for the game that begins here. It is counted where there is none.
    pub(super) fn has_room(&mut self, spot: TextSpot<'_>) -> bool {
        let has_room = self.count < MAX_GAMES;
        if !has_room {
            self.refuse(spot);
        }
        has_room
    }

    /// Counts a game that is not read.
    pub(super) fn refuse(&mut self, spot: TextSpot<'_>) {
        self.more.add(spot);
    }

    pub(super) fn add(&mut self, game: Record) {
        self.count += 1;
        self.odd.extend(game.odd_start().and_then(|start| (self.check)(&start)));
        if let Some(before) = self.last.replace(game) {
            (self.sink)(before);
        }
    }

    /// Keeps a remark that no further game comes after, at the end of the newest one.
    fn remark_at_the_end(&mut self, remark: Option<String>) {
        if let (Some(remark), Some(record)) = (remark, &mut self.last) {
            let last = record.main_line().last().unwrap_or(NodeId::START);
            Notes::add(&mut record.node_mut(last).notes_mut().remark, &remark);
        }
    }

    /// Hands on the last game, and gives how many there were.
    pub(super) fn finish(mut self, warnings: &mut Warnings) -> usize {
        if let Some(last) = self.last.take() {
            (self.sink)(last);
        }
        self.more.report(warnings, RecordProblem::MoreGames);
        for why in self.odd {
            warnings.add(Line { number: 1, text: "", before: 0 }.spot(""), RecordProblem::OddStart(why));
        }
        self.count
    }
}

impl fmt::Debug for GameSink<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Games").field("count", &self.count).finish_non_exhaustive()
    }
}
