//! The configuration of a server, its clients, and the limit on control requests.

use crate::control::ControlAddress;
use crate::feed::FeedHub;
use crate::request::RequestRefusal;
use crate::response::WebAsset;
use crate::token::AccessToken;
use shogibar_base::threads::lock;
use std::collections::{BTreeMap, VecDeque};
use std::net::{IpAddr, Shutdown, SocketAddr, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// The maximum number of requests to the control address in a second.
const MAX_CONTROL_REQUESTS_PER_SECOND: usize = 20;
/// The command whose requests are not limited: hiding the evaluation always has to work.
const UNLIMITED_COMMAND: &str = "hide";

/// The state that the threads of all clients share.
#[derive(Debug)]
pub(crate) struct ServerState {
    pub(crate) token: AccessToken,
    pub(crate) assets: Vec<WebAsset>,
    pub(crate) hub: Arc<FeedHub>,
    /// Whether an OBS page may choose a game: only if no other machine is served.
    pub(crate) allows_game_choice: bool,
    /// The control address; `None` where it is off.
    pub(crate) control: Option<ControlAddress>,
    /// The times of the counted requests to the control address within the last second.
    control_times: Mutex<VecDeque<Instant>>,
    is_closed: AtomicBool,
    /// The clients by number, so that their connections can be ended.
    clients: Mutex<BTreeMap<u64, ClientEntry>>,
}

/// The connection of a client.
#[derive(Debug)]
struct ClientEntry {
    stream: TcpStream,
    /// Whether the client has sent a valid request.
    is_admitted: bool,
}

impl ServerState {
    pub(crate) fn new(
        token: AccessToken,
        assets: Vec<WebAsset>,
        control: Option<ControlAddress>,
        hub: Arc<FeedHub>,
        allows_game_choice: bool,
    ) -> Self {
        Self {
            token,
            assets,
            hub,
            allows_game_choice,
            control,
            control_times: Mutex::default(),
            is_closed: AtomicBool::new(false),
            clients: Mutex::default(),
        }
    }

    /// Passes a request to the control address on. A request to hide is always passed on. Fails with
    /// [`RequestRefusal::TooMany`] if there were too many other requests in the last second. Fails with
    /// [`RequestRefusal::NotFound`] if the control address is off, or the command is unknown.
    pub(crate) fn handle_control_request(
        &self,
        word: &str,
        query: &str,
        now: Instant,
    ) -> Result<(), RequestRefusal> {
        let Some(control) = &self.control else {
            return Err(RequestRefusal::NotFound);
        };
        let mut times = lock(&self.control_times);
        times.retain(|time| now.saturating_duration_since(*time) < Duration::from_secs(1));
        if times.len() >= MAX_CONTROL_REQUESTS_PER_SECOND && word != UNLIMITED_COMMAND {
            return Err(RequestRefusal::TooMany);
        }
        if times.len() < MAX_CONTROL_REQUESTS_PER_SECOND {
            times.push_back(now);
        }
        drop(times);
        if (control.handle_request)(word, query) {
            Ok(())
        } else {
            Err(RequestRefusal::NotFound)
        }
    }

    /// Adds a client. If there are already `max_clients` clients, the oldest without a valid request is disconnected.
    /// Returns `false` if each has sent one: the new client is then not added.
    pub(crate) fn add(&self, number: u64, stream: &TcpStream, max_clients: usize) -> bool {
        let Ok(stream) = stream.try_clone() else {
            return false;
        };
        let mut clients = lock(&self.clients);
        if clients.len() >= max_clients {
            let oldest = clients
                .iter()
                .find(|(_, client)| !client.is_admitted)
                .map(|(number, _)| *number);
            let Some(gone) = oldest.and_then(|oldest| clients.remove(&oldest)) else {
                return false;
            };
            // This wakes the thread of the client, which then ends. An error means that the connection is closed
            // already.
            let _closed = gone.stream.shutdown(Shutdown::Both);
        }
        clients.insert(
            number,
            ClientEntry {
                stream,
                is_admitted: false,
            },
        );
        true
    }

    /// Records that a client has sent a valid request.
    pub(crate) fn admit(&self, number: u64) {
        if let Some(client) = lock(&self.clients).get_mut(&number) {
            client.is_admitted = true;
        }
    }

    /// Removes the client of a connection that has ended.
    pub(crate) fn remove(&self, number: u64) {
        lock(&self.clients).remove(&number);
    }

    pub(crate) fn client_count(&self) -> usize {
        lock(&self.clients).len()
    }

    /// Records that the server is closed, and ends all connections.
    pub(crate) fn close(&self) {
        self.is_closed.store(true, Ordering::Release);
        for client in lock(&self.clients).values() {
            // An error means that the connection is closed already.
            let _closed = client.stream.shutdown(Shutdown::Both);
        }
    }

    pub(crate) fn is_closed(&self) -> bool {
        self.is_closed.load(Ordering::Acquire)
    }
}

/// Returns an address as browsers write it in `Host`.
pub(crate) fn host_header(address: SocketAddr) -> String {
    let ip = match address.ip() {
        IpAddr::V4(ip) => ip.to_string(),
        IpAddr::V6(ip) => format!("[{ip}]"),
    };
    if address.port() == 80 {
        ip
    } else {
        format!("{ip}:{}", address.port())
    }
}
