//! Any text as the address of a live game, and as a link in a page. The text shown for an address is read back as the
//! same address.
#![no_main]

use libfuzzer_sys::fuzz_target;
use shogibar_live::{LiveAddress, WebUrl};

fuzz_target!(|text: &str| {
    if let Ok(address) = LiveAddress::parse(text) {
        let shown = address.to_string();
        let again = LiveAddress::parse(&shown).map(|address| address.to_string());
        // A path may hold characters that a trimmed address does not, so only the others have to be equal.
        if !matches!(address, LiveAddress::Path(_)) {
            assert_eq!(again.as_ref(), Ok(&shown));
        }
    }
    let base = WebUrl::parse("http://example.org/games/page.html?x=1").expect("an address");
    if let Some(url) = base.join(text) {
        let shown = url.request_target();
        assert_eq!(WebUrl::parse(&shown).map(|url| url.request_target()), Some(shown));
    }
});
