//! The games of a file, as many as are kept.

use super::builder::Builder;
use super::record::{NodeId, Notes, Record};
use super::scan::{Line, Spot, lines};
use super::warning::{Problem, Tally, Warnings};

/// The most games that are read of one file: a game of no moves takes a few bytes there, and some hundred in
/// memory.
pub const MAX_GAMES: usize = 200_000;

/// Games as they are collected.
#[derive(Debug, Default)]
pub(super) struct Games {
    list: Vec<Record>,
    more: Tally,
}

/// Reads a text that has a game a line, with blank lines and remarks between them. `read` builds the game of
/// a line; a remark belongs to the start of the game below it.
pub(super) fn one_a_line(
    text: &str,
    warnings: &mut Warnings,
    mut read: impl FnMut(Line<'_>, &str, &mut Warnings) -> Option<Builder>,
) -> Vec<Record> {
    let mut games = Games::default();
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

impl Games {
    /// Whether there is room for the game that begins here. It is counted where there is none.
    pub(super) fn has_room(&mut self, spot: Spot<'_>) -> bool {
        let has_room = self.list.len() < MAX_GAMES;
        if !has_room {
            self.refuse(spot);
        }
        has_room
    }

    /// Counts a game that is not read.
    pub(super) fn refuse(&mut self, spot: Spot<'_>) {
        self.more.add(spot);
    }

    pub(super) fn add(&mut self, game: Record) {
        self.list.push(game);
    }

    /// Keeps a remark that no further game comes after, at the end of the newest one.
    fn remark_at_the_end(&mut self, remark: Option<String>) {
        if let (Some(remark), Some(record)) = (remark, self.list.last_mut()) {
            let last = record.main_line().last().unwrap_or(NodeId::START);
            Notes::add(&mut record.node_mut(last).notes_mut().remark, &remark);
        }
    }

    pub(super) fn finish(self, warnings: &mut Warnings) -> Vec<Record> {
        self.more.report(warnings, Problem::MoreGames);
        self.list
    }
}
