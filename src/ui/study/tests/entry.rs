//! Tests of move entry and of replacing moves.

use super::*;

const CTRL: Modifiers = Modifiers {
    command: true,
    ..Modifiers::CTRL
};

fn enter(page: &mut Harness<'static, StudyFixture>, text: &str) {
    for letter in text.chars() {
        page.event(Event::Text(letter.to_string()));
        page.run();
    }
    page.key_press(Key::Enter);
    page.run();
}

#[test]
fn next_input_replaces_a_refused_move() {
    let mut page = page();
    enter(&mut page, "99");
    assert_eq!(take_actions(&mut page), [], "that is no move");
    enter(&mut page, "2726");
    assert_eq!(take_actions(&mut page), [DocumentEdit::Play(mv("2g2f")).into()]);
    enter(&mut page, "3334");
    assert_eq!(page.state().line(), "2g2f 3c3d |", "and so does the next");
}

#[test]
fn refusal_beside_a_small_board_covers_neither_field_nor_move() {
    let mut page = page();
    page.key_press_modifiers(CTRL, Key::M);
    page.set_size(vec2(340.0, 460.0));
    page.run();
    enter(&mut page, "2725");
    let refusal = page.get_by_label("2七の駒は2五に動けません。").rect();
    let field = page
        .get_by_role_and_label(Role::TextInput, "指し手を入力（76歩、7g7f）")
        .rect();
    assert!(
        refusal.bottom() < 120.0 && field.top() > 380.0,
        "{refusal} {field}"
    );
    assert!(!page.get_by_label("開始局面").rect().intersects(refusal));
}

#[test]
fn empty_field_leaves_navigation_keys_to_the_page() {
    let mut page = page();
    enter(&mut page, "2726");
    take_actions(&mut page);
    assert!(
        page.get_by_role_and_label(Role::TextInput, "指し手を入力（76歩、7g7f）")
            .accesskit_node()
            .is_focused()
    );
    for (held, key, expect) in [
        (Modifiers::NONE, Key::ArrowLeft, Command::Back),
        (Modifiers::NONE, Key::ArrowRight, Command::Forward),
        (Modifiers::NONE, Key::Home, Command::First),
        (CTRL, Key::Z, Command::Undo),
        (CTRL, Key::S, Command::Save),
    ] {
        page.key_press_modifiers(held, key);
        page.run();
        assert_eq!(take_actions(&mut page), [StudyAction::Command(expect)], "{key:?}");
    }
    page.event(Event::Paste("手合割：平手\n1 ７六歩(77)\n".to_owned()));
    page.run();
    assert_eq!(
        take_actions(&mut page),
        [AppAction::PasteText("手合割：平手\n1 ７六歩(77)\n".to_owned()).into()]
    );
    page.event(Event::Text("3".to_owned()));
    page.run();
    page.key_press(Key::ArrowLeft);
    page.key_press_modifiers(CTRL, Key::Z);
    page.run();
    assert_eq!(
        take_actions(&mut page),
        [],
        "these are the text's while one is typed"
    );
}

#[test]
fn typed_move_asks_for_promotion_like_a_clicked_one() {
    for (answer, expect) in [("成", "8h2b+"), ("不成", "8h2b")] {
        let mut page = page();
        page.state_mut().document.go_to(2);
        page.run();
        enter(&mut page, "8822");
        assert_eq!(take_actions(&mut page), [], "it is asked first");
        click(&mut page, answer);
        assert_eq!(take_actions(&mut page), [DocumentEdit::Play(mv(expect)).into()]);
        enter(&mut page, "3122");
        assert_eq!(
            take_actions(&mut page),
            [DocumentEdit::Play(mv("3a2b")).into()],
            "the next may be typed at once"
        );
    }
    let mut page = page();
    page.state_mut().document.go_to(2);
    page.run();
    enter(&mut page, "22");
    page.key_press(Key::Enter);
    page.run();
    assert_eq!(
        take_actions(&mut page),
        [DocumentEdit::Play(mv("8h2b+")).into()],
        "Enter promotes"
    );
}

#[test]
fn new_move_can_replace_the_last_one() {
    let mut page = page();
    page.state_mut().document.go_to(3);
    page.run();
    enter(&mut page, "8384");
    assert_eq!(page.state().line(), "7g7f 3c3d 2g2f 8c8d |");
    assert_eq!(
        page.state().document.record().all().count(),
        8,
        "a variation, until it is said otherwise"
    );
    click(&mut page, "指し直し");
    assert!(matches!(
        take_actions(&mut page).as_slice(),
        [
            StudyAction::App(AppAction::Edit(DocumentEdit::Play(_))),
            StudyAction::App(AppAction::Edit(DocumentEdit::ReplaceNode { .. }))
        ]
    ));
    assert_eq!(page.state().document.record().all().count(), 7);
    assert_eq!(page.state().line(), "7g7f 3c3d 2g2f 8c8d |");
    assert!(page.query_by_label("指し直し").is_none(), "it is done");
    enter(&mut page, "2625");
    assert!(
        page.query_by_label("指し直し").is_none(),
        "at the end of a game there is nothing to replace"
    );
}

#[test]
fn new_move_can_replace_the_next_one_or_be_a_variation() {
    let mut page = page();
    page.state_mut().document.go_to(1);
    page.run();
    enter(&mut page, "4344");
    click(&mut page, "変化にする");
    assert!(page.query_by_label("指し直し").is_none());
    assert_eq!(
        page.state()
            .document
            .record()
            .children(page.state().document.line()[0])
            .count(),
        3
    );
    page.state_mut().document.go_to(1);
    page.run();
    click(&mut page, "5三　後手の歩");
    click(&mut page, "5四");
    assert!(page.query_by_label("指し直し").is_some());
    page.state_mut().document.go_to(0);
    page.run();
    assert!(
        page.query_by_label("指し直し").is_none(),
        "it is about the move on view"
    );
    enter(&mut page, "7776");
    assert!(
        page.query_by_label("指し直し").is_none(),
        "the record has that move already"
    );
}

#[test]
fn replacement_choice_is_closed_with_its_record() {
    let mut page = page();
    page.state_mut().document.go_to(3);
    page.run();
    enter(&mut page, "8384");
    assert!(page.query_by_label("指し直し").is_some());
    // This happens, for example, when another program writes a shorter record into the file.
    page.state_mut().document.open(
        shogibar_kifu::read("1 ２六歩(27)\n".as_bytes())
            .unwrap()
            .games
            .remove(0),
    );
    page.run();
    assert!(page.query_by_label("指し直し").is_none());
}

#[test]
fn move_after_the_end_can_replace_it() {
    let mut page = page();
    page.state_mut().document.go_to(4);
    page.run();
    let end = End::at_position(Reason::Resignation, page.state().document.history().now());
    page.state_mut().document.end(end);
    page.run();
    enter(&mut page, "2625");
    click(&mut page, "指し直し");
    assert_eq!(page.state().line(), "7g7f 3c3d 2g2f 4c4d 2f2e |");
    assert!(page.state().document.ending().is_none() && page.state().document.record().end().is_none());
}
