//! CSA: a statement a line, or several between commas; from V1 to V3.

mod start;

use super::end::{Mark, Reason, Verdict};
use super::game::{Cut, Game, Said};
use super::record::Record;
use super::scan::{Line, lines};
use super::time;
use super::time::{Millis, Time};
use super::warning::{Problem, Tally, Warnings, quote};
use crate::shogi::{Color, Move, PieceKind, Square};
use start::Start;

/// End marks. What they say is of the side whose turn it is.
const MARKS: [(&str, Reason, Verdict); 15] = [
    ("TORYO", Reason::Resignation, Verdict::MoverLoses),
    ("TSUMI", Reason::Checkmate, Verdict::MoverLoses),
    ("TIME_UP", Reason::TimeUp, Verdict::MoverLoses),
    ("ILLEGAL_MOVE", Reason::Foul, Verdict::MoverLoses),
    ("+ILLEGAL_ACTION", Reason::Foul, Verdict::Winner(Color::White)),
    ("-ILLEGAL_ACTION", Reason::Foul, Verdict::Winner(Color::Black)),
    ("KACHI", Reason::Declaration, Verdict::MoverWins),
    ("HIKIWAKE", Reason::Declaration, Verdict::Draw),
    ("SENNICHITE", Reason::Repetition, Verdict::Draw),
    ("JISHOGI", Reason::Impasse, Verdict::Draw),
    ("MAX_MOVES", Reason::MaxMoves, Verdict::Draw),
    ("CHUDAN", Reason::Interruption, Verdict::Open),
    ("FUZUMI", Reason::NoMate, Verdict::Open),
    ("MATTA", Reason::Other, Verdict::Open),
    ("ERROR", Reason::Other, Verdict::Open),
];

/// What a server writes after a game, for those of its words that tell an end on their own.
const SERVER_MARKS: [(&str, &str); 4] =
    [("#RESIGN", "TORYO"), ("#TIME_UP", "TIME_UP"), ("#ILLEGAL_MOVE", "ILLEGAL_MOVE"), ("#SENNICHITE", "SENNICHITE")];

/// Headers that KIF has as well, under its name.
const HEADERS: [(&str, &str); 6] = [
    ("EVENT", "棋戦"),
    ("SITE", "場所"),
    ("START_TIME", "開始日時"),
    ("END_TIME", "終了日時"),
    ("TIME_LIMIT", "持ち時間"),
    ("OPENING", "戦型"),
];

/// Whether a line is one that only CSA has: a version, a position, a move, an end.
pub(super) fn is_statement(text: &str) -> bool {
    let first = text.split(',').next().unwrap_or_default().trim_end();
    match first.as_bytes() {
        [b'V', b'1'..=b'9', rest @ ..] => rest.iter().all(|byte| *byte == b'.' || byte.is_ascii_digit()),
        [b'P', ..] => start::is_statement(first),
        [b'+' | b'-', ..] => first.get(1..).and_then(spell).is_some(),
        [b'%', ..] => first.get(1..).and_then(mark).is_some(),
        _ => false,
    }
}

/// The kind of a line that CSA has, and other texts as well: a name, a header, whose turn it is.
pub(super) fn header_kind(text: &str) -> Option<&str> {
    match text.as_bytes() {
        [b'N', b'+' | b'-', ..] => text.get(..2),
        [b'+' | b'-'] => Some(text),
        [b'$', b'A'..=b'Z', ..] => text.split_once(':').map(|(key, _)| key),
        _ => None,
    }
}

/// The end that a word behind `%` means.
fn mark(word: &str) -> Option<Mark> {
    MARKS.iter().find(|(known, ..)| *known == word).map(|(_, reason, verdict)| Mark::new(*reason, *verdict))
}

/// Reads a game; `None` where nothing is said of one.
pub(super) fn read(text: &str, warnings: &mut Warnings) -> Option<Record> {
    let mut reader = Reader {
        warnings,
        headers: Vec::new(),
        start: Start::default(),
        game: None,
        has_ended: false,
        further_games: Tally::default(),
        comments: Tally::default(),
    };
    for line in lines(text) {
        reader.line(line);
    }
    reader.finish()
}

struct Reader<'w> {
    warnings: &'w mut Warnings,
    headers: Vec<(String, String)>,
    start: Start,
    /// From the first move or end on.
    game: Option<Game>,
    /// Whether a line that parts games has been seen.
    has_ended: bool,
    further_games: Tally,
    comments: Tally,
}

impl Reader<'_> {
    fn line(&mut self, line: Line<'_>) {
        let text = line.trimmed();
        if text == "/" {
            self.has_ended = true;
            self.further_games.add(line.spot(text));
        }
        if self.has_ended {
            return;
        }
        match text.chars().next() {
            None => {}
            // `** 30 -3334FU` without its apostrophe is found in logs.
            Some('\'' | '*') => self.comments.add(line.spot(text)),
            Some('N' | '$' | '#' | 'V') => self.statement(line, text),
            Some(_) => {
                for statement in text.split(',') {
                    self.statement(line, statement.trim());
                }
            }
        }
    }

    fn statement(&mut self, line: Line<'_>, text: &str) {
        let spot = line.spot(text);
        let Some((sign, rest)) = text.chars().next().zip(text.get(1..)) else {
            if !text.is_empty() {
                self.warnings.add(spot, Problem::UnknownLine(quote(text)));
            }
            return;
        };
        match sign {
            'V' if rest.starts_with(|c: char| c.is_ascii_digit()) => {}
            '\'' => self.comments.add(spot),
            '$' => self.header(line, text),
            'N' if rest.starts_with(['+', '-']) => self.header(line, text),
            'P' if self.game.is_none() => self.start.pieces(line, rest, self.warnings),
            '+' | '-' if rest.is_empty() => {
                if self.game.is_none() {
                    self.start.turn = color(sign);
                }
            }
            '+' | '-' => self.play(sign, rest, Said { words: text, spot, time: Time::default() }),
            'T' => self.time(line, text, rest),
            '%' => self.end(rest, Said { words: text, spot, time: Time::default() }),
            '#' => self.server(line, text),
            _ => self.warnings.add(spot, Problem::UnknownLine(quote(text))),
        }
    }

    fn header(&mut self, line: Line<'_>, text: &str) {
        let (key, value) = match text.strip_prefix('$').and_then(|text| text.split_once(':')) {
            Some((key, value)) => (HEADERS.iter().find(|(csa, _)| *csa == key).map_or(key, |(_, kif)| kif), value),
            None if text.starts_with("N+") => ("先手", text.get(2..).unwrap_or_default()),
            None if text.starts_with("N-") => ("後手", text.get(2..).unwrap_or_default()),
            None => return self.warnings.add(line.spot(text), Problem::UnknownLine(quote(text))),
        };
        self.headers.push((key.to_owned(), value.trim().to_owned()));
    }

    /// The game, begun where it has not been, and the warnings.
    fn game(&mut self, first: Option<Color>) -> (&mut Game, &mut Warnings) {
        let Self { game, start, warnings, .. } = self;
        (game.get_or_insert_with(|| Game::new(start.position(first))), warnings)
    }

    fn play(&mut self, sign: char, words: &str, said: Said<'_>) {
        let side = color(sign);
        let (game, warnings) = self.game(side);
        if !game.goes_on(said.spot, warnings) {
            return;
        }
        let Some(spelled) = spell(words) else { return game.cut(Cut::Unreadable, said, warnings) };
        if side != Some(game.now().side_to_move()) {
            warnings.add(said.spot, Problem::WrongSign(quote(said.words)));
        }
        let (to, kind) = (spelled.to, spelled.kind);
        let Some(from) = spelled.from else { return game.play(Move::Drop { kind, to }, said, warnings) };
        let before = game.now().piece_on(from).map(|piece| piece.kind);
        let promote = kind.is_promoted() && before.is_some_and(|before| !before.is_promoted());
        let after = before.map(|before| if promote { before.promoted().unwrap_or(before) } else { before });
        if after.is_some_and(|after| after != kind) {
            warnings.add(said.spot, Problem::OtherPiece(quote(said.words)));
        }
        game.play(Move::Board { from, to, promote }, said, warnings);
    }

    fn time(&mut self, line: Line<'_>, text: &str, digits: &str) {
        let spent: Option<Millis> = time::seconds(digits);
        if spent.is_none() {
            self.warnings.add(line.spot(text), Problem::Time(quote(text)));
        }
        if let Some(time) = self.game.as_mut().and_then(Game::last_time) {
            time.spent = time.spent.or(spent);
        }
    }

    fn end(&mut self, word: &str, said: Said<'_>) {
        let known = mark(word);
        let (game, warnings) = self.game(None);
        if known.is_none() {
            warnings.add(said.spot, Problem::UnknownLine(quote(said.words)));
        }
        game.mark(known.unwrap_or(Mark::new(Reason::Other, Verdict::Open)), said, warnings);
    }

    /// A server's last lines. They mostly repeat the end mark.
    fn server(&mut self, line: Line<'_>, text: &str) {
        let known = SERVER_MARKS.iter().find(|(word, _)| text == *word);
        if let Some((_, word)) = known.filter(|_| self.game.as_ref().is_some_and(Game::is_unfinished)) {
            self.end(word, Said { words: text, spot: line.spot(text), time: Time::default() });
        }
    }

    fn finish(mut self) -> Option<Record> {
        let says_something = self.game.is_some() || self.start.is_said() || !self.headers.is_empty();
        self.further_games.report(self.warnings, Problem::Games);
        self.comments.report(self.warnings, Problem::Comments);
        let game = self.game.take().unwrap_or_else(|| Game::new(self.start.position(None)));
        let record = game.finish(self.headers, false, self.warnings);
        says_something.then_some(record)
    }
}

/// A move's words, not yet put on a board.
struct Spelled {
    /// `None` is the hand.
    from: Option<Square>,
    to: Square,
    /// The piece after the move.
    kind: PieceKind,
}

/// `7776FU` without its sign.
fn spell(text: &str) -> Option<Spelled> {
    let (squares, piece) = text.split_at_checked(4)?;
    let (from, to) = squares.split_at_checked(2)?;
    let from = if from == "00" { None } else { Some(square(from)?) };
    Some(Spelled { from, to: square(to)?, kind: PieceKind::from_csa(piece)? })
}

/// Two digits.
fn square(text: &str) -> Option<Square> {
    match *text.as_bytes() {
        [file @ b'1'..=b'9', rank @ b'1'..=b'9'] => Square::new(file - b'0', rank - b'0'),
        _ => None,
    }
}

const fn color(sign: char) -> Option<Color> {
    match sign {
        '+' => Some(Color::Black),
        '-' => Some(Color::White),
        _ => None,
    }
}
