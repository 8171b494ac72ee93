//! A whole-game analysis: how it is to be, and how far it is.

use super::{Sheet, StudyAction};
use crate::analysis::{Commission, Progress, Scope, Stage};
use crate::config::Limit;
use crate::text::study::{self, Deed, Phrase};
use crate::ui::access::name;
use crate::ui::fonts::Weight;
use eframe::egui;
use egui::{ComboBox, DragValue, Grid, ProgressBar, RichText, Ui};
use std::time::Duration;

/// The form of an analysis to come.
#[derive(Debug)]
pub(super) struct Form {
    is_open: bool,
    commission: Commission,
    from_here: bool,
}

impl Default for Form {
    fn default() -> Self {
        let commission = Commission { limit: Limit::Time(Duration::from_secs(1)), ..Commission::default() };
        Self { is_open: false, commission, from_here: false }
    }
}

impl Form {
    pub(super) const fn open(&mut self) {
        self.is_open = true;
    }

    pub(super) fn show(&mut self, ui: &Ui, sheet: &mut Sheet<'_>) {
        let lang = sheet.lang;
        let (mut is_open, mut begins, mut ends) = (self.is_open, false, false);
        let window = sheet.dialog(Deed::Analyse.text(lang));
        window.open(&mut is_open).show(ui.ctx(), |ui| {
            Grid::new("analysis").num_columns(2).spacing([18.0, 8.0]).show(ui, |ui| self.fields(ui, sheet));
            ui.add_space(6.0);
            ui.horizontal(|ui| {
                begins = ui.button(RichText::new(Phrase::Begin.text(lang)).font(Weight::Bold.at(14.0))).clicked();
                ends = ui.button(Phrase::Cancel.text(lang)).clicked();
            });
        });
        self.is_open = is_open && !begins && !ends;
        if begins {
            let ply = sheet.view.document.record().node(sheet.view.document.last_move()).ply();
            let scope = Scope { from: if self.from_here { ply } else { 0 }, ..self.commission.scope };
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
        let Self { commission, from_here, .. } = self;
        row(ui, Phrase::Engine, &mut |ui| {
            let usual = sheet.view.engine;
            let chosen = commission.engines.first().map_or(usual, String::as_str).to_owned();
            let list = ComboBox::from_id_salt("engine").selected_text(&chosen).show_ui(ui, |ui| {
                let entries = sheet.view.engines.iter();
                let clicked =
                    entries.filter(|engine| ui.selectable_label(**engine == chosen, *engine).clicked()).last();
                clicked.cloned()
            });
            let clicked = list.inner.flatten();
            name(&list.response, Phrase::Engine.text(lang));
            commission.engines = vec![clicked.unwrap_or(chosen)];
        });
        row(ui, Phrase::PerPosition, &mut |ui| limit(ui, &mut commission.limit, lang));
        row(ui, Phrase::Lines, &mut |ui| {
            name(&ui.add(DragValue::new(&mut commission.multipv).range(1..=5)), Phrase::Lines.text(lang));
        });
        row(ui, Phrase::Jobs, &mut |ui| {
            name(&ui.add(DragValue::new(&mut commission.jobs).range(1..=64)), Phrase::Jobs.text(lang));
        });
        row(ui, Phrase::Range, &mut |ui| {
            ui.radio_value(from_here, false, Phrase::WholeGame.text(lang));
            ui.radio_value(from_here, true, Phrase::FromHere.text(lang));
        });
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

/// How far it is, in the row of tools.
pub(super) fn progress(ui: &mut Ui, sheet: &mut Sheet<'_>, progress: &Progress) {
    let lang = sheet.lang;
    let share = progress.done as f32 / progress.total.max(1) as f32;
    ui.label(RichText::new(Deed::Analyse.text(lang)).font(Weight::Bold.at(14.0)));
    let said = study::progress(progress.done, progress.total, progress.left, lang);
    let bar = ui.add(ProgressBar::new(share).desired_width(220.0).desired_height(10.0));
    name(&bar, Deed::Analyse.text(lang));
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
