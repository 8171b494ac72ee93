//! The manual, which is on the pages of the repository: the program carries no pictures of itself.

use crate::text::{Lang, Message};
use crate::threads;
use crate::usi::process;

/// Shows the manual in the user's browser, on a thread of its own; where there is none, `say` gets what is to be said.
pub(super) fn open(lang: Lang, say: impl FnOnce(Message) + Send + 'static) {
    let address = address(lang);
    let browse = move || {
        // Tests open nothing.
        if cfg!(test) || !process::browse(address) {
            say(Message::NoBrowser(address));
        }
    };
    // Not waited for: it may take as long as the browser runs. A system without a thread has no browser to spare.
    if let Ok(thread) = threads::named("manual", browse) {
        thread.detach();
    }
}

/// Where the manual is in a language.
const fn address(lang: Lang) -> &'static str {
    lang.pick(
        concat!(env!("CARGO_PKG_REPOSITORY"), "/blob/HEAD/docs/manual.ja.md"),
        concat!(env!("CARGO_PKG_REPOSITORY"), "/blob/HEAD/docs/manual.en.md"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_manual_is_there_in_both_languages() {
        for lang in [Lang::Ja, Lang::En] {
            let (start, path) = address(lang).split_once("/blob/HEAD/").unwrap();
            assert!(start.starts_with("https://"), "{start}");
            let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
            assert!(file.is_file(), "{} is not there", file.display());
        }
    }
}
