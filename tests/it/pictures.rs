//! Pictures of the overlay, compared with `tests/pictures/*.png`, which were checked by a person.
//!
//! `SHOGIBAR_BLESS=1 cargo test pictures` replaces the expected pictures with the present output. Look at them
//! before you commit them.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::disallowed_methods,
    reason = "a test fails by panicking"
)]

mod settings;
mod study;

use crate::layouts::{with_card, with_numbers_card};
use eframe::egui::epaint::textures::TexturesDelta;
use eframe::egui::{Color32, ColorImage, Context, Vec2, vec2};
use eframe::icon_data;
use egui_kittest::{Harness, TestRenderer};
use shogibar_base::Lang;
use shogibar_config::{Background, Layout, OverlayPart, Rgba};
use shogibar_engine::process::StartError;
use shogibar_engine::session::{self, EngineFailure, FailureKind, Snapshot};
use shogibar_games::EngineMessage;
use shogibar_games::bar::{BarInput, BarNotice, BarView, EngineReport, FollowMode, FormationView, last_word};
use shogibar_kifu::board_mark;
use shogibar_model::bars::Bar;
use shogibar_model::game::Game;
use shogibar_model::pages::options::PageGround;
use shogibar_model::pages::sample;
use shogibar_model::{EngineId, Message};
use shogibar_programme::{BoardPageContent, OutputChoices, OutputFrame, StudiedPosition};
use shogibar_shogi::{History, Move};
use shogibar_ui::overlay::{self, BoardPageForm, CardPlace, Overlay, OverlayStyle};
use shogibar_ui::raster::{self, Textures};
use shogibar_ui::snapshot::{PictureSize, SnapshotRenderer};
use shogibar_ui::{PaintTheme, fonts, png, theme};
use std::cell::RefCell;
use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

/// The largest difference of a colour channel: processors may round the edge of a glyph differently.
const TOLERANCE: u8 = 4;

/// The gap between the pictures of a contact sheet, in pixels.
const GAP: usize = 8;

/// A game of four moves, with engine evaluations in the comments.
const GAME: &str = "\
先手：佐藤
後手：鈴木
手数----指手---------消費時間--
1 ７六歩(77)
**解析 0 候補1 時間 00:02.1 深さ 24/31 ノード数 3200000 評価値 52 読み筋 △８四歩(83) ▲２六歩(27) △３四歩(33)
2 ３四歩(33)
**解析 0 候補1 時間 00:02.1 深さ 24/31 ノード数 3200000 評価値 320 読み筋 ▲２二角成(88) △同銀(31) ▲６八玉(59) △４二玉(51) ▲７八玉(68) △３三銀(22) ▲９六歩(97) △９四歩(93)
**解析 0 候補2 時間 00:02.1 深さ 24/31 ノード数 3200000 評価値 270 読み筋 ▲２六歩(27) △８四歩(83) ▲２五歩(26) △８五歩(84) ▲７八金(69) △３二金(41)
**解析 0 候補3 時間 00:02.1 深さ 24/31 ノード数 3200000 評価値 -350 読み筋 ▲６六角(88) △同角(22) ▲同歩(67) △２七角打
3 ２六歩(27)
**解析 0 候補1 時間 00:00.4 深さ 9/9 ノード数 41000 評価値 +詰 7 読み筋 △８四歩(83) ▲２五歩(26)
4 ８四歩(83)
";

/// A bar and its game, to be drawn.
struct Scene {
    game: Game,
    bar: Bar,
    notice: Option<BarNotice>,
    lang: Lang,
}

impl Scene {
    fn view(&self) -> BarView {
        self.bar.input(&self.game).view(self.notice.as_ref(), self.lang)
    }
}

/// Returns the scene after `ply` moves of the game, with the evaluation of the record.
fn view(record: &str, ply: usize, lang: Lang) -> Scene {
    let (mut game, mut bar) = (Game::new(lang), Bar::default());
    game.open(shogibar_kifu::read(record.as_bytes()).unwrap().games.remove(0));
    game.go_to(ply);
    if let Some(snapshot) = game.record_snapshot() {
        bar.add_engine(EngineReport::from(snapshot));
    }
    Scene {
        game,
        bar,
        notice: None,
        lang,
    }
}

fn two(lang: Lang, follow: FollowMode, second: Snapshot) -> BarView {
    let mut state = view(GAME, 2, lang);
    let report = |name: &str, snapshot| EngineReport {
        name: name.to_owned(),
        snapshot,
        has_other_net: false,
        has_dismissed_rejections: false,
    };
    let first = Snapshot {
        state: session::EngineState::Thinking,
        ..state.game.record_snapshot().unwrap()
    };
    state
        .bar
        .replace_engine(EngineId::default(), report("YaneuraOu", first).into());
    state.bar.add_engine(report("水匠", second));
    state.bar.follow(follow);
    state.view()
}

/// Returns another evaluation of the position, for a second engine.
fn another(lang: Lang) -> Snapshot {
    let game = GAME
        .replace("評価値 320", "評価値 -240")
        .replace("候補2", "候補4")
        .replace("**解析 0 候補3", "*");
    view(&game, 2, lang).game.record_snapshot().unwrap()
}

fn second_is_followed(lang: Lang) -> BarView {
    two(lang, FollowMode::One(1), another(lang))
}

fn mean_of_two(lang: Lang) -> BarView {
    two(lang, FollowMode::Mean, another(lang))
}

fn second_reads(lang: Lang) -> BarView {
    two(
        lang,
        FollowMode::Mean,
        view(GAME, 3, lang).game.record_snapshot().unwrap(),
    )
}

fn second_is_not_there(lang: Lang) -> BarView {
    let kind = FailureKind::NotStarted(StartError::NotFound("/opt/engines/YaneuraOu".into()));
    let failure = EngineFailure {
        kind,
        last_lines: Vec::new(),
        restart_count: 0,
    };
    two(
        lang,
        FollowMode::One(0),
        Snapshot {
            state: session::EngineState::Failed(failure),
            ..Snapshot::default()
        },
    )
}

fn record_is_odd(lang: Lang) -> BarView {
    let mut state = view(GAME, 2, lang);
    state.bar.add_engine(EngineReport::from(another(lang)));
    state.notice = Some(BarNotice::new(Message::RecordUnevaluated.text(lang)));
    state.view()
}

/// The rows of a contact sheet with two engines.
const ROWS_OF_TWO: [fn(Lang) -> BarView; 5] = [
    second_is_followed,
    mean_of_two,
    second_reads,
    second_is_not_there,
    record_is_odd,
];

/// Returns the view after two moves, with an engine that is searching.
fn live(lang: Lang) -> BarView {
    let snapshot = Snapshot {
        state: session::EngineState::Thinking,
        ..view(GAME, 2, lang).game.record_snapshot().unwrap()
    };
    let mut state = view(GAME, 2, lang);
    let report = EngineReport {
        name: "YaneuraOu".to_owned(),
        snapshot,
        ..EngineReport::default()
    };
    state.bar.replace_engine(EngineId::default(), report.into());
    state.view()
}

fn usual_view(lang: Lang) -> BarView {
    view(GAME, 2, lang).view()
}

fn mate(lang: Lang) -> BarView {
    view(GAME, 3, lang).view()
}

/// Returns the view of the next position, without an evaluation yet.
fn greyed(lang: Lang) -> BarView {
    let mut state = view(GAME, 2, lang);
    state.game.step(2);
    state.view()
}

fn no_engine(lang: Lang) -> BarView {
    let mut state = view(GAME, 4, lang);
    let kind = FailureKind::NotStarted(StartError::NotFound("/opt/engines/YaneuraOu".into()));
    state.notice = Some(BarNotice::failure(
        EngineMessage::Failed(kind).on_air(lang),
        Vec::new(),
    ));
    state.view()
}

fn long_names(lang: Lang) -> BarView {
    let names = [
        "先手：藤井聡太竜王・名人・王位・王座・棋王・王将・棋聖",
        "後手：Alexandria Featherstonehaugh-Cholmondeley von Hohenzollern",
    ];
    view(
        &GAME
            .replace("先手：佐藤", names[0])
            .replace("後手：鈴木", names[1]),
        2,
        lang,
    )
    .view()
}

/// The rows of a contact sheet, from top to bottom, in Japanese and English.
const ROWS: [fn(Lang) -> BarView; 5] = [usual_view, mate, greyed, no_engine, long_names];

fn studio() -> SnapshotRenderer {
    let ctx = Context::default();
    // System fonts are not used, so that the pictures are the same on every machine.
    ctx.set_fonts(fonts::definitions());
    SnapshotRenderer::new(ctx)
}

fn theme(name: &str) -> PaintTheme {
    theme::from_config(shogibar_config::Theme::shipped(name).unwrap())
}

fn style(layout: Layout, theme_name: &str, lang: Lang) -> OverlayStyle {
    OverlayStyle {
        layout,
        ..OverlayStyle::new(theme(theme_name), lang)
    }
}

fn contact_sheet(rows: &[Vec<ColorImage>]) -> ColorImage {
    let sum = |sides: &mut dyn Iterator<Item = usize>| sides.map(|side| side + GAP).sum::<usize>() - GAP;
    let highest = |row: &[ColorImage]| row.iter().map(ColorImage::height).max().unwrap();
    let width = rows
        .iter()
        .map(|row| sum(&mut row.iter().map(ColorImage::width)))
        .max()
        .unwrap();
    let height = sum(&mut rows.iter().map(|row| highest(row)));
    let mut sheet = ColorImage::filled([width, height], Color32::TRANSPARENT);
    let mut top = 0;
    for row in rows {
        let mut left = 0;
        for picture in row {
            for (y, line) in picture.pixels.chunks_exact(picture.width()).enumerate() {
                let start = (top + y) * width + left;
                sheet.pixels[start..start + picture.width()].copy_from_slice(line);
            }
            left += picture.width() + GAP;
        }
        top += highest(row) + GAP;
    }
    sheet
}

fn size(points: Vec2, scale: f32) -> PictureSize {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the points of a picture"
    )]
    let [width, height] = [points.x, points.y].map(|side| side.round() as u32);
    PictureSize::new(width, height, scale).unwrap()
}

/// Returns the size of a layout on a contact sheet. It is a little below the default, so that texts have to be fitted.
fn contact_sheet_size(layout: Layout, engines: usize) -> Vec2 {
    match (layout, engines) {
        (Layout::Full, _) => vec2(760.0, 168.0),
        (Layout::Bar, 1) => vec2(640.0, 40.0),
        (Layout::Candidates, 1) => vec2(460.0, 180.0),
        _ => overlay::comfortable_size(layout, 3, engines),
    }
}

const BOTH: [Lang; 2] = [Lang::Ja, Lang::En];

/// Returns a contact sheet of a layout with each view in each language. Vertical layouts are side by side.
fn contact_sheet_of(
    layout: Layout,
    theme: &str,
    views: &[fn(Lang) -> BarView],
    langs: &[Lang],
    engines: usize,
) -> ColorImage {
    let (mut studio, size) = (studio(), size(contact_sheet_size(layout, engines), 1.0));
    let mut draw = |view: &fn(Lang) -> BarView, lang| {
        studio.draw_overlay(&view(lang), &style(layout, theme, lang), size)
    };
    if layout == Layout::Vertical {
        let all = langs
            .iter()
            .flat_map(|lang| views.iter().map(move |view| (view, *lang)));
        return contact_sheet(&[all.map(|(view, lang)| draw(view, lang)).collect()]);
    }
    let rows = views
        .iter()
        .map(|view| langs.iter().map(|lang| draw(view, *lang)).collect());
    contact_sheet(&rows.collect::<Vec<_>>())
}

/// Returns the indices of the pixels that differ by more than the tolerance.
fn differences(one: &ColorImage, other: &ColorImage) -> Vec<usize> {
    let apart = |one: Color32, other: Color32| {
        one.to_array()
            .into_iter()
            .zip(other.to_array())
            .any(|(one, other)| one.abs_diff(other) > TOLERANCE)
    };
    let pixels = one.pixels.iter().zip(&other.pixels).enumerate();
    pixels
        .filter(|(_, (one, other))| apart(**one, **other))
        .map(|(index, _)| index)
        .collect()
}

fn read(path: &Path) -> Option<ColorImage> {
    let icon = icon_data::from_png_bytes(&fs::read(path).ok()?).expect("a picture is a PNG");
    let size = [icon.width, icon.height].map(|side| usize::try_from(side).unwrap());
    Some(ColorImage::from_rgba_unmultiplied(size, &icon.rgba))
}

/// Compares a picture with the expected one. If they differ, returns an error text and writes the new picture and the
/// differences beside the expected one.
fn compare(name: &str, found: &ColorImage) -> Option<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/pictures/{name}.png"));
    let beside = |end: &str| path.with_extension(format!("{end}.png"));
    for stale in ["new", "diff"].map(beside) {
        let _not_there = fs::remove_file(stale);
    }
    if std::env::var_os("SHOGIBAR_BLESS").is_some() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, png::encode(found).unwrap()).unwrap();
        return None;
    }
    let write = |path: PathBuf, image: &ColorImage| fs::write(path, png::encode(image).unwrap()).unwrap();
    let expected = read(&path);
    let Some(expected) = expected.filter(|expected| expected.size == found.size) else {
        write(beside("new"), found);
        return Some(format!(
            "{name}.png is not there or of another size; {name}.new.png is what is drawn"
        ));
    };
    let different = differences(&expected, found);
    if different.is_empty() {
        return None;
    }
    // Equal pixels are faint, different ones red.
    let mut diff = ColorImage::filled(found.size, Color32::TRANSPARENT);
    for (pixel, found) in diff.pixels.iter_mut().zip(&found.pixels) {
        *pixel = found.gamma_multiply(0.2);
    }
    for index in &different {
        diff.pixels[*index] = Color32::RED;
    }
    write(beside("new"), found);
    write(beside("diff"), &diff);
    let first = [different[0] % found.width(), different[0] / found.width()];
    let count = different.len();
    Some(format!(
        "{name}.png: {count} pixels are different, the first at {first:?}; see {name}.diff.png"
    ))
}

fn check(pictures: impl IntoIterator<Item = (String, ColorImage)>) {
    let wrong: Vec<_> = pictures
        .into_iter()
        .filter_map(|(name, found)| compare(&name, &found))
        .collect();
    assert!(
        wrong.is_empty(),
        "not as in tests/pictures; SHOGIBAR_BLESS=1 makes them the right ones: {wrong:#?}"
    );
}

#[test]
fn pictures_of_every_layout_in_every_theme() {
    let draw = |layout: Layout, theme| match (layout, theme) {
        (Layout::Full, _) | (_, "ink") => contact_sheet_of(layout, theme, &ROWS, &BOTH, 1),
        _ => contact_sheet_of(
            layout,
            theme,
            &[live, mate, greyed, second_is_not_there],
            &[Lang::Ja],
            1,
        ),
    };
    let all = Layout::ALL
        .iter()
        .flat_map(|layout| shogibar_config::Theme::names().map(|theme| (*layout, theme)));
    check(all.map(|(layout, theme)| (format!("{}-{theme}", layout.name()), draw(layout, theme))));
}

/// The cards of a turning point in place of the candidates, in the line above the bar, and beside the bar.
#[test]
fn pictures_of_a_turning_card() {
    let mut studio = studio();
    let mut rows = Vec::new();
    let scenes = [
        ("ink", Lang::Ja, with_card as fn(BarView, Lang) -> BarView),
        ("paper", Lang::En, with_card),
        ("chroma", Lang::Ja, with_card),
        ("broadcast", Lang::Ja, with_numbers_card),
    ];
    for (name, lang, change) in scenes {
        let view = change(live(lang), lang);
        let mut row = Vec::new();
        for (layout, points) in [
            (Layout::Full, vec2(838.0, 300.0)),
            (Layout::Candidates, vec2(480.0, 220.0)),
            (Layout::Bar, vec2(950.0, 77.0)),
            (Layout::Compact, vec2(320.0, 106.0)),
        ] {
            let style = OverlayStyle {
                card_place: CardPlace::InLine,
                ..style(layout, name, lang)
            };
            row.push(studio.draw_overlay(&view, &style, size(points, 1.0)));
        }
        for window in [vec2(1900.0, 154.0), vec2(220.0, 1064.0)] {
            let style = style(Layout::Bar, name, lang);
            let points = overlay::card_size_beside(&view, &style, window).unwrap();
            let card = view.turning_card.as_ref().unwrap();
            row.push(studio.draw_picture(size(points, 1.0), |ui| {
                let rect = ui.max_rect();
                let drawn = ui.fonts_mut(|fonts| overlay::draw_card(fonts, card, 0.6, &style, rect));
                ui.painter().extend(drawn.shapes);
            }));
        }
        rows.push(row);
    }
    check([("turning-card".to_owned(), contact_sheet(&rows))]);
}

/// Returns the sample of the board page after some seconds.
fn board(seconds: u64, lang: Lang) -> BoardPageContent {
    let mut board = sample::sample_board(seconds, lang);
    lang.pick("水面杯 準決勝", "Minamo Cup, semifinal")
        .clone_into(&mut board.bar.event);
    board.bar.reason.formation = FormationView {
        opening: lang.pick("横歩取り", "Side Pawn").to_owned(),
        ..FormationView::default()
    };
    board
}

fn board_with_variation(lang: Lang) -> BoardPageContent {
    let game = board(40, lang);
    let history = Arc::clone(game.history.as_ref().unwrap());
    let mut user = History::clone(&history);
    let moves = ["2h2d", "8e8f", "8g8f"].map(|usi| Move::from_usi(usi).unwrap());
    for mv in moves {
        user.play(mv).unwrap();
    }
    let studied = StudiedPosition {
        history: Arc::new(user),
        game_ply: history.moves().len(),
        live_ply: Some(history.moves().len()),
        marks: board_mark::read("#矢印=2d3d:1 8b8f:2 2b3c:3 3d:1 8f:2 7g:3"),
        share: Some(0.56),
    };
    let frame = OutputFrame {
        bar: BarInput {
            history: Arc::clone(&history),
            last_words: Lang::ALL.map(|lang| last_word(&history, lang)),
            ..BarInput::default()
        },
        is_at_tip: true,
        ..OutputFrame::default()
    };
    let shown = BoardPageContent::new(&frame, Some(&studied), &OutputChoices::default(), lang);
    BoardPageContent {
        bar: game.bar,
        ..shown
    }
}

/// The board page with and without a variation, with numbers only, and while the evaluation is hidden.
#[test]
fn pictures_of_the_board_page() {
    let mut studio = studio();
    let withheld = |lang| BoardPageContent {
        history: None,
        ..board(40, lang)
    };
    let hidden = |lang: Lang| {
        let shown = board(40, lang);
        BoardPageContent {
            bar: shown.bar.hidden(lang),
            ..shown
        }
    };
    let live = |lang| board(4, lang);
    let scenes = [
        (
            live as fn(Lang) -> BoardPageContent,
            "ink",
            Lang::Ja,
            PageGround::Clear,
        ),
        (board_with_variation, "ink", Lang::Ja, PageGround::Plain),
        (board_with_variation, "paper", Lang::En, PageGround::Plain),
        (withheld, "ink", Lang::Ja, PageGround::Clear),
        (hidden, "contrast", Lang::En, PageGround::Plain),
    ];
    let mut rows = Vec::new();
    for (content, name, lang, ground) in scenes {
        let (content, style) = (content(lang), style(Layout::Full, name, lang));
        let pictures = [vec2(960.0, 540.0), vec2(472.0, 612.0)].map(|points| {
            studio.draw_picture(size(points, 1.0), |ui| {
                let rect = ui.max_rect();
                let share = overlay::final_share(&content.bar);
                let form = BoardPageForm {
                    ground,
                    has_graph: false,
                };
                let drawn = ui.fonts_mut(|fonts| {
                    overlay::draw_board_page(fonts, &content, share, (&style, form), rect)
                });
                ui.painter().extend(drawn.shapes);
            })
        });
        rows.push(pictures.into());
    }
    check([("board-page".to_owned(), contact_sheet(&rows))]);
}

#[test]
fn pictures_of_two_engines() {
    let two = |layout, theme, langs| contact_sheet_of(layout, theme, &ROWS_OF_TWO, langs, 2);
    let full = [("two-ink", "ink", &BOTH[..]), ("two-paper", "paper", &[Lang::Ja])];
    let full = full.map(|(name, theme, langs)| (name.to_owned(), two(Layout::Full, theme, langs)));
    let others = Layout::ALL
        .iter()
        .copied()
        .filter(|layout| *layout != Layout::Full);
    let others = others.map(|layout| (format!("two-{}", layout.name()), two(layout, "ink", &[Lang::Ja])));
    check(full.into_iter().chain(others));
}

#[test]
fn pictures_of_every_layout_at_three_hundred_percent() {
    let mut studio = studio();
    let points = |layout| match layout {
        Layout::Full => vec2(480.0, 110.0),
        Layout::Bar => vec2(480.0, 40.0),
        Layout::Candidates => vec2(360.0, 104.0),
        Layout::Vertical => vec2(80.0, 260.0),
        Layout::Compact => vec2(240.0, 70.0),
    };
    let mut contact_sheets = Vec::new();
    for layout in Layout::ALL.iter().copied() {
        let size = size(points(layout), 3.0);
        let mut draw = |lang| studio.draw_overlay(&usual_view(lang), &style(layout, "ink", lang), size);
        let rows = match layout {
            Layout::Vertical => vec![BOTH.map(draw).to_vec()],
            _ => BOTH.map(|lang| vec![draw(lang)]).to_vec(),
        };
        contact_sheets.push((format!("{}-300", layout.name()), contact_sheet(&rows)));
    }
    check(contact_sheets);
}

fn every_layout(change: &[fn(&mut OverlayStyle)], view: fn(Lang) -> BarView) -> ColorImage {
    let mut studio = studio();
    let mut row = |layouts: &[Layout], change: &dyn Fn(&mut OverlayStyle)| {
        let draw = |layout: &Layout| {
            let mut style = style(*layout, "ink", Lang::Ja);
            change(&mut style);
            studio.draw_overlay(&view(Lang::Ja), &style, size(contact_sheet_size(*layout, 1), 1.0))
        };
        layouts.iter().map(draw).collect::<Vec<_>>()
    };
    let upright: Vec<_> = change
        .iter()
        .flat_map(|change| row(&[Layout::Vertical], change))
        .collect();
    let mut rows = vec![upright];
    for change in change {
        rows.push(row(&[Layout::Full, Layout::Candidates], change));
        rows.push(row(&[Layout::Bar, Layout::Compact], change));
    }
    contact_sheet(&rows)
}

fn switch_off(style: &mut OverlayStyle, parts: &[OverlayPart]) {
    for part in parts {
        style.parts.set_shown(*part, false);
    }
}

#[test]
fn pictures_without_some_parts() {
    let changes: [fn(&mut OverlayStyle); 6] = [
        |style| style.is_swapped = true,
        |style| {
            switch_off(
                style,
                &[
                    OverlayPart::Names,
                    OverlayPart::MoveNumber,
                    OverlayPart::LastMove,
                    OverlayPart::ToMove,
                ],
            );
        },
        |style| switch_off(style, &[OverlayPart::Numbers]),
        |style| switch_off(style, &[OverlayPart::Words]),
        |style| {
            switch_off(
                style,
                &[OverlayPart::Lines, OverlayPart::Figures, OverlayPart::Engine],
            );
        },
        |style| {
            switch_off(
                style,
                &[
                    OverlayPart::Candidates,
                    OverlayPart::Evaluation,
                    OverlayPart::Loss,
                ],
            );
        },
    ];
    check([("parts".to_owned(), every_layout(&changes, live))]);
}

#[test]
fn pictures_of_a_hidden_evaluation() {
    check([(
        "hidden".to_owned(),
        every_layout(&[|_| {}], |lang| usual_view(lang).hidden(lang)),
    )]);
}

#[test]
fn pictures_of_layouts_in_other_sizes() {
    let mut studio = studio();
    let mut row = |layout, sizes: &[(f32, f32)], view: fn(Lang) -> BarView| {
        let style = style(layout, "ink", Lang::Ja);
        let draw = |(width, height): &(f32, f32)| {
            studio.draw_overlay(&view(Lang::Ja), &style, size(vec2(*width, *height), 1.0))
        };
        sizes.iter().map(draw).collect::<Vec<_>>()
    };
    let rows = [
        row(
            Layout::Bar,
            &[(160.0, 24.0), (240.0, 30.0), (420.0, 24.0), (600.0, 80.0)],
            live,
        ),
        row(Layout::Bar, &[(1440.0, 40.0)], live),
        row(
            Layout::Compact,
            &[(160.0, 24.0), (160.0, 60.0), (240.0, 140.0), (420.0, 100.0)],
            live,
        ),
        row(
            Layout::Candidates,
            &[(300.0, 92.0), (300.0, 240.0), (800.0, 120.0)],
            live,
        ),
        row(
            Layout::Vertical,
            &[
                (48.0, 160.0),
                (64.0, 300.0),
                (100.0, 200.0),
                (220.0, 520.0),
                (380.0, 300.0),
                (480.0, 520.0),
            ],
            live,
        ),
        row(Layout::Vertical, &[(600.0, 420.0)], second_is_followed),
        row(
            Layout::Full,
            &[(160.0, 24.0), (300.0, 60.0), (480.0, 90.0), (480.0, 300.0)],
            live,
        ),
    ];
    check([("sizes".to_owned(), contact_sheet(&rows))]);
}

/// Windows of unusual shapes, and the screens of broadcasts at half their size.
#[test]
fn pictures_of_every_layout_in_unusual_shapes() {
    let mut studio = studio();
    let mut contact_sheet_of = |layout: Layout| {
        let mut row = |sizes: &[(u32, u32)], scale, lang| {
            let style = style(layout, "ink", lang);
            let draw = |(width, height): &(u32, u32)| {
                studio.draw_overlay(
                    &live(lang),
                    &style,
                    PictureSize::new(*width, *height, scale).unwrap(),
                )
            };
            sizes.iter().map(draw).collect::<Vec<_>>()
        };
        let small = [
            (160, 24),
            (240, 40),
            (160, 160),
            (320, 120),
            (480, 90),
            (200, 400),
        ];
        let large = [(1920, 200), (1920, 1080), (3840, 600)];
        let mut rows = BOTH.map(|lang| row(&small, 1.0, lang)).to_vec();
        rows.extend(large.map(|size| row(&[size], 0.5, Lang::Ja)));
        (format!("shapes-{}", layout.name()), contact_sheet(&rows))
    };
    check(Layout::ALL.iter().map(|layout| contact_sheet_of(*layout)));
}

#[test]
fn pictures_on_a_key_colour() {
    let mut studio = studio();
    let mut row = |(name, key): (&str, Rgba)| {
        let theme = theme::from_config(
            shogibar_config::Theme::shipped(name)
                .unwrap()
                .with_background(Background::Chroma, key),
        );
        let mut draw = |layout, points| {
            studio.draw_overlay(
                &live(Lang::Ja),
                &OverlayStyle {
                    layout,
                    ..OverlayStyle::new(theme, Lang::Ja)
                },
                size(points, 1.0),
            )
        };
        vec![
            draw(Layout::Full, vec2(760.0, 168.0)),
            draw(Layout::Vertical, vec2(100.0, 168.0)),
        ]
    };
    let (green, magenta) = (Rgba([0, 0xFF, 0, 0xFF]), Rgba([0xFF, 0, 0xFF, 0xFF]));
    let rows = [
        ("ink", green),
        ("ink", magenta),
        ("paper", green),
        ("paper", magenta),
    ]
    .map(&mut row);
    check([("key-colours".to_owned(), contact_sheet(&rows))]);
}

#[test]
fn a_picture_does_not_depend_on_earlier_pictures() {
    let (size, ink) = (
        PictureSize::new(480, 110, 1.0).unwrap(),
        style(Layout::Full, "ink", Lang::Ja),
    );
    let mut used = studio();
    let first = used.draw_overlay(&usual_view(Lang::Ja), &ink, size);
    used.draw_overlay(
        &long_names(Lang::En),
        &style(Layout::Compact, "paper", Lang::En),
        PictureSize::new(1080, 204, 2.0).unwrap(),
    );
    assert!(
        used.draw_overlay(&usual_view(Lang::Ja), &ink, size) == first,
        "what was drawn before is still seen"
    );
    assert!(
        studio().draw_overlay(&usual_view(Lang::Ja), &ink, size) == first,
        "another context draws otherwise"
    );
}

/// A renderer for the harness of an interactive window. It keeps the textures, so that a test can take pictures.
#[derive(Clone, Default)]
struct Film(Rc<RefCell<Textures>>);

impl TestRenderer for Film {
    fn handle_delta(&mut self, delta: &mut TexturesDelta) {
        self.0.borrow_mut().update(delta);
    }
}

impl Film {
    fn picture<S>(&self, window: &Harness<'_, S>) -> ColorImage {
        let (scale, points) = (window.ctx.pixels_per_point(), window.ctx.content_rect().size());
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "the pixels of a window"
        )]
        let size = [points.x, points.y].map(|side| (side * scale).round() as usize);
        let primitives = window.ctx.tessellate(window.output().shapes.clone(), scale);
        raster::paint(&self.0.borrow(), &primitives, size, scale)
    }
}

#[test]
fn a_window_looks_like_the_picture() {
    let (film, mut bar) = (Film::default(), Overlay::default());
    // The theme covers its whole area. The harness paints a background that is 8 points larger.
    let (view, style) = (usual_view(Lang::Ja), style(Layout::Full, "chroma", Lang::Ja));
    let mut window = Harness::builder()
        .with_size(vec2(480.0 + 16.0, 110.0 + 16.0))
        .with_pixels_per_point(2.0)
        .with_context_setup(|ctx| ctx.set_fonts(fonts::definitions()))
        .renderer(film.clone())
        .build_ui(|ui| {
            bar.show(ui, &view, &style);
        });
    window.run_steps(60);
    let picture = studio().draw_overlay(&view, &style, PictureSize::new(480, 110, 2.0).unwrap());
    let different = differences(
        &picture,
        &film.picture(&window).region_by_pixels([16, 16], picture.size),
    )
    .len();
    assert_eq!(different, 0, "pixels are different");
}

#[test]
fn a_small_change_is_a_difference() {
    let size = PictureSize::new(480, 110, 1.0).unwrap();
    let draw = |style: &OverlayStyle| studio().draw_overlay(&usual_view(Lang::Ja), style, size);
    let (ink, mut changed) = (
        style(Layout::Full, "ink", Lang::Ja),
        style(Layout::Full, "ink", Lang::Ja),
    );
    changed.theme.seam = Color32::from_rgba_premultiplied(0xF0, 0x49, 0x2E + TOLERANCE + 1, 0xFF);
    assert!(
        !differences(&draw(&ink), &draw(&changed)).is_empty(),
        "the colour of the seam"
    );
}

#[test]
fn a_key_colour_background_is_opaque() {
    let key = theme("chroma").panel;
    let (full, vertical) = (
        (Layout::Full, vec2(760.0, 168.0)),
        (Layout::Vertical, vec2(300.0, 360.0)),
    );
    for (view, (layout, points)) in ROWS
        .iter()
        .flat_map(|view| [full, vertical].map(|layout| (view, layout)))
    {
        let style = style(layout, "chroma", Lang::Ja);
        let picture = studio().draw_overlay(&view(Lang::Ja), &style, size(points, 1.0));
        assert!(
            picture.pixels.iter().all(|pixel| pixel.a() == 0xFF),
            "the picture is opaque"
        );
        let is_green =
            |pixel: &Color32| pixel.g() > 60 && pixel.r() < pixel.g() / 2 && pixel.b() < pixel.g() / 2;
        let mixed = picture
            .pixels
            .iter()
            .filter(|pixel| **pixel != key && is_green(pixel))
            .count();
        // Only the antialiased edges of glyphs mix with the key colour.
        assert!(
            mixed * 20 < picture.pixels.len(),
            "{mixed} pixels are a mixture with the key"
        );
        let column = |x: usize| (0..picture.height()).map(move |y| (x, y));
        let rim: Vec<_> = column(0).chain(column(picture.width() - 1)).collect();
        assert!(
            rim.iter().all(|at| picture[*at] == key),
            "the background goes to the rim"
        );
    }
}
