//! The panel with which the user controls the outputs: what each shows, what comes next, how much viewers see, and the
//! messages that are only for the user.

use crate::FramePacer;
use crate::access::set_accessible_label;
use crate::overlay::{Overlay, OverlayStyle};
use crate::theme::PaintTheme;
use eframe::egui;
use egui::{
    Align, Button, CornerRadius, Frame, Label, Layout as UiLayout, Margin, Panel, RichText, Role, ScrollArea,
    Sense, Stroke, StrokeKind, TextEdit, Ui, UiBuilder, Vec2, WidgetInfo, pos2, vec2,
};
use shogibar_base::Lang;
use shogibar_config::{Layout, OwnGameRule};
use shogibar_games::bar::BarView;
use shogibar_model::ids::GameId;
use shogibar_model::outputs::{OutputCommand, OutputId};
use shogibar_model::{AppModel, Message};
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
    /// Set the rule for the source of own games.
    OwnGameRule(String, OwnGameRule),
    /// Put a game on the pages of all games.
    List(GameId),
    /// Open the organizers' guidelines.
    OpenGuideline,
    /// Open the page about where engines are prohibited.
    OpenFairPlay,
}

/// The state of the panel between frames.
#[derive(Debug, Default)]
pub struct ProgrammePanel {
    /// An output of the group that the lower part of the panel is about; `None` for the first group.
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
    /// The style and the pacing of the small pictures; `None` without pictures.
    pictures: Option<(&'a OverlayStyle, FramePacer)>,
    lang: Lang,
}

impl ProgrammePanel {
    /// Draws the panel over all of `ui`. `style` is that of the small pictures. `further` draws what follows below.
    /// Returns the user's actions.
    pub fn show(
        &mut self,
        ui: &mut Ui,
        model: &AppModel,
        times: &ProgrammeTimes,
        theme: &PaintTheme,
        style: &OverlayStyle,
        pacer: FramePacer,
        further: impl FnOnce(&mut Ui),
    ) -> Vec<ProgrammeAction> {
        let style = OverlayStyle {
            layout: Layout::Bar,
            ..style.clone()
        };
        let frame = PanelFrame {
            model,
            times,
            theme,
            pictures: Some((&style, pacer)),
            lang: style.lang,
        };
        let groups = groups(model);
        let selected = self.selected_group(&groups);
        let mut actions = Vec::new();
        let margin = Frame::NONE.inner_margin(Margin::symmetric(10, 8));
        Panel::bottom("programme-messages")
            .frame(margin.fill(theme.card))
            .show_separator_line(false)
            .show(ui, |ui| {
                show_messages(ui, &frame);
            });
        ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
            margin.show(ui, |ui| {
                show_head(ui, &frame);
                for group in &groups {
                    self.show_group(ui, &frame, group, &mut actions);
                }
                self.show_next(ui, &frame, &selected, &mut actions);
                if let Some(output) = selected.first() {
                    show_delay(ui, &frame, *output, &mut actions);
                    show_choices(ui, &frame, *output, &mut actions);
                    show_own_game_rule(ui, &frame, *output, &mut actions);
                    self.show_credit(ui, &frame, *output, &mut actions);
                    show_rights(ui, &frame, *output, &mut actions);
                }
                further(ui);
            });
        });
        actions
    }

    fn selected_group(&mut self, groups: &[Vec<OutputId>]) -> Vec<OutputId> {
        let selected = groups
            .iter()
            .find(|group| self.selected.is_some_and(|selected| group.contains(&selected)));
        let selected = selected.or_else(|| groups.first()).cloned().unwrap_or_default();
        self.selected = selected.first().copied();
        selected
    }

    fn show_group(
        &mut self,
        ui: &mut Ui,
        frame: &PanelFrame<'_>,
        outputs: &[OutputId],
        actions: &mut Vec<ProgrammeAction>,
    ) {
        let Some(first) = outputs.first().copied() else {
            return;
        };
        let (model, lang) = (frame.model, frame.lang);
        let view = model.view_of_output(first);
        let is_on_air = outputs.iter().any(|output| model.is_on_air(*output));
        let minutes = outputs
            .iter()
            .filter_map(|output| frame.times.outputs.get(output))
            .max();
        let since = words::since(minutes.copied().unwrap_or_default(), lang);
        let state = if is_on_air {
            ProgrammeWord::Title
        } else {
            ProgrammeWord::OffAir
        };
        let words = [
            view.position_text[0].trim_end_matches([':', ' ']),
            view.position_text[1].as_str(),
        ]
        .join(" ");
        let words = words.trim();
        let words = if words.is_empty() { state.text(lang) } else { words };
        let mut is_chosen = false;
        card(ui, frame.theme, self.selected == Some(first), |ui| {
            show_ends(
                ui,
                |ui: &mut Ui| {
                    dot(ui, frame.theme, is_on_air);
                    let name = Label::new(RichText::new(title(&view)).strong())
                        .sense(Sense::click())
                        .truncate();
                    is_chosen = ui.add(name).clicked();
                },
                |ui| small(ui, &since),
            );
            self.show_picture(ui, frame, Some(first), &view);
            show_ends(
                ui,
                |ui| small(ui, words),
                |ui| show_locks(ui, frame, outputs, actions),
            );
        });
        if is_chosen {
            self.selected = Some(first);
        }
    }

    fn show_next(
        &mut self,
        ui: &mut Ui,
        frame: &PanelFrame<'_>,
        outputs: &[OutputId],
        actions: &mut Vec<ProgrammeAction>,
    ) {
        let (model, lang) = (frame.model, frame.lang);
        let Some(next) = outputs.first().and_then(|output| model.next_of_output(*output)) else {
            return small(ui, ProgrammeWord::NoNext.text(lang));
        };
        let view = model.private_view_of_game(next);
        let is_locked = outputs.iter().any(|output| model.is_locked(*output));
        let hint = if is_locked {
            ProgrammeWord::LockedHint
        } else {
            ProgrammeWord::OnlyHere
        };
        card(ui, frame.theme, false, |ui| {
            ui.horizontal(|ui| {
                ui.label(RichText::new(ProgrammeWord::Next.text(lang)).weak());
                ui.add(Label::new(RichText::new(title(&view)).strong()).truncate());
            });
            self.show_picture(ui, frame, None, &view);
            show_ends(
                ui,
                |ui| small(ui, hint.text(lang)),
                |ui| show_switch(ui, frame, outputs, next, actions),
            );
            if !model.is_listed(next) && ui.button(ProgrammeWord::List.text(lang)).clicked() {
                actions.push(ProgrammeAction::List(next));
            }
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
            let field = TextEdit::singleline(&mut text)
                .hint_text(hint)
                .desired_width(f32::INFINITY);
            let response = ui.add(field).labelled_by(label.id);
            // Viewers see no half of a text.
            if response.lost_focus() {
                actions.push(ProgrammeAction::Output(
                    output,
                    OutputCommand::Credit(Credit::new(&text)),
                ));
            }
            if response.has_focus() {
                self.credit = Some((game, text));
            }
        });
    }

    fn show_picture(&mut self, ui: &mut Ui, frame: &PanelFrame<'_>, of: Option<OutputId>, view: &BarView) {
        let Some((style, pacer)) = frame.pictures else {
            return;
        };
        let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), PICTURE_HEIGHT), Sense::hover());
        let picture = self.pictures.entry(of).or_insert_with(|| Overlay::new(pacer));
        let child = ui.new_child(UiBuilder::new().max_rect(rect).id_salt(("picture", of)));
        picture.show(&child, view, style);
    }
}

/// Returns the names of the players.
fn title(view: &BarView) -> String {
    format!("{} – {}", view.black.name, view.white.name)
}

/// Returns the outputs in groups that show the same game.
fn groups(model: &AppModel) -> Vec<Vec<OutputId>> {
    let mut groups: Vec<Vec<OutputId>> = Vec::new();
    for output in model.outputs() {
        let game = model.game_of_output(output);
        let has_game =
            |group: &&mut Vec<OutputId>| group.iter().any(|other| model.game_of_output(*other) == game);
        match groups.iter_mut().find(has_game) {
            Some(group) => group.push(output),
            None => groups.push(vec![output]),
        }
    }
    groups
}

/// Returns the name of an output. Several bars have numbers.
fn output_name(model: &AppModel, output: OutputId, lang: Lang) -> String {
    let bars: Vec<_> = model.window_bars().map(|(bar, _)| OutputId::Bar(bar)).collect();
    match bars.iter().position(|bar| *bar == output) {
        Some(index) if bars.len() > 1 => format!("{} {}", ProgrammeWord::Bar.text(lang), index + 1),
        Some(_) => ProgrammeWord::Bar.text(lang).to_owned(),
        None => ProgrammeWord::Pages.text(lang).to_owned(),
    }
}

fn show_locks(ui: &mut Ui, frame: &PanelFrame<'_>, outputs: &[OutputId], actions: &mut Vec<ProgrammeAction>) {
    for output in outputs.iter().rev() {
        let (name, is_locked) = (
            output_name(frame.model, *output, frame.lang),
            frame.model.is_locked(*output),
        );
        let label = format!("{}: {name}", ProgrammeWord::Lock.text(frame.lang));
        if switch(ui, frame.theme, is_locked, &label) {
            actions.push(ProgrammeAction::Output(*output, OutputCommand::Lock(!is_locked)));
        }
        ui.label(name);
        dot(ui, frame.theme, frame.model.is_on_air(*output));
    }
    small(ui, ProgrammeWord::Lock.text(frame.lang));
}

/// Draws the button that shows the next game on the outputs.
fn show_switch(
    ui: &mut Ui,
    frame: &PanelFrame<'_>,
    outputs: &[OutputId],
    next: GameId,
    actions: &mut Vec<ProgrammeAction>,
) {
    let is_locked = outputs.iter().any(|output| frame.model.is_locked(*output));
    let word = if is_locked {
        ProgrammeWord::UnlockAndSwitch
    } else {
        ProgrammeWord::Switch
    };
    if ui.button(word.text(frame.lang)).clicked() {
        actions.extend(
            outputs
                .iter()
                .map(|output| ProgrammeAction::Output(*output, OutputCommand::Switch(Some(next)))),
        );
    }
}

/// Draws the panel as a strip of another window: the outputs that are on air, without pictures. Returns the user's
/// actions.
pub fn show_strip(ui: &mut Ui, model: &AppModel, theme: &PaintTheme, lang: Lang) -> Vec<ProgrammeAction> {
    let frame = PanelFrame {
        model,
        times: &ProgrammeTimes::default(),
        theme,
        pictures: None,
        lang,
    };
    let mut actions = Vec::new();
    let groups = groups(model);
    for group in groups
        .iter()
        .filter(|group| group.iter().any(|output| model.is_on_air(*output)))
    {
        let Some(first) = group.first().copied() else {
            continue;
        };
        let name = title(&model.view_of_output(first));
        show_ends(
            ui,
            |ui: &mut Ui| {
                dot(ui, theme, true);
                ui.label(ProgrammeWord::Title.text(lang));
                ui.add(Label::new(RichText::new(name).strong()).truncate());
            },
            |ui| {
                if let Some(next) = model.next_of_output(first) {
                    show_switch(ui, &frame, group, next, &mut actions);
                    let next = title(&model.private_view_of_game(next));
                    small(ui, &format!("{}　{next}", ProgrammeWord::Next.text(lang)));
                }
                show_locks(ui, &frame, group, &mut actions);
            },
        );
        ui.horizontal_wrapped(|ui| {
            small(ui, ProgrammeWord::Delay.text(lang));
            show_delay_buttons(ui, &frame, first, 48.0, &mut actions);
            for (choice, is_on, command) in output_switches(&frame, first) {
                if switch(ui, theme, is_on, choice.text(lang)) {
                    actions.push(ProgrammeAction::Output(first, command));
                }
                ui.label(choice.text(lang));
            }
        });
        show_own_game_question(ui, &frame, first, &mut actions);
    }
    if let Some((_, message)) = model.notices().recent().next() {
        ui.horizontal(|ui| {
            small(ui, ProgrammeWord::ForYou.text(lang));
            ui.add(Label::new(message.text(lang)).truncate());
        });
    }
    actions
}

/// Returns the choices of an output that are on or off: the word, the state, and the command that changes it.
fn output_switches(frame: &PanelFrame<'_>, output: OutputId) -> [(ProgrammeWord, bool, OutputCommand); 2] {
    let choices = frame.model.output_choices(frame.model.game_of_output(output));
    let (numbers, own) = (choices.numbers_only, choices.is_own_game);
    [
        (
            ProgrammeWord::NumbersOnly,
            numbers,
            OutputCommand::NumbersOnly(!numbers),
        ),
        (ProgrammeWord::OwnGame, own, OutputCommand::OwnGame(!own)),
    ]
}

fn show_head(ui: &mut Ui, frame: &PanelFrame<'_>) {
    let is_any = frame.model.outputs().any(|output| frame.model.is_on_air(output));
    ui.horizontal(|ui| {
        dot(ui, frame.theme, is_any);
        let word = if is_any {
            ProgrammeWord::Title
        } else {
            ProgrammeWord::OffAir
        };
        ui.heading(word.text(frame.lang));
    });
}

fn show_delay(ui: &mut Ui, frame: &PanelFrame<'_>, output: OutputId, actions: &mut Vec<ProgrammeAction>) {
    let (game, lang) = (frame.model.game_of_output(output), frame.lang);
    let delay = frame.model.output_choices(game).delay;
    let (shown, newest) = frame.model.shown_and_newest_ply(game);
    let behind = words::behind(shown, newest, lang);
    let other = delay.to_string();
    let state = match () {
        () if newest > shown => &behind,
        () if delay == Delay::None => ProgrammeWord::InTime.text(lang),
        // A delay that a script has set may be none of the buttons.
        () => &other,
    };
    let heading = ProgrammeWord::Delay.text(lang);
    card(ui, frame.theme, false, |ui| {
        show_ends(
            ui,
            |ui| _ = ui.label(RichText::new(heading).strong()),
            |ui| small(ui, state),
        );
        ui.horizontal(|ui| {
            let width = (ui.available_width() - 4.0 * ui.spacing().item_spacing.x) / 5.0;
            show_delay_buttons(ui, frame, output, width, actions);
        });
    });
}

/// Draws a button for each delay, of this width in points.
fn show_delay_buttons(
    ui: &mut Ui,
    frame: &PanelFrame<'_>,
    output: OutputId,
    width: f32,
    actions: &mut Vec<ProgrammeAction>,
) {
    let present = frame
        .model
        .output_choices(frame.model.game_of_output(output))
        .delay;
    for (delay, word) in DELAYS {
        let word = word.text(frame.lang);
        let text = RichText::new(word).size(12.0);
        let response = ui.add(Button::selectable(delay == present, text).min_size(vec2(width, 24.0)));
        set_accessible_label(
            &response,
            &format!("{}: {word}", ProgrammeWord::Delay.text(frame.lang)),
        );
        if response.clicked() {
            actions.push(ProgrammeAction::Output(output, OutputCommand::Delay(delay)));
        }
    }
}

fn show_choices(ui: &mut Ui, frame: &PanelFrame<'_>, output: OutputId, actions: &mut Vec<ProgrammeAction>) {
    let hints = [ProgrammeWord::NumbersOnlyHint, ProgrammeWord::OwnGameHint];
    card(ui, frame.theme, false, |ui| {
        ui.columns_const(|columns: &mut [Ui; 2]| {
            for ((ui, hint), (word, is_on, command)) in
                columns.iter_mut().zip(hints).zip(output_switches(frame, output))
            {
                let word = word.text(frame.lang);
                let mut is_clicked = false;
                show_ends(
                    ui,
                    |ui: &mut Ui| _ = ui.label(RichText::new(word).strong()),
                    |ui| {
                        is_clicked = switch(ui, frame.theme, is_on, word);
                    },
                );
                small(ui, hint.text(frame.lang));
                if is_clicked {
                    actions.push(ProgrammeAction::Output(output, command));
                }
            }
        });
    });
}

fn show_own_game_question(
    ui: &mut Ui,
    frame: &PanelFrame<'_>,
    output: OutputId,
    actions: &mut Vec<ProgrammeAction>,
) {
    if !frame
        .model
        .asks_about_own_game(frame.model.game_of_output(output))
    {
        return;
    }
    ui.horizontal(|ui| {
        let question = ProgrammeWord::OwnGameAsk.text(frame.lang);
        ui.label(question);
        for (word, is_own) in [(ProgrammeWord::Yes, true), (ProgrammeWord::No, false)] {
            let word = word.text(frame.lang);
            let response = ui.button(word);
            set_accessible_label(&response, &format!("{question} {word}"));
            if response.clicked() {
                actions.push(ProgrammeAction::Output(output, OutputCommand::OwnGame(is_own)));
            }
        }
    });
}

fn show_own_game_rule(
    ui: &mut Ui,
    frame: &PanelFrame<'_>,
    output: OutputId,
    actions: &mut Vec<ProgrammeAction>,
) {
    let game = frame.model.game_of_output(output);
    let Some((source, present)) = frame
        .model
        .own_game_source(game)
        .zip(frame.model.own_game_rule(game))
    else {
        return;
    };
    show_own_game_question(ui, frame, output, actions);
    ui.horizontal_wrapped(|ui| {
        small(ui, ProgrammeWord::OwnGameRule.text(frame.lang));
        let words = [
            ProgrammeWord::OwnNever,
            ProgrammeWord::OwnAsk,
            ProgrammeWord::OwnAlways,
        ];
        for (rule, word) in OwnGameRule::ALL.iter().copied().zip(words) {
            if ui
                .selectable_label(rule == present, word.text(frame.lang))
                .clicked()
            {
                actions.push(ProgrammeAction::OwnGameRule(source.clone(), rule));
            }
        }
    });
}

/// Draws what the user of a professional source is offered, folded at first.
fn show_rights(ui: &mut Ui, frame: &PanelFrame<'_>, output: OutputId, actions: &mut Vec<ProgrammeAction>) {
    let (lang, is_on) = (frame.lang, frame.model.shows_numbers_only());
    ui.collapsing(ProgrammeWord::Professional.text(lang), |ui| {
        ui.add(Label::new(RichText::new(ProgrammeWord::Rights.text(lang)).small()).wrap());
        if ui.button(ProgrammeWord::MakeNumbersOnly.text(lang)).clicked() {
            actions.push(ProgrammeAction::Output(output, OutputCommand::NumbersOnly(true)));
        }
        let word = ProgrammeWord::AllNumbersOnly.text(lang);
        let mut is_clicked = false;
        show_ends(
            ui,
            |ui| small(ui, word),
            |ui| is_clicked = switch(ui, frame.theme, is_on, word),
        );
        if is_clicked {
            actions.push(ProgrammeAction::NumbersOnly(!is_on));
        }
        if ui
            .link(RichText::new(ProgrammeWord::Guideline.text(lang)).small())
            .clicked()
        {
            actions.push(ProgrammeAction::OpenGuideline);
        }
    });
    if ui
        .link(RichText::new(ProgrammeWord::FairPlay.text(lang)).small())
        .clicked()
    {
        actions.push(ProgrammeAction::OpenFairPlay);
    }
}

fn show_ends(ui: &mut Ui, left: impl FnOnce(&mut Ui), right: impl FnOnce(&mut Ui)) {
    ui.horizontal(|ui| {
        left(ui);
        ui.with_layout(UiLayout::right_to_left(Align::Center), right);
    });
}

/// Draws a text that is less important.
fn small(ui: &mut Ui, text: &str) {
    ui.label(RichText::new(text).weak().small());
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

fn card(ui: &mut Ui, theme: &PaintTheme, is_selected: bool, content: impl FnOnce(&mut Ui)) {
    let stroke = if is_selected {
        Stroke::new(1.5, theme.black)
    } else {
        Stroke::new(1.0, theme.separator)
    };
    let frame = Frame::NONE
        .fill(theme.card)
        .stroke(stroke)
        .corner_radius(CornerRadius::same(8));
    frame.inner_margin(Margin::same(8)).show(ui, |ui| {
        ui.set_width(ui.available_width());
        content(ui);
    });
    ui.add_space(6.0);
}

/// Draws the dot of an output: filled while it is on air.
fn dot(ui: &mut Ui, theme: &PaintTheme, is_on_air: bool) {
    let (rect, _) = ui.allocate_exact_size(Vec2::splat(12.0), Sense::hover());
    if is_on_air {
        ui.painter().circle_filled(rect.center(), 4.0, theme.live);
    } else {
        ui.painter()
            .circle_stroke(rect.center(), 3.5, Stroke::new(1.0, theme.quiet));
    }
}

/// Draws a switch. Returns whether it was clicked.
fn switch(ui: &mut Ui, theme: &PaintTheme, is_on: bool, label: &str) -> bool {
    let (rect, response) = ui.allocate_exact_size(SWITCH_SIZE, Sense::click());
    response.widget_info(|| WidgetInfo::selected(Role::Switch, true, is_on, label));
    let fill = if is_on { theme.black } else { theme.quiet };
    ui.painter().rect_filled(rect, CornerRadius::same(9), fill);
    let radius = rect.height() / 2.0 - 2.0;
    let x = if is_on {
        rect.right() - radius - 2.0
    } else {
        rect.left() + radius + 2.0
    };
    ui.painter()
        .circle_filled(pos2(x, rect.center().y), radius, theme.card);
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
