//! The announcement of a turning point on an output: when it is shown, and for how long.

use crate::choices::OutputChoices;
use crate::frame::OutputFrame;
use crate::moment::{Moment, MomentKind};
use crate::moment_tracker::{moment, present_share};
use crate::numbers_only::is_decisive;
use crate::shown_turning_point::ShownTurningPoint;
use shogibar_base::Lang;
use shogibar_games::analysis::MIN_DECISIVE_LOSS_POINTS;
use shogibar_shogi::{Color, History};
use std::collections::HashMap;
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
    /// The last turning point; `None` before the first.
    last: Option<TurningPoint>,
    /// The number of the showing, and its end; `None` while no card is shown.
    showing: Option<(u64, Duration)>,
    /// The time of the last card that came by itself.
    last_card: Option<Duration>,
}

#[derive(Debug)]
struct TurningPoint {
    moment: Moment,
    /// The moves up to the position after the turning point.
    history: Arc<History>,
}

impl TurningCards {
    /// Applies the present frame of a game. A turning point that it has for the first time is announced, unless a card
    /// was shown less than a minute ago, or this is the first frame of the game.
    pub fn update(&mut self, frame: &OutputFrame, choices: &OutputChoices, now: Duration) {
        let bar = &frame.bar;
        let is_known = self.games.contains_key(&bar.game);
        let game = self.games.entry(bar.game).or_default();
        if choices.is_own_game || bar.is_hidden || bar.doubt.is_some() || !frame.is_at_tip {
            game.showing = None;
            return;
        }
        game.last.take_if(|last| !continues(&bar.history, &last.history));
        let is_over = game.showing.is_some_and(|(_, end)| end <= now);
        if game.last.is_none() || is_over {
            game.showing = None;
        }
        let is_large = bar
            .last_loss
            .is_some_and(|loss| loss.points >= MIN_DECISIVE_LOSS_POINTS);
        // Once announced, a turning point stays: only what is known of it grows.
        let is_last = game.last.as_ref().is_some_and(|last| last.history == bar.history);
        if !is_large || is_last && game.showing.is_none() {
            return;
        }
        let view = bar.view(None, Lang::Ja);
        let share = present_share(bar, &view);
        // An ended game has no new values.
        if is_last && bar.ending.is_some() {
            return;
        }
        let is_turning_point = view
            .last_loss
            .is_some_and(|loss| is_decisive(view.last_mover, share, loss));
        if share.is_none() || !is_turning_point && !is_last {
            return;
        }
        let winner = view.last_mover.map(Color::flip);
        game.last = Some(TurningPoint {
            // How much of it viewers see is decided when it is shown.
            moment: moment(
                MomentKind::TurningPoint,
                winner,
                frame,
                &view,
                &OutputChoices::default(),
            ),
            history: Arc::clone(&bar.history),
        });
        let is_soon = game.last_card.is_some_and(|last| now < last + MIN_CARD_INTERVAL);
        if is_last || is_soon || !is_known {
            return;
        }
        game.last_card = Some(now);
        self.last_number += 1;
        game.showing = Some((self.last_number, now + CARD_TIME));
    }

    /// Shows the card of a game's last turning point again. Returns whether the game has one.
    pub fn show_again(&mut self, game: u64, now: Duration) -> bool {
        let Some(game) = self.games.get_mut(&game).filter(|game| game.last.is_some()) else {
            return false;
        };
        self.last_number += 1;
        game.showing = Some((self.last_number, now + CARD_TIME));
        true
    }

    /// Returns the turning point that a game announces, as viewers may see it; `None` while none is shown. `history` is
    /// the position that an output shows.
    pub fn shown(&self, game: u64, history: &History, choices: &OutputChoices) -> Option<ShownTurningPoint> {
        let game = self.games.get(&game).filter(|_| !choices.is_own_game)?;
        let (number, _) = game.showing?;
        let last = game.last.as_ref()?;
        let moment = if choices.numbers_only {
            last.moment.numbers()
        } else {
            last.moment.clone()
        };
        Some(ShownTurningPoint {
            moment,
            number,
            is_current: *last.history == *history,
        })
    }

    /// Returns whether a card is shown, so that its end has to be awaited.
    pub fn is_any_shown(&self) -> bool {
        self.games.values().any(|game| game.showing.is_some())
    }

    /// Forgets the games that are not kept.
    pub fn retain_games(&mut self, is_kept: impl Fn(u64) -> bool) {
        self.games.retain(|game, _| is_kept(*game));
    }
}

/// Returns whether a game continues another one.
fn continues(game: &History, earlier: &History) -> bool {
    game.start() == earlier.start() && game.moves().starts_with(earlier.moves())
}

#[cfg(test)]
mod tests;
