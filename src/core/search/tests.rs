//! What is kept up to date move by move agrees with what is computed from the board, along random games.

use super::evaluate::{BothSides, attacks, evaluate};
use super::exchange::gains_at_least;
use super::features::visit_features;
use super::fitted::FittedWeights;
use super::kinds::SLIDER_KINDS;
use super::king_tables::{KingTables, PieceSums};
use super::reach::Reach;
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
fn reach_is_that_of_the_pieces() {
    random_games(|position, _| {
        for us in Color::iter() {
            let (mut once, mut twice) = (Bitboard::EMPTY, Bitboard::EMPTY);
            let mut reach = Reach::of_steps(position, us);
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
            assert_eq!((reach.once, reach.twice), (once, twice), "{}", position.to_sfen(None));
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
    check("4k4/9/2S6/3p5/9/6r2/4G4/4K4/7L1 w Bg 1", "4k4/9/6S2/5p3/9/2r6/4G4/4K4/1L7 w Bg 1");
}

#[test]
fn escapes_and_invasions_are_found() {
    let tables = &KingTables::shipped();
    let position = board(&Position::from_sfen("4k4/9/9/4p4/4S3r/9/8P/9/4K4 b G 1").expect("a position"));
    let sums = PieceSums::new(tables, &position);
    let both = BothSides::new(tables, &position, &sums);
    let [black, white] = [0, 1].map(|side| both.findings(side));
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
