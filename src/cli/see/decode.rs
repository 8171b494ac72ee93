//! Pictures decoded into grey.

use crate::text::see::UnreadablePicture;
use image::{DynamicImage, ImageDecoder as _, ImageError, ImageReader, Limits};
use shogibar_eye::picture::Picture;
use std::io::Cursor;

/// A side of more pixels is not decoded.
const LONGEST_SIDE: usize = 12_000;
/// A picture of more pixels is not decoded.
const MOST_PIXELS: usize = 40_000_000;
/// A decoder may take so many bytes beside the pixels that are asked of it.
const MOST_BYTES: u64 = 4 * MOST_PIXELS as u64;

/// Decodes a PNG, JPEG, WebP or BMP; of an animated one the first picture. Transparent pixels lie on white. Photographs are turned as
/// the camera has written.
pub(super) fn decode(bytes: &[u8]) -> Result<Picture, UnreadablePicture> {
    let mut reader = ImageReader::new(Cursor::new(bytes)).with_guessed_format().map_err(unreadable)?;
    if reader.format().is_none() {
        return Err(UnreadablePicture::NoPicture);
    }
    let mut limits = Limits::default();
    limits.max_alloc = Some(MOST_BYTES);
    reader.limits(limits);
    let mut decoder = reader.into_decoder().map_err(|error| error_of(&error))?;
    let (width, height) = decoder.dimensions();
    check_size(width as usize, height as usize)?;
    let orientation = decoder.orientation();
    let mut picture = DynamicImage::from_decoder(decoder).map_err(|error| error_of(&error))?;
    if let Ok(orientation) = orientation {
        picture.apply_orientation(orientation);
    }
    let (width, height) = (picture.width() as usize, picture.height() as usize);
    let grey = if picture.color().has_alpha() {
        let mut pixels = picture.into_rgba8().into_raw();
        for [red, green, blue, alpha] in pixels.as_chunks_mut().0 {
            for value in [red, green, blue] {
                *value = over_white(*value, *alpha);
            }
        }
        Picture::from_rgb(width, height, &pixels, 4)
    } else if picture.color().has_color() {
        Picture::from_rgb(width, height, &picture.into_rgb8().into_raw(), 3)
    } else {
        Picture::new(width, height, picture.into_luma8().into_raw())
    };
    grey.ok_or(UnreadablePicture::NoPicture)
}

fn check_size(width: usize, height: usize) -> Result<(), UnreadablePicture> {
    if width.max(height) > LONGEST_SIDE || width * height > MOST_PIXELS {
        return Err(UnreadablePicture::TooLarge(width, height));
    }
    Ok(())
}

fn unreadable(_cause: std::io::Error) -> UnreadablePicture {
    UnreadablePicture::Broken
}

/// Returns the reason of a decoder. Of the formats that are recognized some have no decoder here.
const fn error_of(error: &ImageError) -> UnreadablePicture {
    match error {
        ImageError::Unsupported(_) => UnreadablePicture::NoPicture,
        _ => UnreadablePicture::Broken,
    }
}

fn over_white(value: u8, alpha: u8) -> u8 {
    let sum = u16::from(value) * u16::from(alpha) + 255 * (255 - u16::from(alpha));
    u8::try_from(sum / 255).unwrap_or(u8::MAX)
}
