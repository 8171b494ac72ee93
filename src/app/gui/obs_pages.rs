//! The pages for OBS, as the settings want them.

use super::{SharedViewer, Wakers, browser};
use crate::app::action::AppAction;
use crate::app::effects::pages::{DeskOutcome, PagesAddress, PagesLook, RunningPages};
use crate::app::preferences::SharedPreferences;
use crate::app::viewer::Viewer;
use crate::text::{Lang, Message, pages as text};
use crate::threads::lock;
use crate::ui::settings::PagesStatus;
use shogibar_serve::PageToken;
use std::sync::Arc;

/// Serves the pages, or ends that, as the settings say. Returns whether they are wanted. The first time, the address gets
/// its secret.
pub(super) fn apply(viewer: &SharedViewer, preferences: &SharedPreferences) -> bool {
    let is_desk_wanted = lock(viewer).pages().is_desk_wanted();
    let wanted = {
        let mut preferences = lock(preferences);
        if is_desk_wanted && !preferences.settings().pages.is_on {
            preferences.change(|settings| settings.pages.is_on = true);
        }
        let is_on = preferences.settings().pages.is_on;
        if is_on && PageToken::parse(&preferences.settings().pages.token).is_none() {
            // Without random numbers, there is no address.
            if let Ok(token) = PageToken::random() {
                preferences.change(|settings| settings.pages.token = token.to_string());
            }
        }
        let settings = preferences.settings();
        let token = PageToken::parse(&settings.pages.token).filter(|_| is_on);
        token.map(|token| {
            let address = PagesAddress { port: settings.pages.port.0, token, is_open: settings.pages.is_open };
            let (overlay, parts) = (settings.overlay.clone(), settings.parts.clone());
            let (program_font, lang) = (settings.general.font.clone(), preferences.lang());
            (address, PagesLook { overlay, program_font, parts, lang, store: preferences.store().cloned() })
        })
    };
    let serves = wanted.is_some();
    lock(viewer).want_pages(wanted);
    serves
}

/// Opens the desk in the browser, once it is served and where the user waits for it. Failures are shown on the bar.
pub(super) fn open_desk(viewer: &SharedViewer, wakers: &Wakers) {
    let outcome = lock(viewer).pages_mut().take_desk();
    let (viewer, wakers) = (Arc::clone(viewer), wakers.clone());
    let report = move |message| {
        lock(&viewer).act_on_page(AppAction::Remark(message));
        wakers.wake();
    };
    match outcome {
        Some(DeskOutcome::Served(address)) => browser::browse(address, move || report(Message::NoBrowserForPages)),
        Some(DeskOutcome::NotServed) => report(Message::PagesNotServed),
        None => {}
    }
}

/// Returns the state of the pages for the page of settings.
pub(super) fn status(viewer: &Viewer, lang: Lang) -> PagesStatus {
    let pages = viewer.pages();
    PagesStatus {
        url: pages.running().map(RunningPages::url).unwrap_or_default(),
        lan_url: pages.running().and_then(|running| running.lan_url().map(str::to_owned)).unwrap_or_default(),
        problem: pages.problem().map(|why| text::not_served_yet(why, lang)).unwrap_or_default(),
    }
}
