//! Tests of the graph: input and unusual values.

use super::*;
use crate::fonts;
use eframe::egui;
use eframe::egui::accesskit::Role;
use egui::{Color32, Event, Key, Modifiers, PointerButton, Pos2, Rect, Shape, Ui, pos2, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use shogibar_base::Lang;

/// A graph with its input state and values, and the actions that it returned.
struct GraphFixture {
    values: Vec<Option<Value>>,
    moves: Vec<String>,
    current_ply: usize,
    lang: Lang,
    input: GraphInput,
    actions: Vec<GraphAction>,
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

/// The screen reader name of the graph.
const GRAPH_LABEL: &str = "Graph of the game";

/// Returns the view of a game of this length with these curves, of which the first judges the game.
fn view<'a>(series: &'a [GraphSeries<'a>], plies: usize) -> GraphView<'a> {
    GraphView {
        plies,
        current_ply: 0,
        series,
        has_judge: true,
        bar_share: None,
        live_series: &[],
        filled_values: &[],
        game: None,
        name_position: GraphNamePosition::Inside,
        marks: &[],
        move_times: &[],
        first_mover: Color::Black,
        moves: &[],
        reasons: &[],
        titles: ["Black", "White"],
        kind: GraphKind::WinRate,
        is_flipped: false,
        is_hidden: false,
        zoom: GraphZoom::default(),
    }
}

impl GraphFixture {
    fn show(&mut self, ui: &Ui) {
        let series = [GraphSeries {
            name: "gps",
            values: &self.values,
            model: WinRateModel::default(),
        }];
        let marks = [GraphMark {
            ply: 3,
            kind: MoveMark::Mistake,
            is_decisive: false,
        }];
        let times = [Some(7), Some(65)];
        let reasons = ["", "", "角を取られる"].map(str::to_owned);
        let view = GraphView {
            current_ply: self.current_ply,
            moves: &self.moves,
            marks: &marks,
            move_times: &times,
            reasons: &reasons,
            ..view(&series, self.values.len() - 1)
        };
        if let Some(action) = self
            .input
            .show(ui, ui.max_rect(), &view, &crate::theme::paper(), self.lang)
        {
            let GraphAction::Go(ply) = action;
            self.current_ply = ply;
            self.actions.push(action);
        }
    }
}

fn harness(lang: Lang) -> Harness<'static, GraphFixture> {
    harness_with_step(lang, 0.25)
}

/// Returns the graph in a window with this time between frames, in seconds.
fn harness_with_step(lang: Lang, step: f32) -> Harness<'static, GraphFixture> {
    let values = (0..=100).map(|ply| Some(Value::Cp(ply * 10))).collect();
    let moves = vec!["P-76".to_owned(), "P-34".to_owned()];
    let fixture = GraphFixture {
        values,
        moves,
        current_ply: 0,
        lang,
        input: GraphInput::default(),
        actions: Vec::new(),
    };
    let mut harness = Harness::builder()
        .with_size([500.0, 200.0])
        .with_step_dt(step)
        .with_context_setup(|ctx| ctx.set_fonts(fonts::definitions()))
        .build_ui_state(
            |ui: &mut Ui, fixture: &mut GraphFixture| fixture.show(ui),
            fixture,
        );
    harness.run();
    harness
}

fn button(pos: Pos2, pressed: bool) -> Event {
    Event::PointerButton {
        pos,
        button: PointerButton::Primary,
        pressed,
        modifiers: Modifiers::NONE,
    }
}

#[test]
fn click_and_drag_go_to_a_ply() {
    let mut harness = harness(Lang::En);
    let rect = harness.get_by_role_and_label(Role::Slider, GRAPH_LABEL).rect();
    harness.get_by_role_and_label(Role::Slider, GRAPH_LABEL).click();
    harness.run();
    let middle = harness.state().current_ply;
    assert!((45..=55).contains(&middle), "{middle}");
    let at = |part: f32| pos2(rect.left() + rect.width() * part, rect.center().y);
    harness.event(Event::PointerMoved(at(0.5)));
    harness.event(button(at(0.5), true));
    harness.run();
    for part in [0.6, 0.8, 0.999, 1.0] {
        harness.event(Event::PointerMoved(at(part)));
        harness.run();
    }
    assert_eq!(harness.state().current_ply, 100);
    harness.event(button(at(1.0), false));
    harness.run();
    let plies: Vec<_> = harness
        .state()
        .actions
        .iter()
        .map(|GraphAction::Go(ply)| *ply)
        .collect();
    assert!(plies.len() >= 3 && plies.is_sorted(), "{plies:?}");
}

#[test]
fn keys_step_through_plies_and_update_the_label() {
    let mut harness = harness(Lang::En);
    let value = |harness: &Harness<'static, GraphFixture>| {
        harness
            .get_by_role_and_label(Role::Slider, GRAPH_LABEL)
            .accesskit_node()
            .value()
    };
    harness.get_by_role_and_label(Role::Slider, GRAPH_LABEL).focus();
    harness.run();
    assert_eq!(value(&harness).as_deref(), Some("start, gps · Black 50% · ±0"));
    for key in [Key::ArrowLeft, Key::ArrowRight, Key::ArrowRight] {
        harness.key_press(key);
        harness.run();
    }
    assert_eq!(
        value(&harness).as_deref(),
        Some("move 2 · P-34 · 1:05, gps · Black 51% · +20")
    );
    harness.key_press(Key::ArrowRight);
    harness.run();
    assert_eq!(
        value(&harness).as_deref(),
        Some("move 3, mistake, 角を取られる, gps · Black 51% · +30")
    );
    for (key, expect) in [
        (Key::End, 100),
        (Key::PageUp, 90),
        (Key::Home, 0),
        (Key::PageDown, 10),
    ] {
        harness.key_press(key);
        harness.run();
        assert_eq!(harness.state().current_ply, expect, "{key:?}");
    }
}

fn drawn(view: &GraphView<'_>, size: [f32; 2]) -> Vec<Shape> {
    let mut found = Vec::new();
    let setup = |ctx: &eframe::egui::Context| ctx.set_fonts(fonts::definitions());
    let rect = Rect::from_min_size(pos2(0.0, 0.0), vec2(size[0], size[1]));
    drop(Harness::builder().with_context_setup(setup).build_ui(|ui| {
        found = ui.fonts_mut(|fonts| draw(fonts, view, &crate::theme::ink(), Lang::Ja, rect));
    }));
    found
}

/// Returns the filled circles of these colours: centre and radius.
fn circles(shapes: &[Shape], colors: &[Color32]) -> Vec<(Pos2, f32)> {
    let circle = |shape: &Shape| match shape {
        Shape::Circle(circle) if colors.contains(&circle.fill) => Some((circle.center, circle.radius)),
        _ => None,
    };
    shapes.iter().filter_map(circle).collect()
}

/// Returns the filled rectangles of a colour.
fn rects(shapes: &[Shape], color: Color32) -> Vec<Rect> {
    let rect = |shape: &Shape| match shape {
        Shape::Rect(rect) if rect.fill == color => Some(rect.rect),
        _ => None,
    };
    shapes.iter().filter_map(rect).collect()
}

#[test]
fn many_marks_leave_the_curve_visible() {
    let all = values(280, 5);
    let series = [GraphSeries {
        name: "",
        values: &all,
        model: WinRateModel::default(),
    }];
    let marks: Vec<_> = (1..140)
        .map(|nth| GraphMark {
            ply: nth * 2,
            kind: MoveMark::ALL[1 + nth % 3],
            is_decisive: false,
        })
        .collect();
    let theme = crate::theme::ink();
    for width in [360.0, 620.0, 1200.0] {
        let view = GraphView {
            marks: &marks,
            current_ply: 60,
            ..view(&series, 280)
        };
        let shapes = drawn(&view, [width, 200.0]);
        let circles = circles(&shapes, &[theme.blunder, theme.doubtful]);
        let mut dots: Vec<f32> = circles
            .iter()
            .filter(|(_, radius)| *radius >= 7.0)
            .map(|(at, _)| at.x)
            .collect();
        dots.sort_by(f32::total_cmp);
        dots.dedup();
        assert!(
            dots.len() as f32 * 30.0 < width && dots.len() > 5,
            "{width}: {} dots",
            dots.len()
        );
        assert!(
            dots[0] < width * 0.2 && dots[dots.len() - 1] > width * 0.8,
            "{width}: in all of the game"
        );
        // The circle of the current ply is larger.
        let points = circles
            .iter()
            .filter(|(_, radius)| *radius < 5.0)
            .map(|(_, radius)| *radius);
        assert!(points.fold(0.0, f32::max) < 3.0, "{width}: small points");
    }
}

#[test]
fn dots_of_marks_never_overlap() {
    let all = values(200, 5);
    let series = [GraphSeries {
        name: "",
        values: &all,
        model: WinRateModel::default(),
    }];
    let kinds = MoveMark::ALL;
    let marks: Vec<_> = (0..60)
        .map(|index| GraphMark {
            ply: index * 3,
            kind: kinds[index % 4],
            is_decisive: false,
        })
        .collect();
    let theme = crate::theme::ink();
    for size in [[300.0, 100.0], [700.0, 200.0], [160.0, 60.0], [1100.0, 420.0]] {
        let view = GraphView {
            marks: &marks,
            current_ply: 60,
            ..view(&series, 200)
        };
        let shapes = drawn(&view, size);
        let mut dots = circles(&shapes, &[theme.blunder, theme.doubtful]);
        dots.retain(|(_, radius)| *radius >= 7.0);
        assert!(dots.len() > 2, "{size:?}: some are drawn");
        let plot = plot_rect(&view, Rect::from_min_size(pos2(0.0, 0.0), size.into()));
        for (index, (one, radius)) in dots.iter().enumerate() {
            assert!(
                plot.expand(2.0)
                    .contains_rect(Rect::from_center_size(*one, vec2(1.0, 1.0) * 2.0 * *radius))
            );
            // Rings of one dot share their centre.
            let other = dots
                .iter()
                .skip(index + 1)
                .find(|(other, more)| one != other && one.distance(*other) < radius + more);
            assert_eq!(other, None, "{size:?}: {one:?}");
        }
        let letters = shapes
            .iter()
            .filter(|shape| matches!(shape, Shape::Text(text) if "悪疑".contains(text.galley.text())));
        assert!(letters.count() > 2, "{size:?}: each has its letter");
    }
}

#[test]
fn both_halves_are_tinted_and_the_cursor_runs_through_the_times() {
    let all = values(100, 5);
    let series = [GraphSeries {
        name: "",
        values: &all,
        model: WinRateModel::default(),
    }];
    let times: Vec<_> = (0..100).map(Some).collect();
    let theme = crate::theme::ink();
    for flipped in [false, true] {
        let view = GraphView {
            current_ply: 25,
            move_times: &times,
            is_flipped: flipped,
            ..view(&series, 100)
        };
        let shapes = drawn(&view, [700.0, 300.0]);
        let plot = plot_rect(&view, Rect::from_min_size(pos2(0.0, 0.0), vec2(700.0, 300.0)));
        let tint = |color: Color32, part: f32| rects(&shapes, color.to_opaque().gamma_multiply(part))[0];
        let (black, white) = (tint(theme.black_area, 0.13), tint(theme.white_area, 0.09));
        let (upper, lower) = if flipped { (white, black) } else { (black, white) };
        assert!(upper.bottom() <= lower.top() + 0.1 && (upper.bottom() - plot.center().y).abs() < 1.0);
        let cursor = rects(&shapes, theme.blunder)[0];
        assert!((cursor.center().x - (plot.left() + plot.width() / 4.0)).abs() < 1.5 && cursor.width() < 3.0);
        assert!(cursor.top() <= plot.top() + 0.5 && cursor.bottom() > plot.bottom() + plot.height() * 0.13);
        let columns: Vec<_> = rects(&shapes, theme.black_area.to_opaque().gamma_multiply(0.72))
            .into_iter()
            .map(|rect| rect.top())
            .collect();
        assert!(
            columns.len() == 49 && columns.iter().all(|top| *top > plot.bottom()),
            "{columns:?}"
        );
    }
}

#[test]
fn the_point_of_several_engines_is_that_of_the_bar() {
    let all = [Some(Value::Cp(0)); 11];
    let series = [GraphSeries {
        name: "",
        values: &all,
        model: WinRateModel::default(),
    }];
    let plain = GraphView {
        has_judge: false,
        current_ply: 5,
        ..view(&series, 10)
    };
    let plot = plot_rect(&plain, Rect::from_min_size(pos2(0.0, 0.0), vec2(1000.0, 300.0)));
    let theme = crate::theme::ink();
    let point = |view: &GraphView<'_>| {
        let shapes = drawn(view, [1000.0, 300.0]);
        let point = shapes.iter().rev().find_map(|shape| match shape {
            Shape::Circle(circle) if circle.fill == theme.blunder => Some(circle.center.y),
            _ => None,
        });
        (point.unwrap() - plot.top()) / plot.height()
    };
    assert!((point(&plain) - 0.5).abs() < 0.01);
    assert!(
        (point(&GraphView {
            bar_share: Some(0.8),
            ..plain
        }) - 0.2)
            .abs()
            < 0.01
    );
    let evaluation = GraphView {
        bar_share: Some(0.8),
        kind: GraphKind::Evaluation,
        ..plain
    };
    assert!(
        (point(&evaluation) - 0.5).abs() < 0.01,
        "a mean of two engines has no centipawns"
    );
}

#[test]
fn the_game_is_faded_beside_a_variation() {
    let all = values(60, 5);
    let game: Vec<_> = values(100, 7)
        .into_iter()
        .map(|value| value.map(|value| (value, WinRateModel::default())))
        .collect();
    let series = [GraphSeries {
        name: "",
        values: &all,
        model: WinRateModel::default(),
    }];
    let view = GraphView {
        game: Some(GraphGame {
            branch_ply: 40,
            values: &game,
        }),
        current_ply: 45,
        ..view(&series, 60)
    };
    let shapes = drawn(&view, [1000.0, 300.0]);
    let theme = crate::theme::ink();
    let plot = plot_rect(&view, Rect::from_min_size(pos2(0.0, 0.0), vec2(1000.0, 300.0)));
    let line = |color: Color32, width: f32| {
        shapes.iter().find_map(|shape| match shape {
            Shape::Path(path) if path.stroke == egui::Stroke::new(width, color).into() => {
                Some([path.points[0].x, path.points.last().unwrap().x])
            }
            _ => None,
        })
    };
    let is_near = |found: Option<[f32; 2]>, plies: [f32; 2]| {
        let found = found.unwrap();
        let expect = plies.map(|ply| plot.left() + plot.width() * ply / 100.0);
        assert!(
            found
                .iter()
                .zip(expect)
                .all(|(found, expect)| (found - expect).abs() < 0.1),
            "{found:?} {expect:?}"
        );
    };
    is_near(line(theme.main_line, 1.5), [0.0, 100.0]);
    is_near(line(theme.accent, 2.8), [40.0, 60.0]);
    let has_color = |color: Color32| {
        shapes.iter().any(
            |shape| matches!(shape, Shape::Mesh(mesh) if mesh.vertices.iter().any(|one| one.color == color)),
        )
    };
    assert!(has_color(theme.black_area.gamma_multiply(0.28)) && has_color(theme.black_area));
    assert_eq!(
        circles(&shapes, &[theme.accent]).len(),
        20,
        "a point for each move"
    );
    for word in ["本譜", "変化"] {
        assert!(
            shapes
                .iter()
                .any(|shape| matches!(shape, Shape::Text(text) if text.galley.text() == word)),
            "{word}"
        );
    }
}

#[test]
fn values_shown_live_are_filled_without_a_judge() {
    let all = values(60, 5);
    let live = [GraphSeries {
        name: "gps",
        values: &all,
        model: WinRateModel::default(),
    }];
    let theme = crate::theme::ink();
    let count = |shown: usize| {
        let live = [GraphSeries {
            values: &all[..shown],
            ..live[0]
        }];
        let shapes = drawn(
            &GraphView {
                live_series: &live,
                has_judge: false,
                ..view(&[], 60)
            },
            [700.0, 200.0],
        );
        let meshes = shapes.iter().filter_map(|shape| {
            if let Shape::Mesh(mesh) = shape {
                Some(mesh)
            } else {
                None
            }
        });
        let path = shapes.iter().find_map(|shape| match shape {
            Shape::Path(path) if path.stroke == egui::Stroke::new(2.2, theme.text).into() => {
                Some(path.points.len())
            }
            _ => None,
        });
        (
            meshes.map(|mesh| mesh.vertices.len()).sum::<usize>(),
            path.unwrap_or_default(),
        )
    };
    assert_eq!(count(0), (0, 0));
    let (few, all) = (count(10), count(61));
    assert!(
        few.0 >= 36 && few.1 == 10 && all.0 > few.0 && all.1 == 61,
        "{few:?} {all:?}"
    );
}

#[test]
fn a_zoomed_graph_draws_only_the_plies_in_view() {
    let all = values(300, 5);
    let series = [GraphSeries {
        name: "",
        values: &all,
        model: WinRateModel::default(),
    }; 3];
    let marks: Vec<_> = (1..100)
        .map(|nth| GraphMark {
            ply: nth * 3,
            kind: MoveMark::Mistake,
            is_decisive: false,
        })
        .collect();
    let mut zoom = GraphZoom::default();
    zoom.zoom(300, 150.0, 10.0);
    let view = GraphView {
        zoom,
        marks: &marks,
        current_ply: 3,
        ..view(&series, 300)
    };
    let shapes = drawn(&view, [700.0, 200.0]);
    let plot = plot_rect(&view, Rect::from_min_size(pos2(0.0, 0.0), vec2(700.0, 200.0)));
    for shape in &shapes {
        let bounds = shape.visual_bounding_rect();
        assert!(
            !bounds.is_positive() || plot.expand(24.0).x_range().contains(bounds.center().x),
            "{bounds:?}"
        );
        assert!(bounds.width() < plot.width() + 8.0, "{bounds:?}");
    }
    assert_eq!(
        rects(&shapes, crate::theme::ink().blunder),
        [],
        "the cursor is out of view"
    );
}

/// Turns the wheel at a fraction of the graph's width.
fn wheel(harness: &mut Harness<'static, GraphFixture>, part: f32, delta: [f32; 2], modifiers: Modifiers) {
    let rect = harness.get_by_role_and_label(Role::Slider, GRAPH_LABEL).rect();
    harness.event(Event::PointerMoved(pos2(
        rect.left() + rect.width() * part,
        rect.center().y,
    )));
    let (unit, source) = (egui::MouseWheelUnit::Point, egui::MouseWheelSource::Wheel);
    harness.event(Event::MouseWheel {
        unit,
        delta: delta.into(),
        phase: egui::TouchPhase::Move,
        modifiers,
        source,
    });
    harness.run();
}

#[test]
fn wheel_drag_and_keys_zoom_and_pan() {
    let mut harness = harness(Lang::En);
    let range = |harness: &Harness<'static, GraphFixture>| harness.state().input.zoom.range(100).into_inner();
    let drag = |harness: &mut Harness<'static, GraphFixture>, from: f32, to: f32| {
        let rect = harness.get_by_role_and_label(Role::Slider, GRAPH_LABEL).rect();
        let at = |part: f32| pos2(rect.left() + rect.width() * part, rect.center().y);
        harness.event(Event::PointerMoved(at(from)));
        harness.event(button(at(from), true));
        harness.run();
        for part in [from.midpoint(to), to] {
            harness.event(Event::PointerMoved(at(part)));
            harness.run();
        }
        harness.event(button(at(to), false));
        harness.run();
    };
    wheel(&mut harness, 0.5, [0.0, 60.0], Modifiers::NONE);
    assert_eq!(range(&harness), (0.0, 100.0), "the wheel alone does nothing");
    wheel(
        &mut harness,
        0.95,
        [0.0, 200.0],
        Modifiers::CTRL | Modifiers::COMMAND,
    );
    let (first, last) = range(&harness);
    assert!(
        first > 30.0 && last > 90.0 && last - first < 70.0,
        "{first} {last}"
    );
    wheel(&mut harness, 0.5, [80.0, 0.0], Modifiers::NONE);
    let (panned, _) = range(&harness);
    assert!(panned < first - 1.0, "{panned}");
    assert_eq!(harness.state().current_ply, 0, "the current ply is as before");
    drag(&mut harness, 0.3, 0.6);
    assert!(
        range(&harness).0 < panned - 1.0 && harness.state().current_ply == 0,
        "a drag moves what is in view"
    );
    // A move that is played or selected comes into view.
    harness.state_mut().current_ply = 100;
    harness.run();
    assert!(range(&harness).1 > 99.9);
    drag(&mut harness, 0.98, 0.7);
    let current = harness.state().current_ply;
    assert!(
        current < 98 && current > 60,
        "the cursor itself is dragged: {current}"
    );
    harness.get_by_role_and_label(Role::Slider, GRAPH_LABEL).focus();
    harness.run();
    harness.key_press(Key::Num0);
    harness.run();
    assert_eq!(range(&harness), (0.0, 100.0));
    for (key, length) in [
        (Key::Plus, 66.67),
        (Key::Equals, 44.44),
        (Key::Minus, 66.67),
        (Key::Minus, 100.0),
    ] {
        harness.key_press(key);
        harness.run();
        let (first, last) = range(&harness);
        assert!(
            (last - first - length).abs() < 0.1 && first <= current as f32 && last >= current as f32,
            "{key:?}"
        );
    }
}

#[test]
fn a_double_click_shows_all_plies_and_moves_nothing() {
    let mut harness = harness_with_step(Lang::En, 0.01);
    harness.state_mut().current_ply = 7;
    harness.state_mut().input.zoom_step(100, true);
    harness.run();
    assert!(!harness.state().input.shows_all());
    let at = harness
        .get_by_role_and_label(Role::Slider, GRAPH_LABEL)
        .rect()
        .center();
    for _ in 0..2 {
        harness.event(button(at, true));
        harness.event(button(at, false));
    }
    harness.run();
    assert!(harness.state().input.shows_all());
    assert_eq!(harness.state().current_ply, 7, "{:?}", harness.state().actions);
    // A slow frame has both events of a click, or of both clicks.
    for clicks in [1, 2] {
        let mut harness = harness_with_step(Lang::En, 0.01);
        harness.state_mut().current_ply = 7;
        harness.run();
        harness.event(Event::PointerMoved(at));
        harness.run();
        for _ in 0..2 / clicks {
            for _ in 0..clicks {
                harness
                    .input_mut()
                    .events
                    .extend([button(at, true), button(at, false)]);
            }
            harness.step();
        }
        harness.run();
        assert_eq!(
            harness.state().current_ply,
            7,
            "{clicks}: {:?}",
            harness.state().actions
        );
    }
}

/// Returns the number of points of a line; 0 for another shape.
fn point_count(shape: &Shape) -> usize {
    if let Shape::Path(path) = shape {
        path.points.len()
    } else {
        0
    }
}

#[test]
fn accepts_unusual_inputs() {
    let odd = [
        Some(Value::Cp(i32::MIN)),
        None,
        Some(Value::Cp(i32::MAX)),
        Some(Value::Won(Color::White)),
        None,
    ];
    let (none, long) = ([None, None], values(6000, 1));
    for values in [&odd[..], &none, &[], &long] {
        let series = [GraphSeries {
            name: "x",
            values,
            model: WinRateModel::new(f64::NAN),
        }; 7];
        let marks = [
            GraphMark {
                ply: usize::MAX,
                kind: MoveMark::Mistake,
                is_decisive: false,
            },
            GraphMark {
                ply: 1,
                kind: MoveMark::Inaccuracy,
                is_decisive: false,
            },
        ];
        let times = [Some(u32::MAX), None, Some(0)];
        for kind in [GraphKind::WinRate, GraphKind::Evaluation, GraphKind::Both] {
            for (plies, current) in [(0, 0), (3, usize::MAX), (6000, 17)] {
                let game = [Some((Value::Cp(9), WinRateModel::default())), None];
                let game = (plies % 2 == 1).then_some(GraphGame {
                    branch_ply: current,
                    values: &game,
                });
                let live = &series[..2];
                let view = GraphView {
                    kind,
                    current_ply: current,
                    marks: &marks,
                    move_times: &times,
                    game,
                    live_series: live,
                    ..view(&series, plies)
                };
                for size in [[0.0, 0.0], [600.0, 200.0], [-1.0, 4.0], [f32::NAN, 9.0]] {
                    let shapes = drawn(&view, size);
                    let points: usize = shapes.iter().map(point_count).sum();
                    assert!(points < 9 * 4 * 700 + 1000, "{points} points for {plies} plies");
                }
            }
        }
    }
}

#[test]
fn only_mates_reach_the_border() {
    let is = |found: f32, expect: f32| assert!((found - expect).abs() < 0.01, "{found}, not {expect}");
    let scale = scale::GraphScale::new(
        &view(&[], 10),
        Rect::from_min_size(pos2(0.0, 0.0), vec2(100.0, 100.0)),
    );
    let height = |value| scale.y(scale::GraphMeasure::Evaluation.height(value, WinRateModel::default()));
    is(
        height(Value::Mate {
            winner: Color::Black,
            plies: Some(3),
        }),
        0.0,
    );
    is(height(Value::Won(Color::White)), 100.0);
    is(height(Value::Cp(0)), 50.0);
    assert!(height(Value::Cp(29_000)) > 2.0 && height(Value::Cp(29_000)) < 5.0);
    assert!(height(Value::Cp(500)) < 38.0, "a few hundred are seen");
    let flipped = scale::GraphScale::new(
        &GraphView {
            is_flipped: true,
            ..view(&[], 10)
        },
        scale.rect,
    );
    is(flipped.y(1.0), 100.0);
    for ply in 0..=10 {
        assert_eq!(scale.ply(scale.x(ply)), ply);
    }
}
