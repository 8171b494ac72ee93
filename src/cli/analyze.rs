//! `shogibar analyze`: a whole game analysed, without a window.

mod output;
mod progress;
mod report;

use super::usage::whole;
use super::{Outcome, Streams};
use crate::analysis::{
    self, Analysis, Commission, Finding, Plan, Progress, Said, Scales, Scope, Searcher, Stage, StateFile,
};
use crate::config::{Limit, Number, Profiles};
use crate::discovery::{self, Engine};
use crate::files;
use crate::kifu::evaluation::Dialect;
use crate::kifu::{self, Record};
use crate::report::Report;
use crate::session::{Restarts, Settings};
use crate::study::Document;
use crate::text::failure::CommandError;
use crate::text::{ExpectedValue, Lang, Message, convert};
use anyhow::{anyhow, ensure};
use output::Output;
use progress::Reporter;
use report::ReportFile;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::sync_channel;
use std::time::Duration;

/// What `shogibar analyze` was given.
#[derive(Debug, clap::Args)]
#[command(after_help = "Every position is a new game to the engine, so that the result depends neither on the \
    order nor on --jobs. What is found is kept beside OUT until that is written: an analysis that was ended goes on \
    where it was. The format of OUT is told by its name, or else is that of IN. Of a file with several games it is \
    the first.")]
pub(super) struct Arguments {
    /// A game record, or `-` for standard input
    #[arg(value_name = "IN")]
    input: PathBuf,
    /// Where to write, which may be IN [default: standard output; nowhere with --report]
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
    /// Write a report of the game: `.html`, a page with graph, diagrams and all moves, or `.png`, a picture
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// An engine: a profile's name, a program's name, a path, or `builtin`; of several each takes a share
    /// [default: the first profile]
    #[arg(long = "engine", value_name = "ENGINE")]
    engines: Vec<String>,
    #[command(flatten)]
    search: Search,
    #[command(flatten)]
    scope: Range,
    /// How evaluations are written: `shogihome`, `shogigui`, `floodgate`, `csa3`
    #[arg(long, value_name = "DIALECT", default_value = Dialect::ShogiHome.name(), value_parser = dialect)]
    comments: Dialect,
    /// Add the engine's line as a variation where the move that was played lost 5 points of win rate or more
    #[arg(long)]
    add_variations: bool,
    /// Search nothing: the evaluations that the record has are taken, whoever made them
    #[arg(long, conflicts_with_all = ["again", "engines"])]
    no_search: bool,
}

/// How a position is searched.
#[derive(Clone, Copy, Debug, clap::Args)]
struct Search {
    /// Search so many positions for each
    #[arg(long, value_name = "N", group = "limit", value_parser = whole::<u64>(1, None))]
    nodes: Option<u64>,
    /// Search so many plies deep
    #[arg(long, value_name = "D", group = "limit", value_parser = whole::<u32>(1, Some(u32::MAX.into())))]
    depth: Option<u32>,
    /// Search for so long, in milliseconds [default: 1000]
    #[arg(long, value_name = "MS", group = "limit", value_parser = whole::<u64>(1, None))]
    movetime: Option<u64>,
    /// Lines to ask for
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = whole::<u32>(1, Some(600)))]
    multipv: u32,
    /// Engines at once; with several --engine, each runs at least once
    #[arg(long, value_name = "J", default_value_t = 1, value_parser = whole::<u16>(1, Some(256)))]
    jobs: u16,
    /// Threads for each engine [default: its share of the profile's, or of half the processors]
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1, Some(u32::MAX.into())))]
    threads: Option<u32>,
    /// Memory for each engine's table, in MB [default: its share of the profile's, or 256]
    #[arg(long, value_name = "MB", value_parser = whole::<u32>(1, Some(u32::MAX.into())))]
    hash: Option<u32>,
}

/// Which positions are searched.
#[derive(Clone, Copy, Debug, clap::Args)]
struct Range {
    /// Begin with the position after so many moves; 0 is the start
    #[arg(long, value_name = "PLY", default_value_t = 0)]
    from: u16,
    /// End with the one after so many [default: the last]
    #[arg(long, value_name = "PLY")]
    to: Option<u16>,
    /// The last position first
    #[arg(long)]
    from_end: bool,
    /// The variations as well
    #[arg(long)]
    variations: bool,
    /// Search again what the same engine has searched by the same limit
    #[arg(long)]
    again: bool,
}

/// The longest time for a position whose limit is no time: an engine that hangs has to be noticed some day.
const LONGEST: Duration = Duration::from_mins(10);

/// The least that a share of a profile's memory comes to, in MB.
const LEAST_HASH: u32 = 16;

fn dialect(name: &str) -> Result<Dialect, ExpectedValue> {
    let names = || Dialect::WRITTEN.iter().map(|dialect| dialect.name().to_owned()).collect();
    Dialect::from_name(name).ok_or_else(|| ExpectedValue::OneOf(names()))
}

pub(super) fn run(arguments: &Arguments, streams: &mut Streams<'_>) -> anyhow::Result<Outcome> {
    let lang = streams.lang;
    let bytes = read(&arguments.input, lang, streams)?;
    let unreadable = |why| anyhow!(Message::RecordUnreadable(name(&arguments.input, lang), why).text(lang));
    let reading = kifu::read(&bytes).map_err(|error| unreadable((&error).into()))?;
    // What cannot be written is said before anything is searched.
    let mut output = Output::new(&arguments.input, &bytes, arguments.output.as_deref(), &reading, lang);
    output.check(&reading, streams)?;
    let report = arguments.report.as_deref();
    let report = report.map(|path| ReportFile::new(path, arguments.record(), lang)).transpose()?;
    let (mut record, _said) = reading.into_first().ok_or(CommandError::NoGame)?;
    let commission = arguments.commission()?;
    let is_searched = !arguments.no_search;
    let plan = if is_searched { analysis::plan(&record, commission.scope) } else { Plan::default() };
    let profiles = super::profiles(super::store().as_ref(), lang, streams)?.value;
    let searchers = recruit(&commission, &profiles, plan.tasks.len())?;
    let mut state = output.file().filter(|_| is_searched).map(StateFile::open).transpose()?;
    let known = state.as_mut().map(|(_, known)| std::mem::take(known)).unwrap_or_default();
    let mut state = state.map(|(file, _)| file);
    let mut reporter = Reporter::new(lang, streams.err.is_terminal(), &record, &plan);
    let started = Started { plan, known, again: commission.again, searchers };
    let (progress, mut findings) = if is_searched {
        started.run(&record, &mut state, &mut reporter, streams)?
    } else {
        (Progress::of_nothing(), Vec::new())
    };
    if progress.stage != Stage::Finished {
        return Err(reporter.ended(&progress, output.file()));
    }
    if let Some(newest) = output.newest(streams)? {
        record = newest;
        findings = analysis::relocate(&record, findings);
    }
    for finding in &findings {
        if let Said::Judged(judgement) | Said::Known(judgement) = &finding.said {
            analysis::annotate(&mut record, finding.node, judgement, commission.dialect);
        }
    }
    let review = Reporter::review(&record, Scales::of(&profiles), (&progress, &findings));
    let summary = review.summary(&record);
    let added = if arguments.add_variations { analysis::add_variations(&mut record, &review) } else { 0 };
    let has_lost = if arguments.record().is_some() { output.write(&record, streams)? } else { output.has_lost() };
    if let Some(file) = report {
        file.write(&Report::new(&Document::new(record.clone()), &review, lang), streams)?;
    }
    if let Some(file) = state {
        file.settle(&progress.signatures())?;
    }
    let is_all = reporter.sum_up(&record, &summary, (&progress, &findings), streams)?;
    if arguments.add_variations {
        writeln!(streams.err, "{}", crate::text::analysis::variations(added, lang))?;
    }
    Ok(if has_lost || !is_all { Outcome::Findings } else { Outcome::Done })
}

fn read(input: &Path, lang: Lang, streams: &mut Streams<'_>) -> anyhow::Result<Vec<u8>> {
    if input == Path::new("-") {
        return Ok(files::read_from(streams.input, kifu::MAX_BYTES).map_err(CommandError::Input)?);
    }
    let unreadable = |why| anyhow!(Message::RecordUnreadable(name(input, lang), why).text(lang));
    files::read(input, kifu::MAX_BYTES).map_err(|error| unreadable((&error).into()))
}

/// What a sentence calls a file.
fn name(input: &Path, lang: Lang) -> String {
    if input == Path::new("-") { convert::standard_input(lang).to_owned() } else { input.display().to_string() }
}

impl Arguments {
    /// Where the record is written; `None` where a report is all that is wanted.
    fn record(&self) -> Option<&Path> {
        let usual = self.report.is_none().then_some(Path::new("-"));
        self.output.as_deref().or(usual)
    }

    fn commission(&self) -> anyhow::Result<Commission> {
        let Range { from, to, from_end, variations, again } = self.scope;
        let to = to.unwrap_or(u16::MAX);
        ensure!(from <= to, CommandError::NothingBetween(from, to));
        let Search { nodes, depth, movetime, multipv, jobs, threads, hash } = self.search;
        let time = || Limit::Time(Duration::from_millis(movetime.unwrap_or(1000)));
        Ok(Commission {
            engines: self.engines.clone(),
            jobs: usize::from(jobs),
            limit: nodes.map(Limit::Nodes).or_else(|| depth.map(Limit::Depth)).unwrap_or_else(time),
            multipv,
            threads,
            hash_mb: hash,
            scope: Scope { variations, from, to, from_end },
            again,
            dialect: self.comments,
            adds_variations: self.add_variations,
        })
    }
}

/// The engines that are started for an analysis of so many positions.
///
/// # Errors
/// Where the system does not say where we are.
pub(super) fn recruit(commission: &Commission, profiles: &Profiles, positions: usize) -> anyhow::Result<Vec<Searcher>> {
    let find = |name: &String| discovery::find(name, profiles);
    let engines = if commission.engines.is_empty() {
        vec![discovery::default_engine(profiles)]
    } else {
        commission.engines.iter().map(find).collect()
    };
    let engines = engines.into_iter().collect::<std::io::Result<Vec<Engine>>>();
    let engines = engines.map_err(CommandError::NoOwnPath)?;
    let count = commission.jobs.max(engines.len()).min(positions.max(1));
    let all = || engines.iter().cycle().take(count);
    let searcher = |engine: &Engine| Searcher {
        name: engine.name.clone(),
        is_profile: engine.profile.is_some(),
        program: engine.program.clone(),
        settings: settings(commission, engine, all().filter(|other| share_a_machine(engine, other)).count()),
    };
    Ok(all().map(searcher).collect())
}

/// Whether two engines take from the same processors and memory, as far as that can be told.
fn share_a_machine(one: &Engine, other: &Engine) -> bool {
    match (one.program.is_remote(), other.program.is_remote()) {
        (false, false) => true,
        (true, true) => one.name == other.name,
        _ => false,
    }
}

/// How one of so many engines on a machine is run. What a profile says is for one engine alone, and is divided.
fn settings(commission: &Commission, engine: &Engine, count: usize) -> Settings {
    let (profile, usual) = (engine.profile.clone().unwrap_or_default(), super::usual_settings(count));
    let engines = u32::try_from(count.max(1)).unwrap_or(u32::MAX);
    let share = |number, least: u32| profile.number(number).map(|all| all.div_euclid(engines).max(least.min(all)));
    Settings {
        multipv: commission.multipv,
        threads: commission.threads.or_else(|| share(Number::Threads, 1)).unwrap_or(usual.threads),
        hash_mb: commission.hash_mb.or_else(|| share(Number::Hash, LEAST_HASH)).unwrap_or(usual.hash_mb),
        k: profile.k,
        limit: commission.limit,
        apart: true,
        time_limit: LONGEST,
        restarts: restarts(),
        options: profile.options,
        ..usual
    }
}

/// Nobody is watching, and a position is given up after the third time: the next ones may go well.
fn restarts() -> Restarts {
    let pauses = [500, 2_000, 8_000].into_iter().cycle().take(9).map(Duration::from_millis);
    Restarts { pauses: pauses.collect(), within: Duration::from_mins(10) }
}

/// What is about to be analysed.
struct Started {
    plan: Plan,
    known: analysis::journal::Known,
    again: bool,
    searchers: Vec<Searcher>,
}

impl Started {
    /// Analyses it until all is done, or it is ended, and keeps what is found as it comes.
    fn run(
        self,
        record: &Record,
        state: &mut Option<StateFile>,
        reporter: &mut Reporter,
        streams: &mut Streams<'_>,
    ) -> anyhow::Result<(Progress, Vec<Finding>)> {
        let (bell, rings) = sync_channel(1);
        let ring = move || {
            // A full channel means that the bell has been heard already.
            let _heard_already = bell.try_send(());
        };
        let is_interrupted = Arc::new(AtomicBool::new(false));
        let (interrupted, interrupt) = (Arc::clone(&is_interrupted), ring.clone());
        ctrlc::set_handler(move || {
            interrupted.store(true, Ordering::Relaxed);
            interrupt();
        })
        .map_err(|error| CommandError::NoHandler(error.to_string()))?;
        let analysis =
            Analysis::start(Arc::new(record.clone()), self.plan, (self.known, self.again), self.searchers, ring);
        let analysis = analysis.map_err(CommandError::NoThread)?;
        let mut findings = Vec::new();
        let mut keep = |found: Vec<Finding>| {
            let kept = state.as_mut().map_or(Ok(()), |state| state.keep(&found));
            findings.extend(found);
            kept
        };
        loop {
            // The analysis lives as long as this does, so the channel does not close.
            let _rung = rings.recv();
            if is_interrupted.load(Ordering::Relaxed) {
                analysis.cancel();
            }
            keep(analysis.findings())?;
            if let Some(progress) = analysis.progress() {
                reporter.follow(&progress, streams)?;
                if progress.stage.is_over() {
                    // What came between the two.
                    keep(analysis.findings())?;
                    return Ok((progress, findings));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_profile_says_is_divided_among_the_engines() {
        let profiles = "[[engine]]\nname = \"big\"\nprogram = \"/x\"\nthreads = 16\nhash_mb = 4096\n\
            [[engine]]\nname = \"far\"\nprogram = \"ssh\"\nthreads = 16\n\
            [[engine]]\nname = \"small\"\nprogram = \"/x\"\nthreads = 2\nhash_mb = 8\n";
        let (profiles, _) = Profiles::read(profiles).unwrap();
        let check = |engines: &[&str], jobs, threads: Option<u32>, expect: &[(u32, u32)]| {
            let engines = engines.iter().map(|name| (*name).to_owned()).collect();
            let commission = Commission { engines, jobs, threads, ..Commission::default() };
            let found = recruit(&commission, &profiles, 100).unwrap();
            let found: Vec<_> = found.iter().map(|it| (it.settings.threads, it.settings.hash_mb)).collect();
            assert_eq!(found, expect, "{commission:?}");
        };
        check(&["big"], 1, None, &[(16, 4096)]);
        check(&["big"], 8, None, &[(2, 512); 8]);
        check(&["big"], 8, Some(16), &[(16, 512); 8]);
        check(&["small"], 3, None, &[(1, 8); 3]);
        let usual = super::super::usual_settings(1);
        // What runs elsewhere takes nothing from here.
        check(&["big", "far"], 1, None, &[(16, 4096), (16, usual.hash_mb)]);
        check(&["big", "small"], 1, None, &[(8, 2048), (1, 8)]);
    }
}
