//! Engines that misbehave: `zoo NAME FOLDER` runs the engine with this name. The folder keeps its state between
//! processes, and identifies its processes.
//!
//! `animals` defines the engines; this file runs them. A normal engine evaluates the position after n moves as (n + 1)
//! × 100 for the side to move. A value therefore identifies its position.
#![expect(
    clippy::disallowed_methods,
    clippy::exit,
    clippy::infinite_loop,
    clippy::print_stderr,
    clippy::unwrap_used,
    reason = "a program that fails on purpose"
)]

mod animals;

use animals::{ANIMALS, Do, Rule, When};
use std::io::{BufRead as _, Write as _};
use std::path::PathBuf;
use std::process::Command;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

/// The interval of `think` events during a search.
const TICK: Duration = Duration::from_millis(20);

/// The game of the tests: the next move after n moves.
const GAME: &[&str] = &["7g7f", "3c3d", "2g2f", "8c8d", "2f2e", "8d8e", "6i7h"];

fn main() {
    let mut arguments = std::env::args().skip(1);
    let (name, folder) = (
        arguments.next().unwrap_or_default(),
        arguments.next().unwrap_or_default(),
    );
    if name == "list" {
        for (name, _) in ANIMALS {
            print_line(name.as_bytes());
        }
        return;
    }
    if name == "stopwatch" {
        return stopwatch();
    }
    if name == "sleeper" {
        sleep(Duration::from_secs(1000));
        return;
    }
    let folder = PathBuf::from(folder);
    // The first process of an engine finds no mark of an earlier one.
    let first = std::fs::File::create_new(folder.join("was-here")).is_ok();
    let Some((name, rules)) = ANIMALS.iter().find(|(known, _)| *known == name) else {
        eprintln!("there is no {name} in the zoo");
        std::process::exit(2);
    };
    let mut animal = Animal {
        name,
        rules,
        folder,
        is_first: first,
        moves: 0,
        is_searching: false,
        bytes: b"\n",
    };
    animal.react("start");
    animal.run(&lines());
}

/// Runs an engine that answers at once. It prints each command and answer on standard error. The times in microseconds
/// show how much time the host takes.
fn stopwatch() {
    let started = std::time::Instant::now();
    let note = |what: &str| eprintln!("{} {what}", started.elapsed().as_micros());
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        let word = line.split(' ').next().unwrap_or_default().to_owned();
        note(&format!("> {word}"));
        let answer: &[&str] = match word.as_str() {
            "usi" => &["id name Stopwatch", "usiok"],
            "isready" => &["readyok"],
            "go" => &["info depth 1 nodes 1 score cp 1 pv resign", "bestmove resign"],
            "quit" => return,
            _ => &[],
        };
        for line in answer {
            // This line is printed first: the time after it belongs to the host.
            note(&format!("< {}", line.split(' ').next().unwrap_or_default()));
            print_line(line.as_bytes());
        }
    }
}

fn print_line(line: &[u8]) {
    let mut out = std::io::stdout().lock();
    if out
        .write_all(line)
        .and_then(|()| out.write_all(b"\n"))
        .and_then(|()| out.flush())
        .is_err()
    {
        std::process::exit(0);
    }
}

fn sleep(time: Duration) {
    std::thread::sleep(time);
}

/// Reads the input on a separate thread, because the engine may be busy. Returns the lines.
fn lines() -> Receiver<String> {
    let (sender, lines) = channel();
    std::thread::spawn(move || {
        for line in std::io::stdin().lock().split(b'\n').map_while(Result::ok) {
            if sender.send(String::from_utf8_lossy(&line).into_owned()).is_err() {
                return;
            }
        }
    });
    lines
}

struct Animal {
    name: &'static str,
    rules: &'static [Rule],
    folder: PathBuf,
    is_first: bool,
    /// The number of moves of the current position.
    moves: usize,
    is_searching: bool,
    /// The line end that the engine prints.
    bytes: &'static [u8],
}

impl Animal {
    fn run(&mut self, lines: &Receiver<String>) {
        loop {
            match lines.recv_timeout(TICK) {
                Ok(line) => self.handle(&line),
                Err(RecvTimeoutError::Timeout) if self.is_searching => self.react("think"),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    self.react("eof");
                    return;
                }
            }
        }
    }

    fn handle(&mut self, line: &str) {
        if line.ends_with('\r') {
            self.react("\\r");
        }
        let (command, rest) = line.split_once(' ').unwrap_or((line, ""));
        match command {
            "position" => {
                self.moves = rest
                    .split_whitespace()
                    .skip_while(|word| *word != "moves")
                    .skip(1)
                    .count();
            }
            "setoption" if rest.contains("Refused") => self.react("bad setoption"),
            "go" if rest != "infinite" => self.react("limited go"),
            _ => {}
        }
        let was_searching = self.is_searching;
        self.react(command);
        if command == "go" && !was_searching && !self.says_bestmove_on("go") {
            self.is_searching = true;
        }
    }

    fn says_bestmove_on(&self, event: &str) -> bool {
        fn ends(actions: &[Do]) -> bool {
            actions.iter().any(|action| match action {
                Do::Say(text) => text.starts_with("bestmove") || text.starts_with("checkmate"),
                _ => false,
            })
        }
        ends(self.actions(event))
    }

    fn actions(&self, event: &str) -> &'static [Do] {
        let holds = |when: When| match when {
            When::Always => true,
            When::Searching => self.is_searching,
            When::Idle => !self.is_searching,
            When::First => self.is_first,
            When::AtTheStart => self.moves == 0,
        };
        let rule = self
            .rules
            .iter()
            .find(|(when, name, _)| *name == event && holds(*when));
        rule.map_or_else(|| self.usual_actions(event), |(_, _, actions)| actions)
    }

    fn usual_actions(&self, event: &str) -> &'static [Do] {
        match event {
            "usi" => &[
                Do::Say("id name Zoo {name}"),
                Do::Say("id author nobody"),
                Do::Say("usiok"),
            ],
            "isready" => &[Do::Say("readyok")],
            "go" => &[Do::Say("info depth 3 score cp {cp} pv {move}")],
            "stop" if self.is_searching => &[Do::Say("bestmove {move}")],
            "quit" | "eof" => &[Do::Exit(0)],
            _ => &[],
        }
    }

    fn react(&mut self, event: &str) {
        for action in self.actions(event) {
            self.perform(*action);
        }
    }

    fn perform(&mut self, action: Do) {
        match action {
            Do::Say(text) => {
                self.is_searching &= !(text.starts_with("bestmove") || text.starts_with("checkmate"));
                let mut line = self.fill_in(text).into_bytes();
                line.extend(self.bytes.strip_suffix(b"\n").unwrap_or_default());
                print_line(&line);
            }
            Do::Bytes(bytes) => print_line(bytes),
            Do::Long(start, filler, times) => {
                print_line(format!("{start}{}", filler.repeat(times)).as_bytes());
            }
            Do::Repeat(text, times) => (0..times).for_each(|_| print_line(self.fill_in(text).as_bytes())),
            Do::Forever(text) => loop {
                print_line(self.fill_in(text).as_bytes());
            },
            Do::Slowly(text, times, ms) => {
                for _ in 0..times {
                    print_line(self.fill_in(text).as_bytes());
                    sleep(Duration::from_millis(ms));
                }
            }
            Do::Letters(text) => {
                let mut out = std::io::stdout().lock();
                for letter in format!("{}\n", self.fill_in(text)).bytes() {
                    out.write_all(&[letter]).and_then(|()| out.flush()).unwrap();
                    sleep(Duration::from_millis(3));
                }
            }
            Do::Unfinished(text) => {
                let mut out = std::io::stdout().lock();
                out.write_all(text.as_bytes()).and_then(|()| out.flush()).unwrap();
            }
            Do::Complain(text) => eprintln!("{text}"),
            Do::ComplainMuch => {
                (0..20_000).for_each(|n| eprintln!("warning {n}: nobody has to read this, has he?"));
            }
            Do::LineEnds(bytes) => self.bytes = bytes,
            Do::Wait(ms) => sleep(Duration::from_millis(ms)),
            Do::Hang => sleep(Duration::from_secs(1000)),
            Do::Exit(code) => std::process::exit(code),
            Do::Abort => std::process::abort(),
            Do::Fork => {
                let child = Command::new(std::env::current_exe().unwrap())
                    .arg("sleeper")
                    .arg(&self.folder)
                    .spawn();
                // Deliberately not waited for.
                std::mem::drop(child.unwrap());
            }
            Do::Become(script) => become_a_script(&self.fill_in(script)),
        }
    }

    fn fill_in(&self, text: &str) -> String {
        let best = GAME.get(self.moves).copied().unwrap_or("resign");
        let later = GAME.get(self.moves..).unwrap_or_default().join(" ");
        text.replace("{name}", self.name)
            .replace("{cp}", &((self.moves + 1) * 100).to_string())
            .replace("{move}", best)
            .replace("{line}", &later)
    }
}

/// Replaces the process by a shell script, which can close its own input or output.
#[cfg(unix)]
fn become_a_script(script: &str) {
    use std::os::unix::process::CommandExt as _;
    let error = Command::new("/bin/sh").args(["-c", script]).exec();
    eprintln!("{error}");
}

#[cfg(not(unix))]
fn become_a_script(_script: &str) {}
