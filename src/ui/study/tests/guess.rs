//! Tests of the guesses at better moves.

use super::review::MISTAKES;
use super::*;
use shogibar_games::study::{InquiryAnswer, InquiryKind};

/// Opens the page with [`MISTAKES`], and chooses a side by the label of its button.
fn guess_page(side: &str) -> Harness<'static, StudyFixture> {
    let mut fixture = fixture(Lang::Ja);
    fixture.document = Document::new(shogibar_kifu::read(MISTAKES.as_bytes()).unwrap().games.remove(0));
    let mut page = open(fixture);
    page.key_press_modifiers(Modifiers::CTRL | Modifiers::COMMAND, Key::G);
    page.run();
    click(&mut page, side);
    page
}

/// Moves a piece by clicks on the labels of two squares.
fn play(page: &mut Harness<'static, StudyFixture>, from: &str, to: &str) {
    click(page, from);
    page.get_all_by_label(to).next().expect(to).click();
    page.run_steps(3);
}

fn has(page: &Harness<'static, StudyFixture>, label: &str) -> bool {
    page.query_all_by_label(label).next().is_some()
}

#[test]
fn guesses_change_nothing_and_end_with_a_result() {
    let mut page = guess_page("両方（2）");
    let revision = page.state().document.revision();
    assert!(has(&page, "1 / 2問") && has(&page, "2手目　実戦は △3四歩 悪手 −28点"));
    assert!(
        !has(&page, "最善は") && !has(&page, "棋譜"),
        "nothing gives the answer away"
    );
    assert!(
        has(&page, "7六　先手の歩") && has(&page, "3三　後手の歩"),
        "the position before the mistake"
    );
    play(&mut page, "3三　後手の歩", "3四");
    assert!(has(&page, "実戦と同じ手です。") && has(&page, "最善手より勝率が28点下がります。"));
    click(&mut page, "もう一度");
    play(&mut page, "8三　後手の歩", "8四");
    assert!(has(&page, "正解！　△8四歩") && has(&page, "最善手です。"));
    page.key_press(Key::Enter);
    page.run();
    assert!(has(&page, "2 / 2問"));
    click(&mut page, "答えを見る");
    assert!(has(&page, "▲6六歩"));
    click(&mut page, "結果を見る");
    assert!(has(&page, "2問中1問正解"));
    click(&mut page, "終わる");
    assert!(has(&page, "棋譜"));
    let document = &page.state().document;
    assert_eq!((document.revision(), document.ply()), (revision, 0));
    assert!(take_actions(&mut page).is_empty());
}

#[test]
fn unknown_move_is_judged_by_the_engine() {
    let mut page = guess_page("先手（1）");
    play(&mut page, "9七　先手の歩", "9六");
    let done = take_actions(&mut page);
    let [
        StudyAction::App(AppAction::Ask(Some(Inquiry {
            kind: InquiryKind::Value,
            history,
            ..
        }))),
    ] = done.as_slice()
    else {
        panic!("{done:?}")
    };
    assert_eq!(history.moves().last(), Some(&mv("9g9f")));
    assert!(has(&page, "エンジンで調べています…") && has(&page, "9六　先手の歩"));
    page.state_mut().inquiry.as_mut().unwrap().answer = Some(InquiryAnswer::Rate(80));
    page.run();
    assert!(has(&page, "正解！　▲9六歩") && has(&page, "最善手との差は2点です。"));
    assert_eq!(take_actions(&mut page), [AppAction::Ask(None).into()]);
    let mut page = guess_page("先手（1）");
    play(&mut page, "9七　先手の歩", "9六");
    page.state_mut().inquiry.as_mut().unwrap().answer = Some(InquiryAnswer::Failed);
    page.run();
    assert!(has(
        &page,
        "最善手ではありません。どれだけ損かは、エンジンがないのでわかりません。"
    ));
}

#[test]
fn escape_ends_the_guesses() {
    let mut page = guess_page("先手（1）");
    page.key_press(Key::ArrowRight);
    page.run();
    assert_eq!(page.state().document.ply(), 0, "no command is run meanwhile");
    page.key_press(Key::Escape);
    page.run();
    assert!(has(&page, "棋譜") && !has(&page, "1 / 1問"));
}

/// A typed move is a guess. Enter in the empty field, or without one, never shows the answer.
#[test]
fn guesses_are_typed() {
    let mut page = guess_page("両方（2）");
    let type_move = |page: &mut Harness<'static, StudyFixture>, text: &str| {
        page.event(egui::Event::Text(text.to_owned()));
        page.run();
        page.key_press(Key::Enter);
        page.run();
    };
    for _ in 0..3 {
        page.key_press(Key::Enter);
        page.run();
    }
    assert!(has(&page, "1 / 2問") && !has(&page, "最善は"));
    type_move(&mut page, "34歩");
    assert!(has(&page, "実戦と同じ手です。"));
    // The field has the focus: the next guess replaces the first.
    page.key_press(Key::Enter);
    page.run();
    assert!(!has(&page, "最善は"));
    type_move(&mut page, "84歩");
    assert!(has(&page, "正解！　△8四歩"));
    page.key_press(Key::Enter);
    page.run();
    assert!(has(&page, "2 / 2問"));
    type_move(&mut page, "66歩");
    assert!(has(&page, "正解！　▲6六歩"));
    page.key_press(Key::Enter);
    page.run();
    assert!(has(&page, "2問中2問正解"));
    assert_eq!(page.state().document.ply(), 0);
}

/// The game's mistakes are added to the deck once. The deck stores the first answers: a wrong one, and then a right
/// one, is wrong.
#[test]
fn mistakes_of_the_deck_are_asked_and_noted() {
    let mut fixture = fixture(Lang::Ja);
    fixture.document = Document::new(shogibar_kifu::read(MISTAKES.as_bytes()).unwrap().games.remove(0));
    let mut page = open(fixture);
    page.key_press_modifiers(Modifiers::CTRL | Modifiers::COMMAND, Key::G);
    page.run();
    click(&mut page, "この棋譜のミスを加える");
    click(&mut page, "この棋譜のミスを加える");
    assert!(has(&page, "全部で2問、覚えたもの0問"));
    // The page has another game while the deck is solved.
    page.state_mut().document = Document::new(shogibar_kifu::read(GAME.as_bytes()).unwrap().games.remove(0));
    page.run();
    page.key_press_modifiers(Modifiers::CTRL | Modifiers::COMMAND, Key::G);
    page.run();
    click(&mut page, "今日の問題を解く（2）");
    assert!(
        has(&page, "1 / 2問") && has(&page, "山田 － 鈴木") && has(&page, "3四　後手の歩"),
        "the costliest"
    );
    play(&mut page, "2七　先手の歩", "2六");
    assert!(has(&page, "実戦と同じ手です。"));
    click(&mut page, "もう一度");
    play(&mut page, "6七　先手の歩", "6六");
    assert!(has(&page, "正解！　▲6六歩"));
    page.key_press(Key::Enter);
    page.run();
    assert!(has(&page, "2 / 2問") && has(&page, "2手目　実戦は △3四歩 悪手 −28点"));
    click(&mut page, "答えを見る");
    click(&mut page, "結果を見る");
    assert!(has(&page, "2問中1問正解"));
    let wrong = |asked: &StudyAction| {
        matches!(
            asked,
            StudyAction::App(AppAction::Drill(DrillAction::RecordAnswer { right: false, .. }))
        )
    };
    assert_eq!(
        take_actions(&mut page)
            .iter()
            .filter(|asked| wrong(asked))
            .count(),
        2
    );
    let deck = &page.state().deck;
    assert_eq!(
        (deck.due_cards(20_000).len(), deck.due_cards(20_001).len()),
        (0, 2),
        "both come again the next day"
    );
}
