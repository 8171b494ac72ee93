//! KIF, KI2 and BOD among the record formats.

use super::fit::{Flavour, can_hold_end_time, fit_end, is_start_drawn, name_start};
use crate::board_word;
use crate::capacity::Capacity;
use crate::end::End;
use crate::format::{Encoding, Format};
use crate::games::GameSink;
use crate::record::Record;
use crate::record_format::{
    FormatClue, FoundGames, HeaderMeanings, MIN_RECORD_MOVES, ReadFormat, WriteFormat, begins_with_digit,
};
use crate::target::Target;
use crate::walk::Walk;
use crate::warning::Warnings;
use shogibar_shogi::Position;

impl ReadFormat for Flavour {
    fn name(&self) -> &'static str {
        match self {
            Self::Kif => "KIF",
            Self::Ki2 => "KI2",
        }
    }

    fn extensions(&self) -> &'static [&'static str] {
        match self {
            Self::Kif => &["kif", "kifu", "bod"],
            Self::Ki2 => &["ki2", "ki2u"],
        }
    }

    fn claims_comment(&self, line: &str) -> bool {
        line.starts_with("#KIF version")
    }

    fn clue<'a>(&self, line: &'a str) -> Option<FormatClue<'a>> {
        match self {
            Self::Kif => (line.starts_with("#KIF version")
                || line.starts_with("手数--")
                || super::is_move_or_end(line))
            .then_some(FormatClue::Sure(Format::Kif)),
            Self::Ki2 if super::is_line_of_moves(line) => Some(FormatClue::Sure(Format::Ki2)),
            Self::Ki2 => {
                let is_board = board_word::is_board(line.split(' ').next().unwrap_or_default());
                (super::is_header_or_diagram(line) && !is_board).then_some(FormatClue::Header)
            }
        }
    }

    fn read(&self, text: &str, is_promised: bool, games: GameSink<'_>, warnings: &mut Warnings) -> usize {
        super::read(text, is_promised, games, warnings)
    }

    fn target(&self, encoding: Encoding, _text: &str) -> Target {
        match (self, encoding) {
            (Self::Kif, Encoding::ShiftJis) => Target::Kif,
            (Self::Kif, _) => Target::Kifu,
            (Self::Ki2, Encoding::ShiftJis) => Target::Ki2,
            (Self::Ki2, _) => Target::Ki2u,
        }
    }

    fn misses_moves(&self, found: &dyn FoundGames, text: &str) -> bool {
        found.has_unknown_moves(found.may_miss_moves()) && !super::has_frame(text)
            || found.has_moves_for_names()
    }

    fn is_whole(&self, found: &dyn FoundGames, text: &str) -> bool {
        let is_long = *self == Self::Kif && found.moves() >= MIN_RECORD_MOVES;
        let has_signs = super::has_heading(text) || text.contains("変化：") || found.has_unnamed_start();
        has_signs || found.is_complete() && (is_long || found.has_other_headers())
    }

    fn is_word_like(&self, found: &dyn FoundGames) -> bool {
        *self == Self::Ki2 || found.moves() == 1 && !found.has_details()
    }

    fn may_be_words(&self) -> bool {
        true
    }

    fn has_parts(&self) -> bool {
        true
    }

    fn may_be_damaged(&self, line: &str) -> bool {
        *self == Self::Kif || begins_with_digit(line)
    }
}

/// KIF or KI2 in an encoding.
pub(in super::super) struct KifFile {
    flavour: Flavour,
    encoding: Encoding,
}

impl KifFile {
    pub(in super::super) const KIF: Self = Self {
        flavour: Flavour::Kif,
        encoding: Encoding::ShiftJis,
    };
    pub(in super::super) const KIFU: Self = Self {
        flavour: Flavour::Kif,
        encoding: Encoding::Utf8,
    };
    pub(in super::super) const KI2: Self = Self {
        flavour: Flavour::Ki2,
        encoding: Encoding::ShiftJis,
    };
    pub(in super::super) const KI2U: Self = Self {
        flavour: Flavour::Ki2,
        encoding: Encoding::Utf8,
    };
}

impl WriteFormat for KifFile {
    fn name(&self) -> &'static str {
        match (self.flavour, self.encoding) {
            (Flavour::Kif, Encoding::ShiftJis) => "kif",
            (Flavour::Kif, _) => "kifu",
            (Flavour::Ki2, Encoding::ShiftJis) => "ki2",
            (Flavour::Ki2, _) => "ki2u",
        }
    }

    fn title(&self) -> &'static str {
        self.flavour.name()
    }

    fn encoding(&self) -> Encoding {
        self.encoding
    }

    fn encoding_declaration(&self) -> &'static str {
        match (self.flavour, self.encoding) {
            (Flavour::Ki2, Encoding::ShiftJis) => "#KI2 version=2.0 encoding=Shift_JIS\n",
            _ => "",
        }
    }

    fn separator(&self) -> Option<&'static [u8]> {
        // The first line of each game of KIF shows that a game begins.
        (self.flavour == Flavour::Kif).then_some(b"")
    }

    fn capacity(&self) -> Capacity {
        match self.flavour {
            Flavour::Kif => Capacity::EVERYTHING,
            Flavour::Ki2 => Capacity {
                times: Capacity::NOTHING.times,
                ..Capacity::EVERYTHING
            },
        }
    }

    fn header_meanings(&self) -> HeaderMeanings {
        match self.flavour {
            Flavour::Kif => HeaderMeanings::Kif,
            // A KI2 text has no heading of the moves, so a reader may take it for prose.
            Flavour::Ki2 => HeaderMeanings::KifOrProse,
        }
    }

    fn fit_headers(&self, headers: &mut Vec<(String, String)>, start: &Position) {
        name_start(headers, start);
    }

    fn states_handicap(&self, fitted: &Record) -> bool {
        let mut keys = fitted.headers().iter().map(|(key, _)| key);
        is_start_drawn(fitted) || keys.any(|key| key.starts_with("下手") || key.starts_with("上手"))
    }

    fn fit_end(&self, end: &End, at: &Walk<'_>, ply: u16, is_handicap: bool) -> Option<End> {
        fit_end(end, at, ply, self.flavour, is_handicap)
    }

    fn holds_end_time(&self, end: &End, now: &Position) -> bool {
        self.flavour == Flavour::Ki2 || can_hold_end_time(end, now)
    }

    fn is_remark(&self, line: &str) -> bool {
        super::is_remark(line)
    }

    fn write(&self, fitted: &Record) -> String {
        super::write(fitted, self.flavour, &self.encoding.to_string())
    }
}

/// The last position as a diagram.
pub(in super::super) struct Bod;

impl WriteFormat for Bod {
    fn name(&self) -> &'static str {
        "bod"
    }

    fn title(&self) -> &'static str {
        "BOD"
    }

    fn capacity(&self) -> Capacity {
        Capacity {
            has_headers: true,
            ..Capacity::NOTHING
        }
    }

    fn keeps_first_number(&self) -> bool {
        true
    }

    fn header_meanings(&self) -> HeaderMeanings {
        HeaderMeanings::Kif
    }

    fn states_handicap(&self, _fitted: &Record) -> bool {
        true
    }

    fn write(&self, fitted: &Record) -> String {
        super::write_bod(fitted)
    }
}
