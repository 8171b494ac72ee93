//! The bar's window: frameless, moved and resized by its body, on top, and click-through if set.

mod card;
mod keys;
mod notices;
mod offers;
mod picture;
mod small;

use super::desktop::{self, DesktopLimits};
use super::dropped_files::dropped_action;
use super::frame_meter::FrameMeter;
use super::hot_keys::HotKeyEvents;
use super::menu::{Menu, MenuChoice, MenuContent};
use super::palette::EngineNames;
use super::placement::{LayoutKey, WindowPlacement};
use super::screen_geometry::{self, Screen, WantedRoom, WindowRect};
use super::{SharedViewer, TITLE, browser, window_handle};
use crate::app::preferences::SharedPreferences;
use crate::platform;
use eframe::egui;
use egui::{Context, Rect, Ui, Vec2, ViewportBuilder, ViewportCommand, ViewportId, WindowLevel, vec2};
use notices::NoticeTimer;
use offers::{BarOffers, Offer, StartOffers};
use picture::PictureRequests;
use shogibar_base::Lang;
use shogibar_base::threads::lock;
use shogibar_config::settings_text::{self, SettingGroup, SettingItem};
use shogibar_config::{
    Background, BarCommand, Command, CommandPart, Layout, ModelCommand, Percent, Settings, WindowCommand,
};
use shogibar_games::phrase;
use shogibar_model::Message;
use shogibar_model::action::AppAction;
use shogibar_model::game::reads_screen;
use shogibar_model::ids::BarId;
use shogibar_model::record_file::WakeFn;
use shogibar_shogi::BoardDoubt;
use shogibar_ui::address::AddressForm;
use shogibar_ui::overlay::{self, CardPlace, Overlay, OverlayRows, OverlayStyle};
use shogibar_ui::page_tabs::MainPage;
use shogibar_ui::settings::SettingTarget;
use shogibar_ui::{FramePacer, ViewportWaker};
pub(super) use small::boards_on_screen;
use small::{SmallContent, SmallWindows};
use std::sync::Arc;
use window_handle::WindowHandle;

/// The number of the last frame before the window gets its position and click-through: Windows does not show a window
/// that is created with them. [`platform::show_layered`] does the rest that Windows needs.
const LAST_HIDDEN_FRAME: u32 = 2;

/// The minimum time between two checks whether a compositor runs, in seconds: a check takes about a millisecond.
const DESKTOP_CHECK_INTERVAL_SECONDS: f64 = 2.0;

/// The values that a bar's window is created with.
#[derive(Clone)]
pub(super) struct OverlaySetup {
    pub(super) viewer: SharedViewer,
    pub(super) bar: BarId,
    /// The number of bars before the bar of the window.
    pub(super) number: usize,
    /// Wakes all windows: an action may change any of them.
    pub(super) wake: WakeFn,
    pub(super) preferences: SharedPreferences,
    pub(super) screens: Vec<Screen>,
    /// The number of candidates that the window has room for at first.
    pub(super) candidates: usize,
    /// The global keys.
    pub(super) keys: HotKeyEvents,
    pub(super) limits: DesktopLimits,
    pub(super) other_instances: usize,
    /// The number of other bars of this instance at the stored position of the bar.
    pub(super) slot: usize,
    /// The areas that the window must not cover when it opens, in pixels: other bars, and boards that are read.
    pub(super) taken: Vec<Rect>,
    /// The other windows of the program that it must not cover if there is room, in pixels.
    pub(super) windows: Vec<Rect>,
    pub(super) frames: Arc<FrameMeter>,
    /// The processor or the graphics card, whichever paints the frames.
    pub(super) painter: FramePacer,
    pub(super) engines: EngineNames,
}

/// A request that the main window carries out once the page for it is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MainRequest {
    /// Open a page.
    Page(MainPage),
    /// Ask which record to open, as no file dialog can be shown.
    AskForRecord,
    Run(Command),
    /// Open the settings at a row.
    Settings(SettingTarget),
}

impl MainRequest {
    /// Open the settings at the switch that ends click-through.
    pub(super) const CLICK_THROUGH: Self = Self::Settings(SettingTarget::Item(SettingItem::ClickThrough));

    pub(super) const fn page(self) -> MainPage {
        match self {
            Self::Page(page) => page,
            Self::AskForRecord | Self::Run(_) => MainPage::Study,
            Self::Settings(_) => MainPage::Settings,
        }
    }
}

/// The state of the bar's window.
pub(super) struct OverlayWindow {
    setup: OverlaySetup,
    overlay: Overlay,
    /// The number of frames begun.
    frame_count: u32,
    requests: Vec<MainRequest>,
    placement: WindowPlacement,
    /// Whether the window is at a position that has to be stored.
    has_moved: bool,
    handle: WindowHandle,
    /// Whether the window had the focus at the last frame; `None` if unknown.
    has_focus: Option<bool>,
    /// The layout and the number of engines that the window was sized for; `None` before the first frame.
    layout_key: Option<LayoutKey>,
    /// The default size of the window for `layout_key`, in points.
    default_size: Vec2,
    /// The minimum size of the window when it opened, in points.
    min_size: Vec2,
    click_through: ClickThrough,
    notices: NoticeTimer,
    /// The time of the last check of the desktop, in seconds of the window's clock.
    checked_at: f64,
    menu: Menu,
    small_windows: SmallWindows,
    offers: StartOffers,
    commands: Vec<Command>,
    pictures: PictureRequests,
    /// Whether the exact evaluation is shown.
    is_exact: bool,
    /// Whether the window is on top or hidden.
    standing: OverlayStanding,
    /// Whether the program ends, and not only the root window closes.
    is_quitting: bool,
    /// The areas of the other windows and of the boards that are read, in pixels.
    taken: Vec<Rect>,
}

#[derive(Clone, Copy, Debug, Default)]
struct ClickThrough {
    /// Whether click-through is on in the settings, and the window is on the screen.
    is_requested: bool,
    /// The value of `is_requested` that the window was last shown with.
    is_applied: bool,
}

/// Whether a bar's window is on top, as far as the main window and the desk decide this.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum OverlayStanding {
    /// The bar is on top, if the settings say so.
    #[default]
    Free,
    /// The bar would cover the window that the user works on, so it is not on top.
    Yields,
    /// The user has hidden the bar.
    Hidden,
}

impl OverlayWindow {
    /// Creates the window with room for the candidates, at its last position.
    pub(super) fn new(mut setup: OverlaySetup) -> Self {
        give_other_layout(&setup);
        let (placement, min_size) = {
            let preferences = lock(&setup.preferences);
            let settings = preferences.settings();
            let engines = lock(&setup.viewer).engine_names(setup.bar).len();
            let layout = settings.layout_of(setup.number);
            let size = user_size(settings, (layout, engines));
            let size = size.unwrap_or_else(|| overlay::comfortable_size(layout, setup.candidates, engines));
            let screens = std::mem::take(&mut setup.screens);
            let stored = Some(settings.bars.positions(setup.number))
                .filter(|stored| setup.other_instances == 0 && stored.last().is_some());
            let positions = stored.as_ref().unwrap_or(&settings.positions);
            let mut placement =
                WindowPlacement::new(positions, screens, size, setup.limits.is_position_unknown);
            placement.set_bar((setup.other_instances == 0).then_some(setup.number));
            // The first bar keeps the position that the user has chosen.
            if stored.is_none() && setup.other_instances + setup.slot > 0 {
                placement.cascade(setup.other_instances + setup.slot);
                placement.avoid(&setup.taken, &setup.windows);
            } else if stored.is_some()
                && let Some(size) = settings.bars.forced_size(setup.number)
            {
                placement.force_size(points(size.sides()));
            }
            (placement, overlay::minimum_size(layout))
        };
        Self {
            requests: Vec::new(),
            overlay: Overlay::new(setup.painter),
            frame_count: 0,
            setup,
            placement,
            has_moved: false,
            handle: WindowHandle::default(),
            has_focus: None,
            layout_key: None,
            default_size: Vec2::ZERO,
            min_size,
            click_through: ClickThrough::default(),
            notices: NoticeTimer::default(),
            checked_at: 0.0,
            menu: Menu::default(),
            small_windows: SmallWindows::default(),
            offers: StartOffers::default(),
            commands: Vec::new(),
            pictures: PictureRequests::default(),
            is_exact: false,
            standing: OverlayStanding::default(),
            is_quitting: false,
            taken: Vec::new(),
        }
    }

    /// Sets the standing. Returns whether it has changed.
    pub(super) fn set_standing(&mut self, standing: OverlayStanding) -> bool {
        std::mem::replace(&mut self.standing, standing) != standing
    }

    /// Returns whether the bar covers a part of another window; `false` before the bar has its position. `ctx` is that
    /// of the root viewport.
    pub(super) fn covers(&self, ctx: &Context, window: ViewportId) -> bool {
        let [bar, page] = [super::overlay_id(self.setup.bar), window].map(|id| self.rect_of(ctx, id));
        self.is_seen()
            && bar
                .zip(page)
                .is_some_and(|(bar, page)| screen_geometry::are_overlapping(bar, page))
    }

    fn is_on_top(&self) -> bool {
        self.standing == OverlayStanding::Free
            && lock(&self.setup.preferences).settings().window.always_on_top
    }

    pub(super) fn builder(&mut self) -> ViewportBuilder {
        let level = if self.is_on_top() {
            WindowLevel::AlwaysOnTop
        } else {
            WindowLevel::Normal
        };
        self.click_through.is_requested =
            lock(&self.setup.preferences).settings().window.click_through && self.is_seen();
        let builder = self.placement.builder();
        builder
            .with_title(self.title())
            .with_app_id("shogibar")
            // A later minimum size is set together with the size, in `reshape`.
            .with_min_inner_size(self.min_size)
            .with_decorations(false)
            .with_has_shadow(false)
            .with_transparent(true)
            .with_visible(self.standing != OverlayStanding::Hidden)
            .with_window_level(level)
            .with_mouse_passthrough(self.click_through.is_requested)
    }

    /// Removes and returns the requests to the main window. Returns none before the bar has its position, so that the
    /// page can open beside the bar.
    pub(super) fn take_requests(&mut self) -> Vec<MainRequest> {
        if self.is_seen() {
            std::mem::take(&mut self.requests)
        } else {
            Vec::new()
        }
    }

    pub(super) const fn bar(&self) -> BarId {
        self.setup.bar
    }

    /// Returns the rectangle of a window; `None` if windows have no position. `ctx` is that of the root viewport.
    pub(super) fn rect_of(&self, ctx: &Context, window: ViewportId) -> Option<WindowRect> {
        let mut viewport = ctx.input(|input| input.raw.viewports.get(&window).cloned())?;
        if window == ViewportId::ROOT {
            // The scale of the main window includes the zoom of its page.
            let zoom = super::window_zoom::main_window_zoom(ctx);
            viewport.native_pixels_per_point = viewport.native_pixels_per_point.map(|scale| scale / zoom);
        }
        self.placement.rect_of(&viewport)
    }

    /// Returns the rectangle that the bar has, or will have once it is on the screen. `None` if windows have no position.
    pub(super) fn occupied_rect(&self, ctx: &Context) -> Option<Rect> {
        let planned = || self.placement.initial_rect();
        let rect = if self.is_seen() {
            self.rect_of(ctx, super::overlay_id(self.setup.bar))
                .or_else(planned)
        } else {
            planned()
        };
        rect.map(|rect| rect.rect())
    }

    /// Sets the areas that the bar must not cover when it changes its size, in pixels.
    pub(super) fn set_taken(&mut self, taken: Vec<Rect>) {
        self.taken = taken;
    }

    /// Returns the rectangle for another window beside this window and the `taken` areas, in pixels; `None` without
    /// room. `ctx` is that of the root viewport.
    pub(super) fn room_beside(
        &self,
        ctx: &Context,
        taken: &[Rect],
        wanted: WantedRoom,
    ) -> Option<WindowRect> {
        let bar = self.rect_of(ctx, super::overlay_id(self.setup.bar))?;
        self.placement.room_beside(bar, taken, wanted)
    }

    /// Returns the title of the window, by which recording programs, such as OBS, find the window.
    fn title(&self) -> String {
        match self.setup.number {
            0 => TITLE.to_owned(),
            number => format!("{TITLE} {}", number + 1),
        }
    }

    /// Returns whether the program has to end, as the model or a signal requests.
    fn is_viewer_over(&self) -> bool {
        lock(&self.setup.viewer).is_over()
    }

    /// Applies an action on the bar.
    fn act(&self, action: AppAction) {
        lock(&self.setup.viewer).act(self.setup.bar, action);
        (self.setup.wake)();
    }

    /// Returns the number of other bars of this instance at the stored position of the bar.
    pub(super) const fn slot(&self) -> usize {
        self.setup.slot
    }

    /// Sets the number of bars before this bar. The layout and the position are stored by this number.
    pub(super) fn set_number(&mut self, number: usize) {
        self.setup.number = number;
        self.placement
            .set_bar((self.setup.other_instances == 0).then_some(number));
    }

    pub(super) fn request_page(&mut self, page: MainPage) {
        self.requests.push(MainRequest::Page(page));
    }

    /// Returns whether the program ends, and not only the root window closes.
    pub(super) const fn is_quitting(&self) -> bool {
        self.is_quitting
    }

    /// Returns whether the position has to be stored by [`store_position`](Self::store_position).
    pub(super) const fn has_moved(&self) -> bool {
        self.has_moved
    }

    pub(super) fn store_position(&mut self, screens: Vec<Screen>) {
        self.has_moved = false;
        self.placement.set_screens(screens);
        let (placement, layout_key, default_size) = (&mut self.placement, self.layout_key, self.default_size);
        lock(&self.setup.preferences).change(|settings| placement.store(settings, layout_key, default_size));
    }

    /// Returns whether click-through has changed since the window was last shown.
    pub(super) const fn has_click_through_changed(&self) -> bool {
        self.click_through.is_requested != self.click_through.is_applied
    }

    /// Returns whether a frame is drawn. The window may not be on the screen yet.
    pub(super) const fn is_drawn(&self) -> bool {
        self.frame_count > 0
    }

    /// Returns whether the first frames are on the screen.
    pub(super) const fn is_seen(&self) -> bool {
        self.frame_count > LAST_HIDDEN_FRAME
    }

    pub(super) fn show_timed(&mut self, ui: &Ui) {
        let frames = Arc::clone(&self.setup.frames);
        frames.time(|| self.show(ui));
    }

    /// Draws one frame.
    pub(super) fn show(&mut self, ui: &Ui) {
        let ctx = ui.ctx().clone();
        self.frame_count = self.frame_count.saturating_add(1);
        if self.setup.number == 0 {
            self.setup.frames.count_bar_frame();
        }
        self.stay_on_top(&ctx);
        self.update_placement(&ctx);
        self.close_if_asked(&ctx);
        self.check_desktop(&ctx);
        let mut style = self.style();
        // A bar that is not visible is not animated, as animations request frames.
        style.has_motion &= ctx.input(|input| input.viewport().visible()) != Some(false);
        style.has_motion &= desktop::may_animate(self.setup.painter, &lock(&self.setup.viewer));
        if lock(&self.setup.viewer).update() {
            (self.setup.wake)();
        }
        self.update_notices(&ctx);
        self.poll_pictures(&ctx);
        ctx.set_visuals(shogibar_ui::theme::menu_visuals(&style.theme));
        let everywhere = if self.setup.number == 0 {
            self.setup.keys.take()
        } else {
            Vec::new()
        };
        let is_menu_open = self.menu.is_open(&ctx);
        if is_menu_open {
            self.menu.take_keys(&ctx);
        }
        if !is_menu_open && keys::is_escape_pressed(&ctx) && self.is_showing_notice() {
            self.dismiss();
        }
        for command in everywhere {
            match command {
                Command::Hide => self.act(AppAction::HideAll),
                _ => self.apply(&ctx, command, 1),
            }
        }
        if !self.show_small(&ctx, &style) {
            for (command, times) in keys::pressed_commands(&ctx) {
                self.apply(&ctx, command, times);
            }
        }
        for command in std::mem::take(&mut self.commands) {
            self.apply(&ctx, command, 1);
        }
        if let Some(action) = dropped_action(&ctx).or_else(|| keys::pasted_action(&ctx)) {
            self.act(action);
        }
        let offered = self.current_offers();
        style.rows = if offered.is_some() {
            OverlayRows::Free
        } else {
            OverlayRows::Candidates
        };
        let card_position = self.card_position(&ctx, &style);
        style.card_place = if card_position.is_some() {
            CardPlace::Beside
        } else {
            CardPlace::InLine
        };
        let (response, layout_key, size) = {
            let mut viewer = lock(&self.setup.viewer);
            let view = viewer.bar_view(self.setup.bar);
            let (engines, size) = (
                view.engines.len(),
                overlay::comfortable_size_of(style.layout, view),
            );
            // A bar has its size before its engine runs.
            (
                self.overlay.show(ui, view, &style),
                (style.layout, engines.max(1)),
                size,
            )
        };
        self.show_card(&ctx, &style, card_position);
        self.reshape(&ctx, layout_key, size);
        self.handle.drag(
            &response,
            window_handle::HAS_SYSTEM_RESIZE,
            overlay::minimum_size(style.layout),
        );
        if keys::is_menu_key_pressed(&ctx) {
            self.menu.request();
        }
        self.show_offers(ui, response.rect, offered, &style);
        let chosen = if is_menu_open || response.secondary_clicked() || self.menu.is_requested() {
            let content = self.menu_content(style.lang);
            self.menu.show(&response, &content, &self.placement)
        } else {
            None
        };
        if let Some(chosen) = chosen {
            match chosen {
                MenuChoice::Command(command) => self.apply(&ctx, command, 1),
                MenuChoice::Game(game) => self.act(AppAction::Show(game)),
                MenuChoice::Layout(layout) => {
                    self.change_settings(&ctx, |settings| settings.set_layout_of(self.setup.number, layout));
                }
                MenuChoice::Theme(theme) => {
                    self.change_settings(&ctx, |settings| settings.overlay.theme = theme);
                }
                MenuChoice::Follow(follow) => self.act(AppAction::FollowEngine(follow)),
            }
            // The choice takes effect in the next frame.
            let here = ctx.viewport_id();
            ViewportWaker::new(ctx, here).wake();
        }
    }

    /// Returns the offers in place of the candidates; `None` if there are none. An untouched bar offers the first steps
    /// of a new user. If the screen does not show the whole position, the bar offers to correct it.
    fn current_offers(&mut self) -> Option<BarOffers> {
        let (is_blank, doubt) = {
            let viewer = lock(&self.setup.viewer);
            let game = viewer.model().game(viewer.model().bar(self.setup.bar).game());
            let doubt = game
                .doubt()
                .filter(|doubt| reads_screen(game) && *doubt != BoardDoubt::Rotated);
            (game.is_blank() && game.history().moves().is_empty(), doubt)
        };
        if !is_blank || self.setup.number > 0 {
            self.offers.end();
        }
        doubt
            .map(BarOffers::Correction)
            .or_else(|| self.offers.are_shown().then_some(BarOffers::Start))
    }

    /// Shows the offers, and the button of the menu.
    fn show_offers(&mut self, ui: &Ui, bar: Rect, offered: Option<BarOffers>, style: &OverlayStyle) {
        let offered = offered.zip(self.overlay.free_rows());
        match offered.and_then(|(offered, rect)| offers::show(ui, rect, offered, style)) {
            Some(Offer::Command(command)) => self.apply(ui.ctx(), command, 1),
            Some(Offer::Menu) => self.menu.request(),
            None if offers::show_menu_button(ui, bar, self.overlay.text_rects(), style.lang) => {
                self.menu.request();
            }
            None => {}
        }
    }

    /// Ends the program, or closes this bar, if the user or the system requests it.
    fn close_if_asked(&mut self, ctx: &Context) {
        if self.is_viewer_over() {
            self.quit(ctx);
        } else if ctx.input(|input| input.viewport().close_requested()) {
            if self.setup.number > 0 {
                self.act(AppAction::run(ModelCommand::CloseBar));
            } else if self.ask_quit(ctx) {
                ctx.send_viewport_cmd(ViewportCommand::CancelClose);
            }
        }
    }

    /// Puts the window on top again when the focus changes: on Windows, a full-screen window covers the windows on top.
    fn stay_on_top(&mut self, ctx: &Context) {
        let focused = ctx.input(|input| input.viewport().focused);
        let has_changed = std::mem::replace(&mut self.has_focus, focused) != focused;
        if cfg!(windows) && has_changed && self.is_on_top() {
            ctx.send_viewport_cmd(ViewportCommand::WindowLevel(WindowLevel::Normal));
            ctx.send_viewport_cmd(ViewportCommand::WindowLevel(WindowLevel::AlwaysOnTop));
        }
    }

    /// Applies the window's position and click-through, in its first frames and after changes.
    fn update_placement(&mut self, ctx: &Context) {
        if self.frame_count <= LAST_HIDDEN_FRAME + 1 {
            ViewportWaker::new(ctx.clone(), ctx.viewport_id()).wake();
            ViewportWaker::new(ctx.clone(), ViewportId::ROOT).wake();
        }
        if self.is_seen() {
            self.placement.apply(ctx);
            if self.placement.is_at_unstored_position(ctx) {
                // The root has the screens and stores the position.
                self.has_moved = true;
                ViewportWaker::new(ctx.clone(), ViewportId::ROOT).wake();
            }
        }
        if self.has_click_through_changed() {
            self.click_through.is_applied = self.click_through.is_requested;
            if self.click_through.is_requested {
                platform::show_layered(&self.title());
            }
        }
    }

    /// Checks at intervals whether a compositor runs. It requests no frame, as the end of a compositor causes one.
    fn check_desktop(&mut self, ctx: &Context) {
        let now = ctx.input(|input| input.time);
        if now - self.checked_at > DESKTOP_CHECK_INTERVAL_SECONDS {
            self.checked_at = now;
            self.setup.limits = self.setup.limits.recheck();
        }
    }

    fn style(&self) -> OverlayStyle {
        let preferences = lock(&self.setup.preferences);
        let (settings, mut theme) = (preferences.settings(), preferences.theme());
        if self.setup.limits.is_opaque {
            theme = theme.with_background(Background::Opaque, settings.window.key_color);
        }
        let theme = shogibar_ui::theme::from_config(theme);
        let style = OverlayStyle::from_settings(settings, theme, preferences.lang());
        // Without transparency, the background of the window is opaque.
        let (opacity, background) = if self.setup.limits.is_opaque {
            (Percent(100), Background::Opaque)
        } else {
            (style.opacity, style.background)
        };
        let layout = settings.layout_of(self.setup.number);
        OverlayStyle {
            layout,
            is_exact: self.is_exact,
            opacity,
            background,
            ..style
        }
    }

    /// Resizes the window for another layout or number of engines: to the user's size, or else the default size.
    fn reshape(&mut self, ctx: &Context, layout_key: LayoutKey, default_size: Vec2) {
        let (layout, _engines) = layout_key;
        self.default_size = default_size;
        if self
            .layout_key
            .replace(layout_key)
            .is_some_and(|before| before != layout_key)
        {
            let user_size = user_size(lock(&self.setup.preferences).settings(), layout_key);
            // The minimum size is set first: the old size may be below it, or the other way round.
            ctx.send_viewport_cmd(ViewportCommand::MinInnerSize(overlay::minimum_size(layout)));
            self.placement
                .reshape(ctx, user_size.unwrap_or(default_size), &self.taken);
        }
    }

    /// Runs a command of a key or the menu, `times` times.
    fn apply(&mut self, ctx: &Context, command: Command, times: i32) {
        self.offers.end();
        match command.part() {
            CommandPart::Model(command) => self.act(AppAction::Run(command, times)),
            CommandPart::Window(command) => self.run_in_window(ctx, command),
            CommandPart::Bar(command) => self.run(ctx, command),
            // The main window runs these commands.
            CommandPart::Study(_) | CommandPart::Main(_) => self.request(ctx, MainRequest::Run(command)),
        }
    }

    /// Runs a command that only the bar has.
    fn run(&mut self, ctx: &Context, command: BarCommand) {
        match command {
            BarCommand::ClickThrough => self.toggle_click_through(ctx),
            BarCommand::Exact => {
                self.is_exact ^= true;
                ViewportWaker::new(ctx.clone(), ctx.viewport_id()).wake();
            }
            BarCommand::Layout => self.change_settings(ctx, |settings| {
                let bar = self.setup.number;
                settings.set_layout_of(bar, next_layout(settings.layout_of(bar)));
            }),
            BarCommand::CopyPicture => self.copy_picture(ctx),
            BarCommand::SavePicture => self.ask_picture_path(ctx),
        }
    }

    fn run_in_window(&mut self, ctx: &Context, command: WindowCommand) {
        match command {
            WindowCommand::Open => self.ask_record_path(ctx),
            WindowCommand::OpenAddress => self.open_small(ctx, SmallContent::Address(AddressForm::new())),
            WindowCommand::Paste => ctx.send_viewport_cmd(ViewportCommand::RequestPaste),
            WindowCommand::Players => self.open_players(ctx),
            WindowCommand::CorrectBoard => self.open_correction(ctx),
            WindowCommand::Manual => self.open_manual(ctx),
            WindowCommand::Study => self.open(ctx, MainPage::Study),
            WindowCommand::Settings => self.open(ctx, MainPage::Settings),
            WindowCommand::Engines => self.open(ctx, MainPage::Engines),
            WindowCommand::AnalyseFolder => self.open(ctx, MainPage::Folder),
            WindowCommand::Obs => {
                self.request(
                    ctx,
                    MainRequest::Settings(SettingTarget::Group(SettingGroup::Obs)),
                );
            }
            WindowCommand::Palette => self.open_palette(ctx),
            WindowCommand::Quit => {
                self.ask_quit(ctx);
            }
        }
    }

    pub(super) fn run_next(&mut self, command: Command) {
        self.commands.push(command);
    }

    /// Returns the state that the entries of the menu depend on.
    fn menu_content(&self, lang: Lang) -> MenuContent {
        let preferences = lock(&self.setup.preferences);
        let themes = preferences
            .themes()
            .iter()
            .map(|entry| {
                let text = match &entry.file {
                    Some(_) => entry.name.clone(),
                    None => settings_text::theme(&entry.name, lang).to_owned(),
                };
                (entry.name.clone(), text)
            })
            .collect();
        let layout = preferences.settings().layout_of(self.setup.number);
        let theme = preferences.settings().overlay.theme.clone();
        drop(preferences);
        let viewer = lock(&self.setup.viewer);
        let model = viewer.model();
        let bar = model.bar(model.lender(self.setup.bar));
        MenuContent {
            lang,
            bar_count: model.window_bars().count(),
            reads_screen: reads_screen(model.game(bar.game())),
            games: model.titles_with_players().collect(),
            game: bar.game(),
            layout,
            themes,
            theme,
            engines: bar
                .engines()
                .iter()
                .map(|engine| phrase::engine_name(&engine.report.name, lang))
                .collect(),
            follow_mode: bar.followed(),
        }
    }

    /// Opens a page of the main window for this bar. The main window then carries out the request.
    fn request(&mut self, ctx: &Context, request: MainRequest) {
        self.act(AppAction::StudyBar);
        self.requests.push(request);
        ViewportWaker::new(ctx.clone(), ViewportId::ROOT).wake();
    }

    fn open(&mut self, ctx: &Context, page: MainPage) {
        self.request(ctx, MainRequest::Page(page));
    }

    /// Opens the study page for a second start of the program. If clicks go through the bar, opens the settings at the
    /// switch that ends this instead.
    pub(super) fn open_for_second_start(&mut self, ctx: &Context) {
        let is_through = lock(&self.setup.preferences).settings().window.click_through;
        self.request(
            ctx,
            if is_through {
                MainRequest::CLICK_THROUGH
            } else {
                MainRequest::Page(MainPage::Study)
            },
        );
    }

    /// Opens the manual in the user's browser, or shows its address.
    fn open_manual(&self, ctx: &Context) {
        browser::open(browser::manual_url(self.style().lang), self.notices.sender(ctx));
    }

    /// Changes settings. The root then rebuilds the window.
    fn change_settings(&self, ctx: &Context, change: impl FnOnce(&mut Settings)) {
        lock(&self.setup.preferences).change(change);
        ViewportWaker::new(ctx.clone(), ViewportId::ROOT).wake();
        ViewportWaker::new(ctx.clone(), ctx.viewport_id()).wake();
    }

    /// Toggles click-through, and shows how to end it: by a key or, if no key works, in the settings, which the root
    /// then opens.
    fn toggle_click_through(&mut self, ctx: &Context) {
        self.change_settings(ctx, |settings| settings.window.click_through ^= true);
        let (on, key) = {
            let preferences = lock(&self.setup.preferences);
            (
                preferences.settings().window.click_through,
                preferences.settings().keys.click_through.clone(),
            )
        };
        if on {
            let has_key = self.setup.keys.has_global_key(Command::ClickThrough);
            self.show_notice(
                ctx,
                Message::ClicksGoThrough(if has_key { key } else { String::new() }),
            );
        } else {
            self.dismiss();
        }
    }

    /// Opens the study page, where the user is asked about the record.
    pub(super) fn open_study(&mut self, ctx: &Context) {
        self.request_page(MainPage::Study);
        ViewportWaker::new(ctx.clone(), ViewportId::ROOT).wake();
    }

    /// Requests the end of the program. The study page may first ask about unsaved changes, and a save in progress is
    /// completed.
    fn request_quit(&mut self, ctx: &Context) {
        self.act(AppAction::RequestQuit);
        if self.is_viewer_over() {
            self.quit(ctx);
        } else {
            ctx.send_viewport_cmd(ViewportCommand::CancelClose);
            self.open_study(ctx);
        }
    }

    /// Closes the program's windows: the root closes all others.
    fn quit(&mut self, ctx: &Context) {
        self.is_quitting = true;
        // The position is stored even if the window has only just moved there.
        self.store_position(Vec::new());
        ctx.send_viewport_cmd_to(ViewportId::ROOT, ViewportCommand::Close);
    }
}

fn user_size(settings: &Settings, (layout, engines): LayoutKey) -> Option<Vec2> {
    settings.sizes.get(layout, engines).map(points)
}

/// Returns a size in whole points as a vector.
fn points([width, height]: [u32; 2]) -> Vec2 {
    vec2(width as f32, height as f32)
}

/// Gives a bar that shows the values of another bar a different layout, if it has no layout set.
fn give_other_layout(setup: &OverlaySetup) {
    let borrows = lock(&setup.viewer).model().lender(setup.bar) != setup.bar;
    if borrows && setup.other_instances == 0 {
        lock(&setup.preferences).change(|settings| {
            if settings.bars.layout(setup.number).is_none() {
                settings.set_layout_of(setup.number, next_layout(settings.overlay.layout));
            }
        });
    }
}

fn next_layout(layout: Layout) -> Layout {
    let mut all = Layout::ALL
        .iter()
        .copied()
        .cycle()
        .skip_while(|one| *one != layout);
    all.nth(1).unwrap_or(layout)
}

#[cfg(test)]
mod tests;
