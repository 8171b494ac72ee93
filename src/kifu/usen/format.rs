//! USEN among the record formats. It is read, and not written.

use super::{is_usen, read};
use crate::address;
use crate::candidate::ReadingCandidate;
use crate::decode::Decoded;
use crate::format::{Container, Format};
use crate::games::GameSink;
use crate::prose::ProseOutcome;
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

    fn read(
        &self,
        text: &str,
        _is_promised: bool,
        games: GameSink<'_>,
        warnings: &mut Warnings,
    ) -> (usize, ProseOutcome) {
        (read(text, games, warnings), ProseOutcome::default())
    }

    fn target(&self, _text: &Decoded<'_>) -> Target {
        Target::Usi
    }

    fn container(&self, text: &str) -> Container {
        address::container_of_lines(text)
    }

    fn is_whole(&self, _found: &ReadingCandidate, _text: &str) -> bool {
        true
    }
}
