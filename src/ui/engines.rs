//! The page of engines: those of the user on the left, how one of them is set up on the right.
//!
//! What is asked for on it is given back as [`EnginesAction`]s; whoever shows the page does it.

mod fields;
mod list;
mod options;
mod profile_form;

use crate::config::{EngineNumber, Presets, Profile, Profiles};
use crate::discovery::{EngineIdentity, ProbeAnswer};
use crate::text::{Lang, WindowWord};
use crate::ui::PaintTheme;
use eframe::egui;
use egui::{Color32, Frame, Label, Margin, Panel, RichText, ScrollArea, Ui};
use profile_form::ProfileForm;
use std::collections::BTreeSet;
use std::path::Path;

/// The height of what is said below the page, in points: two lines.
const REMARKS: f32 = 52.0;

/// What the page shows.
#[derive(Clone, Copy, Debug)]
pub struct EnginesView<'a> {
    /// The user's engines.
    pub profiles: &'a Profiles,
    /// Engines on this machine that are not among them.
    pub found: &'a [EngineOnMachine],
    /// Whether there may be more of those.
    pub searching: bool,
    /// What the engine on view says of itself.
    pub inquiry: &'a Probe,
    /// The names of the engines in use.
    pub in_use: &'a [String],
    /// What is set where the user sets nothing.
    pub usual: &'a [(EngineNumber, u32)],
    /// What is known of engines.
    pub presets: &'a Presets,
    /// Something that went wrong.
    pub trouble: Option<&'a str>,
    /// How to get a better engine, where there is none.
    pub hint: Option<&'a str>,
}

impl EnginesView<'_> {
    /// Whether the engine of this name is in use.
    fn is_in_use(&self, name: &str) -> bool {
        self.in_use.iter().any(|in_use| in_use == name)
    }
}

/// What a frame of the page is drawn from.
#[derive(Clone, Copy)]
struct EnginesFrame<'a> {
    view: &'a EnginesView<'a>,
    theme: &'a PaintTheme,
    lang: Lang,
}

/// An engine on this machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineOnMachine {
    /// The name it gives itself.
    pub name: String,
    /// Its program.
    pub path: String,
}

/// What is known of an engine that was asked who it is.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Probe {
    /// It has been asked, and has not answered.
    #[default]
    Asking,
    /// What it says of itself.
    Known(EngineIdentity),
    /// What became of asking one that is no engine.
    Trouble(ProbeAnswer),
}

/// What a file or folder is chosen for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PathPurpose {
    /// To be added as an engine.
    Engine,
    /// For the engine on view to run in.
    Folder,
    /// For an option of the engine on view, by its name.
    Option(String),
}

/// What is asked for on the page.
#[derive(Clone, Debug, PartialEq)]
pub enum EnginesAction {
    /// Ask an engine who it is and what can be set in it.
    Ask(Box<Profile>),
    /// Add an engine that is started by these words.
    Add(Vec<String>),
    /// Have the user choose a file or folder, and give it to [`EnginesPage::chosen`].
    Choose(PathPurpose),
    /// Copy the profile of this name.
    Duplicate(String),
    /// Call the first something else.
    Rename(String, String),
    /// Take the one of this name out.
    Remove(String),
    /// Use the one of this name when nothing is said.
    MakeDefault(String),
    /// Use the one of this name now; started anew if it is in use.
    Use(String),
    /// Have the one of this name look beside the one in use, or one of two no longer.
    Beside(String),
    /// Press the button of this name in the engine on view, which has to be in use.
    Press(String),
    /// Keep this profile in the place of the one of its name.
    Store(Box<Profile>),
}

/// What the page keeps from frame to frame.
#[derive(Debug, Default)]
pub struct EnginesPage {
    /// The engine on view; `None` is the built-in one.
    selected: Option<String>,
    /// How it is set up, as far as it has been edited.
    sheet: Option<ProfileForm>,
    /// The command of an engine to be added, while it is typed.
    command: Option<String>,
    /// The engines of which something was changed since they were put to use.
    changed: BTreeSet<String>,
    /// The engine for which a file or folder is being chosen.
    chooser: Option<String>,
}

impl EnginesPage {
    /// Puts an engine on view.
    pub fn select(&mut self, name: &str, profiles: &Profiles) {
        self.selected = profiles.get(name).map(|profile| profile.name().to_owned());
    }

    /// Takes what the user chose for the engine on view.
    pub fn chosen(&mut self, purpose: &PathPurpose, path: &Path) {
        // By now another may be on view.
        let is_of_it = self.chooser.take() == self.selected;
        if let Some(sheet) = self.sheet.as_mut().filter(|_| is_of_it) {
            sheet.chosen(purpose, &path.display().to_string());
        }
    }

    /// What is to be done before the page is left: what was typed and not yet kept would be lost.
    pub fn leave(&mut self) -> Vec<EnginesAction> {
        let mut actions = Vec::new();
        if let Some(mut sheet) = self.sheet.take() {
            sheet.leave(&mut actions);
        }
        self.note(&actions);
        actions
    }

    /// Shows the page in all of `ui`.
    pub fn show(&mut self, ui: &mut Ui, view: &EnginesView<'_>, theme: &PaintTheme, lang: Lang) -> Vec<EnginesAction> {
        let (mut actions, scene) = (Vec::new(), EnginesFrame { view, theme, lang });
        self.follow(view, &mut actions);
        let margin = Margin::same(16);
        let side = Frame::NONE.inner_margin(margin).fill(theme.rail);
        Panel::left("engines").exact_size(270.0).resizable(false).frame(side).show(ui, |ui| {
            list::show(self, ui, scene, &mut actions);
        });
        self.remarks(ui, scene);
        Frame::NONE.inner_margin(Margin { bottom: 0, ..margin }).show(ui, |ui| {
            ScrollArea::vertical().id_salt("engine").auto_shrink(false).show(ui, |ui| match &mut self.sheet {
                Some(sheet) => sheet.show(ui, scene, &mut actions),
                None => built_in(ui, scene, &mut actions),
            });
        });
        self.note(&actions);
        actions
    }

    /// What went wrong, and what is to be known of what was changed: below all else, in a place that is kept for it.
    fn remarks(&self, ui: &mut Ui, EnginesFrame { view, theme, lang }: EnginesFrame<'_>) {
        let strip = Frame::NONE.inner_margin(Margin::symmetric(16, 6)).fill(theme.rail);
        let panel = Panel::bottom("engine remarks").exact_size(REMARKS).resizable(false).show_separator_line(false);
        panel.frame(strip).show(ui, |ui| {
            let area = ScrollArea::vertical().id_salt("engine remarks").min_scrolled_height(0.0);
            area.auto_shrink(false).show(ui, |ui| {
                if let Some(trouble) = view.trouble {
                    ui.add(Label::new(RichText::new(trouble).color(theme.accent)).wrap());
                }
                if self.changed.contains(self.name()) && view.is_in_use(self.name()) {
                    ui.add(Label::new(WindowWord::Restart.text(lang)).wrap());
                }
            });
        });
    }

    /// Keeps the sheet that of the engine on view.
    fn follow(&mut self, view: &EnginesView<'_>, actions: &mut Vec<EnginesAction>) {
        let profile = self.selected.as_deref().and_then(|name| view.profiles.get(name));
        match (profile, &self.sheet) {
            (None, None) => self.selected = None,
            (None, Some(_)) => {
                actions.extend(self.leave());
                self.selected = None;
            }
            (Some(profile), Some(sheet)) if sheet.is_of(profile) => {}
            (Some(profile), _) => {
                actions.extend(self.leave());
                self.sheet = Some(ProfileForm::new(profile));
                actions.push(EnginesAction::Ask(Box::new(profile.clone())));
            }
        }
    }

    /// Draws the conclusions of what is about to be done.
    fn note(&mut self, actions: &[EnginesAction]) {
        for action in actions {
            match action {
                EnginesAction::Store(profile) => _ = self.changed.insert(profile.name().to_owned()),
                EnginesAction::Use(name) | EnginesAction::Beside(name) => _ = self.changed.remove(name),
                EnginesAction::Rename(old, new) if self.changed.remove(old) => {
                    self.changed.insert(new.trim().to_owned());
                }
                EnginesAction::Choose(_) => self.chooser.clone_from(&self.selected),
                _ => {}
            }
        }
    }

    /// What the user calls the engine on view.
    pub fn name(&self) -> &str {
        self.selected.as_deref().unwrap_or(crate::config::BUILT_IN)
    }
}

/// What is to be said of the built-in engine: nothing can be set in it.
fn built_in(ui: &mut Ui, scene: EnginesFrame<'_>, actions: &mut Vec<EnginesAction>) {
    let EnginesFrame { view, theme, lang } = scene;
    ui.label(heading(WindowWord::BuiltIn.text(lang), theme.text));
    ui.add_space(6.0);
    ui.add(Label::new(WindowWord::BuiltInNote.text(lang)).wrap());
    if let Some(hint) = view.hint {
        ui.add_space(6.0);
        ui.add(Label::new(RichText::new(hint).color(theme.quiet)).wrap());
    }
    ui.add_space(10.0);
    ui.horizontal(|ui| profile_form::use_buttons(ui, crate::config::BUILT_IN, scene, actions));
}

/// Text over a part of the page.
fn heading(text: &str, color: Color32) -> RichText {
    RichText::new(text).font(crate::ui::fonts::TextWeight::Bold.at(17.0)).color(color)
}

#[cfg(test)]
mod tests;
