//! Tests of the players dialog.

use super::*;
use shogibar_shogi::Color;

fn empty_page(lang: Lang) -> Harness<'static, StudyFixture> {
    let mut fixture = fixture(lang);
    fixture.document = Document::default();
    open(fixture)
}

fn open_form(page: &mut Harness<'static, StudyFixture>) {
    let fixture = page.state_mut();
    fixture.page.open_players(&fixture.document);
}

fn write(page: &mut Harness<'static, StudyFixture>, label: &str, text: &str) {
    page.get_by_role_and_label(Role::TextInput, label).focus();
    page.run();
    page.get_by_role_and_label(Role::TextInput, label).type_text(text);
    page.run();
}

fn headers_text(page: &Harness<'static, StudyFixture>) -> String {
    let headers = page
        .state()
        .document
        .record()
        .headers()
        .iter()
        .map(|(key, value)| format!("{key}={value}"));
    headers.collect::<Vec<_>>().join(" ")
}

#[test]
fn players_can_be_named() {
    let mut page = empty_page(Lang::Ja);
    click(&mut page, "その他");
    page.get_by_label_contains("対局者・手合割・棋戦…").click();
    page.run();
    write(&mut page, "先手", "山田");
    write(&mut page, "後手", "鈴木");
    click(&mut page, "決定");
    assert_eq!(headers_text(&page), "先手=山田 後手=鈴木");
    assert!(
        page.query_by_label_contains("山田").is_some(),
        "the board says so"
    );
}

#[test]
fn handicap_can_be_chosen_before_the_first_move() {
    let mut page = empty_page(Lang::En);
    open_form(&mut page);
    page.run();
    write(&mut page, "Black", "A");
    page.get_by_role_and_label(Role::ComboBox, "Handicap").click();
    page.run();
    click(&mut page, "two pieces");
    write(&mut page, "White", "B");
    page.key_press(Key::Enter);
    page.run();
    assert_eq!(headers_text(&page), "下手=A 上手=B");
    assert_eq!(
        page.state().document.record().start().sfen(),
        shogibar_kifu::handicap("二枚落ち").unwrap().sfen()
    );
    assert_eq!(page.state().document.record().player(Color::White), Some("B"));
}

#[test]
fn handicap_is_fixed_after_the_first_move() {
    let mut page = page();
    page.key_press_modifiers(Modifiers::CTRL | Modifiers::COMMAND, Key::P);
    page.run();
    assert!(
        page.get_by_role_and_label(Role::ComboBox, "手合割")
            .accesskit_node()
            .is_disabled()
    );
    assert!(
        page.query_by_label("手合割を選べるのは、最初の手を指す前だけです。")
            .is_some()
    );
    write(&mut page, "先手", "太郎");
    page.key_press(Key::Escape);
    page.run();
    assert_eq!(
        headers_text(&page),
        "先手=山田 後手=鈴木",
        "who stops changes nothing"
    );
}

#[test]
fn players_can_be_named_with_a_small_board() {
    for size in [vec2(220.0, 320.0), vec2(380.0, 530.0)] {
        let mut page = empty_page(Lang::Ja);
        page.key_press_modifiers(Modifiers::CTRL | Modifiers::COMMAND, Key::M);
        page.set_size(size);
        page.run();
        click(&mut page, "その他");
        page.get_by_label_contains("対局者・手合割・棋戦…").click();
        page.run();
        let screen = Rect::from_min_size(egui::Pos2::ZERO, size);
        for label in ["決定", "キャンセル"] {
            let rect = page.get_by_label(label).rect();
            assert!(screen.contains_rect(rect), "{size}: {label}: {rect}");
        }
        write(&mut page, "先手", "山田");
        click(&mut page, "決定");
        assert_eq!(headers_text(&page), "先手=山田");
    }
}

#[test]
fn event_place_and_date_can_be_edited() {
    let game = "開始日時：2026/11/22\n先手：山田\n後手：鈴木\n1 ７六歩(77)\n";
    let mut fixture = fixture(Lang::Ja);
    fixture.document = Document::new(shogibar_kifu::read(game.as_bytes()).unwrap().games.remove(0));
    let mut page = open(fixture);
    open_form(&mut page);
    page.run();
    let date = page.get_by_role_and_label(Role::TextInput, "日時");
    assert_eq!(date.value().as_deref(), Some("2026/11/22"));
    write(&mut page, "棋戦", "順位戦");
    write(&mut page, "場所", "大阪");
    page.key_press(Key::Enter);
    page.run();
    assert_eq!(
        headers_text(&page),
        "開始日時=2026/11/22 棋戦=順位戦 場所=大阪 先手=山田 後手=鈴木"
    );
    page.state_mut().document.undo();
    assert_eq!(headers_text(&page), "開始日時=2026/11/22 先手=山田 後手=鈴木");
}
