//! KIF and KI2: headers or a diagram, then the moves, then the variations. KIF has one numbered move per line with
//! origin and time. KI2 has moves in common Japanese notation.

mod diagram;
mod draw;
mod ends;
mod fit;
pub(super) mod format;
mod header;
mod ki2;
mod lost_line_ends;
mod move_line;
mod moves;
mod start;
#[cfg(test)]
mod tests;
mod write;

pub(super) use ends::{first_mark, is_result, parse_summary, winner_mark};
pub(super) use fit::{Flavour, describe, parse_unplayed_move};
pub(super) use lost_line_ends::{is_plain_header, stands_before_moves, with_lost_line_ends};
use write::{write, write_bod};

use super::builder::{Builder, CutReason, GameDraft, SourceText};
use super::games::{Extent, GameSink};
use super::headers::Headers;
use super::record::Notes;
use super::scan::{Line, Scanner, lines};
use super::time;
use super::time::Time;
use super::warning::{RecordProblem, Tally, Warnings, quote};
use moves::{KifMove, MoveOrigin};
use shogibar_shogi::{Color, Position, notation};
use start::KifStart;

/// Returns whether a line is specific to KIF: a numbered move or end mark, a move with its origin, or a result.
pub(super) fn is_move_or_end(text: &str) -> bool {
    let (number, rest) = split_number(text);
    match moves::parse_move(&mut Scanner::new(rest)) {
        Some(spelled) => number.is_some() || matches!(spelled.origin, Some(MoveOrigin::Board(_))),
        None => ends_a_game(text),
    }
}

pub(super) fn ends_a_game(text: &str) -> bool {
    let (number, rest) = split_number(text);
    number.is_some() && ends::first_mark(rest).is_some() || ends::is_result(text)
}

/// Returns whether a line is a header with any key.
pub(super) fn is_header(text: &str) -> bool {
    header::read(text).is_some()
}

/// Returns whether a line begins like a KI2 line and is not a header.
pub(super) fn is_line_of_moves(text: &str) -> bool {
    move_line::is_ki2(text) && header::read(text).is_none()
}

/// Returns whether a line is one that KIF and KI2 share: a known header, or a line of a drawn board.
pub(super) fn is_header_or_diagram(text: &str) -> bool {
    header::read(text).is_some_and(|(key, _)| header::is_known(key)) || diagram::is_frame(text)
}

/// Returns whether a line without a move is a part of a record: of its start, the heading of a variation, or an end.
pub(super) fn is_part_of_record(text: &str) -> bool {
    start::is_described_by(text) || text.starts_with("変化") || ends::first_mark(text).is_some()
}

/// Returns whether a line belongs to a drawn board.
pub(super) fn is_frame(text: &str) -> bool {
    diagram::is_frame(text)
}

/// Returns whether a text has the heading above the moves, alone on its line.
pub(super) fn has_heading(text: &str) -> bool {
    text.lines()
        .any(|line| line.starts_with("手数--") && !line.contains('('))
}

/// Returns the key of a header; `None` for another line.
pub(super) fn header_key(text: &str) -> Option<&str> {
    header::read(text).map(|(key, _)| key)
}

/// Returns whether a line is a comment, a remark or a bookmark.
pub(super) fn is_comment(text: &str) -> bool {
    text.starts_with(['*', '#', '&'])
}

pub(super) fn has_frame(text: &str) -> bool {
    text.lines().any(|line| is_frame(line.trim()))
}

/// Returns whether the text after `#` is a remark, not the first line of a KIF file.
pub(super) fn is_remark(text: &str) -> bool {
    !text.starts_with(header::VERSION_PREFIX)
}

/// Reads the games of a KIF or KI2 text. Returns their number. With `is_known_record`, unknown headers alone are enough
/// for a game.
pub(super) fn read(text: &str, is_known_record: bool, games: GameSink<'_>, warnings: &mut Warnings) -> usize {
    let reader = KifReader::new(text, games, warnings);
    KifReader {
        is_known_record,
        ..reader
    }
    .read()
}

/// A reader of KIF and KI2 games.
struct KifReader<'w, 's, 't> {
    text: &'t str,
    warnings: &'w mut Warnings,
    /// Whether unknown headers alone are enough for a game.
    is_known_record: bool,
    extent: Extent,
    game: KifGame<'t>,
    games: GameSink<'s>,
    /// The skipped lines of variations without a branch point.
    skipped_lines: Tally,
}

/// A game as far as it has been read.
#[derive(Default)]
struct KifGame<'t> {
    /// The text from the first line of the game on.
    text: &'t str,
    /// The start from which the moves are to be tried; `None` for the stated start.
    tried_start: Option<Position>,
    headers: Headers,
    /// Whether a header calls a side 下手 or 上手.
    uses_handicap_names: bool,
    start: KifStart,
    draft: GameDraft,
    /// The number of moves that the file counts before its first move.
    number_offset: u32,
    /// The number of the last move, as the file counts; `None` before the first move.
    number: Option<u32>,
    /// Whether the heading of the move list has been read.
    is_in_moves: bool,
    branching: Branching,
    /// Moves after a header on the same line. The next line decides their meaning.
    deferred_moves: Option<(Line<'t>, &'t str)>,
}

/// The state of the reader regarding variations.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Branching {
    /// Among the moves of a line.
    #[default]
    InLine,
    /// At a variation heading; no move has followed.
    AtHeading,
    /// Inside a variation without a branch point.
    WithoutBranchPoint,
}

impl<'w, 's, 't> KifReader<'w, 's, 't> {
    fn new(text: &'t str, games: GameSink<'s>, warnings: &'w mut Warnings) -> Self {
        let game = KifGame {
            text,
            ..KifGame::default()
        };
        Self {
            text,
            warnings,
            is_known_record: false,
            extent: Extent::AllGames,
            game,
            games,
            skipped_lines: Tally::default(),
        }
    }

    /// Reads the text. Returns the number of games.
    fn read(mut self) -> usize {
        self.read_lines();
        self.end_game();
        self.skipped_lines
            .report(self.warnings, RecordProblem::LinesWithoutBranchPoint);
        self.games.finish(self.warnings)
    }

    /// Reads the first game of a text from a start; `None` if there is none. The warnings are passed to `warnings`.
    fn first_game(text: &str, start: &Position, warnings: &mut Warnings) -> Option<Builder> {
        let mut ignore = |_| {};
        let mut reader = KifReader::new(text, GameSink::new(&mut ignore, |_| None), warnings);
        reader.extent = Extent::FirstGame;
        reader.game.tried_start = Some(start.clone());
        reader.read_lines();
        reader.game.draft.into_builder()
    }

    /// Reads the lines of the text, or those of its first game.
    fn read_lines(&mut self) {
        for line in lines(self.text) {
            self.read_line(line);
            if self.extent == Extent::Done {
                return;
            }
        }
        self.read_deferred(None);
    }

    /// Reads a line, after the deferred moves of an earlier line.
    fn read_line(&mut self, line: Line<'t>) {
        let text = line.trimmed();
        if !text.is_empty() {
            self.read_deferred(Some(text));
            self.read_parts(line, text);
        }
    }

    /// Reads a line, which contains several lines if line ends were lost.
    fn read_parts(&mut self, line: Line<'t>, text: &'t str) {
        let mut rest = Some(text);
        while self.extent != Extent::Done
            && let Some(text) = rest
        {
            rest = self.read_part(line, text);
        }
    }

    /// Reads the first line of `text`. Returns the rest of the text; `None` if nothing follows.
    fn read_part(&mut self, line: Line<'t>, text: &'t str) -> Option<&'t str> {
        let first = text.chars().next()?;
        if let Some(number) = text.strip_prefix("変化：").or_else(|| text.strip_prefix("変化:")) {
            return self.go_to_variation(line, text, number);
        }
        if text.strip_prefix('#').is_some_and(|text| !is_remark(text))
            && (self.game.is_in_moves || self.game.draft.is_begun())
        {
            // The first line of a file after moves: several files were joined to one.
            self.begin_next_game(line, text);
            return None;
        }
        if self.game.branching == Branching::WithoutBranchPoint {
            self.skipped_lines.add(line.spot(text));
            return None;
        }
        // Trailing blanks belong to a comment.
        let whole = line.text_from(text);
        let after = whole.get(first.len_utf8()..).unwrap_or_default();
        match first {
            '*' => Notes::add(&mut self.game.draft.notes().comment, after),
            '&' => Notes::add(&mut self.game.draft.notes().bookmark, after),
            '#' if self.is_at_the_top(line) && header::is_signature(text) => {}
            '#' => Notes::add(&mut self.game.draft.notes().remark, after),
            _ if lost_line_ends::is_heading(text) => {
                self.begin_next_game_if_begun(line, text);
                self.game.is_in_moves = true;
                return lost_line_ends::after_heading(text);
            }
            _ if self.game.draft.is_begun() => return self.read_move_or_end(line, text),
            _ => {
                let (start, rest) = lost_line_ends::split_start(text);
                if self.game.start.read_line(line, start, self.warnings) {
                    return self.defer_moves(line, rest);
                }
                return self.read_move_or_end(line, text);
            }
        }
        None
    }

    /// Returns whether a line is one of the first three, with no content of the game above it.
    fn is_at_the_top(&self, line: Line<'_>) -> bool {
        let KifGame {
            headers,
            draft,
            is_in_moves: in_moves,
            ..
        } = &self.game;
        line.number <= 3 && headers.is_empty() && !in_moves && !draft.is_begun()
    }

    /// Goes to the branch point of `変化：12手`. Returns the text after it on the line, unless that is a remark.
    fn go_to_variation(&mut self, line: Line<'_>, text: &str, number: &'t str) -> Option<&'t str> {
        let mut scanner = Scanner::new(number.trim_start());
        let number = scanner.number();
        let ply = number.and_then(|number| self.ply_before(number));
        let (builder, warnings) = self.builder();
        let found = ply.is_some_and(|ply| builder.branch(ply));
        if !found {
            warnings.add(line.spot(text), RecordProblem::NoBranchPoint(quote(text)));
        }
        self.game.branching = if found {
            Branching::AtHeading
        } else {
            Branching::WithoutBranchPoint
        };
        self.game.number = number.map(|number| number.saturating_sub(1));
        scanner.eat('手');
        number.and_then(|_| lost_line_ends::not_a_remark(scanner.rest))
    }

    /// Returns the number of moves before the move with this number in the file.
    fn ply_before(&self, number: u32) -> Option<usize> {
        usize::try_from(number.checked_sub(self.game.number_offset)?.checked_sub(1)?).ok()
    }

    /// Reads a line that is not a comment. Returns the rest of the text; `None` if nothing follows.
    fn read_move_or_end(&mut self, line: Line<'t>, text: &'t str) -> Option<&'t str> {
        let (number, rest) = split_number(text);
        let mut scanner = Scanner::new(rest);
        let spelled = number.and_then(|_| moves::parse_move(&mut scanner));
        let behind = move_line::after_times(scanner.rest);
        let goes_on = lost_line_ends::is_marked_move(behind) || ends::first_mark(behind).is_some();
        if spelled.is_some_and(|spelled| !matches!(spelled.origin, Some(MoveOrigin::Board(_)))) && goes_on {
            self.read_moves(line, rest, number);
        } else if let Some(spelled) = spelled {
            self.check_number(line, text, number);
            let words = rest.get(..rest.len() - scanner.rest.len()).unwrap_or(rest).trim();
            let (time, remark) = self.read_tail(line, scanner);
            self.play(
                spelled,
                SourceText {
                    words,
                    spot: line.spot(rest),
                    time,
                },
            );
            self.add_remark(remark);
        } else if let Some((mark, word)) = ends::first_mark(rest) {
            self.check_number(line, text, number);
            scanner.rest = rest.get(word.len()..).unwrap_or_default();
            let (time, remark) = self.read_tail(line, scanner);
            let source = SourceText {
                words: word,
                spot: line.spot(rest),
                time,
            };
            let (builder, warnings) = self.builder();
            builder.apply_mark(mark, source, warnings);
            self.add_remark(remark);
        } else if text.starts_with("まで") {
            let (sentence, rest) = lost_line_ends::split(text);
            self.apply_summary(line, sentence);
            return rest;
        } else if number.is_some() && (self.game.is_in_moves || self.game.draft.is_begun()) {
            self.check_number(line, text, number);
            let words = rest
                .split([' ', '　', '#'])
                .next()
                .unwrap_or_default()
                .trim_end_matches('+');
            scanner.rest = rest.get(words.len()..).unwrap_or_default();
            let (time, remark) = self.read_tail(line, scanner);
            self.cut_unreadable(SourceText {
                words,
                spot: line.spot(rest),
                time,
            });
            self.add_remark(remark);
        } else if self.is_line_of_ki2(text) {
            self.read_moves(line, text, None);
        } else {
            return self.read_header_or_unknown(line, text);
        }
        None
    }

    /// Applies a summary like `まで114手で後手の勝ち`.
    fn apply_summary(&mut self, line: Line<'_>, text: &str) {
        let Some(summary) = ends::parse_summary(text) else {
            return;
        };
        let source = SourceText::new(ends::sentence_of(text), line.spot(text));
        let (builder, warnings) = self.builder();
        let read = builder.stated_ply();
        if let Some(stated_total) = ends::stated_move_count(text).filter(|total| *total != read) {
            warnings.add(
                source.spot,
                RecordProblem::MoveCount {
                    stated: stated_total,
                    read,
                },
            );
        }
        builder.apply_summary(summary, source, warnings);
    }

    /// Ends the line with words that are neither a move nor a known end.
    fn cut_unreadable(&mut self, source: SourceText<'_>) {
        let (builder, warnings) = self.builder();
        if builder.can_continue(source.spot, warnings) {
            let cut = if ends::is_word(source.words) {
                CutReason::UnknownWord
            } else {
                CutReason::Unreadable
            };
            builder.cut(cut, source, warnings);
        }
    }

    /// Reads a header. Another line becomes a warning. Returns the moves after the key or value, if there are any.
    fn read_header_or_unknown(&mut self, line: Line<'t>, text: &'t str) -> Option<&'t str> {
        let (heading, text) = lost_line_ends::split_heading(text);
        if let Some(heading) = heading {
            self.warnings
                .add(line.spot(heading), RecordProblem::UnknownLine(quote(heading)));
        }
        let header = header::read(text);
        if let Some((key, moves)) = header
            && lost_line_ends::stands_before_moves(key)
            && lost_line_ends::is_marked_move(moves)
            && !self.game.text.contains("手数--")
            && !has_frame(self.game.text)
        {
            return Some(moves);
        }
        let begins_a_game = header.is_some_and(|(key, _)| header::begins_a_game(key));
        if begins_a_game {
            self.begin_next_game_if_begun(line, text);
        }
        // Below the heading of the moves, an unknown key is more likely a damaged move.
        let is_among_moves = self.game.draft.is_begun() || self.game.is_in_moves && !begins_a_game;
        let (key, value) = match header {
            Some(header) if !is_among_moves => header,
            _ => {
                self.warnings
                    .add(line.spot(text), RecordProblem::UnknownLine(quote(text)));
                return None;
            }
        };
        if lost_line_ends::is_behind_a_move(key) {
            self.warnings
                .add(line.spot(text), RecordProblem::UnknownLine(quote(key)));
        }
        let (value, rest) = self.value_and_rest(line, key, value);
        let game = &mut self.game;
        game.uses_handicap_names |= key.starts_with("下手") || key.starts_with("上手");
        game.start.read_header(key, value, line.spot(text), self.warnings);
        game.headers.add(key, value, line.spot(text), self.warnings);
        rest
    }

    /// Returns the builder and the warnings. Begins the game if necessary.
    fn builder(&mut self) -> (&mut Builder, &mut Warnings) {
        let Self {
            game:
                KifGame {
                    text,
                    tried_start,
                    draft,
                    start,
                    ..
                },
            warnings,
            ..
        } = self;
        (
            draft.begin(|| {
                tried_start.take().unwrap_or_else(|| {
                    start.position(warnings, |start, warnings| {
                        KifReader::first_game(text, start, warnings)
                    })
                })
            }),
            warnings,
        )
    }

    /// Checks and stores the number of a move; without one, counts on from the last number.
    fn check_number(&mut self, line: Line<'_>, text: &str, number: Option<u32>) {
        let expected = self.game.number.map(|number| number.saturating_add(1));
        let found = number.or(expected).unwrap_or(1);
        let before = std::mem::take(&mut self.game.branching);
        match expected {
            Some(expected) if expected != found => {
                self.warnings
                    .add(line.spot(text), RecordProblem::MoveNumber { expected, found });
                // The number in the variation heading may be written by hand, whereas programs number the moves. So the
                // variation begins at the number of its first move.
                if before == Branching::AtHeading
                    && let Some(ply) = self.ply_before(found)
                {
                    self.builder().0.branch(ply);
                }
            }
            Some(_) => {}
            None => {
                self.game.number_offset = found.saturating_sub(1);
                let first = u32::from(self.builder().0.now().move_number().max(1));
                if found != 1 && found != first {
                    self.warnings.add(
                        line.spot(text),
                        RecordProblem::MoveNumber {
                            expected: first,
                            found,
                        },
                    );
                }
            }
        }
        self.game.number = Some(found);
    }

    /// Plays the move that `source` states.
    fn play(&mut self, spelled: KifMove, source: SourceText<'_>) {
        let target_before = self.game.start.last_target();
        let (builder, warnings) = self.builder();
        if !builder.can_continue(source.spot, warnings) {
            return;
        }
        let prev = builder.last_to().or(target_before);
        let Some(mv) = spelled.resolve(prev) else {
            let read = notation::read(source.words, builder.now(), prev);
            return builder.play_read(read.map_err(CutReason::from), source, warnings);
        };
        let moved = mv.from().and_then(|from| builder.now().piece_on(from));
        if moved
            .is_some_and(|piece| piece.kind != spelled.kind && piece.color == builder.now().side_to_move())
        {
            warnings.add(source.spot, RecordProblem::OtherPiece(quote(source.words)));
        }
        builder.play(mv, source, warnings);
    }

    /// Reads the rest of a move or end line: a time, a `+` at a branch, a remark. Returns time and remark.
    fn read_tail<'l>(&mut self, line: Line<'l>, mut scanner: Scanner<'l>) -> (Time, Option<&'l str>) {
        let mut time = None;
        loop {
            scanner.skip_blanks();
            let spot = line.spot(scanner.rest);
            if scanner.rest.is_empty() || scanner.rest.starts_with('#') {
                return (time.unwrap_or_default(), scanner.rest.strip_prefix('#'));
            } else if scanner.eat('(') {
                let mut inside = scanner;
                let found = time::read(&mut inside);
                let found = if inside.eat(')') { found } else { None };
                if found.is_some() && time == found {
                    scanner = inside;
                } else if found.is_some() && time.is_some() {
                    let words = scanner
                        .rest
                        .split_once([')', '）'])
                        .map_or(scanner.rest, |(words, _)| words);
                    self.warnings
                        .add(spot, RecordProblem::SecondTime(quote(words.trim())));
                    scanner = inside;
                } else if found.is_none() {
                    let (inside, rest) = scanner.rest.split_once([')', '）']).unwrap_or((scanner.rest, ""));
                    scanner.rest = rest;
                    self.warnings.add(spot, RecordProblem::InvalidTime(quote(inside)));
                } else {
                    scanner = inside;
                    time = found;
                }
            } else if time.is_none()
                && let Some((bare, rest)) = time::split_cell(scanner.rest)
            {
                (time, scanner.rest) = (Some(bare), rest);
            } else if !scanner.eat('+') {
                self.warnings
                    .add(spot, RecordProblem::TextAfterMove(quote(scanner.rest)));
                return (time.unwrap_or_default(), None);
            }
        }
    }

    fn add_remark(&mut self, remark: Option<&str>) {
        if let Some(remark) = remark {
            Notes::add(&mut self.game.draft.notes().remark, remark);
        }
    }

    /// Ends the game if its moves have begun, because another one follows.
    fn begin_next_game_if_begun(&mut self, line: Line<'t>, text: &str) {
        if self.game.draft.is_begun() {
            self.begin_next_game(line, text);
        }
    }

    /// Ends the game. A reader of only the first game is then done.
    fn begin_next_game(&mut self, line: Line<'t>, text: &str) {
        if self.extent == Extent::FirstGame {
            self.extent = Extent::Done;
            return;
        }
        if self.games.has_room(line.spot(text)) {
            self.end_game();
        }
        self.game = KifGame {
            text: line.rest_of(self.text),
            ..KifGame::default()
        };
    }

    /// Passes on the current game, if it has content.
    fn end_game(&mut self) {
        let has_known_header = self
            .game
            .headers
            .as_slice()
            .iter()
            .any(|(key, _)| self.is_known_record || header::is_known(key));
        let is_begun = self.game.draft.is_begun() || self.game.is_in_moves;
        let has_content = is_begun || self.game.start.is_described() || has_known_header;
        self.builder();
        let game = std::mem::take(&mut self.game);
        let fits = game.draft.fits_start();
        let uses_handicap_names = game.uses_handicap_names || game.start.uses_handicap_names();
        let builder = match game.draft.into_builder() {
            Some(builder) if has_content => builder,
            _ => return,
        };
        let record = builder.finish(game.headers.into_list(), uses_handicap_names, self.warnings);
        match game.start.other_game() {
            Some((other, text_position)) => self
                .warnings
                .add_at(text_position, RecordProblem::OtherGame(other)),
            None if game.start.is_damaged() && record.is_empty() && record.end().is_none() => {
                game.start.report_damage(self.warnings);
            }
            None => self
                .games
                .add_if_it_fits(record, game.start.unknown_handicap(), fits, self.warnings),
        }
    }
}

/// Splits off the number of a move. Digits that belong to a square are not a number.
fn split_number(text: &str) -> (Option<u32>, &str) {
    let length = match text.chars().next() {
        Some('0'..='9') => text.bytes().take_while(u8::is_ascii_digit).count(),
        Some('０'..='９') => text
            .chars()
            .take_while(|c| matches!(c, '０'..='９'))
            .map(char::len_utf8)
            .sum(),
        _ => return split_number_in_words(text).map_or((None, text), |(number, rest)| (Some(number), rest)),
    };
    let Some((number, rest)) = text.split_at_checked(length) else {
        return (None, text);
    };
    let mut after = Scanner::new(rest);
    while after.eat('.') {}
    after.skip_blanks();
    let is_separated = after.rest.len() < rest.len() || rest.is_empty();
    if is_separated
        || moves::parse_move(&mut Scanner::new(rest)).is_some()
        || ends::first_mark(rest).is_some()
    {
        return (Scanner::new(number).number(), after.rest);
    }
    // A numbered move like `1：７六歩`, not a header.
    let behind = rest
        .strip_prefix([':', '：', ')', '）', '、'])
        .map(str::trim_start)
        .unwrap_or_default();
    match moves::parse_move(&mut Scanner::new(behind)) {
        Some(_) => (Scanner::new(number).number(), behind),
        None => split_number_in_words(text).map_or((None, text), |(number, rest)| (Some(number), rest)),
    }
}

/// Splits off a move number in words: `第1手：▲７六歩`, `１手目 ▲７六歩`, `手数：1 ７六歩(77)`.
fn split_number_in_words(text: &str) -> Option<(u32, &str)> {
    let heading = text
        .strip_prefix("手数")
        .and_then(|rest| rest.strip_prefix([':', '：']));
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
    moves::parse_move(&mut Scanner::new(rest)).map(|_| (number, rest))
}

/// Returns whether a line is a move with its number before it.
fn is_numbered_move(text: &str) -> bool {
    let (number, rest) = split_number(text);
    number.is_some() && moves::parse_move(&mut Scanner::new(rest)).is_some()
}

/// Returns the side named by 先手, 後手, 下手 or 上手 at the start of a text, and the rest. `None` for another text.
fn side(text: &str) -> Option<(Color, &str)> {
    let sides = [
        ("先手", Color::Black),
        ("下手", Color::Black),
        ("後手", Color::White),
        ("上手", Color::White),
    ];
    sides
        .iter()
        .find_map(|(name, color)| Some((*color, text.strip_prefix(name)?)))
}
