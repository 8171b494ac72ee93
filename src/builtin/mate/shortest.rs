//! The line of a proved mate, and a shorter line where there is one.

use super::{Side, Solver};
use rsshogi::types::Move32;
use std::collections::HashMap;

/// The maximum number of nodes that are searched for a shorter mate.
const MAX_NODES: u64 = 400_000;

/// The number of positions of a proof between two checks of the clock.
const PROOF_CLOCK_STRIDE: u64 = 1024;

/// The continuation of a position with a mate: the number of plies to the mate, and the move, `None` in the mate.
type NextMove = (usize, Option<Move32>);

/// The number of plies within which a position has no mate, by the key of the position.
type RefutedPlies = HashMap<u64, usize>;

/// The progress of [`Solver::follow_proof`].
#[derive(Default)]
struct ProofWalk {
    /// The continuations found so far, by the key of the position.
    next_moves: HashMap<u64, NextMove>,
    /// The number of positions visited so far.
    position_count: u64,
    /// Whether the search was stopped or is past its deadline. Then one line of the proof is enough.
    is_out_of_time: bool,
}

impl Solver<'_> {
    /// Returns the moves to the mate of the current position, which is proved: the shortest line found in the
    /// remaining time, against the longest defence. The second value is whether there is no shorter mate.
    pub(super) fn shortest_line(&mut self) -> (Vec<Move32>, bool) {
        let proved = self.proved_line();
        let (mut refuted, end) = (RefutedPlies::new(), self.nodes + MAX_NODES);
        // The number of plies grows by two: the first mate found is a shortest one.
        for plies in (1..proved.len()).step_by(2) {
            if let Some(mut moves) = self.attack(plies, &mut refuted, end) {
                moves.reverse();
                return (moves, true);
            }
            if self.is_over || self.nodes >= end {
                return (proved, false);
            }
        }
        (proved, true)
    }

    /// Returns the moves of the shortest mate in the proof. Without remaining time, returns any line of the proof.
    fn proved_line(&mut self) -> Vec<Move32> {
        let (mut walk, mut line, mut side) = (ProofWalk::default(), Vec::new(), Side::Attacker);
        self.path.clear();
        self.follow_proof(side, &mut walk);
        while let Some((_, Some(mv))) = walk.next_moves.get(&self.key()).copied() {
            self.play(side, mv);
            line.push(mv);
            side = side.other();
        }
        line.iter().rev().for_each(|mv| self.undo(*mv));
        line
    }

    /// Returns the number of plies to the mate of the current position. Returns `None` where there is no mate, or the
    /// line leads back to a position above. Without remaining time, only the first line found counts.
    fn follow_proof(&mut self, side: Side, walk: &mut ProofWalk) -> Option<usize> {
        let key = self.key();
        if let Some((plies, _)) = walk.next_moves.get(&key) {
            return Some(*plies);
        }
        if self.path.contains(&key) {
            return None;
        }
        self.path.push(key);
        walk.position_count += 1;
        walk.is_out_of_time |= self.control.is_stopped()
            || (walk.position_count.is_multiple_of(PROOF_CLOCK_STRIDE)
                && self.control.is_past_deadline((self.clock)()));
        let moves = self.moves(side);
        let mut found: Option<NextMove> = (side == Side::Defender && moves.is_empty()).then_some((0, None));
        for &mv in &moves {
            self.play(side, mv);
            let plies = if self.is_proved(side.other()) {
                self.follow_proof(side.other(), walk)
            } else {
                None
            };
            self.undo(mv);
            let is_better = match (plies, found) {
                (None, _) => false,
                (Some(_), None) => true,
                (Some(plies), Some((min_plies, _))) if side == Side::Attacker => plies + 1 < min_plies,
                (Some(plies), Some((max_plies, _))) => plies + 1 > max_plies,
            };
            if is_better {
                found = plies.map(|plies| (plies + 1, Some(mv)));
            } else if plies.is_none() && side == Side::Defender {
                found = None;
                break;
            }
            if walk.is_out_of_time && found.is_some() {
                break;
            }
        }
        self.path.pop();
        walk.next_moves.extend(found.map(|found| (key, found)));
        found.map(|(plies, _)| plies)
    }

    /// Returns whether the current position was proved to be a mate. A position with an immediate mate was not
    /// searched.
    fn is_proved(&self, side: Side) -> bool {
        match self.results.get(&self.key()) {
            Some((_, numbers)) => *numbers == side.with_mate(),
            None => side == Side::Defender && self.moves(side).is_empty(),
        }
    }

    /// Returns whether there is a mate within `plies` plies.
    #[cfg(test)]
    pub(super) fn is_mate_within(&mut self, plies: usize) -> bool {
        self.attack(plies, &mut RefutedPlies::new(), u64::MAX).is_some()
    }

    /// Returns the moves of a mate within `plies` plies, the last one first. Returns `None` if there is none, or if the
    /// search ends at `end` nodes.
    fn attack(&mut self, plies: usize, refuted: &mut RefutedPlies, end: u64) -> Option<Vec<Move32>> {
        let key = self.key();
        if refuted.get(&key).is_some_and(|known| *known >= plies)
            || self
                .results
                .get(&key)
                .is_some_and(|(side, numbers)| *numbers == side.without_mate())
        {
            return None;
        }
        for &mv in &self.moves(Side::Attacker) {
            self.play(Side::Attacker, mv);
            let found = self.defend(plies - 1, refuted, end);
            self.undo(mv);
            if let Some(mut moves) = found {
                moves.push(mv);
                return Some(moves);
            }
            if self.is_over || self.nodes >= end {
                return None;
            }
        }
        refuted.insert(key, plies);
        None
    }

    /// Returns the longest defence, the last move first, if every answer to the check is mated within `plies` plies.
    fn defend(&mut self, plies: usize, refuted: &mut RefutedPlies, end: u64) -> Option<Vec<Move32>> {
        self.count_node();
        let moves = self.moves(Side::Defender);
        if moves.is_empty() {
            return Some(Vec::new());
        }
        let mut longest = Vec::new();
        for &mv in moves.iter().take_while(|_| plies > 1) {
            self.play(Side::Defender, mv);
            let found = self.attack(plies - 1, refuted, end);
            self.undo(mv);
            let mut line = found?;
            line.push(mv);
            if line.len() > longest.len() {
                longest = line;
            }
        }
        (plies > 1).then_some(longest)
    }
}
