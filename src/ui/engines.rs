//! The engines page: the list of profiles on the left, the settings of the selected one on the right.
//!
//! User actions are returned as [`EnginesAction`]s; the caller applies them.

mod fields;
mod list;
mod options;
mod profile_form;

use crate::PaintTheme;
use crate::window_text::WindowWord;
use eframe::egui;
use egui::{Color32, Frame, Label, Margin, Panel, RichText, ScrollArea, Ui};
use profile_form::ProfileForm;
use shogibar_base::Lang;
use shogibar_config::{Profile, Profiles};
use shogibar_engine::observer::EngineIdentity;
use shogibar_engine::options::{EngineNumber, Presets, resolve_model};
use shogibar_engine::probe::ProbeAnswer;
use shogibar_games::bar::BarNotice;
use shogibar_games::calibration::UserFit;
use shogibar_games::phrase;
use shogibar_shogi::score::WinRateModel;
use std::collections::BTreeSet;
use std::path::Path;

/// The height of the remarks below the page, in points: two lines.
const REMARKS_HEIGHT: f32 = 52.0;

/// What the engines page shows.
#[derive(Clone, Copy, Debug)]
pub struct EnginesView<'a> {
    /// The user's engine profiles.
    pub profiles: &'a Profiles,
    /// Engines found on this machine that have no profile.
    pub found_engines: &'a [EngineOnMachine],
    /// Whether the search for engines is still running.
    pub is_searching: bool,
    /// The state of the probe of the selected engine.
    pub probe: &'a Probe,
    /// The names of the engines in use.
    pub in_use: &'a [String],
    /// The default values of numeric engine settings.
    pub defaults: &'a [(EngineNumber, u32)],
    /// The presets for known engines.
    pub presets: &'a Presets,
    /// An error to show; `None` without an error.
    pub error: Option<&'a str>,
    /// The notice after [`EnginesAction::UseInGui`]; `None` without a notice.
    pub relay_notice: Option<&'a str>,
    /// The engines that do not work: name and problem. The name is empty if a problem concerns no single engine.
    pub problems: &'a [(String, BarNotice)],
    /// A hint on how to get a stronger engine; `None` if no hint is due.
    pub hint: Option<&'a str>,
    /// The win-rate curves fitted to the user's games, by engine.
    pub user_fits: &'a [UserFit],
}

impl EnginesView<'_> {
    /// Returns the win-rate model of the selected engine with the settings of `profile`. Until the engine has answered,
    /// returns the model of the profile, or else the default.
    fn model_in_use(&self, profile: &Profile) -> WinRateModel {
        match self.probe {
            Probe::Identified(engine) => resolve_model(
                profile.model,
                &engine.name,
                &engine.options,
                &profile.options,
                self.presets,
            ),
            Probe::Pending | Probe::Failed(_) => profile.model.unwrap_or_default(),
        }
    }

    fn is_in_use(&self, name: &str) -> bool {
        self.in_use.iter().any(|in_use| in_use == name)
    }
}

/// The inputs of one frame of the page.
#[derive(Clone, Copy)]
struct EnginesFrame<'a> {
    view: &'a EnginesView<'a>,
    theme: &'a PaintTheme,
    lang: Lang,
}

/// An engine found on this machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineOnMachine {
    /// The name that the engine reports.
    pub name: String,
    /// The path of the engine's program.
    pub path: String,
}

/// The state of an engine probe.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Probe {
    /// The engine has not answered yet.
    #[default]
    Pending,
    /// The identity that the engine reported.
    Identified(EngineIdentity),
    /// The failure, if the program is not an engine.
    Failed(ProbeAnswer),
}

/// The purpose of a file or folder choice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PathPurpose {
    /// The program of an engine to add.
    Engine,
    /// The working directory of the selected engine.
    Folder,
    /// The value of an option of the selected engine, by the option's name.
    Option(String),
}

/// A user action on the page.
#[derive(Clone, Debug, PartialEq)]
pub enum EnginesAction {
    /// Probe an engine for its identity and options.
    Probe(Box<Profile>),
    /// Add an engine that is started by this command line.
    Add(Vec<String>),
    /// Let the user choose a file or folder, then call [`EnginesPage::apply_path`] with it.
    Choose(PathPurpose),
    /// Show the section of the manual on where to get strong engines.
    ShowStrongEngines,
    /// Copy the profile of this name.
    Duplicate(String),
    /// Rename the profile of the first name to the second.
    Rename(String, String),
    /// Remove the profile of this name.
    Remove(String),
    /// Make the profile of this name the default.
    MakeDefault(String),
    /// Use the profile of this name now; restart it if it is in use.
    Use(String),
    /// Use the engine of this name as the second engine, or stop using it if it is one of two.
    ToggleSecondEngine(String),
    /// Make the file that a shogi GUI registers for the engine of this name.
    UseInGui(String),
    /// Press the button option of this name in the selected engine, which must be in use.
    PressButton(String),
    /// Store the changes of a profile.
    Store {
        /// The profile that the user began with.
        before: Box<Profile>,
        /// The present profile.
        after: Box<Profile>,
    },
}

/// The state of the page between frames.
#[derive(Debug, Default)]
pub struct EnginesPage {
    /// The name of the selected engine; `None` is the built-in engine.
    selected_name: Option<String>,
    /// The form of the selected profile with the present edits; `None` before the first frame and after
    /// [`flush`](Self::flush).
    form: Option<ProfileForm>,
    /// The typed command line of an engine to add; `None` while its field is closed.
    command: Option<String>,
    /// The height of the buttons below the list in the last frame, in points.
    foot_height: f32,
    /// The names of the engines whose profiles changed since they were last started.
    changed_engines: BTreeSet<String>,
    /// The name of the engine for which a file or folder is being chosen; `None` also for the built-in engine.
    chooser_engine: Option<String>,
}

impl EnginesPage {
    /// Selects the engine of this name. An unknown name selects the built-in engine.
    pub fn select(&mut self, name: &str, profiles: &Profiles) {
        self.selected_name = profiles.get(name).map(|profile| profile.name().to_owned());
    }

    /// Applies a path that the user chose for an engine, if this engine is still selected.
    pub fn apply_path(&mut self, purpose: &PathPurpose, path: &Path) {
        let is_same_engine = self.chooser_engine.take() == self.selected_name;
        if is_same_engine && let Some(form) = &mut self.form {
            form.on_path_chosen(purpose, &path.display().to_string());
        }
    }

    /// Returns the actions that store typed but unsaved text. To be called before the page is closed.
    pub fn flush(&mut self) -> Vec<EnginesAction> {
        let mut actions = Vec::new();
        if let Some(mut form) = self.form.take() {
            form.finish(&mut actions);
        }
        self.apply_actions(&actions);
        actions
    }

    /// Shows the page in all of `ui`. Returns the user's actions.
    pub fn show(
        &mut self,
        ui: &mut Ui,
        view: &EnginesView<'_>,
        theme: &PaintTheme,
        lang: Lang,
    ) -> Vec<EnginesAction> {
        let (mut actions, frame) = (Vec::new(), EnginesFrame { view, theme, lang });
        self.update_form(view, &mut actions);
        let margin = Margin::same(16);
        let side = Frame::NONE.inner_margin(margin).fill(theme.rail);
        Panel::left("engines")
            .exact_size(270.0)
            .resizable(false)
            .frame(side)
            .show(ui, |ui| {
                list::show(self, ui, frame, &mut actions);
            });
        self.show_remarks(ui, frame);
        Frame::NONE
            .inner_margin(Margin { bottom: 0, ..margin })
            .show(ui, |ui| {
                ScrollArea::vertical()
                    .id_salt("engine")
                    .auto_shrink(false)
                    .show(ui, |ui| {
                        show_problems(ui, frame);
                        if let Some(form) = &mut self.form {
                            form.show(ui, frame, &mut actions);
                        }
                    });
            });
        self.apply_actions(&actions);
        actions
    }

    /// Shows the error, the relay's notice and whether a restart is due, if there are any, in an area below the page.
    fn show_remarks(&self, ui: &mut Ui, EnginesFrame { view, theme, lang }: EnginesFrame<'_>) {
        let is_restart_due =
            self.changed_engines.contains(self.selected_engine()) && view.is_in_use(self.selected_engine());
        let restart = is_restart_due.then(|| WindowWord::Restart.text(lang));
        let remarks = [
            (view.error, theme.blunder),
            (view.relay_notice, theme.text),
            (restart, theme.text),
        ];
        if remarks.iter().all(|(text, _)| text.is_none()) {
            // Skips the panel's id, so that the ids of the form's fields do not change.
            return ui.skip_ahead_auto_ids(1);
        }
        let strip = Frame::NONE
            .inner_margin(Margin::symmetric(16, 6))
            .fill(theme.rail);
        let panel = Panel::bottom("engine remarks")
            .exact_size(REMARKS_HEIGHT)
            .resizable(false)
            .show_separator_line(false);
        panel.frame(strip).show(ui, |ui| {
            let area = ScrollArea::vertical()
                .id_salt("engine remarks")
                .min_scrolled_height(0.0);
            area.auto_shrink(false).show(ui, |ui| {
                for (text, color) in remarks
                    .into_iter()
                    .filter_map(|(text, color)| Some((text?, color)))
                {
                    ui.add(Label::new(RichText::new(text).color(color)).wrap());
                }
            });
        });
    }

    /// Replaces the form when another engine is selected, or when the stored profile has changed.
    fn update_form(&mut self, view: &EnginesView<'_>, actions: &mut Vec<EnginesAction>) {
        if view.profiles.get(self.selected_engine()).is_none() {
            // The profile of the form was removed.
            actions.extend(self.flush());
            self.selected_name = None;
        }
        let Some(profile) = view.profiles.get(self.selected_engine()) else {
            return;
        };
        if self
            .form
            .as_ref()
            .is_none_or(|form| !form.has_stored_profile(profile))
        {
            actions.extend(self.flush());
            self.form = Some(ProfileForm::new(profile));
            actions.push(EnginesAction::Probe(Box::new(profile.clone())));
        }
    }

    /// Updates the page's state from actions that are about to be applied.
    fn apply_actions(&mut self, actions: &[EnginesAction]) {
        for action in actions {
            match action {
                EnginesAction::Store { after, .. } => {
                    _ = self.changed_engines.insert(after.name().to_owned());
                }
                EnginesAction::Use(name) | EnginesAction::ToggleSecondEngine(name) => {
                    _ = self.changed_engines.remove(name);
                }
                EnginesAction::Rename(old, new) if self.changed_engines.remove(old) => {
                    self.changed_engines.insert(new.trim().to_owned());
                }
                EnginesAction::Choose(_) => self.chooser_engine.clone_from(&self.selected_name),
                _ => {}
            }
        }
    }

    /// Returns the name of the selected engine.
    pub fn selected_engine(&self) -> &str {
        self.selected_name
            .as_deref()
            .unwrap_or(shogibar_config::BUILT_IN_NAME)
    }
}

/// Shows the engines that do not work, with the last lines of their output.
fn show_problems(ui: &mut Ui, EnginesFrame { view, theme, lang }: EnginesFrame<'_>) {
    for (name, problem) in view.problems {
        Frame::group(ui.style()).show(ui, |ui| {
            ui.set_width(ui.available_width());
            if !name.is_empty() {
                ui.add(Label::new(RichText::new(phrase::engine_name(name, lang)).strong()).wrap());
            }
            ui.add(Label::new(RichText::new(problem.full()).color(theme.accent)).wrap());
            for line in &problem.details {
                ui.add(Label::new(RichText::new(line).size(12.5).color(theme.quiet)).wrap());
            }
        });
        ui.add_space(10.0);
    }
}

fn heading(text: &str, color: Color32) -> RichText {
    RichText::new(text)
        .font(crate::fonts::TextWeight::Bold.at(17.0))
        .color(color)
}

#[cfg(test)]
mod tests;
