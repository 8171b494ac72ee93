//! The desk in a window: the boards of all games.

use super::SharedViewer;
use super::main_window::OpenAt;
use super::page_style::page_style;
use crate::app::effects::pages::seconds_since_1970;
use crate::app::preferences::SharedPreferences;
use eframe::egui;
use egui::{CentralPanel, Context, Frame, Rect, Ui, Vec2, ViewportBuilder, ViewportId, WindowLevel, vec2};
use shogibar_base::threads::lock;
use shogibar_model::action::AppAction;
use shogibar_model::pages::{ObsPagesContent, ObsPagesRecorder, ObsPagesSnapshot};
use shogibar_model::pages_text::DeskWord;
use shogibar_ui::desk::{Desk, DeskAction, DeskGame, DeskView};
use shogibar_ui::{FramePacer, theme};
use std::time::Duration;

/// The initial size of the window, in points.
pub(super) const SIZE: Vec2 = vec2(1280.0, 800.0);
/// The minimum size of the window, in points.
pub(super) const MIN_SIZE: Vec2 = vec2(420.0, 280.0);

pub(super) fn id() -> ViewportId {
    ViewportId::from_hash_of("desk")
}

#[derive(Debug)]
pub(super) struct DeskWindow {
    viewer: SharedViewer,
    preferences: SharedPreferences,
    painter: FramePacer,
    desk: Desk,
    recorder: ObsPagesRecorder,
    content: ObsPagesContent,
    /// Whether the window had the focus at the last frame; `None` if unknown.
    had_focus: Option<bool>,
    /// The rectangle of the window at the last frame; `None` if unknown.
    outer_rect: Option<Rect>,
    is_closed: bool,
    open_at: OpenAt,
    /// The size of the screen without the window's frame, in points.
    max_size: Vec2,
}

impl DeskWindow {
    /// Creates the window, which opens at a position. `max_size` is the size of the screen without the window's frame,
    /// in points.
    pub(super) fn new(
        viewer: SharedViewer,
        preferences: SharedPreferences,
        painter: FramePacer,
        at: OpenAt,
        max_size: Vec2,
    ) -> Self {
        let (desk, recorder, content) = (
            Desk::default(),
            ObsPagesRecorder::default(),
            ObsPagesContent::default(),
        );
        Self {
            viewer,
            preferences,
            painter,
            desk,
            recorder,
            content,
            had_focus: None,
            outer_rect: None,
            is_closed: false,
            open_at: at,
            max_size,
        }
    }

    pub(super) fn builder(&self) -> ViewportBuilder {
        let title = DeskWord::Title.text(lock(&self.viewer).lang());
        let builder = self
            .open_at
            .builder(title, SIZE.min(self.max_size), MIN_SIZE.min(self.max_size));
        if self.is_behind() {
            builder
                .with_active(false)
                .with_window_level(WindowLevel::AlwaysOnBottom)
        } else {
            builder
        }
    }

    /// Returns whether the window was opened behind the others, and the user has not activated it yet.
    pub(super) fn is_behind(&self) -> bool {
        self.open_at == OpenAt::Behind
    }

    pub(super) const fn is_closed(&self) -> bool {
        self.is_closed
    }

    /// Draws one frame. Returns whether the other windows have to be drawn. Reasons are bars that were added or closed,
    /// the focus or the position of this window, and actions of the user.
    pub(super) fn show(&mut self, ui: &mut Ui) -> bool {
        let ctx = ui.ctx().clone();
        if ctx.input(|input| input.viewport().close_requested()) {
            self.is_closed = true;
            return true;
        }
        if self.open_at == OpenAt::Behind && ctx.input(|input| input.viewport().focused == Some(true)) {
            // The user has activated the window.
            self.open_at = OpenAt::Here;
        }
        let (has_focus, outer_rect) =
            ctx.input(|input| (input.viewport().focused, input.viewport().outer_rect));
        // The other windows have to be updated, as the bars are not on top of this window while it is in use.
        let has_moved = (self.had_focus, self.outer_rect) != (has_focus, outer_rect);
        (self.had_focus, self.outer_rect) = (has_focus, outer_rect);
        let has_changed = lock(&self.viewer).update() | has_moved;
        let now = seconds_since_1970();
        let snapshot = ObsPagesSnapshot::new(lock(&self.viewer).model());
        self.content = self.recorder.content(&snapshot, now);
        let style = page_style(&self.preferences);
        let lang = style.lang;
        theme::apply(ui, &style.theme);
        let games: Vec<_> = self
            .content
            .games(lang)
            .map(|(number, view, history, is_over)| DeskGame {
                number,
                view,
                history,
                is_over,
            })
            .collect();
        let (current, share) = self.content.current(lang);
        let lists = self.desk.shows_swings();
        let swing_lines = if lists {
            self.content.swing_lines(Some(now), lang)
        } else {
            Vec::new()
        };
        if lists {
            // The texts show how many minutes ago the games changed.
            ctx.request_repaint_after(Duration::from_mins(1));
        }
        let (share, swing_count) = (share.as_deref().unwrap_or_default(), self.content.swing_count());
        let view = DeskView {
            games: &games,
            current_number: current,
            engine_share_text: share,
            swing_count,
            swing_lines: &swing_lines,
        };
        let background = Frame::NONE.fill(style.theme.window.to_opaque());
        let panel = CentralPanel::default().frame(background);
        let action = panel
            .show(ui, |ui| self.desk.show(ui, &view, &style, self.painter))
            .inner;
        let acted = action.map(|action| self.act(&ctx, &action)).is_some();
        has_changed || acted
    }

    fn act(&self, ctx: &Context, action: &DeskAction) {
        match action {
            DeskAction::Show(number) => {
                if let Some(game) = self.content.game(*number) {
                    lock(&self.viewer).act_on_study(AppAction::ShowInStudy(game));
                }
            }
            DeskAction::CopySwings => {
                let text = self
                    .content
                    .swing_lines(None, lock(&self.viewer).lang())
                    .join("\n");
                ctx.copy_text(text);
            }
        }
    }
}
