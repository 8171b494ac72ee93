//! Values of another engine for the quiet positions of games.

use std::fs::{self, OpenOptions};
use std::io::{self, BufRead as _, BufReader, Error, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// The score of a mate, in centipawns.
const MATE_SCORE: i32 = 3_000;

/// Copies the games of `file` to `out` with the values of the USI engine `command`, which searches `nodes` nodes each
/// time. `options` are sent first, `NAME=VALUE` each. An interrupted run continues where it ended.
pub(crate) fn label(file: &str, out: &str, nodes: u64, command: &str, options: &[&str]) -> io::Result<()> {
    let games = fs::read_to_string(file)?;
    let text = if Path::new(out).exists() { fs::read_to_string(out)? } else { String::new() };
    let end = text.rfind('\n').map_or(0, |at| at + 1);
    let done = text.get(..end).map_or(0, |text| text.lines().count());
    let mut out = OpenOptions::new().append(true).create(true).open(out)?;
    out.set_len(end as u64)?;
    let mut teacher = Teacher::start(command, options)?;
    for line in games.lines().skip(done) {
        let labelled = teacher.label_game(line, nodes)?;
        writeln!(out, "{labelled}")?;
    }
    teacher.process.kill()
}

/// A running engine that values positions.
struct Teacher {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Teacher {
    fn start(command: &str, options: &[&str]) -> io::Result<Self> {
        let mut process = Command::new(command).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let (Some(input), Some(output)) = (process.stdin.take(), process.stdout.take()) else {
            return Err(Error::other("no pipes"));
        };
        let mut teacher = Self { process, input, output: BufReader::new(output) };
        teacher.ask("usi", "usiok")?;
        for (name, value) in options.iter().filter_map(|option| option.split_once('=')) {
            writeln!(teacher.input, "setoption name {name} value {value}")?;
        }
        teacher.ask("isready", "readyok")?;
        Ok(teacher)
    }

    /// Sends `words` and returns the last score before a line that begins with `end`, in centipawns.
    fn ask(&mut self, words: &str, end: &str) -> io::Result<Option<i32>> {
        writeln!(self.input, "{words}")?;
        let (mut score, mut line) = (None, String::new());
        loop {
            line.clear();
            if self.output.read_line(&mut line)? == 0 {
                return Err(Error::other(format!("the engine ended before it said {end}")));
            }
            if line.starts_with(end) {
                return Ok(score);
            }
            score = read_score(&line).or(score);
        }
    }

    /// Returns the line of a game with new values. A position without a new value has none in the result.
    fn label_game(&mut self, line: &str, nodes: u64) -> io::Result<String> {
        let mut words = line.split(' ');
        let mut labelled: Vec<String> = words.by_ref().take(2).map(str::to_owned).collect();
        let mut position = "position startpos moves".to_owned();
        self.ask("usinewgame\nisready", "readyok")?;
        for word in words {
            let (mv, mark) = word.split_once(':').map_or((word, None), |(mv, mark)| (mv, Some(mark)));
            let go = format!("{position}\ngo nodes {nodes}");
            let score = if mark.is_some() { self.ask(&go, "bestmove")? } else { None };
            labelled.push(score.map_or_else(|| mv.to_owned(), |score| format!("{mv}:{score}")));
            position = format!("{position} {mv}");
        }
        Ok(labelled.join(" "))
    }
}

/// Returns the score of an `info` line in centipawns; `None` without a score, and for a bound.
fn read_score(line: &str) -> Option<i32> {
    if line.split(' ').any(|word| matches!(word, "lowerbound" | "upperbound")) {
        return None;
    }
    let mut words = line.split(' ').skip_while(|word| *word != "score").skip(1);
    match (words.next()?, words.next()?) {
        ("cp", score) => score.parse().ok(),
        ("mate", plies) => Some(if plies.starts_with('-') { -MATE_SCORE } else { MATE_SCORE }),
        _ => None,
    }
}
