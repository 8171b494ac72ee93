//! USEN among the record formats. It is read, and not written.

use super::{is_usen, read};
use crate::format::{Encoding, Format};
use crate::games::GameSink;
use crate::record_format::{FormatClue, ReadFormat};
use crate::target::Target;
use crate::warning::Warnings;

pub(in super::super) struct Usen;

impl ReadFormat for Usen {
    fn name(&self) -> &'static str {
        "USEN"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["usen"]
    }

    fn clue<'a>(&self, line: &'a str) -> Option<FormatClue<'a>> {
        is_usen(line).then_some(FormatClue::Sure(Format::Usen))
    }

    fn read(&self, text: &str, _is_promised: bool, games: GameSink<'_>, warnings: &mut Warnings) -> usize {
        read(text, games, warnings)
    }

    fn target(&self, _encoding: Encoding, _text: &str) -> Target {
        Target::Usi
    }
}
