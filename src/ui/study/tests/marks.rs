//! Tests of arrows and circles that the user draws on the board.

use super::*;
use egui::{PointerButton, Pos2};

const CTRL: Modifiers = Modifiers {
    command: true,
    ..Modifiers::CTRL
};

/// Presses or releases the right button at a point.
fn button(page: &Harness<'static, StudyFixture>, pos: Pos2, pressed: bool, modifiers: Modifiers) {
    let button = PointerButton::Secondary;
    let event = Event::PointerButton {
        pos,
        button,
        pressed,
        modifiers,
    };
    page.event_modifiers(event, modifiers);
}

/// Drags with the right button from one square to another.
fn draw(page: &mut Harness<'static, StudyFixture>, [from, to]: [&str; 2], modifiers: Modifiers) {
    let [from, to] = [from, to].map(|label| page.get_by_label(label).rect().center());
    page.event(Event::PointerMoved(from));
    button(page, from, true, modifiers);
    page.run();
    for part in 1..=4_u8 {
        page.event(Event::PointerMoved(from + (to - from) * f32::from(part) / 4.0));
        page.run();
    }
    button(page, to, false, modifiers);
    page.run();
}

fn comment(page: &Harness<'static, StudyFixture>) -> String {
    let document = &page.state().document;
    let comment = document.record().node(document.current()).comment();
    comment.unwrap_or_default().to_owned()
}

#[test]
fn marks_are_drawn_recoloured_and_removed() {
    let mut page = page();
    draw(&mut page, ["7七　先手の歩", "7六"], Modifiers::NONE);
    assert_eq!(comment(&page), "#矢印=7g7f:1");
    page.get_by_label("将棋盤　青の矢印 7七から7六");
    draw(&mut page, ["8八　先手の角", "2二　後手の角"], CTRL);
    page.get_by_label("5五").click_secondary();
    page.run();
    draw(&mut page, ["7七　先手の歩", "7六"], Modifiers::SHIFT);
    assert_eq!(comment(&page), "#矢印=7g7f:2 8h2b:3 5e:1");
    page.get_by_label("将棋盤　緑の矢印 7七から7六　紫の矢印 8八から2二　青の円 5五");
    draw(&mut page, ["7七　先手の歩", "7六"], Modifiers::SHIFT);
    assert_eq!(comment(&page), "#矢印=8h2b:3 5e:1");
    assert!(page.state().document.is_changed());
    page.state_mut().document.undo();
    page.run();
    assert_eq!(comment(&page), "#矢印=7g7f:2 8h2b:3 5e:1");
    assert!(
        take_actions(&mut page).iter().all(|action| matches!(
            action,
            StudyAction::App(AppAction::Edit(DocumentEdit::ToggleMark(..)))
        )),
        "no move is played"
    );
}

#[test]
fn each_position_has_its_own_marks() {
    let mut page = page();
    page.state_mut().document.go_to(1);
    page.run();
    page.get_by_label("5五").click_secondary();
    page.run();
    page.get_by_label("将棋盤　青の円 5五");
    assert_eq!(comment(&page), "#評価値=30\n#矢印=5e:1");
    page.state_mut().document.go_to(2);
    page.run();
    page.get_by_label("将棋盤");
}

#[test]
fn a_drag_that_leaves_the_board_or_is_given_up_draws_nothing() {
    let mut page = page();
    let from = page.get_by_label("5五").rect().center();
    page.event(Event::PointerMoved(from));
    button(&page, from, true, Modifiers::NONE);
    page.run();
    page.event(Event::PointerMoved(from + vec2(60.0, 0.0)));
    page.run();
    page.key_press(Key::Escape);
    page.run();
    button(&page, from + vec2(60.0, 0.0), false, Modifiers::NONE);
    page.run();
    draw(&mut page, ["5五", "先手　山田　手番"], Modifiers::NONE);
    // A right click while a piece is held releases the piece.
    click(&mut page, "7七　先手の歩");
    page.get_by_label("5五").click_secondary();
    page.run();
    assert_eq!((comment(&page).as_str(), take_actions(&mut page)), ("", vec![]));
}

#[test]
fn marks_are_cleared_by_a_key_except_in_a_text() {
    let mut page = page();
    let press = |page: &mut Harness<'static, StudyFixture>| {
        page.key_press_modifiers(CTRL, Key::Delete);
        page.run();
        take_actions(page)
    };
    assert_eq!(press(&mut page), [], "there are none");
    page.get_by_label("5五").click_secondary();
    page.run();
    take_actions(&mut page);
    assert_eq!(press(&mut page), [StudyAction::Command(Command::ClearMarks)]);
    page.key_press_modifiers(CTRL, Key::I);
    page.run();
    take_actions(&mut page);
    let is_command = |action: &StudyAction| matches!(action, StudyAction::Command(_));
    assert!(!press(&mut page).iter().any(is_command), "the text has the key");
}

#[test]
fn the_menu_clears_marks_where_there_are_some() {
    let mut page = page();
    let row = "描いた矢印と円を消す";
    click(&mut page, "その他");
    assert!(page.query_by_label_contains(row).is_none());
    page.key_press(Key::Escape);
    page.run();
    page.get_by_label("5五").click_secondary();
    page.run();
    take_actions(&mut page);
    click(&mut page, "その他");
    page.get_by_label_contains(row).click();
    page.run();
    assert_eq!(
        take_actions(&mut page),
        [StudyAction::Command(Command::ClearMarks)]
    );
}

#[test]
fn the_comment_field_does_not_show_marks_and_keeps_them() {
    let mut page = page();
    page.get_by_label("5五").click_secondary();
    page.run();
    page.key_press_modifiers(CTRL, Key::I);
    page.run();
    let field = |page: &Harness<'static, StudyFixture>| {
        let label = StudyPhrase::Comment.text(Lang::Ja);
        let fields = page.get_all_by_role_and_label(Role::MultilineTextInput, label);
        fields
            .map(|field| field.value().unwrap_or_default())
            .collect::<Vec<_>>()
    };
    assert_eq!(field(&page), [""]);
    page.event(Event::Text("好手".to_owned()));
    page.run();
    assert_eq!(field(&page), ["好手"]);
    assert_eq!(comment(&page), "#矢印=5e:1\n好手");
}

#[test]
fn a_position_that_is_set_up_takes_no_marks() {
    let mut page = page();
    page.get_by_label("5五").click_secondary();
    page.run();
    page.state_mut().page.run_next(StudyCommand::SetUp);
    page.run();
    take_actions(&mut page);
    page.get_by_label("将棋盤");
    page.get_by_label("7七　先手の歩").click_secondary();
    page.run();
    page.get_by_label("7七　先手のと");
    draw(&mut page, ["7七　先手のと", "7六"], Modifiers::NONE);
    assert_eq!(
        (comment(&page).as_str(), take_actions(&mut page)),
        ("#矢印=5e:1", vec![])
    );
}
