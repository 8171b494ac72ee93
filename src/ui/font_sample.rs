//! Pictures of the names of system fonts, each written in its font. A background thread draws the pictures.

use super::fonts::{self, FontChoice};
use super::snapshot::{PictureSize, SnapshotRenderer};
use eframe::egui;
use egui::{Color32, ColorImage, RichText};

/// The size of a sample, in points.
pub const SAMPLE_SIZE: [u32; 2] = [300, 24];
/// The font size of a sample, in points.
const FONT_SIZE: f32 = 15.0;

/// The text after the name in the sample of a Japanese font.
const JAPANESE_SUFFIX: &str = "　先手 63%";

/// Draws the sample of a font family in white, for a screen with `scale` pixels per point. Returns `None` for an
/// unusable scale.
pub fn draw(family: &str, scale: f32) -> Option<ColorImage> {
    let [width, height] = SAMPLE_SIZE;
    let size = PictureSize::new(width, height, scale).ok()?;
    let choice = FontChoice {
        program: Some(family.to_owned()),
        ..FontChoice::default()
    };
    let text = if fonts::is_japanese(family) {
        format!("{family}{JAPANESE_SUFFIX}")
    } else {
        family.to_owned()
    };
    let picture = SnapshotRenderer::with_fonts(&choice).draw_picture(size, |ui| {
        let text = RichText::new(&text).size(FONT_SIZE).color(Color32::WHITE);
        ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| {
            ui.add(egui::Label::new(text).truncate());
        });
    });
    Some(picture)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_has_the_size_of_the_screen_s_pixels() {
        let picture = draw("no such family", 2.0).unwrap();
        assert_eq!(picture.size, [600, 48]);
        assert!(
            picture.pixels.iter().any(|pixel| pixel.a() > 0),
            "the name is there in any case"
        );
        assert!(draw("no such family", 0.1).is_none());
    }
}
