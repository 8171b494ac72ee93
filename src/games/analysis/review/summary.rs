//! The summary of a line of a record.

use super::GamePhase;
use super::{AssessedMove, GameReview, MoveMark, reaches};
use crate::kifu::{NodeId, Record};
use crate::shogi::Color;
use crate::text::Lang;
use crate::text::analysis::{self as text, SideFigures, TurningPointEffect};

/// The minimum win rate of a side that leads, from 0 to 1.
const LEAD_RATE: f64 = 0.6;

/// The win rate of both sides in an even game.
const EVEN_RATE: f64 = 0.5;

/// The win rate of a side below which the other side leads.
const OTHER_LEAD_RATE: f64 = 0.4;

/// The minimum loss of a turning point, in percentage points of win rate.
const MIN_TURNING_POINT_LOSS: f64 = 10.0;

/// The number of positions, from the one after a turning point, in which the win rate stays below the crossed level.
const PLIES_BELOW_LEVEL: usize = 3;

/// The number of costliest moves of each side that are decisive, whatever their mark.
const COSTLIEST_MOVE_COUNT: usize = 3;

/// The minimum loss of a costliest move, in points. A smaller loss is shown as 0.0.
const MIN_COSTLIEST_LOSS: f64 = 0.05;

/// The summary of a line of a record.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReviewSummary {
    /// The summaries of Black's and White's moves.
    pub sides: [SideSummary; 2],
    /// The decisive moves and the turning points, in order.
    pub critical_moves: Vec<CriticalMove>,
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
    /// 100 minus the mean loss of all moves, at least 0; `None` without assessed moves.
    pub accuracy: Option<f64>,
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

/// A decisive move or a turning point.
///
/// Every mistake or blunder is decisive, and every move that misses or allows a forced mate. The three costliest moves
/// of each side are also decisive if they have a loss.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CriticalMove {
    /// The move with its loss and mark.
    pub assessed_move: AssessedMove,
    /// Whether the move is decisive.
    pub is_decisive: bool,
    /// The change of the lead by the move; `None` if the move is not a turning point.
    pub turn: Option<TurnKind>,
}

/// The change caused by a turning point.
///
/// A turning point has a loss of 10 points or more. The win rate of the side falls below 60, 50 or 40 %. The win rate
/// stays below that level in the next two positions, too, if the game continues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TurnKind {
    /// The side that gained by the move: the opponent of the side that moved.
    pub winner: Color,
    /// The change of the lead.
    pub change: LeadChange,
}

/// A change of the lead. A side leads at a win rate of 60 % or more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeadChange {
    /// The side that moved was in the lead, and now the other side is.
    Reversal,
    /// The other side takes the lead.
    Lead,
    /// The side that moved was in the lead, and now neither side is.
    Levelled,
    /// Neither side leads, and the higher win rate changes to the other side.
    Edge,
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

    /// Summarises the moves of a side.
    fn from_moves(moves: &[(AssessedMove, GamePhase)]) -> Self {
        let all = || moves.iter().map(|(assessed, _)| assessed);
        let open = || moves.iter().filter(|(assessed, _)| !assessed.is_decided);
        let of_phase = |phase| open().filter(move |(_, at)| *at == phase).map(|(assessed, _)| assessed);
        Self {
            moves: moves.len(),
            stats: MoveStats::from_moves(open().map(|(assessed, _)| assessed)),
            phases: GamePhase::ALL.map(|phase| MoveStats::from_moves(of_phase(phase))),
            marks: MoveMark::ALL.map(|mark| all().filter(|assessed| assessed.mark == Some(mark)).count()),
            accuracy: MoveStats::from_moves(all()).mean_loss.map(|loss| (100.0 - loss).max(0.0)),
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
                && stats.costliest_move.is_none_or(|costliest| assessed.loss > costliest.loss)
            {
                stats.costliest_move = Some(*assessed);
            }
        }
        stats.mean_loss = (stats.moves > 0).then(|| lost / count);
        stats
    }
}

impl CriticalMove {
    /// Returns the effects of the move on forced mates and on the lead, in words. `titles` are the names of the sides,
    /// Black's first.
    pub fn effects(&self, titles: [&str; 2], lang: Lang) -> Vec<String> {
        let turn = self.turn.map(|turn| turn.text(titles, lang));
        std::iter::once(self.assessed_move.mate_change(lang)).chain(turn).filter(|effect| !effect.is_empty()).collect()
    }
}

impl TurnKind {
    /// Returns the change of the lead in words. `titles` are the names of the sides, Black's first.
    pub fn text(self, [black, white]: [&str; 2], lang: Lang) -> String {
        let (winner, loser) = if self.winner == Color::Black { (black, white) } else { (white, black) };
        let decided = match self.change {
            LeadChange::Lead => TurningPointEffect::Lead(winner),
            LeadChange::Reversal => TurningPointEffect::Turn(winner),
            LeadChange::Levelled => TurningPointEffect::Levelled(loser),
            LeadChange::Edge => TurningPointEffect::Edge(winner),
        };
        text::turning_point_effect(decided, lang)
    }
}

impl ReviewSummary {
    /// Returns the critical move of an assessed move; `None` if the move is neither decisive nor a turning point.
    pub fn critical(&self, assessed: &AssessedMove) -> Option<&CriticalMove> {
        let index =
            self.critical_moves.binary_search_by_key(&assessed.ply, |critical| critical.assessed_move.ply).ok()?;
        self.critical_moves.get(index).filter(|critical| critical.assessed_move.node == assessed.node)
    }

    /// Returns the turning points, in order.
    pub fn turning_points(&self) -> impl Iterator<Item = (&AssessedMove, TurnKind)> {
        self.critical_moves.iter().filter_map(|critical| Some((&critical.assessed_move, critical.turn?)))
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
        let assessed = line.iter().zip(GamePhase::phases_of_line(record, &line));
        let assessed = assessed.filter_map(|(node, phase)| Some((*self.assessed(*node)?, phase)));
        let (black, white): (Vec<_>, Vec<_>) = assessed.partition(|(assessed, _)| assessed.side == Color::Black);
        let costliest = [&black, &white].map(|moves| costliest_moves(moves)).concat();
        let critical = line.iter().enumerate().filter_map(|(index, node)| {
            let assessed = *self.assessed(*node)?;
            let turn = self.turn_kind(&assessed, line.get(index..)?);
            let is_decisive = assessed.mark >= Some(MoveMark::Mistake)
                || assessed.missed_mate.is_some()
                || assessed.allowed_mate.is_some()
                || costliest.contains(node);
            (is_decisive || turn.is_some()).then_some(CriticalMove { assessed_move: assessed, is_decisive, turn })
        });
        let critical = critical.collect();
        ReviewSummary { sides: [&black, &white].map(|moves| SideSummary::from_moves(moves)), critical_moves: critical }
    }

    /// Returns the change of the lead by a move; `None` if the move is not a turning point. `line` begins with the
    /// move.
    fn turn_kind(&self, assessed: &AssessedMove, line: &[NodeId]) -> Option<TurnKind> {
        if !reaches(assessed.loss, MIN_TURNING_POINT_LOSS) {
            return None;
        }
        let of_side = |rate: f64| if assessed.side == Color::Black { rate } else { 1.0 - rate };
        let [before, _] = self.compared_values(assessed.node)?;
        let before = of_side(before.rate);
        // Positions without a value are ignored.
        let after: Vec<f64> = line
            .iter()
            .take(PLIES_BELOW_LEVEL)
            .filter_map(|node| self.position_value(*node))
            .map(|value| of_side(value.rate))
            .collect();
        let stays_below = |level: f64| before >= level && after.iter().all(|rate| *rate < level);
        let [lead, middle, other] = [LEAD_RATE, EVEN_RATE, OTHER_LEAD_RATE].map(stays_below);
        let had_lead = before >= LEAD_RATE;
        let change = match (other, middle, lead) {
            (true, ..) if had_lead => LeadChange::Reversal,
            (true, ..) => LeadChange::Lead,
            (_, true, _) if had_lead => LeadChange::Levelled,
            (_, true, _) => LeadChange::Edge,
            (_, _, true) => LeadChange::Levelled,
            _ => return None,
        };
        Some(TurnKind { winner: assessed.side.flip(), change })
    }
}

/// Returns the nodes of the costliest moves among the moves of a side.
fn costliest_moves(moves: &[(AssessedMove, GamePhase)]) -> Vec<NodeId> {
    let mut lossy: Vec<_> =
        moves.iter().map(|(assessed, _)| assessed).filter(|it| it.loss >= MIN_COSTLIEST_LOSS).collect();
    lossy.sort_by(|one, other| other.loss.total_cmp(&one.loss));
    lossy.iter().take(COSTLIEST_MOVE_COUNT).map(|assessed| assessed.node).collect()
}
