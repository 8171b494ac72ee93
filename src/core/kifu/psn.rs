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
pub(super) use words::{Line as Clue, clue};
pub(super) use write::{held, order, write};

use super::builder::Cut;
use super::end::{Mark, Reason, Verdict, meaning};
use crate::shogi::{Move, Position};

/// Words in place of a move. What they say is of the side whose turn it is. Of two that say the same the
/// first is written, if it is one of the first six: the others 将棋所 does not know.
const MARKS: [(&str, Mark); 18] = [
    ("Resigns", Mark::new(Reason::Resignation, Verdict::MoverLoses)),
    ("Interrupt", Mark::new(Reason::Interruption, Verdict::Open)),
    ("Mate", Mark::new(Reason::Checkmate, Verdict::MoverLoses)),
    ("Sennichite", Mark::new(Reason::Repetition, Verdict::Draw)),
    ("Jishogi", Mark::new(Reason::Impasse, Verdict::Draw)),
    ("Timeup", Mark::new(Reason::TimeUp, Verdict::MoverLoses)),
    ("MaxMovesDraw", Mark::new(Reason::MaxMoves, Verdict::Draw)),
    ("DeclarationWin", Mark::new(Reason::Declaration, Verdict::MoverWins)),
    ("TryRuleWin", Mark::new(Reason::Declaration, Verdict::MoverLoses)),
    ("RepetitionDraw", Mark::new(Reason::Repetition, Verdict::Draw)),
    ("RepetitionWin", Mark::new(Reason::Repetition, Verdict::MoverWins)),
    ("Resign", Mark::new(Reason::Resignation, Verdict::MoverLoses)),
    ("Resigned", Mark::new(Reason::Resignation, Verdict::MoverLoses)),
    ("Mated", Mark::new(Reason::Checkmate, Verdict::MoverLoses)),
    ("Checkmate", Mark::new(Reason::Checkmate, Verdict::MoverLoses)),
    ("Interrupted", Mark::new(Reason::Interruption, Verdict::Open)),
    ("Time-up", Mark::new(Reason::TimeUp, Verdict::MoverLoses)),
    ("Draw", Mark::new(Reason::Other, Verdict::Draw)),
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
fn mark(word: &str) -> Option<Mark> {
    meaning(&MARKS, |known| known.eq_ignore_ascii_case(word))
}

/// What such a word means in a position: 将棋所 has the same one for perpetual check as for other repetitions.
fn mark_in(now: &Position, word: &str, mark: Mark) -> Mark {
    let by_checks = Verdict::of_checks(now).filter(|_| word.eq_ignore_ascii_case("Sennichite"));
    Mark { verdict: by_checks.unwrap_or(mark.verdict), ..mark }
}

/// The key under which the value of a tag is kept.
fn header_key(tag: &str) -> &str {
    TAGS.iter().find(|(known, _)| known.eq_ignore_ascii_case(tag)).map_or(tag, |(_, key)| key)
}

/// The move that a word means in a position, as PSN or USI spells it; `None` where it is no such word.
pub(super) fn read_move(word: &str, now: &Position) -> Option<Result<Move, Cut>> {
    if let Some(mv) = Move::from_usi(word) {
        return Some(Ok(mv));
    }
    let (spelled, rest) = moves::spell(word)?;
    rest.is_empty().then(|| moves::resolve(spelled, now))
}
