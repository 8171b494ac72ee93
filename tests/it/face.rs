//! The face of the bar: the parts that keep their positions between states, and the words that are shown.

use crate::layouts::{SIZES, odd};
use crate::overlay::{failure, game, mate, picture_of, two, with_engine};
use eframe::egui::{self, Pos2, Rect, Vec2, vec2};
use shogibar_base::Lang;
use shogibar_config::{Layout, OverlayPart};
use shogibar_games::bar::{BarNotice, BarView, DecidedWin, EngineView, LiveMark};
use shogibar_kifu::{ClockTime, Millis};
use shogibar_shogi::Color;
use shogibar_ui::PartWord;
use shogibar_ui::overlay::{OverlayPicture, OverlayStyle, PlacedText, comfortable_size, minimum_size};

fn style(layout: Layout) -> OverlayStyle {
    OverlayStyle {
        layout,
        ..OverlayStyle::new(shogibar_ui::theme::ink(), Lang::Ja)
    }
}

const NAMES: [&str; 2] = ["青柳 千早", "御影 宗一郎"];
const CLOCKS: [&str; 2] = ["1:12:40", "4:38"];
const SECONDS: [u64; 2] = [4360, 278];

/// The name that the engine reports about itself.
const OWN_NAME: &str = "YaneuraOu NNUE 7.63git 64AVX2";
/// The lines that the engine prints.
const LINES: [&str; 3] = [
    "info depth 24 score cp 320 pv 2g2f",
    "bestmove 2g2f",
    "option name USI_Hash type spin",
];

/// Returns a view with players, clocks, and an engine with a name of the user's.
fn dressed(view: BarView) -> BarView {
    let mut view = BarView {
        live_mark: Some(LiveMark::Live),
        graph: (0..75).map(|_| Some(0.6)).collect(),
        ..view
    };
    for (side, nth) in [(&mut view.black, 0), (&mut view.white, 1)] {
        NAMES[nth].clone_into(&mut side.name);
        side.clock = Some(ClockTime::Remaining(Millis(SECONDS[nth] * 1000)));
    }
    for engine in &mut view.engines {
        "水匠".clone_into(&mut engine.name);
        OWN_NAME.clone_into(&mut engine.reported_name);
        if let Some(notice) = &mut engine.notice {
            notice.details = LINES.map(str::to_owned).to_vec();
        }
    }
    view
}

pub(crate) fn playing() -> BarView {
    BarView {
        last_loss: Some(12),
        ..dressed(game())
    }
}

/// Returns a view without a value, with this notice of its engine.
fn without_value(notice: Option<&str>) -> BarView {
    let mut view = with_engine(playing(), |engine| {
        (engine.percent, engine.candidates) = (None, Vec::new());
        engine.notice = notice.map(|text| BarNotice::new(text.to_owned()));
    });
    (view.share, view.last_loss, view.black.percent, view.white.percent) = (None, None, None, None);
    (view.evaluation, view.advantage) = (String::new(), String::new());
    view
}

fn greyed() -> BarView {
    let mut view = with_engine(playing(), |engine| {
        (engine.is_stale, engine.is_elsewhere, engine.status) = (true, true, "考えています…".to_owned());
    });
    (view.is_stale, view.last_loss, view.live_mark) = (true, None, Some(LiveMark::Behind(3)));
    view
}

pub(crate) fn ended() -> BarView {
    let text = "まで110手で後手の勝ち".to_owned();
    let decided = DecidedWin {
        winner: Some(Color::White),
        text,
        brief: "後手の勝ち".to_owned(),
        label: "勝ち".to_owned(),
    };
    let mut view = with_engine(playing(), |engine| engine.candidates.clear());
    (
        view.decided_win,
        view.share,
        view.to_move,
        view.live_mark,
        view.last_loss,
    ) = (Some(decided), Some(0.0), None, None, None);
    view
}

pub(crate) fn states() -> [(&'static str, BarView); 8] {
    [
        ("start", without_value(Some("エンジンを起動しています…"))),
        ("playing", playing()),
        ("greyed", greyed()),
        ("mate", dressed(mate())),
        ("end", ended()),
        ("hidden", playing().hidden(Lang::Ja)),
        (
            "no engine",
            BarView {
                engines: Vec::new(),
                ..without_value(None)
            },
        ),
        ("failure", dressed(failure())),
    ]
}

fn find<'p>(picture: &'p OverlayPicture, text: &str) -> Option<&'p PlacedText> {
    picture.texts.iter().find(|shown| shown.text == text)
}

/// Returns the rectangle of the tray, which is the first shape in the tray's colour.
fn tray(picture: &OverlayPicture) -> Rect {
    let tray = shogibar_ui::theme::ink().tray;
    let found = picture.shapes.iter().find_map(|shape| match shape {
        egui::Shape::Rect(shape) if shape.fill == tray => Some(shape.rect),
        _ => None,
    });
    found.expect("there is a tray")
}

/// Returns whether two points are equal to a hundredth of a point.
fn is_same(one: Pos2, other: Pos2) -> bool {
    (one - other).abs().max_elem() < 0.01
}

fn outer_corners(bounds: Rect, is_left: bool) -> [Pos2; 2] {
    if is_left {
        [bounds.left_top(), bounds.left_bottom()]
    } else {
        [bounds.right_top(), bounds.right_bottom()]
    }
}

#[test]
fn nothing_in_one_line_moves_from_one_state_to_another() {
    for (size, number) in [(vec2(1900.0, 120.0), 94.0), (vec2(960.0, 72.0), 50.0)] {
        let drawn = states().map(|(state, view)| (state, picture_of(size, &view, &style(Layout::Bar))));
        let (_, first) = &drawn[1];
        let found = find(first, "63").expect("Black's number").size;
        assert!(
            (found - number).abs() <= 1.0,
            "the numbers have {found} points at {size}"
        );
        for (state, picture) in &drawn {
            let (one, other) = (tray(first), tray(picture));
            let is_there = is_same(one.min, other.min) && is_same(one.max, other.max);
            assert!(
                is_there,
                "{state} at {size}: the tray at {other:?} was at {one:?}"
            );
            for (text, is_left) in [
                (NAMES[0], true),
                (CLOCKS[0], true),
                (NAMES[1], false),
                (CLOCKS[1], false),
            ] {
                let rect = |picture| {
                    find(picture, text).unwrap_or_else(|| panic!("{state} at {size} has no {text}"))
                };
                let (one, other) = (rect(first), rect(picture));
                // The clock of the side to move is bold, and extends inward.
                let outer = |text: &PlacedText| outer_corners(text.bounds, is_left);
                let is_there = outer(one)
                    .into_iter()
                    .zip(outer(other))
                    .all(|(one, other)| is_same(one, other));
                assert!(
                    is_there && (one.size - other.size).abs() < 0.01,
                    "{state} at {size}: {other:?} was {one:?}"
                );
            }
            let (one, other) = (
                find(first, NAMES[0]).unwrap().ink,
                find(picture, NAMES[0]).unwrap().ink,
            );
            assert!(
                is_same(one.min, other.min) && is_same(one.max, other.max),
                "{state} at {size}: Black's name"
            );
        }
    }
}

/// Returns every text of a picture, and every value for a screen reader.
fn texts_of(picture: &OverlayPicture) -> Vec<String> {
    let named = picture.named_parts.iter().map(|named| named.value.clone());
    picture
        .texts
        .iter()
        .map(|text| text.text.clone())
        .chain(named)
        .collect()
}

const LARGE: [(Layout, Vec2); 4] = [
    (Layout::Bar, vec2(1900.0, 120.0)),
    (Layout::Bar, vec2(960.0, 72.0)),
    (Layout::Full, vec2(1300.0, 430.0)),
    (Layout::Vertical, vec2(220.0, 960.0)),
];

#[test]
fn the_last_move_has_the_mark_of_the_loss() {
    for (layout, size) in LARGE {
        let picture = |view| picture_of(size, &view, &style(layout));
        let (marked, plain) = (
            picture(playing()),
            picture(BarView {
                last_loss: None,
                ..playing()
            }),
        );
        assert!(
            find(&marked, "−12%").is_some_and(|text| !text.is_elided),
            "{} at {size}",
            layout.name()
        );
        assert!(find(&plain, "−12%").is_none(), "{} at {size}", layout.name());
        let last = marked
            .named_parts
            .iter()
            .find(|named| named.part == PartWord::LastMove);
        assert_eq!(
            last.map(|named| named.value.as_str()),
            Some("△5四歩 −12%"),
            "{} at {size}",
            layout.name()
        );
    }
}

#[test]
fn the_live_mark_says_how_far_the_board_is_behind() {
    for (layout, size) in LARGE
        .into_iter()
        .filter(|(layout, _)| *layout != Layout::Vertical)
    {
        for (live, expect) in [
            (LiveMark::Live, "LIVE"),
            (LiveMark::Behind(3), "3手遅れ"),
            (LiveMark::Waiting, "待機中"),
        ] {
            let picture = picture_of(
                size,
                &BarView {
                    live_mark: Some(live),
                    ..playing()
                },
                &style(layout),
            );
            assert!(
                find(&picture, expect).is_some_and(|text| !text.is_elided),
                "{} at {size}: {expect}",
                layout.name()
            );
        }
    }
}

#[test]
fn the_loser_has_no_number() {
    for layout in Layout::ALL {
        for size in [
            comfortable_size(*layout, 3, 1),
            comfortable_size(*layout, 3, 1) * 2.0,
        ] {
            let picture = picture_of(size, &ended(), &style(*layout));
            let texts: Vec<_> = picture.texts.iter().map(|text| text.text.as_str()).collect();
            assert!(
                texts.contains(&"勝ち"),
                "{} at {size}: the winner's label: {texts:?}",
                layout.name()
            );
            let number = texts
                .iter()
                .find(|text| ["63", "37", "0", "100", "%"].contains(text));
            assert_eq!(number, None, "{} at {size}: {texts:?}", layout.name());
        }
    }
}

#[test]
fn no_text_is_a_line_of_an_engine_or_its_own_name() {
    let failed = with_engine(playing(), |engine| {
        engine.notice = Some(BarNotice::failure(
            "エンジンが止まりました。".to_owned(),
            LINES.map(str::to_owned).to_vec(),
        ));
    });
    let named = |engine: &EngineView| EngineView {
        name: "水匠".to_owned(),
        ..engine.clone()
    };
    let two = dressed(BarView {
        engines: two().engines.iter().map(named).collect(),
        ..two()
    });
    let more = [("failed", failed), ("two", two)];
    for (state, view) in states().into_iter().chain(more) {
        for layout in Layout::ALL {
            for size in [
                comfortable_size(*layout, 3, view.engines.len()),
                vec2(1400.0, 600.0),
                vec2(220.0, 960.0),
            ] {
                let texts = texts_of(&picture_of(size, &view, &style(*layout)));
                let wrong = texts.iter().find(|text| {
                    text.contains(OWN_NAME) || LINES.iter().any(|line| text.contains(&line[..12]))
                });
                assert_eq!(wrong, None, "{state} in {} at {size}: {texts:?}", layout.name());
            }
        }
    }
}

#[test]
fn notices_can_be_read_in_every_layout_and_size() {
    let passing = BarNotice::new("画像をコピーしました。".to_owned());
    let views = [
        ("failure", failure()),
        ("odd record", odd()),
        ("hidden failure", odd().hidden(Lang::Ja)),
        (
            "failure after the end",
            BarView {
                notice: odd().notice,
                ..ended()
            },
        ),
        (
            "passing",
            BarView {
                notice: Some(passing.clone()),
                ..playing()
            },
        ),
        (
            "passing, greyed",
            BarView {
                notice: Some(passing),
                ..greyed()
            },
        ),
        ("start", without_value(Some("エンジンを起動しています…"))),
    ];
    for (name, view) in views {
        let notice = view.notice().unwrap().text.clone();
        for layout in Layout::ALL {
            for size in SIZES
                .map(Vec2::from)
                .into_iter()
                .filter(|size| (*size - minimum_size(*layout)).min_elem() >= 0.0)
            {
                let picture = picture_of(size, &view, &style(*layout));
                let context = format!("{name} in {} at {size}", layout.name());
                let words: String = picture.texts.iter().map(|text| text.text.as_str()).collect();
                assert!(words.contains(&notice[..9]), "{context}: {words}");
                let named = picture
                    .named_parts
                    .iter()
                    .filter(|named| named.part == PartWord::Notice);
                let texts: Vec<_> = named.map(|named| (named.engine, named.value.as_str())).collect();
                assert_eq!(texts, [(None, notice.as_str())], "{context}");
            }
        }
    }
}

#[test]
fn exact_numbers_are_shown_in_every_layout() {
    for layout in Layout::ALL {
        let size = comfortable_size(*layout, 3, 1) * 1.5;
        let mut parts = style(*layout).parts;
        parts.set_shown(OverlayPart::Evaluation, false);
        let texts = |exact, view: &BarView| -> Vec<String> {
            let look = OverlayStyle {
                is_exact: exact,
                parts: parts.clone(),
                ..style(*layout)
            };
            picture_of(size, view, &look)
                .texts
                .into_iter()
                .map(|text| text.text)
                .collect()
        };
        let calm = texts(false, &playing());
        assert!(
            calm.contains(&"63".to_owned()) && !calm.iter().any(|text| text.contains("+320")),
            "{calm:?}"
        );
        let exact = texts(
            true,
            &BarView {
                share: Some(0.6314),
                ..playing()
            },
        );
        assert!(
            exact.contains(&"63.1".to_owned()) && exact.contains(&"36.9".to_owned()),
            "{layout:?}: {exact:?}"
        );
        assert!(
            exact.iter().any(|text| text.contains("+320")),
            "{layout:?}: {exact:?}"
        );
        let hidden = texts(true, &playing().hidden(Lang::Ja));
        assert!(
            !hidden
                .iter()
                .any(|text| text.contains("63") || text.contains("+320")),
            "{layout:?}: {hidden:?}"
        );
    }
}

/// Returns a finished game in which Black and White have lost win rate by mistakes, in turn.
pub(crate) fn ended_with_mistakes() -> BarView {
    let shares = (0..=110_u16).map(|ply| match ply {
        0..60 => 0.52 + f32::from(ply % 7) * 0.005,
        60..80 => 0.6,
        80 => 0.72,
        81..90 => 0.45,
        90..95 => 0.7,
        95..100 => 0.58,
        _ => 0.25 - f32::from(ply - 100) * 0.02,
    });
    BarView {
        graph: shares.map(Some).collect(),
        ..ended()
    }
}

#[test]
fn the_graph_of_the_game_has_letters_on_its_mistakes() {
    let letters = |view: &BarView| {
        let picture = picture_of(vec2(1300.0, 430.0), view, &style(Layout::Full));
        ["悪", "疑"].map(|letter| picture.texts.iter().filter(|text| text.text == letter).count())
    };
    let [bad, doubtful] = letters(&ended_with_mistakes());
    assert!(bad >= 2 && doubtful >= 1, "{bad} {doubtful}");
    let playing = BarView {
        graph: ended_with_mistakes().graph,
        ..playing()
    };
    let [bad, doubtful] = letters(&playing);
    assert!(
        bad >= 1 && doubtful == 0,
        "the strip has mistakes alone: {bad} {doubtful}"
    );
    assert_eq!(letters(&ended()), [0, 0]);
}

/// A letter is drawn only on a dot that holds it at a readable size.
#[test]
fn the_letters_of_mistakes_fit_their_dots() {
    let playing = BarView {
        graph: ended_with_mistakes().graph,
        ..playing()
    };
    for size in [
        vec2(480.0, 150.0),
        vec2(560.0, 188.0),
        vec2(838.0, 277.0),
        vec2(1300.0, 430.0),
    ] {
        for view in [&playing, &ended_with_mistakes()] {
            let picture = picture_of(size, view, &style(Layout::Full));
            let is_letter = |text: &&PlacedText| ["悪", "疑"].contains(&text.text.as_str());
            for letter in picture.texts.iter().filter(is_letter) {
                let is_around = |dot: &egui::epaint::CircleShape| {
                    dot.center.distance(letter.ink.center()) < 2.0 && dot.radius >= 0.7 * letter.size
                };
                let holds = |shape: &egui::Shape| matches!(shape, egui::Shape::Circle(dot) if is_around(dot));
                assert!(
                    letter.size >= 11.0 && picture.shapes.iter().any(holds),
                    "{size}: {letter:?}"
                );
            }
        }
    }
}

#[test]
fn the_graph_of_the_game_has_no_line_across_a_long_gap() {
    let lines = |gap: usize| {
        let shares = (0..60)
            .map(|ply| (ply < 20 || ply >= 20 + gap).then_some(0.6))
            .collect();
        let view = BarView {
            graph: shares,
            ..playing()
        };
        let picture = picture_of(vec2(1300.0, 430.0), &view, &style(Layout::Full));
        let is_line = |shape: &&egui::Shape| matches!(shape, egui::Shape::Path(path) if !path.closed);
        picture.shapes.iter().filter(is_line).count()
    };
    assert_eq!(lines(3), lines(0), "a value at every few moves is a line");
    assert_eq!(lines(20), lines(0) + 1, "two pieces");
}
