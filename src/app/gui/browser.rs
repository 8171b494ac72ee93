//! Pages in the user's own browser. The manual is one of them: the program carries no pictures of itself.

use super::SharedHost;
use crate::app::engine_manager::WakeEngines;
use crate::app::state::AppAction;
use crate::text::{Lang, Message};
use crate::threads::{self, lock};
use crate::usi::process;
use std::sync::Arc;

/// Where there is a newer version.
pub(super) const RELEASES: &str = concat!(env!("CARGO_PKG_REPOSITORY"), "/releases/latest");

/// Where the manual is in a language.
pub(super) const fn manual(lang: Lang) -> &'static str {
    lang.pick(
        concat!(env!("CARGO_PKG_REPOSITORY"), "/blob/HEAD/docs/manual.ja.md"),
        concat!(env!("CARGO_PKG_REPOSITORY"), "/blob/HEAD/docs/manual.en.md"),
    )
}

/// Shows a page, on a thread of its own; where there is no browser, `say` gets what is to be said.
///
/// This is not `Context::open_url`, which says nothing of a failure and needs a crate that is not among ours.
pub(super) fn open(address: &'static str, say: impl FnOnce(Message) + Send + 'static) {
    let browse = move || {
        // Tests open nothing.
        if cfg!(test) || !process::browse(address) {
            say(Message::NoBrowser(address));
        }
    };
    // Not waited for: it may take as long as the browser runs. A system without a thread has no browser to spare.
    if let Ok(thread) = threads::named("browser", browse) {
        thread.detach();
    }
}

/// The same from the main window, which has its host say it.
pub(super) fn open_for(host: &SharedHost, address: &'static str, wake: &WakeEngines) {
    let (host, wake) = (Arc::clone(host), Arc::clone(wake));
    open(address, move |said| {
        lock(&host).act(&AppAction::Remark(said));
        wake();
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_manual_is_there_in_both_languages() {
        for lang in [Lang::Ja, Lang::En] {
            let (start, path) = manual(lang).split_once("/blob/HEAD/").unwrap();
            assert!(start.starts_with("https://"), "{start}");
            let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
            assert!(file.is_file(), "{} is not there", file.display());
        }
    }
}
