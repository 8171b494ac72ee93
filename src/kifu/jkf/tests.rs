//! Tolerant reading, and reading of written files.

use super::super::arbitrary::{self, Extras};
use super::super::games::GameSink;
use super::super::record::{Record, Step};
use super::super::time::{Millis, Time};
use super::super::warning::Warnings;
use super::super::{Target, fit};
use super::{read, write as to_jkf};
use proptest::prelude::*;
use shogibar_shogi::PieceKind;
use std::fmt::Write as _;

/// Returns the games of a text, their nodes in order, and the warnings without positions. Each variation follows the
/// ply at which it branches off.
fn read_nodes(text: &str) -> (Vec<Record>, String, String) {
    let mut warnings = Warnings::default();
    let games = read_all(text, &mut warnings);
    let nodes = games.iter().map(outline).collect::<Vec<_>>().join(" / ");
    let warnings: Vec<_> = warnings
        .finish()
        .iter()
        .map(|warning| warning.problem.to_string())
        .collect();
    (games, nodes, warnings.join("; "))
}

fn read_all(text: &str, warnings: &mut Warnings) -> Vec<Record> {
    let mut games = Vec::new();
    read(
        text,
        GameSink::new(&mut |game| games.push(game), |_| None),
        warnings,
    );
    games
}

/// Returns the nodes of a record in order: moves, ends, times and texts.
fn outline(record: &Record) -> String {
    let mut words = Vec::new();
    for id in record.all() {
        let node = record.node(id);
        if let Some(parent) = record
            .parent(id)
            .filter(|parent| record.first_child(*parent) != Some(id))
        {
            words.push(format!("|{}", record.node(parent).ply()));
        }
        match node.step() {
            Step::Start => {}
            Step::Move(mv) => words.push(mv.to_string()),
            Step::End(end) => {
                words.push(
                    format!("{:?} {:?} {}", end.reason, end.outcome, end.words())
                        .trim()
                        .to_owned(),
                );
            }
        }
        let millis =
            |time: Option<Millis>| time.map_or_else(|| "-".to_owned(), |Millis(millis)| millis.to_string());
        if node.time != Time::default() {
            words.push(format!("{}/{}", millis(node.time.spent), millis(node.time.total)));
        }
        let notes = node.notes();
        words.extend(notes.bookmark.iter().map(|name| format!("&{name:?}")));
        words.extend(notes.comment.iter().map(|comment| format!("{comment:?}")));
    }
    words.join(" ")
}

/// Expands entries with CSA moves, `@7776FU`, and drops, `@0055KA`.
fn entries(text: &str) -> String {
    let mut parts = text.split('@');
    let mut json = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (squares, rest) = part.split_at(4);
        let (piece, rest) = rest.split_at(2);
        let [x, y, to_x, to_y] = squares.chars().collect::<Vec<_>>()[..] else {
            panic!("{part}")
        };
        json.push_str("\"move\":{");
        if squares.starts_with("00") {
            json.push_str("\"from\":null");
        } else {
            write!(json, "\"from\":{{\"x\":{x},\"y\":{y}}}").expect("a string takes it");
        }
        write!(
            json,
            ",\"to\":{{\"x\":{to_x},\"y\":{to_y}}},\"piece\":\"{piece}\"}}{rest}"
        )
        .expect("a string takes it");
    }
    format!("{{\"initial\":{{\"preset\":\"HIRATE\"}},\"moves\":[{{}},{json}]}}")
}

fn check(moves: &str, nodes: &str, warnings: &str) {
    let (_, found, reported) = read_nodes(&entries(moves));
    assert_eq!((found.as_str(), reported.as_str()), (nodes, warnings), "{moves}");
}

/// The entries of moves that exchange the bishops.
const SWAP: &str = "{@7776FU},{@3334FU},{@8822UM},{@3122GI},";
/// The moves of [`SWAP`] in USI.
const SWAPPED: &str = "7g7f 3c3d 8h2b+ 3a2b";

#[test]
fn reads_every_move_spelling() {
    let check = |mv: &str, usi: &str, warnings: &str| {
        check(
            &format!("{SWAP}{{\"move\":{{{mv}}}}}"),
            &format!("{SWAPPED} {usi}"),
            warnings,
        );
    };
    check(r#""piece":"KA","to":{"x":5,"y":5}"#, "B*5e", "");
    check(
        r#""from":null,"to":{"x":"5","y":5e0},"piece":"ka","same":null,"promote":null,"relative":null"#,
        "B*5e",
        "",
    );
    check(
        r#""from":{"x":0,"y":0},"to":{"x":5,"y":5},"piece":"KA","color":0"#,
        "B*5e",
        "",
    );
    check(r#""from":{"x":2,"y":8},"to":{"x":5,"y":8}"#, "2h5h", "");
    check(r#""to":{"y":8,"x":5},"piece":"KI","relative":"R""#, "4i5h", "");
    check(r#""to":{"x":7,"y":5},"piece":"FU""#, "7f7e", "");
    check(
        r#""piece":"KA","to":{"x":5,"y":5},"relative":"H","capture":"RY""#,
        "B*5e",
        "",
    );
    let wrong_sign = "'△５八飛(28)' bears the sign of the side whose turn it is not";
    check(
        r#""from":{"x":2,"y":8},"to":{"x":5,"y":8},"color":1"#,
        "2h5h",
        wrong_sign,
    );
    let other_piece = "'▲５八金(28)' names another piece than the one on the board";
    check(
        r#""from":{"x":2,"y":8},"to":{"x":5,"y":8},"piece":"KI""#,
        "2h5h",
        other_piece,
    );
    let unknown = "'\"XX\"' is no value for 'piece'; the key 'speed' is not known; what it holds is not read";
    check(
        r#""from":{"x":2,"y":8},"to":{"x":5,"y":8},"piece":"XX","speed":{"a":[1]}"#,
        "2h5h",
        unknown,
    );
}

#[test]
fn accepts_the_promoted_name_of_a_piece() {
    let check = |promote: &str, usi: &str, warnings: &str| {
        let mv = format!(r#"{{"from":{{"x":8,"y":8}},"to":{{"x":2,"y":2}}{promote}}}"#);
        check(
            &format!(r#"{{@7776FU}},{{@3334FU}},{{"move":{mv}}}"#),
            &format!("7g7f 3c3d {usi}"),
            warnings,
        );
    };
    check("", "8h2b", "");
    check(r#","piece":"UM""#, "8h2b+", "");
    check(r#","piece":"KA","promote":true"#, "8h2b+", "");
    check(r#","piece":"UM","promote":1"#, "8h2b+", "");
    let other_piece = "'▲２二馬不成(88)' names another piece than the one on the board";
    check(r#","piece":"UM","promote":false"#, "8h2b", other_piece);
}

#[test]
fn reads_same_without_a_target() {
    let same = |mv: &str| format!(r#"{{@7776FU}},{{@3334FU}},{{@8822UM}},{{"move":{{{mv},"same":true}}}}"#);
    check(&same(r#""from":{"x":3,"y":1}"#), SWAPPED, "");
    check(&same(r#""piece":"GI""#), SWAPPED, "");
    let unreadable = "'△同　銀(31)' cannot be read as a move; the line ends here";
    let nothing_before = r#"{"move":{"from":{"x":3,"y":1},"same":true,"color":1}}"#;
    let wrong_sign = "'△同　銀(31)' bears the sign of the side whose turn it is not";
    check(
        nothing_before,
        "Unreadable Open △同　銀(31)",
        &format!("{wrong_sign}; {unreadable}"),
    );
}

#[test]
fn ends_the_line_at_an_unplayable_move() {
    let check_end = |mv: &str, end: &str, warning: &str| {
        let warning = format!("{warning}; the line ends here");
        check(
            &format!(r#"{SWAP}{{"move":{{{mv}}}}}"#),
            &format!("{SWAPPED} {end}"),
            &warning,
        );
    };
    check_end(
        r#""from":null,"to":{"x":2,"y":2},"piece":"KA","relative":"H""#,
        "IllegalMove Open ▲２二角打",
        "'▲２二角打' is illegal: 2b is occupied",
    );
    check_end(
        r#""from":{"x":2,"y":7},"to":{"x":2,"y":5},"piece":"FU""#,
        "IllegalMove Open ▲２五歩(27)",
        "'▲２五歩(27)' is illegal: the piece on 2g cannot reach 2e",
    );
    check_end(
        r#""to":{"x":5,"y":8},"piece":"KI","relative":"U""#,
        "Unreadable Open ▲５八金上",
        "'▲５八金上' could be more than one move",
    );
    check_end(
        r#""to":{"x":5,"y":8},"piece":"KI","relative":"D""#,
        "IllegalMove Open ▲５八金引",
        "no piece can move as '▲５八金引' says",
    );
    for kind in PieceKind::ALL {
        for relative in [
            "",
            ",\"relative\":\"H\"",
            ",\"relative\":\"LU\"",
            ",\"relative\":\"?\"",
        ] {
            let drop = format!(
                r#"{{"move":{{"to":{{"x":5,"y":5}},"piece":"{}"{relative}}}}}"#,
                kind.csa()
            );
            let (_, found, _) = read_nodes(&entries(&drop));
            assert!(found.starts_with("IllegalMove Open ▲５五"), "{drop}: {found}");
        }
    }
    for mv in [
        r#""from":{"x":2,"y":8}"#,
        r#""to":{"x":5,"y":5}"#,
        r#""from":{"x":2,"y":10},"to":{"x":2,"y":1}"#,
        "",
    ] {
        let (_, found, _) = read_nodes(&entries(&format!(r#"{{"move":{{{mv}}}}},{{@2726FU}}"#)));
        assert!(found.starts_with("Unreadable Open ▲"), "{mv}: {found}");
    }
}

#[test]
fn adds_variations_beside_their_move() {
    let two = "7g7f 3c3d |1 8c8d 2g2f |1 4a3b |0 2g2f";
    check(
        r#"{@7776FU,"forks":[[{@2726FU}]]},{@3334FU,"forks":[[{@8384FU},{@2726FU}],[{@4132KI}]]}"#,
        two,
        "",
    );
    // Variations before the move, as in files with sorted keys; empty variations; none.
    check(
        r#"{"forks":[[{@2726FU}]],@7776FU},{"forks":[[{@8384FU},{@2726FU}],[{@4132KI}],[]],@3334FU}"#,
        two,
        "",
    );
    check(r#"{@7776FU,"forks":null},{"forks":[],@3334FU}"#, "7g7f 3c3d", "");
    // Variations to the first move of a variation branch off beside it.
    let nested = "7g7f |0 2g2f |0 5g5f |0 1g1f |0 9g9f";
    check(
        r#"{@7776FU,"forks":[[{@2726FU,"forks":[[{@5756FU}],[{@1716FU}]]}],[{@9796FU}]]}"#,
        nested,
        "",
    );
    check(
        r#"{"forks":[[{"forks":[[{@5756FU}],[{@1716FU}]],@2726FU}],[{@9796FU}]],@7776FU}"#,
        nested,
        "",
    );
    // Variations to an end, to an unplayable move, and in an entry without a move.
    let ended = "7g7f Resignation Win(Black) |1 3c3d |1 8c8d";
    check(
        r#"{@7776FU},{"special":"TORYO","forks":[[{@3334FU}],[{@8384FU}]]}"#,
        ended,
        "",
    );
    check(
        r#"{@7776FU},{"forks":[[{@3334FU}],[{@8384FU}]],"special":"TORYO"}"#,
        ended,
        "",
    );
    let illegal = "'▲７五歩(77)' is illegal: the piece on 7g cannot reach 7e; the line ends here";
    let around_it = "IllegalMove Open ▲７五歩(77) |0 2g2f |0 5g5f";
    check(
        r#"{"forks":[[{@2726FU}]],@7775FU,"forks":[[{@5756FU}]]}"#,
        around_it,
        illegal,
    );
    check(r#"{"forks":[[{@2726FU}]]},{@7776FU}"#, "2g2f |0 7g7f", "");
}

#[test]
fn assigns_content_after_variations_to_the_move() {
    check(
        r#"{@7776FU,"forks":[[{@2726FU}]],"comments":["a"],"time":{"now":{"m":0,"s":5},"total":{"m":0,"s":5}}},
           {@3334FU,"time":{"now":{"m":1,"s":0},"total":{"m":1,"s":0}},"forks":[[{@8384FU}]],"special":"TORYO"},
           {@2726FU}"#,
        "7g7f 5000/- \"a\" 3c3d 60000/- Resignation Win(White) |1 8c8d |0 2g2f",
        "moves after the end of the line, not read: 1",
    );
}

#[test]
fn skips_variations_after_the_end() {
    check(
        r#"{"special":"TORYO"},{@7776FU,"forks":[[{@2726FU}],[{@5756FU}]]},{"forks":[[]]}"#,
        "Resignation Win(White)",
        "moves after the end of the line, not read: 1; lines of variations that have no place, not read: 3",
    );
    let resumed = "the game goes on after its interruption, which is not kept";
    check(
        r#"{"special":"CHUDAN"},{@7776FU,"forks":[[{@2726FU}]]}"#,
        "7g7f |0 2g2f",
        resumed,
    );
}

#[test]
fn reads_ends() {
    let all = r#"{@7776FU,"special":"TORYO","time":{"now":{"s":3}},"comments":["x"]}"#;
    check(all, "7g7f 3000/- Resignation Win(Black) \"x\"", "");
    check(r#"{"special":"toryo"}"#, "Resignation Win(White)", "");
    check(
        r#"{"special":"%CHUDAN"},{"special":null},{"special":" "}"#,
        "Interruption Open",
        "",
    );
    check(
        r#"{"special":"WON"}"#,
        "Other Open WON",
        "'WON' cannot be read as a move; the line ends here",
    );
    check(
        r#"{"special":"CHUDAN","comments":["終局：封じ手","x"]}"#,
        "Sealed Open \"x\"",
        "",
    );
    check(
        r#"{"comments":["&y","終局：不戦敗"],"special":"CHUDAN"}"#,
        "Forfeit Win(White) &\"y\"",
        "",
    );
    let of_another = r#"{"special":"TORYO","comments":["終局：封じ手"]}"#;
    check(of_another, "Resignation Win(White) \"終局：封じ手\"", "");
    // The mark after an illegal move gives the outcome.
    let illegal = "'▲７五歩(77)' is illegal: the piece on 7g cannot reach 7e; the line ends here";
    check(
        r#"{@7775FU},{"special":"ILLEGAL_MOVE"}"#,
        "IllegalMove Win(White) ▲７五歩(77)",
        illegal,
    );
}

#[test]
fn reads_comments() {
    let texts = r#"{"comments":["a","","b"]},{@7776FU,"comment":"c\r\nd\re"}"#;
    check(texts, "\"a\\n\\nb\" 7g7f \"c\\nd\\ne\"", "");
    check(
        r#"{"comments":[""]},{@7776FU,"comments":[]},{"comments":null}"#,
        "\"\" 7g7f",
        "",
    );
    check(
        r#"{"comments":["a\n&b\nc","&d",7,null]}"#,
        "&\"b\\nd\" \"a\\nc\\n7\"",
        "",
    );
    check(r#"{"comments":["\u0000\ud800"]}"#, "\"\u{fffd}\u{fffd}\"", "");
    let problems = r#"'{"a":1}' is no value for 'comments'; '3' is no value for 'moves'"#;
    check(r#"{"comments":{"a":1}},3,null"#, "", problems);
}

#[test]
fn reads_times() {
    let check = |time: &str, expected: &str, warnings: &str| {
        check(
            &format!(r#"{{@7776FU,"time":{time}}}"#),
            format!("7g7f {expected}").trim(),
            warnings,
        );
    };
    check(
        r#"{"now":{"h":1,"m":2,"s":3},"total":{"h":1,"m":2,"s":3}}"#,
        "3723000/-",
        "",
    );
    check(
        r#"{"now":{"m":90,"s":"3"},"total":{"h":null,"m":0,"s":9}}"#,
        "5403000/9000",
        "",
    );
    check(r#"{"total":{"h":0,"m":0,"s":9}}"#, "-/9000", "");
    check(r#"{"now":{"s":1.5e0}}"#, "1500/-", "");
    let problems = "'-1' is no value for 'time'; '7' is no value for 'time'";
    check(r#"{"now":{"s":-1},"total":7}"#, "", problems);
    check("null", "", "");
    check(r#"{"now":{"s":1e300}}"#, "", "'1e300' is no value for 'time'");
}

#[test]
fn reads_starts() {
    let check = |members: &str, sfen: &str, warnings: &str| {
        let (games, _, found) = read_nodes(&format!("{{{members}}}"));
        assert_eq!(
            (games[0].start().sfen().as_str(), found.as_str()),
            (sfen, warnings),
            "{members}"
        );
    };
    let usual = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
    let lance = "lnsgkgsn1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1";
    let rook = "lnsgkgsnl/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1";
    check(r#""header":{},"moves":[]"#, usual, "");
    check(r#""initial":null,"moves":[]"#, usual, "");
    check(r#""moves":[],"initial":{"preset":"KY"}"#, lance, "");
    check(r#""initial":{"preset":2}"#, &rook.replace("7b1", "9"), "");
    check(r#""initial":{"preset":"香落ち","data":null}"#, lance, "");
    check(r#""moves":[],"header":{"手合割":"飛車落ち"}"#, rook, "");
    let other = "the position is not the start of '飛車落ち'; the position is taken";
    check(
        r#""header":{"手合割":"飛車落ち"},"initial":{"preset":"KY"}"#,
        lance,
        other,
    );
    let unknown = "the handicap 'XYZ' is not known; the game is read from the usual position";
    check(r#""initial":{"preset":"XYZ"}"#, usual, unknown);
    check(r#""header":{"手合割":"香落ち　"}"#, lance, "");
    check(r#""header":{"手合割":"XYZ"}"#, usual, unknown);
    check(
        r#""moves":[],"header":{"手合割":"XYZ"},"initial":{"data":null}"#,
        usual,
        unknown,
    );
    check(
        r#""header":{"手合割":"その他"},"initial":{"data":{"board":{}}}"#,
        "9/9/9/9/9/9/9/9/9 b - 1",
        "",
    );
    let again = "the key 'initial' comes again; what it holds is not read";
    check(
        r#""initial":{"preset":"KY"},"initial":{"preset":"HI"}"#,
        lance,
        again,
    );
    check(r#""initial":null,"initial":{"preset":"KY"}"#, lance, "");
    check(
        r#""initial":"XYZ""#,
        usual,
        r#"'"XYZ"' is no value for 'initial'"#,
    );
    let data = |data: &str| format!(r#""initial":{{"preset":"OTHER","data":{{{data}}}}}"#);
    let board = r#""board":[[{"color":1,"kind":"KY"},null,{}],[],null,[{"kind":"OU","color":null}]]"#;
    let hands = r#""hands":[{"FU":2},{"HI":1,"KY":0}]"#;
    check(
        &data(&format!(r#"{hands},{board},"color":1"#)),
        "5K2l/9/9/9/9/9/9/9/9 w 2Pr 1",
        "",
    );
    check(&data(board), "5K2l/9/9/9/9/9/9/9/9 b - 1", "");
    let other = "the position is not the start of 'HIRATE'; the position is taken";
    check(
        &data(board).replace("OTHER", "HIRATE"),
        "5K2l/9/9/9/9/9/9/9/9 b - 1",
        other,
    );
    check(&data(r#""board":{},"color":"1""#), "9/9/9/9/9/9/9/9/9 w - 1", "");
    check(&data(hands), &usual.replace(" - ", " 2Pr "), "");
    let not_held = "'FU:19' cannot be in hand; 'XX:1' cannot be in hand; 'FU:1' cannot be in hand";
    check(
        &data(r#""hands":[{"FU":19,"XX":1},null,{"FU":1}]"#),
        usual,
        not_held,
    );
    let wide = format!(r#""board":[{}[{{}},{{"kind":"FU"}}]]"#, "[],".repeat(9));
    check(
        &data(&wide),
        "9/9/9/9/9/9/9/9/9 b - 1",
        "this rank of the diagram does not have nine squares",
    );
}

#[test]
fn reads_headers() {
    let (mut games, _, warnings) =
        read_nodes(r#"{"moves":[],"header":{"後手":"b","先手":"a","n":1,"x":null,"上手":[]}}"#);
    let header = |key: &str, value: &str| (key.to_owned(), value.to_owned());
    assert_eq!(
        games[0].headers(),
        [header("後手", "b"), header("先手", "a"), header("n", "1")]
    );
    assert_eq!(warnings, "'[]' is no value for 'header'");
    let doubles = [("先手", "\"c\n"), ("先手（3）", ""), ("先手", "d"), ("先手", "e")];
    games[0]
        .headers_mut()
        .extend(doubles.map(|(key, value)| header(key, value)));
    let names = r#""先手（2）":"\"c\n","先手（3）":"","先手（4）":"d","先手（5）":"e""#;
    let expected = format!(r#"{{"header":{{"後手":"b","先手":"a","n":"1",{names}}},"initial":"#);
    let written = to_jkf(&fit(&games[0], Target::Jkf).0);
    assert!(written.starts_with(&expected), "{written}");
    assert!(read_nodes(r#"{"header":{"上手":"a"}}"#).0[0].is_handicap());
}

#[test]
fn reads_files_of_several_games() {
    let check = |text: &str, nodes: &str, warnings: &str| {
        let (_, found, reported) = read_nodes(text);
        assert_eq!((found.as_str(), reported.as_str()), (nodes, warnings), "{text}");
    };
    let one = &entries("{@7776FU}");
    let two = &entries("{@2726FU}");
    check(&format!("\u{feff} [{one},{two}]\n"), "7g7f / 2g2f", "");
    check(&format!("{one}\n{two}"), "7g7f / 2g2f", "");
    check(&format!("[{one},7,null]"), "7g7f", "'7' is no value for 'game'");
    check(
        &format!("{one}\nthe end\n"),
        "7g7f",
        "'the end' is not understood",
    );
    check("{}", "", "");
    let again = "the key 'moves' comes again; what it holds is not read";
    check(&one.replace("}]}", "}],\"moves\":[]}"), "7g7f", again);
    check(
        r#"{"moves":[{"special":"CHUDAN"}],"moves":[]}"#,
        "Interruption Open",
        again,
    );
    check(
        r#"{"a":{},"b":1,"a":2}"#,
        "",
        "the key 'a' is not known; what it holds is not read; the key 'b' is not known; what it holds is not read",
    );
}

#[test]
fn reports_where_a_file_breaks_off() {
    let check = |text: &str, nodes: &str, warning: &str| {
        let mut warnings = Warnings::default();
        let games: String = read_all(text, &mut warnings).iter().map(outline).collect();
        let warnings: Vec<_> = warnings.finish().iter().map(ToString::to_string).collect();
        assert_eq!(
            (games.as_str(), warnings.join("; ").as_str()),
            (nodes, warning),
            "{text}"
        );
    };
    let line = r#"{"initial":{},"moves":[{"comments":["あ"]},"#;
    let text = format!(
        "{line}\n{{\"move\":{{\"from\":{{\"x\":7,\"y\":7}},\"to\":{{\"x\":7,\"y\":6}}}},\"forks\":[["
    );
    check(
        &text,
        "\"あ\" 7g7f",
        "2:61: the text breaks off in the middle of a game",
    );
    let no_json = "this is no JSON: a value is expected here; nothing behind it is read";
    check(&format!("{text} 歩"), "\"あ\" 7g7f", &format!("2:62: {no_json}"));
    check(&format!("{line} nil"), "\"あ\"", &format!("1:44: {no_json}"));
    let end = "this is no JSON: the end of an array is expected here; nothing behind it is read";
    check("{\"moves\":[{}}", "", &format!("1:13: {end}"));
    check(
        "{\"moves\" 1}",
        "",
        "1:10: this is no JSON: a colon is expected here; nothing behind it is read",
    );
}

proptest! {
    /// Everything before the point where a file breaks off is read.
    #[test]
    fn reads_a_truncated_file_up_to_its_end(record in arbitrary::record(Extras::default()), cut in any::<prop::sample::Index>()) {
        let text = to_jkf(&fit(&record, Target::Jkf).0);
        let whole = read_nodes(&text).1;
        let part: String = text.chars().take(cut.index(text.chars().count())).collect();
        let (_, read, warnings) = read_nodes(&part);
        let is_move = |word: &&str| matches!(word.as_bytes(), [_, b'*', ..] | [b'1'..=b'9', b'a'..=b'i', ..]);
        let moves = |nodes: &str| nodes.split(' ').filter(is_move).count();
        prop_assert!(moves(&read) <= moves(&whole));
        prop_assert!(part.trim_end().ends_with("]}") || !warnings.is_empty() || read.is_empty(), "{part}");
    }
}

#[test]
fn reports_duplicate_statements() {
    let check = |text: &str, warnings: &str| {
        let (games, _, found) = read_nodes(text);
        assert_eq!((games.len(), found.as_str()), (1, warnings), "{text}");
    };
    check(
        r#"{"header":{"手合割":"香落ち"},"initial":{"preset":"KA"},"moves":[]}"#,
        "the position is not the start of '香落ち'; the position is taken",
    );
    check(
        r#"{"header":{"手合割":"香落ち"},"initial":{"preset":"KY"},"moves":[]}"#,
        "",
    );
    check(
        r#"{"initial":{"preset":"KY","preset":"KA"},"moves":[]}"#,
        "the key 'preset' comes again; what it holds is not read",
    );
    check(
        r#"{"moves":[{},{"special":"TORYO","special":"CHUDAN"}]}"#,
        "the key 'special' comes again; what it holds is not read",
    );
}

#[test]
fn the_moves_decide_between_two_starts_of_a_name() {
    let check = |moves: &str, sfen: &str, warning: &str| {
        let text = format!(r#"{{"header":{{"手合割":"三枚落ち"}},"moves":[{{}}{moves}]}}"#);
        let (games, _, warnings) = read_nodes(&text);
        assert_eq!(
            (games[0].start().sfen().as_str(), warnings.as_str()),
            (sfen, warning),
            "{text}"
        );
    };
    let rest = "9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1";
    let lance = r#",{"move":{"from":{"x":1,"y":1},"to":{"x":1,"y":2},"piece":"KY"}}"#;
    let fit = "'三枚落ち' can be two starts; the moves fit only the one without a piece on 9a";
    check(lance, &format!("1nsgkgsnl/{rest}"), fit);
    let undecided = "'三枚落ち' can be two starts; the usual one is taken, without a piece on 1a";
    check("", &format!("lnsgkgsn1/{rest}"), undecided);
}
