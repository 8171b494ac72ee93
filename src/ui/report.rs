//! The report of a game as a picture: from top to bottom the header, the summary of each side, the graph and the
//! decisive moves. The module `html` writes the report as a page.

mod decisive;
mod html;

use super::PaintTheme;
use super::canvas::ShapeCanvas;
use super::fonts::{FontChoice, TextFont, TextWeight};
use super::graph::{self, GraphKind, GraphMark, GraphNamePosition, GraphSeries, GraphView, GraphZoom};
use super::png::{self, EncodeError};
use super::snapshot::{PictureSize, SizeError, SnapshotRenderer};
use super::text_runs::{TextRun, TextRuns};
use eframe::egui;
use egui::epaint::text::FontsView;
use egui::epaint::{RectShape, StrokeKind};
use egui::{Color32, Pos2, Rect, Shape, Stroke, pos2, vec2};
use shogibar_games::analysis::{GamePhase, MoveMark, SideSummary};
use shogibar_games::analysis_text as words;
use shogibar_games::report::{Report, ReportDecisiveMove, ReportRow};
use shogibar_games::report_text::{self as text, ReportWord};
use shogibar_shogi::Color;
use shogibar_shogi::score::{Value, WinRateModel};
use thiserror::Error;

pub use html::html;

/// The width of the picture, in points.
const PICTURE_WIDTH: f32 = 860.0;
/// The width of the column of players' names, in points.
const NAME_COLUMN_WIDTH: f32 = 180.0;
/// The margin around the report, in points.
const REPORT_MARGIN: f32 = 30.0;
/// The gap between two cards, in points.
const CARD_GAP: f32 = 16.0;
/// The padding inside a card, in points.
const CARD_PADDING: f32 = 16.0;
/// The height of the graph, in points.
const GRAPH_HEIGHT: f32 = 230.0;
/// The pixels per point. The picture is for high-resolution screens and for printing.
const PIXELS_PER_POINT: f32 = 2.0;
const MAX_DECISIVE_MOVES: usize = 8;
/// The maximum number of headers that are shown as facts about the game.
const MAX_FACTS: usize = 6;

/// The reason why there is no picture.
#[derive(Debug, Error)]
pub enum PictureError {
    /// The size is out of range.
    #[error(transparent)]
    Size(#[from] SizeError),
    /// A picture of this size cannot be encoded.
    #[error(transparent)]
    Encode(#[from] EncodeError),
}

/// Returns the report as a PNG file in the light theme. It uses the system font family `font`, or else the shipped
/// fonts.
///
/// # Errors
/// No error is expected, because the size of the contents is bounded.
pub fn encode_png(report: &Report, font: Option<&str>) -> Result<Vec<u8>, PictureError> {
    let (mut renderer, theme) = (
        SnapshotRenderer::with_fonts(&FontChoice {
            program: font.map(str::to_owned),
            ..FontChoice::default()
        }),
        crate::theme::paper(),
    );
    let mut picture = |size| {
        let mut height = 0.0;
        let image = renderer.draw_picture(size, |ui| {
            let rect = ui.max_rect();
            ui.painter().rect_filled(rect, 0, theme.window.to_opaque());
            let (shapes, bottom) = ui.fonts_mut(|fonts| draw(fonts, report, &theme, rect.min));
            height = bottom - rect.top();
            ui.painter().extend(shapes);
        });
        (image, height)
    };
    // The height depends on the fonts, so a first picture only measures it.
    let (_, height) = picture(PictureSize::new(160, 24, PIXELS_PER_POINT)?);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a length of a few thousand points"
    )]
    let size = PictureSize::new(PICTURE_WIDTH as u32, height.ceil() as u32, PIXELS_PER_POINT)?;
    Ok(png::encode(&picture(size).0)?)
}

/// Draws a report with its upper left corner at `at`. Returns the shapes and the bottom edge.
pub fn draw(fonts: &mut FontsView<'_>, report: &Report, theme: &PaintTheme, at: Pos2) -> (Vec<Shape>, f32) {
    let mut report_canvas = ReportCanvas {
        canvas: ShapeCanvas::new(fonts),
        report,
        theme,
        left: at.x + REPORT_MARGIN,
        bottom: at.y + REPORT_MARGIN,
    };
    report_canvas.draw_head();
    if report.is_analysed() {
        report_canvas.draw_sides();
        report_canvas.draw_graph_card();
        report_canvas.draw_decisive_moves();
    } else {
        report_canvas.draw_text_below(ReportWord::NotAnalysed.text(report.lang), ReportFont::quiet(15.0));
    }
    report_canvas.bottom += CARD_GAP;
    report_canvas.draw_text_below(ReportWord::MadeBy.text(report.lang), ReportFont::quiet(12.5));
    (
        report_canvas.canvas.shapes,
        report_canvas.bottom + REPORT_MARGIN - CARD_GAP,
    )
}

/// The size, weight and colour of a text of the report.
#[derive(Clone, Copy)]
struct ReportFont {
    size: f32,
    weight: TextWeight,
    /// The colour of the text; `None` is the quiet colour of the theme.
    color: Option<Color32>,
    /// The maximum number of lines.
    lines: usize,
}

impl ReportFont {
    /// Creates a regular font of one line in the quiet colour.
    const fn quiet(size: f32) -> Self {
        Self {
            size,
            weight: TextWeight::Regular,
            color: None,
            lines: 1,
        }
    }
}

/// A report while it is being drawn.
struct ReportCanvas<'a, 'c, 'f> {
    canvas: ShapeCanvas<'c, 'f>,
    report: &'a Report,
    theme: &'a PaintTheme,
    /// The left edge of the contents, in points.
    left: f32,
    /// The bottom of the contents drawn so far, in points.
    bottom: f32,
}

impl ReportCanvas<'_, '_, '_> {
    /// The width of the contents, in points.
    const CONTENT_WIDTH: f32 = PICTURE_WIDTH - 2.0 * REPORT_MARGIN;

    /// Returns the regular font of one line in the colour of text.
    const fn plain_font(&self, size: f32) -> ReportFont {
        ReportFont {
            size,
            weight: TextWeight::Regular,
            color: Some(self.theme.text),
            lines: 1,
        }
    }

    /// Returns the bold font of one line in the colour of text.
    const fn bold_font(&self, size: f32) -> ReportFont {
        ReportFont {
            weight: TextWeight::Bold,
            ..self.plain_font(size)
        }
    }

    fn draw_text_at(&mut self, text: &str, at: Pos2, width: f32, font: ReportFont) -> egui::Vec2 {
        let color = font.color.unwrap_or(self.theme.quiet);
        let runs = [TextRun {
            text,
            font: TextFont::Text(font.weight),
            color,
        }];
        let galley = TextRuns {
            lines: font.lines,
            ..TextRuns::line(&runs, font.size)
        }
        .fit(self.canvas.fonts, width, 1.0);
        let size = galley.rect.size();
        self.canvas.shapes.push(Shape::galley(at, galley, color));
        size
    }

    fn draw_text_below(&mut self, text: &str, font: ReportFont) {
        let size = self.draw_text_at(text, pos2(self.left, self.bottom), Self::CONTENT_WIDTH, font);
        self.bottom += size.y + 3.0;
    }

    /// Draws a card of this height below the contents so far. Returns the rectangle inside the padding.
    fn draw_card(&mut self, height: f32) -> Rect {
        self.bottom += CARD_GAP;
        let card = Rect::from_min_size(pos2(self.left, self.bottom), vec2(Self::CONTENT_WIDTH, height));
        self.canvas.rounded_rect(card, 10.0, self.theme.card.to_opaque());
        let edge = Stroke::new(1.0, self.theme.separator);
        self.canvas
            .shapes
            .push(RectShape::stroke(card, 10, edge, StrokeKind::Inside).into());
        self.bottom = card.bottom();
        card.shrink(CARD_PADDING)
    }

    /// Draws the players, the result and the facts.
    fn draw_head(&mut self) {
        let report = self.report;
        self.draw_text_below(
            &text::versus(report.names(), report.lang),
            ReportFont {
                lines: 3,
                ..self.bold_font(24.0)
            },
        );
        self.draw_text_below(&report.result, self.plain_font(18.0));
        self.bottom += 4.0;
        let by = report
            .evaluator_rows()
            .into_iter()
            .map(|(key, value)| (key.to_owned(), value));
        let facts: Vec<_> = report.headers.iter().take(MAX_FACTS).cloned().chain(by).collect();
        let mut key_width = 0.0_f32;
        for (key, _) in &facts {
            let key = [TextRun::regular(key, self.theme.quiet)];
            key_width = key_width.max(
                TextRuns::line(&key, 13.5)
                    .width(self.canvas.fonts, 1.0)
                    .min(160.0),
            );
        }
        let left = self.left + key_width + 14.0;
        for (key, value) in &facts {
            self.draw_text_at(
                key,
                pos2(self.left, self.bottom),
                key_width + 1.0,
                ReportFont::quiet(13.5),
            );
            let width = self.left + Self::CONTENT_WIDTH - left;
            self.draw_text_at(value, pos2(left, self.bottom), width, self.plain_font(13.5));
            self.bottom += 20.0;
        }
    }

    /// Draws the summary of each side on a card.
    fn draw_sides(&mut self) {
        // If a name is longer than its column, both names are drawn above their rows.
        let is_long = self.has_long_names();
        let height = if is_long { 26.0 } else { 0.0 } + 50.0;
        let card = self.draw_card(2.0 * CARD_PADDING + 2.0 * height - 4.0);
        for ((color, side), row) in [Color::Black, Color::White]
            .into_iter()
            .zip(self.report.sides)
            .zip([0.0, height])
        {
            let at = pos2(card.left(), card.top() + row);
            let name = self.name_with_mark(color);
            self.draw_text_at(
                &name,
                at,
                if is_long { card.width() } else { NAME_COLUMN_WIDTH },
                self.bold_font(15.0),
            );
            self.draw_side(&side, if is_long { at + vec2(0.0, 26.0) } else { at });
        }
    }

    fn has_long_names(&mut self) -> bool {
        let names = [Color::Black, Color::White].map(|color| self.name_with_mark(color));
        names.iter().any(|name| {
            let run = [TextRun::bold(name, self.theme.text)];
            TextRuns::line(&run, 15.0).width(self.canvas.fonts, 1.0) > NAME_COLUMN_WIDTH
        })
    }

    fn name_with_mark(&self, color: Color) -> String {
        let mark = if color == Color::Black { "☗" } else { "☖" };
        let [black, white] = self.report.names();
        format!("{mark} {}", if color == Color::Black { black } else { white })
    }

    /// Draws the move statistics of a side in a row.
    fn draw_side(&mut self, side: &SideSummary, at: Pos2) {
        let (lang, sums) = (self.report.lang, side.figures());
        let (loss, accuracy) = (words::tenths(sums.mean_loss), words::tenths(sums.accuracy));
        let agreement =
            words::share(sums.choices).map_or_else(|| "–".to_owned(), |percent| format!("{percent}%"));
        let first = [
            (ReportWord::MeanLoss, 158.0, 68.0, loss, self.bold_font(18.0)),
            (ReportWord::Choices, 278.0, 66.0, agreement, self.bold_font(18.0)),
            (ReportWord::Accuracy, 398.0, 60.0, accuracy, self.plain_font(15.0)),
        ];
        for (word, left, width, figure, font) in first {
            self.draw_text_at(
                word.text(lang),
                at + vec2(left, 2.0),
                width,
                ReportFont::quiet(13.5),
            );
            let up = if font.size > 16.0 { -2.0 } else { 0.5 };
            self.draw_text_at(&figure, at + vec2(left + width, up), 50.0, font);
        }
        // The worst marks come last. There are four columns for them.
        let columns = MoveMark::ALL
            .iter()
            .zip(side.marks)
            .zip([512.0, 570.0, 640.0, 698.0]);
        for ((mark, count), left) in columns {
            let label = format!("{} {count}", mark.label().text(lang));
            let font = if count == 0 {
                ReportFont::quiet(12.5)
            } else {
                self.plain_font(12.5)
            };
            self.draw_text_at(&label, at + vec2(left, 3.0), 70.0, font);
        }
        let phases: Vec<_> = GamePhase::ALL
            .into_iter()
            .zip(&side.phases)
            .map(|(phase, stats)| format!("{} {}", phase.label().text(lang), words::tenths(stats.mean_loss)))
            .collect();
        let line = format!("{}　{}", ReportWord::MeanLoss.text(lang), phases.join("　"));
        self.draw_text_at(&line, at + vec2(158.0, 24.0), 560.0, ReportFont::quiet(12.5));
    }

    fn draw_graph_card(&mut self) {
        let card = self.draw_card(GRAPH_HEIGHT + 2.0 * CARD_PADDING);
        let (shapes, _) = draw_graph(
            self.canvas.fonts,
            self.report,
            self.theme,
            GraphNamePosition::Inside,
            card,
        );
        self.canvas.shapes.extend(shapes);
    }

    /// Draws the decisive moves with the largest losses, each on a card, and the number of the others.
    fn draw_decisive_moves(&mut self) {
        let (report, lang) = (self.report, self.report.lang);
        self.bottom += CARD_GAP;
        self.draw_text_below(ReportWord::DecisiveMoves.text(lang), self.bold_font(18.0));
        if report.decisive_moves.is_empty() {
            return self.draw_text_below(ReportWord::NoDecisiveMoves.text(lang), ReportFont::quiet(13.5));
        }
        self.bottom -= CARD_GAP / 2.0;
        // Long names take the room of one decisive move.
        let room = MAX_DECISIVE_MOVES - usize::from(self.has_long_names());
        for decisive in costliest_moves(report, room) {
            let card = self.draw_card(decisive::card_height() + 2.0 * CARD_PADDING);
            self.draw_decisive(decisive, card);
        }
        self.bottom += 8.0;
        self.draw_text_below(ReportWord::AboutArrows.text(lang), ReportFont::quiet(12.5));
        let more = report.decisive_moves.len().saturating_sub(room);
        if more > 0 {
            self.draw_text_below(&text::more(more, lang), ReportFont::quiet(12.5));
        }
    }
}

/// Draws the graph of a game. Returns the shapes, and the rectangle of the curves.
fn draw_graph(
    fonts: &mut FontsView<'_>,
    report: &Report,
    theme: &PaintTheme,
    name_position: GraphNamePosition,
    rect: Rect,
) -> (Vec<Shape>, Rect) {
    let rows: Vec<&ReportRow> = report.positions().collect();
    let rescaled = |worth: Option<(Value, f64)>| worth.map(|(value, rate)| to_default_model(value, rate));
    let judged = !report.judge_curve.is_empty();
    let judge_values: Vec<_> = rows.iter().map(|row| rescaled(row.value)).collect();
    let others = report.other_curves.iter();
    let others = others.map(|curve| {
        (
            curve.name.as_str(),
            curve.values.iter().copied().map(rescaled).collect(),
        )
    });
    let curves: Vec<(&str, Vec<_>)> = judged
        .then_some((report.judge_curve.as_str(), judge_values))
        .into_iter()
        .chain(others)
        .collect();
    let model = WinRateModel::default();
    let series: Vec<_> = curves
        .iter()
        .map(|(name, values)| GraphSeries { name, values, model })
        .collect();
    let mark = |(ply, row): (usize, &&ReportRow)| {
        let assessed = row.assessed_move?;
        let mut decisive = report
            .decisive_moves
            .iter()
            .map(|decisive| decisive.decisive_move.assessed_move.node);
        Some(GraphMark {
            ply,
            kind: assessed.mark?,
            is_decisive: decisive.any(|node| node == assessed.node),
        })
    };
    let marks: Vec<_> = rows
        .iter()
        .enumerate()
        .filter_map(mark)
        .filter(|mark| mark.kind > MoveMark::Inaccuracy)
        .collect();
    let times: Vec<_> = rows
        .iter()
        .skip(1)
        .map(|row| {
            row.time_spent
                .and_then(|spent| u32::try_from(spent.0 / 1000).ok())
        })
        .collect();
    let view = GraphView {
        bar_share: None,
        plies: rows.len().saturating_sub(1),
        current_ply: usize::MAX,
        series: &series,
        has_judge: judged,
        live_series: &[],
        filled_values: &[],
        game: None,
        name_position,
        marks: &marks,
        reasons: &[],
        move_times: if times.iter().any(Option::is_some) {
            &times
        } else {
            &[]
        },
        first_mover: report.first_mover,
        moves: &[],
        titles: report.titles,
        kind: GraphKind::WinRate,
        is_flipped: false,
        is_hidden: false,
        zoom: GraphZoom::default(),
    };
    (
        graph::draw(fonts, &view, theme, report.lang, rect),
        graph::plot_rect(&view, rect),
    )
}

/// Returns at most `max_moves` decisive moves, those with the largest losses, in the order of the game.
fn costliest_moves(report: &Report, max_moves: usize) -> Vec<&ReportDecisiveMove> {
    let mut moves: Vec<_> = report.decisive_moves.iter().collect();
    moves.sort_by(|one, other| {
        other
            .decisive_move
            .assessed_move
            .loss
            .total_cmp(&one.decisive_move.assessed_move.loss)
    });
    moves.truncate(max_moves);
    moves.sort_by_key(|decisive| decisive.decisive_move.assessed_move.ply);
    moves
}

/// Returns the value that has the same win rate in the default model. The engines of a record may have different
/// models, so only the returned values are comparable.
fn to_default_model(value: Value, rate: f64) -> Value {
    if value.winner().is_some() {
        return value;
    }
    #[expect(
        clippy::cast_possible_truncation,
        reason = "the cast saturates, and NaN becomes 0"
    )]
    Value::Cp(WinRateModel::default().cp(rate).round() as i32)
}

#[cfg(test)]
mod page_tests;
#[cfg(test)]
mod tests;
