//! The textures of meshes, which are mostly glyphs.

use eframe::egui;
use egui::epaint::ImageDelta;
use egui::epaint::textures::{TextureFilter, TexturesDelta};
use egui::{Color32, ColorImage, ImageData, Pos2, TextureId};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The number of steps per texel to which texture coordinates are snapped. Snapping undoes the rounding errors of
/// glyphs, which lie on whole texels.
const STEPS_PER_TEXEL: f64 = 256.0;

/// The textures of a context, built from the changes that its frames report.
#[derive(Debug, Default)]
pub struct Textures {
    textures: BTreeMap<TextureId, Texture>,
    /// The textures that the last frame still uses. The next update drops them.
    textures_to_drop: Vec<TextureId>,
}

impl Textures {
    /// Applies the texture changes of a frame. To be called for every frame, before painting.
    pub fn update(&mut self, delta: &mut TexturesDelta) {
        for id in self.textures_to_drop.drain(..) {
            self.textures.remove(&id);
        }
        // Textures are independent, so their order does not matter.
        delta
            .set
            .drain()
            .for_each(|(id, deltas)| deltas.into_iter().for_each(|delta| self.set(id, delta)));
        self.textures_to_drop.extend(delta.free.drain());
    }

    /// Returns the texture of this id; `None` if it is unknown.
    pub(super) fn get(&self, id: TextureId) -> Option<&Texture> {
        self.textures.get(&id)
    }

    /// Replaces a texture, or a part of it. A part of an unknown texture is ignored.
    fn set(&mut self, id: TextureId, delta: ImageDelta) {
        let ImageDelta {
            image: ImageData::Color(image),
            options,
            pos,
        } = delta;
        let is_smooth = options.magnification == TextureFilter::Linear;
        match (pos, self.textures.get_mut(&id)) {
            (Some(at), Some(texture)) => texture.patch(at, &image),
            (None, _) => {
                self.textures.insert(
                    id,
                    Texture {
                        image: Arc::unwrap_or_clone(image),
                        is_smooth,
                    },
                );
            }
            (Some(_), None) => {}
        }
    }
}

/// A texture. Coordinates beyond an edge have the colour of that edge.
#[derive(Debug)]
pub(super) struct Texture {
    image: ColorImage,
    /// Whether colours between texels are interpolated.
    is_smooth: bool,
}

impl Texture {
    /// Replaces a rectangle of the texture. Rows that do not fit are ignored.
    fn patch(&mut self, [left, top]: [usize; 2], patch: &ColorImage) {
        let width = self.image.width();
        for (row, from) in patch.pixels.chunks_exact(patch.width().max(1)).enumerate() {
            let start = (top + row) * width + left;
            if let Some(to) = self.image.pixels.get_mut(start..start + from.len()) {
                to.copy_from_slice(from);
            }
        }
    }

    /// Converts texture coordinates from egui's fractions to texels.
    pub(super) fn sample_position(&self, uv: Pos2) -> [f64; 2] {
        let [width, height] = self.image.size;
        [f64::from(uv.x) * width as f64, f64::from(uv.y) * height as f64]
    }

    /// Returns the premultiplied colour at a point, which is given in texels.
    pub(super) fn sample(&self, [x, y]: [f64; 2]) -> [u8; 4] {
        let [width, height] = self.image.size.map(|size| size.saturating_sub(1));
        if !self.is_smooth {
            let ((column, _), (row, _)) = (
                split_coordinate(x.floor(), width),
                split_coordinate(y.floor(), height),
            );
            return self.pixel(column, row).to_array();
        }
        // The stored colour of a texel is the colour at its centre.
        let ((column, of_next), (row, of_below)) = (
            split_coordinate(x - 0.5, width),
            split_coordinate(y - 0.5, height),
        );
        if of_next == 0 && of_below == 0 {
            return self.pixel(column, row).to_array();
        }
        let (next, below) = ((column + 1).min(width), (row + 1).min(height));
        let above = mix(
            self.pixel(column, row).to_array(),
            self.pixel(next, row).to_array(),
            of_next,
        );
        let below = mix(
            self.pixel(column, below).to_array(),
            self.pixel(next, below).to_array(),
            of_next,
        );
        mix(above, below, of_below)
    }

    /// Returns the colour of a texel; transparent beyond the texture.
    fn pixel(&self, column: usize, row: usize) -> Color32 {
        self.image
            .pixels
            .get(row * self.image.width() + column)
            .copied()
            .unwrap_or_default()
    }
}

/// Splits a coordinate into a whole texel, at most `last`, and the weight of the next texel in [`STEPS_PER_TEXEL`].
fn split_coordinate(at: f64, last: usize) -> (usize, u32) {
    let at = (at.clamp(0.0, last as f64) * STEPS_PER_TEXEL).round();
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the cast saturates"
    )]
    let (whole, part) = ((at / STEPS_PER_TEXEL) as usize, (at % STEPS_PER_TEXEL) as u32);
    (whole, part)
}

/// Returns the mean of two colours, where `of_to` is the weight of the second one, of 256.
fn mix(from: [u8; 4], to: [u8; 4], of_to: u32) -> [u8; 4] {
    let mut mixed = [0; 4];
    for (mixed, (from, to)) in mixed.iter_mut().zip(from.into_iter().zip(to)) {
        let sum = u32::from(from) * (256 - of_to) + u32::from(to) * of_to;
        *mixed = u8::try_from((sum + 128) / 256).unwrap_or(u8::MAX);
    }
    mixed
}
