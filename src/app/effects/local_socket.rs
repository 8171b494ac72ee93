//! The window's end of the local socket: a second start hands its files over, and relays report what passes.

use crate::app::hand_over::OpenRequest;
use crate::app::ids::RelayId;
use crate::app::model::AppEvent;
use crate::app::observed_game::ObservedGame;
use crate::config::built_in_presets;
use crate::observer::GuiObserver;
use crate::process::ExitReason;
use crate::score::Model;
use crate::store::Store;
use crate::threads::{self, Thread};
use crate::usi::lines::read_line;
use crate::usi::log::{Direction, LogEntry};
use shogibar_relay::socket::{Address, Connection, GAP, Listener, OPEN, RELAY, read_ended};
use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

/// The answer to a second start.
const TAKEN: &[u8] = b"ok\n";
/// The longest wait of a second start for that answer.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(2);
/// The longest request of a second start, in bytes.
const MAX_REQUEST_BYTES: usize = 4 << 20;
/// The most connections at once.
const MAX_CONNECTIONS: usize = 32;
/// The least time between two reports of a relay's game.
const REPORT_INTERVAL: Duration = Duration::from_millis(50);

/// Receives what comes over the socket, on any thread.
pub type SocketListener = Arc<dyn Fn(AppEvent) + Send + Sync>;

/// Returns the model of an engine's profile, by the user's name for it. It may read a file.
pub type ModelOfProfile = Arc<dyn Fn(&str) -> Option<Model> + Send + Sync>;

/// The running window's end. Dropping it closes the socket.
#[derive(Debug)]
pub struct SocketServer {
    address: Address,
    is_closed: Arc<AtomicBool>,
    _thread: Thread,
}

/// What the threads of all connections share.
#[derive(Clone)]
struct Shared {
    listener: SocketListener,
    model: ModelOfProfile,
    relays: Arc<AtomicU64>,
    connections: Arc<AtomicUsize>,
}

impl SocketServer {
    /// Opens the socket for a configuration folder, whose lock the caller holds.
    ///
    /// # Errors
    /// When the system refuses the socket or a thread.
    pub fn start(store: &Store, listener: SocketListener, model: ModelOfProfile) -> io::Result<Self> {
        let address = Address::for_folder(store.folder())?;
        let socket = address.listen()?;
        let is_closed = Arc::new(AtomicBool::new(false));
        let closed = Arc::clone(&is_closed);
        let shared = Shared { listener, model, relays: Arc::default(), connections: Arc::default() };
        let thread = threads::spawn("local socket", move || accept(&socket, &closed, &shared))?;
        Ok(Self { address, is_closed, _thread: thread })
    }
}

impl Drop for SocketServer {
    fn drop(&mut self) {
        self.is_closed.store(true, Ordering::Release);
        // It wakes the thread, which is joined then.
        let _woken = self.address.connect();
    }
}

/// Hands a request over to the running program. Returns whether it was taken; `false` where none is running, or it does
/// not answer.
pub fn hand_over(store: &Store, request: &OpenRequest) -> bool {
    let answer = || -> io::Result<Vec<u8>> {
        let mut connection = Address::for_folder(store.folder())?.connect()?;
        connection.set_timeout(ANSWER_TIMEOUT)?;
        connection.write_all(&[OPEN.as_bytes(), b"\n", &request.encode()].concat())?;
        let mut answer = vec![0; TAKEN.len()];
        connection.read_exact(&mut answer)?;
        Ok(answer)
    };
    answer().is_ok_and(|answer| answer == TAKEN)
}

fn accept(socket: &Listener, is_closed: &AtomicBool, shared: &Shared) {
    for connection in socket.incoming() {
        if is_closed.load(Ordering::Acquire) {
            return;
        }
        if shared.connections.fetch_add(1, Ordering::Relaxed) >= MAX_CONNECTIONS {
            shared.connections.fetch_sub(1, Ordering::Relaxed);
            continue;
        }
        let thread_shared = shared.clone();
        let work = move || {
            // A connection that fails ends like one that is closed.
            let _ended = serve(connection, &thread_shared);
            thread_shared.connections.fetch_sub(1, Ordering::Relaxed);
        };
        // It ends with its connection. Without a thread, the connection is closed.
        if let Ok(thread) = threads::spawn("local connection", work) {
            thread.detach();
        }
    }
}

fn serve(connection: Connection, shared: &Shared) -> io::Result<()> {
    let mut input = BufReader::with_capacity(1 << 16, connection);
    let mut line = Vec::new();
    read_line(&mut input, &mut line)?;
    match line.as_slice() {
        line if line == OPEN.as_bytes() => take_request(&mut input, shared),
        line if line == RELAY.as_bytes() => {
            let id = RelayId(shared.relays.fetch_add(1, Ordering::Relaxed) + 1);
            let mut failure = None;
            let result = follow(&mut input, (id, &mut failure), shared);
            (shared.listener)(AppEvent::RelayEnded(id, failure));
            result
        }
        // Another version.
        _ => Ok(()),
    }
}

fn take_request(input: &mut BufReader<Connection>, shared: &Shared) -> io::Result<()> {
    input.get_ref().set_timeout(ANSWER_TIMEOUT)?;
    let mut text = Vec::new();
    while text.len() < MAX_REQUEST_BYTES {
        if input.read_until(0, &mut text)? == 0 {
            break;
        }
        if let Some(request) = OpenRequest::decode(&text) {
            (shared.listener)(AppEvent::HandedOver(request));
            return input.get_mut().write_all(TAKEN);
        }
    }
    Ok(())
}

/// Follows the game of a relay, until it ends. `failure` gets how its engine has failed.
fn follow(
    input: &mut BufReader<Connection>,
    (id, failure): (RelayId, &mut Option<ExitReason>),
    shared: &Shared,
) -> io::Result<()> {
    let (mut observer, presets) = (GuiObserver::default(), built_in_presets());
    let (mut line, mut model) = (Vec::new(), None);
    while read_line(input, &mut line)? {
        if let Some(entry) = LogEntry::read(&line) {
            let text = entry.text();
            match (entry.direction, text.strip_prefix("engine ")) {
                (Direction::Sent, _) => observer.on_sent(&text),
                (Direction::Output, _) => observer.on_received(&text),
                (Direction::Note, Some(name)) => {
                    model = (shared.model)(name);
                    (shared.listener)(AppEvent::RelayConnected(id, name.to_owned()));
                }
                (Direction::Note, None) if text == GAP => observer.on_gap(),
                (Direction::Note, None) => *failure = read_ended(&text),
                (Direction::Stderr, _) => {}
            }
        }
        // While more is there already, only the last state matters.
        if input.buffer().is_empty() {
            (shared.listener)(AppEvent::RelayChanged(id, Box::new(ObservedGame::of(&mut observer, model, &presets))));
            std::thread::park_timeout(REPORT_INTERVAL);
        }
    }
    Ok(())
}
