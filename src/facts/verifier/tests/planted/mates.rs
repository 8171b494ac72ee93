use crate::support::{Scene, after, before};
use shogibar_core::shogi::Color::{Black, White};
use shogibar_facts::FactKind::{
    Brinkmate, Check, Mate, MateAllowed, MateMissed, OnlyMove, ThreatMade, ThreatOfMate, ThreatUnmet,
};
use shogibar_facts_verifier::Verdict;

/// A gold mates on 5b.
const HEAD_GOLD: &str = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1";

/// White is lost: 5b, 4b or 6b is the square of a second gold.
const BRINK: &str = "4k4/9/p3G4/9/9/9/9/9/4K4 w G 1";

/// A gold in front of the king would threaten a mate by the other.
const APPROACH: &str = "4k4/9/p8/4G4/9/9/9/9/4K4 b G 1";

#[test]
fn check() {
    let checked = "4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1";
    Scene::new(checked, after(White, Check, "")).holds();
    Scene::new(checked, after(Black, Check, "")).fails("not to move");
    Scene::new(BRINK, after(White, Check, "")).fails("no check");
    Scene::new(checked, after(White, Check, "5a5b 5c5b")).fails("illegal");
}

#[test]
fn mate() {
    let mate = |length: u16, line| Scene::new(HEAD_GOLD, after(Black, Mate { length: Some(length) }, line));
    mate(1, "G*5b").holds();
    mate(5, "G*5b").fails("a mate within 3 plies");
    Scene::new(HEAD_GOLD, after(Black, Mate { length: None }, "G*5b")).holds();
    mate(0, "G*5b").fails("longer than");
    mate(1, "G*4a").fails("does not end with a mate");
    mate(3, "G*4a 5a4a").fails("does not end with a mate");
    mate(1, "G*5c").fails("illegal");
    mate(1, "5i5h").fails("no check");
    mate(1, "").fails("does not end with a mate");
    Scene::new(HEAD_GOLD, after(White, Mate { length: Some(1) }, "G*5b")).fails("not to move");
    Scene::new(HEAD_GOLD, before(Black, Mate { length: Some(1) }, "G*5b")).fails("no move before the start");
}

#[test]
fn mate_that_a_defence_avoids() {
    let open = "4k4/9/9/9/9/9/9/9/4K4 b RG 1";
    // The line ends with a mate, since White goes the wrong way twice.
    let helped = "R*9a 5a5b 9a9b+ 5b5a G*5b";
    Scene::new(open, after(Black, Mate { length: Some(5) }, helped)).fails("no mate within 5 plies");
    Scene::new(open, after(Black, Mate { length: Some(5) }, "R*9a 5a4b 9a9b+ 4b4c")).fails("does not end");
    Scene::new(open, after(Black, Mate { length: Some(5) }, "R*9a 5a4a")).fails("illegal");
}

#[test]
fn mate_a_ply_off() {
    let check = |sfen, line, length: u16| {
        let mate = |length| Scene::new(sfen, after(Black, Mate { length }, line));
        mate(Some(length)).holds();
        mate(None).holds();
        mate(Some(length + 4)).fails("a mate within");
        mate(Some(length - 1)).fails("longer than");
    };
    check("9/6k2/9/6G2/9/9/9/9/K8 b GS 1", "S*3c 3b4a G*4b", 3);
    check("9/8k/6R2/9/9/9/9/9/K8 b GN 1", "N*2d 1b2b 2d3b+ 2b1b G*2b", 5);
    check("8k/5GB2/9/5S3/9/9/9/9/K8 b GS 1", "G*2a 1a1b S*2c 1b1c 2c1d+ 1c1b 1d2c", 7);
    // White can hold out for longer than by this line.
    let short = "S*2c 1b2a 4c4a+ 1c3a G*1b";
    let sfen = "9/8k/5R2b/9/9/9/9/9/K8 b GS 1";
    Scene::new(sfen, after(Black, Mate { length: Some(5) }, short)).holds();
    Scene::new(sfen, after(Black, Mate { length: Some(3) }, "S*2c 1b1a G*1b")).fails("no mate within 3 plies");
}

#[test]
fn mate_missed() {
    let missed =
        |length: u16, line| Scene::after(HEAD_GOLD, "5i5h", before(Black, MateMissed { length: Some(length) }, line));
    missed(1, "G*5b").with_reply("5a6a").holds();
    missed(0, "G*5b").with_reply("5a6a").fails("longer than");
    missed(1, "G*5b").with_reply("5a4a").holds();
    Scene::after(HEAD_GOLD, "5i5h", after(Black, MateMissed { length: Some(1) }, "G*5b")).fails("After the move");
    Scene::after(HEAD_GOLD, "G*5b", before(Black, MateMissed { length: Some(1) }, "G*5b")).fails("the move mates");
    Scene::after(HEAD_GOLD, "5i5h", before(White, MateMissed { length: Some(1) }, "G*5b")).fails("not one of the side");
    let pawn = "4k4/9/p3P4/9/9/9/9/9/4K4 b G 1";
    let mate_kept = Scene::after(pawn, "5i5h", before(Black, MateMissed { length: Some(1) }, "G*5b"));
    mate_kept.with_reply("9c9d").fails("a mate after the reply 9c9d");
}

#[test]
fn mate_allowed() {
    let walks_in = "3k5/9/4P4/9/9/9/9/9/4K4 w G 1";
    let allowed =
        |length: u16, line| Scene::after(walks_in, "6a5a", after(White, MateAllowed { length: Some(length) }, line));
    allowed(1, "G*5b").holds();
    allowed(0, "G*5b").fails("longer than");
    allowed(1, "G*4a").fails("does not end with a mate");
    Scene::after(walks_in, "6a5a", after(Black, MateAllowed { length: Some(1) }, "G*5b")).fails("not one of the side");
    Scene::after(BRINK, "9c9d", after(White, MateAllowed { length: Some(1) }, "G*5b")).fails("every other move");
}

#[test]
fn threats() {
    let threat = |length: u16, line| Scene::new(BRINK, after(White, ThreatOfMate { length: Some(length) }, line));
    threat(1, "G*5b").holds();
    threat(0, "G*5b").fails("longer than");
    threat(1, "G*4b").fails("does not end with a mate");
    Scene::new(BRINK, after(Black, ThreatOfMate { length: Some(1) }, "G*5b")).fails("not to move");
    let checked = "4k4/9/4P4/4L4/9/9/9/9/r3K4 b G 1";
    Scene::new(checked, after(Black, ThreatOfMate { length: Some(1) }, "G*5b")).fails("a pass while in check");

    Scene::after(BRINK, "9c9d", after(White, ThreatUnmet { length: Some(1) }, "G*5b")).holds();
    let new = "3k5/9/4P4/9/9/9/9/9/4K4 w G 1";
    Scene::after(new, "6a5a", after(White, ThreatUnmet { length: Some(1) }, "G*5b")).fails("no threat before");
}

#[test]
fn threat_made_by_the_move() {
    let made =
        |length: u16, line| Scene::after(APPROACH, "5d5c", before(Black, ThreatMade { length: Some(length) }, line));
    made(1, "5d5c G*5b").holds();
    made(3, "5d5c G*5b").fails("a mate within 1 plies");
    made(0, "5d5c G*5b").fails("longer than 0 plies");
    made(1, "5d5c G*5b 5a5b").fails("longer than 1 plies");
    made(1, "5d5c").fails("does not end with a mate");
    made(1, "5d5c G*4b").fails("does not end with a mate");
    made(1, "").fails("empty");
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
        Scene::after(nearer, "3e3d", before(Black, ThreatMade { length: Some(length) }, line))
    };
    made(3, "3e3d S*3c 3b4a G*4b").holds();
    made(2, "3e3d S*3c 3b4a G*4b").fails("longer than 2 plies");
    made(3, "3e3d S*3c 3b4a").fails("does not end with a mate");
    made(3, "3e3d 9i9h 3b4a G*4b").fails("gives no check");
    // White can hold out for longer than by the short lines.
    let made =
        |sfen, mv, length: u16, line| Scene::after(sfen, mv, before(Black, ThreatMade { length: Some(length) }, line));
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
    better("5i5h", "5d4c").fails("neither the move played nor the better one");
    better("5d4c", "5d5c").fails("5d4c makes a threat, too");
    Scene::after(APPROACH, "5i5h", fact.clone()).fails("neither the move played nor the better one");
    let mut second = better("5i5h", "5i4h");
    second.candidates = vec![vec![("5i4h", 300), ("5d5c", 200)]];
    second.fails("neither the move played nor the better one");
    let mut elsewhere = better("5i5h", "5d5c");
    elsewhere.candidates.insert(0, Vec::new());
    elsewhere.fails("neither the move played nor the better one");
}

#[test]
fn threat_let_by_the_move() {
    let lets = |better, reply| {
        let sfen = "4k4/9/p8/9/9/4g4/P8/9/R3K4 b g 1";
        let mut scene = Scene::after(sfen, "9g9f", after(White, ThreatMade { length: Some(1) }, "5f5g G*5h"));
        scene.candidates = vec![vec![(better, 0)], vec![(reply, 0)]];
        scene
    };
    let with_fact = |fact| Scene { fact, ..lets("9i9h 5f5g", "5f5g") };
    lets("9i9h 9c9d", "5f5g").holds();
    lets("9i9h 5f5g", "5f5g 9f9e G*5h").holds();
    with_fact(after(White, ThreatMade { length: Some(0) }, "5f5g G*5h")).fails("longer than 0 plies");
    with_fact(after(White, ThreatMade { length: Some(1) }, "5f5g G*4h")).fails("does not end with a mate");
    with_fact(after(White, ThreatMade { length: Some(1) }, "5f5g")).fails("does not end with a mate");
    with_fact(after(White, ThreatMade { length: Some(1) }, "9c9d G*5h")).fails("does not end with a mate");
    with_fact(after(Black, ThreatMade { length: Some(1) }, "5f5g G*5h")).fails("not to move");
    with_fact(before(White, ThreatMade { length: Some(1) }, "5f5g G*5h")).fails("not to move");
    with_fact(before(Black, ThreatMade { length: Some(1) }, "5f5g G*5h")).fails("illegal");
    with_fact(after(White, ThreatMade { length: Some(1) }, "5f4g G*5h")).fails("4g is not the engine's reply");
    lets("9i9h 9c9d", "9c9d").fails("5f5g is not the engine's reply");
    lets("9i9h 9c9d", "9c9d").with_reply("5f5g").fails("5f5g is not the engine's reply");
    lets("9i8i 9c9d", "5f5g").fails("5f5g makes a threat, too");
    lets("9g9f 9c9d", "5f5g").fails("5f5g makes a threat, too");
    lets("9i9h", "5f5g").fails("fewer than two moves");
    lets("5i5g 9c9d", "5f5g").fails("better move 5i5g is illegal");
    let mut unknown = lets("9i9h 9c9d", "5f5g");
    unknown.candidates[0].clear();
    unknown.fails("fewer than two moves");
    unknown.candidates.truncate(1);
    unknown.fails("5f5g is not the engine's reply");
}

#[test]
fn threat_let_by_the_better_move_as_well() {
    let lets = |better| {
        // By its capture the knight prevents the reply, but not the threat of the other gold.
        let sfen = "4k4/9/p8/9/9/4gg3/P8/3N5/4K4 b g 1";
        let mut scene = Scene::after(sfen, "9g9f", after(White, ThreatMade { length: Some(1) }, "5f5g G*5h"));
        scene.candidates = vec![vec![(better, 0)], vec![("5f5g", 0)]];
        scene
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
        let mut scene = Scene::after(sfen, "1g1f", after(White, ThreatMade { length: Some(1) }, "6c8e G*5h"));
        scene.candidates = vec![vec![(better, 0)], vec![("6c8e", 0)]];
        scene
    };
    lets("7e7d 9c9d").holds();
    lets("1g1f 9c9d").fails("6c8e makes a threat, too");
}

#[test]
fn threat_let_where_none_can_be() {
    let lets = |sfen, mv, line, candidates: [&'static str; 2]| {
        let mut scene = Scene::after(sfen, mv, after(White, ThreatMade { length: Some(1) }, line));
        scene.candidates = candidates.into_iter().map(|line| vec![(line, 0)]).collect();
        scene
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
        let mut scene = Scene::after(sfen, mv, fact);
        scene.candidates = candidates.into_iter().map(|line| vec![(line, 0)]).collect();
        let verdict = scene.verdict();
        assert!(matches!(&verdict, Verdict::Undecided(text) if text.contains(why)), "{verdict:?} is not {why:?}");
    };
    let made = before(Black, ThreatMade { length: Some(1) }, "5d5c G*5b");
    let rich = "4k4/9/p8/4G4/9/9/9/9/4K4 b BGN 1";
    undecided(rich, "5d5c", made.clone(), ["5d5c", "9c9d"], "before the move already");
    let capture = "4k4/9/p8/1b2G4/1P7/9/9/9/4K4 b GN 1";
    undecided(capture, "8e8d", made, ["5d5c", "9c9d"], "whether 8e8d makes a threat");
    let let_by = after(White, ThreatMade { length: Some(1) }, "5f5g G*5h");
    let recapture = "4k4/9/p8/9/1p7/1B2g4/P8/9/R3K4 b gn 1";
    undecided(recapture, "9g9f", let_by, ["9i9h 8e8f", "5f5g"], "whether 8e8f makes a threat");
}

#[test]
fn brinkmate() {
    Scene::new(BRINK, after(White, Brinkmate, "G*5b")).holds();
    Scene::new(BRINK, after(White, Brinkmate, "")).fails("does not end with a mate");
    let rook = "4k4/9/r3G4/9/9/9/9/9/4K4 w G 1";
    Scene::new(rook, after(White, Brinkmate, "G*5b")).fails("escapes");
    let in_hand = "4k4/9/4G4/9/9/9/9/9/4K4 w Gr 1";
    Scene::new(in_hand, after(White, Brinkmate, "G*5b")).fails("escapes");
    // Black captures the checking pawn, and mates only after that.
    let delay = "4k4/9/4G4/9/9/9/4p4/9/4K4 w G 1";
    Scene::new(delay, after(White, Brinkmate, "G*5b")).fails("escapes");
    let checked = "4k4/4P4/4G4/9/9/9/9/9/4K4 w G 1";
    Scene::new(checked, after(White, Brinkmate, "G*4b")).fails("a pass while in check");
}

#[test]
fn only_move_by_proof() {
    let proved = |sfen, line| Scene::new(sfen, after(White, OnlyMove { holding_count: 1, is_proved: true }, line));
    let knight = "4kn3/9/4G4/9/9/9/9/9/4K4 w G 1";
    proved(knight, "4a5c").holds();
    proved(knight, "4a3c").fails("4a3c is answered by a mate, too");
    proved("4kn3/9/r3G4/9/9/9/9/9/4K4 w G 1", "4a5c").fails("holds, too");
    proved(BRINK, "5a4a").fails("answered by a mate, too");
    let twice = after(White, OnlyMove { holding_count: 2, is_proved: true }, "4a5c");
    Scene::new(knight, twice).fails("1 candidates hold, not 2");
}
