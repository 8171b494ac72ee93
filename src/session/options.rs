//! What an engine is set to before it is used, out of a session's settings.

use super::SessionConfig;
use crate::config::{self, OptionRequest, ResolvedOptions};
use crate::usi::OptionSpec;

/// What an engine that has these options is sent, and what of the user's it is not.
pub(super) fn fit(options: &[OptionSpec], engine: &str, settings: &SessionConfig) -> ResolvedOptions {
    let wishes = OptionRequest { numbers: settings.numbers(), presets: &settings.presets, options: &settings.options };
    config::fit(options, engine, &wishes)
}
