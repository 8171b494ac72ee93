//! The commands of the tool.

mod agree;
mod contest;
mod data;
mod games;
mod learning;
mod net_fit;
mod player;
mod scale;
mod statistics;
mod teacher;

use contest::{Contest, MoveLimit};
use learning::Lesson;
use net_fit::Course;
use player::{read_player, read_trials, read_weights};
use shogibar_core::search::{FittedWeights, KingTables, NetBase};
use statistics::Hypotheses;
use std::error::Error;
use std::fs;
use std::path::Path;

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
        _ => {
            Err("usage: fit games|weights|data|label|net|generation|match|agree|scale …, see the head of fit.rs".into())
        }
    }
}

/// Plays data, trains a net on it and on the data of further folders, and plays a match against the shipped engine.
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
            Some(("factors", value)) => contest.factors = read_trials(value)?,
            Some(("results", value)) => results = Some(Path::new(value)),
            _ => return Err(format!("unknown: {word}").into()),
        }
    }
    contest.test = elo0.zip(elo1).map(|(elo0, elo1)| Hypotheses { elo0, elo1 });
    contest.play(&[read_player(a)?, read_player(b)?], results)
}
