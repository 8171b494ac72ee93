//! The mark of an engine that the bar does not follow: a line across the tray at its value, with the number of the engine
//! in a disc. A hatched band reaches from the mark to the seam if the two values differ clearly.

use super::{BarAxis, MIN_SEAM_WIDTH, Stripes, Tray, draw_stripes};
use crate::PartWord;
use crate::overlay::canvas::OverlayCanvas;
use crate::text_runs::TextRun;
use eframe::egui;
use egui::{Align, Color32, CornerRadius, Rect, Shape, Vec2, pos2};
use shogibar_games::bar::OtherRate;
use shogibar_shogi::Color;

/// The width of the line, as a fraction of the tray's thickness.
const LINE_WIDTH: f32 = 0.04;
/// The minimum width of the line, in points of the screen.
const MIN_LINE_WIDTH: f32 = 2.2;
/// The width of the gap on each side of the line, as a multiple of the line's width.
const GAP_WIDTH: f32 = 0.9;

/// The radius of the disc, as a fraction of the tray's thickness.
const DISC_RADIUS: f32 = 0.125;
/// The size of the number in a disc, as a multiple of the disc's radius.
const NUMBER_SIZE: f32 = 1.5;
/// The largest disc with a number, as a fraction of the tray's thickness. In a thinner tray, a small disc has none.
const MAX_DISC_FRACTION: f32 = 0.8;
/// The radius of a disc without a number, as a fraction of the tray's thickness.
const SMALL_DISC_RADIUS: f32 = 0.22;
/// The width of the ring around the disc, in points of the screen.
const RING_WIDTH: f32 = 1.5;

/// The minimum difference of the two values with a band between them, in percentage points.
const MIN_BAND_POINTS: f32 = 5.0;
/// The distance from one stripe of the band to the next, as a fraction of the tray's thickness.
const STRIPE_DISTANCE: f32 = 0.13;
/// The width of a stripe of the band, as a fraction of the tray's thickness.
const STRIPE_WIDTH: f32 = 0.045;
const STRIPE_OPACITY: f32 = 0.42;

/// The mark of an engine in a tray.
#[derive(Clone, Copy, Debug)]
pub(super) struct OtherMark {
    rate: OtherRate,
    /// The position along the tray, from 0 to 1.
    pub(super) at: f32,
}

impl OtherMark {
    /// Creates the mark of an engine. `first` is the side at the first end of the tray.
    pub(super) fn new(rate: OtherRate, first: Color) -> Self {
        let share = f32::from(rate.percent) / 100.0;
        Self {
            rate,
            at: if first == Color::Black { share } else { 1.0 - share },
        }
    }

    /// Draws the band between the seam, whose point has this depth, and the mark. A small difference has no band.
    pub(super) fn draw_band(self, canvas: &mut OverlayCanvas<'_, '_>, tray: &Tray, seam: f32, depth: f32) {
        if (self.at - seam).abs() * 100.0 < MIN_BAND_POINTS {
            return;
        }
        let thickness = tray.thickness();
        let stripes = Stripes {
            distance: (STRIPE_DISTANCE * thickness).max(4.0),
            width: (STRIPE_WIDTH * thickness).max(1.0),
            color: canvas.theme().tray.gamma_multiply(STRIPE_OPACITY),
        };
        let seam_at = |along, across| tray.point(seam, along, across);
        let mark_at = |across| tray.point(self.at, 0.0, across);
        for (outer, middle) in [(0.0, 0.5), (1.0, 0.5)] {
            let half = [
                seam_at(-depth, outer),
                mark_at(outer),
                mark_at(middle),
                seam_at(depth, middle),
            ];
            draw_stripes(canvas, &half, tray.inside, stripes);
        }
    }

    pub(super) fn draw_line(self, canvas: &mut OverlayCanvas<'_, '_>, tray: &Tray) {
        let width = (LINE_WIDTH * tray.thickness()).max(MIN_LINE_WIDTH);
        let middle = tray.clamp_along(self.at, width / 2.0);
        for (width, color) in [
            (width * (1.0 + 2.0 * GAP_WIDTH), canvas.theme().tray),
            (width, canvas.theme().on_tray),
        ] {
            let line = Rect::from_two_pos(
                tray.point(middle, -width / 2.0, 0.0),
                tray.point(middle, width / 2.0, 1.0),
            );
            canvas.fill(line, CornerRadius::ZERO, color);
        }
    }

    /// Draws the disc at the lower or right edge of the tray, half of it beyond the edge at most.
    pub(super) fn draw_disc(self, canvas: &mut OverlayCanvas<'_, '_>, tray: &Tray) {
        let theme = canvas.theme();
        let readable = (DISC_RADIUS * tray.thickness()).max(canvas.min_font_size() / NUMBER_SIZE);
        let has_number = 2.0 * readable <= MAX_DISC_FRACTION * tray.thickness();
        let radius = if has_number {
            readable
        } else {
            SMALL_DISC_RADIUS * tray.thickness()
        };
        let inside = tray.point(tray.clamp_along(self.at, radius), 0.0, 1.0);
        let beyond = tray.margin - 0.5 * radius;
        let center = match tray.axis {
            BarAxis::Across => pos2(inside.x, inside.y + beyond),
            BarAxis::Up => pos2(inside.x + beyond, inside.y),
        };
        canvas.add(Shape::circle_filled(center, radius + RING_WIDTH, theme.tray));
        canvas.add(Shape::circle_filled(center, radius, theme.on_tray));
        if has_number {
            let number = (self.rate.engine + 1).to_string();
            // The disc does not grow with the user's text size.
            let size = radius * NUMBER_SIZE / canvas.style.text_size.fraction();
            let bounds = Rect::from_center_size(center, Vec2::splat(2.0 * radius));
            let number = TextRun::bold(&number, theme.tray.to_opaque());
            canvas.draw_on_bar(number, size, bounds, Align::Center, Color32::TRANSPARENT);
        }
        canvas.engine = Some(self.rate.engine);
        let rect = Rect::from_center_size(center, Vec2::splat(2.0 * radius));
        canvas.add_named_part(PartWord::OtherMark, format!("{}%", self.rate.percent), rect);
        canvas.engine = None;
    }

    /// Returns the room for a side's word, in points of the screen: up to the mark, if the mark is in the side's share.
    /// `share` is the room up to the seam.
    pub(super) fn word_room(self, tray: &Tray, share: f32, is_first: bool) -> f32 {
        let from_end = if is_first { self.at } else { 1.0 - self.at };
        share.min(from_end * tray.length() - 2.0 * MIN_SEAM_WIDTH)
    }
}
