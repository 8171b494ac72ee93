//! The graph of the game, with the summary above it.

use super::legend::{self, GraphCurve};
use super::{StudyAction, StudyFrame};
use crate::analysis::{MoveMark, SideSummary};
use crate::kifu::{NodeId, Step};
use crate::shogi::Color;
use crate::study;
use crate::text::Lang;
use crate::text::graph::GraphWord;
use crate::text::study as words;
use crate::ui::fonts::TextWeight;
use crate::ui::graph::{self, GraphAction, GraphKind, GraphMark, GraphNames, GraphSeries, GraphView};
use eframe::egui;
use egui::{Align, Layout, RichText, Sense, Ui};

/// The state of the graph between frames.
#[derive(Debug)]
pub(super) struct GraphPanel {
    kind: GraphKind,
    shows_times: bool,
    drawn: DrawnGraph,
    /// The identity of the data: insight version and record revision, number of rows, end of the line, language.
    key: Option<([u64; 2], usize, Option<NodeId>, Lang)>,
}

impl Default for GraphPanel {
    fn default() -> Self {
        Self { kind: GraphKind::WinRate, shows_times: true, drawn: DrawnGraph::default(), key: None }
    }
}

/// The data to draw, recomputed when the record has changed.
#[derive(Debug, Default)]
struct DrawnGraph {
    curves: Vec<GraphCurve>,
    marks: Vec<GraphMark>,
    times: Vec<Option<u32>>,
    words: Vec<String>,
}

impl GraphPanel {
    pub(super) fn show(&mut self, ui: &mut Ui, frame: &mut StudyFrame<'_>) {
        let lang = frame.lang;
        self.compute(frame);
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 4.0;
            let kinds = [
                (GraphKind::WinRate, words::StudyPhrase::WinRate),
                (GraphKind::Evaluation, words::StudyPhrase::Evaluation),
                (GraphKind::Both, words::StudyPhrase::Both),
            ];
            for (kind, phrase) in kinds {
                if ui.selectable_label(self.kind == kind, phrase.text(lang)).clicked() {
                    self.kind = kind;
                }
            }
            ui.add_space(6.0);
            if ui.selectable_label(self.shows_times, GraphWord::Time.text(lang)).clicked() {
                self.shows_times = !self.shows_times;
            }
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| counts(ui, frame));
        });
        let is_hidden = frame.view.bar.hidden;
        if !is_hidden && !self.drawn.curves.is_empty() {
            legend::show(ui, frame, &self.drawn.curves);
        }
        let (rect, _) = ui.allocate_exact_size(ui.available_size(), Sense::hover());
        let drawn = &self.drawn;
        // The judge comes first.
        let mut curves: Vec<&GraphCurve> = drawn.curves.iter().collect();
        curves.sort_by_key(|curve| curve.place);
        let series: Vec<_> = curves.into_iter().map(from_curve).collect();
        let document = frame.view.document;
        let view = GraphView {
            plies: drawn.words.len(),
            current: document.place().min(drawn.words.len()),
            series: if is_hidden { &[] } else { &series },
            judged: drawn.curves.iter().any(|curve| curve.series.is_judge),
            names: GraphNames::Beside,
            marks: if is_hidden { &[] } else { &drawn.marks },
            times: if self.shows_times { &drawn.times } else { &[] },
            first: document.record().start().side_to_move(),
            moves: &drawn.words,
            titles: frame.titles(),
            kind: self.kind,
            flipped: frame.view.flipped,
            hidden: is_hidden,
        };
        if let Some(GraphAction::Go(ply)) = graph::show(ui, rect, &view, frame.theme, lang) {
            frame.act(StudyAction::GoTo(ply));
        }
    }

    fn compute(&mut self, frame: &StudyFrame<'_>) {
        let (document, insight) = (frame.view.document, frame.view.insight);
        let versions = [insight.version(), document.revision()];
        let key = Some((versions, frame.view.rows.len(), document.line().last().copied(), frame.lang));
        if std::mem::replace(&mut self.key, key) == key {
            return;
        }
        let record = document.record();
        // An end is not a move: the graph ends at the last position.
        let rows = || frame.view.rows.iter().filter(|row| !matches!(record.node(row.node).step(), Step::End(_)));
        let mark = |(ply, row): (usize, &crate::study::MoveRow)| Some(GraphMark { ply, kind: insight.mark(row.node)? });
        self.drawn = DrawnGraph {
            curves: curves(insight.series(document), frame),
            marks: rows().enumerate().filter_map(mark).filter(|mark| mark.kind > MoveMark::Inaccuracy).collect(),
            times: rows().skip(1).map(|row| row.spent.and_then(|spent| u32::try_from(spent.0 / 1000).ok())).collect(),
            words: rows().skip(1).map(|row| row.text.clone()).collect(),
        };
        if self.drawn.times.iter().all(Option::is_none) {
            self.drawn.times.clear();
        }
    }
}

/// Returns the curves in their order in the record; the judge has the first place in the graph.
fn curves(series: Vec<study::EvaluationSeries>, frame: &StudyFrame<'_>) -> Vec<GraphCurve> {
    let (record, lang) = (frame.view.document.record(), frame.lang);
    let judge = series.iter().position(|series| series.is_judge);
    let curve = |(number, series): (usize, study::EvaluationSeries)| {
        let place = match judge {
            Some(judge) if number == judge => 0,
            Some(judge) if number < judge => number + 1,
            _ => number,
        };
        GraphCurve { name: series.by.label(record, lang), series, place }
    };
    series.into_iter().enumerate().map(curve).collect()
}

fn from_curve(curve: &GraphCurve) -> GraphSeries<'_> {
    GraphSeries { name: &curve.name, values: &curve.series.values, model: curve.series.model }
}

/// Draws each side's accuracy and number of bad moves.
fn counts(ui: &mut Ui, frame: &StudyFrame<'_>) {
    if frame.view.bar.hidden {
        return;
    }
    let insight = frame.view.insight;
    if insight.is_withheld() {
        ui.label(RichText::new(GraphWord::Withheld.text(frame.lang)).size(12.5).color(frame.theme.quiet));
        return;
    }
    let ([black, white], [black_title, white_title]) = (insight.summary().sides, frame.titles());
    let sides = [(Color::White, white_title, white), (Color::Black, black_title, black)];
    let kinds: &[MoveMark] = &[MoveMark::Blunder, MoveMark::Mistake, MoveMark::Dubious];
    // If the full text is too wide, the sides are stacked; then details are left out. Mean loss and agreement stay
    // longest.
    for (kinds, has_accuracy) in [(kinds, true), (&[], true), (&[], false)] {
        let texts = |(side, title, sum): (Color, &str, &SideSummary)| {
            let marks: Vec<_> = kinds.iter().map(|mark| (mark.label(), insight.count(side, *mark))).collect();
            let mut sums = sum.sums();
            sums.accuracy = sums.accuracy.filter(|_| has_accuracy);
            Some(words::counts(title, &marks, sums, frame.lang)).filter(|_| sum.moves > 0)
        };
        let texts: Vec<_> = sides.iter().filter_map(|(side, title, sum)| texts((*side, title, sum))).collect();
        let galley =
            |text: &String| ui.painter().layout_no_wrap(text.clone(), TextWeight::Regular.at(12.5), frame.theme.quiet);
        let galleys: Vec<_> = texts.iter().map(galley).collect();
        let widths = galleys.iter().map(|galley| galley.size().x + 16.0);
        if widths.clone().sum::<f32>() <= ui.available_width() {
            for galley in galleys {
                ui.label(galley);
                ui.add_space(8.0);
            }
            return;
        }
        if widths.fold(0.0, f32::max) <= ui.available_width() {
            ui.vertical(|ui| {
                ui.spacing_mut().item_spacing.y = 0.0;
                // Black is above White.
                galleys.into_iter().rev().for_each(|galley| _ = ui.label(galley));
            });
            return;
        }
    }
}
