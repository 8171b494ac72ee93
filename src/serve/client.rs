//! One client: its request, and the answer.

use crate::feed::{Feed, FeedTopic};
use crate::request::{self, MAX_HEAD_BYTES, RequestRefusal, WebAccess, WebRequest, WebRoute};
use crate::response;
use crate::server_state::{ServerState, host_header};
use std::io::{self, ErrorKind, Read as _, Write as _};
use std::net::{Shutdown, TcpStream};
use std::time::{Duration, Instant};
use tungstenite::protocol::{Role, WebSocketConfig};
use tungstenite::{Message, WebSocket};

/// The longest time in which a client has to send its request.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(3);
/// The longest wait for a message of the feed. Then the input of the client is checked.
const FEED_TIMEOUT: Duration = Duration::from_secs(1);
/// The time without a message to a client after which a keep-alive is sent. A page connects again after three missing
/// ones. A page is also sent a ping after each such time.
const KEEP_ALIVE_INTERVAL: Duration = Duration::from_secs(5);
/// The time without a message from a page after which its connection counts as lost. A page answers pings.
const SILENCE_TIMEOUT: Duration = Duration::from_secs(45);
/// The longest wait for input of a client that follows a feed, before the next message is sent.
const INPUT_TIMEOUT: Duration = Duration::from_millis(1);
/// The maximum number of messages of a client that are read at once.
const MAX_MESSAGES_AT_ONCE: usize = 16;
/// The largest message of a client, in bytes.
const MAX_MESSAGE_BYTES: usize = 1 << 10;
/// The maximum number of bytes of further input that are read after an answer.
const MAX_REST_BYTES: usize = 64 << 10;
/// The longest time for reading further input after an answer.
const REST_TIMEOUT: Duration = Duration::from_millis(500);

/// The file for OBS that waits for the server, with a placeholder for the address.
const LOADER_FILE: &str = include_str!("page/loader.html");
/// The placeholder for the address in the file for OBS.
const ADDRESS_PLACEHOLDER: &str = "{{ADDRESS}}";

/// Reads the request of the client with this number, and answers. An answer with a feed lasts until the client leaves
/// or fails. With `only_control`, a request that is no command is refused, because too many pages are open.
pub(crate) fn serve(
    mut stream: TcpStream,
    number: u64,
    state: &ServerState,
    only_control: bool,
) -> io::Result<()> {
    let is_local = stream.peer_addr()?.ip().is_loopback();
    let control = match &state.control {
        Some(control) if is_local => Some(&control.token),
        _ => None,
    };
    let access = WebAccess {
        host: host_header(stream.local_addr()?),
        token: &state.token,
        control,
    };
    let mut bytes = Vec::new();
    let deadline = now() + REQUEST_TIMEOUT;
    loop {
        match request::decide(&bytes, &access) {
            Ok(Some(request)) if only_control && !matches!(request.route, WebRoute::Control(_)) => {
                return refuse(&mut stream, RequestRefusal::Busy);
            }
            Ok(Some(request)) => {
                state.admit(number);
                let answered = answer(&mut stream, &request, &access.host, state);
                return if matches!(request.route, WebRoute::Socket(_)) {
                    answered
                } else {
                    end(&mut stream)
                };
            }
            Ok(None) => {}
            Err(refusal) => return refuse(&mut stream, refusal),
        }
        match read_available(&mut stream, &mut bytes, deadline) {
            Ok(0) => return Ok(()),
            Ok(_) => {}
            Err(error) if is_timeout(&error) => return refuse(&mut stream, RequestRefusal::Slow),
            Err(error) => return Err(error),
        }
    }
}

/// Waits for input until `deadline`, and appends the available bytes, up to the largest head. Returns their number, 0
/// at the end of the input. Fails with `TimedOut` at the deadline.
fn read_available(stream: &mut TcpStream, bytes: &mut Vec<u8>, deadline: Instant) -> io::Result<usize> {
    let remaining = deadline.saturating_duration_since(now());
    if remaining.is_zero() {
        return Err(ErrorKind::TimedOut.into());
    }
    stream.set_read_timeout(Some(remaining))?;
    let mut some = [0; 2048];
    let room = some.len().min(MAX_HEAD_BYTES.saturating_sub(bytes.len()).max(1));
    let count = stream.read(some.get_mut(..room).unwrap_or_default())?;
    bytes.extend_from_slice(some.get(..count).unwrap_or_default());
    Ok(count)
}

/// Sends a refusal, and ends the connection.
fn refuse(stream: &mut TcpStream, refusal: RequestRefusal) -> io::Result<()> {
    stream.write_all(response::refusal(refusal).as_bytes())?;
    end(stream)
}

/// Ends a connection after its answer. Further input of the client is read, or the system would discard the answer.
fn end(stream: &mut TcpStream) -> io::Result<()> {
    stream.shutdown(Shutdown::Write)?;
    let deadline = now() + REST_TIMEOUT;
    let mut rest = 0;
    while rest < MAX_REST_BYTES {
        let mut some = Vec::new();
        match read_available(stream, &mut some, deadline) {
            Ok(0) | Err(_) => break,
            Ok(count) => rest += count,
        }
    }
    Ok(())
}

/// Carries out a valid request, and sends the answer.
fn answer(
    stream: &mut TcpStream,
    request: &WebRequest<'_>,
    host: &str,
    state: &ServerState,
) -> io::Result<()> {
    let name = match request.route {
        WebRoute::Index => "",
        WebRoute::Asset(name) => name,
        WebRoute::Loader => {
            let query = if request.query.is_empty() {
                String::new()
            } else {
                format!("?{}", request.query)
            };
            let page = if request.query.split('&').any(|pair| pair == "page=board") {
                "board"
            } else {
                "overlay"
            };
            let file = LOADER_FILE.replace(
                ADDRESS_PLACEHOLDER,
                &format!("http://{host}/{}/{page}{query}", state.token),
            );
            return send(
                stream,
                &response::download("shogibar-obs.html", file.len()),
                file.as_bytes(),
                request,
            );
        }
        WebRoute::State => {
            state.hub.set_state_request(now());
            // A program that has just been started has its first state soon.
            let first = state.hub.subscribe(&FeedTopic::State).next(0, FEED_TIMEOUT);
            let message = first
                .as_ref()
                .map_or("{\"games\":[],\"swings\":[]}", |(_, message)| message);
            return send(
                stream,
                &response::state(message.len()),
                message.as_bytes(),
                request,
            );
        }
        WebRoute::Events => {
            stream.write_all(response::events().as_bytes())?;
            return send_events(stream, &state.hub.count_client(&FeedTopic::State).feed, state);
        }
        WebRoute::Control(word) => {
            return match state.handle_control_request(word, request.query, now()) {
                Ok(()) => stream.write_all(response::no_content().as_bytes()),
                Err(refusal) => stream.write_all(response::refusal(refusal).as_bytes()),
            };
        }
        WebRoute::Socket(key) => {
            let accept = tungstenite::handshake::derive_accept_key(key.as_bytes());
            stream.write_all(response::socket(&accept).as_bytes())?;
            let client = state.hub.count_client(&FeedTopic::Page(request.query.to_owned()));
            return serve_socket(stream, &client.feed, state);
        }
    };
    match state.assets.iter().find(|asset| asset.name == name) {
        Some(asset) => send(stream, &response::asset(asset, host), &asset.body, request),
        None => stream.write_all(response::refusal(RequestRefusal::NotFound).as_bytes()),
    }
}

/// Sends the head of an answer and, unless only the head is wanted, the body.
fn send(stream: &mut TcpStream, head: &str, body: &[u8], request: &WebRequest<'_>) -> io::Result<()> {
    stream.write_all(head.as_bytes())?;
    if request.is_head {
        Ok(())
    } else {
        stream.write_all(body)
    }
}

fn send_events(stream: &mut TcpStream, feed: &Feed, state: &ServerState) -> io::Result<()> {
    stream.set_read_timeout(Some(INPUT_TIMEOUT))?;
    let (mut seen, mut keep_alive) = (0, KeepAliveTimer { last: now() });
    while !state.is_closed() {
        if let Some((number, message)) = feed.next(seen, FEED_TIMEOUT) {
            (seen, keep_alive.last) = (number, now());
            // The message is one line: JSON without line ends.
            stream.write_all(format!("data: {message}\n\n").as_bytes())?;
        }
        if keep_alive.take_due(now()) {
            stream.write_all(b":\n\n")?;
        }
        let mut some = [0; MAX_MESSAGE_BYTES];
        match stream.read(&mut some) {
            Ok(0) => return Ok(()),
            Ok(_) => {}
            Err(error) if is_timeout(&error) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Sends the contents of an OBS page, and reads the choices of games. Ends when the page disconnects or is silent for
/// [`SILENCE_TIMEOUT`], or the server is closed.
fn serve_socket(stream: &TcpStream, feed: &Feed, state: &ServerState) -> io::Result<()> {
    stream.set_read_timeout(Some(INPUT_TIMEOUT))?;
    let config = WebSocketConfig::default()
        .read_buffer_size(4 << 10)
        .write_buffer_size(0);
    let config = config
        .max_message_size(Some(MAX_MESSAGE_BYTES))
        .max_frame_size(Some(MAX_MESSAGE_BYTES));
    let mut socket = WebSocket::from_raw_socket(stream, Role::Server, Some(config));
    let (mut seen, mut last_message_time) = (0, now());
    let (mut keep_alive, mut ping) = (
        KeepAliveTimer {
            last: last_message_time,
        },
        KeepAliveTimer {
            last: last_message_time,
        },
    );
    while !state.is_closed() && last_message_time.elapsed() < SILENCE_TIMEOUT {
        if let Some((number, message)) = feed.next(seen, FEED_TIMEOUT) {
            (seen, keep_alive.last) = (number, now());
            socket.send(Message::text(&*message)).map_err(io::Error::other)?;
        }
        // The script of a page does not see pings, only messages.
        if keep_alive.take_due(now()) {
            socket.send(Message::text("")).map_err(io::Error::other)?;
        }
        // The browser answers a ping. A page with many messages needs one, too, or its connection would count as lost.
        if ping.take_due(now()) {
            socket
                .send(Message::Ping(Vec::new().into()))
                .map_err(io::Error::other)?;
        }
        for _ in 0..MAX_MESSAGES_AT_ONCE {
            match socket.read() {
                Ok(message) => {
                    last_message_time = now();
                    if state.allows_game_choice
                        && let Some(game) = chosen_game_number(&message)
                    {
                        state.hub.set_chosen_game_number(game);
                    }
                }
                Err(tungstenite::Error::Io(error)) if is_timeout(&error) => break,
                Err(error) => return Err(io::Error::other(error)),
            }
        }
    }
    Ok(())
}

/// A timer of keep-alives or pings, which are sent at intervals of [`KEEP_ALIVE_INTERVAL`].
struct KeepAliveTimer {
    /// The time of the last message or ping.
    last: Instant,
}

impl KeepAliveTimer {
    /// Returns whether the next keep-alive or ping is due. The one after it is then due an interval after `now`.
    fn take_due(&mut self, now: Instant) -> bool {
        let is_due = now.saturating_duration_since(self.last) >= KEEP_ALIVE_INTERVAL;
        if is_due {
            self.last = now;
        }
        is_due
    }
}

/// Returns the number of the game that an OBS page has chosen: `game 3`. Returns `None` for other messages.
fn chosen_game_number(message: &Message) -> Option<usize> {
    match message {
        Message::Text(text) => text.strip_prefix("game ")?.parse().ok(),
        _ => None,
    }
}

/// Returns whether a read or a write has timed out, which each system reports in its own way.
fn is_timeout(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut)
}

#[expect(clippy::disallowed_methods, reason = "the times of requests and keep-alives")]
fn now() -> Instant {
    Instant::now()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_keep_alive_is_due_after_the_last_message() {
        let begun = now();
        let at = |seconds| begun + Duration::from_secs(seconds);
        let mut keep_alive = KeepAliveTimer { last: begun };
        assert!(!keep_alive.take_due(at(4)) && keep_alive.take_due(at(5)) && !keep_alive.take_due(at(6)));
        keep_alive.last = at(9);
        assert!(!keep_alive.take_due(at(13)) && keep_alive.take_due(at(14)));
    }
}
