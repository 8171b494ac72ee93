//! The work that the searches for the facts of one position or move may do. It is counted in moves, not in time, so that
//! the facts are the same on every machine.

use shogibar_shogi::{PieceKind, Position};
use std::cell::Cell;

/// The least work of a node. The positions after the first moves may have more checks than the first one.
const MIN_NODE_WORK: u64 = 40;
/// The work of a node above which a position is wide. Of 10,000 positions of games, none was above 215.
const WIDE_NODE_WORK: u64 = 220;
/// The number of pieces in each hand with which both hands are full. Of 10,000 positions of games, none had more than 9.
const FULL_HAND_PIECES: u32 = 11;
/// The factor of the work of a node in a wide position. Its searches rarely prove anything, so they end sooner.
const WIDE_FACTOR: u64 = 80;

/// The remaining work of all searches for the facts of a position or move.
#[derive(Debug)]
pub(crate) struct Budget {
    /// The remaining work in generated moves, estimated from the first node of each search.
    remaining: Cell<u64>,
}

impl Budget {
    pub(crate) const fn new(moves: u64) -> Self {
        Self {
            remaining: Cell::new(moves),
        }
    }

    /// Takes the work of up to `nodes` nodes from the budget. Returns the number of nodes that may be searched: fewer
    /// if the budget ends, and then 0.
    pub(crate) fn take(&self, nodes: u64, node_work: u64) -> u64 {
        let nodes = nodes.min(self.remaining.get() / node_work.max(1));
        self.remaining.set(self.remaining.get() - nodes * node_work);
        nodes
    }
}

/// Returns the work of a node in a search for a mate: the number of moves that are generated for the first one. These
/// are the checks, and the answers to each.
pub(crate) fn node_work(position: &Position) -> u64 {
    let mut generated = 0;
    for mv in position.legal_moves() {
        let mut next = position.clone();
        if next.play(mv).is_ok() && next.in_check() {
            generated += 1 + next.legal_moves().len() as u64;
        }
    }
    let is_wide = generated > WIDE_NODE_WORK || are_hands_full(position);
    generated.max(MIN_NODE_WORK) * if is_wide { WIDE_FACTOR } else { 1 }
}

/// Returns whether both hands, or that of the side to move alone, have so many pieces that a search takes many times as
/// long as in a game.
pub(crate) fn are_hands_full(position: &Position) -> bool {
    let count = |color| -> u32 {
        PieceKind::IN_HAND
            .iter()
            .map(|kind| u32::from(position.hand(color).count(*kind)))
            .sum()
    };
    let (attacker, defender) = (
        count(position.side_to_move()),
        count(position.side_to_move().flip()),
    );
    attacker.min(defender) >= FULL_HAND_PIECES || attacker >= 2 * FULL_HAND_PIECES
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_ends() {
        let budget = Budget::new(1_000);
        assert_eq!(
            [budget.take(5, 100), budget.take(9, 100), budget.take(1, 100)],
            [5, 5, 0]
        );
    }

    #[test]
    fn a_node_takes_more_work_where_the_hands_are_full() {
        let work = |sfen: &str| node_work(&Position::from_sfen(sfen).unwrap());
        assert_eq!(
            work("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"),
            MIN_NODE_WORK
        );
        // Black has the checks G*5b, G*4a, G*4b, G*6a and G*6b, and White 16 answers.
        assert_eq!(work("4k4/9/9/9/9/9/9/9/4K4 b G 1"), MIN_NODE_WORK);
        let full = work("4k4/9/9/9/9/9/9/9/4K4 b RB2G2S2N2L9Prb2g2s2n2l9p 1");
        assert!(full > 500 * WIDE_FACTOR, "{full}");
        let of_one_side = work("4k4/9/9/9/9/9/9/9/4K4 b 2R2B4G4S4N4L18P 1");
        assert!(of_one_side > 150 * WIDE_FACTOR, "{of_one_side}");
        let closed = work("lnsgk1snl/9/9/9/9/9/9/9/LNSGK1SNL b RBG9Prbg9p 1");
        assert!(closed >= MIN_NODE_WORK * WIDE_FACTOR, "{closed}");
    }
}
