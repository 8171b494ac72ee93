//! Two engines on one position, started from a shell.

use crate::support;
use std::process::{Command, Output, Stdio};

const EXAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/selfplay.kif");

/// Runs the text bar for half a second, on an open position.
fn shogibar(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_shogibar"))
        .args([
            "--text",
            EXAMPLE,
            "--ply",
            "30",
            "--movetime",
            "500",
            "--hash",
            "16",
            "--lang",
            "en",
        ])
        .args(arguments)
        .env("SHOGIBAR_CONFIG", support::no_settings())
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

fn lines(bytes: &[u8]) -> Vec<String> {
    String::from_utf8(bytes.to_vec())
        .unwrap()
        .lines()
        .map(str::to_owned)
        .collect()
}

/// Runs the text bar and checks its exit code. Returns Black's win rate and the short text of each engine,
/// `*1 63% P-2f`, from the last line.
fn check(arguments: &[&str], code: i32) -> (u32, Vec<String>) {
    let output = shogibar(arguments);
    let (out, error) = (lines(&output.stdout), lines(&output.stderr));
    assert_eq!(
        output.status.code(),
        Some(code),
        "{arguments:?}: {out:?} {error:?}"
    );
    let parts: Vec<&str> = out.last().unwrap().split("  ").collect();
    let briefs = parts
        .iter()
        .filter(|part| part.starts_with(['1', '2', '*']) && !part.contains(':'));
    (
        rate(parts[0].split(' ').find(|word| word.contains('%')).unwrap()),
        briefs.map(|part| (*part).to_owned()).collect(),
    )
}

fn rate(word: &str) -> u32 {
    word.trim_end_matches('%')
        .parse()
        .unwrap_or_else(|_| panic!("{word} is no win rate"))
}

/// Returns the win rate in the short text of an engine.
fn own(brief: &str) -> u32 {
    rate(brief.split(' ').nth(1).unwrap())
}

#[test]
fn the_bar_follows_one_engine_or_the_mean() {
    let mut seconds = vec!["builtin"];
    seconds.extend(
        support::engine("fairy-stockfish")
            .is_some()
            .then_some("fairy-stockfish"),
    );
    for second in seconds {
        let engines = ["--engine", "builtin", "--engine", second];
        for follow in ["1", "2", "mean"] {
            let (bar, briefs) = check(&[&engines[..], &["--follow", follow]].concat(), 0);
            let [one, other] = briefs.as_slice() else {
                panic!("{second}: {briefs:?}")
            };
            let marked = [one, other].map(|brief| brief.starts_with('*'));
            let (own, others) = (own(one), own(other));
            let (holds, marks) = match follow {
                "1" => (bar == own, [true, false]),
                "2" => (bar == others, [false, true]),
                // Each value is rounded separately.
                _ => ((2 * bar).abs_diff(own + others) <= 2, [true, true]),
            };
            assert_eq!(marked, marks, "{second}, {follow}: {briefs:?}");
            assert!(holds, "{second}, {follow}: {bar} is not of {briefs:?}");
        }
    }
}

#[test]
fn continues_with_one_engine_where_the_other_is_missing() {
    let (bar, briefs) = check(
        &[
            "--engine",
            "/nowhere/engine",
            "--engine",
            "builtin",
            "--follow",
            "mean",
        ],
        1,
    );
    assert_eq!((briefs.len(), briefs[0].as_str()), (2, "*1 --% …"), "{briefs:?}");
    assert_eq!(bar, own(&briefs[1]), "the mean of one is its own");
    let output = shogibar(&["--engine", "/nowhere/engine", "--engine", "builtin"]);
    assert!(
        lines(&output.stdout)
            .last()
            .unwrap()
            .contains("1: There is no engine '/nowhere/engine'"),
        "{output:?}"
    );
}

#[test]
fn reports_both_missing_engines() {
    let output = shogibar(&["--engine", "/nowhere/one", "--engine", "/nowhere/other"]);
    let error = lines(&output.stderr).concat();
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert!(
        error.contains("/nowhere/one") && error.contains("/nowhere/other"),
        "{error}"
    );
}

#[test]
fn refuses_an_invalid_follow_mode() {
    let check = |arguments: &[&str], expect: &str| {
        let output = shogibar(arguments);
        let error = lines(&output.stderr).concat();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {error}");
        assert!(error.contains(expect), "{arguments:?}: {error}");
    };
    check(&["--follow", "2"], "--follow 2: there is no such engine");
    check(&["--follow", "both"], "mean");
    check(&["--follow", "0"], "mean");
    check(
        &[
            "--engine", "builtin", "--engine", "builtin", "--engine", "builtin",
        ],
        "at most 2 engines",
    );
}
