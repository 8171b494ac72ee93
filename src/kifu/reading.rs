//! The reading of a text: what it holds, as one list of candidates of which the best is taken.
//!
//! A text may be a record, or have records in it: quoted in a mail, in a code block, on a page, in JSON, in an address,
//! in a log, between other words. Its *contents* are the text itself and what is left of it without each wrapping. Each
//! content is read as the format that its lines show, and as words. What each attempt has found is its
//! [`ReadingEvidence`](super::candidate::ReadingEvidence), and the order of the evidence decides.
//!
//! A text larger than [`MAX_COMPARED_BYTES`] is read once, and its games are passed on as they are read.

use super::candidate::{ReadingCandidate, container_of, no_game_error};
use super::error::{FoundContent, ReadError};
use super::excerpt;
use super::format::{Container, Format};
use super::games::{GameSink, MAX_GAMES};
use super::prose;
use super::record::Record;
use super::scan::TextSpot;
use super::warning::{RecordProblem, Warnings};
use super::wrapping::{self, Unwrapped};
use super::{address, detect_format, foreign, html, jkf, json_strings, kif, log, repair, stated, usi};
use std::borrow::Cow;

/// The longest text of which several candidates are compared, in bytes.
const MAX_COMPARED_BYTES: usize = 1 << 20;

/// The maximum nesting of contents within contents.
const MAX_DEPTH: usize = 2;

/// A reader of the games of one file in any format.
pub(super) struct TextReader<'s> {
    /// Called with each game.
    game: &'s mut dyn FnMut(Record),
    /// The format of the file name's extension; `None` without a file, or if the text alone decides the format.
    promised_format: Option<Format>,
    game_count: usize,
    pub(super) warnings: Warnings,
}

impl<'s> TextReader<'s> {
    pub(super) fn new(game: &'s mut dyn FnMut(Record), promised: Option<Format>) -> Self {
        Self {
            game,
            promised_format: promised,
            game_count: 0,
            warnings: Warnings::default(),
        }
    }

    /// Returns the number of games passed on so far.
    pub(super) const fn game_count(&self) -> usize {
        self.game_count
    }

    /// Reads the games of a text and passes them on. Returns their format and container; of several formats, the first.
    pub(super) fn read(&mut self, text: &str) -> Result<(Format, Container), ReadError> {
        if foreign::is_opening_book(text) {
            return Err(ReadError::Other(FoundContent::OpeningBook));
        }
        self.read_games(text)
            .map_err(|error| foreign::content(text).map_or(error, ReadError::Other))
    }

    /// Reads the games of a text that is no opening book, and passes them on.
    fn read_games(&mut self, text: &str) -> Result<(Format, Container), ReadError> {
        if text.len() <= MAX_COMPARED_BYTES {
            return best(text, self.promised_format, 0).map(|mut candidate| {
                candidate.find_address(text);
                self.pass_on(candidate)
            });
        }
        if let Some(positions) = jkf::seen_positions(text) {
            return self.stream(Format::Usi, &positions, Container::Json);
        }
        let format = detect_format::format(text, self.promised_format);
        if matches!(
            format,
            Ok(Format::Usi) | Err(ReadError::Other(FoundContent::Text))
        ) {
            let log = log::position_lines(text);
            if !log.is_empty() {
                return self.stream(Format::UsiLog, &log, Container::Log);
            }
        }
        match format {
            Ok(format) => self.stream(format, text, container_of(format, text)),
            Err(ReadError::Other(FoundContent::WebPage)) => self.read_page(text),
            Err(ReadError::Other(FoundContent::Text)) => {
                let inside = wrapping::unwrap(text)
                    .or_else(|| wrapping::unwrap_further(text))
                    .map(|found| found.text);
                let text = inside.as_deref().unwrap_or(text);
                let format = detect_format::format(text, None).unwrap_or(Format::Prose);
                self.stream(format, text, Container::Prose)
            }
            Err(error) => Err(error),
        }
    }

    /// Reads a large text in one format, and passes on its games.
    fn stream(
        &mut self,
        format: Format,
        text: &str,
        container: Container,
    ) -> Result<(Format, Container), ReadError> {
        let games = GameSink::new(self.game, format.rules().start_check());
        let games = format
            .rules()
            .read(text, self.promised_format.is_some(), games, &mut self.warnings);
        self.game_count += games;
        if games == 0 {
            Err(no_game_error(&self.warnings))
        } else {
            Ok((format, container))
        }
    }

    /// Reads a large page in its parts, and passes on their games. Returns their format; of several, the first.
    fn read_page(&mut self, text: &str) -> Result<(Format, Container), ReadError> {
        let mut first = None;
        for part in html::texts(text) {
            let found = if part.len() <= MAX_COMPARED_BYTES {
                best(&part, None, 1).map(|candidate| self.pass_on(candidate))
            } else {
                detect_format::format(&part, None)
                    .and_then(|format| self.stream(format, &part, Container::Page))
            };
            first = first.or_else(|| found.ok());
        }
        if let Some((format, _)) = first {
            return Ok((format, Container::Page));
        }
        let read = self.stream(Format::Prose, &html::plain_text(text), Container::Page);
        read.map_err(|_no_game| ReadError::Other(FoundContent::WebPage))
    }

    /// Passes on the games of a candidate, up to `MAX_GAMES` of the file. Returns its format and container.
    fn pass_on(&mut self, candidate: ReadingCandidate) -> (Format, Container) {
        let room = MAX_GAMES.saturating_sub(self.game_count);
        self.warnings.append(candidate.warnings);
        let more = candidate.games.len().saturating_sub(room);
        if more > 0 {
            self.warnings
                .add(TextSpot::start(), RecordProblem::MoreGames(more));
        }
        for game in candidate.games.into_iter().take(room) {
            self.game_count += 1;
            (self.game)(game);
        }
        (candidate.format, candidate.container)
    }
}

/// A text that may hold games: a part of the whole text, or what is left of it without its wrapping.
struct Content<'t> {
    /// The texts that are read one by one. Their games are joined.
    texts: Vec<Cow<'t, str>>,
    /// The container of the games, unless they have one of their own.
    container: Container,
    /// The passages around the texts that are left out.
    left_out: Vec<&'t str>,
    /// Whether only records count: single strings of a program may hold a few of the moves of the text.
    is_record: bool,
}

impl<'t> Content<'t> {
    fn new(texts: Vec<Cow<'t, str>>, container: Container) -> Self {
        Self {
            texts,
            container,
            left_out: Vec::new(),
            is_record: false,
        }
    }

    fn one(text: impl Into<Cow<'t, str>>, container: Container) -> Self {
        Self::new(vec![text.into()], container)
    }
}

/// The best of the candidates so far.
#[derive(Default)]
struct Choice {
    best: Option<ReadingCandidate>,
    /// The first error that says more than that nothing was found.
    error: Option<ReadError>,
    /// Whether no other candidate can be better.
    is_final: bool,
}

impl Choice {
    /// Takes a candidate that is better than all before it.
    fn offer(&mut self, candidate: Result<ReadingCandidate, ReadError>) {
        match candidate {
            Ok(candidate) => {
                let has_fewer_moves =
                    |best: &ReadingCandidate| candidate.evidence.moves < best.evidence.moves;
                let is_certain = candidate.is_certain && !self.best.as_ref().is_some_and(has_fewer_moves);
                let is_better = self
                    .best
                    .as_ref()
                    .is_none_or(|best| candidate.evidence > best.evidence);
                self.is_final |= is_certain;
                if is_better || is_certain {
                    self.best = Some(candidate);
                }
            }
            Err(error) => {
                self.is_final |= is_certain_failure(&error);
                if self.error.is_none() && error != ReadError::Other(FoundContent::Text) {
                    self.error = Some(error);
                }
            }
        }
    }
}

/// Returns the best candidate of a text, without the wrapping around its lines.
fn best(text: &str, promised: Option<Format>, depth: usize) -> Result<ReadingCandidate, ReadError> {
    let text = text.trim_start_matches('\u{feff}');
    if !detect_format::is_json(text)
        && let Some(Unwrapped { text, container }) = wrapping::unwrap(text)
    {
        let mut found = best_inside(&text, promised, depth)?;
        found.set_container(container);
        return Ok(found);
    }
    best_inside(text, promised, depth)
}

/// Returns the best candidate of a text without wrapping.
fn best_inside(text: &str, promised: Option<Format>, depth: usize) -> Result<ReadingCandidate, ReadError> {
    let mut choice = Choice::default();
    if depth < MAX_DEPTH
        && let Some((blocks, left_out)) = wrapping::code_blocks(text)
        && !is_record_in_every_line(text, promised)
    {
        let texts = blocks.into_iter().map(Cow::Borrowed).collect();
        offer_content(
            &mut choice,
            Content {
                left_out,
                ..Content::new(texts, Container::Quote)
            },
            depth,
        );
    }
    if !choice.is_final {
        offer_text(&mut choice, text, promised);
    }
    if !choice.is_final && depth <= MAX_DEPTH {
        for content in contents(text, depth) {
            offer_content(&mut choice, content, depth);
            if choice.is_final {
                break;
            }
        }
    }
    if html::has_markup(text)
        && let Some(board) = choice
            .best
            .as_ref()
            .filter(|best| best.container == Container::Page)
        && let Ok(found) = words_from_board(board, &html::plain_text(text))
    {
        choice.best = Some(found);
    }
    if let Some(best) = choice.best.as_mut().filter(|best| !best.has_head(text)) {
        stated::complete(&mut best.games, text);
    }
    let nothing = if address::is_address(text) {
        FoundContent::Address
    } else {
        FoundContent::Text
    };
    choice
        .best
        .ok_or_else(|| choice.error.unwrap_or(ReadError::Other(nothing)))
}

/// Returns whether every line of a text is one of its record. The marks of code in its headers and comments wrap nothing.
fn is_record_in_every_line(text: &str, promised: Option<Format>) -> bool {
    let whole = detect_format::format(text, promised)
        .and_then(|format| ReadingCandidate::new(format, text, promised));
    whole.is_ok_and(|whole| {
        whole.is_certain && !whole.warnings.has_losses() && !whole.warnings.has_unknown_lines()
    })
}

fn contents(text: &str, depth: usize) -> Vec<Content<'_>> {
    let mut contents = Vec::new();
    let further = wrapping::unwrap_further(text);
    contents.extend(further.map(|Unwrapped { text, container }| Content::one(text, container)));
    let log = log::position_lines(text);
    if !log.is_empty() {
        contents.push(Content::one(log, Container::Log));
    }
    if depth < MAX_DEPTH {
        if html::has_markup(text) {
            let texts = html::texts(text).into_iter().map(Cow::Owned).collect();
            contents.push(Content::new(texts, Container::Page));
            contents.push(Content::one(html::plain_text(text), Container::Page));
        }
        if let Some(json) = json_strings::json_within(text) {
            contents.extend(json_contents(json));
        }
        // Such a line is a comment of CSA.
        if !detect_format::is_json(text) && !text.lines().any(|line| line.starts_with('\'')) {
            let literals = json_strings::literals(text).into_iter().map(Cow::Owned).collect();
            contents.push(Content {
                is_record: true,
                ..Content::new(literals, Container::Quote)
            });
        }
        if let Some(record) = address::record_text(text) {
            contents.push(Content::one(record, address::container(text)));
        }
        let sections = detect_format::sections(text);
        if sections.len() > 1 {
            let texts = sections
                .into_iter()
                .map(|section| Cow::Owned(section.to_owned()))
                .collect();
            contents.push(Content::new(texts, Container::Record));
        }
    }
    contents.extend(repair::repaired(text).map(|text| Content::one(text, Container::Prose)));
    contents
}

/// Returns the contents of JSON: the records in its strings, and the moves in the strings of each key.
fn json_contents(json: &str) -> Vec<Content<'static>> {
    if let Some(positions) = jkf::seen_positions(json) {
        return vec![Content::one(positions, Container::Json)];
    }
    let mut contents = Vec::new();
    let listed: Vec<_> = json_strings::listed_objects(json)
        .into_iter()
        .map(|object| Cow::Owned(object.to_owned()))
        .collect();
    contents.push(Content::new(listed, Container::Json));
    let objects = json_strings::objects_with_moves(json)
        .into_iter()
        .map(|object| Cow::Owned(object.to_owned()));
    contents.push(Content {
        is_record: true,
        ..Content::new(objects.collect(), Container::Json)
    });
    let strings = json_strings::JsonStrings::new(json);
    let records: Vec<_> = strings
        .records()
        .map(|record| Cow::Owned(record.to_owned()))
        .collect();
    contents.push(Content::new(records, Container::Json));
    for lists in strings.move_lists() {
        contents.push(Content::one(lists, Container::Json));
    }
    contents
}

/// Offers the joined games of a content.
fn offer_content(choice: &mut Choice, content: Content<'_>, depth: usize) {
    let Content {
        texts,
        container,
        left_out,
        is_record,
    } = content;
    let is_json = container == Container::Json;
    let mut joined: Option<ReadingCandidate> = None;
    for text in texts {
        match best(&text, None, depth + 1) {
            Ok(candidate) if is_record && !candidate.is_record() => {}
            Ok(candidate) => candidate.join(&mut joined),
            Err(error) => {
                if is_certain_failure(&error) && joined.is_none() {
                    choice.offer(Err(error));
                }
            }
        }
    }
    if let Some(mut joined) = joined.filter(|joined| is_json || !joined.is_word()) {
        joined.leave_out(&left_out);
        joined.set_container(container);
        // Other strings may have the moves from this position.
        joined.is_certain &= !is_json;
        choice.offer(Ok(joined));
    }
}

/// Offers the candidates of a text as it stands: as the format that its lines show, and as words.
fn offer_text(choice: &mut Choice, text: &str, promised: Option<Format>) {
    if let Some(positions) = jkf::seen_positions(text) {
        let seen = ReadingCandidate::new(Format::Usi, &positions, None);
        return choice.offer(seen.map(|mut seen| {
            (seen.container, seen.is_certain) = (Container::Json, true);
            seen
        }));
    }
    let format = detect_format::format(text, promised);
    if matches!(
        format,
        Ok(Format::Usi) | Err(ReadError::Other(FoundContent::Text))
    ) {
        let log = log::position_lines(text);
        if log::has_growing_games(text, &log) {
            return choice.offer(
                ReadingCandidate::new(Format::UsiLog, &log, None).map(|mut games| {
                    games.is_certain = true;
                    games
                }),
            );
        }
    }
    let may_be_words = match &format {
        Ok(format) => format.rules().may_be_words(),
        Err(error) => matches!(error, ReadError::Other(FoundContent::Text)),
    };
    let mut strict = format.and_then(|format| strict(format, text, promised));
    if let Ok(strict) = &mut strict {
        let has_words = match strict.format {
            Format::Usi => strict.warnings.has_unknown_lines(),
            format => format.is_kakinoki() && strict.has_moves_in_words(),
        };
        if has_words && let Ok(found) = words_from_board(strict, text) {
            return choice.offer(Ok(found));
        }
        let is_damaged = strict.warnings.has_losses() && text.lines().any(wrapping::has_invisible);
        strict.is_certain &= !is_damaged && !has_markup_around(strict, text);
    }
    if strict
        .as_ref()
        .map_or_else(is_certain_failure, |strict| strict.is_certain)
    {
        return choice.offer(strict);
    }
    if may_be_words {
        let words = words_of(strict.as_ref().ok(), text);
        let found = ReadingCandidate::new(Format::Prose, &words, None);
        if found
            .as_ref()
            .is_ok_and(|found| !found.is_complete || found.games.len() >= MIN_OPENINGS)
        {
            choice.offer(games_in_lines(&words).and_then(|found| found.beside(strict.as_ref().ok())));
            if choice.is_final {
                return;
            }
        }
        choice.offer(found.and_then(|found| found.beside(strict.as_ref().ok())));
    }
    choice.offer(strict);
}

/// Reads a text as a format. Words around the record are left out.
fn strict(format: Format, text: &str, promised: Option<Format>) -> Result<ReadingCandidate, ReadError> {
    let mut whole = ReadingCandidate::new(format, text, promised)?;
    if !whole.is_begun() || !whole.warnings.has_unknown_lines() {
        return Ok(whole);
    }
    let has_one_format = detect_format::sections(text).len() < 2;
    whole.is_certain &= has_one_format;
    if !format.rules().has_parts() {
        return Ok(whole);
    }
    let Some((part, left_out)) = excerpt::record_part(text, format) else {
        return Ok(whole);
    };
    let mut found = ReadingCandidate::new(format, &part, promised)?;
    found.is_certain &= has_one_format;
    found.leave_out(&left_out);
    if found.container == Container::Record {
        found.set_container(Container::Prose);
    }
    Ok(found)
}

/// Returns whether elements of HTML stand in the lines of a record, or around it. Comments may have some, and a header may
/// have an entity.
fn has_markup_around(strict: &ReadingCandidate, text: &str) -> bool {
    let is_element = text.trim_start().starts_with('<');
    let has_lines_of_html = strict.warnings.has_unknown_lines() || text.contains('<');
    let has_heading = strict.is_begun() || strict.format == Format::Jkf || kif::has_heading(text);
    let is_doubtful = is_element || !has_heading && has_lines_of_html;
    is_doubtful && html::has_markup(text) && html::has_markup(&words_of(Some(strict), text))
}

/// Reads the words around a board as moves from its position.
fn words_from_board(strict: &ReadingCandidate, text: &str) -> Result<ReadingCandidate, ReadError> {
    let nothing = Err(ReadError::Other(FoundContent::Text));
    let [board] = strict.games.as_slice() else {
        return nothing;
    };
    if board.nonstandard_start().is_none() || !board.is_empty() {
        return nothing;
    }
    let mut found = ReadingCandidate::from_words(
        &without_lines(text, |line| {
            kif::is_comment(line) || is_record_line(line) || strict.format == Format::Usi && usi::is_usi(line)
        }),
        board.start(),
    )?;
    // A single move in letters may be a word.
    let min_moves = if strict.format == Format::Usi { 2 } else { 1 };
    if !found.is_complete || found.evidence.moves < min_moves {
        return nothing;
    }
    // The words may hold further games from this board. Only the first is kept; a warning counts the others.
    let more = found.games.len() - 1;
    if more > 0 {
        found.games.truncate(1);
        found
            .warnings
            .add(TextSpot::start(), RecordProblem::MovesNotInTurn(more));
    }
    found.make_record();
    Ok(found)
}

/// The minimum number of openings in a list.
const MIN_OPENINGS: usize = 3;

/// The maximum number of moves of an opening in a list.
const MAX_OPENING_MOVES: usize = 14;

/// Reads each line with moves as a game of its own, as in a table of games.
///
/// # Errors
/// Fails for other texts, and for a list of openings, whose lines have values.
fn games_in_lines(text: &str) -> Result<ReadingCandidate, ReadError> {
    let mut joined: Option<ReadingCandidate> = None;
    let (mut lines, mut valued) = (0, 0);
    let mut has_head = false;
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        match ReadingCandidate::new(Format::Prose, line, None) {
            Ok(found) => found.join(&mut joined),
            Err(error) if prose::has_move(line) => return Err(error),
            Err(_) => {
                has_head |= names_values(line);
                continue;
            }
        }
        lines += 1;
        valued += usize::from(has_head || has_value_cell(line));
    }
    let is_short = |joined: &ReadingCandidate| {
        joined
            .games
            .iter()
            .all(|game| game.len() <= MAX_OPENING_MOVES && game.end().is_none())
    };
    if lines >= MIN_OPENINGS
        && valued == lines
        && joined.as_ref().is_some_and(is_short)
        && !stated::has_players(text)
    {
        return Err(ReadError::Other(FoundContent::Openings));
    }
    joined
        .filter(|joined| joined.is_complete)
        .ok_or(ReadError::Other(FoundContent::Text))
}

/// Returns whether the head of a table names a column of values.
fn names_values(line: &str) -> bool {
    let mut cells = line
        .split(['|', '\t', ','])
        .map(|cell| cell.trim().to_lowercase());
    cells.any(|cell| matches!(&*cell, "eval" | "評価値" | "評価"))
}

/// Returns whether a cell of a table's line, or the last word of a line, is a value with its sign.
fn has_value_cell(line: &str) -> bool {
    let is_value = |cell: &str| {
        let digits = cell.trim().strip_prefix(['+', '-', '−', '±', '＋', '－']);
        digits.is_some_and(|digits| !digits.is_empty() && digits.chars().all(|c| c.is_numeric() || c == '.'))
    };
    line.split(['|', '\t', ',', '，']).any(is_value)
        || line.split_whitespace().next_back().is_some_and(is_value)
}

/// Returns the words of a text: all of it, or all but the comments of a record, which may hold moves.
fn words_of<'t>(strict: Option<&ReadingCandidate>, text: &'t str) -> Cow<'t, str> {
    let is_comment = |line: &str| kif::is_comment(line);
    if strict.is_some_and(|strict| strict.format.is_kakinoki())
        && text.lines().any(|line| is_comment(line.trim_start()))
    {
        without_lines(text, is_comment).into()
    } else {
        text.into()
    }
}

fn without_lines(text: &str, is_left_out: impl Fn(&str) -> bool) -> String {
    let mut rest = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        rest.push_str(if is_left_out(line.trim()) { "\n" } else { line });
    }
    rest
}

/// Returns whether a line belongs to a board, or is a header without moves.
fn is_record_line(line: &str) -> bool {
    kif::is_frame(line) || kif::is_header(line) && !prose::has_move(line)
}

/// Returns whether a text is certainly no shogi, or a game that cannot be read.
fn is_certain_failure(error: &ReadError) -> bool {
    match error {
        ReadError::Other(FoundContent::Chess | FoundContent::Openings) => true,
        ReadError::Unusable(why) => !matches!(why.problem, RecordProblem::InvalidPosition(..)),
        _ => false,
    }
}
