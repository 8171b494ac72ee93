//! Opens web pages in the user's browser, such as the manual.

use super::SharedViewer;
use shogibar_base::Lang;
use shogibar_base::threads::{self, lock};
use shogibar_engine::process;
use shogibar_model::Message;
use shogibar_model::action::AppAction;
use shogibar_model::record_file::WakeFn;
use std::sync::Arc;

/// The address of the web page of the newest release.
pub(super) const NEWEST_RELEASE_URL: &str = concat!(env!("CARGO_PKG_REPOSITORY"), "/releases/latest");

/// The address of the page about where engines are prohibited.
pub(super) const FAIR_PLAY_URL: &str = concat!(env!("CARGO_PKG_REPOSITORY"), "/blob/HEAD/docs/fair-play.md");

/// Returns the address of a section of the manual in a language: `manual_url!(lang, "#engines")`.
macro_rules! manual_url {
    ($lang:expr, $anchor:literal) => {
        $lang.pick(
            concat!(
                env!("CARGO_PKG_REPOSITORY"),
                "/blob/HEAD/docs/manual.ja.md",
                $anchor
            ),
            concat!(
                env!("CARGO_PKG_REPOSITORY"),
                "/blob/HEAD/docs/manual.en.md",
                $anchor
            ),
        )
    };
}

/// Returns the address of the manual in a language.
pub(super) const fn manual_url(lang: Lang) -> &'static str {
    manual_url!(lang, "")
}

/// Returns the address of the manual's section about where to get strong engines.
pub(super) const fn strong_engines_url(lang: Lang) -> &'static str {
    manual_url!(lang, "#strong-engines")
}

/// Opens a public web page on a background thread. If there is no browser, `report` receives a message for the user.
///
/// `Context::open_url` is not used: that method reports no failure and needs another crate.
pub(super) fn open(address: &'static str, report: impl FnOnce(Message) + Send + 'static) {
    open_served_page(address.to_owned(), move || report(Message::NoBrowser(address)));
}

/// Opens a page that this program serves, on a background thread. The address holds a token, so no message names it.
/// `report` is called if there is no browser.
pub(super) fn open_served_page(address: String, report: impl FnOnce() + Send + 'static) {
    let browse = move || {
        // Tests open no browser.
        if cfg!(test) || !process::browse(&address) {
            report();
        }
    };
    // The thread is not joined: it may run as long as the browser. If no thread can be started, nothing is opened.
    if let Ok(thread) = threads::spawn("browser", browse) {
        thread.detach();
    }
}

/// Opens a web page from the main window. A failure is shown on the bar.
pub(super) fn open_from_main_window(viewer: &SharedViewer, address: &'static str, wake: &WakeFn) {
    let (viewer, wake) = (Arc::clone(viewer), Arc::clone(wake));
    open(address, move |message| {
        lock(&viewer).act_on_study(AppAction::ShowNotice(message));
        wake();
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn has_the_manual_in_both_languages() {
        for address in [Lang::Ja, Lang::En]
            .into_iter()
            .flat_map(|lang| [manual_url(lang), strong_engines_url(lang)])
        {
            let (start, path) = address.split_once("/blob/HEAD/").unwrap();
            assert!(start.starts_with("https://"), "{start}");
            let (path, anchor) = path.split_once('#').unwrap_or((path, ""));
            let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
            let text = String::from_utf8(shogibar_files::read(&file, 1 << 20).unwrap()).unwrap();
            assert!(
                anchor.is_empty() || text.contains(&format!("<a id=\"{anchor}\"></a>")),
                "{anchor}"
            );
        }
    }
}
