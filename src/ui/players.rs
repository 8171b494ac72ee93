//! The form for the headers of the current record: players, handicap, event, place and date.

use crate::PaintTheme;
use crate::access::set_accessible_label;
use crate::dialog::DialogStatus;
use crate::fonts::TextWeight;
use crate::study_text::{EntryPhrase, StudyPhrase};
use eframe::egui;
use egui::{ComboBox, Key, Label as Text, Response, RichText, ScrollArea, TextEdit, Ui};
use shogibar_base::Lang;
use shogibar_base::visible::short;
use shogibar_games::Label;
use shogibar_games::phrase::handicap;
use shogibar_games::study::{Document, DocumentEdit};
use shogibar_kifu::Record;
use shogibar_shogi::{Color, Position};
use std::sync::Arc;

/// The maximum width of a field, in points.
const MAX_FIELD_WIDTH: f32 = 240.0;
/// The height of the dialog without the fields, in points.
const FIXED_HEIGHT: f32 = 130.0;
/// The maximum number of characters of a value that can be edited.
const MAX_ENTRY_CHARS: usize = 1_000;
/// The key under which records of other programs have the date.
const OTHER_DATE_KEY: &str = "対局日";
/// The headers that can be edited besides the players, by key.
const DETAIL_HEADERS: [(&str, EntryPhrase); 3] = [
    ("棋戦", EntryPhrase::Event),
    ("場所", EntryPhrase::Place),
    ("開始日時", EntryPhrase::Date),
];

/// The form for the players, the start position and the details of a record.
#[derive(Debug)]
pub struct PlayersForm {
    record: Arc<Record>,
    /// The first revision of the record, which identifies the record.
    first_revision: u64,
    can_change_start: bool,
    /// The names of the players as typed, Black's first.
    names: [String; 2],
    /// The values of [`DETAIL_HEADERS`] as typed.
    details: [String; DETAIL_HEADERS.len()],
    /// The start position that the user has chosen, with its name; `None` keeps that of the record.
    start: Option<(&'static str, Position)>,
    /// Whether the form has not been drawn yet. The first field then gets the focus.
    is_new: bool,
}

impl PlayersForm {
    /// Creates the form of a record.
    pub fn new(document: &Document) -> Self {
        let names = [Color::Black, Color::White]
            .map(|color| document.record().player(color).unwrap_or_default().to_owned());
        let record = document.record();
        Self {
            record: document.shared_record(),
            first_revision: document.first_revision(),
            can_change_start: document.can_change_start(),
            names,
            details: DETAIL_HEADERS
                .map(|(key, _)| record.header(key_in(record, key)).unwrap_or_default().to_owned()),
            start: None,
            is_new: true,
        }
    }

    /// Draws the form. `revision` is the first revision of the current record. If the form was opened for another
    /// record, it closes.
    pub fn show(
        &mut self,
        ui: &mut Ui,
        revision: u64,
        theme: &PaintTheme,
        lang: Lang,
    ) -> DialogStatus<DocumentEdit> {
        if self.first_revision != revision {
            return DialogStatus::Closed;
        }
        let (mut is_done, mut is_cancelled) = (false, false);
        let width = ui.available_width().min(MAX_FIELD_WIDTH);
        ui.set_max_width(width);
        let height = (ui.ctx().content_rect().height() - FIXED_HEIGHT).max(60.0);
        let area = ScrollArea::vertical().max_height(height);
        is_done |= area.show(ui, |ui| self.show_fields(ui, theme, lang, width)).inner;
        ui.add_space(8.0);
        ui.horizontal(|ui| {
            let enter = RichText::new(EntryPhrase::Enter.text(lang)).font(TextWeight::Bold.at(14.0));
            is_done |= ui.button(enter).clicked();
            is_cancelled |= ui.button(StudyPhrase::Cancel.text(lang)).clicked();
        });
        if is_done {
            let start = self.start.take().map(|(_, start)| Box::new(start));
            let others = DETAIL_HEADERS.iter().zip(&mut self.details);
            let others = others
                .map(|((key, _), value)| (key_in(&self.record, key), std::mem::take(value)))
                .collect();
            return DialogStatus::Done(DocumentEdit::SetHeaders {
                names: std::mem::take(&mut self.names),
                others,
                start,
            });
        }
        if is_cancelled {
            DialogStatus::Closed
        } else {
            DialogStatus::Open
        }
    }
}

/// Returns the key under which a record stores a header. Only a date may have another key.
fn key_in(record: &Record, key: &'static str) -> &'static str {
    let has = |key| record.header(key).is_some();
    if key == "開始日時" && !has(key) && has(OTHER_DATE_KEY) {
        OTHER_DATE_KEY
    } else {
        key
    }
}

/// Draws a field of one line. A value of more than [`MAX_ENTRY_CHARS`] is shown cut off and cannot be edited.
fn show_entry(ui: &mut Ui, value: &mut String, style: impl FnOnce(TextEdit<'_>) -> TextEdit<'_>) -> Response {
    if value.chars().nth(MAX_ENTRY_CHARS).is_none() {
        return ui.add(style(TextEdit::singleline(value).char_limit(MAX_ENTRY_CHARS)));
    }
    let mut shown = short(value).into_owned();
    ui.add_enabled(false, style(TextEdit::singleline(&mut shown)))
}

impl PlayersForm {
    /// Draws the fields. Returns whether Enter was pressed in a field that completes the form.
    fn show_fields(&mut self, ui: &mut Ui, theme: &PaintTheme, lang: Lang, width: f32) -> bool {
        let record = Arc::clone(&self.record);
        let current = shogibar_kifu::handicaps()
            .find(|name| shogibar_kifu::handicap(name).as_ref() == Some(record.start()));
        let chosen = self.start.as_ref().map(|(name, _)| *name).or(current);
        let is_handicap = match &self.start {
            Some((name, _)) => Some(*name) != shogibar_kifu::handicaps().next(),
            None => record.is_handicap(),
        };
        let titles = Label::sides(is_handicap).map(|label| label.text(lang));
        let is_new = std::mem::take(&mut self.is_new);
        let (mut is_done, mut moves_focus) = (false, false);
        let fields = titles.into_iter().zip(&mut self.names).enumerate();
        for (nth, (title, value)) in fields {
            ui.label(RichText::new(title).color(theme.quiet));
            let hint = EntryPhrase::PlayerHint.text(lang);
            let field = show_entry(ui, value, |field| {
                field
                    .id_salt(("player", nth))
                    .desired_width(width)
                    .hint_text(hint)
            });
            set_accessible_label(&field, title);
            let is_entered = field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
            // Enter moves the focus from the first field to the second.
            if std::mem::replace(&mut moves_focus, is_entered && nth == 0) || is_new && nth == 0 {
                field.request_focus();
            }
            is_done |= is_entered && nth > 0;
        }
        let phrase = StudyPhrase::Handicap.text(lang);
        ui.label(RichText::new(phrase).color(theme.quiet));
        let can_choose = self.can_change_start;
        let shown = chosen.map_or_else(
            || EntryPhrase::OtherStart.text(lang).to_owned(),
            |name| handicap(name, lang),
        );
        let choice = ui.add_enabled_ui(can_choose, |ui| {
            let choice = ComboBox::from_id_salt("handicap")
                .width(width)
                .selected_text(shown);
            choice
                .show_ui(ui, |ui| self.show_handicaps(ui, chosen, lang))
                .response
        });
        set_accessible_label(&choice.inner, phrase);
        if !can_choose {
            let why = RichText::new(EntryPhrase::HandicapFixed.text(lang))
                .size(12.5)
                .color(theme.quiet);
            ui.add(Text::new(why).wrap());
        }
        is_done | self.show_details(ui, theme, lang, width)
    }

    /// Draws the fields of the other headers. Returns whether Enter was pressed in one.
    fn show_details(&mut self, ui: &mut Ui, theme: &PaintTheme, lang: Lang, width: f32) -> bool {
        let mut is_done = false;
        for ((key, phrase), value) in DETAIL_HEADERS.into_iter().zip(&mut self.details) {
            let title = phrase.text(lang);
            ui.label(RichText::new(title).color(theme.quiet));
            let field = show_entry(ui, value, |field| field.id_salt(key).desired_width(width));
            set_accessible_label(&field, title);
            is_done |= field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
        }
        is_done
    }

    fn show_handicaps(&mut self, ui: &mut Ui, chosen: Option<&str>, lang: Lang) {
        for one in shogibar_kifu::handicaps() {
            if ui
                .selectable_label(chosen == Some(one), handicap(one, lang))
                .clicked()
            {
                self.start = shogibar_kifu::handicap(one).map(|start| (one, start));
            }
        }
    }
}
