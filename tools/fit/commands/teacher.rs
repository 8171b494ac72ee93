//! Values of another engine for the quiet positions of games.

use super::files::{self, LineFile};
use super::games::game_lines;
use std::io::{self, BufRead as _, BufReader, Error, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

const MATE_SCORE: i32 = 3_000;

/// Copies the games of `file` to `out` with the values of the USI engine `command`, which searches `nodes` nodes each
/// time. `options` are sent first, `NAME=VALUE` each. An interrupted run continues where it ended.
pub(crate) fn label(
    file: &str,
    out: &str,
    nodes: u64,
    command: &str,
    options: &[&str],
) -> Result<(), String> {
    let games = files::read_text(Path::new(file))?;
    let title = format!("# values of {command} {options:?}, {nodes} nodes, for {file}");
    let (mut out, lines) = LineFile::open(Path::new(out), &title)?;
    let named = |error: Error| format!("{command}: {error}");
    let mut teacher = Teacher::start(command, options).map_err(named)?;
    for line in game_lines(&games).skip(lines.len()) {
        out.write_line(&teacher.label_game(line, nodes).map_err(named)?)?;
    }
    teacher.process.kill().map_err(named)
}

/// A running engine that values positions.
struct Teacher {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Teacher {
    /// Starts the engine, sends the options, and waits until the engine is ready.
    fn start(command: &str, options: &[&str]) -> io::Result<Self> {
        let mut process = Command::new(command)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let (Some(input), Some(output)) = (process.stdin.take(), process.stdout.take()) else {
            return Err(Error::other("no pipes"));
        };
        let mut teacher = Self {
            process,
            input,
            output: BufReader::new(output),
        };
        teacher.ask("usi", "usiok")?;
        for option in options {
            let (name, value) = option
                .split_once('=')
                .ok_or_else(|| Error::other(format!("no NAME=VALUE: {option}")))?;
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
            let (mv, mark) = word
                .split_once(':')
                .map_or((word, None), |(mv, mark)| (mv, Some(mark)));
            let go = format!("{position}\ngo nodes {nodes}");
            let score = if mark.is_some() {
                self.ask(&go, "bestmove")?
            } else {
                None
            };
            labelled.push(score.map_or_else(|| mv.to_owned(), |score| format!("{mv}:{score}")));
            position = format!("{position} {mv}");
        }
        Ok(labelled.join(" "))
    }
}

/// Returns the score of an `info` line in centipawns; `None` without a score, and for a bound.
fn read_score(line: &str) -> Option<i32> {
    if line
        .split(' ')
        .any(|word| matches!(word, "lowerbound" | "upperbound"))
    {
        return None;
    }
    let mut words = line.split(' ').skip_while(|word| *word != "score").skip(1);
    match (words.next()?, words.next()?) {
        ("cp", score) => score.parse().ok(),
        ("mate", plies) => Some(if plies.starts_with('-') {
            -MATE_SCORE
        } else {
            MATE_SCORE
        }),
        _ => None,
    }
}
