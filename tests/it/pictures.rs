//! The overlay as it looks, compared with `tests/pictures/*.png`, which a person has looked at.
//!
//! `SHOGIBAR_BLESS=1 cargo test pictures` makes what is drawn now the pictures to compare with; look at them
//! before they are committed.
#![expect(clippy::unwrap_used, clippy::expect_used, clippy::disallowed_methods, reason = "a test fails by panicking")]

use eframe::egui::epaint::textures::TexturesDelta;
use eframe::egui::{Color32, ColorImage, Context, vec2};
use eframe::icon_data;
use egui_kittest::{Harness, TestRenderer};
use shogibar::app::state::State;
use shogibar::bar::{Follow, Heard, View};
use shogibar::config::{self, Layout};
use shogibar::kifu;
use shogibar::session::{self, Failure, FailureKind, Snapshot};
use shogibar::text::{Lang, Message};
use shogibar::ui::overlay::Overlay;
use shogibar::ui::raster::{self, Textures};
use shogibar::ui::snapshot::{Size, Studio};
use shogibar::ui::{Theme, fonts, png};
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
fn view(game: &str, ply: usize, lang: Lang) -> State {
    let mut state = State::new(lang);
    state.open(kifu::read(game.as_bytes()).unwrap().games.remove(0));
    state.go_to(ply);
    if let Some(snapshot) = state.recorded() {
        state.watch_with(snapshot.into());
    }
    state
}

/// The same with a second engine beside it, which says this.
fn two(lang: Lang, follow: Follow, second: Snapshot) -> View {
    let mut state = view(GAME, 2, lang);
    let engine = |name: &str, snapshot| Heard { name: name.to_owned(), is_profile: true, snapshot, told: false };
    state.change(0, engine("YaneuraOu", state.recorded().unwrap()));
    state.watch_with(engine("水匠", second));
    state.follow(follow);
    state.view()
}

/// What another record says of the position, as a second engine.
fn another(lang: Lang) -> Snapshot {
    let game = GAME.replace("評価値 320", "評価値 -240").replace("評価値 270", "評価値 -290");
    view(&game, 2, lang).recorded().unwrap()
}

fn second_is_followed(lang: Lang) -> View {
    two(lang, Follow::One(1), another(lang))
}

fn mean_of_two(lang: Lang) -> View {
    two(lang, Follow::Mean, another(lang))
}

fn second_reads(lang: Lang) -> View {
    two(lang, Follow::Mean, view(GAME, 3, lang).recorded().unwrap())
}

fn second_is_not_there(lang: Lang) -> View {
    let kind = FailureKind::NotFound("/opt/engines/YaneuraOu".to_owned());
    let failure = Failure { kind, last_lines: Vec::new(), restarts: 0 };
    two(lang, Follow::One(0), Snapshot { state: session::State::Failed(failure), ..Snapshot::default() })
}

fn record_is_odd(lang: Lang) -> View {
    let mut state = view(GAME, 2, lang);
    state.watch_with(another(lang).into());
    state.remark(&Message::RecordUnevaluated);
    state.view()
}

/// What a sheet of two engines shows.
const ROWS_OF_TWO: [fn(Lang) -> View; 5] =
    [second_is_followed, mean_of_two, second_reads, second_is_not_there, record_is_odd];

fn usual(lang: Lang) -> View {
    view(GAME, 2, lang).view()
}

fn mate(lang: Lang) -> View {
    view(GAME, 3, lang).view()
}

/// The next position is on view, and the engine has not spoken of it.
fn greyed(lang: Lang) -> View {
    let mut state = view(GAME, 2, lang);
    state.step(2);
    state.view()
}

fn no_engine(lang: Lang) -> View {
    let mut state = view(GAME, 4, lang);
    state.complain(&Message::EngineNotFound("/opt/engines/YaneuraOu".to_owned()));
    state.view()
}

fn long_names(lang: Lang) -> View {
    let names = [
        "先手：藤井聡太竜王・名人・王位・王座・棋王・王将・棋聖",
        "後手：Alexandria Featherstonehaugh-Cholmondeley von Hohenzollern",
    ];
    view(&GAME.replace("先手：佐藤", names[0]).replace("後手：鈴木", names[1]), 2, lang).view()
}

/// What a sheet shows, from top to bottom, in Japanese and English.
const ROWS: [fn(Lang) -> View; 5] = [usual, mate, greyed, no_engine, long_names];

fn studio() -> Studio {
    let ctx = Context::default();
    // No font of the system, so that the pictures are the same everywhere.
    ctx.set_fonts(fonts::definitions());
    Studio::new(ctx)
}

fn theme(name: &str) -> Theme {
    config::Theme::shipped(name).unwrap().into()
}

/// The pictures below and beside each other.
fn sheet(rows: &[Vec<ColorImage>]) -> ColorImage {
    let [width, height] = rows[0][0].size;
    let place = |index: usize, side: usize| index * (side + GAP);
    let size = [place(rows[0].len(), width) - GAP, place(rows.len(), height) - GAP];
    let mut sheet = ColorImage::filled(size, Color32::TRANSPARENT);
    for (row, pictures) in rows.iter().enumerate() {
        for (column, picture) in pictures.iter().enumerate() {
            for (y, line) in picture.pixels.chunks_exact(width).enumerate() {
                let start = (place(row, height) + y) * size[0] + place(column, width);
                sheet.pixels[start..start + width].copy_from_slice(line);
            }
        }
    }
    sheet
}

fn sheet_of(layout: Layout, theme_name: &str, rows: &[fn(Lang) -> View]) -> ColorImage {
    let Layout::Full = layout;
    let (mut studio, size) = (studio(), Size::new(760, 168, 1.0).unwrap());
    let row = |view: &fn(Lang) -> View| {
        [Lang::Ja, Lang::En].map(|lang| studio.overlay(&view(lang), &theme(theme_name), size)).to_vec()
    };
    sheet(&rows.iter().map(row).collect::<Vec<_>>())
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
    let sheets = Layout::ALL.iter().copied().flat_map(|layout| {
        config::Theme::names().map(move |theme| (format!("{}-{theme}", layout.name()), sheet_of(layout, theme, &ROWS)))
    });
    check(sheets);
}

#[test]
fn two_engines_look_right() {
    let sheets = ["ink", "paper"].map(|theme| (format!("two-{theme}"), sheet_of(Layout::Full, theme, &ROWS_OF_TWO)));
    check(sheets);
}

#[test]
fn every_layout_looks_right_at_three_hundred_percent() {
    let mut studio = studio();
    let size = Size::new(480, 110, 3.0).unwrap();
    let mut sheets = Vec::new();
    for layout in Layout::ALL.iter().copied() {
        let Layout::Full = layout;
        let rows = [Lang::Ja, Lang::En].map(|lang| vec![studio.overlay(&usual(lang), &theme("ink"), size)]);
        sheets.push((format!("{}-300", layout.name()), sheet(&rows)));
    }
    check(sheets);
}

#[test]
fn a_picture_depends_on_nothing_but_what_it_shows() {
    let size = Size::new(480, 110, 1.0).unwrap();
    let mut used = studio();
    let first = used.overlay(&usual(Lang::Ja), &theme("ink"), size);
    used.overlay(&long_names(Lang::En), &theme("paper"), Size::new(1080, 204, 2.0).unwrap());
    assert!(used.overlay(&usual(Lang::Ja), &theme("ink"), size) == first, "what was drawn before is still seen");
    assert!(studio().overlay(&usual(Lang::Ja), &theme("ink"), size) == first, "another context draws otherwise");
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
    let (view, theme) = (usual(Lang::Ja), theme("chroma"));
    let mut window = Harness::builder()
        .with_size(vec2(480.0 + 16.0, 110.0 + 16.0))
        .with_pixels_per_point(2.0)
        .with_context_setup(|ctx| ctx.set_fonts(fonts::definitions()))
        .renderer(film.clone())
        .build_ui(|ui| {
            bar.show(ui, &view, &theme, Lang::Ja);
        });
    window.run_steps(60);
    let picture = studio().overlay(&view, &theme, Size::new(480, 110, 2.0).unwrap());
    let different = differences(&picture, &film.picture(&window).region_by_pixels([16, 16], picture.size)).len();
    assert_eq!(different, 0, "pixels are different");
}

#[test]
fn a_small_change_is_seen() {
    let size = Size::new(480, 110, 1.0).unwrap();
    let draw = |theme: &Theme| studio().overlay(&usual(Lang::Ja), theme, size);
    let mut changed = theme("ink");
    changed.accent = Color32::from_rgba_premultiplied(0xD8, 0x41, 0x2F + TOLERANCE + 1, 0xFF);
    assert!(!differences(&draw(&theme("ink")), &draw(&changed)).is_empty(), "the colour of the seam");
}

#[test]
fn nothing_shines_through_where_a_key_colour_is_the_ground() {
    let key = theme("chroma").panel;
    for view in ROWS {
        let picture = studio().overlay(&view(Lang::Ja), &theme("chroma"), Size::new(760, 168, 1.0).unwrap());
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
