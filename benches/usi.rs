//! Parsing USI lines, compared with the crate `rsshogi-usi` on the same lines in the same run.
//!
//! The lines come from the logs in `../shared/transcripts` (or `SHOGIBAR_SHARED`), or are a fixed line
//! where that folder is missing. Rounds of the two parsers alternate, so that other load on the machine
//! affects both. Medians are compared.
#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a benchmark reads files and clocks, and prints"
)]

use shogibar_engine::usi::log::{Direction, LogEntry};
use shogibar_engine::usi::reply;
use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

const ROUNDS: usize = 31;
const MIN_RATIO: f64 = 2.0;

fn main() {
    let lines = lines();
    let score_lines: Vec<String> = lines
        .iter()
        .filter(|line| line.contains(" score "))
        .cloned()
        .collect();
    for (what, lines) in [("all lines", &lines), ("lines with a score", &score_lines)] {
        let (ours, theirs) = race(lines);
        let per_second = |seconds: f64| lines.len() as f64 / seconds / 1e6;
        let ratio = theirs / ours;
        println!(
            "{what} ({}): shogibar {:.2} M lines/s, rsshogi-usi {:.2} M lines/s, ratio {ratio:.2} (at least {MIN_RATIO})",
            lines.len(),
            per_second(ours),
            per_second(theirs),
        );
    }
}

/// Returns the median times of both parsers for all lines, in seconds.
fn race(lines: &[String]) -> (f64, f64) {
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        ours.push(seconds(|| {
            for line in lines {
                drop(black_box(reply::parse(black_box(line))));
            }
        }));
        theirs.push(seconds(|| {
            for line in lines {
                drop(black_box(rsshogi_usi::parse_line(black_box(line))));
            }
        }));
    }
    (median(ours), median(theirs))
}

fn seconds(work: impl FnOnce()) -> f64 {
    let start = Instant::now();
    work();
    start.elapsed().as_secs_f64()
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied().unwrap_or(f64::NAN)
}

fn lines() -> Vec<String> {
    let root = std::env::var_os("SHOGIBAR_SHARED").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared"),
        Into::into,
    );
    let files = std::fs::read_dir(root.join("transcripts"))
        .into_iter()
        .flatten()
        .flatten();
    let logs = files.filter_map(|file| std::fs::read(file.path()).ok());
    let lines: Vec<String> = logs.flat_map(|log| output_of(&log)).collect();
    if lines.is_empty() {
        vec![OWN_LINE.to_owned(); 10_000]
    } else {
        lines
    }
}

fn output_of(log: &[u8]) -> Vec<String> {
    let entries = log.split(|byte| *byte == b'\n').filter_map(LogEntry::read);
    entries
        .filter(|entry| entry.direction == Direction::Output)
        .map(|entry| entry.text().into_owned())
        .collect()
}

const OWN_LINE: &str = "info depth 9 seldepth 14 multipv 1 score cp 38 nodes 123456 nps 234567 hashfull 12 time 526 \
                        pv 7g7f 3c3d 2g2f 8c8d 2f2e 8d8e 6i7h 4a3b 2e2d 2c2d 2h2d P*2c";
