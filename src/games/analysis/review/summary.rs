//! The summary of a line of a record.

use super::{AssessedMove, GamePhase, GameReview, MoveMark, accuracy, reaches};
use crate::analysis_text::{self as text, LeadChangeWords, SideFigures};
use shogibar_base::Lang;
use shogibar_kifu::{NodeId, Record};
use shogibar_shogi::Color;

/// The win rate from which a side is ahead, in whole percent. The other side is then behind.
pub const AHEAD_PERCENT: u8 = 73;

/// The minimum loss of a decisive move, in percentage points of win rate.
pub const MIN_DECISIVE_LOSS_POINTS: u8 = 10;

/// The minimum loss of a costliest move, in points. A smaller loss is shown as 0.0.
const MIN_COSTLIEST_LOSS: f64 = 0.05;

/// The summary of a line of a record.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReviewSummary {
    /// The summaries of Black's and White's moves.
    pub sides: [SideSummary; 2],
    /// The decisive moves, in order.
    pub decisive_moves: Vec<DecisiveMove>,
}

/// The summary of one side's moves.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SideSummary {
    /// The number of assessed moves.
    pub moves: usize,
    /// The statistics of the moves of a game that is not decided ([`AssessedMove::is_decided`]).
    pub stats: MoveStats,
    /// The statistics by phase, in the order of [`GamePhase::ALL`].
    pub phases: [MoveStats; 3],
    /// The number of moves with each mark, in the order of [`MoveMark::ALL`].
    pub marks: [usize; 4],
    /// The accuracy of all moves by the formula of lichess, in percent; `None` without assessed moves.
    pub accuracy: Option<f64>,
}

struct SummarizedMove {
    assessed: AssessedMove,
    phase: GamePhase,
    weight: f64,
}

/// The statistics of some moves of a side.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MoveStats {
    /// The number of moves.
    pub moves: usize,
    /// The mean loss, in points; `None` without moves.
    pub mean_loss: Option<f64>,
    /// The number of moves that were the judge's best move.
    pub choices: usize,
    /// The number of moves for which the judge's best move is known.
    pub judged_moves: usize,
    /// The first move with the largest loss; `None` if no move has a loss.
    pub costliest_move: Option<AssessedMove>,
}

/// A decisive move (勝敗を分けた手): it lost 10 points or more, and has changed who is ahead.
///
/// A side is ahead at a win rate of 73 % or more; otherwise the game is level. The judge's own choice loses nothing, so it
/// is never decisive.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DecisiveMove {
    /// The move with its loss and mark.
    pub assessed_move: AssessedMove,
    /// The change of the lead by the move.
    pub change: LeadChange,
}

/// A change of the lead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeadChange {
    /// The side that moved was ahead, and now the other side is.
    Reversal,
    /// The game was level, and now the other side is ahead.
    Lead,
    /// The side that moved was ahead, and now the game is level.
    Levelled,
}

impl SideSummary {
    /// Returns the figures to display: the mean loss, the agreement (一致率), the accuracy, and the number of decided
    /// moves.
    pub fn figures(&self) -> SideFigures {
        let choices = [self.stats.choices, self.stats.judged_moves];
        SideFigures {
            mean_loss: self.stats.mean_loss,
            choices,
            accuracy: self.accuracy,
            decided_moves: self.decided_move_count(),
        }
    }

    /// Returns the number of moves of a decided game, which are not in the mean loss and the agreement.
    pub const fn decided_move_count(&self) -> usize {
        self.moves.saturating_sub(self.stats.moves)
    }

    fn from_moves(moves: &[SummarizedMove]) -> Self {
        let open = || moves.iter().filter(|mv| !mv.assessed.is_decided);
        Self {
            moves: moves.len(),
            stats: MoveStats::from_moves(open().map(|mv| &mv.assessed)),
            phases: GamePhase::ALL.map(|phase| {
                MoveStats::from_moves(open().filter(|mv| mv.phase == phase).map(|mv| &mv.assessed))
            }),
            marks: MoveMark::ALL.map(|mark| moves.iter().filter(|mv| mv.assessed.mark == Some(mark)).count()),
            accuracy: accuracy::accuracy(moves.iter().map(|mv| (mv.assessed.loss, mv.weight))),
        }
    }
}

impl MoveStats {
    /// Computes the statistics of moves.
    fn from_moves<'a>(moves: impl Iterator<Item = &'a AssessedMove>) -> Self {
        let (mut stats, mut lost, mut count) = (Self::default(), 0.0, 0.0);
        for assessed in moves {
            stats.moves += 1;
            count += 1.0;
            lost += assessed.loss;
            stats.choices += usize::from(assessed.is_best_move());
            stats.judged_moves += usize::from(assessed.best.is_some());
            if assessed.loss >= MIN_COSTLIEST_LOSS
                && stats
                    .costliest_move
                    .is_none_or(|costliest| assessed.loss > costliest.loss)
            {
                stats.costliest_move = Some(*assessed);
            }
        }
        stats.mean_loss = (stats.moves > 0).then(|| lost / count);
        stats
    }
}

impl DecisiveMove {
    /// Returns the side that gained by the move: the opponent of the side that moved.
    pub fn winner(&self) -> Color {
        self.assessed_move.side.flip()
    }

    /// Returns the effects of the move on forced mates and on the lead, in words. `titles` are the names of the sides,
    /// Black's first.
    pub fn effects(&self, [black, white]: [&str; 2], lang: Lang) -> Vec<String> {
        let (winner, loser) = if self.winner() == Color::Black {
            (black, white)
        } else {
            (white, black)
        };
        let change = text::lead_change(
            match self.change {
                LeadChange::Lead => LeadChangeWords::Lead(winner),
                LeadChange::Reversal => LeadChangeWords::Reversal(winner),
                LeadChange::Levelled => LeadChangeWords::Levelled(loser),
            },
            lang,
        );
        [self.assessed_move.mate_change(lang), change]
            .into_iter()
            .filter(|effect| !effect.is_empty())
            .collect()
    }
}

impl ReviewSummary {
    /// Returns the decisive move of an assessed move; `None` if the move is not decisive.
    pub fn decisive(&self, assessed: &AssessedMove) -> Option<&DecisiveMove> {
        let index = self
            .decisive_moves
            .binary_search_by_key(&assessed.ply, |decisive| decisive.assessed_move.ply)
            .ok()?;
        self.decisive_moves
            .get(index)
            .filter(|decisive| decisive.assessed_move.node == assessed.node)
    }
}

impl GameReview {
    /// Summarises the main line of a record.
    pub fn summary(&self, record: &Record) -> ReviewSummary {
        self.summary_of(record, record.main_line())
    }

    /// Summarises a line of moves. `line` has the nodes that the moves lead to.
    pub fn summary_of(&self, record: &Record, line: impl Iterator<Item = NodeId>) -> ReviewSummary {
        let line: Vec<_> = line.collect();
        let start = line.first().and_then(|first| record.parent(*first));
        let rate = |node: NodeId| Some(self.position_value(node)?.rate * 100.0);
        let rates: Vec<_> = std::iter::once(start.and_then(rate))
            .chain(line.iter().map(|node| rate(*node)))
            .collect();
        let moves = line
            .iter()
            .zip(GamePhase::phases_of_line(record, &line))
            .zip(accuracy::weights(&rates));
        let moves = moves.filter_map(|((node, phase), weight)| {
            Some(SummarizedMove {
                assessed: *self.assessed(*node)?,
                phase,
                weight,
            })
        });
        let (black, white): (Vec<_>, Vec<_>) = moves.partition(|mv| mv.assessed.side == Color::Black);
        let decisive = line
            .iter()
            .filter_map(|node| self.decisive_move(*self.assessed(*node)?));
        let decisive = decisive.collect();
        ReviewSummary {
            sides: [&black, &white].map(|moves| SideSummary::from_moves(moves)),
            decisive_moves: decisive,
        }
    }

    /// Returns the change of the lead by a move; `None` if the move is not decisive.
    fn decisive_move(&self, assessed: AssessedMove) -> Option<DecisiveMove> {
        if !reaches(assessed.loss, MIN_DECISIVE_LOSS_POINTS.into()) {
            return None;
        }
        let rates = self
            .compared_values(assessed.node)?
            .each_ref()
            .map(|value| value.percent_of(assessed.side));
        let [(was_ahead, was_behind), (is_ahead, is_behind)] =
            rates.map(|rate| (rate >= AHEAD_PERCENT, rate <= 100 - AHEAD_PERCENT));
        let change = match (was_ahead, is_behind) {
            (true, true) => LeadChange::Reversal,
            (true, false) if !is_ahead => LeadChange::Levelled,
            (false, true) if !was_behind => LeadChange::Lead,
            _ => return None,
        };
        Some(DecisiveMove {
            assessed_move: assessed,
            change,
        })
    }
}
