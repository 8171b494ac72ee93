//! The bytes of answers.

use crate::request::RequestRefusal;
use std::borrow::Cow;

/// A fixed text or font that is served.
#[derive(Clone, Debug)]
pub struct WebAsset {
    /// The name of the asset below the token, such as `desk.js`; empty for the list of OBS pages.
    pub name: &'static str,
    /// The media type of the asset.
    pub content_type: &'static str,
    /// Whether `body` is compressed by gzip.
    pub is_gzip: bool,
    /// Whether the asset never changes for this version of the program.
    pub is_fixed: bool,
    /// The bytes of the asset.
    pub body: Cow<'static, [u8]>,
}

/// The headers of every answer: it is not cached, its type is not guessed, and no referrer is sent. No other site may
/// read it, because no `Access-Control` field is sent.
const COMMON: &str = "X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\nConnection: close\r\n";

/// Returns the head of an asset's answer. `host` is this server's address.
pub(crate) fn asset(asset: &WebAsset, host: &str) -> String {
    let WebAsset { content_type, is_gzip, is_fixed, body, .. } = asset;
    let encoding = if *is_gzip { "Content-Encoding: gzip\r\n" } else { "" };
    let cache = if *is_fixed { "private, max-age=86400" } else { "no-store" };
    let sources =
        format!("connect-src 'self' ws://{host}; img-src 'self'; font-src 'self'; script-src 'self'; frame-src 'self'");
    format!(
        "HTTP/1.1 200 OK\r\nContent-Type: {content_type}\r\nContent-Length: {}\r\n{encoding}Cache-Control: {cache}\r\n\
         Content-Security-Policy: default-src 'none'; {sources}; style-src 'self'\r\n{COMMON}\r\n",
        body.len()
    )
}

/// Returns the head of the state's answer.
pub(crate) fn state(length: usize) -> String {
    format!(
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\
         Cache-Control: no-store\r\n{COMMON}\r\n"
    )
}

/// Returns the head of an answer with events.
pub(crate) fn events() -> String {
    format!("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-store\r\n{COMMON}\r\n")
}

/// Returns the head of an answer with a file to download.
pub(crate) fn download(name: &str, length: usize) -> String {
    format!(
        "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {length}\r\n\
         Content-Disposition: attachment; filename=\"{name}\"\r\nCache-Control: no-store\r\n{COMMON}\r\n"
    )
}

/// Returns the answer that opens a WebSocket. `accept` is computed from its key.
pub(crate) fn socket(accept: &str) -> String {
    format!(
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
         Sec-WebSocket-Accept: {accept}\r\n\r\n"
    )
}

/// Returns the answer of the control address to an accepted request.
pub(crate) fn taken() -> String {
    format!("HTTP/1.1 204 No Content\r\nCache-Control: no-store\r\n{COMMON}\r\n")
}

/// Returns the whole answer to a refused request.
pub(crate) fn refusal(refusal: RequestRefusal) -> String {
    let allow = if refusal == RequestRefusal::Method { "Allow: GET, HEAD\r\n" } else { "" };
    let body = format!("{refusal}\n");
    format!(
        "HTTP/1.1 {} {refusal}\r\nContent-Type: text/plain\r\nContent-Length: {}\r\n{allow}Cache-Control: no-store\r\n\
         {COMMON}\r\n{body}",
        refusal.status(),
        body.len()
    )
}
