//! Tests of the questions for a mate and for the opponent's threat.

use super::*;
use shogibar_engine::session::MateOutcome;
use shogibar_games::study::{InquiryAnswer, InquiryKind};

/// Opens the page, and asks whether the start position is a mate.
fn ask_for_mate(lang: Lang) -> Harness<'static, StudyFixture> {
    let mut page = open(fixture(lang));
    page.key_press_modifiers(Modifiers::CTRL | Modifiers::COMMAND, Key::L);
    // The state of a search is animated.
    page.run_steps(3);
    let done = take_actions(&mut page);
    let [
        StudyAction::App(AppAction::Ask(Some(Inquiry {
            kind: InquiryKind::Mate,
            history,
            ..
        }))),
    ] = done.as_slice()
    else {
        panic!("{done:?}")
    };
    assert_eq!(history.moves().len(), 0);
    page
}

/// Answers the question of the page.
fn answer(page: &mut Harness<'static, StudyFixture>, result: InquiryAnswer) {
    page.state_mut().inquiry.as_mut().unwrap().answer = Some(result);
    page.run();
}

#[test]
fn mate_is_shown_on_the_board_and_added() {
    let mut page = ask_for_mate(Lang::Ja);
    assert!(page.query_by_label("詰みを探しています…").is_some());
    answer(
        &mut page,
        InquiryAnswer::Mate(MateOutcome::Mate(["7g7f", "3c3d", "2g2f"].map(mv).to_vec())),
    );
    assert!(page.query_by_label("▲7六歩以下3手で詰みます。").is_some());
    click(&mut page, "盤で見る");
    assert!(page.query_by_label("7六　先手の歩").is_some());
    page.key_press(Key::ArrowRight);
    page.run();
    assert!(page.query_by_label("3四　後手の歩").is_some());
    click(&mut page, "変化として追加");
    let done = take_actions(&mut page);
    assert!(
        matches!(done.first(), Some(StudyAction::App(AppAction::Edit(DocumentEdit::Insert(None, moves)))) if moves.len() == 3),
        "{done:?}"
    );
}

#[test]
fn other_answers_are_sentences() {
    for (result, ja) in [
        (MateOutcome::NoMate, "不詰み（詰みはありません）。"),
        (MateOutcome::Timeout, "時間内に詰みは見つかりませんでした。"),
    ] {
        let mut page = ask_for_mate(Lang::Ja);
        answer(&mut page, InquiryAnswer::Mate(result));
        assert!(page.query_by_label(ja).is_some(), "{ja}");
        click(&mut page, "閉じる");
        assert_eq!(take_actions(&mut page), [AppAction::Ask(None).into()]);
        assert!(page.query_by_label(ja).is_none());
    }
}

#[test]
fn the_answer_names_the_built_in_search() {
    let mut page = ask_for_mate(Lang::Ja);
    page.state_mut().inquiry.as_mut().unwrap().is_built_in = true;
    answer(&mut page, InquiryAnswer::Mate(MateOutcome::NoMate));
    assert!(page.query_by_label("（内蔵エンジンで調べました）").is_some());
}

#[test]
fn enter_shows_the_mate_and_escape_closes_it() {
    let mut page = ask_for_mate(Lang::Ja);
    answer(
        &mut page,
        InquiryAnswer::Mate(MateOutcome::Mate(["7g7f", "3c3d", "2g2f"].map(mv).to_vec())),
    );
    page.key_press(Key::Enter);
    page.run();
    assert!(page.query_by_label("7六　先手の歩").is_some());
    // The first Escape ends the preview on the board.
    page.key_press(Key::Escape);
    page.run();
    page.key_press(Key::Escape);
    page.run();
    assert!(page.query_by_label_contains("詰みます").is_none());
}

#[test]
fn another_position_ends_the_question() {
    let mut page = ask_for_mate(Lang::En);
    page.state_mut().document.go_to(2);
    page.run();
    assert_eq!(take_actions(&mut page), [AppAction::Ask(None).into()]);
    assert!(page.query_by_label("Looking for a mate…").is_none());
}

/// There is no king to mate: the message names the position as the reason, not the engine.
#[test]
fn a_position_without_an_engine_search_is_explained() {
    let mut fixture = fixture(Lang::Ja);
    let problem = "sfen 9/9/4P4/9/9/9/9/9/4K4 b G2r2b3g4s4n4l17p 1";
    fixture.document = Document::new(shogibar_kifu::read(problem.as_bytes()).unwrap().games.remove(0));
    let mut page = open(fixture);
    page.key_press_modifiers(Modifiers::CTRL | Modifiers::COMMAND, Key::L);
    page.run();
    assert!(
        page.query_by_label("この局面はエンジンに渡せません: 後手の玉が1枚ではありません。")
            .is_some()
    );
}

#[test]
fn a_threat_is_named_and_drawn() {
    let mut page = open(fixture(Lang::Ja));
    page.key_press(Key::T);
    page.run_steps(3);
    assert!(page.query_by_label("相手の狙いを調べています…").is_some());
    let done = take_actions(&mut page);
    assert!(
        matches!(
            done.as_slice(),
            [StudyAction::App(AppAction::Ask(Some(Inquiry {
                kind: InquiryKind::Threat,
                ..
            })))]
        ),
        "{done:?}"
    );
    let line = ["8c8d", "7g7f"].map(mv).to_vec();
    answer(&mut page, InquiryAnswer::Threat(line, 40));
    assert!(
        page.query_by_label("狙いは △8四歩 ▲7六歩（手を抜くと相手の勝率 60%）。")
            .is_some()
    );
    page.key_press(Key::Escape);
    page.run();
    assert_eq!(take_actions(&mut page), [AppAction::Ask(None).into()]);
    for (answered, ja) in [
        (InquiryAnswer::InCheck, "王手がかかっています。"),
        (InquiryAnswer::Failed, "狙いを調べられませんでした。"),
    ] {
        page.key_press(Key::T);
        page.run_steps(3);
        answer(&mut page, answered);
        assert!(page.query_by_label(ja).is_some(), "{ja}");
    }
}
