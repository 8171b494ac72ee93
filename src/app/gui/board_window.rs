//! The board page in a window: the board of the game on the pages, with what the user studies and draws on it.

use super::SharedViewer;
use super::main_window::OpenAt;
use super::page_style::page_style;
use crate::app::preferences::SharedPreferences;
use eframe::egui;
use egui::{CentralPanel, Frame, Ui, Vec2, ViewportBuilder, ViewportId, vec2};
use shogibar_base::threads::lock;
use shogibar_model::AppEvent;
use shogibar_model::pages::options::PageGround;
use shogibar_programme::BoardPageWord;
use shogibar_ui::overlay::{BoardPage, BoardPageForm};
use shogibar_ui::{FramePacer, theme};

/// The initial size of the window, in points.
pub(super) const SIZE: Vec2 = vec2(960.0, 540.0);
/// The minimum size of the window, in points.
pub(super) const MIN_SIZE: Vec2 = vec2(236.0, 300.0);

const FORM: BoardPageForm = BoardPageForm {
    ground: PageGround::Plain,
    has_graph: false,
};

pub(super) fn id() -> ViewportId {
    ViewportId::from_hash_of("board-page")
}

#[derive(Debug)]
pub(super) struct BoardWindow {
    viewer: SharedViewer,
    preferences: SharedPreferences,
    page: BoardPage,
    open_at: OpenAt,
    is_closed: bool,
    /// The size of the screen without the window's frame, in points.
    max_size: Vec2,
}

impl BoardWindow {
    /// Creates the window, which opens at a position. `max_size` is the size of the screen without the window's frame,
    /// in points.
    pub(super) fn new(
        viewer: SharedViewer,
        preferences: SharedPreferences,
        painter: FramePacer,
        at: OpenAt,
        max_size: Vec2,
    ) -> Self {
        lock(&viewer).handle(AppEvent::BoardWindow(true));
        Self {
            viewer,
            preferences,
            page: BoardPage::new(painter),
            open_at: at,
            is_closed: false,
            max_size,
        }
    }

    pub(super) fn builder(&self) -> ViewportBuilder {
        let title = BoardPageWord::Title.text(lock(&self.viewer).lang());
        self.open_at
            .builder(title, SIZE.min(self.max_size), MIN_SIZE.min(self.max_size))
    }

    pub(super) const fn is_closed(&self) -> bool {
        self.is_closed
    }

    /// Draws one frame. Returns whether the other windows have to be drawn.
    pub(super) fn show(&mut self, ui: &mut Ui) -> bool {
        if ui.ctx().input(|input| input.viewport().close_requested()) {
            self.is_closed = true;
            lock(&self.viewer).handle(AppEvent::BoardWindow(false));
            return true;
        }
        let has_changed = lock(&self.viewer).update();
        let content = lock(&self.viewer).model().board_page();
        let style = page_style(&self.preferences);
        theme::apply(ui, &style.theme);
        CentralPanel::default()
            .frame(Frame::NONE)
            .show(ui, |ui| self.page.show(ui, &content, &style, FORM));
        has_changed
    }
}
