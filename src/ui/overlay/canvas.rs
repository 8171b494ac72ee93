//! The canvas of a layout. It records the bounds and the actual rectangle of each text, so that tests can check that
//! nothing overlaps.

use super::OverlayStyle;
use crate::text_runs::{self, TextRun, TextRuns};
use crate::theme::mean_share_color;
use crate::{PaintTheme, PartWord};
use eframe::egui;
use egui::epaint::text::{FontsView, LayoutJob};
use egui::epaint::{PathShape, RectShape, TextShape};
use egui::{Align, Color32, CornerRadius, Galley, Pos2, Rect, Shape, Stroke, StrokeKind, Vec2, pos2, vec2};
use shogibar_base::Lang;
use shogibar_config::Rgba;
use shogibar_games::bar::EngineSignal;
use shogibar_shogi::Color;
use std::f32::consts::{FRAC_1_SQRT_2, FRAC_PI_2};
use std::sync::Arc;

/// The minimum visible width of a text that is cut off, in ems.
const MIN_VISIBLE_WIDTH_EMS: f32 = 2.5;

/// The minimum scale to which a sentence on the bar is reduced.
const MIN_SENTENCE_SCALE: f32 = 0.6;

/// The maximum font size of an enlarged text, as a fraction of the height of its box.
const MAX_ENLARGED_SIZE_FRACTION: f32 = 0.85;

/// The width of the outline around text and pieces, in points at scale 1.
const OUTLINE_WIDTH: f32 = 1.5;

/// The width of the outline around the panel, in points.
const PANEL_OUTLINE_WIDTH: f32 = 2.0;

/// The corner radius of a chip, in points at scale 1.
const CHIP_CORNER_RADIUS: f32 = 2.0;

/// The mark of a move by White, whose inside is hollow.
const WHITE_MARK: char = '△';

/// The number of vertices of a glyph in the mesh of its row.
const VERTICES_PER_GLYPH: usize = 4;

/// The shapes and texts of a drawn bar.
#[derive(Debug, Default)]
pub struct OverlayPicture {
    /// The shapes, in painting order.
    pub shapes: Vec<Shape>,
    /// The texts among the shapes.
    pub texts: Vec<PlacedText>,
    /// The parts with screen reader names.
    pub named_parts: Vec<NamedPart>,
    /// The rectangle of the rows that were left free; `None` unless the style requests free rows and the layout has
    /// rows.
    pub free_rows: Option<Rect>,
    /// Whether the card of a turning point is drawn.
    pub has_card: bool,
}

/// A text of an [`OverlayPicture`], with its rectangle.
#[derive(Clone, Debug)]
pub struct PlacedText {
    /// The whole text, even if only its beginning is visible.
    pub text: String,
    /// Whether only the beginning is visible.
    pub is_elided: bool,
    /// The font size, in points of the screen.
    pub size: f32,
    /// The rectangle that the text must stay in.
    pub bounds: Rect,
    /// The rectangle of the text's glyphs.
    pub ink: Rect,
    /// Whether the text is drawn on the bar.
    pub is_on_bar: bool,
}

/// A part of a picture with a screen reader name.
#[derive(Clone, Debug)]
pub struct NamedPart {
    /// The kind of part.
    pub part: PartWord,
    /// The index of the engine to which the part belongs, from 0; `None` if there is only one engine.
    pub engine: Option<usize>,
    /// The text of the part.
    pub value: String,
    /// The rectangle of the part.
    pub rect: Rect,
}

/// The measure by which a sentence on the bar is made to fit, from the mildest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Crowding {
    /// The text is made smaller.
    Shrunk,
    /// The text is made narrower.
    Narrowed,
    /// The end of the text is cut off.
    CutOff,
}

/// Draws the parts of a bar into an [`OverlayPicture`].
pub(super) struct OverlayCanvas<'a, 'f> {
    pub(super) fonts: &'a mut FontsView<'f>,
    pub(super) style: &'a OverlayStyle,
    /// Points of the screen per point of the layout.
    pub(super) scale: f32,
    /// The index of the engine being drawn, from 0; `None` if there is only one engine.
    pub(super) engine: Option<usize>,
    /// The part of the time of a turning point's card that remains, from 1 to 0.
    pub(super) card_time: f32,
    pub(super) picture: OverlayPicture,
}

impl<'a, 'f> OverlayCanvas<'a, 'f> {
    pub(super) fn new(fonts: &'a mut FontsView<'f>, style: &'a OverlayStyle) -> Self {
        Self {
            fonts,
            style,
            scale: 1.0,
            engine: None,
            card_time: 1.0,
            picture: OverlayPicture::default(),
        }
    }
}

impl<'a> OverlayCanvas<'a, '_> {
    pub(super) const fn theme(&self) -> &'a PaintTheme {
        &self.style.theme
    }

    /// Returns the smallest readable font size, in points of the screen.
    pub(super) fn min_font_size(&self) -> f32 {
        f32::from(self.style.min_font_size)
    }

    /// Draws the background of the used part of the window. An opaque background fills the whole window.
    pub(super) fn draw_background(&mut self, used: Rect, window: Rect) {
        let rect = if self.style.background == shogibar_config::Background::Transparent {
            used
        } else {
            window
        };
        let corner = corner_radius(self.scaled_radius(self.theme().panel_corner));
        let panel = self.theme().panel.gamma_multiply(self.style.opacity.fraction());
        self.fill(rect, CornerRadius::same(corner), panel);
        let edge = self.theme().panel_edge;
        if edge != Color32::TRANSPARENT {
            let stroke = Stroke::new(PANEL_OUTLINE_WIDTH, edge);
            self.add(RectShape::stroke(
                rect,
                CornerRadius::same(corner),
                stroke,
                StrokeKind::Inside,
            ));
        }
    }

    /// Returns a font size, enlarged as the user wants. It exceeds the design size only if a box of this height, in
    /// points of the screen, has room for it. It is never below the smallest readable size.
    fn enlarged_size(&self, size: f32, height: f32) -> f32 {
        (size * self.style.text_size.fraction())
            .min(size.max(height * MAX_ENLARGED_SIZE_FRACTION / self.scale))
            .max(self.min_font_size() / self.scale)
    }

    /// Returns the text with the font size of [`enlarged_size`](Self::enlarged_size) in a box of this height.
    fn readable_text<'t>(&self, text: TextRuns<'t>, height: f32) -> TextRuns<'t> {
        TextRuns {
            size: self.enlarged_size(text.size, height),
            is_on_bar: true,
            min_size: self.min_font_size(),
            ..text
        }
    }

    /// Returns the font size that, enlarged as the user wants, fits into a box of this height.
    pub(super) fn size_within(&self, size: f32, height: f32) -> f32 {
        self.enlarged_size(size, height) / self.style.text_size.fraction()
    }

    /// Returns the width of the text without wrapping, in points of the screen.
    pub(super) fn width(&mut self, text: TextRuns<'_>) -> f32 {
        self.readable_text(text, f32::INFINITY)
            .width(self.fonts, self.scale)
    }

    /// Returns the text, as small as needed for this width, but not below the smallest readable size.
    pub(super) fn shrink_to_width<'t>(&mut self, text: TextRuns<'t>, width: f32) -> TextRuns<'t> {
        let text = self
            .readable_text(text, f32::INFINITY)
            .shrink(self.fonts, width, self.scale);
        TextRuns {
            size: text.size / self.style.text_size.fraction(),
            ..text
        }
    }

    /// Draws a line of text, vertically centred in `bounds`. Texts with the same `base` size share a baseline. Returns
    /// the rectangle of the text.
    pub(super) fn draw_line(&mut self, text: TextRuns<'_>, base: f32, bounds: Rect, align: Align) -> Rect {
        self.draw_fitted(text, base, bounds, align, self.theme().text_edge)
    }

    /// Draws a line of text, as small and then as narrow as the width needs. The end is cut off only after that.
    /// Returns the rectangle of the text.
    pub(super) fn draw_squeezed(
        &mut self,
        text: TextRuns<'_>,
        base: f32,
        bounds: Rect,
        align: Align,
    ) -> Rect {
        let galley = self.squeeze(text, bounds.size());
        let base = self.enlarged_size(base, bounds.height());
        let baseline = bounds.center().y + text_runs::baseline(base, self.scale);
        self.place_squeezed(&galley, baseline, bounds, align, self.theme().text_edge, false)
    }

    /// Returns the width of a text after [`draw_squeezed`](Self::draw_squeezed) into a box of this size.
    pub(super) fn squeezed_width(&mut self, text: TextRuns<'_>, room: Vec2) -> f32 {
        self.squeeze(text, room).rect.width()
    }

    /// Returns whether the whole text is visible after [`draw_squeezed`](Self::draw_squeezed) into a box of this size.
    pub(super) fn fits_squeezed(&mut self, text: TextRuns<'_>, room: Vec2) -> bool {
        !self.squeeze(text, room).elided
    }

    /// Draws a text on the bar, vertically centred. `size` is in points of the screen.
    pub(super) fn draw_on_bar(
        &mut self,
        text: TextRun<'_>,
        size: f32,
        bounds: Rect,
        align: Align,
        edge: Color32,
    ) {
        if text.text.is_empty() || bounds.height() < self.min_font_size() {
            return;
        }
        let size = size / self.scale;
        let galley = self.squeeze(TextRuns::line(&[text], size), bounds.size());
        let baseline = bounds.center().y + text_runs::baseline(galley_size(&galley), 1.0);
        self.place_squeezed(&galley, baseline, bounds, align, edge, true);
    }

    /// Draws a sentence on the bar, as small and then as narrow as the width needs. Draws nothing if the sentence needs
    /// more than `max_crowding`. Returns whether it was drawn. `size` is in points of the screen.
    pub(super) fn draw_sentence(
        &mut self,
        text: TextRun<'_>,
        size: f32,
        bounds: Rect,
        max_crowding: Crowding,
    ) -> bool {
        let wanted = self.width(TextRuns::line(&[text], size / self.scale)).max(1.0);
        let part = (bounds.width() / wanted).clamp(MIN_SENTENCE_SCALE, 1.0);
        // Font sizes are multiples of half a point.
        let size = (size * part * 2.0).floor() / 2.0;
        let galley = self.squeeze(TextRuns::line(&[text], size / self.scale), bounds.size());
        let crowding = match galley.elided {
            true => Crowding::CutOff,
            false if wanted * part > bounds.width() + 0.5 => Crowding::Narrowed,
            false => Crowding::Shrunk,
        };
        if bounds.height() < self.min_font_size()
            || !galley.mesh_bounds.is_positive()
            || crowding > max_crowding
        {
            return false;
        }
        self.draw_on_bar(text, size, bounds, Align::Center, Color32::TRANSPARENT);
        true
    }

    /// Lays out a text in a box of this size: as small and then as narrow as needed, and then cut off.
    fn squeeze(&mut self, text: TextRuns<'_>, room: Vec2) -> Arc<Galley> {
        self.readable_text(text, room.y)
            .squeeze(self.fonts, room.x, self.scale)
    }

    /// Places a galley with the baseline at a height. Returns the rectangle, which is empty if the galley does not fit.
    fn place_squeezed(
        &mut self,
        galley: &Arc<Galley>,
        baseline: f32,
        bounds: Rect,
        align: Align,
        edge: Color32,
        is_on_bar: bool,
    ) -> Rect {
        let width = galley.rect.width();
        if width > bounds.width() + 0.5
            || galley.elided && width < MIN_VISIBLE_WIDTH_EMS * galley_size(galley)
        {
            return Rect::from_min_size(bounds.left_center(), vec2(0.0, 0.0));
        }
        let left = align.align_size_within_range(width, bounds.x_range()).min;
        let at = pos2(left, baseline - text_runs::ascent(galley));
        self.place_galley_with_outline(galley, at, bounds, edge, is_on_bar)
    }

    /// Draws a line of text, cut off if it is too long. Returns the rectangle, which is empty if almost nothing fits.
    fn draw_fitted(
        &mut self,
        text: TextRuns<'_>,
        base: f32,
        bounds: Rect,
        align: Align,
        edge: Color32,
    ) -> Rect {
        let text = self.readable_text(text, bounds.height());
        let galley = text.fit(self.fonts, bounds.width(), self.scale);
        let too_little =
            galley.elided && galley.rect.width() < MIN_VISIBLE_WIDTH_EMS * text.size * self.scale;
        if too_little || galley.rect.width() > bounds.width() + 0.5 {
            // The ellipsis does not fit, or almost no text fits before it.
            return Rect::from_min_size(bounds.left_center(), vec2(0.0, 0.0));
        }
        let left = align
            .align_size_within_range(galley.rect.width(), bounds.x_range())
            .min;
        let base = self.enlarged_size(base, bounds.height());
        let baseline = bounds.center().y + text_runs::baseline(base, self.scale);
        self.place_galley(
            &galley,
            pos2(left, baseline - text_runs::ascent(&galley)),
            bounds,
            edge,
        )
    }

    /// Draws a text of several lines from the top of `bounds`. Returns the rectangle of the text.
    pub(super) fn draw_block(&mut self, text: TextRuns<'_>, bounds: Rect) -> Rect {
        let galley = self
            .readable_text(text, f32::INFINITY)
            .fit(self.fonts, bounds.width(), self.scale);
        self.place_galley(&galley, bounds.left_top(), bounds, self.theme().text_edge)
    }

    /// Draws a text centred in an upright box: stacked characters in Japanese, otherwise rotated by a quarter turn.
    /// Draws nothing if the text needs more than `max_crowding`. Returns whether it was drawn. `size` is in points of
    /// the screen.
    pub(super) fn draw_vertical_text(
        &mut self,
        run: TextRun<'_>,
        size: f32,
        bounds: Rect,
        max_crowding: Crowding,
    ) -> bool {
        let size = size.max(self.min_font_size());
        match self.style.lang {
            Lang::Ja => self.draw_stacked(run, size, bounds, max_crowding == Crowding::CutOff),
            Lang::En => self.draw_rotated(run, size / self.scale, bounds, max_crowding == Crowding::CutOff),
        }
    }

    /// Draws one cell for each character, from top to bottom. The digits of a number share a cell (縦中横). Returns
    /// whether there was room.
    fn draw_stacked(&mut self, run: TextRun<'_>, size: f32, bounds: Rect, may_be_cut: bool) -> bool {
        let text: String = run.text.chars().take(text_runs::MAX_SHOWN_CHARS).collect();
        let mut cells = vertical_cells(&text);
        let height = |cells: &[&str]| cells.iter().map(|cell| cell_height(cell)).sum::<f32>().max(1.0);
        if may_be_cut && height(&cells) * self.min_font_size() > bounds.height() {
            while !cells.is_empty()
                && (height(&cells) + cell_height(ELLIPSIS)) * self.min_font_size() > bounds.height()
            {
                cells.pop();
            }
            cells.push(ELLIPSIS);
        }
        let count = height(&cells);
        let text_scale = self.style.text_size.fraction();
        let em = (size * text_scale)
            .min(bounds.height() / count)
            .min(bounds.width());
        if cells.is_empty() || em < self.min_font_size() {
            return false;
        }
        let mut top = bounds.center().y - count * em / 2.0;
        for cell in cells {
            let below = top + cell_height(cell) * em;
            let bounds = bounds.with_min_y(top).with_max_y(below);
            if cell.chars().all(is_rotated_character) {
                self.draw_rotated_character(TextRun { text: cell, ..run }, em, bounds);
            } else {
                let middle = Rect::from_center_size(bounds.center(), vec2(em * 1.06, bounds.height()));
                self.draw_on_bar(
                    TextRun { text: cell, ..run },
                    em / text_scale,
                    middle,
                    Align::Center,
                    Color32::TRANSPARENT,
                );
            }
            top = below;
        }
        true
    }

    fn draw_rotated_character(&mut self, run: TextRun<'_>, em: f32, bounds: Rect) {
        let runs = [run];
        let galley = TextRuns {
            is_on_bar: true,
            ..TextRuns::line(&runs, em / self.scale)
        }
        .fit(self.fonts, f32::INFINITY, self.scale);
        // The character is rotated about its middle.
        let middle = vec2(
            galley.rect.width() / 2.0,
            text_runs::ascent(&galley) - text_runs::baseline(em, 1.0),
        );
        let at = bounds.center() - vec2(-middle.y, middle.x);
        self.add(TextShape::new(at, galley, Color32::PLACEHOLDER).with_angle(FRAC_PI_2));
    }

    /// Draws a text rotated by a quarter turn, read from the bottom. Returns whether there was room. `size` is in
    /// points at scale 1.
    fn draw_rotated(&mut self, run: TextRun<'_>, size: f32, bounds: Rect, may_be_cut: bool) -> bool {
        let galley = self.squeeze(
            TextRuns::line(&[run], size),
            vec2(bounds.height(), bounds.width()),
        );
        let along = galley.rect.width();
        let fits = along <= bounds.height() + 0.5 && galley.rect.height() * 0.8 <= bounds.width();
        if run.text.is_empty() || !fits || galley.elided && !may_be_cut {
            return false;
        }
        // The text is read from the bottom: its baseline is on the right.
        let middle = text_runs::ascent(&galley) - text_runs::baseline(galley_size(&galley), 1.0);
        let at = pos2(bounds.center().x - middle, bounds.center().y + along / 2.0);
        let rotated = |rect: Rect| {
            Rect::from_min_max(
                pos2(at.x + rect.top(), at.y - rect.right()),
                pos2(at.x + rect.bottom(), at.y - rect.left()),
            )
        };
        self.picture.texts.push(PlacedText {
            text: galley.job.text.clone(),
            is_elided: galley.elided,
            size: galley_size(&galley),
            bounds,
            ink: rotated(galley.mesh_bounds),
            is_on_bar: true,
        });
        let text_shape = TextShape::new(at, galley, Color32::PLACEHOLDER);
        self.add(text_shape.with_angle(-FRAC_PI_2));
        true
    }

    /// Draws a laid out text beside the bar, with an outline unless `edge` is transparent. Returns the rectangle.
    fn place_galley(&mut self, galley: &Arc<Galley>, at: Pos2, bounds: Rect, edge: Color32) -> Rect {
        self.place_galley_with_outline(galley, at, bounds, edge, false)
    }

    /// Draws a laid out text at a point, rounded to whole pixels, with an outline unless `edge` is transparent. Returns
    /// the rectangle.
    fn place_galley_with_outline(
        &mut self,
        galley: &Arc<Galley>,
        at: Pos2,
        bounds: Rect,
        edge: Color32,
        is_on_bar: bool,
    ) -> Rect {
        // The position is rounded to whole pixels, as the tessellator does it.
        let pixels = galley.pixels_per_point;
        let at = (at.to_vec2() * pixels).round() / pixels;
        if galley.mesh_bounds.is_positive() {
            self.picture.texts.push(PlacedText {
                text: galley.job.text.clone(),
                is_elided: galley.elided,
                size: galley_size(galley),
                bounds,
                ink: galley.mesh_bounds.translate(at),
                is_on_bar,
            });
        }
        if edge != Color32::TRANSPARENT {
            self.fill_hollow_marks(galley, at, edge);
            self.outline_text(galley, at, edge);
        }
        self.add(Shape::galley(
            at.to_pos2(),
            Arc::clone(galley),
            Color32::PLACEHOLDER,
        ));
        galley.rect.translate(at)
    }

    /// Fills the inside of each △ with the colour of the outline. Over a bright video, it would otherwise look like ▲.
    /// The fill is opaque: on a key colour, no half-transparent pixel may remain.
    fn fill_hollow_marks(&mut self, galley: &Galley, at: Vec2, edge: Color32) {
        for placed in &galley.rows {
            for glyph in placed.row.glyphs.iter().filter(|glyph| glyph.chr == WHITE_MARK) {
                let first = usize::try_from(glyph.first_vertex).unwrap_or(usize::MAX);
                let corners = placed
                    .row
                    .visuals
                    .mesh
                    .vertices
                    .iter()
                    .skip(first)
                    .take(VERTICES_PER_GLYPH);
                let ink = corners.fold(Rect::NOTHING, |ink, vertex| ink.union(Rect::from_pos(vertex.pos)));
                if ink.is_positive() {
                    let ink = ink.translate(at + placed.pos.to_vec2());
                    let triangle = vec![ink.center_top(), ink.right_bottom(), ink.left_bottom()];
                    self.add(PathShape::convex_polygon(triangle, edge, Stroke::NONE));
                }
            }
        }
    }

    /// Draws the outline of a text: copies of the text in the outline colour, offset in each direction.
    fn outline_text(&mut self, galley: &Arc<Galley>, at: Vec2, edge: Color32) {
        let pixels = galley.pixels_per_point;
        // Whole pixels keep the copies as sharp as the text.
        let far = (OUTLINE_WIDTH * self.scale * pixels).round().max(1.0) / pixels;
        let near = (OUTLINE_WIDTH * self.scale * pixels * FRAC_1_SQRT_2)
            .round()
            .max(1.0)
            / pixels;
        let straight = [vec2(far, 0.0), vec2(0.0, far), vec2(-far, 0.0), vec2(0.0, -far)];
        let slanting = [
            vec2(near, near),
            vec2(-near, near),
            vec2(-near, -near),
            vec2(near, -near),
        ];
        for offset in straight.into_iter().chain(slanting) {
            let text_shape =
                TextShape::new((at + offset).to_pos2(), Arc::clone(galley), Color32::PLACEHOLDER);
            self.add(text_shape.with_override_text_color(edge));
        }
    }

    /// Returns the pixels per point of the screen.
    fn pixels_per_point(&mut self) -> f32 {
        // The fonts do not give their scale, but a laid out text does.
        self.fonts.layout_job(LayoutJob::default()).pixels_per_point
    }

    /// Adds a part for screen readers, unless its text is empty.
    pub(super) fn add_named_part(&mut self, part: PartWord, value: impl Into<String>, rect: Rect) {
        let value = value.into();
        if !value.is_empty() {
            self.picture.named_parts.push(NamedPart {
                part,
                engine: self.engine,
                value,
                rect,
            });
        }
    }

    /// Adds a filled rectangle. With sharp corners, it is placed on whole pixels and is at least one pixel thick, so
    /// that its edges do not blend with the background.
    pub(super) fn fill(&mut self, rect: Rect, corners: CornerRadius, color: Color32) {
        let is_sharp = corners == CornerRadius::ZERO;
        let rect = if is_sharp {
            on_whole_pixels(rect, self.pixels_per_point())
        } else {
            rect
        };
        self.add(RectShape::filled(rect, corners, color));
    }

    /// Draws a line under a name, with an outline if texts have one.
    pub(super) fn draw_underline(&mut self, line: Rect) {
        let theme = self.theme();
        if theme.text_edge != Color32::TRANSPARENT {
            self.fill(
                line.expand(OUTLINE_WIDTH * self.scale),
                CornerRadius::ZERO,
                theme.text_edge,
            );
        }
        self.fill(line, CornerRadius::ZERO, theme.best);
    }

    pub(super) fn scaled_radius(&self, points: u8) -> f32 {
        f32::from(points) * self.scale
    }

    /// Draws a dot if `is_live`, otherwise a ring.
    pub(super) fn draw_live_dot(&mut self, center: Pos2, radius: f32, is_live: bool) {
        let theme = self.theme();
        if theme.text_edge != Color32::TRANSPARENT {
            self.add(Shape::circle_filled(
                center,
                radius + OUTLINE_WIDTH * self.scale,
                theme.text_edge,
            ));
        }
        let stroke = Stroke::new(radius * 0.4, theme.best);
        self.add(if is_live {
            Shape::circle_filled(center, radius, theme.live)
        } else {
            Shape::circle_stroke(center, radius * 0.8, stroke)
        });
    }

    /// Draws an engine's signal. Shapes differ as well as colours: a disc, a ring, two bars or a cross.
    pub(super) fn draw_signal(&mut self, signal: EngineSignal, square: Rect) {
        let theme = self.theme();
        let (center, radius) = (square.center(), square.width() / 2.0);
        let line = Stroke::new(
            square.width() * 0.2,
            if signal == EngineSignal::Lost {
                theme.loss
            } else {
                theme.quiet
            },
        );
        if theme.text_edge != Color32::TRANSPARENT {
            self.add(Shape::circle_filled(
                center,
                radius + OUTLINE_WIDTH * self.scale,
                theme.text_edge,
            ));
        }
        match signal {
            EngineSignal::Live => self.add(Shape::circle_filled(center, radius, theme.live)),
            EngineSignal::Waiting => self.add(Shape::circle_stroke(center, radius - line.width / 2.0, line)),
            EngineSignal::Paused => {
                let pause = square.shrink2(vec2(line.width / 2.0, 0.0));
                let width = square.width() * 0.3;
                self.fill(
                    pause.with_max_x(pause.left() + width),
                    CornerRadius::ZERO,
                    line.color,
                );
                self.fill(
                    pause.with_min_x(pause.right() - width),
                    CornerRadius::ZERO,
                    line.color,
                );
            }
            EngineSignal::Lost => {
                let cross = square.shrink(line.width / 2.0);
                self.add(Shape::line_segment(
                    [cross.left_top(), cross.right_bottom()],
                    line,
                ));
                self.add(Shape::line_segment(
                    [cross.right_top(), cross.left_bottom()],
                    line,
                ));
            }
        }
    }

    /// Draws an upright shogi piece in the colour of its side, with an outline if the colour is hard to see.
    pub(super) fn draw_piece(&mut self, bounds: Rect, side: Color) {
        let theme = self.theme();
        let fill = mean_share_color(theme, side);
        let at = |x: f32, y: f32| bounds.lerp_inside(vec2(x, y));
        let outline = vec![
            at(0.5, 0.0),
            at(0.84, 0.16),
            at(1.0, 1.0),
            at(0.0, 1.0),
            at(0.16, 0.16),
        ];
        let edge = if theme.text_edge != Color32::TRANSPARENT {
            Stroke::new(2.0 * OUTLINE_WIDTH * self.scale, theme.text_edge)
        } else if is_hard_to_see(fill, theme.panel) {
            Stroke::new(1.2 * self.scale, theme.text)
        } else {
            Stroke::NONE
        };
        if edge != Stroke::NONE {
            self.add(PathShape::closed_line(outline.clone(), edge));
        }
        self.add(PathShape::convex_polygon(outline, fill, Stroke::NONE));
    }

    /// Draws the background of a chip, with a border unless `edge` is transparent.
    pub(super) fn draw_chip(&mut self, bounds: Rect, fill: Color32, edge: Color32) {
        let corner = CornerRadius::same(corner_radius(CHIP_CORNER_RADIUS * self.scale));
        if self.theme().text_edge != Color32::TRANSPARENT {
            self.add(RectShape::filled(
                bounds.expand(OUTLINE_WIDTH * self.scale),
                corner,
                self.theme().text_edge,
            ));
        }
        self.add(RectShape::filled(bounds, corner, fill));
        if edge != Color32::TRANSPARENT {
            self.add(RectShape::stroke(
                bounds,
                corner,
                Stroke::new(self.scale.max(1.0), edge),
                StrokeKind::Inside,
            ));
        }
    }

    /// Returns the colour of text on the mark of the best move: that of the panel, or of the outline if texts have one.
    pub(super) fn text_on_best_color(&self) -> Color32 {
        let theme = self.theme();
        if theme.text_edge == Color32::TRANSPARENT {
            theme.panel.to_opaque()
        } else {
            theme.text_edge
        }
    }

    /// Draws the text of a chip, without the outline that texts have on the panel.
    pub(super) fn draw_chip_text(&mut self, text: TextRuns<'_>, bounds: Rect) {
        self.draw_fitted(text, text.size, bounds, Align::Center, Color32::TRANSPARENT);
    }

    /// Draws a triangle that points to the right, or to the left, at the side to move.
    pub(super) fn draw_triangle(&mut self, bounds: Rect, points_left: bool) {
        let theme = self.theme();
        let (near, far) = if points_left {
            (bounds.right(), bounds.left())
        } else {
            (bounds.left(), bounds.right())
        };
        let points = vec![
            pos2(near, bounds.top()),
            pos2(far, bounds.center().y),
            pos2(near, bounds.bottom()),
        ];
        if theme.text_edge != Color32::TRANSPARENT {
            self.add(PathShape::closed_line(
                points.clone(),
                Stroke::new(2.0 * OUTLINE_WIDTH * self.scale, theme.text_edge),
            ));
        }
        self.add(PathShape::convex_polygon(points, theme.best, Stroke::NONE));
    }

    /// Returns the list of shapes, to which further shapes can be added.
    pub(super) fn shapes_mut(&mut self) -> &mut Vec<Shape> {
        &mut self.picture.shapes
    }

    pub(super) fn add(&mut self, shape: impl Into<Shape>) {
        self.picture.shapes.push(shape.into());
    }
}

/// Returns a rectangle on whole pixels, at least one pixel wide and high.
fn on_whole_pixels(rect: Rect, pixels_per_point: f32) -> Rect {
    let round = |points: Vec2| (points * pixels_per_point).round();
    let size = round(rect.size()).max(Vec2::splat(1.0));
    Rect::from_min_size(
        (round(rect.min.to_vec2()) / pixels_per_point).to_pos2(),
        size / pixels_per_point,
    )
}

/// Returns the font size of a text in points of the screen; 0 for an empty text.
fn galley_size(galley: &Galley) -> f32 {
    galley
        .job
        .sections
        .first()
        .map_or(0.0, |section| section.format.font_id.size)
}

/// Returns whether a shape in a colour is hard to see on a background: their lightness differs too little.
fn is_hard_to_see(color: Color32, background: Color32) -> bool {
    let rgba = |color: Color32| Rgba([color.r(), color.g(), color.b(), 0xFF]);
    shogibar_config::contrast(rgba(color), rgba(background.to_opaque())) < 3.0
}

/// The end of a vertical line that is cut off.
const ELLIPSIS: &str = "…";

/// Splits a text into the cells of a vertical line: characters, and numbers of at most three digits.
fn vertical_cells(text: &str) -> Vec<&str> {
    let mut cells = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let length = if (2..=3).contains(&digits) {
            digits
        } else {
            first.len_utf8()
        };
        let (cell, after) = rest.split_at(length);
        cells.push(cell);
        rest = after;
    }
    cells
}

/// Returns the height of a cell in a vertical line, in ems.
fn cell_height(cell: &str) -> f32 {
    if cell.chars().all(char::is_whitespace) {
        0.5
    } else {
        1.08
    }
}

fn is_rotated_character(letter: char) -> bool {
    "ー（）…―〜".contains(letter)
}

/// Returns a corner radius in egui's type: in points, from 0 to 255.
pub(super) fn corner_radius(radius: f32) -> u8 {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "clamped to the type's range"
    )]
    let radius = radius.round().clamp(0.0, 255.0) as u8;
    radius
}

#[cfg(test)]
mod tests;
