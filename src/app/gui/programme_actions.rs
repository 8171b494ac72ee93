//! What the user does in the panel of the outputs, in its window or in the strip of the main window.

use super::{SharedViewer, browser};
use crate::app::preferences::SharedPreferences;
use shogibar_base::threads::lock;
use shogibar_model::action::AppAction;
use shogibar_programme::words::GUIDELINE_URL;
use shogibar_ui::programme::ProgrammeAction;

/// Carries out an action of the user.
pub(super) fn act(viewer: &SharedViewer, preferences: &SharedPreferences, action: ProgrammeAction) {
    let mut viewer = lock(viewer);
    match action {
        ProgrammeAction::OwnGameRule(source, rule) => {
            drop(viewer);
            lock(preferences).change(|settings| settings.own_games.set(&source, rule));
        }
        ProgrammeAction::Output(output, command) => viewer.act_on_study(AppAction::Output(output, command)),
        ProgrammeAction::NumbersOnly(is_on) => viewer.act_on_study(AppAction::NumbersOnly(is_on)),
        ProgrammeAction::List(game) => viewer.act_on_study(AppAction::List(game)),
        ProgrammeAction::OpenGuideline => browser::open(GUIDELINE_URL, |_message| {}),
        ProgrammeAction::OpenFairPlay => browser::open(browser::FAIR_PLAY_URL, |_message| {}),
    }
}
