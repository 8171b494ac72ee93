//! The bar: who has how much of the game.

use super::sheet::Sheet;
use crate::bar::{Decided, View};
use crate::shogi::Color;
use crate::text::Part;
use crate::ui::lettering::{Run, Text};
use eframe::egui;
use egui::{Align, CornerRadius, Rect};

/// Where the ticks stand, in parts of the bar.
const TICKS: [f32; 4] = [0.2, 0.3, 0.7, 0.8];

/// The size of the words in a bar that is decided.
const WORDS: f32 = 15.0;

/// Draws the bar into `bounds` with its seam at `share`, 0 to 1 from the left.
pub(super) fn draw(sheet: &mut Sheet<'_, '_>, view: &View, share: f32, bounds: Rect) {
    let theme = sheet.theme;
    let winner = view.decided.as_ref().and_then(|decided| decided.winner);
    // Of a draw, and where nothing was said yet, there is nothing to share out.
    let shared = winner.is_some() || (view.share.is_some() && view.decided.is_none());
    let (black, white) = match (shared, view.stale) {
        (false, _) => (theme.empty, theme.empty),
        (true, true) => (theme.stale_black, theme.stale_white),
        (true, false) => (theme.black, theme.white),
    };

    let radius = sheet.radius(theme.bar_corner);
    let seam = egui::lerp(bounds.x_range(), share);
    let all = corners(radius, radius);
    sheet.fill(bounds, all, black);
    sheet.edge(bounds, all, theme.black_edge);
    let rest = bounds.with_min_x(seam);
    if shared && rest.width() > 0.5 {
        let rounded = corners((radius - (seam - bounds.left())).max(0.0), radius.min(rest.width()));
        sheet.fill(rest, rounded, white);
        sheet.edge(rest, rounded, theme.white_edge);
    }
    if let Some(decided) = &view.decided {
        words(sheet, view, decided, bounds);
    } else {
        scale(sheet, bounds);
    }
    if view.decided.is_none()
        && let Some(share) = view.share
    {
        sheet.name(Part::Share, format!("{:.0}%", share * 100.0), bounds);
    }
    if shared && !view.stale && view.decided.is_none() {
        let width = 3.0 * sheet.scale;
        let left = (seam - width / 2.0).min(bounds.right() - width).max(bounds.left());
        sheet.fill(bounds.with_min_x(left).with_max_x(left + width), CornerRadius::ZERO, theme.accent);
    }
}

/// How it was decided, in a bar of the winner's colour.
fn words(sheet: &mut Sheet<'_, '_>, view: &View, decided: &Decided, bounds: Rect) {
    let theme = sheet.theme;
    let color = match decided.winner {
        Some(Color::White) if !view.stale => theme.on_white,
        Some(Color::Black) if !view.stale => theme.on_black,
        _ => theme.text,
    };
    let inside = bounds.shrink2(egui::vec2(10.0 * sheet.scale, 0.0));
    sheet.line_on_bar(Text::line(&[Run::bold(&decided.text, color)], WORDS), WORDS, inside, Align::Center);
    sheet.name(Part::Result, decided.text.as_str(), bounds);
}

/// The centre line, and the ticks where a game is as good as decided.
fn scale(sheet: &mut Sheet<'_, '_>, bounds: Rect) {
    let color = sheet.theme.tick;
    let pixel = sheet.scale.max(1.0);
    let mut line = |at: f32, height: f32| {
        // On whole points, or one line would look thicker than the next.
        let left = (egui::lerp(bounds.x_range(), at) - pixel / 2.0).round();
        let rect = bounds.with_min_y(bounds.bottom() - height).with_min_x(left).with_max_x(left + pixel);
        sheet.fill(rect, CornerRadius::ZERO, color);
    };
    line(0.5, bounds.height());
    let height = (7.0 * pixel).min(bounds.height());
    for tick in TICKS {
        line(tick, height);
    }
}

/// Corners of one radius on the left and one on the right.
fn corners(left: f32, right: f32) -> CornerRadius {
    let (left, right) = (whole(left), whole(right));
    CornerRadius { nw: left, sw: left, ne: right, se: right }
}

/// A radius as egui wants it.
pub(super) fn whole(radius: f32) -> u8 {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to what fits")]
    let radius = radius.round().clamp(0.0, 255.0) as u8;
    radius
}
