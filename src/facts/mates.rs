//! Mates, threats of mate, and the moves that meet them, found by the built-in solver within a number of nodes.

use crate::budget::{Budget, node_work};
use crate::fact::{Fact, FactKind, FactPosition};
use shogibar_builtin::{Control, MateResult, mates_within, solve_within};
use shogibar_shogi::{Move, PieceKind, Position, Square};

/// The share of its nodes in which a search is tried first, and second. Most searches end in the first try, so that the
/// budget counts about what they need.
const FIRST_SHARES: [u64; 2] = [64, 8];

/// The number of nodes of the search for a shorter mate that take the work of one node of the proof. They have one
/// list of moves, not one for each move.
const LINE_NODE_SHARE: u64 = 8;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Solver<'a> {
    /// The maximum number of nodes of one search.
    pub(crate) nodes: u64,
    /// The work that all searches may do together. Without it, nothing more is proved.
    pub(crate) budget: &'a Budget,
    /// The control that can stop all searches.
    pub(crate) control: &'a Control,
}

/// The result of a search for a mate by the side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum MateState {
    /// The side to move mates by these moves.
    Mate(MatingLine),
    /// It was proved that no sequence of checks mates.
    None,
    /// Nothing was proved.
    Unknown,
}

/// The moves of a mate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MatingLine {
    pub(crate) moves: Vec<Move>,
    /// Whether there is no shorter mate.
    is_shortest: bool,
}

impl MatingLine {
    /// Returns the length of the shortest mate in plies; `None` if a shorter one is not excluded.
    pub(crate) fn length(&self) -> Option<u16> {
        u16::try_from(self.moves.len()).ok().filter(|_| self.is_shortest)
    }
}

/// The legal moves that avoid a mate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Defences {
    /// The opponent mates after every move.
    None,
    /// The opponent mates after every move but this one, after which it was proved that there is no mate.
    One(Move),
    /// Several moves avoid the mate, their number is unknown, or there is no legal move.
    Other,
}

impl Solver<'_> {
    /// Searches a position for a mate by the side to move.
    pub(crate) fn solve(self, position: &Position) -> MateState {
        let node_work = node_work(position);
        match self.decide(position, node_work) {
            Some((true, nodes)) => self.mating_line(position, nodes, node_work),
            Some((false, _)) => MateState::None,
            None => MateState::Unknown,
        }
    }

    /// Returns the moves of a mate that is proved within `nodes` nodes. Searches for a shorter mate as far as the budget
    /// allows.
    fn mating_line(self, position: &Position, nodes: u64, node_work: u64) -> MateState {
        let allowed = self.budget.take(self.nodes / LINE_NODE_SHARE, node_work) * LINE_NODE_SHARE;
        match solve_within(position, allowed.max(nodes), self.control) {
            Ok(MateResult::Mate { moves, is_shortest }) if is_mating_line(position, &moves) => {
                MateState::Mate(MatingLine { moves, is_shortest })
            }
            _ => MateState::Unknown,
        }
    }

    /// Returns whether the side to move mates by checks; `None` if nothing was proved.
    pub(crate) fn mates(self, position: &Position) -> Option<bool> {
        self.decide(position, node_work(position)).map(|(mates, _)| mates)
    }

    /// Returns whether the side to move mates by checks, and a number of nodes that proves it. `None` if nothing was
    /// proved.
    fn decide(self, position: &Position, node_work: u64) -> Option<(bool, u64)> {
        position.searchable().ok()?;
        for nodes in FIRST_SHARES
            .map(|share| self.nodes / share)
            .into_iter()
            .chain([self.nodes])
        {
            let allowed = self.budget.take(nodes, node_work);
            if allowed > 0
                && let Some(mates) = mates_within(position, allowed, self.control).ok()?
            {
                return Some((mates, allowed));
            }
            if allowed < nodes {
                return None;
            }
        }
        None
    }

    /// Returns whether the opponent of the side to move mates by checks if that side passes; `None` in check, and if
    /// nothing was proved.
    pub(crate) fn mates_after_pass(self, position: &Position) -> Option<bool> {
        self.mates(&passed(position)?)
    }

    /// Searches for a mate by the opponent after the side to move has passed. In check nothing is proved.
    pub(crate) fn solve_after_pass(self, position: &Position) -> MateState {
        passed(position).map_or(MateState::Unknown, |passed| self.solve(&passed))
    }

    /// Returns the fact that the side to move mates; `None` if no mate was found.
    pub(crate) fn mate(self, position: &Position) -> Option<Fact> {
        let MateState::Mate(line) = self.solve(position) else {
            return None;
        };
        Some(Fact {
            kind: FactKind::Mate {
                length: line.length(),
            },
            side: position.side_to_move(),
            at: FactPosition::After,
            lead: 0,
            line: line.moves,
        })
    }

    /// Returns the fact of a threat of mate against the side to move; `None` if no threat was found.
    pub(crate) fn threat(self, position: &Position) -> Option<Fact> {
        let MateState::Mate(line) = self.solve_after_pass(position) else {
            return None;
        };
        let kind = FactKind::ThreatOfMate {
            length: line.length(),
        };
        Some(Fact {
            kind,
            side: position.side_to_move(),
            at: FactPosition::After,
            lead: 0,
            line: line.moves,
        })
    }

    /// Returns the fact of a brinkmate of the side to move; `None` in check, and if none was proved. The search after
    /// each of its moves uses `move_nodes`.
    pub(crate) fn brinkmate(self, position: &Position, move_nodes: u64) -> Option<Fact> {
        let MateState::Mate(line) = self.solve_after_pass(position) else {
            return None;
        };
        let side = position.side_to_move();
        self.is_brinkmate(position, &line, move_nodes).then_some(Fact {
            kind: FactKind::Brinkmate,
            side,
            at: FactPosition::After,
            lead: 0,
            line: line.moves,
        })
    }

    /// Returns whether it was proved that the side to move has no mate by checks, and cannot avoid the mate `threat` that
    /// follows a pass. The search after each of its moves uses `move_nodes`.
    pub(crate) fn is_brinkmate(self, position: &Position, threat: &MatingLine, move_nodes: u64) -> bool {
        self.mates(position) == Some(false)
            && Self {
                nodes: move_nodes,
                ..self
            }
            .defences(position, &threat.moves)
                == Defences::None
    }

    /// Returns the only move after which the side to move is not mated. `threat` is the line that mates after a pass;
    /// empty in check.
    pub(crate) fn only_defence(self, position: &Position, threat: &[Move]) -> Option<Move> {
        match self.defences(position, threat) {
            Defences::One(mv) => Some(mv),
            Defences::None | Defences::Other => None,
        }
    }

    /// Returns the moves of the side to move that avoid a mate. `threat` is the line that mates after a pass; empty in
    /// check.
    fn defences(self, position: &Position, threat: &[Move]) -> Defences {
        let mut moves = position.legal_moves();
        if moves.is_empty() {
            return Defences::Other;
        }
        moves.sort_by_key(|mv| std::cmp::Reverse(defence_priority(position, *mv, threat)));
        let mut only = None;
        for mv in moves {
            let mut next = position.clone();
            if next.play(mv).is_err() {
                return Defences::Other;
            }
            match self.mates(&next) {
                Some(true) => {}
                Some(false) if only.is_none() => only = Some(mv),
                Some(false) | None => return Defences::Other,
            }
        }
        only.map_or(Defences::None, Defences::One)
    }
}

/// Returns the position after the side to move has passed; `None` in check.
fn passed(position: &Position) -> Option<Position> {
    (!position.in_check()).then(|| position.with_side_to_move(position.side_to_move().flip()))
}

/// Returns the priority with which a move is tried against the threat. Likelier defences have a higher priority.
fn defence_priority(position: &Position, mv: Move, threat: &[Move]) -> u8 {
    let is_king = mv
        .from()
        .and_then(|from| position.piece_on(from))
        .is_some_and(|piece| piece.kind == PieceKind::King);
    let meets = |square: Square| {
        threat
            .iter()
            .take(3)
            .any(|mv| mv.to() == square || mv.from() == Some(square))
    };
    let takes = position.piece_on(mv.to()).is_some();
    u8::from(meets(mv.to())) * 4 + u8::from(is_king) * 3 + u8::from(takes) * 2 + u8::from(mv.from().is_some())
}

fn is_mating_line(position: &Position, line: &[Move]) -> bool {
    let mut now = position.without_history();
    for (nth, mv) in line.iter().enumerate() {
        if now.play(*mv).is_err() || (nth % 2 == 0 && !now.in_check()) {
            return false;
        }
    }
    line.len() % 2 == 1 && now.is_mate()
}

#[cfg(test)]
mod tests {
    use super::*;
    use shogibar_shogi::Color;

    fn at(sfen: &str) -> Position {
        Position::from_sfen(sfen).unwrap()
    }

    fn solver<'a>(control: &'a Control, budget: &'a Budget) -> Solver<'a> {
        Solver {
            nodes: 2_000,
            budget,
            control,
        }
    }

    #[test]
    fn finds_mates_and_threats() {
        let (control, budget) = (Control::new(None), Budget::new(u64::MAX));
        let solver = solver(&control, &budget);
        let mate = solver.mate(&at("4k4/9/4P4/9/9/9/9/9/4K4 b G 1")).unwrap();
        assert_eq!(
            (mate.kind, mate.side),
            (FactKind::Mate { length: Some(1) }, Color::Black)
        );
        let position = at("4k4/9/4P4/9/9/9/9/9/4K4 w G 1");
        let threat = solver.threat(&position).unwrap();
        assert_eq!(
            (threat.kind, threat.side),
            (FactKind::ThreatOfMate { length: Some(1) }, Color::White)
        );
        assert!(
            solver.brinkmate(&position, 2_000).is_none(),
            "the king moves away"
        );
        assert!(
            solver.threat(&at("4k4/4P4/9/9/9/9/9/9/4K4 w G 1")).is_none(),
            "in check"
        );
    }

    #[test]
    fn finds_a_brinkmate() {
        let (control, budget) = (Control::new(None), Budget::new(u64::MAX));
        // The king in the corner has no piece to defend with. The gold drops on 1b or 2b wherever it goes.
        let position = at("8k/9/6S1G/9/9/9/9/9/4K4 w G 1");
        let found = solver(&control, &budget).brinkmate(&position, 2_000);
        assert!(found.is_some());
        assert!(
            solver(&control, &budget)
                .brinkmate(&at("8k/9/6S1G/9/9/9/9/4r4/4K4 w Gr 1"), 2_000)
                .is_none(),
            "not searchable"
        );
    }

    #[test]
    fn finds_the_only_defence() {
        let (control, budget) = (Control::new(None), Budget::new(u64::MAX));
        let position = at("7nk/9/7P1/9/9/9/9/9/4K4 w G 1");
        let threat = solver(&control, &budget).threat(&position);
        let line = threat.map(|fact| fact.line).unwrap_or_default();
        let only = solver(&control, &budget).only_defence(&position, &line);
        for mv in position.legal_moves() {
            let mut next = position.clone();
            next.play(mv).unwrap();
            let is_mated = matches!(solver(&control, &budget).solve(&next), MateState::Mate(_));
            assert!(only.is_none() || is_mated != (only == Some(mv)), "{mv}");
        }
    }

    #[test]
    fn proves_the_same_as_far_as_the_budget_goes() {
        let control = Control::new(None);
        let position = at("7nk/9/6S2/7P1/9/9/9/9/4K4 b GSr2b3g2s3n4l17p 1");
        let unlimited = Budget::new(u64::MAX);
        let MateState::Mate(line) = solver(&control, &unlimited).solve(&position) else {
            panic!("no mate")
        };
        for moves in [0, 100, 1_000, 10_000, 100_000, 1_000_000] {
            let budget = Budget::new(moves);
            match solver(&control, &budget).solve(&position) {
                MateState::Mate(found) => {
                    assert!(is_mating_line(&position, &found.moves) && found.moves.len() >= line.moves.len());
                }
                other => assert_eq!(other, MateState::Unknown, "{moves}"),
            }
        }
        let used_up = Budget::new(10);
        assert_eq!(solver(&control, &used_up).mates(&position), None);
    }
}
