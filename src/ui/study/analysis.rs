//! Whole-game analysis: the form of its options, and the display of its progress.

use super::{StudyFrame, StudyView};
use crate::access::set_accessible_label;
use crate::fonts::TextWeight;
use crate::study_text::{self, StudyPhrase};
use eframe::egui;
use egui::{Button, DragValue, Grid, Key, Modifiers, ProgressBar, RichText, ScrollArea, Ui};
use shogibar_base::Lang;
use shogibar_config::{Command, command_text};
use shogibar_engine::options::Limit;
use shogibar_games::analysis::{
    self, AnalysisOptions, AnalysisPlan, AnalysisScope, AnalysisStage, DEFAULT_DEEPEN_FACTOR, Progress,
};
use shogibar_games::analysis_text::mating_problem;
use shogibar_games::phrase;
use shogibar_games::study::Document;
use shogibar_model::action::AppAction;
use std::time::Duration;

/// The height of the dialog without its engine list, in points.
const HEIGHT_WITHOUT_ENGINES: f32 = 400.0;
/// The minimum height of the engine list, in points.
const MIN_ENGINE_LIST_HEIGHT: f32 = 96.0;
/// The maximum number of engines in one column; more are shown in two columns.
const MAX_ENGINES_PER_COLUMN: usize = 5;
/// The maximum length of an engine name before it is shortened, in characters.
const MAX_NAME_CHARS: usize = 28;
/// The maximum number of nodes for which the effort is estimated: more would delay the frame.
const MAX_ESTIMATED_NODES: usize = 20_000;

#[derive(Debug)]
pub(super) struct AnalysisForm {
    is_open: bool,
    options: AnalysisOptions,
    range: AnalysisRange,
    /// The first and last ply of the range `Between`.
    ply_range: [u16; 2],
    /// The plan of all moves at the last estimate; `None` before the first one.
    plan: Option<CachedPlan>,
}

/// The plan of all moves of a record.
#[derive(Debug)]
struct CachedPlan {
    /// The revision of the record.
    revision: u64,
    includes_variations: bool,
    plan: AnalysisPlan,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AnalysisRange {
    Whole,
    FromHere,
    Between,
}

impl Default for AnalysisForm {
    fn default() -> Self {
        let options = AnalysisOptions {
            limit: Limit::Time(Duration::from_secs(1)),
            ..AnalysisOptions::default()
        };
        Self {
            is_open: false,
            options,
            range: AnalysisRange::Whole,
            ply_range: [0, 0],
            plan: None,
        }
    }
}

impl AnalysisForm {
    pub(super) const fn close(&mut self) {
        self.is_open = false;
    }

    pub(super) fn open(&mut self, document: &Document) {
        self.is_open = true;
        self.ply_range = [0, last_ply(document)];
    }

    pub(super) fn show(&mut self, ui: &Ui, frame: &mut StudyFrame<'_>) {
        let lang = frame.lang;
        if !self.is_open {
            return;
        }
        let mut ends = ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Escape));
        let (mut is_open, mut begins) = (true, false);
        let window = frame.new_dialog_window(command_text(Command::Analyse, lang));
        window.open(&mut is_open).show(ui.ctx(), |ui| {
            Grid::new("analysis")
                .num_columns(2)
                .spacing([18.0, 8.0])
                .show(ui, |ui| self.show_fields(ui, frame));
            ui.add_space(6.0);
            let (can_begin, effort) = self.estimate_effort(frame);
            ui.horizontal(|ui| {
                let begin = RichText::new(StudyPhrase::Begin.text(lang)).font(TextWeight::Bold.at(14.0));
                begins = ui.add_enabled(can_begin, Button::new(begin)).clicked();
                ends |= ui.button(StudyPhrase::Cancel.text(lang)).clicked();
                ui.label(RichText::new(effort).color(frame.theme.quiet));
            });
        });
        self.is_open = is_open && !begins && !ends;
        if begins {
            frame.act(AppAction::StartAnalysis(Box::new(
                self.build_options(frame.view.document),
            )));
        }
    }

    fn build_options(&self, document: &Document) -> AnalysisOptions {
        let (from, to) = match self.range {
            AnalysisRange::Whole => (0, u16::MAX),
            AnalysisRange::FromHere => (document.record().node(document.last_move()).ply(), u16::MAX),
            AnalysisRange::Between => (
                self.ply_range[0].min(self.ply_range[1]),
                self.ply_range[0].max(self.ply_range[1]),
            ),
        };
        let scope = AnalysisScope {
            from,
            to,
            ..self.options.scope
        };
        AnalysisOptions {
            scope,
            ..self.options.clone()
        }
    }

    /// Returns whether there is anything to do, and the text of the estimated effort. For a mating problem, the text is
    /// the reason why it cannot be analysed. The text is empty for a record too large for an estimate, or if only
    /// variations are to be added.
    fn estimate_effort(&mut self, frame: &StudyFrame<'_>) -> (bool, String) {
        let document = frame.view.document;
        let (revision, includes_variations) = (document.revision(), self.options.scope.variations);
        let is_current = self.plan.as_ref().is_some_and(|cached| {
            (cached.revision, cached.includes_variations) == (revision, includes_variations)
        });
        if !is_current {
            let is_large = document.record().all().nth(MAX_ESTIMATED_NODES).is_some();
            let scope = AnalysisScope {
                variations: includes_variations,
                ..AnalysisScope::default()
            };
            let plan = if is_large {
                AnalysisPlan::default()
            } else {
                analysis::plan(document.record(), scope)
            };
            self.plan = Some(CachedPlan {
                revision,
                includes_variations,
                plan,
            });
        }
        let options = self.build_options(document);
        let Some(CachedPlan { plan, .. }) = &self.plan else {
            return (true, String::new());
        };
        if plan.is_mating_problem(document.record()) {
            return (false, mating_problem(frame.lang).to_owned());
        }
        if plan.tasks.is_empty() && plan.unsearchable_positions.is_empty() {
            return (true, String::new());
        }
        // The engine that the bar follows has reported a name, which is shown.
        let lead = frame.view.bar.lead();
        let effort = analysis::estimate(plan, &options, |engine: &str| {
            (engine == frame.view.engine).then(|| lead.reported_name.clone())
        });
        let deepens = if effort.positions > 0 {
            options.deepen > 1
        } else {
            effort.has_second_pass
        };
        let can_search = effort.positions > 0 || deepens;
        if !can_search && options.adds_variations {
            return (true, String::new());
        }
        (
            can_search,
            study_text::effort(effort.positions, effort.time, deepens, frame.lang),
        )
    }

    fn show_fields(&mut self, ui: &mut Ui, frame: &StudyFrame<'_>) {
        let lang = frame.lang;
        let row = |ui: &mut Ui, phrase: StudyPhrase, show: &mut dyn FnMut(&mut Ui)| {
            ui.label(phrase.text(lang));
            ui.horizontal(show);
            ui.end_row();
        };
        let Self {
            options,
            range,
            ply_range: between,
            ..
        } = self;
        ui.label(StudyPhrase::Engine.text(lang));
        // All engines should be visible. The list scrolls only if they would exceed the window.
        let height = (ui.ctx().content_rect().height() - HEIGHT_WITHOUT_ENGINES).max(MIN_ENGINE_LIST_HEIGHT);
        let area = ScrollArea::vertical()
            .max_height(height)
            .min_scrolled_height(height);
        ui.vertical(|ui| {
            area.show(ui, |ui| {
                show_engines(ui, frame.view, frame.lang, &mut options.engines);
            })
        });
        ui.end_row();
        row(ui, StudyPhrase::PerPosition, &mut |ui| {
            show_limit_fields(ui, &mut options.limit, lang);
        });
        row(ui, StudyPhrase::Lines, &mut |ui| {
            set_accessible_label(
                &ui.add(DragValue::new(&mut options.multipv).range(1..=5)),
                StudyPhrase::Lines.text(lang),
            );
        });
        row(ui, StudyPhrase::Jobs, &mut |ui| {
            set_accessible_label(
                &ui.add(DragValue::new(&mut options.jobs).range(1..=64)),
                StudyPhrase::Jobs.text(lang),
            );
        });
        row(ui, StudyPhrase::Range, &mut |ui| {
            for (one, phrase) in [
                (AnalysisRange::Whole, StudyPhrase::WholeGame),
                (AnalysisRange::FromHere, StudyPhrase::FromHere),
                (AnalysisRange::Between, StudyPhrase::Between),
            ] {
                ui.radio_value(range, one, phrase.text(lang));
            }
            let end = last_ply(frame.view.document);
            let [from, to] = between;
            for (sign, ply, phrase) in [
                ("", from, StudyPhrase::FirstMove),
                ("–", to, StudyPhrase::LastMove),
            ] {
                ui.label(sign);
                let field = ui.add_enabled(
                    *range == AnalysisRange::Between,
                    DragValue::new(ply).range(0..=end),
                );
                set_accessible_label(&field, phrase.text(lang));
            }
        });
        ui.label("");
        let mut deepens = options.deepen > 1;
        if ui.checkbox(&mut deepens, study_text::deepen(lang)).changed() {
            options.deepen = if deepens { DEFAULT_DEEPEN_FACTOR } else { 0 };
        }
        ui.end_row();
        for (phrase, value) in [
            (StudyPhrase::FromEnd, &mut options.scope.from_end),
            (StudyPhrase::VariationsToo, &mut options.scope.variations),
            (StudyPhrase::Again, &mut options.repeats_searches),
            (StudyPhrase::AddLines, &mut options.adds_variations),
        ] {
            ui.label("");
            ui.checkbox(value, phrase.text(lang));
            ui.end_row();
        }
    }
}

/// Returns the ply of the last move of the current line, at least 1.
fn last_ply(document: &Document) -> u16 {
    let moves = document
        .line()
        .last()
        .map_or(0, |last| document.record().node(*last).ply());
    moves.max(1)
}

/// Draws the engine list. Each selected engine searches every position; if none is selected, the current engine does.
fn show_engines(ui: &mut Ui, view: &StudyView<'_>, lang: Lang, ticked: &mut Vec<String>) {
    ticked.retain(|engine| engine == view.engine || view.engines.contains(engine));
    if ticked.is_empty() {
        ticked.push(view.engine.to_owned());
    }
    let default_engine = Some(view.engine)
        .filter(|default_engine| !view.engines.iter().any(|engine| engine == default_engine));
    let all: Vec<_> = default_engine
        .into_iter()
        .chain(view.engines.iter().map(String::as_str))
        .collect();
    let columns = if all.len() > MAX_ENGINES_PER_COLUMN { 2 } else { 1 };
    Grid::new("engines")
        .num_columns(columns)
        .spacing([18.0, 4.0])
        .show(ui, |ui| {
            for row in all.chunks(columns) {
                for engine in row {
                    let mut is_ticked = ticked.iter().any(|one| one == engine);
                    let name = phrase::engine_name(engine, lang);
                    if ui
                        .checkbox(&mut is_ticked, shortened(&name))
                        .on_hover_text(name)
                        .changed()
                    {
                        ticked.retain(|one| one != engine);
                        ticked.extend(is_ticked.then(|| (*engine).to_owned()));
                    }
                }
                ui.end_row();
            }
        });
}

/// Shortens a name to [`MAX_NAME_CHARS`] characters.
fn shortened(name: &str) -> String {
    if name.chars().count() <= MAX_NAME_CHARS {
        name.to_owned()
    } else {
        name.chars().take(MAX_NAME_CHARS - 1).chain(['…']).collect()
    }
}

fn show_limit_fields(ui: &mut Ui, limit: &mut Limit, lang: Lang) {
    let field = match limit {
        Limit::Time(time) => {
            let mut seconds = time.as_secs_f64();
            let field = ui.add(
                DragValue::new(&mut seconds)
                    .range(0.1..=3600.0)
                    .speed(0.1)
                    .max_decimals(1),
            );
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
        set_accessible_label(&field, StudyPhrase::PerPosition.text(lang));
    }
    let kinds = [
        (Limit::Time(Duration::from_secs(1)), StudyPhrase::Seconds),
        (Limit::Nodes(1_000_000), StudyPhrase::Nodes),
        (Limit::Depth(15), StudyPhrase::Depth),
    ];
    for (kind, phrase) in kinds {
        let is_it = std::mem::discriminant(limit) == std::mem::discriminant(&kind);
        if ui.selectable_label(is_it, phrase.text(lang)).clicked() && !is_it {
            *limit = kind;
        }
    }
}

/// Draws the progress at the right end of the toolbar, laid out from right to left.
pub(super) fn show_progress(ui: &mut Ui, frame: &mut StudyFrame<'_>, progress: &Progress) {
    let lang = frame.lang;
    if ui.button(StudyPhrase::End.text(lang)).clicked() {
        frame.act(AppAction::EndAnalysis);
    }
    let is_paused = progress.stage == AnalysisStage::Paused;
    let pause = if is_paused {
        StudyPhrase::GoOn
    } else {
        StudyPhrase::Pause
    };
    if ui.button(pause.text(lang)).clicked() {
        frame.act(AppAction::PauseAnalysis);
    }
    let ([done, total], is_second) = progress.pass();
    ui.label(study_text::progress(
        [done, total],
        is_second,
        progress.remaining_time,
        lang,
    ));
    show_progress_bar(ui, frame, [done, total], 220.0, StudyPhrase::Analysing);
}

/// Draws how much of a task is done, in a bar of at most `max_width` points. The name of the task is beside it, if there
/// is room.
pub(super) fn show_progress_bar(
    ui: &mut Ui,
    frame: &StudyFrame<'_>,
    [done, total]: [usize; 2],
    max_width: f32,
    task: StudyPhrase,
) {
    let text = task.text(frame.lang);
    let share = done as f32 / total.max(1) as f32;
    let width = (ui.available_width() - 80.0).clamp(24.0, max_width);
    ui.scope(|ui| {
        ui.visuals_mut().extreme_bg_color = frame.theme.rail;
        let bar = ui.add(ProgressBar::new(share).desired_width(width).desired_height(10.0));
        set_accessible_label(&bar, text);
    });
    if ui.available_width() > 60.0 {
        ui.label(RichText::new(text).font(TextWeight::Bold.at(14.0)));
    }
}
