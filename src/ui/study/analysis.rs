//! A whole-game analysis: how it is to be, and how far it is.

use super::{Sheet, StudyAction, StudyView};
use crate::analysis::{Commission, DEEPEN, Progress, Scope, Stage};
use crate::config::Limit;
use crate::study::Document;
use crate::text::study::{self, Deed, Phrase};
use crate::ui::access::name;
use crate::ui::fonts::Weight;
use eframe::egui;
use egui::{DragValue, Grid, Key, Modifiers, ProgressBar, RichText, ScrollArea, Ui};
use std::time::Duration;

/// The form of an analysis to come.
#[derive(Debug)]
pub(super) struct Form {
    is_open: bool,
    commission: Commission,
    range: Range,
    /// From which move to which, where the user says so.
    between: [u16; 2],
}

/// Which moves are analysed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Range {
    Whole,
    FromHere,
    Between,
}

impl Default for Form {
    fn default() -> Self {
        let commission = Commission { limit: Limit::Time(Duration::from_secs(1)), ..Commission::default() };
        Self { is_open: false, commission, range: Range::Whole, between: [0, 0] }
    }
}

impl Form {
    pub(super) fn open(&mut self, document: &Document) {
        self.is_open = true;
        self.between = [0, last(document)];
    }

    pub(super) fn show(&mut self, ui: &Ui, sheet: &mut Sheet<'_>) {
        let lang = sheet.lang;
        if !self.is_open {
            return;
        }
        let mut ends = ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Escape));
        let (mut is_open, mut begins) = (true, false);
        let window = sheet.dialog(Deed::Analyse.text(lang));
        window.open(&mut is_open).show(ui.ctx(), |ui| {
            Grid::new("analysis").num_columns(2).spacing([18.0, 8.0]).show(ui, |ui| self.fields(ui, sheet));
            ui.add_space(6.0);
            ui.horizontal(|ui| {
                begins = ui.button(RichText::new(Phrase::Begin.text(lang)).font(Weight::Bold.at(14.0))).clicked();
                ends |= ui.button(Phrase::Cancel.text(lang)).clicked();
            });
        });
        self.is_open = is_open && !begins && !ends;
        if begins {
            let document = sheet.view.document;
            let (from, to) = match self.range {
                Range::Whole => (0, u16::MAX),
                Range::FromHere => (document.record().node(document.last_move()).ply(), u16::MAX),
                Range::Between => (self.between[0].min(self.between[1]), self.between[0].max(self.between[1])),
            };
            let scope = Scope { from, to, ..self.commission.scope };
            sheet.act(StudyAction::Analyse(Box::new(Commission { scope, ..self.commission.clone() })));
        }
    }

    fn fields(&mut self, ui: &mut Ui, sheet: &Sheet<'_>) {
        let lang = sheet.lang;
        let row = |ui: &mut Ui, phrase: Phrase, show: &mut dyn FnMut(&mut Ui)| {
            ui.label(phrase.text(lang));
            ui.horizontal(show);
            ui.end_row();
        };
        let Self { commission, range, between, .. } = self;
        ui.label(Phrase::Engine.text(lang));
        let ticks = |ui: &mut Ui| engines(ui, sheet.view, &mut commission.engines);
        ui.vertical(|ui| ScrollArea::vertical().max_height(132.0).show(ui, ticks));
        ui.end_row();
        row(ui, Phrase::PerPosition, &mut |ui| limit(ui, &mut commission.limit, lang));
        row(ui, Phrase::Lines, &mut |ui| {
            name(&ui.add(DragValue::new(&mut commission.multipv).range(1..=5)), Phrase::Lines.text(lang));
        });
        row(ui, Phrase::Jobs, &mut |ui| {
            name(&ui.add(DragValue::new(&mut commission.jobs).range(1..=64)), Phrase::Jobs.text(lang));
        });
        row(ui, Phrase::Range, &mut |ui| {
            for (one, phrase) in [
                (Range::Whole, Phrase::WholeGame),
                (Range::FromHere, Phrase::FromHere),
                (Range::Between, Phrase::Between),
            ] {
                ui.radio_value(range, one, phrase.text(lang));
            }
            let last = last(sheet.view.document);
            let [from, to] = between;
            for (sign, ply, phrase) in [("", from, Phrase::FirstMove), ("–", to, Phrase::LastMove)] {
                ui.label(sign);
                let field = ui.add_enabled(*range == Range::Between, DragValue::new(ply).range(0..=last));
                name(&field, phrase.text(lang));
            }
        });
        ui.label("");
        let mut deepens = commission.deepen > 1;
        if ui.checkbox(&mut deepens, study::deepen(lang)).changed() {
            commission.deepen = if deepens { DEEPEN } else { 0 };
        }
        ui.end_row();
        for (phrase, value) in [
            (Phrase::FromEnd, &mut commission.scope.from_end),
            (Phrase::VariationsToo, &mut commission.scope.variations),
            (Phrase::Again, &mut commission.again),
            (Phrase::AddLines, &mut commission.adds_variations),
        ] {
            ui.label("");
            ui.checkbox(value, phrase.text(lang));
            ui.end_row();
        }
    }
}

/// How many moves the line on view has.
fn last(document: &Document) -> u16 {
    let moves = document.line().last().map_or(0, |last| document.record().node(*last).ply());
    moves.max(1)
}

/// The engines, each of which searches every position: the one that is followed, where none is ticked.
fn engines(ui: &mut Ui, view: &StudyView<'_>, ticked: &mut Vec<String>) {
    ticked.retain(|engine| engine == view.engine || view.engines.contains(engine));
    if ticked.is_empty() {
        ticked.push(view.engine.to_owned());
    }
    let usual = Some(view.engine).filter(|usual| !view.engines.iter().any(|engine| engine == usual));
    for engine in usual.into_iter().chain(view.engines.iter().map(String::as_str)) {
        let mut is_ticked = ticked.iter().any(|one| one == engine);
        if ui.checkbox(&mut is_ticked, engine).changed() {
            ticked.retain(|one| one != engine);
            ticked.extend(is_ticked.then(|| engine.to_owned()));
        }
    }
}

/// When a position has been searched enough.
fn limit(ui: &mut Ui, limit: &mut Limit, lang: crate::text::Lang) {
    let field = match limit {
        Limit::Time(time) => {
            let mut seconds = time.as_secs_f64();
            let field = ui.add(DragValue::new(&mut seconds).range(0.1..=3600.0).speed(0.1).max_decimals(1));
            if field.changed() {
                *time = Duration::from_secs_f64(seconds);
            }
            Some(field)
        }
        Limit::Nodes(nodes) => Some(ui.add(DragValue::new(nodes).range(1..=u64::MAX).speed(1000.0))),
        Limit::Depth(depth) => Some(ui.add(DragValue::new(depth).range(1..=200))),
        Limit::Infinite => None,
    };
    if let Some(field) = field {
        name(&field, Phrase::PerPosition.text(lang));
    }
    let kinds = [
        (Limit::Time(Duration::from_secs(1)), Phrase::Seconds),
        (Limit::Nodes(1_000_000), Phrase::Nodes),
        (Limit::Depth(15), Phrase::Depth),
    ];
    for (kind, phrase) in kinds {
        let is_it = std::mem::discriminant(limit) == std::mem::discriminant(&kind);
        if ui.selectable_label(is_it, phrase.text(lang)).clicked() && !is_it {
            *limit = kind;
        }
    }
}

/// How far it is, below the row of tools.
pub(super) fn progress(ui: &mut Ui, sheet: &mut Sheet<'_>, progress: &Progress) {
    let lang = sheet.lang;
    let ([done, total], is_second) = progress.pass();
    let share = done as f32 / total.max(1) as f32;
    ui.label(RichText::new(Phrase::Analysing.text(lang)).font(Weight::Bold.at(14.0)));
    let said = study::progress([done, total], is_second, progress.left, lang);
    let bar = ui.add(ProgressBar::new(share).desired_width(220.0).desired_height(10.0));
    name(&bar, Phrase::Analysing.text(lang));
    ui.label(said);
    let rests = progress.stage == Stage::Paused;
    let pause = if rests { Phrase::GoOn } else { Phrase::Pause };
    if ui.button(pause.text(lang)).clicked() {
        sheet.act(StudyAction::PauseAnalysis);
    }
    if ui.button(Phrase::End.text(lang)).clicked() {
        sheet.act(StudyAction::EndAnalysis);
    }
}
