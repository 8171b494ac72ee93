//! The overlay, found by its accessible names and measured by its letters.
#![expect(clippy::unwrap_used, clippy::expect_used, clippy::disallowed_methods, reason = "a test fails by panicking")]

use eframe::egui::epaint::text::FontsView;
use eframe::egui::{self, Pos2, Rect, Vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use shogibar::bar::{CandidateView, Decided, Notice, SideView, View};
use shogibar::shogi::Color;
use shogibar::text::{Lang, Part};
use shogibar::ui::Theme;
use shogibar::ui::fonts::{self, Weight};
use shogibar::ui::overlay::{self, Overlay, Picture, SIZE};

/// What the bar prints in bold: moves and figures.
const MOVES: &str = "歩香桂銀金角飛王玉と成杏圭全馬竜龍一二三四五六七八九１２３４５６７８９0123456789同右左直上寄引行入生不打\
    ▲△☗☖▼▽　ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz+-=*'()x/.,:%…−±–＋・手目まで詰先後";

/// The squares of いろは譜, whose moves hold all that others do not.
const IROHA: &str = "谷柳万一ゆまつぬい川桜花三めけねるろ海松鳥五みふなをは里楓風六しこらわに村雨月七ひえむかほ\
    森露春八もてうよへ竹霜夏十せあのたと草雪秋百すさくれち石山冬千京きやそり";

struct Window {
    view: View,
    overlay: Overlay,
    lang: Lang,
}

fn window(size: Vec2, view: View, lang: Lang) -> Harness<'static, Window> {
    Harness::builder()
        .with_size(size)
        .with_step_dt(1.0 / 60.0)
        .with_max_steps(60)
        .with_context_setup(|ctx| ctx.set_fonts(fonts::definitions()))
        .build_ui_state(
            |ui, window: &mut Window| {
                window.overlay.show(ui, &window.view, &Theme::ink(), window.lang);
            },
            Window { view, overlay: Overlay::default(), lang },
        )
}

/// What a part says; `None` where it is not there.
fn said(window: &Harness<'_, Window>, part: Part) -> Option<String> {
    let name = part.text(window.state().lang);
    window.query_by_label(&name).map(|node| node.value().unwrap_or_default())
}

/// What comes of a look at the letters, in a window of the shipped fonts and no others; it panics where
/// something is drawn that they do not have.
fn with_fonts<T>(mut look: impl FnMut(&mut FontsView<'_>) -> T) -> T {
    let mut found = None;
    let setup = |ctx: &egui::Context| ctx.set_fonts(fonts::definitions());
    drop(Harness::builder().with_context_setup(setup).build_ui(|ui| found = Some(ui.fonts_mut(&mut look))));
    found.expect("the harness draws at once")
}

fn picture(size: Vec2, view: &View) -> Picture {
    let rect = Rect::from_min_size(Pos2::ZERO, size);
    with_fonts(|fonts| overlay::draw(fonts, view, overlay::settled(view), &Theme::ink(), rect))
}

fn candidate(rank: u32, word: &str, value: &str, loss: Option<u8>) -> CandidateView {
    let line = "△８四歩 ▲２五歩 △８五歩 ▲７八金 △３二金 ▲２四歩 △同　歩 ▲同　飛 △２三歩".to_owned();
    CandidateView { rank, word: word.to_owned(), value: value.to_owned(), loss, line }
}

fn game() -> View {
    let side = |name: &str, percent| SideView { name: name.to_owned(), percent: Some(percent) };
    View {
        black: side("先手", 63),
        white: side("後手", 37),
        to_move: Some(Color::Black),
        share: Some(0.63),
        place: ["74手目 ".to_owned(), "△５四歩".to_owned(), " まで".to_owned()],
        evaluation: "+320".to_owned(),
        situation: "先手有望".to_owned(),
        candidates: vec![
            candidate(1, "▲２六歩", "63%", None),
            candidate(2, "▲７六歩", "61%", Some(2)),
            candidate(3, "▲同　銀直", "55%", Some(8)),
        ],
        figures: ["深さ 24/31　3.2M局面".to_owned(), "1.5M nps　YaneuraOu".to_owned()],
        ..View::default()
    }
}

fn mate() -> View {
    let text = "先手勝ち　詰みまで 7手".to_owned();
    View {
        share: Some(1.0),
        decided: Some(Decided { winner: Some(Color::Black), text, label: "詰み".to_owned() }),
        candidates: vec![candidate(1, "▲３二金打", "詰み 7手", None)],
        ..game()
    }
}

fn failure() -> View {
    let text = "エンジンが usiok を返さずに終了しました（終了コード 1）。プログラムの場所と引数を確かめてください。"
        .to_owned();
    let details = vec!["terminate called".to_owned(), "what(): nn.bin: cannot open".repeat(40), "Aborted".to_owned()];
    View { notice: Some(Notice { text, details, failure: true }), candidates: Vec::new(), share: None, ..game() }
}

fn endless() -> View {
    let mut view = View { asked: 5, ..game() };
    view.black.name = "藤井聡太竜王・名人・王位・王座・棋王・王将・棋聖".repeat(30);
    view.white.name = "Alexandria Featherstonehaugh-Cholmondeley ".repeat(30);
    view.place = ["第八十二期順位戦 1074手目 ".to_owned(), "△５四歩不成".repeat(9), "まで".repeat(9)];
    "+123456".clone_into(&mut view.evaluation);
    view.situation = "先手勝勢かもしれない".repeat(5);
    view.figures = ["depth 124/131　123456.2M nodes".repeat(3), "YaneuraOu NNUE 9.99 git ".repeat(9)];
    view.candidates =
        (1..=9).map(|rank| candidate(rank, &"▲同　成香右上不成".repeat(4), "詰み 12345手", Some(99))).collect();
    for candidate in &mut view.candidates {
        candidate.line = candidate.line.repeat(400);
    }
    view
}

#[test]
fn shows_the_game_and_what_the_engine_says() {
    let mut window = window(SIZE, game(), Lang::Ja);
    window.run_steps(20);
    let check = |part, expect: &str| assert_eq!(said(&window, part).as_deref(), Some(expect), "{part:?}");
    check(Part::BlackPercent, "63%");
    check(Part::WhitePercent, "37%");
    check(Part::BlackName, "先手");
    check(Part::WhiteName, "後手");
    check(Part::ToMove, "先手");
    check(Part::Place, "74手目 △５四歩 まで");
    check(Part::Evaluation, "+320");
    check(Part::Situation, "先手有望");
    check(Part::BestMove, "▲２六歩");
    check(Part::Candidate(1), "▲２六歩 63% BEST");
    check(Part::Candidate(2), "▲７六歩 61% −2");
    check(Part::Candidate(3), "▲同　銀直 55% −8");
    check(Part::Line(3), "△８四歩 ▲２五歩 △８五歩 ▲７八金 △３二金 ▲２四歩 △同　歩 ▲同　飛 △２三歩");
    check(Part::Engine, "深さ 24/31　3.2M局面　1.5M nps　YaneuraOu");
    assert_eq!(said(&window, Part::Notice), None, "nothing to say beside the candidates");
}

#[test]
fn is_named_in_english_as_well() {
    let mut window = window(SIZE, game(), Lang::En);
    window.run_steps(20);
    let value = |name| window.get_by_label(name).value();
    assert_eq!(value("Black's win rate").as_deref(), Some("63%"), "Black's win rate");
    assert_eq!(value("Best move").as_deref(), Some("▲２六歩"), "the best move");
    window.get_by_label("Evaluation bar");
}

#[test]
fn a_decided_game_fills_the_bar() {
    let mut window = window(SIZE, mate(), Lang::Ja);
    window.run_steps(20);
    assert_eq!(said(&window, Part::Result).as_deref(), Some("先手勝ち　詰みまで 7手"), "how it ends");
    assert_eq!(said(&window, Part::BlackPercent), None, "no percentages beside it");
    let texts: Vec<_> = picture(SIZE, &mate()).texts.into_iter().map(|text| text.text).collect();
    assert!(texts.iter().any(|text| text == "詰み"), "the label in their place: {texts:?}");
    assert!(!texts.iter().any(|text| text == "63"), "and no number: {texts:?}");
}

#[test]
fn a_notice_stands_in_for_the_candidates() {
    let mut window = window(SIZE, failure(), Lang::Ja);
    window.run_steps(20);
    let notice = said(&window, Part::Notice).unwrap();
    assert!(notice.starts_with("エンジンが usiok") && notice.ends_with("Aborted"), "{notice}");
    assert_eq!(said(&window, Part::BestMove), None, "no candidates under it");
    // Where there is room for nothing else it takes the place of the place.
    let texts = picture(egui::vec2(300.0, 60.0), &failure()).texts;
    assert!(texts.iter().any(|text| text.text.starts_with("エンジンが usiok")), "{texts:?}");
}

#[test]
fn a_stale_value_has_no_colour_and_no_seam() {
    let colors = |view: &View| format!("{:?}", picture(SIZE, view).shapes);
    let accent = format!("{:?}", Theme::ink().accent);
    let nobody = View { to_move: None, ..game() };
    assert!(colors(&nobody).contains(&accent), "a value that lives is marked");
    let stale = View { stale: true, ..nobody };
    assert!(!colors(&stale).contains(&accent), "nothing that is stale is");
    let mut window = window(SIZE, stale, Lang::Ja);
    window.run_steps(20);
    assert_eq!(said(&window, Part::BlackPercent).as_deref(), Some("63%"), "the old value can still be read");
}

#[test]
fn glides_to_a_new_value_and_then_rests() {
    let mut window = window(SIZE, game(), Lang::Ja);
    window.run_steps(20);
    let mut view = game();
    (view.share, view.black.percent, view.white.percent) = (Some(0.80), Some(80), Some(20));
    window.state_mut().view = view;
    window.step();
    let mut seen = Vec::new();
    for _ in 0..14 {
        window.step();
        seen.push(said(&window, Part::BlackPercent).unwrap().trim_end_matches('%').parse::<u8>().unwrap());
    }
    assert!(seen.is_sorted() && seen[0] > 63 && seen[0] < 80 && seen[13] == 80, "{seen:?}");
    window.run_steps(20);
    let delay = window.output().viewport_output.values().map(|output| output.repaint_delay).min();
    assert_eq!(delay, Some(std::time::Duration::MAX), "no frame is asked for at rest");
}

#[test]
fn no_text_overlaps_another_or_leaves_its_box() {
    let views = [("game", game()), ("mate", mate()), ("failure", failure()), ("endless", endless())];
    let sizes = [
        (160.0, 24.0),
        (300.0, 60.0),
        (480.0, 110.0),
        (500.0, 500.0),
        (640.0, 150.0),
        (1080.0, 60.0),
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
            assert!(texts.len() >= 4, "{name} at {width}×{height} shows next to nothing");
            for (index, text) in texts.iter().enumerate() {
                let (ink, bounds) = (text.ink, text.bounds);
                let context = format!("{name} at {width}×{height}: {:.40} at {ink:?}", text.text);
                assert!(window.contains_rect(ink), "{context} leaves the window");
                // Antialiasing and the side bearings of a letter may reach a point further.
                assert!(bounds.x_range().expand(1.5).contains(ink.left()), "{context} starts before {bounds:?}");
                assert!(bounds.x_range().expand(1.5).contains(ink.right()), "{context} ends behind {bounds:?}");
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
fn nothing_that_a_text_may_hold_breaks_the_picture() {
    let foreign = ["", "\u{0}\u{1}\n\r\t", "\u{202e}abc\u{200d}\u{fe0f}", "e\u{301}\u{301}\u{301}", "   ", "%", "一"];
    let ctx = egui::Context::default();
    ctx.set_fonts(fonts::definitions());
    let paper = Theme::paper();
    for text in foreign {
        let mut view = endless();
        (view.black.name, view.evaluation, view.place[1]) = (text.to_owned(), text.to_owned(), text.to_owned());
        view.candidates[0] = CandidateView { line: text.to_owned(), ..candidate(1, text, text, None) };
        view.share = Some(f32::NAN);
        for size in [Vec2::ZERO, egui::vec2(1.0, 1.0), egui::vec2(480.0, 110.0), egui::vec2(f32::MAX, 1.0)] {
            let rect = Rect::from_min_size(Pos2::ZERO, size);
            draw_in(&ctx, |ui| {
                ui.fonts_mut(|fonts| overlay::draw(fonts, &view, overlay::settled(&view), &paper, rect))
            });
        }
    }
}

/// One pass without a harness, whose missing glyphs are boxes as in the real window.
fn draw_in<T>(ctx: &egui::Context, mut draw: impl FnMut(&egui::Ui) -> T) {
    let mut output = ctx.run_ui(egui::RawInput::default(), |ui| {
        draw(ui);
    });
    // Nobody uploads them here.
    output.textures_delta.clear();
}

#[test]
fn every_character_has_a_glyph() {
    let mut needed: Vec<char> = MOVES.chars().chain(IROHA.chars()).chain(said_by_the_program()).collect();
    needed.retain(|c| !c.is_control());
    needed.sort_unstable();
    needed.dedup();
    let missing = with_fonts(|fonts| {
        let has = |fonts: &mut FontsView<'_>, weight: Weight, c: char| fonts.has_glyph(&weight.at(16.0), c);
        let both = [Weight::Regular, Weight::Bold];
        needed.iter().copied().filter(|c| !both.iter().all(|weight| has(fonts, *weight, *c))).collect::<String>()
    });
    assert_eq!(missing, "", "no font has these");
    let mixed = with_fonts(|fonts| {
        let bold = fonts.characters(&Weight::Bold.family());
        let own = |c: &char| bold.get(c).and_then(|faces| faces.first()).is_some_and(|face| face == "bold");
        MOVES.chars().filter(|c| !own(c)).collect::<String>()
    });
    assert_eq!(mixed, "", "in bold moves these would stand out as light");

    let mut view = game();
    for part in needed.chunks(20) {
        let text: String = part.iter().collect();
        view.candidates[0] = CandidateView { line: text.clone(), ..candidate(1, &text, "63%", None) };
        let texts = picture(egui::vec2(3840.0, 400.0), &view).texts;
        assert!(
            texts.iter().any(|shown| !shown.elided && shown.text.chars().count() >= part.len()),
            "{text} is not drawn: {texts:?}"
        );
    }
}

/// Every character in the source of `text`, which holds whatever the program says.
fn said_by_the_program() -> Vec<char> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/text");
    let files = std::fs::read_dir(folder).unwrap().map(|entry| std::fs::read_to_string(entry.unwrap().path()).unwrap());
    let text: String = files.collect();
    assert!(text.contains("先手"), "this is where the words are");
    text.chars().collect()
}
