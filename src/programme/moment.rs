//! The moments of a game on air: a turning point, a mate, the end. Each is found once, when viewers can see it.

use crate::choices::OutputChoices;
use crate::frame::OutputFrame;
use crate::numbers_only::is_decisive;
use serde::{Deserialize, Serialize};
use shogibar_base::Lang;
use shogibar_facts::{Fact, FactKind, FactPosition};
use shogibar_games::bar::{BarView, in_sentence, notation, position_hash};
use shogibar_shogi::{Color, History};
use std::collections::{HashMap, HashSet};

/// The share of the bar from which a side has decided the game, where it had it a move before, too.
const DECIDED_SHARE: f32 = 0.93;
/// The share of the bar below which the side that had decided the game has lost its lead.
const LEVEL_SHARE: f32 = 0.73;

/// A kind of moment. Its name in files is that of the variant, with hyphens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MomentKind {
    /// The last move is decisive: it lost 10 points or more by confirmed searches, and has changed who is ahead.
    TurningPoint,
    /// The side to move is proved to mate.
    MateFound,
    /// The last move missed a mate.
    MateMissed,
    /// One move is better than all others (この一手).
    OnlyMove,
    /// A side has 93 % or more after two moves in a row.
    Decided,
    /// The game is over.
    GameOver,
}

impl MomentKind {
    /// All kinds, in the order of declaration.
    pub const ALL: [Self; 6] = [
        Self::TurningPoint,
        Self::MateFound,
        Self::MateMissed,
        Self::OnlyMove,
        Self::Decided,
        Self::GameOver,
    ];
}

/// A moment of a game.
#[derive(Clone, Debug, PartialEq)]
pub struct Moment {
    /// The kind.
    pub kind: MomentKind,
    /// The number of moves up to the position; `None` where only numbers are shown.
    pub ply: Option<usize>,
    /// The last move in words, in Japanese and in English. Empty at the start, and where only numbers are shown.
    pub last_move: [String; 2],
    /// Whether the sides are called 下手 and 上手.
    pub is_handicap: bool,
    /// The side that gained or that won; `None` for a draw, and for an only move.
    pub winner: Option<Color>,
    /// The loss by the last move, in percentage points of win rate; only of a turning point.
    pub loss: Option<u8>,
    /// Black's shares before the last move and after it, from 0 to 1; only of a turning point.
    pub shares: Option<[f32; 2]>,
    /// The better move in words, in Japanese and in English; empty where none is proved.
    pub better_move: [String; 2],
    /// The reason in a few words, in Japanese and in English; empty where none is proved.
    pub reason: [String; 2],
}

impl Moment {
    /// Creates a moment of which nothing but the kind is known.
    pub fn new(kind: MomentKind) -> Self {
        Self {
            kind,
            ply: None,
            last_move: Default::default(),
            is_handicap: false,
            winner: None,
            loss: None,
            shares: None,
            better_move: Default::default(),
            reason: Default::default(),
        }
    }
}

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
        if !frame.is_at_tip || choices.is_own_game || bar.is_hidden || bar.doubt.is_some() {
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
            .map(|(kind, winner)| moment(kind, winner, frame, &view, choices))
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
        if view.last_loss.is_some_and(|loss| is_decisive(view, loss)) {
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

fn moment(
    kind: MomentKind,
    winner: Option<Color>,
    frame: &OutputFrame,
    view: &BarView,
    choices: &OutputChoices,
) -> Moment {
    let is_turning_point = kind == MomentKind::TurningPoint;
    let loss = view.last_loss.filter(|_| is_turning_point);
    let shares = loss
        .zip(view.share)
        .zip(view.last_mover)
        .map(|((loss, now), mover)| {
            let change = f32::from(loss) / if mover == Color::Black { 100.0 } else { -100.0 };
            [(now + change).clamp(0.0, 1.0), now]
        });
    let numbers = Moment {
        is_handicap: frame.bar.is_handicap,
        winner,
        loss,
        shares,
        ..Moment::new(kind)
    };
    if choices.numbers_only {
        return numbers;
    }
    let reason = frame.bar.last_reason.as_ref().filter(|_| is_turning_point);
    Moment {
        ply: Some(frame.ply()),
        last_move: frame.bar.last_words.clone(),
        better_move: reason
            .and_then(|reason| better_move(&frame.bar.history, &reason.list))
            .unwrap_or_default(),
        reason: reason
            .map(|reason| reason.short_texts.clone())
            .unwrap_or_default(),
        ..numbers
    }
}

/// Returns the better move of the facts about the last move, in words; `None` where they have none.
fn better_move(history: &History, facts: &[Fact]) -> Option<[String; 2]> {
    let (before, played) = (history.without_last()?, history.last_move()?);
    let better = facts
        .iter()
        .filter(|fact| fact.at == FactPosition::Before)
        .find_map(|fact| fact.line.first().filter(|mv| **mv != played))?;
    Some(Lang::ALL.map(|lang| in_sentence(&notation(lang).notate_line(&before, &[*better]).concat())))
}

#[cfg(test)]
mod tests;
