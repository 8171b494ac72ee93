//! PSN, records in the manner of chess's PGN: tags, then moves in English letters with comments in braces.
//!
//! There is no one PSN. All that goes by the name is read: 将棋所's and `MyShogi`'s, with a numbered move a
//! line, its time, and `Variation:` blocks; `MyShogi`'s PSN2, with moves as USI has them; the older archives,
//! with many moves a line, numbered by move, by pair or not at all, variations in round brackets and
//! several games a file; Hodges' short moves. 将棋所's is written.

mod game;
mod moves;
mod read;
mod start;
#[cfg(test)]
mod tests;
mod words;
mod write;

pub(super) use read::read;
pub(super) use words::{PsnLine as Clue, clue};
pub(super) use write::{held, order, write};

use super::builder::CutReason;
use super::end::{EndMark, MarkVerdict, Reason, meaning};
use crate::shogi::{Move, Position};

/// Words in place of a move. What they say is of the side whose turn it is. Of two that say the same the
/// first is written, if it is one of the first six: the others 将棋所 does not know.
const MARKS: [(&str, EndMark); 18] = [
    ("Resigns", EndMark::new(Reason::Resignation, MarkVerdict::MoverLoses)),
    ("Interrupt", EndMark::new(Reason::Interruption, MarkVerdict::Open)),
    ("Mate", EndMark::new(Reason::Checkmate, MarkVerdict::MoverLoses)),
    ("Sennichite", EndMark::new(Reason::Repetition, MarkVerdict::Draw)),
    ("Jishogi", EndMark::new(Reason::Impasse, MarkVerdict::Draw)),
    ("Timeup", EndMark::new(Reason::TimeUp, MarkVerdict::MoverLoses)),
    ("MaxMovesDraw", EndMark::new(Reason::MaxMoves, MarkVerdict::Draw)),
    ("DeclarationWin", EndMark::new(Reason::Declaration, MarkVerdict::MoverWins)),
    ("TryRuleWin", EndMark::new(Reason::Declaration, MarkVerdict::MoverLoses)),
    ("RepetitionDraw", EndMark::new(Reason::Repetition, MarkVerdict::Draw)),
    ("RepetitionWin", EndMark::new(Reason::Repetition, MarkVerdict::MoverWins)),
    ("Resign", EndMark::new(Reason::Resignation, MarkVerdict::MoverLoses)),
    ("Resigned", EndMark::new(Reason::Resignation, MarkVerdict::MoverLoses)),
    ("Mated", EndMark::new(Reason::Checkmate, MarkVerdict::MoverLoses)),
    ("Checkmate", EndMark::new(Reason::Checkmate, MarkVerdict::MoverLoses)),
    ("Interrupted", EndMark::new(Reason::Interruption, MarkVerdict::Open)),
    ("Time-up", EndMark::new(Reason::TimeUp, MarkVerdict::MoverLoses)),
    ("Draw", EndMark::new(Reason::Other, MarkVerdict::Draw)),
];

/// How many of them are written.
const WRITTEN: usize = 6;

/// The comment that makes 将棋所's `Jishogi` a declaration.
const DECLARED: &str = "入玉宣言により勝ち。";

/// Tags for which KIF has a name, under which they are kept. Of two the first is written.
const TAGS: [(&str, &str); 11] = [
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

/// Tags that say more than a header does.
const SPECIAL_TAGS: [&str; 5] = ["SFEN", "FEN", "Handicap", "Comment", "Result"];

/// What a word in place of a move means.
fn mark(word: &str) -> Option<EndMark> {
    meaning(&MARKS, |known| known.eq_ignore_ascii_case(word))
}

/// What such a word means in a position: 将棋所 has the same one for perpetual check as for other repetitions.
fn mark_in(now: &Position, word: &str, mark: EndMark) -> EndMark {
    let by_checks = MarkVerdict::by_checks(now).filter(|_| word.eq_ignore_ascii_case("Sennichite"));
    EndMark { verdict: by_checks.unwrap_or(mark.verdict), ..mark }
}

/// The key under which the value of a tag is kept.
fn header_key(tag: &str) -> &str {
    TAGS.iter().find(|(known, _)| known.eq_ignore_ascii_case(tag)).map_or(tag, |(_, key)| key)
}

/// The move that a word means in a position, as PSN or USI spells it; `None` where it is no such word.
pub(super) fn read_move(word: &str, now: &Position) -> Option<Result<Move, CutReason>> {
    if let Some(mv) = Move::from_usi(word) {
        return Some(Ok(mv));
    }
    let (spelled, rest) = moves::spell(word)?;
    rest.is_empty().then(|| moves::resolve(spelled, now))
}
