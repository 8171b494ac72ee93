//! Games in prose: moves between any other words, as mails, blogs and books have them.
//!
//! One rule: from the start on, every move in the text that can be played in turn is one of the game; everything else is left out, and
//! counted. A move that can only be played from the start begins another game. So does a position, as SFEN, in a `position` line or in
//! an address. A bracket behind a move that holds other words beside moves, or moves that cannot be played, is a remark. Moves that the
//! words around them call a branch become a variation, as soon as the game goes on beside it.

mod branch;
mod words;

use super::address;
use super::board_word;
use super::builder::{Builder, SourceText};
use super::games::GameSink;
use super::handicap;
use super::headers::Headers;
use super::kif::first_mark;
use super::record::NodeId;
use super::scan::{Line, lines};
use super::usi;
use super::warning::{RecordProblem, Tally, TextPlace, Warnings};
use super::wrapping::QUOTES;
use crate::shogi::{Move, Position, SIDE_MARKS, notation};
use branch::{Branch, Sign};
use words::{MoveWord, is_number, is_separator};

/// The fewest moves of a game, where other words stand around them: one may be a word that looks like a move.
const MIN_MOVES_AMONG_WORDS: u16 = 2;

/// The most characters of a remark in brackets.
const MAX_REMARK: usize = 200;

/// The most characters of the scheme of an address.
const MAX_SCHEME: usize = 20;

/// More than the characters of a rank of a board.
const MAX_RANK: usize = 20;

/// The most characters of a board.
const MAX_BOARD: usize = 200;

/// The most characters between a move and the next one.
const MAX_BETWEEN: usize = 12;

/// The most characters of the name of a handicap.
const MAX_HANDICAP: usize = 6;

/// The most characters of the number in 第1局.
const MAX_GAME_NUMBER: usize = 5;

/// The brackets that may hold a remark.
const BRACKETS: [(char, char); 6] = [('（', '）'), ('(', ')'), ('[', ']'), ('［', '］'), ('【', '】'), ('〔', '〕')];

/// How a text fits as prose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ProseOutcome {
    /// Whether all words of moves could be played in turn.
    pub(super) is_in_turn: bool,
    /// Whether a move is written in letters, as in USI or CSA.
    pub(super) has_letters: bool,
}

/// Reads the games of a text. Returns their number.
pub(super) fn read(text: &str, games: GameSink<'_>, warnings: &mut Warnings) -> (usize, ProseOutcome) {
    let mut reader = ProseReader {
        game: ProseGame::new(Position::startpos()),
        games,
        warnings,
        left_out: Tally::default(),
        unplayed: Tally::default(),
        has_letters: false,
    };
    for line in lines(text) {
        reader.line(line);
    }
    reader.end_game();
    reader.left_out.report(reader.warnings, RecordProblem::LeftOut);
    reader.unplayed.report(reader.warnings, RecordProblem::NotInTurn);
    let outcome = ProseOutcome { is_in_turn: reader.unplayed.count() == 0, has_letters: reader.has_letters };
    (reader.games.finish(reader.warnings), outcome)
}

struct ProseReader<'w, 's> {
    game: ProseGame,
    games: GameSink<'s>,
    warnings: &'w mut Warnings,
    /// The passages that are no moves.
    left_out: Tally,
    /// The words of moves that cannot be played in turn.
    unplayed: Tally,
    has_letters: bool,
}

/// A game as far as it has been read.
struct ProseGame {
    start: Position,
    builder: Builder,
    headers: Headers,
    speaks_of_handicap: bool,
    /// The start that words name: of this game if it has no moves yet, else of the next one.
    named: Option<Position>,
    /// Whether a word says that a game begins.
    is_announced: bool,
    /// Whether other words stand around the moves.
    has_words: bool,
    stated: Statement,
    /// The node at which the moves that stand together begin.
    run: Option<NodeId>,
    /// What the words before the next move say of it.
    sign: Option<Sign>,
    branch: Option<Branch>,
}

/// What the text states of a game in the form of a `position` line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Statement {
    Nothing,
    /// Its position: it is a game without moves, too.
    Position,
    /// Its moves are complete, or there is a gap behind them: no others belong to it.
    Moves,
}

impl ProseGame {
    fn new(start: Position) -> Self {
        Self {
            builder: Builder::new(start.clone()),
            start,
            headers: Headers::default(),
            speaks_of_handicap: false,
            named: None,
            is_announced: false,
            has_words: false,
            stated: Statement::Nothing,
            run: None,
            sign: None,
            branch: None,
        }
    }

    /// Returns whether anything of the game has been read.
    fn is_begun(&self) -> bool {
        self.builder.ply() > 0 || self.stated != Statement::Nothing
    }

    /// Returns whether further moves may belong to it.
    fn is_open(&self) -> bool {
        self.stated != Statement::Moves && self.builder.is_unfinished()
    }

    /// Reads what the words at the beginning of a text say of the moves behind them.
    fn read_words(&mut self, text: &str) {
        self.run = None;
        match Sign::before(text) {
            Some(Sign::Gap) if self.builder.ply() > 0 => self.stated = Statement::Moves,
            Some(sign) => self.sign = Some(sign),
            None => {}
        }
        if self.sign == Some(Sign::Return) {
            self.end_sentence();
            self.sign = Some(Sign::Return);
        }
    }

    fn end_sentence(&mut self) {
        (self.run, self.sign) = (None, None);
        if let Some(branch) = &mut self.branch {
            branch.is_over = true;
        }
    }

    /// Begins a branch at a node.
    fn begin_branch(&mut self, from: NodeId, place: TextPlace, is_over: bool) {
        if self.branch.is_none() && from != NodeId::START {
            let here = self.builder.current_node();
            self.builder.go(from);
            let (position, last_to) = (self.builder.now().without_history(), self.builder.last_to());
            self.builder.go(here);
            self.branch = Some(Branch { from, position, last_to, place, is_over });
        } else if let Some(branch) = &mut self.branch {
            branch.is_over = is_over;
        }
    }

    /// Plays a move of the game or of a branch.
    fn play(&mut self, mv: Move, rest: &str, source: SourceText<'_>, warnings: &mut Warnings) {
        let before = self.builder.current_node();
        let place = source.spot.place();
        if self.sign.take_if(|sign| *sign == Sign::Condition).is_some() {
            self.begin_branch(before, place, false);
        }
        let record = self.builder.record();
        let known = record.children(before).find(|node| record.node(*node).mv() == Some(mv));
        let last = record.children(before).last();
        if let Some(node) = known {
            self.builder.go(node);
        } else {
            self.builder.play(mv, source, warnings);
            // What stands there already is a branch.
            self.builder.put_before(before, None, last);
        }
        let run = *self.run.get_or_insert(before);
        if let Some(sign) = Sign::behind(rest) {
            // A run that begins the game, or that goes on with it, is none of a branch as a whole.
            let is_told = run == NodeId::START || self.sign == Some(Sign::Return);
            self.begin_branch(if is_told { before } else { run }, place, sign == Sign::Remark);
        }
    }

    /// Returns whether a text begins with a move that goes on with the game beside a branch.
    fn leaves_branch(&self, text: &str, mv: Option<Move>) -> bool {
        self.branch.as_ref().filter(|branch| branch.is_over || mv.is_none()).is_some_and(|branch| {
            MoveWord::first(text, &branch.position, branch.last_to).is_some_and(|word| word.mv.is_some())
        })
    }

    /// Goes back from a branch.
    fn leave_branch(&mut self) {
        if let Some(branch) = self.branch.take() {
            self.builder.go(branch.from);
            self.run = None;
        }
    }

    /// Removes a branch that the game does not go on beside, and that is not most of it. Returns its place and the number of its moves.
    fn drop_branch(&mut self) -> Option<(TextPlace, u16)> {
        let Branch { from, place, .. } = self.branch.take()?;
        let before = self.builder.record().node(from).ply();
        let length = self.builder.ply().checked_sub(before).filter(|length| *length <= before)?;
        self.builder.go(from);
        self.builder.remove_after(from);
        Some((place, length))
    }
}

impl ProseReader<'_, '_> {
    fn line(&mut self, line: Line<'_>) {
        let text = line.trimmed().trim_start_matches(|c: char| QUOTES.contains(&c) || c.is_whitespace());
        let mut rest = self.headers(line, text);
        self.game.run = None;
        if rest.trim().is_empty() {
            self.game.end_sentence();
        }
        // Where the words that are left out begin.
        let mut left_out: Option<&str> = None;
        while let Some(first) = rest.chars().next() {
            let behind = rest.get(first.len_utf8()..).unwrap_or_default();
            let is_mark = |c: char| SIDE_MARKS.contains(&c);
            // Blanks and marks are skipped once, so that long runs of them take no time.
            if first.is_whitespace() {
                rest = rest.trim_start();
            } else if is_mark(first) && behind.starts_with(|c: char| is_mark(c) || c.is_whitespace()) {
                rest = behind;
            } else if let Some(after) = self.word(line, rest) {
                if let Some(from) = left_out.take() {
                    self.leave_out(line, from, rest);
                }
                rest = after;
            } else if let Some(after) = escaped_line_end(rest) {
                rest = after;
            } else if let Some(after) = self.remark(rest) {
                left_out.get_or_insert(rest);
                rest = after;
            } else if is_separator(first) {
                if first == '。' {
                    self.game.end_sentence();
                }
                rest = behind;
            } else {
                if !is_number(rest.get(..first.len_utf8()).unwrap_or_default()) || Sign::before(rest).is_some() {
                    self.game.read_words(rest);
                }
                let from = *left_out.get_or_insert(rest);
                self.game.is_announced |= announces_game(from, rest);
                if behind.starts_with("落ち") {
                    self.game.named = named_handicap(text, rest);
                } else if rest.starts_with(handicap::NONE) {
                    self.game.named = Some(Position::startpos());
                }
                rest = foreign_word(rest).unwrap_or(behind);
            }
        }
        if let Some(from) = left_out {
            self.leave_out(line, from, "");
        }
    }

    /// Reads a position, a move, or a word in place of one. Returns the text after it.
    fn word<'t>(&mut self, line: Line<'_>, text: &'t str) -> Option<&'t str> {
        if let Some(after) = self.address(line, text).or_else(|| self.position(line, text)) {
            return Some(after);
        }
        let builder = &self.game.builder;
        let Some(word) = MoveWord::first(text, builder.now(), builder.last_to()) else { return self.mark(line, text) };
        if word.mv.is_none() && !self.game.is_begun() && self.begins_from_handicap(text) {
            return self.word(line, text);
        }
        let mv = word.mv.filter(|_| self.game.is_open());
        if !self.game.is_announced && self.game.leaves_branch(text, mv) {
            self.game.leave_branch();
            return self.word(line, text);
        }
        // Moves behind a complete game may speak of it.
        let goes_on = mv.is_some() || word.mv.is_some() && self.game.stated == Statement::Moves;
        if let Some(start) = self.another_start(text, goes_on) {
            self.next_game(start);
            return self.word(line, text);
        }
        if let Some(mv) = mv {
            self.game.is_announced = false;
            self.has_letters |= word.words.is_ascii();
            let source = SourceText::new(word.words.trim(), line.spot(text));
            self.game.play(mv, word.rest, source, self.warnings);
        } else {
            // It stands for a move, but not in turn.
            self.unplayed.add(line.spot(text));
            self.game.has_words = true;
        }
        Some(word.rest)
    }

    /// Reads a word for the end of the game. Returns the text after it.
    fn mark<'t>(&mut self, line: Line<'_>, text: &'t str) -> Option<&'t str> {
        if self.game.builder.ply() == 0 || !self.game.is_open() {
            return None;
        }
        let (mark, words) = first_mark(end_word(text))?;
        self.game.builder.mark(mark, SourceText::new(words, line.spot(text)), self.warnings);
        text.get(words.len()..)
    }

    /// Reads the game of an address. Returns the text after the address, also if that holds none.
    fn address<'t>(&mut self, line: Line<'_>, text: &'t str) -> Option<&'t str> {
        let (address, rest) = split_address(text)?;
        if let Some(position) = address::position_line(address) {
            if self.stated(line, &position).is_ok() {
                self.game.stated = Statement::Moves;
            }
        } else {
            self.left_out.add(line.spot(text));
        }
        Some(rest)
    }

    /// Reads a position, with the moves of its line. Returns the text after it.
    fn position<'t>(&mut self, line: Line<'_>, text: &'t str) -> Option<&'t str> {
        let position = stated_position(text)?;
        let stated = self.stated(line, position);
        let (Ok(length) | Err(length)) = stated;
        // Moves that something else parts than blanks go on.
        let rest = text.get(length..)?;
        if stated.is_ok() && self.game.builder.ply() > 0 && !rest.starts_with([',', '、', '，', '.', '-', ' ']) {
            self.game.stated = Statement::Moves;
        }
        Some(rest)
    }

    /// Begins the game of a position with its moves. Returns the length of what was read.
    ///
    /// # Errors
    /// Fails with the length if it is no position, which is warned about.
    fn stated(&mut self, line: Line<'_>, text: &str) -> Result<usize, usize> {
        let mut words = usi::words(text);
        let start = usi::start(&mut words, line, text, self.warnings);
        let end = |word: &str| (word.as_ptr() as usize).wrapping_sub(text.as_ptr() as usize);
        let is_position = start.is_some();
        if let Some(start) = start {
            if self.game.is_begun() {
                self.next_game(self.game.start.clone());
            }
            let headers = std::mem::take(&mut self.game.headers);
            self.game = ProseGame { headers, stated: Statement::Position, has_words: true, ..ProseGame::new(start) };
        }
        let is_move = |word: &&str| *word == "moves" || Move::from_usi(word).is_some() || usi::mark(word).is_some();
        while let Some(word) = words.next_if(is_move) {
            if word != "moves" && is_position {
                usi::play(&mut self.game.builder, SourceText::new(word, line.spot(word)), self.warnings);
            }
        }
        let length = words.peek().map_or(text.len(), |word| end(word));
        if is_position { Ok(length) } else { Err(length) }
    }

    /// Returns the start of another game that begins with the move at the beginning of a text: it was announced, or the move can be
    /// played from there and not in this one, and so can the next one.
    fn another_start(&self, text: &str, goes_on: bool) -> Option<Position> {
        if !self.game.is_begun() || (goes_on && !self.game.is_announced) {
            return None;
        }
        let starts = [self.game.named.as_ref(), Some(&self.game.start)].into_iter().flatten();
        starts.cloned().chain([Position::startpos()]).find(|start| self.may_begin(text, start.clone()))
    }

    /// Returns whether the first moves of a text can be played from a start. Of an announced game one is enough.
    fn may_begin(&self, text: &str, mut position: Position) -> bool {
        let Some(MoveWord { rest, mv: Some(first), .. }) = MoveWord::first(text, &position, None) else { return false };
        if position.play(first).is_err() {
            return false;
        }
        // A move may begin with a digit, as numbers do.
        let is_between = |c: char| c.is_whitespace() || is_separator(c);
        let between = rest.char_indices().take(MAX_BETWEEN).take_while(|(at, c)| *at == 0 || is_between(*c));
        let places = between.filter_map(|(at, c)| rest.get(at..).zip(rest.get(at + c.len_utf8()..)));
        let next = places
            .flat_map(|(here, behind)| [here, behind])
            .find_map(|place| MoveWord::first(place, &position, Some(first.to())));
        next.map_or(self.game.is_announced, |next| next.mv.is_some())
    }

    /// Begins the game from the handicap that was named, where the move at the beginning of a text is one from there.
    fn begins_from_handicap(&mut self, text: &str) -> bool {
        let Some(start) = self.game.named.clone() else { return false };
        let is_move = MoveWord::first(text, &start, None).is_some_and(|word| word.mv.is_some());
        if is_move {
            let headers = std::mem::take(&mut self.game.headers);
            self.game = ProseGame { headers, has_words: self.game.has_words, ..ProseGame::new(start) };
        }
        is_move
    }

    /// Returns the text after a remark in brackets.
    fn remark<'t>(&self, text: &'t str) -> Option<&'t str> {
        let open = text.chars().next()?;
        let (_, close) = BRACKETS.into_iter().find(|(known, _)| *known == open)?;
        if self.game.builder.ply() == 0 {
            return None;
        }
        let behind = text.get(open.len_utf8()..)?;
        let (end, _) = behind.char_indices().take(MAX_REMARK).find(|(_, c)| *c == close)?;
        let (inside, after) = behind.split_at_checked(end)?;
        self.is_remark(inside).then(|| after.get(close.len_utf8()..)).flatten()
    }

    /// Returns whether what stands in brackets holds moves that are none of the game, or other words beside moves.
    fn is_remark(&self, inside: &str) -> bool {
        let mut position = self.game.builder.now().without_history();
        let (mut prev, mut has_moves, mut has_words) = (self.game.builder.last_to(), false, false);
        let mut rest = inside;
        while let Some(first) = rest.chars().next() {
            let behind = rest.get(first.len_utf8()..).unwrap_or_default();
            if let Some(word) = MoveWord::first(rest, &position, prev) {
                let Some(mv) = word.mv.filter(|mv| position.play(*mv).is_ok()) else { return true };
                (prev, has_moves, rest) = (Some(mv.to()), true, word.rest);
            } else {
                has_words |= !is_number(rest.get(..first.len_utf8()).unwrap_or_default());
                rest = behind;
            }
        }
        has_moves && has_words
    }

    /// Takes the names and the handicap at the beginning of a line. Returns the text after them.
    fn headers<'t>(&mut self, line: Line<'_>, text: &'t str) -> &'t str {
        let mut rest = text;
        while let Some((key, value, after)) = split_header(rest) {
            if self.game.is_begun() {
                self.next_game(self.game.start.clone());
            }
            match key {
                "手合割" => {
                    if let Some(start) = handicap::position(value) {
                        let headers = std::mem::take(&mut self.game.headers);
                        self.game = ProseGame { headers, ..ProseGame::new(start) };
                    }
                }
                _ => self.game.speaks_of_handicap |= key == "下手" || key == "上手",
            }
            self.game.headers.add(key, value, line.spot(rest), self.warnings);
            rest = after;
        }
        rest
    }

    fn leave_out(&mut self, line: Line<'_>, from: &str, rest: &str) {
        let words = from.get(..from.len() - rest.len()).unwrap_or(from);
        if !is_number(words) {
            self.left_out.add(line.spot(from));
            self.game.has_words = true;
        }
    }

    fn next_game(&mut self, start: Position) {
        self.end_game();
        self.game = ProseGame::new(start);
    }

    fn end_game(&mut self) {
        let mut game = std::mem::replace(&mut self.game, ProseGame::new(Position::startpos()));
        if let Some((place, length)) = game.drop_branch() {
            self.unplayed.add_at(place, usize::from(length));
        }
        let ply = game.builder.ply();
        if ply >= MIN_MOVES_AMONG_WORDS || ply > 0 && !game.has_words || game.stated != Statement::Nothing {
            let spot = Line { number: 1, text: "", before: 0 }.spot("");
            if self.games.has_room(spot) {
                let record = game.builder.finish(game.headers.into_list(), game.speaks_of_handicap, self.warnings);
                self.games.add(record);
            }
        }
    }
}

/// Returns whether the words at `rest`, which go on from `from`, say that a game begins: 初手, 第1局 or 1局目.
fn announces_game(from: &str, rest: &str) -> bool {
    let before = || from.get(..from.len() - rest.len()).unwrap_or_default();
    let is_numbered = || before().chars().rev().take(MAX_GAME_NUMBER).any(|c| c == '第');
    rest.starts_with("初手") || rest.starts_with("局目") || rest.starts_with('局') && is_numbered()
}

/// Returns the start of the handicap whose name ends with the first character of `rest`, which goes on from `text`, and 落ち.
fn named_handicap(text: &str, rest: &str) -> Option<Position> {
    let end = text.len() - rest.len() + rest.find("落ち")? + "落ち".len();
    let named = text.get(..end)?;
    // The longest name counts: 飛香落ち is no 香落ち.
    let starts = named.char_indices().rev().take(MAX_HANDICAP).filter_map(|(at, _)| named.get(at..));
    starts.filter_map(handicap::position).last()
}

/// Returns the text after a line end, a tabulator or a quote that is written as in source code.
fn escaped_line_end(text: &str) -> Option<&str> {
    text.strip_prefix('\\')?.strip_prefix(['n', 'r', 't', '"'])
}

/// Returns the text after a word of letters that are no move, as a whole.
fn foreign_word(text: &str) -> Option<&str> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.starts_with(|c: char| c.is_ascii_alphabetic()).then(|| text.trim_start_matches(is_part))
}

/// Splits off the address at the beginning of a text. Blanks belong to it as far as it holds a position with blanks.
fn split_address(text: &str) -> Option<(&str, &str)> {
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric();
    let scheme = text.bytes().take(MAX_SCHEME).take_while(|byte| is_letter(*byte)).count();
    let is_site =
        || ["www.", "lishogi.org/", "kento-shogi.com/", "shogidb2.com/"].iter().any(|site| text.starts_with(site));
    let has_scheme = || text.get(scheme..).is_some_and(|rest| rest.starts_with("://"));
    if !text.starts_with(|c: char| c.is_ascii_alphabetic()) || !has_scheme() && !is_site() {
        return None;
    }
    let is_part = |c: char| c.is_ascii_graphic() && !"\"<>`|\\^".contains(c);
    let end = |is_part: &dyn Fn(char) -> bool| text.find(|c| !is_part(c)).unwrap_or(text.len());
    let (word, line) = (end(&is_part), end(&|c| is_part(c) || c == ' '));
    let holds_blanks = text
        .get(word..)
        .is_some_and(|rest| ["sfen ", "b ", "w "].iter().any(|field| rest.trim_start().starts_with(field)));
    let (address, rest) = text.split_at_checked(if holds_blanks { line } else { word })?;
    let kept = address.trim_end_matches([')', '.', ',', ';', ']', '\'', ' ']);
    Some((kept, rest))
}

/// Returns the part of a text that a position may begin: up to the first character that it cannot have.
fn stated_position(text: &str) -> Option<&str> {
    let may_be_rank = || text.bytes().take(MAX_RANK).any(|byte| byte == b'/');
    let is_command = || ["position", "sfen", "startpos"].iter().any(|word| text.starts_with(word));
    if !text.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '+') || !is_command() && !may_be_rank() {
        return None;
    }
    let end = text.bytes().take(MAX_BOARD).position(|byte| matches!(byte, b' ' | b'_' | b'\t') || !byte.is_ascii());
    let board = text.get(..end.unwrap_or_else(|| text.len().min(MAX_BOARD)))?;
    if matches!(board, "position" | "sfen" | "startpos") {
        return Some(usi::command_part(text)).filter(|part| usi::is_usi(part));
    }
    (board_word::is_board(board) || board_word::has_even_ranks(board))
        .then(|| usi::command_part(text))
        .filter(|part| usi::is_usi(part))
}

/// The most characters of a word for the end of a game.
const END_WORD: usize = 8;

/// Returns the word at the beginning of a text, as far as it may be one for the end of a game.
fn end_word(text: &str) -> &str {
    let ends = |(nth, (_, c)): &(usize, (usize, char))| *nth == END_WORD || c.is_whitespace() || is_separator(*c);
    let end = text.char_indices().enumerate().find(ends).map_or(text.len(), |(_, (at, _))| at);
    text.get(..end).unwrap_or_default()
}

/// The keys of headers that are read.
pub(super) const KEYS: [&str; 5] = ["先手", "後手", "下手", "上手", "手合割"];

/// The most characters of a value in which the next header is looked for.
const MAX_VALUE: usize = 200;

/// Splits off a header, which ends before the next one on its line. Returns key, value and the rest.
fn split_header(text: &str) -> Option<(&'static str, &str, &str)> {
    let text = text.trim_start_matches(|c: char| c.is_whitespace() || "/／、,・▲△☗☖".contains(c));
    let key = KEYS.into_iter().find(|key| text.starts_with(key))?;
    let value = text.strip_prefix(key)?.trim_start().strip_prefix([':', '：'])?;
    let window = value.char_indices().nth(MAX_VALUE).and_then(|(end, _)| value.get(..end)).unwrap_or(value);
    let begins = |key: &&str| [':', '：'].into_iter().filter_map(|colon| window.find(&format!("{key}{colon}"))).min();
    let end = KEYS.iter().filter_map(begins).chain(window.find("手数--")).min();
    let end = first_move(window.get(..end.unwrap_or(window.len())).unwrap_or_default()).or(end);
    let (value, rest) = value.split_at_checked(end.unwrap_or(value.len()))?;
    let value = value.trim_matches(|c: char| c.is_whitespace() || "/／、,・▲△☗☖".contains(c));
    (!value.is_empty() || rest.is_empty()).then_some((key, value, rest))
}

/// Returns whether a header's value is a move.
pub(super) fn is_move(value: &str) -> bool {
    first_move(value) == Some(0)
}

/// Returns whether a line has a move of the usual position.
pub(super) fn has_move(line: &str) -> bool {
    first_move(line).is_some()
}

/// Returns where the first move begins in a value, with its number, at the front or behind a blank or a mark.
fn first_move(value: &str) -> Option<usize> {
    let position = Position::startpos();
    let is_move = |(at, _): &(usize, char)| {
        let (before, rest) = value.split_at_checked(*at).unwrap_or_default();
        let is_apart = before.chars().next_back().is_none_or(|c| !c.is_alphanumeric());
        is_apart && notation::read_first(rest, &position, None).is_some()
    };
    let (at, _) = value.char_indices().find(is_move)?;
    Some(value.get(..at)?.trim_end_matches(|c: char| c.is_numeric() || c.is_whitespace()).len())
}

#[cfg(test)]
mod tests {
    use super::super::{ReadGames, read};

    fn games(text: &str) -> ReadGames {
        read(text.as_bytes()).unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    fn check(text: &str, expect: &[&str]) {
        let found: Vec<_> = games(text).games.iter().map(|game| game.history(usize::MAX).usi()).collect();
        let expect: Vec<_> = expect.iter().map(|moves| format!("startpos moves {moves}")).collect();
        assert_eq!(found, expect, "{text}");
    }

    #[test]
    fn moves_are_found_whatever_parts_them() {
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
        check("第1局 ▲７六歩△３四歩▲２二角成 第2局 ▲２六歩△８四歩", &["7g7f 3c3d 8h2b+", "2g2f 8c8d"]);
        check(
            "▲７六歩、△３四歩、▲２二角成、△同銀。そして▲７六歩、△８四歩、▲６八銀。",
            &["7g7f 3c3d 8h2b+ 3a2b", "7g7f 8c8d 7i6h"],
        );
    }

    #[test]
    fn what_is_no_move_is_left_out_and_said() {
        let read = games("棋譜を送ります\n\n７6歩、三4歩(33)・☗二六歩、8四歩二五歩△85歩78金\n\niPhoneから送信");
        assert_eq!(read.games[0].history(usize::MAX).usi(), "startpos moves 7g7f 3c3d 2g2f 8c8d 2f2e 8d8e 6i7h");
        let said: Vec<_> = read.warnings.iter().map(|warning| warning.problem.to_string()).collect();
        assert_eq!(said, ["passages that are no moves, left out: 2"]);
    }

    #[test]
    fn names_and_ends_are_read() {
        let read = games("先手: 甲 / 後手: 乙\nよろしく。▲７六歩、△３四歩、▲２二角成、△投了");
        assert_eq!((read.games[0].player(crate::shogi::Color::White), read.games[0].len()), (Some("乙"), 3));
        assert!(read.games[0].end().is_some());
    }

    #[test]
    fn a_text_with_a_board_is_a_record() {
        let board = format!("{}| ・ ・ ・ ・ 玉 ・ ・ ・ ・|\n", "| ・ ・ ・ ・ ・ ・ ・ ・ ・|\n".repeat(8));
        let turned = "手合割：平手\n後手番\n";
        for (text, moves) in
            [(format!("{board}▲５八玉\n△３四歩(33)\n* a、b\n"), 1), (format!("{turned}△３四歩\n▲７六銀、\n"), 1)]
        {
            let read = games(&text);
            assert_eq!((read.games[0].len(), read.format), (moves, super::super::Format::Ki2), "{text}");
        }
    }

    #[test]
    fn long_texts_take_linear_time() {
        for filler in ["将棋の話が長く続く", " ", "▲", "▲ ", "\\", "先手:"] {
            let text = format!("話。▲７六歩△３四歩{}と", filler.repeat(100_000));
            assert_eq!(games(&text).games[0].len(), 2, "{filler}");
        }
    }

    #[test]
    fn a_word_that_looks_like_a_move_is_no_game() {
        for text in ["昨日は２六歩という本を読んだ。", "王手飛車取りの話", "図は△３四歩まで", "a text"]
        {
            assert!(read(text.as_bytes()).is_err(), "{text}");
        }
    }
}
