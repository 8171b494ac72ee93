//! The two shares of the bar, or a sentence, in the tray: the background and the border of both shares.
//!
//! A share is one mesh with coloured corners, because egui has no gradients. Smooth lines in the tray's colour cover
//! the edges of the mesh: the border around both shares, and the gaps beside the seam.

mod other_mark;

use super::canvas::{Crowding, OverlayCanvas, corner_radius};
use crate::PartWord;
use crate::text_runs::{TextRun, TextRuns};
use crate::theme::faded;
use eframe::egui;
use egui::epaint::{Mesh, PathShape, PathStroke, RectShape};
use egui::{Color32, CornerRadius, Pos2, Rangef, Rect, Shape, Stroke, StrokeKind, pos2, vec2};
use other_mark::OtherMark;
use shogibar_config::OverlayPart;
use shogibar_games::bar::{BarView, DecidedWin};
use shogibar_shogi::Color;

/// The tray's margin around the shares, as a fraction of its thickness.
const MARGIN_FRACTION: f32 = 0.085;
/// The range of the tray's margin, in points at scale 1.
const MARGIN_RANGE: Rangef = Rangef { min: 2.0, max: 4.0 };
/// The minimum margin of a thick tray, as a fraction of its thickness. The margin covers the ends of the seam.
const MIN_MARGIN_FRACTION: f32 = 0.06;

/// The positions of the notches, as fractions of the length, and their lengths, as fractions of the thickness.
pub(crate) const NOTCHES: [(f32, f32); 3] = [(0.25, 0.11), (0.5, 0.2), (0.75, 0.11)];

/// The distance of the seam's point from its middle, as a fraction of the thickness.
pub(crate) const SEAM_POINT_DISTANCE: f32 = 0.13;
/// The minimum lead with which the seam's point has its full distance, as a fraction.
pub(crate) const MIN_FULL_POINT_LEAD: f32 = 0.1;
/// The width of the seam, as a fraction of the thickness.
const SEAM_WIDTH: f32 = 0.075;
/// The minimum width of the seam, in points of the screen.
const MIN_SEAM_WIDTH: f32 = 2.5;

/// The font size of a side's word in a horizontal and in an upright tray, as fractions of the thickness.
const WORD_FONT_FRACTIONS: [f32; 2] = [0.4, 0.27];
/// The font size of a sentence in a horizontal and in an upright tray, as fractions of the thickness.
const SENTENCE_FONT_FRACTIONS: [f32; 2] = [0.58, 0.4];
/// The minimum length of a share with its word in a horizontal tray, in ems of the word.
const MIN_WORD_SHARE_LENGTH: f32 = 3.2;
/// The minimum length of a share with its word in an upright tray, in ems of the word.
const MIN_UPRIGHT_WORD_SHARE_LENGTH: f32 = 2.2;
/// The minimum space beside the word, in ems of the word.
const MIN_WORD_MARGIN: f32 = 1.2;

/// The strength of a share's colours, from 0 to 1, while the value belongs to another position.
pub(crate) const STALE_SHARE_STRENGTH: f32 = 0.62;

/// The distance from one stripe over Black's share to the next, in points at scale 1.
const STRIPE_DISTANCE: f32 = 6.0;
/// The width of a stripe over Black's share, in points at scale 1.
const STRIPE_WIDTH: f32 = 2.0;

/// The direction of the bar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BarAxis {
    /// The tray runs from left to right.
    Across,
    /// The tray runs from bottom to top.
    Up,
}

/// The tray of the shares, with its direction and margin.
#[derive(Clone, Copy, Debug)]
struct Tray {
    /// The rectangle of both shares.
    inside: Rect,
    /// The direction of the tray.
    axis: BarAxis,
    /// The width of the border around the shares, in points of the screen.
    margin: f32,
    /// The corner radius of the shares, in points of the screen.
    corner: f32,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct TraySentence<'a> {
    pub(super) text: &'a str,
    /// The maximum crowding. A sentence that needs more is not drawn.
    pub(super) max_crowding: Crowding,
}

/// Draws the tray into `bounds`, with `share` as Black's share from 0 to 1, or with a sentence. Returns whether the
/// sentence is shown.
pub(super) fn draw(
    canvas: &mut OverlayCanvas<'_, '_>,
    view: &BarView,
    share: f32,
    sentence: Option<TraySentence<'_>>,
    bounds: Rect,
    axis: BarAxis,
) -> bool {
    if !bounds.is_positive() {
        return false;
    }
    let theme = canvas.theme();
    let tray = Tray::new(canvas, bounds, axis);
    canvas.fill(
        bounds,
        CornerRadius::same(corner_radius(tray.corner + tray.margin)),
        theme.tray,
    );
    if let Some(TraySentence { text, max_crowding }) = sentence {
        tray.draw_hairline(canvas);
        let is_shown = tray.draw_sentences(canvas, &[text], max_crowding, theme.on_tray);
        if is_shown {
            canvas.add_named_part(PartWord::Notice, text, bounds);
        }
        return is_shown;
    }
    match (&view.decided_win, view.share) {
        (Some(decided), _) => draw_decided(canvas, decided, &tray, bounds),
        (None, Some(value)) => {
            draw_shares(canvas, view, share, &tray);
            canvas.add_named_part(PartWord::Share, format!("{:.0}%", value * 100.0), bounds);
        }
        (None, None) => tray.draw_hairline(canvas),
    }
    false
}

/// Draws a thin tray with a share, without words.
pub(super) fn draw_slim(canvas: &mut OverlayCanvas<'_, '_>, share: f32, bounds: Rect) {
    if !bounds.is_positive() {
        return;
    }
    let tray = Tray::new(canvas, bounds, BarAxis::Across);
    let corner = CornerRadius::same(corner_radius(tray.corner + tray.margin));
    canvas.fill(bounds, corner, canvas.theme().tray);
    draw_shares(canvas, &BarView::default(), share, &tray);
}

/// Draws the sentence about a win on the winner's colour, or about a draw on the empty tray.
fn draw_decided(canvas: &mut OverlayCanvas<'_, '_>, decided: &DecidedWin, tray: &Tray, bounds: Rect) {
    let theme = canvas.theme();
    match decided.winner {
        Some(winner) => {
            tray.fill_range(canvas, Rangef::new(0.0, 1.0), winner, 1.0);
            tray.draw_border(canvas);
        }
        None => tray.draw_hairline(canvas),
    }
    let color = match decided.winner {
        Some(Color::Black) => theme.on_black,
        Some(Color::White) => theme.on_white,
        None => theme.on_tray,
    };
    let DecidedWin {
        text, brief, label, ..
    } = decided;
    let shortest = if label.is_empty() { brief } else { label };
    tray.draw_sentences(canvas, &[text, brief, shortest], Crowding::CutOff, color);
    canvas.add_named_part(PartWord::Result, text.as_str(), bounds);
}

/// Draws both shares and the seam between them.
fn draw_shares(canvas: &mut OverlayCanvas<'_, '_>, view: &BarView, share: f32, tray: &Tray) {
    let theme = canvas.theme();
    let [first, second] = canvas.style.ends();
    let seam = if first == Color::Black { share } else { 1.0 - share };
    let part = if view.is_stale { STALE_SHARE_STRENGTH } else { 1.0 };
    // The seam points toward the side that is behind.
    let depth =
        SEAM_POINT_DISTANCE * tray.thickness() * ((seam - 0.5) / MIN_FULL_POINT_LEAD).clamp(-1.0, 1.0);
    tray.fill_range(canvas, Rangef::new(0.0, 1.0), second, part);
    tray.fill_to_seam(canvas, seam, depth, first, part);
    let mark = view.other_rate.map(|rate| OtherMark::new(rate, first));
    if let Some(mark) = mark {
        mark.draw_band(canvas, tray, seam, depth);
    }
    if canvas.style.shows(OverlayPart::Ticks) {
        for (at, length) in NOTCHES {
            tray.draw_notch(canvas, at, length);
        }
    }
    // The seam lies over the mark of an engine that the bar does not follow.
    if let Some(mark) = mark {
        mark.draw_line(canvas, tray);
    }
    let width = (SEAM_WIDTH * tray.thickness()).max(MIN_SEAM_WIDTH);
    if seam > 0.0 && seam < 1.0 {
        let line = tray.seam_line(seam, depth, width);
        canvas.add(PathShape::line(
            line.to_vec(),
            PathStroke::new(width * 2.0, theme.tray),
        ));
        if !view.is_stale {
            canvas.add(PathShape::line(line.to_vec(), PathStroke::new(width, theme.seam)));
        }
    }
    tray.draw_border(canvas);
    for (color, length, is_first) in [(first, seam, true), (second, 1.0 - seam, false)] {
        // In the exact style, the evaluation replaces the word on the longer share.
        let is_longer = if is_first { seam >= 0.5 } else { seam < 0.5 };
        let is_exact = canvas.style.is_exact && is_longer && !view.is_stale && !view.evaluation.is_empty();
        let word = if is_exact {
            view.evaluation.as_str()
        } else {
            view.side(color).role.as_str()
        };
        let room = length * tray.length() - depth.abs() - width;
        let room = mark.map_or(room, |mark| mark.word_room(tray, room, is_first));
        tray.draw_word(canvas, color, word, room, is_first, part);
    }
    if let Some(mark) = mark {
        mark.draw_disc(canvas, tray);
    }
}

impl Tray {
    /// Lays out a tray in a rectangle.
    fn new(canvas: &OverlayCanvas<'_, '_>, bounds: Rect, axis: BarAxis) -> Self {
        let thickness = match axis {
            BarAxis::Across => bounds.height(),
            BarAxis::Up => bounds.width(),
        };
        let is_flat = canvas.theme().bar_corner == 0;
        let max_margin = (MARGIN_RANGE.max * canvas.scale).max(MIN_MARGIN_FRACTION * thickness);
        let margin = (MARGIN_FRACTION * thickness)
            .min(max_margin)
            .max(MARGIN_RANGE.min * canvas.scale)
            .max(1.0);
        let margin = if is_flat && canvas.theme().tray == canvas.theme().panel {
            1.0
        } else {
            margin
        };
        let inside = bounds.shrink(margin);
        let corner = canvas.scaled_radius(canvas.theme().bar_corner) / CORNER_DESIGN_SCALE;
        // The border must cover the sharp corners of the meshes, so it limits the radius.
        let corner = corner.min(inside.size().min_elem() / 2.0).min(margin * 2.4);
        Self {
            inside,
            axis,
            margin,
            corner,
        }
    }

    /// Returns the length of the shares along the bar, in points of the screen.
    fn length(&self) -> f32 {
        match self.axis {
            BarAxis::Across => self.inside.width(),
            BarAxis::Up => self.inside.height(),
        }
    }

    /// Returns the size of the shares across the bar, in points of the screen.
    fn thickness(&self) -> f32 {
        match self.axis {
            BarAxis::Across => self.inside.height(),
            BarAxis::Up => self.inside.width(),
        }
    }

    /// Returns a font size in points of the screen, from the fractions for a horizontal and for an upright tray.
    fn font_size(&self, [across, upright]: [f32; 2]) -> f32 {
        self.thickness()
            * if self.axis == BarAxis::Across {
                across
            } else {
                upright
            }
    }

    /// Returns a point of the tray: lengthwise at `fraction` of the length plus `along` points, and crosswise at the
    /// fraction `across` of the thickness.
    fn point(&self, fraction: f32, along: f32, across: f32) -> Pos2 {
        let inside = self.inside;
        match self.axis {
            BarAxis::Across => {
                let x = (inside.left() + fraction * inside.width() + along)
                    .min(inside.right())
                    .max(inside.left());
                pos2(x, egui::lerp(inside.y_range(), across))
            }
            BarAxis::Up => {
                let y = (inside.bottom() - fraction * inside.height() - along)
                    .max(inside.top())
                    .min(inside.bottom());
                pos2(egui::lerp(inside.x_range(), across), y)
            }
        }
    }

    /// Returns a fraction of the length, moved so that `room` points before and after it are within the shares.
    fn clamp_along(&self, fraction: f32, room: f32) -> f32 {
        let room = (room / self.length().max(1.0)).min(0.5);
        fraction.clamp(room, 1.0 - room)
    }

    fn fill_range(&self, canvas: &mut OverlayCanvas<'_, '_>, part: Rangef, color: Color, strength: f32) {
        let corners = [(part.min, 0.0), (part.max, 0.0), (part.max, 1.0), (part.min, 1.0)];
        let corners = corners.map(|(at, across)| (self.point(at, 0.0, across), across));
        self.add_mesh(canvas, &[corners], color, strength);
    }

    fn fill_to_seam(
        &self,
        canvas: &mut OverlayCanvas<'_, '_>,
        seam: f32,
        depth: f32,
        color: Color,
        strength: f32,
    ) {
        let at = |fraction, along, across| (self.point(fraction, along, across), across);
        let point = at(seam, depth, 0.5);
        let quads = [
            [at(0.0, 0.0, 0.0), at(seam, -depth, 0.0), point, at(0.0, 0.0, 0.5)],
            [at(0.0, 0.0, 0.5), point, at(seam, -depth, 1.0), at(0.0, 0.0, 1.0)],
        ];
        self.add_mesh(canvas, &quads, color, strength);
    }

    /// Draws quads in the gradient of a side, and the side's stripes over them. Each corner has its fraction of the
    /// thickness.
    fn add_mesh(
        &self,
        canvas: &mut OverlayCanvas<'_, '_>,
        quads: &[[(Pos2, f32); 4]],
        color: Color,
        strength: f32,
    ) {
        let theme = canvas.theme();
        let (from, to) = match color {
            Color::Black => (theme.black, theme.black_low),
            Color::White => (theme.white, theme.white_low),
        };
        let mut mesh = Mesh::default();
        for quad in quads {
            let first = u32::try_from(mesh.vertices.len()).unwrap_or(u32::MAX);
            for (at, across) in quad {
                mesh.colored_vertex(
                    *at,
                    theme
                        .tray
                        .lerp_to_gamma(from.lerp_to_gamma(to, *across), strength),
                );
            }
            mesh.add_triangle(first, first + 1, first + 2);
            mesh.add_triangle(first, first + 2, first + 3);
        }
        canvas.add(Shape::mesh(mesh));
        if color == Color::Black && theme.black_stripes != Color32::TRANSPARENT {
            let [distance, width] = [STRIPE_DISTANCE, STRIPE_WIDTH].map(|points| points * canvas.scale);
            let stripes = Stripes {
                distance,
                width,
                color: theme.black_stripes,
            };
            for quad in quads {
                draw_stripes(canvas, &quad.map(|(at, _)| at), self.inside, stripes);
            }
        }
    }

    /// Draws the tray's border around the shares, which gives them round corners.
    fn draw_border(&self, canvas: &mut OverlayCanvas<'_, '_>) {
        let stroke = Stroke::new(self.margin, canvas.theme().tray);
        canvas.add(RectShape::stroke(
            self.inside,
            CornerRadius::same(corner_radius(self.corner)),
            stroke,
            StrokeKind::Outside,
        ));
    }

    /// Draws the outline of an empty tray.
    fn draw_hairline(&self, canvas: &mut OverlayCanvas<'_, '_>) {
        let theme = canvas.theme();
        let stroke = Stroke::new(1.0, faded(theme.on_tray, theme.tray, 0.3));
        canvas.add(RectShape::stroke(
            self.inside,
            CornerRadius::same(corner_radius(self.corner)),
            stroke,
            StrokeKind::Inside,
        ));
    }

    fn draw_notch(&self, canvas: &mut OverlayCanvas<'_, '_>, at: f32, length: f32) {
        let width = (0.025 * self.thickness()).max(1.0);
        for (from, to) in [(0.0, length), (1.0 - length, 1.0)] {
            let notch = Rect::from_two_pos(
                self.point(at, -width / 2.0, from),
                self.point(at, width / 2.0, to),
            );
            canvas.fill(notch, CornerRadius::ZERO, canvas.theme().tray);
        }
    }

    /// Returns the line of the seam. The ends of the line are under the border of the shares.
    fn seam_line(&self, at: f32, depth: f32, width: f32) -> [Pos2; 3] {
        // The seam stays within the tray for every share: it keeps a distance of half its width from the ends.
        let [first, point, last] = [(0.0, -depth), (0.5, depth), (1.0, -depth)].map(|(across, along)| {
            let (middle, room) = (self.length() / 2.0, ((self.length() - width) / 2.0).max(0.0));
            let along = (at * self.length() + along).max(middle - room).min(middle + room);
            self.point(0.0, along, across)
        });
        let beyond = |from: Pos2, to: Pos2| {
            let direction = (to - from).normalized();
            let along = if self.axis == BarAxis::Across {
                direction
            } else {
                direction.yx()
            };
            // The corner of the gap beside the line stays in the tray.
            let far = (self.margin - width * along.x.abs()) / along.y.abs().max(0.1);
            to + direction * far.clamp(0.0, self.margin)
        };
        [beyond(point, first), point, beyond(point, last)]
    }

    /// Draws the word of a side at the end of the side, if the share is long enough. `length` is the room along the
    /// share, in points of the screen.
    fn draw_word(
        &self,
        canvas: &mut OverlayCanvas<'_, '_>,
        color: Color,
        word: &str,
        length: f32,
        is_first: bool,
        strength: f32,
    ) {
        let theme = canvas.theme();
        let size = self.font_size(WORD_FONT_FRACTIONS);
        let min_length = match self.axis {
            BarAxis::Up => MIN_UPRIGHT_WORD_SHARE_LENGTH * size,
            BarAxis::Across => {
                let run = [TextRun::bold(word, theme.on_black)];
                let width = canvas.width(TextRuns::line(&run, size / canvas.scale));
                (width + MIN_WORD_MARGIN * size).max(MIN_WORD_SHARE_LENGTH * size)
            }
        };
        if length < min_length || !canvas.style.shows(OverlayPart::Words) && !canvas.style.is_exact {
            return;
        }
        let (on, under) = match color {
            Color::Black => (theme.on_black, theme.black),
            Color::White => (theme.on_white, theme.white),
        };
        let under = faded(under, theme.tray, strength);
        let text = TextRun::bold(word, faded(on, under, strength));
        let (fraction, inward) = if is_first { (0.0, 1.0) } else { (1.0, -1.0) };
        let bounds = match self.axis {
            BarAxis::Across => {
                let (near, far) = (0.35 * size * inward, length * inward);
                Rect::from_two_pos(self.point(fraction, near, 0.0), self.point(fraction, far, 1.0))
            }
            BarAxis::Up => {
                let (near, far) = (0.3 * size * inward, 1.7 * size * inward);
                Rect::from_two_pos(self.point(fraction, near, 0.0), self.point(fraction, far, 1.0))
            }
        };
        let align = match (self.axis, is_first) {
            (BarAxis::Up, _) => egui::Align::Center,
            (BarAxis::Across, true) => egui::Align::LEFT,
            (BarAxis::Across, false) => egui::Align::RIGHT,
        };
        let edge = if theme.black_stripes != Color32::TRANSPARENT && color == Color::Black {
            theme.tray
        } else {
            Color32::TRANSPARENT
        };
        canvas.draw_on_bar(text, size, bounds, align, edge);
    }

    /// Draws the first of these sentences that fits shrunk or narrowed, or else the last one, cut off, if
    /// `max_crowding` allows this. Returns whether a sentence was drawn.
    fn draw_sentences(
        &self,
        canvas: &mut OverlayCanvas<'_, '_>,
        sentences: &[&str],
        max_crowding: Crowding,
        color: Color32,
    ) -> bool {
        let size = self.font_size(SENTENCE_FONT_FRACTIONS);
        let [along, across] = [
            vec2(0.25 * self.thickness(), 0.0),
            vec2(0.0, 0.1 * self.thickness()),
        ];
        let mut draw = |text: &str, crowding| {
            let run = TextRun::bold(text, color);
            match self.axis {
                BarAxis::Across => canvas.draw_sentence(run, size, self.inside.shrink2(along), crowding),
                BarAxis::Up => canvas.draw_vertical_text(run, size, self.inside.shrink2(across), crowding),
            }
        };
        let mut fits =
            |crowding| crowding <= max_crowding && sentences.iter().any(|text| draw(text, crowding));
        let is_whole = fits(Crowding::Shrunk) || fits(Crowding::Narrowed);
        is_whole
            || max_crowding == Crowding::CutOff
                && sentences.last().is_some_and(|text| draw(text, max_crowding))
    }
}

/// The points of a theme's corner radius per point of a layout.
const CORNER_DESIGN_SCALE: f32 = 1.55;

/// Slanting stripes over a part of the bar.
#[derive(Clone, Copy, Debug)]
struct Stripes {
    /// The distance from one stripe to the next, in points of the screen.
    distance: f32,
    /// The width of a stripe, in points of the screen.
    width: f32,
    color: Color32,
}

/// Draws stripes within a convex polygon. The stripes continue those of other polygons in `all`.
fn draw_stripes(canvas: &mut OverlayCanvas<'_, '_>, polygon: &[Pos2], all: Rect, stripes: Stripes) {
    let Stripes {
        distance,
        width,
        color,
    } = stripes;
    // The stripes are lines of equal x + y.
    let mut at = all.left() + all.top();
    while at < all.right() + all.bottom() {
        let after_first = clip_polygon(polygon, |point| point.x + point.y - at);
        let within = clip_polygon(&after_first, |point| {
            at + width * std::f32::consts::SQRT_2 - point.x - point.y
        });
        if within.len() > 2 {
            canvas.add(PathShape::convex_polygon(within, color, Stroke::NONE));
        }
        at += distance * std::f32::consts::SQRT_2;
    }
}

/// Returns the part of a polygon where `side` is positive (Sutherland and Hodgman).
fn clip_polygon(polygon: &[Pos2], side: impl Fn(Pos2) -> f32) -> Vec<Pos2> {
    let mut clipped = Vec::with_capacity(polygon.len() + 2);
    let next = polygon.iter().cycle().skip(1);
    for (one, other) in polygon.iter().zip(next) {
        let (here, there) = (side(*one), side(*other));
        if here >= 0.0 {
            clipped.push(*one);
        }
        if (here < 0.0) != (there < 0.0) {
            clipped.push(one.lerp(*other, here / (here - there)));
        }
    }
    clipped
}
