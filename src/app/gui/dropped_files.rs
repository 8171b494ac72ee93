//! Files that are dropped on a window. `AppModel::open` decides what becomes of them.

use eframe::egui::Context;
use shogibar_live::LiveAddress;
use shogibar_model::action::AppAction;

pub(super) fn dropped_action(ctx: &Context) -> Option<AppAction> {
    let mut files: Vec<_> = ctx.input(|input| {
        input
            .raw
            .dropped_files
            .iter()
            .map(|file| file.path().to_owned())
            .collect()
    });
    if files.len() > 1 {
        Some(AppAction::OpenAddresses(
            files.into_iter().map(LiveAddress::Path).collect(),
        ))
    } else {
        files.pop().map(AppAction::OpenFile)
    }
}
