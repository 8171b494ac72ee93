use crate::support::{Scene, after, before, moves, square};
use shogibar_facts::FactKind::{AttackEnds, IdlePiece, PromotionUnstoppable};
use shogibar_facts::{FactPosition, KingAttack};
use shogibar_shogi::Color::{Black, White};
use shogibar_shogi::PieceKind;

/// A pawn that can promise to promote on 2c.
const FAR_PAWN: &str = "k8/9/9/9/7P1/9/9/9/K8 b - 1";

fn promise(
    sfen: &'static str,
    played: &'static str,
    piece: PieceKind,
    at: &str,
    line: &'static str,
) -> Scene {
    let fact = before(
        Black,
        PromotionUnstoppable {
            piece,
            square: square(at),
        },
        line,
    );
    Scene::after(sfen, played, fact)
        .with_lines([line, ""])
        .with_value_before(300)
}

#[test]
fn promotion_unstoppable_by_the_better_move() {
    let pawn = || promise(FAR_PAWN, "9i9h", PieceKind::Pawn, "2c", "2e2d");
    pawn().holds();
    promise(FAR_PAWN, "9i9h", PieceKind::Pawn, "3c", "2e2d").fails("prevents that P promotes on 3c");
    promise(FAR_PAWN, "9i9h", PieceKind::Lance, "2c", "2e2d").fails("prevents that L promotes on 2c");
    promise(FAR_PAWN, "2e2d", PieceKind::Pawn, "2c", "2e2d").fails("the better move is the one played");
    pawn()
        .changed(|scene| scene.fact.line = moves("2e2d 9a9b"))
        .fails("more than one move");
    pawn()
        .changed(|scene| scene.fact.line.clear())
        .fails("the line is empty");
    pawn()
        .changed(|scene| scene.fact.side = White)
        .fails("not to move");
    pawn()
        .changed(|scene| scene.fact.at = FactPosition::After)
        .fails("illegal");
    pawn()
        .changed(|scene| scene.fact.lead = 2)
        .fails("no lead of 2 moves");
    pawn()
        .changed(|scene| scene.candidates[0][0].0 = "9i8i")
        .fails("2e2d is not the better move");
    let by_pawn = |sfen| promise(sfen, "9i9h", PieceKind::Pawn, "2c", "2e2d");
    by_pawn("k8/6g2/9/9/7P1/9/9/9/K8 b - 1").fails("prevents");
    by_pawn("k6r1/9/9/9/7P1/9/9/9/K8 b - 1").fails("prevents");
    // The lance guards the promoted pawn.
    by_pawn("k8/6g2/9/9/7P1/9/9/9/K6L1 b - 1").holds();
    let near = "k8/9/9/7P1/9/9/9/9/K8 b - 1";
    promise(near, "9i8i", PieceKind::Pawn, "2c", "9i9h").fails("P could promote on 2c before");
    let silver = "k8/9/9/9/6S2/9/9/9/K8 b - 1";
    promise(silver, "9i9h", PieceKind::Silver, "3c", "3e3d").fails("the piece is a silver");
    let checked = "k8/9/8b/9/7P1/9/4K4/9/9 b - 1";
    promise(checked, "5g5h", PieceKind::Pawn, "2c", "2e2d").fails("the side is in check");
    let check = "k8/9/9/9/7P1/9/9/8R/1K7 b - 1";
    promise(check, "8i8h", PieceKind::Pawn, "2c", "1h9h").fails("the other side is in check");
}

#[test]
fn promotion_unstoppable_by_the_played_move() {
    let pawns = |played| {
        promise(
            "k8/9/9/9/5P1P1/9/9/9/K8 b - 1",
            played,
            PieceKind::Pawn,
            "2c",
            "2e2d",
        )
    };
    pawns("9i9h").holds();
    pawns("4e4d").fails("4e4d promises a promotion, too");
    promise(
        "k8/9/9/5P3/7P1/9/9/9/K8 b - 1",
        "9i9h",
        PieceKind::Pawn,
        "2c",
        "2e2d",
    )
    .fails("promises a promotion, too");
    // The played move promises the promotion of a lance.
    promise(
        "k8/9/9/9/7P1/9/9/9/K3L4 b - 1",
        "9i9h",
        PieceKind::Pawn,
        "2c",
        "2e2d",
    )
    .holds();
}

#[test]
fn promotion_unstoppable_after_the_move() {
    let promise = |better, reply| {
        let fact = after(
            White,
            PromotionUnstoppable {
                piece: PieceKind::Pawn,
                square: square("2g"),
            },
            "2e2f",
        );
        let scene = Scene::after("k8/9/9/9/4p2p1/9/9/9/K5N2 b - 1", "3i4g", fact);
        scene.with_lines([better, reply]).with_value_before(300)
    };
    promise("9i9h 9a9b", "2e2f").holds();
    promise("9i9h 5e5f", "2e2f").fails("5e5f promises a promotion, too");
    promise("3i2g 9a9b", "2e2f").fails("2e2f promises a promotion, too");
    promise("3i4g 9a9b", "2e2f").fails("2e2f promises a promotion, too");
    promise("9i9h 9a9b", "9a9b").fails("2e2f is not the engine's reply");
    promise("9i9h", "2e2f").fails("the better line has no reply");
    promise("", "2e2f").fails("there is no better line");
}

#[test]
fn promotion_unstoppable_by_the_loss() {
    let pawn = |lines: &[&'static str], cp| {
        let mut scene = promise(FAR_PAWN, "9i9h", PieceKind::Pawn, "2c", "2e2d");
        scene.candidates = lines.iter().map(|line| vec![(*line, 0)]).collect();
        scene.with_value_before(cp)
    };
    pawn(&["2e2d", ""], 300).holds();
    pawn(&["2e2d", ""], 50).fails("points only");
    pawn(&["2e2d", ""], -300).fails("points only");
    // The value after the move is not known.
    pawn(&["2e2d"], 50).holds();
    let fact = before(
        White,
        PromotionUnstoppable {
            piece: PieceKind::Pawn,
            square: square("8g"),
        },
        "8e8f",
    );
    let white = Scene::after("k8/9/9/9/1p7/9/9/9/8K w - 1", "9a9b", fact).with_lines(["8e8f", ""]);
    white
        .with_value_before(-300)
        .changed(|scene| scene.holds())
        .with_value_before(300)
        .fails("points only");
}

fn king_attack([attackers, in_hand, attacking_moves]: [u8; 3]) -> KingAttack {
    KingAttack {
        attackers,
        in_hand,
        attacking_moves,
    }
}

/// The silver and the gold attack the king.
const ATTACK: &str = "4k4/9/3SG4/9/9/9/9/1R7/4K4 b SP 1";

/// The king walks to 2a.
const ESCAPE: &str = "5a4a 5h5i 4a3a 5i5h 3a2a 5h5i";

/// Two checks.
const CHECKS: &str = "6c6b+ 5a4a 5c4b";

/// An attack that ends after the king moves from 5i, with the better line and the line.
fn attack_ends(
    sfen: &'static str,
    [attack, other]: [[u8; 3]; 2],
    better: &'static str,
    line: &'static str,
) -> Scene {
    let kind = AttackEnds {
        attack: king_attack(attack),
        other: king_attack(other),
    };
    Scene::after(sfen, "5i5h", after(Black, kind, line))
        .with_lines([better, line])
        .with_value_before(300)
}

#[test]
fn attack_ends_by_the_move() {
    let ends = |attack, other| attack_ends(ATTACK, [attack, other], CHECKS, ESCAPE);
    ends([0, 1, 0], [2, 1, 2]).holds();
    for wrong in [[1, 1, 0], [0, 2, 0], [0, 1, 1]] {
        ends(wrong, [2, 1, 2]).fails("at the end of the line");
    }
    for wrong in [[3, 1, 2], [2, 0, 2], [2, 1, 3]] {
        ends([0, 1, 0], wrong).fails("at the end of the better line");
    }
    let with = |change: fn(&mut Scene)| ends([0, 1, 0], [2, 1, 2]).changed(change);
    with(|scene| scene.fact.side = White).fails("not one of the side");
    with(|scene| scene.fact.at = FactPosition::Before).fails("Before the move");
    with(|scene| scene.fact.lead = 2).fails("no lead of 2 moves");
    with(|scene| scene.fact.line.truncate(4)).fails("not the engine's");
    with(|scene| scene.fact.line.extend(moves("2a1a"))).fails("not the engine's");
    with(|scene| scene.candidates[0][0].0 = "5i5h").fails("plays 5i5h, too");
    with(|scene| scene.candidates[0][0].0 = "").fails("no move of the side");
    with(|scene| scene.candidates[1][0].0 = "5a4a").fails("no move of the side");
    ends([0, 1, 0], [2, 1, 2])
        .with_value_before(50)
        .fails("points only");
}

#[test]
fn attack_that_does_not_end() {
    let ends = |counts, better, line| attack_ends(ATTACK, counts, better, line);
    ends([[1, 1, 0], [2, 1, 2]], CHECKS, "5a4a 5h5i 4a3a 5i5h").fails("has 2 moves in the line");
    let check = "5a4a 5h5i 4a3a 5i5h 3a2a 8h8a+";
    ends([[1, 1, 1], [2, 1, 2]], CHECKS, check).fails("attacks along the line");
    ends([[0, 1, 0], [2, 1, 1]], "6c6b+ 5a4a 5i5h", ESCAPE).fails("the better line has 1 attacking moves");
    let stays = "5a4a 5h5i 4a5a 5i5h 5a4a 5h5i";
    ends([[2, 1, 0], [2, 1, 2]], CHECKS, stays)
        .fails("3 attackers and pieces in hand, and 3 before the move");
    // The better line gives two pieces away.
    let (lost, line) = ("S*5b 5a5b 3c4b 5b4b 5i5h", "5a4a 5h5i 4a3a 5i5h 3a2a 5h5i");
    let given = attack_ends(
        "4k4/9/6G2/9/9/9/9/9/3LK4 b S 1",
        [[1, 1, 0], [0, 0, 2]],
        lost,
        line,
    );
    given.fails("2 attackers and pieces in hand, and 0 by the better line");
}

#[test]
fn attack_by_too_few() {
    let counts = [[0, 1, 0], [2, 1, 2]];
    let better = "6c6b+ 5a4a 8h8a+";
    attack_ends("4k4/9/3S5/4G4/9/9/9/1R7/4K4 b SP 1", counts, better, ESCAPE).fails("before the move");
    // The own king is no attacker.
    let line = "5a4a 8d9d 4a3a 9d8d 3a2a 8d9d";
    let by_king = attack_ends("4k4/9/2KS5/4G4/9/9/9/1R7/9 b SP 1", counts, better, line);
    by_king
        .changed(|scene| scene.moves = "7c8d")
        .fails("before the move: KingAttack { attackers: 1,");
}

#[test]
fn attack_by_a_capture_beside_the_king() {
    let sfen = "l3k4/5p3/3S1P3/5G3/9/9/9/1R7/4K4 b S 1";
    let line = "9a9b 5h5i 9b9c 5i5h 9c9d 4c4b";
    attack_ends(sfen, [[2, 1, 1], [3, 1, 0]], "4d5c", line).fails("attacks along the line");
}

/// The gold on 7h can close the bishop in.
const BISHOP: &str = "4k4/6s2/9/9/9/9/P8/1BG6/L1S1K4 b - 1";

fn idle(
    sfen: &'static str,
    piece: PieceKind,
    at: &str,
    safe_moves: [u8; 2],
    lines: [&'static str; 2],
) -> Scene {
    let kind = IdlePiece {
        piece,
        square: square(at),
        safe_moves,
    };
    let scene = Scene::after(sfen, "7h7g", after(Black, kind, lines[1]));
    scene.with_lines(lines).with_value_before(300)
}

#[test]
fn idle_piece() {
    let lines = ["5i5h 5a5b 5h5i", "5a5b 5i5h"];
    let idle = |piece, at, counts| idle(BISHOP, piece, at, counts, lines);
    let bishop = || idle(PieceKind::Bishop, "8h", [0, 6]);
    bishop().holds();
    idle(PieceKind::Bishop, "8h", [1, 6]).fails("safe moves, not");
    idle(PieceKind::Bishop, "8h", [0, 7]).fails("safe moves, not");
    idle(PieceKind::Bishop, "7h", [0, 6]).fails("no B of the side ends on 7h");
    idle(PieceKind::Horse, "8h", [0, 6]).fails("no B of the side ends on 8h");
    idle(PieceKind::Silver, "7i", [0, 6]).fails("is no bishop or rook");
    let with = |change: fn(&mut Scene)| bishop().changed(change);
    with(|scene| scene.fact.side = White).fails("not one of the side");
    with(|scene| scene.fact.at = FactPosition::Before).fails("Before the move");
    with(|scene| scene.fact.lead = 2).fails("no lead of 2 moves");
    with(|scene| scene.fact.line.truncate(1)).fails("not the engine's");
    with(|scene| scene.candidates[0][0].0 = "7h7g 5a5b").fails("plays 7h7g, too");
    with(|scene| scene.candidates[0][0].0 = "5i5h 5a5b 8h2b+").fails("promotes the piece");
    with(|scene| scene.candidates[0][0].0 = "5i5h 5a5b 8h3c 3b3c 5h5i").fails("taken along");
    bishop().with_value_before(50).fails("points only");
}

#[test]
fn piece_that_still_plays() {
    let bishop = |counts, lines| idle(BISHOP, PieceKind::Bishop, "8h", counts, lines);
    let better = "5i5h 5a5b 5h5i";
    bishop([6, 6], [better, "5a5b 7g6g"]).fails("it has 6 safe moves");
    bishop([0, 1], ["9g9f 5a5b 7h7g", "5a5b 5i5h"]).fails("it has 1 safe moves only");
    bishop([1, 6], [better, "5a5b 9g9f"]).holds();
    // The piece moves along the better line, or along the line.
    bishop([0, 6], ["5i5h 5a5b 8h5e 5b5a", "5a5b 5i5h"]).fails("safe moves, not");
    bishop([1, 6], [better, "5a5b 9g9f 5b5a 8h9g 5a5b 9g8h"]).holds();
    let closed_before = "4k4/6s2/9/9/9/9/P1P6/1B7/L1S1K4 b - 1";
    let before = idle(
        closed_before,
        PieceKind::Bishop,
        "8h",
        [0, 6],
        ["7g7f 5a5b 5i5h", "5a5b 5h5i"],
    );
    before
        .changed(|scene| scene.moves = "5i5h")
        .fails("before the move it has 0 safe moves only");
}

#[test]
fn piece_that_does_not_stay() {
    let lance = "4k4/1l4s2/9/9/9/9/P8/1BG6/L1S1K4 b - 1";
    idle(
        lance,
        PieceKind::Bishop,
        "8h",
        [0, 6],
        ["5i5h 5a5b 5h5i", "5a5b 5i5h"],
    )
    .fails("the captures that follow");
    let rook = |lines| {
        idle(
            "4k4/6s2/9/9/9/9/P8/1BG5R/L1S1K4 b - 1",
            PieceKind::Bishop,
            "8h",
            [0, 6],
            lines,
        )
    };
    rook(["5i5h 5a5b 5h5i", "3b2c 1h1a+"]).fails("a line ends with a check");
    rook(["5i5h 3b2c 1h1a+", "5a5b 5i5h"]).fails("a line ends with a check");
}

#[test]
fn piece_that_is_promoted_along_the_line() {
    let kind = IdlePiece {
        piece: PieceKind::Dragon,
        square: square("2c"),
        safe_moves: [0, 6],
    };
    let scene = Scene::after(
        "4k4/9/9/7R1/9/9/9/9/4K4 b - 1",
        "5i5h",
        after(Black, kind, "5a5b 2d2c+"),
    );
    scene
        .with_lines(["5i6h", "5a5b 2d2c+"])
        .fails("promoted or dropped");
}
