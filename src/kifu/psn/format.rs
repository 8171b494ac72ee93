//! PSN among the record formats.

use super::{PsnClue, clue, fit_end, is_tag, read, rename_headers, write};
use crate::capacity::{Capacity, TextCapacity};
use crate::end::End;
use crate::format::{Encoding, Format};
use crate::games::GameSink;
use crate::headers;
use crate::record::Record;
use crate::record_format::{FormatClue, FoundGames, ReadFormat, WriteFormat};
use crate::target::Target;
use crate::walk::Walk;
use crate::warning::Warnings;
use shogibar_shogi::Position;

pub(in super::super) struct Psn;

impl ReadFormat for Psn {
    fn name(&self) -> &'static str {
        "PSN"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["psn"]
    }

    fn clue<'a>(&self, line: &'a str) -> Option<FormatClue<'a>> {
        match clue(line) {
            PsnClue::Sure => Some(FormatClue::Sure(Format::Psn)),
            // Chess PGN has such tags, too.
            PsnClue::Tag => Some(FormatClue::Nothing),
            PsnClue::None => None,
        }
    }

    fn read(&self, text: &str, _is_promised: bool, games: GameSink<'_>, warnings: &mut Warnings) -> usize {
        read(text, games, warnings)
    }

    fn target(&self, _encoding: Encoding, _text: &str) -> Target {
        Target::Psn
    }

    fn is_known_record(&self, warnings: &Warnings) -> bool {
        // Words of English look like moves of PSN.
        warnings.has_all_moves()
    }

    fn is_whole(&self, found: &dyn FoundGames, text: &str) -> bool {
        let has_head = found.moves() > 0 && found.has_headers();
        found.is_complete() || has_head || text.contains("Variation:")
    }

    fn has_head(&self, text: &str) -> bool {
        // Magazines print such moves without tags.
        text.lines().any(is_tag)
    }

    fn is_word_like(&self, _found: &dyn FoundGames) -> bool {
        true
    }

    fn may_be_words(&self) -> bool {
        true
    }
}

impl WriteFormat for Psn {
    fn name(&self) -> &'static str {
        "psn"
    }

    fn title(&self) -> &'static str {
        "PSN"
    }

    fn capacity(&self) -> Capacity {
        Capacity {
            remarks: TextCapacity::AsComments,
            bookmarks: TextCapacity::AsComments,
            ..Capacity::EVERYTHING
        }
    }

    fn keeps_first_number(&self) -> bool {
        true
    }

    fn fit_headers(&self, headers: &mut Vec<(String, String)>, _start: &Position) {
        rename_headers(headers);
        headers::put_names_first(headers);
    }

    fn fit_end(&self, end: &End, at: &Walk<'_>, _ply: u16, _is_handicap: bool) -> Option<End> {
        fit_end(end, at.position())
    }

    fn has_zeros_for_unknown_times(&self) -> bool {
        true
    }

    fn write(&self, fitted: &Record) -> String {
        write(fitted)
    }
}
