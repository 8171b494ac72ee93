//! The advantage of a side, in the levels that broadcasts use.

use crate::Color;

/// The advantage of a side, in the words of Japanese commentators.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum AdvantageLevel {
    /// やや有利: from 58 %.
    Slight,
    /// 有利: from 66 %.
    Better,
    /// 優勢: from 73 %.
    Superior,
    /// 勝勢: from 93 %.
    Winning,
    /// A mate or a sentinel.
    Won,
}

/// The win rates in whole percent from which each level applies, the highest first.
const LEVELS: [(u8, AdvantageLevel); 4] = [
    (93, AdvantageLevel::Winning),
    (73, AdvantageLevel::Superior),
    (66, AdvantageLevel::Better),
    (58, AdvantageLevel::Slight),
];

/// The side that is ahead, and its level; `None` for 互角.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Advantage(pub Option<(Color, AdvantageLevel)>);

impl Advantage {
    /// Returns the advantage for the displayed win rate of Black in percent, from 0 to 100. The word and the number always
    /// agree. The result is never [`Won`](AdvantageLevel::Won).
    pub fn from_percent(black: u8) -> Self {
        let white = 100_u8.saturating_sub(black);
        let (side, ahead) = if black > white {
            (Color::Black, black)
        } else {
            (Color::White, white)
        };
        Self(
            LEVELS
                .iter()
                .find(|(from, _)| ahead >= *from)
                .map(|(_, level)| (side, *level)),
        )
    }

    /// Returns the advantage of a side that has won by a mate or a sentinel.
    pub const fn won(winner: Color) -> Self {
        Self(Some((winner, AdvantageLevel::Won)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::percent;

    #[test]
    fn the_level_is_that_of_the_displayed_percentage() {
        let check = |rate, expect| {
            assert_eq!(
                Advantage::from_percent(percent(rate, false).0).0,
                expect,
                "{rate}"
            );
        };
        let black = |level| Some((Color::Black, level));
        let white = |level| Some((Color::White, level));
        check(0.5749, None);
        check(0.5751, black(AdvantageLevel::Slight));
        check(0.426, None);
        check(0.424, white(AdvantageLevel::Slight));
        check(0.6549, black(AdvantageLevel::Slight));
        check(0.6551, black(AdvantageLevel::Better));
        check(0.7251, black(AdvantageLevel::Superior));
        check(0.274, white(AdvantageLevel::Superior));
        check(0.9249, black(AdvantageLevel::Superior));
        check(0.9251, black(AdvantageLevel::Winning));
        check(0.0, white(AdvantageLevel::Winning));
        check(f64::NAN, white(AdvantageLevel::Winning));
        assert_eq!(Advantage::from_percent(50), Advantage(None));
    }
}
