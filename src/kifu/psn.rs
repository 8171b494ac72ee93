//! PSN, records similar to chess's PGN: tags, then moves in English letters with comments in braces.
//!
//! There are several dialects, and all are read. 将棋所 and `MyShogi` write a numbered move per line with its time, and
//! `Variation:` blocks. `MyShogi`'s PSN2 has USI moves. Older archives have many moves per line, numbered by move, by
//! pair or not at all. They have variations in round brackets and several games per file. Hodges' short moves are read,
//! too. Only the dialect of 将棋所 is written.

pub(super) mod format;
mod game;
mod moves;
mod read;
mod start;
#[cfg(test)]
mod tests;
mod words;
mod write;

pub(super) use read::read;
pub(super) use words::{PsnClue, clue, is_chess, result_mark};
pub(super) use write::{fit_end, rename_headers, write};

use super::builder::CutReason;
use super::end::{EndMark, MarkOutcome, Reason, find_mark};
use shogibar_shogi::{Move, Position};

/// Words in place of a move. Only the first [`WRITTEN_MARK_COUNT`] are written, because 将棋所 does not know the
/// others.
const END_MARKS: [(&str, EndMark); 18] = [
    (
        "Resigns",
        EndMark::new(Reason::Resignation, MarkOutcome::MoverLoses),
    ),
    ("Interrupt", EndMark::new(Reason::Interruption, MarkOutcome::Open)),
    ("Mate", EndMark::new(Reason::Checkmate, MarkOutcome::MoverLoses)),
    ("Sennichite", EndMark::new(Reason::Repetition, MarkOutcome::Draw)),
    ("Jishogi", EndMark::new(Reason::Impasse, MarkOutcome::Draw)),
    ("Timeup", EndMark::new(Reason::TimeUp, MarkOutcome::MoverLoses)),
    ("MaxMovesDraw", EndMark::new(Reason::MaxMoves, MarkOutcome::Draw)),
    (
        "DeclarationWin",
        EndMark::new(Reason::Declaration, MarkOutcome::MoverWins),
    ),
    (
        "TryRuleWin",
        EndMark::new(Reason::Declaration, MarkOutcome::MoverLoses),
    ),
    (
        "RepetitionDraw",
        EndMark::new(Reason::Repetition, MarkOutcome::Draw),
    ),
    (
        "RepetitionWin",
        EndMark::new(Reason::Repetition, MarkOutcome::MoverWins),
    ),
    (
        "Resign",
        EndMark::new(Reason::Resignation, MarkOutcome::MoverLoses),
    ),
    (
        "Resigned",
        EndMark::new(Reason::Resignation, MarkOutcome::MoverLoses),
    ),
    ("Mated", EndMark::new(Reason::Checkmate, MarkOutcome::MoverLoses)),
    (
        "Checkmate",
        EndMark::new(Reason::Checkmate, MarkOutcome::MoverLoses),
    ),
    (
        "Interrupted",
        EndMark::new(Reason::Interruption, MarkOutcome::Open),
    ),
    ("Time-up", EndMark::new(Reason::TimeUp, MarkOutcome::MoverLoses)),
    ("Draw", EndMark::new(Reason::Other, MarkOutcome::Draw)),
];

/// The number of [`END_MARKS`] that are written, from the first.
const WRITTEN_MARK_COUNT: usize = 6;

/// The comment that turns 将棋所's `Jishogi` into a declaration.
const DECLARATION_COMMENT: &str = "入玉宣言により勝ち。";

pub(super) fn is_tag(line: &str) -> bool {
    words::parse_tag(line.trim_start()).is_some_and(|(name, ..)| name.chars().all(char::is_alphanumeric))
}

/// PSN tags with the KIF keys of their headers. If two tags have one key, the first is written.
const TAG_KEYS: [(&str, &str); 11] = [
    ("Sente", "先手"),
    ("Gote", "後手"),
    ("Event", "棋戦"),
    ("Site", "場所"),
    ("Date", "開始日時"),
    ("EndDate", "終了日時"),
    ("Opening", "戦型"),
    ("TimeControl", "持ち時間"),
    ("Black", "先手"),
    ("White", "後手"),
    ("Venue", "場所"),
];

/// The tags that mean more than a header: the start, a comment, or the result.
const SPECIAL_TAGS: [&str; 5] = ["SFEN", "FEN", "Handicap", "Comment", "Result"];

/// Returns the end mark of a word in place of a move; `None` for an unknown word.
fn end_mark(word: &str) -> Option<EndMark> {
    find_mark(&END_MARKS, |known| known.eq_ignore_ascii_case(word))
}

/// Returns the meaning of `mark`, the end mark of a word, at a position. 将棋所 writes the same word for perpetual check
/// as for other repetitions.
fn mark_at(now: &Position, word: &str, mark: EndMark) -> EndMark {
    let by_checks = if word.eq_ignore_ascii_case("Sennichite") {
        MarkOutcome::from_perpetual_check(now)
    } else {
        None
    };
    EndMark {
        outcome: by_checks.unwrap_or(mark.outcome),
        ..mark
    }
}

/// Returns the header key of a tag: the KIF key, or the tag itself.
fn header_key(tag: &str) -> &str {
    TAG_KEYS
        .iter()
        .find(|(known, _)| known.eq_ignore_ascii_case(tag))
        .map_or(tag, |(_, key)| key)
}

pub(super) fn read_move(word: &str, now: &Position) -> Result<Move, CutReason> {
    match (Move::from_usi(word), moves::parse_move(word)) {
        (Some(mv), _) => Ok(mv),
        (None, Some((spelled, ""))) => moves::resolve(spelled, now),
        (None, _) => Err(CutReason::Unreadable),
    }
}
