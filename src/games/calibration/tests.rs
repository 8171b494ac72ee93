use super::*;
use shogibar_base::Lang;
use shogibar_kifu::Record;
use std::fmt::Write as _;

/// Returns moves of both sides without a repetition within 40 plies.
fn moves() -> Vec<String> {
    let mut moves = Vec::new();
    for file in (1..=9).rev() {
        moves.push((format!("{file}7{file}6FU"), format!("{file}3{file}4FU")));
    }
    let pairs = moves.into_iter().chain([
        ("3948GI".to_owned(), "7162GI".to_owned()),
        ("4857GI".to_owned(), "6253GI".to_owned()),
        ("6978KI".to_owned(), "4132KI".to_owned()),
        ("4958KI".to_owned(), "6152KI".to_owned()),
    ]);
    pairs
        .flat_map(|(black, white)| [format!("+{black}"), format!("-{white}")])
        .collect()
}

/// Returns a CSA game with a comment after each move, by the number of the move.
fn csa(comment: impl Fn(usize) -> String, end: &str) -> String {
    let mut text = "V2.2\nN+one\nN-other\nPI\n+\n".to_owned();
    for (ply, mv) in (1..).zip(moves()) {
        writeln!(text, "{mv}\nT1\n{}", comment(ply)).unwrap();
    }
    text + end
}

fn record(text: &str) -> Record {
    shogibar_kifu::read(text.as_bytes()).unwrap().games.remove(0)
}

const FROM_20: PlyRange = 20..=u16::MAX;

/// Returns the evaluations that count, by engine.
fn rated(text: &str) -> Result<Vec<(String, Vec<i16>)>, UnratedReason> {
    rate_record(&record(text), &FROM_20).map(|rated| rated.engines)
}

/// Returns the name of an engine with its values, as [`RatedRecord::engines`] has them.
fn engine_values(name: &str, values: impl IntoIterator<Item = i16>) -> (String, Vec<i16>) {
    (name.to_owned(), values.into_iter().collect())
}

#[test]
fn each_player_counts_as_an_engine() {
    let both = csa(|ply| format!("'** {}", ply * 10), "%TORYO\n");
    let expect = vec![
        engine_values("other", [200, 220, 240, 260]),
        engine_values("one", [210, 230, 250]),
    ];
    assert_eq!(rated(&both), Ok(expect));
    assert!(
        rate_record(&record(&both), &FROM_20).unwrap().result < 0.1,
        "Black is to move and resigns"
    );
    let one = csa(
        |ply| {
            if ply % 2 == 1 {
                format!("'** {}", ply * 10)
            } else {
                String::new()
            }
        },
        "%TORYO\n",
    );
    let found = rate_record(&record(&one), &FROM_20).unwrap();
    assert_eq!(found.engines, [engine_values("one", [210, 230, 250])]);
    assert_eq!(found.remarks, [CountedRemark::OneSided]);
}

#[test]
fn every_dialect_is_read() {
    let check = |comment: &str, expect: &str| {
        let text = csa(
            |ply| {
                if ply == 20 {
                    comment.replace('\n', "\n'*")
                } else {
                    String::new()
                }
            },
            "%TORYO\n",
        );
        assert_eq!(rated(&text), Ok(vec![engine_values(expect, [123])]), "{comment}");
    };
    check("'** 123 +2726FU", "other");
    check("'** 123 +2726FU #5000", "other");
    check("'**評価値=123\n*エンジン=A", "A");
    check("'*#評価値=123\n#エンジン=A [nodes 5]", "A");
    check("'*#評価値=123", "");
    check("'**解析 0 候補1 深さ 5 評価値 123 読み筋 ▲２六歩(27)", "");
    check(
        "'**対局 時間 00:01.0 深さ 5 評価値 123 読み筋 △３四歩(33)",
        "other",
    );
    check(
        "'** Engine A 候補1 深さ 5/9 ノード数 9 評価値 123 読み筋 ▲２六歩(27)",
        "A",
    );
    check("'*#形勢[123]▲２六歩", "");
    check("'*[%eval 1.23]", "");
}

#[test]
fn only_positions_without_a_decision_count() {
    let text = csa(
        |ply| match ply {
            21 => "'** 30000".to_owned(),
            22 => "'** -31111".to_owned(),
            23 => "'**詰み=先手勝ち:5手".to_owned(),
            24 => "'**解析 0 候補2 評価値 900\n'**解析 0 候補1 評価値 7".to_owned(),
            // The last evaluation of the first rank is the deepest.
            25 => "'**解析 0 候補1 評価値 8\n'**解析 0 候補1 評価値 9".to_owned(),
            _ => String::new(),
        },
        "%TORYO\n",
    );
    assert_eq!(rated(&text), Ok(vec![engine_values("", [7, 9])]));
    let mates = csa(|_| "'** 30000".to_owned(), "%TORYO\n");
    assert_eq!(rated(&mates), Err(UnratedReason::OnlyMates));
    let early = csa(
        |ply| {
            if ply < 20 {
                "'** 5".to_owned()
            } else {
                String::new()
            }
        },
        "%TORYO\n",
    );
    assert_eq!(rated(&early), Err(UnratedReason::OutsidePlies));
    assert_eq!(
        rated(&csa(|_| String::new(), "%TORYO\n")),
        Err(UnratedReason::NoEvaluations)
    );
}

#[test]
fn results_come_from_marks_and_summaries() {
    let check = |end: &str, expect: Result<f64, UnratedReason>| {
        let text = csa(|_| "'** 5".to_owned(), end);
        assert_eq!(
            rate_record(&record(&text), &FROM_20).map(|rated| rated.result),
            expect,
            "{end}"
        );
    };
    check("%TORYO\n", Ok(0.0));
    check("%TSUMI\n", Ok(0.0));
    check("%KACHI\n", Ok(1.0));
    check("%SENNICHITE\n", Ok(0.5));
    check("%JISHOGI\n", Err(UnratedReason::OtherDraw));
    check("%TIME_UP\n", Err(UnratedReason::OnTime));
    check("%ILLEGAL_MOVE\n", Err(UnratedReason::Foul));
    check("%-ILLEGAL_ACTION\n", Err(UnratedReason::Foul));
    check("%CHUDAN\n", Err(UnratedReason::NoResult));
    check("", Err(UnratedReason::NoResult));
    let kif = |end: &str| format!("先手：a\n後手：b\n1 ７六歩(77)\n** 5\n2 ３四歩(33)\n** 6\n{end}\n");
    let result = |text: &str| rate_record(&record(text), &(0..=99)).map(|rated| rated.result);
    assert_eq!(result(&kif("まで2手で先手の勝ち")), Ok(1.0));
    assert_eq!(result(&kif("まで2手で後手の勝ち")), Ok(0.0));
    assert_eq!(result(&kif("3 切れ負け")), Err(UnratedReason::OnTime));
    let header = |stated: &str| result(&format!("結果：{stated}\n{}", kif("")));
    assert_eq!(header("先手勝ち"), Ok(1.0));
    assert_eq!(header("後手の勝ち（投了）"), Ok(0.0));
    assert_eq!(header("後手の勝ち（時間切れ）"), Err(UnratedReason::OnTime));
    assert_eq!(header("不明"), Err(UnratedReason::NoResult));
}

#[test]
fn alternating_signs_are_the_movers_view() {
    let alternating = csa(
        |ply| format!("'** {}", if ply % 2 == 0 { 400 } else { -400 }),
        "%TORYO\n",
    );
    assert_eq!(rated(&alternating), Err(UnratedReason::UnknownView));
    let signed = csa(
        |ply| {
            format!(
                "'*#評価値={}\n'*#エンジン=A",
                if ply % 2 == 0 { 400 } else { -400 }
            )
        },
        "%TORYO\n",
    );
    assert_eq!(rated(&signed), Err(UnratedReason::UnknownView));
    // The signs of small evaluations have no meaning.
    let even = csa(
        |ply| format!("'** {}", if ply % 2 == 0 { 40 } else { -40 }),
        "%TORYO\n",
    );
    assert!(rated(&even).is_ok());
}

/// Reads texts as files of these names.
fn collected(texts: &[(&str, String)]) -> CollectedGames {
    let source =
        |(name, text): &(&str, String)| RecordSource::Bytes((*name).to_owned(), text.clone().into_bytes());
    collect(texts.iter().map(source).collect(), &FROM_20, Lang::En).unwrap()
}

fn remarks(collected: &CollectedGames) -> Vec<(PoolRemark, usize)> {
    collected
        .pool
        .remarks()
        .map(|(remark, count)| (remark, count.games))
        .collect()
}

#[test]
fn a_game_counts_once() {
    let game = csa(|_| "'** 5".to_owned(), "%TORYO\n");
    let other = game.replace("N+one", "N+third");
    let analysed = csa(|_| "'*#評価値=80\n'*#エンジン=A".to_owned(), "%TORYO\n");
    let read = collected(&[
        ("a", game.clone()),
        ("b", game.clone()),
        ("c", other),
        ("d", analysed),
        ("e", "x".into()),
    ]);
    assert_eq!(remarks(&read), [(PoolRemark::Duplicate, 1)]);
    assert_eq!(
        read.pool.names().collect::<Vec<_>>(),
        ["A", "one", "other", "third"]
    );
    assert_eq!(read.pool.games("other").len(), 2);
    assert_eq!(read.pool.all_games().len(), 2, "a game of two engines is one");
    assert_eq!(read.problems.len(), 1, "{:?}", read.problems);
    let mut test = collected(&[("a", game)]).pool;
    test.remove_games_of(&read.pool);
    assert_eq!((test.names().count(), test.remarks().count()), (0, 1));
}

#[test]
fn an_engine_is_chosen_by_its_name() {
    let named =
        |name: &str| csa(|_| format!("'*#評価値=80\n'*#エンジン={name}"), "%TORYO\n").replace("N+one", name);
    let read = collected(&[
        ("a", named("Zebra 1")),
        ("b", named("Zebra 2")),
        ("c", named("Lion")),
    ]);
    let check = |name: &str, expect: Result<&str, usize>| {
        let mut pool = read.pool.clone();
        let found = pool.find(name).map(|engine| {
            pool.keep_only(&engine);
            pool.names().collect::<Vec<_>>().join(" ")
        });
        assert_eq!(found.as_deref().map_err(Vec::len), expect, "{name}");
    };
    check("lion", Ok("Lion"));
    check("Zebra 2", Ok("Zebra 2"));
    check("zebra", Err(2));
    check("tiger", Err(0));
    let mut unnamed = collected(&[("a", csa(|_| "'*#評価値=80".to_owned(), "%TORYO\n"))]).pool;
    assert_eq!(unnamed.names().collect::<Vec<_>>(), [""]);
    let tiger = unnamed.find("Tiger").unwrap();
    unnamed.keep_only(&tiger);
    assert_eq!(unnamed.names().collect::<Vec<_>>(), ["Tiger"]);
    let mut other = read.pool;
    other.keep_only(&tiger);
    assert_eq!(other.names().count(), 0, "other games need not have that engine");
}

#[test]
fn a_curve_is_fitted_for_each_engine_and_for_all() {
    let game = |number: usize| {
        let sign = if number.is_multiple_of(3) { -1 } else { 1 };
        let wins = if number.is_multiple_of(4) {
            "%TORYO\n"
        } else {
            "%KACHI\n"
        };
        let text = csa(
            |ply| format!("'** {}", sign * i32::try_from(ply * 9 + number).unwrap()),
            wins,
        );
        (
            "x",
            text.replace("N+one", &format!("N+{number}"))
                .replace("N-other", &format!("N-{number}")),
        )
    };
    let games: Vec<_> = (1..=24).map(game).collect();
    let read = collected(&games);
    let all = Calibration::new(&read.pool, None);
    assert_eq!(all.engines.len(), 25);
    let last = all.engines.last().unwrap();
    assert_eq!((last.engine.as_str(), last.games, last.positions), ("*", 24, 168));
    let fit = last.fit.unwrap();
    assert!(
        fit.k_low <= fit.likeliest_curve.k && fit.likeliest_curve.k <= fit.k_high,
        "{fit:?}"
    );
    assert_eq!(
        (all.engines[0].fit, all.engines[0].missing_games()),
        (Err(NoCurve::FewGames), Some(19))
    );
    let tested = Calibration::new(&read.pool, Some(&read.pool));
    let test = tested.engines.last().unwrap().test.clone().unwrap();
    assert_eq!((test.games, test.scale_losses.len()), (24, COMMON_SCALES.len()));
    let at_600 = test.scale_losses[1].0;
    assert!((at_600 - last.loss_600).abs() < 1e-12);
    let pool = |values: Vec<i16>, results: [f64; 20]| {
        let mut pool = GamePool::default();
        for (key, result) in (0..).zip(results) {
            let engines = vec![("A".to_owned(), values.clone())];
            pool.add(
                Ok(RatedRecord {
                    key,
                    result,
                    engines,
                    remarks: Vec::new(),
                }),
                "",
            );
        }
        Calibration::new(&pool, None).engines[0].fit
    };
    assert_eq!(pool(vec![50; 9], [1.0; 20]), Err(NoCurve::OneResult));
    let both: Vec<f64> = [1.0, 0.0].repeat(10);
    assert_eq!(
        pool(vec![0; 9], both.try_into().unwrap()),
        Err(NoCurve::OnlyZeros)
    );
}
