//! The reason why a move of a reviewed game was bad: proved facts, the difficulty of the better move, and a sentence.
//! Pure.

mod last_move;
mod sentence;

pub use last_move::{ShownLine, ShownMove};
pub use sentence::ReasonWriter;

use crate::analysis::{AssessedMove, GameReview, MoveReason};
use crate::move_facts::MoveFacts;
use shogibar_base::Lang;
use shogibar_builtin::{Control, Searcher};
use shogibar_facts::{Ease, Fact, hiding_features};
use shogibar_kifu::{NodeId, Record};
use shogibar_shogi::History;
use std::sync::Arc;

/// The size of the hash for the search that measures the difficulty of a move, in MB.
const EASE_HASH_MB: usize = 16;

/// Finds the reasons why moves of a reviewed game were bad. The searches are limited by nodes.
#[derive(Debug)]
pub struct ReasonFinder {
    searcher: Searcher,
}

impl Default for ReasonFinder {
    fn default() -> Self {
        Self {
            searcher: Searcher::new(EASE_HASH_MB, 1),
        }
    }
}

/// Returns facts about the last move of a game with their texts. `after` is the game with this move.
pub fn facts_with_texts(facts: Vec<Fact>, after: &History, is_handicap: bool) -> MoveFacts {
    let words = |lang| ReasonWriter::new(after.clone(), is_handicap, lang);
    let [Some(ja), Some(en)] = Lang::ALL.map(words) else {
        return MoveFacts::default();
    };
    MoveFacts {
        sentences: [&ja, &en].map(|words| words.sentence(&facts)),
        short_texts: [&ja, &en].map(|words| words.short(&facts)),
        motif: ja.overlooked_motif(&facts),
        cause: ja.cause(&facts),
        repeated_texts: [&ja, &en].map(|words| words.repeated(&facts)),
        list: facts,
    }
}

/// Returns the moves of a line for which reasons are searched: the [errors](AssessedMove::is_error), that with the largest
/// loss first.
pub fn moves_to_explain(review: &GameReview, line: &[NodeId]) -> Vec<NodeId> {
    let mut wanted: Vec<&AssessedMove> = line.iter().filter_map(|node| review.assessed(*node)).collect();
    wanted.retain(|assessed| assessed.is_error());
    wanted.sort_by(|one, other| other.loss.total_cmp(&one.loss));
    wanted.into_iter().map(|assessed| assessed.node).collect()
}

impl ReasonFinder {
    /// Finds the reason of the move that leads to a node. Returns `None` if the review does not assess the move, or
    /// `control` has stopped the searches.
    pub fn find(
        &mut self,
        record: &Record,
        review: &GameReview,
        node: NodeId,
        control: &Control,
    ) -> Option<MoveReason> {
        let (assessed, basis) = (review.assessed(node)?, review.reason_basis(record, node)?);
        let before = record.parent(node)?;
        let model = review
            .judge_value(node)
            .or_else(|| review.judge_value(before))
            .map(|(_, model)| model)?;
        let shown = ShownMove {
            history: Arc::new(record.history_at(node)),
            is_handicap: record.is_handicap(),
            best_lines: basis.values.each_ref().map(|value| ShownLine {
                value: value.value,
                line: value.line.clone(),
            }),
            model,
            engine: String::new(),
        };
        let proved = shown.proved_facts_with_reply(basis.reply, control);
        let history = record.history_at(before);
        let best = assessed.best.filter(|best| *best != assessed.mv);
        let ease = best.and_then(|best| Ease::from_search(&mut self.searcher, history.now(), best, control));
        let hidden_by = best.map_or_else(Vec::new, |best| hiding_features(history.now(), best));
        (!control.is_stopped()).then_some(MoveReason {
            basis,
            proved_facts: proved,
            ease,
            hidden_by,
        })
    }

    /// Finds the reasons of all moves of a line that need one, and adds them to the review.
    pub fn add_all(&mut self, record: &Record, review: &mut GameReview, line: &[NodeId], control: &Control) {
        for node in moves_to_explain(review, line) {
            if let Some(reason) = self.find(record, review, node, control) {
                review.add_reason(record, node, reason);
            }
        }
    }
}

#[cfg(test)]
mod tests;
