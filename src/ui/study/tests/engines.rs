//! Tests of the candidates and of the analysis.

use super::*;
use shogibar_games::analysis::{AnalysisStage, DEFAULT_DEEPEN_FACTOR};
use shogibar_games::bar::CandidateView;

#[test]
fn analysis_can_be_started_paused_and_cancelled() {
    let mut page = page();
    click(&mut page, "一局解析");
    click(&mut page, "水匠");
    click(&mut page, "この局面から");
    click(&mut page, "変化も解析する");
    click(&mut page, "解析開始");
    let begun = take_actions(&mut page);
    let [StudyAction::App(AppAction::StartAnalysis(options))] = begun.as_slice() else {
        panic!("{begun:?}")
    };
    assert_eq!(
        (options.scope.variations, options.engines.as_slice()),
        (true, &["builtin", "水匠"].map(str::to_owned)[..])
    );
    assert_eq!((options.scope.from, options.scope.to), (0, u16::MAX));
    assert_eq!(options.deepen, DEFAULT_DEEPEN_FACTOR, "the box is ticked");
    page.state_mut().analysis = Some(Progress {
        stage: AnalysisStage::Running,
        total: 10,
        done_searches: 4,
        second_pass: [0, 0],
        searched_positions: 4,
        remaining_time: Some(std::time::Duration::from_secs(80)),
        engines: Vec::new(),
    });
    page.run_steps(2);
    assert!(page.query_by_label("4/10　残り1:20").is_some());
    assert!(
        page.query_by_label("開く").is_some() && page.query_by_label("その他").is_some(),
        "the tools stay"
    );
    let first = page.state().analysis.clone().unwrap();
    page.state_mut().analysis = Some(Progress {
        done_searches: 10,
        second_pass: [6, 2],
        ..first
    });
    page.run_steps(2);
    assert!(page.query_by_label("読み直し 2/6　残り1:20").is_some());
    let again = page.get_by_role_and_label(Role::Button, "一局解析");
    assert!(again.accesskit_node().is_disabled(), "one at a time");
    page.get_by_label("一時停止").click();
    page.run_steps(2);
    page.get_by_label("中止").click();
    page.run_steps(2);
    assert_eq!(
        take_actions(&mut page),
        [AppAction::PauseAnalysis.into(), AppAction::EndAnalysis.into()]
    );
}

fn candidate_page() -> Harness<'static, StudyFixture> {
    candidate_page_in(Lang::Ja)
}

fn candidate_page_in(lang: Lang) -> Harness<'static, StudyFixture> {
    let mut fixture = fixture(lang);
    fixture.bar.engines[0].candidates = vec![candidate()];
    open(fixture)
}

fn candidate() -> CandidateView {
    CandidateView {
        rank: 1,
        word: "▲2六歩".to_owned(),
        percent: "52%".to_owned(),
        loss: None,
        line: "△8四歩 ▲2五歩".to_owned(),
        moves: ["2g2f", "8c8d", "2f2e"].map(mv).to_vec(),
        ..CandidateView::default()
    }
}

/// Opens a page with two engines and a pv of three moves each.
fn two_engines_page() -> Harness<'static, StudyFixture> {
    let mut fixture = fixture(Lang::Ja);
    let second = CandidateView {
        word: "▲6八銀".to_owned(),
        line: "△3四歩 ▲5六歩".to_owned(),
        moves: ["7i6h", "3c3d", "5g5f"].map(mv).to_vec(),
        ..candidate()
    };
    let engine = |name: &str, candidate: CandidateView| EngineView {
        name: name.to_owned(),
        candidates: vec![candidate],
        ..EngineView::default()
    };
    fixture.bar.engines = vec![engine("一", candidate()), engine("二", second)];
    open(fixture)
}

/// Returns whether an egui id is used twice: a debug build draws a warning on the page.
fn is_id_shared(page: &Harness<'static, StudyFixture>) -> bool {
    let mut shapes: Vec<_> = page
        .output()
        .shapes
        .iter()
        .map(|clipped| &clipped.shape)
        .collect();
    while let Some(shape) = shapes.pop() {
        match shape {
            egui::Shape::Vec(more) => shapes.extend(more),
            egui::Shape::Text(text) if text.galley.text().contains(" use of ") => return true,
            _ => {}
        }
    }
    false
}

#[test]
fn candidate_is_played_by_enter_or_a_double_click() {
    let mut page = candidate_page();
    page.get_by_label("1 ▲2六歩 52% 最善").focus();
    page.run();
    page.key_press(Key::Enter);
    page.run();
    assert_eq!(take_actions(&mut page), [DocumentEdit::Play(mv("2g2f")).into()]);
    let mut page = candidate_page();
    let pos = page.get_by_role_and_label(Role::Link, "▲2六歩").rect().center();
    let button = |pressed| {
        let (button, modifiers) = (egui::PointerButton::Primary, Modifiers::NONE);
        Event::PointerButton {
            pos,
            button,
            pressed,
            modifiers,
        }
    };
    page.input_mut().events.extend([
        Event::PointerMoved(pos),
        button(true),
        button(false),
        button(true),
        button(false),
    ]);
    page.run();
    assert_eq!(take_actions(&mut page), [DocumentEdit::Play(mv("2g2f")).into()]);
}

#[test]
fn arrows_can_be_switched_off() {
    let mut page = candidate_page();
    page.key_press_modifiers(Modifiers::CTRL | Modifiers::COMMAND | Modifiers::SHIFT, Key::Y);
    page.run();
    assert_eq!(take_actions(&mut page), [StudyAction::Command(Command::Arrows)]);
}

#[test]
fn pvs_of_two_engines_can_be_previewed() {
    let mut page = two_engines_page();
    assert!(!is_id_shared(&page));
    for (link, here, next) in [
        ("△8四歩", "8四　後手の歩", "2五　先手の歩"),
        ("△3四歩", "3四　後手の歩", "5六　先手の歩"),
    ] {
        page.get_by_role_and_label(Role::Link, link).hover();
        page.run();
        assert!(page.query_by_label(here).is_some(), "{link} is pointed at");
        page.get_by_role_and_label(Role::Link, link).click();
        page.run();
        page.key_press(Key::ArrowRight);
        page.run();
        assert!(page.query_by_label(next).is_some(), "a key leads on from {link}");
    }
    assert_eq!(take_actions(&mut page), []);
    click(&mut page, "一局解析");
    assert!(!is_id_shared(&page), "nor in the dialog");
}

#[test]
fn new_record_or_escape_ends_the_preview_below_the_pointer() {
    for is_pinned in [true, false] {
        let mut page = candidate_page();
        let link = page.get_by_role_and_label(Role::Link, "△8四歩");
        if is_pinned {
            link.click();
        } else {
            link.hover();
        }
        page.run();
        assert!(page.query_by_label("8四　後手の歩").is_some());
        page.key_press(Key::Escape);
        page.run();
        assert!(
            page.query_by_label("8四　後手の歩").is_none(),
            "Escape shows the position on view"
        );
        assert!(page.query_by_label("変化として追加").is_none());
        page.get_by_role_and_label(Role::Link, "▲2五歩").hover();
        page.run();
        assert!(
            page.query_by_label("2五　先手の歩").is_some(),
            "once the pointer moves a line is shown again"
        );
        if is_pinned {
            page.get_by_role_and_label(Role::Link, "▲2五歩").click();
            page.run();
        }
        // The engine still shows its candidates for the old position.
        page.state_mut()
            .document
            .open(shogibar_kifu::Record::new(&Position::startpos()));
        page.run();
        assert!(
            page.query_by_label("2五　先手の歩").is_none(),
            "a new game begins"
        );
        assert!(page.query_by_label("2七　先手の歩").is_some());
    }
}

#[test]
fn preview_buttons_are_fully_visible() {
    for (size, is_small) in [
        ([1320.0, 880.0], false),
        ([880.0, 420.0], false),
        ([340.0, 460.0], true),
        ([280.0, 400.0], true),
    ] {
        let mut page = candidate_page_in(Lang::En);
        page.get_by_role_and_label(Role::Link, "△8四歩").click();
        page.run();
        page.set_size(size.into());
        if is_small {
            page.key_press_modifiers(Modifiers::CTRL | Modifiers::COMMAND, Key::M);
        }
        page.run();
        let right = page
            .query_by_label("Moves")
            .map_or(size[0], |list| list.rect().left());
        for label in ["Add as a variation", "Back to the game"] {
            let rect = page.get_by_label(label).rect();
            assert!(
                rect.left() >= 0.0 && rect.right() < right,
                "{label} at {size:?}: {rect}, {right}"
            );
        }
    }
}

#[test]
fn pv_can_be_stepped_through_and_inserted() {
    let mut page = candidate_page();
    page.get_by_role_and_label(Role::Link, "△8四歩").click();
    page.run();
    assert!(
        page.query_by_label("8四　後手の歩").is_some(),
        "it is on the board"
    );
    page.key_press(Key::ArrowRight);
    page.run();
    assert!(
        page.query_by_label("2五　先手の歩").is_some(),
        "a key leads on in it"
    );
    assert_eq!(take_actions(&mut page), [], "and the game stays where it is");
    click(&mut page, "変化として追加");
    assert_eq!(
        take_actions(&mut page),
        [DocumentEdit::Insert(None, ["2g2f", "8c8d", "2f2e"].map(mv).to_vec()).into()]
    );
    assert!(page.query_by_label("2五　先手の歩").is_none());
    page.get_by_role_and_label(Role::Link, "△8四歩").click();
    page.run();
    click(&mut page, "棋譜に戻る");
    assert!(page.query_by_label("8四　後手の歩").is_none());
}

#[test]
fn keys_step_through_the_clicked_pv_after_an_update() {
    let mut page = candidate_page();
    page.get_by_role_and_label(Role::Link, "△8四歩").click();
    page.run();
    // The pointer is still there, but another pv is below it now.
    let candidate = &mut page.state_mut().bar.engines[0].candidates[0];
    candidate.moves = ["2g2f", "8c8d", "6i7h"].map(mv).to_vec();
    candidate.line = "△8四歩 ▲7八金".to_owned();
    page.run();
    page.key_press(Key::ArrowRight);
    page.run();
    assert!(
        page.query_by_label("2五　先手の歩").is_some(),
        "the line that was clicked leads on"
    );
    page.get_by_role_and_label(Role::Link, "▲7八金").hover();
    page.run();
    page.key_press(Key::ArrowLeft);
    page.run();
    assert!(page.query_by_label("8四　後手の歩").is_some() && page.query_by_label("2六　先手の歩").is_some());
    assert_eq!(take_actions(&mut page), []);
}

#[test]
fn a_click_takes_the_pv_that_was_there_when_the_button_was_pressed() {
    let mut page = candidate_page();
    let pos = page.get_by_role_and_label(Role::Link, "△8四歩").rect().center();
    let button = |pressed| {
        let (button, modifiers) = (egui::PointerButton::Primary, Modifiers::NONE);
        Event::PointerButton {
            pos,
            button,
            pressed,
            modifiers,
        }
    };
    page.input_mut()
        .events
        .extend([Event::PointerMoved(pos), button(true)]);
    // A longer press does not count as a click.
    page.step();
    let candidate = &mut page.state_mut().bar.engines[0].candidates[0];
    candidate.moves = ["7g7f", "3c3d", "6g6f"].map(mv).to_vec();
    (candidate.word, candidate.line) = ("▲7六歩".to_owned(), "△3四歩 ▲6六歩".to_owned());
    page.step();
    page.input_mut().events.push(button(false));
    page.run();
    page.key_press(Key::ArrowRight);
    page.run();
    assert!(
        page.query_by_label("2五　先手の歩").is_some(),
        "not the one that came in between"
    );
}

#[test]
fn no_click_falls_between_two_moves_of_a_pv() {
    let page = candidate_page();
    let [one, other] = ["△8四歩", "▲2五歩"].map(|link| page.get_by_role_and_label(Role::Link, link).rect());
    assert!(one.right() >= other.left(), "{one} {other}");
}

#[test]
fn estimated_effort_is_shown_before_an_analysis() {
    let mut page = page();
    click(&mut page, "一局解析");
    let says = |page: &Harness<'static, StudyFixture>, text: &str| {
        assert!(page.query_by_label(text).is_some(), "{text}");
    };
    says(&page, "5局面・約5秒＋読み直し");
    click(&mut page, "水匠");
    says(&page, "5局面・約5秒＋読み直し");
    click(&mut page, "変化も解析する");
    says(&page, "7局面・約7秒＋読み直し");
    click(&mut page, "ノード");
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
fn dialog_shows_all_engines() {
    let mut fixture = fixture(Lang::Ja);
    fixture.engines = (1..=12).map(|nth| format!("エンジン{nth}号")).collect();
    let mut page = open(fixture);
    page.set_size(vec2(880.0, 600.0));
    page.run();
    click(&mut page, "一局解析");
    let screen = Rect::from_min_size(egui::Pos2::ZERO, vec2(880.0, 600.0));
    let below = page.get_all_by_label("1局面あたり").next().unwrap().rect().top();
    for nth in 1..=12 {
        let rect = page
            .get_by_role_and_label(Role::CheckBox, &format!("エンジン{nth}号"))
            .rect();
        assert!(
            screen.contains_rect(rect) && rect.bottom() <= below,
            "{nth}: {rect}"
        );
    }
    assert!(screen.contains_rect(page.get_by_label("解析開始").rect()));
}

/// An analysed game has nothing to begin with, unless its swings are still to be searched longer.
#[test]
fn an_analysis_without_a_position_cannot_be_started() {
    for (value, can_begin) in [(30, false), (900, true)] {
        let mut fixture = fixture(Lang::Ja);
        let game = format!(
            "手数----指手---------消費時間--\n*#評価値=0\n*#エンジン=builtin [movetime 1000]\n1 ７六歩(77)\n\
                *#評価値={value}\n*#エンジン=builtin [movetime 1000]\n"
        );
        fixture.document = Document::new(shogibar_kifu::read(game.as_bytes()).unwrap().games.remove(0));
        let mut page = open(fixture);
        page.key_press_modifiers(Modifiers::COMMAND | Modifiers::CTRL, Key::A);
        page.run();
        let text = if can_begin {
            "読み直しのみ"
        } else {
            "解析する局面はありません"
        };
        assert!(page.query_by_label(text).is_some(), "{value}");
        let begin = page.get_by_role_and_label(Role::Button, "解析開始");
        assert_eq!(begin.accesskit_node().is_disabled(), !can_begin, "{value}");
        click(&mut page, "解析済みの局面もやり直す");
        let begin = page.get_by_role_and_label(Role::Button, "解析開始");
        assert!(!begin.accesskit_node().is_disabled(), "{value}");
    }
}

#[test]
fn range_of_a_game_can_be_analysed() {
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
    let begun = take_actions(&mut page);
    let [StudyAction::App(AppAction::StartAnalysis(options))] = begun.as_slice() else {
        panic!("{begun:?}")
    };
    assert_eq!(
        (options.scope.from, options.scope.to),
        (1, 3),
        "in whatever order they are"
    );
    assert_eq!(options.engines, ["builtin"]);
}

#[test]
fn pv_can_be_copied_in_every_notation() {
    let mut page = candidate_page();
    for (label, expect) in [
        ("棋譜の表記 (KI2)　▲２六歩", "▲２六歩 △８四歩 ▲２五歩"),
        ("KIF　２六歩(27)", "２六歩(27) ８四歩(83) ２五歩(26)"),
        ("CSA　+2726FU", "+2726FU -8384FU +2625FU"),
        ("USI　2g2f", "2g2f 8c8d 2f2e"),
        ("英語式 (Hodges)　P-2f", "P-2f P-8d P-2e"),
    ] {
        click(&mut page, "▲2六歩: その他");
        page.get_by_label_contains("読み筋をコピー").hover();
        page.run();
        click(&mut page, label);
        assert_eq!(
            take_actions(&mut page),
            [StudyAction::CopyText(expect.to_owned())]
        );
    }
}

#[test]
fn pv_of_another_record_is_removed_from_the_board() {
    let mut page = candidate_page();
    page.get_by_role_and_label(Role::Link, "△8四歩").click();
    page.run();
    let other = shogibar_kifu::read("1 ２六歩(27)\n".as_bytes())
        .unwrap()
        .games
        .remove(0);
    page.state_mut().document.open(other);
    page.run();
    assert!(page.query_by_label("変化として追加").is_none());
}

#[test]
fn candidates_have_accessible_labels() {
    let page = candidate_page();
    assert!(page.query_by_label("1 ▲2六歩 52% 最善").is_some());
}

/// The name of the engine is always visible. It is the button of a menu that changes the engine, its candidates and its
/// limit.
#[test]
fn the_engine_is_named_and_changed_on_the_page() {
    for size in [vec2(1320.0, 840.0), vec2(880.0, 600.0)] {
        let mut fixture = fixture(Lang::Ja);
        fixture.engines = vec!["水匠5".to_owned(), "builtin".to_owned()];
        let mut page = open(fixture);
        page.set_size(size);
        page.run();
        if page.query_by_label("候補").is_some() {
            click(&mut page, "候補");
        }
        let choose = |page: &mut Harness<'static, StudyFixture>, label: &str| {
            click(page, "エンジン: 内蔵エンジン");
            click(page, label);
            take_actions(page)
        };
        assert_eq!(
            choose(&mut page, "水匠5"),
            [AppAction::ReplaceEngine("水匠5".to_owned()).into()]
        );
        let search = |multipv, limit| {
            vec![StudyAction::SetSearch(Box::new(EngineSearch {
                name: "builtin".to_owned(),
                multipv,
                limit,
            }))]
        };
        assert_eq!(choose(&mut page, "候補手の数 7"), search(Some(7), None));
        let ten = Some(shogibar_engine::options::Limit::Time(
            std::time::Duration::from_secs(10),
        ));
        assert_eq!(choose(&mut page, "10秒"), search(Some(3), ten));
    }
    let mut fixture = fixture(Lang::Ja);
    fixture.replaced_engine = Some("水匠5");
    let page = open(fixture);
    assert!(
        page.query_by_label("エンジン: 内蔵エンジン（水匠5 を使えないため）")
            .is_some()
    );
}
