//! The windows: thin shells of eframe around one [`Viewer`].
//!
//! The root viewport is the main window, with a frame and an opaque background. Screen readers see only this window. It
//! is hidden until it is opened. The bar is its child viewport: only a child stays on top from the first frame on. The
//! bar stays while the root is hidden. Each bar has a window.

mod board_window;
mod browser;
mod clipboard;
mod desk_window;
mod desktop;
mod dialogs;
mod dropped_files;
mod frame_meter;
mod hot_keys;
mod main_window;
mod menu;
mod obs_pages;
mod overlay_window;
mod page_style;
mod palette;
mod placement;
mod programme_actions;
mod programme_window;
mod screen_geometry;
mod small_window;
#[cfg(test)]
mod test_viewer;
mod window_handle;
mod window_zoom;

use super::engine_manager::EngineManager;
use super::preferences::{SettingsWatcher, SharedPreferences};
use super::viewer::Viewer;
use crate::platform;
use board_window::BoardWindow;
use desk_window::DeskWindow;
use desktop::DesktopLimits;
use eframe::egui;
use egui::{
    Context, IconData, Rect, Ui, ViewportBuilder, ViewportCommand, ViewportId, ViewportInfo, WindowLevel,
};
use frame_meter::FrameMeter;
pub use frame_meter::FrameStats;
use hot_keys::HotKeys;
use main_window::{Arrangement, CloseEffect, MainWindow, OpenAt};
use overlay_window::{MainRequest, OverlaySetup, OverlayStanding, OverlayWindow, boards_on_screen};
use programme_window::ProgrammeWindow;
use screen_geometry::{Screen, WantedRoom};
use shogibar_base::threads::{self, lock};
use shogibar_config::{Command, HotKeySettings};
use shogibar_machine::store::InstanceSlot;
use shogibar_model::action::AppAction;
use shogibar_model::ids::{BarId, GameId};
use shogibar_model::{AppEvent, AppModel, Message};
use shogibar_ui::fonts::{self, FontChoice};
use shogibar_ui::page_tabs::MainPage;
use shogibar_ui::{FocusKeys, FramePacer, ViewportWaker};
use std::collections::{BTreeMap, BTreeSet};
use std::panic::{self, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use window_zoom::{WantedZoom, ZoomPlugin};

/// The title of the bar's window, and the end of the other titles.
const TITLE: &str = shogibar_live::source_text::BAR_TITLE;

/// The longest time from the start of the windows for which the engines wait until one is drawn.
const MAX_SEARCH_DELAY: Duration = Duration::from_secs(1);

/// Returns the display that windows would be shown on, as names and values in English. Empty on systems where it does
/// not vary.
pub fn display_info() -> Vec<(&'static str, &'static str)> {
    desktop::display_info()
}

/// The viewer that all windows share.
pub type SharedViewer = Arc<Mutex<Viewer>>;

/// The reason why the windows could not be opened, or were closed.
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
    ctx: Context,
    /// The viewports of the bars, and of the desk while it is open.
    bars: Arc<Mutex<Vec<ViewportId>>>,
    /// Whether the study page is open, which shows the engines' evaluations, too.
    is_study_open: Arc<AtomicBool>,
    root: ViewportWaker,
    /// Whether the bar is drawn while it is covered.
    draws_covered: Arc<AtomicBool>,
    /// Whether OBS pages show the bars' contents, too.
    serves_pages: Arc<AtomicBool>,
}

impl Wakers {
    fn new(ctx: &Context) -> Self {
        Self {
            ctx: ctx.clone(),
            bars: Arc::default(),
            is_study_open: Arc::default(),
            root: ViewportWaker::new(ctx.clone(), ViewportId::ROOT),
            draws_covered: Arc::default(),
            serves_pages: Arc::default(),
        }
    }

    /// Wakes the windows that show the bar's contents, because these have changed.
    pub fn wake(&self) {
        self.wake_bars();
        // While the bar is covered, only the root runs.
        let needs_root = [&self.is_study_open, &self.draws_covered, &self.serves_pages];
        if needs_root.into_iter().any(|flag| flag.load(Ordering::Relaxed)) {
            self.root.wake();
        }
    }

    fn wake_bars(&self) {
        for bar in lock(&self.bars).iter() {
            ViewportWaker::new(self.ctx.clone(), *bar).wake();
        }
    }

    /// Wakes every window, visible or not.
    pub fn wake_all(&self) {
        self.wake_bars();
        self.root.wake();
    }
}

/// The values that the windows are opened with.
#[expect(
    missing_debug_implementations,
    reason = "it holds callbacks, which have no Debug"
)]
pub struct WindowsSetup {
    /// The manager of the user's engines.
    pub engine_manager: EngineManager,
    /// The user's settings, shared by all windows.
    pub preferences: SharedPreferences,
    /// The number of candidates that the bar has room for at first.
    pub candidates: usize,
    /// Whether the study page is open from the start.
    pub opens_study: bool,
}

/// Unpacks the fonts on a thread, while the windows are being opened. The first frame needs them.
pub fn unpack_fonts() {
    // If no thread can be started, the first frame unpacks the fonts.
    if let Ok(thread) = threads::spawn("fonts", fonts::unpack) {
        thread.detach();
    }
}

/// Opens the windows, and returns when the user closes them or the viewer has ended. Returns the statistics of the
/// drawn frames. `on_wakers` is called once, before the first frame.
///
/// Has to be called on the main thread, as some systems allow windows nowhere else.
///
/// # Errors
/// Fails with [`GuiError::NoDisplay`] if the system has no display, and with [`GuiError::Window`] otherwise.
pub fn run(
    viewer: SharedViewer,
    setup: WindowsSetup,
    on_wakers: impl FnOnce(Wakers),
) -> Result<FrameStats, GuiError> {
    let frames = Arc::<FrameMeter>::default();
    let counter = Arc::clone(&frames);
    let created = move |creation: &eframe::CreationContext<'_>| {
        let ctx = &creation.egui_ctx;
        ctx.add_plugin(clipboard::SystemClipboard::new());
        let zoom = WantedZoom::default();
        ctx.add_plugin(ZoomPlugin::new(zoom.clone()));
        // Added after the zoom plugin: the events that this plugin delays are not zoomed twice.
        ctx.add_plugin(FocusKeys::default());
        ctx.options_mut(|options| options.zoom_with_keyboard = false);
        let wakers = Wakers::new(ctx);
        on_wakers(wakers.clone());
        let mut windows = Windows::new(
            viewer,
            setup,
            wakers,
            DisplayProperties::from_creation(creation),
            counter,
        );
        windows.main_window.share_zoom(zoom);
        fonts::install(ctx, &windows.fonts);
        Ok(Box::new(windows) as Box<dyn eframe::App>)
    };
    // The loader panics if a library of the system is missing.
    let run = AssertUnwindSafe(|| eframe::run_native(TITLE, options(), Box::new(created)));
    match panic::catch_unwind(run) {
        Ok(Ok(())) => Ok(frames.stats()),
        Ok(Err(eframe::Error::WinitEventLoop(_))) => Err(GuiError::NoDisplay),
        Ok(Err(other)) => Err(GuiError::Window(other.to_string())),
        Err(panic) if frames.bar_frame_count() > 0 => panic::resume_unwind(panic),
        Err(panic) => {
            let message = panic
                .downcast_ref::<String>()
                .map(String::as_str)
                .or_else(|| panic.downcast_ref().copied());
            Err(GuiError::Window(message.unwrap_or("it panicked").to_owned()))
        }
    }
}

/// Returns the options with which the windows are opened.
fn options() -> eframe::NativeOptions {
    eframe::NativeOptions {
        viewport: main_window::builder().with_icon(window_handle::icon()),
        renderer: eframe::Renderer::Glow,
        // The fonts of the program include Japanese.
        system_font_fallback: false,
        event_loop_builder: window_handle::event_loop(),
        // There are no gradients to smooth. Without a graphics card, dithering takes a good part of a frame.
        dithering: false,
        ..eframe::NativeOptions::default()
    }
}

/// The screens, and whether the processor or the graphics card paints the frames.
struct DisplayProperties {
    screens: Vec<Screen>,
    painter: FramePacer,
}

impl DisplayProperties {
    fn from_creation(creation: &eframe::CreationContext<'_>) -> Self {
        let screens = creation
            .winit_window()
            .map(|window| screen_geometry::connected_screens(window))
            .unwrap_or_default();
        let renderer = creation.gl.as_deref().map(platform::renderer).unwrap_or_default();
        Self {
            screens,
            painter: desktop::painter(&renderer),
        }
    }
}

/// Returns the notice about recoverable records, for a user who does not open the study page.
fn recovery_message(model: &AppModel) -> Option<Message> {
    model
        .recovery_summary()
        .map(|(count, name)| Message::RecoverableRecords(count, name))
}

/// Returns the connected screens; none if they are unknown.
fn connected_screens(frame: &eframe::Frame) -> Vec<Screen> {
    frame
        .winit_window()
        .map(|window| screen_geometry::connected_screens(window))
        .unwrap_or_default()
}

fn overlay_id(bar: BarId) -> ViewportId {
    ViewportId::from_hash_of(("overlay", bar))
}

/// The window of a bar. It is locked because it draws independently of the other windows.
type SharedOverlay = Arc<Mutex<OverlayWindow>>;

/// All windows of the program, and what they share.
struct Windows {
    viewer: SharedViewer,
    main_window: MainWindow,
    overlays: BTreeMap<BarId, SharedOverlay>,
    /// The desk, while it is open.
    desk: Option<Arc<Mutex<DeskWindow>>>,
    /// The board page in a window, while it is open.
    board: Option<Arc<Mutex<BoardWindow>>>,
    /// The panel of the outputs, while it is open.
    programme: Option<Arc<Mutex<ProgrammeWindow>>>,
    /// The values that every bar's window is created with.
    setup: OverlaySetup,
    wakers: Wakers,
    icon: Arc<IconData>,
    preferences: SharedPreferences,
    keys: HotKeys,
    /// The games that had a question for the user at the last frame.
    asking_games: BTreeSet<GameId>,
    /// The number of requests of second starts for the study page that were carried out.
    handled_study_requests: u64,
    /// The fonts in use.
    fonts: FontChoice,
    /// The slot of this instance among the running ones.
    slot: InstanceSlot,
    /// The window to raise in the next frame, above a bar that is no longer on top.
    window_to_raise: Option<ViewportId>,
    /// Whether click-through has been on since the bar was opened.
    was_through_at_start: bool,
    /// Reads and writes the settings. Dropped last, so that no change is lost.
    _watcher: SettingsWatcher,
}

impl Windows {
    fn new(
        viewer: SharedViewer,
        setup: WindowsSetup,
        wakers: Wakers,
        display: DisplayProperties,
        frames: Arc<FrameMeter>,
    ) -> Self {
        let WindowsSetup {
            engine_manager,
            preferences,
            candidates,
            opens_study,
        } = setup;
        let waker = wakers.clone();
        let wake = move || waker.wake_all();
        let watcher = SettingsWatcher::start(&preferences, wake.clone());
        let limits = DesktopLimits::here();
        lock(&viewer).set_interval(display.painter.min_update_interval());
        let settings = lock(&preferences).model_settings();
        lock(&viewer).follow_settings(settings);
        let slot = lock(&preferences).claim_instance_slot();
        let fonts = FontChoice::from_settings(lock(&preferences).settings());
        let was_through_at_start = lock(&preferences).settings().window.click_through;
        let mut keys = HotKeys::new(limits.keys, wake.clone());
        keys.set_has_others(slot.others > 0);
        let root = wakers.root.clone();
        let engine_manager = engine_manager.with_wake(Arc::new(move || root.wake()));
        let mut main = MainWindow::new(
            Arc::clone(&viewer),
            Arc::clone(&preferences),
            keys.events(),
            engine_manager,
        );
        main.share_study_flag(Arc::clone(&wakers.is_study_open));
        main.set_painter(display.painter);
        let setup = OverlaySetup {
            viewer: Arc::clone(&viewer),
            bar: lock(&viewer).model().study_bar(),
            number: 0,
            wake: Arc::new(wake),
            preferences: Arc::clone(&preferences),
            screens: display.screens,
            candidates,
            keys: keys.events(),
            limits,
            other_instances: slot.others,
            slot: 0,
            taken: Vec::new(),
            windows: Vec::new(),
            frames,
            painter: display.painter,
            engines: main.engine_names(),
        };
        let mut windows = Self {
            viewer,
            main_window: main,
            overlays: BTreeMap::new(),
            desk: None,
            board: None,
            programme: None,
            setup,
            wakers,
            icon: window_handle::icon(),
            preferences,
            keys,
            asking_games: BTreeSet::new(),
            handled_study_requests: 0,
            fonts,
            slot,
            window_to_raise: None,
            was_through_at_start,
            _watcher: watcher,
        };
        windows.update_overlays();
        let notice = recovery_message(lock(&windows.viewer).model());
        lock(&windows.viewer).act_on_study(AppAction::QueueNotices(notice.into_iter().collect()));
        let was_open = lock(&windows.preferences).settings().main_window.is_open;
        if (opens_study || was_open)
            && let Some(overlay) = windows.overlay()
        {
            lock(&overlay).request_page(MainPage::Study);
            windows.main_window.open_at_start();
        }
        windows
    }

    /// Returns the window of the study page's bar.
    fn overlay(&self) -> Option<SharedOverlay> {
        let bar = lock(&self.viewer).model().study_output();
        self.overlays.get(&bar).map(Arc::clone)
    }

    /// Opens a window for each new bar, and closes those of closed bars.
    fn update_overlays(&mut self) {
        let bars: Vec<_> = lock(&self.viewer)
            .model()
            .window_bars()
            .map(|(id, _)| id)
            .collect();
        if self.overlays.keys().eq(&bars) {
            return;
        }
        let numbered = self.overlays.keys().copied().enumerate();
        let closed: Vec<_> = numbered.filter(|(_, bar)| !bars.contains(bar)).collect();
        // The last is closed first, as closing a bar changes the numbers of the bars after it.
        for (number, bar) in closed.into_iter().rev() {
            // If another instance runs, the stored positions belong to its bars.
            if self.setup.other_instances == 0 {
                lock(&self.preferences).change(|settings| settings.close_bar(number));
            }
            // The last picture of the closed bar may not be written yet, so the window is dropped on another thread.
            threads::drop_in_background(self.overlays.remove(&bar));
        }
        for (number, bar) in bars.iter().enumerate() {
            if !self.overlays.contains_key(bar) {
                let taken: BTreeSet<_> = self
                    .overlays
                    .values()
                    .map(|overlay| lock(overlay).slot())
                    .collect();
                let slot = (0..=taken.len())
                    .find(|slot| !taken.contains(slot))
                    .unwrap_or_default();
                let (taken, windows) = (self.taken_areas(None), self.page_rects());
                let setup = OverlaySetup {
                    bar: *bar,
                    number,
                    slot,
                    taken,
                    windows,
                    ..self.setup.clone()
                };
                self.overlays
                    .insert(*bar, Arc::new(Mutex::new(OverlayWindow::new(setup))));
            }
        }
        for (number, overlay) in self.overlays.values().enumerate() {
            lock(overlay).set_number(number);
        }
        self.update_wakers();
    }

    /// Returns the areas of the bars, except one, and of the boards that are read, in pixels.
    fn taken_areas(&self, except: Option<BarId>) -> Vec<Rect> {
        let others = self.overlays.iter().filter(|(bar, _)| Some(**bar) != except);
        let bars = others.filter_map(|(_, overlay)| lock(overlay).occupied_rect(&self.wakers.ctx));
        bars.chain(boards_on_screen(lock(&self.viewer).model())).collect()
    }

    /// Returns the rectangles of the main window, the desk and the panel of the outputs while they are open, in pixels.
    fn page_rects(&self) -> Vec<Rect> {
        let Some(overlay) = self.overlays.values().next() else {
            return Vec::new();
        };
        let ctx = &self.wakers.ctx;
        let is_minimized = |id| {
            let viewport = ctx.input(|input| {
                input
                    .raw
                    .viewports
                    .get(&id)
                    .and_then(|viewport| viewport.minimized)
            });
            viewport == Some(true)
        };
        let windows = [
            (ViewportId::ROOT, self.main_window.is_open()),
            (desk_window::id(), self.desk.is_some()),
            (board_window::id(), self.board.is_some()),
            (programme_window::id(), self.programme.is_some()),
        ];
        let open = windows
            .into_iter()
            .filter(|(id, is_open)| *is_open && !is_minimized(*id));
        open.filter_map(|(id, _)| Some(lock(overlay).rect_of(ctx, id)?.rect()))
            .collect()
    }

    /// Registers the windows that show the contents of bars to be woken.
    fn update_wakers(&self) {
        let desk = self.desk.as_ref().map(|_| desk_window::id());
        let board = self.board.as_ref().map(|_| board_window::id());
        let programme = self.programme.as_ref().map(|_| programme_window::id());
        let bars = self.overlays.keys().map(|bar| overlay_id(*bar));
        *lock(&self.wakers.bars) = bars.chain(desk).chain(board).chain(programme).collect();
    }

    /// Opens the window of the desk if the user wants that, and shows it while it is open.
    fn show_desk(&mut self, ui: &Ui) {
        let is_wanted = lock(&self.viewer).take_desk_request();
        if is_wanted {
            if self.desk.is_none() {
                let wanted = WantedRoom::with_frame(desk_window::SIZE, desk_window::MIN_SIZE);
                let at = self.position_beside_bar(ui.ctx(), desk_window::id(), wanted);
                let (viewer, preferences) = (Arc::clone(&self.viewer), Arc::clone(&self.preferences));
                let max_size = screen_geometry::max_window_size(&self.setup.screens);
                let desk = DeskWindow::new(viewer, preferences, self.setup.painter, at, max_size);
                self.desk = Some(Arc::new(Mutex::new(desk)));
                if at == OpenAt::Behind {
                    lock(&self.viewer).act_on_study(AppAction::ShowNotice(Message::OpenedBehind));
                }
            }
            ui.ctx()
                .send_viewport_cmd_to(desk_window::id(), ViewportCommand::Minimized(false));
            if self.desk.as_ref().is_some_and(|desk| !lock(desk).is_behind()) {
                ui.ctx()
                    .send_viewport_cmd_to(desk_window::id(), ViewportCommand::Focus);
            }
            self.update_wakers();
        }
        if self.desk.take_if(|desk| lock(desk).is_closed()).is_some() {
            self.update_wakers();
        }
        let Some(desk) = self.desk.clone() else { return };
        let builder = lock(&desk).builder();
        self.show_window(ui, desk_window::id(), builder, move |ui| lock(&desk).show(ui));
    }

    /// Opens the window of the board page if the user wants that, and shows it while it is open.
    fn show_board(&mut self, ui: &Ui) {
        let is_wanted = lock(&self.viewer).take_board_page_request();
        if is_wanted {
            if self.board.is_none() {
                let wanted = WantedRoom::with_frame(board_window::SIZE, board_window::MIN_SIZE);
                let at = self.position_beside_bar(ui.ctx(), board_window::id(), wanted);
                let (viewer, preferences) = (Arc::clone(&self.viewer), Arc::clone(&self.preferences));
                let max_size = screen_geometry::max_window_size(&self.setup.screens);
                let board = BoardWindow::new(viewer, preferences, self.setup.painter, at, max_size);
                self.board = Some(Arc::new(Mutex::new(board)));
            }
            for command in [ViewportCommand::Minimized(false), ViewportCommand::Focus] {
                ui.ctx().send_viewport_cmd_to(board_window::id(), command);
            }
            self.update_wakers();
        }
        if self.board.take_if(|board| lock(board).is_closed()).is_some() {
            self.update_wakers();
        }
        let Some(board) = self.board.clone() else { return };
        let builder = lock(&board).builder();
        self.show_window(ui, board_window::id(), builder, move |ui| lock(&board).show(ui));
    }

    /// Returns where a window opens: beside the first bar, if there is one.
    fn position_beside_bar(&self, ctx: &Context, id: ViewportId, wanted: WantedRoom) -> OpenAt {
        let bar = self.overlays.values().next();
        bar.map_or(OpenAt::Here, |bar| self.find_position(ctx, bar, id, wanted))
    }

    /// Shows a window. `show` draws it, and returns whether the other windows have to be drawn.
    fn show_window(
        &self,
        ui: &Ui,
        id: ViewportId,
        builder: ViewportBuilder,
        show: impl Fn(&mut Ui) -> bool + Send + Sync + 'static,
    ) {
        let wakers = self.wakers.clone();
        ui.ctx()
            .show_viewport_deferred(id, builder.with_icon(Arc::clone(&self.icon)), move |ui, _| {
                if show(ui) {
                    wakers.wake_all();
                }
            });
    }

    /// Opens the panel of the outputs if the user wants that, and shows it while it is open.
    fn show_programme(&mut self, ui: &Ui) {
        let wanted = lock(&self.viewer).take_programme_request();
        if let Some(takes_focus) = wanted {
            if self.programme.is_none() {
                let wanted = WantedRoom::with_frame(programme_window::SIZE, programme_window::MIN_SIZE);
                let at = self.position_beside_bar(ui.ctx(), programme_window::id(), wanted);
                let (viewer, preferences) = (Arc::clone(&self.viewer), Arc::clone(&self.preferences));
                let window = ProgrammeWindow::new(viewer, preferences, self.setup.painter, at, takes_focus);
                self.programme = Some(Arc::new(Mutex::new(window)));
            }
            if takes_focus {
                ui.ctx()
                    .send_viewport_cmd_to(programme_window::id(), ViewportCommand::Minimized(false));
                ui.ctx()
                    .send_viewport_cmd_to(programme_window::id(), ViewportCommand::Focus);
            }
            self.update_wakers();
        }
        if self
            .programme
            .take_if(|window| lock(window).is_closed())
            .is_some()
        {
            self.update_wakers();
        }
        let Some(window) = self.programme.clone() else {
            return;
        };
        let builder = lock(&window).builder();
        self.show_window(ui, programme_window::id(), builder, move |ui| {
            lock(&window).show(ui)
        });
    }

    /// Installs the chosen font once it has changed.
    fn update_fonts(&mut self, ctx: &Context) {
        let choice = FontChoice::from_settings(lock(&self.preferences).settings());
        if self.fonts != choice {
            fonts::install(ctx, &choice);
            self.fonts = choice;
            ctx.request_discard("other letters");
        }
    }

    /// Registers the global keys of the settings. While the user chooses keys, none is registered: a registered key
    /// would run its command.
    ///
    /// Called once the bar is visible: the system may take a tenth of a second to answer.
    fn set_keys(&mut self, ctx: &Context) {
        if !self.overlay().is_some_and(|overlay| lock(&overlay).is_seen()) {
            return;
        }
        let none = || HotKeySettings {
            hide: String::new(),
            click_through: String::new(),
            lock: String::new(),
            switch: String::new(),
        };
        // Without the focus, the user is not choosing keys.
        let has_focus = ctx.input(|input| input.viewport().focused) != Some(false);
        let refused = self
            .keys
            .set(&if has_focus && self.main_window.is_choosing_keys() {
                none()
            } else {
                lock(&self.preferences).settings().keys.clone()
            });
        if !refused.is_empty() {
            lock(&self.viewer).act_on_study(AppAction::QueueNotices(refused));
            self.wakers.wake_all();
        }
    }

    /// Returns whether click-through is on and no global key ends it, so that only the settings can.
    fn can_only_settings_end_click_through(&mut self) -> bool {
        let is_through = lock(&self.preferences).settings().window.click_through;
        self.was_through_at_start &= is_through;
        // Another instance may hold the key, which then ends click-through. If click-through has been on since the
        // start, however, the user may have started this instance because the key failed.
        let is_alone = self.slot.others == 0 || self.was_through_at_start;
        is_through
            && is_alone
            && self.keys.are_set()
            && !self.keys.events().has_global_key(Command::ClickThrough)
    }

    /// Starts the searches of the engines once the first frame is drawn: on few processor cores, a search would delay
    /// it. A covered bar may never be drawn, so the searches start after [`MAX_SEARCH_DELAY`] in any case.
    fn begin_searches(&self, ctx: &Context) {
        let is_drawn =
            self.main_window.shows_page() || self.overlays.values().any(|overlay| lock(overlay).is_drawn());
        if is_drawn || ctx.input(|input| input.time) > MAX_SEARCH_DELAY.as_secs_f64() {
            lock(&self.viewer).begin_searches();
        } else {
            ctx.request_repaint_after_for(MAX_SEARCH_DELAY, ViewportId::ROOT);
        }
    }

    /// Reports the notice about fairness once, when a game of other players is followed for the first time.
    fn mention_fairness(&self) {
        let is_known = lock(&self.preferences)
            .settings()
            .general
            .has_shown_fairness_notice;
        if !is_known && lock(&self.viewer).model().follows_others() {
            lock(&self.preferences).change(|settings| settings.general.has_shown_fairness_notice = true);
            lock(&self.viewer).act_on_study(AppAction::QueueNotices(vec![Message::Fairness]));
            self.wakers.wake_all();
        }
    }

    /// Keeps drawing covered bars for recording programs. macOS does not draw a covered window by itself.
    fn draw_covered(&self, ctx: &Context) {
        let may_be_covered =
            cfg!(target_os = "macos") && !lock(&self.preferences).settings().window.always_on_top;
        self.wakers.draws_covered.store(may_be_covered, Ordering::Relaxed);
        if !may_be_covered {
            return;
        }
        for id in self.overlays.keys().map(|bar| overlay_id(*bar)) {
            let visible = ctx.input(|input| input.raw.viewports.get(&id).and_then(ViewportInfo::visible));
            if visible == Some(false) {
                ctx.send_viewport_cmd_to(id, ViewportCommand::RequestPaintWhileHidden);
            }
        }
    }

    /// Sets the standing of each bar. The user may have hidden the bars. A bar that would cover the page or the desk in
    /// use is not on top. Its window still exists, as a stream may show it.
    fn update_standings(&mut self, ctx: &Context) {
        if let Some(window) = self.window_to_raise.take() {
            // On some systems, a bar that is no longer on top stays above the other windows of its level.
            ctx.send_viewport_cmd_to(window, ViewportCommand::WindowLevel(WindowLevel::AlwaysOnTop));
            ctx.send_viewport_cmd_to(window, ViewportCommand::WindowLevel(WindowLevel::Normal));
        }
        let hides = self.main_window.hides_bars();
        let has_focus = |id| {
            let viewport = ctx.input(|input| input.raw.viewports.get(&id).cloned());
            viewport.is_some_and(|viewport| viewport.focused == Some(true))
        };
        let windows = [
            (ViewportId::ROOT, self.main_window.shows_page()),
            (desk_window::id(), self.desk.is_some()),
        ];
        let in_use = windows
            .into_iter()
            .find(|(id, is_open)| *is_open && has_focus(*id))
            .map(|(id, _)| id);
        for overlay in self.overlays.values() {
            let mut overlay = lock(overlay);
            let standing = if hides {
                OverlayStanding::Hidden
            } else if in_use.is_some_and(|window| overlay.covers(ctx, window)) {
                OverlayStanding::Yields
            } else {
                OverlayStanding::Free
            };
            if overlay.set_standing(standing) && standing == OverlayStanding::Yields {
                self.window_to_raise = in_use;
            }
        }
        if self.window_to_raise.is_some() {
            ViewportWaker::new(ctx.clone(), ViewportId::ROOT).wake();
        }
    }

    /// Shows the windows of the bars, and opens the page that a bar asks for.
    fn show_overlays(&mut self, ui: &Ui, frame: &eframe::Frame) {
        self.update_overlays();
        self.update_standings(ui.ctx());
        let overlays: Vec<_> = self
            .overlays
            .iter()
            .map(|(bar, overlay)| (*bar, Arc::clone(overlay)))
            .collect();
        for (bar, overlay) in overlays {
            let taken = [self.taken_areas(Some(bar)), self.page_rects()].concat();
            let (builder, requests) = {
                let mut window = lock(&overlay);
                window.set_taken(taken);
                if window.has_moved() {
                    window.store_position(connected_screens(frame));
                }
                let builder = window.builder().with_icon(Arc::clone(&self.icon));
                if window.has_click_through_changed() {
                    ViewportWaker::new(ui.ctx().clone(), overlay_id(bar)).wake();
                }
                (builder, window.take_requests())
            };
            for request in requests {
                self.open_page(ui.ctx(), request, &overlay);
            }
            ui.ctx()
                .show_viewport_deferred(overlay_id(bar), builder, move |ui, _| {
                    lock(&overlay).show_timed(ui);
                });
        }
    }

    fn open_page(&mut self, ctx: &Context, request: MainRequest, beside: &SharedOverlay) {
        let open_at = self.find_main_position(ctx, beside);
        if self.main_window.open(ctx, request.page(), open_at) {
            lock(&self.viewer).act_on_study(AppAction::ShowNotice(Message::OpenedBehind));
        }
        match request {
            MainRequest::Page(_) => {}
            MainRequest::AskForRecord => self.main_window.ask_for_record(),
            MainRequest::Run(command) => self.main_window.run_in_study(command),
            MainRequest::Settings(target) => self.main_window.show_setting(target),
        }
    }

    /// Returns where the main window opens. The first time, if no other instance runs, this is its position in an
    /// earlier run. A position at which the window would cover a board is not used.
    fn find_main_position(&self, ctx: &Context, beside: &SharedOverlay) -> OpenAt {
        let settings = lock(&self.preferences).settings().main_window.clone();
        let boards = boards_on_screen(lock(&self.viewer).model());
        let restored = if self.main_window.was_placed() || self.setup.other_instances != 0 {
            None
        } else {
            Arrangement::restored_rect(&settings, &self.setup.screens, &boards)
        };
        let Some(rect) = restored else {
            let wanted = WantedRoom::with_frame(main_window::SIZE, main_window::MIN_SIZE);
            return self.find_position(ctx, beside, ViewportId::ROOT, wanted);
        };
        if settings.is_maximized {
            ctx.send_viewport_cmd_to(ViewportId::ROOT, ViewportCommand::Maximized(true));
        }
        OpenAt::Beside { rect, is_free: false }
    }

    /// Returns where a window opens: beside a bar, so that it covers no bar and no board that is read. If there is no
    /// room, it opens behind the bars, or where the system puts it.
    fn find_position(
        &self,
        ctx: &Context,
        bar: &SharedOverlay,
        window: ViewportId,
        wanted: WantedRoom,
    ) -> OpenAt {
        let bars = self
            .overlays
            .iter()
            .filter_map(|(id, overlay)| lock(overlay).rect_of(ctx, overlay_id(*id)));
        let mut taken: Vec<Rect> = bars.map(|bar| bar.rect()).collect();
        taken.extend(boards_on_screen(lock(&self.viewer).model()));
        let bar = lock(bar);
        let was_placed = window == ViewportId::ROOT && self.main_window.was_placed();
        let is_free = was_placed
            && bar
                .rect_of(ctx, window)
                .is_some_and(|here| !taken.iter().any(|taken| taken.intersects(here.rect())));
        let is_position_known = bar.rect_of(ctx, overlay_id(bar.bar())).is_some();
        let panel = self
            .programme
            .as_ref()
            .map(|_| programme_window::id())
            .filter(|panel| *panel != window);
        let panel = panel
            .and_then(|panel| bar.rect_of(ctx, panel))
            .map(|rect| rect.rect());
        // Rather the panel than a bar is covered.
        let beside_all =
            panel.and_then(|panel| bar.room_beside(ctx, &[&taken[..], &[panel]].concat(), wanted));
        match beside_all.or_else(|| bar.room_beside(ctx, &taken, wanted)) {
            Some(rect) => OpenAt::Beside { rect, is_free },
            None if is_position_known && !is_free => OpenAt::Behind,
            None => OpenAt::Here,
        }
    }

    /// Returns whether the program ends, as one of the bars requests.
    fn is_quitting(&self) -> bool {
        self.overlays.values().any(|overlay| lock(overlay).is_quitting())
    }

    /// Updates the model and the states of the windows, even while all windows are hidden.
    fn update(&mut self, ctx: &Context) {
        // The findings of an analysis are taken and autosaved, even while all windows are hidden.
        let (asks, study_requests, is_over) = {
            let mut viewer = lock(&self.viewer);
            viewer.update();
            let model = viewer.model();
            (
                model.asking_games().clone(),
                model.study_requests(),
                viewer.is_over(),
            )
        };
        let (serves, is_changed) = obs_pages::apply(&self.viewer, &self.preferences);
        self.wakers.serves_pages.store(serves, Ordering::Relaxed);
        if is_changed {
            self.wakers.wake_all();
        }
        self.main_window.poll();
        if let Some(overlay) = self.overlay() {
            let commands = self.main_window.take_bar_commands();
            let wakes = !commands.is_empty();
            for command in commands {
                lock(&overlay).run_next(command);
            }
            if wakes {
                self.wakers.wake_all();
            }
        }
        if let Some(overlay) = self.overlay() {
            if study_requests != self.handled_study_requests {
                lock(&overlay).open_for_second_start(ctx);
            }
            // A question about a save or about reading a file is asked on the study page.
            if !asks.is_subset(&self.asking_games) {
                lock(&overlay).open_study(ctx);
            }
        }
        (self.asking_games, self.handled_study_requests) = (asks, study_requests);
        let hides_bars = self.main_window.hides_bars() && !serves;
        if lock(&self.viewer).model().hides_bars() != hides_bars {
            lock(&self.viewer).handle(AppEvent::BarsHidden(hides_bars));
        }
        self.begin_searches(ctx);
        self.mention_fairness();
        self.draw_covered(ctx);
        let closes = ctx.input(|input| input.viewport().close_requested());
        if is_over && !closes {
            ctx.send_viewport_cmd(ViewportCommand::Close);
        } else if closes && !self.is_quitting() && !is_over {
            // The bar stays open.
            ctx.send_viewport_cmd(ViewportCommand::CancelClose);
        }
    }

    fn show(&mut self, ui: &mut Ui, frame: &eframe::Frame) {
        self.update_fonts(ui.ctx());
        self.set_keys(ui.ctx());
        self.show_overlays(ui, frame);
        self.show_desk(ui);
        self.show_board(ui);
        self.show_programme(ui);
        let is_last_way = self.can_only_settings_end_click_through();
        if is_last_way
            && !self.main_window.is_open()
            && let Some(overlay) = self.overlay()
        {
            self.open_page(ui.ctx(), MainRequest::CLICK_THROUGH, &overlay);
        }
        let closing = match (self.is_quitting(), is_last_way) {
            (true, _) => CloseEffect::Ends,
            (false, true) => CloseEffect::Minimises,
            (false, false) => CloseEffect::Hides,
        };
        self.main_window.show(ui, closing);
        if self.main_window.is_fitting(ui.ctx()) {
            self.main_window.fit(ui.ctx(), &connected_screens(frame));
        }
        if self.setup.other_instances == 0 && self.main_window.is_at_unstored_position(ui.ctx()) {
            self.main_window
                .store_position(ui.ctx(), &connected_screens(frame));
        }
    }
}

impl eframe::App for Windows {
    /// Runs even if no window is visible; no other function of the app is called then.
    fn logic(&mut self, ctx: &Context, _: &mut eframe::Frame) {
        let frames = Arc::clone(&self.setup.frames);
        frames.time(|| self.update(ctx));
    }

    fn ui(&mut self, ui: &mut Ui, frame: &mut eframe::Frame) {
        let frames = Arc::clone(&self.setup.frames);
        frames.time(|| self.show(ui, frame));
    }

    fn clear_color(&self, _: &egui::Visuals) -> [f32; 4] {
        [0.0; 4] // Applies to all windows; opaque ones paint their background.
    }
}
