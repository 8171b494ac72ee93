//! A win-rate curve as a picture with two plots: the reliability of the predictions, and the curve over evaluations.
//! The plot of the reliability is also shown in a window.

use super::canvas::ShapeCanvas;
use super::fonts::{self, FontChoice, TextWeight};
use super::report::PictureError;
use super::snapshot::{PictureSize, SnapshotRenderer};
use super::svg::SvgWriter;
use super::{PaintTheme, png};
use eframe::egui;
use egui::accesskit::Role;
use egui::epaint::text::FontsView;
use egui::{
    Color32, Context, Pos2, RawInput, Rect, Sense, Shape, Stroke, Ui, ViewportId, WidgetInfo, pos2, vec2,
};
use shogibar_base::Lang;
use shogibar_games::calibration::EngineCurve;
use shogibar_games::calibration_text::{self as text, CurveWord};
use shogibar_games::report::HtmlBuilder;
use shogibar_shogi::score::{Reliability, ReliabilityBin, WinRateCurve};

/// The size of the picture, in points.
const PICTURE_SIZE: [u16; 2] = [800, 470];
/// The upper edge of the plots, in points.
const PLOT_TOP: f32 = 100.0;
/// The size of a plot, in points.
const PLOT_SIZE: [f32; 2] = [320.0, 280.0];
/// The left edges of the two plots, in points.
const PLOT_LEFT_EDGES: [f32; 2] = [50.0, 440.0];
/// The size of the reliability diagram in a window, in points.
const DIAGRAM_SIZE: [f32; 2] = [360.0, 320.0];
/// The upper left corner of the plot in the reliability diagram of a window, in points.
const DIAGRAM_PLOT_OFFSET: [f32; 2] = [44.0, 24.0];
/// The size of the plot in the reliability diagram of a window, in points.
const DIAGRAM_PLOT_SIZE: [f32; 2] = [300.0, 200.0];
/// The height of the column of the bin with the most positions, in points.
const MAX_COLUMN_HEIGHT: f32 = 36.0;
/// The maximum evaluation in the plot of the curve, in centipawns.
const MAX_CP: i16 = 2000;
/// The pixels per point of the picture.
const PIXELS_PER_POINT: f32 = 2.0;

/// Returns the picture as a PNG file.
///
/// # Errors
/// No error is expected, because the size is fixed.
pub fn png(curve: &EngineCurve, name: &str, lang: Lang) -> Result<Vec<u8>, PictureError> {
    let theme = super::theme::paper();
    let [width, height] = PICTURE_SIZE.map(u32::from);
    let image = SnapshotRenderer::with_fonts(&FontChoice::default()).draw_picture(
        PictureSize::new(width, height, PIXELS_PER_POINT)?,
        |ui| {
            let shapes = ui.fonts_mut(|fonts| draw(fonts, curve, name, &theme, lang));
            ui.painter().extend(shapes);
        },
    );
    Ok(png::encode(&image)?)
}

/// Returns the picture as an SVG file.
pub fn svg(curve: &EngineCurve, name: &str, lang: Lang) -> String {
    let theme = super::theme::paper();
    let ctx = Context::default();
    ctx.set_fonts(fonts::definitions());
    let mut input = RawInput::default();
    input
        .viewports
        .entry(ViewportId::ROOT)
        .or_default()
        .native_pixels_per_point = Some(PIXELS_PER_POINT);
    let mut shapes = Vec::new();
    let mut output = ctx.run_ui(input, |ui| {
        shapes = ui.fonts_mut(|fonts| draw(fonts, curve, name, &theme, lang));
    });
    output.textures_delta.clear();
    // Equal shapes for both themes give colours without CSS variables, which some image viewers do not support.
    let elements = SvgWriter::default().elements(&[shapes.clone(), shapes]);
    let (mut page, [width, height]) = (HtmlBuilder::default(), PICTURE_SIZE.map(usize::from));
    page.raw("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 ")
        .count(width)
        .raw(" ")
        .count(height);
    page.raw("\" font-family=\"'Noto Sans JP', 'Hiragino Sans', 'Yu Gothic', sans-serif\" text-anchor=\"middle\">\n");
    page.element("<title>", name, "</title>\n")
        .part(&elements)
        .raw("</svg>\n");
    // The picture has no style sheet, so the classes are replaced by attributes.
    page.finish()
        .replace(" class=\"regular\"", "")
        .replace("class=\"bold\"", "font-weight=\"700\"")
}

/// Shows in a window how often the predictions of a curve came true, with the bins of the picture.
pub fn show_reliability(ui: &mut Ui, reliability: &Reliability, theme: &PaintTheme, lang: Lang) {
    let (response, painter) = ui.allocate_painter(DIAGRAM_SIZE.into(), Sense::hover());
    let [offset, size] = [DIAGRAM_PLOT_OFFSET, DIAGRAM_PLOT_SIZE].map(egui::Vec2::from);
    let plot = Rect::from_min_size(response.rect.min + offset, size);
    let heading = CurveWord::Reliability.text(lang);
    let shapes = ui.fonts_mut(|fonts| {
        let mut diagram = CurveCanvas {
            canvas: ShapeCanvas::new(fonts),
            theme,
        };
        diagram.draw_text(
            heading,
            pos2(response.rect.center().x, plot.top() - 14.0),
            12.0,
            TextWeight::Regular,
        );
        diagram.draw_reliability(plot, &merge_bin_pairs(reliability), lang);
        diagram.canvas.shapes
    });
    painter.extend(shapes);
    response.widget_info(|| WidgetInfo::labeled(Role::Image, true, heading));
}

/// Returns the shapes of the picture, with the upper left corner at the origin. A curve without a fit has only titles.
fn draw(
    fonts: &mut FontsView<'_>,
    curve: &EngineCurve,
    name: &str,
    theme: &PaintTheme,
    lang: Lang,
) -> Vec<Shape> {
    let mut picture = CurveCanvas {
        canvas: ShapeCanvas::new(fonts),
        theme,
    };
    let [width, height] = PICTURE_SIZE.map(f32::from);
    picture.canvas.fill(
        Rect::from_min_size(Pos2::ZERO, vec2(width, height)),
        theme.card.to_opaque(),
    );
    picture.draw_text(
        &text::curve_title(name, [curve.games, curve.positions], lang),
        pos2(width / 2.0, 26.0),
        17.0,
        TextWeight::Bold,
    );
    let [left, right] =
        PLOT_LEFT_EDGES.map(|left| Rect::from_min_size(pos2(left, PLOT_TOP), PLOT_SIZE.into()));
    for (plot, word) in [(left, CurveWord::Reliability), (right, CurveWord::Curve)] {
        picture.draw_text(
            word.text(lang),
            pos2(plot.center().x, PLOT_TOP - 18.0),
            12.0,
            TextWeight::Regular,
        );
    }
    let (Ok(fit), Some(reliability)) = (&curve.fit, &curve.reliability) else {
        return picture.canvas.shapes;
    };
    let tested = curve.test.as_ref().map(|test| test.games);
    let scale = text::curve_scale(
        fit.likeliest_curve.k,
        [fit.k_low, fit.k_high],
        fit.curve.k,
        tested,
        lang,
    );
    picture.draw_text(&scale, pos2(width / 2.0, 52.0), 14.0, TextWeight::Regular);
    let bins = merge_bin_pairs(reliability);
    picture.draw_reliability(left, &bins, lang);
    picture.draw_curves(right, fit.curve, &bins);
    picture.canvas.shapes
}

/// Merges pairs of neighbouring bins, because the picture has room for half of the bins.
fn merge_bin_pairs(reliability: &Reliability) -> Vec<ReliabilityBin> {
    let join = |bins: &[ReliabilityBin]| {
        let positions: u64 = bins.iter().map(|bin| bin.positions).sum();
        let mean = |value: fn(&ReliabilityBin) -> f64| {
            let sum: f64 = bins.iter().map(|bin| value(bin) * bin.positions as f64).sum();
            sum / positions.max(1) as f64
        };
        ReliabilityBin {
            positions,
            mean_predicted: mean(|bin| bin.mean_predicted),
            mean_result: mean(|bin| bin.mean_result),
        }
    };
    reliability.bins.chunks(2).map(join).collect()
}

/// A picture of a curve that is being drawn.
struct CurveCanvas<'a, 'f> {
    canvas: ShapeCanvas<'a, 'f>,
    theme: &'a PaintTheme,
}

impl CurveCanvas<'_, '_> {
    /// Draws a text centred at a point, in the colour of text.
    fn draw_text(&mut self, text: &str, center: Pos2, size: f32, weight: TextWeight) {
        self.canvas
            .draw_text(text, center, weight.at(size), self.theme.text.to_opaque(), false);
    }

    fn draw_line(&mut self, points: Vec<Pos2>, width: f32, color: Color32) {
        self.canvas
            .shapes
            .push(Shape::line(points, Stroke::new(width, color.to_opaque())));
    }

    fn draw_frame(&mut self, plot: Rect) {
        for percent in [0_u8, 25, 50, 75, 100] {
            let y = plot.bottom() - plot.height() * f32::from(percent) / 100.0;
            self.draw_line(
                vec![pos2(plot.left(), y), pos2(plot.right(), y)],
                1.0,
                self.grid_color(),
            );
            self.draw_text(
                &format!("{percent}%"),
                pos2(plot.left() - 20.0, y),
                11.0,
                TextWeight::Regular,
            );
        }
    }

    /// Returns the colour of grid lines and columns.
    fn grid_color(&self) -> Color32 {
        super::theme::faded(self.theme.text, self.theme.card, 0.18)
    }

    /// Draws the mean result of each bin over the predicted win rate, and below it the number of positions of each bin.
    fn draw_reliability(&mut self, plot: Rect, bins: &[ReliabilityBin], lang: Lang) {
        self.draw_frame(plot);
        for percent in [0_u8, 25, 50, 75, 100] {
            let x = plot.left() + plot.width() * f32::from(percent) / 100.0;
            self.draw_text(
                &format!("{percent}%"),
                pos2(x, plot.bottom() + 12.0),
                11.0,
                TextWeight::Regular,
            );
        }
        self.draw_line(vec![plot.left_bottom(), plot.right_top()], 1.0, self.theme.text);
        for bin in bins.iter().filter(|bin| bin.positions > 0) {
            self.draw_dot(plot_point(plot, bin.mean_predicted, bin.mean_result));
        }
        let max_positions = bins
            .iter()
            .map(|bin| bin.positions)
            .max()
            .unwrap_or_default()
            .max(1);
        let bottom = plot.bottom() + 38.0 + MAX_COLUMN_HEIGHT;
        let column_width = plot.width() / bins.len().max(1) as f32;
        for (nth, bin) in bins.iter().enumerate() {
            let left = plot.left() + nth as f32 * column_width;
            let top = bottom - MAX_COLUMN_HEIGHT * fraction(bin.positions as f64 / max_positions as f64);
            let column = Rect::from_min_max(pos2(left + 2.0, top), pos2(left + column_width - 2.0, bottom));
            self.canvas.fill(column, self.grid_color());
            let count = text::short_count(bin.positions);
            self.draw_text(
                &count,
                pos2(left + column_width / 2.0, top - 7.0),
                10.0,
                TextWeight::Regular,
            );
        }
        let below = pos2(plot.center().x, bottom + 10.0);
        self.draw_text(CurveWord::Positions.text(lang), below, 11.0, TextWeight::Regular);
    }

    /// Draws the curve and the curve of K = 600, and the mean result of each bin over the evaluation.
    fn draw_curves(&mut self, plot: Rect, curve: WinRateCurve, bins: &[ReliabilityBin]) {
        self.draw_frame(plot);
        let max = f64::from(MAX_CP);
        let across = |cp: f64| (cp + max) / (2.0 * max);
        for cp in [-2000, -1000, 0, 1000, 2000] {
            let x = plot.left() + plot.width() * fraction(across(f64::from(cp)));
            self.draw_text(
                &format!("{cp}"),
                pos2(x, plot.bottom() + 12.0),
                11.0,
                TextWeight::Regular,
            );
        }
        let common_curve = WinRateCurve::from_k(600.0);
        let (thin, thick) = (self.theme.text, self.theme.accent);
        for (curve, width, color) in [(common_curve, 1.0, thin), (curve, 2.5, thick)] {
            let points = (-MAX_CP..=MAX_CP).step_by(50);
            let points = points.map(|cp| plot_point(plot, across(f64::from(cp)), curve.win_rate(cp)));
            self.draw_line(points.collect(), width, color);
        }
        for bin in bins.iter().filter(|bin| bin.positions > 0) {
            let cp = (bin.mean_predicted / (1.0 - bin.mean_predicted)).ln() * curve.k - curve.bonus;
            if cp.abs() <= max {
                self.draw_dot(plot_point(plot, across(cp), bin.mean_result));
            }
        }
        let legend = [
            (format!("K = {:.0}", curve.k), 2.5, thick),
            ("K = 600".to_owned(), 1.0, thin),
        ];
        for ((label, width, color), left) in legend
            .into_iter()
            .zip([plot.left() + 30.0, plot.center().x + 30.0])
        {
            let y = plot.bottom() + 48.0;
            self.draw_line(vec![pos2(left, y), pos2(left + 24.0, y)], width, color);
            self.draw_text(&label, pos2(left + 62.0, y), 12.0, TextWeight::Regular);
        }
    }

    fn draw_dot(&mut self, center: Pos2) {
        self.canvas
            .shapes
            .push(Shape::circle_filled(center, 4.5, self.theme.accent.to_opaque()));
    }
}

/// Returns the point of a plot at these fractions, from the left and from below.
fn plot_point(plot: Rect, across: f64, up: f64) -> Pos2 {
    plot.left_bottom() + vec2(plot.width() * fraction(across), -plot.height() * fraction(up))
}

/// Converts a fraction, limited to the range from 0 to 1.
fn fraction(value: f64) -> f32 {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "f32 is exact enough for a position in a picture"
    )]
    let fraction = value.clamp(0.0, 1.0) as f32;
    fraction
}
