//! What engines say, and what they are asked for.

use super::*;
use crate::analysis::{DEEPEN, Stage};
use crate::bar::CandidateView;

#[test]
fn an_analysis_is_begun_watched_and_ended() {
    let mut page = page();
    click(&mut page, "一局解析");
    click(&mut page, "水匠");
    click(&mut page, "この局面から");
    click(&mut page, "変化も解析する");
    click(&mut page, "解析開始");
    let begun = asked(&mut page);
    let [StudyAction::Analyse(commission)] = begun.as_slice() else { panic!("{begun:?}") };
    assert_eq!(
        (commission.scope.variations, commission.engines.as_slice()),
        (true, &["builtin", "水匠"].map(str::to_owned)[..])
    );
    assert_eq!((commission.scope.from, commission.scope.to), (0, u16::MAX));
    assert_eq!(commission.deepen, DEEPEN, "the box is ticked");
    page.state_mut().analysis = Some(Progress {
        stage: Stage::Running,
        total: 10,
        done: 4,
        deeper: [0, 0],
        searched: 4,
        left: Some(std::time::Duration::from_secs(80)),
        engines: Vec::new(),
    });
    page.run_steps(2);
    assert!(page.query_by_label("4/10　残り1:20").is_some());
    assert!(page.query_by_label("開く").is_some() && page.query_by_label("その他").is_some(), "the tools stay");
    let first = page.state().analysis.clone().unwrap();
    page.state_mut().analysis = Some(Progress { done: 10, deeper: [6, 2], ..first });
    page.run_steps(2);
    assert!(page.query_by_label("読み直し 2/6　残り1:20").is_some());
    let again = page.get_by_role_and_label(Role::Button, "一局解析");
    assert!(again.accesskit_node().is_disabled(), "one at a time");
    page.get_by_label("一時停止").click();
    page.run_steps(2);
    page.get_by_label("中止").click();
    page.run_steps(2);
    assert_eq!(asked(&mut page), [StudyAction::PauseAnalysis, StudyAction::EndAnalysis]);
}

/// A page on which an engine reads two moves.
fn reading() -> Harness<'static, Desk> {
    let mut desk = desk(Lang::Ja);
    desk.bar.engines[0].candidates = vec![CandidateView {
        rank: 1,
        word: "▲２六歩".to_owned(),
        value: "52%".to_owned(),
        loss: None,
        line: "△８四歩 ▲２五歩".to_owned(),
        moves: ["2g2f", "8c8d", "2f2e"].map(mv).to_vec(),
    }];
    open(desk)
}

#[test]
fn a_line_is_played_on_the_board_and_kept() {
    let mut page = reading();
    page.get_by_role_and_label(Role::Link, "△８四歩").click();
    page.run();
    assert!(page.query_by_label("８四　後手の歩").is_some(), "it is on the board");
    page.key_press(Key::ArrowRight);
    page.run();
    assert!(page.query_by_label("２五　先手の歩").is_some(), "a key leads on in it");
    assert_eq!(asked(&mut page), [], "and the game stays where it is");
    click(&mut page, "変化として追加");
    assert_eq!(asked(&mut page), [StudyAction::Insert(["2g2f", "8c8d", "2f2e"].map(mv).to_vec())]);
    assert!(page.query_by_label("２五　先手の歩").is_none());
    page.get_by_role_and_label(Role::Link, "△８四歩").click();
    page.run();
    click(&mut page, "棋譜に戻る");
    assert!(page.query_by_label("８四　後手の歩").is_none());
}

#[test]
fn a_key_leads_on_in_a_line_just_clicked_though_the_engine_reads_another() {
    let mut page = reading();
    page.get_by_role_and_label(Role::Link, "△８四歩").click();
    page.run();
    // The pointer is still there, and below it there is another line by now.
    let candidate = &mut page.state_mut().bar.engines[0].candidates[0];
    candidate.moves = ["2g2f", "8c8d", "6i7h"].map(mv).to_vec();
    candidate.line = "△８四歩 ▲７八金".to_owned();
    page.run();
    page.key_press(Key::ArrowRight);
    page.run();
    assert!(page.query_by_label("２五　先手の歩").is_some(), "the line that was clicked leads on");
    page.get_by_role_and_label(Role::Link, "▲７八金").hover();
    page.run();
    page.key_press(Key::ArrowLeft);
    page.run();
    assert!(page.query_by_label("８四　後手の歩").is_some() && page.query_by_label("２六　先手の歩").is_some());
    assert_eq!(asked(&mut page), []);
}

#[test]
fn what_an_analysis_takes_is_said_before_it_begins() {
    let mut page = page();
    click(&mut page, "一局解析");
    let says = |page: &Harness<'static, Desk>, text: &str| assert!(page.query_by_label(text).is_some(), "{text}");
    says(&page, "5局面・約5秒＋読み直し");
    click(&mut page, "水匠");
    says(&page, "5局面・約5秒＋読み直し");
    click(&mut page, "変化も解析する");
    says(&page, "7局面・約7秒＋読み直し");
    click(&mut page, "局面");
    says(&page, "7局面＋読み直し");
    click(&mut page, "キャンセル");
    page.state_mut().document.go_to(3);
    page.run();
    click(&mut page, "一局解析");
    click(&mut page, "秒");
    click(&mut page, "変化も解析する");
    click(&mut page, "この局面から");
    says(&page, "2局面・約2秒＋読み直し");
}

#[test]
fn all_engines_are_seen_in_the_dialog() {
    let mut desk = desk(Lang::Ja);
    desk.engines = (1..=12).map(|nth| format!("エンジン{nth}号")).collect();
    let mut page = open(desk);
    page.set_size(vec2(880.0, 600.0));
    page.run();
    click(&mut page, "一局解析");
    let screen = Rect::from_min_size(egui::Pos2::ZERO, vec2(880.0, 600.0));
    let below = page.get_all_by_label("1局面あたり").next().unwrap().rect().top();
    for nth in 1..=12 {
        let rect = page.get_by_role_and_label(Role::CheckBox, &format!("エンジン{nth}号")).rect();
        assert!(screen.contains_rect(rect) && rect.bottom() <= below, "{nth}: {rect}");
    }
    assert!(screen.contains_rect(page.get_by_label("解析開始").rect()));
}

#[test]
fn part_of_a_game_is_analysed() {
    let mut page = page();
    click(&mut page, "一局解析");
    click(&mut page, "手数で指定");
    for (label, text) in [("最初の手数", "3"), ("最後の手数", "1")] {
        page.get_by_label(label).click();
        page.run();
        page.key_press_modifiers(Modifiers::COMMAND | Modifiers::CTRL, Key::A);
        page.event(Event::Text(text.to_owned()));
        page.key_press(Key::Enter);
        page.run();
    }
    click(&mut page, "解析開始");
    let begun = asked(&mut page);
    let [StudyAction::Analyse(commission)] = begun.as_slice() else { panic!("{begun:?}") };
    assert_eq!((commission.scope.from, commission.scope.to), (1, 3), "in whatever order they are");
    assert_eq!(commission.engines, ["builtin"]);
}

#[test]
fn a_line_is_copied_in_any_notation() {
    let mut page = reading();
    for (label, expect) in [
        ("棋譜の表記 (KI2)　▲２六歩", "▲２六歩 △８四歩 ▲２五歩"),
        ("KIF　２六歩(27)", "２六歩(27) ８四歩(83) ２五歩(26)"),
        ("CSA　+2726FU", "+2726FU -8384FU +2625FU"),
        ("USI　2g2f", "2g2f 8c8d 2f2e"),
        ("英語式 (Hodges)　P-2f", "P-2f P-8d P-2e"),
    ] {
        click(&mut page, "▲２六歩: その他");
        page.get_by_label_contains("読み筋をコピー").hover();
        page.run();
        click(&mut page, label);
        assert_eq!(asked(&mut page), [StudyAction::Copy(expect.to_owned())]);
    }
}

#[test]
fn a_line_of_another_record_is_not_left_on_the_board() {
    let mut page = reading();
    page.get_by_role_and_label(Role::Link, "△８四歩").click();
    page.run();
    let other = kifu::read("1 ２六歩(27)\n".as_bytes()).unwrap().games.remove(0);
    page.state_mut().document.open(other);
    page.run();
    assert!(page.query_by_label("変化として追加").is_none());
}

#[test]
fn what_an_engine_says_is_heard() {
    let page = reading();
    assert!(page.query_by_label("1 ▲２六歩 52% BEST").is_some());
}
