//! `shogibar [FILE]`: the bar, in a window or in the terminal.

use super::open_reports::OpenReports;
use super::usage::whole;
use super::{CliOutcome, LangName, Streams, text};
use crate::app::effects::analysis::AnalysisThreads;
use crate::app::effects::files as file_effects;
#[cfg(feature = "gui")]
use crate::app::effects::local_socket;
use crate::app::effects::profiles::ProfileFile;
use crate::app::viewer::{StartedEngine, Viewer, ViewerParts};
use crate::cli::command_error::CommandError;
use crate::cli::usage_text::ExpectedValue;
#[cfg(feature = "gui")]
use crate::platform;
#[cfg(feature = "gui")]
use shogibar_base::Lang;
use shogibar_base::threads::lock;
use shogibar_config::GeneralSettings;
use shogibar_engine::options::Limit;
use shogibar_engine::session::{RestartPolicy, Session, SessionConfig};
use shogibar_games::analysis::{AnalysisOptions, create_engines};
use shogibar_games::bar::FollowMode;
use shogibar_kifu::record_text;
use shogibar_live::LiveAddress;
use shogibar_machine::discovery::{self, FoundEngine};
use shogibar_machine::store::Store;
use shogibar_machine::traffic::TrafficLog;
use shogibar_model::game::OpenPosition;
#[cfg(feature = "gui")]
use shogibar_model::open_request::OpenRequest;
use shogibar_model::workspace::{self, Workspace};
use shogibar_model::{
    AppEvent, AppModel, EngineInfo, EnginePurpose, EngineShare, MAX_ENGINES_PER_BAR, Message, ModelOptions,
};
use shogibar_shogi::score::WinRateModel;
use std::ffi::OsString;
use std::io::{self, IsTerminal as _, stdout};
#[cfg(feature = "gui")]
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, sync_channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// The maximum number of tries to hand files over to a program that is starting.
#[cfg(feature = "gui")]
const MAX_HAND_OVER_TRIES: u32 = 30;
/// The pause between two tries to hand files over.
#[cfg(feature = "gui")]
const HAND_OVER_RETRY_PAUSE: Duration = Duration::from_millis(100);
/// The longest search of a position for text to a file or pipe, if no limit was chosen.
const UNWATCHED_TIME_LIMIT: Duration = Duration::from_mins(1);

/// The arguments of `shogibar` without a subcommand.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct Arguments {
    /// A game record, a folder (its newest record is followed), an address (`https://…`, `csa://NAME@SERVER/GAME`), or
    /// `-` for standard input. The window shows the first of several; the others are tabs of the study page [default:
    /// the start position]
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// An engine: a profile's name, a program's name, a path, or `builtin`. Give it twice to search with two engines
    /// side by side [default: the first profile]
    #[arg(long = "engine", value_name = "ENGINE")]
    engines: Vec<OsString>,
    /// Which of two engines the bar follows: `1`, `2`, or `mean` for the mean of their win rates
    #[arg(long, value_name = "WHICH", value_parser = parse_follow, default_value = "1")]
    follow: FollowMode,
    /// Show the bar as one live line in the terminal
    #[arg(long)]
    text: bool,
    /// Open the study page at once
    #[arg(long, conflicts_with = "text")]
    study: bool,
    /// Start a separate program, even if one is already running
    #[arg(long, conflicts_with = "text")]
    new: bool,
    /// Open the record after this many moves [default: its last move; the start of a finished game]
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = parse_ply)]
    ply: Option<usize>,
    /// Search each position for this long, in milliseconds [default: the profile's, or until the position changes]
    #[arg(long, value_name = "MS")]
    movetime: Option<u64>,
    /// Number of candidates to show, 1 to 5 [default: the profile's, or 3]
    #[arg(long, value_name = "K", allow_hyphen_values = true, value_parser = whole::<u32>(1, Some(5)))]
    multipv: Option<u32>,
    /// Threads for each engine [default: the profile's, or its share of half the processors]
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1, Some(u32::MAX.into())))]
    threads: Option<u32>,
    /// Memory for each engine's hash table, in MB [default: the profile's, or 256]
    #[arg(long, value_name = "MB", value_parser = whole::<u32>(1, Some(u32::MAX.into())))]
    hash: Option<u32>,
    /// The scale K from centipawns to win rates, 1 to 100000 [default: the profile's, or the one that suits the engine]
    #[arg(long, value_name = "K", value_parser = parse_scale)]
    k: Option<WinRateModel>,
    #[command(flatten)]
    log: super::LogArgument,
    // The picture options are those of `snapshot`; the window has them in its settings.
    #[arg(long, hide = true, value_parser = refuse_setting)]
    layout: Option<String>,
    #[arg(long, hide = true, value_parser = refuse_setting)]
    theme: Option<String>,
    /// The OBS pages without a window. `None` in a window and in the terminal.
    #[arg(skip)]
    served: Option<ServedPages>,
}

/// The OBS pages of `shogibar serve`.
#[derive(Clone, Debug)]
pub(super) struct ServedPages {
    pub(super) bars: usize,
    /// The port; 0 for any free one.
    pub(super) port: u16,
    /// The workspace with which the command begins, unless the same command has run before on this port.
    pub(super) workspace: Workspace,
}

fn parse_scale(text: &str) -> Result<WinRateModel, ExpectedValue> {
    let (min, max) = WinRateModel::K_RANGE.into_inner();
    text.parse()
        .ok()
        .and_then(WinRateModel::from_k)
        .ok_or(ExpectedValue::Number(min, Some(max)))
}

fn parse_follow(text: &str) -> Result<FollowMode, ExpectedValue> {
    if text == "mean" {
        return Ok(FollowMode::Mean);
    }
    let engine = text
        .parse()
        .ok()
        .filter(|number| (1..=MAX_ENGINES_PER_BAR).contains(number));
    let ways = || {
        (1..=MAX_ENGINES_PER_BAR)
            .map(|number| number.to_string())
            .chain(["mean".to_owned()])
            .collect()
    };
    engine
        .map(|number| FollowMode::One(number - 1))
        .ok_or_else(|| ExpectedValue::OneOf(ways()))
}

pub(super) fn parse_ply(text: &str) -> Result<usize, ExpectedValue> {
    whole(0, None)(text)
}

const fn refuse_setting(_: &str) -> Result<String, ExpectedValue> {
    Err(ExpectedValue::InSettings)
}

/// Events from outside: interrupts of the terminal, and news of sessions.
#[derive(Clone, Default)]
pub(super) struct OutsideEvents {
    waker: ShowWaker,
    is_interrupted: Arc<AtomicBool>,
}

/// A program that is ready to show its games.
pub(super) struct OpenedProgram {
    pub(super) viewer: Viewer,
    #[cfg_attr(not(feature = "gui"), expect(dead_code, reason = "only windows use it"))]
    pub(super) log: TrafficLog,
    pub(super) reports: OpenReports,
    pub(super) outside: OutsideEvents,
    #[cfg_attr(not(feature = "gui"), expect(dead_code, reason = "only windows use it"))]
    profile_file: Arc<ProfileFile>,
}

/// Wakes the current display, window or terminal.
#[derive(Clone, Default)]
struct ShowWaker(Arc<Mutex<Option<DisplayWakeFn>>>);

type DisplayWakeFn = Box<dyn Fn() + Send>;

impl ShowWaker {
    fn wake(&self) {
        if let Some(wake) = &*lock(&self.0) {
            wake();
        }
    }

    fn set_wake_fn(&self, wake: impl Fn() + Send + 'static) {
        *lock(&self.0) = Some(Box::new(wake));
    }
}

/// Shows the bar. `named` is the language given on the command line.
pub(super) fn run(
    arguments: &Arguments,
    named: Option<LangName>,
    streams: &mut Streams<'_>,
) -> anyhow::Result<CliOutcome> {
    let lang = streams.lang;
    arguments.check()?;
    if let Some(sentence) = arguments
        .files
        .iter()
        .find_map(|file| super::unknown_word_message(file, lang))
    {
        anyhow::bail!(sentence);
    }
    #[cfg(feature = "gui")]
    let ControlFlow::Continue(workspace_lock) = arguments.hand_over(streams.lang)? else {
        return Ok(CliOutcome::Done);
    };
    #[cfg(not(feature = "gui"))]
    let workspace_lock = None;
    let program = arguments.open(workspace_lock, streams)?;
    if arguments.text {
        return run_in_terminal(program.viewer, &program.reports, &program.outside, streams);
    }
    run_in_window(program, arguments, named, streams)
}

impl Arguments {
    /// Returns the arguments of a program that serves OBS pages, with the engines of `bars` bars for all games.
    pub(super) fn for_pages(
        files: &[PathBuf],
        engines: &[OsString],
        served: ServedPages,
        log: super::LogArgument,
    ) -> Self {
        Self {
            files: files.to_vec(),
            engines: engines.to_vec(),
            follow: FollowMode::default(),
            text: false,
            study: false,
            new: false,
            ply: None,
            movetime: None,
            multipv: None,
            threads: None,
            hash: None,
            k: None,
            log,
            layout: None,
            theme: None,
            served: Some(served),
        }
    }
}

impl Arguments {
    /// Starts the engines and opens the files. Returns the open program, before anything is shown.
    pub(super) fn open(
        &self,
        workspace_lock: Option<shogibar_files::FileLock>,
        streams: &mut Streams<'_>,
    ) -> anyhow::Result<OpenedProgram> {
        let (arguments, lang) = (self, streams.lang);
        if !arguments.is_window() {
            super::report_settings_problems(super::store().as_ref(), lang, &mut streams.err)?;
        }
        let profiles = super::profiles(super::store().as_ref(), lang, streams)?.value;
        let log = arguments.log.open();
        let outside = OutsideEvents::default();
        let (waker, settings, session_log) = (outside.waker.clone(), arguments.clone(), log.clone());
        let start = move |engine: io::Result<FoundEngine>, share| {
            settings.start(engine, share, waker.clone(), &session_log)
        };
        log.set_problem_callback(outside.wake_fn());
        // Engines are started first: they load while the record is read and the window opens.
        let store = super::store().map(|store| match &arguments.served {
            Some(served) => store.for_port(served.port),
            None => store,
        });
        let has_workspace =
            arguments.is_window() || arguments.served.as_ref().is_some_and(|served| served.port > 0);
        // Another instance on this folder stores no workspace: it would show the games twice.
        let workspace_lock = match &store {
            Some(store) if has_workspace && workspace_lock.is_none() => store.lock_workspace(),
            _ => workspace_lock,
        };
        let workspace_store = workspace_lock.as_ref().and(store.as_ref());
        let stored = workspace_store
            .map(file_effects::stored_workspace)
            .unwrap_or_default();
        let mut addresses = super::addresses(&arguments.files)?;
        let workspace = arguments.first_workspace(stored, &mut addresses);
        let (engines, follow) = arguments.first_engines(&workspace);
        let engines: Vec<_> = if engines.is_empty() {
            vec![start(
                discovery::default_engine(&profiles),
                EngineShare::for_engines(arguments.bar_count()),
            )?]
        } else {
            let share = EngineShare::for_engines(engines.len() * arguments.bar_count());
            engines
                .iter()
                .map(|name| start(discovery::find(name, &profiles), share))
                .collect::<anyhow::Result<_>>()?
        };
        let options = ModelOptions {
            shared_bars: arguments.served.as_ref().map(|served| served.bars),
            chooses_newest: !arguments.is_window(),
            uses_stand_in: arguments.is_window(),
        };
        let stored = store.as_ref().map(file_effects::stored_files).unwrap_or_default();
        let mut model = AppModel::new(lang, stored, options);
        let position = OpenPosition {
            ply: arguments.ply,
            ..OpenPosition::default()
        };
        let is_input = addresses.first() == Some(&LiveAddress::Stdin);
        addresses.retain(|address| *address != LiveAddress::Stdin);
        if is_input {
            open_input(&mut model, position.clone(), arguments.is_window(), streams)?;
        }
        // Called only now: while an endless input is read, Ctrl-C must end the program as usual.
        outside.listen()?;
        // The profiles may have changed since the start, so each engine is started by the file's present profiles.
        let profile_file = Arc::new(ProfileFile::new(super::store(), profiles));
        let file = Arc::clone(&profile_file);
        let start = Box::new(move |name: &str, share: EngineShare| {
            let profiles = file.profiles();
            let is_default = name.is_empty();
            start(
                if is_default {
                    discovery::default_engine(&profiles)
                } else {
                    discovery::find(name, &profiles)
                },
                share,
            )
        });
        let analysis = analysis_threads(&log, &profile_file, &outside);
        let reports = OpenReports::default();
        let parts = ViewerParts {
            engines,
            follow,
            workspace_lock,
            start,
            analysis,
            report: reports.reporter(arguments.is_window(), lang),
            wake: Arc::new(outside.wake_fn()),
            is_interrupted: Arc::clone(&outside.is_interrupted),
            holds_searches: arguments.is_window(),
        };
        let mut viewer = Viewer::new(model, store.as_ref(), parts).with_log(log.clone());
        if !addresses.is_empty() {
            viewer.handle(AppEvent::OpenGiven(
                addresses,
                if is_input {
                    OpenPosition::default()
                } else {
                    position
                },
            ));
        }
        if !arguments.is_window() {
            apply_stored_settings(&mut viewer, store.as_ref(), arguments.is_watched());
        }
        viewer.handle(AppEvent::Restore(Box::new(workspace)));
        #[cfg(feature = "gui")]
        start_window_parts(
            &mut viewer,
            if arguments.is_window() {
                workspace_store
            } else {
                None
            },
            &profile_file,
        );
        Ok(OpenedProgram {
            viewer,
            log,
            reports,
            outside,
            profile_file,
        })
    }
}

fn stored_general_settings(store: &Store) -> GeneralSettings {
    store
        .settings()
        .map(|reading| reading.value.general)
        .unwrap_or_default()
}

/// Applies the stored settings to a program without windows. The graphs are filled only if a user watches.
fn apply_stored_settings(viewer: &mut Viewer, store: Option<&Store>, is_watched: bool) {
    let stored = store.map(stored_general_settings);
    let keeps_results = stored.as_ref().is_some_and(|general| general.keeps_results);
    let general = stored.unwrap_or_default();
    let event = viewer.model().changed_settings(|settings| {
        settings.keeps_results = keeps_results;
        settings.fills_graph = general.fills_graph && is_watched;
        settings.position_limit = general.position_limit.time();
    });
    viewer.handle(event);
}

/// Creates the threads of analyses. An analysis uses the engines' profiles at its start.
fn analysis_threads(
    log: &TrafficLog,
    profiles: &Arc<ProfileFile>,
    outside: &OutsideEvents,
) -> AnalysisThreads {
    let (log, file) = (log.clone(), Arc::clone(profiles));
    let create_engines = move |options: &AnalysisOptions, positions: usize| {
        let engines = create_engines(&options.engines, options, &file.profiles(), &log, positions);
        Ok(engines.map_err(CommandError::NoExecutablePath)?)
    };
    AnalysisThreads::new(Box::new(create_engines), Arc::new(outside.wake_fn()))
}

/// Starts what only the first instance of the program has: the control of OBS, and the local socket. Without the socket,
/// a second start opens separate windows, and relays are not shown.
#[cfg(feature = "gui")]
fn start_window_parts(viewer: &mut Viewer, store: Option<&Store>, profiles: &Arc<ProfileFile>) {
    let Some(store) = store else { return };
    let file = Arc::clone(profiles);
    let profile_model =
        Arc::new(move |name: &str| file.profiles().get(name).and_then(|profile| profile.model));
    viewer.open_socket(store, profile_model);
    viewer.start_obs_control(store);
}

impl OutsideEvents {
    /// Returns the function that wakes the current display.
    fn wake_fn(&self) -> impl Fn() + Send + Sync + 'static {
        let waker = self.waker.clone();
        move || waker.wake()
    }

    /// Returns a channel that receives a message when the viewer has new events.
    pub(super) fn wake_events(&self) -> Receiver<()> {
        let (sender, events) = sync_channel(1);
        self.waker.set_wake_fn(move || {
            // A full channel means that an event is pending already.
            let _already_pending = sender.try_send(());
        });
        events
    }

    /// Handles Ctrl-C, SIGTERM and SIGHUP as a request to quit, so that engines are ended first.
    fn listen(&self) -> anyhow::Result<()> {
        let outside = self.clone();
        Ok(ctrlc::set_handler(move || {
            outside.is_interrupted.store(true, Ordering::Relaxed);
            outside.waker.wake();
        })
        .map_err(|error| CommandError::NoHandler(error.to_string()))?)
    }
}

#[cfg(feature = "gui")]
fn run_in_window(
    program: OpenedProgram,
    arguments: &Arguments,
    named: Option<LangName>,
    streams: &mut Streams<'_>,
) -> anyhow::Result<CliOutcome> {
    use crate::app::engine_manager::EngineManager;
    use crate::app::gui;
    use crate::app::preferences::Preferences;
    let OpenedProgram {
        viewer,
        log,
        reports,
        outside,
        profile_file,
    } = program;
    gui::unpack_fonts();
    let (lang, count) = (viewer.lang(), arguments.engines.len());
    let preferences = Preferences::open(super::store(), super::system_lang());
    let preferences = preferences.with_log(log, arguments.log.log.clone());
    let warnings: Vec<_> = preferences.warnings().map(|remark| remark.text(lang)).collect();
    let opening = gui::WindowsSetup {
        engine_manager: EngineManager::new(profile_file, discovery::default_session(count)),
        preferences: Arc::new(Mutex::new(preferences.with_language(named.map(LangName::lang)))),
        candidates: viewer.max_candidates(),
        opens_study: arguments.study,
    };
    let viewer = Arc::new(Mutex::new(viewer));
    let interrupted = Arc::clone(&outside.is_interrupted);
    let connect = |wakers: gui::Wakers| {
        outside.waker.set_wake_fn(move || {
            if interrupted.load(Ordering::Relaxed) {
                wakers.wake_all();
            } else {
                wakers.wake();
            }
        });
    };
    let message = match gui::run(Arc::clone(&viewer), opening, connect) {
        Ok(frames) => {
            // Another thread may still hold the viewer, so that a drop here would not end the file threads.
            lock(&viewer).shut_down_files();
            // `SHOGIBAR_FRAMES` prints the number of frames and the longest one.
            if std::env::var_os("SHOGIBAR_FRAMES").is_some() {
                let gui::FrameStats {
                    bar_frame_count: count,
                    longest_frame: longest,
                } = frames;
                writeln!(streams.err, "frames: {count}")?;
                writeln!(streams.err, "longest: {:.1} ms", longest.as_secs_f64() * 1e3)?;
            }
            return Ok(CliOutcome::Done);
        }
        // Without a terminal the bar would run invisibly with its engine, so the program ends.
        Err(why) if !platform::join_console() => {
            anyhow::bail!(Message::NoWindowNorTerminal(why.to_string()).text(lang))
        }
        Err(gui::GuiError::NoDisplay) => Message::NoDisplay,
        Err(gui::GuiError::Window(why)) => Message::NoWindow(why),
    };
    writeln!(streams.err, "{}", message.text(lang))?;
    // Without a window there is no settings page to show these warnings, so they are printed.
    for sentence in warnings {
        writeln!(streams.err, "{sentence}")?;
    }
    let viewer =
        Arc::into_inner(viewer).ok_or(CommandError::Broken("a window that failed is still there"))?;
    let viewer = viewer
        .into_inner()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    run_in_terminal(viewer, &reports, &outside, streams)
}

#[cfg(not(feature = "gui"))]
fn run_in_window(
    program: OpenedProgram,
    _arguments: &Arguments,
    _named: Option<LangName>,
    streams: &mut Streams<'_>,
) -> anyhow::Result<CliOutcome> {
    let OpenedProgram {
        viewer,
        reports,
        outside,
        ..
    } = program;
    writeln!(streams.err, "{}", Message::BuiltWithoutWindow.text(viewer.lang()))?;
    run_in_terminal(viewer, &reports, &outside, streams)
}

fn run_in_terminal(
    mut viewer: Viewer,
    reports: &OpenReports,
    outside: &OutsideEvents,
    streams: &mut Streams<'_>,
) -> anyhow::Result<CliOutcome> {
    // A window may have failed before its first frame, which would have begun the searches.
    viewer.begin_searches();
    let (sender, wake_events) = sync_channel(1);
    let wake = move || {
        // A full channel means that an event is pending already.
        let _already_pending = sender.try_send(());
    };
    outside.waker.set_wake_fn(wake.clone());
    text::run(viewer, wake, &wake_events, reports, streams)
}

/// Opens the record on standard input. A window passes `is_unsaved`, so that the game can be saved; a terminal does
/// not.
fn open_input(
    model: &mut AppModel,
    position: OpenPosition,
    is_unsaved: bool,
    streams: &mut Streams<'_>,
) -> anyhow::Result<()> {
    let bytes =
        shogibar_files::read_from(streams.input, shogibar_kifu::MAX_BYTES).map_err(CommandError::Input)?;
    model.open_at(position);
    for warning in model.open_bytes("-", &bytes, is_unsaved) {
        writeln!(streams.err, "-:{}", record_text::warning(&warning, streams.lang))?;
    }
    Ok(())
}

impl Arguments {
    /// Hands the files over to the running program; `Break` if it has taken them. Arguments that it cannot apply, such
    /// as another limit, need a separate program. Where no program is running, returns the lock on the workspace if it
    /// is free.
    ///
    /// # Errors
    /// Fails if a program is running and a file is no record. At a terminal, the file is then not handed over: a stream
    /// may show the open bar, which must not show that message. A user without a terminal sees the message only there.
    #[cfg(feature = "gui")]
    fn hand_over(&self, lang: Lang) -> anyhow::Result<ControlFlow<(), Option<shogibar_files::FileLock>>> {
        let has_limits = self.movetime.is_some() || self.multipv.is_some() || self.threads.is_some();
        let has_others =
            self.hash.is_some() || self.k.is_some() || self.ply.is_some() || self.log.log.is_some();
        let is_input = self.files.iter().any(|file| file.as_os_str() == "-");
        // Engine arguments apply to files.
        let has_engines_only = self.files.is_empty() && !self.engines.is_empty();
        let is_other_mode = self.follow != FollowMode::One(0) || has_engines_only || is_input;
        if !self.is_window() || self.new || has_limits || has_others || is_other_mode {
            return Ok(ControlFlow::Continue(None));
        }
        let request = || {
            let addresses = self
                .files
                .iter()
                .map(|file| match LiveAddress::from_argument(file).ok()? {
                    LiveAddress::Path(path) => std::path::absolute(path).ok().map(LiveAddress::Path),
                    address => Some(address),
                })
                .collect::<Option<_>>()?;
            let engines = self
                .engines
                .iter()
                .map(|name| name.to_str().map(str::to_owned))
                .collect::<Option<_>>()?;
            Some(OpenRequest {
                addresses,
                engines,
                shows_study: self.study,
            })
        };
        let Some((store, request)) = super::store().zip(request()) else {
            return Ok(ControlFlow::Continue(None));
        };
        let lock = store.lock_workspace();
        if lock.is_some() {
            return Ok(ControlFlow::Continue(lock));
        }
        let unreadable = self.file_problem().map(|why| why.text(lang));
        if let Some(why) = &unreadable
            && io::stderr().is_terminal()
        {
            anyhow::bail!(why.clone());
        }
        for _ in 0..MAX_HAND_OVER_TRIES {
            match local_socket::hand_over(&store, &request) {
                Some(true) => {
                    return unreadable.map_or(Ok(ControlFlow::Break(())), |why| Err(anyhow::Error::msg(why)));
                }
                Some(false) => return Ok(ControlFlow::Continue(None)),
                None => {}
            }
            let lock = store.lock_workspace();
            if lock.is_some() {
                return Ok(ControlFlow::Continue(lock));
            }
            // A program that is starting answers soon.
            std::thread::park_timeout(HAND_OVER_RETRY_PAUSE);
        }
        Ok(ControlFlow::Continue(None))
    }

    /// Returns the problem of the first file that is missing or is no record. Returns `None` without one.
    #[cfg(feature = "gui")]
    fn file_problem(&self) -> Option<Box<Message>> {
        self.files.iter().find_map(|file| {
            let LiveAddress::Path(path) = LiveAddress::from_argument(file).ok()? else {
                return None;
            };
            file_effects::check_readable(&path).err()
        })
    }

    /// Refuses arguments that cannot be combined.
    fn check(&self) -> anyhow::Result<()> {
        let count = self.engines.len();
        if self.text
            && let [one, another, ..] = self.files.as_slice()
        {
            anyhow::bail!(CommandError::OneRecord(one.clone(), another.clone()));
        }
        anyhow::ensure!(
            count <= MAX_ENGINES_PER_BAR,
            CommandError::TooManyEngines(MAX_ENGINES_PER_BAR)
        );
        let lead = self.follow.lead_index();
        anyhow::ensure!(lead < count.max(1), CommandError::NoSuchEngine(lead + 1));
        Ok(())
    }

    fn bar_count(&self) -> usize {
        self.served.as_ref().map_or(1, |served| served.bars)
    }

    /// Returns the workspace with which the program begins, and removes the addresses whose games it has. `stored` is
    /// the workspace of the last run.
    fn first_workspace(&self, stored: Workspace, addresses: &mut Vec<LiveAddress>) -> Workspace {
        let Some(served) = &self.served else {
            return if addresses.is_empty() {
                stored
            } else {
                Workspace::default()
            };
        };
        if stored.command != served.workspace.command || addresses.contains(&LiveAddress::Stdin) {
            return served.workspace.clone();
        }
        let mut workspace = stored;
        workspace.bars.truncate(served.bars.max(1));
        for bar in &mut workspace.bars {
            bar.engines = self
                .engines
                .iter()
                .map(|engine| engine.to_string_lossy().into_owned())
                .collect();
        }
        addresses.retain(|address| {
            let shown = address.to_string();
            let mut games = workspace
                .games
                .iter_mut()
                .filter(|game| match address {
                    LiveAddress::Path(path) => {
                        game.path.starts_with(workspace::absolute(path)) || game.address == shown
                    }
                    _ => game.address == shown,
                })
                .peekable();
            let is_new = games.peek().is_none();
            // The workspace stores no password.
            games
                .filter(|game| game.address == shown)
                .for_each(|game| game.address = address.with_password());
            is_new
        });
        workspace
    }

    /// Returns the engines of the first bar, and which of them the bar follows. The arguments decide, or else the last
    /// run. An empty list means the default engine.
    fn first_engines(&self, workspace: &Workspace) -> (Vec<OsString>, FollowMode) {
        let first = workspace
            .bars
            .first()
            .filter(|bar| self.engines.is_empty() && !bar.engines.is_empty());
        first.map_or_else(
            || (self.engines.clone(), self.follow),
            |bar| {
                let engines = bar
                    .engines
                    .iter()
                    .take(MAX_ENGINES_PER_BAR)
                    .map(OsString::from)
                    .collect();
                (engines, bar.follow.map_or(FollowMode::Mean, FollowMode::One))
            },
        )
    }

    /// Starts an engine with its share of the processors.
    fn start(
        &self,
        engine: io::Result<FoundEngine>,
        share: EngineShare,
        waker: ShowWaker,
        log: &TrafficLog,
    ) -> anyhow::Result<StartedEngine> {
        let mut engine = engine.map_err(CommandError::NoExecutablePath)?;
        engine.program.is_low_priority = share.is_low_priority;
        let is_profile = engine.is_added_by_user();
        // A K given on the command line does not belong to the profile.
        let fitted = engine
            .profile
            .clone()
            .filter(|profile| profile.fitted_net.is_some() && self.k.is_none())
            .map(Box::new);
        let settings = self.settings(&engine, share.engines);
        let settings = match share.purpose {
            EnginePurpose::Study => settings,
            EnginePurpose::Brief => SessionConfig {
                multipv: 1,
                threads: 1,
                hash_mb: 16,
                ..settings
            },
            EnginePurpose::Game => SessionConfig {
                multipv: 1,
                ..settings
            },
        };
        let (candidates, threads) = (settings.multipv, settings.threads);
        let recorder = log.recorder(&engine.name);
        let session = Session::start_recorded(engine.program, settings, recorder, move || waker.wake());
        let session = session.map_err(CommandError::NoThread)?;
        Ok(StartedEngine {
            info: EngineInfo {
                name: engine.name,
                is_profile,
                candidates,
                threads,
                relay: None,
            },
            session,
            fitted_profile: fitted,
        })
    }

    /// Returns whether the bar is shown in a window, and neither in the terminal nor on OBS pages.
    pub(super) const fn is_window(&self) -> bool {
        cfg!(feature = "gui") && !self.text && self.served.is_none()
    }

    /// Returns whether a user sees the bar and can wait for a restart. `false` for text to a file or a pipe.
    fn is_watched(&self) -> bool {
        !self.text || stdout().is_terminal()
    }

    /// Returns the hash memory of one engine, in MB: `set_mb`, the size of the profile or the default. If more than two
    /// bars are served, all engines together have the memory of two. Each has at least 16 MB if `set_mb` allows it.
    fn shared_hash_mb(&self, set_mb: u32) -> u32 {
        let bars = u32::try_from(self.bar_count()).unwrap_or(1);
        if bars > 2 {
            (set_mb * 2 / bars).max(16).min(set_mb)
        } else {
            set_mb
        }
    }

    /// Returns the configuration of one of several engines: the arguments, else the profile, else the defaults.
    fn settings(&self, engine: &FoundEngine, count: usize) -> SessionConfig {
        let set = engine.session(count);
        let is_endless = !self.is_watched() && set.limit == Limit::Infinite;
        let unwatched_limit = is_endless.then_some(UNWATCHED_TIME_LIMIT);
        SessionConfig {
            multipv: self.multipv.unwrap_or(set.multipv),
            threads: self.threads.unwrap_or(set.threads),
            hash_mb: self.hash.unwrap_or_else(|| self.shared_hash_mb(set.hash_mb)),
            model: self.k.or(set.model),
            restart_policy: if self.is_watched() {
                RestartPolicy::default()
            } else {
                RestartPolicy::never()
            },
            time_limit: self.movetime.map(Duration::from_millis).or(unwatched_limit),
            ..set
        }
    }
}
