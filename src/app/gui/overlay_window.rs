//! The bar's window: no frame, moved and resized by its body, on top, let through or not as it is set.

mod keys;
mod notices;
mod picture;
mod placement;

use super::desktop::{self, DesktopLimits};
use super::hot_keys::HotKeyEvents;
use super::main_window::MainPage;
use super::menu::{Menu, MenuContent};
use super::screens::{Screen, WindowRect};
use super::{SharedHost, TITLE, browser, window_handle};
use crate::app::preferences::SharedPreferences;
use crate::app::state::AppAction;
use crate::config::{Ground, Layout, Settings};
use crate::platform;
use crate::text::{MenuEntry, Message};
use crate::threads::lock;
use crate::ui::overlay::{self, FramePacer, Overlay, OverlayStyle};
use crate::ui::{PaintTheme, ViewportWaker};
use eframe::egui;
use egui::{Context, Ui, Vec2, ViewportBuilder, ViewportCommand, ViewportId, WindowLevel, vec2};
use notices::NoticeQueue;
use picture::PictureRequests;
use placement::LayoutKey;
pub(super) use placement::WindowPlacement;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use window_handle::WindowHandle;

/// Only from this frame on can clicks be let through, and is the window where it was put: Windows does not show a
/// window that begins so. (The rest of what Windows wants is [`platform::show_layered`].)
const SHOWN: u32 = 2;

/// The least time from one look at the desktop to the next, in seconds: asking takes about a millisecond.
const LOOKING: f64 = 2.0;

/// What the bar's window is made for.
pub(super) struct OverlaySetup {
    pub(super) host: SharedHost,
    pub(super) preferences: SharedPreferences,
    pub(super) screens: Vec<Screen>,
    /// How many candidates there is to be room for at first.
    pub(super) candidates: usize,
    /// Keys that work everywhere.
    pub(super) keys: HotKeyEvents,
    pub(super) limits: DesktopLimits,
    /// How many other Shogibars run.
    pub(super) others: usize,
    /// Where its frames are counted.
    pub(super) frames: Arc<AtomicU32>,
    /// What paints them.
    pub(super) painter: FramePacer,
    /// The page of the main window that is open from the start.
    pub(super) page: Option<MainPage>,
}

/// What the page of the game is to ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OverlayRequest {
    /// Which record is to be opened: no dialog of the system can ask that.
    Record,
    /// The players' names, and the handicap.
    Players,
}

/// What the bar's window keeps from frame to frame.
pub(super) struct OverlayWindow {
    setup: OverlaySetup,
    overlay: Overlay,
    /// The page of the main window that was asked for.
    wanted: Option<MainPage>,
    /// What it is to ask for there.
    asks: Option<OverlayRequest>,
    standing: WindowPlacement,
    /// Whether where it stands is to be remembered.
    has_moved: bool,
    handle: WindowHandle,
    /// What it was sized for.
    shape: Option<LayoutKey>,
    /// How large the window is for that where the user has not said otherwise.
    usual: Vec2,
    /// The least size of the window when it opened.
    least: Vec2,
    /// Whether clicks were let through when the system was told last, and whether it was made to show that.
    passes: (bool, bool),
    said: NoticeQueue,
    /// When it was looked last whether something shines through, in seconds of the window's clock.
    looked: f64,
    menu: Menu,
    pictures: PictureRequests,
    /// Whether the program is to end, and not the root window alone to close.
    quits: bool,
}

impl OverlayWindow {
    /// The window with room for so many candidates, where it stood last.
    pub(super) fn new(mut setup: OverlaySetup) -> Self {
        let (standing, least) = {
            let preferences = lock(&setup.preferences);
            let settings = preferences.settings();
            let engines = lock(&setup.host).engines().len();
            let layout = settings.overlay.layout;
            let size = given(settings, (layout, engines));
            let size = size.unwrap_or_else(|| overlay::size_for(layout, setup.candidates, engines));
            let screens = std::mem::take(&mut setup.screens);
            let mut standing = WindowPlacement::new(&settings.places, screens, size, setup.limits.unplaced);
            standing.cascade(setup.others);
            (standing, overlay::least(settings.overlay.layout))
        };
        Self {
            wanted: setup.page,
            asks: None,
            overlay: Overlay::new(setup.painter),
            setup,
            standing,
            has_moved: false,
            handle: WindowHandle::default(),
            shape: None,
            usual: Vec2::ZERO,
            least,
            passes: (false, false),
            said: NoticeQueue::default(),
            looked: 0.0,
            menu: Menu::default(),
            pictures: PictureRequests::default(),
            quits: false,
        }
    }

    /// The window as the system is to have it now.
    pub(super) fn builder(&mut self) -> ViewportBuilder {
        let preferences = lock(&self.setup.preferences);
        let window = &preferences.settings().window;
        let level = if window.always_on_top { WindowLevel::AlwaysOnTop } else { WindowLevel::Normal };
        self.passes.0 = window.click_through && self.is_seen();
        let builder = self.standing.builder();
        builder
            .with_title(TITLE)
            .with_app_id("shogibar")
            // What it is later goes with its size, in `reshape`.
            .with_min_inner_size(self.least)
            .with_decorations(false)
            .with_has_shadow(false)
            .with_transparent(true)
            .with_window_level(level)
            .with_mouse_passthrough(self.passes.0)
    }

    /// The page of the main window that was asked for since, if one was. Not before the bar stands where it is to, so that
    /// the page can open beside it.
    pub(super) fn wanted_page(&mut self) -> Option<MainPage> {
        if self.is_seen() { self.wanted.take() } else { None }
    }

    /// What the page of the game is to ask for, once.
    pub(super) const fn asks(&mut self) -> Option<OverlayRequest> {
        self.asks.take()
    }

    /// Where a window of such sizes has room beside this one, as the root sees it.
    pub(super) fn room_beside(&self, ctx: &Context, best: Vec2, least: Vec2) -> Option<WindowRect> {
        let viewport = ctx.input(|input| input.raw.viewports.get(&super::overlay_id()).cloned())?;
        self.standing.room_beside(&viewport, best, least)
    }

    /// Whether there is nothing more to show.
    pub(super) fn is_over(&self) -> bool {
        lock(&self.setup.host).is_over()
    }

    /// Whether the program is to end.
    pub(super) const fn quits(&self) -> bool {
        self.quits
    }

    /// Whether where it stands is to be remembered by [`remember`](Self::remember).
    pub(super) const fn has_moved(&self) -> bool {
        self.has_moved
    }

    /// Remembers where the window stands on these screens.
    pub(super) fn remember(&mut self, screens: Vec<Screen>) {
        self.has_moved = false;
        self.standing.see(screens);
        let (standing, shape, usual) = (&mut self.standing, self.shape, self.usual);
        lock(&self.setup.preferences).change(|settings| standing.remember(settings, shape, usual));
    }

    /// Whether the system has been told that clicks go through, or no longer, without having been made to show it.
    pub(super) const fn is_unshown(&self) -> bool {
        self.passes.0 != self.passes.1
    }

    /// How many frames were begun.
    fn drawn(&self) -> u32 {
        self.setup.frames.load(Ordering::Relaxed)
    }

    /// Whether its first frames are on the screen.
    pub(super) fn is_seen(&self) -> bool {
        self.drawn() > SHOWN
    }

    /// One frame.
    pub(super) fn show(&mut self, ui: &Ui) {
        let ctx = ui.ctx().clone();
        self.setup.frames.fetch_add(1, Ordering::Relaxed);
        self.update_placement(&ctx);
        if self.is_over() {
            self.quit(&ctx);
        } else if ctx.input(|input| input.viewport().close_requested()) {
            self.request_quit(&ctx);
        }
        self.check_desktop(&ctx);
        let mut look = self.style();
        // What glides asks for frames, and nobody sees them.
        look.motion &= ctx.input(|input| input.viewport().visible()) != Some(false);
        look.motion &= desktop::may_glide(self.setup.painter, &*lock(&self.setup.host));
        apply_language(&self.setup.host, &self.setup.preferences);
        self.show_next(&ctx);
        self.poll_pictures(&ctx);
        ctx.set_visuals(look.theme.visuals());
        let everywhere = self.setup.keys.take();
        let is_menu_open = self.menu.is_open(&ctx);
        if !is_menu_open && keys::escapes(&ctx) && self.said.is_saying() {
            self.dismiss();
        }
        let commands = keys::pressed(&ctx).into_iter().chain(everywhere.into_iter().map(|command| (command, 1)));
        for (command, times) in commands.collect::<Vec<_>>() {
            self.apply(&ctx, command, times);
        }
        for path in keys::dropped(&ctx) {
            lock(&self.setup.host).act(&AppAction::Open(path));
        }
        let (ground, shape, size) = {
            let mut host = lock(&self.setup.host);
            let view = host.view();
            let (engines, size) = (view.engines.len(), overlay::size_of(look.layout, view));
            (self.overlay.show(ui, view, &look), (look.layout, engines), size)
        };
        self.reshape(&ctx, shape, size);
        self.handle.drag(&ground, window_handle::RESIZES, overlay::least(look.layout));
        if let Some(command) =
            self.menu.show(&ground, MenuContent { lang: look.lang, engines: shape.1 }, &self.standing)
        {
            self.apply(&ctx, command, 1);
            // What came of it is on the next frame.
            let here = ctx.viewport_id();
            ViewportWaker::new(ctx, here).wake();
        }
    }

    /// Has the system take the window as it is to be, in its first frames and whenever that changes.
    fn update_placement(&mut self, ctx: &Context) {
        if self.drawn() <= SHOWN + 1 {
            ViewportWaker::new(ctx.clone(), ctx.viewport_id()).wake();
            ViewportWaker::new(ctx.clone(), ViewportId::ROOT).wake();
        }
        if self.is_seen() {
            self.standing.put(ctx);
            if self.standing.is_news(ctx) {
                // The root knows the screens.
                self.has_moved = true;
                ViewportWaker::new(ctx.clone(), ViewportId::ROOT).wake();
            }
        }
        if self.is_unshown() {
            self.passes.1 = self.passes.0;
            if self.passes.0 {
                platform::show_layered(TITLE);
            }
        }
    }

    /// Looks, in a frame that is due anyway, whether a compositor has come or gone. One that goes has us drawn again.
    fn check_desktop(&mut self, ctx: &Context) {
        let now = ctx.input(|input| input.time);
        if now - self.looked > LOOKING {
            self.looked = now;
            self.setup.limits = self.setup.limits.recheck();
        }
    }

    /// How the bar is to look.
    fn style(&self) -> OverlayStyle {
        let preferences = lock(&self.setup.preferences);
        let (settings, mut theme) = (preferences.settings(), preferences.theme());
        if self.setup.limits.opaque {
            theme = theme.on(Ground::Opaque, settings.window.key_color);
        }
        let theme = PaintTheme::from(theme);
        OverlayStyle::from_settings(settings, theme, preferences.lang())
    }

    /// Gives the window the size of another arrangement, or room for another engine: the one that the user gave it,
    /// or else the usual one.
    fn reshape(&mut self, ctx: &Context, shape: LayoutKey, usual: Vec2) {
        self.usual = usual;
        if self.shape.replace(shape).is_some_and(|before| before != shape) {
            let given = given(lock(&self.setup.preferences).settings(), shape);
            // First: the size before may be less than the least of what comes, or the other way round.
            ctx.send_viewport_cmd(ViewportCommand::MinInnerSize(overlay::least(shape.0)));
            self.standing.reshape(ctx, given.unwrap_or(usual));
        }
    }

    /// Does what a key or an entry of the menu stands for, `times` times over.
    fn apply(&mut self, ctx: &Context, command: MenuEntry, times: i32) {
        let action = match command {
            MenuEntry::Back => AppAction::Step(-times),
            MenuEntry::Forward => AppAction::Step(times),
            MenuEntry::TenBack => AppAction::Step(-10 * times),
            MenuEntry::TenForward => AppAction::Step(10 * times),
            MenuEntry::First => AppAction::First,
            MenuEntry::Last => AppAction::Last,
            MenuEntry::Pause => AppAction::Pause,
            MenuEntry::Follow => AppAction::Follow,
            MenuEntry::Hide => AppAction::Hide,
            MenuEntry::ClickThrough => return self.toggle_click_through(ctx),
            MenuEntry::Layout => {
                return self.set(ctx, |settings| settings.overlay.layout = next(settings.overlay.layout));
            }
            MenuEntry::CopyPicture => return self.copy_picture(ctx),
            MenuEntry::SavePicture => return self.ask_where(ctx),
            MenuEntry::Open => return self.ask_what(ctx),
            MenuEntry::Study => return self.open(ctx, MainPage::Study),
            MenuEntry::Players => {
                self.asks = Some(OverlayRequest::Players);
                return self.open(ctx, MainPage::Study);
            }
            MenuEntry::Settings => return self.open(ctx, MainPage::Settings),
            MenuEntry::Engines => return self.open(ctx, MainPage::Engines),
            MenuEntry::Manual => return self.open_manual(ctx),
            MenuEntry::Quit => return self.request_quit(ctx),
        };
        lock(&self.setup.host).act(&action);
    }

    fn open(&mut self, ctx: &Context, page: MainPage) {
        self.wanted = Some(page);
        ViewportWaker::new(ctx.clone(), ViewportId::ROOT).wake();
    }

    /// Shows the manual in the user's browser, or says where it is.
    fn open_manual(&self, ctx: &Context) {
        browser::open(browser::manual(self.style().lang), self.said.elsewhere(ctx));
    }

    /// Changes what is set. The root makes the window anew of it.
    fn set(&self, ctx: &Context, change: impl FnOnce(&mut Settings)) {
        lock(&self.setup.preferences).change(change);
        ViewportWaker::new(ctx.clone(), ViewportId::ROOT).wake();
        ViewportWaker::new(ctx.clone(), ctx.viewport_id()).wake();
    }

    /// Lets clicks through, or no longer, and says how they are had back: by a key, or, where none works, in the
    /// settings, which the root then opens.
    fn toggle_click_through(&mut self, ctx: &Context) {
        self.set(ctx, |settings| settings.window.click_through ^= true);
        let (on, key) = {
            let preferences = lock(&self.setup.preferences);
            (preferences.settings().window.click_through, preferences.settings().keys.click_through.clone())
        };
        if on {
            let has_key = self.setup.keys.has(MenuEntry::ClickThrough);
            self.push(ctx, Message::ClicksGoThrough(if has_key { key } else { String::new() }));
        } else {
            self.dismiss();
        }
    }

    /// Has the program end, once nothing is lost by that: it may have to be asked first.
    fn request_quit(&mut self, ctx: &Context) {
        let asks = {
            let mut host = lock(&self.setup.host);
            host.act(&AppAction::Quit);
            host.record_file().asks()
        };
        if asks {
            ctx.send_viewport_cmd(ViewportCommand::CancelClose);
            self.open(ctx, MainPage::Study);
        } else {
            self.quit(ctx);
        }
    }

    /// Closes the program's windows: with the root goes every other.
    fn quit(&mut self, ctx: &Context) {
        self.quits = true;
        // Also where it stands only now.
        self.remember(Vec::new());
        ctx.send_viewport_cmd_to(ViewportId::ROOT, ViewportCommand::Close);
    }
}

/// The size that the user gave to an arrangement of so many engines.
fn given(settings: &Settings, (layout, engines): LayoutKey) -> Option<Vec2> {
    settings.sizes.get(layout, engines).map(|[width, height]| vec2(width as f32, height as f32))
}

/// Has the host speak the language that is set. Each window does so, whichever is drawn first.
pub(super) fn apply_language(host: &SharedHost, preferences: &SharedPreferences) {
    let lang = lock(preferences).lang();
    let mut host = lock(host);
    if host.lang() != lang {
        host.act(&AppAction::Speak(lang));
    }
}

/// The arrangement after this one.
fn next(layout: Layout) -> Layout {
    let mut all = Layout::ALL.iter().copied().cycle().skip_while(|one| *one != layout);
    all.nth(1).unwrap_or(layout)
}

#[cfg(test)]
mod tests;
