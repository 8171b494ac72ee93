//! The main window: pages, of which one is on view. It is hidden until a page is asked for.

use super::dialogs::{Choice, Dialogs};
use super::{SharedHost, TITLE, lock};
use crate::app::state::Action;
use crate::app::workshop::{Wake, Workshop};
use crate::text::{Word, engines};
use crate::ui::engines::{EnginesAction, EnginesPage, EnginesView, Purpose};
use crate::ui::{Theme, Waker};
use eframe::egui;
use egui::{CentralPanel, Context, Frame, Ui, ViewportBuilder, ViewportCommand, ViewportId};
use std::sync::Arc;

/// A page of the main window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Page {
    /// The engines and how they are set up.
    Engines,
}

impl Page {
    const fn word(self) -> Word {
        match self {
            Self::Engines => Word::Engines,
        }
    }
}

/// The window as it begins: shown for the one frame before which it cannot be hidden, so it has no frame
/// and shows nothing. It has to be transparent, too, because the bar's window gets its pixels from it.
pub(super) fn builder() -> ViewportBuilder {
    ViewportBuilder::default()
        .with_title(TITLE.to_owned() + " …")
        .with_app_id("shogibar")
        .with_inner_size([960.0, 680.0])
        .with_min_inner_size([680.0, 400.0])
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
    hidden: bool,
    workshop: Workshop,
    engines: EnginesPage,
    dialogs: Dialogs,
}

impl MainWindow {
    pub(super) fn new(host: SharedHost, workshop: Workshop) -> Self {
        Self {
            host,
            theme: Theme::paper(),
            page: None,
            hidden: false,
            workshop,
            engines: EnginesPage::default(),
            dialogs: Dialogs::default(),
        }
    }

    /// Shows the window with a page on view.
    pub(super) fn open(&mut self, ctx: &Context, page: Page) {
        if self.page.is_none() {
            ctx.send_viewport_cmd(ViewportCommand::Decorations(true));
            ctx.send_viewport_cmd(ViewportCommand::Visible(true));
        }
        self.page = Some(page);
        self.hidden = false;
        let host = lock(&self.host);
        let title = format!("{} - {TITLE}", page.word().text(host.lang()));
        ctx.send_viewport_cmd(ViewportCommand::Title(title));
        ctx.send_viewport_cmd(ViewportCommand::Focus);
        match page {
            Page::Engines => {
                self.workshop.reload();
                self.workshop.look_around(&wake(ctx));
                let in_use = host.engines();
                self.engines.select(in_use.first().copied().unwrap_or_default(), self.workshop.profiles());
            }
        }
    }

    /// One frame.
    pub(super) fn show(&mut self, ui: &mut Ui) {
        let ctx = ui.ctx().clone();
        if self.page.is_some() && ctx.input(|input| input.viewport().close_requested()) && !lock(&self.host).is_over() {
            // The bar goes on.
            ctx.send_viewport_cmd(ViewportCommand::CancelClose);
            self.page = None;
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
        CentralPanel::default().frame(Frame::NONE.fill(self.theme.panel.to_opaque())).show(ui, |ui| match page {
            Page::Engines => self.engines(ui),
        });
    }

    fn engines(&mut self, ui: &mut Ui) {
        let ctx = ui.ctx().clone();
        self.workshop.listen();
        self.hear_dialogs();
        let (lang, in_use) = {
            let host = lock(&self.host);
            (host.lang(), host.engines().into_iter().map(str::to_owned).collect::<Vec<_>>())
        };
        let (found, searching) = self.workshop.found();
        let view = EnginesView {
            profiles: self.workshop.profiles(),
            found: &found,
            searching,
            inquiry: self.workshop.inquiry(),
            in_use: &in_use,
            usual: &self.workshop.usual(),
            presets: self.workshop.presets(),
            trouble: self.workshop.trouble(),
            hint: self.workshop.hint(),
        };
        let actions = self.engines.show(ui, &view, &self.theme, lang);
        let dropped = ctx.input(|input| input.raw.dropped_files.clone());
        let dropped = dropped.iter().map(|file| EnginesAction::Add(vec![file.path().display().to_string()]));
        let mut any = false;
        for action in actions.into_iter().chain(dropped) {
            self.obey(&ctx, action);
            any = true;
        }
        if any {
            Waker::new(ctx, ViewportId::ROOT).wake();
        }
    }

    fn hear_dialogs(&mut self) {
        let Some((purpose, choice)) = self.dialogs.closed() else { return };
        match choice {
            Choice::Chosen(path) if purpose == Purpose::Engine => self.add(vec![path.display().to_string()]),
            Choice::Chosen(path) => self.engines.chosen(&purpose, &path),
            Choice::Nothing => {}
            Choice::NoDialog => self.workshop.complain(engines::no_dialog(lock(&self.host).lang()).to_owned()),
        }
    }

    fn add(&mut self, words: Vec<String>) {
        if let Some(name) = self.workshop.add(words) {
            self.engines.select(&name, self.workshop.profiles());
        }
    }

    fn obey(&mut self, ctx: &Context, action: EnginesAction) {
        match action {
            EnginesAction::Ask(profile) => self.workshop.ask(&profile, &wake(ctx)),
            EnginesAction::Add(words) => self.add(words),
            EnginesAction::Choose(purpose) => {
                let wake = wake(ctx);
                self.dialogs.open(purpose, move || wake());
            }
            EnginesAction::Duplicate(name) => {
                if let Some(copy) = self.workshop.duplicate(&name) {
                    self.engines.select(&copy, self.workshop.profiles());
                }
            }
            EnginesAction::Rename(old, new) => {
                if self.workshop.rename(&old, &new) {
                    self.engines.select(new.trim(), self.workshop.profiles());
                }
            }
            EnginesAction::Remove(name) => self.workshop.remove(&name),
            EnginesAction::MakeDefault(name) => self.workshop.make_default(&name),
            EnginesAction::Beside(name) => lock(&self.host).act(&Action::Beside(name)),
            EnginesAction::Use(name) => lock(&self.host).act(&Action::Engine(name)),
            EnginesAction::Press(option) => {
                let engine = self.engines.name().to_owned();
                lock(&self.host).act(&Action::Press(engine, option));
            }
            EnginesAction::Store(profile) => self.workshop.keep(&profile),
        }
    }
}

/// What wakes the main window from another thread.
fn wake(ctx: &Context) -> Wake {
    let waker = Waker::new(ctx.clone(), ViewportId::ROOT);
    Arc::new(move || waker.wake())
}
