//! `shogibar engines options NAME`: what can be set in an engine, and what is.

use super::{Outcome, Streams};
use crate::config::Profile;
use crate::config::option_form::{Form, Usual};
use crate::discovery::{self, Answer};
use crate::text::setting;
use crate::usi::{OptionKind, OptionSpec};
use anyhow::{Context as _, bail};
use std::ffi::OsString;

/// What `shogibar engines options` was given.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// A profile, or what else `--engine` takes
    name: OsString,
}

/// Writes a line for each option: its name, its value, its default, its type and limits. What the
/// profile holds and the engine does not take is said on standard error.
pub(super) fn run(arguments: &Arguments, streams: &mut Streams<'_>) -> anyhow::Result<Outcome> {
    let (store, lang) = (super::super::store(), super::super::lang(None));
    let name = arguments.name.display();
    let profiles = super::super::profiles(store.as_ref(), lang, streams)?.value;
    let engine = discovery::find(&arguments.name, &profiles).context("the system does not say where we are")?;
    let said = match discovery::ask(&engine.program, discovery::PATIENCE) {
        Answer::Engine(said) => said,
        Answer::NotStarted(why) => bail!("{why}"),
        Answer::NotUsi => bail!("{name} is not a USI engine"),
        Answer::Silent => bail!("{name} does not answer"),
    };
    let profile = engine.profile.unwrap_or_else(|| Profile::new(&name.to_string(), []));
    let settings = super::super::usual_settings(1);
    let usual = Usual::new(&settings.presets, &said.name, settings.numbers());
    let form = Form::new(&said.options, &profile, &usual);
    for row in form.rows() {
        let kind = limits(row.option());
        writeln!(streams.out, "{}\t{}\t{}\t{kind}", row.option().name, row.value(), row.default().unwrap_or_default())?;
    }
    for misfit in form.misfits() {
        writeln!(streams.err, "{name}: {}", setting::misfit(misfit, lang))?;
    }
    Ok(if form.misfits().is_empty() { Outcome::Done } else { Outcome::Findings })
}

fn limits(option: &OptionSpec) -> String {
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
