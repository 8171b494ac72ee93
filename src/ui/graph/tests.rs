//! Tests of the graph: input and unusual values.

use super::*;
use crate::text::Lang;
use crate::ui::fonts;
use eframe::egui::accesskit::Role;
use eframe::egui::{Event, Key, Modifiers, PointerButton, Pos2, Rect, Shape, Ui, pos2, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};

struct GraphFixture {
    values: Vec<Option<Value>>,
    moves: Vec<String>,
    current: usize,
    lang: Lang,
    done: Vec<GraphAction>,
}

/// Returns a deterministic random walk of evaluations.
fn values(plies: usize, seed: u32) -> Vec<Option<Value>> {
    let mut state = seed;
    let mut cp = 0;
    let step = |_| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        cp += i32::try_from(state >> 16).unwrap() % 401 - 200;
        Some(Value::Cp(cp))
    };
    (0..=plies).map(step).collect()
}

const NAME: &str = "Graph of the game";

fn view<'a>(series: &'a [GraphSeries<'a>], plies: usize) -> GraphView<'a> {
    GraphView {
        plies,
        current: 0,
        series,
        judged: true,
        names: GraphNames::Inside,
        marks: &[],
        times: &[],
        first: Color::Black,
        moves: &[],
        titles: ["Black", "White"],
        kind: GraphKind::WinRate,
        flipped: false,
        hidden: false,
    }
}

impl GraphFixture {
    fn show(&mut self, ui: &Ui) {
        let series = [GraphSeries { name: "gps", values: &self.values, model: Model::default() }];
        let marks = [GraphMark { ply: 3, kind: MoveMark::Mistake }];
        let times = [Some(7), Some(65)];
        let view = GraphView {
            current: self.current,
            moves: &self.moves,
            marks: &marks,
            times: &times,
            ..view(&series, self.values.len() - 1)
        };
        if let Some(action) = show(ui, ui.max_rect(), &view, &crate::ui::theme::paper(), self.lang) {
            let GraphAction::Go(ply) = action;
            self.current = ply;
            self.done.push(action);
        }
    }
}

fn harness(lang: Lang) -> Harness<'static, GraphFixture> {
    let values = (0..=100).map(|ply| Some(Value::Cp(ply * 10))).collect();
    let moves = vec!["P-76".to_owned(), "P-34".to_owned()];
    let fixture = GraphFixture { values, moves, current: 0, lang, done: Vec::new() };
    let mut harness = Harness::builder()
        .with_size([500.0, 200.0])
        .with_context_setup(|ctx| ctx.set_fonts(fonts::definitions()))
        .build_ui_state(|ui: &mut Ui, fixture: &mut GraphFixture| fixture.show(ui), fixture);
    harness.run();
    harness
}

fn button(pos: Pos2, pressed: bool) -> Event {
    Event::PointerButton { pos, button: PointerButton::Primary, pressed, modifiers: Modifiers::NONE }
}

#[test]
fn click_and_drag_go_to_a_ply() {
    let mut harness = harness(Lang::En);
    let rect = harness.get_by_role_and_label(Role::Slider, NAME).rect();
    harness.get_by_role_and_label(Role::Slider, NAME).click();
    harness.run();
    let middle = harness.state().current;
    assert!((45..=55).contains(&middle), "{middle}");
    let at = |part: f32| pos2(rect.left() + rect.width() * part, rect.center().y);
    harness.event(Event::PointerMoved(at(0.5)));
    harness.event(button(at(0.5), true));
    harness.run();
    for part in [0.6, 0.8, 0.999, 1.0] {
        harness.event(Event::PointerMoved(at(part)));
        harness.run();
    }
    assert_eq!(harness.state().current, 100);
    harness.event(button(at(1.0), false));
    harness.run();
    let plies: Vec<_> = harness.state().done.iter().map(|GraphAction::Go(ply)| *ply).collect();
    assert!(plies.len() >= 3 && plies.is_sorted(), "{plies:?}");
}

#[test]
fn keys_step_through_plies_and_update_the_label() {
    let mut harness = harness(Lang::En);
    let value = |harness: &Harness<'static, GraphFixture>| {
        harness.get_by_role_and_label(Role::Slider, NAME).accesskit_node().value()
    };
    harness.get_by_role_and_label(Role::Slider, NAME).focus();
    harness.run();
    assert_eq!(value(&harness).as_deref(), Some("start, gps · Black 50% · 0"));
    for key in [Key::ArrowLeft, Key::ArrowRight, Key::ArrowRight] {
        harness.key_press(key);
        harness.run();
    }
    assert_eq!(value(&harness).as_deref(), Some("move 2 · P-34 · 1:05, gps · Black 51% · +20"));
    harness.key_press(Key::ArrowRight);
    harness.run();
    assert_eq!(value(&harness).as_deref(), Some("move 3, mistake, gps · Black 51% · +30"));
    for (key, expect) in [(Key::End, 100), (Key::PageUp, 90), (Key::Home, 0), (Key::PageDown, 10)] {
        harness.key_press(key);
        harness.run();
        assert_eq!(harness.state().current, expect, "{key:?}");
    }
}

/// Draws a graph and returns its shapes.
fn drawn(view: &GraphView<'_>, size: [f32; 2]) -> Vec<Shape> {
    let mut found = Vec::new();
    let setup = |ctx: &eframe::egui::Context| ctx.set_fonts(fonts::definitions());
    let rect = Rect::from_min_size(pos2(0.0, 0.0), vec2(size[0], size[1]));
    drop(Harness::builder().with_context_setup(setup).build_ui(|ui| {
        found = ui.fonts_mut(|fonts| draw(fonts, view, &crate::ui::theme::ink(), Lang::Ja, rect));
    }));
    found
}

#[test]
fn labels_of_marks_never_overlap() {
    let all = values(200, 5);
    let series = [GraphSeries { name: "", values: &all, model: Model::default() }];
    let kinds = MoveMark::ALL;
    let marks: Vec<_> = (0..60).map(|place| GraphMark { ply: place * 3, kind: kinds[place % 4] }).collect();
    let words: Vec<&str> = kinds.iter().map(|kind| kind.label().text(Lang::Ja)).collect();
    for size in [[300.0, 100.0], [700.0, 200.0], [160.0, 60.0]] {
        let shapes = drawn(&GraphView { marks: &marks, ..view(&series, 200) }, size);
        let placed: Vec<Rect> = shapes
            .iter()
            .filter_map(|shape| match shape {
                // Only the letters, without their outlines.
                Shape::Text(text) if text.override_text_color.is_none() && words.contains(&text.galley.text()) => {
                    Some(text.galley.mesh_bounds.translate(text.pos.to_vec2()))
                }
                _ => None,
            })
            .collect();
        assert!(placed.len() > 2, "{size:?}: some are said");
        for (place, one) in placed.iter().enumerate() {
            let over = placed.iter().skip(place + 1).find(|other| one.intersects(**other));
            assert_eq!(over, None, "{size:?}: {one:?}");
        }
    }
}

fn points_of(shape: &Shape) -> usize {
    if let Shape::Path(path) = shape { path.points.len() } else { 0 }
}

#[test]
fn accepts_unusual_inputs() {
    let odd = [Some(Value::Cp(i32::MIN)), None, Some(Value::Cp(i32::MAX)), Some(Value::Won(Color::White)), None];
    let (none, long) = ([None, None], values(6000, 1));
    for values in [&odd[..], &none, &[], &long] {
        let series = [GraphSeries { name: "x", values, model: Model::new(f64::NAN) }; 7];
        let marks =
            [GraphMark { ply: usize::MAX, kind: MoveMark::Mistake }, GraphMark { ply: 1, kind: MoveMark::Inaccuracy }];
        let times = [Some(u32::MAX), None, Some(0)];
        for kind in [GraphKind::WinRate, GraphKind::Evaluation, GraphKind::Both] {
            for (plies, current) in [(0, 0), (3, usize::MAX), (6000, 17)] {
                let view = GraphView { kind, current, marks: &marks, times: &times, ..view(&series, plies) };
                for size in [[0.0, 0.0], [600.0, 200.0], [-1.0, 4.0], [f32::NAN, 9.0]] {
                    let shapes = drawn(&view, size);
                    let points: usize = shapes.iter().map(points_of).sum();
                    assert!(points < 7 * 4 * 700 + 1000, "{points} points for {plies} plies");
                }
            }
        }
    }
}

#[test]
fn only_mates_reach_the_border() {
    let is = |found: f32, expect: f32| assert!((found - expect).abs() < 0.01, "{found}, not {expect}");
    let scale = scale::GraphScale::new(&view(&[], 10), Rect::from_min_size(pos2(0.0, 0.0), vec2(100.0, 100.0)));
    let series = GraphSeries { name: "", values: &[], model: Model::default() };
    let height = |value| scale.y(scale::GraphMeasure::Evaluation.height(&series, value));
    is(height(Value::Mate { winner: Color::Black, plies: Some(3) }), 0.0);
    is(height(Value::Won(Color::White)), 100.0);
    is(height(Value::Cp(0)), 50.0);
    assert!(height(Value::Cp(29_000)) > 2.0 && height(Value::Cp(29_000)) < 5.0);
    assert!(height(Value::Cp(500)) < 38.0, "a few hundred are seen");
    let flipped = scale::GraphScale::new(&GraphView { flipped: true, ..view(&[], 10) }, scale.rect);
    is(flipped.y(1.0), 100.0);
    for ply in 0..=10 {
        assert_eq!(scale.ply(scale.x(ply)), ply);
    }
}
