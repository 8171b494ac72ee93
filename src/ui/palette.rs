//! The command palette: a field and a list, in which commands, themes, settings, games, engines and files are found.

use crate::PaintTheme;
use crate::access::set_accessible_label;
use crate::dialog::DialogStatus;
use crate::study_text::StudyPhrase;
use crate::theme::dialog_frame;
use eframe::egui;
use egui::{
    Button, Color32, Id, Key, Label, Memory, Modal, Modifiers, Response, RichText, ScrollArea, TextEdit, Ui,
    Vec2, vec2,
};
use shogibar_base::Lang;
use shogibar_config::find::{Findable, NameSearch};
use shogibar_config::settings_text::SettingItem;
use shogibar_config::{Command, Layout, OverlayPreset, command_text};
use shogibar_model::ids::GameId;
use std::path::PathBuf;

/// The maximum size of the palette, in points.
pub const MAX_PALETTE_SIZE: Vec2 = vec2(460.0, 380.0);
/// The height of a row, in points.
const ROW_HEIGHT: f32 = 24.0;

/// The action of a palette row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PaletteChoice {
    /// Run a command.
    Command(Command),
    /// Choose a layout of the bar.
    Layout(Layout),
    /// Choose which parts of the bar are shown.
    Preset(OverlayPreset),
    /// Choose a theme, by its name.
    Theme(String),
    /// Open the settings page at a setting.
    Setting(SettingItem),
    /// Show a game.
    Game(GameId),
    /// Let an engine search, by its name.
    Engine(String),
    /// Open a file.
    File(PathBuf),
}

/// Shows the palette over a page. Returns the state of the palette, with the user's choice.
pub fn show_over(
    ui: &Ui,
    palette: &mut Palette,
    theme: &PaintTheme,
    lang: Lang,
) -> DialogStatus<PaletteChoice> {
    let modal = Modal::new(Id::unique("commands"))
        .frame(dialog_frame(theme))
        .backdrop_color(Color32::TRANSPARENT);
    let size = MAX_PALETTE_SIZE.min(ui.ctx().content_rect().size() - vec2(60.0, 120.0));
    let shown = modal.show(ui.ctx(), |ui| {
        ui.set_min_size(size);
        ui.set_max_size(size);
        palette.show(ui, theme, lang)
    });
    set_accessible_label(&shown.response, command_text(Command::Palette, lang));
    let closes = shown.should_close();
    match shown.inner {
        Some(choice) => DialogStatus::Done(choice),
        None if closes => {
            ui.memory_mut(Memory::stop_text_input);
            DialogStatus::Closed
        }
        None => DialogStatus::Open,
    }
}

/// A row of the command palette.
#[derive(Clone, Debug)]
pub struct PaletteRow {
    /// The action of the row.
    pub choice: PaletteChoice,
    /// The text of the row.
    pub text: String,
    /// The texts by which a search finds the row.
    pub search_texts: Findable,
    /// The keys that have the same effect as the row; empty if there are none.
    pub keys: String,
    /// Whether the row can be chosen now.
    pub is_possible: bool,
}

/// The open command palette: its rows and its search.
#[derive(Debug)]
pub struct Palette {
    rows: Vec<PaletteRow>,
    /// The indices of the rows that are listed, the closest first.
    listed_rows: Vec<usize>,
    /// The search text.
    search: String,
    /// The index of the selected row among those listed.
    selected_index: usize,
    /// Whether the selected row has to be scrolled to.
    has_moved: bool,
    /// Whether the palette has not been drawn yet.
    is_new: bool,
}

impl Palette {
    /// Creates the palette with these rows, all of them listed.
    pub fn new(rows: Vec<PaletteRow>) -> Self {
        let mut palette = Self {
            rows,
            listed_rows: Vec::new(),
            search: String::new(),
            selected_index: 0,
            has_moved: false,
            is_new: true,
        };
        palette.update_list();
        palette
    }

    /// Returns the rows that are listed, the closest first.
    pub fn listed(&self) -> impl Iterator<Item = &PaletteRow> {
        self.listed_rows.iter().filter_map(|row| self.rows.get(*row))
    }

    /// Sets the search text.
    pub fn set_search(&mut self, search: &str) {
        search.clone_into(&mut self.search);
        self.update_list();
    }

    /// Lists the rows that match the search, the closest first.
    fn update_list(&mut self) {
        let search = NameSearch::new(&self.search);
        let distance =
            |(index, row): (usize, &PaletteRow)| Some((row.search_texts.distance(&search)?, index));
        let mut found: Vec<_> = self.rows.iter().enumerate().filter_map(distance).collect();
        found.sort_unstable();
        self.listed_rows = found.into_iter().map(|(_, index)| index).collect();
        (self.selected_index, self.has_moved) = (0, true);
    }

    /// Shows the field and the list in all of `ui`. Returns the choice of the user.
    pub fn show(&mut self, ui: &mut Ui, theme: &PaintTheme, lang: Lang) -> Option<PaletteChoice> {
        let field = self.show_field(ui, lang);
        self.selected_index = self.selected_index.min(self.listed_rows.len().saturating_sub(1));
        let is_entered =
            field.has_focus() && ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Enter));
        let selected = self.listed().nth(self.selected_index);
        let mut chosen = selected
            .filter(|row| is_entered && row.is_possible)
            .map(|row| row.choice.clone());
        if self.listed_rows.is_empty() {
            ui.add(Label::new(
                RichText::new(StudyPhrase::NoCommand.text(lang)).color(theme.quiet),
            ));
        }
        let scrolls_to = std::mem::take(&mut self.has_moved).then_some(self.selected_index);
        ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
            for (nth, row) in self.listed().enumerate() {
                let button = Button::selectable(nth == self.selected_index, row.text.as_str())
                    .shortcut_text(row.keys.as_str())
                    .truncate()
                    .min_size(vec2(ui.available_width(), ROW_HEIGHT));
                let shown = ui.add_enabled(row.is_possible, button);
                if scrolls_to == Some(nth) {
                    shown.scroll_to_me(None);
                }
                if shown.clicked() {
                    chosen = Some(row.choice.clone());
                }
            }
        });
        if chosen.is_some() {
            ui.memory_mut(Memory::stop_text_input);
        }
        chosen
    }

    /// Shows the field, and moves the selection by the arrow keys. Returns the response of the field.
    fn show_field(&mut self, ui: &mut Ui, lang: Lang) -> Response {
        let (up, down) = ui.input_mut(|input| {
            let mut presses = |key| input.count_and_consume_key(Modifiers::NONE, key);
            (presses(Key::ArrowUp), presses(Key::ArrowDown))
        });
        self.has_moved |= up != down;
        self.selected_index = self.selected_index.saturating_add(down).saturating_sub(up);
        let hint = StudyPhrase::FindCommand.text(lang);
        // The field does not take Enter: the list handles it after the text that was typed in the same frame.
        let field = TextEdit::singleline(&mut self.search)
            .hint_text(hint)
            .return_key(None);
        let field = ui.add(field.desired_width(f32::INFINITY));
        set_accessible_label(&field, hint);
        if field.changed() {
            self.update_list();
        }
        if std::mem::take(&mut self.is_new) {
            field.request_focus();
        }
        field
    }
}

#[cfg(test)]
mod tests;
