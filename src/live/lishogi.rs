//! lishogi: a game by its id, and the games on its front page.
//!
//! A game is fetched as CSA, once a minute. The server withholds the last six moves of a game in progress. The feed of
//! lishogi TV arrives as lines of JSON or as server-sent events, without a delay. Only one request is open at a time.
//! So the moves that were played before the feed showed a game are not fetched.

pub mod feed;
pub(crate) mod shell;

use crate::http::HttpPacing;
use crate::http::core::HttpOptions;
use crate::web_url::WebUrl;

/// Returns the address of a game's record. `host` is the address of lishogi; `None` without it.
pub(crate) fn export_url(host: Option<&WebUrl>, id: &str) -> Option<WebUrl> {
    host?.join(&format!("/game/export/{id}?csa=1&clocks=1"))
}

/// Returns the address of the feed. `host` is the address of lishogi; `None` without it.
pub(crate) fn feed_url(host: Option<&WebUrl>) -> Option<WebUrl> {
    host?.join("/api/tv/feed")
}

/// Returns the options for fetching a game: at most once a minute.
pub(crate) fn options(id: String, pacing: HttpPacing) -> HttpOptions {
    HttpOptions {
        pacing,
        id: Some(id),
        is_withheld: true,
        has_shorter_intervals: false,
    }
}
