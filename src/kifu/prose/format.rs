//! Moves among words among the record formats. They are read, and not written.

use super::read;
use crate::format::Encoding;
use crate::games::GameSink;
use crate::record_format::{FoundGames, ReadFormat};
use crate::target::Target;
use crate::warning::Warnings;
use shogibar_shogi::Position;

pub(in super::super) struct Prose;

impl ReadFormat for Prose {
    fn name(&self) -> &'static str {
        "prose"
    }

    fn read(&self, text: &str, _is_promised: bool, games: GameSink<'_>, warnings: &mut Warnings) -> usize {
        read(text, &Position::startpos(), games, warnings).0
    }

    fn target(&self, _encoding: Encoding, _text: &str) -> Target {
        Target::Kifu
    }

    fn is_known_record(&self, _warnings: &Warnings) -> bool {
        false
    }

    fn is_whole(&self, _found: &dyn FoundGames, _text: &str) -> bool {
        false
    }

    fn has_head(&self, _text: &str) -> bool {
        false
    }

    fn is_word_like(&self, _found: &dyn FoundGames) -> bool {
        true
    }
}
