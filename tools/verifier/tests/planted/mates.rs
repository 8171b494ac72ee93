use crate::support::{Scene, after, before};
use shogibar_facts::FactKind::{
    Brinkmate, Check, Mate, MateAllowed, MateMissed, OnlyMove, ThreatOfMate, ThreatUnmet,
};
use shogibar_shogi::Color::{Black, White};

/// A gold mates on 5b.
const HEAD_GOLD: &str = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1";

/// White is lost: 5b, 4b or 6b is the square of a second gold.
const BRINK: &str = "4k4/9/p3G4/9/9/9/9/9/4K4 w G 1";

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
    Scene::new(
        open,
        after(Black, Mate { length: Some(5) }, "R*9a 5a4b 9a9b+ 4b4c"),
    )
    .fails("does not end");
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
    check(
        "8k/5GB2/9/5S3/9/9/9/9/K8 b GS 1",
        "G*2a 1a1b S*2c 1b1c 2c1d+ 1c1b 1d2c",
        7,
    );
    // White can hold out for longer than by this line.
    let short = "S*2c 1b2a 4c4a+ 1c3a G*1b";
    let sfen = "9/8k/5R2b/9/9/9/9/9/K8 b GS 1";
    Scene::new(sfen, after(Black, Mate { length: Some(5) }, short)).holds();
    Scene::new(sfen, after(Black, Mate { length: Some(3) }, "S*2c 1b1a G*1b"))
        .fails("no mate within 3 plies");
}

#[test]
fn mate_missed() {
    let missed = |length: u16, line| {
        Scene::after(
            HEAD_GOLD,
            "5i5h",
            before(Black, MateMissed { length: Some(length) }, line),
        )
    };
    missed(1, "G*5b").with_reply("5a6a").holds();
    missed(0, "G*5b").with_reply("5a6a").fails("longer than");
    missed(1, "G*5b").with_reply("5a4a").holds();
    Scene::after(
        HEAD_GOLD,
        "5i5h",
        after(Black, MateMissed { length: Some(1) }, "G*5b"),
    )
    .fails("After the move");
    Scene::after(
        HEAD_GOLD,
        "G*5b",
        before(Black, MateMissed { length: Some(1) }, "G*5b"),
    )
    .fails("the move mates");
    Scene::after(
        HEAD_GOLD,
        "5i5h",
        before(White, MateMissed { length: Some(1) }, "G*5b"),
    )
    .fails("not one of the side");
    let pawn = "4k4/9/p3P4/9/9/9/9/9/4K4 b G 1";
    let mate_kept = Scene::after(
        pawn,
        "5i5h",
        before(Black, MateMissed { length: Some(1) }, "G*5b"),
    );
    mate_kept.with_reply("9c9d").fails("a mate after the reply 9c9d");
}

#[test]
fn mate_allowed() {
    let walks_in = "3k5/9/4P4/9/9/9/9/9/4K4 w G 1";
    let allowed = |length: u16, line| {
        Scene::after(
            walks_in,
            "6a5a",
            after(White, MateAllowed { length: Some(length) }, line),
        )
    };
    allowed(1, "G*5b").holds();
    allowed(0, "G*5b").fails("longer than");
    allowed(1, "G*4a").fails("does not end with a mate");
    Scene::after(
        walks_in,
        "6a5a",
        after(Black, MateAllowed { length: Some(1) }, "G*5b"),
    )
    .fails("not one of the side");
    Scene::after(
        BRINK,
        "9c9d",
        after(White, MateAllowed { length: Some(1) }, "G*5b"),
    )
    .fails("every other move");
}

#[test]
fn threats() {
    let threat =
        |length: u16, line| Scene::new(BRINK, after(White, ThreatOfMate { length: Some(length) }, line));
    threat(1, "G*5b").holds();
    threat(0, "G*5b").fails("longer than");
    threat(1, "G*4b").fails("does not end with a mate");
    Scene::new(BRINK, after(Black, ThreatOfMate { length: Some(1) }, "G*5b")).fails("not to move");
    let checked = "4k4/9/4P4/4L4/9/9/9/9/r3K4 b G 1";
    Scene::new(checked, after(Black, ThreatOfMate { length: Some(1) }, "G*5b"))
        .fails("a pass while in check");

    Scene::after(
        BRINK,
        "9c9d",
        after(White, ThreatUnmet { length: Some(1) }, "G*5b"),
    )
    .holds();
    let new = "3k5/9/4P4/9/9/9/9/9/4K4 w G 1";
    Scene::after(new, "6a5a", after(White, ThreatUnmet { length: Some(1) }, "G*5b"))
        .fails("no threat before");
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
    let proved = |sfen, line| {
        Scene::new(
            sfen,
            after(
                White,
                OnlyMove {
                    holding_count: 1,
                    is_proved: true,
                },
                line,
            ),
        )
    };
    let knight = "4kn3/9/4G4/9/9/9/9/9/4K4 w G 1";
    proved(knight, "4a5c").holds();
    proved(knight, "4a3c").fails("4a3c is answered by a mate, too");
    proved("4kn3/9/r3G4/9/9/9/9/9/4K4 w G 1", "4a5c").fails("holds, too");
    proved(BRINK, "5a4a").fails("answered by a mate, too");
    let twice = after(
        White,
        OnlyMove {
            holding_count: 2,
            is_proved: true,
        },
        "4a5c",
    );
    Scene::new(knight, twice).fails("1 candidates hold, not 2");
}
