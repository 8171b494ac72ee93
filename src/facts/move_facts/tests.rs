//! Moves of games and their facts.

use super::*;
use crate::material::balance;
use proptest::prelude::*;
use shogibar_shogi::{PieceKind, Square, any};

fn moves(text: &str) -> Vec<Move> {
    text.split_whitespace()
        .map(|mv| Move::from_usi(mv).unwrap())
        .collect()
}

/// The lines of a move: the one played with the engine's line after it, and the better line.
struct Lines<'a> {
    played: &'a str,
    better: &'a str,
}

fn facts(sfen: &str, lines: &Lines<'_>) -> Vec<FactKind> {
    facts_with(sfen, lines, MoveValues::default())
}

fn facts_with(sfen: &str, lines: &Lines<'_>, values: MoveValues) -> Vec<FactKind> {
    whole_facts(sfen, lines, values)
        .into_iter()
        .map(|fact| fact.kind)
        .collect()
}

fn whole_facts(sfen: &str, lines: &Lines<'_>, values: MoveValues) -> Vec<Fact> {
    let (before, played, better) = (
        Position::from_sfen(sfen).unwrap(),
        moves(lines.played),
        moves(lines.better),
    );
    let input = MoveInput {
        position_before: &before,
        played_move: played[0],
        last_move: None,
        reply: None,
        better_line: &better,
        punish_line: &played[1..],
        values,
        model: WinRateModel::default(),
    };
    move_facts(&input, FactLimits::THOROUGH, &Control::new(None))
}

#[test]
fn finds_the_mates_that_the_engine_reads() {
    let mate = |winner, plies| {
        Some(Value::Mate {
            winner,
            plies: Some(plies),
        })
    };
    let values = |before, after| MoveValues {
        before,
        after,
        after_reply: None,
    };
    let (quiet, lines) = (
        "4k4/9/9/9/8r/9/9/1R7/4K4 b - 1",
        Lines {
            played: "5i4i 1e4e",
            better: "8h8a 5a4b",
        },
    );
    let found = |before, after| facts_with(quiet, &lines, values(before, after));
    let even = Some(Value::Cp(0));
    assert_eq!(
        found(even, mate(Color::White, 8)),
        [FactKind::EngineMateAllowed { length: 8 }]
    );
    assert_eq!(
        found(mate(Color::Black, 9), even),
        [FactKind::EngineMateMissed { length: 9 }]
    );
    assert_eq!(
        found(mate(Color::White, 10), mate(Color::White, 8)),
        [],
        "there was no way out"
    );
    assert_eq!(
        found(mate(Color::Black, 9), mate(Color::Black, 10)),
        [],
        "it still mates"
    );
    assert_eq!(
        found(even, Some(Value::Won(Color::White))),
        [],
        "the plies are not known"
    );
    assert_eq!(
        found(None, mate(Color::White, 8)),
        [],
        "nothing is known of the position before"
    );
    let silent = Lines {
        played: "5i4i 1e1d",
        better: "8h7h 5a4b",
    };
    for values in [
        values(even, mate(Color::White, 8)),
        values(mate(Color::Black, 9), even),
    ] {
        assert_eq!(
            facts_with(quiet, &silent, values),
            [],
            "the first move gives no check"
        );
    }
    let same = Lines {
        played: "5i4i 1e4e",
        better: "5i4i 1e4e",
    };
    assert_eq!(
        facts_with(quiet, &same, values(even, mate(Color::White, 8))),
        [],
        "the engine plays it, too"
    );
    let mated = facts_with(
        "4k4/9/4P4/9/9/9/9/9/4K4 b G 1",
        &Lines {
            played: "5i5h 5a4a",
            better: "G*5b",
        },
        values(mate(Color::Black, 1), even),
    );
    assert_eq!(
        mated,
        [FactKind::MateMissed { length: Some(1) }],
        "what is proved is said as such"
    );
}

#[test]
fn finds_a_missed_mate() {
    let found = facts(
        "4k4/9/4P4/9/9/9/9/9/4K4 b G 1",
        &Lines {
            played: "5i5h 5a4a",
            better: "G*5b",
        },
    );
    assert_eq!(found, [FactKind::MateMissed { length: Some(1) }]);
    let found = facts(
        "4k4/9/4P4/9/9/9/9/9/4K4 b G 1",
        &Lines {
            played: "G*5b",
            better: "G*5b",
        },
    );
    assert_eq!(found, []);
}

#[test]
fn finds_an_unmet_threat() {
    let found = facts(
        "4k4/9/4P4/9/9/9/p8/9/4K4 w G 1",
        &Lines {
            played: "9g9h G*5b",
            better: "5a4a",
        },
    );
    assert_eq!(
        found,
        [
            FactKind::ThreatUnmet { length: Some(1) },
            FactKind::MateAllowed { length: Some(1) }
        ]
    );
}

#[test]
fn finds_a_threat_that_is_made() {
    let found = facts(
        "4k4/9/9/4P4/9/9/9/9/4K4 b G 1",
        &Lines {
            played: "5d5c 5a4a",
            better: "5d5c",
        },
    );
    assert_eq!(found, [FactKind::ThreatMade { length: Some(1) }]);
    let found = facts(
        "4k4/9/9/4P4/9/9/9/9/4K4 b G 1",
        &Lines {
            played: "5i5h 5a4a",
            better: "5d5c 5a4a",
        },
    );
    assert_eq!(
        found,
        [FactKind::ThreatMade { length: Some(1) }],
        "by the better move"
    );
}

#[test]
fn finds_a_threat_that_the_opponent_is_let_make() {
    let position = "4k4/9/9/9/9/4p4/9/p8/4K4 b g 1";
    let let_in = facts(
        position,
        &Lines {
            played: "5i5h 9h9i+ 5h5g",
            better: "5i5h 9h9i+",
        },
    );
    assert_eq!(let_in, [], "nothing is threatened");
    let let_in = facts(
        "4k4/9/9/9/9/4p4/8P/9/4K4 b g 1",
        &Lines {
            played: "1g1f 5f5g",
            better: "5i4h 5f5g",
        },
    );
    assert_eq!(let_in, [FactKind::ThreatMade { length: Some(1) }]);
}

#[test]
fn finds_a_threat_along_the_better_line() {
    let position = "4k4/9/p8/9/4P4/9/9/9/4K4 b G 1";
    let better = "5e5d 9c9d 5d5c 9d9e";
    let found = whole_facts(
        position,
        &Lines {
            played: "5i5h 9c9d 5h5g 9d9e",
            better,
        },
        MoveValues::default(),
    );
    let [fact] = found.as_slice() else {
        panic!("{found:?}")
    };
    assert_eq!(
        (&fact.kind, fact.at, fact.lead),
        (&FactKind::ThreatMade { length: Some(1) }, FactPosition::Before, 2)
    );
    assert_eq!(fact.line, moves("5e5d 9c9d 5d5c G*5b"));
    assert_eq!(
        facts(
            position,
            &Lines {
                played: "5i5h 9c9d",
                better
            }
        ),
        [],
        "the move played may threaten as soon"
    );
    let both = "4k4/9/p8/3G5/4P4/9/9/9/4K4 b G 1";
    assert_eq!(
        facts(
            both,
            &Lines {
                played: "5i5h 9c9d 6d5c 9d9e",
                better
            }
        ),
        [],
        "the move played threatens as soon"
    );
}

#[test]
fn finds_a_threat_along_the_punishing_line() {
    let (position, played) = ("4k4/9/9/9/4p4/9/8P/9/4K4 b g 1", "1g1f 5e5f 1f1e 5f5g 1e1d");
    let lines = Lines {
        played,
        better: "5i4h 5e5f 4h3h 5f5g 3h2h",
    };
    let found = whole_facts(position, &lines, MoveValues::default());
    let [fact] = found.as_slice() else {
        panic!("{found:?}")
    };
    assert_eq!(
        (&fact.kind, fact.at, fact.lead),
        (&FactKind::ThreatMade { length: Some(1) }, FactPosition::After, 2)
    );
    assert_eq!(
        (fact.side, &fact.line),
        (Color::White, &moves("5e5f 1f1e 5f5g G*5h"))
    );
    assert_eq!(
        facts(
            position,
            &Lines {
                played,
                better: "5i4h 5e5f"
            }
        ),
        [],
        "nothing is known of the better line"
    );
    let same = "1g1f 5e5f 5i5h 5a5b 5h5i 5f5g";
    assert_eq!(
        facts(position, &Lines { played, better: same }),
        [],
        "the better move"
    );
}

#[test]
fn finds_brinkmates() {
    let position = "8k/9/9/8G/9/9/9/9/4K4 b GS 1";
    let found = whole_facts(
        position,
        &Lines {
            played: "5i5h 1a2a",
            better: "S*3c 1a1b",
        },
        MoveValues::default(),
    );
    let [fact] = found.as_slice() else {
        panic!("{found:?}")
    };
    assert_eq!(
        (&fact.kind, fact.at, fact.lead),
        (&FactKind::BrinkmateMade, FactPosition::Before, 0)
    );
    assert_eq!(fact.line, moves("S*3c G*2b"));
    let kinds = facts(
        position,
        &Lines {
            played: "G*1c 1a2a",
            better: "S*3c 1a1b",
        },
    );
    assert_eq!(
        kinds,
        [FactKind::ThreatMade { length: Some(1) }, FactKind::BrinkmateMade],
        "the king can get away"
    );
    let with_pawn = position.replace("8k/9/9", "8k/9/p8");
    let better = "5i4h 9c9d S*3c 9d9e";
    let later = whole_facts(
        &with_pawn,
        &Lines {
            played: "5i5h 9c9d 5h5g",
            better,
        },
        MoveValues::default(),
    );
    let [fact] = later.as_slice() else {
        panic!("{later:?}")
    };
    assert_eq!(
        (&fact.kind, fact.lead, &fact.line),
        (&FactKind::BrinkmateMade, 2, &moves("5i4h 9c9d S*3c G*2b"))
    );
    let let_in = "4k4/9/9/9/9/g8/8P/9/K8 b gs 1";
    assert_eq!(
        facts(
            let_in,
            &Lines {
                played: "1g1f S*7g",
                better: "9i9h S*7g"
            }
        ),
        [],
        "the better move lets it in"
    );
    let found = whole_facts(
        let_in,
        &Lines {
            played: "1g1f S*7g",
            better: "9i8h 9f9g",
        },
        MoveValues::default(),
    );
    let [fact] = found.as_slice() else {
        panic!("{found:?}")
    };
    assert_eq!(
        (&fact.kind, fact.at, fact.side),
        (&FactKind::BrinkmateMade, FactPosition::After, Color::White)
    );
}

#[test]
fn finds_a_piece_that_is_lost_for_nothing_or_sooner() {
    let position = "4k4/4r4/9/9/4B4/9/4P4/9/K8 b - 1";
    let square = Square::from_usi(b"5e").unwrap();
    let lost = FactKind::LosesPiece {
        piece: PieceKind::Bishop,
        square,
        gain: Gain(-80),
    };
    let played = "9i8i 5b5e 8i7i";
    let exchanged = facts(
        position,
        &Lines {
            played,
            better: "5g5f 5b5e 5f5e 5a4a",
        },
    );
    assert_eq!(exchanged[0], lost);
    let later = facts(
        position,
        &Lines {
            played,
            better: "9i9h 5a4a 9h8h 5b5e",
        },
    );
    assert_eq!(later[0], lost);
    let as_soon = facts(
        position,
        &Lines {
            played,
            better: "9i9h 5b5e",
        },
    );
    assert!(!as_soon.contains(&lost), "{as_soon:?}");
}

#[test]
fn finds_a_piece_that_is_lost_by_a_later_fork() {
    // The king takes the horse back, into the fork.
    let position = "8k/2+R6/9/9/9/9/P6+b1/9/4KG3 b b 1";
    let lines = Lines {
        played: "9g9f 2g4i 5i4i B*9d 4i5i 9d7b",
        better: "4i5h 1a2a",
    };
    let found = whole_facts(position, &lines, MoveValues::default());
    let square = Square::from_usi(b"7b").unwrap();
    assert_eq!(
        found[0].kind,
        FactKind::LosesPiece {
            piece: PieceKind::Dragon,
            square,
            gain: Gain(-80)
        }
    );
    let [_, fork] = found.as_slice() else {
        panic!("{found:?}")
    };
    assert!(
        matches!(
            fork.kind,
            FactKind::Fork {
                piece: PieceKind::Bishop,
                gain: Gain(80),
                ..
            }
        ),
        "{fork:?}"
    );
    assert_eq!(
        (fork.side, fork.at, fork.lead),
        (Color::White, FactPosition::After, 2)
    );
    assert_eq!(fork.line, moves("2g4i 5i4i B*9d 4i5i 9d7b"));
}

#[test]
fn finds_a_piece_that_is_lost() {
    let hanging = "4k4/9/9/4p4/9/4S4/9/9/4K4 b - 1";
    let found = facts(
        hanging,
        &Lines {
            played: "5f5e 5d5e 5i5h",
            better: "5f4g 5a5b",
        },
    );
    let square = Square::from_usi(b"5e").unwrap();
    assert_eq!(
        found,
        [FactKind::LosesPiece {
            piece: PieceKind::Silver,
            square,
            gain: Gain(-50)
        }]
    );
    let found = facts(
        hanging,
        &Lines {
            played: "5f5e 5d5e 5i5h",
            better: "5f4e 5d5e",
        },
    );
    assert_eq!(found.len(), 1);
    let found = facts(
        hanging,
        &Lines {
            played: "5f5e 5d5e 5i5h",
            better: "",
        },
    );
    assert_eq!(found, [], "nothing is known to be better");
}

#[test]
fn takes_a_piece_back_without_winning_it() {
    let start = Position::from_sfen("4k4/9/9/4s4/4G4/4P4/9/9/4K4 w - 1").unwrap();
    let (taking, back) = (moves("5d5e")[0], moves("5f5e")[0]);
    let mut before = start.clone();
    before.play(taking).unwrap();
    let punish = moves("5a4b");
    let mut input = MoveInput {
        position_before: &before,
        played_move: back,
        last_move: Some(LastMove {
            position_before: &start,
            mv: taking,
        }),
        reply: None,
        better_line: &[],
        punish_line: &punish,
        values: MoveValues::default(),
        model: WinRateModel::default(),
    };
    let control = Control::new(None);
    assert_eq!(move_facts(&input, FactLimits::QUICK, &control), []);
    input.last_move = None;
    let found = move_facts(&input, FactLimits::QUICK, &control);
    assert!(
        matches!(
            found[0].kind,
            FactKind::WinsPiece {
                piece: PieceKind::Silver,
                ..
            }
        ),
        "{found:?}"
    );
}

#[test]
fn takes_the_answer_from_values() {
    let before = Position::startpos();
    let check = |values: [i32; 3], expect: Option<FactKind>| {
        let [before_cp, after, after_reply] = values.map(Value::from_cp);
        let input = MoveInput {
            position_before: &before,
            played_move: moves("7g7f")[0],
            last_move: None,
            reply: Some(moves("3c3d")[0]),
            better_line: &[],
            punish_line: &[],
            values: MoveValues {
                before: before_cp,
                after,
                after_reply,
            },
            model: WinRateModel::default(),
        };
        let found = move_facts(&input, FactLimits::QUICK, &Control::new(None));
        assert_eq!(
            found.into_iter().next().map(|fact| fact.kind),
            expect,
            "{values:?}"
        );
    };
    check([0, -400, -400], Some(FactKind::Punished));
    check([0, -400, 0], Some(FactKind::Unpunished));
    check([0, -400, -220], None);
    check([0, 0, 0], None);
    check([31_111, -400, -400], None);
}

#[test]
fn finds_plans_where_the_move_loses_something() {
    let lines = Lines {
        played: "9i9h 1a1b",
        better: "4f4e 4d5d",
    };
    let check = |before: Option<i32>, after: Option<i32>, expect: &[FactKind]| {
        let [before, after] = [before, after].map(|cp| cp.map(Value::Cp));
        let values = MoveValues {
            before,
            after,
            after_reply: None,
        };
        let found = facts_with("8k/9/9/5g3/9/5P3/9/9/K8 b - 1", &lines, values);
        assert_eq!(found, expect, "{before:?} {after:?}");
    };
    let attacks = FactKind::Initiative {
        piece: PieceKind::Gold,
        square: Square::from_usi(b"4d").unwrap(),
    };
    check(Some(300), Some(0), &[attacks]);
    check(Some(100), Some(0), &[]);
    check(Some(300), None, &[]);
    check(None, Some(0), &[]);
}

#[test]
fn says_nothing_about_illegal_moves() {
    let found = facts(
        "4k4/9/4P4/9/9/9/9/9/9 b G 1",
        &Lines {
            played: "G*5b",
            better: "G*5b",
        },
    );
    assert_eq!(found, []);
    let found = facts(
        "4k4/9/4P4/9/9/9/9/9/4K4 b G 1",
        &Lines {
            played: "5i5a",
            better: "G*5b",
        },
    );
    assert_eq!(found, []);
}

proptest! {
    #[test]
    fn never_panics(sfen in any::sfen(0.2), choices in proptest::collection::vec(0..500_usize, 6)) {
        let Ok(position) = Position::from_sfen(&sfen) else { return Ok(()) };
        let (mut now, mut line) = (position.clone(), Vec::new());
        for choice in choices {
            let legal = now.legal_moves();
            let Some(mv) = legal.get(choice % legal.len().max(1)) else { break };
            line.push(*mv);
            prop_assert!(now.play(*mv).is_ok());
        }
        let Some((played, punish)) = line.split_first() else { return Ok(()) };
        let better: Vec<Move> = position.legal_moves().into_iter().take(1).collect();
        let input = MoveInput {
            position_before: &position,
            played_move: *played,
            last_move: None,
            reply: punish.first().copied(),
            better_line: &better,
            punish_line: punish,
            values: losing_values(position.side_to_move()),
            model: WinRateModel::default(),
        };
        let found = move_facts(&input, FactLimits::QUICK, &Control::new(None));
        prop_assert!(position.searchable().is_ok() || found.is_empty());
    }
}

#[test]
fn finds_material_that_is_lost_without_a_piece() {
    // The rook cannot leave, and is exchanged for a gold: the loss is less than half of its value.
    let position = "4k4/9/9/9/9/7p1/P8/6GRL/4K2N1 b g 1";
    let found = facts(
        position,
        &Lines {
            played: "9g9f G*2g 2h2g 2f2g 9f9e 5a5b",
            better: "3h3g 5a5b",
        },
    );
    assert_eq!(found, [FactKind::LosesMaterial { gain: Gain(-40) }]);
    let found = facts(
        position,
        &Lines {
            played: "9g9f 5a5b",
            better: "3h3g 5a5b",
        },
    );
    assert_eq!(found, []);
}

/// Plays legal moves. For an odd number this is a capture, if there is one.
fn playout(start: &Position, choices: &[usize]) -> Vec<Move> {
    let (mut now, mut line) = (start.without_history(), Vec::new());
    for choice in choices {
        let legal = now.legal_moves();
        let captures: Vec<Move> = legal
            .iter()
            .copied()
            .filter(|mv| now.piece_on(mv.to()).is_some())
            .collect();
        let list = if choice % 2 == 1 && !captures.is_empty() {
            &captures
        } else {
            &legal
        };
        let Some(mv) = list.get(choice / 2 % list.len().max(1)) else {
            break;
        };
        line.push(*mv);
        now.play(*mv).unwrap();
    }
    line
}

/// Returns values by which a side loses so much that plans are looked for.
fn losing_values(side: Color) -> MoveValues {
    let better = if side == Color::Black { 1_000 } else { -1_000 };
    MoveValues {
        before: Some(Value::Cp(better)),
        after: Some(Value::Cp(-better)),
        after_reply: None,
    }
}

/// Checks that the line of a fact is legal from its beginning. Its gain is the one along the line.
fn check_proof(fact: &Fact, before: &Position, after: &Position) {
    let start = if fact.at == FactPosition::Before {
        before
    } else {
        after
    };
    let passes = matches!(fact.kind, FactKind::ThreatMade { .. } | FactKind::BrinkmateMade);
    let mut now = start.without_history();
    for (nth, mv) in fact.line.iter().enumerate() {
        if passes && nth == fact.lead + 1 {
            now = now.with_side_to_move(now.side_to_move().flip());
        }
        assert!(now.play(*mv).is_ok(), "{mv} of {fact:?} in {}", before.sfen());
    }
    let led = fact.line.get(fact.lead).map(|mv| mv.to());
    assert!(
        fact.lead.is_multiple_of(2) && (fact.lead == 0 || led.is_some()),
        "{fact:?}"
    );
    match &fact.kind {
        FactKind::Fork { squares, .. } => assert_eq!(squares.first().copied(), led, "{fact:?}"),
        FactKind::Skewer { squares, .. } => assert_eq!(squares.first().copied(), led, "{fact:?}"),
        FactKind::Pin { .. }
        | FactKind::Discovered { .. }
        | FactKind::Trapped { .. }
        | FactKind::ThreatMade { .. }
        | FactKind::BrinkmateMade => {}
        _ => assert_eq!(fact.lead, 0, "{fact:?}"),
    }
    let gained = Gain(balance(&now, fact.side).0 - balance(start, fact.side).0);
    match fact.kind {
        FactKind::LosesPiece { gain, .. } | FactKind::LosesMaterial { gain } => {
            assert!(gain == gained && gain.0 < 0, "{fact:?}");
        }
        FactKind::Exchange { gain, .. } => assert_eq!(gain, gained, "{fact:?}"),
        FactKind::WinsPiece { gain, .. }
        | FactKind::Fork { gain, .. }
        | FactKind::Skewer { gain, .. }
        | FactKind::Pin { gain, .. }
        | FactKind::Discovered { gain, .. }
        | FactKind::Trapped { gain, .. } => assert!(gain == gained && gain.0 > 0, "{fact:?}"),
        FactKind::MateMissed { length }
        | FactKind::MateAllowed { length }
        | FactKind::ThreatMade { length } => {
            let first = fact.lead + usize::from(passes);
            let is_as_long = length.is_none_or(|length| fact.line.len() == usize::from(length) + first);
            assert!(now.is_mate() && is_as_long, "{fact:?}");
        }
        FactKind::BrinkmateMade => assert!(now.is_mate(), "{fact:?}"),
        _ => {}
    }
}

proptest! {
    #[test]
    fn every_line_shows_its_fact(
        opening in proptest::collection::vec(0..500_usize, 10..80),
        played in proptest::collection::vec(0..500_usize, 2..9),
        better in proptest::collection::vec(0..500_usize, 1..9),
    ) {
        let mut before = Position::startpos();
        for mv in playout(&before, &opening) {
            before.play(mv).unwrap();
        }
        let (line, better) = (playout(&before, &played), playout(&before, &better));
        let Some((played, punish)) = line.split_first() else { return Ok(()) };
        let mut after = before.without_history();
        after.play(*played).unwrap();
        let input = MoveInput {
            position_before: &before,
            played_move: *played,
            last_move: None,
            reply: punish.first().copied(),
            better_line: &better,
            punish_line: punish,
            values: losing_values(before.side_to_move()),
            model: WinRateModel::default(),
        };
        for fact in move_facts(&input, FactLimits::QUICK, &Control::new(None)) {
            check_proof(&fact, &before, &after);
        }
    }
}
