//! `shogibar calibrate`: the win-rate curve of each engine, fitted to games with results.

#[cfg(feature = "gui")]
mod picture;
mod table;

use super::failure::ErrorLines;
use super::usage::whole;
use super::{CliOutcome, Streams};
use anyhow::anyhow;
use shogibar_base::Lang;
use shogibar_games::calibration::{
    Calibration, CollectedGames, DEFAULT_FIRST_PLY, EngineCurve, GamePool, NamedEngine, PlyRange,
    RecordSource, collect,
};
use shogibar_games::calibration_text::{self as text, CalibrationRefusal};
use shogibar_games::convert_text;
use std::path::{Path, PathBuf};

/// The arguments of `shogibar calibrate`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "An evaluation belongs to the engine that the record names beside it, or else to the player whose \
    move it belongs to. A position counts from ply 20 on, unless its evaluation is a mate or as good as one. A game counts \
    if it ended on the board, by resignation, or by repetition (one half). Standard error says how many games do not \
    count, and why. K and its interval are fitted to the games alone; `K to use` is drawn towards 600 if there are few. Exit \
    code 1: a file could not be read, or an engine has no curve."
)]
pub(super) struct Arguments {
    /// Game records, or folders of records, with evaluations and results; `-` is standard input
    #[arg(value_name = "IN", required = true)]
    input: Vec<PathBuf>,
    /// Records that test the curves and are not fitted
    #[arg(long, value_name = "IN", num_args = 1..)]
    test: Vec<PathBuf>,
    /// Only the engine with this name, or with this in its name; if no record names an engine, the name for the unnamed
    /// evaluations
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// Write JSON, one object per line
    #[arg(long)]
    json: bool,
    /// Set K in this profile
    #[arg(long, value_name = "PROFILE")]
    save: Option<String>,
    /// Draw how often predictions came true: an .svg or .png file
    #[cfg(feature = "gui")]
    #[arg(long, value_name = "FILE")]
    picture: Option<PathBuf>,
    /// Count positions from this ply on
    #[arg(long, value_name = "PLY", default_value_t = DEFAULT_FIRST_PLY, value_parser = whole::<u16>(0, Some(u16::MAX.into())))]
    from: u16,
    /// Count positions up to this ply [default: the last]
    #[arg(long, value_name = "PLY", value_parser = whole::<u16>(0, Some(u16::MAX.into())))]
    to: Option<u16>,
}

pub(super) fn run(arguments: &Arguments, streams: &mut Streams<'_>) -> anyhow::Result<CliOutcome> {
    let lang = streams.lang;
    let plies = arguments.from..=arguments.to.unwrap_or(u16::MAX);
    if plies.is_empty() {
        return Err(refusal_error(
            &CalibrationRefusal::NoPlies(*plies.start(), *plies.end()),
            lang,
        ));
    }
    #[cfg(feature = "gui")]
    let picture = arguments
        .picture
        .as_deref()
        .map(|path| picture::CurvePicture::new(path, lang))
        .transpose()?;
    let mut read = collect_games(&arguments.input, &plies, streams)?;
    let mut test = if arguments.test.is_empty() {
        None
    } else {
        Some(collect_games(&arguments.test, &plies, streams)?)
    };
    if read.pool.names().next().is_none() {
        let mut lines = remarks([Some(&read), test.as_ref()], lang);
        lines.push(CalibrationRefusal::NothingCounts(read.games).text(lang));
        return Err(ErrorLines(lines).into());
    }
    if let Some(name) = &arguments.name {
        let engine = find_engine(&read.pool, name, lang)?;
        for games in [Some(&mut read), test.as_mut()].into_iter().flatten() {
            games.pool.keep_only(&engine);
        }
    }
    if let Some(test) = &mut test {
        test.pool.remove_games_of(&read.pool);
    }
    for line in remarks([Some(&read), test.as_ref()], lang) {
        writeln!(streams.err, "{line}")?;
    }
    let calibration = Calibration::new(&read.pool, test.as_ref().map(|test| &test.pool));
    if test.is_some() {
        write_not_tested(&calibration, streams)?;
    }
    if arguments.json {
        table::write_json(&calibration, lang, streams)?;
    } else {
        table::write(&calibration, streams)?;
    }
    #[cfg(feature = "gui")]
    if let Some(picture) = picture {
        let engine = one_engine(&calibration, CalibrationRefusal::DrawOne, lang)?;
        anyhow::ensure!(
            engine.fit.is_ok(),
            refusal_error(
                &CalibrationRefusal::NothingToDraw(table::engine_name(&engine.engine, lang)),
                lang
            )
        );
        picture.write(engine)?;
    }
    if let Some(profile) = &arguments.save {
        save(&calibration, profile, streams)?;
    }
    let problem_count = read.problems.len() + test.map_or(0, |test| test.problems.len());
    let has_problems = problem_count > 0 || calibration.engines.iter().any(|engine| engine.fit.is_err());
    Ok(if has_problems {
        CliOutcome::Problems
    } else {
        CliOutcome::Done
    })
}

/// Reads the games of files and folders.
fn collect_games(
    paths: &[PathBuf],
    plies: &PlyRange,
    streams: &mut Streams<'_>,
) -> anyhow::Result<CollectedGames> {
    let lang = streams.lang;
    let source = |path: &PathBuf| -> anyhow::Result<RecordSource> {
        if path == Path::new("-") {
            let bytes = super::read_record(path, lang, streams)?;
            return Ok(RecordSource::Bytes(
                convert_text::standard_input(lang).to_owned(),
                bytes,
            ));
        }
        Ok(RecordSource::Path(path.clone()))
    };
    let sources = paths.iter().map(source).collect::<anyhow::Result<Vec<_>>>()?;
    Ok(collect(sources, plies, lang)?)
}

/// Returns the problems of files and the remarks about games, for the fit and then for the test.
fn remarks(games: [Option<&CollectedGames>; 2], lang: Lang) -> Vec<String> {
    let about = |read: &CollectedGames| {
        let about = read.pool.remarks().map(|(remark, count)| {
            let sentence = if remark.is_counted() {
                text::counted
            } else {
                text::not_counted
            };
            sentence(count.games, remark.group(), &count.first_location, lang)
        });
        read.problems.iter().cloned().chain(about).collect::<Vec<_>>()
    };
    games.into_iter().flatten().flat_map(about).collect()
}

/// Reports the engines whose curves no game tests.
fn write_not_tested(calibration: &Calibration, streams: &mut Streams<'_>) -> anyhow::Result<()> {
    let lang = streams.lang;
    for curve in calibration
        .engines
        .iter()
        .filter(|curve| curve.test.is_none() && curve.engine != "*")
    {
        writeln!(
            streams.err,
            "{}",
            text::not_tested(&table::engine_name(&curve.engine, lang), lang)
        )?;
    }
    Ok(())
}

/// Finds the engine with a name, or the only one with this in its name. Without either, the engine without a name gets
/// the name.
fn find_engine(pool: &GamePool, name: &str, lang: Lang) -> anyhow::Result<NamedEngine> {
    let all: Vec<String> = pool.names().map(|name| table::engine_name(name, lang)).collect();
    pool.find(name).map_err(|fitting| {
        let name = name.to_owned();
        let refused = if fitting.is_empty() {
            CalibrationRefusal::NoEngine(name, all)
        } else {
            CalibrationRefusal::Ambiguous(name, fitting)
        };
        refusal_error(&refused, lang)
    })
}

/// Returns the engine if there is only one. Fails with the refusal that `several` makes of the names of all engines.
fn one_engine(
    calibration: &Calibration,
    several: fn(Vec<String>) -> CalibrationRefusal,
    lang: Lang,
) -> anyhow::Result<&EngineCurve> {
    let names = calibration
        .engines
        .iter()
        .map(|engine| table::engine_name(&engine.engine, lang));
    calibration.only_engine().ok_or_else(|| {
        refusal_error(
            &several(names.take(calibration.engines.len() - 1).collect()),
            lang,
        )
    })
}

/// Saves the fitted K in a profile. Fails unless there is exactly one engine, and its curve was fitted.
fn save(calibration: &Calibration, profile: &str, streams: &mut Streams<'_>) -> anyhow::Result<()> {
    let lang = streams.lang;
    let engine = one_engine(calibration, CalibrationRefusal::NameOne, lang)?;
    let k = engine
        .fit
        .map_err(|_why| {
            refusal_error(
                &CalibrationRefusal::NothingToSave(table::engine_name(&engine.engine, lang)),
                lang,
            )
        })?
        .curve
        .k
        .round();
    super::engines::set_scale(profile, k, streams)?;
    Ok(writeln!(streams.err, "{}", text::saved(profile, k, lang))?)
}

fn refusal_error(refusal: &CalibrationRefusal, lang: Lang) -> anyhow::Error {
    anyhow!(refusal.text(lang))
}
