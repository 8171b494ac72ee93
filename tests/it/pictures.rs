//! The overlay as it looks, compared with `tests/pictures/*.png`, which a person has looked at.
//!
//! `SHOGIBAR_BLESS=1 cargo test pictures` makes what is drawn now the pictures to compare with; look at them
//! before they are committed.
#![expect(clippy::unwrap_used, clippy::expect_used, clippy::disallowed_methods, reason = "a test fails by panicking")]

mod settings;
mod study;

use eframe::egui::epaint::textures::TexturesDelta;
use eframe::egui::{Color32, ColorImage, Context, Vec2, vec2};
use eframe::icon_data;
use egui_kittest::{Harness, TestRenderer};
use shogibar::app::state::AppState;
use shogibar::bar::{BarView, EngineReport, FollowMode};
use shogibar::config::{self, Ground, Layout, OverlayPart, Rgba};
use shogibar::kifu;
use shogibar::session::{self, EngineFailure, FailureKind, Snapshot};
use shogibar::text::{Lang, Message};
use shogibar::ui::overlay::{self, Overlay, OverlayStyle};
use shogibar::ui::raster::{self, Textures};
use shogibar::ui::snapshot::{PictureSize, SnapshotRenderer};
use shogibar::ui::{PaintTheme, fonts, png};
use std::cell::RefCell;
use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// How far a channel may be off: another processor may round a letter's edge otherwise.
const TOLERANCE: u8 = 4;

/// Between the pictures of a sheet, in pixels.
const GAP: usize = 8;

/// A game of four moves, each with a comment on what is to come.
const GAME: &str = "\
先手：佐藤
後手：鈴木
手数----指手---------消費時間--
1 ７六歩(77)
**解析 0 候補1 時間 00:02.1 深さ 24/31 ノード数 3200000 評価値 52 読み筋 △３四歩(33) ▲２六歩(27) △８四歩(83)
2 ３四歩(33)
**解析 0 候補1 時間 00:02.1 深さ 24/31 ノード数 3200000 評価値 320 読み筋 ▲２二角成(88) △同銀(31) ▲６八玉(59) △４二玉(51) ▲７八玉(68) △３三銀(22) ▲９六歩(97) △９四歩(93)
**解析 0 候補2 時間 00:02.1 深さ 24/31 ノード数 3200000 評価値 270 読み筋 ▲２六歩(27) △８四歩(83) ▲２五歩(26) △８五歩(84) ▲７八金(69) △３二金(41)
**解析 0 候補3 時間 00:02.1 深さ 24/31 ノード数 3200000 評価値 -350 読み筋 ▲６六角(88) △同角(22) ▲同歩(67) △２七角打
3 ２六歩(27)
**解析 0 候補1 時間 00:00.4 深さ 9/9 ノード数 41000 評価値 +詰 7 読み筋 △８四歩(83) ▲２五歩(26)
4 ８四歩(83)
";

/// A view of the game after so many moves, with what the record says of it.
fn view(game: &str, ply: usize, lang: Lang) -> AppState {
    let mut state = AppState::new(lang);
    state.open(kifu::read(game.as_bytes()).unwrap().games.remove(0));
    state.go_to(ply);
    if let Some(snapshot) = state.recorded() {
        state.add_engine(snapshot.into());
    }
    state
}

/// The same with a second engine beside it, which says this.
fn two(lang: Lang, follow: FollowMode, second: Snapshot) -> BarView {
    let mut state = view(GAME, 2, lang);
    let heard = |name: &str, snapshot| EngineReport { name: name.to_owned(), is_profile: true, snapshot, told: false };
    let first = Snapshot { state: session::EngineState::Thinking, ..state.recorded().unwrap() };
    state.change(0, heard("YaneuraOu", first));
    state.add_engine(heard("水匠", second));
    state.follow(follow);
    state.view()
}

/// What another record says of the position, as a second engine.
fn another(lang: Lang) -> Snapshot {
    let game = GAME.replace("評価値 320", "評価値 -240").replace("候補2", "候補4").replace("**解析 0 候補3", "*");
    view(&game, 2, lang).recorded().unwrap()
}

fn second_is_followed(lang: Lang) -> BarView {
    two(lang, FollowMode::One(1), another(lang))
}

fn mean_of_two(lang: Lang) -> BarView {
    two(lang, FollowMode::Mean, another(lang))
}

fn second_reads(lang: Lang) -> BarView {
    two(lang, FollowMode::Mean, view(GAME, 3, lang).recorded().unwrap())
}

fn second_is_not_there(lang: Lang) -> BarView {
    let kind = FailureKind::NotFound("/opt/engines/YaneuraOu".to_owned());
    let failure = EngineFailure { kind, last_lines: Vec::new(), restarts: 0 };
    two(lang, FollowMode::One(0), Snapshot { state: session::EngineState::Failed(failure), ..Snapshot::default() })
}

fn record_is_odd(lang: Lang) -> BarView {
    let mut state = view(GAME, 2, lang);
    state.add_engine(another(lang).into());
    state.remark(&Message::RecordUnevaluated);
    state.view()
}

/// What a sheet of two engines shows.
const ROWS_OF_TWO: [fn(Lang) -> BarView; 5] =
    [second_is_followed, mean_of_two, second_reads, second_is_not_there, record_is_odd];

/// The same from an engine that goes on.
fn live(lang: Lang) -> BarView {
    let snapshot = Snapshot { state: session::EngineState::Thinking, ..view(GAME, 2, lang).recorded().unwrap() };
    let mut state = view(GAME, 2, lang);
    state.change(0, EngineReport { name: "YaneuraOu".to_owned(), snapshot, ..EngineReport::default() });
    state.view()
}

fn usual(lang: Lang) -> BarView {
    view(GAME, 2, lang).view()
}

fn mate(lang: Lang) -> BarView {
    view(GAME, 3, lang).view()
}

/// The next position is on view, and the engine has not spoken of it.
fn greyed(lang: Lang) -> BarView {
    let mut state = view(GAME, 2, lang);
    state.step(2);
    state.view()
}

fn no_engine(lang: Lang) -> BarView {
    let mut state = view(GAME, 4, lang);
    state.show_problem(&Message::EngineNotFound("/opt/engines/YaneuraOu".to_owned()));
    state.view()
}

fn long_names(lang: Lang) -> BarView {
    let names = [
        "先手：藤井聡太竜王・名人・王位・王座・棋王・王将・棋聖",
        "後手：Alexandria Featherstonehaugh-Cholmondeley von Hohenzollern",
    ];
    view(&GAME.replace("先手：佐藤", names[0]).replace("後手：鈴木", names[1]), 2, lang).view()
}

/// What a sheet shows, from top to bottom, in Japanese and English.
const ROWS: [fn(Lang) -> BarView; 5] = [usual, mate, greyed, no_engine, long_names];

fn studio() -> SnapshotRenderer {
    let ctx = Context::default();
    // No font of the system, so that the pictures are the same everywhere.
    ctx.set_fonts(fonts::definitions());
    SnapshotRenderer::new(ctx)
}

fn theme(name: &str) -> PaintTheme {
    config::Theme::shipped(name).unwrap().into()
}

fn look(layout: Layout, theme_name: &str, lang: Lang) -> OverlayStyle {
    OverlayStyle { layout, ..OverlayStyle::new(theme(theme_name), lang) }
}

/// The pictures beside each other in rows below each other.
fn sheet(rows: &[Vec<ColorImage>]) -> ColorImage {
    let sum = |sides: &mut dyn Iterator<Item = usize>| sides.map(|side| side + GAP).sum::<usize>() - GAP;
    let highest = |row: &[ColorImage]| row.iter().map(ColorImage::height).max().unwrap();
    let width = rows.iter().map(|row| sum(&mut row.iter().map(ColorImage::width))).max().unwrap();
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
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the points of a picture")]
    let [width, height] = [points.x, points.y].map(|side| side.round() as u32);
    PictureSize::new(width, height, scale).unwrap()
}

/// The size of a layout on a sheet: a little smaller than usual, so that its letters have to fit.
fn on_sheet(layout: Layout, engines: usize) -> Vec2 {
    match (layout, engines) {
        (Layout::Full, _) => vec2(760.0, 168.0),
        (Layout::Bar, 1) => vec2(640.0, 40.0),
        (Layout::Candidates, 1) => vec2(460.0, 180.0),
        _ => overlay::size_for(layout, 3, engines),
    }
}

const BOTH: [Lang; 2] = [Lang::Ja, Lang::En];

/// A layout with each of these in each of the languages; upright ones stand beside each other.
fn sheet_of(
    layout: Layout,
    theme: &str,
    views: &[fn(Lang) -> BarView],
    (langs, engines): (&[Lang], usize),
) -> ColorImage {
    let (mut studio, size) = (studio(), size(on_sheet(layout, engines), 1.0));
    let mut draw = |view: &fn(Lang) -> BarView, lang| studio.overlay(&view(lang), &look(layout, theme, lang), size);
    if layout == Layout::Vertical {
        let all = langs.iter().flat_map(|lang| views.iter().map(move |view| (view, *lang)));
        return sheet(&[all.map(|(view, lang)| draw(view, lang)).collect()]);
    }
    let rows = views.iter().map(|view| langs.iter().map(|lang| draw(view, *lang)).collect());
    sheet(&rows.collect::<Vec<_>>())
}

/// The pixels that are apart by more than the tolerance.
fn differences(one: &ColorImage, other: &ColorImage) -> Vec<usize> {
    let apart = |one: Color32, other: Color32| {
        one.to_array().into_iter().zip(other.to_array()).any(|(one, other)| one.abs_diff(other) > TOLERANCE)
    };
    let pixels = one.pixels.iter().zip(&other.pixels).enumerate();
    pixels.filter(|(_, (one, other))| apart(**one, **other)).map(|(index, _)| index).collect()
}

fn read(path: &Path) -> Option<ColorImage> {
    let icon = icon_data::from_png_bytes(&fs::read(path).ok()?).expect("a picture is a PNG");
    let size = [icon.width, icon.height].map(|side| usize::try_from(side).unwrap());
    Some(ColorImage::from_rgba_unmultiplied(size, &icon.rgba))
}

/// What is wrong with a picture; beside the one to compare with are then the new one and what is different.
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
        return Some(format!("{name}.png is not there or of another size; {name}.new.png is what is drawn"));
    };
    let different = differences(&expected, found);
    if different.is_empty() {
        return None;
    }
    // What is alike is faint, what is not is red.
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
    Some(format!("{name}.png: {count} pixels are different, the first at {first:?}; see {name}.diff.png"))
}

fn check(pictures: impl IntoIterator<Item = (String, ColorImage)>) {
    let wrong: Vec<_> = pictures.into_iter().filter_map(|(name, found)| compare(&name, &found)).collect();
    assert!(wrong.is_empty(), "not as in tests/pictures; SHOGIBAR_BLESS=1 makes them the right ones: {wrong:#?}");
}

#[test]
fn every_layout_looks_right_in_every_theme() {
    let draw = |layout: Layout, theme| match (layout, theme) {
        (Layout::Full, _) | (_, "ink") => sheet_of(layout, theme, &ROWS, (&BOTH, 1)),
        _ => sheet_of(layout, theme, &[live, mate, greyed, second_is_not_there], (&[Lang::Ja], 1)),
    };
    let all = Layout::ALL.iter().flat_map(|layout| config::Theme::names().map(|theme| (*layout, theme)));
    check(all.map(|(layout, theme)| (format!("{}-{theme}", layout.name()), draw(layout, theme))));
}

#[test]
fn two_engines_look_right() {
    let two = |layout, theme, langs| sheet_of(layout, theme, &ROWS_OF_TWO, (langs, 2));
    let full = [("two-ink", "ink", &BOTH[..]), ("two-paper", "paper", &[Lang::Ja])];
    let full = full.map(|(name, theme, langs)| (name.to_owned(), two(Layout::Full, theme, langs)));
    let others = Layout::ALL.iter().copied().filter(|layout| *layout != Layout::Full);
    let others = others.map(|layout| (format!("two-{}", layout.name()), two(layout, "ink", &[Lang::Ja])));
    check(full.into_iter().chain(others));
}

#[test]
fn every_layout_looks_right_at_three_hundred_percent() {
    let mut studio = studio();
    let points = |layout| match layout {
        Layout::Full => vec2(480.0, 110.0),
        Layout::Bar => vec2(480.0, 40.0),
        Layout::Candidates => vec2(360.0, 104.0),
        Layout::Vertical => vec2(80.0, 260.0),
        Layout::Compact => vec2(240.0, 70.0),
    };
    let mut sheets = Vec::new();
    for layout in Layout::ALL.iter().copied() {
        let size = size(points(layout), 3.0);
        let mut draw = |lang| studio.overlay(&usual(lang), &look(layout, "ink", lang), size);
        let rows = match layout {
            Layout::Vertical => vec![BOTH.map(draw).to_vec()],
            _ => BOTH.map(|lang| vec![draw(lang)]).to_vec(),
        };
        sheets.push((format!("{}-300", layout.name()), sheet(&rows)));
    }
    check(sheets);
}

/// A sheet with a row for each layout in its usual size.
fn every_layout(change: &[fn(&mut OverlayStyle)], view: fn(Lang) -> BarView) -> ColorImage {
    let mut studio = studio();
    let mut row = |layouts: &[Layout], change: &dyn Fn(&mut OverlayStyle)| {
        let draw = |layout: &Layout| {
            let mut look = look(*layout, "ink", Lang::Ja);
            change(&mut look);
            studio.overlay(&view(Lang::Ja), &look, size(on_sheet(*layout, 1), 1.0))
        };
        layouts.iter().map(draw).collect::<Vec<_>>()
    };
    let upright: Vec<_> = change.iter().flat_map(|change| row(&[Layout::Vertical], change)).collect();
    let mut rows = vec![upright];
    for change in change {
        rows.push(row(&[Layout::Full, Layout::Candidates], change));
        rows.push(row(&[Layout::Bar, Layout::Compact], change));
    }
    sheet(&rows)
}

fn switch_off(look: &mut OverlayStyle, parts: &[OverlayPart]) {
    for part in parts {
        look.parts.show(*part, false);
    }
}

#[test]
fn what_is_switched_off_leaves_its_room_to_the_rest() {
    let changes: [fn(&mut OverlayStyle); 6] = [
        |look| look.swapped = true,
        |look| switch_off(look, &[OverlayPart::Names, OverlayPart::Place, OverlayPart::LastMove, OverlayPart::ToMove]),
        |look| switch_off(look, &[OverlayPart::Numbers]),
        |look| switch_off(look, &[OverlayPart::Words]),
        |look| switch_off(look, &[OverlayPart::Lines, OverlayPart::Figures, OverlayPart::Engine]),
        |look| switch_off(look, &[OverlayPart::Candidates, OverlayPart::Evaluation, OverlayPart::Loss]),
    ];
    check([("parts".to_owned(), every_layout(&changes, live))]);
}

#[test]
fn what_is_hidden_is_said_to_be() {
    check([("hidden".to_owned(), every_layout(&[|_| {}], |lang| usual(lang).hidden(lang)))]);
}

#[test]
fn layouts_reflow() {
    let mut studio = studio();
    let mut row = |layout, sizes: &[(f32, f32)], view: fn(Lang) -> BarView| {
        let look = look(layout, "ink", Lang::Ja);
        let draw =
            |(width, height): &(f32, f32)| studio.overlay(&view(Lang::Ja), &look, size(vec2(*width, *height), 1.0));
        sizes.iter().map(draw).collect::<Vec<_>>()
    };
    let rows = [
        row(Layout::Bar, &[(160.0, 24.0), (240.0, 30.0), (420.0, 24.0), (600.0, 80.0)], live),
        row(Layout::Bar, &[(1440.0, 40.0)], live),
        row(Layout::Compact, &[(160.0, 24.0), (160.0, 60.0), (240.0, 140.0), (420.0, 100.0)], live),
        row(Layout::Candidates, &[(300.0, 92.0), (300.0, 240.0), (800.0, 120.0)], live),
        row(
            Layout::Vertical,
            &[(48.0, 160.0), (64.0, 300.0), (100.0, 200.0), (220.0, 520.0), (380.0, 300.0), (480.0, 520.0)],
            live,
        ),
        row(Layout::Vertical, &[(600.0, 420.0)], second_is_followed),
        row(Layout::Full, &[(160.0, 24.0), (300.0, 60.0), (480.0, 90.0), (480.0, 300.0)], live),
    ];
    check([("sizes".to_owned(), sheet(&rows))]);
}

/// Windows that no layout was drawn for, and the screens of broadcasts at half their size.
#[test]
fn every_layout_fills_windows_of_every_shape() {
    let mut studio = studio();
    let mut sheet_of = |layout: Layout| {
        let mut row = |sizes: &[(u32, u32)], scale, lang| {
            let look = look(layout, "ink", lang);
            let draw = |(width, height): &(u32, u32)| {
                studio.overlay(&live(lang), &look, PictureSize::new(*width, *height, scale).unwrap())
            };
            sizes.iter().map(draw).collect::<Vec<_>>()
        };
        let small = [(160, 24), (240, 40), (160, 160), (320, 120), (480, 90), (200, 400)];
        let large = [(1920, 200), (1920, 1080), (3840, 600)];
        let mut rows = BOTH.map(|lang| row(&small, 1.0, lang)).to_vec();
        rows.extend(large.map(|size| row(&[size], 0.5, Lang::Ja)));
        (format!("shapes-{}", layout.name()), sheet(&rows))
    };
    check(Layout::ALL.iter().map(|layout| sheet_of(*layout)));
}

#[test]
fn every_theme_can_be_read_on_a_key_colour() {
    let mut studio = studio();
    let mut row = |(name, key): (&str, Rgba)| {
        let theme = config::Theme::shipped(name).unwrap().on(Ground::Chroma, key).into();
        let mut draw = |layout, points| {
            studio.overlay(
                &live(Lang::Ja),
                &OverlayStyle { layout, ..OverlayStyle::new(theme, Lang::Ja) },
                size(points, 1.0),
            )
        };
        vec![draw(Layout::Full, vec2(760.0, 168.0)), draw(Layout::Vertical, vec2(100.0, 168.0))]
    };
    let (green, magenta) = (Rgba([0, 0xFF, 0, 0xFF]), Rgba([0xFF, 0, 0xFF, 0xFF]));
    let rows = [("ink", green), ("ink", magenta), ("paper", green), ("paper", magenta)].map(&mut row);
    check([("key-colours".to_owned(), sheet(&rows))]);
}

#[test]
fn a_picture_depends_on_nothing_but_what_it_shows() {
    let (size, ink) = (PictureSize::new(480, 110, 1.0).unwrap(), look(Layout::Full, "ink", Lang::Ja));
    let mut used = studio();
    let first = used.overlay(&usual(Lang::Ja), &ink, size);
    used.overlay(
        &long_names(Lang::En),
        &look(Layout::Compact, "paper", Lang::En),
        PictureSize::new(1080, 204, 2.0).unwrap(),
    );
    assert!(used.overlay(&usual(Lang::Ja), &ink, size) == first, "what was drawn before is still seen");
    assert!(studio().overlay(&usual(Lang::Ja), &ink, size) == first, "another context draws otherwise");
}

/// Takes pictures of a window that a test can click in: given to its harness as the renderer, it keeps what
/// the shapes refer to.
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
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the pixels of a window")]
        let size = [points.x, points.y].map(|side| (side * scale).round() as usize);
        let primitives = window.ctx.tessellate(window.output().shapes.clone(), scale);
        raster::paint(&self.0.borrow(), &primitives, size, scale)
    }
}

#[test]
fn a_window_shows_what_the_picture_shows() {
    let (film, mut bar) = (Film::default(), Overlay::default());
    // One that covers all of its place, for the harness paints a ground of its own, 8 points larger.
    let (view, look) = (usual(Lang::Ja), look(Layout::Full, "chroma", Lang::Ja));
    let mut window = Harness::builder()
        .with_size(vec2(480.0 + 16.0, 110.0 + 16.0))
        .with_pixels_per_point(2.0)
        .with_context_setup(|ctx| ctx.set_fonts(fonts::definitions()))
        .renderer(film.clone())
        .build_ui(|ui| {
            bar.show(ui, &view, &look);
        });
    window.run_steps(60);
    let picture = studio().overlay(&view, &look, PictureSize::new(480, 110, 2.0).unwrap());
    let different = differences(&picture, &film.picture(&window).region_by_pixels([16, 16], picture.size)).len();
    assert_eq!(different, 0, "pixels are different");
}

#[test]
fn a_small_change_is_seen() {
    let size = PictureSize::new(480, 110, 1.0).unwrap();
    let draw = |look: &OverlayStyle| studio().overlay(&usual(Lang::Ja), look, size);
    let (ink, mut changed) = (look(Layout::Full, "ink", Lang::Ja), look(Layout::Full, "ink", Lang::Ja));
    changed.theme.accent = Color32::from_rgba_premultiplied(0xD8, 0x41, 0x2F + TOLERANCE + 1, 0xFF);
    assert!(!differences(&draw(&ink), &draw(&changed)).is_empty(), "the colour of the seam");
}

#[test]
fn nothing_shines_through_where_a_key_colour_is_the_ground() {
    let key = theme("chroma").panel;
    let (full, vertical) = ((Layout::Full, vec2(760.0, 168.0)), (Layout::Vertical, vec2(300.0, 360.0)));
    for (view, (layout, points)) in ROWS.iter().flat_map(|view| [full, vertical].map(|layout| (view, layout))) {
        let look = look(layout, "chroma", Lang::Ja);
        let picture = studio().overlay(&view(Lang::Ja), &look, size(points, 1.0));
        assert!(picture.pixels.iter().all(|pixel| pixel.a() == 0xFF), "the picture is opaque");
        let is_green = |pixel: &Color32| pixel.g() > 60 && pixel.r() < pixel.g() / 2 && pixel.b() < pixel.g() / 2;
        let mixed = picture.pixels.iter().filter(|pixel| **pixel != key && is_green(pixel)).count();
        // The smoothed outlines of letters, and nothing else.
        assert!(mixed * 20 < picture.pixels.len(), "{mixed} pixels are a mixture with the key");
        let column = |x: usize| (0..picture.height()).map(move |y| (x, y));
        let rim: Vec<_> = column(0).chain(column(picture.width() - 1)).collect();
        assert!(rim.iter().all(|at| picture[*at] == key), "the ground goes to the rim");
    }
}
