//! `shogibar engines`: the engines on this machine and those the user has set up.

mod change;
mod options;

use super::{CliOutcome, Streams};
use crate::cli::command_error::CommandError;
use shogibar_base::Lang;
use shogibar_config::{Platform, Profiles, engines_text};
use shogibar_machine::discovery::{self, FoundEngine, SearchPaths};
use shogibar_machine::store::Store;

/// The arguments of `shogibar engines`. Without a subcommand it lists the engines.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    #[command(subcommand)]
    action: Option<EnginesCommand>,
}

#[derive(Debug, clap::Subcommand)]
enum EnginesCommand {
    /// List the options of an engine, with the values of its profile
    Options(options::Arguments),
    #[command(flatten)]
    Change(change::ProfileChange),
}

pub(super) fn set_scale(profile: &str, k: f64, streams: &mut Streams<'_>) -> anyhow::Result<CliOutcome> {
    let change = change::ProfileChange::Set {
        name: profile.to_owned(),
        settings: vec![format!("k={k}")],
    };
    change::run(&change, streams)
}

pub(super) fn run(arguments: &Arguments, streams: &mut Streams<'_>) -> anyhow::Result<CliOutcome> {
    match &arguments.action {
        None => {
            list(streams)?;
            Ok(CliOutcome::Done)
        }
        Some(EnginesCommand::Options(arguments)) => options::run(arguments, streams),
        Some(EnginesCommand::Change(change)) => change::run(change, streams),
    }
}

/// Writes a row for each engine: name, path, `id name`, and whether it is the default.
pub(super) fn list(streams: &mut Streams<'_>) -> anyhow::Result<()> {
    let (store, lang) = (super::store(), streams.lang);
    let profiles = super::profiles(store.as_ref(), lang, streams)?.value;
    list_engines(&profiles, store.as_ref(), lang, streams)
}

/// Writes the rows of [`list`], and how to add engines if only the built-in one was found.
fn list_engines(
    profiles: &Profiles,
    store: Option<&Store>,
    lang: Lang,
    streams: &mut Streams<'_>,
) -> anyhow::Result<()> {
    let profile_engines = profiles
        .iter()
        .map(discovery::from_profile)
        .collect::<Result<Vec<_>, _>>();
    let mut all = profile_engines.map_err(CommandError::NoExecutablePath)?;
    // A program that is set up under its own name is listed once, as the profile.
    let is_set_up = |found: &FoundEngine| {
        let mut known = all.iter();
        known.any(|known| {
            known.name == found.name && shogibar_files::is_same_file(&known.program.path, &found.program.path)
        })
    };
    let found = discovery::all(&shogibar_config::built_in_presets(), &SearchPaths::here());
    let found: Vec<_> = found.into_iter().filter(|found| !is_set_up(found)).collect();
    all.extend(found);
    let default = profiles.default_name();
    let mut written = Ok(());
    discovery::probe_all(&all, store, discovery::PROBE_TIMEOUT, |index, answer| {
        let Some(engine) = all.get(index) else { return };
        let path = engine.program.path.display().to_string();
        // A program can have the same name as a profile, which then takes precedence.
        let is_default =
            engine.name == default && (engine.is_added_by_user() || default == discovery::BUILT_IN_NAME);
        let name = engines_text::answer(answer, lang);
        let fields = [engine.name.as_str(), &path, &name, "default"];
        let line = streams
            .out
            .write_row(fields.get(..if is_default { 4 } else { 3 }).unwrap_or_default());
        written = std::mem::replace(&mut written, Ok(()))
            .and(line)
            .and_then(|()| streams.out.flush());
    })
    .map_err(CommandError::NoThread)?;
    written?;
    if all.len() == 1 {
        writeln!(streams.err, "{}", engines_text::hint(Platform::here(), lang))?;
    }
    Ok(())
}
