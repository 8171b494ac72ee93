//! What an engine is set to before it is used, out of a session's settings.

use super::Settings;
use crate::config::{self, Fit, Wishes};
use crate::usi::OptionSpec;

/// What an engine that has these options is sent, and what of the user's it is not.
pub(super) fn fit(options: &[OptionSpec], engine: &str, settings: &Settings) -> Fit {
    let wishes = Wishes { numbers: settings.numbers(), presets: &settings.presets, options: &settings.options };
    config::fit(options, engine, &wishes)
}
