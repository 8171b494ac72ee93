//! Pictures without a window: the output of an egui context, painted by the [rasterizer](super::raster).

use super::PaintTheme;
use super::board::{self, BoardView};
use super::fonts::{self, FontChoice};
use super::graph::{self, GraphView};
use super::overlay::{self, BoardPageForm, OverlayStyle};
use super::raster::{self, Textures};
use crate::snapshot_text as text;
use eframe::egui;
use egui::epaint::text::FontsView;
use egui::{ColorImage, Context, Pos2, RawInput, Rect, Shape, Ui, Vec2, ViewportId, vec2};
use shogibar_base::Lang;
use shogibar_config::Layout;
use shogibar_games::bar::BarView;
use shogibar_model::pages::options::PageGround;
use shogibar_programme::BoardPageContent;
use std::ops::RangeInclusive;
use thiserror::Error;

/// The minimum lengths of the longer and the shorter side of a picture, in points. A smaller picture would be
/// unreadable.
const MIN_SIDES: [u32; 2] = [160, 24];
/// The maximum side of a picture, in pixels. A picture with two such sides takes 256 MB.
const MAX_SIDE_PIXELS: u32 = 8192;
/// The range of the pixels per point.
const SCALE_RANGE: RangeInclusive<f32> = 0.5..=8.0;

/// A picture: rows of RGBA pixels.
pub type RgbaPicture = ColorImage;

/// The size of a picture in pixels, and its pixels per point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PictureSize {
    pixels: [usize; 2],
    scale: f32,
}

/// The reason why a picture size is invalid.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum SizeError {
    /// The pixels per point are out of range.
    #[error("the scale is {0}; it goes from {start} to {end}", start = SCALE_RANGE.start(), end = SCALE_RANGE.end())]
    Scale(f32),
    /// The picture has too few points to be readable.
    #[error("{0}x{1} is too small; the smallest picture is {width}x{height}, or upright", width = MIN_SIDES[0], height = MIN_SIDES[1])]
    Small(u32, u32),
    /// The picture has too many pixels.
    #[error(
        "{0}x{1} is too large at this scale; the largest picture has {MAX_SIDE_PIXELS}x{MAX_SIDE_PIXELS} pixels"
    )]
    Large(u32, u32),
}

/// Returns the message of a size error in the user's language.
pub fn size_error(error: SizeError, lang: Lang) -> String {
    match error {
        SizeError::Scale(scale) => {
            text::picture_scale(scale, (*SCALE_RANGE.start(), *SCALE_RANGE.end()), lang)
        }
        SizeError::Small(width, height) => text::picture_small([width, height], MIN_SIDES, lang),
        SizeError::Large(width, height) => text::picture_large([width, height], MAX_SIDE_PIXELS, lang),
    }
}

impl PictureSize {
    /// Creates a size in points, with `scale` pixels per point.
    ///
    /// # Errors
    /// Fails if the picture would be smaller than 160×24 points in either orientation, or larger than 8192×8192 pixels.
    /// Fails if the scale is not within 0.5 and 8.
    pub fn new(width: u32, height: u32, scale: f32) -> Result<Self, SizeError> {
        if !SCALE_RANGE.contains(&scale) {
            return Err(SizeError::Scale(scale));
        }
        let [longer, shorter] = MIN_SIDES;
        if width.max(height) < longer || width.min(height) < shorter {
            return Err(SizeError::Small(width, height));
        }
        let pixels = [width, height].map(|points| {
            let pixels = (f64::from(points) * f64::from(scale)).round();
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "at most the largest side"
            )]
            (pixels <= f64::from(MAX_SIDE_PIXELS)).then_some(pixels as usize)
        });
        let [Some(across), Some(down)] = pixels else {
            return Err(SizeError::Large(width, height));
        };
        Ok(Self {
            pixels: [across, down],
            scale,
        })
    }

    /// Returns the size in points.
    fn points(self) -> Vec2 {
        let [width, height] = self.pixels;
        vec2(width as f32, height as f32) / self.scale
    }
}

/// Returns the default size of a picture in this layout, in points.
pub fn default_size(layout: Layout, view: &BarView) -> [u32; 2] {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a width of a few hundred points"
    )]
    let whole = |points: f32| points.round() as u32;
    let size = overlay::comfortable_size_of(layout, view);
    [whole(size.x), whole(size.y)]
}

/// Renders the contents of an egui context as pictures.
#[derive(Debug)]
pub struct SnapshotRenderer {
    ctx: Context,
    textures: Textures,
}

impl SnapshotRenderer {
    /// Creates a renderer with the fonts of the windows.
    pub fn with_fonts(choice: &FontChoice) -> Self {
        let ctx = Context::default();
        fonts::install(&ctx, choice);
        Self::new(ctx)
    }

    /// Creates a renderer for a context in which no other code draws.
    pub fn new(ctx: Context) -> Self {
        Self {
            ctx,
            textures: Textures::default(),
        }
    }

    /// Returns a picture of the contents that `draw` draws. The rest of the picture is transparent.
    pub fn draw_picture(&mut self, size: PictureSize, draw: impl FnMut(&mut Ui)) -> ColorImage {
        let mut input = RawInput {
            screen_rect: Some(Rect::from_min_size(Pos2::ZERO, size.points())),
            // The glyph atlas has room for many large glyphs.
            max_texture_side: usize::try_from(MAX_SIDE_PIXELS).ok(),
            ..RawInput::default()
        };
        input
            .viewports
            .entry(ViewportId::ROOT)
            .or_default()
            .native_pixels_per_point = Some(size.scale);
        let mut output = self.ctx.run_ui(input, draw);
        self.textures.update(&mut output.textures_delta);
        let primitives = self.ctx.tessellate(output.shapes, output.pixels_per_point);
        raster::paint(&self.textures, &primitives, size.pixels, output.pixels_per_point)
    }

    /// Returns a picture of a board on the background of a theme, with a margin.
    pub fn draw_board(&mut self, view: &BoardView<'_>, theme: &PaintTheme, size: PictureSize) -> ColorImage {
        self.draw_on_background(theme, size, |fonts, rect| board::draw(fonts, view, theme, rect))
    }

    /// Returns a picture of a graph on the background of a theme, with a margin.
    pub fn draw_graph(
        &mut self,
        view: &GraphView<'_>,
        theme: &PaintTheme,
        lang: Lang,
        size: PictureSize,
    ) -> ColorImage {
        self.draw_on_background(theme, size, |fonts, rect| {
            graph::draw(fonts, view, theme, lang, rect)
        })
    }

    /// Returns a picture of shapes on the background of a theme, with a margin.
    fn draw_on_background(
        &mut self,
        theme: &PaintTheme,
        size: PictureSize,
        mut draw: impl FnMut(&mut FontsView<'_>, Rect) -> Vec<Shape>,
    ) -> ColorImage {
        self.draw_picture(size, |ui| {
            let rect = ui.max_rect();
            ui.painter().rect_filled(rect, 0, theme.panel.to_opaque());
            let room = rect.shrink(rect.width().min(rect.height()) * 0.015);
            let shapes = ui.fonts_mut(|fonts| draw(fonts, room));
            ui.painter().extend(shapes);
        })
    }

    /// Returns a picture of a board page on its ground, with the graph of the game in the place of the camera. `share` is
    /// Black's share on the bar.
    pub fn draw_board_page(
        &mut self,
        content: &BoardPageContent,
        share: f32,
        style: &OverlayStyle,
        size: PictureSize,
    ) -> RgbaPicture {
        let form = BoardPageForm {
            ground: PageGround::Plain,
            has_graph: true,
        };
        self.draw_picture(size, |ui| {
            let rect = ui.max_rect();
            let drawn =
                ui.fonts_mut(|fonts| overlay::draw_board_page(fonts, content, share, (style, form), rect));
            ui.painter().extend(drawn.shapes);
        })
    }

    /// Returns a picture of the bar, without motion.
    pub fn draw_overlay(&mut self, view: &BarView, style: &OverlayStyle, size: PictureSize) -> ColorImage {
        self.draw_picture(size, |ui| {
            let rect = ui.max_rect();
            let drawn =
                ui.fonts_mut(|fonts| overlay::draw(fonts, view, overlay::final_share(view), style, rect));
            ui.painter().extend(drawn.shapes);
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uses_the_configured_font() {
        let size = PictureSize::new(300, 60, 1.0).unwrap();
        let picture = |family: Option<&str>| {
            let program = family.map(str::to_owned);
            SnapshotRenderer::with_fonts(&FontChoice {
                program,
                ..FontChoice::default()
            })
            .draw_picture(size, |ui| {
                _ = ui.label(egui::RichText::new("Win 52% 先手").size(30.0));
            })
        };
        let (shipped, families) = (picture(None), fonts::system_families());
        assert_eq!(picture(Some("no such family")), shipped);
        if let Some(other) = families
            .iter()
            .find(|family| family.contains("Sans") && !family.contains("Noto"))
        {
            assert_ne!(picture(Some(other)), shipped, "{other}");
        }
    }

    #[test]
    fn rejects_sizes_out_of_range() {
        let check = |width, height, scale, expect: &str| {
            let size = PictureSize::new(width, height, scale).map(|size| format!("{:?}", size.pixels));
            assert_eq!(size.unwrap_or_else(|error| error.to_string()), expect);
        };
        check(1080, 204, 1.0, "[1080, 204]");
        check(333, 77, 1.5, "[500, 116]");
        check(8192, 8192, 1.0, "[8192, 8192]");
        check(160, 24, 0.5, "[80, 12]");
        check(24, 160, 1.0, "[24, 160]");
        check(
            159,
            24,
            1.0,
            "159x24 is too small; the smallest picture is 160x24, or upright",
        );
        check(
            160,
            0,
            1.0,
            "160x0 is too small; the smallest picture is 160x24, or upright",
        );
        check(
            8193,
            100,
            1.0,
            "8193x100 is too large at this scale; the largest picture has 8192x8192 pixels",
        );
        check(
            u32::MAX,
            100,
            8.0,
            "4294967295x100 is too large at this scale; the largest picture has 8192x8192 pixels",
        );
        check(
            4096,
            2049,
            4.0,
            "4096x2049 is too large at this scale; the largest picture has 8192x8192 pixels",
        );
        check(200, 100, f32::NAN, "the scale is NaN; it goes from 0.5 to 8");
        check(200, 100, 0.4, "the scale is 0.4; it goes from 0.5 to 8");
    }
}
