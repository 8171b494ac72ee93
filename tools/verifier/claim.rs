//! A fact with its game.

use crate::board::Board;
use crate::game::{Candidate, Game};
use crate::line::Line;
use crate::mate::{MateResult, MateSearch};
use crate::material::{self, PieceValue};
use crate::verdict::{Checked, false_fact, require, undecided};
use shogibar_facts::{Fact, FactKind, FactPosition, Gain};
use shogibar_shogi::{Color, Move};

/// The maximum number of plies of the threats of mate that excuse a loss.
const MAX_THREAT_PLIES: u16 = 9;

/// The minimum loss by a move of which a plan is stated, in points of win rate.
const MIN_PLAN_LOSS_POINTS: f64 = 5.0;

/// The maximum number of moves that lead to the first move.
const MAX_LEAD: usize = 6;

/// The bounds and the values of the verifier.
#[derive(Clone, Copy, Debug)]
pub struct VerifierConfig {
    /// The maximum number of nodes of each search for a mate.
    pub nodes: u64,
    /// The maximum number of plies of a mate, if the fact states no length.
    pub max_mate_plies: u16,
    /// The values of the pieces by which gains are counted.
    pub piece_value: PieceValue,
}

impl Default for VerifierConfig {
    /// Returns a configuration with the printed values of the pieces.
    fn default() -> Self {
        Self {
            nodes: 300_000,
            max_mate_plies: 31,
            piece_value: material::printed_value,
        }
    }
}

/// A fact with its game.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Claim<'a> {
    pub(crate) game: &'a Game,
    /// The number of moves played in the position [`After`](FactPosition::After).
    pub(crate) ply: usize,
    pub(crate) fact: &'a Fact,
    /// All facts of the fact's move and position.
    pub(crate) facts: &'a [Fact],
    pub(crate) config: VerifierConfig,
}

impl<'a> Claim<'a> {
    pub(crate) const fn side(&self) -> Color {
        self.fact.side
    }

    pub(crate) fn line_ply(&self) -> Checked<usize> {
        match self.fact.at {
            FactPosition::After => Ok(self.ply),
            FactPosition::Before => self
                .ply
                .checked_sub(1)
                .ok_or_else(|| false_fact("there is no move before the start")),
        }
    }

    /// Returns the board after `ply` moves of the game.
    pub(crate) fn board_at(&self, ply: usize) -> Checked<Board> {
        self.game
            .board(ply)
            .copied()
            .ok_or_else(|| false_fact("the game has no such ply"))
    }

    /// Returns the board at which the line begins.
    pub(crate) fn board(&self) -> Checked<Board> {
        self.board_at(self.line_ply()?)
    }

    pub(crate) fn before(&self) -> Checked<Board> {
        self.board_at(
            self.ply
                .checked_sub(1)
                .ok_or_else(|| false_fact("there is no move before the start"))?,
        )
    }

    pub(crate) fn played(&self) -> Checked<Move> {
        let played = self
            .ply
            .checked_sub(1)
            .and_then(|ply| self.game.moves().get(ply))
            .copied();
        played.ok_or_else(|| false_fact("there is no move before the start"))
    }

    /// Returns the reply in the game; `None` if the game ends before.
    pub(crate) fn reply(&self) -> Option<Move> {
        self.game.moves().get(self.ply).copied()
    }

    pub(crate) fn require_at(&self, at: FactPosition) -> Checked {
        require(self.fact.at == at, || {
            format!("the line begins {:?} the move", self.fact.at)
        })
    }

    pub(crate) fn require_lead(&self) -> Checked {
        let has_lead = matches!(
            self.fact.kind,
            FactKind::Fork { .. }
                | FactKind::Skewer { .. }
                | FactKind::Pin { .. }
                | FactKind::Discovered { .. }
                | FactKind::Trapped { .. }
                | FactKind::ThreatMade { .. }
                | FactKind::BrinkmateMade
        );
        let (lead, maximum) = (self.fact.lead, if has_lead { MAX_LEAD } else { 0 });
        require(lead <= maximum && lead.is_multiple_of(2), || {
            format!("the kind has no lead of {lead} moves")
        })
    }

    /// Replays the line from its beginning.
    pub(crate) fn line(&self) -> Checked<Line> {
        Line::replay(self.board()?, &self.fact.line)
    }

    /// Requires that the side of the fact made the move.
    pub(crate) fn require_mover(&self) -> Checked {
        require(self.before()?.side() == self.side(), || {
            "the move is not one of the side".to_owned()
        })
    }

    pub(crate) fn require_to_move(&self, board: &Board) -> Checked {
        require(board.side() == self.side(), || {
            "the side is not to move".to_owned()
        })
    }

    /// Returns the candidates of the position at which the line begins, the best one first.
    pub(crate) fn candidates(&self) -> Checked<&'a [Candidate]> {
        Ok(self.game.candidates(self.line_ply()?))
    }

    /// Returns the line of the best candidate after `ply` moves; empty without candidates.
    pub(crate) fn best_line(&self, ply: usize) -> &'a [Move] {
        self.game
            .candidates(ply)
            .first()
            .map_or(&[], |best| best.line.as_slice())
    }

    /// Returns the line of the best candidate before the move; empty without candidates.
    pub(crate) fn better_line(&self) -> &'a [Move] {
        self.ply.checked_sub(1).map_or(&[], |ply| self.best_line(ply))
    }

    /// Returns the win rate of a candidate in points, 0 to 100, from the view of `side`.
    pub(crate) fn points(&self, candidate: &Candidate, side: Color) -> f64 {
        let points = self.game.model().win_rate(candidate.value) * 100.0;
        if side == Color::Black {
            points
        } else {
            100.0 - points
        }
    }

    /// Returns the loss of the mover by the move after `ply` moves, by the stored values, in points of win rate. `None`
    /// unless both values are known.
    pub(crate) fn loss(&self, ply: usize) -> Checked<Option<f64>> {
        let mover = self.board_at(ply)?.side();
        let points = |ply| {
            self.game
                .candidates(ply)
                .first()
                .map(|best| self.points(best, mover))
        };
        Ok(points(ply)
            .zip(points(ply + 1))
            .map(|(before, after)| before - after))
    }

    /// Requires that the move loses enough for a plan, where both values are known.
    pub(crate) fn require_plan_loss(&self) -> Checked {
        let loss = self.loss(self.ply.saturating_sub(1))?;
        require(loss.is_none_or(|loss| loss >= MIN_PLAN_LOSS_POINTS), || {
            format!("the move loses {:.2} points only", loss.unwrap_or_default())
        })
    }

    /// Requires that a gain is the gain along the line. A part of it must remain after the captures that follow. The
    /// losses by the loser's moves do not count.
    pub(crate) fn require_gain(&self, line: &Line, gain: Gain) -> Checked {
        self.require_gain_of_any_sign(line, gain)?;
        let value = self.config.piece_value;
        let last = line.last()?;
        let rest = material::quiet_gain(last, value);
        let settled = if last.side() == self.side() {
            gain.0 + rest
        } else {
            gain.0 - rest
        };
        require(settled.signum() == gain.0.signum(), || {
            format!(
                "the end is not quiet: the gain is {}, and {settled} after the captures that follow",
                gain.0
            )
        })?;
        let loss = self.loss_against_passes(line, gain);
        require(gain.0.abs() > loss, || {
            format!("the loser gives away {loss} by moves of the line")
        })
    }

    /// Returns the loss by the loser's moves along the line, compared with passes, in the unit of the piece values.
    /// Moves in check, and moves where a pass would be mated, are not counted.
    pub(crate) fn loss_against_passes(&self, line: &Line, gain: Gain) -> i32 {
        let value = self.config.piece_value;
        let gainer = if gain.0 > 0 {
            self.side()
        } else {
            self.side().flip()
        };
        let settled =
            |board: &Board| material::material(board, gainer, value) + material::quiet_gain(board, value);
        let loss = |index: usize| -> Option<i32> {
            let [board, next] = [line.board(index)?, line.board(index + 1)?];
            if board.side() == gainer || board.in_check() {
                return None;
            }
            let difference = settled(next) - settled(&board.passed());
            let is_free = || self.search(&board.passed(), MAX_THREAT_PLIES) == MateResult::Escapes;
            (difference > 0 && is_free()).then_some(difference)
        };
        (0..line.len()).filter_map(loss).sum()
    }

    pub(crate) fn require_gain_of_any_sign(&self, line: &Line, gain: Gain) -> Checked {
        let [first, last] = [line.first()?, line.last()?];
        let count = |board| material::material(board, self.side(), self.config.piece_value);
        let counted = count(last) - count(first);
        require(counted == gain.0, || {
            format!("the gain is {counted}, not {}", gain.0)
        })
    }

    pub(crate) fn search(&self, board: &Board, plies: u16) -> MateResult {
        MateSearch::new(board.side()).search(board, plies, self.config.nodes)
    }

    /// Requires that the side to move mates within `plies`, against all defences.
    pub(crate) fn require_mate(&self, board: &Board, plies: u16) -> Checked {
        match self.search(board, plies) {
            MateResult::Mates => Ok(()),
            MateResult::Escapes => Err(false_fact(format!("there is no mate within {plies} plies"))),
            MateResult::Unknown => Err(undecided(format!(
                "a mate within {plies} plies was neither found nor refuted"
            ))),
        }
    }

    /// Requires that the side to move has no mate within the plies of the configuration.
    pub(crate) fn require_no_mate(&self, board: &Board, what: &str) -> Checked {
        match self.search(board, self.config.max_mate_plies) {
            MateResult::Mates => Err(false_fact(format!("there is a mate {what}"))),
            MateResult::Escapes => Ok(()),
            MateResult::Unknown => Err(undecided(format!("a mate {what} was neither found nor refuted"))),
        }
    }
}
