//! The parts of the HTML page around the graph of the game: the legend, and areas with tooltips and links.

use super::html_builder::HtmlBuilder;
use super::{Report, ReportRow};
use crate::report_text::{self as text, ReportWord};
use crate::{graph_text as words, phrase};
use shogibar_shogi::Color;

/// The opening markup of the judge's curve.
const JUDGE_PATH: &str = "<path class=\"line\"";

/// Returns the opening markup of a curve with an index in [`Report::other_curves`].
const fn other_path(index: usize) -> &'static str {
    match index {
        0 => "<path class=\"line other one\"",
        1 => "<path class=\"line other two\"",
        2 => "<path class=\"line other three\"",
        _ => "<path class=\"line other more\"",
    }
}

pub(super) fn write_legend(page: &mut HtmlBuilder, report: &Report) {
    let judge = Some((JUDGE_PATH, report.judge_curve.as_str())).filter(|(_, name)| !name.is_empty());
    let others = report
        .other_curves
        .iter()
        .enumerate()
        .map(|(index, curve)| (other_path(index), curve.name.as_str()));
    let mut curves = judge.into_iter().chain(others).peekable();
    if curves.peek().is_none() {
        return;
    }
    page.raw("<ul class=\"legend\">\n");
    for (path, name) in curves {
        page.raw("<li><svg viewBox=\"0 0 30 10\" aria-hidden=\"true\">")
            .raw(path)
            .raw(" d=\"M0 5L30 5\"/></svg>");
        let word = ReportWord::Judge.text(report.lang);
        if path == JUDGE_PATH {
            page.element("<b>", name, "</b> ").element("(", word, ")</li>\n");
        } else {
            page.element("", name, "</li>\n");
        }
    }
    page.raw("</ul>\n");
}

/// Writes an area over the curves for each position, with a tooltip and a link to the list of moves. `curves` is the
/// rectangle of the curves: left and upper edge, width and height.
#[expect(clippy::cast_precision_loss, reason = "a game has at most 65 535 moves")]
pub(super) fn write_hover_areas(
    page: &mut HtmlBuilder,
    report: &Report,
    rows: &[&ReportRow],
    curves: [f64; 4],
) {
    let [left, top, width, height] = curves;
    let wide = width / rows.len().saturating_sub(1).max(1) as f64;
    for (ply, row) in rows.iter().enumerate() {
        if row.value.is_none() && row.time_spent.is_none() {
            continue;
        }
        page.raw("<a href=\"#move-")
            .count(row.number)
            .raw("\" tabindex=\"-1\">");
        let middle = left + ply as f64 * wide;
        let (from, to) = (
            (middle - wide / 2.0).max(left),
            (middle + wide / 2.0).min(left + width),
        );
        page.raw("<rect class=\"touch\" x=\"")
            .coordinate(from)
            .raw("\" y=\"")
            .coordinate(top)
            .raw("\" width=\"")
            .coordinate(to - from);
        page.raw("\" height=\"").coordinate(height).element(
            "\"><title>",
            &tooltip(report, row),
            "</title></rect></a>\n",
        );
    }
}

fn tooltip(report: &Report, row: &ReportRow) -> String {
    let lang = report.lang;
    let mut tooltip = phrase::move_label(row.number, &row.word, lang);
    if let (Some(percent), Some((value, _))) = (row.percent(), row.value) {
        tooltip += "\n";
        let value = words::value(value, report.titles, lang);
        tooltip += &text::point(report.title(Color::Black), percent, &value, lang);
    }
    if let Some((mark, loss)) = row
        .assessed_move
        .and_then(|assessed| Some((assessed.mark?, assessed.loss)))
    {
        tooltip += "\n";
        tooltip += &text::mark_with_loss(mark.label().text(lang), loss, lang);
    }
    if let Some(spent) = row.time_spent {
        tooltip += "\n";
        tooltip += &phrase::millis_clock(spent.0);
    }
    tooltip
}
