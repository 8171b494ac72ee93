use crate::support::{Scene, after, before};
use shogibar_facts::FactKind::{EnteringKing, ExposedKing};
use shogibar_facts::KingSafety;
use shogibar_shogi::Color::{self, Black, White};

fn entering(sfen: &'static str, side: Color, points: [u8; 4]) -> Scene {
    let [points_24, points_27, missing_points, missing_pieces] = points;
    Scene::new(
        sfen,
        after(
            side,
            EnteringKing {
                points_24,
                points_27,
                missing_points,
                missing_pieces,
            },
            "",
        ),
    )
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
    let credited = Scene {
        moves: walk,
        ..entering(start, White, [28, 11, 16, 10])
    };
    credited.holds();
    Scene {
        moves: walk,
        ..entering(start, White, [18, 1, 26, 10])
    }
    .fails("counted");
}

#[test]
fn exposed_kings() {
    const START: &str = "4k4/9/9/9/9/3r5/9/1R1GS4/4K4 b - 1";
    let [bad, good] = [
        KingSafety {
            guards: 0,
            escapes: 4,
        },
        KingSafety {
            guards: 2,
            escapes: 3,
        },
    ];
    let scene = |safety, other| {
        let fact = after(Black, ExposedKing { safety, other }, "6f6h+ 8h6h");
        let mut scene = Scene::after(START, "5h4g", fact);
        scene.candidates = vec![vec![("6h6g 6f1f 6g6h 5a5b", 0)], vec![("6f6h+ 8h6h 5a5b", 0)]];
        scene
    };
    scene(bad, good).holds();
    scene(good, good).fails("at the end of the line");
    scene(bad, KingSafety { guards: 3, ..good }).fails("at the end of the other line");
    let changed = |change: fn(&mut Scene)| {
        let mut scene = scene(bad, good);
        change(&mut scene);
        scene
    };
    changed(|scene| scene.fact.side = White).fails("the other side");
    changed(|scene| scene.fact.line.truncate(1)).fails("not the engine's");
    changed(|scene| scene.candidates[0][0].0 = "5h4g").fails("plays 5h4g, too");
    changed(|scene| {
        scene
            .fact
            .line
            .push(shogibar_shogi::Move::from_usi("5a5b").expect("a move"));
    })
    .fails("not the engine's");
    // The number of guards is equal.
    let mut same = scene(bad, bad);
    same.candidates[0][0].0 = "5h5g 6f6h+ 8h6h 5a5b";
    same.fails("no less safe");
    // The king walks away.
    let mut walks = scene(
        KingSafety {
            guards: 0,
            escapes: 8,
        },
        good,
    );
    walks.fact = after(
        Black,
        ExposedKing {
            safety: KingSafety {
                guards: 0,
                escapes: 8,
            },
            other: good,
        },
        "6f6h+ 5i6h",
    );
    walks.candidates[1][0].0 = "6f6h+ 5i6h 5a5b";
    walks.fails("no less safe");
    // White's king, by the better line.
    let safety = [
        KingSafety {
            guards: 0,
            escapes: 7,
        },
        KingSafety {
            guards: 0,
            escapes: 7,
        },
    ];
    let mut other = scene(bad, good);
    other.fact = before(
        White,
        ExposedKing {
            safety: safety[0],
            other: safety[1],
        },
        "6h6g 6f1f 6g6h 5a5b",
    );
    other.fails("at the end");
}
