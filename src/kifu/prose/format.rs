//! Moves among words among the record formats. They are read, and not written.

use super::{ProseOutcome, read};
use crate::candidate::ReadingCandidate;
use crate::decode::Decoded;
use crate::format::Container;
use crate::games::GameSink;
use crate::record_format::ReadFormat;
use crate::target::Target;
use crate::warning::Warnings;
use shogibar_shogi::Position;

pub(in super::super) struct Prose;

impl ReadFormat for Prose {
    fn name(&self) -> &'static str {
        "prose"
    }

    fn read(
        &self,
        text: &str,
        _is_promised: bool,
        games: GameSink<'_>,
        warnings: &mut Warnings,
    ) -> (usize, ProseOutcome) {
        read(text, &Position::startpos(), games, warnings)
    }

    fn target(&self, _text: &Decoded<'_>) -> Target {
        Target::Kifu
    }

    fn container(&self, _text: &str) -> Container {
        Container::Prose
    }

    fn is_known_record(&self, _warnings: &Warnings) -> bool {
        false
    }

    fn is_whole(&self, _found: &ReadingCandidate, _text: &str) -> bool {
        false
    }

    fn has_head(&self, _text: &str) -> bool {
        false
    }

    fn is_word_like(&self, _found: &ReadingCandidate) -> bool {
        true
    }
}
