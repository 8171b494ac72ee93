//! The options that an engine gets before its first search, computed from the session's settings.

use super::SessionConfig;
use crate::config::{self, OptionRequest, ResolvedOptions};
use crate::usi::OptionSpec;

/// Resolves the settings against the options that the engine declares. The result holds the lines to send, and
/// the user's options that are not sent.
pub(super) fn fit(options: &[OptionSpec], engine: &str, settings: &SessionConfig) -> ResolvedOptions {
    let request = OptionRequest { numbers: settings.numbers(), presets: &settings.presets, options: &settings.options };
    config::resolve(options, engine, &request)
}
