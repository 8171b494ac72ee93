//! The reasons that a review stores: the proved facts about moves, valid while the values are unchanged.

use super::{GameReview, PositionValue};
use crate::move_facts::{MAX_REFRAIN_PLIES, MoveFacts};
use shogibar_base::Lang;
use shogibar_facts::{Ease, EaseLevel, HidingFeature};
use shogibar_kifu::{NodeId, Record};
use shogibar_shogi::Move;
use shogibar_shogi::score::Value;
use std::collections::{BTreeMap, BTreeSet};

/// The proved facts about a move, and the difficulty of finding the better move.
#[derive(Clone, Debug, PartialEq)]
pub struct MoveReason {
    /// The data that the facts were found from.
    pub basis: ReasonBasis,
    /// The proved facts about the move, with their texts.
    pub proved_facts: MoveFacts,
    /// The difficulty of finding the better move; `None` where it is not known.
    pub ease: Option<Ease>,
    /// The features that make the better move hard to see.
    pub hidden_by: Vec<HidingFeature>,
}

/// The data that a reason is found from. The reason is valid while the data are unchanged.
#[derive(Clone, Debug, PartialEq)]
pub struct ReasonBasis {
    /// The values of the positions before and after the move.
    pub values: [PositionValue; 2],
    /// The reply in the game, and the value after the reply; `None` where they are not known.
    pub reply: Option<(Move, Option<Value>)>,
}

/// The reasons of the moves of a game.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MoveReasons {
    by_node: BTreeMap<NodeId, MoveReason>,
    /// The moves whose cause was told shortly before.
    repeated: BTreeSet<NodeId>,
}

/// The minimum loss of an easily avoidable mistake that is to be watched, in percentage points of win rate.
const MIN_WATCHED_LOSS: f64 = 10.0;

impl GameReview {
    /// Returns the data for the reason of the move that leads to a node; `None` for a move that is not assessed.
    pub fn reason_basis(&self, record: &Record, node: NodeId) -> Option<ReasonBasis> {
        let values = self.compared_values(node)?.clone();
        let reply = record
            .children(node)
            .find_map(|child| Some((child, record.node(child).mv()?)));
        let reply = reply.map(|(child, mv)| (mv, self.position_value(child).map(|value| value.value)));
        Some(ReasonBasis { values, reply })
    }

    /// Adds the reason of the move that leads to a node, unless the values or the reply have changed since the search.
    pub fn add_reason(&mut self, record: &Record, node: NodeId, reason: MoveReason) {
        if self.reason_basis(record, node).as_ref() == Some(&reason.basis) {
            self.reasons.by_node.insert(node, reason);
            self.find_repeated(record);
        }
    }

    /// Finds the moves whose cause was told within the plies before.
    fn find_repeated(&mut self, record: &Record) {
        let reasons = &self.reasons.by_node;
        let cause = |node| reasons.get(&node).and_then(|reason| reason.proved_facts.cause);
        let is_repeated = |node: NodeId| {
            let earlier = std::iter::successors(record.parent(node), |parent| record.parent(*parent));
            cause(node).is_some()
                && earlier
                    .take(MAX_REFRAIN_PLIES)
                    .any(|earlier| cause(earlier) == cause(node))
        };
        self.reasons.repeated = reasons
            .keys()
            .copied()
            .filter(|node| is_repeated(*node))
            .collect();
    }

    /// Replaces all reasons by the valid reasons of another review of the record.
    pub fn set_reasons(&mut self, record: &Record, reasons: MoveReasons) {
        self.reasons.by_node.clear();
        for (node, reason) in reasons.by_node {
            self.add_reason(record, node, reason);
        }
    }

    /// Returns the reasons of the moves.
    pub const fn reasons(&self) -> &MoveReasons {
        &self.reasons
    }

    /// Returns the reason of the move that leads to a node; `None` where it was not searched.
    pub fn reason(&self, node: NodeId) -> Option<&MoveReason> {
        self.reasons.by_node.get(&node)
    }

    /// Returns the sentence about the move that leads to a node; empty where nothing is proved.
    pub fn sentence(&self, node: NodeId, lang: Lang) -> &str {
        self.told_facts(node).map_or("", |facts| {
            if self.is_repeated(node) {
                facts.repeated(lang)
            } else {
                facts.sentence(lang)
            }
        })
    }

    /// Returns the reason of the move that leads to a node in a few words; empty where nothing is proved.
    pub fn short_reason(&self, node: NodeId, lang: Lang) -> &str {
        self.told_facts(node).map_or("", |facts| {
            if self.is_repeated(node) {
                facts.repeated(lang)
            } else {
                facts.short(lang)
            }
        })
    }

    /// Returns whether the reason of a move was searched for, and nothing was proved. A reason that was told shortly before
    /// is proved.
    pub fn is_unproved(&self, node: NodeId) -> bool {
        self.told_facts(node)
            .is_some_and(|facts| facts.sentences.iter().all(String::is_empty))
    }

    fn told_facts(&self, node: NodeId) -> Option<&MoveFacts> {
        self.reason(node).map(|reason| &reason.proved_facts)
    }

    /// Returns whether the cause of a move was told within the [plies](MAX_REFRAIN_PLIES) before.
    fn is_repeated(&self, node: NodeId) -> bool {
        self.reasons.repeated.contains(&node)
    }

    /// Returns whether the move that leads to a node is a mistake to watch. Such a move has a large loss, and the
    /// better move was easy to find.
    pub fn is_watched(&self, node: NodeId) -> bool {
        if let Some(assessed) = self.assessed(node)
            && assessed.loss >= MIN_WATCHED_LOSS
            && let Some(reason) = self.reason(node)
        {
            reason.ease.is_some_and(|ease| ease.level == EaseLevel::Easy)
        } else {
            false
        }
    }
}
