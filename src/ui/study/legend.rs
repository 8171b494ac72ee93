//! The legend of the graph: the name of each curve, and the choice of the judge.

use super::{StudyAction, StudyFrame};
use crate::study;
use crate::text::report::ReportWord;
use crate::ui::fonts::TextWeight;
use crate::ui::graph;
use eframe::egui;
use egui::{RadioButton, Rect, RichText, Sense, Shape, Stroke, Ui, pos2, vec2};

/// The curve of one evaluator.
#[derive(Debug)]
pub(super) struct GraphCurve {
    /// The name of the evaluator.
    pub(super) name: String,
    pub(super) series: study::EvaluationSeries,
    /// Its place in the graph: the judge is first.
    pub(super) place: usize,
}

/// The length of a line sample, in points.
const SAMPLE: f32 = 20.0;
/// The maximum length of a name, in characters.
const NAME: usize = 36;

/// Draws the names of the curves, each with a line sample. A click makes an evaluator the judge.
pub(super) fn show(ui: &mut Ui, frame: &mut StudyFrame<'_>, curves: &[GraphCurve]) {
    let theme = frame.theme;
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(5.0, 1.0);
        ui.label(RichText::new(ReportWord::Judge.text(frame.lang)).size(12.5).color(theme.quiet));
        for curve in curves {
            let is_judge = curve.series.is_judge;
            let name = short(&curve.name);
            let weight = if is_judge { TextWeight::Bold } else { TextWeight::Regular };
            let radio = ui.add(RadioButton::new(is_judge, RichText::new(name).font(weight.at(12.5))));
            let (rect, _) = ui.allocate_exact_size(vec2(SAMPLE, 16.0), Sense::hover());
            sample(ui, rect, graph::color_of_curve(theme, curve.place), is_judge);
            ui.add_space(8.0);
            if radio.on_hover_text(&curve.name).clicked() && !is_judge {
                frame.act(StudyAction::Judge(curve.series.by.clone()));
            }
        }
    });
}

/// Shortens a name to leave room for others.
fn short(name: &str) -> String {
    if name.chars().count() <= NAME { name.to_owned() } else { name.chars().take(NAME - 1).chain(['…']).collect() }
}

fn sample(ui: &Ui, rect: Rect, color: egui::Color32, is_judge: bool) {
    let line = [pos2(rect.left(), rect.center().y), pos2(rect.right(), rect.center().y)];
    if is_judge {
        ui.painter().line_segment(line, Stroke::new(2.2, color));
    } else {
        ui.painter().extend(Shape::dashed_line(&line, Stroke::new(1.5, color), 6.0, 3.0));
    }
}
