//! The distinction of lines of moves from headers, and lost line ends.

use super::super::{Millis, ReadGames, Reason, Target, fit, read, write};

fn check(text: &str, moves: &str, headers: &[(&str, &str)], warnings: &[&str]) {
    let reading = read(text.as_bytes()).unwrap_or_else(|error| panic!("{text}: {error}"));
    let game = &reading.games[0];
    let found: Vec<_> = game.moves().map(|mv| mv.to_string()).collect();
    assert_eq!(found.join(" "), moves, "{text}");
    let found: Vec<_> = game
        .headers()
        .iter()
        .map(|(key, value)| (key.as_str(), value.as_str()))
        .collect();
    assert_eq!(found, headers, "{text}");
    let found: Vec<_> = reading.warnings.iter().map(ToString::to_string).collect();
    assert_eq!(found, warnings, "{text}");
}

/// The two moves of most texts in USI.
const BOTH: &str = "7g7f 3c3d";

#[test]
fn reads_moves_with_a_colon_as_moves() {
    let even = &[("手合割", "平手")][..];
    for line in [
        "▲７六歩(0:01) △３四歩(0:02)",
        "▲７六歩（0：01）△３四歩（０：０２）",
        "☗７六歩 ( 0:01/00:00:01) ☖３四歩 ( 0:02/00:00:02)",
        "７六歩(0:01) ３四歩(0:02)",
        "76歩(0:01) 34歩(0:02)",
        "７六歩(77) (0:01/00:00:01)\n３四歩(33) (0:02/00:00:02)",
        "▲７六歩(0:01)\n△３四歩(0:02)",
    ] {
        check(&format!("{line}\n"), BOTH, &[], &[]);
        check(&format!("手合割：平手\n{line}\n"), BOTH, even, &[]);
        check(
            &format!("手合割：平手\n手数----指手----\n{line}\n"),
            BOTH,
            even,
            &[],
        );
    }
    check(
        "▲７六歩 △３四歩 : text\n",
        BOTH,
        &[],
        &["1:11: ': text' after the move is not understood"],
    );
    check(
        "▲７六歩 △３四歩：好手\n",
        BOTH,
        &[],
        &["1:10: '：好手' after the move is not understood"],
    );
    check(
        "▲７六歩: ▲５六歩もある △３四歩\n",
        BOTH,
        &[],
        &["1:5: ': ▲５六歩もある' after the move is not understood"],
    );
    check(
        "▲７六歩(好手) △３四歩\n",
        BOTH,
        &[],
        &["1:5: '好手' after the move is not understood"],
    );
    check("▲７六歩(1:xx) △３四歩\n", BOTH, &[], &["1:5: '1:xx' is no time"]);
    check(
        "▲７六歩(▲２六歩なら△８四歩) △３四歩\n",
        BOTH,
        &[],
        &["1:5: '▲２六歩なら△８四歩' after the move is not understood"],
    );
    for end in ["まで", "まで。", " まで\n"] {
        check(&format!("▲７六歩 △３四歩{end}\n"), BOTH, &[], &[]);
    }
    check(
        "▲７六歩 △３四歩まで。以下▲２六歩もあった。\n",
        BOTH,
        &[],
        &["1:10: '以下▲２六歩もあった' after the move is not understood"],
    );
    check("1：▲７六歩(77)\n2：△３四歩(33)\n", BOTH, &[], &[]);
    check("1: ７六歩\n2: ３四歩\n", BOTH, &[], &[]);
}

#[test]
fn keeps_times_in_a_line_of_moves() {
    let text = "手合割：平手\n▲７六歩(0:01) △３四歩(1:02/0:01:02)\n▲２六歩\n";
    let (game, _) = read(text.as_bytes())
        .ok()
        .and_then(ReadGames::into_first)
        .unwrap();
    let spent: Vec<_> = game.main_line().map(|id| game.node(id).time.spent).collect();
    assert_eq!(spent, [Some(Millis(1000)), Some(Millis(62_000)), None]);
    let losses = |target| {
        write(&game, target)
            .losses
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>()
    };
    assert_eq!(losses(Target::Kifu), [] as [&str; 0]);
    assert_eq!(losses(Target::Ki2u), ["times of moves: 2"]);
}

#[test]
fn reads_two_players_on_a_line() {
    let players = &[("先手", "甲"), ("後手", "乙")][..];
    for line in [
        "先手: 甲 / 後手: 乙",
        "先手：甲　後手：乙",
        "先手：甲、後手 ： 乙",
        "先手：甲 対 後手：乙",
    ] {
        check(
            &format!("{line}\n1 ７六歩(77)\n2 ３四歩(33)\n"),
            BOTH,
            players,
            &[],
        );
        let headed = format!("第1局 {line}\n▲７六歩 △３四歩\n");
        check(&headed, BOTH, players, &["1:1: '第1局' is not understood"]);
    }
    check(
        "先手：　後手：乙\n▲７六歩 △３四歩\n",
        BOTH,
        &[("先手", ""), ("後手", "乙")],
        &[],
    );
    check(
        "先手：後手好き\n▲７六歩 △３四歩\n",
        BOTH,
        &[("先手", "後手好き")],
        &[],
    );
}

#[test]
fn a_bracket_that_is_no_origin_is_no_time() {
    let text = "手合割：平手\n1 ７六歩(77) ( 0:01/00:00:01)\n2 ３四歩(33)\n3 ２二角成(88)\n4 同　銀(31)\n5 ４五角打(00) ( 0:07/00:00:08)\n";
    let (game, warnings) = read(text.as_bytes())
        .ok()
        .and_then(ReadGames::into_first)
        .unwrap();
    assert!(warnings.is_empty(), "{warnings:?}");
    let last = game.main_line().last().unwrap();
    assert_eq!(game.node(last).mv().unwrap().to_string(), "B*4e");
    assert_eq!(game.node(last).time.spent, Some(Millis(7000)));
    // A second time is reported.
    let even = &[("手合割", "平手")][..];
    let twice = "手合割：平手\n1 ７六歩(77) ( 0:01/00:00:01) ( 0:05/00:00:05)\n2 ３四歩(33)\n";
    check(
        twice,
        BOTH,
        even,
        &["2:28: '0:05/00:00:05' is a second time; the first one is kept"],
    );
}

#[test]
fn a_second_time_of_a_move_in_a_line_is_reported() {
    let check = |text: &str, warnings: &[&str]| {
        let (game, found) = read(text.as_bytes())
            .ok()
            .and_then(ReadGames::into_first)
            .unwrap();
        assert_eq!(
            game.node(game.main_line().next().unwrap()).time.spent,
            Some(Millis(1000)),
            "{text}"
        );
        assert_eq!(
            found.iter().map(ToString::to_string).collect::<Vec<_>>(),
            warnings,
            "{text}"
        );
    };
    check(
        "▲７六歩(0:01)(0:05) △３四歩\n",
        &["1:11: '(0:05)' is a second time; the first one is kept"],
    );
    check(
        "▲７六歩(0:01/0:00:01)(0:01/0:00:09) △３四歩\n",
        &["1:19: '(0:01/0:00:09)' is a second time; the first one is kept"],
    );
    check("▲７六歩(0:01)(0:01) △３四歩\n", &[]);
    check("▲７六歩(0:01)(/0:00:07) △３四歩\n", &[]);
}

fn check_start(text: &str, sfen: &str, warnings: &[&str]) {
    let reading = read(text.as_bytes()).unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(reading.games[0].start().sfen(), sfen, "{text}");
    let found: Vec<_> = reading.warnings.iter().map(ToString::to_string).collect();
    assert_eq!(found, warnings, "{text}");
}

/// A diagram without White's lance on file 1.
const BOARD: &str = "+---------------------------+\n|v香v桂v銀v金v玉v金v銀v桂 ・|一\n| ・v飛 ・ ・ ・ ・ ・v角 ・|二\n\
                     |v歩v歩v歩v歩v歩v歩v歩v歩v歩|三\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|四\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|五\n\
                     | ・ ・ ・ ・ ・ ・ ・ ・ ・|六\n| 歩 歩 歩 歩 歩 歩 歩 歩 歩|七\n| ・ 角 ・ ・ ・ ・ ・ 飛 ・|八\n\
                     | 香 桂 銀 金 玉 金 銀 桂 香|九\n+---------------------------+\n";

#[test]
fn a_second_statement_about_the_start_is_reported() {
    let usual = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL";
    let lance = "lnsgkgsn1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL";
    check_start(
        "手合割：平手\n手合割：二枚落ち\n",
        &format!("{usual} b - 1"),
        &["2:1: '手合割：二枚落ち' is not used, for '手合割：平手' stands before it"],
    );
    check_start("手合割：\n手合割：香落ち\n", &format!("{lance} w - 1"), &[]);
    check_start(
        "手合割：平手\n後手番\n先手番\n",
        &format!("{usual} w - 1"),
        &["3:1: '先手番' is not taken, for '後手番' stands before it"],
    );
    check_start(
        &format!("手番：先手\n{BOARD}後手番\n"),
        &format!("{lance} b - 1"),
        &["13:1: '後手番' is not taken, for '手番：先手' stands before it"],
    );
    check_start(
        &format!("先手の持駒：香\n{BOARD}先手の持駒：角\n"),
        &format!("{lance} b L 1"),
        &["13:7: '先手の持駒：角' is not taken, for '先手の持駒：香' stands before it"],
    );
    check_start(
        &format!("先手の持駒：香\n{BOARD}先手の持駒：香\n"),
        &format!("{lance} b L 1"),
        &[],
    );
    let other = BOARD.replace("| ・v飛", "|v飛 ・");
    check_start(
        &format!("{BOARD}{other}"),
        &format!("{lance} b - 1"),
        &[
            "14:1: '|v飛 ・ ・ ・ ・ ・ ・v角 ・|二' is not taken, for '| ・v飛 ・ ・ ・ ・ ・v角 ・|二' stands before it",
        ],
    );
    check_start(&format!("{BOARD}{BOARD}"), &format!("{lance} b - 1"), &[]);
    // A name and a diagram are two statements as well.
    let warnings = "1:1: the position is not the start of '平手'; the position is taken";
    check_start(
        &format!("手合割：平手\n{BOARD}"),
        &format!("{lance} b - 1"),
        &[warnings],
    );
    check_start(
        &format!("手合割：香落ち\n{BOARD}"),
        &format!("{lance} w - 1"),
        &[],
    );
    check_start(
        &format!("手合割：その他\n{BOARD}"),
        &format!("{lance} b - 1"),
        &[],
    );
    // A diagram with the number of a move does not show the start.
    check_start(
        &format!("手合割：平手\n{BOARD}手数＝6\n"),
        &format!("{lance} b - 7"),
        &[],
    );
    check_start(
        &format!("{BOARD}手数＝6\n手数＝9\n"),
        &format!("{lance} b - 7"),
        &["13:4: '手数＝9' is not taken, for '手数＝6' stands before it"],
    );
    // A hand cannot hold more than a set, however it is written.
    check_start(
        "手合割：平手\n先手の持駒：飛二 飛\n",
        &format!("{usual} b 2R 1"),
        &[
            "1:1: an odd start: too many pieces of kind R",
            "2:10: '飛' cannot be in hand",
        ],
    );
}

#[test]
fn a_second_result_is_reported() {
    let check = |lines: &str, warnings: &[&str]| {
        let text = format!("手合割：平手\n1 ７六歩(77)\n{lines}");
        let reading = read(text.as_bytes()).unwrap();
        assert!(reading.games[0].end().is_some(), "{text}");
        let found: Vec<_> = reading.warnings.iter().map(ToString::to_string).collect();
        assert_eq!(found, warnings, "{text}");
    };
    check("2 投了\nまで1手で先手の勝ち\n", &[]);
    check("2 切れ負け\nまで1手で時間切れにより先手の勝ち\n", &[]);
    check("2 反則負け\nまで1手で先手の反則勝ち\n", &[]);
    check("2 投了\n2 投了\n", &["4:1: move 2 where move 3 is expected"]);
    let contradicts = |spot: &str, words: &str| format!("{spot}: '{words}' contradicts the end of the game");
    check("2 反則負け\n3 反則勝ち\n", &[&contradicts("4:3", "反則勝ち")]);
    check("2 投了\nまで1手で中断\n", &[&contradicts("4:1", "中断")]);
    check(
        "2 投了\nまで1手で時間切れにより先手の勝ち\n",
        &[&contradicts("4:1", "時間切れ")],
    );
    check(
        "2 投了\nまで1手で後手の勝ち\n",
        &[&contradicts("4:1", "後手の勝ち")],
    );
}

#[test]
fn the_first_move_that_fits_only_one_start_of_a_name_decides() {
    let (usual, other) = (
        "lnsgkgsn1/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
        "1nsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    );
    let fit = |square: &str| {
        format!("1:1: '三枚落ち' can be two starts; the moves fit only the one without a piece on {square}")
    };
    let undecided = "1:1: '三枚落ち' can be two starts; the usual one is taken, without a piece on 1a";
    let opening = "1 ６二金(61)\n2 ７六歩(77)\n";
    check_start(
        &format!("手合割：三枚落ち\n{opening}3 １二香(11)\n"),
        other,
        &[&fit("9a")],
    );
    check_start(
        &format!("手合割：三枚落ち\n{opening}3 ９二香(91)\n"),
        usual,
        &[&fit("1a")],
    );
    check_start(
        "手合割：三枚落ち\n△６二金 ▲７六歩 △１二香\n",
        other,
        &[&fit("9a")],
    );
    check_start(&format!("手合割：三枚落ち\n{opening}"), usual, &[undecided]);
    check_start("手合割：三枚落ち\n", usual, &[undecided]);
    // A variation decides where the line does not.
    let variation = "変化：1手\n1 １二香(11)\n";
    check_start(
        &format!("手合割：三枚落ち\n{opening}{variation}"),
        other,
        &[&fit("9a")],
    );
    // Each game decides for itself, with a warning.
    let games = format!("手合割：三枚落ち\n{opening}3 １二香(11)\n手合割：三枚落ち\n{opening}3 ９二香(91)\n");
    let reading = read(games.as_bytes()).unwrap();
    let starts: Vec<_> = reading.games.iter().map(|game| game.start().sfen()).collect();
    assert_eq!(starts, [other, usual]);
    assert_eq!(reading.warnings.len(), 2, "{:?}", reading.warnings);
    // The record is written so that every reader finds the start.
    for target in [
        Target::Kif,
        Target::Ki2u,
        Target::Csa,
        Target::Jkf,
        Target::Psn,
        Target::Usi,
    ] {
        let again = read(&write(&reading.games[0], target).bytes).unwrap();
        assert_eq!(
            (again.games[0].start().sfen().as_str(), again.warnings),
            (other, vec![]),
            "{target}"
        );
    }
}

#[test]
fn the_warning_states_whether_all_moves_fit_the_start_of_a_name() {
    let check = |moves: &str, warnings: &str| {
        let reading =
            read(format!("手合割：三枚落ち\n1 ６二金(61)\n2 ７六歩(77)\n{moves}").as_bytes()).unwrap();
        let problem = reading.warnings[0].problem.to_string();
        assert_eq!(
            problem,
            format!("'三枚落ち' can be two starts; {warnings}"),
            "{moves}"
        );
    };
    let more = "more of the moves fit the one without a piece on 9a";
    check(
        "3 １二香(11)\n4 投了\n",
        "the moves fit only the one without a piece on 9a",
    );
    check("3 １二香(11)\n4 ５五歩打\n", more);
    check("3 １二香(11)\n4 ５五歩打\n5 反則勝ち\n", more);
    check("3 １二香(11)\n4 ９二香(91)\n", more);
    check("3 １二香(11)\n4 謎\n", more);
    check("3 １二香(11)\n4 投了\n5 ９二香(91)\n", more);
    check("3 １二香(11)\n変化：9手\n9 ９二香(91)\n", more);
    check("3 ５五歩打\n", "the usual one is taken, without a piece on 1a");
}

/// A file that ends with a foul can be read.
#[test]
fn an_unknown_handicap_may_end_with_an_illegal_move() {
    let opening = "▲２六歩 △８四歩 ▲２五歩 △８五歩 ▲２四歩 △同歩 ▲同飛\n";
    let there_and_back = "△６二金 ▲４八金 △６一金 ▲４九金\n";
    let legal = format!("手合割：謎落ち\n{opening}{}△６二金\n", there_and_back.repeat(23));
    let text = |ending: &str| format!("{legal}▲７四歩打{ending}\n");
    for ending in [
        "",
        " 反則負け",
        "\nまで101手で先手の反則負け",
        " △６一金\nまで102手で先手の反則負け",
        " △６一金 ▲４八金 反則負け",
    ] {
        let reading = read(text(ending).as_bytes()).unwrap_or_else(|error| panic!("{ending}: {error}"));
        let game = &reading.games[0];
        assert_eq!(
            (game.len(), game.end().map(|end| end.reason)),
            (100, Some(Reason::IllegalMove)),
            "{ending}"
        );
        let warnings: Vec<_> = reading.warnings.iter().map(ToString::to_string).collect();
        let unknown = "1:1: the handicap '謎落ち' is not known; the game is read from the usual position";
        assert_eq!(warnings.first().map(String::as_str), Some(unknown), "{ending}");
        assert!(
            warnings
                .iter()
                .any(|warnings| warnings.contains("is illegal: two pawns")),
            "{ending}: {warnings:?}"
        );
    }
    for unfit in [
        text(" △６一金"),
        text(" △６一金 投了"),
        "手合割：謎落ち\n△６二金 反則負け\n".to_owned(),
    ] {
        let error = read(unfit.as_bytes())
            .map(|reading| reading.warnings)
            .expect_err(&unfit);
        assert!(
            error
                .to_string()
                .contains("'謎落ち' names no known start, and the moves do not fit"),
            "{error}"
        );
    }
    let jkf = |moves: &str| {
        let mv = r#"{"move":{"from":{"x":7,"y":7},"to":{"x":7,"y":6},"piece":"FU"}}"#;
        format!(
            r#"{{"header":{{"手合割":"謎落ち"}},"moves":[{{}},{mv}{}]}}"#,
            moves.replace('@', mv)
        )
    };
    let psn = |moves: &str| format!("[Handicap \"謎落ち\"]\n[Sente \"a\"]\n\nP7g-7f{moves}\n");
    for (text, is_read) in [
        (jkf(",@"), true),
        (jkf(r#",@,{"special":"ILLEGAL_ACTION"}"#), true),
        (jkf(",@,@"), false),
        (jkf(r#",@,@,{"special":"ILLEGAL_ACTION"}"#), true),
        (psn(" P7g-7f"), true),
        (psn(" P7g-7f P2g-2f"), false),
    ] {
        assert_eq!(read(text.as_bytes()).is_ok(), is_read, "{text}");
    }
}

#[test]
fn an_unknown_handicap_whose_moves_do_not_fit_is_no_game() {
    let check = |text: &str, why: &str| {
        let error = read(text.as_bytes())
            .map(|reading| reading.games.len())
            .expect_err(text);
        assert_eq!(
            error.to_string(),
            format!("this game record cannot be read: line 1: {why}")
        );
    };
    let unfit = "the handicap '謎落ち' names no known start, and the moves do not fit the usual position; a diagram would state it";
    check("手合割：謎落ち\n1 ４二玉(51)\n2 ２六歩(27)\n", unfit);
    check("手合割：謎落ち\n△４二玉 ▲２六歩\n", unfit);
    check(
        "{\"header\":{\"手合割\":\"謎落ち\"},\"moves\":[{},{\"move\":{\"from\":{\"x\":5,\"y\":1},\"to\":{\"x\":4,\"y\":2}}}]}",
        unfit,
    );
    check("[Handicap \"謎落ち\"]\n[Sente \"a\"]\n\nK5a-4b\n", unfit);
    // Moves that fit are read, as are other games of the file.
    let unknown = "1:1: the handicap '謎落ち' is not known; the game is read from the usual position";
    check_all("手合割：謎落ち\n1 ７六歩(77)\n2 ３四歩(33)\n", BOTH, &[unknown]);
    let games = read("手合割：謎落ち\n1 ４二玉(51)\n手合割：平手\n1 ７六歩(77)\n".as_bytes()).unwrap();
    assert_eq!(games.games.len(), 1);
    assert!(
        games
            .warnings
            .iter()
            .any(|warning| warning.to_string() == format!("1:1: {unfit}")),
        "{:?}",
        games.warnings
    );
}

#[test]
fn games_on_other_boards_are_named() {
    let check = |text: &str, line: u32, game: &str| {
        let error = read(text.as_bytes())
            .map(|reading| reading.games.len())
            .expect_err(text);
        assert_eq!(
            error.to_string(),
            format!("this game record cannot be read: line {line}: this is {game}, not shogi")
        );
    };
    check(
        "先手：a\n手合割：京都将棋\n手数----指手--\n1 ３四金(25)\n2 １二と成(11)\n",
        2,
        "Kyoto shogi",
    );
    check("手合割：５五将棋\n▲２四歩\n", 1, "minishogi");
    let rank = "| ・ ・ ・ ・ ・|\n";
    let board = format!(
        "+---------------+\n|v飛v角v銀v金v玉|一\n| ・ ・ ・ ・v歩|二\n{}| 玉 金 銀 角 飛|五\n",
        rank.repeat(2)
    );
    check(
        &format!("{board}1 ２四銀(35)\n"),
        2,
        "minishogi or Kyoto shogi, on a board of 5 by 5 squares",
    );
    check(&format!("手合割：5五将棋\n{board}"), 1, "minishogi");
    check(
        &"| ・ 飛 ・|\n".repeat(4),
        1,
        "a game on a board of 3 by 4 squares",
    );
    check(
        "P1-HI-KA-GI-KI-OU\nP2 *  *  *  * -FU\nP3 *  *  *  *  * \nP4+FU *  *  *  * \nP5+OU+KI+GI+KA+HI\n+\n+2534GI\n",
        1,
        "minishogi or Kyoto shogi, on a board of 5 by 5 squares",
    );
    // A diagram of shogi takes precedence over the name.
    check_start(
        &format!("手合割：5五将棋\n{BOARD}"),
        "lnsgkgsn1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
        &[],
    );
}

#[test]
fn does_not_take_headers_for_moves() {
    let headers = |lines: &[(&str, &str)]| {
        let text = lines.iter().fold(String::new(), |text, (key, value)| {
            text + &format!("{key}：{value}\n")
        });
        for moves in ["▲７六歩 △３四歩\n", "1 ７六歩(77)\n2 ３四歩(33)\n"] {
            check(&format!("{text}{moves}"), BOTH, lines, &[]);
        }
    };
    headers(&[("▲先手", "A"), ("△後手番", "B")]);
    headers(&[("消費時間", "▲1:20 △2:30"), ("▲４五歩早仕掛け", "参考")]);
    headers(&[
        ("後手番", "B"),
        ("備考", "▲７六歩(0:01) △３四歩から"),
        ("４七銀戦法", "x"),
        ("同大会", "x"),
    ]);
    headers(&[("表題(1", "2)"), ("☗", "x"), ("8c8d", "x")]);
    let text =
        "先手：A\n消費時間：0\n手数----指手---------消費時間--\n1 ７六歩(77) (0:01/0:00:01)\n2 ３四歩(33)\n";
    check(text, BOTH, &[("先手", "A"), ("消費時間", "0")], &[]);
}

#[test]
fn reports_a_damaged_line_of_moves() {
    let even = &[("手合割", "平手")][..];
    let lost = |text: &str, warnings: &[&str]| check(&format!("手合割：平手\n{text}\n"), "", even, warnings);
    lost(
        "a ７六歩(77)   ( 0:16/00:00:16)",
        &["2:1: 'a ７六歩(77)   ( 0:16/00:00:16)' is not understood"],
    );
    lost(
        "1 ７六象(77)   ( 0:16/00:00:16)",
        &["2:1: '1 ７六象(77)   ( 0:16/00:00:16)' is not understood"],
    );
    lost(
        "手数----\nx 象(77) ( 0:16/00:00:16)",
        &["3:1: 'x 象(77) ( 0:16/00:00:16)' is not understood"],
    );
    check(
        "▲７六歩(0:01) △９九何(0:02) ▲２六歩(0:03)\n",
        "7g7f",
        &[],
        &[
            "1:12: '△９九何(0:02)' cannot be read as a move; the line ends here",
            "1:23: moves after the end of the line, not read: 1",
        ],
    );
}

#[test]
fn does_not_take_moves_after_a_damaged_one_for_a_header() {
    check(
        "▲２兯歩 △８四歩 ▲２五歩手合割：平手\n▲２六歩\n",
        "",
        &[],
        &[
            "1:1: '▲２兯歩' cannot be read as a move; the line ends here",
            "1:6: moves after the end of the line, not read: 4",
        ],
    );
    let reading = read("V2.2\n$▲７六歩 △３四歩:x\n$７六歩(1:1)\nPI\n+\n+7776FU\n".as_bytes()).unwrap();
    for target in [Target::Kif, Target::Kifu, Target::Ki2, Target::Ki2u] {
        let again = read(&write(&reading.games[0], target).bytes).unwrap();
        assert_eq!(
            (again.games, again.warnings),
            (vec![fit(&reading.games[0], target).0], vec![]),
            "{target}"
        );
    }
}

#[test]
fn declares_an_encoding_that_would_be_misdetected() {
    // A UTF-8 comment that was decoded as Shift_JIS.
    let comment = encoding_rs::SHIFT_JIS
        .decode("先手有利 後手▲７六歩△３四歩 平手 手合 変化 投了".as_bytes())
        .0
        .into_owned();
    let text = format!(
        "手合割：平手\n▲７六歩 △３四歩\n*{}\n",
        comment.replace('\u{fffd}', "").repeat(20)
    );
    let (game, _) = read(text.as_bytes())
        .ok()
        .and_then(ReadGames::into_first)
        .unwrap();
    let again = read(&write(&game, Target::Ki2).bytes).unwrap();
    assert_eq!(again.games, [game]);
}

#[test]
fn writes_words_of_unplayed_moves() {
    for words in [
        "8c8d:x",
        "8c8d：x",
        "▲:",
        "投了",
        "中断(",
        "７六歩x",
        "９九歩打x",
        "まで3手で",
        "*x",
        "&x",
        "(0:01)",
        "1 ７六歩",
        "３四歩(33)(77)",
        "同歩(33)",
        "",
    ] {
        for csa in [
            format!("V2.2\nPI\n+\n+{words}\n"),
            format!("V2.2\nPI\n+\n+7776FU\n-{words}\n"),
        ] {
            let (game, _) = read(csa.as_bytes()).ok().and_then(ReadGames::into_first).unwrap();
            for target in [Target::Kif, Target::Kifu, Target::Ki2, Target::Ki2u] {
                let again = read(&write(&game, target).bytes).unwrap();
                assert_eq!(again.games, [fit(&game, target).0], "{words} in {target}");
                assert_eq!(again.games[0].len(), game.len(), "{words} in {target}");
            }
        }
    }
}

#[test]
fn round_trips_a_header_of_the_handicap_giver() {
    let record = read("手合割：平手\n上手        の持駒：なし\n1 ７六歩(77)\n".as_bytes())
        .unwrap()
        .games
        .remove(0);
    for target in [Target::Kif, Target::Kifu, Target::Ki2, Target::Ki2u] {
        let again = read(&write(&record, target).bytes).unwrap().games.remove(0);
        assert!(again == fit(&record, target).0, "{target}");
    }
}

fn check_all(text: &str, moves: &str, warnings: &[&str]) {
    let reading = read(text.as_bytes()).unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(reading.games.len(), 1, "{text}");
    let game = &reading.games[0];
    let found: Vec<_> = game
        .all()
        .filter_map(|id| game.node(id).mv())
        .map(|mv| mv.to_string())
        .collect();
    assert_eq!(found.join(" "), moves, "{text}");
    let found: Vec<_> = reading.warnings.iter().map(ToString::to_string).collect();
    assert_eq!(found, warnings, "{text}");
}

#[test]
fn keeps_moves_after_a_lost_line_end_of_a_variation() {
    let kif = "手数----指手---------消費時間--\n1 ７六歩(77)\n2 ３四歩(33)\n3 ２六歩(27)\n変化：2手";
    let tree = "7g7f 3c3d 2g2f 8c8d";
    check_all(&format!("{kif}\n   2 ８四歩(83)\n"), tree, &[]);
    check_all(&format!("{kif}   2 ８四歩(83)\n"), tree, &[]);
    check_all(&format!("{kif}2 ８四歩(83)\n"), tree, &[]);
    check_all(&format!("{kif}*text\n   2 ８四歩(83)\n"), tree, &[]);
    check_all(
        &format!("{kif}変化：3手   3 １六歩(17)\n"),
        "7g7f 3c3d 2g2f 1g1f",
        &[],
    );
    check_all(&format!("{kif}#text\n   2 ８四歩(83)\n"), tree, &[]);
    check_all(
        &format!("{kif} text\n   2 ８四歩(83)\n"),
        tree,
        &["5:7: 'text' is not understood"],
    );
    let ki2 = "▲７六歩 △３四歩 ▲２六歩\n変化：2手";
    let tree = "7g7f 3c3d 2g2f 8c8d 2g2f";
    check_all(&format!("{ki2}\n△８四歩 ▲２六歩\n"), tree, &[]);
    check_all(&format!("{ki2} △８四歩 ▲２六歩\n"), tree, &[]);
    check_all(&format!("{ki2}△８四歩 ▲２六歩\n"), tree, &[]);
    let lost = "変化：9手 △８四歩 ▲２六歩";
    let warnings = [
        format!("2:1: '{lost}' branches off where there is no line; it is not read"),
        "2:7: lines of variations that have no place, not read: 1".to_owned(),
    ];
    check_all(
        &format!("▲７六歩 △３四歩\n{lost}\n"),
        BOTH,
        &warnings.each_ref().map(String::as_str),
    );
}

#[test]
fn keeps_moves_after_a_lost_line_end_of_the_heading() {
    for heading in [
        "手数----指手---------消費時間--",
        "手数----指手--",
        "手数----指手----消費時間--",
    ] {
        check_all(&format!("{heading}   1 ７六歩(77)\n   2 ３四歩(33)\n"), BOTH, &[]);
        check_all(&format!("{heading}1 ７六歩(77)\n   2 ３四歩(33)\n"), BOTH, &[]);
        check_all(&format!("{heading}▲７六歩 △３四歩\n"), BOTH, &[]);
        check_all(
            &format!("{heading}#text\n   1 ７六歩(77)\n   2 ３四歩(33)\n"),
            BOTH,
            &[],
        );
    }
    let odd = "手数----指手--何か--\n   1 ７六歩(77)\n   2 ３四歩(33)\n";
    check_all(odd, BOTH, &["1:11: '何か--' is not understood"]);
}

#[test]
fn keeps_moves_after_a_lost_line_end_of_a_summary() {
    let kif = "1 ７六歩(77)\n2 ３四歩(33)\nまで2手で中断";
    let resumed = ["3:11: the game goes on after its interruption, which is not kept"];
    let resumed_at_once = ["3:8: the game goes on after its interruption, which is not kept"];
    let moves = "7g7f 3c3d 2g2f";
    let newline = read(format!("{kif}\n   3 ２六歩(27)\n").as_bytes()).unwrap();
    assert_eq!(newline.warnings.len(), 1);
    check_all(
        &format!("{kif}   3 ２六歩(27)\n"),
        moves,
        &[&resumed[0].replace("3:11", "3:13")],
    );
    check_all(
        &format!("{kif} ▲２六歩\n"),
        moves,
        &[&resumed_at_once[0].replace("3:8", "3:9")],
    );
    check_all(
        &format!("{kif}変化：2手\n   2 ８四歩(83)\n"),
        "7g7f 3c3d 8c8d",
        &[],
    );
    check_all(&format!("{kif}変化：2手   2 ８四歩(83)\n"), "7g7f 3c3d 8c8d", &[]);
    check_all(
        "▲７六歩 △３四歩\nまで2手で中断変化：2手△８四歩\n",
        "7g7f 3c3d 8c8d",
        &[],
    );
    check_all(
        "1 ７六歩(77)\n2 ３四歩(33)\nまで、△３四歩まで2手で後手の勝ち\n",
        BOTH,
        &[],
    );
}

#[test]
fn keeps_moves_after_a_lost_line_end_of_a_header() {
    let headers = &[("先手", "A"), ("後手", "B")][..];
    let moves = "7g7f 3c3d 2g2f";
    check("先手：A\n後手：B▲７六歩 △３四歩\n▲２六歩\n", moves, headers, &[]);
    check("先手：A\n後手：B▲７六歩 △３四歩\n▲２６歩\n", moves, headers, &[]);
    check(
        "先手：A\n後手：B ▲７六歩\n△３四歩\n▲２六歩\n",
        moves,
        headers,
        &[],
    );
    check("先手：A\n後手：B ▲７六歩 △３四歩 ▲２六歩\n", moves, headers, &[]);
    let kif = "2 ３四歩(33)\n3 ２六歩(27)\n";
    check(
        &format!("先手：A\n後手：B   1 ７六歩(77) (0:01/0:00:01)\n{kif}"),
        moves,
        headers,
        &[],
    );
    check(
        &format!("先手：A\n後手：B手数----指手--\n1 ７六歩(77)\n{kif}"),
        moves,
        headers,
        &[],
    );
    check(
        &format!("先手：A\n後手：B手数----指手--1 ７六歩(77)\n{kif}"),
        moves,
        headers,
        &[],
    );
    check("手合割：平手▲７六歩 △３四歩\n", BOTH, &[("手合割", "平手")], &[]);
    check("先手の持駒：なし▲７六歩\n△３四歩\n", BOTH, &[], &[]);
    check("先手番▲７六歩\n△３四歩\n", BOTH, &[], &[]);
    // If another header follows, the moves do not belong to the game.
    check(
        "先手：A▲７六歩 △３四歩\n後手：B\n▲７六歩 △３四歩\n",
        BOTH,
        headers,
        &["1:5: '▲７六歩 △３四歩' is not understood"],
    );
    // A move before a header is reported.
    let odd = &[("▲２六歩手合割", "平手")][..];
    check(
        "▲２六歩手合割：平手\n▲７六歩 △３四歩\n",
        BOTH,
        odd,
        &["1:1: '▲２六歩手合割' is not understood"],
    );
    // A single move may belong to the name.
    let odd = &[("後手", "B▲７六歩")][..];
    check(
        "後手：B▲７六歩\n▲２六歩\n",
        "2g2f",
        odd,
        &["1:5: '▲７六歩' is not understood"],
    );
    // If a value may mention moves, these are only reported.
    let opening = "矢倉▲７六歩 △３四歩";
    check(
        &format!("戦型：{opening}\n▲２六歩\n"),
        "2g2f",
        &[("戦型", opening)],
        &["1:6: '▲７六歩 △３四歩' is not understood"],
    );
    for value in ["▲４五歩早仕掛け", "矢倉▲４五歩", "▲７六歩 △３四歩 ▲７五歩の変化"]
    {
        check(
            &format!("戦型：{value}\n▲７六歩 △３四歩\n"),
            BOTH,
            &[("戦型", value)],
            &[],
        );
    }
}

#[test]
fn reads_moves_after_a_number_in_words_or_a_time() {
    let even = &[("手合割", "平手")][..];
    for lines in [
        "第1手：▲７六歩\n第2手：△３四歩",
        "１手目：▲７六歩 △３四歩",
        "1手目 ▲７六歩\n2手目 △３四歩",
        "第 1 手 ７六歩\n第 2 手 ３四歩",
        "手数：1 ７六歩(77)\n手数：2 ３四歩(33)",
        "手数：1手 ▲７六歩\n手数：2手 △３四歩",
        "▲７六歩 0:01 △３四歩 0:02/0:00:02",
        "▲７六歩[0:01] △３四歩［0:02］",
        "1. ▲７六歩 △３四歩",
    ] {
        check(&format!("{lines}\n"), BOTH, &[], &[]);
        check(&format!("手合割：平手\n{lines}\n"), BOTH, even, &[]);
    }
    // A time between two moves is reported: it is unknown to which of them it belongs.
    for (first, second) in [
        ("（0:01）", "（0:02）"),
        ("[0:01] ", "[0:02] "),
        ("0:01 ", "0:02 "),
    ] {
        let warnings = [(1, first), (first.chars().count() + 6, second)]
            .map(|(column, time)| format!("1:{column}: '{}' is not understood", time.trim()));
        let text = format!("{first}▲７六歩 {second}△３四歩\n");
        check(&text, BOTH, &[], &warnings.each_ref().map(String::as_str));
    }
}

#[test]
fn reports_moves_in_a_header() {
    for key in ["指し手", "本譜", "正解"] {
        check(
            &format!("先手：a\n{key}：▲７六歩 △３四歩\n▲２六歩\n"),
            "7g7f 3c3d 2g2f",
            &[("先手", "a")],
            &[],
        );
    }
    for key in ["備考", "初手", "戦型"] {
        let warnings = &[(key, "▲７六歩 △３四歩")][..];
        let column = key.chars().count() + 2;
        let warning = format!("1:{column}: '▲７六歩 △３四歩' is not understood");
        check(
            &format!("{key}：▲７六歩 △３四歩\n▲２六歩\n"),
            "2g2f",
            warnings,
            &[&warning],
        );
        let warning = format!("1:{column}: '▲７六歩' is not understood");
        check(
            &format!("{key}：▲７六歩\n▲２六歩\n"),
            "2g2f",
            &[(key, "▲７六歩")],
            &[&warning],
        );
    }
}
