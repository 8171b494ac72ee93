//! `shogibar analyze`: the analysis of whole games, without a window.

mod chapters;
mod folder;
mod game;
mod output;
mod progress;
mod report;

use super::usage::whole;
use super::{CliOutcome, Streams};
use crate::cli::command_error::CommandError;
use crate::cli::usage_text::ExpectedValue;
use anyhow::{anyhow, ensure};
use game::{FindingsWaker, GameAnalysis};
use output::AnalysisOutput;
use report::ReportFile;
use shogibar_base::Lang;
use shogibar_engine::options::Limit;
use shogibar_games::analysis::{
    AnalysisOptions, AnalysisScope, DEFAULT_DEEPEN_FACTOR, StateError, StateFile,
};
use shogibar_games::analysis_text as text;
use shogibar_kifu::evaluation::Dialect;
use shogibar_kifu::{ReadGames, UnreadableRecord};
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The arguments of `shogibar analyze`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Every position is a new game to the engine, so that the result depends neither on the \
    order nor on --jobs. Results are kept beside OUT until it is written, so an interrupted analysis continues where it \
    stopped. The format of OUT follows from its name, or else is that of IN. If a file has several games, the first is \
    written to OUT and the others beside it: `out.csa`, `out-2.csa`; standard output gets only the first. In a folder, \
    every game of every record is analysed, in one queue, and written to the same place below OUT, each with a report \
    beside it; `results.html` and `results.csv` in OUT are the tables of all games. Finished positions and games are \
    skipped. Exit code 1: something was lost, or could not be read or analysed."
)]
pub(super) struct Arguments {
    /// A game record, a folder of records, or `-` for standard input
    #[arg(value_name = "IN")]
    input: PathBuf,
    /// Where to write; it may be IN, but for a folder it must be another folder [default: standard output; nowhere with
    /// --report, --json or --chapters]
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
    /// Write a report of the game: `.html` for a page with graph, diagrams and all moves, `.png` for a picture
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// Write everything in the report as JSON to standard output, one line per game
    #[arg(long)]
    json: bool,
    /// Write the decisive moves to standard output as chapters of a video in which the game begins at START, such as
    /// 0:05:00. The record must have the times of its moves
    #[arg(long, value_name = "START", value_parser = chapters::parse_video_time, conflicts_with = "json")]
    chapters: Option<Duration>,
    /// An engine: a profile's name, a program's name, a path, or `builtin`. May be repeated; each engine searches every
    /// position [default: the first profile]
    #[arg(long = "engine", value_name = "ENGINE")]
    engines: Vec<OsString>,
    /// Run each engine on this host, too, through ssh: the same command in the same folder. May be repeated; all copies
    /// share the positions
    #[arg(long = "ssh", value_name = "HOST", value_parser = parse_host, conflicts_with = "no_search")]
    hosts: Vec<String>,
    #[command(flatten)]
    log: super::LogArgument,
    #[command(flatten)]
    search: SearchLimitArguments,
    #[command(flatten)]
    scope: RangeArguments,
    /// The engine that judges the game, by its name or a part of it [default: among those that have evaluated 80 % of
    /// the moves, the one with the most; the built-in one last]
    #[arg(long, value_name = "NAME")]
    judge: Option<String>,
    /// How evaluations are written: `shogihome`, `shogigui`, `floodgate` or `csa3`
    #[arg(long, value_name = "DIALECT", default_value = Dialect::ShogiHome.name(), value_parser = parse_dialect)]
    comments: Dialect,
    /// Add the engine's line as a variation where the move that was played lost 5 points of win rate or more
    #[arg(long)]
    add_variations: bool,
    /// Search nothing; use the evaluations that are in the record, whoever made them
    #[arg(long, conflicts_with_all = ["again", "engines"])]
    no_search: bool,
}

/// How a position is searched.
#[derive(Clone, Copy, Debug, clap::Args)]
struct SearchLimitArguments {
    /// Search this many nodes for each position
    #[arg(long, value_name = "N", group = "limit", value_parser = whole::<u64>(1, None))]
    nodes: Option<u64>,
    /// Search each position to this depth, in plies
    #[arg(long, value_name = "D", group = "limit", value_parser = whole::<u32>(1, Some(u32::MAX.into())))]
    depth: Option<u32>,
    /// Search each position for this long, in milliseconds [default: 1000]
    #[arg(long, value_name = "MS", group = "limit", value_parser = whole::<u64>(1, None))]
    movetime: Option<u64>,
    /// Number of lines to ask for
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = whole::<u32>(1, Some(600)))]
    multipv: u32,
    /// Wherever the win rate changes by 10 points or more, search both positions again, this many times as long, before
    /// moves are marked; 0 turns this off
    #[arg(long, value_name = "F", default_value_t = DEFAULT_DEEPEN_FACTOR, value_parser = whole::<u32>(0, Some(1000)))]
    deepen: u32,
    /// Number of engines that run at once and share the positions; with several --engine, each runs at least once
    #[arg(long, value_name = "J", default_value_t = 1, value_parser = whole::<u16>(1, Some(256)))]
    jobs: u16,
    /// Threads for each engine [default: its share of the profile's, or of half the processors]
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1, Some(u32::MAX.into())))]
    threads: Option<u32>,
    /// Memory for each engine's hash table, in MB [default: its share of the profile's, or 256]
    #[arg(long, value_name = "MB", value_parser = whole::<u32>(1, Some(u32::MAX.into())))]
    hash: Option<u32>,
}

/// Which positions are searched.
#[derive(Clone, Copy, Debug, clap::Args)]
struct RangeArguments {
    /// Begin with the position after this many moves; 0 is the start
    #[arg(long, value_name = "PLY", default_value_t = 0)]
    from: u16,
    /// End with the position after this many moves [default: the last]
    #[arg(long, value_name = "PLY")]
    to: Option<u16>,
    /// Search the last position first
    #[arg(long)]
    from_end: bool,
    /// Analyse the variations, too
    #[arg(long)]
    variations: bool,
    /// Search again even what the same engine has already searched with the same limit
    #[arg(long)]
    again: bool,
}

fn parse_dialect(name: &str) -> Result<Dialect, ExpectedValue> {
    let names = || {
        Dialect::WRITABLE
            .iter()
            .map(|dialect| dialect.name().to_owned())
            .collect()
    };
    Dialect::from_name(name).ok_or_else(|| ExpectedValue::OneOf(names()))
}

/// Parses the name of a host. The name must not look like an option of `ssh`.
fn parse_host(name: &str) -> Result<String, ExpectedValue> {
    let is_name = !name.is_empty() && !name.starts_with('-');
    if is_name {
        Ok(name.to_owned())
    } else {
        Err(ExpectedValue::Host)
    }
}

pub(super) fn run(arguments: &Arguments, streams: &mut Streams<'_>) -> anyhow::Result<CliOutcome> {
    if arguments.input.is_dir() {
        ensure!(arguments.chapters.is_none(), CommandError::ChaptersOfFolder);
        return folder::run(arguments, streams);
    }
    let lang = streams.lang;
    let bytes = super::read_record(&arguments.input, lang, streams)?;
    let unreadable = |why| {
        anyhow!(UnreadableRecord::about(
            &why,
            &super::record_name(&arguments.input, lang),
            lang
        ))
    };
    let reading =
        shogibar_kifu::read_named(&bytes, &arguments.input).map_err(|error| unreadable((&error).into()))?;
    ensure!(!reading.games.is_empty(), CommandError::NoGame);
    // Output that cannot be written is reported before any search.
    let outputs = arguments.outputs(&bytes, &reading, lang, streams)?;
    let options = arguments.analysis_options()?;
    let profiles = super::profiles(super::store().as_ref(), lang, streams)?.value;
    let log = arguments.log.open();
    let waker = FindingsWaker::new();
    if !arguments.no_search {
        waker.wake_on_interrupt()?;
    }
    let (mut has_problems, mut signatures, count) = (false, BTreeSet::new(), outputs.len());
    let files: Vec<_> = outputs
        .iter()
        .filter_map(|(output, _)| output.file().map(Path::to_owned))
        .collect();
    for (number, ((output, report), record)) in (1..).zip(outputs.into_iter().zip(reading.games)) {
        if count > 1 {
            let file = output
                .file()
                .map_or_else(String::new, |file| file.display().to_string());
            writeln!(streams.err, "{}", text::game([number, count], &file, lang))?;
        }
        let game = GameAnalysis {
            arguments,
            options: &options,
            profiles: &profiles,
            log: &log,
            waker: &waker,
            lang,
        };
        let done = game.run(record, number, output, report, streams)?;
        has_problems |= done.has_problems;
        signatures.extend(done.signatures);
        if count == 1
            && let Some(state) = done.state
        {
            let signatures: Vec<_> = signatures.iter().map(String::as_str).collect();
            state.finish(&signatures)?;
        }
    }
    // State files are kept until all games are written, so that an interruption repeats no search.
    if count > 1 && !arguments.no_search {
        let signatures: Vec<_> = signatures.iter().map(String::as_str).collect();
        for file in &files {
            match StateFile::open(file) {
                Ok((state, _known)) => state.finish(&signatures)?,
                // Another analysis of the same file has begun, and uses its state file.
                Err(StateError::Busy(_)) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }
    Ok(if has_problems {
        CliOutcome::Problems
    } else {
        CliOutcome::Done
    })
}

impl Arguments {
    /// Returns the output of the record. Returns `None` if only a report or JSON is wanted.
    fn record_output(&self) -> Option<&Path> {
        let is_record_wanted = self.report.is_none() && !self.json && self.chapters.is_none();
        let default = is_record_wanted.then_some(Path::new("-"));
        self.output.as_deref().or(default)
    }

    /// Returns the checked output and report of each game. If one of them is standard output or the input file, only
    /// the first game has them. Reports warnings and losses.
    fn outputs(
        &self,
        bytes: &[u8],
        reading: &ReadGames,
        lang: Lang,
        streams: &mut Streams<'_>,
    ) -> anyhow::Result<Vec<(AnalysisOutput, Option<ReportFile>)>> {
        let is_file = |path: &&Path| *path != Path::new("-");
        let (record, report) = (self.record_output(), self.report.as_deref());
        let printed = [record, report]
            .into_iter()
            .flatten()
            .filter(|path| !is_file(path))
            .count();
        let prints_other = self.json || self.chapters.is_some();
        ensure!(printed == 0 || !prints_other, CommandError::OneOutput);
        let goes_to_files =
            record.is_none_or(|path| is_file(&path)) && report.is_none_or(|path| is_file(&path));
        let is_input = record.is_some_and(|path| shogibar_files::is_same_file(&self.input, path));
        let games = if goes_to_files && !is_input {
            reading.games.len()
        } else {
            1
        };
        let mut outputs = Vec::new();
        for (number, record) in (1..=games).zip(&reading.games) {
            let path = AnalysisOutput::numbered(self.output.as_deref(), number);
            let mut output = AnalysisOutput::new(&self.input, bytes, path.as_deref(), reading, lang);
            if number == 1 {
                output.report_warnings(reading, streams)?;
            } else {
                output.check_further(record)?;
            }
            output.check(record, reading.games.len() - games, streams)?;
            let written = AnalysisOutput::numbered(self.record_output(), number);
            let report = AnalysisOutput::numbered(report, number);
            let report = report
                .map(|path| ReportFile::new(&path, written.as_deref(), lang))
                .transpose()?;
            outputs.push((output, report));
        }
        Ok(outputs)
    }

    fn analysis_options(&self) -> anyhow::Result<AnalysisOptions> {
        let RangeArguments {
            from,
            to,
            from_end,
            variations,
            again,
        } = self.scope;
        let to = to.unwrap_or(u16::MAX);
        ensure!(from <= to, CommandError::NothingBetween(from, to));
        let SearchLimitArguments {
            nodes,
            depth,
            movetime,
            multipv,
            deepen,
            jobs,
            threads,
            hash,
        } = self.search;
        Ok(AnalysisOptions {
            engines: self
                .engines
                .iter()
                .map(|name| name.display().to_string())
                .collect(),
            jobs: usize::from(jobs),
            hosts: self.hosts.clone(),
            limit: nodes
                .map(Limit::Nodes)
                .or_else(|| depth.map(Limit::Depth))
                .unwrap_or_else(|| Limit::Time(Duration::from_millis(movetime.unwrap_or(1000)))),
            multipv,
            threads,
            hash_mb: hash,
            scope: AnalysisScope {
                variations,
                from,
                to,
                from_end,
            },
            repeats_searches: again,
            deepen,
            dialect: self.comments,
            adds_variations: self.add_variations,
        })
    }
}
