//! The panel with which the user controls the outputs: what each shows, what comes next, how much viewers see, and the
//! messages that are only for the user.

use crate::FramePacer;
use crate::access::set_accessible_label;
use crate::bar::BarView;
use crate::config::Layout;
use crate::overlay::{Overlay, OverlayStyle};
use crate::text::{Lang, Message};
use crate::theme::PaintTheme;
use eframe::egui;
use egui::{
    Align, Button, CornerRadius, Frame, Label, Layout as UiLayout, Margin, Panel, RichText, Role, ScrollArea, Sense,
    Stroke, StrokeKind, TextEdit, Ui, UiBuilder, Vec2, WidgetInfo, pos2, vec2,
};
use shogibar_model::AppModel;
use shogibar_model::ids::GameId;
use shogibar_model::outputs::{OutputCommand, OutputId};
use shogibar_programme::words::{self, ProgrammeWord};
use shogibar_programme::{Credit, Delay};
use std::collections::BTreeMap;

/// The initial size of the panel, in points.
pub const SIZE: Vec2 = vec2(432.0, 640.0);
/// The minimum size of the panel, in points.
pub const MIN_SIZE: Vec2 = vec2(340.0, 320.0);

/// The height of the small picture of an output, in points.
const PICTURE_HEIGHT: f32 = 46.0;
/// The size of a switch, in points.
const SWITCH_SIZE: Vec2 = vec2(34.0, 18.0);
/// The maximum number of messages that are listed.
const MAX_MESSAGES: usize = 3;

/// The delays to choose from.
const DELAYS: [(Delay, ProgrammeWord); 5] = [
    (Delay::None, ProgrammeWord::DelayNone),
    (Delay::Moves(5), ProgrammeWord::DelayMoves),
    (Delay::Seconds(30), ProgrammeWord::DelaySeconds),
    (Delay::Seconds(900), ProgrammeWord::DelayMinutes),
    (Delay::End, ProgrammeWord::DelayEnd),
];

/// What the panel shows beside the model: the times, in minutes.
#[derive(Clone, Debug, Default)]
pub struct ProgrammeTimes {
    /// For how long each output has shown its game.
    pub outputs: BTreeMap<OutputId, u64>,
    /// How long ago each message was shown, by its number.
    pub messages: BTreeMap<u64, u64>,
}

/// An action of the user in the panel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProgrammeAction {
    /// A command for an output.
    Output(OutputId, OutputCommand),
    /// Show only numbers of every game, or everything again.
    NumbersOnly(bool),
    /// Open the organizers' guidelines.
    OpenGuideline,
}

/// The state of the panel between frames.
#[derive(Debug, Default)]
pub struct ProgrammePanel {
    /// The output that the lower part of the panel is about; `None` for the first.
    selected: Option<OutputId>,
    /// The small pictures: of each output, and of the game that comes next.
    pictures: BTreeMap<Option<OutputId>, Overlay>,
    /// The credit while the user enters it, with its game.
    credit: Option<(GameId, String)>,
}

/// The parts that every function of the panel needs.
struct PanelFrame<'a> {
    model: &'a AppModel,
    times: &'a ProgrammeTimes,
    theme: &'a PaintTheme,
    style: &'a OverlayStyle,
    pacer: FramePacer,
    lang: Lang,
}

impl ProgrammePanel {
    /// Draws the panel over all of `ui`. `style` is that of the small pictures. Returns the user's actions.
    pub fn show(
        &mut self,
        ui: &mut Ui,
        model: &AppModel,
        times: &ProgrammeTimes,
        theme: &PaintTheme,
        style: &OverlayStyle,
        pacer: FramePacer,
    ) -> Vec<ProgrammeAction> {
        let style = OverlayStyle { layout: Layout::Bar, ..style.clone() };
        let frame = PanelFrame { model, times, theme, style: &style, pacer, lang: style.lang };
        let outputs: Vec<_> = model.outputs().collect();
        if self.selected.is_none_or(|selected| !outputs.contains(&selected)) {
            self.selected = outputs.first().copied();
        }
        let mut actions = Vec::new();
        let margin = Frame::NONE.inner_margin(Margin::symmetric(10, 8));
        Panel::bottom("programme-messages").frame(margin.fill(theme.card)).show_separator_line(false).show(ui, |ui| {
            show_messages(ui, &frame);
        });
        ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
            margin.show(ui, |ui| {
                show_head(ui, &frame);
                for output in outputs {
                    self.show_output(ui, &frame, output, &mut actions);
                }
                if let Some(output) = self.selected {
                    self.show_next(ui, &frame, output, &mut actions);
                    show_delay(ui, &frame, output, &mut actions);
                    show_choices(ui, &frame, output, &mut actions);
                    self.show_credit(ui, &frame, output, &mut actions);
                }
                show_rights(ui, &frame, &mut actions);
            });
        });
        actions
    }

    fn show_output(
        &mut self,
        ui: &mut Ui,
        frame: &PanelFrame<'_>,
        output: OutputId,
        actions: &mut Vec<ProgrammeAction>,
    ) {
        let (model, lang) = (frame.model, frame.lang);
        let view = model.view_of_output(output);
        let is_selected = self.selected == Some(output);
        let response = card(ui, frame.theme, is_selected, |ui| {
            ui.horizontal(|ui| {
                dot(ui, frame.theme, model.is_on_air(output));
                ui.label(RichText::new(title(&view)).strong());
                ui.with_layout(UiLayout::right_to_left(Align::Center), |ui| {
                    let minutes = frame.times.outputs.get(&output).copied().unwrap_or_default();
                    ui.label(RichText::new(words::since(minutes, lang)).weak().small());
                    if output == OutputId::Pages {
                        ui.label(RichText::new(ProgrammeWord::Pages.text(lang)).weak().small());
                    }
                });
            });
            self.show_picture(ui, frame, Some(output), &view);
            ui.horizontal(|ui| {
                let state = if model.is_on_air(output) { ProgrammeWord::Title } else { ProgrammeWord::OffAir };
                let words = [view.position_text[0].as_str(), view.position_text[1].as_str()].concat();
                ui.label(RichText::new(if words.is_empty() { state.text(lang) } else { &words }).weak().small());
                ui.with_layout(UiLayout::right_to_left(Align::Center), |ui| {
                    let is_locked = model.is_locked(output);
                    if switch(ui, frame.theme, is_locked, ProgrammeWord::Lock.text(lang)) {
                        actions.push(ProgrammeAction::Output(output, OutputCommand::Lock(!is_locked)));
                    }
                    ui.label(ProgrammeWord::Lock.text(lang));
                });
            });
        });
        if response {
            self.selected = Some(output);
        }
    }

    fn show_next(&mut self, ui: &mut Ui, frame: &PanelFrame<'_>, output: OutputId, actions: &mut Vec<ProgrammeAction>) {
        let (model, lang) = (frame.model, frame.lang);
        let Some(next) = model.next_of_output(output) else {
            ui.label(RichText::new(ProgrammeWord::NoNext.text(lang)).weak().small());
            return;
        };
        let view = model.private_view_of_game(next);
        card(ui, frame.theme, false, |ui| {
            ui.horizontal(|ui| {
                ui.label(RichText::new(ProgrammeWord::Next.text(lang)).weak());
                ui.label(RichText::new(title(&view)).strong());
            });
            self.show_picture(ui, frame, None, &view);
            let is_locked = model.is_locked(output);
            ui.horizontal(|ui| {
                let hint = if is_locked { ProgrammeWord::LockedHint } else { ProgrammeWord::OnlyHere };
                ui.label(RichText::new(hint.text(lang)).weak().small());
                ui.with_layout(UiLayout::right_to_left(Align::Center), |ui| {
                    let word = if is_locked { ProgrammeWord::UnlockAndSwitch } else { ProgrammeWord::Switch };
                    if ui.button(word.text(lang)).clicked() {
                        actions.push(ProgrammeAction::Output(output, OutputCommand::Switch(Some(next))));
                    }
                });
            });
        });
    }

    fn show_credit(
        &mut self,
        ui: &mut Ui,
        frame: &PanelFrame<'_>,
        output: OutputId,
        actions: &mut Vec<ProgrammeAction>,
    ) {
        let game = frame.model.game_of_output(output);
        let stored = frame.model.output_choices(game).credit;
        let known = self.credit.take_if(|(of, _)| *of == game).map(|(_, text)| text);
        let mut text = known.unwrap_or_else(|| stored.to_string());
        ui.horizontal(|ui| {
            let label = ui.label(RichText::new(ProgrammeWord::Credit.text(frame.lang)).weak());
            let hint = ProgrammeWord::CreditHint.text(frame.lang);
            let field = TextEdit::singleline(&mut text).hint_text(hint).desired_width(f32::INFINITY);
            let response = ui.add(field).labelled_by(label.id);
            if response.changed() {
                actions.push(ProgrammeAction::Output(output, OutputCommand::Credit(Credit::new(&text))));
            }
            if response.has_focus() {
                self.credit = Some((game, text));
            }
        });
    }

    fn show_picture(&mut self, ui: &mut Ui, frame: &PanelFrame<'_>, of: Option<OutputId>, view: &BarView) {
        let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), PICTURE_HEIGHT), Sense::hover());
        let picture = self.pictures.entry(of).or_insert_with(|| Overlay::new(frame.pacer));
        let child = ui.new_child(UiBuilder::new().max_rect(rect).id_salt(("picture", of)));
        picture.show(&child, view, frame.style);
    }
}

/// Returns the names of the players.
fn title(view: &BarView) -> String {
    format!("{} – {}", view.black.name, view.white.name)
}

fn show_head(ui: &mut Ui, frame: &PanelFrame<'_>) {
    let is_any = frame.model.outputs().any(|output| frame.model.is_on_air(output));
    ui.horizontal(|ui| {
        dot(ui, frame.theme, is_any);
        let word = if is_any { ProgrammeWord::Title } else { ProgrammeWord::OffAir };
        ui.heading(word.text(frame.lang));
    });
}

fn show_delay(ui: &mut Ui, frame: &PanelFrame<'_>, output: OutputId, actions: &mut Vec<ProgrammeAction>) {
    let (game, lang) = (frame.model.game_of_output(output), frame.lang);
    let delay = frame.model.output_choices(game).delay;
    card(ui, frame.theme, false, |ui| {
        ui.horizontal(|ui| {
            ui.label(RichText::new(ProgrammeWord::Delay.text(lang)).strong());
            ui.with_layout(UiLayout::right_to_left(Align::Center), |ui| {
                let (shown, newest) = frame.model.shown_and_newest_ply(game);
                let text = match newest > shown {
                    true => words::behind(shown, newest, lang),
                    false => ProgrammeWord::InTime.text(lang).to_owned(),
                };
                ui.label(RichText::new(text).weak().small());
            });
        });
        ui.horizontal(|ui| {
            let width = (ui.available_width() - 4.0 * ui.spacing().item_spacing.x) / 5.0;
            for (choice, word) in DELAYS {
                let button = Button::selectable(choice == delay, word.text(lang)).min_size(vec2(width, 24.0));
                let response = ui.add(button);
                set_accessible_label(&response, &format!("{}: {}", ProgrammeWord::Delay.text(lang), word.text(lang)));
                if response.clicked() {
                    actions.push(ProgrammeAction::Output(output, OutputCommand::Delay(choice)));
                }
            }
        });
    });
}

fn show_choices(ui: &mut Ui, frame: &PanelFrame<'_>, output: OutputId, actions: &mut Vec<ProgrammeAction>) {
    let (model, lang) = (frame.model, frame.lang);
    let choices = model.output_choices(model.game_of_output(output));
    let mut row = |ui: &mut Ui, is_on: bool, word: ProgrammeWord, hint: ProgrammeWord, command: OutputCommand| {
        ui.horizontal(|ui| {
            ui.label(RichText::new(word.text(lang)).strong());
            ui.label(RichText::new(hint.text(lang)).weak().small());
            ui.with_layout(UiLayout::right_to_left(Align::Center), |ui| {
                if switch(ui, frame.theme, is_on, word.text(lang)) {
                    actions.push(ProgrammeAction::Output(output, command));
                }
            });
        });
    };
    card(ui, frame.theme, false, |ui| {
        let (numbers, own) = (choices.numbers_only, choices.is_own_game);
        let command = OutputCommand::NumbersOnly(!numbers);
        row(ui, numbers, ProgrammeWord::NumbersOnly, ProgrammeWord::NumbersOnlyHint, command);
        row(ui, own, ProgrammeWord::OwnGame, ProgrammeWord::OwnGameHint, OutputCommand::OwnGame(!own));
    });
}

fn show_rights(ui: &mut Ui, frame: &PanelFrame<'_>, actions: &mut Vec<ProgrammeAction>) {
    let lang = frame.lang;
    ui.horizontal(|ui| {
        ui.label(RichText::new(ProgrammeWord::AllNumbersOnly.text(lang)).small());
        ui.with_layout(UiLayout::right_to_left(Align::Center), |ui| {
            let is_on = frame.model.shows_numbers_only();
            if switch(ui, frame.theme, is_on, ProgrammeWord::AllNumbersOnly.text(lang)) {
                actions.push(ProgrammeAction::NumbersOnly(!is_on));
            }
        });
    });
    ui.label(RichText::new(ProgrammeWord::Rights.text(lang)).weak().small());
    if ui.link(RichText::new(ProgrammeWord::Guideline.text(lang)).small()).clicked() {
        actions.push(ProgrammeAction::OpenGuideline);
    }
}

/// Draws the messages that are only for the user, the newest first.
fn show_messages(ui: &mut Ui, frame: &PanelFrame<'_>) {
    let lang = frame.lang;
    ui.label(RichText::new(ProgrammeWord::ForYou.text(lang)).weak().small());
    let messages: Vec<(u64, &Message)> = frame.model.notices().recent().take(MAX_MESSAGES).collect();
    if messages.is_empty() {
        ui.label(RichText::new(ProgrammeWord::NoMessage.text(lang)).weak());
    }
    for (number, message) in messages {
        ui.horizontal_top(|ui| {
            let minutes = frame.times.messages.get(&number).copied().unwrap_or_default();
            ui.label(RichText::new(words::ago(minutes, lang)).weak().small());
            ui.add(Label::new(message.text(lang)).wrap());
        });
    }
}

/// Draws a card around `content`. Returns whether the card was clicked.
fn card(ui: &mut Ui, theme: &PaintTheme, is_selected: bool, content: impl FnOnce(&mut Ui)) -> bool {
    let stroke = if is_selected { Stroke::new(1.5, theme.black) } else { Stroke::new(1.0, theme.separator) };
    let frame = Frame::NONE.fill(theme.card).stroke(stroke).corner_radius(CornerRadius::same(8));
    let shown = frame.inner_margin(Margin::same(8)).show(ui, |ui| {
        ui.set_width(ui.available_width());
        content(ui);
    });
    ui.add_space(6.0);
    shown.response.interact(Sense::click()).clicked()
}

/// Draws the dot of an output: filled while it is on air.
fn dot(ui: &mut Ui, theme: &PaintTheme, is_on_air: bool) {
    let (rect, _) = ui.allocate_exact_size(Vec2::splat(12.0), Sense::hover());
    if is_on_air {
        ui.painter().circle_filled(rect.center(), 4.0, theme.live);
    } else {
        ui.painter().circle_stroke(rect.center(), 3.5, Stroke::new(1.0, theme.quiet));
    }
}

/// Draws a switch. Returns whether it was clicked.
fn switch(ui: &mut Ui, theme: &PaintTheme, is_on: bool, label: &str) -> bool {
    let (rect, response) = ui.allocate_exact_size(SWITCH_SIZE, Sense::click());
    response.widget_info(|| WidgetInfo::selected(Role::Switch, true, is_on, label));
    let fill = if is_on { theme.black } else { theme.quiet };
    ui.painter().rect_filled(rect, CornerRadius::same(9), fill);
    let radius = rect.height() / 2.0 - 2.0;
    let x = if is_on { rect.right() - radius - 2.0 } else { rect.left() + radius + 2.0 };
    ui.painter().circle_filled(pos2(x, rect.center().y), radius, theme.card);
    if response.has_focus() {
        ui.painter().rect_stroke(
            rect.expand(2.0),
            CornerRadius::same(10),
            Stroke::new(1.0, theme.black),
            StrokeKind::Outside,
        );
    }
    response.clicked()
}

#[cfg(test)]
mod tests;
