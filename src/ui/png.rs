//! Encoding of pictures as PNG files.

use eframe::egui::{Color32, ColorImage};
use png::{BitDepth, ColorType, Compression, Encoder, EncodingError};
use thiserror::Error;

/// An error for a picture that PNG cannot hold: one without pixels.
#[derive(Debug, Error)]
#[error(transparent)]
pub struct EncodeError(#[from] EncodingError);

/// Encodes a picture as a PNG file with transparency.
///
/// # Errors
/// Fails when the picture has no pixels.
pub fn encode(image: &ColorImage) -> Result<Vec<u8>, EncodeError> {
    let [width, height] = image.size.map(|side| u32::try_from(side).unwrap_or(u32::MAX));
    let mut file = Vec::new();
    let mut encoder = Encoder::new(&mut file, width, height);
    encoder.set_color(ColorType::Rgba);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_compression(Compression::Balanced);
    let straight: Vec<u8> = image.pixels.iter().flat_map(Color32::to_srgba_unmultiplied).collect();
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&straight)?;
    writer.finish()?;
    Ok(file)
}

/// Returns whether the bytes begin and end as a PNG file does.
pub fn is_png(bytes: &[u8]) -> bool {
    bytes.starts_with(b"\x89PNG\r\n\x1a\n") && bytes.ends_with(b"IEND\xae\x42\x60\x82")
}
