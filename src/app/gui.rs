//! The windows: thin shells of eframe around one [`Host`].
//!
//! The root viewport is the main window, with a frame and an opaque ground. It is the only one that screen readers
//! see, and is hidden until it is opened. The bar is its child viewport: only a child stays on top from the first
//! frame on. It goes on while the root is hidden.

mod browser;
mod desktop;
mod dialogs;
mod hot_keys;
mod main_window;
mod menu;
mod overlay_window;
mod placement;
#[cfg(test)]
mod recording_host;
mod screens;
mod window_handle;

use super::analysis_controller::AnalysisController;
use super::engine_manager::EngineManager;
use super::preferences::{SettingsWatcher, SharedPreferences};
use super::record_file::RecordFile;
use super::state::{AppAction, GameJudge};
use crate::bar::{BarNotice, BarView};
use crate::config::{Command, Keys};
use crate::platform;
use crate::shogi::History;
use crate::store::InstanceSlot;
use crate::study::Document;
use crate::text::{Lang, Message};
use crate::threads::lock;
use crate::ui::overlay::FramePacer;
use crate::ui::{ViewportWaker, fonts};
use desktop::DesktopLimits;
use eframe::egui;
use egui::{Context, IconData, InputState, Ui, ViewportCommand, ViewportId, ViewportInfo};
use hot_keys::HotKeys;
use main_window::{CloseState, MainPage, MainWindow};
use overlay_window::{OverlayRequest, OverlaySetup, OverlayWindow};
use screens::Screen;
use std::panic::{self, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// The title of the bar's window. Recording programs, such as OBS, find the window by it.
const TITLE: &str = "Shogibar";

/// The application behind the windows: it has the state to show, and applies actions.
pub trait Host: Send {
    /// The bar's contents. Called for every frame, so it has to be fast.
    fn view(&mut self) -> &BarView;

    /// Applies an action of the user.
    fn act(&mut self, action: &AppAction);

    /// The names of the running engines, the one that the bar follows first.
    fn engines(&self) -> Vec<&str>;

    /// The current record.
    fn document(&self) -> &Document;

    /// The game up to the current node.
    fn history(&self) -> &Arc<History>;

    /// Runs a change of the current record.
    fn edit(&mut self, work: &mut dyn FnMut(&mut Document));

    /// The file of the current record.
    fn record_file(&self) -> &RecordFile;

    /// The controller of the game analysis.
    fn analysis(&self) -> &AnalysisController;

    /// Sets who judges the current record.
    fn judge_by(&mut self, judging: Option<GameJudge>);

    /// The notice for the study page.
    fn side_notice(&self) -> Option<BarNotice>;

    /// Whether the engines use fewer than `processors` now, as far as is known.
    fn leaves_free(&self, processors: usize) -> bool;

    /// Sets the least time between two updates of the bar.
    fn set_interval(&mut self, interval: Duration);

    /// Whether the user has paused the engines.
    fn is_paused(&self) -> bool;

    /// The language of the screen.
    fn lang(&self) -> Lang;

    /// Whether the windows are to close.
    fn is_over(&self) -> bool;
}

/// The display that windows would be shown on, as names and values in English. Empty where it does not vary.
pub fn display_info() -> Vec<(&'static str, &'static str)> {
    desktop::surroundings()
}

/// A host that several windows share.
pub type SharedHost = Arc<Mutex<dyn Host>>;

/// Why the windows could not be opened, or were closed.
#[derive(Debug, thiserror::Error)]
pub enum GuiError {
    /// No display, or none that accepts the program: the terminal may still work.
    #[error("there is no display to open a window on")]
    NoDisplay,
    /// There is a display, but the window failed on it. Holds the error.
    #[error("the window failed: {0}")]
    Window(String),
}

/// Wakes the windows, from any thread.
#[derive(Clone, Debug)]
pub struct Wakers {
    bar: ViewportWaker,
    /// Whether the root shows the engines' evaluations, too.
    studies: Arc<AtomicBool>,
    root: ViewportWaker,
    /// Whether the bar is drawn though it is covered.
    draws_covered: Arc<AtomicBool>,
}

impl Wakers {
    fn new(ctx: &Context) -> Self {
        let [bar, root] = [overlay_id(), ViewportId::ROOT].map(|window| ViewportWaker::new(ctx.clone(), window));
        let studies = Arc::<AtomicBool>::default();
        let bar = bar.with(ViewportId::ROOT, Arc::clone(&studies));
        Self { bar, studies, root, draws_covered: Arc::default() }
    }

    /// Wakes the windows that show the bar's contents, as these have changed.
    pub fn wake(&self) {
        self.bar.wake();
        // While the bar is covered, only the root runs.
        if self.draws_covered.load(Ordering::Relaxed) {
            self.root.wake();
        }
    }

    /// Wakes every window, visible or not.
    pub fn wake_all(&self) {
        self.bar.wake();
        self.root.wake();
    }
}

/// What the windows are opened with.
#[derive(Debug)]
pub struct WindowsSetup {
    /// The manager of the user's engines.
    pub engine_manager: EngineManager,
    /// The settings.
    pub preferences: SharedPreferences,
    /// The number of candidates that the bar first has room for.
    pub candidates: usize,
    /// Whether the study page is open from the start.
    pub studies: bool,
}

/// Opens the windows, and returns when the user closes them or the host is over. Returns the number of the bar's
/// frames. `on_wakers` is called once, before the first frame.
///
/// Has to be called on the main thread, as some systems allow windows nowhere else. It touches the display and the
/// graphics card not earlier than needed.
///
/// # Errors
/// [`GuiError::NoDisplay`] before anything was shown, [`GuiError::Window`] for everything else.
pub fn run(host: SharedHost, opening: WindowsSetup, on_wakers: impl FnOnce(Wakers)) -> Result<u32, GuiError> {
    let frames = Arc::<AtomicU32>::default();
    let counter = Arc::clone(&frames);
    let created = move |creation: &eframe::CreationContext<'_>| {
        let ctx = &creation.egui_ctx;
        ctx.options_mut(|options| options.zoom_with_keyboard = false);
        let wakers = Wakers::new(ctx);
        on_wakers(wakers.clone());
        let windows = Windows::new(host, opening, wakers, (WindowContent::from_creation(creation), counter));
        fonts::install(ctx, windows.font.as_deref());
        Ok(Box::new(windows) as Box<dyn eframe::App>)
    };
    // The loader panics if a library of the system is missing.
    let run = AssertUnwindSafe(|| eframe::run_native(TITLE, options(), Box::new(created)));
    match panic::catch_unwind(run) {
        Ok(Ok(())) => Ok(frames.load(Ordering::Relaxed)),
        Ok(Err(eframe::Error::WinitEventLoop(_))) => Err(GuiError::NoDisplay),
        Ok(Err(other)) => Err(GuiError::Window(other.to_string())),
        Err(panic) if frames.load(Ordering::Relaxed) > 0 => panic::resume_unwind(panic),
        Err(panic) => {
            let message = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref().copied());
            Err(GuiError::Window(message.unwrap_or("it panicked").to_owned()))
        }
    }
}

fn options() -> eframe::NativeOptions {
    eframe::NativeOptions {
        viewport: main_window::builder().with_icon(window_handle::icon()),
        renderer: eframe::Renderer::Glow,
        // Our own fonts include Japanese.
        system_font_fallback: false,
        event_loop_builder: window_handle::event_loop(),
        // There are no gradients to smooth. Without a graphics card, dithering takes a good part of a frame.
        dithering: false,
        ..eframe::NativeOptions::default()
    }
}

/// The screens, and what paints the frames.
struct WindowContent {
    screens: Vec<Screen>,
    painter: FramePacer,
}

impl WindowContent {
    fn from_creation(creation: &eframe::CreationContext<'_>) -> Self {
        let screens = creation.winit_window().map(|window| screens::all(window)).unwrap_or_default();
        let renderer = creation.gl.as_deref().map(platform::renderer).unwrap_or_default();
        Self { screens, painter: desktop::painter(&renderer) }
    }
}

/// The notice about recoverable records, for a user who never opens the study page.
fn recovery_message(record_file: &RecordFile) -> Option<Message> {
    record_file.recovery_summary().map(|(count, name)| Message::RecoverableRecords(count, name))
}

/// The viewport of the bar's window.
fn overlay_id() -> ViewportId {
    ViewportId::from_hash_of("overlay")
}

/// All windows. The bar's window draws by itself whenever it has to, hence its lock.
struct Windows {
    host: SharedHost,
    main: MainWindow,
    overlay: Arc<Mutex<OverlayWindow>>,
    icon: Arc<IconData>,
    preferences: SharedPreferences,
    keys: HotKeys,
    draws_covered: Arc<AtomicBool>,
    /// Whether the user was being asked about the record at the last frame.
    has_asked: bool,
    /// The system font in use, if any.
    font: Option<String>,
    /// The slot of this instance among the running ones.
    slot: InstanceSlot,
    /// Whether click-through has been on since the bar was opened.
    was_through_at_start: bool,
    /// Reads and writes the settings. Dropped last, so that nothing is lost.
    _watcher: SettingsWatcher,
}

impl Windows {
    fn new(
        host: SharedHost,
        opening: WindowsSetup,
        wakers: Wakers,
        (display, frames): (WindowContent, Arc<AtomicU32>),
    ) -> Self {
        let WindowsSetup { engine_manager, preferences, candidates, studies: opens_study } = opening;
        let (draws_covered, studies) = (Arc::clone(&wakers.draws_covered), Arc::clone(&wakers.studies));
        let wake = move || wakers.wake_all();
        let watcher = SettingsWatcher::start(&preferences, wake.clone());
        let limits = DesktopLimits::here();
        lock(&host).set_interval(display.painter.interval());
        let slot = lock(&preferences).instance_slot();
        let font = lock(&preferences).settings().general.font.clone();
        let was_through_at_start = lock(&preferences).settings().window.click_through;
        let mut keys = HotKeys::new(limits.keys, wake);
        keys.share(slot.others > 0);
        let (shared, settings, pressed) = (Arc::clone(&host), Arc::clone(&preferences), keys.pressed());
        let mut overlay = OverlayWindow::new(OverlaySetup {
            host: shared,
            preferences: settings,
            screens: display.screens,
            candidates,
            keys: pressed,
            limits,
            others: slot.others,
            frames,
            painter: display.painter,
            page: opens_study.then_some(MainPage::Study),
        });
        overlay.mention(recovery_message(lock(&host).record_file()).into_iter().collect());
        let mut main = MainWindow::new(Arc::clone(&host), (Arc::clone(&preferences), keys.pressed()), engine_manager);
        main.share_study_flag(studies);
        main.set_painter(display.painter);
        let (overlay, icon) = (Arc::new(Mutex::new(overlay)), window_handle::icon());
        Self {
            host,
            main,
            overlay,
            icon,
            preferences,
            keys,
            draws_covered,
            has_asked: false,
            font,
            slot,
            was_through_at_start,
            _watcher: watcher,
        }
    }

    /// Installs the chosen font once it has changed.
    fn install_style(&mut self, ctx: &Context) {
        let font = lock(&self.preferences).settings().general.font.clone();
        if self.font != font {
            fonts::install(ctx, font.as_deref());
            self.font = font;
            ctx.request_discard("other letters");
        }
    }

    /// Registers the global keys as set. While the user chooses keys, none is registered, as it would act.
    ///
    /// Not before the bar is visible: the system may take a tenth of a second to answer.
    fn set_keys(&mut self, ctx: &Context) {
        if !lock(&self.overlay).is_seen() {
            return;
        }
        let none = || Keys { hide: String::new(), click_through: String::new() };
        let set = || lock(&self.preferences).settings().keys.clone();
        // Without the focus, the user is not choosing keys.
        let is_here = ctx.input(|input| input.viewport().focused) != Some(false);
        let refused = self.keys.set(&if is_here && self.main.is_choosing_keys() { none() } else { set() });
        if !refused.is_empty() {
            lock(&self.overlay).mention(refused);
            ViewportWaker::new(ctx.clone(), overlay_id()).wake();
        }
    }
}

impl Windows {
    /// Whether click-through is on and no global key ends it. Then only the settings do.
    fn is_settings_last_way(&mut self) -> bool {
        let is_through = lock(&self.preferences).settings().window.click_through;
        self.was_through_at_start &= is_through;
        // Another instance may hold the key, unless the key failed and this one was started for that.
        let is_alone = self.slot.others == 0 || self.was_through_at_start;
        is_through && is_alone && self.keys.are_set() && !self.keys.pressed().has(Command::ClickThrough)
    }

    /// Keeps drawing the bar for recording programs while it is covered. macOS does not draw such a window.
    fn draw_covered(&self, ctx: &Context) {
        let may_be_covered = cfg!(target_os = "macos") && !lock(&self.preferences).settings().window.always_on_top;
        self.draws_covered.store(may_be_covered, Ordering::Relaxed);
        let is_seen = |input: &InputState| input.raw.viewports.get(&overlay_id()).and_then(ViewportInfo::visible);
        if may_be_covered && ctx.input(is_seen) == Some(false) {
            ctx.send_viewport_cmd_to(overlay_id(), ViewportCommand::RequestPaintWhileHidden);
        }
    }
}

impl eframe::App for Windows {
    /// Runs even if no window is visible; no other function of the app is called then.
    fn logic(&mut self, ctx: &Context, _: &mut eframe::Frame) {
        // Takes in and autosaves the findings of an analysis, also while all windows are hidden.
        let asks = {
            let mut host = lock(&self.host);
            host.view();
            host.record_file().has_question()
        };
        // A question that comes of a save or of reading a file is asked on the study page.
        if asks && !self.has_asked {
            lock(&self.overlay).open_study(ctx);
        }
        self.has_asked = asks;
        self.draw_covered(ctx);
        let (quits, is_over) = {
            let overlay = lock(&self.overlay);
            (overlay.is_quitting(), overlay.is_over())
        };
        let closes = ctx.input(|input| input.viewport().close_requested());
        if is_over && !closes {
            ctx.send_viewport_cmd(ViewportCommand::Close);
        } else if closes && !quits && !is_over {
            // The bar stays open.
            ctx.send_viewport_cmd(ViewportCommand::CancelClose);
        }
    }

    fn ui(&mut self, ui: &mut Ui, frame: &mut eframe::Frame) {
        self.install_style(ui.ctx());
        self.set_keys(ui.ctx());
        overlay_window::apply_language(&self.host, &self.preferences);
        let (wanted, quits, builder) = {
            let mut overlay = lock(&self.overlay);
            if overlay.has_moved() {
                overlay.remember(frame.winit_window().map(|window| screens::all(window)).unwrap_or_default());
            }
            let builder = overlay.builder().with_icon(Arc::clone(&self.icon));
            if overlay.needs_show() {
                ViewportWaker::new(ui.ctx().clone(), overlay_id()).wake();
            }
            (overlay.wanted_page(), overlay.is_quitting(), builder)
        };
        let is_last_way = self.is_settings_last_way();
        if let Some(page) = wanted.or_else(|| (is_last_way && !self.main.is_open()).then_some(MainPage::Settings)) {
            let (beside, asks) = {
                let mut overlay = lock(&self.overlay);
                (overlay.room_beside(ui.ctx(), main_window::SIZE, main_window::LEAST), overlay.take_request())
            };
            self.main.open(ui.ctx(), page, beside);
            match asks {
                Some(OverlayRequest::Record) => self.main.ask_for_record(),
                Some(OverlayRequest::Players) => self.main.ask_for_players(),
                Some(OverlayRequest::Palette) => self.main.open_palette(),
                None => {}
            }
        }
        self.main.show(
            ui,
            match (quits, is_last_way) {
                (true, _) => CloseState::Ends,
                (false, true) => CloseState::Minimises,
                (false, false) => CloseState::Hides,
            },
        );
        let overlay = Arc::clone(&self.overlay);
        ui.ctx().show_viewport_deferred(overlay_id(), builder, move |ui, _| lock(&overlay).show(ui));
    }

    fn clear_color(&self, _: &egui::Visuals) -> [f32; 4] {
        [0.0; 4] // Applies to all windows; opaque ones paint their ground.
    }
}
