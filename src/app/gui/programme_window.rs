//! The panel of the outputs in a small window.

use super::main_window::{self, OpenAt};
use super::{SharedViewer, programme_actions};
use crate::app::effects::pages::seconds_since_1970;
use crate::app::preferences::SharedPreferences;
use eframe::egui;
use egui::{CentralPanel, Frame, Ui, ViewportBuilder, ViewportId};
use shogibar_base::threads::lock;
use shogibar_config::{Background, Percent};
use shogibar_model::ids::GameId;
use shogibar_model::outputs::OutputId;
use shogibar_obs::ControlPanel;
use shogibar_programme::ProgrammeWord;
use shogibar_ui::overlay::OverlayStyle;
use shogibar_ui::programme::{ProgrammePanel, ProgrammeTimes};
use shogibar_ui::{FramePacer, theme};
use std::collections::BTreeMap;
use std::time::Duration;

pub(super) use shogibar_ui::programme::{MIN_SIZE, SIZE};

pub(super) fn id() -> ViewportId {
    ViewportId::from_hash_of("programme")
}

/// The window of the panel.
#[derive(Debug)]
pub(super) struct ProgrammeWindow {
    viewer: SharedViewer,
    preferences: SharedPreferences,
    painter: FramePacer,
    panel: ProgrammePanel,
    obs_panel: ControlPanel,
    /// Since when each output shows its game, in seconds since 1970.
    outputs: BTreeMap<OutputId, (GameId, u64)>,
    /// When each message was seen first, in seconds since 1970.
    messages: BTreeMap<u64, u64>,
    is_closed: bool,
    open_at: OpenAt,
    takes_focus: bool,
}

impl ProgrammeWindow {
    /// Creates the window, which opens at a position.
    pub(super) fn new(
        viewer: SharedViewer,
        preferences: SharedPreferences,
        painter: FramePacer,
        at: OpenAt,
        takes_focus: bool,
    ) -> Self {
        Self {
            viewer,
            preferences,
            painter,
            panel: ProgrammePanel::default(),
            obs_panel: ControlPanel::default(),
            outputs: BTreeMap::new(),
            messages: BTreeMap::new(),
            is_closed: false,
            open_at: at,
            takes_focus,
        }
    }

    pub(super) fn builder(&self) -> ViewportBuilder {
        let title = ProgrammeWord::Title.text(lock(&self.viewer).lang());
        self.open_at
            .builder(title, SIZE, MIN_SIZE)
            .with_active(self.takes_focus)
    }

    pub(super) const fn is_closed(&self) -> bool {
        self.is_closed
    }

    /// Draws one frame. Returns whether the other windows have to be drawn.
    pub(super) fn show(&mut self, ui: &mut Ui) -> bool {
        let ctx = ui.ctx().clone();
        if ctx.input(|input| input.viewport().close_requested()) {
            self.is_closed = true;
            return true;
        }
        let has_changed = lock(&self.viewer).update();
        let times = self.times();
        let (page_theme, style) = {
            let preferences = lock(&self.preferences);
            let brightness = main_window::brightness(&ctx, preferences.settings().general.window_colors);
            let page_theme = theme::of_pages(brightness == egui::Theme::Dark);
            let bar_theme = theme::from_config(preferences.theme());
            let style = OverlayStyle::from_settings(preferences.settings(), bar_theme, preferences.lang());
            (
                page_theme,
                OverlayStyle {
                    opacity: Percent(100),
                    background: Background::Opaque,
                    ..style
                },
            )
        };
        theme::apply(ui, &page_theme);
        let background = Frame::NONE.fill(page_theme.window.to_opaque());
        let mut obs_actions = Vec::new();
        let actions = CentralPanel::default().frame(background).show(ui, |ui| {
            let mut viewer = lock(&self.viewer);
            let lang = viewer.lang();
            let (model, obs) = viewer.model_and_obs();
            let show_obs = |ui: &mut Ui| {
                if let Some(obs) = obs {
                    let now = obs.now();
                    obs_actions = self.obs_panel.show(ui, obs.control(), now, lang);
                }
            };
            self.panel
                .show(ui, model, &times, &page_theme, &style, self.painter, show_obs)
        });
        let has_obs_actions = !obs_actions.is_empty();
        let starts_pages = {
            let mut viewer = lock(&self.viewer);
            for action in obs_actions {
                viewer.act_on_obs(action);
            }
            let (_, obs) = viewer.model_and_obs();
            let obs = obs.map(|obs| (obs.take_copied(), obs.take_pages_request()));
            let (copied, starts_pages) = obs.unwrap_or_default();
            if let Some(text) = copied {
                ctx.copy_text(text);
            }
            starts_pages
        };
        if starts_pages {
            lock(&self.preferences).change(|settings| settings.obs.is_on = true);
        }
        // The panel says for how many minutes an output has shown its game.
        ctx.request_repaint_after(Duration::from_mins(1));
        let acted = !actions.inner.is_empty() || has_obs_actions;
        for action in actions.inner {
            programme_actions::act(&self.viewer, &self.preferences, action);
        }
        has_changed || acted
    }

    /// Returns the times of the outputs and messages, in minutes.
    fn times(&mut self) -> ProgrammeTimes {
        let now = seconds_since_1970();
        let viewer = lock(&self.viewer);
        let model = viewer.model();
        for output in model.outputs() {
            let game = model.game_of_output(output);
            let known = self.outputs.entry(output).or_insert((game, now));
            if known.0 != game {
                *known = (game, now);
            }
        }
        let recent: Vec<_> = model.notices().recent().map(|(number, _)| number).collect();
        drop(viewer);
        self.messages.retain(|number, _| recent.contains(number));
        for number in recent {
            self.messages.entry(number).or_insert(now);
        }
        let minutes = |since: u64| now.saturating_sub(since) / 60;
        ProgrammeTimes {
            outputs: self
                .outputs
                .iter()
                .map(|(output, (_, since))| (*output, minutes(*since)))
                .collect(),
            messages: self
                .messages
                .iter()
                .map(|(number, since)| (*number, minutes(*since)))
                .collect(),
        }
    }
}
