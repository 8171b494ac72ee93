//! Streaming of the games of a file to the caller.

use super::builder::Builder;
use super::handicap;
use super::record::{NodeId, Notes, Record};
use super::scan::{Line, TextSpot, lines};
use super::warning::{RecordProblem, Tally, TextPosition, Warnings, quote};
use shogibar_shogi::{Position, Unsearchable};

/// The maximum number of games read from one file. A game without moves takes a few bytes in the file and some hundred
/// in memory.
pub const MAX_GAMES: usize = 200_000;

/// A function that returns why no game can start from a position; `None` if one can.
pub(super) type StartCheck = fn(&Position) -> Option<Unsearchable>;

/// The part of a text that a reader is to read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extent {
    AllGames,
    /// Only the first game, to find out whether its moves fit a start.
    FirstGame,
    /// Nothing more: the first game has been read.
    Done,
}

/// The receiver of the games of a file. The last game is held back, because text after all games may belong to it.
pub(super) struct GameSink<'s> {
    /// Called with each game.
    sink: &'s mut dyn FnMut(Record),
    /// Finds problems of start positions.
    check: StartCheck,
    /// The last game, which was not passed on yet; `None` before the first game.
    last_record: Option<Record>,
    /// The number of games so far.
    count: usize,
    /// The problems of the start positions.
    odd_starts: Vec<Unsearchable>,
    /// The games beyond the limit.
    omitted_games: Tally,
}

/// Reads a text with one game per line, and blank lines and remarks between the games. `read` parses a line; `goes_on`
/// adds a line to the game whose first line it gets, and returns whether it did. A remark belongs to the start of the game below it.
/// Returns the number of games.
pub(super) fn read_lines(
    text: &str,
    mut games: GameSink<'_>,
    warnings: &mut Warnings,
    mut read: impl FnMut(Line<'_>, &str, &mut Warnings) -> Option<Builder>,
    goes_on: impl Fn(&mut Builder, &str, Line<'_>, &str, &mut Warnings) -> bool,
) -> usize {
    let mut head_remark: Option<String> = None;
    // The last game, its first line, and the remark above it.
    let mut open: Option<(Builder, &str, Option<String>)> = None;
    for line in lines(text) {
        let text = line.trimmed();
        if let Some(remark) = text.strip_prefix('#') {
            Notes::add(&mut head_remark, remark);
        } else if !text.is_empty() && games.has_room(line.spot(text)) {
            if let Some((builder, first, _)) = &mut open
                && head_remark.is_none()
                && goes_on(builder, first, line, text, warnings)
            {
                continue;
            }
            add_line_game(&mut games, open.take(), warnings);
            open = read(line, text, warnings).map(|builder| (builder, text, head_remark.take()));
        }
    }
    add_line_game(&mut games, open, warnings);
    games.add_final_remark(head_remark);
    games.finish(warnings)
}

fn add_line_game(
    games: &mut GameSink<'_>,
    game: Option<(Builder, &str, Option<String>)>,
    warnings: &mut Warnings,
) {
    let Some((mut builder, _, remark)) = game else {
        return;
    };
    if let Some(remark) = remark {
        builder.go(NodeId::START);
        builder.add_remark(&remark);
    }
    games.add(builder.finish(Vec::new(), false, warnings));
}

impl<'s> GameSink<'s> {
    /// Creates a sink that passes games to `sink`; `check` finds problems of a start position.
    pub(super) fn new(sink: &'s mut dyn FnMut(Record), check: StartCheck) -> Self {
        Self {
            sink,
            check,
            last_record: None,
            count: 0,
            odd_starts: Vec::new(),
            omitted_games: Tally::default(),
        }
    }

    /// Returns whether another game can be added. If not, counts the game at `spot` as refused.
    pub(super) fn has_room(&mut self, spot: TextSpot<'_>) -> bool {
        let has_room = self.count < MAX_GAMES;
        if !has_room {
            self.refuse(spot);
        }
        has_room
    }

    /// Counts a game as omitted, because the limit is reached.
    pub(super) fn refuse(&mut self, spot: TextSpot<'_>) {
        self.omitted_games.add(spot);
    }

    /// Adds a game, and passes on the one before it.
    pub(super) fn add(&mut self, game: Record) {
        self.count += 1;
        self.odd_starts
            .extend(game.nonstandard_start().and_then(|start| (self.check)(&start)));
        if let Some(before) = self.last_record.replace(game) {
            (self.sink)(before);
        }
    }

    /// Adds a game, unless it is another game than shogi. `unknown` is the name of a handicap without a known position.
    /// A game with such a name is added only if it `fits` the usual start ([`Builder::fits_start`]).
    pub(super) fn add_if_it_fits(
        &mut self,
        game: Record,
        unknown: Option<(String, TextPosition)>,
        fits: bool,
        warnings: &mut Warnings,
    ) {
        let Some((name, text_position)) = unknown else {
            return self.add(game);
        };
        match handicap::other_game(&name) {
            Some(other) => warnings.add_at(text_position, RecordProblem::OtherGame(other)),
            None if fits => {
                warnings.add_at(text_position, RecordProblem::UnknownHandicap(quote(&name)));
                self.add(game);
            }
            None => warnings.add_at(text_position, RecordProblem::UnfitHandicap(quote(&name))),
        }
    }

    fn add_final_remark(&mut self, remark: Option<String>) {
        if let (Some(remark), Some(record)) = (remark, &mut self.last_record) {
            let last = record.main_line().last().unwrap_or(NodeId::START);
            Notes::add(&mut record.node_mut(last).notes_mut().remark, &remark);
        }
    }

    /// Passes on the last game. Returns the number of games.
    pub(super) fn finish(mut self, warnings: &mut Warnings) -> usize {
        if let Some(last) = self.last_record.take() {
            (self.sink)(last);
        }
        self.omitted_games.report(warnings, RecordProblem::MoreGames);
        for why in self.odd_starts {
            warnings.add(TextSpot::start(), RecordProblem::OddStart(why));
        }
        self.count
    }
}
