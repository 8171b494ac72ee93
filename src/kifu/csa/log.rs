//! The log of one game that grows by whole lines, as a server sends it. Each line is parsed once, unless the guess of
//! the encoding changes.

use super::super::decode::{self, PREFIX_BYTES};
use super::super::encode::ExtensionCharacters;
use super::super::format::Encoding;
use super::super::games::GameSink;
use super::super::record::Record;
use super::super::scan::Line;
use super::super::warning::Warnings;
use super::format::start_problem;
use super::{CsaGame, CsaReader};

/// The log of one game, without the prefixes of a monitor. The log reports no warnings: text that cannot be read ends
/// the line of moves.
#[derive(Debug)]
pub struct CsaLog {
    /// The lines of the log, each with LF.
    bytes: Vec<u8>,
    /// The encoding that was guessed.
    encoding: Encoding,
    /// The last guess of the encoding; `None` while the log is UTF-8.
    guess: Option<EncodingGuess>,
    game: CsaGame,
    /// The last game that has ended in the log.
    finished_game: Option<Record>,
    /// The last line, not parsed yet because its meaning may depend on the next line.
    last_line: Option<LogLine>,
    line_count: u32,
    /// The number of parsed lines. A line that was parsed twice counts twice.
    parsed_lines: usize,
}

/// The last guess of the encoding of a log that is not UTF-8.
#[derive(Clone, Copy, Debug)]
struct EncodingGuess {
    /// The number of bytes before the first one that is not UTF-8.
    valid_bytes: usize,
    /// The size of the log at the guess, in bytes.
    size: usize,
}

#[derive(Debug)]
struct LogLine {
    /// The line number, from 1.
    number: u32,
    text: String,
}

impl LogLine {
    /// Returns the line as the parser takes it.
    fn line(&self) -> Line<'_> {
        Line {
            number: self.number,
            text: &self.text,
            characters_before: 0,
        }
    }
}

impl Default for CsaLog {
    fn default() -> Self {
        Self {
            bytes: Vec::new(),
            encoding: Encoding::Utf8,
            guess: None,
            game: CsaGame::default(),
            finished_game: None,
            last_line: None,
            line_count: 0,
            parsed_lines: 0,
        }
    }
}

impl CsaLog {
    /// Returns the size of the log in bytes.
    pub const fn size(&self) -> usize {
        self.bytes.len()
    }

    /// Returns the number of parsed lines. A line that was parsed twice counts twice.
    pub const fn parsed_lines(&self) -> usize {
        self.parsed_lines
    }

    /// Adds a line, without its end, in any encoding.
    pub fn add(&mut self, line: &[u8]) {
        let before = self.bytes.len();
        self.bytes.extend_from_slice(line);
        self.bytes.push(b'\n');
        if self.has_new_encoding(before, line) {
            self.read_again();
        } else {
            self.parse(line);
        }
    }

    /// Guesses the encoding at the first line that is not UTF-8, and again each time that the log has become twice as
    /// long, up to a limit. Returns whether the encoding has changed. `before` is the size without `line`.
    fn has_new_encoding(&mut self, before: usize, line: &[u8]) -> bool {
        if self.guess.is_none() {
            let odd = std::str::from_utf8(line).err();
            self.guess = odd.map(|odd| EncodingGuess {
                valid_bytes: before + odd.valid_up_to(),
                size: 0,
            });
        }
        let size = self.bytes.len();
        let Some(guess) = self
            .guess
            .as_mut()
            .filter(|guess| guess.size < guess.valid_bytes + PREFIX_BYTES && size >= 2 * guess.size)
        else {
            return false;
        };
        guess.size = size;
        let encoding = decode::guess_encoding(&self.bytes, guess.valid_bytes);
        std::mem::replace(&mut self.encoding, encoding) != encoding
    }

    /// Parses all lines again, after a change of the encoding.
    fn read_again(&mut self) {
        let bytes = std::mem::take(&mut self.bytes);
        let (encoding, guess, parsed) = (self.encoding, self.guess, self.parsed_lines);
        *self = Self {
            encoding,
            guess,
            parsed_lines: parsed,
            ..Self::default()
        };
        for line in bytes
            .strip_suffix(b"\n")
            .unwrap_or(&bytes)
            .split(|byte| *byte == b'\n')
        {
            self.parse(line);
        }
        self.bytes = bytes;
    }

    /// Parses the line before `line`, and stores `line`.
    fn parse(&mut self, line: &[u8]) {
        self.line_count = self.line_count.saturating_add(1);
        let next = LogLine {
            number: self.line_count,
            text: decode::decode_as(self.encoding, line).0.into_owned(),
        };
        if let Some(last_line) = self.last_line.replace(next) {
            let next = self.last_line.as_ref().map(LogLine::line);
            let game = std::mem::take(&mut self.game);
            self.parsed_lines += 1;
            self.game = read(game, Some(&last_line), next, &mut self.finished_game, false);
        }
    }

    /// Returns the last game as far as the log has it; `None` without one.
    pub fn record(&self) -> Option<Record> {
        let mut last = self.finished_game.clone();
        read(self.game.clone(), self.last_line.as_ref(), None, &mut last, true);
        let mut last = last?;
        if self.encoding == Encoding::ShiftJis {
            last.extension = ExtensionCharacters::from_shift_jis(&self.bytes);
        }
        Some(last)
    }
}

/// Reads a line of a game; `next` is the line after it. Returns the game in progress. A game that ends replaces
/// `finished`; with `is_last`, the game ends after this line.
fn read(
    game: CsaGame,
    line: Option<&LogLine>,
    next: Option<Line<'_>>,
    finished: &mut Option<Record>,
    is_last: bool,
) -> CsaGame {
    let mut sink = |game| *finished = Some(game);
    let mut warnings = Warnings::default();
    let mut reader = CsaReader::new(game, GameSink::new(&mut sink, start_problem), &mut warnings);
    reader.next_line = next;
    if let Some(line) = line.map(LogLine::line) {
        let text = line.trimmed();
        reader.current_spot = Some(line.spot(text));
        reader.read_line_of_game(line, text);
    }
    if is_last {
        reader.end_game();
    }
    let game = std::mem::take(&mut reader.game);
    reader.games.finish(reader.warnings);
    game
}

#[cfg(test)]
mod tests {
    use super::super::super::Target;
    use super::super::super::arbitrary::{self, Extras};
    use super::super::super::read;
    use super::super::super::write;
    use super::*;
    use proptest::prelude::*;

    fn record_with_headers(log: &CsaLog) -> Option<(Vec<(String, String)>, Record)> {
        log.record().map(|record| (record.headers().to_vec(), record))
    }

    proptest! {
        #[test]
        fn a_log_is_read_as_the_file_of_its_lines(record in arbitrary::record(Extras { remarks: true, ..Extras::default() }), is_v3: bool) {
            let target = if is_v3 { Target::Csa3 } else { Target::Csa };
            let text = String::from_utf8(write(&record, target).bytes).unwrap();
            let (mut log, mut so_far) = (CsaLog::default(), String::new());
            for line in text.lines() {
                log.add(line.as_bytes());
                so_far += line;
                so_far += "\n";
                let file = read(so_far.as_bytes()).ok().and_then(|read| read.games.into_iter().last());
                if let Some(file) = file {
                    prop_assert_eq!(record_with_headers(&log), Some((file.headers().to_vec(), file)), "{}", so_far);
                }
            }
            prop_assert_eq!(log.parsed_lines() + 1, text.lines().count());
        }
    }

    #[test]
    fn the_encoding_is_that_of_the_whole_log() {
        let text = "V2.2\nN+羽生\nN-ｱｲｳ\nPI\n+\n+7776FU\nT1\n'*好手\n-3334FU\n";
        for codec in [encoding_rs::SHIFT_JIS, encoding_rs::EUC_JP, encoding_rs::UTF_8] {
            let bytes = codec.encode(text).0;
            let mut log = CsaLog::default();
            for line in bytes.split(|byte| *byte == b'\n') {
                log.add(line);
            }
            let record = log.record().unwrap();
            assert_eq!(
                (record.header("先手"), record.header("後手")),
                (Some("羽生"), Some("ｱｲｳ")),
                "{}",
                codec.name()
            );
            assert!(
                log.parsed_lines() < 3 * text.lines().count(),
                "{}",
                log.parsed_lines()
            );
        }
    }
}
