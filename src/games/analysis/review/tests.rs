//! Tests of the assessment of moves.

use super::*;

use Color::{Black, White};
use LeadChange::{Lead, Levelled, Reversal};
use shogibar_base::Lang;

/// Creates a game of neutral moves, with a comment after the start and after each move.
fn game(comments: &[&str]) -> Record {
    let moves = [
        "",
        "1 ２六歩(27)",
        "2 ８四歩(83)",
        "3 ２五歩(26)",
        "4 ８五歩(84)",
        "5 ７八金(69)",
        "6 ３二金(41)",
    ];
    let mut text = "手合割：平手\n".to_owned();
    for (mv, comment) in moves.iter().zip(comments) {
        if !mv.is_empty() {
            text.extend([mv, "\n"]);
        }
        comment.lines().for_each(|line| text.extend(["*", line, "\n"]));
    }
    shogibar_kifu::read(text.as_bytes()).unwrap().games.remove(0)
}

/// Creates a game with evaluations that correspond to these win rates of Black, in percent.
fn game_with_rates(rates: &[f64]) -> Record {
    let cp = |rate: &f64| (rate / (100.0 - rate)).ln() * 10_000.0;
    let comments: Vec<_> = rates
        .iter()
        .map(|rate| format!("#評価値={:.0}", cp(rate)))
        .collect();
    game(&comments.iter().map(String::as_str).collect::<Vec<_>>())
}

fn review(record: &Record) -> GameReview {
    GameReview::new(record, |_| None, |_| WinRateModel::new(10_000.0))
}

#[test]
fn loss_determines_the_mark() {
    let check = |loss, expect| assert_eq!(MoveMark::from_loss(loss), expect, "{loss}");
    check(0.0, None);
    check(4.99, None);
    check(5.0, Some(MoveMark::Inaccuracy));
    check((0.55 - 0.5) * 100.0, Some(MoveMark::Inaccuracy));
    check(9.99, Some(MoveMark::Inaccuracy));
    check(10.0, Some(MoveMark::Dubious));
    check(20.0, Some(MoveMark::Mistake));
    check(49.99, Some(MoveMark::Mistake));
    check(50.0, Some(MoveMark::Blunder));
    check(100.0, Some(MoveMark::Blunder));
}

#[test]
fn loss_is_the_decrease_of_the_side_s_win_rate() {
    let record = game_with_rates(&[50.0, 44.0, 55.0, 60.0, 81.0]);
    let review = review(&record);
    let found: Vec<_> = review
        .moves()
        .map(|mv| (mv.ply, mv.side, mv.loss.round(), mv.mark))
        .collect();
    let expect = [
        (1, Black, 6.0, Some(MoveMark::Inaccuracy)),
        (2, White, 11.0, Some(MoveMark::Dubious)),
        (3, Black, 0.0, None),
        (4, White, 21.0, Some(MoveMark::Mistake)),
    ];
    assert_eq!(found, expect);
    let [black, white] = review.summary(&record).sides;
    assert_eq!(
        (black.moves, black.marks, white.marks),
        (2, [1, 0, 0, 0], [0, 1, 1, 0])
    );
    assert_eq!(
        [black, white].map(|side| side.accuracy.map(f64::round)),
        [Some(87.0), Some(46.0)]
    );
}

#[test]
fn judge_s_own_choice_loses_nothing() {
    let record = game(&[
        "#評価値=0\n#読み筋=▲２六歩",
        "#評価値=-9000",
        "#評価値=9000\n#読み筋=▲７六歩",
        "#評価値=-9000",
    ]);
    let review = GameReview::new(&record, |_| None, |_| WinRateModel::default());
    let found: Vec<_> = review
        .moves()
        .map(|mv| (mv.is_best_move(), mv.loss.round(), mv.mark))
        .collect();
    let blunder = Some(MoveMark::Blunder);
    assert_eq!(
        found,
        [
            (true, 0.0, None),
            (false, 100.0, blunder),
            (false, 100.0, blunder)
        ]
    );
    let summary = review.summary(&record);
    let [black, white] = summary.sides;
    // Two moves, one of which lost everything; the judge's best move is known for both.
    assert_eq!(
        (
            black.stats.mean_loss.map(f64::round),
            black.accuracy.map(f64::round)
        ),
        (Some(50.0), Some(26.0))
    );
    assert_eq!(
        (black.figures().choices, white.figures().choices),
        ([1, 2], [0, 0])
    );
    assert!(
        summary
            .decisive_moves
            .iter()
            .all(|decisive| decisive.assessed_move.ply != 1)
    );
}

#[test]
fn one_engine_judges_and_others_keep_their_values() {
    let check = |comment: &str, chosen: Option<&str>, expect| {
        let record = game(&[comment]);
        let choose =
            |all: &Evaluators| chosen.and_then(|name| all.find(name, &record, Lang::En).ok().cloned());
        let model = |evaluation: &Evaluation| {
            WinRateModel::new(if evaluation.engine.is_some() { 1.0 } else { 600.0 })
        };
        let review = GameReview::new(&record, choose, model);
        let worth = review
            .position_value(NodeId::START)
            .map(|worth| (worth.value, worth.engine.as_deref()));
        assert_eq!(worth, expect, "{comment}");
    };
    let cp = Value::Cp;
    check("よい局面", None, None);
    check("*評価値=5\n*エンジン=A", None, Some((cp(5), Some("A"))));
    let both = "#評価値=6\n#エンジン=A\n#評価値=7\n#エンジン=B";
    check(both, None, Some((cp(7), Some("B"))));
    check(both, Some("A"), Some((cp(6), Some("A"))));
    check(both, Some("C"), Some((cp(7), Some("B"))));
    check("#評価値=6\n#候補=2\n#エンジン=A", None, None);
    check("#推奨手[62]▲２六歩", None, None);
    let record = game(&[both]);
    let review = GameReview::new(&record, |_| None, |_| WinRateModel::default());
    let by = |name: &str| {
        review
            .value_by(&Evaluator::Engine(name.to_owned()), NodeId::START)
            .map(|(value, _)| value)
    };
    assert_eq!([by("A"), by("B"), by("C")], [Some(cp(6)), Some(cp(7)), None]);
}

#[test]
fn moves_next_to_missing_values_have_no_loss() {
    let record = game(&["#評価値=0", "", "#評価値=900", "#評価値=-900"]);
    let review = review(&record);
    assert_eq!(review.moves().map(|mv| mv.ply).collect::<Vec<_>>(), [3]);
    let [black, white] = review.summary(&record).sides;
    assert_eq!((black.moves, white.accuracy), (1, None));
}

#[test]
fn mate_by_the_rules_needs_no_evaluation() {
    let text = "後手の持駒：\n+---------------------------+\n| ・ ・ ・ ・v玉 ・ ・ ・ ・|一\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|二\n\
        | ・ ・ ・ ・ 歩 ・ ・ ・ ・|三\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|四\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|五\n\
        | ・ ・ ・ ・ ・ ・ ・ ・ ・|六\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|七\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|八\n\
        | ・ ・ ・ ・ 玉 ・ ・ ・ ・|九\n+---------------------------+\n先手の持駒：金\n*#詰み=先手勝ち:1手\n1 ５二金打\n";
    let record = shogibar_kifu::read(text.as_bytes()).unwrap().games.remove(0);
    let review = review(&record);
    let last = record.main_line().last().unwrap();
    assert_eq!(
        review.position_value(last).map(|worth| worth.value),
        Some(Value::Mate {
            winner: Color::Black,
            plies: None
        })
    );
    assert!(review.assessed(last).is_some_and(|mv| mv.loss == 0.0));
}

#[test]
fn decisive_moves_change_who_is_ahead() {
    let check = |rates: &[f64], expect: &[(u16, LeadChange)]| {
        let record = game_with_rates(rates);
        let summary = review(&record).summary(&record);
        let found: Vec<_> = summary
            .decisive_moves
            .iter()
            .map(|it| (it.assessed_move.ply, it.change))
            .collect();
        assert_eq!(found, expect, "{rates:?}");
    };
    check(&[50.0, 27.0], &[(1, Lead)]);
    check(&[80.0, 70.0], &[(1, Levelled)]);
    check(&[73.0, 27.0], &[(1, Reversal)]);
    check(&[50.0, 50.0, 75.0], &[(2, Lead)]);
    // Nobody is ahead before and after the move, or the same side is.
    check(&[72.0, 28.0], &[]);
    check(&[99.0, 74.0], &[]);
    check(&[27.0, 1.0], &[]);
    // The loss is below ten points.
    check(&[77.0, 68.0], &[]);
    check(&[35.0, 26.0], &[]);
    // A missed mate that leaves the game won decides nothing.
    let record = game(&["#詰み=先手勝ち:7手", "#評価値=20000"]);
    assert_eq!(review(&record).summary(&record).decisive_moves, []);
    let record = game(&["#詰み=先手勝ち:7手", "#評価値=0"]);
    assert_eq!(review(&record).summary(&record).decisive_moves.len(), 1);
}

#[test]
fn white_may_move_first() {
    let text = "手合割：角落ち\n*#評価値=0\n1 ３四歩(33)\n*#評価値=4000\n";
    let record = shogibar_kifu::read(text.as_bytes()).unwrap().games.remove(0);
    let review = review(&record);
    assert_eq!(
        review.moves().map(|mv| (mv.side, mv.mark)).collect::<Vec<_>>(),
        [(Color::White, Some(MoveMark::Inaccuracy))]
    );
}

#[test]
fn engines_are_not_compared_with_each_other() {
    let check = |comments: &[&str], expect: &[(u16, f64)]| {
        let record = game(comments);
        let model = |evaluation: &Evaluation| {
            WinRateModel::new(if evaluation.engine.as_deref() == Some("B [nodes 9]") {
                300.0
            } else {
                600.0
            })
        };
        let review = GameReview::new(&record, |_| None, model);
        let found: Vec<_> = review.moves().map(|mv| (mv.ply, mv.loss.round())).collect();
        assert_eq!(found, expect, "{comments:?}");
    };
    let a = |cp: i32| format!("#評価値={cp}\n#エンジン=A [nodes 5]");
    let b = |cp: i32| format!("#評価値={cp}\n#エンジン=B [nodes 9]");
    let both = |one: i32, other: i32| format!("{}\n{}", a(one), b(other));
    // The engine with more moves judges; missing values are not taken from the other.
    check(&[&a(100), &a(100), &b(-300), &b(-300)], &[(3, 0.0)]);
    check(&[&a(100), &both(100, -300), &b(-300)], &[(2, 0.0)]);
    check(&[&both(0, 0), &both(0, -300)], &[(1, 23.0)]);
    // Values of one engine with different limits are compared.
    check(
        &[
            "#評価値=300\n#エンジン=A [nodes 5]",
            "#評価値=0\n#エンジン=A [nodes 9]",
        ],
        &[(1, 12.0)],
    );
    // Players' values are compared neither with an engine's nor with each other.
    check(&["#評価値=300", "*評価値=0", "*評価値=0"], &[]);
}

#[test]
fn without_a_judge_each_player_has_their_own_values() {
    let record = game(&["", "* 100", "* 700", "* -300"]);
    let review = GameReview::new(&record, |_| None, |_| WinRateModel::default());
    assert_eq!((review.judge(), review.moves().count()), (None, 0));
    let values: Vec<_> = record
        .main_line()
        .filter_map(|node| review.position_value(node))
        .map(|worth| worth.value)
        .collect();
    assert_eq!(values, [100, 700, -300].map(Value::Cp));
    let chosen = GameReview::new(
        &record,
        |all| all.iter().next().cloned(),
        |_| WinRateModel::default(),
    );
    let values: Vec<_> = record
        .main_line()
        .map(|node| chosen.position_value(node).map(|worth| worth.value))
        .collect();
    assert_eq!(
        values,
        [Some(Value::Cp(100)), None, Some(Value::Cp(-300))],
        "the first player alone"
    );
}

#[test]
fn rules_take_precedence_over_evaluations() {
    let repeated = ["5i5h 5a5b 5h5i 5b5a"; 3].join(" ");
    let mut record = shogibar_kifu::read(format!("position startpos moves {repeated}").as_bytes())
        .unwrap()
        .games
        .remove(0);
    let line: Vec<_> = record.main_line().collect();
    for node in &line[10..] {
        record.node_mut(*node).notes_mut().comment = Some("#評価値=-9000".to_owned());
    }
    let review = review(&record);
    assert_eq!(
        review
            .position_value(line[11])
            .map(|worth| (worth.value, worth.rate)),
        Some((Value::Cp(0), 0.5))
    );
    let lost = review
        .assessed(line[11])
        .map(|mv| (mv.side, mv.loss.round(), mv.mark));
    assert_eq!(
        lost,
        Some((White, 21.0, Some(MoveMark::Mistake))),
        "a draw where it was winning"
    );
}

#[test]
fn errors_are_doubtful_moves_and_changes_of_a_mate() {
    let check = |comments: &[&str], expect: &[u16]| {
        let record = game(comments);
        let review = GameReview::new(&record, |_| None, |_| WinRateModel::default());
        let found: Vec<_> = review
            .moves()
            .filter(|it| it.is_error())
            .map(|it| it.ply)
            .collect();
        assert_eq!(found, expect, "{comments:?}");
    };
    check(&["#評価値=-268", "#評価値=-1465"], &[1]);
    check(&["#評価値=0", "#評価値=-3", "#評価値=-3", "#評価値=-3"], &[]);
    // A missed mate although the win rate stays high, and an allowed mate although it was low already.
    check(&["#詰み=先手勝ち:7手", "#評価値=9000"], &[1]);
    check(&["#評価値=-9000", "#詰み=後手勝ち:9手"], &[1]);
    // A mate that remains, or that the judge's best move misses, makes no move an error.
    check(&["#詰み=先手勝ち:7手", "#詰み=先手勝ち:9手"], &[]);
    check(&["#詰み=先手勝ち:7手\n#読み筋=▲２六歩", "#評価値=9000"], &[]);
    check(&["#詰み=後手勝ち:9手", "#詰み=後手勝ち:3手"], &[]);
}

#[test]
fn mates_have_words() {
    let check = |comments: &[&str], ja: &str, en: &str| {
        let record = game(comments);
        let review = GameReview::new(&record, |_| None, |_| WinRateModel::default());
        let mv = review.moves().next().unwrap();
        assert_eq!([mv.mate_change(Lang::Ja), mv.mate_change(Lang::En)], [ja, en]);
    };
    check(
        &["#詰み=先手勝ち:7手", "#評価値=9000"],
        "7手詰を逃した",
        "missed a mate in 7",
    );
    check(
        &["#評価値=0", "#詰み=後手勝ち:19手"],
        "19手詰に入った",
        "walked into a mate in 19",
    );
    let both = "missed a mate in 7 and walked into a mate in 19";
    check(
        &["#詰み=先手勝ち:7手", "#詰み=後手勝ち:19手"],
        "7手詰を逃し、19手詰に入った",
        both,
    );
    check(&["#評価値=0", "#評価値=0"], "", "");
}

#[test]
fn moves_of_a_decided_game_are_not_in_the_mean_loss() {
    let of = |rates: &[f64]| {
        let record = game_with_rates(rates);
        let [black, _] = review(&record).summary(&record).sides;
        (
            black.stats.moves,
            black.decided_move_count(),
            black.stats.mean_loss.map(f64::round),
            black.accuracy.map(f64::round),
        )
    };
    assert_eq!(of(&[50.0, 40.0, 40.0, 40.0]), (2, 0, Some(5.0), Some(72.0)));
    // The win rate falls from 93 to 91 %: the same side has won before and after.
    assert_eq!(of(&[93.0, 91.0, 91.0, 61.0]), (1, 1, Some(30.0), Some(34.0)));
    assert_eq!(of(&[9.0, 7.0]), (0, 1, None, Some(91.0)));
    // A move that turns a won game into a lost one counts.
    assert_eq!(of(&[94.0, 6.0]), (1, 0, Some(88.0), Some(1.0)));
}

#[test]
fn phases_follow_the_captures() {
    let moves = "7g7f 3c3d 8h2b+ 3a2b 6i7h 5a6b B*5e B*3c 5e3c+ 2b3c";
    let record = shogibar_kifu::read(format!("startpos moves {moves}").as_bytes())
        .unwrap()
        .games
        .remove(0);
    let line: Vec<_> = record.main_line().collect();
    let phases = GamePhase::phases_of_line(&record, &line);
    // The bishops are exchanged twice: the move after the third capture is of the middle game.
    assert_eq!(
        phases
            .iter()
            .filter(|phase| **phase == GamePhase::Opening)
            .count(),
        9
    );
    assert_eq!(phases[9], GamePhase::Middle);
    let check = |captured, expect| assert_eq!(GamePhase::from_captured(captured), expect, "{captured}");
    check(0, GamePhase::Opening);
    check(2, GamePhase::Opening);
    check(3, GamePhase::Middle);
    check(7, GamePhase::Middle);
    check(8, GamePhase::End);
}
