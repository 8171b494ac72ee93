//! Threats of mate and brinkmates: by the move, along the better line, and along the line that punishes the move.

use super::{PlayedMove, after_move, is_safe_after_any};
use crate::fact::{Fact, FactKind, FactPosition};
use crate::mates::{MateState, MatingLine};
use shogibar_shogi::{Move, Position};

/// The maximum number of moves that lead to a threat of mate.
const MAX_LEAD: usize = 4;

/// The maximum number of moves that lead to a brinkmate of the mover. That of the opponent is its reply.
const MAX_BRINKMATE_LEAD: usize = 2;

/// The positions along the lines of a move, each from the position before the move on.
pub(super) struct ThreatLines {
    /// The move, and the engine's line after it.
    played: Vec<Position>,
    /// The better line; only the position before the move if there is no better move.
    better: Vec<Position>,
}

impl PlayedMove<'_> {
    pub(super) fn threat_lines(&self) -> ThreatLines {
        let mut played = vec![self.position_before.clone()];
        played.extend(positions_along(&self.position_after, self.input.punish_line));
        let better = self.better_move().map_or(&[][..], |_| self.input.better_line);
        ThreatLines {
            played,
            better: positions_along(&self.position_before, better),
        }
    }

    /// Returns the threat of mate that the move makes, or else the earliest one along the better line. A brinkmate by the
    /// better line takes the place of its threat. In the position before the move, no checks mate.
    pub(super) fn made_threats(&self, lines: &ThreatLines) -> Vec<Fact> {
        match self.solver.solve_after_pass(&self.position_after) {
            MateState::Mate(_) if self.position_before.in_check() => Vec::new(),
            MateState::Mate(threat) => {
                let kind = FactKind::ThreatMade {
                    length: threat.length(),
                };
                let line = [vec![self.input.played_move], threat.moves].concat();
                let made = self.fact(kind, FactPosition::Before, line);
                [made].into_iter().chain(self.missed_brinkmate(lines)).collect()
            }
            MateState::None => {
                let leads = (0..=MAX_LEAD).step_by(2);
                leads
                    .filter_map(|lead| self.missed_threat(lines, lead))
                    .take(1)
                    .collect()
            }
            MateState::Unknown => Vec::new(),
        }
    }

    /// Returns the threat of mate or the brinkmate that the better line makes after `lead` moves. The played line makes no
    /// threat by then.
    fn missed_threat(&self, lines: &ThreatLines, lead: usize) -> Option<Fact> {
        let threat = self.threat_at(&lines.better, lead)?;
        if !self.makes_no_threat(&lines.played, lead) {
            return None;
        }
        let position = lines.better.get(lead + 1)?;
        let is_brinkmate = lead <= MAX_BRINKMATE_LEAD && self.is_brinkmate(position, &threat);
        let moves = self.input.better_line.get(..=lead)?;
        let fact = self.fact(
            threat_kind(&threat, is_brinkmate),
            FactPosition::Before,
            [moves, &threat.moves].concat(),
        );
        Some(Fact { lead, ..fact })
    }

    fn missed_brinkmate(&self, lines: &ThreatLines) -> Option<Fact> {
        let (threat, position) = (self.threat_at(&lines.better, 0)?, lines.better.get(1)?);
        if !self.is_brinkmate(position, &threat) || !self.is_no_brinkmate(&self.position_after) {
            return None;
        }
        let line = [vec![self.better_move()?], threat.moves].concat();
        Some(self.fact(FactKind::BrinkmateMade, FactPosition::Before, line))
    }

    /// Returns the earliest threat of mate or brinkmate that the opponent makes along the line that punishes the move, and
    /// not along the better line. In the position after the move, no checks mate.
    pub(super) fn allowed_threat(&self, lines: &ThreatLines) -> Option<Fact> {
        (0..=MAX_LEAD)
            .step_by(2)
            .find_map(|lead| self.allowed_threat_after(lines, lead))
    }

    /// Returns the threat of mate or the brinkmate that the opponent makes after `lead` moves of the punishing line.
    fn allowed_threat_after(&self, lines: &ThreatLines, lead: usize) -> Option<Fact> {
        let (punishing, better) = (lines.played.get(1..)?, lines.better.get(1..)?);
        let threat = self.threat_at(punishing, lead)?;
        let moves = self.input.punish_line.get(..=lead)?;
        let same = after_move(better.get(lead)?, *moves.last()?);
        let is_brinkmate = lead == 0
            && self.is_brinkmate(punishing.get(1)?, &threat)
            && same
                .iter()
                .chain([better.get(1)?])
                .all(|position| self.is_no_brinkmate(position));
        let makes_none = |position: &Position| self.solver.mates_after_pass(position) == Some(false);
        let is_new =
            is_brinkmate || self.makes_no_threat(better, lead) && same.as_ref().is_none_or(makes_none);
        is_new.then(|| {
            let line = [moves, &threat.moves].concat();
            Fact {
                kind: threat_kind(&threat, is_brinkmate),
                side: self.side.flip(),
                at: FactPosition::After,
                lead,
                line,
            }
        })
    }

    /// Returns the mate that the move after `lead` moves of a line threatens. Before that move, no checks mate.
    fn threat_at(&self, positions: &[Position], lead: usize) -> Option<MatingLine> {
        let (position, next) = (positions.get(lead)?, positions.get(lead + 1)?);
        if position.in_check() {
            return None;
        }
        let MateState::Mate(threat) = self.solver.solve_after_pass(next) else {
            return None;
        };
        // The first position of each line is known to have no mate.
        let had_none = lead == 0 || self.solver.mates(position) == Some(false);
        had_none.then_some(threat)
    }

    /// Returns whether it was proved that the side which moves first makes no threat of mate by its moves up to the one
    /// after `lead` moves.
    fn makes_no_threat(&self, positions: &[Position], lead: usize) -> bool {
        let mut leads = (0..=lead).step_by(2);
        leads.all(|lead| {
            positions
                .get(lead + 1)
                .is_some_and(|next| self.solver.mates_after_pass(next) == Some(false))
        })
    }

    /// Returns whether it was proved that the side to move cannot avoid the mate that is threatened.
    fn is_brinkmate(&self, position: &Position, threat: &MatingLine) -> bool {
        self.solver.is_brinkmate(position, threat, self.move_solver.nodes)
    }

    /// Returns whether it was proved that after a pass or one of the moves no checks mate the side to move.
    fn is_no_brinkmate(&self, position: &Position) -> bool {
        self.solver.mates_after_pass(position) == Some(false)
            || is_safe_after_any(position, &position.legal_moves(), self.move_solver)
    }
}

/// Returns the first position, and the positions after the legal moves at the front of `moves`.
fn positions_along(start: &Position, moves: &[Move]) -> Vec<Position> {
    let mut positions = vec![start.clone()];
    for mv in moves.iter().take(MAX_LEAD + 2) {
        let Some(next) = positions.last().and_then(|position| after_move(position, *mv)) else {
            break;
        };
        positions.push(next);
    }
    positions
}

fn threat_kind(threat: &MatingLine, is_brinkmate: bool) -> FactKind {
    if is_brinkmate {
        FactKind::BrinkmateMade
    } else {
        FactKind::ThreatMade {
            length: threat.length(),
        }
    }
}
