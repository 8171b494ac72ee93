use crate::support::{Scene, after, before};
use shogibar_facts::FactKind::{BrinkmateMade, ThreatMade};
use shogibar_facts::FactPosition;
use shogibar_shogi::Color::{Black, White};

/// A gold in front of the king would threaten a mate by the other.
const APPROACH: &str = "4k4/9/p8/4G4/9/9/9/9/4K4 b G 1";

#[test]
fn threat_made_by_the_move() {
    let made = |length: u16, line| {
        Scene::after(
            APPROACH,
            "5d5c",
            before(Black, ThreatMade { length: Some(length) }, line),
        )
    };
    made(1, "5d5c G*5b").holds();
    made(3, "5d5c G*5b").fails("a mate within 1 plies");
    made(0, "5d5c G*5b").fails("longer than 0 plies");
    made(1, "5d5c G*5b 5a5b").fails("longer than 1 plies");
    made(1, "5d5c").fails("does not end with a mate");
    made(1, "5d5c G*4b").fails("does not end with a mate");
    made(1, "").fails("no move 1");
    made(1, "G*5b").fails("a pass while in check");
    made(1, "5d5b G*5b").fails("illegal");
    let fact = |fact| Scene::after(APPROACH, "5d5c", fact);
    fact(before(White, ThreatMade { length: Some(1) }, "5d5c G*5b")).fails("not to move");
    fact(after(Black, ThreatMade { length: Some(1) }, "5d5c G*5b")).fails("not to move");
    fact(after(White, ThreatMade { length: Some(1) }, "5d5c G*5b")).fails("illegal");
    fact(after(Black, ThreatMade { length: Some(1) }, "G*5b")).fails("not to move");
    let at_start = before(Black, ThreatMade { length: Some(1) }, "5d5c G*5b");
    Scene::new(APPROACH, at_start).fails("no move before the start");
}

#[test]
fn threat_made_with_a_mate_a_ply_off() {
    let made = |length: u16, line| {
        let nearer = "9/6k2/9/9/6G2/9/9/9/K8 b GS 1";
        Scene::after(
            nearer,
            "3e3d",
            before(Black, ThreatMade { length: Some(length) }, line),
        )
    };
    made(3, "3e3d S*3c 3b4a G*4b").holds();
    made(2, "3e3d S*3c 3b4a G*4b").fails("longer than 2 plies");
    made(3, "3e3d S*3c 3b4a").fails("does not end with a mate");
    made(3, "3e3d 9i9h 3b4a G*4b").fails("gives no check");
    // White can hold out for longer than by the short lines.
    let made = |sfen, mv, length: u16, line| {
        Scene::after(sfen, mv, before(Black, ThreatMade { length: Some(length) }, line))
    };
    let corner = "7k1/9/5S3/9/9/9/9/9/K8 b GS 1";
    made(corner, "G*3c", 5, "G*3c S*1b 2a3a 4c4b+").holds();
    made(corner, "G*3c", 4, "G*3c S*1b 2a3a 4c4b+").fails("no mate within 4 plies");
    let open = "4k4/9/9/9/9/9/9/9/K8 b RG 1";
    made(open, "9i9h", 5, "9i9h R*9a 5a5b 9a9b+ 5b5a G*5b").fails("no mate within 5 plies");
}

#[test]
fn threat_made_where_none_can_be() {
    let made = |sfen, mv, line| Scene::after(sfen, mv, before(Black, ThreatMade { length: Some(1) }, line));
    let was_there = "4k4/9/p3P4/9/9/9/9/9/4K4 b G 1";
    made(was_there, "5i5h", "5i5h G*5b").fails("before the move already");
    made("9/4k4/9/4G4/4L4/9/9/9/4K4 b G 1", "5d5c", "5d5c G*5b").fails("a pass while in check");
    let in_check = "4k4/9/p3G4/9/9/9/9/9/r3K4 b G 1";
    made(in_check, "5i5h", "5i5h G*5b").fails("in check before the threat");
}

#[test]
fn threat_made_by_the_better_move() {
    let fact = before(Black, ThreatMade { length: Some(1) }, "5d5c G*5b");
    let better = |played, line| {
        let mut scene = Scene::after(APPROACH, played, fact.clone());
        scene.candidates = vec![vec![(line, 300), ("5d6c", 200)]];
        scene
    };
    better("5i5h", "5d5c 5a4a").holds();
    better("5i5h", "5d5c").holds();
    better("G*5b", "5d5c").holds();
    better("5i5h", "5d4c").fails("is not the better move");
    better("5d4c", "5d5c").fails("5d4c makes a threat, too");
    Scene::after(APPROACH, "5i5h", fact.clone()).fails("is not the better move");
    let mut second = better("5i5h", "5i4h");
    second.candidates = vec![vec![("5i4h", 300), ("5d5c", 200)]];
    second.fails("is not the better move");
    let mut elsewhere = better("5i5h", "5d5c");
    elsewhere.candidates.insert(0, Vec::new());
    elsewhere.fails("is not the better move");
}

#[test]
fn threat_let_by_the_move() {
    let lets = |better, reply| {
        let sfen = "4k4/9/p8/9/9/4g4/P8/9/R3K4 b g 1";
        let fact = after(White, ThreatMade { length: Some(1) }, "5f5g G*5h");
        Scene::after(sfen, "9g9f", fact).with_lines([better, reply])
    };
    let with_fact = |fact| Scene {
        fact,
        ..lets("9i9h 5f5g", "5f5g")
    };
    lets("9i9h 9c9d", "5f5g").holds();
    lets("9i9h 5f5g", "5f5g 9f9e G*5h").holds();
    with_fact(after(White, ThreatMade { length: Some(0) }, "5f5g G*5h")).fails("longer than 0 plies");
    with_fact(after(White, ThreatMade { length: Some(1) }, "5f5g G*4h")).fails("does not end with a mate");
    with_fact(after(White, ThreatMade { length: Some(1) }, "5f5g")).fails("does not end with a mate");
    with_fact(after(White, ThreatMade { length: Some(1) }, "9c9d G*5h")).fails("does not end with a mate");
    with_fact(after(Black, ThreatMade { length: Some(1) }, "5f5g G*5h")).fails("not to move");
    with_fact(before(White, ThreatMade { length: Some(1) }, "5f5g G*5h")).fails("not to move");
    with_fact(before(Black, ThreatMade { length: Some(1) }, "5f5g G*5h")).fails("illegal");
    with_fact(after(White, ThreatMade { length: Some(1) }, "5f4g G*5h"))
        .fails("4g is not the engine's reply");
    lets("9i9h 9c9d", "9c9d").fails("5f5g is not the engine's reply");
    lets("9i9h 9c9d", "9c9d")
        .with_reply("5f5g")
        .fails("5f5g is not the engine's reply");
    lets("9i8i 9c9d", "5f5g").fails("5f5g makes a threat, too");
    lets("9g9f 9c9d", "5f5g").fails("5f5g makes a threat, too");
    lets("9i9h", "5f5g").fails("the better line has no reply");
    lets("5i5g 9c9d", "5f5g").fails("better move 5i5g is illegal");
    let mut unknown = lets("9i9h 9c9d", "5f5g");
    unknown.candidates[0].clear();
    unknown.fails("there is no better line");
    unknown.candidates.truncate(1);
    unknown.fails("5f5g is not the engine's reply");
}

#[test]
fn threat_let_by_the_better_move_as_well() {
    let lets = |better| {
        // By its capture the knight prevents the reply, but not the threat of the other gold.
        let sfen = "4k4/9/p8/9/9/4gg3/P8/3N5/4K4 b g 1";
        let fact = after(White, ThreatMade { length: Some(1) }, "5f5g G*5h");
        Scene::after(sfen, "9g9f", fact).with_lines([better, "5f5g"])
    };
    lets("6h5f 9c9d").holds();
    lets("6h5f 5f5g").holds();
    lets("6h5f 4f4g").fails("4f4g makes a threat, too");
    lets("9g9f 9c9d").fails("5f5g makes a threat, too");
}

#[test]
fn threat_let_by_a_reply_that_the_better_move_prevents() {
    let lets = |better| {
        // The pawn gets in the way of the bishop.
        let sfen = "4k4/9/p2b5/9/2P6/9/8P/9/4K4 b g 1";
        let fact = after(White, ThreatMade { length: Some(1) }, "6c8e G*5h");
        Scene::after(sfen, "1g1f", fact).with_lines([better, "6c8e"])
    };
    lets("7e7d 9c9d").holds();
    lets("1g1f 9c9d").fails("6c8e makes a threat, too");
}

#[test]
fn threat_let_where_none_can_be() {
    let lets = |sfen, mv, line, candidates: [&'static str; 2]| {
        Scene::after(sfen, mv, after(White, ThreatMade { length: Some(1) }, line)).with_lines(candidates)
    };
    let was_there = "4k4/9/p8/9/9/9/P3g4/9/4K4 b g 1";
    lets(was_there, "9g9f", "5a4a G*5h", ["5i6i 9c9d", "5a4a"]).fails("before the move already");
    let in_check = "4k4/9/p8/9/9/9/4g4/9/4K4 b Pg 1";
    lets(in_check, "P*5b", "5a4a G*5h", ["5i6i 9c9d", "5a4a"]).fails("in check before the threat");
    let uncovers = "4k4/9/p8/4l4/9/4g4/P8/9/4K4 b g 1";
    lets(uncovers, "9g9f", "5f4g G*5h", ["5i6i 9c9d", "5f4g"]).fails("a pass while in check");
    let at_start = after(White, ThreatMade { length: Some(1) }, "5f5g G*5h");
    Scene::new("4k4/9/9/9/9/4g4/9/9/4K4 w g 1", at_start).fails("no move before the start");
}

#[test]
fn threat_that_is_not_decided() {
    let undecided = |sfen, mv, fact, candidates: [&'static str; 2], why: &str| {
        Scene::after(sfen, mv, fact)
            .with_lines(candidates)
            .is_undecided(why);
    };
    let made = before(Black, ThreatMade { length: Some(1) }, "5d5c G*5b");
    let rich = "4k4/9/p8/4G4/9/9/9/9/4K4 b BGN 1";
    undecided(
        rich,
        "5d5c",
        made.clone(),
        ["5d5c", "9c9d"],
        "before the move already",
    );
    let capture = "4k4/9/p8/1b2G4/1P7/9/9/9/4K4 b GN 1";
    undecided(
        capture,
        "8e8d",
        made,
        ["5d5c", "9c9d"],
        "whether 8e8d makes a threat",
    );
    let let_by = after(White, ThreatMade { length: Some(1) }, "5f5g G*5h");
    let recapture = "4k4/9/p8/9/1p7/1B2g4/P8/9/R3K4 b gn 1";
    undecided(
        recapture,
        "9g9f",
        let_by,
        ["9i9h 8e8f", "5f5g"],
        "whether 8e8f makes a threat",
    );
}

#[test]
fn threat_made_after_a_lead() {
    let made = |lead, line| {
        Scene::after(
            APPROACH,
            "5i5h",
            before(Black, ThreatMade { length: Some(1) }, line),
        )
        .with_lead(lead)
    };
    let line = "5i5h 9c9d 5d5c G*5b";
    made(2, line).holds();
    made(0, line).fails("longer than 1 plies");
    made(4, line).fails("illegal");
    made(3, line).fails("no lead of 3 moves");
    made(2, "5i5h 9c9e 5d5c G*5b").fails("move 2 of the line, 9c9e, is illegal");
    made(2, "5i5h 9c9d 5d5c").fails("does not end with a mate");
    // The threat is there before that move.
    made(2, "5d5c 9c9d 5i5h G*5b")
        .with_lines(["5d5c"])
        .fails("before the move already");
    // The better move leads to the threat, and the played one does not.
    let better = |after_played| made(2, "5i4h 9c9d 5d5c G*5b").with_lines(["5i4h", after_played]);
    better("9c9d 5h5i").holds();
    better("").holds();
    better("9c9d").holds();
    better("9c9d 5d5c").fails("5d5c makes a threat, too");
    better("9c9d 5h5i 9d9e 5d5c").holds();
    made(2, "5i4h 9c9d 5d5c G*5b").fails("5i4h is not the better move");
}

#[test]
fn threat_let_by_the_move_after_a_lead() {
    let lets = |better, reply| {
        let sfen = "4k4/9/p8/9/9/4g4/P8/9/R3K4 b g 1";
        let fact = after(White, ThreatMade { length: Some(1) }, "9c9d 9f9e 5f5g G*5h");
        Scene::after(sfen, "9g9f", fact)
            .with_lead(2)
            .with_lines([better, reply])
    };
    lets("9i9h 5a5b", "9c9d").holds();
    lets("9i9h 5a5b", "5f5g").fails("9c9d is not the engine's reply");
    lets("9i8i 5a5b", "9c9d").holds();
    lets("5i4i 5a5b", "9c9d").holds();
    // The moves of the line, or those of the engine, make the threat after the better move, too.
    lets("9g9f 9c9d", "9c9d").fails("5f5g makes a threat, too");
    lets("9i8i 9c9d 8i9i 5f5g", "9c9d").fails("5f5g makes a threat, too");
    lets("9i8i", "9c9d").fails("the better line has no reply");
}

#[test]
fn brinkmate_made_by_the_better_move() {
    let made =
        |line| Scene::after(APPROACH, "5i5h", before(Black, BrinkmateMade, line)).with_lines(["5d5c 9c9d"]);
    made("5d5c G*5b").holds();
    made("5d5c").fails("does not end with a mate");
    made("5d5c G*4b").fails("does not end with a mate");
    made("5d5c 9c9d G*5b").fails("illegal");
    made("").fails("no move 1");
    made("5d6c G*5b").fails("escapes");
    let changed = |change: fn(&mut Scene)| {
        let mut scene = made("5d5c G*5b");
        change(&mut scene);
        scene
    };
    changed(|scene| scene.fact.side = White).fails("not to move");
    changed(|scene| scene.fact.at = FactPosition::After).fails("not to move");
    changed(|scene| scene.candidates[0][0].0 = "5d6c").fails("5d5c is not the better move");
    changed(|scene| scene.candidates.clear()).fails("5d5c is not the better move");
    changed(|scene| scene.moves = "5d5c").fails("the better move is the one played");
    // The rook guards 5b by one of its moves.
    changed(|scene| scene.sfen = "4k4/9/r8/4G4/9/9/9/9/4K4 b G 1").fails("escapes");
    let in_check = changed(|scene| scene.sfen = "9/4k4/p8/4G4/4L4/9/9/9/4K4 b G 1");
    in_check.fails("a pass while in check");
}

#[test]
fn brinkmate_made_where_the_other_side_mates() {
    // Black is mated by a gold, too.
    let sfen = "4k4/9/p8/4G4/9/9/4g4/9/4K4 b Gg 1";
    let fact = before(Black, BrinkmateMade, "5d5c G*5b");
    Scene::after(sfen, "5i6i", fact)
        .with_lines(["5d5c"])
        .fails("a mate by the side in the brinkmate");
}

#[test]
fn brinkmate_that_the_played_move_makes_as_well() {
    // Either gold comes in front of the king.
    let sfen = "4k4/9/p8/3GG4/9/9/9/9/4K4 b G 1";
    let made =
        |played| Scene::after(sfen, played, before(Black, BrinkmateMade, "5d5c G*5b")).with_lines(["5d5c"]);
    made("5i5h").holds();
    made("6d5c").fails("6d5c makes a brinkmate, too");
    // The king takes the gold.
    made("G*5b").holds();
}

#[test]
fn brinkmate_made_after_a_lead() {
    let made = |lead, after_played| {
        let fact = before(Black, BrinkmateMade, "5i4h 9c9d 5d5c G*5b");
        Scene::after(APPROACH, "5i5h", fact)
            .with_lead(lead)
            .with_lines(["5i4h", after_played])
    };
    made(2, "9c9d 5h5i").holds();
    made(0, "9c9d 5h5i").fails("illegal");
    made(1, "9c9d 5h5i").fails("no lead of 1 moves");
    made(2, "9c9d 5d5c").fails("5d5c makes a brinkmate, too");
    let mut played = made(2, "9c9d 5h5i");
    played.moves = "5i4h";
    played.fails("the better move is the one played");
}

#[test]
fn brinkmate_let_by_the_move() {
    let lets = |better, reply| {
        // The king can run.
        let sfen = "4k4/9/p8/9/9/4g4/P8/9/4K4 b g 1";
        Scene::after(sfen, "9g9f", after(White, BrinkmateMade, "5f5g G*5h")).with_lines([better, reply])
    };
    lets("5i6i", "5f5g").holds();
    lets("9g9f", "5f5g").fails("5f5g makes a brinkmate, too");
    lets("5i6i", "9c9d").fails("5f5g is not the engine's reply");
    lets("5i5g", "5f5g").fails("the better move 5i5g is illegal");
    lets("", "5f5g").fails("there is no better line");
    let mut other = lets("5i6i", "5f5g");
    other.fact.side = Black;
    other.fails("not to move");
}
