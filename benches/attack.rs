//! The time and memory of reading texts that an attacker may write: at most 2.5 times for twice the text, and 50 bytes
//! in use for each byte.
//!
//! Each text repeats a sign to which a reader must look, alone or in turn with another one. The time is that of the
//! processor in the fastest of several runs, so that other programs count little. Exits with an error where a bound is broken.
#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a benchmark reads clocks, prints and fails"
)]

#[path = "records/peak.rs"]
mod peak;

use std::hint::black_box;
use std::time::{Duration, Instant};

/// The sizes of a text, as multiples of the first.
const SCALES: [usize; 3] = [1, 2, 4];

/// The size of a text at the first scale, in bytes.
const TEXT_BYTES: usize = 32 << 10;

/// The number of runs of which the fastest counts.
const RUNS: usize = 3;

/// The limit of the time for twice the text.
const MAX_GROWTH: f64 = 2.5;

/// A shorter time is noise.
const MIN_TIME: Duration = Duration::from_millis(4);

/// The limit of bytes in use for each byte of a text.
const MAX_BYTES_PER_BYTE: f64 = 50.0;

/// What each program needs, whatever the text, in bytes.
const FIXED_BYTES: usize = 1 << 20;

/// The signs that a text repeats.
const SIGNS: [&str; 34] = [
    ">",
    "＞",
    "▲７六歩△３四歩。",
    "sfen ",
    "startpos ",
    "startpos 7g7f ",
    "position startpos moves 7g7f ",
    "https://a ",
    "https://a?moves=7g7f ",
    "同銀",
    "▲７六歩△３四歩▲２六歩△８四歩▲２五歩△８五歩▲７八金△３二金 ",
    "7g7f ",
    "+7776FU",
    "P-7f ",
    "1. P-7f P-3d ",
    "▲７六歩もある。",
    "なら△３四歩",
    "（▲７六歩",
    "1 ７六歩(77)\n",
    "手合割：平手\n",
    "変化：1手\n",
    "*",
    "| ・ ・\n",
    "<p>",
    "<br>\n",
    "&amp;",
    "{\"moves\":[",
    "[\"7g7f\"],",
    "\"7g7f\" ",
    "\\n",
    "%25",
    "=\n",
    "```\n",
    "~0.7ku.",
];

/// Returns the time that the processor has spent on this thread; where the system does not say, the time of day.
fn processor_time(begun: Instant) -> Duration {
    let stated = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanos = stated.and_then(|text| text.split(' ').next()?.parse().ok());
    nanos.map_or_else(|| begun.elapsed(), Duration::from_nanos)
}

/// Returns the time and the memory of reading a text.
fn measure(text: &str) -> (Duration, usize) {
    let mut fastest = Duration::MAX;
    for _ in 0..RUNS {
        let now = Instant::now();
        let (before, mut count) = (processor_time(now), 0);
        let _read = black_box(shogibar_kifu::read_each(
            text.as_bytes(),
            "".as_ref(),
            &mut |_| count += 1,
        ));
        fastest = fastest.min(processor_time(now).saturating_sub(before));
        if fastest > MIN_TIME * 50 {
            break;
        }
    }
    let bytes = peak::while_in(|| {
        drop(black_box(shogibar_kifu::read_each(
            text.as_bytes(),
            "".as_ref(),
            &mut drop,
        )));
    });
    (fastest, bytes)
}

fn main() {
    let mut units: Vec<String> = SIGNS.iter().map(|sign| (*sign).to_owned()).collect();
    for one in SIGNS {
        units.extend(
            SIGNS
                .iter()
                .filter(|other| **other != one)
                .map(|other| format!("{one}{other}")),
        );
    }
    let (mut broken, mut worst_growth, mut worst_memory) = (0, 0.0_f64, 0.0_f64);
    for unit in &units {
        let times = SCALES.map(|scale| {
            let text = unit.repeat(TEXT_BYTES * scale / unit.len());
            let (time, bytes) = measure(&text);
            (time, bytes.saturating_sub(FIXED_BYTES) as f64 / text.len() as f64)
        });
        let mut growth = 0.0_f64;
        for pair in times.windows(2) {
            let [(before, _), (after, _)] = pair else { continue };
            growth = growth.max(after.as_secs_f64() / before.max(&MIN_TIME).as_secs_f64());
        }
        let memory = times.iter().map(|(_, memory)| *memory).fold(0.0, f64::max);
        (worst_growth, worst_memory) = (worst_growth.max(growth), worst_memory.max(memory));
        if growth > MAX_GROWTH || memory > MAX_BYTES_PER_BYTE {
            broken += 1;
            let times = times.map(|(time, _)| time.as_millis());
            println!("  {unit:?}: {times:?} ms, growth {growth:.2}, {memory:.1} bytes a byte");
        }
    }
    println!(
        "{} texts; worst growth for twice the text {worst_growth:.2} (at most {MAX_GROWTH}), worst memory {worst_memory:.1} bytes a byte (at most {MAX_BYTES_PER_BYTE}); broken: {broken}",
        units.len()
    );
    if broken > 0 {
        std::process::exit(1);
    }
}
