use super::*;
use crate::fonts::{self, TextFont, TextWeight};
use crate::snapshot::{PictureSize, SnapshotRenderer};
use crate::theme;
use egui::Context;

/// The minimum contrast of the inside of ▲ to that of △, as WCAG 2.2 demands it of graphical objects.
const MIN_CONTRAST: f64 = 3.0;

/// Draws a mark in a colour and size on the panel of a style. Returns the colour inside the triangle.
fn color_inside(mark: &str, weight: TextWeight, size: f32, color: Color32, style: &OverlayStyle) -> Color32 {
    let ctx = Context::default();
    ctx.set_fonts(fonts::definitions());
    let mut renderer = SnapshotRenderer::new(ctx);
    let (window, mut ink) = (Rect::from_min_size(Pos2::ZERO, vec2(160.0, 40.0)), Rect::NOTHING);
    let picture = renderer.draw_picture(PictureSize::new(160, 40, 1.0).unwrap(), |ui| {
        let shapes = ui.fonts_mut(|fonts| {
            let mut canvas = OverlayCanvas::new(fonts, style);
            canvas.draw_background(window, window);
            let runs = [TextRun {
                text: mark,
                font: TextFont::Text(weight),
                color,
            }];
            canvas.draw_line(TextRuns::line(&runs, size), size, window, Align::Center);
            ink = canvas.picture.texts[0].ink;
            canvas.picture.shapes
        });
        ui.painter().extend(shapes);
    });
    // The point with the same distance to the three sides.
    let at = pos2(ink.center().x, egui::lerp(ink.y_range(), 0.64));
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a pixel of a small picture"
    )]
    let [x, y] = [at.x as usize, at.y as usize];
    picture.pixels[y * picture.width() + x]
}

#[test]
fn the_marks_of_the_players_are_filled_and_hollow_in_every_theme() {
    let rgba = |color: Color32| Rgba([color.r(), color.g(), color.b(), 0xFF]);
    for name in shogibar_config::Theme::names() {
        let theme = theme::from_config(shogibar_config::Theme::shipped(name).unwrap());
        let style = OverlayStyle::new(theme, Lang::Ja);
        for (color, size) in [theme.text, theme.quiet]
            .into_iter()
            .flat_map(|color| [(color, 11.0), (color, 13.0)])
        {
            for weight in [TextWeight::Regular, TextWeight::Bold] {
                let [black, white] =
                    ["▲", "△"].map(|mark| rgba(color_inside(mark, weight, size, color, &style)));
                let contrast = shogibar_config::contrast(black, white);
                assert!(
                    contrast >= MIN_CONTRAST,
                    "{name} {weight:?} {size}: {black:?} {white:?} {contrast:.2}"
                );
            }
        }
    }
}
