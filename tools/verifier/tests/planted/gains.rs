use crate::support::{Scene, after, before, square};
use shogibar_facts::FactKind::{self, LetsPromote, LosesMaterial, LosesPiece, Promotes, WinsPiece};
use shogibar_facts::{Exchange, Gain};
use shogibar_shogi::Color::{Black, White};
use shogibar_shogi::PieceKind;

const BISHOP_LOOKS_AT_ROOK: &str = "k8/9/9/9/4b4/9/P8/7R1/4K4 b - 1";

#[test]
fn loses_piece() {
    let loses = |piece, at, gain, line| {
        let kind = LosesPiece {
            piece,
            square: square(at),
            gain: Gain(gain),
        };
        Scene::after(BISHOP_LOOKS_AT_ROOK, "9g9f", after(Black, kind, line))
    };
    loses(PieceKind::Rook, "2h", -110, "5e2h+").holds();
    loses(PieceKind::Rook, "2h", -109, "5e2h+").fails("the gain is -110");
    loses(PieceKind::Rook, "2h", 110, "5e2h+").fails("loses nothing");
    loses(PieceKind::Rook, "2g", -110, "5e2h+").fails("no R of Black is taken on 2g");
    loses(PieceKind::Gold, "2h", -110, "5e2h+").fails("no G of Black is taken on 2h");
    loses(PieceKind::Rook, "2h", -110, "5e2h+ 5i2h").fails("illegal");
    let kind = LosesPiece {
        piece: PieceKind::Rook,
        square: square("2h"),
        gain: Gain(-110),
    };
    Scene::after(BISHOP_LOOKS_AT_ROOK, "9g9f", before(Black, kind.clone(), "5e2h+")).fails("Before the move");
    Scene::after(BISHOP_LOOKS_AT_ROOK, "9g9f", after(White, kind, "5e2h+")).fails("not one of the side");
}

const BISHOP_LOOKS_AT_PAWN: &str = "k8/9/9/9/4b4/9/P8/7P1/4K4 b - 1";

/// A move of Black that loses material, with the line of the better move.
fn loses_material(
    sfen: &'static str,
    played: &'static str,
    gain: i32,
    line: &str,
    better: &'static str,
) -> Scene {
    let mut scene = Scene::after(
        sfen,
        played,
        after(Black, LosesMaterial { gain: Gain(gain) }, line),
    );
    scene.candidates = vec![vec![(better, 0)]];
    scene
}

#[test]
fn loses_material_along_the_line() {
    let loses = |gain, line| loses_material(BISHOP_LOOKS_AT_PAWN, "9g9f", gain, line, "2h2g");
    loses(-20, "5e2h+").holds();
    loses(-19, "5e2h+").fails("the gain is -20, not -19");
    loses(20, "5e2h+").fails("loses nothing");
    loses(0, "5e4f").fails("loses nothing");
    loses(-20, "5e2h+ 5i2h").fails("illegal");
    loses(-20, "5e2h+ 9f9e 2h3g").fails("ends with a check");
    loses(-20, "5e2h+ 9f9e 2h1h").holds();
    let mut elsewhere = loses(-20, "5e2h+");
    elsewhere.fact = before(Black, LosesMaterial { gain: Gain(-20) }, "9g9f 5e2h+");
    elsewhere.fails("Before the move");
    let mut other = loses(-20, "5e2h+");
    other.fact.side = White;
    other.fails("not one of the side");
    let mut named = loses(-20, "5e2h+");
    let piece = LosesPiece {
        piece: PieceKind::Pawn,
        square: square("2h"),
        gain: Gain(-20),
    };
    named.other_facts = vec![after(White, piece.clone(), "5e2h+")];
    named.holds();
    named.other_facts = vec![after(Black, piece, "5e2h+")];
    named.fails("stands beside it");
}

/// The rook takes one pawn, then the other. Either pawn alone can leave.
const ROOK_LOOKS_AT_PAWNS: &str = "k8/9/9/9/r3P2P1/9/9/9/8K b - 1";

#[test]
fn loses_material_with_captures_beyond_the_line() {
    let saves = "5e5d 9e9d 2e2d 9d9e";
    let pawns = |gain, line| loses_material(ROOK_LOOKS_AT_PAWNS, "1i1h", gain, line, saves);
    pawns(-20, "9e5e 1h1i 5e2e").holds();
    // White is to move, and captures the other pawn.
    pawns(-10, "9e5e 1h1i").holds();
    pawns(-10, "9e5e").fails("the gain is -10 with");
    pawns(-10, "9e5e 2e2d").fails("the gain is -10 with");
    // The silver captures the horse.
    let guarded = "k8/9/9/9/4b4/9/P8/7P1/4K1S2 b - 1";
    loses_material(guarded, "9g9f", -20, "5e2h+", "2h2g").fails("the gain is 70 with");
    loses_material(guarded, "9g9f", -20, "5e2h+ 9f9e 2h1h", "2h2g").holds();
    // The move itself captures a pawn, or promotes one.
    let takes = "k8/9/9/9/4b4/p8/P8/7P1/4K4 b - 1";
    loses_material(takes, "9g9f", -20, "5e2h+", "2h2g").fails("the gain is -10 with");
    let promotes = "k8/9/9/P8/4b4/9/9/7P1/4K4 b - 1";
    loses_material(promotes, "9d9c+", -20, "5e2h+", "2h2g").fails("the gain is 10 with");
    loses_material(promotes, "9d9c", -20, "5e2h+", "2h2g").holds();
}

#[test]
fn loses_material_against_the_better_line() {
    let better = |line| loses_material(BISHOP_LOOKS_AT_PAWN, "9g9f", -20, "5e2h+", line);
    better("9g9f").fails("the better move is the one played");
    better("2h2f").fails("the better move 2h2f is illegal");
    better("").fails("there is no better line");
    better("5i5h 5e2h+").fails("-20 along the better line");
    // White is to move, and captures the pawn.
    better("5i5h").fails("-20 along the better line");
    // An illegal move and the moves after it do not count.
    better("2h2g 9a9d").holds();
    better("5i5h 9a9d 2h2g").fails("-20 along the better line");
    // The bishop takes the other pawn: by the 16th ply, and by the 18th, which does not count.
    better("2h2g 5e6d 5i5h 6d9g+").fails("-20 along the better line");
    let sixteen = "2h2g 9a9b 5i5h 9b9a 5h5i 9a9b 5i5h 9b9a 5h5i 9a9b 5i5h 9b9a 5h5i 5e6d 5i5h 6d9g+";
    better(sixteen).fails("-20 along the better line");
    better("2h2g 9a9b 5i5h 9b9a 5h5i 9a9b 5i5h 9b9a 5h5i 9a9b 5i5h 9b9a 5h5i 9a9b 5i5h 5e6d 5h5i 6d9g+")
        .holds();
    let mut none = better("2h2g");
    none.candidates.clear();
    none.fails("there is no better line");
    // One pawn of two is lost along the better line, too.
    let pawns = |line| loses_material(ROOK_LOOKS_AT_PAWNS, "1i1h", -20, "9e5e 1h1i 5e2e", line);
    pawns("2e2d").fails("the gain is -20, and -10 along the better line");
    pawns("2e2d 9e9d 5e5d").fails("-10 along the better line");
    pawns("2e2d 9e9f 5e5d").holds();
}

#[test]
fn wins_piece() {
    let wins = |sfen, piece, gain| {
        let kind = WinsPiece {
            piece,
            square: square("2h"),
            gain: Gain(gain),
        };
        Scene::new(sfen, after(White, kind, "5e2h+"))
    };
    wins("k8/9/9/9/4b4/9/P8/7R1/4K4 w - 1", PieceKind::Rook, 110).holds();
    wins("k8/9/9/9/4b4/9/P8/7P1/4K4 w - 1", PieceKind::Pawn, 20).holds();
    // The silver recaptures the horse.
    wins("k8/9/9/9/4b4/9/P8/7P1/4K1S2 w - 1", PieceKind::Pawn, 20).fails("not quiet");
    wins("k8/9/9/9/4b4/9/P8/7R1/4K4 w - 1", PieceKind::Rook, 111).fails("the gain is 110");
}

const START: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";

#[test]
fn gains_that_are_none() {
    let wins = |moves, piece, at, gain, line| {
        let kind = WinsPiece {
            piece,
            square: square(at),
            gain: Gain(gain),
        };
        Scene::after(START, moves, after(White, kind, line))
    };
    // White only recaptures, then Black puts a bishop where a pawn can capture it.
    let exchange = "7g7f 3c3d 8h2b+";
    wins(exchange, PieceKind::Horse, "2b", 90, "3a2b").fails("only takes back 90");
    wins(exchange, PieceKind::Horse, "2b", 170, "3a2b B*5d 5c5d").fails("only takes back 90");
    wins("7g7f 3c3d 9g9f", PieceKind::Bishop, "8h", 90, "2b8h+").fails("not quiet");
    wins("7g7f 3c3d 7i7h", PieceKind::Pawn, "5g", 10, "9c9d 8h3c 2b3c").fails("no P of Black is taken");
    wins("7g7f 3c3d 7i7h", PieceKind::Bishop, "3c", 80, "9c9d 8h3c+ 2b3c").fails("no B of Black is taken");
    wins("7g7f 3c3d 9g9f", PieceKind::Horse, "3c", 80, "9c9d 8h3c+ 2b3c").fails("gives away");
}

#[test]
fn exchanges() {
    let exchange = |exchange, gain, line| {
        let kind = FactKind::Exchange {
            exchange,
            gain: Gain(gain),
        };
        Scene::after(START, "7g7f 3c3d 8h2b+", before(Black, kind, line))
    };
    exchange(Exchange::Bishops, 0, "8h2b+ 3a2b").holds();
    exchange(Exchange::Bishops, 1, "8h2b+ 3a2b").fails("the gain is 0");
    exchange(Exchange::Bishops, 90, "8h2b+").fails("gives nothing");
    exchange(Exchange::Rooks, 0, "8h2b+ 3a2b").fails("the side gets B and gives B");
    exchange(Exchange::RookForBishop, 0, "8h2b+ 3a2b").fails("gets B");
    exchange(Exchange::TwoForOne, 0, "8h2b+ 3a2b").fails("gets B");
}

#[test]
fn promotions() {
    let free = "k8/9/9/7P1/9/9/9/9/K8 b - 1";
    let guarded = "k8/6g2/9/7P1/9/9/9/9/K8 b - 1";
    let promotes = |sfen, piece, at, line| {
        Scene::new(
            sfen,
            after(
                Black,
                Promotes {
                    piece,
                    square: square(at),
                },
                line,
            ),
        )
    };
    promotes(free, PieceKind::Pawn, "2c", "2d2c+").holds();
    promotes(free, PieceKind::Pawn, "2c", "2d2c+ 9a9b").fails("does not end with the promotion");
    promotes(free, PieceKind::Pawn, "2c", "2d2c").fails("no P promotes on 2c");
    promotes(free, PieceKind::Pawn, "3c", "2d2c+").fails("no P promotes on 3c");
    promotes(free, PieceKind::Lance, "2c", "2d2c+").fails("no L promotes on 2c");
    promotes(guarded, PieceKind::Pawn, "2c", "2d2c+ 3b2c").fails("does not end with the promotion");
    let king_takes_another = "9/7k1/6P2/5P3/9/9/9/9/K8 b - 1";
    promotes(king_takes_another, PieceKind::Pawn, "4c", "4d4c+").holds();
    promotes(guarded, PieceKind::Pawn, "2c", "2d2c+").fails("taking the promoted piece gains");
    let lets = |at| {
        Scene::after(
            "k8/9/9/7P1/9/9/9/9/K8 w - 1",
            "9a9b",
            after(
                White,
                LetsPromote {
                    piece: PieceKind::Pawn,
                    square: square(at),
                },
                "2d2c+",
            ),
        )
    };
    lets("2c").holds();
    lets("2b").fails("no P promotes on 2b");
}
