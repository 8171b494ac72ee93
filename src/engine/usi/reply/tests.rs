use super::*;
use crate::usi::{OptionKind, Score};
use shogibar_shogi::score::{Bound, UsiScore};

fn info(line: &str) -> Info {
    match parse(&format!("info {line}")) {
        Reply::Info(info) => info,
        other => panic!("{line}: {other:?}"),
    }
}

fn moves(text: &str) -> Vec<Move> {
    text.split_ascii_whitespace().filter_map(Move::from_usi).collect()
}

const fn cp(cp: i32) -> Score {
    Score {
        raw: UsiScore::Cp(cp),
        bound: None,
    }
}

const fn mate(wins: bool, plies: Option<u32>) -> Score {
    Score {
        raw: UsiScore::Mate { wins, plies },
        bound: None,
    }
}

const fn bounded(cp: i32, bound: Bound) -> Score {
    Score {
        raw: UsiScore::Cp(cp),
        bound: Some(bound),
    }
}

#[test]
fn reads_scores_of_every_form() {
    let read = |text: &str, expect: Option<Score>| {
        assert_eq!(info(&format!("depth 3 {text} nodes 5")).score, expect, "{text}");
        assert_eq!(info(text).score, expect, "{text} at the end");
        assert_eq!(info(&format!("{text} nodes 5")).nodes, Some(5), "after {text}");
    };
    let check = |text: &str, expect: Score| read(text, Some(expect));
    check("score cp 30", cp(30));
    check("score cp -30", cp(-30));
    check("score cp +30", cp(30));
    check("score cp -0", cp(0));
    check("score cp 30.5", cp(30));
    check("score cp -30.5", cp(-30));
    check("score cp 1148897", cp(1_148_897));
    check("score cp 99999999999999999999999", cp(i32::MAX));
    check("score cp -99999999999999999999999", cp(-i32::MAX));
    check("score mate 7", mate(true, Some(7)));
    check("score mate +5", mate(true, Some(5)));
    check("score mate -6", mate(false, Some(6)));
    check("score mate +", mate(true, None));
    check("score mate -", mate(false, None));
    check("score mate +0", mate(true, None));
    check("score mate 0", mate(false, None));
    check("score mate -0", mate(false, None));
    check("score mate 1525", mate(true, Some(1525)));
    check("score mate 99999999999", mate(true, None));
    check("score cp 6 upperbound", bounded(6, Bound::Upper));
    check("score cp 28 lowerbound", bounded(28, Bound::Lower));
    check("score lowerbound cp 30", bounded(30, Bound::Lower));
    check("lowerbound score cp 30", bounded(30, Bound::Lower));
    check("score cp 30 time 4 upperbound", bounded(30, Bound::Upper));
    check("score cp 30 wdl 500 300 200", cp(30));
    check("score cp 30 score mate 5 lowerbound", cp(30));
    check("score cp x score cp 5", cp(5));
    read("score cp 1e5", None);
    read("score cp 120↑", None);
    read("score cp", None);
    read("score cp -", None);
    read("score cp .5", None);
    read("score mate x", None);
    read("score mate", None);
    read("score 30", None);
    read("score", None);
    read("cp 30", None);
}

/// No later line of the search would replace a line with such a depth.
#[test]
fn counters_that_no_engine_reaches_are_absent() {
    let counters = |text: &str| {
        let Info {
            depth,
            seldepth,
            nodes,
            nps,
            time,
            hashfull,
            ..
        } = info(text);
        let depths = [depth, seldepth, hashfull].map(|one| one.map(u64::from));
        (depths, [nodes, nps, time])
    };
    for counter in ["1001", "4294967296", "99999999999999", "99999999999999999999999"] {
        let text = format!("depth {counter} seldepth {counter} hashfull {counter} score cp 5");
        assert_eq!(counters(&text), ([None; 3], [None; 3]), "{text}");
        assert_eq!(
            counters(&format!("depth {counter}/{counter}")),
            ([None; 3], [None; 3])
        );
    }
    let text = "nodes 99999999999999999 nps 9999999999999 time 9999999999999";
    assert_eq!(counters(text), ([None; 3], [None; 3]));
    let max = "depth 1000/1000 hashfull 1000 nodes 1000000000000000 nps 1000000000000 time 86400000";
    assert!(
        counters(max)
            .0
            .iter()
            .chain(&counters(max).1)
            .all(Option::is_some)
    );
}

#[test]
fn reads_keywords_in_any_order() {
    let expect = Info {
        depth: Some(12),
        seldepth: Some(15),
        multipv: Some(2),
        score: Some(cp(-42)),
        pv: moves("7g7f 3c3d 8h2b+ P*5e"),
        nodes: Some(99_999_999_999),
        nps: Some(1_000_000),
        time: Some(1234),
        hashfull: Some(501),
        string: None,
    };
    let fields = [
        "depth 12",
        "seldepth 15",
        "multipv 2",
        "score cp -42",
        "nodes 99999999999",
        "nps 1000000",
        "time 1234",
        "hashfull 501",
        "pv 7g7f 3c3d 8h2b+ P*5e",
        "currmove 2g2f",
        "currmovenumber 3",
        "cpuload 900",
        "tbhits 0",
        "wdl 500 300 200",
        "refutation 7g7f 3c3d",
        "currline 1 7g7f 3c3d",
    ];
    for turn in 0..fields.len() {
        let mut fields = fields;
        fields.rotate_left(turn);
        assert_eq!(info(&fields.join(" ")), expect, "{fields:?}");
        assert_eq!(info(&fields.join(" \t  ")), expect, "{fields:?} in wide spacing");
    }
}

#[test]
fn an_unreadable_value_affects_only_its_field() {
    let check = |text: &str, expect: Info| assert_eq!(info(text), expect, "{text}");
    let none = Info::default;
    check(
        "depth x seldepth 5",
        Info {
            seldepth: Some(5),
            ..none()
        },
    );
    check(
        "depth seldepth 5",
        Info {
            seldepth: Some(5),
            ..none()
        },
    );
    check(
        "depth score cp 5",
        Info {
            score: Some(cp(5)),
            ..none()
        },
    );
    check(
        "depth 30/45",
        Info {
            depth: Some(30),
            seldepth: Some(45),
            ..none()
        },
    );
    check(
        "depth 30/x score cp 1",
        Info {
            depth: Some(30),
            score: Some(cp(1)),
            ..none()
        },
    );
    check(
        "seldepth 9 depth 30/45",
        Info {
            depth: Some(30),
            seldepth: Some(9),
            ..none()
        },
    );
    check(
        "nodes -1 time 3.5",
        Info {
            time: Some(3),
            ..none()
        },
    );
    check(
        "multipv 0 depth 1",
        Info {
            depth: Some(1),
            ..none()
        },
    );
    check(
        "depth 1 depth 2",
        Info {
            depth: Some(1),
            ..none()
        },
    );
    check("pv", none());
    check(
        "hashfull 0 pv",
        Info {
            hashfull: Some(0),
            ..none()
        },
    );
    check("pv resign", none());
    check(
        "pv 7g7f rep_draw 3c3d",
        Info {
            pv: moves("7g7f"),
            ..none()
        },
    );
    check(
        "pv 7g7f 3c3d resign depth 4",
        Info {
            pv: moves("7g7f 3c3d"),
            depth: Some(4),
            ..none()
        },
    );
    check(
        "string pv 7g7f 評価値  120↑ ",
        Info {
            string: Some("pv 7g7f 評価値  120↑".into()),
            ..none()
        },
    );
    check(
        "string",
        Info {
            string: Some(String::new()),
            ..none()
        },
    );
    check("", none());
    check("unknown command: foobar", none());
}

#[test]
fn reads_answers_to_go() {
    let check = |line: &str, best: BestMove, ponder: &str| {
        assert_eq!(
            parse(line),
            Reply::BestMove {
                best,
                ponder: Move::from_usi(ponder)
            },
            "{line}"
        );
    };
    let play = |text| BestMove::Move(Move::from_usi(text).unwrap());
    check("bestmove 7g7f", play("7g7f"), "");
    check("bestmove 8h2b+ ponder 3a2b", play("8h2b+"), "3a2b");
    check("  bestmove  P*5e   ponder  5d5e  \r", play("P*5e"), "5d5e");
    check("bestmove 7g7f ponder", play("7g7f"), "");
    check("bestmove 7g7f ponder (null)", play("7g7f"), "");
    check("bestmove 7g7f ponder (none)", play("7g7f"), "");
    check("bestmove resign", BestMove::Resign, "");
    check("bestmove win", BestMove::Win, "");
    check("bestmove none", BestMove::None, "");
    check("bestmove (none)", BestMove::None, "");
    check("bestmove", BestMove::None, "");
    check("bestmove 0000", BestMove::None, "");

    let check = |line: &str, expect: MateAnswer| assert_eq!(parse(line), Reply::Checkmate(expect), "{line}");
    check("checkmate G*5b 4a3b", MateAnswer::Moves(moves("G*5b 4a3b")));
    check("checkmate ", MateAnswer::Moves(Vec::new()));
    check("checkmate nomate", MateAnswer::NoMate);
    check("checkmate timeout", MateAnswer::Timeout);
    check("checkmate notimplemented", MateAnswer::NotImplemented);
    check("checkmate what", MateAnswer::Moves(Vec::new()));
}

#[test]
fn reads_handshakes_and_other_lines() {
    let check = |line: &str, expect: Reply| assert_eq!(parse(line), expect, "{line}");
    check(
        "id name Yane  uraOu 9.70\r",
        Reply::IdName("Yane  uraOu 9.70".into()),
    );
    check("id author やねうらお", Reply::IdAuthor("やねうらお".into()));
    check("id auther x", Reply::IdAuthor("x".into()));
    check("id name", Reply::IdName(String::new()));
    check("usiok", Reply::UsiOk);
    check("readyok ", Reply::ReadyOk);
    for line in [
        "",
        " ",
        "id version 0.5.2",
        "id",
        "Error! : failed",
        "usi",
        "Usiok",
        "No such option: X",
        "infodepth 1",
    ] {
        check(line, Reply::Other);
    }
    let name = "Debug Log File".to_owned();
    let option = OptionSpec {
        name,
        kind: OptionKind::String {
            default: Some(String::new()),
        },
    };
    check(
        "option name Debug Log File type string default ",
        Reply::Option(option),
    );
    check("option name X type colour default red", Reply::Other);
    check("option name X", Reply::Other);
}
