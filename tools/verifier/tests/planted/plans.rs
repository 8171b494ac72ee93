use crate::support::{Scene, after, before, moves, square};
use shogibar_facts::FactKind::{AttackEnds, IdlePiece, Initiative, PromotionUnstoppable};
use shogibar_facts::{FactPosition, Forcing, KingAttack};
use shogibar_shogi::Color::{Black, White};
use shogibar_shogi::PieceKind;

fn changed(mut scene: Scene, change: fn(&mut Scene)) -> Scene {
    change(&mut scene);
    scene
}

#[test]
fn promotion_unstoppable_by_the_better_move() {
    let promise = |sfen, played, piece, at, line| {
        let fact = before(Black, PromotionUnstoppable { piece, square: square(at) }, line);
        Scene::after(sfen, played, fact).with_lines([line])
    };
    let far = "k8/9/9/9/7P1/9/9/9/K8 b - 1";
    let pawn = || promise(far, "9i9h", PieceKind::Pawn, "2c", "2e2d");
    pawn().holds();
    promise(far, "9i9h", PieceKind::Pawn, "3c", "2e2d").fails("prevents that P promotes on 3c");
    promise(far, "9i9h", PieceKind::Silver, "2c", "2e2d").fails("prevents that S promotes on 2c");
    promise(far, "2e2d", PieceKind::Pawn, "2c", "2e2d").fails("the better move is the one played");
    changed(pawn(), |scene| scene.fact.line = moves("2e2d 9a9b")).fails("more than one move");
    changed(pawn(), |scene| scene.fact.line.clear()).fails("the line is empty");
    changed(pawn(), |scene| scene.fact.side = White).fails("not to move");
    changed(pawn(), |scene| scene.fact.at = FactPosition::After).fails("illegal");
    changed(pawn(), |scene| scene.fact.lead = 2).fails("no lead of 2 moves");
    changed(pawn(), |scene| scene.candidates[0][0].0 = "9i8i").fails("2e2d is not the better move");
    let near = "k8/9/9/7P1/9/9/9/9/K8 b - 1";
    promise(near, "9i8i", PieceKind::Pawn, "2c", "9i9h").fails("P could promote on 2c before");
    let guarded = "k8/6g2/9/9/7P1/9/9/9/K8 b - 1";
    promise(guarded, "9i9h", PieceKind::Pawn, "2c", "2e2d").fails("prevents");
    let takes = "k6r1/9/9/9/7P1/9/9/9/K8 b - 1";
    promise(takes, "9i9h", PieceKind::Pawn, "2c", "2e2d").fails("prevents");
    // The lance guards the promoted pawn.
    let supported = "k8/6g2/9/9/7P1/9/9/9/K6L1 b - 1";
    promise(supported, "9i9h", PieceKind::Pawn, "2c", "2e2d").holds();
    let check = "k8/9/9/9/7P1/9/9/8R/1K7 b - 1";
    promise(check, "8i8h", PieceKind::Pawn, "2c", "1h9h").fails("in check");
    // Each silver can come to 4c.
    let silvers = |played| promise("k8/9/9/9/4S1S2/9/9/9/K8 b - 1", played, PieceKind::Silver, "4c", "3e3d");
    silvers("9i9h").holds();
    silvers("5e5d").fails("5e5d promises the promotion, too");
}

#[test]
fn promotion_unstoppable_after_the_move() {
    let promise = |better, reply| {
        let fact = after(White, PromotionUnstoppable { piece: PieceKind::Pawn, square: square("2g") }, "2e2f");
        Scene::after("k8/9/9/9/7p1/9/9/9/K5N2 b - 1", "3i4g", fact).with_lines([better, reply])
    };
    promise("9i9h", "2e2f").holds();
    promise("3i2g", "2e2f").fails("2e2f promises the promotion, too");
    promise("3i4g", "2e2f").fails("2e2f promises the promotion, too");
    promise("9i9h", "9a9b").fails("2e2f is not the engine's reply");
    promise("", "2e2f").fails("there is no better line");
}

/// The rook checks from 9a, or attacks the silver from 3h.
const ROOK: &str = "4k4/9/9/6s2/9/9/9/7R1/4K4 b - 1";

fn initiative(sfen: &'static str, played: &'static str, forcing: Forcing, line: &'static str) -> Scene {
    Scene::after(sfen, played, before(Black, Initiative { forcing }, line)).with_lines([line])
}

#[test]
fn initiative_by_a_check() {
    let check = |played, line| initiative(ROOK, played, Forcing::Check, line);
    check("5i5h", "2h2a+").holds();
    check("5i5h", "2h2b").fails("2h2b gives no check");
    check("2h5h", "2h2a+").fails("2h5h gives check, too");
    check("2h3h", "2h2a+").fails("2h3h threatens the piece on 3d");
    changed(check("5i5h", "2h2a+"), |scene| scene.fact.line = moves("2h2a+ 5a5b")).fails("more than one move");
    changed(check("5i5h", "2h2a+"), |scene| scene.fact.line.clear()).fails("the line is empty");
    changed(check("5i5h", "2h2a+"), |scene| scene.fact.side = White).fails("not to move");
    changed(check("5i5h", "2h2a+"), |scene| scene.fact.lead = 2).fails("no lead of 2 moves");
    changed(check("5i5h", "2h2a+"), |scene| scene.candidates[0][0].0 = "2h2b").fails("2h2a+ is not the better move");
    let mate = changed(check("5i5h", "2h2a+"), |scene| scene.fact.kind = Initiative { forcing: Forcing::Mate });
    mate.fails("a pass while in check");
}

/// A gold in front of the king would threaten a mate by the other.
const APPROACH: &str = "4k4/9/p8/4G4/9/9/9/9/4K4 b G 1";

#[test]
fn initiative_by_a_threat_of_mate() {
    let mate = |sfen, played, line| initiative(sfen, played, Forcing::Mate, line);
    mate(APPROACH, "5i5h", "5d5c").holds();
    mate(APPROACH, "5i5h", "5d6d").fails("there is no mate");
    mate("4k4/9/p3P4/9/9/9/9/9/4K4 b G 1", "5i4i", "5i5h").fails("before the move already");
    let check = changed(mate(APPROACH, "5i5h", "5d5c"), |scene| {
        scene.fact.kind = Initiative { forcing: Forcing::Check };
    });
    check.fails("5d5c gives no check");
    let golds = "4k4/9/p8/3GG4/9/9/9/9/4K4 b G 1";
    mate(golds, "6d5c", "5d5c").fails("6d5c makes a threat of mate, too");
    mate(golds, "5i5h", "5d5c").holds();
}

#[test]
fn initiative_by_an_attack_on_a_piece() {
    let attack =
        |sfen, played, piece, at, line| initiative(sfen, played, Forcing::Piece { piece, square: square(at) }, line);
    attack(ROOK, "5i5h", PieceKind::Silver, "3d", "2h3h").holds();
    attack(ROOK, "5i5h", PieceKind::Gold, "3d", "2h3h").fails("no G of the opponent stands on 3d");
    attack(ROOK, "5i5h", PieceKind::Silver, "3e", "2h3h").fails("no S of the opponent stands on 3e");
    attack(ROOK, "5i5h", PieceKind::Rook, "3h", "2h3h").fails("no R of the opponent stands on 3h");
    attack(ROOK, "5i5h", PieceKind::King, "5a", "2h3h").fails("less than a knight");
    attack(ROOK, "5i5h", PieceKind::Silver, "3d", "2h4h").fails("the captures on 3d gain 0");
    attack(ROOK, "5i5h", PieceKind::Silver, "3d", "2h5h").fails("a pass while in check");
    attack(ROOK, "2h2d", PieceKind::Silver, "3d", "2h3h").fails("2h2d threatens the piece on 3d");
    let lance = "4k4/9/9/6l2/9/9/9/7R1/4K4 b - 1";
    attack(lance, "5i5h", PieceKind::Lance, "3d", "2h3h").fails("less than a knight");
    let guarded = "4k4/9/5p3/6s2/5p3/9/9/7R1/4K4 b - 1";
    attack(guarded, "5i5h", PieceKind::Silver, "3d", "2h3h").holds();
    let guarded = "4k4/9/6p2/6s2/9/9/9/7R1/4K4 b - 1";
    attack(guarded, "5i5h", PieceKind::Silver, "3d", "2h3h").fails("the captures on 3d gain 0");
    // The silver was attacked before.
    let attacked = "4k4/9/9/6s2/9/9/9/6R2/4K4 b - 1";
    attack(attacked, "5i5h", PieceKind::Silver, "3d", "3h3g").fails("gained 50 before");
    // White takes more.
    let counter = "4k3r/9/9/6s2/8G/9/9/7R1/4K4 b - 1";
    attack(counter, "5i5h", PieceKind::Silver, "3d", "2h3h").fails("more than 50");
}

#[test]
fn initiative_of_the_reply() {
    let lets = |forcing, line, better: &'static str| {
        let sfen = "4k4/7r1/9/9/6S2/9/9/9/4K4 b - 1";
        Scene::after(sfen, "5i5h", after(White, Initiative { forcing }, line)).with_lines([better, line])
    };
    let piece = |piece, at| Forcing::Piece { piece, square: square(at) };
    let silver = |better| lets(piece(PieceKind::Silver, "3e"), "2b3b", better);
    silver("3e3d 5a4a").fails("2b3b threatens the piece on 3d");
    silver("3e2d 5a4a").holds();
    silver("3e4d 5a4a").holds();
    silver("3e4d 2b4b").fails("2b4b threatens the piece on 4d");
    silver("3e4d").fails("the better line has no reply");
    silver("").fails("there is no better line");
    silver("5i5h 5a4a").fails("2b3b threatens the piece on 3e");
    lets(Forcing::Check, "2b2h+", "5i9i 5a4a").fails("illegal");
    lets(Forcing::Check, "2b2h+", "3e4d 5a4a").holds();
    lets(Forcing::Check, "2b2h+", "5i4h 5a4a").fails("2b2h+ gives check, too");
    changed(silver("3e4d 5a4a"), |scene| scene.candidates[1][0].0 = "5a4a").fails("2b3b is not the engine's reply");
    changed(silver("3e4d 5a4a"), |scene| scene.fact.at = FactPosition::Before).fails("illegal");
}

#[test]
fn initiative_that_is_not_decided() {
    let rich = "4k4/9/p8/4G4/9/9/9/9/4K4 b BGN 1";
    initiative(rich, "5i5h", Forcing::Mate, "5d5c").is_undecided("before the move already");
}

fn king_attack([attackers, in_hand, attacking_moves]: [u8; 3]) -> KingAttack {
    KingAttack { attackers, in_hand, attacking_moves }
}

#[test]
fn attack_ends() {
    const START: &str = "4k4/9/3S5/5G3/9/9/9/1R7/4K4 b SP 1";
    let [attack, other] = [king_attack([1, 1, 0]), king_attack([3, 1, 1])];
    let ends = |attack, other| {
        let fact = after(Black, AttackEnds { attack, other }, "5a4a 5h5i");
        Scene::after(START, "5i5h", fact).with_lines(["4d4c 5a4a 8h8a+", "5a4a 5h5i 4a4b"])
    };
    ends(attack, other).holds();
    for wrong in [
        KingAttack { attackers: 2, ..attack },
        KingAttack { in_hand: 2, ..attack },
        KingAttack { attacking_moves: 1, ..attack },
    ] {
        ends(wrong, other).fails("at the end of the line");
    }
    for wrong in [
        KingAttack { attackers: 4, ..other },
        KingAttack { in_hand: 0, ..other },
        KingAttack { attacking_moves: 2, ..other },
    ] {
        ends(attack, wrong).fails("at the end of the better line");
    }
    let with = |change| changed(ends(attack, other), change);
    with(|scene| scene.fact.side = White).fails("not one of the side");
    with(|scene| scene.fact.at = FactPosition::Before).fails("Before the move");
    with(|scene| scene.fact.lead = 2).fails("no lead of 2 moves");
    with(|scene| scene.fact.line.truncate(1)).fails("not the engine's");
    with(|scene| scene.fact.line = moves("5a4a 5h5i 4a4b")).fails("not the engine's");
    with(|scene| scene.candidates[0][0].0 = "5i5h").fails("plays 5i5h, too");
    with(|scene| scene.candidates[0][0].0 = "").fails("no move of the side");
    with(|scene| scene.candidates[1][0].0 = "5a4a").fails("no move of the side");
}

#[test]
fn attack_that_does_not_end() {
    let ends = |attack, other, lines: [&'static str; 2], line| {
        let [attack, other] = [king_attack(attack), king_attack(other)];
        let sfen = "4k4/9/3S5/5G3/9/9/9/1R7/4K4 b SP 1";
        Scene::after(sfen, "5i5h", after(Black, AttackEnds { attack, other }, line)).with_lines(lines)
    };
    let better = "4d4c 5a4a 8h8a+";
    ends([2, 1, 1], [3, 1, 1], [better, "5a4a 8h8a+"], "5a4a 8h8a+").fails("attacks along the line");
    ends([1, 1, 0], [2, 1, 0], ["4d4c 5a4a 5i5h", "5a4a 5h5i"], "5a4a 5h5i").fails("does not attack along the better");
    ends([2, 1, 0], [3, 1, 1], [better, "5a4a 4d4c"], "5a4a 4d4c").fails("has 1 attackers more");
    ends([1, 1, 0], [2, 1, 1], ["8h8a+", "5a4a 5h5i"], "5a4a 5h5i").fails("has 1 attackers more");
    ends([1, 1, 0], [3, 0, 1], ["4d4c 5a4a S*5b", "5a4a 5h5i"], "5a4a 5h5i").fails("the hand has more pieces");
}

#[test]
fn attack_by_a_capture_beside_the_king() {
    let kind = AttackEnds { attack: king_attack([2, 1, 1]), other: king_attack([3, 1, 0]) };
    let sfen = "l3k4/5p3/3S1P3/5G3/9/9/9/1R7/4K4 b S 1";
    let scene = Scene::after(sfen, "5i5h", after(Black, kind, "9a9b 4c4b"));
    scene.with_lines(["4d5c", "9a9b 4c4b"]).fails("attacks along the line");
}

#[test]
fn attack_with_many_attackers_left() {
    let kind = AttackEnds { attack: king_attack([3, 1, 0]), other: king_attack([5, 1, 1]) };
    let sfen = "4k4/9/3S2P2/4NG3/9/9/9/1R7/4K4 b SP 1";
    let scene = Scene::after(sfen, "5i5h", after(Black, kind, "5a4a 5h5i"));
    scene.with_lines(["4d4c 5a4a 8h8a+", "5a4a 5h5i"]).fails("3 attackers remain");
}

#[test]
fn idle_piece() {
    const START: &str = "4k4/6s2/9/9/9/9/P1P6/1B7/L1S1K4 b - 1";
    let idle = |piece, at, counts: [u8; 2]| {
        let [safe_moves, other_safe_moves] = counts;
        let kind = IdlePiece { piece, square: square(at), safe_moves, other_safe_moves };
        Scene::after(START, "5i5h", after(Black, kind, "5a5b 5h5i")).with_lines(["7g7f 5a5b 5i5h", "5a5b 5h5i 5b5a"])
    };
    let bishop = || idle(PieceKind::Bishop, "8h", [0, 6]);
    bishop().holds();
    idle(PieceKind::Bishop, "8h", [1, 6]).fails("safe moves, not");
    idle(PieceKind::Bishop, "8h", [0, 7]).fails("safe moves, not");
    idle(PieceKind::Bishop, "7h", [0, 6]).fails("no B of the side ends on 7h");
    idle(PieceKind::Horse, "8h", [0, 6]).fails("no B of the side ends on 8h");
    idle(PieceKind::Silver, "7i", [0, 6]).fails("is no bishop or rook");
    let with = |change| changed(bishop(), change);
    with(|scene| scene.fact.side = White).fails("not one of the side");
    with(|scene| scene.fact.at = FactPosition::Before).fails("Before the move");
    with(|scene| scene.fact.lead = 2).fails("no lead of 2 moves");
    with(|scene| scene.fact.line.truncate(1)).fails("not the engine's");
    with(|scene| scene.candidates[0][0].0 = "5i5h 5a5b").fails("plays 5i5h, too");
    with(|scene| scene.candidates[0][0].0 = "7g7f 5a5b 8h2b+").fails("promotes the piece");
    with(|scene| scene.candidates[0][0].0 = "7g7f 5a5b 8h3c 3b3c 5i5h").fails("taken along");
}

#[test]
fn piece_that_still_plays() {
    let idle = |counts: [u8; 2], lines: [&'static str; 2], line| {
        let [safe_moves, other_safe_moves] = counts;
        let kind = IdlePiece { piece: PieceKind::Bishop, square: square("8h"), safe_moves, other_safe_moves };
        let sfen = "4k4/6s2/9/9/9/9/P1P6/1B7/L1S1K4 b - 1";
        Scene::after(sfen, "5i5h", after(Black, kind, line)).with_lines(lines)
    };
    let better = "7g7f 5a5b 5i5h";
    idle([6, 6], [better, "5a5b 7g7f"], "5a5b 7g7f").fails("it has 6 safe moves");
    idle([0, 1], ["9g9f 5a5b 5i5h", "5a5b 5h5i"], "5a5b 5h5i").fails("it has 1 safe moves only");
    idle([1, 6], [better, "5a5b 9g9f"], "5a5b 9g9f").fails("it has 6 safe moves only");
    // The piece moves along the better line, or along the line.
    idle([0, 5], ["7g7f 5a5b 8h5e 5b5a", "5a5b 5h5i"], "5a5b 5h5i").fails("safe moves, not");
    idle([1, 6], [better, "5a5b 9g9f 5b5a 8h9g 5a5b 9g8h"], "5a5b 9g9f 5b5a 8h9g 5a5b 9g8h").fails("6 safe moves only");
}

#[test]
fn piece_that_is_promoted_along_the_line() {
    let kind = IdlePiece { piece: PieceKind::Dragon, square: square("2c"), safe_moves: 0, other_safe_moves: 6 };
    let scene = Scene::after("4k4/9/9/7R1/9/9/9/9/4K4 b - 1", "5i5h", after(Black, kind, "5a5b 2d2c+"));
    scene.with_lines(["5i6h", "5a5b 2d2c+"]).fails("promoted or dropped");
}
