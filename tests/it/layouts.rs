//! The layouts of the overlay, each with and without its optional parts, checked by the positions of their texts.
use crate::overlay::{
    draw, endless, failure, game, mate, part_text, picture_of, side_by_side, two, window_of, with_engine,
};
use eframe::egui::{self, Rect, Vec2, vec2};
use shogibar_base::Lang;
use shogibar_config::{Background, Layout, OverlayPart, OverlayParts, Percent};
use shogibar_games::bar::{
    BarNotice, BarView, CandidateView, DecidedWin, EngineSignal, EngineView, LiveMark, TurningCard,
};
use shogibar_kifu::{ClockTime, Millis};
use shogibar_ui::fonts;
use shogibar_ui::overlay::{OverlayPicture, OverlayStyle, PlacedText, comfortable_size, minimum_size};
use std::sync::Arc;

fn style(layout: Layout, lang: Lang) -> OverlayStyle {
    OverlayStyle {
        layout,
        ..OverlayStyle::new(shogibar_ui::theme::ink(), lang)
    }
}

fn without(parts: &[OverlayPart]) -> OverlayParts {
    let mut shown = OverlayParts::default();
    for part in parts {
        shown.set_shown(*part, false);
    }
    shown
}

pub(crate) fn in_english(view: BarView) -> BarView {
    let mut view = with_names(view, "Black", "White");
    view.position_text = ["after move 74".to_owned(), "P-5d".to_owned(), String::new()];
    view.advantage = if view.advantage.is_empty() {
        String::new()
    } else {
        "Black promising".to_owned()
    };
    if let Some(decided) = &mut view.decided_win {
        let (text, label) = ("Black wins · mate in 7 plies".to_owned(), "mate".to_owned());
        *decided = DecidedWin {
            text,
            brief: "mate in 7 plies".to_owned(),
            label,
            ..decided.clone()
        };
    }
    for engine in &mut view.engines {
        engine.stats = ["depth 24/31 · 3.2M nodes".to_owned(), "1.5M nps".to_owned()];
        for candidate in &mut engine.candidates {
            "Sx5c+".clone_into(&mut candidate.word);
            "P-8d P-2e P-8e G-7h G-3b P-2d Px2d Rx2d P-2c".clone_into(&mut candidate.line);
        }
    }
    view
}

fn with_names(mut view: BarView, black: &str, white: &str) -> BarView {
    black.clone_into(&mut view.black.name);
    white.clone_into(&mut view.white.name);
    view
}

fn greyed() -> BarView {
    let reads = Some(BarNotice::new("読み中…".to_owned()));
    let view = BarView {
        is_stale: true,
        evaluation: String::new(),
        advantage: String::new(),
        ..game()
    };
    with_engine(view, |engine| {
        (engine.is_stale, engine.evaluation, engine.notice) = (true, String::new(), reads);
        (engine.candidates, engine.stats) = (Vec::new(), Default::default());
    })
}

/// Returns the view with the card of a turning point.
pub(crate) fn with_card(view: BarView, lang: Lang) -> BarView {
    let ja = [
        "逆転",
        "△9五銀",
        "△9五歩",
        "▲同歩 △同歩で銀損。先に△9五歩なら△同銀と出られた",
    ];
    let en = [
        "Turnaround",
        "S-9e",
        "P-9e",
        "Px9e Px9e loses the silver for a pawn",
    ];
    let [heading, word, better, reason] = if lang == Lang::Ja { ja } else { en }.map(str::to_owned);
    let labels = if lang == Lang::Ja {
        ["直前", "いま"]
    } else {
        ["before", "now"]
    };
    let card = TurningCard {
        number: 1,
        heading,
        word,
        loss_text: "−11%".to_owned(),
        shares: [0.42, 0.53],
        labels: labels.map(str::to_owned),
        better,
        better_label: lang.pick("最善は", "Better:").to_owned(),
        better_rate: lang.pick("58%のまま", "keeps 58%").to_owned(),
        reason,
        outcome: String::new(),
    };
    BarView {
        turning_card: Some(Arc::new(card)),
        ..view
    }
}

/// Returns the view with the card of a turning point of which only numbers are shown.
pub(crate) fn with_numbers_card(view: BarView, lang: Lang) -> BarView {
    let mut view = with_card(view, lang);
    let card = Arc::make_mut(view.turning_card.as_mut().unwrap());
    for text in [&mut card.word, &mut card.better, &mut card.reason] {
        text.clear();
    }
    lang.pick("先手が上回った", "Black leads now")
        .clone_into(&mut card.outcome);
    view
}

pub(crate) fn odd() -> BarView {
    BarView {
        notice: Some(BarNotice::failure(
            "棋譜に読めない行があります。".repeat(3),
            Vec::new(),
        )),
        ..game()
    }
}

pub(crate) const SIZES: [(f32, f32); 22] = [
    (160.0, 24.0),
    (160.0, 48.0),
    (48.0, 160.0),
    (100.0, 440.0),
    (160.0, 160.0),
    (160.0, 1200.0),
    (220.0, 800.0),
    (280.0, 80.0),
    (300.0, 60.0),
    (360.0, 440.0),
    (480.0, 110.0),
    (500.0, 500.0),
    (560.0, 188.0),
    (560.0, 330.0),
    (640.0, 150.0),
    (860.0, 44.0),
    (1080.0, 204.0),
    (1920.0, 24.0),
    (1920.0, 400.0),
    (1920.0, 1080.0),
    (3840.0, 60.0),
    (3840.0, 2160.0),
];

/// Draws every layout in every size with each of the styles and views. Each size has a separate pass, so that the
/// glyphs do not accumulate.
fn measure(
    views: &[(&str, BarView, Lang)],
    parts: &[OverlayParts],
    letters: u8,
    check: impl Fn(Vec2, &BarView, &OverlayPicture, &str),
) {
    let ctx = egui::Context::default();
    ctx.set_fonts(fonts::definitions());
    // Every second one has the sides swapped.
    let styles = |layout, lang| {
        let all = parts.iter().enumerate();
        all.map(move |(nth, parts)| OverlayStyle {
            parts: parts.clone(),
            is_swapped: nth % 2 == 1,
            text_size: Percent(letters),
            ..style(layout, lang)
        })
    };
    let sizes = SIZES.map(|(width, height)| vec2(width, height));
    let all = Layout::ALL
        .iter()
        .flat_map(|layout| sizes.map(|size| (*layout, size)));
    for (layout, size) in all.filter(|(layout, size)| (*size - minimum_size(*layout)).min_elem() >= 0.0) {
        let pass = |ui: &egui::Ui, name: &str, view: &BarView, style: &OverlayStyle| {
            let picture = ui.fonts_mut(|fonts| draw(fonts, size, view, style));
            check(
                size,
                view,
                &picture,
                &format!("{} {name} at {size} {:?}", layout.name(), style.parts),
            );
        };
        let mut output = ctx.run_ui(egui::RawInput::default(), |ui| {
            for (name, view, lang) in views {
                styles(layout, *lang).for_each(|style| pass(ui, name, view, &style));
            }
        });
        output.textures_delta.clear();
    }
}

/// A transparent gap in place of a folded part would show the desktop through an opaque window.
#[test]
fn an_opaque_background_fills_the_window() {
    let size = vec2(838.0, 277.0);
    for layout in Layout::ALL {
        let hidden = game().hidden(Lang::Ja);
        let of = |background| {
            picture_of(
                size,
                &hidden,
                &OverlayStyle {
                    background,
                    ..style(*layout, Lang::Ja)
                },
            )
        };
        let covers = |picture: &OverlayPicture, rect: Rect| {
            picture
                .shapes
                .iter()
                .any(|shape| matches!(shape, egui::Shape::Rect(filled) if filled.rect == rect))
        };
        let window = Rect::from_min_size(egui::Pos2::ZERO, size);
        assert!(covers(&of(Background::Opaque), window), "{}", layout.name());
        let folds = matches!(layout, Layout::Full | Layout::Candidates);
        assert_eq!(
            covers(&of(Background::Transparent), window),
            !folds,
            "{}",
            layout.name()
        );
    }
}

/// Checks that no text overlaps another or the bar, leaves its box, or is too small to read.
fn check(size: Vec2, _: &BarView, picture: &OverlayPicture, context: &str) {
    let window = Rect::from_min_size(egui::Pos2::ZERO, size);
    let named = |part| {
        picture
            .named_parts
            .iter()
            .find(|named| named.part == part)
            .map(|named| named.rect)
    };
    let bar = named(shogibar_ui::PartWord::Share).or_else(|| named(shogibar_ui::PartWord::Result));
    for (index, shown) in picture.texts.iter().enumerate() {
        let (ink, bounds) = (shown.ink, shown.bounds);
        let context = format!("{context}: {:.40} at {ink:?}", shown.text);
        assert!(
            shown.size >= 11.0,
            "{context} is too small to be read: {}",
            shown.size
        );
        assert!(window.contains_rect(ink), "{context} leaves the window");
        // Antialiasing and side bearings of a glyph may reach one point further, so this is allowed.
        assert!(
            bounds.x_range().expand(1.5).contains(ink.left()),
            "{context} starts before {bounds:?}"
        );
        assert!(
            bounds.x_range().expand(1.5).contains(ink.right()),
            "{context} ends behind {bounds:?}"
        );
        let apart = |other: Rect| {
            let common = ink.intersect(other);
            common.width() <= 0.5 || common.height() <= 0.5
        };
        if shown.is_on_bar {
            let is_within =
                bounds.expand(1.5).contains_rect(ink) && bar.is_none_or(|bar| bar.contains_rect(ink));
            assert!(is_within, "{context} leaves {bounds:?} or the bar at {bar:?}");
        } else {
            assert!(bar.is_none_or(apart), "{context} lies upon the bar at {bar:?}");
        }
        for other in &picture.texts[..index] {
            assert!(
                apart(other.ink),
                "{context} lies upon {:.40} at {:?}",
                other.text,
                other.ink
            );
        }
    }
}

#[test]
fn texts_fit_and_do_not_overlap_in_any_layout() {
    let views = [
        ("game", game(), Lang::Ja),
        ("mate", mate(), Lang::Ja),
        ("greyed", greyed(), Lang::Ja),
        ("failure", failure(), Lang::Ja),
        ("odd record", odd(), Lang::Ja),
        ("endless", endless(), Lang::Ja),
        ("hidden", endless().hidden(Lang::Ja), Lang::Ja),
        (
            "nobody",
            BarView {
                engines: Vec::new(),
                share: None,
                ..game()
            },
            Lang::Ja,
        ),
        ("two", two(), Lang::Ja),
        ("two, one failed", side_by_side(game(), &failure()), Lang::Ja),
        ("two, both failed", side_by_side(failure(), &failure()), Lang::Ja),
        ("two, endless", side_by_side(endless(), &endless()), Lang::Ja),
        ("game", in_english(game()), Lang::En),
        ("mate", in_english(mate()), Lang::En),
        ("two", in_english(two()), Lang::En),
        ("hidden", in_english(game()).hidden(Lang::En), Lang::En),
    ];
    measure(
        &views,
        &[OverlayParts::default(), without(&[OverlayPart::Ticks])],
        100,
        |size, view, picture, context| {
            check(size, view, picture, context);
            let texts = &picture.texts;
            let percent = view
                .black
                .percent
                .filter(|_| view.decided_win.is_none())
                .map(|percent| percent.to_string());
            let is_there = |percent: String| texts.iter().any(|text| text.text == percent && !text.is_elided);
            assert!(
                percent.is_none_or(is_there),
                "{context}: the win rate comes first, not {texts:?}"
            );
        },
    );
}

#[test]
fn cards_fit_and_do_not_overlap() {
    let views = [
        ("card", with_card(game(), Lang::Ja), Lang::Ja),
        ("card", with_card(in_english(game()), Lang::En), Lang::En),
        ("card of numbers", with_numbers_card(game(), Lang::Ja), Lang::Ja),
        ("two", with_card(two(), Lang::Ja), Lang::Ja),
    ];
    measure(&views, &[OverlayParts::default()], 100, check);
    measure(
        &views,
        &[OverlayParts::default()],
        150,
        |size, _, picture, context| {
            let window = Rect::from_min_size(egui::Pos2::ZERO, size);
            let outside = picture.texts.iter().find(|text| !window.contains_rect(text.ink));
            assert!(outside.is_none(), "{context}: {outside:?}");
        },
    );
}

#[test]
fn texts_fit_and_do_not_overlap_without_parts() {
    let views = [
        ("game", game(), Lang::Ja),
        ("mate", in_english(mate()), Lang::En),
        ("endless", endless(), Lang::Ja),
        ("failure", failure(), Lang::Ja),
        ("two", two(), Lang::Ja),
    ];
    let mut parts: Vec<_> = OverlayPart::ALL.iter().map(|part| without(&[*part])).collect();
    parts.push(without(&[
        OverlayPart::Names,
        OverlayPart::Numbers,
        OverlayPart::Words,
    ]));
    parts.push(without(&[
        OverlayPart::MoveNumber,
        OverlayPart::LastMove,
        OverlayPart::Names,
        OverlayPart::ToMove,
    ]));
    parts.push(without(OverlayPart::ALL));
    measure(&views, &parts, 100, check);
}

/// Letters are drawn as large as they fit. Numbers are never cut off.
#[test]
fn large_letters_fit() {
    let views = [
        ("game", named_game(), Lang::Ja),
        ("game", in_english(named_game()), Lang::En),
        ("mate", mate(), Lang::Ja),
        ("two", two(), Lang::Ja),
    ];
    for letters in [130, 150] {
        measure(
            &views,
            &[OverlayParts::default()],
            letters,
            |size, view, picture, context| {
                let window = Rect::from_min_size(egui::Pos2::ZERO, size);
                let outside = picture.texts.iter().find(|text| !window.contains_rect(text.ink));
                assert!(outside.is_none(), "{context}: {outside:?} leaves the window");
                let numbers = [&view.black, &view.white].map(|side| side.percent);
                for number in numbers
                    .into_iter()
                    .flatten()
                    .filter(|_| view.decided_win.is_none())
                {
                    let is_whole = |text: &&PlacedText| text.text == number.to_string() && !text.is_elided;
                    assert!(
                        picture.texts.iter().any(|text| is_whole(&text)),
                        "{context}: {number} is cut"
                    );
                }
            },
        );
        for layout in Layout::ALL {
            let of = |size, view: &BarView, lang| {
                let style = OverlayStyle {
                    text_size: Percent(letters),
                    ..style(*layout, lang)
                };
                check(
                    size,
                    view,
                    &picture_of(size, view, &style),
                    &format!("{} at {letters} %", layout.name()),
                );
            };
            for times in [1.0, 1.5] {
                of(comfortable_size(*layout, 3, 1) * times, &named_game(), Lang::Ja);
                of(
                    comfortable_size(*layout, 3, 1) * times,
                    &in_english(named_game()),
                    Lang::En,
                );
            }
        }
    }
}

fn words(picture: &OverlayPicture) -> String {
    // The share bar contains no text.
    let named = picture
        .named_parts
        .iter()
        .filter(|named| named.part != shogibar_ui::PartWord::Share)
        .map(|named| named.value.as_str());
    let all = picture
        .texts
        .iter()
        .map(|text| text.text.as_str())
        .chain(named)
        .collect::<Vec<_>>()
        .join("|");
    // A move is drawn with narrow digits and named with wide ones.
    let is_wide = |c: char| ('０'..='９').contains(&c);
    all.chars()
        .map(|c| {
            if is_wide(c) {
                char::from_u32(u32::from(c) - 0xFEE0).unwrap()
            } else {
                c
            }
        })
        .collect()
}

/// The texts that appear only where a part is shown.
const MARKS: [(OverlayPart, &[&str]); 16] = [
    (OverlayPart::Names, &["佐藤", "鈴木"]),
    (OverlayPart::Numbers, &["63", "37", "+320", "61%", "−2"]),
    (
        OverlayPart::Words,
        &["▲2六歩", "▲7六歩", "先手やや有利", "△5四歩"],
    ),
    (OverlayPart::Candidates, &["▲2六歩", "▲7六歩"]),
    (OverlayPart::Lines, &["△8四歩"]),
    (OverlayPart::Loss, &["−2", "−8", "−12%"]),
    (OverlayPart::Figures, &["深さ", "nps"]),
    (OverlayPart::Engine, &["YaneuraOu"]),
    (OverlayPart::MoveNumber, &["74手目"]),
    (OverlayPart::LastMove, &["△5四歩"]),
    (OverlayPart::ToMove, &["先手の番"]),
    (OverlayPart::Evaluation, &["+320"]),
    (OverlayPart::Situation, &["先手やや有利"]),
    (OverlayPart::Signal, &["LIVE"]),
    (OverlayPart::Graph, &["|graph"]),
    (OverlayPart::Clocks, &["42:10", "残り"]),
];

/// Returns a size in which a layout shows every part.
fn with_room_for_all(layout: Layout) -> Vec2 {
    match layout {
        Layout::Bar => vec2(1400.0, 100.0),
        Layout::Compact => vec2(400.0, 240.0),
        Layout::Full | Layout::Candidates | Layout::Vertical => vec2(1400.0, 600.0),
    }
}

fn named_game() -> BarView {
    let graph = (0..75).map(|_| Some(0.6)).collect();
    let view = BarView {
        live_mark: Some(LiveMark::Live),
        last_loss: Some(12),
        graph,
        ..game()
    };
    let mut view = with_names(view, "佐藤", "鈴木");
    view.black.clock = Some(ClockTime::Remaining(Millis(2_530_000)));
    view
}

#[test]
fn every_part_can_be_switched_off_in_every_layout() {
    for layout in Layout::ALL {
        for (part, marks) in MARKS {
            let shown = |parts| {
                let style = OverlayStyle {
                    parts,
                    ..style(*layout, Lang::Ja)
                };
                let picture = picture_of(with_room_for_all(*layout), &named_game(), &style);
                let has = |part| picture.named_parts.iter().any(|named| named.part == part);
                let turn = if has(shogibar_ui::PartWord::ToMove) {
                    "|先手の番"
                } else {
                    ""
                };
                let graph = if has(shogibar_ui::PartWord::Graph) {
                    "|graph"
                } else {
                    ""
                };
                format!("{}{turn}{graph}", words(&picture))
            };
            let (with, off) = (shown(OverlayParts::default()), shown(without(&[part])));
            for mark in marks {
                assert!(
                    !off.contains(mark),
                    "{} shows {mark} without {part:?}: {off}",
                    layout.name()
                );
            }
            let is_of_all = matches!(
                part,
                OverlayPart::Names | OverlayPart::Numbers | OverlayPart::ToMove | OverlayPart::LastMove
            );
            let is_here = match layout {
                Layout::Full => true,
                Layout::Candidates => !matches!(
                    part,
                    OverlayPart::Signal | OverlayPart::Clocks | OverlayPart::Graph
                ),
                Layout::Vertical => !matches!(part, OverlayPart::Signal | OverlayPart::Graph),
                Layout::Bar => matches!(
                    part,
                    OverlayPart::MoveNumber | OverlayPart::Signal | OverlayPart::Clocks
                ),
                Layout::Compact => matches!(part, OverlayPart::Evaluation | OverlayPart::Situation),
            };
            if is_of_all || is_here {
                let seen = marks.iter().any(|mark| with.contains(mark));
                assert!(seen, "{} shows no {part:?}: {with}", layout.name());
            }
        }
    }
}

#[test]
fn the_bar_takes_the_space_of_hidden_parts() {
    for layout in Layout::ALL {
        let size = comfortable_size(*layout, 3, 1);
        let bar = |parts: OverlayParts| {
            let picture = picture_of(
                size,
                &game(),
                &OverlayStyle {
                    parts,
                    ..style(*layout, Lang::Ja)
                },
            );
            let share = picture
                .named_parts
                .iter()
                .find(|named| named.part == shogibar_ui::PartWord::Share);
            (share.expect("there is a bar").rect.area(), picture.shapes.len())
        };
        let (all, numberless, bare) = (
            bar(OverlayParts::default()),
            bar(without(&[OverlayPart::Numbers])),
            bar(without(&[
                OverlayPart::Names,
                OverlayPart::Numbers,
                OverlayPart::Words,
                OverlayPart::MoveNumber,
                OverlayPart::ToMove,
            ])),
        );
        if *layout != Layout::Candidates {
            assert!(
                numberless.0 > all.0,
                "{}: the bar takes the room of the numbers",
                layout.name()
            );
        }
        assert!(bare.0 > all.0, "{}: and of all else", layout.name());
        if *layout != Layout::Candidates {
            assert_eq!(
                bar(without(&[OverlayPart::Ticks])).1 + 6,
                all.1,
                "{}: a notch from both edges",
                layout.name()
            );
        }
    }
}

#[test]
fn sides_can_be_swapped() {
    for layout in Layout::ALL {
        let size = comfortable_size(*layout, 3, 1);
        let rects = |swapped| {
            let picture = picture_of(
                size,
                &named_game(),
                &OverlayStyle {
                    is_swapped: swapped,
                    ..style(*layout, Lang::Ja)
                },
            );
            let at = |part| {
                picture
                    .named_parts
                    .iter()
                    .find(|named| named.part == part)
                    .expect("it is there")
                    .rect
                    .center()
            };
            (
                at(shogibar_ui::PartWord::BlackPercent),
                at(shogibar_ui::PartWord::WhitePercent),
            )
        };
        let (black, white) = rects(false);
        assert_eq!(rects(true), (white, black), "{}", layout.name());
        if *layout == Layout::Vertical {
            assert!(black.y > white.y, "Black is at the bottom");
        } else {
            assert!(black.x < white.x, "{}: Black is on the left", layout.name());
        }
    }
}

#[test]
fn a_hidden_view_shows_no_evaluation() {
    let value_words = [
        "63",
        "37",
        "+320",
        "先手やや有利",
        "▲2六歩",
        "61%",
        "詰み",
        "勝ち",
        "深さ",
        "最善",
        "terminate",
    ];
    for (name, view) in [
        ("game", named_game()),
        ("mate", mate()),
        ("failure", failure()),
        ("two", two()),
    ] {
        let hidden = view.hidden(Lang::Ja);
        for layout in Layout::ALL {
            for (width, height) in SIZES {
                let size = vec2(width, height);
                let picture = picture_of(size, &hidden, &style(*layout, Lang::Ja));
                let words = words(&picture);
                let read = value_words
                    .iter()
                    .find(|value_words| words.contains(**value_words));
                assert_eq!(read, None, "{} {name} at {size}: {words}", layout.name());
                // The shapes do not depend on the evaluation either.
                let drawn = |view: &BarView| {
                    format!(
                        "{:?}",
                        picture_of(size, &view.hidden(Lang::Ja), &style(*layout, Lang::Ja)).shapes
                    )
                };
                let other = BarView {
                    share: Some(0.2),
                    is_stale: true,
                    decided_win: None,
                    ..view.clone()
                };
                assert_eq!(drawn(&view), drawn(&other), "{} {name} at {size}", layout.name());
            }
            let size = comfortable_size(*layout, 3, view.engines.len());
            let words = words(&picture_of(size, &hidden, &style(*layout, Lang::Ja)));
            assert!(
                words.contains("評価値は伏せています"),
                "{} says that it is hidden: {words}",
                layout.name()
            );
            let has_position = words.contains("△5四歩") || name == "failure";
            assert!(has_position, "{} still says where we are: {words}", layout.name());
        }
    }
}

#[test]
fn signals_differ_in_shape() {
    for layout in Layout::ALL {
        let drawn = |signal| {
            let view = with_engine(game(), |engine| engine.signal = signal);
            let picture = picture_of(with_room_for_all(*layout), &view, &style(*layout, Lang::Ja));
            let signal = picture
                .named_parts
                .iter()
                .find(|named| named.part == shogibar_ui::PartWord::Signal);
            (signal.map(|named| named.value.clone()), picture.shapes.len())
        };
        let [none, live, waiting, paused, lost] = [
            None,
            Some(EngineSignal::Live),
            Some(EngineSignal::Waiting),
            Some(EngineSignal::Paused),
            Some(EngineSignal::Lost),
        ]
        .map(drawn);
        let signal =
            [&none, &live, &waiting, &paused, &lost].map(|(signal, _)| signal.as_deref().unwrap_or_default());
        assert_eq!(
            signal[..3],
            ["", "", ""],
            "{}: what goes on as it should has no mark",
            layout.name()
        );
        if matches!(layout, Layout::Full | Layout::Candidates | Layout::Compact) {
            assert_eq!(signal[3..], ["一時停止中", "途絶"], "{}", layout.name());
            assert!(
                paused.1 > none.1 && lost.1 > none.1,
                "{}: two bars, and a cross",
                layout.name()
            );
        }
    }
}

#[test]
fn the_size_for_two_shows_both_engines() {
    for layout in Layout::ALL {
        let words = words(&picture_of(
            comfortable_size(*layout, 3, 2),
            &two(),
            &style(*layout, Lang::Ja),
        ));
        assert!(words.contains("▲2六歩"), "{}: {words}", layout.name());
        if *layout != Layout::Vertical {
            assert!(words.contains("▲7八金"), "{}: {words}", layout.name());
        }
    }
}

#[test]
fn the_minimum_size_shows_the_win_rate() {
    for layout in Layout::ALL {
        let picture = picture_of(minimum_size(*layout), &game(), &style(*layout, Lang::Ja));
        assert!(
            words(&picture).contains("63"),
            "{}: {}",
            layout.name(),
            words(&picture)
        );
    }
}

#[test]
fn without_motion_the_share_jumps() {
    let style = OverlayStyle {
        has_motion: false,
        ..style(Layout::Bar, Lang::Ja)
    };
    let mut window = window_of(vec2(860.0, 44.0), game(), style);
    window.run_steps(2);
    let mut view = game();
    (view.share, view.black.percent, view.white.percent) = (Some(0.80), Some(80), Some(20));
    window.state_mut().view = view;
    window.step();
    window.step();
    assert_eq!(
        part_text(&window, shogibar_ui::PartWord::BlackPercent).as_deref(),
        Some("80%"),
        "at once"
    );
    let delay = window
        .output()
        .viewport_output
        .values()
        .map(|output| output.repaint_delay)
        .min();
    assert_eq!(delay, Some(std::time::Duration::MAX), "and no frame is asked for");
}

#[test]
fn shows_a_candidate_without_a_value() {
    let book = |engine: &mut EngineView| {
        engine.candidates = vec![CandidateView {
            rank: 1,
            word: "▲7六歩".to_owned(),
            ..CandidateView::default()
        }];
    };
    for layout in Layout::ALL {
        let words = words(&picture_of(
            comfortable_size(*layout, 3, 1),
            &with_engine(game(), book),
            &style(*layout, Lang::Ja),
        ));
        assert!(words.contains("▲7六歩"), "{}: {words}", layout.name());
    }
}
