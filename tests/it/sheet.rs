//! Contact sheets of the bar in every layout, theme, state and language, for a person to check. The program does not
//! compare them.
//!
//! `SHOGIBAR_SHEETS=folder cargo test --test it -- --ignored sheet::`

use crate::context::{known, marked, unknown};
use crate::face::{ended_with_mistakes, playing, states};
use crate::layouts::in_english;
use eframe::egui::{Color32, ColorImage, Vec2, vec2};
use shogibar_base::Lang;
use shogibar_config::{Layout, OverlaySettings, Percent, Settings, Theme};
use shogibar_games::bar::BarView;
use shogibar_ui::overlay::{OverlayStyle, comfortable_size};
use shogibar_ui::snapshot::{PictureSize, SnapshotRenderer};
use shogibar_ui::{fonts, png, theme};
use std::path::PathBuf;

/// The gap between two pictures, in pixels.
const GAP: usize = 8;

fn folder() -> PathBuf {
    let folder = std::env::var_os("SHOGIBAR_SHEETS").map(PathBuf::from);
    let folder = folder.unwrap_or_else(|| PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("sheets"));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn renderer() -> SnapshotRenderer {
    let ctx = eframe::egui::Context::default();
    ctx.set_fonts(fonts::definitions());
    SnapshotRenderer::new(ctx)
}

fn style(layout: Layout, name: &str, lang: Lang) -> OverlayStyle {
    let theme = theme::from_config(Theme::shipped(name).unwrap());
    OverlayStyle {
        layout,
        ..OverlayStyle::new(theme, lang)
    }
}

fn picture(view: &BarView, style: &OverlayStyle, points: Vec2, scale: f32) -> ColorImage {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the points of a picture"
    )]
    let [width, height] = [points.x, points.y].map(|side| side.round() as u32);
    renderer().draw_overlay(view, style, PictureSize::new(width, height, scale).unwrap())
}

/// A busy picture, as a video behind the bar would be.
fn video(size: [usize; 2]) -> ColorImage {
    let mut image = ColorImage::filled(size, Color32::BLACK);
    for (index, pixel) in image.pixels.iter_mut().enumerate() {
        let (x, y) = (index % size[0], index / size[0]);
        let [red, green, blue] = [
            (x * 3 + y) % 256,
            (x / 7 * 40 + y * 2) % 256,
            (y / 11 * 60 + x) % 256,
        ]
        .map(|value| value.to_le_bytes()[0]);
        *pixel = Color32::from_rgb(red, green, blue);
    }
    image
}

/// Draws a picture with its transparency over another one.
fn put(sheet: &mut ColorImage, picture: &ColorImage, [left, top]: [usize; 2]) {
    let width = sheet.width();
    for (y, line) in picture.pixels.chunks_exact(picture.width()).enumerate() {
        for (x, pixel) in line.iter().enumerate() {
            if let Some(under) = sheet.pixels.get_mut((top + y) * width + left + x) {
                *under = under.blend(*pixel);
            }
        }
    }
}

/// Arranges rows of pictures over a busy picture.
fn sheet(rows: &[Vec<ColorImage>]) -> ColorImage {
    let width = rows
        .iter()
        .map(|row| row.iter().map(|one| one.width() + GAP).sum::<usize>())
        .max()
        .unwrap()
        + GAP;
    let highest = |row: &[ColorImage]| row.iter().map(ColorImage::height).max().unwrap();
    let height = rows.iter().map(|row| highest(row) + GAP).sum::<usize>() + GAP;
    let mut sheet = video([width, height]);
    let mut top = GAP;
    for row in rows {
        let mut left = GAP;
        for picture in row {
            put(&mut sheet, picture, [left, top]);
            left += picture.width() + GAP;
        }
        top += highest(row) + GAP;
    }
    sheet
}

fn write(name: &str, image: &ColorImage) {
    std::fs::write(folder().join(format!("{name}.png")), png::encode(image).unwrap()).unwrap();
}

fn size(layout: Layout) -> Vec2 {
    match layout {
        Layout::Full => vec2(1300.0, 430.0),
        Layout::Bar => vec2(1900.0, 120.0),
        Layout::Candidates => comfortable_size(layout, 3, 1) * 1.6,
        Layout::Vertical => vec2(220.0, 960.0),
        Layout::Compact => comfortable_size(layout, 3, 1) * 2.0,
    }
}

/// The states of the bar, in a language.
fn views(lang: Lang) -> Vec<BarView> {
    let states = states().into_iter().map(|(name, view)| {
        if name == "end" {
            ended_with_mistakes()
        } else {
            view
        }
    });
    states
        .map(|view| if lang == Lang::En { in_english(view) } else { view })
        .collect()
}

#[test]
#[ignore = "draws pictures to look at"]
fn every_layout_theme_state_and_language() {
    for layout in Layout::ALL {
        for lang in [Lang::Ja, Lang::En] {
            let scale = if *layout == Layout::Vertical { 0.6 } else { 0.5 };
            let draw =
                |view: &BarView, name: &str| picture(view, &style(*layout, name, lang), size(*layout), scale);
            let views = views(lang);
            let rows: Vec<Vec<_>> = if *layout == Layout::Vertical {
                Theme::names()
                    .map(|name| views.iter().map(|view| draw(view, name)).collect())
                    .collect()
            } else {
                views
                    .iter()
                    .map(|view| Theme::names().map(|name| draw(view, name)).collect())
                    .collect()
            };
            write(
                &format!("{}-{}", layout.name(), if lang == Lang::Ja { "ja" } else { "en" }),
                &sheet(&rows),
            );
        }
    }
}

#[test]
#[ignore = "draws pictures to look at"]
fn the_context_line_and_two_engines() {
    let mean = || {
        let mut view = marked(41);
        view.engines[1].is_followed = true;
        BarView {
            other_rate: None,
            ..view
        }
    };
    for layout in Layout::ALL {
        for lang in Lang::ALL {
            let views = [
                known(playing()),
                unknown(playing()),
                known(marked(41)),
                known(marked(85)),
                known(mean()),
            ];
            let views = views.map(|view| if lang == Lang::En { in_english(view) } else { view });
            let draw = |view: &BarView, name: &str| {
                let points = comfortable_size(*layout, 3, view.engines.len());
                picture(view, &style(*layout, name, lang), points, 1.3)
            };
            let rows: Vec<Vec<_>> = views
                .iter()
                .map(|view| Theme::names().map(|name| draw(view, name)).collect())
                .collect();
            write(
                &format!(
                    "context-{}-{}",
                    layout.name(),
                    if lang == Lang::Ja { "ja" } else { "en" }
                ),
                &sheet(&rows),
            );
        }
    }
}

#[test]
#[ignore = "draws pictures to look at"]
fn small_and_large_sizes() {
    let draw = |layout, name: &str, points, scale| {
        let views = views(Lang::Ja);
        views
            .iter()
            .map(|view| picture(view, &style(layout, name, Lang::Ja), points, scale))
            .collect::<Vec<_>>()
    };
    let vertical = [
        draw(Layout::Vertical, "ink", vec2(220.0, 960.0), 1.0),
        draw(Layout::Vertical, "paper", vec2(120.0, 480.0), 2.0),
    ];
    write("vertical-sizes", &sheet(&vertical));
    let mut long = playing();
    "勅使河原 龍之介 竜王・名人".clone_into(&mut long.black.name);
    "小鳥遊 アレクサンドラ 八段".clone_into(&mut long.white.name);
    let names = [vec2(220.0, 960.0), vec2(120.0, 480.0)]
        .map(|points| picture(&long, &style(Layout::Vertical, "paper", Lang::Ja), points, 1.0));
    write("vertical-names", &sheet(&[names.to_vec()]));
    // The pictures have a quarter of the size, and the panel a quarter of its opacity.
    let panel = |name: &str| {
        let theme = theme::from_config(Theme::shipped(name).unwrap());
        let overlay = OverlaySettings {
            opacity: Percent(25),
            ..OverlaySettings::default()
        };
        let mut settings = Settings::default();
        settings.overlay = overlay;
        let look = OverlayStyle::from_settings(&settings, theme, Lang::Ja);
        picture(&playing(), &look, vec2(1300.0, 430.0), 0.75)
    };
    let thin: Vec<_> = Theme::names().map(|name| vec![panel(name)]).collect();
    write("panel-25", &sheet(&thin));
    let quarter = |layout: Layout| -> Vec<_> {
        Theme::names()
            .map(|name| {
                halved(&halved(&picture(
                    &playing(),
                    &style(layout, name, Lang::Ja),
                    size(layout),
                    1.0,
                )))
            })
            .collect()
    };
    write(
        "quarter",
        &sheet(
            &Layout::ALL
                .iter()
                .map(|layout| quarter(*layout))
                .collect::<Vec<_>>(),
        ),
    );
    let exact: Vec<_> = Layout::ALL
        .iter()
        .map(|layout| {
            let look = OverlayStyle {
                is_exact: true,
                ..style(*layout, "ink", Lang::Ja)
            };
            vec![picture(&playing(), &look, size(*layout), 0.5)]
        })
        .collect();
    write("exact", &sheet(&exact));
}

/// Returns a picture at half its size.
fn halved(image: &ColorImage) -> ColorImage {
    let [width, height] = [image.width() / 2, image.height() / 2];
    let mut half = ColorImage::filled([width, height], Color32::TRANSPARENT);
    for (index, pixel) in half.pixels.iter_mut().enumerate() {
        let (x, y) = (index % width * 2, index / width * 2);
        let mut sum = [0_u16; 4];
        for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
            let from = image.pixels[(y + dy) * image.width() + x + dx].to_array();
            sum.iter_mut()
                .zip(from)
                .for_each(|(sum, part)| *sum += u16::from(part));
        }
        let [red, green, blue, alpha] = sum.map(|sum| u8::try_from(sum / 4).unwrap());
        *pixel = Color32::from_rgba_premultiplied(red, green, blue, alpha);
    }
    half
}

#[test]
#[ignore = "draws pictures to look at"]
fn the_states_of_the_one_line_over_each_other() {
    let mut rows = Vec::new();
    for points in [vec2(1900.0, 120.0), vec2(960.0, 72.0)] {
        let pictures: Vec<_> = states()
            .into_iter()
            .filter(|(name, _)| !matches!(*name, "no engine" | "failure"))
            .map(|(_, view)| picture(&view, &style(Layout::Bar, "ink", Lang::Ja), points, 1.0))
            .collect();
        // The sheet has the mean of all pictures, and the differences between any two of them.
        let mut mean = pictures[0].clone();
        let mut apart = ColorImage::filled(mean.size, Color32::BLACK);
        for index in 0..mean.pixels.len() {
            let at = |part: usize| {
                pictures
                    .iter()
                    .map(move |one| u16::from(one.pixels[index].to_array()[part]))
            };
            let count = u16::try_from(pictures.len()).unwrap();
            let [red, green, blue] =
                [0, 1, 2].map(|part| u8::try_from(at(part).sum::<u16>() / count).unwrap());
            mean.pixels[index] = Color32::from_rgb(red, green, blue);
            let widest = (0..3)
                .map(|part| at(part).max().unwrap() - at(part).min().unwrap())
                .max()
                .unwrap();
            apart.pixels[index] = Color32::from_gray(u8::try_from(widest).unwrap());
        }
        rows.extend([vec![mean], vec![apart]]);
    }
    write("one-line-states", &sheet(&rows));
}

#[test]
#[ignore = "draws pictures to look at"]
fn other_colours_of_the_sides() {
    let color = |text: &str| shogibar_config::Rgba::parse(text);
    let pairs = [
        ("#3E7D4F", "#F7D3DB"),
        ("#000000", "#FFFFFF"),
        ("#6A55A8", "#F6D96B"),
    ];
    let rows = pairs.map(|(black, white)| {
        let draw = |name: &str| {
            let theme = Theme::shipped(name)
                .unwrap()
                .with_sides(color(black), color(white));
            let look = OverlayStyle {
                theme: theme::from_config(theme),
                ..style(Layout::Full, name, Lang::Ja)
            };
            picture(&playing(), &look, size(Layout::Full), 0.5)
        };
        Theme::names().map(draw).collect()
    });
    write("sides", &sheet(&rows));
}
