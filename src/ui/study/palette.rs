//! The command palette: a panel in which a command is searched and run.

use super::{StudyAction, StudyFrame, keys};
use crate::access::name;
use crate::config::{Command, CommandContext};
use crate::text::study::StudyPhrase;
use crate::text::{command_matches, command_text};
use eframe::egui;
use egui::{
    Button, Color32, Id, Key, Label, Memory, Modal, Modifiers, Response, RichText, ScrollArea, TextEdit, Ui, vec2,
};

/// The largest size of the list, and the height of a row, in points.
const WIDTH: f32 = 420.0;
const HEIGHT: f32 = 320.0;
const ROW: f32 = 24.0;

/// The palette; `None` while it is closed.
#[derive(Debug, Default)]
pub(super) struct CommandPalette(Option<CommandSearch>);

/// The state of an open palette.
#[derive(Debug, Default)]
struct CommandSearch {
    text: String,
    /// The index of the selected row.
    selected: usize,
    /// Whether the selected row has to be scrolled to.
    has_moved: bool,
    /// Whether it has not been drawn yet.
    is_new: bool,
}

impl CommandPalette {
    pub(super) fn open(&mut self) {
        self.0 = Some(CommandSearch { is_new: true, ..CommandSearch::default() });
    }

    pub(super) const fn is_open(&self) -> bool {
        self.0.is_some()
    }

    pub(super) fn show(&mut self, ui: &Ui, frame: &mut StudyFrame<'_>) {
        let Some(search) = &mut self.0 else { return };
        let modal = Modal::new(Id::unique("commands")).frame(frame.dialog_frame()).backdrop_color(Color32::TRANSPARENT);
        let panel = modal.show(ui.ctx(), |ui| search.show(ui, frame));
        name(&panel.response, command_text(Command::Palette, frame.lang));
        let chosen = panel.inner;
        if chosen.is_none() && !panel.should_close() {
            return;
        }
        ui.memory_mut(Memory::stop_text_input);
        self.0 = None;
        if let Some(command) = chosen {
            frame.act(StudyAction::Command(command));
        }
    }
}

impl CommandSearch {
    /// Draws the field and the list. Returns the command to run.
    fn show(&mut self, ui: &mut Ui, frame: &StudyFrame<'_>) -> Option<Command> {
        let room = ui.ctx().content_rect().size() - vec2(60.0, 120.0);
        ui.set_width(WIDTH.min(room.x));
        let field = self.field(ui, frame);
        let is_listed = |command: &Command| *command != Command::Palette && command_matches(*command, &self.text);
        let commands: Vec<_> = Command::all_in(CommandContext::Page).filter(is_listed).collect();
        self.selected = self.selected.min(commands.len().saturating_sub(1));
        let enters = field.has_focus() && ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Enter));
        let mut chosen = commands.get(self.selected).copied().filter(|command| enters && frame.view.allows(*command));
        let list = ScrollArea::vertical().max_height(HEIGHT.min(room.y)).auto_shrink(false);
        list.show(ui, |ui| {
            if commands.is_empty() {
                ui.add(Label::new(RichText::new(StudyPhrase::NoCommand.text(frame.lang)).color(frame.theme.quiet)));
            }
            for (nth, command) in commands.into_iter().enumerate() {
                let is_selected = nth == self.selected;
                let button = Button::selectable(is_selected, command_text(command, frame.lang))
                    .shortcut_text(keys::all(ui.ctx(), command, frame.view.keys))
                    .min_size(vec2(ui.available_width(), ROW));
                let row = ui.add_enabled(frame.view.allows(command), button);
                if is_selected && std::mem::take(&mut self.has_moved) {
                    row.scroll_to_me(None);
                }
                if row.clicked() {
                    chosen = Some(command);
                }
            }
        });
        chosen
    }

    /// Draws the field, and moves the selection.
    fn field(&mut self, ui: &mut Ui, frame: &StudyFrame<'_>) -> Response {
        let (up, down) = ui.input_mut(|input| {
            let mut presses = |key| input.count_and_consume_key(Modifiers::NONE, key);
            (presses(Key::ArrowUp), presses(Key::ArrowDown))
        });
        self.has_moved |= up != down;
        self.selected = self.selected.saturating_add(down).saturating_sub(up);
        let hint = StudyPhrase::FindCommand.text(frame.lang);
        // Enter is left to the list: the text of the same frame comes first.
        let field = TextEdit::singleline(&mut self.text).hint_text(hint).return_key(None).desired_width(f32::INFINITY);
        let field = ui.add(field);
        name(&field, hint);
        if field.changed() {
            (self.selected, self.has_moved) = (0, true);
        }
        if std::mem::take(&mut self.is_new) {
            field.request_focus();
        }
        field
    }
}
