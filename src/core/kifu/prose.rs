//! Games in prose: moves between any other words, as mails, blogs and books have them.
//!
//! One rule: from the start on, every move in the text that can be played in turn is one of the game; everything else is left out, and
//! counted. A move that can only be played from the start begins another game.

use super::builder::{Builder, SourceText};
use super::games::GameSink;
use super::handicap;
use super::headers::Headers;
use super::kif::{self, first_mark};
use super::record::Record;
use super::scan::{Line, lines};
use super::warning::{RecordProblem, Tally, Warnings};
use crate::shogi::{Color, Move, Position, SIDE_MARKS, Square, notation};

/// The fewest moves of a game, where other words stand around them: one may be a word that looks like a move.
const LEAST: u16 = 2;

/// What parts moves, beside blanks and digits.
const SEPARATORS: &str = "、・，,／/→⇒>＞.．。:：;；「」『』()（）[]［］【】〔〕<>＜＞-－―—–*＊|｜~〜+";

/// What begins a quoted line of a mail.
const QUOTES: [char; 2] = ['>', '＞'];

/// What a text has that may be prose, and a record has not: a sign or the second number between moves of a line.
const SIGNS: [&str; 10] = ["\\n", "、", "→", "，", "・", "②", "2.", "(2)", "「", "手目"];

/// The longest text that is read twice, in bytes.
const MAX_TWICE: usize = 1 << 20;

/// Returns whether prose is a better reading of a text that looks like KIF or KI2: as such it has hardly a move, and as prose more,
/// all in turn.
pub(super) fn reads_more(text: &str) -> bool {
    if text.len() > MAX_TWICE || text.contains("手数--") || !SIGNS.iter().any(|sign| text.contains(sign)) {
        return false;
    }
    let (mut strict, mut is_record, mut warnings) = (0, false, Warnings::default());
    let mut count = |game: Record| {
        strict += game.len();
        // Prose has no other headers, and no board.
        is_record |= game.headers().iter().any(|(key, _)| !KEYS.contains(&key.as_str()));
        is_record |= handicap::name(game.start()).is_none();
    };
    kif::read(text, true, GameSink::new(&mut count, |_| None), &mut warnings);
    is_record |= warnings.has_all_moves() && !warnings.has_losses();
    if is_record || strict > usize::from(LEAST) {
        return false;
    }
    let (mut loose, mut warnings) = (0, Warnings::default());
    let mut count = |game: Record| loose += game.len();
    let mut reader = ProseReader::new(GameSink::new(&mut count, |_| None), &mut warnings);
    reader.text(text);
    let is_in_turn = reader.unplayed.count() == 0;
    reader.games.finish(reader.warnings);
    is_in_turn && loose > strict
}

/// Reads the games of a text. Returns their number.
pub(super) fn read(text: &str, games: GameSink<'_>, warnings: &mut Warnings) -> usize {
    let mut reader = ProseReader::new(games, warnings);
    reader.text(text);
    reader.left_out.report(reader.warnings, RecordProblem::LeftOut);
    reader.unplayed.report(reader.warnings, RecordProblem::NotInTurn);
    reader.games.finish(reader.warnings)
}

struct ProseReader<'w, 's> {
    game: ProseGame,
    games: GameSink<'s>,
    warnings: &'w mut Warnings,
    /// The passages that are no moves.
    left_out: Tally,
    /// The words of moves that cannot be played in turn.
    unplayed: Tally,
}

/// A game as far as it has been read.
struct ProseGame {
    start: Position,
    builder: Builder,
    headers: Headers,
    speaks_of_handicap: bool,
    /// Whether a word says that a game begins.
    is_announced: bool,
    /// Whether other words stand around the moves.
    has_words: bool,
}

impl ProseGame {
    fn new(start: Position) -> Self {
        Self {
            builder: Builder::new(start.clone()),
            start,
            headers: Headers::default(),
            speaks_of_handicap: false,
            is_announced: false,
            has_words: false,
        }
    }
}

/// A word of the text that may be a move.
struct MoveWord<'t> {
    /// The word, with its mark.
    words: &'t str,
    /// The text after it.
    rest: &'t str,
}

impl<'t> MoveWord<'t> {
    /// Returns the move at the beginning of a text, whether it can be played or not.
    fn first(text: &'t str, position: &Position, prev: Option<Square>) -> Option<(Self, Option<Move>)> {
        let (read, rest) = notation::read_first(text, position, prev)?;
        let words = text.get(..text.len() - rest.len())?;
        let fits_sign = match words.chars().next() {
            Some('▲' | '☗') => position.side_to_move() == Color::Black,
            Some('△' | '☖') => position.side_to_move() == Color::White,
            _ => true,
        };
        let mv = read.ok().filter(|mv| fits_sign && position.is_legal(*mv));
        Some((Self { words, rest }, mv))
    }
}

impl<'w, 's> ProseReader<'w, 's> {
    fn new(games: GameSink<'s>, warnings: &'w mut Warnings) -> Self {
        let game = ProseGame::new(Position::startpos());
        Self { game, games, warnings, left_out: Tally::default(), unplayed: Tally::default() }
    }

    fn text(&mut self, text: &str) {
        for line in lines(text) {
            self.line(line);
        }
        self.end_game();
    }

    fn line(&mut self, line: Line<'_>) {
        let text = line.trimmed().trim_start_matches(|c: char| QUOTES.contains(&c) || c.is_whitespace());
        let mut rest = self.headers(line, text);
        // Where the words that are left out begin.
        let mut left_out: Option<&str> = None;
        while let Some(first) = rest.chars().next() {
            // Blanks and marks are skipped once, so that long runs of them take no time.
            if first.is_whitespace() {
                rest = rest.trim_start();
                continue;
            }
            let second = rest.get(first.len_utf8()..).and_then(|rest| rest.chars().next());
            let is_mark = |c: char| SIDE_MARKS.contains(&c);
            if is_mark(first) && second.is_some_and(|c| is_mark(c) || c.is_whitespace()) {
                rest = rest.get(first.len_utf8()..).unwrap_or_default();
                continue;
            }
            if let Some(after) = self.word(line, rest) {
                if let Some(from) = left_out.take() {
                    self.leave_out(line, from, rest);
                }
                rest = after;
                continue;
            }
            let after = rest.get(first.len_utf8()..).unwrap_or_default();
            let is_separator = first.is_numeric() || SEPARATORS.contains(first);
            // Line ends and the like, written as they are in source code.
            let escaped = if first == '\\' { after.strip_prefix(['n', 'r', 't']) } else { None };
            if escaped.is_none() && !is_separator {
                left_out.get_or_insert(rest);
            }
            rest = escaped.unwrap_or(after);
        }
        if let Some(from) = left_out {
            self.leave_out(line, from, "");
        }
    }

    /// Reads a move, or a word in place of one. Returns the text after it.
    fn word<'t>(&mut self, line: Line<'_>, text: &'t str) -> Option<&'t str> {
        let builder = &self.game.builder;
        let found = MoveWord::first(text, builder.now(), builder.last_to());
        let Some((word, mv)) = found else {
            let is_possible = self.game.builder.ply() > 0 && self.game.builder.is_unfinished();
            let (mark, words) = first_mark(end_word(text)).filter(|_| is_possible)?;
            self.game.builder.mark(mark, SourceText::new(words, line.spot(text)), self.warnings);
            return text.get(words.len()..);
        };
        let mv = mv.filter(|_| self.game.builder.is_unfinished());
        if self.begins_anew(text, mv) {
            self.next_game();
            return self.word(line, text);
        }
        if let Some(mv) = mv {
            self.game.is_announced = false;
            self.game.builder.play(mv, SourceText::new(word.words.trim(), line.spot(text)), self.warnings);
        } else {
            // It stands for a move, but not in turn.
            self.unplayed.add(line.spot(text));
            self.game.has_words = true;
        }
        Some(word.rest)
    }

    /// Returns whether another game begins with the move at the beginning of a text, which is `mv` in this one: it was announced, or
    /// the move can be played from the start alone, and so can the next one.
    fn begins_anew(&self, text: &str, mv: Option<Move>) -> bool {
        if self.game.builder.ply() == 0 || (mv.is_some() && !self.game.is_announced) {
            return false;
        }
        let mut position = self.game.start.clone();
        let Some((word, Some(first))) = MoveWord::first(text, &position, None) else { return false };
        if position.play(first).is_err() {
            return false;
        }
        let next =
            word.rest.trim_start_matches(|c: char| c.is_whitespace() || c.is_numeric() || SEPARATORS.contains(c));
        // A move may begin with the digits that were skipped.
        let next = MoveWord::first(word.rest, &position, Some(first.to()))
            .or_else(|| MoveWord::first(next, &position, Some(first.to())));
        next.is_none_or(|(_, mv)| mv.is_some())
    }

    /// Takes the names and the handicap at the beginning of a line. Returns the text after them.
    fn headers<'t>(&mut self, line: Line<'_>, text: &'t str) -> &'t str {
        let mut rest = text;
        while let Some((key, value, after)) = split_header(rest) {
            if self.game.builder.ply() > 0 {
                self.next_game();
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
        self.game.is_announced |= words.contains("初手") || words.contains('局') && words.contains('第');
        // Words that only number the moves.
        let is_number =
            words.chars().all(|c| "手目第初からまで以下".contains(c) || c.is_numeric() || c.is_whitespace());
        if !is_number {
            self.left_out.add(line.spot(from));
            self.game.has_words = true;
        }
    }

    fn next_game(&mut self) {
        let start = self.game.start.clone();
        self.end_game();
        self.game = ProseGame::new(start);
    }

    fn end_game(&mut self) {
        let game = std::mem::replace(&mut self.game, ProseGame::new(Position::startpos()));
        let ply = game.builder.ply();
        if ply >= LEAST || ply > 0 && !game.has_words {
            let record = game.builder.finish(game.headers.into_list(), game.speaks_of_handicap, self.warnings);
            self.games.add(record);
        }
    }
}

/// The most characters of a word for the end of a game.
const END_WORD: usize = 8;

/// Returns the word at the beginning of a text, as far as it may be one for the end of a game.
fn end_word(text: &str) -> &str {
    let ends =
        |(nth, (_, c)): &(usize, (usize, char))| *nth == END_WORD || c.is_whitespace() || SEPARATORS.contains(*c);
    let end = text.char_indices().enumerate().find(ends).map_or(text.len(), |(_, (at, _))| at);
    text.get(..end).unwrap_or_default()
}

/// The keys of headers that are read.
const KEYS: [&str; 5] = ["先手", "後手", "下手", "上手", "手合割"];

/// The most characters of a value in which the next header is looked for.
const MAX_VALUE: usize = 200;

/// Splits off a header, which ends before the next one on its line. Returns key, value and the rest.
fn split_header(text: &str) -> Option<(&'static str, &str, &str)> {
    let text = text.trim_start_matches(|c: char| c.is_whitespace() || "/／、,・▲△☗☖".contains(c));
    let key = KEYS.into_iter().find(|key| text.starts_with(key))?;
    let value = text.strip_prefix(key)?.trim_start().strip_prefix([':', '：'])?;
    let window = value.char_indices().nth(MAX_VALUE).and_then(|(end, _)| value.get(..end)).unwrap_or(value);
    let begins = |key: &&str| [':', '：'].into_iter().filter_map(|colon| window.find(&format!("{key}{colon}"))).min();
    let end = KEYS.iter().filter_map(begins).min();
    let (value, rest) = value.split_at_checked(end.unwrap_or(value.len()))?;
    let value = value.trim_matches(|c: char| c.is_whitespace() || "/／、,・▲△☗☖".contains(c));
    (!kif::is_line_of_moves(value)).then_some((key, value, rest))
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
        for (text, moves) in [(format!("{board}▲５八玉\n△３四歩(33)\n* a、b\n"), 1), (format!("{turned}△３四歩\n▲７六銀、\n"), 1)]
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
