//! Swings: the moves with a large loss, with the time, for users who cut clips.

use super::in_lang;
use super::state::SwingState;
use shogibar_base::Lang;
use shogibar_games::bar::BarView;

/// The minimum loss of a swing, in percentage points of win rate.
const MIN_SWING_LOSS_POINTS: u8 = 20;
/// The maximum number of swings. The oldest one is dropped for a new one.
const MAX_SWINGS: usize = 1000;

/// The position after a move of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SwingPosition {
    pub(super) game: usize,
    /// The number of moves up to the position.
    pub(super) ply: usize,
    /// The move in words, in Japanese and in English.
    pub(super) words: [String; 2],
}

/// A move with a large loss.
#[derive(Clone, Debug)]
struct Swing {
    position: SwingPosition,
    /// The loss in percentage points of win rate.
    loss: u8,
    /// The time at which the move was first seen, in seconds since 1970.
    time: u64,
    /// Whether viewers see only numbers, so that the move and its number are left out.
    is_numbers_only: bool,
}

/// The swings up to now, the oldest first.
#[derive(Clone, Debug, Default)]
pub(super) struct SwingList(Vec<Swing>);

impl SwingList {
    pub(super) fn update(&mut self, position: SwingPosition, view: &BarView, now: u64) {
        if view.is_hidden {
            return;
        }
        let known = self.0.iter().position(|swing| swing.position == position);
        match (
            view.last_loss.filter(|loss| *loss >= MIN_SWING_LOSS_POINTS),
            known,
        ) {
            (Some(loss), Some(known)) => {
                if let Some(swing) = self.0.get_mut(known) {
                    swing.loss = loss;
                }
            }
            (Some(loss), None) => {
                if self.0.len() >= MAX_SWINGS {
                    self.0.remove(0);
                }
                self.0.push(Swing {
                    position,
                    loss,
                    time: now,
                    is_numbers_only: false,
                });
            }
            // By the analysis, the move has lost less.
            (None, Some(known)) if view.is_loss_judged => drop(self.0.remove(known)),
            (None, _) => {}
        }
    }

    /// Sets whether viewers of a game see only numbers. This stays once the game is closed.
    pub(super) fn set_numbers_only(&mut self, game: usize, is_numbers_only: bool) {
        self.0
            .iter_mut()
            .filter(|swing| swing.position.game == game)
            .for_each(|swing| swing.is_numbers_only = is_numbers_only);
    }

    pub(super) const fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns the swings for an OBS page, with the moves in a language.
    pub(super) fn states(&self, lang: Lang) -> impl Iterator<Item = SwingState<'_>> {
        self.0.iter().map(move |swing| SwingState {
            game: swing.position.game,
            ply: (!swing.is_numbers_only).then_some(swing.position.ply),
            words: (!swing.is_numbers_only).then(|| in_lang::<String>(&swing.position.words, lang).as_str()),
            loss: swing.loss,
            time: iso(swing.time),
            seconds: swing.time,
        })
    }
}

/// Returns a time in seconds since 1970 in the form of ISO 8601: `2026-11-22T12:34:56Z`.
fn iso(seconds: u64) -> String {
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    let (mut year, mut day) = (1970, days);
    let is_leap =
        |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    while day >= 365 + u64::from(is_leap(year)) {
        day -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let mut month = 1;
    for length in [
        31,
        28 + u64::from(is_leap(year)),
        31,
        30,
        31,
        30,
        31,
        31,
        30,
        31,
        30,
    ] {
        if day < length {
            break;
        }
        day -= length;
        month += 1;
    }
    let (hours, minutes, seconds) = (rest / 3600, rest / 60 % 60, rest % 60);
    format!(
        "{year}-{month:02}-{:02}T{hours:02}:{minutes:02}:{seconds:02}Z",
        day + 1
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a position after the same move, at this ply.
    fn position(ply: usize) -> SwingPosition {
        SwingPosition {
            game: 1,
            ply,
            words: ["▲2六歩", "P-2f"].map(str::to_owned),
        }
    }

    /// Returns the content of a bar whose last move has this loss.
    fn lost(loss: Option<u8>) -> BarView {
        BarView {
            share: Some(0.5),
            last_loss: loss,
            ..BarView::default()
        }
    }

    #[test]
    fn a_swing_stays_unless_the_analysis_says_otherwise() {
        let mut list = SwingList::default();
        let check = |list: &SwingList, expect: &[(usize, u8, &str)]| {
            let found: Vec<_> = list
                .states(Lang::En)
                .map(|swing| (swing.ply.unwrap(), swing.loss, swing.time))
                .collect();
            let expect: Vec<_> = expect
                .iter()
                .map(|(ply, loss, time)| (*ply, *loss, (*time).to_owned()))
                .collect();
            assert_eq!(found, expect);
        };
        list.update(position(1), &lost(Some(19)), 0);
        check(&list, &[]);
        list.update(position(1), &lost(Some(20)), 951_782_399);
        list.update(position(1), &lost(Some(34)), 951_782_499);
        list.update(position(2), &lost(Some(25)), 1_795_349_513);
        check(
            &list,
            &[(1, 34, "2000-02-28T23:59:59Z"), (2, 25, "2026-11-22T12:11:53Z")],
        );
        let hidden = BarView {
            is_hidden: true,
            ..lost(None)
        };
        list.update(position(2), &hidden, 0);
        list.update(position(1), &lost(None), 0);
        check(
            &list,
            &[(1, 34, "2000-02-28T23:59:59Z"), (2, 25, "2026-11-22T12:11:53Z")],
        );
        list.update(
            position(1),
            &BarView {
                is_loss_judged: true,
                ..lost(Some(7))
            },
            0,
        );
        check(&list, &[(2, 25, "2026-11-22T12:11:53Z")]);
    }
}
