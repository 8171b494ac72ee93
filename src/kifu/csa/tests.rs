//! Files with several games, and lines that belong to no game.

use crate::{ReadGames, read};

fn reading(text: &str) -> ReadGames {
    read(text.as_bytes()).unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn keeps_monitor_games_in_order_of_their_start() {
    let check = |lines: &[(&str, &str)], expected: &[&str]| {
        let lines: Vec<_> = lines
            .iter()
            .map(|(id, line)| format!("##[MONITOR2][{id}] {line}\n"))
            .collect();
        let text = lines.concat();
        let moves = |game: &crate::Record| {
            game.moves()
                .map(|mv| mv.to_string())
                .collect::<Vec<_>>()
                .join(" ")
        };
        assert_eq!(
            reading(&text).games.iter().map(moves).collect::<Vec<_>>(),
            expected,
            "{text}"
        );
    };
    let (first, other) = (("a", "+7776FU"), ("b", "+2726FU"));
    check(&[first, other], &["7g7f", "2g2f"]);
    check(&[first, other, ("a", "-3334FU")], &["7g7f 3c3d", "2g2f"]);
    check(&[other, ("c", "'nothing"), first], &["2g2f", "7g7f"]);
    let next = [("a", "/"), ("a", "+5756FU")];
    check(
        &[first, other, next[0], next[1], ("b", "-8384FU")],
        &["7g7f", "2g2f 8c8d", "5g5f"],
    );
}

#[test]
fn reports_unknown_lines() {
    let check = |lines: &str, expected: &[&str]| {
        let found: Vec<_> = reading(&format!("PI\n+\n+7776FU\n{lines}")).warnings;
        assert_eq!(
            found.iter().map(ToString::to_string).collect::<Vec<_>>(),
            expected,
            "{lines}"
        );
    };
    check("%TORYO\n#RESIGN\n#WIN\n#LOSE\n", &[]);
    check("#MAX_MOVES\n#CENSORED\n", &[]);
    check("#HELLO\n", &["4:1: '#HELLO' is not understood"]);
}

#[test]
fn a_time_without_a_move_is_reported() {
    let warnings = |text: &str| {
        reading(text)
            .warnings
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>()
    };
    assert_eq!(warnings("V2.2\nPI\n+\nT5\n+7776FU\nT6\n").len(), 1);
    assert_eq!(warnings("V2.2\nPI\n+\n'*a\nT5\n+7776FU\nT6\n").len(), 1);
    assert_eq!(warnings("V2.2\nPI\n+\n+7776FU\nT6\n-3334FU\nT7\n"), [""; 0]);
    // The move that cannot be played has a time.
    assert_eq!(warnings("V2.2\nPI\n+\n+7775FU\nT6\n").len(), 1);
}

#[test]
fn excludes_the_end_of_file_character_from_comments() {
    let games = reading("PI\n+\n+7776FU\n'*good \u{1a}\0").games;
    let last = games[0].main_line().last().expect("a move");
    assert_eq!(games[0].node(last).comment(), Some("good "));
}

#[test]
fn keeps_the_csa_version() {
    assert!(super::is_version_3("'CSA encoding=UTF-8\r\nV3.0\nPI"));
    assert!(!super::is_version_3("V2.2\nN+V3\n"));
}

#[test]
fn reports_a_move_with_a_damaged_sign() {
    let reading = reading("PI\n+\n+7776FU\n*3334FU\n*+2726FU 30\n");
    let warnings: Vec<_> = reading.warnings.iter().map(ToString::to_string).collect();
    assert_eq!(warnings, ["4:1: '*3334FU' is not understood"]);
    assert_eq!(reading.games[0].len(), 1);
}

#[test]
fn splits_a_move_from_a_comment_before_its_time() {
    let check = |text: &str, moves: &str, remarks: &[&str], times: &[Option<u64>]| {
        let reading = reading(text);
        let game = &reading.games[0];
        assert_eq!(
            game.moves()
                .map(|mv| mv.to_string())
                .collect::<Vec<_>>()
                .join(" "),
            moves,
            "{text}"
        );
        let notes = game.all().flat_map(|id| {
            let notes = game.node(id).notes();
            [notes.remark.clone(), notes.comment.clone()]
                .into_iter()
                .flatten()
        });
        assert_eq!(notes.collect::<Vec<_>>(), remarks, "{text}");
        let spent: Vec<_> = game
            .main_line()
            .map(|id| game.node(id).time.spent.map(|time| time.0 / 1000))
            .collect();
        assert_eq!(spent, times, "{text}");
    };
    let both = &[Some(1), Some(2)];
    check(
        "PI\n+\n'rating:a+b:c+d+7776FU\nT1\n-3334FU\nT2\n",
        "7g7f 3c3d",
        &["rating:a+b:c+d"],
        both,
    );
    check(
        "PI\n+\n+7776FU\nT1\n'*good-3334FU\nT2\n",
        "7g7f 3c3d",
        &["good"],
        both,
    );
    // The time of the move before, a line of an engine, a move that does not fit.
    check(
        "PI\n+\n+7776FU\n'*good-3334FU\nT1\n",
        "7g7f",
        &["good-3334FU"],
        &[Some(1)],
    );
    check(
        "PI\n+\n+7776FU\nT1\n'** 30 -3334FU\n-8384FU\nT2\n",
        "7g7f 8c8d",
        &["* 30 -3334FU"],
        both,
    );
    check(
        "PI\n+\n'x+7775FU\n+7776FU\nT1\n",
        "7g7f",
        &["x+7775FU"],
        &[Some(1)],
    );
    check(
        "PI\n+\n'x -3334FU\n+7776FU\nT1\n",
        "7g7f",
        &["x -3334FU"],
        &[Some(1)],
    );
}

#[test]
fn reports_duplicate_statements() {
    let check = |text: &str, expected: &[&str]| {
        let found: Vec<_> = reading(text).warnings.iter().map(ToString::to_string).collect();
        assert_eq!(found, expected, "{text}");
    };
    check("PI\n+\n+7776FU\nT1\nT1\n", &[]);
    check(
        "PI\n+\n+7776FU\nT1\nT2\n",
        &["5:1: 'T2' is a second time; the first one is kept"],
    );
    check(
        "PI\n+\n-\n+7776FU\n",
        &["3:1: '-' is not taken, for '+' stands before it"],
    );
    check("PI\nPI\n+\n", &[]);
    check(
        "PI\nPI82HI\n+\n",
        &["2:3: 'PI82HI' is not taken, for 'PI' stands before it"],
    );
    let rank = "P1-KY-KE-GI-KI-OU-KI-GI-KE-KY";
    check(&format!("PI\n{rank}\n+\n"), &[]);
    check(
        "PI\nP5 *  *  *  * +FU\n+\n",
        &[
            "2:3: this rank of the diagram does not have nine squares",
            "2:3: 'P5 *  *  *  * +FU' is not taken, for 'PI' stands before it",
        ],
    );
    let contradicts =
        |line: &str, words: &str| format!("{line}:1: '{words}' contradicts the end of the game");
    check(
        "PI\n+\n+7776FU\n%TORYO\n#TIME_UP\n",
        &[&contradicts("5", "#TIME_UP")],
    );
    check(
        "PI\n+\n+7776FU\n%KACHI\n#ILLEGAL_MOVE\n#LOSE\n",
        &[&contradicts("5", "#ILLEGAL_MOVE")],
    );
    check("PI\n+\n+7776FU\n%KACHI\n#JISHOGI\n#WIN\n", &[]);
    check("PI\n+\n+7776FU\n%SENNICHITE\n#SENNICHITE\n#DRAW\n", &[]);
    let log = "BEGIN Game_Summary\nName+:A\nName-:B\nEND Game_Summary\nN+C\nPI\n+\n+7776FU\n";
    check(
        &log.replace("N+C", "Name+:C"),
        &["2:1: '先手：C' is not taken, for '先手：A' stands before it"],
    );
    check(
        log,
        &["2:1: '先手：A' is not taken, for '先手：C' stands before it"],
    );
}
