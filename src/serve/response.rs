//! The texts of answers: heads, and bodies of refusals.

use crate::request::RequestRefusal;
use std::borrow::Cow;

/// A text or font that the server has in memory.
#[derive(Clone, Debug)]
pub struct WebAsset {
    /// The name of the asset below the token, such as `desk.js`; empty for the list of OBS pages.
    pub name: &'static str,
    /// The media type of the asset.
    pub content_type: &'static str,
    /// Whether `body` is compressed by gzip.
    pub is_gzip: bool,
    /// Whether the asset never changes for this version of the program, so that a browser may cache it.
    pub is_fixed: bool,
    /// The bytes of the asset.
    pub body: Cow<'static, [u8]>,
}

/// The common headers of all answers, except that of a WebSocket. The type is not guessed, no referrer is sent, and the
/// connection is closed. There is no `Access-Control` field, so that no other site may read an answer.
const COMMON_HEADERS: &str =
    "X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\nConnection: close\r\n";

/// Returns the head of the answer with an asset. `host` is this server's address.
pub(crate) fn asset(asset: &WebAsset, host: &str) -> String {
    let WebAsset {
        content_type,
        is_gzip,
        is_fixed,
        body,
        ..
    } = asset;
    let encoding = if *is_gzip {
        "Content-Encoding: gzip\r\n"
    } else {
        ""
    };
    let cache = if *is_fixed {
        "private, max-age=86400"
    } else {
        "no-store"
    };
    let sources = format!(
        "connect-src 'self' ws://{host}; img-src 'self'; font-src 'self'; script-src 'self'; frame-src 'self'"
    );
    format!(
        "HTTP/1.1 200 OK\r\nContent-Type: {content_type}\r\nContent-Length: {}\r\n{encoding}Cache-Control: {cache}\r\n\
         Content-Security-Policy: default-src 'none'; {sources}; style-src 'self'\r\n{COMMON_HEADERS}\r\n",
        body.len()
    )
}

/// Returns the head of the answer with the state. `length` is that of the body, in bytes.
pub(crate) fn state(length: usize) -> String {
    format!(
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\
         Cache-Control: no-store\r\n{COMMON_HEADERS}\r\n"
    )
}

/// Returns the head of an answer with events.
pub(crate) fn events() -> String {
    format!(
        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-store\r\n{COMMON_HEADERS}\r\n"
    )
}

/// Returns the head of an answer with a file to download. `length` is that of the file, in bytes.
pub(crate) fn download(name: &str, length: usize) -> String {
    format!(
        "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {length}\r\n\
         Content-Disposition: attachment; filename=\"{name}\"\r\nCache-Control: no-store\r\n{COMMON_HEADERS}\r\n"
    )
}

/// Returns the answer that opens a WebSocket. `accept` is computed from the key in the request.
pub(crate) fn socket(accept: &str) -> String {
    format!(
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
         Sec-WebSocket-Accept: {accept}\r\n\r\n"
    )
}

/// Returns the answer of the control address to an accepted request.
pub(crate) fn no_content() -> String {
    format!("HTTP/1.1 204 No Content\r\nCache-Control: no-store\r\n{COMMON_HEADERS}\r\n")
}

/// What a person can do when too many pages are open.
const BUSY_HINT: &str = "ページを開いている数が上限に達しています。使わないページを閉じてください。\n\
     Too many pages are open. Close those that are not used.\n";

/// Returns the whole answer to a refused request.
pub(crate) fn refusal(refusal: RequestRefusal) -> String {
    let allow = if refusal == RequestRefusal::Method {
        "Allow: GET, HEAD\r\n"
    } else {
        ""
    };
    let hint = if refusal == RequestRefusal::Busy {
        BUSY_HINT
    } else {
        ""
    };
    let body = format!("{refusal}\n{hint}");
    format!(
        "HTTP/1.1 {} {refusal}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: {}\r\n{allow}Cache-Control: no-store\r\n\
         {COMMON_HEADERS}\r\n{body}",
        refusal.status(),
        body.len()
    )
}
