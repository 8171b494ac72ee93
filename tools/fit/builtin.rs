//! The built-in engine alone, over USI on stdin and stdout. It is built in a minute, for matches between two versions
//! of it.
//!
//! `cargo build --release -p shogibar-fit --bin builtin`. It has no pondering, no mate search and one thread;
//! `shogibar engine` is the engine for hosts.
#![expect(clippy::print_stdout, reason = "it prints USI")]
#![expect(
    clippy::disallowed_methods,
    reason = "it measures time, and its thread ends together with it"
)]

use shogibar_builtin::{Control, Go, Options, SearchOutcome, Searcher};
use shogibar_shogi::History;
use std::io::BufRead as _;
use std::sync::{Arc, mpsc};
use std::time::Instant;

fn main() {
    let mut options = Options::default();
    let mut searcher = Searcher::new(options.hash, 1);
    let mut history = History::from_usi("startpos");
    let (sender, lines) = mpsc::channel();
    std::thread::spawn(move || {
        // Each line has the control of a search that it may start. `stop` ends the last one, even where it has not
        // begun.
        let mut control = Arc::new(Control::new(None));
        for line in std::io::stdin().lock().lines().map_while(Result::ok) {
            if line.trim() == "stop" {
                control.stop();
                continue;
            }
            control = Arc::new(Control::new(None));
            if sender.send((line, Arc::clone(&control))).is_err() {
                return;
            }
        }
    });
    for (line, control) in lines {
        let (command, rest) = line.trim().split_once(' ').unwrap_or_else(|| (line.trim(), ""));
        match command {
            "usi" => println!("{}", Options::greeting("alone")),
            "setoption" => {
                options.set(rest);
                if options.hash != searcher.megabytes() {
                    searcher = Searcher::new(options.hash, 1);
                }
            }
            "isready" => println!("readyok"),
            "usinewgame" => searcher.clear(),
            "position" => history = History::from_usi(rest),
            "go" => {
                let Ok(history) = &history else {
                    println!("bestmove resign");
                    continue;
                };
                let mut go = Go::parse(rest);
                go.limits.lines = options.lines;
                if let Some(deadline) = go.deadline(history.now().side_to_move()) {
                    control.set_deadline(deadline);
                }
                let started = Instant::now();
                let clock = || u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
                let outcome = searcher.think(history, &go.limits, &control, &clock, &mut |report| {
                    println!("{report}");
                });
                println!("{}", outcome.unwrap_or(SearchOutcome::Resign));
            }
            "quit" => return,
            _ => {}
        }
    }
}
