//! Reading of every dialect, and round trips of written records.

use crate::{End, Format, NodeId, Outcome, ReadGames, Reason, Record, Target, read, write};
use shogibar_shogi::{Color, Position};
use std::fmt::Write as _;

fn reading(text: &str) -> ReadGames {
    let reading = read(text.as_bytes()).unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(reading.format, Format::Psn, "{text}");
    reading
}

/// Returns a record in one line: moves, ends in angle brackets, comments in braces, variations in round brackets.
fn line(record: &Record) -> String {
    let mut out = String::new();
    let mut closing = vec![];
    for id in record.all() {
        let node = record.node(id);
        let is_variation = record
            .parent(id)
            .is_some_and(|parent| record.first_child(parent) != Some(id));
        if is_variation {
            out.push_str(" (");
            closing.push(id);
        }
        match (node.mv(), node.end()) {
            (Some(mv), _) => write!(out, " {}.{mv}", node.ply()).unwrap(),
            (None, Some(end)) => write!(out, " <{}>", end.reason).unwrap(),
            (None, None) => {}
        }
        if let Some(spent) = node.time.spent {
            write!(out, " {}s", spent.0 / 1000).unwrap();
        }
        if let Some(comment) = node.comment() {
            write!(out, " {{{}}}", comment.replace('\n', "|")).unwrap();
        }
        if record.first_child(id).is_none() && closing.pop().is_some() {
            out.push_str(" )");
        }
    }
    out.replace("( ", "(").trim().to_owned()
}

fn check(text: &str, expected: &str, warnings: usize) {
    let reading = reading(text);
    assert_eq!(line(&reading.games[0]), expected, "{text}");
    assert_eq!(reading.warnings.len(), warnings, "{text}: {:?}", reading.warnings);
}

#[test]
fn drops_comments_of_a_variation_without_a_branch_point() {
    let lost = "; text\n# remark\n9.P2g-2f $1 {x} ; y\n[z\n";
    check(
        &format!("[Sente \"a\"]\n1.P7g-7f\nVariation:9\n{lost}"),
        "1.7g7f",
        2,
    );
    check(
        &format!("[Sente \"a\"]\n(\n{lost})\n1.P7g-7f {{z}}"),
        "1.7g7f {z}",
        2,
    );
    let reading = reading(&format!("[Sente \"a\"]\n1.P7g-7f\nVariation:9\n{lost}"));
    assert!(
        reading.games[0]
            .all()
            .all(|id| reading.games[0].node(id).notes().remark.is_none())
    );
    let warning = "3:1: 'Variation:9' branches off where there is no line; it is not read";
    let skipped = "4:1: lines of variations that have no place, not read: 7";
    assert_eq!(
        reading
            .warnings
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>(),
        [warning, skipped]
    );
}

#[test]
fn reads_one_numbered_move_per_line() {
    check(
        "[Sente \"a\"]\n[Gote \"b\"]\n1.P7g-7f          (00:03 / 00:00:03)\n2.P3c-3d          (00:02 / 00:00:02)\n\
         3.B8hx2b+         (00:03 / 00:00:06)\n4.S3ax2b          (00:01 / 00:00:03)\n5.B*4e            (00:01 / 00:00:07)\n\
         {\na comment\n{with braces}, and more\n}\n6.Resigns         (00:01 / 00:00:04)\n\n\
         Variation:4\n4.G4a-3b          (00:02 / 00:00:04)\n",
        "1.7g7f 3s 2.3c3d 2s 3.8h2b+ 3s 4.3a2b 1s 5.B*4e 1s {a comment|{with braces}, and more} <resignation> 1s \
         (4.4a3b 2s )",
        0,
    );
    check(
        "1.7g7f (00:00:03 / 00:00:03)\n2.3c3d (01:00:00 / 01:00:00)\n3.MaxMovesDraw (00:00:00 / 00:00:03)\n",
        "1.7g7f 3s 2.3c3d 3600s <end by the number of moves> 0s",
        0,
    );
    check(
        "1.P7g-7f           1/1          0/0\n2.P3c-3d    1/1   1/1\nThis is about the opening.\n3.P2g-2f\n",
        "1.7g7f 2.3c3d {This is about the opening.} 3.2g2f",
        0,
    );
}

#[test]
fn reads_many_moves_per_line() {
    check(
        "P2g-2f P3c-3d P7g-7f {Perhaps not.~(Steve)} P4c-4d! 1-0",
        "1.2g2f 2.3c3d 3.7g7f {Perhaps not.|(Steve)} 4.4c4d {!} <end>",
        0,
    );
    check(
        "1. P7g-7f 2. P3c-3d 3. B8hx2b+ S3ax2b 4. B'4e$2 *",
        "1.7g7f 2.3c3d 3.8h2b+ 4.3a2b 5.B*4e {?}",
        0,
    );
    check(
        "1.P-7f P-3d 2.Bx2b+ Sx2b 3.P-2f {multi\nline} --Sennichite--",
        "1.7g7f 2.3c3d 3.8h2b+ 4.3a2b 5.2g2f {multi|line} <repetition>",
        0,
    );
    check("1.P-7f (0:05/0:00:05) P-3d (0:01)", "1.7g7f 5s 2.3c3d 1s", 0);
    check(
        "1.P-7f P-3d ; the usual\n2.P-2f P-4d",
        "1.7g7f 2.3c3d {the usual} 3.2g2f 4.4c4d",
        0,
    );
}

#[test]
fn reads_variations_in_brackets() {
    check(
        "1.P-7f P-3d (1... P-8d 2.P-2f (2.P-6f P-8e) P-8e) 2.P-6f",
        "1.7g7f 2.3c3d 3.6g6f (2.8c8d 3.2g2f 4.8d8e ) (3.6g6f 4.8d8e )",
        0,
    );
    check(
        "1.P-7f (P-2f) (P-5f) P-3d",
        "1.7g7f 2.3c3d (1.2g2f ) (1.5g5f )",
        0,
    );
    check("1.P-7f Resigns (P-3d) ", "1.7g7f <resignation> (2.3c3d )", 0);
    check("1.P-7f ) P-3d", "1.7g7f 2.3c3d", 1);
    check("1.P-7f ((P-2f) P-5f) P-3d", "1.7g7f 2.3c3d (1.5g5f )", 2);
}

#[test]
fn ends_the_line_at_an_unplayable_move() {
    check(
        "1.P7g-7f\n2.P7g-7f\n3.P2g-2f\n\nVariation:2\n2.P3c-3d\n",
        "1.7g7f <illegal move> (2.3c3d )",
        2,
    );
    check("1.P7g-7f\n2.Foo\n", "1.7g7f <unreadable move>", 1);
    check("1.P7g-7f\n2.G-5b\n", "1.7g7f <unreadable move>", 1);
    check("1.P7g-7f P3c-3z\n", "1.7g7f <unreadable move>", 1);
    check(
        "1.P7g-7f\n\nVariation:9\n9.P3c-3d\n{x}\n\nVariation:1\n1.P2g-2f\n",
        "1.7g7f (1.2g2f )",
        2,
    );
    check("1.P7g-7f\n{\nno end\n2.P3c-3d\n", "1.7g7f {no end|2.P3c-3d}", 1);
}

#[test]
fn reads_tags_results_and_several_games() {
    let text = "[Name \"x\"]\n[Sente \"a\"]\n[Gote \"b\"]\n[Event \"e\"]\n[Result \"0-1\"]\n[Comment \"c\"]\nP7g-7f\n\n\
                [Name \"x\"]\n[Handicap \"rook\"]\n1....P3c-3d 1/2-1/2\n";
    let games = reading(text).games;
    assert_eq!(games.len(), 2);
    let headers: Vec<_> = games[0]
        .headers()
        .iter()
        .map(|(key, value)| format!("{key}={value}"))
        .collect();
    assert_eq!(headers, ["Name=x", "先手=a", "後手=b", "棋戦=e", "Result=0-1"]);
    assert_eq!(
        line(&games[0]),
        "{c} 1.7g7f <end>".replace("<end>", &format!("<{}>", Reason::Other))
    );
    assert_eq!(
        games[0].end().map(|end| end.outcome),
        Some(Outcome::Win(Color::White))
    );
    assert_eq!(line(&games[1]), "1.3c3d <end>");
    assert_eq!(games[1].end().map(|end| end.outcome), Some(Outcome::Draw));
}

#[test]
fn distinguishes_meanings_of_the_same_word() {
    let check = |text: &str, reason, outcome| {
        let record = reading(text).games.remove(0);
        let expected = End::new(reason, outcome, "");
        assert_eq!(record.end(), Some(&expected), "{text}");
        assert_eq!(
            record.main_line().last().and_then(|id| record.node(id).comment()),
            None,
            "{text}"
        );
        let again = read(&write(&record, Target::Psn).bytes).expect("PSN");
        assert_eq!(again.games[0].end(), Some(&expected), "{text}");
    };
    check("1.P7g-7f\n2.Jishogi\n", Reason::Impasse, Outcome::Draw);
    check(
        "1.P7g-7f\n2.Jishogi\n{\n入玉宣言により勝ち。\n}\n",
        Reason::Declaration,
        Outcome::Win(Color::White),
    );
    let shuffle = "1.G4i-4h\n2.G4a-4b\n3.G4h-4i\n4.G4b-4a\n";
    check(
        &format!("{}13.Sennichite", shuffle.repeat(3)),
        Reason::Repetition,
        Outcome::Draw,
    );
    let start = "[SFEN \"4k4/9/9/9/9/9/9/7R1/4K4 b - 1\"]\n";
    let checks = "2.K5a-4a\n3.R5h-4h\n4.K4a-5a\n5.R4h-5h\n";
    check(
        &format!("{start}1.R2h-5h\n{}14.Sennichite", checks.repeat(3)),
        Reason::Repetition,
        Outcome::Win(Color::White),
    );
}

#[test]
fn output_is_read_back() {
    let text = "手合割：平手\n備考 ：「\"x\"]」\n後手：b\n手数----\n*先頭\n1 ７六歩(77) (1:01:05/)\n2 ３四歩(33)\n*}\n*\n\
                3 ２二角成(88) (0:07/)\n4 投了 (0:02/)\n変化：3手\n3 ２六歩(27)\n";
    let record = read(text.as_bytes()).expect("KIF").games.remove(0);
    let written = write(&record, Target::Psn);
    let expected = "\
[Sente \"\"]
[Gote \"b\"]
[SFEN \"lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\"]
[備考 \"「\"x”]」\"]
{
先頭
}
1.P7g-7f          (01:01:05 / 01:01:05)
2.P3c-3d          (00:00 / 00:00:00)
{
} 

}
3.B8hx2b+         (00:07 / 01:01:12)
4.Resigns         (00:02 / 00:00:02)

Variation:3
3.P2g-2f          (00:00 / 00:00:00)
";
    assert_eq!(String::from_utf8(written.bytes).expect("UTF-8"), expected);
    assert_eq!(written.losses, []);
}

#[test]
fn a_long_key_stays_a_key() {
    let mut record = Record::new(&Position::startpos());
    record.headers_mut().push(("備考".repeat(400), "x".to_owned()));
    let again = read(&write(&record, Target::Psn).bytes).unwrap().games.remove(0);
    assert_eq!(
        (
            again.header(&"備考".repeat(400)),
            again.node(NodeId::START).comment()
        ),
        (Some("x"), None)
    );
}

#[test]
fn the_moves_decide_between_two_starts_of_a_handicap() {
    let check = |moves: &str, sfen: &str| {
        let text = format!("[Sente \"a\"]\n[Handicap \"3 piece\"]\n\n{moves}");
        let reading = reading(&text);
        let rest = "9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1";
        assert_eq!(
            reading.games[0].start().sfen(),
            format!("{sfen}/{rest}"),
            "{text}"
        );
        assert_eq!(reading.warnings.len(), 1, "{:?}", reading.warnings);
    };
    check("L1a-1b P7g-7f\n", "1nsgkgsnl");
    check("L9a-9b P7g-7f\n", "lnsgkgsn1");
    check("G6a-6b P7g-7f\n", "lnsgkgsn1");
    check("", "lnsgkgsn1");
}
