//! Any bytes as a page or a list that names records.
#![no_main]

use libfuzzer_sys::fuzz_target;
use shogibar_live::WebUrl;
use shogibar_live::source_document::{self, DocumentContent};

fuzz_target!(|bytes: &[u8]| {
    let base = WebUrl::parse("http://example.org/games/page.html").expect("an address");
    let _page = source_document::is_html(bytes);
    match source_document::scan(bytes, &base) {
        DocumentContent::Record(url) | DocumentContent::Frame(url) => {
            assert!(matches!(url.scheme(), "http" | "https"))
        }
        DocumentContent::Games(games) => assert!(!games.is_empty()),
        DocumentContent::Nothing => {}
    }
});
