//! The window's end of the local socket. A second start hands its files over, and relays report the lines that they
//! pass on.

use shogibar_base::threads::{self, Thread};
use shogibar_config::built_in_presets;
use shogibar_engine::observer::GuiObserver;
use shogibar_engine::process::ExitReason;
use shogibar_engine::usi::lines::read_line;
use shogibar_engine::usi::log::{Direction, LogEntry};
use shogibar_machine::store::Store;
use shogibar_model::AppEvent;
use shogibar_model::ids::RelayId;
use shogibar_model::observed_game::ObservedGame;
use shogibar_model::open_request::OpenRequest;
use shogibar_relay::socket::{
    Address, Connection, GAP_NOTE, Listener, OPEN_GREETING, RELAY_GREETING, parse_exit_note,
};
use shogibar_shogi::score::WinRateModel;
use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::sync_channel;
use std::time::{Duration, Instant};

/// The answer to a second start whose request was accepted.
const ACCEPTED_ANSWER: &[u8] = b"ok\n";
/// The longest wait of a second start for the answer, and of the window for the first line of a connection.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(2);
/// The longest request of a second start, in bytes.
const MAX_REQUEST_BYTES: usize = 4 << 20;
/// The maximum number of connections at once.
const MAX_CONNECTIONS: usize = 64;
/// The minimum time between two reports of a relay's game.
const REPORT_INTERVAL: Duration = Duration::from_millis(50);

/// The function that receives the events of the socket, on any thread.
pub type SocketListener = Arc<dyn Fn(AppEvent) + Send + Sync>;

/// A function that returns the win-rate model of the engine profile with a name. It may read a file.
pub type ProfileModelFn = Arc<dyn Fn(&str) -> Option<WinRateModel> + Send + Sync>;

/// The running window's end of the socket. Dropping it closes the socket.
#[derive(Debug)]
pub struct SocketServer {
    address: Address,
    is_closed: Arc<AtomicBool>,
    /// The thread that accepts connections; `None` once it is detached.
    thread: Option<Thread>,
}

/// The state that the threads of all connections share.
#[derive(Clone)]
struct ConnectionContext {
    listener: SocketListener,
    profile_model: ProfileModelFn,
    /// The number of relays that have connected.
    relay_count: Arc<AtomicU64>,
    /// A token that each connection holds a clone of.
    connection_token: Arc<()>,
}

impl SocketServer {
    /// Opens the socket for a configuration folder, whose lock the caller holds.
    ///
    /// # Errors
    /// Fails if the system refuses the socket or a thread.
    pub fn start(store: &Store, listener: SocketListener, profile_model: ProfileModelFn) -> io::Result<Self> {
        let address = Address::for_folder(store.folder())?;
        let socket = address.listen()?;
        let is_closed = Arc::new(AtomicBool::new(false));
        let closed = Arc::clone(&is_closed);
        let (relay_count, connection_token) = (Arc::default(), Arc::default());
        let shared = ConnectionContext {
            listener,
            profile_model,
            relay_count,
            connection_token,
        };
        let thread = threads::spawn("local socket", move || accept(&socket, &closed, &shared))?;
        Ok(Self {
            address,
            is_closed,
            thread: Some(thread),
        })
    }
}

impl Drop for SocketServer {
    fn drop(&mut self) {
        self.is_closed.store(true, Ordering::Release);
        // The connection wakes the thread, which is then joined. Where the socket is gone, the thread cannot be woken,
        // so it is not joined.
        if self.address.connect().is_err()
            && let Some(thread) = self.thread.take()
        {
            thread.detach();
        }
    }
}

/// Hands a request over to the running program. Returns `Some(true)` if the request was accepted, and `None` if no
/// program listens, or the system has no thread. Returns `Some(false)` if another answer came, or none within 2 s.
pub fn hand_over(store: &Store, request: &OpenRequest) -> Option<bool> {
    let folder = store.folder().to_owned();
    let text = [OPEN_GREETING.as_bytes(), b"\n", &request.encode()].concat();
    let (sender, answer) = sync_channel(1);
    let connect = move || Address::for_folder(&folder)?.connect();
    let ask = move |mut connection: Connection| -> io::Result<Vec<u8>> {
        connection.write_all(&text)?;
        let mut answer = vec![0; ACCEPTED_ANSWER.len()];
        connection.read_exact(&mut answer)?;
        Ok(answer)
    };
    // On a thread, as some systems have no timeouts for a connection.
    threads::spawn("hand over", move || {
        let connection = connect().ok();
        _ = sender
            .send(connection.map(|connection| ask(connection).is_ok_and(|answer| answer == ACCEPTED_ANSWER)));
    })
    .ok()?
    .detach();
    answer.recv_timeout(ANSWER_TIMEOUT).unwrap_or(Some(false))
}

/// Serves each connection on a thread, until the socket is closed. Connections above [`MAX_CONNECTIONS`] are dropped.
fn accept(socket: &Listener, is_closed: &AtomicBool, shared: &ConnectionContext) {
    for connection in socket.incoming() {
        if is_closed.load(Ordering::Acquire) {
            return;
        }
        // One clone is held by this thread, and one by each connection.
        if Arc::strong_count(&shared.connection_token) > MAX_CONNECTIONS {
            continue;
        }
        let shared = shared.clone();
        // A connection that fails ends like one that is closed. The thread ends with its connection. Without a thread,
        // the connection is closed.
        if let Ok(thread) = threads::spawn("local connection", move || _ = serve(connection, &shared)) {
            thread.detach();
        }
    }
}

/// Reports the end of a relay when it is dropped, also when its thread panics.
struct RelayEnd<'a> {
    id: RelayId,
    /// The failure of the engine; `None` unless the relay has reported one.
    failure: Option<ExitReason>,
    listener: &'a SocketListener,
}

impl Drop for RelayEnd<'_> {
    fn drop(&mut self) {
        (self.listener)(AppEvent::RelayEnded(self.id, self.failure));
    }
}

/// Reads the greeting of a connection, and then the request of a second start or the log of a relay.
fn serve(connection: Connection, shared: &ConnectionContext) -> io::Result<()> {
    let mut input = BufReader::with_capacity(1 << 16, connection);
    let mut line = Vec::new();
    input.get_ref().set_timeout(Some(ANSWER_TIMEOUT))?;
    read_line(&mut input, &mut line)?;
    match line.as_slice() {
        line if line == OPEN_GREETING.as_bytes() => receive_request(&mut input, shared),
        line if line == RELAY_GREETING.as_bytes() => {
            input.get_ref().set_timeout(None)?;
            let id = RelayId(shared.relay_count.fetch_add(1, Ordering::Relaxed) + 1);
            let mut end = RelayEnd {
                id,
                failure: None,
                listener: &shared.listener,
            };
            follow_relay(&mut input, &mut end, shared)
        }
        // Another version of the program sent an unknown line.
        _ => Ok(()),
    }
}

/// Reads the request of a second start, confirms it, and reports it.
fn receive_request(input: &mut BufReader<Connection>, shared: &ConnectionContext) -> io::Result<()> {
    let mut text = Vec::new();
    let limit = u64::try_from(MAX_REQUEST_BYTES).unwrap_or(u64::MAX);
    let mut limited = input.by_ref().take(limit);
    let mut field_start = 0;
    while limited.read_until(0, &mut text)? > 0 {
        if text.get(field_start..) == Some(OpenRequest::END_FIELD) {
            let Some(request) = OpenRequest::decode(&text) else {
                break;
            };
            // If the second start no longer waits, this write fails, and the second start opens its files itself.
            input.get_mut().write_all(ACCEPTED_ANSWER)?;
            (shared.listener)(AppEvent::HandedOver(request));
            break;
        }
        field_start = text.len();
    }
    Ok(())
}

/// Reports the game of a relay until its connection ends.
fn follow_relay(
    input: &mut BufReader<Connection>,
    end: &mut RelayEnd<'_>,
    shared: &ConnectionContext,
) -> io::Result<()> {
    let (mut observer, presets) = (GuiObserver::default(), built_in_presets());
    let (mut line, mut model, mut is_named, mut reported) = (Vec::new(), None, false, now());
    while read_line(input, &mut line)? {
        if let Some(entry) = LogEntry::read(&line) {
            let text = entry.text();
            match (entry.direction, text.strip_prefix("engine ")) {
                (Direction::Sent, _) => observer.on_sent(&text),
                (Direction::Output, _) => observer.on_received(&text),
                (Direction::Note, Some(name)) if !is_named => {
                    is_named = true;
                    model = (shared.profile_model)(name);
                    (shared.listener)(AppEvent::RelayConnected(end.id, name.to_owned()));
                }
                (Direction::Note, None) if text == GAP_NOTE => observer.on_gap(),
                (Direction::Note, _) => end.failure = parse_exit_note(&text),
                (Direction::Stderr, _) => {}
            }
        }
        // While more lines wait to be read, the state is reported only at intervals.
        let is_all_read = input.buffer().is_empty();
        if is_all_read || reported.elapsed() >= REPORT_INTERVAL {
            let game = Box::new(ObservedGame::from_observer(&mut observer, model, &presets));
            (shared.listener)(AppEvent::RelayChanged(end.id, game));
            reported = now();
        }
        if is_all_read {
            std::thread::park_timeout(REPORT_INTERVAL);
        }
    }
    Ok(())
}

#[expect(clippy::disallowed_methods, reason = "the pace of reports about a game")]
fn now() -> Instant {
    Instant::now()
}
