//! Decides when a text that another program writes is accepted as the game.
//!
//! A file may be read while it is written. The last line may be cut, the text may be shorter than before, and the rest
//! may arrive in pieces. So a doubtful reading is accepted only after it is unchanged for [`QUIET_TIME`].

mod followed_game;
#[cfg(test)]
mod samples;

#[cfg(test)]
pub(crate) use samples::{growth, read, text};

use followed_game::{ContentPosition, GameSearch, GameSelection, KnownGame, SelectedGame};
use shogibar_kifu::{Format, ReadError, Record, RecordProblem, Step};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// The time without a change after which a doubtful text is accepted.
pub const QUIET_TIME: Duration = Duration::from_secs(2);

/// The longest time for which changes delay a text, as a multiple of [`QUIET_TIME`]. A beginning of a game that was read
/// before is delayed further.
const RESTLESS_FACTOR: u32 = 5;

/// The number of consecutive polls in which a text only grows, from which it counts as a stream of moves. A file that
/// is rewritten in pieces is not a stream.
const MIN_STREAM_POLLS: u32 = 10;

/// The number of consecutive changes by one move from which a text counts as a game in progress.
const MIN_STEPS: u32 = 2;
/// The minimum time between two changes by one move.
const MIN_STEP_TIME: Duration = Duration::from_millis(300);

/// The maximum number of last moves in which a corrected text differs from the known game. The corrected text may have
/// one move more.
const MAX_CORRECTED_MOVES: usize = 3;

/// How certain it is that a content is complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadCertainty {
    /// The file may be in the middle of a change.
    MayBePartial,
    /// The whole answer has arrived, by its declared length.
    Whole,
    /// No program is changing the text: the file is unchanged for [`QUIET_TIME`], or whole lines arrive in order.
    Settled,
}

/// The result of a check of the content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReaderUpdate {
    /// The game has changed.
    Changed(Arc<Record>),
    /// Nothing has changed.
    Same,
    /// The content is doubtful. It is accepted if it is unchanged after [`QUIET_TIME`].
    Doubtful,
    /// The content is not a record, and no longer changes.
    Unreadable(ReadError),
    /// The content can be read, but it does not have the followed game.
    Missing,
}

/// A content that is not accepted yet. Times are those of the caller's clock.
#[derive(Clone, Copy, Debug)]
struct Doubt {
    /// The time of the first doubtful content since the last accepted one.
    first_time: Duration,
    /// The time at which the content is accepted if it is unchanged.
    accept_at: Duration,
}

/// The growth of a text that is not accepted yet. A game in progress grows move by move, a file that is being written
/// grows in pieces.
#[derive(Clone, Copy, Debug, Default)]
struct GamePace {
    last_change: Duration,
    /// The number of consecutive changes by one move.
    steps: u32,
}

impl GamePace {
    /// Records a change at the time `now`, which has added this number of moves; `None` for another change.
    fn record_change(&mut self, now: Duration, added: Option<usize>) {
        if added == Some(0) {
            return;
        }
        let is_step = added == Some(1) && now >= self.last_change + MIN_STEP_TIME;
        *self = Self {
            last_change: now,
            steps: if is_step { self.steps.saturating_add(1) } else { 0 },
        };
    }

    /// Returns whether the text grows move by move.
    const fn is_played(&self) -> bool {
        self.steps >= MIN_STEPS
    }
}

/// The reader of one growing record.
#[derive(Debug)]
pub struct GameReader {
    /// The file name, which may reveal the format.
    name: PathBuf,
    selection: GameSelection,
    /// The time without a change after which a doubtful text is accepted.
    quiet_time: Duration,
    /// The known game; `None` before the first accepted content.
    record: Option<Arc<Record>>,
    /// The place of the known game in its content.
    position: ContentPosition,
    /// The number of games that were followed before the known one.
    earlier_games: u32,
    /// Whether the last content does not have the followed game.
    is_missing: bool,
    known_text: Vec<u8>,
    /// The size and hash of the content at the last check.
    last_content: Option<(usize, u64)>,
    /// The last record that was read and not accepted. A beginning of it, which may be half written, does not replace it.
    rejected_record: Option<Record>,
    /// The number of consecutive polls in which the content has only grown, or has more moves.
    growth: u32,
    /// The growth of the text before it is accepted for the first time.
    pace: GamePace,
    /// The times of a content that is not accepted yet; `None` if the last content was accepted.
    doubt: Option<Doubt>,
    /// The format of the known game; `None` before the first accepted content.
    format: Option<Format>,
}

/// A record that was read from the whole content, or from the content without a cut last line.
struct Candidate {
    record: Record,
    /// The place of the record in the content.
    position: ContentPosition,
    /// Whether this is the next game, not the known one.
    is_next: bool,
    format: Format,
    /// Whether the record breaks off or is damaged.
    is_broken: bool,
}

impl GameReader {
    /// Creates a reader of a record with this file name, which accepts a doubtful text after `quiet_time`.
    pub fn new(name: &Path, quiet_time: Duration) -> Self {
        Self {
            name: name.to_owned(),
            selection: GameSelection::Last,
            quiet_time,
            record: None,
            position: ContentPosition::default(),
            earlier_games: 0,
            is_missing: false,
            known_text: Vec::new(),
            last_content: None,
            rejected_record: None,
            growth: 0,
            pace: GamePace::default(),
            doubt: None,
            format: None,
        }
    }

    /// Returns the reader that follows one game among several: at first the one with this number, from 1, or the last
    /// one for `None`. Later the same game, wherever it is, and without a number also the next game. A reader that
    /// follows no game reads the last one of each content.
    #[must_use]
    pub fn for_game(self, number: Option<usize>) -> Self {
        Self {
            selection: GameSelection::Followed(number),
            ..self
        }
    }

    /// Sets the file name, if the content comes from another file now.
    pub fn set_name(&mut self, name: &Path) {
        name.clone_into(&mut self.name);
    }

    /// Returns the number of games that were followed before the known one.
    pub const fn earlier_games(&self) -> u32 {
        self.earlier_games
    }

    /// Returns whether the last content does not have the followed game.
    pub const fn is_missing(&self) -> bool {
        self.is_missing
    }

    /// Returns the known game; `None` before the first accepted content.
    pub const fn known(&self) -> Option<&Arc<Record>> {
        self.record.as_ref()
    }

    /// Returns the part of a content that the known game was read from: the whole content, or all but a cut last line.
    /// `None` for another content.
    pub fn known_part<'b>(&self, content: &'b [u8]) -> Option<&'b [u8]> {
        let part = content.get(..self.known_text.len())?;
        (self.record.is_some() && part == self.known_text).then_some(part)
    }

    /// Returns whether the record is CSA.
    pub fn is_csa(&self) -> bool {
        self.format == Some(Format::Csa)
    }

    /// Returns whether the last content was doubtful, so that a later check decides.
    pub const fn is_doubtful(&self) -> bool {
        self.doubt.is_some()
    }

    /// Returns whether a check of an unchanged content decides now.
    pub fn is_due(&self, now: Duration) -> bool {
        self.doubt.is_some_and(|doubt| doubt.accept_at <= now)
    }

    /// Records a poll at which the content had not changed.
    pub const fn reset_growth(&mut self) {
        self.growth = 0;
    }

    /// Reads the content at the time `now`. Returns what changes, or that the content may be half written.
    pub fn update(&mut self, now: Duration, bytes: &[u8], certainty: ReadCertainty) -> ReaderUpdate {
        let stamp = (bytes.len(), fingerprint(bytes));
        let has_grown = self.last_content.is_some_and(|(size, hash)| {
            size < bytes.len()
                && bytes
                    .get(..size)
                    .is_some_and(|before| fingerprint(before) == hash)
        });
        let growth = self.growth.saturating_add(1);
        self.growth = if has_grown { growth } else { 0 };
        if self.last_content.replace(stamp) == Some(stamp) && certainty != ReadCertainty::Settled {
            return if self.is_missing {
                ReaderUpdate::Missing
            } else {
                self.confirm(now, bytes)
            };
        }
        let since = self.doubt.map_or(now, |doubt| doubt.first_time);
        if certainty == ReadCertainty::Settled {
            self.doubt = Some(Doubt {
                first_time: since,
                accept_at: now,
            });
            return self.confirm(now, bytes);
        }
        let doubt = Doubt {
            first_time: since,
            accept_at: now + self.quiet_time,
        };
        let settled = without_cut_line(bytes);
        let whole = self.read(bytes);
        let is_whole = |whole: &Option<Candidate>| {
            settled.len() == bytes.len() || whole.as_ref().is_some_and(|whole| is_complete(bytes, whole))
        };
        let (candidate, size) = match whole {
            Ok(whole) if is_whole(&whole) => (Ok(whole), bytes.len()),
            _ if settled.len() < bytes.len() => (self.read(settled), settled.len()),
            other => (other, bytes.len()),
        };
        let candidate = match candidate {
            Ok(Some(candidate)) => candidate,
            // A first whole answer without the game is reported at once. A known game may be in the rest of a content.
            Ok(None) if self.is_missing || certainty == ReadCertainty::Whole && self.record.is_none() => {
                return self.miss();
            }
            // A whole answer with other content does not become a record by waiting, so it is refused at once. An empty
            // answer may become a record.
            Err(error @ (ReadError::Other(_) | ReadError::Unusable(_)))
                if certainty == ReadCertainty::Whole && self.record.is_none() =>
            {
                (self.last_content, self.doubt) = (None, None);
                return ReaderUpdate::Unreadable(error);
            }
            Ok(None) | Err(_) => {
                self.doubt = Some(doubt);
                return ReaderUpdate::Doubtful;
            }
        };
        let is_settled = size == bytes.len();
        let before = self.rejected_record.as_ref().or(self.record.as_deref());
        let added = before.and_then(|before| added_moves(&candidate.record, before));
        if added.is_some_and(|moves| moves > 0) {
            self.growth = growth;
        }
        self.pace.record_change(now, added);
        if candidate.is_broken
            || !self.is_accepted_at_once(&candidate.record, size, is_settled, certainty, now)
        {
            self.doubt = Some(doubt);
            if !self.begins_rejected(&candidate.record) {
                self.rejected_record = Some(candidate.record);
            }
            return ReaderUpdate::Doubtful;
        }
        // The line that was left out is accepted later.
        self.doubt = (!is_settled).then_some(Doubt {
            first_time: now,
            ..doubt
        });
        match self.accept(candidate, bytes.get(..size).unwrap_or_default()) {
            ReaderUpdate::Same if self.doubt.is_some() => ReaderUpdate::Doubtful,
            update => update,
        }
    }

    /// Reads the unchanged content at a later check. Returns what changes once the content is accepted.
    pub fn confirm(&mut self, now: Duration, bytes: &[u8]) -> ReaderUpdate {
        if self.doubt.is_none() {
            return ReaderUpdate::Same;
        }
        if !self.is_due(now) {
            return ReaderUpdate::Doubtful;
        }
        self.doubt = None;
        let (finished, content) = match self.read(bytes) {
            Ok(Some(whole)) if is_half_move(bytes, &whole) => {
                let settled = without_cut_line(bytes);
                (self.read(settled), settled)
            }
            whole => (whole, bytes),
        };
        match finished {
            // A cut file does not undo the end of the game. The text of another game differs before it is as long.
            Ok(Some(cut)) if self.is_known_end_cut(&cut.record, bytes) => ReaderUpdate::Same,
            Ok(Some(finished)) => self.accept(finished, content),
            Ok(None) => self.miss(),
            Err(error) => {
                self.last_content = None;
                ReaderUpdate::Unreadable(error)
            }
        }
    }

    /// Returns whether a record is accepted at once. `size` is the number of bytes it was read from, `is_settled`
    /// whether these are the whole content. A first record has to be a whole answer, a finished game, or a game in
    /// progress. A later record has to continue or correct the known game. After long changes, any other record is
    /// accepted, too, except a beginning of the known game or of a longer one that was read since.
    fn is_accepted_at_once(
        &self,
        record: &Record,
        size: usize,
        is_settled: bool,
        certainty: ReadCertainty,
        now: Duration,
    ) -> bool {
        let is_restless = self
            .doubt
            .is_some_and(|doubt| doubt.first_time + self.quiet_time * RESTLESS_FACTOR <= now)
            && !self.begins_rejected(record);
        let is_whole = certainty == ReadCertainty::Whole;
        let is_stream = self.growth >= MIN_STREAM_POLLS;
        let Some(known) = &self.record else {
            let goes_on = is_stream || self.pace.is_played();
            return is_whole || is_restless || goes_on || is_settled && record.decisive_end().is_some();
        };
        if is_prefix(record, known, is_settled) {
            return false;
        }
        let is_steady = self.doubt.is_none();
        let goes_on = match added_moves(record, known) {
            Some(0) => size >= self.known_text.len(),
            Some(1) => true,
            // Several moves at once may be a part of more moves. So the content has to be whole and steady, or a
            // stream.
            Some(_) => is_whole && is_steady || is_stream,
            None => is_steady && is_correction(record, known),
        };
        goes_on || is_restless
    }

    /// Returns whether the moves of a record are the first ones of the longer record that was rejected before.
    fn begins_rejected(&self, record: &Record) -> bool {
        self.rejected_record
            .as_ref()
            .is_some_and(|rejected| added_moves(rejected, record).is_some_and(|moves| moves > 0))
    }

    /// Returns whether a record is the known decided game without its end, and `text` begins the known text.
    fn is_known_end_cut(&self, record: &Record, text: &[u8]) -> bool {
        self.record.as_ref().is_some_and(|known| loses_end(record, known))
            && self.known_text.starts_with(text)
    }

    /// Stores a record and its text as the known game. Returns whether the game has changed.
    fn accept(&mut self, candidate: Candidate, text: &[u8]) -> ReaderUpdate {
        (self.format, self.rejected_record) = (Some(candidate.format), None);
        (self.position, self.is_missing) = (candidate.position, false);
        self.earlier_games += u32::from(candidate.is_next);
        text.clone_into(&mut self.known_text);
        if self.record.as_deref() == Some(&candidate.record) {
            return ReaderUpdate::Same;
        }
        let record = Arc::new(candidate.record);
        self.record = Some(Arc::clone(&record));
        ReaderUpdate::Changed(record)
    }

    /// Records that the content does not have the followed game.
    fn miss(&mut self) -> ReaderUpdate {
        (self.is_missing, self.doubt, self.rejected_record) = (true, None, None);
        ReaderUpdate::Missing
    }

    /// Reads the selected game; `None` if the content does not have it.
    fn read(&self, bytes: &[u8]) -> Result<Option<Candidate>, ReadError> {
        let known = self.record.as_deref().map(|record| KnownGame {
            record,
            position: self.position,
        });
        read_one(bytes, &self.name, GameSearch::new(self.selection, known))
    }
}

/// Returns a content without a last line that is only the beginning of a move or of an end. A move of KIF then lacks
/// its origin, one of CSA its piece. Other content is returned unchanged.
pub fn finished_text<'b>(bytes: &'b [u8], name: &Path) -> &'b [u8] {
    let settled = without_cut_line(bytes);
    // Nearly every file ends with a line end, and is then not read for this.
    if settled.len() < bytes.len()
        && let Ok(Some(whole)) = read_one(bytes, name, GameSearch::new(GameSelection::Last, None))
        && is_half_move(bytes, &whole)
    {
        return settled;
    }
    bytes
}

/// Reads the games of a content, and returns the one that the search selects; `None` if the content does not have it.
fn read_one(bytes: &[u8], name: &Path, mut search: GameSearch<'_>) -> Result<Option<Candidate>, ReadError> {
    let summary = shogibar_kifu::read_each(bytes, name, &mut |game| search.add(game))?;
    let Some(SelectedGame {
        record,
        position,
        is_next,
    }) = search.finish()
    else {
        return Ok(None);
    };
    let breaks = |problem: &RecordProblem| {
        matches!(
            problem,
            RecordProblem::UnexpectedEnd
                | RecordProblem::InvalidJson(_)
                | RecordProblem::UndecodableCharacters(..)
        )
    };
    let is_cut = record.end().is_some_and(shogibar_kifu::End::is_cut);
    // The headers of CSA are there, and its position is not yet.
    let lacks_start =
        |problem: &RecordProblem| matches!(problem, RecordProblem::OddStart(_)) && record.is_empty();
    let is_broken = is_cut
        || summary
            .warnings
            .iter()
            .any(|warning| breaks(&warning.problem) || lacks_start(&warning.problem));
    Ok(Some(Candidate {
        record,
        position,
        is_next,
        format: summary.format,
        is_broken,
    }))
}

/// Returns the content without a last line that has no line end, and so may be cut.
fn without_cut_line(bytes: &[u8]) -> &[u8] {
    let used = bytes
        .iter()
        .rposition(|byte| !matches!(byte, 0 | 0x1a))
        .map_or(0, |last| last + 1);
    if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
        let end: [u8; 2] = if bytes.starts_with(b"\xff\xfe") {
            [b'\n', 0]
        } else {
            [0, b'\n']
        };
        let units = bytes.len() / 2;
        let last = bytes
            .chunks_exact(2)
            .rposition(|unit| unit == end)
            .map_or(0, |at| (at + 1) * 2);
        return if last == units * 2 && bytes.len() == last {
            bytes
        } else {
            bytes.get(..last).unwrap_or_default()
        };
    }
    let last = bytes
        .get(..used)
        .and_then(|used| used.iter().rposition(|byte| matches!(byte, b'\n' | b'\r')));
    let end = last.map_or(0, |at| at + 1);
    if end == used {
        bytes
    } else {
        bytes.get(..end).unwrap_or_default()
    }
}

/// Returns whether a content without a last line end is nevertheless complete. This holds for a page, a whole JSON text,
/// a KIF move with its bracket, a CSA move and a known end.
fn is_complete(bytes: &[u8], whole: &Candidate) -> bool {
    if whole.is_broken {
        return false;
    }
    let line = last_line(bytes);
    match whole.format {
        _ if line.ends_with(b">") => true,
        Format::Jkf => true,
        Format::Csa => {
            has_plain_end(whole) || line.len() == 7 && line.first().is_some_and(|sign| b"+-".contains(sign))
        }
        Format::Kif => has_plain_end(whole) || line.ends_with(b")"),
        _ => false,
    }
}

/// Returns whether the last line has no line end and is the beginning of a move or of an end. In KIF, the origin or 打
/// is missing; in CSA, the piece is.
fn is_half_move(bytes: &[u8], whole: &Candidate) -> bool {
    if without_cut_line(bytes).len() == bytes.len() || has_plain_end(whole) {
        return false;
    }
    let line = last_line(bytes).trim_ascii_start();
    match whole.format {
        Format::Csa => match line.first() {
            Some(b'+' | b'-') => line.len() < 7,
            first => first == Some(&b'%'),
        },
        Format::Kif => {
            let is_origin = |part: &[u8]| matches!(part, [b'(', file, rank, b')'] if file.is_ascii_digit() && rank.is_ascii_digit());
            let is_drop = DROP_WORDS
                .iter()
                .any(|word| line.windows(word.len()).any(|part| part == *word));
            // If no move has an origin, the file is written by hand. A move without one may then be complete.
            let others = without_cut_line(bytes)
                .split(|byte| *byte == b'\n')
                .map(<[u8]>::trim_ascii_start);
            let mut moves = others
                .filter(|line| line.first().is_some_and(u8::is_ascii_digit))
                .peekable();
            let has_origins = moves.peek().is_none() || moves.any(|line| line.windows(4).any(is_origin));
            line.first().is_some_and(u8::is_ascii_digit)
                && !is_drop
                && !line.windows(4).any(is_origin)
                && has_origins
        }
        _ => false,
    }
}

/// The word for a drop, 打, in UTF-8 and in `Shift_JIS`.
const DROP_WORDS: [&[u8]; 2] = ["打".as_bytes(), b"\x91\xc5"];

/// Returns the bytes after the last line feed.
fn last_line(bytes: &[u8]) -> &[u8] {
    bytes.rsplit(|byte| *byte == b'\n').next().unwrap_or_default()
}

/// Returns whether a record has an end of a known kind.
fn has_plain_end(whole: &Candidate) -> bool {
    whole
        .record
        .end()
        .is_some_and(|end| end.words().is_empty() && !end.is_cut())
}

fn steps(record: &Record) -> Vec<&Step> {
    record.main_line().map(|id| record.node(id).step()).collect()
}

/// Returns whether the main line of a record is a beginning of the main line of the known one. If both have the same
/// length, this counts only when the last line of the content was left out.
fn is_prefix(record: &Record, known: &Record, is_settled: bool) -> bool {
    let (new, old) = (steps(record), steps(known));
    record.start() == known.start() && old.starts_with(&new) && (new.len() < old.len() || !is_settled)
}

/// Returns the number of moves of a record beyond those of the known one; `None` if the record lacks a known move.
fn added_moves(record: &Record, known: &Record) -> Option<usize> {
    let (new, old): (Vec<_>, Vec<_>) = (record.moves().collect(), known.moves().collect());
    (record.start() == known.start() && new.starts_with(&old)).then(|| new.len() - old.len())
}

/// Returns whether a record differs from the known one only in its last moves, and has at most one move more.
fn is_correction(record: &Record, known: &Record) -> bool {
    let (new, old): (Vec<_>, Vec<_>) = (record.moves().collect(), known.moves().collect());
    let shared = new.iter().zip(&old).take_while(|(new, old)| new == old).count();
    record.start() == known.start() && old.len() - shared <= MAX_CORRECTED_MOVES && new.len() <= old.len() + 1
}

/// Returns whether a record is the known decided game without its end, or a beginning of this game.
fn loses_end(record: &Record, known: &Record) -> bool {
    known.decisive_end().is_some() && record.decisive_end().is_none() && added_moves(known, record).is_some()
}

/// Returns the FNV-1a hash with 64 bits.
pub(crate) fn fingerprint(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests;
