//! `shogibar engine`: the built-in engine.

use super::{CliOutcome, Streams};
use crate::usi_server;

/// What `shogibar engine` was given: nothing.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {}

pub(super) fn run(_arguments: &Arguments, streams: &mut Streams<'_>) -> anyhow::Result<CliOutcome> {
    usi_server::serve(streams.input, &mut streams.out.exact())?;
    Ok(CliOutcome::Done)
}
