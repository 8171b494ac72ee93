//! Tests of the choice of the judge.

use super::*;

/// A whole analysis by one engine, and another engine's evaluations of the last two moves.
const MIXED_RECORD: &str = "手数----指手---------消費時間--
*#評価値=0
*#エンジン=Fairy [nodes 5]
1 ７六歩(77)
*#評価値=-30
*#エンジン=Fairy [nodes 5]
2 ３四歩(33)
*#評価値=-20
*#エンジン=Fairy [nodes 5]
*#評価値=900
*#エンジン=Shogibar 0.1.0 (built-in, weak) [nodes 5]
3 ２六歩(27)
*#評価値=-60
*#エンジン=Fairy [nodes 5]
*#評価値=-900
*#エンジン=Shogibar 0.1.0 (built-in, weak) [nodes 5]
";

/// Opens the page with [`MIXED_RECORD`].
fn mixed_page() -> Harness<'static, StudyFixture> {
    let mut fixture = fixture(Lang::Ja);
    fixture.document = Document::new(
        shogibar_kifu::read(MIXED_RECORD.as_bytes())
            .unwrap()
            .games
            .remove(0),
    );
    open(fixture)
}

/// The name of the engine with two evaluations.
const WEAK_ENGINE_NAME: &str = "内蔵エンジン";

#[test]
fn clicking_another_engine_changes_the_judge() {
    let mut page = mixed_page();
    let is_judge = |page: &Harness<'static, StudyFixture>, name: &str| {
        page.get_by_role_and_label(Role::RadioButton, name)
            .accesskit_node()
            .toggled()
            == Some(Toggled::True)
    };
    assert!(is_judge(&page, "Fairy") && !is_judge(&page, WEAK_ENGINE_NAME));
    assert!(
        page.query_by_label("3 ▲2六歩 −60").is_some(),
        "the list is by the judge"
    );
    assert!(page.query_by_label_contains("先手 平均損失").is_some());
    page.get_by_role_and_label(Role::RadioButton, WEAK_ENGINE_NAME)
        .click();
    page.run();
    assert!(!is_judge(&page, "Fairy") && is_judge(&page, WEAK_ENGINE_NAME));
    assert!(
        page.query_by_label("3 ▲2六歩 −900 大悪手").is_some(),
        "{:?}",
        page.state().actions
    );
    assert!(
        page.query_by_label("1 ▲7六歩").is_some(),
        "what the judge has not evaluated has no value"
    );
    // Another record has its own judge.
    page.state_mut().document.open(
        shogibar_kifu::read(MIXED_RECORD.as_bytes())
            .unwrap()
            .games
            .remove(0),
    );
    page.run();
    assert!(is_judge(&page, "Fairy"));
}

#[test]
fn moves_have_no_marks_while_the_judge_is_analysing() {
    let mut page = mixed_page();
    page.state_mut()
        .insight
        .choose_judge(shogibar_games::analysis::Evaluator::Engine(
            "Shogibar 0.1.0 (built-in, weak)".to_owned(),
        ));
    page.run();
    assert!(page.query_by_label("3 ▲2六歩 −900 大悪手").is_some());
    page.state_mut()
        .insight
        .set_running_engines(&["Shogibar 0.1.0 (built-in, weak) [nodes 25]"]);
    page.run();
    assert!(
        page.query_by_label("3 ▲2六歩 −900").is_some(),
        "the value is there, and no mark"
    );
    assert!(page.query_by_label("印は解析が終わってから付きます").is_some());
    page.state_mut().insight.set_running_engines(&["Fairy [nodes 5]"]);
    page.run();
    assert!(
        page.query_by_label("3 ▲2六歩 −900 大悪手").is_some(),
        "another's work is no matter"
    );
    page.state_mut().insight.set_running_engines(&[]);
    page.run();
    assert!(page.query_by_label("印は解析が終わってから付きます").is_none());
}
