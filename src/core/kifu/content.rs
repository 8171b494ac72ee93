//! The content of a text: one record, or records within a page, a log or a mail.
//!
//! A text of at most [`MAX_COMPARED_BYTES`] bytes may be only partly a record. Such a text is read in every way that
//! its signs suggest. The first reading that finds the most moves is taken. A larger text is read once, and passes on
//! its games as they are read.

use super::error::{FoundContent, ReadError};
use super::format::{Container, Format};
use super::games::{GameSink, MAX_GAMES};
use super::prose::{self, ProseOutcome};
use super::record::Record;
use super::scan::TextSpot;
use super::warning::{RecordProblem, Warnings};
use super::wrapping::KeyValues;
use super::{address, csa, detect_format, epd, handicap, html, jkf, kif, log, psn, usen, usi, wrapping};
use crate::shogi::{Color, Position, Unsearchable};
use std::borrow::Cow;

/// The longest text that is read in several ways, in bytes.
const MAX_COMPARED_BYTES: usize = 1 << 20;

/// The maximum nesting of texts within texts that are read.
const MAX_NESTING_DEPTH: usize = 2;

/// A KIF or KI2 record with at least this number of moves is not taken for prose, if none of its moves was lost.
const MIN_RECORD_MOVES: usize = 3;

/// Signs that occur in prose but not in a record. They are marks, or the number of a second move or game.
const PROSE_SIGNS: [&str; 15] =
    ["\\n", "落ち", "、", "。", "→", "，", "・", "②", "2.", "(2)", "「", "手目", "第2局", "第２局", "第二局"];

/// A reader of the games of one file in any format.
pub(super) struct ContentReader<'s> {
    /// Called with each game.
    game: &'s mut dyn FnMut(Record),
    /// The format of the file name's extension; `None` without a file, or if the contents alone decide the format.
    promised_format: Option<Format>,
    game_count: usize,
    pub(super) warnings: Warnings,
}

/// The games that a text yields when read as one format. [`read_best`] compares such attempts.
struct Attempt {
    games: Vec<Record>,
    warnings: Warnings,
    format: Format,
    container: Container,
    outcome: ProseOutcome,
}

impl<'s> ContentReader<'s> {
    pub(super) fn new(game: &'s mut dyn FnMut(Record), promised: Option<Format>) -> Self {
        Self { game, promised_format: promised, game_count: 0, warnings: Warnings::default() }
    }

    /// Returns the number of games passed on so far.
    pub(super) const fn game_count(&self) -> usize {
        self.game_count
    }

    /// Reads the games of a text and passes them on. Returns their format and container; of several formats, the first.
    pub(super) fn read(&mut self, text: &str) -> Result<(Format, Container), ReadError> {
        if text.len() <= MAX_COMPARED_BYTES {
            return read_best(text, self.promised_format, 0).map(|attempt| self.pass_on(attempt));
        }
        if let Some(positions) = jkf::seen_positions(text) {
            return self.stream_games(Format::Usi, &positions, Container::Json);
        }
        match detect_format::format(text, self.promised_format) {
            Ok(format) => self.stream_games(format, text, container_of(format, text)),
            Err(ReadError::Other(FoundContent::WebPage)) => self.read_page(text),
            Err(ReadError::Other(FoundContent::Text)) => {
                let log = log::position_lines(text);
                if log.is_empty() {
                    return self.stream_games(Format::Prose, text, Container::Prose);
                }
                self.stream_games(Format::UsiLog, &log, Container::Log)
            }
            Err(error) => Err(error),
        }
    }

    /// Reads a large text in one format, and passes on its games.
    fn stream_games(
        &mut self,
        format: Format,
        text: &str,
        container: Container,
    ) -> Result<(Format, Container), ReadError> {
        let games = GameSink::new(self.game, start_check(format));
        let (games, _) = read_as(format, text, self.promised_format, games, &mut self.warnings);
        self.game_count += games;
        if games == 0 { Err(no_game_error(&self.warnings)) } else { Ok((format, container)) }
    }

    /// Reads a large page in its parts, and passes on their games. Returns their format; of several, the first.
    fn read_page(&mut self, text: &str) -> Result<(Format, Container), ReadError> {
        let mut first = None;
        for part in html::texts(text) {
            let found = if part.len() <= MAX_COMPARED_BYTES {
                read_best(&part, None, 1).map(|attempt| self.pass_on(attempt))
            } else {
                detect_format::format(&part, None).and_then(|format| self.stream_games(format, &part, Container::Page))
            };
            first = first.or_else(|| found.ok());
        }
        if let Some((format, _)) = first {
            return Ok((format, Container::Page));
        }
        let read = self.stream_games(Format::Prose, &html::plain_text(text), Container::Prose);
        read.map_err(|_no_game| ReadError::Other(FoundContent::WebPage))
    }

    /// Passes on the games of an attempt, up to `MAX_GAMES` of the file. Returns its format and container.
    fn pass_on(&mut self, attempt: Attempt) -> (Format, Container) {
        let room = MAX_GAMES.saturating_sub(self.game_count);
        self.warnings.append(attempt.warnings);
        if let Some(more) = attempt.games.len().checked_sub(room).filter(|more| *more > 0) {
            let start = TextSpot::start();
            self.warnings.add(start, RecordProblem::MoreGames(more));
        }
        for game in attempt.games.into_iter().take(room) {
            self.game_count += 1;
            (self.game)(game);
        }
        (attempt.format, attempt.container)
    }
}

impl Attempt {
    /// Reads a text as `format`.
    ///
    /// # Errors
    /// Fails if there is no game.
    fn new(format: Format, text: &str, promised: Option<Format>) -> Result<Self, ReadError> {
        Self::read_with(format, text, |sink, warnings| read_as(format, text, promised, sink, warnings))
    }

    /// Reads a text as prose, whose first game begins at `start`.
    fn from_prose(text: &str, start: &Position) -> Result<Self, ReadError> {
        Self::read_with(Format::Prose, text, |sink, warnings| prose::read(text, start, sink, warnings))
    }

    /// Reads a text with `read`, which returns the number of games.
    fn read_with(
        format: Format,
        text: &str,
        read: impl FnOnce(GameSink<'_>, &mut Warnings) -> (usize, ProseOutcome),
    ) -> Result<Self, ReadError> {
        let (mut games, mut warnings) = (Vec::new(), Warnings::default());
        let mut game = |game| games.push(game);
        let sink = GameSink::new(&mut game, start_check(format));
        let (count, outcome) = read(sink, &mut warnings);
        if count == 0 {
            return Err(no_game_error(&warnings));
        }
        let container = container_of(format, text);
        Ok(Self { games, warnings, format, container, outcome })
    }

    /// Reads each of several texts, and joins their games. Returns `None` without a game.
    fn from_parts(parts: impl Iterator<Item = String>, container: Container, depth: usize) -> Option<Self> {
        Self::joined(parts.filter_map(|part| read_best(&part, None, depth).ok()), container)
    }

    /// Joins attempts whose games are in `container`. Returns `None` without an attempt.
    fn joined(attempts: impl Iterator<Item = Self>, container: Container) -> Option<Self> {
        let all = attempts.reduce(|mut all, found| {
            all.append(found);
            all
        })?;
        Some(Self { container, ..all })
    }

    /// Adds the games of another attempt.
    fn append(&mut self, other: Self) {
        self.games.extend(other.games);
        self.warnings.append(other.warnings);
    }

    /// Returns whether the games are records, not only moves.
    const fn has_records(&self) -> bool {
        !matches!(self.format, Format::Prose | Format::Usi | Format::UsiLog | Format::Usen)
    }

    /// Returns the number of moves in the main lines of all games.
    fn move_count(&self) -> usize {
        self.games.iter().map(Record::len).sum()
    }

    /// Returns whether the text is a record and nothing else: no other reading is better.
    fn is_whole_record(&self, text: &str) -> bool {
        let has_heading = || headings_alone(text).any(|is_whole| is_whole);
        if (is_element(text) || !self.is_begun() && !has_heading()) && html::has_markup(text) {
            return false;
        }
        let has_all_moves = self.has_all_moves(text);
        let is_understood = has_all_moves && !self.warnings.has_losses();
        match self.format {
            Format::Kif | Format::Ki2 => {
                let has_many_moves = self.move_count() >= MIN_RECORD_MOVES && has_all_moves;
                let has_other_headers = || self.header_keys().any(|key| !prose::HEADER_KEYS.contains(&key));
                let has_board = || self.games.iter().any(|game| handicap::name(game.start()).is_none());
                let has_signs = || text.contains("変化：") || has_heading();
                let is_record = is_understood || has_many_moves || has_other_headers() && has_all_moves;
                is_record && !self.has_moves_for_names() || has_signs() || has_board()
            }
            Format::Usi => is_understood,
            Format::Psn => is_understood || self.move_count() > 0 && has_all_moves,
            _ => is_understood || self.move_count() > 0,
        }
    }

    /// Returns whether all moves of the text are in the games. Unknown text below headers or a board is a remark.
    fn has_all_moves(&self, text: &str) -> bool {
        let has_board = || kif::has_frame(text);
        let may_have_others = self.format == Format::Ki2 || self.move_count() < MIN_RECORD_MOVES;
        let counts_lines = may_have_others && self.header_keys().next().is_none();
        let has_others = || self.warnings.has_unknown(prose::has_move, counts_lines) && !has_board();
        self.warnings.has_all_moves() && !has_others()
    }

    /// Returns the number of nodes in all games, including starts, ends and variations.
    fn node_count(&self) -> usize {
        self.games.iter().map(|game| game.all().count()).sum()
    }

    /// Returns the number of moves in the longest main line.
    fn longest_main_line(&self) -> usize {
        self.games.iter().map(Record::len).max().unwrap_or_default()
    }

    /// Returns whether prose has a longer game than a record, more games, or more variations. All moves of the prose
    /// have to be in turn, or the record has to have lost some. A record has no moves in letters, but such moves may
    /// follow names.
    fn fits_better_than(&self, strict: &Self, text: &str, has_signs: bool) -> bool {
        let ProseOutcome { is_in_turn, has_letters } = self.outcome;
        let has_only_names = !strict.is_begun();
        let may_have_letters = has_only_names || matches!(strict.format, Format::Usi | Format::Psn);
        let may_leave_out = is_in_turn || has_signs && !strict.has_all_moves(text);
        let has_more_games = self.games.len() > strict.games.len() && self.move_count() > strict.move_count();
        // An English word may look like a move that cannot be played. So a longer prose game does not replace a PSN
        // record with moves.
        let is_longer = self.longest_main_line() > strict.longest_main_line()
            && (strict.format != Format::Psn || strict.move_count() == 0);
        let has_branches = has_signs
            && self.longest_main_line() == strict.longest_main_line()
            && self.node_count() > strict.node_count();
        may_leave_out && (may_have_letters || !has_letters) && (is_longer || has_more_games || has_branches)
    }

    /// Returns whether a game has a move, or an end in place of one.
    fn is_begun(&self) -> bool {
        self.games.iter().any(|game| !game.is_empty() || game.end().is_some())
    }

    /// Returns whether the names of the players are moves.
    fn has_moves_for_names(&self) -> bool {
        let mut headers = self.games.iter().flat_map(Record::headers);
        self.move_count() == 0
            && headers.any(|(key, value)| prose::HEADER_KEYS.contains(&key.as_str()) && prose::is_move(value))
    }

    /// Returns whether a game begins with another position than the usual one.
    fn has_nonstandard_start(&self) -> bool {
        self.games.iter().any(|game| game.nonstandard_start().is_some())
    }

    /// Returns the header keys of all games.
    fn header_keys(&self) -> impl Iterator<Item = &str> {
        self.games.iter().flat_map(|game| game.headers().iter().map(|(key, _)| key.as_str()))
    }
}

/// Reads a text in the way that finds the most moves.
fn read_best(text: &str, promised: Option<Format>, depth: usize) -> Result<Attempt, ReadError> {
    let text = text.trim_start_matches('\u{feff}');
    if let Some(positions) = jkf::seen_positions(text) {
        return Attempt::new(Format::Usi, &positions, None)
            .map(|found| Attempt { container: Container::Json, ..found });
    }
    if depth < MAX_NESTING_DEPTH
        && let Some((inside, left_out)) = wrapping::remove_wrapping(text)
        && let Ok(mut found) = read_best(&inside, promised, depth + 1)
    {
        // A reply in a mail may continue the quoted game. The whole mail is then read as prose.
        if left_out > 0
            && let Ok(whole) = Attempt::new(Format::Prose, text, None)
            && whole.outcome.is_in_turn
            && whole.move_count() > found.move_count()
        {
            return Ok(Attempt { container: Container::Quote, ..whole });
        }
        if left_out > 0 {
            found.warnings.add(TextSpot::start(), RecordProblem::SkippedPassages(left_out));
        }
        let container = if found.container == Container::Record { Container::Quote } else { found.container };
        return Ok(Attempt { container, ..found });
    }
    let format = detect_format::format(text, promised);
    let may_be_prose = matches!(
        format,
        Ok(Format::Kif | Format::Ki2 | Format::Usi | Format::Psn) | Err(ReadError::Other(FoundContent::Text))
    );
    let strict = format.and_then(|format| Attempt::new(format, text, promised));
    if let Ok(read) = &strict
        && depth < MAX_NESTING_DEPTH
        && read.warnings.has_losses()
        && let Some(found) = read_sections(text, read, depth)
    {
        return Ok(found);
    }
    if let Ok(strict) = &strict
        && let Some(found) = read_from_board(strict, text)
    {
        return Ok(found);
    }
    if strict.as_ref().is_ok_and(|strict| strict.is_whole_record(text)) || is_certain_failure(&strict) {
        return strict;
    }
    let moves = strict.as_ref().map_or(0, Attempt::move_count);
    if depth < MAX_NESTING_DEPTH
        && let Some(repaired) = wrapping::repair_moves(text)
        && let Some(found) = read_best(&repaired, promised, depth + 1).ok().filter(|found| found.move_count() > moves)
    {
        return Ok(found);
    }
    let is_better = |found: &Attempt| {
        strict.is_err() || found.move_count() > moves || is_element(text) && found.move_count() == moves
    };
    if let Some(found) = read_within(text, depth).filter(is_better) {
        return Ok(found);
    }
    if may_be_prose { read_prose(text, strict) } else { strict }
}

/// Reads a text in sections, and returns their games together. Used where records of several formats follow each other,
/// and this finds more games than the `strict` reading.
fn read_sections(text: &str, strict: &Attempt, depth: usize) -> Option<Attempt> {
    let sections = detect_format::sections(text);
    if sections.len() < 2 {
        return None;
    }
    let found = Attempt::from_parts(sections.into_iter().map(Into::into), Container::Record, depth + 1)?;
    (found.games.len() > strict.games.len() && found.move_count() > strict.move_count()).then_some(found)
}

/// Returns whether a text begins with a tag.
fn is_element(text: &str) -> bool {
    text.trim_start().starts_with('<')
}

/// Returns whether a text is certainly no shogi, or a game that cannot be read.
fn is_certain_failure(strict: &Result<Attempt, ReadError>) -> bool {
    match strict {
        Err(ReadError::Other(FoundContent::Chess)) => true,
        Err(ReadError::Unusable(why)) => !matches!(why.problem, RecordProblem::InvalidPosition(..)),
        _ => false,
    }
}

/// Reads the records within a page, JSON, an address or a log.
fn read_within(text: &str, depth: usize) -> Option<Attempt> {
    if depth < MAX_NESTING_DEPTH {
        if html::has_markup(text) {
            let parts = Attempt::from_parts(html::texts(text).into_iter(), Container::Page, depth + 1);
            return parts.or_else(|| read_page_words(text));
        }
        if detect_format::is_json(text) {
            return read_json(text, depth + 1);
        }
        if let Some(json) = json_within(text)
            && let Ok(found) = read_best(json, None, depth + 1)
            && found.move_count() > 0
        {
            return Some(Attempt { container: Container::Json, ..found });
        }
        if let Some(record) = address::record_text(text) {
            let found = read_best(&record, None, depth + 1).ok()?;
            return Some(Attempt { container: address::container(text), ..found });
        }
    }
    let log = log::position_lines(text);
    if log.is_empty() { None } else { Attempt::new(Format::UsiLog, &log, None).ok() }
}

/// Returns the JSON object within a text; `None` if there is none or the whole text is one.
fn json_within(text: &str) -> Option<&str> {
    let (begin, end) = (text.find('{')?, text.rfind('}')? + 1);
    text.get(begin..end).filter(|json| json.contains("\":") && json.len() < text.len())
}

/// Reads the games in the words of a page. A single move without a position counts as a word, not as a game.
fn read_page_words(text: &str) -> Option<Attempt> {
    let found = read_best(&html::plain_text(text), None, MAX_NESTING_DEPTH).ok()?;
    let is_game = found.move_count() > 1 || found.has_nonstandard_start();
    let container = if found.container == Container::Record { Container::Prose } else { found.container };
    is_game.then_some(Attempt { container, ..found })
}

/// Reads the records in the strings of JSON, or else the moves in the strings of one key. Other keys may have other
/// lines of the game, such as the lines of an engine.
fn read_json(text: &str, depth: usize) -> Option<Attempt> {
    let values = wrapping::values_by_key(text);
    let has_game_key = values.iter().any(KeyValues::has_game_key);
    let games = || values.iter().filter(|values| !has_game_key || values.has_game_key());
    // A position under a separate key may be the start of the moves under other keys. So both starts are tried.
    let start = values.iter().find_map(|values| values.single().filter(|value| usi::is_position(value)));
    let mut found: Option<(Attempt, usize)> = None;
    for values in games() {
        let records = values.all().filter(|value| wrapping::may_be_record(value));
        let records = Attempt::from_parts(records.map(str::to_owned), Container::Json, depth);
        let words = read_listed_moves(values, "");
        let words = match start.and_then(|start| read_listed_moves(values, start)) {
            Some(from_start) if words.as_ref().is_none_or(|words| words.move_count() < from_start.move_count()) => {
                Some(from_start)
            }
            _ => words,
        };
        let new = match (records, words) {
            (Some(records), Some(words)) if words.move_count() > records.move_count() => words,
            (records, words) => match records.or(words) {
                Some(new) => new,
                None => continue,
            },
        };
        let moves = new.move_count();
        match &mut found {
            Some((found, _)) if found.has_records() && new.has_records() => found.append(new),
            Some((found, max_moves)) if found.has_records() || *max_moves >= moves && !new.has_records() => {}
            _ => found = Some((new, moves)),
        }
    }
    found.map(|(found, _)| found)
}

/// Reads each list of values of a key as the moves of a game. `start` is the start position of the games as text; empty
/// for the usual one.
fn read_listed_moves(values: &KeyValues<'_>, start: &str) -> Option<Attempt> {
    let texts = values.lists().map(|list| format!("{start} {}", list.join(" ")));
    Attempt::joined(texts.filter_map(|text| Attempt::new(Format::Prose, &text, None).ok()), Container::Json)
}

/// Reads a text as prose. Returns the reading as a record, `strict`, unless the prose fits better.
fn read_prose(text: &str, strict: Result<Attempt, ReadError>) -> Result<Attempt, ReadError> {
    let is_kif = |strict: &Attempt| matches!(strict.format, Format::Kif | Format::Ki2);
    let text = if strict.as_ref().is_ok_and(is_kif) { without_comments(text) } else { text.into() };
    let has_lost_line_ends = || headings_alone(&text).any(|is_whole| !is_whole);
    let has_sign = |line: &str| PROSE_SIGNS.iter().any(|sign| line.contains(sign)) && !is_record_line(line.trim());
    let has_signs = || text.lines().any(|line| has_sign(line) || is_row_of_moves(line)) || has_lost_line_ends();
    let has_signs = has_signs();
    let has_head = |strict: &Attempt| strict.header_keys().next().is_some() || kif::has_frame(&text);
    let is_record = |strict: &Attempt| {
        let is_begun = is_kif(strict) && strict.is_begun() && !strict.has_moves_for_names();
        is_begun && !has_signs && (strict.has_all_moves(&text) || has_head(strict))
    };
    let has_other_forms = |strict: &Attempt| {
        strict.format == Format::Psn && (text.contains("Variation:") || strict.header_keys().next().is_some())
    };
    if strict.as_ref().is_ok_and(|strict| is_record(strict) || has_other_forms(strict)) {
        return strict;
    }
    let text = &*text;
    let prose = Attempt::new(Format::Prose, text, None);
    match (strict, prose) {
        (Ok(strict), Ok(prose)) if prose.fits_better_than(&strict, text, has_signs) => Ok(prose),
        (Err(_), Ok(prose)) => Ok(prose),
        (Err(ReadError::Other(FoundContent::Text)), Err(ReadError::Other(FoundContent::Text)))
            if address::is_address(text) =>
        {
            Err(ReadError::Other(FoundContent::Address))
        }
        (Err(ReadError::Other(FoundContent::Text)), Err(error)) => Err(error),
        (strict, _) => strict,
    }
}

/// Reads the words around a board as moves from its position.
fn read_from_board(strict: &Attempt, text: &str) -> Option<Attempt> {
    let [board] = strict.games.as_slice() else { return None };
    let has_moves = |(key, value): &(String, String)| kif::stands_before_moves(key) && prose::has_move(value);
    if !strict.warnings.has_unknown(prose::has_move, true) && !board.headers().iter().any(has_moves) {
        return None;
    }
    if !matches!(strict.format, Format::Kif | Format::Ki2) || board.nonstandard_start().is_none() || !board.is_empty() {
        return None;
    }
    let is_word = |line: &&str| !is_record_line(line.trim());
    let words = text.lines().map(|line| Some(line).filter(is_word).unwrap_or_default()).collect::<Vec<_>>().join("\n");
    let mut found = Attempt::from_prose(&words, board.start()).ok()?;
    // The words may contain further games from this board. Only the first is kept; a warning counts the others.
    if let Some(more) = found.games.len().checked_sub(1).filter(|more| *more > 0) {
        found.games.truncate(1);
        found.warnings.add(TextSpot::start(), RecordProblem::MovesNotInTurn(more));
    }
    (found.outcome.is_in_turn && found.move_count() > 0).then_some(found)
}

/// Returns, for each heading of moves, whether the heading is alone on its line. Otherwise line ends were lost.
fn headings_alone(text: &str) -> impl Iterator<Item = bool> {
    text.lines().filter_map(|line| line.find("手数--").map(|at| at == 0 && !line.contains('(')))
}

/// Returns whether a line belongs to a board, or is a header without moves. Signs of prose mean nothing there.
fn is_record_line(line: &str) -> bool {
    kif::is_frame(line) || kif::is_header(line) && !prose::has_move(line)
}

/// Returns whether a line has a number and two moves, as a table row with the moves of both sides.
fn is_row_of_moves(line: &str) -> bool {
    let mut words = line.split_whitespace();
    let is_number = |word: &str| word.parse::<u16>().is_ok();
    words.next().is_some_and(is_number) && words.filter(|word| prose::is_move(word)).nth(1).is_some()
}

/// Returns a text with its comment lines blank, because comments may contain moves.
fn without_comments(text: &str) -> Cow<'_, str> {
    let is_comment = |line: &str| kif::is_comment(line.trim_start());
    if text.lines().any(is_comment) {
        text.lines().map(|line| if is_comment(line) { "" } else { line }).collect::<Vec<_>>().join("\n").into()
    } else {
        text.into()
    }
}

/// Reads a text in a format. Returns the number of games, and how their moves were found.
fn read_as(
    format: Format,
    text: &str,
    promised: Option<Format>,
    games: GameSink<'_>,
    warnings: &mut Warnings,
) -> (usize, ProseOutcome) {
    let count = match format {
        Format::Kif | Format::Ki2 => kif::read(text, promised.is_some(), games, warnings),
        Format::Csa => csa::read(text, games, warnings),
        Format::Usi | Format::UsiLog => usi::read(text, games, warnings),
        Format::Usen => usen::read(text, games, warnings),
        Format::Epd => epd::read(text, games, warnings),
        Format::Psn => psn::read(text, games, warnings),
        Format::Jkf => jkf::read(text, games, warnings),
        Format::Prose => return prose::read(text, &Position::startpos(), games, warnings),
    };
    (count, ProseOutcome { is_in_turn: true, has_letters: false })
}

/// Returns the container of the games of a text in a format.
fn container_of(format: Format, text: &str) -> Container {
    match format {
        Format::UsiLog => Container::Log,
        Format::Prose => Container::Prose,
        Format::Usi | Format::Usen if text.contains("://") => address_container(text),
        _ => Container::Record,
    }
}

/// Returns the container of the first known address in a text, or else of its first address.
fn address_container(text: &str) -> Container {
    let addresses = text.lines().filter(|line| line.contains("://")).map(address::container);
    let is_unknown = |container: &Container| matches!(container, Container::Address { site: None, .. });
    addresses.min_by_key(is_unknown).unwrap_or(Container::Record)
}

/// Returns the error of a text without a game. The text can contain a line that looks like a record by accident.
fn no_game_error(warnings: &Warnings) -> ReadError {
    let reason = warnings.fatal_warning().cloned().map(Box::new);
    reason.map_or(ReadError::Other(FoundContent::Text), ReadError::Unusable)
}

/// Returns the function that checks the start positions of a format.
fn start_check(format: Format) -> fn(&Position) -> Option<Unsearchable> {
    if format == Format::Csa { start_problem_in_csa } else { start_problem }
}

/// Returns why no game can start from a position; `None` if one can. Mating problems with one king are accepted.
fn start_problem(start: &Position) -> Option<Unsearchable> {
    let kings = [Color::Black, Color::White].into_iter().filter(|color| start.king(*color).is_some()).count();
    start.searchable().err().filter(|why| !matches!(why, Unsearchable::Kings(_)) || kings != 1)
}

/// Returns why no CSA game can start from a position; `None` if one can. Mating problems with one king are refused: CSA
/// is a format for games, and readers of CSA disagree about such positions.
pub(super) fn start_problem_in_csa(start: &Position) -> Option<Unsearchable> {
    start.searchable().err()
}
