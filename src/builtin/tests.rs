//! Tests of the evaluation. Along random games, values that are updated move by move equal those computed from the
//! board. Both sides and mirrored boards are valued alike.

use super::accumulators::Accumulators;
use super::evaluate::{BothSides, attacks, evaluate};
use super::exchange::gains_at_least;
use super::features::{net_inputs, visit_features};
use super::fitted::FittedWeights;
use super::kinds::SLIDER_KINDS;
use super::king_tables::{KingTables, PieceSums};
use super::limits::{Control, Limits};
use super::net::{INPUT_COUNT, Net, NetBase, NetWeights};
use super::reach::Reach;
use super::think::{SearchReport, Searcher, board};
use rsshogi::board::{self, Move32List};
use rsshogi::movegen::generate_legal_all_move32;
use rsshogi::types::{Bitboard, Color, Move32, PieceType};
use shogibar_base::random::SplitMix;
use shogibar_shogi::{History, Move, Position};
use std::sync::Arc;

/// Plays random games and calls `check` before each move with the move that follows.
fn check_random_games(mut check: impl FnMut(&mut board::Position, Move32)) {
    let mut random = SplitMix(7);
    for _ in 0..12 {
        let mut position = board(&Position::startpos());
        for _ in 0..250 {
            let mut list = Move32List::new();
            generate_legal_all_move32(&position, &mut list);
            let Some(&mv) = list.iter().nth(random.below(list.len())) else {
                break;
            };
            check(&mut position, mv);
            position.apply_move32(mv);
        }
    }
}

#[test]
fn sums_follow_the_moves() {
    let tables = &KingTables::shipped();
    check_random_games(|position, mv| {
        if mv.piece_after_move().piece_type() == PieceType::KING {
            return;
        }
        let followed = PieceSums::new(tables, position).after(tables, position, mv);
        position.apply_move32(mv);
        assert_eq!(
            followed,
            PieceSums::new(tables, position),
            "{} after {}",
            position.to_sfen(None),
            mv.to_usi()
        );
        position.undo_move32(mv).expect("just played");
    });
}

fn random_net(units: usize, buckets: usize) -> NetWeights {
    let mut random = SplitMix(3);
    let mut weights = |count: usize, limit: f32| -> Vec<f32> {
        std::iter::repeat_with(|| limit * (random.below(2_001) as f32 / 1_000.0 - 1.0))
            .take(count)
            .collect()
    };
    NetWeights {
        inputs: weights(INPUT_COUNT * units, 0.3),
        biases: weights(units, 1.0),
        outputs: weights(2 * buckets * units, 1.5),
        output_biases: weights(buckets, 0.5),
    }
}

#[test]
fn accumulators_follow_moves_and_undone_moves() {
    const PLIES: usize = 12;
    let net = &Net::from_weights(&random_net(32, 4), NetBase::Nothing, 700);
    let mut random = SplitMix(11);
    check_random_games(|position, _| {
        let mut accumulators = Accumulators::new(net, position, PLIES);
        let mut played: Vec<Option<Move32>> = Vec::new();
        for _ in 0..20 {
            let ply = played.len();
            let mut list = Move32List::new();
            generate_legal_all_move32(position, &mut list);
            let mv = list.iter().nth(random.below(list.len())).copied();
            match (mv, random.below(10)) {
                (Some(mv), 0..6) if ply + 1 < PLIES => {
                    accumulators.play(position, mv, ply);
                    position.apply_move32(mv);
                    played.push(Some(mv));
                }
                (_, 6)
                    if ply + 1 < PLIES && !position.is_in_check() && position.apply_null_move().is_ok() =>
                {
                    accumulators.play_null(ply);
                    played.push(None);
                }
                _ => match played.pop() {
                    Some(Some(mv)) => position.undo_move32(mv).expect("just played"),
                    Some(None) => position.undo_null_move().expect("just played"),
                    None => {}
                },
            }
            // Many positions of a search are never valued.
            if random.below(3) == 0 {
                let anew = Accumulators::new(net, position, 1).value(position, 0);
                assert_eq!(
                    accumulators.value(position, played.len()),
                    anew,
                    "{}",
                    position.to_sfen(None)
                );
            }
        }
        for mv in played.into_iter().rev() {
            match mv {
                Some(mv) => position.undo_move32(mv).expect("just played"),
                None => position.undo_null_move().expect("just played"),
            }
        }
    });
}

#[test]
fn rounded_nets_value_as_the_weights_do() {
    let weights = random_net(16, 2);
    let net = Net::from_weights(&weights, NetBase::Nothing, 700);
    assert_eq!(Net::from_bytes(&net.to_bytes()), Ok(net.clone()));
    let mut random = SplitMix(2);
    let mut position = Position::startpos();
    for _ in 0..150 {
        let moves = position.legal_moves();
        let Some(&mv) = moves.get(random.below(moves.len())) else {
            break;
        };
        position.play(mv).expect("a legal move");
        let inputs = net_inputs(&position, 2).expect("a position of a game");
        let bucket = inputs.bucket;
        let mut output = weights.output_biases[bucket];
        for (side, inputs) in inputs.sides.iter().enumerate() {
            assert!(
                inputs.len() == 40 && inputs.iter().all(|input| usize::from(*input) < INPUT_COUNT),
                "{inputs:?}"
            );
            for unit in 0..16 {
                let row = inputs
                    .iter()
                    .map(|input| weights.inputs[usize::from(*input) * 16 + unit]);
                let sum = weights.biases[unit] + row.sum::<f32>();
                output += weights.outputs[(2 * bucket + side) * 16 + unit] * sum.clamp(0.0, 1.0).powi(2);
            }
        }
        let rules = board(&position);
        let value = Accumulators::new(&net, &rules, 1).value(&rules, 0);
        assert!(
            (value as f32 - 700.0 * output).abs() < 40.0,
            "{value} {}",
            700.0 * output
        );
    }
}

#[test]
fn a_net_sees_both_sides_and_mirrors_alike() {
    let net = &Net::from_weights(&random_net(16, 1), NetBase::Nothing, 700);
    let value = |position: &board::Position| Accumulators::new(net, position, 1).value(position, 0);
    check_random_games(|position, _| {
        assert_eq!(
            value(position),
            value(&position.to_flipped()),
            "{}",
            position.to_sfen(None)
        );
    });
    let of_sfen = |sfen: &str| value(&board(&Position::from_sfen(sfen).expect("a position")));
    let sfens = [
        "4k4/9/2S6/3p5/9/6r2/4G4/6K2/7L1 w Bg 1",
        "4k4/9/6S2/5p3/9/2r6/4G4/2K6/1L7 w Bg 1",
    ]
    .map(of_sfen);
    // A king on the middle file is not mirrored.
    assert_ne!(sfens[0], sfens[1]);
    let sfens = [
        "6k2/9/2S6/3p5/9/6r2/4G4/6K2/7L1 w Bg 1",
        "2k6/9/6S2/5p3/9/2r6/4G4/2K6/1L7 w Bg 1",
    ]
    .map(of_sfen);
    assert_eq!(sfens[0], sfens[1]);
}

#[test]
fn a_search_with_a_net_is_the_same_every_time() {
    let tables = || {
        Arc::new(
            KingTables::new(&FittedWeights::none()).with_net(Net::from_weights(
                &random_net(16, 1),
                NetBase::Pieces,
                300,
            )),
        )
    };
    let found = [0, 1].map(|_| {
        let mut searcher = Searcher::with_tables(4, 1, tables());
        let mut scores = Vec::new();
        let limits = Limits {
            nodes: 3_000,
            ..Limits::default()
        };
        let history = History::new(Position::startpos());
        let mut report =
            |report: &SearchReport| scores.push((report.score, report.nodes, report.line.clone()));
        searcher
            .think(&history, &limits, &Control::new(None), &|| 0, &mut report)
            .expect("a position of a game");
        scores
    });
    assert!(!found[0].is_empty(), "no report");
    assert_eq!(found[0], found[1]);
}

#[test]
fn evaluation_is_the_same_for_both_sides() {
    let tables = &KingTables::shipped();
    check_random_games(|position, _| {
        let flipped = position.to_flipped();
        let value =
            |position: &board::Position| evaluate(tables, position, &PieceSums::new(tables, position));
        assert_eq!(value(position), value(&flipped), "{}", position.to_sfen(None));
    });
}

#[test]
fn reach_is_that_of_the_pieces() {
    check_random_games(|position, _| {
        for us in Color::iter() {
            let (mut once, mut twice) = (Bitboard::EMPTY, Bitboard::EMPTY);
            let mut reach = Reach::from_stepping_pieces(position, us);
            for square in &position.pieces_by_color(us) {
                let kind = position.piece_on(square).piece_type();
                if kind == PieceType::KING {
                    continue;
                }
                let squares = attacks(kind, square, us, position.pieces());
                twice |= once & squares;
                once |= squares;
                if SLIDER_KINDS.contains(&kind) {
                    reach.add_slider(kind, squares, Bitboard::EMPTY);
                }
            }
            assert_eq!(
                (reach.attacked_once, reach.attacked_twice),
                (once, twice),
                "{}",
                position.to_sfen(None)
            );
        }
    });
}

#[test]
fn exchanges_gain_as_much_as_captures_in_turn() {
    let check = |sfen: &str, usi: &str, gain: i32| {
        let position = board(&Position::from_sfen(sfen).expect("a position"));
        let mv = position.move32_from_usi(usi).expect("a move");
        assert!(
            gains_at_least(&position, mv, gain),
            "{usi} in {sfen} gains {gain}"
        );
        assert!(
            !gains_at_least(&position, mv, gain + 1),
            "{usi} in {sfen} gains no more than {gain}"
        );
    };
    // An undefended pawn; a pawn for a silver; a pawn for a pawn. Then a pawn whose capture would cost the rook.
    check("4k4/9/9/9/4p4/4S4/9/9/4K4 b - 1", "5f5e", 200);
    check("4k4/9/9/4g4/4p4/4S4/9/9/4K4 b - 1", "5f5e", 200 - 925);
    check("4k4/9/9/4p4/4p4/4P4/4L4/9/4K4 b - 1", "5f5e", 200);
    check("4k4/9/9/4r4/4p4/4P4/4R4/9/4K4 b - 1", "5f5e", 200);
    check("4k4/9/9/9/9/9/4s4/9/4K4 b G 1", "G*5f", 0);
}

#[test]
fn fitted_weights_count_once_for_each_feature() {
    let mut random = SplitMix(5);
    let weights: Vec<f32> = (0..FittedWeights::COUNT)
        .map(|_| random.below(41) as f32 - 20.0)
        .collect();
    let weights = FittedWeights::from_values(|feature| weights[feature]);
    let (by_hand, fitted) = (KingTables::new(&FittedWeights::none()), KingTables::new(&weights));
    for _ in 0..6 {
        let mut position = Position::startpos();
        for _ in 0..200 {
            let moves: Vec<Move> = position.legal_moves();
            let Some(&mv) = moves.get(random.below(moves.len())) else {
                break;
            };
            position.play(mv).expect("a legal move");
            let mut sum = 0;
            let mut add = |feature, is_ours| sum += if is_ours { 1 } else { -1 } * weights.weight(feature);
            let value = visit_features(&by_hand, &position, &mut add).expect("a position of a game");
            let corrected = visit_features(&fitted, &position, &mut |_, _| {}).expect("a position of a game");
            // Both values are rounded.
            assert!(
                (4 * (corrected - value) - sum).abs() <= 8,
                "{}: {value} {corrected} {sum}",
                position.sfen()
            );
        }
    }
}

#[test]
fn evaluation_is_the_same_in_a_mirror() {
    let tables = &KingTables::shipped();
    let check = |sfen: &str, mirrored: &str| {
        let value = |sfen: &str| {
            let position = Position::from_sfen(sfen).expect("a position");
            visit_features(tables, &position, &mut |_, _| {}).expect("a position of a game")
        };
        assert_eq!(value(sfen), value(mirrored), "{sfen}");
    };
    check(
        "ln1g3nl/1ks1g4/pppp1pp1p/4p2p1/9/P1P1P4/1P1PSPPPP/1BKG3R1/LN1G3NL b BSrs 1",
        "ln3g1nl/4g1sk1/p1pp1pppp/1p2p4/9/4P1P1P/PPPPSP1P1/1R3GKB1/LN3G1NL b BSrs 1",
    );
    check(
        "4k4/9/2S6/3p5/9/6r2/4G4/4K4/7L1 w Bg 1",
        "4k4/9/6S2/5p3/9/2r6/4G4/4K4/1L7 w Bg 1",
    );
}

#[test]
fn escapes_and_invasions_are_found() {
    let tables = &KingTables::shipped();
    let position = board(&Position::from_sfen("4k4/9/9/4p4/4S3r/9/8P/9/4K4 b G 1").expect("a position"));
    let sums = PieceSums::new(tables, &position);
    let both = BothSides::new(tables, &position, &sums);
    let [black, white] = [0, 1].map(|side| both.features(side));
    // Five squares beside each king are free; Black's gold in hand makes White's less safe. The rook may promote on 1g.
    assert_eq!((black.escapes, white.escapes), (5, 9 + 5));
    assert_eq!((black.invasions, white.invasions), (5, 1));
}

#[test]
fn a_threatened_piece_is_worth_less() {
    let tables = &KingTables::shipped();
    let value = |sfen: &str| {
        let position = Position::from_sfen(sfen).expect("a position");
        visit_features(tables, &position, &mut |_, _| {}).expect("a position of a game")
    };
    // White's pawn attacks the gold, or the square beside it. Two attacked golds are worse than one.
    let none = value("4k4/9/9/1p5p1/2G3G2/9/9/9/4K4 w - 1");
    let one = value("4k4/9/9/2p4p1/2G3G2/9/9/9/4K4 w - 1");
    let two = value("4k4/9/9/2p3p2/2G3G2/9/9/9/4K4 w - 1");
    assert!(none < one && one < two, "{none} {one} {two}");
}
