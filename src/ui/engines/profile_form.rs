//! The form of one engine profile.

use super::{EnginesAction, EnginesFrame, EnginesView, PathPurpose, Probe, fields, heading, options};
use crate::window_text::WindowWord;
use eframe::egui;
use egui::{Button, Grid, Id, Label, RichText, TextStyle, Ui, WidgetText, vec2};
use shogibar_base::Lang;
use shogibar_config::option_form::{OptionDefaults, OptionForm};
use shogibar_config::{BUILT_IN_NAME, Profile, ShellSyntax, engines_text, is_valid_variable};
use shogibar_engine::observer::EngineIdentity;
use shogibar_engine::option_text;
use shogibar_engine::options::{EngineNumber, RejectedOption};
use shogibar_engine::probe::ProbeAnswer;
use shogibar_engine::process::StartError;

/// The form of the engine profile that the user edits.
#[derive(Debug)]
pub(super) struct ProfileForm {
    /// The profile with the user's changes.
    profile: Profile,
    stored_profile: Profile,
    /// The name as typed.
    name: String,
    /// The command line as typed.
    command: String,
    /// The working directory as typed.
    folder: String,
    /// The environment variables as typed, one per line.
    environment: String,
    /// The form of the options, and the identity of the engine that has these options; `None` until the engine answers.
    option_form: Option<(EngineIdentity, OptionForm)>,
    /// The text to search for in the names, values and choices of the options.
    search: String,
    /// Whether the explanation of the scale is shown.
    shows_explanation: bool,
    /// Whether the user is asked to confirm the removal.
    asks_for_removal: bool,
    /// The focused widget of the last frame; `None` if no widget was focused.
    focus: Option<Id>,
    /// The working directory of the last probe, as typed.
    probed_folder: String,
    /// The options that the engine rejects or has rejected. They stay in this list, so that the lines do not move.
    rejected_options: Vec<RejectedOption>,
}

impl ProfileForm {
    pub(super) fn new(profile: &Profile) -> Self {
        let variables = profile
            .environment
            .iter()
            .map(|(name, value)| format!("{name}={value}"));
        Self {
            profile: profile.clone(),
            stored_profile: profile.clone(),
            name: profile.name().to_owned(),
            command: profile.command(ShellSyntax::here()),
            folder: profile.folder.clone().unwrap_or_default(),
            environment: variables.collect::<Vec<_>>().join("\n"),
            option_form: None,
            search: String::new(),
            shows_explanation: false,
            asks_for_removal: false,
            focus: None,
            probed_folder: profile.folder.clone().unwrap_or_default(),
            rejected_options: Vec::new(),
        }
    }

    pub(super) fn has_stored_profile(&self, profile: &Profile) -> bool {
        self.stored_profile == *profile
    }

    /// Applies a path that the user chose.
    pub(super) fn on_path_chosen(&mut self, purpose: &PathPurpose, path: &str) {
        match purpose {
            PathPurpose::Engine => {}
            PathPurpose::Folder => {
                path.clone_into(&mut self.folder);
                self.profile.folder = Some(path.to_owned());
            }
            PathPurpose::Option(name) => {
                if let Some((_, form)) = &mut self.option_form
                    && let Some(index) = form.rows().iter().position(|row| row.option().name == *name)
                {
                    form.set(index, path);
                }
            }
        }
    }

    /// Shows the form. Adds the user's actions, and the storing of changes that are final.
    pub(super) fn show(&mut self, ui: &mut Ui, frame: EnginesFrame<'_>, actions: &mut Vec<EnginesAction>) {
        let mut requested = Vec::new();
        ui.vertical(|ui| self.show_head(ui, frame, &mut requested));
        ui.add_space(10.0);
        Grid::new("fields")
            .num_columns(2)
            .spacing([16.0, 8.0])
            .show(ui, |ui| self.show_fields(ui, frame, &mut requested));
        self.update_option_form(frame.view);
        ui.add_space(18.0);
        self.show_options(ui, frame, &mut requested);
        if !self.is_being_edited(ui) {
            self.store_changes(actions);
            // The path of the program may be relative to the folder, so the engine is probed again.
            if self.probed_folder != self.folder {
                self.probed_folder.clone_from(&self.folder);
                actions.push(EnginesAction::Probe(Box::new(self.profile.clone())));
            }
        }
        // The requested actions come after the stored changes, so that they apply to the changed profile.
        actions.append(&mut requested);
    }

    /// Returns whether a value is being typed or dragged and is not yet final.
    fn is_being_edited(&mut self, ui: &Ui) -> bool {
        let focus = ui.memory(egui::Memory::focused);
        let stays = std::mem::replace(&mut self.focus, focus) == focus;
        stays && ui.ctx().text_edit_focused() || ui.input(|input| input.pointer.any_down())
    }

    /// Stores the changes since they were last stored.
    fn store_changes(&mut self, actions: &mut Vec<EnginesAction>) {
        self.apply_options();
        if self.profile != self.stored_profile {
            let before = Box::new(std::mem::replace(&mut self.stored_profile, self.profile.clone()));
            actions.push(EnginesAction::Store {
                before,
                after: Box::new(self.profile.clone()),
            });
        }
    }

    /// Stores the changes, including text that is still being typed.
    pub(super) fn finish(&mut self, actions: &mut Vec<EnginesAction>) {
        self.apply_command();
        self.store_changes(actions);
        self.request_rename(actions);
    }

    /// Returns whether this is the built-in engine, whose name, command and environment cannot be changed.
    fn is_built_in(&self) -> bool {
        self.stored_profile.name() == BUILT_IN_NAME
    }

    fn show_built_in_head(ui: &mut Ui, frame: EnginesFrame<'_>, actions: &mut Vec<EnginesAction>) {
        let EnginesFrame { view, theme, lang } = frame;
        ui.label(heading(shogibar_games::Label::BuiltIn.text(lang), theme.text));
        ui.add_space(6.0);
        ui.add(Label::new(WindowWord::BuiltInNote.text(lang)).wrap());
        if let Some(hint) = view.hint {
            ui.add_space(6.0);
            ui.add(Label::new(RichText::new(hint).color(theme.quiet)).wrap());
        }
        ui.add_space(10.0);
        ui.horizontal_wrapped(|ui| show_use_buttons(ui, BUILT_IN_NAME, frame, actions));
    }

    fn show_head(&mut self, ui: &mut Ui, frame: EnginesFrame<'_>, actions: &mut Vec<EnginesAction>) {
        if self.is_built_in() {
            return Self::show_built_in_head(ui, frame, actions);
        }
        let EnginesFrame { view, theme, lang } = frame;
        let name = self.stored_profile.name().to_owned();
        ui.label(heading(&name, theme.text));
        // Until the engine reports its name, an empty line reserves the room.
        let reported_name = if let Probe::Identified(identity) = view.probe {
            identity.name.as_str()
        } else {
            ""
        };
        ui.label(
            RichText::new(if reported_name.is_empty() {
                "　"
            } else {
                reported_name
            })
            .color(theme.quiet),
        );
        ui.add_space(6.0);
        ui.horizontal_wrapped(|ui| {
            show_use_buttons(ui, &name, frame, actions);
            if ui.button(WindowWord::Duplicate.text(lang)).clicked() {
                actions.push(EnginesAction::Duplicate(name.clone()));
            }
            // Cancel replaces Remove at the same position, so that a double click removes nothing.
            let min_width = max_button_width(
                ui,
                [WindowWord::Remove, WindowWord::Cancel].map(|word| word.text(lang)),
            );
            let word = if self.asks_for_removal {
                WindowWord::Cancel
            } else {
                WindowWord::Remove
            };
            let is_toggled = ui
                .add(Button::new(word.text(lang)).min_size(vec2(min_width, 0.0)))
                .clicked();
            if self.asks_for_removal {
                let confirm = RichText::new(WindowWord::ReallyRemove.text(lang)).color(theme.blunder);
                if ui.button(confirm).clicked() {
                    actions.push(EnginesAction::Remove(name.clone()));
                }
            }
            self.asks_for_removal ^= is_toggled;
        });
    }

    /// Shows the fields of the profile, without the engine's options.
    fn show_fields(&mut self, ui: &mut Ui, frame: EnginesFrame<'_>, actions: &mut Vec<EnginesAction>) {
        let EnginesFrame { view, theme, lang } = frame;
        if !self.is_built_in() {
            self.show_program_fields(ui, frame, actions);
        }
        for number in EngineNumber::ALL {
            fields::show_number_field(ui, number, &mut self.profile, view.defaults, lang);
            ui.end_row();
        }
        fields::show_limit_field(ui, &mut self.profile, lang);
        ui.end_row();
        if self.profile.limit.is_none() {
            ui.label("");
            fields::show_hint(ui, WindowWord::AutomaticLimit.text(lang), theme.quiet);
            ui.end_row();
        }
        let model = self.profile.model;
        fields::show_scale_field(ui, &mut self.profile, &mut self.shows_explanation, theme, lang);
        if self.profile.model != model {
            self.profile.fitted_net = None;
        }
        ui.end_row();
        if let Some(fit) = view
            .user_fits
            .iter()
            .find(|fit| fit.profile == self.stored_profile.name() && fit.has_games())
        {
            ui.label("");
            let model_in_use = view.model_in_use(&self.profile);
            fields::show_user_fit(ui, &mut self.profile, fit, model_in_use, theme, lang);
            ui.end_row();
        }
        if !self.is_built_in() {
            self.show_environment(ui, lang);
        }
    }

    /// Shows the variables that are added to the environment of the program.
    fn show_environment(&mut self, ui: &mut Ui, lang: Lang) {
        if fields::show_environment_field(ui, &mut self.environment, lang).changed() {
            let variables = self.environment.lines().filter_map(|line| line.split_once('='));
            let variables = variables.map(|(name, value)| (name.trim().to_owned(), value.to_owned()));
            self.profile.environment = variables
                .filter(|(name, value)| is_valid_variable(name, value))
                .collect();
        }
        ui.end_row();
    }

    /// Shows the fields for the name, the command and the working folder of the program.
    fn show_program_fields(
        &mut self,
        ui: &mut Ui,
        frame: EnginesFrame<'_>,
        actions: &mut Vec<EnginesAction>,
    ) {
        let EnginesFrame { view, theme, lang } = frame;
        let name = fields::show_text_field(ui, WindowWord::Name, &mut self.name, WindowWord::Name, lang);
        if name.lost_focus() {
            self.request_rename(actions);
        }
        ui.end_row();
        let command = fields::show_text_field(
            ui,
            WindowWord::Command,
            &mut self.command,
            WindowWord::Command,
            lang,
        );
        if command.lost_focus() && self.apply_command() {
            actions.push(EnginesAction::Probe(Box::new(self.profile.clone())));
        }
        ui.end_row();
        let folder = fields::show_text_field(
            ui,
            WindowWord::Folder,
            &mut self.folder,
            WindowWord::EngineFolder,
            lang,
        );
        if folder.changed() {
            self.profile.folder = Some(self.folder.trim().to_owned()).filter(|folder| !folder.is_empty());
        }
        if ui.button(WindowWord::Choose.text(lang)).clicked() {
            actions.push(EnginesAction::Choose(PathPurpose::Folder));
        }
        ui.end_row();
        ui.label("");
        let is_folder_missing = matches!(
            view.probe,
            Probe::Failed(ProbeAnswer::NotStarted(StartError::NoFolder(_)))
        );
        let (word, color) = if is_folder_missing {
            (WindowWord::NoFolder, theme.blunder)
        } else {
            (WindowWord::FolderHint, theme.quiet)
        };
        fields::show_hint(ui, word.text(lang), color);
        ui.end_row();
    }

    /// Applies the options to the profile.
    fn apply_options(&mut self) {
        if let Some((_, form)) = &self.option_form {
            form.store(&mut self.profile);
        }
    }

    /// Requests a rename to the typed name, and resets the field. A new form shows the new name after the rename.
    fn request_rename(&mut self, actions: &mut Vec<EnginesAction>) {
        if self.is_built_in() {
            return;
        }
        let name = self.stored_profile.name();
        if self.name.trim() != name {
            actions.push(EnginesAction::Rename(name.to_owned(), self.name.clone()));
        }
        self.name = name.to_owned();
    }

    /// Applies the typed command. Returns whether the command changed. If the text is no command, resets the field to
    /// the previous command.
    fn apply_command(&mut self) -> bool {
        match ShellSyntax::here()
            .split(&self.command)
            .ok()
            .and_then(|words| words.split_first().map(|(a, b)| (a.clone(), b.to_vec())))
        {
            Some((program, arguments))
                if (&program, &arguments) != (&self.profile.program, &self.profile.arguments) =>
            {
                (self.profile.program, self.profile.arguments) = (program, arguments);
                self.apply_options();
                self.option_form = None;
                return true;
            }
            Some(_) => {}
            None => self.command = self.profile.command(ShellSyntax::here()),
        }
        false
    }

    /// Creates the form of the options again if the probe found another identity of the engine. Drops the form while
    /// there is no identity.
    fn update_option_form(&mut self, view: &EnginesView<'_>) {
        let Probe::Identified(identity) = view.probe else {
            return self.option_form = None;
        };
        if self
            .option_form
            .as_ref()
            .is_none_or(|(form_identity, _)| form_identity != identity)
        {
            let defaults = OptionDefaults::new(view.presets, &identity.name, view.defaults.iter().copied());
            let form = OptionForm::new(&identity.options, &self.profile, &defaults);
            self.option_form = Some((identity.clone(), form));
        }
    }

    /// Shows the options of the engine, or the reason why they are unknown.
    fn show_options(&mut self, ui: &mut Ui, frame: EnginesFrame<'_>, actions: &mut Vec<EnginesAction>) {
        let EnginesFrame { view, theme, lang } = frame;
        ui.label(heading(WindowWord::Options.text(lang), theme.text));
        ui.add_space(4.0);
        if ui.vertical(|ui| self.show_rejected_options(ui, frame)).inner {
            self.apply_options();
            self.option_form = None;
            self.update_option_form(view);
        }
        let problem = match (view.probe, &mut self.option_form) {
            (Probe::Failed(answer), _) => engines_text::no_answer(answer, lang),
            (_, None) => {
                ui.label(RichText::new(WindowWord::Asking.text(lang)).color(theme.quiet));
                return;
            }
            (_, Some((_, form))) => {
                let is_in_use = view.is_in_use(self.stored_profile.name());
                return options::show(
                    ui,
                    form,
                    &mut self.search,
                    options::OptionsFrame {
                        theme,
                        lang,
                        is_in_use,
                    },
                    actions,
                );
            }
        };
        ui.label(RichText::new(problem).color(theme.blunder));
        if ui.button(WindowWord::AskAgain.text(lang)).clicked() {
            actions.push(EnginesAction::Probe(Box::new(self.profile.clone())));
        }
    }

    /// Shows the options that the engine rejects, each with a button that removes it from the profile. Returns whether
    /// one was removed.
    fn show_rejected_options(
        &mut self,
        ui: &mut Ui,
        EnginesFrame { theme, lang, .. }: EnginesFrame<'_>,
    ) -> bool {
        let Some((_, form)) = &self.option_form else {
            return false;
        };
        for option in form.rejected_options() {
            if !self.rejected_options.contains(option) {
                self.rejected_options.push(option.clone());
            }
        }
        if self.rejected_options.is_empty() {
            return false;
        }
        let options = &mut self.profile.options;
        let is_present = |option: &RejectedOption| options.get(&option.name) == Some(&option.value);
        let present: Vec<_> = self.rejected_options.iter().map(is_present).collect();
        // A removed or corrected option leaves an empty line, so that nothing below moves under the pointer.
        let title = if present.contains(&true) {
            WindowWord::RejectedOptions.text(lang)
        } else {
            "　"
        };
        ui.label(RichText::new(title).color(theme.blunder));
        let mut is_any_removed = false;
        for (option, is_present) in self.rejected_options.iter().zip(present) {
            ui.horizontal_wrapped(|ui| {
                if !is_present {
                    ui.label("　");
                    return;
                }
                ui.label(format!("{} = {}", option.name, option.value));
                ui.label(RichText::new(option_text::reject_reason(&option.reason, lang)).color(theme.quiet));
                if ui.small_button(WindowWord::TakeOut.text(lang)).clicked() {
                    is_any_removed |= options.remove(&option.name).is_some();
                }
            });
        }
        ui.add_space(8.0);
        is_any_removed
    }
}

/// Returns the width that a button needs for each of two labels. With this width, its neighbours do not move when the
/// label changes.
fn max_button_width(ui: &Ui, words: [&'static str; 2]) -> f32 {
    words
        .into_iter()
        .map(|word| {
            let word = WidgetText::from(word);
            word.into_galley(ui, None, f32::INFINITY, TextStyle::Button)
                .size()
                .x
                + 2.0 * ui.spacing().button_padding.x
        })
        .fold(0.0, f32::max)
}

pub(super) fn show_use_buttons(
    ui: &mut Ui,
    name: &str,
    EnginesFrame { view, lang, .. }: EnginesFrame<'_>,
    actions: &mut Vec<EnginesAction>,
) {
    // For an engine in use the button stays enabled, because it restarts an engine that has failed.
    let use_word = if view.is_in_use(name) {
        WindowWord::RestartNow
    } else {
        WindowWord::Use
    };
    let min_width = max_button_width(
        ui,
        [WindowWord::RestartNow, WindowWord::Use].map(|word| word.text(lang)),
    );
    if ui
        .add(Button::new(use_word.text(lang)).min_size(vec2(min_width, 0.0)))
        .clicked()
    {
        actions.push(EnginesAction::Use(name.to_owned()));
    }
    let is_second = view.is_in_use(name) && view.in_use.len() > 1;
    let second_word = if is_second {
        WindowWord::RemoveSecondEngine
    } else {
        WindowWord::AddSecondEngine
    };
    let min_width = max_button_width(
        ui,
        [WindowWord::RemoveSecondEngine, WindowWord::AddSecondEngine].map(|word| word.text(lang)),
    );
    let button = Button::new(second_word.text(lang)).min_size(vec2(min_width, 0.0));
    if ui
        .add_enabled(is_second || !view.is_in_use(name), button)
        .clicked()
    {
        actions.push(EnginesAction::ToggleSecondEngine(name.to_owned()));
    }
    if ui
        .add_enabled(
            view.profiles.default_name() != name,
            Button::new(WindowWord::MakeDefault.text(lang)),
        )
        .clicked()
    {
        actions.push(EnginesAction::MakeDefault(name.to_owned()));
    }
    if ui
        .button(WindowWord::UseInGui.text(lang))
        .on_hover_text(engines_text::relay_explanation(lang))
        .clicked()
    {
        actions.push(EnginesAction::UseInGui(name.to_owned()));
    }
}
