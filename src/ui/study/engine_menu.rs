//! The engine of the page: its name, and a menu that changes the engine, the number of candidates and the limit.

use super::{StudyAction, StudyFrame};
use crate::access::set_accessible_label;
use crate::engine_menu_text::{self as words, EngineMenuPhrase};
use crate::fonts::TextWeight;
use eframe::egui;
use egui::containers::menu::MenuButton;
use egui::{Button, Color32, Label, Rect, RichText, TextStyle, Ui, UiBuilder, vec2};
use shogibar_base::visible::file_name;
use shogibar_config::{Command, command_text};
use shogibar_engine::option_text;
use shogibar_engine::options::Limit;
use shogibar_games::bar::BarNotice;
use shogibar_games::phrase;
use shogibar_model::action::AppAction;
use std::time::Duration;

/// The largest number of candidates that can be chosen.
const MAX_CANDIDATES: u32 = 10;
/// The width of the menu, in points.
const MENU_WIDTH: f32 = 280.0;
/// The largest width of the button, as a fraction of the row.
const MAX_BUTTON_FRACTION: f32 = 0.42;
/// The limits that can be chosen; `None` is the default limit.
const LIMIT_CHOICES: [Option<Limit>; 7] = [
    None,
    Some(Limit::Time(Duration::from_secs(1))),
    Some(Limit::Time(Duration::from_secs(3))),
    Some(Limit::Time(Duration::from_secs(10))),
    Some(Limit::Time(Duration::from_mins(1))),
    Some(Limit::Nodes(100_000)),
    Some(Limit::Nodes(1_000_000)),
];

/// The search settings of one of the user's engines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineSearch {
    /// The name of the engine's profile, or of the built-in engine.
    pub name: String,
    /// The number of candidates; `None` for the default.
    pub multipv: Option<u32>,
    /// The limit of a position; `None` for the default.
    pub limit: Option<Limit>,
}

/// The state of the engines of the page.
#[derive(Clone, Copy, Debug, Default)]
pub struct EngineStatus<'a> {
    /// The search settings of each engine that can be set up.
    pub searches: &'a [EngineSearch],
    /// The engine that the built-in engine replaces at present; `None` if it replaces none.
    pub replaced_engine: Option<&'a str>,
    /// The engines that do not work, by name, and why.
    pub problems: &'a [(String, BarNotice)],
}

/// Draws the name of the engine at the right end of a row, as a button that opens its menu. Returns the left edge of
/// the button.
pub(super) fn show(ui: &mut Ui, frame: &mut StudyFrame<'_>, row: Rect) -> f32 {
    let (theme, lang, view) = (frame.theme, frame.lang, frame.view);
    let shown = match view.engine_status.replaced_engine {
        Some(other) => words::stands_in(&phrase::engine_name(file_name(other), lang), lang),
        None => phrase::engine_name(file_name(view.engine), lang),
    };
    let color = if view.engine_status.replaced_engine.is_some() {
        theme.blunder
    } else {
        theme.text
    };
    let text = format!("{shown} ▼");
    let wide = ui
        .painter()
        .layout_no_wrap(text.clone(), TextWeight::Regular.at(12.5), Color32::PLACEHOLDER)
        .size()
        .x;
    let width = (wide + 14.0).min(row.width() * MAX_BUTTON_FRACTION);
    let rect = row.with_min_x(row.right() - width);
    ui.scope_builder(UiBuilder::new().max_rect(rect).id_salt("engine menu"), |ui| {
        ui.spacing_mut().button_padding = vec2(6.0, 1.0);
        let text = RichText::new(&text).size(12.5).color(color);
        let button = Button::new(text)
            .frame_when_inactive(false)
            .truncate()
            .min_size(vec2(0.0, row.height() - 3.0));
        let (button, _) = MenuButton::from_button(button).ui(ui, |ui| show_menu(ui, frame));
        set_accessible_label(
            &button,
            &format!("{}: {shown}", EngineMenuPhrase::Engine.text(lang)),
        );
    });
    rect.left()
}

fn show_menu(ui: &mut Ui, frame: &mut StudyFrame<'_>) {
    let (lang, view) = (frame.lang, frame.view);
    ui.set_max_width(MENU_WIDTH);
    show_problems(ui, frame);
    let is_listed = view.engines.iter().any(|engine| engine == view.engine);
    let current = [view.engine.to_owned()];
    let others = if is_listed || view.engine.is_empty() {
        &[][..]
    } else {
        &current
    };
    for engine in view.engines.iter().chain(others) {
        let is_current = engine == view.engine && view.engine_status.replaced_engine.is_none();
        if ui.radio(is_current, phrase::engine_name(engine, lang)).clicked() {
            frame.act(AppAction::ReplaceEngine(engine.clone()));
            ui.close();
        }
    }
    ui.separator();
    let search = view
        .engine_status
        .searches
        .iter()
        .find(|search| search.name == view.engine);
    if let Some(search) = search {
        show_candidate_counts(ui, frame, search);
        show_limits(ui, frame, search);
    } else {
        ui.add(Label::new(RichText::new(EngineMenuPhrase::NotAdded.text(lang)).weak()).wrap());
    }
    ui.separator();
    if ui.button(command_text(Command::Engines, lang)).clicked() {
        frame.act(StudyAction::Command(Command::Engines));
        ui.close();
    }
}

/// Draws the engines that do not work, with the last lines that they printed.
fn show_problems(ui: &mut Ui, frame: &StudyFrame<'_>) {
    for (engine, problem) in frame.view.engine_status.problems {
        let heading = if engine.is_empty() {
            String::new()
        } else {
            phrase::engine_name(engine, frame.lang)
        };
        ui.add(Label::new(RichText::new(heading).font(TextWeight::Bold.at(13.0))).wrap());
        ui.add(Label::new(RichText::new(problem.full()).color(frame.theme.blunder)).wrap());
        for line in &problem.details {
            ui.add(
                Label::new(
                    RichText::new(line)
                        .text_style(TextStyle::Small)
                        .color(frame.theme.quiet),
                )
                .wrap(),
            );
        }
        ui.separator();
    }
}

fn show_candidate_counts(ui: &mut Ui, frame: &mut StudyFrame<'_>, search: &EngineSearch) {
    ui.label(EngineMenuPhrase::Candidates.text(frame.lang));
    let current = search
        .multipv
        .or_else(|| u32::try_from(frame.view.bar.lead().multipv).ok());
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        for count in 1..=MAX_CANDIDATES {
            let choice = ui.selectable_label(current == Some(count), count.to_string());
            set_accessible_label(
                &choice,
                &format!("{} {count}", EngineMenuPhrase::Candidates.text(frame.lang)),
            );
            if choice.clicked() {
                set_search(
                    frame,
                    EngineSearch {
                        multipv: Some(count),
                        ..search.clone()
                    },
                );
                ui.close();
            }
        }
    });
}

fn show_limits(ui: &mut Ui, frame: &mut StudyFrame<'_>, search: &EngineSearch) {
    ui.label(EngineMenuPhrase::Limit.text(frame.lang));
    let other_limit = Some(search.limit).filter(|limit| !LIMIT_CHOICES.contains(limit));
    for limit in LIMIT_CHOICES.into_iter().chain(other_limit) {
        if ui
            .radio(search.limit == limit, option_text::limit(limit, frame.lang))
            .clicked()
        {
            set_search(
                frame,
                EngineSearch {
                    limit,
                    ..search.clone()
                },
            );
            ui.close();
        }
    }
}

fn set_search(frame: &mut StudyFrame<'_>, search: EngineSearch) {
    frame.act(StudyAction::SetSearch(Box::new(search)));
}
