//! The course of the game as a picture in the page: Black's win rate at each position, what was bad, and what time
//! each move took.

use super::page::HtmlPage;
use super::{Report, ReportRow};
use crate::analysis::MoveMark;
use crate::score::Value;
use crate::shogi::Color;
use crate::text::report::ReportWord;
use crate::text::{graph as words, report as text, study};

/// The size of the picture and of what is drawn in it, in its own units.
const WIDTH: f64 = 960.0;
const HEIGHT: f64 = 290.0;
const LEFT: f64 = 46.0;
const RIGHT: f64 = WIDTH - 10.0;
const TOP: f64 = 10.0;
const BOTTOM: f64 = HEIGHT - 26.0;
/// How much of the height the times take at most.
const TIMES: f64 = 0.3;
/// So many positions without a value are passed over; a longer gap is seen.
const GAP: usize = 4;
/// The steps that numbers of moves are in, and the least room between two of them.
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
        for line in graph.lines(other.worths.iter().copied()) {
            curve(page, ["<circle class=\"alone other\"", other_path(place)], &line);
        }
    }
    for line in graph.judged() {
        curve(page, ["<circle class=\"alone\"", JUDGED], &line);
    }
    graph.marks(page);
    graph.touched(page);
    page.raw("</svg>\n");
}

/// How the curve of who judges begins.
const JUDGED: &str = "<path class=\"line\" d=\"M";

/// How the curve of another begins, by its place among them.
const fn other_path(place: usize) -> &'static str {
    match place {
        0 => "<path class=\"line other one\" d=\"M",
        1 => "<path class=\"line other two\" d=\"M",
        2 => "<path class=\"line other three\" d=\"M",
        _ => "<path class=\"line other more\" d=\"M",
    }
}

/// Whose each curve is.
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
    /// The positions, by their ply.
    rows: Vec<&'a ReportRow>,
    plies: usize,
}

/// Where a win rate of Black's stands.
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

    /// The width that a move takes.
    fn step(&self) -> f64 {
        self.x(1) - LEFT
    }

    /// The line of who judges; none where nobody does, for then the others' are all there is.
    fn judged(&self) -> Vec<Vec<(f64, f64)>> {
        if self.report.curve.is_empty() { Vec::new() } else { self.lines(self.rows.iter().map(|row| row.worth)) }
    }

    /// A line in pieces, each of places and win rates from left to right.
    fn lines(&self, worths: impl Iterator<Item = Option<(Value, f64)>>) -> Vec<Vec<(f64, f64)>> {
        let mut lines: Vec<Vec<(f64, f64)>> = Vec::new();
        let mut last = None;
        for (ply, worth) in worths.enumerate() {
            let Some((_, rate)) = worth else { continue };
            let goes_on = last.is_some_and(|last| ply - last <= GAP);
            last = Some(ply);
            let point = (self.x(ply), y(rate));
            match lines.last_mut().filter(|_| goes_on) {
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

    /// The moves whose numbers are written, as many as there is room for, and where.
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

    /// The time of each move as a bar from below.
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
            // A minute is much beside a second, and two hours would leave nothing of it.
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

    /// A dot for each bad move and each turning point, and the words of the worst, as far as there is room for them.
    fn marks(&self, page: &mut HtmlPage) {
        let turns = |ply: usize| self.report.turns.iter().any(|turn| usize::from(turn.assessed.ply) == ply);
        let mut marked: Vec<_> = self
            .rows
            .iter()
            .enumerate()
            .filter_map(|(ply, row)| Some((ply, row.assessed?, (self.x(ply), y(row.worth?.1)))))
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

    /// What can be pointed at: each position says what it is, and leads to its move in the list.
    fn touched(&self, page: &mut HtmlPage) {
        let wide = self.step();
        for (ply, row) in self.rows.iter().enumerate() {
            if row.worth.is_none() && row.spent.is_none() {
                continue;
            }
            page.raw("<a href=\"#move-").count(row.number).raw("\" tabindex=\"-1\">");
            let left = (self.x(ply) - wide / 2.0).max(LEFT);
            let right = (self.x(ply) + wide / 2.0).min(RIGHT);
            rect(page, "<rect class=\"touch\"", [left, TOP, right - left, BOTTOM - TOP]);
            page.element("><title>", &self.said(row), "</title></rect></a>\n");
        }
    }

    fn said(&self, row: &ReportRow) -> String {
        let lang = self.report.lang;
        let mut said = study::place(row.number, &row.word, lang);
        if let (Some(percent), Some((value, _))) = (row.percent(), row.worth) {
            said += "\n";
            let value = words::value(value, self.report.titles, lang);
            said += &text::point(self.report.title(Color::Black), percent, &value, lang);
        }
        if let Some((mark, loss)) = row.assessed.and_then(|assessed| Some((assessed.mark?, assessed.loss))) {
            said += "\n";
            said += &text::cost(mark.label().text(lang), loss, lang);
        }
        if let Some(spent) = row.spent {
            said += "\n";
            said += &study::clock(spent.0);
        }
        said
    }
}

/// A piece of the line.
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

/// About how wide a word is: kanji are twice as wide as letters.
fn width(word: &str) -> f64 {
    word.chars().map(|c| if c.is_ascii() { 6.7 } else { 12.5 }).sum()
}

/// A place for a word beside a dot where nothing is yet, and where the word stands in it; none where there is no room.
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
