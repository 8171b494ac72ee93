//! The overlay in its full layout, checked by its accessible names and the positions of its texts.
#![expect(clippy::expect_used, reason = "a test fails by panicking")]

use eframe::egui::epaint::text::FontsView;
use eframe::egui::{self, Pos2, Rect, Vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use shogibar_base::Lang;
use shogibar_config::Layout;
use shogibar_games::bar::{
    BarNotice, BarView, CandidateView, DecidedWin, EngineSignal, EngineView, SideView,
};
use shogibar_shogi::Color;
use shogibar_ui::fonts::{self, TextWeight};
use shogibar_ui::overlay::{self, Overlay, OverlayPicture, OverlayStyle};
use shogibar_ui::{FramePacer, PartWord};

/// The default size of the layout.
const SIZE: Vec2 = egui::vec2(1080.0, 357.0);

/// The characters that the bar prints in bold: moves and figures.
const MOVES: &str = "歩香桂銀金角飛王玉と成杏圭全馬竜龍一二三四五六七八九１２３４５６７８９0123456789同右左直上寄引行入生不打\
    ▲△☗☖▼▽　ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz+-=*'()x/.,:%…−±–＋・手目まで詰先後";

/// The squares in the order of いろは譜, which writes each with one character.
const IROHA: &str = "谷柳万一ゆまつぬい川桜花三めけねるろ海松鳥五みふなをは里楓風六しこらわに村雨月七ひえむかほ\
    森露春八もてうよへ竹霜夏十せあのたと草雪秋百すさくれち石山冬千京きやそり";

pub(crate) struct Window {
    pub(crate) view: BarView,
    pub(crate) style: OverlayStyle,
    overlay: Overlay,
}

fn window(size: Vec2, view: BarView, lang: Lang) -> Harness<'static, Window> {
    window_of(size, view, OverlayStyle::new(shogibar_ui::theme::ink(), lang))
}

pub(crate) fn window_of(size: Vec2, view: BarView, style: OverlayStyle) -> Harness<'static, Window> {
    Harness::builder()
        .with_size(size)
        .with_step_dt(1.0 / 60.0)
        .with_max_steps(60)
        .with_context_setup(|ctx| ctx.set_fonts(fonts::definitions()))
        .build_ui_state(
            |ui, window: &mut Window| {
                window.overlay.show(ui, &window.view, &window.style);
            },
            Window {
                view,
                style,
                overlay: Overlay::default(),
            },
        )
}

/// Returns the text of a part; `None` if the part is not shown.
pub(crate) fn part_text(window: &Harness<'_, Window>, part: PartWord) -> Option<String> {
    let name = part.text(window.state().style.lang);
    window
        .query_by_label(&name)
        .map(|node| node.value().unwrap_or_default())
}

/// Returns the text of a part of one of several engines, counted from 0.
pub(crate) fn part_text_of(window: &Harness<'_, Window>, engine: usize, part: PartWord) -> Option<String> {
    let name = part.for_engine(engine, window.state().style.lang);
    window
        .query_by_label(&name)
        .map(|node| node.value().unwrap_or_default())
}

/// Calls `style` with the shipped fonts and no others, and returns its result.
///
/// # Panics
/// If a character is drawn that the fonts do not have.
pub(crate) fn with_fonts<T>(mut style: impl FnMut(&mut FontsView<'_>) -> T) -> T {
    let mut found = None;
    let setup = |ctx: &egui::Context| ctx.set_fonts(fonts::definitions());
    drop(
        Harness::builder()
            .with_context_setup(setup)
            .build_ui(|ui| found = Some(ui.fonts_mut(&mut style))),
    );
    found.expect("the harness draws at once")
}

fn picture(size: Vec2, view: &BarView) -> OverlayPicture {
    picture_of(
        size,
        view,
        &OverlayStyle::new(shogibar_ui::theme::ink(), Lang::Ja),
    )
}

pub(crate) fn picture_of(size: Vec2, view: &BarView, style: &OverlayStyle) -> OverlayPicture {
    with_fonts(|fonts| draw(fonts, size, view, style))
}

pub(crate) fn draw(
    fonts: &mut FontsView<'_>,
    size: Vec2,
    view: &BarView,
    style: &OverlayStyle,
) -> OverlayPicture {
    overlay::draw(
        fonts,
        view,
        overlay::final_share(view),
        style,
        Rect::from_min_size(Pos2::ZERO, size),
    )
}

pub(crate) fn candidate(rank: u32, word: &str, value: &str, loss: Option<u8>) -> CandidateView {
    let line = "△8四歩 ▲2五歩 △8五歩 ▲7八金 △3二金 ▲2四歩 △同　歩 ▲同　飛 △2三歩".to_owned();
    CandidateView {
        rank,
        word: word.to_owned(),
        percent: value.to_owned(),
        loss,
        line,
        ..CandidateView::default()
    }
}

pub(crate) fn game() -> BarView {
    let side = |name: &str, percent| SideView {
        name: name.to_owned(),
        role: name.to_owned(),
        percent: Some(percent),
        ..SideView::default()
    };
    BarView {
        black: side("先手", 63),
        white: side("後手", 37),
        to_move: Some(Color::Black),
        share: Some(0.63),
        position_text: ["74手目 ".to_owned(), "△5四歩".to_owned(), " まで".to_owned()],
        last_mover: Some(Color::White),
        evaluation: "+320".to_owned(),
        advantage: "先手やや有利".to_owned(),
        engines: vec![EngineView {
            name: "YaneuraOu".to_owned(),
            is_followed: true,
            percent: Some(63),
            evaluation: "+320".to_owned(),
            candidates: vec![
                candidate(1, "▲2六歩", "63%", None),
                candidate(2, "▲7六歩", "61%", Some(2)),
                candidate(3, "▲同　銀直", "55%", Some(8)),
            ],
            multipv: 3,
            stats: ["深さ24/31　320万ノード".to_owned(), "1.5M nps".to_owned()],
            reported_name: "YaneuraOu".to_owned(),
            signal: Some(EngineSignal::Live),
            ..EngineView::default()
        }],
        ..BarView::default()
    }
}

pub(crate) fn with_engine(mut view: BarView, change: impl FnOnce(&mut EngineView)) -> BarView {
    change(&mut view.engines[0]);
    view
}

/// Returns two engines side by side. The bar follows the first.
pub(crate) fn side_by_side(mut first: BarView, second: &BarView) -> BarView {
    first.engines.push(EngineView {
        is_followed: false,
        ..second.engines[0].clone()
    });
    first
}

pub(crate) fn two() -> BarView {
    let fairy = |engine: &mut EngineView| {
        "Fairy-Stockfish 11.1 LB".clone_into(&mut engine.name);
        (engine.percent, engine.evaluation) = (Some(41), "−218".to_owned());
        engine.candidates = vec![
            candidate(1, "▲7八金", "41%", None),
            candidate(2, "▲6九玉", "38%", Some(3)),
        ];
    };
    side_by_side(game(), &with_engine(game(), fairy))
}

pub(crate) fn mate() -> BarView {
    let text = "先手の勝ち筋　あと7手で詰み".to_owned();
    let decided = Some(DecidedWin {
        winner: Some(Color::Black),
        text: text.clone(),
        brief: "あと7手で詰み".to_owned(),
        label: "勝ち筋".to_owned(),
    });
    with_engine(
        BarView {
            share: Some(1.0),
            decided_win: decided,
            ..game()
        },
        |engine| {
            (engine.percent, engine.evaluation) = (Some(100), text);
            engine.candidates = vec![candidate(1, "▲3二金打", "100%", None)];
            "7手で勝ち".clone_into(&mut engine.candidates[0].mate_note);
        },
    )
}

pub(crate) fn failure() -> BarView {
    let text =
        "エンジンが usiok を返さずに終了しました（終了コード 1）。プログラムの場所と引数を確かめてください。"
            .to_owned();
    let details = vec![
        "terminate called".to_owned(),
        "what(): nn.bin: cannot open".repeat(40),
        "Aborted".to_owned(),
    ];
    let notice = Some(BarNotice::failure(text, details));
    with_engine(
        BarView {
            share: None,
            ..game()
        },
        |engine| {
            (engine.percent, engine.evaluation) = (None, String::new());
            (engine.candidates, engine.notice) = (Vec::new(), notice);
            engine.signal = Some(EngineSignal::Lost);
        },
    )
}

pub(crate) fn endless() -> BarView {
    let mut view = game();
    view.black.name = "藤井聡太竜王・名人・王位・王座・棋王・王将・棋聖".repeat(30);
    view.white.name = "Alexandria Featherstonehaugh-Cholmondeley ".repeat(30);
    view.position_text = [
        "第八十二期順位戦 1074手目 ".to_owned(),
        "△5四歩不成".repeat(9),
        "まで".repeat(9),
    ];
    "+123456".clone_into(&mut view.evaluation);
    view.advantage = "先手勝勢かもしれない".repeat(5);
    with_engine(view, |engine| {
        engine.multipv = 5;
        (engine.name, engine.evaluation) = ("YaneuraOu NNUE 9.99 git ".repeat(9), "+123456".repeat(9));
        engine.stats = [
            "depth 124/131　123456.2M nodes".repeat(3),
            "123456.2M nps".repeat(3),
        ];
        engine.reported_name = "YaneuraOu NNUE 9.99 git ".repeat(9);
        engine.candidates = (1..=9)
            .map(|rank| candidate(rank, &"▲同　成香右上不成".repeat(4), "詰み 12345手", Some(99)))
            .collect();
        for candidate in &mut engine.candidates {
            candidate.line = candidate.line.repeat(400);
        }
    })
}

#[test]
fn shows_the_game_and_the_engine_s_evaluation() {
    let mut window = window(SIZE, game(), Lang::Ja);
    window.run_steps(20);
    let check =
        |part, expect: &str| assert_eq!(part_text(&window, part).as_deref(), Some(expect), "{part:?}");
    check(PartWord::BlackPercent, "63%");
    check(PartWord::WhitePercent, "37%");
    check(PartWord::BlackName, "先手");
    check(PartWord::WhiteName, "後手");
    check(PartWord::ToMove, "先手");
    check(PartWord::Position, "74手目 △5四歩 まで");
    check(PartWord::Evaluation, "+320");
    check(PartWord::Situation, "先手やや有利");
    check(PartWord::BestMove, "▲2六歩");
    check(PartWord::Candidate(1), "▲2六歩 63% 最善");
    check(PartWord::Candidate(2), "▲7六歩 61% −2");
    check(PartWord::Candidate(3), "▲同　銀直 55% −8");
    check(
        PartWord::Line(3),
        "△8四歩 ▲2五歩 △8五歩 ▲7八金 △3二金 ▲2四歩 △同　歩 ▲同　飛 △2三歩",
    );
    check(PartWord::Engine, "深さ24/31　320万ノード　1.5M nps　YaneuraOu");
    assert_eq!(
        part_text(&window, PartWord::Notice),
        None,
        "nothing to say beside the candidates"
    );
}

#[test]
fn has_english_accessible_names() {
    let mut window = window(SIZE, game(), Lang::En);
    window.run_steps(20);
    let value = |name| window.get_by_label(name).value();
    assert_eq!(
        value("Black's win rate").as_deref(),
        Some("63%"),
        "Black's win rate"
    );
    assert_eq!(value("Best move").as_deref(), Some("▲2六歩"), "the best move");
    window.get_by_label("Evaluation bar");
}

#[test]
fn a_decided_game_fills_the_bar() {
    let mut window = window(SIZE, mate(), Lang::Ja);
    window.run_steps(20);
    assert_eq!(
        part_text(&window, PartWord::Result).as_deref(),
        Some("先手の勝ち筋　あと7手で詰み"),
        "how it ends"
    );
    assert_eq!(
        part_text(&window, PartWord::BlackPercent),
        None,
        "no percentages beside it"
    );
    let texts: Vec<_> = picture(SIZE, &mate())
        .texts
        .into_iter()
        .map(|text| text.text)
        .collect();
    assert!(
        texts.iter().any(|text| text == "勝ち筋"),
        "the label in their place: {texts:?}"
    );
    assert!(!texts.iter().any(|text| text == "63"), "and no number: {texts:?}");
}

#[test]
fn an_engine_failure_replaces_the_candidates() {
    let mut window = window(SIZE, failure(), Lang::Ja);
    window.run_steps(20);
    let notice = part_text(&window, PartWord::Notice).unwrap();
    assert!(
        notice.starts_with("エンジンが usiok") && !notice.contains("Aborted"),
        "no lines of USI: {notice}"
    );
    assert_eq!(
        part_text(&window, PartWord::BestMove),
        None,
        "no candidates under it"
    );
    // In a small window, the notice replaces the move number.
    let texts = picture(egui::vec2(300.0, 60.0), &failure()).texts;
    assert!(
        texts.iter().any(|text| text.text.starts_with("エンジンが usiok")),
        "{texts:?}"
    );
}

#[test]
fn shows_two_engines_side_by_side() {
    let mut window = window(SIZE, two(), Lang::Ja);
    window.run_steps(20);
    let check = |engine, part, expect: Option<&str>| {
        assert_eq!(
            part_text_of(&window, engine, part).as_deref(),
            expect,
            "{part:?} of {engine}"
        );
    };
    check(
        0,
        PartWord::Engine,
        Some("YaneuraOu ☗ 63% +320 深さ24/31　320万ノード"),
    );
    check(
        1,
        PartWord::Engine,
        Some("Fairy-Stockfish 11.1 LB ☗ 41% −218 深さ24/31　320万ノード"),
    );
    check(0, PartWord::Followed, Some("YaneuraOu"));
    check(1, PartWord::Followed, None);
    check(0, PartWord::BestMove, Some("▲2六歩"));
    check(1, PartWord::BestMove, Some("▲7八金"));
    check(1, PartWord::Candidate(2), Some("▲6九玉 38% −3"));
    let left = |part: PartWord, engine| {
        window
            .get_by_label(&part.for_engine(engine, Lang::Ja))
            .rect()
            .left()
    };
    assert!(
        left(PartWord::BestMove, 0) < SIZE.x / 2.0 && left(PartWord::BestMove, 1) > SIZE.x / 2.0,
        "beside each other"
    );
    // The evaluation of the bar stands above the list, apart from the values of the engines.
    let rect = window.get_by_label("評価値").rect();
    assert_eq!(
        part_text(&window, PartWord::Evaluation).as_deref(),
        Some("+320"),
        "the bar's"
    );
    assert!(
        rect.bottom() < window.get_by_label("勝率バー").rect().top(),
        "above the bar: {rect:?}"
    );
}

#[test]
fn a_failed_engine_does_not_hide_the_other() {
    let mut window = window(SIZE, side_by_side(game(), &failure()), Lang::Ja);
    window.run_steps(20);
    assert_eq!(
        part_text_of(&window, 0, PartWord::BestMove).as_deref(),
        Some("▲2六歩"),
        "it goes on"
    );
    assert!(
        part_text_of(&window, 1, PartWord::Notice)
            .is_some_and(|notice| notice.starts_with("エンジンが usiok"))
    );
    assert_eq!(
        (
            part_text_of(&window, 0, PartWord::Notice),
            part_text(&window, PartWord::Notice)
        ),
        (None, None),
        "it has none"
    );
}

#[test]
fn another_failure_replaces_both_engines() {
    let notice = Some(BarNotice::failure("棋譜を読めません。".to_owned(), Vec::new()));
    let mut window = window(SIZE, BarView { notice, ..two() }, Lang::Ja);
    window.run_steps(20);
    assert_eq!(
        part_text(&window, PartWord::Notice).as_deref(),
        Some("棋譜を読めません。"),
        "the sentence"
    );
    assert_eq!(
        part_text_of(&window, 0, PartWord::BestMove),
        None,
        "no candidates under it"
    );
}

#[test]
fn a_transient_notice_keeps_the_candidates() {
    let notice = Some(BarNotice::new("画像をコピーしました。".to_owned()));
    let check = |view: BarView, layout: Layout, size: egui::Vec2, engine: Option<usize>| {
        let mut window = window(
            size,
            BarView {
                notice: notice.clone(),
                ..view
            },
            Lang::Ja,
        );
        window.state_mut().style.layout = layout;
        window.run_steps(20);
        assert_eq!(
            part_text(&window, PartWord::Notice).as_deref(),
            Some("画像をコピーしました。"),
            "{layout:?}"
        );
        let best = engine.map_or_else(
            || part_text(&window, PartWord::BestMove),
            |engine| part_text_of(&window, engine, PartWord::BestMove),
        );
        assert!(best.is_some(), "{layout:?}: the best move goes on to be seen");
    };
    check(game(), Layout::Full, SIZE, None);
    check(two(), Layout::Full, SIZE, Some(1));
    check(game(), Layout::Candidates, egui::vec2(420.0, 330.0), None);
    check(two(), Layout::Candidates, egui::vec2(420.0, 440.0), Some(1));
    // An engine that has failed keeps its rows, greyed out, even beside a notice from elsewhere.
    let mut lost = BarView {
        is_stale: true,
        ..game()
    };
    lost.engines[0].is_stale = true;
    lost.engines[0].notice = Some(BarNotice::failure(
        "エンジンが止まりました。".to_owned(),
        Vec::new(),
    ));
    let mut window = window(
        SIZE,
        BarView {
            notice: notice.clone(),
            ..lost
        },
        Lang::Ja,
    );
    window.run_steps(20);
    assert_eq!(part_text(&window, PartWord::BestMove).as_deref(), Some("▲2六歩"));
}

#[test]
fn the_mean_has_no_centipawns() {
    let mut view = two();
    view.engines[1].is_followed = true;
    (view.evaluation, view.advantage) = (String::new(), "平均 互角".to_owned());
    let mut window = window(SIZE, view, Lang::Ja);
    window.run_steps(20);
    assert_eq!(
        part_text(&window, PartWord::Situation).as_deref(),
        Some("平均 互角"),
        "it says that it is one"
    );
    assert_eq!(part_text(&window, PartWord::Evaluation), None, "and no number");
    let marked = [0, 1].map(|engine| part_text_of(&window, engine, PartWord::Followed).is_some());
    assert_eq!(marked, [true, true], "both are followed");
}

#[test]
fn a_narrow_window_shows_the_followed_engine() {
    let narrow = egui::vec2(440.0, 150.0);
    let mut view = two();
    view.lead_index = 1;
    let mut window = window(narrow, view, Lang::Ja);
    window.run_steps(20);
    assert_eq!(
        part_text(&window, PartWord::BestMove).as_deref(),
        Some("▲7八金"),
        "the second's"
    );
    assert_eq!(
        part_text_of(&window, 0, PartWord::BestMove),
        None,
        "and not the first's"
    );
    // One column shows the same as a single engine.
    let alone = BarView {
        engines: vec![two().engines.remove(0)],
        ..two()
    };
    let words = |view: &BarView| {
        picture(narrow, view)
            .texts
            .into_iter()
            .map(|text| (text.text, text.ink))
            .collect::<Vec<_>>()
    };
    assert_eq!(words(&two()), words(&alone), "the picture of one engine");
}

#[test]
fn a_stale_value_has_no_colour_and_no_seam() {
    let colors = |view: &BarView| format!("{:?}", picture(SIZE, view).shapes);
    let accent = format!("{:?}", shogibar_ui::theme::ink().accent);
    let nobody = BarView {
        to_move: None,
        ..game()
    };
    assert!(colors(&nobody).contains(&accent), "a value that lives is marked");
    let rests = |engine: &mut EngineView| (engine.is_stale, engine.signal) = (true, None);
    let stale = with_engine(
        BarView {
            is_stale: true,
            ..nobody
        },
        rests,
    );
    assert!(!colors(&stale).contains(&accent), "nothing that is stale is");
    let mut window = window(SIZE, stale, Lang::Ja);
    window.run_steps(20);
    assert_eq!(
        part_text(&window, PartWord::BlackPercent).as_deref(),
        Some("63%"),
        "the old value can still be read"
    );
}

#[test]
fn glides_to_a_new_value_and_then_draws_no_frames() {
    let mut window = window(SIZE, game(), Lang::Ja);
    window.run_steps(20);
    let mut view = game();
    (view.share, view.black.percent, view.white.percent) = (Some(0.80), Some(80), Some(20));
    window.state_mut().view = view;
    window.step();
    let mut seen = Vec::new();
    for _ in 0..14 {
        window.step();
        seen.push(
            part_text(&window, PartWord::BlackPercent)
                .unwrap()
                .trim_end_matches('%')
                .parse::<u8>()
                .unwrap(),
        );
    }
    assert!(
        seen.is_sorted() && seen[0] > 63 && seen[0] < 80 && seen[13] == 80,
        "{seen:?}"
    );
    window.run_steps(20);
    let delay = window
        .output()
        .viewport_output
        .values()
        .map(|output| output.repaint_delay)
        .min();
    assert_eq!(
        delay,
        Some(std::time::Duration::MAX),
        "no frame is asked for at rest"
    );
}

#[test]
fn draws_fewer_frames_with_a_software_renderer() {
    for (painter, frame) in [(FramePacer::Gpu, 16), (FramePacer::Processor, 50)] {
        let mut window = window(SIZE, game(), Lang::Ja);
        window.state_mut().overlay = Overlay::new(painter);
        window.step();
        // The first value is shown at once. The bar glides to the next one.
        let view = window.state().view.clone();
        window.state_mut().view = BarView {
            share: Some(0.2),
            position: view.position + 1,
            ..view
        };
        window.step();
        let delay = window
            .output()
            .viewport_output
            .values()
            .map(|output| output.repaint_delay)
            .min();
        assert_eq!(
            delay,
            Some(std::time::Duration::from_millis(frame)),
            "{painter:?}"
        );
    }
}

#[test]
fn texts_fit_and_do_not_overlap() {
    let views = [
        ("game", game()),
        ("mate", mate()),
        ("failure", failure()),
        ("endless", endless()),
        ("two", two()),
        ("two, one decided", side_by_side(mate(), &game())),
        ("two, one failed", side_by_side(game(), &failure())),
        ("two, both failed", side_by_side(failure(), &failure())),
        ("two, endless", side_by_side(endless(), &endless())),
    ];
    let sizes = [
        (160.0, 24.0),
        (300.0, 60.0),
        (480.0, 110.0),
        (500.0, 500.0),
        (640.0, 150.0),
        (700.0, 204.0),
        (1080.0, 60.0),
        (1080.0, 110.0),
        (1080.0, 204.0),
        (1080.0, 330.0),
        (1920.0, 140.0),
        (1920.0, 400.0),
        (3840.0, 800.0),
    ];
    for (name, view) in views {
        for (width, height) in sizes {
            let window = Rect::from_min_size(Pos2::ZERO, egui::vec2(width, height));
            let texts = picture(window.size(), &view).texts;
            // In one line, the bar of a decided game shows only the winner's number.
            let min_texts = if height < 60.0 { 2 } else { 4 };
            assert!(
                texts.len() >= min_texts,
                "{name} at {width}×{height} shows next to nothing"
            );
            for (index, text) in texts.iter().enumerate() {
                let (ink, bounds) = (text.ink, text.bounds);
                let context = format!("{name} at {width}×{height}: {:.40} at {ink:?}", text.text);
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
                for other in &texts[..index] {
                    let common = ink.intersect(other.ink);
                    let apart = common.width() <= 0.5 || common.height() <= 0.5;
                    assert!(apart, "{context} lies upon {:.40} at {:?}", other.text, other.ink);
                }
            }
        }
    }
}

#[test]
fn draws_any_text_and_size() {
    let texts_to_try = [
        "",
        "\u{0}\u{1}\n\r\t",
        "\u{202e}abc\u{200d}\u{fe0f}",
        "e\u{301}\u{301}\u{301}",
        "   ",
        "%",
        "一",
    ];
    let ctx = egui::Context::default();
    ctx.set_fonts(fonts::definitions());
    let style = OverlayStyle::new(shogibar_ui::theme::paper(), Lang::Ja);
    let styles = Layout::ALL
        .iter()
        .map(|layout| OverlayStyle {
            layout: *layout,
            ..style.clone()
        })
        .collect::<Vec<_>>();
    for text in texts_to_try {
        let mut view = endless();
        (view.black.name, view.evaluation, view.position_text[1]) =
            (text.to_owned(), text.to_owned(), text.to_owned());
        view.engines[0].name = text.to_owned();
        view.engines[0].candidates[0] = CandidateView {
            line: text.to_owned(),
            ..candidate(1, text, text, None)
        };
        view.engines.push(view.engines[0].clone());
        view.share = Some(f32::NAN);
        for size in [
            Vec2::ZERO,
            egui::vec2(1.0, 1.0),
            egui::vec2(480.0, 110.0),
            egui::vec2(f32::MAX, 1.0),
        ] {
            draw_in(&ctx, |ui| {
                for style in &styles {
                    ui.fonts_mut(|fonts| draw(fonts, size, &view, style));
                }
            });
        }
    }
}

/// Draws one pass without a harness. Missing glyphs are boxes, as in the real window.
fn draw_in<T>(ctx: &egui::Context, mut draw: impl FnMut(&egui::Ui) -> T) {
    let mut output = ctx.run_ui(egui::RawInput::default(), |ui| {
        draw(ui);
    });
    // No renderer is there to upload the textures.
    output.textures_delta.clear();
}

#[test]
fn every_character_has_a_glyph() {
    let mut needed: Vec<char> = MOVES
        .chars()
        .chain(IROHA.chars())
        .chain(crate::sentences::characters())
        .collect();
    needed.retain(|c| !c.is_control());
    needed.sort_unstable();
    needed.dedup();
    let missing = with_fonts(|fonts| {
        let has =
            |fonts: &mut FontsView<'_>, weight: TextWeight, c: char| fonts.has_glyph(&weight.at(16.0), c);
        let both = [TextWeight::Regular, TextWeight::Bold];
        needed
            .iter()
            .copied()
            .filter(|c| !both.iter().all(|weight| has(fonts, *weight, *c)))
            .collect::<String>()
    });
    assert_eq!(missing, "", "no font has these");
    let mixed = with_fonts(|fonts| {
        let bold = fonts.characters(&TextWeight::Bold.family());
        let own = |c: &char| {
            bold.get(c)
                .and_then(|faces| faces.first())
                .is_some_and(|face| face == "bold")
        };
        MOVES.chars().filter(|c| !own(c)).collect::<String>()
    });
    assert_eq!(mixed, "", "in bold moves these would stand out as light");

    let mut view = game();
    for part in needed.chunks(20) {
        let text: String = part.iter().collect();
        view.engines[0].candidates[0] = CandidateView {
            line: text.clone(),
            ..candidate(1, &text, "63%", None)
        };
        let texts = picture(egui::vec2(3840.0, 400.0), &view).texts;
        assert!(
            texts
                .iter()
                .any(|shown| !shown.is_elided && shown.text.chars().count() >= part.len()),
            "{text} is not drawn: {texts:?}"
        );
    }
}
