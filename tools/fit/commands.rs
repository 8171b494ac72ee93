//! The commands of the tool.

mod agree;
mod data;
mod files;
mod games;
mod matches;
mod net_fit;
mod openings;
mod player;
mod scale;
#[expect(
    unreachable_pub,
    reason = "the program shares the file, and publishes its items there"
)]
#[path = "../../src/engine_match/score.rs"]
mod score;
mod search;
mod statistics;
mod teacher;
mod weight_fit;

use data::DataPlan;
use files::{read_text, write_whole};
use matches::{MatchConfig, MoveLimit};
use net_fit::TrainingConfig;
use player::{parse, parse_positive, read_player, read_trials, read_weights};
use score::Sprt;
use shogibar_builtin::{FittedWeights, KingTables, NetBase};
use std::error::Error;
use std::num::NonZero;
use std::path::Path;
use weight_fit::WeightFit;

pub(crate) fn run(words: &[&str]) -> Result<(), Box<dyn Error>> {
    match words {
        ["games", player, file, count, nodes, seed] => {
            let (count, nodes) = (parse("COUNT", count)?, parse_positive("NODES", nodes)?);
            Ok(games::play_games(
                &read_player(player)?,
                file,
                count,
                nodes,
                parse("SEED", seed)?,
            )?)
        }
        ["data", folder, player, nodes, seed, rest @ ..] => play_data(folder, player, [nodes, seed], rest),
        ["label", file, out, nodes, engine, options @ ..] => Ok(teacher::label(
            file,
            out,
            parse_positive("NODES", nodes)?,
            engine,
            options,
        )?),
        ["generation", folder, seed, rest @ ..] => make_generation(folder, seed, rest),
        ["match", a, b, rest @ ..] => play_match(a, b, rest),
        ["agree", player, file, nodes] => {
            let nodes = parse_positive("NODES", nodes)?;
            agree::print_agreement(&read_player(player)?, &read_text(Path::new(file))?, nodes)
        }
        ["scale", folders @ ..] => scale::print_scale(folders),
        ["net", out, rest @ ..] => train_net(out, rest),
        ["weights", out, rest @ ..] => fit_weights(out, rest),
        _ => Err(
            "usage: fit games|weights|data|label|net|generation|match|agree|scale …, see the head of fit.rs"
                .into(),
        ),
    }
}

/// Returns the error for an unknown argument.
fn unknown_error(word: &str) -> Box<dyn Error> {
    format!("unknown: {word}").into()
}

/// Plays games as training data for a net.
fn play_data(
    folder: &str,
    player: &str,
    [nodes, seed]: [&str; 2],
    rest: &[&str],
) -> Result<(), Box<dyn Error>> {
    let (nodes, seed) = (parse("NODES", nodes)?, parse("SEED", seed)?);
    let player = read_player(player)?;
    let mut plan = DataPlan {
        player: Some(player.hash),
        nodes,
        seed,
        games: 3_000,
    };
    let (mut parts, mut threads) = (100, 2);
    for word in rest {
        match word.split_once('=') {
            Some((name @ "games", value)) => plan.games = parse(name, value)?,
            Some((name @ "parts", value)) => parts = parse(name, value)?,
            Some((name @ "threads", value)) => threads = parse(name, value)?,
            _ => return Err(unknown_error(word)),
        }
    }
    data::play_parts(&player, Path::new(folder), plan, parts, threads)
}

fn train_net(out: &str, rest: &[&str]) -> Result<(), Box<dyn Error>> {
    let mut config = TrainingConfig::default();
    let mut weights = FittedWeights::shipped();
    let mut folders = Vec::new();
    for word in rest {
        match word.split_once('=') {
            Some(("base", value)) => {
                config.base = NetBase::from_name(value).ok_or_else(|| format!("no such base: {value}"))?;
            }
            Some((name @ "units", value)) => config.units = parse(name, value)?,
            Some((name @ "buckets", value)) => config.buckets = parse(name, value)?,
            Some((name @ "mix", value)) => config.mix = parse(name, value)?,
            Some((name @ "keep", value)) => config.td_lambda = parse(name, value)?,
            Some((name @ "decay", value)) => config.decay = Some(parse(name, value)?),
            Some((name @ "scale", value)) => config.k = parse(name, value)?,
            Some((name @ "epochs", value)) => config.epochs = parse(name, value)?,
            Some((name @ "batch", value)) => config.batch = parse(name, value)?,
            Some((name @ "rate", value)) => config.rate = parse(name, value)?,
            Some((name @ "seed", value)) => config.seed = parse(name, value)?,
            Some(("weights", value)) => weights = read_weights(value)?,
            Some(_) => return Err(unknown_error(word)),
            None => folders.push(*word),
        }
    }
    net_fit::train(&config, &KingTables::new(&weights), out, &folders)
}

/// Fits weights to games, and writes them to `out`.
fn fit_weights(out: &str, rest: &[&str]) -> Result<(), Box<dyn Error>> {
    let mut config = WeightFit::default();
    let (mut files, mut folders) = (Vec::new(), Vec::new());
    for word in rest {
        match word.split_once('=') {
            Some((name @ "mix", value)) => config.mix = parse(name, value)?,
            Some((name @ "keep", value)) => config.td_lambda = parse(name, value)?,
            Some((name @ "prior", value)) => config.prior = parse(name, value)?,
            Some((name @ "scale", value)) => config.k = Some(parse(name, value)?),
            Some((name @ "unit", value)) => config.unit = parse(name, value)?,
            Some((name @ "epochs", value)) => config.epochs = parse(name, value)?,
            Some((name @ "threat_prior", value)) => config.threat_prior = parse(name, value)?,
            Some(("start", value)) => config.start = read_weights(value)?,
            Some((name @ "below", value)) => config.feature_limit = parse(name, value)?,
            Some(_) => return Err(unknown_error(word)),
            None if Path::new(word).is_dir() => folders.push(*word),
            None => files.push(read_text(Path::new(word))?),
        }
    }
    let weights = config.fit(&files, &folders)?;
    Ok(write_whole(Path::new(out), &weights.to_bytes()?)?)
}

/// Plays data, and trains a net on it and on further folders. Then the net plays a match against the shipped engine.
fn make_generation(folder: &str, seed: &str, rest: &[&str]) -> Result<(), Box<dyn Error>> {
    let net = format!("{folder}/net");
    let (mut nodes, mut games) = ("300", "games=2000".to_owned());
    let mut data_options = vec!["parts=20"];
    let mut training = vec!["net", net.as_str(), folder];
    let mut threads = "threads=2";
    for word in rest {
        match word.split_once('=') {
            Some(("nodes", value)) => nodes = value,
            Some(("match", value)) => games = format!("games={value}"),
            Some(("parts" | "games", _)) => data_options.push(word),
            Some(("threads", _)) => threads = *word,
            Some(("decay", _)) | None => training.push(word),
            Some(_) => return Err(unknown_error(word)),
        }
    }
    let (opponent, results) = (format!("fitted+{net}"), format!("results={net}.match"));
    run(&[
        &["data", folder, "shipped", nodes, seed, threads],
        data_options.as_slice(),
    ]
    .concat())?;
    run(&training)?;
    run(&[
        "match", &opponent, "shipped", &games, "elo0=0", "elo1=10", threads, &results,
    ])
}

/// Plays a match between two players.
fn play_match(a: &str, b: &str, rest: &[&str]) -> Result<(), Box<dyn Error>> {
    let mut config = MatchConfig::default();
    let (mut elo0, mut elo1, mut results) = (None, None, None);
    for word in rest {
        match word.split_once('=') {
            Some((name @ "games", value)) => config.games = parse::<NonZero<u32>>(name, value)?.get(),
            Some((name @ "nodes", value)) => config.limit = MoveLimit::Nodes(parse_positive(name, value)?),
            Some((name @ "ms", value)) => {
                config.limit = MoveLimit::Milliseconds(parse_positive(name, value)?);
            }
            Some((name @ "seed", value)) => config.seed = parse(name, value)?,
            Some((name @ "threads", value)) => config.threads = parse(name, value)?,
            Some((name @ "elo0", value)) => elo0 = Some(parse(name, value)?),
            Some((name @ "elo1", value)) => elo1 = Some(parse(name, value)?),
            Some(("factors", value)) => config.factors = read_trials(value)?,
            Some(("results", value)) => results = Some(Path::new(value)),
            _ => return Err(unknown_error(word)),
        }
    }
    config.test = read_test(elo0, elo1)?;
    config.play(&[read_player(a)?, read_player(b)?], results)
}

/// Returns the sequential test of two differences in Elo; `None` without differences.
fn read_test(elo0: Option<f64>, elo1: Option<f64>) -> Result<Option<Sprt>, &'static str> {
    match (elo0, elo1) {
        (None, None) => Ok(None),
        (Some(elo0), Some(elo1)) if elo0 < elo1 && elo0.is_finite() && elo1.is_finite() => {
            Ok(Some(Sprt { elo0, elo1 }))
        }
        _ => Err("a sequential test needs both elo0 and elo1, and elo0 is below elo1"),
    }
}
