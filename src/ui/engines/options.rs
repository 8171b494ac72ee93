//! The options of an engine, each with a widget for its type.

use super::{EnginesAction, PathPurpose, fields};
use crate::PaintTheme;
use crate::window_text::WindowWord;
use eframe::egui;
use egui::{Align, Button, ComboBox, Label, Layout, RichText, TextEdit, Ui, vec2};
use shogibar_base::Lang;
use shogibar_base::visible::short;
use shogibar_config::option_form::{OptionForm, OptionRow};
use shogibar_engine::option_text;
use shogibar_engine::usi::OptionKind;

/// The width of the column of names, in points.
const NAME_COLUMN_WIDTH: f32 = 210.0;
/// The width of the column of values, in points.
const VALUE_COLUMN_WIDTH: f32 = 250.0;
/// The minimum number of options for which there is a search field.
const MIN_SEARCHED_OPTIONS: usize = 8;

#[derive(Clone, Copy)]
pub(super) struct OptionsFrame<'a> {
    pub(super) theme: &'a PaintTheme,
    pub(super) lang: Lang,
    /// Whether the engine is in use. Button options need a running engine.
    pub(super) is_in_use: bool,
}

pub(super) fn show(
    ui: &mut Ui,
    form: &mut OptionForm,
    search: &mut String,
    frame: OptionsFrame<'_>,
    actions: &mut Vec<EnginesAction>,
) {
    let OptionsFrame { theme, lang, .. } = frame;
    if form.rows().is_empty() {
        ui.label(RichText::new(WindowWord::NoOptions.text(lang)).color(theme.quiet));
        return;
    }
    ui.horizontal(|ui| {
        if form.rows().len() >= MIN_SEARCHED_OPTIONS {
            let word = WindowWord::SearchOptions.text(lang);
            let field = ui.add(
                TextEdit::singleline(search)
                    .hint_text(word)
                    .desired_width(NAME_COLUMN_WIDTH),
            );
            fields::set_accessible_label(&field, word);
        }
        let is_changed = form
            .rows()
            .iter()
            .any(|row| row.is_changed() && row.number().is_none());
        if ui
            .add_enabled(is_changed, Button::new(WindowWord::AllToDefault.text(lang)))
            .clicked()
        {
            form.reset_all();
        }
    });
    ui.add_space(6.0);
    let found: Vec<_> = form
        .matching_rows(search)
        .filter(|index| has_no_field(form, *index))
        .collect();
    if found.is_empty() {
        ui.label(RichText::new(WindowWord::NothingFound.text(lang)).color(theme.quiet));
    }
    for index in found {
        show_row(ui, form, index, frame, actions);
    }
}

/// Returns whether an option has no separate field above, as `MultiPV`, threads and hash have.
fn has_no_field(form: &OptionForm, index: usize) -> bool {
    form.rows().get(index).is_some_and(|row| row.number().is_none())
}

/// Shows the name of an option, the widget for the value, the button that resets the option, and the problem.
fn show_row(
    ui: &mut Ui,
    form: &mut OptionForm,
    index: usize,
    frame: OptionsFrame<'_>,
    actions: &mut Vec<EnginesAction>,
) {
    let OptionsFrame { theme, lang, .. } = frame;
    let Some(row) = form.rows().get(index) else { return };
    let is_changed = row.is_changed();
    let (mut new, mut reset) = (None, false);
    ui.vertical(|ui| {
        ui.horizontal(|ui| {
            let name = RichText::new(short(&row.option().name));
            let name = if is_changed {
                name.color(theme.text)
            } else {
                name.weak()
            };
            show_cell(ui, NAME_COLUMN_WIDTH, |ui| {
                ui.add(Label::new(name).truncate())
                    .on_hover_text(describe_option(row, lang));
            });
            show_cell(ui, VALUE_COLUMN_WIDTH, |ui| {
                ui.push_id(index, |ui| new = show_value(ui, row, frame, actions));
            });
            reset = is_changed
                && ui
                    .small_button(WindowWord::ToDefault.text(lang))
                    .on_hover_text(describe_option(row, lang))
                    .clicked();
            if let Some(problem) = row.problem() {
                let problem = option_text::option_error(&problem, lang);
                let text = RichText::new(&problem).size(12.5).color(theme.blunder);
                ui.add(Label::new(text).truncate()).on_hover_text(problem);
            }
        });
    });
    if reset {
        form.reset(index);
    } else if let Some(value) = &new {
        form.set(index, value);
    }
}

/// Shows a cell with a fixed width, so that the cells of a column are aligned.
fn show_cell(ui: &mut Ui, width: f32, show: impl FnOnce(&mut Ui)) {
    ui.allocate_ui_with_layout(vec2(width, 24.0), Layout::left_to_right(Align::Center), |ui| {
        ui.set_min_width(width);
        show(ui);
    });
}

/// Returns the description of an option: the default and the limits.
fn describe_option(row: &OptionRow, lang: Lang) -> String {
    option_text::default_and_range(row.option(), row.default(), lang)
}

/// Shows the value of an option in the widget for the option's type. Returns the new value after a change; `None`
/// without a change.
fn show_value(
    ui: &mut Ui,
    row: &OptionRow,
    frame: OptionsFrame<'_>,
    actions: &mut Vec<EnginesAction>,
) -> Option<String> {
    let lang = frame.lang;
    let (name, mut text) = (&row.option().name, row.value().to_owned());
    match &row.option().kind {
        OptionKind::Check { .. } => {
            let mut on = text.trim().eq_ignore_ascii_case("true");
            let field = ui.checkbox(&mut on, "");
            fields::set_accessible_label(&field, name);
            field.changed().then(|| on.to_string())
        }
        OptionKind::Combo { vars, .. } => {
            let before = text.clone();
            let shown = if text.is_empty() {
                "—".into()
            } else {
                short(&text)
            };
            let field = ComboBox::from_id_salt("choice")
                .width(VALUE_COLUMN_WIDTH - 8.0)
                .selected_text(shown.as_ref())
                .show_ui(ui, |ui| {
                    vars.iter()
                        .find(|var| ui.selectable_label(**var == before, short(var)).clicked())
                        .cloned()
                });
            fields::set_accessible_label(&field.response, name);
            field.inner.flatten()
        }
        OptionKind::Button => {
            let field = ui.add_enabled(frame.is_in_use, Button::new(WindowWord::Press.text(lang)));
            let field = field.on_disabled_hover_text(WindowWord::PressInUse.text(lang));
            fields::set_accessible_label(&field, name);
            if field.clicked() {
                actions.push(EnginesAction::PressButton(name.clone()));
            }
            None
        }
        OptionKind::Spin { .. } => {
            let field = ui.add(TextEdit::singleline(&mut text).desired_width(90.0));
            fields::set_accessible_label(&field, name);
            field.changed().then_some(text)
        }
        OptionKind::String { .. } => {
            let field = ui.add(TextEdit::singleline(&mut text).desired_width(VALUE_COLUMN_WIDTH - 8.0));
            fields::set_accessible_label(&field, name);
            field.changed().then_some(text)
        }
        OptionKind::Filename { .. } => {
            let field = ui.add(TextEdit::singleline(&mut text).desired_width(VALUE_COLUMN_WIDTH - 70.0));
            fields::set_accessible_label(&field, name);
            if ui.button(WindowWord::Choose.text(lang)).clicked() {
                actions.push(EnginesAction::Choose(PathPurpose::Option(name.clone())));
            }
            field.changed().then_some(text)
        }
    }
}
