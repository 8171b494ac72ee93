//! Games in prose: moves between any other words, as in mails, blogs and books.
//!
//! The rule: every move in the text that can be played in turn belongs to the game. All other text is left out and
//! counted. A move that can only be played from the start begins another game. So does a position, as SFEN, in a
//! `position` line or in an address.
//!
//! Brackets after a move may hold a remark: other words beside moves, or moves that cannot be played. Moves that the
//! words around them call a branch become a variation, once the game continues beside it.

mod branch;
pub(super) mod format;
mod game;
mod signs;
mod words;

use super::builder::SourceText;
use super::end::EndMark;
use super::games::GameSink;
use super::kif::{first_mark, winner_mark};
use super::record::{NodeId, Record};
use super::scan::{Line, TextSpot, digit, lines};
use super::time::{self, Time};
use super::warning::{RecordProblem, Tally, Warnings};
use super::{address, csa, handicap, psn, usen, usi};
use branch::BranchSign;
use game::{ProseGame, StatedPart};
use shogibar_shogi::{Move, Position, SIDE_MARKS};
use signs::{
    after_escaped_sign, after_latin_word, announces_game, begins_numbering, begins_with_position,
    begins_with_square, end_word, ends_sentence, is_pairing, named_handicap, sfen_with_white_to_move,
    split_address, split_header, split_move_number,
};
use std::ops::Range;
use words::{MoveWord, is_number, is_separator};

pub use signs::addresses;
pub(super) use signs::{HEADER_KEYS, has_move, is_move};

/// The characters that begin a quoted line of a mail.
const QUOTE_MARKS: [char; 2] = ['>', '＞'];

/// The minimum number of moves of a game among other words. A single one may be a word that looks like a move.
const MIN_MOVES_AMONG_WORDS: u16 = 2;

/// The maximum number of characters of a remark in brackets.
const MAX_REMARK_CHARS: usize = 200;

/// The maximum number of characters between two moves that may begin a game.
const MAX_CHARS_BETWEEN_MOVES: usize = 12;

/// The maximum number of moves of a game that begin no other game. Each is tried from several starts.
const MAX_FAILED_STARTS: u16 = 2000;

/// The results that English texts write after the moves.
const RESULT_WORDS: [&str; 3] = ["1-0", "0-1", "1/2-1/2"];

/// The brackets that may hold a remark.
const BRACKETS: [(char, char); 6] = [
    ('（', '）'),
    ('(', ')'),
    ('[', ']'),
    ('［', '］'),
    ('【', '】'),
    ('〔', '〕'),
];

/// The result of reading a text as prose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ProseOutcome {
    /// Whether all words of moves could be played in turn.
    pub(super) is_in_turn: bool,
    /// Whether a move is written in letters, as in USI or CSA.
    pub(super) has_letters: bool,
}

impl Default for ProseOutcome {
    fn default() -> Self {
        Self {
            is_in_turn: true,
            has_letters: false,
        }
    }
}

/// Reads the games of a text, the first from `start`. Returns their number, and how their moves were found.
pub(super) fn read(
    text: &str,
    start: &Position,
    games: GameSink<'_>,
    warnings: &mut Warnings,
) -> (usize, ProseOutcome) {
    let mut reader = ProseReader {
        game: ProseGame::new(start.clone()),
        last_record: None,
        games,
        warnings,
        left_out: Tally::default(),
        unplayed_moves: Tally::default(),
        has_letters: false,
        command: 0..0,
        failed_starts: 0,
        line_start: NodeId::START,
        next_end: None,
    };
    for line in lines(text) {
        reader.read_line(line);
    }
    reader.end_game();
    reader.pass_on();
    reader
        .left_out
        .report(reader.warnings, RecordProblem::SkippedPassages);
    reader
        .unplayed_moves
        .report(reader.warnings, RecordProblem::MovesNotInTurn);
    let outcome = ProseOutcome {
        is_in_turn: reader.unplayed_moves.count() == 0,
        has_letters: reader.has_letters,
    };
    (reader.games.finish(reader.warnings), outcome)
}

struct ProseReader<'w, 's> {
    game: ProseGame,
    /// The last game that has ended. It is dropped if the next game repeats its moves and continues it.
    last_record: Option<Record>,
    games: GameSink<'s>,
    warnings: &'w mut Warnings,
    /// The skipped passages that are not moves.
    left_out: Tally,
    /// The words of moves that cannot be played in turn.
    unplayed_moves: Tally,
    /// Whether a move is written in letters, as in USI or CSA.
    has_letters: bool,
    /// The addresses of the text that a `position` command may have, from the last position on.
    command: Range<usize>,
    /// The number of moves that begin no game, since the last game.
    failed_starts: u16,
    /// The last node of the game at the beginning of the line.
    line_start: NodeId,
    /// The end that the words before the next game state, with its node in the game before it.
    next_end: Option<(EndMark, Option<NodeId>)>,
}

impl ProseReader<'_, '_> {
    /// Reads a line: headers at its beginning, then moves among other words.
    fn read_line(&mut self, mut line: Line<'_>) {
        let text = line
            .trimmed()
            .trim_start_matches(|c: char| QUOTE_MARKS.contains(&c) || c.is_whitespace());
        if is_time(text)
            && let Some((time, _)) = time::split_cell(text)
        {
            return self.game.builder.set_time(
                SourceText {
                    words: text,
                    spot: line.spot(text),
                    time,
                },
                self.warnings,
            );
        }
        let mut rest = self.read_headers(line, text);
        let from_start = rest;
        (self.game.run_start, self.game.number) = (None, None);
        self.line_start = self.game.builder.current_node();
        self.next_end.take_if(|_| !self.game.is_announced);
        // Whether the move numbers start from 1 again.
        let mut is_numbered_anew = false;
        // The text from the first skipped word on.
        let mut left_out: Option<&str> = None;
        while let Some(first) = rest.chars().next() {
            let behind = rest.get(first.len_utf8()..).unwrap_or_default();
            let is_mark = |c: char| SIDE_MARKS.contains(&c);
            if left_out.is_none() {
                line = line.advanced_to(rest);
            }
            // Blanks and marks are skipped once, so that long runs of them take no time.
            if first.is_whitespace() {
                rest = rest.trim_start();
            } else if is_mark(first) && behind.starts_with(|c: char| is_mark(c) || c.is_whitespace()) {
                rest = behind;
            } else if let Some(after) = self.read_word(line, rest) {
                if let Some(from) = left_out.take() {
                    self.leave_out(line, from, rest);
                }
                rest = after;
            } else if let Some(after) = after_escaped_sign(rest) {
                rest = after;
            } else if let Some(after) = self.skip_remark(rest) {
                left_out.get_or_insert(rest);
                rest = after;
            } else if is_separator(first) {
                if first == '。' || first == '.' && ends_sentence(text, rest) {
                    self.game.end_sentence();
                }
                if !self.game.is_announced && self.game.builder.ply() > 0 && begins_numbering(text, rest) {
                    (is_numbered_anew, self.game.is_announced) = (true, true);
                }
                rest = match split_move_number(rest) {
                    Some((number, after)) => {
                        self.game.is_announced |= number == 1 && self.game.builder.ply() > 0;
                        self.game.number = Some(number);
                        after
                    }
                    None => behind,
                };
            } else {
                if !is_number(rest.get(..first.len_utf8()).unwrap_or_default())
                    || BranchSign::before(rest).is_some()
                {
                    self.game.read_words(rest);
                }
                if is_mark(first) && begins_with_square(behind) {
                    // A side mark before a square shows that this is a move.
                    self.unplayed_moves.add(line.spot(rest));
                }
                let from = *left_out.get_or_insert(rest);
                let is_at_start = from.len() == from_start.len();
                if announces_game(from, rest) || is_at_start && is_pairing(from, rest) {
                    (self.game.is_announced, self.next_end) = (true, None);
                }
                if let Some(named) = named_handicap(text, rest) {
                    self.game.named_start = Some(named);
                } else if rest.starts_with(handicap::EVEN_GAME) {
                    self.game.named_start = Some(Position::startpos());
                }
                rest = after_latin_word(rest).unwrap_or(behind);
            }
        }
        if let Some(from) = left_out {
            self.leave_out(line, from, "");
        }
        if is_numbered_anew {
            self.game.is_announced = false;
        }
    }

    /// Reads a position, a move, or a word that replaces a move. Returns the text after it; `None` for another word.
    fn read_word<'t>(&mut self, line: Line<'_>, text: &'t str) -> Option<&'t str> {
        let stated = self
            .read_address(line, text)
            .or_else(|| self.read_position(line, text))
            .or_else(|| self.read_usen(line, text));
        if stated.is_some() {
            return stated;
        }
        let builder = &self.game.builder;
        let word = MoveWord::first(text, builder.now(), builder.last_to());
        let read = word.as_ref().and_then(|word| word.mv);
        let mv = if self.game.is_open() { read } else { None };
        if read.is_none() && !self.game.is_begun() && self.begin_from_handicap(text) {
            return self.read_word(line, text);
        }
        let behind = word.as_ref().map_or(text, |word| word.rest);
        let may_be_word = text.starts_with(|c: char| c.is_ascii_uppercase());
        let may_be_earlier = word.is_some() || may_be_word && self.game.sign == Some(BranchSign::Instead);
        if may_be_earlier && let Some(after) = self.read_earlier_move(line, text, behind, mv) {
            return Some(after);
        }
        if !self.game.is_announced && self.game.leaves_branch(text, mv) {
            self.game.leave_branch();
            return self.read_word(line, text);
        }
        // Moves after a complete game may be comments on it, so they begin another game only if one was announced.
        let goes_on = mv.is_some() || read.is_some() && self.game.is_complete();
        let may_begin = word.is_some() || self.game.is_announced || !self.game.builder.is_unfinished();
        if may_begin && self.failed_starts < MAX_FAILED_STARTS {
            if let Some(start) = self.another_start(text, goes_on) {
                self.failed_starts = 0;
                self.begin_next_game(start);
                return self.read_word(line, text);
            }
            self.failed_starts += u16::from(!goes_on && self.game.is_begun());
        }
        let Some(word) = word else {
            return self.read_mark(line, text);
        };
        if let Some(mv) = mv {
            self.game.is_announced = false;
            if self.game.builder.ply() == 0 {
                self.game.head_end = self.next_end.take().map(|(mark, _)| mark);
            }
            self.has_letters |= word.words.is_ascii();
            let time = time::split_cell(word.rest).map_or_else(Time::default, |(time, _)| time);
            let source = SourceText {
                words: word.words.trim(),
                spot: line.spot(text),
                time,
            };
            self.game.play(mv, word.rest, source, self.warnings);
        } else {
            // The word represents a move, but not one in turn.
            self.unplayed_moves.add(line.spot(text));
            self.game.has_words = true;
        }
        Some(word.rest)
    }

    /// Reads a move that repeats a move number or replaces an earlier move. Such a move begins a branch, unless the
    /// line already has it. Returns the text after the move; `None` for another move.
    fn read_earlier_move<'t>(
        &mut self,
        line: Line<'_>,
        text: &'t str,
        rest: &'t str,
        mv: Option<Move>,
    ) -> Option<&'t str> {
        let game = &mut self.game;
        let number = game
            .number
            .take()
            .filter(|number| (2..=game.builder.ply()).contains(number));
        let is_replaced =
            mv.is_none() && BranchSign::is_replaced(rest) || game.sign == Some(BranchSign::Instead);
        if game.branch.is_some() || game.is_announced || number.is_none() && !is_replaced {
            return None;
        }
        let tip = game.builder.current_node();
        let (mv, rest) = game.go_before(text, number)?;
        let before = game.builder.current_node();
        let record = game.builder.record();
        let is_played = record
            .first_child(before)
            .is_some_and(|node| record.node(node).mv() == Some(mv));
        game.sign = None;
        if is_played && !is_replaced && !BranchSign::is_replaced(rest) {
            game.builder.go(tip);
        } else {
            let spot = line.spot(text);
            game.begin_branch([before, tip], spot.position(), false);
            if !is_played {
                let words = text.get(..text.len() - rest.len()).unwrap_or_default();
                game.play(mv, rest, SourceText::new(words.trim(), spot), self.warnings);
            }
        }
        Some(rest)
    }

    /// Reads a record in USEN. Returns the text after it; `None` for another word.
    fn read_usen<'t>(&mut self, line: Line<'_>, text: &'t str) -> Option<&'t str> {
        if !text.starts_with("~0.") {
            return None;
        }
        let end = text.find(|c: char| !c.is_ascii_alphanumeric() && !"~._".contains(c));
        let (word, rest) = text.split_at_checked(end.unwrap_or(text.len()))?;
        let word = word.trim_end_matches('.');
        let moves = Some(word)
            .filter(|word| usen::is_usen(word))
            .and_then(|word| usen::position_line(line, word, self.warnings));
        match moves {
            Some(moves) if self.read_stated(line, &moves).is_ok() => {
                self.game.stated_part = StatedPart::Moves;
            }
            _ => self.left_out.add(line.spot(text)),
        }
        Some(rest)
    }

    /// Reads a word for the end of the game. Returns the text after it; `None` for another word. Before the moves of an
    /// announced game, it is the end of that game.
    fn read_mark<'t>(&mut self, line: Line<'_>, text: &'t str) -> Option<&'t str> {
        let is_announced = self.game.is_announced;
        if !is_announced && (self.game.builder.ply() == 0 || !self.game.is_open()) {
            return None;
        }
        let word = end_word(text);
        let of_csa = text.strip_prefix('%').map(|rest| {
            rest.split(|c: char| !c.is_ascii_alphabetic() && c != '_')
                .next()
                .unwrap_or_default()
        });
        let (mark, words) = of_csa
            .and_then(|word| Some((csa::end_mark(word)?, text.get(..=word.len())?)))
            .or_else(|| first_mark(word))
            .or_else(|| {
                if is_announced {
                    Some((winner_mark(word)?, word))
                } else {
                    None
                }
            })
            .or_else(|| {
                let word = RESULT_WORDS.iter().find(|result| text.starts_with(**result))?;
                // In a date or a telephone number, further digits follow or precede.
                let goes_on = |c: char| c.is_ascii_digit() || c == '-';
                let is_alone = !text.get(word.len()..)?.starts_with(goes_on)
                    && !line.char_before(text).is_some_and(goes_on);
                let mark = psn::result_mark(word)?;
                is_alone.then_some((mark, *word))
            })?;
        let before = self.game.builder.current_node();
        if is_announced {
            self.next_end = Some((mark, None));
        } else {
            self.game
                .builder
                .apply_mark(mark, SourceText::new(words, line.spot(text)), self.warnings);
            let is_at_start = before == self.line_start;
            self.next_end = is_at_start.then(|| (mark, Some(self.game.builder.current_node())));
        }
        text.get(words.len()..)
    }

    /// Reads the game of an address. Returns the text after the address, even if it has no game. `None` for other text.
    fn read_address<'t>(&mut self, line: Line<'_>, text: &'t str) -> Option<&'t str> {
        let (address, rest) = split_address(text)?;
        if let Some(position) = address::position_line(address) {
            if self.read_stated(line, &position).is_ok() {
                self.game.stated_part = StatedPart::Moves;
            }
        } else {
            self.left_out.add(line.spot(text));
        }
        Some(rest)
    }

    /// Reads a position, with the moves of its line. Returns the text after it; `None` for other text.
    fn read_position<'t>(&mut self, line: Line<'_>, text: &'t str) -> Option<&'t str> {
        if !begins_with_position(text) {
            return None;
        }
        let position = self.command_part(text);
        let stated = match sfen_with_white_to_move(position, text) {
            Some(whole) => self.read_stated(line, &whole).map(|_| position.len()),
            None => self.read_stated(line, position),
        };
        let (Ok(length) | Err(length)) = stated;
        // Unless a separator follows, the stated moves are all moves of the game.
        let rest = text.get(length..)?;
        if stated.is_ok()
            && self.game.builder.ply() > 0
            && !rest.starts_with([',', '、', '，', '.', '-', ' '])
        {
            self.game.stated_part = StatedPart::Moves;
        }
        Some(rest)
    }

    /// Returns a text up to the first character that a `position` command cannot have. The end is searched once for the
    /// positions of a line.
    fn command_part<'t>(&mut self, text: &'t str) -> &'t str {
        let begin = text.as_ptr() as usize;
        if !(self.command.contains(&begin) && self.command.end <= begin + text.len()) {
            self.command = begin..begin + usi::command_part(text).len();
        }
        text.get(..self.command.end - begin).unwrap_or_default()
    }

    /// Begins the game of a position with its moves. Returns the length of the text read, in bytes.
    ///
    /// # Errors
    /// Fails with the length of the text read if the text is not a position; a warning reports this.
    fn read_stated(&mut self, line: Line<'_>, text: &str) -> Result<usize, usize> {
        let mut words = usi::words(text);
        let start = usi::read_start(&mut words, line, text, self.warnings);
        let is_position = start.is_some();
        if let Some(start) = start {
            if self.game.is_begun() {
                self.begin_next_game(self.game.start.clone());
            }
            let headers = std::mem::take(&mut self.game.headers);
            self.game = ProseGame {
                headers,
                stated_part: StatedPart::Position,
                has_words: true,
                ..ProseGame::new(start)
            };
        }
        let is_move =
            |word: &&str| *word == "moves" || Move::from_usi(word).is_some() || usi::end_mark(word).is_some();
        while let Some(word) = words.next_if(is_move) {
            if word != "moves" && is_position {
                usi::play(
                    &mut self.game.builder,
                    SourceText::new(word, line.spot(word)),
                    self.warnings,
                );
            }
        }
        let length = words.peek().map_or(text.len(), |word| {
            (word.as_ptr() as usize).wrapping_sub(text.as_ptr() as usize)
        });
        if is_position { Ok(length) } else { Err(length) }
    }

    /// Returns the start of another game that begins with the move at the beginning of a text; `None` if no game begins
    /// there. The game was announced, or its first two moves fit this start and not the present game. `goes_on` is
    /// whether the move may belong to the present game.
    fn another_start(&self, text: &str, goes_on: bool) -> Option<Position> {
        if !self.game.is_begun() || (goes_on && !self.game.is_announced) {
            return None;
        }
        let starts = [self.game.named_start.as_ref(), Some(&self.game.start)]
            .into_iter()
            .flatten();
        starts
            .cloned()
            .chain([Position::startpos()])
            .find(|start| self.may_begin(text, start))
    }

    /// Returns whether the first moves of a text can be played from a start. For an announced game one move is enough.
    fn may_begin(&self, text: &str, start: &Position) -> bool {
        let Some(MoveWord {
            rest,
            mv: Some(first),
            ..
        }) = MoveWord::first(text, start, None)
        else {
            return false;
        };
        let mut position = start.clone();
        if position.play(first).is_err() {
            return false;
        }
        // A digit may be a separator or the beginning of a move, so both readings are tried.
        let between = rest
            .char_indices()
            .take(MAX_CHARS_BETWEEN_MOVES)
            .take_while(|(at, c)| *at == 0 || c.is_whitespace() || is_separator(*c));
        let rests = between.filter_map(|(at, c)| rest.get(at..).zip(rest.get(at + c.len_utf8()..)));
        let next = rests
            .flat_map(|(here, behind)| [here, behind])
            .find_map(|rest| MoveWord::first(rest, &position, Some(first.to())));
        next.map_or(self.game.is_announced, |next| next.mv.is_some())
    }

    /// Begins the game from the named handicap, if the first move of a text can be played from it. Returns whether the
    /// game was begun.
    fn begin_from_handicap(&mut self, text: &str) -> bool {
        let Some(start) = self.game.named_start.clone() else {
            return false;
        };
        let is_move = MoveWord::first(text, &start, None).is_some_and(|word| word.mv.is_some());
        if is_move {
            let headers = std::mem::take(&mut self.game.headers);
            self.game = ProseGame {
                headers,
                has_words: self.game.has_words,
                ..ProseGame::new(start)
            };
        }
        is_move
    }

    /// Returns the text after a remark in brackets; `None` if the text does not begin with one.
    fn skip_remark<'t>(&self, text: &'t str) -> Option<&'t str> {
        let open = text.chars().next()?;
        let (_, close) = BRACKETS.into_iter().find(|(known, _)| *known == open)?;
        if self.game.builder.ply() == 0 {
            return None;
        }
        let behind = text.get(open.len_utf8()..)?;
        let mut depth = 1;
        let (end, _) = behind.char_indices().take(MAX_REMARK_CHARS).find(|(_, c)| {
            depth = if *c == open {
                depth + 1
            } else {
                depth - i32::from(*c == close)
            };
            depth == 0
        })?;
        let (inside, after) = behind.split_at_checked(end)?;
        self.is_remark(inside)
            .then(|| after.get(close.len_utf8()..))
            .flatten()
    }

    /// Returns whether brackets hold moves that do not belong to the game, or other words beside moves.
    fn is_remark(&self, inside: &str) -> bool {
        let mut position = self.game.builder.now().without_history();
        let (mut prev, mut has_moves, mut has_words) = (self.game.builder.last_to(), false, false);
        let mut rest = inside;
        while let Some(first) = rest.chars().next() {
            let behind = rest.get(first.len_utf8()..).unwrap_or_default();
            if let Some(word) = MoveWord::first(rest, &position, prev) {
                let Some(mv) = word.mv.filter(|mv| position.play(*mv).is_ok()) else {
                    return true;
                };
                (prev, has_moves, rest) = (Some(mv.to()), true, word.rest);
            } else {
                has_words |= !is_number(rest.get(..first.len_utf8()).unwrap_or_default());
                rest = behind;
            }
        }
        has_moves && has_words
    }

    /// Reads the headers at the beginning of a line: players and handicap. Returns the text after them.
    fn read_headers<'t>(&mut self, line: Line<'_>, text: &'t str) -> &'t str {
        let mut rest = text;
        while let Some((key, value, after)) = split_header(rest) {
            if self.game.is_begun() {
                self.begin_next_game(self.game.start.clone());
            }
            match key {
                "手合割" => {
                    if let Some(start) = handicap::position(value) {
                        let headers = std::mem::take(&mut self.game.headers);
                        self.game = ProseGame {
                            headers,
                            ..ProseGame::new(start)
                        };
                    }
                }
                _ => self.game.uses_handicap_names |= key == "下手" || key == "上手",
            }
            self.game.headers.add(key, value, line.spot(rest), self.warnings);
            rest = after;
        }
        rest
    }

    /// Counts the words from `from` up to `rest` as skipped, unless they only number moves.
    fn leave_out(&mut self, line: Line<'_>, from: &str, rest: &str) {
        let words = from.get(..from.len() - rest.len()).unwrap_or(from);
        if !is_number(words) {
            self.left_out.add(line.spot(from));
            self.game.has_words = true;
        }
    }

    /// Ends the current game, and begins another one from `start`. It takes the end that the words before it state.
    fn begin_next_game(&mut self, start: Position) {
        let next_end = self.next_end.take();
        if let Some((_, Some(node))) = next_end {
            self.game.builder.remove_end(node);
        }
        self.end_game();
        self.next_end = next_end.map(|(mark, _)| (mark, None));
        self.game = ProseGame::new(start);
    }

    /// Ends the current game, and stores it as the last one if it has enough moves.
    fn end_game(&mut self) {
        let mut game = std::mem::replace(&mut self.game, ProseGame::new(Position::startpos()));
        if let Some((text_position, length)) = game.drop_branch() {
            self.unplayed_moves.add_at(text_position, usize::from(length));
        }
        if game.builder.is_unfinished()
            && let Some(mark) = game.head_end
        {
            game.builder
                .apply_summary(mark, SourceText::new("", TextSpot::start()), self.warnings);
        }
        let ply = game.builder.ply();
        if ply >= MIN_MOVES_AMONG_WORDS
            || ply > 0 && !game.has_words
            || matches!(game.stated_part, StatedPart::Position | StatedPart::Moves)
        {
            let mut record =
                game.builder
                    .finish(game.headers.into_list(), game.uses_handicap_names, self.warnings);
            drop_partial_times(&mut record);
            // A mail may repeat the moves of earlier mails about the same game.
            let goes_on = |last: &Record| {
                let has_moves_alone =
                    last.headers().is_empty() && last.end().is_none() && last.all().count() == last.len() + 1;
                has_moves_alone && record.len() > last.len() && record.continues(last)
            };
            if !self.last_record.as_ref().is_some_and(goes_on) {
                self.pass_on();
            }
            self.last_record = Some(record);
        }
    }

    /// Passes on the last game.
    fn pass_on(&mut self) {
        if let Some(last) = self.last_record.take()
            && self.games.has_room(TextSpot::start())
        {
            self.games.add(last);
        }
    }
}

/// Returns whether a text is a time alone, without brackets.
fn is_time(text: &str) -> bool {
    text.chars()
        .all(|c| digit(c).is_some() || ":：分秒/ ".contains(c))
}

/// Removes the times of a game unless each of its moves has one. Times that only grow are those of a clock on the wall.
fn drop_partial_times(record: &mut Record) {
    let moves: Vec<_> = record
        .main_line()
        .filter(|node| record.node(*node).mv().is_some())
        .collect();
    let times: Option<Vec<_>> = moves.iter().map(|node| record.node(*node).time.spent).collect();
    if times.is_some_and(|times| !times.is_sorted() || times.len() < 3) {
        return;
    }
    let nodes: Vec<_> = record.all().collect();
    for node in nodes {
        record.node_mut(node).time = Time::default();
    }
}

#[cfg(test)]
mod tests {
    use super::super::{ReadGames, read};

    fn games(text: &str) -> ReadGames {
        read(text.as_bytes()).unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    fn check(text: &str, expect: &[&str]) {
        let found: Vec<_> = games(text)
            .games
            .iter()
            .map(|game| game.history(usize::MAX).usi())
            .collect();
        let expect: Vec<_> = expect
            .iter()
            .map(|moves| format!("startpos moves {moves}"))
            .collect();
        assert_eq!(found, expect, "{text}");
    }

    #[test]
    fn moves_are_found_between_any_separators() {
        let all = "7g7f 3c3d 2g2f 8c8d";
        for text in [
            "▲７六歩、△３四歩、▲２六歩、△８四歩",
            "７六歩・３四歩・２六歩・８四歩",
            "７六歩→３四歩→２六歩→８四歩",
            "76歩34歩26歩84歩",
            "1. ７六歩 2. ３四歩 3. ２六歩 4. ８四歩",
            "①▲７六歩②△３四歩③▲２六歩④△８四歩",
            "(1)▲７六歩(2)△３四歩 [3]▲２六歩 [4]△８四歩",
            "１手目：７六歩 ２手目：３四歩 ３手目：２六歩 ４手目：８四歩",
            "初手から「▲７六歩 △３四歩 ▲２六歩 △８四歩」",
            "> ▲７六歩 △３四歩\n> ▲２六歩\n>> △８四歩",
            "▲７六歩\\n△３四歩\\n▲２六歩\\n△８四歩",
            "こんにちは。\n初手から▲７六歩△３四歩と進み、▲２六歩に△８四歩でした。\n-- \n山田",
            "七六歩、３四歩(33)、☗2六歩、☖八四歩",
        ] {
            check(text, &[all]);
        }
    }

    #[test]
    fn several_games_stand_one_after_the_other() {
        check(
            "第1局 ▲７六歩△３四歩▲２二角成 第2局 ▲２六歩△８四歩",
            &["7g7f 3c3d 8h2b+", "2g2f 8c8d"],
        );
        check(
            "▲７六歩、△３四歩、▲２二角成、△同銀。そして▲７六歩、△８四歩、▲６八銀。",
            &["7g7f 3c3d 8h2b+ 3a2b", "7g7f 8c8d 7i6h"],
        );
    }

    #[test]
    fn words_that_are_no_moves_are_left_out_with_a_warning() {
        let read =
            games("棋譜を送ります\n\n７6歩、三4歩(33)・☗二六歩、8四歩二五歩△85歩78金\n\niPhoneから送信");
        assert_eq!(
            read.games[0].history(usize::MAX).usi(),
            "startpos moves 7g7f 3c3d 2g2f 8c8d 2f2e 8d8e 6i7h"
        );
        let problems: Vec<_> = read
            .warnings
            .iter()
            .map(|warning| warning.problem.to_string())
            .collect();
        assert_eq!(problems, ["passages that are no moves, left out: 2"]);
    }

    #[test]
    fn names_and_ends_are_read() {
        let read = games("先手: 甲 / 後手: 乙\nよろしく。▲７六歩、△３四歩、▲２二角成、△投了");
        assert_eq!(
            (
                read.games[0].player(shogibar_shogi::Color::White),
                read.games[0].len()
            ),
            (Some("乙"), 3)
        );
        assert!(read.games[0].end().is_some());
    }

    #[test]
    fn a_text_with_a_board_is_a_record() {
        let board = format!(
            "{}| ・ ・ ・ ・ 玉 ・ ・ ・ ・|\n",
            "| ・ ・ ・ ・ ・ ・ ・ ・ ・|\n".repeat(8)
        );
        let white_first = "手合割：平手\n後手番\n";
        for (text, moves) in [
            (format!("{board}▲５八玉\n△３四歩(33)\n* a、b\n"), 1),
            (format!("{white_first}△３四歩\n▲７六銀、\n"), 1),
        ] {
            let read = games(&text);
            assert_eq!(
                (read.games[0].len(), read.format),
                (moves, super::super::Format::Ki2),
                "{text}"
            );
        }
    }

    #[test]
    fn long_texts_take_linear_time() {
        for filler in [
            "将棋の話が長く続く",
            " ",
            "▲",
            "▲ ",
            "\\",
            "先手:",
            "1",
            ".",
            "_",
            "~0.",
            "abcdefghij ",
            "handicap ",
            "2手目は",
        ] {
            let text = format!("話。▲７六歩△３四歩{}と", filler.repeat(100_000));
            assert_eq!(games(&text).games[0].len(), 2, "{filler}");
        }
    }

    #[test]
    fn a_word_that_looks_like_a_move_is_no_game() {
        for text in [
            "昨日は２六歩という本を読んだ。",
            "王手飛車取りの話",
            "図は△３四歩まで",
            "a text",
        ] {
            assert!(read(text.as_bytes()).is_err(), "{text}");
        }
    }
}
