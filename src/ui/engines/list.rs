//! The list of the user's engines and of those found on this machine, with the ways to add one.

use super::{EnginesAction, EnginesFrame, EnginesPage, PathPurpose};
use crate::fonts::TextWeight;
use crate::window_text::WindowWord;
use eframe::egui;
use egui::{Align, Button, Id, Label, Layout, RichText, ScrollArea, TextEdit, Ui, vec2};
use shogibar_base::Lang;
use shogibar_base::visible::short;
use shogibar_config::{BUILT_IN_NAME, ShellSyntax};

/// Shows the list of the engines and, below it, the buttons to add one.
pub(super) fn show(
    page: &mut EnginesPage,
    ui: &mut Ui,
    frame: EnginesFrame<'_>,
    actions: &mut Vec<EnginesAction>,
) {
    let EnginesFrame { view, lang, .. } = frame;
    show_title(ui, WindowWord::MyEngines, lang);
    let default = view.profiles.default_name();
    let height = (ui.available_height() - page.foot_height - ui.spacing().item_spacing.y).max(0.0);
    ScrollArea::vertical()
        .id_salt("engines")
        .auto_shrink(false)
        .max_height(height)
        .show(ui, |ui| {
            let marks = |name: &str| {
                let marks = [
                    (view.is_in_use(name), WindowWord::InUse),
                    (name == default, WindowWord::IsDefault),
                ];
                let marks = marks
                    .into_iter()
                    .filter(|(holds, _)| *holds)
                    .map(|(_, word)| word.text(lang));
                marks.collect::<Vec<_>>().join("・")
            };
            for profile in view.profiles {
                let is_selected = page.selected_name.as_deref() == Some(profile.name());
                if show_row(ui, profile.name(), &marks(profile.name()), is_selected) {
                    page.selected_name = Some(profile.name().to_owned());
                }
            }
            if show_row(
                ui,
                shogibar_games::Label::BuiltIn.text(lang),
                &marks(BUILT_IN_NAME),
                page.selected_engine() == BUILT_IN_NAME,
            ) {
                page.selected_name = None;
            }
            ui.add_space(14.0);
            show_found_engines(ui, frame, actions);
        });
    let foot_height = ui
        .scope(|ui| show_add_buttons(page, ui, lang, actions))
        .response
        .rect
        .height();
    if (foot_height - page.foot_height).abs() > 0.5 {
        page.foot_height = foot_height;
        ui.ctx()
            .request_discard("the ways to add an engine have another height");
    }
}

fn show_title(ui: &mut Ui, word: WindowWord, lang: Lang) {
    let text = RichText::new(word.text(lang))
        .font(TextWeight::Bold.at(13.0))
        .weak();
    ui.label(text);
    ui.add_space(2.0);
}

fn show_row(ui: &mut Ui, name: &str, marks: &str, is_selected: bool) -> bool {
    let button = Button::selectable(is_selected, short(name))
        .right_text(RichText::new(marks).small().weak())
        .truncate();
    ui.add_sized(vec2(ui.available_width(), 26.0), button).clicked()
}

/// Shows the engines found on this machine, each with a button to add it.
fn show_found_engines(
    ui: &mut Ui,
    EnginesFrame { view, lang, .. }: EnginesFrame<'_>,
    actions: &mut Vec<EnginesAction>,
) {
    if view.found_engines.is_empty() && !view.is_searching {
        return;
    }
    show_title(ui, WindowWord::Found, lang);
    for found in view.found_engines {
        ui.horizontal(|ui| {
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let add = ui.button(WindowWord::Add.text(lang)).on_hover_text(&found.path);
                if add.clicked() {
                    actions.push(EnginesAction::Add(vec![found.path.clone()]));
                }
                ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                    ui.add(Label::new(short(&found.name)).truncate())
                        .on_hover_text(short(&found.path));
                });
            });
        });
    }
    if view.is_searching {
        ui.label(RichText::new(WindowWord::Searching.text(lang)).weak());
    }
}

fn show_add_buttons(page: &mut EnginesPage, ui: &mut Ui, lang: Lang, actions: &mut Vec<EnginesAction>) {
    ui.add_space(8.0);
    let wide = vec2(ui.available_width(), 26.0);
    if ui
        .add_sized(wide, Button::new(WindowWord::AddFile.text(lang)))
        .clicked()
    {
        actions.push(EnginesAction::Choose(PathPurpose::Engine));
    }
    let is_new = page.command.is_none();
    if is_new
        && ui
            .add_sized(wide, Button::new(WindowWord::AddCommand.text(lang)))
            .clicked()
    {
        page.command = Some(String::new());
    }
    page.command
        .take_if(|command| show_command_field(command, is_new, ui, lang, actions));
    if ui.link(WindowWord::StrongEngines.text(lang)).clicked() {
        actions.push(EnginesAction::ShowStrongEngines);
    }
}

/// Shows the field for a command line, with buttons to add the engine or to cancel. Returns whether the field closes.
fn show_command_field(
    command: &mut String,
    is_new: bool,
    ui: &mut Ui,
    lang: Lang,
    actions: &mut Vec<EnginesAction>,
) -> bool {
    let field = TextEdit::singleline(command)
        .id(Id::unique("command to add"))
        .hint_text(WindowWord::CommandHint.text(lang));
    let field = ui.add_sized(vec2(ui.available_width(), 24.0), field);
    super::fields::set_accessible_label(&field, WindowWord::AddCommand.text(lang));
    if is_new {
        field.request_focus();
    }
    let words = ShellSyntax::here()
        .split(command)
        .ok()
        .filter(|words| !words.is_empty());
    let is_entered = field.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter));
    let mut is_done = field.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Escape));
    ui.horizontal(|ui| {
        let add = ui
            .add_enabled(words.is_some(), Button::new(WindowWord::Add.text(lang)))
            .clicked()
            || is_entered;
        is_done |= ui.button(WindowWord::Cancel.text(lang)).clicked();
        if add && let Some(words) = words {
            actions.push(EnginesAction::Add(words));
            is_done = true;
        }
    });
    is_done
}
