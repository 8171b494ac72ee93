//! Why a move of a reviewed game was bad: what is proved about it, how hard the better move was to find, and a sentence. Pure.

mod last_move;
mod sentence;

pub use last_move::{ShownLine, ShownMove};
pub use sentence::ReasonWords;

use crate::analysis::{AssessedMove, GameReview, MoveMark, MoveReason, PositionValue};
use crate::kifu::{NodeId, Record};
use crate::score::Model;
use crate::search::{Control, Searcher};
use crate::shogi::{History, Move};
use crate::text::Lang;
use crate::text::reasons::Motif;
use shogibar_facts::{Ease, FactLimits, LastMove, MoveInput, MoveValues, move_facts};

/// The table of the search that tells how hard a move is to find, in MB.
const EASE_HASH: usize = 16;

/// Finds reasons. Its searches are bounded by nodes.
#[derive(Debug)]
pub struct ReasonFinder {
    searcher: Searcher,
}

impl Default for ReasonFinder {
    fn default() -> Self {
        Self { searcher: Searcher::new(EASE_HASH, 1) }
    }
}

/// Returns the sentence about the move that leads to a node. Empty where nothing is proved.
pub fn sentence(record: &Record, review: &GameReview, node: NodeId, lang: Lang) -> String {
    words(record, review, node, lang).map_or_else(String::new, |(words, reason)| words.sentence(&reason.facts))
}

/// Returns the reason in a few words, for a list. Empty where nothing is proved.
pub fn short(record: &Record, review: &GameReview, node: NodeId, lang: Lang) -> String {
    words(record, review, node, lang).map_or_else(String::new, |(words, reason)| words.short(&reason.facts))
}

/// Returns what the side overlooked in the move that leads to a node; `None` where nothing is proved.
pub fn motif(record: &Record, review: &GameReview, node: NodeId) -> Option<Motif> {
    words(record, review, node, Lang::Ja).and_then(|(words, reason)| words.motif_of(&reason.facts))
}

fn words<'a>(
    record: &Record,
    review: &'a GameReview,
    node: NodeId,
    lang: Lang,
) -> Option<(ReasonWords, &'a MoveReason)> {
    let reason = review.reason(node)?;
    Some((ReasonWords::new(record.history_at(node), record.is_handicap(), lang)?, reason))
}

/// Returns the moves of a line that have a reason to be found, the costliest first: doubtful moves and worse, and decisive ones
/// that cost at least 5 points or change a mate.
pub fn with_reasons(record: &Record, review: &GameReview, line: &[NodeId]) -> Vec<NodeId> {
    let summary = review.summary_of(record, line.iter().copied());
    let mut wanted: Vec<&AssessedMove> = line.iter().filter_map(|node| review.assessed(*node)).collect();
    wanted.retain(|assessed| {
        let is_decisive = summary.critical(assessed).is_some_and(|critical| critical.is_decisive);
        let changes_mate = assessed.missed_mate.is_some() || assessed.allowed_mate.is_some();
        assessed.mark.is_some_and(MoveMark::is_listed) || is_decisive && (changes_mate || assessed.mark.is_some())
    });
    wanted.sort_by(|one, other| other.loss.total_cmp(&one.loss));
    wanted.into_iter().map(|assessed| assessed.node).collect()
}

impl ReasonFinder {
    /// Finds the reason of the move that leads to a node. `None` where the review does not assess it, or `control` stopped the
    /// searches.
    pub fn find(
        &mut self,
        record: &Record,
        review: &GameReview,
        node: NodeId,
        control: &Control,
    ) -> Option<MoveReason> {
        let (assessed, compared) = (review.assessed(node)?, review.compared(node)?);
        let before = record.parent(node)?;
        let model = review.judge_value(node).or_else(|| review.judge_value(before)).map(|(_, model)| model)?;
        let [history, last] = [Some(before), record.parent(before)].map(|at| at.map(|at| record.history_at(at)));
        let history = history?;
        let last = last.as_ref().zip(record.node(before).mv());
        let reply = record.children(node).find_map(|child| Some((child, record.node(child).mv()?)));
        let input = Input { history: &history, last, reply, compared, model, mv: assessed.mv };
        let facts = move_facts(&input.to_facts(review), FactLimits::THOROUGH, control);
        let best = assessed.best.filter(|best| *best != assessed.mv);
        let ease = best.and_then(|best| Ease::by_search(&mut self.searcher, history.now(), best, control));
        Some(MoveReason { facts, ease })
    }

    /// Finds the reasons of all moves of a line that have one to be found, and adds them to the review.
    pub fn add_all(&mut self, record: &Record, review: &mut GameReview, line: &[NodeId], control: &Control) {
        for node in with_reasons(record, review, line) {
            if let Some(reason) = self.find(record, review, node, control) {
                review.add_reason(node, reason);
            }
        }
    }
}

/// A move with what the review knows of it.
struct Input<'a> {
    history: &'a History,
    last: Option<(&'a History, Move)>,
    reply: Option<(NodeId, Move)>,
    compared: &'a [PositionValue; 2],
    model: Model,
    mv: Move,
}

impl Input<'_> {
    fn to_facts(&self, review: &GameReview) -> MoveInput<'_> {
        let [before, after] = self.compared;
        let after_reply = self.reply.and_then(|(node, _)| review.position_value(node)).map(|worth| worth.value);
        let last = self.last.as_ref();
        MoveInput {
            before: self.history.now(),
            played: self.mv,
            last: last.map(|(history, mv)| LastMove { before: history.now(), mv: *mv }),
            reply: self.reply.map(|(_, mv)| mv),
            better: &before.line,
            punish: &after.line,
            values: MoveValues { before: Some(before.value), after: Some(after.value), after_reply },
            model: self.model,
        }
    }
}

#[cfg(test)]
mod tests;
