//! What is proved about the moves of a review.

use super::{GameReview, PositionValue};
use crate::kifu::NodeId;
use shogibar_facts::{Ease, EaseLevel, Fact};
use std::collections::BTreeMap;

/// What is proved about a move, and how hard the better one was to find.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MoveReason {
    /// The facts.
    pub facts: Vec<Fact>,
    /// How hard the better move was to find; `None` where that is not known.
    pub ease: Option<Ease>,
}

/// The reasons of the moves of a game, by node, each with the values that it was found by.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MoveReasons(BTreeMap<NodeId, ([PositionValue; 2], MoveReason)>);

/// The loss from which a mistake that was easy to avoid is one to watch, in points of win rate.
const WATCHED: f64 = 10.0;

impl GameReview {
    /// Adds the reason of an assessed move, which was found by the values of this review.
    pub fn add_reason(&mut self, node: NodeId, reason: MoveReason) {
        if let Some(values) = self.compared(node).cloned() {
            self.reasons.0.insert(node, (values, reason));
        }
    }

    /// Takes the reasons that were found by the values of this review. Others are dropped.
    pub fn set_reasons(&mut self, reasons: MoveReasons) {
        self.reasons = reasons;
        let moves = &self.moves;
        self.reasons.0.retain(|node, (values, _)| moves.get(node).is_some_and(|known| known.worths == *values));
    }

    /// Returns the reasons of the moves.
    pub const fn reasons(&self) -> &MoveReasons {
        &self.reasons
    }

    /// Returns the reason of the move that leads to a node; `None` where it was not looked for.
    pub fn reason(&self, node: NodeId) -> Option<&MoveReason> {
        self.reasons.0.get(&node).map(|(_, reason)| reason)
    }

    /// Returns whether the move that leads to a node is a mistake to watch: it cost much, and the better move was easy to find.
    pub fn is_watched(&self, node: NodeId) -> bool {
        let is_easy = || self.reason(node)?.ease.map(|ease| ease.level == EaseLevel::Easy);
        self.assessed(node).is_some_and(|assessed| assessed.loss >= WATCHED) && is_easy().unwrap_or_default()
    }
}
