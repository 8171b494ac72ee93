//! The summary of a whole line.

use super::GamePhase;
use super::{AssessedMove, GameReview, MoveMark, reaches};
use crate::kifu::{NodeId, Record};
use crate::shogi::Color;
use crate::text::Lang;
use crate::text::analysis::{self as text, SideFigures, TurningPointEffect};

/// The win rates of the moving side at which a game changes: a lead, an even game, the other side's lead.
const LEVELS: [f64; 3] = [0.6, 0.5, 0.4];

/// The minimum loss of a turning point, in points.
const MIN_TURNING_POINT_LOSS: f64 = 10.0;

/// The number of positions for which the win rate has to remain below the crossed level. The one after the move is
/// included.
const STAYS: usize = 3;

/// The number of a side's costliest moves that are decisive, whatever their mark.
const COSTLIEST: usize = 3;

/// The minimum loss of a costliest move, in points: a smaller one is shown as 0.0.
const SHOWN: f64 = 0.05;

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
    /// The number of moves for which the judge states its best move.
    pub judged_moves: usize,
    /// The move with the largest loss, the first of several; `None` if no move has a loss.
    pub costliest_move: Option<AssessedMove>,
}

/// A decisive move or a turning point.
///
/// Decisive are every mistake and blunder, and the three costliest moves of each side that have a loss. So is every
/// move that misses or allows a forced mate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CriticalMove {
    /// The move with its loss and mark.
    pub assessed_move: AssessedMove,
    /// Whether the move is decisive.
    pub is_decisive: bool,
    /// The change of the lead by the move; `None` if it is not a turning point.
    pub turn: Option<TurnKind>,
}

/// The change caused by a turning point.
///
/// A turning point has a loss of 10 points or more. The win rate of its side falls below 60, 50 or 40 %. The win rate
/// then remains below that level for three plies. These are the one after the move, and the next two if the game
/// continues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TurnKind {
    /// The side that gained: the one that did not move.
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
    /// Neither side leads, but the better chances change to the other side.
    Edge,
}

impl SideSummary {
    /// Returns the values to display, including how often the judge's choice was played (一致率).
    pub fn sums(&self) -> SideFigures {
        let choices = [self.stats.choices, self.stats.judged_moves];
        SideFigures { mean_loss: self.stats.mean_loss, choices, accuracy: self.accuracy, decided_moves: self.decided() }
    }

    /// Returns the number of moves of a decided game. The mean loss and the agreement do not include them.
    pub const fn decided(&self) -> usize {
        self.moves.saturating_sub(self.stats.moves)
    }

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
    fn from_moves<'a>(moves: impl Iterator<Item = &'a AssessedMove>) -> Self {
        let (mut stats, mut lost, mut count) = (Self::default(), 0.0, 0.0);
        for assessed in moves {
            stats.moves += 1;
            count += 1.0;
            lost += assessed.loss;
            stats.choices += usize::from(assessed.is_choice());
            stats.judged_moves += usize::from(assessed.best.is_some());
            if assessed.loss >= SHOWN && stats.costliest_move.is_none_or(|costliest| assessed.loss > costliest.loss) {
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
        text::decided(decided, lang)
    }
}

impl ReviewSummary {
    /// Returns a move of the line as a decisive move or turning point; `None` if it is neither.
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

    /// Summarises a line of moves, given by the nodes that they lead to.
    pub fn summary_of(&self, record: &Record, line: impl Iterator<Item = NodeId>) -> ReviewSummary {
        let line: Vec<_> = line.collect();
        let assessed = line.iter().zip(GamePhase::along(record, &line));
        let assessed = assessed.filter_map(|(node, phase)| Some((*self.assessed(*node)?, phase)));
        let (black, white): (Vec<_>, Vec<_>) = assessed.partition(|(assessed, _)| assessed.side == Color::Black);
        let costliest = [&black, &white].map(|moves| costliest(moves)).concat();
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

    /// Returns the change caused by a move: the first matching one; `None` if it is not a turning point. `on` is the
    /// line from the move onward.
    fn turn_kind(&self, assessed: &AssessedMove, line: &[NodeId]) -> Option<TurnKind> {
        if !reaches(assessed.loss, MIN_TURNING_POINT_LOSS) {
            return None;
        }
        let of_side = |rate: f64| if assessed.side == Color::Black { rate } else { 1.0 - rate };
        let [before, _] = self.compared(assessed.node)?;
        let before = of_side(before.rate);
        // Positions without a value are ignored.
        let after: Vec<f64> = line
            .iter()
            .take(STAYS)
            .filter_map(|node| self.position_value(*node))
            .map(|worth| of_side(worth.rate))
            .collect();
        let stays = |level: f64| before >= level && after.iter().all(|rate| *rate < level);
        let [lead, middle, other] = LEVELS.map(stays);
        let had_lead = LEVELS.first().is_some_and(|level| before >= *level);
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

/// Returns the nodes of a side's costliest moves.
fn costliest(moves: &[(AssessedMove, GamePhase)]) -> Vec<NodeId> {
    let mut lossy: Vec<_> = moves.iter().map(|(assessed, _)| assessed).filter(|it| it.loss >= SHOWN).collect();
    lossy.sort_by(|one, other| other.loss.total_cmp(&one.loss));
    lossy.iter().take(COSTLIEST).map(|assessed| assessed.node).collect()
}
