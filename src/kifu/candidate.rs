//! A candidate: what a text holds when it is read in one way, as a format or as words, and the order in which candidates
//! are compared.

use super::error::{FoundContent, ReadError};
use super::format::{Container, Format};
use super::games::GameSink;
use super::prose::{self, ProseOutcome};
use super::record::{Notes, Record};
use super::record_format::{FoundGames, MIN_RECORD_MOVES};
use super::scan::TextSpot;
use super::time::Time;
use super::warning::{RecordProblem, Warnings};
use super::{address, handicap, kif};
use shogibar_shogi::Position;
use std::cmp::Reverse;

/// The games of a text that was read in one way.
pub(super) struct ReadingCandidate {
    pub(super) games: Vec<Record>,
    pub(super) warnings: Warnings,
    pub(super) format: Format,
    pub(super) container: Container,
    pub(super) evidence: ReadingEvidence,
    /// Whether all moves of the text have been played.
    pub(super) is_complete: bool,
    /// Whether no other reading of the text can be better.
    pub(super) is_certain: bool,
    /// Whether words outside of the form of a record may be moves: few moves, and no headers.
    may_miss_moves: bool,
    outcome: ProseOutcome,
}

/// What speaks for a candidate. **The order of candidates**: the first field in which two differ decides, the greater
/// one is better. Of equal candidates the first one is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ReadingEvidence {
    /// All moves of the text have been played, or it is a record with a head that explains all of them.
    is_trusted: bool,
    /// It is a record, and all moves of the text have its form. Some may be illegal, or stand after the end of a game.
    is_known_record: bool,
    /// The moves of the main lines.
    pub(super) moves: usize,
    /// It is a record, not moves among words.
    is_record: bool,
    /// The moves and ends of all lines.
    nodes: usize,
    /// The marks and passages that are left over.
    left_over: Reverse<usize>,
}

impl ReadingCandidate {
    /// Reads a text as a format.
    ///
    /// # Errors
    /// Fails if there is no game.
    pub(super) fn new(format: Format, text: &str, promised: Option<Format>) -> Result<Self, ReadError> {
        if format == Format::Prose {
            return Self::from_words(text, &Position::startpos());
        }
        Self::read(format, text, |sink, warnings| {
            let count = format.rules().read(text, promised.is_some(), sink, warnings);
            (count, ProseOutcome::default())
        })
    }

    /// Reads moves among words, whose first game begins at `start`.
    ///
    /// # Errors
    /// Fails if there is no game.
    pub(super) fn from_words(text: &str, start: &Position) -> Result<Self, ReadError> {
        Self::read(Format::Prose, text, |sink, warnings| {
            prose::read(text, start, sink, warnings)
        })
    }

    fn read(
        format: Format,
        text: &str,
        read: impl FnOnce(GameSink<'_>, &mut Warnings) -> (usize, ProseOutcome),
    ) -> Result<Self, ReadError> {
        let (mut games, mut warnings) = (Vec::new(), Warnings::default());
        let mut add = |game| games.push(game);
        let (count, outcome) = read(
            GameSink::new(&mut add, format.rules().start_check()),
            &mut warnings,
        );
        if count == 0 {
            return Err(no_game_error(&warnings));
        }
        let evidence = ReadingEvidence {
            is_trusted: warnings.has_all_moves() && outcome.is_in_turn,
            is_known_record: format.rules().is_known_record(&warnings),
            moves: games.iter().map(Record::len).sum(),
            is_record: format != Format::Prose,
            nodes: games.iter().map(|game| game.all().count() - 1).sum(),
            left_over: Reverse(warnings.left_over_count()),
        };
        let (is_complete, container) = (evidence.is_trusted, container_of(format, text));
        let mut found = Self {
            games,
            warnings,
            format,
            container,
            evidence,
            is_complete,
            is_certain: false,
            may_miss_moves: false,
            outcome,
        };
        let has_head = found.has_headers() || format.is_kakinoki() && kif::has_frame(text);
        let is_short = found.evidence.moves < MIN_RECORD_MOVES || format == Format::Ki2;
        found.may_miss_moves = if has_head {
            !found.is_begun() && !found.has_other_headers()
        } else {
            is_short
        };
        found.evidence.is_trusted |= format.is_kakinoki() && has_head;
        if format.rules().misses_moves(&found, text) {
            found.miss_moves();
        }
        found.is_certain = found.is_whole(text);
        Ok(found)
    }

    /// Notes that moves of the text are in none of the games.
    fn miss_moves(&mut self) {
        (
            self.evidence.is_trusted,
            self.evidence.is_known_record,
            self.is_complete,
        ) = (false, false, false);
    }

    /// Returns whether the text is a record and nothing else.
    fn is_whole(&self, text: &str) -> bool {
        if self.format == Format::Prose {
            return false;
        }
        if !self.warnings.has_losses()
            && (self.is_complete || self.is_below_name_of_start() && !self.warnings.has_unreadable_moves())
        {
            return true;
        }
        if !self.is_begun() && !kif::has_heading(text) {
            return false;
        }
        self.format.rules().is_whole(self, text)
    }

    /// Returns whether this is a game of KIF or KI2 below the name of its start, so that no words around it hold its moves.
    fn is_below_name_of_start(&self) -> bool {
        self.format.is_kakinoki() && self.is_begun() && self.header_keys().any(|key| key == "手合割")
    }

    /// Returns moves among words, unless the same text is better read as the record `strict`.
    ///
    /// # Errors
    /// Fails where the words hold no more than the record, or where a record in Japanese has moves in letters beside it.
    pub(super) fn beside(self, strict: Option<&Self>) -> Result<Self, ReadError> {
        let Some(strict) = strict else { return Ok(self) };
        let may_have_letters = !strict.is_begun() || matches!(strict.format, Format::Usi | Format::Psn);
        let (words, record) = (&self.evidence, &strict.evidence);
        // An English word may look like a move that cannot be played.
        let is_longer = (words.moves, words.nodes) > (record.moves, record.nodes)
            && (strict.format != Format::Psn || record.moves == 0);
        let has_more = self.games.len() > strict.games.len() || is_longer || !strict.is_begun();
        if self.evidence.moves < strict.evidence.moves
            || !has_more
            || self.outcome.has_letters && !may_have_letters
        {
            return Err(ReadError::Other(FoundContent::Text));
        }
        Ok(self)
    }

    /// Leaves out passages around the record. A passage of a short record without headers may hold its other moves.
    pub(super) fn leave_out(&mut self, passages: &[&str]) {
        if passages.is_empty() {
            return;
        }
        self.warnings
            .add(TextSpot::start(), RecordProblem::SkippedPassages(passages.len()));
        self.evidence.left_over.0 += passages.len();
        if self.may_miss_moves && passages.iter().any(|passage| prose::has_move(passage)) {
            self.miss_moves();
            self.is_certain = false;
        }
    }

    /// Returns whether this certainly is a record of a format that has names and ends, so that no other words state them.
    pub(super) fn has_head(&self, text: &str) -> bool {
        self.is_certain && self.container == Container::Record && self.format.rules().has_head(text)
    }

    pub(super) fn is_record(&self) -> bool {
        self.evidence.is_record && (self.evidence.moves > 0 || self.format == Format::Jkf)
    }

    /// Returns whether this is a single move without a position, which may be a word.
    pub(super) fn is_word(&self) -> bool {
        let is_open = self.games.iter().all(|game| game.end().is_none());
        self.format.rules().is_word_like(self)
            && is_open
            && self.evidence.moves < 2
            && self.header_keys().next().is_none()
            && !self.has_start()
    }

    /// Makes this a record: words that continue a board.
    pub(super) const fn make_record(&mut self) {
        (self.evidence.is_known_record, self.evidence.is_record) = (true, true);
    }

    /// Sets the container, unless the games have one of their own.
    pub(super) const fn set_container(&mut self, container: Container) {
        if matches!(self.container, Container::Record)
            || !matches!(container, Container::Record | Container::Quote)
        {
            self.container = container;
        }
    }

    /// Makes the only address of a text the container of the only game, if the address holds that game.
    pub(super) fn find_address(&mut self, text: &str) {
        let is_within = matches!(
            self.container,
            Container::Prose | Container::Mail | Container::Quote
        );
        let addresses = if is_within {
            prose::addresses(text)
        } else {
            Vec::new()
        };
        let ([game], [address]) = (self.games.as_slice(), addresses.as_slice()) else {
            return;
        };
        let moves = |usi: &str| usi.split_once(" moves ").map(|(_, moves)| moves.to_owned());
        let usi = game.history(usize::MAX).usi();
        if address::position_line(address).is_some_and(|line| moves(&line) == moves(&usi)) {
            self.container = address::container(address);
        }
    }

    pub(super) fn join(self, before: &mut Option<Self>) {
        match before {
            Some(before) => before.append(self),
            None => *before = Some(self),
        }
    }

    /// Adds the games of another text.
    fn append(&mut self, mut other: Self) {
        self.drop_growing_game(&mut other);
        let (all, more) = (&mut self.evidence, other.evidence);
        all.is_trusted &= more.is_trusted;
        all.is_known_record &= more.is_known_record;
        all.is_record &= more.is_record;
        all.moves += more.moves;
        all.nodes += more.nodes;
        all.left_over.0 += more.left_over.0;
        self.is_certain &= other.is_certain;
        self.is_complete &= other.is_complete;
        self.may_miss_moves |= other.may_miss_moves;
        self.games.extend(other.games);
        self.warnings.append(other.warnings);
    }

    /// Drops the last game if the first one of `other` repeats and continues it. The next state of a game has the names
    /// of an earlier one.
    fn drop_growing_game(&mut self, other: &mut Self) {
        let (Some(last), Some(next)) = (self.games.last(), other.games.first_mut()) else {
            return;
        };
        let has_new_end = next.len() == last.len() && next.end().is_some();
        let goes_on = next.len() == last.len() + 1 || has_new_end || last.is_empty() && !next.is_empty();
        let grows = goes_on && self.format == Format::Usi && last.end().is_none() && next.continues(last);
        let is_same = next.headers().is_empty() || next.headers() == last.headers();
        if !grows || !is_same {
            return;
        }
        if next.headers().is_empty() {
            next.headers_mut().extend_from_slice(last.headers());
        }
        self.evidence.moves -= last.len();
        self.evidence.nodes = self.evidence.nodes.saturating_sub(last.all().count() - 1);
        self.games.pop();
    }

    /// Returns whether moves in words continue the record: in lines of no record, or behind a key such as 正解.
    pub(super) fn has_moves_in_words(&self) -> bool {
        let mut headers = self.games.iter().flat_map(Record::headers);
        self.warnings.has_unknown(prose::has_move, true)
            || headers.any(|(key, value)| kif::stands_before_moves(key) && prose::has_move(value))
    }

    /// Returns whether a game has a move, or an end in place of one.
    pub(super) fn is_begun(&self) -> bool {
        self.games
            .iter()
            .any(|game| !game.is_empty() || game.end().is_some())
    }

    /// Returns whether a game begins with another position than the usual one.
    fn has_start(&self) -> bool {
        self.games.iter().any(|game| game.nonstandard_start().is_some())
    }

    fn header_keys(&self) -> impl Iterator<Item = &str> {
        self.games
            .iter()
            .flat_map(|game| game.headers().iter().map(|(key, _)| key.as_str()))
    }
}

impl FoundGames for ReadingCandidate {
    fn moves(&self) -> usize {
        self.evidence.moves
    }

    fn left_over(&self) -> usize {
        self.evidence.left_over.0
    }

    fn is_known_record(&self) -> bool {
        self.evidence.is_known_record
    }

    fn is_complete(&self) -> bool {
        self.is_complete
    }

    fn has_unknown_moves(&self, counts_lines: bool) -> bool {
        self.warnings.has_unknown(prose::has_move, counts_lines)
    }

    fn may_miss_moves(&self) -> bool {
        self.may_miss_moves
    }

    fn has_headers(&self) -> bool {
        self.header_keys().next().is_some()
    }

    fn has_moves_for_names(&self) -> bool {
        let mut headers = self.games.iter().flat_map(Record::headers);
        self.evidence.moves == 0
            && headers.any(|(key, value)| prose::HEADER_KEYS.contains(&key.as_str()) && prose::is_move(value))
    }

    fn has_other_headers(&self) -> bool {
        self.header_keys().any(|key| !prose::HEADER_KEYS.contains(&key))
    }

    fn has_unnamed_start(&self) -> bool {
        let mut starts = self.games.iter().filter_map(Record::nonstandard_start);
        starts.any(|start| handicap::name(&start).is_none())
    }

    fn has_details(&self) -> bool {
        self.games.iter().any(|game| {
            game.all()
                .map(|id| game.node(id))
                .any(|node| *node.notes() != Notes::default() || node.time != Time::default())
        })
    }
}

/// Returns the container of the games of a text.
pub(super) fn container_of(format: Format, text: &str) -> Container {
    match format {
        Format::UsiLog => Container::Log,
        Format::Prose => Container::Prose,
        Format::Usi | Format::Usen => address::container_of_lines(text),
        _ => Container::Record,
    }
}

/// Returns the error of a text without a game. The text can contain a line that looks like a record by accident.
pub(super) fn no_game_error(warnings: &Warnings) -> ReadError {
    let reason = warnings.fatal_warning().cloned().map(Box::new);
    reason.map_or(ReadError::Other(FoundContent::Text), ReadError::Unusable)
}
