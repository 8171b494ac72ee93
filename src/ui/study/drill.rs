//! The deck of the user's mistakes: the cards that are due today, and the search for more mistakes.

use super::{StudyAction, StudyFrame};
use crate::access::set_accessible_label;
use crate::fonts::TextWeight;
use crate::guess_text::{self as words, GuessPhrase};
use eframe::egui;
use egui::{Button, Label, RichText, TextEdit, Ui, vec2};
use shogibar_base::CauseText;
use shogibar_games::study::{DrillCard, DrillDeck, DrillOutcome, Mistake, drill_cards};
use shogibar_model::action::{AppAction, DrillAction};
use std::path::{Path, PathBuf};

const MAX_PASS_QUESTIONS: usize = 50;
/// The width of the field for a player's name, in points.
const NAME_FIELD_WIDTH: f32 = 220.0;
/// The width of the field for a folder, in points.
const FOLDER_FIELD_WIDTH: f32 = 300.0;

/// The data of the deck that the page shows.
#[derive(Clone, Copy, Debug)]
pub struct DrillView<'a> {
    /// The deck with its cards.
    pub deck: &'a DrillDeck,
    /// The day, in days since 1970.
    pub today: u32,
    /// While a folder is searched for mistakes: the number of files read, and of all files.
    pub collected_files: Option<[usize; 2]>,
    /// The result of the last search for mistakes; `None` before the first one.
    pub outcome: Option<DrillOutcome>,
    /// The reason why the deck cannot be read or written; `None` if there is no problem.
    pub problem: Option<&'a CauseText>,
}

/// The text fields of the deck: the name of a player and the record folder.
#[derive(Debug, Default)]
pub(super) struct DrillForm {
    name: String,
    folder: String,
}

impl DrillForm {
    pub(super) fn set_folder(&mut self, folder: &Path) {
        self.folder = folder.display().to_string();
    }

    /// Draws the deck. If `takes_focus`, the button that starts the due cards gets the keyboard focus. Returns the
    /// cards when the user starts them.
    pub(super) fn show(
        &mut self,
        ui: &mut Ui,
        frame: &mut StudyFrame<'_>,
        takes_focus: bool,
    ) -> Option<Vec<(DrillCard, Mistake)>> {
        let (theme, lang, drill) = (frame.theme, frame.lang, frame.view.drill);
        let quiet = |text: String| Label::new(RichText::new(text).color(theme.quiet)).wrap();
        ui.label(RichText::new(GuessPhrase::Deck.text(lang)).font(TextWeight::Bold.at(15.0)));
        ui.add(quiet(GuessPhrase::DeckAbout.text(lang).to_owned()));
        let due = drill.deck.due_cards(drill.today);
        let mut chosen = None;
        if !drill.deck.is_empty() {
            ui.label(words::deck(drill.deck.len(), drill.deck.learned_count(), lang));
            let text = RichText::new(words::today(due.len(), MAX_PASS_QUESTIONS, lang)).size(15.0);
            let button = ui.add_enabled(!due.is_empty(), Button::new(text).min_size(vec2(110.0, 36.0)));
            if takes_focus && !due.is_empty() {
                button.request_focus();
            }
            if button.clicked() {
                let cards = due
                    .into_iter()
                    .filter_map(|card| Some((card.clone(), card.mistake()?.0)));
                chosen = Some(cards.take(MAX_PASS_QUESTIONS).collect());
            }
        }
        self.show_fields(ui, frame);
        let status = match (drill.problem, drill.collected_files, drill.outcome) {
            (Some(problem), ..) => return show_problem(ui, frame, problem, chosen),
            (None, Some([done, all]), _) => words::collecting(done, all, lang),
            (None, None, Some(DrillOutcome::NoFolder)) => GuessPhrase::NoFolder.text(lang).to_owned(),
            (None, None, Some(DrillOutcome::Added(0))) => GuessPhrase::NothingAdded.text(lang).to_owned(),
            (None, None, Some(DrillOutcome::Added(count))) => words::added(count, lang),
            (None, None, None) => return chosen,
        };
        ui.add(quiet(status));
        chosen
    }

    /// Draws the fields that add mistakes.
    fn show_fields(&mut self, ui: &mut Ui, frame: &mut StudyFrame<'_>) {
        let (lang, view) = (frame.lang, frame.view);
        ui.horizontal_wrapped(|ui| {
            ui.label(GuessPhrase::Player.text(lang));
            let field = TextEdit::singleline(&mut self.name).hint_text(GuessPhrase::PlayerHint.text(lang));
            set_accessible_label(
                &ui.add(field.desired_width(NAME_FIELD_WIDTH)),
                GuessPhrase::Player.text(lang),
            );
        });
        let player = self.name.trim();
        ui.horizontal_wrapped(|ui| {
            ui.label(GuessPhrase::Folder.text(lang));
            let field = TextEdit::singleline(&mut self.folder).hint_text(GuessPhrase::FolderHint.text(lang));
            set_accessible_label(
                &ui.add(field.desired_width(FOLDER_FIELD_WIDTH)),
                GuessPhrase::Folder.text(lang),
            );
            if ui.button(GuessPhrase::ChooseFolder.text(lang)).clicked() {
                frame.act(StudyAction::ChooseMistakeFolder);
            }
        });
        ui.horizontal_wrapped(|ui| {
            let is_free = view.drill.collected_files.is_none();
            if ui
                .add_enabled(
                    is_free && !view.bar.is_hidden,
                    Button::new(GuessPhrase::AddGame.text(lang)),
                )
                .clicked()
            {
                let cards = drill_cards(view.document, view.insight, player);
                frame.act(AppAction::Drill(DrillAction::Add(cards)));
            }
            let folder = self.folder.trim();
            let collect = Button::new(GuessPhrase::AddFolder.text(lang));
            if ui.add_enabled(is_free && !folder.is_empty(), collect).clicked() {
                frame.act(AppAction::Drill(DrillAction::Collect {
                    folder: PathBuf::from(folder),
                    player_name: player.to_owned(),
                }));
            }
        });
    }
}

/// Draws the reason why the deck cannot be read or written, and returns `chosen`.
fn show_problem<T>(ui: &mut Ui, frame: &StudyFrame<'_>, problem: &CauseText, chosen: T) -> T {
    let text = words::deck_problem(problem.text(frame.lang), frame.lang);
    ui.add(Label::new(RichText::new(text).color(frame.theme.blunder)).wrap());
    chosen
}
