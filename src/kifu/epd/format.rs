//! FEN and EPD among the record formats. They are read, and not written.

use super::{is_epd, is_gnushogi, read};
use crate::format::{Encoding, Format};
use crate::games::GameSink;
use crate::record_format::{FormatClue, ReadFormat};
use crate::target::Target;
use crate::warning::Warnings;

pub(in super::super) struct Epd;

impl ReadFormat for Epd {
    fn name(&self) -> &'static str {
        "FEN or EPD"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["epd"]
    }

    fn claims_comment(&self, line: &str) -> bool {
        is_gnushogi(line)
    }

    fn clue<'a>(&self, line: &'a str) -> Option<FormatClue<'a>> {
        (is_gnushogi(line) || is_epd(line)).then_some(FormatClue::Sure(Format::Epd))
    }

    fn read(&self, text: &str, _is_promised: bool, games: GameSink<'_>, warnings: &mut Warnings) -> usize {
        read(text, games, warnings)
    }

    fn target(&self, _encoding: Encoding, _text: &str) -> Target {
        Target::Usi
    }
}
