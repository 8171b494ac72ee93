use crate::support::{Scene, after, before, moves, square};
use shogibar_facts::FactKind::Initiative;
use shogibar_facts::FactPosition;
use shogibar_shogi::Color::{Black, White};
use shogibar_shogi::PieceKind;

/// The rook can attack the silver from 3h.
const ROOK: &str = "4k4/9/9/6s2/9/9/9/7R1/4K4 b - 1";

fn attack(sfen: &'static str, played: &'static str, piece: PieceKind, at: &str, line: &'static str) -> Scene {
    let fact = before(
        Black,
        Initiative {
            piece,
            square: square(at),
        },
        line,
    );
    Scene::after(sfen, played, fact)
        .with_lines([line, ""])
        .with_value_before(300)
}

/// The rook attacks a silver on 3d.
fn by_rook(sfen: &'static str, line: &'static str) -> Scene {
    attack(sfen, "5i5h", PieceKind::Silver, "3d", line)
}

#[test]
fn initiative_by_the_better_move() {
    let rook = || by_rook(ROOK, "2h3h 3d4e");
    rook().holds();
    rook()
        .changed(|scene| scene.fact.line = moves("2h3h"))
        .fails("not two moves");
    rook()
        .changed(|scene| scene.fact.line = moves("2h3h 3d4e 5i5h"))
        .fails("not two moves");
    rook()
        .changed(|scene| scene.fact.line.clear())
        .fails("the line is empty");
    rook()
        .changed(|scene| scene.fact.line = moves("2h3h 3d2e"))
        .fails("the answer is not the engine's");
    rook()
        .changed(|scene| scene.fact.side = White)
        .fails("not to move");
    rook()
        .changed(|scene| scene.fact.at = FactPosition::After)
        .fails("illegal");
    rook()
        .changed(|scene| scene.fact.lead = 2)
        .fails("no lead of 2 moves");
    rook()
        .changed(|scene| scene.candidates[0][0].0 = "2h2b 3d4e")
        .fails("2h3h is not the better move");
    rook()
        .changed(|scene| scene.moves = "2h3h")
        .fails("the better move is the one played");
    rook().with_value_before(50).fails("points only");
    by_rook(ROOK, "2h2a+ 5a5b").fails("2h2a+ gives check");
    by_rook("4k4/9/9/6s2/9/9/9/r5K2/6R2 b - 1", "3h4g 3d4e")
        .changed(|scene| scene.moves = "3h2g")
        .fails("in check");
    by_rook("4k4/9/9/6s2/9/9/9/6pR1/4K4 b - 1", "2h3h 3d4e").holds();
    by_rook("4k4/9/9/6s2/9/9/9/6nR1/4K4 b - 1", "2h3h 3d4e").fails("2h3h gains 40");
    let promotion = "4k4/9/6s2/5P3/9/9/9/9/4K4 b - 1";
    attack(promotion, "5i5h", PieceKind::Silver, "3c", "4d4c+ 3c2d").fails("4d4c+ gains 30");
}

#[test]
fn initiative_by_the_attacked_piece() {
    let rook = |sfen, piece, at, line| attack(sfen, "5i5h", piece, at, line);
    rook(ROOK, PieceKind::Gold, "3d", "2h3h 3d4e").fails("no G of the opponent stands on 3d");
    rook(ROOK, PieceKind::Silver, "3e", "2h3h 3d4e").fails("no S of the opponent stands on 3e");
    rook(ROOK, PieceKind::Rook, "3h", "2h3h 3d4e").fails("no R of the opponent stands on 3h");
    rook(ROOK, PieceKind::King, "5a", "2h3h 3d4e").fails("less than a knight");
    rook(ROOK, PieceKind::Silver, "3d", "2h4h 3d4e").fails("the captures on 3d gain 0");
    let lance = "4k4/9/9/6l2/9/9/9/7R1/4K4 b - 1";
    rook(lance, PieceKind::Lance, "3d", "2h3h 5a4a").fails("less than a knight");
    let beside_a_pawn = "4k4/9/5p3/6s2/5p3/9/9/7R1/4K4 b - 1";
    by_rook(beside_a_pawn, "2h3h 3d2e").holds();
    by_rook("4k4/9/6p2/6s2/9/9/9/7R1/4K4 b - 1", "2h3h 3d4e").fails("the captures on 3d gain 0");
    let fork = "4k4/9/9/9/5s2n/9/9/7R1/4K4 b - 1";
    rook(fork, PieceKind::Silver, "4e", "2h2e 4e4f").holds();
    rook(fork, PieceKind::Knight, "1e", "2h2e 1e2g").fails("gain 40, and others 50");
    let twins = "4k4/9/9/9/5s2s/9/9/7R1/4K4 b - 1";
    rook(twins, PieceKind::Silver, "4e", "2h2e 4e4f").holds();
    by_rook("4k4/9/9/6s2/9/9/9/6R2/4K4 b - 1", "3h3g 3d4e").fails("gained 50 before");
    // The rook doubles the gain by the lance.
    let doubled = "4k4/6l2/9/6g2/9/6L2/9/7R1/4K4 b - 1";
    rook(doubled, PieceKind::Gold, "3d", "2h3h 3d4d").fails("gained 30 before, and 60 after");
    // The rook on 1a takes something instead.
    by_rook("4k3r/9/9/6s2/8P/9/9/7R1/4K4 b - 1", "2h3h 3d4e").holds();
    by_rook("4k3r/9/9/6s2/8N/9/9/7R1/4K4 b - 1", "2h3h 3d4e").fails("captures by the opponent gain 40");
}

#[test]
fn initiative_by_the_answer() {
    by_rook(ROOK, "2h3h 5a4a").fails("after 5a4a the captures on 3d still gain 50");
    by_rook(ROOK, "2h3h 3d3e").fails("after 3d3e the captures on 3e still gain 50");
    by_rook("4k4/5g3/9/6s2/9/9/9/7R1/4K4 b - 1", "2h3h 4b4c").holds();
    let rooks = "l3k4/9/9/6s2/9/9/9/r6R1/4K1G2 b - 1";
    by_rook(rooks, "2h3h 9h3h")
        .changed(|scene| scene.moves = "5i6i")
        .fails("9h3h captures a piece that moved and is no pawn");
    // A pawn attacks the silver, and is taken.
    by_rook("4k4/9/9/6s2/9/6P2/9/9/4K4 b - 1", "3f3e 3d3e").holds();
    by_rook("4k4/9/9/6sg1/9/6P2/9/9/4K1L2 b - 1", "3f3e 2d3e").fails("the captures on 3e gain 30 in return");
    let king = "4k4/9/9/5ps2/9/4K4/9/7R1/9 b - 1";
    by_rook(king, "2h3h 3d4e")
        .changed(|scene| scene.moves = "2h2g")
        .fails("3d4e gives check");
    let knight = "4k4/9/9/6s1N/9/9/9/7R1/4K4 b - 1";
    by_rook(knight, "2h3h 3d4e").holds();
    by_rook(knight, "2h3h 3d2c").fails("3d2c threatens captures that gain 40");
    let mated = "4k4/9/9/6s2/9/7R1/4p4/9/4K4 b g 1";
    by_rook(mated, "2f3f 3d4c")
        .changed(|scene| scene.moves = "2f2g")
        .fails("there is a mate by the opponent after 3d4c");
    let rich = "4k4/9/9/6s2/9/P8/9/7R1/4K4 b b2nl 1";
    by_rook(rich, "2h3h 3d4e").is_undecided("by the opponent after 3d4e");
}

#[test]
fn initiative_by_the_played_move() {
    let played = |sfen, played| by_rook(sfen, "2h3h 3d2e").changed(|scene| scene.moves = played);
    played(ROOK, "2h5h").fails("2h5h gives check, too");
    played(ROOK, "2h2d").fails("2h2d attacks the piece on 3d");
    let golds = "4k4/7p1/9/4G1s2/9/9/9/7R1/4K4 b G 1";
    played(golds, "5i5h").holds();
    played(golds, "5d5c").fails("5d5c makes a threat of mate, too");
    // No mate is known.
    played("4k4/9/9/6s2/9/9/9/7R1/4K4 b B2NL 1", "5i5h").holds();
}

#[test]
fn initiative_of_the_reply() {
    let lets = |better: &'static str| {
        let fact = after(
            White,
            Initiative {
                piece: PieceKind::Silver,
                square: square("3e"),
            },
            "2b3b 3e4d",
        );
        let scene = Scene::after("4k4/7r1/9/9/6S2/9/9/9/4K4 b L 1", "5i5h", fact);
        scene.with_lines([better, "2b3b 3e4d"]).with_value_before(300)
    };
    lets("3e3d 5a4a").fails("2b3b attacks the piece on 3d");
    lets("3e2d 5a4a").holds();
    lets("3e4d 5a4a").holds();
    lets("3e4d 2b4b").fails("2b4b attacks the piece on 4d");
    lets("3e4d").fails("the better line has no reply");
    lets("").fails("there is no better line");
    lets("5i5h 5a4a").fails("2b3b attacks the piece on 3e");
    // After a check the same reply is illegal.
    lets("L*5c 5a4a").holds();
    let silver = || lets("3e4d 5a4a");
    silver()
        .changed(|scene| scene.candidates[1][0].0 = "5a4a 3e4d")
        .fails("2b3b is not the engine's reply");
    silver()
        .changed(|scene| scene.candidates[1][0].0 = "2b3b 5h5i")
        .fails("the answer is not the engine's");
    silver()
        .changed(|scene| scene.fact.at = FactPosition::Before)
        .fails("illegal");
    silver().with_value_before(50).fails("points only");
}
