//! `shogibar engines options NAME`: the options of an engine and their values.

use super::{CliOutcome, Streams};
use crate::cli::command_error::CommandError;
use anyhow::bail;
use shogibar_config::Profile;
use shogibar_config::option_form::{OptionDefaults, OptionForm};
use shogibar_engine::probe::ProbeAnswer;
use shogibar_engine::process::StartError;
use shogibar_engine::usi::{OptionKind, OptionSpec};
use shogibar_engine::{failure_text, option_text};
use shogibar_games::EngineMessage;
use shogibar_machine::discovery;
use std::ffi::OsString;

/// The arguments of `shogibar engines options`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// A profile's name, or anything else that `--engine` takes
    name: OsString,
}

/// Writes a row for each option: name, value, default, type and limits. Stored options that do not fit the engine are
/// reported on standard error.
pub(super) fn run(arguments: &Arguments, streams: &mut Streams<'_>) -> anyhow::Result<CliOutcome> {
    let (store, lang) = (super::super::store(), streams.lang);
    let name = arguments.name.display().to_string();
    let profiles = super::super::profiles(store.as_ref(), lang, streams)?.value;
    let engine = discovery::find(&arguments.name, &profiles).map_err(CommandError::NoExecutablePath)?;
    let identity = match shogibar_engine::probe::probe(&engine.program, discovery::PROBE_TIMEOUT) {
        ProbeAnswer::Engine(identity) => identity,
        ProbeAnswer::NotStarted(why @ StartError::NoFolder(_)) => {
            bail!("{}", failure_text::start_error(&why, lang))
        }
        ProbeAnswer::NotStarted(why) => {
            bail!(CommandError::NotStarted(failure_text::start_error(&why, lang)))
        }
        ProbeAnswer::NotUsi | ProbeAnswer::NotRun => bail!(EngineMessage::NotUsi(name).text(lang)),
        ProbeAnswer::Ended => bail!(CommandError::EndedAtOnce(name)),
        ProbeAnswer::Silent => bail!(CommandError::Silent(name)),
    };
    let profile = engine.profile.unwrap_or_else(|| Profile::new(&name, []));
    let settings = discovery::default_session(1);
    let defaults = OptionDefaults::new(
        &settings.presets,
        &identity.name,
        settings.option_request().numbers,
    );
    let form = OptionForm::new(&identity.options, &profile, &defaults);
    for row in form.rows() {
        let (name, kind) = (&row.option().name, type_text(row.option()));
        streams
            .out
            .write_row(&[name, row.value(), row.default().unwrap_or_default(), &kind])?;
    }
    for option in form.rejected_options() {
        writeln!(
            streams.err,
            "{name}: {}",
            option_text::rejected_option(option, lang)
        )?;
    }
    Ok(if form.rejected_options().is_empty() {
        CliOutcome::Done
    } else {
        CliOutcome::Problems
    })
}

fn type_text(option: &OptionSpec) -> String {
    match &option.kind {
        OptionKind::Check { .. } => "check".to_owned(),
        OptionKind::Spin { min, max, .. } => {
            let end = |end: &Option<i64>| end.map(|end| end.to_string()).unwrap_or_default();
            format!("spin {}..{}", end(min), end(max))
        }
        OptionKind::Combo { vars, .. } => format!("combo {}", vars.join(", ")),
        OptionKind::Button => "button".to_owned(),
        OptionKind::String { .. } => "string".to_owned(),
        OptionKind::Filename { .. } => "filename".to_owned(),
    }
}
