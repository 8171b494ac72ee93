//! The served OBS pages: the server, and a thread that makes the messages for its clients.

mod clients;
mod index;
#[cfg(feature = "gui")]
mod overlay;
mod switch;

use shogibar_base::threads::{self, Thread, lock};
use shogibar_base::{Lang, Latest};
use shogibar_config::{OverlayParts, OverlaySettings, SecondNames};
use shogibar_machine::store::{Store, ThemeEntry};
use shogibar_model::AppModel;
use shogibar_model::ids::GameId;
use shogibar_model::outputs::PageClients;
use shogibar_model::pages::control::{ControlCommand, ControlRequest};
use shogibar_model::pages::options::{ObsPageKind, ObsPageOptions};
use shogibar_model::pages::{ObsPagesContent, ObsPagesRecorder, ObsPagesSnapshot};
use shogibar_model::record_file::WakeFn;
use shogibar_serve::{
    AccessToken, ControlAddress, ControlHandler, FeedHub, FeedTopic, ServeConfig, WebServer, page_assets,
};
use std::collections::{BTreeMap, VecDeque};
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, UdpSocket};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
#[cfg(feature = "gui")]
use std::time::Instant;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use clients::ClientWatch;
pub use switch::{ObsPagesStarted, ObsPagesSwitch};

/// The shortest time between two updates of the open OBS pages.
const MIN_UPDATE_INTERVAL: Duration = Duration::from_millis(10);
/// The longest time between two updates of the open OBS pages.
const MAX_UPDATE_INTERVAL: Duration = Duration::from_hours(1);

/// The address at which the OBS pages are served.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObsPagesAddress {
    /// The port; 0 for any.
    pub port: u16,
    /// The token in the address.
    pub token: AccessToken,
    /// Whether other machines in the network are served.
    pub is_open: bool,
    /// The token in the control address; `None` if the control address is off.
    pub control_token: Option<AccessToken>,
}

/// The settings with which the OBS pages are drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObsPagesSettings {
    /// The appearance of the overlay.
    pub overlay: OverlaySettings,
    /// The system font of the program, which the bar uses unless it has a font set. `None` for the font that ships with
    /// the program.
    pub program_font: Option<String>,
    /// The parts of the overlay that are shown.
    pub parts: OverlayParts,
    /// The language of an OBS page whose address names none.
    pub lang: Lang,
    /// The second names of players.
    pub second_names: SecondNames,
    /// The user's folder, which has the themes; `None` without one.
    pub store: Option<Store>,
}

/// The OBS pages while they are served. Dropping it ends the server.
#[derive(Debug)]
pub struct RunningObsPages {
    // Dropped before the thread: the clients of the server wake it.
    server: WebServer,
    /// The address of the OBS pages for other machines; `None` if these are not served, or without a network.
    lan_url: Option<String>,
    signal: PaintSignalGuard,
    input: Arc<ObsPageInput>,
    _thread: Thread,
}

/// The maximum number of control requests in the queue.
const MAX_QUEUED_CONTROLS: usize = 64;

/// A request to the control address, with its game.
#[derive(Clone, Debug)]
pub struct ObsPageControl {
    /// The request: a command, and the number of its game on the OBS pages.
    pub request: ControlRequest,
    /// The game, if the request names one.
    pub game: Option<GameId>,
}

/// The input from OBS pages and from the control address.
#[derive(Default)]
struct ObsPageInput {
    chosen_game: Latest<GameId>,
    /// The requests to the control address that were not taken yet.
    controls: Mutex<VecDeque<ObsPageControl>>,
    /// The games by their numbers on the OBS pages, from 1.
    games: Mutex<BTreeMap<usize, GameId>>,
    /// The pages that are open, if they have changed.
    clients: Latest<PageClients>,
    /// Called when there is new input.
    wake: Mutex<Option<WakeFn>>,
}

impl ObsPageInput {
    /// Stores the game that was chosen on an OBS page, and wakes the program.
    fn choose(&self, game: GameId) {
        self.chosen_game.put(game);
        self.call_wake();
    }

    /// Stores the open pages, and wakes the program.
    fn set_clients(&self, clients: PageClients) {
        self.clients.put(clients);
        self.call_wake();
    }

    /// Queues a request to the control address. Returns `false` if its word, its theme or its game is unknown, or the
    /// queue is full.
    fn queue_control(&self, word: &str, query: &str, has_theme: impl Fn(&str) -> bool) -> bool {
        let Some(request) = ControlRequest::parse(word, query) else {
            return false;
        };
        if let ControlCommand::Theme(name) = &request.command
            && !has_theme(name)
        {
            return false;
        }
        let game = request.game.map(|number| lock(&self.games).get(&number).copied());
        if game == Some(None) {
            return false;
        }
        let mut controls = lock(&self.controls);
        // A request to hide is never refused: if the queue is full, the oldest request is dropped.
        if controls.len() >= MAX_QUEUED_CONTROLS {
            if request.command != ControlCommand::Hide {
                return false;
            }
            controls.pop_front();
        }
        controls.push_back(ObsPageControl {
            request,
            game: game.flatten(),
        });
        drop(controls);
        self.call_wake();
        true
    }

    /// Calls `wake`, if it is set.
    fn call_wake(&self) {
        if let Some(wake) = &*lock(&self.wake) {
            wake();
        }
    }
}

impl std::fmt::Debug for ObsPageInput {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ObsPageInput").finish_non_exhaustive()
    }
}

/// The job of the thread that makes the messages, and a signal for its changes.
#[derive(Debug)]
struct PaintSignal {
    job: Mutex<PaintJob>,
    change_signal: Condvar,
}

/// Ends the thread when it is dropped.
#[derive(Debug)]
struct PaintSignalGuard(Arc<PaintSignal>);

/// The values that the OBS pages show.
#[derive(Clone, Debug)]
struct PaintJob {
    /// The state of the model; `None` before the first one.
    snapshot: Option<Arc<ObsPagesSnapshot>>,
    settings: Arc<ObsPagesSettings>,
    /// The number of changes of the job. A newly opened OBS page counts as a change.
    revision: u64,
    /// Whether the thread has to end.
    is_over: bool,
}

impl RunningObsPages {
    /// Starts the server.
    ///
    /// # Errors
    /// Fails if the port is in use, or the system has no thread.
    pub fn start(address: &ObsPagesAddress, settings: ObsPagesSettings) -> io::Result<Self> {
        let (lang, theme_store) = (settings.lang, settings.store.clone());
        let job = PaintJob {
            snapshot: None,
            settings: Arc::new(settings),
            revision: 0,
            is_over: false,
        };
        let signal = Arc::new(PaintSignal {
            job: Mutex::new(job),
            change_signal: Condvar::new(),
        });
        let waker = Arc::clone(&signal);
        let hub = Arc::new(FeedHub::new(move || waker.change(|_| {})));
        let mut assets = page_assets(cfg!(feature = "gui"));
        assets.push(index::page(lang));
        #[cfg(feature = "gui")]
        assets.extend(overlay::fonts());
        let ip = if address.is_open {
            Ipv4Addr::UNSPECIFIED
        } else {
            Ipv4Addr::LOCALHOST
        };
        let socket = SocketAddr::new(ip.into(), address.port);
        let input = Arc::<ObsPageInput>::default();
        let taken = Arc::clone(&input);
        let store = theme_store;
        let has_theme =
            move |name: &str| ThemeEntry::find(store.as_ref(), name).is_ok_and(|found| found.is_some());
        let take: ControlHandler = Arc::new(move |word, query| taken.queue_control(word, query, &has_theme));
        let control = address.control_token.clone().map(|token| ControlAddress {
            token,
            handle_request: take,
        });
        let config = ServeConfig {
            address: socket,
            token: address.token.clone(),
            assets,
            control,
        };
        let server = WebServer::start(config, Arc::clone(&hub))?;
        let shared = Arc::clone(&signal);
        let chosen = Arc::clone(&input);
        let thread = threads::spawn("pages", move || run(&shared, &hub, &chosen))?;
        let lan_url = address.is_open.then(lan_ip).flatten().map(|ip| server.url_at(ip));
        Ok(Self {
            server,
            lan_url,
            signal: PaintSignalGuard(signal),
            input,
            _thread: thread,
        })
    }

    /// Returns the address of the OBS pages on this machine, with the token.
    pub fn url(&self) -> String {
        self.server.url()
    }

    /// Returns the address of the OBS pages for other machines; `None` if these are not served, or without a network.
    pub fn lan_url(&self) -> Option<&str> {
        self.lan_url.as_deref()
    }

    /// Returns the TCP port of the server.
    pub const fn port(&self) -> u16 {
        self.server.address().port()
    }

    /// Shows the present state of a model, which is copied. The thread of the OBS pages makes texts and JSON of it.
    pub fn publish(&self, model: &AppModel) {
        let snapshot = Arc::new(ObsPagesSnapshot::new(model));
        self.signal.0.change(|job| job.snapshot = Some(snapshot));
    }

    /// Sets the function that is called when there is input from an OBS page or the control address.
    pub fn set_wake(&self, wake: WakeFn) {
        *lock(&self.input.wake) = Some(wake);
    }

    /// Removes and returns the game that was last chosen on an OBS page of this machine.
    pub fn take_chosen_game(&self) -> Option<GameId> {
        self.input.chosen_game.take()
    }

    /// Removes and returns the open pages, if others are open than before.
    pub fn take_clients(&self) -> Option<PageClients> {
        self.input.clients.take()
    }

    /// Returns the control address, up to the word that the user adds; `None` if the control address is off.
    pub fn control_url(&self) -> Option<String> {
        self.server.control_url()
    }

    /// Removes and returns the requests to the control address since the last call.
    pub fn take_controls(&self) -> Vec<ObsPageControl> {
        lock(&self.input.controls).drain(..).collect()
    }

    /// Changes the settings.
    pub fn set_settings(&self, settings: ObsPagesSettings) {
        self.signal.0.change(|job| job.settings = Arc::new(settings));
    }
}

impl PaintSignal {
    fn change(&self, change: impl FnOnce(&mut PaintJob)) {
        let mut job = lock(&self.job);
        change(&mut job);
        job.revision += 1;
        self.change_signal.notify_all();
    }

    /// Waits until the job has another revision than `seen`, or the timeout has passed. Returns the job; `None` if the
    /// thread has to end.
    fn wait(&self, seen: u64, timeout: Duration) -> Option<PaintJob> {
        let (job, _timed_out) = self
            .change_signal
            .wait_timeout_while(lock(&self.job), timeout, |job| {
                job.revision == seen && !job.is_over
            })
            .unwrap_or_else(PoisonError::into_inner);
        Some(job.clone()).filter(|job| !job.is_over)
    }
}

impl Drop for PaintSignalGuard {
    fn drop(&mut self) {
        self.0.change(|job| job.is_over = true);
    }
}

/// Sends the clients the contents of the OBS pages whenever these change. Takes the choices of games from the clients.
fn run(signal: &PaintSignal, hub: &FeedHub, input: &ObsPageInput) {
    let (mut seen, mut pause) = (u64::MAX, Duration::ZERO);
    let (mut recorder, mut shown, mut content) =
        (ObsPagesRecorder::default(), None, ObsPagesContent::default());
    #[cfg(feature = "gui")]
    let (start, mut overlays) = (now(), overlay::ObsOverlays::default());
    let mut clients = ClientWatch::default();
    while let Some(job) = signal.wait(seen, pause) {
        seen = job.revision;
        // Pages that were open in the former run keep their picture until there is a new one.
        let Some(snapshot) = job.snapshot else {
            pause = MAX_UPDATE_INTERVAL;
            continue;
        };
        if !shown.as_ref().is_some_and(|shown| Arc::ptr_eq(shown, &snapshot)) {
            content = recorder.content(&snapshot, seconds_since_1970());
            shown = Some(snapshot);
            *lock(&input.games) = content.numbers().collect();
            hub.publish(&FeedTopic::State, &content.state_json());
        }
        if let Some(game) = hub
            .take_chosen_game_number()
            .and_then(|number| content.game(number))
        {
            input.choose(game);
        }
        let pages: Vec<_> = hub
            .page_queries()
            .into_iter()
            .map(|query| (ObsPageOptions::parse(&query), query))
            .collect();
        let counts_until = clients.update(&pages, hub, &content, |found| input.set_clients(found));
        for (options, query) in pages
            .iter()
            .filter(|(options, _)| options.kind == ObsPageKind::Desk)
        {
            let lang = options.lang.unwrap_or(job.settings.lang);
            let desk = content.desk_json(
                env!("CARGO_PKG_VERSION"),
                options,
                &job.settings.second_names,
                lang,
            );
            hub.publish(&FeedTopic::Page(query.clone()), &desk);
        }
        #[cfg(feature = "gui")]
        let next = {
            let publish =
                |query: &str, message: &str| hub.publish(&FeedTopic::Page(query.to_owned()), message);
            overlays.show(&pages, &content, &job.settings, start.elapsed(), publish)
        };
        #[cfg(not(feature = "gui"))]
        let next = None;
        pause = next.map_or(MAX_UPDATE_INTERVAL, |next: Duration| {
            next.max(MIN_UPDATE_INTERVAL)
        });
        pause = counts_until.map_or(pause, |until| pause.min(until.max(MIN_UPDATE_INTERVAL)));
    }
}

/// Returns this machine's address in its network; `None` without a network. Nothing is sent: the system only chooses
/// the route.
fn lan_ip() -> Option<IpAddr> {
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
    // An address reserved for documentation, which no machine has.
    socket.connect((Ipv4Addr::new(192, 0, 2, 1), 9)).ok()?;
    Some(socket.local_addr().ok()?.ip()).filter(|ip| !ip.is_unspecified())
}

#[cfg(feature = "gui")]
#[expect(
    clippy::disallowed_methods,
    reason = "the clock of the animations on the pages"
)]
fn now() -> Instant {
    Instant::now()
}

/// Returns the present time in seconds since 1970.
#[expect(
    clippy::disallowed_methods,
    reason = "the time of day of a swing, and the day of an answer"
)]
pub fn seconds_since_1970() -> u64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |time| time.as_secs())
}
