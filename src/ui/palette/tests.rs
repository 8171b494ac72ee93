//! Tests of the command palette.

use super::*;
use crate::{fonts, theme};
use egui::{Event, Role};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use shogibar_config::command_findable;

/// A palette, and its state after the last frame.
struct PaletteFixture {
    palette: Palette,
    status: DialogStatus<PaletteChoice>,
}

type PaletteHarness = Harness<'static, PaletteFixture>;

/// Opens a palette of all commands, of which *undo* is not possible, and types a search.
fn search(words: &str) -> PaletteHarness {
    let row = |command: &Command| PaletteRow {
        choice: PaletteChoice::Command(*command),
        text: command_text(*command, Lang::Ja).to_owned(),
        search_texts: command_findable(*command),
        keys: String::new(),
        is_possible: *command != Command::Undo,
    };
    let palette = Palette::new(Command::ALL.iter().map(row).collect());
    let builder = Harness::builder().with_size(vec2(900.0, 700.0));
    let mut harness = builder
        .with_context_setup(|ctx| ctx.set_fonts(fonts::definitions()))
        .build_ui_state(
            |ui, fixture: &mut PaletteFixture| {
                if fixture.status == DialogStatus::Open {
                    fixture.status = show_over(ui, &mut fixture.palette, &theme::of_pages(false), Lang::Ja);
                }
            },
            PaletteFixture {
                palette,
                status: DialogStatus::Open,
            },
        );
    harness.run();
    harness.event(Event::Text(words.to_owned()));
    harness.run();
    harness
}

fn press(harness: &mut PaletteHarness, key: Key) {
    harness.key_press(key);
    harness.run();
}

fn done(command: Command) -> DialogStatus<PaletteChoice> {
    DialogStatus::Done(PaletteChoice::Command(command))
}

#[test]
fn runs_the_closest_row_by_enter() {
    for words in ["反転", "はんてん", "turn BOARD", "flip"] {
        let mut harness = search(words);
        assert!(
            harness
                .query_by_role_and_label(Role::TextInput, "コマンドを探す")
                .is_some()
        );
        press(&mut harness, Key::Enter);
        assert_eq!(harness.state().status, done(Command::Flip), "{words}");
    }
}

#[test]
fn rows_are_selected_by_arrows_and_run_by_a_click() {
    let mut harness = search("コピー");
    let listed: Vec<_> = harness
        .state()
        .palette
        .listed()
        .map(|row| row.choice.clone())
        .collect();
    for key in [Key::ArrowDown, Key::ArrowDown, Key::ArrowUp, Key::Enter] {
        press(&mut harness, key);
    }
    assert_eq!(harness.state().status, DialogStatus::Done(listed[1].clone()));
    let mut harness = search("コピー まとめ");
    harness.get_by_label_contains("まとめをコピー").click();
    harness.run();
    assert_eq!(harness.state().status, done(Command::CopySummary));
}

#[test]
fn an_impossible_command_is_not_run() {
    let mut harness = search("undo");
    assert!(
        harness
            .get_by_label_contains("元に戻す")
            .accesskit_node()
            .is_disabled()
    );
    press(&mut harness, Key::Enter);
    assert_eq!(harness.state().status, DialogStatus::Open);
    let mut harness = search("囲碁");
    assert!(harness.query_by_label("見つかりません。").is_some());
    press(&mut harness, Key::Enter);
    assert_eq!(harness.state().status, DialogStatus::Open);
    press(&mut harness, Key::Escape);
    assert_eq!(harness.state().status, DialogStatus::Closed);
}
