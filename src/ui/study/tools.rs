//! The toolbar above the page.

use super::candidates::PvPreview;
use super::keys::{self, KeysInUse};
use super::{
    FileState, StudyAction, StudyFrame, StudyPage, StudyQuestion, StudyStatus, StudyView, analysis, notice,
    setup,
};
use crate::access::{set_accessible_label, set_accessible_text};
use crate::fonts::TextWeight;
use crate::game_list::show_game_titles;
use crate::page_tabs::{self, MainPage, TOOLBAR_HEIGHT};
use crate::study_text::{self, StudyPhrase, StudyReply};
use eframe::egui;
use egui::containers::menu::MenuButton;
use egui::text::{LayoutJob, TextWrapping};
use egui::{
    Align, Button, CornerRadius, Key, Label, Layout, Modifiers, Panel, Rect, RichText, Role, ScrollArea,
    Sense, Shape, Stroke, StrokeKind, TextStyle, TextWrapMode, Ui, Vec2, WidgetInfo, lerp, pos2, vec2,
};
use shogibar_base::visible::visible;
use shogibar_config::{Command, CommandCondition, Submenu, command_text};
use shogibar_games::bar::Ending;
use shogibar_games::study::{DocumentEdit, UnsavedAnswer};
use shogibar_kifu::{End, NodeId, Reason, ShareSite, Target};
use shogibar_live::source_text::SourcePhrase;
use shogibar_model::action::AppAction;
use std::time::Duration;

/// The interval between the frames of the animated progress bar.
const FRAME_INTERVAL: Duration = Duration::from_millis(33);

/// The maximum width of the name of the record, as a fraction of the toolbar.
const MAX_NAME_FRACTION: f32 = 0.2;
/// The minimum width of the name of the record, in points.
const MIN_NAME_WIDTH: f32 = 84.0;
/// The width of the menu button, in points.
const MENU_BUTTON_WIDTH: f32 = 38.0;
/// The width of the progress of an analysis, in points.
const PROGRESS_WIDTH: f32 = 320.0;
/// The width of the state of a source, in points.
const SOURCE_WIDTH: f32 = 250.0;
/// The width of the sign that shows whether the engines search, in points.
const SIGN_WIDTH: f32 = 16.0;
/// The minimum width at which the state of the program is shown, in points.
const MIN_STATUS_WIDTH: f32 = 60.0;
/// The gap between groups of buttons, in points.
const GROUP_GAP: f32 = 12.0;

/// The commands that have buttons in the toolbar. The last ones are in the menu if the toolbar is narrow.
const TOOLBAR_COMMANDS: [Command; 6] = [
    Command::Open,
    Command::Save,
    Command::Paste,
    Command::Pause,
    Command::Analyse,
    Command::Flip,
];

/// The minimum height below the menu in the window, in points.
const MIN_ROOM_BELOW_MENU: f32 = 20.0;

const MENU_COMMANDS: [&[Command]; 6] = [
    &[
        Command::New,
        Command::AddGame,
        Command::OpenAddress,
        Command::ReadScreen,
        Command::Desk,
        Command::Players,
        Command::SetUp,
        Command::SaveAs,
    ],
    &[Command::Copy, Command::CopyPosition, Command::AnalyseFolder],
    &[
        Command::Undo,
        Command::Redo,
        Command::Comment,
        Command::ClearMarks,
    ],
    &[
        Command::Replace,
        Command::Delete,
        Command::Promote,
        Command::MainLine,
    ],
    &[
        Command::PreviousMistake,
        Command::NextMistake,
        Command::Guess,
        Command::PlayEngine,
        Command::Mate,
        Command::Threat,
        Command::Shelf,
    ],
    &[
        Command::Small,
        Command::Hide,
        Command::HideBar,
        Command::Arrows,
        Command::Palette,
        Command::Keys,
        Command::Manual,
    ],
];

/// The reasons for ending a game that the user can choose.
const END_REASONS: [Reason; 8] = [
    Reason::Resignation,
    Reason::Interruption,
    Reason::Repetition,
    Reason::Impasse,
    Reason::Declaration,
    Reason::Checkmate,
    Reason::TimeUp,
    Reason::Foul,
];

/// Draws the toolbar, whose height is constant.
pub(super) fn show_toolbar(page: &mut StudyPage, ui: &mut Ui, frame: &mut StudyFrame<'_>) {
    let shown = Panel::top("pages")
        .frame(page_tabs::toolbar_frame(frame.theme))
        .show_separator_line(false)
        .show(ui, |ui| {
            let question = frame.view.question;
            ui.horizontal(|ui| {
                ui.set_min_height(TOOLBAR_HEIGHT);
                ui.spacing_mut().interact_size.y = TOOLBAR_HEIGHT;
                if page.path.is_open() {
                    page.path.show(ui, frame);
                } else if page.setup.is_some() {
                    // A question has a Cancel button: the form would be a second one.
                    if question.is_some() {
                        ui.allocate_space(vec2(1.0, ui.spacing().interact_size.y));
                    } else {
                        setup::show_tools(ui, frame, &mut page.setup);
                    }
                } else {
                    show_row(ui, frame);
                }
            });
        });
    page_tabs::draw_line_below(ui, frame.theme, shown.response.rect);
}

/// Shows the current question at the top of the page, so that nothing else moves. Returns the remaining rectangle.
pub(super) fn show_question(page: &mut StudyPage, ui: &Ui, frame: &mut StudyFrame<'_>, over: Rect) -> Rect {
    // A path often has to be entered as part of the answer, so its field hides the question.
    let question = if page.path.is_open() {
        None
    } else {
        frame.view.question
    };
    let cancels = question.is_some() && KeysInUse::read(ui.ctx()) != KeysInUse::TextInput;
    if cancels && ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Escape)) {
        page.confirms_discard = false;
        // The recovery question stays open.
        if !matches!(question, Some(StudyQuestion::Recover(..))) {
            frame.act(StudyAction::AnswerUnsaved(UnsavedAnswer::Cancel));
        }
    }
    page.confirms_discard &= matches!(question, Some(StudyQuestion::Recover(..)));
    let is_new = page.last_question.as_ref() != question;
    if is_new {
        page.last_question = question.cloned();
    }
    let Some(question) = question else { return over };
    let shown = notice::show_strip(
        ui,
        frame.theme,
        "study question",
        frame.theme.separator,
        over,
        |ui| match question {
            StudyQuestion::SaveDespite(why) => ask_to_save_despite(ui, frame, why, is_new),
            StudyQuestion::Save {
                games,
                unsaved_at_quit,
            } => ask_to_save(ui, frame, *games, *unsaved_at_quit, is_new),
            StudyQuestion::Recover(count, name) => {
                show_recovery(ui, frame, &mut page.confirms_discard, *count, name.as_deref());
            }
        },
    );
    over.with_min_y(shown.bottom())
}

/// Draws the toolbar of a record: the pages, the name, the buttons, the state and the menu.
fn show_row(ui: &mut Ui, frame: &mut StudyFrame<'_>) {
    let whole = ui.available_rect_before_wrap();
    ui.spacing_mut().item_spacing.x = 6.0;
    ui.spacing_mut().button_padding.x = 10.0;
    match page_tabs::show(
        ui,
        frame.theme,
        MainPage::Study,
        frame.view.status.has_folder,
        frame.lang,
    ) {
        Some(MainPage::Engines) => frame.act(StudyAction::Command(Command::Engines)),
        Some(MainPage::Settings) => frame.act(StudyAction::Command(Command::Settings)),
        Some(MainPage::Folder) => frame.act(StudyAction::Command(Command::AnalyseFolder)),
        Some(MainPage::Study) | None => {}
    }
    ui.add_space(GROUP_GAP - 4.0);
    let state = match (frame.view.analysis, frame.view.video, frame.view.status.source) {
        (Some(_), ..) => PROGRESS_WIDTH,
        (None, Some(_), _) | (None, None, Some(_)) => SOURCE_WIDTH,
        (None, None, None) => 0.0,
    };
    let end = MENU_BUTTON_WIDTH + ui.spacing().item_spacing.x + state;
    let widths = TOOLBAR_COMMANDS.map(|command| command_width(ui, frame, command));
    let all = widths.iter().sum::<f32>() + end;
    show_title(
        ui,
        frame,
        (ui.available_width() - all).clamp(
            MIN_NAME_WIDTH,
            (whole.width() * MAX_NAME_FRACTION).max(MIN_NAME_WIDTH),
        ),
    );
    let mut room = ui.available_width() - end;
    let mut count = 0;
    for (command, width) in TOOLBAR_COMMANDS.into_iter().zip(widths) {
        room -= width;
        if room < 0.0 {
            break;
        }
        count += 1;
        show_tool(ui, frame, command);
    }
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        let menu = MenuButton::from_button(
            Button::new(RichText::new("…").size(17.0)).min_size(vec2(MENU_BUTTON_WIDTH, TOOLBAR_HEIGHT)),
        );
        let (menu, _) = menu.ui(ui, |ui| {
            show_menu_entries(ui, frame, TOOLBAR_COMMANDS.get(count..).unwrap_or_default());
        });
        set_accessible_label(&menu, StudyPhrase::More.text(frame.lang));
        match (frame.view.analysis, frame.view.video) {
            (Some(progress), _) => analysis::show_progress(ui, frame, progress),
            (None, Some(drawn)) => show_video_progress(ui, frame, drawn),
            (None, None) => show_status(ui, frame),
        }
    });
}

/// Draws the progress of the video that is being written, with a button that cancels it.
fn show_video_progress(ui: &mut Ui, frame: &mut StudyFrame<'_>, drawn: [usize; 2]) {
    let lang = frame.lang;
    let cancel = ui.button(StudyPhrase::Cancel.text(lang));
    set_accessible_label(&cancel, StudyPhrase::CancelVideo.text(lang));
    if cancel.clicked() {
        frame.act(AppAction::CancelVideo);
    }
    analysis::show_progress_bar(ui, frame, drawn, 140.0, StudyPhrase::MakingVideo);
}

/// Draws the name of the record within a width, and the state of the record's file.
fn show_title(ui: &mut Ui, frame: &mut StudyFrame<'_>, width: f32) {
    let lang = frame.lang;
    let name = frame
        .view
        .name
        .unwrap_or_else(|| StudyPhrase::Untitled.text(lang));
    ui.scope(|ui| {
        ui.set_max_width(width);
        ui.add(Label::new(RichText::new(name).font(TextWeight::Bold.at(14.5))).truncate());
    });
    if frame.view.is_unsaved() {
        let sign = ui
            .label(RichText::new("●").color(frame.theme.accent))
            .on_hover_text(StudyPhrase::Unsaved.text(lang));
        set_accessible_text(&sign, StudyPhrase::Unsaved.text(lang));
    }
    match frame.view.file {
        FileState::Unchanged => {}
        FileState::Opening => show_opening_progress(ui, frame),
        FileState::ChangedOnDisk => {
            ui.label(RichText::new(StudyPhrase::NotFollowing.text(lang)).color(frame.theme.blunder));
            if ui
                .button(StudyPhrase::ReadAgain.text(lang))
                .on_hover_text(StudyPhrase::BehindHint.text(lang))
                .clicked()
            {
                frame.act(StudyAction::Reload);
            }
        }
    }
    show_game_list(ui, frame);
    ui.add_space(GROUP_GAP - 4.0);
}

fn tool_text(frame: &StudyFrame<'_>, command: Command) -> &'static str {
    match command {
        Command::Pause if frame.view.analysis.is_some() => StudyPhrase::Analysing.text(frame.lang),
        Command::Pause if frame.view.bar.lead().has_ended && !frame.view.is_paused => {
            shogibar_games::Label::SearchEnded.text(frame.lang)
        }
        Command::Pause if !is_searching(frame) => StudyPhrase::Resting.text(frame.lang),
        Command::Pause => StudyPhrase::Studying.text(frame.lang),
        _ => command_text(command, frame.lang),
    }
}

/// Returns whether an engine searches the position, or will do so once the engine has started.
fn is_searching(frame: &StudyFrame<'_>) -> bool {
    let view = frame.view;
    let is_possible =
        view.history.now().searchable().is_ok() && view.bar.notice.as_ref().is_none_or(|it| !it.is_failure);
    is_possible && !view.is_paused && !view.bar.lead().has_ended && view.analysis.is_none()
}

/// Returns the width that a command takes in the toolbar, with the gap before it.
fn command_width(ui: &Ui, frame: &StudyFrame<'_>, command: Command) -> f32 {
    let font = TextStyle::Button.resolve(ui.style());
    let wide = |text: &str| {
        ui.painter()
            .layout_no_wrap(text.to_owned(), font.clone(), frame.theme.text)
            .size()
            .x
    };
    let text = wide(tool_text(frame, command));
    // The state of the engine changes by itself. The width is that of the widest state, so that nothing moves.
    let states = [
        StudyPhrase::Studying,
        StudyPhrase::Resting,
        StudyPhrase::Analysing,
    ]
    .map(|state| state.text(frame.lang));
    let states = states
        .into_iter()
        .chain([shogibar_games::Label::SearchEnded.text(frame.lang)]);
    let text = if command == Command::Pause {
        states.map(wide).fold(text, f32::max)
    } else {
        text
    };
    let spacing = ui.spacing();
    let more = if command == Command::Pause {
        GROUP_GAP - 4.0 + SIGN_WIDTH
    } else {
        0.0
    };
    text + 2.0 * spacing.button_padding.x + spacing.item_spacing.x + more
}

fn show_tool(ui: &mut Ui, frame: &mut StudyFrame<'_>, command: Command) {
    let text = tool_text(frame, command);
    if command != Command::Pause {
        let button = Button::new(text).min_size(vec2(0.0, TOOLBAR_HEIGHT));
        if ui.add_enabled(frame.view.allows(command), button).clicked() {
            frame.act(StudyAction::Command(command));
        }
        return;
    }
    ui.add_space(GROUP_GAP - 4.0);
    let is_on = is_searching(frame);
    let ink = if is_on {
        frame.theme.on_accent
    } else {
        frame.theme.text
    };
    let width = command_width(ui, frame, command) - GROUP_GAP + 4.0 - ui.spacing().item_spacing.x;
    let button = Button::new(RichText::new(text).color(ink))
        .selected(is_on)
        .min_size(vec2(width, TOOLBAR_HEIGHT));
    let button = if is_on {
        button.fill(frame.theme.accent)
    } else {
        button
    };
    let state = ui.add(button.right_text(""));
    let center = pos2(
        state.rect.right() - ui.spacing().button_padding.x - 4.0,
        state.rect.center().y,
    );
    let sign = Rect::from_center_size(center, Vec2::splat(8.0));
    if is_on {
        ui.painter().rect_filled(sign, CornerRadius::same(1), ink);
    } else {
        let points = vec![sign.left_top(), sign.right_center(), sign.left_bottom()];
        ui.painter().add(Shape::convex_polygon(points, ink, Stroke::NONE));
    }
    if state
        .on_hover_text(command_text(Command::Pause, frame.lang))
        .clicked()
    {
        frame.act(StudyAction::Command(Command::Pause));
    }
}

/// Draws the state of the program, if there is space. It is a newer version, the state of the source, or whether the
/// bar's window is shown.
fn show_status(ui: &mut Ui, frame: &mut StudyFrame<'_>) {
    let StudyStatus {
        is_bar_hidden,
        newer_version: newer,
        source,
        ..
    } = frame.view.status;
    let (words, color) = match newer.or_else(|| source.map(|source| source.sentence)) {
        Some(words) => (words, frame.theme.accent),
        None if is_bar_hidden => (StudyPhrase::BarHidden.text(frame.lang), frame.theme.quiet),
        None => (StudyPhrase::BarShown.text(frame.lang), frame.theme.quiet),
    };
    let room = ui.available_width() - GROUP_GAP - 16.0;
    let mut job = LayoutJob::simple_singleline(words.to_owned(), TextWeight::Regular.at(12.5), color);
    job.wrap = TextWrapping::truncate_at_width(room);
    let galley = ui.painter().layout_job(job);
    let is_cut = galley.elided;
    if room < MIN_STATUS_WIDTH || is_cut && newer.is_none() && source.is_none() {
        return;
    }
    let size = galley.size() + vec2(16.0, 0.0);
    ui.add_space(4.0);
    let (rect, link) = ui.allocate_exact_size(size, Sense::click());
    link.widget_info(|| WidgetInfo::labeled(Role::Link, true, words));
    let dot = pos2(rect.left() + 5.0, rect.center().y);
    if newer.is_some() || is_bar_hidden {
        ui.painter().circle_stroke(dot, 4.0, Stroke::new(1.5, color));
    } else {
        ui.painter()
            .circle_stroke(dot, 4.0, Stroke::new(2.0, frame.theme.accent));
    }
    ui.painter().galley(rect.min + vec2(16.0, 0.0), galley, color);
    if link.has_focus() {
        ui.painter().rect_stroke(
            rect.expand(3.0),
            CornerRadius::same(4),
            Stroke::new(1.5, color),
            StrokeKind::Inside,
        );
    }
    let command = source.map_or(Command::HideBar, |source| source.command);
    let hint = if newer.is_some() || is_cut {
        words
    } else {
        command_text(command, frame.lang)
    };
    if link.on_hover_text(hint).clicked() {
        frame.act(if newer.is_some() {
            StudyAction::ShowNewer
        } else {
            StudyAction::Command(command)
        });
    }
}

/// Draws the menu, with the commands that do not fit into the toolbar. In a low window, the menu scrolls.
fn show_menu_entries(ui: &mut Ui, frame: &mut StudyFrame<'_>, others: &[Command]) {
    let max_height = ui.ctx().content_rect().height() - MIN_ROOM_BELOW_MENU;
    // By default, a popup is lower than the window allows.
    ui.set_max_height(max_height);
    ui.style_mut().wrap_mode = Some(TextWrapMode::Extend);
    // The scroll bar stands beside the key names and does not cover them.
    ui.spacing_mut().scroll.floating_allocated_width = ui.spacing().scroll.bar_width + 2.0;
    ScrollArea::vertical().max_height(max_height).show(ui, |ui| {
        for command in others {
            show_command(ui, frame, *command, true);
        }
        for (nth, group) in MENU_COMMANDS.iter().enumerate() {
            if nth > 0 || !others.is_empty() {
                ui.separator();
            }
            for command in *group {
                if *command == Command::Desk {
                    show_boards_menu(ui, frame);
                    continue;
                }
                // Few positions have marks, and without this row the menu fits into more windows.
                if *command == Command::ClearMarks && !frame.view.allows(*command) {
                    continue;
                }
                show_command(ui, frame, *command, true);
                match command {
                    Command::SaveAs => show_recent_files(ui, frame),
                    Command::Copy => show_copy_formats(ui, frame),
                    Command::CopyPosition => show_pictures_menu(ui, frame),
                    Command::MainLine => show_end_reasons(ui, frame),
                    _ => {}
                }
            }
        }
    });
}

fn show_boards_menu(ui: &mut Ui, frame: &mut StudyFrame<'_>) {
    ui.menu_button(Submenu::Boards.text(frame.lang), |ui| {
        for command in [Command::Desk, Command::BoardPage] {
            show_command(ui, frame, command, true);
        }
    });
}

fn show_pictures_menu(ui: &mut Ui, frame: &mut StudyFrame<'_>) {
    ui.menu_button(StudyPhrase::Pictures.text(frame.lang), |ui| {
        for command in [
            Command::CopyBoard,
            Command::SaveBoard,
            Command::SaveLine,
            Command::SaveVideo,
            Command::SaveGraph,
            Command::CopySummary,
            Command::Report,
        ] {
            show_command(ui, frame, command, true);
        }
    });
}

/// Draws an indeterminate progress bar while a file is being read.
fn show_opening_progress(ui: &mut Ui, frame: &StudyFrame<'_>) {
    let (theme, words) = (frame.theme, StudyPhrase::Opening.text(frame.lang));
    let (rail, response) = ui.allocate_exact_size(vec2(96.0, 6.0), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::ProgressIndicator, true, words));
    #[expect(clippy::cast_possible_truncation, reason = "a position between 0 and 1")]
    let at = (0.5 - 0.5 * (ui.input(|input| input.time) * 3.0).cos()) as f32;
    let part = vec2(30.0, rail.height());
    let left = lerp(rail.left()..=rail.right() - part.x, at);
    ui.painter().rect_filled(rail, CornerRadius::same(3), theme.rail);
    ui.painter().rect_filled(
        Rect::from_min_size(pos2(left, rail.top()), part),
        CornerRadius::same(3),
        theme.accent,
    );
    ui.label(RichText::new(words).color(theme.quiet));
    ui.ctx().request_repaint_after(FRAME_INTERVAL);
}

/// Draws a button for a command, enabled if the command is available. In a menu, the button also shows the shortcut.
pub(super) fn show_command(ui: &mut Ui, frame: &mut StudyFrame<'_>, command: Command, is_in_menu: bool) {
    let button = Button::new(command_text(command, frame.lang)).frame_when_inactive(false);
    let button = if is_in_menu {
        button.shortcut_text(keys::shortcut_text(ui.ctx(), command, frame.view.keys))
    } else {
        button
    };
    if ui.add_enabled(frame.view.allows(command), button).clicked() {
        frame.act(StudyAction::Command(command));
        ui.close();
    }
}

/// Asks whether to recover records left by a run that did not end normally. Discarding needs a second confirmation.
fn show_recovery(
    ui: &mut Ui,
    frame: &mut StudyFrame<'_>,
    confirms_discard: &mut bool,
    count: usize,
    name: Option<&str>,
) {
    let lang = frame.lang;
    let (recover, discard) = match count {
        0 | 1 => (StudyReply::Recover, StudyReply::DiscardRecoverable),
        _ => (StudyReply::RecoverAll, StudyReply::DiscardAllRecoverable),
    };
    if *confirms_discard {
        show_question_text(ui, study_text::confirm_discard(count, lang));
        if ui.button(discard.text(lang)).clicked() {
            frame.act(AppAction::Recover(false));
            *confirms_discard = false;
        }
        *confirms_discard &= !ui.button(StudyPhrase::Cancel.text(lang)).clicked();
        return;
    }
    show_question_text(ui, &shogibar_model::recoverable_records(count, name, lang));
    if ui.button(recover.text(lang)).clicked() {
        frame.act(AppAction::Recover(true));
    }
    *confirms_discard = ui.button(discard.text(lang)).clicked();
}

fn show_question_text(ui: &mut Ui, text: &str) {
    ui.add(Label::new(RichText::new(text).font(TextWeight::Bold.at(14.0))).wrap());
}

fn show_recent_files(ui: &mut Ui, frame: &mut StudyFrame<'_>) {
    let recent = frame.view.recent_files;
    ui.add_enabled_ui(!recent.is_empty(), |ui| {
        ui.menu_button(StudyPhrase::Recent.text(frame.lang), |ui| {
            for path in recent {
                let (name, whole) = (
                    path.file_name().unwrap_or_default().to_string_lossy(),
                    path.to_string_lossy(),
                );
                if ui.button(visible(&name)).on_hover_text(visible(&whole)).clicked() {
                    frame.act(AppAction::OpenFile(path.clone()));
                    ui.close();
                }
            }
        });
    });
}

/// Draws the list of the games of the file or source. Draws nothing if there are none to choose from.
fn show_game_list(ui: &mut Ui, frame: &mut StudyFrame<'_>) {
    let (titles, at) = (frame.view.game_titles, frame.view.current_game);
    if titles.is_empty() {
        return;
    }
    let title = match titles.get(at) {
        Some(_) => format!("{}/{}", at + 1, titles.len()),
        None => SourcePhrase::Choose.text(frame.lang).to_owned(),
    };
    let menu = ui.menu_button(title, |ui| {
        ui.set_min_width(280.0);
        if let Some(chosen) = show_game_titles(ui, titles, at, ScrollArea::vertical().max_height(420.0)) {
            frame.act(AppAction::SelectGame(chosen));
            ui.close();
        }
    });
    set_accessible_label(&menu.response, StudyPhrase::OtherGames.text(frame.lang));
    menu.response
        .on_hover_text(StudyPhrase::OtherGames.text(frame.lang));
}

/// Draws the menu of formats in which the record can be copied. The menu also lists sites that open the game up to the
/// current move.
fn show_copy_formats(ui: &mut Ui, frame: &mut StudyFrame<'_>) {
    ui.menu_button(StudyPhrase::CopyAs.text(frame.lang), |ui| {
        for target in [
            Target::Kifu,
            Target::Ki2u,
            Target::Csa,
            Target::Csa3,
            Target::Jkf,
            Target::Usi,
            Target::Psn,
            Target::Bod,
        ] {
            if ui.button(target.to_string()).clicked() {
                frame.act(StudyAction::CopyAs(target));
                ui.close();
            }
        }
        ui.separator();
        for site in ShareSite::ALL {
            if ui
                .button(study_text::site_address(site.name(), frame.lang))
                .clicked()
            {
                frame.act(StudyAction::CopyAddress(site));
                ui.close();
            }
        }
    });
}

/// Asks whether to save despite the problem that `why` describes.
fn ask_to_save_despite(ui: &mut Ui, frame: &mut StudyFrame<'_>, why: &str, is_new: bool) {
    let lang = frame.lang;
    show_question_text(ui, why);
    let actions = [
        (
            StudyReply::SaveAnyway.text(lang),
            StudyAction::AnswerUnsaved(UnsavedAnswer::Save),
        ),
        (
            command_text(Command::SaveAs, lang),
            StudyAction::Command(Command::SaveAs),
        ),
        (
            StudyPhrase::Cancel.text(lang),
            StudyAction::AnswerUnsaved(UnsavedAnswer::Cancel),
        ),
    ];
    show_answers(ui, frame, actions, UnsavedAnswer::Cancel, is_new);
}

/// Draws the answers to a question in a row. When the question appears, the safe answer gets the focus.
fn show_answers<'a>(
    ui: &mut Ui,
    frame: &mut StudyFrame<'_>,
    answers: impl IntoIterator<Item = (&'a str, StudyAction)>,
    safe: UnsavedAnswer,
    is_new: bool,
) {
    for (text, action) in answers {
        let button = ui.button(text);
        if is_new && action == StudyAction::AnswerUnsaved(safe) {
            button.request_focus();
        }
        if button.clicked() {
            frame.act(action);
        }
    }
}

/// Draws the menu of reasons for ending the line at the current node.
fn show_end_reasons(ui: &mut Ui, frame: &mut StudyFrame<'_>) {
    let lang = frame.lang;
    let now = frame.view.history.now();
    ui.menu_button(StudyPhrase::EndGame.text(lang), |ui| {
        for reason in END_REASONS {
            if ui
                .button(Ending::word(&End::at_position(reason, now), lang))
                .clicked()
            {
                frame.act(DocumentEdit::End(reason));
                ui.close();
            }
        }
    });
}

/// Asks what to do with the unsaved changes of `games` games. If the program is to end, `unsaved_at_quit` is the number
/// of all games that still need an answer.
fn ask_to_save(
    ui: &mut Ui,
    frame: &mut StudyFrame<'_>,
    games: usize,
    unsaved_at_quit: Option<usize>,
    is_new: bool,
) {
    let lang = frame.lang;
    let name = frame
        .view
        .name
        .unwrap_or_else(|| StudyPhrase::Untitled.text(lang));
    show_question_text(
        ui,
        &study_text::save_first(name, games, unsaved_at_quit.is_some(), lang),
    );
    let save = if unsaved_at_quit.is_some() {
        StudyReply::SaveAndQuit
    } else {
        StudyReply::SaveAndContinue
    };
    let all = unsaved_at_quit
        .filter(|all| *all > games)
        .map(|all| study_text::save_none(all, lang));
    let actions = [
        Some((save.text(lang), UnsavedAnswer::Save)),
        Some((StudyReply::Discard.text(lang), UnsavedAnswer::Discard)),
        all.as_deref().map(|text| (text, UnsavedAnswer::DiscardAll)),
        Some((StudyPhrase::Cancel.text(lang), UnsavedAnswer::Cancel)),
    ];
    let actions = actions.into_iter().flatten();
    show_answers(
        ui,
        frame,
        actions.map(|(text, answer)| (text, StudyAction::AnswerUnsaved(answer))),
        UnsavedAnswer::Save,
        is_new,
    );
}

impl StudyView<'_> {
    /// Returns whether the current record has unsaved changes.
    fn is_unsaved(&self) -> bool {
        self.tabs.get(self.current_tab).is_some_and(|tab| tab.is_unsaved)
    }

    /// Returns the next or the previous mistake; `None` if there is none or mistakes are hidden.
    pub(super) fn mistake(&self, forward: bool) -> Option<NodeId> {
        // While evaluations are hidden, mistakes are hidden too.
        if self.bar.is_hidden {
            return None;
        }
        self.insight.next_mistake(self.document, forward)
    }

    /// Returns the preview of the better line at the current mistake after the first move of the line; `None` if there
    /// is no line to show.
    pub(super) fn better_line(&self) -> Option<PvPreview> {
        let mistake = self
            .insight
            .mistake(self.document.record(), self.document.current())?;
        let is_shown = !self.bar.is_hidden && !mistake.better_line.is_empty();
        is_shown.then_some(PvPreview {
            start_node: Some(mistake.node_before),
            moves: mistake.better_line,
            shown_count: 1,
        })
    }

    /// Returns whether a command is available now.
    pub fn allows(&self, command: Command) -> bool {
        let condition = command.condition();
        if let Some(allows) = self.document.allows(condition) {
            return allows;
        }
        match condition {
            CommandCondition::NotAnalysing => self.analysis.is_none(),
            CommandCondition::MistakeBefore => self.mistake(false).is_some(),
            CommandCondition::MistakeAfter => self.mistake(true).is_some(),
            CommandCondition::HasBetterLine => self.better_line().is_some(),
            CommandCondition::SeveralEngines => self.bar.engines.len() > 1,
            CommandCondition::SeveralBars => self.status.bars > 1,
            CommandCondition::ReadsScreen => self.status.source.is_some_and(|source| source.reads_screen),
            // The other conditions depend only on the record, which was checked above.
            CommandCondition::Always
            | CommandCondition::CanUndo
            | CommandCondition::CanRedo
            | CommandCondition::AfterStart
            | CommandCondition::CanReplace
            | CommandCondition::CanPromote
            | CommandCondition::HasMarks => true,
        }
    }
}
