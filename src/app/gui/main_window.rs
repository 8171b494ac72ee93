//! The main window: pages behind a row of tabs. It is hidden until a page is asked for.

mod engines;
mod settings;
mod study;

use super::dialogs::{Dialogs, Errand};
use super::hot_keys::Pressed;
use super::screens::Spot;
use super::{SharedHost, TITLE, browser, overlay_id};
use crate::app::preferences::{Preferences, SharedPreferences};
use crate::app::state::Action;
use crate::app::updates::{self, News, Updates, Version};
use crate::app::workshop::{Wake, Workshop};
use crate::text::study::Phrase;
use crate::text::{Lang, Word, preference};
use crate::threads::lock;
use crate::ui::overlay::Painter;
use crate::ui::{Theme, Waker};
use eframe::egui;
use egui::{
    Align, CentralPanel, Context, Frame, Layout, Margin, Panel, RichText, Ui, Vec2, ViewportBuilder, ViewportCommand,
    ViewportId, WindowLevel, vec2,
};
use engines::EnginesDesk;
use settings::SettingsDesk;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use study::StudyDesk;

/// The size of the window, and the least that it can have, in points.
pub(super) const SIZE: Vec2 = vec2(1320.0, 880.0);
pub(super) const LEAST: Vec2 = vec2(880.0, 400.0);
/// The same where there is a small board alone.
const SMALL: Vec2 = vec2(380.0, 530.0);
const SMALL_LEAST: Vec2 = vec2(220.0, 320.0);

/// A page of the main window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Page {
    /// The game, to be studied.
    Study,
    /// The engines and how they are set up.
    Engines,
    /// All else that is set.
    Settings,
}

impl Page {
    const ALL: [Self; 3] = [Self::Study, Self::Engines, Self::Settings];

    const fn text(self, lang: Lang) -> &'static str {
        match self {
            Self::Study => Phrase::Study.text(lang),
            Self::Engines => Word::Engines.text(lang),
            Self::Settings => Word::Settings.text(lang),
        }
    }
}

/// What becomes of the window when the user closes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Closing {
    /// It is hidden until it is asked for again.
    Hides,
    /// It stays among those that the user can bring up: only it can bring clicks on the bar back.
    Minimises,
    /// It goes with the program.
    Ends,
}

/// The window as it begins: shown for the one frame before which it cannot be hidden, so it has no frame
/// and shows nothing. It has to be transparent, too, because the bar's window gets its pixels from it.
pub(super) fn builder() -> ViewportBuilder {
    ViewportBuilder::default()
        .with_title(TITLE.to_owned() + " …")
        .with_app_id("shogibar")
        .with_inner_size(SIZE)
        .with_min_inner_size(LEAST)
        .with_decorations(false)
        .with_has_shadow(false)
        .with_transparent(true)
        .with_active(false)
}

/// What the main window keeps from frame to frame.
pub(super) struct MainWindow {
    host: SharedHost,
    theme: Theme,
    /// The page on view; `None` while the window is hidden.
    page: Option<Page>,
    /// What the title says, in which language, and of which record.
    titled: Option<(Page, Lang, Option<String>)>,
    hidden: bool,
    /// Whether it was put somewhere.
    placed: bool,
    shape: Shape,
    /// Whether the game is on view, so that what engines say has to be drawn.
    studies: Arc<AtomicBool>,
    study: StudyDesk,
    engines: EnginesDesk,
    settings: SettingsDesk,
    dialogs: Dialogs,
    preferences: SharedPreferences,
    updates: Updates,
    /// Whether newer versions were asked for since the start.
    has_looked: bool,
    newer: Option<Version>,
}

impl MainWindow {
    pub(super) fn new(host: SharedHost, settings: (SharedPreferences, Pressed), workshop: Workshop) -> Self {
        Self {
            study: StudyDesk::new(Arc::clone(&host), Arc::clone(&settings.0)),
            engines: EnginesDesk::new(Arc::clone(&host), workshop),
            preferences: Arc::clone(&settings.0),
            settings: SettingsDesk::new(settings),
            host,
            theme: Theme::paper(),
            page: None,
            titled: None,
            hidden: false,
            placed: false,
            shape: Shape::default(),
            studies: Arc::default(),
            dialogs: Dialogs::default(),
            updates: Updates::default(),
            has_looked: false,
            newer: None,
        }
    }

    /// Says here whether what engines say is on view.
    pub(super) fn tell(&mut self, studies: Arc<AtomicBool>) {
        self.studies = studies;
    }

    /// What paints its frames.
    pub(super) const fn set_painter(&mut self, painter: Painter) {
        self.study.set_painter(painter);
    }

    /// Shows the window with a page on view; for the first time `beside` the bar, where there is room. Later it is
    /// where the user has it.
    pub(super) fn open(&mut self, ctx: &Context, page: Page, beside: Option<Spot>) {
        if self.page.is_none() {
            ctx.send_viewport_cmd(ViewportCommand::Decorations(true));
            ctx.send_viewport_cmd(ViewportCommand::Visible(true));
            if let Some(spot) = beside.filter(|_| !std::mem::replace(&mut self.placed, true)) {
                ctx.send_viewport_cmd(ViewportCommand::InnerSize(spot.size));
                ctx.send_viewport_cmd(ViewportCommand::OuterPosition((spot.at.to_vec2() / spot.scale).to_pos2()));
            }
        } else {
            ctx.send_viewport_cmd(ViewportCommand::Minimized(false));
        }
        self.hidden = false;
        ctx.send_viewport_cmd(ViewportCommand::Focus);
        self.turn_to(ctx, page);
    }

    /// Asks which record is to be opened, on the page of the game.
    pub(super) fn ask_for_record(&mut self) {
        self.study.ask_for_record();
    }

    /// Asks for the players' names and the handicap, on the page of the game.
    pub(super) const fn ask_for_players(&mut self) {
        self.study.ask_for_players();
    }

    fn turn_to(&mut self, ctx: &Context, page: Page) {
        self.engines.leave(&wake(ctx), &self.dialogs);
        self.page = Some(page);
        match page {
            Page::Study => self.study.open(self.engines.names(), self.engines.scales()),
            Page::Engines => self.engines.open(&wake(ctx)),
            Page::Settings => self.settings.open(&wake(ctx)),
        }
    }

    /// Has the title say which page is on view.
    fn entitle(&mut self, ctx: &Context, page: Page, lang: Lang) {
        let record = lock(&self.host).papers().name().filter(|_| page == Page::Study);
        let says = Some((page, lang, record));
        if self.titled == says {
            return;
        }
        let record = says.as_ref().and_then(|(_, _, record)| record.as_deref());
        let record = record.map(|record| format!("{record} - ")).unwrap_or_default();
        ctx.send_viewport_cmd(ViewportCommand::Title(format!("{record}{} - {TITLE}", page.text(lang))));
        self.titled = says;
    }

    fn lang(&self) -> Lang {
        lock(&self.host).lang()
    }

    /// Whether it is open, though it may be minimised.
    pub(super) const fn is_open(&self) -> bool {
        self.page.is_some()
    }

    /// One frame.
    pub(super) fn show(&mut self, ui: &mut Ui, closing: Closing) {
        let ctx = ui.ctx().clone();
        self.look_for_updates(&ctx);
        if self.page.is_some() && ctx.input(|input| input.viewport().close_requested()) {
            self.engines.leave(&wake(&ctx), &self.dialogs);
            match closing {
                Closing::Hides => self.page = None,
                Closing::Minimises => ctx.send_viewport_cmd(ViewportCommand::Minimized(true)),
                Closing::Ends => {}
            }
        }
        let studies = self.page == Some(Page::Study);
        if self.studies.swap(studies, Ordering::Relaxed) != studies {
            lock(&self.host).act(&Action::Study(studies));
        }
        let Some(page) = self.page else {
            if !std::mem::replace(&mut self.hidden, true) {
                ctx.send_viewport_cmd(ViewportCommand::Visible(false));
            }
            return;
        };
        let visuals = self.theme.visuals();
        ctx.set_visuals(visuals.clone());
        *ui.visuals_mut() = visuals;
        self.hear_dialogs(&ctx);
        let ground =
            Frame::NONE.fill(if page == Page::Study { self.theme.window } else { self.theme.panel.to_opaque() });
        let is_small = page == Page::Study && self.study.is_small();
        self.shape.turn(&ctx, is_small);
        if !is_small && let Some(page) = self.tabs(ui, page) {
            self.turn_to(&ctx, page);
        }
        let lang = self.lang();
        self.entitle(&ctx, page, lang);
        CentralPanel::default().frame(ground).show(ui, |ui| {
            let (wake, dialogs) = (wake(&ctx), &self.dialogs);
            let acted = match page {
                Page::Study => self.study.show(ui, &self.theme, lang, &wake, dialogs),
                Page::Engines => self.engines.show(ui, &self.theme, lang, &wake, dialogs),
                Page::Settings => self.settings.show(ui, &self.theme, lang, &wake, dialogs),
            };
            if acted {
                wake();
                // At rest nothing else has it drawn.
                Waker::new(ctx.clone(), overlay_id()).wake();
            }
        });
        if let Some(page) = self.study.wanted() {
            self.turn_to(&ctx, page);
        }
    }

    /// Asks for newer versions, where the user wants that.
    fn look_for_updates(&mut self, ctx: &Context) {
        if let Some(news) = self.updates.news() {
            self.newer = if let News::Newer(version) = news { Some(version) } else { None };
            self.settings.tell(news);
        }
        let preferences = lock(&self.preferences);
        if !self.has_looked && preferences.settings().general.updates {
            self.has_looked = true;
            if let Some(store) = preferences.store() {
                let wake = wake(ctx);
                self.updates.look(store, updates::RELEASES, move || wake());
            }
        }
    }

    /// Whether keys are being pressed to be chosen.
    pub(super) fn is_choosing_keys(&self) -> bool {
        match self.page {
            Some(Page::Study) => self.study.is_choosing_keys(),
            Some(Page::Settings) => self.settings.is_choosing_keys(),
            Some(Page::Engines) | None => false,
        }
    }

    /// The tabs; the page that was asked for by one.
    fn tabs(&self, ui: &mut Ui, page: Page) -> Option<Page> {
        let margin = Margin { left: 16, right: 16, top: 8, bottom: 6 };
        let bar = Panel::top("pages").frame(Frame::NONE.fill(self.theme.rail).inner_margin(margin));
        let lang = self.lang();
        let show = |ui: &mut Ui| {
            let mut tab = |one: Page| {
                let text = RichText::new(one.text(lang)).size(14.0);
                ui.selectable_label(one == page, text).clicked().then_some(one)
            };
            let chosen = Page::ALL.map(&mut tab);
            if let Some(version) = self.newer {
                let text = RichText::new(preference::newer(&version.to_string(), lang)).color(self.theme.accent);
                let link = ui.with_layout(Layout::right_to_left(Align::Center), |ui| ui.link(text)).inner;
                if link.clicked() {
                    browser::open_for(&self.host, browser::RELEASES, &wake(ui.ctx()));
                }
            }
            chosen
        };
        let chosen = bar.show(ui, |ui| ui.horizontal(show).inner).inner;
        chosen.into_iter().flatten().find(|chosen| *chosen != page)
    }

    fn hear_dialogs(&mut self, ctx: &Context) {
        let Some((errand, choice)) = self.dialogs.closed() else { return };
        match errand {
            Errand::Engines(purpose) => self.engines.hear(&purpose, choice),
            Errand::ImportTheme => self.settings.hear(choice, Preferences::import_theme),
            Errand::ExportTheme(name) => self.settings.hear(choice, |kept, path| kept.export_theme(&name, path)),
            Errand::OpenRecord | Errand::SaveRecord(_) | Errand::SaveReport(_) => {
                self.study.hear(&errand, choice, &wake(ctx));
            }
            Errand::SavePicture => {} // The bar's own.
        }
    }
}

/// What the window is: all of a page, or a small board alone, above other windows.
#[derive(Debug, Default)]
struct Shape {
    is_small: bool,
    /// How large the other of the two was, as the user had it.
    other: Option<Vec2>,
    /// Whether the page filled the screen.
    was_maximized: bool,
}

impl Shape {
    /// Makes the one or the other of the window, as large as the user had it.
    fn turn(&mut self, ctx: &Context, is_small: bool) {
        if std::mem::replace(&mut self.is_small, is_small) == is_small {
            return;
        }
        let (now, is_maximized) = ctx.input(|input| {
            let window = input.viewport();
            (window.inner_rect.map(|rect| rect.size()), window.maximized == Some(true))
        });
        let (least, usual, level) =
            if is_small { (SMALL_LEAST, SMALL, WindowLevel::AlwaysOnTop) } else { (LEAST, SIZE, WindowLevel::Normal) };
        let size = std::mem::replace(&mut self.other, now.filter(|_| !is_maximized)).unwrap_or(usual);
        let was_maximized = std::mem::replace(&mut self.was_maximized, is_small && is_maximized);
        if is_maximized {
            ctx.send_viewport_cmd(ViewportCommand::Maximized(false));
        }
        ctx.send_viewport_cmd(ViewportCommand::MinInnerSize(least));
        ctx.send_viewport_cmd(ViewportCommand::InnerSize(size));
        ctx.send_viewport_cmd(ViewportCommand::WindowLevel(level));
        if was_maximized {
            ctx.send_viewport_cmd(ViewportCommand::Maximized(true));
        }
    }
}

/// What wakes the main window from another thread.
fn wake(ctx: &Context) -> Wake {
    let waker = Waker::new(ctx.clone(), ViewportId::ROOT);
    Arc::new(move || waker.wake())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::gui::scribe::Scribe;
    use crate::session;
    use crate::study::Document;
    use crate::ui::fonts;
    use egui_kittest::Harness;
    use std::sync::Mutex;

    #[test]
    fn a_small_board_and_the_page_are_as_large_as_the_user_had_them() {
        let (ctx, mut shape) = (Context::default(), Shape::default());
        let mut turn = |is_small, size: Vec2, is_maximized| {
            let mut input = egui::RawInput::default();
            let window = input.viewports.entry(ViewportId::ROOT).or_default();
            window.inner_rect = Some(egui::Rect::from_min_size(egui::Pos2::ZERO, size));
            window.maximized = Some(is_maximized);
            let mut output = ctx.run_ui(input, |ui| shape.turn(ui.ctx(), is_small));
            output.textures_delta.clear();
            let commands = output.viewport_output.into_values().flat_map(|output| output.commands);
            let sizes = commands.filter_map(|command| match command {
                ViewportCommand::InnerSize(size) => Some((size, false)),
                ViewportCommand::Maximized(true) => Some((Vec2::ZERO, true)),
                _ => None,
            });
            sizes.collect::<Vec<_>>()
        };
        assert_eq!(turn(false, vec2(1000.0, 600.0), false), []);
        assert_eq!(turn(true, vec2(1000.0, 600.0), false), [(SMALL, false)]);
        assert_eq!(turn(false, vec2(300.0, 400.0), false), [(vec2(1000.0, 600.0), false)]);
        assert_eq!(turn(true, vec2(1920.0, 1000.0), true), [(vec2(300.0, 400.0), false)]);
        assert_eq!(turn(false, vec2(310.0, 400.0), false), [(SIZE, false), (Vec2::ZERO, true)]);
    }

    #[test]
    fn the_title_speaks_the_language_that_is_set() {
        let host: SharedHost = Arc::new(Mutex::new(Scribe::new(Document::default())));
        let preferences = Arc::new(Mutex::new(Preferences::open(None, Lang::Ja)));
        let workshop = Workshop::new(None, session::Settings::default());
        let mut main = MainWindow::new(Arc::clone(&host), (preferences, Pressed::default()), workshop);
        main.page = Some(Page::Settings);
        let mut window = Harness::builder()
            .with_size([960.0, 680.0])
            .with_context_setup(|ctx| ctx.set_fonts(fonts::definitions()))
            .build_ui_state(|ui: &mut Ui, main: &mut MainWindow| main.show(ui, Closing::Hides), main);
        let title = |window: &Harness<'_, MainWindow>| {
            let commands = window.output().viewport_output.values().flat_map(|output| &output.commands);
            let titles = commands.filter_map(|command| match command {
                ViewportCommand::Title(title) => Some(title.clone()),
                _ => None,
            });
            titles.collect::<Vec<_>>().pop()
        };
        for (lang, expect) in [(Lang::En, "Settings - Shogibar"), (Lang::Ja, "設定 - Shogibar")] {
            lock(&host).act(&Action::Speak(lang));
            window.step();
            assert_eq!(title(&window).as_deref(), Some(expect));
            window.step();
            assert_eq!(title(&window), None, "it is said once");
        }
    }
}
