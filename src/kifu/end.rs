//! The end of a game: its reason and its outcome.

use shogibar_shogi::{Color, Position, Repetition};
use std::fmt;

/// The end of a line of moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct End {
    /// The reason of the end.
    pub reason: Reason,
    /// The outcome of the game.
    pub outcome: Outcome,
    /// Details that the reason does not contain: an unplayed move or unknown words.
    words: String,
}

/// The outcome of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// A win for one side.
    Win(Color),
    /// A draw.
    Draw,
    /// Undecided or not stated.
    Open,
}

/// The reason why a line ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// 投了: resignation.
    Resignation,
    /// 詰み: checkmate.
    Checkmate,
    /// 切れ負け: loss on time.
    TimeUp,
    /// 反則: a foul of which only the result is stated.
    Foul,
    /// A move that is against the rules.
    IllegalMove,
    /// 入玉勝ち, or a draw by declaration.
    Declaration,
    /// 不戦勝, 不戦敗: a win or loss by forfeit.
    Forfeit,
    /// 千日手: repetition.
    Repetition,
    /// 持将棋: impasse.
    Impasse,
    /// 最大手数: the maximum number of moves.
    MaxMoves,
    /// 中断: interruption.
    Interruption,
    /// 封じ手: sealed move.
    Sealed,
    /// 不詰: a mating problem without a mate.
    NoMate,
    /// A move that cannot be read.
    Unreadable,
    /// Unknown words.
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
    const fn stores_words(self) -> bool {
        matches!(self, Self::IllegalMove | Self::Unreadable | Self::Other)
    }
}

/// The outcome of an end mark, mostly relative to the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MarkOutcome {
    MoverWins,
    MoverLoses,
    /// A win for this side.
    Winner(Color),
    Draw,
    /// Undecided or not stated.
    Open,
}

/// The meaning of a word or line with which a format ends a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct EndMark {
    pub(super) reason: Reason,
    pub(super) outcome: MarkOutcome,
}

impl EndMark {
    pub(super) const fn new(reason: Reason, outcome: MarkOutcome) -> Self {
        Self { reason, outcome }
    }

    /// Returns the outcome when `mover` is to move.
    pub(super) const fn outcome_for(self, mover: Color) -> Outcome {
        match self.outcome {
            MarkOutcome::MoverWins => Outcome::Win(mover),
            MarkOutcome::MoverLoses => Outcome::Win(mover.flip()),
            MarkOutcome::Winner(color) => Outcome::Win(color),
            MarkOutcome::Draw => Outcome::Draw,
            MarkOutcome::Open => Outcome::Open,
        }
    }
}

/// Returns the mark of the first word in a table that `is_it` accepts.
pub(super) fn find_mark(words: &[(&str, EndMark)], is_it: impl Fn(&str) -> bool) -> Option<EndMark> {
    words.iter().find(|(word, _)| is_it(word)).map(|(_, mark)| *mark)
}

impl MarkOutcome {
    /// Returns the outcome of a perpetual check at a position; `None` for a draw or no repetition.
    pub(super) fn from_perpetual_check(now: &Position) -> Option<Self> {
        match now.repetition()? {
            Repetition::Win => Some(Self::MoverWins),
            Repetition::Loss => Some(Self::MoverLoses),
            Repetition::Draw => None,
        }
    }
}

impl End {
    /// Creates an end. The `words` of the file are kept only for unplayed moves and unknown reasons. For all other
    /// reasons each format has its own words.
    pub fn new(reason: Reason, outcome: Outcome, words: &str) -> Self {
        let words = if reason.stores_words() {
            words.to_owned()
        } else {
            String::new()
        };
        Self {
            reason,
            outcome,
            words,
        }
    }

    /// Creates an end at a position with the default outcome for its reason. The side to move resigns, runs out of
    /// time, is mated, has made a foul, forfeits, or declares a win. A repetition is judged by the checks that led to
    /// it. An impasse and the maximum number of moves are draws. All other ends are undecided.
    pub fn at_position(reason: Reason, now: &Position) -> Self {
        let outcome = match reason {
            Reason::Resignation | Reason::Checkmate | Reason::TimeUp | Reason::Foul | Reason::Forfeit => {
                MarkOutcome::MoverLoses
            }
            Reason::Declaration => MarkOutcome::MoverWins,
            Reason::Repetition => MarkOutcome::from_perpetual_check(now).unwrap_or(MarkOutcome::Draw),
            Reason::Impasse | Reason::MaxMoves => MarkOutcome::Draw,
            _ => MarkOutcome::Open,
        };
        Self::from_mark(EndMark::new(reason, outcome), now.side_to_move(), "")
    }

    /// Returns the details that the reason does not contain: an unplayed move or unknown words. Empty for other ends.
    pub fn words(&self) -> &str {
        &self.words
    }

    /// Creates a game's end from an end mark, with `mover` to move.
    pub(super) fn from_mark(mark: EndMark, mover: Color, words: &str) -> Self {
        Self::new(mark.reason, mark.outcome_for(mover), words)
    }

    /// Creates a game's end from its summary (`まで…`), for a game without an end mark. `mover` is to move.
    pub(super) fn from_summary(summary: EndMark, mover: Color, words: &str) -> Self {
        let outcome = summary.outcome_for(mover);
        // Without a stated reason, the side to move has lost by resigning.
        let words = if words.contains('勝') { "" } else { words };
        let resigned =
            summary.reason == Reason::Other && outcome == Outcome::Win(mover.flip()) && words.is_empty();
        Self::new(
            if resigned {
                Reason::Resignation
            } else {
                summary.reason
            },
            outcome,
            words,
        )
    }

    /// Applies a further mark. Returns whether the mark agrees with the end. After a move that was not played, the mark
    /// gives the outcome. A foul mark then refers to that move. `mover` is the side to move after that move.
    pub(super) fn apply_mark(&mut self, mark: EndMark, mover: Color) -> bool {
        let by_foul = mark.reason == Reason::Foul && self.reason == Reason::IllegalMove;
        let outcome = if by_foul {
            Outcome::Win(mover)
        } else {
            mark.outcome_for(mover)
        };
        let agrees = self.is_cut() || self.reason == mark.reason;
        if !agrees || self.is_decided() && outcome != Outcome::Open && outcome != self.outcome {
            return false;
        }
        if !self.is_decided() {
            self.outcome = outcome;
        }
        true
    }

    /// Applies a summary line. Returns whether the line agrees with the end. A summary names the winner, so it takes
    /// precedence over a mark relative to the side to move.
    pub(super) fn apply_summary(&mut self, summary: EndMark, mover: Color) -> bool {
        let outcome = summary.outcome_for(mover);
        if self.reason == Reason::Other && summary.reason != Reason::Other {
            self.reason = summary.reason;
            self.words.clear();
        }
        let agrees =
            self.is_cut() || matches!(summary.reason, Reason::Other) || self.reason == summary.reason;
        if !matches!(summary.outcome, MarkOutcome::Winner(_) | MarkOutcome::Draw) || self.outcome == outcome {
            return agrees;
        }
        let was_decided = self.is_decided();
        self.outcome = outcome;
        agrees && !was_decided
    }

    /// Returns whether the line ends because its next move could not be read or played.
    pub const fn is_cut(&self) -> bool {
        matches!(self.reason, Reason::IllegalMove | Reason::Unreadable)
    }

    /// Returns whether the outcome is a win or a draw.
    pub fn is_decided(&self) -> bool {
        self.outcome != Outcome::Open
    }

    /// Returns the winner; `None` for a draw or an undecided game.
    pub const fn winner(&self) -> Option<Color> {
        match self.outcome {
            Outcome::Win(color) => Some(color),
            Outcome::Draw | Outcome::Open => None,
        }
    }

    /// Returns whether a game can continue after this end.
    pub const fn is_pause(&self) -> bool {
        matches!(self.reason, Reason::Interruption | Reason::Sealed) && matches!(self.outcome, Outcome::Open)
    }
}
