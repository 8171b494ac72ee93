//! The keys of the page.

use super::{Sheet, StudyAction};
use crate::text::study::Deed;
use eframe::egui;
use egui::{Context, Event, Grid, Key, KeyboardShortcut, Modifiers, ScrollArea, Ui};

const fn key(key: Key) -> KeyboardShortcut {
    KeyboardShortcut::new(Modifiers::NONE, key)
}

const fn shift(key: Key) -> KeyboardShortcut {
    KeyboardShortcut::new(Modifiers::SHIFT, key)
}

const fn ctrl(key: Key) -> KeyboardShortcut {
    KeyboardShortcut::new(Modifiers::COMMAND, key)
}

const fn ctrl_shift(key: Key) -> KeyboardShortcut {
    KeyboardShortcut::new(Modifiers { shift: true, ..Modifiers::COMMAND }, key)
}

/// The keys for a deed: those that users of `ShogiHome` and `ShogiGUI` know.
fn of(deed: Deed) -> Vec<KeyboardShortcut> {
    match deed {
        Deed::Back => vec![key(Key::ArrowUp), key(Key::ArrowLeft)],
        Deed::Forward => vec![key(Key::ArrowDown), key(Key::ArrowRight)],
        Deed::TenBack => vec![key(Key::PageUp)],
        Deed::TenForward => vec![key(Key::PageDown)],
        Deed::First => vec![key(Key::Home)],
        Deed::Last => vec![key(Key::End)],
        Deed::BranchBack => vec![ctrl(Key::ArrowUp)],
        Deed::BranchForward => vec![ctrl(Key::ArrowDown)],
        Deed::Above => vec![shift(Key::ArrowUp)],
        Deed::Below => vec![shift(Key::ArrowDown)],
        Deed::New => vec![ctrl(Key::N)],
        Deed::Open => vec![ctrl(Key::O)],
        Deed::Save => vec![ctrl(Key::S)],
        Deed::SaveAs => vec![ctrl_shift(Key::S)],
        Deed::Paste => vec![ctrl(Key::V)],
        Deed::Copy => vec![ctrl(Key::C)],
        Deed::CopyPosition => vec![ctrl(Key::B)],
        Deed::CopyBoard => vec![ctrl_shift(Key::E)],
        Deed::CopySummary => vec![ctrl_shift(Key::C)],
        Deed::Report => vec![ctrl_shift(Key::R)],
        Deed::Undo => vec![ctrl(Key::Z)],
        Deed::Redo => vec![ctrl(Key::Y), ctrl_shift(Key::Z)],
        Deed::Delete => vec![ctrl(Key::D), key(Key::Delete)],
        Deed::Promote => vec![ctrl(Key::U)],
        Deed::MainLine => vec![ctrl_shift(Key::U)],
        Deed::SetUp => vec![ctrl(Key::E)],
        Deed::Flip => vec![ctrl(Key::T)],
        Deed::Small => vec![ctrl(Key::M)],
        Deed::Pause => vec![ctrl(Key::R), key(Key::Space)],
        Deed::Analyse => vec![ctrl(Key::A)],
        Deed::Hide => vec![key(Key::H)],
        Deed::Engines => vec![key(Key::N)],
        Deed::Settings => vec![ctrl(Key::Comma)],
        Deed::Keys => vec![key(Key::F1), key(Key::Questionmark)],
    }
}

/// The keys for a deed as they are written on buttons; empty where there is none.
pub(super) fn text(ctx: &Context, deed: Deed) -> String {
    of(deed).first().map(|shortcut| ctx.format_shortcut(shortcut)).unwrap_or_default()
}

/// What is asked for by keys. While a text is typed they are letters.
pub(super) fn pressed(ui: &Ui, sheet: &mut Sheet<'_>) {
    if ui.ctx().egui_wants_keyboard_input() {
        return;
    }
    let pasted = ui.input(|input| {
        let text = |event: &Event| if let Event::Paste(text) = event { Some(text.clone()) } else { None };
        let copies = input.events.iter().any(|event| matches!(event, Event::Copy));
        (input.events.iter().find_map(text), copies)
    });
    if let Some(text) = pasted.0 {
        sheet.act(StudyAction::Paste(text));
    }
    if pasted.1 {
        sheet.act(StudyAction::Do(Deed::Copy));
    }
    if !ui.input(|input| input.events.iter().any(|event| matches!(event, Event::Key { pressed: true, .. }))) {
        return;
    }
    // The most keys first: Ctrl+S would take Ctrl+Shift+S.
    let mut all: Vec<_> =
        Deed::ALL.iter().flat_map(|deed| of(*deed).into_iter().map(move |shortcut| (*deed, shortcut))).collect();
    all.sort_by_key(|(_, shortcut)| {
        std::cmp::Reverse([shortcut.modifiers.shift, shortcut.modifiers.command].iter().filter(|held| **held).count())
    });
    for (deed, shortcut) in all {
        while ui.input_mut(|input| input.consume_shortcut(&shortcut)) {
            if sheet.view.allows(deed) {
                sheet.act(StudyAction::Do(deed));
            }
        }
    }
}

/// The list of keys, in a window of its own.
pub(super) fn list(ui: &Ui, is_open: &mut bool, sheet: &Sheet<'_>) {
    let lang = sheet.lang;
    sheet.dialog(Deed::Keys.text(lang)).open(is_open).show(ui.ctx(), |ui| {
        ScrollArea::vertical().max_height(420.0).show(ui, |ui| {
            Grid::new("keys").num_columns(2).striped(true).spacing([24.0, 4.0]).show(ui, |ui| {
                for deed in Deed::ALL {
                    ui.label(deed.text(lang));
                    let keys: Vec<_> = of(deed).iter().map(|shortcut| ui.ctx().format_shortcut(shortcut)).collect();
                    ui.label(keys.join("　"));
                    ui.end_row();
                }
            });
        });
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_deeds_have_one_key() {
        let mut seen = Vec::new();
        for deed in Deed::ALL {
            assert!(!of(deed).is_empty(), "{deed:?}");
            for shortcut in of(deed) {
                assert!(!seen.contains(&shortcut), "{deed:?}");
                seen.push(shortcut);
            }
        }
    }
}
