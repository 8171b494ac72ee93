//! Files with several games, and lines that belong to no game.

use crate::kifu::{ReadGames, read};

fn reading(text: &str) -> ReadGames {
    read(text.as_bytes()).unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn keeps_monitor_games_in_order_of_their_start() {
    let check = |lines: &[(&str, &str)], expected: &[&str]| {
        let lines: Vec<_> = lines.iter().map(|(id, line)| format!("##[MONITOR2][{id}] {line}\n")).collect();
        let text = lines.concat();
        let moves = |game: &crate::kifu::Record| game.moves().map(|mv| mv.to_string()).collect::<Vec<_>>().join(" ");
        assert_eq!(reading(&text).games.iter().map(moves).collect::<Vec<_>>(), expected, "{text}");
    };
    let (first, other) = (("a", "+7776FU"), ("b", "+2726FU"));
    check(&[first, other], &["7g7f", "2g2f"]);
    check(&[first, other, ("a", "-3334FU")], &["7g7f 3c3d", "2g2f"]);
    check(&[other, ("c", "'nothing"), first], &["2g2f", "7g7f"]);
    let next = [("a", "/"), ("a", "+5756FU")];
    check(&[first, other, next[0], next[1], ("b", "-8384FU")], &["7g7f", "2g2f 8c8d", "5g5f"]);
}

#[test]
fn reports_unknown_lines() {
    let check = |lines: &str, expected: &[&str]| {
        let found: Vec<_> = reading(&format!("PI\n+\n+7776FU\n{lines}")).warnings;
        assert_eq!(found.iter().map(ToString::to_string).collect::<Vec<_>>(), expected, "{lines}");
    };
    check("%TORYO\n#RESIGN\n#WIN\n#LOSE\n", &[]);
    check("#MAX_MOVES\n#CENSORED\n", &[]);
    check("#HELLO\n", &["4:1: '#HELLO' is not understood"]);
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
