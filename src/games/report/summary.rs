//! The report as a few lines of text, to be copied.

use super::{Report, ReportDecisiveMove};
use crate::analysis::MoveMark;
use crate::report_text::{self as text, ReportWord};
use crate::{analysis_text as words, phrase};
use shogibar_base::Lang;
use shogibar_base::visible::visible;
use shogibar_shogi::Color;

/// The maximum number of moves of an engine's pv in the lines.
const MAX_PV_MOVES: usize = 5;

/// Returns the report as a few lines: players, headers, result, statistics of each side, decisive moves and evaluators.
/// Without evaluations, the lines end with the result.
pub fn summary(report: &Report) -> String {
    let lang = report.lang;
    let mut lines = vec![single_line(&text::versus(report.names(), lang))];
    lines.extend(
        report
            .headers
            .iter()
            .map(|(key, value)| labelled_line(key, value, lang)),
    );
    lines.push(report.result.clone());
    if !report.is_analysed() {
        return lines.join("\n") + "\n";
    }
    lines.push(String::new());
    for (color, side) in [Color::Black, Color::White].into_iter().zip(&report.sides) {
        let marks = MoveMark::ALL.map(MoveMark::label);
        let [one, two, three, four] = marks;
        let [first, second, third, fourth] = side.marks;
        let marks = [(one, first), (two, second), (three, third), (four, fourth)];
        lines.push(words::side(report.title(color), side.figures(), marks, lang));
    }
    lines.push(String::new());
    if report.decisive_moves.is_empty() {
        lines.push(ReportWord::NoDecisiveMoves.text(lang).to_owned());
    } else {
        lines.push(ReportWord::DecisiveMoves.text(lang).to_owned());
        lines.extend(
            report
                .decisive_moves
                .iter()
                .flat_map(|decisive| decisive_move_lines(report, decisive)),
        );
    }
    if report.missing_reasons > 0 {
        lines.push(text::missing_reasons(report.missing_reasons, lang));
    }
    let by = report.evaluator_rows();
    if !by.is_empty() {
        lines.push(String::new());
        lines.extend(by.iter().map(|(key, value)| labelled_line(key, value, lang)));
    }
    lines.join("\n") + "\n"
}

fn decisive_move_lines(report: &Report, decisive: &ReportDecisiveMove) -> Vec<String> {
    let (lang, assessed) = (report.lang, decisive.decisive_move.assessed_move);
    let label = phrase::move_label(usize::from(assessed.ply), &decisive.word, lang);
    let mark = assessed.mark.map(|mark| mark.label().text(lang).to_owned());
    let fall = text::fall(report.title(assessed.side), decisive.rates, lang);
    let parts = std::iter::once(label)
        .chain(mark)
        .chain(decisive.effects.iter().cloned())
        .chain([fall]);
    let mut lines = vec![parts.collect::<Vec<_>>().join(gap(lang))];
    if !decisive.sentence.is_empty() {
        lines.push(format!("{}{}", gap(lang), decisive.sentence));
    }
    for (word, moves) in [
        (ReportWord::Best, &decisive.line),
        (ReportWord::Punish, &decisive.punish_line),
    ] {
        if !moves.is_empty() {
            let line: Vec<_> = moves.iter().take(MAX_PV_MOVES).map(String::as_str).collect();
            lines.push(format!("{}{} {}", gap(lang), word.text(lang), line.join(" ")));
        }
    }
    lines
}

/// Returns the space between the parts of a line, which also indents lines.
const fn gap(lang: Lang) -> &'static str {
    lang.pick("　", "  ")
}

fn labelled_line(key: &str, value: &str, lang: Lang) -> String {
    single_line(&format!("{key}{}{value}", lang.pick("：", ": ")))
}

/// Returns a text as one line: line ends and tabs become spaces. Other control characters are made visible.
fn single_line(text: &str) -> String {
    visible(&text.replace(['\r', '\n', '\t'], " ")).into_owned()
}
