//! Small texts of shapes that public reports name, with what is right.

use super::super::evaluation::Dialect;
use super::super::{Container, FoundContent, ReadError, ReadGames, Reason, Target, read, write};
use shogibar_shogi::Color;
use shogibar_shogi::score::Value;

macro_rules! door {
    ($name:literal) => {
        include_bytes!(concat!("../../../tests/fixtures/doors/", $name)).as_slice()
    };
}

fn usi(read: &ReadGames) -> Vec<String> {
    read.games
        .iter()
        .map(|game| game.history(usize::MAX).usi())
        .collect()
}

fn check(bytes: &[u8], moves: &str) -> ReadGames {
    let found = read(bytes).unwrap();
    assert_eq!(usi(&found), [moves], "{}", String::from_utf8_lossy(bytes));
    found
}

/// Returns the seconds of the moves of the first game.
fn seconds(read: &ReadGames) -> Vec<Option<u64>> {
    let game = &read.games[0];
    let moves = game.main_line().filter(|id| game.node(*id).mv().is_some());
    moves
        .map(|id| game.node(id).time.spent.map(|spent| spent.0 / 1000))
        .collect()
}

#[test]
fn statements_of_csa_may_stand_on_one_line() {
    let found = check(door!("10b.csa"), "startpos moves 7g7f 3c3d");
    assert_eq!(seconds(&found), [Some(1), Some(2)]);
}

#[test]
fn an_opening_book_is_no_game() {
    assert_eq!(
        read(door!("16.db")).unwrap_err(),
        ReadError::Other(FoundContent::OpeningBook)
    );
}

#[test]
fn a_position_may_lack_its_hands() {
    check(door!("23c.txt"), "startpos");
    let board = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL";
    check(format!("sfen {board} b 1").as_bytes(), "startpos");
    for (turn, expected) in [("B", "'B'"), ("black", "'black'"), ("x", "'x'")] {
        let error = read(format!("sfen {board} {turn} - 1").as_bytes())
            .unwrap_err()
            .to_string();
        assert!(
            error.contains(&format!("the side to move is {expected}")),
            "{turn}: {error}"
        );
    }
}

#[test]
fn a_position_line_may_be_wrapped() {
    let moves =
        "7g7f 3c3d 2g2f 8c8d 2f2e 8d8e 6i7h 4a3b 2e2d 2c2d 2h2d 8e8f 8g8f 8b8f 2d3d 2b3c 5i5h 5a5b 3g3f 8f7f";
    check(door!("26.txt"), &format!("startpos moves {moves}"));
    let quoted = format!(
        "> {}",
        String::from_utf8_lossy(door!("26.txt"))
            .trim_end()
            .replace('\n', "\n> ")
    );
    let mail = format!("2026年2月3日 山田:\n{quoted}\nどうですか。\n");
    assert_eq!(
        check(mail.as_bytes(), &format!("startpos moves {moves}")).container,
        Container::Mail
    );
    // Moves that can begin a game do.
    let two = read(b"7g7f 3c3d 8h2b+\n2g2f 8c8d 2f2e\n").unwrap();
    assert_eq!(two.games.len(), 2);
}

#[test]
fn a_known_line_without_a_colon_stays() {
    let found = read(door!("13.kif")).unwrap();
    assert!(
        found.warnings.is_empty() && found.container == Container::Record,
        "{:?}",
        found.warnings
    );
    let written = write(&found.games[0], Target::Kifu);
    assert!(String::from_utf8(written.bytes).unwrap().contains("\n盤面反転\n"));
}

#[test]
fn a_record_may_have_elements_for_line_ends() {
    let found = check(door!("49e.txt"), "startpos moves 7g7f 3c3d 2g2f");
    let game = &found.games[0];
    assert_eq!(
        [game.player(Color::Black), game.player(Color::White)],
        [Some("甲"), Some("乙")]
    );
    assert_eq!(game.end().map(|end| end.reason), Some(Reason::Resignation));
    assert_eq!(seconds(&found), [Some(1), Some(2), Some(1)]);
}

#[test]
fn a_value_of_lishogi_may_have_its_depth() {
    let found = read(door!("52c.kif")).unwrap();
    let game = &found.games[0];
    let mut walk = game.walk();
    let values: Vec<_> = game.main_line().flat_map(|id| walk.evaluations(id)).collect();
    let found: Vec<_> = values
        .iter()
        .map(|value| (value.dialect, value.value, value.depth))
        .collect();
    let expected = [(50, Some(12)), (-35, Some(14)), (100, None)];
    assert_eq!(
        found,
        expected.map(|(cp, depth)| (Dialect::Lishogi, Some(Value::Cp(cp)), depth))
    );
}

#[test]
fn a_code_block_is_no_part_of_the_record() {
    let found = check(door!("40c.txt"), "startpos moves 2g2f 3c3d");
    assert!(found.games[0].end().is_none());
    let found = check(door!("42.md"), "startpos moves 7g7f 3c3d 2g2f");
    let game = &found.games[0];
    assert!(game.all().all(|id| game.node(id).comment().is_none()));
    assert_eq!(
        game.headers()
            .iter()
            .map(|(key, _)| key.as_str())
            .collect::<Vec<_>>(),
        ["手合割", "先手", "後手"]
    );
}

#[test]
fn the_times_of_a_video_are_no_headers() {
    let found = check(door!("43.txt"), "startpos moves 7g7f 3c3d 2g2f 8c8d");
    assert!(found.games[0].headers().is_empty());
}

#[test]
fn an_equal_value_said_twice_is_no_finding() {
    let text = "手合割：平手\n先手：甲\n先手：甲\n手数----指手--\n   1 ７六歩(77) ( 0:01/00:00:01) ( 0:01/00:00:01)\n";
    let found = check(text.as_bytes(), "startpos moves 7g7f");
    assert!(found.warnings.is_empty(), "{:?}", found.warnings);
}

#[test]
fn a_damaged_diagram_is_no_game() {
    let diagram = String::from_utf8(write(&read(b"startpos").unwrap().games[0], Target::Bod).bytes).unwrap();
    let damaged: Vec<_> = diagram.lines().filter(|line| !line.ends_with('四')).collect();
    let error = read(damaged.join("\n").as_bytes()).unwrap_err();
    assert!(
        error.to_string().contains("a board has 9 ranks, not 8"),
        "{error}"
    );
}

#[test]
fn an_address_may_hold_another_address() {
    let inner = shogibar_base::percent::encode("https://www.kento-shogi.com/?moves=7g7f.3c3d", "");
    check(
        format!("https://example.org/share?text=x&url={inner}").as_bytes(),
        "startpos moves 7g7f 3c3d",
    );
}

#[test]
fn a_unit_of_time_counts_for_the_moves_as_for_the_totals() {
    let log = |unit: &str| {
        let head = format!(
            "BEGIN Game_Summary\nName+:a\nName-:b\nBEGIN Time\nTime_Unit:{unit}\nTotal_Time:15\nEND Time\n"
        );
        read(
            format!("{head}BEGIN Position\nPI\n+\nEND Position\nEND Game_Summary\n+7776FU,T2\n-3334FU,T30\n")
                .as_bytes(),
        )
        .unwrap()
    };
    let total = |found: &ReadGames| found.games[0].header("TIME").map(str::to_owned);
    for (unit, times, clock) in [
        ("1sec", [Some(2), Some(30)], Some("15+0+0")),
        ("1min", [Some(120), Some(1800)], Some("900+0+0")),
        ("100msec", [Some(0), Some(3)], Some("1.500+0+0")),
        ("1turn", [None, None], None),
    ] {
        let found = log(unit);
        assert_eq!(
            (seconds(&found), total(&found).as_deref()),
            (times.to_vec(), clock),
            "{unit}"
        );
    }
}

#[test]
fn texts_that_stopped_the_readers_are_read() {
    let moves = "手合割：平手\n   1 ７六歩(77)\n   2 ３四歩(33)\n";
    assert_eq!(
        read(format!("{moves}{}\n", ">".repeat(100_000)).as_bytes())
            .unwrap()
            .games[0]
            .len(),
        2
    );
    assert!(read(">".repeat(200_000).as_bytes()).is_err());
    for sign in [
        "[<",
        "<",
        "> ",
        "＞",
        "| ",
        "(",
        "（",
        "「",
        "{",
        "[",
        "\\",
        "%25",
        "&amp;",
        "<p>",
        "`",
        "*",
        "変化：",
        "~0.",
    ] {
        let _read = read(format!("▲７六歩△３四歩{}", sign.repeat(50_000)).as_bytes());
    }
}

#[test]
fn comments_change_nothing_else_of_a_record() {
    let ruler = "=".repeat(70);
    for comment in [
        &format!("*{ruler}\n*title\n*{ruler}"),
        "*いい\u{1b}手だ",
        "*\u{1b}[31m赤",
        "*出典,\"先手：甲\"による",
        "*\t\"手合割：平手\"",
        "*評価値,消費(秒)\n*互角,30",
        "**後手**：甲\n*a <br> b",
        "*検討 position startpos moves 7g7f\n*検討 position startpos moves 7g7f 3c3d",
        "*a\n@@ -1 +1 @@",
        "*white resigns here\n*後手投了",
    ] {
        let text = format!(
            "手合割：平手\n先手：A\n後手：B\n手数----指手---------消費時間--\n   1 ７六歩(77)   ( 0:01/00:00:01)\n{comment}\n   \
             2 ３四歩(33)   ( 0:02/00:00:02)\n   3 ２六歩(27)   ( 0:03/00:00:04)\n   4 中断\n"
        );
        let read = read(text.as_bytes()).unwrap();
        let [game] = read.games.as_slice() else {
            panic!("{text}")
        };
        assert_eq!(
            game.history(usize::MAX).usi(),
            "startpos moves 7g7f 3c3d 2g2f",
            "{comment}"
        );
        let names = [Color::Black, Color::White].map(|side| game.player(side).unwrap_or_default());
        assert_eq!(names, ["A", "B"], "{comment}");
        assert_eq!(game.end().unwrap().reason, Reason::Interruption, "{comment}");
        let times = game
            .main_line()
            .filter_map(|node| game.node(node).time.spent)
            .map(|time| time.0);
        assert_eq!(times.collect::<Vec<_>>(), [1000, 2000, 3000], "{comment}");
    }
}

#[test]
fn texts_of_one_sign_take_time_that_grows_with_them() {
    let nested = "{\"moves\":[{\"a\":1},".repeat(90) + &"\"x\",".repeat(50_000) + "1" + &"]}".repeat(90);
    for text in [
        "[{\"moves\":[]}".to_owned() + &"}".repeat(200_000),
        format!("[{nested}]"),
        "Black: ".repeat(140_000) + "\n1. P7g-7f P3c-3d\n",
        format!(
            "{{\"{}\":[{}\"b\"]}}",
            "k".repeat(400_000),
            "\"a\",".repeat(100_000)
        ),
        "\t\"手合割：".repeat(40_000),
    ] {
        let _games = read(text.as_bytes());
    }
}
