use crate::support::{Scene, after};
use shogibar_core::shogi::Color::{self, Black, White};
use shogibar_facts::FactKind::EnteringKing;

fn entering(sfen: &'static str, side: Color, points: [u8; 4]) -> Scene {
    let [points_24, points_27, missing_points, missing_pieces] = points;
    Scene::new(sfen, after(side, EnteringKing { points_24, points_27, missing_points, missing_pieces }, ""))
}

#[test]
fn entering_king() {
    // In the camp: a king, a dragon, a horse, two golds. In hand: a rook and three pawns. Elsewhere: a silver, a pawn.
    let sfen = "K+R+B6/GG7/9/9/9/9/P8/S8/8k b R3P 1";
    entering(sfen, Black, [22, 20, 8, 6]).holds();
    for wrong in [[21, 20, 8, 6], [22, 22, 8, 6], [22, 20, 7, 6], [22, 20, 8, 5]] {
        entering(sfen, Black, wrong).fails("counted");
    }
    entering("9/9/9/K8/9/9/9/9/8k b - 1", Black, [0, 0, 28, 10]).fails("not in the camp");
    entering("9/9/K8/9/9/9/9/9/8k b - 1", White, [0, 0, 27, 10]).holds();
}

#[test]
fn entering_king_without_a_king() {
    entering("9/9/9/9/9/9/9/9/8k b - 1", Black, [0, 0, 28, 10]).fails("no king");
}

#[test]
fn entering_king_of_the_giver_of_a_handicap() {
    // Two pieces, ten points, are credited. In hand there is a pawn.
    let start = "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1";
    let walk = "5a5b 5g5f 6c6d 5f5e 7c7d 5e5d 5c5d 2h1h 5b5c 1h2h 5c4d 2h1h 4d5e 1h2h 5e5f 2h1h 5f5g";
    let credited = Scene { moves: walk, ..entering(start, White, [28, 11, 16, 10]) };
    credited.holds();
    Scene { moves: walk, ..entering(start, White, [18, 1, 26, 10]) }.fails("counted");
}
