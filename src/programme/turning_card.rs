//! The announcement of a turning point on an output: when it is shown, and for how long.

use crate::choices::OutputChoices;
use crate::frame::{OutputFrame, continues};
use crate::moment::{Moment, MomentKind};
use crate::moment_tracker::{is_turning_point, moment};
use crate::shown_turning_point::ShownTurningPoint;
use shogibar_base::Lang;
use shogibar_games::analysis::MIN_DECISIVE_LOSS_POINTS;
use shogibar_games::bar::position_hash;
use shogibar_shogi::{Color, History};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

/// The time for which a card is shown.
pub const CARD_TIME: Duration = Duration::from_secs(8);
/// The shortest time between two cards of a game that come by themselves.
const MIN_CARD_INTERVAL: Duration = Duration::from_mins(1);

/// The turning points of games, and the cards that announce them.
#[derive(Debug, Default)]
pub struct TurningCards {
    games: HashMap<u64, GameCards>,
    /// The number of the last showing.
    last_number: u64,
}

/// The cards of a game.
#[derive(Debug, Default)]
struct GameCards {
    /// The positions after turning points that are known, by their hashes. None of them is announced again.
    known_positions: HashSet<u64>,
    /// The last turning point; `None` before the first.
    last: Option<TurningPoint>,
    /// The card that is shown; `None` while none is.
    shown: Option<ShownCard>,
    /// The time of the last card that came by itself.
    last_card: Option<Duration>,
}

#[derive(Clone, Debug)]
struct TurningPoint {
    moment: Moment,
    /// The moves up to the position after the turning point.
    history: Arc<History>,
    /// Whether the values of the moment are the present ones.
    is_present: bool,
}

#[derive(Debug)]
struct ShownCard {
    number: u64,
    end: Duration,
    point: TurningPoint,
}

impl TurningCards {
    /// Applies the present frame of a game. A turning point that it has for the first time is announced, unless a card
    /// was shown less than a minute ago, or this is the first frame of the game that viewers see.
    pub fn update(&mut self, frame: &OutputFrame, choices: &OutputChoices, now: Duration) {
        if frame.is_withheld(choices) {
            return;
        }
        let bar = &frame.bar;
        let is_first = !self.games.contains_key(&bar.game);
        let game = self.games.entry(bar.game).or_default();
        game.last.take_if(|last| !continues(&bar.history, &last.history));
        game.shown
            .take_if(|card| card.end <= now || !continues(&bar.history, &card.point.history));
        game.update_last(frame);
        let position = position_hash(&bar.history);
        let is_here = game.last.as_ref().is_some_and(|last| last.history == bar.history);
        if !is_here || !game.known_positions.insert(position) || is_first {
            return;
        }
        if game.last_card.is_some_and(|last| now < last + MIN_CARD_INTERVAL) {
            return;
        }
        game.last_card = Some(now);
        self.show_again(bar.game, now);
    }

    /// Shows the card of a game's last turning point again. Returns whether the game has one.
    pub fn show_again(&mut self, game: u64, now: Duration) -> bool {
        let Some(game) = self.games.get_mut(&game) else {
            return false;
        };
        let Some(point) = game.last.clone() else {
            return false;
        };
        self.last_number += 1;
        game.shown = Some(ShownCard {
            number: self.last_number,
            end: now + CARD_TIME,
            point,
        });
        true
    }

    /// Returns the turning point that a frame of a game announces, as viewers may see it; `None` while none is shown.
    pub fn shown(&self, frame: &OutputFrame, choices: &OutputChoices) -> Option<ShownTurningPoint> {
        if frame.is_withheld(choices) {
            return None;
        }
        let card = self.games.get(&frame.bar.game)?.shown.as_ref()?;
        let moment = &card.point.moment;
        Some(ShownTurningPoint {
            moment: if choices.numbers_only {
                moment.without_moves()
            } else {
                moment.clone()
            },
            number: card.number,
            is_current: card.point.is_present && card.point.history == frame.bar.history,
        })
    }

    /// Returns whether a card is shown, so that its end has to be awaited.
    pub fn is_any_shown(&self) -> bool {
        self.games.values().any(|game| game.shown.is_some())
    }

    /// Forgets the games that are not kept.
    pub fn retain_games(&mut self, is_kept: impl Fn(u64) -> bool) {
        self.games.retain(|game, _| is_kept(*game));
    }
}

impl GameCards {
    /// Updates the last turning point from a frame. Once known, a turning point stays, unless the analysis takes its loss
    /// back. What is known of it grows while its position is shown.
    fn update_last(&mut self, frame: &OutputFrame) {
        let bar = &frame.bar;
        let is_here = self.last.as_ref().is_some_and(|last| last.history == bar.history);
        // An ended game has no new values.
        if is_here && bar.ending.is_some() {
            return;
        }
        let is_large = bar
            .last_loss
            .is_some_and(|loss| loss.points >= MIN_DECISIVE_LOSS_POINTS);
        if !is_large {
            if is_here {
                self.last = None;
                self.shown.take_if(|card| card.point.history == bar.history);
            }
            return;
        }
        let view = bar.view(None, Lang::Ja);
        if is_turning_point(bar, &view) {
            let winner = view.last_mover.map(Color::flip);
            let last = TurningPoint {
                moment: moment(MomentKind::TurningPoint, winner, frame, &view),
                history: Arc::clone(&bar.history),
                is_present: true,
            };
            self.set_last(last);
        } else if let Some(last) = self.last.clone().filter(|_| is_here) {
            // A deeper search sees less of a difference. What was said keeps its values.
            self.set_last(TurningPoint {
                is_present: false,
                ..last
            });
        }
    }

    /// Stores the last turning point, also with its card.
    fn set_last(&mut self, last: TurningPoint) {
        if let Some(card) = &mut self.shown
            && card.point.history == last.history
        {
            card.point = last.clone();
        }
        self.last = Some(last);
    }
}

#[cfg(test)]
mod tests;
