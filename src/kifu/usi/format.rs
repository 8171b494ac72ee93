//! USI among the record formats: lines of moves and positions, and logs of the commands to an engine.

use super::{is_usi, read, write, write_sfen};
use crate::capacity::Capacity;
use crate::format::{Encoding, Format};
use crate::games::GameSink;
use crate::record::Record;
use crate::record_format::{FormatClue, FoundGames, ReadFormat, WriteFormat};
use crate::target::Target;
use crate::warning::Warnings;

/// Lines of moves and positions.
pub(in super::super) struct UsiLines;

impl ReadFormat for UsiLines {
    fn name(&self) -> &'static str {
        "USI or SFEN"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["usi", "sfen"]
    }

    fn clue<'a>(&self, line: &'a str) -> Option<FormatClue<'a>> {
        is_usi(line).then_some(FormatClue::Sure(Format::Usi))
    }

    fn read(&self, text: &str, _is_promised: bool, games: GameSink<'_>, warnings: &mut Warnings) -> usize {
        read(text, games, warnings)
    }

    fn target(&self, _encoding: Encoding, _text: &str) -> Target {
        Target::Usi
    }

    fn misses_moves(&self, found: &dyn FoundGames, _text: &str) -> bool {
        found.moves() == 0 && found.has_unknown_moves(true)
    }

    fn is_whole(&self, _found: &dyn FoundGames, _text: &str) -> bool {
        false
    }

    fn has_head(&self, _text: &str) -> bool {
        false
    }

    fn may_be_words(&self) -> bool {
        true
    }

    fn has_parts(&self) -> bool {
        true
    }

    fn may_be_damaged(&self, line: &str) -> bool {
        line.is_ascii()
    }
}

/// A log of the commands to an engine.
pub(in super::super) struct UsiLog;

impl ReadFormat for UsiLog {
    fn name(&self) -> &'static str {
        "a log of USI"
    }

    fn read(&self, text: &str, _is_promised: bool, games: GameSink<'_>, warnings: &mut Warnings) -> usize {
        read(text, games, warnings)
    }

    fn target(&self, _encoding: Encoding, _text: &str) -> Target {
        Target::Usi
    }

    fn is_whole(&self, _found: &dyn FoundGames, _text: &str) -> bool {
        false
    }

    fn has_head(&self, _text: &str) -> bool {
        false
    }
}

/// A `position` line.
pub(in super::super) struct PositionLine;

impl WriteFormat for PositionLine {
    fn name(&self) -> &'static str {
        "usi"
    }

    fn title(&self) -> &'static str {
        "USI"
    }

    fn separator(&self) -> Option<&'static [u8]> {
        Some(b"")
    }

    fn capacity(&self) -> Capacity {
        Capacity::NOTHING
    }

    fn keeps_first_number(&self) -> bool {
        true
    }

    fn write(&self, fitted: &Record) -> String {
        write(fitted)
    }
}

/// The last position.
pub(in super::super) struct Sfen;

impl WriteFormat for Sfen {
    fn name(&self) -> &'static str {
        "sfen"
    }

    fn title(&self) -> &'static str {
        "SFEN"
    }

    fn capacity(&self) -> Capacity {
        Capacity::NOTHING
    }

    fn keeps_first_number(&self) -> bool {
        true
    }

    fn write(&self, fitted: &Record) -> String {
        write_sfen(fitted)
    }
}
