//! A software rasterizer for the output of egui, without a graphics card.
//!
//! The rasterizer blends as egui's painters do, premultiplied and in gamma space, and rounds once. Triangle corners are
//! snapped to 1/256 of a pixel, and coverage is computed with integers. Two triangles with a common edge therefore
//! paint each of its pixels once. The same meshes give the same pixels on every machine.

mod texture;
mod triangle;

pub use texture::Textures;

use eframe::egui;
use egui::epaint::{ClippedPrimitive, Mesh, Primitive, Vertex};
use egui::{Color32, ColorImage, Rect};
use std::ops::Range;
use texture::Texture;
use triangle::{Corner, Triangle};

/// Paints egui's tessellated primitives on a transparent picture. Skips paint callbacks, meshes with an unknown texture
/// and shapes outside the picture.
pub fn paint(
    textures: &Textures,
    primitives: &[ClippedPrimitive],
    size: [usize; 2],
    scale: f32,
) -> ColorImage {
    let mut canvas = RasterCanvas {
        image: ColorImage::filled(size, Color32::TRANSPARENT),
    };
    for ClippedPrimitive { clip_rect, primitive } in primitives {
        let Primitive::Mesh(mesh) = primitive else {
            continue;
        };
        if let Some(texture) = textures.get(mesh.texture_id) {
            let clip = Clip::new(*clip_rect, scale, size);
            canvas.draw_mesh(mesh, texture, &clip, scale);
        }
    }
    canvas.image
}

/// The columns and rows of pixels that may be painted.
struct Clip {
    columns: Range<i64>,
    rows: Range<i64>,
}

impl Clip {
    /// Creates the clip of a rectangle in points within a picture of this size in pixels.
    fn new(rect: Rect, scale: f32, [width, height]: [usize; 2]) -> Self {
        let range = |from: f32, to: f32, max: usize| {
            let max = i64::try_from(max).unwrap_or(i64::MAX);
            // NaN becomes 0.
            #[expect(clippy::cast_possible_truncation, reason = "the cast saturates")]
            let [from, to] = [from, to].map(|at| ((at * scale).round() as i64).clamp(0, max));
            from..to
        };
        Self {
            columns: range(rect.left(), rect.right(), width),
            rows: range(rect.top(), rect.bottom(), height),
        }
    }
}

/// The picture that is being painted.
struct RasterCanvas {
    image: ColorImage,
}

impl RasterCanvas {
    fn draw_mesh(&mut self, mesh: &Mesh, texture: &Texture, clip: &Clip, scale: f32) {
        for indices in mesh.indices.as_chunks::<3>().0 {
            let [Some(a), Some(b), Some(c)] =
                indices.map(|index| mesh.vertices.get(usize::try_from(index).ok()?))
            else {
                continue;
            };
            self.draw_triangle([a, b, c], texture, clip, scale);
        }
    }

    /// Draws the pixels of a triangle within a clip.
    fn draw_triangle(&mut self, corners: [&Vertex; 3], texture: &Texture, clip: &Clip, scale: f32) {
        let scaled = corners.map(|corner| Corner::new(corner.pos, scale));
        let [Some(a), Some(b), Some(c)] = scaled else {
            return;
        };
        let Some(triangle) = Triangle::new([a, b, c]) else {
            return;
        };
        let paint = TrianglePaint::new(corners, texture);
        let width = self.image.width();
        for row in triangle.rows(&clip.rows) {
            let span = triangle.span(row, &clip.columns);
            let pixels = row_pixels(&mut self.image.pixels, width, row, &span);
            match &paint {
                TrianglePaint::Flat(color) => pixels.iter_mut().for_each(|pixel| blend(pixel, *color)),
                TrianglePaint::Varied(varied) => {
                    let columns = span.clone();
                    for (pixel, weights) in pixels.iter_mut().zip(triangle.weights(row, columns)) {
                        blend(pixel, varied.color_at(weights));
                    }
                }
            }
        }
    }
}

/// Returns the pixels of a span in a row; none if the span is not within the canvas.
fn row_pixels<'a>(pixels: &'a mut [Color32], width: usize, row: i64, span: &Range<i64>) -> &'a mut [Color32] {
    let at = |column: i64| {
        usize::try_from(row)
            .ok()?
            .checked_mul(width)?
            .checked_add(usize::try_from(column).ok()?)
    };
    let range = at(span.start).zip(at(span.end));
    range
        .and_then(|(from, to)| pixels.get_mut(from..to))
        .unwrap_or_default()
}

/// The product of a colour and a texel: each channel from 0 to 255².
type ColorProduct = [u32; 4];

/// The maximum value of a channel of a [`ColorProduct`].
const MAX_CHANNEL_PRODUCT: u32 = 255 * 255;

/// The fill of a triangle.
enum TrianglePaint<'a> {
    /// One colour for all pixels.
    Flat(ColorProduct),
    /// Colours or texels that differ between the corners.
    Varied(VertexValues<'a>),
}

/// The values at the corners of a triangle. The fill is interpolated between them.
struct VertexValues<'a> {
    texture: &'a Texture,
    /// The texture coordinates of the corners, in texels.
    positions: [[f64; 2]; 3],
    /// The premultiplied colours of the corners, each channel from 0 to 255.
    colors: [[f64; 4]; 3],
}

impl<'a> TrianglePaint<'a> {
    fn new(corners: [&Vertex; 3], texture: &'a Texture) -> Self {
        let [a, b, c] = corners;
        let positions = corners.map(|corner| texture.sample_position(corner.uv));
        if a.uv == b.uv && b.uv == c.uv && a.color == b.color && b.color == c.color {
            return Self::Flat(multiply(a.color.to_array(), texture.sample(positions[0])));
        }
        let colors = corners.map(|corner| corner.color.to_array().map(f64::from));
        Self::Varied(VertexValues {
            texture,
            positions,
            colors,
        })
    }
}

impl VertexValues<'_> {
    /// Returns the fill at the point with these weights of the corners.
    fn color_at(&self, weights: [f64; 3]) -> ColorProduct {
        let color = mix(&self.colors, weights).map(|channel| {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "the cast saturates"
            )]
            let channel = (channel + 0.5) as u8;
            channel
        });
        multiply(color, self.texture.sample(mix(&self.positions, weights)))
    }
}

/// Returns the weighted sum of the values of three corners.
fn mix<const N: usize>([a, b, c]: &[[f64; N]; 3], [of_a, of_b, of_c]: [f64; 3]) -> [f64; N] {
    let mut mixed = [0.0; N];
    for (mixed, ((a, b), c)) in mixed.iter_mut().zip(a.iter().zip(b).zip(c)) {
        *mixed = a * of_a + b * of_b + c * of_c;
    }
    mixed
}

/// Returns the product of a colour and a texel.
fn multiply(color: [u8; 4], sample: [u8; 4]) -> ColorProduct {
    let mut product = [0; 4];
    for (product, (color, sample)) in product.iter_mut().zip(color.into_iter().zip(sample)) {
        *product = u32::from(color) * u32::from(sample);
    }
    product
}

fn blend(pixel: &mut Color32, color: ColorProduct) {
    let [.., alpha] = color;
    let mut blended = pixel.to_array();
    for (channel, over) in blended.iter_mut().zip(color) {
        let sum = 255 * over + u32::from(*channel) * (MAX_CHANNEL_PRODUCT - alpha);
        *channel = u8::try_from((sum + MAX_CHANNEL_PRODUCT / 2) / MAX_CHANNEL_PRODUCT).unwrap_or(u8::MAX);
    }
    let [red, green, blue, alpha] = blended;
    *pixel = Color32::from_rgba_premultiplied(red, green, blue, alpha);
}

#[cfg(test)]
mod tests;
