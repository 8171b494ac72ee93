//! The built-in engine on judged positions: sign of the value, its stability, and the time to stop. Uses the
//! program over USI, as a host does.
//!
//! `cargo bench --bench engine [-- FILE [GO]]`: FILE has a header, then one line per position. A line has the arguments
//! of USI's `position`, a tab, and the judge's value in centipawns, Black's view. The default for FILE is
//! `positions/judged.tsv` of the shared data, the default for GO `movetime 1000`.
#![expect(clippy::print_stdout, clippy::unwrap_used, reason = "a benchmark")]
#![expect(
    clippy::disallowed_methods,
    reason = "it measures time, starts the program and reads its positions"
)]

use shogibar_shogi::History;
use shogibar_shogi::score::{UsiScore, Value, WinRateModel};
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

/// The engine, with its input and output.
struct Engine {
    child: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
}

/// A line of a search: its depth, its time in milliseconds, and its value in Black's view.
struct Shown {
    depth: u32,
    time: u64,
    value: Value,
}

fn main() {
    let mut arguments = std::env::args().skip(1).filter(|argument| argument != "--bench");
    let file = arguments.next().map_or_else(judged, PathBuf::from);
    let go = arguments.next().unwrap_or_else(|| "movetime 1000".to_owned());
    let text = std::fs::read_to_string(&file).unwrap();
    let mut engine = Engine::start();
    let mut totals = Totals::default();
    for row in text.lines().skip(1) {
        let mut cells = row.split('\t');
        let (position, judged) = (cells.next().unwrap(), cells.next().unwrap().parse().unwrap());
        totals.add(&engine.search(position, &go), judged);
    }
    let mut stops: Vec<_> = text
        .lines()
        .skip(1)
        .map(|row| engine.stop(row.split('\t').next().unwrap()))
        .collect();
    stops.sort_by(f64::total_cmp);
    engine.quit();
    println!("{}: go {go}", file.display());
    totals.print();
    println!(
        "stop answered, median {:.1} ms, worst {:.1} ms",
        at(&stops, 50),
        at(&stops, 100)
    );
}

fn judged() -> PathBuf {
    let shared = std::env::var_os("SHOGIBAR_SHARED").map(PathBuf::from);
    shared
        .unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared"))
        .join("positions/judged.tsv")
}

#[derive(Default)]
struct Totals {
    /// The numbers of right and of all positions with judged values above 200, in centipawns.
    clear_positions: (u32, u32),
    /// The numbers of right and of all positions with judged values from 100 to 800, in centipawns.
    close: (u32, u32),
    /// The highest minus the lowest value over depths 4 to 10, in centipawns.
    ranges: Vec<f64>,
    /// The change of the win rate at K = 600 from line to line after 100 ms, in percentage points.
    steps: Vec<f64>,
    /// The depth that was reached for each position.
    depths: Vec<f64>,
}

impl Totals {
    fn add(&mut self, shown: &[Shown], judged: i32) {
        let last = shown.last().unwrap();
        let right = u32::from((last.value > Value::Cp(0)) == (judged > 0) && last.value != Value::Cp(0));
        if judged.abs() > 200 {
            self.clear_positions = (self.clear_positions.0 + right, self.clear_positions.1 + 1);
        }
        if (100..=800).contains(&judged.abs()) {
            self.close = (self.close.0 + right, self.close.1 + 1);
        }
        let deep = shown
            .iter()
            .filter(|shown| (4..=10).contains(&shown.depth))
            .map(|shown| centipawns(shown.value));
        let (low, high) = deep.fold((f64::MAX, f64::MIN), |(low, high), value| {
            (low.min(value), high.max(value))
        });
        if low <= high {
            self.ranges.push(high - low);
        }
        let win_rate = |shown: &Shown| 100.0 * WinRateModel::default().win_rate(shown.value);
        let pairs = shown
            .iter()
            .zip(shown.iter().skip(1))
            .filter(|(_, after)| after.time > 100);
        self.steps
            .extend(pairs.map(|(before, after)| (win_rate(before) - win_rate(after)).abs()));
        self.depths.push(last.depth.into());
    }

    fn print(mut self) {
        for values in [&mut self.ranges, &mut self.steps, &mut self.depths] {
            values.sort_by(f64::total_cmp);
        }
        let share = |(right, all): (u32, u32)| f64::from(right) * 100.0 / f64::from(all.max(1));
        println!(
            "sign agrees, |judge| > 200: {}/{} = {:.0} %",
            self.clear_positions.0,
            self.clear_positions.1,
            share(self.clear_positions)
        );
        println!(
            "sign agrees, 100 to 800:    {}/{} = {:.0} %",
            self.close.0,
            self.close.1,
            share(self.close)
        );
        println!(
            "range over depths 4 to 10:  median {:.0} cp, p90 {:.0} cp",
            at(&self.ranges, 50),
            at(&self.ranges, 90)
        );
        let (median, high) = (at(&self.steps, 50), at(&self.steps, 90));
        println!("step after 100 ms:          median {median:.2} points, p90 {high:.2} points");
        println!("depth reached:              median {}", at(&self.depths, 50));
    }
}

impl Engine {
    fn start() -> Self {
        let program = Command::new(env!("CARGO_BIN_EXE_shogibar"))
            .arg("engine")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn();
        let mut child = program.unwrap();
        let (stdin, stdout) = (
            child.stdin.take().unwrap(),
            BufReader::new(child.stdout.take().unwrap()),
        );
        let mut engine = Self { child, stdin, stdout };
        engine.send("isready");
        engine.until("readyok");
        engine
    }

    fn send(&mut self, line: &str) {
        writeln!(self.stdin, "{line}").unwrap();
    }

    /// Reads lines up to the first that starts with `word`, and returns all of them. Panics if the engine ends before.
    fn until(&mut self, word: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            let mut line = String::new();
            assert!(
                self.stdout.read_line(&mut line).unwrap() > 0,
                "the engine is gone after {lines:?}"
            );
            let done = line.split_ascii_whitespace().next() == Some(word);
            lines.push(line);
            if done {
                return lines;
            }
        }
    }

    /// Searches a position as a new game. Returns the values that the engine has shown.
    fn search(&mut self, position: &str, go: &str) -> Vec<Shown> {
        let side = History::from_usi(position).unwrap().now().side_to_move();
        self.send("usinewgame");
        self.send(&format!("position {position}"));
        self.send(&format!("go {go}"));
        let lines = self.until("bestmove");
        lines
            .iter()
            .filter_map(|line| {
                read(line).and_then(|(depth, time, raw)| {
                    Some(Shown {
                        depth,
                        time,
                        value: raw.for_black(side)?,
                    })
                })
            })
            .collect()
    }

    /// Returns the milliseconds that `stop` takes during a search.
    fn stop(&mut self, position: &str) -> f64 {
        self.send(&format!("position {position}"));
        self.send("go infinite");
        self.until("info");
        std::thread::sleep(Duration::from_millis(30));
        let asked = Instant::now();
        self.send("stop");
        self.until("bestmove");
        asked.elapsed().as_secs_f64() * 1e3
    }

    fn quit(mut self) {
        self.send("quit");
        self.child.wait().unwrap();
    }
}

fn read(line: &str) -> Option<(u32, u64, UsiScore)> {
    let words: Vec<_> = line.split_ascii_whitespace().collect();
    let after = |name| {
        words
            .iter()
            .position(|word| *word == name)
            .and_then(|at| words.get(at + 1..))
    };
    let number = |name| after(name).and_then(|words| words.first()?.parse::<u64>().ok());
    let score = match *after("score")? {
        ["cp", cp, ..] => UsiScore::Cp(cp.parse().ok()?),
        ["mate", plies, ..] => UsiScore::Mate {
            wins: !plies.starts_with('-'),
            plies: None,
        },
        _ => return None,
    };
    Some((u32::try_from(number("depth")?).ok()?, number("time")?, score))
}

/// Returns a value in centipawns. A mate counts as 3000, so that a mate found late gives a finite range.
fn centipawns(value: Value) -> f64 {
    match (value, value > Value::Cp(0)) {
        (Value::Cp(cp), _) => cp.into(),
        (_, true) => 3000.0,
        (_, false) => -3000.0,
    }
}

/// Returns the percentile of the sorted values.
fn at(sorted: &[f64], hundredths: usize) -> f64 {
    let index = (sorted.len().saturating_sub(1) * hundredths + 50) / 100;
    sorted.get(index).copied().unwrap_or_default()
}
