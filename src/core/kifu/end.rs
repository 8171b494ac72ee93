//! How a game ends: why, and for whom.

use crate::shogi::{Color, Position, Repetition};
use std::fmt;

/// The end of a line of moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct End {
    /// Why.
    pub reason: Reason,
    /// For whom.
    pub outcome: Outcome,
    /// What the reason alone does not tell: a move that was not played, words that are not known.
    words: String,
}

/// For whom a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// A side won.
    Win(Color),
    /// Nobody won.
    Draw,
    /// Undecided, or not said.
    Open,
}

/// Why a line ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// 投了
    Resignation,
    /// 詰み
    Checkmate,
    /// 切れ負け
    TimeUp,
    /// 反則, told by its result only.
    Foul,
    /// A move that is against the rules.
    IllegalMove,
    /// 入玉勝ち, or a draw by declaration.
    Declaration,
    /// 不戦勝, 不戦敗
    Forfeit,
    /// 千日手
    Repetition,
    /// 持将棋
    Impasse,
    /// 最大手数
    MaxMoves,
    /// 中断
    Interruption,
    /// 封じ手
    Sealed,
    /// 不詰: a problem without a mate.
    NoMate,
    /// A move that cannot be read.
    Unreadable,
    /// Words that are not known.
    Other,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Resignation => "resignation",
            Self::Checkmate => "mate",
            Self::TimeUp => "end by the clock",
            Self::Foul => "foul",
            Self::IllegalMove => "illegal move",
            Self::Declaration => "declaration",
            Self::Forfeit => "forfeit",
            Self::Repetition => "repetition",
            Self::Impasse => "impasse",
            Self::MaxMoves => "end by the number of moves",
            Self::Interruption => "interruption",
            Self::Sealed => "sealed move",
            Self::NoMate => "end without a mate",
            Self::Unreadable => "unreadable move",
            Self::Other => "end",
        })
    }
}

impl Reason {
    const fn needs_words(self) -> bool {
        matches!(self, Self::IllegalMove | Self::Unreadable | Self::Other)
    }
}

/// What an end mark says of the side whose turn it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MarkVerdict {
    MoverWins,
    MoverLoses,
    Winner(Color),
    Draw,
    Open,
}

/// An end mark of some format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct EndMark {
    pub(super) reason: Reason,
    pub(super) verdict: MarkVerdict,
}

impl EndMark {
    pub(super) const fn new(reason: Reason, verdict: MarkVerdict) -> Self {
        Self { reason, verdict }
    }

    /// The outcome when `mover` is to move.
    pub(super) const fn outcome(self, mover: Color) -> Outcome {
        match self.verdict {
            MarkVerdict::MoverWins => Outcome::Win(mover),
            MarkVerdict::MoverLoses => Outcome::Win(mover.flip()),
            MarkVerdict::Winner(color) => Outcome::Win(color),
            MarkVerdict::Draw => Outcome::Draw,
            MarkVerdict::Open => Outcome::Open,
        }
    }
}

/// What the word that is looked for means, by a table of words.
pub(super) fn meaning(words: &[(&str, EndMark)], is_it: impl Fn(&str) -> bool) -> Option<EndMark> {
    words.iter().find(|(word, _)| is_it(word)).map(|(_, mark)| *mark)
}

impl MarkVerdict {
    /// Whom a repetition makes win in a position, by the checks that led there; `None` where it is a draw,
    /// or no repetition.
    pub(super) fn by_checks(now: &Position) -> Option<Self> {
        match now.repetition()? {
            Repetition::Win => Some(Self::MoverWins),
            Repetition::Loss => Some(Self::MoverLoses),
            Repetition::Draw => None,
        }
    }
}

impl End {
    /// An end. The file's own `words` are kept where the reason is a move that was not played or is not
    /// known; elsewhere every format has its own for it.
    pub fn new(reason: Reason, outcome: Outcome, words: &str) -> Self {
        let words = if reason.needs_words() { words.to_owned() } else { String::new() };
        Self { reason, outcome, words }
    }

    /// The end of a game in a position for this reason, as it usually is one: who is to move resigns, runs out of
    /// time, is mated, has made a foul, or has declared a win. A repetition is judged by the checks that led to it.
    pub fn here(reason: Reason, now: &Position) -> Self {
        let verdict = match reason {
            Reason::Resignation | Reason::Checkmate | Reason::TimeUp | Reason::Foul | Reason::Forfeit => {
                MarkVerdict::MoverLoses
            }
            Reason::Declaration => MarkVerdict::MoverWins,
            Reason::Repetition => MarkVerdict::by_checks(now).unwrap_or(MarkVerdict::Draw),
            Reason::Impasse | Reason::MaxMoves => MarkVerdict::Draw,
            _ => MarkVerdict::Open,
        };
        Self::from_mark(EndMark::new(reason, verdict), now.side_to_move(), "")
    }

    /// What the reason alone does not tell: a move that was not played, words that are not known. Else empty.
    pub fn words(&self) -> &str {
        &self.words
    }

    /// The end that a mark means when `mover` is to move.
    pub(super) fn from_mark(mark: EndMark, mover: Color, words: &str) -> Self {
        Self::new(mark.reason, mark.outcome(mover), words)
    }

    /// The end that a line which sums the game up means when there was no mark.
    pub(super) fn from_summary(summary: EndMark, mover: Color, words: &str) -> Self {
        let outcome = summary.outcome(mover);
        // Without a word why, the side whose turn it is has lost by resigning.
        let words = if words.contains('勝') { "" } else { words };
        let resigned = summary.reason == Reason::Other && outcome == Outcome::Win(mover.flip()) && words.is_empty();
        Self::new(if resigned { Reason::Resignation } else { summary.reason }, outcome, words)
    }

    /// Takes in a mark right after a move that was not played: it says what came of it. A foul is that
    /// move. `mover` is the side to move after it.
    pub(super) fn came_to(&mut self, mark: EndMark, mover: Color) {
        let by_foul = mark.reason == Reason::Foul && self.reason == Reason::IllegalMove;
        self.outcome = if by_foul { Outcome::Win(mover) } else { mark.outcome(mover) };
    }

    /// Takes in a line that sums the game up, and says whether it agrees. It knows the winner better than
    /// a mark, which only says what happened to the side whose turn it was.
    pub(super) fn is_summed_up_by(&mut self, summary: EndMark, mover: Color) -> bool {
        let outcome = summary.outcome(mover);
        if self.reason == Reason::Other && summary.reason != Reason::Other {
            self.reason = summary.reason;
            self.words.clear();
        }
        if !matches!(summary.verdict, MarkVerdict::Winner(_) | MarkVerdict::Draw) || self.outcome == outcome {
            return true;
        }
        let agrees = !self.is_decided();
        self.outcome = outcome;
        agrees
    }

    /// Whether the line stops before a move that could not be played.
    pub const fn is_a_cut(&self) -> bool {
        matches!(self.reason, Reason::IllegalMove | Reason::Unreadable)
    }

    /// Whether the game is over, as against interrupted or unknown.
    pub fn is_decided(&self) -> bool {
        self.outcome != Outcome::Open
    }

    /// Who won.
    pub const fn winner(&self) -> Option<Color> {
        match self.outcome {
            Outcome::Win(color) => Some(color),
            Outcome::Draw | Outcome::Open => None,
        }
    }

    /// Whether a game may go on after it.
    pub const fn is_a_pause(&self) -> bool {
        matches!(self.reason, Reason::Interruption | Reason::Sealed) && matches!(self.outcome, Outcome::Open)
    }
}
