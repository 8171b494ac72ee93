//! Encoding of pictures as PNG files.

use eframe::egui::{Color32, ColorImage};
use png::{BitDepth, ColorType, Compression, Encoder, EncodingError, Writer};
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
/// A single picture becomes a plain PNG file.
///
/// # Errors
/// Fails if there is no picture, or the first one has no pixels.
pub fn encode_animated(frames: impl Iterator<Item = (ColorImage, Duration)>) -> Result<Vec<u8>, EncodeError> {
    let frames: Vec<_> = frames.collect();
    let count = frames.len();
    let mut frames = frames.into_iter();
    let Some((first, time)) = frames.next() else {
        return encode(&ColorImage::default());
    };
    let mut file = Vec::new();
    let mut animation = AnimatedPng::begin(&mut file, count, first, time)?;
    for (image, time) in frames {
        animation.add(image, time)?;
    }
    animation.finish()?;
    Ok(file)
}

/// An animated PNG file that repeats, while its pictures are added. A frame of the file has only the rectangle that
/// changed.
#[expect(missing_debug_implementations, reason = "the writer of the file has no Debug")]
pub struct AnimatedPng<'a> {
    writer: Writer<&'a mut Vec<u8>>,
    /// The last picture.
    before: ColorImage,
}

impl<'a> AnimatedPng<'a> {
    /// Begins a file of `count` pictures with the first one. A file of one picture is a plain PNG file.
    ///
    /// # Errors
    /// Fails if the picture has no pixels.
    pub fn begin(
        file: &'a mut Vec<u8>,
        count: usize,
        first: ColorImage,
        time: Duration,
    ) -> Result<Self, EncodeError> {
        let mut encoder = encoder(file, &first);
        if count > 1 {
            encoder.set_animated(u32::try_from(count).unwrap_or(u32::MAX), 0)?;
            encoder.set_frame_delay(millis(time), 1000)?;
        }
        let mut writer = encoder.write_header()?;
        writer.write_image_data(&unmultiplied_pixels(&first, ChangedRect::all(&first)))?;
        Ok(Self {
            writer,
            before: first,
        })
    }

    /// Adds the next picture.
    ///
    /// # Errors
    /// Fails if the file has all its pictures, or the picture has another size.
    pub fn add(&mut self, image: ColorImage, time: Duration) -> Result<(), EncodeError> {
        let changed = ChangedRect::between(&self.before, &image);
        // A frame's position is relative to the upper left corner of the first frame, not to the frame before.
        self.writer.reset_frame_position()?;
        self.writer
            .set_frame_dimension(changed.size(0), changed.size(1))?;
        self.writer
            .set_frame_position(changed.offset(0), changed.offset(1))?;
        self.writer.set_frame_delay(millis(time), 1000)?;
        self.writer
            .write_image_data(&unmultiplied_pixels(&image, changed))?;
        self.before = image;
        Ok(())
    }

    /// Ends the file.
    ///
    /// # Errors
    /// Fails if pictures are missing.
    pub fn finish(self) -> Result<(), EncodeError> {
        Ok(self.writer.finish()?)
    }
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
