//! Serves the OBS pages as set in the settings.

use super::SharedViewer;
use crate::app::effects::pages::{ObsPagesAddress, ObsPagesSettings, RunningObsPages};
use crate::app::preferences::{Preferences, SharedPreferences};
use crate::app::viewer::Viewer;
use shogibar_base::Lang;
use shogibar_base::threads::lock;
use shogibar_base::visible::short;
use shogibar_config::ObsSettings;
use shogibar_model::pages::control::ControlCommand;
use shogibar_model::{AppModel, pages_text as text};
use shogibar_serve::AccessToken;
use shogibar_shogi::Color;
use shogibar_ui::settings::ObsPagesStatus;

/// Serves the OBS pages or ends them, as set in the settings. Returns whether they are wanted, and whether the control
/// address has requested a layout or a theme. The first time, each address gets its token.
pub(super) fn apply(viewer: &SharedViewer, preferences: &SharedPreferences) -> (bool, bool) {
    let commands = lock(viewer).control_log().take_style_commands();
    let is_changed = !commands.is_empty();
    let wanted = {
        let mut preferences = lock(preferences);
        for command in commands {
            apply_style_command(&mut preferences, command);
        }
        let ObsSettings {
            is_on,
            allows_control,
            ..
        } = preferences.settings().obs;
        if is_on {
            make_token(&mut preferences, |pages| &mut pages.token);
        }
        if is_on && allows_control {
            make_token(&mut preferences, |pages| &mut pages.control_token);
        }
        let settings = preferences.settings();
        let token = if is_on {
            AccessToken::parse(&settings.obs.token)
        } else {
            None
        };
        token.map(|token| {
            let pages = &settings.obs;
            let control_token = if pages.allows_control {
                AccessToken::parse(&pages.control_token)
            } else {
                None
            };
            let address = ObsPagesAddress {
                port: pages.port.0,
                token,
                is_open: pages.serves_network,
                control_token,
            };
            let (overlay, parts) = (settings.overlay.clone(), settings.parts.clone());
            let (program_font, lang) = (settings.general.font.clone(), preferences.lang());
            let (second_names, store) = (settings.second_names.clone(), preferences.store().cloned());
            (
                address,
                ObsPagesSettings {
                    overlay,
                    program_font,
                    parts,
                    lang,
                    second_names,
                    store,
                },
            )
        })
    };
    let serves = wanted.is_some();
    lock(viewer).request_obs_pages(wanted);
    (serves, is_changed)
}

/// Makes a token in the settings, unless there is a valid one. Without random numbers, there is no token.
fn make_token(preferences: &mut Preferences, token: fn(&mut ObsSettings) -> &mut String) {
    let mut known = preferences.settings().obs.clone();
    if AccessToken::parse(token(&mut known)).is_none()
        && let Ok(new) = AccessToken::random()
    {
        preferences.change(|settings| *token(&mut settings.obs) = new.to_string());
    }
}

/// Applies a layout or a theme that the control address has requested. A name that does not exist changes nothing.
fn apply_style_command(preferences: &mut Preferences, command: ControlCommand) {
    match command {
        ControlCommand::Layout(layout) => preferences.change(|settings| settings.overlay.layout = layout),
        ControlCommand::Theme(theme) if preferences.themes().iter().any(|entry| entry.name == theme) => {
            preferences.change(|settings| settings.overlay.theme = theme);
        }
        _ => {}
    }
}

/// Returns the names of the players of the game on the study page; empty for a player without a name.
fn players(model: &AppModel) -> [String; 2] {
    let record = model.game(model.study_game()).document().record();
    [Color::Black, Color::White].map(|color| record.player(color).map(short).unwrap_or_default().into_owned())
}

pub(super) fn status(viewer: &mut Viewer, lang: Lang) -> ObsPagesStatus {
    let players = players(viewer.model());
    let last_commands = viewer.control_log().last().map(str::to_owned).collect();
    let pages = viewer.pages();
    ObsPagesStatus {
        control_url: pages
            .running()
            .and_then(RunningObsPages::control_url)
            .unwrap_or_default(),
        last_commands,
        players,
        url: pages.running().map(RunningObsPages::url).unwrap_or_default(),
        lan_url: pages
            .running()
            .and_then(|running| running.lan_url().map(str::to_owned))
            .unwrap_or_default(),
        problem: pages
            .problem()
            .map(|why| text::not_served_yet(why, lang))
            .unwrap_or_default(),
    }
}
