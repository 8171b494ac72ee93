//! KIF and KI2: headers or a diagram, then a numbered move a line with its origin and time, or moves as
//! people write them; then the variations.

mod diagram;
mod draw;
mod ends;
mod fit;
mod header;
mod ki2;
mod lost_line_ends;
mod moves;
mod start;
#[cfg(test)]
mod tests;
mod write;

pub(super) use fit::{Flavour, describe, held, is_drawn, name_start, spelled, times_end};
pub(super) use header::is_plain as is_plain_header;

pub(super) use write::{bod, write};

use super::builder::{Builder, CutReason, GameDraft, SourceText};
use super::games::GameSink;
use super::record::Notes;
use super::scan::{Line, Scanner, TextSpot, lines};
use super::time;
use super::time::Time;
use super::warning::{RecordProblem, Tally, Warnings, quote};
use crate::shogi::{Color, Move, notation};
use moves::{KifMove, MoveOrigin};
use start::KifStart;

/// Whether a line is one that only KIF has: a numbered move, a move with its origin, the result.
pub(super) fn is_move_or_end(text: &str) -> bool {
    let (number, rest) = split_number(text);
    match moves::spell(&mut Scanner::new(rest)) {
        Some(spelled) => number.is_some() || matches!(spelled.origin, Some(MoveOrigin::Board(_))),
        None => number.is_some() && ends::first_mark(rest).is_some() || ends::is_result(text),
    }
}

/// Whether a line is a header, of whatever key.
pub(super) fn is_header(text: &str) -> bool {
    header::read(text).is_some()
}

/// Whether a line begins like one of KI2, and is no header.
pub(super) fn is_line_of_moves(text: &str) -> bool {
    ki2::is_ki2(text) && header::read(text).is_none()
}

/// Whether a line is one that KIF and KI2 share.
pub(super) fn is_header_or_diagram(text: &str) -> bool {
    header::read(text).is_some_and(|(key, _)| header::is_known(key)) || diagram::is_frame(text)
}

/// Reads the games of a text in KIF or KI2, and gives how many there are. A text that is `promised` to be a record
/// is one also if it has only headers that nobody knows.
pub(super) fn read(text: &str, promised: bool, games: GameSink<'_>, warnings: &mut Warnings) -> usize {
    let mut reader = KifReader { warnings, promised, game: KifGame::default(), games, skipped: Tally::default() };
    for line in lines(text) {
        reader.line(line);
    }
    reader.read_waiting(None);
    reader.end_game();
    reader.skipped.report(reader.warnings, RecordProblem::NoPlaceFor);
    reader.games.finish(reader.warnings)
}

struct KifReader<'w, 's, 't> {
    warnings: &'w mut Warnings,
    promised: bool,
    game: KifGame<'t>,
    games: GameSink<'s>,
    /// Lines of variations without a place to branch off.
    skipped: Tally,
}

/// A game as far as it has been read.
#[derive(Default)]
struct KifGame<'t> {
    headers: Vec<(String, String)>,
    speaks_of_handicap: bool,
    start: KifStart,
    draft: GameDraft,
    /// What the file adds to the count of moves.
    base: u32,
    /// The number of the last move in the file.
    number: Option<u32>,
    /// Whether the heading over the moves has been seen.
    in_moves: bool,
    branching: Branching,
    /// Moves that stand behind a header on its line, until the next line shows what they are.
    waiting: Option<(Line<'t>, &'t str)>,
}

/// Where we are among the lines of a game.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Branching {
    /// In a line.
    #[default]
    No,
    /// A variation has been named, and not begun.
    Named,
    /// A variation has been named that has no place to branch off.
    Lost,
}

impl<'t> KifReader<'_, '_, 't> {
    fn line(&mut self, line: Line<'t>) {
        let text = line.trimmed();
        if !text.is_empty() {
            self.read_waiting(Some(text));
            self.parts(line, text);
        }
    }

    /// Reads a line, and those behind it whose line ends were lost.
    fn parts(&mut self, line: Line<'t>, text: &'t str) {
        let mut rest = Some(text);
        while let Some(text) = rest {
            rest = self.part(line, text);
        }
    }

    /// Reads a line, and gives what else stands there.
    fn part(&mut self, line: Line<'t>, text: &'t str) -> Option<&'t str> {
        let first = text.chars().next()?;
        if let Some(number) = text.strip_prefix("変化：").or_else(|| text.strip_prefix("変化:")) {
            return self.variation(line, text, number);
        }
        if self.game.branching == Branching::Lost {
            self.skipped.add(line.spot(text));
            return None;
        }
        // The end of a comment belongs to it, be it blank.
        let whole = line.from(text);
        let after = whole.get(first.len_utf8()..).unwrap_or_default();
        match first {
            '*' => Notes::add(&mut self.game.draft.notes().comment, after),
            '&' => Notes::add(&mut self.game.draft.notes().bookmark, after),
            '#' if self.is_at_the_top(line) && header::is_signature(text) => {}
            '#' => Notes::add(&mut self.game.draft.notes().remark, after),
            _ if lost_line_ends::is_heading(text) => {
                self.next_game_if_begun(line.spot(text));
                self.game.in_moves = true;
                return lost_line_ends::behind_heading(text);
            }
            _ if self.game.draft.is_begun() => return self.move_or_end(line, text),
            _ => {
                let (own, rest) = lost_line_ends::split_start(text);
                if self.game.start.line(line, own, self.warnings) {
                    return self.now_or_later(line, rest);
                }
                return self.move_or_end(line, text);
            }
        }
        None
    }

    /// Whether nothing of a game stands above a line, which is one of the first.
    fn is_at_the_top(&self, line: Line<'_>) -> bool {
        let KifGame { headers, draft, in_moves, .. } = &self.game;
        line.number <= 3 && headers.is_empty() && !in_moves && !draft.is_begun()
    }

    /// Goes to where `変化：12手` branches off.
    fn variation(&mut self, line: Line<'_>, text: &str, number: &'t str) -> Option<&'t str> {
        let mut scanner = Scanner::new(number.trim_start());
        let number = scanner.number();
        let ply = number.and_then(|number| self.ply_before(number));
        let (builder, warnings) = self.builder();
        let found = ply.is_some_and(|ply| builder.branch(ply));
        if !found {
            warnings.add(line.spot(text), RecordProblem::NoBranch(quote(text)));
        }
        self.game.branching = if found { Branching::Named } else { Branching::Lost };
        self.game.number = number.map(|number| number.saturating_sub(1));
        scanner.eat('手');
        number.and_then(|_| lost_line_ends::not_a_remark(scanner.rest))
    }

    /// How many moves come before the one that the file gives a number.
    fn ply_before(&self, number: u32) -> Option<usize> {
        usize::try_from(number.checked_sub(self.game.base)?.checked_sub(1)?).ok()
    }

    /// Reads a line that is no comment, and gives what else stands there.
    fn move_or_end(&mut self, line: Line<'t>, text: &'t str) -> Option<&'t str> {
        let (number, rest) = split_number(text);
        let mut scanner = Scanner::new(rest);
        let spelled = number.and_then(|_| moves::spell(&mut scanner));
        let is_of_ki2 = |spelled: KifMove| !matches!(spelled.origin, Some(MoveOrigin::Board(_)));
        if spelled.is_some_and(is_of_ki2) && lost_line_ends::is_marked_move(ki2::behind_times(scanner.rest)) {
            self.several(line, rest, number);
        } else if let Some(spelled) = spelled {
            self.count(line, text, number);
            let words = rest.get(..rest.len() - scanner.rest.len()).unwrap_or(rest).trim();
            let (time, remark) = self.tail(line, scanner);
            self.play(spelled, SourceText { words, spot: line.spot(rest), time });
            self.remark(remark);
        } else if let Some((mark, word)) = ends::first_mark(rest) {
            self.count(line, text, number);
            scanner.rest = rest.get(word.len()..).unwrap_or_default();
            let (time, remark) = self.tail(line, scanner);
            let said = SourceText { words: word, spot: line.spot(rest), time };
            let (builder, warnings) = self.builder();
            builder.mark(mark, said, warnings);
            self.remark(remark);
        } else if text.starts_with("まで") {
            let (sentence, rest) = lost_line_ends::split(text);
            self.sum_up(line, sentence);
            return rest;
        } else if number.is_some() && (self.game.in_moves || self.game.draft.is_begun()) {
            self.count(line, text, number);
            let words = rest.split([' ', '　', '#']).next().unwrap_or_default().trim_end_matches('+');
            scanner.rest = rest.get(words.len()..).unwrap_or_default();
            let (time, remark) = self.tail(line, scanner);
            self.unreadable(SourceText { words, spot: line.spot(rest), time });
            self.remark(remark);
        } else if self.is_line_of_ki2(text) {
            self.several(line, text, None);
        } else {
            return self.header_or_unknown(line, text);
        }
        None
    }

    /// Takes in `まで114手で後手の勝ち`.
    fn sum_up(&mut self, line: Line<'_>, text: &str) {
        let Some(summary) = ends::summary(text) else { return };
        let said = SourceText { words: ends::sentence_of(text), spot: line.spot(text), time: Time::default() };
        let (builder, warnings) = self.builder();
        let read = builder.moves_said();
        if let Some(said_total) = ends::total(text).filter(|total| *total != read) {
            warnings.add(said.spot, RecordProblem::Total { said: said_total, read });
        }
        builder.sum_up(summary, said, warnings);
    }

    fn unreadable(&mut self, said: SourceText<'_>) {
        let (builder, warnings) = self.builder();
        if builder.goes_on(said.spot, warnings) {
            let cut = if ends::is_word(said.words) { CutReason::UnknownWord } else { CutReason::Unreadable };
            builder.cut(cut, said, warnings);
        }
    }

    fn header_or_unknown(&mut self, line: Line<'t>, text: &'t str) -> Option<&'t str> {
        let header = header::read(text);
        let begins_a_game = header.is_some_and(|(key, _)| header::begins_a_game(key));
        if begins_a_game {
            self.next_game_if_begun(line.spot(text));
        }
        // Below the heading of the moves, an unknown key is rather a move that was damaged.
        let is_among_moves = self.game.draft.is_begun() || self.game.in_moves && !begins_a_game;
        let Some((key, value)) = header.filter(|_| !is_among_moves) else {
            self.warnings.add(line.spot(text), RecordProblem::UnknownLine(quote(text)));
            return None;
        };
        let (value, rest) = self.value_and_rest(line, key, value);
        let game = &mut self.game;
        game.speaks_of_handicap |= key.starts_with("下手") || key.starts_with("上手");
        game.start.header(key, value, line.spot(text).place());
        game.headers.push((key.to_owned(), value.to_owned()));
        rest
    }

    /// The game, begun where it has not been, and the warnings.
    fn builder(&mut self) -> (&mut Builder, &mut Warnings) {
        let Self { game: KifGame { draft, start, .. }, warnings, .. } = self;
        (draft.begin(|| start.position(warnings)), warnings)
    }

    fn count(&mut self, line: Line<'_>, text: &str, number: Option<u32>) {
        let expected = self.game.number.map(|number| number.saturating_add(1));
        let found = number.or(expected).unwrap_or(1);
        let before = std::mem::take(&mut self.game.branching);
        match expected {
            Some(expected) if expected != found => {
                self.warnings.add(line.spot(text), RecordProblem::Number { expected, found });
                // The number of the move was counted, the one over the variation written by hand.
                if let Some(ply) = self.ply_before(found).filter(|_| before == Branching::Named) {
                    self.builder().0.branch(ply);
                }
            }
            Some(_) => {}
            None => {
                self.game.base = found.saturating_sub(1);
                let first = u32::from(self.builder().0.now().move_number().max(1));
                if found != 1 && found != first {
                    self.warnings.add(line.spot(text), RecordProblem::Number { expected: first, found });
                }
            }
        }
        self.game.number = Some(found);
    }

    fn play(&mut self, spelled: KifMove, said: SourceText<'_>) {
        let target_before = self.game.start.last_target();
        let (builder, warnings) = self.builder();
        if !builder.goes_on(said.spot, warnings) {
            return;
        }
        let prev = builder.last_to().or(target_before);
        let Some(mv) = spelled.in_full(prev) else {
            let read = notation::read(said.words, builder.now(), prev);
            return play_words(builder, &read, said, warnings);
        };
        let moved = mv.from().and_then(|from| builder.now().piece_on(from));
        if moved.is_some_and(|piece| piece.kind != spelled.kind && piece.color == builder.now().side_to_move()) {
            warnings.add(said.spot, RecordProblem::OtherPiece(quote(said.words)));
        }
        builder.play(mv, said, warnings);
    }

    /// What follows a move or an end on its line: its time, a `+` where variations branch off, a remark.
    fn tail<'l>(&mut self, line: Line<'l>, mut scanner: Scanner<'l>) -> (Time, Option<&'l str>) {
        let mut time = None;
        loop {
            scanner.skip_blanks();
            let spot = line.spot(scanner.rest);
            if scanner.rest.is_empty() || scanner.rest.starts_with('#') {
                return (time.unwrap_or_default(), scanner.rest.strip_prefix('#'));
            } else if scanner.eat('(') {
                let mut inside = scanner;
                let found = time::read(&mut inside).filter(|_| inside.eat(')'));
                if found.is_none() {
                    let (inside, rest) = scanner.rest.split_once([')', '）']).unwrap_or((scanner.rest, ""));
                    scanner.rest = rest;
                    self.warnings.add(spot, RecordProblem::Time(quote(inside)));
                } else {
                    scanner = inside;
                    time = time.or(found);
                }
            } else if !scanner.eat('+') {
                self.warnings.add(spot, RecordProblem::AfterMove(quote(scanner.rest)));
                return (time.unwrap_or_default(), None);
            }
        }
    }

    fn remark(&mut self, remark: Option<&str>) {
        if let Some(remark) = remark {
            Notes::add(&mut self.game.draft.notes().remark, remark);
        }
    }

    /// Ends the game where its moves have begun: another one follows.
    fn next_game_if_begun(&mut self, spot: TextSpot<'_>) {
        if !self.game.draft.is_begun() {
            return;
        }
        if self.games.has_room(spot) {
            self.end_game();
        } else {
            self.game = KifGame::default();
        }
    }

    fn end_game(&mut self) {
        let is_known = |(key, _): &(String, String)| self.promised || header::is_known(key);
        let said_in_headers = self.game.headers.iter().any(is_known);
        let is_begun = self.game.draft.is_begun() || self.game.in_moves;
        let says_something = is_begun || self.game.start.is_said() || said_in_headers;
        self.builder();
        let game = std::mem::take(&mut self.game);
        let speaks_of_handicap = game.speaks_of_handicap || game.start.speaks_of_handicap();
        if let Some(builder) = game.draft.into_builder().filter(|_| says_something) {
            self.games.add(builder.finish(game.headers, speaks_of_handicap, self.warnings));
        }
    }
}

/// Plays a move that was read from its words.
fn play_words(
    builder: &mut Builder,
    read: &Result<Move, notation::MoveReadError>,
    said: SourceText<'_>,
    warnings: &mut Warnings,
) {
    match read {
        Ok(mv) => builder.play(*mv, said, warnings),
        Err(error) => builder.cut(error.into(), said, warnings),
    }
}

/// The number of a move and what follows it. Digits that belong to a square are no number.
fn split_number(text: &str) -> (Option<u32>, &str) {
    let length = match text.chars().next() {
        Some('0'..='9') => text.bytes().take_while(u8::is_ascii_digit).count(),
        Some('０'..='９') => text.chars().take_while(|c| matches!(c, '０'..='９')).map(char::len_utf8).sum(),
        _ => return split_number_in_words(text).map_or((None, text), |(number, rest)| (Some(number), rest)),
    };
    let Some((number, rest)) = text.split_at_checked(length) else { return (None, text) };
    let mut after = Scanner::new(rest);
    while after.eat('.') {}
    after.skip_blanks();
    let apart = after.rest.len() < rest.len() || rest.is_empty();
    if apart || moves::spell(&mut Scanner::new(rest)).is_some() || ends::first_mark(rest).is_some() {
        return (Scanner::new(number).number(), after.rest);
    }
    // `1：７六歩`, which is no header.
    let behind = rest.strip_prefix([':', '：', ')', '）', '、']).map(str::trim_start).unwrap_or_default();
    match moves::spell(&mut Scanner::new(behind)) {
        Some(_) => (Scanner::new(number).number(), behind),
        None => split_number_in_words(text).map_or((None, text), |(number, rest)| (Some(number), rest)),
    }
}

/// The number of a move in words, and the move: `第1手：▲７六歩`, `１手目 ▲７六歩`, `手数：1 ７六歩(77)`.
fn split_number_in_words(text: &str) -> Option<(u32, &str)> {
    let heading = text.strip_prefix("手数").and_then(|rest| rest.strip_prefix([':', '：']));
    let mut scanner = Scanner::new(heading.or_else(|| text.strip_prefix('第')).unwrap_or(text));
    scanner.skip_blanks();
    let number = scanner.number()?;
    scanner.skip_blanks();
    if scanner.eat('手') {
        scanner.eat('目');
        scanner.rest = scanner.rest.trim_start_matches([':', '：', '、', '.']);
    } else if heading.is_none() {
        return None;
    }
    scanner.skip_blanks();
    let rest = scanner.rest;
    moves::spell(&mut Scanner::new(rest)).map(|_| (number, rest))
}

/// Whether a line is a move with its number before it.
fn is_numbered_move(text: &str) -> bool {
    let (number, rest) = split_number(text);
    number.is_some() && moves::spell(&mut Scanner::new(rest)).is_some()
}

/// The side that 先手, 後手, 下手 or 上手 at the start of a text names.
fn side(text: &str) -> Option<(Color, &str)> {
    let sides = [("先手", Color::Black), ("下手", Color::Black), ("後手", Color::White), ("上手", Color::White)];
    sides.iter().find_map(|(name, color)| Some((*color, text.strip_prefix(name)?)))
}
