//! A game against an engine: the form that begins it, and the panel with turn, end and choices.

use super::StudyFrame;
use crate::access::set_accessible_label;
use crate::dialog::DialogStatus;
use crate::fonts::TextWeight;
use crate::study_text::StudyPhrase;
use eframe::egui;
use egui::{
    Button, ComboBox, CornerRadius, DragValue, Frame, Grid, Key, Label, Margin, Modifiers, Rect, RichText,
    Spinner, Stroke, Ui, UiBuilder,
};
use shogibar_engine::option_text;
use shogibar_engine::options::Limit;
use shogibar_games::engine_game::{EngineGame, EngineGameSettings, EngineGameState};
use shogibar_games::engine_game_text::{self as game_words, EngineGamePhrase};
use shogibar_games::phrase;
use shogibar_kifu::{Millis, TimeControl};
use shogibar_model::action::{AppAction, EngineGameAction};
use shogibar_shogi::Color;
use std::time::Duration;

/// The numbers of nodes of the strengths to choose from, the weakest first. Each step is worth some 300 to 500 Elo
/// between two built-in engines (docs/engine.md).
const STRENGTH_NODES: [u64; 8] = [100, 300, 1_000, 3_000, 10_000, 30_000, 100_000, 300_000];
/// The other limits to choose from. `Infinite` means that the engine plays by its clock.
const OTHER_LIMITS: [Limit; 4] = [
    Limit::Time(Duration::from_secs(1)),
    Limit::Time(Duration::from_secs(3)),
    Limit::Time(Duration::from_secs(10)),
    Limit::Infinite,
];
/// The width of the lists of engines and of strengths, in points.
const LIST_WIDTH: f32 = 260.0;
/// The gap below the panel, in points.
const PANEL_GAP: f32 = 8.0;

/// The form for a new game against an engine. The choices are kept for the next game.
#[derive(Debug)]
pub(super) struct EngineGameForm {
    is_open: bool,
    /// The name of the chosen engine; `None` for the current engine of the page.
    engine: Option<String>,
    /// The user's side.
    user: Color,
    limit: Limit,
    has_clock: bool,
    /// The main time, in minutes.
    minutes: u64,
    /// The byoyomi, in seconds.
    byoyomi: u64,
    /// The increment, in seconds.
    increment: u64,
    shows_values: bool,
}

impl Default for EngineGameForm {
    fn default() -> Self {
        Self {
            is_open: false,
            engine: None,
            user: Color::Black,
            limit: Limit::Nodes(10_000),
            has_clock: false,
            minutes: 10,
            byoyomi: 30,
            increment: 0,
            shows_values: false,
        }
    }
}

impl EngineGameForm {
    /// Opens the form. The user has the side to move.
    pub(super) const fn open(&mut self, mover: Color) {
        (self.is_open, self.user) = (true, mover);
    }

    /// Shows the form while it is open, and starts the game.
    pub(super) fn show(&mut self, ui: &Ui, frame: &mut StudyFrame<'_>) {
        if !self.is_open {
            return;
        }
        let end = frame.show_form(ui, EngineGamePhrase::Title.text(frame.lang), |ui| {
            self.show_contents(ui, frame)
        });
        self.is_open = end == DialogStatus::Open;
        if let DialogStatus::Done(settings) = end {
            frame.act(AppAction::BeginEngineGame(Box::new(settings)));
        }
    }

    /// Draws the contents of the form. Returns the settings when the user starts the game.
    fn show_contents(&mut self, ui: &mut Ui, frame: &StudyFrame<'_>) -> DialogStatus<EngineGameSettings> {
        let (lang, theme) = (frame.lang, frame.theme);
        ui.add(Label::new(RichText::new(EngineGamePhrase::About.text(lang)).color(theme.quiet)).wrap());
        ui.add_space(4.0);
        let engine = self
            .engine
            .clone()
            .unwrap_or_else(|| frame.view.engine.to_owned());
        Grid::new("engine game")
            .num_columns(2)
            .spacing([18.0, 8.0])
            .show(ui, |ui| {
                ui.label(EngineGamePhrase::Engine.text(lang));
                self.show_engines(ui, frame, &engine);
                ui.end_row();
                ui.label(EngineGamePhrase::Strength.text(lang));
                self.show_strengths(ui, frame);
                ui.end_row();
                ui.label(EngineGamePhrase::Side.text(lang));
                ui.horizontal(|ui| {
                    for (side, title) in [Color::Black, Color::White].into_iter().zip(frame.titles()) {
                        ui.radio_value(&mut self.user, side, title);
                    }
                });
                ui.end_row();
                ui.label(EngineGamePhrase::Clock.text(lang));
                self.show_clock(ui, frame);
                ui.end_row();
            });
        ui.checkbox(&mut self.shows_values, EngineGamePhrase::ShowValues.text(lang));
        let control = self.time_control();
        let has_time = !self.has_clock || control.is_some();
        if !has_time {
            ui.colored_label(theme.blunder, EngineGamePhrase::NoTime.text(lang));
        }
        ui.add_space(6.0);
        ui.horizontal(|ui| {
            let begin = RichText::new(EngineGamePhrase::Begin.text(lang)).font(TextWeight::Bold.at(14.0));
            // A focused widget handles Enter itself.
            let is_free = has_time && ui.memory(|memory| memory.focused().is_none());
            let enters = is_free && ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Enter));
            let begins = ui.add_enabled(has_time, Button::new(begin)).clicked() || enters;
            if ui.button(StudyPhrase::Cancel.text(lang)).clicked() {
                return DialogStatus::Closed;
            }
            if !begins {
                return DialogStatus::Open;
            }
            let (user, limit, shows_values) = (self.user, self.limit, self.shows_values);
            DialogStatus::Done(EngineGameSettings {
                engine,
                user,
                limit,
                control,
                shows_values,
            })
        })
        .inner
    }

    fn show_engines(&mut self, ui: &mut Ui, frame: &StudyFrame<'_>, engine: &str) {
        let others = frame
            .view
            .engines
            .iter()
            .map(String::as_str)
            .filter(|other| *other != frame.view.engine);
        let list = ComboBox::from_id_salt("opponent")
            .width(LIST_WIDTH)
            .selected_text(phrase::engine_name(engine, frame.lang));
        let shown = list.show_ui(ui, |ui| {
            for other in std::iter::once(frame.view.engine)
                .chain(others)
                .filter(|name| !name.is_empty())
            {
                if ui
                    .selectable_label(other == engine, phrase::engine_name(other, frame.lang))
                    .clicked()
                {
                    self.engine = Some(other.to_owned());
                }
            }
        });
        set_accessible_label(&shown.response, EngineGamePhrase::Engine.text(frame.lang));
    }

    fn show_strengths(&mut self, ui: &mut Ui, frame: &StudyFrame<'_>) {
        let text = |limit: Limit| {
            let step = STRENGTH_NODES
                .iter()
                .position(|nodes| limit == Limit::Nodes(*nodes));
            let name = option_text::limit(Some(limit), frame.lang);
            match (limit, step) {
                (Limit::Infinite, _) => EngineGamePhrase::ByClock.text(frame.lang).to_owned(),
                (_, Some(step)) => game_words::level(step + 1, &name, frame.lang),
                (_, None) => name,
            }
        };
        let list = ComboBox::from_id_salt("strength")
            .width(LIST_WIDTH)
            .selected_text(text(self.limit));
        let shown = list.show_ui(ui, |ui| {
            let limits = STRENGTH_NODES.map(Limit::Nodes).into_iter().chain(OTHER_LIMITS);
            for limit in limits.filter(|limit| self.has_clock || *limit != Limit::Infinite) {
                ui.selectable_value(&mut self.limit, limit, text(limit));
            }
        });
        set_accessible_label(&shown.response, EngineGamePhrase::Strength.text(frame.lang));
        shown
            .response
            .on_hover_text(EngineGamePhrase::StrengthHelp.text(frame.lang));
    }

    fn show_clock(&mut self, ui: &mut Ui, frame: &StudyFrame<'_>) {
        let lang = frame.lang;
        ui.vertical(|ui| {
            ui.horizontal(|ui| {
                let mut has_none = !self.has_clock;
                if ui
                    .checkbox(&mut has_none, EngineGamePhrase::NoClock.text(lang))
                    .changed()
                {
                    self.has_clock = !has_none;
                }
                if has_none && self.limit == Limit::Infinite {
                    self.limit = Self::default().limit;
                }
                let field = DragValue::new(&mut self.minutes).range(0..=600);
                set_accessible_label(
                    &ui.add_enabled(self.has_clock, field),
                    EngineGamePhrase::Clock.text(lang),
                );
                ui.label(EngineGamePhrase::MainMinutes.text(lang));
            });
            if !self.has_clock {
                return;
            }
            for (seconds, phrase) in [
                (&mut self.byoyomi, EngineGamePhrase::Byoyomi),
                (&mut self.increment, EngineGamePhrase::Increment),
            ] {
                ui.horizontal(|ui| {
                    set_accessible_label(&ui.add(DragValue::new(seconds).range(0..=600)), phrase.text(lang));
                    ui.label(phrase.text(lang));
                });
            }
        });
    }

    /// Returns the time control; `None` if none is chosen, or if the chosen one has no time.
    fn time_control(&self) -> Option<TimeControl> {
        let control = TimeControl {
            main: Millis(60_000 * self.minutes),
            byoyomi: Millis(1000 * self.byoyomi),
            increment: Millis(1000 * self.increment),
        };
        let has_time = control.main > Millis(0) || control.byoyomi > Millis(0);
        (self.has_clock && has_time).then_some(control)
    }
}

/// The panel of the game against an engine that is played on the page.
#[derive(Debug, Default)]
pub(super) struct EngineGamePanel {
    /// Whether the user is asked to confirm a resignation.
    is_resigning: bool,
    /// The height of the panel with the gap below it in the last frame, in points. It is 0 without a game against an
    /// engine.
    height: f32,
}

impl EngineGamePanel {
    /// Returns the part of a rectangle below the panel of the last frame.
    pub(super) fn rect_below(&self, all: Rect) -> Rect {
        all.with_min_y(all.top() + self.height)
    }

    /// Draws the panel at the top of a rectangle, if there is a game against an engine. Returns the remaining
    /// rectangle.
    pub(super) fn show(&mut self, ui: &mut Ui, frame: &mut StudyFrame<'_>, all: Rect) -> Rect {
        let Some(game) = frame.view.engine_game else {
            *self = Self::default();
            return all;
        };
        let (theme, lang) = (frame.theme, frame.lang);
        let border = Frame::NONE
            .fill(theme.card)
            .stroke(Stroke::new(1.0, theme.separator))
            .corner_radius(CornerRadius::same(8))
            .inner_margin(Margin::symmetric(14, 8));
        let builder = UiBuilder::new().max_rect(all).id_salt("engine game");
        let shown = ui.scope_builder(builder, |ui| {
            border.show(ui, |ui| {
                ui.set_width(ui.available_width());
                let is_thinking =
                    *game.state() == EngineGameState::Playing && !game.is_users_turn(frame.view.document);
                ui.horizontal(|ui| {
                    is_thinking.then(|| ui.add(Spinner::new().size(14.0)));
                    let text = RichText::new(state_text(game, frame)).font(TextWeight::Bold.at(15.0));
                    ui.add(Label::new(text).wrap());
                });
                if let EngineGameState::EngineFailed(why) = game.state() {
                    ui.add(Label::new(RichText::new(why.text(lang)).color(theme.blunder)).wrap());
                }
                ui.horizontal_wrapped(|ui| self.show_buttons(ui, frame, game));
            });
        });
        self.height = shown.response.rect.height() + PANEL_GAP;
        self.rect_below(all)
    }

    fn show_buttons(&mut self, ui: &mut Ui, frame: &mut StudyFrame<'_>, game: &EngineGame) {
        let (lang, document) = (frame.lang, frame.view.document);
        self.is_resigning &= game.is_in_progress();
        let button = |ui: &mut Ui, phrase: EngineGamePhrase, is_possible: bool| {
            ui.add_enabled(is_possible, Button::new(phrase.text(lang)))
                .clicked()
        };
        let mut act = None;
        if self.is_resigning {
            ui.label(EngineGamePhrase::ReallyResign.text(lang));
            if button(ui, EngineGamePhrase::Resign, true) {
                act = Some(EngineGameAction::Resign);
                self.is_resigning = false;
            }
            self.is_resigning &= !ui.button(StudyPhrase::Cancel.text(lang)).clicked();
        } else {
            let (is_on, is_over) = (
                game.is_in_progress(),
                matches!(game.state(), EngineGameState::Over(..)),
            );
            if button(ui, EngineGamePhrase::TakeBack, game.can_take_back(document)) {
                act = Some(EngineGameAction::TakeBack);
            }
            if is_on {
                self.is_resigning = button(ui, EngineGamePhrase::Resign, true);
                if button(ui, EngineGamePhrase::Interrupt, true) {
                    act = Some(EngineGameAction::Interrupt);
                }
                if game.can_declare(document, frame.view.history.now())
                    && button(ui, EngineGamePhrase::Declare, true)
                {
                    act = Some(EngineGameAction::Declare);
                }
            } else if !is_over && button(ui, EngineGamePhrase::Resume, true) {
                act = Some(EngineGameAction::Resume);
            }
            if !is_on && button(ui, EngineGamePhrase::Close, true) {
                act = Some(EngineGameAction::Close);
            }
        }
        if let Some(action) = act {
            frame.act(AppAction::EngineGame(action));
        }
    }
}

fn state_text(game: &EngineGame, frame: &StudyFrame<'_>) -> String {
    let (document, lang) = (frame.view.document, frame.lang);
    let phrase = match game.state() {
        EngineGameState::AwaitingEngine => EngineGamePhrase::Starting,
        EngineGameState::Playing if game.is_users_turn(document) => EngineGamePhrase::YourTurn,
        EngineGameState::Playing => EngineGamePhrase::EngineTurn,
        EngineGameState::EngineFailed(_) => EngineGamePhrase::Failed,
        EngineGameState::Interrupted => EngineGamePhrase::Interrupted,
        EngineGameState::Over(..) => {
            let result = match game.winner() {
                Some(winner) if winner == game.settings().user => EngineGamePhrase::YouWin,
                Some(_) => EngineGamePhrase::YouLose,
                None => EngineGamePhrase::Draw,
            };
            let why = document
                .ending()
                .map(|ending| ending.reason.text(lang))
                .unwrap_or_default();
            return if why.is_empty() {
                result.text(lang).to_owned()
            } else {
                game_words::ended(result.text(lang), why, lang)
            };
        }
    };
    phrase.text(lang).to_owned()
}
