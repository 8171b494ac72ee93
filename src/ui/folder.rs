//! The page for the analysis of a folder: the form, the progress, and the table of the games.
//!
//! User actions are returned as [`FolderAction`]s; the caller applies them.

mod table;

use crate::PaintTheme;
use crate::access::set_accessible_label;
use crate::fonts::TextWeight;
use eframe::egui;
use egui::{
    Align, ComboBox, CornerRadius, DragValue, Frame, Grid, Label, Layout, Margin, ProgressBar, RichText,
    ScrollArea, Stroke, TextEdit, Ui,
};
use shogibar_base::Lang;
use shogibar_base::visible::visible;
use shogibar_engine::options::Limit;
use shogibar_games::analysis::AnalysisOptions;
use shogibar_games::folder::{FolderProgress, ResultRow};
use shogibar_games::folder_text::{self as text, FolderPhrase};
use shogibar_games::{analysis_text as words, phrase};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The maximum width of the explanation, in points.
const MAX_EXPLANATION_WIDTH: f32 = 860.0;
/// The width of a path field, in points.
const PATH_FIELD_WIDTH: f32 = 460.0;
/// The maximum height of the list of problems, in points.
const MAX_PROBLEMS_HEIGHT: f32 = 90.0;

/// What the folder page shows.
#[derive(Clone, Copy, Debug)]
pub struct FolderView<'a> {
    /// The names of all engines.
    pub engines: &'a [String],
    /// The state of the running analysis; `None` if none runs.
    pub run_state: Option<FolderRunState>,
    /// The outcome of the last analysis, as a sentence; empty if there was none.
    pub outcome_text: &'a str,
    /// The progress; `None` before an analysis.
    pub progress: Option<FolderProgress>,
    /// The results of the analysed games, by file.
    pub rows: &'a [ResultRow],
    /// Sentences about lost engines and unreadable files.
    pub problems: &'a [String],
}

/// The state of a running analysis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FolderRunState {
    /// Positions are searched.
    Running,
    /// The user has paused the analysis.
    Paused,
    /// The user has ended the analysis, and the engines are ending.
    Ending,
}

/// A user action on the page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FolderAction {
    /// Let the user choose the folder of the records.
    ChooseInput,
    /// Let the user choose the folder for the results.
    ChooseOutput,
    /// Begin an analysis: the folder of the records, the folder for the results, and the options.
    Begin(PathBuf, PathBuf, Box<AnalysisOptions>),
    /// Pause or resume.
    TogglePause,
    /// End the analysis.
    Cancel,
    /// Open an analysed record.
    Open(PathBuf),
    /// Open the table in the browser.
    OpenTable,
}

/// The state of the page between frames.
#[derive(Clone, Debug, Default)]
pub struct FolderPage {
    /// The folder of the records, as typed.
    input: String,
    /// The folder for the results, as typed.
    output: String,
    /// Whether the user has chosen the folder for the results. Otherwise the name is made from the folder of the
    /// records.
    is_output_chosen: bool,
    /// The options of the analysis, as set in the form.
    options: AnalysisOptions,
}

impl FolderPage {
    /// Sets the folder of the records. Until the user chooses a folder for the results, the results are stored beside
    /// the records.
    pub fn set_input(&mut self, path: &Path) {
        self.input = path.display().to_string();
        self.update_default_output();
    }

    /// Sets the folder for the results.
    pub fn set_output(&mut self, path: &Path) {
        self.output = path.display().to_string();
        self.is_output_chosen = true;
    }

    /// Sets the folder for the results to a folder beside the records, unless the user has chosen one.
    fn update_default_output(&mut self) {
        if self.is_output_chosen {
            return;
        }
        let input = self.input.trim_end_matches(['/', '\\']);
        self.output = if input.is_empty() {
            String::new()
        } else {
            format!("{input}-analysed")
        };
    }

    /// Shows the page in all of `ui`. Returns the user's actions.
    pub fn show(
        &mut self,
        ui: &mut Ui,
        view: &FolderView<'_>,
        theme: &PaintTheme,
        lang: Lang,
    ) -> Vec<FolderAction> {
        let mut actions = Vec::new();
        Frame::NONE
            .inner_margin(Margin {
                left: 24,
                right: 24,
                top: 16,
                bottom: 12,
            })
            .show(ui, |ui| {
                ui.spacing_mut().item_spacing.y = 8.0;
                ui.scope(|ui| {
                    ui.set_max_width(MAX_EXPLANATION_WIDTH.min(ui.available_width()));
                    ui.add(
                        Label::new(RichText::new(FolderPhrase::About.text(lang)).color(theme.quiet)).wrap(),
                    );
                });
                show_card(ui, theme, |ui| match view.run_state {
                    Some(state) => show_progress(ui, view, state, theme, lang, &mut actions),
                    None => self.show_form(ui, view, theme, lang, &mut actions),
                });
                show_problems(ui, view, theme, lang);
                if !view.rows.is_empty() {
                    table::show(ui, view.rows, theme, lang, &mut actions);
                }
            });
        actions
    }

    /// Draws the form with the folders and the options of the analysis.
    fn show_form(
        &mut self,
        ui: &mut Ui,
        view: &FolderView<'_>,
        theme: &PaintTheme,
        lang: Lang,
        actions: &mut Vec<FolderAction>,
    ) {
        Grid::new("folder form")
            .num_columns(2)
            .spacing([18.0, 8.0])
            .show(ui, |ui| {
                let label = ui.label(FolderPhrase::Input.text(lang));
                ui.horizontal(|ui| {
                    let field = ui
                        .add(TextEdit::singleline(&mut self.input).desired_width(PATH_FIELD_WIDTH))
                        .labelled_by(label.id);
                    if field.changed() {
                        self.update_default_output();
                    }
                    if ui.button(FolderPhrase::Choose.text(lang)).clicked() {
                        actions.push(FolderAction::ChooseInput);
                    }
                });
                ui.end_row();
                let label = ui.label(FolderPhrase::Output.text(lang));
                ui.horizontal(|ui| {
                    let field = ui
                        .add(TextEdit::singleline(&mut self.output).desired_width(PATH_FIELD_WIDTH))
                        .labelled_by(label.id);
                    self.is_output_chosen |= field.changed();
                    let choose = ui.button(FolderPhrase::Choose.text(lang));
                    set_accessible_label(&choose, FolderPhrase::ChooseOutput.text(lang));
                    if choose.clicked() {
                        actions.push(FolderAction::ChooseOutput);
                    }
                });
                ui.end_row();
                self.show_search_fields(ui, view, lang);
            });
        ui.horizontal(|ui| {
            let [input, output] = [&self.input, &self.output].map(|path| path.trim());
            let is_ready = !input.is_empty() && !output.is_empty();
            let begin = RichText::new(FolderPhrase::Begin.text(lang)).font(TextWeight::Bold.at(14.0));
            if ui.add_enabled(is_ready, egui::Button::new(begin)).clicked() {
                let options = Box::new(self.options.clone());
                actions.push(FolderAction::Begin(input.into(), output.into(), options));
            }
            if !is_ready {
                ui.label(RichText::new(FolderPhrase::NeedsFolders.text(lang)).color(theme.quiet));
            }
        });
        if !view.outcome_text.is_empty() {
            ui.horizontal_wrapped(|ui| {
                ui.label(RichText::new(visible(view.outcome_text)).font(TextWeight::Bold.at(14.0)));
                let games = match view.progress {
                    Some(FolderProgress { games, .. }) if !view.rows.is_empty() => games,
                    _ => return,
                };
                ui.label(text::games(games, lang));
                if ui.button(FolderPhrase::OpenTable.text(lang)).clicked() {
                    actions.push(FolderAction::OpenTable);
                }
            });
        }
    }

    /// Draws the fields for the engine, the limit per position and the number of jobs.
    fn show_search_fields(&mut self, ui: &mut Ui, view: &FolderView<'_>, lang: Lang) {
        ui.label(FolderPhrase::Engine.text(lang));
        let AnalysisOptions {
            engines, limit, jobs, ..
        } = &mut self.options;
        engines.retain(|engine| view.engines.contains(engine));
        if let (true, Some(first)) = (engines.is_empty(), view.engines.first()) {
            engines.push(first.clone());
        }
        let chosen = engines.first().cloned().unwrap_or_default();
        let list = ComboBox::from_id_salt("folder engine")
            .width(260.0)
            .selected_text(phrase::engine_name(&chosen, lang));
        let shown = list.show_ui(ui, |ui| {
            for engine in view.engines {
                if ui
                    .selectable_label(*engine == chosen, phrase::engine_name(engine, lang))
                    .clicked()
                {
                    *engines = vec![engine.clone()];
                }
            }
        });
        set_accessible_label(&shown.response, FolderPhrase::Engine.text(lang));
        ui.end_row();
        ui.label(FolderPhrase::PerPosition.text(lang));
        ui.horizontal(|ui| show_limit_fields(ui, limit, lang));
        ui.end_row();
        ui.label(FolderPhrase::Jobs.text(lang));
        set_accessible_label(
            &ui.add(DragValue::new(jobs).range(1..=64)),
            FolderPhrase::Jobs.text(lang),
        );
        ui.end_row();
    }
}

/// Shows contents on a card of the available width.
fn show_card(ui: &mut Ui, theme: &PaintTheme, show: impl FnOnce(&mut Ui)) {
    let frame = Frame::NONE
        .fill(theme.card)
        .stroke(Stroke::new(1.0, theme.separator))
        .corner_radius(CornerRadius::same(10))
        .inner_margin(Margin::same(14));
    frame.show(ui, |ui| {
        ui.set_min_width(ui.available_width());
        show(ui);
    });
}

/// Shows the field for the limit per position, and the choice between seconds and nodes.
fn show_limit_fields(ui: &mut Ui, limit: &mut Limit, lang: Lang) {
    let field = if let Limit::Nodes(nodes) = limit {
        ui.add(DragValue::new(nodes).range(1..=u64::MAX).speed(1000.0))
    } else {
        let mut seconds = if let Limit::Time(time) = limit {
            time.as_secs_f64()
        } else {
            1.0
        };
        let field = ui.add(
            DragValue::new(&mut seconds)
                .range(0.1..=3600.0)
                .speed(0.1)
                .max_decimals(1),
        );
        *limit = Limit::Time(Duration::from_secs_f64(seconds));
        field
    };
    set_accessible_label(&field, FolderPhrase::PerPosition.text(lang));
    let is_nodes = matches!(limit, Limit::Nodes(_));
    if ui
        .selectable_label(!is_nodes, FolderPhrase::Seconds.text(lang))
        .clicked()
        && is_nodes
    {
        *limit = Limit::Time(Duration::from_secs(1));
    }
    if ui
        .selectable_label(is_nodes, FolderPhrase::Nodes.text(lang))
        .clicked()
        && !is_nodes
    {
        *limit = Limit::Nodes(1_000_000);
    }
}

/// Draws the progress of the analysis, with buttons that pause and end it.
fn show_progress(
    ui: &mut Ui,
    view: &FolderView<'_>,
    state: FolderRunState,
    theme: &PaintTheme,
    lang: Lang,
    actions: &mut Vec<FolderAction>,
) {
    let FolderProgress {
        games,
        positions: [done, all],
        remaining_time: remaining,
        ..
    } = view.progress.unwrap_or_default();
    let phrase = match state {
        FolderRunState::Running => FolderPhrase::Running,
        FolderRunState::Paused => FolderPhrase::Paused,
        FolderRunState::Ending => FolderPhrase::Ending,
    };
    ui.horizontal(|ui| {
        ui.label(RichText::new(phrase.text(lang)).font(TextWeight::Bold.at(16.0)));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let is_enabled = state != FolderRunState::Ending;
            if ui
                .add_enabled(is_enabled, egui::Button::new(FolderPhrase::End.text(lang)))
                .clicked()
            {
                actions.push(FolderAction::Cancel);
            }
            let pause = if state == FolderRunState::Paused {
                FolderPhrase::Resume
            } else {
                FolderPhrase::Pause
            };
            if ui
                .add_enabled(is_enabled, egui::Button::new(pause.text(lang)))
                .clicked()
            {
                actions.push(FolderAction::TogglePause);
            }
        });
    });
    let share = done as f32 / all.max(1) as f32;
    let bar = ProgressBar::new(share).desired_height(10.0).fill(theme.accent);
    ui.scope(|ui| {
        ui.visuals_mut().extreme_bg_color = theme.rail;
        set_accessible_label(&ui.add(bar), FolderPhrase::Running.text(lang));
    });
    let remaining = if state == FolderRunState::Running {
        remaining
    } else {
        None
    };
    ui.label(text::progress(games, [done, all], remaining, lang));
}

/// Shows the problems of the analysis in a list that can be opened.
fn show_problems(ui: &mut Ui, view: &FolderView<'_>, theme: &PaintTheme, lang: Lang) {
    if view.problems.is_empty() {
        return;
    }
    let heading = format!("{} {}", text::problems(lang), view.problems.len());
    ui.collapsing(RichText::new(heading).color(theme.accent), |ui| {
        ScrollArea::vertical()
            .id_salt("folder problems")
            .max_height(MAX_PROBLEMS_HEIGHT)
            .auto_shrink([false, true])
            .show(ui, |ui| {
                for problem in view.problems {
                    ui.add(Label::new(visible(problem)).wrap());
                }
            });
    });
}

/// Formats a number of the table with one decimal. Returns an empty text for `None`.
fn format_tenths(value: Option<f64>) -> String {
    value.map(|value| words::tenths(Some(value))).unwrap_or_default()
}

#[cfg(test)]
mod tests;
