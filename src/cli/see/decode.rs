//! Pictures decoded into grey.

use crate::text::see::UnreadablePicture;
use shogibar_eye::picture::Picture;
use std::io::Cursor;
use zune_jpeg::JpegDecoder;
use zune_jpeg::zune_core::colorspace::ColorSpace;
use zune_jpeg::zune_core::options::DecoderOptions;

/// A side of more pixels is not decoded.
const LONGEST_SIDE: usize = 12_000;
/// A picture of more pixels is not decoded.
const MOST_PIXELS: usize = 40_000_000;

/// Decodes a PNG or a JPEG. The pixels of a transparent PNG lie on white.
pub(super) fn decode(bytes: &[u8]) -> Result<Picture, UnreadablePicture> {
    if bytes.starts_with(b"\x89PNG\r\n\x1a\n") {
        decode_png(bytes)
    } else if bytes.starts_with(&[0xFF, 0xD8, 0xFF]) {
        decode_jpeg(bytes)
    } else {
        Err(UnreadablePicture::NoPicture)
    }
}

fn check_size(width: usize, height: usize) -> Result<(), UnreadablePicture> {
    if width.max(height) > LONGEST_SIDE || width * height > MOST_PIXELS {
        return Err(UnreadablePicture::TooLarge(width, height));
    }
    Ok(())
}

fn decode_jpeg(bytes: &[u8]) -> Result<Picture, UnreadablePicture> {
    let broken = |error: zune_jpeg::errors::DecodeErrors| UnreadablePicture::Broken(error.to_string());
    let options = DecoderOptions::default().set_max_width(usize::MAX).set_max_height(usize::MAX);
    let mut decoder =
        JpegDecoder::new_with_options(Cursor::new(bytes), options.jpeg_set_out_colorspace(ColorSpace::Luma));
    decoder.decode_headers().map_err(broken)?;
    let size = decoder.info().ok_or(UnreadablePicture::NoPicture)?;
    let (width, height) = (usize::from(size.width), usize::from(size.height));
    check_size(width, height)?;
    let pixels = decoder.decode().map_err(broken)?;
    Picture::new(width, height, pixels).ok_or(UnreadablePicture::NoPicture)
}

fn decode_png(bytes: &[u8]) -> Result<Picture, UnreadablePicture> {
    let broken = |error: png::DecodingError| UnreadablePicture::Broken(error.to_string());
    let mut decoder = png::Decoder::new_with_limits(Cursor::new(bytes), png::Limits { bytes: 4 * MOST_PIXELS });
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
            let on_white = pixels.as_chunks().0.iter().map(|[grey, alpha]| over_white(*grey, *alpha));
            Picture::new(width, height, on_white.collect())
        }
        png::ColorType::Rgba => {
            for [red, green, blue, alpha] in pixels.as_chunks_mut().0 {
                for value in [red, green, blue] {
                    *value = over_white(*value, *alpha);
                }
            }
            Picture::from_rgb(width, height, &pixels, 4)
        }
        png::ColorType::Rgb | png::ColorType::Indexed => Picture::from_rgb(width, height, &pixels, 3),
    };
    grey.ok_or(UnreadablePicture::NoPicture)
}

fn over_white(value: u8, alpha: u8) -> u8 {
    let sum = u16::from(value) * u16::from(alpha) + 255 * (255 - u16::from(alpha));
    u8::try_from(sum / 255).unwrap_or(u8::MAX)
}
