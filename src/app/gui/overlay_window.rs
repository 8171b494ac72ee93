//! The bar's window: no frame, moved and resized by its body, on top, let through or not as it is set.

mod picture;

use super::desktop::Limits;
use super::hot_keys::{Pressed, Refused};
use super::main_window::Page;
use super::screens::{self, Screen};
use super::{SharedHost, TITLE, menu, window};
use crate::app::preferences::SharedPreferences;
use crate::app::state::Action;
use crate::config::{Ground, Layout, Settings};
use crate::text::{Command, Message};
use crate::threads::lock;
use crate::ui::overlay::{self, Look, Overlay};
use crate::ui::{Theme, Waker};
use eframe::egui;
use egui::{Context, Event, Key, Popup, Rect, Ui, Vec2, ViewportBuilder, ViewportCommand, ViewportId, WindowLevel};
use picture::Pictures;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

/// How long something is said that nobody waited for.
const REMARK: Duration = Duration::from_secs(6);
/// Only from this frame on can clicks be let through: Windows does not show a window that begins so.
const SHOWN: u32 = 2;

/// What the bar's window keeps from frame to frame.
pub(super) struct OverlayWindow {
    host: SharedHost,
    preferences: SharedPreferences,
    overlay: Overlay,
    keys: Pressed,
    /// The page of the main window that was asked for.
    wanted: Option<Page>,
    screens: Vec<Screen>,
    /// Where it opens, in points; `None` leaves that to the system.
    opens: (Option<Rect>, Vec2),
    /// Where it stood when that was remembered.
    remembered: Option<Rect>,
    /// What it was sized for: the arrangement, and how many engines.
    shape: Option<(Layout, usize)>,
    frames: Arc<AtomicU32>,
    /// When what is said is to be taken back, in seconds of the window's clock.
    said_until: Option<f64>,
    limits: Limits,
    /// What is still to be said.
    unsaid: Option<Message>,
    pictures: Pictures,
    /// Whether the program is to end, and not the root window alone to close.
    quits: bool,
}

impl OverlayWindow {
    /// The window with room for so many `candidates`, where it stood last.
    pub(super) fn new(
        host: SharedHost,
        preferences: SharedPreferences,
        screens: Vec<Screen>,
        candidates: usize,
    ) -> Self {
        let opens = {
            let preferences = lock(&preferences);
            let settings = preferences.settings();
            let engines = lock(&host).engines().len();
            let size = overlay::size_for(settings.overlay.layout, candidates, engines);
            let place = screens::restored(&settings.places, &screens).or_else(|| screens::usual(size, &screens));
            (place, size)
        };
        Self {
            host,
            preferences,
            overlay: Overlay::default(),
            keys: Pressed::default(),
            wanted: None,
            screens,
            opens,
            remembered: None,
            shape: None,
            frames: Arc::default(),
            said_until: None,
            limits: Limits::default(),
            unsaid: None,
            pictures: Pictures::default(),
            quits: false,
        }
    }

    /// The window as the system is to have it now.
    pub(super) fn builder(&self) -> ViewportBuilder {
        let preferences = lock(&self.preferences);
        let settings = preferences.settings();
        let (place, size) = self.opens;
        let level = if settings.window.always_on_top { WindowLevel::AlwaysOnTop } else { WindowLevel::Normal };
        let builder = ViewportBuilder::default()
            .with_title(TITLE)
            .with_app_id("shogibar")
            .with_inner_size(place.map_or(size, |place| place.size()))
            .with_min_inner_size(overlay::least(settings.overlay.layout))
            .with_decorations(false)
            .with_has_shadow(false)
            .with_transparent(true)
            .with_window_level(level)
            .with_mouse_passthrough(settings.window.click_through && self.drawn() > SHOWN);
        match place {
            Some(place) => builder.with_position(place.min),
            None => builder,
        }
    }

    /// The page of the main window that was asked for since, if one was.
    pub(super) const fn wanted_page(&mut self) -> Option<Page> {
        self.wanted.take()
    }

    /// Whether the program is to end.
    pub(super) const fn quits(&self) -> bool {
        self.quits
    }

    /// Does what these keys ask for.
    pub(super) fn listen(&mut self, keys: Pressed) {
        self.keys = keys;
    }

    /// Says that keys do not work that were to.
    pub(super) fn regret(&mut self, refused: Vec<Refused>) {
        let first = refused.into_iter().next();
        self.unsaid = first.map(|refused| Message::KeyRefused(refused.key, refused.why)).or_else(|| self.unsaid.take());
    }

    /// Does the nearest to what the desktop cannot do, and says so once.
    pub(super) fn heed(&mut self, limits: Limits) {
        let settings = lock(&self.preferences).settings().window.clone();
        let no_ground = limits.opaque && settings.ground == Ground::Transparent;
        let not_on_top = limits.unplaced && settings.always_on_top;
        self.unsaid = if no_ground { Some(Message::NotTransparent) } else { not_on_top.then_some(Message::NotOnTop) };
        self.limits = limits;
    }

    /// Counts its frames here.
    pub(super) fn count_in(&mut self, frames: Arc<AtomicU32>) {
        self.frames = frames;
    }

    /// How many frames were begun.
    fn drawn(&self) -> u32 {
        self.frames.load(Ordering::Relaxed)
    }

    /// One frame.
    pub(super) fn show(&mut self, ui: &Ui) {
        let ctx = ui.ctx().clone();
        self.frames.fetch_add(1, Ordering::Relaxed);
        if self.drawn() <= SHOWN + 1 {
            Waker::new(ctx.clone(), ctx.viewport_id()).wake();
            Waker::new(ctx.clone(), ViewportId::ROOT).wake();
        }
        if lock(&self.host).is_over() {
            self.quit(&ctx);
        } else if ctx.input(|input| input.viewport().close_requested()) {
            self.want_to_quit(&ctx);
        }
        self.take_back(&ctx);
        self.hear_pictures(&ctx);
        if let Some(limit) = self.unsaid.take() {
            self.say(&ctx, limit);
        }
        let news = lock(&self.preferences).news();
        if let Some(news) = news.into_iter().next() {
            self.say(&ctx, Message::Settings(Box::new(news)));
        }
        let look = self.look();
        if lock(&self.host).lang() != look.lang {
            lock(&self.host).act(&Action::Speak(look.lang));
        }
        ctx.set_visuals(look.theme.visuals());
        let everywhere = self.keys.take();
        let commands = pressed(&ctx).into_iter().chain(everywhere.into_iter().map(|command| (command, 1)));
        for (command, times) in commands.collect::<Vec<_>>() {
            self.obey(&ctx, command, times);
        }
        for path in dropped(&ctx) {
            lock(&self.host).act(&Action::Open(path));
        }
        let (ground, shape, size) = {
            let mut host = lock(&self.host);
            let view = host.view();
            let (engines, size) = (view.engines.len(), overlay::size_of(look.layout, view));
            (self.overlay.show(ui, view, &look), (look.layout, engines), size)
        };
        self.reshape(&ctx, shape, size);
        self.remember(&ctx);
        window::drag(&ground);
        if let Some(command) = menu::show(&ground, look.lang) {
            self.obey(&ctx, command, 1);
            // What came of it is on the next frame.
            let here = ctx.viewport_id();
            Waker::new(ctx, here).wake();
        }
    }

    /// How the bar is to look.
    fn look(&self) -> Look {
        let preferences = lock(&self.preferences);
        let (settings, mut theme) = (preferences.settings(), preferences.theme());
        if self.limits.opaque {
            theme = theme.on(Ground::Opaque, settings.window.key_color);
        }
        let theme = Theme::from(theme);
        Look::of(settings, theme, preferences.lang())
    }

    /// Says something for a while.
    fn say(&mut self, ctx: &Context, remark: Message) {
        lock(&self.host).act(&Action::Remark(remark));
        self.said_until = Some(ctx.input(|input| input.time) + REMARK.as_secs_f64());
        ctx.request_repaint_after(REMARK);
    }

    fn take_back(&mut self, ctx: &Context) {
        let now = ctx.input(|input| input.time);
        if self.said_until.take_if(|until| *until <= now).is_some() {
            lock(&self.host).act(&Action::Dismiss);
        }
    }

    /// Gives the window the size of another arrangement, or room for another engine.
    fn reshape(&mut self, ctx: &Context, shape: (Layout, usize), size: Vec2) {
        if self.shape.replace(shape).is_some_and(|before| before != shape) {
            ctx.send_viewport_cmd(ViewportCommand::MinInnerSize(overlay::least(shape.0)));
            ctx.send_viewport_cmd(ViewportCommand::InnerSize(size));
        }
    }

    /// Remembers where the window stands, once it stands still.
    fn remember(&mut self, ctx: &Context) {
        let (outer, is_held) = ctx.input(|input| (input.viewport().outer_rect, input.pointer.any_down()));
        let Some(at) = outer.filter(|at| !is_held && at.is_positive() && self.drawn() > SHOWN) else { return };
        if self.remembered.replace(at) == Some(at) {
            return;
        }
        if let Some(place) = screens::place(at, &self.screens) {
            lock(&self.preferences).change(|settings| settings.places.remember(place));
        }
    }

    /// Does what a key or an entry of the menu stands for, `times` times over.
    fn obey(&mut self, ctx: &Context, command: Command, times: i32) {
        let action = match command {
            Command::Back => Action::Step(-times),
            Command::Forward => Action::Step(times),
            Command::TenBack => Action::Step(-10 * times),
            Command::TenForward => Action::Step(10 * times),
            Command::First => Action::First,
            Command::Last => Action::Last,
            Command::Pause => Action::Pause,
            Command::Follow => Action::Follow,
            Command::Hide => Action::Hide,
            Command::ClickThrough => return self.toggle_click_through(ctx),
            Command::Layout => {
                return self.set(ctx, |settings| settings.overlay.layout = next(settings.overlay.layout));
            }
            Command::CopyPicture => return self.copy_picture(ctx),
            Command::SavePicture => return self.ask_where(ctx),
            Command::Study => return self.open(ctx, Page::Study),
            Command::Settings => return self.open(ctx, Page::Settings),
            Command::Engines => return self.open(ctx, Page::Engines),
            Command::Quit => return self.want_to_quit(ctx),
        };
        lock(&self.host).act(&action);
    }

    fn open(&mut self, ctx: &Context, page: Page) {
        self.wanted = Some(page);
        Waker::new(ctx.clone(), ViewportId::ROOT).wake();
    }

    /// Changes what is set. The root makes the window anew of it.
    fn set(&self, ctx: &Context, change: impl FnOnce(&mut Settings)) {
        lock(&self.preferences).change(change);
        Waker::new(ctx.clone(), ViewportId::ROOT).wake();
        Waker::new(ctx.clone(), ctx.viewport_id()).wake();
    }

    /// Lets clicks through, or no longer. There is always a way back that needs no click on the bar: the key, or,
    /// where that does not work, the settings, which are then opened.
    fn toggle_click_through(&mut self, ctx: &Context) {
        self.set(ctx, |settings| settings.window.click_through ^= true);
        let (on, key) = {
            let preferences = lock(&self.preferences);
            (preferences.settings().window.click_through, preferences.settings().keys.click_through.clone())
        };
        let has_key = self.keys.has(Command::ClickThrough);
        if on && !has_key {
            self.open(ctx, Page::Settings);
        }
        if on {
            self.say(ctx, Message::ClicksGoThrough(if has_key { key } else { String::new() }));
        } else {
            lock(&self.host).act(&Action::Dismiss);
        }
    }

    /// Has the program end, once nothing is lost by that: it may have to be asked first.
    fn want_to_quit(&mut self, ctx: &Context) {
        let asks = {
            let mut host = lock(&self.host);
            host.act(&Action::Quit);
            host.papers().asks()
        };
        if asks {
            ctx.send_viewport_cmd(ViewportCommand::CancelClose);
            self.open(ctx, Page::Study);
        } else {
            self.quit(ctx);
        }
    }

    /// Closes the program's windows: with the root goes every other.
    fn quit(&mut self, ctx: &Context) {
        self.quits = true;
        ctx.send_viewport_cmd_to(ViewportId::ROOT, ViewportCommand::Close);
    }
}

/// The arrangement after this one.
fn next(layout: Layout) -> Layout {
    let mut all = Layout::ALL.iter().copied().cycle().skip_while(|one| *one != layout);
    all.nth(1).unwrap_or(layout)
}

/// The commands whose keys went down, and how often since the last frame: a key that is held repeats.
fn pressed(ctx: &Context) -> Vec<(Command, i32)> {
    const KEYS: [(Key, Command); 18] = [
        (Key::ArrowLeft, Command::Back),
        (Key::ArrowRight, Command::Forward),
        (Key::PageUp, Command::TenBack),
        (Key::PageDown, Command::TenForward),
        (Key::Home, Command::First),
        (Key::End, Command::Last),
        (Key::Space, Command::Pause),
        (Key::E, Command::Follow),
        (Key::H, Command::Hide),
        (Key::T, Command::ClickThrough),
        (Key::L, Command::Layout),
        (Key::C, Command::CopyPicture),
        (Key::P, Command::SavePicture),
        (Key::B, Command::Study),
        (Key::S, Command::Settings),
        (Key::N, Command::Engines),
        (Key::Q, Command::Quit),
        (Key::Escape, Command::Quit),
    ];
    // Escape closes the menu first.
    let menu = Popup::is_any_open(ctx);
    let keys = KEYS.into_iter().filter(|(key, _)| !(menu && *key == Key::Escape));
    ctx.input(|input| {
        let times = |key, command| {
            // What goes to and fro does not while the key is held.
            let held = matches!(command, Command::Back | Command::Forward | Command::TenBack | Command::TenForward);
            let is_press = |event: &&Event| matches!(event, Event::Key { key: pressed, pressed: true, repeat, .. } if *pressed == key && (held || !repeat));
            i32::try_from(input.events.iter().filter(is_press).count()).unwrap_or(i32::MAX / 10)
        };
        keys.map(|(key, command)| (command, times(key, command))).filter(|(_, times)| *times > 0).collect()
    })
}

/// The files dropped on the window.
fn dropped(ctx: &Context) -> Vec<PathBuf> {
    ctx.input(|input| input.raw.dropped_files.iter().map(|file| file.path().to_owned()).collect())
}

#[cfg(test)]
mod tests;
