//! The OBS pages, their scripts, style sheets and pictures. They contain no texts for the user: a feed sends the texts.

use crate::response::WebAsset;
use std::borrow::Cow;

/// The media type of a page.
const HTML_TYPE: &str = "text/html; charset=utf-8";
const SCRIPT_TYPE: &str = "text/javascript; charset=utf-8";
/// The media type of a style sheet.
const STYLE_TYPE: &str = "text/css; charset=utf-8";

/// The names, media types and contents of the OBS pages' files.
const PAGE_FILES: [(&str, &str, &str); 11] = [
    ("board", HTML_TYPE, include_str!("page/overlay.html")),
    ("desk", HTML_TYPE, include_str!("page/desk.html")),
    ("desk.css", STYLE_TYPE, include_str!("page/desk.css")),
    ("desk.js", SCRIPT_TYPE, include_str!("page/desk.js")),
    ("fonts.css", STYLE_TYPE, include_str!("page/fonts.css")),
    ("index.js", SCRIPT_TYPE, include_str!("page/index.js")),
    ("link.js", SCRIPT_TYPE, include_str!("page/link.js")),
    ("overlay", HTML_TYPE, include_str!("page/overlay.html")),
    ("overlay.css", STYLE_TYPE, include_str!("page/overlay.css")),
    ("overlay.js", SCRIPT_TYPE, include_str!("page/overlay.js")),
    (
        "probe.svg",
        "image/svg+xml",
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"1\" height=\"1\"/>\n",
    ),
];

/// The names of the files of the bar and the board. A program without the painter of the bar does not serve them.
const OVERLAY_FILES: [&str; 5] = ["board", "index.js", "overlay", "overlay.css", "overlay.js"];

/// Returns the files of the OBS pages, without the list of pages and without fonts. `has_overlay` is whether the
/// program has the painter of the bar.
pub fn page_assets(has_overlay: bool) -> Vec<WebAsset> {
    let files = PAGE_FILES
        .into_iter()
        .filter(|(name, ..)| has_overlay || !OVERLAY_FILES.contains(name));
    files
        .map(|(name, content_type, text)| WebAsset {
            name,
            content_type,
            is_gzip: false,
            is_fixed: false,
            body: Cow::Borrowed(text.as_bytes()),
        })
        .collect()
}
