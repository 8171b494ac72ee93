//! The server: the port, and a thread for each client.

use crate::client;
use crate::control::ControlAddress;
use crate::feed::FeedHub;
use crate::request::RequestRefusal;
use crate::response::{self, WebAsset};
use crate::server_state::{ServerState, host_header};
use crate::token::AccessToken;
use shogibar_base::threads::{self, Thread};
use std::io::{self, Write as _};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::time::Duration;

/// The maximum number of clients at once.
pub(crate) const MAX_CLIENTS: usize = 64;
/// The number of further clients that may send commands to the control address.
const CONTROL_CLIENTS: usize = 4;
/// The longest time that a client may block a write before it is dropped.
const WRITE_TIMEOUT: Duration = Duration::from_secs(5);
/// The longest wait for the connection that wakes the server's thread at its end.
const WAKE_TIMEOUT: Duration = Duration::from_secs(1);
/// The pause after the system has refused a connection, for example because too many files are open.
const ERROR_PAUSE: Duration = Duration::from_millis(100);

/// The configuration of a server.
#[derive(Clone, Debug)]
pub struct ServeConfig {
    /// The address on which the server listens. Port 0 means any free port.
    pub address: SocketAddr,
    /// The access token, the first part of every URL path.
    pub token: AccessToken,
    /// The OBS pages, scripts and fonts.
    pub assets: Vec<WebAsset>,
    /// The control address; `None` where it is off.
    pub control: Option<ControlAddress>,
}

/// A running server. Dropping it ends all connections without waiting for a client.
#[derive(Debug)]
pub struct WebServer {
    address: SocketAddr,
    state: Arc<ServerState>,
    /// The thread that accepts connections; `None` once it is detached.
    thread: Option<Thread>,
}

impl WebServer {
    /// Starts a server.
    ///
    /// # Errors
    /// Fails if the address is in use or not one of this machine, or the system cannot start a thread.
    pub fn start(config: ServeConfig, hub: Arc<FeedHub>) -> io::Result<Self> {
        let listener = TcpListener::bind(config.address)?;
        let address = listener.local_addr()?;
        let ServeConfig {
            token,
            assets,
            control,
            ..
        } = config;
        let state = Arc::new(ServerState::new(
            token,
            assets,
            control,
            hub,
            address.ip().is_loopback(),
        ));
        let shared = Arc::clone(&state);
        let thread = threads::spawn("page-server", move || accept(&listener, &shared))?;
        Ok(Self {
            address,
            state,
            thread: Some(thread),
        })
    }

    /// Returns the address on which the server listens, with the actual port.
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns the address of the list of OBS pages on this machine, with the token: `http://127.0.0.1:5963/…/`.
    pub fn url(&self) -> String {
        let here = if self.address.ip().is_unspecified() {
            Ipv4Addr::LOCALHOST.into()
        } else {
            self.address.ip()
        };
        self.url_at(here)
    }

    /// Returns the address of the list of OBS pages for another machine, at an address of this machine.
    pub fn url_at(&self, machine: IpAddr) -> String {
        self.url_with(machine, &self.state.token)
    }

    fn url_with(&self, machine: IpAddr, token: &AccessToken) -> String {
        format!(
            "http://{}/{token}/",
            host_header(SocketAddr::new(machine, self.address.port()))
        )
    }

    /// Returns the control address, up to the word that the user adds; `None` where it is off.
    pub fn control_url(&self) -> Option<String> {
        let control = self.state.control.as_ref()?;
        Some(self.url_with(Ipv4Addr::LOCALHOST.into(), &control.token))
    }

    /// Returns the number of clients.
    pub fn client_count(&self) -> usize {
        self.state.client_count()
    }
}

impl Drop for WebServer {
    fn drop(&mut self) {
        self.state.close();
        // This connection wakes the thread, which is then joined.
        let here = if self.address.ip().is_unspecified() {
            Ipv4Addr::LOCALHOST.into()
        } else {
            self.address.ip()
        };
        if TcpStream::connect_timeout(&SocketAddr::new(here, self.address.port()), WAKE_TIMEOUT).is_err()
            && let Some(thread) = self.thread.take()
        {
            thread.detach();
        }
    }
}

/// Accepts connections until the server is closed.
fn accept(listener: &TcpListener, state: &Arc<ServerState>) {
    for (number, stream) in (0..).zip(listener.incoming()) {
        if state.is_closed() {
            return;
        }
        match stream {
            Ok(stream) => start_client(number, stream, state),
            Err(_) => std::thread::park_timeout(ERROR_PAUSE),
        }
    }
}

/// Starts a thread that serves a client, or refuses the client. A client that cannot be served is dropped.
fn start_client(number: u64, mut stream: TcpStream, state: &Arc<ServerState>) {
    let is_ready = stream
        .set_write_timeout(Some(WRITE_TIMEOUT))
        .and_then(|()| stream.set_nodelay(true))
        .is_ok();
    if !is_ready {
        return;
    }
    let is_regular = state.add(number, &stream, MAX_CLIENTS);
    // However many pages are open, commands still get through.
    if !is_regular && (state.control.is_none() || !state.add(number, &stream, MAX_CLIENTS + CONTROL_CLIENTS))
    {
        // The buffer of a new connection has room for the answer; a client that has gone needs none.
        let _gone = stream.write_all(response::refusal(RequestRefusal::Busy).as_bytes());
        return;
    }
    let shared = Arc::clone(state);
    let work = move || {
        let _slot = ClientSlot {
            number,
            state: &shared,
        };
        // Ignored: after an error the connection ends as after an answer.
        let _ended = client::serve(stream, number, &shared, !is_regular);
    };
    match threads::spawn("page-client", work) {
        Ok(thread) => thread.detach(),
        Err(_) => state.remove(number),
    }
}

/// The slot of a client among [`MAX_CLIENTS`]. Dropping it, even by a panic of the client's thread, frees the slot.
struct ClientSlot<'a> {
    number: u64,
    state: &'a ServerState,
}

impl Drop for ClientSlot<'_> {
    fn drop(&mut self) {
        self.state.remove(self.number);
    }
}

#[cfg(test)]
mod tests;
