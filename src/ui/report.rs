//! The report of a game as a picture: its head, the course of the game, and where it turned, one below the other.

mod turn;

use super::PaintTheme;
use super::canvas::ShapeCanvas;
use super::fonts::TextWeight;
use super::graph::{self, GraphKind, GraphMark, GraphNames, GraphSeries, GraphView};
use super::png::{self, EncodeError};
use super::snapshot::{PictureSize, SizeError, SnapshotRenderer};
use super::text_runs::{TextRun, TextRuns};
use crate::analysis::{MoveMark, SideSummary};
use crate::report::{Report, ReportRow};
use crate::score::{Model, Value};
use crate::shogi::Color;
use crate::text::analysis as words;
use crate::text::report::{self as text, ReportWord};
use eframe::egui;
use egui::epaint::text::FontsView;
use egui::epaint::{RectShape, StrokeKind};
use egui::{Color32, Pos2, Rect, Shape, Stroke, pos2, vec2};
use thiserror::Error;

/// The width of the picture and what stands around and between its parts, in points.
const WIDTH: f32 = 860.0;
/// The column of the players' names, in points.
const NAME: f32 = 180.0;
const AROUND: f32 = 30.0;
const GAP: f32 = 16.0;
const PAD: f32 = 16.0;
/// How high the graph is, in points.
const GRAPH: f32 = 230.0;
/// The pixels of a point: a picture is looked at on fine screens, and printed.
const SCALE: f32 = 2.0;
/// How many turning points and facts there is room for.
const TURNS: usize = 8;
const FACTS: usize = 6;

/// Why there is no picture.
#[derive(Debug, Error)]
pub enum PictureError {
    /// None of this size can be drawn.
    #[error(transparent)]
    Size(#[from] SizeError),
    /// None of this size can be written.
    #[error(transparent)]
    Encode(#[from] EncodeError),
}

/// The report as a PNG file, on paper, in this family of the system's fonts, or else in what ships.
///
/// # Errors
/// None is known: what is drawn has its bounds.
pub fn png(report: &Report, font: Option<&str>) -> Result<Vec<u8>, PictureError> {
    let (mut studio, theme) = (SnapshotRenderer::with_font(font), PaintTheme::paper());
    let mut picture = |size| {
        let mut height = 0.0;
        let image = studio.picture(size, |ui| {
            let rect = ui.max_rect();
            ui.painter().rect_filled(rect, 0, theme.window.to_opaque());
            let (shapes, bottom) = ui.fonts_mut(|fonts| draw(fonts, report, &theme, rect.min));
            height = bottom - rect.top();
            ui.painter().extend(shapes);
        });
        (image, height)
    };
    // How high it is the letters tell: it is drawn once to see.
    let (_, height) = picture(PictureSize::new(160, 24, SCALE)?);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a few thousand points")]
    let size = PictureSize::new(WIDTH as u32, height.ceil() as u32, SCALE)?;
    Ok(png::encode(&picture(size).0)?)
}

/// Draws a report from its upper left corner on, and says where it ends below.
pub fn draw(fonts: &mut FontsView<'_>, report: &Report, theme: &PaintTheme, at: Pos2) -> (Vec<Shape>, f32) {
    let mut sheet =
        ReportCanvas { canvas: ShapeCanvas::new(fonts), report, theme, left: at.x + AROUND, y: at.y + AROUND };
    sheet.head();
    if report.is_analysed() {
        sheet.sides();
        sheet.course();
        sheet.turning_points();
    } else {
        sheet.write(ReportWord::NotAnalysed.text(report.lang), ReportFont::quiet(15.0));
    }
    sheet.y += GAP;
    sheet.write(ReportWord::MadeBy.text(report.lang), ReportFont::quiet(12.5));
    (sheet.canvas.shapes, sheet.y + AROUND - GAP)
}

/// How something is written.
#[derive(Clone, Copy)]
struct ReportFont {
    size: f32,
    weight: TextWeight,
    /// `None` is the quiet colour.
    color: Option<Color32>,
    lines: usize,
}

impl ReportFont {
    const fn quiet(size: f32) -> Self {
        Self { size, weight: TextWeight::Regular, color: None, lines: 1 }
    }
}

/// A report in the making.
struct ReportCanvas<'a, 'c, 'f> {
    canvas: ShapeCanvas<'c, 'f>,
    report: &'a Report,
    theme: &'a PaintTheme,
    left: f32,
    /// Down to where something is.
    y: f32,
}

impl ReportCanvas<'_, '_, '_> {
    const INNER: f32 = WIDTH - 2.0 * AROUND;

    const fn plain(&self, size: f32) -> ReportFont {
        ReportFont { size, weight: TextWeight::Regular, color: Some(self.theme.text), lines: 1 }
    }

    const fn bold(&self, size: f32) -> ReportFont {
        ReportFont { weight: TextWeight::Bold, ..self.plain(size) }
    }

    /// Writes a text into a width, and says how large it has become.
    fn put(&mut self, text: &str, at: Pos2, width: f32, hand: ReportFont) -> egui::Vec2 {
        let color = hand.color.unwrap_or(self.theme.quiet);
        let runs = [TextRun { text, weight: hand.weight, color }];
        let galley = TextRuns { runs: &runs, size: hand.size, lines: hand.lines }.fit(self.canvas.fonts, width, 1.0);
        let size = galley.rect.size();
        self.canvas.shapes.push(Shape::galley(at, galley, color));
        size
    }

    /// Writes a text below what is there.
    fn write(&mut self, text: &str, hand: ReportFont) {
        let size = self.put(text, pos2(self.left, self.y), Self::INNER, hand);
        self.y += size.y + 3.0;
    }

    /// A card of this height below what is there; gives back what is in it.
    fn card(&mut self, height: f32) -> Rect {
        self.y += GAP;
        let card = Rect::from_min_size(pos2(self.left, self.y), vec2(Self::INNER, height));
        self.canvas.rounded_rect(card, 10.0, self.theme.card.to_opaque());
        let edge = Stroke::new(1.0, self.theme.separator);
        self.canvas.shapes.push(RectShape::stroke(card, 10, edge, StrokeKind::Inside).into());
        self.y = card.bottom();
        card.shrink(PAD)
    }

    /// Who played, how it ended, and what else is known.
    fn head(&mut self) {
        let report = self.report;
        self.write(&text::versus(report.names(), report.lang), ReportFont { lines: 3, ..self.bold(24.0) });
        self.write(&report.result, self.plain(18.0));
        self.y += 4.0;
        let by = report.evaluated_by().into_iter().map(|(key, value)| (key.to_owned(), value));
        let facts: Vec<_> = report.facts.iter().take(FACTS).cloned().chain(by).collect();
        let mut widest = 0.0_f32;
        for (key, _) in &facts {
            let key = [TextRun::regular(key, self.theme.quiet)];
            widest = widest.max(TextRuns::line(&key, 13.5).width(self.canvas.fonts, 1.0).min(160.0));
        }
        let left = self.left + widest + 14.0;
        for (key, value) in &facts {
            self.put(key, pos2(self.left, self.y), widest + 1.0, ReportFont::quiet(13.5));
            let width = self.left + Self::INNER - left;
            self.put(value, pos2(left, self.y), width, self.plain(13.5));
            self.y += 20.0;
        }
    }

    /// How well each side played.
    fn sides(&mut self) {
        // Where a name is longer than its column, both stand above what is told of the sides.
        let is_long = self.has_long_names();
        let height = if is_long { 56.0 } else { 30.0 };
        let card = self.card(2.0 * PAD + 2.0 * height - 4.0);
        for ((color, side), row) in [Color::Black, Color::White].into_iter().zip(self.report.sides).zip([0.0, height]) {
            let at = pos2(card.left(), card.top() + row);
            let name = self.named(color);
            self.put(&name, at, if is_long { card.width() } else { NAME }, self.bold(15.0));
            self.side(&side, if is_long { at + vec2(0.0, 26.0) } else { at });
        }
    }

    /// Whether a name is longer than its column.
    fn has_long_names(&mut self) -> bool {
        let names = [Color::Black, Color::White].map(|color| self.named(color));
        names.iter().any(|name| {
            let run = [TextRun { text: name, weight: TextWeight::Bold, color: self.theme.text }];
            TextRuns::line(&run, 15.0).width(self.canvas.fonts, 1.0) > NAME
        })
    }

    /// A player, with the mark of the side.
    fn named(&self, color: Color) -> String {
        let mark = if color == Color::Black { "☗" } else { "☖" };
        let [black, white] = self.report.names();
        format!("{mark} {}", if color == Color::Black { black } else { white })
    }

    /// What the moves of a side come to, in a row.
    fn side(&mut self, side: &SideSummary, at: Pos2) {
        let (lang, sums) = (self.report.lang, side.sums());
        let (loss, accuracy) = (words::tenths(sums.mean_loss), words::tenths(sums.accuracy));
        let agreement = words::share(sums.choices).map_or_else(|| "–".to_owned(), |percent| format!("{percent}%"));
        let first = [
            (ReportWord::MeanLoss, 158.0, 68.0, loss, self.bold(18.0)),
            (ReportWord::Choices, 278.0, 66.0, agreement, self.bold(18.0)),
            (ReportWord::Accuracy, 398.0, 60.0, accuracy, self.plain(15.0)),
        ];
        for (word, left, width, figure, hand) in first {
            self.put(word.text(lang), at + vec2(left, 2.0), width, ReportFont::quiet(13.5));
            let up = if hand.size > 16.0 { -2.0 } else { 0.5 };
            self.put(&figure, at + vec2(left + width, up), 50.0, hand);
        }
        // In this order the worst stand last; the room is for four words.
        let columns = MoveMark::ALL.iter().zip(side.marks).zip([512.0, 570.0, 640.0, 698.0]);
        for ((mark, count), left) in columns {
            let said = format!("{} {count}", mark.label().text(lang));
            let hand = if count == 0 { ReportFont::quiet(12.5) } else { self.plain(12.5) };
            self.put(&said, at + vec2(left, 3.0), 70.0, hand);
        }
    }

    fn course(&mut self) {
        let card = self.card(GRAPH + 2.0 * PAD);
        let report = self.report;
        let rows: Vec<&ReportRow> = report.positions().collect();
        let scaled = |worth: Option<(Value, f64)>| worth.map(|(value, rate)| on_one_scale(value, rate));
        let judged = !report.curve.is_empty();
        let own: Vec<_> = rows.iter().map(|row| scaled(row.worth)).collect();
        let others = report.others.iter();
        let others = others.map(|curve| (curve.name.as_str(), curve.worths.iter().copied().map(scaled).collect()));
        let curves: Vec<(&str, Vec<_>)> =
            Some((report.curve.as_str(), own)).filter(|_| judged).into_iter().chain(others).collect();
        let model = Model::default();
        let series: Vec<_> = curves.iter().map(|(name, values)| GraphSeries { name, values, model }).collect();
        let mark = |(ply, row): (usize, &&ReportRow)| Some(GraphMark { ply, kind: row.assessed?.mark? });
        let marks: Vec<_> =
            rows.iter().enumerate().filter_map(mark).filter(|mark| mark.kind > MoveMark::Inaccuracy).collect();
        let seconds = |row: &&ReportRow| row.spent.and_then(|spent| u32::try_from(spent.0 / 1000).ok());
        let times: Vec<_> = rows.iter().skip(1).map(seconds).collect();
        let view = GraphView {
            plies: rows.len().saturating_sub(1),
            current: usize::MAX,
            series: &series,
            judged,
            names: GraphNames::Inside,
            marks: &marks,
            times: if times.iter().any(Option::is_some) { &times } else { &[] },
            first: report.first,
            moves: &[],
            titles: report.titles,
            kind: GraphKind::WinRate,
            flipped: false,
            hidden: false,
        };
        let shapes = graph::draw(self.canvas.fonts, &view, self.theme, report.lang, card);
        self.canvas.shapes.extend(shapes);
    }

    fn turning_points(&mut self) {
        let (report, lang) = (self.report, self.report.lang);
        self.y += GAP;
        self.write(ReportWord::TurningPoints.text(lang), self.bold(18.0));
        if report.turns.is_empty() {
            return self.write(ReportWord::NoTurningPoints.text(lang), ReportFont::quiet(13.5));
        }
        self.y -= GAP / 2.0;
        // Long names take the room of one of them.
        let room = TURNS - usize::from(self.has_long_names());
        for turn in costliest(report, room) {
            let card = self.card(turn::height() + 2.0 * PAD);
            self.draw_turning_point(turn, card);
        }
        self.y += 8.0;
        self.write(ReportWord::AboutArrows.text(lang), ReportFont::quiet(12.5));
        let more = report.turns.len().saturating_sub(room);
        if more > 0 {
            self.write(&text::more(more, lang), ReportFont::quiet(12.5));
        }
    }
}

/// The turning points there is room for: those that cost most, in the order of the game.
fn costliest(report: &Report, room: usize) -> Vec<&crate::report::ReportTurningPoint> {
    let mut turns: Vec<_> = report.turns.iter().collect();
    turns.sort_by(|one, other| other.assessed.loss.total_cmp(&one.assessed.loss));
    turns.truncate(room);
    turns.sort_by_key(|turn| turn.assessed.ply);
    turns
}

/// A value that has the same win rate on the scale of all others: a record's engines may each have their own.
fn on_one_scale(value: Value, rate: f64) -> Value {
    if value.winner().is_some() {
        return value;
    }
    let cp = (rate / (1.0 - rate)).ln() * Model::DEFAULT_K;
    #[expect(clippy::cast_possible_truncation, reason = "such a cast saturates, and what is no number becomes 0")]
    Value::Cp(cp.round() as i32)
}

#[cfg(test)]
mod tests;
