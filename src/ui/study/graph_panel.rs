//! The graph of the game, with the choice of the judge and the summary above the graph.

use super::legend::{self, GraphCurve};
use super::{StudyAction, StudyFrame};
use crate::access::{set_accessible_label, set_accessible_text};
use crate::fonts::TextWeight;
use crate::graph::{
    GraphAction, GraphGame, GraphInput, GraphKind, GraphMark, GraphNamePosition, GraphSeries, GraphView,
    GraphZoom,
};
use crate::review_text::ReviewPhrase;
use crate::study_text as words;
use eframe::egui;
use egui::containers::menu::MenuButton;
use egui::{Align, Button, Galley, Layout, Response, RichText, Sense, Ui};
use shogibar_base::Lang;
use shogibar_config::{Command, command_text};
use shogibar_games::analysis::MoveMark;
use shogibar_games::graph_text::{GraphWord, MistakeCounts, long_counts, short_counts};
use shogibar_games::study::{self, DocumentEdit, EvaluationSeries};
use shogibar_kifu::{NodeId, Step};
use shogibar_shogi::Color;
use shogibar_shogi::score::{Value, WinRateModel};
use std::sync::Arc;

/// The width reserved for the menu button, in points.
const MENU_BUTTON_WIDTH: f32 = 28.0;
/// The gap between the explanation of the ring and the summary, in points.
const RING_GAP: f32 = 8.0;
/// The font size of the summary, in points.
const SUMMARY_FONT_SIZE: f32 = 12.5;

/// The identity of the data: insight version and record revision, number of rows, end of the line, language.
type GraphKey = ([u64; 2], usize, Option<NodeId>, Lang);

/// The state of the graph between frames.
#[derive(Debug)]
pub(super) struct GraphPanel {
    kind: GraphKind,
    shows_times: bool,
    input: GraphInput,
    drawn_graph: DrawnGraph,
    key: Option<GraphKey>,
    /// The version of the live values, with the key of the graph that they were drawn in.
    live_key: Option<(u64, GraphKey)>,
    /// The first revision of the record. The graph of another record is shown whole.
    record_revision: u64,
}

impl Default for GraphPanel {
    fn default() -> Self {
        Self {
            kind: GraphKind::WinRate,
            shows_times: true,
            input: GraphInput::default(),
            drawn_graph: DrawnGraph::default(),
            key: None,
            live_key: None,
            record_revision: 0,
        }
    }
}

/// The data that the graph shows.
#[derive(Clone, Debug, Default, PartialEq)]
struct DrawnGraph {
    /// The curves of the record.
    curves: Vec<GraphCurve>,
    /// The curves of values that were shown live, where the record has none.
    live_curves: Vec<GraphCurve>,
    /// The values of background searches, by ply.
    filled_values: Vec<Option<(Value, WinRateModel)>>,
    /// The last ply that the variation shares with the game; `None` if the game itself is shown.
    branch_ply: Option<usize>,
    /// The values of the game, drawn beside the variation: those of the judge, or else those that were shown live.
    game: Vec<Option<(Value, WinRateModel)>>,
    marks: Vec<GraphMark>,
    /// The time of each move, in seconds; empty if no time is known.
    move_times: Vec<Option<u32>>,
    /// The moves, in words.
    moves: Vec<String>,
    /// The reason why each move was bad, in a few words; empty if the move was not bad or the reason is not known.
    reasons: Vec<String>,
}

impl GraphPanel {
    pub(super) fn show(&mut self, ui: &mut Ui, frame: &mut StudyFrame<'_>) {
        let revision = frame.view.document.first_revision();
        if std::mem::replace(&mut self.record_revision, revision) != revision {
            self.input.show_all();
        }
        self.update(frame);
        self.show_head(ui, frame);
        let (rect, _) = ui.allocate_exact_size(ui.available_size(), Sense::hover());
        let state = self.display_state(frame);
        let (input, drawn) = (&mut self.input, &self.drawn_graph);
        let action = state.with_view_of(drawn, |view| input.show(ui, rect, view, frame.theme, frame.lang));
        if let Some(GraphAction::Go(ply)) = action {
            frame.act(DocumentEdit::GoTo(ply));
        }
    }

    pub(super) fn picture(&self, frame: &StudyFrame<'_>) -> GraphScene {
        GraphScene {
            drawn_graph: self.drawn_graph.clone(),
            state: self.display_state(frame),
        }
    }

    fn display_state(&self, frame: &StudyFrame<'_>) -> GraphDisplayState {
        let document = frame.view.document;
        GraphDisplayState {
            current_ply: document.ply().min(self.drawn_graph.moves.len()),
            first_mover: document.record().start().side_to_move(),
            titles: frame.titles(),
            kind: self.kind,
            shows_times: self.shows_times,
            is_flipped: frame.view.is_flipped,
            is_hidden: frame.view.bar.is_hidden,
            bar_share: if frame.view.bar.engines.len() > 1 && !frame.view.bar.is_stale {
                frame.view.bar.share
            } else {
                None
            },
        }
    }

    /// Draws the heading, the names of the curves, the summary and the menu. The names are left out while evaluations
    /// are hidden.
    fn show_head(&mut self, ui: &mut Ui, frame: &mut StudyFrame<'_>) {
        let is_hidden = frame.view.bar.is_hidden;
        let summaries = if is_hidden {
            Vec::new()
        } else {
            summaries(ui, frame)
        };
        let mut is_legend_shown = true;
        ui.horizontal(|ui| {
            ui.set_min_height(27.0);
            ui.spacing_mut().item_spacing.x = 5.0;
            let heading = RichText::new(GraphWord::Heading.text(frame.lang)).font(TextWeight::Bold.at(15.0));
            ui.label(heading.color(frame.theme.text));
            ui.add_space(4.0);
            let has_ring = !is_hidden && self.has_decisive_move();
            let ring = if has_ring {
                legend::ring_width(ui, frame) + RING_GAP
            } else {
                0.0
            };
            if !is_hidden {
                let min_width = summaries.last().map_or(0.0, |summary| summary.size().x + 8.0);
                let room = ui.available_width() - MENU_BUTTON_WIDTH;
                let curves = (&*self.drawn_graph.curves, &*self.drawn_graph.live_curves);
                is_legend_shown = [room - min_width - ring, room - min_width, room]
                    .into_iter()
                    .any(|room| legend::show_in_row(ui, frame, curves, room));
            }
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                self.show_menu(ui, frame);
                let room = ui.available_width() - 6.0;
                let fitting = |room: f32| summaries.iter().find(|summary| summary.size().x <= room);
                if let Some(summary) = fitting(room - ring).or_else(|| fitting(room)) {
                    let label = ui.label(Arc::clone(summary));
                    describe_summary(&label, frame);
                }
                if has_ring {
                    ui.add_space(RING_GAP);
                    legend::show_ring(ui, frame);
                }
            });
        });
        if !is_legend_shown {
            legend::show_below(
                ui,
                frame,
                (&self.drawn_graph.curves, &self.drawn_graph.live_curves),
            );
        }
    }

    fn has_decisive_move(&self) -> bool {
        self.drawn_graph.marks.iter().any(|mark| mark.is_decisive)
    }

    fn show_menu(&mut self, ui: &mut Ui, frame: &mut StudyFrame<'_>) {
        let lang = frame.lang;
        let plies = self
            .drawn_graph
            .moves
            .len()
            .max(self.drawn_graph.game.len().saturating_sub(1));
        let button = MenuButton::from_button(
            Button::new(RichText::new("…").color(frame.theme.text)).frame_when_inactive(false),
        );
        let (button, _) = button.ui(ui, |ui| {
            for (kind, phrase) in [
                (GraphKind::WinRate, words::StudyPhrase::WinRate),
                (GraphKind::Evaluation, words::StudyPhrase::Evaluation),
                (GraphKind::Both, words::StudyPhrase::Both),
            ] {
                ui.radio_value(&mut self.kind, kind, phrase.text(lang));
            }
            ui.separator();
            ui.checkbox(&mut self.shows_times, GraphWord::Time.text(lang));
            ui.separator();
            let item = |word: GraphWord, key: &'static str| Button::new(word.text(lang)).right_text(key);
            if ui.add(item(GraphWord::ZoomIn, "+")).clicked() {
                self.input.zoom_step(plies, true);
            }
            let is_all = self.input.shows_all();
            if ui.add_enabled(!is_all, item(GraphWord::ZoomOut, "−")).clicked() {
                self.input.zoom_step(plies, false);
            }
            if ui.add_enabled(!is_all, item(GraphWord::ShowAll, "0")).clicked() {
                self.input.show_all();
            }
            ui.separator();
            if ui.button(command_text(Command::SaveGraph, lang)).clicked() {
                frame.act(StudyAction::Command(Command::SaveGraph));
            }
            let details = side_details(frame);
            if !details.is_empty() {
                ui.separator();
            }
            let is_ring_explained = !details.is_empty() && self.has_decisive_move();
            for line in details {
                ui.label(
                    RichText::new(line)
                        .size(SUMMARY_FONT_SIZE)
                        .color(frame.theme.quiet),
                );
            }
            if is_ring_explained {
                let text = ReviewPhrase::AboutDecisive.text(lang);
                ui.label(
                    RichText::new(text)
                        .size(SUMMARY_FONT_SIZE)
                        .color(frame.theme.quiet),
                );
            }
        });
        let word = GraphWord::Options.text(lang);
        set_accessible_label(&button, word);
        button.on_hover_text(word);
    }

    /// Recomputes the graph if the record, the values or the language have changed.
    fn update(&mut self, frame: &StudyFrame<'_>) {
        let (document, insight) = (frame.view.document, frame.view.insight);
        let versions = [insight.version(), document.revision()];
        let key = (
            versions,
            frame.view.rows.len(),
            document.line().last().copied(),
            frame.lang,
        );
        if self.key.replace(key) != Some(key) {
            self.drawn_graph = drawn_graph_of(frame);
        }
        let live_key = Some((frame.view.live_values.version, key));
        if std::mem::replace(&mut self.live_key, live_key) != live_key {
            self.add_live_values(frame);
        }
    }

    /// Adds the values that were shown live and those of background searches, where the record has none. Beside a
    /// variation, also collects the values of the game.
    fn add_live_values(&mut self, frame: &StudyFrame<'_>) {
        let (document, insight) = (frame.view.document, frame.view.insight);
        let recorded: Vec<_> = self
            .drawn_graph
            .curves
            .iter()
            .map(|curve| &curve.series)
            .collect();
        let live = frame.view.live_values.line.iter().filter_map(|series| {
            let mut series = series.clone();
            series.mask(&recorded).then(|| {
                let others = recorded.iter().map(|series| &series.evaluator);
                GraphCurve {
                    name: series
                        .evaluator
                        .label_among(others, document.record(), frame.lang),
                    series,
                    color_index: 0,
                }
            })
        });
        self.drawn_graph.live_curves = live.collect();
        self.drawn_graph
            .filled_values
            .clone_from(&frame.view.live_values.filled_values);
        let known = |ply: usize| {
            let mut all = recorded.iter().copied().chain(&frame.view.live_values.line);
            all.find_map(|series| series.value(ply))
        };
        let filled = &frame.view.live_values.filled_values;
        let is_gap = |ply: usize| known(ply).is_none() && filled.get(ply).is_some_and(Option::is_some);
        for (ply, value) in self.drawn_graph.filled_values.iter_mut().enumerate() {
            // The line reaches to the values beside the gap.
            let is_beside = is_gap(ply + 1) || ply.checked_sub(1).is_some_and(is_gap);
            *value = if is_gap(ply) {
                *value
            } else if is_beside {
                known(ply)
            } else {
                None
            };
        }
        if self.drawn_graph.branch_ply.is_some() {
            self.drawn_graph.game = insight.main_line_values(document);
            for (ply, value) in self.drawn_graph.game.iter_mut().enumerate() {
                *value = value.or_else(|| {
                    frame
                        .view
                        .live_values
                        .main_line
                        .iter()
                        .find_map(|series| series.value(ply))
                });
            }
        }
    }
}

/// The graph as it is shown on the page.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct GraphScene {
    drawn_graph: DrawnGraph,
    state: GraphDisplayState,
}

/// The state of the page with which the graph is drawn, such as the current ply and the visible parts.
#[derive(Clone, Copy, Debug, PartialEq)]
struct GraphDisplayState {
    current_ply: usize,
    first_mover: Color,
    titles: [&'static str; 2],
    kind: GraphKind,
    shows_times: bool,
    is_flipped: bool,
    is_hidden: bool,
    /// Black's share of the bar, if several engines contribute to it.
    bar_share: Option<f32>,
}

impl GraphScene {
    /// Calls `work` with the view of the graph, with the names of the engines inside.
    pub(super) fn with_view<T>(&self, work: impl FnOnce(&GraphView<'_>) -> T) -> T {
        self.state.with_view_of(&self.drawn_graph, |view| {
            work(&GraphView {
                name_position: GraphNamePosition::Inside,
                ..*view
            })
        })
    }
}

impl GraphDisplayState {
    /// Calls `work` with the view of a graph in this state.
    fn with_view_of<T>(self, drawn: &DrawnGraph, work: impl FnOnce(&GraphView<'_>) -> T) -> T {
        // The judge's curve comes first.
        let mut curves: Vec<&GraphCurve> = drawn.curves.iter().collect();
        curves.sort_by_key(|curve| curve.color_index);
        let series: Vec<_> = curves.into_iter().map(graph_series).collect();
        let live: Vec<_> = drawn.live_curves.iter().map(graph_series).collect();
        let is_hidden = self.is_hidden;
        let judged = drawn.curves.iter().any(|curve| curve.series.is_judge);
        let game = drawn.branch_ply.map(|branch_ply| GraphGame {
            branch_ply,
            values: if is_hidden { &[] } else { &drawn.game },
        });
        work(&GraphView {
            plies: drawn.moves.len(),
            current_ply: self.current_ply,
            series: if is_hidden { &[] } else { &series },
            has_judge: judged,
            bar_share: if judged || is_hidden { None } else { self.bar_share },
            live_series: if is_hidden { &[] } else { &live },
            filled_values: if is_hidden { &[] } else { &drawn.filled_values },
            game,
            name_position: GraphNamePosition::Beside,
            marks: if is_hidden { &[] } else { &drawn.marks },
            move_times: if self.shows_times { &drawn.move_times } else { &[] },
            first_mover: self.first_mover,
            moves: &drawn.moves,
            reasons: if is_hidden { &[] } else { &drawn.reasons },
            titles: self.titles,
            kind: self.kind,
            is_flipped: self.is_flipped,
            is_hidden,
            zoom: GraphZoom::default(),
        })
    }
}

/// Returns the data of the record that the graph shows.
fn drawn_graph_of(frame: &StudyFrame<'_>) -> DrawnGraph {
    let (document, insight) = (frame.view.document, frame.view.insight);
    let record = document.record();
    // The node of a game end is not a move: the graph ends at the last position.
    let rows = || {
        frame
            .view
            .rows
            .iter()
            .filter(|row| !matches!(record.node(row.node).step(), Step::End(_)))
    };
    let shared = document.shared_node_count();
    let branch_ply = (shared < document.line().len()).then_some(shared);
    let mark = |(ply, row): (usize, &shogibar_games::study::MoveRow)| {
        let is_decisive = insight.decisive(row.node).is_some();
        Some(GraphMark {
            ply,
            kind: insight.mark(row.node)?,
            is_decisive,
        })
    };
    // Beside a variation, the game has the times.
    let nodes: Vec<NodeId> = match branch_ply {
        Some(_) => record
            .main_line()
            .filter(|node| record.node(*node).mv().is_some())
            .collect(),
        None => rows().skip(1).map(|row| row.node).collect(),
    };
    let mut times: Vec<_> = nodes
        .into_iter()
        .map(|node| {
            record
                .node(node)
                .time
                .spent
                .and_then(|spent| u32::try_from(spent.0 / 1000).ok())
        })
        .collect();
    if times.iter().all(Option::is_none) {
        times.clear();
    }
    DrawnGraph {
        curves: graph_curves(insight.series(document), frame),
        live_curves: Vec::new(),
        filled_values: Vec::new(),
        branch_ply,
        game: Vec::new(),
        marks: rows().enumerate().filter_map(mark).collect(),
        move_times: times,
        moves: rows().skip(1).map(|row| row.text.clone()).collect(),
        reasons: rows()
            .skip(1)
            .map(|row| insight.review().short_reason(row.node, frame.lang).to_owned())
            .collect(),
    }
}

/// Returns the curves in the order of the record. The judge has the first colour.
fn graph_curves(series: Vec<EvaluationSeries>, frame: &StudyFrame<'_>) -> Vec<GraphCurve> {
    let (record, lang) = (frame.view.document.record(), frame.lang);
    let judge = series.iter().position(|series| series.is_judge);
    let all: Vec<_> = series.iter().map(|series| series.evaluator.clone()).collect();
    let curve = |(number, series): (usize, study::EvaluationSeries)| {
        let color_index = match judge {
            Some(judge) if number == judge => 0,
            Some(judge) if number < judge => number + 1,
            _ => number,
        };
        GraphCurve {
            name: series.evaluator.label_among(&all, record, lang),
            series,
            color_index,
        }
    };
    series.into_iter().enumerate().map(curve).collect()
}

fn graph_series(curve: &GraphCurve) -> GraphSeries<'_> {
    GraphSeries {
        name: &curve.name,
        values: &curve.series.values,
        model: curve.series.model,
    }
}

/// Returns the number of bad moves and the accuracy of each side. Returns `None` if no move is assessed, or if
/// evaluations are hidden or withheld.
fn mistake_counts(frame: &StudyFrame<'_>) -> Option<[MistakeCounts; 2]> {
    let insight = frame.view.insight;
    let [black, white] = &insight.summary().sides;
    if frame.view.bar.is_hidden || insight.withholds_marks() || black.moves + white.moves == 0 {
        return None;
    }
    Some([Color::Black, Color::White].map(|side| {
        MistakeCounts {
            accuracy: (if side == Color::Black { black } else { white })
                .figures()
                .accuracy,
            blunders: insight.count_marks(side, MoveMark::Blunder),
            mistakes: insight.count_marks(side, MoveMark::Mistake),
            dubious: insight.count_marks(side, MoveMark::Dubious),
        }
    }))
}

/// Gives the summary a tooltip with the details, and a full text for screen readers.
fn describe_summary(summary: &Response, frame: &StudyFrame<'_>) {
    let Some(counts) = mistake_counts(frame) else {
        return;
    };
    let details = side_details(frame).join("\n");
    set_accessible_text(
        summary,
        &format!("{} {details}", long_counts(counts, frame.titles(), frame.lang)),
    );
    summary.clone().on_hover_text(details);
}

/// Returns the laid out forms of the summary, the longest first. While marks are withheld, the only form says so.
fn summaries(ui: &Ui, frame: &StudyFrame<'_>) -> Vec<Arc<Galley>> {
    let (lang, titles) = (frame.lang, frame.titles());
    let texts = match mistake_counts(frame) {
        Some(counts) => {
            let without_accuracy = counts.map(|counts| MistakeCounts {
                accuracy: None,
                ..counts
            });
            vec![
                long_counts(counts, titles, lang),
                long_counts(without_accuracy, titles, lang),
                short_counts(counts, titles, lang),
            ]
        }
        None if frame.view.insight.withholds_marks() => vec![GraphWord::Withheld.text(lang).to_owned()],
        None => Vec::new(),
    };
    texts
        .into_iter()
        .map(|text| {
            ui.painter()
                .layout_no_wrap(text, TextWeight::Regular.at(SUMMARY_FONT_SIZE), frame.theme.quiet)
        })
        .collect()
}

/// Returns a line with accuracy, mean loss, agreement and marks for each side that has assessed moves.
fn side_details(frame: &StudyFrame<'_>) -> Vec<String> {
    if mistake_counts(frame).is_none() {
        return Vec::new();
    }
    let insight = frame.view.insight;
    let sides = [Color::Black, Color::White]
        .into_iter()
        .zip(frame.titles())
        .zip(&insight.summary().sides);
    let assessed = sides.filter(|(_, sum)| sum.moves > 0);
    assessed
        .map(|((side, title), sum)| {
            let marks: Vec<_> = MoveMark::ALL
                .iter()
                .rev()
                .map(|mark| (mark.label(), insight.count_marks(side, *mark)))
                .collect();
            words::counts(title, &marks, sum.figures(), frame.lang)
        })
        .collect()
}
