//! KIF: headers or a diagram, then a numbered move a line with its origin and time.

mod diagram;
mod ends;
mod moves;
mod start;

use super::game::{Cut, Game, Said};
use super::record::Record;
use super::scan::{Line, Scanner, lines};
use super::time;
use super::time::Time;
use super::warning::{Problem, Tally, Warnings, quote};
use crate::shogi::{Color, Move};
use moves::{Origin, Spelled};
use start::Start;

/// Headers that only a record has.
const HEADERS: [&str; 14] = [
    "手合割",
    "先手",
    "後手",
    "下手",
    "上手",
    "開始日時",
    "終了日時",
    "対局日",
    "棋戦",
    "表題",
    "戦型",
    "持ち時間",
    "作品番号",
    "詰手数",
];

/// Whether a line is one that only KIF has: a numbered move, a move with its origin, the result.
pub(super) fn is_move_or_end(text: &str) -> bool {
    let (number, rest) = split_number(text);
    match moves::spell(&mut Scanner::new(rest)) {
        Some(spelled) => number.is_some() || spelled.origin.is_some(),
        None => number.is_some() && ends::mark(ends::first_word(rest)).is_some() || ends::is_result(text),
    }
}

/// Whether a line is one that KIF and KI2 share.
pub(super) fn is_header_or_diagram(text: &str) -> bool {
    header(text).is_some_and(|(key, _)| is_known_header(key)) || diagram::is_frame(text)
}

fn is_known_header(key: &str) -> bool {
    HEADERS.contains(&key) || key.ends_with("の持駒")
}

/// Reads a game; `None` where nothing is said of one.
pub(super) fn read(text: &str, warnings: &mut Warnings) -> Option<Record> {
    let mut reader = Reader {
        warnings,
        headers: Vec::new(),
        speaks_of_handicap: false,
        start: Start::default(),
        game: None,
        number: None,
        in_moves: false,
        in_variations: false,
        variations: Tally::default(),
        comments: Tally::default(),
        bookmarks: Tally::default(),
    };
    for line in lines(text) {
        reader.line(line);
    }
    reader.finish()
}

struct Reader<'w> {
    warnings: &'w mut Warnings,
    headers: Vec<(String, String)>,
    speaks_of_handicap: bool,
    start: Start,
    /// From the first move or end on.
    game: Option<Game>,
    /// The number of the last move in the file.
    number: Option<u32>,
    /// Whether the heading over the moves has been seen.
    in_moves: bool,
    in_variations: bool,
    variations: Tally,
    comments: Tally,
    bookmarks: Tally,
}

impl Reader<'_> {
    fn line(&mut self, line: Line<'_>) {
        let text = line.trimmed();
        let spot = line.spot(text);
        if text.starts_with("変化：") || text.starts_with("変化:") {
            self.in_variations = true;
            self.variations.add(spot);
        }
        if self.in_variations {
            return; // They come after the main line and refer back to it.
        }
        match text.chars().next() {
            None | Some('#') => {}
            Some('*') => self.comments.add(spot),
            Some('&') => self.bookmarks.add(spot),
            Some(_) if text.starts_with("手数--") => self.in_moves = true,
            Some(_) => {
                if self.game.is_some() || !self.start.line(line, text, self.warnings) {
                    self.move_or_end(line, text);
                }
            }
        }
    }

    fn move_or_end(&mut self, line: Line<'_>, text: &str) {
        let (number, rest) = split_number(text);
        let word = ends::first_word(rest);
        let mut scanner = Scanner::new(rest);
        if let Some(mark) = ends::mark(word) {
            self.count(line, text, number);
            scanner.rest = rest.get(word.len()..).unwrap_or_default();
            let time = self.tail(line, scanner);
            let said = Said { words: word, spot: line.spot(rest), time };
            let (game, warnings) = self.game();
            game.mark(mark, said, warnings);
        } else if let Some(summary) = ends::summary(text) {
            let said = Said { words: ends::without_remark(text), spot: line.spot(text), time: Time::default() };
            let (game, warnings) = self.game();
            game.sum_up(summary, said, warnings);
        } else if let Some(spelled) = moves::spell(&mut scanner).filter(|_| number.is_some() || is_move_or_end(text)) {
            self.count(line, text, number);
            let words = rest.get(..rest.len() - scanner.rest.len()).unwrap_or(rest).trim();
            let time = self.tail(line, scanner);
            self.play(spelled, Said { words, spot: line.spot(rest), time });
        } else if number.is_some() && (self.in_moves || self.game.is_some()) {
            self.count(line, text, number);
            let said = Said { words: ends::without_remark(rest), spot: line.spot(rest), time: Time::default() };
            let (game, warnings) = self.game();
            if game.goes_on(said.spot, warnings) {
                game.cut(Cut::Unreadable, said, warnings);
            }
        } else {
            self.header_or_unknown(line, text);
        }
    }

    fn header_or_unknown(&mut self, line: Line<'_>, text: &str) {
        match header(text).filter(|_| self.game.is_none()) {
            Some((key, value)) => {
                self.speaks_of_handicap |= key.starts_with("下手") || key.starts_with("上手");
                self.start.header(key, value, line.spot(text).place());
                self.headers.push((key.to_owned(), value.to_owned()));
            }
            None => self.warnings.add(line.spot(text), Problem::UnknownLine(quote(text))),
        }
    }

    /// The game, begun where it has not been, and the warnings.
    fn game(&mut self) -> (&mut Game, &mut Warnings) {
        let Self { game, start, warnings, .. } = self;
        (game.get_or_insert_with(|| Game::new(start.position(warnings))), warnings)
    }

    fn count(&mut self, line: Line<'_>, text: &str, number: Option<u32>) {
        let expected = self.number.map(|number| number.saturating_add(1));
        let found = number.or(expected).unwrap_or(1);
        if let Some(expected) = expected.filter(|expected| *expected != found) {
            self.warnings.add(line.spot(text), Problem::Number { expected, found });
        }
        self.number = Some(found);
    }

    fn play(&mut self, spelled: Spelled, said: Said<'_>) {
        let target_before = self.start.last_target();
        let (game, warnings) = self.game();
        if !game.goes_on(said.spot, warnings) {
            return;
        }
        let target = spelled.to.or_else(|| game.last_move().map(Move::to)).or(target_before);
        let mv = match (target, spelled.origin) {
            (Some(to), Some(Origin::Hand)) => Move::Drop { kind: spelled.kind, to },
            (Some(to), Some(Origin::Board(from))) => Move::Board { from, to, promote: spelled.promote },
            _ => return game.cut(Cut::Unreadable, said, warnings),
        };
        let moved = mv.from().and_then(|from| game.now().piece_on(from));
        if moved.is_some_and(|piece| piece.kind != spelled.kind && piece.color == game.now().side_to_move()) {
            warnings.add(said.spot, Problem::OtherPiece(quote(said.words)));
        }
        game.play(mv, said, warnings);
    }

    /// What follows a move or an end on its line: its time, a `+` where variations branch off.
    fn tail(&mut self, line: Line<'_>, mut scanner: Scanner<'_>) -> Time {
        let mut time = None;
        loop {
            scanner.skip_blanks();
            let spot = line.spot(scanner.rest);
            if scanner.rest.is_empty() || scanner.rest.starts_with('#') {
                return time.unwrap_or_default();
            } else if scanner.eat('(') {
                let (inside, rest) = scanner.rest.split_once([')', '）']).unwrap_or((scanner.rest, ""));
                scanner.rest = rest;
                match time::parse(inside) {
                    Some(found) => time = time.or(Some(found)),
                    None => self.warnings.add(spot, Problem::Time(quote(inside))),
                }
            } else if !scanner.eat('+') {
                self.warnings.add(spot, Problem::AfterMove(quote(scanner.rest)));
                return time.unwrap_or_default();
            }
        }
    }

    fn finish(mut self) -> Option<Record> {
        let said_in_headers = self.headers.iter().any(|(key, _)| is_known_header(key));
        let says_something = self.game.is_some() || self.in_moves || self.start.is_said() || said_in_headers;
        self.game();
        self.variations.report(self.warnings, Problem::Variations);
        self.comments.report(self.warnings, Problem::Comments);
        self.bookmarks.report(self.warnings, Problem::Bookmarks);
        let speaks_of_handicap = self.speaks_of_handicap || self.start.speaks_of_handicap();
        let game = self.game.take().unwrap_or_else(|| Game::new(self.start.position(self.warnings)));
        let record = game.finish(self.headers, speaks_of_handicap, self.warnings);
        says_something.then_some(record)
    }
}

/// The number of a move and what follows it. Digits that belong to a square are no number.
fn split_number(text: &str) -> (Option<u32>, &str) {
    let digits = |is_digit: fn(&char) -> bool| text.chars().take_while(is_digit).map(char::len_utf8).sum();
    let length: usize = match text.chars().next() {
        Some('0'..='9') => digits(char::is_ascii_digit),
        Some('０'..='９') => digits(|c| matches!(c, '０'..='９')),
        _ => return (None, text),
    };
    let Some((number, rest)) = text.split_at_checked(length) else { return (None, text) };
    let after = rest.trim_start_matches(['.', '．']).trim_start();
    let apart = after.len() < rest.len() || rest.is_empty();
    if apart || moves::spell(&mut Scanner::new(rest)).is_some() || ends::mark(ends::first_word(rest)).is_some() {
        (Scanner::new(number).number(), after)
    } else {
        (None, text)
    }
}

/// `key：value`, with either colon.
fn header(text: &str) -> Option<(&str, &str)> {
    let (key, value) = text.split_once(['：', ':'])?;
    let key = key.trim();
    (!key.is_empty()).then(|| (key, value.trim()))
}

/// The side that 先手, 後手, 下手 or 上手 at the start of a text names.
fn side(text: &str) -> Option<(Color, &str)> {
    let sides = [("先手", Color::Black), ("下手", Color::Black), ("後手", Color::White), ("上手", Color::White)];
    sides.iter().find_map(|(name, color)| Some((*color, text.strip_prefix(name)?)))
}
