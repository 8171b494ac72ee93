//! Fits the corrections of the evaluation's weights (`search::fitted`) to games of the built-in engine, and tries them.
//!
//! ```text
//! cargo run --release -p shogibar-core --example fit -- games WEIGHTS FILE COUNT NODES SEED
//! cargo run --release -p shogibar-core --example fit -- weights OUT [mix=0.9] [keep=1] [prior=10000] [scale=K] [epochs=6] [unit=1.25] [start=WEIGHTS] [threat_prior=500] [below=N] FILE|FOLDER…
//! cargo run --release -p shogibar-core --example fit -- data FOLDER PLAYER NODES SEED [games=3000] [parts=100] [threads=2]
//! cargo run --release -p shogibar-core --example fit -- label FILE OUT NODES ENGINE [OPTION=VALUE…]
//! cargo run --release -p shogibar-core --example fit -- net OUT [base=evaluation] [units=64] [buckets=1] [mix=0.2] [keep=0.95] [scale=700] [epochs=8] [batch=2048] [rate=0.001] [decay=5] [seed=1] [weights=fitted] FOLDER…
//! cargo run --release -p shogibar-core --example fit -- generation FOLDER SEED [parts=20] [games=3000] [nodes=800] [match=2000]
//! cargo run --release -p shogibar-core --example fit -- match A B [nodes=4000] [ms=N] [games=2000] [elo0=0 elo1=10] [seed=1] [threads=2] [factors=BITS] [results=FILE]
//! cargo run --release -p shogibar-core --example fit -- agree PLAYER FILE NODES
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
//! - `generation` makes the next net: data of the shipped engine in FOLDER, a net trained on it, FOLDER`/net`, and a match of it against the
//!   shipped engine. Interrupted, it goes on where it was.
//! - `match` plays A against B, both colours from each opening, and prints the Elo of A with its interval of 95 %, by pairs of games. With
//!   `elo0` and `elo1` it ends as soon as a sequential test has decided between them. With `results` it goes on where it was.
//!   A colon and a number after a player switches changes of the search on that are on trial (`search::trial`), a bit each. With
//!   `factors` each pair of games has a random half of these changes on one side and the rest on the other, and the Elo of each is printed.
//! - `agree` prints in how many positions of FILE the engine plays the move that stands there.
//! - A player is `shipped`, or weights, or weights, `+` and the file of a net.
//! - Weights are a file, `none` for those set by hand alone, or `fitted` for the shipped ones.
//!
//! `assets/engine/README.md` has the commands that made the weights of the program.
#![expect(clippy::print_stdout, clippy::print_stderr, clippy::disallowed_methods, reason = "a tool of developers")]

mod agree;
mod contest;
mod data;
mod games;
mod learning;
mod net_fit;
mod player;
mod statistics;
mod teacher;

use contest::{Contest, MoveLimit};
use learning::Lesson;
use net_fit::Course;
use player::{read_player, read_weights};
use shogibar_core::search::{FittedWeights, KingTables, NetBase, Trials};
use statistics::Hypotheses;
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
        ["data", folder, player, nodes, seed, rest @ ..] => {
            let player = read_player(player)?;
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
            data::play_parts(&player, Path::new(folder), plan, (parts, threads))
        }
        ["label", file, out, nodes, engine, options @ ..] => {
            Ok(teacher::label(file, out, nodes.parse()?, engine, options)?)
        }
        ["generation", folder, seed, rest @ ..] => make_generation(folder, seed, rest),
        ["match", a, b, rest @ ..] => play_match(a, b, rest),
        ["agree", player, file, nodes] => {
            agree::print_agreement(&read_player(player)?, &fs::read_to_string(file)?, nodes.parse()?)
        }
        ["net", out, rest @ ..] => {
            let mut course = Course::default();
            let mut weights = FittedWeights::shipped();
            let mut folders = Vec::new();
            for word in rest {
                match word.split_once('=') {
                    Some(("base", value)) => course.base = NetBase::from_name(value).ok_or("no such base")?,
                    Some(("units", value)) => course.units = value.parse()?,
                    Some(("buckets", value)) => course.buckets = value.parse()?,
                    Some(("mix", value)) => course.mix = value.parse()?,
                    Some(("keep", value)) => course.keep = value.parse()?,
                    Some(("decay", value)) => course.decay = value.parse()?,
                    Some(("scale", value)) => course.scale = value.parse()?,
                    Some(("epochs", value)) => course.epochs = value.parse()?,
                    Some(("batch", value)) => course.batch = value.parse()?,
                    Some(("rate", value)) => course.rate = value.parse()?,
                    Some(("seed", value)) => course.seed = value.parse()?,
                    Some(("weights", value)) => weights = read_weights(value)?,
                    Some(_) => return Err(format!("unknown: {word}").into()),
                    None => folders.push(*word),
                }
            }
            net_fit::train(&course, &KingTables::new(&weights), out, &folders)
        }
        ["weights", out, rest @ ..] => {
            let mut lesson = Lesson::default();
            let (mut files, mut folders) = (Vec::new(), Vec::new());
            for word in rest {
                match word.split_once('=') {
                    Some(("mix", value)) => lesson.mix = value.parse()?,
                    Some(("keep", value)) => lesson.keep = value.parse()?,
                    Some(("prior", value)) => lesson.prior = value.parse()?,
                    Some(("scale", value)) => lesson.scale = Some(value.parse()?),
                    Some(("unit", value)) => lesson.unit = value.parse()?,
                    Some(("epochs", value)) => lesson.epochs = value.parse()?,
                    Some(("threat_prior", value)) => lesson.threat_prior = value.parse()?,
                    Some(("start", value)) => lesson.start = read_weights(value)?,
                    Some(("below", value)) => lesson.below = value.parse()?,
                    Some(_) => return Err(format!("unknown: {word}").into()),
                    None if Path::new(word).is_dir() => folders.push(*word),
                    None => files.push(fs::read_to_string(word)?),
                }
            }
            let weights = lesson.fit(&files, &folders)?;
            Ok(fs::write(out, weights.to_bytes()?)?)
        }
        _ => Err("usage: fit games|weights|label|match …, see the head of fit.rs".into()),
    }
}

/// Plays data, trains a net and has it play against the shipped engine.
fn make_generation(folder: &str, seed: &str, rest: &[&str]) -> Result<(), Box<dyn Error>> {
    let (mut nodes, mut games) = ("800", "games=2000".to_owned());
    let mut size = vec!["parts=20"];
    for word in rest {
        match word.split_once('=') {
            Some(("nodes", value)) => nodes = value,
            Some(("match", value)) => games = format!("games={value}"),
            Some(("parts" | "games", _)) => size.push(word),
            _ => return Err(format!("unknown: {word}").into()),
        }
    }
    let net = format!("{folder}/net");
    run(&[&["data", folder, "shipped", nodes, seed], size.as_slice()].concat())?;
    run(&["net", &net, folder])?;
    run(&["match", &format!("fitted+{net}"), "shipped", &games, "elo0=0", "elo1=10", &format!("results={net}.match")])
}

fn play_match(a: &str, b: &str, rest: &[&str]) -> Result<(), Box<dyn Error>> {
    let mut contest = Contest::default();
    let (mut elo0, mut elo1, mut results) = (None, None, None);
    for word in rest {
        match word.split_once('=') {
            Some(("games", value)) => contest.games = value.parse()?,
            Some(("nodes", value)) => contest.limit = MoveLimit::Nodes(value.parse()?),
            Some(("ms", value)) => contest.limit = MoveLimit::Milliseconds(value.parse()?),
            Some(("seed", value)) => contest.seed = value.parse()?,
            Some(("threads", value)) => contest.threads = value.parse()?,
            Some(("elo0", value)) => elo0 = Some(value.parse()?),
            Some(("elo1", value)) => elo1 = Some(value.parse()?),
            Some(("factors", value)) => contest.factors = Trials(value.parse()?),
            Some(("results", value)) => results = Some(Path::new(value)),
            _ => return Err(format!("unknown: {word}").into()),
        }
    }
    contest.test = elo0.zip(elo1).map(|(elo0, elo1)| Hypotheses { elo0, elo1 });
    contest.play(&[read_player(a)?, read_player(b)?], &format!("{a} {b}"), results)
}
