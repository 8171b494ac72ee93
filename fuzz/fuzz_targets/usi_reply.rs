//! Any bytes as a USI session and as its log, line by line.
#![no_main]

use libfuzzer_sys::fuzz_target;
use shogibar_engine::observer::{PvTable, PvUpdate, SearchTracker};
use shogibar_engine::usi::log::{Direction, LogEntry, LogReader};
use shogibar_engine::usi::tokens::decode;
use shogibar_engine::usi::{BestMove, Reply, reply};

fuzz_target!(|bytes: &[u8]| {
    let (mut tracker, mut table) = (SearchTracker::default(), PvTable::default());
    let mut reader = LogReader::default();
    for line in bytes.split(|byte| *byte == b'\n') {
        round_trip(line);
        if let Some(read) = reader.read(line).filter(|_| LogEntry::read(line).is_none()) {
            assert!(
                line.ends_with(&read.entry.bytes) || line.ends_with(b"\r"),
                "a line comes out unchanged"
            );
        }
        let text = decode(line);
        // Commands and replies look alike: every line is parsed as both.
        tracker.on_sent(&text);
        let reply = reply::parse(&text);
        check(&text, &reply);
        let search = tracker.on_received(&reply);
        let (Some(search), Reply::Info(info)) = (search, &reply) else {
            continue;
        };
        if table.update(&search, info) == PvUpdate::Accepted {
            let shown = table.shown().expect("what was accepted is shown");
            assert!(search.is_wanted && search.history.as_ref() == Some(&shown.history));
            for candidate in &shown.candidates {
                let mut position = shown.history.now().clone();
                assert!(candidate.pv.iter().all(|mv| position.play(*mv).is_ok()));
            }
        }
    }
});

/// Checks that a line is read back from the log, and that a log entry is written and read back.
fn round_trip(line: &[u8]) {
    let output = LogEntry {
        millis: 1,
        direction: Direction::Output,
        bytes: line.into(),
    };
    assert_eq!(
        LogEntry::read(output.to_string().as_bytes()).as_ref(),
        Some(&output)
    );
    if let Some(entry) = LogEntry::read(line) {
        assert_eq!(
            LogEntry::read(entry.to_string().as_bytes()).as_ref(),
            Some(&entry)
        );
    }
}

fn check(line: &str, reply: &Reply) {
    let has_word = |word: &str| line.split_ascii_whitespace().any(|found| found == word);
    match reply {
        Reply::Info(info) => {
            assert!(info.pv.iter().all(|mv| has_word(&mv.to_string())));
            assert!(info.rank() > 0 && (info.score.is_none() || has_word("score")));
        }
        Reply::BestMove {
            best: BestMove::Move(mv),
            ..
        } => assert!(has_word(&mv.to_string())),
        Reply::Option(spec) => {
            for value in ["", "1", "true", line] {
                let sent = spec.setoption(value).unwrap_or_default();
                assert!(!sent.contains(char::is_control));
            }
        }
        _ => {}
    }
}
