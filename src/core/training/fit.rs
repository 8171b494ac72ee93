//! Fits the corrections of the evaluation's weights (`search::fitted`) to games of the built-in engine, and tries them.
//!
//! ```text
//! cargo run --release -p shogibar-core --example fit -- games WEIGHTS FILE COUNT NODES SEED
//! cargo run --release -p shogibar-core --example fit -- weights OUT [mix=0.9] [prior=10000] [scale=K] [epochs=6] [unit=1.25] [start=WEIGHTS] [threat_prior=500] [below=N] FILE…
//! cargo run --release -p shogibar-core --example fit -- data FOLDER WEIGHTS NODES SEED [games=3000] [parts=100] [threads=2]
//! cargo run --release -p shogibar-core --example fit -- label FILE OUT NODES ENGINE [OPTION=VALUE…]
//! cargo run --release -p shogibar-core --example fit -- match A B GAMES NODES SEED
//! ```
//!
//! - `games` plays games of the engine with WEIGHTS against itself at so many nodes a move, from openings of random moves,
//!   until FILE has COUNT of them. Several processes with seeds and files of their own share the work. A run that was
//!   interrupted goes on.
//! - `weights` fits the weights to the files and writes them to OUT. One game of twenty is left out, and the loss is that
//!   of its positions. `mix` is the share of the search's value in what is fitted, the rest is the game's result. `prior` is the
//!   number of positions that outweigh the start, `threat_prior` that for the features of `search::threats`. The start is 0 for each
//!   weight, or `start`. `scale` is K of the logistic function in centipawns of
//!   the evaluation; without it, that which fits the results. `below` leaves out the features from N on.
//! - `data` plays games as training data for a net, in part files of FOLDER; `data.rs` has their form. Parts that are there are skipped.
//! - `label` copies games with the values of another engine, a teacher. What it searches is played by this engine, so that the teacher
//!   says what this one does not see. Fairy-Stockfish needs `UCI_Variant=shogi USI_Variant=shogi`. `unit` is then the number of centipawns of the evaluation for one of the teacher's.
//! - `match` plays A against B, both colours from each opening, and prints the Elo of A with its interval of 95 %.
//! - Weights are a file, `none` for those set by hand alone, or `shipped`.
//!
//! `assets/engine/README.md` has the commands that made the weights of the program.
#![expect(clippy::print_stdout, clippy::print_stderr, clippy::disallowed_methods, reason = "a tool of developers")]

mod contest;
mod data;
mod games;
mod learning;
mod teacher;

use learning::Lesson;
use shogibar_core::search::{FittedWeights, KingTables};
use std::error::Error;
use std::fs;
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match run(&words) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn run(words: &[&str]) -> Result<(), Box<dyn Error>> {
    match words {
        ["games", weights, file, count, nodes, seed] => {
            let tables = KingTables::new(&read_weights(weights)?);
            Ok(games::play_games(tables.into(), file, count.parse()?, nodes.parse()?, seed.parse()?)?)
        }
        ["data", folder, weights, nodes, seed, rest @ ..] => {
            let tables = KingTables::new(&read_weights(weights)?).into();
            let mut plan = data::DataPlan { nodes: nodes.parse()?, seed: seed.parse()?, games: 3_000 };
            let (mut parts, mut threads) = (100, 2);
            for word in rest {
                match word.split_once('=') {
                    Some(("games", value)) => plan.games = value.parse()?,
                    Some(("parts", value)) => parts = value.parse()?,
                    Some(("threads", value)) => threads = value.parse()?,
                    _ => return Err(format!("unknown: {word}").into()),
                }
            }
            data::play_parts(&tables, Path::new(folder), plan, (parts, threads))
        }
        ["label", file, out, nodes, engine, options @ ..] => {
            Ok(teacher::label(file, out, nodes.parse()?, engine, options)?)
        }
        ["match", a, b, count, nodes, seed] => {
            let tables = [read_weights(a)?, read_weights(b)?].map(|weights| KingTables::new(&weights).into());
            contest::play_match(tables, count.parse()?, nodes.parse()?, seed.parse()?);
            Ok(())
        }
        ["weights", out, rest @ ..] => {
            let mut lesson = Lesson::default();
            let mut files = Vec::new();
            for word in rest {
                match word.split_once('=') {
                    Some(("mix", value)) => lesson.mix = value.parse()?,
                    Some(("prior", value)) => lesson.prior = value.parse()?,
                    Some(("scale", value)) => lesson.scale = Some(value.parse()?),
                    Some(("unit", value)) => lesson.unit = value.parse()?,
                    Some(("epochs", value)) => lesson.epochs = value.parse()?,
                    Some(("threat_prior", value)) => lesson.threat_prior = value.parse()?,
                    Some(("start", value)) => lesson.start = read_weights(value)?,
                    Some(("below", value)) => lesson.below = value.parse()?,
                    Some(_) => return Err(format!("unknown: {word}").into()),
                    None => files.push(fs::read_to_string(word)?),
                }
            }
            let weights = lesson.fit(&files)?;
            Ok(fs::write(out, weights.to_bytes()?)?)
        }
        _ => Err("usage: fit games|weights|label|match …, see the head of fit.rs".into()),
    }
}

fn read_weights(name: &str) -> Result<FittedWeights, Box<dyn Error>> {
    match name {
        "none" => Ok(FittedWeights::none()),
        "shipped" => Ok(FittedWeights::shipped()),
        _ => FittedWeights::from_bytes(&fs::read(name)?).ok_or_else(|| format!("{name} has no weights").into()),
    }
}
