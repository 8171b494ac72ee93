//! The windows: thin shells of eframe around one [`Host`].
//!
//! The root is the main window, with a frame and a ground: it is the only one that screen readers are
//! told of. It is hidden until it is asked for. The bar is its child, because only a child keeps on top
//! from the first frame on, and goes on while the root is hidden.

mod browser;
mod desktop;
mod dialogs;
mod hot_keys;
mod main_window;
mod menu;
mod overlay_window;
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
use crate::config::Keys;
use crate::platform;
use crate::shogi::History;
use crate::store::InstanceSlot;
use crate::study::Document;
use crate::text::{Lang, MenuEntry, Message};
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

/// The name of the bar's window. Programs that record it, OBS for one, find it again by this.
const TITLE: &str = "Shogibar";

/// Who knows what the windows are to show, and does what is asked for in them.
pub trait Host: Send {
    /// What the bar shows now. Called for every frame, so it has to be at hand.
    fn view(&mut self) -> &BarView;

    /// Does what the user asked for.
    fn act(&mut self, action: &AppAction);

    /// What the user calls the engines in use, the one that the bar follows first.
    fn engines(&self) -> Vec<&str>;

    /// The record on view.
    fn document(&self) -> &Document;

    /// The game up to what is on view.
    fn history(&self) -> &Arc<History>;

    /// Has something be done with the record on view.
    fn edit(&mut self, work: &mut dyn FnMut(&mut Document));

    /// The file of the record on view, and what is to be done with it.
    fn record_file(&self) -> &RecordFile;

    /// Who analyses the record on view.
    fn analyst(&self) -> &AnalysisController;

    /// Takes note of who judges the record on view.
    fn judge_by(&mut self, judging: Option<GameJudge>);

    /// What is to be said on the page on which the record is studied.
    fn side_notice(&self) -> Option<BarNotice>;

    /// Whether engines leave one of so many processors free now, as far as is known.
    fn leaves_free(&self, processors: usize) -> bool;

    /// Sets the least time between two numbers on the bar.
    fn set_interval(&mut self, interval: Duration);

    /// Whether the engines rest because the user wants it.
    fn is_paused(&self) -> bool;

    /// The language of the screen.
    fn lang(&self) -> Lang;

    /// Whether the windows are to close.
    fn is_over(&self) -> bool;
}

/// What windows would be shown on, in English: a property, and how it is. Nothing where there is nothing to be told
/// apart.
pub fn surroundings() -> Vec<(&'static str, &'static str)> {
    desktop::surroundings()
}

/// A host that several windows share.
pub type SharedHost = Arc<Mutex<dyn Host>>;

/// Why there is no window, or no window any more.
#[derive(Debug, thiserror::Error)]
pub enum GuiError {
    /// There is no display, or none that lets us in: the terminal may still do.
    #[error("there is no display to open a window on")]
    NoDisplay,
    /// There is a display, but no window came of it.
    #[error("the window failed: {0}")]
    Window(String),
}

/// What wakes the windows, from any thread.
#[derive(Clone, Debug)]
pub struct Wakers {
    bar: ViewportWaker,
    /// Whether what engines say is on view in the root, too.
    studies: Arc<AtomicBool>,
    root: ViewportWaker,
    /// Whether the bar is to be drawn though nobody sees it.
    draws_unseen: Arc<AtomicBool>,
}

impl Wakers {
    fn new(ctx: &Context) -> Self {
        let [bar, root] = [overlay_id(), ViewportId::ROOT].map(|window| ViewportWaker::new(ctx.clone(), window));
        let studies = Arc::<AtomicBool>::default();
        let bar = bar.with(ViewportId::ROOT, Arc::clone(&studies));
        Self { bar, studies, root, draws_unseen: Arc::default() }
    }

    /// There is something new to see on the bar.
    pub fn wake(&self) {
        self.bar.wake();
        // Nothing but the root runs while the bar is not seen.
        if self.draws_unseen.load(Ordering::Relaxed) {
            self.root.wake();
        }
    }

    /// There is something for every window to know, seen or not.
    pub fn wake_all(&self) {
        self.bar.wake();
        self.root.wake();
    }
}

/// What the windows need to be opened.
#[derive(Debug)]
pub struct WindowsSetup {
    /// The user's engines while they are set up.
    pub workshop: EngineManager,
    /// What the user has set.
    pub preferences: SharedPreferences,
    /// How many candidates there is to be room for at first.
    pub candidates: usize,
    /// Whether the page on which the record is studied is open from the start.
    pub studies: bool,
}

/// Opens the windows and returns when they are closed, by the user or because the host is over, with the number of
/// frames that the bar was drawn in. `on_wakers` is called once, before the first frame, with what wakes them.
///
/// Has to be called on the main thread, as some systems allow windows nowhere else. No display and no
/// graphics card is touched before.
///
/// # Errors
/// [`Error::NoDisplay`] before anything was shown, [`Error::Window`] for everything else.
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
    // Where a library of the system is missing, whoever loads it panics.
    let run = AssertUnwindSafe(|| eframe::run_native(TITLE, options(), Box::new(created)));
    match panic::catch_unwind(run) {
        Ok(Ok(())) => Ok(frames.load(Ordering::Relaxed)),
        Ok(Err(eframe::Error::WinitEventLoop(_))) => Err(GuiError::NoDisplay),
        Ok(Err(other)) => Err(GuiError::Window(other.to_string())),
        Err(panic) if frames.load(Ordering::Relaxed) > 0 => panic::resume_unwind(panic),
        Err(panic) => {
            let said = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref().copied());
            Err(GuiError::Window(said.unwrap_or("it panicked").to_owned()))
        }
    }
}

fn options() -> eframe::NativeOptions {
    eframe::NativeOptions {
        viewport: main_window::builder().with_icon(window_handle::icon()),
        renderer: eframe::Renderer::Glow,
        // Ours ask for Japanese shapes.
        system_font_fallback: false,
        event_loop_builder: window_handle::event_loop(),
        // There is no gradient to be made smooth; without a graphics card that is a good part of a frame.
        dithering: false,
        ..eframe::NativeOptions::default()
    }
}

/// What the windows are shown on.
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

/// That something was left behind, for who never looks at the page that asks what is to become of it.
fn left_behind(record_file: &RecordFile) -> Option<Message> {
    record_file.left_behind_of().map(|(count, name)| Message::LeftBehind(count, name))
}

/// The bar's window.
fn overlay_id() -> ViewportId {
    ViewportId::from_hash_of("overlay")
}

/// All windows. The bar's is drawn by itself, whenever it has to be: hence the lock.
struct Windows {
    host: SharedHost,
    main: MainWindow,
    overlay: Arc<Mutex<OverlayWindow>>,
    icon: Arc<IconData>,
    preferences: SharedPreferences,
    keys: HotKeys,
    draws_unseen: Arc<AtomicBool>,
    /// The font of the system that is in use, where one is.
    font: Option<String>,
    /// Which of the Shogibars that run this is.
    seat: InstanceSlot,
    /// Whether clicks have gone through the bar since it was opened.
    began_through: bool,
    /// Writes what is set, and takes in what others write. Dropped last, so that nothing is lost.
    _keeper: SettingsWatcher,
}

impl Windows {
    fn new(
        host: SharedHost,
        opening: WindowsSetup,
        wakers: Wakers,
        (display, frames): (WindowContent, Arc<AtomicU32>),
    ) -> Self {
        let WindowsSetup { workshop, preferences, candidates, studies: opens_study } = opening;
        let (draws_unseen, studies) = (Arc::clone(&wakers.draws_unseen), Arc::clone(&wakers.studies));
        let wake = move || wakers.wake_all();
        let keeper = SettingsWatcher::start(&preferences, wake.clone());
        let limits = DesktopLimits::here();
        lock(&host).set_interval(display.painter.interval());
        let seat = lock(&preferences).seat();
        let font = lock(&preferences).settings().general.font.clone();
        let began_through = lock(&preferences).settings().window.click_through;
        let mut keys = HotKeys::new(limits.keys, wake);
        keys.share(seat.others > 0);
        let (shared, settings, pressed) = (Arc::clone(&host), Arc::clone(&preferences), keys.pressed());
        let mut overlay = OverlayWindow::new(OverlaySetup {
            host: shared,
            preferences: settings,
            screens: display.screens,
            candidates,
            keys: pressed,
            limits,
            others: seat.others,
            frames,
            painter: display.painter,
            page: opens_study.then_some(MainPage::Study),
        });
        overlay.mention(left_behind(lock(&host).record_file()).into_iter().collect());
        let mut main = MainWindow::new(Arc::clone(&host), (Arc::clone(&preferences), keys.pressed()), workshop);
        main.set_is_studied(studies);
        main.set_painter(display.painter);
        let (overlay, icon) = (Arc::new(Mutex::new(overlay)), window_handle::icon());
        Self { host, main, overlay, icon, preferences, keys, draws_unseen, font, seat, began_through, _keeper: keeper }
    }

    /// Has the letters be those of the font that is set, once that is another.
    fn install_style(&mut self, ctx: &Context) {
        let font = lock(&self.preferences).settings().general.font.clone();
        if self.font != font {
            fonts::install(ctx, font.as_deref());
            self.font = font;
            ctx.request_discard("other letters");
        }
    }

    /// Has the keys work that are set, but for the time in which others are chosen: those that are chosen already
    /// must not do their work then.
    ///
    /// Not before the bar is seen: the system may take a tenth of a second to answer.
    fn set_keys(&mut self, ctx: &Context) {
        if !lock(&self.overlay).is_seen() {
            return;
        }
        let none = || Keys { hide: String::new(), click_through: String::new() };
        let set = || lock(&self.preferences).settings().keys.clone();
        // Whoever has gone elsewhere meanwhile chooses none.
        let is_here = ctx.input(|input| input.viewport().focused) != Some(false);
        let refused = self.keys.set(&if is_here && self.main.is_choosing_keys() { none() } else { set() });
        if !refused.is_empty() {
            lock(&self.overlay).mention(refused);
            ViewportWaker::new(ctx.clone(), overlay_id()).wake();
        }
    }
}

impl Windows {
    /// Whether clicks go through the bar, and no key brings them back: then only the settings do.
    fn is_last_way_back(&mut self) -> bool {
        let is_through = lock(&self.preferences).settings().window.click_through;
        self.began_through &= is_through;
        // Where another Shogibar runs it has the key, unless it was of no use and this one was started for that.
        let is_alone = self.seat.others == 0 || self.began_through;
        is_through && is_alone && self.keys.are_set() && !self.keys.pressed().has(MenuEntry::ClickThrough)
    }

    /// Has the bar be drawn for programs that record it, where it may be covered. macOS draws no such window.
    fn draw_unseen(&self, ctx: &Context) {
        let may_be = cfg!(target_os = "macos") && !lock(&self.preferences).settings().window.always_on_top;
        self.draws_unseen.store(may_be, Ordering::Relaxed);
        let is_seen = |input: &InputState| input.raw.viewports.get(&overlay_id()).and_then(ViewportInfo::visible);
        if may_be && ctx.input(is_seen) == Some(false) {
            ctx.send_viewport_cmd_to(overlay_id(), ViewportCommand::RequestPaintWhileHidden);
        }
    }
}

impl eframe::App for Windows {
    /// What has to be done though no window may be seen: then no other function of ours is called.
    fn logic(&mut self, ctx: &Context, _: &mut eframe::Frame) {
        // What an analysis finds is taken in, and kept aside, though nobody looks.
        lock(&self.host).view();
        self.draw_unseen(ctx);
        let (quits, is_over) = {
            let overlay = lock(&self.overlay);
            (overlay.quits(), overlay.is_over())
        };
        let closes = ctx.input(|input| input.viewport().close_requested());
        if is_over && !closes {
            ctx.send_viewport_cmd(ViewportCommand::Close);
        } else if closes && !quits && !is_over {
            // The bar goes on.
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
            if overlay.is_unshown() {
                ViewportWaker::new(ui.ctx().clone(), overlay_id()).wake();
            }
            (overlay.wanted_page(), overlay.quits(), builder)
        };
        let is_last_way = self.is_last_way_back();
        if let Some(page) = wanted.or_else(|| (is_last_way && !self.main.is_open()).then_some(MainPage::Settings)) {
            let (beside, asks) = {
                let mut overlay = lock(&self.overlay);
                (overlay.room_beside(ui.ctx(), main_window::SIZE, main_window::LEAST), overlay.asks())
            };
            self.main.open(ui.ctx(), page, beside);
            match asks {
                Some(OverlayRequest::Record) => self.main.ask_for_record(),
                Some(OverlayRequest::Players) => self.main.ask_for_players(),
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
        [0.0; 4] // Of all windows; those that are opaque paint a ground.
    }
}
