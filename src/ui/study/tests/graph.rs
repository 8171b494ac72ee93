//! Tests of the graph's card: the menu, the curve of live values, a variation, the summary.

use super::*;
use shogibar_games::analysis::Evaluator;
use shogibar_games::study::{EvaluationSeries, LiveValues};
use shogibar_shogi::score::{Value, WinRateModel};

const GRAPH_LABEL: &str = "形勢グラフ";

/// Returns the text that a screen reader has for the current move.
fn tooltip_text(page: &Harness<'static, StudyFixture>) -> String {
    page.get_by_role_and_label(Role::Slider, GRAPH_LABEL)
        .accesskit_node()
        .value()
        .unwrap_or_default()
}

/// Returns values in centipawns that one engine has shown on the current line.
fn live_values(version: u64, values: &[Option<i32>]) -> LiveValues {
    let values = values.iter().map(|value| value.map(Value::Cp)).collect();
    let by = Evaluator::Engine("水匠".to_owned());
    let series = EvaluationSeries {
        evaluator: by,
        is_judge: false,
        values,
        model: WinRateModel::default(),
    };
    LiveValues {
        version,
        line: vec![series],
        ..LiveValues::default()
    }
}

#[test]
fn values_shown_live_grow_a_curve_where_the_record_has_none() {
    let mut page = page();
    page.state_mut().document.go_to(4);
    page.run();
    assert_eq!(tooltip_text(&page), "4手目　△4四歩　1:05");
    page.state_mut().live_values = live_values(1, &[Some(1), Some(2), Some(3), Some(4), Some(150)]);
    page.run();
    assert_eq!(tooltip_text(&page), "4手目　△4四歩　1:05　水匠　先手 56%　+150");
    assert!(page.query_by_label("水匠").is_some(), "the legend names it");
    page.state_mut().live_values = live_values(2, &[None, None, None, None, Some(-150)]);
    page.run();
    assert!(tooltip_text(&page).ends_with("先手 44%　−150"));
    page.state_mut().document.go_to(3);
    page.run();
    assert!(
        tooltip_text(&page).contains("−500") && !tooltip_text(&page).contains("水匠"),
        "{}",
        tooltip_text(&page)
    );
    page.state_mut().bar.is_hidden = true;
    page.state_mut().document.go_to(4);
    page.run();
    assert_eq!(
        tooltip_text(&page),
        "4手目　△4四歩　1:05",
        "hidden evaluations reveal nothing"
    );
    assert!(page.query_by_label("水匠").is_none());
}

#[test]
fn the_game_stays_beside_a_variation() {
    let mut page = page();
    page.state_mut().document.go_to(1);
    page.run();
    click(&mut page, "△8四歩");
    assert_eq!(page.state().line(), "7g7f 8c8d | 2g2f");
    assert_eq!(tooltip_text(&page), "2手目　△8四歩　0:20　本譜　先手 52%　+40");
    // The game is longer than the variation. A click beyond the variation's end goes to its end.
    let rect = page.get_by_role_and_label(Role::Slider, GRAPH_LABEL).rect();
    page.event(Event::PointerMoved(rect.right_center() - vec2(10.0, 0.0)));
    for pressed in [true, false] {
        let pos = rect.right_center() - vec2(10.0, 0.0);
        let button = egui::PointerButton::Primary;
        page.event(Event::PointerButton {
            pos,
            button,
            pressed,
            modifiers: Modifiers::NONE,
        });
    }
    page.run();
    assert_eq!(page.state().line(), "7g7f 8c8d 2g2f |");
    page.state_mut().bar.is_hidden = true;
    page.run();
    assert!(!tooltip_text(&page).contains('%'), "{}", tooltip_text(&page));
}

#[test]
fn the_menu_of_the_graph_works_by_keys() {
    let mut page = page();
    page.state_mut().document.go_to(2);
    page.run();
    page.get_by_label("グラフの表示").focus();
    page.run();
    page.key_press(Key::Enter);
    page.run();
    assert!(page.query_by_role_and_label(Role::RadioButton, "両方").is_some());
    page.get_by_role_and_label(Role::CheckBox, "消費時間").focus();
    page.run();
    page.key_press(Key::Space);
    page.run();
    assert!(
        !tooltip_text(&page).contains("0:20"),
        "without its time: {}",
        tooltip_text(&page)
    );
}

#[test]
fn bad_moves_are_summed_up_above_the_graph() {
    let mut page = page();
    let has_label =
        |page: &Harness<'static, StudyFixture>, text: &str| page.query_by_label_contains(text).is_some();
    assert!(has_label(&page, "先手　悪手1・疑問手0　　後手　悪手0・疑問手0"));
    assert!(has_label(&page, "先手 平均損失"));
    page.state_mut().bar.is_hidden = true;
    page.run();
    assert!(!has_label(&page, "悪手1") && !has_label(&page, "平均損失"));
}

#[test]
fn no_tooltip_of_the_graph_reaches_behind_a_dialog() {
    let mut page = page();
    let rect = page.get_by_role_and_label(Role::Slider, GRAPH_LABEL).rect();
    page.hover_at(rect.center());
    page.run();
    let has_tooltip = |page: &Harness<'static, StudyFixture>| {
        page.output().shapes.iter().any(|drawn| {
            let egui::Shape::Text(text) = &drawn.shape else {
                return false;
            };
            text.galley.text().starts_with("2手目") && text.galley.text().ends_with("0:20")
        })
    };
    assert!(has_tooltip(&page));
    page.key_press_modifiers(Modifiers::COMMAND | Modifiers::CTRL, Key::A);
    page.run();
    // The pointer is beside the dialog.
    page.hover_at(rect.center_top() + vec2(1.0, 20.0));
    page.run();
    assert!(page.query_by_label("解析開始").is_some() && !has_tooltip(&page));
}

#[test]
fn a_zero_zooms_the_focused_graph_and_begins_no_move() {
    let mut page = page();
    page.get_by_role_and_label(Role::Slider, GRAPH_LABEL).focus();
    page.run();
    page.key_press(Key::Num0);
    page.event(Event::Text("0".to_owned()));
    page.run();
    assert!(page.get_by_role_and_label(Role::Slider, GRAPH_LABEL).is_focused());
}
