//! Pictures as PNG files.

use eframe::egui::{Color32, ColorImage};
use png::{BitDepth, ColorType, Compression, Encoder, EncodingError};
use thiserror::Error;

/// A picture that no PNG can hold: one without a pixel.
#[derive(Debug, Error)]
#[error(transparent)]
pub struct EncodeError(#[from] EncodingError);

/// A picture as a PNG file with its transparency.
///
/// # Errors
/// When it has no pixel.
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

/// Whether these are the bytes of a PNG file, by how such files begin and end.
pub fn is_png(bytes: &[u8]) -> bool {
    bytes.starts_with(b"\x89PNG\r\n\x1a\n") && bytes.ends_with(b"IEND\xae\x42\x60\x82")
}
