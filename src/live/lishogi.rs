//! lishogi: a game by its id, and the games on its front page.
//!
//! A game is fetched as CSA, a minute apart. The server withholds the last six moves of a game in progress. The feed of
//! its television arrives as lines of JSON or as server-sent events; its moves are not withheld. Only one request is
//! open at a time. So the moves from before the feed showed a game are not fetched beside the feed.

pub mod feed;
pub(crate) mod shell;

use crate::http::HttpPacing;
use crate::http::core::HttpOptions;
use crate::web_url::WebUrl;

/// Returns the address of a game's record.
pub(crate) fn export_url(host: Option<&WebUrl>, id: &str) -> Option<WebUrl> {
    host?.join(&format!("/game/export/{id}?csa=1&clocks=1"))
}

/// Returns the address of the feed.
pub(crate) fn feed_url(host: Option<&WebUrl>) -> Option<WebUrl> {
    host?.join("/api/tv/feed")
}

/// Returns the options for fetching a game: at most once a minute.
pub(crate) fn options(id: String, pacing: HttpPacing) -> HttpOptions {
    HttpOptions { pacing, id: Some(id), is_withheld: true, has_lower_floors: false }
}
