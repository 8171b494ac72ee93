//! The graph of the game as an SVG picture in the page: Black's win rate by ply, bad moves, and move times.

use super::page::HtmlPage;
use super::{Report, ReportRow};
use crate::analysis::MoveMark;
use crate::score::Value;
use crate::shogi::Color;
use crate::text::report::ReportWord;
use crate::text::{graph as words, report as text, study};

/// The size of the picture and of its parts, in units of the SVG.
const WIDTH: f64 = 960.0;
const HEIGHT: f64 = 290.0;
const LEFT: f64 = 46.0;
const RIGHT: f64 = WIDTH - 10.0;
const TOP: f64 = 10.0;
const BOTTOM: f64 = HEIGHT - 26.0;
/// The maximum height of the time bars, as a fraction of the height.
const TIMES: f64 = 0.3;
/// A curve bridges up to this many plies without a value; a longer gap interrupts it.
const GAP: usize = 4;
/// The possible steps between move numbers, and the minimum distance between two numbers.
const STEPS: [usize; 10] = [5, 10, 20, 25, 50, 100, 200, 500, 1000, 5000];
const ROOM: f64 = 44.0;

/// Draws the graph.
pub(super) fn draw(page: &mut HtmlPage, report: &Report) {
    let rows: Vec<&ReportRow> = report.positions().collect();
    let graph = SvgGraph { report, plies: rows.len().saturating_sub(1), rows };
    page.raw("<svg class=\"graph\" viewBox=\"0 0 ").at(WIDTH).raw(" ").at(HEIGHT).raw("\" role=\"img\" aria-label=\"");
    page.text(&text::graph(graph.plies, report.title(Color::Black), report.lang)).raw("\">\n");
    graph.ground(page);
    graph.fill(page);
    graph.times(page);
    graph.axes(page);
    for (place, other) in report.others.iter().enumerate().rev() {
        for line in graph.lines(other.values.iter().copied()) {
            curve(page, ["<circle class=\"alone other\"", other_path(place)], &line);
        }
    }
    for line in graph.judged() {
        curve(page, ["<circle class=\"alone\"", JUDGED], &line);
    }
    graph.marks(page);
    graph.hover_areas(page);
    page.raw("</svg>\n");
}

/// The opening markup of the judge's curve.
const JUDGED: &str = "<path class=\"line\" d=\"M";

/// Returns the opening markup of another evaluator's curve, by its index.
const fn other_path(place: usize) -> &'static str {
    match place {
        0 => "<path class=\"line other one\" d=\"M",
        1 => "<path class=\"line other two\" d=\"M",
        2 => "<path class=\"line other three\" d=\"M",
        _ => "<path class=\"line other more\" d=\"M",
    }
}

/// Draws the legend of the curves.
pub(super) fn legend(page: &mut HtmlPage, report: &Report) {
    let judge = Some((JUDGED, report.curve.as_str())).filter(|(_, name)| !name.is_empty());
    let others = report.others.iter().enumerate().map(|(place, curve)| (other_path(place), curve.name.as_str()));
    let mut curves = judge.into_iter().chain(others).peekable();
    if curves.peek().is_none() {
        return;
    }
    page.raw("<ul class=\"legend\">\n");
    for (path, name) in curves {
        page.raw("<li><svg viewBox=\"0 0 30 10\" aria-hidden=\"true\">").raw(path).raw("0 5L30 5\"/></svg>");
        let word = ReportWord::Judge.text(report.lang);
        if path == JUDGED {
            page.element("<b>", name, "</b> ").element("(", word, ")</li>\n");
        } else {
            page.element("", name, "</li>\n");
        }
    }
    page.raw("</ul>\n");
}

struct SvgGraph<'a> {
    report: &'a Report,
    /// The positions, by ply.
    rows: Vec<&'a ReportRow>,
    plies: usize,
}

/// Returns the y coordinate of Black's win rate.
fn y(rate: f64) -> f64 {
    BOTTOM - (BOTTOM - TOP) * rate.clamp(0.0, 1.0)
}

fn rect(page: &mut HtmlPage, open: &'static str, [left, top, width, height]: [f64; 4]) {
    page.raw(open).raw(" x=\"").at(left).raw("\" y=\"").at(top).raw("\" width=\"").at(width).raw("\" height=\"");
    page.at(height).raw("\"");
}

fn line(page: &mut HtmlPage, class: &'static str, [from, to]: [(f64, f64); 2]) {
    page.raw("<path class=\"").raw(class).raw("\" d=\"M").point(from).raw("L").point(to).raw("\"/>\n");
}

impl SvgGraph<'_> {
    #[expect(clippy::cast_precision_loss, reason = "a game has at most 65 535 moves")]
    fn x(&self, ply: usize) -> f64 {
        LEFT + (RIGHT - LEFT) * ply as f64 / self.plies.max(1) as f64
    }

    /// Returns the width of a move.
    fn step(&self) -> f64 {
        self.x(1) - LEFT
    }

    /// Returns the judge's curve in pieces; empty where there is no judge, because then only the others have curves.
    fn judged(&self) -> Vec<Vec<(f64, f64)>> {
        if self.report.curve.is_empty() { Vec::new() } else { self.lines(self.rows.iter().map(|row| row.value)) }
    }

    /// Splits a curve into pieces of points from left to right.
    fn lines(&self, worths: impl Iterator<Item = Option<(Value, f64)>>) -> Vec<Vec<(f64, f64)>> {
        let mut lines: Vec<Vec<(f64, f64)>> = Vec::new();
        let mut last = None;
        for (ply, worth) in worths.enumerate() {
            let Some((_, rate)) = worth else { continue };
            let continues = last.is_some_and(|last| ply - last <= GAP);
            last = Some(ply);
            let point = (self.x(ply), y(rate));
            match lines.last_mut().filter(|_| continues) {
                Some(line) => line.push(point),
                None => lines.push(vec![point]),
            }
        }
        lines
    }

    fn ground(&self, page: &mut HtmlPage) {
        rect(page, "<rect class=\"ground\" rx=\"3\"", [LEFT, TOP, RIGHT - LEFT, BOTTOM - TOP]);
        page.raw("/>\n<clipPath id=\"for-black\">");
        rect(page, "<rect", [LEFT, TOP, RIGHT - LEFT, y(0.5) - TOP]);
        page.raw("/></clipPath><clipPath id=\"for-white\">");
        rect(page, "<rect", [LEFT, y(0.5), RIGHT - LEFT, BOTTOM - y(0.5)]);
        page.raw("/></clipPath>\n");
        for (ply, x) in self.numbers() {
            line(page, "grid", [(x, TOP), (x, BOTTOM)]);
            page.raw("<text class=\"figure\" text-anchor=\"middle\" x=\"").at(x).raw("\" y=\"").at(BOTTOM + 16.0);
            page.raw("\">").count(ply).raw("</text>\n");
        }
    }

    /// Returns the plies whose numbers are drawn, as many as fit, and their x coordinates.
    fn numbers(&self) -> Vec<(usize, f64)> {
        let Some(step) = STEPS.into_iter().find(|step| self.x(*step) - LEFT >= ROOM) else { return Vec::new() };
        (step..=self.plies).step_by(step).map(|ply| (ply, self.x(ply))).collect()
    }

    fn fill(&self, page: &mut HtmlPage) {
        for points in self.judged() {
            let [first, .., last] = points.as_slice() else { continue };
            for half in [
                "<path class=\"black-half\" clip-path=\"url(#for-black)\" d=\"M",
                "<path class=\"white-half\" clip-path=\"url(#for-white)\" d=\"M",
            ] {
                page.raw(half).point((first.0, y(0.5)));
                for point in &points {
                    page.raw("L").point(*point);
                }
                page.raw("L").point((last.0, y(0.5))).raw("Z\"/>\n");
            }
        }
    }

    /// Draws the time of each move as a bar from the bottom.
    fn times(&self, page: &mut HtmlPage) {
        let spent = |row: &ReportRow| row.spent.map_or(0, |spent| spent.0 / 1000);
        let most = self.rows.iter().map(|row| spent(row)).max().unwrap_or_default();
        let wide = (self.step() * 0.72).clamp(0.6, 9.0);
        for (ply, row) in self.rows.iter().enumerate().skip(1) {
            let seconds = spent(row);
            if seconds == 0 {
                continue;
            }
            let mover = if ply % 2 == 1 { self.report.first } else { self.report.first.flip() };
            let bar = if mover == Color::Black { "<rect class=\"black-time\"" } else { "<rect class=\"white-time\"" };
            // A square root scale: a minute would hide a second, and two hours would hide both.
            #[expect(clippy::cast_precision_loss, reason = "a part of the height")]
            let high = (BOTTOM - TOP) * TIMES * (seconds as f64 / most as f64).sqrt();
            let left = (self.x(ply) - wide / 2.0).max(LEFT);
            rect(page, bar, [left, BOTTOM - high, wide.min(RIGHT - left), high]);
            page.raw("/>\n");
        }
    }

    fn axes(&self, page: &mut HtmlPage) {
        let rates = [(1.0, "100%"), (0.75, "75%"), (0.5, "50%"), (0.25, "25%"), (0.0, "0%")];
        for ((rate, figure), class) in rates.into_iter().zip(["grid", "grid", "middle", "grid", "grid"]) {
            line(page, class, [(LEFT, y(rate)), (RIGHT, y(rate))]);
            page.raw("<text class=\"figure\" text-anchor=\"end\" x=\"").at(LEFT - 7.0).raw("\" y=\"").at(y(rate) + 4.0);
            page.element("\">", figure, "</text>\n");
        }
        let [black, white] = self.report.titles;
        for (title, y) in [(black, TOP + 17.0), (white, BOTTOM - 8.0)] {
            page.raw("<text class=\"side\" x=\"").at(LEFT + 8.0).raw("\" y=\"").at(y).element(
                "\">",
                title,
                "</text>\n",
            );
        }
    }

    /// Draws a dot for each bad move and each turning point, and labels for the worst as far as they fit.
    fn marks(&self, page: &mut HtmlPage) {
        let turns = |ply: usize| self.report.turns.iter().any(|turn| usize::from(turn.assessed.ply) == ply);
        let mut marked: Vec<_> = self
            .rows
            .iter()
            .enumerate()
            .filter_map(|(ply, row)| Some((ply, row.assessed?, (self.x(ply), y(row.value?.1)))))
            .filter(|(ply, assessed, _)| assessed.mark >= Some(MoveMark::Dubious) || turns(*ply))
            .collect();
        marked.sort_by(|(_, one, _), (_, other, _)| other.loss.total_cmp(&one.loss));
        let mut taken: Vec<[f64; 4]> =
            marked.iter().map(|(_, _, (x, y))| [x - 6.0, y - 6.0, x + 6.0, y + 6.0]).collect();
        for (ply, assessed, at) in marked.iter().rev() {
            dot(page, class(assessed.mark), *at, if turns(*ply) { 6.0 } else { 4.5 });
        }
        for (_, assessed, at) in &marked {
            let Some(word) = assessed.mark.map(|mark| mark.label().text(self.report.lang)) else { continue };
            let Some((room, baseline)) = free(*at, width(word), &taken) else { continue };
            taken.push(room);
            let [left, ..] = room;
            let open = if assessed.mark >= Some(MoveMark::Mistake) {
                "<text class=\"word bad\" x=\""
            } else {
                "<text class=\"word doubtful\" x=\""
            };
            page.raw(open).at(left).raw("\" y=\"").at(baseline).element("\">", word, "</text>\n");
        }
    }

    /// Adds a tooltip and a link to the list of moves for each position.
    fn hover_areas(&self, page: &mut HtmlPage) {
        let wide = self.step();
        for (ply, row) in self.rows.iter().enumerate() {
            if row.value.is_none() && row.spent.is_none() {
                continue;
            }
            page.raw("<a href=\"#move-").count(row.number).raw("\" tabindex=\"-1\">");
            let left = (self.x(ply) - wide / 2.0).max(LEFT);
            let right = (self.x(ply) + wide / 2.0).min(RIGHT);
            rect(page, "<rect class=\"touch\"", [left, TOP, right - left, BOTTOM - TOP]);
            page.element("><title>", &self.tooltip(row), "</title></rect></a>\n");
        }
    }

    fn tooltip(&self, row: &ReportRow) -> String {
        let lang = self.report.lang;
        let mut tooltip = study::place(row.number, &row.word, lang);
        if let (Some(percent), Some((value, _))) = (row.percent(), row.value) {
            tooltip += "\n";
            let value = words::value(value, self.report.titles, lang);
            tooltip += &text::point(self.report.title(Color::Black), percent, &value, lang);
        }
        if let Some((mark, loss)) = row.assessed.and_then(|assessed| Some((assessed.mark?, assessed.loss))) {
            tooltip += "\n";
            tooltip += &text::cost(mark.label().text(lang), loss, lang);
        }
        if let Some(spent) = row.spent {
            tooltip += "\n";
            tooltip += &study::clock(spent.0);
        }
        tooltip
    }
}

/// Draws a piece of a curve.
fn curve(page: &mut HtmlPage, [circle, path]: [&'static str; 2], points: &[(f64, f64)]) {
    if let [alone] = points {
        return dot(page, circle, *alone, 2.5);
    }
    for (place, point) in points.iter().enumerate() {
        page.raw(if place == 0 { path } else { "L" }).point(*point);
    }
    page.raw("\"/>\n");
}

fn dot(page: &mut HtmlPage, open: &'static str, (x, y): (f64, f64), radius: f64) {
    page.raw(open).raw(" cx=\"").at(x).raw("\" cy=\"").at(y).raw("\" r=\"").at(radius).raw("\"/>\n");
}

const fn class(mark: Option<MoveMark>) -> &'static str {
    match mark {
        Some(MoveMark::Blunder | MoveMark::Mistake) => "<circle class=\"dot bad\"",
        Some(MoveMark::Dubious) => "<circle class=\"dot doubtful\"",
        Some(MoveMark::Inaccuracy) | None => "<circle class=\"dot slack\"",
    }
}

/// Estimates the width of a word: kanji are twice as wide as letters.
fn width(word: &str) -> f64 {
    word.chars().map(|c| if c.is_ascii() { 6.7 } else { 12.5 }).sum()
}

/// Returns a free rectangle for a word beside a dot, and the word's baseline; `None` where there is no room.
fn free((x, y): (f64, f64), width: f64, taken: &[[f64; 4]]) -> Option<([f64; 4], f64)> {
    const HIGH: f64 = 14.0;
    const NEAR: f64 = 8.0;
    let lefts = [x + NEAR, x - NEAR - width, x - width / 2.0];
    let tops = [y - NEAR - HIGH, y + NEAR, y - NEAR - 2.0 * HIGH, y + NEAR + HIGH];
    let rooms = tops.into_iter().flat_map(|top| lefts.map(|left| [left, top, left + width, top + HIGH]));
    let room = rooms.into_iter().find(|[left, top, right, bottom]| {
        let is_inside = *left >= LEFT && *right <= RIGHT && *top >= TOP && *bottom <= BOTTOM;
        let overlaps = |[from, above, to, below]: &[f64; 4]| left < to && from < right && top < below && above < bottom;
        is_inside && !taken.iter().any(overlaps)
    })?;
    let [_, _, _, bottom] = room;
    Some((room, bottom - 3.0))
}
