//! What is kept up to date move by move agrees with what is computed from the board, along random games.

use super::evaluate::{attacks, evaluate, step_attacks};
use super::exchange::gains_at_least;
use super::features::visit_features;
use super::fitted::FittedWeights;
use super::king_tables::{KingTables, PieceSums};
use super::think::board;
use crate::random::SplitMix;
use crate::shogi::{Move, Position};
use rsshogi::board::{self, Move32List};
use rsshogi::movegen::generate_legal_all_move32;
use rsshogi::types::{Bitboard, Color, Move32, PieceType};

/// Plays random games and calls `check` before each move with the move that follows.
fn random_games(mut check: impl FnMut(&mut board::Position, Move32)) {
    let mut random = SplitMix(7);
    for _ in 0..12 {
        let mut position = board(&Position::startpos());
        for _ in 0..250 {
            let mut list = Move32List::new();
            generate_legal_all_move32(&position, &mut list);
            let Some(&mv) = list.iter().nth(random.below(list.len())) else { break };
            check(&mut position, mv);
            position.apply_move32(mv);
        }
    }
}

#[test]
fn sums_follow_the_moves() {
    let tables = &KingTables::shipped();
    random_games(|position, mv| {
        if mv.piece_after_move().piece_type() == PieceType::KING {
            return;
        }
        let followed = PieceSums::new(tables, position).after(tables, position, mv);
        position.apply_move32(mv);
        assert_eq!(followed, PieceSums::new(tables, position), "{} after {}", position.to_sfen(None), mv.to_usi());
        position.undo_move32(mv).expect("just played");
    });
}

#[test]
fn evaluation_is_the_same_for_both_sides() {
    let tables = &KingTables::shipped();
    random_games(|position, _| {
        let flipped = position.to_flipped();
        let value = |position: &board::Position| evaluate(tables, position, &PieceSums::new(tables, position));
        assert_eq!(value(position), value(&flipped), "{}", position.to_sfen(None));
    });
}

#[test]
fn step_attacks_are_those_of_the_pieces() {
    random_games(|position, _| {
        for us in Color::iter() {
            let mut expected = Bitboard::EMPTY;
            for square in &position.pieces_by_color(us) {
                let kind = position.piece_on(square).piece_type();
                let steps = !matches!(
                    kind,
                    PieceType::KING
                        | PieceType::LANCE
                        | PieceType::BISHOP
                        | PieceType::ROOK
                        | PieceType::HORSE
                        | PieceType::DRAGON
                );
                if steps {
                    expected |= attacks(kind, square, us, position.pieces());
                }
            }
            assert_eq!(step_attacks(position, us), expected, "{}", position.to_sfen(None));
        }
    });
}

#[test]
fn exchanges_gain_what_capturing_in_turn_gains() {
    let check = |sfen: &str, usi: &str, gain: i32| {
        let position = board(&Position::from_sfen(sfen).expect("a position"));
        let mv = position.move32_from_usi(usi).expect("a move");
        assert!(gains_at_least(&position, mv, gain), "{usi} in {sfen} gains {gain}");
        assert!(!gains_at_least(&position, mv, gain + 1), "{usi} in {sfen} gains no more than {gain}");
    };
    // A pawn for nothing; a pawn for a silver; a pawn for a pawn; a pawn whose capture would cost the rook.
    check("4k4/9/9/9/4p4/4S4/9/9/4K4 b - 1", "5f5e", 200);
    check("4k4/9/9/4g4/4p4/4S4/9/9/4K4 b - 1", "5f5e", 200 - 925);
    check("4k4/9/9/4p4/4p4/4P4/4L4/9/4K4 b - 1", "5f5e", 200);
    check("4k4/9/9/4r4/4p4/4P4/4R4/9/4K4 b - 1", "5f5e", 200);
    check("4k4/9/9/9/9/9/4s4/9/4K4 b G 1", "G*5f", 0);
}

#[test]
fn fitted_weights_count_once_for_each_feature() {
    let mut random = SplitMix(5);
    let weights: Vec<f32> = (0..FittedWeights::COUNT).map(|_| random.below(41) as f32 - 20.0).collect();
    let weights = FittedWeights::from_values(|feature| weights[feature]);
    let (by_hand, fitted) = (KingTables::new(&FittedWeights::none()), KingTables::new(&weights));
    for _ in 0..6 {
        let mut position = Position::startpos();
        for _ in 0..200 {
            let moves: Vec<Move> = position.legal_moves();
            let Some(&mv) = moves.get(random.below(moves.len())) else { break };
            position.play(mv).expect("a legal move");
            let mut sum = 0;
            let mut add = |feature, is_ours| sum += if is_ours { 1 } else { -1 } * weights.weight(feature);
            let value = visit_features(&by_hand, &position, &mut add).expect("a position of a game");
            let corrected = visit_features(&fitted, &position, &mut |_, _| {}).expect("a position of a game");
            // Both values are rounded.
            assert!((4 * (corrected - value) - sum).abs() <= 8, "{}: {value} {corrected} {sum}", position.sfen());
        }
    }
}
