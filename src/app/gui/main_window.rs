//! The main window: its pages behind a row of tabs. It is hidden until a page is opened.

mod arrangement;
mod engines;
mod folder;
mod settings;
mod study;

use super::dialogs::{DialogPurpose, Dialogs};
use super::hot_keys::HotKeyEvents;
use super::palette::EngineNames;
use super::screen_geometry::{Screen, WindowRect};
use super::window_zoom::{self, WantedZoom};
use super::{SharedViewer, TITLE, browser, obs_pages, overlay_id, programme_actions};
use crate::app::engine_manager::EngineManager;
use crate::app::preferences::{SharedPreferences, ThemeTask};
use crate::app::updates::{self, UpdateChecker, UpdateNews, Version};
pub(super) use arrangement::Arrangement;
use eframe::egui;
use egui::{
    Align, CentralPanel, Context, Frame, Key, Layout, Margin, Modifiers, Panel, RichText, Ui, Vec2,
    ViewportBuilder, ViewportCommand, ViewportId, WindowLevel, vec2,
};
use engines::EnginesController;
use folder::FolderController;
use settings::SettingsController;
use shogibar_base::Lang;
use shogibar_base::threads::lock;
use shogibar_config::{BoardColors, Command, WindowColors, WindowZoom};
use shogibar_model::AppEvent;
use shogibar_model::action::AppAction;
use shogibar_model::record_file::WakeFn;
use shogibar_ui::page_tabs::MainPage;
use shogibar_ui::settings::SettingTarget;
use shogibar_ui::{FramePacer, PaintTheme, ViewportWaker, page_tabs, programme};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use study::StudyController;

/// The initial size of the window, in points.
pub(super) const SIZE: Vec2 = vec2(1320.0, 840.0);
/// The minimum size of the window, in points.
pub(super) const MIN_SIZE: Vec2 = vec2(880.0, 400.0);
/// A step of the zoom, in percent.
const ZOOM_STEP_PERCENT: u8 = 10;
/// The size of the window with only the small board, in points.
const SMALL_BOARD_SIZE: Vec2 = vec2(380.0, 530.0);
/// The minimum size of the window with only the small board, in points.
const MIN_SMALL_BOARD_SIZE: Vec2 = vec2(220.0, 320.0);

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum OpenAt {
    /// Beside the bar. `is_free` is whether the former position of the window would cover nothing either.
    Beside { rect: WindowRect, is_free: bool },
    /// Behind the other windows, because at every position it would cover one.
    Behind,
    /// At the former position, or where the system puts it.
    Here,
}

impl OpenAt {
    /// Returns the builder of a window that opens here, with its sizes in points.
    pub(super) fn builder(self, title: &str, size: Vec2, min_size: Vec2) -> ViewportBuilder {
        let builder = ViewportBuilder::default()
            .with_title(format!("{title} - {TITLE}"))
            .with_app_id("shogibar")
            .with_inner_size(size)
            .with_min_inner_size(min_size)
            .with_window_level(WindowLevel::Normal);
        match self {
            Self::Beside { rect, .. } => builder.with_inner_size(rect.size).with_position(rect.position()),
            Self::Behind | Self::Here => builder,
        }
    }
}

/// Returns whether windows are light or dark, by the user's choice.
pub(super) fn brightness(ctx: &Context, colors: WindowColors) -> egui::Theme {
    match colors {
        WindowColors::System => ctx.system_theme().unwrap_or(egui::Theme::Light),
        WindowColors::Day => egui::Theme::Light,
        WindowColors::Night => egui::Theme::Dark,
    }
}

/// The way in which the window was placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum MainWindowPlacement {
    /// The window was not placed yet.
    None,
    /// Beside the bar, or at the position that the user has chosen since.
    Placed,
    Behind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CloseEffect {
    /// The window is hidden until it is opened again.
    Hides,
    /// The window is minimised, so that the user can still reach it: only this window can end click-through.
    Minimises,
    /// The program ends.
    Ends,
}

/// Returns the builder of the window at the start. The window cannot be hidden before it is drawn, so it has no
/// decorations and shows nothing. It is transparent, as the bar's window inherits its pixel format.
pub(super) fn builder() -> ViewportBuilder {
    ViewportBuilder::default()
        .with_title(TITLE.to_owned() + " main window")
        .with_app_id("shogibar")
        .with_inner_size(SIZE)
        .with_min_inner_size(MIN_SIZE)
        .with_decorations(false)
        .with_has_shadow(false)
        .with_transparent(true)
        .with_active(false)
}

pub(super) struct MainWindow {
    viewer: SharedViewer,
    theme: PaintTheme,
    /// Whether the theme is light or dark.
    brightness: egui::Theme,
    /// The colours of the theme's board.
    board: BoardColors,
    /// The current page; `None` while the window is hidden.
    page: Option<MainPage>,
    /// The page, the language and the record that the title was set for.
    title: Option<(MainPage, Lang, Option<String>)>,
    /// Whether the system was asked to hide the window.
    is_hidden: bool,
    placement: MainWindowPlacement,
    mode: WindowMode,
    pub(super) arrangement: Arrangement,
    zoom: WantedZoom,
    /// Whether the study page is opened in the first frame.
    opens_at_start: bool,
    /// Whether the study page is open, so that evaluations have to be drawn.
    is_study_open: Arc<AtomicBool>,
    study: StudyController,
    folder: FolderController,
    engines: EnginesController,
    settings: SettingsController,
    dialogs: Dialogs,
    preferences: SharedPreferences,
    updates: UpdateChecker,
    /// Whether the check for updates was started in this run.
    has_checked_updates: bool,
    /// The newest version, if it is newer than this program.
    newer_version: Option<Version>,
    /// The names of all engines, shared with the other windows.
    engine_names: EngineNames,
}

impl MainWindow {
    pub(super) fn new(
        viewer: SharedViewer,
        preferences: SharedPreferences,
        keys: HotKeyEvents,
        manager: EngineManager,
    ) -> Self {
        let mut window = Self {
            study: StudyController::new(Arc::clone(&viewer), Arc::clone(&preferences)),
            folder: FolderController::new(Arc::clone(&viewer)),
            engines: EnginesController::new(Arc::clone(&viewer), manager),
            preferences: Arc::clone(&preferences),
            settings: SettingsController::new(preferences, keys),
            viewer,
            theme: shogibar_ui::theme::of_pages(false),
            brightness: egui::Theme::Light,
            board: BoardColors::Wood,
            page: None,
            title: None,
            is_hidden: false,
            placement: MainWindowPlacement::None,
            mode: WindowMode::default(),
            arrangement: Arrangement::default(),
            zoom: WantedZoom::default(),
            opens_at_start: false,
            is_study_open: Arc::default(),
            dialogs: Dialogs::default(),
            updates: UpdateChecker::default(),
            has_checked_updates: false,
            newer_version: None,
            engine_names: EngineNames::default(),
        };
        window.share_engines();
        window
    }

    /// Sets the flag that is on while the study page is open. Other threads read the flag.
    pub(super) fn share_study_flag(&mut self, is_study_open: Arc<AtomicBool>) {
        self.is_study_open = is_study_open;
    }

    pub(super) fn set_painter(&mut self, painter: FramePacer) {
        self.study.set_painter(painter);
    }

    /// Opens the window with a page. The first time, and if it would cover another window, it is placed beside the bar.
    /// Without room there, it opens behind the other windows. Otherwise it stays at the user's position. Returns
    /// whether it is behind other windows.
    pub(super) fn open(&mut self, ctx: &Context, page: MainPage, at: OpenAt) -> bool {
        let mut is_behind = false;
        if self.page.is_none() {
            self.arrangement.begin_fit(ctx);
            ctx.send_viewport_cmd(ViewportCommand::Decorations(true));
            ctx.send_viewport_cmd(ViewportCommand::Visible(true));
            let was_placed = self.placement != MainWindowPlacement::None;
            if self.placement == MainWindowPlacement::None && at != OpenAt::Here {
                self.placement = MainWindowPlacement::Placed;
            }
            match at {
                OpenAt::Beside { rect, is_free } if !(was_placed && is_free) => {
                    self.arrangement.set_placed();
                    ctx.send_viewport_cmd(ViewportCommand::InnerSize(rect.size));
                    ctx.send_viewport_cmd(ViewportCommand::OuterPosition(rect.position()));
                }
                OpenAt::Behind => {
                    ctx.send_viewport_cmd(ViewportCommand::WindowLevel(WindowLevel::AlwaysOnBottom));
                    self.placement = MainWindowPlacement::Behind;
                    is_behind = true;
                }
                OpenAt::Beside { .. } | OpenAt::Here => {}
            }
        } else {
            ctx.send_viewport_cmd(ViewportCommand::Minimized(false));
        }
        self.is_hidden = false;
        self.opens_at_start = false;
        if !is_behind {
            if self.placement == MainWindowPlacement::Behind {
                self.placement = MainWindowPlacement::Placed;
                ctx.send_viewport_cmd(ViewportCommand::WindowLevel(WindowLevel::Normal));
            }
            ctx.send_viewport_cmd(ViewportCommand::Focus);
        }
        self.open_page(ctx, page);
        is_behind
    }

    /// Makes the first frame open the study page.
    pub(super) const fn open_at_start(&mut self) {
        self.opens_at_start = true;
    }

    pub(super) fn share_zoom(&mut self, zoom: WantedZoom) {
        self.zoom = zoom;
    }

    /// Returns whether the window shows a page, and has not moved for a while, at a position that is not stored yet.
    /// The window with the small board is never stored.
    pub(super) fn is_at_unstored_position(&mut self, ctx: &Context) -> bool {
        self.page.is_some()
            && !self.mode.is_small
            && self.placement == MainWindowPlacement::Placed
            && self.arrangement.is_at_unstored_position(ctx)
    }

    /// Returns whether the window has to be kept on its screen now.
    pub(super) fn is_fitting(&self, ctx: &Context) -> bool {
        self.page.is_some() && self.arrangement.is_fitting(ctx)
    }

    /// Cuts the window to its screen, and moves it there, after it was opened or has changed its size.
    pub(super) fn fit(&mut self, ctx: &Context, screens: &[Screen]) {
        if self.page.is_some() {
            let min_size = if self.mode.is_small {
                MIN_SMALL_BOARD_SIZE
            } else {
                MIN_SIZE
            };
            self.arrangement.fit(ctx, screens, min_size, system_scale(ctx));
        }
    }

    pub(super) fn store_position(&mut self, ctx: &Context, screens: &[Screen]) {
        let scale = system_scale(ctx);
        let (arrangement, preferences) = (&mut self.arrangement, &self.preferences);
        lock(preferences).change(|settings| arrangement.store(&mut settings.main_window, screens, scale));
    }

    pub(super) fn was_placed(&self) -> bool {
        self.placement != MainWindowPlacement::None
    }

    /// Raises a window that was opened behind others, once the user activates it.
    fn raise_if_activated(&mut self, ctx: &Context) {
        if self.placement == MainWindowPlacement::Behind
            && ctx.input(|input| input.viewport().focused == Some(true))
        {
            self.placement = MainWindowPlacement::Placed;
            ctx.send_viewport_cmd(ViewportCommand::WindowLevel(WindowLevel::Normal));
        }
    }

    /// Asks which record to open, on the study page.
    pub(super) fn ask_for_record(&mut self) {
        self.study.ask_for_record();
    }

    pub(super) fn run_in_study(&mut self, command: Command) {
        self.study.run_next(command);
    }

    pub(super) fn show_setting(&mut self, target: SettingTarget) {
        self.settings.show_target(target);
    }

    pub(super) fn engine_names(&self) -> EngineNames {
        Arc::clone(&self.engine_names)
    }

    pub(super) fn take_bar_commands(&mut self) -> Vec<Command> {
        self.study.take_bar_commands()
    }

    /// Shows a page, after the page of the engines has stored its changes.
    fn open_page(&mut self, ctx: &Context, page: MainPage) {
        self.engines.leave(&root_waker(ctx), &self.dialogs);
        self.page = Some(page);
        match page {
            MainPage::Study | MainPage::Folder => {
                self.engines.reload();
                self.share_engines();
            }
            MainPage::Engines => self.engines.open(&root_waker(ctx)),
            MainPage::Settings => self.settings.open(&root_waker(ctx)),
        }
    }

    fn set_title(&mut self, ctx: &Context, page: MainPage, lang: Lang) {
        let record = if page == MainPage::Study {
            let viewer = lock(&self.viewer);
            viewer.model().game(viewer.model().study_game()).file().name()
        } else {
            None
        };
        let title = Some((page, lang, record));
        if self.title == title {
            return;
        }
        let record = title.as_ref().and_then(|(_, _, record)| record.as_deref());
        let record = record.map(|record| format!("{record} - ")).unwrap_or_default();
        ctx.send_viewport_cmd(ViewportCommand::Title(format!(
            "{record}{} - {TITLE}",
            page.text(lang)
        )));
        self.title = title;
    }

    fn lang(&self) -> Lang {
        lock(&self.viewer).lang()
    }

    /// Returns whether the window is open. It may be minimised.
    pub(super) const fn is_open(&self) -> bool {
        self.page.is_some()
    }

    /// Applies the results of other threads. Called for every frame, even while the window is hidden.
    pub(super) fn poll(&mut self) {
        if self.engines.poll() {
            self.share_engines();
        }
        self.folder.poll();
    }

    /// Updates the engines in the model, the pages of this window and the shared list of names.
    fn share_engines(&mut self) {
        *lock(&self.engine_names) = self.engines.names();
        self.study
            .set_engines(self.engines.names(), self.engines.searches());
        self.folder
            .set_engines(self.engines.names(), self.engines.scales());
        lock(&self.viewer).handle(AppEvent::ScalesChanged(self.engines.scales()));
    }

    fn update_theme(&mut self, ctx: &Context) {
        let (pages, board) = {
            let preferences = lock(&self.preferences);
            let general = &preferences.settings().general;
            (general.window_colors, general.board_colors)
        };
        let brightness = brightness(ctx, pages);
        if (self.brightness, self.board) != (brightness, board) {
            (self.brightness, self.board) = (brightness, board);
            self.theme = shogibar_ui::theme::of_pages_with(brightness == egui::Theme::Dark, board);
        }
    }

    /// Draws one frame.
    pub(super) fn show(&mut self, ui: &mut Ui, closing: CloseEffect) {
        self.raise_if_activated(ui.ctx());
        let ctx = ui.ctx().clone();
        self.check_for_updates(&ctx);
        if self.page.is_some() && ctx.input(|input| input.viewport().close_requested()) {
            self.engines.leave(&root_waker(&ctx), &self.dialogs);
            match closing {
                CloseEffect::Hides => {
                    self.page = None;
                    // Without this window the user could not show hidden bars again, so they are shown.
                    self.study.show_bars();
                }
                CloseEffect::Minimises => ctx.send_viewport_cmd(ViewportCommand::Minimized(true)),
                CloseEffect::Ends => {}
            }
        }
        let is_study_open = self.page == Some(MainPage::Study);
        if self.is_study_open.swap(is_study_open, Ordering::Relaxed) != is_study_open {
            lock(&self.viewer).act_on_study(AppAction::SetStudyOpen(is_study_open));
            lock(&self.preferences).change(|settings| settings.main_window.is_open = is_study_open);
        }
        self.update_zoom(&ctx);
        let Some(page) = self.page else {
            if !std::mem::replace(&mut self.is_hidden, true) {
                ctx.send_viewport_cmd(ViewportCommand::Visible(false));
            }
            return;
        };
        self.update_theme(&ctx);
        shogibar_ui::theme::apply(ui, &self.theme);
        self.poll_dialogs(&ctx);
        let background = Frame::NONE.fill(if page == MainPage::Study {
            self.theme.window
        } else {
            self.theme.panel.to_opaque()
        });
        let is_small = page == MainPage::Study && self.study.is_small();
        if self.mode.set_small(&ctx, is_small) {
            self.arrangement.begin_fit(&ctx);
        }
        // The study page has the tabs in its toolbar.
        if page != MainPage::Study
            && let Some(page) = self.show_toolbar(ui, page)
        {
            self.open_page(&ctx, page);
        }
        let lang = self.lang();
        self.set_title(&ctx, page, lang);
        if !is_small {
            self.show_programme(ui, lang);
        }
        CentralPanel::default().frame(background).show(ui, |ui| {
            let (wake, dialogs) = (root_waker(&ctx), &self.dialogs);
            if page == MainPage::Study {
                self.folder.inspect_dropped(&ctx, &wake);
            }
            let acted = match page {
                MainPage::Study => self.study.show(
                    ui,
                    &self.theme,
                    self.newer_version,
                    self.folder.is_in_use(),
                    lang,
                    &wake,
                    dialogs,
                ),
                MainPage::Folder => self.folder.show(ui, &self.theme, lang, &wake, dialogs),
                MainPage::Engines => self.engines.show(ui, &self.theme, lang, &wake, dialogs),
                MainPage::Settings => {
                    self.settings
                        .set_obs_pages(obs_pages::status(&mut lock(&self.viewer), lang), lang);
                    self.settings.show(ui, &self.theme, lang, &wake, dialogs)
                }
            };
            if acted {
                wake();
                // Nothing else repaints the bars while no evaluation arrives.
                for (bar, _) in lock(&self.viewer).model().window_bars() {
                    ViewportWaker::new(ctx.clone(), overlay_id(bar)).wake();
                }
            }
        });
        if let Some(search) = self.study.take_requested_search() {
            self.engines.set_search(search);
            self.share_engines();
        }
        if let Some(page) = self
            .study
            .take_requested_page()
            .or_else(|| self.folder.take_requested_page())
        {
            self.open_page(&ctx, page);
        }
        if let Some(target) = self.study.take_requested_setting() {
            self.open_page(&ctx, MainPage::Settings);
            self.settings.show_target(target);
        }
    }

    /// Draws the outputs at the lower edge while viewers may be watching one.
    fn show_programme(&self, ui: &mut Ui, lang: Lang) {
        let viewer = lock(&self.viewer);
        let model = viewer.model();
        if !model.outputs().any(|output| model.is_on_air(output)) {
            return;
        }
        let frame = Frame::NONE
            .fill(self.theme.card)
            .inner_margin(Margin::symmetric(10, 4));
        let panel = Panel::bottom("programme").frame(frame);
        let actions = panel
            .show(ui, |ui| programme::show_strip(ui, model, &self.theme, lang))
            .inner;
        drop(viewer);
        for action in actions {
            programme_actions::act(&self.viewer, &self.preferences, action);
        }
    }

    /// Applies the result of the check for updates. Starts the check once, if the user has enabled it.
    fn check_for_updates(&mut self, ctx: &Context) {
        if let Some(news) = self.updates.take_news() {
            self.newer_version = if let UpdateNews::Newer(version) = news {
                Some(version)
            } else {
                None
            };
            self.settings.set_news(news);
        }
        let preferences = lock(&self.preferences);
        if !self.has_checked_updates && preferences.settings().general.checks_updates {
            self.has_checked_updates = true;
            if let Some(store) = preferences.store() {
                let wake = root_waker(ctx);
                self.updates
                    .start_check(store, updates::NEWEST_RELEASE_API_URL, move || wake());
            }
        }
    }

    /// Returns whether the window shows a page, which other windows may cover, and not the small board.
    pub(super) const fn shows_page(&self) -> bool {
        self.page.is_some() && !self.mode.is_small
    }

    /// Returns whether the bars' windows are hidden, as the user wants. They are shown while no page is open.
    pub(super) const fn hides_bars(&self) -> bool {
        (self.page.is_some() || self.opens_at_start) && self.study.hides_bars()
    }

    /// Follows the zoom of the settings. Handles the zoom keys on all pages but the study page, which handles them
    /// itself.
    fn update_zoom(&self, ctx: &Context) {
        if self.page.is_some_and(|page| page != MainPage::Study) && !self.is_choosing_keys() {
            let step = ctx.input_mut(|input| {
                let mut pressed = |key| input.consume_key(Modifiers::COMMAND, key);
                if pressed(Key::Plus) || pressed(Key::Equals) {
                    Some(ZoomStep::In)
                } else if pressed(Key::Minus) {
                    Some(ZoomStep::Out)
                } else {
                    pressed(Key::Num0).then_some(ZoomStep::Reset)
                }
            });
            if let Some(step) = step {
                step.apply(&self.preferences);
            }
        }
        let zoom = lock(&self.preferences).settings().main_window.zoom;
        if self.zoom.set(zoom) {
            ctx.request_repaint_of(ViewportId::ROOT);
        }
    }

    pub(super) fn is_choosing_keys(&self) -> bool {
        match self.page {
            Some(MainPage::Study) => self.study.is_choosing_keys(),
            Some(MainPage::Settings) => self.settings.is_choosing_keys(),
            Some(MainPage::Folder | MainPage::Engines) | None => false,
        }
    }

    /// Draws the toolbar with the tabs and the notice of a newer version. Returns the page that was chosen, if any.
    fn show_toolbar(&self, ui: &mut Ui, page: MainPage) -> Option<MainPage> {
        let lang = self.lang();
        let show = |ui: &mut Ui| {
            let chosen = page_tabs::show(ui, &self.theme, page, self.folder.is_in_use(), lang);
            if let Some(version) = self.newer_version {
                let text = RichText::new(shogibar_config::settings_text::newer(&version.to_string(), lang))
                    .color(self.theme.accent);
                let link = ui
                    .with_layout(Layout::right_to_left(Align::Center), |ui| ui.link(text))
                    .inner;
                if link.clicked() {
                    browser::open_from_main_window(
                        &self.viewer,
                        browser::NEWEST_RELEASE_URL,
                        &root_waker(ui.ctx()),
                    );
                }
            }
            chosen
        };
        let toolbar = Panel::top("pages")
            .frame(page_tabs::toolbar_frame(&self.theme))
            .show_separator_line(false);
        let shown = toolbar.show(ui, |ui| ui.horizontal(show).inner);
        page_tabs::draw_line_below(ui, &self.theme, shown.response.rect);
        shown.inner
    }

    /// Applies the result of the dialog that was closed last, if there is one.
    fn poll_dialogs(&mut self, ctx: &Context) {
        let Some((purpose, choice)) = self.dialogs.take_result() else {
            return;
        };
        match purpose {
            DialogPurpose::Engines(purpose) => self.engines.apply_choice(&purpose, choice),
            DialogPurpose::Folder { is_output } => self.folder.apply_choice(is_output, choice),
            DialogPurpose::ImportTheme => {
                self.settings
                    .apply_choice(choice, ThemeTask::Import, &root_waker(ctx));
            }
            DialogPurpose::ExportTheme(name) => {
                self.settings
                    .apply_choice(choice, |path| ThemeTask::Export(name, path), &root_waker(ctx));
            }
            DialogPurpose::OpenRecord
            | DialogPurpose::SaveRecord(..)
            | DialogPurpose::SaveReport(_)
            | DialogPurpose::SaveStudyPicture(_)
            | DialogPurpose::SaveVideo(..)
            | DialogPurpose::Mistakes
            | DialogPurpose::Shelf => {
                self.study.apply_choice(&purpose, choice, &root_waker(ctx));
            }
            DialogPurpose::SavePicture => {} // Handled by the bar's window.
        }
    }
}

/// The mode of the window: a whole page, or the small board above other windows.
#[derive(Debug, Default)]
struct WindowMode {
    is_small: bool,
    /// The last size of the window in the other mode; `None` if unknown.
    other_size: Option<Vec2>,
    /// Whether the page was maximised.
    was_maximized: bool,
}

impl WindowMode {
    /// Switches the mode, and restores the last size of the new mode. Returns whether the mode has changed.
    fn set_small(&mut self, ctx: &Context, is_small: bool) -> bool {
        if std::mem::replace(&mut self.is_small, is_small) == is_small {
            return false;
        }
        let (now, is_maximized) = ctx.input(|input| {
            let window = input.viewport();
            (
                window.inner_rect.map(|rect| rect.size()),
                window.maximized == Some(true),
            )
        });
        let (min_size, default, level) = if is_small {
            (MIN_SMALL_BOARD_SIZE, SMALL_BOARD_SIZE, WindowLevel::AlwaysOnTop)
        } else {
            (MIN_SIZE, SIZE, WindowLevel::Normal)
        };
        let now = if is_maximized { None } else { now };
        let size = std::mem::replace(&mut self.other_size, now).unwrap_or(default);
        let was_maximized = std::mem::replace(&mut self.was_maximized, is_small && is_maximized);
        if is_maximized {
            ctx.send_viewport_cmd(ViewportCommand::Maximized(false));
        }
        ctx.send_viewport_cmd(ViewportCommand::MinInnerSize(min_size));
        ctx.send_viewport_cmd(ViewportCommand::InnerSize(size));
        ctx.send_viewport_cmd(ViewportCommand::WindowLevel(level));
        if was_maximized {
            ctx.send_viewport_cmd(ViewportCommand::Maximized(true));
        }
        true
    }
}

/// The change of the zoom by a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ZoomStep {
    In,
    Out,
    Reset,
}

impl ZoomStep {
    /// Changes the zoom by this step, within its range.
    fn apply(self, preferences: &SharedPreferences) {
        let (min, max) = WindowZoom::RANGE.into_inner();
        lock(preferences).change(|settings| {
            let zoom = &mut settings.main_window.zoom.0;
            *zoom = match self {
                Self::In => zoom.saturating_add(ZOOM_STEP_PERCENT).min(max),
                Self::Out => zoom.saturating_sub(ZOOM_STEP_PERCENT).max(min),
                Self::Reset => 100,
            };
        });
    }
}

/// Returns the number of pixels of a point of the system, which commands for the window use.
fn system_scale(ctx: &Context) -> f32 {
    let native = ctx
        .input(|input| input.viewport().native_pixels_per_point)
        .unwrap_or(1.0);
    native / window_zoom::main_window_zoom(ctx)
}

fn root_waker(ctx: &Context) -> WakeFn {
    let waker = ViewportWaker::new(ctx.clone(), ViewportId::ROOT);
    Arc::new(move || waker.wake())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::effects::profiles::ProfileFile;
    use crate::app::gui::test_viewer::test_viewer;
    use crate::app::preferences::Preferences;
    use egui_kittest::Harness;
    use egui_kittest::kittest::Queryable as _;
    use shogibar_config::Profiles;
    use shogibar_engine::session;
    use shogibar_ui::fonts;
    use shogibar_ui::study_text::StudyPhrase;
    use std::sync::Mutex;

    #[test]
    fn keeps_the_sizes_of_both_modes() {
        let (ctx, mut mode) = (Context::default(), WindowMode::default());
        let mut switch = |is_small, size: Vec2, is_maximized| {
            let mut input = egui::RawInput::default();
            let window = input.viewports.entry(ViewportId::ROOT).or_default();
            window.inner_rect = Some(egui::Rect::from_min_size(egui::Pos2::ZERO, size));
            window.maximized = Some(is_maximized);
            let mut output = ctx.run_ui(input, |ui| _ = mode.set_small(ui.ctx(), is_small));
            output.textures_delta.clear();
            let commands = output
                .viewport_output
                .into_values()
                .flat_map(|output| output.commands);
            let sizes = commands.filter_map(|command| match command {
                ViewportCommand::InnerSize(size) => Some((size, false)),
                ViewportCommand::Maximized(true) => Some((Vec2::ZERO, true)),
                _ => None,
            });
            sizes.collect::<Vec<_>>()
        };
        assert_eq!(switch(false, vec2(1000.0, 600.0), false), []);
        assert_eq!(
            switch(true, vec2(1000.0, 600.0), false),
            [(SMALL_BOARD_SIZE, false)]
        );
        assert_eq!(
            switch(false, vec2(300.0, 400.0), false),
            [(vec2(1000.0, 600.0), false)]
        );
        assert_eq!(
            switch(true, vec2(1920.0, 1000.0), true),
            [(vec2(300.0, 400.0), false)]
        );
        assert_eq!(
            switch(false, vec2(310.0, 400.0), false),
            [(SIZE, false), (Vec2::ZERO, true)]
        );
    }

    /// Returns a window with a page, after it was changed.
    fn window(
        viewer: &SharedViewer,
        page: MainPage,
        change: impl FnOnce(&mut MainWindow),
    ) -> Harness<'static, MainWindow> {
        let preferences = Arc::new(Mutex::new(Preferences::open(None, Lang::Ja)));
        let file = Arc::new(ProfileFile::new(None, Profiles::default()));
        let manager = EngineManager::new(file, session::SessionConfig::default());
        let mut main = MainWindow::new(Arc::clone(viewer), preferences, HotKeyEvents::default(), manager);
        main.page = Some(page);
        change(&mut main);
        Harness::builder()
            .with_size([960.0, 680.0])
            .with_context_setup(|ctx| ctx.set_fonts(fonts::definitions()))
            .build_ui_state(
                |ui: &mut Ui, main: &mut MainWindow| main.show(ui, CloseEffect::Hides),
                main,
            )
    }

    #[test]
    fn the_first_request_of_the_bar_shows_the_field_for_a_path() {
        let window = window(&test_viewer(), MainPage::Study, MainWindow::ask_for_record);
        assert!(window.query_by_label(StudyPhrase::Path.text(Lang::Ja)).is_some());
    }

    #[test]
    fn sets_the_title_in_the_chosen_language() {
        let viewer = test_viewer();
        let mut window = window(&viewer, MainPage::Settings, |_| {});
        let title = |window: &Harness<'_, MainWindow>| {
            let commands = window
                .output()
                .viewport_output
                .values()
                .flat_map(|output| &output.commands);
            let titles = commands.filter_map(|command| match command {
                ViewportCommand::Title(title) => Some(title.clone()),
                _ => None,
            });
            titles.collect::<Vec<_>>().pop()
        };
        for (lang, expect) in [(Lang::En, "Settings - Shogibar"), (Lang::Ja, "設定 - Shogibar")] {
            let event = lock(&viewer)
                .model()
                .changed_settings(|settings| settings.lang = lang);
            lock(&viewer).handle(event);
            window.step();
            assert_eq!(title(&window).as_deref(), Some(expect));
            window.step();
            assert_eq!(title(&window), None, "it is sent once");
        }
    }
}
