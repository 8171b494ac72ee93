//! Fits the corrections of the evaluation's weights (`search::fitted`) to games of the built-in engine, and tries them.
//!
//! ```text
//! cargo run --release -p shogibar-core --example fit -- games WEIGHTS FILE COUNT NODES SEED
//! cargo run --release -p shogibar-core --example fit -- weights OUT [mix=0.9] [keep=1] [prior=10000] [scale=K] [epochs=6] [unit=1.25] [start=WEIGHTS] [threat_prior=500] [below=N] FILE|FOLDER…
//! cargo run --release -p shogibar-core --example fit -- data FOLDER PLAYER NODES SEED [games=3000] [parts=100] [threads=2]
//! cargo run --release -p shogibar-core --example fit -- label FILE OUT NODES ENGINE [OPTION=VALUE…]
//! cargo run --release -p shogibar-core --example fit -- net OUT [base=evaluation] [units=64] [buckets=1] [mix=0.2] [keep=0.95] [scale=700] [epochs=8] [batch=2048] [rate=0.001] [decay=1.2] [seed=1] [weights=fitted] FOLDER…
//! cargo run --release -p shogibar-core --example fit -- generation FOLDER SEED [parts=20] [games=3000] [nodes=300] [match=2000] [FOLDER…]
//! cargo run --release -p shogibar-core --example fit -- match A B [nodes=4000] [ms=N] [games=2000] [elo0=0 elo1=10] [seed=1] [threads=2] [factors=BITS] [results=FILE]
//! cargo run --release -p shogibar-core --example fit -- agree PLAYER FILE NODES
//! cargo run --release -p shogibar-core --example fit -- scale FOLDER…
//! ```
//!
//! - `games` plays games of the engine with WEIGHTS against itself at so many nodes a move, from openings of random moves,
//!   until FILE has COUNT of them. Several processes with seeds and files of their own share the work. A run that was
//!   interrupted goes on.
//! - `weights` fits the weights to the files and writes them to OUT. One game of twenty is left out, and the loss is that
//!   of its positions. A folder has `data`; `keep` is then as for `net`. `mix` is the share of the search's value in what is fitted, the rest is the game's result. `prior` is the
//!   number of positions that outweigh the start, `threat_prior` that for the features of `search::threats`. The start is 0 for each
//!   weight, or `start`. `scale` is K of the logistic function in centipawns of
//!   the evaluation; without it, that which fits the results. `below` leaves out the features from N on.
//! - `data` plays games as training data for a net, in part files of FOLDER; `data.rs` has their form. Parts that are there are skipped.
//! - `label` copies games with the values of another engine, a teacher. What it searches is played by this engine, so that the teacher
//!   says what this one does not see. Fairy-Stockfish needs `UCI_Variant=shogi USI_Variant=shogi`. `unit` is then the number of centipawns of the evaluation for one of the teacher's.
//! - `net` trains a net on the data of some folders; `net_fit.rs` says how. `base` is what the net's value is added to: `evaluation`,
//!   `pieces` or `nothing`. `mix` is the share of the search's value in what is fitted; the rest is the mean of the values later in the
//!   game, each with `1 - keep` of the weight that is left, and of the result. The state stands in OUT`.state`, and the next start goes on from there.
//! - `generation` makes the next net: data of the shipped engine in FOLDER, a net trained on it and on that of earlier generations,
//!   FOLDER`/net`, and a match of it against the shipped engine. Interrupted, it goes on where it was.
//! - `match` plays A against B, both colours from each opening, and prints the Elo of A with its interval of 95 %, by pairs of games. With
//!   `elo0` and `elo1` it ends as soon as a sequential test has decided between them. With `results` it goes on where it was.
//!   `@` and a number after a player are the nodes of its moves, where these are not those of the match.
//!   A colon and a number after a player switches changes of the search on that are on trial (`search::trial`), a bit each. With
//!   `factors` each pair of games has a random half of these changes on one side and the rest on the other, and the Elo of each is printed.
//! - `agree` prints in how many positions of FILE the engine plays the move that stands there.
//! - `scale` prints the K of the values in the data of some folders, by the results of its games, of all plies and of each phase.
//! - A player is `shipped`, or weights, or weights, `+` and the file of a net.
//! - Weights are a file, `none` for those set by hand alone, or `fitted` for the shipped ones.
//!
//! `assets/engine/README.md` has the commands that made the weights of the program.
#![expect(clippy::print_stdout, clippy::print_stderr, clippy::disallowed_methods, reason = "a tool of developers")]

mod commands;

use std::process::ExitCode;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match commands::run(&words) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
