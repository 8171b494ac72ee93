//! What moves are worth, in games of which every position has a value.

use super::*;
use crate::kifu;
use Color::{Black, White};

/// A game whose moves say nothing, with a comment after the start and each of them.
fn game(comments: &[&str]) -> Record {
    let moves = ["", "1 ２六歩(27)", "2 ８四歩(83)", "3 ２五歩(26)", "4 ８五歩(84)", "5 ７八金(69)", "6 ３二金(41)"];
    let mut text = "手合割：平手\n".to_owned();
    for (mv, comment) in moves.iter().zip(comments) {
        if !mv.is_empty() {
            text.extend([mv, "\n"]);
        }
        comment.lines().for_each(|line| text.extend(["*", line, "\n"]));
    }
    kifu::read(text.as_bytes()).unwrap().games.remove(0)
}

/// A game by Black's win rates in percent: the scale is such that the value is the rate.
fn rated(rates: &[f64]) -> Record {
    let cp = |rate: &f64| (rate / (100.0 - rate)).ln() * 10_000.0;
    let comments: Vec<_> = rates.iter().map(|rate| format!("#評価値={:.0}", cp(rate))).collect();
    game(&comments.iter().map(String::as_str).collect::<Vec<_>>())
}

fn review(record: &Record) -> Review {
    Review::new(record, &[], |_| Model::new(10_000.0))
}

#[test]
fn a_loss_has_its_mark() {
    let check = |loss, expect| assert_eq!(Mark::of_loss(loss), expect, "{loss}");
    check(0.0, None);
    check(4.99, None);
    check(5.0, Some(Mark::Inaccuracy));
    check((0.55 - 0.5) * 100.0, Some(Mark::Inaccuracy));
    check(9.99, Some(Mark::Inaccuracy));
    check(10.0, Some(Mark::Dubious));
    check(20.0, Some(Mark::Mistake));
    check(49.99, Some(Mark::Mistake));
    check(50.0, Some(Mark::Blunder));
    check(100.0, Some(Mark::Blunder));
}

#[test]
fn a_move_is_worth_what_its_side_loses() {
    let record = rated(&[50.0, 44.0, 55.0, 60.0, 81.0]);
    let review = review(&record);
    let found: Vec<_> = review.moves().map(|mv| (mv.ply, mv.side, mv.loss.round(), mv.mark)).collect();
    let expect = [
        (1, Black, 6.0, Some(Mark::Inaccuracy)),
        (2, White, 11.0, Some(Mark::Dubious)),
        (3, Black, 0.0, None),
        (4, White, 21.0, Some(Mark::Mistake)),
    ];
    assert_eq!(found, expect);
    let [black, white] = review.summary(&record).sides;
    assert_eq!((black.moves, black.marks, white.marks), (2, [1, 0, 0, 0], [0, 1, 1, 0]));
    assert_eq!([black, white].map(|side| side.accuracy.map(f64::round)), [Some(97.0), Some(84.0)]);
}

#[test]
fn the_engine_s_own_choice_has_no_mark() {
    let record =
        game(&["#評価値=0\n#読み筋=▲２六歩", "#評価値=-9000", "#評価値=9000\n#読み筋=▲７六歩", "#評価値=-9000"]);
    let review = Review::new(&record, &[], |_| Model::default());
    let found: Vec<_> = review.moves().map(|mv| (mv.is_choice, mv.mark)).collect();
    assert_eq!(found, [(true, None), (false, Some(Mark::Blunder)), (false, Some(Mark::Blunder))]);
    let [black, _] = review.summary(&record).sides;
    // It has lost all the same.
    assert_eq!((black.choices, black.accuracy.map(f64::round)), (1, Some(25.0)));
}

#[test]
fn who_is_heard_where_several_speak() {
    let check = |comment: &str, engines: &[&str], expect| {
        let record = game(&[comment]);
        let review = Review::new(&record, engines, |said| Model::new(if said.engine.is_some() { 1.0 } else { 600.0 }));
        let worth = review.worth(NodeId::START).map(|worth| (worth.value, worth.engine.as_deref()));
        assert_eq!(worth, expect, "{comment}");
    };
    let cp = Value::Cp;
    check("よい局面", &[], None);
    check("*評価値=5\n*エンジン=A", &[], Some((cp(5), Some("A"))));
    check("*評価値=5\n#評価値=6", &[], Some((cp(6), None)));
    check("#評価値=6\n*評価値=5", &[], Some((cp(6), None)));
    check("#評価値=6\n#エンジン=A\n#評価値=7\n#エンジン=B", &[], Some((cp(7), Some("B"))));
    check("#評価値=6\n#エンジン=A\n#評価値=7\n#エンジン=B", &["A"], Some((cp(6), Some("A"))));
    check("#評価値=6\n#エンジン=A\n#評価値=7\n#エンジン=B", &["C"], Some((cp(7), Some("B"))));
    check("* 5\n#エンジン=A\n* 6", &[], Some((cp(5), Some("A"))));
    check("#評価値=6\n#候補=2\n#エンジン=A", &[], None);
    check("#推奨手[62]▲２六歩", &[], None);
}

#[test]
fn gaps_are_no_losses() {
    let record = game(&["#評価値=0", "", "#評価値=900", "#評価値=-900"]);
    let review = review(&record);
    assert_eq!(review.moves().map(|mv| mv.ply).collect::<Vec<_>>(), [3]);
    let [black, white] = review.summary(&record).sides;
    assert_eq!((black.moves, white.accuracy), (1, None));
}

#[test]
fn a_mate_needs_no_engine() {
    let text = "後手の持駒：\n+---------------------------+\n| ・ ・ ・ ・v玉 ・ ・ ・ ・|一\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|二\n\
        | ・ ・ ・ ・ 歩 ・ ・ ・ ・|三\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|四\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|五\n\
        | ・ ・ ・ ・ ・ ・ ・ ・ ・|六\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|七\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|八\n\
        | ・ ・ ・ ・ 玉 ・ ・ ・ ・|九\n+---------------------------+\n先手の持駒：金\n*#詰み=先手勝ち:1手\n1 ５二金打\n";
    let record = kifu::read(text.as_bytes()).unwrap().games.remove(0);
    let review = review(&record);
    let last = record.main_line().last().unwrap();
    assert_eq!(review.worth(last).map(|worth| worth.value), Some(Value::Mate { winner: Color::Black, plies: None }));
    assert!(review.assessed(last).is_some_and(|mv| mv.loss == 0.0));
}

#[test]
fn where_it_turned() {
    let check = |rates: &[f64], expect: &[(u16, Turn)]| {
        let record = rated(rates);
        let points = review(&record).summary(&record).turning_points;
        let found: Vec<_> = points.iter().map(|point| (point.assessed.ply, point.turn)).collect();
        assert_eq!(found, expect, "{rates:?}");
    };
    let lead = Turn::Lead;
    check(&[50.0, 52.0, 48.0, 52.0, 55.0], &[]);
    // White loses its ground by two moves; the second cost more.
    check(&[50.0, 50.0, 54.0, 54.0, 62.0], &[(4, lead(None, Black))]);
    check(&[50.0, 50.0, 58.0, 58.0, 62.0], &[(2, lead(None, Black))]);
    // There and back; what goes on beyond the middle is no turn of its own.
    check(&[50.0, 50.0, 65.0, 30.0, 20.0, 15.0], &[(2, lead(None, Black)), (3, lead(Some(Black), White))]);
    check(&[50.0, 50.0, 65.0, 55.0, 55.0, 62.0], &[(2, lead(None, Black))]);
    // One that was there from the start is lost by nobody.
    check(&[5.0, 4.0, 5.0, 4.0], &[]);
    check(&[95.0, 94.0, 95.0, 93.0], &[]);
    check(&[95.0, 94.0, 95.0, 30.0], &[(3, lead(Some(Black), White))]);
    check(&[30.0, 50.0, 65.0], &[(2, lead(Some(White), Black))]);
    // Nor is one that is taken by moves that lose nothing.
    check(&[50.0, 50.0, 50.0, 65.0], &[]);
    // A lead thrown away in the end without one for the other, and the win that was missed.
    check(&[50.0, 50.0, 62.0, 62.0, 99.0, 55.0], &[(2, lead(None, Black)), (5, Turn::Costliest)]);
}

#[test]
fn what_the_engine_would_have_played_is_no_turn() {
    let turns = |comments: &[&str]| {
        let record = game(comments);
        let points = review(&record).summary(&record).turning_points;
        points.iter().map(|point| (point.assessed.ply, point.turn)).collect::<Vec<_>>()
    };
    // Black's first move loses the lead by either account.
    assert_eq!(turns(&["#評価値=0", "#評価値=-9000"]), [(1, Turn::Lead(None, White))]);
    assert_eq!(turns(&["#評価値=0\n#読み筋=▲２六歩", "#評価値=-9000"]), []);
    // Nor is it the costliest of all, where it loses a won game's lead without the other's taking it.
    let thrown = ["#評価値=90000", "#評価値=90000", "#評価値=90000", "#評価値=1000"];
    assert_eq!(turns(&thrown), [(3, Turn::Costliest)]);
    assert_eq!(turns(&[thrown[0], thrown[1], "#評価値=90000\n#読み筋=▲２五歩", thrown[3]]), []);
}

#[test]
fn white_may_begin() {
    let text = "手合割：角落ち\n*#評価値=0\n1 ３四歩(33)\n*#評価値=4000\n";
    let record = kifu::read(text.as_bytes()).unwrap().games.remove(0);
    let review = review(&record);
    assert_eq!(
        review.moves().map(|mv| (mv.side, mv.mark)).collect::<Vec<_>>(),
        [(Color::White, Some(Mark::Inaccuracy))]
    );
}

#[test]
fn engines_are_not_compared_with_each_other() {
    let check = |comments: &[&str], expect: &[(u16, f64)]| {
        let record = game(comments);
        let review = Review::new(&record, &[], |said| {
            Model::new(if said.engine.as_deref() == Some("B [nodes 9]") { 300.0 } else { 600.0 })
        });
        let found: Vec<_> = review.moves().map(|mv| (mv.ply, mv.loss.round())).collect();
        assert_eq!(found, expect, "{comments:?}");
    };
    let a = |cp: i32| format!("#評価値={cp}\n#エンジン=A [nodes 5]");
    let b = |cp: i32| format!("#評価値={cp}\n#エンジン=B [nodes 9]");
    let both = |one: i32, other: i32| format!("{}\n{}", a(one), b(other));
    // At the seam nobody knows.
    check(&[&a(100), &a(100), &b(-300), &b(-300)], &[(1, 0.0), (3, 0.0)]);
    // Who speaks of both is asked, though another knows more of one.
    check(&[&a(100), &both(100, -300), &b(-300)], &[(1, 0.0), (2, 0.0)]);
    check(&[&both(0, 0), &both(0, -300)], &[(1, 23.0)]);
    // By another limit it is the same engine.
    check(&["#評価値=300\n#エンジン=A [nodes 5]", "#評価値=0\n#エンジン=A [nodes 9]"], &[(1, 12.0)]);
    // An analysis is not compared with what a player said.
    check(&["#評価値=300", "*評価値=0", "*評価値=0"], &[(2, 0.0)]);
    let record = game(&[&a(100), &format!("{}\n#読み筋=△３四歩\n{}", a(0), b(0)), &a(900)]);
    let review = review(&record);
    let marked = record.main_line().nth(1).unwrap();
    assert_eq!(
        review.compared(marked).map(|worths| worths.each_ref().map(|worth| worth.value)),
        Some([Value::Cp(0), Value::Cp(900)])
    );
}

#[test]
fn the_rules_come_before_what_is_said() {
    let repeated = ["5i5h 5a5b 5h5i 5b5a"; 3].join(" ");
    let mut record = kifu::read(format!("position startpos moves {repeated}").as_bytes()).unwrap().games.remove(0);
    let line: Vec<_> = record.main_line().collect();
    for node in &line[10..] {
        record.node_mut(*node).notes_mut().comment = Some("#評価値=-9000".to_owned());
    }
    let review = review(&record);
    assert_eq!(review.worth(line[11]).map(|worth| (worth.value, worth.rate)), Some((Value::Cp(0), 0.5)));
    let lost = review.assessed(line[11]).map(|mv| (mv.side, mv.loss.round(), mv.mark));
    assert_eq!(lost, Some((White, 21.0, Some(Mark::Mistake))), "a draw where it was winning");
}
