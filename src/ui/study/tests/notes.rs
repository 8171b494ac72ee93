//! Tests of comments and of signs beside moves.

use super::*;

const CTRL: Modifiers = Modifiers {
    command: true,
    ..Modifiers::CTRL
};

fn field<'a>(page: &'a Harness<'static, StudyFixture>) -> egui_kittest::Node<'a> {
    page.get_by_role_and_label(Role::MultilineTextInput, "コメント")
}

/// Returns the comment of the current node in the record.
fn comment(page: &Harness<'static, StudyFixture>) -> String {
    let document = &page.state().document;
    document
        .record()
        .node(document.current())
        .comment()
        .unwrap_or_default()
        .to_owned()
}

fn page_at(ply: usize) -> Harness<'static, StudyFixture> {
    let mut page = page();
    page.state_mut().document.go_to(ply);
    page.run();
    page
}

#[test]
fn typed_comment_is_saved_in_the_record() {
    let mut page = page();
    page.state_mut().document.go_to(4);
    page.run();
    let field = page.get_by_role_and_label(Role::MultilineTextInput, "コメント");
    field.focus();
    page.run();
    page.get_by_role_and_label(Role::MultilineTextInput, "コメント")
        .type_text("好手");
    page.run();
    let document = &page.state().document;
    assert_eq!(document.record().node(document.current()).comment(), Some("好手"));
}

#[test]
fn evaluations_are_kept_while_a_comment_is_typed() {
    let mut page = page_at(1);
    assert_eq!(
        field(&page).value().unwrap_or_default(),
        "",
        "an engine's line is no comment"
    );
    field(&page).focus();
    page.run();
    for text in ["* 5", "手"] {
        field(&page).type_text(text);
        page.run();
    }
    assert_eq!(
        field(&page).value().as_deref(),
        Some("* 5手"),
        "no half of it was taken for an engine's"
    );
    assert_eq!(comment(&page), "#評価値=30\n* 5手");
    click(&mut page, "解析 1件");
    assert!(page.query_by_label("#評価値=30").is_some());
}

#[test]
fn comment_field_follows_the_current_node() {
    let mut page = page_at(4);
    field(&page).focus();
    page.run();
    field(&page).type_text("好手");
    page.run();
    page.state_mut().document.go_to(3);
    page.run();
    assert_eq!(field(&page).value().unwrap_or_default(), "");
    page.state_mut().document.go_to(4);
    page.run();
    assert_eq!(field(&page).value().as_deref(), Some("好手"));
    page.state_mut().document.undo();
    page.run();
    assert_eq!(field(&page).value().unwrap_or_default(), "");
}

#[test]
fn comment_field_stays_at_its_move_while_the_game_goes_on() {
    let mut page = page_at(4);
    field(&page).focus();
    page.run();
    field(&page).type_text("好");
    page.run();
    let written = page.state().document.current();
    let document = &mut page.state_mut().document;
    let next = document.history().now().legal_moves()[0];
    document.play(next).unwrap();
    let played = document.current();
    page.run();
    field(&page).type_text("手");
    page.run();
    let document = &page.state().document;
    let comments = [written, played].map(|node| document.record().node(node).comment());
    assert_eq!((document.current(), comments), (played, [Some("好手"), None]));
    page.state_mut().document.go_to(3);
    page.run();
    assert_eq!(
        field(&page).value().unwrap_or_default(),
        "",
        "a step of the user is followed"
    );
}

#[test]
fn the_visible_part_of_a_long_comment_ends_with_a_line() {
    let mut page = page_at(1);
    let here = page.state().document.current();
    page.state_mut()
        .document
        .set_comment(here, &"1234 6789\n".repeat(2000));
    page.run();
    let shown = field(&page).value().unwrap_or_default();
    assert!(
        shown.ends_with("\n1234 6789") && shown.len() > 7000,
        "{} bytes",
        shown.len()
    );
}

#[test]
fn signs_have_accessible_labels() {
    let mut page = page_at(1);
    let here = page.state().document.current();
    page.state_mut().document.set_comment(here, "好形");
    page.state_mut().tabs = vec![GameTab {
        title: "A – B".to_owned(),
        is_unsaved: true,
    }];
    page.run();
    assert!(page.query_by_label("●").is_none() && page.query_by_label("未保存").is_some());
    assert!(page.query_by_label("1 ▲7六歩 0:12 コメントあり").is_some());
    assert!(page.query_by_label("2 △3四歩 +40 0:20 変化 1").is_some());
}

#[test]
fn variation_can_be_changed_without_a_context_menu() {
    let mut page = page_at(1);
    click(&mut page, "△8四歩: その他");
    click(&mut page, "本譜にする");
    assert!(matches!(
        take_actions(&mut page).as_slice(),
        [StudyAction::App(AppAction::Edit(DocumentEdit::MakeMainLine(_)))]
    ));
    let document = &page.state().document;
    let first = document.record().first_child(document.current()).unwrap();
    assert_eq!(document.record().node(first).mv(), Some(mv("8c8d")));
}

#[test]
fn game_can_be_ended() {
    let mut page = page_at(2);
    click(&mut page, "その他");
    page.get_by_label_contains("終局を記録").hover();
    page.run();
    click(&mut page, "投了");
    assert_eq!(
        take_actions(&mut page),
        [DocumentEdit::End(shogibar_kifu::Reason::Resignation).into()]
    );
    assert_eq!(page.state().line(), "7g7f 3c3d end |");
    let ending = page.state().document.ending().unwrap();
    assert_eq!(
        ending.winner,
        Some(shogibar_shogi::Color::White),
        "who is to move resigns"
    );
    page.state_mut().document.undo();
    assert_eq!(page.state().line(), "7g7f 3c3d | 2g2f 4c4d");
}

#[test]
fn sides_of_a_handicap_game_have_their_own_names() {
    let game = "手合割：二枚落ち\n1 ６二銀(71)\n*#評価値=2000\n2 ７六歩(77)\n*#評価値=1000\n";
    let mut fixture = fixture(Lang::Ja);
    fixture.document = Document::new(shogibar_kifu::read(game.as_bytes()).unwrap().games.remove(0));
    let page = open(fixture);
    assert!(page.query_by_label_contains("下手 ").is_some(), "in the counts");
    assert!(page.query_by_label_contains("先手 ").is_none());
}

#[test]
fn hidden_evaluations_appear_nowhere_on_the_page() {
    let mut fixture = fixture(Lang::Ja);
    fixture.bar = fixture.bar.hidden(Lang::Ja);
    let page = open(fixture);
    assert!(
        page.query_by_label_contains("−500").is_none() && page.query_by_label_contains("解析 ").is_none()
    );
    assert!(page.query_by_label("3 ▲2六歩 0:05").is_some());
}

#[test]
fn only_visible_variations_are_drawn() {
    let mut record = shogibar_kifu::Record::new(&Position::startpos());
    for mv in Position::startpos().legal_moves() {
        assert!(record.add_line(NodeId::START, &[mv]));
    }
    let mut fixture = fixture(Lang::Ja);
    fixture.document = Document::new(record);
    let page = open(fixture);
    let rows = page.query_all_by_label_contains(": その他").count();
    assert!((1..25).contains(&rows), "{rows} of 30");
}

#[test]
fn tree_stays_the_same_while_a_comment_is_typed() {
    let mut page = page_at(4);
    click(&mut page, "分岐");
    let cells = |page: &Harness<'static, StudyFixture>| page.query_all_by_label_contains("3 ▲2六歩").count();
    let before = cells(&page);
    field(&page).focus();
    page.run();
    field(&page).type_text("好手");
    page.run();
    assert_eq!((before, cells(&page)), (2, 2), "in both lines");
    let second = page.state().document.line()[1];
    page.state_mut().document.delete(second);
    page.run();
    assert_eq!(cells(&page), 1, "a line that is gone is seen no longer");
}

/// Notices lie over the cards: the hand of either side stays in sight.
#[test]
fn notices_cover_no_hand() {
    for size in [vec2(1320.0, 840.0), vec2(880.0, 600.0), vec2(1920.0, 1040.0)] {
        let mut fixture = fixture(Lang::Ja);
        fixture.notice = Some(bar::BarNotice::failure(
            "棋譜に問題があります。".repeat(3),
            Vec::new(),
        ));
        let mut page = open(fixture);
        page.set_size(size);
        page.run();
        let board = page.get_by_role_and_label(Role::Grid, "将棋盤").rect();
        let notice = page
            .get_by_label("棋譜に問題があります。".repeat(3).as_str())
            .rect();
        assert!(
            !notice.expand(8.0).intersects(board),
            "{size:?}: {notice} {board}"
        );
    }
}

/// Only the beginning of a long comment is laid out. The rest stays when the beginning is changed.
#[test]
fn a_long_comment_is_shown_in_part() {
    let mut page = page_at(1);
    let here = page.state().document.current();
    let long = "評".repeat(20_000);
    page.state_mut().document.set_comment(here, &long);
    page.run();
    assert_eq!(field(&page).value().map(|text| text.chars().count()), Some(8_000));
    field(&page).focus();
    page.run();
    page.event(Event::Text("良い。".to_owned()));
    page.run();
    let comment = page
        .state()
        .document
        .record()
        .node(here)
        .comment()
        .unwrap_or_default()
        .to_owned();
    assert_eq!(
        (comment.chars().count(), comment.matches("良い。").count()),
        (20_003, 1)
    );
    let button = page.get_by_role_and_label(Role::Button, "続きを表示（あと12000字）");
    button.click_accesskit();
    page.run();
    assert_eq!(
        field(&page).value().map(|text| text.chars().count()),
        Some(20_003)
    );
    // Undo in the field does not bring back the text that was shown before.
    field(&page).focus();
    page.run();
    page.key_press_modifiers(CTRL, Key::Z);
    page.run();
    let comment = page
        .state()
        .document
        .record()
        .node(here)
        .comment()
        .unwrap_or_default()
        .to_owned();
    assert!(comment.chars().count() >= 20_000, "{}", comment.chars().count());
    let huge = "評".repeat(600_000);
    page.state_mut().document.set_comment(here, &huge);
    page.run();
    assert!(
        field(&page)
            .value()
            .is_some_and(|text| text.chars().count() <= 64_000)
    );
}
