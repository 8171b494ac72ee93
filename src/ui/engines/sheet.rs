//! How one engine is set up.

use super::{EnginesAction, EnginesView, Inquiry, Purpose, fields, heading, options};
use crate::config::option_form::{Form, Usual};
use crate::config::{BUILT_IN, Number, Profile, Shell, is_variable};
use crate::discovery::Introduction;
use crate::text::{Lang, Word, setting};
use crate::ui::Theme;
use eframe::egui;
use egui::{Button, Grid, RichText, Ui};

/// A profile while it is edited.
#[derive(Debug)]
pub(super) struct Sheet {
    profile: Profile,
    /// As it is stored.
    stored: Profile,
    name: String,
    command: String,
    folder: String,
    environment: String,
    /// The options of the engine, and of which introduction they are.
    form: Option<(Introduction, Form)>,
    search: String,
    /// Whether it is explained what a scale is.
    explained: bool,
    /// Whether the user is being asked whether to remove it.
    removing: bool,
}

impl Sheet {
    pub(super) fn new(profile: &Profile) -> Self {
        let variables = profile.environment.iter().map(|(name, value)| format!("{name}={value}"));
        Self {
            profile: profile.clone(),
            stored: profile.clone(),
            name: profile.name().to_owned(),
            command: profile.command(Shell::here()),
            folder: profile.folder.clone().unwrap_or_default(),
            environment: variables.collect::<Vec<_>>().join("\n"),
            form: None,
            search: String::new(),
            explained: false,
            removing: false,
        }
    }

    /// Whether it is that of this profile, and the profile what we know of it.
    pub(super) fn is_of(&self, profile: &Profile) -> bool {
        self.stored == *profile
    }

    /// Takes what the user chose.
    pub(super) fn chosen(&mut self, purpose: &Purpose, path: &str) {
        match purpose {
            Purpose::Engine => {}
            Purpose::Folder => {
                path.clone_into(&mut self.folder);
                self.profile.folder = Some(path.to_owned());
            }
            Purpose::Option(name) => {
                if let Some((_, form)) = &mut self.form {
                    if let Some(place) = form.rows().iter().position(|row| row.option().name == *name) {
                        form.set(place, path);
                    }
                    form.store(&mut self.profile);
                }
            }
        }
    }

    pub(super) fn show(
        &mut self,
        ui: &mut Ui,
        view: &EnginesView<'_>,
        theme: &Theme,
        lang: Lang,
        actions: &mut Vec<EnginesAction>,
    ) {
        self.head(ui, view, theme, lang, actions);
        ui.add_space(10.0);
        let numbers_changed = Grid::new("fields")
            .num_columns(2)
            .spacing([16.0, 8.0])
            .show(ui, |ui| self.fields(ui, view, theme, lang, actions));
        self.hear(view, numbers_changed.inner);
        ui.add_space(18.0);
        self.options(ui, view, theme, lang, actions);
        // What is being typed or dragged is not yet meant.
        let is_settled = !ui.ctx().egui_wants_keyboard_input() && !ui.input(|input| input.pointer.any_down());
        if is_settled && self.profile != self.stored {
            self.stored = self.profile.clone();
            actions.push(EnginesAction::Store(Box::new(self.profile.clone())));
        }
    }

    /// The name, and what can be done with the whole of it.
    fn head(
        &mut self,
        ui: &mut Ui,
        view: &EnginesView<'_>,
        theme: &Theme,
        lang: Lang,
        actions: &mut Vec<EnginesAction>,
    ) {
        let name = self.stored.name().to_owned();
        ui.label(heading(&name, theme.text));
        if let Inquiry::Known(introduction) = view.inquiry {
            ui.label(RichText::new(&introduction.name).color(theme.quiet));
        }
        ui.add_space(6.0);
        ui.horizontal_wrapped(|ui| {
            use_buttons(ui, &name, view, lang, actions);
            if ui.button(Word::Duplicate.text(lang)).clicked() {
                actions.push(EnginesAction::Duplicate(name.clone()));
            }
            if self.removing {
                let really = RichText::new(Word::ReallyRemove.text(lang)).color(theme.accent);
                if ui.button(really).clicked() {
                    actions.push(EnginesAction::Remove(name.clone()));
                }
                self.removing = !ui.button(Word::Cancel.text(lang)).clicked();
            } else {
                self.removing = ui.button(Word::Remove.text(lang)).clicked();
            }
        });
    }

    /// What belongs to the profile itself. Whether a number was changed that is an option of the engine, too.
    fn fields(
        &mut self,
        ui: &mut Ui,
        view: &EnginesView<'_>,
        theme: &Theme,
        lang: Lang,
        actions: &mut Vec<EnginesAction>,
    ) -> bool {
        let name = fields::text(ui, Word::Name, &mut self.name, Word::Name, lang);
        if name.lost_focus() && self.name != self.stored.name() {
            actions.push(EnginesAction::Rename(self.stored.name().to_owned(), self.name.clone()));
            self.name = self.stored.name().to_owned();
        }
        ui.end_row();
        let command = fields::text(ui, Word::Command, &mut self.command, Word::Command, lang);
        if command.lost_focus() {
            self.take_command(actions);
        }
        ui.end_row();
        let folder = fields::text(ui, Word::Folder, &mut self.folder, Word::OwnFolder, lang);
        if folder.changed() {
            self.profile.folder = Some(self.folder.trim().to_owned()).filter(|folder| !folder.is_empty());
        }
        if ui.button(Word::Choose.text(lang)).clicked() {
            actions.push(EnginesAction::Choose(Purpose::Folder));
        }
        ui.end_row();
        let mut changed = false;
        for number in Number::ALL {
            changed |= fields::number(ui, number, &mut self.profile, view.usual, lang);
            ui.end_row();
        }
        fields::limit(ui, &mut self.profile, lang);
        ui.end_row();
        fields::scale(ui, &mut self.profile, &mut self.explained, theme, lang);
        ui.end_row();
        if fields::environment(ui, &mut self.environment, lang).changed() {
            let variables = self.environment.lines().filter_map(|line| line.split_once('='));
            let variables = variables.map(|(name, value)| (name.trim().to_owned(), value.to_owned()));
            self.profile.environment = variables.filter(|(name, value)| is_variable(name, value)).collect();
        }
        ui.end_row();
        changed
    }

    /// Takes the command as it was typed; one that cannot be taken is put back.
    fn take_command(&mut self, actions: &mut Vec<EnginesAction>) {
        match Shell::here()
            .split(&self.command)
            .ok()
            .and_then(|words| words.split_first().map(|(a, b)| (a.clone(), b.to_vec())))
        {
            Some((program, arguments))
                if (&program, &arguments) != (&self.profile.program, &self.profile.arguments) =>
            {
                (self.profile.program, self.profile.arguments) = (program, arguments);
                self.form = None;
                actions.push(EnginesAction::Ask(Box::new(self.profile.clone())));
            }
            Some(_) => {}
            None => self.command = self.profile.command(Shell::here()),
        }
    }

    /// Takes in what the engine says of itself.
    fn hear(&mut self, view: &EnginesView<'_>, numbers_changed: bool) {
        let Inquiry::Known(introduction) = view.inquiry else { return self.form = None };
        let is_new = self.form.as_ref().is_none_or(|(of, _)| of != introduction);
        if is_new || numbers_changed {
            let usual = Usual::new(view.presets, &introduction.name, view.usual.iter().copied());
            let form = Form::new(&introduction.options, &self.profile, &usual);
            self.form = Some((introduction.clone(), form));
        }
    }

    fn options(
        &mut self,
        ui: &mut Ui,
        view: &EnginesView<'_>,
        theme: &Theme,
        lang: Lang,
        actions: &mut Vec<EnginesAction>,
    ) {
        ui.label(heading(Word::Options.text(lang), theme.text));
        ui.add_space(4.0);
        let trouble = match (view.inquiry, &mut self.form) {
            (Inquiry::Trouble(trouble), _) => trouble,
            (_, None) => {
                ui.label(RichText::new(Word::Asking.text(lang)).color(theme.quiet));
                return;
            }
            (_, Some((_, form))) => {
                misfits(ui, form, &mut self.profile, theme, lang);
                if options::show(ui, form, &mut self.search, theme, lang, actions) {
                    form.store(&mut self.profile);
                }
                return;
            }
        };
        ui.label(RichText::new(trouble).color(theme.accent));
        if ui.button(Word::AskAgain.text(lang)).clicked() {
            actions.push(EnginesAction::Ask(Box::new(self.profile.clone())));
        }
    }
}

/// What the profile holds and the engine does not take. It stays until the user takes it out.
fn misfits(ui: &mut Ui, form: &Form, profile: &mut Profile, theme: &Theme, lang: Lang) {
    if form.misfits().iter().all(|misfit| !profile.options.contains_key(&misfit.name)) {
        return;
    }
    ui.label(RichText::new(Word::Misfits.text(lang)).color(theme.accent));
    for misfit in form.misfits() {
        if profile.options.contains_key(&misfit.name) {
            ui.horizontal_wrapped(|ui| {
                ui.label(format!("{} = {}", misfit.name, misfit.value));
                ui.label(RichText::new(setting::mismatch(&misfit.why, lang)).color(theme.quiet));
                if ui.small_button(Word::TakeOut.text(lang)).clicked() {
                    profile.options.remove(&misfit.name);
                }
            });
        }
    }
    ui.add_space(8.0);
}

/// What an engine can be put to.
pub(super) fn use_buttons(
    ui: &mut Ui,
    name: &str,
    view: &EnginesView<'_>,
    lang: Lang,
    actions: &mut Vec<EnginesAction>,
) {
    if ui.add_enabled(!view.is_in_use(name), Button::new(Word::Use.text(lang))).clicked() {
        actions.push(EnginesAction::Use(name.to_owned()));
    }
    let is_beside = view.is_in_use(name) && view.in_use.len() > 1;
    let beside = if is_beside { Word::NotBeside } else { Word::Beside };
    if ui.add_enabled(is_beside || !view.is_in_use(name), Button::new(beside.text(lang))).clicked() {
        actions.push(EnginesAction::Beside(name.to_owned()));
    }
    let default = view.profiles.default_profile().map_or(BUILT_IN, |profile| profile.name());
    if ui.add_enabled(default != name, Button::new(Word::MakeDefault.text(lang))).clicked() {
        actions.push(EnginesAction::MakeDefault(name.to_owned()));
    }
}
