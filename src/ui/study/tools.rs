//! The toolbar above the page.

use super::keys::KeysInUse;
use super::{FileState, StudyAction, StudyFrame, StudyPage, StudyQuestion, StudyView, analysis, keys, notice, setup};
use crate::bar::Ending;
use crate::config::Command;
use crate::kifu::{End, Reason, Target};
use crate::study::UnsavedAnswer;
use crate::text::command_text;
use crate::text::study::{self, StudyPhrase, StudyReply};
use crate::text::visible::visible;
use crate::ui::access::{name, text};
use crate::ui::fonts::TextWeight;
use eframe::egui;
use egui::{
    Align, Button, CornerRadius, Frame, Key, Label, Layout, Margin, Modifiers, Panel, Rect, RichText, Role, ScrollArea,
    Sense, TextStyle, Ui, WidgetInfo, lerp, pos2, vec2,
};
use std::time::Duration;

/// The interval between animation frames.
const FRAME: Duration = Duration::from_millis(33);

/// The maximum share of the toolbar width for the name of the record.
const NAME: f32 = 0.22;

/// The commands in the toolbar itself.
const SHOWN: [Command; 4] = [Command::Open, Command::Save, Command::Paste, Command::Analyse];

/// The commands in the menu, by group.
const MENU: [&[Command]; 6] = [
    &[Command::New, Command::AddGame, Command::Players, Command::SetUp, Command::SaveAs],
    &[Command::Copy, Command::CopyPosition, Command::CopyBoard, Command::CopySummary, Command::Report],
    &[Command::Undo, Command::Redo],
    &[Command::Replace, Command::Delete, Command::Promote, Command::MainLine],
    &[Command::PreviousMistake, Command::NextMistake, Command::Guess, Command::Mate],
    &[Command::Flip, Command::Small, Command::Hide, Command::Palette, Command::Keys, Command::Manual],
];

/// The reasons for ending a game that the user can choose.
const ENDS: [Reason; 8] = [
    Reason::Resignation,
    Reason::Interruption,
    Reason::Repetition,
    Reason::Impasse,
    Reason::Declaration,
    Reason::Checkmate,
    Reason::TimeUp,
    Reason::Foul,
];

/// Draws the toolbar; its height is constant.
pub(super) fn show(page: &mut StudyPage, ui: &mut Ui, frame: &mut StudyFrame<'_>) {
    let margin = Margin { left: 14, right: 14, top: 8, bottom: 8 };
    let background = Frame::NONE.fill(frame.theme.card).inner_margin(margin);
    Panel::top("study tools").frame(background).show(ui, |ui| {
        let question = frame.view.question;
        ui.horizontal(|ui| {
            if page.path.is_open() {
                page.path.show(ui, frame);
            } else if page.setup.is_some() {
                // With a question open there would be two Cancel buttons.
                if question.is_some() {
                    ui.allocate_space(vec2(1.0, ui.spacing().interact_size.y));
                } else {
                    setup::tools(ui, frame, &mut page.setup);
                }
            } else {
                row(ui, frame);
            }
        });
    });
}

/// Shows the current question at the top of the page, so that nothing moves. Returns the remaining rectangle.
pub(super) fn ask(page: &mut StudyPage, ui: &Ui, frame: &mut StudyFrame<'_>, over: Rect) -> Rect {
    // Entering a path is often part of the answer, so it hides the question.
    let question = frame.view.question.filter(|_| !page.path.is_open());
    let cancels = question.is_some() && KeysInUse::read(ui.ctx()) != KeysInUse::TextInput;
    if cancels && ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Escape)) {
        page.confirms_discard = false;
        // The recovery question stays open.
        if !matches!(question, Some(StudyQuestion::Recover(..))) {
            frame.act(StudyAction::Answer(UnsavedAnswer::Cancel));
        }
    }
    page.confirms_discard &= matches!(question, Some(StudyQuestion::Recover(..)));
    let Some(question) = question else { return over };
    let shown = notice::strip(ui, frame.theme, ("study question", frame.theme.separator), over, |ui| match question {
        StudyQuestion::SaveDespite(why) => confirm(ui, frame, why),
        StudyQuestion::Save { ends } => ask_to_save(ui, frame, *ends),
        StudyQuestion::Recover(count, name) => {
            show_recovery(ui, frame, &mut page.confirms_discard, (*count, name.as_deref()));
        }
    });
    over.with_min_y(shown.bottom())
}

fn row(ui: &mut Ui, frame: &mut StudyFrame<'_>) {
    let lang = frame.lang;
    let name = frame.view.name.unwrap_or_else(|| StudyPhrase::Untitled.text(lang));
    let width = ui.available_width() * NAME;
    ui.scope(|ui| {
        ui.set_max_width(width);
        ui.add(Label::new(RichText::new(name).font(TextWeight::Bold.at(14.0))).truncate());
    });
    if frame.view.document.is_changed() {
        let sign =
            ui.label(RichText::new("●").color(frame.theme.accent)).on_hover_text(StudyPhrase::Unsaved.text(lang));
        text(&sign, StudyPhrase::Unsaved.text(lang));
    }
    match frame.view.file {
        FileState::Unchanged => {}
        FileState::Opening => opening(ui, frame),
        FileState::ChangedOnDisk => {
            ui.label(RichText::new(StudyPhrase::NotFollowing.text(lang)).color(frame.theme.accent));
            if ui.button(StudyPhrase::ReadAgain.text(lang)).on_hover_text(StudyPhrase::BehindHint.text(lang)).clicked()
            {
                frame.act(StudyAction::Reload);
            }
        }
    }
    show_game_list(ui, frame);
    ui.add_space(8.0);
    for command in SHOWN {
        entry(ui, frame, command, false);
    }
    let word = if frame.view.paused { StudyPhrase::Resting } else { StudyPhrase::Studying };
    let state = ui.add(Button::selectable(!frame.view.paused, word.text(lang)));
    if state.on_hover_text(command_text(Command::Pause, lang)).clicked() {
        frame.act(StudyAction::Run(Command::Pause));
    }
    ui.menu_button(StudyPhrase::More.text(lang), |ui| {
        for (nth, group) in MENU.iter().enumerate() {
            if nth > 0 {
                ui.separator();
            }
            for command in *group {
                entry(ui, frame, *command, true);
                match command {
                    Command::SaveAs => recent(ui, frame),
                    Command::Copy => copy_as(ui, frame),
                    Command::MainLine => ends(ui, frame),
                    _ => {}
                }
            }
        }
    });
    // During an analysis its progress replaces the engine name, so the row keeps its height.
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| match frame.view.analysis {
        Some(progress) => analysis::progress(ui, frame, progress),
        None => _ = ui.add(Label::new(RichText::new(frame.view.engine).color(frame.theme.quiet)).truncate()),
    });
}

/// Draws an indeterminate progress bar while a file is being read.
fn opening(ui: &mut Ui, frame: &StudyFrame<'_>) {
    let (theme, words) = (frame.theme, StudyPhrase::Opening.text(frame.lang));
    let (rail, response) = ui.allocate_exact_size(vec2(96.0, 6.0), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::ProgressIndicator, true, words));
    #[expect(clippy::cast_possible_truncation, reason = "a place between 0 and 1")]
    let at = (0.5 - 0.5 * (ui.input(|input| input.time) * 3.0).cos()) as f32;
    let part = vec2(30.0, rail.height());
    let left = lerp(rail.left()..=rail.right() - part.x, at);
    ui.painter().rect_filled(rail, CornerRadius::same(3), theme.rail);
    ui.painter().rect_filled(Rect::from_min_size(pos2(left, rail.top()), part), CornerRadius::same(3), theme.black);
    ui.label(RichText::new(words).color(theme.quiet));
    ui.ctx().request_repaint_after(FRAME);
}

/// Draws a button for a command, enabled if the command is available.
pub(super) fn entry(ui: &mut Ui, frame: &mut StudyFrame<'_>, command: Command, is_in_menu: bool) {
    let button = Button::new(command_text(command, frame.lang)).frame_when_inactive(false);
    let button = if is_in_menu { button.shortcut_text(keys::text(ui.ctx(), command, frame.view.keys)) } else { button };
    if ui.add_enabled(frame.view.allows(command), button).clicked() {
        frame.act(StudyAction::Run(command));
        ui.close();
    }
}

/// Asks whether to recover records left by a run that did not end normally. Discarding needs a second confirmation.
fn show_recovery(
    ui: &mut Ui,
    frame: &mut StudyFrame<'_>,
    confirms_discard: &mut bool,
    (count, name): (usize, Option<&str>),
) {
    let lang = frame.lang;
    if *confirms_discard {
        question(ui, study::confirm_discard(count, lang));
        if ui.button(StudyReply::DiscardRecoverable.text(lang)).clicked() {
            frame.act(StudyAction::Recover(false));
            *confirms_discard = false;
        }
        *confirms_discard &= !ui.button(StudyPhrase::Cancel.text(lang)).clicked();
        return;
    }
    question(ui, &study::recoverable_records(count, name, lang));
    if ui.button(StudyReply::Recover.text(lang)).clicked() {
        frame.act(StudyAction::Recover(true));
    }
    *confirms_discard = ui.button(StudyReply::DiscardRecoverable.text(lang)).clicked();
}

/// Draws the text of a question.
fn question(ui: &mut Ui, text: &str) {
    ui.add(Label::new(RichText::new(text).font(TextWeight::Bold.at(14.0))).wrap());
}

/// Draws the menu of recent files.
fn recent(ui: &mut Ui, frame: &mut StudyFrame<'_>) {
    let recent = frame.view.recent;
    ui.add_enabled_ui(!recent.is_empty(), |ui| {
        ui.menu_button(StudyPhrase::Recent.text(frame.lang), |ui| {
            for path in recent {
                let (name, whole) = (path.file_name().unwrap_or_default().to_string_lossy(), path.to_string_lossy());
                if ui.button(visible(&name)).on_hover_text(visible(&whole)).clicked() {
                    frame.act(StudyAction::Open(path.clone()));
                    ui.close();
                }
            }
        });
    });
}

/// Draws the list of the other games of the file.
fn show_game_list(ui: &mut Ui, frame: &mut StudyFrame<'_>) {
    let (titles, at) = frame.view.game_list;
    if titles.is_empty() {
        return;
    }
    let title = format!("{}/{}", at + 1, titles.len());
    let menu = ui.menu_button(title, |ui| {
        ui.set_min_width(280.0);
        let height = ui.text_style_height(&TextStyle::Button) + 2.0 * ui.spacing().button_padding.y;
        ScrollArea::vertical().max_height(420.0).show_rows(ui, height, titles.len(), |ui, rows| {
            for (nth, title) in titles.iter().enumerate().skip(rows.start).take(rows.len()) {
                let entry = Button::selectable(nth == at, title).truncate().frame_when_inactive(false);
                if ui.add(entry).clicked() {
                    frame.act(StudyAction::SelectGame(nth));
                    ui.close();
                }
            }
        });
    });
    name(&menu.response, StudyPhrase::OtherGames.text(frame.lang));
    menu.response.on_hover_text(StudyPhrase::OtherGames.text(frame.lang));
}

/// Draws the menu of formats in which the record can be copied.
fn copy_as(ui: &mut Ui, frame: &mut StudyFrame<'_>) {
    ui.menu_button(StudyPhrase::CopyAs.text(frame.lang), |ui| {
        for target in
            [Target::Kifu, Target::Ki2u, Target::Csa, Target::Csa3, Target::Jkf, Target::Usi, Target::Psn, Target::Bod]
        {
            if ui.button(target.to_string()).clicked() {
                frame.act(StudyAction::CopyAs(target));
                ui.close();
            }
        }
    });
}

/// Asks whether to save although something is lost by it.
fn confirm(ui: &mut Ui, frame: &mut StudyFrame<'_>, why: &str) {
    let lang = frame.lang;
    question(ui, why);
    let actions = [
        (StudyReply::SaveAnyway.text(lang), StudyAction::Answer(UnsavedAnswer::Save)),
        (command_text(Command::SaveAs, lang), StudyAction::Run(Command::SaveAs)),
        (StudyPhrase::Cancel.text(lang), StudyAction::Answer(UnsavedAnswer::Cancel)),
    ];
    answers(ui, frame, actions);
}

/// Draws the answers to a question in a row.
fn answers(ui: &mut Ui, frame: &mut StudyFrame<'_>, answers: [(&str, StudyAction); 3]) {
    for (text, action) in answers {
        if ui.button(text).clicked() {
            frame.act(action);
        }
    }
}

/// Draws the menu of reasons for ending the line at the current node.
fn ends(ui: &mut Ui, frame: &mut StudyFrame<'_>) {
    let lang = frame.lang;
    let now = frame.view.history.now();
    ui.menu_button(StudyPhrase::EndGame.text(lang), |ui| {
        for reason in ENDS {
            if ui.button(Ending::word(&End::at_position(reason, now), lang)).clicked() {
                frame.act(StudyAction::End(reason));
                ui.close();
            }
        }
    });
}

/// Asks what to do with unsaved changes.
fn ask_to_save(ui: &mut Ui, frame: &mut StudyFrame<'_>, ends: bool) {
    let lang = frame.lang;
    let name = frame.view.name.unwrap_or_else(|| StudyPhrase::Untitled.text(lang));
    question(ui, &study::save_first(name, ends, lang));
    let save = if ends { StudyReply::SaveAndQuit } else { StudyReply::SaveAndContinue };
    let actions = [
        (save.text(lang), UnsavedAnswer::Save),
        (StudyReply::Discard.text(lang), UnsavedAnswer::Discard),
        (StudyPhrase::Cancel.text(lang), UnsavedAnswer::Cancel),
    ];
    answers(ui, frame, actions.map(|(text, answer)| (text, StudyAction::Answer(answer))));
}

impl StudyView<'_> {
    /// Returns the mistake that one of the two commands goes to.
    pub(super) fn mistake(&self, command: Command) -> Option<crate::kifu::NodeId> {
        // Where evaluations are hidden, so are mistakes.
        let forward = command == Command::NextMistake;
        self.insight.next_mistake(self.document, forward).filter(|_| !self.bar.hidden)
    }

    /// Returns whether a command is available now.
    pub(super) fn allows(&self, command: Command) -> bool {
        let is_first = self.document.current() == crate::kifu::NodeId::START;
        match command {
            Command::Undo => self.document.can_undo(),
            Command::Redo => self.document.can_redo(),
            Command::Delete | Command::MainLine => !is_first,
            Command::Replace => self.document.replaceable().is_some(),
            Command::Analyse => self.analysis.is_none(),
            Command::PreviousMistake | Command::NextMistake => self.mistake(command).is_some(),
            Command::Promote => self.document.record().promote_edits(self.document.current()).is_some(),
            _ => true,
        }
    }
}
