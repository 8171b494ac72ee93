use crate::support::{Scene, after, before, moves};
use shogibar_facts::FactKind::{EngineMateAllowed, EngineMateMissed, OnlyMove, Punished, Unpunished};
use shogibar_facts_verifier::Verdict;
use shogibar_shogi::Color::{Black, White};

const START: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";

#[test]
fn only_move_by_values() {
    let only = |holding_count, line, candidates| {
        let mut scene = Scene::new(
            START,
            after(
                Black,
                OnlyMove {
                    holding_count,
                    is_proved: false,
                },
                line,
            ),
        );
        scene.candidates = vec![candidates];
        scene
    };
    only(1, "2g2f", vec![("2g2f", 300), ("7g7f", -200)]).holds();
    only(2, "2g2f", vec![("2g2f", 300), ("7g7f", -200)]).fails("1 candidates hold");
    only(1, "2g2f", vec![("2g2f", 300), ("7g7f", 100)]).fails("points behind");
    only(1, "7g7f", vec![("2g2f", 300), ("7g7f", -200)]).fails("another candidate");
    only(1, "2g2f", vec![("2g2f", 300)]).fails("not two candidates");
    only(1, "2g2e", vec![("2g2f", 300), ("7g7f", -200)]).fails("illegal");
    only(1, "", vec![("2g2f", 300), ("7g7f", -200)]).fails("empty");
}

#[test]
fn only_move_of_white_by_values() {
    let mut scene = Scene::after(
        START,
        "7g7f",
        after(
            White,
            OnlyMove {
                holding_count: 1,
                is_proved: false,
            },
            "3c3d",
        ),
    );
    scene.candidates = vec![vec![], vec![("3c3d", -50), ("8c8d", 300)]];
    scene.holds();
    scene.candidates = vec![vec![], vec![("3c3d", 300), ("8c8d", -50)]];
    scene.fails("points behind");
    let mut scene = Scene::after(
        START,
        "7g7f",
        before(
            Black,
            OnlyMove {
                holding_count: 1,
                is_proved: false,
            },
            "2g2f",
        ),
    );
    scene.candidates = vec![vec![("2g2f", 300), ("7g7f", -200)]];
    scene.holds();
}

#[test]
fn only_move_that_anybody_plays() {
    let only = |side, mv| {
        after(
            side,
            OnlyMove {
                holding_count: 1,
                is_proved: false,
            },
            mv,
        )
    };
    let mut recapture = Scene::after(START, "7g7f 3c3d 8h2b+", only(White, "3a2b"));
    recapture.candidates = vec![vec![], vec![], vec![], vec![("3a2b", -50), ("8c8d", 600)]];
    recapture.fails("takes back at no loss");
    let mut check = Scene::after("8k/9/9/9/9/9/9/9/R3K4 b - 1", "9i9a", only(White, "1a1b"));
    check.candidates = vec![vec![], vec![("1a1b", -50), ("1a2b", 600)]];
    check.fails("the check has 2 answers");
    let mut wide = Scene::after("4k4/9/9/9/9/9/9/9/R3K4 b - 1", "9i9a", only(White, "5a5b"));
    wide.candidates = vec![vec![], vec![("5a5b", -50), ("5a4b", 600)]];
    wide.holds();
}

#[test]
fn replies() {
    let reply = |kind, values: [i32; 2]| {
        let mut scene = Scene::after(START, "7g7f", after(White, kind, "8c8d")).with_reply("8c8d");
        scene.candidates = vec![
            vec![("2g2f", 300)],
            vec![("3c3d", values[0])],
            vec![("2g2f", values[1])],
        ];
        scene
    };
    reply(Punished, [0, 20]).holds();
    reply(Punished, [0, 200]).fails("loses");
    reply(Unpunished, [0, 300]).holds();
    reply(Unpunished, [0, 200]).fails("only");
    reply(Punished, [290, 300]).fails("the move loses");
    reply(Unpunished, [0, 20]).fails("only");
    let mut best = reply(Unpunished, [0, 300]);
    best.candidates[1] = vec![("8c8d", 0)];
    best.fails("takes the chance");
    let mut other = reply(Punished, [0, 20]);
    other.reply = "3c3d";
    other.fails("the reply in the game is 3c3d");
    let mut none = reply(Punished, [0, 20]);
    none.candidates.clear();
    assert!(
        matches!(none.verdict(), Verdict::Undecided(_)),
        "there are no values"
    );
    Scene::after(START, "7g7f", after(White, Punished, "")).fails("no reply");
    let mut mover = reply(Punished, [0, 20]);
    mover.fact.side = Black;
    mover.fails("not to move");
}

/// Both rooks can check the other king.
const ROOKS: &str = "4k4/9/9/9/8r/9/9/1R7/4K4 b - 1";

#[test]
fn mates_by_values() {
    let allowed = |length| {
        let fact = after(Black, EngineMateAllowed { length }, "1e4e 4i5i");
        let mut scene = Scene::after(ROOKS, "5i4i", fact);
        scene.candidates = vec![vec![("8h8a", 300)], vec![("1e4e 4i5i", 0)]];
        scene.mates = vec![(1, White, 8)];
        scene
    };
    allowed(8).holds();
    allowed(7).fails("the value is");
    let changed = |change: fn(&mut Scene)| {
        let mut scene = allowed(8);
        change(&mut scene);
        scene
    };
    changed(|scene| scene.mates = vec![(1, Black, 8)]).fails("the value is");
    changed(|scene| scene.mates.push((0, White, 9))).fails("before the move");
    changed(|scene| scene.fact.side = White).fails("not one of the side");
    changed(|scene| scene.fact.line.truncate(1)).fails("not the engine's");
    changed(|scene| scene.fact.line.clear()).fails("the line is empty");
    changed(|scene| scene.candidates[0][0].0 = "5i4i").fails("plays 5i4i, too");
    let mut silent = changed(|scene| scene.candidates[1][0].0 = "1e1d 4i5i");
    silent.fact.line = moves("1e1d 4i5i");
    silent.fails("gives no check");
    let mut none = allowed(8);
    none.candidates[0].clear();
    assert!(
        matches!(none.verdict(), Verdict::Undecided(_)),
        "there is no value"
    );

    let mut missed = Scene::after(
        ROOKS,
        "5i4i",
        before(Black, EngineMateMissed { length: 9 }, "8h8a 5a4b"),
    );
    missed.candidates = vec![vec![("8h8a 5a4b", 0)], vec![("1e4e", 300)]];
    missed.mates = vec![(0, Black, 9)];
    missed.holds();
    missed.mates.push((1, Black, 8));
    missed.fails("still mates");
    missed.mates = vec![(0, Black, 11)];
    missed.fails("the value is");
}
