//! Logs of real engines: every line is read completely.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::missing_assert_message,
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "tests fail by panicking, read files and start the program"
)]

use crate::support;
use proptest::prelude::*;
use shogibar_engine::usi::log::{Direction, LogEntry};
use shogibar_engine::usi::{BestMove, Info, MateAnswer, OptionKind, OptionSpec, Reply, Score, reply};
use shogibar_shogi::Move;
use shogibar_shogi::score::{Bound, UsiScore};
use std::path::PathBuf;
use std::process::{Command, Output};

/// Counts of the words in a log, for comparison with the parsed replies.
#[derive(Debug, Default, PartialEq, Eq)]
struct Tally {
    scores: usize,
    bounds: usize,
    pv_moves: usize,
    options: usize,
    answers: usize,
    names: usize,
    oks: usize,
}

fn logs() -> Vec<PathBuf> {
    let Some(folder) = support::shared("transcripts") else {
        return Vec::new();
    };
    let files = std::fs::read_dir(folder)
        .unwrap()
        .map(|file| file.unwrap().path());
    let mut logs: Vec<PathBuf> = files
        .filter(|path| path.extension().is_some_and(|ext| ext == "txt"))
        .collect();
    logs.sort();
    assert!(logs.len() > 80, "the folder of logs has shrunk");
    logs
}

/// Returns the engine's lines of a log, found without the log reader: the text after ` < `, which follows the time.
fn output_lines(log: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(log).into_owned();
    let lines = text
        .split('\n')
        .filter_map(|line| line.trim_start().split_once(' '));
    let output = lines
        .filter(|(seconds, _)| seconds.parse::<f64>().is_ok())
        .filter_map(|(_, rest)| {
            if rest == "<" {
                Some("")
            } else {
                rest.strip_prefix("< ")
            }
        });
    output.map(str::to_owned).collect()
}

#[test]
fn reads_every_line_of_every_log_completely() {
    let (mut total, mut lines) = (Tally::default(), 0);
    for path in logs() {
        let log = std::fs::read(&path).unwrap();
        let printed = output_lines(&log);
        let read: Vec<String> = log
            .split(|byte| *byte == b'\n')
            .filter_map(LogEntry::read)
            .filter(|entry| entry.direction == Direction::Output)
            .map(|entry| entry.text().into_owned())
            .collect();
        assert_eq!(printed.len(), read.len(), "{}", path.display());
        for (printed, read) in printed.iter().zip(&read) {
            if !printed.starts_with("(non-utf8)") {
                assert_eq!(printed.trim_end(), read.trim_end(), "{}", path.display());
            }
            check_line(read, &mut total);
            lines += 1;
        }
        let text = String::from_utf8_lossy(&log);
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            assert!(
                LogEntry::read(line.as_bytes()).is_some(),
                "{}: {line}",
                path.display()
            );
        }
    }
    if lines > 0 {
        println!("{lines} lines: {total:?}");
        assert!(
            total.scores > 7000 && total.pv_moves > 37_000 && total.options > 4900 && total.answers > 400
        );
    }
}

/// Compares a parsed line with its words.
fn check_line(line: &str, tally: &mut Tally) {
    let words: Vec<&str> = line.split_ascii_whitespace().collect();
    let reply = reply::parse(line);
    match (words.as_slice(), &reply) {
        (["info", fields @ ..], Reply::Info(info)) => check_info(line, fields, info, tally),
        (["option", "name", ..], Reply::Option(spec)) => {
            tally.options += 1;
            let declared = words.join(" ").replace(" <empty>", "");
            assert_eq!(declaration(spec).replace("  ", " ").trim_end(), declared);
        }
        (["bestmove", word, rest @ ..], Reply::BestMove { best, ponder }) => {
            tally.answers += 1;
            let written = match best {
                BestMove::Move(mv) => mv.to_string(),
                BestMove::Resign => "resign".to_owned(),
                BestMove::Win => "win".to_owned(),
                BestMove::None => String::new(),
            };
            assert_eq!(written, *word, "{line}");
            assert_eq!(
                ponder.map(|mv| mv.to_string()).as_deref(),
                rest.get(1).copied(),
                "{line}"
            );
        }
        (["checkmate", rest @ ..], Reply::Checkmate(checkmate)) => {
            tally.answers += 1;
            let written = match checkmate {
                MateAnswer::Moves(moves) => moves
                    .iter()
                    .map(ToString::to_string)
                    .collect::<Vec<_>>()
                    .join(" "),
                MateAnswer::NoMate => "nomate".to_owned(),
                MateAnswer::Timeout => "timeout".to_owned(),
                MateAnswer::NotImplemented => "notimplemented".to_owned(),
            };
            assert_eq!(written, rest.join(" "), "{line}");
        }
        (["id", "name", ..], Reply::IdName(text)) | (["id", "author", ..], Reply::IdAuthor(text)) => {
            tally.names += 1;
            assert!(line.trim_end().ends_with(text.as_str()), "{line}");
        }
        (["usiok"], Reply::UsiOk) | (["readyok"], Reply::ReadyOk) => tally.oks += 1,
        (_, Reply::Other) => {
            let known = ["info", "option", "bestmove", "checkmate", "usiok", "readyok"];
            assert!(words.first().is_none_or(|word| !known.contains(word)), "{line}");
        }
        _ => panic!("{line}: {reply:?}"),
    }
}

fn check_info(line: &str, fields: &[&str], info: &Info, tally: &mut Tally) {
    let fields = fields.split(|word| *word == "string").next().unwrap();
    let after = |key: &str| {
        fields
            .iter()
            .position(|word| *word == key)
            .map(|at| &fields[at + 1..])
    };
    let number = |key: &str| after(key).and_then(|rest| rest.first()?.parse::<i64>().ok());
    let score = after("score").map(|rest| {
        tally.scores += 1;
        let n: i32 = rest[1].parse().unwrap();
        let raw = match rest[0] {
            "cp" => UsiScore::Cp(n),
            "mate" if n == 0 => UsiScore::Mate {
                wins: false,
                plies: None,
            },
            "mate" => UsiScore::Mate {
                wins: n > 0,
                plies: Some(n.unsigned_abs()),
            },
            other => panic!("{other}"),
        };
        let bound = match rest.get(2) {
            Some(&"lowerbound") => Some(Bound::Lower),
            Some(&"upperbound") => Some(Bound::Upper),
            _ => None,
        };
        tally.bounds += usize::from(bound.is_some());
        Score { raw, bound }
    });
    assert_eq!(info.score, score, "{line}");
    let as_i64 = |n: Option<u64>| n.map(|n| i64::try_from(n).unwrap());
    assert_eq!(info.depth.map(i64::from), number("depth"), "{line}");
    assert_eq!(info.seldepth.map(i64::from), number("seldepth"), "{line}");
    assert_eq!(info.multipv.map(i64::from), number("multipv"), "{line}");
    assert_eq!(info.hashfull.map(i64::from), number("hashfull"), "{line}");
    assert_eq!(as_i64(info.nodes), number("nodes"), "{line}");
    assert_eq!(as_i64(info.nps), number("nps"), "{line}");
    assert_eq!(as_i64(info.time), number("time"), "{line}");
    // `resign` and `pass` end a pv.
    let is_move = |word: &&str| word.contains(|c: char| c.is_ascii_digit());
    let pv: Vec<&str> = after("pv")
        .unwrap_or_default()
        .iter()
        .copied()
        .take_while(is_move)
        .collect();
    tally.pv_moves += pv.len();
    assert_eq!(
        info.pv.iter().map(ToString::to_string).collect::<Vec<_>>(),
        pv,
        "{line}"
    );
}

/// Returns the `option` line of a spec, without the sign for an empty text.
fn declaration(spec: &OptionSpec) -> String {
    let field =
        |key: &str, value: Option<String>| value.map(|value| format!(" {key} {value}")).unwrap_or_default();
    let rest = match &spec.kind {
        OptionKind::Check { default } => format!("check{}", field("default", default.map(|b| b.to_string()))),
        OptionKind::Spin { default, min, max } => {
            let number = |key, n: &Option<i64>| field(key, n.map(|n| n.to_string()));
            format!(
                "spin{}{}{}",
                number("default", default),
                number("min", min),
                number("max", max)
            )
        }
        OptionKind::Combo { default, vars } => {
            let vars: Vec<String> = vars.iter().map(|var| field("var", Some(var.clone()))).collect();
            format!("combo{}{}", field("default", default.clone()), vars.concat())
        }
        OptionKind::Button => "button".to_owned(),
        OptionKind::String { default } => format!("string{}", field("default", default.clone())),
        OptionKind::Filename { default } => format!("filename{}", field("default", default.clone())),
    };
    format!("option name {} type {rest}", spec.name)
}

fn shogibar(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_shogibar"))
        .args(arguments)
        .output()
        .unwrap()
}

#[test]
fn explains_every_score_of_every_log() {
    for path in logs() {
        let log = std::fs::read(&path).unwrap();
        let output = shogibar(&["explain", path.to_str().unwrap()]);
        assert!(output.status.success(), "{}", path.display());
        let printed = output_lines(&log);
        let is_explained = |line: &&String| {
            let line = line.split(" string ").next().unwrap();
            line.contains(" score ") || line.starts_with("bestmove") || line.starts_with("checkmate")
        };
        let explained: Vec<serde_json::Value> = String::from_utf8(output.stdout)
            .unwrap()
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        assert_eq!(
            explained.len(),
            printed.iter().filter(is_explained).count(),
            "{}",
            path.display()
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8 * ProptestConfig::default().cases))]

    #[test]
    fn parses_any_text(line in ".*") {
        check_sanity(&line);
        let _read = LogEntry::read(line.as_bytes());
    }

    #[test]
    fn parses_any_tokens(words in prop::collection::vec(prop::sample::select(WORDS), 0..20)) {
        check_sanity(&words.join(" "));
        check_sanity(&format!("info {}", words.join("  ")));
        check_sanity(&format!("option name {}", words.join("\t")));
    }

    #[test]
    fn reads_back_a_log_line(millis in any::<u64>(), bytes in prop::collection::vec(any::<u8>(), 0..40)) {
        let entry = LogEntry { millis, direction: Direction::Output, bytes: bytes.into() };
        let read = LogEntry::read(entry.to_string().as_bytes()).map(LogEntry::into_owned);
        prop_assert_eq!(read, Some(entry));
    }
}

/// Checks the conditions that hold for every line.
fn check_sanity(line: &str) {
    let has_word = |word: &str| line.split_ascii_whitespace().any(|found| found == word);
    match reply::parse(line) {
        Reply::Info(info) => {
            assert!(info.pv.iter().all(|mv| has_word(&mv.to_string())), "{line}");
            assert!(info.rank() > 0, "{line}");
            assert!(info.score.is_none() || has_word("score"), "{line}");
        }
        Reply::BestMove {
            best: BestMove::Move(mv),
            ..
        } => assert!(has_word(&mv.to_string()), "{line}"),
        Reply::Option(spec) => {
            assert!(!spec.name.is_empty() && line.contains(&spec.name), "{line}");
            if let Ok(set) = spec.setoption("1") {
                assert!(!set.contains(char::is_control), "{set:?}");
            }
        }
        _ => {}
    }
}

const WORDS: &[&str] = &[
    "info",
    "depth",
    "seldepth",
    "score",
    "cp",
    "mate",
    "lowerbound",
    "upperbound",
    "multipv",
    "pv",
    "string",
    "nodes",
    "nps",
    "time",
    "hashfull",
    "wdl",
    "currmove",
    "refutation",
    "7g7f",
    "P*5e",
    "8h2b+",
    "resign",
    "-0",
    "+",
    "-",
    "0",
    "+5",
    "30.5",
    "30/45",
    "-99999999999999999999999",
    "18446744073709551616",
    "x",
    "評価",
    "\u{3000}",
    "option",
    "name",
    "type",
    "check",
    "spin",
    "combo",
    "button",
    "filename",
    "default",
    "min",
    "max",
    "var",
    "<empty>",
    "true",
    "bestmove",
    "ponder",
    "checkmate",
    "nomate",
    "id",
    "author",
];

#[test]
fn parses_damaged_lines_of_real_logs() {
    // A fixed random sequence, so that a failure is reproducible.
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = move |below: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).unwrap() % below.max(1)
    };
    for path in logs() {
        for line in output_lines(&std::fs::read(&path).unwrap()) {
            let mut bytes = line.into_bytes();
            for _ in 0..=random(3) {
                let at = random(bytes.len() + 1);
                match random(4) {
                    0 => bytes.truncate(at),
                    1 => bytes.insert(at, b" -+0\xe3\x82\t\r9"[random(9)]),
                    2 if at < bytes.len() => bytes[at] ^= 1 << random(8),
                    _ => bytes.rotate_left(at),
                }
            }
            let text = shogibar_engine::usi::tokens::decode(&bytes);
            check_sanity(&text);
            check_sanity(&format!("info {text}"));
        }
    }
    assert_eq!(
        Move::from_usi("7g7f").map(|mv| mv.to_string()).as_deref(),
        Some("7g7f")
    );
}
