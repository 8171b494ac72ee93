use super::super::Direction::{self, Output, Sent};
use super::super::{LogEntry, LogLine, LogReader};
use super::*;
use proptest::prelude::*;

/// The frames of lines to an engine and of lines from it, the engine's number, and the time in milliseconds.
const FRAMES: [(&str, &str, u32, u64); 34] = [
    // This program.
    ("    0.028 > ", "    0.028 < ", 0, 28),
    // ShogiHome.
    (
        "[2026-02-03T12:34:56.100] [INFO] usi - sid=2: > ",
        "[2026-02-03T12:34:56.100] [INFO] usi - sid=2: < ",
        2,
        NOON + 100,
    ),
    // Shogidokoro, in a game and in an analysis.
    (">1:", "<1:", 1, 0),
    (">C:", "<C:", 67, 0),
    (">1: ", "<1: ", 1, 0),
    ("> ", "< ", 0, 0),
    (">2 ", "<2 ", 2, 0),
    ("12:34:56 >2: ", "12:34:56 <2: ", 2, NOON),
    (
        "2026/02/03 12:34:56.5 > ",
        "2026/02/03 12:34:56.5 < ",
        0,
        NOON + 500,
    ),
    (
        "2026/02/03 12:34:56,789,>,",
        "2026/02/03 12:34:56,789,<,",
        0,
        NOON + 789,
    ),
    (
        "2026-02-03 9:34:56 [14] > ",
        "2026-02-03 9:34:56 [14] < ",
        0,
        NOON - 3 * HOUR,
    ),
    ("12:34:56:789 [1>] ", "12:34:56:789 [1<] ", 1, NOON + 789),
    ("2/3/2026 12:34:56 PM > ", "2/3/2026 12:34:56 PM < ", 0, NOON),
    (
        "2/3/2026 12:34:56.100 am > ",
        "2/3/2026 12:34:56.100 am < ",
        0,
        NOON - 12 * HOUR + 100,
    ),
    ("2026/02/03 午後0:34:56 > ", "2026/02/03 午後0:34:56 < ", 0, NOON),
    ("午前9:34:56 >1:", "午前9:34:56 <1:", 1, NOON - 3 * HOUR),
    ("[3>] ", "[3<] ", 3, 0),
    ("[>] ", "[<] ", 0, 0),
    ("[INFO] [1>] ", "[INFO] [1<] ", 1, 0),
    ("ToEngine: ", "FromEngine: ", 0, 0),
    ("12:34:56.000 ToEngine ", "12:34:56.000 FromEngine ", 0, NOON),
    // Programs of computer chess, some of which also play shogi.
    ("1234 >Engine One(1): ", "1234 <Engine One(1): ", 1, 0),
    ("1234 >first : ", "1234 <first : ", 102, 0),
    ("1234*1*-->", "1234*1*<--", 0, 0),
    (
        "[12:34:56.100] <7> a --- b ---> ",
        "[12:34:56.100] <7> a --- b <--- ",
        0,
        NOON + 100,
    ),
    ("| > ", "| < ", 0, 0),
    ("usi: → ", "usi: ← ", 0, 0),
    (">> ", "<< ", 0, 0),
    // Programs whose `<` is what the engine is told.
    (
        "2026/02/03 12:34:56'100 [1<] ",
        "2026/02/03 12:34:56'100 [1>] ",
        1,
        NOON + 100,
    ),
    (
        "2026/02/03 9:34:56'100 [1<] ",
        "2026/02/03 9:34:56'100 [1>] ",
        1,
        NOON - 3 * HOUR + 100,
    ),
    ("[0:<] ", "[0:>] ", 0, 0),
    (
        "DEBUG:engine:<UsiProtocol (pid=12)>: << ",
        "DEBUG:engine:<UsiProtocol (pid=12)>: >> ",
        12,
        0,
    ),
    ("12:34:56 1234 << ", "12:34:56 1234 >> ", 0, NOON),
    ("<1:", ">1:", 1, 0),
];

const HOUR: u64 = 3_600_000;
const NOON: u64 = 12 * HOUR + 34 * 60_000 + 56_000;

fn line(millis: u64, engine: u32, direction: Direction, text: &[u8]) -> LogLine<'_> {
    LogLine {
        engine,
        entry: LogEntry {
            millis,
            direction,
            bytes: text.into(),
        },
    }
}

#[test]
fn reads_every_frame_in_both_directions() {
    for (to, from, engine, millis) in FRAMES {
        for first in [Sent, Output] {
            // Either direction may come first in a log.
            let mut reader = LogReader::default();
            for direction in [first, Sent, Output] {
                let (frame, text) = if direction == Sent {
                    (to, "go infinite")
                } else {
                    (from, "info string a > b")
                };
                let read = format!("{frame}{text}\r\n");
                assert_eq!(
                    reader.read(read.as_bytes()),
                    Some(line(millis, engine, direction, text.as_bytes())),
                    "{read}"
                );
            }
        }
    }
}

#[test]
fn reads_no_line_without_a_frame() {
    for text in [
        "> hello",
        "a < b",
        "x > go",
        "if a < info",
        ">",
        "usi",
        "",
        "<html>",
        "<option value=\"a\">",
        "it > usi",
    ] {
        assert_eq!(LogReader::default().read(text.as_bytes()), None, "{text}");
    }
    let launch = "[2026-02-03T12:34:56.100] [INFO] usi - sid=2: launch: /opt/engine";
    assert_eq!(LogReader::default().read(launch.as_bytes()), None);
}

#[test]
fn a_contradiction_does_not_turn_the_log() {
    // An engine that repeats what it was told.
    let mut reader = LogReader::default();
    let lines = ["[1<] usi", "[1>] usi", "[1<] isready", "[1>] info depth 1"];
    let directions = lines.map(|line| reader.read(line.as_bytes()).unwrap().entry.direction);
    assert_eq!(directions, [Sent, Output, Sent, Output]);
}

#[test]
fn time_does_not_grow_with_the_marks() {
    for sign in ["> ", "<", "[1>", ">-", "12:", "→", " ", ">a"] {
        let text = sign.repeat(1 << 20);
        assert_eq!(LogReader::default().read(text.as_bytes()), None, "{sign}");
    }
}

proptest! {
    #[test]
    fn a_line_comes_out_of_its_frame_unchanged(
        nth in 0..FRAMES.len(),
        word in prop::sample::select([&COMMAND_WORDS[..], &REPLY_WORDS].concat()),
        rest in prop::collection::vec(any::<u8>().prop_filter("no line break", |byte| !b"\r\n".contains(byte)), 0..200),
    ) {
        let (to, from, engine, millis) = FRAMES[nth];
        let is_command = COMMAND_WORDS.contains(&word);
        let mut text = word.as_bytes().to_vec();
        if !rest.is_empty() {
            text.push(b' ');
            text.extend(rest);
        }
        let read = [if is_command { to } else { from }.as_bytes(), &text].concat();
        // A line of this program has escapes of its own.
        if nth > 0 {
            let direction = if is_command { Sent } else { Output };
            prop_assert_eq!(LogReader::default().read(&read), Some(line(millis, engine, direction, &text)));
        }
    }
}
