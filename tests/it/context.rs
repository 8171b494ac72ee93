//! The context line of the overlay, and the mark of an engine that the bar does not follow.

use crate::layouts::{SIZES, in_english};
use crate::overlay::{candidate, game, part_text, picture_of, side_by_side, two, window_of, with_engine};
use eframe::egui::{self, Rect, Vec2, vec2};
use shogibar_base::Lang;
use shogibar_config::{Layout, OverlayPreset, Theme};
use shogibar_games::bar::{BarView, FormationView, LiveMark, OtherRate, ReasonView};
use shogibar_ui::overlay::{OverlayPicture, OverlayStyle, PlacedText, comfortable_size, minimum_size};
use shogibar_ui::{PartWord, theme};

const EVENT: &str = "水面杯 準決勝";
const OPENING: &str = "相矢倉";
const CASTLES: [&str; 2] = ["金矢倉", "片矢倉"];

fn style(layout: Layout, lang: Lang) -> OverlayStyle {
    OverlayStyle {
        layout,
        ..OverlayStyle::new(theme::ink(), lang)
    }
}

/// Returns a view with an event, an opening and two castles.
pub(crate) fn known(view: BarView) -> BarView {
    let formation = FormationView {
        opening: OPENING.to_owned(),
        castles: CASTLES.map(str::to_owned),
        text: "相矢倉・金矢倉 対 片矢倉".to_owned(),
        brief: OPENING.to_owned(),
    };
    let reason = ReasonView {
        formation,
        ..ReasonView::default()
    };
    BarView {
        event: EVENT.to_owned(),
        reason,
        live_mark: Some(LiveMark::Live),
        ..view
    }
}

/// Returns a view without event, opening and castles.
pub(crate) fn unknown(view: BarView) -> BarView {
    BarView {
        event: String::new(),
        reason: ReasonView::default(),
        live_mark: Some(LiveMark::Live),
        ..view
    }
}

/// Returns two engines, of which the bar follows the first, with a mark for the other one.
pub(crate) fn marked(percent: u8) -> BarView {
    let mut view = two();
    view.engines[1].percent = Some(percent);
    BarView {
        other_rate: Some(OtherRate { engine: 1, percent }),
        ..view
    }
}

fn has(picture: &OverlayPicture, text: &str) -> bool {
    picture
        .texts
        .iter()
        .any(|shown| shown.text == text && !shown.is_elided)
}

/// Returns the sizes that a layout may have: its default sizes, and others.
fn sizes(layout: Layout) -> Vec<Vec2> {
    let engines = [1, 2].map(|engines| comfortable_size(layout, 3, engines));
    let doubled = engines.map(|size| size * 2.0);
    let others = SIZES
        .map(Vec2::from)
        .into_iter()
        .filter(|size| (*size - minimum_size(layout)).min_elem() >= 0.0);
    engines.into_iter().chain(doubled).chain(others).collect()
}

#[test]
fn every_layout_has_the_opening_and_the_castles_in_its_default_size() {
    for layout in Layout::ALL {
        for lang in Lang::ALL {
            let view = if lang == Lang::En {
                in_english(known(game()))
            } else {
                known(game())
            };
            for times in [1.0, 2.0] {
                let picture = picture_of(
                    comfortable_size(*layout, 3, 1) * times,
                    &view,
                    &style(*layout, lang),
                );
                for text in [OPENING, CASTLES[0], CASTLES[1]] {
                    assert!(
                        has(&picture, text),
                        "{} × {times} shows no {text}: {:?}",
                        layout.name(),
                        picture.texts
                    );
                }
                let has_event = *layout == Layout::Compact || has(&picture, EVENT);
                assert!(has_event, "{} × {times}: {:?}", layout.name(), picture.texts);
            }
        }
    }
}

#[test]
fn the_event_is_alone_before_the_opening_is_known() {
    for layout in Layout::ALL {
        let view = BarView {
            event: EVENT.to_owned(),
            ..unknown(game())
        };
        let picture = picture_of(comfortable_size(*layout, 3, 1), &view, &style(*layout, Lang::Ja));
        assert!(has(&picture, EVENT), "{}: {:?}", layout.name(), picture.texts);
    }
}

#[test]
fn only_known_castles_are_named() {
    for layout in Layout::ALL {
        let mut view = known(game());
        view.reason.formation.castles[0].clear();
        let picture = picture_of(comfortable_size(*layout, 3, 1), &view, &style(*layout, Lang::Ja));
        assert!(
            has(&picture, CASTLES[1]) && !has(&picture, CASTLES[0]) && !has(&picture, "対"),
            "{}",
            layout.name()
        );
        let named = picture
            .named_parts
            .iter()
            .filter(|named| named.value.contains(CASTLES[1]));
        assert!(named.clone().count() == 1, "{}", layout.name());
        assert!(
            named.clone().all(|named| named.value.contains("☖ 片矢倉")),
            "{:?}",
            named.collect::<Vec<_>>()
        );
    }
}

fn other_texts(picture: &OverlayPicture) -> Vec<(String, Rect)> {
    let context = [EVENT, OPENING, CASTLES[0], CASTLES[1], "対"];
    let is_other =
        |text: &&PlacedText| !context.contains(&text.text.as_str()) && !text.text.contains("相矢倉");
    picture
        .texts
        .iter()
        .filter(is_other)
        .map(|text| (text.text.clone(), text.ink))
        .collect()
}

/// Returns the rectangle of the tray: the first one in the tray's colour.
fn tray(picture: &OverlayPicture, style: &OverlayStyle) -> Rect {
    let found = picture.shapes.iter().find_map(|shape| match shape {
        egui::Shape::Rect(shape) if shape.fill == style.theme.tray => Some(shape.rect),
        _ => None,
    });
    found.expect("there is a tray")
}

#[test]
fn nothing_moves_when_a_text_of_the_context_becomes_known() {
    // The move number gives way to a chip only where there is no room for the context line.
    for layout in Layout::ALL {
        for view in [game(), side_by_side(game(), &game())] {
            for size in sizes(*layout) {
                let style = style(*layout, Lang::Ja);
                let [one, other] =
                    [unknown(view.clone()), known(view.clone())].map(|view| picture_of(size, &view, &style));
                let context = format!("{} at {size}", layout.name());
                assert_eq!(tray(&one, &style), tray(&other, &style), "{context}");
                if has(&other, CASTLES[1]) {
                    let (mut before, after) = (other_texts(&one), other_texts(&other));
                    // The figures of the engine may be left out.
                    before.retain(|(text, _)| !text.contains("YaneuraOu") && !text.contains("深さ"));
                    let moved = before.iter().find(|text| !after.contains(text));
                    assert_eq!(moved, None, "{context}: {after:?}");
                }
            }
        }
    }
}

#[test]
fn a_hidden_view_and_numbers_only_have_no_opening() {
    let hidden = known(marked(41)).hidden(Lang::Ja);
    let numbers = shogibar_programme::numbers_only(&known(marked(41)));
    for layout in Layout::ALL {
        for size in sizes(*layout) {
            for (name, view) in [("hidden", &hidden), ("numbers only", &numbers)] {
                let picture = picture_of(size, view, &style(*layout, Lang::Ja));
                let named = picture.named_parts.iter().map(|named| named.value.as_str());
                let mut all = picture.texts.iter().map(|text| text.text.as_str()).chain(named);
                let word = all.find(|text| {
                    [OPENING, CASTLES[0], CASTLES[1]]
                        .iter()
                        .any(|word| text.contains(word))
                });
                assert_eq!(word, None, "{name} in {} at {size}", layout.name());
                let has_mark = picture
                    .named_parts
                    .iter()
                    .any(|named| named.part == PartWord::OtherMark);
                assert_eq!(
                    has_mark,
                    name == "numbers only",
                    "{name} in {} at {size}",
                    layout.name()
                );
            }
        }
    }
}

#[test]
fn both_engines_are_named_beside_each_other() {
    for layout in [Layout::Full, Layout::Bar, Layout::Candidates] {
        let picture = picture_of(
            comfortable_size(layout, 3, 2),
            &known(marked(41)),
            &style(layout, Lang::Ja),
        );
        for name in ["YaneuraOu", "Fairy-Stockfish 11.1 LB"] {
            let is_shown = |text: &PlacedText| text.text.contains(name) && !text.is_elided;
            assert!(
                picture.texts.iter().any(is_shown),
                "{}: {:?}",
                layout.name(),
                picture.texts
            );
        }
    }
    let vertical = picture_of(
        comfortable_size(Layout::Vertical, 3, 2),
        &known(marked(41)),
        &style(Layout::Vertical, Lang::Ja),
    );
    assert!(
        has(&vertical, "41%") && vertical.texts.iter().any(|text| text.text.contains("Fairy")),
        "{:?}",
        vertical.texts
    );
}

#[test]
fn the_stream_preset_names_no_engine() {
    for layout in Layout::ALL {
        for size in sizes(*layout) {
            let style = OverlayStyle {
                parts: OverlayPreset::Stream.parts(),
                ..style(*layout, Lang::Ja)
            };
            for view in [known(game()), known(marked(41))] {
                let picture = picture_of(size, &view, &style);
                let named = picture.named_parts.iter().map(|named| named.value.as_str());
                let mut all = picture.texts.iter().map(|text| text.text.as_str()).chain(named);
                let name = all.find(|text| text.contains("YaneuraOu") || text.contains("Fairy"));
                assert_eq!(name, None, "{} at {size}", layout.name());
            }
        }
    }
}

/// Returns the part of the mark of the other engine.
fn mark(picture: &OverlayPicture) -> Option<(Rect, String, Option<usize>)> {
    let named = picture
        .named_parts
        .iter()
        .find(|named| named.part == PartWord::OtherMark)?;
    Some((named.rect, named.value.clone(), named.engine))
}

#[test]
fn the_mark_is_at_the_value_of_the_other_engine() {
    for layout in Layout::ALL {
        let size = comfortable_size(*layout, 3, 2) * 2.0;
        for is_swapped in [false, true] {
            let style = OverlayStyle {
                is_swapped,
                ..style(*layout, Lang::Ja)
            };
            let picture = picture_of(size, &marked(41), &style);
            let (rect, value, engine) = mark(&picture).expect("there is a mark");
            assert_eq!((value.as_str(), engine), ("41%", Some(1)), "{}", layout.name());
            let share = picture
                .named_parts
                .iter()
                .find(|named| named.part == PartWord::Share)
                .unwrap()
                .rect;
            let at = if share.width() > share.height() {
                (rect.center().x - share.left()) / share.width()
            } else {
                (share.bottom() - rect.center().y) / share.height()
            };
            let expected = if is_swapped { 0.59 } else { 0.41 };
            assert!(
                (at - expected).abs() < 0.01,
                "{}, swapped: {is_swapped}: {at}",
                layout.name()
            );
        }
        let followed = BarView {
            other_rate: None,
            ..marked(41)
        };
        assert_eq!(
            mark(&picture_of(size, &followed, &style(*layout, Lang::Ja))),
            None,
            "{}",
            layout.name()
        );
    }
}

#[test]
fn a_mark_stays_in_the_window_at_every_value() {
    for layout in Layout::ALL {
        for size in sizes(*layout) {
            let window = Rect::from_min_size(egui::Pos2::ZERO, size).expand(0.5);
            for percent in [0, 3, 50, 97, 100] {
                let picture = picture_of(size, &marked(percent), &style(*layout, Lang::Ja));
                if let Some((rect, ..)) = mark(&picture) {
                    assert!(
                        window.contains_rect(rect),
                        "{} at {size}, {percent}%: {rect:?}",
                        layout.name()
                    );
                }
                // A side's word ends before the line.
                let at = mark(&picture).map_or(0.0, |(rect, ..)| rect.center().x);
                let crossed = picture
                    .texts
                    .iter()
                    .filter(|text| text.is_on_bar && ["先手", "後手"].contains(&text.text.as_str()));
                let crossed: Vec<_> = crossed
                    .filter(|text| layout != &Layout::Vertical && text.ink.x_range().contains(at))
                    .collect();
                assert!(
                    crossed.is_empty(),
                    "{} at {size}, {percent}%: {crossed:?}",
                    layout.name()
                );
            }
        }
    }
}

#[test]
fn the_mark_stands_out_in_every_theme() {
    let rgba = |color: egui::Color32| shogibar_config::Rgba([color.r(), color.g(), color.b(), 0xFF]);
    for name in Theme::names() {
        let theme = theme::from_config(Theme::shipped(name).unwrap());
        let contrast = |one, other| shogibar_config::contrast(rgba(one), rgba(other));
        // The line has the colour of texts on the tray, between two gaps in the tray's colour.
        assert!(contrast(theme.on_tray, theme.tray) >= 3.0, "{name}: the line");
        assert!(
            contrast(theme.tray, theme.white) >= 3.0,
            "{name}: the gap on White's share"
        );
        assert!(
            contrast(theme.on_tray, theme.black) >= 3.0,
            "{name}: the line on Black's share"
        );
        assert_ne!(theme.on_tray, theme.seam, "{name}: the seam has another colour");
    }
}

#[test]
fn a_band_reaches_from_the_seam_to_the_mark() {
    let stripes = |percent: u8| {
        let picture = picture_of(
            vec2(1300.0, 466.0),
            &marked(percent),
            &style(Layout::Full, Lang::Ja),
        );
        let is_stripe = |shape: &&egui::Shape| matches!(shape, egui::Shape::Path(path) if path.closed && path.fill.a() < 0xFF);
        picture.shapes.iter().filter(is_stripe).count()
    };
    assert_eq!([63, 60, 66].map(stripes), [0; 3], "below five points");
    assert!(stripes(58) > 0 && stripes(41) > stripes(58) && stripes(80) > 0);
}

#[test]
fn a_mean_has_both_rates_in_the_context_line() {
    let mut view = known(two());
    view.engines[1].is_followed = true;
    view = with_engine(view, |engine| {
        engine.candidates = vec![candidate(1, "▲2六歩", "63%", None)];
    });
    let picture = picture_of(vec2(1900.0, 154.0), &view, &style(Layout::Bar, Lang::Ja));
    assert!(
        has(&picture, "63%") && has(&picture, "41%") && mark(&picture).is_none(),
        "{:?}",
        picture.texts
    );
}

#[test]
fn a_bar_at_rest_asks_for_no_frame() {
    let at_rest = |window: &egui_kittest::Harness<'_, crate::overlay::Window>| {
        window
            .output()
            .viewport_output
            .values()
            .all(|output| output.repaint_delay == std::time::Duration::MAX)
    };
    // The harness has a margin.
    let mut window = window_of(
        vec2(1916.0, 170.0),
        known(marked(41)),
        style(Layout::Bar, Lang::Ja),
    );
    window.run_steps(90);
    assert!(part_text(&window, PartWord::Formation).is_some() && at_rest(&window));
    // The opening stays for a moment after a change of position.
    window.state_mut().view = BarView {
        position: 1,
        ..unknown(marked(41))
    };
    window.run_steps(10);
    assert!(part_text(&window, PartWord::Formation).is_some() && !at_rest(&window));
    window.run_steps(90);
    assert!(part_text(&window, PartWord::Formation).is_none() && at_rest(&window));
}
