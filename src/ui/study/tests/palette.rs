//! Tests of the command palette.

use super::*;
use crate::text::command_text;

const CTRL: Modifiers = Modifiers { command: true, ..Modifiers::CTRL };

/// Opens the palette and types a search.
fn search(page: &mut Harness<'static, StudyFixture>, words: &str) {
    page.key_press_modifiers(CTRL, Key::K);
    page.run();
    page.event(Event::Text(words.to_owned()));
    page.run();
}

fn press(page: &mut Harness<'static, StudyFixture>, key: Key) {
    page.key_press(key);
    page.run();
}

fn is_open(page: &Harness<'static, StudyFixture>) -> bool {
    page.query_by_role_and_label(Role::TextInput, "コマンドを探す").is_some()
}

/// Returns whether a command is listed.
fn lists(page: &Harness<'static, StudyFixture>, command: Command) -> bool {
    page.query_all_by_label_contains(command_text(command, Lang::Ja)).count() > 0
}

#[test]
fn palette_opens_by_its_key_and_runs_the_found_command() {
    for words in ["反転", "turn BOARD", "flip"] {
        let mut page = page();
        assert!(!is_open(&page));
        search(&mut page, words);
        assert!(page.query_by_label("コマンドパレット").is_some() && is_open(&page));
        assert_eq!([Command::Flip, Command::SetUp].map(|command| lists(&page, command)), [true, false], "{words}");
        press(&mut page, Key::Enter);
        assert_eq!(asked(&mut page), [StudyAction::Command(Command::Flip)], "{words}");
        assert!(!is_open(&page));
    }
}

#[test]
fn palette_entries_are_selected_by_arrows_and_run_by_a_click() {
    let mut page = page();
    search(&mut page, "コピー");
    for key in [Key::ArrowDown, Key::ArrowDown, Key::ArrowUp, Key::Enter] {
        press(&mut page, key);
    }
    assert_eq!(asked(&mut page), [StudyAction::Command(Command::CopyPosition)]);
    search(&mut page, "コピー まとめ");
    page.get_by_label_contains("まとめをコピー").click();
    page.run();
    assert_eq!(asked(&mut page), [StudyAction::Command(Command::CopySummary)]);
    assert!(!is_open(&page));
}

#[test]
fn palette_does_not_run_an_unavailable_command() {
    let mut page = page();
    search(&mut page, "undo");
    assert!(page.get_by_label_contains("元に戻す").accesskit_node().is_disabled());
    press(&mut page, Key::Enter);
    assert!(is_open(&page) && asked(&mut page).is_empty());
    search(&mut page, "囲碁");
    assert!(page.query_by_label("見つかりません。").is_some());
    press(&mut page, Key::Enter);
    assert!(is_open(&page) && asked(&mut page).is_empty());
}

#[test]
fn escape_closes_the_palette_and_gives_the_keys_back() {
    let mut page = page();
    search(&mut page, "");
    for key in [Key::H, Key::Space, Key::Home] {
        press(&mut page, key);
        assert_eq!(asked(&mut page), [], "{key:?} is the field's");
    }
    press(&mut page, Key::Escape);
    assert!(!is_open(&page));
    press(&mut page, Key::ArrowDown);
    assert_eq!(asked(&mut page), [StudyAction::Command(Command::Forward)]);
}

#[test]
fn palette_opens_by_the_menu_and_not_while_a_position_is_set_up() {
    let mut page = page();
    click(&mut page, "その他");
    page.get_by_label_contains("コマンドパレット").click();
    page.run();
    assert!(is_open(&page));
    press(&mut page, Key::Escape);
    page.state_mut().page.setup = Some(Position::startpos());
    page.state_mut().page.run_next(PageCommand::Palette);
    page.run();
    assert!(!is_open(&page));
}
