//! The parts of a record format: how it is recognised, read, fitted and written. Each format implements them in
//! `NAME/format.rs`, and has one line in `formats.rs` for each [`Format`] and [`Target`].

use crate::capacity::Capacity;
use crate::end::End;
use crate::format::{Encoding, Format};
use crate::games::{GameSink, StartCheck};
use crate::record::{Notes, Record};
use crate::scan;
use crate::target::Target;
use crate::walk::Walk;
use crate::warning::Warnings;
use shogibar_shogi::{Color, Position, Unsearchable};

/// The evidence of a line about the format of its text.
pub(super) enum FormatClue<'a> {
    /// A line that only this format has.
    Sure(Format),
    /// A line that KIF and KI2 share.
    Header,
    /// A line that CSA shares with other texts, with the kind of line.
    CsaHeader(&'a str),
    WebPage,
    /// A blank line, a comment, or a tag that PSN shares with chess.
    Nothing,
    /// A line that no record has.
    Foreign,
}

/// The games that were found in a text, as a format judges them.
pub(super) trait FoundGames {
    /// Returns the number of moves of the main lines.
    fn moves(&self) -> usize;

    /// Returns the number of marks and passages that are left over.
    fn left_over(&self) -> usize;

    /// Returns whether the text is a record, and all of its moves have the form of it.
    fn is_known_record(&self) -> bool;

    /// Returns whether all moves of the text have been played.
    fn is_complete(&self) -> bool;

    /// Returns whether an unknown part of a line is a move; with `counts_lines`, also an unknown line.
    fn has_unknown_moves(&self, counts_lines: bool) -> bool;

    /// Returns whether words outside of the form of a record may be moves: few moves, and no headers.
    fn may_miss_moves(&self) -> bool;

    /// Returns whether the name of a player is a move, in a game without moves.
    fn has_moves_for_names(&self) -> bool;

    fn has_headers(&self) -> bool;

    /// Returns whether a game has a header besides the names of the players and the handicap.
    fn has_other_headers(&self) -> bool;

    /// Returns whether a game begins with a position that has no name.
    fn has_unnamed_start(&self) -> bool;

    /// Returns whether a game has comments or times, as only a record has.
    fn has_details(&self) -> bool;
}

/// Which headers a reader of the format takes for another line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HeaderMeanings {
    /// None.
    None,
    /// Those that have another meaning in KIF.
    Kif,
    /// Those that have another meaning in KIF or in prose.
    KifOrProse,
}

/// A record with at least this number of moves is not taken for words.
pub(super) const MIN_RECORD_MOVES: usize = 3;

/// A format of texts that are read.
pub(super) trait ReadFormat: Sync {
    /// Returns the name for messages.
    fn name(&self) -> &'static str;

    /// Returns the extensions of its files, in lower case.
    fn extensions(&self) -> &'static [&'static str] {
        &[]
    }

    /// Returns whether a line that begins like a comment belongs to the format.
    fn claims_comment(&self, _line: &str) -> bool {
        false
    }

    /// Returns the evidence of a line that is no comment; `None` for a line that gives none for this format.
    fn clue<'a>(&self, _line: &'a str) -> Option<FormatClue<'a>> {
        None
    }

    /// Reads the games of a text. Returns their number. With `is_promised`, the name of the file states the format.
    fn read(&self, text: &str, is_promised: bool, games: GameSink<'_>, warnings: &mut Warnings) -> usize;

    /// Returns the format in which a record from a text in an encoding is written again.
    fn target(&self, encoding: Encoding, text: &str) -> Target;

    /// Returns the function that finds out why no game can start from a position.
    fn start_check(&self) -> StartCheck {
        start_problem
    }

    /// Returns whether a text that was read with these warnings is a record, even if some of its moves are illegal.
    fn is_known_record(&self, _warnings: &Warnings) -> bool {
        true
    }

    /// Returns whether the candidate lacks moves of its text.
    fn misses_moves(&self, _found: &dyn FoundGames, _text: &str) -> bool {
        false
    }

    /// Returns whether the text of a candidate with moves or a heading is this record and nothing else.
    fn is_whole(&self, _found: &dyn FoundGames, _text: &str) -> bool {
        true
    }

    /// Returns whether records have names and ends, so that no words around this one state them.
    fn has_head(&self, _text: &str) -> bool {
        true
    }

    /// Returns whether a candidate with a single move may be a word.
    fn is_word_like(&self, _found: &dyn FoundGames) -> bool {
        false
    }

    /// Returns whether moves among words can be taken for this format.
    fn may_be_words(&self) -> bool {
        false
    }

    /// Returns whether other words can surround the lines of a record.
    fn has_parts(&self) -> bool {
        false
    }

    /// Returns whether a line below a record may be a damaged line of it.
    fn may_be_damaged(&self, line: &str) -> bool {
        begins_with_digit(line)
    }
}

/// A format of texts that are written.
pub(super) trait WriteFormat: Sync {
    /// Returns the name on the command line.
    fn name(&self) -> &'static str;

    /// Returns the name for messages.
    fn title(&self) -> &'static str;

    /// Returns the file extension, without the dot.
    fn extension(&self) -> &'static str {
        self.name()
    }

    fn encoding(&self) -> Encoding {
        Encoding::Utf8
    }

    /// Returns the first line that declares the encoding where the text would be taken for another one. Empty for a
    /// format without one, and for a format that always declares it.
    fn encoding_declaration(&self) -> &'static str {
        ""
    }

    /// Returns the separator between two games of a file; `None` for a format that holds one.
    fn separator(&self) -> Option<&'static [u8]> {
        None
    }

    fn capacity(&self) -> Capacity;

    /// Returns whether the format holds the number of the first move.
    fn keeps_first_number(&self) -> bool {
        false
    }

    /// Returns whether a header takes one line.
    fn has_single_line_headers(&self) -> bool {
        true
    }

    /// Returns which headers are read as another line of a record, so that their keys have to be changed.
    fn header_meanings(&self) -> HeaderMeanings {
        HeaderMeanings::None
    }

    /// Changes headers, which are clean, so that they are read again as they are.
    fn fit_headers(&self, _headers: &mut Vec<(String, String)>, _start: &Position) {}

    /// Returns whether the text of a fitted handicap game calls the sides 下手 and 上手.
    fn states_handicap(&self, _fitted: &Record) -> bool {
        false
    }

    /// Returns the end as it is read again, after `ply` moves; `None` if the format has no words for it.
    fn fit_end(&self, end: &End, _at: &Walk<'_>, _ply: u16, _is_handicap: bool) -> Option<End> {
        Some(end.clone())
    }

    /// Returns whether the format holds the time of an end in a position.
    fn holds_end_time(&self, _end: &End, _now: &Position) -> bool {
        true
    }

    /// Returns whether times of zero stand for unknown ones.
    fn has_zeros_for_unknown_times(&self) -> bool {
        false
    }

    /// Returns whether a line after the sign of remarks is a remark.
    fn is_remark(&self, _line: &str) -> bool {
        true
    }

    /// Changes notes so that they are read again as they are.
    fn fit_notes(&self, _notes: &mut Notes) {}

    /// Writes a fitted record.
    fn write(&self, fitted: &Record) -> String;
}

/// Returns why no game can start from a position; `None` if one can. Mating problems with one king are accepted.
fn start_problem(start: &Position) -> Option<Unsearchable> {
    let kings = [Color::Black, Color::White]
        .into_iter()
        .filter(|color| start.king(*color).is_some())
        .count();
    start
        .searchable()
        .err()
        .filter(|why| !matches!(why, Unsearchable::Kings(_)) || kings != 1)
}

/// Returns whether a line begins with a digit of any script, as a numbered move does.
pub(super) fn begins_with_digit(line: &str) -> bool {
    line.starts_with(|c: char| scan::digit(c).is_some())
}
