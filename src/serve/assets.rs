//! The OBS pages, their scripts and style sheets. They contain no texts: these are part of their contents.

use crate::response::WebAsset;
use std::borrow::Cow;

const HTML: &str = "text/html; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const STYLE: &str = "text/css; charset=utf-8";

/// The names, types and texts of the OBS pages' files.
const TEXTS: [(&str, &str, &str); 10] = [
    ("desk", HTML, include_str!("page/desk.html")),
    ("desk.css", STYLE, include_str!("page/desk.css")),
    ("desk.js", SCRIPT, include_str!("page/desk.js")),
    ("fonts.css", STYLE, include_str!("page/fonts.css")),
    ("index.js", SCRIPT, include_str!("page/index.js")),
    ("link.js", SCRIPT, include_str!("page/link.js")),
    ("overlay", HTML, include_str!("page/overlay.html")),
    ("overlay.css", STYLE, include_str!("page/overlay.css")),
    ("overlay.js", SCRIPT, include_str!("page/overlay.js")),
    ("probe.svg", "image/svg+xml", "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"1\" height=\"1\"/>\n"),
];

/// The files of the bar. A program without the painter of the bar does not have them.
const OF_OVERLAY: [&str; 4] = ["index.js", "overlay", "overlay.css", "overlay.js"];

/// Returns the OBS pages with their scripts and style sheets, without the list of pages and without fonts.
pub fn fixed_assets(has_overlay: bool) -> Vec<WebAsset> {
    let texts = TEXTS.into_iter().filter(|(name, ..)| has_overlay || !OF_OVERLAY.contains(name));
    let asset = |(name, content_type, text): (&'static str, _, &'static str)| WebAsset {
        name,
        content_type,
        is_gzip: false,
        is_fixed: false,
        body: Cow::Borrowed(text.as_bytes()),
    };
    texts.map(asset).collect()
}
