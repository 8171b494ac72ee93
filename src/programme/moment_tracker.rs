//! Finds the moments of games on air. Each is found once, when viewers can see it.

use crate::choices::OutputChoices;
use crate::frame::OutputFrame;
use crate::moment::{Moment, MomentKind};
use crate::numbers_only::is_decisive;
use shogibar_base::Lang;
use shogibar_facts::{Fact, FactKind};
use shogibar_games::bar::{BarInput, BarView, in_sentence, notation, position_hash};
use shogibar_shogi::Color;
use std::collections::{HashMap, HashSet};

/// The share of the bar from which a side has decided the game, where it had it a move before, too.
const DECIDED_SHARE: f32 = 0.93;
/// The share of the bar below which the side that had decided the game has lost its lead.
const LEVEL_SHARE: f32 = 0.73;

/// Finds the moments of games. What is true of the first frame of a game is not a moment of it.
#[derive(Debug, Default)]
pub struct MomentTracker {
    games: HashMap<u64, GameMoments>,
}

/// What was found in a game.
#[derive(Debug, Default)]
struct GameMoments {
    /// The kinds that were found at positions, by their hashes.
    at_positions: HashSet<(u64, MomentKind)>,
    /// The side that is known to mate.
    mating_side: Option<Color>,
    /// The side that has decided the game.
    decided_side: Option<Color>,
    is_over: bool,
}

impl MomentTracker {
    /// Returns the moments that a frame of a game shows for the first time.
    pub fn update(&mut self, frame: &OutputFrame, choices: &OutputChoices) -> Vec<Moment> {
        let bar = &frame.bar;
        if frame.is_withheld(choices) {
            return Vec::new();
        }
        let is_known = self.games.contains_key(&bar.game);
        let known = self.games.entry(bar.game).or_default();
        // Which moments there are does not depend on how much viewers see of them.
        let view = bar.view(None, Lang::Ja);
        let found = known.update(frame, &view);
        if !is_known {
            return Vec::new();
        }
        found
            .into_iter()
            .map(|(kind, winner)| {
                let moment = moment(kind, winner, frame, &view);
                if choices.numbers_only {
                    moment.without_moves()
                } else {
                    moment
                }
            })
            .collect()
    }
}

impl GameMoments {
    /// Returns the kinds of the new moments, each with the side that gained.
    fn update(&mut self, frame: &OutputFrame, view: &BarView) -> Vec<(MomentKind, Option<Color>)> {
        let bar = &frame.bar;
        let position = position_hash(&bar.history);
        let mover = view.last_mover;
        let mut found = Vec::new();
        if is_turning_point(bar, view) {
            found.push((MomentKind::TurningPoint, mover.map(Color::flip)));
        }
        if let Some(reason) = &bar.last_reason
            && reason.list.iter().any(is_missed_mate)
        {
            found.push((MomentKind::MateMissed, mover.map(Color::flip)));
            self.mating_side = None;
        }
        if bar.only_move.is_some() {
            found.push((MomentKind::OnlyMove, None));
        }
        found.retain(|(kind, _)| self.at_positions.insert((position, *kind)));
        let mates = |fact: &&Fact| matches!(fact.kind, FactKind::Mate { .. });
        if let Some(mate) = bar.facts.iter().find(mates)
            && self.mating_side != Some(mate.side)
        {
            self.mating_side = Some(mate.side);
            found.push((MomentKind::MateFound, Some(mate.side)));
        }
        found.extend(
            self.new_decided_side(view)
                .map(|side| (MomentKind::Decided, Some(side))),
        );
        if let Some(ending) = bar.ending
            && frame.is_over
            && !std::mem::replace(&mut self.is_over, true)
        {
            found.push((MomentKind::GameOver, ending.winner));
        }
        found
    }

    /// Returns the side that has decided the game by the last two values, unless it had before.
    fn new_decided_side(&mut self, view: &BarView) -> Option<Color> {
        let [.., Some(before), Some(now)] = *view.graph else {
            return None;
        };
        let share_of = |share: f32, side: Color| if side == Color::Black { share } else { 1.0 - share };
        if let Some(side) = self.decided_side
            && share_of(now, side) < LEVEL_SHARE
        {
            self.decided_side = None;
        }
        let side = [Color::Black, Color::White].into_iter().find(|side| {
            [before, now]
                .iter()
                .all(|share| share_of(*share, *side) >= DECIDED_SHARE)
        })?;
        (self.decided_side.replace(side) != Some(side)).then_some(side)
    }
}

const fn is_missed_mate(fact: &Fact) -> bool {
    matches!(
        fact.kind,
        FactKind::MateMissed { .. } | FactKind::EngineMateMissed { .. }
    )
}

/// Returns whether the last move is decisive by the values of the present position.
pub(crate) fn is_turning_point(bar: &BarInput, view: &BarView) -> bool {
    let share = present_share(bar, view);
    view.last_loss
        .is_some_and(|loss| is_decisive(view.last_mover, share, loss))
}

/// Returns Black's share in the present position; `None` before there is one. A bar may still show that of another
/// position, or that of the winner of the game.
fn present_share(bar: &BarInput, view: &BarView) -> Option<f32> {
    if view.is_stale || bar.ending.is_some() {
        bar.stored_share.or_else(|| bar.graph.last().copied().flatten())
    } else {
        view.share
    }
}

/// Returns a moment, with all that the present frame tells of it.
pub(crate) fn moment(kind: MomentKind, winner: Option<Color>, frame: &OutputFrame, view: &BarView) -> Moment {
    let bar = &frame.bar;
    let moment = Moment {
        is_handicap: bar.is_handicap,
        winner,
        ply: Some(frame.ply()),
        last_move: bar.last_words.clone(),
        ..Moment::new(kind)
    };
    if kind != MomentKind::TurningPoint {
        return moment;
    }
    let shares = view
        .last_loss
        .zip(present_share(bar, view))
        .zip(view.last_mover)
        .map(|((loss, now), mover)| {
            let change = f32::from(loss) / if mover == Color::Black { 100.0 } else { -100.0 };
            [(now + change).clamp(0.0, 1.0), now]
        });
    let reason = bar.last_reason.as_ref();
    Moment {
        loss: view.last_loss,
        shares,
        better_move: better_move(bar).unwrap_or_default(),
        reason: reason
            .map(|reason| reason.short_texts.clone())
            .unwrap_or_default(),
        ..moment
    }
}

/// Returns the engine's choice before the last move in words; `None` where it is not known.
fn better_move(bar: &BarInput) -> Option<[String; 2]> {
    let (before, better) = (bar.history.without_last()?, bar.better_move?);
    Some(Lang::ALL.map(|lang| in_sentence(&notation(lang).notate_line(&before, &[better]).concat())))
}

#[cfg(test)]
mod tests;
