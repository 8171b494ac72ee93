//! The pages for OBS, as the settings want them.

use super::SharedViewer;
use crate::app::effects::pages::{PagesAddress, PagesLook, RunningPages};
use crate::app::preferences::SharedPreferences;
use crate::app::viewer::Viewer;
use crate::text::{Lang, pages as text};
use crate::threads::lock;
use crate::ui::settings::PagesStatus;
use shogibar_serve::PageToken;

/// Serves the pages, or ends that, as the settings say. Returns whether they are wanted. The first time, the address gets
/// its secret.
pub(super) fn apply(viewer: &SharedViewer, preferences: &SharedPreferences) -> bool {
    let wanted = {
        let mut preferences = lock(preferences);
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

/// Returns the state of the pages for the page of settings.
pub(super) fn status(viewer: &Viewer, lang: Lang) -> PagesStatus {
    let pages = viewer.pages();
    PagesStatus {
        url: pages.running().map(RunningPages::url).unwrap_or_default(),
        lan_url: pages.running().and_then(|running| running.lan_url().map(str::to_owned)).unwrap_or_default(),
        problem: pages.problem().map(|why| text::not_served_yet(why, lang)).unwrap_or_default(),
    }
}
