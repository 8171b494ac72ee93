//! `shogibar engine`: the built-in engine.

use super::{CliOutcome, Streams};
use crate::usi_server;

/// The arguments of `shogibar engine`: none.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {}

pub(super) fn run(_arguments: &Arguments, streams: &mut Streams<'_>) -> anyhow::Result<CliOutcome> {
    usi_server::serve(streams.input, &mut streams.out.exact())?;
    Ok(CliOutcome::Done)
}
