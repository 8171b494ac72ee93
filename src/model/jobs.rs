//! Jobs: slow work that changes nothing. The shell carries the jobs out on other threads.

use super::ids::{BarId, GameId};
use shogibar_engine::session::MateOutcome;
use shogibar_games::analysis::{GameReview, MoveReason};
use shogibar_games::move_facts::MoveFacts;
use shogibar_games::position_facts::PositionFacts;
use shogibar_games::reasons::ShownMove;
use shogibar_kifu::{NodeId, Record};
use shogibar_shogi::History;
use std::sync::Arc;

/// A job. A result may come late: after the game was closed, or after a newer job has replaced this one.
#[derive(Debug)]
pub enum Job {
    /// Find the proved facts about a position of a game, except brinkmates.
    Facts(GameId, Arc<History>),
    /// Find the proved facts about the last move of a game, with the lines of a bar's engine.
    LastMove(GameId, BarId, Box<ShownMove>),
    /// Search for a brinkmate, and add it to the facts about the position of a game.
    Brinkmate(GameId, Box<PositionFacts>),
    /// Find the reasons why moves of a record were bad.
    Reasons(GameId, Box<ReasonRequest>),
    /// Search for a mate without an engine, for the question of a game.
    Mate(GameId, Arc<History>),
}

/// The moves of a record whose reasons are to be found.
#[derive(Debug)]
pub struct ReasonRequest {
    /// The first revision of the record, which identifies the record.
    pub first_revision: u64,
    /// The record with the moves.
    pub record: Arc<Record>,
    /// The review of the record.
    pub review: GameReview,
    /// The nodes that the moves lead to, in the order of the search.
    pub nodes: Vec<NodeId>,
}

/// The key of a job. Of the jobs on one thread, the one with the least key is first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum JobKey {
    /// The key of [`Job::Facts`].
    Facts(GameId),
    /// The key of [`Job::LastMove`].
    LastMove(GameId, BarId),
    /// The key of [`Job::Brinkmate`], after those of the faster searches for facts.
    Brinkmate(GameId),
    /// The key of [`Job::Reasons`].
    Reasons,
    /// The key of [`Job::Mate`].
    Mate,
}

/// A result of a job.
#[derive(Clone, Debug)]
pub enum JobResult {
    /// The facts about a position of a game.
    Facts(GameId, Box<PositionFacts>),
    /// The facts about the last move of a position, for a bar.
    LastMove(BarId, Box<ShownMove>, Box<MoveFacts>),
    /// The facts about a position of a game, after the search for a brinkmate.
    Brinkmate(GameId, Box<PositionFacts>),
    /// The reason of the move of a record that leads to a node; `None` if the move has none. A job has such a result for
    /// each of its moves.
    Reason {
        /// The game.
        game: GameId,
        /// The first revision of the record.
        first_revision: u64,
        /// The node.
        node: NodeId,
        /// The reason.
        reason: Option<Box<MoveReason>>,
    },
    /// The outcome of the search for a mate in a position, for the question of a game.
    Mate(GameId, Arc<History>, MateOutcome),
}

impl Job {
    /// Returns the key of the job.
    pub const fn key(&self) -> JobKey {
        match self {
            Self::Facts(game, _) => JobKey::Facts(*game),
            Self::LastMove(game, bar, _) => JobKey::LastMove(*game, *bar),
            Self::Brinkmate(game, _) => JobKey::Brinkmate(*game),
            Self::Reasons(..) => JobKey::Reasons,
            Self::Mate(..) => JobKey::Mate,
        }
    }

    /// Returns the results of a job that could not be started. Empty if nothing waits for them.
    pub fn failed(self) -> Vec<JobResult> {
        match self {
            Self::Facts(..) | Self::LastMove(..) | Self::Brinkmate(..) => Vec::new(),
            Self::Reasons(game, request) => {
                let nodes = request.nodes.into_iter();
                nodes
                    .map(|node| JobResult::Reason {
                        game,
                        first_revision: request.first_revision,
                        node,
                        reason: None,
                    })
                    .collect()
            }
            Self::Mate(game, history) => vec![JobResult::Mate(game, history, MateOutcome::Timeout)],
        }
    }
}

impl JobKey {
    /// Returns whether a new job of key `new` ends the job of this key.
    pub fn is_replaced_by(self, new: Self) -> bool {
        let game = match self {
            Self::LastMove(game, _) | Self::Brinkmate(game) => Some(game),
            Self::Facts(_) | Self::Reasons | Self::Mate => None,
        };
        self == new || game.is_some_and(|game| new == Self::Facts(game))
    }
}
