//! Decides when a text that another program writes is accepted as the game.
//!
//! A file may be read while it is written. The last line may be cut, the text may be shorter than before, and the rest
//! may arrive in pieces. So a doubtful reading is accepted only after it is unchanged for [`QUIET_TIME`].

#[cfg(test)]
mod samples;

#[cfg(test)]
pub(crate) use samples::{growth, read, text};

use crate::kifu::{self, Format, ReadError, Record, RecordProblem, Step};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// The time without a change after which a doubtful text is accepted.
pub const QUIET_TIME: Duration = Duration::from_secs(2);

/// The longest time for which changes delay a text, as a multiple of [`QUIET_TIME`]. A beginning of the known game is
/// delayed further.
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
    /// The time of the last change.
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
        *self = Self { last_change: now, steps: if is_step { self.steps.saturating_add(1) } else { 0 } };
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
    /// The number of the game in the content, from 1; `None` for the last one.
    game_number: Option<usize>,
    /// The time without a change after which a doubtful text is accepted.
    quiet_time: Duration,
    /// The known game; `None` before the first accepted content.
    record: Option<Arc<Record>>,
    /// The content that the known game was read from.
    known_text: Vec<u8>,
    /// The size and hash of the content at the last check.
    last_content: Option<(usize, u64)>,
    /// The last record that was read and not accepted.
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
    format: Format,
    /// Whether the record breaks off or is damaged.
    is_broken: bool,
}

impl GameReader {
    /// Creates a reader of a record with this file name, which accepts a doubtful text after `quiet_time`.
    pub fn new(name: &Path, quiet_time: Duration) -> Self {
        Self {
            name: name.to_owned(),
            game_number: None,
            quiet_time,
            record: None,
            known_text: Vec::new(),
            last_content: None,
            rejected_record: None,
            growth: 0,
            pace: GamePace::default(),
            doubt: None,
            format: None,
        }
    }

    /// Returns the reader for one of several games, from 1; `None` is the last one.
    #[must_use]
    pub fn for_game(self, number: Option<usize>) -> Self {
        Self { game_number: number, ..self }
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
            size < bytes.len() && bytes.get(..size).is_some_and(|before| fingerprint(before) == hash)
        });
        let growth = self.growth.saturating_add(1);
        self.growth = if has_grown { growth } else { 0 };
        if self.last_content.replace(stamp) == Some(stamp) && certainty != ReadCertainty::Settled {
            return self.confirm(now, bytes);
        }
        let since = self.doubt.map_or(now, |doubt| doubt.first_time);
        if certainty == ReadCertainty::Settled {
            self.doubt = Some(Doubt { first_time: since, accept_at: now });
            return self.confirm(now, bytes);
        }
        let doubt = Doubt { first_time: since, accept_at: now + self.quiet_time };
        let settled = without_cut_line(bytes);
        let whole = self.read(bytes);
        let candidate = match whole {
            Ok(whole) if settled.len() == bytes.len() || is_complete(bytes, &whole) => Ok((whole, bytes.len())),
            Ok(_) | Err(_) if settled.len() < bytes.len() => self.read(settled).map(|read| (read, settled.len())),
            other => other.map(|whole| (whole, bytes.len())),
        };
        let (candidate, size) = match candidate {
            Ok(candidate) => candidate,
            // A whole answer with other content does not become a record by waiting, so it is refused at once. An empty
            // answer may become a record.
            Err(error @ (ReadError::Other(_) | ReadError::Unusable(_)))
                if certainty == ReadCertainty::Whole && self.record.is_none() =>
            {
                (self.last_content, self.doubt) = (None, None);
                return ReaderUpdate::Unreadable(error);
            }
            Err(_) => {
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
        if candidate.is_broken || !self.is_accepted_at_once(&candidate.record, size, is_settled, certainty, now) {
            (self.doubt, self.rejected_record) = (Some(doubt), Some(candidate.record));
            return ReaderUpdate::Doubtful;
        }
        // The line that was left out is accepted later.
        self.doubt = (!is_settled).then_some(Doubt { first_time: now, ..doubt });
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
        let finished = match self.read(bytes) {
            Ok(whole) if is_half_move(bytes, &whole) => {
                let settled = without_cut_line(bytes);
                self.read(settled).map(|read| (read, settled.len()))
            }
            whole => whole.map(|whole| (whole, bytes.len())),
        };
        match finished {
            // A cut file does not undo the end of the game. The text of another game differs before it is as long.
            Ok((cut, _)) if self.is_known_end_cut(&cut.record, bytes) => ReaderUpdate::Same,
            Ok((finished, size)) => self.accept(finished, bytes.get(..size).unwrap_or_default()),
            Err(error) => {
                self.last_content = None;
                ReaderUpdate::Unreadable(error)
            }
        }
    }

    /// Returns whether a record is accepted at once. `size` is the number of bytes it was read from, `is_settled`
    /// whether these are the whole content. A first record has to be a whole answer, a finished game, or a game in
    /// progress. A later record has to continue or correct the known game. After long changes, any other record is
    /// accepted, too, except a beginning of the known game.
    fn is_accepted_at_once(
        &self,
        record: &Record,
        size: usize,
        is_settled: bool,
        certainty: ReadCertainty,
        now: Duration,
    ) -> bool {
        let is_restless = self.doubt.is_some_and(|doubt| doubt.first_time + self.quiet_time * RESTLESS_FACTOR <= now);
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

    /// Returns whether a record is the known decided game without its end, and `text` begins the known text.
    fn is_known_end_cut(&self, record: &Record, text: &[u8]) -> bool {
        self.record.as_ref().is_some_and(|known| loses_end(record, known)) && self.known_text.starts_with(text)
    }

    /// Stores a record and its text as the known game. Returns whether the game has changed.
    fn accept(&mut self, candidate: Candidate, text: &[u8]) -> ReaderUpdate {
        (self.format, self.rejected_record) = (Some(candidate.format), None);
        text.clone_into(&mut self.known_text);
        if self.record.as_deref() == Some(&candidate.record) {
            return ReaderUpdate::Same;
        }
        let record = Arc::new(candidate.record);
        self.record = Some(Arc::clone(&record));
        ReaderUpdate::Changed(record)
    }

    /// Reads the game with the number of the reader.
    fn read(&self, bytes: &[u8]) -> Result<Candidate, ReadError> {
        read_one(bytes, &self.name, self.game_number)
    }
}

/// Returns a content without a last line that is only the beginning of a move or of an end. A move of KIF then lacks
/// its origin, one of CSA its piece. Other content is returned unchanged.
pub fn finished_text<'b>(bytes: &'b [u8], name: &Path) -> &'b [u8] {
    let settled = without_cut_line(bytes);
    // Nearly every file ends with a line end, and is then not read for this.
    if settled.len() < bytes.len() && read_one(bytes, name, None).is_ok_and(|whole| is_half_move(bytes, &whole)) {
        return settled;
    }
    bytes
}

/// Reads one of the games of a content: the one with a number from 1, or the last one for `None`.
fn read_one(bytes: &[u8], name: &Path, number: Option<usize>) -> Result<Candidate, ReadError> {
    let (mut found, mut count) = (None, 0);
    let summary = kifu::read_each(bytes, name, &mut |game| {
        count += 1;
        if number.is_none_or(|number| number == count) {
            found = Some(game);
        }
    })?;
    let record = found.ok_or(ReadError::Empty)?;
    let breaks = |problem: &RecordProblem| {
        matches!(
            problem,
            RecordProblem::UnexpectedEnd | RecordProblem::InvalidJson(_) | RecordProblem::UndecodableCharacters(..)
        )
    };
    let is_cut = record.end().is_some_and(kifu::End::is_cut);
    let is_broken = is_cut || summary.warnings.iter().any(|warning| breaks(&warning.problem));
    Ok(Candidate { record, format: summary.format, is_broken })
}

/// Returns the content without a last line that has no line end, and so may be cut.
fn without_cut_line(bytes: &[u8]) -> &[u8] {
    let used = bytes.iter().rposition(|byte| !matches!(byte, 0 | 0x1a)).map_or(0, |last| last + 1);
    if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
        let end: [u8; 2] = if bytes.starts_with(b"\xff\xfe") { [b'\n', 0] } else { [0, b'\n'] };
        let units = bytes.len() / 2;
        let last = bytes.chunks_exact(2).rposition(|unit| unit == end).map_or(0, |at| (at + 1) * 2);
        return if last == units * 2 && bytes.len() == last { bytes } else { bytes.get(..last).unwrap_or_default() };
    }
    let last = bytes.get(..used).and_then(|used| used.iter().rposition(|byte| matches!(byte, b'\n' | b'\r')));
    let end = last.map_or(0, |at| at + 1);
    if end == used { bytes } else { bytes.get(..end).unwrap_or_default() }
}

/// Returns whether a content without a last line end is nevertheless complete. This holds for a whole JSON text, a KIF
/// move with its bracket, a CSA move and a known end.
fn is_complete(bytes: &[u8], whole: &Candidate) -> bool {
    if whole.is_broken {
        return false;
    }
    let line = last_line(bytes);
    match whole.format {
        Format::Jkf => true,
        Format::Csa => has_plain_end(whole) || line.len() == 7 && line.first().is_some_and(|sign| b"+-".contains(sign)),
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
            let is_drop = DROP_WORDS.iter().any(|word| line.windows(word.len()).any(|part| part == *word));
            // If no move has an origin, the file is written by hand. A move without one may then be complete.
            let others = without_cut_line(bytes).split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii_start);
            let mut moves = others.filter(|line| line.first().is_some_and(u8::is_ascii_digit)).peekable();
            let has_origins = moves.peek().is_none() || moves.any(|line| line.windows(4).any(is_origin));
            line.first().is_some_and(u8::is_ascii_digit) && !is_drop && !line.windows(4).any(is_origin) && has_origins
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
    whole.record.end().is_some_and(|end| end.words().is_empty() && !end.is_cut())
}

/// Returns the steps of a record's main line.
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
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the number of moves of a changed game; `None` for another update.
    fn moves(update: &ReaderUpdate) -> Option<usize> {
        match update {
            ReaderUpdate::Changed(record) => Some(record.len()),
            _ => None,
        }
    }

    const GAME: &str = "V2\nPI\n+\n+7776FU\nT1\n-3334FU\nT12\n+2726FU\nT3\n%TORYO\n";

    /// Returns a game of this number of moves, of which each text is the beginning of the next.
    fn shuffle(moves: usize) -> String {
        let cycle = ["+2838HI\n", "-8272HI\n", "+3828HI\n", "-7282HI\n"].into_iter().cycle();
        ["V2\nPI\n+\n"].into_iter().chain(cycle.take(moves)).collect()
    }

    /// A reader with a clock that the test moves.
    struct TimedReader {
        reader: GameReader,
        now: Duration,
    }

    impl Default for TimedReader {
        fn default() -> Self {
            Self { reader: GameReader::new(Path::new(""), QUIET_TIME), now: Duration::ZERO }
        }
    }

    impl TimedReader {
        /// Checks a text `millis` milliseconds after the last check. Returns the result.
        fn after(&mut self, millis: u64, text: impl AsRef<[u8]>, certainty: ReadCertainty) -> ReaderUpdate {
            self.now += Duration::from_millis(millis);
            self.reader.update(self.now, text.as_ref(), certainty)
        }

        /// Checks a text that may be in the middle of a change.
        fn partial(&mut self, millis: u64, text: impl AsRef<[u8]>) -> ReaderUpdate {
            self.after(millis, text, ReadCertainty::MayBePartial)
        }

        /// Creates a reader that has accepted a text.
        fn knowing(text: &str) -> Self {
            let mut timed = Self::default();
            assert!(matches!(timed.after(0, text, ReadCertainty::Settled), ReaderUpdate::Changed(_)));
            timed
        }
    }

    #[test]
    fn a_first_reading_waits_until_the_file_rests() {
        let begun = "V2\nPI\n+\n+7776FU\nT1\n";
        let mut timed = TimedReader::default();
        assert_eq!(timed.partial(0, begun), ReaderUpdate::Doubtful);
        let longer = format!("{begun}-3334FU\n");
        assert_eq!(timed.partial(1900, &longer), ReaderUpdate::Doubtful);
        assert_eq!(timed.partial(1900, &longer), ReaderUpdate::Doubtful);
        assert_eq!(moves(&timed.partial(100, &longer)), Some(2));
        assert_eq!(moves(&TimedReader::default().partial(0, GAME)), Some(3), "nothing comes after an end");
        let mut restless = TimedReader::default();
        let taken = (1..99).find(|count| moves(&restless.partial(500, format!("{begun}'{count}\n"))).is_some());
        assert_eq!(taken, Some(21), "ten seconds at most");
    }

    #[test]
    fn a_game_that_grows_by_single_moves_is_accepted_at_once() {
        let taken_with = |millis: u64, step: usize, last: &str| {
            let mut timed = TimedReader::default();
            (0..40).find_map(|count| {
                let taken = moves(&timed.partial(millis, shuffle(8 + step * count) + last));
                // Between two changes are polls without one.
                timed.reader.reset_growth();
                taken
            })
        };
        let taken = |millis: u64, step: usize| taken_with(millis, step, "");
        assert_eq!([taken(1500, 1), taken(500, 1)], [Some(10), Some(10)], "after two moves");
        assert_eq!(taken_with(500, 1, "'now\n"), Some(10), "also where the whole file is written anew");
        assert_eq!(taken(500, 2), Some(8 + 2 * 20), "several at once may be pieces: ten seconds at most");
        assert_eq!(taken(200, 1), None, "so may be what comes quickly");
        let mut timed = TimedReader::default();
        let begun = ["V2\nPI\n+\n+2838HI\n", "V2\nPI\n+\n+2838HI\n-82", "V2\nPI\n+\n+2838HI\n-8272HI\n"];
        let read = begun.map(|text| moves(&timed.partial(1000, text)));
        assert_eq!(
            (read, moves(&timed.partial(1000, shuffle(3)))),
            ([None; 3], Some(3)),
            "a line may come in two parts"
        );
    }

    /// Fifty moves per second: a program that rewrites a file does not write at every check.
    #[test]
    fn a_stream_of_moves_is_taken_without_a_rest() {
        for last in ["", "'the whole file is written anew\n"] {
            let text = |moves: usize| shuffle(moves) + last;
            let streamed = |timed: &mut TimedReader, counts: std::ops::Range<usize>| {
                counts.map(|count| moves(&timed.partial(100, text(5 * count)))).collect::<Vec<_>>()
            };
            let mut timed = TimedReader::knowing(&text(0));
            let taken = streamed(&mut timed, 1..20);
            let expect: Vec<_> = (1..20).map(|count| (count >= 10).then_some(5 * count)).collect();
            assert_eq!(taken, expect, "from the tenth reading on");
            assert_eq!(
                streamed(&mut TimedReader::default(), 1..13).iter().flatten().next(),
                Some(&55),
                "a first reading, too"
            );
            // A check without a change resets the count.
            timed.reader.reset_growth();
            assert_eq!(streamed(&mut timed, 20..22), [None, None]);
        }
    }

    #[test]
    fn a_cut_line_is_left_out() {
        let mut timed = TimedReader::knowing("V2\nPI\n+\n");
        let partial = "V2\nPI\n+\n+7776FU\nT1\n-3334F";
        assert_eq!(moves(&timed.partial(0, partial)), Some(1));
        assert!(timed.reader.is_doubtful());
        assert_eq!(timed.partial(2000, partial), ReaderUpdate::Same, "half a move is none");
        assert_eq!(moves(&timed.partial(0, partial.to_owned() + "U\n")), Some(2));
        assert_eq!(timed.partial(0, partial.to_owned() + "U\n"), ReaderUpdate::Same);
    }

    #[test]
    fn a_move_of_kif_without_its_origin_is_none() {
        let head = "手合割：平手\n   1 ７六歩(77)\n   2 ３四歩(33)\n";
        for half in ["   3 ２二角", "   3 ２二", "   3 ２二角(8", "   3", "   3 ２二角成"] {
            let mut timed = TimedReader::knowing(head);
            let text = format!("{head}{half}");
            for certainty in [ReadCertainty::MayBePartial, ReadCertainty::Whole, ReadCertainty::Settled] {
                assert_eq!(moves(&timed.after(3000, &text, certainty)), None, "{half}");
                assert_eq!(moves(&timed.after(3000, &text, certainty)), None, "{half}");
            }
            assert_eq!(finished_text(text.as_bytes(), Path::new("a.kif")).len(), head.len(), "{half}");
            assert_eq!(moves(&timed.partial(0, format!("{head}   3 ２二角成(88)\n"))), Some(3));
        }
        for whole in ["   3 ２二角成(88)", "   3 ２二角成(88)   ( 0:0"] {
            let mut timed = TimedReader::knowing(head);
            let text = format!("{head}{whole}");
            let taken = moves(&timed.partial(0, &text)).or_else(|| moves(&timed.partial(2000, &text)));
            assert_eq!(taken, Some(3), "{whole}");
        }
    }

    #[test]
    fn a_shorter_text_waits() {
        let shorter = GAME.as_bytes().get(..24).unwrap();
        let unfinished = GAME.replace("%TORYO\n", "");
        let taken_back = b"V2\nPI\n+\n+7776FU\nT1\n";
        for certainty in [ReadCertainty::MayBePartial, ReadCertainty::Whole] {
            let mut timed = TimedReader::knowing(&unfinished);
            assert_eq!(timed.after(0, shorter, certainty), ReaderUpdate::Doubtful);
            assert_eq!(timed.after(0, taken_back, certainty), ReaderUpdate::Doubtful);
            assert_eq!(timed.after(1900, taken_back, certainty), ReaderUpdate::Doubtful);
            assert_eq!(moves(&timed.after(100, taken_back, certainty)), Some(1));
        }
    }

    #[test]
    fn a_cut_file_does_not_undo_the_end() {
        let mut timed = TimedReader::knowing(GAME);
        for length in (10..GAME.len()).rev() {
            let cut = GAME.get(..length).unwrap();
            assert_eq!(moves(&timed.partial(100, cut)), None, "{cut}");
            assert_eq!(moves(&timed.partial(2000, cut)), None, "{cut}");
        }
        let next = "V2\n$START_TIME:2026/11/25\nPI\n+\n+7776FU\nT1\n";
        assert_eq!(moves(&timed.partial(100, next)), None, "it may be a piece");
        assert_eq!(moves(&timed.partial(2000, next)), Some(1), "the next game begins as the last one");
    }

    #[test]
    fn pieces_of_a_rewritten_file_are_not_shown() {
        let text = |plies: usize| {
            let moves = ["+7776FU\n", "-3334FU\n", "+2726FU\n", "-8384FU\n", "+2625FU\n", "-8485FU\n", "+6978KI\n"];
            format!("PI\n+\n{}", moves.get(..plies).unwrap().concat())
        };
        let mut timed = TimedReader::knowing(&text(5));
        for plies in [0, 2, 4] {
            assert_eq!(timed.partial(250, text(plies)), ReaderUpdate::Doubtful);
        }
        assert_eq!(moves(&timed.partial(250, text(6))), Some(6));
        let mut timed = TimedReader::knowing(&text(2));
        assert_eq!(
            timed.partial(100, text(5)),
            ReaderUpdate::Doubtful,
            "several moves at once may be a part of a file"
        );
        assert_eq!(moves(&timed.partial(2000, text(5))), Some(5));
        let mut timed = TimedReader::knowing(&text(2));
        assert_eq!(moves(&timed.after(100, text(5), ReadCertainty::Whole)), Some(5), "a reading a minute");
        // The first piece of another game.
        let mut timed = TimedReader::knowing(&text(5));
        let other = text(7).replace("+7776FU", "+5756FU");
        assert_eq!(timed.partial(100, &other), ReaderUpdate::Doubtful);
        assert_eq!(moves(&timed.partial(2000, &other)), Some(7));
    }

    #[test]
    fn a_promotion_that_is_not_written_yet_is_not_shown() {
        let mut timed = TimedReader::default();
        let text = "position startpos moves 7g7f 3c3d 8h2b";
        assert_eq!(timed.after(0, text, ReadCertainty::Whole), ReaderUpdate::Doubtful);
        assert_eq!(moves(&timed.after(100, format!("{text}+\n"), ReadCertainty::Whole)), Some(3));
    }

    #[test]
    fn a_correction_is_taken_at_once() {
        let mut timed = TimedReader::knowing(GAME);
        let other = GAME.replace("-3334FU", "-8384FU");
        assert_eq!(moves(&timed.partial(0, &other)), Some(3));
    }
}
