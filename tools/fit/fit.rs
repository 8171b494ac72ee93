//! Fits the corrections of the evaluation's weights (`search::fitted`) and trains nets (`search::net`) on games of the
//! built-in engine, and plays matches with them.
//!
//! ```text
//! cargo run --release -p shogibar-fit --bin fit -- games PLAYER FILE COUNT NODES SEED
//! cargo run --release -p shogibar-fit --bin fit -- weights OUT [mix=0.9] [keep=1] [prior=10000] [scale=K] \
//!     [epochs=6] [unit=1.25] [start=WEIGHTS] [threat_prior=500] [below=N] FILE|FOLDER…
//! cargo run --release -p shogibar-fit --bin fit -- data FOLDER PLAYER NODES SEED [games=3000] [parts=100] \
//!     [threads=2]
//! cargo run --release -p shogibar-fit --bin fit -- label FILE OUT NODES ENGINE [OPTION=VALUE…]
//! cargo run --release -p shogibar-fit --bin fit -- net OUT [base=evaluation] [units=64] [buckets=1] [mix=0.2] \
//!     [keep=0.95] [scale=700] [epochs=8] [batch=2048] [rate=0.001] [decay=D] [seed=1] [weights=fitted] FOLDER…
//! cargo run --release -p shogibar-fit --bin fit -- generation FOLDER SEED [parts=20] [games=3000] [nodes=300] \
//!     [match=2000] [decay=D] [threads=2] [FOLDER…]
//! cargo run --release -p shogibar-fit --bin fit -- match A B [nodes=4000] [ms=N] [games=2000] \
//!     [elo0=E0 elo1=E1] [seed=1] [threads=2] [factors=BITS] [results=FILE]
//! cargo run --release -p shogibar-fit --bin fit -- agree PLAYER FILE NODES
//! cargo run --release -p shogibar-fit --bin fit -- scale FOLDER…
//! ```
//!
//! - `games` plays games of PLAYER against itself until FILE has COUNT games. Each move takes NODES nodes, and the
//!   openings are random moves. Several processes share the work if each has its own seed and file. A run that was
//!   interrupted continues. The first line of FILE names the run, and a file with another first line is refused. To
//!   continue a file of an earlier version, insert the line that the error shows.
//! - `weights` fits the weights to the files and writes them to OUT. One game of twenty is left out, and the printed
//!   loss is that of its positions. A folder holds the output of `data`; `keep` is then as for `net`. The fitted target
//!   is a mixture. `mix` is the share of the search's value; the rest is the game's result. `prior` is the number of
//!   positions that outweigh the start, and `threat_prior` is this number for the features of `search::threats`. The
//!   start is 0 for each weight, or `start`. `scale` is K of the logistic function in centipawns of the evaluation;
//!   without it, K is fitted to the results. `below` leaves out the features from N on. `unit` is the number of
//!   centipawns of the evaluation for one centipawn of the games' values. The values of a teacher (see `label`) need
//!   another `unit` than the default.
//! - `data` plays games as training data for a net, in part files of FOLDER; `data.rs` describes their form. Existing
//!   parts are skipped. Parts of another player, number of nodes or seed are refused.
//! - `label` copies games with the values of another engine, a teacher. The positions come from games of this engine,
//!   so that the teacher values positions that this engine misjudges. Fairy-Stockfish needs `UCI_Variant=shogi
//!   USI_Variant=shogi`.
//! - `net` trains a net on the data of some folders; `net_fit.rs` describes the method. `base` is the value to which
//!   the net's value is added: `evaluation`, `pieces` or `nothing`. The fitted target is a mixture: `mix` is the share
//!   of the search's value. The rest is the mean of the result and of the values later in the game. Each later value
//!   takes the share `1 - keep` of the weight that is left. Without `decay`, the decay follows from the number of
//!   positions. The file OUT`.state` holds the state. The next start continues from this state, and refuses the state
//!   of a training with other parameters, weights or games.
//! - `generation` makes the next net. The command plays data of the shipped engine into FOLDER. Then a net,
//!   FOLDER`/net`, is trained on these data and those of earlier generations. At the end, the net plays a match against
//!   the shipped engine. A run that was interrupted continues.
//! - `match` plays A against B, with both colours from each opening, and prints the Elo of A with an interval of 95 %,
//!   by pairs of games. With `elo0` and `elo1`, the match ends as soon as a sequential test has decided between them.
//!   The Elo of such a match is biased. With `results`, a run that was interrupted continues. `@` and a number after a
//!   player set the nodes for each move of this player. A colon and a number after a player switch on trial changes of
//!   the search (`search::trial`), one for each bit. With `factors`, each pair of games has a random half of these
//!   changes on one side and the rest on the other. The Elo of each change is printed.
//! - `agree` prints the number of positions of FILE in which the engine plays the move of the file.
//! - `scale` prints the K of the values in the data of some folders, for all plies and each phase. K is fitted to the
//!   results of the games.
//! - A player is `shipped`, or weights, or weights, `+` and the file of a net. Files name a player with a hash of its
//!   weights, its net and some moves of its search.
//! - Weights are a file, `none` for those set by hand alone, or `fitted` for the shipped ones.
//!
//! `assets/engine/README.md` has the commands that made the weights of the program.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::disallowed_methods,
    reason = "a tool of developers"
)]

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
