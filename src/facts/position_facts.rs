//! The facts of a position.

use crate::budget::Budget;
use crate::candidates::Candidates;
use crate::entering_king::entering_kings;
use crate::fact::{Fact, FactKind, FactPosition};
use crate::last_move::LastMove;
use crate::mates::Solver;
use crate::obvious::is_obvious_move;
use shogibar_builtin::Control;
use shogibar_shogi::{Color, Move, Position};

/// A position and the data about it.
#[derive(Clone, Copy, Debug)]
pub struct PositionInput<'a> {
    /// The position.
    pub position: &'a Position,
    /// The move that led to the position; `None` at the start.
    pub last_move: Option<LastMove<'a>>,
    /// The candidates of an engine for this position; empty if there are none.
    pub candidates: Candidates<'a>,
    /// The side that gave a handicap; `None` in an even game. See [`handicap_giver`](crate::handicap_giver).
    pub handicap_giver: Option<Color>,
}

/// The limits of the searches for facts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FactLimits {
    /// The maximum number of nodes of one search for a mate.
    pub mate_nodes: u64,
    /// The maximum number of nodes of a search for a mate after each of many moves.
    pub move_nodes: u64,
    /// The maximum work of all searches for mates together, in generated moves. What is not proved by then is no fact.
    pub moves: u64,
}

impl FactLimits {
    /// The limits for facts while a position is watched.
    pub const QUICK: Self = Self {
        mate_nodes: 2_000,
        move_nodes: 400,
        moves: 5_000_000,
    };

    /// The limits for the analysis of a game, and for brinkmates.
    pub const THOROUGH: Self = Self {
        mate_nodes: 20_000,
        move_nodes: 4_000,
        moves: 20_000_000,
    };
}

/// Returns the facts of a position except brinkmates, castles and openings. Empty if the position cannot be searched.
/// Facts that were not proved before `control` stopped the searches are left out.
pub fn position_facts(input: &PositionInput<'_>, limits: FactLimits, control: &Control) -> Vec<Fact> {
    if input.position.searchable().is_err() {
        return Vec::new();
    }
    let position = &input.position.without_history();
    let budget = &Budget::new(limits.moves);
    let solver = Solver {
        nodes: limits.mate_nodes,
        budget,
        control,
    };
    let mut facts = Vec::new();
    if position.in_check() {
        let side = position.side_to_move();
        facts.push(Fact {
            kind: FactKind::Check,
            side,
            at: FactPosition::After,
            lead: 0,
            line: Vec::new(),
        });
    }
    facts.extend(solver.mate(position));
    let threat = solver.threat(position);
    let move_solver = Solver {
        nodes: limits.move_nodes,
        budget,
        control,
    };
    let only = only_move(position, threat.as_ref(), input.candidates, move_solver);
    let is_obvious = |fact: &Fact| {
        fact.line
            .iter()
            .any(|mv| is_obvious_move(position, *mv, input.last_move))
    };
    facts.extend(only.filter(|fact| !is_obvious(fact)));
    facts.extend(threat);
    facts.extend(entering_kings(position, input.handicap_giver));
    facts
}

/// Returns the fact that the side to move, which is not in check, cannot avoid a mate (必至). `None` if this is not so,
/// or was not proved before `control` stopped the searches. Slow, because every legal move is tried.
pub fn brinkmate(position: &Position, limits: FactLimits, control: &Control) -> Option<Fact> {
    position.searchable().ok()?;
    let budget = &Budget::new(limits.moves);
    Solver {
        nodes: limits.mate_nodes,
        budget,
        control,
    }
    .brinkmate(&position.without_history(), limits.move_nodes)
}

/// Returns the fact that there is only one good move, by proof or by the values of the candidates.
fn only_move(
    position: &Position,
    threat: Option<&Fact>,
    candidates: Candidates<'_>,
    solver: Solver<'_>,
) -> Option<Fact> {
    let side = position.side_to_move();
    let fact = |mv: Move, holding_count: u8, is_proved| Fact {
        kind: FactKind::OnlyMove {
            holding_count,
            is_proved,
        },
        side,
        at: FactPosition::After,
        lead: 0,
        line: vec![mv],
    };
    let threat_line = threat.map(|fact| fact.line.as_slice());
    if position.in_check() || threat_line.is_some() {
        let only = solver.only_defence(position, threat_line.unwrap_or_default());
        // If the engine's values show no difference, the only defence may lose as well, so it is not stated.
        if let Some(mv) = only {
            let agrees = candidates.list.len() < 2 || candidates.holding_count(side) == Some(1);
            return agrees.then(|| fact(mv, 1, true));
        }
    }
    let are_legal = candidates
        .list
        .iter()
        .all(|candidate| position.is_legal(candidate.mv));
    let mv = candidates.only_move(side).filter(|_| are_legal)?;
    Some(fact(mv, candidates.holding_count(side)?, false))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::candidates::ValuedMove;
    use proptest::prelude::*;
    use shogibar_shogi::any;
    use shogibar_shogi::score::{Value, WinRateModel};

    fn facts(sfen: &str, list: &[ValuedMove]) -> Vec<FactKind> {
        let position = Position::from_sfen(sfen).unwrap();
        let candidates = Candidates {
            list,
            model: WinRateModel::default(),
        };
        let input = PositionInput {
            position: &position,
            last_move: None,
            candidates,
            handicap_giver: None,
        };
        let found = position_facts(&input, FactLimits::QUICK, &Control::new(None));
        found.into_iter().map(|fact| fact.kind).collect()
    }

    #[test]
    fn says_nothing_about_bad_positions() {
        assert_eq!(facts("9/9/9/9/9/9/9/9/9 b - 1", &[]), []);
        assert_eq!(facts("4k4/4G4/9/9/9/9/9/4g4/4K4 b - 1", &[]), []);
        assert_eq!(facts("4k4/9/9/9/9/9/9/9/9 b G 1", &[]), []);
    }

    #[test]
    fn finds_the_facts_of_a_position() {
        assert_eq!(
            facts(
                "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
                &[]
            ),
            []
        );
        assert_eq!(
            facts("4k4/9/4P4/9/9/9/9/9/4K4 b G 1", &[]),
            [FactKind::Mate { length: Some(1) }]
        );
        let found = facts("4k4/9/4P4/9/9/9/9/9/4K4 w G 1", &[]);
        assert_eq!(found, [FactKind::ThreatOfMate { length: Some(1) }]);
        // The king has one free square.
        let found = facts("8k/7r1/8G/8P/9/9/9/9/4K4 w - 1", &[]);
        assert!(found.iter().all(|kind| *kind != FactKind::Check), "{found:?}");
    }

    #[test]
    fn the_only_answer_to_a_check_is_no_only_move() {
        let found = facts("8k/7+P1/9/9/9/9/9/9/4K4 w - 1", &[]);
        assert_eq!(found, [FactKind::Check]);
    }

    #[test]
    fn takes_the_only_move_from_values() {
        let start = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
        let candidate = |usi: &str, cp| ValuedMove {
            mv: Move::from_usi(usi).unwrap(),
            value: Value::Cp(cp),
        };
        let found = facts(start, &[candidate("7g7f", 300), candidate("2g2f", 0)]);
        assert_eq!(
            found,
            [FactKind::OnlyMove {
                holding_count: 1,
                is_proved: false
            }]
        );
        assert_eq!(
            facts(start, &[candidate("7g7f", 300), candidate("2g2f", 290)]),
            []
        );
        assert_eq!(
            facts(start, &[candidate("7g7e", 300), candidate("2g2f", 0)]),
            [],
            "an illegal move"
        );
    }

    proptest! {
        #[test]
        fn never_panics(sfen in any::sfen(0.2)) {
            let Ok(position) = Position::from_sfen(&sfen) else { return Ok(()) };
            let candidates = Candidates { list: &[], model: WinRateModel::default() };
            let input =
                PositionInput { position: &position, last_move: None, candidates, handicap_giver: Some(Color::White) };
            let control = Control::new(None);
            let found = position_facts(&input, FactLimits::QUICK, &control);
            prop_assert!(position.searchable().is_ok() || found.is_empty());
            let _any = brinkmate(&position, FactLimits::QUICK, &control);
        }
    }
}
