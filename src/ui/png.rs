//! Encoding of pictures as PNG files.

use eframe::egui::{Color32, ColorImage};
use png::{BitDepth, ColorType, Compression, Encoder, EncodingError};
use std::time::Duration;
use thiserror::Error;

/// The error for a picture that cannot be a PNG file, because it has no pixels.
#[derive(Debug, Error)]
#[error(transparent)]
pub struct EncodeError(#[from] EncodingError);

/// Encodes a picture as a PNG file with transparency.
///
/// # Errors
/// Fails if the picture has no pixels.
pub fn encode(image: &ColorImage) -> Result<Vec<u8>, EncodeError> {
    let mut file = Vec::new();
    let mut writer = encoder(&mut file, image).write_header()?;
    writer.write_image_data(&unmultiplied_pixels(image, ChangedRect::all(image)))?;
    writer.finish()?;
    Ok(file)
}

/// Returns whether the bytes begin and end like a PNG file.
pub fn is_png(bytes: &[u8]) -> bool {
    bytes.starts_with(b"\x89PNG\r\n\x1a\n") && bytes.ends_with(b"IEND\xae\x42\x60\x82")
}

/// Encodes pictures of one size as an animated PNG file that repeats. Each picture has the time for which it is shown.
/// A frame of the file has only the rectangle that changed. A single picture becomes a plain PNG file.
///
/// # Errors
/// Fails if there is no picture, or the first one has no pixels.
pub fn encode_animated(frames: impl Iterator<Item = (ColorImage, Duration)>) -> Result<Vec<u8>, EncodeError> {
    let frames: Vec<_> = frames.collect();
    let Some(((first, time), others)) = frames.split_first() else {
        return encode(&ColorImage::default());
    };
    if others.is_empty() {
        return encode(first);
    }
    let mut file = Vec::new();
    let mut encoder = encoder(&mut file, first);
    encoder.set_animated(u32::try_from(frames.len()).unwrap_or(u32::MAX), 0)?;
    encoder.set_frame_delay(millis(*time), 1000)?;
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&unmultiplied_pixels(first, ChangedRect::all(first)))?;
    let mut before = first;
    for (image, time) in others {
        let changed = ChangedRect::between(before, image);
        // A frame's position is relative to the upper left corner of the first frame, not to the frame before.
        writer.reset_frame_position()?;
        writer.set_frame_dimension(changed.size(0), changed.size(1))?;
        writer.set_frame_position(changed.offset(0), changed.offset(1))?;
        writer.set_frame_delay(millis(*time), 1000)?;
        writer.write_image_data(&unmultiplied_pixels(image, changed))?;
        before = image;
    }
    writer.finish()?;
    Ok(file)
}

fn encoder<'a>(file: &'a mut Vec<u8>, image: &ColorImage) -> Encoder<'a, &'a mut Vec<u8>> {
    let [width, height] = image.size.map(|side| u32::try_from(side).unwrap_or(u32::MAX));
    let mut encoder = Encoder::new(file, width, height);
    encoder.set_color(ColorType::Rgba);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_compression(Compression::Balanced);
    encoder
}

/// Returns a time in milliseconds, at most 65,535.
fn millis(time: Duration) -> u16 {
    u16::try_from(time.as_millis()).unwrap_or(u16::MAX)
}

/// Returns the pixels of a picture within a rectangle, row by row, without premultiplied opacity.
fn unmultiplied_pixels(
    image: &ColorImage,
    ChangedRect {
        from: [left, top],
        to: [right, bottom],
    }: ChangedRect,
) -> Vec<u8> {
    let rows = image
        .pixels
        .chunks(image.size[0].max(1))
        .skip(top)
        .take(bottom - top);
    let pixels = rows.flat_map(|row| row.iter().skip(left).take(right - left));
    pixels.flat_map(Color32::to_srgba_unmultiplied).collect()
}

/// The rectangle that changed between two pictures, in pixels; at least one pixel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct ChangedRect {
    /// The column and the row of the upper left pixel.
    from: [usize; 2],
    /// The column to the right of the rectangle, and the row below the rectangle.
    to: [usize; 2],
}

impl ChangedRect {
    /// Creates the rectangle of a whole picture.
    const fn all(image: &ColorImage) -> Self {
        Self {
            from: [0, 0],
            to: image.size,
        }
    }

    /// Creates the rectangle around all pixels that differ between two pictures; one pixel if none differs.
    fn between(before: &ColorImage, image: &ColorImage) -> Self {
        let width = image.size[0].max(1);
        let pairs = before.pixels.iter().zip(&image.pixels).enumerate();
        let changed = pairs
            .filter(|(_, (one, other))| one != other)
            .map(|(at, _)| [at % width, at / width]);
        let whole = changed.fold(None, |known: Option<Self>, [x, y]| {
            let Self { from, to } = known.unwrap_or(Self {
                from: [x, y],
                to: [x + 1, y + 1],
            });
            Some(Self {
                from: [from[0].min(x), from[1].min(y)],
                to: [to[0].max(x + 1), to[1].max(y + 1)],
            })
        });
        whole.unwrap_or(Self {
            from: [0, 0],
            to: [1, 1],
        })
    }

    /// Returns the width for axis 0, and the height for axis 1.
    fn size(self, axis: usize) -> u32 {
        let [from, to] = [self.from, self.to].map(|corner| corner.get(axis).copied().unwrap_or_default());
        u32::try_from(to - from).unwrap_or(u32::MAX)
    }

    /// Returns the left column for axis 0, and the upper row for axis 1.
    fn offset(self, axis: usize) -> u32 {
        u32::try_from(self.from.get(axis).copied().unwrap_or_default()).unwrap_or(u32::MAX)
    }
}
