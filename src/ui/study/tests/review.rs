//! Tests of the review card.

use super::*;

/// A game with a mistake of each side, and the better moves.
pub(super) const MISTAKES: &str = "先手：山田\n後手：鈴木\n手数----指手---------消費時間--\n**評価値=0\n1 ７六歩(77)\n\
    **評価値=100\n**読み筋=△8四歩▲2六歩△3四歩\n2 ３四歩(33)\n**評価値=900\n**読み筋=▲6六歩△8四歩\n3 ２六歩(27)\n\
    **評価値=-100\n**読み筋=△4四歩\n4 ４四歩(43)\n**評価値=-90\n**読み筋=▲2五歩\n5 ２五歩(26)\n**評価値=-90\n*長い攻め\n";

/// Opens the page with [`MISTAKES`] at a ply.
fn review_page(lang: Lang, ply: usize) -> Harness<'static, StudyFixture> {
    let mut fixture = fixture(lang);
    fixture.document = Document::new(shogibar_kifu::read(MISTAKES.as_bytes()).unwrap().games.remove(0));
    fixture.document.go_to(ply);
    open(fixture)
}

fn has(page: &Harness<'static, StudyFixture>, label: &str) -> bool {
    page.query_all_by_label(label).next().is_some()
}

#[test]
fn mistake_has_its_loss_and_the_better_move() {
    let page = review_page(Lang::Ja, 2);
    for label in [
        "△3四歩 悪手 −28点",
        "最善は",
        "△8四歩",
        "最善 46%",
        "実戦 18%",
        "とがめる順",
        "▲6六歩",
    ] {
        assert!(has(&page, label), "{label}");
    }
    let page = review_page(Lang::En, 3);
    assert!(
        has(&page, "P-2f mistake −36 pts") && has(&page, "P-6f"),
        "and in English"
    );
}

/// The key works at a mistake, where the review replaces the comment, and on a page of any size.
#[test]
fn a_key_opens_the_comment() {
    for size in [vec2(1320.0, 840.0), vec2(880.0, 600.0), vec2(1920.0, 1040.0)] {
        let mut page = review_page(Lang::Ja, 2);
        page.set_size(size);
        page.run();
        page.key_press_modifiers(Modifiers::COMMAND, Key::I);
        page.run();
        page.run();
        page.get_by_role_and_label(Role::MultilineTextInput, "コメント")
            .type_text("急いだ");
        page.run();
        let document = &page.state().document;
        let comment = document
            .record()
            .node(document.current())
            .comment()
            .unwrap_or_default();
        assert!(comment.contains("急いだ"), "{size:?}: {comment}");
    }
}

#[test]
fn keys_go_from_mistake_to_mistake() {
    let mut page = review_page(Lang::Ja, 0);
    for (key, expect) in [
        (Key::CloseBracket, 2),
        (Key::CloseBracket, 3),
        (Key::CloseBracket, 3),
        (Key::OpenBracket, 2),
        (Key::OpenBracket, 2),
    ] {
        page.key_press(key);
        page.run();
        assert_eq!(page.state().document.ply(), expect, "{key:?}");
    }
    click(&mut page, "次のミス");
    assert_eq!(page.state().document.ply(), 3);
}

#[test]
fn better_line_is_played_on_the_board_and_added() {
    let mut page = review_page(Lang::Ja, 2);
    click(&mut page, "最善の順");
    click(&mut page, "▲2六歩");
    assert!(
        has(&page, "2六　先手の歩") && has(&page, "3三　後手の歩"),
        "instead of the game's move"
    );
    page.key_press(Key::ArrowRight);
    page.run();
    assert!(has(&page, "3四　後手の歩"), "the next move of the line");
    page.key_press(Key::Escape);
    page.run();
    assert!(has(&page, "2七　先手の歩"), "the game again");
    click(&mut page, "棋譜に加える");
    let StudyAction::App(AppAction::Edit(DocumentEdit::Insert(Some(node), moves))) =
        take_actions(&mut page).pop().unwrap()
    else {
        panic!("no line")
    };
    assert_eq!((node, moves.len()), (page.state().document.line()[0], 3));
    assert!(has(&page, "棋譜にあります") && !has(&page, "棋譜に加える"));
    assert_eq!(
        page.state().line(),
        "7g7f 3c3d | 2g2f 4c4d 2f2e",
        "the current node stays"
    );
}

#[test]
fn other_moves_have_the_summary_of_the_game() {
    let mut page = review_page(Lang::Ja, 4);
    for label in [
        "平均損失",
        "一致率",
        "正確さ",
        "ミス一覧",
        "2手目　△3四歩 悪手 −28点 勝敗を分けた手",
    ] {
        assert!(has(&page, label), "{label}");
    }
    click(&mut page, "3手目　▲2六歩 悪手 −36点 勝敗を分けた手");
    assert_eq!(page.state().document.ply(), 3);
}

#[test]
fn the_ring_of_decisive_moves_is_explained() {
    let count = |page: &Harness<'static, StudyFixture>, label: &str| page.query_all_by_label(label).count();
    let wide_page = |lang| {
        let mut page = review_page(lang, 4);
        page.set_size(vec2(1920.0, 1040.0));
        page.run();
        page
    };
    // The graph and the list of mistakes have rings.
    assert_eq!(count(&wide_page(Lang::En), "Decisive move"), 2);
    let mut page = wide_page(Lang::Ja);
    assert_eq!(count(&page, "勝敗を分けた手"), 2);
    let bar = page.state().bar.hidden(Lang::Ja);
    page.state_mut().bar = bar;
    page.run();
    assert_eq!(count(&page, "勝敗を分けた手"), 0, "of a hidden evaluation");
    let small = review_page(Lang::Ja, 4);
    assert!(
        has(&small, "勝敗を分けた手"),
        "in one of them where there is little room"
    );
    // Without a decisive move, there is no ring to explain.
    let mut fixture = fixture(Lang::Ja);
    let calm = MISTAKES
        .replace("評価値=900", "評価値=150")
        .replace("評価値=-100", "評価値=100")
        .replace("評価値=-90", "評価値=100");
    fixture.document = Document::new(shogibar_kifu::read(calm.as_bytes()).unwrap().games.remove(0));
    assert_eq!(count(&open(fixture), "勝敗を分けた手"), 0);
}

#[test]
fn comment_stays_beside_the_review() {
    let mut page = review_page(Lang::Ja, 5);
    let field = page.get_by_role_and_label(Role::MultilineTextInput, "コメント");
    assert_eq!(field.value().as_deref(), Some("長い攻め"));
    click(&mut page, "振り返り");
    assert!(has(&page, "正確さ"));
    click(&mut page, "コメント");
    assert!(
        page.query_by_role_and_label(Role::MultilineTextInput, "コメント")
            .is_some()
            && !has(&page, "正確さ")
    );
    let mut page = review_page(Lang::Ja, 3);
    page.get_by_role_and_label(Role::MultilineTextInput, "コメント")
        .focus();
    page.run();
    page.get_by_role_and_label(Role::MultilineTextInput, "コメント")
        .type_text("軽率");
    page.run();
    assert!(
        page.state()
            .document
            .record()
            .node(page.state().document.current())
            .comment()
            .unwrap()
            .contains("軽率")
    );
    click(&mut page, "振り返り: ▲2六歩 悪手 −36点");
    assert!(has(&page, "最善 82%"));
}

#[test]
fn hidden_evaluations_have_no_review() {
    let mut fixture = fixture(Lang::Ja);
    fixture.document = Document::new(shogibar_kifu::read(MISTAKES.as_bytes()).unwrap().games.remove(0));
    fixture.document.go_to(2);
    fixture.bar = fixture.bar.hidden(Lang::Ja);
    let mut page = open(fixture);
    assert!(!has(&page, "最善は") && !has(&page, "次のミス"));
    page.key_press(Key::CloseBracket);
    page.run();
    assert_eq!(
        page.state().document.ply(),
        2,
        "a step would tell where the mistakes are"
    );
}

#[test]
fn game_without_values_is_offered_an_analysis() {
    let mut fixture = fixture(Lang::Ja);
    fixture.document = Document::new(
        shogibar_kifu::read(b"startpos moves 7g7f 3c3d")
            .unwrap()
            .games
            .remove(0),
    );
    let mut page = open(fixture);
    assert!(has(
        &page,
        "一局解析をすると、悪手・疑問手と最善手がここに出ます。"
    ));
    page.get_all_by_label("一局解析").last().unwrap().click();
    page.run();
    assert!(has(&page, "解析開始"), "its dialog is open");
    assert!(
        page.query_by_role_and_label(Role::MultilineTextInput, "コメント")
            .is_some()
    );
}

/// At a mistake, the keyboard alone is enough. A key shows the better line on the board, and the arrows step through
/// it.
#[test]
fn a_key_shows_the_better_line() {
    let mut page = review_page(Lang::Ja, 2);
    let press = |page: &mut Harness<'static, StudyFixture>, key| {
        page.key_press(key);
        page.run();
    };
    press(&mut page, Key::B);
    assert!(has(&page, "8四　後手の歩") && has(&page, "棋譜に戻る"));
    press(&mut page, Key::ArrowRight);
    assert!(has(&page, "2六　先手の歩"));
    press(&mut page, Key::B);
    press(&mut page, Key::B);
    assert!(
        has(&page, "8三　後手の歩") && page.state().document.ply() == 2,
        "it is as before"
    );
    // At a move that is not a mistake, there is nothing to show.
    page.state_mut().document.go_to(1);
    page.run();
    press(&mut page, Key::B);
    assert!(!has(&page, "棋譜に戻る"));
}

/// The comment field moves to another card only once it has text. So Tab leads past it in both directions.
#[test]
fn tab_leads_past_the_comment_both_ways() {
    let mut page = review_page(Lang::Ja, 2);
    let press = |page: &mut Harness<'static, StudyFixture>, modifiers| {
        page.key_press_modifiers(modifiers, Key::Tab);
        page.run();
    };
    let is_at = |page: &Harness<'static, StudyFixture>, role, label: &str| {
        page.query_all_by_role_and_label(role, label)
            .any(|node| node.accesskit_node().is_focused())
    };
    page.get_by_role_and_label(Role::MultilineTextInput, "コメント")
        .focus();
    page.run();
    press(&mut page, Modifiers::SHIFT);
    assert!(is_at(&page, Role::Button, "△8四歩"), "the line is before it");
    press(&mut page, Modifiers::NONE);
    assert!(is_at(&page, Role::MultilineTextInput, "コメント"));
    press(&mut page, Modifiers::NONE);
    assert!(is_at(&page, Role::Button, "前のミス") || is_at(&page, Role::Button, "次のミス"));
}

/// While no widget uses the keyboard, Tab shows the other line and does not move the focus.
#[test]
fn tab_switches_between_the_lines() {
    let mut page = review_page(Lang::Ja, 2);
    for label in ["▲2六歩", "▲6六歩"] {
        page.key_press(Key::Tab);
        page.run();
        assert!(
            page.query_by_role_and_label(Role::Button, label).is_some(),
            "{label}"
        );
        assert!(page.ctx.memory(|memory| memory.focused().is_none()));
    }
    click(&mut page, "最善の順");
    page.key_press(Key::CloseBracket);
    page.run();
    assert!(
        page.query_by_role_and_label(Role::Button, "△8四歩").is_some(),
        "a move without a better line shows the other"
    );
}

/// The chips begin above the buttons in every window. Those that do not fit are reached by the wheel.
#[test]
fn every_move_of_a_long_line_can_be_seen() {
    let sizes = [
        vec2(1320.0, 683.0),
        vec2(1320.0, 840.0),
        vec2(1320.0, 900.0),
        vec2(880.0, 600.0),
        vec2(1920.0, 1040.0),
    ];
    for size in sizes {
        let mut fixture = fixture(Lang::Ja);
        let line = "△8四歩▲2六歩△3四歩▲2五歩△8五歩▲7八金△3二金▲2四歩";
        let game = MISTAKES.replace("△8四歩▲2六歩△3四歩", line);
        fixture.document = Document::new(shogibar_kifu::read(game.as_bytes()).unwrap().games.remove(0));
        fixture.document.go_to(1);
        let mut page = open(fixture);
        page.set_size(size);
        page.run();
        page.key_press(Key::CloseBracket);
        page.run();
        click(&mut page, "最善の順");
        let chip = |page: &Harness<'static, StudyFixture>, word: &str| {
            page.query_all_by_role_and_label(Role::Button, word)
                .last()
                .expect(word)
                .rect()
        };
        let steps = page.get_by_role_and_label(Role::Button, "次のミス").rect();
        let first = chip(&page, "△8四歩");
        assert!(
            first.height() > 10.0 && first.bottom() < steps.top(),
            "{size:?}: {first} {steps}"
        );
        page.hover_at(first.center());
        page.event(Event::MouseWheel {
            unit: egui::MouseWheelUnit::Line,
            delta: vec2(0.0, -20.0),
            phase: egui::TouchPhase::Move,
            source: egui::MouseWheelSource::Wheel,
            modifiers: Modifiers::NONE,
        });
        page.run();
        let last = chip(&page, "▲2四歩");
        assert!(
            last.height() > 10.0 && last.bottom() < steps.top(),
            "{size:?}: {last} {steps}"
        );
    }
}

/// In the default window, and with the comment beside the review on a wide page, all parts have their room.
#[test]
fn a_mistake_is_whole_in_the_default_window() {
    let page = |size| {
        let mut page = review_page(Lang::Ja, 2);
        page.set_size(size);
        page.run();
        page
    };
    let small = page(vec2(1320.0, 683.0));
    let steps = small.get_by_role_and_label(Role::Button, "次のミス").rect();
    for chip in ["▲6六歩", "△8四歩"] {
        let chip = small
            .query_all_by_role_and_label(Role::Button, chip)
            .last()
            .unwrap()
            .rect();
        assert!(chip.bottom() < steps.top(), "{chip} {steps}");
    }
    let mut wide = page(vec2(1900.0, 1040.0));
    let field = |page: &Harness<'static, StudyFixture>| {
        page.get_by_role_and_label(Role::MultilineTextInput, "コメント")
            .rect()
    };
    assert!(
        field(&wide).height() < 40.0,
        "an empty comment has one line: {}",
        field(&wide)
    );
    wide.get_by_role_and_label(Role::MultilineTextInput, "コメント")
        .focus();
    wide.run();
    wide.get_by_role_and_label(Role::MultilineTextInput, "コメント")
        .type_text("軽率");
    wide.run();
    assert!(
        field(&wide).height() > 40.0 && has(&wide, "最善 46%"),
        "a comment is beside the review"
    );
}

#[test]
fn mistakes_that_were_easy_to_avoid_are_set_apart_with_their_reasons() {
    use shogibar_facts::{Ease, EaseLevel, Fact, FactKind, FactPosition, Gain};
    use shogibar_games::analysis::MoveReason;
    use shogibar_games::move_facts::MoveFacts;
    use shogibar_games::reasons::facts_with_texts;
    use shogibar_shogi::PieceKind;

    let mut page = review_page(Lang::Ja, 0);
    assert!(!has(&page, "気をつけたいミス"), "nothing is known yet");
    let node = {
        let StudyFixture {
            document, insight, ..
        } = page.state_mut();
        let node = document.line()[1];
        // Black captures White's bishop.
        let kind = FactKind::LosesPiece {
            piece: PieceKind::Bishop,
            square: mv("8h2b+").to(),
            gain: Gain(-80),
        };
        let side = insight.assessed(node).unwrap().side;
        let lost = Fact {
            kind,
            side,
            at: FactPosition::After,
            lead: 0,
            line: vec![mv("8h2b+")],
        };
        let ease = Ease {
            level: EaseLevel::Easy,
            depth: Some(3),
            nodes: Some(200),
        };
        let basis = insight.review().reason_basis(document.record(), node).unwrap();
        let proved = facts_with_texts(vec![lost], &document.history_at(node), false);
        let reason = MoveReason {
            basis,
            proved_facts: proved,
            ease: Some(ease),
            hidden_by: Vec::new(),
        };
        insight.set_reason(document.record(), node, Some(reason));
        node
    };
    page.run();
    assert!(has(&page, "気をつけたいミス"));
    assert!(has(&page, "2手目　△3四歩 悪手 −28点 角を取られる 勝敗を分けた手"));
    page.state_mut().document.go(node);
    page.run();
    assert!(has(&page, "▲2二角成以下、角損になる。"));
    // The same cause is not told again, and is not said to be unproved.
    let StudyFixture {
        document, insight, ..
    } = page.state_mut();
    let next = document.line()[2];
    let basis = insight.review().reason_basis(document.record(), next).unwrap();
    let proved_facts = insight.review().reason(node).unwrap().proved_facts.clone();
    let reason = |proved_facts| MoveReason {
        basis: basis.clone(),
        proved_facts,
        ease: None,
        hidden_by: Vec::new(),
    };
    let (repeated, unproved) = (reason(proved_facts), reason(MoveFacts::default()));
    insight.set_reason(document.record(), next, Some(repeated));
    document.go(next);
    page.run();
    assert!(!has(&page, "▲2二角成以下、角損になる。") && !has(&page, "理由は証明できませんでした。"));
    let StudyFixture {
        document, insight, ..
    } = page.state_mut();
    insight.set_reason(document.record(), next, Some(unproved));
    page.run();
    assert!(has(&page, "理由は証明できませんでした。"));
}
