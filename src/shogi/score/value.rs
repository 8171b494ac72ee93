//! Evaluations in the engine's view and in Black's view.

use crate::Color;
use std::cmp::Ordering;

/// The absolute centipawns from which a score is a special value of the engine instead of an evaluation.
///
/// | printed | by | read as |
/// | --- | --- | --- |
/// | `cp ±29900`, `±30000` | `FukauraOu`, dlshogi: a win rate of 0 or 1, or a clamp | a win |
/// | `cp ±30000` | comments of floodgate and `ShogiHome`: mate of unknown length | a win |
/// | `cp ±31111` | `YaneuraOu`: a superior or inferior position was met in the search | no value ([`NO_VALUE_CP`]) |
/// | `cp ±32000` less the plies, `±32001` | `ShogiDroid`, zshogi, Bonanza's kin: mate | a win |
/// | `cp ±35281` | `ShogiDroid`: 必至 | a win |
/// | `cp ±100000` | cshogi: mate | a win |
/// | `cp ±1148897` | gpsusi: mate | a win |
/// | `mate 7`, `+5`, `-6` | all: plies until the side to move mates, or is mated | a mate |
/// | `mate +`, `mate -` | 将棋所: the length is not known | a mate |
/// | `mate 0`, `-0` | Fairy-Stockfish, `YaneuraOu`: the side to move is mated | a mate |
/// | `lowerbound`, `upperbound` | all: the search failed high or low | a bound ([`Bound`]) |
///
/// The sources are the output of the engines, and the documentation of their authors.
const MIN_SENTINEL_CP: i32 = 29_900;
/// The negative of [`MIN_SENTINEL_CP`], as a constant for patterns.
const NEGATIVE_SENTINEL_CP: i32 = -MIN_SENTINEL_CP;
/// The absolute centipawns that stand for no value: it is unknown which side is better.
const NO_VALUE_CP: i32 = 31_111;
/// The negative of [`NO_VALUE_CP`], as a constant for patterns.
const NEGATIVE_NO_VALUE_CP: i32 = -NO_VALUE_CP;

/// An evaluation as USI prints it, from the view of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UsiScore {
    /// An evaluation in centipawns.
    Cp(i32),
    /// A forced mate.
    Mate {
        /// Whether the side to move mates (or is mated).
        wins: bool,
        /// The number of plies; `None` where the engine does not give it, or where the position is mate already.
        plies: Option<u32>,
    },
}

/// The direction in which a value bounds the true value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The true value is equal or higher.
    Lower,
    /// The true value is equal or lower.
    Upper,
}

/// An evaluation in Black's view: more is better for Black.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// An evaluation in centipawns.
    Cp(i32),
    /// A win without a known mate: an engine's sentinel.
    Won(Color),
    /// A forced mate.
    Mate {
        /// The side that mates.
        winner: Color,
        /// The number of plies, at least 1; `None` where it is unknown, or where the position is mate already.
        plies: Option<u32>,
    },
}

impl UsiScore {
    /// Converts the score to Black's view. `side` is the side to move in the position that was *searched*. Only this
    /// function changes the sign of a score. Returns `None` for a sentinel that is not a value.
    pub const fn for_black(self, side: Color) -> Option<Value> {
        match self {
            Self::Cp(cp) => Value::from_cp(match side {
                Color::Black => cp,
                Color::White => cp.saturating_neg(),
            }),
            Self::Mate { wins, plies } => {
                let winner = if wins { side } else { side.flip() };
                let plies = match plies {
                    Some(0) => None,
                    known => known,
                };
                Some(Value::Mate { winner, plies })
            }
        }
    }
}

impl Bound {
    /// Converts the bound of a score to Black's view, as [`UsiScore::for_black`] converts the score.
    #[must_use]
    pub const fn for_black(self, side: Color) -> Self {
        match (self, side) {
            (bound, Color::Black) => bound,
            (Self::Lower, Color::White) => Self::Upper,
            (Self::Upper, Color::White) => Self::Lower,
        }
    }
}

impl Value {
    /// Creates a value from centipawns in Black's view, as records contain them. A sentinel becomes [`Value::Won`].
    /// Returns `None` for the sentinel that is not a value.
    pub const fn from_cp(cp: i32) -> Option<Self> {
        match cp {
            NO_VALUE_CP | NEGATIVE_NO_VALUE_CP => None,
            MIN_SENTINEL_CP.. => Some(Self::Won(Color::Black)),
            ..=NEGATIVE_SENTINEL_CP => Some(Self::Won(Color::White)),
            _ => Some(Self::Cp(cp)),
        }
    }

    /// Returns the winner; `None` for centipawns.
    pub const fn winner(self) -> Option<Color> {
        match self {
            Self::Cp(_) => None,
            Self::Won(winner) | Self::Mate { winner, .. } => Some(winner),
        }
    }

    /// Returns the centipawns in Black's view; `None` for a decided value.
    pub const fn cp(self) -> Option<i32> {
        match self {
            Self::Cp(cp) => Some(cp),
            Self::Won(_) | Self::Mate { .. } => None,
        }
    }

    /// Returns the plies to a mate, positive where Black mates; `None` without a mate or for a mate of unknown length.
    pub fn mate(self) -> Option<i64> {
        match self {
            Self::Mate {
                winner,
                plies: Some(plies),
            } => Some(if winner == Color::Black {
                plies.into()
            } else {
                -i64::from(plies)
            }),
            Self::Mate { plies: None, .. } | Self::Won(_) | Self::Cp(_) => None,
        }
    }

    /// Returns the sort key of the value. A sentinel is beyond all centipawns, and a mate of unknown length beyond a
    /// sentinel. A known mate is beyond an unknown one, and a short mate beyond a long one.
    const fn sort_key(self) -> (i8, i64) {
        let (winner, strength) = match self {
            Self::Cp(cp) => return (0, cp as i64),
            Self::Won(winner) => (winner, -2 - u32::MAX as i64),
            Self::Mate { winner, plies: None } => (winner, -1 - u32::MAX as i64),
            Self::Mate {
                winner,
                plies: Some(plies),
            } => (winner, -(plies as i64)),
        };
        match winner {
            Color::Black => (1, strength),
            Color::White => (-1, -strength),
        }
    }
}

impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Value {
    fn cmp(&self, other: &Self) -> Ordering {
        self.sort_key().cmp(&other.sort_key())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn converts_usi_scores_to_blacks_view() {
        let check =
            |raw: UsiScore, side, expect| assert_eq!(raw.for_black(side), Some(expect), "{raw:?} {side:?}");
        check(UsiScore::Cp(120), Color::Black, Value::Cp(120));
        check(UsiScore::Cp(120), Color::White, Value::Cp(-120));
        check(UsiScore::Cp(-29_899), Color::White, Value::Cp(29_899));
        for sentinel in [29_900, 30_000, 31_110, 31_112, 32_001, 1_148_897, i32::MAX] {
            check(UsiScore::Cp(sentinel), Color::White, Value::Won(Color::White));
            check(UsiScore::Cp(-sentinel), Color::White, Value::Won(Color::Black));
        }
        for none in [31_111, -31_111] {
            assert_eq!(
                UsiScore::Cp(none).for_black(Color::White),
                None,
                "{none} is no value"
            );
        }
        check(UsiScore::Cp(i32::MIN), Color::Black, Value::Won(Color::White));
        let mate = |wins, plies| UsiScore::Mate { wins, plies };
        let mated = |winner, plies| Value::Mate { winner, plies };
        check(mate(true, Some(7)), Color::White, mated(Color::White, Some(7)));
        check(mate(false, Some(6)), Color::White, mated(Color::Black, Some(6)));
        check(mate(false, Some(0)), Color::Black, mated(Color::White, None));
        check(mate(true, None), Color::Black, mated(Color::Black, None));
    }

    #[test]
    fn orders_values_from_whites_mate_to_blacks() {
        let mate = |winner, plies| Value::Mate { winner, plies };
        let rising = [
            mate(Color::White, Some(1)),
            mate(Color::White, Some(9)),
            mate(Color::White, None),
            Value::Won(Color::White),
            Value::Cp(-20_000),
            Value::Cp(0),
            Value::Cp(20_000),
            Value::Won(Color::Black),
            mate(Color::Black, None),
            mate(Color::Black, Some(9)),
            mate(Color::Black, Some(1)),
        ];
        assert!(rising.is_sorted(), "{rising:?}");
    }

    proptest! {
        #[test]
        fn negates_the_value_for_the_other_side(cp in -1_000_000..1_000_000_i32) {
            prop_assert_eq!(UsiScore::Cp(cp).for_black(Color::Black), UsiScore::Cp(-cp).for_black(Color::White));
        }
    }
}
