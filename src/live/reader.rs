//! When a text that somebody else writes is taken for the game.
//!
//! A file may be read while it is written: the last line may be cut, the file may be shorter than a moment ago. So a
//! doubtful reading is taken only when the same bytes are seen a second time.

#[cfg(test)]
mod samples;

#[cfg(test)]
pub(crate) use samples::{Numbers, growth, read, text};

use crate::kifu::{self, Format, ReadError, Record, RecordProblem, Step};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// How far a reading can be trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadCertainty {
    /// The file may be in the middle of a change.
    MayBePartial,
    /// The whole answer has arrived, as its length says.
    Whole,
}

/// The result of a look at the content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReaderUpdate {
    /// The game has changed.
    Changed(Arc<Record>),
    /// Nothing has changed.
    Same,
    /// The content is doubtful. It is taken if it is the same at the next look.
    Doubtful,
    /// The content is no record, also at the second look.
    Unreadable(ReadError),
}

/// The reader of one growing record.
#[derive(Debug, Default)]
pub struct GameReader {
    /// The name, for formats that it reveals.
    name: PathBuf,
    known: Option<Arc<Record>>,
    /// The size and hash of the content of the last look.
    seen: Option<(usize, u64)>,
    is_doubtful: bool,
    format: Option<Format>,
}

/// A reading of the whole or the settled content.
struct Candidate {
    record: Record,
    format: Format,
    is_broken: bool,
}

impl GameReader {
    /// Creates a reader of a record with this file name.
    pub fn new(name: &Path) -> Self {
        Self { name: name.to_owned(), ..Self::default() }
    }

    /// Returns the game as it is known.
    pub const fn known(&self) -> Option<&Arc<Record>> {
        self.known.as_ref()
    }

    /// Returns whether the record is CSA.
    pub fn is_csa(&self) -> bool {
        self.format == Some(Format::Csa)
    }

    /// Returns whether the last content was doubtful, so that a second look decides.
    pub const fn is_doubtful(&self) -> bool {
        self.is_doubtful
    }

    /// Takes the content of a look.
    pub fn update(&mut self, bytes: &[u8], certainty: ReadCertainty) -> ReaderUpdate {
        let stamp = (bytes.len(), fingerprint(bytes));
        if self.seen.replace(stamp) == Some(stamp) {
            return self.confirm(bytes);
        }
        self.is_doubtful = false;
        let settled = settled(bytes);
        let whole = self.read(bytes);
        let candidate = match whole {
            Ok(whole) if settled.len() == bytes.len() || is_complete(bytes, &whole) => Ok((whole, true)),
            Ok(_) | Err(_) if settled.len() < bytes.len() => self.read(settled).map(|settled| (settled, false)),
            other => other.map(|whole| (whole, true)),
        };
        let (candidate, is_settled) = match candidate {
            Ok(candidate) => candidate,
            // A whole answer that is something else will not become a record by waiting. An empty one may.
            Err(error @ ReadError::Other(_)) if certainty == ReadCertainty::Whole && self.known.is_none() => {
                self.seen = None;
                return ReaderUpdate::Unreadable(error);
            }
            Err(_) => {
                self.is_doubtful = true;
                return ReaderUpdate::Doubtful;
            }
        };
        self.is_doubtful = !is_settled;
        let trusts_shorter = certainty == ReadCertainty::Whole && is_settled;
        let is_shorter = self.known.as_ref().is_some_and(|known| is_prefix(&candidate.record, known, is_settled));
        if candidate.is_broken || (is_shorter && !trusts_shorter) {
            self.is_doubtful = true;
            return ReaderUpdate::Doubtful;
        }
        match self.take(candidate) {
            ReaderUpdate::Same if self.is_doubtful => ReaderUpdate::Doubtful,
            update => update,
        }
    }

    /// Takes the same content at a second look.
    pub fn confirm(&mut self, bytes: &[u8]) -> ReaderUpdate {
        if !std::mem::take(&mut self.is_doubtful) {
            return ReaderUpdate::Same;
        }
        match self.read(bytes) {
            Ok(whole) => self.take(whole),
            Err(error) => {
                self.seen = None;
                ReaderUpdate::Unreadable(error)
            }
        }
    }

    fn take(&mut self, candidate: Candidate) -> ReaderUpdate {
        self.format = Some(candidate.format);
        if self.known.as_deref() == Some(&candidate.record) {
            return ReaderUpdate::Same;
        }
        let record = Arc::new(candidate.record);
        self.known = Some(Arc::clone(&record));
        ReaderUpdate::Changed(record)
    }

    /// Reads the last game of the content.
    fn read(&self, bytes: &[u8]) -> Result<Candidate, ReadError> {
        let mut last = None;
        let summary = kifu::read_each(bytes, &self.name, &mut |game| last = Some(game))?;
        let record = last.ok_or(ReadError::Empty)?;
        let breaks = |problem: &RecordProblem| {
            matches!(problem, RecordProblem::BreaksOff | RecordProblem::NoJson(_) | RecordProblem::Undecodable(..))
        };
        let is_cut = record.end().is_some_and(kifu::End::is_cut);
        let is_broken = is_cut || summary.warnings.iter().any(|warning| breaks(&warning.problem));
        Ok(Candidate { record, format: summary.format, is_broken })
    }
}

/// Returns the content without a last line that may be cut.
fn settled(bytes: &[u8]) -> &[u8] {
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

/// Returns whether a content without a last line end is complete all the same: a whole JSON text, a KIF move with its
/// bracket, a CSA move, a known end.
fn is_complete(bytes: &[u8], whole: &Candidate) -> bool {
    if whole.is_broken {
        return false;
    }
    let line = bytes.rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
    let has_end = whole.record.end().is_some_and(|end| end.words().is_empty());
    match whole.format {
        Format::Jkf => true,
        Format::Csa => has_end || line.len() == 7 && line.first().is_some_and(|sign| b"+-".contains(sign)),
        Format::Kif => has_end || line.ends_with(b")"),
        _ => false,
    }
}

/// Returns whether a record's main line is the beginning of the known one's. If it is as long, it counts only when the
/// last line of its content was left out.
fn is_prefix(record: &Record, known: &Record, is_settled: bool) -> bool {
    let steps =
        |record: &Record| -> Vec<Step> { record.main_line().map(|id| record.node(id).step().clone()).collect() };
    let (new, old) = (steps(record), steps(known));
    record.start() == known.start() && old.starts_with(&new) && (new.len() < old.len() || !is_settled)
}

/// FNV-1a with 64 bits.
pub(crate) fn fingerprint(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves(update: &ReaderUpdate) -> Option<usize> {
        match update {
            ReaderUpdate::Changed(record) => Some(record.len()),
            _ => None,
        }
    }

    const GAME: &str = "V2\nPI\n+\n+7776FU\nT1\n-3334FU\nT12\n+2726FU\nT3\n%TORYO\n";

    #[test]
    fn takes_a_cut_line_at_the_second_look_only() {
        let mut reader = GameReader::default();
        let partial = b"V2\nPI\n+\n+7776FU\nT1\n-3334F";
        assert_eq!(moves(&reader.update(partial, ReadCertainty::MayBePartial)), Some(1));
        assert!(reader.is_doubtful());
        // It stays so: now the damage is the content.
        assert!(matches!(reader.update(partial, ReadCertainty::MayBePartial), ReaderUpdate::Changed(_)));
        assert_eq!(moves(&reader.update(GAME.as_bytes(), ReadCertainty::MayBePartial)), Some(3));
        assert_eq!(reader.update(GAME.as_bytes(), ReadCertainty::MayBePartial), ReaderUpdate::Same);
    }

    #[test]
    fn a_shorter_file_is_doubtful_a_whole_answer_is_not() {
        let shorter = GAME.as_bytes().get(..24).unwrap();
        assert!(shorter.ends_with(b"\n-") || shorter.ends_with(b"-3334"), "{:?}", String::from_utf8_lossy(shorter));
        let taken_back = b"V2\nPI\n+\n+7776FU\nT1\n";
        for (certainty, expected) in [(ReadCertainty::MayBePartial, None), (ReadCertainty::Whole, Some(1))] {
            let mut reader = GameReader::default();
            assert_eq!(moves(&reader.update(GAME.as_bytes(), certainty)), Some(3));
            assert_eq!(reader.update(shorter, certainty), ReaderUpdate::Doubtful);
            assert_eq!(moves(&reader.update(taken_back, certainty)), expected);
        }
        let mut reader = GameReader::default();
        reader.update(GAME.as_bytes(), ReadCertainty::MayBePartial);
        reader.update(taken_back, ReadCertainty::MayBePartial);
        assert_eq!(moves(&reader.update(taken_back, ReadCertainty::MayBePartial)), Some(1));
    }

    #[test]
    fn a_promotion_that_is_not_written_yet_is_not_shown() {
        let mut reader = GameReader::default();
        let text = "position startpos moves 7g7f 3c3d 8h2b";
        assert_eq!(reader.update(text.as_bytes(), ReadCertainty::Whole), ReaderUpdate::Doubtful);
        assert_eq!(moves(&reader.update(format!("{text}+\n").as_bytes(), ReadCertainty::Whole)), Some(3));
    }

    #[test]
    fn a_correction_is_taken_at_once() {
        let mut reader = GameReader::default();
        reader.update(GAME.as_bytes(), ReadCertainty::MayBePartial);
        let other = GAME.replace("-3334FU", "-8384FU");
        assert_eq!(moves(&reader.update(other.as_bytes(), ReadCertainty::MayBePartial)), Some(3));
    }
}
