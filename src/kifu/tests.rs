//! Format detection, and round trips: a written record, read again, equals the fitted record.

mod doors;
mod pasted;

use super::arbitrary::{Extras, record};
use super::scan::LINES_READ;
use super::{
    Encoding, FoundContent, Loss, NodeId, Outcome, ReadError, ReadGames, Reason, Record, RecordProblem,
    Target, WrittenRecord, fit, fit_to_shift_jis, read, write, write_games,
};
use proptest::prelude::*;
use shogibar_shogi::{Color, OtherGame};
use std::sync::Arc;

/// Checks the start position of a record and the number of warnings, except for odd starts.
pub(super) fn check_start(text: &str, sfen: &str, warnings: usize) {
    let (record, found) = read(text.as_bytes())
        .ok()
        .and_then(ReadGames::into_first)
        .expect("a record");
    assert_eq!(record.start().sfen(), sfen, "{text}");
    let found: Vec<_> = found
        .iter()
        .filter(|found| !matches!(found.problem, RecordProblem::OddStart(_)))
        .collect();
    assert_eq!(found.len(), warnings, "{found:?}");
}

/// Checks that a written record is read as its fitted form.
fn check(record: &Record, target: Target) -> Result<(), TestCaseError> {
    let written = write(record, target);
    let is_replaced = written
        .losses
        .iter()
        .any(|loss| matches!(loss, Loss::Character { .. }));
    let (fitted, _) = fit(record, target);
    let fitted = if is_replaced {
        fit_to_shift_jis(fitted, target).0
    } else {
        fitted
    };
    let text = match target.encoding() {
        Encoding::ShiftJis => encoding_rs::SHIFT_JIS.decode(&written.bytes).0.into_owned(),
        _ => String::from_utf8_lossy(&written.bytes).into_owned(),
    };
    let reading = read(&written.bytes).map_err(|error| TestCaseError::fail(format!("{error}\n{text}")))?;
    prop_assert_eq!(reading.games.len(), 1, "{}", &text);
    let found = &reading.games[0];
    prop_assert_eq!(found.headers(), fitted.headers(), "{}", &text);
    prop_assert_eq!(found.start(), fitted.start(), "{}", &text);
    for (ours, theirs) in fitted.all().zip(found.all()) {
        let (ours, theirs) = (fitted.node(ours), found.node(theirs));
        prop_assert_eq!(
            (ours.ply(), ours.step(), ours.time, ours.notes()),
            (theirs.ply(), theirs.step(), theirs.time, theirs.notes()),
            "{}\n{:?}",
            &text,
            reading.warnings
        );
    }
    prop_assert!(*found == fitted, "{text}\n{:?}", reading.warnings);
    Ok(())
}

/// Checks that a record fits a format without losses.
fn check_whole(record: &Record, target: Target) -> Result<(), TestCaseError> {
    let (fitted, losses) = fit(record, target);
    prop_assert_eq!(losses, vec![]);
    let mut record = record.clone();
    // Writing adds the name of the start.
    record.headers_mut().retain(|(key, _)| key != "手合割");
    let mut fitted = fitted;
    fitted.headers_mut().retain(|(key, _)| key != "手合割");
    prop_assert!(record == fitted);
    Ok(())
}

/// Generates records with all extras.
fn odd_record() -> impl Strategy<Value = Record> {
    record(Extras {
        remarks: true,
        millis: true,
        totals_alone: true,
        odd: true,
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8 * ProptestConfig::default().cases))]

    #[test]
    fn round_trips_kif(record in record(Extras { remarks: true, ..Extras::default() })) {
        check_whole(&record, Target::Kifu)?;
        check(&record, Target::Kifu)?;
        check(&record, Target::Kif)?;
    }

    #[test]
    fn round_trips_kif_with_losses(record in record(Extras { remarks: true, millis: true, totals_alone: true, odd: false })) {
        check(&record, Target::Kifu)?;
    }

    #[test]
    fn round_trips_ki2(record in record(Extras { remarks: true, ..Extras::default() })) {
        check(&record, Target::Ki2u)?;
        check(&record, Target::Ki2)?;
    }

    /// Unusual words and headers do not change how a written record is read.
    #[test]
    fn keeps_moves_despite_odd_words_and_headers(record in odd_record()) {
        let moves = |record: &Record| record.all().filter_map(|id| record.node(id).mv()).collect::<Vec<_>>();
        for target in [Target::Kifu, Target::Kif, Target::Ki2u, Target::Ki2, Target::Jkf] {
            check(&record, target)?;
            let found = read(&write(&record, target).bytes).map(|reading| moves(&reading.games[0]));
            prop_assert_eq!(found, Ok(moves(&record)), "{}", target);
        }
        for target in [Target::Csa, Target::Csa3, Target::Psn, Target::Usi] {
            check(&record, target)?;
        }
    }

    #[test]
    fn round_trips_csa(record in record(Extras { remarks: true, millis: true, totals_alone: true, odd: false })) {
        check(&record, Target::Csa)?;
        check(&record, Target::Csa3)?;
    }

    #[test]
    fn round_trips_jkf(record in record(Extras { remarks: true, millis: true, totals_alone: true, odd: false })) {
        check(&record, Target::Jkf)?;
        let warnings = read(&write(&record, Target::Jkf).bytes).map(|reading| reading.warnings).unwrap_or_default();
        prop_assert!(warnings.iter().all(|warning| matches!(warning.problem, RecordProblem::OddStart(_))), "{:?}", warnings);
    }

    #[test]
    fn round_trips_psn(record in record(Extras { remarks: true, millis: true, totals_alone: true, odd: false })) {
        check(&record, Target::Psn)?;
    }

    /// Each game of a file is read as if it were alone.
    #[test]
    fn round_trips_several_games(
        games in proptest::collection::vec(record(Extras { remarks: true, odd: true, ..Extras::default() }), 2..4)
    ) {
        let games: Vec<_> = games.into_iter().map(Arc::new).collect();
        for target in [Target::Kifu, Target::Kif, Target::Csa, Target::CsaSjis, Target::Csa3, Target::Usi] {
            let alone: Vec<_> =
                games.iter().map(|game| read(&write(game, target).bytes).unwrap().games.remove(0)).collect();
            let written = write_games(&games, 0, target);
            let text = || String::from_utf8_lossy(&written.bytes).into_owned();
            let together = read(&written.bytes).map(|reading| reading.games);
            prop_assert!(together.as_ref() == Ok(&alone), "{target}: {}", text());
        }
    }

    /// A history that continues another one equals one from the start.
    #[test]
    fn goes_on_from_a_known_history(record in odd_record(), known in any::<prop::sample::Index>(), node in any::<prop::sample::Index>()) {
        let nodes: Vec<_> = record.all().chain([NodeId::START]).collect();
        let (known, node) = (*known.get(&nodes), *node.get(&nodes));
        prop_assert_eq!(record.history_after(&record.history_at(known), node), record.history_at(node));
    }

    #[test]
    fn round_trips_usi(record in record(Extras { remarks: true, millis: true, totals_alone: true, odd: false })) {
        check(&record, Target::Usi)?;
        let found = read(&write(&record, Target::Sfen).bytes).map(|reading| reading.games[0].start().sfen());
        prop_assert_eq!(found, Ok(record.history(usize::MAX).now().sfen()));
    }
}

#[test]
fn rejects_text_without_a_game() {
    let check = |text: &str| {
        let error = read(text.as_bytes()).map(|reading| reading.format);
        assert_eq!(error, Err(ReadError::Other(FoundContent::Text)), "{text}");
    };
    check("V2\nsome other thing\n");
    check("V2.2\n-\n");
    check("| name | value |\n|------|-------|\n| a    | b     |\n");
    check(&"| abc | def | ghi |\n".repeat(9));
    check("+-----+\n| box |\n+-----+\nNote: a remark\n");
}

#[test]
fn keeps_an_unknown_end_in_every_format() {
    let check = |text: &str, words: &str| {
        let (record, warnings) = read(text.as_bytes())
            .ok()
            .and_then(ReadGames::into_first)
            .expect(text);
        let end = record.end().expect(text);
        assert_eq!((end.reason, end.words()), (Reason::Other, words), "{text}");
        let problems: Vec<_> = warnings.iter().map(|warning| warning.problem.clone()).collect();
        assert_eq!(
            problems,
            [RecordProblem::UnreadableMove(words.to_owned())],
            "{text}"
        );
    };
    check("PI\n+\n+7776FU\n%XYZ\n", "%XYZ");
    check("startpos moves 7g7f xyz\n", "xyz");
    check("~0.7ku.x\n", "x");
    check("{\"moves\":[{\"special\":\"XYZ\"}]}", "XYZ");
    check("手合割：平手\n1 ７六歩(77)\n2 謎\n", "謎");
}

#[test]
fn reports_an_end_after_skipped_moves() {
    let check = |text: &str, expected: &[&str]| {
        let reading = read(text.as_bytes()).expect(text);
        assert_eq!(
            reading.games[0].end().map(|end| (end.reason, end.outcome)),
            Some((Reason::IllegalMove, Outcome::Open))
        );
        let warning = reading
            .warnings
            .iter()
            .filter(|warning| matches!(warning.problem, RecordProblem::Contradiction(_)));
        assert_eq!(
            warning.map(ToString::to_string).collect::<Vec<_>>(),
            expected,
            "{text}"
        );
    };
    let moves = "手合割：平手\n1 ７六歩(77)\n2 ７六歩(77)\n3 ２六歩(27)\n";
    check(moves, &[]);
    let (word, summary) = (
        "'投了' contradicts the end of the game",
        "'後手の勝ち' contradicts the end of the game",
    );
    check(&format!("{moves}4 投了\n"), &[&format!("5:3: {word}")]);
    check(
        &format!("{moves}まで3手で後手の勝ち\n"),
        &[&format!("5:1: {summary}")],
    );
    let csa = "PI\n+\n+7776FU\n-7776FU\n+2726FU\n";
    check(
        &format!("{csa}%TORYO\n"),
        &["6:1: '%TORYO' contradicts the end of the game"],
    );
}

#[test]
fn names_a_web_page() {
    let check = |text: &str| {
        assert_eq!(
            read(text.as_bytes()),
            Err(ReadError::Other(FoundContent::WebPage)),
            "{text}"
        );
    };
    check("<!DOCTYPE html>\n<p>先手：a\n");
    check("\u{feff}<html>1 ７六歩(77)</html>");
    check("\n <HTML>\n1 ７六歩(77)\n");
}

#[test]
fn accepts_records_with_little_content() {
    let check = |text: &str| assert!(read(text.as_bytes()).is_ok(), "{text}");
    check("PI\n");
    check("V2.2\nN+a\n");
    check("V2.2\n%CHUDAN\n");
    check("先手：a\n");
    check("手合割：平手\n");
    check("手数----指手---------消費時間--\n");
    check("後手の持駒：なし\n");
    check(&"| ・ ・ ・ ・ ・ ・ ・ ・ ・|\n".repeat(9));
}

#[test]
fn names_a_board_of_another_game() {
    let text = "| 飛 ・ 獅 ・ ・|\n".repeat(5);
    let Err(ReadError::Unusable(warning)) = read(text.as_bytes()) else {
        panic!("{text}")
    };
    assert_eq!(
        warning.problem,
        RecordProblem::OtherGame(OtherGame::Board { files: 5, ranks: 5 })
    );
}

#[test]
fn csa_in_shift_jis_stays_in_it() {
    for name in ["髙橋", "羽生", "ﾊﾌﾞ", "ﾐﾔｹ ﾏﾕ"] {
        let text = format!("V2.2\nN+{name}\nPI\n+\n'*好局\n+7776FU\nT1\n");
        let bytes = encoding_rs::SHIFT_JIS.encode(&text).0.into_owned();
        let reading = read(&bytes).unwrap();
        assert_eq!(
            (reading.encoding, reading.target),
            (Encoding::ShiftJis, Target::CsaSjis),
            "{name}"
        );
        let written = write(&reading.games[0], reading.target);
        let again = read(&written.bytes).unwrap();
        assert_eq!(
            (written.losses, again.encoding),
            (vec![], Encoding::ShiftJis),
            "{name}"
        );
        assert_eq!(again.games[0].header("先手"), Some(name));
        assert!(written.bytes.ends_with(&bytes), "a declaration at most: {name}");
    }
}

/// The characters of Windows' `Shift_JIS` beyond the standard are kept for a file that has them, and only for it.
#[test]
fn a_file_s_own_characters_survive() {
    let text = "#KIF version=2.0 encoding=Shift_JIS\n手合割：平手\n先手：髙﨑①\n後手：㈱ⅲ\n手数----指手---------消費時間--\n\
                *①\n   1 ７六歩(77)   ( 0:01/00:00:01)\n#纊\n&〝髙〟\n   2 ３四歩(33)\n";
    let bytes = encoding_rs::SHIFT_JIS.encode(text).0.into_owned();
    let characters = |written: &WrittenRecord| {
        let lost = |loss: &Loss| {
            if let Loss::Character { character, .. } = loss {
                Some(*character)
            } else {
                None
            }
        };
        written.losses.iter().filter_map(lost).collect::<String>()
    };
    let mut record = read(&bytes).unwrap().games.remove(0);
    let written = write(&record, Target::Kif);
    assert_eq!((written.bytes, written.losses), (bytes.clone(), vec![]));
    let ki2 = write(&record, Target::Ki2);
    assert_eq!(
        (
            characters(&ki2),
            read(&ki2.bytes).unwrap().games[0].player(Color::Black)
        ),
        (String::new(), Some("髙﨑①"))
    );
    // New text only has the added characters that the file had.
    record.node_mut(NodeId::START).notes_mut().comment = Some("①②㈱☗".to_owned());
    let written = write(&record, Target::Kif);
    assert_eq!(characters(&written), "②☗");
    assert_eq!(
        read(&written.bytes).unwrap().games[0]
            .node(NodeId::START)
            .comment(),
        Some("①(2)㈱▲")
    );
    // The same text from another encoding is limited to the standard.
    let record = read(text.as_bytes()).unwrap().games.remove(0);
    assert_eq!(characters(&write(&record, Target::Kif)), "ⅲ①〝〟㈱纊髙﨑");
    // Two versions of a file have the characters of both.
    let mut both = record;
    let newer = read(&bytes).unwrap().games.remove(0);
    assert!(both.lacks_characters_of(&newer));
    both.add_characters_of(&newer);
    assert!(!both.lacks_characters_of(&newer) && write(&both, Target::Kif).bytes == bytes);
}

/// A file whose only warnings are choices counts as read whole, and is replaced without a question.
#[test]
fn a_choice_loses_nothing_when_the_file_is_written_again() {
    let check = |text: &str, is_choice: bool| {
        let reading = read(text.as_bytes()).unwrap_or_else(|error| panic!("{text}: {error}"));
        let problem = &reading.warnings[0].problem;
        assert_eq!(
            (problem.is_choice(), problem.is_loss()),
            (is_choice, !is_choice),
            "{problem}"
        );
        let game = &reading.games[0];
        let again = read(&write(game, reading.target).bytes).unwrap();
        let is_same = again.games[0].headers() == game.headers() && again.games[0].start() == game.start();
        assert!(is_same || !is_choice, "{text}");
    };
    check("手合割：平手\n先手：A\n先手：B\n1 ７六歩(77)\n", true);
    check("手合割：平手\n手合割：二枚落ち\n1 ７六歩(77)\n", false);
    let board = "| ・ ・ ・ ・ ・ ・ ・ ・ ・|\n".repeat(8);
    check(
        &format!("手合割：二枚落ち\n|v玉 ・ ・ ・ ・ ・ ・ ・ 玉|\n{board}"),
        false,
    );
    let start = "手合割：三枚落ち\n1 ６二金(61)\n2 ７六歩(77)\n";
    check(start, false);
    check(&format!("{start}3 １二香(11)\n"), true);
    check(&format!("{start}3 ９二香(91)\n"), true);
    check(&format!("{start}3 １二香(11)\n4 ５五歩打\n"), false);
    let moves = r#""moves":[{},{"move":{"from":{"x":1,"y":1},"to":{"x":1,"y":2},"piece":"KY"}}]"#;
    check(&format!(r#"{{"header":{{"手合割":"三枚落ち"}},{moves}}}"#), true);
    check(r#"{"header":{"手合割":"三枚落ち"},"moves":[]}"#, false);
    check(
        r#"{"header":{"手合割":"香落ち"},"initial":{"preset":"KA"},"moves":[]}"#,
        false,
    );
}

/// Counts the lines read from a file of many games.
#[test]
fn a_game_with_two_starts_is_read_three_times_at_most() {
    let check = |game: &str| {
        for count in [10, 200] {
            let text = game.repeat(count);
            LINES_READ.set(0);
            let _games = read(text.as_bytes());
            let (found, lines) = (LINES_READ.get(), text.lines().count());
            // A trial ends at the first line of the next game. Detecting the format reads some further lines.
            assert!(found <= 3 * lines + 2 * count + 20, "{found} of {lines}: {game}");
        }
    };
    let kif = "手合割：三枚落ち\n手数----指手--\n1 ６二金(61)\n2 ７六歩(77)\n";
    check(kif);
    // A game that cannot be read is not added.
    check(&format!(
        "手合割：三枚落ち\n{}手数----指手--\n1 ６二金(61)\n2 ７六歩(77)\n",
        "| ・ ・ ・ ・ ・|\n".repeat(5)
    ));
    check("手合割：三枚落ち手数----指手--1 ６二金(61)\n2 ７六歩(77)\n");
    check("手合割：三枚落ち\n△６二金 ▲７六歩\n△１二香\n");
    check("[Handicap \"3 piece\"]\n[Sente \"a\"]\n\nL1a-1b P7g-7f\n");
}

#[test]
fn keeps_comments_of_an_end_that_cannot_be_written() {
    let csa = "V2.2\nPI\n+\n+7776FU\n-3334FU\n%TOR（勝敗なし）ion:\n'** 12 -3334FU\n";
    let record = read(csa.as_bytes()).unwrap().games.remove(0);
    for target in [Target::Kifu, Target::Ki2u, Target::Jkf] {
        let again = read(&write(&record, target).bytes).unwrap().games.remove(0);
        assert_eq!(again, fit(&record, target).0, "{target}");
        assert!(again.all().any(|node| {
            again
                .node(node)
                .comment()
                .is_some_and(|comment| comment.contains("* 12 -3334FU"))
        }));
    }
}

#[test]
fn does_not_play_a_move_of_a_missing_piece() {
    // There is a pawn on that square, not a horse; KIF would move the pawn.
    let record = read("V2.2\nPI\n+\n+7776FU\n-3334UM\n'** 12 -3334FU\n".as_bytes())
        .unwrap()
        .games
        .remove(0);
    for target in Target::ALL
        .into_iter()
        .filter(|target| !matches!(target, Target::Sfen | Target::Bod))
    {
        check(&record, target).unwrap_or_else(|error| panic!("{target}: {error}"));
    }
}

#[test]
fn a_game_is_known_by_its_players_and_moves() {
    let game = |names: &str, moves: &str| {
        let text = format!("{names}手数----指手---------消費時間--\n{moves}");
        read(text.as_bytes()).unwrap().games.remove(0)
    };
    let moves = |count: usize| -> String {
        let words = [
            "７六歩(77)",
            "３四歩(33)",
            "２六歩(27)",
            "８四歩(83)",
            "２五歩(26)",
            "８五歩(84)",
        ];
        let lines: Vec<_> = words
            .iter()
            .take(count)
            .zip(1..)
            .map(|(word, number)| format!("{number} {word}\n"))
            .collect();
        lines.concat()
    };
    let names = "先手：甲\n後手：乙\n";
    let before = game(names, &moves(6));
    for count in [3, 4, 6] {
        assert!(game(names, &moves(count)).is_version_of(&before), "{count} moves");
    }
    assert!(before.is_version_of(&game("", &moves(3))), "names may be added");
    assert!(
        game(names, "").is_version_of(&game(names, &moves(2))),
        "two moves are taken back"
    );
    let other = "1 ５六歩(57)\n2 ５四歩(53)\n";
    for (later, why) in [
        (game(names, &moves(1)), "five moves are gone"),
        (game(names, other), "the moves are others"),
        (game("先手：丙\n後手：乙\n", &moves(6)), "a player is another"),
        (game("手合割：香落ち\n", ""), "the start is another"),
    ] {
        assert!(!later.is_version_of(&before), "{why}");
    }
}
