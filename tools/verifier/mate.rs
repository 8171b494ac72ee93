//! A search for mates by checks only, against all defences.
//!
//! The search is a proof-number search (df-pn). Its positions include the number of remaining plies, so there are no
//! cycles. "No mate" means none within these plies.

use crate::board::{Board, Hand};
use shogibar_shogi::Color;
use std::collections::HashMap;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MateResult {
    /// The attacker mates within the plies, against every defence.
    Mates,
    /// The attacker does not mate within the plies.
    Escapes,
    /// The nodes were spent before either was proved.
    Unknown,
}

/// The estimated efforts to prove that the side to move wins, and that it loses. An effort of 0 is a proof.
#[derive(Clone, Copy, Debug)]
struct Efforts {
    win: u32,
    loss: u32,
}

/// The effort of a result that is refuted.
const INFINITE: u32 = 1 << 30;
const WON: Efforts = Efforts {
    win: 0,
    loss: INFINITE,
};
const LOST: Efforts = Efforts {
    win: INFINITE,
    loss: 0,
};

/// A result that was proved for a board. A mate also holds with more pieces in the attacker's hand, no mate also with
/// fewer.
#[derive(Clone, Copy, Debug)]
struct Proof {
    /// The attacker's hand.
    hand: Hand,
    /// The remaining plies.
    plies: u16,
    is_mate: bool,
}

/// A position of the search with the remaining plies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Node {
    key: u64,
    hand: Hand,
    plies: u16,
}

/// A search by one attacker. Its proofs are reused in further searches.
#[derive(Debug)]
pub(crate) struct MateSearch {
    attacker: Color,
    remaining_nodes: u64,
    /// The proofs by the key of the board.
    proofs: HashMap<u64, Vec<Proof>>,
    /// The efforts of positions that are not proved.
    open_efforts: HashMap<Node, Efforts>,
}

impl MateSearch {
    /// Creates a search for the mates of `attacker`.
    pub(crate) fn new(attacker: Color) -> Self {
        Self {
            attacker,
            remaining_nodes: 0,
            proofs: HashMap::new(),
            open_efforts: HashMap::new(),
        }
    }

    /// Searches for a mate within `plies`, counted from this board, with at most `nodes`. Either side may be to move.
    /// All moves of the attacker are checks. A defender to move need not be in check.
    pub(crate) fn search(&mut self, board: &Board, plies: u16, nodes: u64) -> MateResult {
        self.remaining_nodes = nodes;
        let attacks = board.side() == self.attacker;
        let efforts = self.expand(
            board,
            plies,
            Efforts {
                win: INFINITE,
                loss: INFINITE,
            },
        );
        match efforts {
            Efforts { win: 0, .. } => Self::result(attacks),
            Efforts { loss: 0, .. } => Self::result(!attacks),
            Efforts { .. } => MateResult::Unknown,
        }
    }

    const fn result(is_mate: bool) -> MateResult {
        if is_mate {
            MateResult::Mates
        } else {
            MateResult::Escapes
        }
    }

    /// Searches below a board until an effort reaches its limit, or the nodes are spent. Stores and returns the efforts
    /// of the board.
    fn expand(&mut self, board: &Board, plies: u16, limits: Efforts) -> Efforts {
        let moves = if board.side() == self.attacker {
            board.checks()
        } else {
            board.legal_moves()
        };
        if moves.is_empty() {
            // An attacker without a check and a defender without a move have lost, in check or not.
            return self.store(board, u16::MAX, LOST);
        }
        if plies == 0 {
            return self.store(board, 0, if board.side() == self.attacker { LOST } else { WON });
        }
        let children: Vec<Board> = moves.into_iter().map(|mv| board.after(mv)).collect();
        loop {
            let mut best = None;
            let mut min_losses = [INFINITE; 2];
            let mut efforts = Efforts {
                win: INFINITE,
                loss: 0,
            };
            for child in &children {
                let found = self.look_up(child, plies - 1);
                efforts.loss = (efforts.loss + found.win).min(INFINITE);
                if found.loss < min_losses[0] || best.is_none() {
                    min_losses = [found.loss, min_losses[0]];
                    best = Some((child, found));
                } else if found.loss < min_losses[1] {
                    min_losses[1] = found.loss;
                }
                efforts.win = min_losses[0];
            }
            // A large sum of efforts is not a proof, so it stays below `INFINITE`.
            efforts.loss = if efforts.win == 0 {
                INFINITE
            } else {
                efforts.loss.min(INFINITE - 1)
            };
            let Some((child, found)) = best else { return LOST };
            if efforts.win >= limits.win || efforts.loss >= limits.loss || self.remaining_nodes == 0 {
                return self.store(board, plies, efforts);
            }
            self.remaining_nodes -= 1;
            let below = Efforts {
                win: if limits.loss == INFINITE {
                    INFINITE
                } else {
                    limits.loss - efforts.loss + found.win
                },
                loss: limits.win.min(min_losses[1].saturating_add(1)),
            };
            let _stored = self.expand(child, plies - 1, below);
        }
    }

    /// Returns the efforts of a board, from a proof or an earlier visit.
    fn look_up(&self, board: &Board, plies: u16) -> Efforts {
        let hand = board.hand(self.attacker);
        let attacks = board.side() == self.attacker;
        for proof in self.proofs.get(&board.key()).map_or(&[][..], Vec::as_slice) {
            let holds = if proof.is_mate {
                proof.plies <= plies && is_within(proof.hand, hand)
            } else {
                proof.plies >= plies && is_within(hand, proof.hand)
            };
            if holds {
                return if proof.is_mate == attacks { WON } else { LOST };
            }
        }
        let node = Node {
            key: board.key(),
            hand,
            plies,
        };
        self.open_efforts
            .get(&node)
            .copied()
            .unwrap_or(Efforts { win: 1, loss: 1 })
    }

    /// Stores the efforts of a board, and returns them. `plies` are the remaining plies, or [`u16::MAX`] for a result
    /// that holds with any number of plies.
    fn store(&mut self, board: &Board, plies: u16, efforts: Efforts) -> Efforts {
        let hand = board.hand(self.attacker);
        let attacks = board.side() == self.attacker;
        let is_mate = match efforts {
            Efforts { win: 0, .. } => attacks,
            Efforts { loss: 0, .. } => !attacks,
            Efforts { .. } => {
                self.open_efforts.insert(
                    Node {
                        key: board.key(),
                        hand,
                        plies,
                    },
                    efforts,
                );
                return efforts;
            }
        };
        let plies = if is_mate && plies == u16::MAX { 0 } else { plies };
        self.proofs
            .entry(board.key())
            .or_default()
            .push(Proof { hand, plies, is_mate });
        efforts
    }
}

/// Returns whether a hand has no more of any kind than another.
fn is_within(hand: Hand, other: Hand) -> bool {
    hand.into_iter().zip(other).all(|(count, other)| count <= other)
}

#[cfg(test)]
mod tests {
    use super::*;
    use shogibar_base::random::SplitMix;
    use shogibar_shogi::Position;

    fn board(sfen: &str) -> Board {
        Board::new(&Position::from_sfen(sfen).expect("an SFEN"))
    }

    fn search(sfen: &str, plies: u16) -> MateResult {
        let board = board(sfen);
        MateSearch::new(board.side()).search(&board, plies, 100_000)
    }

    #[test]
    fn finds_the_length_of_known_mates() {
        let check = |sfen: &str, length: u16| {
            assert_eq!(search(sfen, length), MateResult::Mates, "{sfen} within {length}");
            let shorter = length.saturating_sub(2);
            assert_eq!(
                search(sfen, shorter),
                MateResult::Escapes,
                "{sfen} within {shorter}"
            );
        };
        check("4k4/9/4P4/9/9/9/9/9/4K4 b G 1", 1);
        check("8k/9/7+P1/9/9/9/9/9/K8 b RG 1", 1);
        check("9/6k2/9/6G2/9/9/9/9/K8 b GS 1", 3);
        check("9/8k/6R2/9/9/9/9/9/K8 b GN 1", 5);
        check("8k/5GB2/9/5S3/9/9/9/9/K8 b GS 1", 7);
    }

    #[test]
    fn needs_checks_throughout() {
        assert_eq!(search("4k4/9/9/9/9/9/9/9/4K4 b RG 1", 9), MateResult::Escapes);
        assert_eq!(
            search("8k/9/9/9/9/9/9/9/K8 b - 1", 9),
            MateResult::Escapes,
            "no check at all"
        );
    }

    #[test]
    fn says_when_the_nodes_are_spent() {
        let board = board("4k4/9/9/9/9/9/9/9/4K4 b 2R2B4G4S 1");
        assert_eq!(
            MateSearch::new(Color::Black).search(&board, 31, 20),
            MateResult::Unknown
        );
    }

    /// Returns whether the attacker can mate within `plies`, by trying every line.
    fn mates(board: &Board, attacker: Color, plies: u16) -> bool {
        if board.side() == attacker {
            plies > 0
                && board
                    .checks()
                    .into_iter()
                    .any(|mv| mates(&board.after(mv), attacker, plies - 1))
        } else {
            let moves = board.legal_moves();
            moves.is_empty()
                || plies > 0
                    && moves
                        .into_iter()
                        .all(|mv| mates(&board.after(mv), attacker, plies - 1))
        }
    }

    #[test]
    fn agrees_with_a_search_of_every_line() {
        let mut found = [0; 6];
        for seed in 0..400 {
            let mut random = SplitMix(seed);
            let mut board = Board::new(&Position::startpos());
            for _ in 0..160 {
                let moves = [board.captures(None), board.legal_moves()];
                let pool = if moves[0].is_empty() || random.below(3) > 0 {
                    &moves[1]
                } else {
                    &moves[0]
                };
                if pool.is_empty() {
                    break;
                }
                board = board.after(pool[random.below(pool.len())]);
            }
            for plies in if seed < 100 { &[1, 3, 5][..] } else { &[1, 3] }.iter().copied() {
                let expected = if mates(&board, board.side(), plies) {
                    MateResult::Mates
                } else {
                    MateResult::Escapes
                };
                let result = MateSearch::new(board.side()).search(&board, plies, 1_000_000);
                assert_eq!(result, expected, "{plies} plies: {board:?}");
                found[usize::from(plies)] += usize::from(result == MateResult::Mates);
            }
        }
        assert!(found[1] > 5 && found[3] > found[1], "{found:?}");
    }
}
