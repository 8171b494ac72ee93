//! Decodes pictures into greyscale.

use crate::cli::see_text::UnreadablePicture;
use image_webp::WebPDecoder;
use shogibar_eye::picture::{Picture, grey};
use std::io::Cursor;
use zune_jpeg::JpegDecoder;
use zune_jpeg::zune_core::colorspace::ColorSpace;
use zune_jpeg::zune_core::options::DecoderOptions;

/// The maximum width and height of a picture that is decoded, in pixels.
const MAX_SIDE_PIXELS: usize = 12_000;
/// The maximum number of pixels of a picture that is decoded.
const MAX_PIXELS: usize = 40_000_000;

/// Decodes a PNG, a JPEG, a WebP or a BMP. Transparent pixels are laid on white.
pub(super) fn decode(bytes: &[u8]) -> Result<Picture, UnreadablePicture> {
    if bytes.starts_with(b"\x89PNG\r\n\x1a\n") {
        decode_png(bytes)
    } else if bytes.starts_with(&[0xFF, 0xD8, 0xFF]) {
        decode_jpeg(bytes)
    } else if bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP") {
        decode_webp(bytes)
    } else if bytes.starts_with(b"BM") {
        decode_bmp(bytes)
    } else {
        Err(UnreadablePicture::NoPicture)
    }
}

/// Fails for a picture above [`MAX_SIDE_PIXELS`] or [`MAX_PIXELS`].
fn check_size(width: usize, height: usize) -> Result<(), UnreadablePicture> {
    if width.max(height) > MAX_SIDE_PIXELS || width * height > MAX_PIXELS {
        return Err(UnreadablePicture::TooLarge(width, height));
    }
    Ok(())
}

/// Decodes a WebP, or the first picture of an animation.
fn decode_webp(bytes: &[u8]) -> Result<Picture, UnreadablePicture> {
    let broken = |_cause: image_webp::DecodingError| UnreadablePicture::Broken;
    let mut decoder = WebPDecoder::new(Cursor::new(bytes)).map_err(broken)?;
    let (width, height) = decoder.dimensions();
    let (width, height) = (width as usize, height as usize);
    check_size(width, height)?;
    decoder.set_memory_limit(8 * MAX_PIXELS);
    let mut pixels = vec![0; decoder.output_buffer_size().unwrap_or_default()];
    decoder.read_image(&mut pixels).map_err(broken)?;
    let grey = if decoder.has_alpha() {
        from_rgba(width, height, &mut pixels)
    } else {
        Picture::from_rgb(width, height, &pixels, 3)
    };
    grey.ok_or(UnreadablePicture::Broken)
}

/// Decodes a BMP without compression, of 1, 4, 8, 24 or 32 bits a pixel.
///
/// The header has the position of the pixels at byte 10, and its length at byte 14. Width, height, bits a pixel and the
/// compression follow. With a negative height, the first row is the upper one. A palette follows the header. Rows have
/// a multiple of four bytes.
fn decode_bmp(bytes: &[u8]) -> Result<Picture, UnreadablePicture> {
    let number = |at: usize, length: usize| -> Option<u32> {
        Some(
            bytes
                .get(at..at + length)?
                .iter()
                .rev()
                .fold(0, |sum, byte| sum << 8 | u32::from(*byte)),
        )
    };
    let read = || {
        let (start, header) = (number(10, 4)? as usize, number(14, 4)? as usize);
        // The first version of the format has a shorter header.
        let is_short = header == 12;
        let [width, height, bits] = if is_short {
            [number(18, 2), number(20, 2), number(24, 2)]
        } else {
            [number(18, 4), number(22, 4), number(28, 2)]
        };
        let (width, height, bits) = (width? as usize, height?.cast_signed(), bits? as usize);
        let is_plain = is_short || matches!((number(30, 4)?, bits), (0, _) | (3, 32));
        let palette = bytes
            .get(14 + header..start)?
            .chunks_exact(if is_short { 3 } else { 4 });
        let palette: Vec<u8> = palette
            .filter_map(|color| Some(grey(*color.get(2)?, *color.get(1)?, *color.first()?)))
            .collect();
        is_plain.then_some((start, width, height, bits, palette))
    };
    let (start, width, height, bits, palette) = read().ok_or(UnreadablePicture::Broken)?;
    let rows = height.unsigned_abs() as usize;
    check_size(width, rows)?;
    let stride = (bits * width).div_ceil(32) * 4;
    let data = bytes
        .get(start..)
        .filter(|data| data.len() >= stride * rows && stride > 0)
        .ok_or(UnreadablePicture::Broken)?;
    let value = |row: &[u8], x: usize| match bits {
        1 | 4 | 8 => {
            let byte = row.get(x * bits / 8).copied().unwrap_or_default();
            let shift = 8 - bits - x * bits % 8;
            let index = usize::from(byte) >> shift & ((1 << bits) - 1);
            palette.get(index).copied()
        }
        24 | 32 => row
            .get(x * bits / 8..)
            .and_then(<[u8]>::first_chunk)
            .map(|[blue, green, red]| grey(*red, *green, *blue)),
        _ => None,
    };
    let mut lines: Vec<&[u8]> = data.chunks_exact(stride).take(rows).collect();
    if height > 0 {
        lines.reverse();
    }
    let pixels: Option<Vec<u8>> = lines
        .iter()
        .flat_map(|row| (0..width).map(|x| value(row, x)))
        .collect();
    pixels
        .and_then(|pixels| Picture::new(width, rows, pixels))
        .ok_or(UnreadablePicture::Broken)
}

fn decode_jpeg(bytes: &[u8]) -> Result<Picture, UnreadablePicture> {
    let broken = |_cause: zune_jpeg::errors::DecodeErrors| UnreadablePicture::Broken;
    let options = DecoderOptions::default()
        .set_max_width(usize::MAX)
        .set_max_height(usize::MAX);
    let mut decoder = JpegDecoder::new_with_options(Cursor::new(bytes), options);
    decoder.decode_headers().map_err(broken)?;
    // The decoder converts CMYK only to RGB.
    let needs_rgb = matches!(
        decoder.input_colorspace(),
        Some(ColorSpace::CMYK | ColorSpace::YCCK)
    );
    decoder.set_options(options.jpeg_set_out_colorspace(if needs_rgb {
        ColorSpace::RGB
    } else {
        ColorSpace::Luma
    }));
    let size = decoder.info().ok_or(UnreadablePicture::NoPicture)?;
    let (width, height) = (usize::from(size.width), usize::from(size.height));
    check_size(width, height)?;
    let pixels = decoder.decode().map_err(broken)?;
    let turns = decoder.exif().map_or(0, |exif| quarter_turns(exif.as_slice()));
    let picture = if needs_rgb {
        Picture::from_rgb(width, height, &pixels, 3)
    } else {
        Picture::new(width, height, pixels)
    };
    picture
        .map(|picture| rotated(picture, turns))
        .ok_or(UnreadablePicture::NoPicture)
}

/// Returns the number of quarter turns clockwise that a photograph needs, as written by the camera. Mirrored
/// photographs need none.
///
/// Exif is a TIFF: the byte order, then the position of the first table. That table has entries of 12 bytes, of which
/// 0x0112 is the orientation.
fn quarter_turns(exif: &[u8]) -> usize {
    let is_little = exif.starts_with(b"II");
    let number = |at: usize, length: usize| {
        let bytes = exif.get(at..at + length)?.iter().copied();
        let add = |sum: usize, byte: u8| sum << 8 | usize::from(byte);
        Some(if is_little {
            bytes.rev().fold(0, add)
        } else {
            bytes.fold(0, add)
        })
    };
    let orientation = || {
        let table = number(4, 4)?;
        let mut entries = (0..number(table, 2)?).map(|entry| table + 2 + 12 * entry);
        let found = entries.find(|at| number(*at, 2).is_none_or(|tag| tag == 0x0112))?;
        number(found + 8, 2)
    };
    match orientation() {
        Some(3) => 2,
        Some(6) => 1,
        Some(8) => 3,
        _ => 0,
    }
}

/// Returns a picture rotated clockwise by quarter turns.
fn rotated(picture: Picture, quarters: usize) -> Picture {
    (0..quarters).fold(picture, |picture, _| {
        let (width, height) = (picture.width(), picture.height());
        let pixels = (0..width)
            .flat_map(|x| (0..height).rev().map(move |y| (x, y)))
            .filter_map(|(x, y)| picture.row(y).get(x).copied());
        Picture::new(height, width, pixels.collect()).unwrap_or(picture)
    })
}

fn decode_png(bytes: &[u8]) -> Result<Picture, UnreadablePicture> {
    let broken = |_cause: png::DecodingError| UnreadablePicture::Broken;
    let mut decoder = png::Decoder::new_with_limits(
        Cursor::new(bytes),
        png::Limits {
            bytes: 4 * MAX_PIXELS,
        },
    );
    // A file may have millions of text chunks, and the decoder would keep each in memory.
    decoder.set_ignore_text_chunk(true);
    decoder.set_ignore_iccp_chunk(true);
    decoder.set_transformations(png::Transformations::normalize_to_color8());
    let header = decoder.read_header_info().map_err(broken)?;
    let (width, height) = (header.width as usize, header.height as usize);
    check_size(width, height)?;
    let mut reader = decoder.read_info().map_err(broken)?;
    let mut pixels = vec![0; reader.output_buffer_size().unwrap_or_default()];
    let frame = reader.next_frame(&mut pixels).map_err(broken)?;
    let grey = match frame.color_type {
        png::ColorType::Grayscale => Picture::new(width, height, pixels),
        png::ColorType::GrayscaleAlpha => {
            let on_white = pixels
                .as_chunks()
                .0
                .iter()
                .map(|[grey, alpha]| over_white(*grey, *alpha));
            Picture::new(width, height, on_white.collect())
        }
        png::ColorType::Rgba => from_rgba(width, height, &mut pixels),
        png::ColorType::Rgb | png::ColorType::Indexed => Picture::from_rgb(width, height, &pixels, 3),
    };
    grey.ok_or(UnreadablePicture::NoPicture)
}

/// Creates a picture from colours with their opacity, laid on white.
fn from_rgba(width: usize, height: usize, pixels: &mut [u8]) -> Option<Picture> {
    for [red, green, blue, alpha] in pixels.as_chunks_mut().0 {
        for value in [red, green, blue] {
            *value = over_white(*value, *alpha);
        }
    }
    Picture::from_rgb(width, height, pixels, 4)
}

/// Returns a colour value laid on white, with its opacity `alpha`, 0 to 255.
fn over_white(value: u8, alpha: u8) -> u8 {
    let sum = u16::from(value) * u16::from(alpha) + 255 * (255 - u16::from(alpha));
    u8::try_from(sum / 255).unwrap_or(u8::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn photographs_are_rotated_as_the_camera_demands() {
        let little = |orientation: u8| {
            let mut exif = b"II*\0\x08\0\0\0\x02\0".to_vec();
            exif.extend([0x0F, 1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
            exif.extend([0x12, 1, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0]);
            exif
        };
        let big = b"MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0";
        assert_eq!(
            [1, 3, 6, 8, 9].map(|value| quarter_turns(&little(value))),
            [0, 2, 1, 3, 0]
        );
        assert_eq!(quarter_turns(big), 1);
        for broken in [
            &b""[..],
            b"II",
            b"II*\0\xFF\xFF\xFF\xFF",
            b"II*\0\x08\0\0\0\xFF\xFF",
        ] {
            assert_eq!(quarter_turns(broken), 0, "{broken:?}");
        }
        let picture = || Picture::new(3, 2, vec![1, 2, 3, 4, 5, 6]).unwrap();
        let rotated = |quarters| {
            let rotated = rotated(picture(), quarters);
            (rotated.width(), rotated.pixels().to_vec())
        };
        assert_eq!(rotated(1), (2, vec![4, 1, 5, 2, 6, 3]));
        assert_eq!(rotated(2), (3, vec![6, 5, 4, 3, 2, 1]));
        assert_eq!(rotated(3), (2, vec![3, 6, 2, 5, 1, 4]));
    }
}
