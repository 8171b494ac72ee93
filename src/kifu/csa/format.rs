//! CSA among the record formats.

use super::write::{CsaVersion, fit_end, rename_headers, write};
use crate::capacity::{Capacity, TextCapacity, TimeCapacity};
use crate::end::End;
use crate::format::{Encoding, Format};
use crate::games::{GameSink, StartCheck};
use crate::headers;
use crate::record::Record;
use crate::record_format::{FormatClue, FoundGames, ReadFormat, WriteFormat};
use crate::target::Target;
use crate::walk::Walk;
use crate::warning::Warnings;
use shogibar_shogi::{Position, Unsearchable};

/// CSA of any version.
pub(in super::super) struct Csa;

impl ReadFormat for Csa {
    fn name(&self) -> &'static str {
        "CSA"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["csa"]
    }

    fn claims_comment(&self, line: &str) -> bool {
        // A message of a server.
        line.starts_with("##[")
    }

    fn clue<'a>(&self, line: &'a str) -> Option<FormatClue<'a>> {
        if super::is_statement(line) {
            return Some(FormatClue::Sure(Format::Csa));
        }
        super::header_kind(line).map(FormatClue::CsaHeader)
    }

    fn read(&self, text: &str, _is_promised: bool, games: GameSink<'_>, warnings: &mut Warnings) -> usize {
        super::read(text, games, warnings)
    }

    fn target(&self, encoding: Encoding, text: &str) -> Target {
        if super::is_version_3(text) {
            Target::Csa3
        } else if encoding == Encoding::ShiftJis {
            Target::CsaSjis
        } else {
            Target::Csa
        }
    }

    fn start_check(&self) -> StartCheck {
        start_problem
    }

    fn misses_moves(&self, found: &dyn FoundGames, _text: &str) -> bool {
        // Most of the statements are none of CSA.
        found.left_over() > found.moves()
    }

    fn is_whole(&self, found: &dyn FoundGames, _text: &str) -> bool {
        found.is_known_record()
    }

    fn has_parts(&self) -> bool {
        true
    }

    fn may_be_damaged(&self, line: &str) -> bool {
        line.is_ascii()
    }
}

/// CSA of a version, in an encoding.
pub(in super::super) struct CsaFile {
    version: CsaVersion,
    encoding: Encoding,
}

impl CsaFile {
    pub(in super::super) const V2: Self = Self {
        version: CsaVersion::V2,
        encoding: Encoding::Utf8,
    };
    pub(in super::super) const V2_SHIFT_JIS: Self = Self {
        version: CsaVersion::V2,
        encoding: Encoding::ShiftJis,
    };
    pub(in super::super) const V3: Self = Self {
        version: CsaVersion::V3,
        encoding: Encoding::Utf8,
    };
}

impl WriteFormat for CsaFile {
    fn name(&self) -> &'static str {
        match (self.version, self.encoding) {
            (CsaVersion::V3, _) => "csa3",
            (CsaVersion::V2, Encoding::ShiftJis) => "csa-sjis",
            (CsaVersion::V2, _) => "csa",
        }
    }

    fn title(&self) -> &'static str {
        match self.version {
            CsaVersion::V2 => "CSA V2.2",
            CsaVersion::V3 => "CSA V3",
        }
    }

    fn extension(&self) -> &'static str {
        "csa"
    }

    fn encoding(&self) -> Encoding {
        self.encoding
    }

    fn encoding_declaration(&self) -> &'static str {
        match self.encoding {
            Encoding::ShiftJis => "'CSA encoding=SHIFT_JIS\n",
            _ => "",
        }
    }

    fn separator(&self) -> Option<&'static [u8]> {
        Some(b"/\n")
    }

    fn capacity(&self) -> Capacity {
        let unit_millis = match self.version {
            CsaVersion::V2 => 1000,
            CsaVersion::V3 => 1,
        };
        Capacity {
            bookmarks: TextCapacity::AsComments,
            has_variations: false,
            times: TimeCapacity {
                unit_millis: Some(unit_millis),
                has_totals: false,
            },
            ..Capacity::EVERYTHING
        }
    }

    fn fit_headers(&self, headers: &mut Vec<(String, String)>, _start: &Position) {
        rename_headers(headers);
        headers::put_names_first(headers);
    }

    fn fit_end(&self, end: &End, at: &Walk<'_>, _ply: u16, _is_handicap: bool) -> Option<End> {
        fit_end(end, at.position(), self.version)
    }

    fn is_remark(&self, line: &str) -> bool {
        super::is_remark(line)
    }

    fn write(&self, fitted: &Record) -> String {
        write(fitted, self.version)
    }
}

/// Returns why no game can start from a position; `None` if one can. Mating problems with one king are refused: CSA is a
/// format for games, and readers of CSA disagree about such positions.
pub(super) fn start_problem(start: &Position) -> Option<Unsearchable> {
    start.searchable().err()
}
