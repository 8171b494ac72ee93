//! The course of the game: the graph with what it comes to above it.

use super::{Sheet, StudyAction};
use crate::analysis::{Mark, Side};
use crate::kifu::{NodeId, Step};
use crate::shogi::Color;
use crate::study;
use crate::text::Lang;
use crate::text::graph::GraphWord;
use crate::text::study as words;
use crate::ui::fonts::Weight;
use crate::ui::graph::{self, GraphAction, GraphKind, GraphMark, GraphView, Series};
use eframe::egui;
use egui::{Align, Layout, Sense, Ui};

/// What the graph keeps from frame to frame.
#[derive(Debug)]
pub(super) struct Course {
    kind: GraphKind,
    shows_times: bool,
    drawn: Drawn,
    /// Of what: the insight and the record, the line's end, the language.
    of: Option<([u64; 2], usize, Option<NodeId>, Lang)>,
}

impl Default for Course {
    fn default() -> Self {
        Self { kind: GraphKind::WinRate, shows_times: true, drawn: Drawn::default(), of: None }
    }
}

/// What is drawn, worked out when the record has changed.
#[derive(Debug, Default)]
struct Drawn {
    series: Vec<study::Series>,
    marks: Vec<GraphMark>,
    times: Vec<Option<u32>>,
    words: Vec<String>,
}

impl Course {
    pub(super) fn show(&mut self, ui: &mut Ui, sheet: &mut Sheet<'_>) {
        let lang = sheet.lang;
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 4.0;
            let kinds = [
                (GraphKind::WinRate, words::Phrase::WinRate),
                (GraphKind::Evaluation, words::Phrase::Evaluation),
                (GraphKind::Both, words::Phrase::Both),
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
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| counts(ui, sheet));
        });
        self.work_out(sheet);
        let (rect, _) = ui.allocate_exact_size(ui.available_size(), Sense::hover());
        let drawn = &self.drawn;
        let series: Vec<_> = drawn.series.iter().map(of).collect();
        let document = sheet.view.document;
        let view = GraphView {
            plies: drawn.words.len(),
            current: document.place().min(drawn.words.len()),
            series: if sheet.view.bar.hidden { &[] } else { &series },
            marks: if sheet.view.bar.hidden { &[] } else { &drawn.marks },
            times: if self.shows_times { &drawn.times } else { &[] },
            first: document.record().start().side_to_move(),
            moves: &drawn.words,
            titles: sheet.titles(),
            kind: self.kind,
            flipped: sheet.view.flipped,
            hidden: sheet.view.bar.hidden,
        };
        if let Some(GraphAction::Go(ply)) = graph::show(ui, rect, &view, sheet.theme, lang) {
            sheet.act(StudyAction::GoTo(ply));
        }
    }

    fn work_out(&mut self, sheet: &Sheet<'_>) {
        let (document, insight) = (sheet.view.document, sheet.view.insight);
        let versions = [insight.version(), document.revision()];
        let of = Some((versions, sheet.view.rows.len(), document.line().last().copied(), sheet.lang));
        if std::mem::replace(&mut self.of, of) == of {
            return;
        }
        let record = document.record();
        // An end is no move: the graph goes to the last position.
        let rows = || sheet.view.rows.iter().filter(|row| !matches!(record.node(row.node).step(), Step::End(_)));
        let mark = |(ply, row): (usize, &crate::study::Row)| Some(GraphMark { ply, kind: insight.mark(row.node)? });
        self.drawn = Drawn {
            series: insight.series(document),
            marks: rows().enumerate().filter_map(mark).filter(|mark| mark.kind > Mark::Inaccuracy).collect(),
            times: rows().skip(1).map(|row| row.spent.and_then(|spent| u32::try_from(spent.0 / 1000).ok())).collect(),
            words: rows().skip(1).map(|row| row.word.clone()).collect(),
        };
        if self.drawn.times.iter().all(Option::is_none) {
            self.drawn.times.clear();
        }
    }
}

fn of(series: &study::Series) -> Series<'_> {
    Series { name: &series.name, values: &series.values, model: series.model }
}

/// How many bad moves each side has made, and how well it played.
fn counts(ui: &mut Ui, sheet: &Sheet<'_>) {
    if sheet.view.bar.hidden {
        return;
    }
    let insight = sheet.view.insight;
    let ([black, white], [taker, giver]) = (insight.summary().sides, sheet.titles());
    let sides = [(Color::White, giver, white), (Color::Black, taker, black)];
    let kinds: &[Mark] = &[Mark::Blunder, Mark::Mistake, Mark::Dubious];
    // Where there is no room for all of it, the accuracy alone; else it is in the report.
    for kinds in [kinds, &[]] {
        let said = |(side, title, sum): (Color, &str, &Side)| {
            let marks: Vec<_> = kinds.iter().map(|mark| (mark.label(), insight.count(side, *mark))).collect();
            Some(words::counts(title, &marks, sum.accuracy?, sheet.lang))
        };
        let said: Vec<_> = sides.iter().filter_map(|(side, title, sum)| said((*side, title, sum))).collect();
        let galley =
            |text: &String| ui.painter().layout_no_wrap(text.clone(), Weight::Regular.at(12.5), sheet.theme.quiet);
        let galleys: Vec<_> = said.iter().map(galley).collect();
        if galleys.iter().map(|galley| galley.size().x + 16.0).sum::<f32>() <= ui.available_width() {
            for galley in galleys {
                ui.label(galley);
                ui.add_space(8.0);
            }
            return;
        }
    }
}
