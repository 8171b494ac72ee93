//! The search for a mate by checks only, for `go mate`.
//!
//! Proof numbers decide whether there is a mate (df-pn; Nagai and Imai 2002). The thresholds are those of Pawlewicz and
//! Lew (2007). A search by depth then looks for a shorter mate.

mod shortest;

use super::limits::Control;
use super::think::board as rules_board;
use rsshogi::board::{self, Move32List};
use rsshogi::movegen::{generate_checks_all_move32, generate_evasions_all_move32};
use rsshogi::types::{Move32, PieceType};
use shogibar_shogi::{History, Move, Position, Unsearchable, from_move32};
use std::collections::HashMap;

/// The result of a mate search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MateResult {
    /// The side to move mates.
    Mate {
        /// The moves, with the longest defence.
        moves: Vec<Move>,
        /// Whether it was proved that there is no shorter mate.
        is_shortest: bool,
    },
    /// No sequence of checks leads to a mate.
    None,
    /// The search ended without a result.
    Unknown,
}

/// The maximum number of plies that are searched.
const MAX_PLIES: usize = 400;

/// The maximum number of stored positions: some 100 MB.
const MAX_STORED_POSITIONS: usize = 2_000_000;

/// The number of nodes between two checks of the clock.
const CLOCK_STRIDE: u64 = 256;

/// The proof number of a side that cannot reach its goal, in a decided position.
const INFINITE_PROOF_NUMBER: u32 = 1 << 30;

/// The proof numbers of a position. A proof number is the minimum number of open positions that have to be decided for
/// a side, so that the side reaches its goal. The attacker wants a mate, the defender none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct ProofNumbers {
    mover: u32,
    opponent: u32,
}

impl ProofNumbers {
    /// The numbers of a position where the side to move reaches its goal.
    const WON: Self = Self {
        mover: 0,
        opponent: INFINITE_PROOF_NUMBER,
    };
    /// The limit of a search that ends only when the position is decided.
    const UNLIMITED: Self = Self {
        mover: INFINITE_PROOF_NUMBER,
        opponent: INFINITE_PROOF_NUMBER,
    };
    /// The numbers of a position where the opponent reaches its goal.
    const LOST: Self = Self {
        mover: INFINITE_PROOF_NUMBER,
        opponent: 0,
    };

    /// Returns whether it is open which side reaches its goal.
    const fn is_open(self) -> bool {
        self.mover > 0 && self.opponent > 0
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Attacker,
    Defender,
}

impl Side {
    const fn other(self) -> Self {
        match self {
            Self::Attacker => Self::Defender,
            Self::Defender => Self::Attacker,
        }
    }

    const fn with_mate(self) -> ProofNumbers {
        match self {
            Self::Attacker => ProofNumbers::WON,
            Self::Defender => ProofNumbers::LOST,
        }
    }

    const fn without_mate(self) -> ProofNumbers {
        self.other().with_mate()
    }
}

/// A move of the mate search, with the position after it.
struct Child {
    mv: Move32,
    /// The key of the position after the move.
    key: u64,
    /// The proof numbers of the position after the move, before it is searched.
    initial_numbers: ProofNumbers,
}

/// A mate search of one position.
struct Solver<'a> {
    position: board::Position,
    control: &'a Control,
    /// Returns the milliseconds since the search began.
    clock: &'a dyn Fn() -> u64,
    /// The number of nodes searched so far.
    nodes: u64,
    /// The maximum number of nodes.
    max_nodes: u64,
    /// Whether the search has to end: it was stopped or has reached a limit.
    is_over: bool,
    /// The side of the mover and the proof numbers of each searched position, by its key.
    results: HashMap<u64, (Side, ProofNumbers)>,
    /// The keys of the positions above the current one, and of the current one.
    path: Vec<u64>,
    /// Whether a repetition has counted as no mate. The result of such a position is valid for the current path only.
    has_repeated: bool,
    /// Whether the maximum number of plies was reached.
    was_too_long: bool,
    proved_count: u64,
}

/// Searches for a mate in the last position of `history` until it is decided or `control` stops it. The side to move
/// may have no king. `clock` returns the milliseconds since the search began.
///
/// # Errors
/// Fails if the position is not [searchable](shogibar_shogi::Position::searchable_for_mate).
pub fn solve(
    history: &History,
    control: &Control,
    clock: &dyn Fn() -> u64,
) -> Result<MateResult, Unsearchable> {
    history.now().searchable_for_mate()?;
    let mut solver = Solver::new(history.now(), control, clock);
    Ok(match solver.decide() {
        Some(true) => solver.mate_result(),
        Some(false) => MateResult::None,
        None => MateResult::Unknown,
    })
}

/// Searches for a mate as [`solve`] does, in at most `nodes` nodes. The search for a shorter mate has the same number
/// again. The result is the same on every machine.
///
/// # Errors
/// Fails if the position is not [searchable](shogibar_shogi::Position::searchable_for_mate).
pub fn solve_within(position: &Position, nodes: u64, control: &Control) -> Result<MateResult, Unsearchable> {
    position.searchable_for_mate()?;
    let mut solver = Solver::new(position, control, &|| 0);
    solver.max_nodes = nodes;
    let Some(is_mate) = solver.decide() else {
        return Ok(MateResult::Unknown);
    };
    if !is_mate {
        return Ok(MateResult::None);
    }
    solver.max_nodes = solver.nodes + nodes;
    solver.is_over = control.is_stopped();
    Ok(solver.mate_result())
}

/// Returns whether there is a mate, as [`solve`] finds it, in at most `nodes` nodes; `None` if undecided. The result is
/// the same on every machine.
///
/// # Errors
/// Fails if the position is not [searchable](shogibar_shogi::Position::searchable_for_mate).
pub fn mates_within(
    position: &Position,
    nodes: u64,
    control: &Control,
) -> Result<Option<bool>, Unsearchable> {
    position.searchable_for_mate()?;
    let mut solver = Solver::new(position, control, &|| 0);
    solver.max_nodes = nodes;
    Ok(solver.decide())
}

impl<'a> Solver<'a> {
    fn new(position: &Position, control: &'a Control, clock: &'a dyn Fn() -> u64) -> Self {
        Self {
            position: rules_board(position),
            control,
            clock,
            nodes: 0,
            max_nodes: u64::MAX,
            is_over: false,
            results: HashMap::new(),
            path: Vec::new(),
            has_repeated: false,
            was_too_long: false,
            proved_count: 0,
        }
    }

    /// Returns the mate of the current position, which is proved.
    fn mate_result(&mut self) -> MateResult {
        let (moves, is_shortest) = self.shortest_line();
        MateResult::Mate {
            moves: moves.into_iter().filter_map(from_move32).collect(),
            is_shortest,
        }
    }

    /// Returns whether there is a mate; `None` where the search ended before this was known.
    fn decide(&mut self) -> Option<bool> {
        loop {
            (self.has_repeated, self.proved_count) = (false, 0);
            let found = self.search(Side::Attacker, ProofNumbers::UNLIMITED);
            if found.is_open() || self.is_over || self.was_too_long {
                return (found == ProofNumbers::WON).then_some(true);
            }
            // If nothing was proved, no repetition can hide a mate, so the result is final.
            if found == ProofNumbers::WON || !self.has_repeated || self.proved_count == 0 {
                return Some(found == ProofNumbers::WON);
            }
            self.results
                .retain(|_, (side, numbers)| *numbers == side.with_mate());
        }
    }

    /// Searches the current position until one of its proof numbers reaches a limit. Stores and returns these numbers.
    fn search(&mut self, side: Side, limit: ProofNumbers) -> ProofNumbers {
        self.count_node();
        let key = self.key();
        let children = self.children(side);
        self.path.push(key);
        let found = loop {
            let (found, best, second) = self.sum_up(side, &children);
            let is_done = found.mover >= limit.mover || found.opponent >= limit.opponent || !found.is_open();
            if is_done || self.is_over {
                break found;
            }
            let Some((mv, numbers)) = best else {
                break found;
            };
            let child_limit = ProofNumbers {
                mover: (limit.opponent + numbers.mover)
                    .saturating_sub(found.opponent)
                    .min(INFINITE_PROOF_NUMBER),
                // The search leaves a child once it is a quarter worse than the second best.
                opponent: limit.mover.min(second + second / 4 + 1),
            };
            self.play(side, mv);
            self.search(side.other(), child_limit);
            self.undo(mv);
        };
        self.path.pop();
        self.store(side, key, found);
        found
    }

    /// Counts a node, and ends the search at a limit or on a request.
    fn count_node(&mut self) {
        self.nodes += 1;
        self.is_over |= self.control.is_stopped()
            || self.nodes >= self.max_nodes
            || (self.nodes.is_multiple_of(CLOCK_STRIDE) && self.control.is_past_deadline((self.clock)()));
    }

    /// Returns the proof numbers of a position, computed from its children. Also returns the child to search next with
    /// its proof numbers, and the opponent's proof number in the second best child.
    fn sum_up(
        &mut self,
        side: Side,
        children: &[Child],
    ) -> (ProofNumbers, Option<(Move32, ProofNumbers)>, u32) {
        let (mut found, mut best, mut second) = (ProofNumbers::LOST, None, INFINITE_PROOF_NUMBER);
        for child in children {
            let numbers = self.child_numbers(side.other(), child);
            found.opponent = (found.opponent + numbers.mover).min(INFINITE_PROOF_NUMBER);
            if numbers.opponent < found.mover {
                (second, found.mover, best) = (found.mover, numbers.opponent, Some((child.mv, numbers)));
            } else {
                second = second.min(numbers.opponent);
            }
        }
        if found.mover == 0 {
            found = ProofNumbers::WON;
        }
        (found, best, second)
    }

    /// Returns the proof numbers of a child. A repetition, or a line that is too long, counts as no mate.
    fn child_numbers(&mut self, side: Side, child: &Child) -> ProofNumbers {
        let numbers = self
            .results
            .get(&child.key)
            .map_or(child.initial_numbers, |(_, numbers)| *numbers);
        if numbers == side.with_mate() {
            return numbers;
        }
        // A perpetual check loses for the side that gives it.
        let is_repeated = self.path.contains(&child.key);
        self.has_repeated |= is_repeated;
        let is_too_long = numbers.is_open() && self.path.len() >= MAX_PLIES;
        self.was_too_long |= is_too_long;
        if is_repeated || is_too_long {
            side.without_mate()
        } else {
            numbers
        }
    }

    fn store(&mut self, side: Side, key: u64, found: ProofNumbers) {
        if self.results.len() >= MAX_STORED_POSITIONS {
            self.results.retain(|_, (_, numbers)| !numbers.is_open());
            // The decided positions alone fill the table.
            self.is_over |= self.results.len() >= MAX_STORED_POSITIONS / 2;
        }
        let before = self.results.insert(key, (side, found));
        let is_mate = found == side.with_mate();
        self.proved_count += u64::from(is_mate && before.is_none_or(|(_, before)| before != found));
    }

    /// Returns the children of the current position. Not inlined: the list of moves is large, and the search recursive.
    #[inline(never)]
    fn children(&mut self, side: Side) -> Vec<Child> {
        let moves = self.moves(side);
        let mut children = Vec::with_capacity(moves.len());
        for &mv in &moves {
            self.play(side, mv);
            let initial_numbers = match u32::try_from(self.moves(side.other()).len()) {
                Ok(0) => ProofNumbers::LOST,
                count => ProofNumbers {
                    mover: 1,
                    opponent: count.unwrap_or(INFINITE_PROOF_NUMBER),
                },
            };
            children.push(Child {
                mv,
                key: self.key(),
                initial_numbers,
            });
            self.undo(mv);
        }
        children
    }

    /// Returns the attacker's checks, or the defender's answers to a check.
    fn moves(&self, side: Side) -> Move32List {
        let mut list = Move32List::new();
        let is_in_check = self.position.is_in_check();
        if is_in_check {
            generate_evasions_all_move32(&self.position, &mut list);
        } else if side == Side::Attacker {
            generate_checks_all_move32(&self.position, &mut list);
        }
        list.retain(|mv| self.is_legal(*mv));
        if is_in_check && side == Side::Attacker {
            // A defender's move may answer a check and give check. The attacker's replies also have to be checks.
            list.retain(|mv| self.position.gives_check_move32(*mv));
        }
        list
    }

    /// Returns whether a generated move is legal. The generators test all but pins, the squares of kings, and mates by
    /// a dropped pawn.
    fn is_legal(&self, mv: Move32) -> bool {
        match mv.dropped_piece() {
            Some(PieceType::PAWN) => self.position.is_legal_move32(mv),
            Some(_) => true,
            None => self.position.is_legal_after_pseudo_move32(mv),
        }
    }

    fn key(&self) -> u64 {
        self.position.key().low_u64()
    }

    fn play(&mut self, side: Side, mv: Move32) {
        let is_check = side == Side::Attacker || self.position.gives_check_move32(mv);
        self.position.apply_move32_with_gives_check(mv, is_check);
    }

    fn undo(&mut self, mv: Move32) {
        let undone = self.position.undo_move32(mv);
        debug_assert!(undone.is_ok(), "every move that is undone was played");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shogibar_base::random::SplitMix;
    use shogibar_shogi::{Color, Piece, PieceKind, Setup, Square};
    use std::cell::Cell;

    /// Returns the result within ten thousand nodes.
    fn solved(history: &History) -> MateResult {
        let readings = Cell::new(0);
        let clock = || readings.replace(readings.get() + 1);
        solve(history, &Control::new(Some(40)), &clock).unwrap()
    }

    fn check_line(mut history: History, moves: &[Move]) {
        for (nth, mv) in moves.iter().enumerate() {
            history.play(*mv).unwrap();
            assert!(
                nth % 2 == 1 || history.now().in_check(),
                "{mv} gives no check: {}",
                history.usi()
            );
        }
        assert!(history.now().is_mate(), "{}", history.usi());
    }

    /// Returns a random position: a king near the edge, defenders and attackers around it, and pieces in hand. The
    /// attacker has no king. Returns `None` for a position that is not searchable.
    fn problem(random: &mut SplitMix) -> Option<History> {
        let mut board = [["1"; 9]; 9];
        board[random.below(2)][random.below(9)] = "k";
        let pieces = [
            "p", "l", "n", "s", "g", "+p", "P", "N", "S", "G", "B", "R", "+R", "+B", "+P", "L",
        ];
        for _ in 0..4 + random.below(8) {
            let square = &mut board[random.below(4)][random.below(9)];
            if *square == "1" {
                *square = pieces[random.below(pieces.len())];
            }
        }
        let board = board.map(|rank| rank.concat()).join("/");
        let hand = ["G", "S", "GS", "R", "2G", "BN", "RS", "P"][random.below(8)];
        let position = Position::from_sfen(&format!("{board} b {hand}gsn5p 1")).ok()?;
        position.searchable_for_mate().ok()?;
        Some(History::new(position))
    }

    #[test]
    fn agrees_with_a_search_of_all_checks() {
        let (mut random, mut mates) = (SplitMix(3), [0; 6]);
        for _ in 0..400 {
            let Some(history) = problem(&mut random) else {
                continue;
            };
            let control = Control::new(None);
            let mut all = Solver::new(history.now(), &control, &|| 0);
            let shortest = [1, 3, 5].into_iter().find(|plies| all.is_mate_within(*plies));
            match (shortest, solved(&history)) {
                (_, MateResult::Unknown) | (None, MateResult::None) => {}
                (Some(plies), MateResult::Mate { moves, is_shortest }) => {
                    assert!(is_shortest, "{}", history.usi());
                    assert_eq!(moves.len(), plies, "{}", history.usi());
                    check_line(history, &moves);
                    mates[plies] += 1;
                }
                (None, MateResult::Mate { moves, .. }) => {
                    assert!(moves.len() > 5, "{}", history.usi());
                    check_line(history, &moves);
                }
                (Some(plies), MateResult::None) => panic!("a mate in {plies}: {}", history.usi()),
            }
        }
        assert!(mates[1] > 10 && mates[3] > 5 && mates[5] > 2, "{mates:?}");
    }

    /// Checks that the solver generates exactly the attacker's legal checks or the defender's legal moves. `plies` is
    /// the number of moves before the position; the moves after up to two are checked too.
    fn check_moves(position: &Position, plies: u32) {
        let control = Control::new(None);
        let solver = Solver::new(position, &control, &|| 0);
        let side = if plies.is_multiple_of(2) {
            Side::Attacker
        } else {
            Side::Defender
        };
        let found: Vec<Move> = solver
            .moves(side)
            .iter()
            .filter_map(|mv| from_move32(*mv))
            .collect();
        for mv in position.legal_moves() {
            let mut next = position.clone();
            next.play(mv).unwrap();
            let is_expected = side == Side::Defender || next.in_check();
            assert_eq!(found.contains(&mv), is_expected, "{mv} {}", position.sfen());
            if is_expected && plies < 2 {
                check_moves(&next, plies + 1);
            }
        }
        let legal = position.legal_moves();
        assert!(
            found.iter().all(|mv| legal.contains(mv)),
            "{found:?} {}",
            position.sfen()
        );
    }

    #[test]
    fn tries_all_legal_checks_and_answers() {
        let mut random = SplitMix(11);
        for _ in 0..80 {
            let (Some(history), king) = (problem(&mut random), random.below(81)) else {
                continue;
            };
            let king = Square::all()
                .nth(king)
                .filter(|square| history.now().piece_on(*square).is_none());
            // With an attacker's king, which may be in check or need a piece as a shield.
            let mut setup = Setup::from_position(history.now());
            if let Some(square) = king {
                setup.put(
                    square,
                    Some(Piece {
                        color: Color::Black,
                        kind: PieceKind::King,
                    }),
                );
            }
            let position = setup.build(Color::Black, 1);
            if position.searchable_for_mate().is_ok() {
                check_moves(&position, 0);
            }
        }
    }

    #[test]
    fn finds_the_same_within_nodes() {
        let (mut random, mut mates) = (SplitMix(5), 0);
        for _ in 0..200 {
            let Some(history) = problem(&mut random) else {
                continue;
            };
            let control = Control::new(None);
            let found = [1, 100, 10_000].map(|nodes| solve_within(history.now(), nodes, &control).unwrap());
            let [_, few, many] = &found;
            assert!(
                *few == MateResult::Unknown || many != &MateResult::Unknown,
                "{}",
                history.usi()
            );
            for moves in found.iter().filter_map(|found| {
                if let MateResult::Mate { moves, .. } = found {
                    Some(moves)
                } else {
                    None
                }
            }) {
                mates += 1;
                check_line(history.clone(), moves);
            }
        }
        assert!(mates > 20, "{mates}");
    }

    #[test]
    fn a_stopped_search_returns_a_line_of_the_proof() {
        let (mut random, mut mates) = (SplitMix(3), 0);
        for _ in 0..200 {
            let Some(history) = problem(&mut random) else {
                continue;
            };
            let control = Control::new(None);
            let mut solver = Solver::new(history.now(), &control, &|| 0);
            solver.max_nodes = 10_000;
            if solver.decide() == Some(true) {
                control.stop();
                let moves: Vec<_> = solver
                    .shortest_line()
                    .0
                    .into_iter()
                    .filter_map(from_move32)
                    .collect();
                check_line(history, &moves);
                mates += 1;
            }
        }
        assert!(mates > 10, "{mates}");
    }

    #[test]
    fn ends_when_it_is_stopped() {
        let control = Control::new(None);
        control.stop();
        let history = History::from_usi("sfen 4k4/9/9/9/9/9/9/9/9 b 2R2B4G4S4N4L18P 1").unwrap();
        assert_eq!(solve(&history, &control, &|| 0).unwrap(), MateResult::Unknown);
    }
}
