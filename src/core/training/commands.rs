//! The commands of the tool.

mod agree;
mod data;
mod games;
mod matches;
mod net_fit;
mod player;
mod scale;
mod statistics;
mod teacher;
mod weight_fit;

use matches::{MatchConfig, MoveLimit};
use net_fit::TrainingConfig;
use player::{read_player, read_trials, read_weights};
use shogibar_core::search::{FittedWeights, KingTables, NetBase};
use statistics::Hypotheses;
use std::error::Error;
use std::fs;
use std::path::Path;
use weight_fit::WeightFit;

/// Runs the command of a command line.
pub(crate) fn run(words: &[&str]) -> Result<(), Box<dyn Error>> {
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
            data::play_parts(&player, Path::new(folder), plan, parts, threads)
        }
        ["label", file, out, nodes, engine, options @ ..] => {
            Ok(teacher::label(file, out, nodes.parse()?, engine, options)?)
        }
        ["generation", folder, seed, rest @ ..] => make_generation(folder, seed, rest),
        ["match", a, b, rest @ ..] => play_match(a, b, rest),
        ["agree", player, file, nodes] => {
            agree::print_agreement(&read_player(player)?, &fs::read_to_string(file)?, nodes.parse()?)
        }
        ["scale", folders @ ..] => scale::print_scale(folders),
        ["net", out, rest @ ..] => {
            let mut config = TrainingConfig::default();
            let mut weights = FittedWeights::shipped();
            let mut folders = Vec::new();
            for word in rest {
                match word.split_once('=') {
                    Some(("base", value)) => config.base = NetBase::from_name(value).ok_or("no such base")?,
                    Some(("units", value)) => config.units = value.parse()?,
                    Some(("buckets", value)) => config.buckets = value.parse()?,
                    Some(("mix", value)) => config.mix = value.parse()?,
                    Some(("keep", value)) => config.td_lambda = value.parse()?,
                    Some(("decay", value)) => config.decay = value.parse()?,
                    Some(("scale", value)) => config.k = value.parse()?,
                    Some(("epochs", value)) => config.epochs = value.parse()?,
                    Some(("batch", value)) => config.batch = value.parse()?,
                    Some(("rate", value)) => config.rate = value.parse()?,
                    Some(("seed", value)) => config.seed = value.parse()?,
                    Some(("weights", value)) => weights = read_weights(value)?,
                    Some(_) => return Err(format!("unknown: {word}").into()),
                    None => folders.push(*word),
                }
            }
            net_fit::train(&config, &KingTables::new(&weights), out, &folders)
        }
        ["weights", out, rest @ ..] => {
            let mut config = WeightFit::default();
            let (mut files, mut folders) = (Vec::new(), Vec::new());
            for word in rest {
                match word.split_once('=') {
                    Some(("mix", value)) => config.mix = value.parse()?,
                    Some(("keep", value)) => config.td_lambda = value.parse()?,
                    Some(("prior", value)) => config.prior = value.parse()?,
                    Some(("scale", value)) => config.k = Some(value.parse()?),
                    Some(("unit", value)) => config.unit = value.parse()?,
                    Some(("epochs", value)) => config.epochs = value.parse()?,
                    Some(("threat_prior", value)) => config.threat_prior = value.parse()?,
                    Some(("start", value)) => config.start = read_weights(value)?,
                    Some(("below", value)) => config.feature_limit = value.parse()?,
                    Some(_) => return Err(format!("unknown: {word}").into()),
                    None if Path::new(word).is_dir() => folders.push(*word),
                    None => files.push(fs::read_to_string(word)?),
                }
            }
            let weights = config.fit(&files, &folders)?;
            Ok(fs::write(out, weights.to_bytes()?)?)
        }
        _ => {
            Err("usage: fit games|weights|data|label|net|generation|match|agree|scale …, see the head of fit.rs".into())
        }
    }
}

/// Plays data, and trains a net on it and on further folders. Then the net plays a match against the shipped engine.
fn make_generation(folder: &str, seed: &str, rest: &[&str]) -> Result<(), Box<dyn Error>> {
    let (mut nodes, mut games) = ("300", "games=2000".to_owned());
    let (mut size, mut folders) = (vec!["parts=20"], vec![folder]);
    for word in rest {
        match word.split_once('=') {
            Some(("nodes", value)) => nodes = value,
            Some(("match", value)) => games = format!("games={value}"),
            Some(("parts" | "games", _)) => size.push(word),
            Some(_) => return Err(format!("unknown: {word}").into()),
            None => folders.push(word),
        }
    }
    let net = format!("{folder}/net");
    run(&[&["data", folder, "shipped", nodes, seed], size.as_slice()].concat())?;
    run(&[&["net", &net], folders.as_slice()].concat())?;
    run(&["match", &format!("fitted+{net}"), "shipped", &games, "elo0=0", "elo1=10", &format!("results={net}.match")])
}

fn play_match(a: &str, b: &str, rest: &[&str]) -> Result<(), Box<dyn Error>> {
    let mut config = MatchConfig::default();
    let (mut elo0, mut elo1, mut results) = (None, None, None);
    for word in rest {
        match word.split_once('=') {
            Some(("games", value)) => config.games = value.parse()?,
            Some(("nodes", value)) => config.limit = MoveLimit::Nodes(value.parse()?),
            Some(("ms", value)) => config.limit = MoveLimit::Milliseconds(value.parse()?),
            Some(("seed", value)) => config.seed = value.parse()?,
            Some(("threads", value)) => config.threads = value.parse()?,
            Some(("elo0", value)) => elo0 = Some(value.parse()?),
            Some(("elo1", value)) => elo1 = Some(value.parse()?),
            Some(("factors", value)) => config.factors = read_trials(value)?,
            Some(("results", value)) => results = Some(Path::new(value)),
            _ => return Err(format!("unknown: {word}").into()),
        }
    }
    config.test = elo0.zip(elo1).map(|(elo0, elo1)| Hypotheses { elo0, elo1 });
    config.play(&[read_player(a)?, read_player(b)?], results)
}
