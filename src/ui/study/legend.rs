//! The legend of the graph: the name of each curve, and the choice of the judge.

use super::StudyFrame;
use crate::fonts::TextWeight;
use crate::graph;
use crate::review_text::ReviewPhrase;
use eframe::egui;
use egui::{
    Color32, CornerRadius, Galley, Response, RichText, Role, Sense, Shape, Stroke, StrokeKind, Ui,
    WidgetInfo, pos2, vec2,
};
use shogibar_games::analysis::MoveMark;
use shogibar_games::graph_text::GraphWord;
use shogibar_games::report_text::ReportWord;
use shogibar_games::study;
use shogibar_model::action::AppAction;
use std::sync::Arc;

#[derive(Clone, Debug, PartialEq)]
pub(super) struct GraphCurve {
    /// The name of the evaluator.
    pub(super) name: String,
    pub(super) series: study::EvaluationSeries,
    /// The index of the curve's colour. The judge has index 0.
    pub(super) color_index: usize,
}

/// The length of a line sample, in points.
const SAMPLE_LENGTH: f32 = 18.0;
/// The height of a pill, which is a name with a sample of the curve, in points.
const PILL_HEIGHT: f32 = 25.0;
/// The width of a pill without the name, in points.
const PILL_FRAME_WIDTH: f32 = 58.0;
/// The gap between names, in points.
const NAME_GAP: f32 = 5.0;
/// The font size of names, in points.
const NAME_FONT_SIZE: f32 = 13.0;
/// The maximum lengths of names, in characters. The first with which all names fit is used.
const NAME_LENGTHS: [usize; 5] = [36, 24, 16, 11, 8];
/// The maximum length of names on a separate row, in characters.
const MAX_ROW_NAME_CHARS: usize = 24;

/// A curve in the legend of the graph.
#[derive(Clone, Copy)]
struct LegendEntry<'a> {
    curve: &'a GraphCurve,
    /// The index of a live curve; `None` for a curve of the record, whose evaluator can become the judge.
    live_index: Option<usize>,
}

/// Draws the names of the curves in one row, if they fit into `room` points. Returns whether they fit.
pub(super) fn show_in_row(
    ui: &mut Ui,
    frame: &mut StudyFrame<'_>,
    (curves, live): (&[GraphCurve], &[GraphCurve]),
    room: f32,
) -> bool {
    let entries = entries(curves, live);
    let heading = if curves.is_empty() {
        0.0
    } else {
        layout_heading(ui, frame).size().x + NAME_GAP
    };
    let width = |max_chars: usize| {
        heading
            + entries
                .iter()
                .map(|entry| PILL_FRAME_WIDTH + NAME_GAP + layout_name(ui, frame, entry, max_chars).size().x)
                .sum::<f32>()
    };
    let Some(max_chars) = NAME_LENGTHS
        .into_iter()
        .find(|max_chars| width(*max_chars) <= room)
    else {
        return false;
    };
    ui.spacing_mut().item_spacing.x = NAME_GAP;
    show_entries(ui, frame, &entries, max_chars);
    true
}

/// Draws the names of the curves on separate rows.
pub(super) fn show_below(
    ui: &mut Ui,
    frame: &mut StudyFrame<'_>,
    (curves, live): (&[GraphCurve], &[GraphCurve]),
) {
    let entries = entries(curves, live);
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(NAME_GAP, 3.0);
        show_entries(ui, frame, &entries, MAX_ROW_NAME_CHARS);
    });
}

fn entries<'a>(curves: &'a [GraphCurve], live: &'a [GraphCurve]) -> Vec<LegendEntry<'a>> {
    let recorded = curves.iter().map(|curve| LegendEntry {
        curve,
        live_index: None,
    });
    let live = live.iter().enumerate().map(|(index, curve)| LegendEntry {
        curve,
        live_index: Some(index),
    });
    recorded.chain(live).collect()
}

/// Draws the entries, each name with at most `max_chars` characters. A click on a curve of the record makes its
/// evaluator the judge.
fn show_entries(ui: &mut Ui, frame: &mut StudyFrame<'_>, entries: &[LegendEntry<'_>], max_chars: usize) {
    let recorded = entries.iter().filter(|entry| entry.live_index.is_none()).count();
    if recorded > 0 {
        let heading = layout_heading(ui, frame);
        ui.label(heading);
    }
    for entry in entries {
        let name = layout_name(ui, frame, entry, max_chars);
        let response = match entry.live_index {
            None => show_pill(ui, frame, entry.curve, &name),
            Some(index) => show_live_name(ui, frame, &name, graph::live_color(frame.theme, index, recorded)),
        };
        let is_judge = entry.curve.series.is_judge;
        if response.clicked() && entry.live_index.is_none() && !is_judge {
            frame.act(AppAction::ChooseJudge(entry.curve.series.evaluator.clone()));
        }
        if entry.live_index.is_some() {
            response.on_hover_text(GraphWord::Live.text(frame.lang));
        } else {
            response.on_hover_text(&entry.curve.name);
        }
    }
}

/// Lays out the heading before the evaluators, one of which is the judge.
fn layout_heading(ui: &Ui, frame: &StudyFrame<'_>) -> Arc<Galley> {
    let word = ReportWord::Judge.text(frame.lang).to_owned();
    ui.painter()
        .layout_no_wrap(word, TextWeight::Regular.at(12.5), frame.theme.quiet)
}

/// Lays out a name, shortened to `max_chars` characters. The name of the judge is bold.
fn layout_name(ui: &Ui, frame: &StudyFrame<'_>, entry: &LegendEntry<'_>, max_chars: usize) -> Arc<Galley> {
    let name = &entry.curve.name;
    let is_short = name.chars().count() <= max_chars;
    let short = if is_short {
        name.clone()
    } else {
        name.chars().take(max_chars - 1).chain(['…']).collect()
    };
    let weight = if entry.curve.series.is_judge {
        TextWeight::Bold
    } else {
        TextWeight::Regular
    };
    ui.painter()
        .layout_no_wrap(short, weight.at(NAME_FONT_SIZE), frame.theme.text)
}

/// Draws an evaluator of the record as a radio button with a sample of its curve.
fn show_pill(ui: &mut Ui, frame: &StudyFrame<'_>, curve: &GraphCurve, name: &Arc<Galley>) -> Response {
    let (rect, response) = ui.allocate_exact_size(
        vec2(PILL_FRAME_WIDTH + name.size().x, PILL_HEIGHT),
        Sense::click(),
    );
    let is_judge = curve.series.is_judge;
    response.widget_info(|| WidgetInfo::selected(Role::RadioButton, true, is_judge, &curve.name));
    let theme = frame.theme;
    let (background, edge) = match (is_judge, response.hovered()) {
        (true, _) => (theme.rail, Stroke::NONE),
        (false, true) => (theme.rail.gamma_multiply(0.5), Stroke::new(1.0, theme.separator)),
        (false, false) => (Color32::TRANSPARENT, Stroke::new(1.0, theme.separator)),
    };
    let edge = if response.has_focus() {
        Stroke::new(2.0, theme.accent)
    } else {
        edge
    };
    let painter = ui.painter();
    painter.rect(rect, CornerRadius::same(13), background, edge, StrokeKind::Inside);
    let button = pos2(rect.left() + 13.0, rect.center().y);
    painter.circle_stroke(button, 5.5, Stroke::new(1.3, theme.text));
    if is_judge {
        painter.circle_filled(button, 3.0, theme.text);
    }
    let color = graph::curve_color(theme, curve.color_index);
    painter.extend(graph::curve_sample(
        pos2(rect.left() + 22.0, rect.center().y),
        SAMPLE_LENGTH,
        color,
        is_judge,
    ));
    painter.galley(
        pos2(rect.left() + 45.0, rect.center().y - name.size().y / 2.0),
        Arc::clone(name),
        theme.text,
    );
    response
}

/// The radius of the mark in the explanation of the ring, in points.
const RING_RADIUS: f32 = 7.0;
/// The font size of the explanation of the ring, in points.
const RING_FONT_SIZE: f32 = 12.5;
/// The gap between the mark and the text, in points.
const RING_GAP: f32 = 5.0;

/// Returns the width of the explanation of the ring, in points.
pub(super) fn ring_width(ui: &Ui, frame: &StudyFrame<'_>) -> f32 {
    2.0 * RING_RADIUS + RING_GAP + layout_ring_text(ui, frame).size().x
}

fn layout_ring_text(ui: &Ui, frame: &StudyFrame<'_>) -> Arc<Galley> {
    let word = ReviewPhrase::Decisive.text(frame.lang).to_owned();
    ui.painter()
        .layout_no_wrap(word, TextWeight::Regular.at(RING_FONT_SIZE), frame.theme.quiet)
}

/// Draws the explanation of the ring around the mark of a decisive move, if there is room.
pub(super) fn show_ring(ui: &mut Ui, frame: &StudyFrame<'_>) {
    let width = ring_width(ui, frame);
    if width > ui.available_width() {
        return;
    }
    let text = layout_ring_text(ui, frame);
    let (rect, response) = ui.allocate_exact_size(vec2(width, 2.0 * RING_RADIUS), Sense::hover());
    let center = pos2(rect.left() + RING_RADIUS, rect.center().y);
    ui.painter().extend(graph::dot_with_ring(
        center,
        RING_RADIUS,
        MoveMark::Mistake,
        frame.theme,
    ));
    let at = pos2(
        center.x + RING_RADIUS + RING_GAP,
        rect.center().y - text.size().y / 2.0,
    );
    ui.painter().galley(at, text, frame.theme.quiet);
    let word = ReviewPhrase::Decisive.text(frame.lang);
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, word));
    response.on_hover_text(ReviewPhrase::AboutDecisive.text(frame.lang));
}

/// Draws the name of an engine whose values were shown live, with a sample of its curve.
fn show_live_name(ui: &mut Ui, frame: &StudyFrame<'_>, name: &Arc<Galley>, color: Color32) -> Response {
    let (rect, _) = ui.allocate_exact_size(vec2(SAMPLE_LENGTH, PILL_HEIGHT), Sense::hover());
    let line: Vec<Shape> =
        graph::curve_sample(pos2(rect.left(), rect.center().y), SAMPLE_LENGTH, color, true);
    ui.painter().extend(line);
    let text = name.text().to_owned();
    ui.label(
        RichText::new(text)
            .font(TextWeight::Regular.at(NAME_FONT_SIZE))
            .color(frame.theme.text),
    )
}
