//! The bar that shows the share of each side.

use super::canvas::{OverlayCanvas, whole};
use crate::bar::{BarView, DecidedWin};
use crate::config;
use crate::shogi::Color;
use crate::text::PartWord;
use crate::ui::text_runs::{TextRun, TextRuns};
use eframe::egui;
use egui::{Align, CornerRadius, Rect};

/// The positions of the ticks, as fractions of the bar.
const TICKS: [f32; 4] = [0.2, 0.3, 0.7, 0.8];

/// The font size of the result in a decided bar.
const WORDS: f32 = 15.0;
/// The font size of a sentence in an empty bar.
const SENTENCE: f32 = 13.5;
/// The minimum thickness of a bar with text, in points at scale 1.
const WORDS_LEAST: f32 = 18.0;
/// The minimum thickness of a bar with ticks, in points of the screen.
const TICKS_LEAST: f32 = 8.0;

/// The direction of the bar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BarAxis {
    /// From left to right.
    Across,
    /// From bottom to top.
    Up,
}

/// A bar with its rectangle.
#[derive(Clone, Copy, Debug)]
struct ShareBar {
    bounds: Rect,
    axis: BarAxis,
}

/// Draws the bar into `bounds` with `share` as Black's share, 0 to 1.
pub(super) fn draw(canvas: &mut OverlayCanvas<'_, '_>, view: &BarView, share: f32, bounds: Rect, axis: BarAxis) {
    let theme = canvas.theme();
    let bar = ShareBar { bounds, axis };
    // A draw, and a position without an evaluation, have no shares.
    let shared = is_shared(view);
    let fill = |color: Color| match (shared, view.stale, color) {
        (false, ..) => theme.empty,
        (true, true, Color::Black) => theme.stale_black,
        (true, true, Color::White) => theme.stale_white,
        (true, false, Color::Black) => theme.black,
        (true, false, Color::White) => theme.white,
    };
    let edge = |color: Color| if color == Color::Black { theme.black_edge } else { theme.white_edge };

    let [first, second] = canvas.look.ends();
    let seam = if first == Color::Black { share } else { 1.0 - share };
    // A bar of one colour has the outline of that colour; an empty bar has the outline that contrasts with the
    // background.
    let one_color = !shared || (first == Color::White && seam <= 0.0);
    let first = if one_color { Color::Black } else { first };
    let radius = canvas.radius(theme.bar_corner).min(bar.thickness() / 2.0);
    let all = bar.corners(radius, radius);
    canvas.fill(bounds, all, fill(first));
    canvas.edge(bounds, all, edge(first));
    let (rest, taken) = bar.behind(seam);
    let length = bar.length() - taken;
    if shared && first != second && length > 0.5 {
        let rounded = bar.corners((radius - taken).max(0.0), radius.min(length));
        canvas.fill(rest, rounded, fill(second));
        canvas.edge(rest, rounded, edge(second));
    }
    if let Some(decided) = &view.decided {
        words(canvas, view, decided, bar);
    } else if canvas.look.shows(config::OverlayPart::Ticks) {
        scale(canvas, bar);
    }
    if view.decided.is_none()
        && let Some(share) = view.share
    {
        canvas.name(PartWord::Share, format!("{:.0}%", share * 100.0), bounds);
    }
    if shared && !view.stale && view.decided.is_none() {
        canvas.fill(bar.line(seam, 3.0 * canvas.scale), CornerRadius::ZERO, theme.accent);
    }
}

/// Draws an empty bar with a sentence in it.
pub(super) fn draw_sentence(canvas: &mut OverlayCanvas<'_, '_>, sentence: TextRun<'_>, bounds: Rect) -> Rect {
    let theme = canvas.theme();
    let radius = CornerRadius::same(whole(canvas.radius(theme.bar_corner).min(bounds.height() / 2.0)));
    canvas.fill(bounds, radius, theme.empty);
    canvas.edge(bounds, radius, theme.black_edge);
    let inside = bounds.shrink2(egui::vec2(8.0 * canvas.scale, 0.0));
    canvas.line_on_bar(TextRuns::line(&[sentence], SENTENCE), SENTENCE, inside, Align::Center)
}

/// Returns whether the bar shows shares of the sides.
pub(super) fn is_shared(view: &BarView) -> bool {
    match &view.decided {
        Some(decided) => decided.winner.is_some(),
        None => view.share.is_some(),
    }
}

/// Draws the result into a bar of the winner's colour.
fn words(canvas: &mut OverlayCanvas<'_, '_>, view: &BarView, decided: &DecidedWin, bar: ShareBar) {
    let theme = canvas.theme();
    let color = match decided.winner {
        Some(Color::White) if !view.stale => theme.on_white,
        Some(Color::Black) if !view.stale => theme.on_black,
        _ => theme.text,
    };
    canvas.name(PartWord::Result, decided.text.as_str(), bar.bounds);
    if bar.thickness() < WORDS_LEAST * canvas.scale {
        return;
    }
    let text = TextRun::bold(&decided.text, color);
    match bar.axis {
        BarAxis::Across => {
            let inside = bar.bounds.shrink2(egui::vec2(10.0 * canvas.scale, 0.0));
            let [whole, brief] = [[text], [TextRun { text: &decided.brief, ..text }]];
            let shrunk = canvas.shrunk(TextRuns::line(&whole, WORDS), inside.width());
            // The end of the bar shows the winner.
            let fits = brief[0].text.is_empty() || canvas.width(shrunk) <= inside.width();
            let shown = if fits { shrunk } else { canvas.shrunk(TextRuns::line(&brief, WORDS), inside.width()) };
            canvas.line_on_bar(shown, shown.size, inside, Align::Center);
        }
        BarAxis::Up => {
            let inside = bar.bounds.shrink2(egui::vec2(0.0, 6.0 * canvas.scale));
            let shorter = [&decided.brief, &decided.label].map(|shorter| TextRun { text: shorter, ..text });
            let _one_of_them =
                [text, shorter[0], shorter[1]].into_iter().any(|text| canvas.upright(text, WORDS, inside));
        }
    }
}

/// Draws the centre line, and ticks where a game is nearly decided.
fn scale(canvas: &mut OverlayCanvas<'_, '_>, bar: ShareBar) {
    if bar.thickness() < TICKS_LEAST {
        return;
    }
    let color = canvas.theme().tick;
    let pixel = canvas.scale.max(1.0);
    let mut line = |at: f32, length: f32| canvas.fill(bar.tick(at, length, pixel), CornerRadius::ZERO, color);
    line(0.5, bar.thickness());
    for tick in TICKS {
        line(tick, (7.0 * pixel).min(bar.thickness()));
    }
}

impl ShareBar {
    fn length(self) -> f32 {
        match self.axis {
            BarAxis::Across => self.bounds.width(),
            BarAxis::Up => self.bounds.height(),
        }
    }

    fn thickness(self) -> f32 {
        match self.axis {
            BarAxis::Across => self.bounds.height(),
            BarAxis::Up => self.bounds.width(),
        }
    }

    /// Returns the rectangle behind a point of the bar, and the length before it. The point is a fraction of the bar.
    fn behind(self, at: f32) -> (Rect, f32) {
        match self.axis {
            BarAxis::Across => {
                let seam = egui::lerp(self.bounds.x_range(), at);
                (self.bounds.with_min_x(seam), seam - self.bounds.left())
            }
            BarAxis::Up => {
                let seam = egui::lerp(self.bounds.bottom()..=self.bounds.top(), at);
                (self.bounds.with_max_y(seam), self.bounds.bottom() - seam)
            }
        }
    }

    /// Returns the rectangle of a line across the bar, kept within it.
    fn line(self, at: f32, width: f32) -> Rect {
        let bounds = self.bounds;
        match self.axis {
            BarAxis::Across => {
                let seam = egui::lerp(bounds.x_range(), at);
                let left = (seam - width / 2.0).min(bounds.right() - width).max(bounds.left());
                bounds.with_min_x(left).with_max_x(left + width)
            }
            BarAxis::Up => {
                let seam = egui::lerp(bounds.bottom()..=bounds.top(), at);
                let top = (seam - width / 2.0).min(bounds.bottom() - width).max(bounds.top());
                bounds.with_min_y(top).with_max_y(top + width)
            }
        }
    }

    /// Returns the rectangle of a tick from the lower or left edge. It is on whole points, so that all ticks look
    /// equally thick.
    fn tick(self, at: f32, length: f32, pixel: f32) -> Rect {
        let bounds = self.bounds;
        match self.axis {
            BarAxis::Across => {
                let left = (egui::lerp(bounds.x_range(), at) - pixel / 2.0).round();
                bounds.with_min_y(bounds.bottom() - length).with_min_x(left).with_max_x(left + pixel)
            }
            BarAxis::Up => {
                let top = (egui::lerp(bounds.bottom()..=bounds.top(), at) - pixel / 2.0).round();
                bounds.with_max_x(bounds.left() + length).with_min_y(top).with_max_y(top + pixel)
            }
        }
    }

    /// Returns corners of one radius at the first end, on the left or at the bottom, and of another at the second end.
    fn corners(self, first: f32, second: f32) -> CornerRadius {
        let (first, second) = (whole(first), whole(second));
        match self.axis {
            BarAxis::Across => CornerRadius { nw: first, sw: first, ne: second, se: second },
            BarAxis::Up => CornerRadius { nw: second, ne: second, sw: first, se: first },
        }
    }
}
