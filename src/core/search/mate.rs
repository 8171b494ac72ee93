//! The search for a mate by checks only, for `go mate`.

use super::limits::Control;
use super::think::board;
use crate::shogi::{History, Move, Unsearchable, from_move32};
use rsshogi::board::{Move32List, Position};
use rsshogi::movegen::{generate_checks_all_move32, generate_legal_evasions_all_move32};
use rsshogi::types::Move32;
use std::collections::HashMap;

/// The result of a mate search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MateResult {
    /// The side to move mates: the moves, with the longest defence.
    Mate(Vec<Move>),
    /// No sequence of checks mates.
    None,
    /// The search ended without a result.
    Unknown,
}

/// The proof state of a position below the root.
enum Proof {
    /// The moves to the mate, last one first.
    Mate(Vec<Move32>),
    None,
    /// Undecided within the depth or the time.
    Open,
}

/// The maximum length of a mate, in plies.
const MAX_MATE_PLIES: u8 = 99;

/// The maximum number of stored positions: some 50 MB.
const MAX_REFUTED: usize = 2_000_000;

/// The number of nodes between two checks of the clock.
const CLOCK_STRIDE: u64 = 512;

struct Solver<'a> {
    position: Position,
    control: &'a Control,
    clock: &'a dyn Fn() -> u64,
    nodes: u64,
    /// Positions without a mate within so many plies, `u8::MAX` for none at any depth.
    refuted: HashMap<u64, u8>,
}

/// Searches for a mate in the last position of `history` until it is decided or `control` stops it.
///
/// # Errors
/// When the position is not searchable.
pub fn solve(history: &History, control: &Control, clock: &dyn Fn() -> u64) -> Result<MateResult, Unsearchable> {
    history.now().searchable()?;
    let position = board(history.now());
    let mut solver = Solver { position, control, clock, nodes: 0, refuted: HashMap::new() };
    // The depth grows by one move at a time, so the first mate found is a shortest one.
    for depth in (1..=MAX_MATE_PLIES).step_by(2) {
        match solver.attack(depth) {
            Proof::Mate(moves) => {
                return Ok(MateResult::Mate(moves.into_iter().rev().filter_map(from_move32).collect()));
            }
            Proof::None => return Ok(MateResult::None),
            Proof::Open if solver.is_over() => break,
            Proof::Open => {}
        }
    }
    Ok(MateResult::Unknown)
}

impl Solver<'_> {
    /// Returns whether some check mates within `depth` plies.
    fn attack(&mut self, depth: u8) -> Proof {
        let key = self.position.key().low_u64();
        match self.refuted.get(&key) {
            Some(&u8::MAX) => return Proof::None,
            Some(&refuted) if refuted >= depth => return Proof::Open,
            _ => {}
        }
        let mut list = Move32List::new();
        generate_checks_all_move32(&self.position, &mut list);
        let mut all_refuted = true;
        for &mv in &list {
            if !self.position.is_legal_move32(mv) {
                continue;
            }
            self.position.apply_move32_with_gives_check(mv, true);
            let proof = self.defend(depth - 1);
            self.undo(mv);
            match proof {
                Proof::Mate(mut moves) => {
                    moves.push(mv);
                    return Proof::Mate(moves);
                }
                Proof::None => {}
                Proof::Open => all_refuted = false,
            }
            if self.is_over() {
                return Proof::Open;
            }
        }
        if self.refuted.len() < MAX_REFUTED {
            self.refuted.insert(key, if all_refuted { u8::MAX } else { depth });
        }
        if all_refuted { Proof::None } else { Proof::Open }
    }

    /// Returns whether every answer to the check is mated within `depth` plies.
    fn defend(&mut self, depth: u8) -> Proof {
        self.nodes += 1;
        let mut list = Move32List::new();
        generate_legal_evasions_all_move32(&self.position, &mut list);
        if list.is_empty() {
            return Proof::Mate(Vec::new());
        }
        if depth < 2 {
            return Proof::Open;
        }
        let mut longest = Vec::new();
        for &mv in &list {
            let check = self.position.gives_check_move32(mv);
            self.position.apply_move32_with_gives_check(mv, check);
            let proof = if self.position.is_in_check() { Proof::Open } else { self.attack(depth - 1) };
            self.undo(mv);
            match proof {
                Proof::Mate(mut moves) => {
                    moves.push(mv);
                    if moves.len() > longest.len() {
                        longest = moves;
                    }
                }
                refuted => return refuted,
            }
        }
        Proof::Mate(longest)
    }

    fn is_over(&self) -> bool {
        self.control.is_stopped() || (self.nodes.is_multiple_of(CLOCK_STRIDE) && self.control.is_over((self.clock)()))
    }

    fn undo(&mut self, mv: Move32) {
        let undone = self.position.undo_move32(mv);
        debug_assert!(undone.is_ok(), "every move that is undone was played");
    }
}
