//! Chips: short words in a frame beside a name or a move.

use super::canvas::OverlayCanvas;
use crate::text_runs::{TextRun, TextRuns};
use eframe::egui;
use egui::{Color32, Rect, pos2, vec2};
use shogibar_games::bar::BarView;

/// The height of a chip, in ems of the word.
const CHIP_HEIGHT: f32 = 1.3;
/// The padding of a chip on each side of the word, in ems of the word.
const CHIP_PADDING: f32 = 0.25;

/// A word in a frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chip<'a> {
    /// The text in the frame.
    pub(super) word: &'a str,
    /// The font size of the word, in points at scale 1.
    pub(super) size: f32,
    /// The colours of the background, the edge and the word.
    pub(super) colors: [Color32; 3],
}

impl<'a> Chip<'a> {
    /// Returns the chip for the threat of mate against the side to move; `None` without a threat.
    pub(super) fn threat(canvas: &OverlayCanvas<'_, '_>, view: &'a BarView, size: f32) -> Option<Self> {
        let loss = canvas.theme().loss;
        let word = view.reason.threat.as_str();
        (!word.is_empty()).then_some(Self {
            word,
            size,
            colors: [Color32::TRANSPARENT, loss, loss],
        })
    }

    /// Returns the chips for the only move, the longer one first; none if there are others.
    pub(super) fn only_move(
        canvas: &OverlayCanvas<'_, '_>,
        view: &'a BarView,
        size: f32,
    ) -> impl Iterator<Item = Self> {
        let colors = [
            canvas.theme().best,
            Color32::TRANSPARENT,
            canvas.text_on_best_color(),
        ];
        let words = [
            view.reason.only_move.as_str(),
            view.reason.brief_only_move.as_str(),
        ];
        words
            .into_iter()
            .filter(|word| !word.is_empty())
            .map(move |word| Self { word, size, colors })
    }

    /// Returns the chip for an opening or castles; `None` if there is no name.
    pub(super) fn formation(canvas: &OverlayCanvas<'_, '_>, word: &'a str, size: f32) -> Option<Self> {
        let quiet = canvas.theme().quiet;
        let colors = [Color32::TRANSPARENT, quiet.gamma_multiply(0.6), quiet];
        (!word.is_empty()).then_some(Self { word, size, colors })
    }

    pub(super) fn last_loss(canvas: &OverlayCanvas<'_, '_>, loss: &'a str, size: f32) -> Self {
        let theme = canvas.theme();
        Self {
            word: loss,
            size,
            colors: [theme.swing, theme.swing_edge, theme.on_swing],
        }
    }

    /// Returns the width of the chip, in points of the screen.
    pub(super) fn width(&self, canvas: &mut OverlayCanvas<'_, '_>) -> f32 {
        let runs = [TextRun::bold(self.word, Color32::WHITE)];
        canvas.width(TextRuns::line(&runs, self.size)) + 2.0 * CHIP_PADDING * self.size * canvas.scale + 0.5
    }

    /// Draws the chip at `left`, in the middle of the height of `bounds`. Returns the rectangle of the chip.
    pub(super) fn draw(&self, canvas: &mut OverlayCanvas<'_, '_>, left: f32, bounds: Rect) -> Rect {
        let [fill, edge, ink] = self.colors;
        let height = (CHIP_HEIGHT * self.size * canvas.scale).min(bounds.height());
        let size = vec2(self.width(canvas), height);
        let rect = Rect::from_min_size(pos2(left, bounds.center().y - height / 2.0), size);
        canvas.draw_chip(rect, fill, edge);
        let runs = [TextRun::bold(self.word, ink)];
        canvas.draw_chip_text(TextRuns::line(&runs, self.size), rect);
        rect
    }
}
