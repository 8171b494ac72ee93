//! The socket to OBS, and the thread that carries out what the connection wants.

use crate::connection::{
    ConnectionEffect, ConnectionEvent, ConnectionProblem, ConnectionState, ObsAddress, ObsConnection,
    ObsStatus,
};
use crate::task::{ObsTask, TaskOutcome};
use shogibar_base::threads::{self, Thread};
use std::io::{self, ErrorKind};
use std::net::{Shutdown, TcpStream, ToSocketAddrs as _};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant};
use tungstenite::error::ProtocolError;
use tungstenite::protocol::{Role, WebSocketConfig};
use tungstenite::{Error, HandshakeError, Message, WebSocket};

/// The longest time to connect to one IP address of a host.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// The maximum number of IP addresses of a host that are tried.
const MAX_IP_ADDRESSES: usize = 4;
/// The longest time between two parts of the handshake.
const HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(10);
/// The longest time for sending a message.
const SEND_TIMEOUT: Duration = Duration::from_secs(5);
/// The maximum size of a message in bytes. OBS's longest one is a list of scenes.
const MAX_MESSAGE_BYTES: usize = 4 << 20;
/// The maximum number of orders in the queue.
const MAX_ORDERS: usize = 256;

/// What is known of OBS at one moment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ObsSnapshot {
    /// The state of the connection.
    pub state: ConnectionState,
    /// What OBS is and does.
    pub status: ObsStatus,
}

/// A function that is called from another thread when something has changed or a task has ended.
pub type ObsListener = Box<dyn Fn(ObsNews) + Send>;

/// News of OBS.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ObsNews {
    /// The state or the status has changed.
    Changed(ObsSnapshot),
    /// A task has ended.
    Ended(u64, TaskOutcome),
}

/// The client of an OBS. Dropping it ends the connection.
#[derive(Debug)]
pub struct ObsClient {
    orders: SyncSender<Order>,
    _thread: Thread,
}

/// What the thread hears: from the user, and from the thread that reads the socket of a number.
#[derive(Debug)]
enum Order {
    Event(ConnectionEvent),
    FromSocket(u64, ConnectionEvent),
    /// The socket of a number is open.
    Opened(u64, Box<SendingSide>),
    Stop,
}

type Socket = WebSocket<TcpStream>;

/// The side of a connection that sends. Dropping it ends the connection, and with it the thread that reads: also while
/// it waits in a queue that nobody reads any more.
#[derive(Debug)]
struct SendingSide(Socket);

impl Drop for SendingSide {
    fn drop(&mut self) {
        let _closed_already = self.0.get_ref().shutdown(Shutdown::Both);
    }
}

impl ObsClient {
    /// Starts the client without an address. Times of [`ObsStatus`] are since `start`.
    ///
    /// # Errors
    /// Fails if the system has no thread.
    pub fn start(start: Instant, listener: ObsListener) -> io::Result<Self> {
        let (orders, inbox) = sync_channel(MAX_ORDERS);
        let sender = orders.clone();
        let thread = threads::spawn("obs", move || run(start, &sender, &inbox, &listener))?;
        Ok(Self {
            orders,
            _thread: thread,
        })
    }

    /// Connects to this OBS, or to none. The same address again tries at once where the last attempt was given up.
    pub fn connect(&self, address: Option<ObsAddress>) {
        // The last address must arrive. The thread takes its orders soon, as nothing that it does waits for OBS.
        let _ended_with_the_program = self.orders.send(Order::Event(ConnectionEvent::Wanted(address)));
    }

    /// Begins a task. Its outcome names the number. Returns whether there was room for the task.
    #[must_use]
    pub fn begin(&self, number: u64, task: ObsTask) -> bool {
        self.order(ConnectionEvent::Task(number, task))
    }

    /// Asks for the sources of a scene.
    pub fn list_sources(&self, scene: String) {
        let _asked_again_later = self.order(ConnectionEvent::ListSources(scene));
    }

    fn order(&self, event: ConnectionEvent) -> bool {
        self.orders.try_send(Order::Event(event)).is_ok()
    }
}

impl Drop for ObsClient {
    fn drop(&mut self) {
        let _ended_already = self.orders.send(Order::Stop);
    }
}

/// The thread of the client.
struct ObsThread<'a> {
    connection: ObsConnection,
    /// The number of the last socket that was wanted.
    number: u64,
    /// The side of the socket that sends; `None` while there is none.
    socket: Option<SendingSide>,
    start: Instant,
    orders: &'a SyncSender<Order>,
    listener: &'a ObsListener,
    shown: ObsSnapshot,
}

fn run(start: Instant, orders: &SyncSender<Order>, inbox: &Receiver<Order>, listener: &ObsListener) {
    let mut thread = ObsThread {
        connection: ObsConnection::default(),
        number: 0,
        socket: None,
        start,
        orders,
        listener,
        shown: ObsSnapshot::default(),
    };
    loop {
        let wait = thread
            .connection
            .next_tick()
            .map(|at| at.saturating_sub(start.elapsed()));
        let order = match wait {
            Some(wait) => inbox.recv_timeout(wait),
            None => inbox.recv().or(Err(RecvTimeoutError::Disconnected)),
        };
        match order {
            Ok(Order::Event(event)) => thread.step(event),
            Ok(Order::FromSocket(number, event)) if number == thread.number => thread.step(event),
            Ok(Order::Opened(number, socket)) if number == thread.number => {
                thread.socket = Some(*socket);
                thread.step(ConnectionEvent::Opened);
            }
            // The connection is no longer wanted.
            Ok(Order::Opened(..) | Order::FromSocket(..)) => {}
            Err(RecvTimeoutError::Timeout) => thread.step(ConnectionEvent::Tick),
            Ok(Order::Stop) | Err(RecvTimeoutError::Disconnected) => break,
        }
        // A server that never pauses has the same limits of time.
        let is_due = |at| at <= start.elapsed();
        if thread.connection.next_tick().is_some_and(is_due) {
            thread.step(ConnectionEvent::Tick);
        }
        thread.publish();
    }
    thread.close();
}

impl ObsThread<'_> {
    fn step(&mut self, event: ConnectionEvent) {
        let mut effects = self.connection.step(self.start.elapsed(), event);
        while !effects.is_empty() {
            let mut further = Vec::new();
            for effect in effects {
                match effect {
                    ConnectionEffect::Open(address) => further.extend(self.open(address)),
                    ConnectionEffect::Close => self.close(),
                    ConnectionEffect::Report(number, outcome) => {
                        (self.listener)(ObsNews::Ended(number, outcome));
                    }
                    ConnectionEffect::Send(text) => further.extend(self.send(text)),
                }
            }
            effects = further;
        }
    }

    /// Opens a socket on a thread of its own, which then reads from it.
    fn open(&mut self, address: ObsAddress) -> Vec<ConnectionEffect> {
        self.number += 1;
        let (number, orders) = (self.number, self.orders.clone());
        match threads::spawn("obs-socket", move || read_from(&address, number, &orders)) {
            Ok(thread) => {
                thread.detach();
                Vec::new()
            }
            Err(_) => self.fail(ConnectionEvent::NotOpened(ConnectionProblem::Unreachable)),
        }
    }

    fn send(&mut self, text: String) -> Vec<ConnectionEffect> {
        let sent = self
            .socket
            .as_mut()
            .map(|socket| socket.0.send(Message::text(text)));
        match sent {
            Some(Ok(())) => Vec::new(),
            _ => self.fail(ConnectionEvent::Closed(None)),
        }
    }

    fn fail(&mut self, event: ConnectionEvent) -> Vec<ConnectionEffect> {
        self.connection.step(self.start.elapsed(), event)
    }

    fn close(&mut self) {
        self.number += 1;
        self.socket = None;
    }

    /// Tells the listener what has changed.
    fn publish(&mut self) {
        let (state, status) = (self.connection.state(), self.connection.status());
        if self.shown.state == *state && self.shown.status == *status {
            return;
        }
        self.shown = ObsSnapshot {
            state: state.clone(),
            status: status.clone(),
        };
        (self.listener)(ObsNews::Changed(self.shown.clone()));
    }
}

/// Connects to OBS and reports its messages, until the socket is closed.
fn read_from(address: &ObsAddress, number: u64, orders: &SyncSender<Order>) {
    let report = |event| orders.send(Order::FromSocket(number, event)).is_ok();
    let (mut reader, writer) = match connect(address) {
        Ok(sides) => sides,
        Err(problem) => {
            report(ConnectionEvent::NotOpened(problem));
            return;
        }
    };
    if orders.send(Order::Opened(number, Box::new(writer))).is_err() {
        return;
    }
    loop {
        let event = match reader.read() {
            Ok(Message::Text(text)) => ConnectionEvent::Message(text.as_str().to_owned()),
            Ok(Message::Close(frame)) => ConnectionEvent::Closed(frame.map(|frame| frame.code.into())),
            // OBS has no binary messages in JSON.
            Ok(Message::Binary(_)) => ConnectionEvent::Message(String::new()),
            Ok(_) => continue,
            Err(Error::Protocol(ProtocolError::ResetWithoutClosingHandshake)) => {
                ConnectionEvent::Closed(None)
            }
            // What is no message of the protocol is none of OBS's.
            Err(Error::Capacity(_) | Error::Utf8(_) | Error::Protocol(_)) => {
                ConnectionEvent::Message(String::new())
            }
            Err(_) => ConnectionEvent::Closed(None),
        };
        let is_last = matches!(event, ConnectionEvent::Closed(_));
        let is_foreign = matches!(&event, ConnectionEvent::Message(text) if text.is_empty());
        if !report(event) || is_last || is_foreign {
            break;
        }
    }
    // The other side sees the end of the connection.
    let _closed_already = reader.get_ref().shutdown(Shutdown::Both);
}

/// Opens a socket to OBS. Returns the side that reads and the side that sends.
fn connect(address: &ObsAddress) -> Result<(Socket, SendingSide), ConnectionProblem> {
    let hosts = (address.host.as_str(), address.port).to_socket_addrs();
    let mut hosts = hosts
        .or(Err(ConnectionProblem::Unreachable))?
        .take(MAX_IP_ADDRESSES);
    let stream = hosts.find_map(|host| TcpStream::connect_timeout(&host, CONNECT_TIMEOUT).ok());
    let stream = stream.ok_or(ConnectionProblem::Unreachable)?;
    let problem = |error: &io::Error| match error.kind() {
        ErrorKind::WouldBlock | ErrorKind::TimedOut => ConnectionProblem::Silent,
        _ => ConnectionProblem::Foreign,
    };
    let timeouts = [
        stream.set_read_timeout(Some(HANDSHAKE_TIMEOUT)),
        stream.set_write_timeout(Some(SEND_TIMEOUT)),
        stream.set_nodelay(true),
    ];
    for set in timeouts {
        set.map_err(|error| problem(&error))?;
    }
    let host = if address.host.contains(':') {
        format!("[{}]", address.host)
    } else {
        address.host.clone()
    };
    let url = format!("ws://{host}:{}/", address.port);
    let config = WebSocketConfig::default()
        .max_message_size(Some(MAX_MESSAGE_BYTES))
        .max_frame_size(Some(MAX_MESSAGE_BYTES));
    let (socket, _response) = tungstenite::client::client_with_config(url.as_str(), stream, Some(config))
        .map_err(|error| match error {
            HandshakeError::Failure(Error::Io(error)) => problem(&error),
            HandshakeError::Interrupted(_) => ConnectionProblem::Silent,
            HandshakeError::Failure(_) => ConnectionProblem::Foreign,
        })?;
    let sending = socket
        .get_ref()
        .try_clone()
        .or(Err(ConnectionProblem::Unreachable))?;
    socket
        .get_ref()
        .set_read_timeout(None)
        .or(Err(ConnectionProblem::Unreachable))?;
    Ok((
        socket,
        SendingSide(WebSocket::from_raw_socket(sending, Role::Client, Some(config))),
    ))
}
