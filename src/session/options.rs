//! What an engine is set to before it is used, out of a session's settings.

use super::Settings;
use crate::config::{self, Wishes};
use crate::usi::OptionSpec;

/// The `setoption` lines for an engine that has these options.
pub(super) fn to_send(options: &[OptionSpec], engine: &str, settings: &Settings) -> Vec<String> {
    let wishes = Wishes { numbers: settings.numbers(), presets: &settings.presets, options: &settings.options };
    config::fit(options, engine, &wishes).lines
}
