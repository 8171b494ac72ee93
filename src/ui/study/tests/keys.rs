//! Tests of the keyboard shortcuts and of changing them.

use super::*;
use shogibar_config::Shortcut;

const CTRL: Modifiers = Modifiers {
    command: true,
    ..Modifiers::CTRL
};

/// Returns the shortcuts of a command in text form.
fn keys_of(page: &Harness<'static, StudyFixture>, command: Command) -> String {
    page.state()
        .keys
        .keys_of(command)
        .iter()
        .map(Shortcut::to_string)
        .collect::<Vec<_>>()
        .join(" ")
}

fn press(page: &mut Harness<'static, StudyFixture>, held: Modifiers, key: Key) {
    page.key_press_modifiers(held, key);
    page.run();
}

/// Clicks a widget that may have to be scrolled to.
fn choose(page: &mut Harness<'static, StudyFixture>, label: &str) {
    page.get_by_label(label).click_accesskit();
    page.run();
}

fn list_page() -> Harness<'static, StudyFixture> {
    let mut page = page();
    press(&mut page, Modifiers::NONE, Key::F1);
    page
}

/// The first frame that shows the list is complete: the next one may be late.
#[test]
fn the_list_of_keys_is_whole_at_once() {
    let mut page = page();
    page.key_press(Key::F1);
    let foot = (0..4).find_map(|_| {
        page.step();
        let is_foot =
            |shape: &egui::Shape| matches!(shape, egui::Shape::Text(text) if text.galley.text() == "すべて既定に戻す");
        let drawn = page.output().shapes.iter().find(|drawn| is_foot(&drawn.shape))?;
        Some((drawn.clip_rect, drawn.shape.visual_bounding_rect()))
    });
    let (clip, foot) = foot.unwrap();
    assert!(clip.contains_rect(foot), "{clip} {foot}");
}

#[test]
fn shortcuts_run_their_commands() {
    let mut page = page();
    for (key, modifiers, expect) in [
        (Key::ArrowDown, Modifiers::NONE, Command::Forward),
        (Key::ArrowRight, Modifiers::NONE, Command::Forward),
        (Key::ArrowUp, CTRL, Command::BranchBack),
        (Key::S, CTRL, Command::Save),
        (Key::S, CTRL | Modifiers::SHIFT, Command::SaveAs),
        (Key::T, CTRL, Command::Flip),
        (Key::Space, Modifiers::NONE, Command::Pause),
    ] {
        press(&mut page, modifiers, key);
        assert_eq!(
            take_actions(&mut page),
            [StudyAction::Command(expect)],
            "{modifiers:?} {key:?}"
        );
    }
    press(&mut page, CTRL, Key::Z);
    assert_eq!(take_actions(&mut page), [], "there is nothing to take back");
    press(&mut page, Modifiers::SHIFT, Key::Questionmark);
    assert!(page.query_by_label("次の分岐へ").is_some(), "the list of keys");
}

#[test]
fn record_can_be_saved_while_a_comment_is_typed() {
    let mut page = page();
    page.get_by_role_and_label(Role::MultilineTextInput, "コメント")
        .focus();
    page.run();
    for (held, key) in [
        (CTRL, Key::Z),
        (CTRL, Key::A),
        (Modifiers::NONE, Key::H),
        (Modifiers::NONE, Key::ArrowDown),
    ] {
        press(&mut page, held, key);
        assert_eq!(take_actions(&mut page), [], "{key:?} is the text's");
    }
    press(&mut page, CTRL, Key::S);
    assert_eq!(take_actions(&mut page), [StudyAction::Command(Command::Save)]);
    press(&mut page, CTRL, Key::O);
    assert_eq!(take_actions(&mut page), [StudyAction::Command(Command::Open)]);
}

#[test]
fn shortcut_can_be_changed_added_and_reset() {
    let mut page = list_page();
    choose(&mut page, "盤を反転: Ctrl+T");
    press(&mut page, Modifiers::NONE, Key::F5);
    assert_eq!(keys_of(&page, Command::Flip), "F5");
    take_actions(&mut page);
    press(&mut page, CTRL, Key::T);
    assert_eq!(take_actions(&mut page), [], "it is no longer the key");
    press(&mut page, Modifiers::NONE, Key::F5);
    assert_eq!(take_actions(&mut page), [StudyAction::Command(Command::Flip)]);
    choose(&mut page, "盤を反転: キーを追加");
    press(&mut page, CTRL, Key::C);
    assert_eq!(
        keys_of(&page, Command::Flip),
        "F5",
        "that is another's, and is not taken unasked"
    );
    choose(&mut page, "「盤を反転」に移す");
    assert_eq!(
        (keys_of(&page, Command::Flip), keys_of(&page, Command::Copy)),
        ("F5 Ctrl+C".to_owned(), String::new())
    );
    take_actions(&mut page);
    page.event(Event::Copy);
    page.run();
    assert_eq!(take_actions(&mut page), [StudyAction::Command(Command::Flip)]);
    choose(&mut page, "盤を反転: 既定のキーに戻す");
    assert_eq!(
        (
            keys_of(&page, Command::Flip).as_str(),
            page.state().keys.is_changed()
        ),
        ("Ctrl+T", false)
    );
}

#[test]
fn shortcut_can_be_removed_and_all_restored() {
    let mut page = list_page();
    choose(&mut page, "評価値を伏せる: H");
    press(&mut page, Modifiers::NONE, Key::Backspace);
    assert_eq!(keys_of(&page, Command::Hide), "");
    choose(&mut page, "新規: キーをなくす");
    assert_eq!(keys_of(&page, Command::New), "");
    choose(&mut page, "すべて既定に戻す");
    assert!(!page.state().keys.is_changed());
}

#[test]
fn recording_a_key_can_be_cancelled() {
    let mut page = list_page();
    choose(&mut page, "評価値を伏せる: H");
    press(&mut page, Modifiers::NONE, Key::Num7);
    assert!(
        page.query_by_label("このキーは使えません（数字は指し手の入力に使います）。")
            .is_some()
    );
    press(&mut page, Modifiers::NONE, Key::Escape);
    assert_eq!(keys_of(&page, Command::Hide), "H");
    assert!(
        page.query_by_label("評価値を伏せる: H").is_some(),
        "the list stays"
    );
    press(&mut page, Modifiers::NONE, Key::Escape);
    assert!(page.query_by_label("評価値を伏せる: H").is_none());
    assert_eq!(
        take_actions(&mut page),
        [StudyAction::Command(Command::Keys)][..0]
    );
}

#[test]
fn manual_can_be_opened() {
    let mut page = list_page();
    take_actions(&mut page);
    page.get_by_role_and_label(Role::Button, "使い方（マニュアル）")
        .click_accesskit();
    page.run();
    assert_eq!(take_actions(&mut page), [StudyAction::Command(Command::Manual)]);
    press(&mut page, Modifiers::NONE, Key::Escape);
    press(&mut page, Modifiers::SHIFT, Key::F1);
    assert_eq!(take_actions(&mut page), [StudyAction::Command(Command::Manual)]);
    let mut page = open(fixture(Lang::En));
    click(&mut page, "More");
    page.get_by_label_contains("Manual").click();
    page.run();
    assert_eq!(take_actions(&mut page), [StudyAction::Command(Command::Manual)]);
}

#[test]
fn menu_shows_changed_shortcuts() {
    let mut fixture = fixture(Lang::En);
    fixture
        .keys
        .choose(Command::New, vec![Shortcut::parse("F2").unwrap()]);
    let mut page = open(fixture);
    click(&mut page, "More");
    assert!(page.query_by_label_contains("F2").is_some());
}
