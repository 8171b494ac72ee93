//! The decision whether a request is valid and allowed, without a socket.

use crate::token::AccessToken;
use httparse::{EMPTY_HEADER, Header, Request, Status};
use thiserror::Error;

/// The largest head of a request, in bytes.
pub const MAX_HEAD_BYTES: usize = 8 << 10;
/// The largest number of header fields.
pub const MAX_HEADERS: usize = 64;
/// The longest query, in bytes.
const MAX_QUERY_BYTES: usize = 1 << 10;

/// The reason why a request is refused. The client gets only this text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum RequestRefusal {
    /// The request is malformed, too large, or has a body. Or it names another server or origin, or comes from a
    /// browser to the control address.
    #[error("Bad Request")]
    Bad,
    /// There is no such page or command, or the token is wrong.
    #[error("Not Found")]
    NotFound,
    /// The method is not allowed at this address.
    #[error("Method Not Allowed")]
    Method,
    /// The request was not complete in time.
    #[error("Request Timeout")]
    Slow,
    /// There are too many clients.
    #[error("Service Unavailable")]
    Busy,
    /// The control address was asked too often.
    #[error("Too Many Requests")]
    TooMany,
}

impl RequestRefusal {
    /// Returns the status code.
    pub const fn status(self) -> u16 {
        match self {
            Self::Bad => 400,
            Self::NotFound => 404,
            Self::Method => 405,
            Self::Slow => 408,
            Self::Busy => 503,
            Self::TooMany => 429,
        }
    }
}

/// The conditions of access: the address of this server as a browser writes it, and the tokens.
#[derive(Clone, Debug)]
pub struct WebAccess<'a> {
    /// The only valid value of `Host`, such as `127.0.0.1:5963`.
    pub host: String,
    /// The token of the OBS pages.
    pub token: &'a AccessToken,
    /// The token of the control address; `None` if that address is off, or the client is on another machine.
    pub control: Option<&'a AccessToken>,
}

/// The content or action that a request asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WebRoute<'a> {
    /// The list of OBS pages.
    Index,
    /// A text or font of this name: `overlay`, `desk.js`.
    Asset(&'a str),
    /// The file for OBS that waits for the server.
    Loader,
    /// The newest state of the games, as JSON.
    State,
    /// The states as server-sent events.
    Events,
    /// A WebSocket; holds its key.
    Socket(&'a str),
    /// A command for the control address; holds the last part of the path.
    Control(&'a str),
}

/// A valid request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebRequest<'a> {
    /// What the request asks for.
    pub route: WebRoute<'a>,
    /// The query without `?`; it only has letters, digits and `=&_.%+-`.
    pub query: &'a str,
    /// Whether only the head of the answer is wanted.
    pub is_head: bool,
}

/// Decides on the bytes received so far. Every request needs the right `Host` and token. Only the socket and the
/// control address also check the origin. Returns `None` while the head of the request is incomplete.
///
/// # Errors
/// Fails with the refusal, as soon as the refusal is certain.
pub fn decide<'a>(bytes: &'a [u8], access: &WebAccess<'_>) -> Result<Option<WebRequest<'a>>, RequestRefusal> {
    let mut headers = [EMPTY_HEADER; MAX_HEADERS];
    let mut request = Request::new(&mut headers);
    match request.parse(bytes) {
        Ok(Status::Complete(length)) if length <= MAX_HEAD_BYTES => {}
        Ok(Status::Partial) if bytes.len() < MAX_HEAD_BYTES => return Ok(None),
        _ => return Err(RequestRefusal::Bad),
    }
    let (method, target) = (
        request.method.unwrap_or_default(),
        request.path.unwrap_or_default(),
    );
    let headers = &*request.headers;
    // This check comes first: a page of another site whose name resolves to this machine has that name in `Host`.
    if single_header(headers, "host")? != Some(access.host.as_bytes()) {
        return Err(RequestRefusal::Bad);
    }
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let (token, name) = path
        .strip_prefix('/')
        .and_then(|path| path.split_once('/'))
        .unwrap_or_default();
    if access.control.is_some_and(|control| control.matches(token)) {
        return decide_control_request(method, name, query, headers).map(Some);
    }
    if !access.token.matches(token) {
        return Err(RequestRefusal::NotFound);
    }
    let is_head = method == "HEAD";
    if !is_head && method != "GET" {
        return Err(RequestRefusal::Method);
    }
    if has_body(headers)? || !is_allowed_text(query) {
        return Err(RequestRefusal::Bad);
    }
    let route = match name {
        "" => WebRoute::Index,
        "loader.html" => WebRoute::Loader,
        "state" => WebRoute::State,
        "events" | "ws" if is_head => return Err(RequestRefusal::Method),
        "events" => WebRoute::Events,
        "ws" => WebRoute::Socket(socket_key(headers, &access.host)?),
        name => WebRoute::Asset(name),
    };
    Ok(Some(WebRequest {
        route,
        query,
        is_head,
    }))
}

/// Returns whether a part of an address has at most [`MAX_QUERY_BYTES`], and only letters, digits and `=&_.%+-`.
fn is_allowed_text(text: &str) -> bool {
    text.len() <= MAX_QUERY_BYTES
        && text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"=&_.%+-".contains(&byte))
}

/// Decides on a request to the control address: `POST` without a body. A request with a header field that only browsers
/// send is refused, because no website may send commands.
fn decide_control_request<'a>(
    method: &str,
    word: &'a str,
    query: &'a str,
    headers: &[Header<'_>],
) -> Result<WebRequest<'a>, RequestRefusal> {
    if method != "POST" {
        return Err(RequestRefusal::NotFound);
    }
    let is_of_browser = headers.iter().any(|header| {
        let name = header.name.to_ascii_lowercase();
        matches!(name.as_str(), "origin" | "referer" | "sec-fetch-site")
    });
    if is_of_browser || has_body(headers)? || !is_allowed_text(word) || !is_allowed_text(query) {
        return Err(RequestRefusal::Bad);
    }
    Ok(WebRequest {
        route: WebRoute::Control(word),
        query,
        is_head: false,
    })
}

/// Returns the only value of a header field; `None` without the field.
///
/// # Errors
/// Fails if the field occurs twice.
fn single_header<'a>(headers: &[Header<'a>], name: &str) -> Result<Option<&'a [u8]>, RequestRefusal> {
    let mut values = headers
        .iter()
        .filter(|header| header.name.eq_ignore_ascii_case(name))
        .map(|header| header.value);
    let first = values.next();
    if values.next().is_some() {
        Err(RequestRefusal::Bad)
    } else {
        Ok(first)
    }
}

/// Returns whether the header fields announce a body. Fails if such a field occurs twice.
fn has_body(headers: &[Header<'_>]) -> Result<bool, RequestRefusal> {
    let length = single_header(headers, "content-length")?;
    Ok(length.is_some_and(|length| length != b"0") || single_header(headers, "transfer-encoding")?.is_some())
}

/// Returns the key of a WebSocket that a page of this server opens. Refuses another request.
fn socket_key<'a>(headers: &[Header<'a>], host: &str) -> Result<&'a str, RequestRefusal> {
    let check_field = |name, word: &[u8]| {
        let value = single_header(headers, name)?.unwrap_or_default();
        let has = value
            .split(|byte| *byte == b',')
            .any(|part| part.trim_ascii().eq_ignore_ascii_case(word));
        if has { Ok(()) } else { Err(RequestRefusal::Bad) }
    };
    let origin = single_header(headers, "origin")?.and_then(|origin| origin.strip_prefix(b"http://"));
    if origin != Some(host.as_bytes()) {
        return Err(RequestRefusal::Bad);
    }
    check_field("connection", b"upgrade")?;
    check_field("upgrade", b"websocket")?;
    check_field("sec-websocket-version", b"13")?;
    let key = single_header(headers, "sec-websocket-key")?.and_then(|key| std::str::from_utf8(key).ok());
    key.filter(|key| key.len() == 24 && key.ends_with("=="))
        .ok_or(RequestRefusal::Bad)
}

#[cfg(test)]
mod tests;
