//! The settings of the user that the model follows.

use shogibar_base::Lang;
use shogibar_config::{OwnGameRules, Settings};
use std::time::Duration;

/// The settings that the model follows.
#[expect(clippy::struct_excessive_bools, reason = "each flag is a separate setting")]
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ModelSettings {
    /// The language of the screen.
    pub lang: Lang,
    /// Whether two relays, of engines that play each other, share a bar.
    pub shares_relay_bar: bool,
    /// Whether the evaluations of finished games are stored.
    pub keeps_results: bool,
    /// Whether the graphs of games that were joined late are filled.
    pub fills_graph: bool,
    /// Whether the engines pause while the evaluation is hidden.
    pub pauses_hidden: bool,
    /// The longest search of a position by engines without a limit of their own; `None` for no limit.
    pub position_limit: Option<Duration>,
    /// Whether a record or position that is copied anywhere becomes a game.
    pub watches_clipboard: bool,
    /// Whether the engines of the bars also search live games without a bar.
    pub shares_engines: bool,
    /// Whether the games of a source are the user's own.
    pub own_games: OwnGameRules,
    /// The record folders of the shelf.
    pub shelf_folders: Vec<String>,
}

impl ModelSettings {
    /// Selects these settings from all settings of the user. `lang` is the language of the screen.
    pub fn new(settings: &Settings, lang: Lang) -> Self {
        let general = &settings.general;
        Self {
            lang,
            shares_relay_bar: settings.relay.shares_bar,
            keeps_results: general.keeps_results,
            fills_graph: general.fills_graph,
            pauses_hidden: settings.overlay.pauses_hidden,
            position_limit: general.position_limit.time(),
            watches_clipboard: general.watches_clipboard,
            shares_engines: general.shares_engines,
            own_games: settings.own_games.clone(),
            shelf_folders: settings.shelf.folders.clone(),
        }
    }
}
