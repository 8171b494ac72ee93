//! The bar: who has how much of the game.

use super::canvas::{OverlayCanvas, whole};
use crate::bar::{BarView, DecidedWin};
use crate::config;
use crate::shogi::Color;
use crate::text::PartWord;
use crate::ui::text_runs::{TextRun, TextRuns};
use eframe::egui;
use egui::{Align, CornerRadius, Rect};

/// Where the ticks stand, in parts of the bar.
const TICKS: [f32; 4] = [0.2, 0.3, 0.7, 0.8];

/// The size of the words in a bar that is decided.
const WORDS: f32 = 15.0;
/// The size of a sentence in a bar that is nobody's.
const SENTENCE: f32 = 13.5;
/// A bar that is thinner has no words in it, in points at scale 1.
const WORDS_LEAST: f32 = 18.0;
/// One that is thinner has no ticks, in points of the screen.
const TICKS_LEAST: f32 = 8.0;

/// Which way the bar lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BarAxis {
    /// From the left to the right.
    Across,
    /// From below to above.
    Up,
}

/// A bar in its place.
#[derive(Clone, Copy, Debug)]
struct ShareBar {
    bounds: Rect,
    axis: BarAxis,
}

/// Draws the bar into `bounds`, Black's share being `share`, 0 to 1.
pub(super) fn draw(sheet: &mut OverlayCanvas<'_, '_>, view: &BarView, share: f32, bounds: Rect, axis: BarAxis) {
    let theme = sheet.theme();
    let bar = ShareBar { bounds, axis };
    // Of a draw, and where nothing was said yet, there is nothing to share out.
    let shared = is_shared(view);
    let fill = |color: Color| match (shared, view.stale, color) {
        (false, ..) => theme.empty,
        (true, true, Color::Black) => theme.stale_black,
        (true, true, Color::White) => theme.stale_white,
        (true, false, Color::Black) => theme.black,
        (true, false, Color::White) => theme.white,
    };
    let edge = |color: Color| if color == Color::Black { theme.black_edge } else { theme.white_edge };

    let [first, second] = sheet.look.ends();
    let seam = if first == Color::Black { share } else { 1.0 - share };
    // A bar of one colour has the edge of that one, and nobody's has the one that stands out from the ground.
    let one_color = !shared || (first == Color::White && seam <= 0.0);
    let first = if one_color { Color::Black } else { first };
    let radius = sheet.radius(theme.bar_corner).min(bar.thickness() / 2.0);
    let all = bar.corners(radius, radius);
    sheet.fill(bounds, all, fill(first));
    sheet.edge(bounds, all, edge(first));
    let (rest, taken) = bar.behind(seam);
    let length = bar.length() - taken;
    if shared && first != second && length > 0.5 {
        let rounded = bar.corners((radius - taken).max(0.0), radius.min(length));
        sheet.fill(rest, rounded, fill(second));
        sheet.edge(rest, rounded, edge(second));
    }
    if let Some(decided) = &view.decided {
        words(sheet, view, decided, bar);
    } else if sheet.look.shows(config::OverlayPart::Ticks) {
        scale(sheet, bar);
    }
    if view.decided.is_none()
        && let Some(share) = view.share
    {
        sheet.name(PartWord::Share, format!("{:.0}%", share * 100.0), bounds);
    }
    if shared && !view.stale && view.decided.is_none() {
        sheet.fill(bar.line(seam, 3.0 * sheet.scale), CornerRadius::ZERO, theme.accent);
    }
}

/// Draws a bar that is nobody's yet, with a sentence in it.
pub(super) fn draw_sentence(sheet: &mut OverlayCanvas<'_, '_>, sentence: TextRun<'_>, bounds: Rect) -> Rect {
    let theme = sheet.theme();
    let radius = CornerRadius::same(whole(sheet.radius(theme.bar_corner).min(bounds.height() / 2.0)));
    sheet.fill(bounds, radius, theme.empty);
    sheet.edge(bounds, radius, theme.black_edge);
    let inside = bounds.shrink2(egui::vec2(8.0 * sheet.scale, 0.0));
    sheet.line_on_bar(TextRuns::line(&[sentence], SENTENCE), SENTENCE, inside, Align::Center)
}

/// Whether the bar is shared out between the sides.
pub(super) fn is_shared(view: &BarView) -> bool {
    match &view.decided {
        Some(decided) => decided.winner.is_some(),
        None => view.share.is_some(),
    }
}

/// How it was decided, in a bar of the winner's colour.
fn words(sheet: &mut OverlayCanvas<'_, '_>, view: &BarView, decided: &DecidedWin, bar: ShareBar) {
    let theme = sheet.theme();
    let color = match decided.winner {
        Some(Color::White) if !view.stale => theme.on_white,
        Some(Color::Black) if !view.stale => theme.on_black,
        _ => theme.text,
    };
    sheet.name(PartWord::Result, decided.text.as_str(), bar.bounds);
    if bar.thickness() < WORDS_LEAST * sheet.scale {
        return;
    }
    let text = TextRun::bold(&decided.text, color);
    match bar.axis {
        BarAxis::Across => {
            let inside = bar.bounds.shrink2(egui::vec2(10.0 * sheet.scale, 0.0));
            let [whole, brief] = [[text], [TextRun { text: &decided.brief, ..text }]];
            let shrunk = sheet.shrunk(TextRuns::line(&whole, WORDS), inside.width());
            // The end of the bar says who wins.
            let fits = brief[0].text.is_empty() || sheet.width(shrunk) <= inside.width();
            let shown = if fits { shrunk } else { sheet.shrunk(TextRuns::line(&brief, WORDS), inside.width()) };
            sheet.line_on_bar(shown, shown.size, inside, Align::Center);
        }
        BarAxis::Up => {
            let inside = bar.bounds.shrink2(egui::vec2(0.0, 6.0 * sheet.scale));
            let shorter = [&decided.brief, &decided.label].map(|shorter| TextRun { text: shorter, ..text });
            let _one_of_them =
                [text, shorter[0], shorter[1]].into_iter().any(|text| sheet.upright(text, WORDS, inside));
        }
    }
}

/// The centre line, and the ticks where a game is as good as decided.
fn scale(sheet: &mut OverlayCanvas<'_, '_>, bar: ShareBar) {
    if bar.thickness() < TICKS_LEAST {
        return;
    }
    let color = sheet.theme().tick;
    let pixel = sheet.scale.max(1.0);
    let mut line = |at: f32, length: f32| sheet.fill(bar.tick(at, length, pixel), CornerRadius::ZERO, color);
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

    /// What lies behind a place, in parts of the bar, and how much lies before it.
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

    /// A line through the whole bar, which stays within it.
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

    /// A line from the lower edge, or from the left one; on whole points, or one would look thicker than the next.
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

    /// Corners of one radius at the first end, on the left or below, and one at the other.
    fn corners(self, first: f32, second: f32) -> CornerRadius {
        let (first, second) = (whole(first), whole(second));
        match self.axis {
            BarAxis::Across => CornerRadius { nw: first, sw: first, ne: second, se: second },
            BarAxis::Up => CornerRadius { nw: second, ne: second, sw: first, se: first },
        }
    }
}
