//! Any bytes as a page or a list that names records.
#![no_main]

use libfuzzer_sys::fuzz_target;
use shogibar_live::WebUrl;
use shogibar_live::page::{self, PageContent};

fuzz_target!(|bytes: &[u8]| {
    let base = WebUrl::parse("http://example.org/games/page.html").expect("an address");
    let _page = page::is_page(bytes);
    match page::scan(bytes, &base) {
        PageContent::Record(url) | PageContent::Frame(url) => assert!(matches!(url.scheme(), "http" | "https")),
        PageContent::Games(games) => assert!(!games.is_empty()),
        PageContent::Nothing => {}
    }
});
