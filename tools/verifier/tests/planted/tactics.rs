use crate::support::{Scene, after, square, squares};
use shogibar_facts::FactKind::{Discovered, Fork, Pin, Skewer, Trapped};
use shogibar_facts::Gain;
use shogibar_shogi::Color::{Black, White};
use shogibar_shogi::PieceKind;

#[test]
fn fork() {
    let king_and_rook = "4k1s2/1r7/9/9/9/9/9/9/4K4 b B 1";
    let fork = |piece, at: &str, gain, line| {
        let squares = at.split_whitespace().map(square).collect();
        Scene::new(
            king_and_rook,
            after(
                Black,
                Fork {
                    piece,
                    squares,
                    gain: Gain(gain),
                },
                line,
            ),
        )
    };
    let line = "B*7c 5a4a 7c8b+";
    fork(PieceKind::Bishop, "7c 5a 8b", 110, line).holds();
    fork(PieceKind::Bishop, "7c 8b 5a", 110, line).holds();
    fork(PieceKind::Bishop, "7c 5a 8b", 109, line).fails("the gain is 110");
    fork(PieceKind::Bishop, "7c 5a 8b", 0, line).fails("gains nothing");
    fork(PieceKind::Rook, "7c 5a 8b", 110, line).fails("no R stands on 7c");
    fork(PieceKind::Bishop, "7d 5a 8b", 110, line).fails("does not go to 7d");
    fork(PieceKind::Bishop, "7c 5a 3a", 110, line).fails("7c does not attack 3a");
    fork(PieceKind::Bishop, "7c 5a 6b", 110, line).fails("no piece of the opponent stands on 6b");
    fork(PieceKind::Bishop, "7c 8b", 110, line).fails("fewer than two");
    fork(PieceKind::Bishop, "7c 8b 8b", 110, line).fails("named twice");
    fork(PieceKind::Bishop, "7c 5a 8b", 0, "B*7c 5a4a 7c6b").fails("takes none");
    fork(PieceKind::Bishop, "7c 5a 8b", 110, "B*7c 5a5b 7c8b+ 5b8b").fails("illegal");
    let squares = vec![square("7c"), square("5a"), square("8b")];
    let kind = Fork {
        piece: PieceKind::Bishop,
        squares,
        gain: Gain(110),
    };
    Scene::new(king_and_rook, after(White, kind, line)).fails("not to move");
}

#[test]
fn fork_after_a_lead() {
    let king_and_rook = "4k1s2/1r7/9/9/9/9/9/9/4K4 b B 1";
    let fork = |lead, gain, line| {
        let squares = vec![square("7c"), square("5a"), square("8b")];
        let kind = Fork {
            piece: PieceKind::Bishop,
            squares,
            gain: Gain(gain),
        };
        Scene::new(king_and_rook, after(Black, kind, line)).with_lead(lead)
    };
    let line = "5i5h 3a3b B*7c 5a4a 7c8b+";
    fork(2, 110, line).holds();
    fork(2, 109, line).fails("the gain is 110");
    fork(0, 110, line).fails("does not go to 7c");
    fork(4, 110, line).fails("does not go to 7c");
    fork(6, 110, line).fails("no move 7");
    fork(1, 110, line).fails("no lead of 1 moves");
    fork(2, 110, "5i5h 3a2a B*7c 5a4a 7c8b+").fails("illegal");
    let later = "5i5h 3a3b 5h5i 3b2a 5i5h 2a3b B*7c 5a4a 7c8b+";
    fork(6, 110, later).holds();
    fork(8, 110, "5i5h 3a3b 5h5i 3b2a 5i5h 2a3b 5h5i 3b2a B*7c 5a4a 7c8b+").fails("no lead of 8 moves");
    fork(2, 0, "5i5h 3a3b B*7c 5a4a 7c6b").fails("takes none");
}

#[test]
fn fork_whose_gain_comes_from_the_lead() {
    // The pawn takes a gold. Then the rook guards the silver that the bishop takes.
    let sfen = "4k4/1s7/9/8g/3r4P/9/9/9/4K4 b B 1";
    let kind = |gain| {
        let squares = vec![square("7c"), square("5a"), square("8b")];
        Fork {
            piece: PieceKind::Bishop,
            squares,
            gain: Gain(gain),
        }
    };
    let guarded = "1e1d 6e6f B*7c 6f6b 7c8b+ 6b8b";
    Scene::new(sfen, after(Black, kind(30), guarded))
        .with_lead(2)
        .fails("the gain is -30 after the lead");
    Scene::new(sfen, after(Black, kind(120), "1e1d 6e6f B*7c 5a4a 7c8b+"))
        .with_lead(2)
        .holds();
}

#[test]
fn fork_whose_gain_is_taken_back() {
    let guarded = "4k4/gr7/9/9/9/9/9/9/4K4 b B 1";
    let squares = vec![square("7c"), square("5a"), square("8b")];
    let kind = |gain| Fork {
        piece: PieceKind::Bishop,
        squares: squares.clone(),
        gain: Gain(gain),
    };
    // The gold takes the horse: a rook for a bishop.
    Scene::new(guarded, after(Black, kind(110), "B*7c 5a4a 7c8b+")).holds();
    Scene::new(guarded, after(Black, kind(20), "B*7c 5a4a 7c8b+ 9b8b")).holds();
    let cheap = "4k4/gs7/9/9/9/9/9/9/4K4 b B 1";
    Scene::new(cheap, after(Black, kind(60), "B*7c 5a4a 7c8b+")).fails("no target");
}

#[test]
fn skewer() {
    let file = "8k/4g4/9/4r4/9/9/9/9/4K4 b L 1";
    let skewer = |piece, at, gain, line| {
        Scene::new(
            file,
            after(
                Black,
                Skewer {
                    piece,
                    squares: squares(at),
                    gain: Gain(gain),
                },
                line,
            ),
        )
    };
    let line = "L*5f 5d4d 5f5b+";
    skewer(PieceKind::Lance, "5f 5d 5b", 75, line).holds();
    skewer(PieceKind::Lance, "5f 5d 5b", 74, line).fails("the gain is 75");
    skewer(PieceKind::Lance, "5f 5d 5c", 75, line).fails("not the next behind");
    skewer(PieceKind::Lance, "5f 5b 5d", 75, line).fails("does not attack 5b");
    skewer(PieceKind::Lance, "5g 5d 5b", 75, line).fails("does not go to 5g");
    skewer(PieceKind::Lance, "5f 5d 5b", 75, "5i6h 1a1b L*5f 5d4d 5f5b+")
        .with_lead(2)
        .holds();
    skewer(PieceKind::Lance, "5f 5d 5b", 75, "5i6h 1a1b L*5f 5d4d 5f5b+").fails("does not go to 5f");
    // Another piece takes the piece behind.
    let with_rook = "8k/R3g4/9/4r4/9/9/9/9/4K4 b L 1";
    let kind = Skewer {
        piece: PieceKind::Lance,
        squares: squares("5f 5d 5b"),
        gain: Gain(70),
    };
    Scene::new(with_rook, after(Black, kind, "L*5f 5d4d 9b5b+")).fails("takes none");
    let greater = "8k/4r4/9/4g4/9/9/9/9/4K4 b L 1";
    let kind = Skewer {
        piece: PieceKind::Lance,
        squares: squares("5f 5d 5b"),
        gain: Gain(115),
    };
    Scene::new(greater, after(Black, kind, "L*5f 5d4d 5f5b+")).fails("more value");
}

#[test]
fn pin() {
    let free = "4k4/9/9/4g4/5S3/9/9/9/4K4 b L 1";
    let pin = |sfen, at, gain, line| {
        let kind = Pin {
            piece: PieceKind::Lance,
            squares: squares(at),
            gain: Gain(gain),
        };
        Scene::new(sfen, after(Black, kind, line))
    };
    let line = "L*5f 5a5b 4e5d";
    pin(free, "5f 5d 5a", 60, line).holds();
    pin(free, "5f 5d 5a", 61, line).fails("the gain is 60");
    pin(free, "5f 5d 4a", 60, line).fails("the king does not stand on 4a");
    pin(free, "5g 5d 5a", 60, line).fails("stands on 5g");
    pin(free, "5f 5d 5a", 60, "L*5f 5a4a 5i5h 5d4e 5h4h").fails("does not take the pinned piece");
    pin(free, "5f 5d 5a", 60, "L*5f 5a4a 5i5h 5d5e 5f5e")
        .fails("does not take the pinned piece on its square");
    pin(
        "5k3/9/9/4g4/5S3/9/9/9/4K4 b L 1",
        "5f 5d 4a",
        60,
        "L*5f 4a5b 4e5d",
    )
    .fails("not the next behind");
    pin(
        "4k4/9/4p4/4g4/5S3/9/9/9/4K4 b L 1",
        "5f 5d 5a",
        60,
        "L*5f 5a4a 4e5d",
    )
    .fails("not the next behind");
    let kind = Pin {
        piece: PieceKind::Lance,
        squares: squares("5f 5d 5a"),
        gain: Gain(60),
    };
    Scene::new(free, after(White, kind, line)).fails("not to move");
}

#[test]
fn pin_after_a_lead() {
    let pin = |lead, line| {
        let kind = Pin {
            piece: PieceKind::Lance,
            squares: squares("5f 5d 5a"),
            gain: Gain(60),
        };
        Scene::new("4k4/p8/9/4g4/5S3/9/9/9/4K4 b L 1", after(Black, kind, line)).with_lead(lead)
    };
    pin(2, "5i5h 9b9c L*5f 5a5b 4e5d").holds();
    pin(0, "5i5h 9b9c L*5f 5a5b 4e5d").fails("no L stands on 5f");
    pin(4, "5i5h 9b9c L*5f 5a5b 4e5d").fails("the king does not stand on 5a");
    // The piece is pinned before its capture, not after it.
    pin(4, "5i5h 9b9c L*5f 9c9d 4e5d").fails("no piece of the opponent stands on 5d");
}

#[test]
fn discovered() {
    let cover = "k8/7b1/p8/9/7S1/9/9/7R1/4K4 b - 1";
    let discovered = |at, gain, line| {
        let kind = Discovered {
            piece: PieceKind::Rook,
            squares: squares(at),
            gain: Gain(gain),
        };
        Scene::new(cover, after(Black, kind, line))
    };
    let line = "2e3d 9c9d 2h2b+";
    discovered("2h 2e 2b", 90, line).holds();
    discovered("2h 2e 2b", 89, line).fails("the gain is 90");
    discovered("2h 2f 2b", 90, line).fails("does not leave 2f");
    discovered("2h 2e 2c", 90, line).fails("stands on 2c");
    discovered("2h 2e 2b", 0, "2e3d 9c9d 2h2d").fails("does not take the target");
    discovered("2h 2e 2b", 0, "2e2d 9c9d 2h2e").fails("does not attack 2b");
    let open = "k8/7b1/p8/9/6S2/9/9/7R1/4K4 b - 1";
    let kind = Discovered {
        piece: PieceKind::Rook,
        squares: squares("2h 3e 2b"),
        gain: Gain(90),
    };
    Scene::new(open, after(Black, kind, "3e3d 9c9d 2h2b+")).fails("attacked before");
    let later = |lead| discovered("2h 2e 2b", 90, "5i5h 9c9d 2e3d 9d9e 2h2b+").with_lead(lead);
    later(2).holds();
    later(0).fails("does not leave 2e");
    later(4).fails("does not leave 2e");
}

#[test]
fn trapped() {
    let trapped = |sfen, at, gain, line| {
        let kind = Trapped {
            piece: PieceKind::Silver,
            square: square(at),
            gain: Gain(gain),
        };
        Scene::new(sfen, after(Black, kind, line))
    };
    let stuck = "s5k2/p8/1+P7/1L7/9/9/9/9/4K4 b - 1";
    let line = "8c8b 3a3b 8b9a";
    trapped(stuck, "9a", 50, line).holds();
    trapped(stuck, "9a", 45, line).fails("the gain is 50");
    trapped(stuck, "9b", 50, line).fails("no S stands on 9b");
    trapped(stuck, "9a", 0, "8c8b 3a3b 8b7b").fails("does not take the piece");
    trapped("s5k2/p8/1+P7/9/9/9/9/9/4K4 b - 1", "9a", 50, line).fails("9a8b saves the piece");
    trapped("s5k2/p8/9/9/9/9/9/9/4K4 b - 1", "9a", 50, line).fails("illegal");
    // The first move is not the cause.
    let lost = "s5k2/p+P7/9/1L7/9/9/9/9/4K4 b - 1";
    trapped(lost, "9a", 50, "5i5h 3a3b 8b9a").fails("no way out before");
    let kind = Trapped {
        piece: PieceKind::Lance,
        square: square("9a"),
        gain: Gain(30),
    };
    Scene::new("l5k2/p8/1+P7/1L7/9/9/9/9/4K4 b - 1", after(Black, kind, line)).fails("less than a silver");
    let later = |lead| trapped(stuck, "9a", 50, "5i5h 3a4a 8c8b 4a3b 8b9a").with_lead(lead);
    later(2).holds();
    later(0).fails("the piece is not attacked");
    later(4).fails("no S stands on 9a");
}
